//! Instances by the hour: commitment, on demand, spot, and the term left at the end (method, §7).
//!
//! Nothing here knows how much is demanded, or how an amount is rounded.

use crate::quantity::Num;
use crate::scenario::{Category, Cloud, Commitment};

use super::plan::{Charge, PlanLine, Price, Rule};
use super::serving::Site;
use super::time::{HOURS_PER_MONTH, Time};

static COMMITMENT: Rule = Rule { id: "commitment", source: "method, §7, Cloud" };
static UPFRONT: Rule = Rule { id: "commitment-upfront", source: "method, §7, Cloud" };
static TERMINATION: Rule = Rule { id: "commitment-termination", source: "method, §7, Cloud" };
static ON_DEMAND: Rule = Rule { id: "on-demand", source: "method, §7, Cloud" };
static SPOT: Rule = Rule { id: "spot", source: "method, §7, Cloud" };

/// The terms of a commitment: start, and end even beyond the end of service.
pub fn terms(service: (u32, u32), commitment: &Commitment) -> impl Iterator<Item = (u32, u32)> + use<> {
    let Commitment { term_months: months, renew, .. } = *commitment;
    let starts = (service.0..service.1).step_by(months.max(1) as usize);
    starts.take(if renew { usize::MAX } else { 1 }).map(move |start| (start, start + months))
}

/// Adds the lines of the supply.
pub fn plan<'a>(site: &Site<'a>, place: usize, supply: &'a Cloud, time: &Time, lines: &mut Vec<PlanLine<'a>>) {
    let exchange = time.exchange_rate(site.environment.currency.as_deref());
    let index = time.index(supply.price_index.as_deref());
    let mut add = |name, category, rule, rate, charges| {
        let line = PlanLine::invoiced(place, name, category, rule, Price::Flat { rate, index, exchange }, charges);
        if line.charges_something() {
            lines.push(line);
        }
    };
    if let Some(commitment) = &supply.commitment {
        let Committed { upfront, monthly, left } = committed(site, commitment);
        let rate = commitment.per_hour.num();
        add(("upfront", "Commitment paid upfront"), Category::ServiceCharges, &UPFRONT, rate, upfront);
        add(("commitment", "Committed instances"), Category::ServiceCharges, &COMMITMENT, rate, monthly);
        add(("commitment-left", "Commitment ended early"), Category::Exit, &TERMINATION, rate, left);
    }
    let months = site.service.0..site.service.1;
    let on_demand =
        months.clone().map(|month| Charge::used(month, site.instance_hours[month as usize].on_demand)).collect();
    let rate = supply.on_demand_per_hour.num();
    add(("on-demand", "On-demand instances"), Category::ServiceCharges, &ON_DEMAND, rate, on_demand);
    if let Some(spot) = &supply.spot {
        let hours = months.map(|month| Charge::used(month, site.instance_hours[month as usize].spot)).collect();
        add(("spot", "Spot instances"), Category::ServiceCharges, &SPOT, spot.per_hour.num(), hours);
    }
}

/// The charges of a commitment.
struct Committed {
    upfront: Vec<Charge>,
    monthly: Vec<Charge>,
    /// What is due for the term left at the end of service.
    left: Vec<Charge>,
}

fn committed(site: &Site, commitment: &Commitment) -> Committed {
    let instance_hours =
        (commitment.instances.num() * Num::whole(HOURS_PER_MONTH)).because(site.since).because(site.until);
    let upfront_share = commitment.upfront_share.num();
    let later = instance_hours * (Num::ONE - upfront_share);
    let mut charges = Committed { upfront: Vec::new(), monthly: Vec::new(), left: Vec::new() };
    let end_of_service = site.service.1;
    for (start, end) in terms(site.service, commitment) {
        let upfront = instance_hours * Num::count(commitment.term_months) * upfront_share;
        charges.upfront.push(Charge::at_start(start, upfront));
        charges
            .monthly
            .extend((start..end.min(end_of_service)).map(|month| Charge::recurring(month, later).priced_in(start)));
        if end_of_service < end {
            let quantity = later * Num::count(end - end_of_service) * commitment.early_termination_share.num();
            charges.left.push(Charge::at_end(end_of_service - 1, quantity).priced_in(start));
        }
    }
    charges
}
