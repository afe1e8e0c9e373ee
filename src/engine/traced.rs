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
    let marked = Marked::new(scenario);
    let (result, trace) = recorded(|| evaluate_placement(&marked, placement));
    Ok(Traced { result: result?, trace, inputs: scenario.inputs() })
}

/// A scenario whose inputs know their places in the walk, so that it can be said where they are read.
#[derive(Clone, PartialEq, Debug)]
pub struct Marked(Scenario);

impl Marked {
    #[must_use]
    pub fn new(scenario: &Scenario) -> Self {
        let mut marked = scenario.clone();
        marked.walk_mut(&ROOT, &mut Marker { next: 0 });
        Self(marked)
    }

    /// A copy without the places, which costs less to compute with.
    #[must_use]
    pub fn plain(&self) -> Scenario {
        let mut plain = self.0.clone();
        plain.walk_mut(&ROOT, &mut Unmarker);
        plain
    }
}

impl std::ops::Deref for Marked {
    type Target = Scenario;

    fn deref(&self) -> &Scenario {
        &self.0
    }
}

/// Takes the places away again.
struct Unmarker;

impl VisitorMut for Unmarker {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &mut Input) {
        input.untrace();
    }
}

/// Gives each input its place in the walk.
struct Marker {
    next: usize,
}

impl VisitorMut for Marker {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &mut Input) {
        input.trace(self.next);
        self.next += 1;
    }
}
