//! Results as tables of comma-separated values, a header first, for spreadsheets and scripts.
//!
//! Amounts stand to the minor unit without separators. Nothing here computes a figure.

use crate::analysis::cases::Table;
use crate::analysis::diff::Comparison;
use crate::analysis::figure::is_money;
use crate::analysis::tornado::Answer;
use crate::engine::{Evaluation, Ledger, PlacementResult};
use crate::quantity::{Currency, Money};
use crate::scenario::{Category, Problem, Scenario, Severity};
use crate::show;

use super::json::figure;

/// Rows of cells as comma-separated values; lines end in CR LF, as RFC 4180 has it.
#[must_use]
pub fn csv(rows: &[Vec<String>]) -> String {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).flexible(true).from_writer(Vec::new());
    for row in rows {
        // Writing to memory does not fail.
        let _ = writer.write_record(row);
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
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

/// One posting a row.
#[must_use]
pub fn ledger(ledger: &Ledger, currency: Currency) -> Vec<Vec<String>> {
    let header = texts([
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
    ]);
    let row = |posting: &crate::engine::Posting| {
        let line = ledger.lines.get(posting.line as usize)?;
        let money = |money: Money| show::plain(money.minor(), currency.minor_digits);
        let mut row = vec![posting.month.to_string()];
        row.extend(texts([
            line.environment.as_deref().unwrap_or_default(),
            &line.id,
            &line.label,
            line.category.name(),
            posting.behaviour.name(),
            line.boundary.name(),
            posting.timing.label(),
        ]));
        row.extend([posting.amount, posting.present_value].map(money));
        Some(row)
    };
    std::iter::once(header).chain(ledger.postings.iter().filter_map(row)).collect()
}

/// One bar a row.
#[must_use]
pub fn tornado(answer: &Answer) -> Vec<Vec<String>> {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let mut header = texts(["path", "label", "unit", "range", "evidence", "low", "high"]);
    header.extend((1..=5).map(|point| format!("input_{point}")));
    header.extend((1..=5).map(|point| format!("result_{point}")));
    header.extend(texts(["least", "greatest", "swing", "non_monotonic", "changes_preferred", "switch_over"]));
    let rows = answer.bars.iter().map(|bar| {
        let value = |value: crate::quantity::Exact| value.decimal().normalize().to_string();
        let mut row = texts([&bar.path, &bar.label, &bar.unit, bar.range.name(), bar.evidence.name()]);
        row.extend([bar.low, bar.high].map(value));
        row.extend(bar.inputs.iter().map(|input| value(*input)));
        row.extend(bar.results.iter().map(|result| figure(*result, digits)));
        row.extend([bar.least, bar.greatest, bar.swing].map(|result| figure(result, digits)));
        row.extend([bar.non_monotonic.to_string(), bar.changes_preferred.to_string()]);
        row.push(bar.switch_over().map(value).collect::<Vec<_>>().join(" "));
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
