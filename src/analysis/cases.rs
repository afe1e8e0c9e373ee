//! Every placement in every case of a scenario, and what it would cost to have chosen wrongly.
//!
//! The table names its evaluations, and whoever asks runs them. Nothing here knows a formula.

use rust_decimal::Decimal;

use crate::engine::{Evaluation, Failure, Figure, FigureValue, PlacementResult, evaluate};
use crate::quantity::{Currency, Money};
use crate::scenario::{Case, Change, DecisionFigure, Problem, Scenario, problem, validate};

use super::figure::decimal;

/// The base, or one case of it.
#[derive(Clone, Debug)]
pub struct Variant {
    /// None for the base.
    pub case: Option<Case>,
    pub scenario: Scenario,
    pub changes: Vec<Change>,
}

/// The base and every case, in the order of the file; evaluate each, then [`table`] them.
///
/// # Errors
/// Cases whose values contradict the scenario, such as an idle draw above the active one.
pub fn variants(scenario: &Scenario) -> Result<Vec<Variant>, Vec<Problem>> {
    let mut variants = vec![Variant { case: None, scenario: scenario.clone(), changes: Vec::new() }];
    let mut problems = Vec::new();
    for case in &scenario.cases {
        match with_case(scenario, case) {
            Ok((changed, changes)) => variants.push(Variant { case: Some(case.clone()), scenario: changed, changes }),
            Err(found) => problems.extend(found),
        }
    }
    if problems.is_empty() { Ok(variants) } else { Err(problems) }
}

/// The scenario with the values of a case, after a check that they agree with each other.
///
/// # Errors
/// Values that their inputs do not accept, or that contradict each other.
pub fn with_case(scenario: &Scenario, case: &Case) -> Result<(Scenario, Vec<Change>), Vec<Problem>> {
    let (changed, changes) = scenario.with_case(case)?;
    let problems = validate::errors(&changed);
    if problems.is_empty() { Ok((changed, changes)) } else { Err(problems) }
}

/// The case of an id.
///
/// # Errors
/// The scenario has no such case; the problem names those it has.
pub fn case_named<'s>(scenario: &'s Scenario, id: &str) -> Result<&'s Case, Problem> {
    let found = scenario.cases.iter().find(|case| case.id == id);
    found.ok_or_else(|| problem::dangling("cases", "case", id, scenario.cases.iter().map(|case| case.id.as_str())))
}

/// Every placement in every case.
#[derive(Clone, Debug)]
pub struct Table {
    pub decision_figure: DecisionFigure,
    /// The base first, then the cases in the order of the file.
    pub rows: Vec<Row>,
    /// For each placement, the most that it would cost beyond the best one, over all cases in which it can be chosen;
    /// none where there is none.
    pub greatest_regret: Vec<Option<Money>>,
    /// For each placement, its figure in the case in which it costs most; none where it does not serve in every case.
    pub worst: Vec<Option<Money>>,
    /// The placement that costs least in its own worst case; of equals the first.
    pub best_in_worst_case: Option<usize>,
    /// Of the placements that serve in every case, the one with the least greatest regret; of equals the first.
    pub least_regret: Option<usize>,
}

/// The table, and beside the figure that decides another one.
#[derive(Clone, Debug)]
pub struct Answer {
    pub table: Table,
    pub currency: Currency,
    pub figure: Figure,
    /// The figure asked for, case by case in the order of the table and by placement; none where there is no output to
    /// measure against.
    pub figures: Vec<Vec<Option<Decimal>>>,
}

/// One case: its figures by placement.
#[derive(Clone, Debug)]
pub struct Row {
    pub variant: Variant,
    pub cheapest: Option<usize>,
    pub cells: Vec<Cell>,
}

/// One placement in one case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cell {
    /// The figure that decides.
    pub figure: Money,
    pub meets_service: bool,
    /// What it costs beyond the cheapest; none where it does not serve, or nothing does.
    pub regret: Option<Money>,
}

/// A figure of every placement of an evaluation, in their order; none where there is no output to measure against.
#[must_use]
pub fn figures(evaluation: &Evaluation, figure: &Figure) -> Vec<Option<Decimal>> {
    evaluation.placements.iter().map(|placement| of_placement(placement, figure, evaluation.currency)).collect()
}

fn of_placement(placement: &PlacementResult, figure: &Figure, currency: Currency) -> Option<Decimal> {
    let class = |id: &str| placement.workloads.iter().find(|class| class.id == id);
    let value = match figure {
        Figure::Total => FigureValue::Money(placement.totals.total),
        Figure::PresentValue => FigureValue::Money(placement.totals.present_value),
        Figure::EquivalentAnnualCost => FigureValue::Money(placement.equivalent_annual_cost),
        Figure::CostPerOutput(id) => FigureValue::PerOutput(class(id)?.cost_per_output?),
        Figure::LevelisedCostPerOutput(id) => FigureValue::PerOutput(class(id)?.levelised_cost_per_output?),
    };
    decimal(value, currency)
}

/// Lays evaluations of the variants, in their order, out as a table with one figure beside.
///
/// # Errors
/// As [`table`].
pub fn answer(
    variants: Vec<Variant>,
    evaluations: Vec<Result<Evaluation, Failure>>,
    figure: Figure,
    currency: Currency,
) -> Result<Answer, Problem> {
    let of = |evaluation: &Result<Evaluation, Failure>| {
        evaluation.as_ref().map_or_else(|_| Vec::new(), |evaluation| figures(evaluation, &figure))
    };
    let figures = evaluations.iter().map(of).collect();
    Ok(Answer { table: table(variants, evaluations)?, currency, figure, figures })
}

/// Lays evaluations of the variants, in their order, out as a table.
///
/// # Errors
/// The first case that cannot be computed, by name.
pub fn table(variants: Vec<Variant>, evaluations: Vec<Result<Evaluation, Failure>>) -> Result<Table, Problem> {
    let decision_figure = variants.first().map_or_else(DecisionFigure::default, |base| base.scenario.decision_figure);
    let mut rows = Vec::with_capacity(variants.len());
    for (variant, evaluation) in variants.into_iter().zip(evaluations) {
        let evaluation = evaluation.map_err(|failure| match &variant.case {
            Some(case) => Problem::error(
                format!("cases.{}", case.id),
                format!("{}: {}.", failure.path, failure.message.trim_end_matches('.')),
            ),
            None => failure.into(),
        })?;
        rows.push(row(variant, &evaluation));
    }
    let placements = rows.first().map_or(0, |row| row.cells.len());
    let greatest = |placement: usize| rows.iter().filter_map(|row| row.cells.get(placement)?.regret).max();
    let greatest_regret: Vec<Option<Money>> = (0..placements).map(greatest).collect();
    let worst: Vec<Option<Money>> = (0..placements).map(|placement| worst(&rows, placement)).collect();
    let in_every_case = |place: &usize| worst.get(*place).is_some_and(Option::is_some);
    let least =
        |of: &[Option<Money>]| (0..placements).filter(in_every_case).min_by_key(|place| (of.get(*place), *place));
    let (best_in_worst_case, least_regret) = (least(&worst), least(&greatest_regret));
    Ok(Table { decision_figure, rows, greatest_regret, worst, best_in_worst_case, least_regret })
}

/// What a placement costs in the case in which it costs most; none where it does not serve in every case.
fn worst(rows: &[Row], placement: usize) -> Option<Money> {
    let cells =
        rows.iter().map(|row| row.cells.get(placement).filter(|cell| cell.meets_service).map(|cell| cell.figure));
    cells.collect::<Option<Vec<Money>>>()?.into_iter().max()
}

fn row(variant: Variant, evaluation: &Evaluation) -> Row {
    let figure = |placement: &PlacementResult| placement.deciding(evaluation.decision_figure);
    let best = evaluation.cheapest.and_then(|cheapest| evaluation.placements.get(cheapest)).map(figure);
    let cells = evaluation.placements.iter().map(|placement| Cell {
        figure: figure(placement),
        meets_service: placement.meets_service,
        regret: best.filter(|_| placement.meets_service).map(|best| figure(placement) - best),
    });
    Row { cells: cells.collect(), cheapest: evaluation.cheapest, variant }
}

/// Every placement in every case, evaluation after evaluation.
///
/// # Errors
/// As [`variants`] and [`table`].
pub fn cases(scenario: &Scenario) -> Result<Table, Vec<Problem>> {
    let variants = variants(scenario)?;
    let evaluations = variants.iter().map(|variant| evaluate(&variant.scenario)).collect();
    table(variants, evaluations).map_err(|problem| vec![problem])
}
