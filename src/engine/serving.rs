//! Who is served where, month by month, in one placement: own environment, burst, interim, and what stays unmet (method, §5).
//!
//! Nothing here knows what anything costs.

use crate::quantity::Num;
use crate::scenario::{Assignment, Cloud, Environment, Placement, Sizing, Supply};

use super::capacity::{MonthNeed, Sized};
use super::demand::{ClassDemand, ClassInEnvironment, DemandKind, InEnvironment, Level, gpus_per_node, load_levels};
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
    /// Runs or requests asked for over the horizon.
    pub demanded: Num,
    /// Runs or requests served over the horizon, wherever.
    pub served: Num,
    /// Active months in the lead time of its environment without interim service.
    pub delayed_months: u32,
}

impl ServedClass<'_> {
    /// The share of the demand that nobody serves.
    #[must_use]
    pub fn unmet_share(&self) -> Num {
        if self.demanded.is_zero() {
            return Num::ZERO;
        }
        (Num::ONE - self.served / self.demanded).snapped_share()
    }
}

/// One environment in one placement.
pub struct Site<'a> {
    pub environment: &'a Environment,
    /// First month of service, and the month in which it has ended.
    pub service: (u32, u32),
    /// What each class of the placement uses here, month by month; empty for a class that is never here.
    pub usage: Vec<Vec<MonthUse>>,
    /// Data stored here by each class, month by month; empty for a class that stores nothing here.
    pub stored_gb: Vec<Vec<Num>>,
    /// Nodes in service by month of the horizon, without spares; empty for elastic environments.
    pub nodes: Vec<u32>,
    pub spares: u32,
    /// Instance-hours by month of the horizon; empty but for a cloud.
    pub instance_hours: Vec<InstanceHours>,
    pub waterfall: Option<CapacityWaterfall>,
}

/// What one class uses in one environment in one month.
#[derive(Clone, Copy)]
pub struct MonthUse {
    /// Runs or requests served here.
    pub units: Num,
    /// Runs or requests that leave here for the burst environment.
    pub bursting: Num,
    pub productive: Num,
    pub allocated: Num,
    pub occupied: Num,
}

impl MonthUse {
    const NONE: Self = Self {
        units: Num::ZERO,
        bursting: Num::ZERO,
        productive: Num::ZERO,
        allocated: Num::ZERO,
        occupied: Num::ZERO,
    };
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
    pub fn nodes_with_spares(&self, month: u32) -> u32 {
        match self.nodes.get(month as usize) {
            Some(nodes) if self.in_service(month) => nodes.saturating_add(self.spares),
            _ => 0,
        }
    }

    /// Whether nodes are bought or rented for it ahead of demand.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        !self.environment.supply.is_elastic()
    }

    /// What a class uses here in a month.
    #[must_use]
    pub fn used(&self, class: usize, month: u32) -> MonthUse {
        self.usage[class].get(month as usize).copied().unwrap_or(MonthUse::NONE)
    }

    /// What a class stores here in a month.
    #[must_use]
    pub fn stored(&self, class: usize, month: u32) -> Num {
        self.stored_gb[class].get(month as usize).copied().unwrap_or(Num::ZERO)
    }

    fn use_mut(&mut self, class: usize, month: u32, horizon: u32) -> &mut MonthUse {
        let months = &mut self.usage[class];
        if months.is_empty() {
            months.resize(horizon as usize, MonthUse::NONE);
        }
        &mut months[month as usize]
    }

    /// The stated sizes, where it is fixed.
    #[must_use]
    pub fn sized(&self) -> Option<Sized<'_>> {
        let (sizing, phasing, gpus_per_node) = match &self.environment.supply {
            Supply::Dedicated(dedicated) => (&dedicated.sizing, dedicated.phasing, dedicated.node.gpus),
            Supply::BareMetal(rented) => (&rented.sizing, rented.phasing, rented.node.gpus),
            Supply::Cloud(_) | Supply::GpuService(_) => return None,
        };
        Some(Sized { capacity: &self.environment.capacity, sizing, phasing, gpus_per_node })
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
    let here = factors_by_site(&served);
    for site in 0..served.sites.len() {
        size(&mut served, site, &levels, &here, horizon)?;
    }
    let mut month_server = MonthServer { levels: &levels, here: &here, horizon, clouds: Vec::new() };
    for month in 0..horizon {
        month_server.serve(&mut served, month);
    }
    store_data(&mut served, horizon);
    Ok(served)
}

/// The factors of each class in each site it can run in, by site and class.
type FactorsBySite = Vec<Vec<Option<ClassInEnvironment>>>;

fn factors_by_site(served: &Served) -> FactorsBySite {
    let at = |place: usize, site: &Site| {
        let class = &served.classes[place];
        let is_here = [Some(class.own), class.burst, class.interim]
            .into_iter()
            .flatten()
            .any(|other| served.sites[other].environment.id == site.environment.id);
        is_here.then(|| ClassInEnvironment::new(class.demand, site.environment))
    };
    served.sites.iter().map(|site| (0..served.classes.len()).map(|place| at(place, site)).collect()).collect()
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
        sites.push(Site {
            environment,
            service: (lead_time.min(horizon), horizon),
            usage: vec![Vec::new(); placement.assignments.len()],
            stored_gb: vec![Vec::new(); placement.assignments.len()],
            nodes: Vec::new(),
            spares: 0,
            instance_hours: Vec::new(),
            waterfall: None,
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
        let demanded = demand.volume.iter().map(|volume| demand.units(*volume)).sum();
        classes.push(ServedClass {
            demand,
            assignment,
            own,
            burst,
            interim,
            demanded,
            served: Num::ZERO,
            delayed_months: 0,
        });
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
        let end = bridged.map(|class| served.sites[class.own].service.0).max().unwrap_or(0);
        let site = &mut served.sites[place];
        site.service.1 = end.max(site.service.0);
    }
}

/// Sizes a fixed site for the classes whose own environment it is, over its months of service.
fn size(
    served: &mut Served,
    place: usize,
    levels: &[Level],
    here: &FactorsBySite,
    horizon: u32,
) -> Result<(), Failure> {
    let site = &served.sites[place];
    let Some(sized) = site.sized() else { return Ok(()) };
    let (first, end) = site.service;
    let mut needs = Vec::with_capacity((end - first) as usize);
    for month in first..end {
        let mut need = MonthNeed { deferrable_hours: Num::ZERO, peak_gpus: Num::ZERO, gang_nodes: 0 };
        let mut by_level = vec![Num::ZERO; levels.len()];
        for (index, class) in served.classes.iter().enumerate() {
            if class.own != place || !class.demand.is_active(month) {
                continue;
            }
            let Some(factors) = &here[place][index] else { continue };
            need.gang_nodes = need.gang_nodes.max(class.demand.gang_nodes(sized.gpus_per_node));
            let volume = class.demand.volume[month as usize];
            if class.demand.is_deferrable() {
                need.deferrable_hours += occupied_by_runs(factors, volume);
                continue;
            }
            for (sum, level) in by_level.iter_mut().zip(levels) {
                *sum += gpus_in_hour(factors, volume, level.weights[index]);
            }
        }
        need.peak_gpus = by_level.into_iter().fold(Num::ZERO, Num::max);
        needs.push(need);
    }
    let in_service = sized.nodes(&needs);
    let waterfall = sized.waterfall(first, &needs, &in_service);
    if in_service.iter().any(|nodes| *nodes > NODES_MAX) {
        let path = match sized.sizing {
            Sizing::ForDemand(_) | Sizing::Nodes(_) => format!("environments.{}.supply.sizing", site.environment.id),
        };
        return Err(Failure {
            path,
            message: format!(
                "the demand assigned needs more than {NODES_MAX} nodes, which cannot be computed with; check the demand and the GPUs per node"
            ),
        });
    }
    let spares = if first < end { sized.capacity.spare_nodes.count() } else { 0 };
    let mut nodes = vec![0; horizon as usize];
    nodes[first as usize..].copy_from_slice(&in_service);
    let site = &mut served.sites[place];
    site.nodes = nodes;
    site.spares = spares;
    site.waterfall = waterfall;
    Ok(())
}

/// Node counts beyond this are a slip of the pen, and would not fit a report.
const NODES_MAX: u32 = 100_000_000;

fn occupied_by_runs(factors: &ClassInEnvironment, runs: Num) -> Num {
    match factors.kind {
        InEnvironment::Runs { occupied, .. } => runs * occupied,
        InEnvironment::Service { .. } => Num::ZERO,
    }
}

/// GPUs that a class needs in an hour of the given weight, when it cannot wait.
fn gpus_in_hour(factors: &ClassInEnvironment, volume: Num, weight: Num) -> Num {
    match factors.kind {
        InEnvironment::Runs { occupied, .. } => volume * occupied * weight / Num::whole(HOURS_PER_MONTH),
        InEnvironment::Service { per_replica, min_replicas, occupied_per_replica, .. } => {
            replicas(volume * weight, per_replica).max(min_replicas) * occupied_per_replica
        }
    }
}

fn replicas(requests_per_second: Num, per_replica: Num) -> Num {
    (requests_per_second / per_replica).ceil_units()
}

/// Sums over the hours of a month from values by level: Σ hours · value · 730/168.
fn over_month(levels: &[Level], values: impl Iterator<Item = Num>) -> Num {
    let sum: Num = levels.iter().zip(values).map(|(level, value)| level.hours * value).sum();
    sum * Num::whole(HOURS_PER_MONTH) / Num::whole(HOURS_PER_WEEK)
}

/// Demand of one class that an elastic site takes over, in one month.
enum Load {
    Whole,
    /// Runs left over; by level where they cannot wait, as what did not fit.
    RunsLeft {
        runs: Num,
        profile: Option<Vec<Num>>,
    },
    /// Requests a second left over, by level, and the requests of the month.
    RequestsLeft {
        by_level: Vec<Num>,
        volume: Num,
    },
}

/// Serves one month after the other.
struct MonthServer<'a> {
    levels: &'a [Level],
    here: &'a FactorsBySite,
    horizon: u32,
    /// What the classes ask of each cloud in the month, by site.
    clouds: Vec<CloudLoad>,
}

/// Instance demand on a cloud in one month.
#[derive(Clone)]
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

impl MonthServer<'_> {
    fn serve(&mut self, served: &mut Served, month: u32) {
        let empty = CloudLoad {
            firm: vec![Num::ZERO; self.levels.len()],
            interruptible: vec![Num::ZERO; self.levels.len()],
            deferrable_firm: Num::ZERO,
            deferrable_interruptible: Num::ZERO,
        };
        self.clouds = vec![empty; served.sites.len()];
        let available: Vec<Num> = served
            .sites
            .iter()
            .map(|site| match (site.sized(), site.in_service(month)) {
                (Some(sized), true) => sized.available_gpus(site.nodes[month as usize]),
                _ => Num::ZERO,
            })
            .collect();
        let mut left: Vec<Vec<Num>> = available.iter().map(|gpus| vec![*gpus; self.levels.len()]).collect();
        for class in 0..served.classes.len() {
            if !served.classes[class].demand.is_deferrable() {
                self.serve_now(served, class, month, &mut left);
            }
        }
        // What can wait shares what is left of the schedulable hours.
        let mut hours_left: Vec<Num> = served
            .sites
            .iter()
            .zip(&left)
            .map(|(site, left)| match site.sized() {
                Some(sized) if site.in_service(month) => {
                    let free = over_month(self.levels, left.iter().copied());
                    free * sized.capacity.window_hours_per_week.num() * sized.capacity.schedulable_utilisation.num()
                        / Num::whole(HOURS_PER_WEEK)
                }
                _ => Num::ZERO,
            })
            .collect();
        for class in 0..served.classes.len() {
            if served.classes[class].demand.is_deferrable() {
                self.serve_within_month(served, class, month, &mut hours_left);
            }
        }
        for place in 0..served.sites.len() {
            if let Supply::Cloud(cloud) = &served.sites[place].environment.supply {
                let hours = self.instance_hours(&served.sites[place], cloud, &self.clouds[place], month);
                served.sites[place].instance_hours.push(hours);
            }
        }
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
            None => served.classes[class].delayed_months += 1,
        }
        true
    }

    /// Serves a class that cannot wait, hour by hour.
    fn serve_now(&mut self, served: &mut Served, class: usize, month: u32, left: &mut [Vec<Num>]) {
        let demand = served.classes[class].demand;
        if !demand.is_active(month) || self.serve_elsewhere(served, class, month) {
            return;
        }
        let own = served.classes[class].own;
        let Some(factors) = &self.here[own][class] else { return };
        let volume = demand.volume[month as usize];
        let mut occupied = Vec::with_capacity(self.levels.len());
        let mut unserved = Vec::with_capacity(self.levels.len());
        // Σ s_h · served share, over the hours of the week; the weights sum to 168.
        let mut served_weight = Num::ZERO;
        let mut is_whole = true;
        for (level, left) in self.levels.iter().zip(&mut left[own]) {
            let weight = level.weights[class];
            let needed = gpus_in_hour(factors, volume, weight);
            let here = needed.min(*left);
            let share = if needed.is_zero() { Num::ONE } else { (here / needed).snapped_share() };
            is_whole &= share == Num::ONE;
            served_weight += level.hours * weight * share;
            occupied.push(here);
            unserved.push((needed - here, weight * (Num::ONE - share)));
            *left -= here;
        }
        let occupied = over_month(self.levels, occupied.into_iter());
        let (share, runs_share) = match factors.kind {
            InEnvironment::Runs { occupied: per_run, .. } => {
                let needed = volume * per_run;
                let share = if needed.is_zero() { Num::ONE } else { (occupied / needed).snapped_share() };
                (share, share)
            }
            InEnvironment::Service { .. } if is_whole => (Num::ONE, Num::ONE),
            InEnvironment::Service { .. } => {
                let share = (served_weight / Num::whole(HOURS_PER_WEEK)).snapped_share();
                (share, share)
            }
        };
        let units = demand.units(volume) * runs_share;
        let usage = MonthUse {
            units,
            bursting: Num::ZERO,
            productive: productive(factors, volume) * share,
            allocated: occupied * factors.packing,
            occupied,
        };
        *served.sites[own].use_mut(class, month, self.horizon) = usage;
        served.classes[class].served += units;
        if share == Num::ONE {
            return;
        }
        let load = match factors.kind {
            InEnvironment::Runs { .. } => Load::RunsLeft {
                runs: volume - units,
                profile: Some(unserved.into_iter().map(|(gpus, _)| gpus).collect()),
            },
            InEnvironment::Service { .. } => Load::RequestsLeft {
                by_level: unserved.into_iter().map(|(_, weight)| volume * weight).collect(),
                volume: volume * (Num::ONE - share),
            },
        };
        self.burst(served, class, month, load);
    }

    /// Serves a class of runs that can wait from the hours left in the month.
    fn serve_within_month(&mut self, served: &mut Served, class: usize, month: u32, hours_left: &mut [Num]) {
        let demand = served.classes[class].demand;
        if !demand.is_active(month) || self.serve_elsewhere(served, class, month) {
            return;
        }
        let own = served.classes[class].own;
        let Some(factors) = &self.here[own][class] else { return };
        let runs = demand.volume[month as usize];
        let needed = occupied_by_runs(factors, runs);
        let occupied = needed.min(hours_left[own].max(Num::ZERO));
        hours_left[own] -= occupied;
        let share = if needed.is_zero() { Num::ONE } else { (occupied / needed).snapped_share() };
        let units = runs * share;
        let usage = MonthUse {
            units,
            bursting: Num::ZERO,
            productive: productive(factors, runs) * share,
            allocated: occupied * factors.packing,
            occupied,
        };
        *served.sites[own].use_mut(class, month, self.horizon) = usage;
        served.classes[class].served += units;
        if share != Num::ONE {
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
        served.sites[own].use_mut(class, month, self.horizon).bursting = away;
        self.serve_elastic(served, class, burst, month, load);
    }

    fn serve_elastic(&mut self, served: &mut Served, class: usize, place: usize, month: u32, load: Load) {
        let demand = served.classes[class].demand;
        let Some(factors) = &self.here[place][class] else { return };
        let usage = match (&factors.kind, &load) {
            (InEnvironment::Runs { .. }, Load::Whole) => runs_use(factors, demand.volume[month as usize]),
            (InEnvironment::Runs { .. }, Load::RunsLeft { runs, .. }) => runs_use(factors, *runs),
            (InEnvironment::Service { .. }, Load::Whole) => {
                let volume = demand.volume[month as usize];
                let replicas = self.replicas_by_level(factors, class, volume);
                self.service_use(factors, demand.units(volume), volume, &replicas)
            }
            (InEnvironment::Service { per_replica, .. }, Load::RequestsLeft { by_level, volume }) => {
                let replicas: Vec<Num> = by_level.iter().map(|requests| replicas(*requests, *per_replica)).collect();
                self.service_use(factors, demand.units(*volume), *volume, &replicas)
            }
            _ => return,
        };
        self.load_cloud(served, class, place, month, &load, &usage);
        let entry = served.sites[place].use_mut(class, month, self.horizon);
        entry.units += usage.units;
        entry.productive += usage.productive;
        entry.allocated += usage.allocated;
        entry.occupied += usage.occupied;
        served.classes[class].served += usage.units;
    }

    fn replicas_by_level(&self, factors: &ClassInEnvironment, class: usize, volume: Num) -> Vec<Num> {
        let InEnvironment::Service { per_replica, min_replicas, .. } = factors.kind else { return Vec::new() };
        let in_level = |level: &Level| replicas(volume * level.weights[class], per_replica).max(min_replicas);
        self.levels.iter().map(in_level).collect()
    }

    fn service_use(&self, factors: &ClassInEnvironment, units: Num, volume: Num, replicas: &[Num]) -> MonthUse {
        let InEnvironment::Service { gpus, .. } = factors.kind else { return MonthUse::NONE };
        let allocated = over_month(self.levels, replicas.iter().map(|replicas| *replicas * gpus));
        MonthUse {
            units,
            bursting: Num::ZERO,
            productive: productive(factors, volume),
            allocated,
            occupied: if factors.packing == Num::ONE { allocated } else { allocated / factors.packing },
        }
    }

    /// Adds what a class needs of a cloud in the month.
    fn load_cloud(&mut self, served: &Served, class: usize, place: usize, month: u32, load: &Load, usage: &MonthUse) {
        let Supply::Cloud(cloud) = &served.sites[place].environment.supply else { return };
        let demand = served.classes[class].demand;
        let Some(factors) = &self.here[place][class] else { return };
        let gpus = Num::count(cloud.instance.gpus);
        let billed = Num::ONE + cloud.billed_overhead_share.num();
        let on_cloud = &mut self.clouds[place];
        if let InEnvironment::Service { occupied_per_replica, per_replica, min_replicas, .. } = factors.kind {
            for (place, level) in self.levels.iter().enumerate() {
                let replicas = match load {
                    Load::RequestsLeft { by_level, .. } => replicas(by_level[place], per_replica),
                    _ => replicas(demand.volume[month as usize] * level.weights[class], per_replica).max(min_replicas),
                };
                on_cloud.firm[place] += (replicas * occupied_per_replica / gpus).ceil_units() * billed;
            }
            return;
        }
        let instance_hours = usage.occupied * billed / gpus;
        if demand.is_deferrable() {
            match demand.is_interruptible() {
                true => on_cloud.deferrable_interruptible += instance_hours,
                false => on_cloud.deferrable_firm += instance_hours,
            }
            return;
        }
        let profile: Vec<Num> = match load {
            Load::RunsLeft { profile: Some(profile), .. } => profile.clone(),
            _ => self.levels.iter().map(|level| level.weights[class]).collect(),
        };
        let over_profile = over_month(self.levels, profile.iter().copied());
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
        let mut covered_firm = Vec::with_capacity(self.levels.len());
        let mut covered_interruptible = Vec::with_capacity(self.levels.len());
        for (firm, interruptible) in load.firm.iter().zip(&load.interruptible) {
            let first = firm.min(committed);
            covered_firm.push(first);
            covered_interruptible.push(interruptible.min(committed - first));
        }
        let over = |values: Vec<Num>| over_month(self.levels, values.into_iter());
        let (now_firm, now_interruptible) = (over(load.firm.clone()), over(load.interruptible.clone()));
        let (covered_firm, covered_interruptible) = (over(covered_firm), over(covered_interruptible));
        let left = committed * Num::whole(HOURS_PER_MONTH) - covered_firm - covered_interruptible;
        let later_firm = load.deferrable_firm.min(left);
        let later_interruptible = load.deferrable_interruptible.min(left - later_firm);
        let firm = now_firm - covered_firm + load.deferrable_firm - later_firm;
        let interruptible =
            now_interruptible - covered_interruptible + load.deferrable_interruptible - later_interruptible;
        let (spot_share, rework) = match &cloud.spot {
            Some(spot) => (spot.share.num(), spot.rework_share.num()),
            None => (Num::ZERO, Num::ZERO),
        };
        InstanceHours {
            covered: covered_firm + covered_interruptible + later_firm + later_interruptible,
            on_demand: firm + (Num::ONE - spot_share) * interruptible,
            spot: spot_share * interruptible * (Num::ONE + rework),
        }
    }
}

/// Instances committed to in a month.
#[must_use]
pub fn committed_instances(site: &Site, cloud: &Cloud, month: u32) -> Num {
    let Some(commitment) = &cloud.commitment else { return Num::ZERO };
    let in_term = commitment.renew || month - site.service.0.min(month) < commitment.term_months;
    if site.in_service(month) && in_term { commitment.instances.num() } else { Num::ZERO }
}

fn productive(factors: &ClassInEnvironment, volume: Num) -> Num {
    match factors.kind {
        InEnvironment::Runs { productive, .. } | InEnvironment::Service { productive, .. } => volume * productive,
    }
}

fn runs_use(factors: &ClassInEnvironment, runs: Num) -> MonthUse {
    let InEnvironment::Runs { productive, allocated, occupied } = factors.kind else { return MonthUse::NONE };
    MonthUse {
        units: runs,
        bursting: Num::ZERO,
        productive: runs * productive,
        allocated: runs * allocated,
        occupied: runs * occupied,
    }
}

/// A class's data is stored in its own environment from that environment's service start while the class is active,
/// before that in the interim one, and a share of it in the burst one once both are in service (method, §5).
fn store_data(served: &mut Served, horizon: u32) {
    for (index, class) in served.classes.iter().enumerate() {
        if class.demand.stored_gb.iter().all(|gb| gb.is_zero()) {
            continue;
        }
        let replica = class.assignment.burst_replica_share.num();
        for month in 0..horizon {
            let gb = class.demand.stored_gb[month as usize];
            if gb.is_zero() {
                continue;
            }
            let in_service = |place: usize| served.sites[place].in_service(month);
            let (own, burst) = (in_service(class.own), class.burst.filter(|burst| in_service(*burst)));
            let interim = class.interim.filter(|interim| in_service(*interim));
            let mut store = |place: usize, gb: Num| {
                let months = &mut served.sites[place].stored_gb[index];
                if months.is_empty() {
                    months.resize(horizon as usize, Num::ZERO);
                }
                months[month as usize] += gb;
            };
            match (own, interim) {
                (true, _) => {
                    store(class.own, gb);
                    if let Some(burst) = burst.filter(|_| !replica.is_zero()) {
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
