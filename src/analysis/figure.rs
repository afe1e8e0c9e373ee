//! The figures that analyses ask for, by name, and what they come to.
//!
//! Nothing here knows how a figure is computed.

use rust_decimal::Decimal;

use crate::engine::{Figure, FigureValue};
use crate::quantity::Currency;
use crate::scenario::{Problem, Scenario, problem};

/// Names of the figures of a whole placement.
const WHOLE: [(&str, Figure); 3] = [
    ("total", Figure::Total),
    ("present_value", Figure::PresentValue),
    ("equivalent_annual_cost", Figure::EquivalentAnnualCost),
];
const COST_PER_OUTPUT: &str = "cost_per_output";
const LEVELISED: &str = "levelised_cost_per_output";

/// The figure of a name, such as `present_value` or `cost_per_output.llm-training`.
///
/// # Errors
/// A sentence that names the figures there are.
pub fn figure_named(scenario: &Scenario, name: &str) -> Result<Figure, Problem> {
    if let Some((_, figure)) = WHOLE.iter().find(|(known, _)| *known == name) {
        return Ok(figure.clone());
    }
    let (kind, class) = name.split_once('.').unwrap_or((name, ""));
    let figure: fn(String) -> Figure = match kind {
        COST_PER_OUTPUT => Figure::CostPerOutput,
        LEVELISED => Figure::LevelisedCostPerOutput,
        _ => return Err(unknown(name)),
    };
    let classes = || scenario.workloads.iter().map(|workload| workload.id.as_str());
    if classes().any(|id| id == class) {
        return Ok(figure(class.into()));
    }
    Err(problem::dangling("", "workload class", class, classes()))
}

fn unknown(name: &str) -> Problem {
    let message = format!(
        "there is no figure {:?}. Figures are total, present_value, equivalent_annual_cost, cost_per_output.WORKLOAD and \
         levelised_cost_per_output.WORKLOAD.",
        problem::clipped(name)
    );
    Problem::error("", message)
}

/// The name of a figure.
#[must_use]
pub fn figure_name(figure: &Figure) -> String {
    match figure {
        Figure::CostPerOutput(class) => format!("{COST_PER_OUTPUT}.{class}"),
        Figure::LevelisedCostPerOutput(class) => format!("{LEVELISED}.{class}"),
        _ => WHOLE.iter().find(|(_, known)| known == figure).map_or_else(String::new, |(name, _)| (*name).into()),
    }
}

/// What people read for a figure.
#[must_use]
pub fn figure_label(scenario: &Scenario, figure: &Figure) -> String {
    let class_name = |class: &str| {
        scenario
            .workloads
            .iter()
            .find(|workload| workload.id == class)
            .map_or_else(|| class.to_owned(), |class| class.name.clone())
    };
    match figure {
        Figure::Total => "Total cost".into(),
        Figure::PresentValue => "Present value".into(),
        Figure::EquivalentAnnualCost => "Equivalent annual cost".into(),
        Figure::CostPerOutput(class) => format!("Cost per useful output of {}", class_name(class)),
        Figure::LevelisedCostPerOutput(class) => format!("Levelised cost per useful output of {}", class_name(class)),
    }
}

/// Whether the figure is an amount of money in whole minor units, rather than a ratio.
#[must_use]
pub fn is_money(figure: &Figure) -> bool {
    !matches!(figure, Figure::CostPerOutput(_) | Figure::LevelisedCostPerOutput(_))
}

/// A figure as a decimal; none where there is no output to measure against, or it is too large to compute with.
#[must_use]
pub fn decimal(value: FigureValue, currency: Currency) -> Option<Decimal> {
    match value {
        FigureValue::Money(money) => money.num(currency.minor_digits).decimal(),
        FigureValue::PerOutput(ratio) => ratio.decimal(),
        FigureValue::None => None,
    }
}
