//! Inputs that move nothing: entered, but without effect on any figure of any placement.
//!
//! The search names its evaluations, and whoever asks runs them. Nothing here knows a formula, or why an input is idle.

use crate::engine::{Evaluation, evaluate};
use crate::input::Range;
use crate::quantity::Exact;
use crate::scenario::{InputRef, Scenario};

use super::range::range_of;

/// Either way, for inputs without a range and without a default one.
const SHARE: &str = "0.1";

/// An input that may be idle, and the ends between which it is tried.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub input: InputRef,
    pub range: Range,
}

/// The inputs that a person has entered, each with its range; inputs without one are tried a tenth either way, and zeros
/// are left alone.
#[must_use]
pub fn candidates(scenario: &Scenario) -> Vec<Candidate> {
    let share = scenario.default_range.as_ref().map(|input| input.value).or_else(|| Exact::parse(SHARE).ok());
    let inputs = scenario.inputs().into_iter().filter(is_entered);
    inputs.filter_map(|input| range_of(&input, share).map(|(range, _)| Candidate { input, range })).collect()
}

/// Whether no figure changes at either end. `base` are the figures of the scenario, which stands unchanged afterwards.
pub fn is_idle(scenario: &mut Scenario, base: &Evaluation, candidate: &Candidate) -> bool {
    let Candidate { input, range } = candidate;
    let idle = [range.low, range.high].into_iter().all(|value| {
        scenario.change_nth(input.index, |input| input.value = value);
        // What cannot be computed does move something.
        evaluate(scenario).is_ok_and(|evaluation| evaluation == *base)
    });
    scenario.change_nth(input.index, |changed| changed.value = input.input.value);
    idle
}

/// Whether the file says anything that the declaration does not; the setting for other ranges is not an input of a cost.
fn is_entered(input: &InputRef) -> bool {
    input.is_entered() && input.path != "default_range"
}

/// Every idle input, evaluation after evaluation.
#[must_use]
pub fn unmoved(scenario: &Scenario, base: &Evaluation) -> Vec<InputRef> {
    let mut scratch = scenario.clone();
    let candidates = candidates(scenario).into_iter();
    candidates.filter(|candidate| is_idle(&mut scratch, base, candidate)).map(|candidate| candidate.input).collect()
}
