//! One scenario prepared for many evaluations in which some of its inputs have other values.
//!
//! The evaluation of a placement is recorded once, and what its figures were computed by is done again for other values
//! ([`Program`]). Where a decision falls otherwise, or a count that was read is another one, the placement is evaluated by the
//! formulas, as anywhere else. Nothing here knows a formula, or which input is read where.

use std::cell::LazyCell;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use rustc_hash::FxHashMap as HashMap;

use crate::input::{Decl, Field, Input, Range, Segment, Visitor};
use crate::quantity::replay::all_digits::AllDigits;
use crate::quantity::replay::part::Part;
use crate::quantity::replay::pool::{Computed, Pool};
use crate::quantity::replay::words::{Outcome, Words};
use crate::quantity::replay::{Program, Replayed, Scratch};
use crate::quantity::trace::{Question, recorded_for_replay};
use crate::quantity::{Currency, DIGITS_AFTER_POINT, Exact, Money};
use crate::scenario::{ROOT, Scenario};

use super::evaluate::{ACCEPTED, Base, Stand, standings};
use super::traced::marked;
use super::{Failure, Figure, FigureValue, Standing};

/// Values of what a placement counts by of which it is kept which way they go.
const COUNTS_MAX: usize = 4_096;
/// Ways of a placement that are kept at once; beyond so many, placements are evaluated by the formulas.
const WAYS_MAX: usize = 128;
/// Times that recording a placement is tried in vain before it is given up.
const TRIES_MAX: usize = 4;
/// Recording a way costs as much as so many evaluations by the formulas: a way that was asked for more seldom is not worth it.
const WORTH_RECORDING: usize = 12;
/// Sets of values that are replayed at once.
const LANES: usize = 4;
/// So few moved inputs leave most of a program as it was recorded: what follows from them is found first, and done alone.
const FEW: usize = 8;

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
    of_pool: Computed,
    scratch: Scratch,
    room: Vec<i64>,
}

/// What was recorded.
struct Known {
    pool: Pool,
    placements: Vec<Ways>,
}

/// The ways in which a placement was computed.
#[derive(Default)]
struct Ways {
    /// A way keeps its place.
    ways: Vec<Arc<Way>>,
    /// The inputs that one of them counts by, by their places in the walk.
    counted: Vec<usize>,
    /// What is known of the way for some values of these.
    of_counts: HashMap<Vec<Exact>, Seen>,
    /// How often it could not be recorded.
    tried_in_vain: usize,
}

/// What is known of a way.
#[derive(Clone, Copy)]
enum Seen {
    /// Its place.
    Recorded(usize),
    /// It is none of those that are known, and was asked for so often.
    Asked(usize),
}

/// One way of computing a placement, for some values of the inputs that it counts by.
struct Way {
    counted: Vec<(usize, Exact)>,
    /// The inputs that had other values than those of the scenario, by their places in the walk.
    moved: Vec<usize>,
    program: Program,
    /// None where not every number can be bounded.
    words: Option<Words>,
}

/// A set of values that is asked for, and the words of what all placements share for it; none where these have no place.
struct Asked<'s> {
    settings: &'s [(usize, Exact)],
    pool: Option<Vec<i64>>,
}

/// Sets of values for which a placement, by its column among those asked for, goes the same way.
struct Turn {
    column: usize,
    way: Arc<Way>,
    sets: Vec<usize>,
}

impl Prepared {
    /// Prepares for a figure, and for other values of the inputs at some places of the walk, for the most part inside some
    /// ranges, at shares of these that have so many digits after the point.
    #[must_use]
    pub fn new(
        scenario: &Scenario,
        moving: impl IntoIterator<Item = (usize, Range)>,
        digits_of_shares: u32,
        figure: &Figure,
    ) -> Self {
        let mut values = Values(Vec::new());
        scenario.walk(&ROOT, &mut values);
        let mut moves = vec![false; values.0.len()];
        let mut ranges = Vec::new();
        for (place, Range { low, high }) in moving {
            if let (Some(moves), Some(value)) = (moves.get_mut(place), values.0.get(place)) {
                *moves = true;
                ranges.push((
                    place,
                    [low.min(*value).num(), high.max(*value).num()],
                    digits_at(low, high, digits_of_shares),
                ));
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
                placements: scenario.placements.iter().map(|_| Ways::default()).collect(),
            })),
            of_pool: Computed::default(),
            scratch: Scratch::default(),
            room: Vec::new(),
        }
    }

    /// Whether the scenario has these values of its inputs, named by their places in the walk, already.
    #[must_use]
    pub fn is_at(&self, settings: &[(usize, Exact)]) -> bool {
        settings.iter().all(|(place, value)| self.values.get(*place) == Some(value))
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
        let settings: Vec<&[(usize, Exact)]> = settings.iter().map(AsRef::as_ref).collect();
        // First the ways: recording one can need more of the pool.
        let turns: Vec<Turn> = (0..placements.len())
            .flat_map(|column| {
                let ways = self.ways(placements[column], &settings);
                ways.into_iter().map(move |(way, sets)| Turn { column, way, sets })
            })
            .collect();
        let asked: Vec<Asked> = settings
            .iter()
            .map(|settings| Asked { settings, pool: self.with(settings, Self::words_of_pool) })
            .collect();
        for Turn { column, way, sets } in turns {
            let moved = self.moved(&way, &sets, &settings);
            let moves = |place: usize| moved.as_ref().is_none_or(|moved| moved.contains(&place));
            let part = moved.as_ref().and_then(|_| Part::new(way.words.as_ref()?, &self.known().pool, moves));
            let steps = LazyCell::new(|| way.program.moved(moves));
            let has_moved = |step: u32| part.is_none() || steps[step as usize];
            let mut keep = |set: usize, replayed: Replayed| {
                found[set][column] = standing(placements[column], &replayed);
            };
            let (lanes, rest) = sets.as_chunks::<LANES>();
            for sets in lanes {
                self.run(*sets, &way, part.as_ref(), &has_moved, &asked, &mut keep);
            }
            for set in rest {
                self.run([*set], &way, part.as_ref(), &has_moved, &asked, &mut keep);
            }
        }
        found
    }

    /// The inputs that have moved since a way was recorded, where these are few, and the same in all sets of values.
    fn moved(&self, way: &Way, sets: &[usize], settings: &[&[(usize, Exact)]]) -> Option<Vec<usize>> {
        let of_first = settings[*sets.first()?].iter().map(|(place, _)| *place);
        let moved: Vec<usize> = way.moved.iter().copied().chain(of_first).collect();
        let are_few = moved.len() <= FEW;
        let is_among = |(place, _): &(usize, Exact)| moved.contains(place);
        let are_alike = are_few && sets.iter().all(|set| settings[*set].iter().all(is_among));
        are_alike.then_some(moved)
    }

    /// Replays a way for as many sets of values as there are lanes.
    fn run<const SETS: usize>(
        &mut self,
        sets: [usize; SETS],
        way: &Way,
        part: Option<&Part>,
        has_moved: &dyn Fn(u32) -> bool,
        asked: &[Asked],
        keep: &mut impl FnMut(usize, Replayed),
    ) {
        let outcomes = match (&way.words, sets.map(|set| asked[set].pool.as_deref())) {
            (Some(words), pools) if pools.iter().all(Option::is_some) => {
                let pools = pools.map(Option::unwrap_or_default);
                let values = &self.values;
                let inputs = sets.map(|set| move |place| Some(value_in(values, place, asked[set].settings).num()));
                let mut all_digits = inputs.each_ref().map(|input| AllDigits::new(&way.program, input, has_moved));
                match part {
                    Some(part) => part.run(words, pools, &mut all_digits, &mut self.room),
                    None => words.run(pools, &mut all_digits, &mut self.room),
                }
            }
            _ => std::array::from_fn(|_| Outcome::InDoubt),
        };
        for (set, outcome) in sets.into_iter().zip(outcomes) {
            let replayed = match outcome {
                Outcome::Done(replayed) => Some(replayed),
                Outcome::Otherwise => None,
                Outcome::InDoubt => self.with(asked[set].settings, |prepared| prepared.with_all_digits(way)),
            };
            if let Some(replayed) = replayed {
                keep(set, replayed);
            }
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
        known.pool.words(|place| values.get(place).map(|value| value.num()), &mut self.of_pool).map(<[i64]>::to_vec)
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

    /// The ways that a placement goes for some sets of values, each with its sets; those that go a way that is not known, and
    /// not worth recording, are in none.
    fn ways(&mut self, placement: usize, settings: &[&[(usize, Exact)]]) -> Vec<(Arc<Way>, Vec<usize>)> {
        let can_be = |set: &usize| settings[*set].iter().all(|(place, _)| self.moves.get(*place) == Some(&true));
        let sets: Vec<usize> = (0..settings.len()).filter(can_be).collect();
        let Some(first) = sets.first() else { return Vec::new() };
        // Which inputs it counts by is known of the first way.
        if self.known().placements[placement].ways.is_empty() {
            self.record(placement, settings[*first]);
        }
        let mut ways = Vec::new();
        for (counts, sets) in self.by_counts(placement, settings, sets) {
            let Some(way) = self.way(placement, counts, sets.len(), settings[sets[0]]) else { continue };
            // One that was recorded only now can count by more than those before.
            let goes_alike = |set: &usize| self.goes(&way, settings[*set]);
            let sets = sets.into_iter().filter(goes_alike).collect();
            ways.push((way, sets));
        }
        ways
    }

    /// Sets of values by those of the inputs that a placement counts by.
    fn by_counts(
        &self,
        placement: usize,
        settings: &[&[(usize, Exact)]],
        sets: Vec<usize>,
    ) -> Vec<(Vec<Exact>, Vec<usize>)> {
        let known = self.known();
        let mut groups: Vec<(Vec<Exact>, Vec<usize>)> = Vec::new();
        let mut places: HashMap<Vec<Exact>, usize> = HashMap::default();
        for set in sets {
            let counted = known.placements[placement].counted.iter();
            let counts: Vec<Exact> = counted.map(|place| value_in(&self.values, *place, settings[set])).collect();
            match places.get(&counts) {
                Some(place) => groups[*place].1.push(set),
                None => {
                    places.insert(counts.clone(), groups.len());
                    groups.push((counts, vec![set]));
                }
            }
        }
        groups
    }

    fn goes(&self, way: &Way, settings: &[(usize, Exact)]) -> bool {
        way.counted.iter().all(|(place, value)| value_in(&self.values, *place, settings) == *value)
    }

    /// The way for some values of what a placement counts by, of which so many sets of values are asked for; none where it
    /// cannot be recorded, or is not worth it.
    fn way(
        &mut self,
        placement: usize,
        counts: Vec<Exact>,
        sets: usize,
        settings: &[(usize, Exact)],
    ) -> Option<Arc<Way>> {
        let asked = {
            let known = self.known();
            let ways = &known.placements[placement];
            match ways.of_counts.get(&counts) {
                Some(Seen::Recorded(way)) => return ways.ways.get(*way).cloned(),
                Some(Seen::Asked(often)) => *often,
                None => 0,
            }
        };
        let way = self
            .known_way(placement, settings)
            .or_else(|| (WORTH_RECORDING <= asked + sets).then(|| self.record(placement, settings)).flatten());
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let ways = &mut known.placements[placement];
        if COUNTS_MAX <= ways.of_counts.len() {
            ways.of_counts.clear();
        }
        ways.of_counts.insert(counts, way.map_or(Seen::Asked(asked + sets), Seen::Recorded));
        way.and_then(|way| ways.ways.get(way).cloned())
    }

    fn known_way(&self, placement: usize, settings: &[(usize, Exact)]) -> Option<usize> {
        self.known().placements[placement].ways.iter().position(|way| self.goes(way, settings))
    }

    /// Records a placement, and says which of its ways that is; none where it cannot be, or there are enough.
    fn record(&mut self, placement: usize, settings: &[(usize, Exact)]) -> Option<usize> {
        {
            let known = self.known();
            let ways = &known.placements[placement];
            if ways.ways.len() >= WAYS_MAX || ways.tried_in_vain >= TRIES_MAX {
                return None;
            }
        }
        let mut values = settings.to_vec();
        self.recorded.exchange_values(&mut values);
        let program = program(&self.recorded, placement, &self.figure);
        self.recorded.exchange_values(&mut values);
        // Another thread may have gone the same way meanwhile.
        let before = self.known_way(placement, settings);
        if before.is_some() {
            return before;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Known { pool, placements } = &mut *known;
        let ways = &mut placements[placement];
        let Some(program) = program else {
            ways.tried_in_vain += 1;
            return None;
        };
        let words = Words::new(&program, pool);
        let counted: Vec<(usize, Exact)> =
            program.counted().iter().map(|place| (*place, value_in(&self.values, *place, settings))).collect();
        for (place, _) in &counted {
            if !ways.counted.contains(place) {
                ways.counted.push(*place);
                ways.of_counts.clear();
            }
        }
        let moved = settings.iter().map(|(place, _)| *place).collect();
        ways.ways.push(Arc::new(Way { counted, moved, program, words }));
        Some(ways.ways.len() - 1)
    }
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Prepared").finish_non_exhaustive()
    }
}

/// The value of an input in a set of values, named by their places in the walk, in ascending order.
fn value_in(values: &[Exact], place: usize, settings: &[(usize, Exact)]) -> Exact {
    match settings.binary_search_by_key(&place, |(place, _)| *place) {
        Ok(at) => settings[at].1,
        Err(_) => values[place],
    }
}

/// How a placement stands, from what a replay comes to.
fn standing(placement: usize, replayed: &Replayed) -> Option<Standing> {
    let Replayed { amounts, answers } = replayed;
    let (&[figure, deciding], &[is_acceptable]) = (&amounts[..], &answers[..]) else { return None };
    let [figure, deciding] = [figure, deciding].map(|minor| FigureValue::Money(Money::from_minor(minor)));
    Some(Standing { placement, figure, deciding, is_acceptable })
}

/// Digits after the point that values between two others have at most, at shares of the way that have so many.
fn digits_at(low: Exact, high: Exact, digits_of_shares: u32) -> u32 {
    let (low, high) = (low.decimal(), high.decimal());
    let way = high.checked_sub(low).unwrap_or_default().normalize();
    let zeros =
        (0..digits_of_shares).take_while(|zeros| way.scale() == 0 && way.mantissa() % 10_i128.pow(zeros + 1) == 0);
    let of_share = (digits_of_shares + way.scale()).saturating_sub(u32::try_from(zeros.count()).unwrap_or(0));
    // What is longer is cut off before it is tried.
    let longest = u32::try_from(DIGITS_AFTER_POINT).unwrap_or(u32::MAX);
    of_share.max(low.normalize().scale()).max(high.normalize().scale()).min(longest)
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
