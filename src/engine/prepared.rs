//! One scenario prepared for many evaluations in which some of its inputs have other values.
//!
//! The evaluation of a placement is recorded once, and what its figures were computed by is done again for other values
//! ([`Program`]). Where a decision falls otherwise, or a count that was read is another one, the placement is evaluated by the
//! formulas, as anywhere else. Nothing here knows a formula, or which input is read where.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use crate::input::{Decl, Field, Input, Range, Segment, Visitor};
use crate::quantity::replay::pool::Pool;
use crate::quantity::replay::words::{Outcome, Words};
use crate::quantity::replay::{Program, Replayed, Scratch};
use crate::quantity::trace::{Question, recorded_for_replay};
use crate::quantity::{Currency, Exact, Money};
use crate::scenario::{ROOT, Scenario};

use super::evaluate::{ACCEPTED, Base, Stand, standings};
use super::traced::marked;
use super::{Failure, Figure, FigureValue, Standing};

/// Ways of a placement that are kept at once; beyond so many, placements are evaluated by the formulas.
const WAYS_MAX: usize = 128;
/// Times that recording a placement is tried in vain before it is given up.
const TRIES_MAX: usize = 4;

/// A scenario and the ways in which its placements were computed so far. Copies share what they have recorded, so that each
/// thread can have one.
#[derive(Clone)]
pub struct Prepared {
    /// In which the inputs that move leave a trace.
    recorded: Scenario,
    /// The same without, which costs less to compute with.
    plain: Scenario,
    figure: Figure,
    /// Which inputs move, and the values of all, by their places in the walk.
    moves: Vec<bool>,
    values: Vec<Exact>,
    known: Arc<RwLock<Known>>,
    /// Room for the numbers of one replay after the other.
    scratch: Scratch,
    room: Vec<i64>,
}

/// Sets of values that are replayed at once.
const LANES: usize = 4;
/// So few moved inputs leave most steps as they were recorded: those that follow are done with all digits sooner than all
/// steps are in words.
const FEW: usize = 8;

/// A placement, by its column among those asked for, to be replayed in one of its ways for one of the sets of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    column: usize,
    way: usize,
    set: usize,
}

/// What was recorded.
struct Known {
    pool: Pool,
    /// By placement. A way keeps its place.
    ways: Vec<Vec<Arc<Way>>>,
    /// By placement, how often it could not be recorded.
    tried_in_vain: Vec<usize>,
}

/// One way of computing a placement, for some values of the inputs that it counts by.
struct Way {
    counted: Vec<Exact>,
    program: Program,
    /// None where not every number can be bounded.
    words: Option<Words>,
}

impl Prepared {
    /// Prepares for a figure, and for other values of the inputs at some places of the walk, for the most part inside some
    /// ranges.
    #[must_use]
    pub fn new(scenario: &Scenario, moving: impl IntoIterator<Item = (usize, Range)>, figure: &Figure) -> Self {
        let mut values = Values(Vec::new());
        scenario.walk(&ROOT, &mut values);
        let mut moves = vec![false; values.0.len()];
        let mut ranges = Vec::new();
        for (place, Range { low, high }) in moving {
            if let (Some(moves), Some(value)) = (moves.get_mut(place), values.0.get(place)) {
                *moves = true;
                ranges.push((place, [low.min(*value).num(), high.max(*value).num()], digits_between(low, high)));
            }
        }
        Self {
            recorded: marked(scenario, |place| moves.get(place) == Some(&true)),
            plain: scenario.clone(),
            figure: figure.clone(),
            moves,
            values: values.0,
            known: Arc::new(RwLock::new(Known {
                pool: Pool::new(ranges),
                ways: scenario.placements.iter().map(|_| Vec::new()).collect(),
                tried_in_vain: vec![0; scenario.placements.len()],
            })),
            scratch: Scratch::default(),
            room: Vec::new(),
        }
    }

    /// Where placements stand with other values of some inputs, named by their places in the walk, in ascending order: as
    /// [`standings`] says.
    ///
    /// # Errors
    /// As [`standings`].
    pub fn standings(&mut self, settings: &[(usize, Exact)], placements: &[usize]) -> Result<Vec<Standing>, Failure> {
        self.standings_of_many(&[settings], placements).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// The same for several sets of values at once, which costs less for each.
    pub fn standings_of_many(
        &mut self,
        settings: &[impl AsRef<[(usize, Exact)]>],
        placements: &[usize],
    ) -> Vec<Result<Vec<Standing>, Failure>> {
        let replayed = self.replayed_of_many(settings, placements);
        let with_missing = |(settings, found): (&_, Vec<Option<Standing>>)| {
            let settings: &[(usize, Exact)] = AsRef::as_ref(settings);
            let is_missing = |place: &usize| found.iter().flatten().all(|standing| standing.placement != *place);
            let missing: Vec<usize> = placements.iter().copied().filter(is_missing).collect();
            if missing.is_empty() {
                return Ok(found.into_iter().flatten().collect());
            }
            let mut evaluated = self.evaluated(settings, &missing)?.into_iter();
            Ok(found.into_iter().filter_map(|found| found.or_else(|| evaluated.next())).collect())
        };
        settings.iter().zip(replayed).map(with_missing).collect()
    }

    /// By what was recorded, for each set of values and then each placement; none where that cannot be done.
    fn replayed_of_many(
        &mut self,
        settings: &[impl AsRef<[(usize, Exact)]>],
        placements: &[usize],
    ) -> Vec<Vec<Option<Standing>>> {
        let mut found = vec![vec![None; placements.len()]; settings.len()];
        // A cost per output is split off the totals, which is not done again step by step.
        if matches!(self.figure, Figure::CostPerOutput(_) | Figure::LevelisedCostPerOutput(_)) {
            return found;
        }
        // First the ways: recording one can need more of the pool. It costs more than evaluating once.
        let are_many = 1 < settings.len();
        let mut turns: Vec<Turn> = Vec::with_capacity(settings.len() * placements.len());
        for (set, settings) in settings.iter().map(AsRef::as_ref).enumerate() {
            if settings.iter().all(|(place, _)| self.moves.get(*place) == Some(&true)) {
                self.with(settings, |prepared| {
                    for (column, placement) in placements.iter().enumerate() {
                        let way = prepared.way(*placement, settings, are_many);
                        turns.extend(way.map(|way| Turn { column, way, set }));
                    }
                });
            }
        }
        let in_words = |settings: &&[(usize, Exact)]| FEW < settings.len();
        let words: Vec<Option<Vec<i64>>> = settings
            .iter()
            .map(|settings| Some(settings.as_ref()).filter(in_words))
            .map(|settings| settings.and_then(|settings| self.with(settings, Self::words_of_pool)))
            .collect();
        // Then what goes the same way together.
        turns.sort_unstable();
        for turns in turns.chunk_by(|one, other| (one.column, one.way) == (other.column, other.way)) {
            let mut rest = turns;
            while let Some((first, others)) = rest.split_first_chunk::<LANES>() {
                self.run(*first, placements, settings, &words, &mut found);
                rest = others;
            }
            for turn in rest {
                self.run([*turn], placements, settings, &words, &mut found);
            }
        }
        found
    }

    /// Replays one way of a placement for as many sets of values as there are lanes.
    fn run<const SETS: usize>(
        &mut self,
        turns: [Turn; SETS],
        placements: &[usize],
        settings: &[impl AsRef<[(usize, Exact)]>],
        pools: &[Option<Vec<i64>>],
        found: &mut [Vec<Option<Standing>>],
    ) {
        let Turn { column, way, .. } = turns[0];
        let placement = placements[column];
        let known = Arc::clone(&self.known().ways[placement][way]);
        let outcomes = match (&known.words, turns.map(|turn| pools[turn.set].as_deref())) {
            (Some(words), pools) if pools.iter().all(Option::is_some) => {
                words.run(pools.map(Option::unwrap_or_default), &mut self.room)
            }
            _ => std::array::from_fn(|_| Outcome::InDoubt),
        };
        for (Turn { set, .. }, outcome) in turns.into_iter().zip(outcomes) {
            let replayed = match outcome {
                Outcome::Done(replayed) => Some(replayed),
                Outcome::Otherwise => None,
                Outcome::InDoubt => self.with(settings[set].as_ref(), |prepared| prepared.with_all_digits(&known)),
            };
            found[set][column] = replayed.and_then(|replayed| standing(placement, &replayed));
        }
    }

    /// By the formulas.
    fn evaluated(&mut self, settings: &[(usize, Exact)], placements: &[usize]) -> Result<Vec<Standing>, Failure> {
        let mut values = settings.to_vec();
        self.plain.exchange_values(&mut values);
        let standings = standings(&self.plain, placements, &self.figure);
        self.plain.exchange_values(&mut values);
        standings
    }

    fn with_all_digits(&mut self, way: &Way) -> Option<Replayed> {
        let values = &self.values;
        way.program.replay(|place| values.get(place).map(|value| value.num()), &mut self.scratch)
    }

    fn words_of_pool(&mut self) -> Option<Vec<i64>> {
        let values = &self.values;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.pool.words(|place| values.get(place).map(|value| value.num()), &mut self.scratch)
    }

    fn known(&self) -> RwLockReadGuard<'_, Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something while the inputs have other values.
    fn with<R>(&mut self, settings: &[(usize, Exact)], act: impl FnOnce(&mut Self) -> R) -> R {
        let mut values = settings.to_vec();
        self.exchange(&mut values);
        let result = act(self);
        self.exchange(&mut values);
        result
    }

    fn exchange(&mut self, settings: &mut [(usize, Exact)]) {
        for (place, value) in settings {
            if let Some(here) = self.values.get_mut(*place) {
                std::mem::swap(here, value);
            }
        }
    }

    /// The way that a placement goes for the values of the moment; none where it cannot be recorded, or where it is another one
    /// than those that are known and not asked for many sets of values.
    fn way(&mut self, placement: usize, settings: &[(usize, Exact)], are_many: bool) -> Option<usize> {
        let known = self.known_way(&self.known(), placement);
        let is_first = self.known().ways.get(placement).is_some_and(Vec::is_empty);
        known.or_else(|| if are_many || is_first { self.record(placement, settings) } else { None })
    }

    fn known_way(&self, known: &Known, placement: usize) -> Option<usize> {
        let is_way = |way: &Arc<Way>| {
            let mut counted = way.program.counted().iter().zip(&way.counted);
            counted.all(|(place, value)| self.values.get(*place) == Some(value))
        };
        known.ways.get(placement)?.iter().position(is_way)
    }

    /// Records a placement, and says which of its ways that is; none where it cannot be, or there are enough.
    fn record(&mut self, placement: usize, settings: &[(usize, Exact)]) -> Option<usize> {
        {
            let known = self.known();
            if known.ways.get(placement)?.len() >= WAYS_MAX || known.tried_in_vain[placement] >= TRIES_MAX {
                return None;
            }
        }
        let mut values = settings.to_vec();
        self.recorded.exchange_values(&mut values);
        let program = program(&self.recorded, placement, &self.figure);
        self.recorded.exchange_values(&mut values);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Some(program) = program else {
            known.tried_in_vain[placement] += 1;
            return None;
        };
        // Another thread may have gone the same way meanwhile.
        if let Some(way) = self.known_way(&known, placement) {
            return Some(way);
        }
        let Known { pool, ways, .. } = &mut *known;
        let words = Words::new(&program, pool);
        let counted = program.counted().iter().filter_map(|place| self.values.get(*place).copied()).collect();
        ways[placement].push(Arc::new(Way { counted, program, words }));
        Some(ways[placement].len() - 1)
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Prepared").finish_non_exhaustive()
    }
}

/// How a placement stands, from what a replay comes to.
fn standing(placement: usize, replayed: &Replayed) -> Option<Standing> {
    let Replayed { amounts, answers } = replayed;
    let (&[figure, deciding], &[is_acceptable]) = (&amounts[..], &answers[..]) else { return None };
    let [figure, deciding] = [figure, deciding].map(|minor| FigureValue::Money(Money::from_minor(minor)));
    Some(Standing { placement, figure, deciding, is_acceptable })
}

/// Digits after the point that values between two others have at most: they are tried in thousand-millionths of the way.
fn digits_between(low: Exact, high: Exact) -> u32 {
    const PARTS_DIGITS: u32 = 9;
    let (low, high) = (low.decimal(), high.decimal());
    let way = high.checked_sub(low).unwrap_or_default().normalize();
    let zeros = (0..PARTS_DIGITS).take_while(|zeros| way.scale() == 0 && way.mantissa() % 10_i128.pow(zeros + 1) == 0);
    let of_part = (PARTS_DIGITS + way.scale()).saturating_sub(u32::try_from(zeros.count()).unwrap_or(0));
    of_part.max(low.normalize().scale()).max(high.normalize().scale())
}

/// Records how a placement stands.
fn program(scenario: &Scenario, placement: usize, figure: &Figure) -> Option<Program> {
    let placement = scenario.placements.get(placement)?;
    let (stand, trace) = recorded_for_replay(|| Base::new(scenario)?.stand(placement, figure));
    let Stand { figure, deciding, unmet_beyond_accepted } = stand.ok()?;
    let digits = Currency::find(&scenario.currency)?.minor_digits;
    let number = |figure| match figure {
        FigureValue::Money(amount) => Some(amount.num(digits)),
        FigureValue::PerOutput(_) | FigureValue::None => None,
    };
    let is_acceptable = (Question::NotGreater, [unmet_beyond_accepted, ACCEPTED]);
    Program::new(&trace, &[number(figure)?, number(deciding)?], &[is_acceptable])
}

/// The values of all inputs in the order of the walk.
struct Values(Vec<Exact>);

impl Visitor for Values {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &Input) {
        self.0.push(input.value);
    }
}
