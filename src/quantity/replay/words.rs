//! A program in machine words: its numbers as binary fractions of a fixed scale, each with a proven bound on its error.
//!
//! What is rounded to whole units or minor units, and how a decision falls, is the same as with all digits: a number that lies
//! within its error of the border is computed with all of them. Bounds come from the ranges of the inputs; they choose scales
//! and errors, and stand in no figure. Nothing here knows a formula.

use super::super::Num;
use super::super::trace::Question;
use super::all_digits::AllDigits;
use super::held::{Unit, decimal_word, word};
use super::{Operand, Replayed};

/// A program in machine words.
#[derive(Debug)]
pub struct Words {
    pub(super) constants: Vec<i64>,
    /// Places in the pool that follow the constants.
    pub(super) loads: Vec<u32>,
    /// Each follows what it rests on.
    pub(super) groups: Vec<Group>,
    pub(super) decisions: Vec<(Asked, bool)>,
    pub(super) outputs: Vec<u32>,
    /// With the answers that they had.
    pub(super) questions: Vec<(Asked, bool)>,
    /// The steps of the numbers of the groups that lie near a border now and then; of others there is no such step.
    pub(super) steps: Vec<u32>,
    /// What every word came to when it was recorded: constants, loads, and then the numbers of the groups. None where one of
    /// them is no word.
    pub(super) recorded: Option<Vec<i64>>,
}

/// What a run in words comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Done(Replayed),
    /// A decision falls otherwise.
    Otherwise,
    /// All digits of all numbers are needed.
    InDoubt,
}

/// Operations of one kind on numbers that are known before any of them.
#[derive(Debug)]
pub(super) enum Group {
    Sums {
        ends: Vec<Ends>,
        terms: Vec<Term>,
    },
    /// Of words that are all in the unit of their sum, as amounts of money are.
    PlainSums {
        ends: Vec<Ends>,
        slots: Vec<u32>,
    },
    /// Of which nothing is cut off.
    WholeProducts(Vec<[u32; 2]>),
    Products(Vec<Product>),
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
pub(super) struct Shift {
    pub(super) left: u8,
    pub(super) right: u8,
}

impl Shift {
    /// To a unit with so many binary places more.
    pub(super) fn by(places: i32) -> Self {
        Self { left: places.clamp(0, 63) as u8, right: (-places).clamp(0, 63) as u8 }
    }

    pub(super) fn is_none(self) -> bool {
        self.left == 0 && self.right == 0
    }

    #[inline]
    fn of(self, word: i64) -> i64 {
        word << self.left >> self.right
    }
}

/// Where the terms of a sum end among those of all: those that are added, and then those that are taken away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ends {
    pub(super) added: u32,
    pub(super) all: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) slot: u32,
    pub(super) shift: Shift,
}

/// The upper half of a double word, of operands that are moved up before it, as far as they have room, and of what is then
/// moved down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    pub(super) operands: [u32; 2],
    pub(super) left: [u8; 2],
    pub(super) right: u8,
}

/// A quotient of what is left of the first operand after a shift to the right, or made larger by a shift to the left and
/// then a power of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotient {
    pub(super) operands: [u32; 2],
    pub(super) shift: Shift,
    pub(super) times: i64,
    /// Places of a rest that leave a word of it.
    pub(super) cut: u8,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Aligned {
    pub(super) operands: [u32; 2],
    pub(super) shifts: [Shift; 2],
}

/// To whole units: what is above the floor by less than `sure` is nothing, by more than `doubtful` something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    pub(super) operand: u32,
    pub(super) shift: u32,
    pub(super) sure: i64,
    pub(super) doubtful: i64,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) operand: u32,
    pub(super) one: i64,
    pub(super) sure: i64,
    pub(super) doubtful: i64,
}

/// To the minor unit, of which the product has so many binary places more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posted {
    pub(super) product: Product,
    pub(super) places: u32,
    pub(super) doubtful: i64,
}

/// An exact decimal rounded half away from zero, in units of so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounded {
    pub(super) operand: u32,
    pub(super) power: i64,
}

/// A question about two words, in doubt where they are as near as that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) pair: Aligned,
    pub(super) doubtful: i64,
}

/// What a word becomes, lane by lane.
#[inline]
fn each<const LANES: usize, To: Copy + Default>(one: [i64; LANES], of: impl Fn(i64) -> To) -> [To; LANES] {
    // A loop, which unlike the map of an array is done in the registers of a machine.
    let mut each = [To::default(); LANES];
    for (each, one) in each.iter_mut().zip(one) {
        *each = of(one);
    }
    each
}

/// What some words come to together, lane by lane.
#[inline]
fn together<const LANES: usize, To: Copy + Default>(
    one: [i64; LANES],
    other: [i64; LANES],
    of: impl Fn(i64, i64) -> To,
) -> [To; LANES] {
    let mut together = [To::default(); LANES];
    for ((together, one), other) in together.iter_mut().zip(one).zip(other) {
        *together = of(one, other);
    }
    together
}

impl Product {
    #[inline]
    fn of<const LANES: usize>(&self, values: &[[i64; LANES]]) -> [i64; LANES] {
        let Self { operands: [a, b], left: [one, other], right } = *self;
        together(values[a as usize], values[b as usize], |a, b| {
            ((i128::from(a << one) * i128::from(b << other)) >> 64) as i64 >> right
        })
    }
}

impl Quotient {
    /// By a guess, in binary floating point, of which it is known with whole numbers how much it leaves; a second one of that
    /// is right to a unit. The first errs by less than a part in 2^50, so that it leaves less than 4,096 times the divisor.
    #[inline]
    fn of<const LANES: usize>(&self, values: &[[i64; LANES]]) -> [i64; LANES] {
        let Self { operands: [a, b], shift, times, cut } = *self;
        let (many, of_cut) = (times as f64, (1_i64 << cut) as f64);
        together(values[a as usize], values[b as usize], |a, b| {
            let (a, share) = (shift.of(a), 1.0 / b as f64);
            let guess = (a as f64 * share * many) as i64;
            let left = i128::from(a) * i128::from(times) - i128::from(guess) * i128::from(b);
            guess.wrapping_add(((left >> cut) as i64 as f64 * share * of_cut) as i64)
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
    /// The answer in each lane, and whether it is in doubt.
    #[inline]
    fn answers<const LANES: usize>(&self, values: &[[i64; LANES]]) -> ([bool; LANES], [bool; LANES]) {
        let Aligned { operands: [a, b], shifts: [one, other] } = self.pair;
        let (a, b) = (each(values[a as usize], |a| one.of(a)), each(values[b as usize], |b| other.of(b)));
        let answers = match self.question {
            Question::Less => together(a, b, |a, b| a < b),
            Question::NotGreater => together(a, b, |a, b| a <= b),
            Question::Equal => together(a, b, |a, b| a == b),
        };
        let doubtful = self.doubtful;
        (answers, together(a, b, |a, b| 0 <= doubtful && a.abs_diff(b) <= doubtful.unsigned_abs()))
    }
}

impl Whole {
    /// Whether a rest above the floor, or below the ceiling, is something, and whether that is in doubt.
    #[inline]
    fn is_something(&self, rest: i64) -> (bool, bool) {
        let Self { shift, sure, doubtful, .. } = *self;
        (sure <= rest, sure <= rest && rest <= doubtful || (1 << shift) - rest <= -sure)
    }
}

/// Sums of terms up to these ends.
#[inline]
fn sums<Term, const LANES: usize>(
    ends: &[Ends],
    terms: &[Term],
    into: &mut [[i64; LANES]],
    word: impl Fn(&Term) -> [i64; LANES],
) {
    let sum =
        |terms: &[Term]| terms.iter().fold([0_i64; LANES], |sum, term| together(sum, word(term), i64::wrapping_add));
    let mut start = 0;
    for (into, Ends { added, all }) in into.iter_mut().zip(ends) {
        let (added, all) = (*added as usize, *all as usize);
        *into = sum(&terms[start..added]);
        if added < all {
            *into = together(*into, sum(&terms[added..all]), i64::wrapping_sub);
        }
        start = all;
    }
}

impl Group {
    /// Computes its numbers, lane by lane, and notes which are in doubt, by their places and lanes.
    pub(super) fn run<const LANES: usize>(
        &self,
        values: &[[i64; LANES]],
        into: &mut [[i64; LANES]],
        in_doubt: &mut Vec<(usize, usize)>,
    ) {
        let at = |slot: u32| values[slot as usize];
        match self {
            Self::Sums { ends, terms } => {
                sums(ends, terms, into, |Term { slot, shift }| each(at(*slot), |word| shift.of(word)));
            }
            Self::PlainSums { ends, slots } => sums(ends, slots, into, |slot| at(*slot)),
            Self::WholeProducts(products) => {
                for (into, [a, b]) in into.iter_mut().zip(products) {
                    *into = together(at(*a), at(*b), i64::wrapping_mul);
                }
            }
            Self::Products(products) => {
                for (into, product) in into.iter_mut().zip(products) {
                    *into = product.of(values);
                }
            }
            Self::Quotients(quotients) => {
                for (into, quotient) in into.iter_mut().zip(quotients) {
                    *into = quotient.of(values);
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
                for (place, (into, whole)) in into.iter_mut().zip(wholes).enumerate() {
                    for (lane, value) in at(whole.operand).into_iter().enumerate() {
                        let floor = value >> whole.shift;
                        let (is_more, is_doubtful) = whole.is_something(value - (floor << whole.shift));
                        into[lane] = floor + i64::from(is_more);
                        if is_doubtful {
                            in_doubt.push((place, lane));
                        }
                    }
                }
            }
            Self::WholeDown(wholes) => {
                for (place, (into, whole)) in into.iter_mut().zip(wholes).enumerate() {
                    for (lane, value) in at(whole.operand).into_iter().enumerate() {
                        let ceiling = -(value.wrapping_neg() >> whole.shift);
                        let (is_less, is_doubtful) = whole.is_something((ceiling << whole.shift) - value);
                        into[lane] = ceiling - i64::from(is_less);
                        if is_doubtful {
                            in_doubt.push((place, lane));
                        }
                    }
                }
            }
            Self::Shares(shares) => {
                for (place, (into, share)) in into.iter_mut().zip(shares).enumerate() {
                    let Share { operand, one, sure, doubtful } = share;
                    for (lane, value) in at(*operand).into_iter().enumerate() {
                        let beside_one = one.wrapping_sub(value);
                        let is_doubtful = |rest: i64| *sure <= rest && rest <= *doubtful;
                        if is_doubtful(value) || is_doubtful(beside_one) {
                            in_doubt.push((place, lane));
                        }
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
                for (place, (into, amount)) in into.iter_mut().zip(amounts).enumerate() {
                    let Posted { product, places, doubtful } = *amount;
                    let (unit, half) = (1_i64 << places, 1_i64 << places >> 1);
                    let up = each(product.of(values), |amount| amount.wrapping_add(half));
                    // What is left above a border, or lacks to the next one.
                    let is_doubtful = |up: i64| up.wrapping_add(doubtful) & (unit - 1) <= doubtful.saturating_mul(2);
                    if up.iter().fold(false, |any, up| any | is_doubtful(*up)) {
                        let lanes = up.iter().enumerate().filter(|(_, up)| is_doubtful(**up));
                        in_doubt.extend(lanes.map(|(lane, _)| (place, lane)));
                    }
                    *into = each(up, |up| up >> places);
                }
            }
            Self::Rounded(decimals) => {
                for (into, Rounded { operand, power }) in into.iter_mut().zip(decimals) {
                    *into = each(at(*operand), |value| {
                        let (quotient, rest) = (value / power, (value % power).abs());
                        quotient + if power - rest <= rest { value.signum() } else { 0 }
                    });
                }
            }
        }
    }

    /// What one of its numbers that lie near a border is with all digits.
    pub(super) fn settled(&self, place: usize, number: Num) -> Option<i64> {
        match self {
            Self::Posted(_) => i64::try_from(number.mantissa).ok(),
            Self::WholeUp(_) | Self::WholeDown(_) => decimal_word(number, 0),
            Self::Shares(shares) => {
                let scale = shares.get(place)?.one.trailing_zeros() as i32;
                word(number, Unit { scale, tens: 0 })
            }
            _ => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Sums { ends, .. } | Self::PlainSums { ends, .. } => ends.len(),
            Self::WholeProducts(of) => of.len(),
            Self::Products(of) => of.len(),
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
    /// The amounts and the answers to the questions for several sets of values at once, given by their words in the pool, and
    /// with all digits for what lies near a border.
    pub fn run<const LANES: usize>(
        &self,
        pools: [&[i64]; LANES],
        all_digits: &mut [AllDigits<'_>; LANES],
        room: &mut Vec<i64>,
    ) -> [Outcome; LANES] {
        let mut first = self.constants.len() + self.loads.len();
        let count = first + self.groups.iter().map(Group::len).sum::<usize>();
        if room.len() < count * LANES {
            room.resize(count * LANES, 0);
        }
        let (values, _) = room.as_chunks_mut::<LANES>();
        let given = self.constants.iter().map(|constant| [*constant; LANES]);
        let given = given.chain(self.loads.iter().map(|load| pools.map(|words| words[*load as usize])));
        values.iter_mut().zip(given).for_each(|(value, given)| *value = given);
        let mut is_settled = [true; LANES];
        let mut in_doubt = Vec::new();
        for group in &self.groups {
            let (known, into) = values.split_at_mut(first);
            group.run(known, &mut into[..group.len()], &mut in_doubt);
            for (place, lane) in in_doubt.drain(..) {
                match self.settled(group, place, first + place, &mut all_digits[lane]) {
                    Some(settled) => into[place][lane] = settled,
                    None => is_settled[lane] = false,
                }
            }
            first += group.len();
        }
        self.outcomes(values, is_settled, 0..self.decisions.len(), |_| true, all_digits)
    }

    /// One of the numbers of a group, with where it stands among all, with all digits; none where it cannot be computed.
    pub(super) fn settled(
        &self,
        group: &Group,
        place: usize,
        slot: usize,
        all_digits: &mut AllDigits<'_>,
    ) -> Option<i64> {
        let step = self.steps[slot - self.constants.len() - self.loads.len()];
        group.settled(place, all_digits.number(Operand::Step(step))?)
    }

    /// What its numbers say in each lane, where some decisions can have fallen otherwise, and some questions. A lane in which a
    /// number could not be settled is in doubt.
    pub(super) fn outcomes<const LANES: usize>(
        &self,
        values: &[[i64; LANES]],
        mut is_settled: [bool; LANES],
        decisions: impl Iterator<Item = usize>,
        can_move: impl Fn(usize) -> bool,
        all_digits: &mut [AllDigits<'_>; LANES],
    ) -> [Outcome; LANES] {
        let mut falls_alike = [true; LANES];
        for decision in decisions {
            let (asked, recorded) = &self.decisions[decision];
            let (answers, in_doubt) = asked.answers(values);
            if in_doubt == [false; LANES] && answers == [*recorded; LANES] {
                continue;
            }
            for lane in 0..LANES {
                let answer = if in_doubt[lane] { all_digits[lane].decision(decision) } else { Some(answers[lane]) };
                is_settled[lane] &= answer.is_some();
                falls_alike[lane] &= answer == Some(*recorded);
            }
        }
        let mut answers: [Vec<bool>; LANES] = std::array::from_fn(|_| Vec::with_capacity(self.questions.len()));
        for (question, (asked, recorded)) in self.questions.iter().enumerate() {
            let (found, in_doubt) =
                if can_move(question) { asked.answers(values) } else { ([*recorded; LANES], [false; LANES]) };
            for lane in 0..LANES {
                let answer = if in_doubt[lane] { all_digits[lane].question(question) } else { Some(found[lane]) };
                is_settled[lane] &= answer.is_some();
                answers[lane].push(answer.unwrap_or_default());
            }
        }
        let mut answers = answers.into_iter();
        std::array::from_fn(|lane| {
            let answers = answers.next().unwrap_or_default();
            if !is_settled[lane] {
                return Outcome::InDoubt;
            }
            if !falls_alike[lane] {
                return Outcome::Otherwise;
            }
            let amounts = self.outputs.iter().map(|output| i128::from(values[*output as usize][lane])).collect();
            Outcome::Done(Replayed { amounts, answers })
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::super::super::trace::{input, recorded_for_replay};
    use super::super::super::{Factor, Money, Num};
    use super::super::held::{BITS, power_of_ten};
    use super::super::part::Part;
    use super::super::pool::{Computed, Pool};
    use super::super::{Program, Scratch};
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

    struct Recorded {
        program: Program,
        pool: Pool,
        words: Words,
        first: [i64; 3],
        last: Computed,
    }

    fn in_words(first: [i64; 3]) -> Recorded {
        let (found, trace) = recorded_for_replay(|| computed(of_inputs(first)));
        let (amount, left) = found.expect("it can be computed");
        let program = Program::new(&trace, &[amount.num(DIGITS)], &[(Question::Less, [left, Num::ZERO])]);
        let program = program.expect("it can be done again");
        let mut pool = Pool::new((0..3).map(|place| (place, [value(LOW), value(HIGH)], 3)));
        let words = Words::new(&program, &mut pool).expect("every number is bounded");
        Recorded { program, pool, words, first, last: Computed::default() }
    }

    fn plainly(values: [i64; 3]) -> Replayed {
        let (amount, left) = computed(values.map(value)).expect("it can be computed");
        Replayed { amounts: vec![amount.minor()], answers: vec![left < Num::ZERO] }
    }

    /// In words for other values, alone, beside others, and the part that follows from what has moved: the same, or none.
    fn outcome(recorded: &mut Recorded, values: [i64; 3]) -> Outcome {
        let Recorded { program, pool, words, first, last } = recorded;
        let input = move |place: usize| Some(value(values[place]));
        let of_pool = pool.words(input, last).expect("the values lie between their bounds").to_vec();
        let mut room = Vec::new();
        let [alone] = words.run([&of_pool], &mut [AllDigits::new(program, &input, &|_| true)], &mut room);
        let mut all_digits = std::array::from_fn(|_| AllDigits::new(program, &input, &|_| true));
        let lanes = words.run([&of_pool; 4], &mut all_digits, &mut room);
        assert!(lanes.iter().all(|lane| *lane == alone), "{lanes:?} beside {alone:?}");
        let part = Part::new(words, pool, |place| first[place] != values[place]).expect("what was recorded fits words");
        let moved = program.moved(|place| first[place] != values[place]);
        let has_moved = |step: u32| moved[step as usize];
        let [of_part] = part.run(words, [&of_pool], &mut [AllDigits::new(program, &input, &has_moved)], &mut room);
        assert_eq!(of_part, alone);
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
            let mut recorded = in_words(first);
            let goes_alike = (first[0] < first[1]) == (other[0] < other[1]);
            let all_digits = recorded.program.replay(|place| Some(value(other[place])), &mut Scratch::default());
            prop_assert_eq!(all_digits, goes_alike.then(|| plainly(other)));
            prop_assert_eq!(outcome(&mut recorded, first), Outcome::Done(plainly(first)));
            match outcome(&mut recorded, other) {
                Outcome::Done(replayed) => prop_assert_eq!((replayed, true), (plainly(other), goes_alike)),
                Outcome::Otherwise => prop_assert!(!goes_alike),
                Outcome::InDoubt => prop_assert!(false, "all its digits are known"),
            }
        }
    }

    proptest! {
        /// As the errors of quotients are counted: by a unit, and what is cut off the rest.
        #[test]
        fn quotients_are_right_to_a_unit(a in any::<i64>(), b in any::<i64>(), of in (1..62_u32, 1..62_u32, 0..62_u32)) {
            let (a, b) = (a >> of.0, b >> of.1);
            let (times, bits) = (1_i64 << of.2, 64 - b.unsigned_abs().leading_zeros());
            let cut = (bits.saturating_sub(50)) as u8;
            let exact = (i128::from(a) * i128::from(times)).checked_div(i128::from(b));
            if let Some(exact) = exact.filter(|exact| exact.unsigned_abs() < 1 << BITS) {
                let quotient = Quotient { operands: [0, 1], shift: Shift::by(0), times, cut };
                let [found] = quotient.of(&[[a], [b]]);
                let lost = 2 + (1_u64 << cut) / b.unsigned_abs();
                prop_assert!((i128::from(found) - exact).unsigned_abs() <= lost.into(), "{} for {}", found, exact);
            }
        }

        /// Moved up before and down after, the upper half is what a shift leaves of the product.
        #[test]
        fn products_are_what_a_shift_leaves(a in any::<i64>(), b in any::<i64>(), of in (0..63_u32, 0..63_u32), right in 0..63_u8) {
            let rooms = [of.0, of.1].map(|bits| bits as u8);
            let (a, b) = (a >> 1 >> of.0, b >> 1 >> of.1);
            let product = Product { operands: [0, 1], left: rooms, right };
            let exact = (i128::from(a) * i128::from(b)) >> (64 + i32::from(right) - (of.0 + of.1) as i32).clamp(0, 127);
            if of.0 + of.1 <= 64 {
                prop_assert_eq!(product.of(&[[a], [b]]), [exact as i64]);
            }
        }
    }

    /// Otherwise words would save nothing.
    #[test]
    fn all_digits_are_rarely_asked_for() {
        let Recorded { program, pool, words, mut last, .. } = in_words([2_345_678, 7_654_321, 3_333_333]);
        let mut asked = 0;
        for step in 0..2_000 {
            let at = |factor: i64| LOW + (step * factor + 17) % (HIGH - LOW);
            let values = [at(3_571), at(7_919), at(104_729)];
            let of_pool = pool.words(|place| Some(value(values[place])), &mut last).expect("the values fit").to_vec();
            let is_asked = std::cell::Cell::new(0);
            let input = |place: usize| {
                is_asked.set(1);
                Some(value(values[place]))
            };
            words.run([&of_pool], &mut [AllDigits::new(&program, &input, &|_| true)], &mut Vec::new());
            asked += is_asked.get();
        }
        assert!(asked * 100 < 2_000, "for {asked} of 2,000");
    }

    #[test]
    fn what_lies_outside_its_bounds_is_no_word() {
        let Recorded { pool, mut last, .. } = in_words([2_345_678, 7_654_321, 3_333_333]);
        for outside in [LOW - 1, HIGH + 1] {
            let words =
                pool.words(|place| Some(value(if place == 1 { outside } else { LOW })), &mut last).map(<[i64]>::to_vec);
            assert_eq!(words, None);
            assert!(pool.words(|_| Some(value(LOW)), &mut last).is_some(), "the next ones are whole again");
        }
        let longer = Num::from(Decimal::new(LOW * 10 + 1, 4));
        assert_eq!(pool.words(|_| Some(longer), &mut last), None, "more digits than were told of");
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
