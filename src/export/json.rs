//! Results as JSON, under stable names: money with the currency's minor unit and other numbers exactly, both as text.
//!
//! Nothing here computes a figure.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use crate::analysis::cases::Table;
use crate::analysis::diff::Comparison;
use crate::analysis::explain::{Explained, Formula, Measure, Value as Of};
use crate::analysis::figure::{figure_name, is_money};
use crate::analysis::postings::{Book, Dimension, Group, Grouped, Pivot, PivotLine, Sum};
use crate::analysis::published;
use crate::analysis::tornado::{Answer, Bar};
use crate::engine::{AfterTax, Amounts, EnvironmentResult, Evaluation, Exposures, PlacementResult, WorkloadResult};
use crate::input::{Field, FieldType, Kind, Shape, Types, VariantType};
use crate::quantity::trace::{Influence, Name};
use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Change, InputRef, Problem, Scenario};
use crate::show::{self, Figures};
use crate::words::{Phrasing, conventions};

mod drivers;
mod uncertainty;

pub use drivers::*;
pub use uncertainty::*;

/// A JSON value as text, with a last line break.
#[must_use]
pub fn text(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Every figure of a scenario.
#[must_use]
pub fn evaluation(scenario: &Scenario, evaluation: &Evaluation) -> Value {
    let money = Amount { currency: evaluation.currency };
    let cheapest =
        evaluation.cheapest.and_then(|place| evaluation.placements.get(place)).map(|placement| &placement.id);
    json!({
        "scenario": scenario.name,
        "currency": evaluation.currency.code,
        "horizon_months": evaluation.horizon_months,
        "cheapest": cheapest,
        "placements": evaluation.placements.iter().map(|placement| money.placement(placement)).collect::<Vec<_>>(),
    })
}

/// Money as text in one currency.
#[derive(Clone, Copy)]
struct Amount {
    currency: Currency,
}

impl Amount {
    fn of(self, money: Money) -> String {
        show::plain(money.minor(), self.currency.minor_digits)
    }

    fn list(self, amounts: &[Money]) -> Vec<String> {
        amounts.iter().map(|money| self.of(*money)).collect()
    }

    fn amounts(self, amounts: Amounts) -> Value {
        json!({ "total": self.of(amounts.total), "present_value": self.of(amounts.present_value) })
    }

    fn placement(self, placement: &PlacementResult) -> Value {
        let by_category: Map<String, Value> =
            placement.by_category.iter().map(|of| (of.category.name().to_owned(), self.amounts(of.amounts))).collect();
        json!({
            "id": placement.id,
            "kind": placement.kind,
            "total": self.of(placement.totals.total),
            "present_value": self.of(placement.totals.present_value),
            "equivalent_annual_cost": self.of(placement.equivalent_annual_cost),
            "fixed": self.of(placement.fixed),
            "usage_driven": self.of(placement.usage_driven),
            "provider": self.of(placement.provider),
            "retained": self.of(placement.retained),
            "meets_service": placement.meets_service,
            "by_category": by_category,
            "by_year": placement.by_year.iter().map(|year| self.amounts(*year)).collect::<Vec<_>>(),
            "environments": placement.environments.iter().map(|environment| self.environment(environment)).collect::<Vec<_>>(),
            "workloads": placement.workloads.iter().map(|workload| self.workload(workload)).collect::<Vec<_>>(),
            "unallocated": self.of(placement.unallocated),
            "exposures": self.exposures(&placement.exposures),
            "after_tax": placement.after_tax.as_ref().map(|after_tax| self.after_tax(after_tax)),
        })
    }

    fn environment(self, environment: &EnvironmentResult) -> Value {
        let hours = environment.gpu_hours;
        json!({
            "id": environment.id,
            "total": self.of(environment.amounts.total),
            "present_value": self.of(environment.amounts.present_value),
            "nodes": environment.nodes.iter().map(|nodes| nodes.as_count()).collect::<Vec<_>>(),
            "installed_gpus": environment.installed_gpus.as_count(),
            "baseline_equivalents": number(environment.baseline_equivalents),
            "needed_gpus": number(environment.needed_gpus),
            "gpu_hours": {
                "productive": number(hours.productive),
                "allocated": number(hours.allocated),
                "occupied": number(hours.occupied),
                "available": number(hours.available),
                "installed": number(hours.installed),
            },
        })
    }

    fn workload(self, workload: &WorkloadResult) -> Value {
        json!({
            "id": workload.id,
            "output": number(workload.output),
            "output_unit": workload.output_unit,
            "allocated_cost": self.of(workload.allocated.total),
            "cost_per_output": workload.cost_per_output.map(number),
            "levelised_cost_per_output": workload.levelised_cost_per_output.map(number),
            "unmet_share": number(workload.unmet_share),
            "delay_cost": self.of(workload.delay_cost),
        })
    }

    fn exposures(self, exposures: &Exposures) -> Value {
        json!({
            "delay_cost": self.of(exposures.delay_cost),
            "idle_commitment": self.of(exposures.idle_commitment),
            "cash_to_leave": self.list(&exposures.cash_to_leave),
            "write_off": self.list(&exposures.write_off),
        })
    }

    fn after_tax(self, after_tax: &AfterTax) -> Value {
        json!({
            "tax_relief": self.of(after_tax.tax_relief),
            "by_year": self.list(&after_tax.by_year),
            "total": self.of(after_tax.total),
            "present_value": self.of(after_tax.present_value),
        })
    }
}

/// A number exactly, without zeros at its end. None cannot be: a broken number ends an evaluation.
#[must_use]
pub fn number(value: Num) -> Option<String> {
    value.decimal().map(exact)
}

fn exact(value: Decimal) -> String {
    value.normalize().to_string()
}

/// Postings of one placement, or of several with the placement of each.
#[must_use]
pub fn ledger(evaluation: &Evaluation, placement: Option<&str>, book: &Book, rows: &[u32]) -> Value {
    let money = Amount { currency: evaluation.currency };
    let postings = rows.iter().filter_map(|row| {
        let entry = book.entry(*row);
        let result = evaluation.placements.get(entry.placement)?;
        let posting = result.ledger.postings.get(entry.posting)?;
        let line = result.ledger.lines.get(posting.line as usize)?;
        let mut value = json!({
            "month": posting.month,
            "environment": line.environment,
            "line": line.id,
            "label": line.label,
            "category": line.category.name(),
            "behaviour": posting.behaviour.name(),
            "boundary": line.boundary.name(),
            "amount": money.of(posting.amount),
            "present_value": money.of(posting.present_value),
        });
        if let (None, Some(object)) = (placement, value.as_object_mut()) {
            object.shift_insert(0, "placement".into(), json!(result.id));
        }
        Some(value)
    });
    let postings: Vec<Value> = postings.collect();
    match placement {
        Some(id) => json!({ "placement": id, "currency": evaluation.currency.code, "postings": postings }),
        None => json!({ "currency": evaluation.currency.code, "postings": postings }),
    }
}

/// Postings in groups, every group with its subtotal.
#[must_use]
pub fn grouped(book: &Book, grouped: &Grouped, currency: Currency) -> Value {
    let by: Vec<&str> = grouped.by.iter().map(|dimension| dimension.name()).collect();
    let mut value = json!({
        "currency": currency.code,
        "group": by,
        "groups": groups(book, &grouped.by, &grouped.groups, currency),
    });
    put_sum(&mut value, grouped.sum, currency);
    value
}

fn groups(book: &Book, by: &[Dimension], groups_here: &[Group], currency: Currency) -> Vec<Value> {
    let Some((&dimension, others)) = by.split_first() else { return Vec::new() };
    let group = |group: &Group| {
        let mut value = named(book, dimension, group.key);
        put_sum(&mut value, group.sum, currency);
        if let (false, Some(object)) = (others.is_empty(), value.as_object_mut()) {
            object.insert("groups".into(), json!(groups(book, others, &group.inner, currency)));
        }
        value
    };
    groups_here.iter().map(group).collect()
}

/// A value of a dimension: its name under the name of the dimension, and its label.
fn named(book: &Book, dimension: Dimension, key: usize) -> Value {
    let value = book.values(dimension).get(key);
    json!({ dimension.name(): value.map(|value| &value.name), "label": value.map(|value| &value.label) })
}

fn put_sum(value: &mut Value, sum: Sum, currency: Currency) {
    let money = Amount { currency };
    if let Some(object) = value.as_object_mut() {
        object.insert("count".into(), json!(sum.postings));
        object.insert("total".into(), json!(money.of(sum.amounts.total)));
        object.insert("present_value".into(), json!(money.of(sum.amounts.present_value)));
    }
}

/// A pivot with totals on both sides; a cell without a posting is null, which is not zero.
#[must_use]
pub fn pivot(book: &Book, pivot: &Pivot, measure: Measure, currency: Currency) -> Value {
    let money = Amount { currency };
    let amount = |sum: Sum| money.of(measure.of_sum(sum.amounts));
    let row = |line: &PivotLine| {
        let of = pivot.down.iter().zip(&line.keys).map(|(dimension, key)| named(book, *dimension, *key));
        json!({
            "of": of.collect::<Vec<_>>(),
            "cells": line.cells.iter().map(|cell| cell.map(amount)).collect::<Vec<_>>(),
            "total": amount(line.total),
        })
    };
    json!({
        "currency": currency.code,
        "measure": measure.name(),
        "rows": pivot.down.iter().map(|dimension| dimension.name()).collect::<Vec<_>>(),
        "column": pivot.across.name(),
        "columns": pivot.columns.iter().map(|key| named(book, pivot.across, *key)).collect::<Vec<_>>(),
        "lines": pivot.lines.iter().map(row).collect::<Vec<_>>(),
        "totals": pivot.totals.iter().copied().map(amount).collect::<Vec<_>>(),
        "count": pivot.sum.postings,
        "total": amount(pivot.sum),
    })
}

/// Why a figure is what it is.
#[must_use]
pub fn explanation(explained: &Explained) -> Value {
    let Explained { explainer, explanation, title, .. } = explained;
    let ledger = &explainer.result().ledger;
    let phrasing = Phrasing { inputs: explainer.inputs(), ledger, figures: Figures::default() };
    let digits = explainer.minor_digits();
    let money = |money: Money| show::plain(money.minor(), digits);
    let steps = |of: &Formula| {
        let step = |name: Option<&Name>, formula: &Formula| {
            let wording = phrasing.wording(formula);
            json!({
                "name": name.map(|name| name.label),
                "unit": name.map(|name| name.unit),
                "of": name.map(|name| name.of.as_str()),
                "month": name.and_then(|name| name.month),
                "value": number(formula.value),
                "words": wording.words,
                "numbers": wording.numbers,
                "because": wording.because,
            })
        };
        let rests_on = explainer.quantities(of);
        let mut all = vec![step(None, of)];
        all.extend(rests_on.iter().map(|quantity| step(Some(&quantity.name), &quantity.formula)));
        all
    };
    let lines = explanation.lines.iter().map(|part| {
        let line = &ledger.lines[part.line];
        let postings = part.postings.iter().map(|place| {
            let posting = &ledger.postings[*place];
            json!({
                "month": posting.month,
                "behaviour": posting.behaviour.name(),
                "amount": money(posting.amount),
                "present_value": money(posting.present_value),
            })
        });
        json!({
            "line": line.id,
            "label": line.label,
            "environment": line.environment,
            "category": line.category.name(),
            "source": line.rule.source,
            "amount": money(part.amount),
            "example_month": ledger.postings[part.example].month,
            "formula": explainer.posting(part.example, explanation.measure).map(|formula| steps(&formula)),
            "postings": postings.collect::<Vec<_>>(),
        })
    });
    let inputs = explanation.rests_on.iter().map(|reason| {
        let input = &reason.input;
        let evidence = input.input.evidence();
        json!({
            "path": input.path,
            "label": input.full_label(),
            "unit": input.unit,
            "value": exact(input.input.value.decimal()),
            "in_steps": reason.influence == Influence::InSteps,
            "evidence": input.input.evidence_kind().name(),
            "source": evidence.map(|evidence| evidence.source.as_str()),
            "owner": evidence.map(|evidence| evidence.owner.as_str()),
        })
    });
    json!({
        "title": title,
        "value": match explanation.value {
            Of::Money(amount) => Some(money(amount)),
            Of::Number(value) => number(value),
            Of::None => None,
        },
        "formula": explanation.formula.as_ref().map(steps),
        "lines": lines.collect::<Vec<_>>(),
        "inputs": inputs.collect::<Vec<_>>(),
    })
}

/// An answer with the conventions under which its figures hold, and the values that were set for it.
#[must_use]
pub fn under(mut answer: Value, scenario: &Scenario, case: Option<&str>, changes: &[Change]) -> Value {
    let all = conventions(scenario, case, Figures::default());
    let mut held: Map<String, Value> =
        all.into_iter().map(|convention| (convention.name.to_owned(), convention.text.into())).collect();
    if !changes.is_empty() {
        let set = changes.iter().map(|change| {
            json!({
                "path": change.before.path,
                "before": exact(change.before.input.value.decimal()),
                "value": exact(change.after.decimal()),
            })
        });
        held.insert("set".into(), set.collect());
    }
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("conventions".into(), held.into());
    }
    answer
}

/// A tornado, its bars as drawn.
#[must_use]
pub fn tornado(scenario: &Scenario, answer: &Answer) -> Value {
    let id = |place: usize| scenario.placements.get(place).map(|placement| placement.id.clone());
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let mut value = json!({
        "placement": id(answer.question.placement),
        "against": answer.question.against.and_then(id),
        "figure": figure_name(&answer.question.figure),
        "base": figure(answer.base, digits),
        "bars": answer.bars.iter().map(|of| bar(of, digits)).collect::<Vec<_>>(),
        "unmoved": answer.unmoved,
        "held": answer.held,
    });
    if let (Some(object), false) = (value.as_object_mut(), answer.failed.is_empty()) {
        object.insert("failed".into(), problems(&answer.failed));
    }
    value
}

fn bar(bar: &Bar, digits: Option<u32>) -> Value {
    let values =
        |values: &[crate::quantity::Exact]| values.iter().map(|value| exact(value.decimal())).collect::<Vec<_>>();
    json!({
        "path": bar.path,
        "label": bar.label,
        "unit": bar.unit,
        "low": exact(bar.low.decimal()),
        "high": exact(bar.high.decimal()),
        "range": bar.range.name(),
        "evidence": bar.evidence.name(),
        "inputs": values(&bar.inputs),
        "results": bar.results.iter().map(|result| figure(*result, digits)).collect::<Vec<_>>(),
        "least": figure(bar.least, digits),
        "greatest": figure(bar.greatest, digits),
        "swing": figure(bar.swing, digits),
        "non_monotonic": bar.non_monotonic,
        "changes_preferred": bar.changes_preferred,
        "switch_over": values(&bar.switch_over().collect::<Vec<_>>()),
    })
}

/// A figure with the minor unit where it is money, and exactly where it is a ratio.
#[must_use]
pub fn figure(value: Decimal, money_digits: Option<u32>) -> String {
    let Some(digits) = money_digits else { return exact(value) };
    let mut value = value;
    value.rescale(digits);
    if value.is_zero() { value.abs().to_string() } else { value.to_string() }
}

/// Every placement in every case.
#[must_use]
pub fn cases(table: &Table, currency: Currency) -> Value {
    let money = Amount { currency };
    let base = table.rows.first().map(|row| &row.variant.scenario);
    let placements =
        || base.into_iter().flat_map(|scenario| &scenario.placements).map(|placement| placement.id.as_str());
    let rows = table.rows.iter().map(|row| {
        let cells = row.cells.iter().zip(placements()).map(|(cell, id)| {
            json!({
                "id": id,
                "figure": money.of(cell.figure),
                "meets_service": cell.meets_service,
                "regret": cell.regret.map(|regret| money.of(regret)),
            })
        });
        let changes = row.variant.changes.iter().map(|change| {
            json!({
                "path": change.before.path,
                "label": change.before.full_label(),
                "unit": change.before.unit,
                "base": exact(change.before.input.value.decimal()),
                "value": exact(change.after.decimal()),
                "outside_range": change.widened,
            })
        });
        let case = row.variant.case.as_ref();
        json!({
            "id": case.map(|case| case.id.as_str()),
            "name": case.map_or("Base", |case| case.name.as_str()),
            "owner": case.map(|case| case.owner.as_str()),
            "review_by": case.and_then(|case| case.review_by.as_deref()),
            "changes": changes.collect::<Vec<_>>(),
            "cheapest": row.cheapest.and_then(|place| placements().nth(place)),
            "placements": cells.collect::<Vec<_>>(),
        })
    });
    let regrets = placements().zip(&table.greatest_regret);
    let worst = placements().zip(&table.worst);
    json!({
        "currency": currency.code,
        "figure": figure_name(&crate::engine::Figure::deciding(table.decision_figure)),
        "cases": rows.collect::<Vec<_>>(),
        "worst": worst.map(|(id, worst)| (id.to_owned(), json!(worst.map(|worst| money.of(worst))))).collect::<Map<_, _>>(),
        "best_in_worst_case": table.best_in_worst_case.and_then(|place| placements().nth(place)),
        "least_regret": table.least_regret.and_then(|place| placements().nth(place)),
        "greatest_regret": regrets.map(|(id, regret)| (id.to_owned(), json!(regret.map(|regret| money.of(regret))))).collect::<Map<_, _>>(),
    })
}

/// What differs between two scenarios, and what each difference moves in the first.
#[must_use]
pub fn diff(first: &Scenario, comparison: &Comparison, currency: Currency) -> Value {
    let money = Amount { currency };
    let effects = comparison.differences.iter().map(|effect| {
        let moves: Map<String, Value> = match &effect.moves {
            Ok(moves) => {
                let moved = first.placements.iter().zip(moves);
                moved
                    .map(|(placement, moved)| (placement.id.clone(), json!(moved.map(|moved| money.of(moved)))))
                    .collect()
            }
            Err(_) => Map::new(),
        };
        let difference = &effect.difference;
        json!({
            "path": difference.path,
            "label": difference.label,
            "kind": difference.kind.name(),
            "before": difference.before,
            "after": difference.after,
            "moves": moves,
            "not_alone": effect.moves.as_ref().err().map(|problem| problem.message.clone()),
        })
    });
    let placements = comparison.placements.iter().map(|pair| {
        json!({
            "id": pair.id,
            "first": pair.first.map(|first| money.of(first)),
            "second": pair.second.map(|second| money.of(second)),
        })
    });
    json!({
        "figure": figure_name(&crate::engine::Figure::deciding(comparison.decision_figure)),
        "currency": currency.code,
        "placements": placements.collect::<Vec<_>>(),
        "differences": effects.collect::<Vec<_>>(),
    })
}

/// Published figures beside computed ones, case by case; a figure without a value is null.
#[must_use]
pub fn published(cases: &[published::Case]) -> Value {
    let cases_of = cases.iter().map(|case| {
        let rows = case.rows.iter().map(|row| {
            json!({
                "label": row.label,
                "unit": row.unit,
                "published": row.published,
                "computed": row.computed.decimal().map(exact),
                "difference": row.difference().decimal().map(exact),
                "verdict": row.verdict().name(),
                "why": row.why(),
            })
        });
        json!({
            "id": case.id,
            "title": case.title,
            "source": case.source,
            "convention": case.convention,
            "scenarios": case.scenarios.iter().map(|shipped| shipped.file).collect::<Vec<_>>(),
            "rows": rows.collect::<Vec<_>>(),
        })
    });
    let counts: Map<String, Value> = published::counts(cases)
        .into_iter()
        .map(|(verdict, count)| (verdict.name().to_owned(), json!(count)))
        .collect();
    json!({ "cases": cases_of.collect::<Vec<_>>(), "verdicts": counts })
}

/// Problems, each with its path and what it says. A fault of the text says where it stands, since it has no path.
#[must_use]
pub fn problems(problems: &[Problem]) -> Value {
    let all = problems.iter().map(|problem| {
        let message = if problem.path.is_empty() { problem.to_string() } else { problem.message.clone() };
        let mut value = json!({ "path": problem.path, "message": message });
        if let (Some(position), Some(object)) = (problem.position, value.as_object_mut()) {
            object.insert("line".into(), position.line.into());
            object.insert("column".into(), position.column.into());
        }
        value
    });
    Value::Array(all.collect())
}

/// What a checked scenario has that is odd: warnings, idle inputs, and categories with nothing entered by placement.
#[must_use]
pub fn check(evaluation: &Evaluation, warnings: &[Problem], idle: &[InputRef]) -> Value {
    let nothing_entered: Map<String, Value> = evaluation
        .placements
        .iter()
        .map(|placement| {
            let missing = placement.by_category.iter().filter(|of| !of.entered).map(|of| of.category.name());
            (placement.id.clone(), json!(missing.collect::<Vec<_>>()))
        })
        .collect();
    json!({
        "errors": [],
        "warnings": problems(warnings),
        "unmoved": idle.iter().map(|input| input.path.as_str()).collect::<Vec<_>>(),
        "nothing_entered": nothing_entered,
    })
}

/// What a failed call prints.
#[must_use]
pub fn errors(found: &[Problem]) -> Value {
    let errors: Vec<Problem> = found.iter().filter(|problem| problem.is_error()).cloned().collect();
    json!({ "errors": problems(&errors) })
}

/// The JSON Schema of a scenario, built from the declarations.
#[must_use]
pub fn schema() -> Value {
    let mut types = Types::default();
    let scenario = Scenario::shape(&mut types);
    let definitions: BTreeMap<&str, Value> = types
        .iter()
        .filter(|of| !matches!(of.kind, Kind::Choice(_)))
        .map(|of| (of.name, schema_of_kind(&of.kind, &types)))
        .collect();
    let reference = schema_of(&scenario, &types)["$ref"].take();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Outlay scenario, format 1",
        "description": "Everything needed to recompute every figure of a lifecycle cost comparison. Rules between fields, \
                        bounds of inputs and references are checked by `outlay check`.",
        "$ref": reference,
        "$defs": definitions,
    })
}

fn schema_of_kind(kind: &Kind, types: &Types) -> Value {
    match kind {
        Kind::Record { fields, .. } => record_schema(fields, types),
        Kind::Input(fields) => json!({"oneOf": [schema_of(&Shape::Number, types), record_schema(fields, types)]}),
        Kind::Variants(variants) => {
            let alternative = |of: &VariantType| match &of.holds {
                None => json!({"const": of.name}),
                Some(shape) => json!({
                    "type": "object",
                    "properties": {of.name: schema_of(shape, types)},
                    "required": [of.name],
                    "additionalProperties": false
                }),
            };
            json!({"oneOf": variants.iter().map(alternative).collect::<Vec<_>>()})
        }
        Kind::Choice(names) => json!({"enum": names.iter().map(|of| of.name).collect::<Vec<_>>()}),
    }
}

fn record_schema(fields: &[FieldType], types: &Types) -> Value {
    let property = |of: &FieldType| {
        let mut property = schema_of(&of.shape, types);
        property["description"] = of.decl.help.trim().into();
        (of.decl.name.to_owned(), property)
    };
    let required = fields.iter().filter(|of| of.default.is_none()).map(|of| of.decl.name);
    json!({
        "type": "object",
        "properties": fields.iter().map(property).collect::<Map<_, _>>(),
        "required": required.collect::<Vec<_>>(),
        "additionalProperties": false
    })
}

fn schema_of(shape: &Shape, types: &Types) -> Value {
    match shape {
        Shape::Text => json!({"type": "string"}),
        Shape::YesNo => json!({"type": "boolean"}),
        Shape::Count => {
            json!({"oneOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]{1,10}$"}]})
        }
        Shape::Number => json!({"oneOf": [
            {"type": "string", "pattern": "^-?[0-9]+(\\.[0-9]{1,12})?$"},
            {"type": "integer"}
        ]}),
        Shape::Input | Shape::Declared(_) => json!({"$ref": "#/$defs/Input"}),
        Shape::Beside { other, shape, input } => {
            let mut required = vec![*input];
            required.extend((!matches!(**shape, Shape::Optional(_))).then_some(*other));
            json!({
                "type": "object",
                "properties": {*other: schema_of(shape, types), *input: schema_of(&Shape::Input, types)},
                "required": required,
                "additionalProperties": false
            })
        }
        Shape::Optional(inner) => json!({"oneOf": [schema_of(inner, types), {"type": "null"}]}),
        Shape::List(inner) => json!({"type": "array", "items": schema_of(inner, types)}),
        Shape::Map(inner) => json!({"type": "object", "additionalProperties": schema_of(inner, types)}),
        Shape::Named(name) => match types.get(name) {
            Some(of) if matches!(of.kind, Kind::Choice(_)) => schema_of_kind(&of.kind, types),
            _ => json!({"$ref": format!("#/$defs/{name}")}),
        },
    }
}
