//! Whole valid scenarios for properties: every kind of demand, supply, driver, timing and currency.
//!
//! A scenario is built from a row of dice, each choice taking the next one; after the last, every choice is the first of
//! its kind. So a property that fails is shrunk to fewer and smaller dice, and with them to a simpler scenario.

#![allow(dead_code)]

use outlay::scenario::{Problem, Scenario, Syntax, read};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any valid scenario.
pub fn scenarios() -> impl Strategy<Value = Scenario> {
    prop::collection::vec(any::<u16>(), 0..400).prop_map(|dice| scenario(&dice))
}

/// The scenario of a row of dice.
pub fn scenario(dice: &[u16]) -> Scenario {
    let text = document(&mut Dice { dice, at: 0 }).to_string();
    match read(&text, Syntax::Json) {
        Ok((scenario, _)) => scenario,
        Err(problems) => {
            let sentences: Vec<String> = problems.iter().map(Problem::to_string).collect();
            panic!("generated scenarios are valid, but: {sentences:#?}\n{text}")
        }
    }
}

struct Dice<'d> {
    dice: &'d [u16],
    at: usize,
}

impl Dice<'_> {
    /// A number below `sides`.
    fn roll(&mut self, sides: usize) -> usize {
        let die = self.dice.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(die) % sides.max(1)
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.roll(one_in) + 1 == one_in
    }

    fn of<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        let place = self.roll(choices.len());
        &choices[place]
    }

    /// A decimal between two whole multiples of a small unit, written with its zeros.
    fn decimal(&mut self, low: u32, high: u32, places: u32) -> String {
        let span = (high - low + 1) as usize;
        let units = low as usize + (self.roll(span.min(65_536)) * (span / 65_536).max(1));
        let width = places as usize + 1;
        let digits = format!("{units:0>width$}");
        let (whole, fraction) = digits.split_at(digits.len() - places as usize);
        if fraction.is_empty() { whole.into() } else { format!("{whole}.{fraction}") }
    }

    /// An input: plain, with a range, with evidence, or with both.
    fn input(&mut self, low: u32, high: u32, places: u32) -> Value {
        let mut three =
            [self.decimal(low, high, places), self.decimal(low, high, places), self.decimal(low, high, places)];
        let plain = three[0].clone();
        if !self.chance(3) {
            return json!(plain);
        }
        three.sort_by(|a, b| a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse::<f64>().unwrap_or(0.0)));
        let [low, value, high] = three;
        let mut input = json!({"value": value, "low": low, "high": high});
        let fields = input.as_object_mut().expect("an object was just built");
        if self.chance(3) {
            let kind = *self.of(&["Measured", "Quoted", "Published", "Assumed"]);
            fields.insert("evidence".into(), json!({"kind": kind, "source": self.text(), "as_of": "2026-11-30"}));
        }
        if self.chance(4) {
            fields.insert("distribution".into(), json!(*self.of(&["Pert", "Triangular", "Uniform", "Normal"])));
        }
        input
    }

    fn whole(&mut self, low: u32, high: u32) -> Value {
        let three = [self.decimal(low, high, 0), self.decimal(low, high, 0), self.decimal(low, high, 0)];
        let mut numbers: Vec<u32> = three.iter().map(|text| text.parse().expect("digits")).collect();
        if !self.chance(4) {
            return json!(numbers[0]);
        }
        numbers.sort_unstable();
        json!({"value": numbers[1], "low": numbers[0], "high": numbers[2]})
    }

    fn share(&mut self) -> Value {
        self.input(0, 100, 2)
    }

    fn text(&mut self) -> String {
        let texts = [
            "",
            "Plain",
            "with \"quotes\" and \\",
            "two\nlines",
            "Zürich – 東京 😀",
            "(a: [1], // no comment",
            "\u{202e}turned",
            "tab\tNUL\u{0}",
        ];
        (*self.of(&texts)).into()
    }
}

/// Sets a field unless the dice leave it out.
fn sometimes(dice: &mut Dice<'_>, record: &mut Value, name: &str, value: impl FnOnce(&mut Dice<'_>) -> Value) {
    if dice.chance(2) {
        let value = value(dice);
        set(record, name, value);
    }
}

fn set(record: &mut Value, name: &str, value: Value) {
    record.as_object_mut().expect("a record").insert(name.into(), value);
}

fn document(dice: &mut Dice<'_>) -> Value {
    let currency = *dice.of(&["USD", "EUR", "JPY", "KWD", "GBP"]);
    let horizon = [12, 1, 3, 11, 13, 24, 30, 37, 60][dice.roll(9)];
    let classes: Vec<String> = (0..=dice.roll(3)).map(|place| format!("class-{place}")).collect();
    let workloads: Vec<Value> = classes.iter().map(|id| workload(dice, id, horizon)).collect();
    let mut environments = vec![environment(dice, "elastic", &classes, true)];
    environments.extend((0..dice.roll(3)).map(|place| environment(dice, &format!("site-{place}"), &classes, false)));
    let ids: Vec<String> =
        environments.iter().filter_map(|environment| environment["id"].as_str().map(str::to_owned)).collect();
    let placements: Vec<Value> =
        (0..=dice.roll(3)).map(|place| placement(dice, place, &classes, &ids, horizon)).collect();
    let mut scenario = json!({
        "format": 1, "name": dice.text(), "currency": currency, "start": "2027-01", "horizon_months": horizon,
        "discounting": {
            "rate": dice.input(0, 200, 3),
            "basis": *dice.of(&["Nominal", "Real"]),
            "timing": *dice.of(&["EndOfMonth", "MidMonth", "StartOfMonth", "EndOfYear", "MidYear"]),
        },
        "inflation": dice.input(0, 60, 3),
        "fx": {"EUR": dice.input(50, 200, 2), "JPY": "0.0067", "CHF": "1.1"},
        "fx_date": "2026-11-27",
        "indices": {
            "steady": {"Annual": dice.input(0, 100, 3)},
            "yearly": {"ByYear": [dice.input(0, 100, 3), "-0.05", "0.02"]},
        },
        "decision_figure": *dice.of(&["Total", "PresentValue", "EquivalentAnnualCost"]),
        "workloads": workloads, "environments": environments, "placements": placements,
        "groups": [{"id": "prices", "name": dice.text(), "inputs": ["indices.steady", "inflation"]}],
        "levers": ["discounting.rate"],
        "cases": [{"id": "dear-money", "name": "Dear money", "review_by": "2027-03-01", "set": {"discounting.rate": "0.15"}}],
    });
    sometimes(dice, &mut scenario, "tax", |dice| {
        let tables = [
            json!("StraightLine"),
            json!("Macrs3"),
            json!("Macrs5"),
            json!("Macrs7"),
            json!({"Custom": ["0.5", "0.3", "0.2"]}),
        ];
        json!({"rate": dice.share(), "depreciation": dice.of(&tables)})
    });
    sometimes(dice, &mut scenario, "default_range", |dice| json!(dice.decimal(0, 30, 2)));
    scenario
}

fn workload(dice: &mut Dice<'_>, id: &str, horizon: u32) -> Value {
    let is_service = dice.chance(3);
    let demand = if is_service { service(dice) } else { runs(dice) };
    let mut workload = json!({
        "id": id, "name": dice.text(), "demand": demand,
        "class": *dice.of(&["Training", "FineTuning", "BatchInference", "OnlineInference", "Research", "DataPreparation"]),
    });
    sometimes(dice, &mut workload, "shape", |dice| match dice.roll(3) {
        0 => json!("Flat"),
        1 => json!("BusinessHours"),
        _ => json!({"Weekly": (0..168).map(|hour| json!((hour % 24).to_string())).collect::<Vec<_>>()}),
    });
    sometimes(dice, &mut workload, "growth", |dice| match dice.roll(2) {
        0 => json!({"Annual": dice.input(0, 500, 3)}),
        _ => json!({"ByYear": ["1", dice.input(0, 300, 2)]}),
    });
    sometimes(dice, &mut workload, "output", |dice| {
        let field = if is_service { "per_request" } else { "per_run" };
        json!({"unit": dice.text(), field: dice.input(0, 1000, 3)})
    });
    sometimes(dice, &mut workload, "data", |dice| {
        json!({
            "stored_gb": dice.input(0, 50_000, 0), "stored_growth": dice.share(),
            "ingest_gb_per_run": dice.decimal(0, 100, 3), "egress_gb_per_run": dice.decimal(0, 100, 3),
        })
    });
    sometimes(dice, &mut workload, "value_of_delay_per_month", |dice| dice.input(0, 60_000, 0));
    sometimes(dice, &mut workload, "accepted_unmet_share", |dice| dice.share());
    if dice.chance(3) && horizon > 2 {
        set(&mut workload, "starts_month", json!(dice.roll(horizon as usize / 2)));
        set(&mut workload, "ends_month", json!(horizon - u32::from(dice.chance(2))));
    }
    workload
}

fn runs(dice: &mut Dice<'_>) -> Value {
    let gpus = *dice.of(&["1", "0.25", "0.3", "2", "4", "8", "12", "16"]);
    let hours = match dice.roll(3) {
        0 => json!({"Mean": dice.input(1, 4000, 2)}),
        1 => {
            json!({"Distribution": [{"share": "0.7", "hours": dice.input(1, 400, 1)}, {"share": "0.3", "hours": "14"}]})
        }
        _ => json!({"Scaling": {"reference_gpus": "1", "reference_hours": dice.input(1, 400, 1), "points": [
            {"gpus": "0.25", "throughput": "0.3"}, {"gpus": "4", "throughput": dice.input(20, 39, 1)}, {"gpus": "16", "throughput": "11"},
        ]}}),
    };
    json!({"Runs": {
        "per": *dice.of(&["Hour", "Day", "Week", "Month", "Quarter", "Year"]),
        "runs": dice.input(0, 300, 1), "gpus_per_run": gpus, "hours": hours,
        "concurrent_runs": dice.whole(1, 3), "deferrable": !dice.chance(3), "interruptible": dice.chance(3),
        "cpu_core_hours": dice.decimal(0, 100, 0),
    }})
}

fn service(dice: &mut Dice<'_>) -> Value {
    json!({"Service": {
        "requests_per_second": dice.input(0, 300, 1), "requests_per_second_per_replica": dice.input(10, 60, 1),
        "gpus_per_replica": *dice.of(&["1", "0.5", "2", "8"]), "min_replicas": dice.whole(0, 4),
    }})
}

fn environment(dice: &mut Dice<'_>, id: &str, classes: &[String], is_elastic: bool) -> Value {
    let supply = match (dice.roll(2), is_elastic) {
        (0, true) => cloud(dice),
        (_, true) => gpu_service(dice, classes),
        (0, false) => dedicated(dice),
        (_, false) => bare_metal(dice),
    };
    let mut environment = json!({"id": id, "name": dice.text(), "supply": supply});
    sometimes(dice, &mut environment, "lead_time_months", |dice| dice.whole(0, 8));
    sometimes(dice, &mut environment, "currency", |dice| json!(*dice.of(&["EUR", "JPY", "CHF"])));
    sometimes(dice, &mut environment, "performance", |dice| {
        let mut classes_here = Map::new();
        for class in classes {
            classes_here.insert(
                class.clone(),
                json!({
                    "speed": dice.input(50, 300, 2), "data_wait_share": dice.decimal(0, 50, 2),
                    "failure_share": dice.input(0, 30, 2), "lost_work_share": dice.share(),
                }),
            );
        }
        Value::Object(classes_here)
    });
    sometimes(dice, &mut environment, "capacity", |dice| {
        json!({
            "window_hours_per_week": dice.input(40, 168, 0), "schedulable_utilisation": dice.input(40, 100, 2),
            "maintenance_share": dice.decimal(0, 10, 2), "failure_reserve_share": dice.decimal(0, 10, 2),
            "growth_headroom_share": dice.decimal(0, 20, 2), "spare_nodes": dice.whole(0, 2),
        })
    });
    let drivers = [
        json!("Monthly"),
        json!({"Once": 1}),
        json!("Yearly"),
        json!("NodeOnce"),
        json!("NodeMonth"),
        json!("GpuMonth"),
        json!("KwMonth"),
        json!("ItKwh"),
        json!("OverheadKwh"),
        json!("HardwareShareYear"),
        json!("ServiceChargeShare"),
        json!("GpuHour"),
        json!("Run"),
        json!({"OutputUnit": classes[0]}),
        json!("CpuCoreHour"),
        json!("GbMonth"),
        json!("EgressGb"),
        json!("MigrationGb"),
        json!("ExitOnce"),
        json!("ExitNode"),
        json!("ExitGb"),
    ];
    let lines: Vec<Value> = (0..dice.roll(6)).map(|place| line(dice, place, &drivers)).collect();
    set(&mut environment, "costs", json!(lines));
    environment
}

const CATEGORIES: [&str; 17] = [
    "Hardware",
    "ServiceCharges",
    "Network",
    "Storage",
    "DataMovement",
    "Facilities",
    "Power",
    "Cooling",
    "Software",
    "Platform",
    "Implementation",
    "Support",
    "Operations",
    "SpareCapacity",
    "Training",
    "Refresh",
    "Exit",
];

fn line(dice: &mut Dice<'_>, place: usize, drivers: &[Value]) -> Value {
    let driver = dice.of(drivers).clone();
    let is_tiered = dice.chance(3);
    let rate = match is_tiered {
        true => {
            json!({"Tiered": [{"up_to": "100", "rate": dice.input(0, 500, 3)}, {"up_to": "5000", "rate": "0.08"}, {"rate": "0.05"}]})
        }
        false => json!({"Flat": dice.input(0, 5000, 3)}),
    };
    let mut line = json!({
        "id": format!("line-{place}"), "label": dice.text(), "category": *dice.of(&CATEGORIES),
        "boundary": *dice.of(&["Retained", "Provider"]), "driver": driver, "rate": rate,
    });
    sometimes(dice, &mut line, "quantity", |dice| match is_tiered {
        true => dice.input(0, 300, 2),
        false => json!(*dice.of(&["1", "-1", "2.5", "0"])),
    });
    sometimes(dice, &mut line, "index", |dice| json!(*dice.of(&["steady", "yearly"])));
    sometimes(dice, &mut line, "currency", |dice| json!(*dice.of(&["EUR", "JPY", "CHF"])));
    sometimes(dice, &mut line, "capital", |dice| json!(dice.chance(2)));
    if dice.chance(4) {
        set(&mut line, "from_month", json!(dice.roll(6)));
        set(&mut line, "to_month", json!(6 + dice.roll(20)));
    }
    line
}

fn sizing(dice: &mut Dice<'_>) -> Value {
    match dice.roll(2) {
        0 => json!({"ForDemand": dice.input(10, 150, 2)}),
        _ => json!({"Nodes": dice.whole(0, 6)}),
    }
}

fn price_index(dice: &mut Dice<'_>) -> Value {
    dice.of(&[Value::Null, json!("steady"), json!("yearly")]).clone()
}

fn dedicated(dice: &mut Dice<'_>) -> Value {
    let acquisition = match dice.roll(4) {
        0 => json!("Purchase"),
        1 => {
            json!({"Lease": {"months": 1 + dice.roll(40), "monthly_per_node": dice.input(0, 12_000, 0), "buyout_share": "0", "early_termination_share": dice.share()}})
        }
        2 => json!({"Lease": {"months": 1 + dice.roll(40), "monthly_per_node": "9800", "buyout_share": dice.share()}}),
        _ => json!({"Loan": {"rate": dice.input(0, 120, 3), "months": 1 + dice.roll(70)}}),
    };
    let residuals: Vec<Value> = (0..dice.roll(6)).map(|_| dice.share()).collect();
    json!({"Dedicated": {
        "node": {"gpus": *dice.of(&[8, 1, 4]), "price": dice.input(0, 60_000, 0), "price_index": price_index(dice),
            "idle_kw": dice.decimal(0, 20, 1), "active_kw": dice.decimal(20, 80, 1), "max_kw": dice.decimal(80, 120, 1)},
        "pue": dice.input(100, 180, 2), "sizing": sizing(dice), "phasing": *dice.of(&["AtStart", "Yearly"]),
        "deposit_share": dice.share(), "life_months": dice.whole(1, 70), "refresh_min_remaining": dice.roll(24),
        "residual_by_year": residuals, "acquisition": acquisition,
    }})
}

fn bare_metal(dice: &mut Dice<'_>) -> Value {
    json!({"BareMetal": {
        "node": {"gpus": *dice.of(&[8, 1, 4])}, "monthly_per_node": dice.input(0, 20_000, 0), "price_index": price_index(dice),
        "setup_per_node": dice.decimal(0, 900, 0), "sizing": sizing(dice), "phasing": *dice.of(&["AtStart", "Yearly"]),
        "term_months": 1 + dice.roll(40), "early_termination_share": dice.share(),
    }})
}

fn cloud(dice: &mut Dice<'_>) -> Value {
    let mut cloud = json!({
        "instance": {"gpus": *dice.of(&[8, 1, 4])}, "on_demand_per_hour": dice.input(0, 9000, 2),
        "price_index": price_index(dice), "billed_overhead_share": dice.decimal(0, 20, 2),
    });
    sometimes(dice, &mut cloud, "commitment", |dice| {
        json!({"instances": dice.whole(0, 4), "per_hour": dice.input(0, 6000, 2), "term_months": 1 + dice.roll(40),
            "upfront_share": dice.share(), "renew": dice.chance(2), "early_termination_share": dice.share()})
    });
    sometimes(
        dice,
        &mut cloud,
        "spot",
        |dice| json!({"share": dice.share(), "per_hour": dice.input(0, 4000, 2), "rework_share": dice.share()}),
    );
    json!({"Cloud": cloud})
}

fn gpu_service(dice: &mut Dice<'_>, classes: &[String]) -> Value {
    let price = match dice.roll(2) {
        0 => json!({"PerGpuHour": {"Tiered": [{"up_to": "1000", "rate": dice.input(0, 500, 2)}, {"rate": "2.1"}]}}),
        _ => {
            let prices: Map<String, Value> =
                classes.iter().map(|class| (class.clone(), json!({"Flat": dice.input(0, 500, 3)}))).collect();
            json!({"PerOutput": prices})
        }
    };
    json!({"GpuService": {
        "price": price, "price_index": price_index(dice), "minimum_monthly": dice.input(0, 30_000, 0),
        "term_months": 1 + dice.roll(30), "early_termination_share": dice.share(),
    }})
}

fn placement(dice: &mut Dice<'_>, place: usize, classes: &[String], environments: &[String], horizon: u32) -> Value {
    let served = 1 + if dice.chance(4) { dice.roll(classes.len()) } else { classes.len() - 1 };
    let assignments: Vec<Value> =
        classes.iter().take(served).map(|class| assignment(dice, class, environments)).collect();
    let drivers = [json!("Monthly"), json!("Yearly"), json!({"Once": dice.roll(horizon as usize)})];
    let lines: Vec<Value> = (0..dice.roll(3)).map(|place| line(dice, place, &drivers)).collect();
    json!({"id": format!("placement-{place}"), "name": dice.text(), "assignments": assignments, "costs": lines})
}

/// Only the first environment is sure to be elastic, so that it alone takes what bursts.
fn assignment(dice: &mut Dice<'_>, class: &str, environments: &[String]) -> Value {
    let own = dice.of(environments).clone();
    let mut assignment = json!({"workload": class, "environment": own});
    if own != environments[0] {
        sometimes(dice, &mut assignment, "burst", |_| json!(environments[0]));
        sometimes(dice, &mut assignment, "interim", |_| json!(environments[0]));
        sometimes(dice, &mut assignment, "burst_replica_share", |dice| dice.share());
    }
    assignment
}

/// The scenarios with stored results and those that ship, by file name.
pub fn stored() -> Vec<(String, Scenario)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (folder, ending) in [("tests/cases", ".scenario.json"), ("scenarios", ".ron")] {
        for entry in std::fs::read_dir(root.join(folder)).expect("a folder of scenarios") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let Some(syntax) = path.extension().and_then(|ext| Syntax::of_extension(&ext.to_string_lossy())) else {
                continue;
            };
            if name.ends_with(ending) {
                let text = std::fs::read_to_string(&path).expect("a scenario can be read");
                found.push((name, read(&text, syntax).expect("stored scenarios are valid").0));
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    found
}
