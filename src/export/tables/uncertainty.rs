//! What is not known for certain, as tables.
//!
//! Nothing here computes a figure.

use serde_json::Value;

use crate::analysis::uncertainty::{Answer, PERCENTILES};
use crate::scenario::Scenario;

use super::super::json;
use super::texts;

/// One placement a row, and then one input a row, the one most worth measuring first.
#[must_use]
pub fn uncertainty(scenario: &Scenario, answer: &Answer) -> Vec<Vec<String>> {
    // The cells are those of the answer in JSON, so that there is one place that says what they are.
    let all = json::uncertainty(scenario, answer);
    let mut header = texts(["placement", "mean", "deviation", "least"]);
    header.extend(PERCENTILES.iter().map(|percentile| format!("percentile_{percentile}")));
    const OF_PLACEMENT: [&str; 5] =
        ["greatest", "cheapest_share", "served_share", "expected_regret", "greatest_regret"];
    header.extend(texts(OF_PLACEMENT));
    let mut rows = vec![header];
    for of in elements(&all["placements"]) {
        let mut row: Vec<String> = ["id", "mean", "deviation", "least"].iter().map(|name| cell(&of[*name])).collect();
        row.extend(PERCENTILES.iter().map(|percentile| cell(&of["percentiles"][percentile.to_string()])));
        row.extend(OF_PLACEMENT.iter().map(|name| cell(&of[*name])));
        rows.push(row);
    }
    rows.push(Vec::new());
    const OF_INPUT: [&str; 11] =
        ["path", "label", "unit", "low", "high", "distribution", "evidence", "owner", "review_by", "worth", "bounded"];
    let mut header = texts(OF_INPUT);
    header.extend(scenario.placements.iter().map(|placement| format!("correlation_{}", placement.id)));
    rows.push(header);
    for of in elements(&all["inputs"]) {
        let mut row: Vec<String> = OF_INPUT.iter().map(|name| cell(&of[*name])).collect();
        row.extend(scenario.placements.iter().map(|placement| cell(&of["correlations"][&placement.id])));
        rows.push(row);
    }
    rows
}

fn elements(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

fn cell(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
