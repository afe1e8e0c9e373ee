//! Placements side by side: the seventeen categories in families, differences to one placement, and where boundaries differ.
//!
//! Nothing is evaluated here; amounts are exact sums and differences of what an evaluation answers.

use rust_decimal::Decimal;

use super::postings::{Book, Dimension, Filter, Pivot, PivotLine};
use crate::engine::{Evaluation, PlacementResult};
use crate::quantity::{Money, Num};
use crate::scenario::{Category, DecisionFigure};

/// Categories that are read together.
pub struct Family {
    pub name: &'static str,
    pub categories: &'static [Category],
}

/// The families, in the order in which their categories are stacked: neighbours are told apart by every eye.
pub static FAMILIES: [Family; 6] = [
    Family { name: "Supply", categories: &[Category::Hardware, Category::ServiceCharges, Category::SpareCapacity] },
    Family { name: "Network and data", categories: &[Category::Network, Category::Storage, Category::DataMovement] },
    Family { name: "Facility", categories: &[Category::Facilities, Category::Power, Category::Cooling] },
    Family { name: "Software and services", categories: &[Category::Software, Category::Platform, Category::Support] },
    Family { name: "People", categories: &[Category::Implementation, Category::Operations, Category::Training] },
    Family { name: "End of life", categories: &[Category::Refresh, Category::Exit] },
];

/// The categories in the order of the stack.
pub fn stacked() -> impl Iterator<Item = Category> {
    FAMILIES.iter().flat_map(|family| family.categories.iter().copied())
}

/// The total of one category; none where the placement has no line in it, which is not zero.
#[must_use]
pub fn amount(placement: &PlacementResult, category: Category) -> Option<Money> {
    let found = placement.by_category.iter().find(|amounts| amounts.category == category)?;
    found.entered.then_some(found.amounts.total)
}

/// The sum of a family; none where nothing is entered in any of its categories.
#[must_use]
pub fn family_amount(placement: &PlacementResult, family: &Family) -> Option<Money> {
    let entered: Vec<Money> = family.categories.iter().filter_map(|&category| amount(placement, category)).collect();
    (!entered.is_empty()).then(|| entered.into_iter().sum())
}

/// The figure that decides what is called cheapest.
#[must_use]
pub fn decision(placement: &PlacementResult, figure: DecisionFigure) -> Money {
    match figure {
        DecisionFigure::Total => placement.totals.total,
        DecisionFigure::PresentValue => placement.totals.present_value,
        DecisionFigure::EquivalentAnnualCost => placement.equivalent_annual_cost,
    }
}

/// The placements that meet the service, the cheapest by the deciding figure first; of equals the first in the file.
#[must_use]
pub fn ranking(evaluation: &Evaluation) -> Vec<usize> {
    let meets = |i: &usize| evaluation.placements[*i].meets_service;
    let mut ranked: Vec<usize> = (0..evaluation.placements.len()).filter(meets).collect();
    ranked.sort_by_key(|&i| decision(&evaluation.placements[i], evaluation.decision_figure));
    ranked
}

/// How an amount, or a number, differs from that of the reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Difference<T = Money> {
    pub amount: T,
    pub relative: Relative,
}

/// What placements are compared by.
pub trait Comparable: Copy + PartialEq + std::ops::Sub<Output = Self> {
    const NOTHING: Self;

    /// The first as a share of the magnitude of the second; none where that is nothing.
    fn share(self, whole: Self) -> Option<Decimal>;
}

impl Comparable for Money {
    const NOTHING: Self = Self::ZERO;

    fn share(self, whole: Self) -> Option<Decimal> {
        share(self, whole)
    }
}

impl Comparable for Num {
    const NOTHING: Self = Self::ZERO;

    fn share(self, whole: Self) -> Option<Decimal> {
        self.decimal()?.checked_div(whole.decimal()?.abs())
    }
}

/// A difference as a part of the reference.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Relative {
    /// Of the magnitude of the reference: positive where it costs more, also where the reference is a credit.
    Share(Decimal),
    /// The reference has nothing here.
    New,
    /// Only the reference has something here.
    Gone,
}

/// The difference of an amount to the reference; none where neither has anything.
#[must_use]
pub fn difference<T: Comparable>(amount: Option<T>, reference: Option<T>) -> Option<Difference<T>> {
    if amount.is_none() && reference.is_none() {
        return None;
    }
    let difference = amount.unwrap_or(T::NOTHING) - reference.unwrap_or(T::NOTHING);
    let relative = match (amount, reference) {
        (None, _) => Relative::Gone,
        (_, None) => Relative::New,
        _ if difference == T::NOTHING => Relative::Share(Decimal::ZERO),
        (_, Some(reference)) => difference.share(reference).map_or(Relative::New, Relative::Share),
    };
    Some(Difference { amount: difference, relative })
}

/// `part` as a share of the magnitude of `whole`. The minor units cancel, so that none are needed.
#[must_use]
pub fn share(part: Money, whole: Money) -> Option<Decimal> {
    let decimal = |money: Money| Decimal::try_from_i128_with_scale(money.minor(), 0).ok();
    decimal(part)?.checked_div(decimal(whole)?.abs())
}

/// Postings of every placement by two dimensions, one inside the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Crossed {
    /// The value of the outer dimension, by its place there.
    pub key: usize,
    /// By placement; none where it has no posting here.
    pub amounts: Vec<Option<Money>>,
    /// The values of the inner dimension that have a posting, with the amount of each placement.
    pub inner: Vec<(usize, Vec<Option<Money>>)>,
}

/// Crosses every posting by two dimensions and the placements; sums are exact.
#[must_use]
pub fn crossed(book: &Book, outer: Dimension, inner: Dimension) -> Vec<Crossed> {
    let rows = book.matching(&Filter::default()).unwrap_or_default();
    let placements = book.values(Dimension::Placement).len();
    let lines = |pivot: &Pivot| -> Vec<(Vec<usize>, Vec<Option<Money>>)> {
        let amounts = |line: &PivotLine| {
            let mut amounts = vec![None; placements];
            for (placement, cell) in pivot.columns.iter().zip(&line.cells) {
                amounts[*placement] = cell.map(|sum| sum.amounts.total);
            }
            amounts
        };
        pivot.lines.iter().map(|line| (line.keys.clone(), amounts(line))).collect()
    };
    let parts = lines(&book.pivot(&rows, &[outer, inner], Dimension::Placement));
    let wholes = lines(&book.pivot(&rows, &[outer], Dimension::Placement));
    let whole = |(keys, amounts): (Vec<usize>, Vec<Option<Money>>)| {
        let inner = parts.iter().filter(|(of, _)| of.first() == keys.first());
        let inner = inner.filter_map(|(of, amounts)| Some((*of.get(1)?, amounts.clone()))).collect();
        Crossed { key: keys.first().copied().unwrap_or_default(), amounts, inner }
    };
    wholes.into_iter().map(whole).collect()
}

/// The categories in which a placement has no line although another one does.
#[derive(Clone, PartialEq, Debug)]
pub struct Gap {
    pub placement: usize,
    pub categories: Vec<Category>,
}

/// Where boundaries differ, placement by placement.
#[must_use]
pub fn gaps(evaluation: &Evaluation) -> Vec<Gap> {
    let anywhere = |category| evaluation.placements.iter().any(|placement| amount(placement, category).is_some());
    let used: Vec<Category> = stacked().filter(|&category| anywhere(category)).collect();
    let gap = |(placement, result): (usize, &PlacementResult)| {
        let missing = used.iter().copied().filter(|&category| amount(result, category).is_none());
        Gap { placement, categories: missing.collect() }
    };
    evaluation.placements.iter().enumerate().map(gap).filter(|gap| !gap.categories.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Complete when every category stands in one family.
    #[test]
    fn every_category_is_stacked_once() {
        let mut stacked: Vec<Category> = stacked().collect();
        stacked.sort();
        let mut all = Category::ALL.to_vec();
        all.sort();
        assert_eq!(stacked, all);
    }

    #[test]
    fn differences() {
        let money = |minor| Some(Money::from_minor(minor));
        assert_eq!(difference::<Money>(None, None), None);
        let new = difference(money(500), None).expect("one side is entered");
        assert_eq!((new.amount, new.relative), (Money::from_minor(500), Relative::New));
        let gone = difference(None, money(500)).expect("one side is entered");
        assert_eq!((gone.amount, gone.relative), (Money::from_minor(-500), Relative::Gone));
        let nothing = difference(money(0), money(0)).expect("both sides are entered");
        assert_eq!(nothing.relative, Relative::Share(Decimal::ZERO));
        let half = difference(money(50), money(100)).expect("both sides are entered");
        assert_eq!(half.relative, Relative::Share(Decimal::new(-5, 1)));
        let dearer_than_a_credit = difference(money(-50), money(-100)).expect("both sides are entered");
        assert_eq!(dearer_than_a_credit.relative, Relative::Share(Decimal::new(5, 1)));
    }
}
