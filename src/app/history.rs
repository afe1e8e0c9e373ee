//! The history: every finished step with its name and its time, to go back to and to keep as a log.
//!
//! It lists the steps of the document and returns what was pressed. What a step has changed is in its name alone.

use egui::accesskit::Role;
use egui::{Align2, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::dialogs::button;
use super::document::{Document, Logged};
use super::icons;
use super::theme::{self, Palette};
use super::widgets::{Told as _, elided, painted_text};
use crate::export::log::{Entry, State};

pub const WIDTH: f32 = 346.0;
const INSET: f32 = 16.0;
const ROW: f32 = 26.0;
/// Where the names begin: after a time of the day.
const NAMES: f32 = 60.0;

/// What the panel remembers: the step that was last brought into view.
#[derive(Default)]
pub struct Panel {
    seen: Option<u64>,
}

impl Panel {
    pub fn panel_ui(&mut self, ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 0.0;
        head_ui(ui, document, commands);
        let steps: Vec<Logged> = document.log().collect();
        let follow = self.seen.replace(document.revision()) != Some(document.revision());
        ScrollArea::vertical().id_salt("history").auto_shrink(false).show_rows(ui, ROW, steps.len(), |ui, rows| {
            if follow {
                let above = document.at() as f32 - rows.start as f32;
                let top = ui.min_rect().min + vec2(0.0, above * ROW);
                ui.scroll_to_rect(Rect::from_min_size(top, vec2(1.0, ROW)), None);
            }
            for (step, logged) in steps.iter().enumerate().skip(rows.start).take(rows.len()) {
                if row_ui(ui, logged) {
                    commands.push(Command::ToStep(step));
                }
            }
        });
    }
}

fn head_ui(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let line = vec2(ui.available_width(), 44.0);
    ui.allocate_ui_with_layout(line, egui::Layout::left_to_right(egui::Align::Center), |ui| {
        ui.add_space(INSET);
        let title = ui.label(RichText::new("History").font(theme::semibold(13.0)));
        title.widget_info(|| WidgetInfo::labeled(Role::Heading, true, "History"));
        let count = document.log().count() - 1;
        let count = if count == 1 { "1 step".to_owned() } else { format!("{count} steps") };
        ui.label(RichText::new(count).font(theme::SMALL).color(palette.text2));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(INSET);
            for (name, command) in
                [("Close", Command::History), ("Save…", Command::SaveLog), ("Copy", Command::CopyLog)]
            {
                let response = button(ui, name, false).accessible_name(format!("{name} history").replace('…', ""));
                if response.clicked() {
                    commands.push(command);
                }
            }
        });
    });
}

/// One step: its time and its name, greyed where it has been undone. Says whether it was pressed.
fn row_ui(ui: &mut Ui, logged: &Logged) -> bool {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let Logged { label, when, state, saved } = logged;
    let here = *state == State::Current;
    let said = format!("{}{label}{}", prefix(*state), if *saved { ", saved" } else { "" });
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, here, &said));
    if here {
        painter.rect_filled(rect, 0, palette.sel);
        painter.rect_filled(rect.with_max_x(rect.min.x + 3.0), 0, palette.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, rect, 0, 2.0, palette.accent);
    }
    let y = rect.center().y;
    let undone = *state == State::Undone;
    let (ink, font) = match (undone, here) {
        (true, _) => (palette.text3, theme::BODY),
        (_, true) => (palette.text, theme::semibold(13.0)),
        _ => (palette.text, theme::BODY),
    };
    let time = pos2(rect.min.x + INSET, y);
    painted_text(painter, time, Align2::LEFT_CENTER, &when.time(), &theme::SMALL, palette.text2);
    let mut right = rect.max.x - INSET;
    if *saved {
        right =
            painted_text(painter, pos2(right, y), Align2::RIGHT_CENTER, "saved", &theme::SMALL, palette.text2).min.x;
        right -= 8.0;
    }
    let shown = elided(painter, label, &font, right - rect.min.x - NAMES);
    painted_text(painter, pos2(rect.min.x + NAMES, y), Align2::LEFT_CENTER, &shown, &font, ink);
    response.told(format!("{label}\n{}", when.to_the_second())).clicked() && !here
}

const fn prefix(state: State) -> &'static str {
    match state {
        State::Done => "",
        State::Current => "Now: ",
        State::Undone => "Undone: ",
    }
}

/// The steps as they are written into a log.
pub fn entries(document: &Document) -> Vec<Entry> {
    let written = |logged: Logged| Entry {
        when: logged.when.to_the_second(),
        step: logged.label,
        state: logged.state,
        saved: logged.saved,
    };
    document.log().map(written).collect()
}
