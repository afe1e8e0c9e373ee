//! Figures lead to the inputs behind them.

use crate::support::*;

#[test]
fn a_figure_of_every_category_leads_to_the_inputs_behind_it_in_two_clicks() {
    use outlay::analysis::explain::Explainer;
    use outlay::scenario::Category;
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    for category in Category::ALL {
        let explainers: Vec<Explainer> = (0..window.state().scenario().placements.len())
            .map(|place| Explainer::new(window.state().scenario(), place).expect("a placement"))
            .collect();
        let posts = |explainer: &&Explainer| {
            let ledger = &explainer.result().ledger;
            ledger.postings.iter().any(|posting| ledger.lines[posting.line as usize].category == *category)
        };
        assert!(explainers.iter().any(|explainer| posts(&explainer)), "no placement posts {category:?}");
        command(&mut window, Key::Num1);
        assert!(press_figure(&mut window, category.label()), "no figure of {category:?} can be pressed");
        assert!(explained(&window, "Rests on"), "{category:?} rests on nothing");
        let links: Vec<String> = window
            .get_all_by(|node| node.role() == Role::Link && node.label().is_some_and(|l| l.starts_with("Go to ")))
            .filter_map(|node| node.accesskit_node().label())
            .collect();
        // Every line of the category has its own inputs among them, whatever kind of line it is.
        let first = explainers.iter().find(posts).expect("just found");
        let ledger = &first.result().ledger;
        for line in ledger.lines.iter().filter(|line| line.category == *category) {
            let label = |name: &&String| name.contains(&line.label);
            assert!(
                links.iter().any(|name| label(&name)) || line.rule.source != "method, §6",
                "{category:?} does not lead to {}: {links:?}",
                line.label
            );
        }
        let link = links.first().expect("an input").clone();
        window.get_all_by_label(&link).next().expect("the link").click_accesskit();
        window.run();
        let input = link.trim_start_matches("Go to ").to_owned();
        let cell = window.query_by_role_and_label(Role::TextInput, &input);
        assert!(cell.is_some(), "{input} is not where the link leads");
    }
}

#[test]
fn an_explanation_follows_the_figure_and_closes_with_escape() {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    assert!(press_figure(&mut window, "Hardware"));
    assert!(window.query_all_by_label("620,000.00").next().is_some(), "the figure to the cent");
    assert!(window.query_by_label_contains("2 × (1 − 0) × 310,000").is_some(), "its numbers");
    // The quantities in it are explained in turn.
    window.get_by_label("Formula of Nodes of the batch of owned, month 0").click();
    window.run();
    assert!(window.query_by_label("Formula of Nodes for the demand of owned").is_some());
    // An edit is explained with its new numbers.
    change_price(&mut window, "300000");
    assert!(window.query_all_by_label("600,000.00").next().is_some());
    press(&mut window, Key::Escape);
    press(&mut window, Key::Escape);
    assert!(!explained(&window, "Rests on"));
}

#[test]
fn f1_explains_the_figure_with_the_keyboard() {
    let mut window = window();
    press(&mut window, Key::F1);
    assert!(explained(&window, "Sum of"), "the total of the placement in focus, where no figure has the keyboard");
}

#[test]
fn an_explanation_opens_its_postings_in_the_ledger() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    assert!(press_figure(&mut window, "Power"));
    let link = window
        .get_by(|node| node.role() == Role::Link && node.label().is_some_and(|label| label.starts_with("Open ")))
        .accesskit_node()
        .label()
        .expect("the link has a name");
    window.get_by_label(&link).click();
    window.run();
    let count = link.trim_start_matches("Open ").trim_end_matches(" in ledger").to_owned();
    let wanted = format!("{count} postings");
    assert!(window.query_all_by_label_contains(&wanted).next().is_some(), "the ledger shows the {count} postings");
}

#[test]
fn figures_of_the_cards_and_differences_explain_themselves() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    window.get_by_label("Explain the present value of B").click();
    window.run();
    assert!(explained(&window, "Sum of") && explained(&window, "Rests on"));
    let difference = |label: String| label.starts_with("Power, Δ ");
    window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(difference)).click();
    window.run();
    assert!(explained(&window, "Difference of"));
    let part = |label: String| label.starts_with("Explain less A ");
    window.get_by(|node| node.role() == Role::Button && node.label().is_some_and(part)).click();
    window.run();
    assert!(explained(&window, "In words"), "each side is explained in turn");
    window.get_by_label("Back to the figure before").click();
    window.run();
    assert!(explained(&window, "Difference of"));
}

#[test]
fn another_scenario_is_never_explained_by_the_one_before() {
    let mut window = window_on(Some(PathBuf::from("scenarios/guide-example.ron")));
    assert!(press_figure(&mut window, "Hardware"));
    assert!(explained(&window, "Rests on"));
    command(&mut window, Key::O);
    type_text(&mut window, concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/university-cluster.ron"));
    press(&mut window, Key::Enter);
    assert!(window.state().path().is_some_and(|path| path.ends_with("university-cluster.ron")));
    assert!(!explained(&window, "Rests on"), "the explanation belonged to the other scenario");
}

#[test]
fn a_line_of_every_kind_leads_to_an_input_behind_it_in_two_clicks() {
    use outlay::analysis::explain::{Explainer, Measure, Selection, Subject};
    let mut seen = std::collections::BTreeSet::new();
    let mut files: Vec<PathBuf> = std::fs::read_dir("tests/cases")
        .expect("the stored cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.display().to_string().ends_with(".scenario.json"))
        .collect();
    files.sort();
    for file in files {
        let mut window = window_on(Some(file.clone()));
        for place in 0..window.state().scenario().placements.len() {
            let explainer = Explainer::new(window.state().scenario(), place).expect("a placement");
            let ledger = &explainer.result().ledger;
            let posting: std::collections::BTreeSet<u32> = ledger.postings.iter().map(|posting| posting.line).collect();
            for line in posting {
                let of = &ledger.lines[line as usize];
                if !seen.insert(of.rule.id) {
                    continue;
                }
                let selection = Selection { place: Some(line as usize), ..Selection::default() };
                let subject = Subject::Postings(selection, Measure::Total);
                let rests_on = explainer.explain(&subject).expect("postings can be explained").rests_on;
                let input = rests_on.first().expect("a line rests on inputs").input.full_label();
                command(&mut window, Key::Num1);
                let letter = char::from(b'A' + u8::try_from(place).expect("a handful of placements"));
                let cell = format!("{}, {letter} {}", of.category.label(), explainer.result().name);
                window.get_by_role_and_label(Role::Button, &cell).click_accesskit();
                window.run();
                let link = format!("Go to {input}");
                let found = window.query_all_by_label(&link).next();
                found
                    .unwrap_or_else(|| panic!("{}: {cell} does not lead to {input}", file.display()))
                    .click_accesskit();
                window.run();
                assert!(window.query_all_by_label(&input).next().is_some(), "{input} is not where the link leads");
            }
        }
    }
    assert!(seen.len() >= 35, "only {} kinds of lines: {seen:?}", seen.len());
}

#[test]
fn one_of_several_postings_of_a_month_is_explained_alone() {
    let mut window = window_on(Some(PathBuf::from("scenarios/regional-platform.ron")));
    page(&mut window, "Ledger");
    // Six batches bring in their residual values in the last month.
    let amount = "(441,750.00)";
    window
        .get_by(|node| {
            node.role() == Role::Row
                && node.label().is_some_and(|label| label.contains("Residual value of nodes"))
                && node.value().is_some_and(|value| value == amount)
        })
        .click();
    window.run();
    press(&mut window, Key::F1);
    assert!(explained(&window, "In words"));
    // The figure of the panel is that of the posting, not of the six of its line.
    assert!(window.query_all_by_label(amount).next().is_some());
    assert!(window.query_all_by_label("(3,786,730.11)").next().is_none(), "what the line posts in all");
}
