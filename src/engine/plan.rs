//! The plan: which cost lines exist, their quantities month by month, how each is priced, and what each rests on.
//!
//! Nothing here rounds, or knows a total: the ledger prices the plan.

use crate::quantity::Num;
use crate::scenario::{Boundary, Category, Placement, Scenario, Supply};

use super::dedicated::Batch;
use super::demand::ClassDemand;
use super::serving::{Served, serve};
use super::time::{IndexId, Time};
use super::{Behaviour, Failure, PostingTiming, bare_metal, cloud, dedicated, gpu_service, lines};

/// How a line is computed: its name, and where that is written. What it computes is in the numbers themselves: a trace
/// of them is its explanation.
#[derive(PartialEq, Debug)]
pub struct Rule {
    pub id: &'static str,
    pub source: &'static str,
}

/// One placement, compiled: who is served where, and every line that can post.
pub struct Plan<'a> {
    pub served: Served<'a>,
    pub lines: Vec<PlanLine<'a>>,
    /// Owned and leased nodes by site, for what leaving, idling and tax ask of them.
    pub batches: Vec<Vec<Batch>>,
}

/// One line of a plan.
pub struct PlanLine<'a> {
    pub id: &'a str,
    pub label: &'a str,
    /// Its site in the placement; none for a placement's own line.
    pub site: Option<usize>,
    /// The cost line of the scenario it comes from; none where the supply generates it.
    pub stated: Option<&'a crate::scenario::CostLine>,
    pub category: Category,
    pub boundary: Boundary,
    pub capital: bool,
    pub rule: &'static Rule,
    /// What its usage-driven part is allocated by.
    pub follows: Follows,
    pub tax: TaxTreatment,
    pub price: Price,
    pub charges: Vec<Charge>,
}

/// A quantity in one month, to be priced.
#[derive(Clone, Copy, Debug)]
pub struct Charge {
    pub month: u32,
    /// The month whose index factor applies: that of an order, of the start of a term.
    pub index_month: u32,
    pub behaviour: Behaviour,
    pub timing: PostingTiming,
    pub quantity: Num,
}

impl Charge {
    /// A fixed amount of every month.
    #[must_use]
    pub fn recurring(month: u32, quantity: Num) -> Self {
        Self { month, index_month: month, behaviour: Behaviour::Fixed, timing: PostingTiming::Recurring, quantity }
    }

    /// A usage-driven amount of a month.
    #[must_use]
    pub fn used(month: u32, quantity: Num) -> Self {
        Self { behaviour: Behaviour::UsageDriven, ..Self::recurring(month, quantity) }
    }

    /// A fixed amount at the start of a month.
    #[must_use]
    pub fn at_start(month: u32, quantity: Num) -> Self {
        Self { timing: PostingTiming::Start, ..Self::recurring(month, quantity) }
    }

    /// A fixed amount at the end of a month.
    #[must_use]
    pub fn at_end(month: u32, quantity: Num) -> Self {
        Self { timing: PostingTiming::End, ..Self::recurring(month, quantity) }
    }

    /// The same, priced at the index of another month.
    #[must_use]
    pub fn priced_in(self, index_month: u32) -> Self {
        Self { index_month, ..self }
    }
}

/// How the quantities of a line become amounts.
#[derive(Clone, Debug)]
pub enum Price {
    /// Quantity × rate × index × exchange rate.
    Flat { rate: Num, index: IndexId, exchange: Num },
    /// Graduated: each tier prices the quantity inside it; the fixed quantity of a month runs through them first.
    Tiered { tiers: Vec<PriceTier>, index: IndexId, exchange: Num },
    /// A share of the service charges posted for the site in the month.
    ShareOfServiceCharges { tiers: Vec<PriceTier>, quantity: Num, from: u32, to: u32 },
    /// A monthly minimum; use beyond it is paid on top.
    TakeOrPay { parts: Vec<ServicePart>, index: IndexId, exchange: Num, minimum: Num },
    /// Payments of a loan, settled by the last one; the balance after the horizon falls due.
    Loan { draws: Vec<LoanDraw>, months: u32, rate: Num, is_balance: bool },
}

/// A tier of a price; the last has no bound.
#[derive(Clone, Copy, Debug)]
pub struct PriceTier {
    pub up_to: Option<Num>,
    pub rate: Num,
}

/// Quantities of a GPU service under one price.
#[derive(Clone, Debug)]
pub struct ServicePart {
    pub tiers: Vec<PriceTier>,
    /// By month of the horizon.
    pub quantities: Vec<Num>,
}

/// What is borrowed in one month.
#[derive(Clone, Copy, Debug)]
pub struct LoanDraw {
    pub start: u32,
    /// In scenario currency, before rounding.
    pub principal: Num,
}

/// What the usage-driven part of a line is allocated to classes by (method, §9). Fixed parts follow occupied GPU-hours.
#[derive(Clone, Debug, PartialEq)]
pub enum Follows {
    OccupiedHours,
    AllocatedHours,
    Runs,
    CpuCoreHours,
    DataOut,
    DataStored,
    /// All of it belongs to one class, by its place in the placement.
    Class(usize),
    /// Each class bears what its own output is charged.
    OwnCharge,
}

/// What a line is for the after-tax view (method, §12).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaxTreatment {
    Deductible,
    /// Purchases, deposits, buy-outs: depreciated instead.
    Capitalised,
    /// Payments and balances of loans: only their interest is deductible.
    LoanPayment,
    /// Residual values and trade-ins: taxed against what is left of the cost.
    Disposal,
}

impl<'a> PlanLine<'a> {
    /// A line of a provider's invoice that the supply generates by itself.
    #[must_use]
    pub fn invoiced(
        site: usize,
        (id, label): (&'a str, &'a str),
        category: Category,
        rule: &'static Rule,
        price: Price,
        charges: Vec<Charge>,
    ) -> Self {
        Self {
            id,
            label,
            site: Some(site),
            stated: None,
            category,
            boundary: Boundary::Provider,
            capital: false,
            rule,
            follows: Follows::OccupiedHours,
            tax: TaxTreatment::Deductible,
            price,
            charges,
        }
    }

    /// Whether it is a share of the service charges, and so has to wait for them.
    #[must_use]
    pub fn is_share(&self) -> bool {
        matches!(self.price, Price::ShareOfServiceCharges { .. })
    }

    /// Whether it can post anything.
    #[must_use]
    pub fn charges_something(&self) -> bool {
        charge_something(&self.charges)
    }
}

/// Whether any of some charges has a quantity.
#[must_use]
pub fn charge_something(charges: &[Charge]) -> bool {
    charges.iter().any(|charge| !charge.quantity.is_idle())
}

/// Compiles one placement into its plan.
///
/// # Errors
/// Where a count is too large to compute with.
pub fn compile<'a>(
    scenario: &'a Scenario,
    placement: &'a Placement,
    time: &Time<'a>,
    demand: &'a [ClassDemand<'a>],
) -> Result<Plan<'a>, Failure> {
    let served = serve(placement, &scenario.environments, demand, time.horizon)?;
    let mut lines = Vec::new();
    let mut batches = Vec::with_capacity(served.sites.len());
    for place in 0..served.sites.len() {
        batches.push(lines_of_site(&served, place, time, &mut lines));
    }
    lines.extend(placement.costs.iter().map(|line| lines::of_placement(line, time)));
    Ok(Plan { served, lines, batches })
}

/// Adds the lines of one environment, which rest on no other's, and says which nodes it owns or leases.
fn lines_of_site<'a>(served: &Served<'a>, place: usize, time: &Time, lines: &mut Vec<PlanLine<'a>>) -> Vec<Batch> {
    let owned = lines_of_supply(served, place, time, lines);
    let stated = &served.sites[place].environment.costs;
    lines.extend(stated.iter().map(|line| lines::of_environment(served, place, line, &owned, time)));
    owned
}

/// Adds the lines that the supply of an environment generates by itself, and says which nodes it owns or leases.
fn lines_of_supply<'a>(served: &Served<'a>, place: usize, time: &Time, lines: &mut Vec<PlanLine<'a>>) -> Vec<Batch> {
    let site = &served.sites[place];
    match &site.environment.supply {
        Supply::Dedicated(supply) => dedicated::plan(site, place, supply, time, lines),
        Supply::BareMetal(supply) => {
            bare_metal::plan(site, place, supply, time, lines);
            Vec::new()
        }
        Supply::Cloud(supply) => {
            cloud::plan(site, place, supply, time, lines);
            Vec::new()
        }
        Supply::GpuService(supply) => {
            gpu_service::plan(served, place, supply, time, lines);
            Vec::new()
        }
    }
}
