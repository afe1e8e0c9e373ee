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
    /// Whether both count in the same currency, so that figures can be subtracted.
    pub same_currency: bool,
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

/// What all differences together come to for one placement of the first scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The sum of what each moves alone; none where one of them takes the placement away.
    pub alone: Option<Money>,
    /// What they do together beyond that: the total less the sum. Most of it comes from differences of which one works on
    /// what another changes, such as a price and the quantity it is paid for.
    pub together: Option<Money>,
    /// The figure in the second scenario less the figure in the first; none where the second has no such placement.
    pub total: Option<Money>,
}

impl Comparison {
    /// The sums beneath the differences, in the order of the placements of the first scenario.
    #[must_use]
    pub fn sums(&self) -> Vec<Sum> {
        let of_first = self.placements.iter().filter(|pair| pair.first.is_some());
        of_first.enumerate().map(|(place, pair)| self.sum(place, pair)).collect()
    }

    fn sum(&self, place: usize, pair: &Pair) -> Sum {
        // What cannot be taken over alone moves nothing alone, and stands in what they do together.
        let moves = self.differences.iter().filter_map(|effect| effect.moves.as_ref().ok());
        let moved = moves.map(|moves| moves.get(place).copied().flatten());
        let alone = moved.sum::<Option<Money>>();
        let both = pair.first.zip(pair.second).filter(|_| self.same_currency);
        let total = both.map(|(first, second)| second - first);
        Sum { alone, together: total.zip(alone).map(|(total, alone)| total - alone), total }
    }
}

/// Two scenarios before the differences between them are evaluated, one by one.
pub struct Plan<'a> {
    first: &'a Scenario,
    evaluations: (Evaluation, Evaluation),
    differences: Vec<Difference>,
}

impl<'a> Plan<'a> {
    /// Finds what differs.
    ///
    /// # Errors
    /// One of the scenarios cannot be computed.
    pub fn new(first: &'a Scenario, second: &Scenario) -> Result<Self, Problem> {
        let evaluations = (evaluate(first)?, evaluate(second)?);
        Ok(Self { first, evaluations, differences: differences(first, second) })
    }

    /// What is to be evaluated, each by [`Plan::effect`].
    #[must_use]
    pub fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// What one difference moves.
    #[must_use]
    pub fn effect(&self, difference: &Difference) -> Effect {
        Effect { moves: moves(self.first, &self.evaluations.0, difference), difference: difference.clone() }
    }

    /// The comparison, with the effects in the order of the differences.
    #[must_use]
    pub fn collect(&self, effects: Vec<Effect>) -> Comparison {
        let ((a, b), figure) = (&self.evaluations, self.first.decision_figure);
        let mut ids: Vec<(&str, &str)> = Vec::new();
        for placement in a.placements.iter().chain(&b.placements) {
            if !ids.iter().any(|(id, _)| *id == placement.id) {
                ids.push((&placement.id, &placement.name));
            }
        }
        let pair = |(id, name): (&str, &str)| Pair {
            id: id.into(),
            name: name.into(),
            first: figure_of(a, id, figure),
            second: figure_of(b, id, figure),
        };
        Comparison {
            decision_figure: figure,
            same_currency: a.currency == b.currency,
            differences: effects,
            placements: ids.into_iter().map(pair).collect(),
        }
    }
}

/// Compares two scenarios.
///
/// # Errors
/// One of them cannot be computed.
pub fn diff(first: &Scenario, second: &Scenario) -> Result<Comparison, Problem> {
    let plan = Plan::new(first, second)?;
    let effects = plan.differences().iter().map(|difference| plan.effect(difference)).collect();
    Ok(plan.collect(effects))
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
