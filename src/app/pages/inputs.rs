//! Inputs: every number a person has stated, in one list, edited in place with its range and its evidence.
//!
//! The list is the walk of the scenario: no input is named here. Edits are returned, not made.

use std::collections::HashSet;

use egui::accesskit::Role;
use egui::{Align2, Id, Rect, RichText, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::analysis::register::is_overdue as overdue;
use crate::app::command::Command;
use crate::app::edit::{Change, Edit};
use crate::app::fields::{Fields, Number, reason_ui, shown_unit};
use crate::app::icons::{self, Icon};
use crate::app::live::Wish;
use crate::app::live::panel::pin_at;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{DecimalCell, Entry, choice_ui, elided, painted_text, search_ui};
use crate::input::{Distribution, Evidence, EvidenceKind};
use crate::scenario::InputRef;

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

/// What the page remembers: folded groups.
#[derive(Default)]
pub struct Memory {
    folded: HashSet<String>,
}

/// Draws the page.
pub fn inputs_ui(ui: &mut Ui, page: &mut PageState<'_>, fields: &mut Fields<'_>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let inputs = &fields.document.now().inputs;
    let found: Vec<&InputRef> = inputs.iter().filter(|input| matches(input, page.filter)).collect();
    head_ui(ui, "Inputs", |ui| filter_ui(ui, page, found.len(), inputs.len()));
    if found.is_empty() {
        ui.add_space(16.0);
        ui.label("No input has these words in its name, place, unit or evidence. Esc in the field shows all of them.");
        return;
    }
    let columns = Columns::of((ui.available_width() - 14.0).max(NARROWEST));
    let mut list = List { fields, columns, memory: page.memory };
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
    list.fields.memory.go_to = None;
}

/// What the page shows beside the inputs.
pub struct PageState<'a> {
    pub filter: &'a mut String,
    pub find: &'a mut bool,
    pub memory: &'a mut Memory,
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

fn filter_ui(ui: &mut Ui, page: &mut PageState<'_>, found: usize, all: usize) {
    let palette = Palette::of(ui.visuals());
    let count = if found == all { format!("{all} inputs") } else { format!("{found} of {all} inputs") };
    ui.label(RichText::new(count).font(theme::SMALL).color(palette.text2));
    if LEGEND <= ui.available_width() {
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing.x = 6.0;
        evidence_legend_ui(ui);
    }
    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
        search_ui(ui, "Find an input", 240.0, page.filter, page.find);
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
    fields: &'a mut Fields<'b>,
    columns: Columns,
    memory: &'a mut Memory,
}

impl List<'_, '_> {
    fn group_ui(&mut self, ui: &mut Ui, group: &Group<'_>) {
        let key = format!("{} {}", group.kind, group.name);
        let wanted =
            self.fields.memory.go_to.as_ref().is_some_and(|path| group.inputs.iter().any(|input| input.path == *path));
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
        for input in group.inputs.iter().filter(|input| !folded || self.fields.holds(ui, input)).collect::<Vec<_>>() {
            self.row_ui(ui, input);
        }
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
        let wanted = self.fields.memory.go_to.as_deref() == Some(&input.path);
        let open = self.fields.memory.is_open(&input.path);
        let near = rect.expand(3.0 * ROW).intersects(ui.clip_rect());
        if !(near || wanted || open || self.fields.holds(ui, input)) {
            return;
        }
        if wanted {
            ui.scroll_to_rect(rect, Some(egui::Align::Center));
            ui.memory_mut(|memory| memory.request_focus(Number::Value.id(&input.path)));
        }
        self.texts_ui(ui, rect, input);
        let mut refused = Vec::new();
        self.pin_ui(ui, rect, input);
        for number in Number::ALL {
            let (x, width) = self.columns.of_number(number);
            let place = Rect::from_min_size(pos2(rect.min.x + x, rect.min.y + 2.0), vec2(width, DecimalCell::HEIGHT));
            refused.extend(self.fields.cell_ui(ui, place, input, number));
        }
        self.spread_ui(ui, rect, input);
        self.evidence_ui(ui, rect, input, open);
        let painter = ui.painter();
        painter.hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, Palette::of(ui.visuals()).line));
        for reason in refused {
            reason_ui(ui, &reason, self.columns.label, self.columns.width);
        }
        self.fields.opened_ui(ui, input, self.columns.width);
    }

    /// Pins the input as a lever, or takes the pin away.
    fn pin_ui(&mut self, ui: &Ui, rect: Rect, input: &InputRef) {
        let at = pos2(rect.min.x + self.columns.value - 14.0, rect.center().y);
        if pin_at(ui, Rect::from_center_size(at, vec2(22.0, 22.0)), self.fields.document, input) {
            self.fields.commands.push(Command::Live(Wish::Pin(input.path.clone())));
        }
    }

    fn texts_ui(&self, ui: &Ui, rect: Rect, input: &InputRef) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let columns = self.columns;
        let mark = pos2(rect.min.x + 14.0, rect.center().y);
        let is_overdue = overdue(input.input.evidence(), self.fields.today);
        icons::evidence(painter, mark, input.input.evidence_kind(), is_overdue, palette);
        let place =
            Rect::from_min_size(pos2(rect.min.x + columns.label, rect.min.y), vec2(columns.label_width - 30.0, ROW));
        self.fields.label_ui(ui, place, input, theme::BODY);
        let unit = elided(painter, &shown_unit(input), &theme::SMALL, columns.low - columns.unit - 8.0);
        let at = pos2(rect.min.x + columns.unit, rect.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, &unit, &theme::SMALL, palette.text2);
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
        let edit = |i: usize| Edit { path: input.path.clone(), change: Change::Distribution(Distribution::ALL[i]) };
        self.fields.commands.extend(chosen.map(|i| Command::Edit(edit(i))));
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
        if response.clicked() {
            self.fields.toggle(input);
        }
    }
}

fn summary(evidence: Option<&Evidence>) -> (String, bool) {
    let Some(evidence) = evidence else { return ("Assumed, no source".to_owned(), true) };
    let kind = evidence.kind.label();
    let text =
        if evidence.source.is_empty() { format!("{kind}, no source") } else { format!("{kind}: {}", evidence.source) };
    (text, evidence.kind == EvidenceKind::Assumed)
}
