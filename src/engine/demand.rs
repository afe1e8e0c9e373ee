//! What each class asks for, month by month, and what serving it takes in an environment (method, §4).
//!
//! Nothing here knows where a class is placed, how much capacity there is, or what anything costs.

use std::rc::Rc;
use std::sync::OnceLock;

use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{
    Demand, Environment, Hours, HoursShare, Performance, Period, Runs, Scaling, Shape, Supply, Workload,
};

use super::PostingTiming;
use super::time::{HOURS_PER_MONTH, HOURS_PER_WEEK, LinearGrowths, Time, growth_factors};

/// The demand of one class, whatever environment serves it.
pub struct ClassDemand<'a> {
    pub workload: &'a Workload,
    /// First month with demand, and the month in which it has ended.
    pub active: (u32, u32),
    /// Runs a month, or mean requests a second, by month; zero outside the active months.
    pub volume: Vec<Num>,
    /// Runs or requests over the horizon.
    pub demanded: Num,
    /// Stored data by month; zero outside the active months.
    pub stored_gb: Vec<Num>,
    pub kind: DemandKind,
    shape: WeekShape,
    /// See [`ClassDemand::discounted`].
    discounted: OnceLock<Vec<Discounted>>,
}

/// What a class asks for in one month, and its present value.
#[derive(Clone, Copy)]
struct Discounted {
    units: Num,
    value: Num,
}

/// What a unit of demand is.
#[derive(Clone, Copy)]
pub enum DemandKind {
    Runs { gpus: Num, gpu_hours: Num, concurrent: Num, deferrable: bool, interruptible: bool, cpu_core_hours: Num },
    Service { per_replica: Num, gpus: Num, min_replicas: Num },
}

impl<'a> ClassDemand<'a> {
    /// Lays the demand of some classes out over the horizon.
    #[must_use]
    pub fn of_all(workloads: &'a [Workload], horizon: u32) -> Vec<Self> {
        let mut growths = LinearGrowths::new(horizon);
        workloads.iter().map(|workload| Self::new(workload, horizon, &mut growths)).collect()
    }

    fn new(workload: &'a Workload, horizon: u32, growths: &mut LinearGrowths) -> Self {
        let active = (workload.starts_month, workload.ends_month.unwrap_or(horizon).min(horizon));
        let growth = growth_factors(&workload.growth, growths);
        let is_active = |month: u32| active.0 <= month && month < active.1;
        let (base, kind) = match &workload.demand {
            Demand::Runs(runs) => (runs_per_month(runs), runs_kind(runs)),
            Demand::Service(service) => (
                service.requests_per_second.num(),
                DemandKind::Service {
                    per_replica: service.requests_per_second_per_replica.num(),
                    gpus: service.gpus_per_replica.num(),
                    min_replicas: service.min_replicas.num(),
                },
            ),
        };
        let over_months = |value: &dyn Fn(u32) -> Num| -> Vec<Num> {
            (0..horizon).map(|month| if is_active(month) { value(month) } else { Num::ZERO }).collect()
        };
        let stored = workload.data.stored_gb.num();
        let stored_growth = workload.data.stored_growth.num();
        let is_growing = !stored.is_nothing() && !stored_growth.is_nothing();
        let stored_factors = if is_growing { growths.of(stored_growth) } else { Rc::default() };
        let name = |label, unit, month| Name::new(label, unit, &workload.id).in_month(month);
        let stored_at = |month: u32| {
            let gb = match (stored.is_nothing(), stored_growth.is_nothing()) {
                (true, _) => Num::ZERO,
                (_, true) => stored,
                _ => stored * stored_factors[month as usize],
            };
            gb.called(|| name("Data of the class", "GB", month))
        };
        let (label, unit) = match kind {
            DemandKind::Runs { .. } => ("Runs asked for", "runs a month"),
            DemandKind::Service { .. } => ("Mean requests asked for", "requests a second"),
        };
        let volume_at = |month: u32| {
            let growth = growth[month as usize].called(|| name("Growth factor", "", month));
            (base * growth).called(|| name(label, unit, month))
        };
        let shape = WeekShape::new(&workload.shape, matches!(kind, DemandKind::Runs { deferrable: true, .. }));
        let volume = over_months(&volume_at);
        let demanded = units(kind, volume.iter().copied().sum());
        Self {
            workload,
            active,
            volume,
            demanded,
            stored_gb: over_months(&stored_at),
            kind,
            shape,
            discounted: OnceLock::new(),
        }
    }

    /// Whether the class asks for anything in a month.
    #[must_use]
    pub fn is_active(&self, month: u32) -> bool {
        self.active.0 <= month && month < self.active.1
    }

    /// Whether its work can move within the month. A service never can.
    #[must_use]
    pub fn is_deferrable(&self) -> bool {
        matches!(self.kind, DemandKind::Runs { deferrable: true, .. })
    }

    /// Whether its work may be interrupted.
    #[must_use]
    pub fn is_interruptible(&self) -> bool {
        matches!(self.kind, DemandKind::Runs { interruptible: true, .. })
    }

    /// CPU core-hours of one run; a service has none.
    #[must_use]
    pub fn core_hours_per_run(&self) -> Num {
        match self.kind {
            DemandKind::Runs { cpu_core_hours, .. } => cpu_core_hours,
            DemandKind::Service { .. } => Num::ZERO,
        }
    }

    /// What one unit of volume asks for over a month: runs, or requests.
    #[must_use]
    pub fn units(&self, volume: Num) -> Num {
        units(self.kind, volume)
    }

    /// Runs or requests of a month discounted as what recurs. All that the class asks for is discounted once for all placements.
    #[must_use]
    pub fn discounted(&self, units: Num, month: u32, time: &Time) -> Num {
        let discounted = |units: Num, month: u32| units * time.factor_num(PostingTiming::Recurring, month);
        let of_month = |(month, volume): (usize, &Num)| {
            let units = self.units(*volume);
            Discounted { units, value: discounted(units, month as u32) }
        };
        // Whatever is traced is computed where it is asked for.
        let of_all = || match self.demanded.is_traced() || time.rate.is_traced() {
            true => Vec::new(),
            false => self.volume.iter().enumerate().map(of_month).collect(),
        };
        let known = self.discounted.get_or_init(of_all).get(month as usize);
        match known.filter(|known| known.units.is_same_constant(units)) {
            Some(known) => known.value,
            None => discounted(units, month),
        }
    }

    /// Whole nodes for the runs that must be able to start together (method, §5).
    #[must_use]
    pub fn gang_nodes(&self, gpus_per_node: u32) -> Num {
        let DemandKind::Runs { gpus, concurrent: together, .. } = self.kind else { return Num::ZERO };
        let node = Num::count(gpus_per_node);
        let nodes = if gpus < Num::ONE {
            (together / (node * (Num::ONE / gpus).floor_units())).ceil_units()
        } else if gpus <= node {
            (together / (node / gpus).floor_units()).ceil_units()
        } else {
            together * (gpus / node).ceil_units()
        };
        nodes.called(|| Name::new("Nodes for runs that start together", "nodes", &self.workload.id))
    }
}

fn units(kind: DemandKind, volume: Num) -> Num {
    match kind {
        DemandKind::Runs { .. } => volume,
        DemandKind::Service { .. } => volume * Num::whole(3600 * HOURS_PER_MONTH),
    }
}

fn runs_per_month(runs: &Runs) -> Num {
    let (periods, of) = match runs.per {
        Period::Hour => (HOURS_PER_MONTH, 1),
        Period::Day => (HOURS_PER_MONTH, 24),
        Period::Week => (HOURS_PER_MONTH, HOURS_PER_WEEK),
        Period::Month => (1, 1),
        Period::Quarter => (1, 3),
        Period::Year => (1, 12),
    };
    runs.runs.num() * Num::whole(periods) / Num::whole(of)
}

fn runs_kind(runs: &Runs) -> DemandKind {
    let gpus = runs.gpus_per_run.num();
    DemandKind::Runs {
        gpus,
        gpu_hours: gpus * hours_per_run(&runs.hours, gpus),
        concurrent: runs.concurrent_runs.num(),
        deferrable: runs.deferrable,
        interruptible: runs.interruptible,
        cpu_core_hours: runs.cpu_core_hours.num(),
    }
}

/// Hours of one run on the reference accelerator: given, the mean of a distribution, or from measured scaling.
#[must_use]
pub fn hours_per_run(hours: &Hours, gpus: Num) -> Num {
    match hours {
        Hours::Mean(mean) => mean.num(),
        Hours::Distribution(shares) => shares.iter().map(|HoursShare { share, hours }| share.num() * hours.num()).sum(),
        Hours::Scaling(scaling) => {
            let reference = throughput(scaling, scaling.reference_gpus.num());
            scaling.reference_hours.num() * reference / throughput(scaling, gpus)
        }
    }
}

/// Relative throughput at a GPU count, linear between the measured points; broken outside them.
fn throughput(scaling: &Scaling, gpus: Num) -> Num {
    if let Some(point) = scaling.points.iter().find(|point| point.gpus.num() == gpus) {
        return point.throughput.num().because(gpus).because(point.gpus.num());
    }
    for pair in scaling.points.windows(2) {
        let [low, high] = pair else { continue };
        let (from, to) = (low.gpus.num(), high.gpus.num());
        if from <= gpus && gpus <= to {
            let rise = high.throughput.num() - low.throughput.num();
            return low.throughput.num() + rise * (gpus - from) / (to - from);
        }
    }
    Num::BROKEN
}

/// What one class takes in one environment.
#[derive(Clone, Copy)]
pub struct ClassInEnvironment {
    /// Allocated over occupied GPU-hours.
    pub packing: Num,
    /// Productive GPU-hours of one run or request served.
    pub productive: Num,
    pub kind: InEnvironment,
}

/// Factors from demand to capacity in one environment.
#[derive(Clone, Copy)]
pub enum InEnvironment {
    /// GPU-hours of one run.
    Runs { occupied: Num },
    Service {
        /// Requests a second that one replica answers here.
        per_replica: Num,
        min_replicas: Num,
        /// GPUs that one replica occupies.
        occupied_per_replica: Num,
        success_share: Num,
    },
}

impl ClassInEnvironment {
    /// The factors of a class in an environment (method, §4).
    #[must_use]
    pub fn new(class: &ClassDemand, environment: &Environment) -> Self {
        let standard;
        let performance = match environment.performance.get(&class.workload.id) {
            Some(performance) => performance,
            None => {
                standard = Performance::default();
                &standard
            }
        };
        let Performance { speed, data_wait_share, failure_share, lost_work_share } = performance;
        let speed = speed.num();
        let failures = failure_share.num();
        let success = Num::ONE - failures;
        let gpus_per_node = gpus_per_node(environment);
        let (id, place) = (&class.workload.id, &environment.id);
        let name = |label, unit| Name::new(label, unit, &format!("{id} in {place}"));
        let packed = |gpus| packing(gpus, gpus_per_node).called(|| name("Packing on whole nodes", "share"));
        match class.kind {
            DemandKind::Runs { gpus, gpu_hours, .. } => {
                let packing = packed(gpus);
                let working = Num::ONE - data_wait_share.num();
                let attempts = success + lost_work_share.num() * failures;
                let productive = (gpu_hours / speed).called(|| name("Productive GPU-hours of a run", "GPU-hours"));
                let allocated = (gpu_hours * attempts / (speed * working * success))
                    .called(|| name("Allocated GPU-hours of a run", "GPU-hours"));
                let occupied = if packing.is_one() { allocated } else { allocated / packing };
                let occupied = occupied.called(|| name("Occupied GPU-hours of a run", "GPU-hours"));
                Self { packing, productive, kind: InEnvironment::Runs { occupied } }
            }
            DemandKind::Service { per_replica, gpus, min_replicas } => {
                let packing = packed(gpus);
                let here = (per_replica * speed).called(|| name("Requests of a replica", "requests a second"));
                Self {
                    packing,
                    productive: (gpus * success / (here * Num::whole(3600)))
                        .called(|| name("Productive GPU-hours of a request", "GPU-hours")),
                    kind: InEnvironment::Service {
                        per_replica: here,
                        min_replicas,
                        occupied_per_replica: (gpus / packing).called(|| name("Occupied GPUs of a replica", "GPUs")),
                        success_share: success,
                    },
                }
            }
        }
    }

    /// The share of requests that succeed; every served run counts.
    #[must_use]
    pub fn success_share(&self) -> Num {
        match self.kind {
            InEnvironment::Runs { .. } => Num::ONE,
            InEnvironment::Service { success_share, .. } => success_share,
        }
    }
}

/// GPUs of one node or instance; none where a service hides them.
#[must_use]
pub fn gpus_per_node(environment: &Environment) -> Option<u32> {
    match &environment.supply {
        Supply::Dedicated(dedicated) => Some(dedicated.node.gpus),
        Supply::BareMetal(rented) => Some(rented.node.gpus),
        Supply::Cloud(cloud) => Some(cloud.instance.gpus),
        Supply::GpuService(_) => None,
    }
}

/// The share of a node that whole runs or replicas of `gpus` can use (method, §4).
#[must_use]
pub fn packing(gpus: Num, gpus_per_node: Option<u32>) -> Num {
    let Some(gpus_per_node) = gpus_per_node else { return Num::ONE };
    let node = Num::count(gpus_per_node);
    if gpus < Num::ONE {
        (Num::ONE / gpus).floor_units() * gpus
    } else if gpus <= node {
        (node / gpus).floor_units() * gpus / node
    } else {
        gpus / ((gpus / node).ceil_units() * node)
    }
}

/// Hours of the week in which every class has the same weight, for the classes of one placement.
pub struct Level {
    /// How many of the 168 hours.
    pub hours: Num,
    /// 168 times the stated weight of each class, in the order of the assignments; see [`LoadLevels::weight_sums`].
    pub weights: Vec<Num>,
}

/// The load levels of one placement.
pub struct LoadLevels {
    pub levels: Vec<Level>,
    /// The sum of the stated weights of each class over the week: a weight of a level divided by it has mean 1. They are
    /// kept apart so that the division comes last and short numbers stay short.
    pub weight_sums: Vec<Num>,
}

/// Groups the hours of the week into load levels (method, §4).
#[must_use]
pub fn load_levels(classes: &[&ClassDemand]) -> LoadLevels {
    let shapes: Vec<&WeekShape> = classes.iter().map(|class| &class.shape).collect();
    // Only what changes over the week tells its hours apart.
    let changing: Vec<&WeekShape> = shapes.iter().copied().filter(|shape| shape.of_hour.is_some()).collect();
    // The first hour of each level, and how many it has.
    let mut levels: Vec<(usize, i64)> = Vec::new();
    for hour in 0..HOURS_PER_WEEK as usize {
        let is_here = |first: usize| changing.iter().all(|shape| shape.step(first) == shape.step(hour));
        match levels.iter_mut().find(|(first, _)| is_here(*first)) {
            Some((_, hours)) => *hours += 1,
            None => levels.push((hour, 1)),
        }
    }
    let level = |(first, hours): (usize, i64)| Level {
        hours: Num::whole(hours),
        weights: shapes.iter().map(|shape| shape.steps[shape.step(first)]).collect(),
    };
    LoadLevels {
        levels: levels.into_iter().map(level).collect(),
        weight_sums: shapes.iter().map(|shape| shape.sum).collect(),
    }
}

/// The distinct weights of a week times 168, the sum of the weights, and which one each hour has.
struct WeekShape {
    steps: Vec<Num>,
    sum: Num,
    of_hour: Option<Vec<usize>>,
}

impl WeekShape {
    fn new(shape: &Shape, is_deferrable: bool) -> Self {
        match shape {
            Shape::BusinessHours if !is_deferrable => {
                const WEIGHTS: [i64; 2] = [1, 4];
                let of_hour: Vec<usize> = (0..HOURS_PER_WEEK).map(|hour| usize::from(is_business_hour(hour))).collect();
                let sum = of_hour.iter().map(|step| WEIGHTS[*step]).sum();
                let steps = WEIGHTS.map(|weight| Num::whole(weight * HOURS_PER_WEEK)).to_vec();
                Self { steps, sum: Num::whole(sum), of_hour: Some(of_hour) }
            }
            Shape::Weekly(weights) if !is_deferrable => {
                Self::of_weights(weights.iter().map(|weight| weight.num()).collect())
            }
            // What can be deferred has no hours.
            Shape::Flat | Shape::BusinessHours | Shape::Weekly(_) => {
                Self { steps: vec![Num::ONE], sum: Num::ONE, of_hour: None }
            }
        }
    }

    fn of_weights(weights: Vec<Num>) -> Self {
        let sum: Num = weights.iter().copied().sum();
        let mut distinct: Vec<Num> = Vec::new();
        let of_hour = weights
            .iter()
            .map(|weight| {
                distinct.iter().position(|known| known == weight).unwrap_or_else(|| {
                    distinct.push(*weight);
                    distinct.len() - 1
                })
            })
            .collect();
        let hours = Num::whole(HOURS_PER_WEEK);
        Self { steps: distinct.into_iter().map(|weight| weight * hours).collect(), sum, of_hour: Some(of_hour) }
    }

    fn step(&self, hour: usize) -> usize {
        self.of_hour.as_ref().map_or(0, |steps| steps[hour])
    }
}

/// Monday to Friday, 09:00–19:00.
fn is_business_hour(hour: i64) -> bool {
    let (day, hour) = (hour / 24, hour % 24);
    day < 5 && (9..19).contains(&hour)
}
