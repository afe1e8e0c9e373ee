//! An axis of values: its ends, its round ticks, and where on the page a value falls.
//!
//! Ticks are exact numbers; only their places are binary floating point.

use rust_decimal::Decimal;

/// Values from `low` to `high`, drawn from `left` to `right`.
#[derive(Clone, Debug)]
pub struct Axis {
    low: f64,
    high: f64,
    left: f32,
    right: f32,
    pub ticks: Vec<Tick>,
}

#[derive(Clone, Debug)]
pub struct Tick {
    pub x: f32,
    pub value: Decimal,
}

impl Axis {
    /// An axis that holds every value, with at most `most` ticks at round numbers.
    pub fn around(values: impl IntoIterator<Item = f64>, left: f32, right: f32, most: usize) -> Self {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low > high { (0.0, 1.0) } else { (low, high) };
        let (low, high) =
            if high - low < f64::EPSILON * high.abs().max(1.0) { (low - 1.0, high + 1.0) } else { (low, high) };
        let mut axis = Self { low, high, left, right, ticks: Vec::new() };
        axis.ticks = axis.round_ticks(most);
        axis
    }

    #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
    pub fn at(&self, value: f64) -> f32 {
        let share = ((value - self.low) / (self.high - self.low)) as f32;
        self.left + share * (self.right - self.left)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the exponent of a step and the count of ticks are small")]
    #[expect(clippy::cast_precision_loss, reason = "at most a dozen ticks")]
    fn round_ticks(&self, most: usize) -> Vec<Tick> {
        let rough = (self.high - self.low) / most.max(1) as f64;
        let exponent = rough.log10().floor();
        let unit = 10f64.powf(exponent);
        let times: i64 = if rough <= unit {
            1
        } else if rough <= 2.0 * unit {
            2
        } else if rough <= 5.0 * unit {
            5
        } else {
            10
        };
        let step = times as f64 * unit;
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last)
            .take(most + 2)
            .filter_map(|k| {
                let value = scaled(k.checked_mul(times)?, exponent as i32)?;
                Some(Tick { x: self.at(k as f64 * step), value })
            })
            .collect()
    }
}

/// `digits` · 10^`exponent`, exactly.
fn scaled(digits: i64, exponent: i32) -> Option<Decimal> {
    match u32::try_from(exponent) {
        Ok(zeros) => 10i128
            .checked_pow(zeros)
            .and_then(|ten| Decimal::try_from_i128_with_scale(i128::from(digits).checked_mul(ten)?, 0).ok()),
        Err(_) => Decimal::try_new(digits, exponent.unsigned_abs()).ok().map(|value| value.normalize()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(low: f64, high: f64) -> Vec<String> {
        Axis::around([low, high], 0.0, 100.0, 6).ticks.iter().map(|tick| tick.value.to_string()).collect()
    }

    #[test]
    fn ticks_are_round_and_exact() {
        assert_eq!(ticks(0.0, 21_700_000.0), ["0", "5000000", "10000000", "15000000", "20000000"]);
        assert_eq!(ticks(-1.2, 0.4), ["-1.0", "-0.5", "0"].map(|t| t.trim_end_matches(".0")));
        assert_eq!(ticks(0.0, 0.03), ["0", "0.005", "0.01", "0.015", "0.02", "0.025", "0.03"]);
    }

    #[test]
    fn an_axis_without_extent_still_has_a_place_for_its_value() {
        let axis = Axis::around([5.0], 0.0, 100.0, 4);
        assert!((axis.at(5.0) - 50.0).abs() < 0.01);
        assert!(Axis::around([], 0.0, 100.0, 4).ticks.len() < 8);
        assert!(Axis::around([f64::NAN, f64::INFINITY], 0.0, 100.0, 4).at(0.5).is_finite());
    }
}
