//! Along one input: the figure of every placement, and where another one becomes preferred.
//!
//! The range is tried on an even grid, a count at every value where there are few, and wherever the preference differs
//! between neighbours, halved. What is preferred only between two neighbours of the grid is missed. The analysis names its
//! evaluations, and whoever asks runs them. Nothing here knows a formula.

use rust_decimal::Decimal;

use crate::engine::{Figure, Prepared, standings};
use crate::quantity::{Currency, Exact};
use crate::scenario::{Problem, Scenario, problem};

use super::figure::decimal;
use super::moves::{DIGITS_OF_ANY_SHARE, Move, Outcome, merged, moved, preferred, prepared};
use super::range::RangeKind;

/// Parts of the grid.
const GRID: u32 = 64;
/// Parts of a range in which a change is located.
const PARTS: u32 = GRID << 20;
/// Counts up to so many are all tried.
const EVERY_COUNT: u32 = 600;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The path of an input, or `groups.` and the id of a group.
    pub path: String,
    /// The figure that is shown; the one that decides says what is preferred.
    pub figure: Figure,
}

/// Planned evaluations.
#[derive(Debug)]
pub struct Preference {
    question: Question,
    currency: Currency,
    scenario: Scenario,
    prepared: Prepared,
    moved: Move,
    /// Parts into which the range is divided.
    scale: u32,
}

/// Every placement at one value.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    part: u32,
    pub value: Exact,
    /// The figure of each placement, in the order of the file; none where there is no output to measure against.
    pub figures: Vec<Option<Decimal>>,
    /// The placement preferred by the figure that decides; none where no placement is acceptable.
    pub preferred: Option<usize>,
    /// Why there are no figures.
    pub failure: Option<Problem>,
}

/// Where another placement becomes preferred.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Switch {
    /// The value from which on it is.
    pub at: Exact,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub question: Question,
    pub currency: Currency,
    pub label: String,
    pub unit: String,
    pub range: RangeKind,
    pub low: Exact,
    pub high: Exact,
    /// The value of the scenario; none for a group.
    pub base: Option<Exact>,
    /// From the low to the high.
    pub samples: Vec<Sample>,
    /// From the low to the high.
    pub switches: Vec<Switch>,
}

impl Answer {
    /// The placement that is preferred over the whole range, as far as it can be computed, if one is.
    #[must_use]
    pub fn always(&self) -> Option<usize> {
        let mut computed = self.samples.iter().filter(|sample| sample.failure.is_none());
        let first = computed.next()?.preferred?;
        computed.all(|sample| sample.preferred == Some(first)).then_some(first)
    }
}

impl Preference {
    /// Plans the evaluations.
    ///
    /// # Errors
    /// The path names no input or group with a range; no known currency.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        let currency =
            Currency::find(&scenario.currency).ok_or_else(|| problem::bad_currency("currency", &scenario.currency))?;
        let moved = moved(scenario, &question.path)?;
        let scale = match moved.counted().map(|only| (only.range.low.as_whole(), only.range.high.as_whole())) {
            Some((Some(low), Some(high))) => u32::try_from(high.saturating_sub(low)).unwrap_or(PARTS),
            _ => PARTS,
        };
        let prepared = prepared(scenario, [&moved], DIGITS_OF_ANY_SHARE, &question.figure);
        Ok(Self { question, currency, scenario: scenario.clone(), prepared, moved, scale: scale.max(1) })
    }

    /// The parts of the range to try, in ascending order; see [`Runner::sample`].
    #[must_use]
    pub fn grid(&self) -> Vec<u32> {
        let every = self.moved.counted().is_some() && self.scale <= EVERY_COUNT;
        let step = if every { 1 } else { self.scale.div_ceil(GRID).max(1) };
        let mut parts: Vec<u32> = (0..self.scale).step_by(step as usize).collect();
        parts.push(self.scale);
        parts
    }

    /// All placements as the scenario has them, which goes before everything else.
    pub fn base(&self) -> Outcome {
        let all: Vec<usize> = (0..self.scenario.placements.len()).collect();
        standings(&self.scenario, &all, &self.question.figure)
    }

    /// Folds the samples of the grid, and what was found between each two neighbours of it, in their order.
    ///
    /// # Errors
    /// The base itself cannot be computed.
    pub fn collect(&self, base: &Outcome, samples: Vec<Sample>, found: Vec<Vec<Switch>>) -> Result<Answer, Problem> {
        base.as_ref().map_err(|failure| Problem::from(failure.clone()))?;
        let (Some(low), Some(high)) = (samples.first(), samples.last()) else {
            return Err(Problem::error(self.question.path.clone(), "its range has no values."));
        };
        let value = self.moved.value_in(&self.scenario);
        Ok(Answer {
            question: self.question.clone(),
            currency: self.currency,
            label: self.moved.label.clone(),
            unit: self.moved.unit.clone(),
            range: self.moved.kind,
            low: low.value,
            high: high.value,
            base: value,
            switches: found.into_iter().flatten().collect(),
            samples,
        })
    }
}

/// Runs evaluations one after another, so that each thread can have one.
#[derive(Debug)]
pub struct Runner<'p> {
    plan: &'p Preference,
    prepared: Prepared,
    base: &'p Outcome,
}

impl<'p> Runner<'p> {
    #[must_use]
    pub fn new(plan: &'p Preference, base: &'p Outcome) -> Self {
        Self { plan, prepared: plan.prepared.clone(), base }
    }

    /// Every placement at one part of the range.
    pub fn sample(&mut self, part: u32) -> Sample {
        let Preference { moved, scale, .. } = self.plan;
        let value = moved.shown(part, *scale).unwrap_or_default();
        self.sampled(part, value, &moved.settings(part, *scale))
    }

    fn sampled(&mut self, part: u32, value: Exact, settings: &[(usize, Exact)]) -> Sample {
        let Preference { moved, currency, .. } = self.plan;
        let moved_standings = self.prepared.standings(settings, &moved.affects);
        match (self.base, moved_standings) {
            (Ok(base), Ok(found)) => {
                let standings = merged(base, &found);
                let figures = standings.iter().map(|standing| decimal(standing.figure, *currency)).collect();
                Sample { part, value, figures, preferred: preferred(&standings), failure: None }
            }
            (Err(failure), _) => self.failed(part, value, failure.clone().into()),
            (_, Err(failure)) => self.failed(part, value, failure.into()),
        }
    }

    fn failed(&self, part: u32, value: Exact, problem: Problem) -> Sample {
        let figures = vec![None; self.plan.scenario.placements.len()];
        Sample { part, value, figures, preferred: None, failure: Some(problem) }
    }

    /// Every change of preference found between two neighbours of the grid, in the order of their values.
    pub fn search(&mut self, low: &Sample, high: &Sample) -> Vec<Switch> {
        let mut found = Vec::new();
        if low.failure.is_none() && high.failure.is_none() {
            self.halve((low.part, low.preferred), (high.part, high.preferred), &mut found);
        }
        found
    }

    /// The change of preference between two neighbouring parts.
    fn switch(&mut self, low: (u32, Option<usize>), high: (u32, Option<usize>)) -> Option<Switch> {
        let (plan, mut to) = (self.plan, high.1);
        let narrowed = plan.moved.narrowed([low.0, high.0], plan.scale, |settings| {
            let (_, value) = *settings.first()?;
            let sample = self.sampled(high.0, value, settings);
            let is_low = sample.preferred == low.1;
            to = if is_low { to } else { sample.preferred };
            sample.failure.is_none().then_some(is_low)
        })?;
        Move::between(narrowed).map(|at| Switch { at, from: low.1, to })
    }

    fn halve(&mut self, low: (u32, Option<usize>), high: (u32, Option<usize>), found: &mut Vec<Switch>) {
        if low.1 == high.1 {
            return;
        }
        if high.0 - low.0 <= 1 {
            found.extend(self.switch(low, high));
            return;
        }
        let middle = self.sample(u32::midpoint(low.0, high.0));
        if middle.failure.is_some() {
            return;
        }
        let between = (middle.part, middle.preferred);
        self.halve(low, between, found);
        self.halve(between, high, found);
    }
}

/// The whole search, evaluation after evaluation.
///
/// # Errors
/// As [`Preference::new`] and [`Preference::collect`].
pub fn preference(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let plan = Preference::new(scenario, question)?;
    let base = plan.base();
    let mut runner = Runner::new(&plan, &base);
    let samples: Vec<Sample> = plan.grid().into_iter().map(|part| runner.sample(part)).collect();
    let found = samples.windows(2).map(|pair| runner.search(&pair[0], &pair[1])).collect();
    plan.collect(&base, samples, found)
}
