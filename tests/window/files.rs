//! Files opened, saved, dropped and refused; leaving with unsaved work.

use crate::support::*;

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
    window.get_by_label_contains("There is no file ");
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
fn an_empty_scenario_begins_with_what_is_asked_and_says_what_to_do_next() {
    let mut window = window();
    command(&mut window, Key::N);
    type_text(&mut window, "North campus");
    focus(&mut window, "Horizon");
    command(&mut window, Key::A);
    type_text(&mut window, "x");
    click(&mut window, Role::Button, "Begin");
    window.get_by_label("The horizon is a whole number of months.");
    focus(&mut window, "Horizon");
    command(&mut window, Key::A);
    type_text(&mut window, "36");
    click(&mut window, Role::Button, "Begin");
    assert_eq!(window.state().scenario().name, "North campus");
    assert_eq!(window.state().scenario().horizon_months, 36);
    for page in ["Go to Compare", "Go to Sensitivity", "Go to Ledger"] {
        command(&mut window, Key::K);
        type_text(&mut window, page);
        press(&mut window, Key::Enter);
        window.get_by_label_contains("Nothing is placed yet");
    }
    window.get_by_role_and_label(Role::Button, "Go to Workloads").click();
    window.run();
    window.get_by(|node| node.role() == Role::Tab && node.label().as_deref() == Some("Workloads"));
}

/// What is saved is what the ending says, and an ending that says nothing here is told, not added to.
#[test]
fn an_ending_that_no_file_is_written_in_is_told() {
    let (folder, path) = folder();
    let mut window = window_on(Some(path));
    give(&mut window, "Save chart: Hours ladder");
    let typed = folder.path().join("chart.pdf");
    type_text(&mut window, &typed.display().to_string());
    press(&mut window, Key::Enter);
    assert!(window.query_by_label("Nothing is written as .pdf here. End the name in .svg, .png or .csv.").is_some());
    let files = || std::fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(files(), 1, "nothing but the scenario");
    focus(&mut window, "Path");
    command(&mut window, Key::A);
    let typed = folder.path().join("chart of v1.2");
    type_text(&mut window, &typed.display().to_string());
    press(&mut window, Key::Enter);
    assert!(folder.path().join("chart of v1.2.svg").exists(), "a name without an ending gets the first");
}

/// Amounts keep their numbers under another currency, and that is said before anything else is done.
#[test]
fn another_currency_says_that_nothing_was_converted() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    let before = window.state().scenario().clone();
    page(&mut window, "Scenario");
    focus(&mut window, "Currency");
    command(&mut window, Key::A);
    type_text(&mut window, "EUR");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().scenario().currency, "EUR");
    assert!(window.query_by_label("Nothing was converted from USD to EUR").is_some(), "{:?}", read(&window));
    click(&mut window, Role::Button, "Undo the change");
    assert_eq!(window.state().scenario(), &before);
}
