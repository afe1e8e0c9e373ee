//! What an evaluation answers: the ledger of each placement and every figure summed from it.
//!
//! Nothing here computes a figure, or knows how one is shown.

use crate::input::choice;
use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Boundary, Category, DecisionFigure};

use super::plan::Rule;

/// The figures of a whole scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Evaluation {
    pub currency: Currency,
    pub horizon_months: u32,
    pub decision_figure: DecisionFigure,
    /// The placement with the least decision figure among those that meet the service, by its place in `placements`.
    pub cheapest: Option<usize>,
    /// In the order of the file.
    pub placements: Vec<PlacementResult>,
}

/// The figures of one placement.
#[derive(Clone, PartialEq, Debug)]
pub struct PlacementResult {
    pub id: String,
    pub name: String,
    /// The supply kind of its only environment, or `Hybrid`.
    pub kind: &'static str,
    pub ledger: Ledger,
    pub totals: Amounts,
    pub equivalent_annual_cost: Money,
    pub fixed: Money,
    pub usage_driven: Money,
    pub provider: Money,
    pub retained: Money,
    /// In the order of `Category::ALL`.
    pub by_category: Vec<CategoryAmounts>,
    /// By year of the horizon, from month 0.
    pub by_year: Vec<Amounts>,
    /// In the order in which the assignments first name them.
    pub environments: Vec<EnvironmentResult>,
    /// In the order of the assignments.
    pub workloads: Vec<WorkloadResult>,
    /// Whether no class of the scenario stays unmet beyond what it accepts.
    pub meets_service: bool,
    /// The least share served of any class of the scenario; 1 where everything is served.
    pub least_share_served: Num,
    /// Cost that no class can be charged with.
    pub unallocated: Money,
    pub exposures: Exposures,
    pub after_tax: Option<AfterTax>,
    /// Owned batches that leave the books, with the gain or loss of each.
    pub disposals: Vec<Disposal>,
}

impl PlacementResult {
    /// The figure that decides what is called cheapest.
    #[must_use]
    pub fn deciding(&self, figure: DecisionFigure) -> Money {
        match figure {
            DecisionFigure::Total => self.totals.total,
            DecisionFigure::PresentValue => self.totals.present_value,
            DecisionFigure::EquivalentAnnualCost => self.equivalent_annual_cost,
        }
    }
}

/// An undiscounted sum and its present value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Amounts {
    pub total: Money,
    pub present_value: Money,
}

impl std::ops::AddAssign for Amounts {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.total += other.total;
        self.present_value += other.present_value;
    }
}

impl std::iter::Sum for Amounts {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), |mut sum, amounts| {
            sum += amounts;
            sum
        })
    }
}

/// The amounts of one category.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CategoryAmounts {
    pub category: Category,
    pub amounts: Amounts,
    /// Whether the placement has a line here at all: nothing entered is not zero.
    pub entered: bool,
}

/// Every posting of one placement, and the lines they belong to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ledger {
    pub lines: Vec<Line>,
    /// In the order of the lines, and of the months within a line.
    pub postings: Vec<Posting>,
    /// What would be posted were it not zero; only in a traced evaluation, which knows what that rests on.
    pub zeros: Vec<Posting>,
}

/// One cost line as it stands in a ledger.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The id of the cost line, or the name of the rule that generates it.
    pub id: String,
    pub label: String,
    /// The id of its environment; none for a placement's own line.
    pub environment: Option<String>,
    pub category: Category,
    pub boundary: Boundary,
    /// Whether it is capital expenditure in views by fiscal year.
    pub capital: bool,
    pub rule: &'static Rule,
}

/// One rounded amount in one month.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Posting {
    /// Its line, by the place in `Ledger::lines`.
    pub line: u32,
    pub month: u32,
    pub behaviour: Behaviour,
    pub timing: PostingTiming,
    pub amount: Money,
    pub present_value: Money,
}

impl Posting {
    /// Whether it is known where one of its amounts comes from.
    #[must_use]
    #[inline]
    pub fn is_traced(&self) -> bool {
        self.amount.is_traced() || self.present_value.is_traced()
    }

    /// The amount and its present value.
    #[must_use]
    #[inline]
    pub fn amounts(&self) -> Amounts {
        Amounts { total: self.amount, present_value: self.present_value }
    }
}

choice! {
    /// Whether a cost follows commitment or use.
    pub enum Behaviour {
        #[default] Fixed => "Fixed",
        UsageDriven => "Usage-driven",
    }
}

choice! {
    /// When in its month an amount is due (method, §8).
    pub enum PostingTiming {
        Start => "start",
        #[default] Recurring => "recurring",
        End => "end",
    }
}

/// One environment inside one placement.
#[derive(Clone, PartialEq, Debug)]
pub struct EnvironmentResult {
    pub id: String,
    pub name: String,
    pub kind: &'static str,
    pub amounts: Amounts,
    /// Nodes with spares, month by month; empty where there are none to count.
    pub nodes: Vec<Num>,
    /// GPUs of the largest month, without spares.
    pub installed_gpus: Num,
    /// GPU equivalents of the largest month before reserves.
    pub baseline_equivalents: Num,
    /// GPU equivalents of the largest month with reserves.
    pub needed_gpus: Num,
    pub gpu_hours: GpuHours,
    /// How the nodes of the largest month come about; for fixed environments.
    pub capacity: Option<CapacityWaterfall>,
}

/// GPU-hours over the horizon, side by side and never blended.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GpuHours {
    pub productive: Num,
    pub allocated: Num,
    pub occupied: Num,
    pub available: Num,
    pub installed: Num,
}

/// From demand to nodes in the largest month (method, §5).
#[derive(Clone, PartialEq, Debug)]
pub struct CapacityWaterfall {
    pub month: u32,
    /// Occupied GPU-hours of the deferrable classes in that month.
    pub demand_gpu_hours: Num,
    /// GPU equivalents of deferrable work.
    pub deferrable: Num,
    /// GPUs of what cannot wait, at its peak hour.
    pub peak: Num,
    pub baseline: Num,
    /// The share of the demand that is sized for; none where a number of nodes is given.
    pub sized_share: Option<Num>,
    pub maintenance: Num,
    pub failure_reserve: Num,
    pub growth_headroom: Num,
    pub needed: Num,
    pub nodes_for_gpus: Num,
    pub gang_nodes: Num,
    pub nodes: Num,
    pub spares: Num,
    pub gpus_per_node: u32,
    /// Nodes at the low and at the high end of schedulable utilisation, where it has a range.
    pub nodes_over_utilisation: Option<(Num, Num)>,
}

/// One class inside one placement.
#[derive(Clone, PartialEq, Debug)]
pub struct WorkloadResult {
    pub id: String,
    pub name: String,
    pub output: Num,
    pub output_unit: String,
    pub allocated: Amounts,
    /// None where there is no output.
    pub cost_per_output: Option<Num>,
    pub levelised_cost_per_output: Option<Num>,
    pub unmet_share: Num,
    pub delay_cost: Money,
    /// Mean wait in the queue of a fixed environment in its busiest month, in hours; statistics, not money.
    pub queue_wait_hours: Option<QueueWait>,
}

/// The mean wait of a class of runs in its busiest month (method, §10).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QueueWait {
    /// Infinite where more arrives than can be served.
    pub mean_hours: f64,
    pub objective_hours: Option<f64>,
    pub month: u32,
}

/// What is reported beside booked cost, never inside it (method, §10).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exposures {
    pub delay_cost: Money,
    pub idle_commitment: Money,
    /// By month after which the placement is left.
    pub cash_to_leave: Vec<Money>,
    /// By month after which the placement is left.
    pub write_off: Vec<Money>,
}

/// The after-tax view (method, §12).
#[derive(Clone, PartialEq, Debug)]
pub struct AfterTax {
    pub tax_relief: Money,
    /// Relief of each year.
    pub by_year: Vec<Money>,
    pub total: Money,
    pub present_value: Money,
}

/// An owned batch leaving the books: straight-line book value against what it brings in.
#[derive(Clone, PartialEq, Debug)]
pub struct Disposal {
    pub environment: String,
    pub month: u32,
    pub book_value: Money,
    pub residual: Money,
    /// Residual less book value; negative is a loss.
    pub gain: Money,
}

/// Why a scenario has no figures: a number became too large, or a division had no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The input or line at which the computation broke.
    pub path: String,
    pub message: String,
}
