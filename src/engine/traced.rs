//! One placement evaluated with everything remembered that led to its figures.
//!
//! Nothing here knows a formula: it is the same evaluation, with inputs that leave a trace.

use crate::input::{Decl, Field, Input, Segment, VisitorMut};
use crate::quantity::trace::{Trace, recorded};
use crate::scenario::{InputRef, ROOT, Scenario};

use super::evaluate::evaluate_placement;
use super::{Failure, PlacementResult};

/// The figures of a placement, each with its past.
pub struct Traced {
    /// Equal to what [`super::evaluate`] says of the placement; its numbers can be looked up in the trace.
    pub result: PlacementResult,
    pub trace: Trace,
    /// Every input of the scenario, by its place in the walk, as the trace names it.
    pub inputs: Vec<InputRef>,
}

/// Evaluates one placement, by its place in the scenario, with a trace.
///
/// # Errors
/// As [`super::evaluate`]; and where there is no such placement.
pub fn traced(scenario: &Scenario, placement: usize) -> Result<Traced, Failure> {
    let marked = marked(scenario, |_| true);
    let (result, trace) = recorded(|| evaluate_placement(&marked, placement));
    Ok(Traced { result: result?, trace, inputs: scenario.inputs() })
}

/// A copy of a scenario in which those inputs know their places in the walk that are to leave a trace.
pub(super) fn marked(scenario: &Scenario, leaves_trace: impl Fn(usize) -> bool) -> Scenario {
    let mut marked = scenario.clone();
    marked.walk_mut(&ROOT, &mut Marker { next: 0, leaves_trace });
    marked
}

/// Gives inputs their places in the walk.
struct Marker<F> {
    next: usize,
    leaves_trace: F,
}

impl<F: Fn(usize) -> bool> VisitorMut for Marker<F> {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &mut Input) {
        if (self.leaves_trace)(self.next) {
            input.trace(self.next);
        }
        self.next += 1;
    }
}
