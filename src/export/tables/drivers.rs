//! What drives a decision, as tables.
//!
//! Nothing here computes a figure.

use crate::analysis::base_size;
use crate::analysis::figure::is_money;
use crate::analysis::map;
use crate::analysis::switch_over;
use crate::quantity::{Exact, Money};
use crate::scenario::Scenario;
use crate::show;

use super::super::json::{figure, number};
use super::texts;

fn value(value: Exact) -> String {
    value.decimal().normalize().to_string()
}

fn id(scenario: &Scenario, place: usize) -> String {
    scenario.placements.get(place).map(|placement| placement.id.clone()).unwrap_or_default()
}

/// Who costs less where: one stretch of the range a row, and how it ends.
#[must_use]
pub fn switch_over(scenario: &Scenario, answer: &switch_over::Answer) -> Vec<Vec<String>> {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let mut rows = vec![texts(["from", "to", "cheaper", "ends_with", "difference_before", "difference_at"])];
    let (mut from, mut cheaper) = (answer.low, answer.at_low);
    for crossing in &answer.crossings {
        let mut row = vec![value(from), value(crossing.before), id(scenario, cheaper)];
        row.push(if crossing.is_jump { "jump" } else { "crossing" }.to_owned());
        row.extend(crossing.difference.map(|difference| figure(difference, digits)));
        rows.push(row);
        (from, cheaper) = (crossing.at, crossing.to);
    }
    let cheaper = if answer.is_same { String::new() } else { id(scenario, cheaper) };
    rows.push(vec![value(from), value(answer.high), cheaper, "range".into(), String::new(), String::new()]);
    rows
}

/// One cell a row, with the figure of every placement.
#[must_use]
pub fn map(scenario: &Scenario, answer: &map::Answer) -> Vec<Vec<String>> {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let mut header = vec![answer.across.path.clone(), answer.down.path.clone(), "preferred".to_owned()];
    header.extend(scenario.placements.iter().map(|placement| placement.id.clone()));
    let mut rows = vec![header];
    for (down, cells) in answer.down.values.iter().zip(&answer.rows) {
        for (across, cell) in answer.across.values.iter().zip(cells) {
            let preferred = cell.preferred.map(|place| id(scenario, place)).unwrap_or_default();
            let mut row = vec![value(*across), value(*down), preferred];
            row.extend(cell.figures.iter().map(|of| of.map(|of| figure(of, digits)).unwrap_or_default()));
            rows.push(row);
        }
    }
    rows
}

/// One number of nodes a row.
#[must_use]
pub fn base_size(answer: &base_size::Answer) -> Vec<Vec<String>> {
    let money = |money: Money| show::plain(money.minor(), answer.currency.minor_digits);
    let mut rows = vec![texts([
        "nodes",
        "figure",
        "owned_fixed",
        "owned_usage",
        "elsewhere",
        "occupied",
        "available",
        "share_above",
        "meets_service",
        "cheapest",
        "rule",
    ])];
    for (place, point) in answer.points.iter().enumerate() {
        let mut row = vec![point.nodes.to_string()];
        row.extend([point.figure, point.owned_fixed, point.owned_usage, point.elsewhere].map(money));
        row.extend([point.occupied, point.available].map(|hours| number(hours).unwrap_or_default()));
        let share = answer.shares_above.get(place).copied().flatten();
        row.push(share.map(|share| figure(share, None)).unwrap_or_default());
        row.push(point.serves.to_string());
        row.push((answer.cheapest == Some(place)).to_string());
        row.push(answer.rule.as_ref().is_some_and(|rule| rule.nodes == point.nodes).to_string());
        rows.push(row);
    }
    rows
}
