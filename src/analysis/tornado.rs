//! What each input moves: one at a time from its low to its high, all else at base and everything derived recomputed.
//!
//! The tornado names its evaluations, and whoever asks runs them, in any order and on any thread: [`Tornado::new`] plans
//! them, a [`Runner`] runs one after another, and [`Tornado::collect`] folds what came out. Nothing here knows a formula,
//! or the name of a single input beyond the setting that says how inputs without a range are moved.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use crate::engine::{Figure, Prepared, Standing};
use crate::input::EvidenceKind;
use crate::quantity::{Currency, Exact};
use crate::scenario::{Problem, Scenario};

use super::figure::decimal;
use super::moves::{self, Move, merged, moves, preferred, prepared};
use super::range::RangeKind;

/// Values on each range: the ends, the quarters and the middle.
pub const POINTS: u32 = 5;

/// Digits after the point of the shares that these are.
const DIGITS_OF_QUARTERS: u32 = 2;

/// A switch-over is searched by so many halvings of the way between two points.
const SEARCH_STEPS: u32 = 20;

/// What a tornado is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// By its place in the scenario.
    pub placement: usize,
    /// The placement whose figure is subtracted, if any.
    pub against: Option<usize>,
    pub figure: Figure,
}

/// A planned tornado: which inputs are moved over which values.
#[derive(Clone, Debug)]
pub struct Tornado {
    question: Question,
    prepared: Prepared,
    currency: Currency,
    moves: Vec<Move>,
    held: Vec<String>,
    jobs: Vec<Job>,
    /// Whether all placements are evaluated, to mark where the preferred one changes.
    with_preference: bool,
}

/// The evaluations of one bar, or of the base.
#[derive(Clone, Debug)]
pub struct Job {
    /// Which input is moved; none is the base.
    moved: Option<usize>,
    /// The values that are tried.
    settings: Vec<Vec<(usize, Exact)>>,
    /// Which of these each point of the range is; none where it is the base.
    points: Vec<Option<usize>>,
    placements: Vec<usize>,
}

/// What the evaluations of a job answered, in their order.
pub type Outcome = Vec<moves::Outcome>;

/// A search for the value at which another placement becomes preferred.
#[derive(Clone, Debug)]
pub struct Search {
    bar: usize,
    /// The points between which the preference changes.
    from: u32,
    /// The placement preferred at that point.
    preferred: Option<usize>,
    /// The placement preferred at the next point.
    next: Option<usize>,
}

/// Where on a range another placement becomes preferred.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Switch {
    /// The value from which on it is; none where it cannot be computed.
    pub at: Option<Exact>,
    /// The placement preferred below, by its place in the scenario; none where no placement is acceptable.
    pub from: Option<usize>,
    /// The placement preferred from there on.
    pub to: Option<usize>,
}

/// The bars, sorted as drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub question: Question,
    pub currency: Currency,
    pub base: Decimal,
    /// The placements asked about that leave more demand unmet than is accepted in the base already.
    pub unserved: Vec<usize>,
    pub bars: Vec<Bar>,
    /// Paths of inputs with a range that move nothing, in the order of the file.
    pub unmoved: Vec<String>,
    /// Paths of inputs that are held fixed for want of a range.
    pub held: Vec<String>,
    /// Inputs whose range holds a value that cannot be computed.
    pub failed: Vec<Problem>,
}

/// What one input, or a group of them, moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// The path of the input, or `groups.` and the id of a group.
    pub path: String,
    pub label: String,
    pub unit: String,
    pub low: Exact,
    pub high: Exact,
    pub range: RangeKind,
    pub evidence: EvidenceKind,
    /// The values tried; for a group, the shares of the ranges of its inputs.
    pub inputs: Vec<Exact>,
    pub results: Vec<Decimal>,
    pub least: Decimal,
    pub greatest: Decimal,
    pub swing: Decimal,
    /// Whether a result inside the range is extreme.
    pub non_monotonic: bool,
    /// Whether another placement is preferred somewhere on the range.
    pub changes_preferred: bool,
    /// Where another placement becomes preferred, from the low to the high.
    pub switches: Vec<Switch>,
    /// The placements asked about that leave more demand unmet than is accepted somewhere on the range, by their place in
    /// the scenario: there the figure is that of less work.
    pub unserved: Vec<usize>,
    /// Place in the order of the file.
    pub place: usize,
}

impl Bar {
    /// The values from which on another placement is preferred.
    pub fn switch_over(&self) -> impl Iterator<Item = Exact> {
        self.switches.iter().filter_map(|switch| switch.at)
    }
}

impl Tornado {
    /// Plans the evaluations.
    ///
    /// # Errors
    /// The scenario has no placement at the place asked for, or no known currency.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        Self::planned(scenario, question, true)
    }

    /// Plans the evaluations of the figure alone, without marking where the preferred placement changes: several times
    /// fewer where there are many placements.
    ///
    /// # Errors
    /// As [`Tornado::new`].
    pub fn figure_only(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        Self::planned(scenario, question, false)
    }

    fn planned(scenario: &Scenario, question: Question, with_preference: bool) -> Result<Self, Problem> {
        let known = scenario.placements.len();
        if known <= question.placement || question.against.is_some_and(|against| known <= against) {
            return Err(Problem::error(
                "placements",
                "the placement asked for does not exist. Name one of the scenario.",
            ));
        }
        let currency = Currency::find(&scenario.currency)
            .ok_or_else(|| crate::scenario::problem::bad_currency("currency", &scenario.currency))?;
        let (mut moves, held) = moves(scenario);
        let is_asked =
            |place: &usize| with_preference || *place == question.placement || Some(*place) == question.against;
        for moved in &mut moves {
            moved.affects.retain(is_asked);
        }
        let of_base = |placements| Job { moved: None, settings: vec![Vec::new()], points: vec![Some(0)], placements };
        let mut jobs = vec![of_base((0..known).filter(is_asked).collect())];
        let prepared = prepared(scenario, &moves, DIGITS_OF_QUARTERS, &question.figure);
        for (place, moved) in moves.iter().enumerate().filter(|(_, moved)| !moved.affects.is_empty()) {
            let mut job =
                Job { moved: Some(place), settings: Vec::new(), points: Vec::new(), placements: moved.affects.clone() };
            for settings in (0..POINTS).map(|point| moved.settings(point, POINTS - 1)) {
                // Points that are the base, or that counts have rounded to the same values, need not be computed.
                let is_known = prepared.is_at(&settings);
                if !is_known && job.settings.last() != Some(&settings) {
                    job.settings.push(settings);
                }
                job.points.push(if is_known { None } else { Some(job.settings.len() - 1) });
            }
            jobs.push(job);
        }
        Ok(Self { question, prepared, currency, moves, held, jobs, with_preference })
    }

    /// The evaluations to run, bar by bar, each on its own.
    #[must_use]
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Where the preference changes between neighbouring points: searches to run after all jobs.
    #[must_use]
    pub fn searches(&self, outcomes: &[Outcome]) -> Vec<Search> {
        let Some(table) = self.table(outcomes).filter(|_| self.with_preference) else { return Vec::new() };
        let mut searches = Vec::new();
        for bar in 0..self.moves.len() {
            let Some(points) = table.points(bar) else { continue };
            let preferred: Vec<Option<usize>> = points.iter().map(|standings| preferred(standings)).collect();
            for (from, pair) in (0..).zip(preferred.windows(2)) {
                if pair.first() != pair.last() {
                    let [preferred, next] = [pair.first(), pair.last()].map(|of| of.copied().flatten());
                    searches.push(Search { bar, from, preferred, next });
                }
            }
        }
        searches
    }

    /// Folds the outcomes of all jobs and searches, each list in its order.
    ///
    /// # Errors
    /// The base itself cannot be computed, or has no such figure.
    pub fn collect(&self, outcomes: &[Outcome], found: &[(Search, Switch)]) -> Result<Answer, Problem> {
        if let Some(Err(failure)) = outcomes.first().and_then(|of_base| of_base.first()) {
            return Err(failure.clone().into());
        }
        let table =
            self.table(outcomes).ok_or_else(|| Problem::error("", "not every evaluation of the tornado was run."))?;
        let base = self.figure(&table.base).ok_or_else(|| {
            Problem::error("", "the figure does not exist in this placement: there is no output to measure against.")
        })?;
        let mut answer = Answer {
            question: self.question.clone(),
            currency: self.currency,
            base,
            unserved: self.unserved(table.base.iter()),
            bars: Vec::new(),
            unmoved: Vec::new(),
            held: self.held.clone(),
            failed: Vec::new(),
        };
        for (place, moved) in self.moves.iter().enumerate() {
            let bar = match table.points(place) {
                Some(points) => self.bar(moved, &points),
                None => Err(table.failure(place)),
            };
            match bar {
                Err(message) => answer.failed.push(Problem::error(moved.path.clone(), message)),
                Ok(bar) if bar.swing.is_zero() => answer.unmoved.push(moved.path.clone()),
                Ok(mut bar) => {
                    let of_bar = found.iter().filter(|(search, _)| search.bar == place);
                    bar.switches = of_bar.map(|(_, switch)| *switch).collect();
                    answer.bars.push(bar);
                }
            }
        }
        answer.bars.sort_by(|a, b| b.swing.cmp(&a.swing).then_with(|| a.path.cmp(&b.path)));
        Ok(answer)
    }

    fn bar(&self, moved: &Move, points: &[Vec<Standing>]) -> Result<Bar, String> {
        let no_figure = || "at an end of its range there is no output to measure against.".to_owned();
        let results: Vec<Decimal> =
            points.iter().map(|standings| self.figure(standings)).collect::<Option<_>>().ok_or_else(no_figure)?;
        let inputs: Vec<Exact> = (0..POINTS).filter_map(|point| moved.shown(point, POINTS - 1)).collect();
        let (Some(low), Some(high)) = (inputs.first(), inputs.last()) else {
            return Err("its range has no values.".into());
        };
        let least = results.iter().copied().min().unwrap_or_default();
        let greatest = results.iter().copied().max().unwrap_or_default();
        let ends = [results.first().copied().unwrap_or_default(), results.last().copied().unwrap_or_default()];
        let [first, last] = ends;
        let mut preferences = points.iter().map(|standings| preferred(standings));
        let at_low = preferences.next().flatten();
        Ok(Bar {
            path: moved.path.clone(),
            label: moved.label.clone(),
            unit: moved.unit.clone(),
            low: *low,
            high: *high,
            range: moved.kind,
            evidence: moved.evidence,
            inputs,
            least,
            greatest,
            swing: greatest.checked_sub(least).unwrap_or(Decimal::MAX),
            non_monotonic: least < first.min(last) || first.max(last) < greatest,
            changes_preferred: self.with_preference && preferences.any(|preferred| preferred != at_low),
            switches: Vec::new(),
            unserved: self.unserved(points.iter().flatten()),
            results,
            place: moved.place,
        })
    }

    /// The placements asked about that are not acceptable in one of these standings.
    fn unserved<'s>(&self, standings: impl Iterator<Item = &'s Standing>) -> Vec<usize> {
        let of_less: Vec<usize> =
            standings.filter(|standing| !standing.is_acceptable).map(|standing| standing.placement).collect();
        let asked = [Some(self.question.placement), self.question.against].into_iter().flatten();
        asked.filter(|place| of_less.contains(place)).collect()
    }

    /// The figure asked for, of one placement or as a difference.
    fn figure(&self, standings: &[Standing]) -> Option<Decimal> {
        let of = |placement: usize| {
            let standing = standings.iter().find(|standing| standing.placement == placement)?;
            decimal(standing.figure, self.currency)
        };
        let figure = of(self.question.placement)?;
        match self.question.against {
            Some(against) => figure.checked_sub(of(against)?),
            None => Some(figure),
        }
    }

    fn table<'o>(&'o self, outcomes: &'o [Outcome]) -> Option<Table<'o>> {
        let base = outcomes.first()?.first()?.as_ref().ok()?.clone();
        if outcomes.len() != self.jobs.len() {
            return None;
        }
        let of_job = |(job, outcome): (&'o Job, &'o Outcome)| job.moved.map(|moved| (moved, (job, outcome)));
        Some(Table { base, of: self.jobs.iter().zip(outcomes).filter_map(of_job).collect() })
    }
}

/// Outcomes by the input moved, with the base for what cannot have moved.
struct Table<'o> {
    base: Vec<Standing>,
    of: BTreeMap<usize, (&'o Job, &'o Outcome)>,
}

impl Table<'_> {
    /// All standings at each point of a bar; none where a point could not be computed.
    fn points(&self, bar: usize) -> Option<Vec<Vec<Standing>>> {
        let Some((job, outcome)) = self.of.get(&bar) else { return Some(vec![self.base.clone(); POINTS as usize]) };
        let at_point = |point: &Option<usize>| match point {
            Some(place) => Some(merged(&self.base, outcome.get(*place)?.as_ref().ok()?)),
            None => Some(self.base.clone()),
        };
        job.points.iter().map(at_point).collect()
    }

    fn failure(&self, bar: usize) -> String {
        let mut failures =
            self.of.get(&bar).into_iter().flat_map(|(_, outcome)| outcome.iter().filter_map(|of| of.as_ref().err()));
        let found = failures
            .next()
            .map(|failure| format!("on its range: {}: {}.", failure.path, failure.message.trim_end_matches('.')));
        found.unwrap_or_else(|| "its range cannot be computed.".into())
    }
}

/// Runs evaluations one after another on a copy of the scenario of its own, so that each thread can have one.
#[derive(Debug)]
pub struct Runner<'t> {
    tornado: &'t Tornado,
    prepared: Prepared,
}

impl<'t> Runner<'t> {
    #[must_use]
    pub fn new(tornado: &'t Tornado) -> Self {
        Self { tornado, prepared: tornado.prepared.clone() }
    }

    /// Runs the evaluations of a job.
    pub fn run(&mut self, job: &Job) -> Outcome {
        self.prepared.standings_of_many(&job.settings, &job.placements)
    }

    /// Finds where the preference changes: the shortest value from which on another placement is preferred, and which.
    ///
    /// `base` is the outcome of the first job.
    pub fn search(&mut self, search: &Search, base: &Outcome) -> Switch {
        let Search { preferred: from, next, .. } = *search;
        match self.halved(search, base) {
            Some((at, to)) => Switch { at: Some(at), from, to },
            None => Switch { at: None, from, to: next },
        }
    }

    fn halved(&mut self, search: &Search, base: &Outcome) -> Option<(Exact, Option<usize>)> {
        let tornado = self.tornado;
        let base = base.first()?.as_ref().ok()?;
        let moved = tornado.moves.get(search.bar)?;
        // Between two neighbouring points, halving cuts the quarter of the range into so many parts.
        let parts = 1_u32 << SEARCH_STEPS;
        let scale = (POINTS - 1).checked_mul(parts)?;
        let (mut low, mut high) = (search.from.checked_mul(parts)?, search.from.checked_add(1)?.checked_mul(parts)?);
        let mut to = search.next;
        while low + 1 < high {
            if moved.are_neighbours(low, high, scale) {
                break;
            }
            let middle = low + (high - low) / 2;
            let settings = moved.settings(middle, scale);
            let standings = merged(base, &self.prepared.standings(&settings, &moved.affects).ok()?);
            match preferred(&standings) {
                same if same == search.preferred => low = middle,
                other => (high, to) = (middle, other),
            }
        }
        let narrowed = moved.narrowed([low, high], scale, |settings| {
            let outcome = self.prepared.standings(settings, &moved.affects).ok()?;
            let other = preferred(&merged(base, &outcome));
            let is_low = other == search.preferred;
            to = if is_low { to } else { other };
            Some(is_low)
        })?;
        Move::between(narrowed).map(|at| (at, to))
    }
}

/// The whole tornado, evaluation after evaluation.
///
/// # Errors
/// As [`Tornado::new`] and [`Tornado::collect`].
pub fn tornado(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let tornado = Tornado::new(scenario, question)?;
    let mut runner = Runner::new(&tornado);
    let outcomes: Vec<Outcome> = tornado.jobs().iter().map(|job| runner.run(job)).collect();
    let found = found(&tornado, &mut runner, &outcomes);
    tornado.collect(&outcomes, &found)
}

/// Runs every search.
pub fn found(tornado: &Tornado, runner: &mut Runner<'_>, outcomes: &[Outcome]) -> Vec<(Search, Switch)> {
    let Some(base) = outcomes.first() else { return Vec::new() };
    let searches = tornado.searches(outcomes);
    searches
        .into_iter()
        .map(|search| {
            let switch = runner.search(&search, base);
            (search, switch)
        })
        .collect()
}
