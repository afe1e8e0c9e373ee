//! What the last tornado says of single inputs: how far each moves the figure, and where the preference changes.
//!
//! It reads an answer; asking for one, and drawing it whole, is up to the page that does.

use rust_decimal::Decimal;

use super::document::Snapshot;
use super::icons::letter;
use super::pages::sensitivity::{Sensitivity, is_shifting};
use super::view::{TornadoChoice, View};
use crate::analysis::tornado::{Answer, Bar};
use crate::scenario::{Group, InputRef};
use crate::show::Figures;
use crate::words::values::moved_to;

/// The last answer as it is read beside inputs.
#[derive(Clone, Copy)]
pub struct Swings<'a> {
    snapshot: &'a Snapshot,
    figures: Figures,
    choice: &'a TornadoChoice,
    answer: Option<&'a Answer>,
    /// The revision of the scenario that the answer is about.
    pub of_revision: Option<u64>,
    /// Whether that is the scenario as it stands.
    pub fresh: bool,
}

/// What an input does to the figure.
#[derive(Clone, Copy)]
pub enum Swing<'a> {
    /// It is a bar of its own.
    Alone(&'a Bar),
    /// It is moved together with others, of which it is the first.
    Together(&'a Bar),
    /// It is moved with others before it, beside which the swing of all stands once.
    With(&'a Bar),
    /// It moves nothing, or is held for want of a range.
    Nothing,
}

impl<'a> Swing<'a> {
    /// How far it moves the figure; none where it does not.
    pub const fn bar(self) -> Option<&'a Bar> {
        match self {
            Self::Alone(bar) | Self::Together(bar) | Self::With(bar) => Some(bar),
            Self::Nothing => None,
        }
    }
}

impl<'a> Swings<'a> {
    /// What is known for the question that the view asks; an answer to another question is none.
    pub fn of(snapshot: &'a Snapshot, revision: u64, view: &'a View, worker: &'a Sensitivity) -> Self {
        let last = worker.last().filter(|last| last.question.1 == view.tornado);
        Self {
            snapshot,
            figures: view.figures,
            choice: &view.tornado,
            answer: last.and_then(|last| last.answer.as_ref().ok()).map(|computed| &computed.answer),
            of_revision: last.map(|last| last.question.0),
            fresh: last.is_some_and(|last| last.question.0 == revision),
        }
    }

    /// What the amounts are counted in: `USD thousand`; nothing where the figure is a ratio.
    pub fn unit(&self) -> String {
        if is_shifting(&self.snapshot.scenario, self.choice) {
            format!("{}{}", self.snapshot.scenario.currency, self.figures.scale.word())
        } else {
            String::new()
        }
    }

    /// The greatest swing of all.
    pub fn greatest(&self) -> Decimal {
        self.answer.and_then(|answer| answer.bars.first()).map_or(Decimal::ZERO, |bar| bar.swing)
    }

    /// What an input does; none where no answer is known.
    pub fn swing(&self, path: &str) -> Option<Swing<'a>> {
        let answer = self.answer?;
        let bar = |path: &str| answer.bars.iter().find(|bar| bar.path == path);
        if let Some(bar) = bar(path) {
            return Some(Swing::Alone(bar));
        }
        let group = self.snapshot.scenario.groups.iter().find(|group| group.inputs.iter().any(|of| of == path));
        let Some((group, bar)) = group.and_then(|group| Some((group, bar(&format!("groups.{}", group.id))?))) else {
            return Some(Swing::Nothing);
        };
        Some(if is_first(self.snapshot, group, path) { Swing::Together(bar) } else { Swing::With(bar) })
    }

    /// The letters of the placement asked about, and of the one that is subtracted.
    pub fn letters(&self) -> (String, Option<String>) {
        (letter(self.choice.placement), self.choice.against.map(letter))
    }

    /// What is moved: `A – E` for the difference between two placements, `A` for the figure of one.
    pub fn subject(&self) -> String {
        match self.choice.against {
            Some(against) => format!("{} – {}", letter(self.choice.placement), letter(against)),
            None => letter(self.choice.placement),
        }
    }

    /// A result as text, at the scale of the window.
    pub fn amount(&self, value: Decimal) -> String {
        result_text(self.snapshot, self.figures, self.choice, value)
    }

    /// What an input moves, in a sentence: `Moves A – E by 1,715,000 USD over its range; A stops being preferred below 0.52.`
    pub fn sentence(&self, input: &InputRef) -> Option<String> {
        let subject = self.subject();
        let told = match self.swing(&input.path)? {
            Swing::Nothing if input.input.range().is_none() => return None,
            Swing::Nothing => format!("Moves {subject} by nothing over its range."),
            Swing::Together(bar) | Swing::With(bar) => {
                format!("Together with the others of {}, moves {subject} by {}.", bar.label, self.with_unit(bar.swing))
            }
            Swing::Alone(bar) => {
                let turns: Vec<String> = self.turns(input, bar).collect();
                let turns = if turns.is_empty() { String::new() } else { format!("; {}", turns.join("; ")) };
                format!("Moves {subject} by {} over its range{turns}.", self.with_unit(bar.swing))
            }
        };
        Some(if self.fresh { told } else { format!("Before the last change: {}", lower(&told)) })
    }

    fn with_unit(&self, value: Decimal) -> String {
        format!("{} {}", self.amount(value), self.unit()).trim_end().to_owned()
    }

    /// Where the preferred placement changes, said from where the value stands: below it or above it.
    fn turns(&self, input: &InputRef, bar: &Bar) -> impl Iterator<Item = String> {
        let value = input.input.value.decimal();
        let named = |place: Option<usize>| place.map_or_else(|| "no placement".to_owned(), letter);
        bar.switches.iter().filter_map(move |switch| {
            let at = switch.at?.decimal();
            let text = moved_to(self.figures, Some(input), at);
            Some(if at <= value {
                format!("below {text} {} is preferred instead of {}", named(switch.from), named(switch.to))
            } else {
                format!("from {text} on {} is preferred instead of {}", named(switch.to), named(switch.from))
            })
        })
    }
}

/// Whether an input is the first of a group that states a range, beside which stands once what is true of all of them.
pub fn is_first(snapshot: &Snapshot, group: &Group, path: &str) -> bool {
    let has_range = |path: &&String| snapshot.input(path).is_some_and(|input| input.input.range().is_some());
    group.inputs.iter().find(has_range).or(group.inputs.first()).is_some_and(|first| first == path)
}

/// What stands beside the others.
pub const AS_ONE: &str = "as one";

/// A result of a tornado as text: money at the scale of the window, a ratio with its significant digits.
pub fn result_text(snapshot: &Snapshot, figures: Figures, asked: &TornadoChoice, value: Decimal) -> String {
    if !is_shifting(&snapshot.scenario, asked) {
        return figures.ratio(value);
    }
    let digits = snapshot.evaluation.currency.minor_digits;
    match minor(value, digits) {
        Some(minor) => figures.amount(minor, digits),
        None => figures.number(value),
    }
}

/// An amount that a ledger has added up, in whole minor units again.
pub fn minor(value: Decimal, digits: u32) -> Option<i128> {
    let mut value = value;
    value.rescale(digits);
    (value.scale() == digits).then(|| value.mantissa())
}

fn lower(sentence: &str) -> String {
    let mut chars = sentence.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
