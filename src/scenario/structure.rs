//! Changes of a scenario beyond the value of an input: fields put, elements added, moved, renamed and removed, by path.
//!
//! A scenario is changed as it would be written, along the declarations of its fields; no field is named here, and nothing
//! knows what a scenario costs.

use std::sync::OnceLock;

use serde_json::{Map, Value};

pub use crate::scenario::id::{free_id, free_name};

use crate::input::{Decl, Field, FieldType, Kind, Limit, Shape, Type, Types, Unit, VariantType};
use crate::scenario::problem::{self, Problem};
use crate::scenario::{ROOT, Scenario, validate};

/// A change of what a scenario consists of. Paths are those of problems and inputs; the names of variants are left out.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    /// Puts a value, as it would be written in JSON; null leaves the field out, so that its default holds.
    Put { path: String, value: Value },
    /// Adds an element to a list, at a place or at its end.
    Insert { list: String, at: Option<usize>, value: Value },
    /// Takes an element out of a list or map, and everything that refers to it.
    Remove { path: String },
    /// Moves an element of a list to another place in it.
    Move { path: String, to: usize },
    /// Gives an element another id; what refers to it follows.
    Rename { path: String, to: String },
    /// Several changes as one.
    All(Vec<Change>),
}

/// Something that refers to an element, and would go with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dependent {
    pub path: String,
}

/// The declarations of a scenario, for walking along a value of it.
pub struct Outline {
    types: Types,
    root: Shape,
}

/// The outline of every scenario.
pub fn outline() -> &'static Outline {
    static OUTLINE: OnceLock<Outline> = OnceLock::new();
    OUTLINE.get_or_init(|| {
        let mut types = Types::default();
        let root = Scenario::shape(&mut types);
        Outline { types, root }
    })
}

/// A scenario as it would be written in JSON.
#[must_use]
pub fn written(scenario: &Scenario) -> Value {
    crate::input::written(scenario)
}

/// The scenario of a value, with every rule checked.
///
/// # Errors
/// What is wrong with the value, each with its path.
pub fn read(value: Value) -> Result<Scenario, Vec<Problem>> {
    let scenario: Scenario =
        serde_json::from_value(value).map_err(|error| vec![Problem::error("", error.to_string())])?;
    let errors = validate::errors(&scenario);
    if errors.is_empty() { Ok(scenario) } else { Err(errors) }
}

/// The scenario after a change.
///
/// # Errors
/// The place does not exist, or the scenario would not be valid; the scenario stays as it was.
pub fn changed(scenario: &Scenario, change: &Change) -> Result<Scenario, Vec<Problem>> {
    let mut value = written(scenario);
    outline().make(&mut value, change).map_err(|problem| vec![problem])?;
    read(value)
}

/// What refers to an element of a list or map, and would go with it.
#[must_use]
pub fn dependents(scenario: &Scenario, path: &str) -> Vec<Dependent> {
    let mut value = written(scenario);
    let mut found = Vec::new();
    outline().release(&mut value, path, &mut found);
    found
}

/// An element once more, with an id and a name of its own; a placement, where that is wished, with its environments. Gives
/// the change with the id and the name of the copy; none where there is no such element.
#[must_use]
pub fn duplicate(scenario: &Scenario, path: &str, with_environments: bool) -> Option<(Change, String, String)> {
    let whole = written(scenario);
    let list = parent(path);
    let elements = whole.get(list)?.as_array()?;
    let at = elements.iter().position(|element| text(element, "id") == last(path))?;
    let mut copy = elements.get(at)?.clone();
    let (id, name) = renamed(&mut copy, elements);
    let mut changes = Vec::new();
    if with_environments && let Some(environments) = whole.get("environments").and_then(Value::as_array) {
        let mut known = environments.clone();
        let named = environments.iter().filter(|environment| refers_to(&copy, text(environment, "id")));
        for environment in named.collect::<Vec<_>>() {
            let mut own = environment.clone();
            let (of, _) = renamed(&mut own, &known);
            known.push(own.clone());
            changes.push(Change::Insert { list: "environments".to_owned(), at: None, value: own });
            let from = text(environment, "id").to_owned();
            let judge = &mut |_: &[String], refers: Refers, text: &str| match refers {
                Refers::Id("environments") if text == from => Fate::Becomes(of.clone()),
                _ => Fate::Stays,
            };
            outline().settle(&mut copy, &Shape::Named("Placement"), Refers::Nothing, &mut Vec::new(), judge);
        }
    }
    changes.push(Change::Insert { list: list.to_owned(), at: at.checked_add(1), value: copy });
    Some((Change::All(changes), id, name))
}

/// Gives an element a name and an id that no other has yet.
fn renamed(element: &mut Value, others: &[Value]) -> (String, String) {
    let names: Vec<&str> = others.iter().map(|other| text(other, "name")).collect();
    let ids: Vec<&str> = others.iter().map(|other| text(other, "id")).collect();
    let name = free_name(text(element, "name"), names.iter().copied());
    let id = free_id(&name, ids.iter().copied());
    if let Some(record) = element.as_object_mut() {
        record.insert("id".to_owned(), id.clone().into());
        record.insert("name".to_owned(), name.clone().into());
    }
    (id, name)
}

/// Whether a placement names this environment.
fn refers_to(placement: &Value, environment: &str) -> bool {
    let mut found = false;
    let judge = &mut |_: &[String], refers: Refers, text: &str| {
        found |= refers == Refers::Id("environments") && text == environment;
        Fate::Stays
    };
    let mut placement = placement.clone();
    outline().settle(&mut placement, &Shape::Named("Placement"), Refers::Nothing, &mut Vec::new(), judge);
    found
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// Where a value stands: the container that holds it.
enum Slot<'v> {
    Field { record: &'v mut Map<String, Value>, field: &'static str, shape: Shape },
    Item { list: &'v mut Vec<Value>, at: usize, shape: Shape },
    Entry { map: &'v mut Map<String, Value>, key: String },
}

/// What a text or key names, as its declaration says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Refers {
    Nothing,
    /// An element of this list of the scenario.
    Id(&'static str),
    Path,
}

impl Refers {
    fn of(unit: Unit) -> Self {
        match unit {
            Unit::IdOf(list) => Self::Id(list),
            Unit::PathOfInput => Self::Path,
            _ => Self::Nothing,
        }
    }
}

/// What becomes of a reference.
enum Fate {
    Stays,
    Becomes(String),
    Goes,
}

impl Outline {
    /// The type of this name.
    #[must_use]
    pub fn of_name(&self, name: &str) -> Option<&Type> {
        self.types.get(name)
    }

    /// The fields of a record, by the name of its type.
    #[must_use]
    pub fn fields(&self, name: &str) -> &[FieldType] {
        match self.of_name(name).map(|of| &of.kind) {
            Some(Kind::Record { fields, .. }) => fields,
            _ => &[],
        }
    }

    /// The fields of the scenario.
    #[must_use]
    pub fn root(&self) -> &[FieldType] {
        match &self.root {
            Shape::Named(name) => self.fields(name),
            _ => &[],
        }
    }

    /// The alternatives of a type, where it has them.
    #[must_use]
    pub fn variants(&self, shape: &Shape) -> Option<&[VariantType]> {
        let Shape::Named(name) = shape else { return None };
        match self.of_name(name).map(|of| &of.kind) {
            Some(Kind::Variants(variants) | Kind::Choice(variants)) => Some(variants),
            _ => None,
        }
    }

    /// The least value that a field of this shape can hold, for an element that is new.
    #[must_use]
    pub fn blank(&self, shape: &Shape, decl: &Decl) -> Value {
        match shape {
            Shape::Text => Value::String(String::new()),
            Shape::YesNo => Value::Bool(false),
            Shape::Count => Value::from(least(decl).parse::<u64>().unwrap_or(0)),
            Shape::Number | Shape::Input => Value::String(least(decl)),
            Shape::Declared(own) => Value::String(least(own)),
            Shape::Beside { other, shape, input } => {
                let mut record = Map::new();
                if !matches!(**shape, Shape::Optional(_)) {
                    record.insert((*other).to_owned(), self.blank(shape, decl));
                }
                record.insert((*input).to_owned(), Value::String(least(decl)));
                Value::Object(record)
            }
            Shape::Optional(_) => Value::Null,
            Shape::List(_) => Value::Array(Vec::new()),
            Shape::Map(_) => Value::Object(Map::new()),
            Shape::Named(name) => match self.of_name(name).map(|of| &of.kind) {
                Some(Kind::Record { fields, .. }) => {
                    let required = fields.iter().filter(|field| field.default.is_none());
                    let blank = |field: &FieldType| (field.decl.name.to_owned(), self.blank(&field.shape, field.decl));
                    Value::Object(required.map(blank).collect())
                }
                Some(Kind::Variants(variants)) => {
                    variants.first().map_or(Value::Null, |first| self.blank_variant(first, decl))
                }
                Some(Kind::Choice(names)) => names.first().map_or(Value::Null, |first| first.name.into()),
                Some(Kind::Input(_)) => Value::String(least(decl)),
                None => Value::Null,
            },
        }
    }

    /// A variant with the least that it can hold.
    #[must_use]
    pub fn blank_variant(&self, variant: &VariantType, decl: &Decl) -> Value {
        let Some(held) = &variant.holds else { return variant.name.into() };
        let mut inner = self.blank(held, decl);
        // A list that makes a variant is never empty.
        if let (Value::Array(items), Shape::List(of)) = (&mut inner, held) {
            items.push(self.blank(of, decl));
        }
        Value::Object(Map::from_iter([(variant.name.to_owned(), inner)]))
    }

    /// A variant that keeps of the value before whatever it has a field of the same name and shape for.
    #[must_use]
    pub fn switched(&self, before: &Value, shape: &Shape, to: &VariantType, decl: &Decl) -> Value {
        let mut after = self.blank_variant(to, decl);
        let Some(variants) = self.variants(shape) else { return after };
        let Some((old, before)) = before.as_object().and_then(|object| object.iter().next()) else { return after };
        let old = variants.iter().find(|variant| variant.name == old).and_then(|variant| variant.holds.as_ref());
        let (Some(Shape::Named(old)), Some(Shape::Named(new))) = (old, &to.holds) else { return after };
        let (Some(before), Some(after_held)) =
            (before.as_object(), after.get_mut(to.name).and_then(Value::as_object_mut))
        else {
            return after;
        };
        for field in self.fields(new) {
            let same = self.fields(old).iter().any(|of| of.decl.name == field.decl.name && of.shape == field.shape);
            if let Some(kept) = before.get(field.decl.name).filter(|_| same) {
                after_held.insert(field.decl.name.to_owned(), kept.clone());
            }
        }
        after
    }

    /// Makes a change in a value, without asking whether what results is valid.
    ///
    /// # Errors
    /// The place does not exist.
    pub fn make(&self, value: &mut Value, change: &Change) -> Result<(), Problem> {
        match change {
            Change::Put { path, value: put } => self.put(value, path, put.clone()),
            Change::Insert { list, at, value: element } => self.insert(value, list, *at, element.clone()),
            Change::Remove { path } => {
                self.release(value, path, &mut Vec::new());
                self.take(value, path).map(|_| ())
            }
            Change::Move { path, to } => self.relocate(value, path, *to),
            Change::Rename { path, to } => self.rename(value, path, to),
            Change::All(changes) => changes.iter().try_for_each(|change| self.make(value, change)),
        }
    }

    /// What stands at a path, as it would be written; none where the file leaves it out or has no such place.
    #[must_use]
    pub fn at(&self, value: &Value, path: &str) -> Option<Value> {
        let mut value = value.clone();
        match self.slot(&mut value, path)? {
            Slot::Field { record, field, .. } => record.get(field).cloned(),
            Slot::Item { list, at, .. } => list.get(at).cloned(),
            Slot::Entry { map, key } => map.get(&key).cloned(),
        }
    }

    fn put(&self, value: &mut Value, path: &str, put: Value) -> Result<(), Problem> {
        match self.slot(value, path).ok_or_else(|| no_such_place(path))? {
            Slot::Field { record, field, .. } => {
                if put.is_null() {
                    record.shift_remove(field);
                } else {
                    record.insert(field.to_owned(), put);
                }
            }
            Slot::Item { list, at, .. } => {
                if let Some(item) = list.get_mut(at) {
                    *item = put;
                } else {
                    list.push(put);
                }
            }
            Slot::Entry { map, key } => {
                map.insert(key, put);
            }
        }
        Ok(())
    }

    fn insert(&self, value: &mut Value, path: &str, at: Option<usize>, element: Value) -> Result<(), Problem> {
        let list = self.list(value, path).ok_or_else(|| no_such_place(path))?;
        list.insert(at.unwrap_or(list.len()).min(list.len()), element);
        Ok(())
    }

    fn take(&self, value: &mut Value, path: &str) -> Result<Value, Problem> {
        let taken = match self.slot(value, path).ok_or_else(|| no_such_place(path))? {
            Slot::Field { record, field, .. } => record.shift_remove(field),
            Slot::Item { list, at, .. } => (at < list.len()).then(|| list.remove(at)),
            Slot::Entry { map, key } => map.shift_remove(&key),
        };
        taken.ok_or_else(|| no_such_place(path))
    }

    fn relocate(&self, value: &mut Value, path: &str, to: usize) -> Result<(), Problem> {
        match self.slot(value, path) {
            Some(Slot::Item { list, at, .. }) if at < list.len() => {
                let item = list.remove(at);
                list.insert(to.min(list.len()), item);
                Ok(())
            }
            _ => Err(no_such_place(path)),
        }
    }

    fn rename(&self, value: &mut Value, path: &str, to: &str) -> Result<(), Problem> {
        match self.slot(value, path).ok_or_else(|| no_such_place(path))? {
            Slot::Item { list, at, shape } => {
                let field = self.id_of(&shape).ok_or_else(|| no_such_place(path))?;
                let record = list.get_mut(at).and_then(Value::as_object_mut).ok_or_else(|| no_such_place(path))?;
                record.insert(field.decl.name.to_owned(), to.into());
            }
            Slot::Entry { map, key } => {
                if map.contains_key(to) && to != key {
                    return Err(problem::duplicate_id(path, to, parent(path)));
                }
                let renamed = std::mem::take(map).into_iter();
                *map = renamed.map(|(name, held)| (if name == key { to.to_owned() } else { name }, held)).collect();
            }
            Slot::Field { .. } => return Err(no_such_place(path)),
        }
        let (list, id) = (parent(path), last(path));
        let judge = |refers: Refers, text: &str| match refers {
            Refers::Id(of) if of == list && text == id => Fate::Becomes(to.to_owned()),
            Refers::Path => self.renamed_path(text, path, to).map_or(Fate::Stays, Fate::Becomes),
            _ => Fate::Stays,
        };
        self.settle(value, &self.root, Refers::Nothing, &mut Vec::new(), &mut |_, refers, text| judge(refers, text));
        Ok(())
    }

    /// The path after an element of it was renamed; none where it does not lead through the element.
    fn renamed_path(&self, text: &str, element: &str, to: &str) -> Option<String> {
        let mut steps: Vec<&str> = text.split('.').collect();
        let deep = element.split('.').count();
        let mut changed = false;
        if below(text, element)
            && let Some(step) = steps.get_mut(deep.saturating_sub(1))
        {
            *step = to;
            changed = true;
        }
        let (list, id) = (parent(element), last(element));
        for (step, refers) in steps.iter_mut().zip(self.names_in(text)) {
            if refers == Refers::Id(as_root_list(list)) && *step == id {
                *step = to;
                changed = true;
            }
        }
        changed.then(|| steps.join("."))
    }

    /// Lets go of an element: whatever refers to it goes, and is noted; what cannot be without the reference goes too.
    fn release(&self, value: &mut Value, path: &str, found: &mut Vec<Dependent>) {
        let (list, id) = (as_root_list(parent(path)), last(path));
        let mut judge = |at: &[String], refers: Refers, text: &str| {
            let own = below(&at.join("."), path);
            let leads_there = match refers {
                Refers::Id(of) => of == list && text == id,
                Refers::Path => {
                    below(text, path)
                        || text.split('.').zip(self.names_in(text)).any(|(s, r)| r == Refers::Id(list) && s == id)
                }
                Refers::Nothing => false,
            };
            if leads_there && !own {
                found.push(Dependent { path: at.join(".") });
                return Fate::Goes;
            }
            Fate::Stays
        };
        self.settle(value, &self.root, Refers::Nothing, &mut Vec::new(), &mut judge);
        self.drop_emptied(value, found);
    }

    /// A placement serves something: one that has lost its last assignment goes.
    fn drop_emptied(&self, value: &mut Value, found: &mut Vec<Dependent>) {
        let Some(placements) = value.get_mut("placements").and_then(Value::as_array_mut) else { return };
        placements.retain(|placement| {
            let emptied = placement.get("assignments").and_then(Value::as_array).is_some_and(Vec::is_empty);
            if emptied {
                let id = placement.get("id").and_then(Value::as_str).unwrap_or_default();
                found.push(Dependent { path: format!("placements.{id}") });
            }
            !emptied
        });
    }

    /// Asks for the fate of every reference, and lets it have it. Says whether the value goes, since it cannot be without
    /// a reference that goes.
    fn settle(
        &self,
        value: &mut Value,
        shape: &Shape,
        refers: Refers,
        at: &mut Vec<String>,
        judge: &mut dyn FnMut(&[String], Refers, &str) -> Fate,
    ) -> bool {
        match shape {
            Shape::Optional(inner) => {
                if !value.is_null() && self.settle(value, inner, refers, at, judge) {
                    *value = Value::Null;
                }
                false
            }
            Shape::Text => {
                let Some(text) = value.as_str().filter(|_| refers != Refers::Nothing) else { return false };
                match judge(at, refers, text) {
                    Fate::Stays => false,
                    Fate::Becomes(text) => {
                        *value = Value::String(text);
                        false
                    }
                    Fate::Goes => true,
                }
            }
            Shape::List(inner) => {
                let Some(items) = value.as_array_mut() else { return false };
                let mut place = 0_usize;
                items.retain_mut(|item| {
                    at.push(self.step_of(item, inner, place));
                    place = place.saturating_add(1);
                    let goes = self.settle(item, inner, refers, at, judge);
                    at.pop();
                    !goes
                });
                false
            }
            Shape::Map(inner) => {
                let Some(map) = value.as_object_mut() else { return false };
                for (key, mut held) in std::mem::take(map) {
                    at.push(key.clone());
                    let fate = if refers == Refers::Nothing { Fate::Stays } else { judge(at, refers, &key) };
                    let goes = matches!(fate, Fate::Goes) || self.settle(&mut held, inner, Refers::Nothing, at, judge);
                    at.pop();
                    if !goes {
                        let key = if let Fate::Becomes(key) = fate { key } else { key };
                        map.insert(key, held);
                    }
                }
                false
            }
            Shape::Named(name) => self.settle_named(value, name, refers, at, judge),
            Shape::YesNo | Shape::Count | Shape::Number | Shape::Input | Shape::Declared(_) | Shape::Beside { .. } => {
                false
            }
        }
    }

    fn settle_named(
        &self,
        value: &mut Value,
        name: &str,
        refers: Refers,
        at: &mut Vec<String>,
        judge: &mut dyn FnMut(&[String], Refers, &str) -> Fate,
    ) -> bool {
        let (Some(of), Some(record)) = (self.of_name(name), value.as_object_mut()) else { return false };
        match &of.kind {
            Kind::Record { fields, .. } => {
                let mut goes = false;
                for field in fields {
                    let Some(held) = record.get_mut(field.decl.name) else { continue };
                    at.push(field.decl.name.to_owned());
                    goes |= self.settle(held, &field.shape, Refers::of(field.decl.unit), at, judge);
                    at.pop();
                }
                goes
            }
            Kind::Variants(variants) => {
                let Some((name, held)) = record.iter_mut().next() else { return false };
                let Some(variant) = variants.iter().find(|variant| variant.name == name) else { return false };
                let Some(shape) = &variant.holds else { return false };
                let refers = variant.ids_of.map_or(refers, Refers::Id);
                self.settle(held, shape, refers, at, judge)
            }
            Kind::Choice(_) | Kind::Input(_) => false,
        }
    }

    /// How an element of a list stands in a path.
    fn step_of(&self, item: &Value, shape: &Shape, place: usize) -> String {
        let id = self.id_of(shape).and_then(|field| item.get(field.decl.name)).and_then(Value::as_str);
        id.map_or_else(|| place.to_string(), str::to_owned)
    }

    /// The field by which elements of this shape are addressed.
    fn id_of(&self, shape: &Shape) -> Option<&FieldType> {
        let Shape::Named(name) = shape else { return None };
        match &self.of_name(name)?.kind {
            Kind::Record { fields, id: Some(id) } => fields.iter().find(|field| field.decl.name == *id),
            _ => None,
        }
    }

    /// What each step of the path of an input names, as far as it can be followed.
    fn names_in(&self, path: &str) -> Vec<Refers> {
        let steps: Vec<&str> = path.split('.').collect();
        let mut named = vec![Refers::Nothing; steps.len()];
        self.follow(&self.root, Refers::Nothing, &steps, 0, &mut named);
        named
    }

    /// Whether the steps from `at` on can be followed through this shape.
    fn follow(&self, shape: &Shape, refers: Refers, steps: &[&str], at: usize, named: &mut [Refers]) -> bool {
        let Some(step) = steps.get(at) else { return true };
        let next = at.saturating_add(1);
        match shape {
            Shape::Optional(inner) => self.follow(inner, refers, steps, at, named),
            Shape::List(inner) => {
                let id = self.id_of(inner);
                if id.is_none() && step.parse::<usize>().is_err() {
                    return false;
                }
                let id = id.map_or(Refers::Nothing, |field| Refers::of(field.decl.unit));
                if let Some(place) = named.get_mut(at) {
                    *place = id;
                }
                self.follow(inner, refers, steps, next, named)
            }
            Shape::Map(inner) => {
                if let Some(place) = named.get_mut(at) {
                    *place = refers;
                }
                self.follow(inner, Refers::Nothing, steps, next, named)
            }
            Shape::Named(name) => match self.of_name(name).map(|of| &of.kind) {
                Some(Kind::Record { fields, .. }) => fields
                    .iter()
                    .find(|field| field.decl.name == *step)
                    .is_some_and(|field| self.follow(&field.shape, Refers::of(field.decl.unit), steps, next, named)),
                Some(Kind::Variants(variants)) => variants.iter().any(|variant| {
                    let refers = variant.ids_of.map_or(refers, Refers::Id);
                    variant.holds.as_ref().is_some_and(|held| self.follow(held, refers, steps, at, named))
                }),
                Some(Kind::Choice(_) | Kind::Input(_)) | None => false,
            },
            Shape::Text
            | Shape::YesNo
            | Shape::Count
            | Shape::Number
            | Shape::Input
            | Shape::Declared(_)
            | Shape::Beside { .. } => false,
        }
    }

    fn slot<'v>(&self, value: &'v mut Value, path: &str) -> Option<Slot<'v>> {
        let steps: Vec<&str> = path.split('.').collect();
        self.descend(value, &self.root, &ROOT, &steps)
    }

    fn descend<'v>(&self, value: &'v mut Value, shape: &Shape, decl: &Decl, steps: &[&str]) -> Option<Slot<'v>> {
        let (step, rest) = steps.split_first()?;
        match shape {
            Shape::Optional(inner) => self.descend(value, inner, decl, steps),
            Shape::List(inner) => {
                let list = value.as_array_mut()?;
                let at = self.position(list, inner, step)?;
                if rest.is_empty() {
                    return Some(Slot::Item { list, at, shape: (**inner).clone() });
                }
                self.descend(list.get_mut(at)?, inner, decl, rest)
            }
            Shape::Map(inner) => {
                let map = value.as_object_mut()?;
                if rest.is_empty() || decl.unit == Unit::PathOfInput {
                    return Some(Slot::Entry { map, key: steps.join(".") });
                }
                self.descend(map.get_mut(*step)?, inner, decl, rest)
            }
            Shape::Named(name) => match &self.of_name(name)?.kind {
                Kind::Record { fields, .. } => {
                    let field = fields.iter().find(|field| field.decl.name == *step)?;
                    let record = value.as_object_mut()?;
                    let missing = !record.contains_key(*step);
                    if rest.is_empty() {
                        return Some(Slot::Field { record, field: field.decl.name, shape: field.shape.clone() });
                    }
                    if missing {
                        record.insert((*step).to_owned(), self.filled(field));
                    }
                    self.descend(record.get_mut(*step)?, &field.shape, field.decl, rest)
                }
                Kind::Variants(variants) => {
                    let (name, held) = value.as_object_mut()?.iter_mut().next()?;
                    let variant = variants.iter().find(|variant| variant.name == name)?;
                    self.descend(held, variant.holds.as_ref()?, decl, steps)
                }
                Kind::Choice(_) | Kind::Input(_) => None,
            },
            Shape::Beside { other, input, .. } => {
                let record = value.as_object_mut()?;
                let field = [*other, *input].into_iter().find(|name| name == step)?;
                Some(Slot::Field { record, field, shape: Shape::Input })
            }
            Shape::Text | Shape::YesNo | Shape::Count | Shape::Number | Shape::Input | Shape::Declared(_) => None,
        }
    }

    /// What a field that is left out holds when something is put inside it.
    fn filled(&self, field: &FieldType) -> Value {
        match (&field.default, &field.shape) {
            (Some(Value::Null), Shape::Optional(inner)) => self.blank(inner, field.decl),
            (Some(default), _) => default.clone(),
            (None, shape) => self.blank(shape, field.decl),
        }
    }

    fn list<'v>(&self, value: &'v mut Value, path: &str) -> Option<&'v mut Vec<Value>> {
        let held = match self.slot(value, path)? {
            Slot::Field { record, field, shape } => record.entry(field).or_insert_with(|| self.blank(&shape, &ROOT)),
            Slot::Item { list, at, .. } => list.get_mut(at)?,
            Slot::Entry { map, key } => map.get_mut(&key)?,
        };
        match held {
            Value::Array(list) => Some(list),
            // A variant that holds a list.
            Value::Object(variant) => variant.values_mut().next()?.as_array_mut(),
            _ => None,
        }
    }

    fn position(&self, list: &[Value], shape: &Shape, step: &str) -> Option<usize> {
        match self.id_of(shape) {
            Some(field) => list.iter().position(|item| item.get(field.decl.name).and_then(Value::as_str) == Some(step)),
            None => step.parse().ok(),
        }
    }
}

/// The least value that bounds accept, or the declared default.
fn least(decl: &Decl) -> String {
    if !decl.default.is_empty() {
        return decl.default.to_owned();
    }
    match decl.bounds.low {
        Limit::Including(low) => low.max(0).to_string(),
        Limit::Excluding(low) if low >= 0 => low.saturating_add(1).to_string(),
        Limit::Excluding(_) | Limit::Open => "0".to_owned(),
    }
}

/// Whether a path is this place or leads through it.
fn below(path: &str, place: &str) -> bool {
    path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn parent(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(parent, _)| parent)
}

fn last(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, last)| last)
}

/// The declared name of a list of the scenario, for comparing with what a reference names.
fn as_root_list(list: &str) -> &'static str {
    let known = outline().root().iter().find(|field| field.decl.name == list);
    known.map_or("", |field| field.decl.name)
}

fn no_such_place(path: &str) -> Problem {
    Problem::error(path, "there is no such place in the scenario. It may have been removed or renamed meanwhile.")
}
