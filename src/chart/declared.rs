//! Every chart there is, once: its name, what it is of, and how it is described from results.
//!
//! Commands, menus and exports walk this declaration. Nothing here knows how a description is drawn.

use super::{Bars, Chart, bars, draws, drivers, months, sizes};
use crate::analysis::{base_size, cases, map, preference, switch_over, tornado, uncertainty};
use crate::engine::{EnvironmentResult, Evaluation, PlacementResult};
use crate::quantity::{Currency, Money};
use crate::scenario::Scenario;
use crate::scenario::calendar::Month;
use crate::show::{Figures, letter};

macro_rules! charts {
    ($( $(#[doc = $about:literal])+ $Variant:ident, $name:literal, $title:literal, $Scope:ident, $describe:expr; )*) => {
        /// A chart.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind { $( $(#[doc = $about])+ $Variant, )* }

        impl Kind {
            /// Every chart, in the order in which they are offered.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// The name in commands and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$Variant => $name, )* }
            }

            /// What people read.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self { $( Self::$Variant => $title, )* }
            }

            /// What it shows in one sentence, for the command's help.
            #[must_use]
            pub fn about(self) -> String {
                let lines: &[&str] = match self { $( Self::$Variant => &[$($about),+], )* };
                lines.concat().trim().to_owned()
            }

            /// What it is a chart of.
            #[must_use]
            pub const fn scope(self) -> Scope {
                match self { $( Self::$Variant => Scope::$Scope, )* }
            }

            fn describe(self, subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
                match self { $( Self::$Variant => {
                    let describe: fn(&Subject<'_>, &Which) -> Result<Chart, String> = $describe;
                    describe(subject, which)
                } )* }
            }
        }
    };
}

// Each line: name, title, what it is of, and its description.
charts! {
    /// The total of each placement, stacked by category
    Categories, "categories", "Total by category", Scenario, |subject, _| Ok(bars::categories(subject));
    /// Cost added up month by month, with the months in which placements cross
    Cumulative, "cumulative", "Cumulative cost", Scenario, |subject, _| Ok(months::cumulative_cost(subject));
    /// The total of each placement, fixed and driven by use
    Split, "split", "Fixed and usage-driven", Scenario, |subject, _| Ok(bars::split(subject));
    /// The total of each placement, billed by a provider and retained
    Boundary, "boundary", "Provider and retained", Scenario, |subject, _| Ok(bars::boundary(subject));
    /// GPU-hours of each environment: productive, allocated, occupied, available, installed; and what stays unmet
    Hours, "hours", "Hours ladder", Placement, sizes::hours;
    /// From demand to nodes in the largest month of a fixed environment
    Capacity, "capacity", "Capacity, largest month", Environment, sizes::capacity;
    /// The hours of the largest month by load, with the base that serves them and what goes beyond it
    Load, "load-duration", "Load duration", Environment, sizes::load_duration;
    /// What leaving each placement after a month costs in cash
    Leaving, "leaving", "Cash to leave", Scenario, |subject, _| Ok(months::cash_to_leave(subject));
    /// What was paid for and is lost on leaving each placement after a month
    WriteOff, "write-off", "Write-off on leaving", Scenario, |subject, _| Ok(months::write_off(subject));
    /// How far each input moves a figure, from its low to its high, largest first
    Tornado, "tornado", "Tornado", Analysis, |subject, _| drivers::tornado(subject);
    /// The same figure as lines over the ranges of the inputs that move it most
    Spider, "spider", "Spider", Analysis, |subject, _| drivers::spider(subject);
    /// The placements over the range of one input, with every value at which one overtakes another
    SwitchOver, "switch-over", "Switch-over", Analysis, |subject, _| drivers::switch_over(subject);
    /// Which placement is preferred where over two inputs
    Map, "map", "Two-way map", Analysis, |subject, _| drivers::map(subject);
    /// What a placement costs with every number of nodes of an environment
    BaseSize, "base-size", "Base size", Analysis, |subject, _| drivers::base_size(subject);
    /// Every placement in the base and in every case
    Cases, "cases", "Cases", Analysis, |subject, _| drivers::cases(subject);
    /// The share of draws in which a figure of each placement is at or below a value
    Below, "cumulative-probability", "Cumulative probability", Draws, |subject, _| draws::below(subject);
    /// How a figure of each placement is spread over draws, with its 10th, 50th and 90th percentile
    Distribution, "distribution", "Distribution", Draws, |subject, _| draws::distribution(subject);
    /// How the difference of each placement to one of them is spread over draws
    Differences, "differences", "Distribution of differences", Draws, |subject, _| draws::differences(subject);
    /// The share of draws in which each placement is the cheapest
    Cheapest, "cheapest", "Probability of being cheapest", Draws, |subject, _| draws::cheapest(subject);
    /// How strongly each uncertain input is correlated with a figure of a placement
    Drivers, "drivers", "What drives a figure", Draws, draws::drivers;
    /// How strongly each uncertain input is correlated with the difference of a placement to one of them
    DifferenceDrivers, "difference-drivers", "What drives a difference", Draws, draws::difference_drivers;
    /// What knowing each uncertain input before choosing would save on average
    Worth, "worth", "Value of measuring an input", Draws, |subject, _| draws::worth(subject);
}

impl Kind {
    /// The chart of this name.
    ///
    /// # Errors
    /// A sentence that says which there are.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|kind| kind.name()).collect();
            format!("there is no chart {name:?}; charts are {}", known.join(", "))
        })
    }
}

/// What a chart is of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Every placement of the scenario.
    Scenario,
    /// One placement.
    Placement,
    /// One environment inside one placement.
    Environment,
    /// What an analysis has answered.
    Analysis,
    /// What draws over the uncertain inputs have said; some of these charts are of one placement.
    Draws,
}

/// What an analysis has answered, for the charts of it.
#[derive(Clone, Copy)]
pub enum Answered<'a> {
    /// For the tornado and the spider: the bars that are shown of it.
    Tornado(&'a tornado::Answer, Bars<'a>),
    SwitchOver(&'a switch_over::Answer),
    Preference(&'a preference::Answer),
    Map(&'a map::Answer),
    BaseSize(&'a base_size::Answer),
    Cases(&'a cases::Answer),
    Draws(&'a uncertainty::Answer),
}

/// Which chart is meant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Which {
    pub kind: Kind,
    /// By its place in the scenario; of no meaning for charts of every placement.
    pub placement: usize,
    /// By its id; for charts of an environment, where none is the first that has one.
    pub environment: Option<String>,
}

impl Which {
    /// A chart of every placement.
    #[must_use]
    pub const fn of_all(kind: Kind) -> Self {
        Self { kind, placement: 0, environment: None }
    }

    #[must_use]
    pub const fn of_placement(kind: Kind, placement: usize) -> Self {
        Self { kind, placement, environment: None }
    }

    #[must_use]
    pub fn of_environment(kind: Kind, placement: usize, environment: &str) -> Self {
        Self { kind, placement, environment: Some(environment.to_owned()) }
    }
}

/// What charts are described from.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    pub scenario: &'a Scenario,
    pub evaluation: &'a Evaluation,
    pub figures: Figures,
    /// The placement that the others are compared with.
    pub reference: usize,
    /// The placement that is looked at; its line is drawn heavier.
    pub focus: Option<usize>,
    /// The figures of the base, where what is shown is tried over it: drawn behind.
    pub base: Option<&'a Evaluation>,
    /// What an analysis has answered about the scenario, for charts of such answers.
    pub answered: Option<Answered<'a>>,
}

/// Describes a chart.
///
/// # Errors
/// A sentence that says why there is none: a placement has no environment of that kind.
pub fn describe(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    which.kind.describe(subject, which)
}

impl<'a> Subject<'a> {
    pub(super) const fn currency(&self) -> Currency {
        self.evaluation.currency
    }

    pub(super) const fn code(&self) -> &'static str {
        self.evaluation.currency.code
    }

    /// An amount for a place on the page.
    pub(super) fn pixels(&self, money: Money) -> f64 {
        money.num(self.currency().minor_digits).approximate()
    }

    /// An amount to the minor unit, with its currency.
    pub(super) fn exact(&self, money: Money) -> String {
        format!("{} {}", self.code(), self.figures.exact(money.minor(), self.currency().minor_digits))
    }

    /// An amount with three digits.
    pub(super) fn brief(&self, money: Money) -> String {
        self.figures.brief(money.minor(), self.currency().minor_digits)
    }

    pub(super) fn start(&self) -> Option<Month> {
        Month::parse(&self.scenario.start)
    }

    /// `A Own everything`
    pub(super) fn named(&self, placement: usize) -> String {
        let name = self.evaluation.placements.get(placement).map_or("", |result| result.name.as_str());
        format!("{} {name}", letter(placement))
    }

    pub(super) fn is_heavy(&self, placement: usize) -> bool {
        placement == self.reference || self.focus == Some(placement)
    }

    pub(super) fn placements(&self) -> impl Iterator<Item = (usize, &'a PlacementResult)> + use<'a> {
        self.evaluation.placements.iter().enumerate()
    }

    pub(super) fn placement(&self, which: &Which) -> Result<&'a PlacementResult, String> {
        self.evaluation.placements.get(which.placement).ok_or_else(|| "There is no such placement.".to_owned())
    }

    /// The environment that is meant, among those of the placement that a test accepts.
    pub(super) fn environment(
        &self,
        which: &Which,
        accepts: impl Fn(&EnvironmentResult) -> bool,
    ) -> Result<&'a EnvironmentResult, String> {
        let result = self.placement(which)?;
        let Some(id) = &which.environment else {
            let first = result.environments.iter().find(|environment| accepts(environment));
            return first.ok_or_else(|| format!("{} has no environment with nodes to size.", result.name));
        };
        let named = result.environments.iter().find(|environment| environment.id == *id);
        let named = named.ok_or_else(|| format!("{} has no environment {id:?}.", result.name))?;
        if accepts(named) { Ok(named) } else { Err(format!("{} has no nodes to size.", named.name)) }
    }
}
