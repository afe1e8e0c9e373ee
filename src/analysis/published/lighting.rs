//! NIST BLCC 5.3-19, the federally financed lighting retrofit.
//!
//! The amounts of each year are postings of a shipped scenario; NIST's count of days and its present values are computed
//! here by the finance functions, since a scenario counts whole months.

use crate::engine::finance::{annual_value, dated_present_value, nominal_rate, power, years_of_days};
use crate::quantity::Num;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 1] = [Shipped {
    file: "lighting-retrofit.ron",
    text: include_str!("../../../scenarios/published/lighting-retrofit.ron"),
}];

const YEARS: u32 = 15;

/// Recurring cost, energy consumption, energy demand and total of each year, as NIST prints them for the existing system.
const PRINTED_YEARS: [[i64; 4]; YEARS as usize] = [
    [5_606, 47_844, 28_922, 82_371],
    [5_611, 46_200, 27_928, 79_740],
    [5_617, 46_768, 28_271, 80_656],
    [5_622, 47_633, 28_794, 82_049],
    [5_628, 47_905, 28_959, 82_492],
    [5_634, 49_077, 29_667, 84_378],
    [5_639, 50_032, 30_244, 85_916],
    [5_645, 50_321, 30_419, 86_385],
    [5_651, 50_302, 30_408, 86_360],
    [5_656, 50_477, 30_514, 86_647],
    [5_662, 50_863, 30_747, 87_271],
    [5_668, 51_249, 30_980, 87_897],
    [5_673, 51_680, 31_241, 88_594],
    [5_679, 51_788, 31_306, 88_774],
    [5_685, 51_798, 31_312, 88_795],
];

const ESCALATION: &str = "The energy lines can be reproduced only to about 0.01 %: the report prints their escalation rates \
                          rounded to a hundredth of a per cent.";
const ESCALATION_IN_TOTAL: &str =
    "It contains the energy lines, whose escalation rates are printed rounded; every other part is equal as printed.";
const ESCALATION_SHARE: &str = "0.0001";
const POSTED: &str = "The ledger rounds each present value to the cent when it is posted.";

/// Days from 1 April 2019 to the 31 March that ends a year. Each fourth year has a 29 February, the first one too.
fn days_to_end_of(year: u32) -> u32 {
    365 * year + year.div_ceil(4) - 1
}

fn years_to_end_of(year: u32) -> Num {
    years_of_days(days_to_end_of(year))
}

pub(super) fn case() -> Case {
    let whole_years = Evaluated::of(&SCENARIOS[0]);
    let printed_rate = whole_years.case("printed-rate");
    let rate = nominal_rate(number("0.03"), number("0.001"));
    let years = years_to_end_of(YEARS);
    let amounts = |placement: &str, line: &str| whole_years.postings(placement, line);
    let by_days = |placement: &str, line: &str| {
        dated_present_value(
            rate,
            amounts(placement, line).into_iter().map(|(month, of)| (of, years_to_end_of(month / 12))),
        )
    };
    let by_years = |rate: Num| {
        let contract = amounts("retrofit", "contract");
        dated_present_value(rate, contract.into_iter().map(|(month, of)| (of, Num::count(month / 12))))
    };

    let contract = by_days("retrofit", "contract");
    let residual = number("390480") * number("0.25") * power(number("1.001"), years);
    let residual_value = residual / power(Num::ONE + rate, years);
    let maintenance = by_days("existing", "maintenance");
    let (energy, demand) = (by_days("existing", "energy"), by_days("existing", "demand"));
    let (energy_left, demand_left) = (by_days("retrofit", "energy"), by_days("retrofit", "demand"));
    let maintenance_left = by_days("retrofit", "maintenance");
    let existing = energy + demand + maintenance;
    let retrofit = contract + energy_left + demand_left + maintenance_left - residual_value;
    let first_maintenance = amounts("existing", "maintenance").first().map_or(Num::BROKEN, |(_, amount)| *amount);
    let percent = |share: Num| share * Num::whole(100);
    let energy_row =
        |label, published, computed| Row::new(label, "USD", published, computed).within(ESCALATION_SHARE, ESCALATION);
    let total_row = |label, unit, published, computed| {
        Row::new(label, unit, published, computed).within(ESCALATION_SHARE, ESCALATION_IN_TOTAL)
    };

    Case {
        id: "lighting",
        title: "NIST BLCC 5.3-19, Federal Financed: Lighting Retrofit",
        source: "usnistgov/blcc, docs/BLCC 5.3 Reports, study of 4 June 2020",
        convention: "The rate is 1.03 · 1.001 − 1 = 3.103 %, printed as 3.1 %. Year k ends days/365.25 after the base date, on a 31 \
                     March, so that 15 years are 14.99795; the residual value escalates over the same 14.99795 years. \
                     Escalation runs from the first year on. The annual rows were rounded apart from their totals.",
        scenarios: &SCENARIOS,
        rows: vec![
            Row::new("Nominal rate", "%", "3.103", percent(rate)),
            Row::new("Nominal rate, as the report prints it", "%", "3.1", percent(rate)),
            Row::new("Fifteen years", "years", "14.99795", years),
            Row::new("Maintenance of the existing system, first year", "USD", "5605.60", first_maintenance),
            Row::new("Contract", "USD", "568558", contract),
            Row::new("Contract by whole years at 3.1 %", "USD", "568617.92", by_years(number("0.031"))),
            Row::new("Contract by whole years at 3.103 %", "USD", "568531.09", by_years(rate)),
            Row::new(
                "Contract in the scenario at 3.1 %",
                "USD",
                "568617.92",
                printed_rate.line_present_value("retrofit", "contract"),
            )
            .apart("-0.01", POSTED),
            Row::new(
                "Contract in the scenario at 3.103 %",
                "USD",
                "568531.09",
                whole_years.line_present_value("retrofit", "contract"),
            )
            .apart("-0.02", POSTED),
            Row::new("Residual value, nominal", "USD", "99094", residual),
            Row::new("Residual value", "USD", "-62662", -residual_value),
            Row::new("Maintenance, existing", "USD", "66856", maintenance),
            energy_row("Energy, existing", "585002", energy),
            energy_row("Demand, existing", "353636", demand),
            energy_row("Energy, retrofit", "111805", energy_left),
            energy_row("Demand, retrofit", "38894", demand_left),
            total_row("Total, existing", "USD", "1005494", existing),
            total_row("Total, retrofit", "USD", "666818", retrofit),
            total_row("Annual value, existing", "USD a year", "84865", annual_value(existing, rate, years)),
            total_row("Annual value, retrofit", "USD a year", "56280", annual_value(retrofit, rate, years)),
            Row::new(
                "Annual value of the total printed, existing",
                "USD a year",
                "84865",
                annual_value(number("1005494"), rate, years),
            ),
            Row::new(
                "Annual value of the total printed, retrofit",
                "USD a year",
                "56280",
                annual_value(number("666818"), rate, years),
            ),
            Row::new("Printed years whose parts miss their total", "of 15", "6", years_that_miss()),
        ],
    }
}

/// How many of the years printed do not add up to the total printed beside them.
fn years_that_miss() -> Num {
    let misses = PRINTED_YEARS.iter().filter(|[parts @ .., total]| parts.iter().sum::<i64>() != *total);
    misses.map(|_| Num::ONE).sum()
}
