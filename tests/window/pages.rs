//! Pages, menus, cards and examples: what can be reached and what it says.

use crate::support::*;

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
fn warnings_name_things_as_people_do() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    window.get_by_label_contains(" warning").click();
    window.run();
    window.get_by_label_contains("Own the nodes: nothing is entered in Service charges").click();
    window.run();
    assert!(window.query_by_label("Warnings").is_none(), "the dialog makes room for the place");
    window.get_by(|node| {
        node.role() == Role::Tab
            && node.label().as_deref() == Some("Placements")
            && node.toggled() == Some(egui::accesskit::Toggled::True)
    });
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
        let is_new = |label: String| label == "New" || label.starts_with("New ");
        window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(is_new)).click();
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
    let lines = copied_cells(&mut window);
    assert!(100 < lines.len() && lines.iter().any(|line| line.contains(&"Equivalents at 60 %".to_owned())));
    window.get_by_label("Open scenario capacity.ron").click();
    window.run();
    assert_eq!(window.state().scenario().name, "Published: worked example of GPU capacity");
    assert!(window.state().path().is_none());
}

/// The same inputs are as many wherever they are counted.
#[test]
fn inputs_are_counted_alike_on_every_page_and_by_the_command() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regional-platform.ron");
    let mut window = window_on(Some(PathBuf::from(file)));
    let scenario = window.state().scenario().clone();
    let inputs = scenario.inputs();
    let figures = outlay::show::Figures::default();
    let (stated, drawn) = outlay::analysis::draws::counts(&scenario, &inputs);
    assert_eq!(outlay::analysis::draws::variables(&scenario, 1).0.len(), drawn);
    assert!(drawn < stated, "groups of it are drawn as one");
    let entered = inputs.iter().filter(|input| input.is_entered()).count();
    let held: Vec<_> = inputs.iter().filter(|of| of.path != "default_range" && of.input.range().is_none()).collect();
    let held_entered = held.iter().filter(|of| of.is_entered()).count();
    let held_said = outlay::words::counted::held(held_entered, held.len() - held_entered, figures);
    let has = |window: &Window, text: &str| {
        assert!(window.query_all_by_label_contains(text).next().is_some(), "{text:?} is not in {:?}", read(window));
    };
    has(&window, &format!("{entered} of {} inputs entered", inputs.len()));
    command(&mut window, Key::Num7);
    let drawn_said = format!("{drawn} inputs and groups");
    has(&window, &format!("{stated} inputs state a range. With each group as one, {drawn_said} are drawn."));
    has(&window, &format!("Without a range and held fixed: {held_said}"));
    command_step(&mut window, Key::Num6);
    wait_for(&mut window, |window| window.query_by_label_contains("with a range move it").is_some());
    window.run();
    has(&window, &format!(" of {drawn_said} with a range move it"));
    page(&mut window, "Evidence");
    window.run();
    has(&window, &format!("{} inputs entered", figures.count(entered)));
    has(&window, &format!("No range {held_entered}"));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_outlay"))
        .args(["uncertainty", file, "--draws", "2"])
        .output()
        .expect("the command runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains(&format!("of {drawn_said}. Without a range and held fixed: {held_said}.")), "{text}");
}
