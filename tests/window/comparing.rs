//! A second scenario beside the first: what differs, what each difference moves, and taking one over.

use crate::support::*;

/// A copy of the example with another discount rate and a lower node price.
fn other(folder: &Path) -> PathBuf {
    let path = folder.join("other.ron");
    let mut window = window_on(Some("scenarios/guide-example.ron".into()));
    change_price(&mut window, "123,456");
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    type_text(&mut window, "11");
    press(&mut window, Key::Enter);
    save_as(&mut window, &path);
    assert!(path.exists());
    path
}

fn comparing(path: &Path) -> Window {
    let mut window = window_on(Some("scenarios/guide-example.ron".into()));
    window.get_by_label("File").click();
    window.run();
    window.get_by_label("Compare with file…").click();
    window.run();
    type_text(&mut window, &path.display().to_string());
    window.key_press(Key::Enter);
    wait_for(&mut window, |window| window.query_by_label("Copy differences").is_some());
    window.run();
    window
}

fn money(text: &str) -> i128 {
    let sign = if text.starts_with('(') { -1 } else { 1 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    sign * digits.parse::<i128>().unwrap_or(0)
}

#[test]
fn what_differs_is_listed_with_both_values_and_the_sums_foot() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let window = comparing(&other(folder.path()));
    window.get_by_label("2 differences");
    assert_eq!(cell(&window, "Discount rate, in the other"), "0.11");
    assert_eq!(cell(&window, "Node price · Owned nodes, in the other"), "123,456");
    let moved = ["Discount rate, moves A", "Node price · Owned nodes, moves A"].map(|name| money(&cell(&window, name)));
    assert!(moved.iter().all(|moved| *moved < 0), "{moved:?}");
    let sums =
        ["Sum of what each moves alone A", "What they do together beyond that A", "The other less this scenario A"];
    let [alone, together, total] = sums.map(|name| money(&cell(&window, name)));
    // Shown in whole units, each of the three is rounded by itself.
    assert!((alone + together - total).abs() <= 1 && (moved.iter().sum::<i128>() - alone).abs() <= 1);
    assert!(total < 0);
}

#[test]
fn a_difference_is_taken_over_as_one_step_and_leaves_the_list() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut window = comparing(&other(folder.path()));
    let before = totals(&window);
    window.get_by_label("Take over Node price · Owned nodes").click();
    wait_for(&mut window, |window| window.query_by_label("1 difference").is_some());
    window.run();
    assert_ne!(totals(&window), before);
    assert!(window.state().unsaved());
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), before);
}

#[test]
fn a_scenario_compared_with_itself_differs_in_nothing() {
    let (_folder, path) = folder();
    let window = comparing(&path);
    window.get_by_label("Nothing differs");
    window.get_by_label("Both say the same: no input, field or element differs.");
}

/// Someone else saves the file that is open; coming back to the window is enough to hear of it.
#[test]
fn a_file_changed_on_disk_is_noticed_when_the_window_is_returned_to() {
    let (folder, path) = folder();
    let theirs = std::fs::read_to_string(other(folder.path())).expect("the other file is there");
    let mut window = window_on(Some(path.clone()));
    std::fs::write(&path, &theirs).expect("a file can be written");
    assert!(window.query_by_label("Keep mine, file changed on disk").is_none());
    leave_and_return(&mut window);
    window.get_by_label("Compare, file changed on disk").click();
    wait_for(&mut window, |window| window.query_by_label("2 differences").is_some());
    window.run();
    click(&mut window, Role::Link, "Keep mine, file changed on disk");
    assert!(window.query_by_label("Keep mine, file changed on disk").is_none());
    // What was decided about one change says nothing about the next.
    std::fs::write(&path, theirs + "\n").expect("a file can be written");
    leave_and_return(&mut window);
    click(&mut window, Role::Link, "Reload, file changed on disk");
    assert!(window.query_by_label("Reload, file changed on disk").is_none());
}

fn leave_and_return(window: &mut Window) {
    window.input_mut().focused = false;
    window.run();
    window.input_mut().focused = true;
    wait_for(window, |window| window.query_by_label("Keep mine, file changed on disk").is_some());
    window.run();
}

#[test]
fn what_someone_else_has_changed_is_shown_before_it_is_overwritten() {
    let (folder, path) = folder();
    let theirs = std::fs::read(other(folder.path())).expect("the other file is there");
    let mut window = window_on(Some(path.clone()));
    change_price(&mut window, "222,222");
    std::fs::write(&path, theirs).expect("a file can be written");
    command(&mut window, Key::S);
    window.get_by_label("The file was changed by someone else");
    window.get_by_label("At 1 place both have changed the same.");
    window.get_by_label_contains("123,456, range");
    window.get_by_label_contains("222,222, range");
    window.get_by_label("Discount rate");
}
