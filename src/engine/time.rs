//! Months, years, indices, exchange rates and discount factors of one scenario.
//!
//! Nothing here knows demand, supply or cost lines.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::input::Input;
use crate::quantity::trace::Name;
use crate::quantity::{Factor, Num};
use crate::scenario::{Basis, Growth, Index, Scenario, Timing};

use super::finance::nominal_rate;
use super::{Failure, PostingTiming};

/// Hours of a month: 8,760 / 12 (method, §2).
pub const HOURS_PER_MONTH: i64 = 730;
/// Hours of a week.
pub const HOURS_PER_WEEK: i64 = 168;

/// The year of a month, from 0.
#[must_use]
pub fn year_of(month: u32) -> usize {
    (month / 12) as usize
}

/// Everything of a scenario that depends on time alone.
pub struct Time<'a> {
    pub horizon: u32,
    /// The nominal yearly discount rate.
    pub rate: Num,
    /// (1 + rate)^(−k/24), for k = 0 … 2H.
    factors: Vec<Factor>,
    /// The factors of amounts that recur, by month.
    recurring: Vec<Factor>,
    /// (1 + rate)^(−H/12), to the precision held.
    last_factor: Num,
    /// Factors by year: `CONSTANT`, `GENERAL`, then the named indices.
    indices: Vec<Vec<Num>>,
    names: BTreeMap<&'a str, IndexId>,
    exchange: BTreeMap<&'a str, Num>,
    currency: &'a str,
}

/// Which index a price follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IndexId(usize);

impl IndexId {
    /// A sum of money that neither rises nor falls: a contract minimum, a share of other money.
    pub const CONSTANT: Self = Self(0);
    /// A price without an index of its own: constant in money under a nominal rate, constant in purchasing power under
    /// a real one (method, §8).
    pub const GENERAL: Self = Self(1);
}

impl<'a> Time<'a> {
    /// Lays out factors and indices over the horizon.
    ///
    /// # Errors
    /// Where a discount factor is too large to compute with.
    pub fn new(scenario: &'a Scenario) -> Result<Self, Failure> {
        let horizon = scenario.horizon_months;
        let stated = scenario.discounting.rate.num();
        let inflation = scenario.inflation.num();
        let rate = match scenario.discounting.basis {
            Basis::Nominal => stated,
            Basis::Real => {
                nominal_rate(stated, inflation).called(|| Name::new("Nominal discount rate", "share a year", ""))
            }
        };
        let years = year_of(horizon.saturating_sub(1)) + 1;
        let general = match scenario.discounting.basis {
            Basis::Nominal => Num::ZERO,
            Basis::Real => inflation,
        };
        let mut indices = vec![vec![Num::ONE; years], compounded(years, |_| general)];
        let mut names = BTreeMap::new();
        for (name, index) in &scenario.indices.0 {
            names.insert(name.as_str(), IndexId(indices.len()));
            let named = |(year, factor): (usize, Num)| {
                factor.called(|| Name::new("Index factor", "", name).in_month(12 * year as u32))
            };
            indices.push(index_factors(index, years).into_iter().enumerate().map(named).collect());
        }
        let (factors, last_factor) = discount_factors(rate, horizon)?;
        let timing = scenario.discounting.timing;
        let recurring = |month| factors[recurring_half_months(timing, month, horizon) as usize];
        let recurring = (0..horizon).map(recurring).collect();
        Ok(Self {
            horizon,
            rate,
            factors,
            recurring,
            last_factor,
            indices,
            names,
            exchange: scenario.fx.0.iter().map(|(code, rate)| (code.as_str(), rate.num())).collect(),
            currency: &scenario.currency,
        })
    }

    /// The index of a price; validation has refused unknown names.
    #[must_use]
    pub fn index(&self, name: Option<&str>) -> IndexId {
        name.and_then(|name| self.names.get(name).copied()).unwrap_or(IndexId::GENERAL)
    }

    /// The factor of an index in the year of a month.
    #[must_use]
    pub fn index_factor(&self, index: IndexId, month: u32) -> Num {
        let factors = &self.indices[index.0];
        factors.get(year_of(month)).or(factors.last()).copied().unwrap_or(Num::ONE)
    }

    /// Scenario currency for one unit of a currency; 1 where none is named.
    #[must_use]
    pub fn exchange_rate(&self, currency: Option<&str>) -> Num {
        match currency {
            Some(code) if code != self.currency => self.exchange.get(code).copied().unwrap_or(Num::BROKEN),
            _ => Num::ONE,
        }
    }

    /// The discount factor of an amount (method, §8).
    #[must_use]
    #[inline]
    pub fn factor(&self, timing: PostingTiming, month: u32) -> Factor {
        match timing {
            PostingTiming::Start => self.factors[2 * month as usize],
            PostingTiming::Recurring => self.recurring[month as usize],
            PostingTiming::End => self.factors[2 * (month as usize + 1)],
        }
    }

    /// The discount factor as a number.
    #[must_use]
    pub fn factor_num(&self, timing: PostingTiming, month: u32) -> Num {
        self.factor(timing, month).num()
    }

    /// What remains of a present value once spread evenly over the horizon (method, §8).
    #[must_use]
    pub fn annual_share(&self) -> Num {
        if self.rate.is_zero() {
            return Num::whole(12) / Num::count(self.horizon);
        }
        let share = self.rate / (Num::ONE - self.last_factor);
        share.called(|| Name::new("Share of a present value that a year bears", "", ""))
    }
}

/// 24 · t of what recurs, which is whole for every timing.
fn recurring_half_months(timing: Timing, month: u32, horizon: u32) -> u32 {
    let year_start = month / 12 * 12;
    let year_end = (year_start + 12).min(horizon);
    match timing {
        Timing::StartOfMonth => 2 * month,
        Timing::EndOfMonth => 2 * (month + 1),
        Timing::MidMonth => 2 * month + 1,
        Timing::EndOfYear => 2 * year_end,
        Timing::MidYear => year_start + year_end,
    }
}

/// Products of (1 + rate of the year), from 1 in the first year.
fn compounded(years: usize, rate_of: impl Fn(usize) -> Num) -> Vec<Num> {
    let mut factors = Vec::with_capacity(years);
    let mut factor = Num::ONE;
    for year in 0..years {
        if year > 0 {
            factor = factor * (Num::ONE + rate_of(year));
        }
        factors.push(factor);
    }
    factors
}

fn index_factors(index: &Index, years: usize) -> Vec<Num> {
    match index {
        Index::Annual(rate) => compounded(years, |_| rate.num()),
        Index::ByYear(rates) => {
            compounded(years, |year| rates.get(year - 1).or(rates.last()).map_or(Num::ZERO, Input::num))
        }
    }
}

/// Whole years are exact multiplications; the parts of a year are powers of the 24th root.
fn discount_factors(rate: Num, horizon: u32) -> Result<(Vec<Factor>, Num), Failure> {
    let growth = Num::ONE + rate;
    let step = Num::ONE / growth.root_24();
    let mut part = Vec::with_capacity(24);
    let mut power = Num::ONE;
    for _ in 0..24 {
        part.push(power);
        power = power * step;
    }
    let mut factors = Vec::with_capacity(2 * horizon as usize + 1);
    let mut compound = Num::ONE;
    let mut factor = Num::ONE;
    for k in 0..=2 * horizon {
        let within = k as usize % 24;
        if k > 0 && within == 0 {
            compound = compound * growth;
        }
        factor = part[within] / compound;
        let rounded = Factor::of(factor).ok_or_else(|| Failure {
            path: "discounting.rate".into(),
            message: format!(
                "the discount factor of month {} is too large to compute with; use a rate nearer to 0",
                k / 2
            ),
        })?;
        factors.push(rounded.called(|| Name::new("Discount factor", "", "").in_month(k / 2)));
    }
    Ok((factors, factor.called(|| Name::new("Discount factor of the horizon", "", ""))))
}

/// The factors of a growing quantity over a horizon (method, §4): piecewise linear within the year, exact.
#[must_use]
pub fn linear_growth(rate: Num, horizon: u32) -> Vec<Num> {
    let mut factors = Vec::with_capacity(horizon as usize);
    let mut whole = Num::ONE;
    for month in 0..horizon {
        let within = month % 12;
        if within == 0 && month > 0 {
            whole = (Num::ONE + rate).power(month / 12);
        }
        factors.push(match within {
            0 => whole,
            _ => whole * (Num::whole(12) + rate * Num::count(within)) / Num::whole(12),
        });
    }
    factors
}

/// The factors of [`linear_growth`] over one horizon; what grows at the same rate has the same.
pub struct LinearGrowths {
    horizon: u32,
    known: Vec<(Num, Rc<[Num]>)>,
}

impl LinearGrowths {
    #[must_use]
    pub fn new(horizon: u32) -> Self {
        Self { horizon, known: Vec::new() }
    }

    /// The factors at a rate.
    pub fn of(&mut self, rate: Num) -> Rc<[Num]> {
        if let Some((_, factors)) = self.known.iter().find(|(known, _)| known.is_same_constant(rate)) {
            return Rc::clone(factors);
        }
        let factors: Rc<[Num]> = linear_growth(rate, self.horizon).into();
        self.known.push((rate, Rc::clone(&factors)));
        factors
    }
}

/// Growth factors over a horizon.
pub fn growth_factors(growth: &Growth, linear: &mut LinearGrowths) -> Rc<[Num]> {
    let horizon = linear.horizon;
    match growth {
        Growth::Annual(rate) if rate.num().is_nothing() => vec![Num::ONE; horizon as usize].into(),
        Growth::Annual(rate) => linear.of(rate.num()),
        Growth::ByYear(factors) => (0..horizon)
            .map(|month| {
                let factor = factors.get(year_of(month)).or(factors.last());
                factor.map_or(Num::ONE, |factor| factor.0.num())
            })
            .collect(),
    }
}
