//! The range over which an input is moved, and the values on it.
//!
//! Nothing here knows which input it is, or what follows from its values.

use rust_decimal::{Decimal, RoundingStrategy};

use crate::input::{Bounds, Limit, Range};
use crate::quantity::{DIGITS_AFTER_POINT, Exact};
use crate::scenario::InputRef;

/// Where a range comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeKind {
    /// The input states it.
    Stated,
    /// The scenario's default share of the value either way.
    Default,
}

impl RangeKind {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stated => "Stated",
            Self::Default => "Default",
        }
    }
}

/// The range of an input: its own, or a share of its value either way where a share is given. None where it is held
/// fixed: a share of nothing is no range.
#[must_use]
pub fn range_of(input: &InputRef, default_share: Option<Exact>) -> Option<(Range, RangeKind)> {
    if let Some(range) = input.input.range() {
        return Some((range, RangeKind::Stated));
    }
    let value = input.input.value.decimal();
    let share = default_share?.decimal();
    if value.is_zero() || share.is_zero() {
        return None;
    }
    let spread = value.checked_mul(share)?.abs();
    let bounds = input.bounds();
    let low = inside(value.checked_sub(spread)?, value, bounds)?;
    let high = inside(value.checked_add(spread)?, value, bounds)?;
    Some((Range { low, high }, RangeKind::Default))
}

/// An end of a default range, moved to the bound where it lies beyond; half way to a bound that is itself refused.
fn inside(end: Decimal, value: Decimal, bounds: Bounds) -> Option<Exact> {
    let half_way = |bound: Decimal| value.checked_add(bound).and_then(|sum| sum.checked_div(Decimal::TWO));
    let raised = match bounds.low {
        Limit::Including(low) => end.max(Decimal::from(low)),
        Limit::Excluding(low) if end <= Decimal::from(low) => half_way(Decimal::from(low))?,
        _ => end,
    };
    let end = match bounds.high {
        Limit::Including(high) => raised.min(Decimal::from(high)),
        Limit::Excluding(high) if Decimal::from(high) <= raised => half_way(Decimal::from(high))?,
        _ => raised,
    };
    stated(end, bounds.whole)
}

/// A value that an input can hold: whole where it counts (half up), and otherwise to the places of a file.
fn stated(value: Decimal, whole: bool) -> Option<Exact> {
    let value = if whole { half_up(value)? } else { to_places_of_file(value) };
    Exact::from_decimal(value.normalize()).ok()
}

fn half_up(value: Decimal) -> Option<Decimal> {
    value.checked_add(Decimal::new(5, 1)).map(|raised| raised.floor())
}

/// Half away from zero; only a range with ends of more than ten places is touched by it.
fn to_places_of_file(value: Decimal) -> Decimal {
    let places = u32::try_from(DIGITS_AFTER_POINT).unwrap_or(12);
    value.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}

/// The value at a part of a range: `numerator / denominator` of the way from low to high.
#[must_use]
pub fn value_at(range: Range, numerator: u32, denominator: u32, whole: bool) -> Option<Exact> {
    let (low, high) = (range.low.decimal(), range.high.decimal());
    let way = high.checked_sub(low)?.checked_mul(Decimal::from(numerator))?.checked_div(Decimal::from(denominator))?;
    stated(low.checked_add(way)?, whole)
}

/// The shortest decimal above `low` and not above `high`, to name a place between them.
#[must_use]
pub fn shortest_between(low: Decimal, high: Decimal) -> Decimal {
    for places in 0..28 {
        let candidate = high.round_dp_with_strategy(places, RoundingStrategy::ToNegativeInfinity);
        if low < candidate {
            return candidate.normalize();
        }
    }
    high.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::parse(text).expect("the test writes exact decimals")
    }

    #[test]
    fn counts_are_rounded_half_up() {
        let range = Range { low: exact("1"), high: exact("3") };
        let points: Vec<String> =
            (0..5).filter_map(|k| value_at(range, k, 4, true)).map(|value| value.to_string()).collect();
        assert_eq!(points, ["1", "2", "2", "3", "3"]);
    }

    #[test]
    fn a_default_range_stays_within_bounds() {
        let end = |value: &str, end: &str, bounds| {
            inside(exact(end).decimal(), exact(value).decimal(), bounds).map(|end| end.to_string())
        };
        assert_eq!(end("0.95", "1.045", Bounds::SHARE).as_deref(), Some("1"));
        assert_eq!(end("0.9", "1.1", Bounds::SHARE_BELOW_ONE).as_deref(), Some("0.95"));
        assert_eq!(end("6", "6.6", Bounds::MONTHS).as_deref(), Some("7"));
        assert_eq!(end("1.05", "0.945", Bounds::AT_LEAST_ONE).as_deref(), Some("1"));
    }

    #[test]
    fn a_place_between_is_named_shortly() {
        assert_eq!(shortest_between(exact("31.9298").decimal(), exact("31.9303").decimal()).to_string(), "31.93");
        assert_eq!(shortest_between(exact("-0.34").decimal(), exact("-0.33").decimal()).to_string(), "-0.33");
    }
}
