//! The document: the scenario as it stands, every step that led to it, and the file that it belongs to.
//!
//! Every step is a whole scenario with its figures, so that undo is a move along a list. The base is what is edited and
//! saved; what is shown may have the positions of levers or a case laid over it. Nothing here opens a file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::clock::Moment;
use super::edit::{self, Edit, Edited};
use super::files::Stored;
use super::live::{self, Live, Positions};
use crate::analysis::register::Counts;
use crate::engine::{self, Evaluation};
use crate::export::log::State;
use crate::input::Range;
use crate::scenario::calendar::Date;
use crate::scenario::{InputRef, Problem, Scenario, validate};
use crate::show::Figures;

/// Something odd but possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The path of the input or element; empty where it is the scenario as a whole.
    pub path: String,
    /// The sentence, with the name of the place before it.
    pub text: String,
}

/// A scenario with its figures and its inputs, never changed.
pub struct Snapshot {
    pub scenario: Scenario,
    pub evaluation: Evaluation,
    pub inputs: Vec<InputRef>,
    /// What is odd but possible.
    pub warnings: Vec<Warning>,
    /// How many inputs there are, and what stands open about them.
    pub register: Counts,
    /// The day by which review dates are judged.
    pub today: Option<Date>,
}

impl Snapshot {
    pub fn new(scenario: Scenario, evaluation: Evaluation, today: Option<Date>) -> Self {
        let inputs = scenario.inputs();
        let dated = today.map(|today| validate::dated_warnings(&scenario, today)).unwrap_or_default();
        let gaps = engine::gaps(&evaluation);
        // A person knows the things of a scenario by their names, not by their paths.
        let said = |problem: &Problem| {
            let text = match problem.path.as_str() {
                "" => problem.to_string(),
                path => format!("{}: {}", scenario.named(path), problem.message),
            };
            Warning { path: problem.path.clone(), text }
        };
        let warnings = validate::warnings(&scenario).iter().chain(&gaps).chain(&dated).map(said).collect();
        let register = Counts::of(&inputs, today);
        Self { scenario, evaluation, inputs, warnings, register, today }
    }

    pub fn input(&self, path: &str) -> Option<&InputRef> {
        self.inputs.iter().find(|input| input.path == path)
    }
}

/// One finished edit: what it is called and what it led to.
struct Step {
    label: String,
    when: Moment,
    base: Arc<Snapshot>,
    live: Live,
    /// The base with what lies over it; the base itself where nothing does.
    shown: Arc<Snapshot>,
    widened: Option<Widened>,
}

/// An input whose range a value has widened, and the range that it had before.
struct Widened {
    path: String,
    from: Range,
}

/// A step as the history lists it.
pub struct Logged {
    pub label: String,
    pub when: Moment,
    pub state: State,
    /// Whether the scenario after it is what was last saved.
    pub saved: bool,
}

pub struct Document {
    /// The first step is the scenario as it was opened.
    steps: Vec<Step>,
    at: usize,
    /// What a lever that is still being moved would lead to.
    preview: Option<(Live, Arc<Snapshot>)>,
    /// What was shown before the last edit, undo, redo or other case.
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
        let base = Arc::new(snapshot);
        let label = format!("{} {title}", if file.is_some() { "Opened" } else { "Began with" });
        let (live, shown, when) = (Live::default(), Arc::clone(&base), Moment::now());
        let steps = vec![Step { label, when, base: Arc::clone(&base), live, shown, widened: None }];
        Self { steps, at: 0, preview: None, before: None, saved: base, file, title, revision: 0 }
    }

    /// A document that no file has from the start, made of a scenario that was open.
    pub fn never_saved(snapshot: Snapshot, title: String, origin: Arc<Snapshot>) -> Self {
        Self { saved: origin, ..Self::new(snapshot, title, None) }
    }

    /// Whether it is as it was opened, with nothing done to it.
    pub fn is_as_opened(&self) -> bool {
        self.steps.first().is_some_and(|first| Arc::ptr_eq(&first.base, self.base()))
    }

    fn step(&self) -> &Step {
        &self.steps[self.at]
    }

    /// What the pages show: the base, or the base with positions or a case laid over it.
    pub fn now(&self) -> &Arc<Snapshot> {
        self.preview.as_ref().map_or(&self.step().shown, |(_, shown)| shown)
    }

    /// What is edited and saved.
    pub fn base(&self) -> &Arc<Snapshot> {
        &self.step().base
    }

    /// What lies over the base.
    pub fn live(&self) -> &Live {
        self.preview.as_ref().map_or(&self.step().live, |(live, _)| live)
    }

    /// What lies over the base as far as it is committed: without a lever that is still being moved.
    pub fn settled(&self) -> &Live {
        &self.step().live
    }

    /// The values that lie over those of the base.
    pub fn positions(&self) -> &Positions {
        self.live().positions(&self.base().scenario)
    }

    /// Whether what is shown differs from the base.
    pub fn is_over_base(&self) -> bool {
        !self.positions().is_empty()
    }

    /// Whether a lever is still being moved, so that what is shown changes with every frame.
    pub fn is_previewing(&self) -> bool {
        self.preview.is_some()
    }

    /// What the figures were before the last change.
    pub fn before(&self) -> Option<&Arc<Snapshot>> {
        if self.preview.is_some() { Some(&self.step().shown) } else { self.before.as_ref() }
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

    /// Whether the base differs from the file; positions of levers are in no file.
    pub fn unsaved(&self) -> bool {
        !Arc::ptr_eq(self.base(), &self.saved) && self.base().scenario != self.saved.scenario
    }

    /// The scenario after an edit, before anything is computed or committed. A value that replaces one just mistyped starts
    /// from the range that was there before the slip, so that the slip leaves no trace. A value that a case or a lever fixes
    /// is edited where it is shown, over the base; nothing else of what lies over the base becomes part of it, whatever the
    /// edit was made from.
    pub fn edited(&self, edit: &Edit, figures: Figures) -> Result<Edited, String> {
        if edit.change.value().is_some() && self.positions().contains_key(&edit.path) {
            return edit::apply(&self.now().scenario, edit, None, figures);
        }
        let last = self.step().widened.as_ref().filter(|widened| widened.path == edit.path);
        let mut edited = edit::apply(&self.base().scenario, edit, last.map(|widened| widened.from), figures)?;
        if edit.change.value().is_some() {
            edit::keep_evidence_true(&mut edited, &edit.path, &self.base().scenario, &self.saved.scenario);
        }
        if matches!(edit.change, edit::Change::Structure { .. }) {
            live::keep_base(&mut edited.scenario, self.base(), self.positions());
        }
        Ok(edited)
    }

    /// Adds a finished edit of the base, and what it led to. What had been undone is gone.
    ///
    /// # Errors
    /// What lies over the base cannot be laid over the edited one; nothing has changed then.
    pub fn commit(
        &mut self,
        edit: &Edit,
        label: String,
        widened_from: Option<Range>,
        snapshot: Snapshot,
    ) -> Result<(), String> {
        let widened = widened_from.map(|from| Widened { path: edit.path.clone(), from });
        let live = self.settled().fitted(&snapshot);
        self.push(label, Arc::new(snapshot), live, widened)
    }

    /// Adds a finished change of the base that is no edit of one input, and what then lies over it.
    ///
    /// # Errors
    /// As [`Self::commit`].
    pub fn commit_with(&mut self, label: String, base: Snapshot, live: &Live) -> Result<(), String> {
        let live = live.fitted(&base);
        self.push(label, Arc::new(base), live, None)
    }

    /// Adds a finished change of what lies over the base.
    ///
    /// # Errors
    /// It cannot be laid over the base; nothing has changed then.
    pub fn commit_live(&mut self, label: String, live: Live) -> Result<(), String> {
        self.push(label, Arc::clone(self.base()), live, None)
    }

    fn push(&mut self, label: String, base: Arc<Snapshot>, live: Live, widened: Option<Widened>) -> Result<(), String> {
        let shown = self.laid(&base, &live)?;
        self.steps.truncate(self.at + 1);
        self.steps.push(Step { label, when: Moment::now(), base, live, shown, widened });
        self.go_to(self.at + 1);
        Ok(())
    }

    /// Shows what `live` would lead to; none ends that.
    ///
    /// # Errors
    /// As [`Self::commit_live`].
    pub fn preview(&mut self, live: Option<Live>) -> Result<(), String> {
        self.preview = match live {
            Some(live) => Some((live.clone(), self.laid(self.base(), &live)?)),
            None => None,
        };
        self.revision += 1;
        Ok(())
    }

    /// Looks at the base, a case or the positions that no case keeps. That is no step: nothing is changed by looking.
    ///
    /// # Errors
    /// As [`Self::commit_live`].
    pub fn look_at(&mut self, live: Live) -> Result<(), String> {
        let shown = self.laid(self.base(), &live)?;
        self.before = Some(Arc::clone(self.now()));
        self.preview = None;
        let step = &mut self.steps[self.at];
        (step.live, step.shown) = (live, shown);
        self.revision += 1;
        Ok(())
    }

    /// The base with `live` over it, of which the last steps know most already.
    fn laid(&self, base: &Arc<Snapshot>, live: &Live) -> Result<Arc<Snapshot>, String> {
        let positions = live.positions(&base.scenario);
        if positions.is_empty() {
            return Ok(Arc::clone(base));
        }
        let is_shown = Arc::ptr_eq(base, self.base()) && *positions == *self.positions();
        if is_shown {
            return Ok(Arc::clone(self.now()));
        }
        let laid = live::laid(base, positions).map(Arc::new);
        laid.map_err(|reason| format!("{}: {reason} B shows the base.", live.name(&base.scenario)))
    }

    /// Every step, in the order in which they were made; the first is the scenario as it was opened.
    pub fn log(&self) -> impl Iterator<Item = Logged> {
        let base = |i: usize| self.steps.get(i).map(|step| Arc::as_ptr(&step.base));
        self.steps.iter().enumerate().map(move |(i, step)| Logged {
            label: step.label.clone(),
            when: step.when,
            state: match i.cmp(&self.at) {
                std::cmp::Ordering::Less => State::Done,
                std::cmp::Ordering::Equal => State::Current,
                std::cmp::Ordering::Greater => State::Undone,
            },
            // What lies over a base is in no file: the step that led to the base is the one that was saved.
            saved: Arc::ptr_eq(&step.base, &self.saved) && (i == 0 || base(i - 1) != base(i)),
        })
    }

    /// Position of the step after which the scenario stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Undoes or does again as many steps as lead to this one. Says whether there is such a step, and it is another.
    pub fn go_to_step(&mut self, step: usize) -> bool {
        let is_other = step < self.steps.len() && step != self.at;
        if is_other {
            self.go_to(step);
        }
        is_other
    }

    /// The name of the step that undo would take back.
    pub fn undoable(&self) -> Option<&str> {
        (self.at > 0).then(|| self.steps[self.at].label.as_str())
    }

    pub fn redoable(&self) -> Option<&str> {
        self.steps.get(self.at + 1).map(|step| step.label.as_str())
    }

    /// What has been done so far: when, and what it is called.
    pub fn changes(&self) -> Vec<(String, String)> {
        let done = self.log().skip(1).take(self.at);
        done.map(|step| (step.when.time(), step.label)).collect()
    }

    fn go_to(&mut self, step: usize) {
        self.before = Some(Arc::clone(&self.step().shown));
        self.preview = None;
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
