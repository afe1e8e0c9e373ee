//! What has become of the preferred placement when values are laid over a base, and what in its capacity decided it.
//!
//! Nothing is evaluated here: two evaluations of the same placements are compared.

use super::compare;
use crate::engine::{EnvironmentResult, Evaluation, PlacementResult};
use crate::quantity::Money;

/// The preferred placement of a base and of what is laid over it.
#[derive(Clone, PartialEq, Debug)]
pub struct Shift {
    /// The cheapest of the base that meets the service, by its place; none where none does.
    pub from: Option<usize>,
    pub to: Option<usize>,
    /// The second of what is shown, and how much dearer it is.
    pub runner_up: Option<(usize, Money)>,
    /// The environments of these placements whose nodes change, those of `from` first.
    pub nodes: Vec<Nodes>,
    /// What the figure that decides changes by, of `from` and of `to`.
    pub moved: Vec<(usize, Money)>,
}

/// The most nodes that an environment has in any month.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nodes {
    pub placement: usize,
    pub environment: String,
    pub before: u32,
    pub after: u32,
}

impl Shift {
    /// Whether another placement is preferred than in the base.
    #[must_use]
    pub fn changes(&self) -> bool {
        self.from != self.to
    }
}

/// Compares what is shown with the base.
#[must_use]
pub fn shift(base: &Evaluation, shown: &Evaluation) -> Shift {
    let ranked = compare::ranking(shown);
    let (from, to) = (base.cheapest, shown.cheapest);
    let figure = |placement: &PlacementResult| placement.deciding(shown.decision_figure);
    let runner_up = match ranked.as_slice() {
        [first, second, ..] => Some((*second, figure(&shown.placements[*second]) - figure(&shown.placements[*first]))),
        _ => None,
    };
    let mut named: Vec<usize> = from.into_iter().chain(to).collect();
    named.dedup();
    let pairs =
        || named.iter().filter_map(|&place| Some((place, base.placements.get(place)?, shown.placements.get(place)?)));
    Shift {
        from,
        to,
        runner_up,
        nodes: pairs().flat_map(|(place, before, after)| changed_nodes(place, before, after)).collect(),
        moved: pairs().map(|(place, before, after)| (place, figure(after) - figure(before))).collect(),
    }
}

fn changed_nodes(placement: usize, before: &PlacementResult, after: &PlacementResult) -> Vec<Nodes> {
    let change = |now: &EnvironmentResult| {
        let then = before.environments.iter().find(|then| then.id == now.id)?;
        let (before, after) = (most_nodes(then), most_nodes(now));
        (before != after).then(|| Nodes { placement, environment: now.name.clone(), before, after })
    };
    after.environments.iter().filter_map(change).collect()
}

fn most_nodes(environment: &EnvironmentResult) -> u32 {
    environment.nodes.iter().filter_map(|nodes| nodes.as_count()).max().unwrap_or(0)
}
