//! The window as a person uses it: through the keyboard, the names of its controls, and what is read out.

#![cfg(feature = "gui")]

use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, ViewportCommand, ViewportId};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use outlay::app::{App, install};

type Window = Harness<'static, App>;

fn window_on(file: Option<PathBuf>) -> Window {
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
            App::on(file),
        );
    window.run();
    window
}

fn window() -> Window {
    window_on(None)
}

fn press(window: &mut Window, key: Key) {
    window.key_press(key);
    window.run();
}

fn command(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.run();
}

fn shifted_command(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND | Modifiers::SHIFT, key);
    window.run();
}

fn type_text(window: &mut Window, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.run();
}

/// Goes to the list of inputs and leaves those with these words.
fn find(window: &mut Window, words: &str) {
    command(window, Key::F);
    type_text(window, words);
}

fn focus(window: &mut Window, label: &str) {
    window.get_by_role_and_label(Role::TextInput, label).focus();
    window.run();
}

/// The exact totals on the answer bar, in the order of the placements.
fn totals(window: &Window) -> Vec<String> {
    let is_card = |label: String| label.chars().nth(1) == Some(' ');
    let cards = window.get_all_by(|node| {
        node.role() == Role::Button
            && node.label().is_some_and(is_card)
            && node.value().is_some_and(|value| value.contains('.'))
    });
    cards.map(|card| card.value().unwrap_or_default()).collect()
}

fn value(window: &Window, label: &str) -> String {
    window.get_by_role_and_label(Role::TextInput, label).value().unwrap_or_default()
}

/// A scenario file in a folder of its own.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("plan.ron");
    std::fs::copy("scenarios/guide-example.ron", &path).expect("the example is in the repository");
    (folder, path)
}

/// The name of the first node price in the list.
fn price(window: &Window) -> String {
    let is_price =
        |label: String| label.starts_with("Node price ·") && !label.ends_with(", low") && !label.ends_with(", high");
    let mut prices = window.get_all_by(|node| node.role() == Role::TextInput && node.label().is_some_and(is_price));
    prices.next().and_then(|node| node.accesskit_node().label()).expect("the list has a node price")
}

/// Replaces the first node price by keyboard alone.
fn change_price(window: &mut Window, typed: &str) {
    find(window, "supply.node.price");
    let label = price(window);
    focus(window, &label);
    type_text(window, typed);
    press(window, Key::Enter);
}

fn save_as(window: &mut Window, path: &Path) {
    shifted_command(window, Key::S);
    type_text(window, &path.display().to_string());
    press(window, Key::Enter);
}

/// Whether the window asks its system for this, in this frame or one of the next.
fn sends(window: &mut Window, wanted: &ViewportCommand) -> bool {
    (0..4).any(|_| {
        window.step();
        window.output().viewport_output[&ViewportId::ROOT].commands.contains(wanted)
    })
}

#[test]
fn a_node_price_changed_by_keyboard_moves_the_totals_and_undo_takes_it_back() {
    let mut window = window();
    let before = totals(&window);
    assert_eq!(before.len(), 6);
    change_price(&mut window, "350,000");
    let label = price(&window);
    assert_eq!(value(&window, &label), "350,000");
    assert_ne!(totals(&window), before);
    assert!(window.state().unsaved());
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), before);
    assert!(!window.state().unsaved());
    shifted_command(&mut window, Key::Z);
    assert_eq!(value(&window, &label), "350,000");
    command(&mut window, Key::Z);
    command(&mut window, Key::Y);
    assert_eq!(value(&window, &label), "350,000");
}

#[test]
fn both_keys_that_redo_are_named_where_keys_are() {
    let mut window = window();
    window.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    window.run();
    window.get_by_label("Ctrl+Shift+Z, Ctrl+Y");
}

/// A slow frame, as over a remote desktop, brings many keys at once.
#[test]
fn keys_that_arrive_in_one_frame_are_taken_in_their_order() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    let enter = |pressed| egui::Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let typed = |text: &str| egui::Event::Text(text.into());
    let events = [typed("35"), typed("0k"), enter(true), enter(false), typed("3"), typed("60k")];
    window.input_mut().events.extend(events);
    window.run();
    let undone = |window: &mut Window| {
        press(window, Key::Escape);
        value(window, &label)
    };
    assert_eq!(value(&window, &label), "360k", "what came after Enter opens the cell again");
    assert_eq!(undone(&mut window), "350,000", "what came before Enter was committed");
    window.input_mut().events.extend([typed("=12"), typed("*1000"), enter(true)]);
    window.run();
    assert_eq!(value(&window, &label), "12,000");
}

#[test]
fn a_refused_text_stays_with_its_reason_and_leaves_the_model_untouched() {
    let mut window = window();
    let before = totals(&window);
    change_price(&mut window, "312,40.00");
    let label = price(&window);
    assert_eq!(value(&window, &label), "312,40.00");
    window.get_by_label_contains("A thousands separator needs three digits after it. The model still uses");
    assert_eq!(totals(&window), before);
    assert!(!window.state().unsaved());
    press(&mut window, Key::Escape);
    assert_ne!(value(&window, &label), "312,40.00");
    assert!(window.query_by_label_contains("A thousands separator").is_none());
}

#[test]
fn what_can_be_read_but_not_used_is_refused_too() {
    let mut window = window();
    let before = totals(&window);
    change_price(&mut window, "-5");
    window.get_by_label_contains("The model still uses");
    assert_eq!(totals(&window), before);
}

/// 5 instead of 300k: the range that the slip widened is there again, unless the slip was left to stand.
#[test]
fn a_slip_leaves_no_trace_in_the_range() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    let low = format!("{label}, low");
    let before = value(&window, &low);
    let enter = |window: &mut Window, label: &str, typed: &str| {
        focus(window, label);
        type_text(window, typed);
        press(window, Key::Enter);
    };
    enter(&mut window, &label, "5");
    assert_eq!(value(&window, &low), "5");
    window.get_by_label_contains(&format!("outside its range: low {before} → 5"));
    enter(&mut window, &label, "300k");
    assert_eq!(value(&window, &low), before);
    command(&mut window, Key::Z);
    assert_eq!((value(&window, &label), value(&window, &low)), ("5".to_owned(), "5".to_owned()));
    command(&mut window, Key::Y);
    assert_eq!((value(&window, &label), value(&window, &low)), ("300,000".to_owned(), before.clone()));
    command(&mut window, Key::Z);
    enter(&mut window, &format!("{label}, high"), "400k");
    enter(&mut window, &label, "300k");
    assert_eq!(value(&window, &low), "5", "another edit between: the wide range was meant");
}

#[test]
fn tab_commits_and_moves_on() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "=2*150k");
    press(&mut window, Key::Tab);
    assert_eq!(value(&window, &label), "300,000");
    assert!(window.get_by_role_and_label(Role::TextInput, &format!("{label}, low")).is_focused());
}

#[test]
fn arrows_step_the_last_digit_of_an_opened_cell() {
    let mut window = window();
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    press(&mut window, Key::Enter);
    press(&mut window, Key::ArrowUp);
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate"), "9");
    assert_eq!(window.state().scenario().discounting.rate.value.to_string(), "0.09");
}

#[test]
fn arrows_move_from_a_selected_cell_to_its_neighbours() {
    let mut window = window();
    find(&mut window, "index");
    let focused = |window: &Window, label: &str| window.get_by_role_and_label(Role::TextInput, label).is_focused();
    focus(&mut window, "Index: colocation");
    press(&mut window, Key::ArrowDown);
    assert!(focused(&window, "Index: electricity"));
    press(&mut window, Key::ArrowRight);
    assert!(focused(&window, "Index: electricity, low"));
    press(&mut window, Key::ArrowUp);
    assert!(focused(&window, "Index: colocation, low"));
    assert!(!window.state().unsaved());
}

#[test]
fn a_range_is_entered_and_taken_away() {
    let mut window = window();
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate, high");
    type_text(&mut window, "15%");
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate, high"), "15");
    focus(&mut window, "Discount rate, high");
    press(&mut window, Key::Delete);
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate, low"), "");
    assert!(window.state().scenario().discounting.rate.range().is_none());
}

#[test]
fn a_file_is_opened_changed_saved_and_opened_again_by_typing_paths() {
    let (folder, path) = folder();
    let mut window = window();
    command(&mut window, Key::O);
    type_text(&mut window, &path.display().to_string());
    press(&mut window, Key::Enter);
    assert_eq!(window.state().path(), Some(path.as_path()));
    change_price(&mut window, "123,456.78");
    let changed = totals(&window);
    command(&mut window, Key::S);
    assert!(!window.state().unsaved());
    let again = window_on(Some(path));
    assert_eq!(totals(&again), changed);
    let copy = folder.path().join("copy");
    save_as(&mut window, &copy);
    assert_eq!(window.state().path(), Some(copy.with_extension("ron").as_path()));
    let left: Vec<_> = std::fs::read_dir(folder.path()).expect("the folder is there").collect();
    assert_eq!(left.len(), 2, "nothing but the two files: {left:?}");
}

#[test]
fn saving_commits_what_is_being_typed() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path.clone()));
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "222,222");
    command(&mut window, Key::S);
    assert!(!window.state().unsaved());
    let mut again = window_on(Some(path));
    find(&mut again, "supply.node.price");
    assert_eq!(value(&again, &label), "222,222");
}

#[test]
fn a_broken_file_is_refused_whole_and_the_open_scenario_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join("broken.ron");
    let text = std::fs::read_to_string("scenarios/guide-example.ron").expect("the example is in the repository");
    std::fs::write(&path, text.replacen("currency: \"USD\"", "currency: \"XXQ\"", 1)).expect("a file can be written");
    let mut window = window();
    let before = totals(&window);
    command(&mut window, Key::O);
    type_text(&mut window, &path.display().to_string());
    press(&mut window, Key::Enter);
    window.get_by_label("broken.ron was not opened.");
    window.get_by_label("Close").click();
    window.run();
    assert_eq!(totals(&window), before);
}

#[test]
fn closing_with_unsaved_work_asks_first() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    change_price(&mut window, "123,456");
    command(&mut window, Key::Q);
    window.get_by_label("Save the changes first?");
    window.get_by_label("Cancel").click();
    window.run();
    assert!(window.query_by_label("Save the changes first?").is_none());
    assert!(window.state().unsaved());
    command(&mut window, Key::Q);
    window.key_down(Key::Enter);
    assert!(sends(&mut window, &ViewportCommand::Close));
    assert!(!window.state().unsaved());
}

#[test]
fn the_window_manager_cannot_close_it_over_unsaved_work() {
    let mut window = window();
    change_price(&mut window, "123,456");
    let info = window.input_mut().viewports.entry(ViewportId::ROOT).or_default();
    info.events.push(egui::ViewportEvent::Close);
    assert!(sends(&mut window, &ViewportCommand::CancelClose));
    window.run();
    window.get_by_label("Save the changes first?");
}

#[test]
fn a_file_changed_by_someone_else_is_noticed_before_it_is_overwritten() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path.clone()));
    change_price(&mut window, "123,456");
    let theirs = std::fs::read_to_string(&path).expect("the file is there") + "\n// theirs\n";
    std::fs::write(&path, &theirs).expect("a file can be written");
    command(&mut window, Key::S);
    window.get_by_label("The file was changed by someone else");
    assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(theirs.as_str()));
    press(&mut window, Key::Escape);
    assert!(window.state().unsaved());
}

#[test]
fn every_page_and_menu_can_be_reached_and_settles() {
    let mut window = window();
    for key in [Key::Num2, Key::Num3, Key::Num4, Key::Num1] {
        command(&mut window, key);
    }
    for menu in ["File", "Edit", "View", "Help"] {
        window.get_by_label(menu).click();
        window.run();
        press(&mut window, Key::Escape);
    }
    window.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    window.run();
    press(&mut window, Key::Enter);
    assert!(window.query_by_label("Close").is_none(), "Enter presses the button that is meant");
}

#[test]
fn a_card_names_the_figure_whose_change_it_tells() {
    let mut window = window();
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    type_text(&mut window, "12");
    press(&mut window, Key::Enter);
    // The totals stay, the present values do not: it is they that decide.
    let changed = |label: &str| label.contains(", present value ") && label.contains(" less since the last edit");
    let cards = window.get_all_by(|node| node.label().is_some_and(|label| changed(&label)));
    assert_eq!(cards.count(), 6);
}

#[test]
fn a_card_says_why_its_placement_is_not_cheapest() {
    let window = window();
    window.get_by_label_contains("A Own everything, reference, serves 93.7 %, not cheapest");
}

#[test]
fn a_menu_opens_by_its_letter_and_the_first_by_f10() {
    let mut window = window();
    window.key_press_modifiers(Modifiers::ALT, Key::V);
    window.run();
    window.get_by_label("Dark");
    press(&mut window, Key::Escape);
    assert!(window.query_by_label("Dark").is_none());
    press(&mut window, Key::F10);
    window.get_by_label("Save as…");
}

#[test]
fn esc_closes_the_evidence_and_keeps_what_was_known() {
    let mut window = window();
    find(&mut window, "discount rate");
    window.get_by_label_contains("Discount rate, evidence:").click();
    window.run();
    window.get_by_label("Kind of evidence: Quoted").click();
    window.run();
    press(&mut window, Key::Escape);
    assert!(window.query_by_label("Kind of evidence: Quoted").is_none());
    assert!(!window.state().unsaved());
}

/// The window has to show something; what it shows is not the file that was asked for.
#[test]
fn a_file_that_cannot_be_opened_at_the_start_is_not_confused_with_the_example() {
    let mut window = window_on(Some("nowhere/plan.ron".into()));
    window.get_by_label("plan.ron was not opened.");
    window.get_by_label_contains("The window shows an example instead");
    window.get_by_label("Close").click();
    window.run();
    window.get_by_label_contains("plan.ron was not opened. This is an example.");
    assert_eq!(window.state().path(), None);
}

#[test]
fn a_name_that_leads_nowhere_is_said_before_anything_is_asked() {
    let mut window = window();
    change_price(&mut window, "123,456");
    command(&mut window, Key::O);
    type_text(&mut window, "nowhere.ron");
    press(&mut window, Key::Enter);
    assert!(window.query_by_label("Save the changes first?").is_none());
    window.get_by_label("nowhere.ron was not opened.");
    press(&mut window, Key::Escape);
    assert!(window.state().unsaved());
}

#[test]
fn a_file_of_another_kind_is_no_scenario() {
    let window = window_on(Some("README.md".into()));
    window.get_by_label_contains("The file is no scenario by its name.");
}

#[test]
fn a_failed_save_names_the_folder_and_offers_another_name() {
    let (folder, _) = folder();
    let mut window = window();
    save_as(&mut window, &folder.path().join("nowhere").join("plan.ron"));
    window.get_by_label("plan.ron was not saved.");
    window.get_by_label_contains(&format!("In the folder {}", folder.path().join("nowhere").display()));
    window.get_by_label("Save as…").click();
    window.run();
    window.get_by_label("Save as");
}

#[test]
fn the_list_of_files_is_entered_from_the_path_and_a_file_opened_by_keyboard() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path.clone()));
    change_price(&mut window, "123,456");
    command(&mut window, Key::S);
    command(&mut window, Key::O);
    press(&mut window, Key::ArrowDown);
    assert!(window.get_by_label("Folder above").is_focused());
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    press(&mut window, Key::Enter);
    assert!(window.query_by_label("Folder above").is_none());
    assert_eq!(window.state().path(), Some(path.as_path()));
}

#[test]
fn warnings_name_things_as_people_do() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    window.get_by_label_contains(" warning").click();
    window.run();
    window.get_by_label_contains("Own the nodes: nothing is entered in Service charges");
}

#[test]
fn going_to_another_page_keeps_what_was_typed() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "333,333");
    command(&mut window, Key::Num1);
    assert!(window.query_by_role_and_label(Role::TextInput, &label).is_none(), "the page has changed");
    assert!(window.state().unsaved());
    command(&mut window, Key::Num3);
    assert_eq!(value(&window, &label), "333,333");
}

#[test]
fn numbers_are_read_and_written_with_a_decimal_comma() {
    let mut window = window();
    choose(&mut window, "View", "1\u{a0}234,56");
    change_price(&mut window, "312 400,50");
    let label = price(&window);
    assert_eq!(value(&window, &label), "312\u{a0}400,50");
}

/// Presses an entry of a menu.
fn choose(window: &mut Window, menu: &str, entry: &str) {
    window.get_by_label(menu).click();
    window.run();
    window.get_by_label(entry).click();
    window.run();
}

#[test]
fn every_shipped_example_opens_and_its_table_foots() {
    for (name, placements) in [
        ("Regional AI platform", 6),
        ("Inference start-up", 1),
        ("University cluster", 1),
        ("The guide’s worked example", 1),
    ] {
        let mut window = window();
        window.get_by_label("File").click();
        window.run();
        window.get_by_label_contains("New from example").click();
        window.run();
        window.get_by(|node| node.role() == Role::Button && node.label().as_deref() == Some(name)).click();
        window.run();
        let totals = totals(&window);
        assert!(placements <= totals.len(), "{name}: {totals:?}");
        command(&mut window, Key::Num1);
        let cells = window.get_all_by(|node| {
            node.role() == Role::Button && node.label().is_some_and(|label| label.starts_with("Total, "))
        });
        assert!(placements <= cells.count(), "{name}");
    }
}

#[test]
fn published_figures_are_read_beside_computed_ones_and_their_scenario_opens() {
    let mut window = window();
    choose(&mut window, "Help", "Published cases");
    let cell = |label: &str| {
        let found = window.get_by(|node| node.role() == Role::Cell && node.label().as_deref() == Some(label));
        found.value().unwrap_or_default()
    };
    assert_eq!(cell("Equivalents at 60 %, Published"), "13.33");
    assert_eq!(cell("Equivalents at 60 %, Computed"), "13.3333");
    assert_eq!(cell("Equivalents at 60 %, Verdict"), "equal as printed");
    window.get_by_label("Open scenario capacity.ron").click();
    window.run();
    assert_eq!(window.state().scenario().name, "Published: worked example of GPU capacity");
    assert!(window.state().path().is_none());
}

/// A file let go over the window.
#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

#[test]
fn a_file_dropped_on_the_window_opens() {
    let (_folder, path) = folder();
    let mut window = window();
    window.input_mut().dropped_files.push(std::sync::Arc::new(Dropped(path.clone())));
    window.run();
    assert_eq!(window.state().path(), Some(path.as_path()));
}

#[test]
fn evidence_is_entered_in_place_and_undone() {
    let mut window = window();
    find(&mut window, "discount rate");
    let evidence = |window: &Window| window.state().scenario().discounting.rate.evidence_kind();
    let before = evidence(&window);
    window.get_by_label_contains("Discount rate, evidence:").click();
    window.run();
    window.get_by_label("Kind of evidence: Quoted").click();
    window.run();
    window.get_by_label("Done").click();
    window.run();
    assert_eq!(evidence(&window), outlay::input::EvidenceKind::Quoted);
    command(&mut window, Key::Z);
    assert_eq!(evidence(&window), before);
}

/// Steps until something is there. The work beside the window has no clock in it, so that this ends.
fn wait_for(window: &mut Window, there: impl Fn(&Window) -> bool) {
    for _ in 0..5_000_000 {
        window.step();
        if there(window) {
            return;
        }
        std::thread::yield_now();
    }
    panic!("the work beside the window did not end");
}

#[test]
fn a_tornado_is_computed_beside_the_window_and_follows_the_scenario() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    command_step(&mut window, Key::Num2);
    let bars = |window: &Window| {
        let bars = window.query_all_by(|node| node.label().is_some_and(|label| label.contains(", swing ")));
        bars.filter_map(|bar| bar.accesskit_node().label()).collect::<Vec<String>>()
    };
    let fresh = |window: &Window| window.query_by_label_contains("inputs with a range move it").is_some();
    wait_for(&mut window, fresh);
    let before = bars(&window);
    assert!(3 <= before.len());
    change_price(&mut window, "100,000");
    command_step(&mut window, Key::Num2);
    window.get_by_label_contains("out of date");
    wait_for(&mut window, |window| window.query_by_label_contains("out of date").is_none());
    assert_ne!(bars(&window), before);
}

/// Presses a shortcut without waiting until the window has settled, which it does not while work goes on beside it.
fn command_step(window: &mut Window, key: Key) {
    window.key_press_modifiers(Modifiers::COMMAND, key);
    window.step();
    window.step();
    window.step();
}

/// What the panel at the right explains.
fn explained(window: &Window, label: &str) -> bool {
    window.query_by_role_and_label(Role::Heading, label).is_some()
}

/// Presses a figure of the first placement that has one in this row.
fn press_figure(window: &mut Window, row: &str) -> bool {
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

#[test]
fn a_figure_of_every_category_leads_to_the_inputs_behind_it_in_two_clicks() {
    use outlay::analysis::explain::Explainer;
    use outlay::scenario::Category;
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    for category in Category::ALL {
        let explainers: Vec<Explainer> = (0..window.state().scenario().placements.len())
            .map(|place| Explainer::new(window.state().scenario(), place).expect("a placement"))
            .collect();
        let posts = |explainer: &&Explainer| {
            let ledger = &explainer.result().ledger;
            ledger.postings.iter().any(|posting| ledger.lines[posting.line as usize].category == *category)
        };
        assert!(explainers.iter().any(|explainer| posts(&explainer)), "no placement posts {category:?}");
        command(&mut window, Key::Num1);
        assert!(press_figure(&mut window, category.label()), "no figure of {category:?} can be pressed");
        assert!(explained(&window, "Rests on"), "{category:?} rests on nothing");
        let links: Vec<String> = window
            .get_all_by(|node| node.role() == Role::Link && node.label().is_some_and(|l| l.starts_with("Go to ")))
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        // Every line of the category has its own inputs among them, whatever kind of line it is.
        let first = explainers.iter().find(posts).expect("just found");
        let ledger = &first.result().ledger;
        for line in ledger.lines.iter().filter(|line| line.category == *category) {
            let label = |name: &&String| name.contains(&line.label);
            assert!(
                links.iter().any(|name| label(&name)) || line.rule.source != "method, §6",
                "{category:?} does not lead to {}: {links:?}",
                line.label
            );
        }
        let link = links.first().expect("an input").clone();
        window.get_all_by_label(&link).next().expect("the link").click_accesskit();
        window.run();
        let input = link.trim_start_matches("Go to ").to_owned();
        let cell = window.query_by_role_and_label(Role::TextInput, &input);
        assert!(cell.is_some(), "{input} is not where the link leads");
    }
}

#[test]
fn an_explanation_follows_the_figure_and_closes_with_escape() {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    assert!(press_figure(&mut window, "Hardware"));
    assert!(window.query_all_by_label("620,000.00").next().is_some(), "the figure to the cent");
    assert!(window.query_by_label_contains("2 × (1 − 0) × 310,000").is_some(), "its numbers");
    // The quantities in it are explained in turn.
    window.get_by_label("Formula of Nodes of the batch of owned, month 0").click();
    window.run();
    assert!(window.query_by_label("Formula of Nodes for the demand of owned").is_some());
    // An edit is explained with its new numbers.
    change_price(&mut window, "300000");
    assert!(window.query_all_by_label("600,000.00").next().is_some());
    press(&mut window, Key::Escape);
    press(&mut window, Key::Escape);
    assert!(!explained(&window, "Rests on"));
}

#[test]
fn f1_explains_the_figure_with_the_keyboard() {
    let mut window = window();
    press(&mut window, Key::F1);
    assert!(explained(&window, "Sum of"), "the total of the placement in focus, where no figure has the keyboard");
}

/// The exact amount of one category of the first placement, as it is shown.
fn category(window: &Window, category: outlay::scenario::Category) -> String {
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let amounts = evaluation.placements[0].by_category[category as usize].amounts;
    outlay::show::Figures::default().exact(amounts.total.minor(), evaluation.currency.minor_digits)
}

/// The text of a cell whose name ends like this.
fn cell(window: &Window, name: &str) -> String {
    let is_it = |label: String| label == name || label.ends_with(&format!(" {name}"));
    let mut cells = window.get_all_by(|node| node.role() == Role::Cell && node.label().is_some_and(is_it));
    cells.next().and_then(|cell| cell.value()).expect("a cell has a text")
}

fn total_shown(window: &Window) -> String {
    cell(window, "postings, Amount")
}

fn click(window: &mut Window, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).click();
    window.run();
}

/// Ticks one value of a dimension in the filter.
fn tick(window: &mut Window, dimension: &str, value: &str) {
    click(window, Role::ComboBox, dimension);
    click(window, Role::CheckBox, &format!("{dimension}: {value}"));
    press(window, Key::Escape);
}

/// What stands in the rows of the ledger that can be seen: their names and their amounts.
fn ledger_rows(window: &Window) -> Vec<(String, String)> {
    let rows = window.query_all_by(|node| node.role() == Role::Row);
    rows.map(|row| (row.accesskit_node().label().unwrap_or_default(), row.value().unwrap_or_default())).collect()
}

/// What goes to the clipboard when Ctrl+C is pressed.
fn copied(window: &mut Window) -> Vec<Vec<String>> {
    window.event(Event::Copy);
    for _ in 0..4 {
        window.step();
        let commands = &window.output().platform_output.commands;
        let text = commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
        if let Some(text) = text {
            return text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect();
        }
    }
    panic!("nothing was copied");
}

fn cents(text: &str) -> i64 {
    let digits: i64 = text.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("an amount");
    if text.starts_with(['(', '-']) { -digits } else { digits }
}

#[test]
fn the_ledger_is_filtered_by_category_and_adds_up() {
    use outlay::scenario::Category;
    let mut window = window();
    command(&mut window, Key::Num4);
    let all = total_shown(&window);
    assert_eq!(all, totals(&window)[0].split_whitespace().last().expect("an amount").to_owned());
    tick(&mut window, "Category", "Power");
    assert_eq!(total_shown(&window), category(&window, Category::Power));
    let rows = ledger_rows(&window);
    assert!(!rows.is_empty() && rows.iter().all(|(name, _)| name.contains("Power")), "{rows:?}");
    tick(&mut window, "Category", "Cooling");
    let both = cents(&category(&window, Category::Power)) + cents(&category(&window, Category::Cooling));
    assert_eq!(cents(&total_shown(&window)), both);
    command(&mut window, Key::F);
    type_text(&mut window, "no such line");
    window.get_by_label_contains("No posting has all of this.");
    click(&mut window, Role::Button, "Clear the filter");
    assert_eq!(total_shown(&window), all);
}

#[test]
fn groups_open_and_close_and_lead_to_their_postings() {
    use outlay::scenario::Category;
    let mut window = window();
    command(&mut window, Key::Num4);
    let all = total_shown(&window);
    click(&mut window, Role::RadioButton, "Show as: Grouped");
    assert_eq!(cell(&window, "Total, Amount"), all);
    let power = category(&window, Category::Power);
    let environment = "Owned cluster, Chicago colocation";
    assert_eq!(cell(&window, &format!("{environment}, Power, Amount")), power);
    click(&mut window, Role::TreeItem, &format!("{environment}, open"));
    assert!(window.query_by_label(&format!("{environment}, Power, Amount")).is_none(), "the group is closed");
    press(&mut window, Key::ArrowRight);
    window
        .get_by(|node| {
            let is_power = |label: String| label.starts_with("Show ") && label.ends_with("Chicago colocation, Power");
            node.role() == Role::Link && node.label().is_some_and(is_power)
        })
        .click();
    window.run();
    assert_eq!(total_shown(&window), power);
}

#[test]
fn a_pivot_foots_and_its_cells_lead_to_their_postings() {
    let mut window = window();
    command(&mut window, Key::Num4);
    let all = total_shown(&window);
    click(&mut window, Role::RadioButton, "Show as: Pivot");
    assert_eq!(cell(&window, "Total, Total"), all);
    let years = ["2027", "2028", "2029", "2030", "2031"];
    let sum = |name: &str| years.iter().map(|year| cents(&cell(&window, &format!("{name}, {year}")))).sum::<i64>();
    assert_eq!(sum("Total"), cents(&all));
    assert_eq!(sum("Power"), cents(&cell(&window, "Power, Total")));
    let table = copied(&mut window);
    assert_eq!(table[0], ["Category", "2027", "2028", "2029", "2030", "2031", "Total"]);
    let last = table.last().expect("a row of totals");
    assert_eq!(cents(&last[6]), cents(&all));
    let one = cell(&window, "Power, 2029");
    click(&mut window, Role::Cell, "Power, 2029");
    assert_eq!(total_shown(&window), one);
    assert!(ledger_rows(&window).iter().all(|(name, _)| name.contains("2029-") && name.contains("Power")));
    click(&mut window, Role::Button, "Clear");
    click(&mut window, Role::RadioButton, "Show as: Pivot");
    click(&mut window, Role::RadioButton, "Measure: Present value");
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("it has figures");
    assert_eq!(
        i128::from(cents(&cell(&window, "Total, Total"))),
        evaluation.placements[0].totals.present_value.minor()
    );
}

#[test]
fn selected_postings_are_added_up_averaged_and_copied() {
    let mut window = window();
    command(&mut window, Key::Num4);
    let rows = ledger_rows(&window);
    let amount = |place: usize| cents(&rows[place].1);
    let click_row = |window: &mut Window, place: usize, modifiers: Modifiers| {
        window.get_all_by_role(Role::Row).nth(place).expect("a row").click_modifiers(modifiers);
        window.run();
    };
    click_row(&mut window, 1, Modifiers::NONE);
    assert_eq!(cents(&cell(&window, "Selected, 1 posting, Amount")), amount(1));
    click_row(&mut window, 3, Modifiers::SHIFT);
    let three = amount(1) + amount(2) + amount(3);
    assert_eq!(cents(&cell(&window, "Selected, 3 postings, Amount")), three);
    click_row(&mut window, 5, Modifiers::COMMAND);
    let four = three + amount(5);
    assert_eq!(cents(&cell(&window, "Selected, 4 postings, Amount")), four);
    let average = cents(&cell(&window, "Average of the selected, Amount"));
    assert!((4 * average - four).abs() <= 2, "{average} is the average of {four}");
    let table = copied(&mut window);
    assert_eq!(table.len(), 5, "a heading and four rows");
    let place = table[0].iter().position(|name| name == "Amount").expect("amounts");
    assert_eq!(table[1..].iter().map(|row| cents(&row[place])).sum::<i64>(), four);
    assert!(table[1][place].parse::<f64>().is_ok(), "an amount is a plain number: {}", table[1][place]);
    press(&mut window, Key::Home);
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    window.run();
    assert_eq!(cents(&cell(&window, "Selected, 2 postings, Amount")), amount(0) + amount(1));
    command(&mut window, Key::A);
    let all = total_shown(&window);
    assert_eq!(cell(&window, "Selected, 974 postings, Amount"), all);
    press(&mut window, Key::Escape);
    window.get_by_label_contains("Nothing selected.");
    assert_eq!(copied(&mut window).len(), 975, "without a selection everything is copied");
}

#[test]
fn a_heading_orders_the_postings_and_gives_their_order_back() {
    let mut window = window();
    command(&mut window, Key::Num4);
    let before = ledger_rows(&window);
    click(&mut window, Role::ColumnHeader, "Amount");
    let amounts = |window: &Window| ledger_rows(window).iter().map(|row| cents(&row.1)).collect::<Vec<i64>>();
    assert!(amounts(&window).is_sorted());
    click(&mut window, Role::ColumnHeader, "Amount");
    assert!(amounts(&window).is_sorted_by(|a, b| b <= a));
    click(&mut window, Role::ColumnHeader, "Amount");
    assert_eq!(ledger_rows(&window), before);
}

/// What a panel that explains a figure leads to.
#[test]
fn the_ledger_opens_on_given_postings_of_one_placement_or_of_all() {
    use outlay::analysis::postings::{Dimension, Filter};
    let mut window = window();
    let filter = Filter::default().or(Dimension::Placement, "cloud").or(Dimension::Category, "Network");
    window.state_mut().show_postings(filter);
    window.run();
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("it has figures");
    let of = |place: usize| evaluation.placements[place].by_category[2].amounts.total.minor();
    assert_eq!(i128::from(cents(&total_shown(&window))), of(2));
    let chosen = window.get_by_role_and_label(Role::ComboBox, "Placement").value();
    assert_eq!(chosen.as_deref(), Some("C All in the cloud"));
    window.state_mut().show_postings(Filter::default().or(Dimension::Category, "Network"));
    window.run();
    assert_eq!(i128::from(cents(&total_shown(&window))), (0..6).map(of).sum::<i128>());
    // An edit elsewhere leaves the question as it is.
    command(&mut window, Key::Num3);
    change_price(&mut window, "1");
    command(&mut window, Key::Num4);
    assert_eq!(window.get_by_role_and_label(Role::ComboBox, "Category").value().as_deref(), Some("Network"));
}

#[test]
fn an_explanation_opens_its_postings_in_the_ledger() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    assert!(press_figure(&mut window, "Power"));
    let link = window
        .get_by(|node| node.role() == Role::Link && node.label().is_some_and(|label| label.starts_with("Open ")))
        .accesskit_node()
        .label()
        .expect("the link has a name");
    window.get_by_label(&link).click();
    window.run();
    let count = link.trim_start_matches("Open ").trim_end_matches(" in ledger").to_owned();
    let wanted = format!("{count} postings");
    assert!(window.query_all_by_label_contains(&wanted).next().is_some(), "the ledger shows the {count} postings");
}

#[test]
fn figures_of_the_cards_and_differences_explain_themselves() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    window.get_by_label("Explain the present value of B").click();
    window.run();
    assert!(explained(&window, "Sum of") && explained(&window, "Rests on"));
    let difference = |label: String| label.starts_with("Power, Δ ");
    window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(difference)).click();
    window.run();
    assert!(explained(&window, "Difference of"));
    let part = |label: String| label.starts_with("Explain less A ");
    window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(part)).click();
    window.run();
    assert!(explained(&window, "In words"), "each side is explained in turn");
    window.get_by_label("Back to the figure before").click();
    window.run();
    assert!(explained(&window, "Difference of"));
}

#[test]
fn another_scenario_is_never_explained_by_the_one_before() {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    assert!(press_figure(&mut window, "Hardware"));
    assert!(explained(&window, "Rests on"));
    command(&mut window, Key::O);
    type_text(&mut window, concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/university-cluster.ron"));
    press(&mut window, Key::Enter);
    assert!(window.state().path().is_some_and(|path| path.ends_with("university-cluster.ron")));
    assert!(!explained(&window, "Rests on"), "the explanation belonged to the other scenario");
}

#[test]
fn a_line_of_every_kind_leads_to_an_input_behind_it_in_two_clicks() {
    use outlay::analysis::explain::{Explainer, Measure, Selection, Subject};
    let mut seen = std::collections::BTreeSet::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/cases")
        .expect("the stored cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.display().to_string().ends_with(".scenario.json"))
        .collect();
    files.sort();
    for file in files {
        let mut window = window_on(Some(file.clone()));
        for place in 0..window.state().scenario().placements.len() {
            let explainer = Explainer::new(window.state().scenario(), place).expect("a placement");
            let ledger = &explainer.result().ledger;
            let posting: std::collections::BTreeSet<u32> = ledger.postings.iter().map(|posting| posting.line).collect();
            for line in posting {
                let of = &ledger.lines[line as usize];
                if !seen.insert(of.rule.id) {
                    continue;
                }
                let selection = Selection { place: Some(line as usize), ..Selection::default() };
                let subject = Subject::Postings(selection, Measure::Total);
                let rests_on = explainer.explain(&subject).expect("postings can be explained").rests_on;
                let input = rests_on.first().expect("a line rests on inputs").input.full_label();
                command(&mut window, Key::Num1);
                let letter = char::from(b'A' + u8::try_from(place).expect("a handful of placements"));
                let cell = format!("{}, {letter} {}", of.category.label(), explainer.result().name);
                window.get_by_role_and_label(Role::Button, &cell).click_accesskit();
                window.run();
                let link = format!("Go to {input}");
                let found = window.query_all_by_label(&link).next();
                found
                    .unwrap_or_else(|| panic!("{}: {cell} does not lead to {input}", file.display()))
                    .click_accesskit();
                window.run();
                assert!(window.query_all_by_label(&input).next().is_some(), "{input} is not where the link leads");
            }
        }
    }
    assert!(seen.len() >= 35, "only {} kinds of lines: {seen:?}", seen.len());
}

#[test]
fn one_of_several_postings_of_a_month_is_explained_alone() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    command(&mut window, Key::Num4);
    // Six batches bring in their residual values in the last month.
    let amount = "(441,750.00)";
    window
        .get_by(|node| {
            node.role() == Role::Row
                && node.label().is_some_and(|label| label.contains("Residual value of nodes"))
                && node.value().is_some_and(|value| value == amount)
        })
        .click();
    window.run();
    press(&mut window, Key::F1);
    assert!(explained(&window, "In words"));
    // The figure of the panel is that of the posting, not of the six of its line.
    assert!(window.query_all_by_label(amount).next().is_some());
    assert!(window.query_all_by_label("(3,786,730.11)").next().is_none(), "what the line posts in all");
}
