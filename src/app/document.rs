//! The document: the scenario as it stands, every step that led to it, and the file that it belongs to.
//!
//! Every step is a whole scenario with its figures, so that undo is a move along a list. Nothing here opens a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::edit::{self, Edit, Edited};
use super::files::Stored;
use crate::analysis::register::Counts;
use crate::engine::{self, Evaluation};
use crate::input::Range;
use crate::scenario::calendar::Date;
use crate::scenario::{InputRef, Problem, Scenario, validate};
use crate::show::Figures;

/// A scenario with its figures and its inputs, never changed.
pub struct Snapshot {
    pub scenario: Scenario,
    pub evaluation: Evaluation,
    pub inputs: Vec<InputRef>,
    /// What is odd but possible, as sentences.
    pub warnings: Vec<String>,
    /// How many inputs there are, and what stands open about them.
    pub register: Counts,
}

impl Snapshot {
    /// `today` is the day by which review dates are judged.
    pub fn new(scenario: Scenario, evaluation: Evaluation, today: Option<Date>) -> Self {
        let inputs = scenario.inputs();
        let dated = today.map(|today| validate::dated_warnings(&scenario, today)).unwrap_or_default();
        let gaps = engine::gaps(&evaluation);
        // A person knows the things of a scenario by their names, not by their paths.
        let said = |problem: &Problem| match problem.path.as_str() {
            "" => problem.to_string(),
            path => format!("{}: {}", scenario.named(path), problem.message),
        };
        let warnings = validate::warnings(&scenario).iter().chain(&gaps).chain(&dated).map(said).collect();
        let register = Counts::of(&inputs, today);
        Self { scenario, evaluation, inputs, warnings, register }
    }
}

/// One finished edit: what it is called and what it led to.
struct Step {
    label: String,
    snapshot: Arc<Snapshot>,
    widened: Option<Widened>,
}

/// An input whose range a value has widened, and the range that it had before.
struct Widened {
    path: String,
    from: Range,
}

pub struct Document {
    /// The first step is the scenario as it was opened.
    steps: Vec<Step>,
    at: usize,
    /// The scenario before the last edit, undo or redo.
    before: Option<Arc<Snapshot>>,
    saved: Arc<Snapshot>,
    file: Option<Stored>,
    /// What it is called where it has no file.
    title: String,
    /// Counts the scenarios shown: results of an older one are stale.
    revision: u64,
}

impl Document {
    /// A document as it was opened: from a file, or from an example that has none.
    pub fn new(snapshot: Snapshot, title: String, file: Option<Stored>) -> Self {
        let snapshot = Arc::new(snapshot);
        let steps = vec![Step { label: String::new(), snapshot: Arc::clone(&snapshot), widened: None }];
        Self { steps, at: 0, before: None, saved: snapshot, file, title, revision: 0 }
    }

    pub fn now(&self) -> &Arc<Snapshot> {
        &self.steps[self.at].snapshot
    }

    /// What the figures were before the last change.
    pub fn before(&self) -> Option<&Arc<Snapshot>> {
        self.before.as_ref()
    }

    pub fn saved(&self) -> &Arc<Snapshot> {
        &self.saved
    }

    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn file(&self) -> Option<&Stored> {
        self.file.as_ref()
    }

    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(|file| file.path.as_path())
    }

    pub fn title(&self) -> String {
        let name = self.path().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.title.clone())
    }

    pub fn unsaved(&self) -> bool {
        !Arc::ptr_eq(self.now(), &self.saved) && self.now().scenario != self.saved.scenario
    }

    /// The scenario after an edit, before anything is computed or committed. A value that replaces one just mistyped starts
    /// from the range that was there before the slip, so that the slip leaves no trace.
    pub fn edited(&self, edit: &Edit, figures: Figures) -> Result<Edited, String> {
        let last = self.steps[self.at].widened.as_ref().filter(|widened| widened.path == edit.path);
        edit::apply(&self.now().scenario, edit, last.map(|widened| widened.from), figures)
    }

    /// Adds a finished edit, and what it led to. What had been undone is gone.
    pub fn commit(&mut self, edit: &Edit, label: String, widened_from: Option<Range>, snapshot: Snapshot) {
        let widened = widened_from.map(|from| Widened { path: edit.path.clone(), from });
        self.steps.truncate(self.at + 1);
        self.steps.push(Step { label, snapshot: Arc::new(snapshot), widened });
        self.go_to(self.at + 1);
    }

    /// The name of the step that undo would take back.
    pub fn undoable(&self) -> Option<&str> {
        (self.at > 0).then(|| self.steps[self.at].label.as_str())
    }

    pub fn redoable(&self) -> Option<&str> {
        self.steps.get(self.at + 1).map(|step| step.label.as_str())
    }

    pub fn undo(&mut self) {
        if self.at > 0 {
            self.go_to(self.at - 1);
        }
    }

    pub fn redo(&mut self) {
        if self.at + 1 < self.steps.len() {
            self.go_to(self.at + 1);
        }
    }

    fn go_to(&mut self, step: usize) {
        self.before = Some(Arc::clone(self.now()));
        self.at = step;
        self.revision += 1;
    }

    /// Notes that `snapshot` has been written to a file.
    pub fn mark_saved(&mut self, snapshot: Arc<Snapshot>, file: Stored) {
        self.saved = snapshot;
        self.file = Some(file);
    }
}

/// The folder in which a dialog starts.
pub fn folder(path: Option<&Path>) -> PathBuf {
    let of_file = path.and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()).map(Path::to_path_buf);
    of_file.or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}
