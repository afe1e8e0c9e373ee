//! Prices a plan: every charge becomes at most one posting, rounded once; after that there is only addition.
//!
//! Nothing here knows why a quantity is what it is.

use crate::quantity::trace::Name;
use crate::quantity::{Currency, Money, Num};
use crate::scenario::Category;

use super::plan::{Charge, Follows, LoanDraw, Plan, PlanLine, Price, PriceTier, ServicePart};
use super::serving::Served;
use super::time::{IndexId, Time, year_of};
use super::{Amounts, Behaviour, Failure, Posting, PostingTiming};

/// The postings of a placement, and what was learnt while pricing it.
pub struct Priced {
    /// In the order of the lines, and of the months within a line.
    pub postings: Vec<Posting>,
    /// The postings line by line, behaviour by behaviour and year by year; one by one where a trace is to name each.
    pub runs: Vec<Run>,
    /// What would have been posted were it not zero; only while a trace is recorded, to know what that rests on.
    pub zeros: Vec<Posting>,
    /// Schedules of all loans, by line.
    pub loans: Vec<LoanSchedule>,
    /// What each class's own output was charged, by line, where a service is priced by output.
    pub own_charges: Vec<(usize, Vec<Num>)>,
    /// What the use of a service is charged in each month of the horizon, before its minimum, by line.
    pub use_charges: Vec<(usize, Vec<Num>)>,
}

impl Priced {
    /// The postings of one line.
    #[must_use]
    pub fn of_line(&self, line: usize) -> &[Posting] {
        let start = self.postings.partition_point(|posting| (posting.line as usize) < line);
        let end = self.postings.partition_point(|posting| posting.line as usize <= line);
        &self.postings[start..end]
    }

    /// The sum of all postings.
    #[must_use]
    pub fn totals(&self) -> Amounts {
        self.runs.iter().map(|run| run.amounts).sum()
    }
}

/// Postings of one line that go into the same sums, added up.
pub struct Run {
    pub line: u32,
    pub behaviour: Behaviour,
    pub year: u32,
    pub amounts: Amounts,
}

impl Run {
    /// Whether a posting goes into the same sums; one whose past is known stands alone, so that a trace names it.
    #[inline]
    fn takes(&self, line: u32, year: u32, posting: &Posting) -> bool {
        let is_constant =
            !posting.is_traced() && !self.amounts.total.is_traced() && !self.amounts.present_value.is_traced();
        self.line == line && self.year == year && is_constant
    }
}

/// Interest and balance of one loan, month by month from its start.
pub struct LoanSchedule {
    pub line: usize,
    pub start: u32,
    pub interest: Vec<Money>,
    pub balance: Vec<Money>,
}

/// Prices every line of a plan.
///
/// # Errors
/// Names the first line whose amount is too large to compute with.
pub fn price(plan: &Plan, time: &Time, currency: Currency) -> Result<Priced, Failure> {
    let Plan { served, lines, .. } = plan;
    let mut desk = Desk {
        time,
        currency,
        served,
        service_charges: served.sites.iter().map(|_| Vec::new()).collect(),
        last_run: [0; 2],
        priced: Priced {
            postings: Vec::with_capacity(lines.iter().map(|line| line.charges.len()).sum()),
            runs: Vec::with_capacity(lines.len() * (1 + year_of(time.horizon))),
            zeros: Vec::new(),
            loans: Vec::new(),
            own_charges: Vec::new(),
            use_charges: Vec::new(),
        },
    };
    let (shares, others): (Vec<_>, Vec<_>) = lines.iter().enumerate().partition(|(_, line)| line.is_share());
    for site in shares.iter().filter_map(|(_, line)| line.site) {
        desk.service_charges[site].resize(time.horizon as usize, [Money::ZERO; 2]);
    }
    // Shares of service charges wait for the charges themselves.
    for (place, line) in others.into_iter().chain(shares) {
        desk.price_line(place, line)?;
    }
    desk.priced.postings.sort_by_key(|posting| posting.line);
    desk.priced.runs.sort_by_key(|run| run.line);
    Ok(desk.priced)
}

/// Where the amounts of one line are posted.
#[derive(Clone, Copy)]
struct Account<'l, 'm> {
    place: u32,
    line: &'l PlanLine<'m>,
    /// The site whose service charges they are, where a line asks for those.
    charges: Option<usize>,
}

struct Desk<'a, 'b> {
    time: &'b Time<'a>,
    currency: Currency,
    served: &'b Served<'a>,
    /// Service charges posted by site, month and behaviour; empty for sites where no line asks for them.
    service_charges: Vec<Vec<[Money; 2]>>,
    /// The last run of each behaviour, by its place.
    last_run: [usize; 2],
    priced: Priced,
}

impl Desk<'_, '_> {
    fn price_line(&mut self, place: usize, line: &PlanLine) -> Result<(), Failure> {
        match &line.price {
            Price::Flat { rate, index, exchange } => {
                let mut unit = UnitPrice::new(self.time, *rate * *exchange, *index);
                let mut before: Option<(Num, Num, Money)> = None;
                let account = self.account(place, line);
                for charge in &line.charges {
                    let price = unit.in_month(charge.index_month);
                    let amount = match &before {
                        // The same quantity at the same price comes to the same amount.
                        Some((quantity, at, amount))
                            if quantity.is_same_constant(charge.quantity) && at.is_same_constant(price) =>
                        {
                            *amount
                        }
                        _ => {
                            let amount = self.product(line, charge.month, charge.quantity, price)?;
                            before = Some((charge.quantity, price, amount));
                            amount
                        }
                    };
                    self.post_rounded(account, charge.month, charge.behaviour, charge.timing, amount)?;
                }
            }
            Price::Tiered { tiers, index, exchange } => {
                let mut factor = UnitPrice::new(self.time, *exchange, *index);
                let mut reached = (u32::MAX, Num::ZERO);
                let account = self.account(place, line);
                for charge in &line.charges {
                    let from = if reached.0 == charge.month { reached.1 } else { Num::ZERO };
                    let to = from + charge.quantity;
                    let amount = graduated(tiers, from, to);
                    let amount = self.product(line, charge.month, amount, factor.in_month(charge.index_month))?;
                    self.post_rounded(account, charge.month, charge.behaviour, charge.timing, amount)?;
                    reached = (charge.month, to);
                }
            }
            Price::ShareOfServiceCharges { tiers, quantity, from, to } => {
                self.post_share(place, line, tiers, *quantity, *from..*to)?;
            }
            Price::TakeOrPay { parts, index, exchange, minimum } => {
                self.post_service(place, line, parts, (*index, *exchange), *minimum)?;
            }
            Price::Loan { draws, months, rate, is_balance } => {
                for draw in draws {
                    self.post_loan(place, line, *draw, *months, *rate, *is_balance)?;
                }
            }
        }
        Ok(())
    }

    /// Rounds an amount once, and posts it.
    fn post(&mut self, place: usize, line: &PlanLine, charge: &Charge, amount: Num) -> Result<(), Failure> {
        let Charge { month, behaviour, timing, .. } = *charge;
        let amount = self.rounded(line, month, amount)?;
        self.post_rounded(self.account(place, line), month, behaviour, timing, amount)
    }

    /// Where the amounts of a line are posted.
    fn account<'l, 'm>(&self, place: usize, line: &'l PlanLine<'m>) -> Account<'l, 'm> {
        let is_charge = line.category == Category::ServiceCharges && !line.is_share();
        let charges = line.site.filter(|site| is_charge && !self.service_charges[*site].is_empty());
        Account { place: place as u32, line, charges }
    }

    /// An amount in whole minor units, or that its line has become too large.
    fn rounded(&self, line: &PlanLine, month: u32, amount: Num) -> Result<Money, Failure> {
        Money::rounded(amount, self.currency.minor_digits).ok_or_else(|| self.too_large(line, month))
    }

    /// The same for a quantity at a price.
    fn product(&self, line: &PlanLine, month: u32, quantity: Num, price: Num) -> Result<Money, Failure> {
        Money::of_product(quantity, price, self.currency.minor_digits).ok_or_else(|| self.too_large(line, month))
    }

    /// The one door to the ledger: discounts what was rounded, and leaves nothing out but zero.
    #[inline(always)]
    fn post_rounded(
        &mut self,
        account: Account,
        month: u32,
        behaviour: Behaviour,
        timing: PostingTiming,
        amount: Money,
    ) -> Result<(), Failure> {
        if amount.is_nothing() {
            return Ok(());
        }
        let factor = self.time.factor(timing, month);
        let Some(present_value) = amount.discounted(factor, self.currency.minor_digits) else {
            return Err(self.too_large(account.line, month));
        };
        let posting = Posting { line: account.place, month, behaviour, timing, amount, present_value };
        // What is recorded for other inputs may be nothing for these.
        if !amount.is_open() && amount.is_zero() {
            self.priced.zeros.push(posting);
            return Ok(());
        }
        self.priced.postings.push(posting);
        self.add_up(&posting);
        if let Some(site) = account.charges
            && let Some(charges) = self.service_charges[site].get_mut(month as usize)
        {
            charges[behaviour as usize] += amount;
        }
        Ok(())
    }

    /// Adds a posting to the run that it goes into.
    #[inline]
    fn add_up(&mut self, posting: &Posting) {
        let Posting { line, month, behaviour, .. } = *posting;
        let year = year_of(month) as u32;
        let last = &mut self.last_run[behaviour as usize];
        match self.priced.runs.get_mut(*last).filter(|run| run.behaviour == behaviour && run.takes(line, year, posting))
        {
            Some(run) => {
                let Amounts { total, present_value } = &mut run.amounts;
                *total = Money::of_constants([*total, posting.amount]);
                *present_value = Money::of_constants([*present_value, posting.present_value]);
            }
            None => {
                *last = self.priced.runs.len();
                self.priced.runs.push(Run { line, behaviour, year, amounts: posting.amounts() });
            }
        }
    }

    #[cold]
    fn too_large(&self, line: &PlanLine, month: u32) -> Failure {
        let path = match (line.site, line.stated) {
            (Some(site), Some(stated)) => {
                format!("environments.{}.costs.{}", self.served.sites[site].environment.id, stated.id)
            }
            (Some(site), None) => format!("environments.{}.supply", self.served.sites[site].environment.id),
            (None, _) => format!("placements.{}.costs.{}", self.served.placement.id, line.id),
        };
        Failure {
            path,
            message: format!(
                "the amount of “{}” in month {month} is too large to compute with; use smaller numbers, or a larger unit",
                line.label
            ),
        }
    }

    fn post_share(
        &mut self,
        place: usize,
        line: &PlanLine,
        tiers: &[PriceTier],
        quantity: Num,
        months: std::ops::Range<u32>,
    ) -> Result<(), Failure> {
        let Some(site) = line.site else { return Ok(()) };
        for month in months {
            let [fixed, used] = self.service_charges[site].get(month as usize).copied().unwrap_or_default();
            let digits = self.currency.minor_digits;
            let (fixed, used) = (fixed.num(digits) * quantity, used.num(digits) * quantity);
            let amount = graduated(tiers, Num::ZERO, fixed);
            self.post(place, line, &Charge::recurring(month, fixed), amount)?;
            let amount = graduated(tiers, fixed, fixed + used);
            self.post(place, line, &Charge::used(month, used), amount)?;
        }
        Ok(())
    }

    fn post_service(
        &mut self,
        place: usize,
        line: &PlanLine,
        parts: &[ServicePart],
        (index, exchange): (IndexId, Num),
        minimum: Num,
    ) -> Result<(), Failure> {
        let mut factor = UnitPrice::new(self.time, exchange, index);
        let mut own_charges = vec![Num::ZERO; parts.len()];
        let mut use_charges = vec![Num::ZERO; self.time.horizon as usize];
        let minimum = minimum * exchange;
        for charge in &line.charges {
            let month = charge.month;
            let mut use_charge = Num::ZERO;
            for (part, own) in parts.iter().zip(&mut own_charges) {
                let quantity = part.quantities.get(month as usize).copied().unwrap_or(Num::ZERO);
                let amount = graduated(&part.tiers, Num::ZERO, quantity) * factor.in_month(month);
                *own += amount;
                use_charge += amount;
            }
            use_charges[month as usize] = use_charge;
            self.post(place, line, charge, minimum)?;
            let beyond = (use_charge - minimum).max(Num::ZERO);
            self.post(place, line, &Charge::used(month, Num::ONE), beyond)?;
        }
        self.priced.use_charges.push((place, use_charges));
        if line.follows == Follows::OwnCharge {
            self.priced.own_charges.push((place, own_charges));
        }
        Ok(())
    }

    fn post_loan(
        &mut self,
        place: usize,
        line: &PlanLine,
        draw: LoanDraw,
        months: u32,
        rate: Num,
        is_balance: bool,
    ) -> Result<(), Failure> {
        let digits = self.currency.minor_digits;
        let failed = || self.too_large(line, draw.start);
        let principal = Money::rounded(draw.principal, digits).ok_or_else(failed)?;
        let monthly_rate = rate / Num::whole(12);
        let annuity = Money::rounded(annuity(draw.principal, monthly_rate, months), digits).ok_or_else(failed)?;
        let name = |label, month| Name::new(label, "money", line.id).in_month(month);
        let principal = principal.called(|| name("Borrowed", draw.start));
        let annuity = annuity.called(|| name("Annuity", draw.start));
        let mut schedule = LoanSchedule { line: place, start: draw.start, interest: Vec::new(), balance: Vec::new() };
        let mut balance = principal;
        for month in draw.start..(draw.start + months).min(self.time.horizon) {
            let interest = Money::rounded(balance.num(digits) * monthly_rate, digits)
                .ok_or_else(|| self.too_large(line, month))?
                .called(|| name("Interest of the month", month));
            let is_last = month + 1 == draw.start + months;
            let payment = if is_last { balance + interest } else { annuity.lesser(balance + interest) };
            balance = (balance + interest - payment).called(|| name("Owed after the payment", month));
            schedule.interest.push(interest);
            schedule.balance.push(balance);
            if !is_balance {
                let account = self.account(place, line);
                self.post_rounded(account, month, Behaviour::Fixed, PostingTiming::Recurring, payment)?;
            }
        }
        if is_balance {
            let last = self.time.horizon - 1;
            let account = self.account(place, line);
            self.post_rounded(account, last, Behaviour::Fixed, PostingTiming::End, balance)?;
        } else {
            self.priced.loans.push(schedule);
        }
        Ok(())
    }
}

/// The level payment that repays a principal: P · i / (1 − (1 + i)^−n), and P / n without interest.
#[must_use]
pub fn annuity(principal: Num, monthly_rate: Num, months: u32) -> Num {
    if monthly_rate.is_zero() {
        return (principal / Num::count(months)).because(monthly_rate);
    }
    let growth = (Num::ONE + monthly_rate).power(months);
    principal * monthly_rate * growth / (growth - Num::ONE)
}

/// Prices the quantity between two points tier by tier, progressively; going back gives back what the way there cost.
#[must_use]
pub fn graduated(tiers: &[PriceTier], from: Num, to: Num) -> Num {
    if let [only] = tiers {
        return (to - from) * only.rate;
    }
    let is_constant = !from.is_traced() && !to.is_traced();
    if is_constant && from <= to && tiers.iter().all(|tier| tier.up_to.is_none_or(|up_to| !up_to.is_traced())) {
        return graduated_constant(tiers, from, to);
    }
    if from.is_open() || to.is_open() {
        return graduated_from_zero(tiers, to) - graduated_from_zero(tiers, from);
    }
    if to < from {
        return -graduated(tiers, to, from);
    }
    let mut amount = Num::ZERO;
    // The first tier has no floor, so that a credit is priced as what it takes back.
    let mut floor = from.min(Num::ZERO);
    for tier in tiers {
        let start = from.max(floor);
        let end = tier.up_to.map_or(to, |up_to| to.min(up_to));
        if start < end {
            amount += (end - start) * tier.rate;
        }
        match tier.up_to {
            Some(up_to) => floor = up_to,
            None => break,
        }
    }
    amount
}

/// The same upwards between constants and over constant bounds: whatever decides how much lies in a tier has no past to be kept.
fn graduated_constant(tiers: &[PriceTier], from: Num, to: Num) -> Num {
    let mut amount = Num::ZERO;
    let mut reached = from;
    for tier in tiers {
        let beyond = tier.up_to.filter(|up_to| *up_to < to);
        let end = beyond.unwrap_or(to);
        if reached < end {
            amount += (end - reached) * tier.rate;
            reached = end;
        }
        if beyond.is_none() {
            break;
        }
    }
    amount
}

/// The same from zero, by one formula for whatever the quantity is: what lies in each tier, nothing included.
fn graduated_from_zero(tiers: &[PriceTier], to: Num) -> Num {
    let mut floor: Option<Num> = None;
    let mut amount = Num::ZERO;
    for tier in tiers {
        let end = tier.up_to.map_or(to, |up_to| to.min(up_to));
        amount += floor.map_or(end, |floor| (end - floor).max(Num::ZERO)) * tier.rate;
        floor = tier.up_to;
    }
    amount
}

/// A price at the index of a month, computed once a year.
struct UnitPrice<'a, 'b> {
    time: &'b Time<'a>,
    price: Num,
    index: IndexId,
    of_year: (usize, Num),
}

impl<'a, 'b> UnitPrice<'a, 'b> {
    fn new(time: &'b Time<'a>, price: Num, index: IndexId) -> Self {
        Self { time, price, index, of_year: (usize::MAX, Num::ZERO) }
    }

    #[inline]
    fn in_month(&mut self, month: u32) -> Num {
        let year = year_of(month);
        if self.of_year.0 != year {
            self.of_year = (year, self.at_index_of(month));
        }
        self.of_year.1
    }

    #[inline(never)]
    fn at_index_of(&self, month: u32) -> Num {
        self.price * self.time.index_factor(self.index, month)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Tier by tier upwards comes to the difference of what both ends come to from zero.
        #[test]
        fn constants_run_through_the_tiers_as_any_quantity_does(
            ends in (-1_000_i64..1_000, 0_i64..1_000), bounds in (1_i64..500, 1_i64..500), rates in (0_i64..100, 0_i64..100, 0_i64..100),
        ) {
            let tier = |up_to, rate| PriceTier { up_to, rate: Num::whole(rate) };
            let (first, second) = (Num::whole(bounds.0), Num::whole(bounds.0 + bounds.1));
            let tiers = [tier(Some(first), rates.0), tier(Some(second), rates.1), tier(None, rates.2)];
            let (from, to) = (Num::whole(ends.0), Num::whole(ends.0 + ends.1));
            let expected = graduated_from_zero(&tiers, to) - graduated_from_zero(&tiers, from);
            prop_assert_eq!(graduated_constant(&tiers, from, to), expected);
        }
    }
}
