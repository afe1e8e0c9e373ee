//! The page of uncertainty: run by keyboard, the same as the library gives, stopped, marked when it is old, any draw opened;
//! and the register in the order of what measuring is worth.

use crate::support::*;
use outlay::analysis::uncertainty::{Answer, Example, Question, Runner, Uncertainty, uncertainty};
use outlay::analysis::worth::by_worth;
use outlay::engine::{Figure, evaluate};
use outlay::quantity::Money;
use outlay::scenario::{Scenario, Syntax};
use outlay::show::Figures;
use serde_json::Value;

const DRAWS: u64 = 200;
const SEED: u64 = 7;

fn asked(figure: Figure) -> Question {
    Question { figure, against: None, draws: DRAWS, seed: SEED }
}

fn library(scenario: &Scenario) -> Answer {
    uncertainty(scenario, asked(Figure::PresentValue)).expect("the example states ranges")
}

fn amount(minor: i128) -> String {
    Figures::default().amount(minor, 2)
}

fn has(window: &Window, text: &str) -> bool {
    window.query_all_by_label_contains(text).next().is_some()
}

/// Types a number into a field of the page.
fn set(window: &mut Window, field: &str, typed: &str) {
    focus(window, field);
    type_text(window, typed);
    press(window, Key::Enter);
}

/// Presses a key without waiting until the window has settled, which it does not while work goes on beside it.
fn press_step(window: &mut Window, key: Key) {
    window.key_press(key);
    (0..3).for_each(|_| window.step());
}

fn run_draws(window: &mut Window) {
    press_step(window, Key::F9);
    wait_for(window, |window| has(window, "of the scenario on screen"));
    window.run();
}

/// The guide's example with so many draws asked for on the page, none made.
fn page_of_draws() -> (tempfile::TempDir, Window) {
    let (folder, path) = folder();
    let mut window = window_on(Some(path));
    command(&mut window, Key::Num7);
    set(&mut window, "Draws", &DRAWS.to_string());
    set(&mut window, "Seed", &SEED.to_string());
    (folder, window)
}

/// The percentiles, means, shares and regrets that the page shows are those of the library for the same scenario, draws
/// and seed.
fn agrees(window: &Window) {
    let scenario = window.state().scenario();
    let answer = library(scenario);
    let money = |money: Option<Money>| amount(money.expect("it serves in some draw").minor());
    for (of, letter) in answer.placements.iter().zip(["A", "B", "C", "D", "E", "F"]) {
        let name = format!("{letter} {}", scenario.placements[of.placement].name);
        let shown = |heading: &str| cell(window, &format!("{name}, {heading}"));
        // Of 5, 10, 25, 50, 75, 90 and 95.
        for (place, heading) in [(1, "10th"), (3, "50th"), (5, "90th")] {
            assert_eq!(shown(heading), amount(of.percentiles[place].expect("a present value")), "{name}");
        }
        assert_eq!(shown("Mean"), amount(of.mean.expect("a present value")), "{name}");
        let percent = of.cheapest as f64 * 100.0 / answer.done as f64;
        let share = if of.cheapest == 0 { "–".to_owned() } else { format!("{percent:.1} %") };
        assert_eq!(shown("Cheapest"), share, "{name}");
        assert_eq!(shown("Regret"), money(of.expected_regret), "{name}");
    }
    window.get_by_label(&outlay::words::draws::answer(scenario, &answer, Figures::default()));
}

#[test]
fn draws_are_run_by_keyboard_and_say_what_the_library_says() {
    let (_folder, mut window) = page_of_draws();
    assert!(has(&window, " Run draws values for all of them"), "nothing is drawn before it is asked for");
    run_draws(&mut window);
    agrees(&window);
    let answer = library(window.state().scenario());
    window.get_by_role_and_label(Role::Button, "Copy percentiles").click();
    let text = copied(&mut window);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(rows.len(), answer.placements.len() + 1);
    for (row, of) in rows[1..].iter().zip(&answer.placements) {
        let plain = |minor: Option<i128>| outlay::show::plain(minor.expect("an amount"), 2);
        assert_eq!(row[4], plain(of.mean));
        assert_eq!(row[5], of.cheapest.to_string());
        assert_eq!(row[6], plain(of.expected_regret.map(Money::minor)));
    }
}

#[test]
fn each_way_of_showing_draws_is_a_chart_with_its_table() {
    let (_folder, mut window) = page_of_draws();
    run_draws(&mut window);
    for (by, title) in [
        ("Cumulative", "Cumulative probability, present value"),
        ("Histogram", "Distribution, present value"),
        ("Differences", "Distribution of differences, present value less that of "),
        ("What drives it", "What drives a figure: present value of "),
    ] {
        let segment = format!("Show: {by}");
        // The first is chosen already.
        window.get_by_role_and_label(Role::RadioButton, &segment).click();
        window.run();
        let turn = format!("Show as table: {title}");
        window.get_by(|node| node.label().is_some_and(|label| label.starts_with(&turn))).click();
        window.run();
        let table = format!("Table of {title}");
        window.get_by(|node| node.role() == Role::Table && node.label().is_some_and(|of| of.starts_with(&table)));
    }
    click(&mut window, Role::RadioButton, "Show: What drives it");
    let against = window.get_by(|node| {
        node.role() == Role::RadioButton && node.label().is_some_and(|label| label.starts_with("What is driven: Less"))
    });
    against.click();
    window.run();
    assert!(has(&window, "does not differ from itself") || has(&window, "What drives a difference: present value of "));
}

/// The label of the one node that has these words.
fn label_with(window: &Window, words: &str) -> String {
    let labels = window.get_all_by(|node| node.label().is_some_and(|label| label.contains(words)));
    labels.filter_map(|node| node.accesskit_node().label()).next().expect("there is one")
}

/// The first number of a text that is said in these words: `12,480 of 100,000 draws`.
fn number_before(text: &str, words: &str) -> u64 {
    let (before, _) = text.split_once(words).unwrap_or_else(|| panic!("{text:?} has no {words:?}"));
    let digits: String = before.chars().filter(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("{before:?} is no number"))
}

/// What is seen, copied and saved of a run that was stopped is that of the first draws, and says so.
#[test]
fn a_run_is_stopped_and_the_draws_made_so_far_are_kept_and_marked() {
    const ALL: u64 = 900_000_000;
    let (folder, mut window) = page_of_draws();
    set(&mut window, "Draws", &ALL.to_string());
    press_step(&mut window, Key::F9);
    wait_for(&mut window, |window| {
        window.query_by(|node| node.role() == Role::ProgressIndicator).is_some() && has(window, "So far.")
    });
    wait_for(&mut window, |window| has(window, " draws, about ") && has(window, " left"));
    window.get_by_role_and_label(Role::Button, "Stop").click();
    wait_for(&mut window, |window| window.query_by_role_and_label(Role::Button, "Go on").is_some());
    window.run();
    assert!(window.query_by(|node| node.role() == Role::ProgressIndicator).is_none());
    assert!(!has(&window, "So far."));
    let mark = " of 900,000,000 draws; stopped";
    let said = label_with(&window, mark);
    let made = number_before(&said, mark);
    assert!(0 < made && made < ALL, "{made} draws");

    let scenario = window.state().scenario().clone();
    let question = Question { draws: ALL, ..asked(Figure::PresentValue) };
    let mut plan = Uncertainty::new(&scenario, question).expect("the example states ranges");
    let mut runner = Runner::new(&plan);
    let pilots: Vec<_> = plan.pilots().into_iter().flat_map(|draws| runner.pilots(draws)).collect();
    plan.rule(&pilots);
    let (mut tally, mut runner) = (plan.tally(), Runner::new(&plan));
    runner.draw(0..made, &mut tally);
    let answer = plan.answer(&tally);
    window.get_by_label(&outlay::words::draws::answer(&scenario, &answer, Figures::default()));

    let marked = format!("{}{mark}", Figures::default().number(made.into()));
    window.get_by_role_and_label(Role::Button, "Copy percentiles").click();
    let text = copied(&mut window);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], marked);
    let mean = outlay::show::plain(answer.placements[0].mean.expect("an amount"), 2);
    assert_eq!(lines[2].split('\t').nth(4), Some(mean.as_str()));

    let turn = "Show as table: Probability of being cheapest";
    window.get_by_role_and_label(Role::Button, turn).click();
    window.run();
    window.get_by_role_and_label(Role::Button, "Copy table").click();
    assert_eq!(copied(&mut window).lines().next(), Some(marked.as_str()));
    for (kind, file) in [("svg", "chart.svg"), ("csv", "chart.csv")] {
        let path = folder.path().join(file);
        window.get_by_role_and_label(Role::Button, "Save chart: Probability of being cheapest").click();
        window.run();
        type_text(&mut window, &path.display().to_string());
        press(&mut window, Key::Enter);
        let saved = std::fs::read_to_string(&path).expect("the chart is saved");
        assert!(saved.contains(&marked), "the {kind} does not say {marked:?}");
    }

    // It is gone on with, and another number of draws is another question.
    window.get_by_role_and_label(Role::Button, "Go on").click();
    (0..3).for_each(|_| window.step());
    wait_for(&mut window, |window| has(window, " of 900,000,000 draws so far"));
    let more = number_before(&label_with(&window, " of 900,000,000 draws so far"), " of 900,000,000 draws so far");
    assert!(made < more, "{more} after {made}");
    window.get_by_role_and_label(Role::Button, "Stop").click();
    wait_for(&mut window, |window| window.query_by_role_and_label(Role::Button, "Go on").is_some());
    set(&mut window, "Draws", &DRAWS.to_string());
    run_draws(&mut window);
    agrees(&window);
}

/// The first line of what is copied by a button, and the text of a chart saved by a command.
fn taken_along(window: &mut Window, folder: &Path, chart: &str) -> [String; 3] {
    window.get_by_role_and_label(Role::Button, "Copy percentiles").click();
    let percentiles = copied(window).lines().next().unwrap_or_default().to_owned();
    let save = |window: &mut Window, file: &str| {
        let path = folder.join(file);
        let _ = std::fs::remove_file(&path);
        window.get_by_role_and_label(Role::Button, &format!("Save chart: {chart}")).click();
        window.run();
        type_text(window, &path.display().to_string());
        press(window, Key::Enter);
        std::fs::read_to_string(&path).expect("the chart is saved")
    };
    [percentiles, save(window, "chart.svg"), save(window, "chart.csv")]
}

#[test]
fn draws_of_a_scenario_that_has_changed_are_marked_until_they_are_run_again() {
    let (folder, mut window) = page_of_draws();
    run_draws(&mut window);
    assert!(!has(&window, "Out of date."));
    let is_marked = |text: &String| text.to_lowercase().contains("out of date");
    assert!(!taken_along(&mut window, folder.path(), "Probability of being cheapest").iter().any(is_marked));
    find(&mut window, "discount rate");
    set(&mut window, "Discount rate", "11");
    command(&mut window, Key::Num7);
    assert!(has(&window, "Out of date."));
    assert!(!has(&window, "of the scenario on screen"));
    assert!(taken_along(&mut window, folder.path(), "Probability of being cheapest").iter().all(is_marked));
    run_draws(&mut window);
    assert!(!has(&window, "Out of date."));
    agrees(&window);
}

#[test]
fn a_draw_opens_as_a_scenario_with_the_figures_of_the_draw() {
    let (_folder, mut window) = page_of_draws();
    run_draws(&mut window);
    let scenario = window.state().scenario().clone();
    let plan = Uncertainty::new(&scenario, asked(Figure::PresentValue)).expect("the example states ranges");
    set(&mut window, "Draw", "17");
    click(&mut window, Role::Button, "Open draw");
    let drawn = plan.scenario(16).expect("there are so many draws");
    assert_eq!(window.state().scenario(), &drawn);
    assert!(drawn.name.ends_with("draw 17 of 200 from seed 7"), "{}", drawn.name);
    assert_eq!(window.state().path(), None, "no file is overwritten by it");
    let evaluation = evaluate(&drawn).expect("a draw");
    let shown = totals(&window);
    assert_eq!(shown.len(), evaluation.placements.len());
    for (shown, of) in shown.iter().zip(&evaluation.placements) {
        let total = Figures::default().exact(of.totals.total.minor(), 2);
        assert!(shown.contains(&total), "{shown} is not {total}");
    }
}

#[test]
fn a_named_example_has_the_figure_that_stands_beside_it_and_asks_about_unsaved_work() {
    let (_folder, mut window) = page_of_draws();
    find(&mut window, "discount rate");
    set(&mut window, "Discount rate", "9");
    command(&mut window, Key::Num7);
    run_draws(&mut window);
    let scenario = window.state().scenario().clone();
    let answer = library(&scenario);
    // The page opens on the placement to choose, or the one that is cheapest most often.
    let often = answer.placements.iter().max_by_key(|of| of.cheapest).expect("a placement");
    let looked_into = answer.chosen.unwrap_or(often.placement);
    let examples = &answer.placements[looked_into].examples;
    let (_, draw) = *examples.iter().find(|(example, _)| *example == Example::Near(50)).expect("a median");
    let plan = Uncertainty::new(&scenario, asked(Figure::PresentValue)).expect("the example states ranges");
    let drawn = plan.scenario(draw).expect("it is one of them");
    let figures = evaluate(&drawn).expect("a draw that was counted can be computed");
    let shown = amount(figures.placements[looked_into].totals.present_value.minor());
    assert!(window.query_all_by_label(&shown).next().is_some(), "the page does not show {shown}: {:?}", read(&window));
    let open = format!("Open draw {}", draw + 1);
    let press_open = |window: &mut Window| {
        window.get_all_by_role_and_label(Role::Button, &open).next().expect("its button").click();
        window.run();
    };
    press_open(&mut window);
    click(&mut window, Role::Button, "Cancel");
    assert_eq!(window.state().scenario(), &scenario, "the work is kept");
    press_open(&mut window);
    click(&mut window, Role::Button, "Don’t save");
    assert_eq!(window.state().scenario(), &drawn);
}

/// A draw is unsaved work from the start, and leads back to the scenario and the draws that it came from.
#[test]
fn a_draw_that_is_closed_asks_and_leads_back_to_where_it_came_from() {
    let (_folder, mut window) = page_of_draws();
    run_draws(&mut window);
    let (scenario, path) = (window.state().scenario().clone(), window.state().path().map(Path::to_path_buf));
    set(&mut window, "Draw", "17");
    click(&mut window, Role::Button, "Open draw");
    assert!(window.state().unsaved());
    command(&mut window, Key::Q);
    assert!(has(&window, "which no file has"), "{:?}", read(&window));
    click(&mut window, Role::Button, "Cancel");
    assert_ne!(window.state().scenario(), &scenario);
    // To a draw as it was opened nothing is asked: it is opened again by its number.
    click(&mut window, Role::Link, "Back to plan.ron");
    assert_eq!((window.state().scenario(), window.state().path()), (&scenario, path.as_deref()));
    assert!(has(&window, "of the scenario on screen"), "its draws are still there");
    agrees(&window);
    click(&mut window, Role::Button, "Open draw");
    find(&mut window, "discount rate");
    set(&mut window, "Discount rate", "11");
    give(&mut window, "Back to plan.ron");
    click(&mut window, Role::Button, "Cancel");
    assert_ne!(window.state().scenario(), &scenario);
    give(&mut window, "Back to plan.ron");
    click(&mut window, Role::Button, "Don’t save");
    assert_eq!(window.state().scenario(), &scenario);
    assert!(window.query_by_role_and_label(Role::Link, "Back to plan.ron").is_none());
}

/// What drives it is shown first of a placement that can be chosen, and never of one that serves in no draw.
#[test]
fn what_drives_it_opens_on_a_placement_that_can_be_chosen() {
    let mut window =
        window_on(Some(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regional-platform.ron"))));
    command(&mut window, Key::Num7);
    set(&mut window, "Draws", "60");
    run_draws(&mut window);
    let scenario = window.state().scenario().clone();
    let question = Question { figure: Figure::deciding(scenario.decision_figure), against: None, draws: 60, seed: 1 };
    let answer = uncertainty(&scenario, question).expect("it states ranges");
    window.get_by_role_and_label(Role::RadioButton, "Show: What drives it").click();
    window.run();
    let shown = window.get_by_role_and_label(Role::ComboBox, "Placement").value().expect("a placement");
    let of = answer.placements.iter().find(|of| shown.starts_with(&outlay::show::letter(of.placement))).expect("one");
    let most = answer.placements.iter().map(|of| of.cheapest).max();
    assert!(answer.chosen == Some(of.placement) || answer.chosen.is_none() && Some(of.cheapest) == most, "{shown}");
}

#[test]
fn the_register_is_ordered_by_what_measuring_is_worth() {
    let (_folder, mut window) = page_of_draws();
    page(&mut window, "Evidence");
    wait_for(&mut window, |window| has(window, ", from low to high"));
    click(&mut window, Role::ComboBox, "Sort");
    window.get_by_label("Worth").click();
    window.run();
    assert!(has(&window, "none were made yet"));
    press_step(&mut window, Key::F9);
    wait_for(&mut window, |window| has(window, "Worth in "));
    window.run();
    let scenario = window.state().scenario().clone();
    let entries = by_worth(&scenario, &library(&scenario));
    let rows: Vec<String> =
        window.get_all_by(|node| node.role() == Role::Row).filter_map(|row| row.accesskit_node().label()).collect();
    assert!(3 < rows.len());
    let listed: Vec<String> =
        entries.iter().filter(|entry| entry.input.is_entered()).map(|entry| entry.input.full_label()).collect();
    assert_eq!(rows[..3], listed[..3]);
    let (mut known, mut without) = (0, 0);
    for entry in entries.iter().filter(|entry| rows.contains(&entry.input.full_label())) {
        let label = format!("{}, worth of measuring", entry.input.full_label());
        let shown = window.get_by_role_and_label(Role::Cell, &label).value().expect("a text");
        match entry.worth {
            // Of a group the worth stands once, beside the first of its inputs.
            Some(worth) => assert!(shown == amount(worth.minor()) || shown == "as one", "{label}: {shown}"),
            None => assert_eq!(shown, "no range", "{label}"),
        }
        *if entry.worth.is_some() { &mut known } else { &mut without } += 1;
    }
    assert!(0 < known, "{known} with a worth and {without} without one are in sight");
    // An edit makes it old, and says so.
    set(&mut window, "Discount rate", "11");
    wait_for(&mut window, |window| has(window, "Out of date: the draws are of the scenario before"));
}

/// An input with its range taken away, wherever one stands.
fn without_ranges(value: Value) -> Value {
    match value {
        Value::Object(of) if of.contains_key("low") && of.contains_key("value") => of["value"].clone(),
        Value::Object(of) => of.into_iter().map(|(name, of)| (name, without_ranges(of))).collect(),
        Value::Array(of) => of.into_iter().map(without_ranges).collect(),
        other => other,
    }
}

#[test]
fn a_scenario_without_ranges_says_what_to_do() {
    let (folder, path) = folder();
    let text = std::fs::read_to_string(&path).expect("the copy is there");
    let scenario: Scenario = outlay::scenario::read(&text, Syntax::Ron).expect("it is valid").0;
    let mut plain =
        without_ranges(serde_json::from_str(&outlay::scenario::write(&scenario, Syntax::Json)).expect("JSON"));
    // Without ranges there is nothing that could move together.
    plain.as_object_mut().expect("a scenario is a record").remove("groups");
    let file = folder.path().join("plain.json");
    std::fs::write(&file, plain.to_string()).expect("a file");
    let mut window = window_on(Some(file));
    command(&mut window, Key::Num7);
    assert!(has(&window, "No input states a range"));
    assert!(window.query_by_role_and_label(Role::Button, "Run").is_none());
    click(&mut window, Role::Button, "Go to Evidence");
    assert!(window.query_by_role_and_label(Role::Table, "Register of evidence").is_some());
}
