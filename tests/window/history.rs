//! The history: what was done and when, going back to it, and keeping it.

use crate::support::*;

fn steps(window: &Window) -> Vec<String> {
    let rows = window.get_all_by(|node| node.role() == Role::ListItem);
    rows.filter_map(|row| row.accesskit_node().label()).collect()
}

/// A window with three prices, one after the other, and its history open.
fn three_prices() -> Window {
    let mut window = window();
    for price in ["111,111", "222,222", "333,333"] {
        change_price(&mut window, price);
    }
    choose(&mut window, "Edit", "History");
    window
}

#[test]
fn every_step_is_listed_and_pressing_one_goes_there() {
    let mut window = three_prices();
    let listed = steps(&window);
    assert_eq!(listed.len(), 4);
    assert_eq!(listed[0], "Began with Regional AI platform, saved");
    assert!(listed[3].starts_with("Now: Node price") && listed[3].contains("222,222 → 333,333"), "{listed:?}");
    let last = totals(&window);
    let first = listed[1].clone();
    click(&mut window, Role::ListItem, &first);
    let back = steps(&window);
    assert!(back[1].starts_with("Now: ") && back[2].starts_with("Undone: ") && back[3].starts_with("Undone: "));
    assert_ne!(totals(&window), last);
    click(&mut window, Role::ListItem, &back[3]);
    assert_eq!(totals(&window), last);
}

#[test]
fn a_new_step_takes_the_place_of_those_that_were_undone() {
    let mut window = three_prices();
    let first = steps(&window)[1].clone();
    click(&mut window, Role::ListItem, &first);
    change_price(&mut window, "444,444");
    let listed = steps(&window);
    assert_eq!(listed.len(), 3);
    assert!(listed[2].contains("111,111 → 444,444"), "{listed:?}");
}

#[test]
fn the_log_is_copied_and_saved_as_what_its_name_says() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let mut window = three_prices();
    window.get_by_label("Copy history").click();
    let text = copied(&mut window);
    assert_eq!(text.lines().count(), 2 + 4, "{text}");
    assert!(text.contains("222,222 → 333,333") && text.trim_end().ends_with("(now)"), "{text}");
    for (name, begins) in [("log.csv", "time,step,state,saved\r\n"), ("log.md", "# "), ("log.txt", "Regional")] {
        let path = folder.path().join(name);
        window.get_by_label("Save history").click();
        window.run();
        type_text(&mut window, &path.display().to_string());
        press(&mut window, Key::Enter);
        let log = std::fs::read_to_string(&path).expect("the log was written");
        assert!(log.starts_with(begins) && log.contains("222,222 → 333,333"), "{name}: {log}");
    }
    // A file that is there is not replaced without a question.
    let path = folder.path().join("log.md");
    std::fs::write(&path, "mine").expect("a file can be written");
    window.get_by_label("Save history").click();
    window.run();
    type_text(&mut window, &path.display().to_string());
    press(&mut window, Key::Enter);
    window.get_by_label("Replace the file?");
    click(&mut window, Role::Button, "Cancel");
    assert_eq!(std::fs::read_to_string(&path).expect("it is still there"), "mine");
}
