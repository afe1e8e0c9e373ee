//! The menu bar: every command that has a place in a menu, the field that finds commands, and the file that is open.
//!
//! It walks the list of commands and carries none of them out.

use egui::accesskit::Role;
use egui::{Align2, Button, Key, MenuBar, Modifiers, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::command::{self, Command, Entry, Menu, State};
use super::document::Document;
use super::icons::{self, Icon};
use super::live::Wish;
use super::theme::{self, Palette};
use super::widgets::{Told as _, painted_text, text_width};

pub fn menu_ui(ui: &mut Ui, state: State<'_>, commands: &mut Vec<Command>) {
    let entries = command::entries(state);
    MenuBar::new().ui(ui, |ui| {
        ui.add_space(12.0);
        ui.label(RichText::new("Outlay").font(theme::semibold(13.0)));
        ui.add_space(4.0);
        let mut buttons = Vec::new();
        for (place, menu) in shown(&entries).into_iter().enumerate() {
            let asked = asked_for(ui, menu.key(), place == 0);
            let button = ui.menu_button(menu.name(), |ui| {
                roomy(ui);
                let of_menu: Vec<&Entry> = entries.iter().filter(|entry| is_in(entry, menu)).collect();
                sections_ui(ui, &of_menu, commands);
            });
            if asked {
                open(ui, &button.response);
            }
            buttons.push(button.response);
        }
        neighbour_ui(ui, &buttons);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(12.0);
            let (undoable, redoable) = (state.document.undoable(), state.document.redoable());
            file_name_ui(ui, state.document);
            ui.add_space(8.0);
            let find = entries.iter().find(|entry| entry.command == Command::Palette);
            if let Some(entry) = find {
                find_ui(ui, entry, commands);
            }
            ui.add_space(8.0);
            panels_ui(ui, &entries, state, commands);
            ui.add_space(8.0);
            tool(ui, Icon::Redo, ("Redo", Command::Redo), redoable, commands);
            tool(ui, Icon::Undo, ("Undo", Command::Undo), undoable, commands);
        });
    });
}

fn open(ui: &Ui, button: &egui::Response) {
    button.request_focus();
    egui::Popup::open_id(ui.ctx(), egui::Popup::default_response_id(button));
}

/// Left and right lead from the open menu to the one beside it, around the ends.
fn neighbour_ui(ui: &Ui, buttons: &[egui::Response]) {
    let is_open = |button: &egui::Response| egui::Popup::is_id_open(ui.ctx(), egui::Popup::default_response_id(button));
    let Some(at) = buttons.iter().position(is_open) else { return };
    let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
    let to = if pressed(Key::ArrowRight) {
        at + 1
    } else if pressed(Key::ArrowLeft) {
        at + buttons.len() - 1
    } else {
        return;
    };
    if let Some(button) = buttons.get(to % buttons.len()) {
        open(ui, button);
    }
}

/// Below this width of the window the buttons of panels have no words.
const NARROW: f32 = 1240.0;

/// The buttons of the panels at the right, of which one is open at a time.
fn panels_ui(ui: &mut Ui, entries: &[Entry], state: State<'_>, commands: &mut Vec<Command>) {
    let explain = if state.explaining { Command::CloseExplanation } else { Command::ExplainFigure };
    let levers = state.view.levers && !state.explaining;
    let all = [
        (Icon::Explain, "Explain", state.explaining, explain),
        (Icon::Levers, "Levers", levers, Command::Live(Wish::Panel)),
    ];
    for (icon, name, open, command) in all {
        let keys = entries.iter().find(|entry| entry.command == command).map(|entry| entry.written_keys(ui.ctx()));
        panel(ui, icon, (name, &keys.unwrap_or_default()), open, command, commands);
    }
}

/// A button that opens a panel at the right, or closes it. In a narrow window the word is left out.
fn panel(
    ui: &mut Ui,
    icon: Icon,
    (name, keys): (&str, &str),
    open: bool,
    command: Command,
    commands: &mut Vec<Command>,
) {
    let word = if ui.ctx().content_rect().width() < NARROW { "" } else { name };
    let width = text_width(ui.painter(), word, &theme::BODY) + if word.is_empty() { 28.0 } else { 36.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(width.ceil(), 24.0), Sense::click());
    let palette = Palette::of(ui.visuals());
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, open, name));
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
    let at = pos2(rect.min.x + 26.0, rect.center().y);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, word, &theme::BODY, ink);
    let verb = if open { "Close" } else { "Open" };
    if response.told(format!("{verb} {} {keys}", name.to_lowercase()).trim()).clicked() {
        commands.push(command);
    }
}

/// The menus that have anything in them.
fn shown(entries: &[Entry]) -> Vec<Menu> {
    Menu::ALL.into_iter().filter(|menu| entries.iter().any(|entry| is_in(entry, *menu))).collect()
}

fn is_in(entry: &Entry, menu: Menu) -> bool {
    entry.place.is_some_and(|(of, _)| of == menu)
}

/// Whether the keys of a menu were pressed. The letter is then not typed as well. F10 opens the first menu.
fn asked_for(ui: &Ui, key: Key, first: bool) -> bool {
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

/// Entries stand apart from the edge of their menu, and a menu is not narrower than its widest shortcut needs.
fn roomy(ui: &mut Ui) {
    ui.spacing_mut().button_padding = vec2(10.0, 3.0);
    ui.set_min_width(176.0);
}

/// The lines of a menu, a rule between its sections. Lines that stand within the same menu of the menu open together.
fn sections_ui(ui: &mut Ui, entries: &[&Entry], commands: &mut Vec<Command>) {
    let section = |entry: &Entry| entry.place.map(|(_, section)| section);
    let together = |a: &&Entry, b: &&Entry| section(a) == section(b) && a.within == b.within;
    let mut last = entries.first().and_then(|entry| section(entry));
    for run in entries.chunk_by(together) {
        let [first, ..] = run else { continue };
        if section(first) != last {
            ui.separator();
            last = section(first);
        }
        match first.within {
            Some(name) => {
                ui.menu_button(name, |ui| {
                    roomy(ui);
                    run.iter().for_each(|entry| entry_ui(ui, entry, commands));
                });
            }
            None => run.iter().for_each(|entry| entry_ui(ui, entry, commands)),
        }
    }
}

fn entry_ui(ui: &mut Ui, entry: &Entry, commands: &mut Vec<Command>) {
    let name = entry.in_menu();
    let button = match entry.chosen {
        Some(chosen) => Button::selectable(chosen, name),
        None => Button::new(name),
    };
    let response = ui.add_enabled(entry.available, button.shortcut_text(entry.written_keys(ui.ctx())));
    let response = response.accessible_name(name);
    let response = if entry.detail.is_empty() { response } else { response.told(entry.detail.as_str()) };
    if response.clicked() {
        commands.push(entry.command.clone());
        ui.close();
    }
}

/// What looks like a field and opens the palette, where there is room for it as wide as the keys need.
fn find_ui(ui: &mut Ui, entry: &Entry, commands: &mut Vec<Command>) {
    let keys = entry.written_keys(ui.ctx());
    let width = (ui.available_width() - 76.0).min(176.0);
    if width < 104.0 {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Commands"));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    painter.rect_filled(rect, 3, palette.filled(response.hovered(), palette.surface));
    let (stroke, colour) = if response.has_focus() { (2.0, palette.accent) } else { (1.0, palette.line2) };
    icons::border(painter, rect, 3, stroke, colour);
    icons::icon(painter, Icon::Search, pos2(rect.min.x + 14.0, rect.center().y), 16.0, palette.text2);
    let at = pos2(rect.min.x + 26.0, rect.center().y);
    painted_text(painter, at, Align2::LEFT_CENTER, "Commands", &theme::BODY, palette.text2);
    if width > 160.0 {
        let at = pos2(rect.max.x - 8.0, rect.center().y);
        painted_text(painter, at, Align2::RIGHT_CENTER, &keys, &theme::SMALL, palette.text3);
    }
    if response.told(format!("Finds a command, an example, a placement or an input by its name ({keys})")).clicked() {
        commands.push(entry.command.clone());
    }
}

/// A button of one icon. What it would take back or do again is told on hover.
fn tool(ui: &mut Ui, icon: Icon, (name, command): (&str, Command), step: Option<&str>, commands: &mut Vec<Command>) {
    let sense = if step.is_some() { egui::Sense::click() } else { egui::Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(28.0, 24.0), sense);
    let palette = Palette::of(ui.visuals());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, step.is_some(), name));
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
        commands.push(command);
    }
}

fn file_name_ui(ui: &mut Ui, document: &Document) {
    let palette = Palette::of(ui.visuals());
    let (mark, ink) = match (document.unsaved(), document.path()) {
        (true, _) => ("•  unsaved", palette.dearer),
        (false, Some(_)) => ("saved", palette.text2),
        (false, None) => ("not in a file", palette.text2),
    };
    // As much room as the longest takes, so that nothing moves when the scenario is saved or changed.
    let room = ["•  unsaved", "not in a file"].map(|mark| super::widgets::text_width(ui.painter(), mark, &theme::BODY));
    let room = vec2(room.into_iter().fold(0.0, f32::max).ceil(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(room, egui::Layout::right_to_left(egui::Align::Center), |ui| {
        ui.set_min_width(room.x);
        ui.label(RichText::new(mark).color(ink));
    });
    let hover = document.path().map_or_else(|| "Not in a file yet".to_owned(), |path| path.display().to_string());
    let width = (ui.available_width() - 80.0).max(60.0);
    let name = super::widgets::elided(ui.painter(), &document.title(), &theme::BODY, width);
    ui.label(name).told(hover);
}
