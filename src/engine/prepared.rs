//! One scenario prepared for many evaluations in which some of its inputs have other values: what does not read them is kept.
//!
//! While the scenario itself is evaluated, each step notes which inputs it reads. A step is done again, by the same functions,
//! where it reads an input that has moved or follows a step that is done again; otherwise what it came to still holds. Nothing
//! here knows a formula, or which input is read where.

use std::cell::OnceCell;

use crate::quantity::Currency;
use crate::quantity::trace::{Places, watched};
use crate::scenario::{CostLine, Placement, Scenario};

use super::dedicated::Batch;
use super::demand::ClassDemand;
use super::evaluate::{Base, service, standings, whole_figure};
use super::ledger::price_lines;
use super::lines::{of_environment, of_placement};
use super::plan::{PlanLine, lines_of_supply};
use super::serving::{Kept, Served, serve};
use super::time::Time;
use super::{Amounts, Failure, Figure, Marked, Standing};

/// A scenario and what its steps came to, placement by placement as they are asked for.
pub struct Prepared<'a> {
    scenario: &'a Scenario,
    /// What all placements rest on; none where the scenario itself has no figures: then nothing is kept.
    shared: Option<Shared<'a>>,
    placements: Vec<OnceCell<Option<OnePlacement>>>,
}

/// What all placements rest on.
struct Shared<'a> {
    base: Base<'a>,
    read_by_time: Places,
    /// In the order of the classes.
    read_by_demand: Vec<Places>,
}

/// What the steps of one placement came to.
struct OnePlacement {
    served: Kept,
    read_by_serving: Places,
    is_acceptable: bool,
    read_by_acceptance: Places,
    sites: Vec<OneSite>,
    /// Its own lines.
    own: Vec<Part>,
}

/// The lines of one environment of a placement.
enum OneSite {
    /// A share of service charges rests on the other lines: all of them are one part.
    Together(Part),
    /// The lines that the supply generates are one part, each line that is stated another; it may rest on the supply.
    Apart { supply: Part, batches: Vec<Batch>, stated: Vec<Part> },
}

/// What some lines come to, and what was read for that.
struct Part {
    amounts: Amounts,
    read: Places,
}

/// Other values of some inputs, and what all placements rest on with them.
struct Moved<'m> {
    scenario: &'m Scenario,
    inputs: &'m Places,
    time: &'m Time<'m>,
    is_time_moved: bool,
    demand: &'m [ClassDemand<'m>],
    is_demand_moved: Vec<bool>,
}

impl<'a> Prepared<'a> {
    /// Lays out what all placements rest on.
    #[must_use]
    pub fn new(scenario: &'a Marked) -> Self {
        let placements = scenario.placements.iter().map(|_| OnceCell::new()).collect();
        let scenario: &Scenario = scenario;
        Self { scenario, shared: Shared::new(scenario), placements }
    }

    /// Where placements stand in the same scenario with other values of some inputs: as [`standings`] says.
    ///
    /// # Errors
    /// As [`standings`].
    pub fn standings(
        &self,
        scenario: &Scenario,
        moved: &Places,
        placements: &[usize],
        figure: &Figure,
    ) -> Result<Vec<Standing>, Failure> {
        // A cost per output needs the lines of all environments together; what fails is told of by the whole evaluation.
        let is_whole = !matches!(figure, Figure::CostPerOutput(_) | Figure::LevelisedCostPerOutput(_));
        let kept = if is_whole { self.kept_standings(scenario, moved, placements, figure) } else { None };
        kept.map_or_else(|| standings(scenario, placements, figure), Ok)
    }

    fn kept_standings(
        &self,
        scenario: &Scenario,
        moved: &Places,
        placements: &[usize],
        figure: &Figure,
    ) -> Option<Vec<Standing>> {
        let shared = self.shared.as_ref()?;
        let Base { time, demand, .. } = &shared.base;
        let is_time_moved = shared.read_by_time.meet(moved);
        let time_again = if is_time_moved { Some(Time::new(scenario).ok()?) } else { None };
        let is_demand_moved: Vec<bool> = shared.read_by_demand.iter().map(|read| read.meet(moved)).collect();
        let demand_of = |((known, is_moved), workload)| match is_moved {
            true => ClassDemand::new(workload, scenario.horizon_months),
            false => ClassDemand::of_class(known, workload),
        };
        let demand: Vec<ClassDemand> =
            demand.iter().zip(is_demand_moved.iter().copied()).zip(&scenario.workloads).map(demand_of).collect();
        let moved = Moved {
            scenario,
            inputs: moved,
            time: time_again.as_ref().unwrap_or(time),
            is_time_moved,
            demand: &demand,
            is_demand_moved,
        };
        let known = placements.iter().filter(|place| **place < scenario.placements.len());
        known.map(|place| self.standing(*place, &moved, figure)).collect()
    }

    fn standing(&self, place: usize, moved: &Moved, figure: &Figure) -> Option<Standing> {
        let currency = self.shared.as_ref()?.base.currency;
        let kept = self.placements.get(place)?.get_or_init(|| self.prepared(place)).as_ref()?;
        let (totals, is_acceptable) = kept.with(moved, moved.scenario.placements.get(place)?, currency)?;
        let figure_of = |figure: &Figure| whole_figure(figure, totals, moved.time, currency).ok();
        Some(Standing {
            placement: place,
            figure: figure_of(figure)?,
            deciding: figure_of(&Figure::deciding(moved.scenario.decision_figure))?,
            is_acceptable,
        })
    }

    /// Evaluates a placement of the scenario as it stands, and notes what each step reads.
    fn prepared(&self, place: usize) -> Option<OnePlacement> {
        let Base { time, demand, currency, .. } = &self.shared.as_ref()?.base;
        let placement = self.scenario.placements.get(place)?;
        let (served, read_by_serving) = watched(|| serve(placement, &self.scenario.environments, demand, time.horizon));
        let served = served.ok()?;
        let (acceptance, read_by_acceptance) = watched(|| service(self.scenario, &served));
        let pricer = Pricer { served: &served, time, currency: *currency };
        let own = placement.costs.iter().map(|line| Part::new(|| pricer.amounts(&[of_placement(line, time)])));
        Some(OnePlacement {
            sites: (0..served.sites.len()).map(|site| pricer.site(site)).collect::<Option<_>>()?,
            own: own.collect::<Option<_>>()?,
            served: Kept::new(&served),
            read_by_serving,
            is_acceptable: acceptance.0,
            read_by_acceptance,
        })
    }
}

impl std::fmt::Debug for Prepared<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Prepared").finish_non_exhaustive()
    }
}

impl<'a> Shared<'a> {
    fn new(scenario: &'a Scenario) -> Option<Self> {
        let (time, read_by_time) = watched(|| Time::new(scenario));
        let horizon = scenario.horizon_months;
        let laid_out = scenario.workloads.iter().map(|workload| watched(|| ClassDemand::new(workload, horizon)));
        let (demand, read_by_demand) = laid_out.unzip();
        let base = Base::of(scenario, time.ok()?, demand).ok()?;
        Some(Self { base, read_by_time, read_by_demand })
    }
}

impl OnePlacement {
    /// Its totals, and whether it may be called cheapest; none where that cannot be computed.
    fn with(&self, moved: &Moved, placement: &Placement, currency: Currency) -> Option<(Amounts, bool)> {
        let is_demand_moved = self.served.workloads().any(|id| moved.is_demand_moved(id));
        let is_served_again = is_demand_moved || self.read_by_serving.meet(moved.inputs);
        let is_accepted_again = is_served_again || self.read_by_acceptance.meet(moved.inputs);
        let are_all_again = is_served_again || moved.is_time_moved;
        let is_again = |part: &Part| are_all_again || part.read.meet(moved.inputs);
        if !is_accepted_again && !self.parts().any(is_again) {
            return Some((self.parts().map(|part| part.amounts).sum(), self.is_acceptable));
        }
        let environments = &moved.scenario.environments;
        let served = match is_served_again {
            true => serve(placement, environments, moved.demand, moved.time.horizon).ok()?,
            false => self.served.in_scenario(placement, environments, moved.demand)?,
        };
        let is_acceptable = if is_accepted_again { service(moved.scenario, &served).0 } else { self.is_acceptable };
        let pricer = Pricer { served: &served, time: moved.time, currency };
        let mut totals = Amounts::default();
        for (place, site) in self.sites.iter().enumerate() {
            totals += pricer.site_again(place, site, is_again)?;
        }
        for (line, kept) in placement.costs.iter().zip(&self.own) {
            totals += match is_again(kept) {
                true => pricer.amounts(&[of_placement(line, moved.time)])?,
                false => kept.amounts,
            };
        }
        Some((totals, is_acceptable))
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.sites.iter().flat_map(OneSite::parts).chain(&self.own)
    }
}

impl OneSite {
    fn parts(&self) -> impl Iterator<Item = &Part> {
        let (first, others): (_, &[Part]) = match self {
            Self::Together(part) => (part, &[]),
            Self::Apart { supply, stated, .. } => (supply, stated),
        };
        std::iter::once(first).chain(others)
    }
}

impl Part {
    /// None where the amounts cannot be computed.
    fn new(amounts: impl FnOnce() -> Option<Amounts>) -> Option<Self> {
        let (amounts, read) = watched(amounts);
        amounts.map(|amounts| Self { amounts, read })
    }
}

impl Moved<'_> {
    fn is_demand_moved(&self, workload: &str) -> bool {
        let of_class = self.demand.iter().zip(&self.is_demand_moved);
        of_class.filter(|(class, _)| class.workload.id == workload).any(|(_, is_moved)| *is_moved)
    }
}

/// Everything that lines are compiled from and priced with.
struct Pricer<'a, 'p> {
    served: &'p Served<'a>,
    time: &'p Time<'p>,
    currency: Currency,
}

impl<'a> Pricer<'a, '_> {
    /// What some lines come to; none where that is too large to compute with.
    fn amounts(&self, lines: &[PlanLine]) -> Option<Amounts> {
        price_lines(self.served, lines, self.time, self.currency).ok().map(|priced| priced.totals())
    }

    /// The lines that the supply of an environment generates, and the nodes that it owns or leases.
    fn supply(&self, place: usize) -> (Vec<PlanLine<'a>>, Vec<Batch>) {
        let mut lines = Vec::new();
        let batches = lines_of_supply(self.served, place, self.time, &mut lines);
        (lines, batches)
    }

    fn stated(&self, place: usize, line: &'a CostLine, batches: &[Batch]) -> PlanLine<'a> {
        of_environment(self.served, place, line, batches, self.time)
    }

    fn costs(&self, place: usize) -> &'a [CostLine] {
        &self.served.sites[place].environment.costs
    }

    fn together(&self, place: usize) -> Option<Amounts> {
        let (mut lines, batches) = self.supply(place);
        lines.extend(self.costs(place).iter().map(|line| self.stated(place, line, &batches)));
        self.amounts(&lines)
    }

    /// The lines of an environment, with what is read for each part.
    fn site(&self, place: usize) -> Option<OneSite> {
        let (_, batches) = self.supply(place);
        let is_share = |line: &CostLine| self.stated(place, line, &batches).is_share();
        if self.costs(place).iter().any(is_share) {
            return Part::new(|| self.together(place)).map(OneSite::Together);
        }
        let supply = Part::new(|| self.amounts(&self.supply(place).0))?;
        let stated = self
            .costs(place)
            .iter()
            .map(|line| Part::new(|| self.amounts(&[self.stated(place, line, &batches)])))
            .collect::<Option<_>>()?;
        Some(OneSite::Apart { supply, batches, stated })
    }

    /// What the lines of an environment come to, of which those parts are done again that have to be.
    fn site_again(&self, place: usize, site: &OneSite, is_again: impl Fn(&Part) -> bool) -> Option<Amounts> {
        let (supply, batches, stated) = match site {
            OneSite::Together(part) if is_again(part) => return self.together(place),
            OneSite::Together(part) => return Some(part.amounts),
            OneSite::Apart { supply, batches, stated } => (supply, batches, stated),
        };
        let anew = if is_again(supply) { Some(self.supply(place)) } else { None };
        let (mut amounts, batches) = match &anew {
            Some((lines, batches)) => (self.amounts(lines)?, batches),
            None => (supply.amounts, batches),
        };
        for (line, kept) in self.costs(place).iter().zip(stated) {
            amounts += match anew.is_some() || is_again(kept) {
                true => self.amounts(&[self.stated(place, line, batches)])?,
                false => kept.amounts,
            };
        }
        Some(amounts)
    }
}
