//! The register of evidence: every input with what stands open about it.
//!
//! Nothing here knows what day it is, or how far an input moves a figure.

use crate::input::{Evidence, EvidenceKind};
use crate::scenario::InputRef;
use crate::scenario::calendar::Date;

/// What can stand open about an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// Its review date has passed.
    Overdue,
    /// It rests on an assumption; an input without evidence does (method, §3).
    Assumed,
    NoOwner,
    NoRange,
    NoSource,
}

impl Gap {
    /// Every gap, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Overdue, Self::Assumed, Self::NoOwner, Self::NoRange, Self::NoSource];

    /// What people read.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Overdue => "Overdue",
            Self::Assumed => "Assumed",
            Self::NoOwner => "No owner",
            Self::NoRange => "No range",
            Self::NoSource => "No source",
        }
    }

    /// Whether it stands open about this input. Without a day nothing is overdue. An input that nobody has entered is the
    /// declaration's own, and nothing is asked about it.
    #[must_use]
    pub fn is_open(self, input: &InputRef, today: Option<Date>) -> bool {
        let evidence = input.input.evidence();
        let is_open = match self {
            Self::Overdue => is_overdue(evidence, today),
            Self::Assumed => input.input.evidence_kind() == EvidenceKind::Assumed,
            Self::NoOwner => evidence.is_none_or(|evidence| evidence.owner.is_empty()),
            // The range of inputs that have none is no input that could have one.
            Self::NoRange => input.input.range().is_none() && input.path != "default_range",
            Self::NoSource => evidence.is_none_or(|evidence| evidence.source.is_empty()),
        };
        is_open && input.is_entered()
    }
}

/// Whether the date by which an input must be looked at again has passed: the day itself is still in time.
#[must_use]
pub fn is_overdue(evidence: Option<&Evidence>, today: Option<Date>) -> bool {
    let review = evidence.and_then(|evidence| evidence.review_by.as_deref()).and_then(Date::parse);
    review.zip(today).is_some_and(|(review, today)| review < today)
}

/// How many inputs have been entered, and about how many of them each gap stands open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub inputs: usize,
    pub entered: usize,
    open: [usize; Gap::ALL.len()],
}

impl Counts {
    #[must_use]
    pub fn of(inputs: &[InputRef], today: Option<Date>) -> Self {
        let count = |gap: Gap| inputs.iter().filter(|input| gap.is_open(input, today)).count();
        let entered = inputs.iter().filter(|input| input.is_entered()).count();
        Self { inputs: inputs.len(), entered, open: Gap::ALL.map(count) }
    }

    #[must_use]
    pub fn open(&self, gap: Gap) -> usize {
        Gap::ALL.iter().position(|of| *of == gap).map_or(0, |at| self.open[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Scenario, Syntax, read};

    /// The guide's example, with what a test says of its discount rate in its place.
    fn inputs(rate: &str) -> Vec<InputRef> {
        let text = include_str!("../../scenarios/guide-example.ron");
        let scenario: Scenario = read(text, Syntax::Ron).expect("the shipped scenario is read by a test").0;
        let mut json = crate::input::written(&scenario);
        json["discounting"]["rate"] = serde_json::from_str(rate).expect("the test writes JSON");
        let scenario: Scenario = serde_json::from_value(json).expect("the test writes an input");
        scenario.inputs()
    }

    fn gaps(rate: &str, today: Option<&str>) -> Vec<&'static str> {
        let inputs = inputs(rate);
        let input = inputs.iter().find(|input| input.path == "discounting.rate").expect("it is always there");
        let today = today.and_then(Date::parse);
        Gap::ALL.into_iter().filter(|gap| gap.is_open(input, today)).map(Gap::label).collect()
    }

    #[test]
    fn a_bare_number_has_every_gap_but_a_date_that_has_passed() {
        assert_eq!(gaps(r#""0.0817""#, Some("2026-11-30")), ["Assumed", "No owner", "No range", "No source"]);
    }

    #[test]
    fn what_is_said_closes_its_gap() {
        let said =
            |evidence: &str| format!(r#"{{"value":"0.08","low":"0.06","high":"0.1","evidence":{{{evidence}}}}}"#);
        let whole = said(r#""kind":"Quoted","source":"treasury","owner":"Finance","review_by":"2026-11-30""#);
        assert_eq!(gaps(&whole, Some("2026-11-30")), Vec::<&str>::new(), "the day itself is in time");
        assert_eq!(gaps(&whole, Some("2026-12-01")), ["Overdue"]);
        assert_eq!(gaps(&whole, None), Vec::<&str>::new(), "without a day nothing is overdue");
        assert_eq!(gaps(&said(r#""kind":"Assumed","source":"a guess","owner":"Finance""#), None), ["Assumed"]);
        assert_eq!(gaps(&said(r#""kind":"Quoted","source":"treasury""#), None), ["No owner"]);
        assert_eq!(gaps(&said(r#""kind":"Quoted","owner":"Finance""#), None), ["No source"]);
    }

    #[test]
    fn the_default_of_a_declaration_is_no_gap_and_counts_as_not_entered() {
        let inputs = inputs(r#""0.0817""#);
        let counts = Counts::of(&inputs, Date::parse("2030-01-01"));
        assert_eq!(counts.inputs, inputs.len());
        assert!(counts.entered < counts.inputs, "the example leaves most inputs at their default");
        for gap in Gap::ALL {
            let open = inputs.iter().filter(|input| gap.is_open(input, Date::parse("2030-01-01")));
            assert!(open.clone().all(InputRef::is_entered), "{gap:?}");
            assert_eq!(counts.open(gap), open.count());
        }
    }
}
