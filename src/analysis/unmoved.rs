//! Inputs that move nothing: entered, but without effect on any placement.
//!
//! Nothing here knows a formula, or why an input is idle.

use crate::engine::{Figure, Standing, standings};
use crate::quantity::Exact;
use crate::scenario::{InputRef, Scenario};

use super::range::range_of;
use super::tornado::affected;

/// Either way, for inputs without a range and without a default one.
const SHARE: &str = "0.1";

/// The inputs that a person has entered and that move no placement's total, deciding figure or service from one end of
/// their range to the other; inputs without a range are moved by a tenth either way, and zeros are left alone.
#[must_use]
pub fn unmoved(scenario: &Scenario) -> Vec<InputRef> {
    let share = scenario.default_range.as_ref().map(|input| input.value).or_else(|| Exact::parse(SHARE).ok());
    let everyone: Vec<usize> = (0..scenario.placements.len()).collect();
    let Ok(base) = standings(scenario, &everyone, &Figure::Total) else { return Vec::new() };
    let mut scratch = scenario.clone();
    let mut idle = Vec::new();
    for input in scenario.inputs().into_iter().filter(is_entered) {
        let Some((range, _)) = range_of(&input, share) else { continue };
        let affects = affected(scenario, &input.path);
        let mut moves = false;
        for value in [range.low, range.high] {
            scratch.change_nth(input.index, |input| input.value = value);
            // What cannot be computed does move something.
            moves |= standings(&scratch, &affects, &Figure::Total).map_or(true, |standings| differ(&base, &standings));
        }
        scratch.change_nth(input.index, |changed| changed.value = input.input.value);
        if !moves {
            idle.push(input);
        }
    }
    idle
}

/// Whether the file says anything that the declaration does not; the setting for other ranges is not an input of a cost.
fn is_entered(input: &InputRef) -> bool {
    let is_default = input.input.detail.is_none() && input.input.value.to_string() == input.decl.default;
    !is_default && input.path != "default_range"
}

fn differ(base: &[Standing], moved: &[Standing]) -> bool {
    moved.iter().any(|moved| base.iter().all(|standing| standing != moved))
}
