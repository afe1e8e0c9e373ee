//! How the range of an input is spread: the value below which a share of all draws lies, and the share below a value.
//!
//! Binary floating point, as statistics may use it (method, §1.7). Nothing here knows an input, or makes a draw.

use statrs::distribution::{Beta, ContinuousCDF, Normal, Triangular};

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
    Pert(Beta),
    /// Of the share of the range.
    Triangular(Triangular),
    Uniform,
    /// Of the value, or of its logarithm.
    Normal {
        of_logarithm: bool,
        normal: Normal,
    },
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
            Kind::Pert(beta) => beta.inverse_cdf(below),
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
            Kind::Pert(beta) => beta.cdf(share()),
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
        Distribution::Pert => pert(mode).map(Kind::Pert),
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
