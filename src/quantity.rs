//! Exact numbers: decimals as they were typed, checked arithmetic on them, and money in whole minor units.
//!
//! Nothing here knows a scenario, a formula, or how a number is shown to a person.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use rust_decimal::Decimal;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

mod powers;
pub mod replay;
pub mod trace;

use powers::{
    INVERSE_POWERS, POWERS_IN_BINARY, POWERS_OF_TEN, RAISES, WORD_DIGITS, split_digits, split_short, split_wide,
    split_wide_digits,
};
use trace::{Name, Operation, Question};

/// Digits allowed before and after the point of a number in a scenario.
pub const DIGITS_BEFORE_POINT: usize = 15;
/// See [`DIGITS_BEFORE_POINT`].
pub const DIGITS_AFTER_POINT: usize = 12;

/// An exact decimal as it was typed: `0.60` stays `0.60`, and equals `0.6`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Exact(Decimal);

impl Exact {
    /// Reads digits, at most one point and a leading minus; nothing else.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the text and how to mend it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !plain(whole) || !plain(fraction) {
            return Err(format!(
                "{text:?} is not an exact decimal; write digits with at most one point and a leading minus, for example \"1234.5\", without separators or exponent"
            ));
        }
        let whole = whole.trim_start_matches('0');
        let too_long =
            whole.len() > DIGITS_BEFORE_POINT || (digits.contains('.') && fraction.len() > DIGITS_AFTER_POINT);
        if too_long {
            return Err(format!(
                "{} is too long; at most {DIGITS_BEFORE_POINT} digits before the point and {DIGITS_AFTER_POINT} after it can be computed with",
                shortened(text)
            ));
        }
        let value = Decimal::from_str_exact(text).map_err(|_| format!("{text:?} is not an exact decimal"))?;
        Ok(Self(without_negative_zero(value)))
    }

    /// A whole number.
    #[must_use]
    pub fn whole(value: i64) -> Self {
        Self(Decimal::from(value))
    }

    /// The decimal itself.
    #[must_use]
    pub fn decimal(self) -> Decimal {
        self.0
    }

    /// A decimal that a computation or a cell produced, if it is short enough for a scenario.
    ///
    /// # Errors
    /// The same sentences as [`Exact::parse`].
    pub fn from_decimal(value: Decimal) -> Result<Self, String> {
        let (places, magnitude) = (value.scale() as usize, value.mantissa().unsigned_abs());
        // What is short with all its digits is short without some.
        let is_short = |magnitude: u128| magnitude < POWERS_OF_TEN[DIGITS_BEFORE_POINT].unsigned_abs();
        if places <= DIGITS_AFTER_POINT && (is_short(magnitude) || is_short(split_digits(magnitude, value.scale()).0)) {
            return Ok(Self(without_negative_zero(value)));
        }
        // The sentence is that of the text.
        Self::parse(&value.to_string())
    }

    /// The value as a whole number, if it is one and fits.
    #[must_use]
    pub fn as_whole(self) -> Option<i64> {
        if self.0.scale() == 0 {
            return i64::try_from(self.0.mantissa()).ok();
        }
        let whole = self.0.trunc();
        if whole == self.0 { i64::try_from(whole).ok() } else { None }
    }

    /// The number for arithmetic.
    #[must_use]
    pub fn num(self) -> Num {
        Num::from(self.0)
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return format!("{text:?}");
    }
    let head: String = text.chars().take(24).collect();
    format!("\"{head}…\" with {} characters", text.chars().count())
}

fn without_negative_zero(value: Decimal) -> Decimal {
    if value.is_zero() { value.abs() } else { value }
}

impl fmt::Display for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Exact {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ExactVisitor)
    }
}

/// What a number must look like in a file, for messages of readers.
pub(crate) const EXPECTED_NUMBER: &str = "an exact decimal in quotes, for example \"0.075\"";

pub(crate) struct ExactVisitor;

impl Visitor<'_> for ExactVisitor {
    type Value = Exact;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(EXPECTED_NUMBER)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Exact, E> {
        Exact::parse(text).map_err(E::custom)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Exact, E> {
        Exact::parse(&value.to_string()).map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Exact, E> {
        Exact::parse(&value.to_string()).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Exact, E> {
        Err(E::custom(format!(
            "the number {value} stands without quotes and would pass through binary floating point; write it as text in quotes, for example \"0.075\""
        )))
    }
}

/// A number under computation, to at least 28 significant digits.
///
/// Arithmetic never panics: what overflows or divides by zero becomes *broken*, and whatever is computed from a broken
/// number is broken. The ledger refuses to post a broken amount and names its line, so no figure ever rests on one.
///
/// The digits are held in a 128-bit integer, so that most products and sums are single integer operations; what needs
/// more digits than that is reduced to 28 or more of them.
///
/// Aligned to a machine word it is three of them long, not four, and an evaluation moves many thousands.
#[derive(Clone, Copy)]
#[repr(C, packed(8))]
pub struct Num {
    mantissa: i128,
    /// Digits after the point; `BROKEN_SCALE` marks a broken number.
    scale: u32,
    /// Where it comes from, while a trace is recorded; 0 otherwise. It takes part in no comparison.
    mark: trace::Mark,
}

/// More than any number has digits, and little enough that two of them can be added.
const BROKEN_SCALE: u32 = 1 << 30;
/// No number has more digits after the point.
const SCALE_MAX: u32 = 36;
/// Digits of the greatest power of ten that a mantissa can hold.
const DIGITS_MAX: u32 = 38;
/// Digits that a reduced number keeps at least: 28 and some to spare.
const KEPT_BITS: u32 = 100;

/// Bits of the longest factors together whose product is held as it is.
const EXACT_BITS: u32 = 126;
/// Significant digits of a quotient that does not come to an end; they fit the bits that are kept.
const QUOTIENT_DIGITS: u32 = 30;
/// Significant digits of a product that is too long to be held.
const PRODUCT_DIGITS: u32 = 31;

/// Bits of the magnitude.
const fn bits(value: i128) -> u32 {
    128 - value.unsigned_abs().leading_zeros()
}

/// A divisor's worth of decimal digits for a number of bits, rounded up.
const fn digits_of_bits(bits: u32) -> u32 {
    bits * 1233 / 4096 + 1
}

/// The digits of a power of two, less one.
const fn whole_digits_of_bits(bits: u32) -> u32 {
    bits * 1233 / 4096
}

/// A mantissa as a machine word, where it fits one: most do, and two such words multiply in one instruction.
#[inline]
const fn word(value: i128) -> Option<i64> {
    let word = value as i64;
    if word as i128 == value { Some(word) } else { None }
}

/// The product, `None` where it has too many bits.
#[inline]
fn product(a: i128, b: i128) -> Option<i128> {
    match (word(a), word(b)) {
        (Some(a), Some(b)) => Some(i128::from(a) * i128::from(b)),
        (_, Some(b)) => times_word(a, b),
        (Some(a), _) => times_word(b, a),
        (None, None) => a.checked_mul(b),
    }
}

/// The product with a machine word, half by half; `None` where it has too many bits.
#[inline]
fn times_word(value: i128, by: i64) -> Option<i128> {
    let low = i128::from(value as u64) * i128::from(by);
    let high = i128::from((value >> 64) as i64) * i128::from(by) + (low >> 64);
    word(high).map(|high| i128::from(high) << 64 | i128::from(low as u64))
}

/// A magnitude with its sign.
#[inline]
const fn signed(magnitude: u128, is_negative: bool) -> i128 {
    if is_negative { (magnitude as i128).wrapping_neg() } else { magnitude as i128 }
}

/// Takes so many digits off the end, half away from zero.
fn without_digits(value: i128, digits: u32) -> i128 {
    let Some(power) = POWERS_OF_TEN.get(digits as usize) else { return 0 };
    let (quotient, rest) = split_digits(value.unsigned_abs(), digits);
    let is_half = power.unsigned_abs() - rest <= rest;
    signed(quotient + u128::from(is_half), value < 0)
}

impl Num {
    pub const ZERO: Self = Self::of(0, 0);
    pub const ONE: Self = Self::of(1, 0);
    /// The result of a computation that has no value.
    pub const BROKEN: Self = Self::of(0, BROKEN_SCALE);

    const fn of(mantissa: i128, scale: u32) -> Self {
        Self { mantissa, scale, mark: 0 }
    }

    /// A whole number.
    #[must_use]
    pub const fn whole(value: i64) -> Self {
        Self::of(value as i128, 0)
    }

    /// What counts as nothing beside one (method, §1.5): 1e-12.
    #[must_use]
    pub const fn trillionth() -> Self {
        Self::of(1, 12)
    }

    /// A count.
    #[must_use]
    pub const fn count(value: u32) -> Self {
        Self::of(value as i128, 0)
    }

    /// The number as a decimal of at most 28 digits after the point, unless it is broken or too large for one.
    #[must_use]
    pub fn decimal(self) -> Option<Decimal> {
        self.is_taken_as_it_is();
        self.in_decimal()
    }

    fn in_decimal(self) -> Option<Decimal> {
        if self.is_broken() {
            return None;
        }
        let reduced = self.with_bits(95).with_scale(Decimal::MAX_SCALE);
        Decimal::try_from_i128_with_scale(reduced.mantissa, reduced.scale).ok()
    }

    /// Whether the computation overflowed or divided by zero on the way here.
    #[must_use]
    pub const fn is_broken(self) -> bool {
        self.scale == BROKEN_SCALE
    }

    /// The number without its past.
    const fn bare(self) -> Self {
        Self { mark: 0, ..self }
    }

    /// Whether it is known where it comes from, which is so for what rests on inputs while a trace is recorded.
    #[must_use]
    pub const fn is_traced(self) -> bool {
        self.mark != 0
    }

    /// Whether it is zero and no input could make it anything else, so that whatever it multiplies need not be computed.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.is_null() && self.mark == 0
    }

    /// Gives a traced number a name, by which it stands in explanations.
    #[must_use]
    #[inline]
    pub fn called(self, name: impl FnOnce() -> Name) -> Self {
        if self.mark == 0 { self } else { trace::called(self, name) }
    }

    /// This number, which is what it is because of another that is no operand: a choice, a month, a limit.
    #[must_use]
    #[inline]
    pub fn because(self, reason: Self) -> Self {
        if reason.mark == 0 { self } else { trace::because(self, reason) }
    }

    #[inline]
    fn made_by(self, operation: Operation, a: Self, b: Self) -> Self {
        if a.mark | b.mark == 0 { self } else { trace::made(operation, [a, b], self) }
    }

    /// Whether two constants have the same digits, which costs less to ask than whether they are equal.
    #[must_use]
    #[inline]
    pub const fn is_same_constant(self, other: Self) -> bool {
        self.mantissa == other.mantissa && self.scale == other.scale && self.mark | other.mark == 0
    }

    /// Whether it is 1 as it stands and stays so, so that multiplying by it may be left out. 1.00 is not.
    #[must_use]
    #[inline]
    pub fn is_one(self) -> bool {
        self.mantissa == 1 && self.scale == 0 && !self.is_open()
    }

    #[must_use]
    #[inline]
    pub fn is_zero(self) -> bool {
        self.asked(Question::Equal, Self::ZERO, self.is_null())
    }

    #[must_use]
    #[inline]
    pub fn is_positive(self) -> bool {
        Self::ZERO.asked(Question::Less, self, self.mantissa > 0)
    }

    #[must_use]
    #[inline]
    pub fn is_negative(self) -> bool {
        self.asked(Question::Less, Self::ZERO, self.mantissa < 0)
    }

    /// Whether nothing stands after the point.
    const fn is_whole(self) -> bool {
        self.scale == 0
    }

    /// Whether it is zero, where that decides nothing.
    const fn is_null(self) -> bool {
        self.mantissa == 0 && !self.is_broken()
    }

    /// Whether it is recorded so that it can be computed again for other inputs: then no way may be taken for the value that
    /// it has at the moment where another way holds for every value.
    #[must_use]
    #[inline]
    pub fn is_open(self) -> bool {
        self.mark != 0 && trace::is_for_replay()
    }

    /// Whether it is zero and stays so, so that what it multiplies may be left out.
    #[must_use]
    #[inline]
    pub fn is_idle(self) -> bool {
        !self.is_open() && self.is_null()
    }

    /// Whether two numbers are the same, digits and past.
    #[must_use]
    pub const fn is_same(self, other: Self) -> bool {
        self.mantissa == other.mantissa && self.scale == other.scale && self.mark == other.mark
    }

    /// An answer on which it depends how the computation goes on.
    #[inline]
    fn asked(self, question: Question, other: Self, answer: bool) -> bool {
        if self.mark | other.mark != 0 {
            trace::decided(question, [self, other], answer);
        }
        answer
    }

    /// The lesser of two; broken if either is.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        let least = match self.order(other) {
            None => Self::BROKEN,
            Some(Ordering::Greater) => other,
            Some(_) => self,
        };
        least.made_by(Operation::Least, self, other)
    }

    /// The greater of two; broken if either is.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let greatest = match self.order(other) {
            None => Self::BROKEN,
            Some(Ordering::Less) => other,
            Some(_) => self,
        };
        greatest.made_by(Operation::Greatest, self, other)
    }

    /// Rounds digits away, half away from zero, until the mantissa has at most so many bits.
    fn with_bits(self, most: u32) -> Self {
        let excess = bits(self.mantissa).saturating_sub(most);
        if excess == 0 {
            return self;
        }
        self.with_scale(self.scale.saturating_sub(digits_of_bits(excess)))
    }

    /// Rounds digits away, half away from zero, until at most so many stand after the point.
    fn with_scale(self, most: u32) -> Self {
        if self.scale <= most {
            return self;
        }
        Self::of(without_digits(self.mantissa, self.scale - most), most)
    }

    /// The whole units below, what is left above them, and one unit, the last two at the scale of the number.
    fn floor_parts(self) -> (i128, i128, i128) {
        let unit = POWERS_OF_TEN[self.scale as usize];
        let (quotient, rest) = split_digits(self.mantissa.unsigned_abs(), self.scale);
        let rest = rest as i128;
        match (self.mantissa < 0, rest) {
            (false, _) => (quotient as i128, rest, unit),
            (true, 0) => (signed(quotient, true), 0, unit),
            (true, _) => (signed(quotient + 1, true), unit - rest, unit),
        }
    }

    /// What counts as nothing beside a unit at the scale of the number: a thousand-millionth of a thousandth of it.
    fn trace(self) -> i128 {
        const PLACES: u32 = 12;
        POWERS_OF_TEN[self.scale.saturating_sub(PLACES) as usize]
    }

    /// So many places, half away from zero.
    #[must_use]
    pub fn rounded(self, places: u32) -> Self {
        self.with_scale(places).made_by(Operation::Rounded(places), self, self)
    }

    /// Whole units, rounded up, ignoring an excess below 1e-12 (method, §1.5).
    #[must_use]
    pub fn ceil_units(self) -> Self {
        if self.is_broken() || self.scale == 0 {
            return self.made_by(Operation::RoundedUp, self, self);
        }
        let (floor, rest, _) = self.floor_parts();
        let is_trace = rest < self.trace();
        Self::of(if is_trace { floor } else { floor + 1 }, 0).made_by(Operation::RoundedUp, self, self)
    }

    /// Whole units, rounded down, ignoring a shortfall below 1e-12 (method, §1.5).
    #[must_use]
    pub fn floor_units(self) -> Self {
        if self.is_broken() || self.scale == 0 {
            return self.made_by(Operation::RoundedDown, self, self);
        }
        let (floor, rest, unit) = self.floor_parts();
        let is_trace = unit - rest < self.trace();
        Self::of(if is_trace { floor + 1 } else { floor }, 0).made_by(Operation::RoundedDown, self, self)
    }

    /// A share within 1e-12 of nothing or of everything is that (method, §5).
    #[must_use]
    pub fn snapped_share(self) -> Self {
        if self.is_broken() || self.scale == 0 {
            return if self.is_open() { self.made_by(Operation::SnappedShare, self, self) } else { self };
        }
        let unit = POWERS_OF_TEN[self.scale as usize];
        let trace = self.trace();
        let snapped = if self.mantissa < trace {
            Self::ZERO
        } else if unit - self.mantissa < trace {
            Self::ONE
        } else {
            self
        };
        snapped.made_by(Operation::SnappedShare, self, self)
    }

    /// The whole power, by exact multiplication.
    #[must_use]
    pub fn power(self, exponent: u32) -> Self {
        let mut result = Self::ONE;
        let mut square = self.bare();
        let mut rest = exponent;
        while rest > 0 {
            if rest & 1 == 1 {
                result = result * square;
            }
            rest >>= 1;
            if rest > 0 {
                square = square * square;
            }
        }
        result.made_by(Operation::Power(exponent), self, self)
    }

    /// The 24th root of a positive number, by Newton's method to the precision held.
    #[must_use]
    pub fn root_24(self) -> Self {
        if !self.is_positive() {
            return Self::BROKEN;
        }
        // The start is rough: every step doubles the digits that are right.
        let start = self.in_binary().powf(1.0 / 24.0);
        let mut root = Decimal::try_from(start).map_or(Self::ONE, Self::from);
        let degree = Self::whole(24);
        for _ in 0..2 {
            let low_power = root.power(23);
            root = root - (low_power * root - self.bare()) / (degree * low_power);
        }
        root.made_by(Operation::Root(24), self, self)
    }

    /// The number as a count, if it is not negative and not absurdly large; a fraction is cut off.
    #[must_use]
    pub fn as_count(self) -> Option<u32> {
        self.is_taken_as_it_is();
        if self.is_broken() {
            return None;
        }
        let (whole, _) = split_digits(self.mantissa.unsigned_abs(), self.scale);
        u32::try_from(signed(whole, self.mantissa < 0)).ok()
    }

    /// The nearest binary number, for statistics and pixels only; never on the way to money.
    #[must_use]
    pub fn approximate(self) -> f64 {
        self.is_taken_as_it_is();
        self.in_binary()
    }

    /// Whatever becomes of it now holds for this value alone.
    #[inline]
    fn is_taken_as_it_is(self) {
        self.asked(Question::Equal, self.bare(), true);
    }

    fn in_binary(self) -> f64 {
        if self.is_broken() {
            return f64::NAN;
        }
        self.mantissa as f64 / POWERS_IN_BINARY[self.scale as usize]
    }

    /// The sum of numbers whose digits may not all fit.
    #[cold]
    fn added(self, other: Self) -> Self {
        let (coarse, fine) = if self.scale < other.scale { (self, other) } else { (other, self) };
        let Some(raised) = raised(coarse.mantissa, fine.scale - coarse.scale) else { return self.added_apart(other) };
        match raised.checked_add(fine.mantissa) {
            Some(mantissa) => Self::of(mantissa, fine.scale),
            None if fine.scale == 0 => Self::BROKEN,
            // The sum needs one more digit than there is room for.
            None => self.with_scale(fine.scale - 1).added(other.with_scale(fine.scale - 1)),
        }
    }

    /// Adds numbers of very different sizes: the smaller loses digits that the sum cannot hold.
    #[cold]
    fn added_apart(self, other: Self) -> Self {
        let (coarse, fine) = if self.scale < other.scale { (self, other) } else { (other, self) };
        let room = 126 - bits(coarse.mantissa).min(126);
        let scale = coarse.scale + room * 1233 / 4096;
        let fine = fine.with_scale(scale);
        match raised(coarse.mantissa, fine.scale - coarse.scale) {
            Some(mantissa) => Self::of(mantissa, fine.scale).added(fine),
            None => Self::BROKEN,
        }
    }

    #[inline]
    fn plus(self, other: Self) -> Self {
        // Two broken numbers have the same scale as well, and stay broken.
        if self.scale == other.scale
            && let Some(mantissa) = self.mantissa.checked_add(other.mantissa)
        {
            return Self::of(mantissa, self.scale);
        }
        // Every sum starts like this, and many have months in them that ask for nothing.
        if self.mantissa == 0 && self.scale == 0 {
            return other;
        }
        if other.mantissa == 0 && other.scale == 0 {
            return self;
        }
        self.plus_at_another_scale(other)
    }

    /// A sum with one more number, as [`Num::plus`] has it: the sum of many soon has the most places of any of them.
    #[inline]
    fn and(self, next: Self) -> Self {
        if next.scale < self.scale
            && let Some(raise) = RAISES.get((self.scale - next.scale) as usize)
            && raise.fits(next.mantissa)
            && self.mantissa != 0
            && let Some(mantissa) = next.mantissa.wrapping_mul(raise.power).checked_add(self.mantissa)
        {
            return Self::of(mantissa, self.scale);
        }
        self.plus(next)
    }

    #[inline(never)]
    fn plus_at_another_scale(self, other: Self) -> Self {
        let (coarse, fine) = if self.scale < other.scale { (self, other) } else { (other, self) };
        // No broken number is as near another as that.
        if let Some(raise) = RAISES.get((fine.scale - coarse.scale) as usize)
            && raise.fits(coarse.mantissa)
            && fine.mantissa != 0
            && let Some(mantissa) = coarse.mantissa.wrapping_mul(raise.power).checked_add(fine.mantissa)
        {
            return Self::of(mantissa, fine.scale);
        }
        self.plus_long(other)
    }

    /// The sum at different scales of numbers that may be broken, nothing, or too long to be raised.
    #[cold]
    fn plus_long(self, other: Self) -> Self {
        if self.is_broken() || other.is_broken() {
            return Self::BROKEN;
        }
        if self.mantissa == 0 || other.mantissa == 0 {
            return if other.mantissa == 0 { self } else { other };
        }
        self.added(other)
    }

    const fn opposite(self) -> Self {
        Self::of(-self.mantissa, self.scale)
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        // No broken number has so small a scale.
        let scale = self.scale + other.scale;
        match (word(self.mantissa), word(other.mantissa)) {
            (Some(a), Some(b)) if scale <= SCALE_MAX => Self::of(i128::from(a) * i128::from(b), scale),
            _ => self.times_long(other),
        }
    }

    /// The product of numbers of any length.
    fn times_long(self, other: Self) -> Self {
        // No broken number has so small a scale.
        let scale = self.scale + other.scale;
        let zeros = self.mantissa.unsigned_abs().leading_zeros() + other.mantissa.unsigned_abs().leading_zeros();
        if 256 - zeros <= EXACT_BITS && scale <= SCALE_MAX {
            return Self::of(self.mantissa * other.mantissa, scale);
        }
        self.times_longest(other)
    }

    /// The product of numbers that may be broken, or have more digits together than are held.
    #[inline(never)]
    fn times_longest(self, other: Self) -> Self {
        if self.is_broken() || other.is_broken() {
            return Self::BROKEN;
        }
        if other.mantissa == 1 && other.scale == 0 {
            return self;
        }
        /// Bits of the longest product that one power of ten shortens to the digits that are kept.
        const LONGEST: u32 = 229;
        let length = bits(self.mantissa) + bits(other.mantissa);
        if length <= EXACT_BITS {
            return Self::of(self.mantissa * other.mantissa, self.scale + other.scale).with_scale(SCALE_MAX);
        }
        if length <= LONGEST {
            return self.multiplied_wide(other);
        }
        self.with_bits(LONGEST / 2).multiplied_wide(other.with_bits(LONGEST / 2))
    }

    fn over(self, other: Self) -> Self {
        if self.is_broken() || other.is_broken() || other.mantissa == 0 {
            return Self::BROKEN;
        }
        if self.mantissa == 0 {
            return Self::ZERO;
        }
        if other.mantissa == 1 && other.scale == 0 {
            return self;
        }
        self.divided_as_it_stands(other).unwrap_or_else(|| self.divided_long(other))
    }

    /// The product of numbers whose digits do not all fit: half away from zero to those that are kept. Which they are depends
    /// on the values alone, not on the zeros that they end in.
    #[inline(always)]
    fn multiplied_wide(self, other: Self) -> Self {
        let (high, low) = wide_product(self.mantissa.unsigned_abs(), other.mantissa.unsigned_abs());
        let scale = self.scale + other.scale;
        let length = if high > 0 { 256 - high.leading_zeros() } else { 128 - low.leading_zeros() };
        let excess = whole_digits_of_bits(length.saturating_sub(1)).saturating_sub(PRODUCT_DIGITS - 1);
        let dropped = excess.max(scale.saturating_sub(SCALE_MAX)).min(scale).min(DIGITS_MAX);
        let Some((quotient, rest)) = split_wide_digits(high, low, dropped) else { return Self::BROKEN };
        if quotient >> 127 != 0 {
            return Self::BROKEN;
        }
        let is_negative = (self.mantissa < 0) != (other.mantissa < 0);
        let is_half = POWERS_OF_TEN[dropped as usize].unsigned_abs() <= 2 * rest;
        Self::rounded_off(quotient, scale - dropped, PRODUCT_DIGITS, is_half).with_sign(is_negative)
    }

    /// A magnitude of which more digits were cut off than stand in it, rounded half away from zero to so many: `is_half` says
    /// whether what was cut off reaches a half, which decides only where nothing more is.
    #[inline]
    fn rounded_off(magnitude: u128, scale: u32, most: u32, is_half: bool) -> Self {
        let is_longer = |digits: &u32| magnitude >= POWERS_OF_TEN[*digits as usize].unsigned_abs();
        let excess = (most..DIGITS_MAX).take_while(is_longer).count() as u32;
        match excess.min(scale) {
            0 => Self::of((magnitude + u128::from(is_half)) as i128, scale),
            // What is cut off now reaches a half or not, whatever came behind it.
            excess => Self::of(magnitude as i128, scale).with_scale(scale - excess),
        }
    }

    /// The opposite, where a result has the other sign.
    #[inline]
    const fn with_sign(self, is_negative: bool) -> Self {
        if is_negative { self.opposite() } else { self }
    }

    /// The quotient of short numbers that needs no more digits than there are.
    fn divided_as_it_stands(self, other: Self) -> Option<Self> {
        let short = |number: Self| u64::try_from(number.mantissa.unsigned_abs()).ok();
        let (magnitude, divisor) = (short(self)?, short(other)?);
        let scale = self.scale.checked_sub(other.scale)?;
        let is_negative = (self.mantissa < 0) != (other.mantissa < 0);
        (magnitude % divisor == 0).then(|| Self::of(signed(u128::from(magnitude / divisor), is_negative), scale))
    }

    /// Divides to as many digits as a quotient keeps, half away from zero. Which they are depends on the values alone, not on
    /// the zeros that they end in.
    fn divided_long(self, other: Self) -> Self {
        let (magnitude, divisor) = (self.mantissa.unsigned_abs(), other.mantissa.unsigned_abs());
        let missing = (KEPT_BITS + 1 + bits(other.mantissa)).saturating_sub(bits(self.mantissa));
        let room = (SCALE_MAX + other.scale).saturating_sub(self.scale);
        let wanted = if missing == 0 { 0 } else { digits_of_bits(missing).min(room) };
        let raise = wanted.max(other.scale.saturating_sub(self.scale));
        // What more than one power of ten is needed for is short enough to be raised at once.
        let first = raise.saturating_sub(DIGITS_MAX);
        let raised = match first {
            0 => Some(magnitude),
            _ => POWERS_OF_TEN.get(first as usize).and_then(|power| magnitude.checked_mul(power.unsigned_abs())),
        };
        let Some(raised) = raised else { return Self::BROKEN };
        let (high, low) = wide_product(raised, POWERS_OF_TEN[(raise - first) as usize].unsigned_abs());
        let Some((quotient, rest)) = split_wide(high, low, divisor) else { return Self::BROKEN };
        if quotient >> 127 != 0 {
            return Self::BROKEN;
        }
        let is_negative = (self.mantissa < 0) != (other.mantissa < 0);
        let scale = (self.scale + raise).saturating_sub(other.scale);
        let result = match rest {
            0 => Self::of(quotient as i128, scale).without_trailing_zeros(),
            _ => Self::rounded_off(quotient, scale, QUOTIENT_DIGITS, divisor - rest <= rest),
        };
        result.with_sign(is_negative)
    }

    fn without_trailing_zeros(self) -> Self {
        let (mut magnitude, mut scale) = (self.mantissa.unsigned_abs(), self.scale);
        for step in [16, 8, 4, 2, 1] {
            // A power of ten holds as many twos as tens.
            while step <= scale
                && step <= magnitude.trailing_zeros()
                && let (shorter, 0) = split_digits(magnitude, step)
            {
                magnitude = shorter;
                scale -= step;
            }
        }
        Self::of(signed(magnitude, self.mantissa < 0), scale)
    }
}

/// A mantissa with more digits after the point; `None` where it would not fit.
#[inline]
fn raised(mantissa: i128, digits: u32) -> Option<i128> {
    let power = *POWERS_OF_TEN.get(digits as usize)?;
    if digits < WORD_DIGITS { times_word(mantissa, power as i64) } else { product(mantissa, power) }
}

/// The 256-bit product of two magnitudes, high half first.
const fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 64);
    let other = a_low * b_high + (middle & LOW);
    (a_high * b_high + (middle >> 64) + (other >> 64), (other << 64) | (low & LOW))
}

impl From<Decimal> for Num {
    fn from(value: Decimal) -> Self {
        Self::of(value.mantissa(), value.scale())
    }
}

impl fmt::Debug for Num {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.in_decimal() {
            Some(value) => write!(out, "{value}"),
            None => write!(out, "broken"),
        }
    }
}

impl PartialEq for Num {
    /// A broken number equals nothing.
    fn eq(&self, other: &Self) -> bool {
        self.asked(Question::Equal, *other, self.order(*other) == Some(Ordering::Equal))
    }
}

impl Add for Num {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other).made_by(Operation::Sum, self, other)
    }
}

impl Sub for Num {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self.plus(other.opposite()).made_by(Operation::Difference, self, other)
    }
}

impl Mul for Num {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        self.times(other).made_by(Operation::Product, self, other)
    }
}

impl Div for Num {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.over(other).made_by(Operation::Quotient, self, other)
    }
}

impl Neg for Num {
    type Output = Self;
    fn neg(self) -> Self {
        self.opposite().made_by(Operation::Negative, self, self)
    }
}

impl AddAssign for Num {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Num {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Num {
    fn sum<I: Iterator<Item = Self>>(numbers: I) -> Self {
        numbers.fold(Self::ZERO, |sum, next| sum.and(next).made_by(Operation::Sum, sum, next))
    }
}

impl PartialOrd for Num {
    /// A broken number compares with nothing.
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let order = self.order(*other);
        self.asked(Question::Less, *other, order == Some(Ordering::Less));
        self.asked(Question::Equal, *other, order == Some(Ordering::Equal));
        order
    }

    #[inline]
    fn lt(&self, other: &Self) -> bool {
        self.asked(Question::Less, *other, self.order(*other).is_some_and(Ordering::is_lt))
    }

    #[inline]
    fn le(&self, other: &Self) -> bool {
        self.asked(Question::NotGreater, *other, self.order(*other).is_some_and(Ordering::is_le))
    }

    #[inline]
    fn gt(&self, other: &Self) -> bool {
        other < self
    }

    #[inline]
    fn ge(&self, other: &Self) -> bool {
        other <= self
    }
}

impl Num {
    /// Which is greater, where that decides nothing.
    #[inline]
    fn order(self, other: Self) -> Option<Ordering> {
        if self.scale == other.scale && !self.is_broken() {
            let (a, b) = (self.mantissa, other.mantissa);
            return Some(a.cmp(&b));
        }
        self.compared_at_another_scale(&other)
    }

    fn compared_at_another_scale(&self, other: &Self) -> Option<Ordering> {
        if self.is_broken() || other.is_broken() {
            return None;
        }
        let (a, b) = (self.mantissa, other.mantissa);
        if a == 0 || b == 0 {
            return Some(a.cmp(&b));
        }
        // A mantissa that does not fit at the greater scale is greater than any that does.
        if self.scale < other.scale {
            return Some(raised(a, other.scale - self.scale).map_or_else(|| a.cmp(&0), |raised| raised.cmp(&b)));
        }
        Some(raised(b, self.scale - other.scale).map_or_else(|| 0.cmp(&b), |raised| a.cmp(&raised)))
    }
}

/// An amount of money in whole minor units of a currency: cents, yen, fils.
///
/// Only the ledger makes one from a number, by rounding once; after that there is only addition. Aligned as a [`Num`] is.
#[derive(Clone, Copy, Default)]
#[repr(C, packed(8))]
pub struct Money {
    minor: i128,
    /// See [`Num`].
    mark: trace::Mark,
}

impl Money {
    pub const ZERO: Self = Self::from_minor(0);

    /// So many minor units.
    #[must_use]
    pub const fn from_minor(minor: i128) -> Self {
        Self { minor, mark: 0 }
    }

    /// The whole minor units.
    #[must_use]
    pub fn minor(self) -> i128 {
        self.asked(Question::Equal, Self::from_minor(self.minor), true);
        self.minor
    }

    #[must_use]
    #[inline]
    pub fn is_zero(self) -> bool {
        self.asked(Question::Equal, Self::ZERO, self.minor == 0)
    }

    /// Whether it is zero and stays so; see [`Num::is_idle`]. While a trace is recorded, what might be something is none.
    #[must_use]
    pub const fn is_nothing(self) -> bool {
        self.minor == 0 && self.mark == 0
    }

    /// See [`Num::is_open`].
    #[must_use]
    #[inline]
    pub fn is_open(self) -> bool {
        self.mark != 0 && trace::is_for_replay()
    }

    /// An answer on which it depends how the computation goes on.
    #[inline]
    fn asked(self, question: Question, other: Self, answer: bool) -> bool {
        if self.mark | other.mark != 0 {
            trace::decided_of_money(question, [self, other], answer);
        }
        answer
    }

    /// Whether it is known where it comes from; see [`Num::is_traced`].
    #[must_use]
    pub const fn is_traced(self) -> bool {
        self.mark != 0
    }

    /// See [`Num::called`].
    #[must_use]
    pub fn called(self, name: impl FnOnce() -> Name) -> Self {
        if self.mark == 0 { self } else { Self { mark: trace::called_money(self, name), ..self } }
    }

    /// The sum of amounts of which none is traced.
    #[must_use]
    #[inline]
    pub fn of_constants(amounts: impl IntoIterator<Item = Self>) -> Self {
        Self::from_minor(amounts.into_iter().fold(0, |sum: i128, amount| sum.saturating_add(amount.minor)))
    }

    /// The lesser of two amounts.
    #[must_use]
    pub fn lesser(self, other: Self) -> Self {
        Self::made_by(self.minor.min(other.minor), Operation::Least, self, other)
    }

    #[inline]
    fn made_by(minor: i128, operation: Operation, a: Self, b: Self) -> Self {
        let mark = if a.mark | b.mark == 0 { 0 } else { trace::made_money(operation, [a, b], minor) };
        Self { minor, mark }
    }

    /// Rounds an amount once: to 12 places and then to the minor unit, both half away from zero, so that a repeating
    /// decimal never decides a half (method, §1.3). `None` where the amount is broken.
    #[must_use]
    pub fn rounded(amount: Num, minor_digits: u32) -> Option<Self> {
        if amount.is_broken() {
            return None;
        }
        let minor = rounded_to_minor(amount.mantissa, amount.scale, minor_digits)?;
        Some(Self::posted(minor, minor_digits, amount))
    }

    /// The product of two numbers, rounded as [`Money::rounded`] does. `None` where it is broken.
    #[must_use]
    #[inline]
    pub fn of_product(a: Num, b: Num, minor_digits: u32) -> Option<Self> {
        if a.mark | b.mark == 0
            && let Some(minor) = nearest_minor(a, b, minor_digits)
        {
            return Some(Self::from_minor(minor));
        }
        Self::rounded(a * b, minor_digits)
    }

    /// This amount times a factor, rounded as [`Money::rounded`] does. `None` on overflow.
    #[must_use]
    #[inline]
    pub fn discounted(self, factor: Factor, minor_digits: u32) -> Option<Self> {
        if self.mark | factor.mark == 0
            && let (Some(minor), Some(units)) = (word(self.minor), word(factor.units))
            && let Some(trace) = DISCOUNTED_TRACES.get(minor_digits as usize)
        {
            let product = u128::from(minor.unsigned_abs()) * u128::from(units.unsigned_abs());
            if let Some((quotient, rest)) = split_short::<{ FACTOR_DIGITS as usize }>(product) {
                let magnitude = u128::from(quotient) + u128::from(FACTOR_UNIT - rest <= rest + trace);
                return Some(Self::from_minor(signed(magnitude, (minor < 0) != (units < 0))));
            }
        }
        self.discounted_long(factor, minor_digits)
    }

    /// A present value of any length, or of traced numbers.
    #[cold]
    #[inline(never)]
    fn discounted_long(self, factor: Factor, minor_digits: u32) -> Option<Self> {
        let product = product(self.minor, factor.units)?;
        let minor = rounded_to_minor(product, minor_digits + FACTOR_DIGITS, minor_digits)?;
        if self.mark | factor.mark == 0 {
            return Some(Self::from_minor(minor));
        }
        Some(Self::posted(minor, minor_digits, self.num(minor_digits) * factor.num()))
    }

    #[inline]
    fn posted(minor: i128, minor_digits: u32, amount: Num) -> Self {
        let mark = match amount.mark {
            0 => 0,
            _ => Num::of(minor, minor_digits).made_by(Operation::Posted(minor_digits), amount, amount).mark,
        };
        Self { minor, mark }
    }

    /// The amount in units of the currency, for ratios.
    #[must_use]
    pub fn num(self, minor_digits: u32) -> Num {
        if bits(self.minor) > 126 { Num::BROKEN } else { Num { mark: self.mark, ..Num::of(self.minor, minor_digits) } }
    }
}

/// Decimal places of a discount factor (method, §8).
pub const FACTOR_DIGITS: u32 = 18;
/// One, in the units of a discount factor.
const FACTOR_UNIT: u64 = POWERS_OF_TEN[FACTOR_DIGITS as usize] as u64;
/// By the digits of the minor unit: what the twelfth place of a discounted amount can make of a half.
const DISCOUNTED_TRACES: [u64; 5] = {
    let mut traces = [0; 5];
    let mut digits = 0;
    while digits < traces.len() {
        traces[digits] = POWERS_OF_TEN[digits + (FACTOR_DIGITS - GUARD_DIGITS) as usize] as u64;
        digits += 1;
    }
    traces
};
/// Places to which an amount is rounded before it is rounded to the minor unit.
const GUARD_DIGITS: u32 = 12;

/// A discount factor, in units of 1e-18.
#[derive(Clone, Copy)]
pub struct Factor {
    units: i128,
    mark: trace::Mark,
}

impl Factor {
    /// Rounds a number to 18 places, half away from zero. `None` where it is broken or too large.
    #[must_use]
    pub fn of(number: Num) -> Option<Self> {
        if number.is_broken() {
            return None;
        }
        let units = rounded_to_scale(number.mantissa, number.scale, FACTOR_DIGITS)?;
        let rounded = Num::of(units, FACTOR_DIGITS);
        Some(Self { units, mark: rounded.made_by(Operation::Rounded(FACTOR_DIGITS), number, number).mark })
    }

    /// See [`Num::called`].
    #[must_use]
    pub fn called(self, name: impl FnOnce() -> Name) -> Self {
        Self { mark: self.num().called(name).mark, ..self }
    }

    /// The factor as a number.
    #[must_use]
    pub const fn num(self) -> Num {
        Num { mark: self.mark, ..Num::of(self.units, FACTOR_DIGITS) }
    }
}

/// The product of two numbers in minor units, where their leading words make it plain which is the nearest. `None` where
/// the product comes too near a half for that, or is of another size than amounts of money are.
fn nearest_minor(a: Num, b: Num, minor_digits: u32) -> Option<i128> {
    // The product of the words falls short by less than 2^67. With so many bits after the point that is less than the
    // margin, and so is what the twelfth place of a currency with four digits could make of a half.
    const POINTS: std::ops::Range<u32> = 88..128;
    const MARGIN_BITS: u32 = 20;
    let (inverse, places) = *INVERSE_POWERS.get((a.scale + b.scale).checked_sub(minor_digits)? as usize)?;
    if a.mantissa == 0 || b.mantissa == 0 {
        return Some(0);
    }
    let (first, second) = (leading_word(a.mantissa.unsigned_abs()), leading_word(b.mantissa.unsigned_abs()));
    let product = high_word(high_word(first.0, second.0), inverse);
    let point = (places + first.1 + second.1).checked_sub(192).filter(|point| POINTS.contains(point))?;
    // As much of it as the margin has: what follows decides nothing.
    let margins = product >> (point - 64 - MARGIN_BITS);
    let (whole, rest) = (margins >> MARGIN_BITS, margins & ((1 << MARGIN_BITS) - 1));
    const HALF: u64 = 1 << (MARGIN_BITS - 1);
    if rest == HALF - 1 {
        return None;
    }
    Some(signed(u128::from(whole + u64::from(HALF <= rest)), (a.mantissa < 0) != (b.mantissa < 0)))
}

/// The first 64 bits of a magnitude that is not zero, and the zeros before them in 128.
#[inline]
const fn leading_word(magnitude: u128) -> (u64, u32) {
    let (high, low) = ((magnitude >> 64) as u64, magnitude as u64);
    if high == 0 {
        let zeros = low.leading_zeros();
        return (low << zeros, 64 + zeros);
    }
    let zeros = high.leading_zeros();
    (high << zeros | low >> 1 >> (63 - zeros), zeros)
}

/// The high word of the product of two.
#[inline]
const fn high_word(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}

/// Rounds to 12 places and then to the minor unit, both half away from zero, in one division: what is left over reaches a
/// half after rounding to 12 places exactly where it reaches the half less half a unit of the twelfth place.
#[inline]
fn rounded_to_minor(mantissa: i128, scale: u32, minor_digits: u32) -> Option<i128> {
    if scale <= GUARD_DIGITS {
        return rounded_to_scale(mantissa, scale, minor_digits);
    }
    let unit = POWERS_OF_TEN.get((scale - minor_digits) as usize)?.unsigned_abs();
    let (quotient, rest) = split_digits(mantissa.unsigned_abs(), scale - minor_digits);
    let trace = POWERS_OF_TEN[(scale - GUARD_DIGITS) as usize].unsigned_abs();
    let is_half = unit - rest <= rest + trace;
    Some(signed(quotient + u128::from(is_half), mantissa < 0))
}

fn rounded_to_scale(mantissa: i128, from: u32, to: u32) -> Option<i128> {
    if from <= to {
        return raised(mantissa, to - from);
    }
    Some(without_digits(mantissa, from - to))
}

impl PartialEq for Money {
    fn eq(&self, other: &Self) -> bool {
        self.asked(Question::Equal, *other, self.minor == other.minor)
    }
}

impl Eq for Money {}

impl PartialOrd for Money {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Money {
    fn cmp(&self, other: &Self) -> Ordering {
        self.asked(Question::Less, *other, self.minor < other.minor);
        self.asked(Question::Equal, *other, self.minor == other.minor);
        let (a, b) = (self.minor, other.minor);
        a.cmp(&b)
    }
}

impl std::hash::Hash for Money {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        { self.minor }.hash(state);
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Money({})", { self.minor })
    }
}

impl Add for Money {
    type Output = Self;
    /// Cannot overflow: a posting has at most 29 digits, and a ledger far fewer than a thousand million postings.
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::made_by(self.minor.saturating_add(other.minor), Operation::Sum, self, other)
    }
}

impl Sub for Money {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::made_by(self.minor.saturating_sub(other.minor), Operation::Difference, self, other)
    }
}

impl Neg for Money {
    type Output = Self;
    fn neg(self) -> Self {
        Self::made_by(self.minor.saturating_neg(), Operation::Negative, self, self)
    }
}

impl AddAssign for Money {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Money {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// What a total is split by: parts of one, in the order of the weights they come from.
#[derive(Clone, Debug)]
pub struct Shares {
    shares: Vec<Num>,
    /// See [`ShareDigits`], by share.
    digits: Vec<Option<ShareDigits>>,
}

impl Shares {
    /// `None` where nothing has weight; a total is then unallocated.
    #[must_use]
    pub fn of(weights: &[Num]) -> Option<Self> {
        // More places than any total has digits before a share of it could change in the ninth.
        const PLACES: u32 = 27;
        let sum: Num = weights.iter().copied().sum();
        if !sum.is_positive() {
            return None;
        }
        let share_of = |weight: &Num| (*weight / sum).rounded(PLACES);
        let shares: Vec<Num> = weights.iter().map(share_of).collect();
        if shares.iter().any(|share| share.is_broken()) { None } else { Some(Self::from(shares)) }
    }

    /// Splits a total so that the parts add up to it: each takes the floor of its share in minor units, the rest goes one
    /// unit each to the largest remainders, rounded to 9 places; of equals the earlier first (method, §1.4).
    #[must_use]
    pub fn split(&self, total: Money) -> Vec<Money> {
        let mut parts = Parts::default();
        self.split_into(total, &mut parts);
        parts.parts
    }

    /// The same into parts of a split before.
    pub fn split_into<'p>(&self, total: Money, into: &'p mut Parts) -> &'p [Money] {
        const PLACES: u32 = REMAINDER_DIGITS;
        let whole = total.num(0).bare();
        let Parts { parts, remainders } = into;
        parts.clear();
        remainders.clear();
        for (share, digits) in self.shares.iter().zip(&self.digits) {
            if share.is_null() {
                parts.push(Money::ZERO);
                remainders.push(0);
                continue;
            }
            // A share that is whole but for the last digits held is that whole number.
            let (floor, remainder) =
                match digits.and_then(|digits| digits.of(whole)).or_else(|| part_at_once(whole, *share)) {
                    Some(part) => part,
                    None => {
                        let part = whole.times(share.bare()).with_scale(PLACES);
                        let (floor, rest, _) = part.floor_parts();
                        (floor, rest * POWERS_OF_TEN[(PLACES - part.scale) as usize])
                    }
                };
            parts.push(Money::from_minor(floor));
            remainders.push(remainder);
        }
        let mut left = total.minor - parts.iter().map(|part| part.minor).sum::<i128>();
        while left > 0 {
            const TAKEN: i128 = -1;
            let greatest = remainders.iter().copied().max().filter(|greatest| *greatest != TAKEN);
            let first = greatest.and_then(|greatest| remainders.iter().position(|remainder| *remainder == greatest));
            let Some(first) = first else { break };
            parts[first].minor += 1;
            remainders[first] = TAKEN;
            left -= 1;
        }
        if total.is_traced() || self.shares.iter().any(|share| share.is_traced()) {
            trace::parts(total, &self.shares, parts);
        }
        parts
    }
}

impl From<Vec<Num>> for Shares {
    fn from(shares: Vec<Num>) -> Self {
        Self { digits: shares.iter().map(|share| ShareDigits::of_share(*share)).collect(), shares }
    }
}

/// The parts of a total, with what it took to find them.
#[derive(Default)]
pub struct Parts {
    parts: Vec<Money>,
    remainders: Vec<i128>,
}

/// Places to which the remainders of a split are rounded.
const REMAINDER_DIGITS: u32 = 9;

/// The digits of a share to the ninth place, and those behind it: an amount of one machine word multiplies the first as they are,
/// and only its product with the others is divided.
#[derive(Clone, Copy, Debug)]
struct ShareDigits {
    billionths: u64,
    rest: u64,
    /// How many stand in the rest.
    behind: u32,
    is_negative: bool,
}

impl ShareDigits {
    /// `None` for a share with too few places, or too great.
    fn of_share(share: Num) -> Option<Self> {
        let behind = share.scale.checked_sub(REMAINDER_DIGITS).filter(|behind| (1..WORD_DIGITS).contains(behind))?;
        let (billionths, rest) = split_digits(share.mantissa.unsigned_abs(), behind);
        let billionths = u64::try_from(billionths).ok().filter(|billionths| billionths >> 62 == 0)?;
        Some(Self { billionths, rest: rest as u64, behind, is_negative: share.mantissa < 0 })
    }

    /// The same as [`part_at_once`]; `None` for an amount of more than a word.
    #[inline]
    fn of(self, whole: Num) -> Option<(i128, i128)> {
        let minor = word(whole.mantissa)?.unsigned_abs();
        let (quotient, rest) = split_digits(u128::from(minor) * u128::from(self.rest), self.behind);
        let is_half = POWERS_OF_TEN[self.behind as usize].unsigned_abs() <= 2 * rest;
        let magnitude = u128::from(minor) * u128::from(self.billionths) + quotient + u128::from(is_half);
        let part = signed(magnitude, (whole.mantissa < 0) != self.is_negative);
        let (floor, remainder, _) = Num::of(part, REMAINDER_DIGITS).floor_parts();
        Some((floor, remainder))
    }
}

/// The whole units of a part and its remainder in units of the ninth place, in one division of the product. `None` where the
/// share has too few places for that, or the part is of a size that amounts of money are not.
fn part_at_once(whole: Num, share: Num) -> Option<(i128, i128)> {
    let excess = share.scale.checked_sub(REMAINDER_DIGITS).filter(|excess| (1..=DIGITS_MAX).contains(excess))?;
    let (high, low) = wide_product(whole.mantissa.unsigned_abs(), share.mantissa.unsigned_abs());
    let (quotient, rest) = split_wide_digits(high, low, excess).filter(|(quotient, _)| quotient >> 126 == 0)?;
    let is_half = POWERS_OF_TEN[excess as usize].unsigned_abs() <= 2 * rest;
    let part = signed(quotient + u128::from(is_half), (whole.mantissa < 0) != (share.mantissa < 0));
    let (floor, remainder, _) = Num::of(part, REMAINDER_DIGITS).floor_parts();
    Some((floor, remainder))
}

/// The part at a place of an amount split over shares; see [`Shares::split`]. The amount has no more places than it is
/// counted in.
#[must_use]
pub fn part_of(whole: Num, shares: &[Num], place: usize) -> Num {
    let bare: Vec<Num> = shares.iter().map(|share| share.bare()).collect();
    let parts = Shares::from(bare).split(Money::from_minor(whole.mantissa));
    parts.get(place).map_or(Num::BROKEN, |part| part.num(whole.scale))
}

/// A currency by its ISO 4217 code, with the digits of its minor unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Currency {
    pub code: &'static str,
    pub minor_digits: u32,
}

impl Currency {
    /// The currency with this code, if ISO 4217 lists it.
    #[must_use]
    pub fn find(code: &str) -> Option<Self> {
        CURRENCIES.iter().find_map(|(digits, codes)| {
            codes.split(' ').find(|known| *known == code).map(|code| Self { code, minor_digits: *digits })
        })
    }

    /// Every code, for completion.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        CURRENCIES.iter().flat_map(|(_, codes)| codes.split(' '))
    }
}

/// ISO 4217 codes by the digits of their minor unit (list one, without funds, metals and test codes).
const CURRENCIES: [(u32, &str); 4] = [
    (
        2,
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
    ),
    (0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF"),
    (3, "BHD IQD JOD KWD LYD OMR TND"),
    (4, "CLF UYW"),
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn num(text: &str) -> Num {
        Num::from(Decimal::from_str_exact(text).expect("the test writes exact decimals"))
    }

    #[test]
    fn money_rounds_half_away_from_zero_after_twelve_places() {
        let cases = [("1.005", 101), ("-1.005", -101), ("1.004999999999", 100), ("0", 0), ("2.675", 268)];
        for (text, minor) in cases {
            assert_eq!(Money::rounded(num(text), 2), Some(Money::from_minor(minor)), "{text}");
        }
        let just_under_a_half = num("1.005") - Num::from(Decimal::from_parts(1, 0, 0, false, 27));
        assert_eq!(
            Money::rounded(just_under_a_half, 2),
            Some(Money::from_minor(101)),
            "a repeating decimal never decides a half"
        );
    }

    #[test]
    fn broken_numbers_stay_broken() {
        assert!((Num::ONE / Num::ZERO).is_broken());
        assert!(((Num::ONE / Num::ZERO) * Num::ZERO).is_broken());
        assert_eq!(Money::rounded(Num::ONE / Num::ZERO, 2), None);
    }

    #[test]
    fn whole_units_ignore_a_trace() {
        assert_eq!(num("2.0000000000005").ceil_units(), Num::whole(2));
        assert_eq!(num("2.000000000002").ceil_units(), Num::whole(3));
        assert_eq!(num("1.9999999999995").floor_units(), Num::whole(2));
        assert_eq!((Num::ONE / Num::whole(3) * Num::whole(3)).floor_units(), Num::ONE);
    }

    #[test]
    fn roots_agree_with_an_independent_value() {
        // 1.08^(1/24), computed with 50 digits elsewhere.
        let root = num("1.08").root_24().decimal().expect("a root");
        let back = Num::from(root).power(24).decimal().expect("a power");
        assert!((back - Decimal::new(108, 2)).abs() < Decimal::new(1, 25), "{back}");
    }

    #[test]
    fn splits_add_up_and_favour_the_earlier_of_equals() {
        let thirds = Shares::of(&[Num::ONE, Num::ONE, Num::ONE]).expect("weights");
        assert_eq!(
            thirds.split(Money::from_minor(100)),
            [Money::from_minor(34), Money::from_minor(33), Money::from_minor(33)]
        );
        assert_eq!(
            thirds.split(Money::from_minor(99)),
            [Money::from_minor(33), Money::from_minor(33), Money::from_minor(33)]
        );
        assert_eq!(thirds.split(Money::from_minor(-100)).into_iter().sum::<Money>(), Money::from_minor(-100));
        let sevenths = Shares::of(&[Num::whole(1), Num::whole(2), Num::whole(4)]).expect("weights");
        for total in [1, 6, 7, 10_000_000_000_000_001, -13] {
            assert_eq!(sevenths.split(Money::from_minor(total)).into_iter().sum::<Money>(), Money::from_minor(total));
        }
        assert!(Shares::of(&[Num::ZERO]).is_none());
    }

    #[test]
    fn numbers_read_strictly() {
        for refused in ["", "-", "1e3", "1_000", "+1", ".5", "5.", "1,5", " 1", "1234567890123456", "0.1234567890123"] {
            assert!(Exact::parse(refused).is_err(), "{refused}");
        }
        assert_eq!(Exact::parse("-0.00").expect("zero").to_string(), "0.00");
    }

    /// Decimals of every size, short and long.
    fn decimals() -> impl Strategy<Value = Decimal> {
        let long = (any::<i64>(), 0..20_u32).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale));
        let short = (-1000..1000_i64, 0..6_u32).prop_map(|(mantissa, scale)| Decimal::new(mantissa, scale));
        prop_oneof![long, short]
    }

    /// Equal as far as the 28 digits of a decimal allow after some steps.
    fn agree(num: Num, decimal: Option<Decimal>) -> bool {
        let trace = Decimal::new(1, 20);
        match (num.decimal(), decimal) {
            (Some(a), Some(b)) => (a - b).abs() <= (b.abs() * trace).max(trace),
            // What no longer fits a decimal is not compared.
            (_, None) => true,
            (None, Some(_)) => false,
        }
    }

    proptest! {
        #[test]
        fn products_are_those_of_checked_multiplication(a in any::<i128>(), b in any::<i64>(), by in (0..127_u32, 0..64_u32)) {
            let (a, b) = (a >> by.0, i128::from(b >> by.1));
            prop_assert_eq!(product(a, b), a.checked_mul(b));
            prop_assert_eq!(product(b, a), a.checked_mul(b));
        }

        /// The short way to an amount gives what the long way gives, near halves and short numbers included.
        #[test]
        fn short_amounts_are_those_of_any_length(
            a in any::<i128>(), b in any::<i128>(), by in (0..127_u32, 0..127_u32), scales in (0..37_u32, 0..37_u32),
            digits in 0..5_u32, quotient in 1..2000_i64, halves in any::<i32>(), off in -3..4_i128,
        ) {
            let (x, y) = (Num::of((a >> 1) >> by.0, scales.0), Num::of((b >> 1) >> by.1, scales.1));
            let half = Num::of(i128::from(halves) * 5, digits + 1) / Num::whole(quotient);
            let near = Num::of(half.mantissa + off, half.scale);
            let short = Num::of(i128::from(halves), digits.min(scales.0));
            for (x, y) in [(x, y), (near, Num::whole(quotient)), (short, Num::of(5, 1)), (short, Num::of(i128::from(quotient), 3))] {
                if let Some(minor) = nearest_minor(x, y, digits) {
                    prop_assert_eq!(Some(Money::from_minor(minor)), Money::rounded(x * y, digits), "{:?} * {:?}", x, y);
                }
            }
        }

        /// The short way to a present value gives what the long way gives.
        #[test]
        fn short_present_values_are_those_of_any_length(
            minor in any::<i64>(), by in 0..64_u32, units in 0..2_000_000_000_000_000_000_i64, digits in 0..5_u32, half in any::<bool>(),
        ) {
            let units = if half { 500_000_000_000_000_000 + units % 3_000_000 } else { units };
            let amount = Money::from_minor(i128::from(minor >> by));
            let factor = Factor { units: i128::from(units), mark: 0 };
            prop_assert_eq!(amount.discounted(factor, digits), amount.discounted_long(factor, digits));
        }

        /// A quotient times its divisor is the dividend again, to 28 digits, whatever their sizes.
        #[test]
        fn quotients_are_as_exact_as_is_held(
            a in any::<i128>(), b in any::<i128>(), by in (0..127_u32, 0..127_u32), scales in (0..29_u32, 0..29_u32),
        ) {
            let (x, y) = (Num::of((a >> 1) >> by.0, scales.0), Num::of((b >> 1) >> by.1, scales.1));
            let quotient = x / y;
            // Only a quotient too large to be held is broken.
            let size = x.in_binary() / y.in_binary();
            prop_assert!(!quotient.is_broken() || y.is_zero() || size.abs() > 1e37, "{:?} / {:?}", x, y);
            prop_assume!(!quotient.is_broken());
            // What a quotient is held to: so many digits, but no more than so many places.
            let (relative, absolute) = (Num::of(1, 27), Num::of(1, SCALE_MAX));
            let size = |number: Num| if number.is_negative() { -number } else { number };
            let allowed = (size(x) * relative).max(size(y) * absolute).max(absolute);
            prop_assert!(size(quotient * y - x) <= allowed, "{:?} / {:?} = {:?}", x, y, quotient);
        }

        /// The digits of a quotient, and of a long product, do not depend on zeros at the end of their operands.
        #[test]
        fn quotients_and_long_products_are_those_of_the_values(a in any::<i64>(), b in 1..i64::MAX, by in (0..64_u32, 0..63_u32), zeros in (0..9_u32, 0..9_u32)) {
            let (x, y) = (Num::of(i128::from(a >> by.0), 6), Num::of(i128::from((b >> by.1).max(1)), 4));
            let longer = |number: Num, zeros: u32| {
                Num::of(number.mantissa * POWERS_OF_TEN[zeros as usize], number.scale + zeros)
            };
            let (quotient, same) = (x / y, longer(x, zeros.0) / longer(y, zeros.1));
            prop_assert_eq!(quotient.order(same), Some(Ordering::Equal), "{:?} and {:?}", quotient, same);
            let more = (zeros.0 / 2).min(SCALE_MAX - quotient.scale);
            let (product, same) = (quotient.multiplied_wide(quotient), longer(quotient, more).multiplied_wide(quotient));
            prop_assert_eq!(product.order(same), Some(Ordering::Equal), "{:?} and {:?}", product, same);
        }

        /// A part at once is the part by way of the product, where that is held with all its digits.
        #[test]
        fn parts_at_once_are_those_of_the_product(
            minor in any::<i64>(), by in 0..64_u32, weights in (0..1_000_000_i64, 1..1_000_000_i64),
        ) {
            let whole = Num::of(i128::from(minor >> (28 + by / 2)), 0);
            let share = (Num::whole(weights.0) / Num::whole(weights.0 + weights.1)).rounded(27);
            let part = whole.times(share).with_scale(REMAINDER_DIGITS);
            let (floor, rest, _) = part.floor_parts();
            if let Some(at_once) = part_at_once(whole, share) {
                prop_assert_eq!(at_once, (floor, rest * POWERS_OF_TEN[(REMAINDER_DIGITS - part.scale) as usize]));
            }
        }

        /// A part of an amount of one word is the part of an amount of any length.
        #[test]
        fn parts_of_words_are_those_of_any_length(
            minor in any::<i64>(), by in 0..64_u32, share in 0..=1_000_000_000_000_000_000_000_000_000_i128, places in 1..28_u32,
            near in -2..3_i128,
        ) {
            let whole = Num::of(i128::from(minor >> by), 0);
            let share = Num::of(share, 27).with_scale(places);
            // One whose part is near a half in the ninth place.
            let half = Num::of(5 + 10 * (share.mantissa % 1000), 10) / whole;
            let half = Num { mantissa: half.mantissa + near, ..half }.with_scale(27);
            for share in [share, half] {
                if let Some(part) = ShareDigits::of_share(share).and_then(|digits| digits.of(whole)) {
                    prop_assert_eq!(Some(part), part_at_once(whole, share), "{:?} of {:?}", share, whole);
                }
            }
        }

        /// A sum goes the same way as one addition after the other, whatever the scales.
        #[test]
        fn sums_are_those_of_single_additions(
            numbers in prop::collection::vec((any::<i128>(), 0..127_u32, 0..37_u32), 0..6),
        ) {
            let numbers: Vec<Num> = numbers.iter().map(|(mantissa, by, scale)| Num::of((mantissa >> 1) >> by, *scale)).collect();
            let sum: Num = numbers.iter().copied().sum();
            let one_by_one = numbers.iter().fold(Num::ZERO, |sum, next| sum.plus(*next));
            prop_assert_eq!((sum.is_broken(), sum.is_same(one_by_one)), (one_by_one.is_broken(), true));
            // The sum of two is that of whole numbers, where those can be held.
            if let [a, b] = numbers[..] {
                let scale = a.scale.max(b.scale);
                let raise = |number: Num| raised(number.mantissa, scale - number.scale);
                if let Some(expected) = raise(a).zip(raise(b)).and_then(|(a, b)| a.checked_add(b)) {
                    prop_assert_eq!(sum.order(Num::of(expected, scale)), Some(Ordering::Equal), "{:?} and {:?}", a, b);
                }
            }
        }

        /// The order of two numbers is that of their difference, whatever their scales.
        #[test]
        fn order_is_that_of_the_difference(
            a in any::<i128>(), b in any::<i128>(), by in (0..127_u32, 0..127_u32), scales in (0..37_u32, 0..37_u32),
        ) {
            let (x, y) = (Num::of((a >> 1) >> by.0, scales.0), Num::of((b >> 1) >> by.1, scales.1));
            let difference = x.plus(y.opposite());
            let sign = difference.mantissa;
            prop_assume!(!difference.is_broken() && sign != 0);
            prop_assert_eq!(x.order(y), Some(sign.cmp(&0)), "{:?} and {:?}", x, y);
            prop_assert_eq!(y.order(x), Some(0.cmp(&sign)), "{:?} and {:?}", y, x);
        }

        /// The short way to a product gives what the long way gives.
        #[test]
        fn short_products_are_those_of_any_length(
            a in any::<i64>(), b in any::<i64>(), by in (0..64_u32, 0..64_u32), scales in (0..20_u32, 0..20_u32),
        ) {
            let (a, b) = (Num::of(i128::from(a >> by.0), scales.0), Num::of(i128::from(b >> by.1), scales.1));
            prop_assume!(bits(a.mantissa) + bits(b.mantissa) <= 126);
            let (short, long) = (a.times(b), a.times_long(b));
            prop_assert_eq!((short.mantissa, short.scale), (long.mantissa, long.scale));
        }

        /// Two implementations of the same arithmetic agree: this one, and that of the decimal library.
        #[test]
        fn arithmetic_agrees_with_the_decimal_library(a in decimals(), b in decimals(), c in decimals()) {
            let (x, y, z) = (Num::from(a), Num::from(b), Num::from(c));
            prop_assert!(agree(x + y, a.checked_add(b)));
            prop_assert!(agree(x - y, a.checked_sub(b)));
            prop_assert!(agree(x * y, a.checked_mul(b)));
            prop_assert_eq!(x.partial_cmp(&y), Some(a.cmp(&b)));
            if let Some(quotient) = a.checked_div(b) {
                prop_assert!(agree(x / y, Some(quotient)));
                prop_assert!(agree(x / y + z, quotient.checked_add(c)));
                let square = quotient.checked_mul(quotient);
                prop_assert!(agree(x / y * (x / y), square));
                prop_assert!(agree(x / y * (x / y) * (x / y), square.and_then(|square| square.checked_mul(quotient))));
            }
        }
    }
}
