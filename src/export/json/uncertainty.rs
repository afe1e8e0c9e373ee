//! What is not known for certain, as JSON with stable names.
//!
//! Nothing here computes a figure.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::analysis::figure::figure_name;
use crate::analysis::uncertainty::{Answer, Example, OfDifference, OfPlacement, OfVariable, PERCENTILES};
use crate::scenario::Scenario;

use super::{Amount, exact};

/// Digits of a correlation.
const CORRELATION_DIGITS: usize = 6;

/// Percentiles, who is cheapest how often, and what measuring would be worth.
#[must_use]
pub fn uncertainty(scenario: &Scenario, answer: &Answer) -> Value {
    let id = |place: usize| scenario.placements.get(place).map(|placement| placement.id.as_str());
    let money = Amount { currency: answer.currency };
    let mut object = json!({
        "figure": figure_name(&answer.question.figure),
        "currency": answer.currency.code,
        "draws": answer.question.draws,
        "seed": answer.question.seed,
        "computed": answer.done,
        "undecided": answer.undecided,
        "held": answer.held,
        "against": answer.question.against.and_then(id),
        "decided_by": figure_name(&crate::engine::Figure::deciding(scenario.decision_figure)),
        "chosen": answer.chosen.and_then(id),
        "perfect_information": answer.perfect_information.map(|worth| money.of(worth)),
        "placements": answer.placements.iter().map(|of| placement(answer, of, id(of.placement))).collect::<Vec<_>>(),
        "inputs": answer.variables.iter().map(|of| variable(scenario, answer, of)).collect::<Vec<_>>(),
    });
    if let (Some(object), true) = (object.as_object_mut(), 0 < answer.failed) {
        let refused = answer
            .refused
            .iter()
            .map(|(draw, refused)| json!({"draw": draw + 1, "path": refused.path, "message": refused.message}));
        object.insert("failed".into(), answer.failed.into());
        object.insert("first_failed".into(), refused.collect());
    }
    object
}

/// A figure in units of its last digit.
fn units(answer: &Answer, units: Option<i128>) -> Option<String> {
    let decimal = Decimal::try_from_i128_with_scale(units?, answer.digits).ok()?;
    let is_money = answer.digits == answer.currency.minor_digits;
    Some(if is_money { super::figure(decimal, Some(answer.digits)) } else { exact(decimal) })
}

fn share(part: u64, of: u64) -> Option<String> {
    Decimal::from(part).checked_div(Decimal::from(of)).map(exact)
}

fn placement(answer: &Answer, of: &OfPlacement, id: Option<&str>) -> Value {
    let money = Amount { currency: answer.currency };
    let examples: Map<String, Value> = of
        .examples
        .iter()
        .map(|(example, draw)| {
            let name = match example {
                Example::Near(percentile) => percentile.to_string(),
                Example::Worst => "greatest_regret".into(),
            };
            (name, json!(draw + 1))
        })
        .collect();
    json!({
        "id": id,
        "mean": units(answer, of.mean),
        "deviation": units(answer, of.deviation),
        "least": units(answer, of.figure.least()),
        "percentiles": percentiles(answer, &of.percentiles),
        "greatest": units(answer, of.figure.greatest()),
        "without_figure": of.without_figure,
        "cheapest_share": share(of.cheapest, answer.done),
        "served_share": share(answer.done.saturating_sub(of.unserved), answer.done),
        "expected_regret": of.expected_regret.map(|regret| money.of(regret)),
        "greatest_regret": of.greatest_regret.map(|regret| money.of(regret)),
        "examples": examples,
        "difference": answer.differences.get(of.placement).map(|of| difference(answer, of)),
    })
}

/// A placement less the one asked for.
fn difference(answer: &Answer, of: &OfDifference) -> Value {
    json!({
        "less_share": share(of.less, of.figure.count()),
        "mean": units(answer, of.mean),
        "least": units(answer, of.figure.least()),
        "percentiles": percentiles(answer, &of.percentiles),
        "greatest": units(answer, of.figure.greatest()),
    })
}

fn percentiles(answer: &Answer, values: &[Option<i128>]) -> Map<String, Value> {
    let all = PERCENTILES.iter().zip(values);
    all.map(|(percentile, value)| (percentile.to_string(), json!(units(answer, *value)))).collect()
}

fn variable(scenario: &Scenario, answer: &Answer, of: &OfVariable) -> Value {
    let money = Amount { currency: answer.currency };
    let by_placement = |correlations: &[Option<f64>]| -> Map<String, Value> {
        let all = scenario.placements.iter().zip(correlations);
        all.map(|(placement, of)| (placement.id.clone(), json!(of.map(correlation)))).collect()
    };
    json!({
        "path": of.path,
        "label": of.label,
        "unit": of.unit,
        "low": exact(of.low.decimal()),
        "high": exact(of.high.decimal()),
        "distribution": of.distribution.map(|distribution| distribution.name()),
        "evidence": of.evidence.name(),
        "owner": of.owner,
        "review_by": of.review_by,
        "worth": of.worth.map(|worth| money.of(worth)),
        "correlations": by_placement(&of.correlations),
        "correlations_of_differences": by_placement(&of.correlations_of_differences),
        "bounded": of.bounded,
    })
}

/// As text, so that it is the same wherever it is written.
fn correlation(of: f64) -> String {
    let text = format!("{of:.CORRELATION_DIGITS$}");
    text.strip_prefix('-')
        .filter(|digits| digits.bytes().all(|byte| byte == b'0' || byte == b'.'))
        .map_or_else(|| text.clone(), str::to_owned)
}
