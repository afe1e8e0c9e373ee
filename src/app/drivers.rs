//! What drives the decision, asked beside the window: what is chosen for each question, the answers, and their charts.
//!
//! An answer keeps the scenario that it is about, so that an old one is never read with the names and numbers of a new one.
//! Nothing is computed or drawn here.

use std::rc::Rc;
use std::sync::Arc;

use super::charts::Described;
use super::document::Snapshot;
use super::pages::sensitivity::{Computed, Sensitivity, figures};
use super::view::TornadoChoice;
use super::worker::{Progress, Worker};
use crate::analysis::{base_size, cases, map, moves, preference, switch_over, tornado};
use crate::chart::{Along, Answered, Bars, Kind, Subject, Which, describe};
use crate::cli::analyses::{self, GoesOn};
use crate::engine::Figure;
use crate::scenario::Scenario;
use crate::show::Figures;

/// A question of the page Sensitivity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Driver {
    #[default]
    Tornado,
    Spider,
    SwitchOver,
    Map,
    BaseSize,
    Cases,
}

impl Driver {
    pub const ALL: [Self; 6] = [Self::Tornado, Self::Spider, Self::SwitchOver, Self::Map, Self::BaseSize, Self::Cases];

    /// Its chart, by whose name it goes.
    pub const fn kind(self) -> Kind {
        match self {
            Self::Tornado => Kind::Tornado,
            Self::Spider => Kind::Spider,
            Self::SwitchOver => Kind::SwitchOver,
            Self::Map => Kind::Map,
            Self::BaseSize => Kind::BaseSize,
            Self::Cases => Kind::Cases,
        }
    }

    /// The question that a chart answers.
    pub fn of(kind: Kind) -> Option<Self> {
        Self::ALL.into_iter().find(|driver| driver.kind() == kind)
    }

    pub const fn name(self) -> &'static str {
        self.kind().title()
    }

    /// Whether the bars of the tornado answer it.
    pub const fn is_of_bars(self) -> bool {
        matches!(self, Self::Tornado | Self::Spider)
    }
}

/// Into how many steps the ranges of a map can be divided.
pub const STEPS: [u32; 4] = [8, 12, 20, 32];
/// How many lines a spider can draw; the last are all.
pub const LINES: [usize; 4] = [5, 8, 14, usize::MAX];

/// What is chosen for the questions beside figure and placements of the tornado.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// What the switch-over moves: a path, as in everything that follows.
    pub input: Option<String>,
    /// Between which two placements; none for the preferred of all.
    pub between: Option<[usize; 2]>,
    /// What the map moves across and down.
    pub across: Option<String>,
    pub down: Option<String>,
    /// By its place in [`STEPS`].
    pub steps: usize,
    /// By its place among the hybrid placements.
    pub hybrid: usize,
    /// The line of a spider that is drawn heavier.
    pub line: Option<String>,
    pub along: Along,
    /// By its place in [`LINES`].
    pub lines: usize,
    /// Whether what the switch-over lies between has been chosen.
    is_between_known: bool,
}

impl Default for Choices {
    fn default() -> Self {
        Self {
            input: None,
            between: None,
            across: None,
            down: None,
            steps: 1,
            hybrid: 0,
            line: None,
            along: Along::Range,
            lines: 1,
            is_between_known: false,
        }
    }
}

impl Choices {
    /// Whether a question has still to be given its inputs.
    pub const fn is_without_inputs(&self, driver: Driver) -> bool {
        match driver {
            Driver::SwitchOver => self.input.is_none(),
            Driver::Map => self.across.is_none() || self.down.is_none(),
            _ => false,
        }
    }

    pub fn map_steps(&self) -> u32 {
        STEPS.get(self.steps).copied().unwrap_or(STEPS[1])
    }

    pub fn most_lines(&self) -> usize {
        LINES.get(self.lines).copied().unwrap_or(LINES[1])
    }

    /// Chooses what has not been chosen, and anew what is no longer there: the inputs that move the figure most, which the
    /// tornado knows where it has answered, and the placements that it compares.
    pub fn complete(&mut self, snapshot: &Snapshot, asked: &TornadoChoice, known: Option<&tornado::Answer>) {
        let scenario = &snapshot.scenario;
        let count = scenario.placements.len();
        if self.between.is_some_and(|between| between.iter().any(|place| count <= *place)) {
            (self.between, self.is_between_known) = (None, false);
        }
        if !self.is_between_known {
            self.between = asked.against.map(|against| [asked.placement, against]);
            self.is_between_known = true;
        }
        self.hybrid = self.hybrid.min(base_size::hybrids(scenario).len().saturating_sub(1));
        let movable = moves::movable(scenario, &snapshot.inputs);
        let is_there = |path: &Option<String>| path.as_ref().is_some_and(|path| movable.contains(path));
        if is_there(&self.input) && is_there(&self.across) && is_there(&self.down) && self.across != self.down {
            return;
        }
        let (switching, others): (Vec<&tornado::Bar>, Vec<&tornado::Bar>) =
            known.into_iter().flat_map(|answer| &answer.bars).partition(|bar| bar.changes_preferred);
        let bars = switching.into_iter().chain(others).map(|bar| &bar.path);
        // What cannot be asked about together, as a group and one of its inputs, is not suggested together.
        let mut suggested = bars.filter(|path| movable.contains(path)).chain(&movable).cloned();
        let first = suggested.next();
        let second = suggested.find(|path| first.as_ref().is_some_and(|first| are_apart(scenario, first, path)));
        if !is_there(&self.input) {
            self.input.clone_from(&first);
        }
        if !(is_there(&self.across) && is_there(&self.down) && self.across != self.down) {
            (self.across, self.down) = (first, second);
        }
    }
}

/// Whether two paths move nothing in common.
pub fn are_apart(scenario: &Scenario, one: &str, other: &str) -> bool {
    let members = |path: &str| -> Vec<String> {
        let group = path.strip_prefix("groups.").and_then(|id| scenario.groups.iter().find(|group| group.id == id));
        group.map_or_else(|| vec![path.to_owned()], |group| group.inputs.clone())
    };
    let others = members(other);
    members(one).iter().all(|path| !others.contains(path))
}

/// What a person asks of this page.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    Show(Driver),
    Choose(Choices),
    /// Stops what is being computed for this question.
    Stop(Driver),
    /// Computes again what was stopped.
    Start(Driver),
}

/// The scenario that a question is about. The same state of it is the same question, also where it is returned to.
#[derive(Clone)]
pub struct Of(pub Arc<Snapshot>);

impl PartialEq for Of {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// What is asked of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub enum Asked {
    SwitchOver(switch_over::Question),
    Preference(preference::Question),
    Map(map::Question),
    BaseSize(base_size::Question),
    Cases(Figure),
}

/// What it answered.
pub enum Found {
    SwitchOver(switch_over::Answer),
    Preference(preference::Answer),
    Map(map::Answer),
    BaseSize(base_size::Answer),
    Cases(cases::Answer),
}

pub type Question = (Of, Asked);
pub type Asker = Worker<Question, Result<Found, String>>;

impl Found {
    fn answered(&self) -> Answered<'_> {
        match self {
            Self::SwitchOver(answer) => Answered::SwitchOver(answer),
            Self::Preference(answer) => Answered::Preference(answer),
            Self::Map(answer) => Answered::Map(answer),
            Self::BaseSize(answer) => Answered::BaseSize(answer),
            Self::Cases(answer) => Answered::Cases(answer),
        }
    }
}

/// Runs the analysis that answers; nothing where nobody wants that any more.
pub fn compute((of, asked): &Question, goes_on: GoesOn<'_>) -> Option<Result<Found, String>> {
    let scenario = &of.0.scenario;
    fn told<A>(answer: Result<A, crate::scenario::Problem>, found: fn(A) -> Found) -> Result<Found, String> {
        answer.map(found).map_err(|problem| problem.to_string())
    }
    Some(match asked.clone() {
        Asked::SwitchOver(question) => told(analyses::switch_over(scenario, question, goes_on)?, Found::SwitchOver),
        Asked::Preference(question) => told(analyses::preference(scenario, question, goes_on)?, Found::Preference),
        Asked::Map(question) => told(analyses::map(scenario, question, goes_on)?, Found::Map),
        Asked::BaseSize(question) => told(analyses::base_size(scenario, question, goes_on)?, Found::BaseSize),
        Asked::Cases(figure) => {
            let said = |problems: Vec<crate::scenario::Problem>| {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
            };
            analyses::cases(scenario, figure, goes_on)?.map(Found::Cases).map_err(said)
        }
    })
}

/// Tells how far a computation is, and wakes the window now and then to show it.
pub fn watched<'a>(progress: &'a Progress, tell: &'a (impl Fn() + Sync)) -> impl Fn(usize, usize) -> bool + Sync + 'a {
    /// How often the window is woken.
    const EVERY: usize = 16;
    move |done, all| {
        progress.tell(done, all);
        if done.is_multiple_of(EVERY) {
            tell();
        }
        progress.wanted()
    }
}

/// Why a question cannot be asked, and what to do about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Nothing {
    NoRanges,
    OnePlacement,
    NoHybrid,
    NoCases,
    /// The inputs that are asked about first are those that move the figure most, which is being found out.
    Waiting,
}

/// The question that a page asks of a scenario; `known` is what the tornado has answered about it.
pub fn asked(driver: Driver, of: &Arc<Snapshot>, choices: &Choices, figure: usize) -> Result<Asked, Nothing> {
    let scenario = &of.scenario;
    let figure = figures(scenario).into_iter().nth(figure).map_or(Figure::Total, |(figure, _)| figure);
    match driver {
        Driver::SwitchOver | Driver::Map if scenario.placements.len() < 2 => Err(Nothing::OnePlacement),
        Driver::SwitchOver => {
            let path = choices.input.clone().ok_or(Nothing::NoRanges)?;
            Ok(match choices.between {
                Some(between) => Asked::SwitchOver(switch_over::Question { path, between, figure }),
                None => Asked::Preference(preference::Question { path, figure }),
            })
        }
        Driver::Map => {
            let paths = choices.across.clone().zip(choices.down.clone()).ok_or(Nothing::NoRanges)?;
            Ok(Asked::Map(map::Question { paths: paths.into(), figure, steps: choices.map_steps() }))
        }
        Driver::BaseSize => {
            let question = base_size::hybrids(scenario).into_iter().nth(choices.hybrid);
            question.map(Asked::BaseSize).ok_or(Nothing::NoHybrid)
        }
        Driver::Cases if scenario.cases.is_empty() => Err(Nothing::NoCases),
        Driver::Cases => Ok(Asked::Cases(figure)),
        Driver::Tornado | Driver::Spider => Err(Nothing::NoRanges),
    }
}

/// What of the bars is shown: of which question, how many, whether briefly, which is chosen, and along what.
type ShownBars = (TornadoChoice, Option<usize>, bool, Option<String>, Along);

/// What the description of a chart depends on.
#[derive(Clone, PartialEq)]
struct Key {
    of: Of,
    asked: Option<Asked>,
    bars: Option<ShownBars>,
    figures: Figures,
}

/// The answers of every question, and their charts.
#[derive(Default)]
pub struct Drivers {
    askers: [Option<Asker>; Driver::ALL.len()],
    kept: Vec<(Driver, Key, Described)>,
}

impl Drivers {
    /// What answers a question that is none of the tornado's.
    pub fn asker(&self, driver: Driver) -> Option<&Asker> {
        self.askers.get(driver as usize)?.as_ref()
    }

    pub fn asker_mut(&mut self, driver: Driver) -> &mut Asker {
        self.askers[driver as usize].get_or_insert_with(Worker::idle)
    }

    /// Takes the answers of finished jobs.
    pub fn receive(&mut self) {
        self.askers.iter_mut().flatten().for_each(Worker::receive);
    }

    /// Forgets what belonged to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Which questions have an answer that can be drawn.
    pub fn answered(&self, bars: &Sensitivity) -> [bool; Driver::ALL.len()] {
        let has_bars = bars.last().is_some_and(|last| last.answer.is_ok());
        Driver::ALL.map(|driver| match driver.is_of_bars() {
            true => has_bars,
            false => self.asker(driver).and_then(Asker::last).is_some_and(|last| last.answer.is_ok()),
        })
    }

    /// The scenario that the last answer is about, and its chart; none before there is an answer, or where it is a refusal.
    /// `brief` bars leave more room for themselves.
    pub fn described(
        &mut self,
        driver: Driver,
        bars: &Sensitivity,
        (choices, figures, all_bars, brief): (&Choices, Figures, Option<usize>, bool),
    ) -> Option<(Arc<Snapshot>, Described)> {
        let (of, key) = match driver.is_of_bars() {
            true => {
                let last = bars.last()?;
                let Computed { of, .. } = last.answer.as_ref().ok()?;
                let most = if driver == Driver::Spider { Some(choices.most_lines()) } else { all_bars };
                let shown = (last.question.1.clone(), most, brief, choices.line.clone(), choices.along);
                let key = Key { of: Of(Arc::clone(of)), asked: None, bars: Some(shown), figures };
                (Arc::clone(of), key)
            }
            false => {
                let last = self.asker(driver)?.last()?;
                last.answer.as_ref().ok()?;
                let (of, asked) = last.question.clone();
                (Arc::clone(&of.0), Key { of, asked: Some(asked), bars: None, figures })
            }
        };
        if let Some((.., known)) = self.kept.iter().find(|(of, known, _)| *of == driver && *known == key) {
            return Some((of, Rc::clone(known)));
        }
        let described = Rc::new(self.describe(driver, bars, &key)?);
        self.kept.retain(|(of, ..)| *of != driver);
        self.kept.push((driver, key, Rc::clone(&described)));
        Some((of, described))
    }

    fn describe(&self, driver: Driver, bars: &Sensitivity, key: &Key) -> Option<Result<crate::chart::Chart, String>> {
        let of = &key.of.0;
        let answered = match &key.bars {
            Some((_, most, brief, line, along)) => {
                let computed = bars.last()?.answer.as_ref().ok()?;
                let chosen = line.as_deref().filter(|_| driver == Driver::Spider);
                let shown = Bars { today: of.today, most: *most, brief: *brief, chosen, along: *along };
                Answered::Tornado(&computed.answer, shown)
            }
            None => self.asker(driver)?.last()?.answer.as_ref().ok()?.answered(),
        };
        let subject = Subject {
            scenario: &of.scenario,
            evaluation: &of.evaluation,
            figures: key.figures,
            reference: 0,
            focus: None,
            base: None,
            answered: Some(answered),
        };
        Some(describe(&subject, &Which::of_all(driver.kind())))
    }
}
