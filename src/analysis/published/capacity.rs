//! The worked example of GPU capacity of the planning guide.
//!
//! All of it is one scenario in which a node is one GPU; nothing is computed here but a month brought back to a week.

use crate::engine::time::{HOURS_PER_MONTH, HOURS_PER_WEEK};
use crate::quantity::Num;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped};

static SCENARIOS: [Shipped; 1] =
    [Shipped { file: "capacity.ron", text: include_str!("../../../scenarios/published/capacity.ron") }];

pub(super) fn case() -> Case {
    let sixty = Evaluated::of(&SCENARIOS[0]);
    let (half, seventy) = (sixty.case("half"), sixty.case("seventy"));
    let monthly = sixty.waterfall("own", |steps| steps.demand_gpu_hours);
    let weekly = monthly * Num::whole(HOURS_PER_WEEK) / Num::whole(HOURS_PER_MONTH);
    let equivalents = |of: &Evaluated| of.waterfall("own", |steps| steps.baseline);
    let gpus = |of: &Evaluated| of.waterfall("own", |steps| steps.nodes);
    let together = sixty.waterfall("own", |steps| steps.gang_nodes);
    Case {
        id: "capacity",
        title: "Worked example of GPU capacity",
        source: "the planning guide that this program follows",
        convention: "40 runs a week of 4 GPUs and 6 hours, a window of 120 hours a week. Schedulable utilisation is one factor \
                     apart from every reserve, and GPUs are whole only after all of them.",
        scenarios: &SCENARIOS,
        rows: vec![
            Row::new("Demand", "GPU-hours a week", "960", weekly),
            Row::new("Equivalents at 60 %", "GPUs", "13.33", equivalents(&sixty)),
            Row::new("GPUs at 60 %", "GPUs", "14", gpus(&sixty)),
            Row::new("GPUs at 50 %", "GPUs", "16", gpus(&half)),
            Row::new("Equivalents at 70 %", "GPUs", "11.43", equivalents(&seventy)),
            Row::new("Two jobs that start together", "GPUs", "8", together),
        ],
    }
}
