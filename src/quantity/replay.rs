//! A recorded computation done again for other inputs: the same operations on other numbers, in the same order.
//!
//! Nothing here knows a formula. Where a decision that was recorded would fall otherwise, the computation has to be recorded
//! anew: a replay says so instead of an answer.

use rustc_hash::FxHashMap as HashMap;

use super::trace::{Operation, Question, Trace};
use super::{Money, Num};

pub mod all_digits;
mod builder;
mod held;
pub mod part;
pub mod pool;
pub mod words;

/// A number that an operation is done on: what an earlier step came to, or a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Operand {
    Step(u32),
    Constant(u32),
}

impl Operand {
    fn step(self) -> Option<u32> {
        match self {
            Self::Step(step) => Some(step),
            Self::Constant(_) => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Step {
    operation: Operation,
    operands: [Operand; 2],
}

/// What some numbers of a recording were computed by, each step once.
#[derive(Debug)]
pub struct Program {
    /// Each after those it rests on.
    steps: Vec<Step>,
    /// What each came to when it was recorded.
    recorded: Vec<Num>,
    constants: Vec<Num>,
    decisions: Vec<(Question, [Operand; 2], bool)>,
    outputs: Vec<Operand>,
    questions: Vec<(Question, [Operand; 2])>,
    /// The inputs that were read as counts, by their places in the walk: they have to stay what they are.
    counted: Vec<usize>,
}

/// The numbers of one replay after the other, and which of them have moved.
#[derive(Clone, Default, Debug)]
pub struct Scratch(Vec<Num>, Vec<bool>);

/// What a replay comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// In minor units.
    pub amounts: Vec<i128>,
    pub answers: Vec<bool>,
}

impl Program {
    /// The steps that lead to some amounts of a recording for replay, to the numbers that are asked about, and to its decisions.
    /// None where one of them cannot be done again.
    #[must_use]
    pub fn new(trace: &Trace, amounts: &[Num], questions: &[(Question, [Num; 2])]) -> Option<Self> {
        let of_decisions = trace.decisions().iter().flat_map(|decision| decision.operands);
        let asked = questions.iter().flat_map(|(_, of)| *of).chain(of_decisions);
        let mut compiler = Compiler::new(trace, asked.chain(amounts.iter().copied()));
        let outputs = amounts.iter().map(|amount| compiler.operand(*amount)).collect();
        let questions = questions.iter().map(|(question, of)| (*question, of.map(|number| compiler.operand(number))));
        let questions = questions.collect();
        let mut seen = rustc_hash::FxHashSet::default();
        let of_decision = |decision: &super::trace::Decision| {
            let operands = decision.operands.map(|operand| compiler.operand(operand));
            Some((decision.question, operands, decision.answer)).filter(|decision| seen.insert(*decision))
        };
        let decisions = trace.decisions().iter().filter_map(of_decision).collect();
        let Compiler { steps, recorded, constants, .. } = compiler;
        let can_be_repeated = |step: &Step| !matches!(step.operation, Operation::Part { .. } | Operation::Called(_));
        let can_be = steps.iter().all(can_be_repeated) && !constants.iter().any(|constant| constant.is_broken());
        let counted = trace.counted().iter().copied().collect();
        can_be.then_some(Self { steps, recorded, constants, decisions, outputs, questions, counted })
    }

    /// The inputs that have to be what they were when it was recorded, by their places in the walk.
    #[must_use]
    pub fn counted(&self) -> &[usize] {
        &self.counted
    }

    /// What its amounts come to for other inputs, in minor units, and the answers to its questions; none where a decision falls
    /// otherwise, or something cannot be computed.
    pub fn replay(&self, input: impl Fn(usize) -> Option<Num>, scratch: &mut Scratch) -> Option<Replayed> {
        let Scratch(values, is_moved) = scratch;
        values.clone_from(&self.recorded);
        is_moved.clear();
        for (place, (Step { operation, operands }, recorded)) in self.steps.iter().zip(&self.recorded).enumerate() {
            let has_moved = |operand: &Operand| matches!(operand, Operand::Step(step) if is_moved[*step as usize]);
            let value = match operation {
                Operation::Input(input_place) => Some(input(*input_place)?).filter(|value| !value.is_same(*recorded)),
                operation if operands.iter().any(has_moved) => {
                    let [a, b] = operands.map(|operand| self.value(operand, values));
                    Some(done(*operation, a, b)?)
                }
                // What rests on nothing that has moved is what it was.
                _ => None,
            };
            is_moved.push(value.is_some());
            if let Some(value) = value {
                if value.is_broken() {
                    return None;
                }
                values[place] = value;
            }
        }
        let falls_alike = |(question, operands, answer): &(Question, [Operand; 2], bool)| {
            let [a, b] = operands.map(|operand| self.value(operand, values));
            answered(*question, a, b) == *answer
        };
        if !self.decisions.iter().all(falls_alike) {
            return None;
        }
        let amounts = self.outputs.iter().map(|output| self.value(*output, values).mantissa).collect();
        let answer = |(question, of): &(Question, [Operand; 2])| {
            let [a, b] = of.map(|operand| self.value(operand, values));
            answered(*question, a, b)
        };
        Some(Replayed { amounts, answers: self.questions.iter().map(answer).collect() })
    }

    /// Of each step whether it rests on an input that moves.
    #[must_use]
    pub fn moved(&self, moves: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut has_moved = Vec::with_capacity(self.steps.len());
        for Step { operation, operands } in &self.steps {
            has_moved.push(match operation {
                Operation::Input(place) => moves(*place),
                _ => operands.iter().any(|operand| operand.step().is_some_and(|step| has_moved[step as usize])),
            });
        }
        has_moved
    }

    fn value(&self, operand: Operand, values: &[Num]) -> Num {
        match operand {
            Operand::Step(step) => values[step as usize],
            Operand::Constant(constant) => self.constants[constant as usize],
        }
    }
}

/// An operation on two numbers; none for one that has to be recorded anew.
fn done(operation: Operation, a: Num, b: Num) -> Option<Num> {
    Some(match operation {
        Operation::Sum => a + b,
        Operation::Difference => a - b,
        Operation::Product => a * b,
        Operation::Quotient => a / b,
        Operation::Negative => -a,
        Operation::Least => a.min(b),
        Operation::Greatest => a.max(b),
        Operation::RoundedUp => a.ceil_units(),
        Operation::RoundedDown => a.floor_units(),
        Operation::SnappedShare => a.snapped_share(),
        Operation::Power(exponent) => a.power(exponent),
        Operation::Root(24) => a.root_24(),
        Operation::Rounded(places) => a.rounded(places),
        Operation::Posted(digits) => Num::of(Money::rounded(a, digits)?.minor, digits),
        Operation::Because => a,
        Operation::Input(_) | Operation::Root(_) | Operation::Part { .. } | Operation::Called(_) => return None,
    })
}

fn answered(question: Question, a: Num, b: Num) -> bool {
    let order = a.order(b);
    match question {
        Question::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        Question::NotGreater => order.is_some_and(std::cmp::Ordering::is_le),
        Question::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
    }
}

/// Collects the steps that some numbers rest on, each once.
struct Compiler<'t> {
    trace: &'t Trace,
    /// What the steps of the trace have become that are needed.
    known: Vec<Operand>,
    steps: Vec<Step>,
    recorded: Vec<Num>,
    places: HashMap<Step, u32>,
    constants: Vec<Num>,
    places_of_constants: HashMap<(i128, u32), u32>,
}

impl<'t> Compiler<'t> {
    fn new(trace: &'t Trace, numbers: impl Iterator<Item = Num>) -> Self {
        let needed = needed(trace, numbers);
        let count = needed.iter().filter(|is_needed| **is_needed).count();
        let mut compiler = Self {
            trace,
            known: vec![Operand::Constant(0); needed.len()],
            steps: Vec::with_capacity(count),
            recorded: Vec::with_capacity(count),
            places: HashMap::with_capacity_and_hasher(count, rustc_hash::FxBuildHasher),
            // Operations that have no operands stand on the first.
            constants: vec![Num::ZERO],
            places_of_constants: HashMap::default(),
        };
        for (place, (step, is_needed)) in trace.steps().iter().zip(needed).enumerate() {
            if is_needed {
                let operands = match step.operation {
                    Operation::Input(_) => [Operand::Constant(0); 2],
                    _ => step.operands.map(|operand| compiler.operand(operand)),
                };
                compiler.known[place] = compiler.step(Step { operation: step.operation, operands }, step.value);
            }
        }
        compiler
    }

    /// What a number has become; a constant, or one of those that are needed.
    fn operand(&mut self, number: Num) -> Operand {
        match self.trace.place(number) {
            Some(place) => self.known[place],
            None => self.constant(number),
        }
    }

    fn step(&mut self, step: Step, value: Num) -> Operand {
        let next = self.steps.len() as u32;
        let place = *self.places.entry(step).or_insert(next);
        if place == next {
            self.steps.push(step);
            self.recorded.push(value.bare());
        }
        Operand::Step(place)
    }

    fn constant(&mut self, number: Num) -> Operand {
        let next = self.constants.len() as u32;
        let place = *self.places_of_constants.entry((number.mantissa, number.scale)).or_insert(next);
        if place == next {
            self.constants.push(number.bare());
        }
        Operand::Constant(place)
    }
}

/// Which steps of a trace some numbers rest on.
fn needed(trace: &Trace, numbers: impl Iterator<Item = Num>) -> Vec<bool> {
    let mut needed = vec![false; trace.steps().len()];
    numbers.filter_map(|number| trace.place(number)).for_each(|place| needed[place] = true);
    for (place, step) in trace.steps().iter().enumerate().rev() {
        if needed[place] && !matches!(step.operation, Operation::Input(_)) {
            step.operands.iter().filter_map(|operand| trace.place(*operand)).for_each(|place| needed[place] = true);
        }
    }
    needed
}
