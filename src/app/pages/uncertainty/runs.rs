//! Draws over the uncertain inputs, made beside the window on every core: what has come so far, and the last whole answer.
//!
//! A run keeps the scenario that it was made of, so that what it says is never shown beside figures of another one. Nothing
//! is drawn on the page here.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::analysis::tally::{Drawn, Tally};
use crate::analysis::uncertainty::{Answer, Example, Question as Asked, Runner, Uncertainty as Plan};
use crate::app::document::Snapshot;
use crate::app::worker::{Progress, Worker};
use crate::cli::parallel::{cores, counted_in_parallel, in_parallel};
use crate::show::Figures;
use crate::words;

use super::super::OUT_OF_DATE;

/// Which scenario is drawn, by its revision, and what is asked.
pub type Question = (u64, Asked);

/// What so many draws say.
pub struct Run {
    pub question: Question,
    pub of: Of,
    pub plan: Arc<Plan>,
    /// What was counted, to go on from.
    tally: Tally,
    pub answer: Answer,
    /// Draws to look at, each evaluated on its own; none while more are made.
    pub examples: Vec<Shown>,
    /// Whether somebody has stopped it before all draws were made. Those that were are the first ones.
    pub is_stopped: bool,
    /// How long it took, with what was made before it was stopped and gone on with.
    pub took: Duration,
    /// A number that no other run of this window has.
    pub stamp: u64,
}

/// What is drawn: the scenario, and what its values are called, as those of a case.
#[derive(Clone)]
pub struct Of {
    pub snapshot: Arc<Snapshot>,
    pub case: String,
}

/// A draw that is an example of what a placement comes to.
pub struct Shown {
    pub placement: usize,
    pub example: Example,
    /// By its number from 0.
    pub draw: u64,
    /// Every placement in it.
    pub drawn: Vec<Drawn>,
}

impl Run {
    /// Draws that were made, whether or not they could be computed.
    pub fn made(&self) -> u64 {
        self.answer.done + self.answer.failed
    }

    pub fn is_whole(&self) -> bool {
        self.made() == self.answer.question.draws
    }

    /// What is to be said wherever something of it goes: that it is of an older scenario, or of the first draws alone.
    pub fn mark(&self, revision: u64, figures: Figures) -> Option<String> {
        let old = (self.question.0 != revision).then(|| OUT_OF_DATE.to_owned());
        let part = (!self.is_whole()).then(|| words::draws::part(&self.answer, self.is_stopped, figures));
        let marks: Vec<String> = old.into_iter().chain(part).collect();
        (!marks.is_empty()).then(|| marks.join("; "))
    }
}

/// The runs of one scenario in the window.
pub struct Runs {
    worker: Worker<Question, Result<Arc<Run>, String>>,
    /// What has come of the run that goes on. Each run has its own, so that an unwanted one writes where nobody reads.
    so_far: Arc<Mutex<Option<Arc<Run>>>>,
    /// The last run that came to its end, or was stopped.
    last: Option<Arc<Run>>,
    stamps: Arc<AtomicU64>,
    pace: Pace,
}

impl Default for Runs {
    fn default() -> Self {
        Self {
            worker: Worker::idle(),
            so_far: Arc::default(),
            last: None,
            stamps: Arc::default(),
            pace: Pace::default(),
        }
    }
}

impl Runs {
    /// Begins to answer a question, unless that is done or under way; what was stopped goes on from where it was. `tell` is
    /// called whenever there is more to see.
    pub fn start(&mut self, question: Question, of: Of, tell: impl Fn() + Send + Sync + Clone + 'static) {
        self.worker.resume();
        let stopped = self.last.clone().filter(|run| run.is_stopped);
        if stopped.is_some() {
            self.worker.forget();
        }
        if !self.worker.would_begin(&question) {
            return;
        }
        self.so_far = Arc::default();
        self.pace = Pace::default();
        let job = Job {
            before: stopped.filter(|run| run.question == question),
            question: question.clone(),
            of,
            so_far: Arc::clone(&self.so_far),
            stamps: Arc::clone(&self.stamps),
        };
        let told = tell.clone();
        self.worker.ask(&question, move |progress| job.run(progress, &tell), told);
    }

    pub fn receive(&mut self) {
        self.worker.receive();
        if let Some(answered) = self.worker.last()
            && let Ok(run) = &answered.answer
            && self.last.as_ref().is_none_or(|known| known.stamp != run.stamp)
        {
            self.last = Some(Arc::clone(run));
        }
    }

    /// Stops after the draws that are being made. What they say is kept.
    pub fn stop(&self) {
        self.worker.settle();
    }

    /// Whether it has been asked to stop, and is about to.
    pub fn is_stopping(&self) -> bool {
        self.worker.is_settling()
    }

    /// How long it will still take, from the pace so far; none before that can be told.
    pub fn left(&mut self) -> Option<Duration> {
        let (done, all) = self.progress()?;
        let elapsed = self.worker.elapsed()?;
        self.pace.left(elapsed, done, all)
    }

    /// How many draws are made, of how many, while a run goes on.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.worker.progress()
    }

    /// The last run that came to its end, or was stopped.
    pub fn last(&self) -> Option<&Arc<Run>> {
        self.last.as_ref()
    }

    /// What is to be seen: of a run that goes on what has come so far, otherwise the last one.
    pub fn seen(&self) -> Option<Arc<Run>> {
        let so_far = || self.so_far.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.progress().and_then(|_| so_far()).or_else(|| self.last().cloned())
    }

    /// Why the last question has no answer.
    pub fn refused(&self, question: &Question) -> Option<&str> {
        let last = self.worker.last().filter(|last| last.question == *question)?;
        last.answer.as_ref().err().map(String::as_str)
    }
}

/// One run as it goes on beside the window.
struct Job {
    question: Question,
    of: Of,
    /// The same as it was stopped.
    before: Option<Arc<Run>>,
    so_far: Arc<Mutex<Option<Arc<Run>>>>,
    stamps: Arc<AtomicU64>,
}

impl Job {
    /// Makes the draws in slices, and shows what they say after each; nothing where nobody wants it any more. Where somebody
    /// stops it, the draws made so far are the answer.
    fn run(&self, progress: &Progress, tell: &(impl Fn() + Sync)) -> Option<Result<Arc<Run>, String>> {
        let begun = Instant::now();
        let draws = self.question.1.draws;
        let all = usize::try_from(draws).unwrap_or(usize::MAX);
        progress.tell(0, all);
        let begin = || match self.planned(progress) {
            Some(Ok(plan)) => Some(Ok((plan.tally(), plan))),
            Some(Err(reason)) => Some(Err(reason)),
            None => None,
        };
        let known = self.before.as_ref().map(|run| Ok((run.tally.clone(), Arc::clone(&run.plan))));
        let (mut tally, plan) = match known.or_else(begin)? {
            Ok(begun) => begun,
            Err(reason) => return Some(Err(reason)),
        };
        let mut from = tally.made();
        while from < draws && !progress.is_enough() {
            let to = end_of_slice(from, draws);
            let made = |done: u64| {
                progress.tell(usize::try_from(from + done).unwrap_or(usize::MAX), all);
                tell();
                progress.wanted() && !progress.is_enough()
            };
            let slice = counted_in_parallel(
                from..to,
                cores(),
                || (Runner::new(&plan), plan.tally()),
                |runner, draws, tally| runner.draw(draws, tally),
                |all, tally| all.merge(&tally),
                made,
            );
            tally.merge(&slice);
            from = tally.made();
            if from < draws {
                let so_far = Arc::new(self.answered(&plan, tally.clone(), begun));
                *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
                tell();
            }
            if !progress.wanted() {
                return None;
            }
        }
        if from == 0 {
            return None;
        }
        let made = self.answered(&plan, tally, begun);
        let examples = examples(&plan, &made.answer, progress)?;
        Some(Ok(Arc::new(Run { examples, is_stopped: from < draws, ..made })))
    }

    /// The plan, with ranks parted by pilot draws; nothing where nobody wants it any more.
    fn planned(&self, progress: &Progress) -> Option<Result<Arc<Plan>, String>> {
        let mut plan = match Plan::new(&self.of.snapshot.scenario, self.question.1.clone()) {
            Ok(plan) => plan,
            Err(problem) => return Some(Err(problem.to_string())),
        };
        let is_wanted = || progress.wanted() && !progress.is_enough();
        let pilots = |runner: &mut Runner, draws: &Range<u64>| is_wanted().then(|| runner.pilots(draws.clone()));
        let figures = in_parallel(&plan.pilots(), || Runner::new(&plan), pilots);
        plan.rule(&figures.into_iter().collect::<Option<Vec<_>>>()?.concat());
        Some(Ok(Arc::new(plan)))
    }

    fn answered(&self, plan: &Arc<Plan>, tally: Tally, begun: Instant) -> Run {
        Run {
            question: self.question.clone(),
            of: self.of.clone(),
            plan: Arc::clone(plan),
            answer: plan.answer(&tally),
            tally,
            examples: Vec::new(),
            is_stopped: false,
            took: begun.elapsed() + self.before.as_ref().map_or(Duration::ZERO, |run| run.took),
            stamp: self.stamps.fetch_add(1, Ordering::Relaxed),
        }
    }
}

/// From how far a run is, when it will come to its end.
#[derive(Default)]
struct Pace {
    /// What was done when it was first asked, and when that was.
    from: Option<(Duration, usize)>,
    /// What was told last.
    told: Option<Duration>,
}

impl Pace {
    /// How long a pace is looked at before anything is told of it.
    const LOOKED_AT: Duration = Duration::from_secs(1);
    /// What is told goes down, unless it was wrong by such a part of what is left, and by so many seconds.
    const SLACK: f64 = 0.4;
    const LEAST: f64 = 2.0;

    /// How much longer, of a job at work so long, that has so much done.
    fn left(&mut self, elapsed: Duration, done: usize, all: usize) -> Option<Duration> {
        let (began, before) = *self.from.get_or_insert((elapsed, done));
        let (took, made) = (elapsed.saturating_sub(began), done.saturating_sub(before));
        if took < Self::LOOKED_AT || made == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "draws are counted in millions")]
        let each = took.as_secs_f64() / made as f64;
        #[expect(clippy::cast_precision_loss, reason = "as above")]
        let left = each * all.saturating_sub(done) as f64;
        let known = self.told.map(|told| told.as_secs_f64());
        let is_right = |known: f64| left - known <= (left * Self::SLACK).max(Self::LEAST);
        let told = known.filter(|known| is_right(*known)).map_or(left, |known| left.min(known));
        self.told = Some(Duration::try_from_secs_f64(told).unwrap_or(Duration::MAX));
        self.told
    }
}

/// Where a slice ends that begins there: slices grow, up to an eighth of all draws.
fn end_of_slice(from: u64, draws: u64) -> u64 {
    const LEAST: u64 = 64;
    from.saturating_add(from.max(LEAST).min((draws / 8).max(LEAST))).min(draws)
}

/// The draws that are named as examples, evaluated once more on their own.
fn examples(plan: &Plan, answer: &Answer, progress: &Progress) -> Option<Vec<Shown>> {
    let named = |of: &crate::analysis::uncertainty::OfPlacement| {
        let placement = of.placement;
        of.examples.clone().into_iter().map(move |(example, draw)| (placement, example, draw))
    };
    let jobs: Vec<(usize, Example, u64)> = answer.placements.iter().flat_map(named).collect();
    let run = |runner: &mut Runner, (placement, example, draw): &(usize, Example, u64)| {
        // A draw that was counted can be computed again.
        let drawn = progress.wanted().then(|| runner.drawn(*draw).unwrap_or_default())?;
        Some(Shown { placement: *placement, example: *example, draw: *draw, drawn })
    };
    in_parallel(&jobs, || Runner::new(plan), run).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cover_all_draws_and_are_few() {
        for draws in [1, 63, 64, 65, 1_000, 12_345, 1_000_000] {
            let (mut from, mut slices) = (0, 0);
            while from < draws {
                let to = end_of_slice(from, draws);
                assert!(from < to && to <= draws, "{from} to {to} of {draws}");
                (from, slices) = (to, slices + 1);
            }
            assert!(slices <= 24, "{slices} slices of {draws}");
        }
    }

    /// A pace that wavers by a tenth: what is told goes down, never up.
    #[test]
    fn what_is_told_of_the_time_left_goes_down_and_does_not_jump() {
        let mut pace = Pace::default();
        let (mut done, mut before) = (0, None);
        for tenth in 0..600_usize {
            let elapsed = Duration::from_millis(tenth as u64 * 100);
            let left = pace.left(elapsed, done, 6_000);
            assert_eq!(left.is_none(), elapsed < Pace::LOOKED_AT, "after {elapsed:?}");
            assert!(before.is_none_or(|before| left <= Some(before)), "{left:?} after {before:?}");
            if let Some(left) = left {
                let truly = 60.0 - elapsed.as_secs_f64();
                assert!((left.as_secs_f64() - truly).abs() < (0.25 * truly).max(2.0), "{left:?} of {truly} s");
                before = Some(left);
            }
            done += if tenth % 4 < 2 { 11 } else { 9 };
        }
    }

    /// A pace that turns out wrong is told anew.
    #[test]
    fn a_pace_that_changes_is_told_anew() {
        let mut pace = Pace::default();
        pace.left(Duration::ZERO, 0, 1_000);
        let at_first = pace.left(Duration::from_secs(2), 200, 1_000).expect("a pace");
        assert_eq!(at_first, Duration::from_secs(8));
        let slower = pace.left(Duration::from_secs(10), 300, 1_000).expect("a pace");
        assert!(Duration::from_secs(20) < slower, "{slower:?}");
    }
}
