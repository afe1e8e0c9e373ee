//! From a program to its words: what is held how, which steps are done together, and where every word stands.
//!
//! Nothing here computes a number of the program.

use std::ops::Range;

use rustc_hash::FxHashMap as HashMap;

use super::super::POWERS_OF_TEN;
use super::super::trace::{Operation, Question};
use super::held::{
    BITS, BITS_OF_POWERS, Bounds, DIGITS, Held, SLACK, TRACE, Unit, decimal_word, has_room, power_of_ten, ten_to,
    two_to, units, word,
};
use super::pool::Pool;
use super::words::{Aligned, Asked, Ends, Group, Posted, Product, Quotient, Rounded, Share, Shift, Term, Whole, Words};
use super::{Operand, Program, Step, answered};

/// What a step does with words that are known.
#[derive(Clone, Debug)]
enum Node {
    /// Of the terms from one place to another, and of which of them those are taken away that follow a place between.
    Sum(Range<usize>, usize),
    /// The same, all in the unit of the sum.
    PlainSum(Range<usize>, usize),
    /// Of which nothing is cut off.
    WholeProduct([u32; 2]),
    Product(Product),
    Quotient(Quotient),
    Least(Aligned),
    Greatest(Aligned),
    WholeUp(Whole),
    WholeDown(Whole),
    Share(Share),
    Posted(Posted),
    Rounded(Rounded),
}

impl Node {
    fn kind(&self) -> u8 {
        match self {
            Self::Sum(..) => 0,
            Self::Product(_) => 1,
            Self::WholeProduct(_) => 2,
            Self::Quotient(_) => 3,
            Self::Least(_) => 4,
            Self::Greatest(_) => 5,
            Self::WholeUp(_) => 6,
            Self::WholeDown(_) => 7,
            Self::Share(_) => 8,
            Self::Posted(_) => 9,
            Self::Rounded(_) => 10,
            Self::PlainSum(..) => 11,
        }
    }

    /// The words that it is done on; those of sums stand among the terms of all.
    fn operands<'w>(&'w mut self, terms: &'w mut [Term]) -> impl Iterator<Item = &'w mut u32> {
        let (words, terms): (&mut [u32], &mut [Term]) = match self {
            Self::Sum(of, _) | Self::PlainSum(of, _) => (&mut [], &mut terms[of.clone()]),
            Self::WholeProduct(operands)
            | Self::Product(Product { operands, .. })
            | Self::Quotient(Quotient { operands, .. })
            | Self::Least(Aligned { operands, .. })
            | Self::Greatest(Aligned { operands, .. })
            | Self::Posted(Posted { product: Product { operands, .. }, .. }) => (operands, &mut []),
            Self::WholeUp(Whole { operand, .. })
            | Self::WholeDown(Whole { operand, .. })
            | Self::Share(Share { operand, .. })
            | Self::Rounded(Rounded { operand, .. }) => (std::slice::from_mut(operand), &mut []),
        };
        words.iter_mut().chain(terms.iter_mut().map(|term| &mut term.slot))
    }
}

/// Binary places of an amount beside its minor units: with less, too many are in doubt; with more, there is no room for units.
const LEAST_PLACES: u32 = 8;
const MOST_PLACES: i32 = 60;

/// A number of a program as a word: a constant, a load from the pool, or what a node computes.
#[derive(Clone, Copy, Debug)]
enum Source {
    Constant(i64),
    Load(u32),
    Node,
}

/// Brings a program into words.
struct Builder<'p> {
    program: &'p Program,
    pool: &'p mut Pool,
    in_pool: HashMap<u32, u32>,
    bounds: Vec<Bounds>,
    /// Steps that need all their digits, and are done in the pool.
    is_pooled: Vec<bool>,
    /// Digits after the point, of steps that are exact decimals of few digits: amounts of money, counts, and what is made of them.
    tens: Vec<Option<u32>>,
    /// Steps that are done as a part of the only step that rests on them.
    is_absorbed: Vec<bool>,
    /// Words by number, with what they hold, their sources, and how many nodes lie before them.
    held: Vec<Held>,
    sources: Vec<Source>,
    depths: Vec<u32>,
    /// What words were when it was recorded, where that cannot be left to them: what is loaded, and what lies near a border.
    settled: Vec<Option<i64>>,
    /// The steps of those that lie near a border.
    steps: HashMap<u32, u32>,
    /// Whether each of these is a word.
    is_settled: bool,
    nodes: Vec<(u32, Node)>,
    terms: Vec<Term>,
    /// Words of steps and of constants.
    of_step: Vec<Option<u32>>,
    of_constant: HashMap<(u32, Option<u32>), u32>,
    of_whole: HashMap<i64, u32>,
    /// Words of powers of ten, and of words with other tens.
    of_power: HashMap<i32, u32>,
    in_tens: HashMap<(u32, i32), u32>,
}

impl Words {
    /// Brings a program into words, for the inputs of a pool between their bounds. None where a number cannot be bounded.
    #[must_use]
    pub fn new(program: &Program, pool: &mut Pool) -> Option<Self> {
        let mut builder = Builder::new(program, pool)?;
        for step in 0..program.steps.len() {
            if !builder.is_pooled[step] && !builder.is_absorbed[step] {
                let word = builder.build(step)?;
                builder.of_step[step] = Some(word);
                if decides_near_borders(program.steps[step].operation) {
                    builder.settle(word, step);
                    builder.steps.insert(word, step as u32);
                }
            }
        }
        let mut decisions = Vec::with_capacity(program.decisions.len());
        for (question, operands, answer) in &program.decisions {
            decisions.push((builder.asked(*question, *operands)?, *answer));
        }
        let mut questions = Vec::with_capacity(program.questions.len());
        for (question, operands) in &program.questions {
            let [a, b] = operands.map(|operand| program.value(operand, &program.recorded));
            questions.push((builder.asked(*question, *operands)?, answered(*question, a, b)));
        }
        let outputs: Vec<u32> = program
            .outputs
            .iter()
            .map(|output| {
                let digits = builder.digits_of(*output)?;
                builder.decimal(*output, digits)
            })
            .collect::<Option<_>>()?;
        Some(builder.laid_out(decisions, questions, outputs))
    }
}

impl<'p> Builder<'p> {
    fn new(program: &'p Program, pool: &'p mut Pool) -> Option<Self> {
        let bounds = bounds_of_all(program, pool)?;
        let is_pooled = pooled(program);
        let count = program.steps.len();
        let mut builder = Self {
            program,
            pool,
            in_pool: HashMap::default(),
            bounds,
            is_pooled,
            tens: Vec::with_capacity(count),
            is_absorbed: Vec::new(),
            held: Vec::with_capacity(count),
            sources: Vec::with_capacity(count),
            depths: Vec::with_capacity(count),
            settled: Vec::with_capacity(count),
            steps: HashMap::default(),
            is_settled: true,
            nodes: Vec::with_capacity(count),
            terms: Vec::with_capacity(count),
            of_step: vec![None; count],
            of_constant: HashMap::default(),
            of_whole: HashMap::default(),
            of_power: HashMap::default(),
            in_tens: HashMap::default(),
        };
        for (place, step) in program.steps.iter().enumerate() {
            let digits = match step.operation {
                Operation::Input(input) => builder.pool.inputs.get(&input).and_then(|(_, digits)| *digits),
                _ if builder.is_pooled[place] => None,
                _ => builder.digits(step).filter(|digits| has_room(builder.bounds[place], *digits)),
            };
            builder.tens.push(digits);
        }
        builder.is_absorbed = builder.absorbed();
        Some(builder)
    }

    /// Steps that can be done as a part of the only one that rests on them.
    fn absorbed(&self) -> Vec<bool> {
        let users = only_users(self.program, &self.is_pooled);
        let is_absorbed = |(place, step): (usize, &Step)| {
            let Some(user) = users[place].filter(|_| !self.is_pooled[place]) else { return false };
            match self.program.steps[user].operation {
                Operation::Sum | Operation::Difference | Operation::Negative => {
                    is_additive(step) && self.tens[place] == self.tens[user]
                }
                Operation::Posted(_) => step.operation == Operation::Product && self.tens[place].is_none(),
                _ => false,
            }
        };
        self.program.steps.iter().enumerate().map(is_absorbed).collect()
    }

    /// The digits after the point, where a step gives an exact decimal of few digits.
    fn digits(&self, step: &Step) -> Option<u32> {
        let [a, b] = step.operands.map(|operand| self.digits_of(operand));
        match step.operation {
            Operation::Posted(digits) => Some(digits),
            Operation::RoundedUp | Operation::RoundedDown => Some(0),
            Operation::Negative => a,
            Operation::Sum | Operation::Difference | Operation::Least | Operation::Greatest => Some(a?.max(b?)),
            Operation::Product => Some(a? + b?),
            _ => None,
        }
    }

    fn digits_of(&self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Step(step) => self.tens[step as usize],
            Operand::Constant(constant) => {
                Some(self.program.constants[constant as usize].scale).filter(|digits| *digits <= DIGITS)
            }
        }
    }

    fn add(&mut self, source: Source, held: Held, depth: u32) -> u32 {
        self.held.push(held);
        self.sources.push(source);
        self.depths.push(depth);
        self.settled.push(None);
        self.held.len() as u32 - 1
    }

    fn add_node(&mut self, mut node: Node, held: Held) -> Option<u32> {
        if !held.is_word() {
            return None;
        }
        let depths = &self.depths;
        let depth = node.operands(&mut self.terms).map(|operand| depths[*operand as usize]).max().unwrap_or(0) + 1;
        let word = self.add(Source::Node, held, depth);
        self.nodes.push((word, node));
        Some(word)
    }

    /// Of some terms, and some that are taken away.
    fn add_sum(&mut self, added: &[Term], taken: &[Term], held: Held) -> Option<u32> {
        let start = self.terms.len();
        let between = start + added.len();
        self.terms.extend(added.iter().chain(taken));
        let of = start..self.terms.len();
        let is_plain = self.terms[start..].iter().all(|term| term.shift.is_none());
        self.add_node(if is_plain { Node::PlainSum(of, between) } else { Node::Sum(of, between) }, held)
    }

    /// The word of an operand as it is held; an amount of money stays one.
    fn word(&mut self, operand: Operand) -> Option<u32> {
        match operand {
            Operand::Step(step) if self.is_pooled[step as usize] => {
                if let Some(word) = self.of_step[step as usize] {
                    return Some(word);
                }
                let load = self.pool.add(self.program, step, &mut self.in_pool)?;
                let word = self.add(Source::Load(load), self.pool.held[load as usize], 0);
                self.of_step[step as usize] = Some(word);
                self.settle(word, step as usize);
                Some(word)
            }
            Operand::Step(step) => self.of_step[step as usize],
            Operand::Constant(constant) => self.constant(constant, None),
        }
    }

    /// Keeps what the word of a step came to when it was recorded.
    fn settle(&mut self, word: u32, step: usize) {
        let (Held { unit, error, .. }, value) = (self.held[word as usize], self.program.recorded[step]);
        let settled = match unit {
            Unit { scale: 0, tens } if error == 0.0 => decimal_word(value, tens),
            // Cutting off errs by one unit.
            unit if 1.0 <= error => super::held::word(value, unit),
            _ => None,
        };
        self.is_settled &= settled.is_some();
        self.settled[word as usize] = settled;
    }

    fn constant(&mut self, constant: u32, digits: Option<u32>) -> Option<u32> {
        if let Some(word) = self.of_constant.get(&(constant, digits)) {
            return Some(*word);
        }
        let number = self.program.constants[constant as usize];
        let bounds = Bounds::at(number.in_binary());
        let (unit, error) = match digits {
            Some(digits) => (Unit::of_digits(digits), 0.0),
            None if number.is_whole() && bounds.most() < 1e15 => (Unit::ONE, 0.0),
            None => (Unit::for_most(bounds.most()), 2.0),
        };
        let value = if error == 0.0 { decimal_word(number, unit.tens)? } else { word(number, unit)? };
        let added = self.add(Source::Constant(value), Held::new(unit, bounds, error, (0.0, error)), 0);
        self.of_constant.insert((constant, digits), added);
        Some(added)
    }

    /// The word of an exact decimal, with so many digits after the point.
    fn decimal(&mut self, operand: Operand, digits: u32) -> Option<u32> {
        let Operand::Step(step) = operand else {
            return match operand {
                Operand::Constant(constant) => self.constant(constant, Some(digits)),
                Operand::Step(_) => None,
            };
        };
        let more = digits.checked_sub(self.tens[step as usize]?)?;
        let word = self.word(operand)?;
        if more == 0 {
            return Some(word);
        }
        let power = self.added_constant(i64::try_from(*POWERS_OF_TEN.get(more as usize)?).ok()?);
        let held = Held::exact(Unit::of_digits(digits), self.bounds[step as usize]);
        self.add_node(Node::WholeProduct([word, power]), held)
    }

    /// The word of an operand in a unit without tens.
    fn general(&mut self, operand: Operand) -> Option<u32> {
        let word = self.word(operand)?;
        self.in_tens(word, 0)
    }

    /// A word in a unit of other tens.
    fn in_tens(&mut self, word: u32, tens: i32) -> Option<u32> {
        let held = self.held[word as usize];
        if held.unit.tens == tens {
            return Some(word);
        }
        if let Some(word) = self.in_tens.get(&(word, tens)) {
            return Some(*word);
        }
        let power = self.power_of_ten(tens - held.unit.tens)?;
        let word_in_tens = self.product([word, power], held.bounds.most(), held.bounds, tens)?;
        self.in_tens.insert((word, tens), word_in_tens);
        Some(word_in_tens)
    }

    fn power_of_ten(&mut self, exponent: i32) -> Option<u32> {
        if let Some(word) = self.of_power.get(&exponent) {
            return Some(*word);
        }
        let (factor, scale) = power_of_ten(exponent)?;
        let share = if exponent < 0 { two_to(-BITS_OF_POWERS) } else { 0.0 };
        let unit = Unit { scale, tens: 0 };
        let held = Held::new(unit, Bounds::at(ten_to(exponent)), factor as f64 * share, (share, 0.0));
        let word = self.add(Source::Constant(factor), held, 0);
        self.of_power.insert(exponent, word);
        Some(word)
    }

    /// A whole number that stands in no step.
    fn added_constant(&mut self, value: i64) -> u32 {
        if let Some(word) = self.of_whole.get(&value) {
            return *word;
        }
        let word = self.add(Source::Constant(value), Held::exact(Unit::ONE, Bounds::at(value as f64)), 0);
        self.of_whole.insert(value, word);
        word
    }

    fn build(&mut self, place: usize) -> Option<u32> {
        let Step { operation, operands: [a, b] } = self.program.steps[place];
        let bounds = self.bounds[place];
        if bounds == Bounds::at(0.0) {
            let unit = Unit::of_digits(self.tens[place].unwrap_or(0));
            return Some(self.add(Source::Constant(0), Held::exact(unit, bounds), 0));
        }
        match operation {
            Operation::Sum | Operation::Difference | Operation::Negative => self.sum(place, bounds),
            Operation::Product if self.tens[place].is_some() => {
                let [more, digits] = [a, b].map(|operand| self.digits_of(operand));
                let operands = [self.decimal(a, more?)?, self.decimal(b, digits?)?];
                let held = Held::exact(Unit::of_digits(more? + digits?), bounds);
                self.add_node(Node::WholeProduct(operands), held)
            }
            Operation::Product => {
                let operands = [self.general(a)?, self.general(b)?];
                let most = operands.iter().map(|word| self.held[*word as usize].bounds.most()).product();
                self.product(operands, bounds.most().max(most), bounds, 0)
            }
            Operation::Quotient => {
                let operands = [self.general(a)?, self.general(b)?];
                self.quotient(operands, bounds)
            }
            Operation::Least | Operation::Greatest => {
                let operands = match self.tens[place] {
                    Some(digits) => [self.decimal(a, digits)?, self.decimal(b, digits)?],
                    None => [self.general(a)?, self.general(b)?],
                };
                let held = operands.map(|word| self.held[word as usize]);
                let (pair, unit, error, lost) = self.aligned(operands);
                let share = held[0].relative.max(held[1].relative);
                let held = Held::new(unit, bounds, error[0].max(error[1]) + lost, (share, lost));
                self.add_node(
                    if operation == Operation::Least { Node::Least(pair) } else { Node::Greatest(pair) },
                    held,
                )
            }
            Operation::RoundedUp | Operation::RoundedDown => {
                let operand = self.general(a)?;
                let held = self.held[operand as usize];
                let shift = u32::try_from(held.unit.scale).ok()?;
                if shift > 61 && held.most() > 0.0 {
                    return self.small_whole(operand, operation, bounds);
                }
                let trace = TRACE / held.unit.value();
                let whole =
                    Whole { operand, shift, sure: units(trace - held.error), doubtful: units(trace + held.error) };
                let node =
                    if operation == Operation::RoundedUp { Node::WholeUp(whole) } else { Node::WholeDown(whole) };
                self.add_node(node, Held::exact(Unit::ONE, bounds))
            }
            Operation::SnappedShare => {
                let operand = self.general(a)?;
                let held = self.held[operand as usize];
                if !(0..=61).contains(&held.unit.scale) {
                    return None;
                }
                let trace = TRACE / held.unit.value();
                let share = Share {
                    operand,
                    one: 1 << held.unit.scale,
                    sure: units(trace - held.error),
                    doubtful: units(trace + held.error),
                };
                // One that is settled otherwise is cut off.
                let held = Held::new(held.unit, bounds, held.error.max(1.0), (held.relative, 1.0));
                self.add_node(Node::Share(share), held)
            }
            Operation::Posted(digits) => match self.digits_of(a) {
                Some(more) if digits < more => {
                    let power = i64::try_from(*POWERS_OF_TEN.get((more - digits) as usize)?).ok()?;
                    let operand = self.decimal(a, more)?;
                    let held = Held::exact(Unit::of_digits(digits), bounds);
                    self.add_node(Node::Rounded(Rounded { operand, power }), held)
                }
                Some(_) => self.decimal(a, digits),
                None => self.posted(a, digits, bounds),
            },
            Operation::Because => self.word(a),
            _ => None,
        }
    }

    /// Whole units of a number that is held more finely than a word has room beside units.
    fn small_whole(&mut self, operand: u32, operation: Operation, bounds: Bounds) -> Option<u32> {
        let held = self.held[operand as usize];
        let error = held.error * two_to(60 - held.unit.scale) + 1.0;
        let coarser = Held::new(Unit { scale: 60, tens: 0 }, held.bounds, error, (held.relative, 1.0));
        let term = Term { slot: operand, shift: Shift::by(60 - held.unit.scale) };
        let operand = self.add_sum(&[term], &[], coarser)?;
        let trace = TRACE / coarser.unit.value();
        let whole =
            Whole { operand, shift: 60, sure: units(trace - coarser.error), doubtful: units(trace + coarser.error) };
        let node = if operation == Operation::RoundedUp { Node::WholeUp(whole) } else { Node::WholeDown(whole) };
        self.add_node(node, Held::exact(Unit::ONE, bounds))
    }

    /// Two words in one unit, in which both have room, with their errors and what is cut off.
    fn aligned(&self, operands: [u32; 2]) -> (Aligned, Unit, [f64; 2], f64) {
        let held = operands.map(|word| self.held[word as usize]);
        let [a, b] = held.map(|held| held.unit);
        let most = held[0].bounds.most().max(held[1].bounds.most());
        let unit = match a.tens {
            0 => Unit { scale: a.scale.max(b.scale).min(Unit::for_most(most).scale), tens: 0 },
            _ => a,
        };
        let places = [unit.scale - a.scale, unit.scale - b.scale];
        let error = [0, 1].map(|which| held[which].error * two_to(places[which]));
        let cut = if places.iter().any(|places| *places < 0) { 1.0 } else { 0.0 };
        (Aligned { operands, shifts: places.map(Shift::by) }, unit, error, cut)
    }

    /// Everything that a sum adds up, with the sums in it that are used nowhere else.
    fn sum(&mut self, place: usize, bounds: Bounds) -> Option<u32> {
        let digits = self.tens[place];
        let mut open = vec![(Operand::Step(place as u32), false)];
        let mut parts: Vec<(u32, bool)> = Vec::new();
        while let Some((operand, is_negative)) = open.pop() {
            let inner = match operand {
                Operand::Step(step) if step as usize == place || self.is_absorbed[step as usize] => {
                    Some(self.program.steps[step as usize]).filter(is_additive)
                }
                _ => None,
            };
            match inner {
                Some(Step { operation: Operation::Negative, operands: [a, _] }) => open.push((a, !is_negative)),
                Some(Step { operation, operands: [a, b] }) => {
                    open.push((b, is_negative != (operation == Operation::Difference)));
                    open.push((a, is_negative));
                }
                None => {
                    let word = match digits {
                        Some(digits) => self.decimal(operand, digits)?,
                        None => self.general(operand)?,
                    };
                    parts.push((word, is_negative));
                }
            }
        }
        let held_of = |word: u32| self.held[word as usize];
        let unit = match digits {
            Some(digits) => Unit::of_digits(digits),
            None => {
                // Every word that is added up has room in the sum.
                let most = parts.iter().map(|(word, _)| held_of(*word).bounds.most()).sum::<f64>().max(bounds.most());
                let finest = parts.iter().map(|(word, _)| held_of(*word).unit.scale).max().unwrap_or(0);
                Unit { scale: Unit::for_most(most).scale.min(finest), tens: 0 }
            }
        };
        let (mut error, mut cut, mut share) = (0.0, 0.0, 0.0_f64);
        let (mut added, mut taken) = (Vec::with_capacity(parts.len()), Vec::new());
        for (slot, is_negative) in parts {
            let held = held_of(slot);
            // Only where nothing is taken away from another do shares not grow.
            let adds_up = if is_negative { held.bounds.high <= 0.0 } else { held.bounds.low >= 0.0 };
            share = if adds_up { share.max(held.relative) } else { f64::INFINITY };
            cut += if unit.scale < held.unit.scale { 1.0 } else { 0.0 };
            let shift = unit.scale - held.unit.scale;
            error += held.error * two_to(shift);
            let term = Term { slot, shift: Shift::by(shift) };
            if is_negative { taken.push(term) } else { added.push(term) }
        }
        self.add_sum(&added, &taken, Held::new(unit, bounds, error + cut, (share, cut)))
    }

    /// What a product of two words errs by, in units of both.
    fn error_of_product(&self, words: [u32; 2]) -> f64 {
        let [a, b] = words.map(|word| self.held[word as usize]);
        a.most() * b.error + b.most() * a.error + a.error * b.error
    }

    /// The same as a share of it.
    fn share_of_product(&self, words: [u32; 2]) -> f64 {
        let [a, b] = words.map(|word| self.held[word as usize].relative);
        (a + b + a * b) * SLACK
    }

    /// A product of two words in the finest unit of these tens in which so much has room.
    fn product(&mut self, operands: [u32; 2], most: f64, bounds: Bounds, tens: i32) -> Option<u32> {
        let held = operands.map(|word| self.held[word as usize]);
        let both: i32 = held.iter().map(|held| held.unit.scale).sum();
        let cut = both - Unit::for_most(most * ten_to(tens)).scale.min(both);
        let (node, cut, lost) = if cut == 0 {
            (Node::WholeProduct(operands), 0, 0.0)
        } else {
            let (product, cut) = cut_product(operands, held, cut)?;
            (Node::Product(product), cut, 1.0)
        };
        let error = self.error_of_product(operands) * two_to(-cut) + lost;
        let unit = Unit { scale: both - cut, tens };
        self.add_node(node, Held::new(unit, bounds, error, (self.share_of_product(operands), lost)))
    }

    fn quotient(&mut self, operands: [u32; 2], bounds: Bounds) -> Option<u32> {
        let [a, b] = operands.map(|word| self.held[word as usize]);
        let least = b.bounds.least() / b.unit.value();
        let least = least - b.error;
        // What may be zero divides nothing.
        if least < 1.0 {
            return None;
        }
        let finest = Unit::for_most(bounds.most()).scale;
        let shift = (finest + b.unit.scale - a.unit.scale).min(a.room() + BITS);
        if shift < -BITS {
            return None;
        }
        let times = (shift - a.room()).max(0);
        // A rest of less than 4,096 divisors is a word then.
        let of_rest = (13 - b.room()).max(0);
        let unit = Unit { scale: a.unit.scale + shift - b.unit.scale, tens: 0 };
        let most = bounds.most() / unit.value();
        let cut = (if shift < 0 { 1.0 / least } else { 0.0 } + two_to(of_rest) / least + 1.0) * SLACK;
        let error = ((a.error * two_to(shift) + most * b.error) / least) * SLACK + cut;
        let share = (a.relative + b.relative) / (1.0 - b.relative.min(0.5)) * SLACK;
        let share = if b.relative > 0.5 { f64::INFINITY } else { share };
        let held = Held::new(unit, bounds, error, (share, cut));
        let shift = Shift::by(shift - times);
        self.add_node(Node::Quotient(Quotient { operands, shift, times: 1 << times, cut: of_rest as u8 }), held)
    }

    fn posted(&mut self, operand: Operand, digits: u32, bounds: Bounds) -> Option<u32> {
        let product = match operand {
            Operand::Step(step) if self.is_absorbed[step as usize] => {
                Some((self.program.steps[step as usize].operands, self.bounds[step as usize]))
            }
            _ => None,
        };
        let (operands, of_product) = match product {
            Some(([a, b], of_product)) => ([self.word(a)?, self.word(b)?], of_product),
            None => {
                let word = self.word(operand)?;
                let of_word = self.held[word as usize].bounds;
                ([word, self.added_constant(1)], of_word)
            }
        };
        // One of them is brought into tens that make up for those of the other: the one that is known sooner, as the price of
        // many months is.
        let [first, second] = operands;
        let is_first = self.depths[first as usize] <= self.depths[second as usize];
        let [known, other] = if is_first { [first, second] } else { [second, first] };
        let known = self.in_tens(known, digits as i32 - self.held[other as usize].unit.tens)?;
        let operands = [known, other];
        let held = operands.map(|word| self.held[word as usize]);
        let both: i32 = held.iter().map(|held| held.unit.scale).sum();
        let most = of_product.most().max(held[0].bounds.most() * held[1].bounds.most()) * ten_to(digits as i32) + 1.0;
        let places = both.min(Unit::for_most(most).scale).min(MOST_PLACES);
        let (product, cut) = cut_product(operands, held, both - places)?;
        let places = u32::try_from(both - cut).ok().filter(|places| LEAST_PLACES <= *places)?;
        let error = self.error_of_product(operands) * two_to(-cut) + 1.0;
        let doubtful = units((error + TRACE * two_to(places as i32)) * SLACK + 1.0);
        self.add_node(Node::Posted(Posted { product, places, doubtful }), Held::exact(Unit::of_digits(digits), bounds))
    }

    fn asked(&mut self, question: Question, of: [Operand; 2]) -> Option<Asked> {
        let operands = match of.map(|operand| self.digits_of(operand)) {
            [Some(one), Some(other)] => {
                let digits = one.max(other);
                [self.decimal(of[0], digits)?, self.decimal(of[1], digits)?]
            }
            _ => [self.general(of[0])?, self.general(of[1])?],
        };
        let (pair, _, [a, b], cut) = self.aligned(operands);
        let doubtful = if a + b + cut == 0.0 { -1 } else { units(a + b + 2.0) };
        Some(Asked { question, pair, doubtful })
    }

    /// Orders the nodes by what they rest on and by their kind, and says where every word stands.
    fn laid_out(
        self,
        mut decisions: Vec<(Asked, bool)>,
        mut questions: Vec<(Asked, bool)>,
        mut outputs: Vec<u32>,
    ) -> Words {
        let Self { held, sources, depths, settled, is_settled, steps, mut nodes, mut terms, .. } = self;
        let mut slots = vec![0_u32; held.len()];
        let (mut constants, mut loads) = (Vec::new(), Vec::new());
        let mut recorded: Vec<[i64; 1]> = Vec::with_capacity(held.len());
        for (word, source) in sources.iter().enumerate() {
            if let Source::Constant(value) = source {
                slots[word] = constants.len() as u32;
                constants.push(*value);
                recorded.push([*value]);
            }
        }
        for (word, source) in sources.iter().enumerate() {
            if let Source::Load(load) = source {
                slots[word] = (constants.len() + loads.len()) as u32;
                loads.push(*load);
                recorded.push([settled[word].unwrap_or(0)]);
            }
        }
        let mut order: Vec<(u32, u8, usize)> = nodes
            .iter()
            .enumerate()
            .map(|(place, (word, node))| (depths[*word as usize], node.kind(), place))
            .collect();
        order.sort_unstable();
        for (slot, (.., place)) in order.iter().enumerate() {
            slots[nodes[*place].0 as usize] = (constants.len() + loads.len() + slot) as u32;
        }
        let mut groups: Vec<Group> = Vec::new();
        for of_kind in order.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            for (.., place) in of_kind {
                nodes[*place].1.operands(&mut terms).for_each(|operand| *operand = slots[*operand as usize]);
            }
            let Some(group) = Group::of(of_kind.iter().map(|(.., place)| &nodes[*place].1), &terms) else { continue };
            let mut values = vec![[0]; group.len()];
            group.run(&recorded, &mut values, &mut Vec::new());
            for (value, (.., place)) in values.iter_mut().zip(of_kind) {
                *value = settled[nodes[*place].0 as usize].map_or(*value, |settled| [settled]);
            }
            recorded.append(&mut values);
            groups.push(group);
        }
        for (asked, _) in decisions.iter_mut().chain(&mut questions) {
            asked.pair.operands = asked.pair.operands.map(|word| slots[word as usize]);
        }
        outputs.iter_mut().for_each(|word| *word = slots[*word as usize]);
        let step = |(.., place): &(u32, u8, usize)| steps.get(&nodes[*place].0).copied().unwrap_or(u32::MAX);
        let steps = order.iter().map(step).collect();
        let recorded = is_settled.then(|| recorded.into_iter().flatten().collect());
        Words { constants, loads, groups, decisions, outputs, questions, steps, recorded }
    }
}

impl Group {
    /// Nodes of one kind; none of no nodes.
    fn of<'n>(nodes: impl Iterator<Item = &'n Node> + Clone, terms: &[Term]) -> Option<Self> {
        macro_rules! all {
            ($kind:ident) => {
                nodes.filter_map(|node| if let Node::$kind(of) = node { Some(of.clone()) } else { None })
            };
        }
        macro_rules! of_sums {
            ($kind:ident) => {
                nodes.filter_map(
                    |node| {
                        if let Node::$kind(of, between) = node { Some((of.clone(), *between)) } else { None }
                    },
                )
            };
        }
        Some(match nodes.clone().next()? {
            Node::Sum(..) => {
                let (ends, terms) = sums(of_sums!(Sum), |of| terms[of].iter().copied());
                Self::Sums { ends, terms }
            }
            Node::PlainSum(..) => {
                let (ends, slots) = sums(of_sums!(PlainSum), |of| terms[of].iter().map(|term| term.slot));
                Self::PlainSums { ends, slots }
            }
            Node::WholeProduct(_) => Self::WholeProducts(all!(WholeProduct).collect()),
            Node::Product(_) => Self::Products(all!(Product).collect()),
            Node::Quotient(_) => Self::Quotients(all!(Quotient).collect()),
            Node::Least(_) => Self::Least(all!(Least).collect()),
            Node::Greatest(_) => Self::Greatest(all!(Greatest).collect()),
            Node::WholeUp(_) => Self::WholeUp(all!(WholeUp).collect()),
            Node::WholeDown(_) => Self::WholeDown(all!(WholeDown).collect()),
            Node::Share(_) => Self::Shares(all!(Share).collect()),
            Node::Posted(_) => Self::Posted(all!(Posted).collect()),
            Node::Rounded(_) => Self::Rounded(all!(Rounded).collect()),
        })
    }
}

/// Ends and terms of sums that stand among the terms of all, from one place to another; what is taken away begins between.
fn sums<Term, Terms: Iterator<Item = Term>>(
    of_each: impl Iterator<Item = (Range<usize>, usize)>,
    terms: impl Fn(Range<usize>) -> Terms,
) -> (Vec<Ends>, Vec<Term>) {
    let (mut ends, mut all) = (Vec::new(), Vec::new());
    for (of, between) in of_each {
        let added = (all.len() + between - of.start) as u32;
        all.extend(terms(of));
        ends.push(Ends { added, all: all.len() as u32 });
    }
    (ends, all)
}

/// A product from which so many places are cut off, or more where its operands have not the room to be moved up first; and how
/// many are.
fn cut_product(operands: [u32; 2], held: [Held; 2], cut: i32) -> Option<(Product, i32)> {
    let [one, other] = held.map(Held::room);
    let cut = cut.max(64 - one - other);
    let left = (64 - cut).max(0);
    let of_first = left.min(one);
    let right = u8::try_from(cut - 64 + left).ok().filter(|right| *right < 64)?;
    Some((Product { operands, left: [of_first as u8, (left - of_first) as u8], right }, cut))
}

/// The bounds of every step; none where one has none.
fn bounds_of_all(program: &Program, pool: &Pool) -> Option<Vec<Bounds>> {
    let constants: Vec<Bounds> = program.constants.iter().map(|constant| Bounds::at(constant.in_binary())).collect();
    let mut bounds = Vec::with_capacity(program.steps.len());
    for Step { operation, operands } in &program.steps {
        let [a, b] = operands.map(|operand| match operand {
            Operand::Step(step) => bounds[step as usize],
            Operand::Constant(constant) => constants[constant as usize],
        });
        let found = match operation {
            Operation::Input(input) => pool.inputs.get(input)?.0,
            operation => Bounds::made(*operation, a, b),
        };
        if !(found.low.is_finite() && found.high.is_finite()) {
            return None;
        }
        bounds.push(found);
    }
    Some(bounds)
}

/// Steps that are done in the pool: those that need all digits, with what they rest on, and the inputs.
fn pooled(program: &Program) -> Vec<bool> {
    let needs_all_digits =
        |step: &Step| matches!(step.operation, Operation::Rounded(_) | Operation::Power(_) | Operation::Root(_));
    let mut is_pooled: Vec<bool> = program.steps.iter().map(needs_all_digits).collect();
    for (place, step) in program.steps.iter().enumerate().rev() {
        if matches!(step.operation, Operation::Input(_)) {
            is_pooled[place] = true;
        } else if is_pooled[place] {
            for operand in step.operands {
                if let Operand::Step(operand) = operand {
                    is_pooled[operand as usize] = true;
                }
            }
        }
    }
    is_pooled
}

/// For each step the only one that rests on it, if there is just one and nothing else does.
fn only_users(program: &Program, is_pooled: &[bool]) -> Vec<Option<usize>> {
    /// More than one user, or one that is no step.
    const OTHERS: u32 = u32::MAX;
    let mut users: Vec<Option<u32>> = vec![None; program.steps.len()];
    let mut note = |operand: Operand, user: u32| {
        if let Operand::Step(step) = operand {
            let known = &mut users[step as usize];
            *known = Some(known.map_or(user, |_| OTHERS));
        }
    };
    for (place, step) in (0..).zip(&program.steps).filter(|(place, _)| !is_pooled[*place as usize]) {
        let [a, b] = step.operands;
        note(a, place);
        if step.operation.takes_two() {
            note(b, place);
        }
    }
    let asked = program.decisions.iter().map(|(_, operands, _)| operands);
    let asked = asked.chain(program.questions.iter().map(|(_, operands)| operands)).flatten();
    asked.chain(&program.outputs).for_each(|operand| note(*operand, OTHERS));
    users.into_iter().map(|user| user.filter(|user| *user != OTHERS).map(|user| user as usize)).collect()
}

/// Whether what an operation comes to changes at once where what it is done on passes a border.
fn decides_near_borders(operation: Operation) -> bool {
    matches!(operation, Operation::Posted(_) | Operation::RoundedUp | Operation::RoundedDown | Operation::SnappedShare)
}

fn is_additive(step: &Step) -> bool {
    matches!(step.operation, Operation::Sum | Operation::Difference | Operation::Negative)
}
