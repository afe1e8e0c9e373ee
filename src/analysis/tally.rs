//! What is counted over draws so that nothing has to be kept of a draw: sums, and counts in fixed bins.
//!
//! Everything is a whole number and is only added, so that tallies of any parts of the draws, added in any order, are the
//! tally of all of them, to the bit. Nothing here knows how a draw is made.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bits of a value that tell its bin: the bins of a [`Sketch`] are no wider than this part of the values in them.
const BIN_BITS: u32 = 13;
/// Bins of equal probability of an input, each in two halves, for the worth of knowing it.
pub const PARTS: usize = 16;
/// Bins of a figure for rank correlations.
pub const RANKS: usize = 64;
/// Draws that cannot be computed and are told of, the first ones.
const TOLD: usize = 5;

/// A whole number that is written as text, since it may be larger than numbers in files are read exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Whole(pub i128);

impl Serialize for Whole {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| serde::de::Error::custom("a whole number in quotes is expected"))
    }
}

impl Whole {
    /// Adds; a sum that no longer fits stays at the end of what does.
    fn add(&mut self, other: i128) {
        self.0 = self.0.saturating_add(other);
    }
}

/// Values counted in bins: exact sum, least and greatest, and percentiles to within the width of a bin; exact ones where a bin
/// holds one value alone.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sketch {
    count: u64,
    sum: Whole,
    least: Option<Whole>,
    greatest: Option<Whole>,
    bins: BTreeMap<i32, Bin>,
}

/// The values in one bin.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Bin {
    count: u64,
    sum: Whole,
}

/// Written as a pair, since there are many.
impl Serialize for Bin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.count, self.sum).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u64, Whole)>::deserialize(deserializer).map(|(count, sum)| Self { count, sum })
    }
}

impl Bin {
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum.add(other.sum.0);
    }

    fn mean(self) -> i128 {
        rounded_quotient(self.sum.0, self.count)
    }
}

impl Sketch {
    /// Counts one value.
    pub fn add(&mut self, value: i128) {
        self.count += 1;
        self.sum.add(value);
        self.least = Some(self.least.map_or(Whole(value), |least| least.min(Whole(value))));
        self.greatest = self.greatest.max(Some(Whole(value)));
        self.bins.entry(bin(value)).or_default().merge(Bin { count: 1, sum: Whole(value) });
    }

    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.sum.add(other.sum.0);
        self.least = match (self.least, other.least) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.greatest = self.greatest.max(other.greatest);
        for (place, bin) in &other.bins {
            self.bins.entry(*place).or_default().merge(*bin);
        }
    }

    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    #[must_use]
    pub fn least(&self) -> Option<i128> {
        self.least.map(|least| least.0)
    }

    #[must_use]
    pub fn greatest(&self) -> Option<i128> {
        self.greatest.map(|greatest| greatest.0)
    }

    /// The exact mean, rounded half away from zero; none without values.
    #[must_use]
    pub fn mean(&self) -> Option<i128> {
        (0 < self.count).then(|| rounded_quotient(self.sum.0, self.count))
    }

    /// The standard deviation, from the means of the bins.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        if self.count == 0 {
            return None;
        }
        let mean = approximate(self.sum.0) / self.count as f64;
        let squares: f64 =
            self.bins.values().map(|bin| (approximate(bin.mean()) - mean).powi(2) * bin.count as f64).sum();
        Some((squares / self.count as f64).sqrt())
    }

    /// The value that a share of all values does not exceed: the mean of the bin in which it lies; none without values.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<i128> {
        let rank = share.clamp(0.0, 1.0) * self.count as f64;
        let mut counted = 0_u64;
        for bin in self.bins.values() {
            counted += bin.count;
            if rank <= counted as f64 {
                return Some(bin.mean());
            }
        }
        self.greatest()
    }

    /// How many values lie in each of so many stretches of equal width from the least to the greatest, to within the width of
    /// a bin, for a chart.
    #[must_use]
    pub fn histogram(&self, stretches: usize) -> Vec<u64> {
        let mut counts = vec![0; stretches];
        let (Some(least), Some(greatest)) = (self.least(), self.greatest()) else { return counts };
        let span = approximate(greatest.saturating_sub(least)).max(1.0);
        for bin in self.bins.values() {
            let way = (approximate(bin.mean()) - approximate(least)) / span * stretches as f64;
            let place = (way.max(0.0) as usize).min(stretches.saturating_sub(1));
            if let Some(counted) = counts.get_mut(place) {
                *counted += bin.count;
            }
        }
        counts
    }
}

/// The bin of a value. Small values have bins of their own; then each doubling has 8,192.
fn bin(value: i128) -> i32 {
    let magnitude = value.unsigned_abs();
    let shift = (128 - magnitude.leading_zeros()).saturating_sub(BIN_BITS + 1);
    let place = (shift << BIN_BITS) as i32 + (magnitude >> shift) as i32;
    if value < 0 { -place } else { place }
}

fn approximate(value: i128) -> f64 {
    value as f64
}

/// A quotient, half away from zero.
#[must_use]
pub fn rounded_quotient(value: i128, by: u64) -> i128 {
    let by = i128::from(by.max(1));
    let (quotient, rest) = (value / by, (value % by).abs());
    let away = if by - rest <= rest { value.signum() } else { 0 };
    quotient + away
}

/// One placement in one draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Drawn {
    /// The figure asked for in its smallest unit; none where there is no output to measure against.
    pub figure: Option<i128>,
    /// The figure that decides, in minor units.
    pub deciding: i128,
    pub serves: bool,
}

/// One variable in one draw.
pub use super::draws::Place;

/// What is counted of one placement.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OfPlacement {
    pub figure: Sketch,
    /// Draws in which there is no output to measure against.
    pub without_figure: u64,
    /// Draws in which it leaves more unmet than is accepted.
    pub unserved: u64,
    /// Draws in which it is the cheapest.
    pub cheapest: u64,
    /// The figure that decides, over all draws.
    pub deciding: Whole,
    /// What it costs beyond the cheapest, over the draws in which it serves.
    pub regret: Whole,
    pub greatest_regret: Whole,
    /// Draws by the bin of the figure's rank.
    ranks: Vec<u64>,
}

/// What is counted of one variable.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OfVariable {
    /// Draws in which a value was put on a bound.
    pub bounded: u64,
    /// Positions, and their squares, over all draws.
    position: Whole,
    square: Whole,
    /// Parts of equal probability, each in two halves: what every placement costs there.
    parts: Vec<OfPart>,
    /// For each placement, the sum of positions by the bin of the figure's rank.
    by_rank: Vec<Vec<u64>>,
}

/// What is counted of the draws in one half of one part of a variable.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct OfPart {
    count: u64,
    deciding: Vec<Whole>,
    unserved: Vec<u64>,
}

/// A draw that cannot be computed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Refused {
    pub path: String,
    pub message: String,
}

/// What is counted of all draws.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Draws that could be computed.
    pub done: u64,
    /// Draws that could not.
    pub failed: u64,
    /// The first of them, by number from 0.
    pub refused: BTreeMap<u64, Refused>,
    /// Draws in which no placement serves as far as is accepted.
    pub undecided: u64,
    /// The figure that decides of the cheapest placement, over the draws that have one.
    pub best: Whole,
    pub placements: Vec<OfPlacement>,
    pub variables: Vec<OfVariable>,
}

impl Tally {
    /// Nothing counted yet, for so many placements and variables.
    #[must_use]
    pub fn new(placements: usize, variables: usize) -> Self {
        let part = OfPart { count: 0, deciding: vec![Whole(0); placements], unserved: vec![0; placements] };
        let of_placement = OfPlacement { ranks: vec![0; RANKS], ..OfPlacement::default() };
        let of_variable = OfVariable {
            parts: vec![part; 2 * PARTS],
            by_rank: vec![vec![0; RANKS]; placements],
            ..OfVariable::default()
        };
        Self { placements: vec![of_placement; placements], variables: vec![of_variable; variables], ..Self::default() }
    }

    /// Whether it has the shape of a tally of so many placements and variables, which one that was read need not have.
    #[must_use]
    pub fn has_shape(&self, placements: usize, variables: usize) -> bool {
        let of_part = |part: &OfPart| part.deciding.len() == placements && part.unserved.len() == placements;
        let of_variable = |of: &OfVariable| {
            of.parts.len() == 2 * PARTS
                && of.parts.iter().all(of_part)
                && of.by_rank.len() == placements
                && of.by_rank.iter().all(|ranks| ranks.len() == RANKS)
        };
        self.placements.len() == placements
            && self.placements.iter().all(|of| of.ranks.len() == RANKS)
            && self.variables.len() == variables
            && self.variables.iter().all(of_variable)
    }

    /// Counts a draw. `edges` are, for each placement, the values that part its figure into bins of ranks, and `of` is how
    /// many draws there are.
    pub fn add(&mut self, draw: u64, of: u64, drawn: &[Drawn], places: &[Place], edges: &[Vec<i128>]) {
        self.done += 1;
        let serving = drawn.iter().enumerate().filter(|(_, drawn)| drawn.serves);
        let cheapest = serving.min_by_key(|(place, drawn)| (drawn.deciding, *place));
        match cheapest {
            Some((_, cheapest)) => self.best.add(cheapest.deciding),
            None => self.undecided += 1,
        }
        let mut ranks = Vec::with_capacity(drawn.len());
        for (place, (drawn, of)) in drawn.iter().zip(&mut self.placements).enumerate() {
            of.deciding.add(drawn.deciding);
            of.unserved += u64::from(!drawn.serves);
            if let Some((best, cheapest)) = cheapest {
                of.cheapest += u64::from(best == place);
                if drawn.serves {
                    let regret = drawn.deciding.saturating_sub(cheapest.deciding);
                    of.regret.add(regret);
                    of.greatest_regret = of.greatest_regret.max(Whole(regret));
                }
            }
            let rank = drawn.figure.map(|figure| {
                let edges = edges.get(place).map_or(&[][..], Vec::as_slice);
                edges.partition_point(|edge| *edge < figure).min(RANKS - 1)
            });
            match (drawn.figure, rank.and_then(|rank| of.ranks.get_mut(rank))) {
                (Some(figure), Some(count)) => {
                    of.figure.add(figure);
                    *count += 1;
                }
                _ => of.without_figure += 1,
            }
            ranks.push(rank);
        }
        for (place, of_variable) in places.iter().zip(&mut self.variables) {
            of_variable.add(draw, of, *place, drawn, &ranks);
        }
    }

    /// Counts a draw that cannot be computed.
    pub fn refuse(&mut self, draw: u64, path: &str, message: &str) {
        self.failed += 1;
        self.refused.insert(draw, Refused { path: path.into(), message: message.into() });
        while TOLD < self.refused.len() {
            self.refused.pop_last();
        }
    }

    /// Adds what was counted of other draws.
    pub fn merge(&mut self, other: &Self) {
        self.done += other.done;
        self.failed += other.failed;
        self.refused.extend(other.refused.iter().map(|(draw, refused)| (*draw, refused.clone())));
        while TOLD < self.refused.len() {
            self.refused.pop_last();
        }
        self.undecided += other.undecided;
        self.best.add(other.best.0);
        for (of, other) in self.placements.iter_mut().zip(&other.placements) {
            of.merge(other);
        }
        for (of, other) in self.variables.iter_mut().zip(&other.variables) {
            of.merge(other);
        }
    }
}

impl OfPlacement {
    fn merge(&mut self, other: &Self) {
        let Self { figure, without_figure, unserved, cheapest, deciding, regret, greatest_regret, ranks } = other;
        self.figure.merge(figure);
        self.without_figure += without_figure;
        self.unserved += unserved;
        self.cheapest += cheapest;
        self.deciding.add(deciding.0);
        self.regret.add(regret.0);
        self.greatest_regret = self.greatest_regret.max(*greatest_regret);
        for (rank, other) in self.ranks.iter_mut().zip(ranks) {
            *rank += other;
        }
    }

    /// The rank of each bin, in the middle of those that its draws share, and how far ranks vary.
    fn middle_ranks(&self) -> (Vec<f64>, f64, f64) {
        let mut before = 0.0;
        let mut middles = Vec::with_capacity(self.ranks.len());
        let (mut sum, mut squares) = (0.0, 0.0);
        for count in self.ranks.iter().map(|count| *count as f64) {
            let middle = before + (count + 1.0) / 2.0;
            middles.push(middle);
            sum += count * middle;
            squares += count * middle * middle;
            before += count;
        }
        let mean = if before > 0.0 { sum / before } else { 0.0 };
        let variance = if before > 0.0 { squares / before - mean * mean } else { 0.0 };
        (middles, mean, variance)
    }
}

impl OfVariable {
    fn add(&mut self, draw: u64, of: u64, place: Place, drawn: &[Drawn], ranks: &[Option<usize>]) {
        self.bounded += u64::from(place.is_bounded);
        self.position.add(i128::from(place.position));
        self.square.add(i128::from(place.position) * i128::from(place.position));
        let part = (u128::from(place.part) * PARTS as u128 / u128::from(of.max(1))) as usize;
        if let Some(part) = self.parts.get_mut(2 * part + (draw % 2) as usize) {
            part.count += 1;
            for ((sum, unserved), drawn) in part.deciding.iter_mut().zip(&mut part.unserved).zip(drawn) {
                sum.add(drawn.deciding);
                *unserved += u64::from(!drawn.serves);
            }
        }
        for (sums, rank) in self.by_rank.iter_mut().zip(ranks) {
            if let Some(sum) = rank.and_then(|rank| sums.get_mut(rank)) {
                *sum += place.position;
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        let Self { bounded, position, square, parts, by_rank } = other;
        self.bounded += bounded;
        self.position.add(position.0);
        self.square.add(square.0);
        for (of, other) in self.parts.iter_mut().zip(parts) {
            of.merge(other);
        }
        for (sums, other) in self.by_rank.iter_mut().zip(by_rank) {
            for (sum, other) in sums.iter_mut().zip(other) {
                *sum += other;
            }
        }
    }

    /// Spearman's rank correlation with a placement's figure; none where one of them does not vary.
    #[must_use]
    pub fn correlation(&self, all: &Tally, placement: usize) -> Option<f64> {
        let (of, sums) = (all.placements.get(placement)?, self.by_rank.get(placement)?);
        let (middles, mean_rank, rank_variance) = of.middle_ranks();
        let (count, done) = (of.figure.count() as f64, all.done as f64);
        // Positions are shares of the draws below, which is what ranks are.
        let total: f64 = sums.iter().map(|sum| *sum as f64).sum();
        let product: f64 = sums.iter().zip(&middles).map(|(sum, middle)| *sum as f64 * middle).sum();
        let mean = approximate(self.position.0) / done;
        let variance = approximate(self.square.0) / done - mean * mean;
        let covariance = product / count - total / count * mean_rank;
        // Less than a hundred-thousandth of the spread of ranks is rounding.
        let varies =
            1e-10 * (super::draws::POSITIONS as f64).powi(2) < variance && 1e-10 * count * count < rank_variance;
        varies.then(|| (covariance / (variance * rank_variance).sqrt()).clamp(-1.0, 1.0))
    }

    /// What knowing the variable before choosing saves on average, over the placement chosen without, in all draws
    /// together: the draws of one half say which placement to choose in each part of the variable, and those of the other
    /// half what that saves, so that chance saves nothing on average.
    #[must_use]
    pub fn saved(&self, chosen: usize, draws: u64) -> i128 {
        // Fewer and larger parts where there are few draws, so that each holds enough to choose by.
        let mut together = 1;
        while together < PARTS / 2 && draws / ((PARTS / together) as u64 * 2) < 50 {
            together *= 2;
        }
        let saved = self.parts.chunks(2 * together).map(|parts| {
            let half = |which: usize| {
                let mut half = OfPart::default();
                parts.iter().skip(which).step_by(2).for_each(|part| half.merge(part));
                half
            };
            let halves = [half(0), half(1)];
            // What is not acceptable in every draw here cannot be chosen.
            let serves = |place: usize| {
                place == chosen || halves.iter().all(|half| half.unserved.get(place).is_some_and(|draws| *draws == 0))
            };
            let saved_by = |learned: &OfPart, tried: &OfPart| {
                let known = learned.deciding.iter().enumerate().filter(|(place, _)| serves(*place));
                let choice = known.min_by_key(|(place, sum)| (**sum, *place != chosen, *place)).map(|(place, _)| place);
                let cost = |place: usize| tried.deciding.get(place).map_or(0, |sum| sum.0);
                match choice.filter(|_| 0 < learned.count) {
                    Some(choice) => cost(chosen).saturating_sub(cost(choice)),
                    None => 0,
                }
            };
            saved_by(&halves[0], &halves[1]).saturating_add(saved_by(&halves[1], &halves[0]))
        });
        saved.fold(0_i128, i128::saturating_add).max(0)
    }
}

impl OfPart {
    fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.deciding.resize(other.deciding.len(), Whole(0));
        self.unserved.resize(other.unserved.len(), 0);
        for (sum, other) in self.deciding.iter_mut().zip(&other.deciding) {
            sum.add(other.0);
        }
        for (count, other) in self.unserved.iter_mut().zip(&other.unserved) {
            *count += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least value in a bin, and its width.
    fn edges(bin: i32) -> (i128, u128) {
        let place = bin.unsigned_abs();
        let shift = (place >> BIN_BITS).saturating_sub(1);
        let mantissa = u128::from(place - (shift << BIN_BITS));
        let (low, width) = (mantissa << shift, 1_u128 << shift);
        if bin < 0 { (-((low + width - 1) as i128), width) } else { (low as i128, width) }
    }

    #[test]
    fn a_bin_holds_the_values_between_its_edges() {
        for value in [0, 1, -1, 131_071, 131_072, 131_073, 1 << 40, (1 << 41) - 1, -(1 << 77), 123_456_789_012_345] {
            let (low, width) = edges(bin(value));
            assert!(low <= value && value < low + width as i128, "{value}: {low} {width}");
            assert!(width == 1 || width << BIN_BITS <= value.unsigned_abs(), "{value} in a bin of {width}");
        }
        assert!((0..300_000).all(|value| bin(value) <= bin(value + 1) && bin(-value - 1) <= bin(-value)));
    }

    #[test]
    fn parts_in_any_order_are_the_whole() {
        let value = |draw: u64| i128::from(draw * 7_919 % 100_003) * 1_000_003 - 40_000_000_000;
        let (mut whole, mut parts) = (Sketch::default(), [Sketch::default(), Sketch::default(), Sketch::default()]);
        for draw in 0..5_000 {
            whole.add(value(draw));
            parts[(draw % 3) as usize].add(value(draw));
        }
        let mut merged = Sketch::default();
        parts.iter().rev().for_each(|part| merged.merge(part));
        assert_eq!(merged, whole);
        let mut sorted: Vec<i128> = (0..5_000).map(value).collect();
        sorted.sort_unstable();
        for share in [0.05, 0.25, 0.5, 0.75, 0.95] {
            let exact = sorted[(share * 5_000.0) as usize] as f64;
            let found = whole.quantile(share).expect("there are values") as f64;
            // One draw more or less, or the width of a bin.
            assert!((found - exact).abs() <= (exact.abs() / 8_192.0).max(3e7), "{share}: {found} for {exact}");
        }
    }

    /// Memory does not grow with the number of draws: values between 8 and 32 thousand million fall into two doublings of bins.
    #[test]
    fn what_is_kept_does_not_grow_with_what_is_counted() {
        let mut sketch = Sketch::default();
        for draw in 0..400_000_i128 {
            sketch.add((1 << 33) + draw * 7_919_993 % (3 << 33));
        }
        assert_eq!(sketch.count(), 400_000);
        assert!(sketch.bins.len() <= 2 << BIN_BITS, "{} bins", sketch.bins.len());
    }
}
