//! Many jobs on every core, the placements of one evaluation among them.
//!
//! What the answer of a job means is not known here.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::{Base, Evaluation, Failure};
use crate::scenario::Scenario;

/// Evaluates a scenario as [`crate::engine::evaluate`] does, its placements on every core.
///
/// # Errors
/// The same, for the first placement that has no figures.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Failure> {
    let base = Base::new(scenario)?;
    let placements = in_parallel(&scenario.placements, || (), |(), placement| base.placement(placement));
    Ok(base.evaluation(placements.into_iter().collect::<Result<_, _>>()?))
}

/// Runs jobs on every core, each thread with a state of its own. The answers stand in the order of the jobs.
pub fn in_parallel<Job: Sync, State, Done: Send>(
    jobs: &[Job],
    state: impl Fn() -> State + Sync,
    run: impl Fn(&mut State, &Job) -> Done + Sync,
) -> Vec<Done> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(jobs.len().max(1));
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Done)>> = Mutex::new(Vec::with_capacity(jobs.len()));
    let work = || {
        let mut state = state();
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(place) else { break };
            let answer = run(&mut state, job);
            // A thread that panicked ends the program, so that no one meets its poisoned list.
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((place, answer));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(place, _)| *place);
    done.into_iter().map(|(_, answer)| answer).collect()
}
