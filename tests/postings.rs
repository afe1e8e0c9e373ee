//! Postings filtered, grouped and crossed: every table foots, whatever is asked of it.
//!
//! Every dimension is asked for by walking the declaration, so that a new one is tested without a line here.

mod support;

use outlay::analysis::explain::Measure;
use outlay::analysis::postings::{Book, By, Dimension, Filter, Group, Order, Pivot, Sum};
use outlay::engine::{Amounts, Evaluation, evaluate};
use outlay::scenario::{Category, Scenario, Syntax, read};
use proptest::prelude::*;

fn shipped(name: &str) -> (Scenario, Evaluation) {
    let text = std::fs::read_to_string(format!("scenarios/{name}.ron")).expect("a shipped scenario");
    let (scenario, _) = read(&text, Syntax::Ron).expect("a shipped scenario is valid");
    let evaluation = evaluate(&scenario).expect("a shipped scenario has figures");
    (scenario, evaluation)
}

fn add(sum: &mut Sum, more: Sum) {
    sum.postings += more.postings;
    sum.amounts += more.amounts;
}

fn total<'a>(sums: impl IntoIterator<Item = &'a Sum>) -> Sum {
    let mut total = Sum::default();
    sums.into_iter().for_each(|sum| add(&mut total, *sum));
    total
}

/// Every group is the sum of what is inside, on every level, and its values stand in their order.
fn groups_foot(groups: &[Group], whole: Sum) {
    assert_eq!(total(groups.iter().map(|group| &group.sum)), whole);
    assert!(groups.windows(2).all(|pair| pair[0].key < pair[1].key), "values stand in their order, each once");
    for group in groups.iter().filter(|group| !group.inner.is_empty()) {
        groups_foot(&group.inner, group.sum);
    }
}

fn pivot_foots(pivot: &Pivot, whole: Sum) {
    assert_eq!(pivot.sum, whole);
    assert_eq!(total(&pivot.totals), whole, "columns add up");
    assert_eq!(total(pivot.lines.iter().map(|line| &line.total)), whole, "rows add up");
    for line in &pivot.lines {
        assert_eq!(total(line.cells.iter().flatten()), line.total, "a row adds up");
    }
    for (column, sum) in pivot.totals.iter().enumerate() {
        assert_eq!(total(pivot.lines.iter().filter_map(|line| line.cells[column].as_ref())), *sum, "a column adds up");
    }
    assert!(pivot.columns.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(pivot.lines.windows(2).all(|pair| pair[0].keys < pair[1].keys));
}

/// Every two dimensions, of every placement, against the placement's own total.
fn foots(scenario: &Scenario, evaluation: &Evaluation) {
    let book = Book::new(scenario, evaluation);
    for (place, result) in evaluation.placements.iter().enumerate() {
        let filter = Filter::default().or(Dimension::Placement, book.choice(Dimension::Placement, place));
        let rows = book.matching(&filter).expect("a placement of the scenario");
        let whole = Sum { postings: result.ledger.postings.len(), amounts: result.totals };
        assert_eq!(book.sum(rows.iter().copied()), whole);
        for &first in Dimension::ALL {
            for &second in Dimension::ALL {
                let grouped = book.grouped(&rows, &[first, second]);
                assert_eq!(grouped.sum, whole);
                groups_foot(&grouped.groups, whole);
                pivot_foots(&book.pivot(&rows, &[first], second), whole);
            }
        }
        pivot_foots(&book.pivot(&rows, &[Dimension::Environment, Dimension::Category], Dimension::FiscalYear), whole);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_group_and_pivot_foots_with_its_placement(scenario in support::scenarios()) {
        let evaluation = evaluate(&scenario).expect("a generated scenario has figures");
        foots(&scenario, &evaluation);
    }

    /// The values of a dimension part the postings: each has one, and asking for all of them leaves nothing out.
    #[test]
    fn the_values_of_a_dimension_part_the_postings(scenario in support::scenarios()) {
        let evaluation = evaluate(&scenario).expect("a generated scenario has figures");
        let book = Book::new(&scenario, &evaluation);
        let all = book.matching(&Filter::default()).expect("no condition");
        for &dimension in Dimension::ALL {
            let mut found = Vec::new();
            let mut every = Filter::default();
            for key in 0..book.values(dimension).len() {
                let choice = book.choice(dimension, key);
                found.extend(book.matching(&Filter::default().or(dimension, choice)).expect("one of its own values"));
                every = every.or(dimension, choice);
            }
            found.sort_unstable();
            prop_assert_eq!(&found, &all, "{}", dimension.name());
            prop_assert_eq!(&book.matching(&every).expect("its own values"), &all);
        }
    }
}

#[test]
fn every_table_of_the_shipped_scenarios_foots() {
    for name in ["guide-example", "regional-platform", "inference-startup", "university-cluster"] {
        let (scenario, evaluation) = shipped(name);
        foots(&scenario, &evaluation);
    }
}

#[test]
fn conditions_of_one_dimension_are_alternatives_and_of_different_ones_all_hold() {
    let (scenario, evaluation) = shipped("regional-platform");
    let book = Book::new(&scenario, &evaluation);
    let sum = |filter: &Filter| book.sum(book.matching(filter).expect("values of the scenario"));
    let own = &evaluation.placements[0];
    let of = |category: Category| own.by_category[category as usize].amounts;
    let power = Filter::default().or(Dimension::Placement, &own.id).or(Dimension::Category, "power");
    assert_eq!(sum(&power).amounts, of(Category::Power), "names are read without case");
    let mut both = of(Category::Power);
    both += of(Category::Cooling);
    assert_eq!(sum(&power.clone().or(Dimension::Category, "Cooling")).amounts, both);
    let years: Vec<Amounts> =
        (1..=5).map(|year| sum(&power.clone().or(Dimension::HorizonYear, year.to_string())).amounts).collect();
    let mut added = Amounts::default();
    years.into_iter().for_each(|year| added += year);
    assert_eq!(added, of(Category::Power));
    let month = power.clone().or(Dimension::Month, "2028-01");
    assert_eq!(sum(&month), sum(&power.or(Dimension::Month, "12")), "a month has a number and a calendar");
    assert_eq!(sum(&month).postings, 2, "one for each environment that this placement uses");
}

#[test]
fn words_are_looked_for_in_label_and_id() {
    let (scenario, evaluation) = shipped("regional-platform");
    let book = Book::new(&scenario, &evaluation);
    let found = |words: &str| book.matching(&Filter::words(words)).expect("words alone").len();
    assert!(0 < found("IT load") && found("it LOAD electricity") == found("IT load"));
    assert!(0 < found("mid-life"), "the id counts as well");
    assert_eq!(found("no such line"), 0);
}

#[test]
fn a_value_that_there_is_not_is_said_with_those_that_there_are() {
    let (scenario, evaluation) = shipped("regional-platform");
    let book = Book::new(&scenario, &evaluation);
    let refused = book.matching(&Filter::default().or(Dimension::Category, "Powr")).expect_err("no such category");
    assert!(refused.message.contains("Did you mean \"Power\"?"), "{refused}");
    assert!(refused.message.contains("\"Hardware\""), "{refused}");
    let refused = Dimension::named("colour").expect_err("no such dimension");
    assert!(refused.contains("fiscal_year"), "{refused}");
}

#[test]
fn fiscal_years_start_where_the_scenario_says() {
    let (mut scenario, _) = shipped("regional-platform");
    scenario.fiscal_year_starts = 7;
    let evaluation = evaluate(&scenario).expect("it has figures");
    let book = Book::new(&scenario, &evaluation);
    let names: Vec<&str> = book.values(Dimension::FiscalYear).iter().map(|year| year.name.as_str()).collect();
    assert_eq!(names, ["2026/27", "2027/28", "2028/29", "2029/30", "2030/31", "2031/32"]);
    let rows = book.matching(&Filter::default().or(Dimension::FiscalYear, "2026/27")).expect("a fiscal year");
    assert!(rows.iter().all(|row| book.entry(*row).key(Dimension::Month) < 6), "January to June 2027");
    assert!(!rows.is_empty());
}

#[test]
fn equal_rows_stay_in_the_order_of_the_ledger_either_way() {
    let (scenario, evaluation) = shipped("guide-example");
    let book = Book::new(&scenario, &evaluation);
    let rows = book.matching(&Filter::default()).expect("no condition");
    for by in [By::Dimension(Dimension::Category), By::Measure(Measure::Total)] {
        for descending in [false, true] {
            let mut sorted = rows.clone();
            book.sort(&mut sorted, Order { by, descending });
            let key = |row: u32| match by {
                By::Dimension(dimension) => book.entry(row).key(dimension) as i128,
                By::Measure(measure) => measure.of_sum(book.entry(row).amounts).minor(),
            };
            for pair in sorted.windows(2) {
                let (first, second) = (key(pair[0]), key(pair[1]));
                let in_order = if descending { second < first } else { first < second };
                assert!(in_order || (first == second && pair[0] < pair[1]));
            }
        }
    }
}
