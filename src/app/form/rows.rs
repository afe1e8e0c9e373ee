//! What a form consists of: blocks of rows, found by walking a value along the declarations of its fields.
//!
//! Nothing here draws, or knows what is edited how.

use serde_json::Value;

use crate::input::{Decl, FieldType, Kind, Shape, Unit, VariantType};
use crate::scenario::structure::outline;
use crate::words::values::current;

/// Fields that stand together.
pub struct Block {
    pub title: String,
    pub path: String,
    /// Whether the whole of it can be taken out again.
    pub removable: bool,
    pub rows: Vec<Row>,
}

/// One field.
pub struct Row {
    pub path: String,
    pub label: String,
    pub decl: &'static Decl,
    pub shape: Shape,
    /// The list in which its text is an id.
    pub of: Option<&'static str>,
    pub value: Value,
    pub optional: bool,
    pub edited: Edited,
    /// The variants that stand at the same path around the value, the outermost first.
    pub within: Vec<&'static str>,
}

impl Row {
    /// A row that a shape completes.
    fn new(decl: &'static Decl, value: Value, path: String, label: String) -> Self {
        Self {
            path,
            label,
            decl,
            shape: Shape::Text,
            of: None,
            value,
            optional: false,
            edited: Edited::Text,
            within: Vec::new(),
        }
    }

    /// What to put at the path so that this value stands inside its variants.
    pub fn wrapped(&self, value: Value) -> Value {
        let around = |inner: Value, name: &&'static str| {
            Value::Object(serde_json::Map::from_iter([((*name).to_owned(), inner)]))
        };
        self.within.iter().rev().fold(value, around)
    }
}

/// How a field is edited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edited {
    /// A number with its range and evidence.
    Input,
    Text,
    /// The id of the element itself: references follow it.
    Id,
    Prose,
    Count,
    YesNo,
    /// One of several names or variants.
    Choice,
    /// The id of an element.
    Reference,
    /// A record that is not there, and can be added.
    Absent,
    /// Inputs in a row.
    Cells,
    /// Inputs, each beside a plain value.
    Pairs,
    /// Plain numbers as one text.
    Numbers,
    /// Inputs, or variants that hold them, by name.
    Entries,
    /// Paths of inputs.
    Paths,
}

/// The blocks of a record: its own fields first, then each field that is a record of its own. Fields named in `apart` are
/// shown elsewhere.
pub fn blocks(title: &str, path: &str, type_name: &str, value: &Value, apart: &[&str]) -> Vec<Block> {
    let mut walk = Walk { blocks: Vec::new(), within: Vec::new() };
    let own = Block { title: title.to_owned(), path: path.to_owned(), removable: false, rows: Vec::new() };
    walk.blocks.push(own);
    for field in outline().fields(type_name) {
        if !apart.contains(&field.decl.name) {
            walk.field(0, field, value, path, true);
        }
    }
    let id = match outline().of_name(type_name).map(|of| &of.kind) {
        Some(Kind::Record { id: Some(id), .. }) => *id,
        _ => "",
    };
    for row in walk.blocks.iter_mut().flat_map(|block| &mut block.rows) {
        if row.edited == Edited::Text && row.decl.name == id && row.path == format!("{path}.{id}") {
            row.edited = Edited::Id;
        }
    }
    walk.blocks.retain(|block| !block.rows.is_empty());
    walk.blocks
}

struct Walk {
    blocks: Vec<Block>,
    /// The variants around what is walked that stand at its path.
    within: Vec<&'static str>,
}

/// What a field holds, or what holds where the file says nothing.
pub fn held(field: &FieldType, record: &Value) -> Value {
    record.get(field.decl.name).cloned().or_else(|| field.default.clone()).unwrap_or(Value::Null)
}

impl Walk {
    fn field(&mut self, block: usize, field: &FieldType, record: &Value, path: &str, outermost: bool) {
        // A field has a path of its own.
        let around = std::mem::take(&mut self.within);
        let value = held(field, record);
        let path = if path.is_empty() { field.decl.name.to_owned() } else { format!("{path}.{}", field.decl.name) };
        let row = Row::new(field.decl, value, path, field.decl.label.to_owned());
        self.shape(block, &field.shape, row, outermost);
        self.within = around;
    }

    /// The rows of a value of this shape, of which `of` says everything else.
    fn shape(&mut self, block: usize, shape: &Shape, mut of: Row, outermost: bool) {
        if let Unit::IdOf(list) = of.decl.unit {
            of.of = Some(list);
        }
        of.shape = shape.clone();
        of.within.clone_from(&self.within);
        let edited = match shape {
            Shape::Optional(inner) => {
                let is_record = matches!(&**inner, Shape::Named(name) if !outline().fields(name).is_empty());
                if of.value.is_null() && is_record {
                    let absent = Row { shape: (**inner).clone(), edited: Edited::Absent, ..of };
                    return self.push(block, absent);
                }
                return self.shape(block, inner, Row { optional: true, ..of }, outermost);
            }
            Shape::Text if of.of.is_some() => Edited::Reference,
            // Long texts stand last, in the order in which they come.
            Shape::Text if of.decl.unit == Unit::Prose => {
                let row = Row { edited: Edited::Prose, ..of };
                let place = if outermost { self.open(&row, false) } else { block };
                return self.push(place, row);
            }
            Shape::Text => Edited::Text,
            Shape::YesNo => Edited::YesNo,
            Shape::Count => Edited::Count,
            Shape::Input | Shape::Number => Edited::Input,
            Shape::Declared(own) => {
                let own_row = Row { decl: own, label: own.label.to_owned(), edited: Edited::Input, ..of };
                return self.push(block, own_row);
            }
            Shape::List(inner) => match &**inner {
                Shape::Input | Shape::Declared(_) => Edited::Cells,
                Shape::Beside { .. } => Edited::Pairs,
                Shape::Number => Edited::Numbers,
                Shape::Text if of.decl.unit == Unit::PathOfInput => Edited::Paths,
                // A list of records is a sheet of its own.
                _ => return,
            },
            Shape::Map(inner) => match &**inner {
                Shape::Named(name) if !outline().fields(name).is_empty() => return,
                _ => {
                    let row = Row { edited: Edited::Entries, ..of };
                    let place = if outermost { self.open(&row, false) } else { block };
                    return self.push(place, row);
                }
            },
            Shape::Beside { .. } => return,
            Shape::Named(name) => return self.named(block, name, Row { edited: Edited::Choice, ..of }, outermost),
        };
        self.push(block, Row { edited, ..of });
    }

    fn named(&mut self, block: usize, name: &str, row: Row, outermost: bool) {
        match outline().of_name(name).map(|of| &of.kind) {
            Some(Kind::Record { fields, .. }) => {
                let place = self.open(&row, row.optional);
                for field in fields {
                    self.field(place, field, &row.value, &row.path, false);
                }
            }
            Some(Kind::Variants(variants)) => self.variants(block, variants, row, outermost),
            Some(Kind::Choice(_)) => self.push(block, row),
            Some(Kind::Input(_)) | None => {}
        }
    }

    /// The choice among variants, and what the present one holds: in a block of its own where it is a record.
    fn variants(&mut self, block: usize, variants: &'static [VariantType], row: Row, outermost: bool) {
        let holding = current(variants, &row.value).and_then(|(of, held)| of.holds.as_ref().zip(held).map(|h| (of, h)));
        let is_record = |shape: &Shape| matches!(shape, Shape::Named(name) if !outline().fields(name).is_empty());
        let held = holding.map(|(of, (shape, value))| (of, shape.clone(), value.clone()));
        let apart = outermost && held.as_ref().is_some_and(|(_, shape, _)| is_record(shape));
        let block = if apart { self.open(&row, false) } else { block };
        let (path, decl) = (row.path.clone(), row.decl);
        let label = row.label.clone();
        self.push(block, row);
        let Some((variant, shape, value)) = held else { return };
        if let Shape::Named(name) = &shape
            && is_record(&shape)
        {
            for field in outline().fields(name) {
                self.field(block, field, &value, &path, false);
            }
            return;
        }
        let label = if matches!(shape, Shape::Count) { "In month".to_owned() } else { label };
        self.within.push(variant.name);
        let row = Row { of: variant.ids_of, ..Row::new(decl, value, path, label) };
        self.shape(block, &shape, row, false);
        self.within.pop();
    }

    fn open(&mut self, row: &Row, removable: bool) -> usize {
        self.blocks.push(Block { title: row.label.clone(), path: row.path.clone(), removable, rows: Vec::new() });
        self.blocks.len().saturating_sub(1)
    }

    fn push(&mut self, block: usize, row: Row) {
        if let Some(block) = self.blocks.get_mut(block) {
            block.rows.push(row);
        }
    }
}

/// The rows of an entry of a map: what it is, and what it holds.
pub fn entry(of: &Row, shape: &Shape, value: &Value, path: &str, label: &str) -> Vec<Row> {
    let mut walk = Walk { blocks: Vec::new(), within: Vec::new() };
    walk.blocks.push(Block { title: String::new(), path: path.to_owned(), removable: false, rows: Vec::new() });
    walk.shape(0, shape, Row::new(of.decl, value.clone(), path.to_owned(), label.to_owned()), false);
    walk.blocks.into_iter().flat_map(|block| block.rows).collect()
}
