//! The list of commands behind menus, keys and the palette: what is found by its name, and given.

use crate::support::*;

/// The lines of the palette, best first.
fn lines(window: &Window) -> Vec<String> {
    let lines = window.get_all_by(|node| node.role() == Role::ListBoxOption);
    lines.filter_map(|line| line.accesskit_node().label()).collect()
}

fn selected(window: &Window, label: &str) -> bool {
    window.get_by_role_and_label(Role::Tab, label).accesskit_node().toggled() == Some(egui::accesskit::Toggled::True)
}

#[test]
fn a_command_is_found_by_words_of_its_name_and_given_by_enter() {
    let mut window = window();
    give(&mut window, "ledg go");
    assert!(selected(&window, "Ledger"));
    assert!(window.query_by_role_and_label(Role::TextInput, "Command").is_none(), "the palette is closed");
}

#[test]
fn the_palette_opens_from_the_menu_bar_and_closes_by_esc() {
    let mut window = window();
    window.get_by_role_and_label(Role::Button, "Commands").click();
    window.run();
    assert!(window.get_by_role_and_label(Role::TextInput, "Command").is_focused());
    press(&mut window, Key::Escape);
    assert!(window.query_by_role_and_label(Role::TextInput, "Command").is_none());
}

#[test]
fn the_arrows_move_along_what_was_found_while_words_are_typed() {
    let mut window = window();
    command(&mut window, Key::K);
    type_text(&mut window, "reference:");
    let found = lines(&window);
    assert!(found.iter().all(|line| line.starts_with("Reference: ")) && 2 < found.len(), "{found:?}");
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::ArrowUp);
    press(&mut window, Key::Enter);
    let second = found[1].trim_start_matches("Reference: ");
    window.get_by_label_contains(&format!("{second}, reference"));
}

/// Every command that stands in a menu is in the palette: the two are one list.
#[test]
fn what_stands_in_a_menu_is_found_in_the_palette() {
    let mut window = window();
    for (menu, name) in [
        ("File", "Save as…"),
        ("File", "Example: University cluster"),
        ("View", "Theme: Dark"),
        ("View", "Amounts in: Thousands"),
        ("Edit", "Find postings"),
        ("Analyse", "Reference: B Rent bare-metal nodes"),
        ("Help", "Go to Published cases"),
    ] {
        window.get_by_label(menu).click();
        window.run();
        press(&mut window, Key::Escape);
        command(&mut window, Key::K);
        type_text(&mut window, name);
        let found = lines(&window);
        assert!(found.first().is_some_and(|line| line.starts_with(name)), "{name}: {found:?}");
        press(&mut window, Key::Escape);
    }
}

#[test]
fn an_input_is_gone_to_by_its_name() {
    let mut window = window();
    give(&mut window, "edit discount rate");
    assert!(selected(&window, "Scenario"));
    window.get_by_role_and_label(Role::TextInput, "Discount rate");
}

#[test]
fn letters_that_begin_the_words_find_a_command_as_well() {
    let mut window = window();
    command(&mut window, Key::K);
    type_text(&mut window, "gtse");
    assert_eq!(lines(&window).first().map(String::as_str), Some("Go to Sensitivity"));
}

#[test]
fn what_is_not_there_is_said_and_enter_does_nothing() {
    let mut window = window();
    command(&mut window, Key::K);
    type_text(&mut window, "zebra");
    window.get_by_label("No command has these words in its name.");
    press(&mut window, Key::Enter);
    window.get_by_role_and_label(Role::TextInput, "Command");
}

/// What cannot be given stands at the end and is not given.
#[test]
fn undo_is_in_the_palette_and_can_be_given_where_there_is_something_to_undo() {
    let mut window = window();
    give(&mut window, "undo");
    window.get_by_role_and_label(Role::TextInput, "Command");
    press(&mut window, Key::Escape);
    change_price(&mut window, "123,456");
    assert!(window.state().unsaved());
    give(&mut window, "undo");
    assert!(!window.state().unsaved());
}

#[test]
fn opening_the_palette_commits_what_is_being_typed() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "222,222");
    give(&mut window, "go to compare");
    assert!(selected(&window, "Compare") && window.state().unsaved());
}

/// Every key of the list of keys gives one command, whichever page is open.
#[test]
fn no_two_commands_share_their_keys() {
    let mut window = window();
    for page in [Key::Num1, Key::Num2, Key::Num6, Key::Num9] {
        command_step(&mut window, page);
        window.key_press_modifiers(Modifiers::SHIFT, Key::F1);
        window.step();
        window.step();
        let is_keys = |label: &str| label.starts_with("Ctrl+") || label.starts_with("Shift+") || label == "F1";
        let labels = window.get_all_by(|node| node.role() == Role::Label);
        let keys: Vec<String> = labels.filter_map(|node| node.value().or(node.accesskit_node().label())).collect();
        let mut keys: Vec<&str> = keys.iter().flat_map(|keys| keys.split(", ")).filter(|keys| is_keys(keys)).collect();
        let all = keys.len();
        assert!(10 < all, "{keys:?}");
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all, "{keys:?}");
        window.key_press(Key::Escape);
        window.step();
        window.step();
    }
}
