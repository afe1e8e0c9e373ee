//! Asking the command, and scenarios to ask it about.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use outlay::scenario::{Scenario, Syntax, read};
use serde_json::Value;

pub fn path(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/analyses").join(name).display().to_string()
}

pub fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outlay")).args(arguments).stdin(Stdio::null()).output().expect("the command runs")
}

pub fn text(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are text")
}

pub fn answer(arguments: &[&str]) -> Value {
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    serde_json::from_str(&text(&all)).expect("the answer is JSON")
}

pub fn refusal(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).expect("messages are text")
}

pub fn scenario(name: &str) -> Scenario {
    let text = std::fs::read_to_string(path(name)).expect("the scenario is there");
    read(&text, Syntax::Json).expect("the scenario is valid").0
}

/// The scenario with some values, as a file of its own.
pub fn changed(name: &str, change: impl FnOnce(&mut Value)) -> (tempfile::TempDir, String) {
    let text = std::fs::read_to_string(path(name)).expect("the scenario is there");
    let mut value = serde_json::from_str(&text).expect("the scenario is JSON");
    change(&mut value);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(name);
    std::fs::File::create(&file).and_then(|mut file| file.write_all(value.to_string().as_bytes())).expect("a file");
    (folder, file.display().to_string())
}
