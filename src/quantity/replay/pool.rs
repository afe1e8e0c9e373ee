//! What the programs of one scenario share: the inputs, and what is computed from them with all digits.
//!
//! Nothing here knows what a program makes of it.

use rustc_hash::FxHashMap as HashMap;

use super::super::Num;
use super::super::trace::Operation;
use super::held::{Bounds, Held, Unit, decimal_word, has_room, word};
use super::{Operand, Program, Step, done};

/// What programs of one scenario share: the inputs, and what is computed from them with all digits (powers, roots, discount
/// factors), once for each set of values.
#[derive(Default)]
pub struct Pool {
    steps: Vec<Step>,
    pub(super) held: Vec<Held>,
    places: HashMap<Step, u32>,
    constants: Vec<Num>,
    places_of_constants: HashMap<(i128, u32), u32>,
    pub(super) inputs: HashMap<usize, (Bounds, Option<u32>)>,
}

/// What the steps of a pool came to last, as numbers and as words.
#[derive(Clone, Default, Debug)]
pub struct Computed {
    values: Vec<Num>,
    words: Vec<i64>,
    has_moved: Vec<bool>,
}

impl Pool {
    /// A pool for inputs between some bounds, by their places in the walk, and with so many digits after the point at most.
    #[must_use]
    pub fn new(inputs: impl IntoIterator<Item = (usize, [Num; 2], u32)>) -> Self {
        let known = |(place, ends, digits): (usize, [Num; 2], u32)| {
            let bounds = Bounds::of(ends.map(Num::in_binary));
            (place, (bounds, Some(digits).filter(|digits| has_room(bounds, *digits))))
        };
        Self { inputs: inputs.into_iter().map(known).collect(), ..Self::default() }
    }

    /// The words for other values of the inputs, by their places in the walk; none where one of them does not fit. Steps that
    /// rest on nothing that has moved since the last time are what they were.
    pub fn words<'c>(&self, input: impl Fn(usize) -> Option<Num>, last: &'c mut Computed) -> Option<&'c [i64]> {
        last.has_moved.clear();
        for place in 0..self.steps.len() {
            if self.renew(place, &input, last).is_none() {
                last.values.clear();
                last.words.clear();
                return None;
            }
        }
        Some(&last.words)
    }

    /// Brings a step up to date; none where it does not fit.
    fn renew(&self, place: usize, input: &impl Fn(usize) -> Option<Num>, last: &mut Computed) -> Option<()> {
        let Step { operation, operands } = self.steps[place];
        let before = last.values.get(place).copied();
        let has_moved = |operand| matches!(operand, Operand::Step(step) if last.has_moved[step as usize]);
        let value = match operation {
            Operation::Input(input_place) => match input(input_place)? {
                value if before.is_some_and(|before| value.is_same(before)) => None,
                value if self.is_within(place, value) => Some(value),
                _ => return None,
            },
            _ if before.is_some() && !operands.into_iter().any(has_moved) => None,
            operation => {
                let [a, b] = operands.map(|operand| match operand {
                    Operand::Step(step) => last.values[step as usize],
                    Operand::Constant(constant) => self.constants[constant as usize],
                });
                Some(done(operation, a, b)?)
            }
        };
        last.has_moved.push(value.is_some());
        let Some(value) = value else { return Some(()) };
        if value.is_broken() {
            return None;
        }
        let Held { unit, error, .. } = self.held[place];
        let word = if error == 0.0 { decimal_word(value, unit.tens)? } else { word(value, unit)? };
        if before.is_some() {
            (last.values[place], last.words[place]) = (value, word);
        } else {
            last.values.push(value);
            last.words.push(word);
        }
        Some(())
    }

    /// Of each step whether it rests on an input that moves.
    pub(super) fn resting_on(&self, moves: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut rests = Vec::with_capacity(self.steps.len());
        for Step { operation, operands } in &self.steps {
            let moves = match operation {
                Operation::Input(input) => moves(*input),
                _ => operands.iter().any(|operand| matches!(operand, Operand::Step(step) if rests[*step as usize])),
            };
            rests.push(moves);
        }
        rests
    }

    /// Whether a value lies between the bounds of a step.
    fn is_within(&self, place: usize, value: Num) -> bool {
        let (value, Bounds { low, high }) = (value.in_binary(), self.held[place].bounds);
        low <= value && value <= high
    }

    /// Adds a step with what it rests on, from a program.
    pub(super) fn add(&mut self, program: &Program, step: u32, known: &mut HashMap<u32, u32>) -> Option<u32> {
        if let Some(place) = known.get(&step) {
            return Some(*place);
        }
        let Step { operation, operands } = program.steps[step as usize];
        let mut here = [Operand::Constant(0); 2];
        for (here, operand) in here.iter_mut().zip(operands) {
            *here = match operand {
                _ if matches!(operation, Operation::Input(_)) => Operand::Constant(self.constant(Num::ZERO)),
                Operand::Step(step) => Operand::Step(self.add(program, step, known)?),
                Operand::Constant(constant) => Operand::Constant(self.constant(program.constants[constant as usize])),
            };
        }
        let step_here = Step { operation, operands: here };
        let next = self.steps.len() as u32;
        let place = *self.places.entry(step_here).or_insert(next);
        if place == next {
            let (bounds, digits) = match operation {
                Operation::Input(input) => *self.inputs.get(&input)?,
                operation => {
                    let [a, b] = here.map(|operand| self.bounds(operand));
                    let digits = if let Operation::Rounded(digits) = operation { Some(digits) } else { None };
                    (Bounds::made(operation, a, b), digits)
                }
            };
            let held = match digits {
                Some(digits) => Held::exact(Unit::of_digits(digits), bounds),
                None => Held::new(Unit::for_most(bounds.most()), bounds, 2.0, (0.0, 2.0)),
            };
            if !held.is_word() {
                return None;
            }
            self.held.push(held);
            self.steps.push(step_here);
        }
        known.insert(step, place);
        Some(place)
    }

    fn bounds(&self, operand: Operand) -> Bounds {
        match operand {
            Operand::Step(step) => self.held[step as usize].bounds,
            Operand::Constant(constant) => Bounds::at(self.constants[constant as usize].in_binary()),
        }
    }

    fn constant(&mut self, number: Num) -> u32 {
        let next = self.constants.len() as u32;
        let place = *self.places_of_constants.entry((number.mantissa, number.scale)).or_insert(next);
        if place == next {
            self.constants.push(number);
        }
        place
    }
}
