//! The values of an input at which two placements cost the same: every crossing in its range, jumps included.
//!
//! The range is tried on an even grid, then between neighbours wherever the two figures could meet there: where one
//! overtakes the other by halving, and where a bend or a jump inside is large enough to reach, by dividing further. What
//! overtakes and falls back within a hundredth of the range can be missed only where nothing around it shows it.
//! The analysis names its evaluations, and whoever asks runs them. Nothing here knows a formula.

use rust_decimal::Decimal;

use crate::engine::{Figure, Prepared, Standing, standings};
use crate::quantity::{Currency, Exact};
use crate::scenario::{Problem, Scenario, problem};

use super::figure::{decimal, is_money};
use super::moves::{DIGITS_OF_ANY_SHARE, Move, Outcome, merged, moved, prepared};
use super::range::{RangeKind, shortest_between};

/// Parts of the grid.
const GRID: u32 = 64;
/// Parts of a range in which a crossing is located: a thousand-millionth.
const PARTS: u32 = GRID << 24;
/// Counts up to so many are all tried.
const EVERY_COUNT: u32 = 600;
/// How often a part without a crossing at its ends is divided in search of one inside.
const QUIET_DIVISIONS: u32 = 6;
/// A part is left where its ends are so many times farther from a crossing than its middle is from a straight line.
const FAR: i64 = 8;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The path of an input, or `groups.` and the id of a group.
    pub path: String,
    /// Two placements, by their places in the scenario.
    pub between: [usize; 2],
    pub figure: Figure,
}

/// A planned search.
#[derive(Debug)]
pub struct SwitchOver {
    question: Question,
    currency: Currency,
    scenario: Scenario,
    prepared: Prepared,
    moved: Move,
    /// The placements asked about on which the input can have an effect.
    affected: Vec<usize>,
    /// Parts into which the range is divided.
    scale: u32,
}

/// The two placements at one part of the range.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    part: u32,
    value: Exact,
    /// The figures of the two; none where one cannot be computed.
    figures: [Option<Decimal>; 2],
    /// The first figure less the second; none where one of them cannot be computed.
    difference: Option<Decimal>,
    /// Whether each serves as far as is accepted.
    serves: [bool; 2],
    /// Why there is no difference.
    failure: Option<Problem>,
}

/// Where one placement overtakes the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Crossing {
    /// The last value found at which `from` costs no more.
    pub before: Exact,
    /// The value from which on `to` costs less. Where the cost is even and not a jump, both cost the same here.
    pub at: Exact,
    /// By its place in the scenario.
    pub from: usize,
    /// By its place in the scenario.
    pub to: usize,
    /// The first figure less the second, at both values.
    pub difference: [Decimal; 2],
    /// Whether the difference leaps from one value to the next, as whole nodes make it.
    pub is_jump: bool,
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
    /// Whether only whole values count.
    pub is_counted: bool,
    /// The value of the scenario, and the first figure less the second there; no value for a group.
    pub base: (Option<Exact>, Decimal),
    /// From the low to the high.
    pub crossings: Vec<Crossing>,
    /// The placement that costs less at the low of the range.
    pub at_low: usize,
    /// Whether both cost the same wherever they were tried.
    pub is_same: bool,
    /// For each of the two, the stretches of the range on which it leaves more unmet than is accepted, as tried.
    pub unserved: [Vec<(Exact, Exact)>; 2],
    /// Values at which a figure cannot be computed, each with the reason.
    pub failed: Vec<(Exact, Problem)>,
    /// The values tried first, from the low to the high, for a chart.
    pub tried: Vec<Tried>,
}

/// The two placements at one value that was tried.
#[derive(Clone, PartialEq, Debug)]
pub struct Tried {
    pub value: Exact,
    /// The figures of the two, in the order asked; none where one cannot be computed.
    pub figures: [Option<Decimal>; 2],
    /// The first less the second.
    pub difference: Option<Decimal>,
    /// Whether each serves as far as is accepted.
    pub serves: [bool; 2],
}

impl Answer {
    /// The placement that costs less over the whole range, where no other overtakes it.
    #[must_use]
    pub fn always(&self) -> Option<usize> {
        (self.crossings.is_empty() && !self.is_same).then_some(self.at_low)
    }
}

impl SwitchOver {
    /// Plans the search.
    ///
    /// # Errors
    /// The path names no input or group with a range; the two placements are one, or not there; no known currency.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        let [first, second] = question.between;
        let known = scenario.placements.len();
        if known <= first || known <= second || first == second {
            return Err(Problem::error(
                "placements",
                "a switch-over lies between two different placements. Name two of the scenario.",
            ));
        }
        let currency =
            Currency::find(&scenario.currency).ok_or_else(|| problem::bad_currency("currency", &scenario.currency))?;
        let moved = moved(scenario, &question.path)?;
        let affected = moved.affects.iter().copied().filter(|place| question.between.contains(place)).collect();
        let scale = match moved.counted().map(|only| (only.range.low.as_whole(), only.range.high.as_whole())) {
            Some((Some(low), Some(high))) => u32::try_from(high.saturating_sub(low)).unwrap_or(PARTS),
            _ => PARTS,
        };
        let prepared = prepared(scenario, [&moved], DIGITS_OF_ANY_SHARE, &question.figure);
        Ok(Self { question, currency, scenario: scenario.clone(), prepared, moved, affected, scale: scale.max(1) })
    }

    /// The parts of the range to try first, in ascending order; see [`Runner::sample`].
    #[must_use]
    pub fn grid(&self) -> Vec<u32> {
        let every = self.moved.counted().is_some() && self.scale <= EVERY_COUNT;
        let step = if every { 1 } else { self.scale.div_ceil(GRID).max(1) };
        let mut parts: Vec<u32> = (0..self.scale).step_by(step as usize).collect();
        parts.push(self.scale);
        parts
    }

    /// Folds the samples of the grid, and what was found between each two neighbours of it, in their order.
    ///
    /// # Errors
    /// The base itself cannot be computed, or has no such figure.
    pub fn collect(&self, base: &Outcome, samples: &[Sample], found: Vec<Vec<Crossing>>) -> Result<Answer, Problem> {
        let base = base.as_ref().map_err(|failure| Problem::from(failure.clone()))?;
        let no_figure = || {
            Problem::error("", "the figure does not exist in both placements: there is no output to measure against.")
        };
        let at_base = self.difference(base).ok_or_else(no_figure)?;
        let first = samples.iter().find(|sample| sample.difference.is_some()).ok_or_else(no_figure)?;
        let (Some(low), Some(high)) = (samples.first(), samples.last()) else { return Err(no_figure()) };
        let unserved = [0, 1].map(|which| stretches(samples, |sample| !sample.serves[which]));
        let is_same = samples.iter().all(|sample| sample.difference.is_none_or(|difference| difference.is_zero()));
        let value = self.moved.value_in(&self.scenario);
        Ok(Answer {
            question: self.question.clone(),
            currency: self.currency,
            label: self.moved.label.clone(),
            unit: self.moved.unit.clone(),
            range: self.moved.kind,
            low: low.value,
            high: high.value,
            is_counted: self.moved.counted().is_some(),
            base: (value, at_base),
            crossings: found.into_iter().flatten().collect(),
            at_low: self.cheaper(first).unwrap_or(self.question.between[0]),
            is_same,
            unserved,
            failed: samples
                .iter()
                .filter_map(|sample| sample.failure.clone().map(|failure| (sample.value, failure)))
                .collect(),
            tried: samples.iter().map(Sample::tried).collect(),
        })
    }

    fn difference(&self, standings: &[Standing]) -> Option<Decimal> {
        let [first, second] = self.figures(standings);
        first?.checked_sub(second?)
    }

    fn figures(&self, standings: &[Standing]) -> [Option<Decimal>; 2] {
        self.question.between.map(|place| {
            let standing = standings.iter().find(|standing| standing.placement == place)?;
            decimal(standing.figure, self.currency)
        })
    }

    /// The placement that costs less; of equals the first in the file.
    fn cheaper(&self, sample: &Sample) -> Option<usize> {
        let [first, second] = self.question.between;
        let difference = sample.difference?;
        Some(if difference.is_zero() {
            first.min(second)
        } else if difference.is_sign_negative() {
            first
        } else {
            second
        })
    }
}

impl Sample {
    fn tried(&self) -> Tried {
        Tried { value: self.value, figures: self.figures, difference: self.difference, serves: self.serves }
    }
}

/// Stretches of neighbouring samples, each by its first and last value.
fn stretches(samples: &[Sample], is_meant: impl Fn(&Sample) -> bool) -> Vec<(Exact, Exact)> {
    let meant = |sample: &Sample| sample.failure.is_none() && is_meant(sample);
    samples
        .chunk_by(|one, next| meant(one) == meant(next))
        .filter_map(|run| Some((run.first()?, run.last()?)))
        .filter(|(first, _)| meant(first))
        .map(|(first, last)| (first.value, last.value))
        .collect()
}

/// Runs evaluations one after another, so that each thread can have one.
#[derive(Debug)]
pub struct Runner<'s> {
    plan: &'s SwitchOver,
    prepared: Prepared,
    base: &'s Outcome,
}

impl SwitchOver {
    /// The two placements as the scenario has them, which goes before everything else.
    pub fn base(&self) -> Outcome {
        standings(&self.scenario, &self.question.between, &self.question.figure)
    }
}

impl<'s> Runner<'s> {
    #[must_use]
    pub fn new(plan: &'s SwitchOver, base: &'s Outcome) -> Self {
        Self { plan, prepared: plan.prepared.clone(), base }
    }

    /// The two placements at one part of the range.
    pub fn sample(&mut self, part: u32) -> Sample {
        let moved = &self.plan.moved;
        let value = moved.shown(part, self.plan.scale).unwrap_or_default();
        self.sampled(part, value, &moved.settings(part, self.plan.scale))
    }

    fn sampled(&mut self, part: u32, value: Exact, settings: &[(usize, Exact)]) -> Sample {
        let plan = self.plan;
        let standings = match self.standings(settings) {
            Ok(standings) => standings,
            Err(problem) => {
                return Sample {
                    part,
                    value,
                    figures: [None; 2],
                    difference: None,
                    serves: [true; 2],
                    failure: Some(problem),
                };
            }
        };
        let serves = plan
            .question
            .between
            .map(|place| standings.iter().any(|standing| standing.placement == place && standing.is_acceptable));
        let (figures, difference) = (plan.figures(&standings), plan.difference(&standings));
        Sample { part, value, figures, difference, serves, failure: None }
    }

    fn standings(&mut self, settings: &[(usize, Exact)]) -> Result<Vec<Standing>, Problem> {
        let base = self.base.as_ref().map_err(|failure| Problem::from(failure.clone()))?;
        let moved = self.prepared.standings(settings, &self.plan.affected)?;
        Ok(merged(base, &moved))
    }

    /// Every crossing found between two neighbours of the grid, in the order of their values.
    pub fn search(&mut self, low: &Sample, high: &Sample) -> Vec<Crossing> {
        let mut found = Vec::new();
        self.divide(low, high, 0, &mut found);
        found
    }

    fn divide(&mut self, low: &Sample, high: &Sample, divisions: u32, found: &mut Vec<Crossing>) {
        let (Some(from), Some(to)) = (self.plan.cheaper(low), self.plan.cheaper(high)) else { return };
        let is_crossed = from != to;
        let width = high.part - low.part;
        if width <= 1 {
            found.extend(is_crossed.then(|| self.crossing(low, high, from, to)).flatten());
            return;
        }
        if !is_crossed && divisions >= QUIET_DIVISIONS {
            return;
        }
        // Out of step with whatever repeats along the range, so that steps of equal height are not taken for a line.
        let part = low.part + if is_crossed { width / 2 } else { (width * 3 / 8).max(1) };
        let middle = self.sample(part);
        if !is_crossed && self.plan.cheaper(&middle) == Some(from) && is_far(low, &middle, high) {
            return;
        }
        self.divide(low, &middle, divisions + 1, found);
        self.divide(&middle, high, divisions + 1, found);
    }

    /// Names the place between two neighbouring parts shortly: for a jump the last value before it, and otherwise a value at
    /// which both cost the same, to the minor unit.
    fn crossing(&mut self, low: &Sample, high: &Sample, from: usize, to: usize) -> Option<Crossing> {
        let (plan, parts) = (self.plan, [low.part, high.part]);
        let (mut narrow_low, mut narrow_high) = (low.clone(), high.clone());
        plan.moved.narrowed(parts, plan.scale, |settings| {
            let (_, value) = *settings.first()?;
            let sample = self.sampled(parts[1], value, settings);
            let is_low = plan.cheaper(&sample)? == from;
            *if is_low { &mut narrow_low } else { &mut narrow_high } = sample;
            Some(is_low)
        });
        let is_narrowed = [narrow_low.value, narrow_high.value] != [low.value, high.value];
        let (low, high) = (&narrow_low, &narrow_high);
        if plan.moved.counted().is_some() {
            return made(low, high, from, to, true);
        }
        if self.is_jump([low.difference?, high.difference?]) {
            let before = self.named(low, high).filter(|sample| self.plan.cheaper(sample) == Some(from));
            let before = before.unwrap_or_else(|| low.clone());
            let after = self.named(&before, high).filter(|sample| self.plan.cheaper(sample) == Some(to));
            return made(&before, &after.unwrap_or_else(|| high.clone()), from, to, true);
        }
        // Rounded to the minor unit, both cost the same over a stretch to one side of where the one overtakes the other.
        let (low, high) = if is_narrowed {
            (low.clone(), high.clone())
        } else if is_tie(high) {
            (low.clone(), self.end_of_tie(high, self.plan.scale).unwrap_or_else(|| high.clone()))
        } else if is_tie(low) {
            (self.end_of_tie(low, 0).unwrap_or_else(|| low.clone()), low.clone())
        } else {
            (low.clone(), high.clone())
        };
        let after = self.named(&low, &high).filter(|sample| sample.difference.is_some());
        made(&low, &after.unwrap_or_else(|| high.clone()), from, to, false)
    }

    /// The last sample of a tie, on the way to an end of the range.
    fn end_of_tie(&mut self, tie: &Sample, end: u32) -> Option<Sample> {
        let (mut inside, mut outside) = (tie.part, None);
        let mut reach = 1_u32;
        while outside.is_none() {
            let part = if end == 0 { tie.part.saturating_sub(reach) } else { tie.part.saturating_add(reach).min(end) };
            match is_tie(&self.sample(part)) {
                true if part == end => return Some(self.sample(part)),
                true => inside = part,
                false => outside = Some(part),
            }
            reach = reach.saturating_mul(2);
        }
        let mut outside = outside?;
        while inside.abs_diff(outside) > 1 {
            let middle = u32::midpoint(inside, outside);
            if is_tie(&self.sample(middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        Some(self.sample(inside))
    }

    /// The sample at the shortest value above the first and not above the second; none for a group, which has no value.
    fn named(&mut self, low: &Sample, high: &Sample) -> Option<Sample> {
        let short = Exact::from_decimal(shortest_between(low.value.decimal(), high.value.decimal())).ok()?;
        match self.plan.moved.members.as_slice() {
            [only] if !self.plan.moved.is_group => {
                let index = only.index;
                Some(self.sampled(high.part, short, &[(index, short)]))
            }
            _ => None,
        }
    }

    /// Whether a difference changes by more, over a thousand-millionth of the range, than rounding to the minor unit can
    /// make it: ten whole units of the currency, or a hundred-thousandth of a ratio.
    fn is_jump(&self, [before, after]: [Decimal; 2]) -> bool {
        let least = if is_money(&self.plan.question.figure) { Decimal::TEN } else { Decimal::new(1, 5) };
        before.checked_sub(after).is_some_and(|leap| least < leap.abs())
    }
}

fn is_tie(sample: &Sample) -> bool {
    sample.difference.is_some_and(|difference| difference.is_zero())
}

fn made(before: &Sample, after: &Sample, from: usize, to: usize, is_jump: bool) -> Option<Crossing> {
    let difference = [before.difference?, after.difference?];
    Some(Crossing { before: before.value, at: after.value, from, to, difference, is_jump })
}

/// Whether no bend or jump like the one seen in the middle could reach a crossing between the ends.
fn is_far(low: &Sample, middle: &Sample, high: &Sample) -> bool {
    let (Some(first), Some(between), Some(last)) = (low.difference, middle.difference, high.difference) else {
        return false;
    };
    let way = Decimal::from(middle.part - low.part) / Decimal::from((high.part - low.part).max(1));
    let straight =
        last.checked_sub(first).and_then(|rise| rise.checked_mul(way)).and_then(|rise| rise.checked_add(first));
    let bend = straight.and_then(|straight| between.checked_sub(straight)).map(|bend| bend.abs());
    let nearest = first.abs().min(between.abs()).min(last.abs());
    bend.and_then(|bend| bend.checked_mul(Decimal::from(FAR))).is_some_and(|reach| reach < nearest)
}

/// The whole search, evaluation after evaluation.
///
/// # Errors
/// As [`SwitchOver::new`] and [`SwitchOver::collect`].
pub fn switch_over(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let plan = SwitchOver::new(scenario, question)?;
    let base = plan.base();
    let mut runner = Runner::new(&plan, &base);
    let samples: Vec<Sample> = plan.grid().into_iter().map(|part| runner.sample(part)).collect();
    let found = samples.windows(2).map(|pair| runner.search(&pair[0], &pair[1])).collect();
    plan.collect(&base, &samples, found)
}
