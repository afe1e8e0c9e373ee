//! What drives a decision, in sentences: the answer first, and then what belongs to it.
//!
//! Nothing here computes a figure, or knows where a sentence stands.

use rust_decimal::Decimal;

use super::values::{moved_to, unit_of};
use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::map::{self, Axis};
use crate::analysis::spider::arc_elasticity;
use crate::analysis::{base_size, cases, preference, switch_over, tornado};
use crate::engine::Figure;
use crate::quantity::{Currency, Exact, Money, Num};
use crate::scenario::inputs::lower_first as lower;
use crate::scenario::{InputRef, Scenario};
use crate::show::{Figures, in_words, letter};

/// What sentences are written with.
#[derive(Clone, Copy)]
pub struct Teller<'a> {
    pub scenario: &'a Scenario,
    pub inputs: &'a [InputRef],
    pub figures: Figures,
    pub currency: Currency,
}

/// Failures that are told one by one.
const FEW: usize = 3;

impl<'a> Teller<'a> {
    pub fn input(&self, path: &str) -> Option<&'a InputRef> {
        self.inputs.iter().find(|input| input.path == path)
    }

    /// `A Own everything`; what is preferred where no placement serves is none.
    pub fn named(&self, placement: impl Into<Option<usize>>) -> String {
        let Some(placement) = placement.into() else { return "no placement".to_owned() };
        let name = self.scenario.placements.get(placement).map_or("", |placement| placement.name.as_str());
        format!("{} {name}", letter(placement))
    }

    /// What an input is called: itself and the place where it stands; a group by its own name.
    pub fn label(&self, path: &str, label: &str) -> String {
        self.input(path).map_or_else(|| label.to_owned(), InputRef::full_label)
    }

    /// A value of what is moved, without its unit.
    pub fn value(&self, path: &str, value: Exact) -> String {
        moved_to(self.figures, self.input(path), value.decimal())
    }

    /// The same with its unit.
    pub fn value_with_unit(&self, path: &str, value: Exact) -> String {
        let unit = self.input(path).map(unit_of).filter(|unit| !unit.starts_with('%')).unwrap_or_default();
        format!("{} {unit}", self.value(path, value)).trim_end().to_owned()
    }

    /// `from 31 to 52 USD an hour`; a group goes over the ranges of its inputs.
    fn range(&self, path: &str, low: Exact, high: Exact) -> String {
        match self.input(path) {
            Some(_) => format!("from {} to {}", self.value(path, low), self.value_with_unit(path, high)),
            None => "from the lows to the highs of its inputs".to_owned(),
        }
    }

    /// A figure at the scale of the window: `USD 1,715 thousand`, `2.967`.
    pub fn figure(&self, figure: &Figure, value: Decimal) -> String {
        match minor(value, self.currency).filter(|_| is_money(figure)) {
            Some(money) => self.money(money),
            None => in_words(&self.figures.ratio(value)),
        }
    }

    pub fn money(&self, money: Money) -> String {
        let amount = in_words(&self.figures.amount(money.minor(), self.currency.minor_digits));
        format!("{} {amount}{}", self.currency.code, self.figures.scale.word())
    }

    /// An amount without its sign.
    fn size(&self, money: Money) -> String {
        self.money(if money < Money::ZERO { -money } else { money })
    }

    fn failed(&self, path: &str, failed: Vec<(Exact, String)>) -> Vec<String> {
        let rest = failed.len().saturating_sub(FEW);
        let told = failed.into_iter().take(FEW);
        let mut told: Vec<String> =
            told.map(|(at, reason)| format!("At {} it cannot be computed: {reason}", self.value(path, at))).collect();
        if 0 < rest {
            told.push(format!("Nor can it at {rest} other values."));
        }
        told
    }

    /// How far the figure is moved, and by what most.
    #[must_use]
    pub fn tornado(&self, answer: &tornado::Answer) -> Vec<String> {
        let subject = self.subject(&answer.question);
        let Some(first) = answer.bars.first() else {
            return vec![format!(
                "No input with a range moves {subject}. Give inputs a low and a high to see what they move."
            )];
        };
        let figure = &answer.question.figure;
        let switching = answer.bars.iter().filter(|bar| bar.changes_preferred).count();
        let decides = match switching {
            0 => "no input changes by itself which placement is preferred".to_owned(),
            1 => "one input changes by itself which placement is preferred".to_owned(),
            several => format!("{several} inputs change, each by itself, which placement is preferred"),
        };
        let mut told = vec![format!(
            "{} moves {subject} most, by {}; {decides}.",
            self.label(&first.path, &first.label),
            self.figure(figure, first.swing)
        )];
        let names: Vec<String> = answer.unserved.iter().map(|place| self.named(*place)).collect();
        if !names.is_empty() {
            let verb = if names.len() == 1 { "leaves" } else { "leave" };
            told.push(format!(
                "{} {verb} more demand unmet than is accepted: a bar that makes less of it served is no saving.",
                names.join(" and ")
            ));
        }
        told
    }

    /// What answers most strongly to a relative change.
    #[must_use]
    pub fn spider(&self, answer: &tornado::Answer) -> Vec<String> {
        let mut told = self.tornado(answer);
        let elasticities = answer.bars.iter().filter_map(|bar| Some((bar, arc_elasticity(bar)?)));
        if let Some((bar, elasticity)) = elasticities.max_by_key(|(_, elasticity)| elasticity.abs()) {
            told.push(format!(
                "Relative to its own change {} counts most: arc elasticity {}.",
                self.label(&bar.path, &bar.label),
                self.figures.rounded(elasticity, 2)
            ));
        }
        told
    }

    fn subject(&self, question: &tornado::Question) -> String {
        let figure = lower(&figure_label(self.scenario, &question.figure));
        match question.against {
            Some(against) => {
                format!("the {figure} of {} less that of {}", letter(question.placement), letter(against))
            }
            None => format!("the {figure} of {}", letter(question.placement)),
        }
    }

    /// Where one placement overtakes the other.
    #[must_use]
    pub fn switch_over(&self, answer: &switch_over::Answer) -> Vec<String> {
        let path = &answer.question.path;
        let [first, second] = answer.question.between.map(|place| self.named(place));
        let range = self.range(path, answer.low, answer.high);
        let what = self.label(path, &answer.label);
        let mut told = vec![if answer.is_same {
            format!("{first} and {second} cost the same over the whole range, {range}.")
        } else if let Some(always) = answer.always() {
            let other = answer.question.between.into_iter().find(|place| *place != always).unwrap_or(always);
            format!(
                "Never: {} costs less than {} over the whole range, {range}.",
                self.named(always),
                self.named(other)
            )
        } else {
            let changes = answer.crossings.iter().map(|crossing| (crossing.at, Some(crossing.to)));
            let stretches = self.stretches((Some(answer.at_low), "costs less"), changes, path);
            format!("Over {what} {range}, {stretches}.")
        }];
        told.extend(answer.crossings.iter().filter(|crossing| crossing.is_jump).filter_map(|crossing| {
            let leap = crossing.difference[1].checked_sub(crossing.difference[0])?.abs();
            Some(format!(
                "Between {} and {} the difference jumps by {}, as whole nodes make it.",
                self.exact(path, crossing.before),
                self.exact(path, crossing.at),
                self.figure(&answer.question.figure, leap)
            ))
        }));
        told.push(self.now(answer, [&first, &second]));
        for (stretches, placement) in answer.unserved.iter().zip([first, second]) {
            let one = |(from, to): &(Exact, Exact)| match from == to {
                true => format!("at {}", self.value(path, *from)),
                false => format!("from {} to {}", self.value(path, *from), self.value(path, *to)),
            };
            if !stretches.is_empty() {
                let stretches: Vec<String> = stretches.iter().map(one).collect();
                told.push(format!(
                    "{placement} leaves more demand unmet than is accepted {}, as far as tried.",
                    listed(&stretches)
                ));
            }
        }
        told.extend(self.failed(path, reasons(answer.failed.iter().map(|(at, problem)| (*at, problem)))));
        told
    }

    /// A value to its last digit, as its cell shows it.
    fn exact(&self, path: &str, value: Exact) -> String {
        match self.input(path) {
            Some(input) => {
                let cell = super::values::cell_of(input);
                let percent = if cell == crate::show::Cell::Percent { " %" } else { "" };
                format!("{}{percent}", in_words(&self.figures.cell(value.decimal(), cell)))
            }
            None => self.value(path, value),
        }
    }

    /// `A Own costs less below 41, B Rent from 41 on`.
    fn stretches(
        &self,
        (first, verb): (Option<usize>, &str),
        changes: impl Iterator<Item = (Exact, Option<usize>)>,
        path: &str,
    ) -> String {
        let mut parts = Vec::new();
        let mut from: Option<Exact> = None;
        let mut cheaper = first;
        for (value, to) in changes {
            let at = self.value(path, value);
            parts.push(match from {
                None => format!("{} {verb} below {at}", self.named(cheaper)),
                Some(from) => format!("{} from {} to {at}", self.named(cheaper), self.value(path, from)),
            });
            (from, cheaper) = (Some(value), to);
        }
        if let Some(from) = from {
            parts.push(format!("{} from {} on", self.named(cheaper), self.value(path, from)));
        }
        listed(&parts)
    }

    fn now(&self, answer: &switch_over::Answer, [first, second]: [&str; 2]) -> String {
        let (value, difference) = answer.base;
        let at = value
            .map_or_else(String::new, |value| format!(", at {}", self.value_with_unit(&answer.question.path, value)));
        if difference.is_zero() {
            return format!("Now{at}, both cost the same.");
        }
        let (dearer, other) = if difference.is_sign_positive() { (first, second) } else { (second, first) };
        let more = self.figure(&answer.question.figure, difference.abs());
        format!("Now{at}, {dearer} costs {more} more than {other}.")
    }

    /// Where another of all placements becomes preferred.
    #[must_use]
    pub fn preference(&self, answer: &preference::Answer) -> Vec<String> {
        let path = &answer.question.path;
        let range = self.range(path, answer.low, answer.high);
        let what = self.label(path, &answer.label);
        let at_low = answer.samples.iter().find(|sample| sample.failure.is_none()).and_then(|sample| sample.preferred);
        let mut told = vec![if answer.switches.is_empty() {
            match answer.always() {
                Some(always) => format!("{} is preferred over the whole range, {range}.", self.named(always)),
                None => format!("No placement serves as far as is accepted over the whole range, {range}."),
            }
        } else {
            let changes = answer.switches.iter().map(|switch| (switch.at, switch.to));
            let stretches = self.stretches((at_low, "is preferred"), changes, path);
            format!("Over {what} {range}, {stretches}.")
        }];
        let seen = |place: usize| answer.samples.iter().any(|sample| sample.preferred == Some(place));
        let never: Vec<String> =
            (0..self.scenario.placements.len()).filter(|place| !seen(*place)).map(|place| self.named(place)).collect();
        if !never.is_empty() && never.len() < self.scenario.placements.len() {
            let verb = if never.len() == 1 { "is" } else { "are" };
            told.push(format!("{} {verb} preferred nowhere on it, as far as tried.", listed(&never)));
        }
        let failed = answer.samples.iter().filter_map(|sample| Some((sample.value, sample.failure.as_ref()?)));
        told.extend(self.failed(path, reasons(failed)));
        told
    }

    /// Who is preferred in how much of the map.
    #[must_use]
    pub fn map(&self, answer: &map::Answer) -> Vec<String> {
        let all = answer.cells();
        let over = format!("{} and {}", self.axis(&answer.across), self.axis(&answer.down));
        let mut told = vec![if let Some(always) = answer.always() {
            format!("{} is preferred everywhere over {over}.", self.named(always))
        } else {
            let mut regions: Vec<(usize, usize)> =
                answer.preferred_in.iter().copied().enumerate().filter(|(_, cells)| 0 < *cells).collect();
            regions.sort_by_key(|(place, cells)| (std::cmp::Reverse(*cells), *place));
            match regions.split_first() {
                None => format!("No placement serves as far as is accepted anywhere over {over}."),
                Some(((place, cells), rest)) => {
                    let first = format!("{} is preferred in {cells} of {all} cells over {over}", self.named(*place));
                    let rest = rest.iter().map(|(place, cells)| format!("{} in {cells}", self.named(*place)));
                    let parts: Vec<String> = std::iter::once(first).chain(rest).collect();
                    format!("{}.", parts.join("; "))
                }
            }
        }];
        let never: Vec<String> = answer.never().map(|place| self.named(place)).collect();
        if !never.is_empty() && never.len() < self.scenario.placements.len() {
            told.push(format!("Nowhere preferred: {}.", listed(&never)));
        }
        let failed = answer.rows.iter().flatten().filter_map(|cell| cell.failure.as_ref());
        let failed: Vec<String> = failed.map(ToString::to_string).collect();
        if let Some(first) = failed.first() {
            told.push(format!("{} cannot be computed. The first: {first}", counted(failed.len(), "cell", "cells")));
        }
        told
    }

    fn axis(&self, axis: &Axis) -> String {
        lower(&self.label(&axis.path, &axis.label))
    }

    /// How many nodes cost least, what the rule of thumb says, and why the two differ.
    #[must_use]
    pub fn base_size(&self, answer: &base_size::Answer) -> Vec<String> {
        let figure = lower(&figure_label(self.scenario, &Figure::deciding(answer.decision_figure)));
        let nodes = |count: u32| counted(count as usize, "node", "nodes");
        let Some(best) = answer.cheapest.and_then(|place| answer.points.get(place)) else {
            return vec!["No number of nodes serves as far as is accepted.".to_owned()];
        };
        let own = answer.step(best.nodes, answer.own).map(|step| step.figure);
        let own = match own {
            Some(more) if answer.own != best.nodes => {
                let way = if more < Money::ZERO { "less, but do not serve" } else { "more" };
                format!("; the scenario’s own {} cost {} {way}", nodes(answer.own), self.size(more))
            }
            _ if answer.own == best.nodes => ", as many as the scenario has".to_owned(),
            _ => String::new(),
        };
        let mut told =
            vec![format!("{} cost least, {} in {figure}{own}.", upper(&nodes(best.nodes)), self.money(best.figure))];
        told.extend(self.rule(answer, best));
        told
    }

    fn rule(&self, answer: &base_size::Answer, best: &base_size::Point) -> Vec<String> {
        let Some(rule) = &answer.rule else {
            return vec![
                "The rule of the load-duration curve has no answer: what is not served here is not paid for elsewhere."
                    .to_owned(),
            ];
        };
        let nodes = |count: u32| counted(count as usize, "node", "nodes");
        let mut told = vec![format!(
            "The rule of the load-duration curve says {}: own until the share of hours with demand above falls to {} %, where \
             owning costs {} for each hour available and bursting {} for each hour used.",
            nodes(rule.nodes),
            self.figures.percent(rule.threshold),
            self.figures.ratio(rule.owned_per_hour),
            self.figures.ratio(rule.burst_per_hour)
        )];
        if rule.nodes == best.nodes {
            told.push("Both agree.".to_owned());
            return told;
        }
        // From the rule's count to the cheapest, one more or one fewer: what the rule leaves out.
        let next = if best.nodes < rule.nodes { rule.nodes - 1 } else { rule.nodes + 1 };
        let steps = answer.step(rule.nodes, best.nodes).zip(answer.step(rule.nodes, next));
        if let Some((whole, one)) = steps {
            let way = |money: Money| if money < Money::ZERO { "falls" } else { "rises" };
            let part = |what: &str, money: Money| format!("{what} {} by {}", way(money), self.size(money));
            told.push(format!(
                "They differ by {}, since the rule takes averages over all nodes and leaves out what the use of a node costs. \
                 Evaluated in full, from {} to {next}, {}, {} and {}.",
                self.size(whole.figure),
                nodes(rule.nodes),
                part("fixed cost here", one.owned_fixed),
                part("cost by use here", one.owned_usage),
                part("cost elsewhere", one.elsewhere)
            ));
        }
        told
    }

    /// Which placement is best in which case, and in the worst one.
    #[must_use]
    pub fn cases(&self, answer: &cases::Answer) -> Vec<String> {
        let table = &answer.table;
        let decides = table.decision_figure.label();
        let name = |row: &cases::Row| row.variant.case.as_ref().map_or("base", |case| case.name.as_str()).to_owned();
        let mut bests: Vec<(Option<usize>, Vec<String>)> = Vec::new();
        for row in &table.rows {
            match bests.iter_mut().find(|(best, _)| *best == row.cheapest) {
                Some((_, rows)) => rows.push(name(row)),
                None => bests.push((row.cheapest, vec![name(row)])),
            }
        }
        let one = |(best, rows): &(Option<usize>, Vec<String>)| match rows.len() {
            all if all == table.rows.len() => format!("{} is best in every case", self.named(*best)),
            _ => format!("{} is best in {}", self.named(*best), listed(rows)),
        };
        let parts: Vec<String> = bests.iter().map(one).collect();
        let mut told =
            vec![format!("By {decides}, {}.", parts.join("; ").replace("no placement is best", "none serves"))];
        told.push(match table.best_in_worst_case {
            Some(best) => {
                let worst = table.worst.get(best).copied().flatten().map(|worst| self.money(worst)).unwrap_or_default();
                let regret = table.least_regret.map_or_else(String::new, |least| {
                    let most = table.greatest_regret.get(least).copied().flatten().unwrap_or(Money::ZERO);
                    format!("; {} is never more than {} from the best", self.named(least), self.money(most))
                });
                format!("In its worst case {} costs least, {worst}{regret}.", self.named(best))
            }
            None => "No placement serves as far as is accepted in every case.".to_owned(),
        });
        told
    }
}

/// An amount that an analysis has as a decimal, in whole minor units again.
#[must_use]
pub fn minor(value: Decimal, currency: Currency) -> Option<Money> {
    Money::rounded(Num::from(value), currency.minor_digits)
}

fn reasons<'p>(failed: impl Iterator<Item = (Exact, &'p crate::scenario::Problem)>) -> Vec<(Exact, String)> {
    failed.map(|(at, problem)| (at, problem.to_string())).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// `1 node`, `3 nodes`
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

fn upper(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
