//! How the range of an input is spread: the value below which a share of all draws lies, and the share below a value.
//!
//! Binary floating point, as statistics may use it (method, §1.7). Nothing here knows an input, or makes a draw.

use statrs::distribution::{Beta, Continuous, ContinuousCDF, Normal, Triangular};
use statrs::function::beta::ln_beta;

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

/// A PERT distribution with some of its quantiles, between which others are found quickly.
#[derive(Clone, Debug)]
struct Pert {
    beta: Beta,
    /// What lies below the median, and above it as seen from the high end.
    halves: [Half; 2],
}

impl Pert {
    fn new(beta: Beta) -> Option<Self> {
        let mirrored = Beta::new(beta.shape_b(), beta.shape_a()).ok()?;
        Some(Self { beta, halves: [beta, mirrored].map(|beta| Half::new(&beta)) })
    }

    /// The value below which a share of all draws lies.
    fn share(&self, below: f64) -> f64 {
        // Which half it is cannot be foreseen: it chooses numbers, not a way.
        let is_upper = 0.5 < below;
        let value = self.halves[usize::from(is_upper)].value(if is_upper { 1.0 - below } else { below });
        if is_upper { 1.0 - value } else { value }
    }
}

/// The quantiles of a beta distribution up to its median. Near zero they rise like the root of the share below to the first
/// shape, which bends infinitely; of that root they are a smooth function.
#[derive(Clone, Debug)]
struct Half {
    /// Of the root.
    exponent: f64,
    /// How many known quantiles stand in one unit of it.
    density: f64,
    /// Between two known quantiles, the polynomial of the fifth degree that has value, rise and bend of both.
    polynomials: [[f64; 6]; PARTS],
}

/// Parts between the known quantiles of a half.
const PARTS: usize = 128;

impl Half {
    #[expect(clippy::cast_precision_loss, reason = "a hundred parts")]
    fn new(distribution: &Beta) -> Self {
        let (a, b) = (distribution.shape_a(), distribution.shape_b());
        let step = 0.5_f64.powf(1.0 / a) / PARTS as f64;
        // At zero the share below is the a-th power of the value, divided by a and the beta function.
        let rise = (a.ln() + ln_beta(a, b)).exp().powf(1.0 / a);
        // The quantiles, and how they rise and bend over one step.
        let mut knots = [[0.0, rise * step, 2.0 * (b - 1.0) * rise * rise / (a + 1.0) * step * step]; PARTS + 1];
        for knot in 1..=PARTS {
            let [before, rise, bend] = knots[knot - 1];
            let root = knot as f64 * step;
            let value = quantile_near(distribution, root.powf(a), before + rise + bend / 2.0);
            let rise = a * root.powf(a - 1.0) / distribution.pdf(value);
            let bend = rise * ((a - 1.0) / root - rise * rise_of_logarithm(distribution, value));
            knots[knot] = [value, rise * step, bend * step * step];
        }
        let polynomials = std::array::from_fn(|part| polynomial(knots[part], knots[part + 1]));
        Self { exponent: 1.0 / a, density: 1.0 / step, polynomials }
    }

    fn value(&self, below: f64) -> f64 {
        let at = below.powf(self.exponent) * self.density;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place among the parts")]
        let part = (at as usize).min(PARTS - 1);
        #[expect(clippy::cast_precision_loss, reason = "a hundred parts")]
        let at = at - part as f64;
        let [value, first, second, third, fourth, fifth] = self.polynomials[part];
        value + at * (first + at * (second + at * (third + at * (fourth + at * fifth))))
    }
}

/// The polynomial of the fifth degree with the value, rise and bend of one knot at 0, and of the next at 1.
fn polynomial([value, rise, bend]: [f64; 3], [next, next_rise, next_bend]: [f64; 3]) -> [f64; 6] {
    let half_bend = bend / 2.0;
    let (left, left_rise) = (next - value - rise - half_bend, next_rise - rise - bend);
    let half_left_bend = (next_bend - bend) / 2.0;
    let third = 10.0 * left - 4.0 * left_rise + half_left_bend;
    let fourth = -15.0 * left + 7.0 * left_rise - 2.0 * half_left_bend;
    let fifth = 6.0 * left - 3.0 * left_rise + half_left_bend;
    [value, rise, half_bend, third, fourth, fifth]
}

/// The value below which a share of all draws lies, from one near it, by Halley's method: each step triples the digits.
fn quantile_near(distribution: &Beta, below: f64, near: f64) -> f64 {
    let mut value = near;
    for _ in 0..4 {
        let excess = (distribution.cdf(value) - below) / distribution.pdf(value);
        let step = excess / (1.0 - excess * rise_of_logarithm(distribution, value) / 2.0);
        value -= step;
        // What is left is the cube of it.
        if step.abs() < 1e-5 * value {
            break;
        }
    }
    if value.is_finite() && 0.0 < value && value < 1.0 { value } else { distribution.inverse_cdf(below) }
}

/// How steeply the logarithm of the density rises.
fn rise_of_logarithm(distribution: &Beta, value: f64) -> f64 {
    (distribution.shape_a() - 1.0) / value - (distribution.shape_b() - 1.0) / (1.0 - value)
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
        Distribution::Pert => pert(mode).and_then(Pert::new).map(|pert| Kind::Pert(Box::new(pert))),
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
        for mode in [0.0, 0.003, 0.01, 0.04, 0.1, 0.2, 0.3, 0.4, 0.5, 0.77, 0.99, 1.0] {
            let beta = pert(mode).expect("a distribution");
            let quick = Pert::new(beta).expect("its mirror image is one too");
            for part in 0..=4_000 {
                let below = f64::from(part) / 4_000.0;
                let (found, known) = (quick.share(below), beta.inverse_cdf(below));
                assert!((found - known).abs() < 2e-12, "{mode} {below}: {found} for {known}");
            }
        }
    }
}
