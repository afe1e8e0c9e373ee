//! The value of a field as a person reads it in a cell or a form, and what a person types as the value of a field.
//!
//! Values are met as they would be written; no field of a scenario is named here.

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use crate::input::{Decl, Shape, Unit, VariantType};
use crate::quantity::Exact;
use crate::scenario::structure::{Outline, outline};
use crate::scenario::{InputRef, Scenario};
use crate::show::{self, Cell, Figures, in_words};

/// How values of a scenario read: with the names of what they refer to.
#[derive(Clone, Copy)]
pub struct Reading<'a> {
    pub scenario: &'a Scenario,
    pub figures: Figures,
}

impl Reading<'_> {
    /// A value as a person reads it; `of` is the list in which a text is an id.
    #[must_use]
    pub fn text(&self, shape: &Shape, decl: &Decl, of: Option<&str>, value: &Value) -> String {
        let outline = outline();
        match (shape, value) {
            (_, Value::Null) => String::new(),
            (Shape::Optional(inner), _) => self.text(inner, decl, of, value),
            (Shape::YesNo, Value::Bool(yes)) => if *yes { "yes" } else { "no" }.to_owned(),
            (Shape::Text, Value::String(text)) => self.name(ids_of(decl, of), text),
            (Shape::Count, _) => value.to_string(),
            (Shape::Declared(own), _) => self.number(own, value),
            (Shape::Input | Shape::Number, _) => self.number(decl, value),
            (Shape::List(inner), Value::Array(items)) => {
                let texts: Vec<String> = items.iter().map(|item| self.text(inner, decl, of, item)).collect();
                texts.join("; ")
            }
            (Shape::Map(_), Value::Object(entries)) => match entries.len() {
                1 => "1 entry".to_owned(),
                many => format!("{many} entries"),
            },
            (Shape::Beside { other, shape, input }, Value::Object(record)) => {
                let number = record.get(*input).map_or_else(String::new, |value| self.number(decl, value));
                let beside = record.get(*other).map_or_else(String::new, |value| self.text(shape, decl, None, value));
                if beside.is_empty() { number } else { format!("{beside}: {number}") }
            }
            (Shape::Named(_), _) => match outline.variants(shape) {
                Some(variants) => self.variant(variants, decl, value),
                None => value.get("name").and_then(Value::as_str).unwrap_or("entered").to_owned(),
            },
            _ => value.to_string(),
        }
    }

    fn variant(&self, variants: &[VariantType], decl: &Decl, value: &Value) -> String {
        let Some((variant, held)) = current(variants, value) else { return String::new() };
        let (Some(shape), Some(held)) = (&variant.holds, held) else { return variant.label.to_owned() };
        match shape {
            // One number is what most of these types are, and needs no word before it.
            Shape::Input if holding_input(variants) == 1 => self.number(decl, held),
            Shape::Count => format!("{}, month {held}", variant.label),
            Shape::Named(_) => variant.label.to_owned(),
            // Tiers, shares and measured points say by themselves what they are.
            Shape::List(inner) if matches!(**inner, Shape::Beside { .. }) => self.text(shape, decl, None, held),
            Shape::List(_) => {
                let count = held.as_array().map_or(0, Vec::len);
                format!("{}, {count} {}", variant.label, if count == 1 { "entry" } else { "entries" })
            }
            _ => format!("{}: {}", variant.label, self.text(shape, decl, variant.ids_of, held)),
        }
    }

    fn number(&self, decl: &Decl, value: &Value) -> String {
        match exact(value) {
            Some(number) => self.figures.cell(number.decimal(), cell(decl)),
            None => String::new(),
        }
    }

    /// The name of an element by its id.
    #[must_use]
    pub fn name(&self, list: Option<&str>, id: &str) -> String {
        let named = |(of, name): (&String, &String)| (of == id).then(|| name.clone());
        match list {
            Some("workloads") => self.scenario.workloads.iter().find_map(|w| named((&w.id, &w.name))),
            Some("environments") => self.scenario.environments.iter().find_map(|e| named((&e.id, &e.name))),
            _ => None,
        }
        .unwrap_or_else(|| id.to_owned())
    }

    /// What can be referred to in a list: id and name, in the order of the scenario.
    #[must_use]
    pub fn choices(&self, list: &str) -> Vec<(String, String)> {
        match list {
            "workloads" => self.scenario.workloads.iter().map(|w| (w.id.clone(), w.name.clone())).collect(),
            "environments" => self.scenario.environments.iter().map(|e| (e.id.clone(), e.name.clone())).collect(),
            "indices" => self.scenario.indices.0.keys().map(|key| (key.clone(), key.clone())).collect(),
            _ => Vec::new(),
        }
    }

    /// The value that a person has typed for a field whose value was `before`; range and evidence of a number stay.
    ///
    /// # Errors
    /// What cannot be read, as a sentence with the way out.
    pub fn typed(
        &self,
        shape: &Shape,
        decl: &Decl,
        of: Option<&str>,
        before: &Value,
        text: &str,
    ) -> Result<Value, String> {
        let text = text.trim();
        match shape {
            Shape::Optional(_) if text.is_empty() || text == "–" => Ok(Value::Null),
            Shape::Optional(inner) => self.typed(inner, decl, of, before, text),
            Shape::Text => self.typed_text(decl, of, text),
            Shape::YesNo => match text.to_lowercase().as_str() {
                "yes" | "y" | "true" | "1" => Ok(true.into()),
                "no" | "n" | "false" | "0" | "" | "–" => Ok(false.into()),
                _ => Err(format!("“{text}” is neither yes nor no.")),
            },
            Shape::Count => typed_count(text),
            Shape::Number => self.typed_number(decl, text).map(|number| number.to_string().into()),
            Shape::Input => self.typed_number(decl, text).map(|number| with_number(before, number)),
            Shape::Declared(own) => self.typed_number(own, text).map(|number| with_number(before, number)),
            Shape::List(inner) => {
                let parts = text.split([';', '\n', '\t']).map(str::trim).filter(|part| !part.is_empty());
                let before: &[Value] = before.as_array().map_or(&[], Vec::as_slice);
                let blank = Value::Null;
                let typed = parts
                    .enumerate()
                    .map(|(place, part)| self.typed(inner, decl, of, before.get(place).unwrap_or(&blank), part));
                typed.collect::<Result<Vec<Value>, String>>().map(Value::Array)
            }
            Shape::Named(_) => match outline().variants(shape) {
                Some(variants) => self.typed_variant(outline(), variants, decl, before, text),
                None => Err("This is edited in its own fields.".to_owned()),
            },
            Shape::Beside { other, shape, input } => {
                let (beside, number) = text.rsplit_once(':').map_or(("", text), |(beside, number)| (beside, number));
                let known = |name: &str| before.get(name).cloned().unwrap_or(Value::Null);
                let mut record = Map::new();
                let beside = self.typed(shape, decl, None, &known(other), beside)?;
                if !beside.is_null() {
                    record.insert((*other).to_owned(), beside);
                }
                let number = self.typed_number(decl, number.trim())?;
                record.insert((*input).to_owned(), with_number(&known(input), number));
                Ok(Value::Object(record))
            }
            Shape::Map(_) => Err("This is edited in its own fields.".to_owned()),
        }
    }

    fn typed_text(&self, decl: &Decl, of: Option<&str>, text: &str) -> Result<Value, String> {
        let Some(list) = ids_of(decl, of) else { return Ok(text.into()) };
        let choices = self.choices(list);
        let lower = text.to_lowercase();
        let found = choices.iter().find(|(id, name)| id.to_lowercase() == lower || name.to_lowercase() == lower);
        match found {
            Some((id, _)) => Ok(id.clone().into()),
            None if choices.is_empty() => Err(format!("There is no “{text}”: the scenario has none of these yet.")),
            None => {
                let names: Vec<&str> = choices.iter().map(|(_, name)| name.as_str()).collect();
                Err(format!("There is no “{text}”; there are {}.", names.join(", ")))
            }
        }
    }

    fn typed_number(&self, decl: &Decl, text: &str) -> Result<Exact, String> {
        let value = show::parse(text, self.figures.marks, cell(decl)).map_err(|refused| refused.0)?;
        Exact::from_decimal(value)
    }

    /// A name of a variant with what it holds after it, or a number for a variant that holds one.
    fn typed_variant(
        &self,
        outline: &Outline,
        variants: &[VariantType],
        decl: &Decl,
        before: &Value,
        text: &str,
    ) -> Result<Value, String> {
        let lower = text.to_lowercase();
        let head = lower.split([',', ':', '(']).next().unwrap_or_default().trim().to_owned();
        let is = |name: &str| name.to_lowercase() == lower || name.to_lowercase() == head;
        let named = variants.iter().find(|variant| variant.label.to_lowercase() == lower || is(variant.name));
        let named = named.or_else(|| variants.iter().find(|variant| is(variant.label)));
        if let Some(variant) = named {
            let Some(shape) = &variant.holds else { return Ok(variant.name.into()) };
            let same = current(variants, before).filter(|(of, _)| of.name == variant.name);
            let held = same.and_then(|(_, held)| held);
            let rest = text.get(head.len()..).unwrap_or_default();
            let rest = rest.trim_matches(|c: char| c.is_whitespace() || ",:()".contains(c));
            let rest = rest.strip_prefix("month").unwrap_or(rest).trim();
            if rest.is_empty() && !matches!(shape, Shape::Text) {
                return Ok(if same.is_some() { before.clone() } else { outline.blank_variant(variant, decl) });
            }
            let inner = self.typed(shape, decl, variant.ids_of, held.unwrap_or(&Value::Null), rest)?;
            return Ok(holding(variant, inner));
        }
        // `10,240: 0.09; 0.085` are tiers.
        let tiers = variants
            .iter()
            .find(|of| matches!(&of.holds, Some(Shape::List(inner)) if matches!(**inner, Shape::Beside { .. })));
        if let Some((variant, shape)) = tiers.and_then(|of| of.holds.as_ref().map(|shape| (of, shape)))
            && text.contains([';', ':'])
        {
            let held = current(variants, before).filter(|(of, _)| of.name == variant.name).and_then(|(_, held)| held);
            let inner = self.typed(shape, decl, None, held.unwrap_or(&Value::Null), text)?;
            return Ok(holding(variant, inner));
        }
        let current_input = current(variants, before).filter(|(of, _)| takes_number(of));
        let target = current_input.or_else(|| variants.iter().find(|of| takes_number(of)).map(|of| (of, None)));
        if let Some((variant, held)) = target
            && let Some(shape) = &variant.holds
        {
            match self.typed(shape, decl, None, held.unwrap_or(&Value::Null), text) {
                Ok(inner) => return Ok(holding(variant, inner)),
                // Where every choice holds something, a text that names none of them was meant as a number.
                Err(reason) if variants.iter().all(|of| of.holds.is_some()) => return Err(reason),
                Err(_) => {}
            }
        }
        let names: Vec<&str> = variants.iter().map(|variant| variant.label).collect();
        Err(format!("“{text}” is none of these: {}.", names.join("; ")))
    }
}

/// The list in which a text is an id.
fn ids_of<'o>(decl: &Decl, of: Option<&'o str>) -> Option<&'o str>
where
    'static: 'o,
{
    match decl.unit {
        Unit::IdOf(list) => Some(list),
        _ => of,
    }
}

/// How a number of this declaration is shown and typed.
#[must_use]
pub fn cell(decl: &Decl) -> Cell {
    if decl.unit.is_percent() { Cell::Percent } else { Cell::Plain }
}

/// How the value of an input is shown and typed.
#[must_use]
pub fn cell_of(input: &InputRef) -> Cell {
    if input.decl.unit.is_percent() && !input.unit.contains("share of") { Cell::Percent } else { Cell::Plain }
}

/// What the shown value of an input is counted in: `%` where a share is shown in percent.
#[must_use]
pub fn unit_of(input: &InputRef) -> String {
    match (cell_of(input), input.unit.as_str()) {
        (Cell::Percent, "share") => "%".to_owned(),
        (Cell::Percent, unit) => format!("% {unit}"),
        (Cell::Plain, unit) => unit.to_owned(),
    }
}

/// A value that an input is moved to, to about four significant digits as its cell shows it: `9.7 %`, `31.93`. Of a group,
/// which has no input of its own, the share of its range.
#[must_use]
pub fn moved_to(figures: Figures, input: Option<&InputRef>, value: Decimal) -> String {
    let Some(input) = input else {
        return format!("{} % of range", figures.rounded(Cell::Percent.shown(value), 0));
    };
    let cell = cell_of(input);
    let percent = if cell == Cell::Percent { " %" } else { "" };
    format!("{}{percent}", in_words(&figures.near(cell.shown(value))))
}

/// The variant that a value is, and what it holds.
#[must_use]
pub fn current<'t, 'v>(variants: &'t [VariantType], value: &'v Value) -> Option<(&'t VariantType, Option<&'v Value>)> {
    let (name, held) = match value {
        Value::String(name) => (name, None),
        Value::Object(object) => object.iter().next().map(|(name, held)| (name, Some(held)))?,
        _ => return None,
    };
    variants.iter().find(|variant| variant.name == name).map(|variant| (variant, held))
}

/// The number of an input, with or without its range, or of a plain number.
#[must_use]
pub fn exact(value: &Value) -> Option<Exact> {
    match value {
        Value::String(text) => Exact::parse(text).ok(),
        Value::Number(number) => number.as_i64().map(Exact::whole),
        Value::Object(record) => record.get("value").and_then(exact),
        _ => None,
    }
}

/// An input with another number; its range widens where the number lies outside.
#[must_use]
pub fn with_number(before: &Value, number: Exact) -> Value {
    let Some(record) = before.as_object().filter(|record| record.contains_key("value")) else {
        return number.to_string().into();
    };
    let mut record = record.clone();
    let end = |record: &Map<String, Value>, name: &str| record.get(name).and_then(exact);
    if let (Some(low), Some(high)) = (end(&record, "low"), end(&record, "high")) {
        record.insert("low".to_owned(), low.min(number).to_string().into());
        record.insert("high".to_owned(), high.max(number).to_string().into());
    }
    record.insert("value".to_owned(), number.to_string().into());
    Value::Object(record)
}

fn holding(variant: &VariantType, inner: Value) -> Value {
    Value::Object(Map::from_iter([(variant.name.to_owned(), inner)]))
}

fn takes_number(variant: &VariantType) -> bool {
    matches!(variant.holds, Some(Shape::Input | Shape::Declared(_)))
}

fn holding_input(variants: &[VariantType]) -> usize {
    variants.iter().filter(|variant| takes_number(variant)).count()
}

fn typed_count(text: &str) -> Result<Value, String> {
    let whole = text.replace(['\u{a0}', ' '], "");
    whole.parse::<u32>().map(Value::from).map_err(|_| format!("“{text}” is not a whole number from 0 on."))
}
