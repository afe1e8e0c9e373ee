//! Commitments as FinOps FOCUS counts them: used and unused, never one averaged rate.
//!
//! Both examples are shipped scenarios; only the split of a yearly agreement, which a monthly minimum cannot express, is
//! computed by the finance functions.

use crate::engine::finance::commitment_use;
use crate::engine::time::HOURS_PER_MONTH;
use crate::quantity::Num;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 2] = [
    Shipped {
        file: "commitment-used-in-part.ron",
        text: include_str!("../../../scenarios/published/commitment-used-in-part.ron"),
    },
    Shipped { file: "spend-agreement.ron", text: include_str!("../../../scenarios/published/spend-agreement.ron") },
];

pub(super) fn case() -> Case {
    let [in_part, agreement] = SCENARIOS.each_ref().map(Evaluated::of);
    let hours = Num::whole(HOURS_PER_MONTH);
    let (committed, idle) = (in_part.fixed("cloud"), in_part.idle_commitment("cloud"));

    let minimum = number("60");
    let settlement = agreement.postings("agreed", "settlement").into_iter().map(|(_, amount)| amount).sum();
    let unused_minimums = agreement.idle_commitment("agreed");
    let used = agreement.fixed("agreed") - settlement - unused_minimums;
    let first_month = commitment_use(minimum, number("48")).unused;
    Case {
        id: "commitments",
        title: "Commitments, used and unused",
        source: "FinOps FOCUS 1.2, examples of commitments",
        convention: "Effective cost is what is used and what is unused, as two rows. A monthly minimum is billed whether used or not, and \
                     what a year’s bills leave of the agreement falls due at its end. The months of use are those that the shortfalls \
                     leave: 48, three times 60, and eight of nothing.",
        scenarios: &SCENARIOS,
        rows: vec![
            Row::new("Commitment of 1.00 an hour, used 75 %: used", "USD an hour", "0.75", (committed - idle) / hours),
            Row::new("Commitment of 1.00 an hour, used 75 %: unused", "USD an hour", "0.25", idle / hours),
            Row::new("Agreement of 1,200 a year: used", "USD", "228", used),
            Row::new("Agreement of 1,200 a year: unused", "USD", "972", commitment_use(number("1200"), used).unused),
            Row::new("Monthly minimum of 60: shortfall of the month in part", "USD", "12", first_month),
            Row::new("Shortfall of the eight months of nothing, 8 · 60", "USD", "480", unused_minimums - first_month),
            Row::new("Settlement at the end of the year", "USD", "480", settlement),
            Row::new("Billed in all", "USD", "1200.00", agreement.total("agreed")),
        ],
    }
}
