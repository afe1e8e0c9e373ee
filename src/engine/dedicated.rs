//! Nodes that are bought, leased or financed: batches, their payments, replacement, and what they bring in at the end (method, §7).
//!
//! Nothing here knows how much is demanded, or how an amount is rounded.

use crate::input::Input;
use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{Acquisition, Boundary, Category, Dedicated, Lease};

use super::plan::{Charge, Follows, LoanDraw, PlanLine, Price, Rule, TaxTreatment, charge_something};
use super::serving::Site;
use super::time::{IndexId, Time};

/// Nodes that came into service together and leave together.
#[derive(Clone, Copy, Debug)]
pub struct Batch {
    pub nodes: Num,
    pub category: Category,
    /// The month in which it comes into service.
    pub start: u32,
    /// The month in which it is replaced, or the horizon.
    pub end: u32,
    /// Whether another batch replaces it.
    pub is_replaced: bool,
    /// Nodes · price · index, in scenario currency, before rounding.
    pub price: Num,
    /// The share of the price paid in `deposit_month`; a replacement has none.
    pub deposit_share: Num,
    pub deposit_month: u32,
    /// The month in which it becomes owned; none for a lease without a buy-out inside its life.
    pub owned_from: Option<u32>,
    /// The life of a node, the reason for its last month.
    pub life: Num,
}

impl Batch {
    #[must_use]
    pub fn in_service(&self, month: u32) -> bool {
        self.start <= month && month < self.end
    }
}

/// Residual value as a share of the price at an age in months: 1 when new, linear between years, the last holds on.
#[must_use]
pub fn residual_share(by_year: &[Input], age_months: u32) -> Num {
    let Some(last) = by_year.last() else { return Num::ZERO };
    let after = |years: usize| match years {
        0 => Num::ONE,
        _ => by_year.get(years - 1).unwrap_or(last).num(),
    };
    let (years, within) = ((age_months / 12) as usize, age_months % 12);
    let (from, to) = (after(years), after(years + 1));
    if within == 0 { from } else { from + (to - from) * Num::count(within) / Num::whole(12) }
}

/// The terms of a lease inside one batch: start, and end or the batch's end if that comes first.
pub fn lease_terms(batch: &Batch, lease: &Lease) -> impl Iterator<Item = (u32, u32)> + use<> {
    let months = lease.months;
    let is_renewed = lease.buyout_share.num().is_zero();
    let starts = (batch.start..batch.end).step_by(months.max(1) as usize);
    starts.take(if is_renewed { usize::MAX } else { 1 }).map(move |start| (start, start + months))
}

/// Adds the lines of the supply, and says which batches there are.
pub fn plan<'a>(
    site: &Site<'a>,
    place: usize,
    supply: &'a Dedicated,
    time: &Time,
    lines: &mut Vec<PlanLine<'a>>,
) -> Vec<Batch> {
    let exchange = time.exchange_rate(site.environment.currency.as_deref());
    let index = time.index(supply.node.price_index.as_deref());
    let batches = batches(site, supply, time, index, exchange);
    let books = Books { place, supply, index, exchange, horizon: time.horizon, batches: &batches };
    match &supply.acquisition {
        Acquisition::Purchase => books.purchases(lines),
        Acquisition::Lease(lease) => books.leases(lease, lines),
        Acquisition::Loan(loan) => books.loans(loan.rate.num(), loan.months, lines),
    }
    books.disposals(lines);
    batches
}

fn batches(site: &Site, supply: &Dedicated, time: &Time, index: IndexId, exchange: Num) -> Vec<Batch> {
    let horizon = time.horizon;
    let lead_time = site.environment.lead_time_months.count();
    let mut batches = Vec::new();
    let life = supply.life_months.num();
    let mut add = |nodes: Num, start: u32, category: Category| {
        let mut generation = (nodes, start, category, supply.deposit_share.num());
        loop {
            let (nodes, start, category, deposit_share) = generation;
            let name = |label, unit| Name::new(label, unit, &site.environment.id).in_month(start);
            let nodes = nodes.called(|| name("Nodes of the batch", "nodes"));
            let of_age = start + supply.life_months.count();
            let is_replaced = of_age < horizon && supply.refresh_min_remaining <= horizon - of_age;
            let end = if is_replaced { of_age } else { horizon };
            let price = nodes * supply.node.price.num() * time.index_factor(index, start) * exchange;
            let price = price.called(|| name("Price of the batch", "money"));
            let owned_from = match &supply.acquisition {
                Acquisition::Purchase | Acquisition::Loan(_) => Some(start),
                Acquisition::Lease(lease) if lease.buyout_share.num().is_zero() => None,
                Acquisition::Lease(lease) => Some(start + lease.months).filter(|month| *month < end),
            };
            batches.push(Batch {
                nodes,
                category,
                start,
                end,
                is_replaced,
                price,
                deposit_share,
                deposit_month: start.saturating_sub(lead_time),
                owned_from,
                life,
            });
            if !is_replaced {
                break;
            }
            generation = (nodes.because(life), end, Category::Refresh, Num::ZERO);
        }
    };
    let (first, end) = site.service;
    let mut reached = Num::ZERO;
    for month in first..end {
        let nodes = site.nodes[month as usize];
        // Nodes are never taken away, so that what is not the same is more, or could be.
        if !nodes.is_same(reached) && (nodes.is_open() || nodes > reached) {
            add(nodes - reached, month, Category::Hardware);
            reached = nodes;
        }
    }
    // While a trace is recorded, spares that could be are followed as well as those that are.
    if !site.spares.is_nothing() && first < end {
        add(site.spares, first, Category::SpareCapacity);
    }
    batches
}

/// Everything needed to write the lines of the batches.
struct Books<'a, 'b> {
    place: usize,
    supply: &'a Dedicated,
    index: IndexId,
    exchange: Num,
    horizon: u32,
    batches: &'b [Batch],
}

/// The three categories in which nodes come into service, with what their lines are called.
const ARRIVALS: [(Category, &str, &str); 3] = [
    (Category::Hardware, "nodes", "Nodes"),
    (Category::SpareCapacity, "spare-nodes", "Spare nodes"),
    (Category::Refresh, "refresh", "Refresh of nodes"),
];

static DEPOSIT: Rule = Rule { id: "deposit", source: "method, §7, Dedicated" };
static PURCHASE: Rule = Rule { id: "purchase", source: "method, §7, Dedicated" };
static LEASE: Rule = Rule { id: "lease", source: "method, §7, Lease" };
static BUY_OUT: Rule = Rule { id: "buy-out", source: "method, §7, Lease" };
static LEASE_END: Rule = Rule { id: "lease-termination", source: "method, §7, Lease" };
static LOAN: Rule = Rule { id: "loan", source: "method, §7, Loan" };
static LOAN_BALANCE: Rule = Rule { id: "loan-balance", source: "method, §7, Loan" };
static TRADE_IN: Rule = Rule { id: "trade-in", source: "method, §7, Dedicated" };
static RESIDUAL: Rule = Rule { id: "residual", source: "method, §7, Dedicated" };

impl<'a> Books<'a, '_> {
    fn line(
        &self,
        (id, label): (&'a str, &'a str),
        category: Category,
        rule: &'static Rule,
        tax: TaxTreatment,
        price: Price,
        charges: Vec<Charge>,
    ) -> PlanLine<'a> {
        PlanLine {
            id,
            label,
            site: Some(self.place),
            stated: None,
            category,
            boundary: Boundary::Retained,
            capital: tax == TaxTreatment::Capitalised || tax == TaxTreatment::Disposal,
            rule,
            follows: Follows::OccupiedHours,
            tax,
            price,
            charges,
        }
    }

    fn priced(&self, rate: Num) -> Price {
        Price::Flat { rate, index: self.index, exchange: self.exchange }
    }

    fn arriving(&self, category: Category) -> impl Iterator<Item = &Batch> {
        self.batches.iter().filter(move |batch| batch.category == category)
    }

    fn purchases(&self, lines: &mut Vec<PlanLine<'a>>) {
        self.deposits(lines);
        for (category, id, label) in ARRIVALS {
            let on_arrival = |batch: &Batch| {
                let rest = batch.nodes * (Num::ONE - batch.deposit_share);
                Charge::at_start(batch.start, rest).priced_in(batch.start)
            };
            let charges: Vec<Charge> = self.arriving(category).map(on_arrival).collect();
            let price = self.priced(self.supply.node.price.num());
            if charge_something(&charges) {
                lines.push(self.line((id, label), category, &PURCHASE, TaxTreatment::Capitalised, price, charges));
            }
        }
    }

    fn deposits(&self, lines: &mut Vec<PlanLine<'a>>) {
        for (category, _, _) in ARRIVALS {
            let with_order = |batch: &Batch| {
                let quantity = batch.nodes * batch.deposit_share;
                Charge::at_start(batch.deposit_month, quantity).priced_in(batch.start)
            };
            let paid = self.arriving(category).filter(|batch| !batch.deposit_share.is_nothing());
            let charges: Vec<Charge> = paid.map(with_order).collect();
            if charge_something(&charges) {
                let price = self.priced(self.supply.node.price.num());
                let (id, label, tax) = ("deposit", "Deposit for nodes", TaxTreatment::Capitalised);
                lines.push(self.line((id, label), category, &DEPOSIT, tax, price, charges));
            }
        }
    }

    fn leases(&self, lease: &'a Lease, lines: &mut Vec<PlanLine<'a>>) {
        let mut terminations = Vec::new();
        for (category, id, label) in ARRIVALS {
            let (mut payments, mut buyouts) = (Vec::new(), Vec::new());
            for batch in self.arriving(category) {
                // How long a lease runs depends on when its nodes are replaced, and on whether they are bought out.
                let nodes = batch.nodes.because(batch.life).because(lease.buyout_share.num());
                for (start, end) in lease_terms(batch, lease) {
                    for month in start..end.min(batch.end) {
                        payments.push(Charge::recurring(month, nodes).priced_in(start));
                    }
                    if batch.end < end {
                        let left = nodes * Num::count(end - batch.end) * lease.early_termination_share.num();
                        terminations.push(Charge::at_end(batch.end - 1, left).priced_in(start));
                    }
                }
                if let Some(month) = batch.owned_from {
                    let share = nodes * lease.buyout_share.num();
                    buyouts.push(Charge::at_start(month, share).priced_in(batch.start));
                }
            }
            if charge_something(&payments) {
                let price = self.priced(lease.monthly_per_node.num());
                lines.push(self.line((id, label), category, &LEASE, TaxTreatment::Deductible, price, payments));
            }
            if charge_something(&buyouts) {
                let price = self.priced(self.supply.node.price.num());
                let (id, label) = ("buy-out", "Buy-out of leased nodes");
                lines.push(self.line((id, label), category, &BUY_OUT, TaxTreatment::Capitalised, price, buyouts));
            }
        }
        if charge_something(&terminations) {
            let price = self.priced(lease.monthly_per_node.num());
            let (id, label) = ("lease-termination", "Lease ended early");
            lines.push(self.line(
                (id, label),
                Category::Exit,
                &LEASE_END,
                TaxTreatment::Deductible,
                price,
                terminations,
            ));
        }
    }

    fn loans(&self, rate: Num, months: u32, lines: &mut Vec<PlanLine<'a>>) {
        self.deposits(lines);
        let mut all_draws = Vec::new();
        for (category, _, _) in ARRIVALS {
            let borrow = |batch: &Batch| LoanDraw {
                start: batch.start,
                principal: batch.price * (Num::ONE - batch.deposit_share),
            };
            let draws: Vec<LoanDraw> = self.arriving(category).map(borrow).collect();
            // Whether there is one more loan depends on how long the nodes live.
            let life = self.supply.life_months.num();
            all_draws.extend(draws.iter().map(|draw| LoanDraw { principal: draw.principal.because(life), ..*draw }));
            if draws.iter().all(|draw| draw.principal.is_idle()) {
                continue;
            }
            let price = Price::Loan { draws, months, rate, is_balance: false };
            lines.push(self.line(
                ("loan", "Loan payments"),
                category,
                &LOAN,
                TaxTreatment::LoanPayment,
                price,
                Vec::new(),
            ));
        }
        let is_open = |draw: &LoanDraw| draw.start + months > self.horizon && !draw.principal.is_idle();
        if all_draws.iter().any(is_open) {
            let price = Price::Loan { draws: all_draws, months, rate, is_balance: true };
            let (id, label) = ("loan-balance", "Loan balance at the end");
            lines.push(self.line(
                (id, label),
                Category::Exit,
                &LOAN_BALANCE,
                TaxTreatment::LoanPayment,
                price,
                Vec::new(),
            ));
        }
    }

    /// Trade-ins of replaced batches, and residual values at the end of the horizon.
    fn disposals(&self, lines: &mut Vec<PlanLine<'a>>) {
        let (mut trade_ins, mut residuals) = (Vec::new(), Vec::new());
        let bought_out = match &self.supply.acquisition {
            Acquisition::Lease(lease) => lease.buyout_share.num(),
            Acquisition::Purchase | Acquisition::Loan(_) => Num::ZERO,
        };
        for batch in self.batches.iter().filter(|batch| batch.owned_from.is_some()) {
            let share = residual_share(&self.supply.residual_by_year, batch.end - batch.start);
            let quantity = -(batch.nodes * share).because(batch.life).because(bought_out);
            match batch.is_replaced {
                true => trade_ins.push(Charge::at_start(batch.end, quantity).priced_in(batch.start)),
                false => residuals.push(Charge::at_end(batch.end - 1, quantity).priced_in(batch.start)),
            }
        }
        let price = self.priced(self.supply.node.price.num());
        let mut add = |id: &'static str, label: &'static str, category: Category, rule, charges: Vec<Charge>| {
            if charge_something(&charges) {
                let tax = TaxTreatment::Disposal;
                lines.push(self.line((id, label), category, rule, tax, price.clone(), charges));
            }
        };
        add("trade-in", "Trade-in of replaced nodes", Category::Refresh, &TRADE_IN, trade_ins);
        add("residual-value", "Residual value of nodes", Category::Exit, &RESIDUAL, residuals);
    }
}
