//! What explanations claim: they are read off the computation itself, and name just the inputs that matter.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use outlay::analysis::explain::{Explainer, Formula, Measure, Selection, Subject, Value, figures};
use outlay::engine::{Ledger, Line, Posting, evaluate, traced};
use outlay::quantity::trace::Influence;
use outlay::quantity::{Currency, Exact, Money, Num};
use outlay::scenario::{InputRef, Scenario};
use proptest::prelude::*;

mod support;

/// A line by its environment, id and category.
type LineKey = (Option<String>, String, &'static str);
/// The postings of each line.
type ByLine = BTreeMap<LineKey, Vec<(u32, u8, Money, Money)>>;

fn key_of(line: &Line) -> LineKey {
    (line.environment.clone(), line.id.clone(), line.category.name())
}

fn by_line(ledger: &Ledger) -> ByLine {
    let mut lines = ByLine::new();
    for posting in &ledger.postings {
        let line = &ledger.lines[posting.line as usize];
        let key = key_of(line);
        let Posting { month, behaviour, amount, present_value, .. } = *posting;
        lines.entry(key).or_default().push((month, behaviour as u8, amount, present_value));
    }
    lines
}

#[test]
fn a_traced_evaluation_equals_a_plain_one() {
    for (name, scenario) in support::stored() {
        let plain = evaluate(&scenario).expect(&name);
        for (place, placement) in plain.placements.iter().enumerate() {
            let mut found = traced(&scenario, place).expect(&name).result;
            found.ledger.zeros.clear();
            assert_eq!(&found, placement, "{name}");
        }
    }
}

/// Recomputes a number from the numbers that stand in its formula, and those from theirs, down to the inputs.
fn recompute(explainer: &Explainer, formula: &Formula, seen: &mut HashSet<usize>, wrong: &mut Vec<String>) {
    // One after another: what a late month rests on can lead back through all the months before.
    let mut open = named_in(formula, wrong);
    while let Some(number) = open.pop() {
        if explainer.place(number).is_none_or(|place| seen.insert(place)) {
            open.extend(named_in(&explainer.formula(number), wrong));
        }
    }
}

/// Holds a formula to its figure, and says which named numbers stand in it.
fn named_in(formula: &Formula, wrong: &mut Vec<String>) -> Vec<Num> {
    let found = formula.expression.value();
    if found != formula.value && !(found.is_broken() && formula.value.is_broken()) {
        wrong.push(format!("{:?} is {:?}, its formula comes to {found:?}", formula.name, formula.value));
    }
    let mut named = Vec::new();
    formula.expression.each_named(&mut |_, number| named.push(number));
    for reason in &formula.because {
        reason.each_named(&mut |_, number| named.push(number));
    }
    named
}

fn recomputes(scenario: &Scenario) -> Vec<String> {
    let mut wrong = Vec::new();
    for place in 0..scenario.placements.len() {
        let Ok(explainer) = Explainer::new(scenario, place) else { continue };
        let mut seen = HashSet::new();
        let currency = Currency::find(&scenario.currency).expect("a currency");
        let ledger = &explainer.result().ledger;
        for (posting, known) in ledger.postings.iter().enumerate() {
            for measure in [Measure::Total, Measure::PresentValue] {
                let Some(formula) = explainer.posting(posting, measure) else {
                    wrong.push(format!("posting {posting} has no formula"));
                    continue;
                };
                assert_eq!(formula.value, measure.of(known).num(currency.minor_digits));
                recompute(&explainer, &formula, &mut seen, &mut wrong);
            }
        }
        for figure in figures(explainer.result()) {
            let explanation = explainer.explain(&Subject::Figure(figure.path.clone())).expect(&figure.path);
            let of_lines: Money = explanation.lines.iter().map(|line| line.amount).sum();
            let of_years: Money = explanation.lines.iter().flat_map(|line| &line.by_year).map(|(_, _, sum)| *sum).sum();
            match (&explanation.formula, figure.value) {
                (Some(formula), Value::Money(money)) => {
                    if formula.value != money.num(currency.minor_digits) {
                        wrong.push(format!("{} is not what its formula explains", figure.path));
                    }
                    recompute(&explainer, formula, &mut seen, &mut wrong);
                }
                (Some(formula), Value::Number(number)) => {
                    if formula.value != number {
                        wrong.push(format!("{} is not what its formula explains", figure.path));
                    }
                    recompute(&explainer, formula, &mut seen, &mut wrong);
                }
                (None, Value::Money(money)) => {
                    if of_lines != money || of_years != money {
                        wrong.push(format!("{} is not the sum of its postings", figure.path));
                    }
                }
                // What no input could change has no past.
                (None, Value::Number(_) | Value::None) | (Some(_), Value::None) => {}
            }
        }
    }
    wrong
}

#[test]
fn the_numbers_of_every_explanation_recompute_its_figure() {
    for (name, scenario) in support::stored() {
        let wrong = recomputes(&scenario);
        assert!(wrong.is_empty(), "{name}: {} wrong, the first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
    }
}

/// The paths of the numbers of a result, with ids in place of positions.
fn numbers(value: &serde_json::Value, path: &str, found: &mut BTreeSet<String>) {
    use serde_json::Value;
    let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => {
            for (name, field) in fields.iter().filter(|(name, _)| *name != "id") {
                numbers(field, &join(name), found);
            }
        }
        Value::Array(elements) => {
            for (place, element) in elements.iter().enumerate() {
                let id = element.get("id").and_then(Value::as_str).map_or_else(|| place.to_string(), str::to_owned);
                numbers(element, &join(&id), found);
            }
        }
        Value::Number(_) => {
            found.insert(path.to_owned());
        }
        Value::String(text) if text.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit()) => {
            found.insert(path.to_owned());
        }
        Value::String(_) | Value::Bool(_) | Value::Null => {}
    }
}

#[test]
fn every_number_of_a_result_can_be_asked_about() {
    for (name, scenario) in support::stored() {
        let evaluation = evaluate(&scenario).expect(&name);
        let answer = outlay::export::json::evaluation(&scenario, &evaluation);
        for (place, placement) in evaluation.placements.iter().enumerate() {
            let mut wanted = BTreeSet::new();
            numbers(&answer["placements"][place], "", &mut wanted);
            let known: BTreeSet<String> = figures(placement).into_iter().map(|figure| figure.path).collect();
            let missing: Vec<&String> = wanted.difference(&known).collect();
            assert!(missing.is_empty(), "{name}: {missing:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// For any scenario and every figure in its result.
    #[test]
    fn the_numbers_of_any_explanation_recompute_its_figure(scenario in support::scenarios()) {
        let wrong = recomputes(&scenario);
        prop_assert!(wrong.is_empty(), "{} wrong, the first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
        for place in 0..scenario.placements.len() {
            let explainer = Explainer::new(&scenario, place).expect("the same evaluation");
            for ((_, id, _), influences) in named_inputs(&explainer) {
                prop_assert!(!influences.is_empty(), "{} rests on nothing", id);
            }
        }
        let plain = evaluate(&scenario).expect("a scenario that was read has figures");
        for (place, placement) in plain.placements.iter().enumerate() {
            let mut found = traced(&scenario, place).expect("the same evaluation").result;
            found.ledger.zeros.clear();
            prop_assert_eq!(&found, placement);
        }
    }
}

/// Values to which an input is moved: near and far, where its bounds accept them.
fn moves(input: &InputRef) -> Vec<Exact> {
    let value = input.input.value;
    let texts = |value: Exact| -> Vec<String> {
        let value = value.decimal();
        let factor = |text: &str| value * rust_decimal::Decimal::from_str_exact(text).expect("a factor");
        let mut texts: Vec<String> = ["0.5", "0.9", "1.1", "2", "10", "0.1", "0.01", "100", "1000", "0"]
            .iter()
            .map(|text| factor(text).round_dp(6).normalize().to_string())
            .collect();
        for step in ["0.01", "0.3", "1", "3", "7", "40", "1000"] {
            let step = rust_decimal::Decimal::from_str_exact(step).expect("a step");
            texts.push((value + step).normalize().to_string());
            texts.push((value - step).normalize().to_string());
        }
        texts
    };
    let mut found: Vec<Exact> = texts(value).iter().filter_map(|text| Exact::parse(text).ok()).collect();
    found.retain(|moved| *moved != value && input.bounds().accept(*moved));
    found
}

fn lines_that_change(scenario: &Scenario, place: usize, base: &ByLine, input: &InputRef) -> BTreeSet<LineKey> {
    let mut changed = BTreeSet::new();
    for moved in moves(input) {
        let mut other = scenario.clone();
        other.set_nth(input.index, moved);
        if !outlay::scenario::validate::errors(&other).is_empty() {
            continue;
        }
        let Ok(result) = outlay::engine::evaluate::evaluate_placement(&other, place) else { continue };
        let after = by_line(&result.ledger);
        for (line, postings) in base {
            if after.get(line) != Some(postings) {
                changed.insert(line.clone());
            }
        }
    }
    changed
}

/// What each line that posts rests on.
fn named_inputs(explainer: &Explainer) -> BTreeMap<LineKey, BTreeMap<usize, Influence>> {
    let ledger = &explainer.result().ledger;
    let mut named: BTreeMap<LineKey, BTreeMap<usize, Influence>> = BTreeMap::new();
    let posting: BTreeSet<usize> = ledger.postings.iter().map(|posting| posting.line as usize).collect();
    for place in posting {
        let influences = named.entry(key_of(&ledger.lines[place])).or_default();
        for measure in [Measure::Total, Measure::PresentValue] {
            let subject = Subject::Postings(Selection { place: Some(place), ..Selection::default() }, measure);
            let explanation = explainer.explain(&subject).expect("a selection can always be explained");
            for reason in explanation.rests_on {
                let known = influences.entry(reason.input.index).or_insert(reason.influence);
                *known = reason.influence.min(*known);
            }
        }
    }
    named
}

/// Where lines and explanations disagree.
#[derive(Default)]
struct Disagreement {
    /// Lines that change with an input they do not name.
    unnamed: Vec<String>,
    /// Lines that do not change with an input that they say moves them.
    unmoved: Vec<String>,
    pairs: usize,
}

/// Moves every input, for one placement of a scenario.
fn disagreement(name: &str, scenario: &Scenario, place: usize) -> Disagreement {
    let mut found = Disagreement::default();
    let explainer = Explainer::new(scenario, place).expect(name);
    let base = by_line(&explainer.result().ledger);
    let named = named_inputs(&explainer);
    for input in explainer.inputs() {
        let changed = lines_that_change(scenario, place, &base, input);
        for line in base.keys() {
            found.pairs += 1;
            let what = || format!("{name}, placement {place}: {line:?} and {}", input.path);
            match (named[line].get(&input.index), changed.contains(line)) {
                (None, true) => found.unnamed.push(what()),
                (Some(Influence::Gradual), false) => found.unmoved.push(what()),
                _ => {}
            }
        }
    }
    found
}

#[test]
fn exactly_those_lines_change_whose_explanation_names_the_input() {
    let scenarios: Vec<(String, Scenario)> =
        support::stored().into_iter().filter(|(name, _)| name.ends_with(".json")).collect();
    let jobs: Vec<(usize, usize)> = (0..scenarios.len())
        .flat_map(|scenario| (0..scenarios[scenario].1.placements.len()).map(move |place| (scenario, place)))
        .collect();
    let found = outlay::cli::parallel::in_parallel(
        &jobs,
        || (),
        |(), (scenario, place)| {
            let (name, scenario) = &scenarios[*scenario];
            disagreement(name, scenario, *place)
        },
    );
    let checked: usize = found.iter().map(|found| found.pairs).sum();
    let unnamed: Vec<&String> = found.iter().flat_map(|found| &found.unnamed).collect();
    let mut unmoved: Vec<&String> = found.iter().flat_map(|found| &found.unmoved).collect();
    assert!(checked > 10_000, "only {checked} pairs of a line and an input");
    assert!(unnamed.is_empty(), "change with what they do not name: {unnamed:#?}");
    // What is taken away as it is added moves nothing: the runs of a class divided by what they need, or the hours of a
    // cloud less those of them that a commitment covers. The formula names them for all that.
    let cancels = |what: &&String| CANCELLING.iter().any(|(line, input)| what.contains(line) && what.contains(input));
    unmoved.retain(|what| !cancels(what));
    assert!(unmoved.is_empty(), "do not change with what they say moves them: {unmoved:#?}");
}

/// Lines in whose formula an input stands twice and cancels.
const CANCELLING: [(&str, &str); 5] = [
    ("\"platform\"", "growth"),
    ("\"spot\"", "workloads.research."),
    ("\"cpu\"", "workloads.assistant.demand.gpus_per_replica"),
    ("\"cpu\"", "workloads.research.growth"),
    ("\"cpu\"", "environments.owned-base.capacity."),
];
