//! What is written reads back the same, and writing again changes nothing, in both syntaxes; and no text, however broken,
//! brings the reader down.

use std::fs;
use std::path::PathBuf;

use outlay::engine::open;
use outlay::scenario::{Scenario, Syntax, decode, read, write};
use proptest::prelude::*;

mod support;

fn cases() -> Vec<(PathBuf, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");
    let mut cases: Vec<(PathBuf, String)> = fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.to_string_lossy().ends_with(".scenario.json"))
        .map(|path| (path.clone(), fs::read_to_string(&path).expect("a text")))
        .collect();
    cases.sort();
    assert!(!cases.is_empty());
    cases
}

#[test]
fn the_cases_read_without_a_problem_and_round_trip() {
    for (path, text) in cases() {
        let (scenario, _) =
            read(&text, Syntax::Json).unwrap_or_else(|problems| panic!("{}: {problems:?}", path.display()));
        round_trips(&scenario);
    }
}

fn round_trips(scenario: &Scenario) {
    for syntax in [Syntax::Ron, Syntax::Json] {
        let written = write(scenario, syntax);
        let (again, _) = read(&written, syntax).unwrap_or_else(|problems| panic!("{problems:?}\n{written}"));
        assert_eq!(&again, scenario, "{written}");
        assert_eq!(write(&again, syntax), written);
        assert!(
            !written.contains('\r') && written.ends_with('\n') && written.lines().all(|line| line.trim_end() == line)
        );
    }
}

/// Broken text: a piece removed, doubled, or replaced by what means something to the reader.
fn broken(text: &str, edits: &[(u32, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    let pieces: [&[u8]; 16] = [
        b"",
        b"(",
        b")",
        b"[",
        b"]",
        b"{",
        b"}",
        b"\"",
        b"\\",
        b",",
        b":",
        b"\xff\xfe",
        b"r#\"",
        b"/*",
        b"-99999999999999999999",
        b"Some(",
    ];
    for (at, length, piece) in edits {
        let start = *at as usize % (bytes.len() + 1);
        let end = (start + usize::from(*length % 24)).min(bytes.len());
        bytes.splice(start..end, pieces[usize::from(*piece) % pieces.len()].iter().copied());
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_round_trips(scenario in support::scenarios()) {
        round_trips(&scenario);
    }

    #[test]
    fn broken_text_gets_an_answer(
        scenario in support::scenarios(),
        edits in prop::collection::vec((any::<u32>(), any::<u8>(), any::<u8>()), 1..4),
        as_json in any::<bool>(),
    ) {
        let syntax = if as_json { Syntax::Json } else { Syntax::Ron };
        let bytes = broken(&write(&scenario, syntax), &edits);
        if let Ok(text) = decode(&bytes)
            && let Err(problems) = open(text, syntax)
        {
            prop_assert!(problems.iter().any(|problem| problem.is_error() && problem.message.len() > 10));
        }
    }
}

/// Texts that have brought readers down: each is answered at once.
#[test]
fn hostile_text_gets_an_answer() {
    let many = |piece: &str, times: usize| piece.repeat(times);
    let texts = [
        many("(", 1_000_000),
        many("[", 1_000_000),
        many("{\"a\":", 100_000),
        many("Some(", 100_000),
        many("/*", 100_000),
        many("\"", 100_001),
        many("r#", 100_000),
        format!("r{}\"", many("#", 100_000)),
        format!("(format: 1, name: \"{}\")", many("x", 1_000_000)),
        format!("(format: {})", many("9", 100_000)),
        format!("#![enable({})]", many("implicit_some,", 10_000)),
        "(format: 1, workloads: [".to_owned() + &many("(id: \"a\"),", 20_000),
        many("\u{feff}", 1000),
        many("\n", 1_000_000),
        "\u{0}".into(),
        "#".into(),
        "(format: 1".into(),
    ];
    for text in texts {
        for syntax in [Syntax::Ron, Syntax::Json] {
            assert!(open(&text, syntax).is_err(), "{:.40}", text);
        }
    }
}

/// Thousands of problems are listed up to a point and counted beyond it.
#[test]
fn a_file_full_of_problems_is_answered_soon() {
    let (path, text) = cases().remove(0);
    let line = r#"{"id": "electricity", "label": "x", "category": "Power", "boundary": "Retained", "driver": {"OutputUnit": "nothing"}, "rate": {"Flat": "-1"}, "index": "nowhere"},"#;
    let crowded = text.replacen("\"costs\": [", &format!("\"costs\": [{}", line.repeat(20_000)), 1);
    assert_ne!(crowded, text, "{}", path.display());
    let problems = open(&crowded, Syntax::Json).expect_err("nothing of this is valid");
    assert!((1000..1100).contains(&problems.len()), "{}", problems.len());
    assert!(problems.iter().any(|problem| problem.message.contains("more problems")));
}
