//! The register of evidence: what it lists, in which order, and what is done in it.

use crate::support::*;
use outlay::input::{EvidenceKind, Input};

/// The rows in sight, each with what it says of its evidence.
fn rows(window: &Window) -> Vec<(String, String)> {
    let rows = window.get_all_by(|node| node.role() == Role::Row);
    rows.map(|row| (row.accesskit_node().label().unwrap_or_default(), row.value().unwrap_or_default())).collect()
}

fn row_modified(window: &mut Window, label: &str, modifiers: Modifiers) {
    // The name of the input takes no click itself; the middle of a row may be a cell.
    window.get_by_role_and_label(Role::Label, label).click_modifiers(modifiers);
    window.run();
}

fn row(window: &mut Window, label: &str) {
    row_modified(window, label, Modifiers::NONE);
}

fn input(window: &Window, path: &str) -> Input {
    window.state().scenario().input(path).expect("the scenario has this input").input
}

/// The guide's example in a file, with this in place of its discount rate.
fn with_rate(rate: &str) -> (tempfile::TempDir, Window) {
    let (folder, path) = folder();
    let text = std::fs::read_to_string(&path).expect("the copy is there");
    let begins = text.find("        rate: (").expect("the example discounts");
    let closes = "\n        ),\n";
    let ends = begins + text[begins..].find(closes).expect("the rate is a record") + closes.len();
    let text = format!("{}        rate: {rate},\n{}", &text[..begins], &text[ends..]);
    std::fs::write(&path, text).expect("the copy can be written");
    let window = window_on(Some(path));
    assert!(window.state().path().is_some(), "the changed file is opened");
    (folder, window)
}

/// Waits until the swings are known that the register is sorted by.
fn sorted(window: &mut Window) {
    wait_for(window, |window| window.query_by_label_contains(", from low to high").is_some());
    window.run();
}

const OVERDUE: &str = r#"(value: "0.08", low: "0.05", high: "0.12", distribution: Normal, evidence:
    (kind: Quoted, source: "treasury", owner: "Finance", review_by: Some("2020-01-31")))"#;

#[test]
fn a_review_date_that_has_passed_is_counted_at_the_left_and_listed_by_its_filter() {
    let (_folder, mut window) = with_rate(OVERDUE);
    let tab = |window: &Window| window.get_by_role_and_label(Role::Tab, "Evidence").value();
    assert_eq!(tab(&window).as_deref(), Some("1 review date has passed"));
    page(&mut window, "Evidence");
    click(&mut window, Role::RadioButton, "Overdue 1");
    let listed = rows(&window);
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].0, "Discount rate");
    assert!(listed[0].1.contains("review by 2020-01-31"), "{listed:?}");
    click(&mut window, Role::Button, "Discount rate, evidence: Quoted: treasury");
    window.get_by_role_and_label(Role::Figure, "Normal between 5 low, 8 value, 12 high");
    window.get_by_role_and_label(Role::TextInput, "Review by").focus();
    window.run();
    command(&mut window, Key::A);
    type_text(&mut window, "2999-12-31");
    click(&mut window, Role::Button, "Done");
    assert_eq!(tab(&window), None);
    window.get_by_role_and_label(Role::RadioButton, "Overdue 0");
}

#[test]
fn what_nobody_has_entered_is_no_gap_but_can_be_found() {
    let (_folder, mut window) = with_rate("\"0.08\"");
    page(&mut window, "Evidence");
    let defaults = window.get_by(|node| {
        node.role() == Role::RadioButton && node.label().is_some_and(|label| label.starts_with("Defaults "))
    });
    defaults.click();
    window.run();
    let default = rows(&window)[0].0.clone();
    assert!(rows(&window).iter().all(|(_, said)| said.starts_with("default")));
    let all = window
        .get_by(|node| node.role() == Role::RadioButton && node.label().is_some_and(|label| label.starts_with("All ")));
    all.click();
    window.run();
    assert!(window.query_by_role_and_label(Role::Row, &default).is_none());
    find(&mut window, default.split(" · ").next().expect("a label has words"));
    window.get_by_role_and_label(Role::Row, &default);
}

#[test]
fn a_date_that_does_not_exist_is_refused_and_the_input_stays_open() {
    let (_folder, mut window) = with_rate(OVERDUE);
    page(&mut window, "Evidence");
    click(&mut window, Role::RadioButton, "Overdue 1");
    click(&mut window, Role::Button, "Discount rate, evidence: Quoted: treasury");
    window.get_by_role_and_label(Role::TextInput, "As of").focus();
    window.run();
    type_text(&mut window, "2026-02-30");
    click(&mut window, Role::Button, "Done");
    window.get_by_label_contains("“2026-02-30” is not a date");
    assert!(!window.state().unsaved());
    press(&mut window, Key::Escape);
    assert!(window.query_by_label_contains("is not a date").is_none());
    assert!(!window.state().unsaved());
}

/// Saving, or going elsewhere, keeps what was written into an opened input, as it does with what is typed into a cell.
#[test]
fn what_is_written_into_an_opened_input_is_kept_before_anything_else_is_done() {
    let (_folder, mut window) = with_rate(OVERDUE);
    page(&mut window, "Evidence");
    click(&mut window, Role::RadioButton, "Overdue 1");
    click(&mut window, Role::Button, "Discount rate, evidence: Quoted: treasury");
    click(&mut window, Role::RadioButton, "Kind of evidence: Measured");
    assert!(!window.state().unsaved(), "it is a draft until the panel is left");
    command(&mut window, Key::S);
    assert!(!window.state().unsaved());
    assert_eq!(input(&window, "discounting.rate").evidence_kind(), EvidenceKind::Measured);
    command(&mut window, Key::Z);
    assert_eq!(input(&window, "discounting.rate").evidence_kind(), EvidenceKind::Quoted);
}

#[test]
fn the_cursor_moves_by_arrows_enter_opens_in_place_and_typing_edits_the_value() {
    let (_folder, mut window) = with_rate(OVERDUE);
    find(&mut window, "supply.node");
    sorted(&mut window);
    let labels: Vec<String> = rows(&window).into_iter().map(|(label, _)| label).collect();
    assert!(3 <= labels.len());
    row(&mut window, &labels[0]);
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    let low = format!("Low of {}", labels[1]);
    let is_focused = window.get_by_role_and_label(Role::TextInput, &low).is_focused();
    assert!(is_focused, "the keyboard goes into what was opened");
    press(&mut window, Key::Escape);
    assert!(window.query_by_label("Done").is_none());
    let before = value(&window, &labels[0]);
    press(&mut window, Key::ArrowUp);
    type_text(&mut window, "7");
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, &labels[0]), "7");
    command(&mut window, Key::Z);
    assert_eq!(value(&window, &labels[0]), before);
}

#[test]
fn several_inputs_are_given_an_owner_and_a_date_in_one_step() {
    let (_folder, mut window) = with_rate("\"0.08\"");
    find(&mut window, "supply.node");
    sorted(&mut window);
    let labels: Vec<String> = rows(&window).into_iter().map(|(label, _)| label).collect();
    row(&mut window, &labels[0]);
    row_modified(&mut window, &labels[2], Modifiers::SHIFT);
    window.get_by_label("3 selected");
    window.get_by_role_and_label(Role::TextInput, "Owner of all selected").focus();
    window.run();
    type_text(&mut window, "Procurement");
    window.get_by_role_and_label(Role::TextInput, "Review by, of all selected").focus();
    window.run();
    type_text(&mut window, "2027-13-01");
    click(&mut window, Role::Button, "Set for all selected");
    window.get_by_label_contains("is not a date");
    assert!(!window.state().unsaved());
    window.get_by_role_and_label(Role::TextInput, "Review by, of all selected").focus();
    window.run();
    command(&mut window, Key::A);
    type_text(&mut window, "2999-06-30");
    click(&mut window, Role::Button, "Set for all selected");
    let owned = |window: &Window| {
        let said = rows(window).into_iter().filter(|(_, said)| said.contains("owner Procurement"));
        said.filter(|(_, said)| said.contains("review by 2999-06-30")).map(|(label, _)| label).collect::<Vec<_>>()
    };
    assert_eq!(owned(&window), labels[..3]);
    window.get_by_label_contains("Evidence of 3 inputs: owner Procurement, review by 2999-06-30");
    command(&mut window, Key::Z);
    assert!(owned(&window).is_empty());
    assert!(!window.state().unsaved());
}

#[test]
fn swings_come_from_the_tornado_and_sort_the_register() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    window.get_by_role_and_label(Role::Tab, "Evidence").click();
    sorted(&mut window);
    let swing = |said: &str| {
        let (_, swing) = said.rsplit_once("swing ").expect("a row says its swing");
        swing.chars().filter(char::is_ascii_digit).collect::<String>().parse::<u64>().unwrap_or(0)
    };
    // Of a group the swing stands once, beside the first of its inputs.
    let (together, alone): (Vec<_>, Vec<_>) = rows(&window).into_iter().partition(|(_, said)| said.ends_with("as one"));
    assert!(!together.is_empty());
    let swings: Vec<u64> = alone.iter().map(|(_, said)| swing(said)).collect();
    assert!(swings.is_sorted_by(|a, b| a >= b), "{swings:?}");
    assert!(0 < swings[0]);
    // The longest bar of the tornado is the first row.
    let first = rows(&window)[0].0.clone();
    page(&mut window, "Sensitivity");
    let bar = window.get_all_by(|node| node.label().is_some_and(|label| label.contains(", swing ")));
    let bars: Vec<String> = bar.filter_map(|bar| bar.accesskit_node().label()).collect();
    let name = first.split(" · ").next().expect("a label has a name");
    assert!(bars[0].starts_with(name), "{first}: {bars:?}");
}

#[test]
fn the_register_is_copied_with_paths_and_open_gaps() {
    let (_folder, mut window) = with_rate(OVERDUE);
    page(&mut window, "Evidence");
    click(&mut window, Role::RadioButton, "Overdue 1");
    row(&mut window, "Discount rate");
    let lines = copied_cells(&mut window);
    assert_eq!(lines.len(), 2);
    let of = |heading: &str| lines[1][lines[0].iter().position(|of| of == heading).expect("a heading")].as_str();
    assert_eq!((of("Path"), of("Value"), of("Owner")), ("discounting.rate", "0.08", "Finance"));
    assert_eq!((of("Open"), of("Distribution")), ("Overdue", "Normal"));
}

#[test]
fn the_register_is_exported_to_a_file() {
    let (folder, mut window) = with_rate(OVERDUE);
    page(&mut window, "Evidence");
    click(&mut window, Role::RadioButton, "Overdue 1");
    click(&mut window, Role::Button, "Export register");
    let path = folder.path().join("open items");
    type_text(&mut window, &path.display().to_string());
    press(&mut window, Key::Enter);
    let text = std::fs::read_to_string(path.with_extension("csv")).expect("the register was written");
    assert!(text.starts_with("Path,Input,Where,Kind,"), "{text}");
    assert!(text.contains("discounting.rate,Discount rate,Scenario,Quoted,0.08,"), "{text}");
    assert_eq!(text.lines().count(), 2);
    window.get_by_label_contains("Exported the register to ");
}

/// Evidence speaks of the value that it was found with.
#[test]
fn a_changed_value_no_longer_cites_the_source_of_the_old_one() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    let input = |window: &Window| {
        let path = "environments.owned.supply.node.price";
        outlay::scenario::Scenario::input(window.state().scenario(), path)
            .expect("the guide has a node price")
            .input
            .clone()
    };
    let found = input(&window).evidence().cloned().expect("the price has evidence");
    assert_eq!(found.kind, outlay::input::EvidenceKind::Published);
    change_price(&mut window, "300,000");
    let now = input(&window).evidence().cloned().expect("the price has evidence");
    assert_eq!(now.kind, outlay::input::EvidenceKind::Assumed);
    assert_eq!(now.source, format!("was 310000, published: {}", found.source));
    assert_eq!((now.owner, now.confidence, now.as_of), (found.owner.clone(), None, None));
    change_price(&mut window, "310,000");
    assert_eq!(input(&window).evidence(), Some(&found), "a slip leaves no trace");
}
