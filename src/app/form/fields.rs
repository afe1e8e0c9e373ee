//! The fields of a form as they are drawn and edited, one row each.
//!
//! What a field means is not known here; how it is declared says how it is edited.

use egui::accesskit::Role;
use egui::{Align2, Id, Key, Rect, RichText, Sense, Stroke, TextEdit, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::rows::{Block, Edited, Row};
use super::{Form, Text};
use crate::app::fields::{Number, Widths};
use crate::app::icons;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{DecimalCell, Entry, Look, Told, choice_ui, elided, painted_text, text_width, wrapped};
use crate::input::{Shape, Unit};
use crate::quantity::Exact;
use crate::scenario::Index;
use crate::scenario::structure::{Change, outline};
use crate::show::{self, Cell};
use crate::words::values::{self, current, exact, with_number};

const ROW: f32 = 26.0;
const HEAD: f32 = 30.0;
const GAP: f32 = 24.0;
const NUMBER: f32 = 90.0;
const LEAST_COLUMN: f32 = 330.0;
const LINK: f32 = 22.0;

/// Draws blocks in as many columns as there is room for. `place` is the name of the element, for the names of its fields.
pub fn form_ui(ui: &mut Ui, form: &mut Form<'_>, blocks: &[Block], place: &str) {
    waiting_ui(ui, form);
    let width = ui.available_width();
    let columns = columns(width, blocks);
    let count = columns.len().max(1);
    let each = ((width - GAP * (count.saturating_sub(1)) as f32) / count as f32).floor();
    let top = ui.cursor().min;
    let mut bottom = top.y;
    for (column, of_column) in columns.iter().enumerate() {
        let left = top.x + column as f32 * (each + GAP);
        let room = Rect::from_min_size(pos2(left, top.y), vec2(each, 10_000.0));
        let builder = UiBuilder::new().max_rect(room).id_salt(("form column", column));
        let mut inner = ui.new_child(builder);
        inner.spacing_mut().item_spacing.y = 0.0;
        for block in of_column {
            block_ui(&mut inner, form, block, place);
        }
        bottom = bottom.max(inner.min_rect().max.y);
    }
    ui.allocate_rect(Rect::from_min_max(top, pos2(top.x + width, bottom + 8.0)), Sense::hover());
}

/// Blocks in their order, spread over columns of about the same height.
fn columns(width: f32, blocks: &[Block]) -> Vec<Vec<&Block>> {
    let most = ((width + GAP) / (LEAST_COLUMN + GAP)).floor().clamp(1.0, 3.0);
    let whole: f32 = blocks.iter().map(height).sum();
    let share = whole / most;
    let mut columns: Vec<Vec<&Block>> = vec![Vec::new()];
    let mut taken = 0.0;
    for block in blocks {
        let tall = height(block);
        let is_full = taken > 0.0 && taken + tall * 0.5 > share;
        if is_full && (columns.len() as f32) < most {
            columns.push(Vec::new());
            taken = 0.0;
        }
        taken += tall;
        if let Some(last) = columns.last_mut() {
            last.push(block);
        }
    }
    columns
}

fn height(block: &Block) -> f32 {
    let lines = |row: &Row| match row.edited {
        Edited::Pairs => row.value.as_array().map_or(0, Vec::len) + 2,
        Edited::Entries => row.value.as_object().map_or(0, Map::len) + 2,
        Edited::Paths => row.value.as_array().map_or(0, Vec::len) + 1,
        Edited::Prose => (row.value.as_str().map_or(0, str::len) / 56).clamp(2, 5),
        _ => 1,
    };
    HEAD + 10.0 + ROW * block.rows.iter().map(lines).sum::<usize>() as f32
}

/// What waits beside the scenario, why, and how to let go of it.
fn waiting_ui(ui: &mut Ui, form: &mut Form<'_>) {
    let Some(reason) = form.waiting().map(str::to_owned) else { return };
    let palette = Palette::of(ui.visuals());
    let frame = egui::Frame::new().fill(palette.errorbg).inner_margin(egui::Margin::symmetric(10, 6));
    frame.show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let text = format!("Not yet part of the scenario: {reason} The figures are those without it.");
            ui.label(RichText::new(text).color(palette.error));
            if link_ui(ui, "Discard the change").clicked() {
                form.discard();
            }
        });
        if let Some(currency) = form.memory.missing_rate.clone() {
            rate_ui(ui, form, &currency);
        }
    });
    ui.add_space(8.0);
}

/// The exchange rate that what waits is waiting for, asked for where one reads that it is missing.
fn rate_ui(ui: &mut Ui, form: &mut Form<'_>, currency: &str) {
    let scenario = form.fields.document.base().scenario.currency.clone();
    let name = format!("Exchange rate: {scenario} for 1 {currency}");
    ui.horizontal(|ui| {
        ui.label(&name);
        let (at, _) = ui.allocate_exact_size(vec2(NUMBER, DecimalCell::HEIGHT), Sense::hover());
        let path = format!("fx.{currency}+");
        let Some(typed) = text_field_ui(ui, form, &path, (&name, "rate"), "", at) else { return };
        let rate = show::parse(&typed, form.fields.figures.marks, Cell::Plain);
        let change = rate.map_err(|refused| refused.to_string()).and_then(|rate| {
            let value = Value::from(Exact::from_decimal(rate)?.to_string());
            let change = Change::Put { path: format!("fx.{currency}"), value };
            form.check("fx", change.clone()).map(|()| change)
        });
        match change {
            Ok(change) => {
                form.change("fx", change, format!("Exchange rate {currency} added with what waited for it"));
            }
            Err(reason) => refuse(form, &path, typed, reason),
        }
    });
}

fn block_ui(ui: &mut Ui, form: &mut Form<'_>, block: &Block, place: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEAD), Sense::hover());
    let palette = Palette::of(ui.visuals());
    let at = pos2(rect.min.x, rect.center().y);
    let font = theme::semibold(13.0);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, &block.title, &font, palette.text);
    ui.painter().hline(rect.x_range(), rect.max.y - 1.5, Stroke::new(1.0, palette.line));
    if block.removable {
        let place_of_link = Rect::from_min_max(pos2(rect.max.x - 70.0, rect.min.y + 2.0), rect.max - vec2(0.0, 4.0));
        let mut child = ui.new_child(UiBuilder::new().max_rect(place_of_link).id_salt(("remove", &block.path)));
        let name = format!("Remove {}", crate::scenario::inputs::lower_first(&block.title));
        if named_link_ui(&mut child, "Remove", &name).clicked() {
            let label = format!("{} removed · {place}", block.title);
            form.change(&block.path, Change::Put { path: block.path.clone(), value: Value::Null }, label);
        }
    }
    for row in &block.rows {
        row_ui(ui, form, row, place);
    }
    ui.add_space(10.0);
}

/// A word that is pressed.
pub fn link_ui(ui: &mut Ui, text: &str) -> egui::Response {
    named_link_ui(ui, text, text)
}

fn named_link_ui(ui: &mut Ui, text: &str, name: &str) -> egui::Response {
    let width = text_width(ui.painter(), text, &theme::BODY).ceil();
    let (rect, response) = ui.allocate_exact_size(vec2(width + 8.0, LINK), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let palette = Palette::of(ui.visuals());
    let at = pos2(rect.min.x + 4.0, rect.center().y);
    let drawn = painted_text(ui.painter(), at, Align2::LEFT_CENTER, text, &theme::BODY, palette.accent);
    if response.hovered() {
        ui.painter().hline(drawn.x_range(), drawn.max.y, Stroke::new(1.0, palette.accent));
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 2, 2.0, palette.accent);
    }
    response
}

fn label_width(width: f32) -> f32 {
    (width * 0.43).clamp(120.0, 210.0)
}

/// Where the control of a row stands.
struct Line {
    rect: Rect,
    control: f32,
}

fn line_ui(ui: &mut Ui, form: &Form<'_>, row: &Row) -> Line {
    let width = ui.available_width();
    let control = label_width(width);
    let palette = Palette::of(ui.visuals());
    let written = wrapped(ui.painter(), &row.label, &theme::BODY, control - 10.0, palette.text);
    let below = written.size().y - written.size().y / written.rows.len().max(1) as f32;
    let (rect, _) = ui.allocate_exact_size(vec2(width, (ROW + below).ceil()), Sense::hover());
    let at = pos2(rect.min.x, (rect.center().y - written.size().y / 2.0).round());
    ui.painter().galley(at, written, palette.text);
    let label = Rect::from_min_size(rect.min, vec2(control - 6.0, rect.height()));
    let response = ui.interact(label, Id::unique(("form label", &row.path)), Sense::hover());
    response.told_by(|ui| {
        ui.set_max_width(420.0);
        ui.label(RichText::new(&row.label).font(theme::semibold(13.0)));
        ui.label(row.decl.help.trim());
        ui.label(RichText::new(&row.path).font(theme::SMALL).color(palette.text2));
    });
    if form.go_to.as_deref() == Some(&row.path) {
        ui.scroll_to_rect(rect, Some(egui::Align::Center));
    }
    Line { rect, control: rect.min.x + control }
}

impl Line {
    fn control(&self, width: f32) -> Rect {
        let width = width.min(self.rect.max.x - self.control);
        Rect::from_min_size(pos2(self.control, self.rect.min.y + 2.0), vec2(width, DecimalCell::HEIGHT))
    }

    fn wide(&self) -> Rect {
        self.control(f32::INFINITY)
    }

    fn child(&self, ui: &mut Ui, path: &str) -> Ui {
        let place = Rect::from_min_max(pos2(self.control, self.rect.min.y + 1.0), self.rect.max);
        ui.new_child(UiBuilder::new().max_rect(place).id_salt(("control", path)))
    }
}

fn row_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    let name = if place.is_empty() { row.label.clone() } else { format!("{} · {place}", row.label) };
    match row.edited {
        Edited::Input => input_ui(ui, form, row, place),
        Edited::Id => id_ui(ui, form, row, &name, place),
        Edited::Text | Edited::Numbers => {
            let line = line_ui(ui, form, row);
            text_ui(ui, form, row, line.wide(), &name, place);
        }
        Edited::Prose => {
            ui.add_space(4.0);
            prose_ui(ui, form, &row.path, &name, row.value.as_str().unwrap_or_default());
        }
        Edited::Count => count_ui(ui, form, row, &name, place),
        Edited::YesNo => {
            let line = line_ui(ui, form, row);
            let entries = [Entry::plain("No"), Entry::plain("Yes")];
            let now = usize::from(row.value.as_bool().unwrap_or(false));
            let chosen = choice_ui(&mut line.child(ui, &row.path), &name, &entries, now, NUMBER);
            if let Some(chosen) = chosen {
                put(form, row, Value::Bool(chosen == 1), place);
            }
        }
        Edited::Choice => variant_ui(ui, form, row, &name, place),
        Edited::Reference => reference_ui(ui, form, row, &name, place),
        Edited::Absent => {
            let line = line_ui(ui, form, row);
            let mut child = line.child(ui, &row.path);
            let add = format!("Add {}", crate::scenario::inputs::lower_first(&row.label));
            if named_link_ui(&mut child, "Add", &add).clicked() {
                let blank = outline().blank(&row.shape, row.decl);
                let label = format!("{} added · {place}", row.label);
                form.change(&row.path, Change::Put { path: row.path.clone(), value: blank }, label);
            }
        }
        Edited::Cells => cells_ui(ui, form, row, place),
        Edited::Pairs => pairs_ui(ui, form, row, place),
        Edited::Entries => entries_ui(ui, form, row, place),
        Edited::Paths => paths_ui(ui, form, row, place),
    }
}

/// Puts a value in the place of the one before, as a step named after both.
fn put(form: &mut Form<'_>, row: &Row, value: Value, place: &str) {
    let reading = form.reading();
    let text = |value: &Value| match reading.text(&row.shape, row.decl, row.of, value) {
        text if text.is_empty() => "none".to_owned(),
        text => text,
    };
    let whole = if place.is_empty() { row.label.clone() } else { format!("{} · {place}", row.label) };
    let label = format!("{whole} {} → {}", text(&row.value), text(&value));
    form.change(&row.path, Change::Put { path: row.path.clone(), value: row.wrapped(value) }, label);
}

fn input_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    if let Some(input) = form.known(row) {
        let width = ui.available_width();
        let label = label_width(width);
        let unit = (width - label - NUMBER - 32.0).max(0.0);
        form.fields.row_ui(ui, input, Widths { label, cell: NUMBER, unit });
        return;
    }
    let line = line_ui(ui, form, row);
    let at = line.control(NUMBER);
    number_ui(ui, form, row, at, place, &row.label);
    let palette = Palette::of(ui.visuals());
    let currency = form.currency_at(&row.path);
    let unit = if row.decl.unit.is_percent() { "%".to_owned() } else { row.decl.unit.text(&currency) };
    let start = pos2(at.max.x + 6.0, at.center().y);
    painted_text(ui.painter(), start, Align2::LEFT_CENTER, &unit, &theme::SMALL, palette.text2);
}

/// A number at a place: the input itself where the scenario has it, or a number of a change that waits.
fn number_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, at: Rect, place: &str, label: &str) {
    if let Some(input) = form.known(row) {
        if let Some(reason) = form.fields.cell_ui(ui, at, input, Number::Value, Look::Field) {
            reason_ui(ui, &reason);
        }
        return;
    }
    let cell = DecimalCell {
        name: &format!("{label} · {place}"),
        value: exact(&row.value).map(Exact::decimal),
        cell: values::cell(row.decl),
        figures: form.fields.figures,
        differs: false,
        fixed: false,
        look: Look::Field,
        clearable: row.optional,
    };
    let id = Id::unique(("form", row.path.as_str()));
    let outcome = cell.show_at(ui, at, id, form.fields.drafts, &|_| Ok(()));
    if let Some(value) = outcome.committed {
        let value = value.and_then(|value| Exact::from_decimal(value).ok());
        put(form, row, value.map_or(Value::Null, |value| with_number(&row.value, value)), place);
    }
    if let Some(reason) = outcome.refused {
        reason_ui(ui, &reason);
    }
}

/// Why a text above is not accepted.
fn reason_ui(ui: &mut Ui, reason: &str) {
    crate::app::fields::reason_ui(ui, reason, 0.0, ui.available_width());
}

fn text_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, at: Rect, name: &str, place: &str) {
    let shown = form.reading().text(&row.shape, row.decl, row.of, &row.value);
    if let Some(typed) = text_field_ui(ui, form, &row.path, (name, hint(row)), &shown, at) {
        let reading = form.reading();
        let shape = if row.optional { Shape::Optional(Box::new(row.shape.clone())) } else { row.shape.clone() };
        match reading.typed(&shape, row.decl, row.of, &row.value, &typed) {
            Ok(value) => {
                let change = Change::Put { path: row.path.clone(), value: row.wrapped(value.clone()) };
                match form.check(&row.path, change) {
                    // What waits already is added to, until all of it can stand.
                    Err(reason) if row.edited == Edited::Text && form.waiting().is_none() => {
                        refuse(form, &row.path, typed, reason);
                    }
                    _ => put(form, row, value, place),
                }
            }
            Err(reason) => refuse(form, &row.path, typed, reason),
        }
    }
    let reason = form.memory.texts.get(&row.path).map(|text| text.refused.clone()).unwrap_or_default();
    if !reason.is_empty() {
        reason_ui(ui, &reason);
    }
}

/// What an empty field asks for.
const fn hint(row: &Row) -> &'static str {
    match row.decl.unit {
        Unit::Date => "2026-11-30",
        Unit::Month => "2027-01",
        Unit::Currency if row.optional => "as the scenario",
        _ => "",
    }
}

/// The id of an element: what refers to it follows.
fn id_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, name: &str, place: &str) {
    let line = line_ui(ui, form, row);
    let shown = row.value.as_str().unwrap_or_default();
    if let Some(typed) = text_field_ui(ui, form, &row.path, (name, ""), shown, line.wide()) {
        let element = row.path.rsplit_once('.').map_or("", |(element, _)| element).to_owned();
        let change = Change::Rename { path: element.clone(), to: typed.trim().to_owned() };
        match form.check(&element, change.clone()) {
            Ok(()) => form.change(&element, change, format!("Id {shown} → {} · {place}", typed.trim())),
            Err(reason) => refuse(form, &row.path, typed, reason),
        }
    }
    let reason = form.memory.texts.get(&row.path).map(|text| text.refused.clone()).unwrap_or_default();
    if !reason.is_empty() {
        reason_ui(ui, &reason);
    }
}

fn refuse(form: &mut Form<'_>, path: &str, typed: String, reason: String) {
    let refused = format!("{reason} Esc restores.");
    form.memory.texts.insert(path.to_owned(), Text { typed, refused });
}

/// A field of one line at a place. Returns a text that was finished and differs from what was there.
pub fn text_field_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    path: &str,
    (name, hint): (&str, &str),
    shown: &str,
    at: Rect,
) -> Option<String> {
    let id = Id::unique(("form text", path));
    if form.go_to.as_deref() == Some(path) {
        ui.memory_mut(|memory| memory.request_focus(id));
        form.go_to = None;
    }
    let draft = form.memory.texts.get(path);
    let refused = draft.is_some_and(|draft| !draft.refused.is_empty());
    let mut typed = draft.map_or_else(|| shown.to_owned(), |draft| draft.typed.clone());
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(at, 2, if refused { palette.errorbg } else { palette.surface });
    let edit = TextEdit::singleline(&mut typed)
        .id(id)
        .frame(egui::Frame::NONE)
        .margin(egui::Margin::symmetric(6, 2))
        .align(Align2::LEFT_CENTER)
        .hint_text(hint)
        .text_color(if refused { palette.error } else { palette.input })
        .clip_text(true)
        .desired_width(at.width() - 12.0);
    let response = ui.put(at.shrink2(vec2(6.0, 1.0)), edit).accessible_name(name);
    let (width, ink) = match (refused, response.has_focus(), response.hovered()) {
        (true, ..) => (2.0, palette.error),
        (_, true, _) => (2.0, palette.accent),
        (_, _, true) => (1.0, palette.text2),
        _ => (1.0, palette.line2),
    };
    icons::border(ui.painter(), at, 2, width, ink);
    if response.changed() {
        form.memory.texts.insert(path.to_owned(), Text { typed: typed.clone(), refused: String::new() });
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    finished(ui, form, path, &response, typed, shown)
}

/// The text when its field is left; Esc gives back what was there.
fn finished(
    ui: &Ui,
    form: &mut Form<'_>,
    path: &str,
    response: &egui::Response,
    typed: String,
    shown: &str,
) -> Option<String> {
    if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        form.memory.texts.remove(path);
        return None;
    }
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
        form.memory.texts.remove(path);
        return None;
    }
    let settled = !response.has_focus();
    let draft = form.memory.texts.get(path).is_some_and(|draft| draft.refused.is_empty());
    if !(settled && draft) {
        return None;
    }
    form.memory.texts.remove(path);
    (typed.trim() != shown).then_some(typed)
}

/// A text of several lines; it is committed when it is left.
pub fn prose_ui(ui: &mut Ui, form: &mut Form<'_>, path: &str, name: &str, shown: &str) {
    let mut typed = form.memory.texts.get(path).map_or_else(|| shown.to_owned(), |draft| draft.typed.clone());
    let palette = Palette::of(ui.visuals());
    let edit = TextEdit::multiline(&mut typed)
        .id(Id::unique(("form text", path)))
        .desired_rows(2)
        .desired_width(f32::INFINITY)
        .text_color(palette.input)
        .margin(egui::Margin::symmetric(6, 3));
    let area = egui::ScrollArea::vertical().id_salt(("prose", path)).max_height(116.0);
    let response = area.show(ui, |ui| ui.add(edit)).inner.accessible_name(name);
    if response.changed() {
        form.memory.texts.insert(path.to_owned(), Text { typed: typed.clone(), refused: String::new() });
    }
    if let Some(typed) = finished(ui, form, path, &response, typed, shown) {
        let value = Value::String(typed.trim_end().to_owned());
        form.change(path, Change::Put { path: path.to_owned(), value }, format!("{name} changed"));
    }
}

fn count_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, name: &str, place: &str) {
    let line = line_ui(ui, form, row);
    let at = line.control(NUMBER);
    let cell = DecimalCell {
        name,
        value: row.value.as_u64().map(Decimal::from),
        cell: Cell::Plain,
        figures: form.fields.figures,
        differs: false,
        fixed: false,
        look: Look::Field,
        clearable: row.optional,
    };
    let whole = |value: Option<Decimal>| -> Result<Value, String> {
        let Some(value) = value else { return Ok(Value::Null) };
        let whole = Exact::from_decimal(value)?.as_whole().and_then(|whole| u32::try_from(whole).ok());
        whole.map(Value::from).ok_or_else(|| "This is counted: give a whole number from 0 on.".to_owned())
    };
    let id = Id::unique(("form", row.path.as_str()));
    if form.go_to.as_deref() == Some(&row.path) {
        ui.memory_mut(|memory| memory.request_focus(id));
        form.go_to = None;
    }
    // The drafts are taken out while the form is asked whether a number could be used.
    let mut drafts = std::mem::take(form.fields.drafts);
    let check = |value: Option<Decimal>| {
        let change = Change::Put { path: row.path.clone(), value: row.wrapped(whole(value)?) };
        if form.waiting().is_some() { Ok(()) } else { form.check(&row.path, change) }
    };
    let outcome = cell.show_at(ui, at, id, &mut drafts, &check);
    *form.fields.drafts = drafts;
    if let Some(Ok(value)) = outcome.committed.map(whole) {
        put(form, row, value, place);
    }
    let palette = Palette::of(ui.visuals());
    let unit = row.decl.unit.text("");
    let start = pos2(at.max.x + 6.0, at.center().y);
    let shown = elided(ui.painter(), &unit, &theme::SMALL, ui.max_rect().max.x - start.x);
    painted_text(ui.painter(), start, Align2::LEFT_CENTER, &shown, &theme::SMALL, palette.text2);
    if let Some(reason) = outcome.refused {
        reason_ui(ui, &reason);
    }
}

/// A choice of one of several names or variants; one of them may be that there is none.
fn variant_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, name: &str, place: &str) {
    let Some(variants) = outline().variants(&row.shape) else { return };
    let none = usize::from(row.optional);
    let mut entries: Vec<Entry> = if row.optional { vec![Entry::plain("None")] } else { Vec::new() };
    entries.extend(variants.iter().map(|variant| Entry::plain(variant.label)));
    let now = current(variants, &row.value)
        .and_then(|(variant, _)| variants.iter().position(|of| of.name == variant.name))
        .map_or(0, |position| position + none);
    let line = line_ui(ui, form, row);
    let width = (line.rect.max.x - line.control).min(190.0);
    let Some(chosen) = choice_ui(&mut line.child(ui, &row.path), name, &entries, now, width) else { return };
    let value = match chosen.checked_sub(none).and_then(|position| variants.get(position)) {
        Some(variant) => outline().switched(&row.value, &row.shape, variant, row.decl),
        None => Value::Null,
    };
    let label = |value: &Value| current(variants, value).map_or("none", |(of, _)| of.label);
    let whole = if place.is_empty() { row.label.clone() } else { format!("{} · {place}", row.label) };
    let step = format!("{whole} {} → {}", label(&row.value), label(&value));
    form.change(&row.path, Change::Put { path: row.path.clone(), value: row.wrapped(value) }, step);
}

/// A choice of one of the elements of a list of the scenario.
fn reference_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, name: &str, place: &str) {
    let choices = row.of.map(|list| form.reading().choices(list)).unwrap_or_default();
    let none = usize::from(row.optional);
    let mut entries: Vec<Entry> = if row.optional { vec![Entry::plain("None")] } else { Vec::new() };
    entries.extend(choices.iter().map(|(_, name)| Entry::plain(name)));
    let now = row.value.as_str().and_then(|id| choices.iter().position(|(of, _)| of == id));
    let line = line_ui(ui, form, row);
    let room = line.rect.max.x - line.control;
    let rise = rise_of(form, row);
    let width = if rise.is_empty() { room.min(220.0) } else { (room - 96.0).clamp(80.0, 160.0) };
    let at = pos2(line.control + width + 6.0, line.rect.center().y);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, &rise, &theme::SMALL, Palette::of(ui.visuals()).text2);
    let current = now.map_or(0, |position| position + none);
    let Some(chosen) = choice_ui(&mut line.child(ui, &row.path), name, &entries, current, width) else { return };
    let value = match chosen.checked_sub(none).and_then(|position| choices.get(position)) {
        Some((id, _)) => id.clone().into(),
        None => Value::Null,
    };
    put(form, row, value, place);
}

/// What a price that follows an index rises by: it moves the price as much as the price itself.
fn rise_of(form: &Form<'_>, row: &Row) -> String {
    let index = row.value.as_str().filter(|_| row.of == Some("indices"));
    match index.and_then(|id| form.fields.document.now().scenario.indices.get(id)) {
        Some(Index::Annual(rate)) => {
            format!("{} % a year", show::in_words(&form.fields.figures.percent(rate.value.decimal())))
        }
        Some(Index::ByYear(_)) => "year by year".to_owned(),
        None => String::new(),
    }
}

/// One element of a list of a row, as a row of its own.
fn element(row: &Row, position: usize, value: &Value, shape: &Shape) -> Row {
    Row {
        path: format!("{}.{position}", row.path),
        label: format!("{} {}", row.label, position + 1),
        decl: row.decl,
        shape: shape.clone(),
        of: row.of,
        value: value.clone(),
        optional: false,
        edited: Edited::Input,
        within: Vec::new(),
    }
}

/// Inputs in a row: one for each year.
fn cells_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    const CELL: f32 = 64.0;
    let Shape::List(inner) = &row.shape else { return };
    let items = row.value.as_array().cloned().unwrap_or_default();
    let decl = if let Shape::Declared(own) = &**inner { own } else { row.decl };
    let line = line_ui(ui, form, row);
    let mut child = line.child(ui, &row.path);
    child.spacing_mut().item_spacing.x = 4.0;
    let mut change = None;
    child.horizontal(|ui| {
        if named_link_ui(ui, "Add a year", &format!("Add to {}", row.label)).clicked() {
            let mut items = items.clone();
            items.push(items.last().map_or_else(|| outline().blank(inner, decl), plain));
            change = Some(items);
        }
        if !items.is_empty()
            && named_link_ui(ui, "Remove the last", &format!("Remove the last of {}", row.label)).clicked()
        {
            let mut items = items.clone();
            items.pop();
            change = Some(items);
        }
    });
    let across = ((ui.available_width() + 6.0) / (CELL + 6.0)).floor().max(1.0) as usize;
    for (chunk, cells) in items.chunks(across).enumerate() {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        for (i, value) in cells.iter().enumerate() {
            let at = Rect::from_min_size(
                pos2(rect.min.x + i as f32 * (CELL + 6.0), rect.min.y + 2.0),
                vec2(CELL, DecimalCell::HEIGHT),
            );
            let mut row = element(row, chunk * across + i, value, inner);
            row.decl = decl;
            let label = row.label.clone();
            number_ui(ui, form, &row, at, place, &label);
        }
    }
    if let Some(items) = change {
        put(form, row, Value::Array(items), place);
    }
}

/// The number alone, without range and evidence.
fn plain(value: &Value) -> Value {
    exact(value).map_or(Value::Null, |number| number.to_string().into())
}

/// Inputs, each beside a plain value: tiers, shares, measured points.
fn pairs_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    let Shape::List(inner) = &row.shape else { return };
    let Shape::Beside { other, shape, input } = &**inner else { return };
    let items = row.value.as_array().cloned().unwrap_or_default();
    let line = line_ui(ui, form, row);
    let mut change: Option<Vec<Value>> = None;
    let mut child = line.child(ui, &row.path);
    if named_link_ui(&mut child, "Add a row", &format!("Add a row to {}", row.label)).clicked() {
        let mut items = items.clone();
        let blank = outline().blank(inner, row.decl);
        // The last of the open ones stays the last.
        let last_is_open = matches!(**shape, Shape::Optional(_)) && !items.is_empty();
        items.insert(if last_is_open { items.len() - 1 } else { items.len() }, blank);
        change = Some(items);
    }
    let headings = [heading(other), heading(input)];
    let palette = Palette::of(ui.visuals());
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 18.0), Sense::hover());
    for (i, text) in headings.iter().enumerate() {
        let at = pos2(rect.min.x + 12.0 + i as f32 * (NUMBER + 8.0) + NUMBER - 6.0, rect.center().y);
        painted_text(ui.painter(), at, Align2::RIGHT_CENTER, text, &theme::SMALL, palette.text2);
    }
    for (position, item) in items.iter().enumerate() {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let at = |i: usize| {
            let x = rect.min.x + 12.0 + i as f32 * (NUMBER + 8.0);
            Rect::from_min_size(pos2(x, rect.min.y + 2.0), vec2(NUMBER, DecimalCell::HEIGHT))
        };
        let mut beside = element(row, position, item.get(*other).unwrap_or(&Value::Null), shape);
        beside.path = format!("{}.{other}", beside.path);
        beside.optional = matches!(**shape, Shape::Optional(_));
        let label = format!("{}, {} {}", row.label, headings[0].to_lowercase(), position + 1);
        plain_number_ui(ui, form, &beside, at(0), &label, place);
        let number = element(row, position, item.get(*input).unwrap_or(&Value::Null), &Shape::Input);
        let label = format!("{}, {} {}", row.label, headings[1].to_lowercase(), position + 1);
        pair_input_ui(ui, form, number, input, at(1), &label, place);
        let link = Rect::from_min_max(pos2(at(1).max.x + 8.0, rect.min.y + 1.0), rect.max);
        let mut child = ui.new_child(UiBuilder::new().max_rect(link).id_salt(("drop", &row.path, position)));
        let name = format!("Remove row {} of {}", position + 1, row.label);
        if items.len() > 1 && named_link_ui(&mut child, "Remove", &name).clicked() {
            let mut items = items.clone();
            items.remove(position);
            change = Some(items);
        }
    }
    if let Some(items) = change {
        put(form, row, Value::Array(items), place);
    }
}

/// The input of a pair is addressed by its place alone; a change that waits puts it inside the pair.
fn pair_input_ui(ui: &mut Ui, form: &mut Form<'_>, mut row: Row, input: &str, at: Rect, label: &str, place: &str) {
    if form.known(&row).is_none() {
        row.path = format!("{}.{input}", row.path);
    }
    number_ui(ui, form, &row, at, place, label);
}

/// A plain number that no analysis moves.
fn plain_number_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, at: Rect, label: &str, place: &str) {
    let cell = DecimalCell {
        name: &format!("{label} · {place}"),
        value: exact(&row.value).map(Exact::decimal),
        cell: Cell::Plain,
        figures: form.fields.figures,
        differs: false,
        fixed: false,
        look: Look::Field,
        clearable: row.optional,
    };
    let outcome = cell.show_at(ui, at, Id::unique(("form", row.path.as_str())), form.fields.drafts, &|_| Ok(()));
    if let Some(value) = outcome.committed {
        let value = value.and_then(|value| Exact::from_decimal(value).ok());
        put(form, row, value.map_or(Value::Null, |value| value.to_string().into()), place);
    }
    if let Some(reason) = outcome.refused {
        reason_ui(ui, &reason);
    }
}

/// `up_to` as `Up to`.
fn heading(field: &str) -> String {
    let words = field.replace('_', " ");
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Values by name: exchange rates, indices, prices by class.
fn entries_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    let Shape::Map(inner) = &row.shape else { return };
    let entries = row.value.as_object().cloned().unwrap_or_default();
    let line = line_ui(ui, form, row);
    add_entry_ui(ui, form, row, &line, &entries, inner, place);
    for (key, value) in &entries {
        let path = format!("{}.{key}", row.path);
        let called = form.reading().name(row.of, key);
        for (i, inner) in super::rows::entry(row, inner, value, &path, &called).iter().enumerate() {
            let top = ui.cursor().min;
            row_ui(ui, form, inner, place);
            if i == 0 {
                let right = ui.max_rect().max.x;
                let link = Rect::from_min_max(pos2(right - 60.0, top.y + 1.0), pos2(right, top.y + ROW));
                let mut child = ui.new_child(UiBuilder::new().max_rect(link).id_salt(("drop", &path)));
                if named_link_ui(&mut child, "Remove", &format!("Remove {called}")).clicked() {
                    form.change(&path, Change::Remove { path: path.clone() }, format!("{called} removed"));
                }
            }
        }
    }
}

fn add_entry_ui(
    ui: &mut Ui,
    form: &mut Form<'_>,
    row: &Row,
    line: &Line,
    entries: &Map<String, Value>,
    inner: &Shape,
    place: &str,
) {
    let add = |form: &mut Form<'_>, key: &str, called: &str| {
        let path = format!("{}.{key}", row.path);
        let value = outline().blank(inner, row.decl);
        let label = format!("{called} added · {}", if place.is_empty() { row.label.as_str() } else { place });
        form.change(&path, Change::Put { path: path.clone(), value }, label);
    };
    let name = format!("Add to {}", crate::scenario::inputs::lower_first(&row.label));
    if let Some(list) = row.of {
        let choices = form.reading().choices(list);
        let left: Vec<&(String, String)> = choices.iter().filter(|(id, _)| !entries.contains_key(id)).collect();
        if left.is_empty() {
            return;
        }
        let mut shown = vec![Entry::plain("Add…")];
        shown.extend(left.iter().map(|(_, name)| Entry::plain(name)));
        let chosen = choice_ui(&mut line.child(ui, &row.path), &name, &shown, 0, 160.0);
        if let Some((id, called)) = chosen.and_then(|chosen| left.get(chosen - 1)) {
            add(form, id, called);
        }
        return;
    }
    let path = format!("{}+", row.path);
    let hint = if row.decl.unit == Unit::Exchange { "Add a currency: EUR" } else { "Add: a name" };
    let Some(typed) = text_field_ui(ui, form, &path, (&name, hint), "", line.control(160.0)) else { return };
    let typed = typed.trim();
    let key = if row.decl.unit == Unit::Exchange {
        typed.to_uppercase()
    } else {
        crate::scenario::structure::free_id(typed, std::iter::empty())
    };
    if entries.contains_key(&key) {
        refuse(form, &path, typed.to_owned(), format!("There is a “{key}” already."));
    } else {
        add(form, &key, &key);
    }
}

/// Paths of inputs, by the names of these.
fn paths_ui(ui: &mut Ui, form: &mut Form<'_>, row: &Row, place: &str) {
    let paths: Vec<String> =
        row.value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let line = line_ui(ui, form, row);
    let key = format!("{}+", row.path);
    let name = format!("Add to {}", crate::scenario::inputs::lower_first(&row.label));
    let typed = text_field_ui(ui, form, &key, (&name, "Add: words of an input"), "", line.wide());
    let words = form.memory.texts.get(&key).map(|text| text.typed.clone()).or_else(|| typed.clone());
    let mut change: Option<Vec<String>> = None;
    for input in words.iter().flat_map(|words| found(form, words, &paths)) {
        let label = input.full_label();
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            if named_link_ui(ui, &label, &format!("Add {label}")).clicked() {
                change = Some(paths.iter().cloned().chain([input.path.clone()]).collect());
            }
        });
    }
    if let Some(typed) = typed {
        match found(form, &typed, &paths).as_slice() {
            [only] => change = Some(paths.iter().cloned().chain([only.path.clone()]).collect()),
            [] => refuse(form, &key, typed, "No other input has these words.".to_owned()),
            _ => {
                let refused = "Several inputs have these words; press one, or add words.".to_owned();
                form.memory.texts.insert(key.clone(), Text { typed, refused });
            }
        }
    }
    for (position, path) in paths.iter().enumerate() {
        let called = form.fields.document.now().scenario.named(path);
        ui.horizontal(|ui| {
            ui.add_space(12.0);
            ui.label(&called);
            if named_link_ui(ui, "Remove", &format!("Remove {called}")).clicked() {
                let mut paths = paths.clone();
                paths.remove(position);
                change = Some(paths);
            }
        });
    }
    if let Some(paths) = change {
        form.memory.texts.remove(&key);
        put(form, row, Value::from(paths), place);
    }
}

/// Up to eight inputs that have all these words and are not among those known.
fn found<'a>(form: &Form<'a>, words: &str, known: &[String]) -> Vec<&'a crate::scenario::InputRef> {
    if words.trim().is_empty() {
        return Vec::new();
    }
    let words = words.to_lowercase();
    let has_all = |input: &crate::scenario::InputRef| {
        let text = format!("{} {}", input.full_label(), input.path).to_lowercase();
        words.split_whitespace().all(|word| text.contains(word))
    };
    let inputs: &'a [crate::scenario::InputRef] = &form.fields.document.now().inputs;
    inputs.iter().filter(|input| !known.contains(&input.path) && has_all(input)).take(8).collect()
}
