//! The finance functions that published calculations are made of: present values, payments, returns, write-offs.
//!
//! Plain functions of numbers: nothing here knows a scenario, a ledger or a currency, and nothing rounds. Money is in any
//! one unit, rates are shares a period (0.08 is 8 %), and what has no value is broken (see [`Num`]).

use crate::quantity::Num;

pub use super::ledger::{annuity, graduated};

/// The present value of flows a period apart, the first of which falls due now: Σ f_k · (1 + r)^−k.
#[must_use]
pub fn present_value(rate: Num, flows: &[Num]) -> Num {
    let growth = Num::ONE + rate;
    flows.iter().rev().fold(Num::ZERO, |value, flow| *flow + value / growth)
}

/// The net present value of spreadsheets, which discounts the first flow too: Σ f_k · (1 + r)^−(k + 1).
#[must_use]
pub fn spreadsheet_present_value(rate: Num, flows: &[Num]) -> Num {
    present_value(rate, flows) / (Num::ONE + rate)
}

/// The present value of dated flows, each an amount and the years until it falls due: Σ f · (1 + r)^−t.
#[must_use]
pub fn dated_present_value(rate: Num, flows: impl IntoIterator<Item = (Num, Num)>) -> Num {
    let growth = Num::ONE + rate;
    flows.into_iter().map(|(amount, years)| amount / power(growth, years)).sum()
}

/// Days as years of 365.25 days, the count of NIST's life-cycle costing.
#[must_use]
pub fn years_of_days(days: u32) -> Num {
    Num::count(days) * Num::whole(4) / Num::whole(1461)
}

/// A positive number to any power that is not negative, to more than 20 significant digits where base and power are of
/// the size of growth factors and years.
///
/// The whole part is multiplied out; the rest is exp(f · ln b), both by their series.
#[must_use]
pub fn power(base: Num, exponent: Num) -> Num {
    if !base.is_positive() || exponent.is_negative() {
        return Num::BROKEN;
    }
    let Some(whole) = exponent.as_count() else { return Num::BROKEN };
    let rest = exponent - Num::count(whole);
    let compound = base.power(whole);
    if rest.is_zero() { compound } else { compound * exponential(rest * logarithm(base)) }
}

/// A term below this no longer changes a result.
fn is_spent(term: Num) -> bool {
    const TRACE: i64 = 1_000_000_000_000_000;
    let magnified = term * Num::whole(TRACE) * Num::whole(TRACE);
    magnified.is_broken() || (magnified < Num::ONE && -Num::ONE < magnified)
}

/// ln b = 2 · (z + z³/3 + z⁵/5 + …) with z = (b − 1)/(b + 1), which is short where b is near 1.
fn logarithm(base: Num) -> Num {
    const TERMS_MAX: u32 = 2_000;
    let z = (base - Num::ONE) / (base + Num::ONE);
    let (square, mut odd_power, mut sum) = (z * z, z, z);
    for term in 1..TERMS_MAX {
        odd_power = odd_power * square;
        if is_spent(odd_power) {
            break;
        }
        sum += odd_power / Num::count(2 * term + 1);
    }
    sum * Num::whole(2)
}

/// e^x = 1 + x + x²/2! + …
fn exponential(x: Num) -> Num {
    const TERMS_MAX: u32 = 200;
    let (mut term, mut sum) = (Num::ONE, Num::ONE);
    for k in 1..TERMS_MAX {
        term = term * x / Num::count(k);
        if is_spent(term) {
            break;
        }
        sum += term;
    }
    sum
}

/// One payment of a loan, before any rounding.
#[derive(Clone, Copy, Debug)]
pub struct Instalment {
    pub interest: Num,
    pub principal: Num,
    /// What is owed after it.
    pub balance: Num,
}

/// The level payments of a loan, period by period, unrounded. The ledger's loans are rounded to the minor unit.
#[must_use]
pub fn level_loan(principal: Num, rate: Num, periods: u32) -> Vec<Instalment> {
    let payment = annuity(principal, rate, periods);
    let mut balance = principal;
    let instalments = (0..periods).map(|_| {
        let interest = balance * rate;
        let repaid = payment - interest;
        balance -= repaid;
        Instalment { interest, principal: repaid, balance }
    });
    instalments.collect()
}

/// The level payment a period that recovers 1 with its return over so many periods: i / (1 − (1 + i)^−n).
#[must_use]
pub fn capital_recovery(rate: Num, periods: u32) -> Num {
    annuity(Num::ONE, rate, periods)
}

/// What a present value comes to each year when spread evenly over years, whole or not: PV · r / (1 − (1 + r)^−t).
#[must_use]
pub fn annual_value(present_value: Num, rate: Num, years: Num) -> Num {
    if rate.is_zero() {
        return present_value / years;
    }
    let growth = power(Num::ONE + rate, years);
    present_value * rate * growth / (growth - Num::ONE)
}

/// The nominal rate of a real rate and inflation (Fisher): (1 + r)(1 + f) − 1, never a sum.
#[must_use]
pub fn nominal_rate(real: Num, inflation: Num) -> Num {
    (Num::ONE + real) * (Num::ONE + inflation) - Num::ONE
}

/// The real rate of a nominal rate and inflation: (1 + n)/(1 + f) − 1, never a difference.
#[must_use]
pub fn real_rate(nominal: Num, inflation: Num) -> Num {
    (Num::ONE + nominal) / (Num::ONE + inflation) - Num::ONE
}

/// How often the sign changes along the flows, zeros apart: the most internal rates of return that they can have.
#[must_use]
pub fn sign_changes(flows: &[Num]) -> usize {
    let signs: Vec<bool> = flows.iter().filter(|flow| !flow.is_zero()).map(|flow| flow.is_negative()).collect();
    signs.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

/// The internal rates of return between −95 % and 1,000 %, in rising order.
///
/// The range is walked in steps of one percentage point, and each change of sign of the present value is bisected to
/// more than 20 places. Two roots inside one step are missed: hold the count against [`sign_changes`].
#[must_use]
pub fn internal_rates(flows: &[Num]) -> Vec<Num> {
    const LOW_PERCENT: i64 = -95;
    const HIGH_PERCENT: i64 = 1_000;
    let at = |rate: Num| present_value(rate, flows);
    let percent = |percent: i64| Num::whole(percent) / Num::whole(100);
    let mut rates = Vec::new();
    let mut low = (percent(LOW_PERCENT), at(percent(LOW_PERCENT)));
    for step in LOW_PERCENT + 1..=HIGH_PERCENT {
        let high = (percent(step), at(percent(step)));
        if high.1.is_zero() {
            rates.push(high.0);
        } else if !low.1.is_zero() && low.1.is_negative() != high.1.is_negative() {
            rates.push(bisected(low, high, at));
        }
        low = high;
    }
    rates
}

/// The place between two points of opposite sign where a function is nothing.
fn bisected(mut low: (Num, Num), mut high: (Num, Num), at: impl Fn(Num) -> Num) -> Num {
    const HALVINGS: u32 = 70;
    for _ in 0..HALVINGS {
        let middle = (low.0 + high.0) / Num::whole(2);
        let value = at(middle);
        if value.is_negative() == low.1.is_negative() {
            low = (middle, value);
        } else {
            high = (middle, value);
        }
    }
    (low.0 + high.0) / Num::whole(2)
}

/// Periods until the flows have added up to nothing, linear within a period; none where they never do.
#[must_use]
pub fn payback(flows: &[Num]) -> Option<Num> {
    let mut sum = Num::ZERO;
    for (period, flow) in flows.iter().enumerate() {
        let reached = sum + *flow;
        if period > 0 && sum.is_negative() && !reached.is_negative() {
            let whole = Num::count(u32::try_from(period - 1).ok()?);
            return Some(whole - sum / *flow);
        }
        sum = reached;
    }
    None
}

/// Straight-line depreciation of each year: (cost − residual) / years.
#[must_use]
pub fn straight_line(cost: Num, residual: Num, years: u32) -> Num {
    (cost - residual) / Num::count(years)
}

/// The shares of cost that the formula behind the MACRS tables gives: twice the straight-line share of what is left, half
/// a year in the first year, and straight-line as soon as that is more.
///
/// The tables are law (see `tax::table`); this shows where rounding them departs from the formula.
#[must_use]
pub fn double_declining_half_year(years: u32) -> Vec<Num> {
    let half = Num::ONE / Num::whole(2);
    let mut left = Num::ONE;
    let shares = (0..=years).map(|year| {
        let years_left = Num::count(years) - Num::count(year) + half;
        let share = match year {
            0 => Num::ONE / Num::count(years),
            _ if year == years => left,
            _ => (left * Num::whole(2) / Num::count(years)).max(left / years_left),
        };
        left -= share;
        share
    });
    shares.collect()
}

/// Cost per unit of output by the fixed-charge-rate method: (rate · capital + fixed) / output + variable.
#[must_use]
pub fn fixed_charge_cost(rate: Num, capital: Num, fixed: Num, output: Num, variable: Num) -> Num {
    (rate * capital + fixed) / output + variable
}

/// Hours after which owning has cost no more than renting: price / (rent per hour − running cost per hour). Broken where
/// the two are equal, and negative where owning never catches up.
#[must_use]
pub fn break_even_hours(price: Num, rent_per_hour: Num, own_per_hour: Num) -> Num {
    price / (rent_per_hour - own_per_hour)
}

/// What was committed to, in money: always two parts, so that what is unused stays visible.
#[derive(Clone, Copy, Debug)]
pub struct CommitmentUse {
    pub used: Num,
    pub unused: Num,
}

/// Splits a commitment into what use covers and what is left of it.
#[must_use]
pub fn commitment_use(committed: Num, used: Num) -> CommitmentUse {
    let used = used.min(committed);
    CommitmentUse { used, unused: committed - used }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::*;

    fn num(text: &str) -> Num {
        Num::from(Decimal::from_str_exact(text).expect("a decimal"))
    }

    fn near(a: Num, b: Num, trace: &str) -> bool {
        a - b < num(trace) && b - a < num(trace)
    }

    #[test]
    fn a_power_by_series_agrees_with_roots_and_with_multiplication() {
        let half = num("0.5");
        assert!(near(power(num("2"), half), num("1.4142135623730950488016887242"), "0.000000000000000000000001"));
        assert!(near(power(num("1.03103"), num("24")), num("1.03103").power(24), "0.000000000000000000000001"));
        let root = num("1.08").root_24();
        assert!(near(power(num("1.08"), Num::ONE / num("24")), root, "0.000000000000000000000001"));
    }

    #[test]
    fn what_has_no_value_is_broken() {
        assert!(power(num("-1"), num("0.5")).is_broken());
        assert!(power(num("2"), num("-1")).is_broken());
        assert!(break_even_hours(num("100"), num("1"), num("1")).is_broken());
        assert!(payback(&[num("-10"), num("3")]).is_none());
        assert!(internal_rates(&[num("1"), num("2")]).is_empty());
    }

    proptest! {
        #[test]
        fn a_level_loan_ends_with_nothing_owed(rate in 0_i64..30, periods in 1_u32..360) {
            let loan = level_loan(num("250000"), Num::whole(rate) / num("1200"), periods);
            let owed = loan.last().expect("a payment").balance;
            prop_assert!(near(owed, Num::ZERO, "0.0000000001"));
        }

        #[test]
        fn real_and_nominal_rates_are_inverse(real in -50_i64..200, inflation in -20_i64..200) {
            let share = |percent: i64| Num::whole(percent) / num("1000");
            let there_and_back = real_rate(nominal_rate(share(real), share(inflation)), share(inflation));
            prop_assert!(near(there_and_back, share(real), "0.00000000000000000001"));
        }

        #[test]
        fn the_formula_writes_off_everything(years in 1_u32..40) {
            let shares: Num = double_declining_half_year(years).into_iter().sum();
            prop_assert!(near(shares, Num::ONE, "0.00000000000000000001"));
        }
    }
}
