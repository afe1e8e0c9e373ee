//! Draws: their distributions, what is counted of them, the same answer however they are divided, and each as a scenario.

use std::collections::BTreeMap;

use outlay::analysis::distribution::Spread;
use outlay::analysis::uncertainty::{Question, interval, uncertainty};
use outlay::analysis::worth::by_worth;
use outlay::engine::Figure;
use outlay::input::Distribution;
use outlay::scenario::{Scenario, Syntax, read};
use serde_json::{Value, json};

use super::asked::{answer, changed, path, refusal, scenario, text};

fn number(value: &Value) -> f64 {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{value} is no number in quotes"))
}

/// The value below which a share lies, and the share below that value, against an independent source (see the file).
#[test]
fn quantiles_agree_with_an_independent_source() {
    let text = std::fs::read_to_string(path("quantiles.csv")).expect("the reference values");
    let mut checked = BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let numbers: Vec<f64> = cells[1..].iter().map(|cell| cell.parse().expect("a number")).collect();
        let [low, value, high, below, expected] = numbers[..] else { panic!("six cells: {line}") };
        let distribution = Distribution::ALL.iter().find(|of| of.name() == cells[0]).expect("a distribution");
        let spread = Spread::new(*distribution, low, value, high);
        let found = spread.quantile(below);
        let scale = expected.abs().max(high - low);
        assert!((found - expected).abs() <= 1e-9 * scale, "{line}: {found}");
        let share = (found - low) / (high - low);
        assert!((spread.share(below) - share).abs() <= 1e-9 * share.abs().max(1.0), "{line}");
        assert!((spread.below(expected) - below).abs() <= 1e-9, "{line}: {} below", spread.below(expected));
        *checked.entry(cells[0].to_owned()).or_insert(0) += 1;
    }
    assert_eq!(checked.len(), Distribution::ALL.len(), "every distribution is checked: {checked:?}");
}

/// 240 a run with 50 to 150 runs, each as likely, against 24,000: every answer has a closed form.
#[test]
fn a_linear_scenario_gives_the_closed_forms() {
    let found = answer(&["uncertainty", &path("two-prices.json"), "--draws", "4000"]);
    let [hourly, fixed] = found["placements"].as_array().expect("placements").as_slice() else { panic!("{found}") };
    for (percentile, value) in hourly["percentiles"].as_object().expect("percentiles") {
        let exact = 240.0 * (50.0 + percentile.parse::<f64>().expect("a percentile"));
        // A draw more or less, and the width of a bin.
        assert!(
            (number(value) - exact).abs() <= 24_000.0 / 4_000.0 + exact / 8_192.0,
            "{percentile}: {value}, not {exact}"
        );
        assert_eq!(fixed["percentiles"][percentile], "24000.00");
    }
    let near = |value: &Value, exact: f64, within: f64| {
        assert!((number(value) - exact).abs() <= within, "{value}, not {exact}:\n{found:#}");
    };
    near(&hourly["mean"], 24_000.0, 1.0);
    // The deviation of a uniform distribution is its width over the root of twelve.
    near(&hourly["deviation"], 24_000.0 / 12_f64.sqrt(), 5.0);
    near(&hourly["cheapest_share"], 0.5, 0.001);
    near(&fixed["cheapest_share"], 0.5, 0.001);
    // Half of the time too dear, by a quarter of 24,000 on average.
    near(&found["perfect_information"], 3_000.0, 5.0);
    near(&hourly["expected_regret"], 3_000.0, 5.0);
    near(&fixed["expected_regret"], 3_000.0, 5.0);
    near(&fixed["greatest_regret"], 12_000.0, 10.0);
    let [runs] = found["inputs"].as_array().expect("inputs").as_slice() else { panic!("{found}") };
    near(&runs["worth"], 3_000.0, 5.0);
    near(&runs["correlations"]["hourly"], 1.0, 0.001);
    assert_eq!(runs["correlations"]["fixed"], Value::Null);
    assert_eq!(
        (&runs["distribution"], &runs["owner"], &runs["review_by"]),
        (&json!("Uniform"), &json!("planning"), &json!("2027-06-30"))
    );
}

/// Two uncertain inputs of different kinds, and some more that matter little.
fn several() -> (tempfile::TempDir, String) {
    changed("two-prices.json", |scenario| {
        let range = |low: &str, value: &str, high: &str, kind: &str| json!({"low": low, "value": value, "high": high, "distribution": kind});
        scenario["environments"][0]["supply"]["GpuService"]["price"]["PerGpuHour"]["Flat"] =
            range("1.5", "2", "3", "Pert");
        scenario["environments"][0]["performance"] = json!({"batch": {
            "failure_share": range("0", "0.02", "0.05", "Normal"),
            "data_wait_share": range("0.01", "0.02", "0.2", "LogNormal"),
        }});
        scenario["environments"][1]["costs"][0]["rate"]["Flat"] = range("1800", "2100", "2500", "Triangular");
        scenario["environments"].as_array_mut().expect("a list").push(json!({
            "id": "unused", "name": "Unused",
            "supply": {"GpuService": {"price": {"PerGpuHour": {"Flat": range("1", "2", "3", "Uniform")}}, "term_months": 12}}
        }));
    })
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads_and_in_parts() {
    let (folder, file) = several();
    let asked =
        ["uncertainty", &file, "--draws", "301", "--seed", "7", "--set", "discounting.rate=0.05", "--against", "fixed"];
    let with = |more: &[&str]| {
        let mut all = asked.to_vec();
        all.extend(more);
        text(&all)
    };
    let parts: Vec<String> = (1..=3)
        .map(|part| {
            let written = with(&["--part", &format!("{part}/3"), "--threads", &part.to_string()]);
            let file = folder.path().join(format!("part-{part}.json"));
            std::fs::write(&file, written).expect("a file");
            file.display().to_string()
        })
        .collect();
    for format in ["text", "json", "csv"] {
        let one = with(&["--threads", "1", "--format", format]);
        for threads in ["2", "8"] {
            assert_eq!(one, with(&["--threads", threads, "--format", format]), "{threads} threads, {format}");
        }
        // Joined in another order than they were made.
        let merged = text(&["uncertainty", "--format", format, "--merge", &parts[2], &parts[0], &parts[1]]);
        assert_eq!(one, merged, "{format}");
    }
    let named = text(&["uncertainty", &file, "--merge", &parts[0], &parts[1], &parts[2]]);
    assert_eq!(named, with(&[]));
    let mut other = asked.to_vec();
    other[5] = "8";
    assert_ne!(text(&other), with(&[]), "another seed gives other draws");
}

#[test]
fn parts_that_are_no_whole_are_refused() {
    let (folder, file) = several();
    let part = |name: &str, more: &[&str]| {
        let mut all = vec!["uncertainty", &file, "--draws", "40"];
        all.extend(more);
        let path = folder.path().join(name);
        std::fs::write(&path, text(&all)).expect("a file");
        path.display().to_string()
    };
    let first = part("first", &["--part", "1/3"]);
    let second = part("second", &["--part", "2/3"]);
    let seed = part("seed", &["--part", "2/3", "--seed", "2"]);
    let halves = part("halves", &["--part", "2/2"]);
    let set = part("set", &["--part", "3/3", "--set", "inflation=0.01"]);
    let against = part("against", &["--part", "3/3", "--against", "fixed"]);
    let steps = path("steps.json");
    for (files, said) in [
        (vec![&first, &second], "of 3 parts, these are missing: 3"),
        (vec![&first, &first], "it holds part 1, as "),
        (vec![&first, &seed], "another seed"),
        (vec![&first, &halves], "another number of draws or parts"),
        (vec![&first, &second, &set], "another scenario, case or value"),
        (vec![&first, &second, &against], "another placement to compare with"),
        (vec![&first, &steps], "no part of an uncertainty run"),
    ] {
        let mut all = vec!["uncertainty", "--merge"];
        all.extend(files.iter().map(|file| file.as_str()));
        let message = refusal(&all, 1);
        assert!(message.contains(said), "{files:?}: {message}");
    }
    for (arguments, code, said) in [
        (&["--draws", "0"][..], 2, "a whole number from 1 to 1000000000"),
        (&["--draws", "abc"], 2, "a whole number from 1 to 1000000000"),
        (&["--draws", "-5"], 2, "a whole number from 1 to 1000000000"),
        (&["--draws", "1,000"], 2, "written with digits alone"),
        (&["--draws", "99999999999999999999999"], 2, "a whole number from 1 to 1000000000"),
        (&["--seed", "x"], 2, "a whole number from 0 to 18446744073709551615"),
        (&["--threads", "0"], 2, "a whole number from 1 to 65535"),
        (&["--draws", "10", "--draw", "11"], 1, "there is no draw 11 among 10"),
        (&["--draw", "0"], 2, "a whole number from 1 to"),
        (&["--part", "4/3"], 2, "for example 3/16"),
        (&["--draw", "1", "--part", "1/3"], 2, "cannot be used with"),
        (&["--figure", "profit"], 1, "Figures are total"),
        (&["--against", "profit"], 1, "name one of them"),
    ] {
        let mut all = vec!["uncertainty", &file];
        all.extend(arguments);
        let message = refusal(&all, code);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    let (_plain, plain) = changed("two-prices.json", |scenario| {
        scenario["workloads"][0]["demand"]["Runs"]["runs"] = json!("100");
    });
    assert!(refusal(&["uncertainty", &plain], 1).contains("there is nothing to draw"));
}

/// What few draws do not carry is not told, and a sentence says so; what a share is an estimate of has its interval.
#[test]
fn few_draws_say_what_they_do_not_carry() {
    let file = path("two-prices.json");
    for (draws, told, said) in [
        (
            "1",
            &[][..],
            Some("1 draw is an example, no sample: percentiles 5, 10, 25, 50, 75, 90 and 95 and correlations"),
        ),
        (
            "7",
            &["25", "50", "75"],
            Some("7 draws are few: percentiles 5, 10, 90 and 95 and correlations are not told."),
        ),
        ("20", &["5", "10", "25", "50", "75", "90", "95"], Some("20 draws are few: correlations are told from 30")),
        ("30", &["5", "10", "25", "50", "75", "90", "95"], None),
    ] {
        let found = answer(&["uncertainty", &file, "--draws", draws]);
        let percentiles = found["placements"][0]["percentiles"].as_object().expect("percentiles");
        for (percentile, value) in percentiles {
            assert_eq!(!value.is_null(), told.contains(&percentile.as_str()), "{draws} draws, percentile {percentile}");
        }
        let id = found["placements"][0]["id"].as_str().expect("an id");
        let correlation = &found["inputs"][0]["correlations"][id];
        assert_eq!(correlation.is_null(), said.is_some(), "{draws}: {correlation}");
        let text = text(&["uncertainty", &file, "--draws", draws]);
        assert_eq!(text.contains(" few") || text.contains("no sample"), said.is_some(), "{text}");
        assert!(said.is_none_or(|said| text.contains(said)), "{text}");
        assert!(text.contains("95 % interval"), "{text}");
    }
    // The score interval of five of ten and of all of ten, from its formula in another language.
    let [low, high] = interval(5, 10).expect("draws");
    assert!((low - 0.2366).abs() < 5e-5 && (high - 0.7634).abs() < 5e-5, "{low} to {high}");
    let [low, high] = interval(10, 10).expect("draws");
    assert!((low - 0.7225).abs() < 5e-5 && (high - 1.0).abs() < 1e-12, "{low} to {high}");
    assert_eq!(interval(0, 0), None);
}

/// Everything counted of the draws is what evaluating each of them as a scenario of its own gives.
#[test]
fn each_draw_is_a_scenario_with_the_figures_that_were_counted() {
    let (folder, file) = several();
    const DRAWS: i64 = 24;
    let found = answer(&["uncertainty", &file, "--draws", &DRAWS.to_string(), "--against", "fixed"]);
    let mut all = Vec::new();
    let cents = |value: &Value| (number(value) * 100.0).round() as i64;
    let (mut sums, mut cheapest, mut regrets, mut best) = ([0, 0], [0, 0], [0, 0], 0);
    let (mut least, mut greatest) = ([i64::MAX; 2], [i64::MIN; 2]);
    let mut bounded = 0;
    for draw in 1..=DRAWS {
        let written = text(&["uncertainty", &file, "--draws", &DRAWS.to_string(), "--draw", &draw.to_string()]);
        let drawn = folder.path().join("draw.ron");
        std::fs::write(&drawn, &written).expect("a file");
        let result = answer(&["evaluate", &drawn.display().to_string()]);
        let figures = [0, 1].map(|place| cents(&result["placements"][place]["present_value"]));
        all.push(figures);
        let low = figures[0].min(figures[1]);
        best += low;
        for place in 0..2 {
            sums[place] += figures[place];
            regrets[place] += figures[place] - low;
            least[place] = least[place].min(figures[place]);
            greatest[place] = greatest[place].max(figures[place]);
        }
        cheapest[usize::from(figures[1] < figures[0])] += 1;
        let scenario = read(&written, Syntax::Ron).expect("a draw is a valid scenario").0;
        let failures = scenario.input("environments.by-hour.performance.batch.failure_share").expect("the input");
        bounded += i64::from(failures.input.value.to_string() == "0");
    }
    let mean = |sum: i64| (sum as f64 / DRAWS as f64).round() as i64;
    for place in 0..2 {
        let of = &found["placements"][place];
        assert_eq!(cents(&of["mean"]), mean(sums[place]));
        assert_eq!((cents(&of["least"]), cents(&of["greatest"])), (least[place], greatest[place]));
        assert_eq!(cents(&of["expected_regret"]), mean(regrets[place]));
        assert!((number(&of["cheapest_share"]) - cheapest[place] as f64 / DRAWS as f64).abs() < 1e-9);
    }
    // The draws that are named as examples are examples.
    for place in 0..2 {
        let of = &found["placements"][place];
        let figures = |example: &str| {
            let draw = of["examples"][example].as_u64().unwrap_or_else(|| panic!("a draw for {example}: {of:#}"));
            all[usize::try_from(draw - 1).expect("a place")]
        };
        for percentile in ["5", "50", "95"] {
            let (found, exact) = (figures(percentile)[place], cents(&of["percentiles"][percentile]));
            assert!((found - exact).abs() <= exact.abs() / 8_192, "{percentile}: {found} is not near {exact}");
        }
        let worst = figures("greatest_regret");
        assert_eq!(worst[place] - worst[0].min(worst[1]), cents(&of["greatest_regret"]));
    }
    let less = all.iter().filter(|figures| figures[0] < figures[1]).count();
    let difference = &found["placements"][0]["difference"];
    assert!((number(&difference["less_share"]) - less as f64 / DRAWS as f64).abs() < 1e-9, "{difference}");
    assert_eq!(cents(&difference["mean"]), mean(sums[0] - sums[1]));
    let least = all.iter().map(|figures| figures[0] - figures[1]).min().expect("there are draws");
    assert_eq!(cents(&difference["least"]), least);
    assert_eq!(cents(&found["placements"][1]["difference"]["greatest"]), 0, "nothing differs from itself");
    assert_eq!(cents(&found["perfect_information"]), mean(sums[0].min(sums[1]) - best));
    let failures = found["inputs"]
        .as_array()
        .expect("inputs")
        .iter()
        .find(|of| of["path"].as_str().is_some_and(|path| path.ends_with("failure_share")));
    assert!(0 < bounded, "some draw of the normal distribution lies below 0");
    assert_eq!(failures.expect("the input")["bounded"], bounded, "what is put on a bound is counted");
}

/// What cannot change a figure is worth nothing, and nothing is worth more than knowing everything.
#[test]
fn the_register_stands_in_the_order_of_what_measuring_is_worth() {
    let (_folder, file) = several();
    let scenario = read(&std::fs::read_to_string(&file).expect("the file"), Syntax::Json).expect("valid").0;
    let found = uncertainty(&scenario, Question { figure: Figure::PresentValue, against: None, draws: 2_000, seed: 1 })
        .expect("draws");
    let worths: Vec<_> = found.variables.iter().map(|of| of.worth.expect("a placement can be chosen")).collect();
    assert!(worths.windows(2).all(|pair| pair[1] <= pair[0]), "{worths:?}");
    assert!(worths[0] <= found.perfect_information.expect("it can be said"));
    assert!(0 < worths[0].minor());
    let unused = found.variables.iter().find(|of| of.path.starts_with("environments.unused")).expect("it is drawn");
    assert_eq!(unused.worth.expect("a worth").minor(), 0);
    // Four standard errors of the rank correlation of 2,000 unrelated pairs.
    assert!(unused.correlations.iter().flatten().all(|of| of.abs() < 0.09), "{:?}", unused.correlations);
    let entries = by_worth(&scenario, &found);
    let listed: Vec<&str> = entries.iter().map(|entry| entry.input.path.as_str()).collect();
    let drawn: Vec<&str> = found
        .variables
        .iter()
        .filter(|of| 0 < of.worth.map_or(0, |worth| worth.minor()))
        .map(|of| of.path.as_str())
        .collect();
    assert_eq!(&listed[..drawn.len()], drawn);
}

fn drawn(scenario: &Scenario, draw: u64) -> Scenario {
    let question = Question { figure: Figure::PresentValue, against: None, draws: 64, seed: 3 };
    outlay::analysis::uncertainty::Uncertainty::new(scenario, question)
        .and_then(|plan| plan.scenario(draw))
        .expect("a draw")
}

fn value(scenario: &Scenario, path: &str) -> String {
    scenario.input(path).expect("the input is there").input.value.to_string()
}

/// Sensitivity that depended on the order in which inputs are met would be an accident.
#[test]
fn an_input_keeps_its_draws_whatever_stands_beside_it() {
    let (_folder, file) = several();
    let all = read(&std::fs::read_to_string(&file).expect("the file"), Syntax::Json).expect("valid").0;
    let alone = scenario("two-prices.json");
    let mut turned = all.clone();
    turned.environments.reverse();
    turned.placements.reverse();
    for draw in 0..64 {
        let [all, alone, turned] = [&all, &alone, &turned].map(|of| drawn(of, draw));
        let runs = "workloads.batch.demand.runs";
        assert_eq!(value(&all, runs), value(&alone, runs));
        for input in all.inputs() {
            assert_eq!(input.input.value.to_string(), value(&turned, &input.path), "{}", input.path);
        }
    }
}

#[test]
fn inputs_of_a_group_are_one_draw() {
    let (_folder, file) = changed("two-prices.json", |scenario| {
        let range = |low: &str, value: &str, high: &str| json!({"low": low, "value": value, "high": high, "distribution": "Uniform"});
        scenario["environments"][0]["supply"]["GpuService"]["price"]["PerGpuHour"]["Flat"] = range("1", "2", "3");
        scenario["environments"][1]["costs"][0]["rate"]["Flat"] = range("1000", "2000", "3000");
        scenario["groups"] = json!([{"id": "prices", "name": "Prices",
            "inputs": ["environments.by-hour.supply.price", "environments.flat.costs.fee.rate"]}]);
    });
    let scenario = read(&std::fs::read_to_string(&file).expect("the file"), Syntax::Json).expect("valid").0;
    for draw in 0..64 {
        let drawn = drawn(&scenario, draw);
        let [hour, fee] = ["environments.by-hour.supply.price", "environments.flat.costs.fee.rate"]
            .map(|path| value(&drawn, path).parse::<f64>().expect("a number"));
        assert!(((hour - 1.0) / 2.0 - (fee - 1000.0) / 2000.0).abs() < 1e-8, "{hour} and {fee}");
    }
    let found = answer(&["uncertainty", &file, "--draws", "50"]);
    let paths: Vec<&str> =
        found["inputs"].as_array().expect("inputs").iter().filter_map(|of| of["path"].as_str()).collect();
    assert_eq!(paths.len(), 2);
    assert!(paths.contains(&"groups.prices") && paths.contains(&"workloads.batch.demand.runs"), "{paths:?}");
}

/// Six nodes are needed. Where fewer are drawn, the placement leaves demand unmet, and is not the cheapest however little it
/// costs.
#[test]
fn a_placement_that_does_not_serve_is_never_the_cheapest() {
    let (_folder, file) = changed("two-levels.json", |scenario| {
        scenario["environments"][0]["supply"]["BareMetal"]["sizing"]["Nodes"] =
            json!({"value": 6, "low": 3, "high": 8, "distribution": "Uniform"});
    });
    let found = answer(&["uncertainty", &file, "--draws", "500"]);
    let alone = &found["placements"][1];
    // Uniform between 3 and 8, rounded: 3 and 8 have half the share of the others; 5.5 to 8 are served.
    assert!((number(&alone["served_share"]) - 0.5).abs() < 0.003, "{found}");
    // With six nodes and more both cost the same, and of equals the first is preferred.
    assert_eq!(number(&alone["cheapest_share"]), 0.0);
    assert_eq!(found["chosen"], "hybrid");
    assert_eq!(found["undecided"], 0);
    // Counts take whole values, and correlate by them.
    let nodes = &found["inputs"][0];
    assert!(number(&nodes["correlations"]["alone"]) > 0.999, "{found}");
    let said = text(&["uncertainty", &file, "--draws", "500"]);
    for part in ["Chosen without knowing more: Hybrid.", "500 draws from seed 1 of 1 input", "50.0 %", "730 h a month"]
    {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
}
