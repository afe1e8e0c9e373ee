//! Packaged capacity, paid by what is used, with a minimum that is paid in any case (method, §7).
//!
//! Nothing here knows how an amount is rounded.

use crate::quantity::Num;
use crate::scenario::{Category, GpuService, Rate, ServicePrice};

use super::bare_metal::months_left;
use super::lines::{output_of, price_tiers};
use super::plan::{Charge, Follows, PlanLine, Price, Rule, ServicePart};
use super::serving::Served;
use super::time::{IndexId, Time};

static USE: Rule = Rule { id: "service-use", source: "method, §7, GPU service" };
static TERMINATION: Rule = Rule { id: "service-termination", source: "method, §7, GPU service" };

/// Adds the lines of the supply.
pub fn plan<'a>(served: &Served<'a>, place: usize, supply: &'a GpuService, time: &Time, lines: &mut Vec<PlanLine<'a>>) {
    let site = &served.sites[place];
    let Some(last) = site.last_month() else { return };
    let (first, end) = site.service;
    let exchange = time.exchange_rate(site.environment.currency.as_deref());
    let index = time.index(supply.price_index.as_deref());
    let minimum = supply.minimum_monthly.num();
    let (parts, follows) = parts(served, place, supply, time.horizon);
    let charges =
        (first..end).map(|month| Charge::recurring(month, Num::ONE.because(site.since).because(site.until))).collect();
    let price = Price::TakeOrPay { parts, index, exchange, minimum };
    let used = PlanLine::invoiced(place, ("service", "GPU service"), Category::ServiceCharges, &USE, price, charges);
    lines.push(PlanLine { follows, ..used });
    let left = Num::count(months_left(supply.term_months, end - first)).because(site.since).because(site.until)
        * supply.early_termination_share.num();
    if !left.is_idle() && !minimum.is_idle() {
        let price = Price::Flat { rate: minimum, index: IndexId::CONSTANT, exchange };
        let charges = vec![Charge::at_end(last, left)];
        let name = ("term-left", "Contract ended early");
        lines.push(PlanLine::invoiced(place, name, Category::Exit, &TERMINATION, price, charges));
    }
}

/// What is priced, by month, and what the use is allocated by.
fn parts(served: &Served, place: usize, supply: &GpuService, horizon: u32) -> (Vec<ServicePart>, Follows) {
    let site = &served.sites[place];
    match &supply.price {
        ServicePrice::PerGpuHour(rate) => {
            let quantities = (0..horizon).map(|month| site.allocated_in(month)).collect();
            (vec![ServicePart { tiers: price_tiers(rate), quantities }], Follows::AllocatedHours)
        }
        ServicePrice::PerOutput(prices) => {
            let none = Rate::Tiered(Vec::new());
            let part = |class: usize| ServicePart {
                tiers: price_tiers(prices.get(&served.classes[class].demand.workload.id).unwrap_or(&none)),
                quantities: (0..horizon).map(|month| output_of(served, place, class, month)).collect(),
            };
            let parts: Vec<ServicePart> = (0..served.classes.len()).map(part).collect();
            (parts, Follows::OwnCharge)
        }
    }
}
