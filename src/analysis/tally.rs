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
#[derive(Clone, Copy, PartialEq, Debug)]
struct Bin {
    count: u64,
    sum: Whole,
    /// The first draw, by its number, whose value lies in it.
    first: u64,
}

/// Written as three numbers in a row, since there are many.
impl Serialize for Bin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.count, self.sum, self.first).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <(u64, Whole, u64)>::deserialize(deserializer).map(|(count, sum, first)| Self { count, sum, first })
    }
}

impl Bin {
    fn merge(&mut self, other: Self) {
        self.count += other.count;
        self.sum.add(other.sum.0);
        self.first = self.first.min(other.first);
    }

    fn mean(self) -> i128 {
        rounded_quotient(self.sum.0, self.count)
    }
}

impl Sketch {
    /// Counts the value of a draw.
    pub fn add(&mut self, draw: u64, value: i128) {
        self.count += 1;
        self.sum.add(value);
        self.least = Some(self.least.map_or(Whole(value), |least| least.min(Whole(value))));
        self.greatest = self.greatest.max(Some(Whole(value)));
        self.put(bin(value), Bin { count: 1, sum: Whole(value), first: draw });
    }

    fn put(&mut self, place: i32, counted: Bin) {
        self.bins.entry(place).and_modify(|bin| bin.merge(counted)).or_insert(counted);
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
            self.put(*place, *bin);
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
        self.bin_at(share).map(Bin::mean).or_else(|| self.greatest())
    }

    /// The first draw, by its number from 0, whose value lies in the bin of that share: one that is an example of it.
    #[must_use]
    pub fn draw_near(&self, share: f64) -> Option<u64> {
        self.bin_at(share).map(|bin| bin.first)
    }

    fn bin_at(&self, share: f64) -> Option<Bin> {
        let rank = share.clamp(0.0, 1.0) * self.count as f64;
        let mut counted = 0_u64;
        self.bins.values().copied().find(|bin| {
            counted += bin.count;
            rank <= counted as f64
        })
    }

    /// The values in ascending order: the mean of each bin, and how many lie in it, for a chart.
    pub fn values(&self) -> impl Iterator<Item = (i128, u64)> + '_ {
        self.bins.values().map(|bin| (bin.mean(), bin.count))
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

/// One draw.
#[derive(Clone, PartialEq, Debug)]
pub struct OfDraw {
    /// Its number, from 0.
    pub number: u64,
    /// By placement.
    pub drawn: Vec<Drawn>,
    /// The figures of all placements less one of them, or none.
    pub differences: Vec<Option<i128>>,
    /// By variable.
    pub places: Vec<Place>,
}

/// A figure counted over draws, with its ranks.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Counted {
    pub values: Sketch,
    /// Draws in which there is none: no output to measure against.
    pub without: u64,
    /// Draws by the bin of the figure's rank.
    ranks: Vec<u64>,
}

/// What is counted of one placement.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OfPlacement {
    pub figure: Counted,
    /// Draws in which it leaves more unmet than is accepted.
    pub unserved: u64,
    /// Draws in which it is the cheapest.
    pub cheapest: u64,
    /// The figure that decides, over all draws.
    pub deciding: Whole,
    /// What it costs beyond the cheapest, over the draws in which it serves.
    pub regret: Whole,
    pub greatest_regret: Whole,
    /// The first draw, by its number, in which it costs that much beyond the cheapest.
    pub worst: Option<u64>,
}

/// What is counted of one placement less another one, the same for all.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct OfDifference {
    pub figure: Counted,
    /// Draws in which its figure is the lesser one.
    pub less: u64,
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
    /// For each placement, and then for each difference, the sum of positions by the bin of the figure's rank.
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
    /// For each placement, where a difference to one of them is asked for.
    pub differences: Vec<OfDifference>,
    pub variables: Vec<OfVariable>,
}

/// How many of each a tally counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    pub placements: usize,
    /// None, or one for each placement.
    pub differences: usize,
    pub variables: usize,
}

impl Tally {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(size: Size) -> Self {
        let Size { placements, differences, variables } = size;
        let part = OfPart { count: 0, deciding: vec![Whole(0); placements], unserved: vec![0; placements] };
        let of_placement = OfPlacement { figure: Counted::new(), ..OfPlacement::default() };
        let of_difference = OfDifference { figure: Counted::new(), less: 0 };
        let of_variable = OfVariable {
            parts: vec![part; 2 * PARTS],
            by_rank: vec![vec![0; RANKS]; placements + differences],
            ..OfVariable::default()
        };
        Self {
            placements: vec![of_placement; placements],
            differences: vec![of_difference; differences],
            variables: vec![of_variable; variables],
            ..Self::default()
        }
    }

    /// Whether it has the shape of a tally of so many, which one that was read need not have.
    #[must_use]
    pub fn has_shape(&self, size: Size) -> bool {
        let Size { placements, differences, variables } = size;
        let of_part = |part: &OfPart| part.deciding.len() == placements && part.unserved.len() == placements;
        let of_variable = |of: &OfVariable| {
            of.parts.len() == 2 * PARTS
                && of.parts.iter().all(of_part)
                && of.by_rank.len() == placements + differences
                && of.by_rank.iter().all(|ranks| ranks.len() == RANKS)
        };
        self.placements.len() == placements
            && self.placements.iter().all(|of| of.figure.has_shape())
            && self.differences.len() == differences
            && self.differences.iter().all(|of| of.figure.has_shape())
            && self.variables.len() == variables
            && self.variables.iter().all(of_variable)
    }

    /// Draws that were made, whether or not they could be computed.
    #[must_use]
    pub fn made(&self) -> u64 {
        self.done + self.failed
    }

    /// Counts some of so many draws. `edges` are, for each placement and then for each difference, the values that part the
    /// figure into bins of ranks.
    pub fn add(&mut self, draws: &[OfDraw], of: u64, edges: &[Vec<i128>]) {
        let ranks: Vec<Vec<Option<usize>>> = draws.iter().map(|draw| self.add_figures(draw, edges)).collect();
        // Variable by variable, so that what is counted of one is at hand for all draws.
        for (place, of_variable) in self.variables.iter_mut().enumerate() {
            for (draw, ranks) in draws.iter().zip(&ranks) {
                if let Some(place) = draw.places.get(place) {
                    of_variable.add(draw.number, of, *place, &draw.drawn, ranks);
                }
            }
        }
    }

    /// Counts the figures of a draw, and returns the bins of their ranks.
    fn add_figures(&mut self, draw: &OfDraw, edges: &[Vec<i128>]) -> Vec<Option<usize>> {
        let OfDraw { number: draw, drawn, differences, .. } = draw;
        let draw = *draw;
        self.done += 1;
        let serving = drawn.iter().enumerate().filter(|(_, drawn)| drawn.serves);
        let cheapest = serving.min_by_key(|(place, drawn)| (drawn.deciding, *place));
        match cheapest {
            Some((_, cheapest)) => self.best.add(cheapest.deciding),
            None => self.undecided += 1,
        }
        let mut edges = edges.iter().map(Vec::as_slice).chain(std::iter::repeat(&[][..]));
        let mut ranks = Vec::with_capacity(drawn.len() + differences.len());
        for (place, (drawn, of)) in drawn.iter().zip(&mut self.placements).enumerate() {
            of.deciding.add(drawn.deciding);
            of.unserved += u64::from(!drawn.serves);
            if let Some((best, cheapest)) = cheapest {
                of.cheapest += u64::from(best == place);
                if drawn.serves {
                    of.count_regret(draw, drawn.deciding.saturating_sub(cheapest.deciding));
                }
            }
            ranks.push(of.figure.add(draw, drawn.figure, edges.next().unwrap_or_default()));
        }
        for (difference, of) in differences.iter().zip(&mut self.differences) {
            of.less += u64::from(difference.is_some_and(|difference| difference < 0));
            ranks.push(of.figure.add(draw, *difference, edges.next().unwrap_or_default()));
        }
        ranks
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
        for (of, other) in self.differences.iter_mut().zip(&other.differences) {
            let OfDifference { figure, less } = other;
            of.figure.merge(figure);
            of.less += less;
        }
        for (of, other) in self.variables.iter_mut().zip(&other.variables) {
            of.merge(other);
        }
    }

    /// What is counted of the figures that are ranked: those of the placements, and then the differences.
    fn ranked(&self, place: usize) -> Option<&Counted> {
        match place.checked_sub(self.placements.len()) {
            Some(place) => self.differences.get(place).map(|of| &of.figure),
            None => self.placements.get(place).map(|of| &of.figure),
        }
    }
}

impl OfPlacement {
    /// Of equal regrets the first draw is remembered, in whatever order they come.
    fn count_regret(&mut self, draw: u64, regret: i128) {
        self.regret.add(regret);
        self.remember_worst(Whole(regret), Some(draw));
    }

    fn remember_worst(&mut self, regret: Whole, draw: Option<u64>) {
        let Some(draw) = draw else { return };
        match self.worst {
            Some(_) if regret < self.greatest_regret => {}
            Some(worst) if regret == self.greatest_regret => self.worst = Some(worst.min(draw)),
            _ => (self.greatest_regret, self.worst) = (regret, Some(draw)),
        }
    }

    fn merge(&mut self, other: &Self) {
        let Self { figure, unserved, cheapest, deciding, regret, greatest_regret, worst } = other;
        self.figure.merge(figure);
        self.unserved += unserved;
        self.cheapest += cheapest;
        self.deciding.add(deciding.0);
        self.regret.add(regret.0);
        self.remember_worst(*greatest_regret, *worst);
    }
}

impl Counted {
    fn new() -> Self {
        Self { ranks: vec![0; RANKS], ..Self::default() }
    }

    fn has_shape(&self) -> bool {
        self.ranks.len() == RANKS
    }

    /// Counts the figure of a draw, and returns the bin of its rank.
    fn add(&mut self, draw: u64, figure: Option<i128>, edges: &[i128]) -> Option<usize> {
        let rank = figure.map(|figure| edges.partition_point(|edge| *edge < figure).min(RANKS - 1));
        match (figure, rank.and_then(|rank| self.ranks.get_mut(rank))) {
            (Some(figure), Some(count)) => {
                self.values.add(draw, figure);
                *count += 1;
            }
            _ => self.without += 1,
        }
        rank
    }

    fn merge(&mut self, other: &Self) {
        let Self { values, without, ranks } = other;
        self.values.merge(values);
        self.without += without;
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
        let part = (place.part.saturating_mul(PARTS as u64) / of.max(1)) as usize;
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

    /// Spearman's rank correlation with the figure of a placement, by its place, or with a difference, by its place after
    /// those of the placements; none where one of them does not vary.
    #[must_use]
    pub fn correlation(&self, all: &Tally, place: usize) -> Option<f64> {
        let (of, sums) = (all.ranked(place)?, self.by_rank.get(place)?);
        let (middles, mean_rank, rank_variance) = of.middle_ranks();
        let (count, done) = (of.values.count() as f64, all.done as f64);
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
            whole.add(draw, value(draw));
            parts[(draw % 3) as usize].add(draw, value(draw));
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
            sketch.add(0, (1 << 33) + draw * 7_919_993 % (3 << 33));
        }
        assert_eq!(sketch.count(), 400_000);
        assert!(sketch.bins.len() <= 2 << BIN_BITS, "{} bins", sketch.bins.len());
    }
}
