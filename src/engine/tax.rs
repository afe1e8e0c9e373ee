//! The after-tax view: what is deductible, how purchases are written off, and the relief of each year (method, §12).
//!
//! Nothing here changes a total before tax.

use crate::quantity::{Currency, Money, Num};
use crate::scenario::{Acquisition, Dedicated, Depreciation, Supply, Tax};

use super::dedicated::{Batch, residual_share};
use super::ledger::Priced;
use super::plan::{Plan, TaxTreatment};
use super::time::{Time, year_of};
use super::{AfterTax, Amounts, Failure, PostingTiming};

/// The published half-year percentages, verbatim: they do not follow from a formula.
const MACRS_3: [i64; 4] = [3333, 4445, 1481, 741];
const MACRS_5: [i64; 6] = [2000, 3200, 1920, 1152, 1152, 576];
const MACRS_7: [i64; 8] = [1429, 2449, 1749, 1249, 893, 892, 893, 446];

/// The shares of a table by year; none for straight-line.
#[must_use]
pub fn table(depreciation: &Depreciation) -> Option<Vec<Num>> {
    let published = |table: &[i64]| Some(table.iter().map(|share| Num::whole(*share) / Num::whole(10_000)).collect());
    match depreciation {
        Depreciation::StraightLine => None,
        Depreciation::Macrs3 => published(&MACRS_3),
        Depreciation::Macrs5 => published(&MACRS_5),
        Depreciation::Macrs7 => published(&MACRS_7),
        Depreciation::Custom(shares) => Some(shares.iter().map(|share| share.num()).collect()),
    }
}

/// Computes the relief of each year and the cost after it.
///
/// # Errors
/// Where a relief is too large to compute with.
pub fn after_tax(
    plan: &Plan,
    priced: &Priced,
    totals: Amounts,
    tax: &Tax,
    time: &Time,
    currency: Currency,
) -> Result<AfterTax, Failure> {
    let digits = currency.minor_digits;
    let mut deductible = vec![Num::ZERO; year_of(time.horizon - 1) + 1];
    for posting in &priced.postings {
        if plan.lines[posting.line as usize].tax == TaxTreatment::Deductible {
            deductible[year_of(posting.month)] += posting.amount.num(digits);
        }
    }
    for loan in &priced.loans {
        for (paid, interest) in loan.interest.iter().enumerate() {
            deductible[year_of(loan.start + paid as u32)] += interest.num(digits);
        }
    }
    let shares = table(&tax.depreciation);
    for (site, batches) in plan.served.sites.iter().zip(&plan.batches) {
        let Supply::Dedicated(dedicated) = &site.environment.supply else { continue };
        for batch in batches {
            write_off_batch(dedicated, batch, shares.as_deref(), time.horizon, digits, &mut deductible);
        }
    }
    let mut view = AfterTax {
        tax_relief: Money::ZERO,
        by_year: Vec::with_capacity(deductible.len()),
        total: totals.total,
        present_value: totals.present_value,
    };
    for (year, amount) in deductible.into_iter().enumerate() {
        let last_month = (12 * year as u32 + 11).min(time.horizon - 1);
        let failed = || Failure {
            path: "tax.rate".into(),
            message: format!("the tax relief of year {} is too large to compute with; use smaller numbers", year + 1),
        };
        let relief = Money::rounded(tax.rate.num() * amount, digits).ok_or_else(failed)?;
        let value = relief.discounted(time.factor(PostingTiming::End, last_month), digits).ok_or_else(failed)?;
        view.tax_relief += relief;
        view.by_year.push(relief);
        view.total -= relief;
        view.present_value -= value;
    }
    Ok(view)
}

/// Adds the depreciation of an owned batch, and takes off the gain when it leaves.
fn write_off_batch(
    dedicated: &Dedicated,
    batch: &Batch,
    shares: Option<&[Num]>,
    horizon: u32,
    digits: u32,
    deductible: &mut [Num],
) {
    let Some(from) = batch.owned_from else { return };
    // What was paid and what comes back are amounts as posted.
    let posted = |amount: Num| Money::rounded(amount, digits).map_or(Num::BROKEN, |amount| amount.num(digits));
    let cost = match &dedicated.acquisition {
        Acquisition::Purchase | Acquisition::Loan(_) => {
            let deposit = posted(batch.price * batch.deposit_share);
            deposit + posted(batch.price * (Num::ONE - batch.deposit_share))
        }
        Acquisition::Lease(lease) => posted(batch.price * lease.buyout_share.num()),
    };
    let mut taken = Num::ZERO;
    let mut take = |month: u32, amount: Num, deductible: &mut [Num]| {
        deductible[year_of(month)] += amount;
        taken += amount;
    };
    match shares {
        None => {
            let life_left = (batch.start + dedicated.life_months.count()).saturating_sub(from);
            for month in from..batch.end.min(from + life_left) {
                take(month, cost / Num::count(life_left), deductible);
            }
        }
        Some(shares) => {
            for (month, share) in (from..batch.end).step_by(12).zip(shares) {
                take(month, cost * *share, deductible);
            }
        }
    }
    let left = if batch.is_replaced { batch.end } else { horizon - 1 };
    let residual = posted(batch.price * residual_share(&dedicated.residual_by_year, batch.end - batch.start));
    deductible[year_of(left)] -= residual - (cost - taken);
}
