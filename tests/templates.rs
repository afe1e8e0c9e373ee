//! The templates that a new environment, workload class or scenario begins as: whole, honest, and at home in any scenario.
//!
//! Nothing here knows a figure of theirs but the one worked out below.

use outlay::engine::{Opened, open};
use outlay::input::{EvidenceKind, Input};
use outlay::quantity::Exact;
use outlay::scenario::templates::{self, NewEnvironment, TEXT, Templates};
use outlay::scenario::{
    Assignment, Category, Class, CostLine, Environment, GpuService, InputRef, Placement, Problem, Rate, Scenario,
    ServicePrice, Severity, Supply, Syntax, Workload, validate, write,
};

/// Whatever the kind: what lifecycle cost consists of besides the machines themselves.
const BESIDE_THE_MACHINES: [Category; 15] = [
    Category::Network,
    Category::Storage,
    Category::DataMovement,
    Category::Facilities,
    Category::Power,
    Category::Cooling,
    Category::Software,
    Category::Platform,
    Category::Implementation,
    Category::Support,
    Category::Operations,
    Category::SpareCapacity,
    Category::Training,
    Category::Refresh,
    Category::Exit,
];

/// Machines are hardware where they are one's own, and service charges where a provider's.
fn usual(supply: &Supply) -> Vec<Category> {
    let machines = match supply {
        Supply::Dedicated(_) => Category::Hardware,
        Supply::BareMetal(_) | Supply::Cloud(_) | Supply::GpuService(_) => Category::ServiceCharges,
    };
    [machines].into_iter().chain(BESIDE_THE_MACHINES).collect()
}

const SHIPPED: [(&str, &str); 4] = [
    ("guide-example", include_str!("../scenarios/guide-example.ron")),
    ("inference-startup", include_str!("../scenarios/inference-startup.ron")),
    ("regional-platform", include_str!("../scenarios/regional-platform.ron")),
    ("university-cluster", include_str!("../scenarios/university-cluster.ron")),
];

fn opened(name: &str, text: &str) -> Opened {
    open(text, Syntax::Ron).unwrap_or_else(|problems| panic!("{name}: {:#?}", sentences(&problems)))
}

/// The scenario as it is when saved and opened again: read, validated and evaluated.
fn reopened(name: &str, scenario: &Scenario) -> Opened {
    let opened = opened(name, &write(scenario, Syntax::Ron));
    assert!(opened.scenario == *scenario, "{name}: what is saved reads back the same");
    opened
}

fn sentences(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}

fn exact(text: &str) -> Exact {
    Exact::parse(text).expect("a decimal")
}

fn blank(currency: &str) -> Scenario {
    templates::blank("Nothing yet", currency, "2027-01", 36, exact("0.08"))
}

fn environments() -> std::ops::Range<usize> {
    0..templates::shipped().environments().count()
}

fn workloads() -> std::ops::Range<usize> {
    0..templates::shipped().workloads().count()
}

/// The template of this id for a scenario.
fn environment(id: &str, scenario: &Scenario) -> NewEnvironment {
    let all = environments().filter_map(|index| templates::shipped().environment(index, scenario));
    all.into_iter().find(|new| new.environment.id.starts_with(id)).unwrap_or_else(|| panic!("a template {id}"))
}

fn itself() -> Scenario {
    opened("the templates", TEXT).scenario
}

fn price_of_output(environment: &Environment) -> Option<&outlay::input::Map<Rate>> {
    match &environment.supply {
        Supply::GpuService(GpuService { price: ServicePrice::PerOutput(prices), .. }) => Some(prices),
        _ => None,
    }
}

/// Every class on one environment, or where output is what is charged, every class that has some.
fn all_on(environment: &Environment, classes: &[Workload]) -> Placement {
    let can_run = |class: &&Workload| price_of_output(environment).is_none() || class.output.is_some();
    let assignment = |class: &Workload| Assignment {
        workload: class.id.clone(),
        environment: environment.id.clone(),
        burst: None,
        interim: None,
        burst_replica_share: Input::of("0"),
        rule: None,
        notes: String::new(),
    };
    Placement {
        id: "all-on-the-new-one".into(),
        name: "All on the new one".into(),
        assignments: classes.iter().filter(can_run).map(assignment).collect(),
        costs: Vec::new(),
        notes: String::new(),
    }
}

#[test]
fn the_templates_are_a_scenario_without_oddities() {
    let opened = opened("the templates", TEXT);
    assert!(write(&opened.scenario, Syntax::Ron) == TEXT, "it is written as the application writes it");
    // No line that can never post, no class unserved, no category that one has and another leaves out.
    assert_eq!(sentences(&opened.warnings), Vec::<String>::new());
    assert_eq!(opened.evaluation.placements.len(), environments().len());
}

#[test]
fn there_is_one_for_every_kind_of_supply_and_every_class() {
    let Scenario { environments, workloads, .. } = itself();
    let mut kinds: Vec<&str> = environments.iter().map(|environment| environment.supply.kind_name()).collect();
    kinds.dedup();
    assert_eq!(kinds, ["Dedicated", "BareMetal", "Cloud", "GpuService"]);
    let classes: Vec<Class> = workloads.iter().map(|workload| workload.class).collect();
    assert_eq!(classes, Class::ALL);
}

#[test]
fn each_is_chosen_by_its_name_and_one_sentence() {
    let shipped = templates::shipped();
    let all: Vec<_> = shipped.environments().chain(shipped.workloads()).collect();
    for template in &all {
        assert_eq!(all.iter().filter(|other| other.name == template.name).count(), 1, "{}", template.name);
        assert!(!template.kind.is_empty(), "{}", template.name);
        let help = template.help;
        assert!(help.ends_with('.') && help.matches(". ").count() == 0, "{}: {help:?}", template.name);
    }
}

#[test]
fn an_environment_has_a_line_for_each_category_usual_for_its_kind() {
    let Opened { scenario, evaluation, .. } = opened("the templates", TEXT);
    for (environment, placement) in scenario.environments.iter().zip(&evaluation.placements) {
        let entered =
            |category: &Category| placement.by_category.iter().any(|of| of.category == *category && of.entered);
        let missing: Vec<Category> = usual(&environment.supply).into_iter().filter(|of| !entered(of)).collect();
        assert!(missing.is_empty(), "{} lacks {missing:?}", environment.name);
    }
}

/// What a provider's price contains stands as a zero of the provider; what is really nothing as a zero of one's own.
#[test]
fn a_zero_says_that_it_is_meant() {
    for environment in itself().environments {
        for CostLine { id, rate, notes, .. } in &environment.costs {
            let is_zero = matches!(rate, Rate::Flat(rate) if rate.value == Exact::whole(0));
            assert_eq!(is_zero, notes.starts_with("Zero on purpose"), "{}: {id}", environment.name);
        }
    }
}

#[test]
fn evidence_is_honest() {
    let scenario = itself();
    let zeros: Vec<String> = scenario
        .environments
        .iter()
        .flat_map(|environment| environment.costs.iter().map(move |line| (environment, line)))
        .filter(|(_, line)| line.notes.starts_with("Zero on purpose"))
        .map(|(environment, line)| format!("environments.{}.costs.{}.rate", environment.id, line.id))
        .collect();
    for InputRef { path, decl, input, .. } in scenario.inputs() {
        let Some(evidence) = input.evidence() else {
            assert!(input.range().is_none(), "{path} has a range without evidence");
            let is_default = !decl.default.is_empty() && input.value == exact(decl.default);
            // How the work is cut, and what is sized for, is a decision; what one run makes of itself is its unit.
            let is_structural = ["gpus_per_run", "gpus_per_replica", "min_replicas", "sizing"]
                .iter()
                .any(|field| path.ends_with(field))
                || path.ends_with("output.per_run") && input.value == Exact::whole(1);
            assert!(is_default || is_structural || zeros.contains(&path), "{path} has no evidence");
            continue;
        };
        assert!(evidence.owner.is_empty() && evidence.review_by.is_none(), "{path} speaks for the person who uses it");
        match evidence.kind {
            EvidenceKind::Assumed => {
                assert!(input.range().is_some(), "{path} is assumed without a range to challenge");
                let says_so =
                    evidence.source.starts_with("placeholder: ") && evidence.source.contains("; replace with ");
                assert!(says_so, "{path}: {}", evidence.source);
            }
            EvidenceKind::Published => {
                assert!(!evidence.source.is_empty() && evidence.as_of.is_some(), "{path} is published nowhere");
            }
            EvidenceKind::Measured | EvidenceKind::Quoted => panic!("{path}: nobody has measured or quoted it"),
        }
    }
}

#[test]
fn every_environment_finds_its_place_in_every_scenario() {
    let mut empty = blank("USD");
    for index in workloads() {
        let workload = templates::shipped().workload(index, &empty).expect("a template");
        empty.workloads.push(workload);
    }
    let shipped = SHIPPED.iter().map(|(name, text)| (*name, opened(name, text).scenario));
    for (name, scenario) in shipped.chain([("a blank one", empty)]) {
        for index in environments() {
            let mut scenario = scenario.clone();
            let new = templates::shipped().environment(index, &scenario).expect("a template");
            let environment = new.environment.clone();
            assert_eq!(new.missing_rate, None, "{name} has a rate for dollars or counts in them");
            new.add_to(&mut scenario, None);
            let placement = all_on(&environment, &scenario.workloads);
            let assigned = placement.assignments.len();
            scenario.placements.push(placement);
            let opened = reopened(&format!("{} in {name}", environment.name), &scenario);
            let here = format!("environments.{}.", environment.id);
            let odd: Vec<Problem> = opened.warnings.into_iter().filter(|odd| odd.path.starts_with(&here)).collect();
            assert_eq!(sentences(&odd), Vec::<String>::new());
            let result = opened.evaluation.placements.last().expect("the placement added");
            assert_eq!(result.workloads.len(), assigned);
            assert!(0 < result.totals.total.minor(), "{}: it costs something in {name}", environment.name);
        }
    }
}

#[test]
fn every_template_is_at_home_in_a_scenario_without_anything() {
    let mut scenario = blank("USD");
    reopened("a blank scenario", &scenario);
    for index in environments() {
        let new = templates::shipped().environment(index, &scenario).expect("a template");
        assert!(new.environment.performance.0.is_empty(), "there is no class to run");
        new.add_to(&mut scenario, None);
        reopened("environments alone", &scenario);
    }
    for index in workloads() {
        let new = templates::shipped().workload(index, &scenario).expect("a template");
        scenario.workloads.push(new);
        reopened("with workload classes", &scenario);
    }
    assert_eq!(templates::shipped().environment(environments().end, &scenario), None);
    assert_eq!(templates::shipped().workload(workloads().end, &scenario), None);
}

#[test]
fn a_second_one_has_an_id_and_a_name_of_its_own() {
    let mut scenario = blank("USD");
    for (id, name) in [("cloud", "Cloud"), ("cloud-2", "Cloud 2"), ("cloud-3", "Cloud 3")] {
        let new = environment("cloud", &scenario);
        assert_eq!((new.environment.id.as_str(), new.environment.name.as_str()), (id, name));
        new.add_to(&mut scenario, None);
        let class = templates::shipped().workload(0, &scenario).expect("a template");
        scenario.workloads.push(class);
    }
    let ids: Vec<&str> = scenario.workloads.iter().map(|workload| workload.id.as_str()).collect();
    assert_eq!(ids, ["training", "training-2", "training-3"]);
}

/// A class of the scenario, whatever it is called, runs as the template says for its kind of work.
#[test]
fn classes_are_recognised_by_their_kind_of_work() {
    let scenario = opened("inference-startup", SHIPPED[1].1).scenario;
    let new = environment("bare-metal", &scenario).environment;
    let classes: Vec<&str> = new.performance.0.keys().map(String::as_str).collect();
    assert_eq!(classes, ["chat-api", "embedding-batch", "fine-tuning"]);
    let template = itself().environments.into_iter().find(|template| template.id == "bare-metal").expect("a template");
    assert_eq!(new.performance.get("chat-api"), template.performance.get("online-inference"));
    assert_eq!(new.performance.get("embedding-batch"), template.performance.get("batch-inference"));
}

/// An index comes along where the scenario lacks it, and stays as it is where the scenario has one of its name.
#[test]
fn indices_come_along_and_replace_none() {
    let mut scenario = blank("USD");
    let new = environment("cloud", &scenario);
    assert_eq!(new.indices.0.keys().collect::<Vec<_>>(), ["gpu-hire", "wages"]);
    new.add_to(&mut scenario, None);
    let mut kept = opened("inference-startup", SHIPPED[1].1).scenario;
    let before = kept.indices.clone();
    let new = environment("colocation", &kept);
    assert_eq!(new.indices.0.keys().collect::<Vec<_>>(), ["colocation", "hardware"]);
    new.add_to(&mut kept, None);
    for (name, index) in &before.0 {
        assert_eq!(kept.indices.get(name), Some(index), "{name}");
    }
}

/// Prices stay in the currency in which they are known, and no exchange rate is made up for them.
#[test]
fn a_foreign_scenario_is_asked_for_a_rate() {
    let mut scenario = blank("JPY");
    let new = environment("colocation", &scenario);
    assert_eq!(new.environment.currency.as_deref(), Some("USD"));
    assert_eq!(new.missing_rate.as_deref(), Some("USD"));
    new.clone().add_to(&mut scenario, None);
    let errors: Vec<Problem> =
        validate::validate(&scenario).into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    assert!(
        matches!(errors.as_slice(), [error] if error.message.contains("no exchange rate for USD")),
        "{:#?}",
        sentences(&errors)
    );
    scenario.environments.clear();
    new.add_to(&mut scenario, Some(Input::of("151.5")));
    reopened("a scenario in yen", &scenario);

    let euro = opened("university-cluster", SHIPPED[3].1).scenario;
    let new = environment("colocation", &euro);
    assert_eq!((new.environment.currency.as_deref(), new.missing_rate), (Some("USD"), None));
    assert_eq!(environment("colocation", &blank("USD")).environment.currency, None);
}

#[test]
fn output_is_priced_for_every_class_that_has_some() {
    let mut scenario = blank("USD");
    for index in workloads() {
        let workload = templates::shipped().workload(index, &scenario).expect("a template");
        scenario.workloads.push(workload);
    }
    let find = |scenario: &mut Scenario, id: &str| {
        scenario.workloads.iter().position(|workload| workload.id == id).expect("a class")
    };
    let research = find(&mut scenario, "research");
    scenario.workloads[research].output = None;
    let tuning = find(&mut scenario, "fine-tuning");
    scenario.workloads[tuning].output.as_mut().expect("an output").per_run = Some(Input::of("0"));
    let new = environment("output-service", &scenario).environment;
    let prices = price_of_output(&new).expect("output is charged");
    let classes: Vec<&str> = prices.0.keys().map(String::as_str).collect();
    assert_eq!(classes, ["batch-inference", "data-preparation", "online-inference", "training"]);
    let flat = |class: &str| match prices.get(class) {
        Some(Rate::Flat(input)) => input.clone(),
        other => panic!("{class}: {other:?}"),
    };
    // The same work in the same unit costs what is stated for it.
    assert_eq!(flat("online-inference").evidence_kind(), EvidenceKind::Published);
    assert_eq!(flat("online-inference").value, exact("0.155"));
    // 16 GPUs for 72 hours at 3.20 a GPU-hour are 3,686.40 for one checkpoint.
    let training = flat("training");
    assert_eq!(training.value, exact("3690"));
    let range = training.range().expect("a placeholder has a range");
    assert_eq!((range.low, range.high), (exact("1840"), exact("7370")));
    let evidence = training.evidence().expect("it says what it is");
    assert_eq!(evidence.kind, EvidenceKind::Assumed);
    assert!(evidence.source.starts_with("placeholder: the GPU-hours of one checkpoint"), "{}", evidence.source);
    // The same work in another unit does not take over a price by the million tokens.
    let online = find(&mut scenario, "online-inference");
    scenario.workloads[online].output.as_mut().expect("an output").unit = "thousand answers".into();
    let new = environment("output-service", &scenario).environment;
    let prices = price_of_output(&new).expect("output is charged");
    assert!(
        matches!(prices.get("online-inference"), Some(Rate::Flat(input)) if input.evidence_kind() == EvidenceKind::Assumed)
    );
}

#[test]
fn a_blank_scenario_takes_any_name_and_is_checked_like_any_other() {
    let scenario = templates::blank("“Plan” \"B\"\n\\", "KWD", "2028-12", 1, exact("0.035"));
    let opened = reopened("a blank one", &scenario);
    assert_eq!(opened.scenario.name, "“Plan” \"B\"\n\\");
    assert_eq!(opened.scenario.discounting.rate.value, exact("0.035"));
    assert_eq!(sentences(&opened.warnings), Vec::<String>::new());
    let wrong = templates::blank("Plan", "XXZ", "2027-13", 0, exact("0.08"));
    let paths: Vec<String> = validate::validate(&wrong).into_iter().map(|problem| problem.path).collect();
    for path in ["currency", "start", "horizon_months"] {
        assert!(paths.iter().any(|found| found == path), "{path} is not refused: {paths:?}");
    }
}

#[test]
fn templates_that_are_no_scenario_are_refused() {
    assert!(Templates::read("(format: 1)").is_err());
}
