//! The command as a person or a script meets it: what it prints, where, and the exit code.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn case(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(format!("{name}.scenario.json"))
        .display()
        .to_string()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outlay")).args(arguments).stdin(Stdio::null()).output().expect("the command runs")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("answers are text")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("messages are text")
}

fn json(arguments: &[&str]) -> Value {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    serde_json::from_str(&out(&output)).expect("the answer is JSON")
}

/// A scenario file of its own, removed with its folder.
fn file(name: &str, text: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join(name);
    std::fs::File::create(&path).and_then(|mut file| file.write_all(text)).expect("a file");
    (folder, path.display().to_string())
}

#[test]
fn every_result_stands_under_its_conventions() {
    let case = case("05-bare-metal-euro");
    let commands: [&[&str]; 4] = [&["evaluate", &case], &["cases", &case], &["check", &case], &["diff", &case, &case]];
    for arguments in commands {
        let output = run(arguments);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", err(&output));
        for part in [
            "USD",
            "40 months from 2027-01",
            "nominal",
            "730 h a month",
            "before tax",
            "decided by present value",
            "case: base",
        ] {
            assert!(text.contains(part), "{arguments:?} says nothing of {part}:\n{text}");
        }
    }
}

#[test]
fn amounts_are_grouped_and_credits_stand_in_parentheses() {
    let text = out(&run(&["evaluate", &case("01-owned-two-nodes")]));
    for part in ["754,345.60", "743,558.40", "(87,000.00)", "Cheapest by present value: Own two nodes"] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
}

/// The guide's own numbers: 13.33 equivalents, 14 GPUs, two nodes, and two jobs that start together in one.
#[test]
fn the_steps_to_a_number_of_nodes_are_shown_with_their_range() {
    let text = out(&run(&["evaluate", &case("02-guide-example")]));
    let line = |label: &str| -> Vec<String> {
        let found = text.lines().find(|line| line.trim().starts_with(label));
        let found = found.unwrap_or_else(|| panic!("{label} is missing:\n{text}"));
        found.trim().trim_start_matches(label).split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(line("Baseline equivalents"), ["13.33"]);
    assert_eq!(line("Baseline, whole GPUs"), ["14"]);
    assert_eq!(line("Nodes for the GPUs needed"), ["2"]);
    assert_eq!(line("Nodes for runs that start together"), ["1"]);
    assert_eq!(line("Nodes at the low and at the high end of utilisation"), ["2", "and", "2"]);
    assert_eq!(line("Spare nodes"), ["1"]);
}

/// Two nodes at 290,000, 45 of 60 months old: 580,000 · (1 − 0.9 · 45/60) in the books, 580,000 · 0.195 brought in.
#[test]
fn nodes_that_leave_the_books_show_gain_or_loss() {
    let text = out(&run(&["evaluate", &case("02-guide-example")]));
    let row = text.lines().filter(|line| line.trim().starts_with("owned") && line.contains("47")).collect::<Vec<_>>();
    assert_eq!(row.len(), 2, "{text}");
    // In service from month 3: 45 months old at the horizon, between 27 % after three years and 17 % after four.
    let words: Vec<&str> = row[0].split_whitespace().collect();
    assert_eq!(words, ["owned", "47", "188,500.00", "113,100.00", "(75,400.00)"]);
}

#[test]
fn the_ledger_adds_up_to_the_total_in_every_form() {
    let case = case("03-cloud-commitment");
    let result = json(&["evaluate", &case, "--format", "json"]);
    let placement = &result["placements"][0];
    let id = placement["id"].as_str().expect("an id");
    let ledger = json(&["ledger", &case, "--placement", id, "--format", "json"]);
    let cents = |text: &str| text.replace('.', "").parse::<i64>().expect("an amount");
    let sum: i64 = ledger["postings"]
        .as_array()
        .expect("postings")
        .iter()
        .map(|posting| cents(posting["amount"].as_str().expect("text")))
        .sum();
    assert_eq!(sum, cents(placement["total"].as_str().expect("text")));
    let csv = out(&run(&["ledger", &case, "--placement", id, "--format", "csv"]));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let column = reader.headers().expect("a header").iter().position(|name| name == "amount").expect("amounts");
    let sum_of_table: i64 = reader.records().map(|row| cents(&row.expect("a row")[column])).sum();
    assert_eq!(sum_of_table, sum);
}

fn cents(text: &Value) -> i64 {
    text.as_str().expect("money is text").replace('.', "").parse().expect("an amount")
}

/// The same three figures from every form of the ledger, and from the evaluation.
#[test]
fn filtered_grouped_and_crossed_postings_add_up_to_the_evaluation() {
    let case = case("14-portfolio");
    let result = json(&["evaluate", &case, "--format", "json"]);
    let placement = &result["placements"][0];
    let id = placement["id"].as_str().expect("an id");
    let of = |arguments: &[&str]| {
        let whole = [&["ledger", case.as_str(), "--placement", id, "--format", "json"], arguments].concat();
        json(&whole)
    };
    let categories = of(&["--group", "category"]);
    for group in categories["groups"].as_array().expect("groups") {
        let category = group["category"].as_str().expect("a name");
        let filtered = of(&["--where", &format!("category={category}")]);
        let postings = filtered["postings"].as_array().expect("postings");
        assert_eq!(group["count"], postings.len(), "{category}");
        assert_eq!(postings.iter().map(|posting| cents(&posting["amount"])).sum::<i64>(), cents(&group["total"]));
    }
    assert_eq!(categories["total"], placement["total"]);
    assert_eq!(categories["present_value"], placement["present_value"]);
    let nested = of(&["--group", "environment,category"]);
    let inner = nested["groups"].as_array().expect("groups").iter().flat_map(|group| group["groups"].as_array());
    assert_eq!(inner.flatten().map(|group| cents(&group["total"])).sum::<i64>(), cents(&placement["total"]));
    let pivot = of(&["--pivot", "category:year", "--measure", "present_value"]);
    let sum = |list: &Value| list.as_array().expect("amounts").iter().map(cents).sum::<i64>();
    assert_eq!(sum(&pivot["totals"]), cents(&placement["present_value"]));
    assert_eq!(pivot["total"], placement["present_value"]);
    for line in pivot["lines"].as_array().expect("lines") {
        let cells = line["cells"].as_array().expect("cells").iter().filter(|cell| !cell.is_null());
        assert_eq!(cells.map(cents).sum::<i64>(), cents(&line["total"]));
    }
}

#[test]
fn postings_can_be_asked_for_over_all_placements() {
    let case = case("14-portfolio");
    let all = json(&["ledger", &case, "--group", "placement", "--format", "json"]);
    let result = json(&["evaluate", &case, "--format", "json"]);
    for (group, placement) in
        all["groups"].as_array().expect("groups").iter().zip(result["placements"].as_array().expect("them"))
    {
        assert_eq!((&group["placement"], &group["total"]), (&placement["id"], &placement["total"]));
    }
    let text = out(&run(&["ledger", &case, "--pivot", "environment,category:year"]));
    assert!(text.contains("Year 1") && text.contains("Total"), "{text}");
    let text = out(&run(&["ledger", &case, "--group", "category", "--search", "nodes"]));
    assert!(text.contains("Where line with “nodes”"), "{text}");
    let csv = out(&run(&["ledger", &case, "--group", "placement,category", "--format", "csv"]));
    assert!(csv.starts_with("placement,category,postings,total,present_value\r\n"), "{csv}");
    let two = out(&run(&["ledger", &case, "--placement", "hybrid", "--placement", "cloud", "--format", "csv"]));
    assert!(two.starts_with("placement,month,") && two.contains("\r\nhybrid,") && two.contains("\r\ncloud,"));
}

#[test]
fn a_wrong_question_to_the_ledger_is_a_sentence_and_a_wrong_call() {
    let case = case("14-portfolio");
    for (arguments, said) in [
        (&["--group", "colour"][..], "fiscal_year"),
        (&["--where", "colour=red"], "fiscal_year"),
        (&["--where", "category"], "category=Power"),
        (&["--group", "year", "--where", "category=Powr"], "Did you mean \"Power\"?"),
        (&["--pivot", "category"], "category:fiscal_year"),
        (&["--pivot", "category:category"], "two different dimensions"),
        (&["--group", "category", "--measure", "profit"], "present_value"),
        (&["--group", "category", "--pivot", "category:year"], "cannot be used with"),
        (&[], "--placement"),
    ] {
        let output = run(&[&["ledger", case.as_str()], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", out(&output));
        assert!(err(&output).contains(said), "{arguments:?}: {}", err(&output));
    }
}

/// A spreadsheet computes a cell that begins like a formula, whoever wrote it.
#[test]
fn no_label_becomes_a_formula_in_a_spreadsheet() {
    let scenario = std::fs::read_to_string(case("01-owned-two-nodes")).expect("the case");
    for begin in ["=", "+", "-", "@", "\t", "\r"] {
        let label = format!("{begin}HYPERLINK(\"x\")");
        let mut value: Value = serde_json::from_str(&scenario).expect("the case is JSON");
        value["environments"][0]["costs"][0]["label"] = label.clone().into();
        let (_folder, path) = file("formula.json", value.to_string().as_bytes());
        let csv = out(&run(&["ledger", &path, "--placement", "own", "--format", "csv"]));
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
        assert!(rows.iter().any(|row| row[3] == format!("'{label}")), "{begin:?}: {csv}");
        let credits = rows.iter().filter(|row| row[8].starts_with('-'));
        assert!(credits.count() > 0, "negative amounts stay numbers");
    }
}

#[test]
fn a_setting_and_a_case_change_the_answer_and_are_shown() {
    let plain = case("01-owned-two-nodes");
    let set = "environments.owned.supply.node.price=300000";
    let text = out(&run(&["evaluate", &plain, "--set", set]));
    assert!(text.contains("Node price · Owned: 290,000 → 300,000"), "{text}");
    let beyond = out(&run(&["evaluate", &plain, "--set", "environments.owned.supply.node.price=500000"]));
    assert!(beyond.contains("outside its range"), "{beyond}");
    let scenario = std::fs::read_to_string(&plain).expect("the case");
    let with_case = scenario.replacen(
        "\"format\": 1,",
        "\"format\": 1, \"cases\": [{\"id\": \"dear\", \"name\": \"Dear nodes\", \"set\": {\"environments.owned.supply.node.price\": \"300000\"}}],",
        1,
    );
    let (_folder, path) = file("dear.json", with_case.as_bytes());
    let by_case = json(&["evaluate", &path, "--case", "dear", "--format", "json"]);
    let by_setting = json(&["evaluate", &plain, "--set", set, "--format", "json"]);
    assert_eq!(by_case["placements"], by_setting["placements"]);
    assert!(out(&run(&["evaluate", &path, "--case", "dear"])).contains("case: Dear nodes"));
    let cases = json(&["cases", &path, "--format", "json"]);
    assert_eq!(cases["cases"][1]["placements"][0]["figure"], by_setting["placements"][0]["present_value"]);
    assert_eq!(cases["greatest_regret"]["own"], "0.00");
}

#[test]
fn exit_codes_tell_answers_from_failures_and_usage() {
    let good = case("01-owned-two-nodes");
    let (_folder, bad) = file("bad.ron", b"(format: 1, name: \"x\", currency: \"USD\"");
    let codes: [(&[&str], i32); 19] = [
        (&["--help"], 0),
        (&["--version"], 0),
        (&["schema"], 0),
        (&["check", &good], 0),
        (&["check", &bad], 1),
        (&["evaluate", &bad], 1),
        (&["evaluate", "nowhere.ron"], 1),
        (&["evaluate", "table.xlsx"], 2),
        (&["evaluate"], 2),
        (&["evaluate", &good, "--format", "yaml"], 2),
        (&["evaluate", &good, "--set", "inflation"], 2),
        (&["evaluate", &good, "--set", "inflaton=0.1"], 1),
        (&["ledger", &good, "--placement", "cloud"], 1),
        (&["tornado", &good, "--placement", "own", "--figure", "profit"], 1),
        (&["tornado", &good, "--placement", "own", "--against", "own"], 2),
        (&["evalute"], 2),
        (&["evalute", &good], 2),
        (&["evaluate", &good, "--case", "base"], 0),
        (&["evaluate", &good, "--case", "nowhere"], 1),
    ];
    for (arguments, code) in codes {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", out(&output), err(&output));
        assert!(code == 0 || !err(&output).is_empty() || !out(&output).is_empty(), "{arguments:?} says nothing");
    }
}

#[test]
fn a_failed_evaluation_prints_errors_as_json() {
    let (_folder, path) = file(
        "overflow.json",
        std::fs::read_to_string(case("01-owned-two-nodes"))
            .expect("the case")
            .replace("\"290000\"", "\"999999999999999\"")
            .replace("\"320000\"", "\"999999999999999\"")
            .replace("\"Nodes\": 2", "\"Nodes\": 1000000")
            .replace("\"2.8\"", "\"999999999999999\"")
            .replace("\"8.5\"", "\"999999999999999\"")
            .replace("\"10.2\"", "\"999999999999999\"")
            .as_bytes(),
    );
    let output = run(&[
        "evaluate",
        &path,
        "--format",
        "json",
        "--set",
        "environments.owned.costs.electricity.rate=999999999999999",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let answer: Value = serde_json::from_str(&out(&output)).expect("errors as JSON");
    let error = &answer["errors"][0];
    assert!(error["path"].as_str().is_some_and(|path| !path.is_empty()), "{answer}");
    assert!(error["message"].as_str().is_some_and(|message| message.contains("too large")), "{answer}");
}

#[test]
fn suggestions_name_the_nearest_input_and_figure() {
    let good = case("01-owned-two-nodes");
    let message = err(&run(&["evaluate", &good, "--set", "environments.owned.supply.node.prise=1"]));
    assert!(message.contains("environments.owned.supply.node.price"), "{message}");
    let message = err(&run(&["tornado", &good, "--placement", "own", "--figure", "cost_per_output.traning"]));
    assert!(message.contains("training"), "{message}");
}

/// Complete when every kind of message that can be about a file stands here once.
#[test]
fn every_error_names_its_file_and_speaks_plainly() {
    let good = case("01-owned-two-nodes");
    let (_page, page) = file("page.ron", b"# A page\n\nof prose, with `(`\n");
    let (_keys, keys) = file("keys.json", b"{format: 1}");
    let (_value, value) = file("value.json", b"{\"format\": 1, \"name\": yes}");
    let text = std::fs::read_to_string("scenarios/guide-example.ron").expect("the example");
    let (_zero, zero) = file("zero.ron", text.replace("horizon_months: 36", "horizon_months: 0").as_bytes());
    let calls: [(&[&str], &str, &str); 8] = [
        (&["evaluate", "nowhere.ron"], "nowhere.ron", "There is no such file or folder."),
        (&["evaluate", "README.md"], "README.md", "no scenario by its name"),
        (&["check", &page], &page, "This is no scenario: one begins with “(”, and this text with “# A page”"),
        (&["check", &keys], &keys, "the name of a field is expected, in double quotes"),
        (&["check", &value], &value, "a text or a number in double quotes"),
        (&["check", &zero], &zero, "horizon_months: 0 is below 1"),
        (&["evaluate", &good, "--set", "nope=3"], &good, "None of its"),
        (&["evaluate", &good, "--set", "inflation=1,234"], &good, "can be read in two ways"),
    ];
    for (arguments, name, sentence) in calls {
        let output = run(arguments);
        let said = out(&output) + &err(&output);
        assert!(said.contains(name) && said.contains(sentence), "{arguments:?}: {said}");
        assert!(!said.contains("os error") && !said.contains("ident"), "{arguments:?}: {said}");
        assert!(!said.contains("warning:"), "warnings that follow from an error: {said}");
    }
}

#[test]
fn a_word_that_is_no_command_is_answered_with_the_commands() {
    for arguments in [&["evalute"][..], &["evalute", "plan.ron"]] {
        let said = err(&run(arguments));
        for part in ["evalute", "Did you mean `evaluate`?", "check", "tornado", "schema"] {
            assert!(said.contains(part), "{part} is missing: {said}");
        }
    }
}

#[test]
fn a_setting_is_written_as_in_a_cell_of_the_window() {
    let good = case("01-owned-two-nodes");
    let price = "environments.owned.supply.node.price";
    let set = |setting: &str| json(&["evaluate", &good, "--format", "json", "--set", setting]);
    assert_eq!(set(&format!("{price}=300k")), set(&format!("{price}=300000")));
    assert_eq!(set("discounting.rate=9%"), set("discounting.rate=0.09"));
    assert_eq!(set(&format!("{price}==2*150k")), set(&format!("{price}=300000")));
}

/// What one reads, not how it is written in the file.
#[test]
fn a_difference_is_told_part_by_part() {
    let text = std::fs::read_to_string("scenarios/guide-example.ron").expect("the example");
    let first = "environments.owned.supply.node.price";
    let (_folder, before) = file("before.ron", text.as_bytes());
    let changed = text.replacen("value: \"310000\"", "value: \"340000\"", 1).replacen("high: \"", "high: \"9", 1);
    let (_other, after) = file("after.ron", changed.as_bytes());
    let said = out(&run(&["diff", &before, &after]));
    assert!(said.contains(&format!("({first}), changed\n  310,000 → 340,000 USD a node\n")), "{said}");
    assert!(said.contains("  range ") && !said.contains("(value:"), "{said}");
}

#[test]
fn a_tornado_says_which_placement_gives_way_to_which() {
    let said = out(&run(&["tornado", "scenarios/guide-example.ron", "--placement", "own"]));
    assert!(said.contains("preferred changes from Own the nodes to Rent the nodes at "), "{said}");
}

#[test]
fn kinds_and_served_shares_are_written_for_people() {
    let said = out(&run(&["evaluate", "scenarios/guide-example.ron"]));
    let line = |label: &str| said.lines().find(|line| line.starts_with(label)).unwrap_or_default().to_owned();
    assert!(line("Kind").contains("Bare metal"), "{said}");
    assert!(line("Serves").contains("100 %"), "{said}");
}

#[test]
fn whoever_stops_reading_is_not_answered_with_a_panic() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outlay"))
        .args(["ledger", &case("14-portfolio"), "--placement", "hybrid"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(err(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_tornado_of_a_ratio_and_of_a_difference() {
    let portfolio = case("14-portfolio");
    let ratio = json(&[
        "tornado",
        &portfolio,
        "--placement",
        "hybrid",
        "--figure",
        "levelised_cost_per_output.assistant",
        "--format",
        "json",
    ]);
    assert_eq!(ratio["figure"], "levelised_cost_per_output.assistant");
    assert!(ratio["bars"].as_array().is_some_and(|bars| !bars.is_empty()));
    let difference = json(&["tornado", &portfolio, "--placement", "hybrid", "--against", "cloud", "--format", "json"]);
    assert_eq!(difference["against"], "cloud");
    let keys: Vec<&str> = difference["bars"][0].as_object().expect("a bar").keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "path",
            "label",
            "unit",
            "low",
            "high",
            "range",
            "evidence",
            "inputs",
            "results",
            "least",
            "greatest",
            "swing",
            "non_monotonic",
            "changes_preferred",
            "switch_over"
        ]
    );
}

#[test]
fn the_schema_refers_only_to_what_it_defines_and_knows_every_field() {
    let schema = json(&["schema"]);
    let definitions = schema["$defs"].as_object().expect("definitions");
    let mut references = Vec::new();
    fn collect(value: &Value, references: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (key, inner) in object {
                    if key == "$ref" {
                        references.extend(inner.as_str().map(str::to_owned));
                    }
                    collect(inner, references);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, references)),
            _ => {}
        }
    }
    collect(&schema, &mut references);
    for reference in references {
        let name = reference.strip_prefix("#/$defs/").expect("a local reference");
        assert!(definitions.get(name).is_some_and(|definition| !definition.is_null()), "{reference}");
    }
    let fields = definitions["Scenario"]["properties"].as_object().expect("fields").len();
    assert_eq!(fields, outlay::scenario::Scenario::FIELDS.len());
}

#[cfg(not(feature = "gui"))]
#[test]
fn without_a_window_a_sentence_says_so() {
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(err(&output).contains("no window") && err(&output).contains("outlay evaluate"), "{}", err(&output));
}

/// Section 6 of the collection: 8,556.24 hours are printed as 8,556, and 15,708.48 as 15,710.
#[test]
fn published_figures_stand_beside_computed_ones_in_every_form() {
    let output = run(&["published"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let text = out(&output);
    for part in [
        "published figures in 9 cases",
        "NIST BLCC 5.3-19",
        "scenarios/published/lighting-retrofit.ron",
        "8,556.24",
        "explained [1]",
        "Convention: price / (cloud per hour − own per hour)",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    assert!(!text.contains("not reproduced"), "{text}");

    let value = json(&["published", "--format", "json"]);
    let rows = |case: &Value| case["rows"].as_array().expect("rows").clone();
    let cases = value["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 9);
    let break_even = cases.iter().find(|case| case["id"] == "break-even").expect("the case");
    assert_eq!(break_even["scenarios"][0], "own-or-cloud.ron");
    let row = &rows(break_even)[4];
    assert_eq!(row["published"], "15710");
    assert_eq!(row["verdict"], "Explained");
    assert!(row["computed"].as_str().expect("a figure").starts_with("15708.4777"));
    assert!(row["difference"].as_str().expect("a figure").starts_with("-1.5222"));
    assert_eq!(value["verdicts"]["Unexplained"], 0);

    let csv = out(&run(&["published", "--format", "csv"]));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().expect("a header").iter().next(), Some("case"));
    assert_eq!(reader.records().count(), cases.iter().map(|case| rows(case).len()).sum::<usize>());
}

#[test]
fn a_figure_is_explained_down_to_the_inputs_behind_it() {
    let guide = "scenarios/guide-example.ron";
    let text = out(&run(&["explain", guide, "--placement", "own", "--category", "Hardware"]));
    for part in [
        "620,000.00 USD",
        "Nodes of the batch × (1 − deposit) × node price, rounded to the minor unit",
        "= 2 × (1 − 0) × 310,000 = 620,000",
        // The guide's own numbers: 13.33 equivalents, two nodes.
        "= ⌈13.333333333333 ÷ 8⌉ = 2",
        "environments.owned.supply.node.price",
        "Cost sheet behind 'H100 Freakonomics', August 2024",
        "730 h a month",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    let answer = json(&["explain", guide, "--placement", "own", "--figure", "total", "--format", "json"]);
    let total = json(&["evaluate", guide, "--format", "json"])["placements"][0]["total"].clone();
    assert_eq!(answer["value"], total);
    let lines = answer["lines"].as_array().expect("lines");
    let cents = |value: &Value| value.as_str().and_then(|text| text.replace('.', "").parse::<i64>().ok());
    let sum: i64 = lines.iter().filter_map(|line| cents(&line["amount"])).sum();
    assert_eq!(Some(sum), cents(&total), "the lines add up to the total");
    assert_eq!(answer["conventions"]["hours"], "730 h a month");
    // A present value is explained by the factors of present values.
    let discounted =
        ["explain", guide, "--placement", "own", "--figure", "by_year.2.present_value", "--format", "json"];
    let words = json(&discounted)["lines"][0]["formula"][0]["words"].to_string();
    assert!(words.contains("discount factor"), "{words}");
    let csv = out(&run(&["explain", guide, "--placement", "own", "--line", "nodes", "--format", "csv"]));
    assert!(csv.contains("owned,nodes,Hardware,0,Fixed,620000.00,620000.00"), "{csv}");
}

#[test]
fn a_figure_that_there_is_not_is_said_with_the_nearest() {
    let guide = "scenarios/guide-example.ron";
    for (arguments, said) in [
        (["--figure", "exposures.idle_comitment"], "The nearest figure is exposures.idle_commitment"),
        (["--category", "Powr"], "Did you mean \"Power\""),
        (["--line", "node"], "Did you mean \"nodes\""),
        (["--year", "9"], "the horizon has years 1 to 3"),
    ] {
        let mut all = vec!["explain", guide, "--placement", "own"];
        all.extend(arguments);
        let output = run(&all);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(err(&output).contains(said), "{arguments:?}: {}", err(&output));
    }
}

#[test]
fn every_answer_in_json_carries_its_conventions() {
    let case = case("05-bare-metal-euro");
    let commands: [&[&str]; 5] = [
        &["evaluate", &case],
        &["cases", &case],
        &["check", &case],
        &["diff", &case, &case],
        &["ledger", &case, "--placement", "rent"],
    ];
    for arguments in commands {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json", "--set", "discounting.rate=0.07"]);
        let answer = json(&all);
        let held = &answer["conventions"];
        assert_eq!(held["discounting"], "7 % nominal, end of month", "{all:?}");
        assert_eq!(held["case"], "case: base");
        assert_eq!(held["set"][0]["value"], "0.07");
    }
}
