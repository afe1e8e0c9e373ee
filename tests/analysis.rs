//! Laws of the analyses: a tornado shows what full evaluations of the changed scenario show, in whatever order its
//! evaluations are run, and leaves nothing changed behind.

use outlay::analysis::cases;
use outlay::analysis::diff::diff;
use outlay::analysis::figure::decimal;
use outlay::analysis::tornado::{Outcome, Question, Runner, Tornado, found, tornado};
use outlay::engine::{Figure, FigureValue, evaluate, figure};
use outlay::input::Range;
use outlay::quantity::Exact;
use outlay::scenario::diff::{differences, with_difference};
use outlay::scenario::{Scenario, Syntax, read};
use proptest::prelude::*;
use rust_decimal::Decimal;

mod support;

fn case(name: &str) -> Scenario {
    let path = format!("{}/tests/cases/{name}.scenario.json", env!("CARGO_MANIFEST_DIR"));
    read(&std::fs::read_to_string(path).expect("the case is there"), Syntax::Json).expect("the case is valid").0
}

fn present_value_of(placement: usize) -> Question {
    Question { placement, against: None, figure: Figure::PresentValue }
}

fn exact(text: &str) -> Exact {
    Exact::parse(text).expect("the test writes exact decimals")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bars computed from the placements that an input can affect equal full evaluations of the changed scenario.
    #[test]
    fn bars_are_what_full_evaluations_give(scenario in support::scenarios(), place in any::<prop::sample::Index>()) {
        let question = present_value_of(place.index(scenario.placements.len()));
        let Ok(answer) = tornado(&scenario, question.clone()) else { return Ok(()) };
        // What is left out of a tornado cannot be computed somewhere on its range.
        for problem in &answer.failed {
            let Ok(input) = scenario.input(&problem.path) else { continue };
            let Some(Range { low, high }) = input.input.range() else { continue };
            let fails = |value| scenario.with(&problem.path, value).map_or(true, |changed| evaluate(&changed).is_err());
            prop_assert!(fails(low) || fails(high), "{:?}", problem);
        }
        for bar in answer.bars.iter().filter(|bar| !bar.path.starts_with("groups.")) {
            for (input, result) in bar.inputs.iter().zip(&bar.results) {
                let changed = scenario.with(&bar.path, *input).map_err(|problem| TestCaseError::fail(problem.to_string()))?;
                let value = figure(&changed, question.placement, &question.figure).map_err(|failure| TestCaseError::fail(failure.message))?;
                prop_assert_eq!(decimal(value, answer.currency), Some(*result), "{} at {}", &bar.path, input);
            }
        }
        for path in &answer.unmoved {
            prop_assert!(answer.bars.iter().all(|bar| bar.path != *path));
        }
        let sorted = answer.bars.windows(2).all(|pair| (pair[1].swing, &pair[0].path) <= (pair[0].swing, &pair[1].path));
        prop_assert!(sorted);
    }

    /// Taking over every difference, one after another, turns the first scenario into the second.
    #[test]
    fn a_scenario_differs_from_itself_in_nothing(scenario in support::scenarios()) {
        prop_assert!(differences(&scenario, &scenario).is_empty());
    }

    #[test]
    fn one_changed_input_is_one_difference(scenario in support::scenarios(), place in any::<prop::sample::Index>()) {
        let inputs = scenario.inputs();
        let input = &inputs[place.index(inputs.len())];
        let Some(value) = [exact("1"), exact("0"), exact("2"), exact("0.5")]
            .into_iter()
            .find(|value| input.bounds().accept(*value) && *value != input.input.value)
        else {
            return Ok(());
        };
        let changed = scenario.with(&input.path, value).map_err(|problem| TestCaseError::fail(problem.to_string()))?;
        let found = differences(&scenario, &changed);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        if let Ok(taken) = with_difference(&scenario, &found[0]) {
            prop_assert_eq!(taken, changed);
        }
    }
}

#[test]
fn the_order_of_evaluations_changes_nothing() {
    let scenario = case("04-gpu-service");
    let planned = Tornado::new(&scenario, present_value_of(0)).expect("the placement exists");
    let mut forwards = Runner::new(&planned);
    let mut backwards = Runner::new(&planned);
    let outcomes: Vec<Outcome> = planned.jobs().iter().map(|job| forwards.run(job)).collect();
    let mut reversed: Vec<Outcome> = planned.jobs().iter().rev().map(|job| backwards.run(job)).collect();
    reversed.reverse();
    assert_eq!(outcomes, reversed);
    let searches = found(&planned, &mut forwards, &outcomes);
    assert_eq!(planned.collect(&outcomes, &searches), tornado(&scenario, present_value_of(0)));
}

/// Where a bar says that the preference changes, it does so between the value named and the ones just below it.
#[test]
fn the_preference_changes_at_a_switch_over() {
    let mut scenario = case("04-gpu-service");
    let minimum = scenario.input("environments.gpu-hours.supply.minimum_monthly").expect("the input is there");
    scenario.change_nth(minimum.index, |input| {
        input.detail_mut().range = Some(Range { low: exact("10000"), high: exact("110000") });
    });
    let answer = tornado(&scenario, present_value_of(0)).expect("the case has figures");
    let bar = answer.bars.iter().find(|bar| bar.path == minimum.path).expect("the minimum moves the figure");
    assert!(bar.changes_preferred);
    let [switch] = bar.switches.as_slice() else { panic!("one switch-over, not {:?}", bar.switches) };
    assert_eq!((switch.from, switch.to), (Some(0), Some(1)));
    let value = switch.at.expect("it can be computed");
    let preferred =
        |value: Exact| evaluate(&scenario.with(&minimum.path, value).expect("in bounds")).expect("figures").cheapest;
    let just_below = Exact::from_decimal(value.decimal() - Decimal::new(1, 1)).expect("short");
    assert_eq!((preferred(just_below), preferred(value)), (Some(0), Some(1)), "{value}");
    for bar in answer.bars.iter().filter(|bar| bar.path != minimum.path) {
        assert!(!bar.changes_preferred && bar.switches.is_empty(), "{}", bar.path);
    }
}

#[test]
fn a_difference_is_one_figure_less_the_other() {
    let scenario = case("06-lease");
    let against = Question { against: Some(1), ..present_value_of(0) };
    let answer = tornado(&scenario, against).expect("the case has figures");
    let of = |placement| match figure(&scenario, placement, &Figure::PresentValue).expect("a figure") {
        FigureValue::Money(money) => money,
        other => panic!("{other:?}"),
    };
    assert_eq!(answer.base, (of(0) - of(1)).num(answer.currency.minor_digits).decimal().expect("a number"));
}

#[test]
fn inputs_of_a_group_move_together_as_one_bar() {
    let mut scenario = case("01-owned-two-nodes");
    let paths = ["environments.owned.costs.electricity.rate", "environments.owned.supply.node.price"];
    scenario.groups.push(outlay::scenario::Group {
        id: "prices".into(),
        name: "Prices".into(),
        inputs: paths.map(str::to_owned).to_vec(),
        notes: String::new(),
    });
    let answer = tornado(&scenario, present_value_of(0)).expect("the case has figures");
    let bar = answer.bars.iter().find(|bar| bar.path == "groups.prices").expect("the group has a bar");
    assert!(answer.bars.iter().all(|bar| !paths.contains(&bar.path.as_str())), "its inputs have none of their own");
    let high = scenario
        .with(paths[0], exact("0.20"))
        .and_then(|scenario| scenario.with(paths[1], exact("320000")))
        .expect("in bounds");
    let value = figure(&high, 0, &Figure::PresentValue).expect("a figure");
    assert_eq!(decimal(value, answer.currency).as_ref(), bar.results.last());
}

#[test]
fn regret_is_the_cost_beyond_the_best_that_serves() {
    let mut scenario = case("14-portfolio");
    scenario.cases = vec![outlay::scenario::Case {
        id: "cheap-cloud".into(),
        name: "Cheap cloud".into(),
        owner: String::new(),
        review_by: None,
        set: outlay::input::Map([("environments.aws.supply.on_demand_per_hour".to_owned(), exact("10"))].into()),
        notes: String::new(),
    }];
    let table = cases::cases(&scenario).expect("the cases can be computed");
    assert_eq!(table.rows.len(), 2);
    for row in &table.rows {
        let least = row.cells.iter().filter(|cell| cell.meets_service).map(|cell| cell.figure).min();
        for cell in &row.cells {
            assert_eq!(cell.regret, least.filter(|_| cell.meets_service).map(|least| cell.figure - least));
        }
        assert_eq!(row.cheapest.map(|place| row.cells[place].figure), least);
    }
    let change = &table.rows[1].variant.changes[0];
    assert!(change.widened, "10 lies below the range of the price");
}

#[test]
fn a_difference_moves_what_it_moves_alone() {
    let first = case("01-owned-two-nodes");
    let mut second = first.with("environments.owned.supply.node.price", exact("300000")).expect("in bounds");
    second.environments[0].costs.retain(|line| line.id != "cooling");
    second.workloads[0].notes = "changed".into();
    let comparison = diff(&first, &second).expect("both have figures");
    let paths: Vec<&str> = comparison.differences.iter().map(|effect| effect.difference.path.as_str()).collect();
    assert_eq!(
        paths,
        ["workloads.training.notes", "environments.owned.supply.node.price", "environments.owned.costs.cooling"]
    );
    let moves: Vec<i128> = comparison
        .differences
        .iter()
        .map(|effect| effect.moves.as_ref().expect("each can be taken alone")[0].expect("the placement stays").minor())
        .collect();
    assert_eq!(
        moves.iter().sum::<i128>(),
        comparison.placements[0].second.expect("a figure").minor()
            - comparison.placements[0].first.expect("a figure").minor()
    );
    assert_eq!(moves[0], 0);
}

/// Without preferences the bars are the same, and none is marked.
#[test]
fn the_figure_alone_gives_the_same_bars() {
    let scenario = case("09-hybrid-burst");
    let whole = tornado(&scenario, present_value_of(0)).expect("the case has figures");
    let planned = Tornado::figure_only(&scenario, present_value_of(0)).expect("the placement exists");
    let mut runner = Runner::new(&planned);
    let outcomes: Vec<Outcome> = planned.jobs().iter().map(|job| runner.run(job)).collect();
    assert!(planned.searches(&outcomes).is_empty());
    let alone = planned.collect(&outcomes, &[]).expect("the case has figures");
    assert_eq!(alone.unmoved, whole.unmoved);
    let bars = |answer: &outlay::analysis::tornado::Answer| {
        answer.bars.iter().map(|bar| (bar.path.clone(), bar.results.clone())).collect::<Vec<_>>()
    };
    assert_eq!(bars(&alone), bars(&whole));
    assert!(alone.bars.iter().all(|bar| !bar.changes_preferred));
}
