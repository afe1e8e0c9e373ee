//! Who is preferred where: a figure over a grid of two inputs, and where along each row the preference changes.
//!
//! The map names its evaluations, and whoever asks runs them. Nothing here knows a formula, or how a map is drawn.

use rust_decimal::Decimal;

use crate::engine::{Figure, Prepared, Standing, standings};
use crate::quantity::{Currency, Exact};
use crate::scenario::{Problem, Scenario, problem};

use super::figure::decimal;
use super::moves::{DIGITS_OF_ANY_SHARE, Move, Outcome, merged, moved, preferred, prepared};

/// The most steps that an axis may be divided into.
pub const MOST_STEPS: u32 = 200;
/// A border is searched by so many halvings of a step.
const SEARCH_STEPS: u32 = 20;

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The input across, and the one down; or `groups.` and the id of a group.
    pub paths: [String; 2],
    pub figure: Figure,
    /// Into how many steps each range is divided; a count has no more steps than whole values.
    pub steps: u32,
}

/// A planned map.
#[derive(Debug)]
pub struct Map {
    question: Question,
    currency: Currency,
    scenario: Scenario,
    prepared: Prepared,
    across: Line,
    down: Line,
    /// Placements that one of the inputs can have an effect on.
    affected: Vec<usize>,
}

/// One axis as it is planned.
#[derive(Debug)]
struct Line {
    moved: Move,
    /// Parts into which its range is divided for searches.
    scale: u32,
    /// The parts that are tried.
    parts: Vec<u32>,
}

/// One axis as it is answered.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    pub path: String,
    pub label: String,
    pub unit: String,
    /// The values tried, from the low to the high; for a group, shares of the ranges.
    pub values: Vec<Exact>,
    /// The value of the scenario; none for a group.
    pub base: Option<Exact>,
}

/// One evaluation: a part of each axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    across: u32,
    down: u32,
}

/// The placements at one point of the grid.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The figure of each placement, in the order of the file; none where there is no output to measure against.
    pub figures: Vec<Option<Decimal>>,
    /// The placement preferred by the figure that decides; none where no placement is acceptable.
    pub preferred: Option<usize>,
    /// Why the cell cannot be computed.
    pub failure: Option<Problem>,
}

/// A stretch of a row on which the preference changes.
#[derive(Clone, Debug)]
pub struct Search {
    row: usize,
    /// Parts across.
    low: u32,
    high: u32,
    from: Option<usize>,
    to: Option<usize>,
}

/// Where, along a row, another placement becomes preferred.
#[derive(Clone, PartialEq, Debug)]
pub struct Border {
    /// The value across from which on it is.
    pub at: Exact,
    pub from: Option<usize>,
    pub to: Option<usize>,
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub question: Question,
    pub currency: Currency,
    pub across: Axis,
    pub down: Axis,
    /// Row by row, each from the low to the high of the axis across.
    pub rows: Vec<Vec<Cell>>,
    /// For each row, where the preference changes, from the low to the high.
    pub borders: Vec<Vec<Border>>,
    /// In how many cells each placement is preferred, in the order of the file.
    pub preferred_in: Vec<usize>,
}

impl Answer {
    /// Cells that could be computed.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows.iter().flatten().filter(|cell| cell.failure.is_none()).count()
    }

    /// The placement that is preferred everywhere, if one is.
    #[must_use]
    pub fn always(&self) -> Option<usize> {
        let all = self.cells();
        self.preferred_in.iter().position(|cells| 0 < all && *cells == all)
    }

    /// The placements that are preferred nowhere.
    pub fn never(&self) -> impl Iterator<Item = usize> {
        self.preferred_in.iter().enumerate().filter(|(_, cells)| **cells == 0).map(|(place, _)| place)
    }
}

impl Map {
    /// Plans the evaluations.
    ///
    /// # Errors
    /// A path names nothing that has a range, both move the same input, the steps are none or too many; no known currency.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        if question.steps == 0 || MOST_STEPS < question.steps {
            return Err(Problem::error(
                "--steps",
                format!("{} is not a number of steps from 1 to {MOST_STEPS}; give one.", question.steps),
            ));
        }
        let currency =
            Currency::find(&scenario.currency).ok_or_else(|| problem::bad_currency("currency", &scenario.currency))?;
        let [across, down] = [moved(scenario, &question.paths[0])?, moved(scenario, &question.paths[1])?];
        if across.members.iter().any(|one| down.members.iter().any(|other| other.index == one.index)) {
            return Err(Problem::error(
                question.paths[1].clone(),
                format!("it moves an input that {} moves too. Name two that have nothing in common.", across.path),
            ));
        }
        let mut affected: Vec<usize> = across.affects.iter().chain(&down.affects).copied().collect();
        affected.sort_unstable();
        affected.dedup();
        let [across, down] = [across, down].map(|moved| Line::new(moved, question.steps));
        let prepared = prepared(scenario, [&across.moved, &down.moved], DIGITS_OF_ANY_SHARE, &question.figure);
        Ok(Self { question, currency, scenario: scenario.clone(), prepared, across, down, affected })
    }

    /// The evaluations to run, row by row; see [`Runner::run`].
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let row = |down: &u32| self.across.parts.iter().map(|across| Job { across: *across, down: *down }).collect();
        self.down.parts.iter().flat_map(|down| -> Vec<Job> { row(down) }).collect()
    }

    /// All placements as the scenario has them, which goes before everything else.
    pub fn base(&self) -> Outcome {
        let all: Vec<usize> = (0..self.scenario.placements.len()).collect();
        standings(&self.scenario, &all, &self.question.figure)
    }

    /// The stretches of rows on which the preference changes, to be searched after all jobs.
    #[must_use]
    pub fn searches(&self, cells: &[Cell]) -> Vec<Search> {
        let rows = cells.chunks(self.across.parts.len().max(1)).enumerate();
        rows.flat_map(|(row, cells)| {
            let pairs = cells.windows(2).zip(self.across.parts.windows(2));
            pairs
                .filter_map(|(cells, parts)| match (cells, parts) {
                    ([one, next], [low, high])
                        if one.failure.is_none() && next.failure.is_none() && one.preferred != next.preferred =>
                    {
                        Some(Search { row, low: *low, high: *high, from: one.preferred, to: next.preferred })
                    }
                    _ => None,
                })
                .collect::<Vec<_>>()
        })
        .collect()
    }

    /// Folds the cells of all jobs, and the borders found, each list in its order.
    ///
    /// # Errors
    /// The base itself cannot be computed.
    pub fn collect(
        &self,
        base: &Outcome,
        cells: Vec<Cell>,
        found: Vec<(Search, Vec<Border>)>,
    ) -> Result<Answer, Problem> {
        base.as_ref().map_err(|failure| Problem::from(failure.clone()))?;
        let preferred_in = (0..self.scenario.placements.len())
            .map(|place| cells.iter().filter(|cell| cell.preferred == Some(place)).count())
            .collect();
        let mut borders = vec![Vec::new(); self.down.parts.len()];
        for (search, border) in found {
            if let Some(row) = borders.get_mut(search.row) {
                row.extend(border);
            }
        }
        Ok(Answer {
            question: self.question.clone(),
            currency: self.currency,
            across: self.across.axis(&self.scenario),
            down: self.down.axis(&self.scenario),
            rows: cells.chunks(self.across.parts.len().max(1)).map(<[Cell]>::to_vec).collect(),
            borders,
            preferred_in,
        })
    }

    fn settings(&self, job: Job) -> Vec<(usize, Exact)> {
        self.settings_at(&self.across.moved.settings(job.across, self.across.scale), job.down)
    }

    /// The settings of both inputs, with those of the one across.
    fn settings_at(&self, across: &[(usize, Exact)], down: u32) -> Vec<(usize, Exact)> {
        let mut settings = across.to_vec();
        settings.extend(self.down.moved.settings(down, self.down.scale));
        settings.sort_unstable_by_key(|(index, _)| *index);
        settings
    }
}

impl Line {
    fn new(moved: Move, steps: u32) -> Self {
        let whole = moved.counted().and_then(|only| Some((only.range.low.as_whole()?, only.range.high.as_whole()?)));
        let scale = match whole {
            Some((low, high)) => u32::try_from(high.saturating_sub(low)).unwrap_or(u32::MAX).max(1),
            None => steps << SEARCH_STEPS,
        };
        // Half up, as counts are rounded everywhere.
        let part = |step: u32| (u64::from(scale) * u64::from(step) * 2 + u64::from(steps)) / (u64::from(steps) * 2);
        let mut parts: Vec<u32> = (0..=steps).filter_map(|step| u32::try_from(part(step)).ok()).collect();
        parts.dedup();
        Self { moved, scale, parts }
    }

    fn axis(&self, scenario: &Scenario) -> Axis {
        let base = self.moved.value_in(scenario);
        Axis {
            path: self.moved.path.clone(),
            label: self.moved.label.clone(),
            unit: self.moved.unit.clone(),
            values: self.parts.iter().filter_map(|part| self.moved.shown(*part, self.scale)).collect(),
            base,
        }
    }
}

/// Runs evaluations one after another, so that each thread can have one.
#[derive(Debug)]
pub struct Runner<'m> {
    map: &'m Map,
    prepared: Prepared,
    base: &'m Outcome,
}

impl<'m> Runner<'m> {
    #[must_use]
    pub fn new(map: &'m Map, base: &'m Outcome) -> Self {
        Self { map, prepared: map.prepared.clone(), base }
    }

    /// Evaluates one cell.
    pub fn run(&mut self, job: &Job) -> Cell {
        match self.standings(*job) {
            Ok(standings) => Cell {
                figures: standings.iter().map(|standing| decimal(standing.figure, self.map.currency)).collect(),
                preferred: preferred(&standings),
                failure: None,
            },
            Err(problem) => Cell { figures: Vec::new(), preferred: None, failure: Some(problem) },
        }
    }

    fn standings(&mut self, job: Job) -> Result<Vec<Standing>, Problem> {
        self.standings_at(&self.map.settings(job))
    }

    fn standings_at(&mut self, settings: &[(usize, Exact)]) -> Result<Vec<Standing>, Problem> {
        let Map { affected, .. } = self.map;
        let base = self.base.as_ref().map_err(|failure| Problem::from(failure.clone()))?;
        let moved = self.prepared.standings(settings, affected)?;
        Ok(merged(base, &moved))
    }

    /// Where the preference changes on a stretch: once from its one end to the other, or over others between them.
    pub fn search(&mut self, search: &Search) -> Vec<Border> {
        let mut borders = Vec::new();
        self.halve((search.low, search.from), (search.high, search.to), search.row, &mut borders);
        borders
    }

    /// The change of preference between two neighbouring parts, `down` being where the other input stands.
    fn border(&mut self, low: (u32, Option<usize>), high: (u32, Option<usize>), down: u32) -> Option<Border> {
        let (map, mut to) = (self.map, high.1);
        let narrowed = map.across.moved.narrowed([low.0, high.0], map.across.scale, |settings| {
            let preferred = preferred(&self.standings_at(&map.settings_at(settings, down)).ok()?);
            let is_low = preferred == low.1;
            to = if is_low { to } else { preferred };
            Some(is_low)
        })?;
        Move::between(narrowed).map(|at| Border { at, from: low.1, to })
    }

    fn halve(&mut self, low: (u32, Option<usize>), high: (u32, Option<usize>), row: usize, borders: &mut Vec<Border>) {
        if low.1 == high.1 {
            return;
        }
        let Some(down) = self.map.down.parts.get(row).copied() else { return };
        if high.0 - low.0 <= 1 {
            borders.extend(self.border(low, high, down));
            return;
        }
        let middle = low.0 + (high.0 - low.0) / 2;
        let Ok(standings) = self.standings(Job { across: middle, down }) else { return };
        let between = (middle, preferred(&standings));
        self.halve(low, between, row, borders);
        self.halve(between, high, row, borders);
    }
}

/// The whole map, evaluation after evaluation.
///
/// # Errors
/// As [`Map::new`] and [`Map::collect`].
pub fn map(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let plan = Map::new(scenario, question)?;
    let base = plan.base();
    let mut runner = Runner::new(&plan, &base);
    let cells: Vec<Cell> = plan.jobs().iter().map(|job| runner.run(job)).collect();
    let found = plan
        .searches(&cells)
        .into_iter()
        .map(|search| {
            let borders = runner.search(&search);
            (search, borders)
        })
        .collect();
    plan.collect(&base, cells, found)
}
