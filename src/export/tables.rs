//! Results as tables of comma-separated values, a header first, for spreadsheets and scripts.
//!
//! Amounts stand to the minor unit without separators. No text that a spreadsheet would compute leaves here unguarded.
//! Nothing here computes a figure.

use std::borrow::Cow;

use crate::analysis::cases::Table;
use crate::analysis::diff::Comparison;
use crate::analysis::explain::{Explained, Measure, Value};
use crate::analysis::figure::is_money;
use crate::analysis::postings::{Book, Dimension, Group, Grouped, Pivot, PivotLine, Sum};
use crate::analysis::published;
use crate::analysis::spider::arc_elasticity;
use crate::analysis::tornado::Answer;
use crate::engine::{Evaluation, PlacementResult};
use crate::quantity::trace::Influence;
use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Category, Problem, Scenario, Severity};
use crate::show::{self, Figures};
use crate::words::Phrasing;

use super::json::figure;

mod drivers;
mod uncertainty;

pub use drivers::*;
pub use uncertainty::*;

/// Rows of cells as comma-separated values; lines end in CR LF, as RFC 4180 has it.
#[must_use]
pub fn csv(rows: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row.iter().map(|cell| guarded(cell).into_owned()));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// Rows of cells as a spreadsheet takes them from the clipboard: tabs between cells, one line a row.
#[must_use]
pub fn tsv(rows: &[Vec<String>]) -> String {
    let cell = |cell: &String| guarded(&cell.replace(['\t', '\r', '\n'], " ")).into_owned();
    rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t") + "\n").collect()
}

/// A cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe, a number stays.
fn guarded(cell: &str) -> Cow<'_, str> {
    let begins_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if begins_formula && !is_number(cell) { Cow::Owned(format!("'{cell}")) } else { Cow::Borrowed(cell) }
}

/// Whether it is a number as `show::plain` writes it.
fn is_number(cell: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = cell.strip_prefix('-').unwrap_or(cell);
    unsigned.split_once('.').map_or_else(|| digits(unsigned), |(whole, places)| digits(whole) && digits(places))
}

fn texts<const N: usize>(cells: [&str; N]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// One placement a row, with its figures and categories.
#[must_use]
pub fn evaluation(evaluation: &Evaluation) -> Vec<Vec<String>> {
    let digits = evaluation.currency.minor_digits;
    let money = |money: Money| show::plain(money.minor(), digits);
    let mut header = texts([
        "placement",
        "name",
        "kind",
        "cheapest",
        "meets_service",
        "total",
        "present_value",
        "equivalent_annual_cost",
        "fixed",
        "usage_driven",
        "provider",
        "retained",
        "unallocated",
        "delay_cost",
        "idle_commitment",
    ]);
    header.extend(Category::ALL.iter().map(|category| category.name().to_owned()));
    let row = |(place, placement): (usize, &PlacementResult)| {
        let mut row = texts([&placement.id, &placement.name, placement.kind]);
        row.push((evaluation.cheapest == Some(place)).to_string());
        row.push(placement.meets_service.to_string());
        let amounts = [
            placement.totals.total,
            placement.totals.present_value,
            placement.equivalent_annual_cost,
            placement.fixed,
            placement.usage_driven,
            placement.provider,
            placement.retained,
            placement.unallocated,
            placement.exposures.delay_cost,
            placement.exposures.idle_commitment,
        ];
        row.extend(amounts.map(money));
        row.extend(placement.by_category.iter().map(|of| money(of.amounts.total)));
        row
    };
    std::iter::once(header).chain(evaluation.placements.iter().enumerate().map(row)).collect()
}

/// The postings of a figure, and then the inputs it rests on.
#[must_use]
pub fn explanation(explained: &Explained) -> Vec<Vec<String>> {
    let Explained { explainer, explanation, .. } = explained;
    let ledger = &explainer.result().ledger;
    let money = |money: Money| show::plain(money.minor(), explainer.minor_digits());
    let value = match explanation.value {
        Value::Money(amount) => money(amount),
        Value::Number(number) => super::json::number(number).unwrap_or_default(),
        Value::None => String::new(),
    };
    let phrasing = Phrasing { inputs: explainer.inputs(), ledger, figures: Figures::default() };
    let words = explanation.formula.as_ref().map(|formula| phrasing.wording(formula).words).unwrap_or_default();
    let mut rows = vec![
        texts(["figure", "value", "formula"]),
        vec![explained.title.clone(), value, words],
        Vec::new(),
        texts(["environment", "line", "category", "month", "behaviour", "amount", "present_value"]),
    ];
    for part in &explanation.lines {
        let line = &ledger.lines[part.line];
        for posting in part.postings.iter().map(|place| &ledger.postings[*place]) {
            let mut row = texts([line.environment.as_deref().unwrap_or_default(), &line.id, line.category.name()]);
            row.extend([posting.month.to_string(), posting.behaviour.name().to_owned()]);
            row.extend([money(posting.amount), money(posting.present_value)]);
            rows.push(row);
        }
    }
    rows.push(Vec::new());
    rows.push(texts(["input", "label", "value", "unit", "influence", "evidence", "source"]));
    for reason in &explanation.rests_on {
        let input = &reason.input;
        let influence = if reason.influence == Influence::Gradual { "Gradual" } else { "InSteps" };
        rows.push(vec![
            input.path.clone(),
            input.full_label(),
            input.input.value.to_string(),
            input.unit.clone(),
            influence.to_owned(),
            input.input.evidence_kind().name().to_owned(),
            input.input.evidence().map(|evidence| evidence.source.clone()).unwrap_or_default(),
        ]);
    }
    rows
}

/// One posting a row, with its placement where there are several.
#[must_use]
pub fn ledger(evaluation: &Evaluation, book: &Book, rows: &[u32], with_placement: bool) -> Vec<Vec<String>> {
    let mut header = if with_placement { texts(["placement"]) } else { Vec::new() };
    header.extend(texts([
        "month",
        "environment",
        "line",
        "label",
        "category",
        "behaviour",
        "boundary",
        "timing",
        "amount",
        "present_value",
    ]));
    let row = |row: &u32| {
        let entry = book.entry(*row);
        let result = evaluation.placements.get(entry.placement)?;
        let posting = result.ledger.postings.get(entry.posting)?;
        let line = result.ledger.lines.get(posting.line as usize)?;
        let mut row = if with_placement { texts([&result.id]) } else { Vec::new() };
        row.push(posting.month.to_string());
        row.extend(texts([
            line.environment.as_deref().unwrap_or_default(),
            &line.id,
            &line.label,
            line.category.name(),
            posting.behaviour.name(),
            line.boundary.name(),
            posting.timing.label(),
        ]));
        let money = |money: Money| show::plain(money.minor(), evaluation.currency.minor_digits);
        row.extend([posting.amount, posting.present_value].map(money));
        Some(row)
    };
    std::iter::once(header).chain(rows.iter().filter_map(row)).collect()
}

/// One posting a row with what it is called in every dimension, for the clipboard.
#[must_use]
pub fn postings(book: &Book, rows: &[u32], currency: Currency) -> Vec<Vec<String>> {
    let mut header = labels(Dimension::ALL);
    header.extend(Measure::ALL.map(|measure| measure.heading().to_owned()));
    let row = |row: &u32| {
        let entry = book.entry(*row);
        let label = |dimension: &Dimension| book.label(*dimension, entry.key(*dimension)).to_owned();
        let mut row: Vec<String> = Dimension::ALL.iter().map(label).collect();
        row.extend(
            Measure::ALL.map(|measure| show::plain(measure.of_sum(entry.amounts).minor(), currency.minor_digits)),
        );
        row
    };
    std::iter::once(header).chain(rows.iter().map(row)).collect()
}

fn labels(dimensions: &[Dimension]) -> Vec<String> {
    dimensions.iter().map(|dimension| dimension.label().to_owned()).collect()
}

/// One innermost group a row. Subtotals are left out, so that a column adds up to the total.
#[must_use]
pub fn grouped(book: &Book, grouped: &Grouped, currency: Currency) -> Vec<Vec<String>> {
    let mut header: Vec<String> = grouped.by.iter().map(|dimension| dimension.name().to_owned()).collect();
    header.extend(texts(["postings", "total", "present_value"]));
    let mut rows = vec![header];
    innermost(book, &grouped.by, &grouped.groups, &mut Vec::new(), currency, &mut rows);
    rows
}

fn innermost(
    book: &Book,
    by: &[Dimension],
    groups: &[Group],
    above: &mut Vec<String>,
    currency: Currency,
    rows: &mut Vec<Vec<String>>,
) {
    let Some((&dimension, others)) = by.split_first() else { return };
    for group in groups {
        above.push(book.values(dimension).get(group.key).map(|value| value.name.clone()).unwrap_or_default());
        if others.is_empty() {
            let mut row = above.clone();
            row.extend(summed(group.sum, currency));
            rows.push(row);
        }
        innermost(book, others, &group.inner, above, currency, rows);
        above.pop();
    }
}

fn summed(sum: Sum, currency: Currency) -> [String; 3] {
    let money = |measure: Measure| show::plain(measure.of_sum(sum.amounts).minor(), currency.minor_digits);
    [sum.postings.to_string(), money(Measure::Total), money(Measure::PresentValue)]
}

/// A pivot as it is seen, totals on both sides. A cell without a posting is empty, which is not zero.
#[must_use]
pub fn pivot(book: &Book, pivot: &Pivot, measure: Measure, currency: Currency) -> Vec<Vec<String>> {
    let money = |sum: Sum| show::plain(measure.of_sum(sum.amounts).minor(), currency.minor_digits);
    let label = |dimension: Dimension, key: usize| book.label(dimension, key).to_owned();
    let mut header = labels(&pivot.down);
    header.extend(pivot.columns.iter().map(|column| label(pivot.across, *column)));
    header.push("Total".into());
    let line = |line: &PivotLine| {
        let keys = pivot.down.iter().zip(&line.keys).map(|(dimension, key)| label(*dimension, *key));
        let cells = line.cells.iter().map(|cell| cell.map(money).unwrap_or_default());
        keys.chain(cells).chain([money(line.total)]).collect()
    };
    let mut total = vec!["Total".to_owned()];
    total.resize(pivot.down.len().max(1), String::new());
    total.extend(pivot.totals.iter().copied().chain([pivot.sum]).map(money));
    std::iter::once(header).chain(pivot.lines.iter().map(line)).chain([total]).collect()
}

/// One bar a row.
#[must_use]
pub fn tornado(answer: &Answer) -> Vec<Vec<String>> {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let mut header = texts(["path", "label", "unit", "range", "evidence", "low", "high"]);
    header.extend((1..=5).map(|point| format!("input_{point}")));
    header.extend((1..=5).map(|point| format!("result_{point}")));
    header.extend(texts([
        "least",
        "greatest",
        "swing",
        "non_monotonic",
        "changes_preferred",
        "switch_over",
        "arc_elasticity",
    ]));
    let rows = answer.bars.iter().map(|bar| {
        let value = |value: crate::quantity::Exact| value.decimal().normalize().to_string();
        let mut row = texts([&bar.path, &bar.label, &bar.unit, bar.range.name(), bar.evidence.name()]);
        row.extend([bar.low, bar.high].map(value));
        row.extend(bar.inputs.iter().map(|input| value(*input)));
        row.extend(bar.results.iter().map(|result| figure(*result, digits)));
        row.extend([bar.least, bar.greatest, bar.swing].map(|result| figure(result, digits)));
        row.extend([bar.non_monotonic.to_string(), bar.changes_preferred.to_string()]);
        row.push(bar.switch_over().map(value).collect::<Vec<_>>().join(" "));
        row.push(arc_elasticity(bar).map(|of| figure(of, None)).unwrap_or_default());
        row
    });
    std::iter::once(header).chain(rows).collect()
}

/// One placement in one case a row.
#[must_use]
pub fn cases(table: &Table, currency: Currency) -> Vec<Vec<String>> {
    let money = |money: Money| show::plain(money.minor(), currency.minor_digits);
    let mut rows = vec![texts(["case", "case_name", "placement", "figure", "meets_service", "cheapest", "regret"])];
    for row in &table.rows {
        let (id, name) = row.variant.case.as_ref().map_or(("", "Base"), |case| (&case.id, &case.name));
        for (place, (cell, placement)) in row.cells.iter().zip(&row.variant.scenario.placements).enumerate() {
            let mut cells = texts([id, name, &placement.id]);
            cells.push(money(cell.figure));
            cells.push(cell.meets_service.to_string());
            cells.push((row.cheapest == Some(place)).to_string());
            cells.push(cell.regret.map(money).unwrap_or_default());
            rows.push(cells);
        }
    }
    rows
}

/// One difference a row, with what it moves in each placement.
#[must_use]
pub fn diff(first: &Scenario, comparison: &Comparison, currency: Currency) -> Vec<Vec<String>> {
    let mut header = texts(["path", "label", "kind", "before", "after"]);
    header.extend(first.placements.iter().map(|placement| placement.id.clone()));
    header.push("not_alone".into());
    let rows = comparison.differences.iter().map(|effect| {
        let difference = &effect.difference;
        let mut row = texts([&difference.path, &difference.label, difference.kind.name()]);
        row.push(difference.before.clone().unwrap_or_default());
        row.push(difference.after.clone().unwrap_or_default());
        let money = |money: Option<Money>| {
            money.map(|money| show::plain(money.minor(), currency.minor_digits)).unwrap_or_default()
        };
        match &effect.moves {
            Ok(moves) => {
                row.extend(moves.iter().map(|moved| money(*moved)));
                row.push(String::new());
            }
            Err(problem) => {
                row.extend(first.placements.iter().map(|_| String::new()));
                row.push(problem.message.clone());
            }
        }
        row
    });
    std::iter::once(header).chain(rows).collect()
}

/// One published figure a row.
#[must_use]
pub fn published(cases: &[published::Case]) -> Vec<Vec<String>> {
    let header = texts([
        "case",
        "title",
        "source",
        "figure",
        "unit",
        "published",
        "computed",
        "difference",
        "verdict",
        "why",
        "convention",
    ]);
    let plain = |value: Num| value.decimal().map(|value| value.normalize().to_string()).unwrap_or_default();
    let rows = cases.iter().flat_map(|case| {
        case.rows.iter().map(move |row| {
            let mut cells = texts([case.id, case.title, case.source, &row.label, row.unit, row.published]);
            cells.extend([plain(row.computed), plain(row.difference())]);
            cells.extend(texts([row.verdict().name(), row.why().unwrap_or_default(), case.convention]));
            cells
        })
    });
    std::iter::once(header).chain(rows).collect()
}

/// One problem a row.
#[must_use]
pub fn problems(problems: &[Problem]) -> Vec<Vec<String>> {
    let header = texts(["severity", "line", "column", "path", "message"]);
    let rows = problems.iter().map(|problem| {
        let at = |number: Option<usize>| number.map(|number| number.to_string()).unwrap_or_default();
        let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
        vec![
            severity.into(),
            at(problem.position.map(|position| position.line)),
            at(problem.position.map(|position| position.column)),
            problem.path.clone(),
            problem.message.clone(),
        ]
    });
    std::iter::once(header).chain(rows).collect()
}
