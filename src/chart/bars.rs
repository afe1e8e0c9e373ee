//! The charts of totals: by category, by behaviour, by boundary.
//!
//! Each takes exact sums from the results; it adds nothing up.

use super::declared::Subject;
use super::{Body, Chart, Ink, KeyEntry, Stack, StackPart, Twin, Value};
use crate::analysis::compare;
use crate::engine::{Behaviour, PlacementResult};
use crate::quantity::Money;
use crate::scenario::Boundary;

/// One part of every bar: how it is drawn and called, and what it comes to; none where nothing is entered.
type Part<'p> = (Ink, &'static str, Box<dyn Fn(&PlacementResult) -> Option<Money> + 'p>);

pub(super) fn categories(subject: &Subject<'_>) -> Chart {
    let part = |(place, category): (usize, crate::scenario::Category)| -> Part<'_> {
        (Ink::Category(place), category.label(), Box::new(move |result| compare::amount(result, category)))
    };
    let parts: Vec<Part<'_>> = compare::stacked().enumerate().map(part).collect();
    let has_credits = subject.placements().any(|(_, result)| {
        compare::stacked().any(|category| compare::amount(result, category).is_some_and(|amount| amount < Money::ZERO))
    });
    let scope = if has_credits { ", upright: net of credits" } else { "" };
    let mut chart = chart(subject, "Total by category", &format!("{}{scope}", subject.code()), &parts);
    chart.key = families();
    chart
}

/// The families, whose colours are near each other.
fn families() -> Vec<KeyEntry> {
    let mut place = 0;
    let entry = |family: &compare::Family| {
        let inks = family.categories.iter().enumerate().map(|(i, _)| Ink::Category(place + i)).collect();
        place += family.categories.len();
        let names: Vec<&str> = family.categories.iter().map(|category| category.label()).collect();
        KeyEntry { inks, name: family.name.to_owned(), told: names.join(", ") }
    };
    compare::FAMILIES.iter().map(entry).collect()
}

fn single(parts: &[Part<'_>]) -> Vec<KeyEntry> {
    let entry =
        |(ink, name, _): &Part<'_>| KeyEntry { inks: vec![*ink], name: (*name).to_owned(), told: String::new() };
    parts.iter().map(entry).collect()
}

pub(super) fn split(subject: &Subject<'_>) -> Chart {
    let parts: [Part<'_>; 2] = [
        (Ink::Fixed, Behaviour::Fixed.label(), Box::new(|result| Some(result.fixed))),
        (Ink::Usage, Behaviour::UsageDriven.label(), Box::new(|result| Some(result.usage_driven))),
    ];
    Chart { key: single(&parts), ..chart(subject, "Fixed and usage-driven", subject.code(), &parts) }
}

pub(super) fn boundary(subject: &Subject<'_>) -> Chart {
    let parts: [Part<'_>; 2] = [
        (Ink::High, Boundary::Provider.label(), Box::new(|result| Some(result.provider))),
        (Ink::Low, Boundary::Retained.label(), Box::new(|result| Some(result.retained))),
    ];
    Chart { key: single(&parts), ..chart(subject, "Provider and retained", subject.code(), &parts) }
}

fn chart(subject: &Subject<'_>, title: &str, scope: &str, parts: &[Part<'_>]) -> Chart {
    let stack = |(placement, result): (usize, &PlacementResult)| Stack {
        placement,
        name: subject.named(placement),
        parts: parts
            .iter()
            .filter_map(|(ink, name, amount)| {
                let money = amount(result)?;
                let (amount, exact) = (subject.pixels(money), subject.exact(money));
                Some(StackPart { ink: *ink, name: (*name).to_owned(), amount, exact })
            })
            .collect(),
        total: subject.pixels(result.totals.total),
        total_text: subject.brief(result.totals.total),
        total_exact: subject.exact(result.totals.total),
    };
    Chart {
        title: title.to_owned(),
        scope: scope.to_owned(),
        body: Body::Stacks(subject.placements().map(stack).collect()),
        key: Vec::new(),
        twin: twin(subject, parts),
    }
}

/// One part a row, one placement a column, and the totals beneath.
fn twin(subject: &Subject<'_>, parts: &[Part<'_>]) -> Twin {
    let row = |name: &str, amount: &dyn Fn(&PlacementResult) -> Option<Money>| {
        let cell = |(_, result): (usize, &PlacementResult)| {
            amount(result).map_or_else(|| Value::words("not entered"), Value::Money)
        };
        std::iter::once(Value::words(name)).chain(subject.placements().map(cell)).collect::<Vec<Value>>()
    };
    let mut rows: Vec<Vec<Value>> = parts.iter().map(|(_, name, amount)| row(name, amount)).collect();
    rows.push(row("Total", &|result| Some(result.totals.total)));
    by_placement(subject, &["Part"], rows)
}

/// A table with one column for each placement after the first columns.
pub(super) fn by_placement(subject: &Subject<'_>, first: &[&str], rows: Vec<Vec<Value>>) -> Twin {
    let placements = subject.placements().map(|(place, _)| (subject.named(place), Some(place)));
    let columns = first.iter().map(|heading| ((*heading).to_owned(), None)).chain(placements);
    let (headings, badges) = columns.unzip();
    Twin { headings, badges, rows, notes: Vec::new(), marks: Vec::new() }
}
