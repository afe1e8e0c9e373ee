//! The scenarios that ship: whole, canonical, and worth learning from.
//!
//! Nothing here knows a figure: it asks what a reader of the files would miss.

use std::path::{Path, PathBuf};

use outlay::analysis::cases::cases;
use outlay::engine::{Evaluation, evaluate, open};
use outlay::input::EvidenceKind;
use outlay::quantity::Exact;
use outlay::scenario::{Problem, Scenario, Syntax, write};

/// Each file with an input across whose range another placement becomes preferred. Complete where it names every file of
/// the folder, which [`every_shipped_file_is_named`] sees to.
const SHIPPED: [(&str, &str); 4] = [
    ("guide-example.ron", "workloads.training.demand.runs"),
    ("inference-startup.ron", "environments.token-api.supply.price.chat-api"),
    ("regional-platform.ron", "environments.campus-base.supply.sizing"),
    ("university-cluster.ron", "workloads.group-jobs.demand.runs"),
];

/// The scenarios of published cases: each reproduces somebody's figures, so that it compares only what they compare.
fn published() -> impl Iterator<Item = (&'static str, String, Scenario)> {
    let shipped = outlay::analysis::published::cases().into_iter().flat_map(|case| case.scenarios);
    shipped.map(|shipped| {
        let opened = open(shipped.text, Syntax::Ron).unwrap_or_else(|problems| {
            let sentences: Vec<String> = problems.iter().map(Problem::to_string).collect();
            panic!("{}: {sentences:#?}", shipped.file)
        });
        (shipped.file, shipped.text.to_owned(), opened.scenario)
    })
}

/// Every file that ships, whatever it is for.
fn all() -> impl Iterator<Item = (&'static str, String, Scenario)> {
    shipped().map(|(name, _, text, scenario, _)| (name, text, scenario)).chain(published())
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder of scenarios").map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios")
}

fn shipped() -> impl Iterator<Item = (&'static str, &'static str, String, Scenario, Evaluation)> {
    SHIPPED.iter().map(|(name, flips)| {
        let text = std::fs::read_to_string(folder().join(name)).expect("a shipped file");
        let opened = open(&text, Syntax::Ron).unwrap_or_else(|problems| {
            let sentences: Vec<String> = problems.iter().map(Problem::to_string).collect();
            panic!("{name}: {sentences:#?}")
        });
        (*name, *flips, text, opened.scenario, opened.evaluation)
    })
}

#[test]
fn every_shipped_file_is_named() {
    assert_eq!(files(&folder()), SHIPPED.map(|(name, _)| name));
    let mut named: Vec<&str> = published().map(|(name, ..)| name).collect();
    named.sort_unstable();
    assert_eq!(files(&folder().join("published")), named);
}

#[test]
fn shipped_files_are_written_as_the_application_writes_them() {
    for (name, text, scenario) in all() {
        assert!(write(&scenario, Syntax::Ron) == text, "{name} is not canonical; open and save it");
    }
}

#[test]
fn each_compares_placements_in_cases_of_which_every_one_has_figures() {
    for (name, _, _, scenario, _) in shipped() {
        assert!(2 <= scenario.placements.len(), "{name}");
        assert!(!scenario.cases.is_empty(), "{name} has no case");
        assert!(cases(&scenario).is_ok(), "{name}: every case evaluates");
        for case in &scenario.cases {
            assert!(!case.owner.is_empty() && case.review_by.is_some(), "{name}: {} has no owner or date", case.id);
        }
    }
}

#[test]
fn a_placement_that_does_not_serve_everything_is_shown_and_never_cheapest() {
    for (name, _, _, _, evaluation) in shipped().filter(|(name, ..)| *name != "guide-example.ron") {
        assert!(evaluation.placements.iter().any(|placement| !placement.meets_service), "{name}");
        let cheapest = evaluation.cheapest.expect("something serves everything");
        assert!(evaluation.placements[cheapest].meets_service, "{name}");
    }
}

#[test]
fn the_preference_flips_within_a_range() {
    for (name, path, _, scenario, base) in shipped() {
        let input = scenario.input(path).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let range = input.input.range().expect("it has a range");
        let preferred = |value: Exact| {
            let moved = scenario.with(path, value).expect("a value of its range");
            evaluate(&moved).expect("a value of its range evaluates").cheapest
        };
        let flips = [range.low, range.high].into_iter().any(|end| preferred(end) != base.cheapest);
        assert!(flips, "{name}: {path}");
    }
}

/// A case of a published scenario evaluates too, and the scenario says what it reproduces and from where.
#[test]
fn the_cases_of_published_scenarios_have_figures() {
    for (name, _, scenario) in published() {
        assert!(cases(&scenario).is_ok(), "{name}: every case evaluates");
        assert!(!scenario.notes.is_empty(), "{name} does not say what it reproduces");
        let stated =
            scenario.inputs().into_iter().filter(|input| input.input.evidence_kind() == EvidenceKind::Published);
        assert!(stated.count() > 0, "{name} names no published input");
    }
}

/// A source is named, or it is said that there is none; what is assumed has a range to challenge.
#[test]
fn evidence_says_where_it_comes_from() {
    for (name, _, scenario) in all() {
        for input in scenario.inputs() {
            let Some(evidence) = input.input.evidence() else { continue };
            assert!(!evidence.source.is_empty(), "{name}: {} has evidence without a source", input.path);
            if evidence.kind == EvidenceKind::Published {
                assert!(evidence.as_of.is_some(), "{name}: {} is published without a date", input.path);
            }
        }
    }
}
