//! What the commands answer that say what drives a decision.
//!
//! Nothing here formats a number or computes a figure; the evaluations that an analysis names are run on every core.

use std::path::Path;

use crate::analysis::figure::figure_named;
use crate::analysis::{base_size, map, switch_over};
use crate::export::{json, tables};
use crate::scenario::{Problem, Scenario};

use super::super::analyses::{self, TO_ITS_END};
use super::super::{Format, How, text};
use super::{Refusal, misused, placement_named, refused, subject, whole};

pub(super) fn switch_over(
    file: &Path,
    how: &How,
    path: String,
    between: [&str; 2],
    figure: &str,
) -> Result<String, Refusal> {
    if between[0] == between[1] {
        return Err(misused(&format!(
            "--between and --and name the same placement, {:?}. A switch-over lies between two.",
            between[0]
        )));
    }
    let subject = subject(file, how)?;
    let refuse = |problem: Problem| refused(file, how.format, &[problem]);
    let answer = switch_over_of(&subject.scenario, path, between, figure).map_err(refuse)?;
    Ok(match how.format {
        Format::Text => text::switch_over(&subject, &answer),
        Format::Json => subject.json(json::switch_over(&subject.scenario, &answer)),
        Format::Csv => tables::csv(&tables::switch_over(&subject.scenario, &answer)),
    })
}

fn switch_over_of(
    scenario: &Scenario,
    path: String,
    [first, second]: [&str; 2],
    figure: &str,
) -> Result<switch_over::Answer, Problem> {
    let question = switch_over::Question {
        path,
        between: [placement_named(scenario, first)?, placement_named(scenario, second)?],
        figure: figure_named(scenario, figure)?,
    };
    whole(analyses::switch_over(scenario, question, TO_ITS_END))
}

pub(super) fn map(file: &Path, how: &How, paths: [String; 2], figure: &str, steps: u32) -> Result<String, Refusal> {
    let subject = subject(file, how)?;
    let refuse = |problem: Problem| refused(file, how.format, &[problem]);
    let answer = map_of(&subject.scenario, paths, figure, steps).map_err(refuse)?;
    Ok(match how.format {
        Format::Text => text::map(&subject, &answer),
        Format::Json => subject.json(json::map(&subject.scenario, &answer)),
        Format::Csv => tables::csv(&tables::map(&subject.scenario, &answer)),
    })
}

fn map_of(scenario: &Scenario, paths: [String; 2], figure: &str, steps: u32) -> Result<map::Answer, Problem> {
    let question = map::Question { paths, figure: figure_named(scenario, figure)?, steps };
    whole(analyses::map(scenario, question, TO_ITS_END))
}

pub(super) fn base_size(file: &Path, how: &How, placement: &str, environment: String) -> Result<String, Refusal> {
    let subject = subject(file, how)?;
    let refuse = |problem: Problem| refused(file, how.format, &[problem]);
    let answer = base_size_of(&subject.scenario, placement, environment).map_err(refuse)?;
    Ok(match how.format {
        Format::Text => text::base_size(&subject, &answer),
        Format::Json => subject.json(json::base_size(&subject.scenario, &answer)),
        Format::Csv => tables::csv(&tables::base_size(&answer)),
    })
}

fn base_size_of(scenario: &Scenario, placement: &str, environment: String) -> Result<base_size::Answer, Problem> {
    let question = base_size::Question { placement: placement_named(scenario, placement)?, environment };
    whole(analyses::base_size(scenario, question, TO_ITS_END))
}
