//! The load of a fixed environment over the hours of its largest month, the heaviest first: what fits, and what does not.
//!
//! It restates for one month, hour by hour, what serving adds up over the months. Nothing here knows a cost.

use crate::quantity::Num;
use crate::scenario::Scenario;

use super::Failure;
use super::demand::{ClassDemand, load_levels};
use super::serving::{Served, Site, gpus_by_hour, occupied_by_runs, serve};
use super::time::{HOURS_PER_MONTH, HOURS_PER_WEEK};

/// The load-duration curve of one environment in one placement.
#[derive(Clone, PartialEq, Debug)]
pub struct LoadDuration {
    /// The month with the greatest baseline.
    pub month: u32,
    /// GPUs of the nodes in service then, without spares.
    pub in_service: Num,
    /// What stays available of them beside maintenance and failures.
    pub available: Num,
    /// The hours of the week by load, the heaviest first.
    pub levels: Vec<LoadLevel>,
    pub beyond: Beyond,
}

/// Hours of the week with the same load, in GPUs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LoadLevel {
    /// How many of the 168 hours.
    pub hours: Num,
    /// What cannot wait and is served here.
    pub now: Num,
    /// What can wait and is served here. It takes its share of whatever an hour has left.
    pub later: Num,
    /// What does not fit here: of what cannot wait in this hour, of what can wait on average over the month.
    pub beyond: Num,
}

/// Where the load goes that does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beyond {
    /// To the burst environment of each class.
    Bursts,
    /// Nowhere: it is not served.
    Unserved,
    /// Some classes burst, others are not served.
    Either,
}

/// The load-duration curve of an environment, by its id, in a placement, by its place in the scenario; none where the
/// environment is not fixed, is never in service, or is not of the placement.
///
/// # Errors
/// As [`super::evaluate`].
pub fn load_duration(
    scenario: &Scenario,
    placement: usize,
    environment: &str,
) -> Result<Option<LoadDuration>, Failure> {
    let horizon = scenario.horizon_months;
    let demand = ClassDemand::of_all(&scenario.workloads, horizon);
    let Some(placement) = scenario.placements.get(placement) else { return Ok(None) };
    let served = serve(placement, &scenario.environments, &demand, horizon)?;
    let place = served.sites.iter().position(|site| site.environment.id == environment);
    Ok(place.and_then(|place| of_site(&served, place, horizon)))
}

fn of_site(served: &Served, place: usize, horizon: u32) -> Option<LoadDuration> {
    let site = &served.sites[place];
    let (sized, month) = (site.sized()?, site.waterfall()?.month);
    let nodes = *site.nodes.get(month as usize)?;
    let available = sized.available_gpus(nodes);
    let mut levels = now_by_level(served, place, month, available, horizon);
    share_out_later(&mut levels, later_hours(served, place, month), schedulable_share(site), available);
    levels.sort_by(|a, b| load(b).partial_cmp(&load(a)).unwrap_or(std::cmp::Ordering::Equal));
    let joined = joined(levels);
    let beyond = beyond(served, place, month);
    let in_service = nodes * Num::count(sized.gpus_per_node);
    Some(LoadDuration { month, in_service, available, levels: joined, beyond })
}

fn load(level: &LoadLevel) -> Num {
    level.now + level.later + level.beyond
}

/// What cannot wait, level by level: as much as is available is served here (method, §5).
fn now_by_level(served: &Served, place: usize, month: u32, available: Num, horizon: u32) -> Vec<LoadLevel> {
    let demands: Vec<&ClassDemand> = served.classes.iter().map(|class| class.demand).collect();
    let levels = load_levels(&demands);
    let hourly = gpus_by_hour(served, &levels, horizon);
    let count = levels.levels.len();
    let here = |class: usize| served.classes[class].own == place && served.classes[class].demand.is_active(month);
    let of_level = |(place, level): (usize, &super::demand::Level)| {
        let gpus = |class: usize| hourly[class].get(month as usize * count + place).copied().unwrap_or(Num::ZERO);
        let wanted: Num = (0..served.classes.len()).filter(|class| here(*class)).map(gpus).sum();
        let now = wanted.min(available);
        LoadLevel { hours: level.hours, now, later: Num::ZERO, beyond: wanted - now }
    };
    levels.levels.iter().enumerate().map(of_level).collect()
}

/// Occupied GPU-hours of what can wait.
fn later_hours(served: &Served, place: usize, month: u32) -> Num {
    let classes = served.classes.iter().enumerate();
    let here = classes
        .filter(|(_, class)| class.own == place && class.demand.is_deferrable() && class.demand.is_active(month));
    let hours = here.filter_map(|(index, class)| {
        let factors = served.sites[place].factors[index].as_ref()?;
        Some(occupied_by_runs(factors, class.demand.volume[month as usize]))
    });
    hours.sum()
}

/// The share of a free hour that can be scheduled productively.
fn schedulable_share(site: &Site) -> Num {
    let capacity = &site.environment.capacity;
    let window = capacity.window_hours_per_week.num() / Num::whole(HOURS_PER_WEEK);
    window * capacity.schedulable_utilisation.num()
}

/// Spreads what can wait over what is free, and what does not fit evenly over the month.
fn share_out_later(levels: &mut [LoadLevel], wanted: Num, schedulable: Num, available: Num) {
    let weeks = Num::whole(HOURS_PER_MONTH) / Num::whole(HOURS_PER_WEEK);
    let free: Num = levels.iter().map(|level| level.hours * (available - level.now)).sum();
    let free = free * weeks;
    let here = wanted.min(free * schedulable);
    let share = if free.is_positive() { here / free } else { Num::ZERO };
    let beyond = (wanted - here) / Num::whole(HOURS_PER_MONTH);
    for level in levels {
        level.later = (available - level.now) * share;
        level.beyond += beyond;
    }
}

/// Neighbours of the same load as one level.
fn joined(levels: Vec<LoadLevel>) -> Vec<LoadLevel> {
    let mut joined: Vec<LoadLevel> = Vec::new();
    for level in levels {
        match joined.last_mut() {
            Some(last) if (last.now, last.later, last.beyond) == (level.now, level.later, level.beyond) => {
                last.hours += level.hours;
            }
            _ => joined.push(level),
        }
    }
    joined
}

fn beyond(served: &Served, place: usize, month: u32) -> Beyond {
    let here = served.classes.iter().filter(|class| class.own == place && class.demand.is_active(month));
    let bursts: Vec<bool> = here.map(|class| class.burst.is_some()).collect();
    match (bursts.iter().any(|bursts| *bursts), bursts.iter().all(|bursts| *bursts)) {
        (true, true) => Beyond::Bursts,
        (true, false) => Beyond::Either,
        _ => Beyond::Unserved,
    }
}
