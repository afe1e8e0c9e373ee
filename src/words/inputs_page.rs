//! The page of all inputs: path, label, type, unit, bounds, default and help of each, as they are declared.
//!
//! No input is named here, and no value of a scenario is known.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde_json::Value;

use crate::input::{Bounds, Decl, Field, FieldType, Kind, Limit, Shape, Type, Types, VariantType};
use crate::scenario::Scenario;
use crate::show::Figures;

const OPENING: &str = "\
# Inputs

Everything that a scenario can state, in the order of the file. This page is written from the declarations that the
program itself reads, and a test keeps it current; [method.md](method.md) says what is computed from it.

- A **path** names one input wherever inputs are named: in cases, levers, groups and `--set`, in the tornado and in every
  problem. `<id>` stands for the id of an element, `<name>` for a name in a map, `<n>` for a place in a list, from 0. The
  names of variants are left out.
- An **input** is a plain number, or a number with its [range and evidence](#input). Numbers stand in quotes.
- *money* is the currency of the line, else of the environment, else of the scenario. A *share* is a part of one and *a
  year* is a yearly rate: 0.05 is 5 %.
- A field with a default may be left out; a *required* one may not.
";

/// The page of all inputs, as Markdown.
#[must_use]
pub fn inputs_page() -> String {
    let mut types = Types::default();
    let scenario = Scenario::shape(&mut types);
    let mut places = BTreeMap::new();
    find_places(&scenario, "", &types, &mut places);
    // An input can stand anywhere, and so can what it rests on.
    find_places(&Shape::Named("Input"), "…", &types, &mut places);
    let mut text = String::from(OPENING);
    text.push('\n');
    for of in types.iter() {
        text.push_str(&format!("- [{}](#{}): {}\n", of.name, of.name.to_lowercase(), first_lower(of.about)));
    }
    for of in types.iter() {
        let empty = Vec::new();
        text.push_str(&section(of, places.get(of.name).unwrap_or(&empty), &types));
    }
    text
}

/// Where each type with a name stands, by the patterns of its paths.
fn find_places(shape: &Shape, path: &str, types: &Types, places: &mut BTreeMap<&'static str, Vec<String>>) {
    match shape {
        Shape::Optional(inner) => find_places(inner, path, types, places),
        Shape::List(inner) => find_places(inner, &joined(path, &element(inner, types)), types, places),
        Shape::Map(inner) => find_places(inner, &joined(path, "<name>"), types, places),
        Shape::Named(name) => {
            places.entry(name).or_default().push(path.to_owned());
            match types.get(name).map(|of| &of.kind) {
                Some(Kind::Record { fields, .. } | Kind::Input(fields)) => {
                    for field in fields {
                        find_places(&field.shape, &joined(path, field.decl.name), types, places);
                    }
                }
                Some(Kind::Variants(variants)) => {
                    for held in variants.iter().filter_map(|of| of.holds.as_ref()) {
                        find_places(held, path, types, places);
                    }
                }
                Some(Kind::Choice(_)) | None => {}
            }
        }
        Shape::Text
        | Shape::YesNo
        | Shape::Count
        | Shape::Number
        | Shape::Input
        | Shape::Declared(_)
        | Shape::Beside { .. } => {}
    }
}

/// How an element of a list stands in a path: by its id where it has one.
fn element(shape: &Shape, types: &Types) -> String {
    match record_id(shape, types) {
        Some(id) => format!("<{id}>"),
        None => "<n>".into(),
    }
}

fn record_id(shape: &Shape, types: &Types) -> Option<&'static str> {
    let Shape::Named(name) = shape else { return None };
    match types.get(name)?.kind {
        Kind::Record { id, .. } => id,
        _ => None,
    }
}

fn joined(path: &str, step: &str) -> String {
    if path.is_empty() { step.to_owned() } else { format!("{path}.{step}") }
}

fn section(of: &Type, places: &[String], types: &Types) -> String {
    let mut text = format!("\n## {}\n\n{}\n\n", of.name, of.about);
    match &of.kind {
        Kind::Record { fields, .. } | Kind::Input(fields) => {
            text.push_str("| Path | Label | Type | Unit | Bounds | Default | Help |\n|---|---|---|---|---|---|---|\n");
            for field in fields {
                for row in rows(field, places, types) {
                    text.push_str(&row);
                }
            }
        }
        Kind::Variants(variants) => {
            text.push_str("| Written | Read | Holds | Meaning |\n|---|---|---|---|\n");
            for VariantType { name, label, help, holds, .. } in variants {
                let holds = holds.as_ref().map_or_else(|| "nothing".into(), type_words);
                text.push_str(&line(&[format!("`{name}`"), (*label).into(), holds, help.trim().into()]));
            }
        }
        Kind::Choice(names) => {
            text.push_str("| Written | Read | Meaning |\n|---|---|---|\n");
            for VariantType { name, label, help, .. } in names {
                text.push_str(&line(&[format!("`{name}`"), (*label).into(), help.trim().into()]));
            }
        }
    }
    text
}

/// The row of a field, and one for each input in it that has a declaration of its own.
fn rows(field: &FieldType, places: &[String], types: &Types) -> Vec<String> {
    let FieldType { decl, shape, default } = field;
    let mut inputs = Vec::new();
    collect_inputs(shape, decl.name.to_owned(), decl, types, &mut inputs);
    let (own, others): (Vec<_>, Vec<_>) = inputs.into_iter().partition(|(_, of)| of.label == decl.label);
    let mut paths: Vec<String> = own.into_iter().map(|(path, _)| path).collect();
    paths.dedup();
    if paths.is_empty() {
        paths.push(decl.name.to_owned());
    }
    let mut all = vec![row(&paths, places, decl, &type_words(shape), &default_words(field, default.as_ref()))];
    for (path, of) in others {
        all.push(row(&[path], places, of, "[input](#input)", ""));
    }
    all
}

/// The inputs of a field that are addressed below its own path.
fn collect_inputs(
    shape: &Shape,
    path: String,
    decl: &'static Decl,
    types: &Types,
    found: &mut Vec<(String, &'static Decl)>,
) {
    match shape {
        Shape::Input | Shape::Beside { .. } => found.push((path, decl)),
        Shape::Declared(of) => found.push((path, of)),
        Shape::Optional(inner) => collect_inputs(inner, path, decl, types, found),
        Shape::List(inner) => {
            let path = joined(&path, &element(inner, types));
            collect_inputs(inner, path, decl, types, found);
        }
        Shape::Map(inner) => collect_inputs(inner, joined(&path, "<name>"), decl, types, found),
        Shape::Named(name) => {
            if let Some(Kind::Variants(variants)) = types.get(name).map(|of| &of.kind) {
                for held in variants.iter().filter_map(|of| of.holds.as_ref()) {
                    collect_inputs(held, path.clone(), decl, types, found);
                }
            }
        }
        Shape::Text | Shape::YesNo | Shape::Count | Shape::Number => {}
    }
}

fn row(paths: &[String], places: &[String], decl: &Decl, type_words: &str, default: &str) -> String {
    let full = places.iter().flat_map(|place| paths.iter().map(move |path| format!("`{}`", joined(place, path))));
    let mut full: Vec<String> = full.collect();
    full.dedup();
    line(&[
        full.join("<br>"),
        decl.label.into(),
        type_words.into(),
        decl.unit.text("money"),
        bounds_words(decl.bounds),
        default.into(),
        decl.help.trim().into(),
    ])
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}

fn type_words(shape: &Shape) -> String {
    match shape {
        Shape::Text => "text".into(),
        Shape::YesNo => "`true` or `false`".into(),
        Shape::Count => "whole number".into(),
        Shape::Number => "number".into(),
        Shape::Input | Shape::Declared(_) => "[input](#input)".into(),
        Shape::Beside { other, shape, input } => {
            format!("`{other}`, {}, with `{input}`, [input](#input)", type_words(shape))
        }
        Shape::Optional(inner) => format!("{}, or none", type_words(inner)),
        Shape::List(inner) => format!("list of {}", type_words(inner)),
        Shape::Map(inner) => format!("map to {}", type_words(inner)),
        Shape::Named(name) => format!("[{name}](#{})", name.to_lowercase()),
    }
}

fn bounds_words(bounds: Bounds) -> String {
    let number = |limit: i64| Figures::default().editing(Decimal::from(limit));
    let range = match (bounds.low, bounds.high) {
        (Limit::Open, Limit::Open) => String::new(),
        (Limit::Including(low), Limit::Open) => format!("{} or more", number(low)),
        (Limit::Excluding(low), Limit::Open) => format!("above {}", number(low)),
        (Limit::Open, Limit::Including(high)) => format!("up to {}", number(high)),
        (Limit::Open, Limit::Excluding(high)) => format!("below {}", number(high)),
        (Limit::Including(low), Limit::Including(high)) => format!("{} to {}", number(low), number(high)),
        (Limit::Including(low), Limit::Excluding(high)) => format!("{} to below {}", number(low), number(high)),
        (Limit::Excluding(low), Limit::Including(high)) => format!("above {}, up to {}", number(low), number(high)),
        (Limit::Excluding(low), Limit::Excluding(high)) => format!("above {}, below {}", number(low), number(high)),
    };
    if bounds.whole { format!("{range}, whole") } else { range }
}

fn default_words(field: &FieldType, default: Option<&Value>) -> String {
    let Some(default) = default else { return "required".into() };
    match default {
        _ if !field.decl.default.is_empty() => format!("`{}`", field.decl.default),
        Value::Null => "none".into(),
        Value::String(text) if text.is_empty() => "empty".into(),
        Value::String(text) => format!("`{text}`"),
        Value::Array(all) if all.is_empty() => "none".into(),
        Value::Object(all) if all.is_empty() && matches!(field.shape, Shape::Map(_)) => "none".into(),
        Value::Object(all) if all.is_empty() => "its defaults".into(),
        other => format!("`{other}`"),
    }
}

/// The start of a sentence after a colon.
fn first_lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
