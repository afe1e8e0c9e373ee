//! Results that others have printed, each beside what this program computes from the same inputs.
//!
//! Every computed figure comes from the engine, on a scenario that ships or by its finance functions. Nothing here holds
//! a computed figure, and no verdict is written down: a row says only how far it is expected to miss, and why.

mod break_even;
mod campus;
mod capacity;
mod cash_loan;
mod commitments;
mod evaluated;
mod fixed_charge;
mod lighting;
mod primitives;
mod tiers;

use rust_decimal::{Decimal, RoundingStrategy};

use crate::quantity::Num;

/// One published calculation.
#[derive(Clone, Debug)]
pub struct Case {
    pub id: &'static str,
    pub title: &'static str,
    pub source: &'static str,
    /// What the publication does not say, and what has to be known to arrive at its figures.
    pub convention: &'static str,
    /// The scenarios that ship with it, where the format can express it.
    pub scenarios: &'static [Shipped],
    pub rows: Vec<Row>,
}

/// A scenario that ships inside the program.
#[derive(PartialEq, Eq, Debug)]
pub struct Shipped {
    /// The name of its file in `scenarios/published`.
    pub file: &'static str,
    pub text: &'static str,
}

/// One published figure and its computed counterpart.
#[derive(Clone, Debug)]
pub struct Row {
    pub label: String,
    pub unit: &'static str,
    /// The figure digit by digit as it was printed.
    pub published: &'static str,
    pub computed: Num,
    pub expected: Expected,
}

/// How the computed figure is expected to stand to the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// It rounds to the digits printed.
    Equal,
    /// It misses them by at most this share of the published figure.
    Within { share: &'static str, why: &'static str },
    /// It misses them by this much, computed less published, to the digits given.
    Apart { by: &'static str, why: &'static str },
}

/// How the computed figure stands to the published one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Equal to the digits printed.
    Equal,
    /// Within the tolerance that the row states and explains.
    Within,
    /// Apart by exactly what the row states and explains.
    Explained,
    /// Neither equal nor as explained: the formula or the scenario has changed.
    Unexplained,
}

impl Verdict {
    pub const ALL: [Self; 4] = [Self::Equal, Self::Within, Self::Explained, Self::Unexplained];

    /// The name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "Equal",
            Self::Within => "Within",
            Self::Explained => "Explained",
            Self::Unexplained => "Unexplained",
        }
    }

    /// What people read.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Equal => "equal as printed",
            Self::Within => "within tolerance",
            Self::Explained => "explained",
            Self::Unexplained => "not reproduced",
        }
    }
}

impl Row {
    fn new(label: impl Into<String>, unit: &'static str, published: &'static str, computed: Num) -> Self {
        Self { label: label.into(), unit, published, computed, expected: Expected::Equal }
    }

    fn within(self, share: &'static str, why: &'static str) -> Self {
        Self { expected: Expected::Within { share, why }, ..self }
    }

    fn apart(self, by: &'static str, why: &'static str) -> Self {
        Self { expected: Expected::Apart { by, why }, ..self }
    }

    /// The published figure as a number.
    #[must_use]
    pub fn published_value(&self) -> Num {
        number(self.published)
    }

    /// Computed less published.
    #[must_use]
    pub fn difference(&self) -> Num {
        self.computed - self.published_value()
    }

    /// Why the figure is not the one printed, where that is said.
    #[must_use]
    pub const fn why(&self) -> Option<&'static str> {
        match self.expected {
            Expected::Equal => None,
            Expected::Within { why, .. } | Expected::Apart { why, .. } => Some(why),
        }
    }

    /// How the two figures stand to each other.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let values = (self.published_value().decimal(), self.computed.decimal(), self.difference().decimal());
        let (Some(published), Some(computed), Some(difference)) = values else { return Verdict::Unexplained };
        if to_digits_of(computed, published) == published {
            return Verdict::Equal;
        }
        match self.expected {
            Expected::Within { share, .. } if is_within(difference, share, published) => Verdict::Within,
            Expected::Apart { by, .. } if is_by(difference, by) => Verdict::Explained,
            _ => Verdict::Unexplained,
        }
    }
}

/// Every published case, computed now, in the order in which they are listed.
#[must_use]
pub fn cases() -> Vec<Case> {
    vec![
        capacity::case(),
        lighting::case(),
        cash_loan::case(),
        fixed_charge::case(),
        campus::case(),
        break_even::case(),
        tiers::case(),
        commitments::case(),
        primitives::case(),
    ]
}

/// How many rows stand with each verdict, in the order of `Verdict::ALL`.
#[must_use]
pub fn counts(cases: &[Case]) -> [(Verdict, usize); 4] {
    let verdicts: Vec<Verdict> = cases.iter().flat_map(|case| &case.rows).map(Row::verdict).collect();
    Verdict::ALL.map(|verdict| (verdict, verdicts.iter().filter(|found| **found == verdict).count()))
}

/// Rounds half away from zero to as many places as another number shows.
fn to_digits_of(value: Decimal, printed: Decimal) -> Decimal {
    value.round_dp_with_strategy(printed.scale(), RoundingStrategy::MidpointAwayFromZero)
}

fn is_within(difference: Decimal, share: &str, published: Decimal) -> bool {
    let most = Decimal::from_str_exact(share).ok().and_then(|share| share.checked_mul(published.abs()));
    most.is_some_and(|most| difference.abs() <= most)
}

fn is_by(difference: Decimal, by: &str) -> bool {
    Decimal::from_str_exact(by).is_ok_and(|by| to_digits_of(difference, by) == by)
}

/// A number of a publication; its digits are more than a scenario would hold.
fn number(text: &str) -> Num {
    Decimal::from_str_exact(text).map_or(Num::BROKEN, Num::from)
}

/// What a source prints that computes in binary floating point.
const BINARY: &str =
    "The source computes in binary floating point, so that the last of its seventeen digits are noise.";
/// Fourteen digits, which binary floating point keeps through a calculation of this length.
const BINARY_SHARE: &str = "0.00000000000001";

#[cfg(test)]
mod tests {
    use super::*;

    fn row(published: &'static str, computed: &str) -> Row {
        Row::new("", "", published, number(computed))
    }

    #[test]
    fn a_verdict_follows_from_the_digits_and_from_what_is_declared() {
        assert_eq!(row("13.33", "13.3349").verdict(), Verdict::Equal);
        assert_eq!(row("13.33", "13.335").verdict(), Verdict::Unexplained);
        assert_eq!(row("100", "100.6").within("0.01", "").verdict(), Verdict::Within);
        assert_eq!(row("100", "101.6").within("0.01", "").verdict(), Verdict::Unexplained);
        assert_eq!(row("15710", "15708.4777").apart("-1.52", "").verdict(), Verdict::Explained);
        assert_eq!(row("15710", "15708.4677").apart("-1.52", "").verdict(), Verdict::Unexplained);
        assert_eq!(Row::new("", "", "1", Num::BROKEN).apart("0", "").verdict(), Verdict::Unexplained);
    }
}
