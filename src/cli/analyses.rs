//! What drives a decision, its evaluations run on every core: for commands, and beside the window.
//!
//! What an answer means is not known here. Whoever asks is told how far the evaluations are, and may want them no longer.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::parallel::in_parallel;
use crate::analysis::base_size::{self, BaseSize};
use crate::analysis::cases;
use crate::analysis::map::{self, Map};
use crate::analysis::preference::{self, Preference};
use crate::analysis::switch_over::{self, SwitchOver};
use crate::analysis::tornado::{self, Tornado};
use crate::engine::{Figure, evaluate};
use crate::quantity::Currency;
use crate::scenario::{Problem, Scenario, problem};

/// Is told how many evaluations of how many are done, and says whether the answer is still wanted.
pub type GoesOn<'a> = &'a (dyn Fn(usize, usize) -> bool + Sync);

/// Of an answer that is wanted to its end.
pub const TO_ITS_END: GoesOn<'static> = &|_, _| true;

/// How far the evaluations of one analysis are.
struct Course<'a> {
    goes_on: GoesOn<'a>,
    done: AtomicUsize,
    all: AtomicUsize,
}

impl<'a> Course<'a> {
    fn of(goes_on: GoesOn<'a>) -> Self {
        Self { goes_on, done: AtomicUsize::new(0), all: AtomicUsize::new(0) }
    }

    /// Runs jobs on every core, as [`in_parallel`] does; nothing where the answer is no longer wanted.
    fn run<Job: Sync, State, Done: Send>(
        &self,
        jobs: &[Job],
        state: impl Fn() -> State + Sync,
        run: impl Fn(&mut State, &Job) -> Done + Sync,
    ) -> Option<Vec<Done>> {
        let all = self.all.fetch_add(jobs.len(), Ordering::Relaxed) + jobs.len();
        let wanted = |state: &mut State, job: &Job| {
            let done = self.done.fetch_add(1, Ordering::Relaxed);
            (self.goes_on)(done, all).then(|| run(state, job))
        };
        in_parallel(jobs, state, wanted).into_iter().collect()
    }
}

/// How far each input moves a figure. None where the answer was no longer wanted, here and in all that follow.
pub fn tornado(
    scenario: &Scenario,
    question: tornado::Question,
    goes_on: GoesOn<'_>,
) -> Option<Result<tornado::Answer, Problem>> {
    let plan = match Tornado::new(scenario, question) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem)),
    };
    let course = Course::of(goes_on);
    let runner = || tornado::Runner::new(&plan);
    let outcomes = course.run(plan.jobs(), runner, tornado::Runner::run)?;
    let searches = plan.searches(&outcomes);
    let Some(base) = outcomes.first() else { return Some(plan.collect(&outcomes, &[])) };
    let found = course.run(&searches, runner, |runner, search| (search.clone(), runner.search(search, base)))?;
    Some(plan.collect(&outcomes, &found))
}

/// Where one placement overtakes another.
pub fn switch_over(
    scenario: &Scenario,
    question: switch_over::Question,
    goes_on: GoesOn<'_>,
) -> Option<Result<switch_over::Answer, Problem>> {
    let plan = match SwitchOver::new(scenario, question) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem)),
    };
    let (course, base) = (Course::of(goes_on), plan.base());
    let runner = || switch_over::Runner::new(&plan, &base);
    let samples = course.run(&plan.grid(), runner, |runner, part| runner.sample(*part))?;
    let neighbours: Vec<_> = samples.iter().zip(samples.iter().skip(1)).collect();
    let found = course.run(&neighbours, runner, |runner, (low, high)| runner.search(low, high))?;
    Some(plan.collect(&base, &samples, found))
}

/// Where another of all placements becomes preferred.
pub fn preference(
    scenario: &Scenario,
    question: preference::Question,
    goes_on: GoesOn<'_>,
) -> Option<Result<preference::Answer, Problem>> {
    let plan = match Preference::new(scenario, question) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem)),
    };
    let (course, base) = (Course::of(goes_on), plan.base());
    let runner = || preference::Runner::new(&plan, &base);
    let samples = course.run(&plan.grid(), runner, |runner, part| runner.sample(*part))?;
    let neighbours: Vec<_> = samples.iter().zip(samples.iter().skip(1)).collect();
    let found = course.run(&neighbours, runner, |runner, (low, high)| runner.search(low, high))?;
    drop(neighbours);
    Some(plan.collect(&base, samples, found))
}

/// Who is preferred where over two inputs.
pub fn map(scenario: &Scenario, question: map::Question, goes_on: GoesOn<'_>) -> Option<Result<map::Answer, Problem>> {
    let plan = match Map::new(scenario, question) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem)),
    };
    let (course, base) = (Course::of(goes_on), plan.base());
    let runner = || map::Runner::new(&plan, &base);
    let cells = course.run(&plan.jobs(), runner, map::Runner::run)?;
    let searches = plan.searches(&cells);
    let borders = course.run(&searches, runner, map::Runner::search)?;
    Some(plan.collect(&base, cells, searches.into_iter().zip(borders).collect()))
}

/// What a placement costs with every number of nodes.
pub fn base_size(
    scenario: &Scenario,
    question: base_size::Question,
    goes_on: GoesOn<'_>,
) -> Option<Result<base_size::Answer, Problem>> {
    let plan = match BaseSize::new(scenario, question) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem)),
    };
    let run = |scratch: &mut Scenario, nodes: &u32| plan.run(scratch, *nodes);
    let points = Course::of(goes_on).run(plan.counts(), || plan.scratch(), run)?;
    Some(plan.collect(points))
}

/// Every placement in every case, with a figure beside the one that decides.
pub fn cases(scenario: &Scenario, figure: Figure, goes_on: GoesOn<'_>) -> Option<Result<cases::Answer, Vec<Problem>>> {
    let planned = cases::variants(scenario).and_then(|variants| {
        let code = &scenario.currency;
        let currency = Currency::find(code).ok_or_else(|| vec![problem::bad_currency("currency", code)])?;
        Ok((variants, currency))
    });
    let (variants, currency) = match planned {
        Ok(planned) => planned,
        Err(problems) => return Some(Err(problems)),
    };
    let evaluations = Course::of(goes_on).run(&variants, || (), |(), variant| evaluate(&variant.scenario))?;
    Some(cases::answer(variants, evaluations, figure, currency).map_err(|problem| vec![problem]))
}
