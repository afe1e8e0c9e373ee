//! Cost lines that a person states: what their drivers measure, month by month (method, §6).
//!
//! Nothing here knows what a supply generates by itself, or how an amount is rounded.

use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{CostLine, Driver, Rate, Supply};

use super::dedicated::Batch;
use super::demand::DemandKind;
use super::plan::{Charge, Follows, PlanLine, Price, PriceTier, Rule, TaxTreatment};
use super::serving::{Served, Site, add_months, node_gpus};
use super::time::{HOURS_PER_MONTH, IndexId, Time};

/// How the amounts of a driver come about, and what it measures.
struct Driven {
    rule: Rule,
    measure: &'static str,
    unit: &'static str,
}

macro_rules! driven {
    ($($NAME:ident $id:literal $measure:literal $unit:literal;)*) => {$(
        static $NAME: Driven =
            Driven { rule: Rule { id: $id, source: "method, §6" }, measure: $measure, unit: $unit };
    )*};
}

driven! {
    ONCE "once" "Times" "";
    MONTHLY "monthly" "Months" "months";
    YEARLY "yearly" "Years" "years";
    NODE_ONCE "node-once" "Nodes coming into service, with spares" "nodes";
    NODE_MONTH "node-month" "Nodes in service, with spares" "nodes";
    GPU_MONTH "gpu-month" "GPUs in service" "GPUs";
    KW_MONTH "kw-month" "Greatest draw of the nodes in service" "kW";
    IT_KWH "it-kwh" "IT energy" "kWh";
    OVERHEAD_KWH "overhead-kwh" "Overhead energy" "kWh";
    HARDWARE_SHARE "hardware-share-year" "A twelfth of the price of the nodes in service" "money";
    SERVICE_SHARE "service-charge-share" "Service charges posted" "money";
    GPU_HOUR "gpu-hour" "GPU-hours allocated" "GPU-hours";
    RUN "run" "Runs served" "runs";
    OUTPUT_UNIT "output-unit" "Successful output" "units";
    CPU_CORE_HOUR "cpu-core-hour" "CPU core-hours" "core-hours";
    GB_MONTH "gb-month" "Data stored" "GB";
    EGRESS_GB "egress-gb" "Data sent out" "GB";
    MIGRATION_GB "migration-gb" "Data migrated" "GB";
    EXIT_ONCE "exit-once" "Times" "";
    EXIT_NODE "exit-node" "Nodes in the last month, with spares" "nodes";
    EXIT_GB "exit-gb" "Data stored in the last month" "GB";
}

fn driven_by(driver: &Driver) -> &'static Driven {
    match driver {
        Driver::Once(_) => &ONCE,
        Driver::Monthly => &MONTHLY,
        Driver::Yearly => &YEARLY,
        Driver::NodeOnce => &NODE_ONCE,
        Driver::NodeMonth => &NODE_MONTH,
        Driver::GpuMonth => &GPU_MONTH,
        Driver::KwMonth => &KW_MONTH,
        Driver::ItKwh => &IT_KWH,
        Driver::OverheadKwh => &OVERHEAD_KWH,
        Driver::HardwareShareYear => &HARDWARE_SHARE,
        Driver::ServiceChargeShare => &SERVICE_SHARE,
        Driver::GpuHour => &GPU_HOUR,
        Driver::Run => &RUN,
        Driver::OutputUnit(_) => &OUTPUT_UNIT,
        Driver::CpuCoreHour => &CPU_CORE_HOUR,
        Driver::GbMonth => &GB_MONTH,
        Driver::EgressGb => &EGRESS_GB,
        Driver::MigrationGb => &MIGRATION_GB,
        Driver::ExitOnce => &EXIT_ONCE,
        Driver::ExitNode => &EXIT_NODE,
        Driver::ExitGb => &EXIT_GB,
    }
}

/// The tiers of a rate; a flat one is a single open tier.
#[must_use]
pub fn price_tiers(rate: &Rate) -> Vec<PriceTier> {
    match rate {
        Rate::Flat(rate) => vec![PriceTier { up_to: None, rate: rate.num() }],
        Rate::Tiered(tiers) => tiers
            .iter()
            .map(|tier| PriceTier { up_to: tier.up_to.map(crate::quantity::Exact::num), rate: tier.rate.num() })
            .collect(),
    }
}

/// Successful output of a class in an environment and month (method, §9).
#[must_use]
pub fn output_of(served: &Served, place: usize, class: usize, month: u32) -> Num {
    let units = served.sites[place].units(class, month);
    if units.is_nothing() { Num::ZERO } else { units * output_rate(served, place, class) }
}

/// Successful output of one run or request of a class in an environment.
#[must_use]
pub fn output_rate(served: &Served, place: usize, class: usize) -> Num {
    let demand = served.classes[class].demand;
    let Some(output) = &demand.workload.output else { return Num::ZERO };
    let environment = served.sites[place].environment;
    match demand.kind {
        // Retries cost GPU-hours, not output.
        DemandKind::Runs { .. } => output.per_run.as_ref().map_or(Num::ZERO, |per_run| per_run.num()),
        DemandKind::Service { .. } => {
            let failures = environment.performance.get(&demand.workload.id).map(|known| known.failure_share.num());
            let per_request = output.per_request.as_ref().map_or(Num::ZERO, |per_request| per_request.num());
            per_request * (Num::ONE - failures.unwrap_or(Num::ZERO))
        }
    }
}

/// Months in which a line may post.
#[derive(Clone, Copy)]
struct Window {
    from: u32,
    to: u32,
}

impl Window {
    fn of(line: &CostLine, service: (u32, u32)) -> Self {
        let from = service.0.max(line.from_month.unwrap_or(0));
        let to = service.1.min(line.to_month.unwrap_or(u32::MAX));
        Self { from, to: to.max(from) }
    }

    fn contains(self, month: u32) -> bool {
        self.from <= month && month < self.to
    }
}

/// The line of a placement itself.
#[must_use]
pub fn of_placement<'a>(line: &'a CostLine, time: &Time) -> PlanLine<'a> {
    let window = Window::of(line, (0, time.horizon));
    let charges = match line.driver {
        Driver::Once(month) => once(line, month, time.horizon),
        Driver::Yearly => yearly(window, Num::ONE),
        _ => monthly(window, |_| Num::ONE),
    };
    stated(line, None, None, IndexId::GENERAL, Follows::OccupiedHours, charges, time)
}

/// The line of an environment, as it stands in one placement.
#[must_use]
pub fn of_environment<'a>(
    served: &Served<'a>,
    place: usize,
    line: &'a CostLine,
    batches: &[Batch],
    time: &Time,
) -> PlanLine<'a> {
    let site = &served.sites[place];
    let currency = site.environment.currency.as_deref();
    let window = Window::of(line, site.service);
    let measure = Measure { served, site, batches };
    let plain = |charges: Vec<Charge>, follows: Follows| {
        stated(line, Some(place), currency, IndexId::GENERAL, follows, charges, time)
    };
    let occupied = Follows::OccupiedHours;
    let in_service = Num::ONE.because(site.since).because(site.until);
    match &line.driver {
        Driver::Once(month) => plain(once(line, *month, time.horizon), occupied),
        Driver::Monthly => plain(monthly(window, |_| in_service), occupied),
        Driver::Yearly => plain(yearly(window, in_service), occupied),
        Driver::NodeOnce => plain(at_start(window, |month| measure.nodes_arriving(month)), occupied),
        Driver::NodeMonth => plain(monthly(window, |month| measure.nodes(month)), occupied),
        Driver::GpuMonth => plain(monthly(window, |month| measure.gpus(month)), occupied),
        Driver::KwMonth => plain(monthly(window, |month| measure.max_kw(month)), occupied),
        Driver::ItKwh => plain(measure.energy(window, Num::ONE), Follows::AllocatedHours),
        Driver::OverheadKwh => plain(measure.energy(window, measure.overhead()), Follows::AllocatedHours),
        Driver::HardwareShareYear => {
            let charges = monthly(window, |month| measure.hardware_price(month) / Num::whole(12));
            stated_money(line, place, occupied, charges, time)
        }
        Driver::ServiceChargeShare => share_of_service_charges(line, place, window),
        Driver::GpuHour => plain(used(window, |month| site.allocated_in(month)), Follows::AllocatedHours),
        Driver::Run => {
            plain(used(window, |month| measure.over_classes(|class| measure.runs(class, month))), Follows::Runs)
        }
        Driver::OutputUnit(workload) => {
            let class = served.classes.iter().position(|class| class.demand.workload.id == *workload);
            match class {
                Some(class) => {
                    plain(used(window, |month| output_of(served, place, class, month)), Follows::Class(class))
                }
                None => plain(Vec::new(), occupied),
            }
        }
        Driver::CpuCoreHour => {
            let core_hours = measure.classes().map(|class| site.core_hours(class, served.classes[class].demand));
            plain(used_in_all(window, core_hours), Follows::CpuCoreHours)
        }
        Driver::GbMonth => plain(used(window, |month| site.all_stored(month)), Follows::DataStored),
        Driver::EgressGb => {
            let sent = measure.classes().map(|class| site.data_out(class, served.classes[class].demand));
            plain(used_in_all(window, sent), Follows::DataOut)
        }
        Driver::MigrationGb => {
            let in_month = |month| if month == site.service.0 { site.all_stored(month) } else { Num::ZERO };
            plain(at_start(window, in_month), occupied)
        }
        Driver::ExitOnce | Driver::ExitNode | Driver::ExitGb => {
            let last = site.last_month().filter(|month| window.contains(*month));
            let charges = last.map(|month| Charge::at_end(month, exit_measure(served, place, &line.driver, month)));
            plain(charges.into_iter().collect(), occupied)
        }
    }
}

/// What an exit driver measures in a month, as if that were the last one.
#[must_use]
pub fn exit_measure(served: &Served, place: usize, driver: &Driver, month: u32) -> Num {
    let site = &served.sites[place];
    match driver {
        Driver::ExitOnce => Num::ONE.because(site.since).because(site.until),
        Driver::ExitNode => site.nodes_with_spares(month),
        Driver::ExitGb => site.all_stored(month),
        _ => Num::ZERO,
    }
}

/// Whether a driver belongs to the end of service.
#[must_use]
pub fn is_exit(driver: &Driver) -> bool {
    matches!(driver, Driver::ExitOnce | Driver::ExitNode | Driver::ExitGb)
}

fn once(line: &CostLine, month: u32, horizon: u32) -> Vec<Charge> {
    // It posts in its month whatever the lead time.
    let window = Window::of(line, (0, horizon));
    if window.contains(month) { vec![Charge::at_start(month, Num::ONE)] } else { Vec::new() }
}

fn monthly(window: Window, measure: impl Fn(u32) -> Num) -> Vec<Charge> {
    (window.from..window.to).map(|month| Charge::recurring(month, measure(month))).collect()
}

fn used(window: Window, measure: impl Fn(u32) -> Num) -> Vec<Charge> {
    (window.from..window.to).map(|month| Charge::used(month, measure(month))).collect()
}

/// What is used by several, each month by month or not at all, added up.
fn used_in_all<'a>(window: Window, each: impl Iterator<Item = &'a [Num]>) -> Vec<Charge> {
    let mut sums = vec![Num::ZERO; (window.to - window.from) as usize];
    each.for_each(|months| add_months(&mut sums, months.iter().copied().skip(window.from as usize)));
    (window.from..).zip(sums).map(|(month, sum)| Charge::used(month, sum)).collect()
}

fn at_start(window: Window, measure: impl Fn(u32) -> Num) -> Vec<Charge> {
    (window.from..window.to).map(|month| Charge::at_start(month, measure(month))).collect()
}

fn yearly(window: Window, measure: Num) -> Vec<Charge> {
    (window.from..window.to).step_by(12).map(|month| Charge::at_start(month, measure)).collect()
}

/// A line priced by its rate.
fn stated<'a>(
    line: &'a CostLine,
    site: Option<usize>,
    currency: Option<&str>,
    unindexed: IndexId,
    follows: Follows,
    mut charges: Vec<Charge>,
    time: &Time,
) -> PlanLine<'a> {
    let exchange = time.exchange_rate(line.currency.as_deref().or(currency));
    let index = line.index.as_deref().map_or(unindexed, |name| time.index(Some(name)));
    let quantity = line.quantity.num();
    let Driven { measure, unit, .. } = driven_by(&line.driver);
    for Charge { month, quantity, .. } in charges.iter_mut().filter(|charge| charge.quantity.is_traced()) {
        *quantity = quantity.called(|| Name::new(measure, unit, &line.id).in_month(*month));
    }
    let price = match &line.rate {
        Rate::Flat(rate) => Price::Flat { rate: quantity * rate.num(), index, exchange },
        Rate::Tiered(_) => {
            for charge in &mut charges {
                charge.quantity = charge.quantity * quantity;
            }
            Price::Tiered { tiers: price_tiers(&line.rate), index, exchange }
        }
    };
    with_head(line, site, follows, price, charges)
}

/// A line whose measure is money already: no exchange rate, and no rise without an index of its own.
fn stated_money<'a>(
    line: &'a CostLine,
    place: usize,
    follows: Follows,
    charges: Vec<Charge>,
    time: &Time,
) -> PlanLine<'a> {
    let mut planned = stated(line, Some(place), None, IndexId::CONSTANT, follows, charges, time);
    if let Price::Flat { exchange, .. } | Price::Tiered { exchange, .. } = &mut planned.price {
        *exchange = Num::ONE;
    }
    planned
}

fn share_of_service_charges(line: &CostLine, place: usize, window: Window) -> PlanLine<'_> {
    let price = Price::ShareOfServiceCharges {
        tiers: price_tiers(&line.rate),
        quantity: line.quantity.num(),
        from: window.from,
        to: window.to,
    };
    with_head(line, Some(place), Follows::OccupiedHours, price, Vec::new())
}

fn with_head(
    line: &CostLine,
    site: Option<usize>,
    follows: Follows,
    price: Price,
    charges: Vec<Charge>,
) -> PlanLine<'_> {
    let CostLine { id, label, category, boundary, driver, capital, .. } = line;
    PlanLine {
        id,
        label,
        site,
        stated: Some(line),
        category: *category,
        boundary: *boundary,
        capital: *capital,
        rule: &driven_by(driver).rule,
        follows,
        tax: TaxTreatment::Deductible,
        price,
        charges,
    }
}

/// The measures of one environment in one placement.
struct Measure<'a, 'b> {
    served: &'b Served<'a>,
    site: &'b Site<'a>,
    batches: &'b [Batch],
}

impl Measure<'_, '_> {
    /// The classes that are served here.
    fn classes(&self) -> impl Iterator<Item = usize> {
        (0..self.served.classes.len()).filter(|class| self.site.serves(*class))
    }

    /// A sum over the classes that are served here.
    fn over_classes(&self, of: impl Fn(usize) -> Num) -> Num {
        self.classes().map(of).sum()
    }

    fn runs(&self, class: usize, month: u32) -> Num {
        match self.served.classes[class].demand.kind {
            DemandKind::Runs { .. } => self.site.units(class, month),
            DemandKind::Service { .. } => Num::ZERO,
        }
    }

    fn nodes(&self, month: u32) -> Num {
        self.site.nodes_with_spares(month)
    }

    fn nodes_arriving(&self, month: u32) -> Num {
        let before = if month == 0 { Num::ZERO } else { self.nodes(month - 1) };
        self.nodes(month) - before
    }

    fn working_nodes(&self, month: u32) -> Num {
        self.site.nodes.get(month as usize).copied().unwrap_or(Num::ZERO)
    }

    fn gpus(&self, month: u32) -> Num {
        self.working_nodes(month) * node_gpus(self.site)
    }

    fn max_kw(&self, month: u32) -> Num {
        match &self.site.environment.supply {
            Supply::Dedicated(dedicated) => self.working_nodes(month) * dedicated.node.max_kw.num(),
            _ => Num::ZERO,
        }
    }

    fn overhead(&self) -> Num {
        match &self.site.environment.supply {
            Supply::Dedicated(dedicated) => dedicated.pue.num() - Num::ONE,
            _ => Num::ZERO,
        }
    }

    /// IT energy times a factor: the idle part fixed, the active part usage-driven (method, §7).
    fn energy(&self, window: Window, factor: Num) -> Vec<Charge> {
        let Supply::Dedicated(dedicated) = &self.site.environment.supply else { return Vec::new() };
        let (idle, active) = (dedicated.node.idle_kw.num(), dedicated.node.active_kw.num());
        let per_node = idle * Num::whole(HOURS_PER_MONTH) * factor;
        let per_gpu_hour = (active - idle) * factor / node_gpus(self.site);
        let mut charges = Vec::with_capacity(2 * (window.to - window.from) as usize);
        for month in window.from..window.to {
            charges.push(Charge::recurring(month, self.working_nodes(month) * per_node));
            charges.push(Charge::used(month, self.site.allocated_in(month) * per_gpu_hour));
        }
        charges
    }

    fn hardware_price(&self, month: u32) -> Num {
        let in_service = self.batches.iter().filter(|batch| batch.in_service(month));
        in_service.map(|batch| batch.price.because(batch.life)).sum()
    }
}
