//! Single numbers of a program with all their digits, each with what it rests on and nothing else.
//!
//! Nothing here knows why a number is wanted.

use rustc_hash::FxHashMap as HashMap;

use super::super::Num;
use super::super::trace::{Operation, Question};
use super::{Operand, Program, Step, answered, done};

/// The numbers of a program for some values of the inputs, as far as they were asked for.
pub struct AllDigits<'p> {
    program: &'p Program,
    input: &'p dyn Fn(usize) -> Option<Num>,
    /// Of each step whether it rests on an input that is another than it was recorded; empty until a number is asked for.
    has_moved: Vec<bool>,
    found: HashMap<u32, Num>,
}

impl<'p> AllDigits<'p> {
    /// The numbers of a program for the values that are given of the inputs, by their places in the walk.
    #[must_use]
    pub fn new(program: &'p Program, input: &'p dyn Fn(usize) -> Option<Num>) -> Self {
        Self { program, input, has_moved: Vec::new(), found: HashMap::default() }
    }

    /// How a decision falls, by its place; none where a number cannot be computed.
    pub(super) fn decision(&mut self, place: usize) -> Option<bool> {
        let (question, operands, _) = *self.program.decisions.get(place)?;
        self.answer(question, operands)
    }

    /// The answer to a question, by its place; none where a number cannot be computed.
    pub(super) fn question(&mut self, place: usize) -> Option<bool> {
        let (question, operands) = *self.program.questions.get(place)?;
        self.answer(question, operands)
    }

    fn answer(&mut self, question: Question, [a, b]: [Operand; 2]) -> Option<bool> {
        Some(answered(question, self.number(a)?, self.number(b)?))
    }

    /// One number; none where it cannot be computed.
    pub(super) fn number(&mut self, operand: Operand) -> Option<Num> {
        let Operand::Step(wanted) = operand else { return self.known(operand) };
        if self.has_moved.is_empty() {
            self.has_moved = self.program.moved(self.input)?;
        }
        let mut open = vec![wanted];
        while let Some(place) = open.last().copied() {
            let Step { operation, operands } = self.program.steps[place as usize];
            let value = match operation {
                Operation::Input(input) => Some((self.input)(input)?),
                operation => match operands.map(|operand| self.known(operand)) {
                    _ if self.known(Operand::Step(place)).is_some() => None,
                    [Some(a), Some(b)] => Some(done(operation, a, b)?),
                    [a, b] => {
                        let missing = operands.into_iter().zip([a, b]).filter(|(_, known)| known.is_none());
                        open.extend(missing.filter_map(|(operand, _)| operand.step()));
                        continue;
                    }
                },
            };
            if let Some(value) = value {
                if value.is_broken() {
                    return None;
                }
                self.found.insert(place, value);
            }
            open.pop();
        }
        self.known(operand)
    }

    /// A number that has not moved, or was found already.
    fn known(&self, operand: Operand) -> Option<Num> {
        match operand {
            Operand::Constant(constant) => Some(self.program.constants[constant as usize]),
            Operand::Step(step) if self.has_moved[step as usize] => self.found.get(&step).copied(),
            Operand::Step(step) => Some(self.program.recorded[step as usize]),
        }
    }
}
