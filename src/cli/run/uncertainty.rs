//! What `outlay uncertainty` answers: all draws, one of them as a scenario, or a part of them and parts joined.
//!
//! A part holds its scenario as it was read, so that whoever joins parts needs nothing else. Nothing here formats a number
//! or computes a figure.

use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::analysis::figure::figure_named;
use crate::analysis::tally::Tally;
use crate::analysis::uncertainty::{Answer, Question, Runner, Uncertainty};
use crate::export::{json, tables};
use crate::scenario::problem::in_text;
use crate::scenario::{Problem, Scenario, Syntax, write};

use super::super::parallel::{cores, counted_in_parallel, in_parallel};
use super::super::{Draws, Format, How, PartOf, said, text, text_of};
use super::{Refusal, Subject, placement_named, refused, subject_of, unreadable};

/// What was counted of a part of the draws, with everything that has to be the same in every part.
#[derive(Serialize, Deserialize)]
struct Part {
    batch: Batch,
    part: u64,
    tally: Tally,
}

/// What the parts of one batch have in common.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct Batch {
    /// The version of the program that computed it.
    outlay: String,
    of: u64,
    draws: u64,
    seed: u64,
    figure: String,
    against: Option<String>,
    case: Option<String>,
    set: Vec<(String, String)>,
    /// The extension that says in which syntax the scenario is written.
    syntax: String,
    /// The text of the scenario.
    scenario: String,
}

pub(super) fn uncertainty(file: Option<&Path>, how: &How, asked: &Draws) -> Result<String, Refusal> {
    if !asked.merge.is_empty() {
        return merged(file, how.format, &asked.merge);
    }
    // Without parts to join, the call names a scenario.
    let file = file.unwrap_or(Path::new(""));
    let refuse = |problem: Problem| refused(file, how.format, &[problem]);
    let (text, syntax) = text_of(file).map_err(|problem| unreadable(file, how.format, problem))?;
    let batch = Batch {
        outlay: env!("CARGO_PKG_VERSION").into(),
        of: asked.part.map_or(1, |part| part.of),
        draws: asked.draws,
        seed: asked.seed,
        figure: asked.figure.clone(),
        against: asked.against.clone(),
        case: how.case.clone(),
        set: how.set.clone(),
        syntax: if syntax == Syntax::Json { "json" } else { "ron" }.into(),
        scenario: text,
    };
    let subject = batch.subject().map_err(|problems| refused(file, how.format, &problems))?;
    let mut plan = batch.plan(&subject).map_err(refuse)?;
    if let Some(draw) = asked.draw {
        let drawn = draw
            .checked_sub(1)
            .ok_or_else(|| Problem::error("--draw", "draws are counted from 1; name one from 1 on."));
        let drawn = drawn.and_then(|draw| plan.scenario(draw)).map_err(refuse)?;
        return Ok(write(&drawn, if how.format == Format::Json { Syntax::Json } else { Syntax::Ron }));
    }
    let threads = asked.threads.map_or_else(cores, usize::from);
    let part = asked.part.unwrap_or(PartOf { part: 1, of: 1 });
    let tally = tally(&mut plan, part, threads);
    if let Some(PartOf { part, .. }) = asked.part {
        let mut text = serde_json::to_string(&Part { batch, part, tally }).unwrap_or_default();
        text.push('\n');
        return Ok(text);
    }
    Ok(answered(&subject, &plan.answer(&tally), how.format))
}

fn answered(subject: &Subject, answer: &Answer, format: Format) -> String {
    match format {
        Format::Text => text::uncertainty(subject, answer),
        Format::Json => subject.json(json::uncertainty(&subject.scenario, answer)),
        Format::Csv => tables::csv(&tables::uncertainty(&subject.scenario, answer)),
    }
}

impl Batch {
    fn subject(&self) -> Result<Subject, Vec<Problem>> {
        let syntax = Syntax::of_extension(&self.syntax).unwrap_or(Syntax::Ron);
        subject_of(&self.scenario, syntax, self.case.as_ref(), &self.set)
    }

    fn plan(&self, subject: &Subject) -> Result<Uncertainty, Problem> {
        let figure = figure_named(&subject.scenario, &self.figure)?;
        let against = self.against.as_deref().map(|id| placement_named(&subject.scenario, id)).transpose()?;
        Uncertainty::new(&subject.scenario, Question { figure, against, draws: self.draws, seed: self.seed })
    }
}

/// What all draws say, made on every core.
///
/// # Errors
/// As [`Uncertainty::new`].
pub(in crate::cli) fn all_draws(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let mut plan = Uncertainty::new(scenario, question)?;
    let tally = tally(&mut plan, PartOf { part: 1, of: 1 }, cores());
    Ok(plan.answer(&tally))
}

/// Runs the pilot draws and then those of a part.
fn tally(plan: &mut Uncertainty, part: PartOf, threads: usize) -> Tally {
    let unruled = &*plan;
    let pilots = |runner: &mut Runner, draws: &Range<u64>| runner.pilots(draws.clone());
    let figures = in_parallel(&plan.pilots(), || Runner::new(unruled), pilots);
    plan.rule(&figures.concat());
    let plan = &*plan;
    let start = share_of(plan.question().draws, part.part - 1, part.of);
    let end = share_of(plan.question().draws, part.part, part.of);
    counted_in_parallel(
        start..end,
        threads,
        || (Runner::new(plan), plan.tally()),
        |runner, draws, tally| runner.draw(draws, tally),
        |all, tally| all.merge(&tally),
        |_| true,
    )
}

/// The answer of all parts together.
fn merged(file: Option<&Path>, format: Format, files: &[PathBuf]) -> Result<String, Refusal> {
    let mut joined: Option<(Batch, Subject, Uncertainty, Tally)> = None;
    let mut seen: Vec<(u64, &PathBuf)> = Vec::new();
    for path in files {
        let refuse = |problem: Problem| refused(path, format, &[problem]);
        let part = read_part(path).map_err(refuse)?;
        if let Some((_, other)) = seen.iter().find(|(known, _)| *known == part.part) {
            let message = format!("it holds part {}, as {} does. Name each part once.", part.part, other.display());
            return Err(refuse(in_text(None, message)));
        }
        seen.push((part.part, path));
        match &mut joined {
            Some((batch, _, plan, tally)) => {
                if *batch != part.batch || !plan.fits(&part.tally) {
                    let first = files.first().map_or_else(String::new, |first| first.display().to_string());
                    return Err(refuse(in_text(None, differs(batch, &part.batch, &first))));
                }
                tally.merge(&part.tally);
            }
            None => {
                let subject = part.batch.subject().map_err(|problems| refused(path, format, &problems))?;
                let plan = part.batch.plan(&subject).map_err(refuse)?;
                if !plan.fits(&part.tally) {
                    return Err(refuse(in_text(None, NOT_A_PART)));
                }
                joined = Some((part.batch, subject, plan, part.tally));
            }
        }
    }
    // The call names one part at least.
    let Some((batch, subject, plan, tally)) = joined else { return Ok(String::new()) };
    let refuse = |problem: Problem| refused(files.first().map_or(Path::new(""), PathBuf::as_path), format, &[problem]);
    let missing: Vec<String> = (1..=batch.of)
        .filter(|part| !seen.iter().any(|(known, _)| known == part))
        .take(9)
        .map(|part| part.to_string())
        .collect();
    if !missing.is_empty() {
        let more = if missing.len() == 9 { " and more" } else { "" };
        let message = format!(
            "of {} parts, these are missing: {}{more}. Name the files of all parts.",
            batch.of,
            missing.join(", ")
        );
        return Err(refuse(in_text(None, message)));
    }
    if let Some(file) = file {
        let (text, _) = text_of(file).map_err(|problem| unreadable(file, format, problem))?;
        if text != batch.scenario {
            let message = "it is not the scenario of which these are the parts. Leave it out, or name that one.";
            return Err(refused(file, format, &[in_text(None, message)]));
        }
    }
    Ok(answered(&subject, &plan.answer(&tally), format))
}

const NOT_A_PART: &str =
    "this is no part of an uncertainty run. Name files that `outlay uncertainty --part` has written.";

fn read_part(path: &Path) -> Result<Part, Problem> {
    let bytes = std::fs::read(path).map_err(|error| in_text(None, said(&error)))?;
    let part: Part = serde_json::from_slice(&bytes).map_err(|_| in_text(None, NOT_A_PART))?;
    let is_part = (1..=part.batch.of).contains(&part.part);
    if !is_part {
        return Err(in_text(None, NOT_A_PART));
    }
    if part.batch.outlay != env!("CARGO_PKG_VERSION") {
        let message = format!(
            "version {} of the program has computed it, and this is version {}. Join parts with the version that computed \
             them.",
            part.batch.outlay,
            env!("CARGO_PKG_VERSION")
        );
        return Err(in_text(None, message));
    }
    Ok(part)
}

/// In what a part does not belong to the others.
fn differs(first: &Batch, other: &Batch, file: &str) -> String {
    let what = if first.scenario != other.scenario || first.case != other.case || first.set != other.set {
        "another scenario, case or value"
    } else if (first.draws, first.of) != (other.draws, other.of) {
        "another number of draws or parts"
    } else if first.seed != other.seed {
        "another seed"
    } else if first.against != other.against {
        "another placement to compare with"
    } else {
        "another figure"
    };
    format!("it has {what} than {file}. Join the parts of one batch.")
}

/// Where the draws of a part end; parts differ by one draw at most.
fn share_of(draws: u64, parts: u64, of: u64) -> u64 {
    u64::try_from(u128::from(draws) * u128::from(parts) / u128::from(of.max(1))).unwrap_or(u64::MAX)
}
