//! Which class bears which cost, and what its useful output costs (method, §9).
//!
//! Nothing here knows how a line was priced.

use crate::quantity::trace::Name;
use crate::quantity::{Num, Parts, Shares};

use super::ledger::{Priced, Run};
use super::lines::output_rate;
use super::plan::{Follows, Plan};
use super::serving::{Site, is_runs};
use super::time::Time;
use super::{Amounts, Behaviour};

/// Cost by class, and what nobody can be charged with.
pub struct Allocation {
    /// In the order of the assignments.
    pub by_class: Vec<Amounts>,
    pub unallocated: Amounts,
}

/// Splits each line's total, behaviour by behaviour, over the classes.
#[must_use]
pub fn allocate(plan: &Plan, priced: &Priced) -> Allocation {
    let mut weights = Weights::new(plan, priced);
    let classes = plan.served.classes.len();
    let mut parts = Parts::default();
    let mut allocation = Allocation { by_class: vec![Amounts::default(); classes], unallocated: Amounts::default() };
    for (place, sums) in sums_to_split(plan, &priced.runs) {
        let line = &plan.lines[place];
        for (behaviour, amounts) in Behaviour::ALL.iter().zip(sums) {
            let amounts = named(amounts, *behaviour, line.id);
            if amounts == Amounts::default() {
                continue;
            }
            let shares = match (behaviour, &line.follows) {
                (Behaviour::Fixed, _) | (_, Follows::OccupiedHours) => weights.occupied(line.site),
                (Behaviour::UsageDriven, follows) => weights.used(line.site, follows),
            };
            match shares {
                Some(shares) => {
                    for (sum, part) in allocation.by_class.iter_mut().zip(shares.split_into(amounts.total, &mut parts))
                    {
                        sum.total += *part;
                    }
                    let values = shares.split_into(amounts.present_value, &mut parts);
                    for (sum, part) in allocation.by_class.iter_mut().zip(values) {
                        sum.present_value += *part;
                    }
                }
                None => allocation.unallocated += amounts,
            }
        }
    }
    for (sum, class) in allocation.by_class.iter_mut().zip(&plan.served.classes) {
        let id = &class.demand.workload.id;
        sum.total = sum.total.called(|| Name::new("Allocated cost", "money", id));
        sum.present_value = sum.present_value.called(|| Name::new("Present value of the allocated cost", "money", id));
    }
    allocation
}

/// What is split, by the words of its behaviour.
fn named(amounts: Amounts, behaviour: Behaviour, line: &str) -> Amounts {
    let (total, value) = match behaviour {
        Behaviour::Fixed => ("Fixed cost of the line", "Present value of the line's fixed cost"),
        Behaviour::UsageDriven => ("Usage-driven cost of the line", "Present value of the line's usage-driven cost"),
    };
    Amounts {
        total: amounts.total.called(|| Name::new(total, "money", line)),
        present_value: amounts.present_value.called(|| Name::new(value, "money", line)),
    }
}

/// What is split at once, by the first line of each: a line that a person states stands alone; those that one rule
/// generates for one environment are one line in different categories (nodes, spares, replacements).
fn sums_to_split(plan: &Plan, runs: &[Run]) -> Vec<(usize, [Amounts; 2])> {
    let mut together: Vec<(usize, [Amounts; 2])> = Vec::with_capacity(plan.lines.len());
    for (place, sums) in line_sums(plan, runs).into_iter().enumerate() {
        let line = &plan.lines[place];
        let is_same = |(first, _): &&mut (usize, [Amounts; 2])| {
            let first = &plan.lines[*first];
            line.stated.is_none() && first.stated.is_none() && first.site == line.site && first.rule.id == line.rule.id
        };
        match together.iter_mut().find(is_same) {
            Some((_, known)) => known.iter_mut().zip(sums).for_each(|(known, sum)| *known += sum),
            None => together.push((place, sums)),
        }
    }
    together
}

/// The sum of each line by behaviour.
fn line_sums(plan: &Plan, runs: &[Run]) -> Vec<[Amounts; 2]> {
    let mut sums = vec![[Amounts::default(); 2]; plan.lines.len()];
    for run in runs {
        sums[run.line as usize][run.behaviour as usize] += run.amounts;
    }
    sums
}

/// What cost follows, class by class over the horizon.
struct Weights<'a, 'b> {
    plan: &'b Plan<'a>,
    priced: &'b Priced,
    /// Shares of the occupied GPU-hours by site; the last entry is that of the placement.
    occupied: Vec<Option<Shares>>,
    /// Shares of what else has been asked for, by site and measure: several lines follow the same.
    used: Vec<(usize, Follows, Option<Shares>)>,
}

impl<'a, 'b> Weights<'a, 'b> {
    fn new(plan: &'b Plan<'a>, priced: &'b Priced) -> Self {
        let classes = plan.served.classes.len();
        let of_site = |site: &Site| -> Vec<Num> {
            let of_class = |class: usize| {
                let id = &plan.served.classes[class].demand.workload.id;
                let name = || Name::new("Occupied GPU-hours over the horizon", "GPU-hours", id);
                site.occupied_by(class).called(name)
            };
            (0..classes).map(of_class).collect()
        };
        let hours: Vec<Vec<Num>> = plan.served.sites.iter().map(of_site).collect();
        let everywhere: Vec<Num> = (0..classes).map(|class| hours.iter().map(|site| site[class]).sum()).collect();
        let occupied = hours.iter().chain([&everywhere]).map(|weights| Shares::of(weights)).collect();
        Self { plan, priced, occupied, used: Vec::new() }
    }

    /// What is fixed follows the occupied GPU-hours of its environment, or those of all of them.
    fn occupied(&self, site: Option<usize>) -> &Option<Shares> {
        &self.occupied[site.unwrap_or(self.plan.served.sites.len())]
    }

    /// What is usage-driven follows what it measures; a placement's own line measures nothing.
    fn used(&mut self, site: Option<usize>, follows: &Follows) -> &Option<Shares> {
        let Some(site) = site else { return &None };
        let known = self.used.iter().position(|(of, measure, _)| *of == site && measure == follows);
        let place = known.unwrap_or_else(|| {
            let shares = Shares::of(&self.of(site, follows));
            self.used.push((site, follows.clone(), shares));
            self.used.len() - 1
        });
        &self.used[place].2
    }

    /// The measure that a line of a site is charged by, class by class.
    fn of(&self, site: usize, follows: &Follows) -> Vec<Num> {
        let served = &self.plan.served;
        let classes = served.classes.len();
        let at = &served.sites[site];
        match follows {
            Follows::OccupiedHours => (0..classes).map(|class| at.occupied_by(class)).collect(),
            Follows::AllocatedHours => (0..classes).map(|class| at.allocated(class, at.occupied_by(class))).collect(),
            Follows::Runs => {
                let runs = |class: usize| match is_runs(served.classes[class].demand) {
                    true => at.units_of(class),
                    false => Num::ZERO,
                };
                (0..classes).map(runs).collect()
            }
            Follows::CpuCoreHours => {
                let core_hours = |class: usize| at.core_hours(class, served.classes[class].demand);
                (0..classes).map(|class| core_hours(class).iter().copied().sum()).collect()
            }
            Follows::DataOut => {
                let sent = |class: usize| at.data_out(class, served.classes[class].demand);
                (0..classes).map(|class| sent(class).iter().copied().sum()).collect()
            }
            Follows::DataStored => (0..classes).map(|class| at.stored_gb[class].iter().copied().sum()).collect(),
            Follows::Class(only) => {
                let output = at.units_of(*only) * output_rate(served, site, *only);
                (0..classes).map(|class| if class == *only { output } else { Num::ZERO }).collect()
            }
            // The supply of a site has one line, if any, that is priced by output.
            Follows::OwnCharge => {
                let of_site =
                    self.priced.own_charges.iter().find(|(line, _)| self.plan.lines[*line].site == Some(site));
                of_site.map_or_else(|| vec![Num::ZERO; classes], |(_, own)| own.clone())
            }
        }
    }
}

/// Successful output of a class over the horizon, and its present value at recurring timing.
#[must_use]
pub fn output(plan: &Plan, class: usize, time: &Time) -> (Num, Num) {
    let demand = plan.served.classes[class].demand;
    let mut total = Num::ZERO;
    let mut discounted = Num::ZERO;
    for (place, site) in plan.served.sites.iter().enumerate() {
        let months = &site.usage[class];
        if months.is_empty() {
            continue;
        }
        let rate = output_rate(&plan.served, place, class);
        let (mut units, mut units_discounted) = (Num::ZERO, Num::ZERO);
        let is_traced = months.iter().any(|used| used.units.is_traced());
        for (month, used) in months.iter().enumerate().filter(|(_, used)| !used.units.is_zero()) {
            if is_traced {
                units += used.units;
            }
            units_discounted += demand.discounted(used.units, month as u32, time);
        }
        // Their sum is known, but for months without a part in it.
        total += if is_traced { units } else { site.units_of(class) } * rate;
        discounted += units_discounted * rate;
    }
    let id = &demand.workload.id;
    (
        total.called(|| Name::new("Successful output", "units", id)),
        discounted.called(|| Name::new("Discounted output", "units", id)),
    )
}
