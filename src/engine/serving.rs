//! Who is served where, month by month, in one placement: own environment, burst, interim, and what stays unmet (method, §5).
//!
//! Nothing here knows what anything costs.

use std::cell::OnceCell;

use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{Assignment, Cloud, Environment, Placement, Supply};

use super::capacity::{MonthNeed, Sized};
use super::demand::{
    ClassDemand, ClassInEnvironment, DemandKind, InEnvironment, LoadLevels, gpus_per_node, load_levels,
};
use super::time::{HOURS_PER_MONTH, HOURS_PER_WEEK};
use super::{CapacityWaterfall, Failure};

/// One placement with everything it serves and leaves unmet.
pub struct Served<'a> {
    pub placement: &'a Placement,
    /// In the order of the assignments.
    pub classes: Vec<ServedClass<'a>>,
    /// In the order in which the assignments first name them.
    pub sites: Vec<Site<'a>>,
}

/// One class in one placement.
pub struct ServedClass<'a> {
    pub demand: &'a ClassDemand<'a>,
    pub assignment: &'a Assignment,
    pub own: usize,
    pub burst: Option<usize>,
    pub interim: Option<usize>,
    /// Runs or requests served over the horizon, wherever.
    pub served: Num,
    /// Active months in the lead time of its environment without interim service.
    pub delayed_months: Num,
}

impl ServedClass<'_> {
    /// The share of the demand that nobody serves.
    #[must_use]
    pub fn unmet_share(&self) -> Num {
        let demanded = self.demand.demanded;
        if demanded.is_zero() {
            return Num::ZERO;
        }
        (Num::ONE - self.served / demanded).snapped_share()
    }
}

/// One environment in one placement, and what serving comes to there.
pub struct Site<'a> {
    pub environment: &'a Environment,
    /// First month of service, and the month in which it has ended.
    pub service: (u32, u32),
    /// Its lead time, the reason for its first month.
    pub since: Num,
    /// The lead times that it bridges, the reason for its last month; 0 where it serves to the horizon.
    pub until: Num,
    /// What a class takes here, by class; none for a class that is never here.
    pub factors: Vec<Option<ClassInEnvironment>>,
    /// What each class of the placement uses here, month by month; empty for a class that is never here.
    pub usage: Vec<Vec<MonthUse>>,
    /// Data stored here by each class, month by month; empty for a class that stores nothing here.
    pub stored_gb: Vec<Vec<Num>>,
    /// Nodes in service by month of the horizon, without spares; empty for elastic environments.
    pub nodes: Vec<Num>,
    pub spares: Num,
    /// GPUs of those nodes beside maintenance and failures, by month of the horizon; empty for elastic environments.
    pub available_gpus: Vec<Num>,
    /// Instance-hours by month of the horizon; empty but for a cloud.
    pub instance_hours: Vec<InstanceHours>,
    /// What the classes need that are at home here, by month of service; empty for elastic environments.
    pub needs: Vec<MonthNeed>,
    /// See [`Site::allocated_in`]; several lines ask for it.
    allocated: Vec<Num>,
    /// See [`Site::all_stored`]; several lines ask for it.
    all_stored: Vec<Num>,
    /// See [`Site::occupied_by`] and [`Site::units_of`], by class; added up when they are first asked for.
    occupied_by: Vec<OnceCell<Num>>,
    units_of: Vec<OnceCell<Num>>,
    /// See [`Site::data_out`], by class.
    data_out: Vec<OnceCell<Vec<Num>>>,
    /// See [`Site::core_hours`], by class.
    core_hours: Vec<OnceCell<Vec<Num>>>,
}

/// Adds what each month has to its sum.
pub fn add_months(sums: &mut [Num], months: impl Iterator<Item = Num>) {
    for (sum, of_month) in sums.iter_mut().zip(months) {
        *sum += of_month;
    }
}

/// What one class uses in one environment in one month.
#[derive(Clone, Copy)]
pub struct MonthUse {
    /// Runs or requests served here.
    pub units: Num,
    /// Runs or requests that leave here for the burst environment.
    pub bursting: Num,
    /// Occupied GPU-hours.
    pub occupied: Num,
}

impl MonthUse {
    const NONE: Self = Self { units: Num::ZERO, bursting: Num::ZERO, occupied: Num::ZERO };
}

/// How the instance-hours of a cloud month are paid (method, §7).
#[derive(Clone, Copy)]
pub struct InstanceHours {
    /// Covered by the commitment.
    pub covered: Num,
    pub on_demand: Num,
    /// On spot, rework included.
    pub spot: Num,
}

impl Site<'_> {
    #[must_use]
    pub fn in_service(&self, month: u32) -> bool {
        self.service.0 <= month && month < self.service.1
    }

    /// The last month of service; none where it never serves.
    #[must_use]
    pub fn last_month(&self) -> Option<u32> {
        if self.service.0 < self.service.1 { Some(self.service.1 - 1) } else { None }
    }

    /// Nodes with spares in a month.
    #[must_use]
    pub fn nodes_with_spares(&self, month: u32) -> Num {
        match self.nodes.get(month as usize) {
            Some(nodes) if self.in_service(month) => *nodes + self.spares,
            _ => Num::ZERO,
        }
    }

    /// Whether nodes are bought or rented for it ahead of demand.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        !self.environment.supply.is_elastic()
    }

    /// Whether a class uses anything here.
    #[must_use]
    pub fn serves(&self, class: usize) -> bool {
        !self.usage[class].is_empty()
    }

    /// Runs or requests of a class served here in a month.
    #[must_use]
    #[inline]
    pub fn units(&self, class: usize, month: u32) -> Num {
        self.usage[class].get(month as usize).map_or(Num::ZERO, |used| used.units)
    }

    /// GPU-hours that a class occupies here in a month.
    #[must_use]
    #[inline]
    pub fn occupied(&self, class: usize, month: u32) -> Num {
        self.usage[class].get(month as usize).map_or(Num::ZERO, |used| used.occupied)
    }

    /// Allocated GPU-hours of a class for so many occupied ones.
    #[must_use]
    pub fn allocated(&self, class: usize, occupied: Num) -> Num {
        match &self.factors[class] {
            Some(factors) if !factors.packing.is_one() => occupied * factors.packing,
            _ => occupied,
        }
    }

    /// GPU-hours allocated to all classes in a month.
    #[must_use]
    pub fn allocated_in(&self, month: u32) -> Num {
        self.allocated.get(month as usize).copied().unwrap_or(Num::ZERO)
    }

    /// GPU-hours that a class occupies over the horizon.
    #[must_use]
    pub fn occupied_by(&self, class: usize) -> Num {
        *self.occupied_by[class].get_or_init(|| self.usage[class].iter().map(|used| used.occupied).sum())
    }

    /// Runs or requests of a class served here over the horizon.
    #[must_use]
    pub fn units_of(&self, class: usize) -> Num {
        *self.units_of[class].get_or_init(|| self.usage[class].iter().map(|used| used.units).sum())
    }

    /// GB that a class sends out of here, month by month: output of what is served here, and input of what bursts away.
    #[must_use]
    pub fn data_out(&self, class: usize, demand: &ClassDemand) -> &[Num] {
        self.data_out[class].get_or_init(|| {
            let data = &demand.workload.data;
            let (egress, ingest) = (data.egress_gb_per_run.num(), data.ingest_gb_per_run.num());
            let in_month = |used: &MonthUse| {
                let mut out = Num::ZERO;
                if !used.units.is_nothing() && !egress.is_nothing() {
                    out += used.units * egress;
                }
                if !used.bursting.is_nothing() && !ingest.is_nothing() {
                    out += used.bursting * ingest;
                }
                out
            };
            self.usage[class].iter().map(in_month).collect()
        })
    }

    /// CPU core-hours of a class, month by month; empty for one that asks for none.
    pub fn core_hours(&self, class: usize, demand: &ClassDemand) -> &[Num] {
        self.core_hours[class].get_or_init(|| match demand.core_hours_per_run() {
            per_run if per_run.is_nothing() => Vec::new(),
            per_run => self.usage[class].iter().map(|used| used.units * per_run).collect(),
        })
    }

    /// Productive GPU-hours of a class over the horizon.
    #[must_use]
    pub fn productive_by(&self, class: usize) -> Num {
        let Some(factors) = self.factors[class].as_ref().filter(|_| self.serves(class)) else { return Num::ZERO };
        self.units_of(class) * factors.productive
    }

    /// What a class stores here in a month.
    #[must_use]
    pub fn stored(&self, class: usize, month: u32) -> Num {
        self.stored_gb[class].get(month as usize).copied().unwrap_or(Num::ZERO)
    }

    /// What all classes store here in a month.
    #[must_use]
    pub fn all_stored(&self, month: u32) -> Num {
        self.all_stored.get(month as usize).copied().unwrap_or(Num::ZERO)
    }

    /// Adds up over the classes what each month allocates and stores.
    fn sum_up(&mut self, horizon: u32) {
        let mut allocated = vec![Num::ZERO; horizon as usize];
        for class in 0..self.usage.len() {
            add_months(&mut allocated, self.usage[class].iter().map(|used| self.allocated(class, used.occupied)));
        }
        let mut all_stored = vec![Num::ZERO; horizon as usize];
        for months in &self.stored_gb {
            add_months(&mut all_stored, months.iter().copied());
        }
        (self.allocated, self.all_stored) = (allocated, all_stored);
    }

    fn use_mut(&mut self, class: usize, month: u32, horizon: u32) -> &mut MonthUse {
        let months = &mut self.usage[class];
        if months.is_empty() {
            months.resize(horizon as usize, MonthUse::NONE);
        }
        &mut months[month as usize]
    }

    /// How its nodes come about; none for an elastic environment, or without a month of service.
    #[must_use]
    pub fn waterfall(&self) -> Option<CapacityWaterfall> {
        let sized = self.sized()?;
        let in_service = &self.nodes[self.service.0 as usize..self.service.1 as usize];
        // In service they are there for reasons that the steps to them do not have.
        match in_service.iter().any(|nodes| nodes.is_traced()) {
            true => sized.waterfall(self.service.0, &self.needs, &sized.nodes(&self.needs)),
            false => sized.waterfall(self.service.0, &self.needs, in_service),
        }
    }

    /// The stated sizes, where it is fixed.
    #[must_use]
    pub fn sized(&self) -> Option<Sized<'_>> {
        let (sizing, phasing, gpus_per_node) = match &self.environment.supply {
            Supply::Dedicated(dedicated) => (&dedicated.sizing, dedicated.phasing, dedicated.node.gpus),
            Supply::BareMetal(rented) => (&rented.sizing, rented.phasing, rented.node.gpus),
            Supply::Cloud(_) | Supply::GpuService(_) => return None,
        };
        let Environment { id, capacity, .. } = self.environment;
        Some(Sized { environment: id, capacity, sizing, phasing, gpus_per_node })
    }
}

/// Serves the demand of every class of a placement.
///
/// # Errors
/// Where a count of nodes is too large to compute with.
pub fn serve<'a>(
    placement: &'a Placement,
    environments: &'a [Environment],
    demand: &'a [ClassDemand<'a>],
    horizon: u32,
) -> Result<Served<'a>, Failure> {
    let mut served = placed(placement, environments, demand, horizon);
    let demands: Vec<&ClassDemand> = served.classes.iter().map(|class| class.demand).collect();
    let levels = load_levels(&demands);
    let hourly = gpus_by_hour(&served, &levels, horizon);
    let waiting = hours_that_can_wait(&served);
    for site in 0..served.sites.len() {
        size(&mut served, site, &levels, &hourly, &waiting, horizon)?;
    }
    let mut server = MonthServer::new(&served, &levels, &hourly, &waiting, horizon);
    for month in 0..horizon {
        server.serve(&mut served, month);
    }
    store_data(&mut served, horizon);
    served.sites.iter_mut().for_each(|site| site.sum_up(horizon));
    Ok(served)
}

fn placed<'a>(
    placement: &'a Placement,
    environments: &'a [Environment],
    demand: &'a [ClassDemand<'a>],
    horizon: u32,
) -> Served<'a> {
    let mut sites: Vec<Site<'a>> = Vec::new();
    let mut site_of = |id: &str| -> Option<usize> {
        if let Some(place) = sites.iter().position(|site| site.environment.id == id) {
            return Some(place);
        }
        let environment = environments.iter().find(|environment| environment.id == id)?;
        let lead_time = environment.lead_time_months.count();
        let classes = placement.assignments.len();
        sites.push(Site {
            environment,
            service: (lead_time.min(horizon), horizon),
            since: environment.lead_time_months.num(),
            until: Num::ZERO,
            factors: vec![None; classes],
            usage: vec![Vec::new(); classes],
            stored_gb: vec![Vec::new(); classes],
            nodes: Vec::new(),
            spares: Num::ZERO,
            available_gpus: Vec::new(),
            instance_hours: Vec::new(),
            needs: Vec::new(),
            allocated: Vec::new(),
            all_stored: Vec::new(),
            occupied_by: vec![OnceCell::new(); classes],
            units_of: vec![OnceCell::new(); classes],
            data_out: vec![OnceCell::new(); classes],
            core_hours: vec![OnceCell::new(); classes],
        });
        Some(sites.len() - 1)
    };
    let mut classes = Vec::with_capacity(placement.assignments.len());
    for assignment in &placement.assignments {
        let class = demand.iter().find(|class| class.workload.id == assignment.workload);
        let own = site_of(&assignment.environment);
        let burst = assignment.burst.as_deref().and_then(&mut site_of);
        let interim = assignment.interim.as_deref().and_then(&mut site_of);
        // Validation has refused assignments of unknown classes or environments.
        let (Some(demand), Some(own)) = (class, own) else { continue };
        let (served, delayed_months) = (Num::ZERO, Num::ZERO);
        classes.push(ServedClass { demand, assignment, own, burst, interim, served, delayed_months });
    }
    for (place, class) in classes.iter().enumerate() {
        for site in [Some(class.own), class.burst, class.interim].into_iter().flatten() {
            let environment = sites[site].environment;
            sites[site].factors[place].get_or_insert_with(|| ClassInEnvironment::new(class.demand, environment));
        }
    }
    let mut served = Served { placement, classes, sites };
    end_interim_service(&mut served);
    served
}

/// An environment that is named only as interim serves to the end of the last lead time that it bridges.
fn end_interim_service(served: &mut Served) {
    for place in 0..served.sites.len() {
        let is_more = served.classes.iter().any(|class| class.own == place || class.burst == Some(place));
        if is_more {
            continue;
        }
        let bridged = served.classes.iter().filter(|class| class.interim == Some(place));
        let own = bridged.map(|class| &served.sites[class.own]);
        let (end, until) = own.fold((0, Num::ZERO), |(end, until), own| (own.service.0.max(end), own.since.max(until)));
        let site = &mut served.sites[place];
        site.service.1 = end.max(site.service.0);
        site.until = until;
    }
}

/// GPUs that a class which cannot wait needs in its fixed environment, by class; month by month, level by level.
pub(super) type GpusByHour = Vec<Vec<Num>>;

pub(super) fn gpus_by_hour(served: &Served, levels: &LoadLevels, horizon: u32) -> GpusByHour {
    let of_class = |(place, class): (usize, &ServedClass)| {
        let site = &served.sites[class.own];
        let (Some(factors), true) = (&site.factors[place], site.is_fixed() && !class.demand.is_deferrable()) else {
            return Vec::new();
        };
        let mut gpus = Vec::with_capacity(horizon as usize * levels.levels.len());
        let mut known: Option<(Num, usize)> = None;
        for month in 0..horizon {
            let volume = class.demand.volume[month as usize];
            let is_active = class.demand.is_active(month);
            // Months that ask for the same need the same.
            match known {
                Some((same, start)) if is_active && !volume.is_traced() && same == volume => {
                    gpus.extend_from_within(start..start + levels.levels.len());
                }
                _ => {
                    known = is_active.then_some((volume, gpus.len()));
                    match is_active {
                        true => gpus.extend(gpus_by_level(factors, volume, place, levels)),
                        false => gpus.resize(gpus.len() + levels.levels.len(), Num::ZERO),
                    }
                }
            }
        }
        gpus
    };
    served.classes.iter().enumerate().map(of_class).collect()
}

/// GPU-hours that a class which can wait occupies in its fixed environment, by class and month; empty for any other class.
type WaitingHours = Vec<Vec<Num>>;

fn hours_that_can_wait(served: &Served) -> WaitingHours {
    let of_class = |(place, class): (usize, &ServedClass)| {
        let site = &served.sites[class.own];
        let (Some(factors), true) = (&site.factors[place], site.is_fixed() && class.demand.is_deferrable()) else {
            return Vec::new();
        };
        let asked = |(month, volume): (usize, &Num)| {
            let month = month as u32;
            let is_asked = class.demand.is_active(month) && site.in_service(month);
            if is_asked { occupied_by_runs(factors, *volume) } else { Num::ZERO }
        };
        class.demand.volume.iter().enumerate().map(asked).collect()
    };
    served.classes.iter().enumerate().map(of_class).collect()
}

/// Sizes a fixed site for the classes whose own environment it is, over its months of service.
fn size(
    served: &mut Served,
    place: usize,
    levels: &LoadLevels,
    hourly: &GpusByHour,
    waiting: &WaitingHours,
    horizon: u32,
) -> Result<(), Failure> {
    let site = &served.sites[place];
    let Some(sized) = site.sized() else { return Ok(()) };
    let (first, end) = site.service;
    let own: Vec<(usize, &ServedClass, Num)> = served
        .classes
        .iter()
        .enumerate()
        .filter(|(_, class)| class.own == place)
        .map(|(index, class)| (index, class, class.demand.gang_nodes(sized.gpus_per_node)))
        .collect();
    let count = levels.levels.len();
    let mut by_level = vec![Num::ZERO; count];
    let need_of = |month: u32| {
        by_level.fill(Num::ZERO);
        let mut need = MonthNeed { deferrable_hours: Num::ZERO, peak_gpus: Num::ZERO, gang_nodes: Num::ZERO };
        for (index, class, gang_nodes) in own.iter().filter(|(_, class, _)| class.demand.is_active(month)) {
            if !gang_nodes.is_nothing() {
                let known = Some(need.gang_nodes).filter(|known| !known.is_nothing());
                need.gang_nodes = known.map_or(*gang_nodes, |known| known.max(*gang_nodes));
            }
            if class.demand.is_deferrable() {
                need.deferrable_hours += waiting[*index][month as usize];
                continue;
            }
            let start = month as usize * count;
            for (sum, gpus) in by_level.iter_mut().zip(&hourly[*index][start..start + count]) {
                *sum += *gpus;
            }
        }
        let name = |label, unit| Name::new(label, unit, &site.environment.id).in_month(month);
        need.deferrable_hours = need.deferrable_hours.called(|| name("Occupied GPU-hours that can wait", "GPU-hours"));
        need.gang_nodes = need.gang_nodes.called(|| name("Nodes for runs that start together", "nodes"));
        need.peak_gpus =
            by_level.iter().copied().filter(|gpus| !gpus.is_nothing()).reduce(Num::max).unwrap_or(Num::ZERO);
        need.peak_gpus = need.peak_gpus.called(|| name("GPUs at the peak hour", "GPUs"));
        need
    };
    let needs: Vec<MonthNeed> = (first..end).map(need_of).collect();
    let in_service = sized.nodes(&needs);
    if in_service.iter().any(|nodes| !(Num::ZERO <= *nodes && *nodes <= Num::count(NODES_MAX))) {
        return Err(Failure {
            path: format!("environments.{}.supply.sizing", site.environment.id),
            message: format!(
                "the demand assigned needs more than {NODES_MAX} nodes, which cannot be computed with; check the demand and the GPUs per node"
            ),
        });
    }
    let spares = if first < end { sized.capacity.spare_nodes.num().because(site.since) } else { Num::ZERO };
    let mut nodes = vec![Num::ZERO; horizon as usize];
    for ((month, nodes), in_service) in (first..).zip(&mut nodes[first as usize..]).zip(in_service) {
        let name = || Name::new("Nodes in service", "nodes", &site.environment.id).in_month(month);
        *nodes = in_service.because(site.since).called(name);
    }
    let available_gpus = available_by_month(&sized, &nodes, (first, end));
    let site = &mut served.sites[place];
    site.nodes = nodes;
    site.spares = spares;
    site.available_gpus = available_gpus;
    site.needs = needs;
    Ok(())
}

/// GPUs that stay available, month by month. Months with the same nodes have the same.
fn available_by_month(sized: &Sized, nodes: &[Num], (first, end): (u32, u32)) -> Vec<Num> {
    let mut by_month = vec![Num::ZERO; nodes.len()];
    let mut before: Option<(Num, Num)> = None;
    for month in first as usize..end as usize {
        let known = before.filter(|(same, _)| !nodes[month].is_traced() && *same == nodes[month]);
        let available = known.map_or_else(|| sized.available_gpus(nodes[month]), |(_, available)| available);
        by_month[month] = available;
        before = Some((nodes[month], available));
    }
    by_month
}

/// Node counts beyond this are a slip of the pen, and would not fit a report.
const NODES_MAX: u32 = 100_000_000;

pub(super) fn occupied_by_runs(factors: &ClassInEnvironment, runs: Num) -> Num {
    match factors.kind {
        InEnvironment::Runs { occupied } => runs * occupied,
        InEnvironment::Service { .. } => Num::ZERO,
    }
}

/// GPUs that a class needs in the hours of each level, when it cannot wait.
fn gpus_by_level(factors: &ClassInEnvironment, volume: Num, class: usize, levels: &LoadLevels) -> Vec<Num> {
    let weight_sum = levels.weight_sums[class];
    let weights = levels.levels.iter().map(|level| level.weights[class]);
    match factors.kind {
        InEnvironment::Runs { occupied } => {
            let (occupied, hours) = (volume * occupied, weight_sum * Num::whole(HOURS_PER_MONTH));
            weights.map(|weight| occupied * weight / hours).collect()
        }
        InEnvironment::Service { per_replica, min_replicas, occupied_per_replica, .. } => {
            let per_replica = weight_sum * per_replica;
            weights
                .map(|weight| replicas(volume * weight, per_replica).max(min_replicas) * occupied_per_replica)
                .collect()
        }
    }
}

fn replicas(requests_per_second: Num, per_replica: Num) -> Num {
    (requests_per_second / per_replica).ceil_units()
}

/// Demand of one class that an elastic site takes over, in one month.
enum Load {
    /// All of it.
    Whole,
    /// Runs left over; by level where they cannot wait, as what did not fit.
    RunsLeft { runs: Num, profile: Option<Vec<Num>> },
    /// Requests a second left over by level, times the weight sum of the class, and the mean left over.
    RequestsLeft { by_level: Vec<Num>, volume: Num },
}

/// Serves one month after the other.
struct MonthServer<'a> {
    levels: &'a LoadLevels,
    hourly: &'a GpusByHour,
    waiting: &'a WaitingHours,
    horizon: u32,
    /// By site: what can be scheduled productively of an hour that is free.
    schedulable: Vec<Num>,
    /// What is left in the month, by site; see [`Left`].
    left: Vec<Left>,
    /// What the classes ask of each cloud in the month, by site.
    clouds: Vec<CloudLoad>,
    /// By class, what it took when a service was last served whole: months that ask for the same take the same.
    whole: Vec<Option<WholeService>>,
}

/// What it takes to serve all that is asked of a service in one month.
struct WholeService {
    /// The site, its fixed environment if that is not elastic.
    place: usize,
    volume: Num,
    /// Whole instances by level with what is billed on top; empty but on a cloud.
    instances: Vec<Num>,
    /// Occupied GPU-hours.
    occupied: Num,
}

impl WholeService {
    fn is_same(&self, place: usize, volume: Num) -> bool {
        self.place == place && self.volume.is_same_constant(volume) && !self.occupied.is_traced()
    }
}

/// What a fixed site has left in one month.
struct Left {
    /// GPUs by level.
    by_level: Vec<Num>,
    /// GPU-hours for what can wait.
    hours: Num,
}

/// Instance demand on a cloud in one month.
struct CloudLoad {
    /// Instances by level of what can neither wait nor be interrupted.
    firm: Vec<Num>,
    /// Instances by level of what cannot wait but can be interrupted.
    interruptible: Vec<Num>,
    /// Instance-hours of what can wait, but not be interrupted.
    deferrable_firm: Num,
    /// Instance-hours of what can wait and be interrupted.
    deferrable_interruptible: Num,
}

impl<'a> MonthServer<'a> {
    fn new(
        served: &Served,
        levels: &'a LoadLevels,
        hourly: &'a GpusByHour,
        waiting: &'a WaitingHours,
        horizon: u32,
    ) -> Self {
        let count = levels.levels.len();
        let share = |site: &Site| match site.sized() {
            Some(sized) => {
                let window = sized.capacity.window_hours_per_week.num();
                window * sized.capacity.schedulable_utilisation.num() / Num::whole(HOURS_PER_WEEK)
            }
            None => Num::ZERO,
        };
        let nothing = |_| Left { by_level: vec![Num::ZERO; count], hours: Num::ZERO };
        let no_load = |_| CloudLoad {
            firm: vec![Num::ZERO; count],
            interruptible: vec![Num::ZERO; count],
            deferrable_firm: Num::ZERO,
            deferrable_interruptible: Num::ZERO,
        };
        Self {
            levels,
            hourly,
            waiting,
            horizon,
            schedulable: served.sites.iter().map(share).collect(),
            left: (0..served.sites.len()).map(nothing).collect(),
            clouds: (0..served.sites.len()).map(no_load).collect(),
            whole: served.classes.iter().map(|_| None).collect(),
        }
    }

    fn serve(&mut self, served: &mut Served, month: u32) {
        self.start_month(served, month);
        for class in 0..served.classes.len() {
            if !served.classes[class].demand.is_deferrable() {
                self.serve_now(served, class, month);
            }
        }
        // What can wait shares what is left of the schedulable hours.
        for place in 0..served.sites.len() {
            if served.sites[place].is_fixed() {
                let free = self.over_month(&self.left[place].by_level);
                let hours = free * self.schedulable[place];
                self.left[place].hours = hours.called(|| hours_left(served, place, month));
            }
        }
        for class in 0..served.classes.len() {
            if served.classes[class].demand.is_deferrable() {
                self.serve_within_month(served, class, month);
            }
        }
        for place in 0..served.sites.len() {
            if let Supply::Cloud(cloud) = &served.sites[place].environment.supply {
                let hours = self.instance_hours(&served.sites[place], cloud, &self.clouds[place], month);
                let site = &mut served.sites[place];
                let environment = site.environment;
                let name = |label| Name::new(label, "instance-hours", &environment.id).in_month(month);
                site.instance_hours.push(InstanceHours {
                    covered: hours.covered.called(|| name("Instance-hours covered by the commitment")),
                    on_demand: hours.on_demand.called(|| name("Instance-hours on demand")),
                    spot: hours.spot.called(|| name("Instance-hours on spot, rework included")),
                });
            }
        }
    }

    fn start_month(&mut self, served: &Served, month: u32) {
        for ((site, left), cloud) in served.sites.iter().zip(&mut self.left).zip(&mut self.clouds) {
            if site.is_fixed() {
                left.by_level.fill(site.available_gpus[month as usize]);
            } else {
                cloud.firm.fill(Num::ZERO);
                cloud.interruptible.fill(Num::ZERO);
                cloud.deferrable_firm = Num::ZERO;
                cloud.deferrable_interruptible = Num::ZERO;
            }
        }
    }

    /// Sums over the hours of a month from values by level: Σ hours · value · 730/168.
    fn over_month(&self, by_level: &[Num]) -> Num {
        if let [all] = by_level {
            return *all * Num::whole(HOURS_PER_MONTH);
        }
        let sum: Num = self.levels.levels.iter().zip(by_level).map(|(level, value)| level.hours * *value).sum();
        sum * Num::whole(HOURS_PER_MONTH) / Num::whole(HOURS_PER_WEEK)
    }

    /// Sends a class to its elastic or interim environment where that is where it runs; says whether it did.
    fn serve_elsewhere(&mut self, served: &mut Served, class: usize, month: u32) -> bool {
        let placed = &served.classes[class];
        if served.sites[placed.own].in_service(month) {
            if served.sites[placed.own].is_fixed() {
                return false;
            }
            self.serve_elastic(served, class, placed.own, month, Load::Whole);
            return true;
        }
        match placed.interim.filter(|interim| served.sites[*interim].in_service(month)) {
            Some(interim) => self.serve_elastic(served, class, interim, month, Load::Whole),
            None => {
                let because = served.sites[placed.own].since;
                served.classes[class].delayed_months += Num::ONE.because(because);
            }
        }
        true
    }

    /// Serves a class that cannot wait, hour by hour.
    fn serve_now(&mut self, served: &mut Served, class: usize, month: u32) {
        let demand = served.classes[class].demand;
        if !demand.is_active(month) || self.serve_elsewhere(served, class, month) {
            return;
        }
        let own = served.classes[class].own;
        let Some(factors) = served.sites[own].factors[class] else { return };
        let volume = demand.volume[month as usize];
        let count = self.levels.levels.len();
        let hourly = self.hourly;
        let needed = &hourly[class][month as usize * count..(month as usize + 1) * count];
        let left = &mut self.left[own].by_level;
        // What decides whether all of it fits, where that is asked for.
        let fits = match volume.is_traced() {
            true => needed.iter().zip(left.iter()).map(|(needed, left)| needed.min(*left)).sum(),
            false => Num::ZERO,
        };
        // Whether all of it fits is left open where it may come out otherwise for other inputs.
        let is_open = volume.is_open() || needed.iter().chain(left.iter()).any(|gpus| gpus.is_open());
        if !is_open && needed.iter().zip(left.iter()).all(|(needed, left)| needed <= left) {
            let name = || gpus_name("GPUs left in an hour", served, own, month);
            left.iter_mut().zip(needed).for_each(|(left, needed)| *left = (*left - *needed).called(name));
            let occupied = match factors.kind {
                InEnvironment::Runs { occupied } => volume * occupied,
                InEnvironment::Service { .. } => self.whole_in_fixed(class, own, volume, needed),
            };
            self.record(served, class, own, month, demand.units(volume).because(fits), occupied.because(fits));
            if fits.is_traced() {
                let nothing = Num::ZERO.because(fits);
                let load = match factors.kind {
                    InEnvironment::Runs { .. } => Load::RunsLeft { runs: nothing, profile: None },
                    InEnvironment::Service { .. } => {
                        Load::RequestsLeft { by_level: vec![nothing; count], volume: nothing }
                    }
                };
                self.burst(served, class, month, load);
            }
            return;
        }
        let fits_name = || gpus_name("GPUs in an hour that fit", served, own, month);
        let here: Vec<Num> =
            needed.iter().zip(left.iter()).map(|(needed, left)| needed.min(*left).called(fits_name)).collect();
        let name = || gpus_name("GPUs left in an hour", served, own, month);
        left.iter_mut().zip(&here).for_each(|(left, here)| *left = (*left - *here).called(name));
        let occupied = self.over_month(&here);
        match factors.kind {
            InEnvironment::Runs { occupied: per_run } => {
                let share = share_served(occupied, volume * per_run);
                let unserved = needed.iter().zip(&here).map(|(needed, here)| *needed - *here).collect();
                let units = demand.units(volume) * share;
                self.record(served, class, own, month, units, occupied);
                if share.is_traced() || !share.is_one() {
                    self.burst(served, class, month, Load::RunsLeft { runs: volume - units, profile: Some(unserved) });
                }
            }
            InEnvironment::Service { .. } => {
                let mut served_weight = Num::ZERO;
                let mut by_level = Vec::with_capacity(count);
                for ((level, needed), here) in self.levels.levels.iter().zip(needed).zip(&here) {
                    let weight = level.weights[class];
                    let share = share_served(*here, *needed);
                    served_weight += level.hours * weight * share;
                    by_level.push(volume * weight * (Num::ONE - share));
                }
                let whole = Num::whole(HOURS_PER_WEEK) * self.levels.weight_sums[class];
                let share = (served_weight / whole).snapped_share();
                self.record(served, class, own, month, demand.units(volume) * share, occupied);
                if share.is_traced() || !share.is_one() {
                    let volume = volume * (Num::ONE - share);
                    self.burst(served, class, month, Load::RequestsLeft { by_level, volume });
                }
            }
        }
    }

    /// GPU-hours of a service that fits its fixed environment whole.
    fn whole_in_fixed(&mut self, class: usize, place: usize, volume: Num, needed: &[Num]) -> Num {
        if let Some(known) = self.whole[class].as_ref().filter(|known| known.is_same(place, volume)) {
            return known.occupied;
        }
        let occupied = self.over_month(needed);
        self.whole[class] = Some(WholeService { place, volume, instances: Vec::new(), occupied });
        occupied
    }

    /// Serves a class of runs that can wait from the hours left in the month.
    fn serve_within_month(&mut self, served: &mut Served, class: usize, month: u32) {
        let demand = served.classes[class].demand;
        if !demand.is_active(month) || self.serve_elsewhere(served, class, month) {
            return;
        }
        let own = served.classes[class].own;
        let runs = demand.volume[month as usize];
        let needed = self.waiting[class][month as usize];
        let left = &mut self.left[own].hours;
        if !needed.is_open() && !left.is_open() && needed <= *left {
            let fits = if needed.is_traced() { needed.min(*left) } else { Num::ZERO };
            *left = (*left - needed).called(|| hours_left(served, own, month));
            self.record(served, class, own, month, runs.because(fits), needed.because(fits));
            if fits.is_traced() {
                self.burst(served, class, month, Load::RunsLeft { runs: Num::ZERO.because(fits), profile: None });
            }
            return;
        }
        let occupied = needed.min(left.max(Num::ZERO));
        *left = (*left - occupied).called(|| hours_left(served, own, month));
        let share = share_served(occupied, needed);
        let units = runs * share;
        self.record(served, class, own, month, units, occupied);
        if share.is_traced() || !share.is_one() {
            self.burst(served, class, month, Load::RunsLeft { runs: runs - units, profile: None });
        }
    }

    /// Sends what did not fit to the burst environment, where there is one in service.
    fn burst(&mut self, served: &mut Served, class: usize, month: u32, load: Load) {
        let (own, burst) = (served.classes[class].own, served.classes[class].burst);
        let Some(burst) = burst.filter(|burst| served.sites[*burst].in_service(month)) else { return };
        let away = match &load {
            Load::Whole => Num::ZERO,
            Load::RunsLeft { runs, .. } => *runs,
            Load::RequestsLeft { volume, .. } => served.classes[class].demand.units(*volume),
        };
        let away = away.because(served.sites[burst].since);
        served.sites[own].use_mut(class, month, self.horizon).bursting = away;
        self.serve_elastic(served, class, burst, month, load);
    }

    fn serve_elastic(&mut self, served: &mut Served, class: usize, place: usize, month: u32, load: Load) {
        let demand = served.classes[class].demand;
        let Some(factors) = served.sites[place].factors[class] else { return };
        // What is served here depends on when this environment, and the class's own, come into service.
        let (own, here) = (served.sites[served.classes[class].own].since, served.sites[place].since);
        let whole = demand.volume[month as usize].because(own).because(here);
        let volume = match &load {
            Load::Whole => whole,
            Load::RunsLeft { runs, .. } => *runs,
            Load::RequestsLeft { volume, .. } => *volume,
        };
        let occupied = match factors.kind {
            InEnvironment::Runs { occupied } => {
                let occupied = volume * occupied;
                self.load_runs(served, class, place, load, occupied);
                occupied
            }
            InEnvironment::Service { per_replica, occupied_per_replica, .. } => {
                let environment = served.sites[place].environment;
                let of_gpus = |server: &Self, gpus: &[Num]| WholeService {
                    place,
                    volume,
                    instances: instances(environment, gpus),
                    occupied: server.over_month(gpus),
                };
                let taken = match &load {
                    Load::RequestsLeft { by_level, .. } => {
                        let per_replica = self.levels.weight_sums[class] * per_replica;
                        let gpus = |requests: &Num| replicas(*requests, per_replica) * occupied_per_replica;
                        of_gpus(self, &by_level.iter().map(gpus).collect::<Vec<_>>())
                    }
                    _ => match self.whole[class].take().filter(|known| known.is_same(place, whole)) {
                        Some(known) => known,
                        None => of_gpus(self, &gpus_by_level(&factors, whole, class, self.levels)),
                    },
                };
                for (sum, instances) in self.clouds[place].firm.iter_mut().zip(&taken.instances) {
                    *sum += *instances;
                }
                let occupied = taken.occupied;
                if matches!(load, Load::Whole) {
                    self.whole[class] = Some(taken);
                }
                occupied
            }
        };
        self.record(served, class, place, month, demand.units(volume), occupied);
    }

    fn record(&self, served: &mut Served, class: usize, place: usize, month: u32, units: Num, occupied: Num) {
        let demand = served.classes[class].demand;
        let since = served.sites[place].since;
        let (units, occupied) = (units.because(since), occupied.because(since));
        let site = &mut served.sites[place];
        let environment = site.environment;
        let name = |label, unit| {
            Name::new(label, unit, &format!("{} in {}", demand.workload.id, environment.id)).in_month(month)
        };
        let used = site.use_mut(class, month, self.horizon);
        let is_first = used.units.is_nothing() && used.occupied.is_nothing();
        if is_first && !units.is_traced() && !occupied.is_traced() {
            (used.units, used.occupied) = (units, occupied);
        } else {
            used.units = (used.units + units).called(|| match is_runs(demand) {
                true => name("Runs served", "runs"),
                false => name("Requests served", "requests"),
            });
            used.occupied = (used.occupied + occupied).called(|| name("Occupied GPU-hours", "GPU-hours"));
        }
        served.classes[class].served += units;
    }

    /// Adds the instance-hours of runs to a cloud.
    fn load_runs(&mut self, served: &Served, class: usize, place: usize, load: Load, occupied: Num) {
        let Supply::Cloud(cloud) = &served.sites[place].environment.supply else { return };
        let demand = served.classes[class].demand;
        let billed = Num::ONE + cloud.billed_overhead_share.num();
        let instance_hours = occupied * billed / Num::count(cloud.instance.gpus);
        let on_cloud = &mut self.clouds[place];
        if demand.is_deferrable() {
            match demand.is_interruptible() {
                true => on_cloud.deferrable_interruptible += instance_hours,
                false => on_cloud.deferrable_firm += instance_hours,
            }
            return;
        }
        let profile: Vec<Num> = match load {
            Load::RunsLeft { profile: Some(profile), .. } => profile,
            _ => self.levels.levels.iter().map(|level| level.weights[class]).collect(),
        };
        let over_profile = self.over_month(&profile);
        let on_cloud = &mut self.clouds[place];
        let by_level = match demand.is_interruptible() {
            true => &mut on_cloud.interruptible,
            false => &mut on_cloud.firm,
        };
        for (sum, part) in by_level.iter_mut().zip(profile) {
            *sum += instance_hours * part / over_profile;
        }
    }

    /// What the commitment covers, and how the rest is bought (method, §7).
    fn instance_hours(&self, site: &Site, cloud: &Cloud, load: &CloudLoad, month: u32) -> InstanceHours {
        let committed = committed_instances(site, cloud, month);
        let (now_firm, now_interruptible) = (self.over_month(&load.firm), self.over_month(&load.interruptible));
        let (mut covered_firm, mut covered_interruptible) = (Num::ZERO, Num::ZERO);
        let mut left = Num::ZERO;
        if committed.is_open() || committed.is_positive() {
            let by_level: Vec<Num> = load.firm.iter().map(|firm| firm.min(committed)).collect();
            covered_firm = self.over_month(&by_level);
            if !now_interruptible.is_nothing() {
                let beside = |(interruptible, firm): (&Num, &Num)| interruptible.min(committed - *firm);
                let by_level: Vec<Num> = load.interruptible.iter().zip(&by_level).map(beside).collect();
                covered_interruptible = self.over_month(&by_level);
            }
            left = committed * Num::whole(HOURS_PER_MONTH) - covered_firm - covered_interruptible;
        }
        let later_firm = load.deferrable_firm.min(left);
        let later_interruptible = load.deferrable_interruptible.min(left - later_firm);
        let firm = now_firm - covered_firm + load.deferrable_firm - later_firm;
        let interruptible =
            now_interruptible - covered_interruptible + load.deferrable_interruptible - later_interruptible;
        let covered = covered_firm + covered_interruptible + later_firm + later_interruptible;
        match &cloud.spot {
            Some(spot) => {
                let on_spot = spot.share.num() * interruptible;
                InstanceHours {
                    covered,
                    on_demand: firm + interruptible - on_spot,
                    spot: on_spot * (Num::ONE + spot.rework_share.num()),
                }
            }
            None => InstanceHours { covered, on_demand: firm + interruptible, spot: Num::ZERO },
        }
    }
}

/// Whole instances of a cloud for the GPUs of a service, with what is billed on top, by level; none where there are no
/// instances.
fn instances(environment: &Environment, gpus: &[Num]) -> Vec<Num> {
    let Supply::Cloud(cloud) = &environment.supply else { return Vec::new() };
    let per_instance = Num::count(cloud.instance.gpus);
    let billed = Num::ONE + cloud.billed_overhead_share.num();
    gpus.iter().map(|gpus| (*gpus / per_instance).ceil_units() * billed).collect()
}

fn hours_left(served: &Served, place: usize, month: u32) -> Name {
    let environment = &served.sites[place].environment.id;
    Name::new("GPU-hours left for what can wait", "GPU-hours", environment).in_month(month)
}

fn gpus_name(label: &'static str, served: &Served, place: usize, month: u32) -> Name {
    Name::new(label, "GPUs", &served.sites[place].environment.id).in_month(month)
}

fn share_served(here: Num, needed: Num) -> Num {
    if needed.is_zero() { Num::ONE } else { (here / needed).snapped_share() }
}

/// Instances committed to in a month.
#[must_use]
pub fn committed_instances(site: &Site, cloud: &Cloud, month: u32) -> Num {
    let Some(commitment) = &cloud.commitment else { return Num::ZERO };
    let in_term = commitment.renew || month - site.service.0.min(month) < commitment.term_months;
    if site.in_service(month) && in_term { commitment.instances.num().because(site.since) } else { Num::ZERO }
}

/// A class's data is stored in its own environment from that environment's service start while the class is active,
/// before that in the interim one, and a share of it in the burst one once both are in service (method, §5).
fn store_data(served: &mut Served, horizon: u32) {
    for (index, class) in served.classes.iter().enumerate() {
        if class.demand.stored_gb.iter().all(|gb| gb.is_nothing()) {
            continue;
        }
        let replica = class.assignment.burst_replica_share.num();
        for month in 0..horizon {
            let gb = class.demand.stored_gb[month as usize];
            if gb.is_nothing() {
                continue;
            }
            let in_service = |place: usize| served.sites[place].in_service(month);
            let gb = gb.because(served.sites[class.own].since);
            let (own, burst) = (in_service(class.own), class.burst.filter(|burst| in_service(*burst)));
            let interim = class.interim.filter(|interim| in_service(*interim));
            let mut store = |place: usize, gb: Num| {
                let Site { since, stored_gb, .. } = &mut served.sites[place];
                let (since, months) = (*since, &mut stored_gb[index]);
                if months.is_empty() {
                    months.resize(horizon as usize, Num::ZERO);
                }
                let gb = if place == class.own { gb } else { gb.because(since) };
                months[month as usize] += gb;
            };
            match (own, interim) {
                (true, interim) => {
                    store(class.own, gb);
                    if let Some(interim) = interim.filter(|_| gb.is_traced()) {
                        // It would be stored there were its own environment not in service yet.
                        store(interim, Num::ZERO.because(gb));
                    }
                    if let Some(burst) = burst.filter(|_| !replica.is_nothing()) {
                        store(burst, gb * replica);
                    }
                }
                (false, Some(interim)) => store(interim, gb),
                (false, None) => {}
            }
        }
    }
}

/// GPUs of a node, for those parts that need a number.
#[must_use]
pub fn node_gpus(site: &Site) -> Num {
    gpus_per_node(site.environment).map_or(Num::ZERO, Num::count)
}

/// Whether a class is of runs.
#[must_use]
pub fn is_runs(class: &ClassDemand) -> bool {
    matches!(class.kind, DemandKind::Runs { .. })
}
