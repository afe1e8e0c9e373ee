//! A program in machine words: its numbers as binary fractions of a fixed scale, each with a proven bound on its error.
//!
//! What is rounded to whole units or minor units, and how a decision falls, is the same as with all digits, unless a number lies
//! within its error of the border: then there is no answer here, and the program is replayed with all digits. Bounds come from
//! the ranges of the inputs; they choose scales and errors, and stand in no figure. Nothing here knows a formula.

use rustc_hash::FxHashMap as HashMap;

use super::super::trace::{Operation, Question};
use super::super::{Num, POWERS_OF_TEN};
use super::{Operand, Program, Replayed, Scratch, Step, done};

/// Bits that the magnitude of a word may have.
const BITS: i32 = 62;
/// What counts as nothing beside a unit (method, §1.5).
const TRACE: f64 = 1e-12;
/// Digits after the point that exact decimals may have here: no more than decide a half (method, §1.3).
const DIGITS: u32 = 12;
/// Bounds are computed in binary: this much wider, they are bounds in any case.
const SLACK: f64 = 1.0 + 1e-9;

/// The least and the greatest that a number can come to.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bounds {
    low: f64,
    high: f64,
}

impl Bounds {
    const fn at(value: f64) -> Self {
        Self { low: value, high: value }
    }

    fn of(values: impl IntoIterator<Item = f64>) -> Self {
        values.into_iter().fold(Self { low: f64::INFINITY, high: f64::NEG_INFINITY }, |bounds, value| Self {
            low: bounds.low.min(value),
            high: bounds.high.max(value),
        })
    }

    /// The greatest magnitude.
    fn most(self) -> f64 {
        self.low.abs().max(self.high.abs()) * SLACK
    }

    /// The least magnitude; 0 where it can be zero.
    fn least(self) -> f64 {
        if self.low <= 0.0 && 0.0 <= self.high { 0.0 } else { self.low.abs().min(self.high.abs()) / SLACK }
    }

    /// By more than is lost where two numbers nearly cancel out.
    fn widened(self, a: Self, b: Self) -> Self {
        let lost = 4.0 * f64::EPSILON * (a.most() + b.most());
        Self { low: self.low - lost, high: self.high + lost }
    }

    /// What an operation makes of two numbers.
    fn made(operation: Operation, a: Self, b: Self) -> Self {
        let corners = |of: fn(f64, f64) -> f64| {
            Self::of([of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)])
        };
        match operation {
            Operation::Sum => Self { low: a.low + b.low, high: a.high + b.high }.widened(a, b),
            Operation::Difference => Self { low: a.low - b.high, high: a.high - b.low }.widened(a, b),
            Operation::Product => corners(|a, b| a * b),
            Operation::Quotient if b.least() > 0.0 => corners(|a, b| a / b),
            Operation::Negative => Self { low: -a.high, high: -a.low },
            Operation::Least => Self { low: a.low.min(b.low), high: a.high.min(b.high) },
            Operation::Greatest => Self { low: a.low.max(b.low), high: a.high.max(b.high) },
            Operation::RoundedUp | Operation::RoundedDown => Self { low: a.low.floor(), high: a.high.ceil() },
            Operation::SnappedShare => Self { low: a.low.min(0.0), high: a.high.max(1.0).min(a.high + TRACE) },
            Operation::Power(exponent) if a.low >= 0.0 => {
                let power = |value: f64| value.powf(f64::from(exponent));
                Self { low: power(a.low), high: power(a.high) }
            }
            Operation::Root(degree) if a.low >= 0.0 => {
                let root = |value: f64| value.powf(1.0 / f64::from(degree));
                Self { low: root(a.low), high: root(a.high) }
            }
            Operation::Rounded(places) | Operation::Posted(places) => {
                let unit = 10_f64.powi(-i32::try_from(places).unwrap_or(0));
                // Rounding leads to no other side of zero.
                let low = if a.low < 0.0 { a.low - unit } else { (a.low - unit).max(0.0) };
                let high = if a.high > 0.0 { a.high + unit } else { (a.high + unit).min(0.0) };
                Self { low, high }
            }
            Operation::Because => a,
            _ => Self { low: f64::NEG_INFINITY, high: f64::INFINITY },
        }
    }
}

/// What a word counts: its value is so many times 2^−scale · 10^−tens. Amounts of money and discount factors are whole in units
/// of a power of ten; nothing else is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Unit {
    scale: i32,
    tens: u32,
}

impl Unit {
    const ONE: Self = Self { scale: 0, tens: 0 };

    /// The finest unit in which so much fits a word.
    fn for_most(most: f64) -> Self {
        let bits = if most > 0.0 { most.log2().floor() as i32 + 1 } else { -BITS };
        Self { scale: (BITS - bits).min(2 * BITS), tens: 0 }
    }

    fn value(self) -> f64 {
        (-f64::from(self.scale)).exp2() * 10_f64.powi(-(self.tens as i32))
    }
}

/// How a number is held.
#[derive(Clone, Copy, Debug)]
struct Held {
    unit: Unit,
    bounds: Bounds,
    /// The greatest error, in units.
    error: f64,
    /// The greatest error as a share of the number; infinite where the number can be zero.
    relative: f64,
}

impl Held {
    fn exact(unit: Unit, bounds: Bounds) -> Self {
        Self { unit, bounds, error: 0.0, relative: 0.0 }
    }

    /// From what is known of its error in units, and of its error as a share but for so many units that are cut off.
    fn new(unit: Unit, bounds: Bounds, error: f64, (share, cut): (f64, f64)) -> Self {
        let (most, least) = (bounds.most() / unit.value(), bounds.least() / unit.value());
        let relative = if least > 0.0 { (share + cut / least).min(error / least) } else { f64::INFINITY };
        let error = if relative.is_finite() { error.min(relative * most * SLACK) } else { error };
        Self { unit, bounds, error, relative }
    }

    fn most(self) -> f64 {
        self.bounds.most() / self.unit.value()
    }

    /// Whether every value that it can have is a word.
    fn is_word(self) -> bool {
        (self.most() + self.error).partial_cmp(&2_f64.powi(BITS + 1)) == Some(std::cmp::Ordering::Less)
    }
}

/// So many units, rounded up, within what a word can be compared with.
fn units(error: f64) -> i64 {
    error.ceil().min(2_f64.powi(BITS)) as i64
}

/// Whether exact decimals with so many digits after the point have room in a word.
fn has_room(bounds: Bounds, digits: u32) -> bool {
    digits <= DIGITS && bounds.most() * 10_f64.powi(digits as i32) < 2_f64.powi(BITS)
}

/// A number as a whole one of so many digits after the point; none where it has more.
fn decimal_word(number: Num, digits: u32) -> Option<i64> {
    let short = number.with_scale(digits);
    let is_same = short.order(number) == Some(std::cmp::Ordering::Equal);
    let word = short.mantissa.checked_mul(*POWERS_OF_TEN.get((digits - short.scale) as usize)?)?;
    i64::try_from(word).ok().filter(|_| is_same)
}

/// A number with all its digits as a word of a unit, cut off.
fn word(number: Num, unit: Unit) -> Option<i64> {
    let number = number.with_bits(63);
    let power = *POWERS_OF_TEN.get(number.scale as usize)?;
    let shift = unit.scale;
    let mantissa = i128::from(i64::try_from(number.mantissa).ok()?);
    if shift < 0 {
        return i64::try_from((mantissa / power) >> (-shift).min(127)).ok();
    }
    // In two steps where one would leave no room.
    let first = shift.min(63);
    let shifted = mantissa << first;
    let (quotient, rest) = (shifted / power, shifted % power);
    let second = shift - first;
    let rest = if second == 0 { 0 } else { (rest.checked_shl(u32::try_from(second).ok()?)?) / power };
    i64::try_from((quotient.checked_mul(1_i128.checked_shl(u32::try_from(second).ok()?)?)?) + rest).ok()
}

/// What programs of one scenario share: the inputs, and what is computed from them with all digits (powers, roots, discount
/// factors), once for each set of values.
#[derive(Default)]
pub struct Pool {
    steps: Vec<Step>,
    held: Vec<Held>,
    places: HashMap<Step, u32>,
    constants: Vec<Num>,
    places_of_constants: HashMap<(i128, u32), u32>,
    inputs: HashMap<usize, (Bounds, Option<u32>)>,
}

impl Pool {
    /// A pool for inputs between some bounds, by their places in the walk, and with so many digits after the point at most.
    #[must_use]
    pub fn new(inputs: impl IntoIterator<Item = (usize, [Num; 2], u32)>) -> Self {
        let known = |(place, ends, digits): (usize, [Num; 2], u32)| {
            let bounds = Bounds::of(ends.map(Num::in_binary));
            (place, (bounds, Some(digits).filter(|digits| has_room(bounds, *digits))))
        };
        Self { inputs: inputs.into_iter().map(known).collect(), ..Self::default() }
    }

    /// The words of other values of the inputs, by their places in the walk; none where one of them does not fit.
    pub fn words(&self, input: impl Fn(usize) -> Option<Num>, room: &mut Scratch) -> Option<Vec<i64>> {
        let values = &mut room.0;
        values.clear();
        let mut words = Vec::with_capacity(self.steps.len());
        for place in 0..self.steps.len() {
            let (value, word) = self.computed(place, values, &input)?;
            values.push(value);
            words.push(word);
        }
        Some(words)
    }

    fn computed(&self, place: usize, values: &[Num], input: &impl Fn(usize) -> Option<Num>) -> Option<(Num, i64)> {
        let Step { operation, operands } = self.steps[place];
        let [a, b] = operands.map(|operand| match operand {
            Operand::Step(step) => values[step as usize],
            Operand::Constant(constant) => self.constants[constant as usize],
        });
        let value = match operation {
            Operation::Input(place) => input(place).filter(|value| self.is_within(place, *value)),
            operation => done(operation, a, b),
        };
        let value = value.filter(|value| !value.is_broken())?;
        let Held { unit, error, .. } = self.held[place];
        let word = if error == 0.0 { decimal_word(value, unit.tens)? } else { word(value, unit)? };
        Some((value, word))
    }

    fn is_within(&self, place: usize, value: Num) -> bool {
        let value = value.in_binary();
        self.inputs.get(&place).is_some_and(|(bounds, _)| bounds.low <= value && value <= bounds.high)
    }

    /// Adds a step with what it rests on, from a program.
    fn add(&mut self, program: &Program, step: u32, known: &mut HashMap<u32, u32>) -> Option<u32> {
        if let Some(place) = known.get(&step) {
            return Some(*place);
        }
        let Step { operation, operands } = program.steps[step as usize];
        let mut here = [Operand::Constant(0); 2];
        for (here, operand) in here.iter_mut().zip(operands) {
            *here = match operand {
                _ if matches!(operation, Operation::Input(_)) => Operand::Constant(self.constant(Num::ZERO)),
                Operand::Step(step) => Operand::Step(self.add(program, step, known)?),
                Operand::Constant(constant) => Operand::Constant(self.constant(program.constants[constant as usize])),
            };
        }
        let step_here = Step { operation, operands: here };
        let next = self.steps.len() as u32;
        let place = *self.places.entry(step_here).or_insert(next);
        if place == next {
            let (bounds, digits) = match operation {
                Operation::Input(input) => *self.inputs.get(&input)?,
                operation => {
                    let [a, b] = here.map(|operand| self.bounds(operand));
                    let digits = if let Operation::Rounded(digits) = operation { Some(digits) } else { None };
                    (Bounds::made(operation, a, b), digits)
                }
            };
            let held = match digits {
                Some(tens) => Held::exact(Unit { scale: 0, tens }, bounds),
                None => Held::new(Unit::for_most(bounds.most()), bounds, 2.0, (0.0, 2.0)),
            };
            if !held.is_word() {
                return None;
            }
            self.held.push(held);
            self.steps.push(step_here);
        }
        known.insert(step, place);
        Some(place)
    }

    fn bounds(&self, operand: Operand) -> Bounds {
        match operand {
            Operand::Step(step) => self.held[step as usize].bounds,
            Operand::Constant(constant) => Bounds::at(self.constants[constant as usize].in_binary()),
        }
    }

    fn constant(&mut self, number: Num) -> u32 {
        let next = self.constants.len() as u32;
        let place = *self.places_of_constants.entry((number.mantissa, number.scale)).or_insert(next);
        if place == next {
            self.constants.push(number);
        }
        place
    }
}

/// A program in machine words.
#[derive(Debug)]
pub struct Words {
    constants: Vec<i64>,
    /// Places in the pool that follow the constants.
    loads: Vec<u32>,
    /// Each follows what it rests on.
    groups: Vec<Group>,
    decisions: Vec<(Asked, bool)>,
    outputs: Vec<u32>,
    questions: Vec<Asked>,
}

/// What a run in words comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Done(Replayed),
    /// A decision falls otherwise.
    Otherwise,
    /// A number lies too near to a border for words: all its digits are needed.
    InDoubt,
}

/// Operations of one kind on numbers that are known before any of them.
#[derive(Debug)]
enum Group {
    Sums { ends: Vec<u32>, terms: Vec<Term> },
    Products(Vec<Product>),
    Rescaled(Vec<Rescaled>),
    Quotients(Vec<Quotient>),
    Least(Vec<Aligned>),
    Greatest(Vec<Aligned>),
    WholeUp(Vec<Whole>),
    WholeDown(Vec<Whole>),
    Shares(Vec<Share>),
    Posted(Vec<Posted>),
    Rounded(Vec<Rounded>),
}

/// A word in another unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Shift {
    left: u8,
    right: u8,
}

impl Shift {
    /// To a unit with so many binary places more.
    fn by(places: i32) -> Self {
        Self { left: places.clamp(0, 63) as u8, right: (-places).clamp(0, 63) as u8 }
    }

    #[inline]
    fn of(self, word: i64) -> i64 {
        word << self.left >> self.right
    }
}

#[derive(Clone, Copy, Debug)]
struct Term {
    slot: u32,
    shift: Shift,
    is_negative: bool,
}

#[derive(Clone, Copy, Debug)]
struct Product {
    operands: [u32; 2],
    shift: u32,
}

/// A product in other units: of what is left of it after a shift, a factor, and a second shift.
#[derive(Clone, Copy, Debug)]
struct Rescaled {
    operands: [u32; 2],
    first: u32,
    second: u32,
    factor: i64,
}

#[derive(Clone, Copy, Debug)]
struct Quotient {
    operands: [u32; 2],
    shift: i32,
}

#[derive(Clone, Copy, Debug)]
struct Aligned {
    operands: [u32; 2],
    shifts: [Shift; 2],
}

/// To whole units: what is above the floor by less than `sure` is nothing, by more than `doubtful` something.
#[derive(Clone, Copy, Debug)]
struct Whole {
    operand: u32,
    shift: u32,
    sure: i64,
    doubtful: i64,
}

#[derive(Clone, Copy, Debug)]
struct Share {
    operand: u32,
    one: i64,
    sure: i64,
    doubtful: i64,
}

/// To the minor unit, of which the product has so many binary places more.
#[derive(Clone, Copy, Debug)]
struct Posted {
    product: Rescaled,
    places: u32,
    doubtful: i64,
}

/// An exact decimal rounded half away from zero, in units of so many.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    operand: u32,
    power: i64,
}

/// A question about two words, in doubt where they are as near as that.
#[derive(Clone, Copy, Debug)]
struct Asked {
    question: Question,
    pair: Aligned,
    doubtful: i64,
}

/// What some words come to together, lane by lane.
#[inline]
fn together<const LANES: usize>(one: [i64; LANES], other: [i64; LANES], of: impl Fn(i64, i64) -> i64) -> [i64; LANES] {
    std::array::from_fn(|lane| of(one[lane], other[lane]))
}

impl Rescaled {
    #[inline]
    fn of<const LANES: usize>(&self, values: &[[i64; LANES]]) -> [i64; LANES] {
        let Self { operands: [a, b], first, second, factor } = *self;
        together(values[a as usize], values[b as usize], |a, b| {
            let product = ((i128::from(a) * i128::from(b)) >> first) as i64;
            ((i128::from(product) * i128::from(factor)) >> second) as i64
        })
    }
}

impl Aligned {
    #[inline]
    fn of<const LANES: usize>(&self, values: &[[i64; LANES]], of: impl Fn(i64, i64) -> i64) -> [i64; LANES] {
        let Self { operands: [a, b], shifts: [one, other] } = *self;
        together(values[a as usize], values[b as usize], |a, b| of(one.of(a), other.of(b)))
    }
}

impl Asked {
    /// None where it is in doubt.
    fn answer<const LANES: usize>(&self, values: &[[i64; LANES]], lane: usize) -> Option<bool> {
        let Aligned { operands: [a, b], shifts: [one, other] } = self.pair;
        let (a, b) = (one.of(values[a as usize][lane]), other.of(values[b as usize][lane]));
        if 0 <= self.doubtful && a.abs_diff(b) <= self.doubtful.unsigned_abs() {
            return None;
        }
        Some(match self.question {
            Question::Less => a < b,
            Question::NotGreater => a <= b,
            Question::Equal => a == b,
        })
    }
}

impl Whole {
    /// Whether a rest above the floor, or below the ceiling, is something; notes where that is in doubt.
    #[inline]
    fn is_something(&self, rest: i64, is_in_doubt: &mut bool) -> bool {
        let Self { shift, sure, doubtful, .. } = *self;
        *is_in_doubt |= sure <= rest && rest <= doubtful || (1 << shift) - rest <= -sure;
        sure <= rest
    }
}

impl Group {
    /// Computes its numbers, lane by lane, and notes where one is in doubt.
    fn run<const LANES: usize>(
        &self,
        values: &[[i64; LANES]],
        into: &mut [[i64; LANES]],
        is_in_doubt: &mut [bool; LANES],
    ) {
        let at = |slot: u32| values[slot as usize];
        match self {
            Self::Sums { ends, terms } => {
                let mut start = 0;
                for (into, end) in into.iter_mut().zip(ends) {
                    let mut sum = [0_i64; LANES];
                    for Term { slot, shift, is_negative } in &terms[start..*end as usize] {
                        // All bits of the opposite but for one, or none.
                        let sign = -i64::from(*is_negative);
                        sum = together(sum, at(*slot), |sum, term| sum.wrapping_add((shift.of(term) ^ sign) - sign));
                    }
                    *into = sum;
                    start = *end as usize;
                }
            }
            Self::Products(products) => {
                for (into, Product { operands: [a, b], shift }) in into.iter_mut().zip(products) {
                    *into = together(at(*a), at(*b), |a, b| ((i128::from(a) * i128::from(b)) >> shift) as i64);
                }
            }
            Self::Rescaled(products) => {
                for (into, product) in into.iter_mut().zip(products) {
                    *into = product.of(values);
                }
            }
            Self::Quotients(quotients) => {
                for (into, Quotient { operands: [a, b], shift }) in into.iter_mut().zip(quotients) {
                    *into = together(at(*a), at(*b), |a, b| {
                        let a = i128::from(a);
                        let a = if *shift < 0 { a >> -shift } else { a << shift };
                        a.checked_div(i128::from(b)).unwrap_or(0) as i64
                    });
                }
            }
            Self::Least(pairs) => {
                for (into, pair) in into.iter_mut().zip(pairs) {
                    *into = pair.of(values, i64::min);
                }
            }
            Self::Greatest(pairs) => {
                for (into, pair) in into.iter_mut().zip(pairs) {
                    *into = pair.of(values, i64::max);
                }
            }
            Self::WholeUp(wholes) => {
                for (into, whole) in into.iter_mut().zip(wholes) {
                    for (lane, value) in at(whole.operand).into_iter().enumerate() {
                        let floor = value >> whole.shift;
                        let rest = value - (floor << whole.shift);
                        into[lane] = floor + i64::from(whole.is_something(rest, &mut is_in_doubt[lane]));
                    }
                }
            }
            Self::WholeDown(wholes) => {
                for (into, whole) in into.iter_mut().zip(wholes) {
                    for (lane, value) in at(whole.operand).into_iter().enumerate() {
                        let ceiling = -(value.wrapping_neg() >> whole.shift);
                        let rest = (ceiling << whole.shift) - value;
                        into[lane] = ceiling - i64::from(whole.is_something(rest, &mut is_in_doubt[lane]));
                    }
                }
            }
            Self::Shares(shares) => {
                for (into, Share { operand, one, sure, doubtful }) in into.iter_mut().zip(shares) {
                    for (lane, value) in at(*operand).into_iter().enumerate() {
                        let beside_one = one.wrapping_sub(value);
                        let in_doubt = |rest: i64| *sure <= rest && rest <= *doubtful;
                        is_in_doubt[lane] |= in_doubt(value) || in_doubt(beside_one);
                        into[lane] = if value < *sure {
                            0
                        } else if beside_one < *sure {
                            *one
                        } else {
                            value
                        };
                    }
                }
            }
            Self::Posted(amounts) => {
                for (into, Posted { product, places, doubtful }) in into.iter_mut().zip(amounts) {
                    let (unit, half) = (1_i64 << places, 1_i64 << places >> 1);
                    for (lane, amount) in product.of(values).into_iter().enumerate() {
                        let up = amount.wrapping_add(half);
                        let rest = up & (unit - 1);
                        is_in_doubt[lane] |= rest <= *doubtful || unit - rest <= *doubtful;
                        into[lane] = up >> places;
                    }
                }
            }
            Self::Rounded(decimals) => {
                for (into, Rounded { operand, power }) in into.iter_mut().zip(decimals) {
                    *into = at(*operand).map(|value| {
                        let (quotient, rest) = (value / power, (value % power).abs());
                        quotient + if power - rest <= rest { value.signum() } else { 0 }
                    });
                }
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Sums { ends, .. } => ends.len(),
            Self::Products(of) => of.len(),
            Self::Rescaled(of) => of.len(),
            Self::Quotients(of) => of.len(),
            Self::Least(of) | Self::Greatest(of) => of.len(),
            Self::WholeUp(of) | Self::WholeDown(of) => of.len(),
            Self::Shares(of) => of.len(),
            Self::Posted(of) => of.len(),
            Self::Rounded(of) => of.len(),
        }
    }
}

impl Words {
    /// The amounts and the answers to the questions for several sets of values at once, given by their words in the pool.
    pub fn run<const LANES: usize>(&self, pools: [&[i64]; LANES], room: &mut Vec<i64>) -> [Outcome; LANES] {
        let count = self.constants.len() + self.loads.len() + self.groups.iter().map(Group::len).sum::<usize>();
        if room.len() < count * LANES {
            room.resize(count * LANES, 0);
        }
        let (values, _) = room.as_chunks_mut::<LANES>();
        let given = self.constants.iter().map(|constant| [*constant; LANES]);
        let given = given.chain(self.loads.iter().map(|load| pools.map(|words| words[*load as usize])));
        values.iter_mut().zip(given).for_each(|(value, given)| *value = given);
        let mut is_in_doubt = [false; LANES];
        let mut first = self.constants.len() + self.loads.len();
        for group in &self.groups {
            let (known, into) = values.split_at_mut(first);
            group.run(known, &mut into[..group.len()], &mut is_in_doubt);
            first += group.len();
        }
        std::array::from_fn(|lane| if is_in_doubt[lane] { Outcome::InDoubt } else { self.outcome(values, lane) })
    }

    fn outcome<const LANES: usize>(&self, values: &[[i64; LANES]], lane: usize) -> Outcome {
        for (asked, answer) in &self.decisions {
            match asked.answer(values, lane) {
                None => return Outcome::InDoubt,
                Some(found) if found != *answer => return Outcome::Otherwise,
                Some(_) => {}
            }
        }
        let answers: Option<Vec<bool>> = self.questions.iter().map(|asked| asked.answer(values, lane)).collect();
        let amounts = self.outputs.iter().map(|output| i128::from(values[*output as usize][lane])).collect();
        answers.map_or(Outcome::InDoubt, |answers| Outcome::Done(Replayed { amounts, answers }))
    }
}

/// Bits to which a negative power of ten is right at least.
const BITS_OF_POWERS: i32 = 58;

/// A power of ten as a factor and a shift to the right after it; exact where it is not negative.
fn power_of_ten(exponent: i32) -> Option<(i64, i32)> {
    const AT_ONCE: i32 = 18;
    if exponent >= 0 {
        let power = i64::try_from(*POWERS_OF_TEN.get(exponent as usize)?).ok();
        return power.map(|power| (power, 0));
    }
    if exponent < -AT_ONCE {
        let (one, shift) = power_of_ten(-AT_ONCE)?;
        let (other, more) = power_of_ten(exponent + AT_ONCE)?;
        let product = i128::from(one) * i128::from(other);
        let excess = 128 - product.leading_zeros() as i32 - BITS;
        return Some(((product >> excess) as i64, shift + more - excess));
    }
    let power = POWERS_OF_TEN[exponent.unsigned_abs() as usize].unsigned_abs();
    let shift = 61 + (127 - power.leading_zeros());
    Some((i64::try_from((1_u128 << shift) / power).ok()?, shift as i32))
}

/// How many bits a magnitude has.
fn bits(most: f64) -> i32 {
    if most < 1.0 { 0 } else { most.log2().floor() as i32 + 1 }
}

/// What a step does with words that are known.
#[derive(Clone, Debug)]
enum Node {
    Sum(Vec<Term>),
    Product(Product),
    Rescaled(Rescaled),
    Quotient(Quotient),
    Least(Aligned),
    Greatest(Aligned),
    WholeUp(Whole),
    WholeDown(Whole),
    Share(Share),
    Posted(Posted),
    Rounded(Rounded),
}

impl Node {
    fn kind(&self) -> u8 {
        match self {
            Self::Sum(_) => 0,
            Self::Product(_) => 1,
            Self::Rescaled(_) => 2,
            Self::Quotient(_) => 3,
            Self::Least(_) => 4,
            Self::Greatest(_) => 5,
            Self::WholeUp(_) => 6,
            Self::WholeDown(_) => 7,
            Self::Share(_) => 8,
            Self::Posted(_) => 9,
            Self::Rounded(_) => 10,
        }
    }

    fn operands(&mut self) -> Vec<&mut u32> {
        match self {
            Self::Sum(terms) => terms.iter_mut().map(|term| &mut term.slot).collect(),
            Self::Product(Product { operands, .. })
            | Self::Rescaled(Rescaled { operands, .. })
            | Self::Quotient(Quotient { operands, .. })
            | Self::Least(Aligned { operands, .. })
            | Self::Greatest(Aligned { operands, .. })
            | Self::Posted(Posted { product: Rescaled { operands, .. }, .. }) => operands.iter_mut().collect(),
            Self::WholeUp(Whole { operand, .. })
            | Self::WholeDown(Whole { operand, .. })
            | Self::Share(Share { operand, .. })
            | Self::Rounded(Rounded { operand, .. }) => vec![operand],
        }
    }
}

/// A number of a program as a word: a constant, a load from the pool, or what a node computes.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(i64),
    Load(u32),
    Node,
}

/// Brings a program into words.
struct Builder<'p> {
    program: &'p Program,
    pool: &'p mut Pool,
    in_pool: HashMap<u32, u32>,
    bounds: Vec<Bounds>,
    /// Steps that need all their digits, and are done in the pool.
    is_pooled: Vec<bool>,
    /// Digits after the point, of steps that are exact decimals of few digits: amounts of money, counts, and what is made of them.
    tens: Vec<Option<u32>>,
    /// Steps that are done as a part of the only step that rests on them.
    is_absorbed: Vec<bool>,
    /// Words by number, with what they hold, their sources, and how many nodes lie before them.
    held: Vec<Held>,
    sources: Vec<Source>,
    depths: Vec<u32>,
    nodes: Vec<(u32, Node)>,
    /// Words of steps and of constants.
    of_step: Vec<Option<u32>>,
    of_constant: HashMap<(u32, Option<u32>), u32>,
    of_whole: HashMap<i64, u32>,
    in_general: HashMap<u32, u32>,
}

impl Words {
    /// Brings a program into words, for the inputs of a pool between their bounds. None where a number cannot be bounded.
    #[must_use]
    pub fn new(program: &Program, pool: &mut Pool) -> Option<Self> {
        let mut builder = Builder::new(program, pool)?;
        for step in 0..program.steps.len() {
            if !builder.is_pooled[step] && !builder.is_absorbed[step] {
                let word = builder.build(step)?;
                builder.of_step[step] = Some(word);
            }
        }
        let mut decisions = Vec::with_capacity(program.decisions.len());
        for (question, operands, answer) in &program.decisions {
            decisions.push((builder.asked(*question, *operands)?, *answer));
        }
        let questions: Vec<Asked> =
            program.questions.iter().map(|(question, of)| builder.asked(*question, *of)).collect::<Option<_>>()?;
        let outputs: Vec<u32> = program
            .outputs
            .iter()
            .map(|output| {
                let digits = builder.digits_of(*output)?;
                builder.decimal(*output, digits)
            })
            .collect::<Option<_>>()?;
        Some(builder.laid_out(decisions, questions, outputs))
    }
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, pool: &'p mut Pool) -> Option<Self> {
        let count = program.steps.len();
        let mut bounds = Vec::with_capacity(count);
        for Step { operation, operands } in &program.steps {
            let [a, b] = operands.map(|operand| match operand {
                Operand::Step(step) => bounds[step as usize],
                Operand::Constant(constant) => Bounds::at(program.constants[constant as usize].in_binary()),
            });
            let found = match operation {
                Operation::Input(input) => pool.inputs.get(input)?.0,
                operation => Bounds::made(*operation, a, b),
            };
            if !(found.low.is_finite() && found.high.is_finite()) {
                return None;
            }
            bounds.push(found);
        }
        let steps_of = |step: &Step| {
            let is_input = matches!(step.operation, Operation::Input(_));
            step.operands.into_iter().filter_map(move |operand| match operand {
                Operand::Step(step) if !is_input => Some(step as usize),
                _ => None,
            })
        };
        let needs_all_digits =
            |step: &Step| matches!(step.operation, Operation::Rounded(_) | Operation::Power(_) | Operation::Root(_));
        let mut is_pooled: Vec<bool> = program.steps.iter().map(needs_all_digits).collect();
        for (place, step) in program.steps.iter().enumerate().rev() {
            if is_pooled[place] {
                steps_of(step).for_each(|operand| is_pooled[operand] = true);
            }
            is_pooled[place] |= matches!(step.operation, Operation::Input(_));
        }
        let mut uses = vec![0_u32; count];
        let mut users = vec![usize::MAX; count];
        for (place, step) in program.steps.iter().enumerate().filter(|(place, _)| !is_pooled[*place]) {
            let [a, b] = step.operands;
            let is_single = matches!(
                step.operation,
                Operation::Posted(_)
                    | Operation::Negative
                    | Operation::RoundedUp
                    | Operation::RoundedDown
                    | Operation::SnappedShare
            );
            for operand in if is_single { vec![a] } else { vec![a, b] } {
                if let Operand::Step(operand) = operand {
                    uses[operand as usize] += 1;
                    users[operand as usize] = place;
                }
            }
        }
        let asked = program.decisions.iter().map(|(_, operands, _)| operands);
        let asked = asked.chain(program.questions.iter().map(|(_, operands)| operands)).flatten();
        for operand in asked.chain(&program.outputs) {
            if let Operand::Step(operand) = operand {
                uses[*operand as usize] += 2;
            }
        }
        let mut builder = Self {
            program,
            pool,
            in_pool: HashMap::default(),
            bounds,
            is_pooled,
            tens: Vec::with_capacity(count),
            is_absorbed: Vec::with_capacity(count),
            held: Vec::new(),
            sources: Vec::new(),
            depths: Vec::new(),
            nodes: Vec::new(),
            of_step: vec![None; count],
            of_constant: HashMap::default(),
            of_whole: HashMap::default(),
            in_general: HashMap::default(),
        };
        for (place, step) in program.steps.iter().enumerate() {
            let digits = match step.operation {
                Operation::Input(input) => builder.pool.inputs.get(&input).and_then(|(_, digits)| *digits),
                _ if builder.is_pooled[place] => None,
                _ => builder.digits(step).filter(|digits| has_room(builder.bounds[place], *digits)),
            };
            builder.tens.push(digits);
        }
        for (place, step) in program.steps.iter().enumerate() {
            let user = program.steps.get(users[place]);
            let is_alike = user.is_some_and(|_| builder.tens[place] == builder.tens[users[place]]);
            let is_absorbed = !builder.is_pooled[place]
                && uses[place] == 1
                && user.is_some_and(|user| match user.operation {
                    Operation::Sum | Operation::Difference | Operation::Negative => is_additive(step) && is_alike,
                    Operation::Posted(_) => step.operation == Operation::Product && builder.tens[place].is_none(),
                    _ => false,
                });
            builder.is_absorbed.push(is_absorbed);
        }
        Some(builder)
    }

    /// The digits after the point, where a step gives an exact decimal of few digits.
    fn digits(&self, step: &Step) -> Option<u32> {
        let [a, b] = step.operands.map(|operand| self.digits_of(operand));
        match step.operation {
            Operation::Posted(digits) => Some(digits),
            Operation::RoundedUp | Operation::RoundedDown => Some(0),
            Operation::Negative => a,
            Operation::Sum | Operation::Difference | Operation::Least | Operation::Greatest => Some(a?.max(b?)),
            Operation::Product => Some(a? + b?),
            _ => None,
        }
    }

    fn digits_of(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Step(step) => self.tens[step as usize],
            Operand::Constant(constant) => {
                Some(self.program.constants[constant as usize].scale).filter(|digits| *digits <= DIGITS)
            }
        }
    }

    fn add(&mut self, source: Source, held: Held, depth: u32) -> u32 {
        self.held.push(held);
        self.sources.push(source);
        self.depths.push(depth);
        self.held.len() as u32 - 1
    }

    fn add_node(&mut self, mut node: Node, held: Held) -> Option<u32> {
        if !held.is_word() {
            return None;
        }
        let depth = node.operands().iter().map(|operand| self.depths[**operand as usize]).max().unwrap_or(0) + 1;
        let word = self.add(Source::Node, held, depth);
        self.nodes.push((word, node));
        Some(word)
    }

    /// The word of an operand as it is held; an amount of money stays one.
    fn word(&mut self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Step(step) if self.is_pooled[step as usize] => {
                if let Some(word) = self.of_step[step as usize] {
                    return Some(word);
                }
                let load = self.pool.add(self.program, step, &mut self.in_pool)?;
                let word = self.add(Source::Load(load), self.pool.held[load as usize], 0);
                self.of_step[step as usize] = Some(word);
                Some(word)
            }
            Operand::Step(step) => self.of_step[step as usize],
            Operand::Constant(constant) => self.constant(constant, None),
        }
    }

    fn constant(&mut self, constant: u32, digits: Option<u32>) -> Option<u32> {
        if let Some(word) = self.of_constant.get(&(constant, digits)) {
            return Some(*word);
        }
        let number = self.program.constants[constant as usize];
        let bounds = Bounds::at(number.in_binary());
        let (unit, error) = match digits {
            Some(tens) => (Unit { scale: 0, tens }, 0.0),
            None if number.is_whole() && bounds.most() < 1e15 => (Unit::ONE, 0.0),
            None => (Unit::for_most(bounds.most()), 2.0),
        };
        let value = if error == 0.0 { decimal_word(number, unit.tens)? } else { word(number, unit)? };
        let added = self.add(Source::Constant(value), Held::new(unit, bounds, error, (0.0, error)), 0);
        self.of_constant.insert((constant, digits), added);
        Some(added)
    }

    /// The word of an exact decimal, with so many digits after the point.
    fn decimal(&mut self, operand: Operand, digits: u32) -> Option<u32> {
        let Operand::Step(step) = operand else {
            return match operand {
                Operand::Constant(constant) => self.constant(constant, Some(digits)),
                Operand::Step(_) => None,
            };
        };
        let more = digits.checked_sub(self.tens[step as usize]?)?;
        let word = self.word(operand)?;
        if more == 0 {
            return Some(word);
        }
        let power = self.added_constant(i64::try_from(*POWERS_OF_TEN.get(more as usize)?).ok()?);
        let held = Held::exact(Unit { scale: 0, tens: digits }, self.bounds[step as usize]);
        self.add_node(Node::Product(Product { operands: [word, power], shift: 0 }), held)
    }

    /// The word of an operand in a unit without tens.
    fn general(&mut self, operand: Operand) -> Option<u32> {
        let word = self.word(operand)?;
        let held = self.held[word as usize];
        if held.unit.tens == 0 {
            return Some(word);
        }
        if let Some(word) = self.in_general.get(&word) {
            return Some(*word);
        }
        let one = self.added_constant(1);
        let general = self.product([word, one], held.bounds)?;
        self.in_general.insert(word, general);
        Some(general)
    }

    /// A whole number that stands in no step.
    fn added_constant(&mut self, value: i64) -> u32 {
        if let Some(word) = self.of_whole.get(&value) {
            return *word;
        }
        let word = self.add(Source::Constant(value), Held::exact(Unit::ONE, Bounds::at(value as f64)), 0);
        self.of_whole.insert(value, word);
        word
    }

    fn build(&mut self, place: usize) -> Option<u32> {
        let Step { operation, operands: [a, b] } = self.program.steps[place];
        let bounds = self.bounds[place];
        if bounds == Bounds::at(0.0) {
            let tens = self.tens[place].unwrap_or(0);
            return Some(self.add(Source::Constant(0), Held::exact(Unit { scale: 0, tens }, bounds), 0));
        }
        match operation {
            Operation::Sum | Operation::Difference | Operation::Negative => self.sum(place, bounds),
            Operation::Product if self.tens[place].is_some() => {
                let [more, digits] = [a, b].map(|operand| self.digits_of(operand));
                let operands = [self.decimal(a, more?)?, self.decimal(b, digits?)?];
                let held = Held::exact(Unit { scale: 0, tens: more? + digits? }, bounds);
                self.add_node(Node::Product(Product { operands, shift: 0 }), held)
            }
            Operation::Product => {
                let operands = [self.word(a)?, self.word(b)?];
                self.product(operands, bounds)
            }
            Operation::Quotient => {
                let operands = [self.general(a)?, self.general(b)?];
                self.quotient(operands, bounds)
            }
            Operation::Least | Operation::Greatest => {
                let operands = match self.tens[place] {
                    Some(digits) => [self.decimal(a, digits)?, self.decimal(b, digits)?],
                    None => [self.general(a)?, self.general(b)?],
                };
                let held = operands.map(|word| self.held[word as usize]);
                let (pair, unit, error, lost) = self.aligned(operands);
                let share = held[0].relative.max(held[1].relative);
                let held = Held::new(unit, bounds, error[0].max(error[1]) + lost, (share, lost));
                self.add_node(
                    if operation == Operation::Least { Node::Least(pair) } else { Node::Greatest(pair) },
                    held,
                )
            }
            Operation::RoundedUp | Operation::RoundedDown => {
                let operand = self.general(a)?;
                let held = self.held[operand as usize];
                let shift = u32::try_from(held.unit.scale).ok()?;
                if shift > 61 && held.most() > 0.0 {
                    return self.small_whole(operand, operation, bounds);
                }
                let trace = TRACE / held.unit.value();
                let whole =
                    Whole { operand, shift, sure: units(trace - held.error), doubtful: units(trace + held.error) };
                let node =
                    if operation == Operation::RoundedUp { Node::WholeUp(whole) } else { Node::WholeDown(whole) };
                self.add_node(node, Held::exact(Unit::ONE, bounds))
            }
            Operation::SnappedShare => {
                let operand = self.general(a)?;
                let held = self.held[operand as usize];
                if !(0..=61).contains(&held.unit.scale) {
                    return None;
                }
                let trace = TRACE / held.unit.value();
                let share = Share {
                    operand,
                    one: 1 << held.unit.scale,
                    sure: units(trace - held.error),
                    doubtful: units(trace + held.error),
                };
                self.add_node(Node::Share(share), Held { bounds, ..held })
            }
            Operation::Posted(digits) => match self.digits_of(a) {
                Some(more) if digits < more => {
                    let power = i64::try_from(*POWERS_OF_TEN.get((more - digits) as usize)?).ok()?;
                    let operand = self.decimal(a, more)?;
                    let held = Held::exact(Unit { scale: 0, tens: digits }, bounds);
                    self.add_node(Node::Rounded(Rounded { operand, power }), held)
                }
                Some(_) => self.decimal(a, digits),
                None => self.posted(a, digits, bounds),
            },
            Operation::Because => self.word(a),
            _ => None,
        }
    }

    /// Whole units of a number that is held more finely than a word has room beside units.
    fn small_whole(&mut self, operand: u32, operation: Operation, bounds: Bounds) -> Option<u32> {
        let held = self.held[operand as usize];
        let error = held.error * (60.0 - f64::from(held.unit.scale)).exp2() + 1.0;
        let coarser = Held::new(Unit { scale: 60, tens: 0 }, held.bounds, error, (held.relative, 1.0));
        let term = Term { slot: operand, shift: Shift::by(60 - held.unit.scale), is_negative: false };
        let operand = self.add_node(Node::Sum(vec![term]), coarser)?;
        let trace = TRACE / coarser.unit.value();
        let whole =
            Whole { operand, shift: 60, sure: units(trace - coarser.error), doubtful: units(trace + coarser.error) };
        let node = if operation == Operation::RoundedUp { Node::WholeUp(whole) } else { Node::WholeDown(whole) };
        self.add_node(node, Held::exact(Unit::ONE, bounds))
    }

    /// Two words in one unit, in which both have room, with their errors and what is cut off.
    fn aligned(&self, operands: [u32; 2]) -> (Aligned, Unit, [f64; 2], f64) {
        let held = operands.map(|word| self.held[word as usize]);
        let [a, b] = held.map(|held| held.unit);
        let most = held[0].bounds.most().max(held[1].bounds.most());
        let unit = match a.tens {
            0 => Unit { scale: a.scale.max(b.scale).min(Unit::for_most(most).scale), tens: 0 },
            _ => a,
        };
        let places = [unit.scale - a.scale, unit.scale - b.scale];
        let error = [0, 1].map(|which| held[which].error * f64::from(places[which]).exp2());
        let cut = if places.iter().any(|places| *places < 0) { 1.0 } else { 0.0 };
        (Aligned { operands, shifts: places.map(Shift::by) }, unit, error, cut)
    }

    /// Everything that a sum adds up, with the sums in it that are used nowhere else.
    fn sum(&mut self, place: usize, bounds: Bounds) -> Option<u32> {
        let digits = self.tens[place];
        let mut open = vec![(Operand::Step(place as u32), false)];
        let mut parts: Vec<(u32, bool)> = Vec::new();
        while let Some((operand, is_negative)) = open.pop() {
            let inner = match operand {
                Operand::Step(step) if step as usize == place || self.is_absorbed[step as usize] => {
                    Some(self.program.steps[step as usize]).filter(is_additive)
                }
                _ => None,
            };
            match inner {
                Some(Step { operation: Operation::Negative, operands: [a, _] }) => open.push((a, !is_negative)),
                Some(Step { operation, operands: [a, b] }) => {
                    open.push((b, is_negative != (operation == Operation::Difference)));
                    open.push((a, is_negative));
                }
                None => {
                    let word = match digits {
                        Some(digits) => self.decimal(operand, digits)?,
                        None => self.general(operand)?,
                    };
                    parts.push((word, is_negative));
                }
            }
        }
        let held_of = |word: u32| self.held[word as usize];
        let unit = match digits {
            Some(tens) => Unit { scale: 0, tens },
            None => {
                // Every word that is added up has room in the sum.
                let most = parts.iter().map(|(word, _)| held_of(*word).bounds.most()).sum::<f64>().max(bounds.most());
                let finest = parts.iter().map(|(word, _)| held_of(*word).unit.scale).max().unwrap_or(0);
                Unit { scale: Unit::for_most(most).scale.min(finest), tens: 0 }
            }
        };
        let (mut error, mut cut, mut share) = (0.0, 0.0, 0.0_f64);
        let mut terms = Vec::with_capacity(parts.len());
        for (slot, is_negative) in parts {
            let held = held_of(slot);
            // Only where nothing is taken away from another do shares not grow.
            let adds_up = if is_negative { held.bounds.high <= 0.0 } else { held.bounds.low >= 0.0 };
            share = if adds_up { share.max(held.relative) } else { f64::INFINITY };
            cut += if unit.scale < held.unit.scale { 1.0 } else { 0.0 };
            let shift = unit.scale - held.unit.scale;
            error += held.error * f64::from(shift).exp2();
            terms.push(Term { slot, shift: Shift::by(shift), is_negative });
        }
        self.add_node(Node::Sum(terms), Held::new(unit, bounds, error + cut, (share, cut)))
    }

    /// What a product of two words errs by, in units of both.
    fn error_of_product(&self, words: [u32; 2]) -> f64 {
        let [a, b] = words.map(|word| self.held[word as usize]);
        a.most() * b.error + b.most() * a.error + a.error * b.error
    }

    /// The same as a share of it.
    fn share_of_product(&self, words: [u32; 2]) -> f64 {
        let [a, b] = words.map(|word| self.held[word as usize].relative);
        (a + b + a * b) * SLACK
    }

    fn product(&mut self, operands: [u32; 2], bounds: Bounds) -> Option<u32> {
        let [a, b] = operands.map(|word| self.held[word as usize]);
        if a.unit.tens + b.unit.tens > 0 {
            let (product, held) = self.rescaled(operands, bounds, None)?;
            return self.add_node(Node::Rescaled(product), held);
        }
        let scale = Unit::for_most(bounds.most().max(a.bounds.most() * b.bounds.most())).scale;
        let unit = Unit { scale: scale.min(a.unit.scale + b.unit.scale), tens: 0 };
        let shift = (a.unit.scale + b.unit.scale - unit.scale) as u32;
        if shift > 126 {
            return None;
        }
        let lost = if shift == 0 { 0.0 } else { 1.0 };
        let error = self.error_of_product(operands) * (-f64::from(shift)).exp2() + lost;
        let held = Held::new(unit, bounds, error, (self.share_of_product(operands), lost));
        self.add_node(Node::Product(Product { operands, shift }), held)
    }

    /// A product in the finest unit that it fits, or in that of money with binary places.
    fn rescaled(&self, operands: [u32; 2], bounds: Bounds, digits: Option<u32>) -> Option<(Rescaled, Held)> {
        let [a, b] = operands.map(|word| self.held[word as usize]);
        let tens = digits.unwrap_or(0);
        let (factor, places) = power_of_ten(tens as i32 - (a.unit.tens + b.unit.tens) as i32)?;
        let first = (bits(a.most() * b.most()) - BITS).max(0);
        let most = bounds.most().max(a.bounds.most() * b.bounds.most()) * 10_f64.powi(tens as i32) + 1.0;
        let finest = Unit::for_most(most).scale;
        // What is left after the first shift is not made finer again.
        let scale = finest.min(a.unit.scale + b.unit.scale - first + places);
        let second = places - first - scale + a.unit.scale + b.unit.scale;
        if !(0..=126).contains(&second) {
            return None;
        }
        let ratio = factor as f64 * (-f64::from(second)).exp2();
        let cut = if first > 0 { ratio } else { 0.0 } + 1.0;
        let of_product = self.error_of_product(operands) * (-f64::from(first)).exp2() * ratio;
        let unit = Unit { scale, tens };
        let of_factor = most * f64::from(scale).exp2() * 2_f64.powi(-BITS_OF_POWERS);
        let error = (of_product + of_factor + cut) * SLACK;
        let product = Rescaled { operands, first: first as u32, second: second as u32, factor };
        let share = self.share_of_product(operands) + 2_f64.powi(-BITS_OF_POWERS);
        // Bounds of an amount are those before it is rounded, in units of money.
        Some((product, Held::new(unit, bounds, error, (share, cut * SLACK))))
    }

    fn quotient(&mut self, operands: [u32; 2], bounds: Bounds) -> Option<u32> {
        let [a, b] = operands.map(|word| self.held[word as usize]);
        let least = b.bounds.least() / b.unit.value();
        let least = least - b.error;
        // What may be zero divides nothing.
        if least < 1.0 {
            return None;
        }
        let finest = Unit::for_most(bounds.most()).scale;
        let room = 125 - bits(a.most());
        let shift = (finest + b.unit.scale - a.unit.scale).min(room);
        if shift < -62 {
            return None;
        }
        let unit = Unit { scale: a.unit.scale + shift - b.unit.scale, tens: 0 };
        let most = bounds.most() / unit.value();
        let cut = if shift < 0 { 1.0 / least } else { 0.0 } + 1.0;
        let error = ((a.error * f64::from(shift).exp2() + most * b.error) / least) * SLACK + cut;
        let share = (a.relative + b.relative) / (1.0 - b.relative.min(0.5)) * SLACK;
        let share = if b.relative > 0.5 { f64::INFINITY } else { share };
        let held = Held::new(unit, bounds, error, (share, cut));
        self.add_node(Node::Quotient(Quotient { operands, shift }), held)
    }

    fn posted(&mut self, operand: Operand, digits: u32, bounds: Bounds) -> Option<u32> {
        let product = match operand {
            Operand::Step(step) if self.is_absorbed[step as usize] => {
                Some((self.program.steps[step as usize].operands, self.bounds[step as usize]))
            }
            _ => None,
        };
        let (operands, of_product) = match product {
            Some(([a, b], of_product)) => ([self.word(a)?, self.word(b)?], of_product),
            None => {
                let word = self.word(operand)?;
                let of_word = self.held[word as usize].bounds;
                ([word, self.added_constant(1)], of_word)
            }
        };
        let (product, held) = self.rescaled(operands, of_product, Some(digits))?;
        let places = u32::try_from(held.unit.scale).ok().filter(|places| (8..=61).contains(places));
        let places = match places {
            Some(places) => places,
            // An amount that is next to nothing is held more finely than there is room for.
            None if held.unit.scale > 61 => return self.small_amount(operands, digits, bounds, of_product),
            None => return None,
        };
        let trace = TRACE * f64::from(places).exp2();
        let doubtful = units(held.error + trace + 1.0);
        let unit = Unit { scale: 0, tens: digits };
        self.add_node(Node::Posted(Posted { product, places, doubtful }), Held::exact(unit, bounds))
    }

    fn small_amount(&mut self, operands: [u32; 2], digits: u32, bounds: Bounds, of: Bounds) -> Option<u32> {
        let (mut product, held) = self.rescaled(operands, of, Some(digits))?;
        let places = 60;
        let coarser = u32::try_from(held.unit.scale - places).ok()?;
        product.second += coarser;
        if product.second > 126 {
            return None;
        }
        let doubtful = units(held.error * (-f64::from(coarser)).exp2() + TRACE * f64::from(places).exp2() + 2.0);
        let unit = Unit { scale: 0, tens: digits };
        let posted = Posted { product, places: places as u32, doubtful };
        self.add_node(Node::Posted(posted), Held::exact(unit, bounds))
    }

    fn asked(&mut self, question: Question, of: [Operand; 2]) -> Option<Asked> {
        let operands = match of.map(|operand| self.digits_of(operand)) {
            [Some(one), Some(other)] => {
                let digits = one.max(other);
                [self.decimal(of[0], digits)?, self.decimal(of[1], digits)?]
            }
            _ => [self.general(of[0])?, self.general(of[1])?],
        };
        let (pair, _, [a, b], cut) = self.aligned(operands);
        let doubtful = if a + b + cut == 0.0 { -1 } else { units(a + b + 2.0) };
        Some(Asked { question, pair, doubtful })
    }

    /// Orders the nodes by what they rest on and by their kind, and says where every word stands.
    fn laid_out(self, mut decisions: Vec<(Asked, bool)>, mut questions: Vec<Asked>, mut outputs: Vec<u32>) -> Words {
        let Self { held, sources, depths, mut nodes, .. } = self;
        let mut slots = vec![0_u32; held.len()];
        let (mut constants, mut loads) = (Vec::new(), Vec::new());
        for (word, source) in sources.iter().enumerate() {
            if let Source::Constant(value) = source {
                slots[word] = constants.len() as u32;
                constants.push(*value);
            }
        }
        for (word, source) in sources.iter().enumerate() {
            if let Source::Load(load) = source {
                slots[word] = (constants.len() + loads.len()) as u32;
                loads.push(*load);
            }
        }
        nodes.sort_by_key(|(word, node)| (depths[*word as usize], node.kind()));
        for (place, (word, _)) in nodes.iter().enumerate() {
            slots[*word as usize] = (constants.len() + loads.len() + place) as u32;
        }
        let mut groups: Vec<Group> = Vec::new();
        let mut before = None;
        for (word, mut node) in nodes {
            node.operands().into_iter().for_each(|operand| *operand = slots[*operand as usize]);
            let key = (depths[word as usize], node.kind());
            if before != Some(key) {
                groups.push(Group::of(&node));
                before = Some(key);
            }
            if let Some(group) = groups.last_mut() {
                group.push(node);
            }
        }
        for asked in decisions.iter_mut().map(|(asked, _)| asked).chain(&mut questions) {
            asked.pair.operands = asked.pair.operands.map(|word| slots[word as usize]);
        }
        outputs.iter_mut().for_each(|word| *word = slots[*word as usize]);
        Words { constants, loads, groups, decisions, outputs, questions }
    }
}

impl Group {
    fn of(node: &Node) -> Self {
        match node {
            Node::Sum(_) => Self::Sums { ends: Vec::new(), terms: Vec::new() },
            Node::Product(_) => Self::Products(Vec::new()),
            Node::Rescaled(_) => Self::Rescaled(Vec::new()),
            Node::Quotient(_) => Self::Quotients(Vec::new()),
            Node::Least(_) => Self::Least(Vec::new()),
            Node::Greatest(_) => Self::Greatest(Vec::new()),
            Node::WholeUp(_) => Self::WholeUp(Vec::new()),
            Node::WholeDown(_) => Self::WholeDown(Vec::new()),
            Node::Share(_) => Self::Shares(Vec::new()),
            Node::Posted(_) => Self::Posted(Vec::new()),
            Node::Rounded(_) => Self::Rounded(Vec::new()),
        }
    }

    fn push(&mut self, node: Node) {
        match (self, node) {
            (Self::Sums { ends, terms }, Node::Sum(of)) => {
                terms.extend(of);
                ends.push(terms.len() as u32);
            }
            (Self::Products(of), Node::Product(node)) => of.push(node),
            (Self::Rescaled(of), Node::Rescaled(node)) => of.push(node),
            (Self::Quotients(of), Node::Quotient(node)) => of.push(node),
            (Self::Least(of), Node::Least(node)) => of.push(node),
            (Self::Greatest(of), Node::Greatest(node)) => of.push(node),
            (Self::WholeUp(of), Node::WholeUp(node)) => of.push(node),
            (Self::WholeDown(of), Node::WholeDown(node)) => of.push(node),
            (Self::Shares(of), Node::Share(node)) => of.push(node),
            (Self::Posted(of), Node::Posted(node)) => of.push(node),
            (Self::Rounded(of), Node::Rounded(node)) => of.push(node),
            // Nodes of one kind stand together.
            _ => {}
        }
    }
}

fn is_additive(step: &Step) -> bool {
    matches!(step.operation, Operation::Sum | Operation::Difference | Operation::Negative)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::super::super::trace::{input, recorded_for_replay};
    use super::super::super::{Factor, Money};
    use super::*;

    const DIGITS: u32 = 2;
    const LOW: i64 = 1_000_000;
    const HIGH: i64 = 9_000_000;

    fn num(text: &str) -> Num {
        Num::from(Decimal::from_str_exact(text).expect("the test writes exact decimals"))
    }

    /// An input in thousand-millionths, between a thousandth and nine thousandths of a million.
    fn value(units: i64) -> Num {
        Num::from(Decimal::new(units, 3))
    }

    /// Whole units of a quotient, a share, powers, amounts and their shares, and a present value; and whether it fits.
    fn computed([a, b, c]: [Num; 3]) -> Option<(Money, Num)> {
        let units = (a * b / c).ceil_units();
        let share = (a / (a + b)).snapped_share();
        let price = c * (Num::ONE + b / num("100000")).power(5);
        let whole = Money::rounded(units * num("12.35"), DIGITS)?;
        let amount = Money::rounded(price * share, DIGITS)?;
        let factor = Factor::of(Num::ONE / (Num::ONE + a / num("1000000")).root_24())?;
        let value = amount.discounted(factor, DIGITS)?;
        let of_whole = Money::rounded(whole.num(DIGITS) * num("0.005"), DIGITS)?;
        let total = if a < b { whole + value } else { value - whole };
        Some((total + of_whole, (a - c).max(Num::ZERO) - b.min(num("4000"))))
    }

    fn of_inputs(values: [i64; 3]) -> [Num; 3] {
        std::array::from_fn(|place| input(place, value(values[place])))
    }

    fn in_words(values: [i64; 3]) -> (Program, Pool, Words) {
        let (found, trace) = recorded_for_replay(|| computed(of_inputs(values)));
        let (amount, left) = found.expect("it can be computed");
        let program = Program::new(&trace, &[amount.num(DIGITS)], &[(Question::Less, [left, Num::ZERO])]);
        let program = program.expect("it can be done again");
        let mut pool = Pool::new((0..3).map(|place| (place, [value(LOW), value(HIGH)], 3)));
        let words = Words::new(&program, &mut pool).expect("every number is bounded");
        (program, pool, words)
    }

    fn plainly(values: [i64; 3]) -> Replayed {
        let (amount, left) = computed(values.map(value)).expect("it can be computed");
        Replayed { amounts: vec![amount.minor()], answers: vec![left < Num::ZERO] }
    }

    /// In words for other values, alone and beside others: the same number or none.
    fn outcome(pool: &Pool, words: &Words, values: [i64; 3]) -> Outcome {
        let of_pool = pool
            .words(|place| Some(value(values[place])), &mut Scratch::default())
            .expect("the values lie between their bounds");
        let mut room = Vec::new();
        let [alone] = words.run([&of_pool], &mut room);
        let lanes = words.run([&of_pool; 4], &mut room);
        assert!(lanes.iter().all(|lane| *lane == alone), "{lanes:?} beside {alone:?}");
        alone
    }

    fn values() -> impl Strategy<Value = [i64; 3]> {
        // Round numbers lie on borders.
        let any = || prop_oneof![LOW..=HIGH, (1..=9_i64).prop_map(|millions| millions * 1_000_000)];
        [any(), any(), any()]
    }

    proptest! {
        #[test]
        fn words_come_to_what_is_computed_plainly(first in values(), other in values()) {
            let (program, pool, words) = in_words(first);
            let goes_alike = (first[0] < first[1]) == (other[0] < other[1]);
            let all_digits = program.replay(|place| Some(value(other[place])), &mut Scratch::default());
            prop_assert_eq!(all_digits, goes_alike.then(|| plainly(other)));
            match outcome(&pool, &words, other) {
                Outcome::Done(replayed) => prop_assert_eq!((replayed, true), (plainly(other), goes_alike)),
                Outcome::Otherwise => prop_assert!(!goes_alike),
                Outcome::InDoubt => {}
            }
        }
    }

    #[test]
    fn doubt_is_rare() {
        let (_, pool, words) = in_words([2_345_678, 7_654_321, 3_333_333]);
        let mut tried = 0;
        let mut in_doubt = 0;
        for step in 0..2_000 {
            let at = |factor: i64| LOW + (step * factor + 17) % (HIGH - LOW);
            let values = [at(3_571), at(7_919), at(104_729)];
            tried += 1;
            in_doubt += u32::from(outcome(&pool, &words, values) == Outcome::InDoubt);
        }
        assert!(in_doubt * 100 < tried, "{in_doubt} of {tried} in doubt");
    }

    #[test]
    fn what_lies_outside_its_bounds_is_no_word() {
        let (_, pool, _) = in_words([2_345_678, 7_654_321, 3_333_333]);
        for outside in [LOW - 1, HIGH + 1] {
            let words =
                pool.words(|place| Some(value(if place == 1 { outside } else { LOW })), &mut Scratch::default());
            assert_eq!(words, None);
        }
        let longer = Num::from(Decimal::new(LOW * 10 + 1, 4));
        assert_eq!(pool.words(|_| Some(longer), &mut Scratch::default()), None, "more digits than were told of");
    }

    #[test]
    fn powers_of_ten_are_right_to_their_bits() {
        for exponent in -36..=18 {
            let (factor, shift) = power_of_ten(exponent).expect("a power");
            let found = factor as f64 * (-f64::from(shift)).exp2();
            let relative = found / 10_f64.powi(exponent) - 1.0;
            assert!(relative.abs() < 1e-14, "{exponent}: {relative}");
            assert!(exponent >= 0 || factor >> (BITS - 2) > 0, "{exponent} has few bits");
        }
    }
}
