//! How many inputs there are, in the same words wherever it is said: entered or at their defaults, each alone or a group as one.
//!
//! Nothing here counts what an analysis counts.

use crate::scenario::Scenario;
use crate::show::Figures;

/// What is moved or drawn, of which a group counts as one: `63 inputs and groups`; `72 inputs` where nothing is grouped.
#[must_use]
pub fn moved(scenario: &Scenario, count: usize, figures: Figures) -> String {
    match (count, scenario.groups.is_empty()) {
        (1, true) => "1 input".to_owned(),
        (1, false) => "1 input or group".to_owned(),
        (many, true) => format!("{} inputs", figures.count(many)),
        (many, false) => format!("{} inputs and groups", figures.count(many)),
    }
}

/// Inputs that state a range, and as how many they are drawn: `72 inputs state a range. With each group as one, 63 inputs and
/// groups are drawn.`
#[must_use]
pub fn stated(scenario: &Scenario, (stated, drawn): (usize, usize), figures: Figures) -> String {
    let inputs = match stated {
        1 => "1 input states a range.".to_owned(),
        many => format!("{} inputs state a range.", figures.count(many)),
    };
    if stated == drawn {
        return inputs;
    }
    let verb = if drawn == 1 { "is" } else { "are" };
    format!("{inputs} With each group as one, {} {verb} drawn.", moved(scenario, drawn, figures))
}

/// Inputs that stand still for want of a range: `340 inputs that were entered, and 1,530 at their defaults`.
#[must_use]
pub fn held(entered: usize, defaults: usize, figures: Figures) -> String {
    let inputs = if entered == 1 { "1 input that was entered" } else { "inputs that were entered" };
    let entered = if entered == 1 { inputs.to_owned() } else { format!("{} {inputs}", figures.count(entered)) };
    match defaults {
        0 => entered,
        many => format!("{entered}, and {} at their defaults", figures.count(many)),
    }
}
