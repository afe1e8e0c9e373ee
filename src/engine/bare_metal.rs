//! Whole nodes rented from a provider: charges, set-up, and the term left at the end (method, §7).
//!
//! Nothing here knows how much is demanded, or how an amount is rounded.

use crate::quantity::Num;
use crate::scenario::{BareMetal, Category};

use super::plan::{Charge, PlanLine, Price, Rule};
use super::serving::Site;
use super::time::{IndexId, Time};

static CHARGES: Rule = Rule { id: "node-charges", source: "method, §7, Bare metal" };
static SPARE_CHARGES: Rule = Rule { id: "spare-node-charges", source: "method, §7, Bare metal" };
static SETUP: Rule = Rule { id: "set-up", source: "method, §7, Bare metal" };
static TERMINATION: Rule = Rule { id: "term-termination", source: "method, §7, Bare metal" };

/// Months left of the running term after a number of months of service.
#[must_use]
pub fn months_left(term_months: u32, served_months: u32) -> u32 {
    served_months.div_ceil(term_months.max(1)) * term_months - served_months
}

/// Adds the lines of the supply.
pub fn plan<'a>(site: &Site<'a>, place: usize, supply: &'a BareMetal, time: &Time, lines: &mut Vec<PlanLine<'a>>) {
    let (first, end) = site.service;
    let Some(last) = site.last_month() else { return };
    let exchange = time.exchange_rate(site.environment.currency.as_deref());
    let index = time.index(supply.price_index.as_deref());
    let monthly = Price::Flat { rate: supply.monthly_per_node.num(), index, exchange };
    let nodes = |month: u32| site.nodes[month as usize];
    let spares = site.spares;
    let mut add = |name, category, rule, price: &Price, charges| {
        let line = PlanLine::invoiced(place, name, category, rule, price.clone(), charges);
        if line.charges_something() {
            lines.push(line);
        }
    };
    let charges = (first..end).map(|month| Charge::recurring(month, nodes(month))).collect();
    add(("nodes", "Node charges"), Category::ServiceCharges, &CHARGES, &monthly, charges);
    let charges = (first..end).map(|month| Charge::recurring(month, spares)).collect();
    add(("spare-nodes", "Spare node charges"), Category::SpareCapacity, &SPARE_CHARGES, &monthly, charges);
    let arriving = |month: u32| {
        let before = if month == first { Num::ZERO } else { nodes(month - 1) + spares };
        nodes(month) + spares - before
    };
    let setup = Price::Flat { rate: supply.setup_per_node.num(), index: IndexId::GENERAL, exchange };
    let charges = (first..end).map(|month| Charge::at_start(month, arriving(month))).collect();
    add(("set-up", "Set-up of nodes"), Category::Implementation, &SETUP, &setup, charges);
    let left = Num::count(months_left(supply.term_months, end - first)).because(site.since).because(site.until);
    let quantity = (nodes(last) + spares) * left * supply.early_termination_share.num();
    add(
        ("term-left", "Contract ended early"),
        Category::Exit,
        &TERMINATION,
        &monthly,
        vec![Charge::at_end(last, quantity)],
    );
}
