//! What each command answers.
//!
//! Nothing here formats a number or computes a figure.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::analysis::cases::{self, case_named, with_case};
use crate::analysis::diff::diff;
use crate::analysis::figure::figure_named;
use crate::analysis::tornado::{Answer, Outcome, Question, Runner, Tornado, found};
use crate::analysis::unmoved::{candidates, is_idle};
use crate::engine::{Evaluation, evaluate, open};
use crate::export::{json, tables};
use crate::quantity::Exact;
use crate::scenario::calendar::Date;
use crate::scenario::validate::{self, dated_warnings};
use crate::scenario::{Change, InputRef, Problem, Scenario, problem, read};
use crate::show::{self, Cell, Marks};

use super::parallel::in_parallel;
use super::{Command, FAILURE, Format, How, USAGE, text, text_of};

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

pub(super) fn answer(command: Command) -> Result<String, Refusal> {
    match command {
        Command::Schema => Ok(json::text(&json::schema())),
        Command::Check(of) => check(&of.file, &of.how),
        Command::Evaluate(of) => {
            let subject = subject(&of.file, &of.how)?;
            Ok(match of.how.format {
                Format::Text => text::evaluation(&subject),
                Format::Json => json::text(&json::evaluation(&subject.scenario, &subject.evaluation)),
                Format::Csv => tables::csv(&tables::evaluation(&subject.evaluation)),
            })
        }
        Command::Ledger { scenario: of, placement } => ledger(&of.file, &of.how, &placement),
        Command::Tornado { scenario: of, placement, against, figure } => {
            if against.as_ref() == Some(&placement) {
                let sentence = format!(
                    "outlay: --against names the placement itself, {placement:?}. Name another one, or leave --against out.\n"
                );
                return Err(Refusal { on_stdout: String::new(), on_stderr: sentence, code: USAGE });
            }
            let subject = subject(&of.file, &of.how)?;
            let answer = tornado(&subject.scenario, &placement, against.as_deref(), &figure);
            let answer = answer.map_err(|problem| refused(&of.file, of.how.format, &[problem]))?;
            Ok(match of.how.format {
                Format::Text => text::tornado(&subject, &answer),
                Format::Json => json::text(&json::tornado(&subject.scenario, &answer)),
                Format::Csv => tables::csv(&tables::tornado(&answer)),
            })
        }
        Command::Cases(of) => {
            let subject = subject(&of.file, &of.how)?;
            let table =
                case_table(&subject.scenario).map_err(|problems| refused(&of.file, of.how.format, &problems))?;
            Ok(match of.how.format {
                Format::Text => text::cases(&subject, &table),
                Format::Json => json::text(&json::cases(&table, subject.evaluation.currency)),
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
                Format::Json => json::text(&json::diff(&first.scenario, &comparison, currency)),
                Format::Csv => tables::csv(&tables::diff(&first.scenario, &comparison, currency)),
            })
        }
    }
}

/// Problems of a file in the form that was asked for: JSON where a program reads the answer, sentences otherwise.
fn refused(file: &Path, format: Format, problems: &[Problem]) -> Refusal {
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

/// What `--case` calls the scenario without a case.
const BASE: &str = "base";

fn subject(file: &Path, how: &How) -> Result<Subject, Refusal> {
    let refuse = |problems: Vec<Problem>| refused(file, how.format, &problems);
    let (text, syntax) = text_of(file).map_err(|problem| unreadable(file, how.format, problem))?;
    let opened = open(&text, syntax).map_err(refuse)?;
    let mut scenario = opened.scenario;
    let mut changes = Vec::new();
    // The base goes by its name too, unless a case has taken that name.
    let case = how.case.as_ref().filter(|id| *id != BASE || scenario.cases.iter().any(|case| case.id == BASE));
    let is_changed = case.is_some() || !how.set.is_empty();
    if let Some(id) = case {
        let case = case_named(&scenario, id).map_err(|problem| refuse(vec![problem]))?.clone();
        let (changed, of_case) = with_case(&scenario, &case).map_err(refuse)?;
        scenario = changed;
        changes.extend(of_case);
    }
    changes.extend(settings(&mut scenario, &how.set).map_err(refuse)?);
    let evaluation = match is_changed {
        true => evaluate(&scenario).map_err(|failure| refuse(vec![failure.into()]))?,
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
        Format::Json => json::text(&json::check(&subject.evaluation, &warnings, &idle)),
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

fn placement_named(scenario: &Scenario, id: &str) -> Result<usize, Problem> {
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

fn ledger(file: &Path, how: &How, placement: &str) -> Result<String, Refusal> {
    let subject = subject(file, how)?;
    let place =
        placement_named(&subject.scenario, placement).map_err(|problem| refused(file, how.format, &[problem]))?;
    let Some(result) = subject.evaluation.placements.get(place) else { return Ok(String::new()) };
    let currency = subject.evaluation.currency;
    Ok(match how.format {
        Format::Text => text::ledger(&subject, result),
        Format::Json => json::text(&json::ledger(placement, &result.ledger, currency)),
        Format::Csv => tables::csv(&tables::ledger(&result.ledger, currency)),
    })
}

fn tornado(scenario: &Scenario, placement: &str, against: Option<&str>, figure: &str) -> Result<Answer, Problem> {
    let question = Question {
        placement: placement_named(scenario, placement)?,
        against: against.map(|id| placement_named(scenario, id)).transpose()?,
        figure: figure_named(scenario, figure)?,
    };
    let tornado = Tornado::new(scenario, question)?;
    let outcomes: Vec<Outcome> = in_parallel(tornado.jobs(), || Runner::new(&tornado), Runner::run);
    let found = found(&tornado, &mut Runner::new(&tornado), &outcomes);
    tornado.collect(&outcomes, &found)
}

fn case_table(scenario: &Scenario) -> Result<cases::Table, Vec<Problem>> {
    let variants = cases::variants(scenario)?;
    let evaluations = in_parallel(&variants, || (), |(), variant| evaluate(&variant.scenario));
    cases::table(variants, evaluations).map_err(|problem| vec![problem])
}

fn idle_inputs(scenario: &Scenario, base: &Evaluation) -> Vec<InputRef> {
    let candidates = candidates(scenario);
    let idle = in_parallel(&candidates, || scenario.clone(), |scratch, candidate| is_idle(scratch, base, candidate));
    candidates.into_iter().zip(idle).filter(|(_, idle)| *idle).map(|(candidate, _)| candidate.input).collect()
}
