//! What is moved in an analysis: an input over its range, or a group of linked inputs as one; and trying values.
//!
//! Nothing here knows a formula, why an input is moved, or what is made of the answers.

use rust_decimal::Decimal;

use crate::engine::{Failure, Figure, Prepared, Standing};
use crate::input::{EvidenceKind, Range};
use crate::quantity::Exact;
use crate::scenario::{InputRef, Problem, Scenario, problem};

use super::range::{RangeKind, are_apart, range_of, shortest_between, stated, value_at};

/// What an evaluation answered: where the placements stand that can have moved.
pub type Outcome = Result<Vec<Standing>, Failure>;

/// How the path of a group begins.
const GROUPS: &str = "groups.";

/// An input, or a group of them, moved over its range.
#[derive(Clone, Debug)]
pub struct Move {
    /// The path of the input, or `groups.` and the id of a group.
    pub path: String,
    pub label: String,
    pub unit: String,
    /// Place in the order of the file.
    pub place: usize,
    pub members: Vec<Member>,
    pub kind: RangeKind,
    pub evidence: EvidenceKind,
    /// Placements that its inputs can have an effect on, by their places in the scenario.
    pub affects: Vec<usize>,
    pub is_group: bool,
}

/// One input that is moved.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its place in the walk.
    pub index: usize,
    pub range: Range,
    pub whole: bool,
}

impl Move {
    /// The values of its inputs at a part of their ranges, in the order of the file.
    #[must_use]
    pub fn settings(&self, numerator: u32, denominator: u32) -> Vec<(usize, Exact)> {
        let value = |member: &Member| {
            value_at(member.range, numerator, denominator, member.whole).map(|value| (member.index, value))
        };
        self.members.iter().filter_map(value).collect()
    }

    /// What is shown for a part of the range: the value of the input, or the share of a group.
    #[must_use]
    pub fn shown(&self, numerator: u32, denominator: u32) -> Option<Exact> {
        match self.members.as_slice() {
            [only] if !self.is_group => value_at(only.range, numerator, denominator, only.whole),
            _ => value_at(Range { low: Exact::whole(0), high: Exact::whole(1) }, numerator, denominator, false),
        }
    }

    /// The value that a scenario has for the input that is moved alone; none for a group.
    #[must_use]
    pub fn value_in(&self, scenario: &Scenario) -> Option<Exact> {
        match self.members.as_slice() {
            [only] if !self.is_group => scenario.inputs().get(only.index).map(|input| input.input.value),
            _ => None,
        }
    }

    /// The input that is moved alone, if it is one that is counted.
    #[must_use]
    pub fn counted(&self) -> Option<&Member> {
        match self.members.as_slice() {
            [only] if only.whole && !self.is_group => Some(only),
            _ => None,
        }
    }

    /// Whether a whole-number input has no value left between two parts of its range.
    #[must_use]
    pub fn are_neighbours(&self, low: u32, high: u32, scale: u32) -> bool {
        let [only] = self.members.as_slice() else { return false };
        let at = |part| value_at(only.range, part, scale, true).and_then(Exact::as_whole);
        only.whole && matches!((at(low), at(high)), (Some(low), Some(high)) if high <= low.saturating_add(1))
    }

    /// The values at two neighbouring parts of the range, between which something changes. On a range so wide that its parts
    /// are far apart beside the values in them, the way between them is halved on, until what is left is small beside these;
    /// `is_low` says of the settings in the middle whether the change is still ahead, and none where that is not known.
    pub fn narrowed(
        &self,
        [low, high]: [u32; 2],
        scale: u32,
        mut is_low: impl FnMut(&[(usize, Exact)]) -> Option<bool>,
    ) -> Option<[Exact; 2]> {
        /// Parts farther apart than this share of their values are divided.
        const WIDE: Decimal = Decimal::from_parts(1, 0, 0, false, 5);
        /// What is left of them then, as a share of their values.
        const NARROW: Decimal = Decimal::from_parts(1, 0, 0, false, 9);
        /// More halvings than between any two values of a file.
        const MOST: u32 = 128;
        let (mut low, mut high) = (self.shown(low, scale)?, self.shown(high, scale)?);
        let only = match self.members.as_slice() {
            [only] if !self.is_group && are_apart(low, high, WIDE) => only,
            _ => return Some([low, high]),
        };
        for _ in 0..MOST {
            let middle = low.decimal().checked_add(high.decimal())?.checked_div(Decimal::TWO)?;
            let middle = stated(middle, only.whole)?;
            if middle <= low || high <= middle || !are_apart(low, high, NARROW) {
                break;
            }
            *if is_low(&[(only.index, middle)])? { &mut low } else { &mut high } = middle;
        }
        Some([low, high])
    }

    /// The shortest value that names a place between two: above the first, not above the second.
    #[must_use]
    pub fn between([low, high]: [Exact; 2]) -> Option<Exact> {
        Exact::from_decimal(shortest_between(low.decimal(), high.decimal())).ok()
    }
}

/// Every input with a range, and every group; and the paths of those without a range.
#[must_use]
pub fn moves(scenario: &Scenario) -> (Vec<Move>, Vec<String>) {
    let inputs = scenario.inputs();
    let share = scenario.default_range.as_ref().map(|input| input.value);
    let grouped = |path: &str| scenario.groups.iter().any(|group| group.inputs.iter().any(|member| member == path));
    let (mut moves, mut held) = (Vec::new(), Vec::new());
    // The setting that gives other inputs their range is not itself moved.
    for input in inputs.iter().filter(|input| input.path != "default_range") {
        match range_of(input, share) {
            Some(_) if grouped(&input.path) => {}
            Some((range, kind)) => moves.push(single(scenario, input, range, kind)),
            None => held.push(input.path.clone()),
        }
    }
    moves.extend(scenario.groups.iter().filter_map(|group| together(scenario, &inputs, group)));
    (moves, held)
}

/// The paths of everything that can be moved: each group, and each input with a range, also one of a group; those of the
/// file in its order, groups first.
#[must_use]
pub fn movable(scenario: &Scenario, inputs: &[InputRef]) -> Vec<String> {
    let share = scenario.default_range.as_ref().map(|input| input.value);
    let has_range = |input: &&InputRef| input.path != "default_range" && range_of(input, share).is_some();
    let in_group = |group: &&crate::scenario::Group| {
        inputs.iter().any(|input| group.inputs.contains(&input.path) && range_of(input, share).is_some())
    };
    let groups = scenario.groups.iter().filter(in_group).map(|group| format!("{GROUPS}{}", group.id));
    groups.chain(inputs.iter().filter(has_range).map(|input| input.path.clone())).collect()
}

/// What is moved under a path: an input, alone even where it stands in a group, or a group.
///
/// # Errors
/// There is neither an input nor a group of this path, or it has no range to be moved over.
pub fn moved(scenario: &Scenario, path: &str) -> Result<Move, Problem> {
    if let Some(id) = path.strip_prefix(GROUPS) {
        let group = scenario.groups.iter().find(|group| group.id == id).ok_or_else(|| {
            problem::dangling("groups", "group", id, scenario.groups.iter().map(|group| group.id.as_str()))
        })?;
        return together(scenario, &scenario.inputs(), group).ok_or_else(|| problem::no_range_to_move(path));
    }
    let input = scenario.input(path)?;
    let share = scenario.default_range.as_ref().map(|input| input.value);
    let (range, kind) = range_of(&input, share).ok_or_else(|| problem::no_range_to_move(path))?;
    Ok(single(scenario, &input, range, kind))
}

/// The inputs of a group that have a range, as one; none where none has.
fn together(scenario: &Scenario, inputs: &[InputRef], group: &crate::scenario::Group) -> Option<Move> {
    let share = scenario.default_range.as_ref().map(|input| input.value);
    let members: Vec<(&InputRef, Range, RangeKind)> = inputs
        .iter()
        .filter(|input| group.inputs.contains(&input.path))
        .filter_map(|input| range_of(input, share).map(|(range, kind)| (input, range, kind)))
        .collect();
    let mut together = Move {
        path: format!("{GROUPS}{}", group.id),
        label: group.name.clone(),
        unit: "share of range".into(),
        place: members.iter().map(|(input, ..)| input.index).min()?,
        members: Vec::new(),
        kind: RangeKind::Stated,
        evidence: EvidenceKind::Measured,
        affects: Vec::new(),
        is_group: true,
    };
    for (input, range, kind) in members {
        let one = single(scenario, input, range, kind);
        together.members.extend(one.members);
        together.affects.extend(one.affects);
        together.evidence = together.evidence.max(one.evidence);
        if kind == RangeKind::Default {
            together.kind = kind;
        }
    }
    together.affects.sort_unstable();
    together.affects.dedup();
    Some(together)
}

fn single(scenario: &Scenario, input: &InputRef, range: Range, kind: RangeKind) -> Move {
    Move {
        path: input.path.clone(),
        label: input.full_label(),
        unit: input.unit.clone(),
        place: input.index,
        members: vec![Member { index: input.index, range, whole: input.bounds().whole }],
        kind,
        evidence: input.input.evidence_kind(),
        affects: affected(scenario, &input.path),
        is_group: false,
    }
}

/// Placements that an input can have an effect on: those that use its environment, or its own placement; an input of
/// anything else can touch them all.
#[must_use]
pub fn affected(scenario: &Scenario, path: &str) -> Vec<usize> {
    let mut segments = path.split('.');
    let (kind, id) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
    let uses = |placement: &crate::scenario::Placement| match kind {
        "environments" => placement.assignments.iter().any(|assignment| {
            assignment.environment == id
                || assignment.burst.as_deref() == Some(id)
                || assignment.interim.as_deref() == Some(id)
        }),
        "placements" => placement.id == id,
        _ => true,
    };
    scenario.placements.iter().enumerate().filter(|(_, placement)| uses(placement)).map(|(place, _)| place).collect()
}

/// Digits of a share of a range, where it can be any: a value is cut off after so many.
pub const DIGITS_OF_ANY_SHARE: u32 = 12;

/// A scenario prepared for moving some things in it to shares of their ranges of so many digits after the point.
#[must_use]
pub fn prepared<'m>(
    scenario: &Scenario,
    moves: impl IntoIterator<Item = &'m Move>,
    digits_of_shares: u32,
    figure: &Figure,
) -> Prepared {
    let moving = moves.into_iter().flat_map(|moved| &moved.members).map(|member| (member.index, member.range));
    Prepared::new(scenario, moving, digits_of_shares, figure)
}

/// The base with what has moved in its place.
#[must_use]
pub fn merged(base: &[Standing], moved: &[Standing]) -> Vec<Standing> {
    base.iter()
        .map(|standing| moved.iter().find(|moved| moved.placement == standing.placement).unwrap_or(standing).clone())
        .collect()
}

/// Of the acceptable placements the one with the least deciding figure; of equals the first (method, §11).
#[must_use]
pub fn preferred(standings: &[Standing]) -> Option<usize> {
    let mut best: Option<&Standing> = None;
    for standing in standings.iter().filter(|standing| standing.is_acceptable) {
        if best.is_none_or(|best| is_less(standing, best)) {
            best = Some(standing);
        }
    }
    best.map(|standing| standing.placement)
}

/// Deciding figures are always amounts of money.
fn is_less(one: &Standing, other: &Standing) -> bool {
    use crate::engine::FigureValue::Money;
    matches!((one.deciding, other.deciding), (Money(one), Money(other)) if one < other)
}
