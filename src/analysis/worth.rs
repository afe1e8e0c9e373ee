//! The register of evidence in the order of what measuring each input would be worth.
//!
//! Nothing is evaluated here; what knowing an input is worth is read from an answer over draws.

use crate::quantity::Money;
use crate::scenario::{InputRef, Scenario};

use super::uncertainty::Answer;

/// One input, and what knowing it would be worth.
#[derive(Clone, Debug)]
pub struct Entry {
    pub input: InputRef,
    /// The group with which it moves, by its id: knowing any of its inputs is worth what knowing all of them is.
    pub group: Option<String>,
    /// None where it is not drawn, or nothing can be chosen without knowing more.
    pub worth: Option<Money>,
}

/// Every input that states a range or evidence: what is worth most to measure first, then what is not known to be worth
/// anything, in the order of the file.
#[must_use]
pub fn by_worth(scenario: &Scenario, answer: &Answer) -> Vec<Entry> {
    let drawn = |path: &str| answer.variables.iter().find(|of| of.path == path);
    let entry = |input: InputRef| {
        let group = scenario.groups.iter().find(|group| group.inputs.contains(&input.path));
        let group = group.map(|group| group.id.clone()).filter(|_| input.input.range().is_some());
        let of = match &group {
            Some(id) => drawn(&format!("groups.{id}")),
            None => drawn(&input.path),
        };
        Entry { worth: of.and_then(|of| of.worth), group, input }
    };
    let is_listed = |input: &InputRef| input.input.range().is_some() || input.input.evidence().is_some();
    let mut entries: Vec<Entry> = scenario.inputs().into_iter().filter(is_listed).map(entry).collect();
    entries.sort_by(|a, b| b.worth.cmp(&a.worth).then_with(|| a.input.index.cmp(&b.input.index)));
    entries
}
