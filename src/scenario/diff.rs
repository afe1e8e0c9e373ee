//! What differs between two scenarios: input by input, field by field, element by element.
//!
//! Scenarios are compared as they would be written, so that nothing that can be stated is overlooked, and no list of
//! fields stands here. Nothing here knows what a difference costs.

use std::collections::HashMap;

use serde::Serialize;

use crate::scenario::write::tree::{Builder, Tree};
use crate::scenario::write::{json, shown};
use crate::scenario::{InputRef, Problem, Scenario, Syntax, read};

/// One thing that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The path of the input, field or element.
    pub path: String,
    /// What people read for it.
    pub label: String,
    pub kind: Kind,
    /// What stands in the first scenario; none where nothing does.
    pub before: Option<String>,
    /// What stands in the second scenario; none where nothing does.
    pub after: Option<String>,
    /// Both sides as a person reads them.
    pub read: Read,
    steps: Vec<Step>,
    patch: Patch,
}

/// A difference as a person reads it.
#[derive(Clone, Debug)]
pub enum Read {
    /// An input, with its value, range and evidence; none where one scenario has no such input.
    Input(Option<Box<InputRef>>, Option<Box<InputRef>>),
    /// Anything else, in words; none where nothing stands there.
    Words(Option<String>, Option<String>),
}

/// How something differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A value, range, evidence or other field.
    Changed,
    /// An element only the second has.
    Added,
    /// An element only the first has.
    Removed,
    /// Elements in another order.
    Reordered,
}

impl Kind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Reordered => "reordered",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
enum Step {
    Field(&'static str),
    Key(String),
    Id(String),
    Position(usize),
    /// Into a variant or an optional value.
    Inner,
}

/// How the first scenario is made like the second at one place.
#[derive(Clone, Debug)]
enum Patch {
    Put(Tree),
    /// A list element, at its place in the second scenario.
    Insert(usize, Tree),
    Remove,
    Order(Vec<String>),
}

/// Everything that differs, in the order of the file.
#[must_use]
pub fn differences(first: &Scenario, second: &Scenario) -> Vec<Difference> {
    let labels = Labels { first: by_path(first), second: by_path(second) };
    let mut comparison = Comparison { labels, steps: Vec::new(), path: Vec::new(), found: Vec::new() };
    comparison.compare(&tree(first), &tree(second));
    comparison.found
}

fn tree(scenario: &Scenario) -> Tree {
    scenario.serialize(Builder).expect("building a tree in memory refuses nothing that a scenario holds")
}

fn by_path(scenario: &Scenario) -> HashMap<String, InputRef> {
    scenario.inputs().into_iter().map(|input| (input.path.clone(), input)).collect()
}

/// The first scenario with one difference taken over from the second.
///
/// # Errors
/// What the difference contradicts when it is taken over alone, such as a reference to an element not yet there.
pub fn with_difference(first: &Scenario, difference: &Difference) -> Result<Scenario, Vec<Problem>> {
    let mut whole = tree(first);
    apply(&mut whole, &difference.steps, &difference.patch);
    read(&json(&whole), Syntax::Json).map(|(scenario, _)| scenario)
}

fn apply(tree: &mut Tree, steps: &[Step], patch: &Patch) {
    let Some((step, rest)) = steps.split_first() else {
        match patch {
            Patch::Put(value) => *tree = value.clone(),
            Patch::Order(ids) => reorder(tree, ids),
            Patch::Insert(..) | Patch::Remove => {}
        }
        return;
    };
    if rest.is_empty() {
        match patch {
            Patch::Remove => return remove(tree, step),
            Patch::Insert(place, element) => {
                if let Tree::List(items) = tree {
                    items.insert((*place).min(items.len()), element.clone());
                    return;
                }
            }
            Patch::Put(value) => return put(tree, step, value),
            Patch::Order(_) => {}
        }
    }
    match (inside(tree, step), patch) {
        (Some(inner), _) => apply(inner, rest, patch),
        // A list that is left out is an empty one.
        (None, Patch::Insert(_, element)) if rest.len() == 1 => put(tree, step, &Tree::List(vec![element.clone()])),
        (None, _) => {}
    }
}

fn inside<'t>(tree: &'t mut Tree, step: &Step) -> Option<&'t mut Tree> {
    match (tree, step) {
        (Tree::Record(fields), Step::Field(name)) => {
            fields.iter_mut().find(|(field, _)| field == name).map(|(_, value)| value)
        }
        (Tree::Map(entries), Step::Key(key)) => {
            entries.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
        }
        (Tree::List(items), Step::Id(id)) => items.iter_mut().find(|item| item.id() == Some(id)),
        (Tree::List(items), Step::Position(position)) => items.get_mut(*position),
        (Tree::Variant(_, inner) | Tree::Some(inner), Step::Inner) => Some(inner),
        _ => None,
    }
}

fn put(tree: &mut Tree, step: &Step, value: &Tree) {
    if let Some(inner) = inside(tree, step) {
        *inner = value.clone();
        return;
    }
    match (tree, step) {
        (Tree::Record(fields), Step::Field(name)) => fields.push((name, value.clone())),
        (Tree::Map(entries), Step::Key(key)) => entries.push((key.clone(), value.clone())),
        _ => {}
    }
}

fn remove(tree: &mut Tree, step: &Step) {
    match (tree, step) {
        (Tree::Record(fields), Step::Field(name)) => fields.retain(|(field, _)| field != name),
        (Tree::Map(entries), Step::Key(key)) => entries.retain(|(name, _)| name != key),
        (Tree::List(items), Step::Id(id)) => items.retain(|item| item.id() != Some(id)),
        _ => {}
    }
}

/// Elements in the order of the ids; what is not named keeps its order after them.
fn reorder(tree: &mut Tree, ids: &[String]) {
    if let Tree::List(items) = tree {
        let place = |item: &Tree| ids.iter().position(|id| item.id() == Some(id)).unwrap_or(ids.len());
        items.sort_by_key(place);
    }
}

/// What people read for paths that are inputs, and their values where the file leaves them out.
struct Labels {
    first: HashMap<String, InputRef>,
    second: HashMap<String, InputRef>,
}

struct Comparison {
    labels: Labels,
    steps: Vec<Step>,
    path: Vec<String>,
    found: Vec<Difference>,
}

impl Comparison {
    fn compare(&mut self, first: &Tree, second: &Tree) {
        match (first, second) {
            (a, b) if a == b => {}
            (Tree::Record(a), Tree::Record(b)) if !is_input(first) && !is_input(second) => self.records(a, b),
            (Tree::Map(a), Tree::Map(b)) => self.maps(a, b),
            (Tree::List(a), Tree::List(b)) => self.lists(first, second, a, b),
            (Tree::Variant(a, x), Tree::Variant(b, y)) if a == b => {
                self.inside(Step::Inner, None, |this| this.compare(x, y))
            }
            (Tree::Some(x), Tree::Some(y)) => self.inside(Step::Inner, None, |this| this.compare(x, y)),
            (a, b) => self.report(Kind::Changed, Some(a), Some(b), Patch::Put(b.clone())),
        }
    }

    fn inside(&mut self, step: Step, segment: Option<&str>, compare: impl FnOnce(&mut Self)) {
        self.steps.push(step);
        self.path.extend(segment.map(str::to_owned));
        compare(self);
        if segment.is_some() {
            self.path.pop();
        }
        self.steps.pop();
    }

    fn records(&mut self, first: &[(&'static str, Tree)], second: &[(&'static str, Tree)]) {
        let find = |fields: &'_ [(&'static str, Tree)], name: &str| fields.iter().position(|(field, _)| *field == name);
        // The order of the file, as far as either has the field.
        let mut names: Vec<&'static str> = second.iter().map(|(name, _)| *name).collect();
        for (name, _) in first {
            if !names.contains(name) {
                names.push(name);
            }
        }
        for name in names {
            let a = find(first, name).and_then(|place| first.get(place)).map(|(_, value)| value);
            let b = find(second, name).and_then(|place| second.get(place)).map(|(_, value)| value);
            self.inside(Step::Field(name), Some(name), |this| this.entries(Kind::Changed, Kind::Changed, a, b));
        }
    }

    fn maps(&mut self, first: &[(String, Tree)], second: &[(String, Tree)]) {
        let mut keys: Vec<&String> = first.iter().chain(second).map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let of = |entries: &'_ [(String, Tree)]| entries.iter().position(|(name, _)| name == key);
            let a = of(first).and_then(|place| first.get(place)).map(|(_, value)| value);
            let b = of(second).and_then(|place| second.get(place)).map(|(_, value)| value);
            self.inside(Step::Key(key.clone()), Some(key), |this| this.entries(Kind::Added, Kind::Removed, a, b));
        }
    }

    fn entries(&mut self, added: Kind, removed: Kind, first: Option<&Tree>, second: Option<&Tree>) {
        match (first, second) {
            (Some(a), Some(b)) => self.compare(a, b),
            // A list that is left out is an empty one.
            (Some(a @ Tree::List(_)), None) => self.compare(a, &Tree::List(Vec::new())),
            (None, Some(b @ Tree::List(_))) => self.compare(&Tree::List(Vec::new()), b),
            (None, Some(b)) => self.report(added, None, Some(b), Patch::Put(b.clone())),
            (Some(a), None) => self.report(removed, Some(a), None, Patch::Remove),
            (None, None) => {}
        }
    }

    fn lists(&mut self, first: &Tree, second: &Tree, a: &[Tree], b: &[Tree]) {
        let ids =
            |items: &[Tree]| items.iter().map(|item| item.id().map(str::to_owned)).collect::<Option<Vec<String>>>();
        match (ids(a), ids(b)) {
            (Some(of_a), Some(of_b)) => self.elements(a, b, &of_a, &of_b),
            _ if a.len() == b.len() => {
                for (position, (x, y)) in a.iter().zip(b).enumerate() {
                    self.inside(Step::Position(position), Some(&position.to_string()), |this| this.compare(x, y));
                }
            }
            _ => self.report(Kind::Changed, Some(first), Some(second), Patch::Put(second.clone())),
        }
    }

    fn elements(&mut self, a: &[Tree], b: &[Tree], of_a: &[String], of_b: &[String]) {
        let (in_a, in_b): (HashMap<&String, &Tree>, HashMap<&String, &Tree>) =
            (of_a.iter().zip(a).collect(), of_b.iter().zip(b).collect());
        for (id, element) in of_a.iter().zip(a) {
            if !in_b.contains_key(id) {
                self.inside(Step::Id(id.clone()), Some(id), |this| {
                    this.report(Kind::Removed, Some(element), None, Patch::Remove)
                });
            }
        }
        for (place, (id, element)) in of_b.iter().zip(b).enumerate() {
            self.inside(Step::Id(id.clone()), Some(id), |this| match in_a.get(id) {
                Some(before) => this.compare(before, element),
                None => this.report(Kind::Added, None, Some(element), Patch::Insert(place, element.clone())),
            });
        }
        let common = |ids: &[String], other: &HashMap<&String, &Tree>| -> Vec<String> {
            ids.iter().filter(|id| other.contains_key(id)).cloned().collect()
        };
        let (before, after) = (common(of_a, &in_b), common(of_b, &in_a));
        if before != after {
            let (label, path) = (self.path.last().cloned().unwrap_or_default(), self.path.join("."));
            self.found.push(Difference {
                path,
                label,
                kind: Kind::Reordered,
                before: Some(before.join(", ")),
                after: Some(after.join(", ")),
                read: Read::Words(Some(before.join(", ")), Some(after.join(", "))),
                steps: self.steps.clone(),
                patch: Patch::Order(of_b.to_vec()),
            });
        }
    }

    fn report(&mut self, kind: Kind, first: Option<&Tree>, second: Option<&Tree>, patch: Patch) {
        let path = self.path.join(".");
        let (a, b) = (self.labels.first.get(&path), self.labels.second.get(&path));
        // What the file leaves out of an input is its default, which the walk knows.
        let text = |tree: Option<&Tree>, input: Option<&InputRef>| {
            tree.map(shown).or_else(|| input.map(|input| input.input.value.to_string()))
        };
        let label = b.or(a).map_or_else(|| self.path.last().cloned().unwrap_or_default(), InputRef::full_label);
        let (before, after) = (text(first, a), text(second, b));
        let read = if a.is_none() && b.is_none() {
            Read::Words(first.map(words), second.map(words))
        } else {
            Read::Input(a.cloned().map(Box::new), b.cloned().map(Box::new))
        };
        self.found.push(Difference { path, label, kind, before, after, read, steps: self.steps.clone(), patch });
    }
}

/// A number with its range or evidence.
fn is_input(tree: &Tree) -> bool {
    matches!(tree, Tree::Record(fields) if fields.first().is_some_and(|(name, _)| *name == "value"))
}

/// A part of a scenario in words: an element by its name, anything else by what stands in it.
fn words(tree: &Tree) -> String {
    let field = |(name, value): &(&str, Tree)| format!("{} {}", name.replace('_', " "), words(value));
    match tree {
        Tree::Text(text) | Tree::Bare(text) => text.clone(),
        Tree::Name(name) => spaced(name),
        Tree::None => "none".into(),
        Tree::Some(inner) => words(inner),
        Tree::List(items) => items.iter().map(words).collect::<Vec<_>>().join(", "),
        Tree::Map(entries) => {
            entries.iter().map(|(key, value)| format!("{key} {}", words(value))).collect::<Vec<_>>().join(", ")
        }
        Tree::Variant(name, inner) => format!("{}: {}", spaced(name), words(inner)),
        Tree::Record(fields) => {
            let called = fields.iter().find(|(name, _)| matches!(*name, "name" | "label" | "value"));
            match called {
                Some((_, called)) => words(called),
                None => fields.iter().map(field).collect::<Vec<_>>().join(", "),
            }
        }
    }
}

/// `EndOfMonth` as `end of month`.
fn spaced(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 4);
    for (place, letter) in name.char_indices() {
        if letter.is_uppercase() && place > 0 {
            text.push(' ');
        }
        text.extend(letter.to_lowercase());
    }
    text
}
