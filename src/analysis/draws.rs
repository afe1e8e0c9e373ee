//! Draws of the uncertain inputs of a scenario: a Latin hypercube from a seed, each draw on its own by its number.
//!
//! Every uncertain input cuts its distribution into as many parts of equal probability as there are draws, and takes each
//! part once, in an order of its own. The order is a keyed permutation and the place inside a part a counter-based random
//! number (Philox4x32-10; Salmon, Moraes, Dror and Shaw, 2011), both keyed by the seed and the path of the input. So a draw
//! needs no other draw, whoever computes it where, and an input keeps its draws whatever is added beside it. Nothing here
//! knows what a draw costs.

use std::collections::BTreeSet;
use std::ops::Range;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::input::{Bounds, Distribution};
use crate::quantity::{DIGITS_AFTER_POINT, Exact};
use crate::scenario::{InputRef, Scenario};

use super::distribution::Spread;
use super::moves::{Move, moves};
use super::range::{RangeKind, inside};

/// Digits to which the share of a range is drawn.
pub(super) const SHARE_DIGITS: u32 = 9;
const SHARE_UNITS: f64 = 1e9;
const SHARE_ONE: i64 = 1_000_000_000;

/// Counts of which the positions are kept.
const MOST_POSITIONS: i64 = 1_000;

/// Something that is drawn: an uncertain input, or a group of them with one draw.
#[derive(Clone, Debug)]
pub struct Variable {
    pub moved: Move,
    members: Vec<Drawn>,
    stream: Stream,
}

/// One input that is drawn.
#[derive(Clone, Debug)]
struct Drawn {
    index: usize,
    low: Decimal,
    width: Decimal,
    /// Both in units of a power of ten of so many digits after the point, the low in units of a value; where every value between
    /// low and high can be held as it is drawn.
    units: Option<(i64, i64, u32)>,
    value: Decimal,
    bounds: Bounds,
    distribution: Distribution,
    spread: Spread,
    /// Of an input that counts, the positions of its values from the lowest on, where these are not too many.
    positions: Vec<u64>,
}

/// A variable in one draw.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// The share of all draws below this one, in parts of [`POSITIONS`]; counts that come to the same value share theirs.
    pub position: u64,
    /// The part of equal probability in which it lies, of so many as were asked for.
    pub part: u64,
    /// Whether a value was put on a bound of its input.
    pub is_bounded: bool,
}

/// Values of inputs, named by their places in the walk.
pub type Values = Vec<(usize, Exact)>;

/// Positions are shares in these parts.
pub const POSITIONS: u64 = 1 << 32;

impl Variable {
    /// How its values are spread; none for a group of inputs that are spread differently.
    #[must_use]
    pub fn distribution(&self) -> Option<Distribution> {
        let first = self.members.first()?.distribution;
        self.members.iter().all(|member| member.distribution == first).then_some(first)
    }

    /// Adds the values that its inputs take in some draws of `of`, and where it stands in each.
    pub fn draw(&self, draws: Range<u64>, of: u64, values: &mut [Values], places: &mut [Vec<Place>]) {
        // One step for all draws after the other: none waits for what another needs.
        let parts = self.stream.parts(draws.clone(), of);
        let inside = draws.map(|draw| self.stream.inside(draw));
        #[expect(clippy::cast_precision_loss, reason = "draws are counted in millions")]
        let below: Vec<f64> =
            parts.iter().zip(inside).map(|(part, inside)| (*part as f64 + inside) / of as f64).collect();
        let mut is_bounded = vec![false; below.len()];
        for member in &self.members {
            let shares: Vec<i64> = below.iter().map(|below| member.share(*below)).collect();
            for ((share, values), is_bounded) in shares.into_iter().zip(&mut *values).zip(&mut is_bounded) {
                let inside = member.inside_range(share).map(|value| (value, false));
                let (value, on_bound) = inside.unwrap_or_else(|| member.anywhere(share));
                values.push((member.index, value));
                *is_bounded |= on_bound;
            }
        }
        let counted = match self.members.as_slice() {
            [only] if only.bounds.whole => Some(only),
            _ => None,
        };
        let of_draws = parts.into_iter().zip(below).zip(is_bounded).zip(values).zip(places);
        for ((((part, below), is_bounded), values), places) in of_draws {
            let position = match (counted, values.last()) {
                (Some(counted), Some((_, value))) => counted.shared_position(*value),
                _ => position(below),
            };
            places.push(Place { position, part, is_bounded });
        }
    }
}

impl Drawn {
    fn new(input: &InputRef) -> Option<Self> {
        let range = input.input.range()?;
        let (low, high) = (range.low.decimal(), range.high.decimal());
        let value = input.input.value.decimal();
        let distribution = input.input.distribution();
        let spread = Spread::new(distribution, low.to_f64()?, value.to_f64()?, high.to_f64()?);
        let width = high.checked_sub(low)?;
        let bounds = input.bounds();
        let can_be_held = !bounds.whole && within(bounds, range.low) && within(bounds, range.high);
        let units = units(low, width).filter(|_| can_be_held);
        let mut drawn =
            Self { index: input.index, low, width, units, value, bounds, distribution, spread, positions: Vec::new() };
        if let (true, Some(low), Some(high)) = (bounds.whole, range.low.as_whole(), range.high.as_whole()) {
            let values = low..=high.min(low.saturating_add(MOST_POSITIONS));
            drawn.positions = values.map(|value| drawn.position_of(value)).collect();
        }
        Some(drawn)
    }

    /// The share of the range below which a share of all draws lies, as it is computed with, in thousand-millionths.
    #[expect(clippy::cast_possible_truncation, reason = "a share of a range")]
    fn share(&self, below: f64) -> i64 {
        let share = self.spread.share(below) * SHARE_UNITS;
        // Half away from zero.
        (share + 0.5_f64.copysign(share)) as i64
    }

    /// At a share of the range, where nothing has to be rounded or put on a bound; none where something might.
    fn inside_range(&self, share: i64) -> Option<Exact> {
        let (low, width, mut digits) = self.units.filter(|_| (0..=SHARE_ONE).contains(&share))?;
        let mut drawn = low + width * share;
        while drawn % 10 == 0 && 0 < digits {
            (drawn, digits) = (drawn / 10, digits - 1);
        }
        Exact::from_decimal(Decimal::new(drawn, digits)).ok()
    }

    /// At any share of the range.
    fn anywhere(&self, share: i64) -> (Exact, bool) {
        let share = Decimal::new(share, SHARE_DIGITS);
        let drawn = self.width.checked_mul(share).and_then(|way| self.low.checked_add(way)).unwrap_or(self.value);
        let value = inside(drawn, self.value, self.bounds).unwrap_or_default();
        let is_bounded = Exact::from_decimal(drawn.round_dp(12)).is_ok_and(|drawn| !within(self.bounds, drawn));
        (value, is_bounded)
    }

    /// The middle of the shares of all draws that come to the same count.
    fn shared_position(&self, value: Exact) -> u64 {
        let whole = value.as_whole().unwrap_or_default();
        let place = self.low.to_i64().and_then(|low| usize::try_from(whole.checked_sub(low)?).ok());
        let known = place.and_then(|place| self.positions.get(place)).copied();
        known.unwrap_or_else(|| self.position_of(whole))
    }

    #[expect(clippy::cast_precision_loss, reason = "counts have few digits")]
    fn position_of(&self, count: i64) -> u64 {
        let [below, above] = [-0.5, 0.5].map(|half| self.spread.below(count as f64 + half));
        position(f64::midpoint(below, above))
    }
}

/// The low of a range, in units of a value that is drawn, and its width, in units that are larger by those of a share, as whole
/// numbers, and the digits that a value then has after the point; none where that is more than a file can hold, or these are
/// too large to be multiplied.
fn units(low: Decimal, width: Decimal) -> Option<(i64, i64, u32)> {
    /// What leaves room for a share and a sum.
    const MOST: i128 = i64::MAX as i128 / SHARE_ONE as i128 / 2;
    let (mut low, mut width) = (low.normalize(), width.normalize());
    let scale = low.scale().max(width.scale());
    low.rescale(scale);
    width.rescale(scale);
    let digits = scale.checked_add(SHARE_DIGITS).filter(|digits| *digits as usize <= DIGITS_AFTER_POINT)?;
    let are_small = low.mantissa().abs() < MOST && width.mantissa().abs() < MOST && low.scale() == width.scale();
    let low = i64::try_from(low.mantissa()).ok()?.checked_mul(SHARE_ONE);
    Some((low?, i64::try_from(width.mantissa()).ok()?, digits)).filter(|_| are_small)
}

fn within(bounds: Bounds, value: Exact) -> bool {
    bounds.above_low(value) && bounds.below_high(value)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of all draws")]
#[expect(clippy::cast_precision_loss, reason = "a power of two")]
fn position(below: f64) -> u64 {
    (below * POSITIONS as f64) as u64
}

/// Everything that is drawn, in the order of the file with the groups after it, and how many inputs are held fixed because
/// they state no range. An input that stands in several groups moves with the first.
#[must_use]
pub fn variables(scenario: &Scenario, seed: u64) -> (Vec<Variable>, usize) {
    let inputs = scenario.inputs();
    let mut taken: Vec<usize> = Vec::new();
    let mut variables = Vec::new();
    for mut moved in moves(scenario).0 {
        let stated = |index: usize| inputs.get(index).filter(|input| input.input.range().is_some());
        moved.members.retain(|member| stated(member.index).is_some() && !taken.contains(&member.index));
        let members: Vec<Drawn> =
            moved.members.iter().filter_map(|member| stated(member.index).and_then(Drawn::new)).collect();
        if members.is_empty() {
            continue;
        }
        taken.extend(members.iter().map(|member| member.index));
        moved.kind = RangeKind::Stated;
        let stream = Stream::new(seed, &moved.path);
        variables.push(Variable { moved, members, stream });
    }
    let held = inputs.iter().filter(|input| input.path != "default_range" && input.input.range().is_none()).count();
    (variables, held)
}

/// How many inputs state a range, and as how many variables they are drawn, a group as one.
#[must_use]
pub fn counts(scenario: &Scenario, inputs: &[InputRef]) -> (usize, usize) {
    let stated = inputs.iter().filter(|input| input.path != "default_range" && input.input.range().is_some());
    let mut alone: BTreeSet<&str> = stated.map(|input| input.path.as_str()).collect();
    let all = alone.len();
    let grouped = scenario.groups.iter().filter(|group| {
        let before = alone.len();
        group.inputs.iter().for_each(|path| {
            alone.remove(path.as_str());
        });
        alone.len() < before
    });
    let groups = grouped.count();
    (all, groups + alone.len())
}

/// The random numbers of one variable.
#[derive(Clone, Debug)]
struct Stream {
    seed: [u32; 2],
    /// The path of the variable as a number.
    path: [u32; 2],
    round_keys: [u64; ROUNDS],
}

/// Rounds of the permutation: as many as make one pass for a random one where each spreads all bits (Luby and Rackoff, 1988).
const ROUNDS: usize = 4;
/// Keeps the keys of the permutation apart from the numbers inside the parts.
const ORDER: [u32; 2] = [0x6f72_6465, 0x725f_6f66];

impl Stream {
    fn new(seed: u64, path: &str) -> Self {
        let (seed, path) = (words(seed), words(fingerprint(path.as_bytes())));
        let key = [seed[0] ^ ORDER[0], seed[1] ^ ORDER[1]];
        let mut round_keys = [0; ROUNDS];
        for (round, keys) in (0_u32..).zip(round_keys.chunks_mut(2)) {
            let random = philox([round, 0, path[0], path[1]], key);
            for (key, pair) in keys.iter_mut().zip(random.chunks(2)) {
                *key = pair.iter().fold(0, |key, word| key << 32 | u64::from(*word));
            }
        }
        Self { seed, path, round_keys }
    }

    /// The parts that draws take: a permutation of the numbers below `of`, by a Feistel network over the next power of four
    /// that is walked until it comes back below.
    fn parts(&self, draws: Range<u64>, of: u64) -> Vec<u64> {
        let half = (64 - of.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
        let mask = (1_u64 << half) - 1;
        let walked = |place: u64| {
            let (mut left, mut right) = (place >> half, place & mask);
            for key in self.round_keys {
                (left, right) = (right, left ^ (mixed(right ^ key) & mask));
            }
            left << half | right
        };
        let mut parts: Vec<u64> = draws.map(walked).collect();
        for part in &mut parts {
            while of <= *part {
                *part = walked(*part);
            }
        }
        parts
    }

    /// A number above 0 and below 1.
    fn inside(&self, draw: u64) -> f64 {
        let [low, high] = words(draw);
        let random = philox([low, high, self.path[0], self.path[1]], self.seed);
        let bits = u64::from(random[0]) << 20 | u64::from(random[1]) >> 12;
        #[expect(clippy::cast_precision_loss, reason = "fifty-two bits")]
        let inside = (bits as f64 + 0.5) / (1_u64 << 52) as f64;
        inside
    }
}

fn words(number: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = number.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// A text as a number (FNV-1a): equal texts alone, for all that matters here, are equal numbers.
#[must_use]
pub fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Spreads every bit over all others (the finaliser of SplitMix64).
fn mixed(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// Philox4x32 with ten rounds.
fn philox(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let [c0, c1, c2, c3] = counter;
        let [low0, high0] = words(u64::from(c0) * 0xd251_1f53);
        let [low1, high1] = words(u64::from(c2) * 0xcd9e_8d57);
        counter = [high1 ^ c1 ^ key[0], low1, high0 ^ c3 ^ key[1], low0];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known answers published with the generator (Random123, `kat_vectors`).
    #[test]
    fn the_generator_gives_its_known_answers() {
        assert_eq!(philox([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(philox([u32::MAX; 4], [u32::MAX; 2]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            philox([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    /// The short way to a value comes where the long one does.
    #[test]
    fn a_value_inside_a_range_is_the_same_by_either_way() {
        let text = include_str!("../../scenarios/regional-platform.ron");
        let (scenario, _) = crate::scenario::read(text, crate::scenario::Syntax::Ron).expect("it is valid");
        let (variables, _) = variables(&scenario, 1);
        let mut short = 0;
        for drawn in variables.iter().flat_map(|variable| &variable.members) {
            for share in [0, 1, 7, 123_456_789, 500_000_000, 999_999_990, SHARE_ONE] {
                if let Some(value) = drawn.inside_range(share) {
                    short += 1;
                    assert_eq!((value, false), drawn.anywhere(share), "{} at {share}", drawn.index);
                }
            }
            assert_eq!(drawn.inside_range(-1), None);
        }
        assert!(short > 100, "{short} values are found the short way");
    }

    /// Each part is taken once, however many there are.
    #[test]
    fn every_part_is_taken_once() {
        let stream = Stream::new(7, "workloads.training.demand.runs");
        for of in [1, 2, 3, 4, 5, 16, 17, 1000, 4096] {
            let mut parts = stream.parts(0..of, of);
            parts.sort_unstable();
            assert!(parts.iter().copied().eq(0..of), "{of} parts");
        }
    }

    #[test]
    fn orders_of_different_variables_have_nothing_to_do_with_each_other() {
        let of = 1000;
        let [one, other] = ["a", "b"].map(|path| Stream::new(1, path));
        let mean = (of - 1) as f64 / 2.0;
        let product = |(one, other): (u64, u64)| (one as f64 - mean) * (other as f64 - mean);
        let pairs = one.parts(0..of, of).into_iter().zip(other.parts(0..of, of));
        let covariance: f64 = pairs.map(product).sum::<f64>() / of as f64;
        let variance = (of * of - 1) as f64 / 12.0;
        // Three standard errors of the correlation of 1,000 independent pairs.
        assert!((covariance / variance).abs() < 0.095, "{}", covariance / variance);
    }
}
