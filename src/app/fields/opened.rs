//! An input opened in place: its three numbers over the curve of their distribution, what it rests on, and what it moves.
//!
//! Numbers are committed one by one, as in every cell. What it rests on is one edit, kept when the panel is left.

use egui::accesskit::Role;
use egui::{Align, Align2, Layout, Rect, RichText, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::{Fields, Number, caption_ui, reason_ui, words_ui};
use crate::analysis::density::Density;
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::edit::{self, Change, Edit};
use crate::app::icons;
use crate::app::live::Wish;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{DecimalCell, Entry, Look, choice_ui, marked_segments_ui, painted_text, text_width};
use crate::input::{Confidence, Distribution, Evidence, EvidenceKind};
use crate::quantity::Exact;
use crate::scenario::InputRef;
use crate::scenario::calendar::Date;
use crate::show::in_words;

/// From this width on, what the input rests on stands beside its numbers instead of beneath them.
const SIDE_BY_SIDE: f32 = 860.0;
const HALF: f32 = 460.0;
const INSET: f32 = 12.0;
const GAP: f32 = 12.0;
const CURVE: f32 = 40.0;
/// Below this width fields stand in more lines.
const NARROW: f32 = 392.0;

/// What an input rests on, while it is edited.
pub struct Opened {
    pub path: String,
    /// What was known when the texts below were taken from it.
    known: Option<Evidence>,
    kind: EvidenceKind,
    source: String,
    owner: String,
    confidence: Option<Confidence>,
    as_of: String,
    review_by: String,
    /// Why it cannot be kept as it is.
    refused: String,
}

impl Opened {
    pub fn of(input: &InputRef) -> Self {
        let evidence = input.input.evidence();
        let text = |pick: fn(&Evidence) -> Option<String>| evidence.and_then(pick).unwrap_or_default();
        Self {
            path: input.path.clone(),
            known: evidence.cloned(),
            kind: input.input.evidence_kind(),
            source: text(|e| Some(e.source.clone())),
            owner: text(|e| Some(e.owner.clone())),
            confidence: evidence.and_then(|e| e.confidence),
            as_of: text(|e| e.as_of.clone()),
            review_by: text(|e| e.review_by.clone()),
            refused: String::new(),
        }
    }

    pub const fn is_refused(&self) -> bool {
        !self.refused.is_empty()
    }

    /// The edit that keeps what is written, where it says something new. From then on it is what is known.
    pub fn settled(&mut self, input: &InputRef) -> Option<Edit> {
        match self.evidence() {
            Ok(evidence) => {
                self.refused.clear();
                if self.known.as_ref().unwrap_or(&unsaid()) == &evidence {
                    return None;
                }
                self.known = Some(evidence.clone());
                Some(Edit { path: input.path.clone(), change: Change::Evidence(Some(evidence)) })
            }
            Err(reason) => {
                self.refused = reason;
                None
            }
        }
    }

    /// Takes up what has changed elsewhere: by an undo, or for many inputs at once.
    fn follow(&mut self, input: &InputRef) {
        if self.known.as_ref() != input.input.evidence() {
            *self = Self::of(input);
        }
    }

    fn evidence(&self) -> Result<Evidence, String> {
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

/// A date as it is typed: nothing, or a day that exists.
pub fn date(name: &str, text: &str) -> Result<Option<String>, String> {
    match text.trim() {
        "" => Ok(None),
        text if Date::parse(text).is_some() => Ok(Some(text.to_owned())),
        text => Err(format!("{name}: “{text}” is not a date; write it as 2026-11-30.")),
    }
}

/// Evidence that says nothing yet.
pub fn unsaid() -> Evidence {
    Evidence {
        kind: EvidenceKind::Assumed,
        source: String::new(),
        owner: String::new(),
        confidence: None,
        as_of: None,
        review_by: None,
    }
}

/// Draws the panel. Says whether it is done with.
pub fn opened_ui(fields: &mut Fields<'_>, ui: &mut Ui, input: &InputRef, open: &mut Opened, width: f32) -> bool {
    open.follow(input);
    let is_typing = ui.memory(egui::Memory::focused).is_some_and(|id| fields.drafts.holds(id));
    let is_pinned = fields.document.base().scenario.levers.contains(&input.path);
    let palette = Palette::of(ui.visuals());
    let frame = egui::Frame::new().fill(palette.sunken).inner_margin(egui::Margin::symmetric(12, 10));
    let shown = frame.show(ui, |ui| {
        ui.set_width(width - 2.0 * INSET);
        ui.spacing_mut().item_spacing = vec2(GAP, 2.0);
        let inner = width - 2.0 * INSET;
        let half = if SIDE_BY_SIDE <= width { HALF } else { inner };
        let mut done = None;
        if SIDE_BY_SIDE <= width {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0 * GAP;
                column_ui(ui, half, |ui| numbers_ui(fields, ui, input, half));
                let rest = (inner - half - 2.0 * GAP).min(560.0);
                column_ui(ui, rest, |ui| done = evidence_ui(ui, open, (is_typing, is_pinned), rest));
            });
        } else {
            numbers_ui(fields, ui, input, half);
            done = evidence_ui(ui, open, (is_typing, is_pinned), half);
        }
        if let Some(sentence) = fields.swings.sentence(input) {
            ui.add_space(4.0);
            ui.label(RichText::new(sentence).font(theme::SMALL).color(palette.text2));
        }
        done
    });
    let rect = shown.response.rect;
    ui.painter().hline(rect.x_range(), rect.min.y + 1.0, Stroke::new(2.0, palette.accent));
    ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line2));
    match shown.inner {
        None => false,
        Some(Left::Escaped) => true,
        Some(Left::Pinned) => {
            fields.commands.push(Command::Live(Wish::Pin(input.path.clone())));
            false
        }
        Some(Left::Done) => {
            let kept = open.settled(input);
            let is_refused = open.is_refused();
            fields.commands.extend(kept.map(Command::Edit));
            !is_refused
        }
    }
}

/// What was pressed: most of it leaves the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Left {
    Done,
    Escaped,
    /// The input becomes a lever, or is none any more; the panel stays.
    Pinned,
}

fn column_ui(ui: &mut Ui, width: f32, add: impl FnOnce(&mut Ui)) {
    ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
        ui.set_width(width);
        ui.spacing_mut().item_spacing = vec2(GAP, 2.0);
        add(ui);
    });
}

/// Low, value and high in a line with their distribution, and its curve beneath.
fn numbers_ui(fields: &mut Fields<'_>, ui: &mut Ui, input: &InputRef, width: f32) {
    let is_narrow = width < NARROW;
    let gap = if is_narrow { 6.0 } else { GAP };
    let count = if is_narrow { 3.0 } else { 4.0 };
    let cell = ((width - (count - 1.0) * gap) / count).floor();
    let mut refused = Vec::new();
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = gap;
        for (number, caption) in [(Number::Low, "Low"), (Number::Value, "Value"), (Number::High, "High")] {
            column_ui(ui, cell, |ui| {
                caption_ui(ui, caption);
                let (place, _) = ui.allocate_exact_size(vec2(cell, DecimalCell::HEIGHT), Sense::hover());
                let name = format!("{caption} of {}", input.full_label());
                let id = number.opened_id(&input.path);
                refused.extend(fields.named_cell_ui(ui, place, input, number, Look::Field, (&name, id)));
            });
        }
        if !is_narrow {
            column_ui(ui, cell, |ui| {
                caption_ui(ui, "Distribution");
                distribution_ui(fields, ui, input, cell);
            });
        }
    });
    for reason in refused {
        reason_ui(ui, &reason, 0.0, width);
    }
    if is_narrow {
        ui.add_space(4.0);
        caption_ui(ui, "Distribution");
        distribution_ui(fields, ui, input, width);
    }
    ui.add_space(6.0);
    curve_ui(fields, ui, input, width);
}

fn distribution_ui(fields: &mut Fields<'_>, ui: &mut Ui, input: &InputRef, width: f32) {
    if input.input.range().is_none() {
        let (place, response) = ui.allocate_exact_size(vec2(width, DecimalCell::HEIGHT), Sense::hover());
        let palette = Palette::of(ui.visuals());
        let at = pos2(place.min.x, place.center().y);
        painted_text(ui.painter(), at, Align2::LEFT_CENTER, "no range", &theme::BODY, palette.text3);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "no range"));
        return;
    }
    let entries: Vec<Entry> = Distribution::ALL.iter().map(|spread| Entry::plain(spread.label())).collect();
    let current = Distribution::ALL.iter().position(|spread| *spread == input.input.distribution()).unwrap_or(0);
    let name = format!("{}, distribution", input.full_label());
    let chosen = choice_ui(ui, &name, &entries, current, width);
    fields.edit(&input.path, chosen.map(|i| Change::Distribution(Distribution::ALL[i])));
}

/// The curve of the distribution, with low, value and high where they stand under it.
fn curve_ui(fields: &Fields<'_>, ui: &mut Ui, input: &InputRef, width: f32) {
    let palette = Palette::of(ui.visuals());
    let Some(range) = input.input.range() else {
        let said = "No range entered: give a low and a high to see what this input moves.";
        ui.label(RichText::new(said).font(theme::SMALL).color(palette.text2));
        return;
    };
    let (rect, response) = ui.allocate_exact_size(vec2(width, CURVE + 20.0), Sense::hover());
    let shown = |value: Exact| in_words(&fields.figures.cell(value.decimal(), edit::cell(input)));
    let marks = [(range.low, "low"), (input.input.value, "value"), (range.high, "high")];
    let said: Vec<String> = marks.iter().map(|(value, name)| format!("{} {name}", shown(*value))).collect();
    let name = format!("{} between {}", input.input.distribution().label(), said.join(", "));
    response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, &name));
    let density = Density::of(range, input.input.value, input.input.distribution());
    let Some(density) = density else {
        let why = if range.low == range.high { "Low and high are the same." } else { "No such curve has these ends." };
        painted_text(ui.painter(), rect.left_top(), Align2::LEFT_TOP, why, &theme::SMALL, palette.text2);
        return;
    };
    let painter = ui.painter();
    let plot = Rect::from_min_size(rect.min + vec2(24.0, 0.0), vec2(width - 48.0, CURVE));
    let span = density.to - density.from;
    #[expect(clippy::cast_possible_truncation, reason = "places on the page")]
    let x_of = |value: f64| plot.min.x + (f64::from(plot.width()) * (value - density.from) / span) as f32;
    paint_curve(painter, plot, &density, palette);
    painter.hline(plot.expand2(vec2(16.0, 0.0)).x_range(), plot.max.y - 0.5, Stroke::new(1.0, palette.line2));
    let mut taken: Vec<Rect> = Vec::new();
    // The value comes first, so that it has its place where an end lies near it.
    for (i, is_value) in [(1, true), (0, false), (2, false)] {
        let x = x_of(marks[i].0.num().approximate()).clamp(plot.min.x - 16.0, plot.max.x + 16.0).round() + 0.5;
        let top = if is_value { plot.min.y + 2.0 } else { plot.max.y - 4.0 };
        painter.vline(x, top..=plot.max.y + 3.0, Stroke::new(1.25, palette.text));
        let half = text_width(painter, &said[i], &theme::SMALL) / 2.0;
        let at = x.clamp(rect.min.x + half, rect.max.x - half);
        let place = Rect::from_center_size(pos2(at, plot.max.y + 11.0), vec2(2.0 * half + 8.0, 14.0));
        if taken.iter().any(|other| other.intersects(place)) {
            continue;
        }
        taken.push(place);
        let ink = if is_value { palette.text } else { palette.text2 };
        painted_text(painter, place.center(), Align2::CENTER_CENTER, &said[i], &theme::SMALL, ink);
    }
}

/// The area under the curve as upright strips of one point, and its line.
fn paint_curve(painter: &egui::Painter, plot: Rect, density: &Density, palette: &Palette) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "points of the page")]
    let points = plot.width().round().max(2.0) as u16;
    let value = |i: u16| density.from + (density.to - density.from) * f64::from(i) / f64::from(points);
    let heights: Vec<f64> = (0..=points).map(|i| density.at(value(i))).collect();
    let highest = heights.iter().copied().filter(|height| height.is_finite()).fold(0.0, f64::max);
    if highest <= 0.0 {
        return;
    }
    let room = f64::from(plot.height() - 3.0);
    #[expect(clippy::cast_possible_truncation, reason = "places on the page")]
    let y_of = |height: f64| plot.max.y - (room * (height / highest).clamp(0.0, 1.0)) as f32;
    let mut line = Vec::with_capacity(heights.len());
    for (i, height) in (0_u16..).zip(&heights) {
        let (x, y) = (plot.min.x + f32::from(i), y_of(*height));
        painter.rect_filled(Rect::from_min_max(pos2(x, y), pos2(x + 1.0, plot.max.y)), 0, palette.area);
        line.push(pos2(x, y));
    }
    painter.line(line, Stroke::new(1.5, palette.bar_high));
}

/// What the input rests on. Says what was pressed.
fn evidence_ui(ui: &mut Ui, open: &mut Opened, (is_typing, is_pinned): (bool, bool), width: f32) -> Option<Left> {
    caption_ui(ui, "Evidence");
    kind_ui(ui, open, width);
    ui.add_space(6.0);
    let is_narrow = width < NARROW;
    let line = |ui: &mut Ui, add: &mut dyn FnMut(&mut Ui)| {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            add(ui);
        });
        ui.add_space(4.0);
    };
    let half = ((width - GAP) / 2.0).floor();
    let unit = (width - 2.0 * GAP) / 5.0;
    let (source, owner, confidence) = if is_narrow {
        (width, half, half)
    } else {
        ((unit * 2.3).floor(), (unit * 1.5).floor(), (unit * 1.2).floor())
    };
    if is_narrow {
        field_ui(ui, "Source", &mut open.source, source);
        ui.add_space(4.0);
    }
    line(ui, &mut |ui| {
        if !is_narrow {
            field_ui(ui, "Source", &mut open.source, source);
        }
        field_ui(ui, "Owner", &mut open.owner, owner);
        column_ui(ui, confidence, |ui| confidence_ui(ui, open, confidence));
    });
    let mut left = None;
    let date = if is_narrow { half } else { (unit * 1.3).floor().max(100.0) };
    line(ui, &mut |ui| {
        field_ui(ui, "As of", &mut open.as_of, date);
        field_ui(ui, "Review by", &mut open.review_by, date);
        if !is_narrow {
            // As high as the fields beside them: a form gives its columns no end.
            let room = vec2(ui.available_width(), 16.0 + DecimalCell::HEIGHT);
            ui.allocate_ui_with_layout(room, Layout::right_to_left(Align::Max), |ui| left = buttons_ui(ui, is_pinned));
        }
    });
    if open.is_refused() {
        reason_ui(ui, &open.refused, 0.0, width);
    }
    if is_narrow {
        ui.allocate_ui_with_layout(vec2(width, 24.0), Layout::right_to_left(Align::Center), |ui| {
            left = buttons_ui(ui, is_pinned);
        });
    }
    // Esc closes what is open: first a text that is being typed, then a list, then the panel.
    let escaped = !is_typing
        && !egui::Popup::is_any_open(ui.ctx())
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
    if escaped { Some(Left::Escaped) } else { left }
}

/// What leaves the panel, from the right to the left.
fn buttons_ui(ui: &mut Ui, is_pinned: bool) -> Option<Left> {
    let done = button(ui, "Done", true).clicked();
    let pinned = button(ui, if is_pinned { "Unpin" } else { "Pin as lever" }, false).clicked();
    if done { Some(Left::Done) } else { pinned.then_some(Left::Pinned) }
}

fn field_ui(ui: &mut Ui, name: &str, text: &mut String, width: f32) {
    column_ui(ui, width, |ui| {
        words_ui(ui, name, text, width);
    });
}

/// The kinds, each with its mark: in a row, or where that is too narrow in two.
fn kind_ui(ui: &mut Ui, open: &mut Opened, width: f32) {
    let palette = Palette::of(ui.visuals());
    let rows = if width < NARROW { 2 } else { 1 };
    let each = EvidenceKind::ALL.len().div_ceil(rows);
    for kinds in EvidenceKind::ALL.chunks(each) {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.label()).collect();
        let mark = |painter: &egui::Painter, at: egui::Pos2, i: usize| {
            icons::evidence(painter, at, kinds[i], false, palette);
        };
        let current = kinds.iter().position(|kind| *kind == open.kind);
        let chosen =
            ui.push_id(names[0], |ui| marked_segments_ui(ui, "Kind of evidence", &names, current, width, &mark));
        if let Some(chosen) = chosen.inner {
            open.kind = kinds[chosen];
        }
    }
}

fn confidence_ui(ui: &mut Ui, open: &mut Opened, width: f32) {
    caption_ui(ui, "Confidence");
    let entries: Vec<Entry> =
        std::iter::once("not said").chain(Confidence::ALL.iter().map(|c| c.label())).map(Entry::plain).collect();
    let current = open.confidence.and_then(|c| Confidence::ALL.iter().position(|all| *all == c)).map_or(0, |i| i + 1);
    if let Some(chosen) = choice_ui(ui, "Confidence", &entries, current, width) {
        open.confidence = chosen.checked_sub(1).map(|i| Confidence::ALL[i]);
    }
}
