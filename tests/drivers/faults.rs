//! Mistakes that sensitivity analyses are known for, one test for each that nothing else here or in `tests/analysis.rs` would
//! notice.

use serde_json::{Value, json};

use super::asked::{answer, changed, path, text};

fn bars(found: &Value) -> &Vec<Value> {
    found["bars"].as_array().expect("bars")
}

fn bar<'a>(found: &'a Value, path: &str) -> &'a Value {
    bars(found).iter().find(|bar| bar["path"] == path).unwrap_or_else(|| panic!("no bar of {path}: {found:#}"))
}

const RUNS: &str = "workloads.batch.demand.runs";

/// Runs from 60 to 100 on nodes that hold 73: a run costs 16.67, 14.29, 25, 22.22 and 20. Both ends are cheaper than the base
/// of 80 runs, the least and the greatest lie inside.
#[test]
fn a_bar_spans_what_lies_inside_its_range_and_both_ends_may_lie_on_one_side() {
    let (_folder, file) = changed("steps.json", |scenario| {
        scenario["workloads"][0]["demand"]["Runs"]["runs"] = json!({"low": "60", "value": "80", "high": "100"});
    });
    let found = answer(&["tornado", &file, "--placement", "own", "--figure", "cost_per_output.batch"]);
    let bar = bar(&found, RUNS);
    let number = |value: &Value| value.as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    let near = |value: &Value, exact: f64| assert!((number(value) - exact).abs() < 1e-9, "{value}, not {exact}");
    near(&found["base"], 25.0);
    near(&bar["results"][0], 1000.0 / 60.0);
    near(&bar["results"][4], 20.0);
    near(&bar["least"], 1000.0 / 70.0);
    near(&bar["greatest"], 25.0);
    near(&bar["swing"], 25.0 - 1000.0 / 70.0);
    assert_eq!(bar["non_monotonic"], true);
}

/// Ten percent of nothing is nothing: such an input is listed as held, and never shown with a bar of no length.
#[test]
fn a_share_of_zero_is_no_range() {
    let (_folder, file) = changed("steps.json", |scenario| scenario["default_range"] = json!("0.10"));
    let found = answer(&["tornado", &file, "--placement", "own"]);
    let held: Vec<&str> = found["held"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert!(held.contains(&"discounting.rate"), "{found:#}");
    assert!(bars(&found).iter().all(|bar| bar["path"] != "discounting.rate"));
}

/// Ten percent of 60 percent is 54 to 66 percent, not 50 to 70; and it is drawn as a default, not as if it had been stated.
#[test]
fn a_default_range_is_percent_of_the_value_and_says_so() {
    let (_folder, file) = changed("steps.json", |scenario| {
        scenario["default_range"] = json!("0.10");
        scenario["environments"][0]["capacity"] = json!({"schedulable_utilisation": "0.60"});
        // Forty runs fit on one node at the high of the utilisation, and take two at the low.
        scenario["workloads"][0]["demand"]["Runs"]["runs"] = json!("40");
    });
    let found = answer(&["tornado", &file, "--placement", "own"]);
    let used = bar(&found, "environments.nodes.capacity.schedulable_utilisation");
    assert_eq!((&used["low"], &used["high"], &used["range"]), (&json!("0.54"), &json!("0.66"), &json!("Default")));
    let stated = bar(&found, "environments.nodes.supply.monthly_per_node");
    assert_eq!((&stated["low"], &stated["high"], &stated["range"]), (&json!("500"), &json!("1500"), &json!("Stated")));
}

/// The base is the scenario as it stands, also where its values are no middles.
#[test]
fn the_base_is_the_scenario_itself() {
    let file = path("steps.json");
    let found = answer(&["tornado", &file, "--placement", "own", "--against", "rent"]);
    // A node of 1,000 a month against 60 runs of 20.
    assert_eq!(found["base"], "-2400.00");
}

/// What moves nothing is listed as such, and neither drawn nor left out.
#[test]
fn an_input_without_effect_is_listed() {
    let found = answer(&["tornado", &path("steps.json"), "--placement", "own"]);
    assert_eq!(found["unmoved"], json!(["environments.hours.supply.price"]));
}

/// A reader who sees the answer alone knows what it is about: figure, placements, currency, base, units and ends.
#[test]
fn a_tornado_says_what_it_shows() {
    let said = text(&["tornado", &path("steps.json"), "--placement", "own", "--against", "rent"]);
    for part in
        ["Present value of Own, less that of Rent, in USD: base (2,400.00)", "runs a period", "20", "300", "At low"]
    {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
}
