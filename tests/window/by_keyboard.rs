//! Ten tasks done without a pointer: keys are pressed and text is typed, and nothing is clicked or given the keyboard from
//! outside.

use outlay::scenario::Category;

use crate::support::*;

/// What has the keyboard.
fn focused(window: &Window) -> Option<(Role, String)> {
    let node = window.query_all_by(|node| node.is_focused()).next()?;
    let node = node.accesskit_node();
    Some((node.role(), node.label().unwrap_or_default()))
}

/// Presses Tab until this has the keyboard.
fn tab_to(window: &mut Window, role: Role, label: &str) {
    let mut passed = Vec::new();
    for _ in 0..250 {
        press(window, Key::Tab);
        match focused(window) {
            Some((of, name)) if of == role && name == label => return,
            other => passed.push(other),
        }
    }
    panic!("Tab never comes to {label:?}, only to {passed:?}");
}

fn guide() -> Window {
    let (folder, path) = folder();
    let window = window_on(Some(path));
    drop(folder);
    window
}

/// An empty scenario with an environment from a template and a class from another.
fn from_templates() -> Window {
    let mut window = window();
    command(&mut window, Key::N);
    type_text(&mut window, "North campus");
    press(&mut window, Key::Enter);
    give(&mut window, "add environment: colocation");
    give(&mut window, "add workload class: llm training");
    window
}

#[test]
fn a_new_scenario_is_begun_from_templates() {
    let mut window = from_templates();
    let scenario = window.state().scenario();
    assert_eq!(scenario.name, "North campus");
    assert_eq!((scenario.environments.len(), scenario.workloads.len()), (1, 1));
    assert!(scenario.environments[0].costs.len() > 4, "a template has a line for each usual category");
    give(&mut window, "add a placement");
    assert_eq!(window.state().scenario().placements.len(), 1);
    give(&mut window, "go to compare");
    assert!(!totals(&window).is_empty(), "and there is an answer");
}

#[test]
fn a_workload_is_added_named_and_given_its_demand() {
    let mut window = guide();
    let before = window.state().scenario().workloads.len();
    give(&mut window, "add workload class: batch inference");
    assert_eq!(window.state().scenario().workloads.len(), before + 1);
    tab_to(&mut window, Role::TextInput, "Name · Batch inference");
    command(&mut window, Key::A);
    type_text(&mut window, "Nightly reports");
    press(&mut window, Key::Enter);
    assert_eq!(window.state().scenario().workloads[before].name, "Nightly reports");
}

#[test]
fn twelve_cost_lines_are_pasted_from_a_spreadsheet() {
    let mut window = guide();
    command(&mut window, Key::Num4);
    let before = window.state().scenario().environments[0].costs.len();
    let total = totals(&window);
    tab_to(&mut window, Role::Table, "Cost lines");
    let rows: Vec<String> =
        (1..=12).map(|i| format!("Licence {i}\tSoftware\tMonth\t{i},000\tFixed\tRetained")).collect();
    let text = format!("Label\tCategory\tDriver\tRate\tBehaviour\tBoundary\n{}", rows.join("\n"));
    window.event(Event::Paste(text));
    window.run();
    if window.query_by_role_and_label(Role::Button, "Paste").is_some() {
        press(&mut window, Key::Enter);
    }
    let costs = &window.state().scenario().environments[0].costs;
    assert_eq!(costs.len(), before + 12);
    assert!(costs[before..].iter().all(|line| line.category == Category::Software));
    assert_ne!(totals(&window), total);
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), total, "the paste is one step");
}

#[test]
fn an_input_is_made_a_lever_and_moved() {
    let mut window = guide();
    let before = totals(&window);
    press(&mut window, Key::F6);
    tab_to(&mut window, Role::TextInput, "Add a lever");
    type_text(&mut window, "discount rate");
    tab_to(&mut window, Role::Button, "Pin Discount rate");
    press(&mut window, Key::Enter);
    tab_to(&mut window, Role::Slider, "Discount rate");
    press(&mut window, Key::ArrowRight);
    press(&mut window, Key::ArrowRight);
    assert_ne!(window.state().shown().discounting.rate, window.state().scenario().discounting.rate);
    assert_eq!(totals(&window), before, "undiscounted totals do not rest on the rate");
    tab_to(&mut window, Role::Slider, "Node price · Owned nodes");
    press(&mut window, Key::End);
    assert_ne!(totals(&window), before);
}

/// A window with one lever moved.
fn moved() -> Window {
    let mut window = guide();
    press(&mut window, Key::F6);
    tab_to(&mut window, Role::Slider, "Node price · Owned nodes");
    press(&mut window, Key::Home);
    window
}

#[test]
fn a_case_is_kept() {
    let mut window = moved();
    let before = window.state().scenario().cases.len();
    give(&mut window, "keep as case");
    type_text(&mut window, "Cheap nodes");
    press(&mut window, Key::Enter);
    let cases = &window.state().scenario().cases;
    assert_eq!((cases.len(), cases[before].name.as_str()), (before + 1, "Cheap nodes"));
}

#[test]
fn cases_are_switched() {
    let mut window = guide();
    press(&mut window, Key::F6);
    let base = totals(&window);
    let cases = window.state().scenario().cases.len();
    let mut seen = vec![base.clone()];
    for digit in 2..2 + cases {
        type_text(&mut window, &digit.to_string());
        assert!(!seen.contains(&totals(&window)), "case {digit} shows figures of its own");
        seen.push(totals(&window));
    }
    type_text(&mut window, "b");
    assert_eq!(totals(&window), base);
}

#[test]
fn why_electricity_is_what_it_is_is_found_out() {
    let mut window = guide();
    command(&mut window, Key::Num1);
    tab_to(&mut window, Role::Button, "Power, A Own the nodes");
    press(&mut window, Key::F1);
    assert!(explained(&window, "Rests on"));
    let power = category(&window, Category::Power);
    let is_power =
        |node: &&egui_kittest::kittest::AccessKitNode<'_>| node.value().is_some_and(|value| value.contains(&power));
    assert!(window.query_all_by(|node| is_power(&node)).next().is_some(), "the panel explains {power}");
    // An input that it rests on leads to where it is edited.
    tab_to(&mut window, Role::Link, "Go to Electricity for IT load: rate · Owned nodes");
    press(&mut window, Key::Enter);
    assert_eq!(focused(&window), Some((Role::TextInput, "Electricity for IT load: rate · Owned nodes".to_owned())));
}

#[test]
fn the_reference_placement_is_changed() {
    let mut window = guide();
    give(&mut window, "reference: c");
    window.get_by_label_contains("C Cloud by the hour, reference");
    command(&mut window, Key::Num1);
    tab_to(&mut window, Role::ComboBox, "Reference");
    press(&mut window, Key::Space);
    press(&mut window, Key::ArrowDown);
    press(&mut window, Key::Enter);
    assert!(window.query_by_label_contains("C Cloud by the hour, reference").is_none(), "another one is chosen");
}

#[test]
fn ten_steps_are_undone_and_five_done_again() {
    let mut window = guide();
    let mut figures = vec![totals(&window)];
    find(&mut window, "supply.node.price");
    tab_to(&mut window, Role::TextInput, "Node price · Owned nodes");
    for step in 1..=10 {
        type_text(&mut window, &format!("{}", 200_000 + 10_000 * step));
        press(&mut window, Key::Enter);
        figures.push(totals(&window));
        press(&mut window, Key::ArrowUp);
        tab_to(&mut window, Role::TextInput, "Node price · Owned nodes");
    }
    press(&mut window, Key::Escape);
    for expected in figures.iter().rev().skip(1) {
        command(&mut window, Key::Z);
        assert_eq!(totals(&window), *expected);
    }
    assert!(!window.state().unsaved());
    for expected in &figures[1..=5] {
        command(&mut window, Key::Y);
        assert_eq!(totals(&window), *expected);
    }
}

#[test]
fn a_chart_is_exported() {
    let (folder, path) = folder();
    let mut window = window_on(Some(path));
    let to = folder.path().join("cumulative.svg");
    give(&mut window, "save chart: cumulative cost");
    type_text(&mut window, &to.display().to_string());
    press(&mut window, Key::Enter);
    let svg = std::fs::read_to_string(to).expect("the chart was written");
    assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{}", &svg[..60]);
    assert!(svg.contains("Cumulative cost"));
}

/// No exchange rate is made up: what has prices in another currency waits for it, and asks for it there.
#[test]
fn a_template_in_another_currency_asks_for_the_exchange_rate() {
    let mut window = window();
    command(&mut window, Key::N);
    type_text(&mut window, "Campus");
    press(&mut window, Key::Tab);
    command(&mut window, Key::A);
    type_text(&mut window, "EUR");
    press(&mut window, Key::Enter);
    give(&mut window, "add environment: colocation");
    assert!(window.state().scenario().environments.is_empty());
    tab_to(&mut window, Role::TextInput, "Exchange rate: EUR for 1 USD");
    type_text(&mut window, "-1");
    press(&mut window, Key::Enter);
    assert!(window.state().scenario().environments.is_empty());
    tab_to(&mut window, Role::TextInput, "Exchange rate: EUR for 1 USD");
    command(&mut window, Key::A);
    type_text(&mut window, "0.92");
    press(&mut window, Key::Enter);
    let scenario = window.state().scenario();
    assert_eq!(
        (scenario.environments.len(), scenario.fx.get("USD").map(|rate| rate.value.to_string())),
        (1, Some("0.92".to_owned()))
    );
    command(&mut window, Key::Z);
    assert!(window.state().scenario().environments.is_empty(), "both came in one step");
}
