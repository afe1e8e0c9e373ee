//! A prepared scenario says of any values of its inputs what a plain evaluation says of them.
//!
//! Every input is moved alone, so that none can be read unnoticed, and any of them together.

use outlay::analysis::range::{tried, value_at};
use outlay::analysis::tally::rounded_quotient;
use outlay::analysis::uncertainty::{Question, Runner, Uncertainty};
use outlay::engine::{Figure, FigureValue, Prepared, Standing, standings};
use outlay::input::Range;
use outlay::quantity::Exact;
use outlay::scenario::{InputRef, Scenario};
use proptest::prelude::*;

mod support;

/// Parts of a range.
const PARTS: u32 = 97;
/// Digits after the point that a value at one of them is cut off after.
const DIGITS: u32 = 12;

fn range_of(input: &InputRef) -> Option<Range> {
    input.input.range().or_else(|| tried(input))
}

fn value(input: &InputRef, part: u32) -> Option<(usize, Exact)> {
    let value = value_at(range_of(input)?, part, PARTS, input.bounds().whole)?;
    Some((input.index, value))
}

fn figures(scenario: &Scenario) -> Vec<Figure> {
    let of_class = scenario.workloads.first().map(|class| Figure::CostPerOutput(class.id.clone()));
    [Figure::Total, Figure::PresentValue, Figure::EquivalentAnnualCost].into_iter().chain(of_class).collect()
}

/// A scenario prepared for moving any of its inputs.
fn prepared(scenario: &Scenario, figure: &Figure) -> Prepared {
    let inputs = scenario.inputs();
    Prepared::new(scenario, inputs.iter().filter_map(|input| Some((input.index, range_of(input)?))), DIGITS, figure)
}

/// Says where the two differ; `scratch` is the scenario, and is left as it was.
fn difference(
    prepared: &mut Prepared,
    scratch: &mut Scenario,
    mut values: Vec<(usize, Exact)>,
    figure: &Figure,
) -> Option<String> {
    values.sort_unstable_by_key(|(index, _)| *index);
    values.dedup_by_key(|(index, _)| *index);
    let all: Vec<usize> = (0..scratch.placements.len()).collect();
    let tried = values.clone();
    scratch.exchange_values(&mut values);
    let (found, plain) = (prepared.standings(&tried, &all), standings(scratch, &all, figure));
    scratch.exchange_values(&mut values);
    (found != plain).then(|| format!("{figure:?} with {tried:?}: {found:?}, plainly {plain:?}"))
}

/// The same values, and then others by what was recorded for these, and these again by what was recorded for those.
fn difference_in_turn(scenario: &Scenario, [one, other]: [Vec<(usize, Exact)>; 2]) -> Option<String> {
    figures(scenario).iter().find_map(|figure| {
        let (mut prepared, mut scratch) = (prepared(scenario, figure), scenario.clone());
        [&one, &other, &one]
            .into_iter()
            .find_map(|values| difference(&mut prepared, &mut scratch, values.clone(), figure))
    })
}

#[test]
fn every_input_moved_alone_is_noticed() {
    for (name, scenario) in support::stored() {
        let mut prepared = prepared(&scenario, &Figure::PresentValue);
        let mut scratch = scenario.clone();
        for input in scenario.inputs() {
            let ends = [PARTS, 0].into_iter().filter_map(|part| value(&input, part));
            let Some(value) = ends.into_iter().find(|(_, value)| *value != input.input.value) else { continue };
            let differs = difference(&mut prepared, &mut scratch, vec![value], &Figure::PresentValue);
            assert_eq!(differs, None, "{name}: {}", input.path);
        }
    }
}

/// Mean, least and greatest of the draws of an uncertainty run are those of as many whole evaluations, to the minor unit.
#[test]
fn draws_add_up_to_whole_evaluations() {
    const DRAWS: u64 = 160;
    let mut compared = 0;
    for (name, scenario) in support::stored() {
        let question = Question { figure: Figure::PresentValue, against: None, draws: DRAWS, seed: 7 };
        let Ok(plan) = Uncertainty::new(&scenario, question) else { continue };
        let mut tally = plan.tally();
        Runner::new(&plan).draw(0..DRAWS, &mut tally);
        let all: Vec<usize> = (0..scenario.placements.len()).collect();
        let evaluated =
            |draw| standings(&plan.scenario(draw).expect("there is such a draw"), &all, &Figure::PresentValue);
        let evaluated: Vec<_> = (0..DRAWS).filter_map(|draw| evaluated(draw).ok()).collect();
        for of in plan.answer(&tally).placements {
            let figure = |standings: &Vec<Standing>| match standings[of.placement].figure {
                FigureValue::Money(money) => money.minor(),
                other => panic!("{name}: {other:?} is no amount"),
            };
            let figures: Vec<i128> = evaluated.iter().map(figure).collect();
            let mean = rounded_quotient(figures.iter().sum(), evaluated.len() as u64);
            let counted = (of.mean, of.figure.least(), of.figure.greatest());
            let expected = (Some(mean), figures.iter().min().copied(), figures.iter().max().copied());
            assert_eq!(counted, expected, "{name}, placement {}", of.placement);
            compared += figures.len();
        }
    }
    assert!(compared > 1_000, "only {compared} figures were compared");
}

/// Some inputs of a scenario, by their places among all, and the part of its range that each moves to.
fn points() -> impl Strategy<Value = Vec<(prop::sample::Index, u32)>> {
    let point = || (any::<prop::sample::Index>(), 0..=PARTS);
    prop_oneof![prop::collection::vec(point(), 1..4), prop::collection::vec(point(), 20..60)]
}

fn values(scenario: &Scenario, points: &[(prop::sample::Index, u32)]) -> Vec<(usize, Exact)> {
    let inputs = scenario.inputs();
    points.iter().filter_map(|(place, part)| value(&inputs[place.index(inputs.len())], *part)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_inputs_of_stored_scenarios_moved_together_agree(
        one in points(), other in points(), pick in any::<prop::sample::Index>(),
    ) {
        let stored = support::stored();
        let (_, scenario) = &stored[pick.index(stored.len())];
        let differs = difference_in_turn(scenario, [one, other].map(|points| values(scenario, &points)));
        prop_assert_eq!(differs, None);
    }

    /// As a tornado asks for the points of a bar, and an uncertainty run for draws: more of them than are computed side by side,
    /// and enough for another way to be worth recording.
    #[test]
    fn many_values_at_once_agree(
        points in points(), pick in any::<prop::sample::Index>(), step in 1..9_u32, sets in 1..30_u32,
    ) {
        let stored = support::stored();
        let (name, scenario) = &stored[pick.index(stored.len())];
        let all: Vec<usize> = (0..scenario.placements.len()).collect();
        let moved = |set: u32| -> Vec<(usize, Exact)> {
            let parts = points.iter().map(|(place, part)| (*place, (part + set * step) % (PARTS + 1)));
            let mut values = values(scenario, &parts.collect::<Vec<_>>());
            values.sort_unstable_by_key(|(index, _)| *index);
            values.dedup_by_key(|(index, _)| *index);
            values
        };
        let tried: Vec<Vec<(usize, Exact)>> = (0..sets).map(moved).collect();
        for figure in figures(scenario) {
            let found = prepared(scenario, &figure).standings_of_many(&tried, &all);
            for (values, found) in tried.iter().zip(found) {
                let mut plain = scenario.clone();
                plain.exchange_values(&mut values.clone());
                prop_assert_eq!(found, standings(&plain, &all, &figure), "{}: {:?} with {:?}", name, figure, values);
            }
        }
    }

    #[test]
    fn any_inputs_of_generated_scenarios_moved_together_agree(
        scenario in support::scenarios(), one in points(), other in points(),
    ) {
        let differs = difference_in_turn(&scenario, [one, other].map(|points| values(&scenario, &points)));
        prop_assert_eq!(differs, None);
    }
}
