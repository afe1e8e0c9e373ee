//! What must hold for any scenario: tables foot, order without meaning changes nothing, and money behaves as money.
//!
//! Scenarios are generated over every kind of demand, supply, driver, timing and currency; nothing here knows a formula.

mod support;

use std::collections::BTreeMap;

use outlay::engine::{Amounts, Behaviour, Evaluation, PlacementResult, evaluate};
use outlay::quantity::{Exact, Money};
use outlay::scenario::{Basis, Boundary, Category, Index, Rate, Scenario, Syntax, read, write};
use proptest::prelude::*;

/// Scenarios whose numbers fit; what is too large to compute with is refused, which `refused.rs` shows.
fn evaluated(scenario: &Scenario) -> Evaluation {
    evaluate(scenario).unwrap_or_else(|failure| panic!("{}: {}", failure.path, failure.message))
}

fn sum<'a>(placement: &'a PlacementResult, of: impl Fn(&outlay::engine::Line, Behaviour) -> bool + 'a) -> Amounts {
    let mut sum = Amounts::default();
    for posting in &placement.ledger.postings {
        if of(&placement.ledger.lines[posting.line as usize], posting.behaviour) {
            sum += Amounts { total: posting.amount, present_value: posting.present_value };
        }
    }
    sum
}

fn feet(placement: &PlacementResult, horizon: u32) {
    let all = sum(placement, |_, _| true);
    assert_eq!(placement.totals, all);
    let mut by_category = Amounts::default();
    placement.by_category.iter().for_each(|of| by_category += of.amounts);
    assert_eq!(by_category, all, "categories add up");
    let mut by_year = Amounts::default();
    placement.by_year.iter().for_each(|year| by_year += *year);
    assert_eq!(by_year, all, "years add up");
    assert_eq!(placement.by_year.len(), horizon.div_ceil(12) as usize);
    assert_eq!(placement.fixed + placement.usage_driven, all.total, "behaviours add up");
    assert_eq!(placement.provider + placement.retained, all.total, "boundaries add up");
    let mut by_environment = sum(placement, |line, _| line.environment.is_none());
    placement.environments.iter().for_each(|environment| by_environment += environment.amounts);
    assert_eq!(by_environment, all, "environments and the placement's own lines add up");
    let by_workload: Money = placement.workloads.iter().map(|workload| workload.allocated.total).sum();
    assert_eq!(by_workload + placement.unallocated, all.total, "classes and what nobody bears add up");
    for category in Category::ALL {
        let crossed = sum(placement, |line, _| line.category == *category);
        assert_eq!(placement.by_category[*category as usize].amounts, crossed, "{}", category.label());
    }
    assert_eq!(placement.fixed, sum(placement, |_, behaviour| behaviour == Behaviour::Fixed).total);
    assert_eq!(placement.provider, sum(placement, |line, _| line.boundary == Boundary::Provider).total);
    assert_eq!(placement.exposures.cash_to_leave.len(), horizon as usize);
    assert!(placement.ledger.postings.iter().all(|posting| !posting.amount.is_zero() && posting.month < horizon));
    if let Some(taxed) = &placement.after_tax {
        assert_eq!(taxed.by_year.iter().copied().sum::<Money>(), taxed.tax_relief);
        assert_eq!(taxed.total + taxed.tax_relief, all.total);
    }
}

/// The figures of an evaluation that do not depend on where a list places its elements.
fn figures(evaluation: &Evaluation) -> BTreeMap<String, (Amounts, Money, Money)> {
    let of = |placement: &PlacementResult| {
        (placement.id.clone(), (placement.totals, placement.fixed, placement.exposures.idle_commitment))
    };
    evaluation.placements.iter().map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_table_foots_and_cross_foots(scenario in support::scenarios()) {
        let evaluation = evaluated(&scenario);
        for placement in &evaluation.placements {
            feet(placement, scenario.horizon_months);
        }
    }

    /// Workloads, environments, cost lines and placements stand in lists, but only assignments have an order that counts.
    #[test]
    fn order_without_meaning_changes_no_figure(scenario in support::scenarios()) {
        let mut turned = scenario.clone();
        turned.workloads.reverse();
        turned.environments.reverse();
        turned.placements.reverse();
        turned.environments.iter_mut().for_each(|environment| environment.costs.reverse());
        turned.placements.iter_mut().for_each(|placement| placement.costs.reverse());
        prop_assert_eq!(figures(&evaluated(&scenario)), figures(&evaluated(&turned)));
    }

    #[test]
    fn a_rate_of_zero_makes_present_value_the_total(mut scenario in support::scenarios()) {
        scenario.discounting.rate.value = Exact::whole(0);
        scenario.discounting.basis = Basis::Nominal;
        for placement in evaluated(&scenario).placements {
            prop_assert_eq!(placement.totals.total, placement.totals.present_value);
        }
    }

    /// Constant in purchasing power under a real rate is the same as rising with inflation under the nominal rate that
    /// Fisher's equation gives.
    #[test]
    fn real_and_nominal_treatment_agree(mut scenario in support::scenarios()) {
        let exact = |text: &str| Exact::parse(text).expect("an exact decimal");
        scenario.discounting.basis = Basis::Real;
        scenario.discounting.rate.value = exact("0.05");
        scenario.inflation.value = exact("0.02");
        let mut nominal = scenario.clone();
        nominal.discounting.basis = Basis::Nominal;
        nominal.discounting.rate.value = exact("0.071");
        let general = Some("general-inflation".to_owned());
        nominal.indices.0.insert("general-inflation".into(), Index::Annual(outlay::input::Input::plain(exact("0.02"))));
        // A set-up charge has no index to name, so it cannot be written in the other treatment.
        let has_set_up = scenario.environments.iter().any(|environment| match &environment.supply {
            outlay::scenario::Supply::BareMetal(rented) => rented.setup_per_node.value != Exact::whole(0),
            _ => false,
        });
        prop_assume!(!has_set_up);
        for environment in &mut nominal.environments {
            use outlay::scenario::{Driver, Supply};
            let index = match &mut environment.supply {
                Supply::Dedicated(supply) => &mut supply.node.price_index,
                Supply::BareMetal(supply) => &mut supply.price_index,
                Supply::Cloud(supply) => &mut supply.price_index,
                Supply::GpuService(supply) => &mut supply.price_index,
            };
            *index = index.take().or(general.clone());
            for line in &mut environment.costs {
                // A share of money is no price and does not rise.
                if !matches!(line.driver, Driver::HardwareShareYear | Driver::ServiceChargeShare) {
                    line.index = line.index.take().or(general.clone());
                }
            }
        }
        for placement in &mut nominal.placements {
            placement.costs.iter_mut().for_each(|line| line.index = line.index.take().or(general.clone()));
        }
        prop_assert_eq!(figures(&evaluated(&scenario)), figures(&evaluated(&nominal)));
    }

    /// Twice the price is twice the line, to within half a minor unit a posting.
    #[test]
    fn doubling_a_rate_doubles_its_line(scenario in support::scenarios(), pick in any::<prop::sample::Index>()) {
        use outlay::scenario::Driver;
        let lines: Vec<(usize, usize)> = scenario.environments.iter().enumerate()
            .flat_map(|(place, environment)| (0..environment.costs.len()).map(move |line| (place, line)))
            .filter(|(place, line)| {
                let line = &scenario.environments[*place].costs[*line];
                matches!(line.rate, Rate::Flat(_)) && line.driver != Driver::ServiceChargeShare
            })
            .collect();
        prop_assume!(!lines.is_empty());
        let (place, line) = lines[pick.index(lines.len())];
        let mut doubled = scenario.clone();
        if let Rate::Flat(rate) = &mut doubled.environments[place].costs[line].rate {
            let twice = rate.value.decimal().checked_mul(2.into()).expect("a rate of a generated scenario is small");
            rate.value = Exact::from_decimal(twice).expect("a rate of a generated scenario is short");
        }
        let id = &scenario.environments[place].costs[line].id;
        let environment = &scenario.environments[place].id;
        let line_of = |evaluation: &Evaluation| -> Vec<(Money, usize)> {
            let of_line = |placement: &PlacementResult| {
                let is_it = |at: u32| {
                    let line = &placement.ledger.lines[at as usize];
                    line.id == *id && line.environment.as_ref() == Some(environment)
                };
                let postings = placement.ledger.postings.iter().filter(|posting| is_it(posting.line));
                let amounts: Vec<Money> = postings.map(|posting| posting.amount).collect();
                (amounts.iter().copied().sum(), amounts.len())
            };
            evaluation.placements.iter().map(of_line).collect()
        };
        let (once, twice) = (line_of(&evaluated(&scenario)), line_of(&evaluated(&doubled)));
        for ((once, _), (twice, postings)) in once.into_iter().zip(twice) {
            let off = (twice.minor() - 2 * once.minor()).unsigned_abs();
            // Each posting is rounded once before and once after: at most half a unit, twice over, and half a unit.
            prop_assert!(2 * off <= 3 * postings as u128, "{once:?} doubled is {twice:?} over {postings} postings");
        }
    }

    #[test]
    fn reading_what_was_written_changes_nothing(scenario in support::scenarios()) {
        for syntax in [Syntax::Ron, Syntax::Json] {
            let text = write(&scenario, syntax);
            let (again, _) = read(&text, syntax).expect("what was written reads");
            prop_assert_eq!(&again, &scenario);
            prop_assert_eq!(write(&again, syntax), text);
            prop_assert_eq!(evaluated(&again), evaluated(&scenario));
        }
    }
}
