//! How long reading, evaluating and a tornado take on the reference portfolio, and how they grow with months, lines and
//! placements. Figures and ratios; nothing here passes or fails.

use divan::{Bencher, black_box};
use outlay::analysis::tornado::{Answer, Job, Question, Runner, Tornado, tornado};
use outlay::cli::parallel;
use outlay::engine::{Figure, evaluate, figure};
use outlay::scenario::{Scenario, Syntax, read};

const PORTFOLIO: &str = include_str!("../scenarios/regional-platform.ron");

fn main() {
    divan::main();
}

fn portfolio() -> Scenario {
    read(PORTFOLIO, Syntax::Ron).expect("the shipped portfolio is valid").0
}

/// Budget: 5 ms.
#[divan::bench]
fn read_and_validate() -> Scenario {
    read(black_box(PORTFOLIO), Syntax::Ron).expect("the shipped portfolio is valid").0
}

/// Budget: 1 ms on two cores.
#[divan::bench]
fn evaluate_portfolio(bencher: Bencher) {
    let scenario = portfolio();
    bencher.bench(|| parallel::evaluate(black_box(&scenario)).expect("the shipped portfolio evaluates"));
}

#[divan::bench]
fn evaluate_portfolio_on_one_core(bencher: Bencher) {
    let scenario = portfolio();
    bencher.bench(|| evaluate(black_box(&scenario)).expect("the shipped portfolio evaluates"));
}

/// One figure of each placement, which is what analyses ask for.
#[divan::bench(args = 0..6)]
fn one_figure(bencher: Bencher, placement: usize) {
    let scenario = portfolio();
    bencher.bench(|| figure(black_box(&scenario), placement, &Figure::PresentValue).expect("it evaluates"));
}

/// Budget for forty bars at five points, of one placement's figure: a frame of 16 ms on two cores, from the scenario to the
/// last point, with recording how the placement is computed. The portfolio has more bars; these are its first.
#[divan::bench]
fn forty_bars_of_one_placement(bencher: Bencher) {
    let scenario = portfolio();
    bencher.bench(|| {
        let plan = planned(black_box(&scenario));
        parallel::in_parallel(forty(&plan), || Runner::new(&plan), Runner::run)
    });
}

#[divan::bench]
fn forty_bars_of_one_placement_on_one_core(bencher: Bencher) {
    let scenario = portfolio();
    bencher.bench(|| {
        let plan = planned(black_box(&scenario));
        let mut runner = Runner::new(&plan);
        forty(&plan).iter().map(|job| runner.run(job)).collect::<Vec<_>>()
    });
}

fn planned(scenario: &Scenario) -> Tornado {
    Tornado::figure_only(scenario, question()).expect("the shipped portfolio has a tornado")
}

/// The base and forty bars.
fn forty(plan: &Tornado) -> &[Job] {
    &plan.jobs()[..41]
}

/// Every bar of the portfolio, switch-over values included, on one core.
#[divan::bench(sample_count = 5)]
fn whole_tornado(bencher: Bencher) {
    let scenario = portfolio();
    bencher.bench(|| -> Answer { tornado(black_box(&scenario), question()).expect("it has a tornado") });
}

fn question() -> Question {
    Question { placement: 0, against: None, figure: Figure::PresentValue }
}

#[divan::bench(args = [12, 24, 60, 120, 240])]
fn evaluate_by_months(bencher: Bencher, months: u32) {
    let mut scenario = portfolio();
    scenario.horizon_months = months;
    scenario.workloads.iter_mut().for_each(|workload| workload.ends_month = None);
    bencher.bench(|| evaluate(black_box(&scenario)).expect("it evaluates"));
}

/// Each environment with its cost lines so many times over.
#[divan::bench(args = [1, 2, 4, 8])]
fn evaluate_by_lines(bencher: Bencher, times: usize) {
    let mut scenario = portfolio();
    for environment in &mut scenario.environments {
        let lines = environment.costs.clone();
        for copy in 1..times {
            environment.costs.extend(lines.iter().cloned().map(|mut line| {
                line.id = format!("{}-{copy}", line.id);
                line
            }));
        }
    }
    bencher.bench(|| evaluate(black_box(&scenario)).expect("it evaluates"));
}

/// The placements so many times over.
#[divan::bench(args = [1, 2, 4, 8])]
fn evaluate_by_placements(bencher: Bencher, times: usize) {
    let mut scenario = portfolio();
    let placements = scenario.placements.clone();
    for copy in 1..times {
        scenario.placements.extend(placements.iter().cloned().map(|mut placement| {
            placement.id = format!("{}-{copy}", placement.id);
            placement
        }));
    }
    bencher.bench(|| evaluate(black_box(&scenario)).expect("it evaluates"));
}
