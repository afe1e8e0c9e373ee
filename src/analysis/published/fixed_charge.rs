//! NREL SAM, cost per output by fixed charge rate.
//!
//! A formula of five numbers that no scenario is needed for.

use crate::engine::finance::fixed_charge_cost;

use super::{BINARY, BINARY_SHARE, Case, Row, number};

/// Rate, capital, fixed cost, output, variable cost, and the cost per output published.
const PUBLISHED: [[&str; 6]; 3] = [
    ["0.098", "707940000", "6831000", "594845931.4207453", "0.0035", "0.1316157287534609"],
    ["0.08222968470861396", "260600000", "8400000", "818888286.4347197", "0", "0.03642628222823251"],
    ["0.098", "172485199.53989035", "4885201.729887962", "261253355.296875", "0", "0.08340084765624385"],
];

pub(super) fn case() -> Case {
    let rows = PUBLISHED.iter().enumerate().map(|(place, [rate, capital, fixed, output, variable, published])| {
        let computed =
            fixed_charge_cost(number(rate), number(capital), number(fixed), number(output), number(variable));
        let row = Row::new(format!("Cost per output, system {}", place + 1), "USD/kWh", published, computed);
        // The first agrees in every digit printed.
        if place == 0 { row } else { row.within(BINARY_SHARE, BINARY) }
    });
    Case {
        id: "fixed-charge",
        title: "NREL SAM, cost per output by fixed charge rate",
        source: "NREL/ssc, test of the fixed-charge-rate method",
        convention: "(rate · capital + fixed) / output + variable. The rate stands for capital recovery, tax and depreciation \
                     together, and nothing is discounted.",
        scenarios: &[],
        rows: rows.collect(),
    }
}
