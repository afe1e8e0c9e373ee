//! Cost added up month by month, and the months in which one placement falls below another (method, §11).
//!
//! Nothing is evaluated here; amounts are exact sums of postings.

use crate::engine::PlacementResult;
use crate::quantity::Money;

/// What has been posted by the end of each month of the horizon, undiscounted.
#[must_use]
pub fn cumulative(placement: &PlacementResult, horizon_months: u32) -> Vec<Money> {
    let mut by_month = vec![Money::ZERO; horizon_months as usize];
    for posting in &placement.ledger.postings {
        if let Some(sum) = by_month.get_mut(posting.month as usize) {
            *sum += posting.amount;
        }
    }
    let mut sum = Money::ZERO;
    for month in &mut by_month {
        sum += *month;
        *month = sum;
    }
    by_month
}

/// Each month m in which `under` falls below `over`: cumulative cost at most as high, and higher the month before.
#[must_use]
pub fn crossovers(under: &[Money], over: &[Money]) -> Vec<u32> {
    let falls = |pair: (usize, (&[Money], &[Money]))| match pair {
        (month, (&[before, now], &[other_before, other_now])) if now <= other_now && before > other_before => {
            u32::try_from(month + 1).ok()
        }
        _ => None,
    };
    under.windows(2).zip(over.windows(2)).enumerate().filter_map(falls).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crossover_is_the_first_month_that_is_not_dearer() {
        let money = |all: [i128; 5]| all.map(Money::from_minor);
        assert_eq!(crossovers(&money([9, 9, 9, 9, 9]), &money([2, 4, 9, 8, 12])), [2, 4]);
        assert_eq!(crossovers(&money([1, 1, 1, 1, 1]), &money([2, 2, 2, 2, 2])), [] as [u32; 0], "it never was dearer");
        assert_eq!(crossovers(&money([5, 5, 5, 5, 5]), &money([5, 5, 5, 5, 5])), [] as [u32; 0]);
    }
}
