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

/// A value outside what an input accepts, such as an end of a default range, moved to the bound where it lies beyond; half way to a bound that is itself refused.
pub(super) fn inside(end: Decimal, value: Decimal, bounds: Bounds) -> Option<Exact> {
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
pub(super) fn stated(value: Decimal, whole: bool) -> Option<Exact> {
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

/// The range over which an input without one is tried: from half the value to double it, so that both halving and doubling
/// are within reach; from nothing to one, or to ten of what is counted, where the value is zero.
#[must_use]
pub fn tried(input: &InputRef) -> Option<Range> {
    let (value, bounds) = (input.input.value.decimal(), input.bounds());
    let (one, other) = if value.is_zero() {
        (value, if bounds.whole { Decimal::TEN } else { Decimal::ONE })
    } else {
        (value.checked_div(Decimal::TWO)?, value.checked_mul(Decimal::TWO)?)
    };
    let low = inside(one.min(other), value, bounds)?;
    let high = inside(one.max(other), value, bounds)?;
    Some(Range { low, high })
}

/// The exact values at which something that slides over a range stops, from low to high: both ends, the value it starts
/// from, and between them the multiples of the power of ten that divides the range into twenty parts or more.
#[must_use]
pub fn stops(range: Range, start: Exact, whole: bool) -> Vec<Exact> {
    let (low, high) = (range.low.decimal(), range.high.decimal());
    let mut stops = multiples(low, high, start.decimal(), whole).unwrap_or_default();
    stops.extend([range.low, start, range.high]);
    // Of equal stops the one as it was typed is kept: sorting is stable, and later ones are dropped.
    stops.reverse();
    stops.sort();
    stops.dedup();
    stops
}

/// The parts into which a range is divided at least.
const PARTS: i64 = 20;

fn multiples(low: Decimal, high: Decimal, start: Decimal, whole: bool) -> Option<Vec<Exact>> {
    let least = high.checked_sub(low)?.checked_div(Decimal::from(PARTS))?;
    let powers = (0..=15).rev().map(|power| 10_i64.checked_pow(power).map(Decimal::from));
    let fractions = (1..=12).map(|places| Decimal::try_new(1, places).ok());
    let step = powers.chain(fractions).flatten().find(|step| *step <= least)?;
    let step = if whole { step.max(Decimal::ONE) } else { step };
    // `36` beside a start of `41.20` reads `36.00`.
    let places = start.scale().max(step.scale());
    let mut at = low.checked_div(step)?.ceil().checked_mul(step)?;
    let mut stops = Vec::new();
    while at <= high {
        let mut stop = at;
        stop.rescale(places);
        stops.push(Exact::from_decimal(stop).ok()?);
        at = at.checked_add(step)?;
    }
    Some(stops)
}

/// Whether two values are apart by more than this share of the greater of them.
#[must_use]
pub(super) fn are_apart(low: Exact, high: Exact, share: Decimal) -> bool {
    let (low, high) = (low.decimal(), high.decimal());
    let greater = low.abs().max(high.abs());
    match (high.checked_sub(low), greater.checked_mul(share)) {
        (Some(apart), Some(most)) => most < apart,
        _ => true,
    }
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

    fn stops_of(low: &str, high: &str, start: &str, whole: bool) -> Vec<String> {
        let range = Range { low: exact(low), high: exact(high) };
        stops(range, exact(start), whole).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_slider_stops_at_round_values_its_ends_and_its_start() {
        let price = stops_of("31", "52", "41.20", false);
        assert_eq!(price[..3], ["31", "32.00", "33.00"]);
        assert!(price.contains(&"41.20".to_owned()) && price.contains(&"41.00".to_owned()));
        assert_eq!(price.last().map(String::as_str), Some("52"));
        assert_eq!(stops_of("0.48", "0.70", "0.60", false).len(), 23);
        assert_eq!(stops_of("3", "7", "4", true), ["3", "4", "5", "6", "7"]);
        assert_eq!(stops_of("0", "0", "0", false), ["0"]);
        assert_eq!(stops_of("-0.15", "0.0333", "0", false).len(), 185);
    }

    #[test]
    fn a_place_between_is_named_shortly() {
        assert_eq!(shortest_between(exact("31.9298").decimal(), exact("31.9303").decimal()).to_string(), "31.93");
        assert_eq!(shortest_between(exact("-0.34").decimal(), exact("-0.33").decimal()).to_string(), "-0.33");
    }
}
