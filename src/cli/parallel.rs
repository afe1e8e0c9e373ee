//! Many jobs on every core, the placements of one evaluation among them.
//!
//! What the answer of a job means is not known here.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::engine::{Base, Evaluation, Failure};
use crate::scenario::{Placement, Scenario};

/// Evaluates a scenario as [`crate::engine::evaluate`] does, its placements on every core.
///
/// # Errors
/// The same, for the first placement that has no figures.
pub fn evaluate(scenario: &Scenario) -> Result<Evaluation, Failure> {
    // What all placements share is laid out by the first thread that comes to it, while the others still start.
    let base = OnceLock::new();
    let laid_out = || base.get_or_init(|| Base::new(scenario));
    let run = |base: &mut &Result<Base, Failure>, placement: &Placement| match base {
        Ok(base) => base.placement(placement),
        Err(failure) => Err(failure.clone()),
    };
    let placements = in_parallel(&scenario.placements, laid_out, run);
    let base = base.into_inner().unwrap_or_else(|| Base::new(scenario))?;
    Ok(base.evaluation(placements.into_iter().collect::<Result<_, _>>()?))
}

/// Runs jobs on every core, each thread with a state of its own. The answers stand in the order of the jobs.
pub fn in_parallel<Job: Sync, State, Done: Send>(
    jobs: &[Job],
    state: impl Fn() -> State + Sync,
    run: impl Fn(&mut State, &Job) -> Done + Sync,
) -> Vec<Done> {
    let threads = cores().min(jobs.len().max(1));
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

/// Runs the numbered jobs of a range on so many threads, each of which counts what it does in a sum of its own, and adds the
/// sums up. Nothing is kept of a job, however many there are. `goes_on` is told how many are done, and says whether more are
/// still wanted. What a thread has taken it finishes, so that the jobs done are always the first ones of the range.
pub fn counted_in_parallel<State, Sum: Send>(
    jobs: Range<u64>,
    threads: usize,
    state: impl Fn() -> (State, Sum) + Sync,
    run: impl Fn(&mut State, Range<u64>, &mut Sum) + Sync,
    add: impl Fn(&mut Sum, Sum) + Sync,
    goes_on: impl Fn(u64) -> bool + Sync,
) -> Sum {
    /// Jobs that a thread takes at once at most.
    const TAKEN: u64 = 256;
    let taken = ((jobs.end - jobs.start) / (4 * threads.max(1) as u64)).clamp(1, TAKEN);
    let next = AtomicU64::new(jobs.start);
    let done = AtomicU64::new(0);
    let sum: Mutex<Option<Sum>> = Mutex::new(None);
    let is_wanted = AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let (mut state, mut mine) = state();
                while is_wanted.load(Ordering::Relaxed) {
                    let from = next.fetch_add(taken, Ordering::Relaxed);
                    let to = from.saturating_add(taken).min(jobs.end);
                    if to <= from {
                        break;
                    }
                    run(&mut state, from..to, &mut mine);
                    let finished = done.fetch_add(to - from, Ordering::Relaxed) + (to - from);
                    if !goes_on(finished) {
                        is_wanted.store(false, Ordering::Relaxed);
                    }
                }
                let mut sum = sum.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                match &mut *sum {
                    Some(sum) => add(sum, mine),
                    None => *sum = Some(mine),
                }
            });
        }
    });
    let sum = sum.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    sum.expect("every thread adds its sum, and there is one at least")
}

/// Threads that the machine runs at once, asked for once: the answer comes from several files of the system, which takes about
/// as long as a twentieth of an evaluation.
#[must_use]
pub fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}
