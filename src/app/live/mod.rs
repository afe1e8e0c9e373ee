//! What lies over the base scenario while people try values: the positions of levers, or the values of a case.
//!
//! The base is what is edited and saved. Positions are laid over it and change nothing of it, so that it is always one
//! key away; they last beyond the session only as a case. The history is not known here, and only `panel` and `cases` draw.

mod carry_out;
pub mod cases;
pub mod panel;

use std::collections::BTreeMap;

use super::document::Snapshot;
use super::files;
use crate::input::Map;
use crate::quantity::Exact;
use crate::scenario::{Case, Scenario, problem, validate};

/// Values by the path of their input, in place of those of the base.
pub type Positions = BTreeMap<String, Exact>;

/// What is shown, and the positions that no case keeps.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Live {
    pub shown: Shown,
    /// They stay when the base or a case is looked at, so that they can be returned to.
    pub now: Positions,
    /// The id of the case that these positions began with.
    pub from: Option<String>,
}

/// What is laid over the base.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Shown {
    #[default]
    Base,
    /// A case, by its id.
    Case(String),
    /// The positions that no case keeps.
    Now,
}

/// What a person asked of levers and cases.
#[derive(Clone, PartialEq, Debug)]
pub enum Wish {
    /// Opens or closes the panel.
    Panel,
    /// Pins an input, or takes its pin away.
    Pin(String),
    /// Moves a lever up the list, or down.
    Raise(String),
    Lower(String),
    /// Shows what a position would lead to, while it is still being moved.
    Preview(String, Exact),
    Move(String, Exact),
    Reset(String),
    ResetAll,
    /// The base is the first, then come the cases in the order of the file.
    ShowNumber(usize),
    ShowNow,
    /// Opens the fields for a new case, or for those of the case at a position of the file.
    AskKeep,
    AskEdit(usize),
    /// Adds a case of the positions shown, or changes what the case of an id is called.
    Keep(Card),
    Describe(String, Card),
    /// Lays a case over what is shown, for what both come to.
    Add(String),
    /// Puts the positions in place of the values of a case.
    Update(String),
    Delete(String),
}

/// What is said of a case beside its values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Card {
    pub name: String,
    pub owner: String,
    pub review_by: Option<String>,
}

impl Card {
    pub fn of(case: &Case) -> Self {
        Self { name: case.name.clone(), owner: case.owner.clone(), review_by: case.review_by.clone() }
    }
}

impl Live {
    /// The values that lie over the base.
    pub fn positions<'a>(&'a self, base: &'a Scenario) -> &'a Positions {
        static NONE: Positions = Positions::new();
        match &self.shown {
            Shown::Base => &NONE,
            Shown::Case(id) => case(base, id).map_or(&NONE, |case| &case.set.0),
            Shown::Now => &self.now,
        }
    }

    /// What is shown, as people call it.
    pub fn name(&self, base: &Scenario) -> String {
        match &self.shown {
            Shown::Base => "Base".to_owned(),
            Shown::Case(id) => case(base, id).map_or_else(String::new, |case| case.name.clone()),
            Shown::Now => "Now, not kept".to_owned(),
        }
    }

    /// With the values of a case over what is shown; what both fix is as in the case.
    pub fn with_case(&self, base: &Scenario, id: &str) -> Option<Self> {
        let mut now = self.positions(base).clone();
        now.extend(case(base, id)?.set.0.iter().map(|(path, value)| (path.clone(), *value)));
        Some(Self { shown: Shown::Now, now, from: None })
    }

    /// With one input at another position: away from the base, or back at it. What was a case is then no case any more.
    pub fn moved(&self, base: &Snapshot, path: &str, to: Option<Exact>) -> Self {
        let mut now = self.positions(&base.scenario).clone();
        let of_base = base.input(path).map(|input| input.input.value);
        match to.filter(|to| Some(*to) != of_base) {
            Some(to) => now.insert(path.to_owned(), to),
            None => now.remove(path),
        };
        let from = match &self.shown {
            Shown::Base => None,
            Shown::Case(id) => Some(id.clone()),
            Shown::Now => self.from.clone(),
        };
        if now.is_empty() {
            return Self::default();
        }
        let known = base.scenario.cases.iter().find(|case| case.set.0 == now);
        match known {
            // Back where a case stands.
            Some(case) if from.as_ref() == Some(&case.id) => {
                Self { shown: Shown::Case(case.id.clone()), now: Positions::new(), from: None }
            }
            _ => Self { shown: Shown::Now, now, from },
        }
    }

    /// Showing the base, for 0, or one of the cases; none where there are not so many.
    pub fn showing(&self, base: &Scenario, number: usize) -> Option<Self> {
        let shown = match number.checked_sub(1) {
            None => Shown::Base,
            Some(place) => Shown::Case(base.cases.get(place)?.id.clone()),
        };
        Some(Self { shown, ..self.clone() })
    }

    /// Without what a changed base no longer has.
    pub fn fitted(&self, base: &Snapshot) -> Self {
        let mut fitted = self.clone();
        let accepted =
            |path: &String, value: &Exact| base.input(path).is_some_and(|input| input.bounds().accept(*value));
        fitted.now.retain(|path, value| accepted(path, value));
        let gone = match &fitted.shown {
            Shown::Base => false,
            Shown::Case(id) => case(&base.scenario, id).is_none(),
            Shown::Now => fitted.now.is_empty(),
        };
        if gone {
            fitted.shown = Shown::Base;
        }
        fitted.from = fitted.from.filter(|id| case(&base.scenario, id).is_some());
        fitted
    }
}

/// What a wish that changes the base itself leads to: which levers there are, and the cases.
pub struct Changed {
    pub scenario: Scenario,
    /// What the step is called.
    pub label: String,
    pub live: Live,
}

/// Carries out a wish that changes the base; none where there is nothing to change.
///
/// # Errors
/// A sentence that says what is missing.
pub fn changed(wish: &Wish, base: &Snapshot, live: &Live) -> Result<Option<Changed>, String> {
    let mut scenario = base.scenario.clone();
    let mut live = live.clone();
    let name = |path: &String| base.input(path).map_or_else(|| path.clone(), |input| input.full_label());
    let label = match wish {
        Wish::Pin(path) => {
            let pinned = scenario.levers.iter().position(|lever| lever == path);
            let verb = match pinned {
                Some(place) => {
                    scenario.levers.remove(place);
                    "no longer a lever"
                }
                None => {
                    scenario.levers.push(path.clone());
                    "pinned as a lever"
                }
            };
            format!("{}, {verb}", name(path))
        }
        Wish::Raise(path) | Wish::Lower(path) => {
            let place = scenario.levers.iter().position(|lever| lever == path);
            let (up, word) = if matches!(wish, Wish::Raise(_)) { (true, "up") } else { (false, "down") };
            let to = place.and_then(|place| if up { place.checked_sub(1) } else { place.checked_add(1) });
            let Some((from, to)) = place.zip(to).filter(|(_, to)| *to < scenario.levers.len()) else { return Ok(None) };
            scenario.levers.swap(from, to);
            format!("{}, lever moved {word} the list", name(path))
        }
        Wish::Keep(card) => {
            let positions = live.positions(&scenario).clone();
            if positions.is_empty() {
                return Err("Every lever stands at its base; a case keeps what has been moved.".to_owned());
            }
            let id = free_id(&scenario, &card.name);
            let Card { name, owner, review_by } = card.clone();
            let case = Case { id: id.clone(), name, owner, review_by, set: Map(positions), notes: String::new() };
            scenario.cases.push(case);
            live = Live { shown: Shown::Case(id), ..Live::default() };
            format!("Kept as case {}", card.name)
        }
        Wish::Describe(id, card) => {
            let Some(case) = scenario.cases.iter_mut().find(|case| case.id == *id) else { return Ok(None) };
            if Card::of(case) == *card {
                return Ok(None);
            }
            let before = std::mem::replace(&mut case.name, card.name.clone());
            (case.owner, case.review_by) = (card.owner.clone(), card.review_by.clone());
            if before == card.name {
                format!("Case {before}, owner and review")
            } else {
                format!("Case {before} → {}", card.name)
            }
        }
        Wish::Update(id) => {
            let positions = live.positions(&scenario).clone();
            let Some(case) = scenario.cases.iter_mut().find(|case| case.id == *id) else { return Ok(None) };
            if positions.is_empty() || case.set.0 == positions {
                return Ok(None);
            }
            case.set.0 = positions;
            live = Live { shown: Shown::Case(id.clone()), ..Live::default() };
            format!("Case {} updated", case.name)
        }
        Wish::Delete(id) => {
            let Some(place) = scenario.cases.iter().position(|case| case.id == *id) else { return Ok(None) };
            let case = scenario.cases.remove(place);
            format!("Case {} deleted", case.name)
        }
        _ => return Ok(None),
    };
    Ok(Some(Changed { scenario, label, live }))
}

/// An id for a case of this name: its words in lower case, joined by hyphens, and a number where it is taken.
fn free_id(scenario: &Scenario, name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    let wanted = if words.is_empty() { "case".to_owned() } else { words.join("-") };
    let taken = |id: &String| case(scenario, id).is_some();
    let numbered = (2..).map(|number: usize| format!("{wanted}-{number}"));
    std::iter::once(wanted.clone()).chain(numbered).find(|id| !taken(id)).unwrap_or(wanted)
}

/// The case of an id.
pub fn case<'s>(scenario: &'s Scenario, id: &str) -> Option<&'s Case> {
    scenario.cases.iter().find(|case| case.id == id)
}

/// The base with positions laid over it, evaluated. A value outside the range of its input widens the range here alone.
///
/// # Errors
/// A sentence: a position that its input does not accept, values that contradict each other, or what cannot be computed.
pub fn laid(base: &Snapshot, positions: &Positions) -> Result<Snapshot, String> {
    let mut scenario = base.scenario.clone();
    for (path, value) in positions {
        let input = base.input(path).ok_or_else(|| format!("There is no input {path} any more."))?;
        if !input.bounds().accept(*value) {
            return Err(sentence(&problem::out_of_bounds(path, input.decl, *value, "").message));
        }
        scenario.set_nth(input.index, *value);
    }
    match validate::errors(&scenario).first() {
        Some(problem) => Err(sentence(&problem.message)),
        None => files::evaluated(scenario, base.today),
    }
}

/// Gives inputs that have taken a position of a lever back what the base says of them: a page that shows positions may
/// have written them into what it changed around them.
pub fn keep_base(scenario: &mut Scenario, base: &Snapshot, positions: &Positions) {
    if positions.is_empty() {
        return;
    }
    for found in scenario.inputs() {
        let taken = positions.get(&found.path).is_some_and(|position| *position == found.input.value);
        if let Some(known) = base.input(&found.path).filter(|_| taken) {
            scenario.change_nth(found.index, |input| *input = known.input.clone());
        }
    }
}

fn sentence(message: &str) -> String {
    let text = crate::words::sentence(message);
    if text.ends_with('.') { text } else { text + "." }
}
