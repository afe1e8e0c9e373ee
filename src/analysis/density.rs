//! How likely each value of an input is, by its range and its distribution: for drawing.
//!
//! Statistics, and so in binary floating point. Nothing here knows which input it is, and no money depends on it.

use statrs::distribution::{Beta, Continuous, LogNormal, Normal};

use crate::input::{Distribution, Range};
use crate::quantity::Exact;

use super::distribution::{mean_and_deviation, pert};

/// So many standard deviations to either side of its middle a distribution without bounds is drawn.
const DRAWN: f64 = 2.8;

/// The density of an input.
#[derive(Clone, Debug)]
pub struct Density {
    shape: Shape,
    /// Between these values the density is drawn.
    pub from: f64,
    pub to: f64,
}

#[derive(Clone, Debug)]
enum Shape {
    Pert { low: f64, width: f64, beta: Beta },
    Triangular { low: f64, mode: f64, high: f64 },
    Uniform { low: f64, high: f64 },
    Normal(Normal),
    LogNormal(LogNormal),
}

impl Density {
    /// The density over a range with the value as its mode; of normal and log-normal ones low and high are the 5th and 95th
    /// percentiles (method, §3). None where the range has no width, or no such distribution has these percentiles.
    #[must_use]
    pub fn of(range: Range, value: Exact, distribution: Distribution) -> Option<Self> {
        let [low, mode, high] = [range.low, value, range.high].map(|exact| exact.num().approximate());
        let width = high - low;
        if width <= 0.0 || !width.is_finite() {
            return None;
        }
        Some(match distribution {
            Distribution::Pert => {
                let share = ((mode - low) / width).clamp(0.0, 1.0);
                let beta = pert(share)?;
                Self { shape: Shape::Pert { low, width, beta }, from: low, to: high }
            }
            Distribution::Triangular => Self { shape: Shape::Triangular { low, mode, high }, from: low, to: high },
            Distribution::Uniform => Self { shape: Shape::Uniform { low, high }, from: low, to: high },
            Distribution::Normal => {
                let (middle, deviation) = mean_and_deviation(low, high);
                let normal = Normal::new(middle, deviation).ok()?;
                let reach = DRAWN * deviation;
                Self { shape: Shape::Normal(normal), from: middle - reach, to: middle + reach }
            }
            Distribution::LogNormal => {
                if low <= 0.0 {
                    return None;
                }
                let (location, scale) = mean_and_deviation(low.ln(), high.ln());
                let normal = LogNormal::new(location, scale).ok()?;
                let reach = DRAWN * scale;
                Self { shape: Shape::LogNormal(normal), from: (location - reach).exp(), to: (location + reach).exp() }
            }
        })
    }

    /// The density at a value; nothing outside the bounds.
    #[must_use]
    pub fn at(&self, value: f64) -> f64 {
        match &self.shape {
            Shape::Pert { low, width, beta } => {
                let share = (value - low) / width;
                if (0.0..=1.0).contains(&share) { beta.pdf(share) / width } else { 0.0 }
            }
            Shape::Triangular { low, mode, high } => triangular(value, *low, *mode, *high),
            Shape::Uniform { low, high } => {
                if (*low..=*high).contains(&value) {
                    1.0 / (high - low)
                } else {
                    0.0
                }
            }
            Shape::Normal(normal) => normal.pdf(value),
            Shape::LogNormal(normal) => normal.pdf(value),
        }
    }
}

fn triangular(value: f64, low: f64, mode: f64, high: f64) -> f64 {
    let peak = 2.0 / (high - low);
    match value {
        outside if outside < low || high < outside => 0.0,
        rising if rising < mode => peak * (rising - low) / (mode - low),
        falling if mode < falling => peak * (high - falling) / (high - mode),
        _ => peak,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn density(low: &str, value: &str, high: &str, distribution: Distribution) -> Option<Density> {
        let exact = |text| Exact::parse(text).expect("the test writes exact decimals");
        Density::of(Range { low: exact(low), high: exact(high) }, exact(value), distribution)
    }

    /// The area from one value to another, by the trapezoid rule.
    fn area(density: &Density, from: f64, to: f64) -> f64 {
        let steps = 4000;
        let step = (to - from) / f64::from(steps);
        let at = |i: i32| density.at(from + f64::from(i) * step);
        (0..steps).map(|i| f64::midpoint(at(i), at(i + 1)) * step).sum()
    }

    #[test]
    fn every_density_has_the_area_of_one_between_its_ends() {
        for distribution in Distribution::ALL {
            let density = density("0.5", "0.6", "0.9", *distribution).expect("the range has a width");
            let within = area(&density, density.from, density.to);
            assert!((0.994..=1.000_1).contains(&within), "{distribution:?}: {within}");
        }
    }

    #[test]
    fn the_percentiles_of_an_unbounded_density_are_low_and_high() {
        for distribution in [Distribution::Normal, Distribution::LogNormal] {
            let density = density("20", "30", "60", distribution).expect("the range has a width");
            assert!((area(&density, 20.0, 60.0) - 0.9).abs() < 1e-4, "{distribution:?}");
        }
    }

    #[test]
    fn a_bounded_density_is_highest_at_the_value_even_at_an_end() {
        for distribution in [Distribution::Pert, Distribution::Triangular] {
            for value in ["2", "3.5", "6"] {
                let density = density("2", value, "6", distribution).expect("the range has a width");
                let mode: f64 = value.parse().expect("the test writes numbers");
                let highest = (0..=400).map(|i| density.at(2.0 + f64::from(i) * 0.01)).fold(0.0, f64::max);
                assert!((density.at(mode) - highest).abs() < 1e-9, "{distribution:?} at {value}");
            }
        }
    }

    #[test]
    fn what_has_no_width_or_no_logarithm_has_no_density() {
        assert!(density("1", "1", "1", Distribution::Pert).is_none());
        assert!(density("0", "1", "2", Distribution::LogNormal).is_none());
    }
}
