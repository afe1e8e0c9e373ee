//! Draws over the uncertain inputs, made beside the window on every core: what has come so far, and the last whole answer.
//!
//! A run keeps the scenario that it was made of, so that what it says is never shown beside figures of another one. Nothing
//! is drawn on the page here.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::analysis::tally::{Drawn, Tally};
use crate::analysis::uncertainty::{Answer, Example, Question as Asked, Runner, Uncertainty as Plan};
use crate::app::document::Snapshot;
use crate::app::worker::{Progress, Worker};
use crate::cli::parallel::{cores, counted_in_parallel, in_parallel};

/// Which scenario is drawn, by its revision, and what is asked.
pub type Question = (u64, Asked);

/// What so many draws say.
pub struct Run {
    pub question: Question,
    /// What was drawn.
    pub snapshot: Arc<Snapshot>,
    pub plan: Arc<Plan>,
    pub answer: Answer,
    /// Draws to look at, each evaluated on its own; none before all are made.
    pub examples: Vec<Shown>,
    /// A number that no other run of this window has.
    pub stamp: u64,
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
}

/// The runs of one scenario in the window.
pub struct Runs {
    worker: Worker<Question, Result<Arc<Run>, String>>,
    /// What has come of the run that goes on. Each run has its own, so that an unwanted one writes where nobody reads.
    so_far: Arc<Mutex<Option<Arc<Run>>>>,
    /// The last run that came to its end.
    last: Option<(Arc<Run>, Duration)>,
    stamps: Arc<AtomicU64>,
}

impl Default for Runs {
    fn default() -> Self {
        Self { worker: Worker::idle(), so_far: Arc::default(), last: None, stamps: Arc::default() }
    }
}

impl Runs {
    /// Begins to answer a question, unless that is done or under way. `tell` is called whenever there is more to see.
    pub fn start(
        &mut self,
        question: Question,
        snapshot: Arc<Snapshot>,
        tell: impl Fn() + Send + Sync + Clone + 'static,
    ) {
        self.worker.resume();
        if !self.worker.would_begin(&question) {
            return;
        }
        self.so_far = Arc::default();
        let job = Job {
            question: question.clone(),
            snapshot,
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
            && self.last.as_ref().is_none_or(|(known, _)| known.stamp != run.stamp)
        {
            self.last = Some((Arc::clone(run), answered.took));
        }
    }

    pub fn stop(&mut self) {
        self.worker.stop();
        self.so_far = Arc::default();
    }

    /// How many draws are made, of how many, while a run goes on.
    pub fn progress(&self) -> Option<(usize, usize)> {
        self.worker.progress()
    }

    /// The last run that came to its end.
    pub fn last(&self) -> Option<&Arc<Run>> {
        self.last.as_ref().map(|(run, _)| run)
    }

    /// How long that took.
    pub fn took(&self) -> Option<Duration> {
        self.last.as_ref().map(|(_, took)| *took)
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
    snapshot: Arc<Snapshot>,
    so_far: Arc<Mutex<Option<Arc<Run>>>>,
    stamps: Arc<AtomicU64>,
}

impl Job {
    /// Makes the draws in slices, and shows what they say after each; nothing where nobody wants it any more.
    fn run(&self, progress: &Progress, tell: &(impl Fn() + Sync)) -> Option<Result<Arc<Run>, String>> {
        let mut plan = match Plan::new(&self.snapshot.scenario, self.question.1.clone()) {
            Ok(plan) => plan,
            Err(problem) => return Some(Err(problem.to_string())),
        };
        let draws = plan.question().draws;
        let all = usize::try_from(draws).unwrap_or(usize::MAX);
        progress.tell(0, all);
        let pilots: Vec<u64> = (0..plan.pilots()).collect();
        let pilot = |runner: &mut Runner, draw: &u64| progress.wanted().then(|| runner.pilot(*draw));
        let figures = in_parallel(&pilots, || Runner::new(&plan), pilot).into_iter().collect::<Option<Vec<_>>>()?;
        plan.rule(&figures);
        let plan = Arc::new(plan);
        let (mut tally, mut from) = (plan.tally(), 0);
        while from < draws {
            let to = end_of_slice(from, draws);
            let made = |done: u64| {
                progress.tell(usize::try_from(from + done).unwrap_or(usize::MAX), all);
                tell();
                progress.wanted()
            };
            let slice = counted_in_parallel(
                from..to,
                cores(),
                || (Runner::new(&plan), plan.tally()),
                |runner, draws, tally| runner.draw(draws, tally),
                |all, tally| all.merge(&tally),
                made,
            )?;
            tally.merge(&slice);
            from = to;
            if from < draws {
                let so_far = Arc::new(self.answered(&plan, &tally, Vec::new()));
                *self.so_far.lock().unwrap_or_else(PoisonError::into_inner) = Some(so_far);
                tell();
            }
        }
        let whole = self.answered(&plan, &tally, Vec::new());
        let examples = examples(&plan, &whole.answer, progress)?;
        Some(Ok(Arc::new(Run { examples, ..whole })))
    }

    fn answered(&self, plan: &Arc<Plan>, tally: &Tally, examples: Vec<Shown>) -> Run {
        Run {
            question: self.question.clone(),
            snapshot: Arc::clone(&self.snapshot),
            plan: Arc::clone(plan),
            answer: plan.answer(tally),
            examples,
            stamp: self.stamps.fetch_add(1, Ordering::Relaxed),
        }
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
}
