//! Answers as text to be read, every result with its conventions above it.
//!
//! Amounts are grouped, negative ones in parentheses, nothing as a dash. Nothing here computes a figure.

use std::path::Path;

use rust_decimal::Decimal;

use crate::analysis::cases::Table as Cases;
use crate::analysis::cumulative::{Crossover, crossovers};
use crate::analysis::diff::Comparison;
use crate::analysis::explain::{Explained, Explainer, Formula, LinePart, Measure, Reason, Value};
use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::postings::{Book, Dimension, Filter, Group, Grouped, Pivot, Sum};
use crate::analysis::published::{self, Verdict};
use crate::analysis::tornado::Answer;
use crate::engine::{CapacityWaterfall, Figure, PlacementResult};
use crate::quantity::trace::Influence;
use crate::quantity::{Exact, Money, Num};
use crate::scenario::{Change, InputRef, Problem, Scenario};
use crate::show::{Figures, in_words};
use crate::words::difference::parts;
use crate::words::{Phrasing, Wording, conventions};

use super::run::Subject;

mod drivers;
mod uncertainty;

pub(super) use drivers::*;
pub(super) use uncertainty::*;

/// Rows of cells in aligned columns: texts to the left, figures to the right.
struct Grid {
    alignment: Vec<Side>,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}
use Side::{Left, Right};

impl Grid {
    fn new(alignment: Vec<Side>, header: Vec<String>) -> Self {
        Self { alignment, rows: vec![header] }
    }

    fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn text(&self) -> String {
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.alignment.len()).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).zip(&self.alignment).map(|((cell, width), side)| match side {
                Left => format!("{cell:<width$}"),
                Right => format!("{cell:>width$}"),
            });
            text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
            text.push('\n');
        }
        text
    }
}

/// How amounts of one subject are written.
struct Writer<'s> {
    subject: &'s Subject,
    figures: Figures,
}

impl<'s> Writer<'s> {
    fn new(subject: &'s Subject) -> Self {
        Self { subject, figures: Figures::default() }
    }

    fn money(&self, money: Money) -> String {
        if money.is_zero() {
            return crate::show::ZERO.into();
        }
        self.figures.exact(money.minor(), self.subject.evaluation.currency.minor_digits)
    }

    fn summed(&self, sum: Sum) -> [String; 3] {
        let Sum { postings, amounts } = sum;
        [self.figures.count(postings), self.money(amounts.total), self.money(amounts.present_value)]
    }

    fn count(&self, count: usize) -> String {
        self.figures.number(Decimal::from(count))
    }

    fn number(&self, value: Num, places: u32) -> String {
        value.decimal().map_or_else(|| "–".into(), |value| self.figures.rounded(value, places))
    }

    fn percent(&self, share: Num) -> String {
        match share.decimal() {
            Some(share) if !share.is_zero() => format!("{} %", self.figures.percent(share)),
            _ => crate::show::ZERO.into(),
        }
    }

    /// A share served, never shown larger than it is.
    fn served(&self, share: Num) -> String {
        share.decimal().map_or_else(|| "–".into(), |share| format!("{} %", self.figures.floor_percent(share)))
    }

    fn exact(&self, value: Exact) -> String {
        self.figures.editing(value.decimal().normalize())
    }

    /// What every figure rests on, beside its scenario.
    fn conventions(&self) -> String {
        let Subject { scenario, case, changes, .. } = self.subject;
        let all = conventions(scenario, case.as_deref(), self.figures);
        let texts: Vec<String> = all.into_iter().map(|convention| convention.text).collect();
        let mut text = format!("{}\n{}\n", scenario.name, texts.join(" · "));
        for change in changes {
            text.push_str(&self.change(change));
        }
        text.push_str(widened_note(&self.subject.changes));
        text.push('\n');
        text
    }

    fn change(&self, change: &Change) -> String {
        let Change { before, after, widened } = change;
        let mark = if *widened { "  †" } else { "" };
        let (label, value) = (before.full_label(), self.exact(before.input.value));
        format!("{label}: {value} → {} {}{mark}\n", self.exact(*after), before.unit)
    }
}

/// Why a figure is what it is.
pub(super) fn explanation(subject: &Subject, explained: &Explained) -> String {
    let writer = Writer::new(subject);
    let Explained { explainer, explanation, title, .. } = explained;
    let phrasing = Phrasing { inputs: explainer.inputs(), ledger: &explainer.result().ledger, figures: writer.figures };
    let mut text = writer.conventions();
    let value = match explanation.value {
        Value::Money(money) => format!("{} {}", writer.money(money), subject.evaluation.currency.code),
        Value::Number(number) => phrasing.number(number),
        Value::None => "none".into(),
    };
    text.push_str(&format!("{title}\n  {value}\n"));
    if let Some(formula) = &explanation.formula {
        text.push_str(&formula_steps(&phrasing, explainer, formula));
    } else if explanation.lines.is_empty() {
        text.push_str("\nIt is nothing here, and no formula led to it.\n");
    }
    if explanation.lines.len() > 1 {
        text.push_str(&format!("\nSum of {} lines\n", explanation.lines.len()));
        let mut grid =
            Grid::new(vec![Left, Right, Right], ["  Line", "Postings", "Amount"].map(str::to_owned).to_vec());
        for part in &explanation.lines {
            let line = &explainer.result().ledger.lines[part.line];
            let place = line.environment.as_deref().unwrap_or("placement");
            let label = format!("  {}, {} ({place})", line.category.label(), line.label);
            grid.row(vec![label, writer.count(part.postings.len()), writer.money(part.amount)]);
        }
        text.push_str(&grid.text());
    }
    for part in &explanation.lines {
        text.push_str(&line_part(&writer, &phrasing, explained, part));
    }
    text.push_str(&reasons(&writer, &explanation.rests_on));
    text
}

/// The formula of a line's greatest posting, and what the line posts year by year.
fn line_part(writer: &Writer, phrasing: &Phrasing, explained: &Explained, part: &LinePart) -> String {
    let Explained { explainer, explanation, .. } = explained;
    let (ledger, measure) = (&explainer.result().ledger, explanation.measure);
    let (line, posting) = (&ledger.lines[part.line], &ledger.postings[part.example]);
    let mut text = format!("\n{}, {} ({})\n", line.category.label(), line.label, line.rule.source);
    if let Some(formula) = explainer.posting(part.example, measure) {
        text.push_str(&format!(
            "  {} of month {}, {}, the greatest of {}\n",
            if measure == Measure::Total { "Posting" } else { "Present value" },
            posting.month,
            posting.behaviour.label().to_lowercase(),
            part.postings.len()
        ));
        text.push_str(&formula_steps(phrasing, explainer, &formula));
    }
    let years: Vec<String> = part
        .by_year
        .iter()
        .map(|(year, count, sum)| format!("year {}: {} in {count}", year + 1, writer.money(*sum)))
        .collect();
    text.push_str(&format!("  Posted: {}; together {}\n", years.join(", "), writer.money(part.amount)));
    text
}

/// A formula in words and numbers, and those of the quantities in it, down to the inputs.
fn formula_steps(phrasing: &Phrasing, explainer: &Explainer, formula: &Formula) -> String {
    let mut text = String::new();
    let mut step = |depth: usize, head: String, formula: &Formula| {
        let indent = "  ".repeat(depth + 1);
        let Wording { words, numbers, value, because } = phrasing.wording(formula);
        if !head.is_empty() {
            text.push_str(&format!("{indent}{head} = {value}\n"));
        }
        text.push_str(&format!("{indent}  {words}\n"));
        if numbers != value {
            text.push_str(&format!("{indent}  = {numbers} = {value}\n"));
        }
        if !because.is_empty() {
            text.push_str(&format!("{indent}  as it depends on {}\n", because.join("; ")));
        }
    };
    step(0, String::new(), formula);
    for quantity in explainer.quantities(formula) {
        step(quantity.depth + 1, phrasing.name(&quantity.name), &quantity.formula);
    }
    text
}

/// The inputs that a figure rests on, with their evidence.
fn reasons(writer: &Writer, reasons: &[Reason]) -> String {
    let mut text = String::new();
    for (influence, heading) in
        [(Influence::Gradual, "Rests on"), (Influence::InSteps, "And in steps, or beyond some value, on")]
    {
        let of_kind: Vec<&Reason> = reasons.iter().filter(|reason| reason.influence == influence).collect();
        if of_kind.is_empty() {
            continue;
        }
        let header = [&format!("\n{heading}"), "Value", "Unit", "Evidence", "Path"].map(ToString::to_string);
        let mut grid = Grid::new(vec![Left, Right, Left, Left, Left], header.to_vec());
        for Reason { input, .. } in of_kind {
            let evidence = input.input.evidence();
            let mut words = input.input.evidence_kind().label().to_owned();
            for part in evidence.into_iter().flat_map(|evidence| [&evidence.source, &evidence.owner]) {
                if !part.is_empty() {
                    words.push_str(&format!(", {part}"));
                }
            }
            grid.row(vec![
                format!("  {}", input.full_label()),
                writer.exact(input.input.value),
                input.unit.clone(),
                words,
                input.path.clone(),
            ]);
        }
        text.push_str(&grid.text());
    }
    text
}

/// What the mark after a changed input means, where there is one.
fn widened_note<'c>(changes: impl IntoIterator<Item = &'c Change>) -> &'static str {
    match changes.into_iter().any(|change| change.widened) {
        true => "† outside its range, which is widened\n",
        false => "",
    }
}

/// What is odd, one thing a line: its place in the file, and the name that people know the place by.
fn warnings(scenario: &Scenario, problems: &[Problem]) -> String {
    let line = |problem: &Problem| {
        let place = match problem.position {
            Some(position) if !problem.path.is_empty() => format!("line {}, ", position.line),
            _ => String::new(),
        };
        let (path, name) = (&problem.path, scenario.named(&problem.path));
        // A field of the scenario itself has no other name than its own.
        if path.is_empty() || name == path.replace('_', " ") {
            return format!("warning: {problem}\n");
        }
        format!("warning: {place}{path} ({name}): {}\n", problem.message)
    };
    problems.iter().map(line).collect()
}

/// What keeps a file from being a scenario. What is odd beside it may well follow from it, and is counted only.
pub(super) fn errors(file: &Path, found: &[Problem]) -> String {
    let errors = found.iter().filter(|problem| problem.is_error());
    let mut text: String = errors.map(|problem| format!("error: {}: {problem}\n", file.display())).collect();
    match found.iter().filter(|problem| !problem.is_error()).count() {
        0 => {}
        1 => text.push_str("1 warning besides, to look at once the errors are mended.\n"),
        many => text.push_str(&format!("{many} warnings besides, to look at once the errors are mended.\n")),
    }
    text
}

/// A scenario without errors: what is odd, what is idle, what is not entered.
pub(super) fn check(subject: &Subject, warnings: &[Problem], idle: &[InputRef]) -> String {
    let writer = Writer::new(subject);
    let mut text = writer.conventions();
    text.push_str(&self::warnings(&subject.scenario, warnings));
    if !idle.is_empty() {
        text.push_str("\nInputs that move nothing:\n");
        let mut grid = Grid::new(vec![Left, Left, Right], ["  Path", "Input", "Value"].map(str::to_owned).to_vec());
        for input in idle {
            grid.row(vec![format!("  {}", input.path), input.full_label(), writer.exact(input.input.value)]);
        }
        text.push_str(&grid.text());
    }
    text.push_str("\nNothing entered:\n");
    for placement in &subject.evaluation.placements {
        let missing: Vec<&str> =
            placement.by_category.iter().filter(|of| !of.entered).map(|of| of.category.label()).collect();
        let missing = if missing.is_empty() { "every category has a line".into() } else { missing.join(", ") };
        text.push_str(&format!("  {}: {missing}\n", placement.name));
    }
    let count = match warnings.len() {
        0 => "no warnings".into(),
        1 => "1 warning".into(),
        many => format!("{many} warnings"),
    };
    text.push_str(&format!("\nNo errors, {count}.\n"));
    text
}

/// Every placement side by side, then each by category, by year and by class.
pub(super) fn evaluation(subject: &Subject) -> String {
    let writer = Writer::new(subject);
    let evaluation = &subject.evaluation;
    let mut text = writer.conventions();
    text.push_str(&placements_table(&writer));
    text.push('\n');
    text.push_str(&categories_table(&writer));
    text.push('\n');
    text.push_str(&years_table(&writer));
    text.push_str(&overtaking(&writer));
    let services = evaluation.placements.iter().map(|placement| service(&writer, placement));
    for service in services {
        text.push('\n');
        text.push_str(&service);
    }
    match subject.warnings.len() {
        0 => {}
        1 => text.push_str("\n1 warning; `outlay check` shows it.\n"),
        many => text.push_str(&format!("\n{many} warnings; `outlay check` lists them.\n")),
    }
    text
}

fn names(subject: &Subject) -> Vec<String> {
    subject.evaluation.placements.iter().map(|placement| placement.name.clone()).collect()
}

/// A table with a column for each placement.
fn by_placement(subject: &Subject, corner: &str) -> Grid {
    let names = names(subject);
    let mut alignment = vec![Left];
    alignment.extend(names.iter().map(|_| Right));
    let mut header = vec![corner.to_owned()];
    header.extend(names);
    Grid::new(alignment, header)
}

fn placements_table(writer: &Writer) -> String {
    let subject = writer.subject;
    let evaluation = &subject.evaluation;
    let mut grid = by_placement(subject, &format!("In {}", evaluation.currency.code));
    let mut row = |label: &str, cell: &dyn Fn(&PlacementResult) -> String| {
        let mut cells = vec![label.to_owned()];
        cells.extend(evaluation.placements.iter().map(cell));
        grid.row(cells);
    };
    row("Kind", &|placement| kind(&subject.scenario, placement.kind).into());
    row("Total cost", &|placement| writer.money(placement.totals.total));
    row("Present value", &|placement| writer.money(placement.totals.present_value));
    row("Equivalent annual cost", &|placement| writer.money(placement.equivalent_annual_cost));
    row("Fixed", &|placement| writer.money(placement.fixed));
    row("Usage-driven", &|placement| writer.money(placement.usage_driven));
    row("Provider", &|placement| writer.money(placement.provider));
    row("Retained", &|placement| writer.money(placement.retained));
    if evaluation.placements.iter().any(|placement| !placement.unallocated.is_zero()) {
        row("Unallocated", &|placement| writer.money(placement.unallocated));
    }
    if evaluation.placements.iter().any(|placement| placement.after_tax.is_some()) {
        let after_tax = |of: &dyn Fn(&crate::engine::AfterTax) -> Money, placement: &PlacementResult| {
            placement.after_tax.as_ref().map_or_else(String::new, |after_tax| writer.money(of(after_tax)))
        };
        row("Total after tax", &|placement| after_tax(&|after_tax| after_tax.total, placement));
        row("Present value after tax", &|placement| after_tax(&|after_tax| after_tax.present_value, placement));
    }
    row("Beside it: delay", &|placement| writer.money(placement.exposures.delay_cost));
    row("Beside it: idle commitment", &|placement| writer.money(placement.exposures.idle_commitment));
    row("Serves", &|placement| writer.served(placement.least_share_served));
    let mut text = grid.text();
    text.push('\n');
    text.push_str(&cheapest(writer));
    text
}

/// What people call a kind of supply; `Hybrid` is no kind of any environment, and goes by its name.
fn kind<'s>(scenario: &'s Scenario, name: &'s str) -> &'s str {
    let supplies = scenario.environments.iter().map(|environment| &environment.supply);
    supplies.into_iter().find(|supply| supply.kind_name() == name).map_or(name, |supply| supply.label())
}

fn cheapest(writer: &Writer) -> String {
    let evaluation = &writer.subject.evaluation;
    let decided_by = evaluation.decision_figure.label();
    match evaluation.cheapest.and_then(|place| evaluation.placements.get(place)) {
        Some(placement) => format!("Cheapest by {decided_by}: {}\n", placement.name),
        None if evaluation.placements.is_empty() => "The scenario has no placement yet.\n".into(),
        None => format!("{} {}\n", crate::words::NONE_CHEAPEST.0, crate::words::NONE_CHEAPEST.1),
    }
}

/// What is not entered is said, since it is not zero.
fn categories_table(writer: &Writer) -> String {
    let evaluation = &writer.subject.evaluation;
    let mut grid = by_placement(writer.subject, "Total cost by category");
    for (place, category) in crate::scenario::Category::ALL.iter().enumerate() {
        let of = |placement: &PlacementResult| placement.by_category.get(place).copied();
        if !evaluation.placements.iter().any(|placement| of(placement).is_some_and(|of| of.entered)) {
            continue;
        }
        let cell = |placement: &PlacementResult| match of(placement) {
            Some(of) if of.entered => writer.money(of.amounts.total),
            _ => "nothing entered".into(),
        };
        let mut cells = vec![category.label().to_owned()];
        cells.extend(evaluation.placements.iter().map(cell));
        grid.row(cells);
    }
    let mut cells = vec!["Total".to_owned()];
    cells.extend(evaluation.placements.iter().map(|placement| writer.money(placement.totals.total)));
    grid.row(cells);
    grid.text()
}

fn years_table(writer: &Writer) -> String {
    let evaluation = &writer.subject.evaluation;
    let mut grid = by_placement(writer.subject, "Total cost by year");
    let years = evaluation.placements.iter().map(|placement| placement.by_year.len()).max().unwrap_or(0);
    for year in 0..years {
        let mut cells = vec![format!("Year {}", year.saturating_add(1))];
        let of = |placement: &PlacementResult| {
            placement.by_year.get(year).map_or_else(String::new, |year| writer.money(year.total))
        };
        cells.extend(evaluation.placements.iter().map(of));
        grid.row(cells);
    }
    grid.text()
}

/// When a placement, counted up from the start, has cost no more than another.
fn overtaking(writer: &Writer) -> String {
    let evaluation = &writer.subject.evaluation;
    let name = |place: usize| evaluation.placements.get(place).map_or("", |placement| placement.name.as_str());
    let found = crossovers(evaluation, Measure::Total);
    if evaluation.placements.len() < 2 || found.is_empty() {
        return String::new();
    }
    let mut text = "\nTotal cost counted up from the start\n".to_owned();
    for Crossover { under, over, months } in found {
        let months: Vec<String> = months.iter().map(|month| writer.count(*month as usize)).collect();
        let at = if months.len() == 1 { "month" } else { "months" };
        text.push_str(&format!("  {} comes under {} in {at} {}\n", name(under), name(over), months.join(", ")));
    }
    text
}

/// What one placement serves, and what its environments hold.
fn service(writer: &Writer, placement: &PlacementResult) -> String {
    let mut text = format!("{}\n", placement.name);
    let header = ["  Class", "Output", "Unit", "Cost", "Cost per output", "Levelised", "Unmet", "Mean wait"];
    let mut grid =
        Grid::new(vec![Left, Right, Left, Right, Right, Right, Right, Right], header.map(str::to_owned).to_vec());
    let ratio = |value: Option<Num>| {
        value.and_then(Num::decimal).map_or_else(|| "–".into(), |value| writer.figures.ratio(value))
    };
    for workload in &placement.workloads {
        let wait = workload.queue_wait_hours.map_or_else(String::new, |wait| {
            let bound = wait.objective_hours.map_or_else(String::new, |objective| format!(" of {objective} h"));
            if wait.mean_hours.is_finite() {
                format!("{:.2} h{bound}", wait.mean_hours)
            } else {
                format!("without end{bound}")
            }
        });
        grid.row(vec![
            format!("  {}", workload.name),
            writer.number(workload.output, 2),
            workload.output_unit.clone(),
            writer.money(workload.allocated.total),
            ratio(workload.cost_per_output),
            ratio(workload.levelised_cost_per_output),
            writer.percent(workload.unmet_share),
            wait,
        ]);
    }
    text.push_str(&grid.text());
    let header =
        ["  Environment", "Cost", "GPUs", "Productive h", "Allocated h", "Occupied h", "Available h", "Installed h"];
    let mut grid =
        Grid::new(vec![Left, Right, Right, Right, Right, Right, Right, Right], header.map(str::to_owned).to_vec());
    for environment in &placement.environments {
        let hours = environment.gpu_hours;
        let mut row = vec![
            format!("  {}", environment.name),
            writer.money(environment.amounts.total),
            writer.number(environment.installed_gpus, 0),
        ];
        let hours = [hours.productive, hours.allocated, hours.occupied, hours.available, hours.installed];
        row.extend(hours.map(|hours| writer.number(hours, 0)));
        grid.row(row);
    }
    text.push_str(&grid.text());
    for environment in &placement.environments {
        if let Some(steps) = &environment.capacity {
            text.push_str(&capacity(writer, &environment.name, steps));
        }
    }
    text.push_str(&book_view(writer, placement));
    text
}

/// How the nodes of an environment come about: a range to challenge, not a false point.
fn capacity(writer: &Writer, name: &str, steps: &CapacityWaterfall) -> String {
    let count = |count: Num| writer.number(count, 0);
    let mut grid = Grid::new(
        vec![Left, Right],
        vec![format!("  Capacity of {name}, month {}", count(Num::count(steps.month))), "GPUs".to_owned()],
    );
    let mut row = |label: &str, figure: String| grid.row(vec![format!("    {label}"), figure]);
    row("Deferrable work, GPU-hours in the month", writer.number(steps.demand_gpu_hours, 2));
    row("Deferrable work", writer.number(steps.deferrable, 2));
    row("What cannot wait, at its peak hour", writer.number(steps.peak, 2));
    row("Baseline equivalents", writer.number(steps.baseline, 2));
    row("Baseline, whole GPUs", writer.number(steps.baseline.ceil_units(), 0));
    match steps.sized_share {
        Some(share) => {
            row("Share sized for", writer.percent(share));
            row("Maintenance", writer.number(steps.maintenance, 2));
            row("Failure reserve", writer.number(steps.failure_reserve, 2));
            row("Growth headroom", writer.number(steps.growth_headroom, 2));
            row("Needed", writer.number(steps.needed, 2));
            row("Nodes for the GPUs needed", count(steps.nodes_for_gpus));
            row("Nodes for runs that start together", count(steps.gang_nodes));
        }
        None => row("Needed, were it sized for demand", writer.number(steps.needed, 2)),
    }
    row("Nodes in service", count(steps.nodes));
    if let Some((low, high)) = steps.nodes_over_utilisation {
        row("Nodes at the low and at the high end of utilisation", format!("{} and {}", count(low), count(high)));
    }
    row("Spare nodes", count(steps.spares));
    grid.text()
}

/// Owned nodes that leave the books: what they stand at, and what they bring in.
fn book_view(writer: &Writer, placement: &PlacementResult) -> String {
    if placement.disposals.is_empty() {
        return String::new();
    }
    let header = ["  Nodes leaving the books", "Month", "Book value", "Residual value", "Gain or loss"];
    let mut grid = Grid::new(vec![Left, Right, Right, Right, Right], header.map(str::to_owned).to_vec());
    for disposal in &placement.disposals {
        grid.row(vec![
            format!("  {}", disposal.environment),
            writer.figures.number(Decimal::from(disposal.month)),
            writer.money(disposal.book_value),
            writer.money(disposal.residual),
            writer.money(disposal.gain),
        ]);
    }
    grid.text()
}

/// What was asked for, and how many postings that is.
fn asked(writer: &Writer<'_>, placement: Option<&str>, filter: &Filter, found: usize) -> String {
    let subject = writer.subject;
    let named = placement.and_then(|id| subject.scenario.placements.iter().find(|placement| placement.id == id));
    let several = match filter.values(Dimension::Placement) {
        [] => "All placements",
        _ => "Placements",
    };
    let name = named.map_or(several, |placement| placement.name.as_str());
    let mut text = format!("{name}, in {}\n", subject.evaluation.currency.code);
    let is_said = |dimension: &&Dimension| **dimension != Dimension::Placement || named.is_none();
    let mut conditions: Vec<String> = Vec::new();
    for dimension in Dimension::ALL.iter().filter(is_said) {
        let values = filter.values(*dimension);
        if !values.is_empty() {
            conditions.push(format!("{} {}", dimension.name(), values.join(" or ")));
        }
    }
    if !filter.search.trim().is_empty() {
        conditions.push(format!("line with “{}”", filter.search.trim()));
    }
    if !conditions.is_empty() {
        let postings = if found == 1 { "posting" } else { "postings" };
        text.push_str(&format!("Where {}: {} {postings}\n", conditions.join(", "), writer.figures.count(found)));
    }
    text.push('\n');
    text
}

/// Postings with their total; with their placement where not one alone was named.
pub(super) fn ledger(subject: &Subject, placement: Option<&str>, filter: &Filter, book: &Book, rows: &[u32]) -> String {
    let writer = Writer::new(subject);
    let mut text = writer.conventions();
    text.push_str(&asked(&writer, placement, filter, rows.len()));
    let mut alignment = vec![Right, Left, Left, Left, Left, Left, Right, Right];
    let mut header: Vec<String> =
        ["Month", "Environment", "Line", "Category", "Behaviour", "Boundary", "Amount", "Present value"]
            .map(str::to_owned)
            .to_vec();
    if placement.is_none() {
        alignment.insert(0, Left);
        header.insert(0, "Placement".into());
    }
    let mut grid = Grid::new(alignment, header);
    for row in rows {
        let entry = book.entry(*row);
        let Some(result) = subject.evaluation.placements.get(entry.placement) else { continue };
        let Some(posting) = result.ledger.postings.get(entry.posting) else { continue };
        let Some(line) = result.ledger.lines.get(posting.line as usize) else { continue };
        let mut cells = if placement.is_none() { vec![result.id.clone()] } else { Vec::new() };
        cells.extend([
            posting.month.to_string(),
            line.environment.clone().unwrap_or_default(),
            line.label.clone(),
            line.category.label().into(),
            posting.behaviour.label().into(),
            line.boundary.label().into(),
            writer.money(posting.amount),
            writer.money(posting.present_value),
        ]);
        grid.row(cells);
    }
    let sum = book.sum(rows.iter().copied());
    let mut total = vec![String::new(); if placement.is_none() { 3 } else { 2 }];
    total.push("Total".to_owned());
    total.extend([const { String::new() }; 3]);
    total.extend([writer.money(sum.amounts.total), writer.money(sum.amounts.present_value)]);
    grid.row(total);
    text.push_str(&grid.text());
    text
}

/// Groups with their subtotals, each above what is in it.
pub(super) fn grouped(subject: &Subject, filter: &Filter, book: &Book, grouped: &Grouped) -> String {
    let writer = Writer::new(subject);
    let mut text = writer.conventions();
    text.push_str(&asked(&writer, None, filter, grouped.sum.postings));
    let mut alignment = vec![Left; grouped.by.len()];
    alignment.extend([Right; 3]);
    let mut header: Vec<String> = grouped.by.iter().map(|dimension| dimension.label().to_owned()).collect();
    header.extend(["Postings", "Amount", "Present value"].map(str::to_owned));
    let mut grid = Grid::new(alignment, header);
    group_rows(&writer, book, grouped, (0, &grouped.groups), &mut grid);
    let mut total = vec![String::new(); grouped.by.len()];
    total[0] = "Total".into();
    total.extend(writer.summed(grouped.sum));
    grid.row(total);
    text.push_str(&grid.text());
    text
}

fn group_rows(writer: &Writer<'_>, book: &Book, whole: &Grouped, (depth, groups): (usize, &[Group]), grid: &mut Grid) {
    let Some(&dimension) = whole.by.get(depth) else { return };
    for group in groups {
        let mut row = vec![String::new(); whole.by.len()];
        row[depth] = book.label(dimension, group.key).to_owned();
        row.extend(writer.summed(group.sum));
        grid.row(row);
        group_rows(writer, book, whole, (depth + 1, &group.inner), grid);
    }
}

/// A pivot with totals on both sides. A cell without a posting is empty, which is not zero.
pub(super) fn pivot(subject: &Subject, filter: &Filter, book: &Book, pivot: &Pivot, measure: Measure) -> String {
    let writer = Writer::new(subject);
    let mut text = writer.conventions();
    text.push_str(&asked(&writer, None, filter, pivot.sum.postings));
    text.push_str(&format!("{} by {}\n\n", measure.heading(), pivot.across.label().to_lowercase()));
    let amount = |sum: Sum| writer.money(measure.of_sum(sum.amounts));
    let mut alignment = vec![Left; pivot.down.len()];
    alignment.extend(vec![Right; pivot.columns.len() + 1]);
    let mut header: Vec<String> = pivot.down.iter().map(|dimension| dimension.label().to_owned()).collect();
    header.extend(pivot.columns.iter().map(|key| book.label(pivot.across, *key).to_owned()));
    header.push("Total".into());
    let mut grid = Grid::new(alignment, header);
    for line in &pivot.lines {
        let keys = pivot.down.iter().zip(&line.keys).map(|(of, key)| book.label(*of, *key).to_owned());
        let cells = line.cells.iter().map(|cell| cell.map(amount).unwrap_or_default());
        grid.row(keys.chain(cells).chain([amount(line.total)]).collect());
    }
    let mut total = vec![String::new(); pivot.down.len()];
    total[0] = "Total".into();
    total.extend(pivot.totals.iter().copied().chain([pivot.sum]).map(amount));
    grid.row(total);
    text.push_str(&grid.text());
    text
}

/// The bars, largest first, with the values at their ends.
pub(super) fn tornado(subject: &Subject, answer: &Answer) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let name = |place: usize| scenario.placements.get(place).map_or("", |placement| placement.name.as_str());
    let label = figure_label(scenario, &answer.question.figure);
    let of = match answer.question.against {
        Some(against) => format!("{label} of {}, less that of {}", name(answer.question.placement), name(against)),
        None => format!("{label} of {}", name(answer.question.placement)),
    };
    let digits = is_money(&answer.question.figure).then_some(answer.currency.minor_digits);
    let figure = |value: Decimal| match digits {
        Some(digits) => writer.figures.rounded(value, digits),
        None => writer.figures.ratio(value),
    };
    let mut text = writer.conventions();
    text.push_str(&format!("{of}, in {}: base {}\n\n", answer.currency.code, figure(answer.base)));
    let header =
        ["Input", "Low", "High", "Unit", "Evidence", "At low", "At high", "Least", "Greatest", "Swing", "Marks"];
    let mut grid = Grid::new(
        vec![Left, Right, Right, Left, Left, Right, Right, Right, Right, Right, Left],
        header.map(str::to_owned).to_vec(),
    );
    for bar in &answer.bars {
        let end = |result: Option<&Decimal>| result.map_or_else(String::new, |result| figure(*result));
        grid.row(vec![
            bar.label.clone(),
            writer.exact(bar.low),
            writer.exact(bar.high),
            bar.unit.clone(),
            bar.evidence.label().into(),
            end(bar.results.first()),
            end(bar.results.last()),
            figure(bar.least),
            figure(bar.greatest),
            figure(bar.swing),
            marks(&writer, scenario, bar),
        ]);
    }
    text.push_str(&grid.text());
    let list = |title: &str, paths: &[String]| match paths {
        [] => String::new(),
        _ => format!("\n{title}\n{}", paths.iter().map(|path| format!("  {path}\n")).collect::<String>()),
    };
    text.push_str(&list("Move nothing:", &answer.unmoved));
    if !answer.held.is_empty() {
        let held: std::collections::HashSet<&String> = answer.held.iter().collect();
        let inputs = scenario.inputs();
        let entered = inputs.iter().filter(|input| input.is_entered() && held.contains(&input.path)).count();
        let held = crate::words::counted::held(entered, answer.held.len().saturating_sub(entered), writer.figures);
        text.push_str(&format!(
            "\nWithout a range and held fixed: {held}. Give them a range, or the scenario a `default_range`.\n"
        ));
    }
    let failed: Vec<String> = answer.failed.iter().map(ToString::to_string).collect();
    text.push_str(&list("Cannot be computed:", &failed));
    text
}

fn marks(writer: &Writer, scenario: &Scenario, bar: &crate::analysis::tornado::Bar) -> String {
    let mut marks = Vec::new();
    if bar.range == crate::analysis::range::RangeKind::Default {
        marks.push("default range".to_owned());
    }
    if bar.non_monotonic {
        marks.push("extreme inside the range".into());
    }
    let name = |place: Option<usize>| {
        place.and_then(|place| scenario.placements.get(place)).map_or("none", |placement| placement.name.as_str())
    };
    for switch in &bar.switches {
        let at = switch.at.map_or_else(String::new, |at| format!(" at {}", writer.exact(at)));
        marks.push(format!("preferred changes from {} to {}{at}", name(switch.from), name(switch.to)));
    }
    marks.join(", ")
}

/// Every placement in every case.
pub(super) fn cases(subject: &Subject, table: &Cases) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let mut text = writer.conventions();
    let label = figure_label(scenario, &Figure::deciding(table.decision_figure));
    let code = subject.evaluation.currency.code;
    let mut grid = by_placement(subject, &format!("{label}, in {code}"));
    let mut regrets = by_placement(subject, &format!("Regret, in {code}"));
    for row in &table.rows {
        let name = row.variant.case.as_ref().map_or("Base", |case| case.name.as_str());
        let (mut cells, mut regret) = (vec![name.to_owned()], vec![name.to_owned()]);
        for (place, cell) in row.cells.iter().enumerate() {
            let mark = if row.cheapest == Some(place) {
                " *"
            } else if cell.meets_service {
                "  "
            } else {
                " –"
            };
            cells.push(format!("{}{mark}", writer.money(cell.figure)));
            regret.push(cell.regret.map_or_else(|| "does not serve".into(), |regret| writer.money(regret)));
        }
        grid.row(cells);
        regrets.row(regret);
    }
    let mut greatest = vec!["Greatest".to_owned()];
    greatest.extend(
        table
            .greatest_regret
            .iter()
            .map(|regret| regret.map_or_else(|| "does not serve".into(), |regret| writer.money(regret))),
    );
    regrets.row(greatest);
    let mut worst = vec!["Worst".to_owned()];
    worst.extend(
        table
            .worst
            .iter()
            .map(|worst| worst.map_or_else(|| "does not serve".into(), |worst| format!("{}  ", writer.money(worst)))),
    );
    grid.row(worst);
    text.push_str(&grid.text());
    text.push_str("* cheapest   – leaves more demand unmet than is accepted\n\n");
    text.push_str(&regrets.text());
    text.push_str(&in_worst_case(&writer, table));
    for row in table.rows.iter().filter(|row| row.variant.case.is_some()) {
        let name = row.variant.case.as_ref().map_or("", |case| case.name.as_str());
        text.push_str(&format!("\n{name}\n"));
        for change in &row.variant.changes {
            text.push_str(&format!("  {}", writer.change(change)));
        }
    }
    let note = widened_note(table.rows.iter().flat_map(|row| &row.variant.changes));
    if !note.is_empty() {
        text.push_str(&format!("\n{note}"));
    }
    text
}

/// Which placement is best where everything goes wrong for it.
fn in_worst_case(writer: &Writer, table: &Cases) -> String {
    let of = |place: Option<usize>, amounts: &[Option<Money>]| {
        let placement = writer.subject.scenario.placements.get(place?)?;
        Some((placement.name.as_str(), writer.money((*amounts.get(place?)?)?)))
    };
    match (of(table.best_in_worst_case, &table.worst), of(table.least_regret, &table.greatest_regret)) {
        (Some((best, at_most)), Some((least, regret))) => format!(
            "\nBest in the worst case: {best}, which costs {at_most} at most\nLeast greatest regret: {least}, with {regret} at \
             most\n"
        ),
        _ => "\nNo placement serves as far as is accepted in every case.\n".into(),
    }
}

/// What differs, and what each difference moves in the first scenario.
pub(super) fn diff(first: &Subject, second: &Subject, comparison: &Comparison) -> String {
    let writer = Writer::new(first);
    let mut text = format!("A  {}B  {}", writer.conventions().trim_start(), Writer::new(second).conventions());
    let label = figure_label(&first.scenario, &Figure::deciding(comparison.decision_figure));
    let mut grid = Grid::new(
        vec![Left, Right, Right],
        vec![format!("{label}, in {}", first.evaluation.currency.code), "A".into(), "B".into()],
    );
    let cell = |money: Option<Money>| money.map_or_else(|| "absent".into(), |money| writer.money(money));
    for pair in &comparison.placements {
        grid.row(vec![pair.name.clone(), cell(pair.first), cell(pair.second)]);
    }
    text.push_str(&grid.text());
    if comparison.differences.is_empty() {
        text.push_str("\nNothing differs.\n");
        return text;
    }
    for effect in &comparison.differences {
        let difference = &effect.difference;
        let path = if difference.label == difference.path { String::new() } else { format!(" ({})", difference.path) };
        text.push_str(&format!("\n{}{path}, {}\n", difference.label, difference.kind.name()));
        for part in parts(&difference.read, &|number| writer.exact(number)) {
            text.push_str(&format!("  {}\n", part.line()));
        }
        match &effect.moves {
            Ok(moves) => {
                let moved: Vec<String> = first
                    .scenario
                    .placements
                    .iter()
                    .zip(moves)
                    .filter(|(_, moved)| moved.is_none_or(|moved| !moved.is_zero()))
                    .map(|(placement, moved)| match moved {
                        Some(moved) => format!("{} {}", placement.name, signed(&writer, *moved)),
                        None => format!("{} gone", placement.name),
                    })
                    .collect();
                text.push_str(&if moved.is_empty() {
                    "  moves nothing\n".into()
                } else {
                    format!("  moves {}\n", moved.join("; "))
                });
            }
            Err(problem) => text.push_str(&format!("  {}\n", problem.message)),
        }
    }
    text
}

/// How far something moves, with its sign before it.
fn signed(writer: &Writer, money: Money) -> String {
    if Money::ZERO < money { format!("+{}", writer.money(money)) } else { in_words(&writer.money(money)) }
}

/// Published figures case by case, each case with its source above and its convention below.
pub(super) fn published(cases: &[published::Case]) -> String {
    let figures = Figures::default();
    let count = |count: usize| figures.number(Decimal::from(count));
    let standings = published::counts(cases).into_iter().filter(|(_, of)| *of > 0);
    let standings: Vec<String> = standings.map(|(verdict, of)| format!("{} {}", count(of), verdict.label())).collect();
    let rows = cases.iter().map(|case| case.rows.len()).sum();
    let mut text =
        format!("{} published figures in {} cases: {}.\n", count(rows), count(cases.len()), standings.join(", "));
    for case in cases {
        text.push_str(&published_case(case, figures));
    }
    text
}

fn published_case(case: &published::Case, figures: Figures) -> String {
    let mut notes: Vec<&str> = Vec::new();
    let header = ["Figure", "Unit", "Published", "Computed", "Difference", "Verdict"].map(String::from).to_vec();
    let mut grid = Grid::new(vec![Left, Left, Right, Right, Right, Left], header);
    for row in &case.rows {
        let printed = row.published_value().decimal().unwrap_or_default();
        let beside = |value: Num| value.decimal().map_or_else(|| "none".into(), |value| figures.beside(value, printed));
        let mut verdict = row.verdict().label().to_owned();
        if let Some(why) = row.why().filter(|_| row.verdict() != Verdict::Equal) {
            let place = notes.iter().position(|known| *known == why).unwrap_or_else(|| {
                notes.push(why);
                notes.len() - 1
            });
            verdict.push_str(&format!(" [{}]", figures.number(Decimal::from(place + 1))));
        }
        let difference = row.difference();
        grid.row(vec![
            row.label.clone(),
            row.unit.into(),
            figures.number(printed),
            beside(row.computed),
            if difference.is_zero() { crate::show::ZERO.into() } else { beside(difference) },
            verdict,
        ]);
    }
    let mut text = format!("\n{}\n{}\n", case.title, wrapped(&format!("Source: {}.", case.source)));
    for shipped in case.scenarios {
        text.push_str(&format!("Scenario: scenarios/published/{}\n", shipped.file));
    }
    text.push_str(&format!("\n{}\n", grid.text()));
    for (place, note) in notes.into_iter().enumerate() {
        text.push_str(&format!("{}\n", wrapped(&format!("[{}] {note}", figures.number(Decimal::from(place + 1))))));
    }
    text.push_str(&format!("{}\n", wrapped(&format!("Convention: {}", case.convention))));
    text
}

/// Breaks a paragraph at spaces, into lines that a terminal holds.
fn wrapped(paragraph: &str) -> String {
    const WIDTH: usize = 100;
    let mut text = String::new();
    let mut length = 0;
    for word in paragraph.split(' ') {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += word_length;
    }
    text
}
