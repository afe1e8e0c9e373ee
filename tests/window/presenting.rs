//! Presenter mode, and the mode for slow lines.

use crate::support::*;

const PRICE: &str = "Node price · Owned nodes";

fn presented() -> Window {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    press(&mut window, Key::F5);
    window
}

/// The exact deciding figures on the cards, in the order of the placements.
fn figures(window: &Window) -> Vec<String> {
    totals(window)
}

fn expected(window: &Window) -> Vec<String> {
    let evaluation = outlay::engine::evaluate(window.state().shown()).expect("what is shown has figures");
    let shown = outlay::show::Figures::default();
    let figure = |placement: &outlay::engine::PlacementResult| {
        shown.exact(placement.deciding(evaluation.decision_figure).minor(), evaluation.currency.minor_digits)
    };
    evaluation.placements.iter().map(figure).collect()
}

fn step_lever(window: &mut Window, key: Key) {
    window.get_by_role_and_label(Role::Slider, PRICE).focus();
    window.run();
    press(window, key);
}

#[test]
fn the_room_sees_the_figures_of_the_scenario_and_they_follow_the_levers() {
    let mut window = presented();
    let before = figures(&window);
    assert_eq!(before, expected(&window));
    assert!(window.query_by_label("File").is_none(), "no menus");
    step_lever(&mut window, Key::End);
    assert_ne!(figures(&window), before);
    assert_eq!(figures(&window), expected(&window));
    window.get_by_label_contains("more than in the base, was");
    press(&mut window, Key::F5);
    window.get_by_label("File");
}

#[test]
fn escape_leaves_and_plain_keys_switch_cases() {
    let mut window = presented();
    let base = figures(&window);
    type_text(&mut window, "2");
    assert_eq!(figures(&window), expected(&window));
    assert_ne!(figures(&window), base);
    let shown = window.get_by_role_and_label(Role::RadioButton, "Show Twelve runs a week");
    assert_eq!(shown.accesskit_node().toggled(), Some(egui::accesskit::Toggled::True));
    type_text(&mut window, "b");
    assert_eq!(figures(&window), base);
    press(&mut window, Key::Escape);
    window.get_by_label("File");
}

#[test]
fn what_is_cheapest_is_said_with_what_decided_it() {
    let mut window = presented();
    window.get_by_label_contains(" is the cheapest, ");
    // Fifty runs a week need a third node.
    type_text(&mut window, "3");
    window.get_by_label_contains(" 3 nodes instead of 2");
    // The guide says that the cloud is the cheapest where runs are halved twice.
    type_text(&mut window, "2");
    window.get_by_label_contains("The cheapest placement changes from ");
}

#[test]
fn positions_are_kept_as_a_case_in_front_of_the_room() {
    let mut window = presented();
    step_lever(&mut window, Key::Home);
    click(&mut window, Role::Button, "Keep as case");
    type_text(&mut window, "Cheap nodes");
    press(&mut window, Key::Enter);
    window.get_by_role_and_label(Role::RadioButton, "Show Cheap nodes");
    assert_eq!(window.state().scenario().cases.len(), 4);
}

/// On a slow line a drag draws the handle alone, and figures once it is let go.
#[test]
fn figures_wait_for_the_end_of_a_drag_on_a_slow_line() {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    choose(&mut window, "View", "Low bandwidth, for remote desktops");
    press(&mut window, Key::F6);
    let before = totals(&window);
    let place = window.get_by_role_and_label(Role::Slider, PRICE).rect();
    let at = |part: f32| egui::pos2(place.min.x + place.width() * part, place.center().y);
    let button = |at: egui::Pos2, pressed: bool| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    for event in [Event::PointerMoved(at(0.5)), button(at(0.5), true), Event::PointerMoved(at(0.9))] {
        window.event(event);
        window.run();
    }
    assert_eq!(totals(&window), before);
    window.event(button(at(0.9), false));
    window.run();
    assert_ne!(totals(&window), before);
}
