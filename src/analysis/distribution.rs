//! How the range of an input is spread: the value below which a share of all draws lies, and the share below a value.
//!
//! Binary floating point, as statistics may use it (method, §1.7). Nothing here knows an input, or makes a draw.

use statrs::distribution::{Beta, Continuous, ContinuousCDF, Normal, Triangular};

use crate::input::Distribution;

/// The 95th percentile of the standard normal distribution; low and high are this many deviations from the mean.
const NORMAL_95: f64 = 1.644_853_626_951_472_7;
/// Weight of the most likely value in the mean of a PERT distribution.
const PERT_WEIGHT: f64 = 4.0;

/// A range with the way in which it is spread.
#[derive(Clone, Debug)]
pub struct Spread {
    low: f64,
    high: f64,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// One value alone.
    Point,
    /// Of the share of the range.
    Pert(Box<Pert>),
    /// Of the share of the range.
    Triangular(Triangular),
    Uniform,
    /// Of the value, or of its logarithm.
    Normal {
        of_logarithm: bool,
        normal: Normal,
    },
}

/// A PERT distribution with some of its quantiles, near which others are found quickly.
#[derive(Clone, Debug)]
struct Pert {
    beta: Beta,
    /// At equal distances of the share below, from 0 to 1.
    knots: [f64; KNOTS + 1],
}

/// Parts of equal probability between the known quantiles.
const KNOTS: usize = 64;
/// Parts at either end in which quantiles bend too much to be found from their neighbours.
const ENDS: usize = 4;

impl Pert {
    fn new(beta: Beta) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "sixty-four parts")]
        let knots = std::array::from_fn(|knot| beta.inverse_cdf(knot as f64 / KNOTS as f64));
        Self { beta, knots }
    }

    /// The value below which a share of all draws lies.
    fn share(&self, below: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "sixty-four parts")]
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of sixty-four")]
        let (knot, within) = {
            let at = (below * KNOTS as f64).clamp(0.0, KNOTS as f64);
            (at as usize, at - (at as usize) as f64)
        };
        if !(ENDS..KNOTS - ENDS).contains(&knot) {
            return self.beta.inverse_cdf(below);
        }
        // A cubic through four neighbours comes within a part in 100,000; each step of Halley's method triples the digits.
        let mut value = cubic([-1, 0, 1, 2].map(|off| self.knots[knot.wrapping_add_signed(off)]), within);
        for _ in 0..2 {
            let density = self.beta.pdf(value);
            let excess = (self.beta.cdf(value) - below) / density;
            // The logarithm of the density rises by so much.
            let bend = (self.beta.shape_a() - 1.0) / value - (self.beta.shape_b() - 1.0) / (1.0 - value);
            let step = excess / (1.0 - excess * bend / 2.0);
            value -= step;
            // What is left is the cube of the step.
            if step.abs() < 1e-5 {
                break;
            }
        }
        if value.is_finite() && 0.0 < value && value < 1.0 { value } else { self.beta.inverse_cdf(below) }
    }
}

/// The value at a place between the middle two of four that stand at equal distances.
fn cubic([a, b, c, d]: [f64; 4], at: f64) -> f64 {
    let rise = (c - a) / 2.0 * at;
    let bend = (a - 2.5 * b + 2.0 * c - d / 2.0) * at * at;
    b + rise + bend + ((d - a) / 2.0 + 1.5 * (b - c)) * at * at * at
}

impl Spread {
    /// The spread of a range. `value` is the most likely one of a PERT or triangular distribution; a normal or log-normal one is
    /// fixed by low and high alone, its 5th and 95th percentiles (method, §3 and §11).
    #[must_use]
    pub fn new(distribution: Distribution, low: f64, value: f64, high: f64) -> Self {
        let kind = if low < high { kind(distribution, low, value, high) } else { None };
        Self { low, high, kind: kind.unwrap_or(Kind::Point) }
    }

    /// The value below which a share of all draws lies, as a share of the range: 0 is its low and 1 its high.
    #[must_use]
    pub fn share(&self, below: f64) -> f64 {
        match &self.kind {
            Kind::Point => 0.0,
            Kind::Uniform => below,
            Kind::Pert(pert) => pert.share(below),
            Kind::Triangular(triangular) => triangular.inverse_cdf(below),
            Kind::Normal { of_logarithm, normal } => {
                let value = normal.inverse_cdf(below);
                let value = if *of_logarithm { value.exp() } else { value };
                (value - self.low) / (self.high - self.low)
            }
        }
    }

    /// The value below which a share of all draws lies.
    #[must_use]
    pub fn quantile(&self, below: f64) -> f64 {
        match &self.kind {
            Kind::Normal { of_logarithm: false, normal } => normal.inverse_cdf(below),
            Kind::Normal { of_logarithm: true, normal } => normal.inverse_cdf(below).exp(),
            _ => self.low + (self.high - self.low) * self.share(below),
        }
    }

    /// The share of all draws below a value.
    #[must_use]
    pub fn below(&self, value: f64) -> f64 {
        let share = || ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        match &self.kind {
            Kind::Point => f64::from(u8::from(self.low < value)),
            Kind::Uniform => share(),
            Kind::Pert(pert) => pert.beta.cdf(share()),
            Kind::Triangular(triangular) => triangular.cdf(share()),
            Kind::Normal { of_logarithm: false, normal } => normal.cdf(value),
            Kind::Normal { of_logarithm: true, normal } => {
                if value <= 0.0 {
                    0.0
                } else {
                    normal.cdf(value.ln())
                }
            }
        }
    }
}

/// None where the numbers make no distribution, which validation has refused.
fn kind(distribution: Distribution, low: f64, value: f64, high: f64) -> Option<Kind> {
    let mode = ((value - low) / (high - low)).clamp(0.0, 1.0);
    let normal = |low: f64, high: f64, of_logarithm| {
        let (mean, deviation) = mean_and_deviation(low, high);
        Normal::new(mean, deviation).ok().map(|normal| Kind::Normal { of_logarithm, normal })
    };
    match distribution {
        Distribution::Pert => pert(mode).map(|beta| Kind::Pert(Box::new(Pert::new(beta)))),
        Distribution::Triangular => Triangular::new(0.0, 1.0, mode).ok().map(Kind::Triangular),
        Distribution::Uniform => Some(Kind::Uniform),
        Distribution::Normal => normal(low, high, false),
        Distribution::LogNormal => normal(low.ln(), high.ln(), true),
    }
}

/// The PERT distribution over a range from 0 to 1 with its most likely value at a share of it.
#[must_use]
pub fn pert(mode: f64) -> Option<Beta> {
    Beta::new(1.0 + PERT_WEIGHT * mode, 1.0 + PERT_WEIGHT * (1.0 - mode)).ok()
}

/// Mean and standard deviation of the normal distribution of which these are the 5th and 95th percentiles.
#[must_use]
pub fn mean_and_deviation(low: f64, high: f64) -> (f64, f64) {
    (f64::midpoint(low, high), (high - low) / (2.0 * NORMAL_95))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The quick way to a quantile comes where the library does.
    #[test]
    fn quantiles_are_those_of_the_library() {
        for mode in [0.0, 0.01, 0.2, 0.5, 0.77, 1.0] {
            let beta = pert(mode).expect("a distribution");
            let quick = Pert::new(beta);
            for part in 0..=4_000 {
                let below = f64::from(part) / 4_000.0;
                let (found, known) = (quick.share(below), beta.inverse_cdf(below));
                assert!((found - known).abs() < 2e-12, "{mode} {below}: {found} for {known}");
            }
        }
    }
}
