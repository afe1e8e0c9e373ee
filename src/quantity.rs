//! Exact numbers: decimals as they were typed, checked arithmetic on them, and money in whole minor units.
//!
//! Nothing here knows a scenario, a formula, or how a number is shown to a person.

use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use rust_decimal::{Decimal, MathematicalOps};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

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
        Num(Some(self.0))
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

/// A number under computation, to 28 significant digits.
///
/// Arithmetic never panics: what overflows or divides by zero becomes *broken*, and whatever is computed from a broken
/// number is broken. The ledger refuses to post a broken amount and names its line, so no figure ever rests on one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Num(Option<Decimal>);

impl Num {
    pub const ZERO: Self = Self(Some(Decimal::ZERO));
    pub const ONE: Self = Self(Some(Decimal::ONE));
    /// The result of a computation that has no value.
    pub const BROKEN: Self = Self(None);

    /// A whole number.
    #[must_use]
    pub fn whole(value: i64) -> Self {
        Self(Some(Decimal::from(value)))
    }

    /// A count.
    #[must_use]
    pub fn count(value: u32) -> Self {
        Self(Some(Decimal::from(value)))
    }

    /// The decimal, unless broken.
    #[must_use]
    pub fn decimal(self) -> Option<Decimal> {
        self.0
    }

    /// Whether the computation overflowed or divided by zero on the way here.
    #[must_use]
    pub fn is_broken(self) -> bool {
        self.0.is_none()
    }

    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.is_some_and(|value| value.is_zero())
    }

    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0.is_some_and(|value| !value.is_zero() && value.is_sign_positive())
    }

    #[must_use]
    pub fn is_negative(self) -> bool {
        self.0.is_some_and(|value| !value.is_zero() && value.is_sign_negative())
    }

    /// The lesser of two; broken if either is.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(self.0.zip(other.0).map(|(a, b)| a.min(b)))
    }

    /// The greater of two; broken if either is.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self(self.0.zip(other.0).map(|(a, b)| a.max(b)))
    }

    /// Whole units, rounded up, ignoring an excess below 1e-12 (method, §1.5).
    #[must_use]
    pub fn ceil_units(self) -> Self {
        Self(self.0.and_then(|value| {
            let floor = value.floor();
            if value.checked_sub(floor)? < TOLERANCE { Some(floor) } else { floor.checked_add(Decimal::ONE) }
        }))
    }

    /// Whole units, rounded down, ignoring a shortfall below 1e-12 (method, §1.5).
    #[must_use]
    pub fn floor_units(self) -> Self {
        Self(self.0.and_then(|value| {
            let ceil = value.ceil();
            if ceil.checked_sub(value)? < TOLERANCE { Some(ceil) } else { ceil.checked_sub(Decimal::ONE) }
        }))
    }

    /// A share within 1e-12 of nothing or of everything is that (method, §5).
    #[must_use]
    pub fn snapped_share(self) -> Self {
        match self.0 {
            Some(value) if value < TOLERANCE => Self::ZERO,
            Some(value) if Decimal::ONE - TOLERANCE < value => Self::ONE,
            _ => self,
        }
    }

    /// The whole power, by exact multiplication.
    #[must_use]
    pub fn power(self, exponent: u32) -> Self {
        let mut result = Self::ONE;
        let mut square = self;
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
        result
    }

    /// The 24th root of a positive number, by Newton's method to the precision held.
    #[must_use]
    pub fn root_24(self) -> Self {
        let Some(value) = self.0.filter(|value| value.is_sign_positive() && !value.is_zero()) else {
            return Self::BROKEN;
        };
        // The start may be rough: every step doubles the digits that are right.
        let mut root = match value.checked_powd(Decimal::ONE / Decimal::from(24)) {
            Some(start) if !start.is_zero() => Self(Some(start)),
            _ => Self::ONE,
        };
        let degree = Self::whole(24);
        for _ in 0..3 {
            let low_power = root.power(23);
            root = root - (low_power * root - self) / (degree * low_power);
        }
        root
    }

    /// The number as a count, if it is whole, not negative and not absurdly large.
    #[must_use]
    pub fn as_count(self) -> Option<u32> {
        self.0.and_then(|value| u32::try_from(value.trunc()).ok())
    }

    /// The nearest binary number, for statistics and pixels only; never on the way to money.
    #[must_use]
    pub fn approximate(self) -> f64 {
        self.0.and_then(|value| f64::try_from(value).ok()).unwrap_or(f64::NAN)
    }
}

/// An excess below this never buys a whole unit.
const TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 12);

impl From<Decimal> for Num {
    fn from(value: Decimal) -> Self {
        Self(Some(value))
    }
}

impl Add for Num {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.zip(other.0).and_then(|(a, b)| a.checked_add(b)))
    }
}

impl Sub for Num {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.zip(other.0).and_then(|(a, b)| a.checked_sub(b)))
    }
}

impl Mul for Num {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(self.0.zip(other.0).and_then(|(a, b)| a.checked_mul(b)))
    }
}

impl Div for Num {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        Self(self.0.zip(other.0).and_then(|(a, b)| a.checked_div(b)))
    }
}

impl Neg for Num {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.map(|value| -value))
    }
}

impl AddAssign for Num {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Num {
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
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.0.zip(other.0).map(|(a, b)| a.cmp(&b))
    }
}

/// An amount of money in whole minor units of a currency: cents, yen, fils.
///
/// Only the ledger makes one from a number, by rounding once; after that there is only addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Money(i128);

impl Money {
    pub const ZERO: Self = Self(0);

    /// So many minor units.
    #[must_use]
    pub fn from_minor(units: i128) -> Self {
        Self(units)
    }

    /// The whole minor units.
    #[must_use]
    pub fn minor(self) -> i128 {
        self.0
    }

    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Rounds an amount once: to 12 places and then to the minor unit, both half away from zero, so that a repeating
    /// decimal never decides a half (method, §1.3). `None` where the amount is broken.
    #[must_use]
    pub fn rounded(amount: Num, minor_digits: u32) -> Option<Self> {
        let value = amount.0?;
        rounded_to_minor(value.mantissa(), value.scale(), minor_digits).map(Self)
    }

    /// This amount times a factor given in units of 1e-18, rounded as [`Money::rounded`] does. `None` on overflow.
    #[must_use]
    pub fn times_factor(self, factor_e18: i128, minor_digits: u32) -> Option<Self> {
        let product = self.0.checked_mul(factor_e18)?;
        rounded_to_minor(product, minor_digits + FACTOR_DIGITS, minor_digits).map(Self)
    }

    /// The amount in units of the currency, for ratios.
    #[must_use]
    pub fn num(self, minor_digits: u32) -> Num {
        Num(Decimal::try_from_i128_with_scale(self.0, minor_digits).ok())
    }
}

/// Decimal places of a discount factor (method, §8).
pub const FACTOR_DIGITS: u32 = 18;

/// A factor in units of 1e-18, half away from zero. `None` where it is broken or too large.
#[must_use]
pub fn factor_e18(factor: Num) -> Option<i128> {
    let value = factor.0?;
    rounded_to_scale(value.mantissa(), value.scale(), FACTOR_DIGITS)
}

fn rounded_to_minor(mantissa: i128, scale: u32, minor_digits: u32) -> Option<i128> {
    const GUARD: u32 = 12;
    if scale <= GUARD {
        return rounded_to_scale(mantissa, scale, minor_digits);
    }
    rounded_to_scale(rounded_to_scale(mantissa, scale, GUARD)?, GUARD, minor_digits)
}

fn rounded_to_scale(mantissa: i128, from: u32, to: u32) -> Option<i128> {
    if from <= to {
        return mantissa.checked_mul(10_i128.checked_pow(to - from)?);
    }
    let divisor = 10_i128.checked_pow(from - to)?;
    // Most amounts fit a machine word, whose division is several times cheaper.
    let (quotient, rest) = match (i64::try_from(mantissa), i64::try_from(divisor)) {
        (Ok(mantissa), Ok(divisor)) => (i128::from(mantissa / divisor), i128::from(mantissa % divisor)),
        _ => (mantissa / divisor, mantissa % divisor),
    };
    let away = if rest.abs() * 2 >= divisor { rest.signum() } else { 0 };
    Some(quotient + away)
}

impl Add for Money {
    type Output = Self;
    /// Cannot overflow: a posting has at most 29 digits, and a ledger far fewer than a thousand million postings.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Money {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Money {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Money {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl std::iter::Sum for Money {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// Splits a total over weights so that the parts add up to it: each takes the floor of its share in minor units, the
/// rest goes one unit each to the largest remainders, rounded to 9 places; of equals the earlier first (method, §1.4).
///
/// `None` where nothing has weight; the total is then unallocated.
#[must_use]
pub fn split_by_largest_remainder(total: Money, weights: &[Num]) -> Option<Vec<Money>> {
    let sum: Num = weights.iter().copied().sum();
    if !sum.is_positive() {
        return None;
    }
    let whole = Num(Decimal::try_from_i128_with_scale(total.0, 0).ok());
    let mut parts = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for weight in weights {
        let share = (whole * *weight / sum).0?;
        // A share that is whole but for the last digits held is that whole number.
        let share = share.round_dp_with_strategy(9, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
        let floor = share.floor();
        parts.push(floor.mantissa() / 10_i128.pow(floor.scale()));
        remainders.push(share - floor);
    }
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by(|a, b| remainders[*b].cmp(&remainders[*a]).then(a.cmp(b)));
    let mut left = total.0 - parts.iter().sum::<i128>();
    for index in order {
        if left <= 0 {
            break;
        }
        parts[index] += 1;
        left -= 1;
    }
    Some(parts.into_iter().map(Money).collect())
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
    use super::*;

    fn num(text: &str) -> Num {
        Num(Some(Decimal::from_str_exact(text).expect("the test writes exact decimals")))
    }

    #[test]
    fn money_rounds_half_away_from_zero_after_twelve_places() {
        let cases = [("1.005", 101), ("-1.005", -101), ("1.004999999999", 100), ("0", 0), ("2.675", 268)];
        for (text, minor) in cases {
            assert_eq!(Money::rounded(num(text), 2), Some(Money(minor)), "{text}");
        }
        let just_under_a_half = num("1.005") - Num(Some(Decimal::from_parts(1, 0, 0, false, 27)));
        assert_eq!(Money::rounded(just_under_a_half, 2), Some(Money(101)), "a repeating decimal never decides a half");
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
        let back = Num(Some(root)).power(24).decimal().expect("a power");
        assert!((back - Decimal::new(108, 2)).abs() < Decimal::new(1, 25), "{back}");
    }

    #[test]
    fn splits_add_up_and_favour_the_earlier_of_equals() {
        let parts = split_by_largest_remainder(Money(100), &[Num::ONE, Num::ONE, Num::ONE]).expect("weights");
        assert_eq!(parts, [Money(34), Money(33), Money(33)]);
        let parts = split_by_largest_remainder(Money(-100), &[Num::ONE, Num::ONE, Num::ONE]).expect("weights");
        assert_eq!(parts.iter().copied().sum::<Money>(), Money(-100));
        assert_eq!(split_by_largest_remainder(Money(1), &[Num::ZERO]), None);
    }

    #[test]
    fn numbers_read_strictly() {
        for refused in ["", "-", "1e3", "1_000", "+1", ".5", "5.", "1,5", " 1", "1234567890123456", "0.1234567890123"] {
            assert!(Exact::parse(refused).is_err(), "{refused}");
        }
        assert_eq!(Exact::parse("-0.00").expect("zero").to_string(), "0.00");
    }
}
