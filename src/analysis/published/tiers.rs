//! Graduated egress: each tier prices what lies inside it.
//!
//! Totals come from a shipped scenario, the part of each tier from the same function of the ledger.

use crate::engine::finance::graduated;
use crate::engine::plan::PriceTier;
use crate::quantity::Num;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 1] =
    [Shipped { file: "graduated-egress.ron", text: include_str!("../../../scenarios/published/graduated-egress.ron") }];

/// Widths in GB, as the list gives them, each with its rate; the last tier is open.
const WIDTHS: [(&str, &str); 3] = [("10240", "0.09"), ("40960", "0.085"), ("102400", "0.07")];
const LAST_RATE: &str = "0.05";

fn tiers() -> Vec<PriceTier> {
    let mut bound = Num::ZERO;
    let bounded = WIDTHS.iter().map(|(width, rate)| {
        bound += number(width);
        PriceTier { up_to: Some(bound), rate: number(rate) }
    });
    bounded.collect::<Vec<_>>().into_iter().chain([PriceTier { up_to: None, rate: number(LAST_RATE) }]).collect()
}

/// What each tier charges of a quantity, in their order.
fn parts(tiers: &[PriceTier], quantity: Num) -> Vec<Num> {
    let mut floor = Num::ZERO;
    let parts = tiers.iter().map(|tier| {
        let end = tier.up_to.map_or(quantity, |bound| bound.min(quantity));
        let part = graduated(tiers, floor.min(end), end);
        floor = end;
        part
    });
    parts.collect()
}

pub(super) fn case() -> Case {
    let (less, tiers) = (Evaluated::of(&SCENARIOS[0]), tiers());
    let more = less.case("more");
    let mut rows: Vec<Row> = ["10240", "51200", "153600"]
        .into_iter()
        .zip(&tiers)
        .enumerate()
        .map(|(place, (published, tier))| {
            let bound = tier.up_to.unwrap_or(Num::BROKEN);
            Row::new(format!("Upper bound of tier {}", place + 1), "GB", published, bound)
        })
        .collect();
    let quantities: [(&str, &[&str], &str, Num); 2] = [
        ("57000", &["921.60", "3481.60", "406.00"], "4809.20", less.total("cloud")),
        ("157000", &["921.60", "3481.60", "7168.00", "170.00"], "11741.20", more.total("cloud")),
    ];
    for (quantity, printed, total, computed) in quantities {
        let parts = parts(&tiers, number(quantity));
        let shown = if quantity == "57000" { "57,000 GB" } else { "157,000 GB" };
        for (place, (published, part)) in printed.iter().zip(parts).enumerate() {
            rows.push(Row::new(format!("{shown}, tier {}", place + 1), "USD", published, part));
        }
        rows.push(Row::new(format!("{shown} in all"), "USD", total, computed));
    }
    Case {
        id: "tiers",
        title: "Graduated egress tiers",
        source: "public price list of internet egress",
        convention: "10 TB are 10,240 GB. The figures of the list are widths, so that the upper bounds add up to 10,240, 51,200 and \
                     153,600. Each tier prices only what lies inside it.",
        scenarios: &SCENARIOS,
        rows,
    }
}
