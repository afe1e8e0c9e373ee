//! The charts of GPUs and their hours: the hours ladder, the capacity waterfall, and the load-duration curve.
//!
//! Every step is a figure of the engine or the difference of two.

use rust_decimal::Decimal;

use super::declared::{Subject, Which};
use super::{Body, Chart, Load, LoadStep, Step, StepKind, Twin, Value};
use crate::engine::{
    Beyond, CapacityWaterfall, EnvironmentResult, GpuHours, LoadDuration, LoadLevel, load_duration as curve,
};
use crate::quantity::Num;
use crate::show::Figures;

pub(super) fn hours(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    let result = subject.placement(which)?;
    let figures = subject.figures;
    let (mut steps, mut rows) = (Vec::new(), Vec::new());
    for environment in &result.environments {
        steps.push(row(StepKind::Heading, &environment.name, Num::ZERO, Num::ZERO, String::new()));
        for (name, kind, value) in rungs(environment) {
            rows.push(vec![Value::words(&environment.name), Value::words(name), Value::Number(value)]);
            steps.push(row(kind, name, Num::ZERO, value, whole(figures, value)));
        }
    }
    let unmet = result.workloads.iter().filter(|class| class.unmet_share.is_positive());
    let mut unmet: Vec<(&str, Num)> = unmet.map(|class| (class.name.as_str(), class.unmet_share)).collect();
    let assigned = |id: &str| result.workloads.iter().any(|class| class.id == id);
    let missing = subject.scenario.workloads.iter().filter(|class| !assigned(&class.id));
    unmet.extend(missing.map(|class| (class.name.as_str(), Num::ONE)));
    steps.push(row(StepKind::Heading, "Unmet demand", Num::ZERO, Num::ZERO, String::new()));
    if unmet.is_empty() {
        steps.push(row(StepKind::Note, "every class", Num::ZERO, Num::ZERO, "is served whole".to_owned()));
    }
    for (name, share) in unmet {
        let text =
            share.decimal().map_or_else(String::new, |share| format!("{} % of its demand", figures.percent(share)));
        steps.push(row(StepKind::Note, name, Num::ZERO, Num::ZERO, text));
        let words = Value::words(format!("Unmet share of {name}"));
        rows.push(vec![Value::words("Every environment"), words, Value::Number(share)]);
    }
    let months = crate::scenario::problem::months(subject.evaluation.horizon_months);
    Ok(Chart {
        title: format!("Hours ladder of {}", subject.named(which.placement)),
        scope: format!("GPU-hours over {months}"),
        body: Body::Steps(steps),
        key: Vec::new(),
        twin: Twin::new(["Environment", "Hours", "GPU-hours"], rows),
    })
}

/// The hours of an environment, side by side and never blended.
fn rungs(environment: &EnvironmentResult) -> [(&'static str, StepKind, Num); 5] {
    let GpuHours { productive, allocated, occupied, available, installed } = environment.gpu_hours;
    [
        ("Productive", StepKind::Part, productive),
        ("Allocated", StepKind::Part, allocated),
        ("Occupied", StepKind::Part, occupied),
        ("Available", StepKind::Reserve, available),
        ("Installed", StepKind::Reserve, installed),
    ]
}

fn row(kind: StepKind, name: &str, from: Num, to: Num, text: String) -> Step {
    let (from, to) = (from.approximate(), to.approximate());
    Step { kind, name: name.to_owned(), from, to, text, told: String::new() }
}

pub(super) fn capacity(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    let environment = subject.environment(which, |environment| environment.capacity.is_some())?;
    let Some(of) = &environment.capacity else { return Err(format!("{} has no nodes to size.", environment.name)) };
    let stages = stages(subject, environment, of);
    let figures = subject.figures;
    let text = |value: Num| {
        value.decimal().map_or_else(String::new, |value| {
            if value.is_zero() { crate::show::ZERO.to_owned() } else { figures.rounded(value, 2) }
        })
    };
    let mut at = Num::ZERO;
    let mut steps = Vec::new();
    for (kind, name, value) in &stages {
        let (from, to) = match kind {
            StepKind::Total => (Num::ZERO, *value),
            _ => (at, at + *value),
        };
        steps.push(row(*kind, name, from, to, text(*value)));
        at = to;
    }
    let rows = stages.into_iter().map(|(_, name, value)| vec![Value::words(name), Value::Number(value)]).collect();
    let month = month_named(subject, of.month);
    let mut twin = Twin::new(["Step", "GPUs"], rows);
    if let Some((low, high)) = of.nodes_over_utilisation {
        let (least, most) = (whole(figures, low.min(high)), whole(figures, low.max(high)));
        twin.notes.push(format!("Over the range of schedulable utilisation it needs {least} to {most} nodes."));
    }
    Ok(Chart {
        title: "Capacity, largest month".to_owned(),
        scope: format!("{}, {month}, GPU equivalents", environment.name),
        body: Body::Steps(steps),
        key: Vec::new(),
        twin,
    })
}

/// From demand to nodes (method, §5): each stage is added to the one before it, a total says where that has come to.
fn stages(
    subject: &Subject<'_>,
    environment: &EnvironmentResult,
    of: &CapacityWaterfall,
) -> Vec<(StepKind, String, Num)> {
    let figures = subject.figures;
    let stated = subject.scenario.environments.iter().find(|stated| stated.id == environment.id);
    let share = |pick: fn(&crate::scenario::Capacity) -> Num| {
        let share = stated.and_then(|stated| pick(&stated.capacity).decimal());
        share.map_or_else(String::new, |share| format!(" {} %", figures.percent(share)))
    };
    let gpus = Num::count(of.gpus_per_node);
    let counted = |nodes: Num, what: &str, whats: &str| {
        format!("{} {}", whole(figures, nodes), if nodes.is_one() { what } else { whats })
    };
    let mut stages = vec![
        (StepKind::Part, "Deferrable work".to_owned(), of.deferrable),
        (StepKind::Part, "Services at the peak hour".to_owned(), of.peak),
        (StepKind::Total, "Baseline".to_owned(), of.baseline),
    ];
    if let Some(sized) = of.sized_share.filter(|sized| !sized.is_one()) {
        let text = sized.decimal().map_or_else(String::new, |sized| figures.percent(sized));
        stages.push((StepKind::Part, format!("Sized for {text} % of it"), of.baseline * sized - of.baseline));
    }
    stages.push((StepKind::Reserve, format!("Maintenance{}", share(|c| c.maintenance_share.num())), of.maintenance));
    let failures = share(|c| c.failure_reserve_share.num());
    stages.push((StepKind::Reserve, format!("Failure reserve{failures}"), of.failure_reserve));
    let growth = share(|c| c.growth_headroom_share.num());
    stages.push((StepKind::Reserve, format!("Growth headroom{growth}"), of.growth_headroom));
    stages.push((StepKind::Total, "Needed".to_owned(), of.needed));
    if of.sized_share.is_some() {
        let rounded = of.nodes_for_gpus * gpus;
        let gang = of.nodes_for_gpus.max(of.gang_nodes);
        stages.push((StepKind::Reserve, "Whole nodes".to_owned(), rounded - of.needed));
        let name = format!("Gang constraint, {}", counted(of.gang_nodes, "node", "nodes"));
        stages.push((StepKind::Reserve, name, gang * gpus - rounded));
    } else {
        stages.push((StepKind::Reserve, "To the nodes stated".to_owned(), of.nodes * gpus - of.needed));
    }
    let in_service = format!("In service, {}", counted(of.nodes, "node", "nodes"));
    stages.push((StepKind::Total, in_service, of.nodes * gpus));
    let spares = counted(of.spares, "spare node", "spare nodes");
    stages.push((StepKind::Beside, spares, of.spares * gpus));
    stages
}

pub(super) fn load_duration(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    let environment = subject.environment(which, |environment| environment.capacity.is_some())?;
    let found = curve(subject.scenario, which.placement, &environment.id).map_err(|failure| failure.message)?;
    let Some(found) = found else { return Err(format!("{} has no nodes to size.", environment.name)) };
    let LoadDuration { month, in_service, available, levels, beyond } = &found;
    let figures = subject.figures;
    let near = |value: Num| value.decimal().map_or_else(String::new, |value| figures.near(value));
    let week = Num::whole(crate::engine::time::HOURS_PER_WEEK);
    let beyond = match beyond {
        Beyond::Bursts => "burst",
        Beyond::Unserved => "not served",
        Beyond::Either => "burst or not served",
    };
    let mut before = Num::ZERO;
    let (mut steps, mut rows) = (Vec::new(), Vec::new());
    for level in levels {
        let LoadLevel { hours, now, later, beyond: over } = *level;
        let (from, to) = (percent(figures, before / week), percent(figures, (before + hours) / week));
        before += hours;
        let mut told = vec![
            format!("{} hours of the week, {from} – {to} % of them", near(hours)),
            format!("cannot wait {} GPUs", near(now)),
            format!("can wait {} GPUs", near(later)),
        ];
        if over.is_positive() {
            told.push(format!("{beyond} {} GPUs", near(over)));
        }
        rows.push([hours, now, later, over].map(Value::Number).to_vec());
        steps.push(LoadStep {
            share: (hours / week).approximate(),
            now: now.approximate(),
            later: later.approximate(),
            beyond: over.approximate(),
            told: told.join("\n"),
        });
    }
    let mut twin = Twin::new(["Hours of the week", "Cannot wait", "Can wait", "Beyond the base"], rows);
    twin.notes.push(format!("{} GPUs are in service and {} available.", near(*in_service), near(*available)));
    let chart = Load {
        steps,
        in_service: in_service.approximate(),
        in_service_text: format!("in service {}", near(*in_service)),
        available: available.approximate(),
        available_text: format!("available {}", near(*available)),
        beyond,
    };
    Ok(Chart {
        title: "Load duration".to_owned(),
        scope: format!("{}, {}, GPUs against share of hours", environment.name, month_named(subject, *month)),
        body: Body::Load(chart),
        key: Vec::new(),
        twin,
    })
}

fn percent(figures: Figures, share: Num) -> String {
    let percent = share.decimal().and_then(|share| share.checked_mul(Decimal::ONE_HUNDRED));
    percent.map_or_else(String::new, |percent| figures.rounded(percent, 0))
}

fn whole(figures: Figures, value: Num) -> String {
    value.decimal().map_or_else(String::new, |value| {
        if value.is_zero() { crate::show::ZERO.to_owned() } else { figures.rounded(value, 0) }
    })
}

fn month_named(subject: &Subject<'_>, month: u32) -> String {
    match subject.start() {
        Some(start) => format!("month {month}, {}", start.plus(month)),
        None => format!("month {month}"),
    }
}
