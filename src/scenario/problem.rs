//! What is wrong, or odd, in a scenario: where it stands, what was found, and the way out.
//!
//! All wording lives here, so that problems read alike. Nothing here decides what is a problem.

use std::fmt;

use crate::input::{Bounds, Decl, Limit};
use crate::quantity::Exact;
use crate::scenario::id;

/// How much a problem matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The scenario cannot be computed as it stands.
    Error,
    /// Possible, but odd enough to look at again.
    Warning,
}

/// A place in the text of a file, both counted from 1; columns are characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// One finding about a scenario or its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    pub severity: Severity,
    /// The path of the input or field; empty where the fault lies in the text itself.
    pub path: String,
    pub position: Option<Position>,
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.position, self.path.as_str()) {
            (Some(Position { line, column }), "") => write!(out, "line {line}, column {column}: ")?,
            (Some(Position { line, .. }), path) => write!(out, "line {line}, {path}: ")?,
            (None, "") => {}
            (None, path) => write!(out, "{path}: ")?,
        }
        out.write_str(&self.message)
    }
}

impl Problem {
    /// A fault that keeps the scenario from being computed.
    #[must_use]
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, path: path.into(), position: None, message: message.into() }
    }

    /// Something odd but possible.
    #[must_use]
    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, path: path.into(), position: None, message: message.into() }
    }

    /// The same problem at a place in the text.
    #[must_use]
    pub fn at(mut self, position: Option<Position>) -> Self {
        self.position = position.or(self.position);
        self
    }

    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A value that its declaration does not accept. `what` says which number is meant where it is not the value itself.
#[must_use]
pub fn out_of_bounds(path: &str, decl: &Decl, value: Exact, what: &str) -> Problem {
    let bounds = decl.bounds;
    let found = if what.is_empty() { value.to_string() } else { format!("{what} {value}") };
    let label = decl.label;
    let message = if !bounds.above_low(value) {
        below_low(bounds, &found, label)
    } else if !bounds.below_high(value) {
        above_high(bounds, &found, label)
    } else {
        format!("{found} is not a whole number. {label} is counted; give a whole number")
    };
    Problem::error(path, format!("{message}."))
}

fn below_low(bounds: Bounds, found: &str, label: &str) -> String {
    match bounds.low {
        Limit::Including(1) if !bounds.whole => {
            format!("{found} is below 1. {}; give 1.0 or more", reason_for_at_least_one(label))
        }
        Limit::Including(0) => format!("{found} is below 0. {label} cannot be negative; give 0 or more"),
        Limit::Excluding(-1) => {
            format!(
                "{found} is not above -1. {label} cannot take more than everything away; give a rate above -1, for example 0.03 for 3 %"
            )
        }
        Limit::Excluding(low) => {
            format!("{found} is not above {low}. {label} must be above {low}; give a greater number")
        }
        Limit::Including(low) => format!("{found} is below {low}. {label} begins at {low}; give {low} or more"),
        Limit::Open => format!("{found} is too small"),
    }
}

fn reason_for_at_least_one(label: &str) -> String {
    if label == "Power usage effectiveness" {
        "A building cannot draw less than its machines".into()
    } else {
        format!("{label} begins at 1")
    }
}

fn above_high(bounds: Bounds, found: &str, label: &str) -> String {
    match bounds.high {
        Limit::Including(1) => {
            format!(
                "{found} is above 1. {label} is a part of one; give a number from 0 to 1, for example 0.15 for 15 %"
            )
        }
        Limit::Excluding(1) => format!(
            "{found} is not below 1. {label} leaves nothing to compute with at 1; give a share below 1, for example 0.15 for 15 %"
        ),
        Limit::Including(168) => format!("{found} is above 168. A week has 168 hours; give 168 or less"),
        Limit::Including(high) => format!("{found} is above {high}. {label} ends at {high}; give {high} or less"),
        Limit::Excluding(high) => {
            format!("{found} is not below {high}. {label} stays below {high}; give a smaller number")
        }
        Limit::Open => format!("{found} is too large"),
    }
}

/// A range that does not contain its value, or whose ends are swapped.
#[must_use]
pub fn range_without_value(path: &str, low: Exact, value: Exact, high: Exact) -> Problem {
    let message = if high < low {
        format!("low {low} is above high {high}. A range goes from low to high; swap them.")
    } else if value < low {
        format!("the value {value} is below its low {low}. A range contains its value; lower `low` or raise the value.")
    } else {
        format!(
            "the value {value} is above its high {high}. A range contains its value; raise `high` or lower the value."
        )
    };
    Problem::error(path, message)
}

/// A log-normal range that reaches 0.
#[must_use]
pub fn lognormal_from_zero(path: &str, low: Exact) -> Problem {
    Problem::error(
        path,
        format!(
            "low {low} is not above 0. A log-normal input is never 0 or less; give a low above 0, or another distribution."
        ),
    )
}

/// A count outside what can be laid out.
#[must_use]
pub fn count_outside(path: &str, found: u32, least: u32, most: u32, why: &str) -> Problem {
    let message = if found < least {
        format!("{found} is below {least}. {why}; give {least} or more.")
    } else {
        format!("{found} is above {most}. {why}; give {most} or less.")
    };
    Problem::error(path, message)
}

/// An id that is not lower-case words joined by hyphens.
#[must_use]
pub fn bad_id(path: &str, id: &str) -> Problem {
    let suggestion = id::of_name(id);
    let mend = if suggestion.is_empty() {
        "write one such as \"owned-cluster\"".into()
    } else {
        format!("write {suggestion:?}")
    };
    Problem::error(
        path,
        format!("{:?} is not an id. An id is lower-case words joined by hyphens; {mend}.", clipped(id)),
    )
}

/// An id that stands twice in its list.
#[must_use]
pub fn duplicate_id(path: &str, id: &str, list: &str) -> Problem {
    Problem::error(
        path,
        format!(
            "the id {:?} stands twice in {list}. Ids are unique in their list, since paths name elements by them; rename one.",
            clipped(id)
        ),
    )
}

/// A reference to something that does not exist. `known` are the names that do.
#[must_use]
pub fn dangling<'a>(path: &str, kind: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let known: Vec<&str> = known.into_iter().collect();
    let mend = match nearest(name, known.iter().copied()) {
        Some(near) => {
            format!("Did you mean {near:?}? Otherwise add {kind} {:?} or name an existing one.", clipped(name))
        }
        None if known.is_empty() => format!("The scenario has none; add {kind} {:?}.", clipped(name)),
        None => format!("Known are {}; name one of them or add {kind} {:?}.", listed(&known), clipped(name)),
    };
    Problem::error(path, format!("{kind} {:?} does not exist. {mend}", clipped(name)))
}

/// A path that names no input.
#[must_use]
pub fn no_such_input<'a>(at: &str, path: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let known: Vec<&str> = known.into_iter().collect();
    let mut starts: Vec<&str> = known.iter().filter_map(|known| known.split('.').next()).collect();
    starts.dedup();
    let mend = match nearest(path, known.iter().copied()) {
        Some(near) => format!("The nearest input is {near}"),
        None if known.is_empty() => "The scenario has no inputs yet".into(),
        None => format!(
            "None of its {} inputs is called anything like it; their paths begin with {}",
            known.len(),
            listed(&starts)
        ),
    };
    Problem::error(
        at,
        format!(
            "there is no input {:?}. {mend}; name an input by ids and field names joined with dots.",
            clipped(path)
        ),
    )
}

/// Postings asked for without saying of which placement.
#[must_use]
pub fn unnamed_placement(known: &[&str]) -> Problem {
    Problem::error(
        "placements",
        format!(
            "name the placement whose postings are listed, with --placement. There are {}. With --group or --pivot none need be \
             named.",
            listed(known)
        ),
    )
}

/// A path that names no figure of a result.
#[must_use]
pub fn no_such_figure<'a>(path: &str, known: impl IntoIterator<Item = &'a str>) -> Problem {
    let mend = match nearest(path, known) {
        Some(near) => format!("The nearest figure is {near}"),
        None => "Figures are for example total, by_category.Power.total and exposures.idle_commitment".into(),
    };
    Problem::error(
        "",
        format!(
            "there is no figure {:?}. {mend}; name one as in the result, with ids in place of positions.",
            clipped(path)
        ),
    )
}

/// A value that no posting can have. `known` are those that there are.
#[must_use]
pub fn no_such_value(dimension: &str, value: &str, known: &[&str]) -> Problem {
    let mend = match nearest(value, known.iter().copied()) {
        Some(near) => format!("Did you mean {near:?}? There are {}", listed(known)),
        None => format!("There are {}", listed(known)),
    };
    Problem::error(dimension, format!("there is no {:?}. {mend}.", clipped(value)))
}

/// Text that is no calendar month.
#[must_use]
pub fn bad_month(path: &str, text: &str) -> Problem {
    Problem::error(path, format!("{:?} is not a month. Write year and month, for example \"2027-01\".", clipped(text)))
}

/// Text that is no calendar date.
#[must_use]
pub fn bad_date(path: &str, text: &str) -> Problem {
    Problem::error(
        path,
        format!(
            "{:?} is not a date of the calendar. Write year, month and day, for example \"2026-11-27\".",
            clipped(text)
        ),
    )
}

/// A code that ISO 4217 does not list.
#[must_use]
pub fn bad_currency(path: &str, code: &str) -> Problem {
    Problem::error(
        path,
        format!(
            "{:?} is not a currency code of ISO 4217. Write three capital letters, for example \"USD\" or \"EUR\".",
            clipped(code)
        ),
    )
}

/// A foreign currency without a rate.
#[must_use]
pub fn no_exchange_rate(path: &str, code: &str, scenario_currency: &str) -> Problem {
    Problem::error(
        path,
        format!(
            "there is no exchange rate for {code}. Amounts in {code} have to be converted; add {code:?} to `fx` with the {scenario_currency} that one {code} costs."
        ),
    )
}

/// A list whose parts should sum to 1.
#[must_use]
pub fn sum_not_one(path: &str, what: &str, sum: &str) -> Problem {
    Problem::error(
        path,
        format!("the {what} sum to {sum}, not to 1. They divide one whole; change them until they sum to 1."),
    )
}

/// An input, or a group, that is to be moved and has nothing to be moved over.
#[must_use]
pub fn no_range_to_move(path: &str) -> Problem {
    Problem::error(
        path,
        "there is no range to move it over. State its `low` and `high`, or give the scenario a `default_range` (a share of \
         nothing is no range: a value of 0 needs its own).",
    )
}

/// The text of a file that cannot be read at all.
#[must_use]
pub fn in_text(position: Option<Position>, message: impl Into<String>) -> Problem {
    Problem::error("", message).at(position)
}

/// A length of time: `1 month`, `60 months`.
#[must_use]
pub fn months(count: u32) -> String {
    if count == 1 { "1 month".into() } else { format!("{count} months") }
}

/// A name shortened for a message.
#[must_use]
pub fn clipped(text: &str) -> String {
    const MOST: usize = 80;
    if text.chars().count() <= MOST {
        return text.into();
    }
    let head: String = text.chars().take(MOST).collect();
    format!("{head}…")
}

fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let mut text = names.iter().take(MOST).map(|name| format!("{:?}", clipped(name))).collect::<Vec<_>>().join(", ");
    if names.len() > MOST {
        text.push_str(&format!(" and {} more", names.len() - MOST));
    }
    text
}

/// The known name that is closest to a given one, if any is close at all.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: Vec<char> = name.chars().take(200).collect();
    let farthest = (name.len() / 2).max(2);
    known
        .into_iter()
        .map(|candidate| (distance(&name, candidate), candidate))
        .filter(|(distance, _)| *distance <= farthest)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Letters to insert, delete or replace to get from one name to the other.
fn distance(from: &[char], to: &str) -> usize {
    let to: Vec<char> = to.chars().take(200).collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (b, cell) in to.iter().zip(row.iter_mut().skip(1)) {
            let replaced = diagonal + usize::from(a != b);
            diagonal = *cell;
            left = replaced.min(*cell + 1).min(left + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        assert_eq!(nearest("ownd", ["aws", "owned", "hoster"]), Some("owned"));
        assert_eq!(nearest("zzzzzzzz", ["aws", "owned"]), None);
        assert_eq!(distance(&"kitten".chars().collect::<Vec<_>>(), "sitting"), 3);
    }

    #[test]
    fn a_problem_reads_from_place_to_mend() {
        let problem = Problem::error("environments.owned.supply.pue", "0.9 is below 1.")
            .at(Some(Position { line: 12, column: 4 }));
        assert_eq!(problem.to_string(), "line 12, environments.owned.supply.pue: 0.9 is below 1.");
        assert_eq!(
            in_text(Some(Position { line: 2, column: 7 }), "Expected a comma.").to_string(),
            "line 2, column 7: Expected a comma."
        );
    }
}
