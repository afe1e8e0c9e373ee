//! The charts of amounts by month: cost added up, and what leaving would cost.
//!
//! Crossings come from the analysis; amounts are those of the results.

use super::bars::by_placement;
use super::declared::Subject;
use super::{Body, Chart, Crossing, Line, Lines, Value};
use crate::analysis::cumulative::{cumulative, months_under};
use crate::analysis::explain::Measure;
use crate::engine::PlacementResult;
use crate::quantity::Money;
use crate::show::letter;

pub(super) fn cumulative_cost(subject: &Subject<'_>) -> Chart {
    let horizon = subject.evaluation.horizon_months;
    let series: Vec<Vec<Money>> =
        subject.placements().map(|(_, result)| cumulative(result, horizon, Measure::Total)).collect();
    let months = months(subject);
    let (crossings, notes) = crossings(subject, &series, &months);
    let scope = format!("{}, by month from {}", subject.code(), subject.scenario.start);
    let mut chart = chart(subject, "Cumulative cost", scope, &series, (months, "By the end of"), true);
    chart.twin.notes = notes;
    if let Body::Lines(lines) = &mut chart.body {
        lines.crossings = crossings;
        lines.behind = behind(subject);
    }
    if subject.base.is_some() {
        chart.scope += ", dotted: base";
    }
    chart
}

pub(super) fn cash_to_leave(subject: &Subject<'_>) -> Chart {
    let series: Vec<Vec<Money>> =
        subject.placements().map(|(_, result)| result.exposures.cash_to_leave.clone()).collect();
    let scope = format!("{}, leaving after each month from {}", subject.code(), subject.scenario.start);
    chart(subject, "Cash to leave", scope, &series, (months(subject), "Leaving after"), false)
}

pub(super) fn write_off(subject: &Subject<'_>) -> Chart {
    let series: Vec<Vec<Money>> = subject.placements().map(|(_, result)| result.exposures.write_off.clone()).collect();
    let scope = format!("{}, paid for and not used after each month from {}", subject.code(), subject.scenario.start);
    chart(subject, "Write-off on leaving", scope, &series, (months(subject), "Leaving after"), false)
}

/// The same of the base, placement by placement.
fn behind(subject: &Subject<'_>) -> Vec<(usize, Vec<(f64, f64)>)> {
    let Some(base) = subject.base else { return Vec::new() };
    let line = |(placement, result): (usize, &PlacementResult)| {
        let values = cumulative(result, base.horizon_months, Measure::Total);
        let at_end = values.iter().enumerate().map(|(month, money)| (end_of(month), subject.pixels(*money)));
        (placement, std::iter::once((0.0, 0.0)).chain(at_end).collect())
    };
    base.placements.iter().enumerate().map(line).collect()
}

/// `month 28, 2029-05`, from month 0.
fn months(subject: &Subject<'_>) -> Vec<String> {
    let start = subject.start();
    let named = |month: u32| match start {
        Some(start) => format!("month {month}, {}", start.plus(month)),
        None => format!("month {month}"),
    };
    (0..subject.evaluation.horizon_months).map(named).collect()
}

fn chart(
    subject: &Subject<'_>,
    title: &str,
    scope: String,
    series: &[Vec<Money>],
    (months, when): (Vec<String>, &'static str),
    from_nothing: bool,
) -> Chart {
    let line = |(placement, values): (usize, &Vec<Money>)| {
        let origin = from_nothing.then_some((0.0, 0.0));
        let at_end = values.iter().enumerate().map(|(month, money)| (end_of(month), subject.pixels(*money)));
        Line {
            placement,
            name: subject.named(placement),
            points: origin.into_iter().chain(at_end).collect(),
            exact: values.iter().map(|money| subject.exact(*money)).collect(),
            end_text: values.last().map_or_else(String::new, |money| subject.brief(*money)),
            is_heavy: subject.is_heavy(placement),
        }
    };
    let start = subject.start();
    let row = |month: usize| {
        let number = u32::try_from(month).unwrap_or(u32::MAX);
        let calendar = start.map_or_else(String::new, |start| start.plus(number).to_string());
        let first = [Value::words(number.to_string()), Value::words(calendar)];
        let amounts = series.iter().map(|values| values.get(month).map_or(Value::None, |money| Value::Money(*money)));
        first.into_iter().chain(amounts).collect()
    };
    let rows = (0..months.len()).map(row).collect();
    let lines = series.iter().enumerate().map(line).collect();
    Chart {
        title: title.to_owned(),
        scope,
        body: Body::Lines(Lines { lines, behind: Vec::new(), crossings: Vec::new(), months, when }),
        key: Vec::new(),
        twin: by_placement(subject, &["Month", "Calendar"], rows),
    }
}

/// The end of a month stands at its number and one, since month 0 is the first.
#[expect(clippy::cast_precision_loss, reason = "at most some hundred months")]
fn end_of(month: usize) -> f64 {
    month as f64 + 1.0
}

/// Where each placement falls below the reference or rises above it, and the same in sentences. The last of each is
/// written out, unless it is undone in the end.
fn crossings(subject: &Subject<'_>, series: &[Vec<Money>], months: &[String]) -> (Vec<Crossing>, Vec<String>) {
    let (mut found, mut notes) = (Vec::new(), Vec::new());
    let Some(reference) = series.get(subject.reference) else { return (found, notes) };
    for (placement, own) in series.iter().enumerate().filter(|(placement, _)| *placement != subject.reference) {
        let falls = months_under(own, reference).into_iter().map(|month| (month, placement, subject.reference));
        let rises = months_under(reference, own).into_iter().map(|month| (month, subject.reference, placement));
        let mut of_pair: Vec<(u32, usize, usize)> = falls.chain(rises).collect();
        of_pair.sort_unstable();
        let last = of_pair.last().copied();
        for (month, under, over) in of_pair {
            let (Some(text), Some(amount)) = (months.get(month as usize), own.get(month as usize)) else { continue };
            let at = (end_of(month as usize), subject.pixels(*amount));
            let title = format!("{} below {}", letter(under), letter(over));
            notes.push(format!("{} falls below {} in {text}.", subject.named(under), subject.named(over)));
            let is_told = last == Some((month, under, over));
            found.push(Crossing { placement: under, at, title, text: text.clone(), is_told });
        }
    }
    (found, notes)
}
