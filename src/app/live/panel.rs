//! The panel of levers: a slider and a number for each pinned input, and the cases that keep where they stand.
//!
//! It shows where the document says that they stand, and returns what a person asked for; nothing is evaluated here.

use std::collections::HashMap;

use egui::accesskit::Role;
use egui::{Align2, FontId, Id, Popup, Rect, RichText, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive as _;

use super::cases::Writing;
use super::{Wish, laid};
use crate::analysis::range::{RangeKind, range_of, stops, tried};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Document;
use crate::app::edit;
use crate::app::fields::shown_unit;
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{
    DecimalCell, Drafts, Motion, Outcome, Slid, Slider, Told as _, elided, link_at, painted_text, search_ui, text_width,
};
use crate::input::Range;
use crate::quantity::Exact;
use crate::scenario::InputRef;
use crate::show::Figures;

pub const WIDTH: f32 = 346.0;
/// Inputs that are offered for the words that were typed.
const OFFERED: usize = 6;

/// The most that cases take of the panel's height.
const CASES: f32 = 0.45;

/// The height of the fields of a new case, for a room.
const KEEPING: f32 = 400.0;
/// The height of what is done with all levers.
const ALL: f32 = 38.0;

/// What the panel remembers between frames.
#[derive(Default)]
pub struct Levers {
    moving: Option<Moving>,
    /// Scales that a typed value has widened.
    widened: HashMap<String, Range>,
    /// The words that an input to be pinned is looked for by.
    words: String,
    find: bool,
    /// The case that is being described.
    pub(super) writing: Option<Writing>,
    /// The number that is to be typed next.
    typing: Option<String>,
    /// The height of what stands under the levers.
    below: f32,
}

/// The lever that is being moved.
struct Moving {
    path: String,
    at: Exact,
    /// Whether something holds it: the pointer, or a key.
    held: bool,
}

/// How large everything is.
#[derive(Clone)]
pub struct Dress {
    pub small: FontId,
    pub bold: FontId,
    pub scale: f32,
    pub inset: f32,
    /// In front of a room nothing is arranged, so that what arranges is left out.
    pub presenting: bool,
}

impl Dress {
    pub fn desk() -> Self {
        let (small, bold) = (theme::SMALL, theme::semibold(13.0));
        Self { small, bold, scale: 1.0, inset: 16.0, presenting: false }
    }

    pub fn room(inset: f32) -> Self {
        Self { small: theme::ROOM_SMALL, bold: theme::semibold(22.0), scale: 2.0, inset, presenting: true }
    }

    /// Heights that follow the size of the type.
    pub(super) fn high(&self, points: f32) -> f32 {
        (points * if self.presenting { 1.6 } else { 1.0 }).round()
    }
}

/// What the panel is shown.
pub struct Panel<'a> {
    pub document: &'a Document,
    pub figures: Figures,
    pub dress: Dress,
    /// Whether figures wait until a lever is let go.
    pub on_release: bool,
}

/// One lever: its input in the base, and where it stands.
struct Lever<'a> {
    input: &'a InputRef,
    base: Exact,
    at: Exact,
    range: Range,
    /// Where the range comes from, where the input states none.
    assumed: Option<&'static str>,
}

impl Lever<'_> {
    fn is_moved(&self) -> bool {
        self.at != self.base
    }
}

impl Levers {
    pub(super) fn write(&mut self, writing: Writing) {
        self.writing = Some(writing);
    }

    /// Forgets what belongs to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The whole panel.
    pub fn ui(&mut self, ui: &mut Ui, panel: &Panel, drafts: &mut Drafts, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        panel.head_ui(ui, commands);
        let (room, inset) = (ui.available_height(), panel.dress.inset);
        // The cases stay in sight, however many levers there are.
        let below = egui::Panel::bottom("cases of levers").resizable(false).show_separator_line(false);
        let high = self.below.min(room * CASES).max(ALL);
        below.exact_size(high).frame(egui::Frame::NONE).show(ui, |ui| {
            inset_ui(ui, inset, |ui| self.all_ui(ui, panel, commands));
            let cases = ScrollArea::vertical().id_salt("cases").auto_shrink(false).show(ui, |ui| {
                inset_ui(ui, inset, |ui| self.cases_ui(ui, panel, commands));
                ui.add_space(8.0);
            });
            // They take as much room as they did in the frame before.
            let wanted = ALL + cases.content_size.y;
            if (wanted - self.below).abs() > 0.5 {
                self.below = wanted;
                ui.ctx().request_discard("the cases take another height");
            }
        });
        inset_ui(ui, inset, |ui| self.pin_ui(ui, panel, commands));
        ScrollArea::vertical().id_salt("levers").auto_shrink(false).show(ui, |ui| {
            inset_ui(ui, inset, |ui| self.levers_ui(ui, panel, drafts, commands));
        });
    }

    /// The panel as a room sees it: levers, what is done with them, and what has been changed.
    pub fn room_ui(
        &mut self,
        ui: &mut Ui,
        panel: &Panel,
        drafts: &mut Drafts,
        changes: &[(String, String)],
        commands: &mut Vec<Command>,
    ) {
        ui.spacing_mut().item_spacing.y = 0.0;
        panel.head_ui(ui, commands);
        let inset = panel.dress.inset;
        let keeping = self.writing.as_ref().is_some_and(Writing::is_new);
        // Three lines of the log where there is room for them.
        let lines: u8 = if keeping || changes.is_empty() || ui.available_height() < 640.0 { 0 } else { 3 };
        let changes_high = if lines > 0 { 48.0 + 32.0 * f32::from(lines) } else { 0.0 };
        let high = if keeping { KEEPING } else { 72.0 + changes_high };
        let below = egui::Panel::bottom("under the levers").resizable(false).show_separator_line(false);
        below.exact_size(high).frame(egui::Frame::NONE).show(ui, |ui| {
            inset_ui(ui, inset, |ui| {
                if keeping {
                    self.keeping_ui(ui, &panel.document.base().scenario, commands);
                    return;
                }
                self.all_ui(ui, panel, commands);
                if lines > 0 {
                    changes_ui(ui, changes, lines, &panel.dress);
                }
            });
        });
        ScrollArea::vertical().id_salt("levers").auto_shrink(false).show(ui, |ui| {
            inset_ui(ui, inset, |ui| self.levers_ui(ui, panel, drafts, commands));
        });
    }

    /// What is done with all levers.
    pub fn all_ui(&mut self, ui: &mut Ui, panel: &Panel, commands: &mut Vec<Command>) {
        let moved = panel.document.is_over_base();
        ui.add_space(panel.dress.high(10.0));
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            if ui.add_enabled_ui(moved, |ui| button(ui, "Keep as case", moved)).inner.clicked() {
                commands.push(Command::Live(Wish::AskKeep));
            }
            if ui.add_enabled_ui(moved, |ui| button(ui, "Reset all", false)).inner.clicked() {
                commands.push(Command::Live(Wish::ResetAll));
            }
        });
    }

    /// The levers, one under the other.
    pub fn levers_ui(&mut self, ui: &mut Ui, panel: &Panel, drafts: &mut Drafts, commands: &mut Vec<Command>) {
        let paths = panel.paths();
        if let Some(moving) = &mut self.moving {
            moving.held = false;
        }
        if paths.is_empty() {
            panel.note_ui(ui, "No input is pinned. What is pinned can be moved here, and every figure follows.");
        }
        for path in &paths {
            if let Some(input) = panel.document.base().input(path) {
                let lever = self.lever(panel, input);
                self.lever_ui(ui, panel, &lever, drafts, commands);
            }
        }
        self.settle(commands);
    }

    fn lever<'a>(&self, panel: &Panel, input: &'a InputRef) -> Lever<'a> {
        let base = input.input.value;
        let committed = panel.document.positions().get(&input.path).copied().unwrap_or(base);
        let at = self.moving.as_ref().filter(|moving| moving.path == input.path).map_or(committed, |moving| moving.at);
        let share = panel.document.base().scenario.default_range.as_ref().map(|share| share.value);
        let (range, assumed) = match range_of(input, share) {
            Some((range, RangeKind::Stated)) => (range, None),
            Some((range, RangeKind::Default)) => (range, Some("range as of inputs without one")),
            None => (tried(input).unwrap_or(Range { low: base, high: base }), Some("no range: half to double")),
        };
        let wide = self.widened.get(&input.path).copied().unwrap_or(range);
        let range =
            Range { low: range.low.min(wide.low).min(at).min(base), high: range.high.max(wide.high).max(at).max(base) };
        Lever { input, base, at, range, assumed }
    }

    /// Commits a lever that nothing holds any more.
    fn settle(&mut self, commands: &mut Vec<Command>) {
        if let Some(Moving { path, at, .. }) = self.moving.take_if(|moving| !moving.held) {
            commands.push(Command::Live(Wish::Move(path, at)));
        }
    }

    fn lever_ui(
        &mut self,
        ui: &mut Ui,
        panel: &Panel,
        lever: &Lever,
        drafts: &mut Drafts,
        commands: &mut Vec<Command>,
    ) {
        let dress = &panel.dress;
        ui.add_space(dress.high(8.0));
        panel.name_ui(ui, lever, commands);
        self.value_ui(ui, panel, lever, drafts, commands);
        self.slider_ui(ui, panel, lever, drafts, commands);
        panel.marks_ui(ui, lever);
        let (rule, _) = ui.allocate_exact_size(vec2(ui.available_width(), dress.high(8.0)), Sense::hover());
        let palette = Palette::of(ui.visuals());
        ui.painter().hline(rule.x_range(), rule.max.y - 0.5, Stroke::new(1.0, palette.line));
    }

    /// The value in a cell of its own, in which any exact number can be typed: one outside the scale widens it.
    fn value_ui(
        &mut self,
        ui: &mut Ui,
        panel: &Panel,
        lever: &Lever,
        drafts: &mut Drafts,
        commands: &mut Vec<Command>,
    ) {
        let dress = &panel.dress;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), dress.high(26.0)), Sense::hover());
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter().clone());
        let path = &lever.input.path;
        let name = format!("{}, lever value", lever.input.full_label());
        let cell = DecimalCell {
            name: &name,
            value: Some(lever.at.decimal()),
            cell: edit::cell(lever.input),
            figures: panel.figures,
            differs: lever.is_moved(),
            fixed: false,
            look: crate::app::widgets::Look::Field,
            clearable: false,
        };
        let height = dress.high(DecimalCell::HEIGHT);
        let place =
            Rect::from_min_size(pos2(rect.min.x, rect.center().y - height / 2.0), vec2(dress.high(104.0), height));
        let id = Id::unique(("lever value", path));
        if self.typing.take_if(|typing| typing == path).is_some() {
            cell.open(ui, id, drafts);
        }
        let check = |value: Option<Decimal>| {
            let value = value.map(Exact::from_decimal).transpose()?.ok_or_else(String::new)?;
            let mut positions = panel.document.positions().clone();
            positions.insert(path.clone(), value);
            laid(panel.document.base(), &positions).map(|_| ())
        };
        let Outcome { response, committed, refused, sum: _ } = cell.show_at(ui, place, id, drafts, &check);
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        if let Some(value) = committed.flatten().and_then(|value| Exact::from_decimal(value).ok()) {
            let Range { low, high } = lever.range;
            self.widened.insert(path.clone(), Range { low: low.min(value), high: high.max(value) });
            commands.push(Command::Live(Wish::Move(path.clone(), value)));
            // From here plain keys switch between cases again.
            if response.has_focus() {
                ui.memory_mut(|memory| memory.request_focus(slider_id(path)));
            }
        }
        let mut right = rect.max.x;
        if lever.is_moved() {
            let width = text_width(&painter, "Reset", &dress.small) + 12.0;
            let place = Rect::from_min_max(pos2(right - width, rect.min.y), pos2(right, rect.max.y));
            let name = format!("Reset {}", lever.input.full_label());
            if link_at(ui, place, "Reset", &name, Align2::RIGHT_CENTER, &dress.small) {
                commands.push(Command::Live(Wish::Reset(path.clone())));
            }
            right = place.min.x - 6.0;
        }
        let was =
            if lever.is_moved() { format!("was {}", panel.shown(lever, lever.base)) } else { "at base".to_owned() };
        let left = place.max.x + 8.0;
        let unit = shown_unit(lever.input);
        // Where it stood matters more than what it is counted in.
        let beside = if unit.is_empty() { was.clone() } else { format!("{unit}, {was}") };
        let beside = if left + text_width(&painter, &beside, &dress.small) <= right { beside } else { was };
        let at = pos2(left, rect.center().y);
        painted_text(&painter, at, Align2::LEFT_CENTER, &beside, &dress.small, palette.text2);
        if let Some(reason) = refused {
            panel.note_in(ui, &reason, palette.error);
        }
    }

    fn slider_ui(&mut self, ui: &mut Ui, panel: &Panel, lever: &Lever, drafts: &Drafts, commands: &mut Vec<Command>) {
        let height = (Slider::HEIGHT * panel.dress.scale.min(1.6)).round();
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
        let path = &lever.input.path;
        let stops = stops(lever.range, lever.base, lever.input.bounds().whole);
        let parts: Vec<f32> = stops.iter().map(|stop| lever.part(*stop)).collect();
        let said = format!("{}, {}", panel.shown(lever, lever.at), panel.was(lever));
        let slider = Slider {
            name: &lever.input.full_label(),
            said: &said,
            at: lever.part(lever.at),
            base: lever.part(lever.base),
            stops: &parts,
            moved: lever.is_moved(),
            scale: panel.dress.scale,
        };
        let id = slider_id(path);
        let Slid { response, motion, held, typing } = slider.show_at(ui, rect, id);
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        if typing && !drafts.unsettled() {
            self.typing = Some(path.clone());
            ui.request_repaint();
        }
        let to = motion.and_then(|motion| after(&stops, lever.at, motion));
        let is_moving = self.moving.as_ref().is_some_and(|moving| moving.path == *path);
        match to {
            Some(at) if at != lever.at || is_moving => {
                if at != lever.at && !panel.on_release {
                    commands.push(Command::Live(Wish::Preview(path.clone(), at)));
                }
                self.moving = Some(Moving { path: path.clone(), at, held });
            }
            _ => {
                if let Some(moving) = self.moving.as_mut().filter(|moving| moving.path == *path) {
                    moving.held = held;
                }
            }
        }
    }

    /// Finds an input by its words and pins it.
    fn pin_ui(&mut self, ui: &mut Ui, panel: &Panel, commands: &mut Vec<Command>) {
        search_ui(ui, "Add a lever", ui.available_width() - 34.0, &mut self.words, &mut self.find);
        if self.words.trim().is_empty() {
            return;
        }
        let words = self.words.to_lowercase();
        let matches = |input: &&InputRef| {
            let text = format!("{} {}", input.full_label(), input.path).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        };
        let base = panel.document.base();
        let free = |input: &&InputRef| !base.scenario.levers.contains(&input.path);
        let found: Vec<&InputRef> = base.inputs.iter().filter(matches).filter(free).collect();
        let palette = Palette::of(ui.visuals());
        for input in found.iter().take(OFFERED) {
            let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::click());
            let name = format!("Pin {}", input.full_label());
            response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
            if response.hovered() {
                ui.painter().rect_filled(rect, 2, palette.hover);
            }
            if response.has_focus() {
                icons::border(ui.painter(), rect, 2, 2.0, palette.accent);
            }
            icons::icon(ui.painter(), Icon::Pin, pos2(rect.min.x + 10.0, rect.center().y), 14.0, palette.text2);
            let text = elided(ui.painter(), &input.full_label(), &theme::BODY, rect.width() - 28.0);
            let at = pos2(rect.min.x + 24.0, rect.center().y);
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, &text, &theme::BODY, palette.text);
            if response.told(&input.path).clicked() {
                commands.push(Command::Live(Wish::Pin(input.path.clone())));
                self.words.clear();
            }
        }
        let said = match found.len() {
            0 => "No other input has these words.".to_owned(),
            more if more > OFFERED => format!("{} more; another word narrows them.", more - OFFERED),
            _ => return,
        };
        panel.note_ui(ui, &said);
    }
}

/// The last changes, the latest first.
fn changes_ui(ui: &mut Ui, changes: &[(String, String)], lines: u8, dress: &Dress) {
    let palette = Palette::of(ui.visuals());
    let (head, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
    painted_text(
        ui.painter(),
        pos2(head.min.x, head.center().y),
        Align2::LEFT_CENTER,
        "Changes",
        &dress.bold,
        palette.text,
    );
    ui.painter().hline(head.x_range(), head.max.y - 0.5, Stroke::new(1.0, palette.line));
    for (when, label) in changes.iter().rev().take(usize::from(lines)) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
        let at = pos2(rect.min.x, rect.center().y);
        let taken = painted_text(ui.painter(), at, Align2::LEFT_CENTER, when, &dress.small, palette.text2);
        let left = if when.is_empty() { rect.min.x } else { taken.max.x + 16.0 };
        let text = elided(ui.painter(), label, &dress.small, rect.max.x - left);
        painted_text(ui.painter(), pos2(left, at.y), Align2::LEFT_CENTER, &text, &dress.small, palette.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, label));
    }
}

/// What stands between the margins of the panel.
fn inset_ui(ui: &mut Ui, inset: f32, inside: impl FnOnce(&mut Ui)) {
    let width = (ui.available_width() - 2.0 * inset).max(160.0);
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(inset);
        ui.vertical(|ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 0.0);
            ui.set_width(width);
            inside(ui);
        });
    });
}

/// The pin of an input. Says whether it was pressed. It is drawn where it is pinned, and otherwise under the pointer or
/// the keyboard.
pub fn pin_at(ui: &Ui, place: Rect, document: &Document, input: &InputRef) -> bool {
    let response = ui.interact(place, Id::unique(("pin", &input.path)), Sense::click());
    let pinned = document.base().scenario.levers.contains(&input.path);
    let verb = if pinned { "Take the pin from" } else { "Pin" };
    let said = format!("{verb} {}", input.full_label());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, pinned, &said));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let row = Rect::everything_right_of(0.0).with_min_y(place.min.y).with_max_y(place.max.y);
    let near = response.hovered() || response.has_focus() || ui.rect_contains_pointer(row);
    if response.hovered() {
        painter.rect_filled(place, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, place, 2, 2.0, palette.accent);
    }
    if pinned || near {
        let ink = if pinned { palette.accent } else { palette.text3 };
        icons::icon(painter, Icon::Pin, place.center(), 14.0, ink);
    }
    let hover = if pinned { "A lever. Press to take its pin away." } else { "Pin as a lever" };
    response.told(hover).clicked()
}

/// The slider of a lever, for whoever gives it the keyboard.
pub fn slider_id(path: &str) -> Id {
    Id::unique(("lever", path))
}

/// Where a motion leads from a value that need not itself be a stop.
fn after(stops: &[Exact], at: Exact, motion: Motion) -> Option<Exact> {
    let by = |steps: usize, mut beyond: Box<dyn Iterator<Item = &Exact> + '_>| {
        let mut last = None;
        for stop in beyond.by_ref().take(steps) {
            last = Some(*stop);
        }
        last
    };
    match motion {
        Motion::To(place) => stops.get(place).copied(),
        Motion::Low => stops.first().copied(),
        Motion::High => stops.last().copied(),
        Motion::By(steps) => {
            let count = usize::try_from(steps.unsigned_abs()).unwrap_or(usize::MAX);
            if steps > 0 {
                by(count, Box::new(stops.iter().filter(move |stop| at < **stop)))
            } else {
                by(count, Box::new(stops.iter().rev().filter(move |stop| **stop < at)))
            }
        }
    }
}

impl Lever<'_> {
    /// How far along its scale a value stands, for a place on the screen.
    fn part(&self, value: Exact) -> f32 {
        let part = || {
            let way = self.range.high.decimal().checked_sub(self.range.low.decimal())?;
            value.decimal().checked_sub(self.range.low.decimal())?.checked_div(way)?.to_f32()
        };
        part().unwrap_or(0.5)
    }
}

impl Panel<'_> {
    /// The pinned inputs, and after them whatever else is not at its base.
    fn paths(&self) -> Vec<String> {
        let pinned = &self.document.base().scenario.levers;
        let others = self.document.positions().keys().filter(|path| !pinned.contains(path));
        pinned.iter().chain(others).cloned().collect()
    }

    fn shown(&self, lever: &Lever, value: Exact) -> String {
        self.figures.cell(value.decimal(), edit::cell(lever.input))
    }

    fn was(&self, lever: &Lever) -> String {
        if lever.is_moved() { format!("base {}", self.shown(lever, lever.base)) } else { "at base".to_owned() }
    }

    fn head_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
        let (palette, dress) = (Palette::of(ui.visuals()), &self.dress);
        let at = pos2(rect.min.x + dress.inset, rect.center().y);
        let taken = painted_text(ui.painter(), at, Align2::LEFT_CENTER, "Levers", &dress.bold, palette.text);
        let at = pos2(taken.max.x + 8.0, rect.center().y);
        let said = self.moved();
        let taken = painted_text(ui.painter(), at, Align2::LEFT_CENTER, &said, &dress.small, palette.text2);
        let label = ui.interact(taken, ui.scope_id().with("moved"), Sense::hover());
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
        if dress.presenting {
            return;
        }
        let width = text_width(ui.painter(), "Close", &dress.small) + 16.0;
        let right = rect.max.x - dress.inset;
        let place =
            Rect::from_min_max(pos2(right - width, rect.center().y - 11.0), pos2(right, rect.center().y + 11.0));
        if link_at(ui, place, "Close", "Close the levers", Align2::CENTER_CENTER, &dress.small) {
            commands.push(Command::Live(Wish::Panel));
        }
    }

    /// `2 of 4 moved`.
    fn moved(&self) -> String {
        let paths = self.paths();
        let positions = self.document.positions();
        let moved = paths.iter().filter(|path| positions.contains_key(*path)).count();
        match paths.len() {
            0 => String::new(),
            all => format!("{moved} of {all} moved"),
        }
    }

    fn name_ui(&self, ui: &mut Ui, lever: &Lever, commands: &mut Vec<Command>) {
        let dress = &self.dress;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), dress.high(20.0)), Sense::hover());
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter().clone());
        let right = if dress.presenting { rect.max.x } else { rect.max.x - 28.0 };
        let at = pos2(rect.min.x, rect.center().y);
        let name = elided(&painter, &lever.input.label, &dress.bold, right - rect.min.x);
        let taken = painted_text(&painter, at, Align2::LEFT_CENTER, &name, &dress.bold, palette.text);
        let place = [lever.input.place(), lever.assumed].into_iter().flatten().collect::<Vec<_>>().join(", ");
        if right - taken.max.x > 40.0 {
            let place = elided(&painter, &place, &dress.small, right - taken.max.x - 8.0);
            let at = pos2(taken.max.x + 8.0, rect.center().y);
            painted_text(&painter, at, Align2::LEFT_CENTER, &place, &dress.small, palette.text2);
        }
        let label = ui.interact(rect.with_max_x(right), Id::unique(("lever name", &lever.input.path)), Sense::hover());
        let said = [Some(lever.input.full_label().as_str()), lever.assumed]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", ");
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &said));
        label.told(&said);
        if !dress.presenting {
            self.more_ui(ui, rect, lever, commands);
        }
    }

    /// What is done with a lever beside moving it.
    fn more_ui(&self, ui: &mut Ui, rect: Rect, lever: &Lever, commands: &mut Vec<Command>) {
        let place = Rect::from_min_max(pos2(rect.max.x - 24.0, rect.min.y), rect.max);
        let path = &lever.input.path;
        let name = format!("{}, more", lever.input.full_label());
        let is_pinned = self.document.base().scenario.levers.contains(path);
        let mut entries = vec![("Go to the input", Command::GoTo(path.clone()))];
        if is_pinned {
            entries.push(("Move up", Command::Live(Wish::Raise(path.clone()))));
            entries.push(("Move down", Command::Live(Wish::Lower(path.clone()))));
        }
        let pin = if is_pinned { "Remove the lever" } else { "Pin as a lever" };
        entries.push((pin, Command::Live(Wish::Pin(path.clone()))));
        more_at(ui, place, &name, entries, commands);
    }

    /// The ends of the scale, and the base between them.
    fn marks_ui(&self, ui: &mut Ui, lever: &Lever) {
        let dress = &self.dress;
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), dress.high(16.0)), Sense::hover());
        let (palette, painter, font) = (Palette::of(ui.visuals()), ui.painter(), &dress.small);
        let Range { low, high } = lever.range;
        let word = |value: Exact, word: &str| {
            if dress.presenting { self.shown(lever, value) } else { format!("{} {word}", self.shown(lever, value)) }
        };
        let base =
            if dress.presenting { format!("base {}", self.shown(lever, lever.base)) } else { word(lever.base, "base") };
        let width = |text: &str| text_width(painter, text, font);
        let (low_text, high_text) = (word(low, "low"), word(high, "high"));
        // An end at which the base stands is told by the base alone.
        let left = if low == lever.base { 0.0 } else { width(&low_text) + 8.0 };
        let right = if high == lever.base { 0.0 } else { width(&high_text) + 8.0 };
        let half = width(&base) / 2.0;
        let (least, most) = (rect.min.x + left + half, rect.max.x - right - half);
        let handle = 8.0 * dress.scale;
        let wanted = rect.min.x + handle + (rect.width() - 2.0 * handle) * lever.part(lever.base);
        let at = |x: f32| pos2(x, rect.center().y);
        if low != lever.base {
            painted_text(painter, at(rect.min.x), Align2::LEFT_CENTER, &low_text, font, palette.text2);
        }
        if high != lever.base {
            painted_text(painter, at(rect.max.x), Align2::RIGHT_CENTER, &high_text, font, palette.text2);
        }
        if least <= most {
            painted_text(painter, at(wanted.clamp(least, most)), Align2::CENTER_CENTER, &base, font, palette.text);
        }
    }

    pub(super) fn note_ui(&self, ui: &mut Ui, text: &str) {
        ui.add_space(4.0);
        self.note_in(ui, text, Palette::of(ui.visuals()).text2);
    }

    pub(super) fn note_in(&self, ui: &mut Ui, text: &str, ink: egui::Color32) {
        ui.label(RichText::new(text).font(self.dress.small.clone()).color(ink));
    }
}

/// A button of three dots that opens a list.
pub(super) fn more_at(
    ui: &mut Ui,
    place: Rect,
    name: &str,
    entries: Vec<(&str, Command)>,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let response = ui.interact(place, ui.scope_id().with(name), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    if response.hovered() {
        ui.painter().rect_filled(place, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), place, 2, 2.0, palette.accent);
    }
    if response.gained_focus() {
        response.scroll_to_me(None);
    }
    icons::icon(ui.painter(), Icon::More, place.center(), 16.0, palette.text2);
    Popup::menu(&response).accessible_name(name).show(|ui| {
        for (text, command) in entries {
            if ui.button(text).clicked() {
                commands.push(command);
                ui.close();
            }
        }
    });
}
