//! What has become of the preferred placement, in a sentence and its reason.
//!
//! Nothing here compares anything.

use crate::analysis::shift::{Nodes, Shift};
use crate::quantity::Money;

/// What the sentences need to be written.
pub struct Naming<'a> {
    /// What a placement is called by its place.
    pub letter: &'a dyn Fn(usize) -> String,
    /// An amount without its sign.
    pub amount: &'a dyn Fn(Money) -> String,
    /// The one value that differs from the base: `0.52 schedulable utilisation`; none where several do.
    pub value: Option<String>,
    /// Whether anything differs from the base.
    pub over_base: bool,
}

/// What is preferred now, and what decided it: two sentences, the second of which may be empty.
#[must_use]
pub fn shift(shift: &Shift, naming: &Naming<'_>) -> (String, String) {
    (lead(shift, naming), if naming.over_base { reason(shift, naming) } else { String::new() })
}

fn lead(shift: &Shift, Naming { letter, amount, over_base, .. }: &Naming<'_>) -> String {
    let ahead = shift.runner_up.map(|(second, by)| format!(", {} before {}", amount(by), letter(second)));
    let ahead = ahead.unwrap_or_default();
    match (shift.from, shift.to) {
        (Some(from), Some(to)) if from != to => {
            format!("The cheapest placement changes from {} to {}.", letter(from), letter(to))
        }
        (None, Some(to)) if *over_base => format!("{} serves everything now, and is the cheapest{ahead}.", letter(to)),
        (_, Some(to)) if *over_base => format!("{} stays the cheapest{ahead}.", letter(to)),
        (_, Some(to)) => format!("{} is the cheapest{ahead}.", letter(to)),
        (Some(from), None) => format!("No placement serves everything any more; in the base {} does.", letter(from)),
        (None, None) => "No placement serves everything.".to_owned(),
    }
}

fn reason(shift: &Shift, Naming { letter, amount, value, .. }: &Naming<'_>) -> String {
    let at = value.as_ref().map_or_else(|| "With these values".to_owned(), |value| format!("At {value}"));
    if !shift.nodes.is_empty() {
        let several = |of: &Nodes| shift.nodes.iter().filter(|other| other.placement == of.placement).count() > 1;
        let need = |nodes: &Nodes| {
            let place = if several(nodes) { format!(" in {}", nodes.environment) } else { String::new() };
            let (name, after, before) = (letter(nodes.placement), nodes.after, nodes.before);
            format!("{name} needs {after} {} instead of {before}{place}", if after == 1 { "node" } else { "nodes" })
        };
        let needs: Vec<String> = shift.nodes.iter().take(2).map(need).collect();
        return format!("{at} {}.", needs.join(", and "));
    }
    let cost = |(placement, by): &(usize, Money)| {
        let way = if *by > Money::ZERO { "more" } else { "less" };
        let by = if *by > Money::ZERO { *by } else { Money::ZERO - *by };
        format!("{} costs {} {way} than in the base", letter(*placement), amount(by))
    };
    let costs: Vec<String> = shift.moved.iter().filter(|(_, by)| !by.is_zero()).map(cost).collect();
    if costs.is_empty() { String::new() } else { format!("{at} {}.", costs.join(", and ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(of: Shift, value: Option<&str>) -> (String, String) {
        let naming = Naming {
            letter: &|place| ["A", "B", "C"][place].to_owned(),
            amount: &|money| format!("{}", money.minor()),
            value: value.map(str::to_owned),
            over_base: true,
        };
        shift(&of, &naming)
    }

    #[test]
    fn nodes_explain_a_change_and_otherwise_cost_does() {
        let nodes = vec![Nodes { placement: 0, environment: "Owned".into(), before: 18, after: 20 }];
        let moved = vec![(0, Money::from_minor(80)), (2, Money::from_minor(-58))];
        let changed = Shift { from: Some(0), to: Some(2), runner_up: None, nodes, moved: moved.clone() };
        let (lead, reason) = said(changed.clone(), Some("0.52 schedulable utilisation"));
        assert_eq!(lead, "The cheapest placement changes from A to C.");
        assert_eq!(reason, "At 0.52 schedulable utilisation A needs 20 nodes instead of 18.");
        let (_, reason) = said(Shift { nodes: Vec::new(), ..changed }, None);
        let expected = "With these values A costs 80 more than in the base, and C costs 58 less than in the base.";
        assert_eq!(reason, expected);
    }

    #[test]
    fn nothing_is_said_of_what_stays_as_it_is() {
        let same = Shift {
            from: Some(1),
            to: Some(1),
            runner_up: Some((0, Money::from_minor(5))),
            nodes: Vec::new(),
            moved: vec![(1, Money::ZERO)],
        };
        assert_eq!(said(same, None), ("B stays the cheapest, 5 before A.".to_owned(), String::new()));
    }
}
