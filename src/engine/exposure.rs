//! What stands beside booked cost: delay, commitment that idles, and the cost of leaving after each month (method, §10).
//!
//! Nothing here changes a total.

use crate::quantity::trace::Name;
use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Acquisition, Cloud, CostLine, Dedicated, Driver, Lease, Rate, Supply};

use super::bare_metal::months_left;
use super::cloud::terms;
use super::dedicated::{Batch, lease_terms, residual_share};
use super::ledger::{Priced, graduated};
use super::lines::{exit_measure, is_exit, price_tiers};
use super::plan::Plan;
use super::serving::{Site, add_months, committed_instances};
use super::time::{HOURS_PER_MONTH, IndexId, Time};
use super::{Behaviour, Disposal, Exposures, Failure, PostingTiming, QueueWait};

/// Computes what is reported beside booked cost.
///
/// # Errors
/// Where an amount is too large to compute with.
pub fn exposures(plan: &Plan, priced: &Priced, time: &Time, currency: Currency) -> Result<Exposures, Failure> {
    let desk = Desk { plan, priced, time, digits: currency.minor_digits };
    let mut exposures = Exposures {
        delay_cost: Money::ZERO,
        idle_commitment: Money::ZERO,
        cash_to_leave: vec![Money::ZERO; time.horizon as usize],
        write_off: vec![Money::ZERO; time.horizon as usize],
    };
    for class in &plan.served.classes {
        exposures.delay_cost += delay_cost(class, currency).ok_or_else(|| Failure {
            path: format!("workloads.{}.value_of_delay_per_month", class.demand.workload.id),
            message: "the value of the delay is too large to compute with; use a smaller number".into(),
        })?;
    }
    for place in 0..plan.served.sites.len() {
        let failed = || Failure {
            path: format!("environments.{}", plan.served.sites[place].environment.id),
            message: "what leaving or idling costs is too large to compute with; use smaller numbers".into(),
        };
        exposures.idle_commitment += desk.idle(place).ok_or_else(failed)?;
        let mut leaving = desk.leaving(place);
        for month in 0..time.horizon {
            exposures.cash_to_leave[month as usize] +=
                desk.cash_to_leave(place, month, &mut leaving).ok_or_else(failed)?;
            exposures.write_off[month as usize] += desk.write_off(place, month, &leaving).ok_or_else(failed)?;
        }
    }
    Ok(exposures)
}

/// What the months without service cost a class; `None` on overflow.
#[must_use]
pub fn delay_cost(class: &super::serving::ServedClass, currency: Currency) -> Option<Money> {
    let months = class.delayed_months;
    Money::rounded(class.demand.workload.value_of_delay_per_month.num() * months, currency.minor_digits)
}

/// What leaving a site comes to that does not depend on the month.
struct Leaving<'a> {
    exchange: Num,
    /// That of the price of its supply.
    index: IndexId,
    exits: Vec<ExitLine<'a>>,
    /// Residual shares of owned nodes by their age in months.
    residual_shares: Vec<Num>,
}

/// An exit line with what does not depend on the month.
struct ExitLine<'a> {
    line: &'a CostLine,
    index: IndexId,
    exchange: Num,
    /// What the last month measured, at which index, and what it came to; none where that was traced.
    before: Option<(Num, Num, Money)>,
}

fn line_index(line: &CostLine, time: &Time) -> IndexId {
    line.index.as_deref().map_or(IndexId::GENERAL, |name| time.index(Some(name)))
}

struct Desk<'a, 'b> {
    plan: &'b Plan<'a>,
    priced: &'b Priced,
    time: &'b Time<'a>,
    digits: u32,
}

impl Desk<'_, '_> {
    fn rounded(&self, amount: Num) -> Option<Money> {
        Money::rounded(amount, self.digits)
    }

    fn product(&self, a: Num, b: Num) -> Option<Money> {
        Money::of_product(a, b, self.digits)
    }

    fn name(&self, label: &'static str, place: usize, month: u32) -> Name {
        Name::new(label, "money", &self.plan.served.sites[place].environment.id).in_month(month)
    }

    fn exchange(&self, site: &Site) -> Num {
        self.time.exchange_rate(site.environment.currency.as_deref())
    }

    /// Fixed cost of capacity that nothing occupies.
    fn idle(&self, place: usize) -> Option<Money> {
        let site = &self.plan.served.sites[place];
        match &site.environment.supply {
            Supply::Dedicated(_) | Supply::BareMetal(_) => self.idle_nodes(place),
            Supply::Cloud(cloud) => self.idle_instances(site, cloud),
            Supply::GpuService(service) => {
                let minimum = service.minimum_monthly.num() * self.exchange(site);
                let of_site = |(line, _): &&(usize, Vec<Num>)| self.plan.lines[*line].site == Some(place);
                // The supply has one line that is priced by use, if it serves at all.
                let charges = self.priced.use_charges.iter().find(of_site).map_or(&[][..], |(_, charges)| charges);
                let mut idle = Money::ZERO;
                for month in site.service.0..site.service.1 {
                    let used = charges.get(month as usize).copied().unwrap_or(Num::ZERO);
                    idle += self.rounded((minimum - used).max(Num::ZERO))?;
                }
                Some(idle)
            }
        }
    }

    fn idle_nodes(&self, place: usize) -> Option<Money> {
        let site = &self.plan.served.sites[place];
        let Some(sized) = site.sized() else { return Some(Money::ZERO) };
        let fixed = self.fixed_cost_by_month(place);
        let hours = sized.schedulable_hours();
        let mut occupied = vec![Num::ZERO; self.time.horizon as usize];
        for usage in &site.usage {
            add_months(&mut occupied, usage.iter().map(|used| used.occupied));
        }
        let mut idle = Money::ZERO;
        for month in site.service.0..site.service.1 {
            let usable = site.available_gpus[month as usize] * hours;
            if usable.is_zero() {
                continue;
            }
            let unused = (Num::ONE - occupied[month as usize] / usable).max(Num::ZERO);
            let cost = fixed[month as usize].called(|| self.name("Fixed cost of the month", place, month));
            let unused =
                unused.called(|| Name { unit: "share", ..self.name("Share that nothing occupies", place, month) });
            idle += self.product(cost, unused)?.called(|| self.name("Idle commitment", place, month));
        }
        Some(idle)
    }

    /// Recurring fixed postings, with purchases spread over their life and yearly lines over their twelve months.
    fn fixed_cost_by_month(&self, place: usize) -> Vec<Num> {
        let site = &self.plan.served.sites[place];
        let mut fixed = vec![Num::ZERO; self.time.horizon as usize];
        let lines = self.plan.lines.iter().enumerate().filter(|(_, line)| line.site == Some(place));
        let postings = lines.flat_map(|(at, line)| self.priced.of_line(at).iter().map(move |posting| (line, posting)));
        for (line, posting) in postings.filter(|(_, posting)| posting.behaviour == Behaviour::Fixed) {
            let amount = posting.amount.num(self.digits);
            let is_yearly = line.stated.is_some_and(|stated| stated.driver == Driver::Yearly);
            if posting.timing == PostingTiming::Recurring {
                fixed[posting.month as usize] += amount;
            } else if is_yearly {
                let end = (posting.month + 12).min(self.time.horizon);
                let monthly = amount / Num::whole(12);
                for month in posting.month..end {
                    fixed[month as usize] += monthly;
                }
            }
        }
        if let Supply::Dedicated(dedicated) = &site.environment.supply {
            for batch in &self.plan.batches[place] {
                self.spread_price(dedicated, batch, &mut fixed);
            }
        }
        fixed
    }

    fn spread_price(&self, dedicated: &Dedicated, batch: &Batch, fixed: &mut [Num]) {
        let life = dedicated.life_months.count();
        let (from, cost) = match (&dedicated.acquisition, batch.owned_from) {
            (Acquisition::Purchase, _) => (batch.start, batch.price),
            (Acquisition::Lease(lease), Some(from)) => (from, batch.price * lease.buyout_share.num()),
            // The payments of a loan are recurring postings already.
            (Acquisition::Lease(_), None) | (Acquisition::Loan(_), _) => return,
        };
        let end_of_life = batch.start + life;
        if end_of_life <= from {
            return;
        }
        let monthly = cost / Num::count(end_of_life - from);
        for month in from..end_of_life.min(batch.end) {
            fixed[month as usize] += monthly;
        }
    }

    fn idle_instances(&self, site: &Site, cloud: &Cloud) -> Option<Money> {
        let Some(commitment) = &cloud.commitment else { return Some(Money::ZERO) };
        let index = self.time.index(cloud.price_index.as_deref());
        let hours = commitment.instances.num() * Num::whole(HOURS_PER_MONTH);
        if hours.is_zero() {
            return Some(Money::ZERO);
        }
        let mut idle = Money::ZERO;
        for (start, end) in terms(site.service, commitment) {
            let price = commitment.per_hour.num() * self.time.index_factor(index, start) * self.exchange(site);
            for month in start..end.min(site.service.1) {
                let covered = site.instance_hours[month as usize].covered;
                idle += self.rounded(hours * price * (Num::ONE - covered / hours))?;
            }
        }
        Some(idle)
    }

    /// Termination payments, exit lines and loan balances, less what owned nodes bring in.
    fn cash_to_leave(&self, place: usize, month: u32, leaving: &mut Leaving) -> Option<Money> {
        let site = &self.plan.served.sites[place];
        if !site.in_service(month) {
            return self.rounded(Num::ZERO.because(site.since).because(site.until));
        }
        let (exchange, index) = (leaving.exchange, leaving.index);
        let served_months = month + 1 - site.service.0;
        let mut cash = Money::ZERO;
        match &site.environment.supply {
            Supply::Dedicated(dedicated) => {
                for batch in self.plan.batches[place].iter().filter(|batch| batch.in_service(month)) {
                    if let Acquisition::Lease(lease) = &dedicated.acquisition {
                        let left = self.lease_left(lease, batch, month, leaving)?;
                        cash += left.called(|| self.name("Lease ended early", place, month));
                    }
                    if batch.owned_from.is_some_and(|from| from <= month) {
                        let share = leaving.residual_shares[(month + 1 - batch.start) as usize];
                        let residual = self.product(batch.price, share)?;
                        cash -= residual.called(|| self.name("Residual value of a batch", place, month));
                    }
                }
                for loan in self.priced.loans.iter().filter(|loan| self.plan.lines[loan.line].site == Some(place)) {
                    if let Some(paid) = month.checked_sub(loan.start) {
                        cash += loan.balance.get(paid as usize).copied().unwrap_or_default();
                    }
                }
            }
            Supply::BareMetal(rented) => {
                let left = Num::count(months_left(rented.term_months, served_months));
                let charge = site.nodes_with_spares(month)
                    * rented.monthly_per_node.num()
                    * self.time.index_factor(index, month)
                    * exchange;
                let left = self.rounded(charge * left * rented.early_termination_share.num())?;
                cash += left.called(|| self.name("Contract ended early", place, month));
            }
            Supply::Cloud(cloud) => {
                let left = self.commitment_left(site, cloud, month, leaving)?;
                cash += left.called(|| self.name("Commitment ended early", place, month));
            }
            Supply::GpuService(service) => {
                let left = Num::count(months_left(service.term_months, served_months));
                let share = service.early_termination_share.num();
                let left = self.rounded(left * service.minimum_monthly.num() * share * exchange)?;
                cash += left.called(|| self.name("Contract ended early", place, month));
            }
        }
        for exit in &mut leaving.exits {
            let left = self.exit(place, month, exit)?;
            cash += left.called(|| Name::new("Exit line", "money", &exit.line.id).in_month(month));
        }
        Some(cash)
    }

    fn lease_left(&self, lease: &Lease, batch: &Batch, month: u32, leaving: &Leaving) -> Option<Money> {
        let running = lease_terms(batch, lease).find(|(start, end)| *start <= month && month < *end);
        let Some((start, end)) = running else { return Some(Money::ZERO) };
        let payment = batch.nodes
            * lease.monthly_per_node.num()
            * self.time.index_factor(leaving.index, start)
            * leaving.exchange;
        self.rounded(payment * Num::count(end - month - 1) * lease.early_termination_share.num())
    }

    fn commitment_left(&self, site: &Site, cloud: &Cloud, month: u32, leaving: &Leaving) -> Option<Money> {
        let Some(commitment) = &cloud.commitment else { return Some(Money::ZERO) };
        let running = terms(site.service, commitment).find(|(start, end)| *start <= month && month < *end);
        let Some((start, end)) = running else { return Some(Money::ZERO) };
        let monthly = committed_instances(site, cloud, month)
            * Num::whole(HOURS_PER_MONTH)
            * commitment.per_hour.num()
            * self.time.index_factor(leaving.index, start)
            * leaving.exchange
            * (Num::ONE - commitment.upfront_share.num());
        self.rounded(monthly * Num::count(end - month - 1) * commitment.early_termination_share.num())
    }

    fn leaving(&self, place: usize) -> Leaving<'_> {
        let site = &self.plan.served.sites[place];
        let environment = site.environment;
        let index = match &environment.supply {
            Supply::Dedicated(dedicated) => &dedicated.node.price_index,
            Supply::BareMetal(rented) => &rented.price_index,
            Supply::Cloud(cloud) => &cloud.price_index,
            Supply::GpuService(service) => &service.price_index,
        };
        let residual_shares = match &environment.supply {
            Supply::Dedicated(dedicated) => {
                (0..=self.time.horizon).map(|age| residual_share(&dedicated.residual_by_year, age)).collect()
            }
            _ => Vec::new(),
        };
        let exits = environment.costs.iter().filter(|line| is_exit(&line.driver));
        let priced = |line| ExitLine {
            line,
            index: line_index(line, self.time),
            exchange: self.time.exchange_rate(line.currency.as_deref().or(environment.currency.as_deref())),
            before: None,
        };
        Leaving {
            exchange: self.exchange(site),
            index: self.time.index(index.as_deref()),
            exits: exits.map(priced).collect(),
            residual_shares,
        }
    }

    /// An exit line with the measures of the month.
    fn exit(&self, place: usize, month: u32, exit: &mut ExitLine) -> Option<Money> {
        let ExitLine { line, index, exchange, before } = exit;
        let is_open = line.from_month.is_none_or(|from| from <= month) && line.to_month.is_none_or(|to| month < to);
        if !is_open {
            return Some(Money::ZERO);
        }
        let measure = exit_measure(&self.plan.served, place, &line.driver, month);
        let factor = self.time.index_factor(*index, month);
        // The same measure at the same index comes to the same amount.
        if let Some((same, at, amount)) = before
            && same.is_same_constant(measure)
            && at.is_same_constant(factor)
        {
            return Some(*amount);
        }
        let quantity = measure * line.quantity.num();
        let amount = match &line.rate {
            Rate::Flat(rate) => quantity * rate.num(),
            Rate::Tiered(_) => graduated(&price_tiers(&line.rate), Num::ZERO, quantity),
        };
        let amount = self.product(amount * factor, *exchange)?;
        *before = Some((measure, factor, amount)).filter(|_| !amount.is_traced());
        Some(amount)
    }

    /// What was paid for and is not used once a site is left after a month.
    fn write_off(&self, place: usize, month: u32, leaving: &Leaving) -> Option<Money> {
        let site = &self.plan.served.sites[place];
        match &site.environment.supply {
            Supply::Dedicated(dedicated) => {
                let mut lost = Money::ZERO;
                for batch in &self.plan.batches[place] {
                    if batch.deposit_month <= month && month < batch.start {
                        lost += self.product(batch.price, batch.deposit_share)?;
                    }
                    if batch.in_service(month) && batch.owned_from.is_some_and(|from| from <= month) {
                        let kept = unused_cost(dedicated, batch, month);
                        let share = leaving.residual_shares[(month + 1 - batch.start) as usize];
                        lost += self.rounded((kept - batch.price * share).max(Num::ZERO))?;
                    }
                }
                Some(lost)
            }
            Supply::Cloud(cloud) => {
                let Some(commitment) = &cloud.commitment else { return Some(Money::ZERO) };
                let running = terms(site.service, commitment).find(|(start, end)| *start <= month && month < *end);
                let Some((start, end)) = running.filter(|_| site.in_service(month)) else { return Some(Money::ZERO) };
                let monthly = commitment.instances.num()
                    * Num::whole(HOURS_PER_MONTH)
                    * commitment.per_hour.num()
                    * self.time.index_factor(leaving.index, start)
                    * leaving.exchange
                    * commitment.upfront_share.num();
                self.rounded(monthly * Num::count(end - month - 1))
            }
            Supply::BareMetal(_) | Supply::GpuService(_) => Some(Money::ZERO),
        }
    }
}

/// What was paid for an owned batch and its life has not yet used.
fn unused_cost(dedicated: &Dedicated, batch: &Batch, month: u32) -> Num {
    let life = dedicated.life_months.count();
    match &dedicated.acquisition {
        Acquisition::Lease(lease) => {
            let from = batch.owned_from.unwrap_or(batch.end);
            let life_left = (batch.start + life).saturating_sub(from);
            if life_left == 0 {
                return Num::ZERO;
            }
            let owned = Num::count(month + 1 - from);
            let price = batch.price * lease.buyout_share.num();
            price * (Num::count(life_left) - owned) / Num::count(life_left)
        }
        Acquisition::Purchase | Acquisition::Loan(_) => {
            let age = Num::count(month + 1 - batch.start);
            batch.price * (Num::count(life) - age) / Num::count(life)
        }
    }
}

/// Owned batches that leave the books (method, §7, book view): straight-line from the price to the residual share at the
/// end of the life, against the residual value when it leaves.
#[must_use]
pub fn disposals(plan: &Plan, currency: Currency) -> Vec<Disposal> {
    let mut disposals = Vec::new();
    for (site, batches) in plan.served.sites.iter().zip(&plan.batches) {
        let Supply::Dedicated(dedicated) = &site.environment.supply else { continue };
        for batch in batches.iter().filter(|batch| !batch.nodes.is_zero()) {
            let Some(from) = batch.owned_from else { continue };
            let life = dedicated.life_months.count();
            let paid = match &dedicated.acquisition {
                Acquisition::Lease(lease) => batch.price * lease.buyout_share.num(),
                Acquisition::Purchase | Acquisition::Loan(_) => batch.price,
            };
            let by_year = &dedicated.residual_by_year;
            let at_end_of_life = batch.price * residual_share(by_year, life);
            let (owned, over) = (batch.end - from, (batch.start + life).saturating_sub(from));
            let book = match owned < over {
                true => paid - (paid - at_end_of_life) * Num::count(owned) / Num::count(over),
                false => at_end_of_life,
            };
            let residual = batch.price * residual_share(by_year, batch.end - batch.start);
            let digits = currency.minor_digits;
            let (Some(book_value), Some(residual)) = (Money::rounded(book, digits), Money::rounded(residual, digits))
            else {
                continue;
            };
            disposals.push(Disposal {
                environment: site.environment.id.clone(),
                month: if batch.is_replaced { batch.end } else { batch.end - 1 },
                book_value,
                residual,
                gain: residual - book_value,
            });
        }
    }
    disposals
}

/// The mean wait of a class of runs on a fixed environment in its busiest month, by Erlang C (method, §10).
#[must_use]
pub fn queue_wait(plan: &Plan, class: usize) -> Option<QueueWait> {
    use super::demand::{DemandKind, InEnvironment};
    use statrs::distribution::{Discrete, DiscreteCDF, Poisson};
    let placed = &plan.served.classes[class];
    let site = &plan.served.sites[placed.own];
    let sized = site.sized()?;
    let DemandKind::Runs { gpus, .. } = placed.demand.kind else { return None };
    let factors = site.factors[class]?;
    let InEnvironment::Runs { occupied } = factors.kind else { return None };
    let allocated = occupied * factors.packing;
    let volume = |month: &u32| placed.demand.volume[*month as usize];
    let month = (site.service.0..site.service.1)
        .max_by(|a, b| volume(a).partial_cmp(&volume(b)).unwrap_or(std::cmp::Ordering::Equal))?;
    let slots = (sized.available_gpus(site.nodes[month as usize]) / gpus).floor_units().as_count()?;
    let run_hours = (allocated / gpus).approximate();
    let arrivals_per_hour = volume(&month).approximate() / HOURS_PER_MONTH as f64;
    let offered = arrivals_per_hour * run_hours;
    let objective = placed.demand.workload.objective.as_ref();
    let objective_hours = objective.and_then(|objective| Some(objective.max_wait_hours.as_ref()?.num().approximate()));
    let wait = |mean_hours| Some(QueueWait { mean_hours, objective_hours, month });
    if offered <= 0.0 {
        return None;
    }
    let load = offered / f64::from(slots);
    if slots == 0 || load >= 1.0 {
        return wait(f64::INFINITY);
    }
    let arrivals = Poisson::new(offered).ok()?;
    let all_busy = arrivals.pmf(u64::from(slots));
    let some_free = arrivals.cdf(u64::from(slots) - 1);
    let waiting_share = all_busy / (all_busy + (1.0 - load) * some_free);
    wait(waiting_share * run_hours / (f64::from(slots) - offered))
}
