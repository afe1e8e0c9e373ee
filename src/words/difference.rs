//! A difference between two scenarios in words: what stands on each side, part by part.
//!
//! Nothing here knows how scenarios are compared, or what a difference moves.

use crate::input::Evidence;
use crate::quantity::Exact;
use crate::scenario::diff::Read;
use crate::scenario::{InputRef, problem};

/// One part of what differs at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Which part of an input it is, with a blank after it; empty for its value, and for what is no input.
    pub name: &'static str,
    /// What stands on each side; `–` where nothing does.
    pub before: String,
    pub after: String,
    /// What the numbers count; empty for words.
    pub unit: String,
}

impl Part {
    /// `range 8 to 10 → 8 to 12 USD a node`
    #[must_use]
    pub fn line(&self) -> String {
        let Self { name, before, after, unit } = self;
        format!("{name}{before} → {after} {unit}").trim_end().to_owned()
    }
}

const NOTHING: &str = "–";

/// The parts that differ, the value first. `exact` writes a number to its last digit.
#[must_use]
pub fn parts(read: &Read, exact: &dyn Fn(Exact) -> String) -> Vec<Part> {
    match read {
        Read::Words(before, after) => {
            let side =
                |words: &Option<String>| words.as_ref().map_or_else(|| NOTHING.into(), |words| problem::clipped(words));
            vec![Part { name: "", before: side(before), after: side(after), unit: String::new() }]
        }
        Read::Input(before, after) => of_input(before.as_deref(), after.as_deref(), exact),
    }
}

fn of_input(before: Option<&InputRef>, after: Option<&InputRef>, exact: &dyn Fn(Exact) -> String) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut part = |name: &'static str, of: &dyn Fn(&InputRef) -> String, unit: &str| {
        let side = |input: Option<&InputRef>| input.map_or_else(|| NOTHING.into(), of);
        let (before, after) = (side(before), side(after));
        if before != after {
            parts.push(Part { name, before, after, unit: unit.to_owned() });
        }
    };
    let unit = after.or(before).map_or("", |input| input.unit.as_str());
    part("", &|input| exact(input.input.value), unit);
    let range = |input: &InputRef| match input.input.range() {
        Some(range) => format!("{} to {}", exact(range.low), exact(range.high)),
        None => "none".into(),
    };
    let is_ranged = |input: Option<&InputRef>| input.is_some_and(|input| input.input.range().is_some());
    if is_ranged(before) || is_ranged(after) {
        part("range ", &range, unit);
        part("distribution ", &|input| input.input.distribution().label().into(), "");
    }
    let known = |input: &InputRef, of: fn(&Evidence) -> String| {
        Some(input.input.evidence().map(of).unwrap_or_default()).filter(|text| !text.is_empty())
    };
    let mut evidence = |name: &'static str, of: fn(&Evidence) -> String| {
        part(name, &|input| known(input, of).map_or_else(|| "none".into(), |text| problem::clipped(&text)), "");
    };
    if before.and_then(|input| input.input.evidence()).or(after.and_then(|input| input.input.evidence())).is_some() {
        evidence("evidence ", |evidence| evidence.kind.label().into());
        evidence("source ", |evidence| evidence.source.clone());
        evidence("owner ", |evidence| evidence.owner.clone());
        evidence("confidence ", |evidence| evidence.confidence.map_or_else(String::new, |of| of.label().into()));
        evidence("as of ", |evidence| evidence.as_of.clone().unwrap_or_default());
        evidence("review by ", |evidence| evidence.review_by.clone().unwrap_or_default());
    }
    parts
}
