//! What each command answers.
//!
//! Nothing here formats a number or computes a figure.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::analysis::cases::{self, case_named, with_case};
use crate::analysis::diff::diff;
use crate::analysis::explain::{Explained, Explainer, Measure, Selection, Subject as Explainable, figures, title};
use crate::analysis::figure::figure_named;
use crate::analysis::postings::{Book, Dimension, Filter};
use crate::analysis::published::{self, Verdict};
use crate::analysis::tornado::{Answer, Question};
use crate::analysis::unmoved::{candidates, is_idle};
use crate::engine::{Evaluation, Figure, open};
use crate::export::{json, tables};
use crate::quantity::Exact;
use crate::scenario::calendar::Date;
use crate::scenario::validate::{self, dated_warnings};
use crate::scenario::{Category, Change, InputRef, Problem, Scenario, Syntax, problem, read};
use crate::show::{self, Cell, Marks};

use super::analyses::{self, TO_ITS_END};
use super::parallel::{self, in_parallel};
use super::{Command, Crossing, FAILURE, Format, How, Postings, USAGE, text, text_of};

mod drivers;
mod uncertainty;

pub(super) use uncertainty::all_draws;

/// An answer that is none: what to print where, and the exit code.
pub(super) struct Refusal {
    pub on_stdout: String,
    pub on_stderr: String,
    pub code: u8,
}

/// A scenario as a command sees it: read, with its case and its settings.
pub(super) struct Subject {
    pub scenario: Scenario,
    pub evaluation: Evaluation,
    /// Of the file as it stands.
    pub warnings: Vec<Problem>,
    pub case: Option<String>,
    pub changes: Vec<Change>,
}

impl Subject {
    /// An answer about it as JSON, with the conventions under which it holds.
    fn json(&self, answer: serde_json::Value) -> String {
        json::text(&json::under(answer, &self.scenario, self.case.as_deref(), &self.changes))
    }
}

pub(super) fn answer(command: Command) -> Result<String, Refusal> {
    match command {
        Command::Schema => Ok(json::text(&json::schema())),
        Command::Published { format } => published(format),
        Command::Export(asked) => super::chart::export(asked),
        Command::Check(of) => check(&of.file, &of.how),
        Command::Evaluate(of) => {
            let subject = subject(&of.file, &of.how)?;
            Ok(match of.how.format {
                Format::Text => text::evaluation(&subject),
                Format::Json => subject.json(json::evaluation(&subject.scenario, &subject.evaluation)),
                Format::Csv => tables::csv(&tables::evaluation(&subject.evaluation)),
            })
        }
        Command::Ledger { scenario: of, asked } => ledger(&of.file, &of.how, &asked),
        Command::Explain { scenario: of, placement, environment, category, line, year, figure } => {
            let subject = subject(&of.file, &of.how)?;
            let asked = Asked { environment, category, line, year, figure };
            let explained =
                explain(&subject, &placement, asked).map_err(|problems| refused(&of.file, of.how.format, &problems))?;
            Ok(match of.how.format {
                Format::Text => text::explanation(&subject, &explained),
                Format::Json => subject.json(json::explanation(&explained)),
                Format::Csv => tables::csv(&tables::explanation(&explained)),
            })
        }
        Command::Tornado { scenario: of, placement, against, figure } => {
            if against.as_ref() == Some(&placement) {
                return Err(misused(&format!(
                    "--against names the placement itself, {placement:?}. Name another one, or leave --against out."
                )));
            }
            let subject = subject(&of.file, &of.how)?;
            let answer = tornado(&subject.scenario, &placement, against.as_deref(), &figure);
            let answer = answer.map_err(|problem| refused(&of.file, of.how.format, &[problem]))?;
            Ok(match of.how.format {
                Format::Text => text::tornado(&subject, &answer),
                Format::Json => subject.json(json::tornado(&subject.scenario, &answer)),
                Format::Csv => tables::csv(&tables::tornado(&answer)),
            })
        }
        Command::SwitchOver { scenario: of, path, between, and, figure } => {
            drivers::switch_over(&of.file, &of.how, path, [&between, &and], &figure)
        }
        Command::Map { scenario: of, across, down, figure, steps } => {
            drivers::map(&of.file, &of.how, [across, down], &figure, steps)
        }
        Command::Uncertainty { file, how, asked } => uncertainty::uncertainty(file.as_deref(), &how, &asked),
        Command::BaseSize { scenario: of, placement, environment } => {
            drivers::base_size(&of.file, &of.how, &placement, environment)
        }
        Command::Cases(of) => {
            let subject = subject(&of.file, &of.how)?;
            let table =
                case_table(&subject.scenario).map_err(|problems| refused(&of.file, of.how.format, &problems))?;
            Ok(match of.how.format {
                Format::Text => text::cases(&subject, &table),
                Format::Json => subject.json(json::cases(&table, subject.evaluation.currency)),
                Format::Csv => tables::csv(&tables::cases(&table, subject.evaluation.currency)),
            })
        }
        Command::Diff { first, second, how } => {
            let first_file = first;
            let (first, second) = (subject(&first_file, &how)?, subject(&second, &how)?);
            let comparison = diff(&first.scenario, &second.scenario)
                .map_err(|problem| refused(&first_file, how.format, &[problem]))?;
            let currency = first.evaluation.currency;
            Ok(match how.format {
                Format::Text => text::diff(&first, &second, &comparison),
                Format::Json => first.json(json::diff(&first.scenario, &comparison, currency)),
                Format::Csv => tables::csv(&tables::diff(&first.scenario, &comparison, currency)),
            })
        }
    }
}

/// Problems of a file in the form that was asked for: JSON where a program reads the answer, sentences otherwise.
pub(super) fn refused(file: &Path, format: Format, problems: &[Problem]) -> Refusal {
    match format {
        Format::Json => {
            Refusal { on_stdout: json::text(&json::errors(problems)), on_stderr: String::new(), code: FAILURE }
        }
        Format::Text | Format::Csv => {
            let errors = problems.iter().filter(|problem| problem.is_error());
            let lines: String = errors.map(|problem| format!("{}: {problem}\n", file.display())).collect();
            Refusal { on_stdout: String::new(), on_stderr: lines, code: FAILURE }
        }
    }
}

/// A call that makes no sense whatever the scenario says.
fn misused(sentence: &str) -> Refusal {
    Refusal { on_stdout: String::new(), on_stderr: format!("outlay: {sentence}\n"), code: USAGE }
}

/// What `--case` calls the scenario without a case.
const BASE: &str = "base";

pub(super) fn subject(file: &Path, how: &How) -> Result<Subject, Refusal> {
    let (text, syntax) = text_of(file).map_err(|problem| unreadable(file, how.format, problem))?;
    subject_of(&text, syntax, how.case.as_ref(), &how.set).map_err(|problems| refused(file, how.format, &problems))
}

/// The scenario of a text, with a case of it and other values.
fn subject_of(
    text: &str,
    syntax: Syntax,
    case: Option<&String>,
    set: &[(String, String)],
) -> Result<Subject, Vec<Problem>> {
    let opened = open(text, syntax)?;
    let mut scenario = opened.scenario;
    let mut changes = Vec::new();
    // The base goes by its name too, unless a case has taken that name.
    let case = case.filter(|id| *id != BASE || scenario.cases.iter().any(|case| case.id == BASE));
    let is_changed = case.is_some() || !set.is_empty();
    if let Some(id) = case {
        let case = case_named(&scenario, id).map_err(|problem| vec![problem])?.clone();
        let (changed, of_case) = with_case(&scenario, &case)?;
        scenario = changed;
        changes.extend(of_case);
    }
    changes.extend(settings(&mut scenario, set)?);
    let evaluation = match is_changed {
        true => parallel::evaluate(&scenario).map_err(|failure| vec![failure.into()])?,
        false => opened.evaluation,
    };
    Ok(Subject { scenario, evaluation, warnings: opened.warnings, case: case.cloned(), changes })
}

/// A file whose name says that it is no scenario is a mistake in the call; everything else lies with the file.
fn unreadable(file: &Path, format: Format, problem: Problem) -> Refusal {
    let mut refusal = refused(file, format, &[problem]);
    if crate::scenario::Syntax::of_path(file).is_err() {
        refusal.code = USAGE;
    }
    refusal
}

fn settings(scenario: &mut Scenario, settings: &[(String, String)]) -> Result<Vec<Change>, Vec<Problem>> {
    let (mut changes, mut problems) = (Vec::new(), Vec::new());
    for (path, value) in settings {
        let set = typed(value)
            .map_err(|reason| Problem::error(path.clone(), reason))
            .and_then(|value| scenario.set(path, value));
        match set {
            Ok(change) => changes.push(change),
            Err(problem) => problems.push(problem),
        }
    }
    if problems.is_empty() && !changes.is_empty() {
        problems = validate::errors(scenario);
    }
    if problems.is_empty() { Ok(changes) } else { Err(problems) }
}

/// A value as a cell of the window takes it: `0.6`, `60%`, `40k`, `=12*730`. What one reader takes for a separator of
/// thousands and another for a decimal mark is refused.
fn typed(value: &str) -> Result<Exact, String> {
    if let Ok(exact) = Exact::parse(value) {
        return Ok(exact);
    }
    if value.contains(',') {
        return Err(format!(
            "{value:?} can be read in two ways. Write the number without commas, with a point if any."
        ));
    }
    let decimal = show::parse(value, Marks::Point, Cell::Plain).map_err(|refused| refused.0)?;
    Exact::from_decimal(decimal).map_err(|message| format!("{message}."))
}

fn check(file: &Path, how: &How) -> Result<String, Refusal> {
    let (text, syntax) = text_of(file).map_err(|problem| unreadable(file, how.format, problem))?;
    // Errors are what was asked for, so that they are the answer, and warnings stand among them.
    let failed = |problems: Vec<Problem>| {
        let on_stdout = match how.format {
            Format::Text => text::errors(file, &problems),
            Format::Json => json::text(&json::errors(&problems)),
            Format::Csv => tables::csv(&tables::problems(&problems)),
        };
        Refusal { on_stdout, on_stderr: String::new(), code: FAILURE }
    };
    open(&text, syntax).map_err(failed)?;
    let subject = subject(file, how)?;
    let mut warnings = subject.warnings.clone();
    // Today's date finds what the start of the scenario has not found already.
    if let Ok((scenario, _)) = read(&text, syntax) {
        let today = crate::scenario::read::positioned(dated_warnings(&scenario, today()), &text);
        for warning in today {
            let is_known =
                warnings.iter().any(|known| known.path == warning.path && same_kind(&known.message, &warning.message));
            if !is_known {
                warnings.push(warning);
            }
        }
    }
    warnings.sort_by_key(|warning| (warning.position.is_none(), warning.position));
    let idle = idle_inputs(&subject.scenario, &subject.evaluation);
    Ok(match how.format {
        Format::Text => text::check(&subject, &warnings, &idle),
        Format::Json => subject.json(json::check(&subject.evaluation, &warnings, &idle)),
        Format::Csv => tables::csv(&tables::problems(&warnings)),
    })
}

/// Two dated warnings about one place differ only in the date they were made on.
fn same_kind(one: &str, other: &str) -> bool {
    one.split(' ').take(3).eq(other.split(' ').take(3))
}

fn today() -> Date {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Date::from_days_since_1970(seconds / 86_400)
}

pub(super) fn placement_named(scenario: &Scenario, id: &str) -> Result<usize, Problem> {
    let place = scenario.placements.iter().position(|placement| placement.id == id);
    place.ok_or_else(|| {
        problem::dangling(
            "placements",
            "placement",
            id,
            scenario.placements.iter().map(|placement| placement.id.as_str()),
        )
    })
}

fn ledger(file: &Path, how: &How, asked: &Postings) -> Result<String, Refusal> {
    let subject = subject(file, how)?;
    let usage = |problem: Problem| Refusal { code: USAGE, ..refused(file, how.format, &[problem]) };
    let mut filter = Filter::words(&asked.search);
    for (dimension, value) in &asked.conditions {
        filter = filter.or(*dimension, value);
    }
    for id in &asked.placement {
        placement_named(&subject.scenario, id).map_err(|problem| refused(file, how.format, &[problem]))?;
        filter = filter.or(Dimension::Placement, id);
    }
    let is_listed = asked.group.is_empty() && asked.pivot.is_none();
    if is_listed && filter.values(Dimension::Placement).is_empty() {
        let ids: Vec<&str> = subject.scenario.placements.iter().map(|placement| placement.id.as_str()).collect();
        return Err(usage(problem::unnamed_placement(&ids)));
    }
    let book = Book::new(&subject.scenario, &subject.evaluation);
    let rows = book.matching(&filter).map_err(usage)?;
    let currency = subject.evaluation.currency;
    if let Some(Crossing { down, across }) = &asked.pivot {
        let pivot = book.pivot(&rows, down, *across);
        return Ok(match how.format {
            Format::Text => text::pivot(&subject, &filter, &book, &pivot, asked.measure),
            Format::Json => subject.json(json::pivot(&book, &pivot, asked.measure, currency)),
            Format::Csv => tables::csv(&tables::pivot(&book, &pivot, asked.measure, currency)),
        });
    }
    if !is_listed {
        let grouped = book.grouped(&rows, &asked.group);
        return Ok(match how.format {
            Format::Text => text::grouped(&subject, &filter, &book, &grouped),
            Format::Json => subject.json(json::grouped(&book, &grouped, currency)),
            Format::Csv => tables::csv(&tables::grouped(&book, &grouped, currency)),
        });
    }
    let only = match (asked.placement.as_slice(), asked.conditions.iter().any(|(of, _)| *of == Dimension::Placement)) {
        ([only], false) => Some(only.as_str()),
        _ => None,
    };
    Ok(match how.format {
        Format::Text => text::ledger(&subject, only, &filter, &book, &rows),
        Format::Json => subject.json(json::ledger(&subject.evaluation, only, &book, &rows)),
        Format::Csv => tables::csv(&tables::ledger(&subject.evaluation, &book, &rows, only.is_none())),
    })
}

fn tornado(scenario: &Scenario, placement: &str, against: Option<&str>, figure: &str) -> Result<Answer, Problem> {
    let question = Question {
        placement: placement_named(scenario, placement)?,
        against: against.map(|id| placement_named(scenario, id)).transpose()?,
        figure: figure_named(scenario, figure)?,
    };
    whole(analyses::tornado(scenario, question, TO_ITS_END))
}

/// What `explain` was asked about, as it was typed.
struct Asked {
    environment: Option<String>,
    category: Option<String>,
    line: Option<String>,
    year: Option<u32>,
    figure: Option<String>,
}

fn explain(subject: &Subject, placement: &str, asked: Asked) -> Result<Explained, Vec<Problem>> {
    let scenario = &subject.scenario;
    let place = placement_named(scenario, placement).map_err(|problem| vec![problem])?;
    let explainer = Explainer::new(scenario, place).map_err(|failure| vec![failure.into()])?;
    let named = match asked.figure {
        Some(path) => Explainable::Figure(path),
        None => Explainable::Postings(selection(&explainer, &asked)?, Measure::Total),
    };
    let unknown = |path: &str| {
        let known: Vec<String> = figures(explainer.result()).into_iter().map(|figure| figure.path).collect();
        vec![problem::no_such_figure(path, known.iter().map(String::as_str))]
    };
    let title = title(&explainer, &named);
    match explainer.explain(&named) {
        Some(explanation) => Ok(Explained { explainer, explanation, subject: named, title }),
        None => match &named {
            Explainable::Figure(path) => Err(unknown(path)),
            Explainable::Postings(..) => Err(unknown("")),
        },
    }
}

/// The postings that are meant; everything named has to exist, so that a slip is not answered with zero.
fn selection(explainer: &Explainer, asked: &Asked) -> Result<Selection, Vec<Problem>> {
    let result = explainer.result();
    let mut problems = Vec::new();
    let mut known = |kind: &str, name: &Option<String>, all: Vec<&str>| {
        if let Some(name) = name.as_ref().filter(|name| !all.contains(&name.as_str())) {
            problems.push(problem::dangling("", kind, name, all));
        }
    };
    known("environment", &asked.environment, result.environments.iter().map(|of| of.id.as_str()).collect());
    known("category", &asked.category, Category::ALL.iter().map(|category| category.name()).collect());
    let mut lines: Vec<&str> = result.ledger.lines.iter().map(|line| line.id.as_str()).collect();
    lines.sort_unstable();
    lines.dedup();
    known("cost line", &asked.line, lines);
    let years = result.by_year.len();
    let year = asked.year.map(|year| (year as usize).wrapping_sub(1));
    if year.is_some_and(|year| years <= year) {
        let message = format!("the horizon has years 1 to {years}; name one of them");
        problems.push(Problem::error("--year", format!("{message}.")));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let category = asked.category.as_ref();
    Ok(Selection {
        environment: asked.environment.clone(),
        categories: Category::ALL.iter().copied().filter(|of| category.is_some_and(|name| of.name() == name)).collect(),
        line: asked.line.clone(),
        year: year.and_then(|year| u32::try_from(year).ok()),
        ..Selection::default()
    })
}

/// The answer of an analysis that is wanted to its end.
pub(super) fn whole<A>(answer: Option<A>) -> A {
    answer.expect("a command wants its answer to the end")
}

fn case_table(scenario: &Scenario) -> Result<cases::Table, Vec<Problem>> {
    let deciding = Figure::deciding(scenario.decision_figure);
    whole(analyses::cases(scenario, deciding, TO_ITS_END)).map(|answer| answer.table)
}

/// A figure that is not reproduced is a failure, so that a script notices it; the list is the answer either way.
fn published(format: Format) -> Result<String, Refusal> {
    let cases = published::cases();
    let answer = match format {
        Format::Text => text::published(&cases),
        Format::Json => json::text(&json::published(&cases)),
        Format::Csv => tables::csv(&tables::published(&cases)),
    };
    let is_reproduced = cases.iter().flat_map(|case| &case.rows).all(|row| row.verdict() != Verdict::Unexplained);
    if is_reproduced { Ok(answer) } else { Err(Refusal { on_stdout: answer, on_stderr: String::new(), code: FAILURE }) }
}

fn idle_inputs(scenario: &Scenario, base: &Evaluation) -> Vec<InputRef> {
    let candidates = candidates(scenario);
    let idle = in_parallel(&candidates, || scenario.clone(), |scratch, candidate| is_idle(scratch, base, candidate));
    candidates.into_iter().zip(idle).filter(|(_, idle)| *idle).map(|(candidate, _)| candidate.input).collect()
}
