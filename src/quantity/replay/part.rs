//! The part of a program in words that follows from some of its inputs; everything else is what it was when it was recorded.
//!
//! What has not moved is known with all its digits, however near to a border it lies. Nothing here knows a formula, or why
//! these inputs move.

use super::all_digits::AllDigits;
use super::pool::Pool;
use super::words::{
    Aligned, Asked, Ends, Group, Outcome, Posted, Product, Quotient, Rounded, Share, Term, Whole, Words,
};

/// What of a program follows from some inputs.
#[derive(Debug)]
pub struct Part {
    /// Where the words of the pool stand that move, and which they are.
    loads: Vec<(usize, u32)>,
    /// Numbers that move, with where they stand.
    groups: Vec<(Group, Vec<usize>)>,
    /// Decisions that can fall otherwise, by their places.
    decisions: Vec<usize>,
    /// Of each question whether its answer can be another one.
    questions: Vec<bool>,
}

impl Part {
    /// What follows from the inputs that move; none where a number as it was recorded is no word.
    #[must_use]
    pub fn new(words: &Words, pool: &Pool, moves: impl Fn(usize) -> bool) -> Option<Self> {
        let mut has_moved = vec![false; words.recorded.as_ref()?.len()];
        let in_pool = pool.resting_on(moves);
        let slots_of_loads = words.constants.len()..;
        let loads: Vec<(usize, u32)> =
            slots_of_loads.zip(words.loads.iter().copied()).filter(|(_, load)| in_pool[*load as usize]).collect();
        loads.iter().for_each(|(slot, _)| has_moved[*slot] = true);
        let mut groups = Vec::new();
        let mut first = words.constants.len() + words.loads.len();
        for group in &words.groups {
            let (part, slots) = moved(group, first, &has_moved);
            slots.iter().for_each(|slot| has_moved[*slot] = true);
            first += group.len();
            if !slots.is_empty() {
                groups.push((part, slots));
            }
        }
        let can_move = |asked: &Asked| asked.pair.rests_on(&has_moved);
        let decisions = words.decisions.iter().enumerate().filter(|(_, (asked, _))| can_move(asked));
        let decisions = decisions.map(|(place, _)| place).collect();
        let questions = words.questions.iter().map(|(asked, _)| can_move(asked)).collect();
        Some(Self { loads, groups, decisions, questions })
    }

    /// As [`Words::run`] where no other input moves.
    pub fn run<const LANES: usize>(
        &self,
        words: &Words,
        pools: [&[i64]; LANES],
        all_digits: &mut [AllDigits<'_>; LANES],
        room: &mut Vec<i64>,
    ) -> [Outcome; LANES] {
        let recorded = words.recorded.as_deref().unwrap_or_default();
        let largest = self.groups.iter().map(|(group, _)| group.len()).max().unwrap_or(0);
        room.resize(room.len().max((recorded.len() + largest) * LANES), 0);
        let (values, _) = room.as_chunks_mut::<LANES>();
        let (values, fresh) = values.split_at_mut(recorded.len());
        values.iter_mut().zip(recorded).for_each(|(value, recorded)| *value = [*recorded; LANES]);
        for (slot, load) in &self.loads {
            values[*slot] = pools.map(|words| words[*load as usize]);
        }
        let mut is_settled = [true; LANES];
        let mut in_doubt = Vec::new();
        for (group, slots) in &self.groups {
            group.run(values, &mut fresh[..slots.len()], &mut in_doubt);
            for (place, lane) in in_doubt.drain(..) {
                match words.settled(group, place, slots[place], &mut all_digits[lane]) {
                    Some(settled) => fresh[place][lane] = settled,
                    None => is_settled[lane] = false,
                }
            }
            for (slot, value) in slots.iter().zip(&*fresh) {
                values[*slot] = *value;
            }
        }
        let decisions = self.decisions.iter().copied();
        words.outcomes(values, is_settled, decisions, |question| self.questions[question], all_digits)
    }
}

/// What rests on some words.
trait RestsOn {
    fn rests_on(&self, has_moved: &[bool]) -> bool;
}

macro_rules! rests_on {
    ($($of:ty: |$one:ident| $operands:expr;)+) => {
        $(impl RestsOn for $of {
            #[inline]
            fn rests_on(&self, has_moved: &[bool]) -> bool {
                let $one = self;
                $operands.iter().any(|operand| has_moved[*operand as usize])
            }
        })+
    };
}

rests_on! {
    [u32; 2]: |of| *of;
    Product: |of| of.operands;
    Quotient: |of| of.operands;
    Aligned: |of| of.operands;
    Posted: |of| of.product.operands;
    Whole: |of| [of.operand];
    Share: |of| [of.operand];
    Rounded: |of| [of.operand];
    Term: |of| [of.slot];
    u32: |of| [*of];
}

/// The numbers of a group that rest on what has moved, and where they stand, where the first of the group stands.
fn moved(group: &Group, first: usize, has_moved: &[bool]) -> (Group, Vec<usize>) {
    let mut slots = Vec::with_capacity(group.len());
    macro_rules! of {
        ($all:expr) => {{
            slots.extend((first..).zip($all).filter(|(_, one)| one.rests_on(has_moved)).map(|(slot, _)| slot));
            slots.iter().map(|slot| $all[*slot - first]).collect()
        }};
    }
    let part = match group {
        Group::Sums { ends, terms } => {
            let (ends, terms) = sums(ends, terms, first, has_moved, &mut slots);
            Group::Sums { ends, terms }
        }
        Group::PlainSums { ends, slots: of } => {
            let (ends, of) = sums(ends, of, first, has_moved, &mut slots);
            Group::PlainSums { ends, slots: of }
        }
        Group::WholeProducts(all) => Group::WholeProducts(of!(all)),
        Group::Products(all) => Group::Products(of!(all)),
        Group::Quotients(all) => Group::Quotients(of!(all)),
        Group::Least(all) => Group::Least(of!(all)),
        Group::Greatest(all) => Group::Greatest(of!(all)),
        Group::WholeUp(all) => Group::WholeUp(of!(all)),
        Group::WholeDown(all) => Group::WholeDown(of!(all)),
        Group::Shares(all) => Group::Shares(of!(all)),
        Group::Posted(all) => Group::Posted(of!(all)),
        Group::Rounded(all) => Group::Rounded(of!(all)),
    };
    (part, slots)
}

/// The ends and terms of the sums that rest on what has moved.
fn sums<Term: RestsOn + Copy>(
    ends: &[Ends],
    terms: &[Term],
    first: usize,
    has_moved: &[bool],
    slots: &mut Vec<usize>,
) -> (Vec<Ends>, Vec<Term>) {
    let (mut moved_ends, mut moved_terms) = (Vec::with_capacity(ends.len()), Vec::with_capacity(terms.len()));
    let mut start = 0;
    for (slot, end) in (first..).zip(ends) {
        let of_one = &terms[start as usize..end.all as usize];
        if of_one.iter().any(|term| term.rests_on(has_moved)) {
            slots.push(slot);
            let here = moved_terms.len() as u32;
            moved_terms.extend_from_slice(of_one);
            moved_ends.push(Ends { added: here + (end.added - start), all: moved_terms.len() as u32 });
        }
        start = end.all;
    }
    (moved_ends, moved_terms)
}
