//! The charts of the window: described when they are first looked at, and kept until the scenario, or how it is looked at,
//! changes.
//!
//! It computes nothing and draws nothing.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::document::{Document, Snapshot};
use super::pages::uncertainty::Run;
use super::view::View;
use crate::analysis::uncertainty::Answer;
use crate::chart::{Answered, Chart, Subject, Which, describe};
use crate::show::Figures;

/// A chart, or a sentence that says why there is none.
pub type Described = Rc<Result<Chart, String>>;

/// What is kept of charts.
#[derive(Default)]
pub struct Charts {
    of: Option<Of>,
    kept: Vec<(Which, Described)>,
    /// Those that are shown as tables.
    pub tables: BTreeSet<Which>,
}

/// The scenario as it is seen.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    pub snapshot: &'a Snapshot,
    /// What it is tried over, where levers or a case change it.
    pub base: Option<&'a Snapshot>,
    /// Changes with every change of either.
    pub revision: u64,
    /// What draws of this scenario say, where they were made, with a number that no other answer has.
    pub draws: Option<(&'a Answer, u64)>,
    /// What every chart of it is marked with.
    pub mark: Option<&'a str>,
}

impl<'a> Seen<'a> {
    pub fn of(document: &'a Document) -> Self {
        let base = document.is_over_base().then(|| &**document.base());
        Self { snapshot: document.now(), base, revision: document.revision(), draws: None, mark: None }
    }

    /// What draws say, of the scenario that they were made of, with what is to be said of them.
    pub fn of_draws(run: &'a Run, mark: Option<&'a str>) -> Self {
        Self {
            snapshot: &run.of.snapshot,
            base: None,
            revision: run.question.0,
            draws: Some((&run.answer, run.stamp)),
            mark,
        }
    }
}

/// What a description depends on.
#[derive(Clone, PartialEq)]
struct Of {
    revision: u64,
    draws: Option<u64>,
    mark: Option<String>,
    figures: Figures,
    reference: usize,
    focus: usize,
}

impl Charts {
    /// The description of a chart of what is seen.
    pub fn described(&mut self, which: &Which, seen: Seen<'_>, view: &View) -> Described {
        let Seen { snapshot, base, revision, draws, mark } = seen;
        let View { figures, reference, focus, .. } = *view;
        let of = Of {
            revision,
            draws: draws.map(|(_, stamp)| stamp),
            mark: mark.map(str::to_owned),
            figures,
            reference,
            focus,
        };
        if self.of.as_ref() != Some(&of) {
            self.of = Some(of);
            self.kept.clear();
        }
        if let Some((_, known)) = self.kept.iter().find(|(known, _)| known == which) {
            return Rc::clone(known);
        }
        let subject = Subject {
            scenario: &snapshot.scenario,
            evaluation: &snapshot.evaluation,
            figures: view.figures,
            reference: view.reference,
            focus: Some(view.focus),
            base: base.map(|base| &base.evaluation),
            answered: draws.map(|(answer, _)| Answered::Draws(answer)),
        };
        let marked = |chart: Chart| match mark {
            Some(mark) => chart.marked(mark),
            None => chart,
        };
        let described = Rc::new(describe(&subject, which).map(marked));
        self.kept.push((which.clone(), Rc::clone(&described)));
        described
    }

    /// Shows a chart as its table, or as a drawing again.
    pub fn turn(&mut self, which: Which) {
        if !self.tables.remove(&which) {
            self.tables.insert(which);
        }
    }

    /// Forgets what belonged to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
