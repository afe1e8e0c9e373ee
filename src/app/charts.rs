//! The charts of the window: described when they are first looked at, and kept until the scenario, or how it is looked at,
//! changes.
//!
//! It computes nothing and draws nothing.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::document::Snapshot;
use super::view::View;
use crate::chart::{Chart, Subject, Which, describe};
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

/// What a description depends on.
#[derive(Clone, Copy, PartialEq)]
struct Of {
    revision: u64,
    figures: Figures,
    reference: usize,
    focus: usize,
}

impl Charts {
    /// The description of a chart of the scenario at this revision.
    pub fn described(&mut self, which: &Which, (snapshot, revision): (&Snapshot, u64), view: &View) -> Described {
        let of = Of { revision, figures: view.figures, reference: view.reference, focus: view.focus };
        if self.of != Some(of) {
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
        };
        let described = Rc::new(describe(&subject, which));
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
