//! Lenovo Press LP2225: after how many hours a server of one's own has cost no more than the cloud.
//!
//! The hours come from the formula, the totals of five years from a shipped scenario.

use crate::engine::finance::break_even_hours;
use crate::quantity::{Money, Num};

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 1] =
    [Shipped { file: "own-or-cloud.ron", text: include_str!("../../../scenarios/published/own-or-cloud.ron") }];

const TENS: &str = "The source prints these hours to ten, and only those at 98.32 to the hour.";

pub(super) fn case() -> Case {
    let five_years = Evaluated::of(&SCENARIOS[0]);
    let hours = |cloud: &str| break_even_hours(number("833806"), number(cloud), number("0.87"));
    let on_demand = hours("98.32");
    // Whole dollars a year, five times.
    let year = Money::rounded(five_years.total("cloud") / number("5"), 0);
    let rounded_apart = year.map_or(Num::BROKEN, |year| year.num(0) * number("5"));
    Case {
        id: "break-even",
        title: "Break-even hours of a server of one’s own",
        source: "Lenovo Press LP2225 (2025)",
        convention: "price / (cloud per hour − own per hour), undiscounted, the server busy in every hour. 11.9 months are months of 720 \
                     hours, 11.72 at 730. A derived document rounded each year to whole dollars before adding.",
        scenarios: &SCENARIOS,
        rows: vec![
            Row::new("Against 98.32 an hour", "hours", "8556", on_demand),
            Row::new("The same, months of 720 hours", "months", "11.9", on_demand / number("720")),
            Row::new("The same, months of 730 hours", "months", "11.72", on_demand / number("730")),
            Row::new("Against 77.43 an hour", "hours", "10890", hours("77.43")).apart("0.88", TENS),
            Row::new("Against 53.95 an hour", "hours", "15710", hours("53.95")).apart("-1.52", TENS),
            Row::new("Five years of cloud", "USD", "4306416.00", five_years.total("cloud")),
            Row::new("Five years of one’s own", "USD", "871912.00", five_years.total("own")),
            Row::new("Five years of cloud, each year rounded first", "USD", "4306415", rounded_apart),
        ],
    }
}
