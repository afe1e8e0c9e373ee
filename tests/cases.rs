//! Every case in the folder of cases gives its stored result and its stored tornado.
//!
//! The folder is `tests/cases`, or the one that the variable `OUTLAY_CASES` names. Two results are equal where money is
//! equal to the minor unit and every other number agrees to 1e-9 relative (`tests/cases/README.md`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Other numbers agree to this, relative to the larger.
const TOLERANCE: f64 = 1e-9;

/// Numbers that are no money, by the name of their field.
const OTHER_NUMBERS: [&str; 16] = [
    "output",
    "cost_per_output",
    "levelised_cost_per_output",
    "unmet_share",
    "productive",
    "allocated",
    "occupied",
    "available",
    "installed",
    "baseline_equivalents",
    "needed_gpus",
    "low",
    "high",
    "inputs",
    "installed_gpus",
    "nodes",
];

fn folder() -> PathBuf {
    std::env::var_os("OUTLAY_CASES")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"), PathBuf::from)
}

/// The files that end so, each with the scenario it belongs to.
fn stored(ending: &str) -> Vec<(PathBuf, Value)> {
    let mut found: Vec<(PathBuf, Value)> = fs::read_dir(folder())
        .expect("the folder of cases can be listed")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let case = name.strip_suffix(ending)?;
            let text = fs::read_to_string(&path).expect("a stored answer can be read");
            let value = serde_json::from_str(&text).expect("a stored answer is JSON");
            Some((path.with_file_name(format!("{case}.scenario.json")), value))
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

fn outlay(arguments: &[&str]) -> Value {
    let done = Command::new(env!("CARGO_BIN_EXE_outlay")).args(arguments).output().expect("the command runs");
    let text = String::from_utf8(done.stdout).expect("answers are text");
    assert!(done.status.success(), "{arguments:?}: {text}{}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_str(&text).expect("the answer is JSON")
}

/// Every difference between a stored answer and a computed one. What only the computed one has is not looked at.
fn differences(stored: &Value, computed: &Value, path: &str, field: &str, found: &mut Vec<String>) {
    match (stored, computed) {
        (Value::Object(a), Value::Object(b)) => {
            for (key, value) in a {
                let path = format!("{path}.{key}");
                match b.get(key) {
                    Some(other) => differences(value, other, &path, key, found),
                    None => found.push(format!("{path} is missing")),
                }
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (position, (x, y)) in a.iter().zip(b).enumerate() {
                differences(x, y, &format!("{path}.{position}"), field, found);
            }
        }
        (a, b) if a == b => {}
        (a, b) => match (number(a), number(b)) {
            (Some(x), Some(y))
                if OTHER_NUMBERS.contains(&field) && (x - y).abs() <= TOLERANCE * x.abs().max(y.abs()) => {}
            _ => found.push(format!("{path}: stored {a}, computed {b}")),
        },
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str().and_then(|text| text.parse().ok()))
}

fn check(all: &[String]) {
    assert!(
        all.is_empty(),
        "{} differences:\n{}",
        all.len(),
        all.iter().take(40).cloned().collect::<Vec<_>>().join("\n")
    );
}

#[test]
fn every_case_gives_its_result() {
    let cases = stored(".result.json");
    assert!(!cases.is_empty(), "{} has no case", folder().display());
    let mut all = Vec::new();
    for (scenario, stored) in cases {
        let file = scenario.to_string_lossy();
        let computed = outlay(&["evaluate", &file, "--format", "json"]);
        differences(&stored, &computed, &file, "", &mut all);
    }
    check(&all);
}

/// A stored tornado has the bars of inputs with a stated range, and names only those that move nothing among them.
#[test]
fn every_case_gives_its_tornado() {
    let mut all = Vec::new();
    for (scenario, stored) in stored(".tornado.json") {
        let file = scenario.to_string_lossy();
        let text = |name: &str| stored.get(name).and_then(Value::as_str);
        let mut arguments = vec!["tornado", &*file, "--format", "json"];
        for (option, name) in [("--placement", "placement"), ("--against", "against"), ("--figure", "figure")] {
            arguments.extend(text(name).into_iter().flat_map(|value| [option, value]));
        }
        let mut computed = outlay(&arguments);
        if let Some(bars) = computed.get_mut("bars").and_then(Value::as_array_mut) {
            bars.retain(|bar| bar.get("range").and_then(Value::as_str) == Some("Stated"));
        }
        differences(&stored, &computed, &file, "", &mut all);
    }
    check(&all);
}
