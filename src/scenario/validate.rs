//! Which scenarios can be computed: every rule of the file format beyond its shape, and what is odd though possible.
//!
//! Bounds of inputs come from their declarations alone. Nothing here knows the text of a file, or what a scenario costs.

use std::collections::{HashMap, HashSet};

use crate::input::{Decl, Distribution, EvidenceKind, Field, Input, Range, Segment, Visitor};
use crate::quantity::{Currency, Exact, Num};
use crate::scenario::calendar::{Date, Month};
use crate::scenario::inputs::Path;
use crate::scenario::problem::{self, Problem};
use crate::scenario::read::MOST_PROBLEMS;
use crate::scenario::{
    Acquisition, Assignment, CostLine, Demand, Depreciation, Driver, Environment, Growth, Hours, Index, Output, ROOT,
    Rate, Runs, Scaling, Scenario, ServicePrice, Shape, Supply, Tier, Workload,
};

/// Everything wrong and everything odd. Dates are compared with the start of the scenario; see [`dated_warnings`].
#[must_use]
pub fn validate(scenario: &Scenario) -> Vec<Problem> {
    let mut problems = errors(scenario);
    problems.extend(warnings(scenario));
    if let Some(start) = Month::parse(&scenario.start) {
        problems.extend(dated_warnings(scenario, Date { month: start, day: 1 }));
    }
    problems
}

/// Everything that keeps the scenario from being computed.
#[must_use]
pub fn errors(scenario: &Scenario) -> Vec<Problem> {
    let mut report = Report::default();
    let names = Names::of(scenario);
    let checks = [frame, money, ids, workloads, environments, placements, selections];
    for check in checks {
        check(scenario, &names, &mut report);
    }
    inputs(scenario, &mut report);
    report.finish()
}

/// Problems found so far. Beyond the most that are listed they are only counted, and not even worded.
#[derive(Default)]
struct Report {
    problems: Vec<Problem>,
    unlisted: usize,
}

impl Report {
    fn add(&mut self, problem: impl FnOnce() -> Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(problem());
        } else {
            self.unlisted += 1;
        }
    }

    fn error(&mut self, path: String, message: impl Into<String>) {
        self.add(|| Problem::error(path, message));
    }

    fn finish(mut self) -> Vec<Problem> {
        if self.unlisted > 0 {
            let message = format!("There are {} more problems. Mend these first.", self.unlisted);
            self.problems.push(Problem::error("", message));
        }
        self.problems
    }
}

/// What can be referred to.
struct Names<'s> {
    workloads: HashSet<&'s str>,
    environments: HashSet<&'s str>,
    indices: HashSet<&'s str>,
}

impl<'s> Names<'s> {
    fn of(scenario: &'s Scenario) -> Self {
        Self {
            workloads: scenario.workloads.iter().map(|workload| workload.id.as_str()).collect(),
            environments: scenario.environments.iter().map(|environment| environment.id.as_str()).collect(),
            indices: scenario.indices.0.keys().map(String::as_str).collect(),
        }
    }
}

/// Sorted, so that a message does not depend on the order of a set.
fn sorted<'s>(names: &HashSet<&'s str>) -> Vec<&'s str> {
    let mut names: Vec<&str> = names.iter().copied().collect();
    names.sort_unstable();
    names
}

/// Horizon, dates and the calendar.
fn frame(scenario: &Scenario, _: &Names<'_>, report: &mut Report) {
    let horizon = scenario.horizon_months;
    count(report, "horizon_months", horizon, 1, 600, "Costs are counted over 1 to 600 months");
    count(report, "fiscal_year_starts", scenario.fiscal_year_starts, 1, 12, "A year has the months 1 to 12");
    if Month::parse(&scenario.start).is_none() {
        report.add(|| problem::bad_month("start", &scenario.start));
    }
    date(report, || "fx_date".into(), scenario.fx_date.as_deref());
    for case in &scenario.cases {
        date(report, || format!("cases.{}.review_by", case.id), case.review_by.as_deref());
    }
    for (position, gate) in scenario.decision.gates.iter().enumerate() {
        date(report, || format!("decision.gates.{position}.decided_on"), gate.decided_on.as_deref());
    }
    if let Some(Depreciation::Custom(shares)) = scenario.tax.as_ref().map(|tax| &tax.depreciation) {
        shares_sum_to_one(report, "tax.depreciation", "shares of the depreciation", shares.iter().copied());
    }
}

fn count(report: &mut Report, path: &str, found: u32, least: u32, most: u32, why: &str) {
    if !(least..=most).contains(&found) {
        report.add(|| problem::count_outside(path, found, least, most, why));
    }
}

fn date(report: &mut Report, path: impl FnOnce() -> String, text: Option<&str>) {
    if let Some(text) = text.filter(|text| Date::parse(text).is_none()) {
        report.add(|| problem::bad_date(&path(), text));
    }
}

fn shares_sum_to_one(report: &mut Report, path: &str, what: &str, shares: impl Iterator<Item = Exact> + Clone) {
    for (position, share) in shares.clone().enumerate() {
        if share < Exact::whole(0) || Exact::whole(1) < share {
            report.add(|| {
                let message = format!(
                    "the share {share} is outside 0 to 1. A share is a part of one; give a number from 0 to 1."
                );
                Problem::error(format!("{path}.{position}"), message)
            });
        }
    }
    let sum: Num = shares.map(Exact::num).sum();
    if sum != Num::ONE {
        let sum = sum.decimal().map_or_else(|| "a number too large".into(), |sum| sum.normalize().to_string());
        report.add(|| problem::sum_not_one(path, what, &sum));
    }
}

/// Currencies, their rates, and the indices.
fn money(scenario: &Scenario, _: &Names<'_>, report: &mut Report) {
    currency(report, "currency", &scenario.currency);
    for code in scenario.fx.0.keys() {
        currency(report, &format!("fx.{code}"), code);
    }
    for environment in &scenario.environments {
        let path = format!("environments.{}", environment.id);
        foreign_currency(scenario, report, &path, environment.currency.as_deref());
        for line in &environment.costs {
            foreign_currency(scenario, report, &format!("{path}.costs.{}", line.id), line.currency.as_deref());
        }
    }
    for placement in &scenario.placements {
        for line in &placement.costs {
            let path = format!("placements.{}.costs.{}", placement.id, line.id);
            foreign_currency(scenario, report, &path, line.currency.as_deref());
        }
    }
    for (name, index) in &scenario.indices.0 {
        let path = format!("indices.{name}");
        id(report, &path, name);
        if matches!(index, Index::ByYear(rates) if rates.is_empty()) {
            report.error(
                path,
                "the list of yearly rates is empty. The last rate holds on; give at least one, for example [\"0.03\"].",
            );
        }
    }
}

fn currency(report: &mut Report, path: &str, code: &str) -> bool {
    let known = Currency::find(code).is_some();
    if !known {
        report.add(|| problem::bad_currency(path, code));
    }
    known
}

fn foreign_currency(scenario: &Scenario, report: &mut Report, owner: &str, code: Option<&str>) {
    let Some(code) = code else { return };
    let path = format!("{owner}.currency");
    let is_foreign = currency(report, &path, code) && code != scenario.currency;
    if is_foreign && scenario.fx.get(code).is_none() {
        report.add(|| problem::no_exchange_rate(&path, code, &scenario.currency));
    }
}

/// Ids are words joined by hyphens, and unique in their list.
fn ids(scenario: &Scenario, _: &Names<'_>, report: &mut Report) {
    unique_ids(report, "workloads", scenario.workloads.iter().map(|element| element.id.as_str()));
    unique_ids(report, "environments", scenario.environments.iter().map(|element| element.id.as_str()));
    unique_ids(report, "placements", scenario.placements.iter().map(|element| element.id.as_str()));
    unique_ids(report, "groups", scenario.groups.iter().map(|element| element.id.as_str()));
    unique_ids(report, "cases", scenario.cases.iter().map(|element| element.id.as_str()));
    for environment in &scenario.environments {
        let list = format!("environments.{}.costs", environment.id);
        unique_ids(report, &list, environment.costs.iter().map(|line| line.id.as_str()));
    }
    for placement in &scenario.placements {
        let list = format!("placements.{}.costs", placement.id);
        unique_ids(report, &list, placement.costs.iter().map(|line| line.id.as_str()));
    }
}

fn unique_ids<'s>(report: &mut Report, list: &str, ids: impl Iterator<Item = &'s str>) {
    let mut seen = HashSet::new();
    for name in ids {
        let path = || format!("{list}.{name}");
        if !is_id(name) {
            report.add(|| problem::bad_id(&path(), name));
        }
        if !seen.insert(name) {
            report.add(|| problem::duplicate_id(&path(), name, list));
        }
    }
}

fn id(report: &mut Report, path: &str, name: &str) {
    if !is_id(name) {
        report.add(|| problem::bad_id(path, name));
    }
}

/// Lower-case words joined by hyphens.
#[must_use]
pub fn is_id(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    text.split('-').all(is_word)
}

fn workloads(scenario: &Scenario, _: &Names<'_>, report: &mut Report) {
    for workload in &scenario.workloads {
        let path = format!("workloads.{}", workload.id);
        active_months(scenario, workload, &path, report);
        if let Shape::Weekly(weights) = &workload.shape {
            weekly(report, &format!("{path}.shape"), weights);
        }
        if matches!(&workload.growth, Growth::ByYear(factors) if factors.is_empty()) {
            let message = "the list of yearly factors is empty. The last factor holds on; give at least one, for example [\"1\"].";
            report.error(format!("{path}.growth"), message);
        }
        if let Demand::Runs(runs) = &workload.demand {
            run_hours(report, &format!("{path}.demand.hours"), runs);
        }
        if let Some(output) = &workload.output {
            output_of_demand(report, &format!("{path}.output"), &workload.demand, output);
        }
    }
}

fn active_months(scenario: &Scenario, workload: &Workload, path: &str, report: &mut Report) {
    let horizon = scenario.horizon_months;
    let (starts, ends) = (workload.starts_month, workload.ends_month.unwrap_or(horizon));
    if horizon < ends {
        let message = format!(
            "{ends} is after the horizon of {}. Demand ends with the horizon; give {horizon} or less, or leave it out.",
            problem::months(horizon)
        );
        report.error(format!("{path}.ends_month"), message);
    }
    // A horizon of nothing is a problem of its own.
    if ends <= starts && 0 < horizon {
        let message = format!(
            "the class starts in month {starts} but has ended by month {ends}. It needs at least one month; start earlier or end later."
        );
        report.error(format!("{path}.starts_month"), message);
    }
}

fn weekly(report: &mut Report, path: &str, weights: &[Exact]) {
    if weights.len() != 168 {
        let message =
            format!("{} weights are given. A week has 168 hours, Monday 00:00 first; give 168 weights.", weights.len());
        report.error(path.into(), message);
    }
    for (hour, weight) in weights.iter().enumerate() {
        if *weight < Exact::whole(0) {
            let message =
                format!("the weight {weight} is below 0. An hour cannot ask for less than nothing; give 0 or more.");
            report.error(format!("{path}.{hour}"), message);
        }
    }
    if !weights.is_empty() && weights.iter().all(|weight| *weight == Exact::whole(0)) {
        report.error(
            path.into(),
            "all weights are 0. They spread demand over the week; give at least one hour a weight above 0.",
        );
    }
}

fn run_hours(report: &mut Report, path: &str, runs: &Runs) {
    match &runs.hours {
        Hours::Mean(_) => {}
        Hours::Distribution(parts) => {
            shares_sum_to_one(report, path, "shares of the distribution", parts.iter().map(|part| part.share));
        }
        Hours::Scaling(scaling) => scaling_points(report, path, runs, scaling),
    }
}

fn scaling_points(report: &mut Report, path: &str, runs: &Runs, scaling: &Scaling) {
    let Scaling { reference_gpus, reference_hours: _, points } = scaling;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        let message =
            "there are no scaling points. Run hours are read between measured points; give at least the reference.";
        return report.error(format!("{path}.points"), message);
    };
    for (position, point) in points.iter().enumerate() {
        if point.gpus <= Exact::whole(0) {
            let message =
                format!("{} GPUs is not above 0. A run has been measured on something; give its GPUs.", point.gpus);
            report.error(format!("{path}.points.{position}"), message);
        }
    }
    for (position, pair) in points.windows(2).enumerate() {
        let [earlier, later] = pair else { continue };
        if later.gpus <= earlier.gpus {
            let message = format!(
                "{} GPUs follow on {}. Throughput is linear between neighbours; write the points from few GPUs to many.",
                later.gpus, earlier.gpus
            );
            report.error(format!("{path}.points.{}", position.saturating_add(1)), message);
        }
    }
    for (what, gpus) in [("the planned", runs.gpus_per_run.value), ("the reference", reference_gpus.value)] {
        if gpus < first.gpus || last.gpus < gpus {
            let message = format!(
                "{what} count of {gpus} GPUs lies outside the points, {} to {} GPUs. Scaling is not guessed beyond what was \
                 measured; add a point that reaches it.",
                first.gpus, last.gpus
            );
            report.error(format!("{path}.points"), message);
        }
    }
}

fn output_of_demand(report: &mut Report, path: &str, demand: &Demand, output: &Output) {
    let (field, given, what) = match demand {
        Demand::Runs(_) => ("per_run", output.per_run.is_some(), "runs"),
        Demand::Service(_) => ("per_request", output.per_request.is_some(), "requests"),
    };
    if !given {
        let message =
            format!("`{field}` is missing. The class is demanded in {what}; say how much output one of them makes.");
        report.error(path.into(), message);
    }
}

fn environments(scenario: &Scenario, names: &Names<'_>, report: &mut Report) {
    for environment in &scenario.environments {
        let path = format!("environments.{}", environment.id);
        for class in environment.performance.0.keys() {
            exists(report, &format!("{path}.performance.{class}"), "workload class", class, &names.workloads);
        }
        supply(environment, names, &format!("{path}.supply"), report);
        for line in &environment.costs {
            cost_line(line, names, &format!("{path}.costs.{}", line.id), report);
        }
    }
    served_classes_are_priced(scenario, names, report);
}

fn exists(report: &mut Report, path: &str, kind: &str, name: &str, known: &HashSet<&str>) {
    if !known.contains(name) {
        report.add(|| problem::dangling(path, kind, name, sorted(known)));
    }
}

fn supply(environment: &Environment, names: &Names<'_>, path: &str, report: &mut Report) {
    let index = match &environment.supply {
        Supply::Dedicated(dedicated) => {
            gpus(report, &format!("{path}.node.gpus"), dedicated.node.gpus);
            node_draw(report, path, &dedicated.node);
            match &dedicated.acquisition {
                Acquisition::Purchase => {}
                Acquisition::Lease(lease) => term(report, &format!("{path}.acquisition.months"), lease.months),
                Acquisition::Loan(loan) => term(report, &format!("{path}.acquisition.months"), loan.months),
            }
            dedicated.node.price_index.as_ref().map(|index| (format!("{path}.node.price_index"), index))
        }
        Supply::BareMetal(metal) => {
            gpus(report, &format!("{path}.node.gpus"), metal.node.gpus);
            term(report, &format!("{path}.term_months"), metal.term_months);
            metal.price_index.as_ref().map(|index| (format!("{path}.price_index"), index))
        }
        Supply::Cloud(cloud) => {
            gpus(report, &format!("{path}.instance.gpus"), cloud.instance.gpus);
            if let Some(commitment) = &cloud.commitment {
                term(report, &format!("{path}.commitment.term_months"), commitment.term_months);
            }
            cloud.price_index.as_ref().map(|index| (format!("{path}.price_index"), index))
        }
        Supply::GpuService(service) => {
            term(report, &format!("{path}.term_months"), service.term_months);
            let price = format!("{path}.price");
            match &service.price {
                ServicePrice::PerGpuHour(price_rate) => rate(report, &price, price_rate),
                ServicePrice::PerOutput(prices) => {
                    for (class, price_rate) in &prices.0 {
                        let path = format!("{price}.{class}");
                        exists(report, &path, "workload class", class, &names.workloads);
                        rate(report, &path, price_rate);
                    }
                }
            }
            service.price_index.as_ref().map(|index| (format!("{path}.price_index"), index))
        }
    };
    if let Some((path, index)) = index {
        exists(report, &path, "index", index, &names.indices);
    }
}

fn gpus(report: &mut Report, path: &str, found: u32) {
    count(report, path, found, 1, 1_000_000, "A node or instance has at least one GPU, and a number that can be built");
}

fn term(report: &mut Report, path: &str, found: u32) {
    count(report, path, found, 1, 600, "A term lasts 1 to 600 months");
}

fn node_draw(report: &mut Report, path: &str, node: &crate::scenario::OwnedNode) {
    let (idle, active, max) = (node.idle_kw.value, node.active_kw.value, node.max_kw.value);
    if active < idle {
        let message = format!(
            "{active} kW is below the idle draw of {idle} kW. A busy node draws at least as much as an idle one; raise it or lower idle_kw."
        );
        report.error(format!("{path}.node.active_kw"), message);
    }
    if max < active {
        let message = format!(
            "{max} kW is below the active draw of {active} kW. Power is contracted for the greatest draw; raise it or lower active_kw."
        );
        report.error(format!("{path}.node.max_kw"), message);
    }
}

fn rate(report: &mut Report, path: &str, rate: &Rate) {
    let Rate::Tiered(tiers) = rate else { return };
    let Some((last, closed)) = tiers.split_last() else {
        return report
            .error(path.into(), "there are no tiers. Give at least one open tier, for example [(rate: \"0.09\")].");
    };
    if let Tier { up_to: Some(bound), .. } = last {
        let message = format!(
            "the last tier ends at {bound}. What lies beyond would have no price; leave out its `up_to`, or add an open tier."
        );
        report.error(format!("{path}.{}", closed.len()), message);
    }
    let mut before = Exact::whole(0);
    for (position, tier) in closed.iter().enumerate() {
        let path = format!("{path}.{position}");
        match tier.up_to {
            None => report.error(
                path,
                "a tier before the last has no `up_to`. Only the last tier is open; say where this one ends.",
            ),
            Some(bound) if bound <= before => {
                let message = format!(
                    "the tier ends at {bound}, not above {before}, where it begins. Tiers ascend; give a greater bound, or sort them."
                );
                report.error(path, message);
            }
            Some(bound) => before = bound,
        }
    }
}

fn cost_line(line: &CostLine, names: &Names<'_>, path: &str, report: &mut Report) {
    rate(report, &format!("{path}.rate"), &line.rate);
    if let Some(index) = &line.index {
        exists(report, &format!("{path}.index"), "index", index, &names.indices);
    }
    if let Driver::OutputUnit(class) = &line.driver {
        exists(report, &format!("{path}.driver"), "workload class", class, &names.workloads);
    }
    let least = line.quantity.range().map_or(line.quantity.value, |range| range.low.min(line.quantity.value));
    if matches!(line.rate, Rate::Tiered(_)) && least < Exact::whole(0) {
        let message = format!(
            "the quantity {least} is below 0 with a tiered rate. Tiers have no place for less than nothing; give a credit a flat rate."
        );
        report.error(format!("{path}.quantity"), message);
    }
}

/// A service priced by output has a price for every class that some placement may send to it.
fn served_classes_are_priced(scenario: &Scenario, names: &Names<'_>, report: &mut Report) {
    for environment in &scenario.environments {
        let Supply::GpuService(service) = &environment.supply else { continue };
        let ServicePrice::PerOutput(prices) = &service.price else { continue };
        let mut missing = HashSet::new();
        for placement in &scenario.placements {
            for assignment in placement.assignments.iter().filter(|assignment| may_serve(assignment, &environment.id)) {
                let class = assignment.workload.as_str();
                if prices.get(class).is_none() && names.workloads.contains(class) && missing.insert(class) {
                    let message = format!(
                        "the class {class:?} has no price here, but placement {:?} may send it here. Add a price for {class:?}, or \
                         serve it elsewhere.",
                        placement.id
                    );
                    report.error(format!("environments.{}.supply.price", environment.id), message);
                }
            }
        }
    }
}

fn may_serve(assignment: &Assignment, environment: &str) -> bool {
    let Assignment { environment: own, burst, interim, .. } = assignment;
    own == environment || burst.as_deref() == Some(environment) || interim.as_deref() == Some(environment)
}

fn placements(scenario: &Scenario, names: &Names<'_>, report: &mut Report) {
    let elastic: HashSet<&str> = scenario
        .environments
        .iter()
        .filter(|environment| environment.supply.is_elastic())
        .map(|environment| environment.id.as_str())
        .collect();
    for placement in &scenario.placements {
        let path = format!("placements.{}", placement.id);
        if placement.assignments.is_empty() {
            let message = "the placement has no assignment. It serves nothing; assign at least one workload class to an environment.";
            report.error(format!("{path}.assignments"), message);
        }
        let mut assigned = HashSet::new();
        for assignment in &placement.assignments {
            let path = format!("{path}.assignments.{}", assignment.workload);
            if !assigned.insert(assignment.workload.as_str()) {
                let message = format!(
                    "the class {:?} is assigned twice in this placement. A class has one place; keep one of the assignments.",
                    problem::clipped(&assignment.workload)
                );
                report.error(path.clone(), message);
            }
            assignment_references(assignment, names, &elastic, &path, report);
        }
        for line in &placement.costs {
            placement_line(line, names, &format!("{path}.costs.{}", line.id), report);
        }
    }
}

fn assignment_references(
    assignment: &Assignment,
    names: &Names<'_>,
    elastic: &HashSet<&str>,
    path: &str,
    report: &mut Report,
) {
    exists(report, &format!("{path}.workload"), "workload class", &assignment.workload, &names.workloads);
    exists(report, &format!("{path}.environment"), "environment", &assignment.environment, &names.environments);
    for (role, other) in [("burst", &assignment.burst), ("interim", &assignment.interim)] {
        let Some(other) = other else { continue };
        let path = format!("{path}.{role}");
        exists(report, &path, "environment", other, &names.environments);
        if *other == assignment.environment {
            let message = format!(
                "{other:?} is the environment of the class itself. {} capacity is somewhere else; name another environment, or leave it out.",
                title(role)
            );
            report.error(path, message);
        } else if names.environments.contains(other.as_str()) && !elastic.contains(other.as_str()) {
            let message = format!(
                "{other:?} has a fixed number of nodes. Only cloud and GPU services can be {role}; name one of these."
            );
            report.error(path, message);
        }
    }
}

fn title(role: &str) -> &'static str {
    if role == "burst" { "Burst" } else { "Interim" }
}

fn placement_line(line: &CostLine, names: &Names<'_>, path: &str, report: &mut Report) {
    cost_line(line, names, path, report);
    if !matches!(line.driver, Driver::Once(_) | Driver::Monthly | Driver::Yearly) {
        let message = format!(
            "a placement's own line cannot be charged by {:?}. It has no machines of its own; use Once, Monthly or Yearly, or move \
             the line to an environment.",
            line.driver.label()
        );
        report.error(format!("{path}.driver"), message);
    }
}

/// What groups, levers and cases select are inputs, and cases set them within their bounds.
fn selections(scenario: &Scenario, _: &Names<'_>, report: &mut Report) {
    let Scenario { groups, levers, cases, .. } = scenario;
    if groups.is_empty() && levers.is_empty() && cases.is_empty() {
        return;
    }
    let mut found = Known::default();
    scenario.walk(&ROOT, &mut found);
    let found = found.inputs;
    let by_path: HashMap<&str, &'static Decl> = found.iter().map(|(path, decl)| (path.as_str(), *decl)).collect();
    let paths = || found.iter().map(|(path, _)| path.as_str());
    for group in groups {
        for path in group.inputs.iter().filter(|path| !by_path.contains_key(path.as_str())) {
            report.add(|| problem::no_such_input(&format!("groups.{}.inputs", group.id), path, paths()));
        }
    }
    for path in levers.iter().filter(|path| !by_path.contains_key(path.as_str())) {
        report.add(|| problem::no_such_input("levers", path, paths()));
    }
    for case in cases {
        for (path, value) in &case.set.0 {
            let at = || format!("cases.{}.set.{path}", case.id);
            match by_path.get(path.as_str()) {
                None => report.add(|| problem::no_such_input(&at(), path, paths())),
                Some(decl) if !decl.bounds.accept(*value) => {
                    report.add(|| problem::out_of_bounds(&at(), decl, *value, ""))
                }
                Some(_) => {}
            }
        }
    }
}

/// The paths of all inputs.
#[derive(Default)]
struct Known {
    path: Path,
    inputs: Vec<(String, &'static Decl)>,
}

impl Visitor for Known {
    fn enter(&mut self, segment: Segment<'_>) {
        self.path.enter(segment);
    }

    fn leave(&mut self) {
        self.path.leave();
    }

    fn input(&mut self, decl: &'static Decl, _: &Input) {
        self.inputs.push((self.path.text().to_owned(), decl));
    }
}

/// Every input: its value and its range within the declared bounds, and its evidence dated.
fn inputs(scenario: &Scenario, report: &mut Report) {
    scenario.walk(&ROOT, &mut Bounded { path: Path::default(), report });
}

struct Bounded<'r> {
    path: Path,
    report: &'r mut Report,
}

impl Visitor for Bounded<'_> {
    fn enter(&mut self, segment: Segment<'_>) {
        self.path.enter(segment);
    }

    fn leave(&mut self) {
        self.path.leave();
    }

    fn input(&mut self, decl: &'static Decl, input: &Input) {
        let Self { path, report } = self;
        let path = || path.text().to_owned();
        let bounds = decl.bounds;
        if !bounds.accept(input.value) {
            report.add(|| problem::out_of_bounds(&path(), decl, input.value, ""));
        }
        if let Some(Range { low, high }) = input.range() {
            for (end, what) in [(low, "low"), (high, "high")] {
                // A value out of bounds takes an end with it, which would say the same again.
                if !bounds.accept(end) && bounds.accept(input.value) {
                    report.add(|| problem::out_of_bounds(&path(), decl, end, what));
                }
            }
            if input.value < low || high < input.value {
                report.add(|| problem::range_without_value(&path(), low, input.value, high));
            }
            if input.distribution() == Distribution::LogNormal && low <= Exact::whole(0) {
                report.add(|| problem::lognormal_from_zero(&path(), low));
            }
        }
        if let Some(evidence) = input.evidence() {
            date(report, || format!("{}.evidence.as_of", path()), evidence.as_of.as_deref());
            date(report, || format!("{}.evidence.review_by", path()), evidence.review_by.as_deref());
        }
    }
}

/// What is possible but odd, whatever the date.
#[must_use]
pub fn warnings(scenario: &Scenario) -> Vec<Problem> {
    let mut report = Report::default();
    let assigned: HashSet<&str> = scenario
        .placements
        .iter()
        .flat_map(|placement| &placement.assignments)
        .map(|assignment| assignment.workload.as_str())
        .collect();
    for workload in scenario.workloads.iter().filter(|workload| !assigned.contains(workload.id.as_str())) {
        report.add(|| {
            let message =
                "no placement serves this class, so none of them can be called cheapest. Assign it, or remove it.";
            Problem::warning(format!("workloads.{}", workload.id), message)
        });
    }
    if scenario.fx.get(&scenario.currency).is_some() {
        report.add(|| {
            let message =
                format!("{} is the scenario's own currency; this rate is never used. Remove it.", scenario.currency);
            Problem::warning(format!("fx.{}", scenario.currency), message)
        });
    }
    for environment in &scenario.environments {
        let lead = u32::try_from(environment.lead_time_months.value.as_whole().unwrap_or(0)).unwrap_or(0);
        for line in &environment.costs {
            let reason = never_posts(scenario, line, lead).or_else(|| nothing_to_measure(environment, &line.driver));
            never_posts_warning(&mut report, &format!("environments.{}.costs.{}", environment.id, line.id), reason);
        }
        output_priced_without_output(scenario, environment, &mut report);
    }
    for placement in &scenario.placements {
        for line in &placement.costs {
            let reason = never_posts(scenario, line, 0);
            never_posts_warning(&mut report, &format!("placements.{}.costs.{}", placement.id, line.id), reason);
        }
    }
    let mut problems = report.finish();
    for problem in &mut problems {
        problem.severity = crate::scenario::Severity::Warning;
    }
    problems
}

fn never_posts_warning(report: &mut Report, path: &str, reason: Option<String>) {
    if let Some(reason) = reason {
        report.add(|| Problem::warning(path, format!("the line can never post: {reason}. Change it, or remove it.")));
    }
}

/// Why the months of a line leave it nothing to post in. `lead` are the months before service.
fn never_posts(scenario: &Scenario, line: &CostLine, lead: u32) -> Option<String> {
    let horizon = scenario.horizon_months;
    // A horizon of nothing is a problem of its own.
    if horizon == 0 {
        return None;
    }
    let (from, to) = (line.from_month.unwrap_or(0), line.to_month.unwrap_or(horizon));
    if to <= from {
        return Some(format!("it begins in month {from} and has ended by month {to}"));
    }
    match line.driver {
        Driver::Once(month) if horizon <= month => {
            Some(format!("month {month} lies after the horizon of {}", problem::months(horizon)))
        }
        Driver::Once(month) if month < from || to <= month => {
            Some(format!("month {month} lies outside its months {from} to {to}"))
        }
        Driver::Once(_) => None,
        _ if horizon <= from => {
            Some(format!("it begins in month {from}, after the horizon of {}", problem::months(horizon)))
        }
        _ if horizon <= lead => Some(format!(
            "the environment comes into service in month {lead}, after the horizon of {}",
            problem::months(horizon)
        )),
        _ if to <= lead => {
            Some(format!("it has ended by month {to}, before the environment comes into service in month {lead}"))
        }
        _ => None,
    }
}

/// Why an environment of this kind has nothing that a driver could measure.
fn nothing_to_measure(environment: &Environment, driver: &Driver) -> Option<String> {
    let kind = environment.supply.label();
    let is_dedicated = matches!(environment.supply, Supply::Dedicated(_));
    let has_nodes = matches!(environment.supply, Supply::Dedicated(_) | Supply::BareMetal(_));
    let missing = match driver {
        Driver::NodeOnce | Driver::NodeMonth | Driver::GpuMonth | Driver::ExitNode if !has_nodes => "nodes",
        Driver::KwMonth | Driver::ItKwh | Driver::OverheadKwh if !is_dedicated => "known power draw",
        Driver::HardwareShareYear if !is_dedicated => "hardware of its own",
        _ => return None,
    };
    Some(format!("an environment of the kind {kind:?} has no {missing} to be charged by"))
}

fn output_priced_without_output(scenario: &Scenario, environment: &Environment, report: &mut Report) {
    let Supply::GpuService(service) = &environment.supply else { return };
    let ServicePrice::PerOutput(prices) = &service.price else { return };
    for workload in
        scenario.workloads.iter().filter(|workload| workload.output.is_none() && prices.get(&workload.id).is_some())
    {
        report.add(|| {
            let message = format!("{:?} is charged by its output but has none, so that it costs nothing here. Give the class a useful output.", workload.id);
            Problem::warning(format!("environments.{}.supply.price.{}", environment.id, workload.id), message)
        });
    }
}

/// What has become odd by a date: quoted prices older than a year, and review dates passed.
#[must_use]
pub fn dated_warnings(scenario: &Scenario, on: Date) -> Vec<Problem> {
    let mut dated = Dated { path: Path::default(), on, problems: Vec::new() };
    scenario.walk(&ROOT, &mut dated);
    let mut problems = dated.problems;
    for case in &scenario.cases {
        review_passed(&mut problems, &format!("cases.{}", case.id), case.review_by.as_deref(), on);
    }
    problems.truncate(MOST_PROBLEMS);
    problems
}

struct Dated {
    path: Path,
    on: Date,
    problems: Vec<Problem>,
}

impl Visitor for Dated {
    fn enter(&mut self, segment: Segment<'_>) {
        self.path.enter(segment);
    }

    fn leave(&mut self) {
        self.path.leave();
    }

    fn input(&mut self, _: &'static Decl, input: &Input) {
        let Some(evidence) = input.evidence() else { return };
        let (path, on) = (self.path.text(), self.on);
        let as_of = evidence.as_of.as_deref().and_then(Date::parse);
        if let Some(as_of) = as_of.filter(|as_of| evidence.kind == EvidenceKind::Quoted && as_of.next_year() < on) {
            let message = format!("the quoted value is of {as_of}, more than a year before {on}. Ask for a new quote.");
            self.problems.push(Problem::warning(path, message));
        }
        review_passed(&mut self.problems, path, evidence.review_by.as_deref(), on);
    }
}

fn review_passed(problems: &mut Vec<Problem>, path: &str, review_by: Option<&str>, on: Date) {
    if let Some(review_by) = review_by.and_then(Date::parse).filter(|review_by| *review_by < on) {
        let message = format!("the review date {review_by} has passed by {on}. Look at it again, and set a new date.");
        problems.push(Problem::warning(path, message));
    }
}
