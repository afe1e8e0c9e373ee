//! What drives a decision, as JSON with stable names.
//!
//! Nothing here computes a figure.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::analysis::base_size;
use crate::analysis::figure::{figure_name, is_money};
use crate::analysis::map::{self, Axis, Cell};
use crate::analysis::switch_over;
use crate::quantity::Exact;
use crate::scenario::{Problem, Scenario};

use super::{Amount, exact, figure, number};

fn id(scenario: &Scenario, place: usize) -> Option<&str> {
    scenario.placements.get(place).map(|placement| placement.id.as_str())
}

fn value(value: Exact) -> String {
    exact(value.decimal())
}

fn failure((at, problem): (String, &Problem)) -> Value {
    json!({"at": at, "path": problem.path, "message": problem.message})
}

/// Every crossing of two placements, and who costs less between them.
#[must_use]
pub fn switch_over(scenario: &Scenario, answer: &switch_over::Answer) -> Value {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let crossings = answer.crossings.iter().map(|crossing| {
        json!({
            "before": value(crossing.before),
            "at": value(crossing.at),
            "from": id(scenario, crossing.from),
            "to": id(scenario, crossing.to),
            "jump": crossing.is_jump,
            "difference_before": figure(crossing.difference[0], digits),
            "difference_at": figure(crossing.difference[1], digits),
        })
    });
    let unserved: Map<String, Value> = answer
        .question
        .between
        .iter()
        .zip(&answer.unserved)
        .filter(|(_, stretches)| !stretches.is_empty())
        .filter_map(|(place, stretches)| {
            let stretches = stretches.iter().map(|(from, to)| json!([value(*from), value(*to)]));
            Some((id(scenario, *place)?.to_owned(), stretches.collect()))
        })
        .collect();
    let mut object = json!({
        "path": answer.question.path,
        "label": answer.label,
        "unit": answer.unit,
        "between": answer.question.between.map(|place| id(scenario, place)),
        "figure": figure_name(&answer.question.figure),
        "currency": answer.currency.code,
        "range": answer.range.name(),
        "low": value(answer.low),
        "high": value(answer.high),
        "value": answer.base.0.map(value),
        "difference": figure(answer.base.1, digits),
        "cheaper_at_low": id(scenario, answer.at_low),
        "always": answer.always().and_then(|place| id(scenario, place)),
        "same": answer.is_same,
        "crossings": crossings.collect::<Vec<_>>(),
        "does_not_serve": unserved,
    });
    if let (Some(object), false) = (object.as_object_mut(), answer.failed.is_empty()) {
        let failed = answer.failed.iter().map(|(at, problem)| failure((value(*at), problem)));
        object.insert("failed".into(), failed.collect());
    }
    object
}

/// A figure over a grid of two inputs, row by row.
#[must_use]
pub fn map(scenario: &Scenario, answer: &map::Answer) -> Value {
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let axis = |axis: &Axis| {
        json!({
            "path": axis.path,
            "label": axis.label,
            "unit": axis.unit,
            "value": axis.base.map(value),
            "values": axis.values.iter().map(|of| value(*of)).collect::<Vec<_>>(),
        })
    };
    let placed = |place: Option<usize>| place.and_then(|place| id(scenario, place));
    let cell = |cell: &Cell| match &cell.failure {
        Some(problem) => json!({"path": problem.path, "message": problem.message}),
        None => {
            let figures: Map<String, Value> = scenario
                .placements
                .iter()
                .zip(&cell.figures)
                .map(|(placement, of)| (placement.id.clone(), json!(of.map(|of| figure(of, digits)))))
                .collect();
            json!({"preferred": placed(cell.preferred), "figures": figures})
        }
    };
    let borders = |borders: &Vec<map::Border>| {
        let border = |border: &map::Border| json!({"at": value(border.at), "from": placed(border.from), "to": placed(border.to)});
        borders.iter().map(border).collect::<Vec<_>>()
    };
    json!({
        "figure": figure_name(&answer.question.figure),
        "currency": answer.currency.code,
        "preferred_by": figure_name(&crate::engine::Figure::deciding(scenario.decision_figure)),
        "across": axis(&answer.across),
        "down": axis(&answer.down),
        "rows": answer.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>()).collect::<Vec<_>>(),
        "borders": answer.borders.iter().map(borders).collect::<Vec<_>>(),
        "always": placed(answer.always()),
        "never": answer.never().filter_map(|place| id(scenario, place)).collect::<Vec<_>>(),
    })
}

/// What a placement costs with every number of nodes.
#[must_use]
pub fn base_size(scenario: &Scenario, answer: &base_size::Answer) -> Value {
    let money = Amount { currency: answer.currency };
    let plain = |value: Decimal| exact(value);
    let points = answer.points.iter().enumerate().map(|(place, point)| {
        json!({
            "nodes": point.nodes,
            "figure": money.of(point.figure),
            "owned_fixed": money.of(point.owned_fixed),
            "owned_usage": money.of(point.owned_usage),
            "elsewhere": money.of(point.elsewhere),
            "occupied": number(point.occupied),
            "available": number(point.available),
            "share_above": answer.shares_above.get(place).copied().flatten().map(plain),
            "meets_service": point.serves,
            "least_share_served": number(point.least_share_served),
        })
    });
    let rule = answer.rule.as_ref().map(|rule| {
        json!({
            "nodes": rule.nodes,
            "owned_per_hour": plain(rule.owned_per_hour),
            "burst_per_hour": plain(rule.burst_per_hour),
            "threshold": plain(rule.threshold),
        })
    });
    json!({
        "placement": id(scenario, answer.question.placement),
        "environment": answer.question.environment,
        "figure": figure_name(&crate::engine::Figure::deciding(answer.decision_figure)),
        "currency": answer.currency.code,
        "own": answer.own,
        "cheapest": answer.cheapest.and_then(|place| answer.points.get(place)).map(|point| point.nodes),
        "rule": rule,
        "points": points.collect::<Vec<_>>(),
    })
}
