//! A gallery of files that are refused, each with the sentences it is refused with.
//!
//! A RON file carries them in its first lines, `// Problem: …`; JSON has no comments, so that they stand in a file beside
//! it. Complete when every rule of "Valid means" in the description of the format has a file, and every kind of broken
//! text.

use std::fs;
use std::path::{Path, PathBuf};

use outlay::engine::open;
use outlay::scenario::{Problem, Syntax, decode};

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the gallery can be listed").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn expected(text: &str) -> Vec<String> {
    let lines = text.lines().map(|line| line.trim_start_matches("// "));
    lines.map_while(|line| line.strip_prefix("Problem: ")).map(str::to_owned).collect()
}

fn errors(text: &str, syntax: Syntax) -> Vec<String> {
    match open(text, syntax) {
        Ok(_) => Vec::new(),
        Err(problems) => problems.iter().filter(|problem| problem.is_error()).map(Problem::to_string).collect(),
    }
}

#[test]
fn every_file_is_refused_with_its_sentences() {
    let mut seen = 0;
    for path in files() {
        let syntax = match path.extension().and_then(|extension| extension.to_str()).and_then(Syntax::of_extension) {
            Some(syntax) => syntax,
            None => continue,
        };
        let text = fs::read_to_string(&path).expect("a text");
        let sentences = match syntax {
            Syntax::Ron => expected(&text),
            Syntax::Json => {
                expected(&fs::read_to_string(format!("{}.expected", path.display())).expect("its sentences"))
            }
        };
        assert!(!sentences.is_empty(), "{} says why it is refused", path.display());
        assert_eq!(errors(&text, syntax), sentences, "{}", path.display());
        seen += 1;
    }
    assert!(seen > 100, "only {seen} files");
}

#[test]
fn what_is_no_text_is_refused_with_a_sentence() {
    let utf16: Vec<u8> = "\u{feff}(format: 1)".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let enormous = vec![b' '; 33 * 1024 * 1024];
    for (bytes, part) in [
        (&utf16[..], "UTF-16"),
        (&b"(format: 1, name: \"caf\xe9\")"[..], "not text in UTF-8"),
        (&enormous[..], "at most 32 MB"),
    ] {
        let problem = decode(bytes).expect_err(part);
        assert!(problem.to_string().contains(part), "{problem}");
    }
    let nul = errors("(format: 1,\n name: \"a\0b\")", Syntax::Ron);
    assert!(
        nul.iter().any(|sentence| sentence.starts_with("line 2, column 10: ") && sentence.contains("NUL")),
        "{nul:?}"
    );
}

#[test]
fn a_mark_at_the_start_other_line_ends_and_last_commas_are_fine() {
    let json = include_str!("cases/01-owned-two-nodes.scenario.json");
    let plain = open(json, Syntax::Json).expect("the case is valid").scenario;
    let commas = json.replace("\n  }\n", ",\n  }\n").replace("\n ]", ",\n ]");
    for text in [format!("\u{feff}{json}"), json.replace('\n', "\r\n"), commas] {
        assert_eq!(open(&text, Syntax::Json).expect("still valid").scenario, plain);
    }
    let quoted = json
        .replace("\"horizon_months\": 36", "\"horizon_months\": \"36\"")
        .replace("\"Nodes\": 2", "\"Nodes\": \"2\"");
    assert_ne!(quoted, json);
    assert_eq!(open(&quoted, Syntax::Json).expect("whole numbers may stand in quotes").scenario, plain);
    let ron = outlay::scenario::write(&plain, Syntax::Ron);
    for text in [format!("\u{feff}{ron}"), ron.replace('\n', "\r\n"), ron.replace("Some(High)", "High")] {
        assert_eq!(open(&text, Syntax::Ron).expect("still valid").scenario, plain);
    }
}
