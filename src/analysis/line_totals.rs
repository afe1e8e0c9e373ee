//! What each line of an environment or of a placement itself comes to over the horizon.
//!
//! Nothing here knows why a line posts what it does.

use crate::engine::{Behaviour, Line, PlacementResult};
use crate::quantity::Money;

/// One line with the sums of its postings.
#[derive(Clone, Copy, Debug)]
pub struct LineTotal<'a> {
    pub line: &'a Line,
    pub fixed: Money,
    pub usage_driven: Money,
}

impl LineTotal<'_> {
    #[must_use]
    pub fn total(&self) -> Money {
        let mut total = self.fixed;
        total += self.usage_driven;
        total
    }

    /// Fixed, usage-driven, both, or neither where nothing is posted.
    #[must_use]
    pub fn behaviour(&self) -> &'static str {
        match (self.fixed == Money::ZERO, self.usage_driven == Money::ZERO) {
            (true, true) => "–",
            (false, true) => "Fixed",
            (true, false) => "Usage",
            (false, false) => "Both",
        }
    }
}

/// The lines of an environment, or with none those of the placement itself, in the order of the ledger.
#[must_use]
pub fn line_totals<'a>(placement: &'a PlacementResult, environment: Option<&str>) -> Vec<LineTotal<'a>> {
    let lines = placement.ledger.lines.iter();
    let mut totals: Vec<LineTotal<'a>> =
        lines.map(|line| LineTotal { line, fixed: Money::ZERO, usage_driven: Money::ZERO }).collect();
    for posting in &placement.ledger.postings {
        let Some(total) = totals.get_mut(posting.line as usize) else { continue };
        match posting.behaviour {
            Behaviour::Fixed => total.fixed += posting.amount,
            Behaviour::UsageDriven => total.usage_driven += posting.amount,
        }
    }
    totals.retain(|total| total.line.environment.as_deref() == environment);
    totals
}
