//! One side of `benches/against-numpy`: how long exact draws of the reference portfolio take on one core and on all, and its
//! postings as binary numbers for a model that does no more than multiply, round and add them. Writes JSON; nothing here passes or fails.

use std::time::Instant;

use outlay::analysis::tally::Tally;
use outlay::analysis::uncertainty::{Question, Runner, Uncertainty};
use outlay::cli::parallel;
use outlay::engine::demand::ClassDemand;
use outlay::engine::ledger::price;
use outlay::engine::plan::{Price, compile};
use outlay::engine::time::Time;
use outlay::engine::{Figure, evaluate};
use outlay::input::Unit;
use outlay::quantity::{Currency, Num};
use outlay::scenario::{Scenario, Syntax, read};
use serde_json::json;

const PORTFOLIO: &str = include_str!("../scenarios/regional-platform.ron");

fn main() {
    let draws = std::env::args().filter_map(|argument| argument.parse().ok()).next().unwrap_or(1_000);
    let scenario = read(PORTFOLIO, Syntax::Ron).expect("the shipped portfolio is valid").0;
    let cores = parallel::cores();
    let seconds = |scenario: &Scenario| [1, cores].map(|threads| seconds_of(scenario, draws, threads));
    let evaluation = evaluate(&scenario).expect("the shipped portfolio evaluates");
    let postings: usize = evaluation.placements.iter().map(|placement| placement.ledger.postings.len()).sum();
    let sum = |of: &dyn Fn(usize) -> i128| (0..evaluation.placements.len()).map(of).sum::<i128>().to_string();
    let answer = json!({
        "draws": draws,
        "cores": cores,
        "seconds": seconds(&scenario),
        "seconds_of_prices": seconds(&with_prices_alone(&scenario)),
        "postings": postings,
        "total_minor": sum(&|place| evaluation.placements[place].totals.total.minor()),
        "present_value_minor": sum(&|place| evaluation.placements[place].totals.present_value.minor()),
        "lines": lines(&scenario),
    });
    println!("{answer}");
}

/// The same portfolio in which nothing is uncertain but prices: what a draw leaves to do is to price the plan anew.
fn with_prices_alone(scenario: &Scenario) -> Scenario {
    let mut priced = scenario.clone();
    for input in scenario.inputs() {
        if !matches!(input.decl.unit, Unit::Money(_)) {
            priced.change_nth(input.index, |input| input.detail = None);
        }
    }
    priced
}

/// Each draw evaluates every placement: demand, whole nodes, serving, every posting and its present value.
fn seconds_of(scenario: &Scenario, draws: u64, threads: usize) -> f64 {
    let question = Question { figure: Figure::PresentValue, against: None, draws, seed: 1 };
    let mut plan = Uncertainty::new(scenario, question).expect("the shipped portfolio has ranges");
    let mut runner = Runner::new(&plan);
    let pilots: Vec<_> = plan.pilots().into_iter().flat_map(|draws| runner.pilots(draws)).collect();
    plan.rule(&pilots);
    let start = Instant::now();
    let state = || (Runner::new(&plan), plan.tally());
    let run = |runner: &mut Runner<'_>, draws, tally: &mut Tally| runner.draw(draws, tally);
    let tally = parallel::counted_in_parallel(0..draws, threads, state, run, |sum, part| sum.merge(&part), |_| true);
    assert_eq!(tally.done, draws, "every draw is counted");
    start.elapsed().as_secs_f64()
}

/// Of every line its postings: quantity, price at its index, discount factor. What is not a quantity times a price (tiers,
/// minimums, shares, loans) is given as its amount at a price of one.
fn lines(scenario: &Scenario) -> Vec<Vec<[f64; 3]>> {
    let currency = Currency::find(&scenario.currency).expect("a known currency");
    let time = Time::new(scenario).expect("the shipped portfolio has discount factors");
    let horizon = scenario.horizon_months;
    let demand = ClassDemand::of_all(&scenario.workloads, horizon);
    let mut lines = Vec::new();
    for placement in &scenario.placements {
        let plan = compile(scenario, placement, &time, &demand).expect("it compiles");
        let priced = price(&plan, &time, currency).expect("it is priced");
        for (place, line) in plan.lines.iter().enumerate() {
            let posting = |quantity: Num, price: Num, timing, month| {
                [quantity.approximate(), price.approximate(), time.factor_num(timing, month).approximate()]
            };
            lines.push(match &line.price {
                Price::Flat { rate, index, exchange } => {
                    let charges = line.charges.iter().filter(|charge| !charge.quantity.is_zero());
                    let price = |month| *rate * *exchange * time.index_factor(*index, month);
                    charges
                        .map(|charge| posting(charge.quantity, price(charge.index_month), charge.timing, charge.month))
                        .collect()
                }
                _ => {
                    let of_line = priced.of_line(place).iter();
                    let amount = |minor: outlay::quantity::Money| minor.num(currency.minor_digits);
                    of_line
                        .map(|posted| posting(amount(posted.amount), Num::ONE, posted.timing, posted.month))
                        .collect::<Vec<_>>()
                }
            });
        }
    }
    lines
}
