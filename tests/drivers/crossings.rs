//! Switch-over, map, base size, cumulative crossover, the worst case, swing and elasticity.

use outlay::analysis::cumulative::{crossovers, cumulative};
use outlay::analysis::explain::Measure;
use outlay::analysis::preference;
use outlay::analysis::range::value_at;
use outlay::analysis::spider::spider;
use outlay::analysis::switch_over;
use outlay::analysis::tornado::{Question, tornado};
use outlay::engine::{Figure, evaluate};
use outlay::input::Range;
use outlay::quantity::Exact;
use outlay::scenario::{Scenario, Syntax, read};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::asked::{answer, changed, path, refusal, scenario, text};
use super::support;

const RUNS: &str = "workloads.batch.demand.runs";

/// 20 a run against 1,000 for every 73 runs begun: equal at 50, 100 and 150; the second node at 73 and the third at 146 make
/// renting cheaper again.
#[test]
fn every_crossing_is_found_those_at_whole_nodes_too() {
    let file = path("steps.json");
    let found = answer(&["switch-over", &file, RUNS, "--between", "own", "--and", "rent"]);
    let crossings = found["crossings"].as_array().expect("crossings");
    let told: Vec<(&str, &str, bool)> = crossings
        .iter()
        .map(|of| (of["from"].as_str().expect("an id"), of["to"].as_str().expect("an id"), of["jump"] == true))
        .collect();
    assert_eq!(
        told,
        [
            ("rent", "own", false),
            ("own", "rent", true),
            ("rent", "own", false),
            ("own", "rent", true),
            ("rent", "own", false),
        ],
        "{found}"
    );
    let number = |value: &Value| value.as_str().and_then(|text| text.parse::<f64>().ok()).expect("a number");
    for (crossing, at) in crossings.iter().zip([50.0, 73.0, 100.0, 146.0, 150.0]) {
        assert!((number(&crossing["at"]) - at).abs() < 1e-5, "{crossing} at {at}");
        assert!(number(&crossing["before"]) <= number(&crossing["at"]));
    }
    // A jump is named by the last value before it, which is exact.
    assert_eq!(crossings[1]["before"], "73");
    assert_eq!(found["always"], Value::Null);

    let said = text(&["switch-over", &file, RUNS, "--between", "own", "--and", "rent"]);
    for part in ["Between 73 and 73.00", "Own up to there, in a jump of 12,000.00", "At 50 runs", "730 h a month"] {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
    let rows = text(&["switch-over", &file, RUNS, "--between", "own", "--and", "rent", "--format", "csv"]);
    assert_eq!(rows.lines().count(), 7, "a header and six stretches:\n{rows}");
}

/// Of two placements that both serve, the preferred one changes where they cross; and it is one of them everywhere.
#[test]
fn the_preferred_placement_changes_where_the_two_cross() {
    let scenario = scenario("steps.json");
    let question = preference::Question { path: RUNS.into(), figure: Figure::PresentValue };
    let answer = preference::preference(&scenario, question).expect("an answer");
    let found: Vec<f64> = answer.switches.iter().map(|switch| switch.at.num().approximate()).collect();
    assert_eq!(found.len(), 5, "{found:?}");
    for (at, exact) in found.iter().zip([50.0, 73.0, 100.0, 146.0, 150.0]) {
        assert!((at - exact).abs() < 1e-3, "{found:?}");
    }
    assert_eq!(answer.always(), None);
    let pairs = answer.switches.windows(2);
    assert!(pairs.into_iter().all(|pair| pair[0].to == pair[1].from), "{:?}", answer.switches);
    // With a price of nothing renting costs least over the whole range.
    let free = scenario.with("environments.hours.supply.price", Exact::whole(0)).expect("a price");
    let question = preference::Question { path: RUNS.into(), figure: Figure::PresentValue };
    let answer = preference::preference(&free, question).expect("an answer");
    assert!(answer.switches.is_empty() && answer.always().is_some());
}

/// What is asked in the other direction is answered with the same crossings.
#[test]
fn the_order_of_the_two_changes_nothing_but_the_sign() {
    let file = path("steps.json");
    let one = answer(&["switch-over", &file, RUNS, "--between", "own", "--and", "rent"]);
    let other = answer(&["switch-over", &file, RUNS, "--between", "rent", "--and", "own"]);
    let places = |found: &Value| {
        let of = |of: &Value| (of["before"].clone(), of["at"].clone(), of["from"].clone(), of["to"].clone());
        found["crossings"].as_array().expect("crossings").iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(places(&one), places(&other));
}

/// An input that makes no difference large enough is answered with the placement that is always cheaper.
#[test]
fn never_and_always_are_answers() {
    let file = path("steps.json");
    let price = "environments.hours.supply.price";
    let set = format!("{RUNS}=300");
    // 300 runs take five nodes, 5,000 a month; an hour at 1 to 4 makes 3,000 to 12,000: one crossing at 5,000 / 3,000.
    let found = answer(&["switch-over", &file, price, "--between", "own", "--and", "rent", "--set", &set]);
    assert_eq!(found["crossings"].as_array().map(Vec::len), Some(1), "{found}");
    assert!(found["crossings"][0]["at"].as_str().expect("a value").starts_with("1.6666"), "{found}");
    let nodes = "environments.nodes.supply.monthly_per_node";
    let twenty = format!("{RUNS}=20");
    // Twenty runs cost 400 by the hour; no node costs less than 500.
    let found = answer(&["switch-over", &file, nodes, "--between", "own", "--and", "rent", "--set", &twenty]);
    assert_eq!((found["always"].as_str(), found["crossings"].as_array().map(Vec::len)), (Some("rent"), Some(0)));
    let said = text(&["switch-over", &file, nodes, "--between", "own", "--and", "rent", "--set", &twenty]);
    assert!(said.contains("Never: Rent costs less than Own over the whole range."), "{said}");
}

#[test]
fn counts_cross_between_whole_numbers() {
    let (_folder, file) = changed("two-levels.json", |scenario| {
        scenario["environments"][0]["supply"]["BareMetal"]["sizing"]["Nodes"] =
            json!({"value": 3, "low": 0, "high": 9});
        scenario["environments"].as_array_mut().expect("a list").push(json!({
            "id": "fixed", "name": "Fixed",
            "supply": {"GpuService": {"price": {"PerGpuHour": {"Flat": "1.6"}}, "term_months": 12}}
        }));
        scenario["placements"].as_array_mut().expect("a list").push(json!({
            "id": "fixed", "name": "Fixed", "assignments": [{"workload": "reports", "environment": "fixed"}]
        }));
    });
    let path = "environments.base.supply.sizing";
    let found = answer(&["switch-over", &file, path, "--between", "hybrid", "--and", "fixed"]);
    // Fixed costs 1.6 · 4 an hour. With n nodes the hybrid costs n, and 1.5 for each of the others: n = 0: 6; 2: 5;
    // 6: 6; 7: 7. So it becomes dearer from seven nodes on.
    let crossings = found["crossings"].as_array().expect("crossings");
    let told: Vec<(&Value, &Value)> = crossings.iter().map(|of| (&of["before"], &of["at"])).collect();
    assert_eq!(told, [(&json!("6"), &json!("7"))], "{found}");
    assert_eq!(crossings[0]["jump"], true);
}

#[test]
fn what_is_asked_wrongly_is_said_with_a_way_out() {
    let file = path("steps.json");
    let asked = |arguments: &[&str], code| {
        let mut all = vec!["switch-over", &file];
        all.extend(arguments);
        refusal(&all, code)
    };
    for (arguments, code, said) in [
        (
            &["workloads.batch.demand.run", "--between", "own", "--and", "rent"][..],
            1,
            "The nearest input is workloads.batch.demand.runs",
        ),
        (&[RUNS, "--between", "own", "--and", "own"], 2, "the same placement"),
        (&[RUNS, "--between", "own", "--and", "ren"], 1, "Did you mean \"rent\"?"),
        (&[RUNS, "--between", "own", "--and", "rent", "--figure", "profit"], 1, "Figures are total"),
        (&["discounting.rate", "--between", "own", "--and", "rent"], 1, "no range to move it over"),
        (&["groups.energy", "--between", "own", "--and", "rent"], 1, "group \"energy\" does not exist"),
    ] {
        let message = asked(arguments, code);
        assert!(message.contains(said), "{arguments:?}: {message}");
    }
    let map = refusal(&["map", &file, RUNS, RUNS], 1);
    assert!(map.contains("moves an input that"), "{map}");
    let map = refusal(&["map", &file, RUNS, "environments.nodes.supply.monthly_per_node", "--steps", "0"], 2);
    assert!(map.contains("from 1 to 200"), "{map}");
    let size = refusal(&["base-size", &file, "--placement", "own", "--environment", "hours"], 1);
    assert!(size.contains("has no nodes to count"), "{size}");
    let size = refusal(&["base-size", &file, "--placement", "rent", "--environment", "nodes"], 1);
    assert!(size.contains("assigns no class to it"), "{size}");
    let size = refusal(&["base-size", &file, "--placement", "own", "--environment", "node"], 1);
    assert!(size.contains("Did you mean \"nodes\"?"), "{size}");
}

/// Hours at p and 60 runs cost 600 p; one node costs its price: the border lies at p = price / 600.
#[test]
fn a_map_says_who_is_preferred_where_and_where_that_changes() {
    let file = path("steps.json");
    let (across, down) = ("environments.hours.supply.price", "environments.nodes.supply.monthly_per_node");
    let found = answer(&["map", &file, across, down, "--steps", "4"]);
    let values = |axis: &Value| axis["values"].as_array().expect("values").clone();
    assert_eq!(values(&found["across"]), ["1", "1.75", "2.5", "3.25", "4"]);
    assert_eq!(values(&found["down"]), ["500", "750", "1000", "1250", "1500"]);
    for ((cells, borders), price) in found["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .zip(found["borders"].as_array().expect("borders"))
        .zip([500.0, 750.0, 1000.0, 1250.0, 1500.0])
    {
        let border: f64 = price / 600.0;
        for (cell, hour) in cells.as_array().expect("cells").iter().zip([1.0, 1.75, 2.5, 3.25, 4.0]) {
            let expected = if hour * 600.0 < price { "rent" } else { "own" };
            assert_eq!(cell["preferred"], expected, "an hour at {hour}, a node at {price}");
        }
        match borders.as_array().expect("borders").as_slice() {
            [] => assert!(border < 1.0, "{border}"),
            [only] => {
                let at: f64 = only["at"].as_str().and_then(|at| at.parse().ok()).expect("a value");
                assert!((at - border).abs() < 1e-5, "{at} for {border}");
                assert_eq!((only["from"].as_str(), only["to"].as_str()), (Some("rent"), Some("own")));
            }
            more => panic!("{more:?}"),
        }
    }
    // The figures are those of the scenario with both values.
    let cell = &found["rows"][0][4];
    let set = [format!("{across}=4"), format!("{down}=500")];
    let evaluated = answer(&["evaluate", &file, "--set", &set[0], "--set", &set[1]]);
    assert_eq!(cell["figures"]["own"], evaluated["placements"][0]["present_value"]);
    assert_eq!(cell["figures"]["rent"], evaluated["placements"][1]["present_value"]);
    let said = text(&["map", &file, across, down, "--steps", "4"]);
    for part in ["A  Own: in ", "B  Rent: in ", "always A", "B to 2.5, A"] {
        assert!(said.contains(part), "{part} is missing:\n{said}");
    }
    let rows = text(&["map", &file, across, down, "--steps", "4", "--format", "csv"]);
    assert_eq!(rows.lines().count(), 26);
}

#[test]
fn a_placement_that_is_preferred_nowhere_is_named() {
    let file = path("steps.json");
    let set = format!("{RUNS}=20");
    let found = answer(&[
        "map",
        &file,
        "environments.nodes.supply.monthly_per_node",
        RUNS,
        "--steps",
        "2",
        "--set",
        &set,
        "--set",
        "environments.hours.supply.price=0.5",
    ]);
    // An hour at 0.5 makes 5 a run; no node can be that cheap for 73 runs, which cost 365.
    assert_eq!(found["always"], "rent");
    assert_eq!(found["never"], json!(["own"]));
}

/// The third to the sixth node is used half of the time: at 1.5 an hour elsewhere two nodes are cheapest, at 3 six.
#[test]
fn the_cheapest_base_is_found_and_the_rule_of_thumb_agrees() {
    let file = path("two-levels.json");
    for (price, cheapest, threshold) in [("1.5", 2, "0.66"), ("3", 6, "0.33")] {
        let set = format!("environments.elsewhere.supply.price={price}");
        let arguments = ["base-size", &file, "--placement", "hybrid", "--environment", "base", "--set", &set];
        let found = answer(&arguments);
        assert_eq!(found["cheapest"], cheapest, "{found}");
        assert_eq!(found["rule"]["nodes"], cheapest, "{found}");
        assert!(found["rule"]["threshold"].as_str().expect("a number").starts_with(threshold), "{found}");
        let points = found["points"].as_array().expect("points");
        let shares: Vec<&str> = points.iter().filter_map(|point| point["share_above"].as_str()).collect();
        assert_eq!(shares, ["1", "1", "0.5", "0.5", "0.5", "0.5"], "{found}");
        // Each point is a full evaluation of the scenario with so many nodes.
        for (nodes, point) in points.iter().enumerate() {
            let sized = format!("environments.base.supply.sizing={nodes}");
            let evaluated = answer(&["evaluate", &file, "--set", &set, "--set", &sized]);
            assert_eq!(point["figure"], evaluated["placements"][0]["present_value"], "{nodes} nodes");
        }
        let said = text(&arguments);
        assert!(said.contains(&format!("Cheapest: {cheapest} nodes")), "{said}");
        assert!(said.contains(&format!("Rule of thumb: {cheapest} nodes.")), "{said}");
        assert!(said.contains("the scenario's own"), "{said}");
    }
}

/// Without a place to burst to, too few nodes leave demand unmet, which is never the cheapest way of serving it.
#[test]
fn a_base_that_does_not_serve_is_not_the_cheapest() {
    let file = path("two-levels.json");
    let found = answer(&["base-size", &file, "--placement", "alone", "--environment", "base"]);
    assert_eq!((&found["cheapest"], &found["rule"]), (&json!(6), &Value::Null), "{found}");
    assert_eq!(found["points"][5]["meets_service"], false);
}

/// Own pays 30,000 at once and 100 a month, rent 2,000 a month: 30,000 + 100 n ≤ 2,000 n from n = 15.8 on, after the
/// sixteenth month, which is month 15.
#[test]
fn a_placement_comes_under_another_in_the_month_the_method_says() {
    let (_folder, file) = changed("two-prices.json", |scenario| {
        scenario["horizon_months"] = json!(24);
        let cost = |id: &str, driver: Value, rate: &str| json!({"id": id, "label": id, "category": "Operations", "boundary": "Retained", "driver": driver, "rate": {"Flat": rate}});
        scenario["environments"][0]["costs"] =
            json!([cost("start", json!({"Once": 0}), "30000"), cost("run", json!("Monthly"), "100")]);
        scenario["environments"][0]["supply"]["GpuService"]["price"]["PerGpuHour"]["Flat"] = json!("0");
    });
    let scenario = read(&std::fs::read_to_string(&file).expect("the file"), Syntax::Json).expect("valid").0;
    let evaluation = evaluate(&scenario).expect("figures");
    let found = crossovers(&evaluation, Measure::Total);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].under, found[0].over, found[0].months.as_slice()), (0, 1, &[15][..]));
    for placement in &evaluation.placements {
        let series = cumulative(placement, scenario.horizon_months, Measure::Total);
        assert_eq!(series.last(), Some(&placement.totals.total));
    }
    let said = text(&["evaluate", &file]);
    assert!(said.contains("Hourly comes under Fixed in month 15"), "{said}");
}

/// Low, base and high demand cost 12,000, 24,000 and 36,000 by the hour, and always 24,000 at a flat price.
#[test]
fn the_worst_case_and_the_greatest_regret_name_a_placement() {
    let (_folder, file) = changed("two-prices.json", |scenario| {
        let case = |id: &str, runs: &str| json!({"id": id, "name": id, "set": {(RUNS): runs}});
        scenario["cases"] = json!([case("low", "50"), case("high", "140")]);
    });
    let found = answer(&["cases", &file]);
    assert_eq!(found["worst"], json!({"hourly": "33600.00", "fixed": "24000.00"}));
    assert_eq!(found["best_in_worst_case"], "fixed");
    // Hourly regrets 9,600 at high demand, fixed 12,000 at low.
    assert_eq!(found["greatest_regret"], json!({"hourly": "9600.00", "fixed": "12000.00"}));
    assert_eq!(found["least_regret"], "hourly");
    let said = text(&["cases", &file]);
    assert!(said.contains("Best in the worst case: Fixed, which costs 24,000.00 at most"), "{said}");
    assert!(said.contains("Least greatest regret: Hourly, with 9,600.00 at most"), "{said}");
}

/// For a linear model the swing is coefficient × (high − low): 240 a run over the year, twelve postings.
#[test]
fn the_swing_of_a_linear_model_is_its_coefficient_times_the_range() {
    let scenario = scenario("two-prices.json");
    let question = Question { placement: 0, against: None, figure: Figure::PresentValue };
    let found = tornado(&scenario, question).expect("figures");
    let [bar] = found.bars.as_slice() else { panic!("one bar, not {:?}", found.bars) };
    assert_eq!(bar.swing, Decimal::from(24_000));
    assert!(!bar.non_monotonic);
    let lines = spider(&found);
    assert_eq!(lines[0].points.iter().map(|point| point.result).collect::<Vec<_>>(), bar.results);
    assert_eq!(lines[0].points[1].share, Decimal::new(25, 2));
    // Proportional: one percent more runs, one percent more cost.
    assert_eq!(lines[0].arc_elasticity, Some(Decimal::ONE));
}

/// Whatever is asked of the stored scenarios, the placement that is said to cost less between two crossings does, at places
/// that no search has tried.
#[test]
fn between_crossings_the_placement_that_is_told_costs_less() {
    let mut asked = 0;
    // The smaller ones, which are many enough.
    let is_small = |of: &Scenario| of.placements.len() == 2 && of.workloads.len() < 4;
    for (name, scenario) in support::stored().into_iter().filter(|(_, of)| is_small(of)) {
        let question = Question { placement: 0, against: Some(1), figure: Figure::Total };
        let moved = tornado(&scenario, question).expect("figures");
        for bar in moved.bars.iter().filter(|bar| !bar.path.starts_with("groups.")).take(2) {
            let question = switch_over::Question { path: bar.path.clone(), between: [0, 1], figure: Figure::Total };
            let found = switch_over::switch_over(&scenario, question).expect("an answer");
            let whole = scenario.input(&bar.path).expect("an input").bounds().whole;
            for place in 0..37 {
                let range = Range { low: found.low, high: found.high };
                let value = value_at(range, place * 13 + 5, 13 * 37, whole).expect("a value");
                let totals = evaluate(&scenario.with(&bar.path, value).expect("in range")).expect("figures").placements;
                let told =
                    found.crossings.iter().take_while(|of| of.at <= value).last().map_or(found.at_low, |of| of.to);
                let (told, other) = (&totals[told].totals.total, &totals[1 - told].totals.total);
                let is_at_crossing = found.crossings.iter().any(|of| of.before <= value && value <= of.at);
                assert!(told <= other || is_at_crossing, "{name}: {} at {value}: {found:?}", bar.path);
                asked += 1;
            }
        }
    }
    assert!(100 < asked, "there are stored scenarios with two placements");
}

/// A fee of 2,000 a month is where both cost the same. That its range ends a thousand-millionfold away changes nothing.
#[test]
fn on_a_range_of_any_width_a_crossing_is_found_where_it_is() {
    const FEE: &str = "environments.flat.costs.fee.rate";
    for high in ["4000", "1000000000", "1000000000000"] {
        let (_folder, file) = changed("two-prices.json", |scenario| {
            let fee = json!({ "Flat": { "value": "2000", "low": "1", "high": high } });
            scenario["environments"][1]["costs"][0]["rate"] = fee;
        });
        let near = |value: &Value, what: &str| {
            let at: f64 =
                value.as_str().and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("{what}: {value}"));
            assert!((at - 2_000.0).abs() < 0.1, "{what} to {high}: {at}");
        };
        let over = answer(&["switch-over", &file, FEE, "--between", "hourly", "--and", "fixed"]);
        let [crossing] = over["crossings"].as_array().expect("crossings").as_slice() else { panic!("{over:#}") };
        near(&crossing["at"], "switch-over");
        assert_eq!(crossing["jump"], false, "the cost is even");
        let text = std::fs::read_to_string(&file).expect("the file");
        let scenario = read(&text, Syntax::Json).expect("a scenario").0;
        let question = Question { placement: 0, against: Some(1), figure: Figure::Total };
        let bars = tornado(&scenario, question).expect("figures").bars;
        let bar = bars.iter().find(|bar| bar.path == FEE).expect("a bar");
        near(&json!(bar.switches[0].at.expect("a value").to_string()), "tornado");
        let question = preference::Question { path: FEE.to_owned(), figure: Figure::Total };
        let found = preference::preference(&scenario, question).expect("an answer");
        near(&json!(found.switches[0].at.to_string()), "preference");
    }
}
