//! A shipped scenario with its figures, asked for one at a time.
//!
//! What a scenario does not have is broken, so that the row that rests on it says so instead of stopping the list.

use crate::engine::{CapacityWaterfall, Evaluation, PlacementResult, evaluate, open};
use crate::quantity::{Money, Num};
use crate::scenario::{Category, Scenario, Syntax};

use super::Shipped;

pub(super) struct Evaluated {
    opened: Option<(Scenario, Evaluation)>,
}

impl Evaluated {
    pub(super) fn of(shipped: &Shipped) -> Self {
        let opened = open(shipped.text, Syntax::Ron).ok();
        Self { opened: opened.map(|opened| (opened.scenario, opened.evaluation)) }
    }

    /// The same in one of its cases.
    pub(super) fn case(&self, id: &str) -> Self {
        let changed = self.opened.as_ref().and_then(|(scenario, _)| {
            let case = scenario.cases.iter().find(|case| case.id == id)?;
            let (changed, _) = scenario.with_case(case).ok()?;
            let evaluation = evaluate(&changed).ok()?;
            Some((changed, evaluation))
        });
        Self { opened: changed }
    }

    fn placement(&self, id: &str) -> Option<&PlacementResult> {
        let (_, evaluation) = self.opened.as_ref()?;
        evaluation.placements.iter().find(|placement| placement.id == id)
    }

    fn money(&self, money: Option<Money>) -> Num {
        let digits = self.opened.as_ref().map(|(_, evaluation)| evaluation.currency.minor_digits);
        money.zip(digits).map_or(Num::BROKEN, |(money, digits)| money.num(digits))
    }

    pub(super) fn total(&self, placement: &str) -> Num {
        self.money(self.placement(placement).map(|of| of.totals.total))
    }

    pub(super) fn fixed(&self, placement: &str) -> Num {
        self.money(self.placement(placement).map(|of| of.fixed))
    }

    pub(super) fn idle_commitment(&self, placement: &str) -> Num {
        self.money(self.placement(placement).map(|of| of.exposures.idle_commitment))
    }

    pub(super) fn category_total(&self, placement: &str, category: Category) -> Num {
        let found = self.placement(placement).and_then(|of| of.by_category.iter().find(|of| of.category == category));
        self.money(found.map(|of| of.amounts.total))
    }

    pub(super) fn category_present_value(&self, placement: &str, category: Category) -> Num {
        let found = self.placement(placement).and_then(|of| of.by_category.iter().find(|of| of.category == category));
        self.money(found.map(|of| of.amounts.present_value))
    }

    /// The amounts posted on one line, each with its month.
    pub(super) fn postings(&self, placement: &str, line: &str) -> Vec<(u32, Num)> {
        let Some(of) = self.placement(placement) else { return Vec::new() };
        let is_of_line = |place: u32| of.ledger.lines.get(place as usize).is_some_and(|known| known.id == line);
        let postings = of.ledger.postings.iter().filter(|posting| is_of_line(posting.line));
        postings.map(|posting| (posting.month, self.money(Some(posting.amount)))).collect()
    }

    /// The present value of one line, as the ledger rounds it posting by posting.
    pub(super) fn line_present_value(&self, placement: &str, line: &str) -> Num {
        let Some(of) = self.placement(placement) else { return Num::BROKEN };
        let is_of_line = |place: u32| of.ledger.lines.get(place as usize).is_some_and(|known| known.id == line);
        let postings = of.ledger.postings.iter().filter(|posting| is_of_line(posting.line));
        self.money(Some(postings.map(|posting| posting.present_value).sum()))
    }

    /// How the nodes of a placement's first environment come about.
    pub(super) fn waterfall(&self, placement: &str, figure: impl Fn(&CapacityWaterfall) -> Num) -> Num {
        let environment = self.placement(placement).and_then(|of| of.environments.first());
        environment.and_then(|of| of.capacity.as_ref()).map_or(Num::BROKEN, figure)
    }
}
