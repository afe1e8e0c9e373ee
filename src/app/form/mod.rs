//! A form: the fields of one element of the scenario, laid out and edited as they are declared.
//!
//! No field is named here. What a form shows is the element as it would be written, walked along its declarations; what a
//! person changes is returned as edits. A change that cannot stand alone, such as one of several shares that make a whole,
//! waits beside the scenario until it can.

mod fields;
mod paste;
mod rows;
pub mod sheet;

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::Value;

pub use self::fields::{form_ui, link_ui};
pub use self::rows::{Block, blocks};
use super::command::Command;
use super::edit::Edit;
use super::fields::Fields;
use super::files;
use crate::scenario::InputRef;
use crate::scenario::structure::{self, Change, outline};
use crate::words::values::Reading;

/// What forms remember between frames.
#[derive(Default)]
pub struct Memory {
    /// The scenario as it would be written, with its inputs by path; of one revision.
    written: Option<Written>,
    /// Changes that cannot stand alone yet, and why.
    pending: Vec<Change>,
    reason: String,
    /// The currency whose exchange rate the changes wait for, where it is that.
    pub missing_rate: Option<String>,
    /// Texts that are being typed, by the path of their field.
    texts: HashMap<String, Text>,
    /// The field to bring into view and give the keyboard to.
    pub go_to: Option<String>,
}

struct Written {
    revision: u64,
    /// With the changes that wait.
    value: Rc<Value>,
    places: Rc<HashMap<String, usize>>,
}

#[derive(Default)]
struct Text {
    typed: String,
    refused: String,
}

impl Memory {
    /// Whether a text is being typed that may yet become part of the scenario.
    pub fn unsettled(&self) -> bool {
        self.texts.values().any(|text| text.refused.is_empty())
    }

    /// Forgets everything: another scenario is open.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Forgets what is typed and what waits: the scenario has moved.
    pub fn forget_drafts(&mut self) {
        self.texts.clear();
        self.drop_pending();
    }

    fn drop_pending(&mut self) {
        self.pending.clear();
        self.reason.clear();
        self.missing_rate = None;
        self.written = None;
    }
}

/// What every field of a form needs.
pub struct Form<'a> {
    /// Inputs, and where edits go.
    pub fields: Fields<'a>,
    pub memory: &'a mut Memory,
    /// The field to bring into view in this frame.
    go_to: Option<String>,
    value: Rc<Value>,
    places: Rc<HashMap<String, usize>>,
}

impl<'a> Form<'a> {
    pub fn new(fields: Fields<'a>, memory: &'a mut Memory) -> Self {
        let (document, revision) = (fields.document, fields.document.revision());
        if memory.written.as_ref().is_none_or(|written| written.revision != revision) {
            // What is edited is the base; what inputs show may have a case laid over it.
            let (base, shown) = (document.base(), document.now());
            let mut value = structure::written(&base.scenario);
            // What waits may have lost its place meanwhile.
            if outline().make(&mut value, &Change::All(memory.pending.clone())).is_err() {
                memory.drop_pending();
                value = structure::written(&base.scenario);
            }
            let places = shown.inputs.iter().enumerate().map(|(place, input)| (input.path.clone(), place)).collect();
            memory.written = Some(Written { revision, value: Rc::new(value), places: Rc::new(places) });
        }
        let (value, places) = match &memory.written {
            Some(written) => (Rc::clone(&written.value), Rc::clone(&written.places)),
            None => (Rc::default(), Rc::default()),
        };
        let go_to = memory.go_to.take();
        fields.memory.go_to.clone_from(&go_to);
        Self { fields, memory, go_to, value, places }
    }

    /// The scenario as it would be written, with what waits.
    pub fn value(&self) -> Rc<Value> {
        Rc::clone(&self.value)
    }

    /// How values of the scenario read.
    pub fn reading(&self) -> Reading<'a> {
        Reading { scenario: &self.fields.document.base().scenario, figures: self.fields.figures }
    }

    /// The input at a path, as the scenario has it.
    pub fn input(&self, path: &str) -> Option<&'a InputRef> {
        let inputs: &'a [InputRef] = &self.fields.document.now().inputs;
        self.places.get(path).and_then(|place| inputs.get(*place))
    }

    /// The input of a row, unless what waits stands at its place or around it.
    pub fn known(&self, row: &rows::Row) -> Option<&'a InputRef> {
        let is_waiting = self.memory.pending.iter().any(|change| touches(change, &row.path));
        self.input(&row.path).filter(|_| !is_waiting)
    }

    /// The currency of the prices at a path: that of the innermost element around it that has one.
    pub fn currency_at(&self, path: &str) -> String {
        let around = path.rmatch_indices('.').map(|(end, _)| &path[..end]);
        let own = around.filter_map(|around| outline().at(&self.value, &format!("{around}.currency")));
        let mut own = own.filter_map(|currency| currency.as_str().map(str::to_owned));
        own.next().unwrap_or_else(|| self.fields.document.base().scenario.currency.clone())
    }

    /// Why changes wait, where some do.
    pub fn waiting(&self) -> Option<&str> {
        (!self.memory.pending.is_empty()).then_some(self.memory.reason.as_str())
    }

    /// Lets go of the changes that wait.
    pub fn discard(&mut self) {
        self.memory.drop_pending();
    }

    /// Whether a change could be made now.
    pub fn check(&self, path: &str, change: Change) -> Result<(), String> {
        let edit = Edit::structure(path, self.with_pending(change), "");
        let edited = self.fields.document.edited(&edit, self.fields.figures)?;
        files::evaluated(edited.scenario, self.fields.today).map(|_| ())
    }

    /// Makes a change, with those that wait; or has it wait with them.
    pub fn change(&mut self, path: &str, change: Change, label: String) {
        match self.check(path, change.clone()) {
            Ok(()) => {
                let all = self.with_pending(change);
                self.memory.drop_pending();
                self.fields.commands.push(Command::Edit(Edit::structure(path, all, label)));
            }
            Err(reason) => {
                self.memory.pending.push(change);
                self.memory.reason = reason;
                self.memory.written = None;
            }
        }
    }

    fn with_pending(&self, change: Change) -> Change {
        if self.memory.pending.is_empty() {
            return change;
        }
        Change::All(self.memory.pending.iter().cloned().chain([change]).collect())
    }
}

/// Whether a change puts something at this path or around it.
fn touches(change: &Change, path: &str) -> bool {
    let around = |of: &str| path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    match change {
        Change::Put { path: of, .. } | Change::Move { path: of, .. } | Change::Remove { path: of } => around(of),
        Change::Insert { list, .. } => around(list),
        Change::Rename { path: of, .. } => around(of),
        Change::All(changes) => changes.iter().any(|change| touches(change, path)),
    }
}
