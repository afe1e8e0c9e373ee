//! The page Compare: its views, its tables and its charts.

use crate::support::*;

const VIEWS: [&str; 7] =
    ["Category", "Year", "Fixed / usage", "Provider / retained", "Cost per output", "Hours ladder", "Exposure"];

fn platform() -> Window {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regional-platform.ron"));
    window_on(Some(path))
}

fn look_at(window: &mut Window, view: &str) {
    window.get_by_role_and_label(Role::RadioButton, &format!("View: {view}")).click();
    window.run();
}

/// Scrolls to a button and presses it.
fn press_in_sight(window: &mut Window, label: &str) {
    window.get_by_label(label).scroll_to_me();
    window.run();
    window.get_by_label(label).click();
}

/// The figures of a row that can be pressed, column by column.
fn row(window: &Window, name: &str) -> Vec<String> {
    let starts = format!("{name}, ");
    let cells = window.query_all_by(|node| {
        node.role() == Role::Button
            && node.label().is_some_and(|label| label.starts_with(&starts))
            && node.value().is_some()
    });
    cells.map(|cell| cell.value().unwrap_or_default()).collect()
}

#[test]
fn every_view_has_a_table_whose_figures_explain_themselves() {
    let mut window = platform();
    for (view, figure) in [
        ("Category", "Power"),
        ("Year", "Capital"),
        ("Fixed / usage", "Usage-driven"),
        ("Provider / retained", "Retained"),
        ("Cost per output", "levelised"),
        ("Hours ladder", "Occupied"),
        ("Exposure", "Idle commitment"),
    ] {
        look_at(&mut window, view);
        assert!(press_figure(&mut window, figure), "{view} has no figure of {figure}");
        assert!(explained(&window, "Rests on"), "{figure} of {view} is not explained");
        press(&mut window, Key::Escape);
    }
}

/// What the years, the behaviours and the boundaries come to is the total, and so is what explains them.
#[test]
fn a_capital_figure_of_a_year_is_explained_to_the_cent() {
    let mut window = platform();
    look_at(&mut window, "Year");
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let ledger = &evaluation.placements[0].ledger;
    // The scenario starts with a calendar year, and so does its fiscal year.
    let capital =
        ledger.postings.iter().filter(|posting| posting.month < 12 && ledger.lines[posting.line as usize].capital);
    let sum: outlay::quantity::Money = capital.map(|posting| posting.amount).sum();
    assert!(!sum.is_zero());
    assert!(press_figure(&mut window, "Capital"));
    let exact = outlay::show::Figures::default().exact(sum.minor(), evaluation.currency.minor_digits);
    assert!(window.query_all_by_label(&exact).next().is_some(), "{exact} is not what is explained");
}

#[test]
fn a_family_folds_away_by_keyboard_and_comes_back() {
    let mut window = platform();
    assert!(!row(&window, "Hardware").is_empty());
    let family = |window: &mut Window| {
        window.get_by_role_and_label(Role::DisclosureTriangle, "Supply").focus();
        window.run();
        press(window, Key::Enter);
    };
    family(&mut window);
    assert!(row(&window, "Hardware").is_empty(), "its rows are folded away");
    assert!(!row(&window, "Supply").is_empty() && !row(&window, "Network").is_empty(), "the others are not");
    family(&mut window);
    assert!(!row(&window, "Hardware").is_empty());
}

#[test]
fn differences_stand_alone_where_they_are_asked_for() {
    let mut window = platform();
    let count = window.state().scenario().placements.len();
    choose_palette(&mut window, "Compare as: Differences to the reference");
    let differences = row(&window, "Total");
    assert_eq!(differences.len(), count - 1, "every placement but the reference: {differences:?}");
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let of = |i: usize| evaluation.placements[i].totals.total;
    let figures = outlay::show::Figures::default();
    let expected: Vec<String> = (1..count).map(|i| figures.amount((of(i) - of(0)).minor(), 2)).collect();
    assert_eq!(differences, expected);
    choose_palette(&mut window, "Reference: F ");
    assert_eq!(row(&window, "Total").len(), count - 1);
}

/// Finds a command by its name and gives it.
fn choose_palette(window: &mut Window, name: &str) {
    command(window, Key::K);
    type_text(window, name);
    press(window, Key::Enter);
}

#[test]
fn the_table_is_copied_as_cells_that_foot() {
    let mut window = platform();
    for view in VIEWS {
        look_at(&mut window, view);
        let lines = copied_cells(&mut window);
        assert!(lines.len() > 3, "{view}: {lines:?}");
        assert!(lines.iter().all(|line| line.len() == lines[0].len()), "{view}: {lines:?}");
    }
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    look_at(&mut window, "Fixed / usage");
    let lines = copied_cells(&mut window);
    let of = |name: &str| &lines.iter().find(|line| line[0] == name).expect("a row")[1];
    assert_eq!(*of("Fixed"), outlay::show::plain(evaluation.placements[0].fixed.minor(), 2));
    assert_eq!(*of("Total"), outlay::show::plain(evaluation.placements[0].totals.total.minor(), 2));
}

/// A chart by keyboard alone: found among the commands, named, written.
#[test]
fn a_chart_is_exported_by_keyboard_alone() {
    let mut window = platform();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hours");
    choose_palette(&mut window, "Save chart: Hours ladder");
    type_text(&mut window, &path.display().to_string());
    press(&mut window, Key::Enter);
    let text = std::fs::read_to_string(path.with_extension("svg")).expect("the chart, under the first extension");
    assert!(text.contains("Hours ladder of A"));
}

#[test]
fn the_month_under_the_pointer_tells_the_exact_amounts() {
    let mut window = platform();
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let plot = window.get_by_role_and_label(Role::Figure, "Cumulative cost").rect();
    window.hover_at(plot.right_center() - egui::vec2(1.0, 0.0));
    window.run_steps(40);
    let total = outlay::show::Figures::default().exact(evaluation.placements[0].totals.total.minor(), 2);
    assert!(window.query_all_by_label_contains("By the end of month 59").next().is_some(), "the month is named");
    assert!(window.query_all_by_label_contains(&total).next().is_some(), "{total} is told");
}

#[test]
fn a_chart_turns_into_its_table_and_back() {
    let mut window = platform();
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("an opened scenario has figures");
    let last = evaluation.horizon_months - 1;
    let name = format!("{last}, A {}", evaluation.placements[0].name);
    assert!(window.query_by_role_and_label(Role::Table, "Table of Cumulative cost").is_none());
    press_in_sight(&mut window, "Show as table: Cumulative cost");
    window.run();
    window.get_by_role_and_label(Role::Table, "Table of Cumulative cost");
    let exact = outlay::show::Figures::default().exact(evaluation.placements[0].totals.total.minor(), 2);
    let cell = window.get_by(|node| node.role() == Role::Cell && node.label().as_deref() == Some(&*name));
    assert_eq!(cell.value(), Some(exact));
    press_in_sight(&mut window, "Show as drawing: Cumulative cost");
    window.run();
    assert!(window.query_by_role_and_label(Role::Table, "Table of Cumulative cost").is_none());
}

#[test]
fn a_chart_is_copied_as_a_picture_and_saved_where_it_is_told() {
    let mut window = platform();
    press_in_sight(&mut window, "Copy chart: Total by category");
    let image = given(&mut window, |command| match command {
        egui::OutputCommand::CopyImage(image) => Some(image.size),
        _ => None,
    });
    assert!(image.is_some_and(|[width, height]| width == 1920 && height > 200), "{image:?}");
    window.run();
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["cost.svg", "cost.png", "cost.csv"] {
        let path = folder.path().join(name);
        press_in_sight(&mut window, "Save chart: Cumulative cost");
        window.run();
        type_text(&mut window, &path.display().to_string());
        press(&mut window, Key::Enter);
        let written = std::fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(written.len() > 400, "{name}");
    }
}
