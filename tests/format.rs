//! What is written reads back the same, and writing again changes nothing, in both syntaxes.

use std::fs;
use std::path::PathBuf;

use outlay::scenario::{Syntax, read, write};

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
        let (scenario, warnings) =
            read(&text, Syntax::Json).unwrap_or_else(|problems| panic!("{}: {problems:?}", path.display()));
        for warning in warnings {
            println!("{}: {warning}", path.display());
        }
        for syntax in [Syntax::Ron, Syntax::Json] {
            let written = write(&scenario, syntax);
            if std::env::var_os("SHOW").is_some() {
                println!("{written}");
            }
            let (again, _) =
                read(&written, syntax).unwrap_or_else(|problems| panic!("{}: {problems:?}\n{written}", path.display()));
            assert_eq!(again, scenario, "{}", path.display());
            assert_eq!(write(&again, syntax), written, "{}", path.display());
            assert!(!written.contains('\r') && written.lines().all(|line| line.trim_end() == line));
        }
    }
}
