//! How many nodes a fixed environment needs for the demand assigned to it (method, §5).
//!
//! Nothing here knows what a node costs, or who is served when there are too few.

use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{Capacity, Phasing, Sizing};

use super::CapacityWaterfall;
use super::time::HOURS_PER_WEEK;

/// The stated sizes of a fixed environment.
pub struct Sized<'a> {
    /// The id of the environment.
    pub environment: &'a str,
    pub capacity: &'a Capacity,
    pub sizing: &'a Sizing,
    pub phasing: Phasing,
    pub gpus_per_node: u32,
}

/// What the classes of one environment need in one month, before reserves.
#[derive(Clone, Copy)]
pub struct MonthNeed {
    /// Occupied GPU-hours of what can be deferred.
    pub deferrable_hours: Num,
    /// GPUs of what cannot wait, in its greatest hour.
    pub peak_gpus: Num,
    /// Nodes for the runs that must start together.
    pub gang_nodes: Num,
}

impl MonthNeed {
    /// Whether another month plainly needs as much or more, however many hours can be scheduled.
    fn is_surpassed_by(&self, other: &Self) -> bool {
        let numbers = [self.deferrable_hours, self.peak_gpus, other.deferrable_hours, other.peak_gpus];
        let is_constant = !numbers.iter().any(|number| number.is_traced());
        is_constant && self.deferrable_hours <= other.deferrable_hours && self.peak_gpus <= other.peak_gpus
    }

    /// Baseline equivalents in GPU-hours of the month, so that only the greatest is divided.
    fn hours(&self, schedulable_hours: Num) -> Num {
        self.deferrable_hours + self.peak_gpus * schedulable_hours
    }
}

impl Sized<'_> {
    /// GPU-hours of one GPU and month that can be scheduled productively.
    #[must_use]
    pub fn schedulable_hours(&self) -> Num {
        schedulable_hours(self.capacity, self.capacity.schedulable_utilisation.num())
    }

    /// GPUs that stay available beside maintenance and failures, for so many nodes.
    #[must_use]
    pub fn available_gpus(&self, nodes: Num) -> Num {
        let reserve = Num::ONE + self.capacity.maintenance_share.num() + self.capacity.failure_reserve_share.num();
        (Num::count(self.gpus_per_node) * nodes / reserve).called(|| self.name("Available GPUs", "GPUs"))
    }

    /// Nodes in service month by month, without spares; `needs` starts in the first month of service.
    #[must_use]
    pub fn nodes(&self, needs: &[MonthNeed]) -> Vec<Num> {
        match self.sizing {
            Sizing::Nodes(count) => vec![count.0.num(); needs.len()],
            Sizing::ForDemand(_) => self.phased_nodes(needs, self.schedulable_hours()),
        }
    }

    fn phased_nodes(&self, needs: &[MonthNeed], schedulable_hours: Num) -> Vec<Num> {
        match self.phasing {
            Phasing::AtStart => vec![self.nodes_for(needs, schedulable_hours); needs.len()],
            Phasing::Yearly => {
                let mut nodes = Vec::with_capacity(needs.len());
                let mut reached: Option<Num> = None;
                for year in needs.chunks(12) {
                    let needed = self.nodes_for(year, schedulable_hours);
                    let most = reached.map_or(needed, |reached| reached.max(needed));
                    nodes.extend(std::iter::repeat_n(most, year.len()));
                    reached = Some(most);
                }
                nodes
            }
        }
    }

    /// Nodes for the greatest of some months; rounding up keeps their order, so it is done once.
    fn nodes_for(&self, needs: &[MonthNeed], schedulable_hours: Num) -> Num {
        let next = needs.iter().skip(1).map(Some).chain([None]);
        let leading =
            needs.iter().zip(next).filter(|(need, next)| !next.is_some_and(|next| need.is_surpassed_by(next)));
        let hours = leading.map(|(need, _)| need.hours(schedulable_hours)).reduce(Num::max);
        let greatest = hours.map_or(Num::ZERO, |hours| self.baseline(hours / schedulable_hours));
        let nodes = self.nodes_for_gpus(greatest).max(gang_nodes(needs));
        nodes.called(|| self.name("Nodes for the demand", "nodes"))
    }

    /// The first month with the greatest baseline equivalents.
    fn greatest_baseline(&self, needs: &[MonthNeed], schedulable_hours: Num) -> Option<(usize, Num)> {
        let (place, baseline) = greatest_need(needs, schedulable_hours)?;
        Some((place, self.baseline(baseline)))
    }

    fn baseline(&self, gpus: Num) -> Num {
        gpus.called(|| self.name("Baseline equivalents", "GPUs"))
    }

    fn nodes_for_gpus(&self, baseline: Num) -> Num {
        let nodes = (self.needed_gpus(baseline) / Num::count(self.gpus_per_node)).ceil_units();
        nodes.called(|| self.name("Nodes for the GPUs needed", "nodes"))
    }

    fn sized_share(&self) -> Option<Num> {
        match self.sizing {
            Sizing::ForDemand(share) => Some(share.0.num()),
            Sizing::Nodes(_) => None,
        }
    }

    fn needed_gpus(&self, baseline: Num) -> Num {
        let Capacity { maintenance_share, failure_reserve_share, growth_headroom_share, .. } = self.capacity;
        let reserves = Num::ONE + maintenance_share.num() + failure_reserve_share.num() + growth_headroom_share.num();
        (self.sized_share().unwrap_or(Num::ONE) * baseline * reserves).called(|| self.name("Needed GPUs", "GPUs"))
    }

    fn name(&self, label: &'static str, unit: &'static str) -> Name {
        Name::new(label, unit, self.environment)
    }

    /// The steps from demand to nodes in the month with the greatest baseline; none without a month of service.
    #[must_use]
    pub fn waterfall(&self, first_month: u32, needs: &[MonthNeed], nodes: &[Num]) -> Option<CapacityWaterfall> {
        let hours = self.schedulable_hours();
        let (place, baseline) = self.greatest_baseline(needs, hours)?;
        let need = needs[place];
        let share = self.sized_share();
        let sized = share.unwrap_or(Num::ONE) * baseline;
        let range = self.capacity.schedulable_utilisation.range();
        let nodes_at = |utilisation: Num| {
            let hours = schedulable_hours(self.capacity, utilisation);
            self.phased_nodes(needs, hours).into_iter().fold(Num::ZERO, Num::max)
        };
        Some(CapacityWaterfall {
            month: first_month + place as u32,
            demand_gpu_hours: need.deferrable_hours,
            deferrable: need.deferrable_hours / hours,
            peak: need.peak_gpus,
            baseline,
            sized_share: share,
            maintenance: sized * self.capacity.maintenance_share.num(),
            failure_reserve: sized * self.capacity.failure_reserve_share.num(),
            growth_headroom: sized * self.capacity.growth_headroom_share.num(),
            needed: self.needed_gpus(baseline),
            nodes_for_gpus: self.nodes_for_gpus(baseline),
            gang_nodes: gang_nodes(needs),
            nodes: nodes.iter().copied().fold(Num::ZERO, Num::max),
            spares: self.capacity.spare_nodes.num(),
            gpus_per_node: self.gpus_per_node,
            nodes_over_utilisation: match (share, range) {
                (Some(_), Some(range)) => Some((nodes_at(range.low.num()), nodes_at(range.high.num()))),
                _ => None,
            },
        })
    }
}

/// The first month with the greatest baseline equivalents: Σ occupied / (window · u) + GPUs at the peak hour.
fn greatest_need(needs: &[MonthNeed], schedulable_hours: Num) -> Option<(usize, Num)> {
    let mut greatest: Option<(usize, Num)> = None;
    for (place, need) in needs.iter().enumerate() {
        let hours = need.hours(schedulable_hours);
        greatest = Some(match greatest {
            None => (place, hours),
            Some((_, most)) if most < hours || hours.is_broken() => (place, most.max(hours)),
            Some((known, most)) => (known, most.max(hours)),
        });
    }
    greatest.map(|(place, hours)| (place, hours / schedulable_hours))
}

/// Nodes for the runs that must start together, in the month that needs most.
fn gang_nodes(needs: &[MonthNeed]) -> Num {
    needs.iter().map(|need| need.gang_nodes).reduce(Num::max).unwrap_or(Num::ZERO)
}

fn schedulable_hours(capacity: &Capacity, utilisation: Num) -> Num {
    // window hours a week · 730/168 · u
    let hours = capacity.window_hours_per_week.num() * Num::whole(730) * utilisation / Num::whole(HOURS_PER_WEEK);
    hours.called(|| Name::new("Schedulable hours of a GPU", "hours a month", ""))
}
