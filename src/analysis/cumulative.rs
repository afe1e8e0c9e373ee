//! When a placement, counted up from the start, has cost no more than another one: the cumulative crossover (method, §11).
//!
//! Nothing is evaluated here; everything is a sum of postings.

use crate::engine::{Amounts, Evaluation, PlacementResult};
use crate::quantity::Money;

use super::explain::Measure;

/// What a placement has cost by the end of each month of the horizon.
#[must_use]
pub fn cumulative(placement: &PlacementResult, horizon_months: u32, measure: Measure) -> Vec<Money> {
    let mut months = vec![Money::ZERO; horizon_months as usize];
    for posting in &placement.ledger.postings {
        let amounts = Amounts { total: posting.amount, present_value: posting.present_value };
        if let Some(month) = months.get_mut(posting.month as usize) {
            *month += measure.of_sum(amounts);
        }
    }
    let mut so_far = Money::ZERO;
    for month in &mut months {
        so_far += *month;
        *month = so_far;
    }
    months
}

/// The months in which one placement comes under another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Crossover {
    /// By its place in the scenario.
    pub under: usize,
    /// By its place in the scenario.
    pub over: usize,
    /// Months, from 0, at whose end the first has cost no more than the other, and had cost more one month before.
    pub months: Vec<u32>,
}

/// Every pair of placements of which one comes under the other at least once, in the order of the file.
#[must_use]
pub fn crossovers(evaluation: &Evaluation, measure: Measure) -> Vec<Crossover> {
    let of = |placement| cumulative(placement, evaluation.horizon_months, measure);
    let series: Vec<Vec<Money>> = evaluation.placements.iter().map(of).collect();
    let mut found = Vec::new();
    for (under, one) in series.iter().enumerate() {
        for (over, other) in series.iter().enumerate().filter(|(over, _)| *over != under) {
            let months = months_under(one, other);
            if !months.is_empty() {
                found.push(Crossover { under, over, months });
            }
        }
    }
    found
}

/// The months at whose end the one has cost no more than the other, and had cost more one month before.
#[must_use]
pub fn months_under(one: &[Money], other: &[Money]) -> Vec<u32> {
    let is_under: Vec<bool> = one.iter().zip(other).map(|(one, other)| one <= other).collect();
    let falls = is_under.windows(2).zip(1..).filter(|(pair, _)| matches!(pair, [false, true]));
    falls.map(|(_, month)| month).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossover_is_the_first_month_that_is_not_dearer() {
        let money = |all: [i128; 5]| all.map(Money::from_minor);
        assert_eq!(months_under(&money([9, 9, 9, 9, 9]), &money([2, 4, 9, 8, 12])), [2, 4]);
        assert_eq!(
            months_under(&money([1, 1, 1, 1, 1]), &money([2, 2, 2, 2, 2])),
            [] as [u32; 0],
            "it never was dearer"
        );
        assert_eq!(months_under(&money([5, 5, 5, 5, 5]), &money([5, 5, 5, 5, 5])), [] as [u32; 0]);
    }
}
