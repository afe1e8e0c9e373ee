//! What an edit does to a scenario, and what it is called in the history.
//!
//! Nothing here draws, or knows the history itself.

use crate::input::{Bounds, Distribution, Evidence, EvidenceKind, Input, Range};
use crate::quantity::Exact;
use crate::scenario::{InputRef, Problem, Scenario, problem, structure, validate};
use crate::show::Figures;
pub use crate::words::values::cell_of as cell;

/// A change of one input, or of what stands at a place of the scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Edit {
    pub path: String,
    pub change: Change,
}

impl Edit {
    /// Changes of several inputs as one step, and what the history calls it.
    pub fn many(edits: Vec<Self>, label: impl Into<String>) -> Self {
        Self { path: String::new(), change: Change::Many { edits, label: label.into() } }
    }

    /// A change of what the scenario consists of, and what the history calls it.
    pub fn structure(path: impl Into<String>, change: structure::Change, label: impl Into<String>) -> Self {
        Self { path: path.into(), change: Change::Structure { change, label: label.into() } }
    }
}

/// What is changed of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Change {
    Value(Exact),
    /// A value typed as a sum, which stays as a note in the name of the step.
    Sum {
        value: Exact,
        typed: String,
    },
    /// An end of the range; `None` takes the range away.
    Low(Option<Exact>),
    High(Option<Exact>),
    Distribution(Distribution),
    Evidence(Option<Evidence>),
    /// Fields that are no inputs, and elements added, moved, renamed or removed; with the name of the step.
    Structure {
        change: structure::Change,
        label: String,
    },
    /// Several inputs at once, by changes of one input each; with the name of the step.
    Many {
        edits: Vec<Edit>,
        label: String,
    },
}

impl Change {
    /// The value that the input gets.
    pub const fn value(&self) -> Option<Exact> {
        match self {
            Self::Value(value) | Self::Sum { value, .. } => Some(*value),
            _ => None,
        }
    }
}

/// A scenario after an edit, with the name of the step: `Node price 290,000 → 310,000`.
pub struct Edited {
    pub scenario: Scenario,
    pub label: String,
    /// The range that the edit began with, where its value lies outside and has widened it.
    pub widened_from: Option<Range>,
}

/// Applies an edit. What cannot be used is refused with a sentence, and the scenario stays as it was.
///
/// A value may start `from` an earlier range: the one that the edit before has widened for a value that this one replaces.
pub fn apply(scenario: &Scenario, edit: &Edit, from: Option<Range>, figures: Figures) -> Result<Edited, String> {
    if let Change::Structure { change, label } = &edit.change {
        let scenario = structure::changed(scenario, change).map_err(|problems| whole(scenario, &problems))?;
        return Ok(Edited { scenario, label: label.clone(), widened_from: None });
    }
    if let Change::Many { edits, label } = &edit.change {
        let scenario = many(scenario, edits)?;
        return Ok(Edited { scenario, label: label.clone(), widened_from: None });
    }
    let found = scenario.input(&edit.path).map_err(|problem| problem.message)?;
    check(&found, &edit.change)?;
    let mut changed = scenario.clone();
    let from = from.filter(|_| edit.change.value().is_some());
    changed.change_nth(found.index, |input| {
        if let Some(range) = from {
            input.detail_mut().range = Some(range);
        }
        change(input, &edit.change);
    });
    let errors = validate::errors(&changed);
    if let Some(problem) = errors.first() {
        return Err(sentence(&problem.message));
    }
    let after = changed.input(&edit.path).map_err(|problem| problem.message)?;
    let began = from.or(found.input.range());
    let widened_from = began.filter(|began| after.input.range() != Some(*began));
    let widened_from = widened_from.filter(|_| edit.change.value().is_some());
    Ok(Edited { label: label(&found, &after, &edit.change, widened_from, figures), scenario: changed, widened_from })
}

/// The scenario after changes of several inputs, of which none may be refused.
fn many(scenario: &Scenario, edits: &[Edit]) -> Result<Scenario, String> {
    let inputs = scenario.inputs();
    let mut changed = scenario.clone();
    for edit in edits {
        let found = inputs.iter().find(|input| input.path == edit.path);
        let found = found.ok_or_else(|| format!("{} is no input.", edit.path))?;
        check(found, &edit.change).map_err(|reason| format!("{}: {reason}", found.full_label()))?;
        changed.change_nth(found.index, |input| change(input, &edit.change));
    }
    match validate::errors(&changed).first() {
        Some(problem) => Err(sentence(&problem.message)),
        None => Ok(changed),
    }
}

/// Evidence speaks of the value that it was found with: for another value the input is assumed, and its source says what it
/// was. The value that the file has brings back the evidence of the file, so that a slip leaves no trace.
pub fn keep_evidence_true(edited: &mut Edited, path: &str, before: &Scenario, saved: &Scenario) {
    let (Ok(now), Ok(before)) = (edited.scenario.input(path), before.input(path)) else { return };
    if now.input.value == before.input.value {
        return;
    }
    let kept = saved.input(path).ok().filter(|saved| saved.input.value == now.input.value);
    let evidence = match (kept, now.input.evidence()) {
        (Some(saved), Some(evidence)) if evidence.source.starts_with(WAS) => saved.input.evidence().cloned(),
        (_, Some(evidence)) if evidence.kind != EvidenceKind::Assumed => {
            edited.label += ", now assumed";
            let (value, kind) = (before.input.value, evidence.kind.label().to_lowercase());
            Some(Evidence {
                kind: EvidenceKind::Assumed,
                source: format!("{WAS}{value}, {kind}: {}", evidence.source),
                confidence: None,
                as_of: None,
                ..evidence.clone()
            })
        }
        _ => return,
    };
    edited.scenario.change_nth(now.index, |input| {
        change(input, &Change::Evidence(evidence.clone()));
    });
}

/// How the source of a value begins that was changed after it was found.
const WAS: &str = "was ";

fn check(found: &InputRef, change: &Change) -> Result<(), String> {
    let bounds: Bounds = found.bounds();
    let (Change::Value(value) | Change::Sum { value, .. } | Change::Low(Some(value)) | Change::High(Some(value))) =
        change
    else {
        return Ok(());
    };
    if !bounds.accept(*value) {
        return Err(sentence(&problem::out_of_bounds(&found.path, found.decl, *value, "").message));
    }
    let current = found.input.value;
    match change {
        Change::Low(_) if current < *value => Err("The low end cannot be above the value.".to_owned()),
        Change::High(_) if *value < current => Err("The high end cannot be below the value.".to_owned()),
        _ => Ok(()),
    }
}

/// A value outside the range widens it; an end entered where there is no range takes the value as the other end.
fn change(input: &mut Input, change: &Change) {
    let (value, range) = (input.value, input.range());
    match change {
        Change::Value(new) | Change::Sum { value: new, .. } => {
            input.value = *new;
            if let Some(Range { low, high }) = range {
                input.detail_mut().range = Some(Range { low: low.min(*new), high: high.max(*new) });
            }
        }
        Change::Low(Some(low)) => {
            let high = range.map_or(value, |range| range.high);
            input.detail_mut().range = Some(Range { low: *low, high });
        }
        Change::High(Some(high)) => {
            let low = range.map_or(value, |range| range.low);
            input.detail_mut().range = Some(Range { low, high: *high });
        }
        Change::Low(None) | Change::High(None) => input.detail_mut().range = None,
        Change::Distribution(distribution) => input.detail_mut().distribution = *distribution,
        Change::Evidence(evidence) => input.detail_mut().evidence.clone_from(evidence),
        // It changes no single input.
        Change::Structure { .. } | Change::Many { .. } => {}
    }
    input.tidy();
}

fn label(
    before: &InputRef,
    after: &InputRef,
    change: &Change,
    widened_from: Option<Range>,
    figures: Figures,
) -> String {
    let (name, shown) = (before.full_label(), |value: Exact| figures.cell(value.decimal(), cell(before)));
    let end = |input: &InputRef, pick: fn(Range) -> Exact| {
        input.input.range().map_or_else(|| "none".to_owned(), |range| shown(pick(range)))
    };
    match change {
        Change::Value(_) | Change::Sum { .. } => {
            let typed = match change {
                Change::Sum { typed, .. } => format!(" ({typed})"),
                _ => String::new(),
            };
            let note = match (widened_from, after.input.range()) {
                (Some(began), Some(range)) if range.low < began.low => {
                    format!(", outside its range: low {} → {}", shown(began.low), shown(range.low))
                }
                (Some(began), Some(range)) => {
                    format!(", outside its range: high {} → {}", shown(began.high), shown(range.high))
                }
                _ if before.input.range() != after.input.range() => ", range as it was".to_owned(),
                _ => String::new(),
            };
            format!("{name} {} → {}{typed}{note}", shown(before.input.value), shown(after.input.value))
        }
        Change::Low(_) => format!("{name}, low {} → {}", end(before, |r| r.low), end(after, |r| r.low)),
        Change::High(_) => format!("{name}, high {} → {}", end(before, |r| r.high), end(after, |r| r.high)),
        Change::Distribution(to) => {
            format!("{name}, distribution {} → {}", before.input.distribution().label(), to.label())
        }
        Change::Evidence(_) => format!("{name}, evidence"),
        Change::Structure { label, .. } | Change::Many { label, .. } => label.clone(),
    }
}

/// What keeps a change from being made, with the names of the places: the first of it, and how much more there is.
fn whole(scenario: &Scenario, problems: &[Problem]) -> String {
    let Some(first) = problems.first() else { return "The change cannot be made.".to_owned() };
    let place = if first.path.is_empty() { String::new() } else { format!("{}: ", scenario.named(&first.path)) };
    let more = match problems.len() {
        0 | 1 => String::new(),
        2 => " One more thing would be wrong.".to_owned(),
        many => format!(" {} more things would be wrong.", many - 1),
    };
    format!("{place}{}{more}", sentence(&first.message))
}

/// A problem's message as a sentence beneath a cell.
fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let text = first + chars.as_str();
    if text.ends_with('.') { text } else { text + "." }
}
