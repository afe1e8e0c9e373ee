//! The menu bar: every named command, and the file that is open.
//!
//! It lists commands and carries none of them out.

use egui::{Button, Key, MenuBar, Modifiers, RichText, Ui, vec2};

use super::command::Command;
use super::document::Document;
use super::examples;
use super::files;
use super::icons::{self, Icon};
use super::theme::{self, Palette};
use super::view::{Page, ThemeChoice, View};
use super::live::Wish;
use super::widgets::{Told as _, painted_text, text_width};
use crate::show::{Marks, Scale};

pub fn menu_ui(
    ui: &mut Ui,
    document: &Document,
    view: &View,
    explaining: bool,
    recent: &[std::path::PathBuf],
    commands: &mut Vec<Command>,
) {
    MenuBar::new().ui(ui, |ui| {
        ui.add_space(12.0);
        ui.label(RichText::new("Outlay").font(theme::semibold(13.0)));
        ui.add_space(4.0);
        let asked = MENUS.iter().position(|(_, key)| asked_for(ui, *key));
        for (i, (name, _)) in MENUS.iter().enumerate() {
            let menu = ui.menu_button(*name, |ui| {
                roomy(ui);
                match i {
                    0 => file_ui(ui, recent, commands),
                    1 => edit_ui(ui, document, commands),
                    2 => view_ui(ui, view, commands),
                    _ => help_ui(ui, view, commands),
                }
            });
            if asked == Some(i) {
                menu.response.request_focus();
                egui::Popup::open_id(ui.ctx(), egui::Popup::default_response_id(&menu.response));
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(12.0);
            file_name_ui(ui, document);
            ui.add_space(8.0);
            let explain = if explaining { Command::CloseExplanation } else { Command::ExplainFigure };
            panel(ui, Icon::Explain, "Explain", explaining, explain, commands);
            let levers = view.levers && !explaining;
            panel(ui, Icon::Levers, "Levers", levers, Command::Live(Wish::Panel), commands);
            ui.add_space(8.0);
            tool(ui, Icon::Redo, &Command::Redo, document.redoable(), commands);
            tool(ui, Icon::Undo, &Command::Undo, document.undoable(), commands);
        });
    });
}

/// Below this width of the window the buttons of panels have no words.
const NARROW: f32 = 1100.0;

/// The menus, each with the letter that opens it together with Alt. F10 opens the first.
const MENUS: [(&str, Key); 4] = [("File", Key::F), ("Edit", Key::E), ("View", Key::V), ("Help", Key::H)];

/// Whether the keys of a menu were pressed. The letter is then not typed as well.
fn asked_for(ui: &Ui, key: Key) -> bool {
    let first = key == MENUS[0].1;
    ui.input_mut(|input| {
        let by_letter = input.consume_key(Modifiers::ALT, key);
        if by_letter {
            input
                .events
                .retain(|event| !matches!(event, egui::Event::Text(text) if text.eq_ignore_ascii_case(key.name())));
        }
        by_letter || (first && input.consume_key(Modifiers::NONE, Key::F10))
    })
}

fn help_ui(ui: &mut Ui, view: &View, commands: &mut Vec<Command>) {
    chosen(ui, Command::Show(Page::Published), view.page == Page::Published, commands);
    entry(ui, Command::Keys, true, commands);
    entry(ui, Command::About, true, commands);
}

/// Entries stand apart from the edge of their menu, and a menu is not narrower than its widest shortcut needs.
fn roomy(ui: &mut Ui) {
    ui.spacing_mut().button_padding = vec2(10.0, 3.0);
    ui.set_min_width(176.0);
}

fn file_ui(ui: &mut Ui, recent: &[std::path::PathBuf], commands: &mut Vec<Command>) {
    ui.menu_button("New from example", |ui| {
        roomy(ui);
        for i in 0..examples::ALL.len() {
            entry(ui, Command::NewFromExample(i), true, commands);
        }
    });
    entry(ui, Command::Open, true, commands);
    if !recent.is_empty() {
        ui.menu_button("Open recent", |ui| {
            roomy(ui);
            for (i, path) in recent.iter().enumerate() {
                let button = ui.add(Button::new(files::name(path)));
                if button.told(path.display().to_string()).clicked() {
                    commands.push(Command::OpenRecent(i));
                    ui.close();
                }
            }
        });
    }
    ui.separator();
    entry(ui, Command::Save, true, commands);
    entry(ui, Command::SaveAs, true, commands);
    ui.separator();
    entry(ui, Command::Quit, true, commands);
}

fn edit_ui(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
    named(
        ui,
        &format!("Undo {}", document.undoable().unwrap_or_default()),
        Command::Undo,
        document.undoable().is_some(),
        commands,
    );
    named(
        ui,
        &format!("Redo {}", document.redoable().unwrap_or_default()),
        Command::Redo,
        document.redoable().is_some(),
        commands,
    );
    ui.separator();
    entry(ui, Command::FindInput, true, commands);
    entry(ui, Command::FindPostings, true, commands);
}

fn view_ui(ui: &mut Ui, view: &View, commands: &mut Vec<Command>) {
    for page in Page::ALL {
        chosen(ui, Command::Show(page), view.page == page, commands);
    }
    ui.separator();
    entry(ui, Command::ExplainFigure, true, commands);
    ui.separator();
    for theme in ThemeChoice::ALL {
        chosen(ui, Command::Theme(theme), view.theme == theme, commands);
    }
    ui.separator();
    for scale in Scale::ALL {
        chosen(ui, Command::Scale(scale), view.figures.scale == scale, commands);
    }
    ui.separator();
    for marks in [Marks::Point, Marks::Comma] {
        chosen(ui, Command::Marks(marks), view.figures.marks == marks, commands);
    }
}

fn entry(ui: &mut Ui, command: Command, enabled: bool, commands: &mut Vec<Command>) {
    let name = command.name();
    named(ui, &name, command, enabled, commands);
}

fn named(ui: &mut Ui, name: &str, command: Command, enabled: bool, commands: &mut Vec<Command>) {
    let shortcut = command.keys(ui.ctx());
    let button = ui.add_enabled(enabled, Button::new(name.trim()).shortcut_text(shortcut));
    if button.accessible_name(name.trim()).clicked() {
        commands.push(command);
        ui.close();
    }
}

fn chosen(ui: &mut Ui, command: Command, is_current: bool, commands: &mut Vec<Command>) {
    let shortcut = command.keys(ui.ctx());
    let button = ui.add(Button::selectable(is_current, command.name()).shortcut_text(shortcut));
    if button.accessible_name(command.name()).clicked() {
        commands.push(command);
        ui.close();
    }
}

/// A button of one icon. What it would take back or do again is told on hover.
fn tool(ui: &mut Ui, icon: Icon, command: &Command, step: Option<&str>, commands: &mut Vec<Command>) {
    let sense = if step.is_some() { egui::Sense::click() } else { egui::Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(28.0, 24.0), sense);
    let palette = Palette::of(ui.visuals());
    let name = command.name();
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, step.is_some(), &name));
    if response.hovered() && step.is_some() {
        ui.painter().rect_filled(rect, 3, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 3, 2.0, palette.accent);
    }
    let ink = if step.is_some() { palette.text2 } else { palette.text2.gamma_multiply(0.45) };
    icons::icon(ui.painter(), icon, rect.center(), 16.0, ink);
    let hover = step.map_or_else(|| format!("Nothing to {}", name.to_lowercase()), |step| format!("{name}: {step}"));
    if response.told(hover).clicked() {
        commands.push(command.clone());
    }
}

/// A button that opens a panel at the right, or closes it. In a narrow window the word is left out.
fn panel(ui: &mut Ui, icon: Icon, name: &str, open: bool, command: Command, commands: &mut Vec<Command>) {
    let word = if ui.ctx().content_rect().width() < NARROW { "" } else { name };
    let width = text_width(ui.painter(), word, &theme::BODY) + if word.is_empty() { 28.0 } else { 36.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width.ceil(), 24.0), egui::Sense::click());
    let palette = Palette::of(ui.visuals());
    response.widget_info(|| egui::WidgetInfo::selected(egui::accesskit::Role::Button, true, open, name));
    if open {
        ui.painter().rect_filled(rect, 3, palette.sel);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 3, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 3, 2.0, palette.accent);
    }
    let ink = if open { palette.text } else { palette.text2 };
    icons::icon(ui.painter(), icon, rect.min + vec2(14.0, 12.0), 16.0, ink);
    let at = egui::pos2(rect.min.x + 26.0, rect.center().y);
    painted_text(ui.painter(), at, egui::Align2::LEFT_CENTER, word, &theme::BODY, ink);
    let keys = command.keys(ui.ctx());
    let verb = if open { "Close" } else { "Open" };
    if response.told(format!("{verb} {} {keys}", name.to_lowercase()).trim()).clicked() {
        commands.push(command);
    }
}

fn file_name_ui(ui: &mut Ui, document: &Document) {
    let palette = Palette::of(ui.visuals());
    let (mark, ink) = match (document.unsaved(), document.path()) {
        (true, _) => ("•  unsaved", palette.dearer),
        (false, Some(_)) => ("saved", palette.text2),
        (false, None) => ("example", palette.text2),
    };
    ui.label(RichText::new(mark).color(ink));
    let hover = document.path().map_or_else(|| "Not in a file yet".to_owned(), |path| path.display().to_string());
    let width = (ui.available_width() - 80.0).max(60.0);
    let name = super::widgets::elided(ui.painter(), &document.title(), &theme::BODY, width);
    ui.label(name).told(hover);
}
