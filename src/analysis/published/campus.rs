//! Cost per GPU-hour of a gigawatt campus.
//!
//! Present values and postings are those of a shipped scenario of 30 years; here they are spread over the months and
//! divided by the GPU-hours.

use crate::engine::finance::capital_recovery;
use crate::quantity::Num;
use crate::scenario::Category;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 1] =
    [Shipped { file: "gigawatt-campus.ron", text: include_str!("../../../scenarios/published/gigawatt-campus.ron") }];

const YEARS: u32 = 30;

pub(super) fn case() -> Case {
    let campus = Evaluated::of(&SCENARIOS[0]);
    let rate = number("0.05");
    let (months_of_year, months) = (Num::whole(12), Num::count(12 * YEARS));
    // A chain of whole lives costs each year what one life does.
    let recovered = |categories: &[Category]| {
        let value: Num = categories.iter().map(|of| campus.category_present_value("own", *of)).sum();
        value * capital_recovery(rate, YEARS) / months_of_year
    };
    let each_month = |category| campus.category_total("own", category) / months;
    let servers = recovered(&[Category::Hardware, Category::Refresh]);
    let network = recovered(&[Category::Network]);
    let facility = recovered(&[Category::Facilities]);
    let (power, people) = (each_month(Category::Power), each_month(Category::Operations));

    // The publication counts years of 8,766 hours.
    let hours = number("8766") / months_of_year;
    let published_power = number("1000000") * number("0.80") * number("1.10") * number("0.07") * hours;
    let cost = servers + network + facility + published_power + people;
    let all_hours = number("400000") * hours;
    let compounded_monthly = number("15000000000") * capital_recovery(rate / months_of_year, 60);
    let million = |label: &str, published, amount: Num| {
        Row::new(label, "million USD a month", published, amount / number("1000000"))
    };
    Case {
        id: "campus",
        title: "A gigawatt GPU campus, cost per GPU-hour",
        source: "public analysis, 2 May 2026, in the Hennessy–Patterson structure",
        convention: "Annual capital recovery divided by 12, where monthly compounding would give 283.1 for the servers. Years of 8,766 \
                     hours. An unstated 80 % of the GPU-hours stands in the denominator; over all hours a GPU-hour costs 1.461. The \
                     scenario counts months of 730 hours, which moves power by 0.07 %.",
        scenarios: &SCENARIOS,
        rows: vec![
            million("Servers", "288.7", servers),
            million("Servers, compounded monthly", "283.1", compounded_monthly),
            million("Network", "32.8", network),
            million("Facility", "54.0", facility),
            million("Power", "45.0", published_power),
            million("Power in the scenario, months of 730 hours", "45.0", power),
            million("People", "6.3", people),
            Row::new("Over 80 % of the hours", "USD a GPU-hour", "1.826", cost / (all_hours * number("0.80"))),
            Row::new("Over all hours", "USD a GPU-hour", "1.461", cost / all_hours),
        ],
    }
}
