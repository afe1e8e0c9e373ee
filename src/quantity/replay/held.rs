//! How a number is held in a machine word: its bounds, its unit, and the greatest error that it can have.
//!
//! Bounds are binary floating point: they choose units and say when to doubt, and stand in no figure. Nothing here computes a
//! number of a program.

use super::super::powers::split_digits;
use super::super::trace::Operation;
use super::super::{Num, POWERS_OF_TEN};

/// Bits that the magnitude of a word may have.
pub(super) const BITS: i32 = 62;
/// What counts as nothing beside a unit (method, §1.5).
pub(super) const TRACE: f64 = 1e-12;
/// Digits after the point that exact decimals may have here: no more than decide a half (method, §1.3).
pub(super) const DIGITS: u32 = 12;
/// Bounds are computed in binary: this much wider, they are bounds in any case.
pub(super) const SLACK: f64 = 1.0 + 1e-9;

/// The least and the greatest that a number can come to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bounds {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Bounds {
    pub(super) const fn at(value: f64) -> Self {
        Self { low: value, high: value }
    }

    pub(super) fn of(values: impl IntoIterator<Item = f64>) -> Self {
        values.into_iter().fold(Self { low: f64::INFINITY, high: f64::NEG_INFINITY }, |bounds, value| Self {
            low: bounds.low.min(value),
            high: bounds.high.max(value),
        })
    }

    /// The greatest magnitude.
    pub(super) fn most(self) -> f64 {
        self.low.abs().max(self.high.abs()) * SLACK
    }

    /// The least magnitude; 0 where it can be zero.
    pub(super) fn least(self) -> f64 {
        if self.low <= 0.0 && 0.0 <= self.high { 0.0 } else { self.low.abs().min(self.high.abs()) / SLACK }
    }

    /// By more than is lost where two numbers nearly cancel out.
    fn widened(self, a: Self, b: Self) -> Self {
        let lost = 4.0 * f64::EPSILON * (a.most() + b.most());
        Self { low: self.low - lost, high: self.high + lost }
    }

    /// What an operation makes of two numbers.
    pub(super) fn made(operation: Operation, a: Self, b: Self) -> Self {
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
                let unit = ten_to(-(places as i32));
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
/// of a power of ten; what is multiplied with them can be held in such units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Unit {
    pub(super) scale: i32,
    pub(super) tens: i32,
}

impl Unit {
    pub(super) const ONE: Self = Self { scale: 0, tens: 0 };

    /// That of exact decimals with so many digits after the point.
    pub(super) fn of_digits(digits: u32) -> Self {
        Self { scale: 0, tens: digits as i32 }
    }

    /// The finest unit in which so much fits a word.
    pub(super) fn for_most(most: f64) -> Self {
        let bits = if most > 0.0 { exponent(most) + 1 } else { -BITS };
        Self { scale: (BITS - bits).min(2 * BITS), tens: 0 }
    }

    pub(super) fn value(self) -> f64 {
        two_to(-self.scale) * ten_to(-self.tens)
    }
}

/// How a number is held.
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) unit: Unit,
    pub(super) bounds: Bounds,
    /// The greatest error, in units.
    pub(super) error: f64,
    /// The greatest error as a share of the number; infinite where the number can be zero.
    pub(super) relative: f64,
}

impl Held {
    pub(super) fn exact(unit: Unit, bounds: Bounds) -> Self {
        Self { unit, bounds, error: 0.0, relative: 0.0 }
    }

    /// From what is known of its error in units, and of its error as a share but for so many units that are cut off.
    pub(super) fn new(unit: Unit, bounds: Bounds, error: f64, (share, cut): (f64, f64)) -> Self {
        let (most, least) = (bounds.most() / unit.value(), bounds.least() / unit.value());
        let relative = if least > 0.0 { (share + cut / least).min(error / least) } else { f64::INFINITY };
        let error = if relative.is_finite() { error.min(relative * most * SLACK) } else { error };
        Self { unit, bounds, error, relative }
    }

    pub(super) fn most(self) -> f64 {
        self.bounds.most() / self.unit.value()
    }

    /// By how many places every value that it can have leaves room to be moved up.
    pub(super) fn room(self) -> i32 {
        63 - bits(self.most() + self.error)
    }

    /// Whether every value that it can have is a word.
    pub(super) fn is_word(self) -> bool {
        (self.most() + self.error).partial_cmp(&two_to(BITS + 1)) == Some(std::cmp::Ordering::Less)
    }
}

/// So many units, rounded up, within what a word can be compared with.
pub(super) fn units(error: f64) -> i64 {
    error.ceil().min(two_to(BITS)) as i64
}

/// Whether exact decimals with so many digits after the point have room in a word.
pub(super) fn has_room(bounds: Bounds, digits: u32) -> bool {
    digits <= DIGITS && bounds.most() * ten_to(digits as i32) < two_to(BITS)
}

/// A number as a whole one of so many tens; none where it has more digits.
pub(super) fn decimal_word(number: Num, tens: i32) -> Option<i64> {
    let digits = u32::try_from(tens).ok()?;
    if let Some(more) = digits.checked_sub(number.scale) {
        let word = number.mantissa.checked_mul(*POWERS_OF_TEN.get(more as usize)?)?;
        return i64::try_from(word).ok();
    }
    let short = number.with_scale(digits);
    let is_same = short.order(number) == Some(std::cmp::Ordering::Equal);
    let word = short.mantissa.checked_mul(*POWERS_OF_TEN.get((digits - short.scale) as usize)?)?;
    i64::try_from(word).ok().filter(|_| is_same)
}

/// A number with all its digits as a word of a unit, cut off.
pub(super) fn word(number: Num, unit: Unit) -> Option<i64> {
    let number = number.with_bits(63);
    let (magnitude, digits) = (number.mantissa.unsigned_abs(), number.scale);
    POWERS_OF_TEN.get(digits as usize)?;
    let shift = unit.scale;
    if shift < 0 {
        let quotient = i64::try_from(split_digits(magnitude, digits).0).ok()?;
        return Some(if number.mantissa < 0 { -quotient } else { quotient } >> (-shift).min(63));
    }
    // In two steps where one would leave no room.
    let first = shift.min(63);
    let (mut whole, rest) = split_digits(magnitude << first, digits);
    if let Ok(second @ 1..) = u32::try_from(shift - first) {
        let more = 1_u128.checked_shl(second)?;
        whole = whole.checked_mul(more)? + split_digits(rest.checked_mul(more)?, digits).0;
    }
    let word = i64::try_from(whole).ok()?;
    Some(if number.mantissa < 0 { -word } else { word })
}

/// Bits to which a negative power of ten is right at least.
pub(super) const BITS_OF_POWERS: i32 = 58;

/// A power of ten as a factor and a shift to the right after it; exact where it is not negative.
pub(super) fn power_of_ten(exponent: i32) -> Option<(i64, i32)> {
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
    if most < 1.0 { 0 } else { exponent(most) + 1 }
}

/// The greatest power of two that is not more than a magnitude.
fn exponent(most: f64) -> i32 {
    ((most.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// A power of two.
pub(super) fn two_to(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent.clamp(-1022, 1023)) as u64) << 52)
}

/// A power of ten, exact from nothing up to the twenty-second.
pub(super) fn ten_to(exponent: i32) -> f64 {
    const POWERS: [f64; 23] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ];
    let magnitude = exponent.unsigned_abs() as usize;
    let power = POWERS.get(magnitude).copied().unwrap_or_else(|| 10_f64.powi(magnitude as i32));
    if exponent < 0 { 1.0 / power } else { power }
}
