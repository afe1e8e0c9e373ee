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

use powers::{POWERS_OF_TEN, WORD_DIGITS, divided_by_half_word, split_digits, split_wide_digits};
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
        let places = value.scale() as usize;
        let (whole, _) = split_digits(value.mantissa().unsigned_abs(), value.scale());
        if places <= DIGITS_AFTER_POINT && whole < POWERS_OF_TEN[DIGITS_BEFORE_POINT].unsigned_abs() {
            return Ok(Self(without_negative_zero(value)));
        }
        // The sentence is that of the text.
        Self::parse(&value.to_string())
    }

    /// The value as a whole number, if it is one and fits.
    #[must_use]
    pub fn as_whole(self) -> Option<i64> {
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
/// more digits than that is reduced to 28 or more of them, and a general division is left to `rust_decimal`.
#[derive(Clone, Copy)]
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
/// Digits that a reduced number keeps at least: 28 and some to spare.
const KEPT_BITS: u32 = 100;

/// Bits of the magnitude.
const fn bits(value: i128) -> u32 {
    128 - value.unsigned_abs().leading_zeros()
}

/// A divisor's worth of decimal digits for a number of bits, rounded up.
const fn digits_of_bits(bits: u32) -> u32 {
    bits * 1233 / 4096 + 1
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
        self.mantissa as f64 / POWERS_OF_TEN[self.scale as usize] as f64
    }

    /// Both mantissas at the greater scale; `None` where one would not fit.
    fn aligned(self, other: Self) -> Option<(i128, i128, u32)> {
        if self.scale == other.scale {
            return Some((self.mantissa, other.mantissa, self.scale));
        }
        if self.scale < other.scale {
            let raised = raised(self.mantissa, other.scale - self.scale)?;
            return Some((raised, other.mantissa, other.scale));
        }
        let raised = raised(other.mantissa, self.scale - other.scale)?;
        Some((self.mantissa, raised, self.scale))
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
        // Every sum starts like this.
        if self.mantissa == 0 && self.scale == 0 {
            return other;
        }
        self.plus_at_another_scale(other)
    }

    fn plus_at_another_scale(self, other: Self) -> Self {
        if self.is_broken() || other.is_broken() {
            return Self::BROKEN;
        }
        if other.mantissa == 0 {
            return self;
        }
        if self.mantissa == 0 {
            return other;
        }
        let (coarse, fine, digits, scale) = match self.scale < other.scale {
            true => (self.mantissa, other.mantissa, other.scale - self.scale, other.scale),
            false => (other.mantissa, self.mantissa, self.scale - other.scale, self.scale),
        };
        match raised(coarse, digits).and_then(|raised| raised.checked_add(fine)) {
            Some(mantissa) => Self::of(mantissa, scale),
            None => self.added(other),
        }
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
        if self.is_broken() || other.is_broken() {
            return Self::BROKEN;
        }
        if other.mantissa == 1 && other.scale == 0 {
            return self;
        }
        if bits(self.mantissa) + bits(other.mantissa) > 126 {
            return self.multiplied_wide(other);
        }
        let scale = self.scale + other.scale;
        let product = Self::of(self.mantissa * other.mantissa, scale);
        if scale <= SCALE_MAX { product } else { product.with_scale(SCALE_MAX) }
    }

    fn over(self, other: Self) -> Self {
        if self.is_broken() || other.is_broken() || other.mantissa == 0 {
            return Self::BROKEN;
        }
        if self.mantissa == 0 {
            return Self::ZERO;
        }
        if let Some(quotient) = self.divided_by_few(other) {
            return quotient;
        }
        self.in_decimal().zip(other.in_decimal()).and_then(|(a, b)| a.checked_div(b)).map_or(Self::BROKEN, Self::from)
    }

    #[cold]
    fn multiplied_wide(self, other: Self) -> Self {
        let is_negative = (self.mantissa < 0) != (other.mantissa < 0);
        let (mut high, mut low) = wide_product(self.mantissa.unsigned_abs(), other.mantissa.unsigned_abs());
        let mut scale = self.scale + other.scale;
        loop {
            let length = if high > 0 { 256 - high.leading_zeros() } else { 128 - low.leading_zeros() };
            let excess = length.saturating_sub(KEPT_BITS + 4);
            if excess == 0 && scale <= SCALE_MAX {
                break;
            }
            let wanted = digits_of_bits(excess).max(scale.saturating_sub(SCALE_MAX)).clamp(1, 18);
            let dropped = wanted.min(scale);
            if dropped == 0 {
                break;
            }
            (high, low) = without_wide_digits(high, low, dropped);
            scale -= dropped;
        }
        match (high, i128::try_from(low)) {
            (0, Ok(mantissa)) => Self::of(if is_negative { -mantissa } else { mantissa }, scale),
            _ => Self::BROKEN,
        }
    }

    /// Divides by a number of few digits, to more than 28 digits; `None` where the divisor has too many.
    fn divided_by_few(self, other: Self) -> Option<Self> {
        const FEW_BITS: u32 = 30;
        let divisor = u32::try_from(other.mantissa.unsigned_abs()).ok().filter(|divisor| divisor >> FEW_BITS == 0)?;
        let is_negative = (self.mantissa < 0) != (other.mantissa < 0);
        let (quotient, rest) = divided_by_half_word(self.mantissa.unsigned_abs(), divisor);
        if rest == 0 && self.scale >= other.scale {
            return Some(Self::of(signed(quotient, is_negative), self.scale - other.scale));
        }
        let reduced = self.with_bits(KEPT_BITS);
        let room = 126 - bits(reduced.mantissa);
        let raise = (room * 1233 / 4096).min(SCALE_MAX + other.scale - reduced.scale.min(SCALE_MAX + other.scale));
        let raised = reduced.mantissa * POWERS_OF_TEN[raise as usize];
        let scale = (reduced.scale + raise).checked_sub(other.scale)?;
        let (quotient, rest) = divided_by_half_word(raised.unsigned_abs(), divisor);
        let is_half = divisor - rest <= rest;
        let result = Self::of(signed(quotient + u128::from(is_half), is_negative), scale);
        Some(if rest == 0 { result.without_trailing_zeros() } else { result.with_bits(KEPT_BITS) })
    }

    fn without_trailing_zeros(self) -> Self {
        let (mut magnitude, mut scale) = (self.mantissa.unsigned_abs(), self.scale);
        for step in [16, 8, 4, 2, 1] {
            while step <= scale
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
    match word(mantissa) {
        Some(mantissa) if digits < WORD_DIGITS => Some(i128::from(mantissa) * i128::from(power as i64)),
        _ => product(mantissa, power),
    }
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

/// Takes so many digits off the end of a 256-bit magnitude, half up.
fn without_wide_digits(high: u128, low: u128, digits: u32) -> (u128, u128) {
    let ((high, low), rest) = split_wide_digits(high, low, digits);
    let is_half = POWERS_OF_TEN[digits as usize].unsigned_abs() <= 2 * u128::from(rest);
    let (low, carried) = low.overflowing_add(u128::from(is_half));
    (high + u128::from(carried), low)
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
        numbers.fold(Self::ZERO, Add::add)
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
            return Some(self.mantissa.cmp(&other.mantissa));
        }
        self.compared_at_another_scale(&other)
    }

    fn compared_at_another_scale(&self, other: &Self) -> Option<Ordering> {
        if self.is_broken() || other.is_broken() {
            return None;
        }
        match self.aligned(*other) {
            Some((a, b, _)) => Some(a.cmp(&b)),
            None => {
                // One is so much larger that its digits do not fit beside the other's.
                let difference = self.added_apart(other.opposite());
                if difference.is_broken() {
                    Some(self.in_binary().total_cmp(&other.in_binary()))
                } else {
                    Some(difference.mantissa.cmp(&0))
                }
            }
        }
    }
}

/// An amount of money in whole minor units of a currency: cents, yen, fils.
///
/// Only the ledger makes one from a number, by rounding once; after that there is only addition.
#[derive(Clone, Copy, Default)]
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

    /// This amount times a factor, rounded as [`Money::rounded`] does. `None` on overflow.
    #[must_use]
    pub fn discounted(self, factor: Factor, minor_digits: u32) -> Option<Self> {
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

/// Rounds to 12 places and then to the minor unit, both half away from zero, in one division: what is left over reaches a
/// half after rounding to 12 places exactly where it reaches the half less half a unit of the twelfth place.
fn rounded_to_minor(mantissa: i128, scale: u32, minor_digits: u32) -> Option<i128> {
    const GUARD: u32 = 12;
    if scale <= GUARD {
        return rounded_to_scale(mantissa, scale, minor_digits);
    }
    let unit = POWERS_OF_TEN.get((scale - minor_digits) as usize)?.unsigned_abs();
    let (quotient, rest) = split_digits(mantissa.unsigned_abs(), scale - minor_digits);
    let trace = POWERS_OF_TEN[(scale - GUARD) as usize].unsigned_abs();
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
        self.minor.cmp(&other.minor)
    }
}

impl std::hash::Hash for Money {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.minor.hash(state);
    }
}

impl fmt::Debug for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Money({})", self.minor)
    }
}

impl Add for Money {
    type Output = Self;
    /// Cannot overflow: a posting has at most 29 digits, and a ledger far fewer than a thousand million postings.
    fn add(self, other: Self) -> Self {
        Self::made_by(self.minor.saturating_add(other.minor), Operation::Sum, self, other)
    }
}

impl Sub for Money {
    type Output = Self;
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
pub struct Shares(Vec<Num>);

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
        if shares.iter().any(|share| share.is_broken()) { None } else { Some(Self(shares)) }
    }

    /// Splits a total so that the parts add up to it: each takes the floor of its share in minor units, the rest goes one
    /// unit each to the largest remainders, rounded to 9 places; of equals the earlier first (method, §1.4).
    #[must_use]
    pub fn split(&self, total: Money) -> Vec<Money> {
        const PLACES: u32 = 9;
        let whole = total.num(0).bare();
        let mut parts: Vec<Money> = Vec::with_capacity(self.0.len());
        let mut remainders = Vec::with_capacity(self.0.len());
        for share in &self.0 {
            // A share that is whole but for the last digits held is that whole number.
            let part = whole.times(share.bare()).with_scale(PLACES);
            let (floor, rest, _) = part.floor_parts();
            parts.push(Money::from_minor(floor));
            remainders.push(rest * POWERS_OF_TEN[(PLACES - part.scale) as usize]);
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
        if total.is_traced() || self.0.iter().any(|share| share.is_traced()) {
            trace::parts(total, &self.0, &mut parts);
        }
        parts
    }
}

/// The part at a place of an amount split over shares; see [`Shares::split`]. The amount has no more places than it is
/// counted in.
#[must_use]
pub fn part_of(whole: Num, shares: &[Num], place: usize) -> Num {
    let bare = shares.iter().map(|share| share.bare()).collect();
    let parts = Shares(bare).split(Money::from_minor(whole.mantissa));
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
                prop_assert!(agree(x / y * z, quotient.checked_mul(c)));
                prop_assert!(agree(x / y + z, quotient.checked_add(c)));
                let square = quotient.checked_mul(quotient);
                prop_assert!(agree(x / y * (x / y), square));
                prop_assert!(agree(x / y * (x / y) * (x / y), square.and_then(|square| square.checked_mul(quotient))));
            }
        }
    }
}
