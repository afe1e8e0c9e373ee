//! The window under test: opening it, keys and typing, and what it reads out.

pub use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use egui::accesskit::Role;
pub use egui::{Event, Key, Modifiers, ViewportCommand, ViewportId};
pub use egui_kittest::Harness;
pub use egui_kittest::kittest::{NodeT as _, Queryable as _};
pub use outlay::app::{App, install};
pub type Window = Harness<'static, App>;

pub fn window_on(file: Option<PathBuf>) -> Window {
    window_of(App::on(file))
}

pub fn window_of(app: App) -> Window {
    let mut window = Harness::builder()
        .with_size(egui::vec2(1440.0, 900.0))
        .with_theme(egui::Theme::Light)
        .with_os(egui::os::OperatingSystem::Nix)
        // While a tornado is computed beside it, the window repaints; a busy machine takes its time.
        .with_max_steps(400)
        .with_context_setup(install)
        .build_ui_state(
            |ui, app: &mut App| {
                app.step(ui.ctx());
                app.window_ui(ui);
            },
            app,
        );
    window.run();
    window
}

pub fn window() -> Window {
    window_on(None)
}

pub fn press(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run();
}

pub fn command(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.run();
}

pub fn shifted_command(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, key);
    window.run();
}

pub fn type_text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run();
}

/// Goes to a page by its name at the left.
pub fn page(window: &mut Window, name: &str) {
    click(window, Role::Tab, name);
}

/// Goes to the register of inputs and leaves those with these words.
pub fn find(window: &mut Window, words: &str) {
    command(window, Key::F);
    command(window, Key::A);
    type_text(window, words);
}

pub fn focus(window: &mut Window, label: &str) {
    let Some(field) = window.query_by_role_and_label(Role::TextInput, label) else {
        panic!("there is no field {label:?}: {:?}", read(window))
    };
    field.focus();
    window.run();
}

/// The exact totals on the answer bar, in the order of the placements.
pub fn totals(window: &Window) -> Vec<String> {
    let is_card = |label: String| label.chars().nth(1) == Some(' ');
    let cards = window.get_all_by(|node| {
        node.role() == Role::Button
            && node.label().is_some_and(is_card)
            && node.value().is_some_and(|value| value.contains('.'))
    });
    cards.map(|card| card.value().unwrap_or_default()).collect()
}

pub fn value(window: &Window, label: &str) -> String {
    window.get_by_role_and_label(Role::TextInput, label).value().unwrap_or_default()
}

/// A scenario file in a folder of its own.
pub fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("plan.ron");
    std::fs::copy("scenarios/guide-example.ron", &path).expect("the example is in the repository");
    (folder, path)
}

/// The name of the first node price in the list.
pub fn price(window: &Window) -> String {
    let is_price =
        |label: String| label.starts_with("Node price ·") && !label.ends_with(", low") && !label.ends_with(", high");
    let mut prices = window.get_all_by(|node| node.role() == Role::TextInput && node.label().is_some_and(is_price));
    prices.next().and_then(|node| node.accesskit_node().label()).expect("the list has a node price")
}

/// Replaces the first node price by keyboard alone.
pub fn change_price(window: &mut Window, typed: &str) {
    find(window, "supply.node.price");
    let label = price(window);
    focus(window, &label);
    type_text(window, typed);
    press(window, Key::Enter);
}

pub fn save_as(window: &mut Window, path: &Path) {
    shifted_command(window, Key::S);
    type_text(window, &path.display().to_string());
    press(window, Key::Enter);
}

/// Whether the window asks its system for this, in this frame or one of the next.
pub fn sends(window: &mut Window, wanted: &ViewportCommand) -> bool {
    (0..4).any(|_| {
        window.step();
        window.output().viewport_output[&ViewportId::ROOT].commands.contains(wanted)
    })
}

/// What is found in what the window gives its system, in this frame or one of the next.
pub fn given<T>(window: &mut Window, find: impl Fn(&egui::OutputCommand) -> Option<T>) -> Option<T> {
    (0..4).find_map(|_| {
        window.step();
        window.output().platform_output.commands.iter().find_map(&find)
    })
}

/// The text that the window puts on the clipboard after what was pressed before.
pub fn copied(window: &mut Window) -> String {
    let text = given(window, |command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let text = text.unwrap_or_else(|| panic!("nothing was copied"));
    window.run();
    text
}

/// The cells of what is copied when Ctrl+C is pressed.
pub fn copied_cells(window: &mut Window) -> Vec<Vec<String>> {
    window.event(Event::Copy);
    copied(window).lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// Presses an entry of a menu.
pub fn choose(window: &mut Window, menu: &str, entry: &str) {
    window.get_by_label(menu).click();
    window.run();
    window.get_by_label(entry).click();
    window.run();
}

/// Steps until something is there. The limit says that it hangs, not that it is slow.
pub fn wait_for(window: &mut Window, there: impl Fn(&Window) -> bool) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(120) {
        window.step();
        if there(window) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("the work beside the window did not end: {:?}", read(window));
}

/// The name of everything that has one.
pub fn read(window: &Window) -> Vec<String> {
    let said = |node: &egui_kittest::Node<'_>| node.accesskit_node().label().or_else(|| node.accesskit_node().value());
    window.query_all_by(|node| node.label().or_else(|| node.value()).is_some()).filter_map(|node| said(&node)).collect()
}

/// Presses a shortcut without waiting until the window has settled, which it does not while work goes on beside it.
pub fn command_step(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.step();
    window.step();
    window.step();
}

/// What the panel at the right explains.
pub fn explained(window: &Window, label: &str) -> bool {
    window.query_by_role_and_label(Role::Heading, label).is_some()
}

/// Presses a figure of the first placement that has one in this row.
pub fn press_figure(window: &mut Window, row: &str) -> bool {
    let starts = format!("{row}, ");
    let figures = window.get_all_by(|node| {
        node.role() == Role::Button
            && node.label().is_some_and(|label| label.starts_with(&starts))
            && node.value().is_some_and(|value| value != "–")
    });
    let Some(figure) = figures.into_iter().next() else { return false };
    figure.click();
    window.run();
    true
}

/// The exact amount of one category of the first placement, as it is shown.
pub fn category(window: &Window, category: outlay::scenario::Category) -> String {
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let amounts = evaluation.placements[0].by_category[category as usize].amounts;
    outlay::show::Figures::default().exact(amounts.total.minor(), evaluation.currency.minor_digits)
}

/// The text of a cell whose name ends like this.
pub fn cell(window: &Window, name: &str) -> String {
    let is_it = |label: String| label == name || label.ends_with(&format!(" {name}"));
    let mut cells = window.get_all_by(|node| node.role() == Role::Cell && node.label().is_some_and(is_it));
    let Some(cell) = cells.next() else { panic!("there is no cell {name}: {:?}", read(window)) };
    cell.value().expect("a cell has a text")
}

pub fn total_shown(window: &Window) -> String {
    cell(window, "postings, Amount")
}

pub fn click(window: &mut Window, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).click();
    window.run();
}

/// Looks for words in the palette and gives the first command found.
pub fn give(window: &mut Window, words: &str) {
    command(window, Key::K);
    type_text(window, words);
    press(window, Key::Enter);
}
