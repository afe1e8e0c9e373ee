//! The pages of `docs/` say what the program does: they are written from it, and are current.
//!
//! With OUTLAY_WRITE_DOCS=1 the pages are written instead of compared.

use std::path::Path;

use outlay::engine::evaluate;
use outlay::scenario::Scenario;
use outlay::words::{MethodPage, Source, inputs_page, method_page};

mod support;

/// The scenarios that ship before the cases, the richest first: what can be shown from an earlier one is.
fn scenarios() -> Vec<(String, Scenario, bool)> {
    const FIRST: [&str; 3] = ["regional-platform.ron", "inference-startup.ron", "university-cluster.ron"];
    let mut found: Vec<(String, Scenario, bool)> = support::stored()
        .into_iter()
        .map(|(name, scenario)| {
            let ships = name.ends_with(".ron");
            (format!("{}/{name}", if ships { "scenarios" } else { "tests/cases" }), scenario, ships)
        })
        .collect();
    let place = |name: &str| FIRST.iter().position(|first| name.ends_with(first)).unwrap_or(FIRST.len());
    found.sort_by_key(|(name, _, ships)| (!ships, place(name), name.clone()));
    found
}

fn method() -> MethodPage {
    let scenarios = scenarios();
    let sources = scenarios.iter().flat_map(|(name, scenario, ships)| {
        (0..scenario.placements.len()).map(move |place| Source::new(name, scenario, place, *ships).expect(name))
    });
    method_page(sources)
}

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os("OUTLAY_WRITE_DOCS").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of the pages");
        std::fs::write(&path, text).expect("a page can be written");
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = stored.lines().zip(text.lines()).position(|(stored, current)| stored != current);
    let line = differs.unwrap_or_else(|| stored.lines().count().min(text.lines().count())) + 1;
    assert!(
        stored == text,
        "docs/{name} is not current from line {line} on. Run `OUTLAY_WRITE_DOCS=1 cargo test --test pages` and review what \
         changes."
    );
}

#[test]
fn the_page_of_inputs_is_current() {
    check("inputs.md", &inputs_page());
}

#[test]
fn the_page_of_the_method_is_current_and_leaves_out_no_rule() {
    let MethodPage { text, missing } = method();
    check("method.md", &text);
    assert!(missing.is_empty(), "{missing:#?}");
    for (name, scenario, _) in scenarios() {
        for placement in evaluate(&scenario).expect("a stored scenario has figures").placements {
            for line in &placement.ledger.lines {
                let rule = format!("rule `{}`; {}", line.rule.id, line.rule.source);
                assert!(text.contains(&rule), "{name}: the {rule} of {} is not on the page", line.label);
            }
        }
    }
}

/// The pattern of a path matches a path that has any one step where the pattern has `<…>`.
fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('.').collect(), path.split('.').collect());
    pattern.len() == path.len() && pattern.iter().zip(path).all(|(of, step)| of.starts_with('<') || *of == step)
}

#[test]
fn every_input_of_a_stored_scenario_stands_on_the_page_under_its_path_and_label() {
    let page = inputs_page();
    let rows: Vec<(Vec<&str>, &str)> = page
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split(" | ");
            let paths = cells.next()?.split("<br>").map(|path| path.trim_matches('`')).collect();
            Some((paths, cells.next()?))
        })
        .collect();
    for (name, scenario, _) in scenarios() {
        for input in scenario.inputs() {
            let stands = rows.iter().any(|(paths, label)| {
                *label == input.decl.label && paths.iter().any(|pattern| matches(pattern, &input.path))
            });
            assert!(stands, "{name}: {} ({}) is not on the page of inputs", input.path, input.decl.label);
        }
    }
}
