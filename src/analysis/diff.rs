//! What each difference between two scenarios moves, taken over alone.
//!
//! Nothing here knows how scenarios are compared, or a formula.

use crate::engine::{Evaluation, evaluate};
use crate::quantity::Money;
use crate::scenario::diff::{Difference, differences, with_difference};
use crate::scenario::{DecisionFigure, Problem, Scenario};

/// Two scenarios side by side.
#[derive(Clone, Debug)]
pub struct Comparison {
    pub decision_figure: DecisionFigure,
    pub differences: Vec<Effect>,
    /// The placements of both, by id.
    pub placements: Vec<Pair>,
}

/// A difference, and what it moves.
#[derive(Clone, Debug)]
pub struct Effect {
    pub difference: Difference,
    /// The deciding figure of each placement of the first scenario, with the difference taken over alone, less its figure
    /// without it; in the order of the first scenario, none for a placement that is gone with it.
    pub moves: Result<Vec<Option<Money>>, Problem>,
}

/// The deciding figure of one placement in both scenarios.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    pub id: String,
    pub name: String,
    pub first: Option<Money>,
    pub second: Option<Money>,
}

/// Compares two scenarios.
///
/// # Errors
/// One of them cannot be computed.
pub fn diff(first: &Scenario, second: &Scenario) -> Result<Comparison, Problem> {
    let (a, b) = (evaluate(first)?, evaluate(second)?);
    let effect = |difference: Difference| Effect { moves: moves(first, &a, &difference), difference };
    let mut ids: Vec<(&str, &str)> = Vec::new();
    for placement in a.placements.iter().chain(&b.placements) {
        if !ids.iter().any(|(id, _)| *id == placement.id) {
            ids.push((&placement.id, &placement.name));
        }
    }
    let pair = |(id, name): (&str, &str)| Pair {
        id: id.into(),
        name: name.into(),
        first: figure_of(&a, id, first.decision_figure),
        second: figure_of(&b, id, first.decision_figure),
    };
    Ok(Comparison {
        decision_figure: first.decision_figure,
        differences: differences(first, second).into_iter().map(effect).collect(),
        placements: ids.into_iter().map(pair).collect(),
    })
}

fn figure_of(evaluation: &Evaluation, id: &str, figure: DecisionFigure) -> Option<Money> {
    evaluation.placements.iter().find(|placement| placement.id == id).map(|placement| placement.deciding(figure))
}

fn moves(first: &Scenario, base: &Evaluation, difference: &Difference) -> Result<Vec<Option<Money>>, Problem> {
    let changed = with_difference(first, difference).map_err(|problems| {
        let reason =
            problems.into_iter().find(Problem::is_error).map(|problem| problem.to_string()).unwrap_or_default();
        Problem::error(difference.path.clone(), format!("cannot be taken over alone: {reason}"))
    })?;
    let evaluation = evaluate(&changed)?;
    if evaluation.currency != base.currency {
        return Err(Problem::error(difference.path.clone(), "figures in different currencies cannot be subtracted."));
    }
    let figure = first.decision_figure;
    let moved = |placement: &crate::engine::PlacementResult| {
        figure_of(&evaluation, &placement.id, figure).map(|after| after - placement.deciding(figure))
    };
    Ok(base.placements.iter().map(moved).collect())
}
