//! How large the fixed part of a hybrid placement should be: every node count evaluated in full, and the rule of thumb of
//! the load-duration curve beside it.
//!
//! The curve is read off the evaluations: the share of hours in which demand lies above so many nodes is the share of its
//! hours for which one more would be used. The analysis names its evaluations, and whoever asks runs them. Nothing here
//! knows a formula of the engine.

use rust_decimal::Decimal;

use crate::engine::{Behaviour, Failure, PlacementResult, evaluate::evaluate_placement};
use crate::input::Input;
use crate::quantity::{Currency, Exact, Money, Num};
use crate::scenario::{DecisionFigure, NodeCount, Problem, Scenario, ShareOfDemand, Sizing, Supply, problem};

/// The most counts that are evaluated.
pub const MOST_COUNTS: u32 = 5_000;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// By its place in the scenario.
    pub placement: usize,
    /// The id of a dedicated or bare-metal environment.
    pub environment: String,
}

/// Planned evaluations.
#[derive(Debug)]
pub struct BaseSize {
    question: Question,
    scenario: Scenario,
    currency: Currency,
    /// Nodes, without spares, that the scenario itself comes to.
    own: u32,
    counts: Vec<u32>,
}

/// The placement with one number of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct Point {
    /// Without spares.
    pub nodes: u32,
    /// The figure that decides.
    pub figure: Money,
    /// Whether no class stays unmet beyond what it accepts.
    pub serves: bool,
    /// The least share served of any class.
    pub least_share_served: Num,
    /// What the environment costs whether it is used or not.
    pub owned_fixed: Money,
    /// What the environment costs by use.
    pub owned_usage: Money,
    /// Everything else that the placement costs.
    pub elsewhere: Money,
    /// GPU-hours of the environment that are occupied.
    pub occupied: Num,
    /// GPU-hours of the environment that are available.
    pub available: Num,
}

/// The rule of thumb: own until the share of hours with demand above falls to owned cost over burst cost.
#[derive(Clone, PartialEq, Debug)]
pub struct Rule {
    /// Fixed cost of one more available GPU-hour of the environment, on average from no nodes to the most.
    pub owned_per_hour: Decimal,
    /// What is saved elsewhere by one more GPU-hour served here, on average from no nodes to the most.
    pub burst_per_hour: Decimal,
    /// The one over the other.
    pub threshold: Decimal,
    /// The node count at which the share of hours with demand above has fallen to it.
    pub nodes: u32,
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub question: Question,
    pub currency: Currency,
    pub decision_figure: DecisionFigure,
    /// By number of nodes, from none.
    pub points: Vec<Point>,
    /// For each point but the last, the share of the hours of one more node for which it would be used.
    pub shares_above: Vec<Option<Decimal>>,
    /// The cheapest point that serves, by its place; of equals the one with fewer nodes.
    pub cheapest: Option<usize>,
    /// Nodes, without spares, that the scenario itself comes to.
    pub own: u32,
    /// None where nothing that is not served here is paid for elsewhere.
    pub rule: Option<Rule>,
}

/// What other nodes change, each less what there was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    pub figure: Money,
    pub owned_fixed: Money,
    pub owned_usage: Money,
    pub elsewhere: Money,
}

impl Answer {
    /// The point with so many nodes.
    #[must_use]
    pub fn at(&self, nodes: u32) -> Option<&Point> {
        self.points.iter().find(|point| point.nodes == nodes)
    }

    /// What changes from one number of nodes to another; none where one of them was not evaluated.
    #[must_use]
    pub fn step(&self, from: u32, to: u32) -> Option<Step> {
        let (before, after) = (self.at(from)?, self.at(to)?);
        Some(Step {
            figure: after.figure - before.figure,
            owned_fixed: after.owned_fixed - before.owned_fixed,
            owned_usage: after.owned_usage - before.owned_usage,
            elsewhere: after.elsewhere - before.elsewhere,
        })
    }
}

/// Every fixed environment from which work bursts elsewhere, in the order of the file: what is worth asking about.
#[must_use]
pub fn hybrids(scenario: &Scenario) -> Vec<Question> {
    let has_nodes = |id: &str| {
        let environment = scenario.environments.iter().find(|environment| environment.id == id);
        environment.is_some_and(|environment| sizing(&environment.supply).is_some())
    };
    let mut found: Vec<Question> = Vec::new();
    for (placement, of) in scenario.placements.iter().enumerate() {
        for assignment in of.assignments.iter().filter(|assignment| assignment.burst.is_some()) {
            let question = Question { placement, environment: assignment.environment.clone() };
            if has_nodes(&assignment.environment) && !found.contains(&question) {
                found.push(question);
            }
        }
    }
    found
}

impl BaseSize {
    /// Plans the evaluations, after one of the whole demand, which says how many nodes are too many.
    ///
    /// # Errors
    /// The placement or the environment is not there, has no fixed number of nodes, is not used by the placement, or needs
    /// more nodes than can all be tried; or the whole demand cannot be computed.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        let currency =
            Currency::find(&scenario.currency).ok_or_else(|| problem::bad_currency("currency", &scenario.currency))?;
        let id = &question.environment;
        let path = format!("environments.{id}");
        let known = || scenario.environments.iter().map(|environment| environment.id.as_str());
        let place = known()
            .position(|known| known == id)
            .ok_or_else(|| problem::dangling("environments", "environment", id, known()))?;
        let placement = scenario
            .placements
            .get(question.placement)
            .ok_or_else(|| Problem::error("placements", "the placement does not exist. Name one of the scenario."))?;
        let supply = &scenario.environments[place].supply;
        let Some(sizing) = sizing(supply) else {
            return Err(Problem::error(
                path,
                format!(
                    "it is {}, which has no nodes to count. Name a dedicated or bare-metal environment.",
                    supply.label()
                ),
            ));
        };
        if !placement.assignments.iter().any(|assignment| assignment.environment == *id) {
            return Err(Problem::error(
                path,
                format!("{:?} assigns no class to it. Name an environment in which its classes run.", placement.id),
            ));
        }
        let stated = match sizing {
            Sizing::Nodes(NodeCount(input)) => input.range().and_then(|range| range.high.as_whole()).unwrap_or(0),
            Sizing::ForDemand(_) => 0,
        };
        let nodes = |scenario: &Scenario| -> Result<u32, Problem> {
            let result = evaluate_placement(scenario, question.placement)?;
            Ok(nodes_in(&result, id, scenario))
        };
        let own = nodes(scenario)?;
        let mut whole = scenario.clone();
        size(&mut whole, id, Sizing::ForDemand(ShareOfDemand(Input::plain(Exact::whole(1)))));
        let most = nodes(&whole)?.max(own).max(u32::try_from(stated).unwrap_or(u32::MAX));
        if MOST_COUNTS < most {
            return Err(Problem::error(
                path,
                format!(
                    "the whole demand takes {most} nodes, and at most {MOST_COUNTS} counts are tried. Divide the demand."
                ),
            ));
        }
        Ok(Self { question, scenario: scenario.clone(), currency, own, counts: (0..=most).collect() })
    }

    /// The node counts to evaluate; see [`BaseSize::run`].
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// A copy of the scenario to run on, one for each thread.
    #[must_use]
    pub fn scratch(&self) -> Scenario {
        self.scenario.clone()
    }

    /// The placement with so many nodes.
    ///
    /// # Errors
    /// A number becomes too large to compute with.
    pub fn run(&self, scratch: &mut Scenario, nodes: u32) -> Result<Point, Failure> {
        let count = NodeCount(Input::plain(Exact::whole(i64::from(nodes))));
        size(scratch, &self.question.environment, Sizing::Nodes(count));
        let result = evaluate_placement(scratch, self.question.placement)?;
        Ok(self.point(nodes, &result))
    }

    fn point(&self, nodes: u32, result: &PlacementResult) -> Point {
        let decision = self.scenario.decision_figure;
        let is_total = decision == DecisionFigure::Total;
        let (mut fixed, mut usage, mut elsewhere) = (Money::ZERO, Money::ZERO, Money::ZERO);
        for posting in &result.ledger.postings {
            let amount = if is_total { posting.amount } else { posting.present_value };
            let line = result.ledger.lines.get(posting.line as usize);
            let is_own = line.is_some_and(|line| line.environment.as_ref() == Some(&self.question.environment));
            match (is_own, posting.behaviour) {
                (false, _) => elsewhere += amount,
                (true, Behaviour::Fixed) => fixed += amount,
                (true, Behaviour::UsageDriven) => usage += amount,
            }
        }
        let own = result.environments.iter().find(|environment| environment.id == self.question.environment);
        let hours = own.map(|own| own.gpu_hours);
        Point {
            nodes,
            figure: result.deciding(decision),
            serves: result.meets_service,
            least_share_served: result.least_share_served,
            owned_fixed: fixed,
            owned_usage: usage,
            elsewhere,
            occupied: hours.map_or(Num::ZERO, |hours| hours.occupied),
            available: hours.map_or(Num::ZERO, |hours| hours.available),
        }
    }

    /// Folds the points of all counts, in their order.
    ///
    /// # Errors
    /// A count that cannot be computed.
    pub fn collect(&self, points: Vec<Result<Point, Failure>>) -> Result<Answer, Problem> {
        let points: Vec<Point> = points.into_iter().collect::<Result<_, _>>().map_err(Problem::from)?;
        let serving = points.iter().enumerate().filter(|(_, point)| point.serves);
        let cheapest = serving.min_by_key(|(_, point)| (point.figure, point.nodes)).map(|(place, _)| place);
        let shares_above: Vec<Option<Decimal>> =
            points.windows(2).map(|pair| share_above(&pair[0], &pair[1])).collect();
        Ok(Answer {
            question: self.question.clone(),
            currency: self.currency,
            decision_figure: self.scenario.decision_figure,
            rule: self.rule(&points, &shares_above),
            points,
            shares_above,
            cheapest,
            own: self.own,
        })
    }

    fn rule(&self, points: &[Point], shares_above: &[Option<Decimal>]) -> Option<Rule> {
        let (none, most) = (points.first()?, points.last()?);
        let digits = self.currency.minor_digits;
        let per_hour =
            |cost: Money, hours: Num| (cost.num(digits) / hours).decimal().filter(|cost| Decimal::ZERO < *cost);
        let owned_per_hour = per_hour(most.owned_fixed - none.owned_fixed, most.available - none.available)?;
        let burst_per_hour = per_hour(none.elsewhere - most.elsewhere, most.occupied - none.occupied)?;
        let threshold = owned_per_hour.checked_div(burst_per_hour)?;
        let fallen = shares_above.iter().position(|share| share.is_none_or(|share| share <= threshold));
        let nodes = fallen.and_then(|place| points.get(place)).unwrap_or(most).nodes;
        Some(Rule { owned_per_hour, burst_per_hour, threshold, nodes })
    }
}

/// The share of the hours of one more node for which it is used.
fn share_above(with: &Point, one_more: &Point) -> Option<Decimal> {
    ((one_more.occupied - with.occupied) / (one_more.available - with.available)).decimal()
}

fn sizing(supply: &Supply) -> Option<&Sizing> {
    match supply {
        Supply::Dedicated(owned) => Some(&owned.sizing),
        Supply::BareMetal(rented) => Some(&rented.sizing),
        Supply::Cloud(_) | Supply::GpuService(_) => None,
    }
}

fn size(scenario: &mut Scenario, id: &str, sizing: Sizing) {
    let found = scenario.environments.iter_mut().find(|environment| environment.id == id);
    match found.map(|environment| &mut environment.supply) {
        Some(Supply::Dedicated(owned)) => owned.sizing = sizing,
        Some(Supply::BareMetal(rented)) => rented.sizing = sizing,
        Some(Supply::Cloud(_) | Supply::GpuService(_)) | None => {}
    }
}

/// Nodes without spares of the largest month.
fn nodes_in(result: &PlacementResult, id: &str, scenario: &Scenario) -> u32 {
    let gpus = scenario
        .environments
        .iter()
        .find(|environment| environment.id == id)
        .and_then(crate::engine::demand::gpus_per_node);
    let installed = result.environments.iter().find(|environment| environment.id == id).map(|of| of.installed_gpus);
    match (installed, gpus) {
        (Some(installed), Some(gpus)) => (installed / Num::count(gpus)).as_count().unwrap_or(u32::MAX),
        _ => 0,
    }
}

/// Every node count, evaluation after evaluation.
///
/// # Errors
/// As [`BaseSize::new`] and [`BaseSize::collect`].
pub fn base_size(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let plan = BaseSize::new(scenario, question)?;
    let mut scratch = plan.scratch();
    let points = plan.counts().iter().map(|nodes| plan.run(&mut scratch, *nodes)).collect();
    plan.collect(points)
}
