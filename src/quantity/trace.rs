//! Where computed numbers come from: while a trace is recorded, each operation on a traced number leaves a step.
//!
//! Nothing here knows a formula: the steps are those of whatever computed the numbers, so that an explanation read from
//! them cannot say anything else. Outside a recording no number is traced, and nothing is kept.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{Money, Num};

/// The place of a number among the steps of a trace, from 1; 0 is a number without a past: a constant.
pub(super) type Mark = u32;

/// What made a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// An input of the scenario, by its place in the walk.
    Input(usize),
    Sum,
    Difference,
    Product,
    Quotient,
    Negative,
    Least,
    Greatest,
    /// To whole units, ignoring an excess below 1e-12.
    RoundedUp,
    /// To whole units, ignoring a shortfall below 1e-12.
    RoundedDown,
    /// A share within 1e-12 of nothing or of everything is that.
    SnappedShare,
    Power(u32),
    /// The root of this degree.
    Root(u32),
    /// Half away from zero to so many places.
    Rounded(u32),
    /// To the minor unit of the currency, as every posting is.
    Posted(u32),
    /// The part at a place of a split of the first operand by largest remainder.
    Part {
        split: usize,
        place: usize,
    },
    /// The first operand as it is, for the reason that the second is what it is.
    Because,
    /// The first operand, which has a name of its own.
    Called(usize),
}

impl Operation {
    /// Whether it is done on two numbers: there is nothing in the second of any other.
    pub(super) fn takes_two(self) -> bool {
        matches!(
            self,
            Self::Sum
                | Self::Difference
                | Self::Product
                | Self::Quotient
                | Self::Least
                | Self::Greatest
                | Self::Because
        )
    }
}

/// One operation with the numbers it was done on.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub operation: Operation,
    /// The second is the first again where there is only one.
    pub operands: [Num; 2],
    pub value: Num,
}

/// What was asked of two numbers in order to go one way or another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Whether the first is less.
    Less,
    /// Whether the first is not greater.
    NotGreater,
    Equal,
}

/// A question with the answer that it had: an evaluation goes the same way while all of them are answered alike.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    pub question: Question,
    pub operands: [Num; 2],
    pub answer: bool,
}

/// How a number rests on an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Influence {
    /// Whatever moves the input moves the number.
    Gradual,
    /// The number moves in steps, or once the input passes some value: whole nodes, limits, months.
    InSteps,
}

/// What a number is, in the words of the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub label: &'static str,
    pub unit: &'static str,
    /// The id of the class, environment or line that it belongs to; empty where it belongs to the scenario.
    pub of: String,
    pub month: Option<u32>,
}

impl Name {
    /// A name for something that does not depend on the month.
    #[must_use]
    pub fn new(label: &'static str, unit: &'static str, of: &str) -> Self {
        Self { label, unit, of: of.to_owned(), month: None }
    }

    /// The same in one month.
    #[must_use]
    pub fn in_month(self, month: u32) -> Self {
        Self { month: Some(month), ..self }
    }
}

/// Everything that was computed from inputs while it was recorded.
#[derive(Default, Debug)]
pub struct Trace {
    steps: Vec<Step>,
    names: Vec<Name>,
    /// The shares of each split.
    splits: Vec<Vec<Num>>,
    purpose: Purpose,
    decisions: Vec<Decision>,
    /// Inputs that were read as counts, by their places in the walk.
    counted: BTreeSet<usize>,
}

/// What is recorded for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Purpose {
    /// Names and reasons are kept.
    #[default]
    Explanation,
    /// Decisions are kept, and no way is taken that holds for the values of the moment alone where one holds for all.
    Replay,
}

impl Trace {
    /// The step that made a number; none for a constant.
    #[must_use]
    pub fn step(&self, number: Num) -> Option<&Step> {
        self.steps.get((number.mark as usize).checked_sub(1)?)
    }

    /// The place of the step that made a number; none for a constant.
    #[must_use]
    pub fn place(&self, number: Num) -> Option<usize> {
        (number.mark as usize).checked_sub(1)
    }

    /// The name that a step gave.
    #[must_use]
    pub fn name(&self, name: usize) -> Option<&Name> {
        self.names.get(name)
    }

    /// The shares that a split was made by.
    #[must_use]
    pub fn split(&self, split: usize) -> &[Num] {
        self.splits.get(split).map_or(&[], Vec::as_slice)
    }

    /// Every decision that rests on an input; only of a recording for replay.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    /// The inputs that were read as counts, by their places in the walk; only of a recording for replay.
    #[must_use]
    pub fn counted(&self) -> &BTreeSet<usize> {
        &self.counted
    }

    /// Every step, each after those it rests on.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// An amount as the number that its last step made; a constant has none, and is given in minor units.
    #[must_use]
    pub fn number(&self, amount: Money) -> Num {
        let plain = Num { mark: amount.mark, ..Num::of(amount.minor, 0) };
        self.step(plain).map_or(plain, |step| Num { mark: amount.mark, ..step.value })
    }

    /// Two amounts as the numbers that their last steps made. One without a past is zero, or counted in the minor units of the
    /// other.
    fn numbers(&self, amounts: [Money; 2]) -> [Num; 2] {
        let [mut a, mut b] = amounts.map(|amount| self.number(amount));
        let scale = if a.mark == 0 { b.scale } else { a.scale };
        (a.scale, b.scale) = (scale, scale);
        [a, b]
    }

    /// Which inputs some numbers rest on, by their places in the walk, and how.
    ///
    /// An input that is not among them changes none of the numbers, whatever it is set to alone: what is multiplied by
    /// zero could not.
    #[must_use]
    pub fn rests_on(&self, numbers: impl IntoIterator<Item = Num>) -> BTreeMap<usize, Influence> {
        let mut found = BTreeMap::new();
        let mut reached: Vec<Option<Influence>> = vec![None; self.steps.len()];
        let mut open: Vec<(Num, Influence)> = numbers.into_iter().map(|number| (number, Influence::Gradual)).collect();
        while let Some((number, influence)) = open.pop() {
            let Some(place) = (number.mark as usize).checked_sub(1) else { continue };
            let Some(step) = self.steps.get(place) else { continue };
            if reached[place].is_some_and(|known| known <= influence) {
                continue;
            }
            reached[place] = Some(influence);
            if let Operation::Input(input) = step.operation {
                found.entry(input).and_modify(|known| *known = influence.min(*known)).or_insert(influence);
                continue;
            }
            self.operands(step, |operand, through| open.push((operand, influence.max(through))));
        }
        found
    }

    /// How far away each input stands: how many named numbers lie between it and the nearest of some numbers.
    #[must_use]
    pub fn distances(&self, numbers: impl IntoIterator<Item = Num>) -> BTreeMap<usize, usize> {
        let mut found = BTreeMap::new();
        let mut is_seen = vec![false; self.steps.len()];
        let mut open: VecDeque<(Num, usize)> = numbers.into_iter().map(|number| (number, 0)).collect();
        while let Some((number, distance)) = open.pop_front() {
            let Some(place) = (number.mark as usize).checked_sub(1) else { continue };
            let Some(step) = self.steps.get(place) else { continue };
            if std::mem::replace(&mut is_seen[place], true) {
                continue;
            }
            match step.operation {
                Operation::Input(input) => {
                    found.entry(input).or_insert(distance);
                }
                // The nearer come first.
                Operation::Called(_) => self.operands(step, |operand, _| open.push_back((operand, distance + 1))),
                _ => self.operands(step, |operand, _| open.push_front((operand, distance))),
            }
        }
        found
    }

    /// The operands that a step rests on, and how.
    fn operands(&self, step: &Step, mut each: impl FnMut(Num, Influence)) {
        use Influence::{Gradual, InSteps};
        let [a, b] = step.operands;
        match step.operation {
            Operation::Input(_) => {}
            Operation::Quotient if a.is_zero() => each(a, Gradual),
            Operation::Product => match (a.is_zero(), b.is_zero()) {
                (false, false) => {
                    each(a, Gradual);
                    each(b, Gradual);
                }
                (true, false) => each(a, Gradual),
                (false, true) => each(b, Gradual),
                (true, true) => {}
            },
            // What does not decide now would only beyond some value.
            Operation::Least | Operation::Greatest => {
                let how = |operand: Num| if operand == step.value { Gradual } else { InSteps };
                each(a, how(a));
                each(b, how(b));
            }
            Operation::RoundedUp | Operation::RoundedDown => each(a, InSteps),
            Operation::SnappedShare => each(a, if a == step.value { Gradual } else { InSteps }),
            Operation::Because => {
                each(a, Gradual);
                each(b, InSteps);
            }
            Operation::Part { split, .. } => {
                each(a, Gradual);
                self.split(split).iter().for_each(|share| each(*share, Gradual));
            }
            Operation::Sum | Operation::Difference | Operation::Quotient => {
                each(a, Gradual);
                each(b, Gradual);
            }
            Operation::Negative
            | Operation::Power(_)
            | Operation::Root(_)
            | Operation::Rounded(_)
            | Operation::Posted(_)
            | Operation::Called(_) => each(a, Gradual),
        }
    }

    fn add(&mut self, operation: Operation, operands: [Num; 2], value: Num) -> Num {
        self.steps.push(Step { operation, operands, value: value.bare() });
        Num { mark: self.steps.len() as Mark, ..value }
    }
}

thread_local! {
    static RECORDING: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// Notes that an input is read as a count.
#[cold]
pub(crate) fn counted(place: usize) {
    RECORDING.with(|recording| {
        if let Some(trace) = &mut *recording.borrow_mut() {
            trace.counted.insert(place);
        }
    });
}

/// Notes how a question was answered.
#[cold]
pub(super) fn decided(question: Question, operands: [Num; 2], answer: bool) {
    RECORDING.with(|recording| {
        if let Some(trace) = &mut *recording.borrow_mut()
            && trace.purpose == Purpose::Replay
        {
            trace.decisions.push(Decision { question, operands, answer });
        }
    });
}

/// Whether it is recorded for replay.
#[cold]
pub(super) fn is_for_replay() -> bool {
    RECORDING.with(|recording| recording.borrow().as_ref().is_some_and(|trace| trace.purpose == Purpose::Replay))
}

/// Does some work and keeps what became of the inputs in it, to be explained.
pub fn recorded<R>(work: impl FnOnce() -> R) -> (R, Trace) {
    recorded_for(Purpose::Explanation, work)
}

/// Does some work and keeps what became of the inputs in it, to be done again for other values of them.
pub fn recorded_for_replay<R>(work: impl FnOnce() -> R) -> (R, Trace) {
    recorded_for(Purpose::Replay, work)
}

fn recorded_for<R>(purpose: Purpose, work: impl FnOnce() -> R) -> (R, Trace) {
    // Whatever was being recorded before goes on afterwards, even if the work panics.
    struct Before(Option<Trace>);
    impl Drop for Before {
        fn drop(&mut self) {
            let before = self.0.take();
            RECORDING.with(|recording| *recording.borrow_mut() = before);
        }
    }
    let before =
        Before(RECORDING.with(|recording| recording.borrow_mut().replace(Trace { purpose, ..Trace::default() })));
    let result = work();
    let trace = RECORDING.with(|recording| recording.borrow_mut().take());
    drop(before);
    (result, trace.unwrap_or_default())
}

fn on_record(value: Num, add: impl FnOnce(&mut Trace) -> Num) -> Num {
    RECORDING.with(|recording| match &mut *recording.borrow_mut() {
        Some(trace) => add(trace),
        None => value.bare(),
    })
}

/// A number that is an input.
#[cold]
pub(crate) fn input(place: usize, value: Num) -> Num {
    on_record(value, |trace| trace.add(Operation::Input(place), [value; 2], value))
}

/// A number that an operation made from two others, at least one of them traced.
#[cold]
#[inline(never)]
pub(super) fn made(operation: Operation, operands: [Num; 2], value: Num) -> Num {
    let [a, b] = operands;
    let is_plain = |number: Num, whole: i64| number.mark == 0 && number == Num::whole(whole);
    // What changes nothing is no step.
    match operation {
        Operation::Sum if is_plain(a, 0) => return b,
        Operation::Sum | Operation::Difference if is_plain(b, 0) => return a,
        Operation::Product if is_plain(a, 1) => return b,
        Operation::Product | Operation::Quotient if is_plain(b, 1) => return a,
        // Nothing could make that anything but zero.
        Operation::Product if is_plain(a, 0) || is_plain(b, 0) => return Num::ZERO,
        Operation::Least | Operation::Greatest if a.mark == b.mark => return a,
        _ => {}
    }
    on_record(value, |trace| trace.add(operation, operands, value))
}

/// Gives a number a name, which a replay needs not.
#[cold]
pub(super) fn called(value: Num, name: impl FnOnce() -> Name) -> Num {
    on_record(value, |trace| {
        if trace.purpose == Purpose::Replay {
            return value;
        }
        let name = name();
        trace.names.push(name);
        let name = trace.names.len() - 1;
        trace.add(Operation::Called(name), [value; 2], value)
    })
}

/// A number that is what it is because of another.
#[cold]
pub(super) fn because(value: Num, reason: Num) -> Num {
    on_record(value, |trace| match trace.purpose {
        Purpose::Replay => value,
        Purpose::Explanation => trace.add(Operation::Because, [value, reason], value),
    })
}

/// Gives an amount a name.
#[cold]
pub(super) fn called_money(amount: Money, name: impl FnOnce() -> Name) -> Mark {
    let number = RECORDING.with(|recording| recording.borrow().as_ref().map(|trace| trace.number(amount)));
    number.map_or(0, |number| called(number, name).mark)
}

/// Notes how a question about amounts was answered.
#[cold]
pub(super) fn decided_of_money(question: Question, operands: [Money; 2], answer: bool) {
    let numbers = RECORDING.with(|recording| recording.borrow().as_ref().map(|trace| trace.numbers(operands)));
    if let Some(numbers) = numbers {
        decided(question, numbers, answer);
    }
}

/// The mark of an amount that an operation made from others.
#[cold]
pub(super) fn made_money(operation: Operation, operands: [Money; 2], minor: i128) -> Mark {
    RECORDING.with(|recording| {
        let mut recording = recording.borrow_mut();
        let Some(trace) = &mut *recording else { return 0 };
        let [a, b] = trace.numbers(operands);
        match (operation, a.mark, b.mark) {
            (Operation::Sum, 0, mark) if a.is_null() => mark,
            (Operation::Sum | Operation::Difference, mark, 0) if b.is_null() => mark,
            _ => trace.add(operation, [a, b], Num::of(minor, a.scale)).mark,
        }
    })
}

/// The marks of the parts of an amount.
#[cold]
pub(super) fn parts(whole: Money, shares: &[Num], parts: &mut [Money]) {
    RECORDING.with(|recording| {
        let Some(trace) = &mut *recording.borrow_mut() else { return };
        let whole = trace.number(whole);
        trace.splits.push(shares.to_vec());
        let split = trace.splits.len() - 1;
        for (place, part) in parts.iter_mut().enumerate() {
            let value = Num::of(part.minor, whole.scale);
            part.mark = trace.add(Operation::Part { split, place }, [whole, shares[place]], value).mark;
        }
    });
}
