//! What the programs of one scenario share: the inputs, and what is computed from them with all digits.
//!
//! Nothing here knows what a program makes of it.

use rustc_hash::FxHashMap as HashMap;

use super::super::Num;
use super::super::trace::Operation;
use super::held::{Bounds, Held, Unit, decimal_word, has_room, word};
use super::{Operand, Program, Scratch, Step, done};

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

    /// The words of other values of the inputs, by their places in the walk; none where one of them does not fit.
    pub fn words(&self, input: impl Fn(usize) -> Option<Num>, room: &mut Scratch) -> Option<Vec<i64>> {
        let values = &mut room.0;
        values.clear();
        let mut words = Vec::with_capacity(self.steps.len());
        for place in 0..self.steps.len() {
            let (value, word) = self.computed(place, values, &input)?;
            values.push(value);
            words.push(word);
        }
        Some(words)
    }

    fn computed(&self, place: usize, values: &[Num], input: &impl Fn(usize) -> Option<Num>) -> Option<(Num, i64)> {
        let Step { operation, operands } = self.steps[place];
        let [a, b] = operands.map(|operand| match operand {
            Operand::Step(step) => values[step as usize],
            Operand::Constant(constant) => self.constants[constant as usize],
        });
        let value = match operation {
            Operation::Input(place) => input(place).filter(|value| self.is_within(place, *value)),
            operation => done(operation, a, b),
        };
        let value = value.filter(|value| !value.is_broken())?;
        let Held { unit, error, .. } = self.held[place];
        let word = if error == 0.0 { decimal_word(value, unit.tens)? } else { word(value, unit)? };
        Some((value, word))
    }

    fn is_within(&self, place: usize, value: Num) -> bool {
        let value = value.in_binary();
        self.inputs.get(&place).is_some_and(|(bounds, _)| bounds.low <= value && value <= bounds.high)
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
                Some(tens) => Held::exact(Unit { scale: 0, tens }, bounds),
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
