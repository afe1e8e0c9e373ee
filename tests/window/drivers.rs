//! The questions of the page Sensitivity: reached by keyboard, answered as the library answers, copied, stopped, and marked
//! where they answer an older scenario.

use outlay::analysis::cases::cases;
use outlay::analysis::moves::movable;
use outlay::analysis::{base_size, map, preference, switch_over};
use outlay::engine::Figure;
use outlay::scenario::Scenario;

use crate::support::*;

fn platform() -> Window {
    window_on(Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regional-platform.ron"))))
}

/// Three placements and a dozen ranges: what is asked of it is answered soon.
fn example() -> Window {
    window_on(Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/guide-example.ron"))))
}

/// Opens a question by its name, without waiting until the window has settled, which it does not while it computes.
fn ask(window: &mut Window, question: &str) {
    window.key_press_modifiers(Modifiers::COMMAND, Key::K);
    window.step();
    window.step();
    window.event(Event::Text(format!("Sensitivity: {question}")));
    window.step();
    window.step();
    window.key_press(Key::Enter);
    window.step();
    window.step();
}

fn is_answered(window: &Window) -> bool {
    window.query_by_label_contains("Computed in ").is_some()
        || window.query_by_label_contains("with a range move it").is_some()
}

fn answered(window: &mut Window, question: &str) {
    ask(window, question);
    wait_for(window, is_answered);
    window.run();
}

fn chosen(window: &Window, name: &str) -> String {
    window.get_by_role_and_label(Role::ComboBox, name).value().unwrap_or_default()
}

/// The path of the input that a list shows.
fn path_shown(window: &Window, name: &str) -> String {
    let shown = chosen(window, name);
    let scenario = window.state().shown();
    let inputs = scenario.inputs();
    let label = |path: &String| match inputs.iter().find(|input| input.path == *path) {
        Some(input) => input.full_label(),
        None => {
            let group = scenario.groups.iter().find(|group| format!("groups.{}", group.id) == *path);
            format!("Group: {}", group.expect("a group").name)
        }
    };
    movable(scenario, &inputs).into_iter().find(|path| label(path) == shown).expect("the list shows an input")
}

fn plain(value: rust_decimal::Decimal, digits: u32) -> String {
    let mut value = value;
    value.rescale(digits);
    value.to_string()
}

fn deciding(scenario: &Scenario) -> Figure {
    Figure::deciding(scenario.decision_figure)
}

#[test]
fn every_question_is_opened_by_keyboard_and_answered_in_a_sentence() {
    let mut window = platform();
    for question in ["Tornado", "Spider", "Switch-over", "Two-way map", "Base size", "Cases"] {
        answered(&mut window, question);
        let name = format!("Question: {question}");
        let toggled = window.get_by_role_and_label(Role::RadioButton, &name).accesskit_node().toggled();
        assert_eq!(toggled, Some(egui::accesskit::Toggled::True), "{question} is the one that is shown");
        let is_sentence = |text: String| text.ends_with('.') && 5 < text.split(' ').count();
        let mut sentences = window.query_all_by(|node| node.value().or_else(|| node.label()).is_some_and(is_sentence));
        assert!(sentences.next().is_some(), "{question} has no answer in words");
        drop(sentences);
        let lines = copied_cells(&mut window);
        assert!(lines.len() > 1 && lines.iter().all(|line| line.len() == lines[0].len()), "{question}: {lines:?}");
    }
}

#[test]
fn the_switch_over_of_two_placements_is_that_of_the_library() {
    let mut window = example();
    answered(&mut window, "Switch-over");
    let path = path_shown(&window, "Input");
    let scenario = window.state().shown().clone();
    let place = |name: &str| {
        let shown = chosen(&window, name);
        usize::from(shown.as_bytes()[0] - b'A')
    };
    let question =
        switch_over::Question { path, between: [place("Between"), place("And")], figure: deciding(&scenario) };
    let answer = switch_over::switch_over(&scenario, question).expect("an answer");
    assert!(!answer.crossings.is_empty(), "the first question that is asked has a switch-over");
    let lines = copied_cells(&mut window);
    assert_eq!(lines.len(), answer.crossings.len() + 2, "one stretch a row: {lines:?}");
    for (line, crossing) in lines[1..].iter().zip(&answer.crossings) {
        assert_eq!(line[1], crossing.before.decimal().normalize().to_string());
        assert_eq!(line[4], plain(crossing.difference[0], 2));
        assert_eq!(line[5], plain(crossing.difference[1], 2));
    }
}

#[test]
fn where_the_preferred_of_all_placements_changes_is_asked_as_well() {
    let mut window = example();
    answered(&mut window, "Switch-over");
    window.get_by_role_and_label(Role::ComboBox, "Between").click();
    window.run();
    window.get_by_role_and_label(Role::MenuItemRadio, "all: which is preferred").click();
    window.step();
    window.step();
    wait_for(&mut window, |window| is_answered(window) && window.query_by_label_contains("preferred by").is_some());
    window.run();
    let scenario = window.state().shown().clone();
    let question = preference::Question { path: path_shown(&window, "Input"), figure: deciding(&scenario) };
    let answer = preference::preference(&scenario, question).expect("an answer");
    let lines = copied_cells(&mut window);
    assert_eq!(lines.len(), answer.switches.len() + 2, "{lines:?}");
    for (line, switch) in lines[1..].iter().zip(&answer.switches) {
        assert_eq!(line[1], switch.at.decimal().normalize().to_string());
    }
}

#[test]
fn the_map_is_that_of_the_library() {
    let mut window = example();
    answered(&mut window, "Two-way map");
    let scenario = window.state().shown().clone();
    let paths = [path_shown(&window, "Across"), path_shown(&window, "Down")];
    let question = map::Question { paths, figure: deciding(&scenario), steps: 12 };
    let answer = map::map(&scenario, question).expect("an answer");
    let lines = copied_cells(&mut window);
    let cells: Vec<_> = answer.rows.iter().flatten().collect();
    assert_eq!(lines.len(), cells.len() + 1);
    for (line, cell) in lines[1..].iter().zip(cells) {
        let letter = cell.preferred.map_or_else(|| "n".to_owned(), outlay::show::letter);
        assert!(line[2].starts_with(&letter), "{line:?}");
        for (text, figure) in line[3..].iter().zip(&cell.figures) {
            assert_eq!(*text, figure.map(|figure| plain(figure, 2)).unwrap_or_default());
        }
    }
}

#[test]
fn the_base_size_is_that_of_the_library() {
    let mut window = platform();
    answered(&mut window, "Base size");
    let scenario = window.state().shown().clone();
    let question = base_size::hybrids(&scenario).into_iter().next().expect("a hybrid placement");
    let answer = base_size::base_size(&scenario, question).expect("an answer");
    let lines = copied_cells(&mut window);
    assert_eq!(lines.len(), answer.points.len() + 1);
    for (line, point) in lines[1..].iter().zip(&answer.points) {
        assert_eq!(line[0], point.nodes.to_string());
        assert_eq!(line[1], outlay::show::plain(point.figure.minor(), 2));
    }
    let best = answer.cheapest.expect("a number of nodes that serves");
    assert!(lines[best + 1].last().expect("marks").contains("cheapest"));
    let sentence = format!("{} nodes cost least", answer.points[best].nodes);
    assert!(window.query_all_by_label_contains(&sentence).next().is_some(), "{:?}", read(&window));
}

#[test]
fn the_cases_are_those_of_the_library_and_a_name_leads_to_its_case() {
    let mut window = example();
    answered(&mut window, "Cases");
    let scenario = window.state().scenario().clone();
    let table = cases(&scenario).expect("a table");
    let lines = copied_cells(&mut window);
    assert_eq!(lines.len(), table.rows.len() + 2, "the headings, each case, and the worst of them");
    assert_eq!(lines[1][0], "Base");
    for (line, row) in lines[1..].iter().zip(&table.rows) {
        for (placement, cell) in row.cells.iter().enumerate() {
            assert_eq!(line[2 + placement * 2], outlay::show::plain(cell.figure.minor(), 2));
            if let Some(regret) = cell.regret {
                assert_eq!(line[3 + placement * 2], outlay::show::plain(regret.minor(), 2));
            }
        }
    }
    let before = totals(&window);
    let case = &scenario.cases[0];
    let link = window.get_by_role_and_label(Role::Link, &case.name);
    link.focus();
    window.run();
    window.key_press(Key::Enter);
    window.step();
    window.step();
    assert_ne!(totals(&window), before, "the case is shown");
    // The cases lie over the base: looking at one of them asks nothing anew.
    assert!(window.query_by_label_contains("out of date").is_none());
}

#[test]
fn the_spider_has_the_runs_of_the_tornado_and_elasticities() {
    let mut window = example();
    answered(&mut window, "Tornado");
    let bars = copied_cells(&mut window);
    answered(&mut window, "Spider");
    let lines = copied_cells(&mut window);
    assert_eq!(bars.len(), lines.len());
    for (bar, line) in bars[1..].iter().zip(&lines[1..]) {
        assert_eq!((&bar[0], &bar[4], &bar[5]), (&line[0], &line[4], &line[8]), "{bar:?}");
    }
    let elasticity = |line: &Vec<String>| line[9].parse::<f64>().is_ok();
    assert!(lines[1..].iter().any(elasticity), "some lines have an elasticity");
}

/// A finer map takes long enough to be stopped; then nothing goes on until it is asked for.
#[test]
fn what_is_computed_can_be_stopped_and_started_again() {
    let mut window = example();
    answered(&mut window, "Two-way map");
    window.get_by_role_and_label(Role::RadioButton, "Steps: 32").click();
    window.step();
    window.step();
    window.get_by_label("Stop").click();
    window.step();
    window.step();
    window.get_by_label("Stopped");
    assert!(window.query_by_label_contains("out of date").is_some(), "what stands there answers another question");
    // What is copied and saved of it says so as well.
    window.run();
    assert_eq!(copied_cells(&mut window)[0], ["Out of date"]);
    let folder = tempfile::tempdir().expect("a folder");
    let save = |window: &mut Window, name: &str| {
        let path = folder.path().join(name);
        let is_save = |label: String| label.starts_with("Save chart: Two-way map");
        window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(is_save)).click();
        window.run();
        type_text(window, &path.display().to_string());
        press(window, Key::Enter);
        std::fs::read_to_string(&path).expect("the chart is saved").contains("ut of date")
    };
    assert!(save(&mut window, "old.svg") && save(&mut window, "old.csv"));
    window.get_by_label("Compute").click();
    wait_for(&mut window, is_answered);
    assert!(window.query_by_label_contains("out of date").is_none());
    window.run();
    assert!(!save(&mut window, "new.svg") && !save(&mut window, "new.csv"));
}

#[test]
fn an_answer_about_an_older_scenario_is_marked() {
    let mut window = example();
    for (question, price) in [("Switch-over", "111,000"), ("Two-way map", "112,000"), ("Cases", "113,000")] {
        answered(&mut window, question);
        let before = copied_cells(&mut window);
        change_price(&mut window, price);
        command_step(&mut window, Key::Num6);
        // Whatever the computation is faster than: an answer about the scenario before is never shown as one about this.
        wait_for(&mut window, |window| {
            let is_marked = window.query_by_label_contains("out of date").is_some();
            assert!(is_marked || is_answered(window), "{question}: what was computed before stands there unmarked");
            !is_marked
        });
        window.run();
        assert_ne!(copied_cells(&mut window), before, "{question}");
    }
}

#[test]
fn a_chart_of_an_answer_is_saved_by_keyboard_alone() {
    let mut window = example();
    answered(&mut window, "Switch-over");
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["over.svg", "over.csv"] {
        let path = folder.path().join(name);
        command(&mut window, Key::K);
        type_text(&mut window, "Save chart: Switch-over");
        press(&mut window, Key::Enter);
        type_text(&mut window, &path.display().to_string());
        press(&mut window, Key::Enter);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.lines().count() > 2, "{name}");
    }
}

/// What cannot be asked says what to do first.
#[test]
fn a_scenario_without_what_is_asked_about_says_what_to_do() {
    let text = std::fs::read_to_string("tests/cases/01-owned-two-nodes.scenario.json").expect("a scenario");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("plan.json");
    std::fs::write(&path, text).expect("a file");
    let mut window = window_on(Some(path));
    for (question, button) in
        [("Switch-over", "Go to Placements"), ("Base size", "Go to Placements"), ("Cases", "Open the levers")]
    {
        ask(&mut window, question);
        wait_for(&mut window, |window| window.query_by_label(button).is_some());
    }
}

/// A long list of inputs is narrowed by words; Enter takes the first that is left, and Down leads into the list.
#[test]
fn a_long_list_of_inputs_is_narrowed_by_words() {
    let mut window = platform();
    answered(&mut window, "Switch-over");
    window.get_by_role_and_label(Role::ComboBox, "Input").click();
    window.run();
    let lines = |window: &Window| window.get_all_by(|node| node.role() == Role::MenuItemRadio).count();
    let all = lines(&window);
    type_text(&mut window, "price level");
    let left = lines(&window);
    assert!(0 < left && left < all, "{left} of {all}");
    window.key_press(Key::Enter);
    window.step();
    wait_for(&mut window, is_answered);
    window.run();
    assert!(chosen(&window, "Input").to_lowercase().contains("price level"));
}
