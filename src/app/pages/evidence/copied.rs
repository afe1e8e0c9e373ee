//! The register as a table for other programs: every column, in full, with the path that names each input.
//!
//! It writes no file and touches no clipboard.

use super::super::OUT_OF_DATE;
use super::list::swing_text;
use crate::analysis::register::Gap;
use crate::app::command::Command;
use crate::app::fields::Fields;
use crate::app::worths::Worths;
use crate::export::tables;
use crate::input::Confidence;
use crate::scenario::InputRef;

const HEADINGS: [&str; 17] = [
    "Path",
    "Input",
    "Where",
    "Kind",
    "Value",
    "Unit",
    "Low",
    "High",
    "Distribution",
    "Source",
    "Owner",
    "Confidence",
    "As of",
    "Review by",
    "Open",
    "Swing",
    "Worth",
];

/// Puts the rows on the clipboard.
pub fn copy(inputs: &[&InputRef], worths: &Worths<'_>, fields: &Fields<'_>) -> Command {
    let count = inputs.len();
    let said = format!("Copied {count} input{}", if count == 1 { "" } else { "s" });
    Command::Copy(tables::tsv(&rows(inputs, worths, fields)), said)
}

/// Asks where to write them as comma-separated values.
pub fn export(inputs: &[&InputRef], worths: &Worths<'_>, fields: &Fields<'_>) -> Command {
    Command::ExportRegister(tables::csv(&rows(inputs, worths, fields)))
}

/// One input a row, under headings. Numbers are those of the file: a share is a part of one.
fn rows(inputs: &[&InputRef], worths: &Worths<'_>, fields: &Fields<'_>) -> Vec<Vec<String>> {
    let old = (!fields.swings.fresh && fields.swings.of_revision.is_some()).then_some(OUT_OF_DATE);
    let marked = |heading: &&str| match (*heading, old, worths.mark.as_deref()) {
        ("Swing", Some(mark), _) | ("Worth", _, Some(mark)) => format!("{heading} ({mark})"),
        _ => (*heading).to_owned(),
    };
    let head = HEADINGS.iter().map(marked).collect();
    std::iter::once(head).chain(inputs.iter().map(|input| row(input, worths, fields))).collect()
}

fn row(input: &InputRef, worths: &Worths<'_>, fields: &Fields<'_>) -> Vec<String> {
    let (range, evidence) = (input.input.range(), input.input.evidence());
    let open: Vec<&str> = Gap::ALL.into_iter().filter(|gap| gap.is_open(input, fields.today)).map(Gap::label).collect();
    let said = |text: Option<&str>| text.unwrap_or_default().to_owned();
    vec![
        input.path.clone(),
        input.label.clone(),
        input.place().unwrap_or("Scenario").to_owned(),
        if input.is_entered() { input.input.evidence_kind().label().to_owned() } else { "Default".to_owned() },
        input.input.value.to_string(),
        input.unit.clone(),
        range.map(|range| range.low.to_string()).unwrap_or_default(),
        range.map(|range| range.high.to_string()).unwrap_or_default(),
        range.map(|_| input.input.distribution().label().to_owned()).unwrap_or_default(),
        said(evidence.map(|evidence| evidence.source.as_str())),
        said(evidence.map(|evidence| evidence.owner.as_str())),
        said(evidence.and_then(|evidence| evidence.confidence).map(Confidence::label)),
        said(evidence.and_then(|evidence| evidence.as_of.as_deref())),
        said(evidence.and_then(|evidence| evidence.review_by.as_deref())),
        open.join(", "),
        swing_text(fields, input).unwrap_or_default(),
        worths.worth(input).map(|worth| worths.text(&worth)).unwrap_or_default(),
    ]
}
