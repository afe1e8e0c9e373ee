//! Published figures, row by row: which there are, what they come to, and how each stands to what was printed.
//!
//! `published/figures.csv` is a copy of the figures that others have printed, in their order, with what this program
//! computes to two digits more than printed. It is complete where its cases are those of the list and each row of the
//! list has its line; a formula that changes misses its digits, whatever tolerance the row has.

use std::collections::BTreeMap;

use outlay::analysis::published::{Case, Expected, Row, Verdict, cases, counts};
use outlay::show;
use rust_decimal::Decimal;

const FIGURES: &str = include_str!("published/figures.csv");

struct Figure {
    case: String,
    label: String,
    published: String,
    computed: Decimal,
    verdict: String,
}

fn figures() -> Vec<Figure> {
    let mut reader = csv::Reader::from_reader(FIGURES.as_bytes());
    let rows = reader.records().map(|row| {
        let row = row.expect("a row");
        Figure {
            case: row[0].into(),
            label: row[1].into(),
            published: row[2].into(),
            computed: row[3].parse().expect("a number"),
            verdict: row[4].into(),
        }
    });
    rows.collect()
}

fn listed(cases: &[Case]) -> Vec<(&'static str, &Row)> {
    cases.iter().flat_map(|case| case.rows.iter().map(|row| (case.id, row))).collect()
}

#[test]
fn every_published_figure_is_listed_and_computed() {
    let (cases, figures) = (cases(), figures());
    let listed = listed(&cases);
    for (figure, (case, row)) in figures.iter().zip(&listed) {
        let place = format!("{case}: {}", row.label);
        assert_eq!((figure.case.as_str(), figure.label.as_str()), (*case, row.label.as_str()));
        assert_eq!(figure.published, row.published, "{place}");
        let printed = row.published_value().decimal().expect("a printed number");
        let computed = row.computed.decimal().unwrap_or_else(|| panic!("{place} has no figure"));
        assert_eq!(show::round(computed, printed.scale() + 2), figure.computed, "{place}");
        assert_eq!(row.verdict().name(), figure.verdict, "{place}");
    }
    assert_eq!(listed.len(), figures.len());
}

/// A tolerance that is not needed would hide a change.
#[test]
fn each_row_stands_as_it_is_expected_to_and_says_why() {
    for (case, row) in listed(&cases()) {
        let place = format!("{case}: {}", row.label);
        let expected = match row.expected {
            Expected::Equal => Verdict::Equal,
            Expected::Within { .. } => Verdict::Within,
            Expected::Apart { .. } => Verdict::Explained,
        };
        assert_eq!(row.verdict(), expected, "{place}: {} against {:?}", row.published, row.computed);
        assert!(row.why().is_none_or(|why| why.ends_with('.')), "{place} explains itself in a sentence");
    }
}

/// The nine sections of the collection, and how many figures each prints.
#[test]
fn no_section_loses_a_figure() {
    let cases = cases();
    let sections: BTreeMap<&str, usize> = cases.iter().map(|case| (case.id, case.rows.len())).collect();
    let expected = [
        ("break-even", 8),
        ("campus", 9),
        ("capacity", 6),
        ("cash-loan", 20),
        ("commitments", 8),
        ("fixed-charge", 3),
        ("lighting", 23),
        ("primitives", 38),
        ("tiers", 12),
    ];
    assert_eq!(sections, BTreeMap::from(expected));
    let [equal, within, explained, unexplained] = counts(&cases).map(|(_, count)| count);
    assert_eq!(unexplained, 0);
    assert_eq!(equal + within + explained, figures().len());
    for case in &cases {
        assert!(!case.convention.is_empty() && !case.source.is_empty(), "{} says what it hides", case.id);
    }
}

/// Where no tolerance is stated, a figure that moves by one in its last printed digit is noticed; where one is, by its
/// digits in `figures.csv`.
#[test]
fn a_figure_that_moves_is_noticed() {
    for (case, row) in listed(&cases()) {
        let printed = row.published_value().decimal().expect("a printed number");
        let last_digit = outlay::quantity::Num::from(Decimal::new(1, printed.scale()));
        let moved = Row { computed: row.computed + last_digit, ..row.clone() };
        let is_tolerated = matches!(row.expected, Expected::Within { .. });
        assert!(is_tolerated || moved.verdict() != row.verdict(), "{case}: {}", row.label);
    }
}
