//! Records of one kind as a sheet with the keys of a spreadsheet: cost lines, assignments, performance by class.
//!
//! Columns are the declared fields of the record. Cells are read and typed as text; what is pasted goes in whole or not at
//! all. Nothing here knows what a record means.

use egui::accesskit::Role;
use egui::{
    Event, EventFilter, Id, Key, Modifiers, Rect, RichText, Sense, TextEdit, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use serde_json::Value;

use super::fields::link_ui;
use super::rows::held;
use super::{Form, paste};
use crate::app::command::Command;
use crate::app::edit::{Change as InputChange, Edit};
use crate::app::icons;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Align, Grid, GridColumn, Part, Place, Sorted, text_width};
use crate::input::{Decl, FieldType, Shape, Unit};
use crate::scenario::structure::{self, Change, free_id, outline};
use crate::words::values::exact;

/// Which cells are selected, and what is being typed into one.
#[derive(Default)]
pub struct State {
    pub row: usize,
    pub column: usize,
    anchor: Option<(usize, usize)>,
    typing: Option<Typing>,
    /// Why the last text or paste was not taken.
    refused: String,
    /// A paste that is looked at before it is made.
    pub(super) paste: Option<paste::Proposal>,
    /// Whether the fields of the current row are open beneath.
    pub details: bool,
    /// The row to look at.
    pub go_to: Option<String>,
    /// Whether the sheet is to take the keyboard.
    pub take_focus: bool,
    /// Whether what has just opened beneath the sheet is to come into view.
    pub shows_below: bool,
}

struct Typing {
    text: String,
    /// Whether the field has taken the keyboard yet.
    begun: bool,
    all_selected: bool,
    /// The suggestion that the arrows are on.
    suggestion: Option<usize>,
}

/// What a column shows.
pub enum Source<'a> {
    /// A field of the record.
    Field(&'static FieldType),
    /// The key of an entry of a map.
    Key(&'static str),
    /// What was computed for a row.
    Figure(&'a dyn Fn(&str) -> String),
}

pub struct SheetColumn<'a> {
    pub heading: String,
    pub width: f32,
    pub align: Align,
    pub source: Source<'a>,
}

/// A row that others write: it is read, not edited.
pub struct Written {
    pub cells: Vec<(String, String)>,
}

pub struct Sheet<'a> {
    /// What assistive technology calls it.
    pub name: &'a str,
    /// The path of the list or map.
    pub path: &'a str,
    pub type_name: &'static str,
    pub columns: Vec<SheetColumn<'a>>,
    /// Rows above the others that the environment itself writes.
    pub written: Vec<Written>,
    /// The records with their ids or keys.
    pub rows: Vec<(String, Value)>,
    /// The field by which a row is called, where it has one: a new row is named by it.
    pub titled: Option<&'static str>,
    /// The name of the element, for the names of steps.
    pub place: &'a str,
}

/// The rows of a list of records with ids, or of a map of records.
pub fn rows_of(value: &Value, id: &str) -> Vec<(String, Value)> {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| (item.get(id).and_then(Value::as_str).unwrap_or_default().to_owned(), item.clone()))
            .collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect(),
        _ => Vec::new(),
    }
}

/// A column for a field, as wide as its kind usually is.
pub fn column(field: &'static FieldType, currency: &str) -> SheetColumn<'static> {
    let inner = if let Shape::Optional(inner) = &field.shape { inner } else { &field.shape };
    let (width, align) = match inner {
        Shape::Input | Shape::Number | Shape::Declared(_) => (96.0, Align::Right),
        Shape::Count => (72.0, Align::Right),
        Shape::YesNo => (60.0, Align::Left),
        Shape::Text if matches!(field.decl.unit, Unit::IdOf(_)) => (130.0, Align::Left),
        Shape::Text => (200.0, Align::Left),
        Shape::Named(_) if takes_number(inner) => (96.0, Align::Right),
        _ => (124.0, Align::Left),
    };
    let unit = match field.decl.unit {
        Unit::Money(_) => format!(", {currency}"),
        unit if unit.is_percent() => ", %".to_owned(),
        _ => String::new(),
    };
    SheetColumn { heading: format!("{}{unit}", field.decl.label), width, align, source: Source::Field(field) }
}

fn takes_number(shape: &Shape) -> bool {
    let variants = outline().variants(shape).unwrap_or_default();
    variants.iter().any(|variant| matches!(variant.holds, Some(Shape::Input)))
}

impl Sheet<'_> {
    /// Draws the sheet in so much height.
    pub fn ui(&self, ui: &mut Ui, form: &mut Form<'_>, state: &mut State, height: f32) {
        state.row = state.row.min(self.rows.len().saturating_sub(1));
        state.column = state.column.min(self.columns.len().saturating_sub(1));
        let columns: Vec<GridColumn> = self.grid_columns(ui);
        let grid =
            Grid { name: self.name, columns: &columns, frozen: 1, rows: self.written.len() + self.rows.len(), foot: 0 };
        let top = ui.cursor().min;
        let rect = Rect::from_min_size(top, vec2(ui.available_width(), height));
        let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt((self.path, "sheet")));
        let has_focus = self.has_focus(&child);
        let moved = self.keys(&child, form, state, has_focus);
        let mut pressed = None;
        let typing = state.typing.is_some();
        let mut open: Option<(Rect, usize)> = None;
        let outcome = {
            let mut draw = |ui: &mut Ui, place: &Place| {
                if let Some(at) = self.row_ui(ui, form, state, place, has_focus || typing) {
                    pressed = Some(at);
                }
                if let (Part::Row(row), true) = (place.part, typing)
                    && row == self.written.len() + state.row
                    && let Some(cell) = place.cell(state.column)
                {
                    open = Some((cell, state.column));
                }
            };
            let go_to = moved.then(|| self.written.len() + state.row);
            grid.show(&mut child, go_to, &mut draw)
        };
        if std::mem::take(&mut state.take_focus) {
            child.memory_mut(|memory| memory.request_focus(outcome.id));
        }
        if outcome.has_focus {
            // A sheet without rows has no cell to go to: Tab leaves it.
            let tab = !self.rows.is_empty();
            let filter = EventFilter { tab, horizontal_arrows: true, vertical_arrows: true, escape: true };
            child.memory_mut(|memory| memory.set_focus_lock_filter(outcome.id, filter));
        }
        if let Some((row, column, twice, extend)) = pressed {
            if state.typing.is_some() {
                self.commit(form, state);
            }
            if extend {
                state.anchor.get_or_insert((state.row, state.column));
            } else {
                state.anchor = None;
            }
            (state.row, state.column) = (row, column);
            child.memory_mut(|memory| memory.request_focus(outcome.id));
            if twice {
                self.begin(form, state, None);
            }
        }
        let mut bottom = child.min_rect().max.y;
        if let Some((cell, column)) = open {
            bottom = bottom.max(self.typing_ui(&mut child, form, state, cell, column, outcome.id));
        }
        let used = Rect::from_min_max(top, pos2(rect.max.x, bottom.max(top.y + 60.0)));
        ui.allocate_rect(used, Sense::hover());
        self.below_ui(ui, form, state);
    }

    fn has_focus(&self, ui: &Ui) -> bool {
        ui.memory(|memory| memory.has_focus(ui.scope_id().with(("grid", self.name))))
    }

    fn grid_columns(&self, ui: &Ui) -> Vec<GridColumn> {
        let least =
            |column: &SheetColumn<'_>| column.width.max(GridColumn::least(ui.painter(), &column.heading) - 10.0);
        let wanted: f32 = self.columns.iter().map(least).sum();
        let spare = (ui.available_width() - wanted - 18.0).max(0.0);
        // What is left over goes to the names, within reason.
        let names = self.columns.iter().filter(|column| column.align == Align::Left).count().max(1);
        let more = (spare / names as f32).min(160.0);
        let of = |column: &SheetColumn<'_>| GridColumn {
            heading: column.heading.clone(),
            width: (least(column) + if column.align == Align::Left { more } else { 0.0 }).floor(),
            align: column.align,
            sorted: Sorted::Never,
        };
        self.columns.iter().map(of).collect()
    }

    /// The text of a cell as it is read.
    fn text(&self, form: &Form<'_>, row: usize, column: usize) -> String {
        let (Some((id, record)), Some(column)) = (self.rows.get(row), self.columns.get(column)) else {
            return String::new();
        };
        match &column.source {
            Source::Field(field) => {
                let value = held(field, record);
                match form.reading().text(&field.shape, field.decl, None, &value) {
                    text if text == "no" => String::new(),
                    text => text,
                }
            }
            Source::Key(list) => form.reading().name(Some(list), id),
            Source::Figure(figure) => figure(id),
        }
    }

    fn row_ui(
        &self,
        ui: &mut Ui,
        form: &Form<'_>,
        state: &State,
        place: &Place,
        active: bool,
    ) -> Option<(usize, usize, bool, bool)> {
        let Part::Row(shown) = place.part else { return None };
        let palette = Palette::of(ui.visuals());
        ui.painter().hline(place.rect.x_range(), place.rect.max.y - 0.5, egui::Stroke::new(1.0, palette.line));
        let Some(row) = shown.checked_sub(self.written.len()) else {
            self.written_ui(ui, shown, place);
            return None;
        };
        let mut pressed = None;
        for (column, of) in self.columns.iter().enumerate() {
            let Some(cell) = place.cell(column) else { continue };
            let seen = cell.intersect(place.clip(column)).intersect(ui.clip_rect());
            let response = ui.interact(seen, ui.scope_id().with((self.path, row, column)), Sense::CLICK);
            let text = self.text(form, row, column);
            let name = format!("{}, {}", self.row_name(form, row), of.heading);
            response.widget_info(|| {
                let mut info = WidgetInfo::labeled(Role::Cell, true, &name);
                info.current_text_value = Some(text.clone());
                info
            });
            let is_selected = self.selected(state, row, column);
            if active && is_selected {
                ui.painter().with_clip_rect(seen).rect_filled(seen, 0, palette.sel);
            }
            let ink = match of.source {
                Source::Field(_) | Source::Key(_) => palette.input,
                Source::Figure(_) => palette.text,
            };
            let shown = if text.is_empty() { "–" } else { &text };
            let ink = if text.is_empty() { palette.text3 } else { ink };
            let cut = place.text(ui, column, of.align, shown, &theme::BODY, ink);
            if (row, column) == (state.row, state.column) {
                let weight = if active { 2.0 } else { 1.0 };
                icons::border(&ui.painter().with_clip_rect(seen.expand(1.0)), seen, 0, weight, palette.accent);
            }
            if response.clicked() {
                let extend = ui.input(|input| input.modifiers.shift);
                let twice =
                    response.double_clicked() || self.is_choice(column) && (row, column) == (state.row, state.column);
                pressed = Some((row, column, twice, extend));
            }
            if cut {
                use crate::app::widgets::Told as _;
                response.told(text);
            }
        }
        pressed
    }

    fn written_ui(&self, ui: &mut Ui, row: usize, place: &Place) {
        let palette = Palette::of(ui.visuals());
        let Some(written) = self.written.get(row) else { return };
        for (column, of) in self.columns.iter().enumerate() {
            let Some((_, text)) = written.cells.iter().find(|(heading, _)| *heading == of.heading) else { continue };
            place.text(ui, column, of.align, text, &theme::BODY, palette.text2);
            let Some(cell) = place.cell(column) else { continue };
            let response = ui.interact(cell, ui.scope_id().with((self.path, "written", row, column)), Sense::hover());
            let name = written.cells.first().map_or("", |(_, name)| name.as_str());
            response.widget_info(|| {
                let mut info = WidgetInfo::labeled(Role::Cell, true, format!("{name}, {}", of.heading));
                info.current_text_value = Some(text.clone());
                info
            });
        }
    }

    fn row_name(&self, form: &Form<'_>, row: usize) -> String {
        match (self.titled, self.rows.get(row)) {
            (Some(title), Some((_, record))) => {
                record.get(title).and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            _ => self.text(form, row, 0),
        }
    }

    fn selected(&self, state: &State, row: usize, column: usize) -> bool {
        let (from, to) = self.range(state);
        (from.0..=to.0).contains(&row) && (from.1..=to.1).contains(&column)
    }

    fn range(&self, state: &State) -> ((usize, usize), (usize, usize)) {
        let (a, b) = (state.anchor.unwrap_or((state.row, state.column)), (state.row, state.column));
        ((a.0.min(b.0), a.1.min(b.1)), (a.0.max(b.0), a.1.max(b.1)))
    }

    /// The keys of the sheet while it has the keyboard. Says whether the cell in focus has moved.
    fn keys(&self, ui: &Ui, form: &mut Form<'_>, state: &mut State, has_focus: bool) -> bool {
        // While it is asked whether to paste, the keys answer that.
        if !has_focus || state.typing.is_some() || state.paste.is_some() || self.rows.is_empty() {
            if has_focus && state.typing.is_none() && self.rows.is_empty() {
                self.pasted(ui, form, state);
            }
            return false;
        }
        // Before the bare arrows, which would take these keys as well.
        if ui.input_mut(|input| input.consume_key(Modifiers::ALT, Key::ArrowUp)) {
            self.shift(form, state, -1);
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::ALT, Key::ArrowDown)) {
            self.shift(form, state, 1);
        }
        let steps: [(Key, isize, isize); 8] = [
            (Key::ArrowDown, 1, 0),
            (Key::ArrowUp, -1, 0),
            (Key::ArrowRight, 0, 1),
            (Key::ArrowLeft, 0, -1),
            (Key::PageDown, 10, 0),
            (Key::PageUp, -10, 0),
            (Key::Home, 0, -100),
            (Key::End, 0, 100),
        ];
        let mut moved = false;
        for (key, down, right) in steps {
            for (modifiers, extend) in [(Modifiers::SHIFT, true), (Modifiers::NONE, false)] {
                for _ in 0..ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) {
                    self.go(state, down, right, extend);
                    moved = true;
                }
            }
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::SHIFT, Key::Tab)) {
            moved |= self.tab(ui, state, -1);
        } else if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab)) {
            moved |= self.tab(ui, state, 1);
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
            // The cell in focus stays in sight.
            state.anchor = Some((self.rows.len() - 1, self.columns.len() - 1));
            (state.row, state.column) = (0, 0);
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::D)) {
            self.fill_down(form, state);
        }
        if ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Delete) || input.consume_key(Modifiers::NONE, Key::Backspace)
        }) {
            self.empty(form, state);
        }
        if ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Enter) || input.consume_key(Modifiers::NONE, Key::F2)
        }) {
            self.begin(form, state, None);
            return moved;
        }
        if ui.input(|input| input.events.contains(&Event::Copy)) {
            form.fields.commands.push(self.copy(form, state));
        }
        self.pasted(ui, form, state);
        if let Some(text) = ui.input_mut(take_typed) {
            self.begin(form, state, Some(text));
        }
        moved
    }

    fn pasted(&self, ui: &Ui, form: &mut Form<'_>, state: &mut State) {
        let pasted = ui.input_mut(|input| {
            let mut found = None;
            input.events.retain(|event| match event {
                Event::Paste(text) => {
                    found = Some(text.clone());
                    false
                }
                _ => true,
            });
            found
        });
        if let Some(text) = pasted {
            self.paste(form, state, &text);
        }
    }

    /// Looks at a text of cells, and puts it in at once where nothing about it is in doubt.
    pub fn paste(&self, form: &mut Form<'_>, state: &mut State, text: &str) {
        let proposal = paste::propose(self, form, state, text);
        if proposal.is_plain() {
            self.apply(form, state, &proposal);
        } else {
            state.paste = Some(proposal);
            state.shows_below = true;
        }
    }

    pub(super) fn apply(&self, form: &mut Form<'_>, state: &mut State, proposal: &paste::Proposal) {
        let Ok(changes) = proposal.changes() else { return };
        let change = Change::All(changes);
        match form.check(self.path, change.clone()) {
            Ok(()) => {
                form.change(self.path, change, format!("{} pasted · {}", proposal.said(), self.place));
                state.refused.clear();
                state.paste = None;
            }
            Err(reason) => {
                state.refused = format!("Nothing was pasted. {reason}");
                state.paste = None;
            }
        }
    }

    fn go(&self, state: &mut State, down: isize, right: isize, extend: bool) {
        if extend {
            state.anchor.get_or_insert((state.row, state.column));
        } else {
            state.anchor = None;
        }
        state.row = state.row.saturating_add_signed(down).min(self.rows.len().saturating_sub(1));
        state.column = state.column.saturating_add_signed(right).min(self.columns.len().saturating_sub(1));
    }

    /// Tab goes from cell to cell, and leaves the sheet at its ends.
    fn tab(&self, ui: &Ui, state: &mut State, by: isize) -> bool {
        state.anchor = None;
        let width = self.columns.len();
        let place = state.row * width + state.column;
        match place.checked_add_signed(by).filter(|next| *next < self.rows.len() * width) {
            Some(next) => {
                (state.row, state.column) = (next / width, next % width);
                true
            }
            None => {
                let id = ui.scope_id().with(("grid", self.name));
                ui.memory_mut(|memory| {
                    memory.surrender_focus(id);
                    memory.move_focus(if by > 0 { egui::FocusDirection::Next } else { egui::FocusDirection::Previous });
                });
                false
            }
        }
    }

    fn field(&self, column: usize) -> Option<&'static FieldType> {
        match self.columns.get(column)?.source {
            Source::Field(field) => Some(field),
            _ => None,
        }
    }

    fn is_choice(&self, column: usize) -> bool {
        self.field(column).is_some_and(|field| !suggestions_of(field).is_empty() || is_reference(field.decl))
    }

    /// Opens the cell in focus: on what stands there, or on what was typed.
    fn begin(&self, form: &Form<'_>, state: &mut State, typed: Option<String>) {
        if self.field(state.column).is_none() {
            state.refused = "This is computed; its inputs stand in the other columns.".to_owned();
            return;
        }
        state.refused.clear();
        state.anchor = None;
        let all_selected = typed.is_none();
        let text = typed.unwrap_or_else(|| self.editing(form, state.row, state.column));
        state.typing = Some(Typing { text, begun: false, all_selected, suggestion: None });
    }

    /// The text of a cell as it is edited: numbers exact.
    fn editing(&self, form: &Form<'_>, row: usize, column: usize) -> String {
        let text = self.text(form, row, column);
        let (Some(field), Some((_, record))) = (self.field(column), self.rows.get(row)) else { return text };
        let value = held(field, record);
        let number = match &value {
            Value::Object(object) if object.len() == 1 => object.values().next().and_then(exact),
            other => exact(other),
        };
        match (&field.shape, number) {
            (Shape::Input | Shape::Named(_), Some(number)) if self.columns[column].align == Align::Right => {
                let cell = crate::words::values::cell(field.decl);
                form.fields.figures.editing(cell.shown(number.decimal()))
            }
            _ => text,
        }
    }

    /// The field over the cell in focus. Returns where what it shows ends.
    fn typing_ui(
        &self,
        ui: &mut Ui,
        form: &mut Form<'_>,
        state: &mut State,
        cell: Rect,
        column: usize,
        grid: Id,
    ) -> f32 {
        let palette = Palette::of(ui.visuals());
        let id = ui.scope_id().with((self.path, "typing"));
        let found = self.suggestions(form, state, column);
        let pick = |ui: &Ui, key: Key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let Some(typing) = &mut state.typing else { return cell.max.y };
        if !found.is_empty() {
            if pick(ui, Key::ArrowDown) {
                typing.suggestion = Some(typing.suggestion.map_or(0, |at| (at + 1).min(found.len() - 1)));
            }
            if pick(ui, Key::ArrowUp) {
                typing.suggestion = typing.suggestion.and_then(|at| at.checked_sub(1));
            }
        }
        let enter = pick(ui, Key::Enter);
        let (tab, back) = (pick(ui, Key::Tab), ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, Key::Tab)));
        let escape = pick(ui, Key::Escape);
        let wide = self.columns.get(column).map_or(96.0, |_| cell.width().max(96.0));
        let field = Rect::from_min_size(cell.min, vec2(wide, cell.height().max(22.0)));
        let is_refused = !state.refused.is_empty();
        ui.painter().rect_filled(field, 0, if is_refused { palette.errorbg } else { palette.surface });
        let before = typing.text.clone();
        let edit = TextEdit::singleline(&mut typing.text)
            .id(id)
            .frame(egui::Frame::NONE)
            .margin(egui::Margin::symmetric(6, 2))
            .text_color(if is_refused { palette.error } else { palette.input })
            .clip_text(true)
            .event_filter(EventFilter { tab: true, horizontal_arrows: true, vertical_arrows: true, escape: true })
            .desired_width(field.width() - 12.0);
        let name = format!("Cell {}", self.columns.get(column).map_or("", |of| of.heading.as_str()));
        let response = ui.put(field, edit).accessible_name(name);
        icons::border(ui.painter(), field, 0, 2.0, if is_refused { palette.error } else { palette.accent });
        if !typing.begun {
            response.request_focus();
            typing.begun = true;
            place_caret(ui, id, &typing.text, typing.all_selected);
        }
        if typing.text != before {
            typing.suggestion = None;
            state.refused.clear();
        }
        let mut bottom = field.max.y;
        let mut taken = None;
        if !found.is_empty() {
            let (pressed, end) = suggestions_ui(ui, field, &found, typing.suggestion);
            (taken, bottom) = (pressed, bottom.max(end));
        }
        if let Some(at) = taken.or(typing.suggestion.filter(|_| enter || tab)) {
            typing.text.clone_from(&found[at]);
        }
        let left = typing.begun && !response.has_focus() && !ui.memory(|memory| memory.has_focus(id));
        if escape {
            state.typing = None;
            state.refused.clear();
            ui.memory_mut(|memory| memory.request_focus(grid));
        } else if enter || tab || back || taken.is_some() {
            if self.commit(form, state) {
                match (enter, back) {
                    (true, _) => self.go(state, 1, 0, false),
                    (_, true) => self.go(state, 0, -1, false),
                    _ if tab => self.go(state, 0, 1, false),
                    _ => {}
                }
                ui.memory_mut(|memory| memory.request_focus(grid));
            }
            ui.request_repaint();
        } else if left && state.typing.as_ref().is_none_or(|typing| typing.begun) && response.lost_focus() {
            self.commit(form, state);
        }
        bottom
    }

    /// What the text could become, where the cell takes one of several names.
    fn suggestions(&self, form: &Form<'_>, state: &State, column: usize) -> Vec<String> {
        let (Some(field), Some(typing)) = (self.field(column), &state.typing) else { return Vec::new() };
        let all: Vec<String> = match field.decl.unit {
            Unit::IdOf(list) => form.reading().choices(list).into_iter().map(|(_, name)| name).collect(),
            _ => suggestions_of(field),
        };
        let typed = typing.text.trim().to_lowercase();
        if typing.all_selected && typing.suggestion.is_none() && all.iter().any(|one| one.to_lowercase() == typed) {
            return all;
        }
        let has = |one: &String| typed.split_whitespace().all(|word| one.to_lowercase().contains(word));
        all.into_iter().filter(has).collect()
    }

    /// Reads what was typed; says whether it was taken.
    fn commit(&self, form: &mut Form<'_>, state: &mut State) -> bool {
        let Some(typing) = state.typing.take() else { return true };
        let (Some(field), Some((id, record))) = (self.field(state.column), self.rows.get(state.row)) else {
            return true;
        };
        let before = held(field, record);
        let only = self.suggestions_for(form, field, &typing.text);
        let text = if only.len() == 1 { only[0].clone() } else { typing.text.clone() };
        let typed = form.reading().typed(&field.shape, field.decl, None, &before, &text);
        let refused = match typed {
            Ok(value) if value == before => None,
            Ok(value) => self.put(form, id, field, &before, value).err(),
            Err(reason) => Some(reason),
        };
        match refused {
            None => {
                state.refused.clear();
                true
            }
            Some(reason) => {
                state.refused = format!("{reason} Esc restores.");
                state.typing = Some(Typing { begun: false, all_selected: false, ..typing });
                false
            }
        }
    }

    /// The names that begin with what was typed.
    fn suggestions_for(&self, form: &Form<'_>, field: &FieldType, text: &str) -> Vec<String> {
        let typed = text.trim().to_lowercase();
        if typed.is_empty() {
            return Vec::new();
        }
        let all = match field.decl.unit {
            Unit::IdOf(list) => form.reading().choices(list).into_iter().map(|(_, name)| name).collect(),
            _ => suggestions_of(field),
        };
        if all.iter().any(|one| one.to_lowercase() == typed) {
            return Vec::new();
        }
        all.into_iter().filter(|one| one.to_lowercase().starts_with(&typed)).collect()
    }

    fn path_of(&self, id: &str, field: &FieldType) -> String {
        format!("{}.{id}.{}", self.path, field.decl.name)
    }

    fn put(
        &self,
        form: &mut Form<'_>,
        id: &str,
        field: &FieldType,
        before: &Value,
        value: Value,
    ) -> Result<(), String> {
        let path = self.path_of(id, field);
        // A number of an input that is there already keeps its range and evidence, and its own kind of step.
        if let (Some(known), Some(number)) = (form.input(&path), single_number(&value))
            && single_number(before) == Some(known.input.value)
            && form.waiting().is_none()
        {
            let edit = Edit { path, change: InputChange::Value(number) };
            let edited = form.fields.document.edited(&edit, form.fields.figures)?;
            crate::app::files::evaluated(edited.scenario, form.fields.today)?;
            form.fields.commands.push(Command::Edit(edit));
            return Ok(());
        }
        let reading = form.reading();
        let text = |value: &Value| match reading.text(&field.shape, field.decl, None, value) {
            text if text.is_empty() => "none".to_owned(),
            text => text,
        };
        let called = self.rows.iter().find(|(of, _)| of == id).and_then(|(_, record)| {
            self.titled.and_then(|title| record.get(title)).and_then(Value::as_str).map(|name| format!("{name}: "))
        });
        let label = format!(
            "{}{} {} → {} · {}",
            called.unwrap_or_default(),
            field.decl.label,
            text(before),
            text(&value),
            self.place
        );
        let mut changes = vec![Change::Put { path, value: value.clone() }];
        if Some(field.decl.name) == self.titled
            && id.starts_with(NEW)
            && let Some(name) = value.as_str()
        {
            // A line that was never named takes its id from its first name.
            let others = self.rows.iter().map(|(of, _)| of.as_str()).filter(|of| *of != id);
            changes.push(Change::Rename { path: format!("{}.{id}", self.path), to: free_id(name, others) });
        }
        let change = Change::All(changes);
        form.check(self.path, change.clone())?;
        form.change(self.path, change, label);
        Ok(())
    }

    /// Fills the selected cells with what stands in the first of each column.
    pub fn fill_down(&self, form: &mut Form<'_>, state: &mut State) {
        let (from, to) = self.range(state);
        let mut changes = Vec::new();
        for column in from.1..=to.1 {
            let (Some(field), Some((_, first))) = (self.field(column), self.rows.get(from.0)) else { continue };
            if Some(field.decl.name) == self.titled {
                continue;
            }
            let value = held(field, first);
            for (id, _) in self.rows.iter().take(to.0 + 1).skip(from.0 + 1) {
                changes.push(Change::Put { path: self.path_of(id, field), value: value.clone() });
            }
        }
        self.several(form, state, changes, "filled down");
    }

    fn empty(&self, form: &mut Form<'_>, state: &mut State) {
        let (from, to) = self.range(state);
        let mut changes = Vec::new();
        for column in from.1..=to.1 {
            let Some(field) = self.field(column).filter(|field| field.default.is_some()) else {
                state.refused = "This cannot be empty; type something else over it.".to_owned();
                continue;
            };
            for (id, _) in self.rows.iter().take(to.0 + 1).skip(from.0) {
                changes.push(Change::Put { path: self.path_of(id, field), value: Value::Null });
            }
        }
        self.several(form, state, changes, "emptied");
    }

    fn several(&self, form: &mut Form<'_>, state: &mut State, changes: Vec<Change>, done: &str) {
        if changes.is_empty() {
            return;
        }
        let count = if changes.len() == 1 { "1 cell".to_owned() } else { format!("{} cells", changes.len()) };
        let change = Change::All(changes);
        match form.check(self.path, change.clone()) {
            Ok(()) => {
                form.change(self.path, change, format!("{count} {done} · {}", self.place));
                state.refused.clear();
            }
            Err(reason) => state.refused = reason,
        }
    }

    fn shift(&self, form: &mut Form<'_>, state: &mut State, by: isize) {
        let Some(to) = state.row.checked_add_signed(by).filter(|to| *to < self.rows.len()) else { return };
        let Some((id, _)) = self.rows.get(state.row) else { return };
        let change = Change::Move { path: format!("{}.{id}", self.path), to };
        let label = format!("{} moved · {}", self.row_name(form, state.row), self.place);
        form.change(self.path, change, label);
        (state.row, state.anchor) = (to, None);
    }

    /// A record with this name and the least it can hold.
    pub fn blank(&self, name: &str, taken: &[String]) -> Value {
        let shape = Shape::Named(self.type_name);
        let mut value = outline().blank(&shape, &crate::scenario::ROOT);
        if let (Some(title), Some(record)) = (self.titled, value.as_object_mut()) {
            record.insert(title.to_owned(), name.into());
            let id = free_id(name, taken.iter().map(String::as_str));
            record.insert("id".to_owned(), id.into());
        }
        value
    }

    /// Adds a row after the current one, and begins to type its name.
    pub fn add(&self, form: &mut Form<'_>, state: &mut State) {
        let taken: Vec<String> = self.rows.iter().map(|(id, _)| id.clone()).collect();
        let at = if self.rows.is_empty() { 0 } else { state.row + 1 };
        let value = self.blank(NEW_NAME, &taken);
        let change = Change::Insert { list: self.path.to_owned(), at: Some(at), value };
        form.change(self.path, change, format!("Line added · {}", self.place));
        (state.row, state.column, state.anchor) = (at, 0, None);
        state.take_focus = true;
    }

    /// Copies the current row beneath itself.
    pub fn duplicate(&self, form: &mut Form<'_>, state: &mut State) {
        let Some((_, record)) = self.rows.get(state.row) else { return };
        let Some(title) = self.titled else { return };
        let mut copy = record.clone();
        let names: Vec<String> = (0..self.rows.len()).map(|row| self.row_name(form, row)).collect();
        let name = structure::free_name(&self.row_name(form, state.row), names.iter().map(String::as_str));
        if let Some(copy) = copy.as_object_mut() {
            copy.insert("id".to_owned(), free_id(&name, self.rows.iter().map(|(id, _)| id.as_str())).into());
            copy.insert(title.to_owned(), name.clone().into());
        }
        let change = Change::Insert { list: self.path.to_owned(), at: Some(state.row + 1), value: copy };
        form.change(self.path, change, format!("{name} added · {}", self.place));
        state.row += 1;
    }

    /// Takes the selected rows out.
    pub fn remove(&self, form: &mut Form<'_>, state: &mut State) {
        let (from, to) = self.range(state);
        let rows: Vec<usize> = (from.0..=to.0.min(self.rows.len().saturating_sub(1))).collect();
        let changes: Vec<Change> = rows
            .iter()
            .filter_map(|row| self.rows.get(*row))
            .map(|(id, _)| Change::Remove { path: format!("{}.{id}", self.path) })
            .collect();
        let what = match rows.as_slice() {
            [one] => self.row_name(form, *one),
            several => format!("{} rows", several.len()),
        };
        let change = Change::All(changes);
        match form.check(self.path, change.clone()) {
            Ok(()) => form.change(self.path, change, format!("{what} removed · {}", self.place)),
            Err(reason) => state.refused = reason,
        }
        state.anchor = None;
    }

    /// The selected cells as text, with their headings where all rows are selected.
    fn copy(&self, form: &Form<'_>, state: &State) -> Command {
        let (from, to) = self.range(state);
        let line = |row: usize| (from.1..=to.1).map(|column| self.editing(form, row, column)).collect::<Vec<_>>();
        let mut lines: Vec<Vec<String>> = (from.0..=to.0).map(line).collect();
        if to.0 - from.0 + 1 == self.rows.len() && to.1 > from.1 {
            let headings = self.columns[from.1..=to.1].iter().map(|column| column.heading.clone());
            lines.insert(0, headings.collect());
        }
        let cells = (to.0 - from.0 + 1) * (to.1 - from.1 + 1);
        Command::Copy(crate::export::tables::tsv(&lines), format!("{cells} cells copied"))
    }

    fn below_ui(&self, ui: &mut Ui, form: &mut Form<'_>, state: &mut State) {
        if !state.refused.is_empty() {
            let palette = Palette::of(ui.visuals());
            let label = ui.label(RichText::new(&state.refused).font(theme::SMALL).color(palette.error));
            label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &state.refused));
        }
        if let Some(proposal) = state.paste.take() {
            let shown = ui.scope(|ui| paste::proposal_ui(ui, &proposal));
            if std::mem::take(&mut state.shows_below) {
                shown.response.scroll_to_me(None);
            }
            match shown.inner {
                paste::Decided::Not => state.paste = Some(proposal),
                paste::Decided::Paste => self.apply(form, state, &proposal),
                paste::Decided::Cancel => {}
            }
        }
    }

    /// The record of the current row.
    pub fn current(&self, state: &State) -> Option<(&str, &Value)> {
        self.rows.get(state.row).map(|(id, record)| (id.as_str(), record))
    }
}

/// The id of a line that nobody has named yet.
const NEW: &str = "new-line";
const NEW_NAME: &str = "New line";

fn is_reference(decl: &Decl) -> bool {
    matches!(decl.unit, Unit::IdOf(_))
}

/// The names among which a field chooses.
fn suggestions_of(field: &FieldType) -> Vec<String> {
    let shape = if let Shape::Optional(inner) = &field.shape { inner } else { &field.shape };
    if takes_number(shape) {
        return Vec::new();
    }
    match shape {
        Shape::YesNo => vec!["yes".to_owned(), "no".to_owned()],
        shape => outline().variants(shape).unwrap_or_default().iter().map(|of| of.label.to_owned()).collect(),
    }
}

/// The number of an input, or of the variant that holds nothing else.
fn single_number(value: &Value) -> Option<crate::quantity::Exact> {
    match value {
        Value::Object(object) if object.len() == 1 && !object.contains_key("value") => {
            object.values().next().and_then(exact)
        }
        other => exact(other),
    }
}

/// The text typed in this frame, taken out of the input so that it is not typed twice.
fn take_typed(input: &mut egui::InputState) -> Option<String> {
    let mut typed = String::new();
    input.events.retain(|event| match event {
        Event::Text(text) => {
            typed.push_str(text);
            false
        }
        _ => true,
    });
    (!typed.trim().is_empty()).then_some(typed)
}

fn place_caret(ui: &Ui, id: Id, text: &str, all: bool) {
    use egui::text::{CCursor, CCursorRange};
    let end = CCursor::new(text.chars().count());
    let range = if all { CCursorRange::two(CCursor::new(0), end) } else { CCursorRange::one(end) };
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// A list beneath the field. Returns what was pressed, and where the list ends.
fn suggestions_ui(ui: &Ui, field: Rect, found: &[String], marked: Option<usize>) -> (Option<usize>, f32) {
    const LINE: f32 = 20.0;
    let palette = Palette::of(ui.visuals());
    let widest = found.iter().map(|one| text_width(ui.painter(), one, &theme::BODY)).fold(field.width(), f32::max);
    let shown = found.len().min(12);
    let first = marked.unwrap_or(0).saturating_sub(shown - 1);
    let size = vec2(widest + 16.0, shown as f32 * LINE + 4.0);
    let mut pressed = None;
    let below = ui.ctx().content_rect().max.y - field.max.y;
    let at = if below < size.y { field.left_top() - vec2(0.0, size.y) } else { field.left_bottom() };
    egui::Area::new(Id::unique("sheet suggestions")).order(egui::Order::Foreground).fixed_pos(at).show(
        ui.ctx(),
        |ui| {
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            ui.painter().rect_filled(rect, 2, palette.surface);
            icons::border(ui.painter(), rect, 2, 1.0, palette.line2);
            for (line, (place, text)) in found.iter().enumerate().skip(first).take(shown).enumerate() {
                let top = rect.min.y + 2.0 + line as f32 * LINE;
                let row = Rect::from_min_size(pos2(rect.min.x + 2.0, top), vec2(rect.width() - 4.0, LINE));
                let response = ui.interact(row, Id::unique(("suggestion", place)), Sense::CLICK);
                response.widget_info(|| WidgetInfo::labeled(Role::ListBoxOption, true, text));
                if marked == Some(place) || response.hovered() {
                    ui.painter().rect_filled(row, 0, palette.sel);
                }
                let start = pos2(row.min.x + 6.0, row.center().y);
                let anchor = egui::Align2::LEFT_CENTER;
                crate::app::widgets::painted_text(ui.painter(), start, anchor, text, &theme::BODY, palette.text);
                if response.is_pointer_button_down_on() || response.clicked() {
                    pressed = Some(place);
                }
            }
        },
    );
    (pressed, field.max.y)
}

/// Buttons above a sheet of lines.
pub fn tools_ui(ui: &mut Ui, form: &mut Form<'_>, sheet: &Sheet<'_>, state: &mut State) {
    let several = sheet.range(state).0 != sheet.range(state).1;
    if crate::app::dialogs::button(ui, "Add line", false).clicked() {
        sheet.add(form, state);
    }
    if sheet.rows.is_empty() {
        return;
    }
    if link_ui(ui, "Duplicate line").clicked() {
        sheet.duplicate(form, state);
    }
    if link_ui(ui, if several { "Remove rows" } else { "Remove line" }).clicked() {
        sheet.remove(form, state);
    }
    if several && link_ui(ui, "Fill down").clicked() {
        sheet.fill_down(form, state);
    }
    details_ui(ui, state);
}

/// Opens the fields of the current row beneath the sheet, or closes them.
pub fn details_ui(ui: &mut Ui, state: &mut State) {
    let word = if state.details { "Close details" } else { "Details" };
    if link_ui(ui, word).clicked() {
        state.details = !state.details;
        state.shows_below = state.details;
    }
}
