//! What explanations claim: they are read off the computation itself, and name just the inputs that matter.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use outlay::analysis::explain::{Explainer, Formula, Measure, Subject, Value, figures};
use outlay::engine::{Ledger, Posting, evaluate, traced};
use outlay::quantity::trace::Influence;
use outlay::quantity::{Currency, Exact, Money};
use outlay::scenario::{InputRef, Scenario};
use proptest::prelude::*;

mod support;

/// The postings of each line, by environment and id.
type ByLine = BTreeMap<(Option<String>, String, &'static str), Vec<(u32, u8, Money, Money)>>;

fn by_line(ledger: &Ledger) -> ByLine {
    let mut lines = ByLine::new();
    for posting in &ledger.postings {
        let line = &ledger.lines[posting.line as usize];
        let key = (line.environment.clone(), line.id.clone(), line.category.name());
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
    let found = formula.expression.value();
    if found != formula.value && !(found.is_broken() && formula.value.is_broken()) {
        wrong.push(format!("{:?} is {:?}, its formula comes to {found:?}", formula.name, formula.value));
    }
    let mut next = Vec::new();
    formula.expression.each_named(&mut |_, number| next.push(number));
    for reason in &formula.because {
        reason.each_named(&mut |_, number| next.push(number));
    }
    for number in next {
        if explainer.place(number).is_none_or(|place| seen.insert(place)) {
            recompute(explainer, &explainer.formula(number), seen, wrong);
        }
    }
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// For any scenario and every figure in its result.
    #[test]
    fn the_numbers_of_any_explanation_recompute_its_figure(scenario in support::scenarios()) {
        let wrong = recomputes(&scenario);
        prop_assert!(wrong.is_empty(), "{} wrong, the first: {:#?}", wrong.len(), &wrong[..wrong.len().min(8)]);
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

fn lines_that_change(scenario: &Scenario, place: usize, base: &ByLine, input: &InputRef) -> BTreeSet<String> {
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
                changed.insert(format!("{line:?}"));
            }
        }
    }
    changed
}

#[test]
fn exactly_those_lines_change_whose_explanation_names_the_input() {
    let mut wrong = Vec::new();
    for (name, scenario) in support::stored() {
        if let Ok(only) = std::env::var("ONLY") && !name.contains(&only) { continue; }
        for place in 0..scenario.placements.len() {
            let found = traced(&scenario, place).expect(&name);
            let base = by_line(&found.result.ledger);
            let mut names: BTreeMap<String, BTreeMap<usize, Influence>> = BTreeMap::new();
            for posting in found.result.ledger.postings.iter().chain(&found.result.ledger.zeros) {
                let line = &found.result.ledger.lines[posting.line as usize];
                let key = format!("{:?}", (line.environment.clone(), line.id.clone(), line.category.name()));
                let numbers = [posting.amount, posting.present_value].map(|amount| found.trace.number(amount));
                let known = names.entry(key).or_default();
                for (input, influence) in found.trace.rests_on(numbers) {
                    known.entry(input).and_modify(|known| *known = influence.min(*known)).or_insert(influence);
                }
            }
            for input in &found.inputs {
                let changed = lines_that_change(&scenario, place, &base, input);
                for line in base.keys().map(|line| format!("{line:?}")) {
                    match (names[&line].get(&input.index), changed.contains(&line)) {
                        (Some(Influence::Gradual), false) => wrong.push(format!("{name} {place}: {line} names {} but does not change", input.path)),
                        (None, true) => wrong.push(format!("{name} {place}: {line} changes with {} but does not name it", input.path)),
                        _ => {}
                    }
                }
            }
        }
    }
    for w in &wrong { println!("{w}"); }
    assert!(wrong.is_empty(), "{}", wrong.len());
}
