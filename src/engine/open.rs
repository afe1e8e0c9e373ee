//! Reading a file to its end: its text, its rules, and one checked evaluation.
//!
//! Nothing here opens a file, or knows a formula.

use crate::scenario::read::positioned;
use crate::scenario::{Category, Problem, Scenario, Syntax, read};

use super::{Evaluation, Failure, evaluate};

/// A scenario that can be evaluated, with its figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    pub scenario: Scenario,
    pub evaluation: Evaluation,
    /// What is possible but odd.
    pub warnings: Vec<Problem>,
}

/// Reads a scenario and evaluates it once, so that whatever is opened has figures.
///
/// # Errors
/// Everything wrong with the text, as [`read`] says; or what the evaluation could not compute, at its place in the text.
pub fn open(text: &str, syntax: Syntax) -> Result<Opened, Vec<Problem>> {
    let (scenario, mut warnings) = read(text, syntax)?;
    let evaluation = evaluate(&scenario).map_err(|failure| positioned(vec![failure.into()], text))?;
    warnings.extend(positioned(gaps(&evaluation), text));
    Ok(Opened { scenario, evaluation, warnings })
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let Failure { path, message } = failure;
        let end = if message.ends_with('.') { "" } else { "." };
        Self::error(path, format!("{message}{end}"))
    }
}

/// Placements without a line in a category that others have: nothing entered is not zero.
#[must_use]
pub fn gaps(evaluation: &Evaluation) -> Vec<Problem> {
    let entered = |category: Category| {
        evaluation
            .placements
            .iter()
            .any(|placement| placement.by_category.iter().any(|of| of.category == category && of.entered))
    };
    let mut problems = Vec::new();
    for placement in &evaluation.placements {
        let missing: Vec<&str> = placement
            .by_category
            .iter()
            .filter(|of| !of.entered && entered(of.category))
            .map(|of| of.category.label())
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "nothing is entered in {}, where other placements have lines. Nothing entered is not zero; check that the \
                 boundaries are equal.",
                missing.join(", ")
            );
            problems.push(Problem::warning(format!("placements.{}", placement.id), message));
        }
    }
    problems
}
