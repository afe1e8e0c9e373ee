//! Under what conventions the figures of a scenario hold: the same words in the window, in text and in JSON.
//!
//! Nothing here knows a figure.

use crate::engine::time::HOURS_PER_MONTH;
use crate::quantity::Exact;
use crate::scenario::Scenario;
use crate::show::{Cell, Figures};

/// One convention.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Convention {
    /// A stable name, for programs.
    pub name: &'static str,
    pub text: String,
}

/// Every convention of a scenario, in the order in which they are read. `case` is the id of the case that its values are
/// of; none for the base.
#[must_use]
pub fn conventions(scenario: &Scenario, case: Option<&str>, figures: Figures) -> Vec<Convention> {
    let per_cent = |value: Exact| format!("{} %", figures.number(Cell::Percent.shown(value.decimal()).normalize()));
    let Scenario { currency, start, horizon_months, discounting, inflation, tax, fx, fx_date, cases, .. } = scenario;
    let mut all = Vec::new();
    let mut add = |name, text: String| all.push(Convention { name, text });
    add(
        "currency",
        match fx_date {
            _ if fx.0.is_empty() => currency.clone(),
            Some(date) => format!("{currency}, rates of {date}"),
            None => format!("{currency}, exchange rates undated"),
        },
    );
    let months = if *horizon_months == 1 { "month" } else { "months" };
    add("horizon", format!("{horizon_months} {months} from {start}"));
    let basis = discounting.basis.label();
    add("discounting", format!("{} {basis}, {}", per_cent(discounting.rate.value), discounting.timing.label()));
    if inflation.value != Exact::whole(0) {
        add("inflation", format!("inflation {}", per_cent(inflation.value)));
    }
    add("hours", format!("{HOURS_PER_MONTH} h a month"));
    add(
        "tax",
        match tax {
            Some(tax) => format!("before tax, relief at {} apart", per_cent(tax.rate.value)),
            None => "before tax".into(),
        },
    );
    add("decision_figure", format!("decided by {}", scenario.decision_figure.label()));
    let found = case.and_then(|id| cases.iter().find(|case| case.id == id));
    add("case", format!("case: {}", found.map_or("base", |case| case.name.as_str())));
    all
}
