//! Inputs: every number a person has stated, in one list, edited in place with its range and its evidence.
//!
//! The list is the walk of the scenario: no input is named here. Edits are returned, not made.

use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Align2, Id, Rect, RichText, ScrollArea, Sense, Stroke, TextEdit, Ui, WidgetInfo, pos2, vec2};
use rust_decimal::Decimal;

use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Document;
use crate::app::edit::{self, Change, Edit};
use crate::app::files;
use crate::app::icons::{self, Icon};
use crate::app::live::Wish;
use crate::app::live::panel::pin_at;
use crate::app::theme::{self, Palette};
use crate::app::view::View;
use crate::app::widgets::{
    DecimalCell, Drafts, Entry, Outcome, Told, choice_ui, elided, painted_text, search_ui, segments_ui,
};
use crate::input::{Confidence, Distribution, Evidence, EvidenceKind};
use crate::quantity::Exact;
use crate::scenario::InputRef;
use crate::scenario::calendar::Date;

use super::{evidence_legend_ui, head_ui};

const ROW: f32 = 26.0;
const GROUP: f32 = 26.0;
const CELL: f32 = 112.0;
const END: f32 = 96.0;
const SPREAD: f32 = 108.0;
/// The least room in which every column can be read.
const NARROWEST: f32 = 838.0;
/// The room in which the marks of evidence are explained beside the field that finds inputs.
const LEGEND: f32 = 640.0;

/// What the page remembers: folded groups, and the evidence that is being written.
#[derive(Default)]
pub struct Memory {
    folded: HashSet<String>,
    open: Option<Opened>,
    /// The row to bring into view.
    pub go_to: Option<String>,
}

/// The evidence of one input while it is edited.
struct Opened {
    path: String,
    kind: EvidenceKind,
    source: String,
    owner: String,
    confidence: Option<Confidence>,
    as_of: String,
    review_by: String,
    refused: String,
}

pub struct Page<'a> {
    pub document: &'a Document,
    pub today: Option<Date>,
}

impl Memory {
    /// Forgets what belongs to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

impl Page<'_> {
    pub fn ui(
        &self,
        ui: &mut Ui,
        view: &mut View,
        memory: &mut Memory,
        drafts: &mut Drafts,
        commands: &mut Vec<Command>,
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        let inputs = &self.document.now().inputs;
        let found: Vec<&InputRef> = inputs.iter().filter(|input| matches(input, &view.filter)).collect();
        head_ui(ui, "Inputs", |ui| filter_ui(ui, view, found.len(), inputs.len()));
        if found.is_empty() {
            ui.add_space(16.0);
            ui.label(
                "No input has these words in its name, place, unit or evidence. Esc in the field shows all of them.",
            );
            return;
        }
        let columns = Columns::of((ui.available_width() - 14.0).max(NARROWEST));
        let figures = view.figures;
        let mut list = List { page: self, figures, columns, memory, drafts, commands };
        // Where the columns do not fit, they are scrolled sideways together with their headings.
        ScrollArea::horizontal().id_salt("columns").auto_shrink(false).show(ui, |ui| {
            columns.head_ui(ui);
            ScrollArea::vertical().id_salt("inputs").auto_shrink(false).show(ui, |ui| {
                for group in grouped(&found) {
                    list.group_ui(ui, &group);
                }
                ui.add_space(24.0);
            });
        });
        list.memory.go_to = None;
    }
}

fn matches(input: &InputRef, filter: &str) -> bool {
    if filter.trim().is_empty() {
        return true;
    }
    let kind = input.input.evidence_kind().label();
    let text = format!("{} {} {} {} {kind}", input.label, input.place().unwrap_or("scenario"), input.path, input.unit);
    let (text, filter) = (text.to_lowercase(), filter.to_lowercase());
    filter.split_whitespace().all(|word| text.contains(word))
}

fn filter_ui(ui: &mut Ui, view: &mut View, found: usize, all: usize) {
    let palette = Palette::of(ui.visuals());
    let count = if found == all { format!("{all} inputs") } else { format!("{found} of {all} inputs") };
    ui.label(RichText::new(count).font(theme::SMALL).color(palette.text2));
    if LEGEND <= ui.available_width() {
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing.x = 6.0;
        evidence_legend_ui(ui);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        search_ui(ui, "Find an input", 240.0, &mut view.filter, &mut view.find);
    });
}

/// A class, an environment, a placement, or the scenario itself, with its inputs.
struct Group<'a> {
    name: String,
    kind: &'static str,
    inputs: Vec<&'a InputRef>,
}

fn grouped<'a>(found: &[&'a InputRef]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for input in found {
        let (name, kind) = match (input.place(), input.path.split('.').next()) {
            (Some(place), Some("workloads")) => (place, "Workload class"),
            (Some(place), Some("environments")) => (place, "Environment"),
            (Some(place), _) => (place, "Placement"),
            (None, _) => ("Scenario", ""),
        };
        match groups.iter_mut().find(|group| group.name == name && group.kind == kind) {
            Some(group) => group.inputs.push(input),
            None => groups.push(Group { name: name.to_owned(), kind, inputs: vec![input] }),
        }
    }
    groups
}

/// Where the columns stand, from the left of the list.
#[derive(Clone, Copy)]
struct Columns {
    label: f32,
    label_width: f32,
    value: f32,
    unit: f32,
    low: f32,
    high: f32,
    spread: f32,
    evidence: f32,
    width: f32,
}

impl Columns {
    fn of(width: f32) -> Self {
        let fixed = 28.0 + CELL + 8.0 + END + 6.0 + END + 10.0 + SPREAD + 12.0;
        let free = (width - fixed).max(300.0);
        let unit_width = (free * 0.2).clamp(72.0, 124.0);
        let label_width = (free * 0.48).clamp(150.0, 380.0);
        let label = 28.0;
        let value = label + label_width;
        let unit = value + CELL + 8.0;
        let low = unit + unit_width;
        let high = low + END + 6.0;
        let spread = high + END + 10.0;
        let evidence = spread + SPREAD + 12.0;
        Self { label, label_width, value, unit, low, high, spread, evidence, width }
    }

    const fn of_number(self, number: Number) -> (f32, f32) {
        match number {
            Number::Value => (self.value, CELL),
            Number::Low => (self.low, END),
            Number::High => (self.high, END),
        }
    }

    fn head_ui(self, ui: &mut Ui) {
        let (rect, _) = ui.allocate_exact_size(vec2(self.width, 24.0), Sense::hover());
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let at = |x: f32| pos2(rect.min.x + x, rect.center().y);
        for (x, anchor, text) in [
            (self.label, Align2::LEFT_CENTER, "Input"),
            (self.value + CELL - 6.0, Align2::RIGHT_CENTER, "Value"),
            (self.unit, Align2::LEFT_CENTER, "Unit"),
            (self.low + END - 6.0, Align2::RIGHT_CENTER, "Low"),
            (self.high + END - 6.0, Align2::RIGHT_CENTER, "High"),
            (self.spread, Align2::LEFT_CENTER, "Distribution"),
            (self.evidence, Align2::LEFT_CENTER, "Evidence"),
        ] {
            painted_text(painter, at(x), anchor, text, &theme::SMALL, palette.text2);
        }
        painter.hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line2));
    }
}

struct List<'a, 'b> {
    page: &'a Page<'b>,
    figures: crate::show::Figures,
    columns: Columns,
    memory: &'a mut Memory,
    drafts: &'a mut Drafts,
    commands: &'a mut Vec<Command>,
}

impl<'b> List<'_, 'b> {
    fn group_ui(&mut self, ui: &mut Ui, group: &Group<'_>) {
        let key = format!("{} {}", group.kind, group.name);
        let wanted =
            self.memory.go_to.as_ref().is_some_and(|path| group.inputs.iter().any(|input| input.path == *path));
        if wanted {
            self.memory.folded.remove(&key);
        }
        let folded = self.memory.folded.contains(&key);
        if self.group_head_ui(ui, group, folded) {
            if folded {
                self.memory.folded.remove(&key);
            } else {
                self.memory.folded.insert(key);
            }
            return;
        }
        // A row in which something is being typed stays until it is committed, or it would be forgotten.
        for input in group.inputs.iter().filter(|input| !folded || self.holds(ui, input)).collect::<Vec<_>>() {
            self.row_ui(ui, input);
        }
    }

    /// Whether something in the row of this input is being typed, or has the keyboard.
    fn holds(&self, ui: &Ui, input: &InputRef) -> bool {
        let held = |id| self.drafts.holds(id) || ui.memory(|memory| memory.has_focus(id));
        Number::ALL.into_iter().any(|number| held(number.id(&input.path)))
    }

    fn group_head_ui(&self, ui: &mut Ui, group: &Group<'_>, folded: bool) -> bool {
        let (rect, response) = ui.allocate_exact_size(vec2(self.columns.width, GROUP), Sense::click());
        let state = if folded { "folded" } else { "open" };
        let said = format!("{} {}, {} inputs, {state}", group.kind, group.name, group.inputs.len());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, said.trim_start()));
        if ui.is_rect_visible(rect) {
            let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
            painter.rect_filled(rect, 0, if response.hovered() { palette.hover } else { palette.sunken });
            painter.hline(rect.x_range(), rect.min.y + 0.5, Stroke::new(1.0, palette.line));
            let icon = if folded { Icon::Right } else { Icon::Down };
            icons::icon(painter, icon, pos2(rect.min.x + 12.0, rect.center().y), 12.0, palette.text2);
            let at = pos2(rect.min.x + self.columns.label, rect.center().y);
            let font = theme::semibold(13.0);
            let taken = painted_text(painter, at, Align2::LEFT_CENTER, &group.name, &font, palette.text);
            let more = format!("{} {}", group.kind.to_lowercase(), group.inputs.len());
            let at = pos2(taken.max.x + 10.0, rect.center().y);
            painted_text(painter, at, Align2::LEFT_CENTER, more.trim_start(), &theme::SMALL, palette.text2);
            if response.has_focus() {
                icons::border(painter, rect, 0, 2.0, palette.accent);
            }
        }
        response.clicked()
    }

    /// A row out of sight is only measured, unless something in it is being typed or brought into view.
    fn row_ui(&mut self, ui: &mut Ui, input: &InputRef) {
        let (rect, _) = ui.allocate_exact_size(vec2(self.columns.width, ROW), Sense::hover());
        let wanted = self.memory.go_to.as_deref() == Some(&input.path);
        let open = self.memory.open.as_ref().is_some_and(|open| open.path == input.path);
        let near = rect.expand(3.0 * ROW).intersects(ui.clip_rect());
        if !(near || wanted || open || self.holds(ui, input)) {
            return;
        }
        if wanted {
            ui.scroll_to_rect(rect, Some(egui::Align::Center));
            ui.memory_mut(|memory| memory.request_focus(Number::Value.id(&input.path)));
        }
        self.texts_ui(ui, rect, input);
        let mut refused = Vec::new();
        self.pin_ui(ui, rect, input);
        self.cells_ui(ui, rect, input, &mut refused);
        self.spread_ui(ui, rect, input);
        self.evidence_ui(ui, rect, input, open);
        let painter = ui.painter();
        painter.hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, Palette::of(ui.visuals()).line));
        for reason in refused {
            self.reason_ui(ui, &reason);
        }
        if open {
            self.opened_ui(ui, input);
        }
    }

    fn texts_ui(&self, ui: &Ui, rect: Rect, input: &InputRef) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let columns = self.columns;
        let evidence = input.input.evidence();
        let overdue = overdue(evidence, self.page.today);
        let mark = pos2(rect.min.x + 14.0, rect.center().y);
        let kind = input.input.evidence_kind();
        icons::evidence(painter, mark, kind, overdue, palette);
        let past = if overdue { ", and its review date has passed" } else { "" };
        let around = Rect::from_center_size(mark, vec2(22.0, ROW));
        let marked = ui.interact(around, Id::unique(("mark", &input.path)), Sense::hover());
        marked.told(format!("{}{past}", kind.label()));
        let place =
            Rect::from_min_size(pos2(rect.min.x + columns.label, rect.min.y), vec2(columns.label_width - 30.0, ROW));
        let label = elided(painter, &input.label, &theme::BODY, place.width());
        let at = pos2(place.min.x, rect.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, &label, &theme::BODY, palette.text);
        let response = ui.interact(place, Id::unique(("label", &input.path)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, input.full_label()));
        response.told_by(|ui| {
            ui.set_max_width(420.0);
            ui.label(RichText::new(input.full_label()).font(theme::semibold(13.0)));
            ui.label(input.decl.help.trim());
            ui.label(RichText::new(&input.path).font(theme::SMALL).color(palette.text2));
        });
        let unit = elided(painter, &shown_unit(input), &theme::SMALL, columns.low - columns.unit - 8.0);
        let at = pos2(rect.min.x + columns.unit, rect.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, &unit, &theme::SMALL, palette.text2);
    }

    fn cells_ui(&mut self, ui: &mut Ui, rect: Rect, input: &InputRef, refused: &mut Vec<String>) {
        for number in Number::ALL {
            let (x, width) = self.columns.of_number(number);
            let place = Rect::from_min_size(pos2(rect.min.x + x, rect.min.y + 2.0), vec2(width, DecimalCell::HEIGHT));
            self.cell_ui(ui, place, input, number, refused);
        }
    }

    fn cell_ui(&mut self, ui: &mut Ui, place: Rect, input: &InputRef, number: Number, refused: &mut Vec<String>) {
        let value = number.of(input);
        let cell = DecimalCell {
            name: &number.name(input),
            value: value.map(Exact::decimal),
            cell: edit::cell(input),
            figures: self.figures,
            differs: self.saved(input).is_some_and(|saved| number.of(saved) != value),
            fixed: number == Number::Value && self.page.document.positions().contains_key(&input.path),
            clearable: number != Number::Value,
        };
        let check = |value: Option<Decimal>| {
            let change = number.change(value.map(Exact::from_decimal).transpose()?);
            let Some(change) = change else { return Ok(()) };
            let edit = Edit { path: input.path.clone(), change };
            let edited = self.page.document.edited(&edit, self.figures)?;
            files::evaluated(edited.scenario, self.page.today).map(|_| ())
        };
        let id = number.id(&input.path);
        let fixed = cell.fixed;
        let Outcome { response, committed, refused: reason } = cell.show_at(ui, place, id, self.drafts, &check);
        let response = if fixed { response.told(self.said_of_fixed(input)) } else { response };
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        refused.extend(reason);
        let committed = committed.map(|value| value.and_then(|value| Exact::from_decimal(value).ok()));
        self.edit(input, committed.and_then(|value| number.change(value)));
    }

    /// Why the value is not that of the base, and what typing in its cell changes.
    fn said_of_fixed(&self, input: &InputRef) -> String {
        let document = self.page.document;
        let base = document.base().input(&input.path).map(|base| base.input.value);
        let base = base.map_or_else(String::new, |base| self.figures.cell(base.decimal(), edit::cell(input)));
        let shown = document.live().name(&document.base().scenario);
        format!("Fixed by the case: {shown}. The base has {base}. Typing here moves the lever, and the base stays; B shows the base.")
    }

    /// Pins the input as a lever, or takes the pin away.
    fn pin_ui(&mut self, ui: &Ui, rect: Rect, input: &InputRef) {
        let place = Rect::from_center_size(pos2(rect.min.x + self.columns.value - 14.0, rect.center().y), vec2(22.0, 22.0));
        if pin_at(ui, place, self.page.document, input) {
            self.commands.push(Command::Live(Wish::Pin(input.path.clone())));
        }
    }

    fn edit(&mut self, input: &InputRef, change: Option<Change>) {
        if let Some(change) = change {
            self.commands.push(Command::Edit(Edit { path: input.path.clone(), change }));
        }
    }

    /// The same input in the saved file.
    fn saved(&self, input: &InputRef) -> Option<&'b InputRef> {
        let saved: &'b [InputRef] = &self.page.document.saved().inputs;
        let here = saved.get(input.index).filter(|saved| saved.path == input.path);
        here.or_else(|| saved.iter().find(|saved| saved.path == input.path))
    }

    fn spread_ui(&mut self, ui: &mut Ui, rect: Rect, input: &InputRef) {
        if input.input.range().is_none() {
            let at = pos2(rect.min.x + self.columns.spread, rect.center().y);
            let palette = Palette::of(ui.visuals());
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, "no range", &theme::SMALL, palette.text3);
            return;
        }
        let entries: Vec<Entry> = Distribution::ALL.iter().map(|spread| Entry::plain(spread.label())).collect();
        let current = Distribution::ALL.iter().position(|spread| *spread == input.input.distribution()).unwrap_or(0);
        let place = Rect::from_min_size(pos2(rect.min.x + self.columns.spread, rect.min.y + 1.0), vec2(SPREAD, 24.0));
        let name = format!("{}, distribution", input.full_label());
        let builder = egui::UiBuilder::new().max_rect(place).id_salt(("spread", &input.path));
        let chosen = choice_ui(&mut ui.new_child(builder), &name, &entries, current, SPREAD);
        self.edit(input, chosen.map(|i| Change::Distribution(Distribution::ALL[i])));
    }

    /// What the number rests on, in a line; pressing it opens the whole of it.
    fn evidence_ui(&mut self, ui: &Ui, rect: Rect, input: &InputRef, open: bool) {
        let place =
            Rect::from_min_max(pos2(rect.min.x + self.columns.evidence, rect.min.y + 1.0), rect.max - vec2(0.0, 1.0));
        let response = ui.interact(place, Id::unique(("evidence", &input.path)), Sense::click());
        let evidence = input.input.evidence();
        let (text, assumed) = summary(evidence);
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Button, true, format!("{}, evidence: {text}", input.full_label()))
        });
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        if response.hovered() || open {
            painter.rect_filled(place, 2, palette.hover);
        }
        if response.has_focus() {
            icons::border(painter, place, 2, 2.0, palette.accent);
        }
        let ink = if assumed { palette.warn } else { palette.text2 };
        let shown = elided(painter, &text, &theme::SMALL, place.width() - 22.0);
        painted_text(
            painter,
            pos2(place.min.x + 4.0, place.center().y),
            Align2::LEFT_CENTER,
            &shown,
            &theme::SMALL,
            ink,
        );
        let icon = if open { Icon::Down } else { Icon::Right };
        icons::icon(painter, icon, pos2(place.max.x - 8.0, place.center().y), 12.0, palette.text2);
        let response = response.told(whole(evidence));
        if response.clicked() {
            self.open(input);
        }
    }

    /// Opens the evidence of an input, or closes it. What was written into another one is kept first; where it cannot be,
    /// that one stays open and says why.
    fn open(&mut self, input: &InputRef) {
        let Some(mut other) = self.memory.open.take() else {
            self.memory.open = Some(Opened::of(input));
            return;
        };
        match other.evidence() {
            Ok(evidence) => self.keep(&other.path, evidence),
            Err(reason) => {
                other.refused = reason;
                self.memory.open = Some(other);
                return;
            }
        }
        if other.path != input.path {
            self.memory.open = Some(Opened::of(input));
        }
    }

    /// Commits evidence, unless it says what was known already.
    fn keep(&mut self, path: &str, evidence: Evidence) {
        let inputs = &self.page.document.now().inputs;
        let known = inputs.iter().find(|input| input.path == *path).and_then(|input| input.input.evidence());
        if known.unwrap_or(&empty()) != &evidence {
            self.commands.push(Command::Edit(Edit { path: path.to_owned(), change: Change::Evidence(Some(evidence)) }));
        }
    }

    /// Why a text in the row above is not accepted, beneath it and whole.
    fn reason_ui(&self, ui: &mut Ui, reason: &str) {
        let palette = Palette::of(ui.visuals());
        let room = self.columns.width - self.columns.label;
        let galley = ui.painter().layout(reason.to_owned(), theme::SMALL, palette.error, room);
        let (rect, response) = ui.allocate_exact_size(vec2(self.columns.width, galley.size().y + 8.0), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, reason));
        ui.painter().galley(rect.min + vec2(self.columns.label, 4.0), galley, palette.error);
    }

    fn opened_ui(&mut self, ui: &mut Ui, input: &InputRef) {
        let Some(mut open) = self.memory.open.take() else { return };
        let palette = Palette::of(ui.visuals());
        let frame = egui::Frame::new().fill(palette.sunken).inner_margin(egui::Margin {
            left: 28,
            right: 16,
            top: 10,
            bottom: 10,
        });
        let done = frame.show(ui, |ui| {
            ui.set_width(self.columns.width - 44.0);
            ui.spacing_mut().item_spacing = vec2(12.0, 8.0);
            ui.label(RichText::new(format!("Evidence for {}", input.full_label())).font(theme::semibold(13.0)));
            open.ui(ui)
        });
        match done.inner {
            None => self.memory.open = Some(open),
            Some(None) => {}
            Some(Some(evidence)) => self.keep(&input.path, evidence),
        }
    }
}

/// The three numbers of a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Value,
    Low,
    High,
}

impl Number {
    const ALL: [Self; 3] = [Self::Value, Self::Low, Self::High];

    /// The path is what stays the same when the list changes.
    fn id(self, path: &str) -> Id {
        let salt = match self {
            Self::Value => "value",
            Self::Low => "low",
            Self::High => "high",
        };
        Id::unique((salt, path))
    }

    fn of(self, input: &InputRef) -> Option<Exact> {
        match self {
            Self::Value => Some(input.input.value),
            Self::Low => input.input.range().map(|range| range.low),
            Self::High => input.input.range().map(|range| range.high),
        }
    }

    fn name(self, input: &InputRef) -> String {
        match self {
            Self::Value => input.full_label(),
            Self::Low => format!("{}, low", input.full_label()),
            Self::High => format!("{}, high", input.full_label()),
        }
    }

    /// What putting this number there means; a value cannot be emptied.
    fn change(self, to: Option<Exact>) -> Option<Change> {
        match self {
            Self::Value => to.map(Change::Value),
            Self::Low => Some(Change::Low(to)),
            Self::High => Some(Change::High(to)),
        }
    }
}

impl Opened {
    fn of(input: &InputRef) -> Self {
        let evidence = input.input.evidence();
        let text = |pick: fn(&Evidence) -> Option<String>| evidence.and_then(pick).unwrap_or_default();
        Self {
            path: input.path.clone(),
            kind: input.input.evidence_kind(),
            source: text(|e| Some(e.source.clone())),
            owner: text(|e| Some(e.owner.clone())),
            confidence: evidence.and_then(|e| e.confidence),
            as_of: text(|e| e.as_of.clone()),
            review_by: text(|e| e.review_by.clone()),
            refused: String::new(),
        }
    }

    /// The fields. `Some` when they are done with: with new evidence, or without.
    fn ui(&mut self, ui: &mut Ui) -> Option<Option<Evidence>> {
        let kinds: Vec<&str> = EvidenceKind::ALL.iter().map(|kind| kind.label()).collect();
        let current = EvidenceKind::ALL.iter().position(|kind| *kind == self.kind).unwrap_or(0);
        if let Some(chosen) = segments_ui(ui, "Kind of evidence", &kinds, current, 24.0) {
            self.kind = EvidenceKind::ALL[chosen];
        }
        ui.horizontal(|ui| {
            field_ui(ui, "Source", &mut self.source, 300.0);
            field_ui(ui, "Owner", &mut self.owner, 140.0);
            self.confidence_ui(ui);
            field_ui(ui, "As of", &mut self.as_of, 96.0);
            field_ui(ui, "Review by", &mut self.review_by, 96.0);
        });
        if !self.refused.is_empty() {
            ui.label(RichText::new(&self.refused).font(theme::SMALL).color(Palette::of(ui.visuals()).error));
        }
        let (mut done, mut cancelled) = (false, false);
        ui.horizontal(|ui| {
            done = button(ui, "Done", true).clicked();
            cancelled = button(ui, "Cancel", false).clicked();
        });
        // Esc closes what is open: first a list, then the panel.
        let escaped = !egui::Popup::is_any_open(ui.ctx())
            && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
        if cancelled || escaped {
            return Some(None);
        }
        if !done {
            return None;
        }
        match self.evidence() {
            Ok(evidence) => Some(Some(evidence)),
            Err(reason) => {
                self.refused = reason;
                None
            }
        }
    }

    fn confidence_ui(&mut self, ui: &mut Ui) {
        let entries: Vec<Entry> =
            std::iter::once("not said").chain(Confidence::ALL.iter().map(|c| c.label())).map(Entry::plain).collect();
        let current =
            self.confidence.and_then(|c| Confidence::ALL.iter().position(|all| *all == c)).map_or(0, |i| i + 1);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            caption_ui(ui, "Confidence");
            if let Some(chosen) = choice_ui(ui, "Confidence", &entries, current, 104.0) {
                self.confidence = chosen.checked_sub(1).map(|i| Confidence::ALL[i]);
            }
        });
    }

    fn evidence(&self) -> Result<Evidence, String> {
        let date = |name: &str, text: &str| match text.trim() {
            "" => Ok(None),
            text if Date::parse(text).is_some() => Ok(Some(text.to_owned())),
            text => Err(format!("{name}: “{text}” is not a date; write it as 2026-11-30.")),
        };
        Ok(Evidence {
            kind: self.kind,
            source: self.source.trim().to_owned(),
            owner: self.owner.trim().to_owned(),
            confidence: self.confidence,
            as_of: date("As of", &self.as_of)?,
            review_by: date("Review by", &self.review_by)?,
        })
    }
}

/// Evidence that says nothing yet.
fn empty() -> Evidence {
    Evidence {
        kind: EvidenceKind::Assumed,
        source: String::new(),
        owner: String::new(),
        confidence: None,
        as_of: None,
        review_by: None,
    }
}

fn field_ui(ui: &mut Ui, name: &str, text: &mut String, width: f32) {
    ui.vertical(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        caption_ui(ui, name);
        let palette = Palette::of(ui.visuals());
        let field = TextEdit::singleline(text)
            .desired_width(width)
            .text_color(palette.input)
            .margin(egui::Margin::symmetric(6, 3));
        ui.add(field).accessible_name(name);
    });
}

fn caption_ui(ui: &mut Ui, name: &str) {
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(name).font(theme::SMALL).color(palette.text2));
}

/// The unit beside a cell: one that is shown in percent says so.
pub fn shown_unit(input: &InputRef) -> String {
    match (edit::cell(input), input.unit.as_str()) {
        (crate::show::Cell::Percent, "share") => "%".to_owned(),
        (crate::show::Cell::Percent, unit) => format!("% {unit}"),
        (crate::show::Cell::Plain, unit) => unit.to_owned(),
    }
}

fn summary(evidence: Option<&Evidence>) -> (String, bool) {
    let Some(evidence) = evidence else { return ("Assumed, no source".to_owned(), true) };
    let kind = evidence.kind.label();
    let text =
        if evidence.source.is_empty() { format!("{kind}, no source") } else { format!("{kind}: {}", evidence.source) };
    (text, evidence.kind == EvidenceKind::Assumed)
}

fn whole(evidence: Option<&Evidence>) -> String {
    let Some(evidence) = evidence else { return "No evidence entered: counts as assumed".to_owned() };
    let said = |name: &str, text: &str| format!("{name}: {}", if text.is_empty() { "none" } else { text });
    [
        evidence.kind.label().to_owned(),
        said("Source", &evidence.source),
        said("Owner", &evidence.owner),
        said("Confidence", evidence.confidence.map_or("", Confidence::label)),
        said("As of", evidence.as_of.as_deref().unwrap_or_default()),
        said("Review by", evidence.review_by.as_deref().unwrap_or_default()),
    ]
    .join("\n")
}

pub fn overdue(evidence: Option<&Evidence>, today: Option<Date>) -> bool {
    let review = evidence.and_then(|evidence| evidence.review_by.as_deref()).and_then(Date::parse);
    review.zip(today).is_some_and(|(review, today)| review < today)
}
