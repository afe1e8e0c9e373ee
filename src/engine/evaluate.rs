//! The whole evaluation of a scenario, and the cheap one of a single figure.
//!
//! Nothing here knows a formula beyond sums, shares and which placement is cheapest.

use crate::quantity::trace::Name;
use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Boundary, Category, DecisionFigure, Placement, Scenario, Supply, Workload};

use super::allocation::{Allocation, allocate, output};
use super::demand::ClassDemand;
use super::exposure::{delay_cost, disposals, exposures, queue_wait};
use super::ledger::{Priced, Run, price};
use super::plan::{Plan, compile};
use super::serving::{Served, Site, committed_instances};
use super::tax::after_tax;
use super::time::{HOURS_PER_MONTH, Time, year_of};
use super::{
    Amounts, Behaviour, CategoryAmounts, EnvironmentResult, Evaluation, Failure, GpuHours, Ledger, Line,
    PlacementResult, WorkloadResult,
};

/// Evaluates every placement of a scenario.
///
/// # Errors
/// Only where a number becomes too large to compute with, which names the input or line. Reading a scenario ends with
/// one evaluation, so a scenario that was read has one; a changed value may not.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Failure> {
    let base = Base::new(scenario)?;
    let placements = scenario.placements.iter().map(|placement| base.placement(placement)).collect::<Result<_, _>>()?;
    Ok(base.evaluation(placements))
}

/// Evaluates one placement, by its place in the scenario.
///
/// # Errors
/// As [`evaluate`]; and where there is no such placement.
pub fn evaluate_placement(scenario: &Scenario, placement: usize) -> Result<PlacementResult, Failure> {
    let found = scenario.placements.get(placement).ok_or_else(|| Failure {
        path: "placements".into(),
        message: format!("there is no placement at {placement}"),
    })?;
    Base::new(scenario)?.placement(found)
}

/// A figure of one placement that analyses ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Figure {
    Total,
    PresentValue,
    EquivalentAnnualCost,
    /// By the id of the class.
    CostPerOutput(String),
    /// By the id of the class.
    LevelisedCostPerOutput(String),
}

impl Figure {
    /// The figure that decides.
    #[must_use]
    pub fn deciding(figure: DecisionFigure) -> Self {
        match figure {
            DecisionFigure::Total => Self::Total,
            DecisionFigure::PresentValue => Self::PresentValue,
            DecisionFigure::EquivalentAnnualCost => Self::EquivalentAnnualCost,
        }
    }
}

/// What a figure comes to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FigureValue {
    Money(Money),
    /// Money for one unit of output, unrounded.
    PerOutput(Num),
    /// There is no output to measure against.
    None,
}

/// One figure of one placement, without computing the others; and whether the placement may be called cheapest.
///
/// # Errors
/// As [`evaluate`].
pub fn figure(scenario: &Scenario, placement: usize, figure: &Figure) -> Result<FigureValue, Failure> {
    let base = Base::new(scenario)?;
    let Some(placement) = scenario.placements.get(placement) else { return Ok(FigureValue::None) };
    let plan = compile(scenario, placement, &base.time, &base.demand)?;
    let priced = price(&plan, &base.time, base.currency)?;
    base.figure(&plan, &priced, figure)
}

/// Where one placement stands among the others.
#[derive(Clone, PartialEq, Debug)]
pub struct Standing {
    /// By its place in the scenario.
    pub placement: usize,
    /// The figure that was asked for.
    pub figure: FigureValue,
    /// The figure that decides what is called cheapest.
    pub deciding: FigureValue,
    /// Whether it may be called cheapest.
    pub is_acceptable: bool,
}

/// The figure asked for and the deciding one of several placements, each compiled and priced once.
///
/// # Errors
/// As [`evaluate`].
pub fn standings(scenario: &Scenario, placements: &[usize], figure: &Figure) -> Result<Vec<Standing>, Failure> {
    let base = Base::new(scenario)?;
    let found =
        placements.iter().filter_map(|place| scenario.placements.get(*place).map(|placement| (*place, placement)));
    found.map(|(place, placement)| base.stand(placement, figure).map(|stand| stand.standing(place))).collect()
}

/// What a [`Standing`] is read from.
#[derive(Clone, Copy)]
pub(super) struct Stand {
    pub figure: FigureValue,
    pub deciding: FigureValue,
    /// What the class that fares worst misses beyond what it accepts, as a share of its demand.
    pub unmet_beyond_accepted: Num,
}

impl Stand {
    fn standing(self, placement: usize) -> Standing {
        let Self { figure, deciding, unmet_beyond_accepted } = self;
        Standing { placement, figure, deciding, is_acceptable: unmet_beyond_accepted <= ACCEPTED }
    }
}

/// What all placements of a scenario share, so that each can be evaluated by itself, on any thread.
pub struct Base<'a> {
    scenario: &'a Scenario,
    currency: Currency,
    time: Time<'a>,
    demand: Vec<ClassDemand<'a>>,
}

impl<'a> Base<'a> {
    /// Lays out time and demand.
    ///
    /// # Errors
    /// As [`evaluate`].
    pub fn new(scenario: &'a Scenario) -> Result<Self, Failure> {
        let currency = Currency::find(&scenario.currency).ok_or_else(|| Failure {
            path: "currency".into(),
            message: format!("{:?} is not a currency code of ISO 4217; write for example \"USD\"", scenario.currency),
        })?;
        let horizon = scenario.horizon_months;
        let demand = ClassDemand::of_all(&scenario.workloads, horizon);
        Ok(Self { scenario, currency, time: Time::new(scenario)?, demand })
    }

    /// The evaluation of the scenario from the figures of its placements, in their order.
    #[must_use]
    pub fn evaluation(&self, placements: Vec<PlacementResult>) -> Evaluation {
        Evaluation {
            currency: self.currency,
            horizon_months: self.scenario.horizon_months,
            decision_figure: self.scenario.decision_figure,
            cheapest: cheapest(self.scenario.decision_figure, &placements),
            placements,
        }
    }

    /// Evaluates a placement of the scenario.
    ///
    /// # Errors
    /// As [`evaluate`].
    pub fn placement(&self, placement: &Placement) -> Result<PlacementResult, Failure> {
        let plan = compile(self.scenario, placement, &self.time, &self.demand)?;
        let priced = price(&plan, &self.time, self.currency)?;
        let totals = priced.totals().called(&placement.id);
        let allocation = allocate(&plan, &priced);
        let mut sums = Sums::new(&plan, self.time.horizon);
        sums.add_all(&plan, &priced.runs);
        let (meets_service, least_share_served) = service(self.scenario, &plan.served);
        let taxed = match &self.scenario.tax {
            Some(tax) => Some(after_tax(&plan, &priced, totals, tax, &self.time, self.currency)?),
            None => None,
        };
        let exposures = exposures(&plan, &priced, &self.time, self.currency)?;
        Ok(PlacementResult {
            id: placement.id.clone(),
            name: placement.name.clone(),
            kind: kind(&plan),
            totals,
            equivalent_annual_cost: annual_cost(totals, &self.time, self.currency)?,
            fixed: sums.by_behaviour[Behaviour::Fixed as usize],
            usage_driven: sums.by_behaviour[Behaviour::UsageDriven as usize],
            provider: sums.by_boundary[Boundary::Provider as usize],
            retained: sums.by_boundary[Boundary::Retained as usize],
            by_category: sums.by_category,
            by_year: sums.by_year,
            environments: self.environments(&plan, &sums.by_site),
            workloads: self.workloads(&plan, &allocation),
            meets_service,
            least_share_served,
            unallocated: allocation.unallocated.total,
            exposures,
            after_tax: taxed,
            disposals: disposals(&plan, self.currency),
            ledger: ledger(&plan, priced),
        })
    }

    /// Compiles and prices a placement once for the figure asked for and the one that decides.
    pub(super) fn stand(&self, placement: &Placement, figure: &Figure) -> Result<Stand, Failure> {
        let plan = compile(self.scenario, placement, &self.time, &self.demand)?;
        let priced = price(&plan, &self.time, self.currency)?;
        Ok(Stand {
            figure: self.figure(&plan, &priced, figure)?,
            deciding: self.figure(&plan, &priced, &Figure::deciding(self.scenario.decision_figure))?,
            unmet_beyond_accepted: unmet_beyond_accepted(self.scenario, &plan.served),
        })
    }

    fn figure(&self, plan: &Plan, priced: &Priced, figure: &Figure) -> Result<FigureValue, Failure> {
        match figure {
            Figure::Total => Ok(FigureValue::Money(priced.totals().total)),
            Figure::PresentValue => Ok(FigureValue::Money(priced.totals().present_value)),
            Figure::EquivalentAnnualCost => {
                annual_cost(priced.totals(), &self.time, self.currency).map(FigureValue::Money)
            }
            Figure::CostPerOutput(workload) | Figure::LevelisedCostPerOutput(workload) => {
                let Some(class) = plan.served.classes.iter().position(|class| class.demand.workload.id == *workload)
                else {
                    return Ok(FigureValue::None);
                };
                let allocation = allocate(plan, priced);
                let (total, discounted) = output(plan, class, &self.time);
                let amounts = allocation.by_class[class];
                let per_output = match figure {
                    Figure::CostPerOutput(_) => self.per_output(amounts.total, total),
                    _ => self.per_output(amounts.present_value, discounted),
                };
                Ok(per_output.map_or(FigureValue::None, FigureValue::PerOutput))
            }
        }
    }

    fn per_output(&self, cost: Money, output: Num) -> Option<Num> {
        let ratio = cost.num(self.currency.minor_digits) / output;
        if output.is_positive() && !ratio.is_broken() { Some(ratio) } else { None }
    }

    fn environments(&self, plan: &Plan, by_site: &[Amounts]) -> Vec<EnvironmentResult> {
        let classes = plan.served.classes.len();
        plan.served
            .sites
            .iter()
            .zip(by_site)
            .map(|(site, amounts)| {
                let capacity = site.waterfall();
                EnvironmentResult {
                    id: site.environment.id.clone(),
                    name: site.environment.name.clone(),
                    kind: site.environment.supply.kind_name(),
                    amounts: *amounts,
                    nodes: match site.is_fixed() {
                        true => (0..self.time.horizon).map(|month| site.nodes_with_spares(month)).collect(),
                        false => Vec::new(),
                    },
                    installed_gpus: site.sized().map_or(Num::ZERO, |sized| {
                        site.nodes.iter().copied().fold(Num::ZERO, Num::max) * Num::count(sized.gpus_per_node)
                    }),
                    baseline_equivalents: capacity.as_ref().map_or(Num::ZERO, |waterfall| waterfall.baseline),
                    needed_gpus: capacity.as_ref().map_or(Num::ZERO, |waterfall| waterfall.needed),
                    gpu_hours: gpu_hours(site, classes, self.time.horizon),
                    capacity,
                }
            })
            .collect()
    }

    fn workloads(&self, plan: &Plan, allocation: &Allocation) -> Vec<WorkloadResult> {
        plan.served
            .classes
            .iter()
            .enumerate()
            .map(|(place, class)| {
                let workload = class.demand.workload;
                let (total, discounted) = output(plan, place, &self.time);
                let allocated = allocation.by_class[place];
                WorkloadResult {
                    id: workload.id.clone(),
                    name: workload.name.clone(),
                    output: total,
                    output_unit: workload.output.as_ref().map(|output| output.unit.clone()).unwrap_or_default(),
                    allocated,
                    cost_per_output: self.per_output(allocated.total, total),
                    levelised_cost_per_output: self.per_output(allocated.present_value, discounted),
                    unmet_share: class.unmet_share(),
                    // A value that overflows has failed with the exposures.
                    delay_cost: delay_cost(class, self.currency).unwrap_or_default(),
                    queue_wait_hours: queue_wait(plan, place),
                }
            })
            .collect()
    }
}

impl Amounts {
    /// Both amounts under the names that they have in explanations.
    fn called(self, of: &str) -> Self {
        Self {
            total: self.total.called(|| Name::new("Cost", "money", of)),
            present_value: self.present_value.called(|| Name::new("Present value", "money", of)),
        }
    }
}

fn annual_cost(totals: Amounts, time: &Time, currency: Currency) -> Result<Money, Failure> {
    let digits = currency.minor_digits;
    let annual = totals.present_value.num(digits) * time.annual_share();
    Money::rounded(annual, digits).ok_or_else(|| Failure {
        path: "discounting.rate".into(),
        message: "the equivalent annual cost is too large to compute with; use a rate nearer to 0".into(),
    })
}

/// Whether every class of the scenario is served as far as it asks, and the least share of any.
fn service(scenario: &Scenario, served: &Served) -> (bool, Num) {
    let least = unmet_shares(scenario, served).fold(Num::ONE, |least, (_, unmet)| least.min(Num::ONE - unmet));
    (unmet_beyond_accepted(scenario, served) <= ACCEPTED, least)
}

/// What the class that fares worst misses beyond what it accepts, as a share of its demand.
fn unmet_beyond_accepted(scenario: &Scenario, served: &Served) -> Num {
    let beyond = unmet_shares(scenario, served).map(|(class, unmet)| unmet - class.accepted_unmet_share.num());
    beyond.reduce(Num::max).unwrap_or(Num::ZERO)
}

/// So much that is missing beyond what is accepted is nothing.
pub(super) const ACCEPTED: Num = Num::trillionth();

/// The unmet share of every class of the scenario; all of one that is not placed.
fn unmet_shares<'a>(scenario: &'a Scenario, served: &Served) -> impl Iterator<Item = (&'a Workload, Num)> {
    scenario.workloads.iter().map(|workload| {
        let placed = served.classes.iter().find(|class| class.demand.workload.id == workload.id);
        (workload, placed.map_or(Num::ONE, super::serving::ServedClass::unmet_share))
    })
}

/// Of those that meet the service, the placement with the least decision figure; of equals the first (method, §11).
fn cheapest(decision: DecisionFigure, placements: &[PlacementResult]) -> Option<usize> {
    let eligible = placements.iter().enumerate().filter(|(_, placement)| placement.meets_service);
    eligible.min_by_key(|(place, placement)| (placement.deciding(decision), *place)).map(|(place, _)| place)
}

fn kind(plan: &Plan) -> &'static str {
    match plan.served.sites.as_slice() {
        [only] => only.environment.supply.kind_name(),
        _ => "Hybrid",
    }
}

/// Every sum over the postings of a placement.
struct Sums {
    by_behaviour: [Money; 2],
    by_boundary: [Money; 2],
    by_category: Vec<CategoryAmounts>,
    by_year: Vec<Amounts>,
    by_site: Vec<Amounts>,
}

impl Sums {
    fn new(plan: &Plan, horizon: u32) -> Self {
        let of = |category: &Category| CategoryAmounts {
            category: *category,
            amounts: Amounts::default(),
            entered: plan.lines.iter().any(|line| line.category == *category),
        };
        Self {
            by_behaviour: [Money::ZERO; 2],
            by_boundary: [Money::ZERO; 2],
            by_category: Category::ALL.iter().map(of).collect(),
            by_year: vec![Amounts::default(); year_of(horizon - 1) + 1],
            by_site: vec![Amounts::default(); plan.served.sites.len()],
        }
    }

    fn add_all(&mut self, plan: &Plan, runs: &[Run]) {
        for Run { line, behaviour, year, amounts } in runs {
            let line = &plan.lines[*line as usize];
            self.by_behaviour[*behaviour as usize] += amounts.total;
            self.by_boundary[line.boundary as usize] += amounts.total;
            self.by_category[line.category as usize].amounts += *amounts;
            self.by_year[*year as usize] += *amounts;
            if let Some(site) = line.site {
                self.by_site[site] += *amounts;
            }
        }
    }
}

fn gpu_hours(site: &Site, classes: usize, horizon: u32) -> GpuHours {
    let hours = Num::whole(HOURS_PER_MONTH);
    let occupied: Vec<Num> = (0..classes).map(|class| site.occupied_by(class)).collect();
    let (mut available, mut installed) = (Num::ZERO, Num::ZERO);
    let months = (0..horizon).filter(|month| site.in_service(*month));
    if let Some(sized) = site.sized() {
        for month in months {
            available += site.available_gpus[month as usize] * hours;
            installed += site.nodes[month as usize] * Num::count(sized.gpus_per_node) * hours;
        }
    } else if let Supply::Cloud(cloud) = &site.environment.supply {
        for month in months {
            let committed = committed_instances(site, cloud, month) * Num::count(cloud.instance.gpus) * hours;
            available += committed;
            installed += committed;
        }
    }
    GpuHours {
        productive: (0..classes).map(|class| site.productive_by(class)).sum(),
        allocated: occupied.iter().enumerate().map(|(class, occupied)| site.allocated(class, *occupied)).sum(),
        occupied: occupied.into_iter().sum(),
        available,
        installed,
    }
}

fn ledger(plan: &Plan, priced: Priced) -> Ledger {
    let lines = plan.lines.iter().map(|line| Line {
        id: line.id.to_owned(),
        label: line.label.to_owned(),
        environment: line.site.map(|site| plan.served.sites[site].environment.id.clone()),
        category: line.category,
        boundary: line.boundary,
        capital: line.capital,
        rule: line.rule,
    });
    Ledger { lines: lines.collect(), postings: priced.postings, zeros: priced.zeros }
}
