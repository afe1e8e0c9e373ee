//! Single numbers of a program with all their digits, each with what it rests on and nothing else.
//!
//! Nothing here knows why a number is wanted.

use super::super::Num;
use super::super::trace::{Operation, Question};
use super::{Operand, Program, Step, answered, done};

/// The numbers of a program for some values of the inputs, as far as they were asked for.
pub struct AllDigits<'p> {
    program: &'p Program,
    input: &'p dyn Fn(usize) -> Option<Num>,
    has_moved: &'p dyn Fn(u32) -> bool,
    /// Where the number of each step stands among those found, and one more; empty until a number is asked for.
    places: Vec<u32>,
    found: Vec<Num>,
}

impl<'p> AllDigits<'p> {
    /// The numbers of a program for the values that are given of the inputs, by their places in the walk, where steps are as
    /// they were recorded unless they have moved.
    #[must_use]
    pub fn new(
        program: &'p Program,
        input: &'p dyn Fn(usize) -> Option<Num>,
        has_moved: &'p dyn Fn(u32) -> bool,
    ) -> Self {
        Self { program, input, has_moved, places: Vec::new(), found: Vec::new() }
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
        self.places.resize(self.program.steps.len(), 0);
        let mut open: Vec<u32> = operand.step().into_iter().collect();
        while let Some(place) = open.last().copied() {
            let Step { operation, operands } = self.program.steps[place as usize];
            let before = open.len();
            let value = match operation {
                _ if self.known(Operand::Step(place)).is_some() => None,
                Operation::Input(input) => Some((self.input)(input)?),
                operation => match operands.map(|operand| self.known(operand)) {
                    [Some(a), Some(b)] => Some(done(operation, a, b)?),
                    known => {
                        let missing = operands.into_iter().zip(known).filter(|(_, known)| known.is_none());
                        open.extend(missing.filter_map(|(operand, _)| operand.step()));
                        None
                    }
                },
            };
            if let Some(value) = value {
                if value.is_broken() {
                    return None;
                }
                self.found.push(value);
                self.places[place as usize] = self.found.len() as u32;
            }
            if open.len() == before {
                open.pop();
            }
        }
        self.known(operand)
    }

    /// A number that has not moved, or was found already.
    fn known(&self, operand: Operand) -> Option<Num> {
        match operand {
            Operand::Constant(constant) => Some(self.program.constants[constant as usize]),
            Operand::Step(step) => match self.places[step as usize] {
                0 if (self.has_moved)(step) => None,
                0 => Some(self.program.recorded[step as usize]),
                place => Some(self.found[place as usize - 1]),
            },
        }
    }
}
