//! What the last draws say of single inputs: what knowing each before choosing would be worth.
//!
//! It reads an answer; asking for one is up to whoever shows it.

use std::collections::HashMap;
use std::sync::Arc;

use super::document::Snapshot;
use super::pages::uncertainty::{Run, Runs};
use super::swings::{AS_ONE, is_first};
use super::view::View;
use crate::analysis::worth::by_worth;
use crate::quantity::Money;
use crate::scenario::InputRef;
use crate::show::Figures;

/// The last answer as it is read beside inputs.
pub struct Worths<'a> {
    snapshot: &'a Snapshot,
    figures: Figures,
    run: Option<&'a Arc<Run>>,
    /// Whether it is about the scenario as it stands.
    pub fresh: bool,
    /// What is to be said wherever it is shown: that it is of an older scenario, or of the first draws alone.
    pub mark: Option<String>,
    /// How many draws are made, of how many, while a run goes on.
    pub progress: Option<(usize, usize)>,
}

/// What knowing an input would be worth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Worth {
    Of(Money),
    /// It is drawn together with others, and known with them: the name of the group.
    Together(Money, String),
    /// The same, where it stands beside another of them.
    With(Money, String),
    /// It is not drawn.
    NoRange,
    /// It was not drawn: it had no range then.
    NotDrawn,
    /// No placement serves in every draw, so that none can be chosen.
    NoChoice,
}

impl Worth {
    pub const fn money(&self) -> Option<Money> {
        match self {
            Self::Of(money) | Self::Together(money, _) => Some(*money),
            Self::With(..) | Self::NoRange | Self::NotDrawn | Self::NoChoice => None,
        }
    }
}

impl<'a> Worths<'a> {
    pub fn of(snapshot: &'a Snapshot, revision: u64, view: &'a View, runs: &'a Runs) -> Self {
        let run = runs.last();
        let fresh = run.is_some_and(|run| run.question.0 == revision);
        let mark = run.and_then(|run| run.mark(revision, view.figures));
        Self { snapshot, figures: view.figures, run, fresh, mark, progress: runs.progress() }
    }

    /// A number that changes with the answer; none where there is none.
    pub fn stamp(&self) -> Option<u64> {
        self.run.map(|run| run.stamp)
    }

    /// Whether somebody has stopped the draws before all were made.
    pub fn is_stopped(&self) -> bool {
        self.run.is_some_and(|run| run.is_stopped)
    }

    pub fn unit(&self) -> String {
        format!("{}{}", self.snapshot.scenario.currency, self.figures.scale.word())
    }

    /// The place of each input in the order of what measuring it would be worth, by its path.
    pub fn order(&self) -> HashMap<String, usize> {
        let Some(run) = self.run else { return HashMap::new() };
        let entries = by_worth(&run.of.snapshot.scenario, &run.answer);
        entries.into_iter().enumerate().map(|(place, entry)| (entry.input.path, place)).collect()
    }

    /// What knowing an input would be worth; none where no answer is known, or where nobody has entered it.
    pub fn worth(&self, input: &InputRef) -> Option<Worth> {
        let run = self.run.filter(|_| input.is_entered())?;
        if input.input.range().is_none() {
            return Some(Worth::NoRange);
        }
        let drawn = |path: &str| run.answer.variables.iter().find(|of| of.path == path);
        let groups = &run.of.snapshot.scenario.groups;
        let group = groups.iter().find(|group| group.inputs.contains(&input.path));
        let of = match group {
            Some(group) => drawn(&format!("groups.{}", group.id)),
            None => drawn(&input.path),
        };
        let Some(of) = of else { return Some(Worth::NotDrawn) };
        Some(match (of.worth, group) {
            (None, _) => Worth::NoChoice,
            (Some(worth), Some(group)) if is_first(self.snapshot, group, &input.path) => {
                Worth::Together(worth, group.name.clone())
            }
            (Some(worth), Some(group)) => Worth::With(worth, group.name.clone()),
            (Some(worth), None) => Worth::Of(worth),
        })
    }

    /// The same as it stands in the register.
    pub fn text(&self, worth: &Worth) -> String {
        match worth {
            Worth::Of(money) | Worth::Together(money, _) => {
                self.figures.amount(money.minor(), self.snapshot.evaluation.currency.minor_digits)
            }
            Worth::With(..) => AS_ONE.to_owned(),
            Worth::NoRange => "no range".to_owned(),
            Worth::NotDrawn => "not drawn".to_owned(),
            Worth::NoChoice => "no choice".to_owned(),
        }
    }

    /// The same in a sentence, with why there is none.
    pub fn sentence(&self, worth: &Worth) -> String {
        let exact = |money: &Money| {
            let digits = self.snapshot.evaluation.currency.minor_digits;
            format!("{} {}", self.figures.exact(money.minor(), digits), self.snapshot.scenario.currency)
        };
        let told = match worth {
            Worth::Of(money) if money.is_zero() => "Knowing it before choosing would save nothing.".to_owned(),
            Worth::Of(money) => format!("Knowing it before choosing would save {} on average.", exact(money)),
            Worth::Together(money, group) | Worth::With(money, group) => {
                format!("Knowing it, with the others of {group}, would save {} on average.", exact(money))
            }
            Worth::NoRange => "It states no range, so that it is not drawn. Give it a low and a high.".to_owned(),
            Worth::NotDrawn => "It had no range when the draws were made. Run them again.".to_owned(),
            Worth::NoChoice => {
                "No placement serves as far as is accepted in every draw, so that none can be chosen without knowing more."
                    .to_owned()
            }
        };
        if self.fresh { told } else { format!("Before the last change: {told}") }
    }
}
