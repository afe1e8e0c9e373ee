//! Levers and cases: values that are tried over a base which stays as it is.

use crate::support::*;

const PRICE: &str = "Node price · Owned nodes";

fn guide() -> Window {
    window_on(Some(PathBuf::from("scenarios/guide-example.ron")))
}

fn with_levers() -> Window {
    let mut window = guide();
    press(&mut window, Key::F6);
    window
}

fn lever(window: &Window) -> String {
    window.get_by_role_and_label(Role::Slider, PRICE).value().unwrap_or_default()
}

fn focus_lever(window: &mut Window) {
    window.get_by_role_and_label(Role::Slider, PRICE).focus();
    window.run();
}

fn type_value(window: &mut Window, label: &str, typed: &str) {
    focus(window, &format!("{label}, lever value"));
    type_text(window, typed);
    press(window, Key::Enter);
}

/// Chooses an entry of a list that opens at a button, by keyboard: what is out of sight comes into view.
fn choose_more(window: &mut Window, button: &str, entry: &str) {
    window.get_by_role_and_label(Role::Button, button).focus();
    window.run();
    press(window, Key::Enter);
    click(window, Role::Button, entry);
}

fn case_shown(window: &Window) -> String {
    window.get_by_role_and_label(Role::ComboBox, "Case").value().unwrap_or_default()
}

fn pointer(window: &mut Window, at: egui::Pos2, pressed: Option<bool>) {
    window.event(Event::PointerMoved(at));
    if let Some(pressed) = pressed {
        let (button, modifiers) = (egui::PointerButton::Primary, Modifiers::NONE);
        window.event(Event::PointerButton { pos: at, button, pressed, modifiers });
    }
    window.run();
}

fn keep_as(window: &mut Window, name: &str) {
    click(window, Role::Button, "Keep as case");
    type_text(window, name);
    click(window, Role::Button, "Keep");
}

#[test]
fn a_lever_steps_with_the_arrows_and_undo_takes_each_step_back() {
    let mut window = with_levers();
    let before = totals(&window);
    let stood = lever(&window);
    focus_lever(&mut window);
    press(&mut window, Key::ArrowRight);
    let once = (totals(&window), lever(&window));
    assert_ne!(once.0, before);
    press(&mut window, Key::ArrowRight);
    assert_ne!(totals(&window), once.0);
    command(&mut window, Key::Z);
    assert_eq!((totals(&window), lever(&window)), once);
    command(&mut window, Key::Z);
    assert_eq!((totals(&window), lever(&window)), (before, stood));
    assert!(!window.state().unsaved());
}

#[test]
fn a_step_ends_at_a_round_number_or_at_an_end_of_the_range() {
    let mut window = with_levers();
    let base = window.state().scenario().environments[0].clone();
    focus_lever(&mut window);
    for (key, expected) in [(Key::Home, "low"), (Key::End, "high")] {
        press(&mut window, key);
        let shown = lever(&window);
        let value = shown.split(", ").next().unwrap_or_default().to_owned();
        window.get_by_label_contains(&format!("→ {value}"));
        let range =
            outlay::scenario::Scenario::input(window.state().scenario(), "environments.owned.supply.node.price")
                .expect("the guide has a node price")
                .input
                .range()
                .expect("and its range");
        let end = if expected == "low" { range.low } else { range.high };
        assert_eq!(value.replace(',', ""), end.to_string(), "{expected}");
    }
    press(&mut window, Key::ArrowLeft);
    let value = lever(&window).split(", ").next().unwrap_or_default().replace(',', "");
    assert!(value.ends_with("000") && !value.contains('.'), "{value} is no round number");
    assert!(window.state().scenario().environments[0] == base, "the base stays as it is");
}

#[test]
fn figures_follow_a_drag_which_is_one_step_of_the_history() {
    let mut window = with_levers();
    let before = totals(&window);
    let place = window.get_by_role_and_label(Role::Slider, PRICE).rect();
    let at = |part: f32| egui::pos2(place.min.x + place.width() * part, place.center().y);
    pointer(&mut window, at(0.5), Some(true));
    pointer(&mut window, at(0.7), None);
    let during = totals(&window);
    assert_ne!(during, before, "figures follow while the lever is held");
    pointer(&mut window, at(0.9), None);
    let end = totals(&window);
    assert_ne!(end, during);
    pointer(&mut window, at(0.9), Some(false));
    assert_eq!(totals(&window), end);
    window.get_by_label_contains("Node price · Owned nodes 3");
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), before, "one step took the whole drag back");
    assert!(window.query_by_role_and_label(Role::Button, "Reset Node price · Owned nodes").is_none());
}

#[test]
fn a_typed_value_is_exact_and_may_lie_outside_the_scale() {
    let mut window = with_levers();
    focus_lever(&mut window);
    press(&mut window, Key::Enter);
    type_text(&mut window, "=2*300k+0.25");
    press(&mut window, Key::Enter);
    assert!(lever(&window).starts_with("600,000.25, base "), "{}", lever(&window));
    focus_lever(&mut window);
    press(&mut window, Key::ArrowLeft);
    press(&mut window, Key::End);
    assert!(lever(&window).starts_with("600,000.25,"), "the scale has been widened: {}", lever(&window));
    click(&mut window, Role::Button, "Reset all");
    assert!(lever(&window).ends_with("at base"));
    assert!(!window.state().unsaved());
}

#[test]
fn what_the_input_does_not_accept_is_refused_beside_the_lever() {
    let mut window = with_levers();
    let before = totals(&window);
    type_value(&mut window, PRICE, "-1");
    window.get_by_label_contains("Esc restores.");
    assert_eq!(totals(&window), before);
}

#[test]
fn positions_become_a_case_that_a_key_shows_and_the_base_is_one_key_away() {
    let mut window = with_levers();
    let base = totals(&window);
    type_value(&mut window, PRICE, "200k");
    assert_eq!(case_shown(&window), "Now, not kept");
    let tried = totals(&window);
    keep_as(&mut window, "Cheap nodes");
    assert_eq!(case_shown(&window), "Cheap nodes");
    assert_eq!(totals(&window), tried);
    assert!(window.state().unsaved(), "the case is part of the scenario");
    type_text(&mut window, "b");
    assert_eq!((case_shown(&window), totals(&window)), ("Base".to_owned(), base.clone()));
    type_text(&mut window, "5");
    assert_eq!((case_shown(&window), totals(&window)), ("Cheap nodes".to_owned(), tried.clone()));
    type_text(&mut window, "2");
    assert_eq!(case_shown(&window), "Twelve runs a week");
    assert_ne!(totals(&window), tried);
    type_text(&mut window, "1");
    assert_eq!(totals(&window), base);
    command(&mut window, Key::Z);
    assert_eq!(window.state().scenario().cases.len(), 3);
    assert_eq!((case_shown(&window), totals(&window)), ("Now, not kept".to_owned(), tried));
}

#[test]
fn moving_a_lever_of_a_case_leaves_the_case_as_it_is_until_it_is_updated() {
    let mut window = with_levers();
    type_text(&mut window, "2");
    let (kept, of_case) = (window.state().scenario().cases[0].clone(), totals(&window));
    type_value(&mut window, PRICE, "200k");
    assert_eq!(case_shown(&window), "Now, not kept");
    assert_eq!(window.state().scenario().cases[0], kept);
    let now = totals(&window);
    type_text(&mut window, "2");
    assert_eq!(totals(&window), of_case);
    type_text(&mut window, "0");
    assert_eq!(totals(&window), now, "what is not kept is still there");
    choose_more(&mut window, "Case Twelve runs a week, more", "Update from the levers");
    assert_eq!(window.state().scenario().cases[0].set.0.len(), 2);
    assert_eq!((case_shown(&window), totals(&window)), ("Twelve runs a week".to_owned(), now));
}

#[test]
fn a_case_is_described_again_and_deleted_and_both_can_be_undone() {
    let mut window = with_levers();
    let names = |window: &Window| -> Vec<String> {
        window.state().scenario().cases.iter().map(|case| case.name.clone()).collect()
    };
    let before = names(&window);
    choose_more(&mut window, "Case Twelve runs a week, more", "Name, owner and review…");
    command(&mut window, Key::A);
    type_text(&mut window, "Quiet year");
    window.get_by_role_and_label(Role::TextInput, "Case review by, as 2026-11-30").focus();
    window.run();
    command(&mut window, Key::A);
    type_text(&mut window, "soon");
    click(&mut window, Role::Button, "Done");
    window.get_by_label("“soon” is not a date; write it as 2026-11-30.");
    assert_eq!(names(&window), before);
    window.get_by_role_and_label(Role::TextInput, "Case review by, as 2026-11-30").focus();
    window.run();
    command(&mut window, Key::A);
    type_text(&mut window, "2027-06-30");
    click(&mut window, Role::Button, "Done");
    assert_eq!(names(&window)[0], "Quiet year");
    assert_eq!(window.state().scenario().cases[0].review_by.as_deref(), Some("2027-06-30"));
    choose_more(&mut window, "Case Quiet year, more", "Delete the case");
    assert_eq!(names(&window).len(), 2);
    command(&mut window, Key::Z);
    command(&mut window, Key::Z);
    assert_eq!(names(&window), before);
    assert!(!window.state().unsaved());
}

#[test]
fn an_input_is_pinned_where_it_is_listed_and_put_elsewhere_in_the_panel() {
    let mut window = with_levers();
    let levers = |window: &Window| window.state().scenario().levers.clone();
    let before = levers(&window);
    find(&mut window, "discount rate");
    click(&mut window, Role::Button, "Pin Discount rate");
    let added = levers(&window);
    assert_eq!(added.last().map(String::as_str), Some("discounting.rate"));
    window.get_by_role_and_label(Role::Slider, "Discount rate");
    choose_more(&mut window, "Discount rate, more", "Move up");
    assert_eq!(levers(&window).iter().position(|path| path == "discounting.rate"), Some(before.len() - 1));
    choose_more(&mut window, "Discount rate, more", "Remove the lever");
    assert_eq!(levers(&window), before);
    for _ in 0..3 {
        command(&mut window, Key::Z);
    }
    assert_eq!(levers(&window), before);
    assert!(!window.state().unsaved());
}

#[test]
fn an_input_is_found_by_its_words_and_pinned_from_the_panel() {
    let mut window = with_levers();
    window.get_by_role_and_label(Role::TextInput, "Add a lever").focus();
    window.run();
    type_text(&mut window, "discount");
    click(&mut window, Role::Button, "Pin Discount rate");
    type_value(&mut window, "Discount rate", "12");
    window.get_by_label("1 of 6 moved");
    assert_eq!(window.state().shown().discounting.rate.value.to_string(), "0.12");
}

/// What a cell shows is what typing in it changes.
#[test]
fn typing_where_a_case_fixes_the_value_moves_the_lever_and_not_the_base() {
    let mut window = with_levers();
    let base = window.state().scenario().clone();
    type_value(&mut window, PRICE, "200k");
    find(&mut window, "supply.node.price");
    let edit = |window: &mut Window, typed: &str| {
        focus(window, PRICE);
        type_text(window, typed);
        press(window, Key::Enter);
    };
    edit(&mut window, "250k");
    assert!(*window.state().scenario() == base, "the base is not edited");
    assert!(lever(&window).starts_with("250,000, base "));
    type_text(&mut window, "b");
    assert_ne!(value(&window, PRICE), "250,000");
    edit(&mut window, "260k");
    assert!(*window.state().scenario() != base, "with the base shown, the base is edited");
    assert!(lever(&window).starts_with("260,000, at base"));
}

#[test]
fn an_edit_of_the_base_shows_through_what_lies_over_it() {
    let mut window = with_levers();
    type_value(&mut window, PRICE, "200k");
    let before = totals(&window);
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    type_text(&mut window, "20");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().scenario().discounting.rate.value.to_string(), "0.20");
    assert_eq!(case_shown(&window), "Now, not kept");
    assert_eq!(totals(&window), before, "undiscounted totals do not rest on the rate");
    assert_eq!(window.state().shown().discounting.rate.value.to_string(), "0.20");
}

#[test]
fn letters_and_digits_that_are_typed_show_no_case() {
    let mut window = with_levers();
    find(&mut window, "b2");
    assert_eq!(case_shown(&window), "Base");
    press(&mut window, Key::Escape);
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    type_text(&mut window, "2");
    assert_eq!(case_shown(&window), "Base");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().scenario().discounting.rate.value.to_string(), "0.02");
}

#[test]
fn saving_keeps_levers_and_cases_and_says_that_positions_are_no_part_of_the_file() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path.clone()));
    press(&mut window, Key::F6);
    type_value(&mut window, PRICE, "200k");
    assert!(!window.state().unsaved());
    command(&mut window, Key::S);
    window.get_by_label_contains("Positions of levers are not part of it");
    keep_as(&mut window, "Cheap nodes");
    command(&mut window, Key::S);
    let text = std::fs::read_to_string(&path).expect("the file has been written");
    assert!(text.contains("name: \"Cheap nodes\""));
    assert!(text.contains("\"environments.owned.supply.node.price\": \"200000\""));
    let again = window_on(Some(path));
    assert_eq!(case_shown(&again), "Base");
    assert!(again.state().scenario() == window.state().scenario());
}

/// The three questions that are asked in front of a room.
#[test]
fn demand_falls_delivery_slips_and_electricity_doubles() {
    let mut window = window();
    press(&mut window, Key::F6);
    let base = totals(&window);
    type_text(&mut window, "2");
    assert_eq!(case_shown(&window), "Demand 40 % lower");
    let low_demand = totals(&window);
    assert_ne!(low_demand, base);
    for (words, path, typed) in [
        ("chicago lead_time_months", "environments.chicago-owned.lead_time_months", "=5+6"),
        ("index: electricity", "indices.electricity", "100"),
    ] {
        let input = window.state().scenario().input(path).expect("the example has this input");
        if !window.state().scenario().levers.iter().any(|lever| lever == path) {
            window.get_by_role_and_label(Role::TextInput, "Add a lever").focus();
            window.run();
            type_text(&mut window, words);
            click(&mut window, Role::Button, &format!("Pin {}", input.full_label()));
        }
        let before = totals(&window);
        type_value(&mut window, &input.full_label(), typed);
        assert_ne!(totals(&window), before, "{words}");
    }
    type_text(&mut window, "b");
    assert_eq!(totals(&window), base);
}

#[test]
fn nothing_is_drawn_again_while_nothing_happens() {
    let mut window = with_levers();
    focus_lever(&mut window);
    press(&mut window, Key::ArrowRight);
    window.step();
    let delay = window.output().viewport_output[&ViewportId::ROOT].repaint_delay;
    assert!(delay > std::time::Duration::from_secs(3600), "{delay:?}");
}

#[test]
fn a_digit_that_misses_its_field_shows_no_case_where_none_is_seen() {
    let mut window = guide();
    let base = totals(&window);
    type_text(&mut window, "2");
    assert_eq!(totals(&window), base);
    press(&mut window, Key::F6);
    type_text(&mut window, "2");
    assert_ne!(totals(&window), base);
    press(&mut window, Key::F6);
    type_text(&mut window, "b");
    assert_eq!(totals(&window), base, "the base is one key away from anywhere");
}
