//! How a formula reads: once with the names of what stands in it, once with its numbers.
//!
//! Both are written from the same expression, which the computation itself left behind.

use rust_decimal::Decimal;

use crate::analysis::explain::{Expression, Formula, Sign};
use crate::engine::Ledger;
use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::InputRef;
use crate::scenario::inputs::lower_first;
use crate::show::Figures;

/// A formula as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Wording {
    /// `nodes in service × maximum draw`
    pub words: String,
    /// `18 × 10.20`
    pub numbers: String,
    /// What it comes to.
    pub value: String,
    /// What else decided it, one a text.
    pub because: Vec<String>,
}

/// Everything needed to write a formula down.
#[derive(Clone, Copy)]
pub struct Phrasing<'a> {
    pub inputs: &'a [InputRef],
    pub ledger: &'a Ledger,
    pub figures: Figures,
}

/// More terms than this are counted, not listed.
const TERMS_MAX: usize = 5;

/// More reasons than this are counted, not listed.
const REASONS_MAX: usize = 4;

/// What is written of each operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Words,
    Numbers,
}

/// How strongly the operators around a part bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Around {
    Nothing,
    Sum,
    Product,
    Power,
}

impl Phrasing<'_> {
    /// A formula in words and in numbers.
    #[must_use]
    pub fn wording(&self, formula: &Formula) -> Wording {
        let (expression, ending) = unwrapped(&formula.expression);
        Wording {
            words: sentence(&self.text(expression, Side::Words, Around::Nothing)) + ending,
            numbers: self.text(expression, Side::Numbers, Around::Nothing),
            value: self.number(formula.value),
            because: self.reasons(&formula.because),
        }
    }

    fn reasons(&self, because: &[Expression]) -> Vec<String> {
        let mut texts: Vec<String> = Vec::new();
        let mut more = 0_usize;
        for reason in because {
            let words = self.text(reason, Side::Words, Around::Nothing);
            let text = format!("{words} = {}", self.number(reason.value()));
            match texts.len() {
                _ if texts.contains(&text) => {}
                ..REASONS_MAX => texts.push(text),
                _ => more += 1,
            }
        }
        if more > 0 {
            texts.push(format!("{} more", self.figures.number(Decimal::from(more))));
        }
        texts
    }

    /// A number with as many digits as tell it apart: exact where it is short, fourteen digits where it is not,
    /// so that what is computed from them agrees to the cent.
    #[must_use]
    pub fn number(&self, number: Num) -> String {
        const DIGITS: i64 = 14;
        let Some(value) = number.decimal().map(|value| value.normalize()) else { return "–".into() };
        if value.is_zero() {
            return "0".into();
        }
        let whole = i64::from(value.abs().trunc().mantissa().unsigned_abs().checked_ilog10().map_or(0, |log| log + 1));
        let places = u32::try_from((DIGITS - whole).max(2)).unwrap_or(2);
        let short = crate::show::round(value, places);
        let shown = if short.is_zero() { value } else { short };
        self.figures.editing(shown.normalize())
    }

    /// What a named number is, and of what.
    #[must_use]
    pub fn name(&self, name: &Name) -> String {
        let of = if name.of.is_empty() { String::new() } else { format!(" of {}", name.of) };
        match name.month {
            Some(month) => format!("{}{of}, month {}", name.label, self.figures.number(Decimal::from(month))),
            None => format!("{}{of}", name.label),
        }
    }

    fn text(&self, expression: &Expression, side: Side, around: Around) -> String {
        let inner = |part: &Expression| self.text(part, side, Around::Nothing);
        let bracketed = |text: String, own: Around| {
            if own <= around && around != Around::Nothing { format!("({text})") } else { text }
        };
        match (expression, side) {
            (Expression::Constant(number), _) => self.number(*number),
            (Expression::Input(_, number), Side::Numbers)
            | (Expression::Named(_, number), Side::Numbers)
            | (Expression::Posting(_, _, number), Side::Numbers) => self.number(*number),
            (Expression::Input(place, number), Side::Words) => match self.inputs.get(*place) {
                Some(input) => lower_first(&input.label),
                None => self.number(*number),
            },
            (Expression::Named(name, _), Side::Words) => lower_first(name.label),
            (Expression::Posting(place, ..), Side::Words) => {
                let posting = self.ledger.postings.get(*place);
                let line = posting.and_then(|posting| self.ledger.lines.get(posting.line as usize));
                line.map_or_else(|| "a posting".into(), |line| format!("what “{}” posts", line.label))
            }
            (Expression::Sum(terms), _) => {
                bracketed(self.listed(terms, side, Around::Sum, [" + ", " − "]), Around::Sum)
            }
            (Expression::Product(factors), _) => {
                let own = if is_power(factors) { Around::Power } else { Around::Product };
                bracketed(self.listed(factors, side, Around::Product, [" × ", " ÷ "]), own)
            }
            (Expression::Negative(part), _) => {
                bracketed(format!("−{}", self.text(part, side, Around::Product)), Around::Sum)
            }
            (Expression::Least(all), _) => bracketed(self.chosen("least", "lesser", all, side), Around::Sum),
            (Expression::Greatest(all), _) => bracketed(self.chosen("greatest", "greater", all, side), Around::Sum),
            (Expression::RoundedUp(part), _) => format!("⌈{}⌉", inner(part)),
            (Expression::RoundedDown(part), _) => format!("⌊{}⌋", inner(part)),
            (Expression::Power(part, exponent), _) => {
                format!("{}^{exponent}", self.text(part, side, Around::Power))
            }
            (Expression::Root(part, degree), _) => {
                bracketed(format!("{degree}th root of ({})", inner(part)), Around::Power)
            }
            (Expression::SnappedShare(part) | Expression::Rounded(part, _), _) => self.text(part, side, around),
            (Expression::Posted(part, _), _) => format!("rounded ({})", inner(part)),
            (Expression::Part { whole, share, part, .. }, _) => match side {
                Side::Words => {
                    format!("{} × {}, by largest remainder", inner(whole), self.text(share, side, Around::Sum))
                }
                Side::Numbers => format!("{} × {} → {}", inner(whole), self.number(share.value()), self.number(*part)),
            },
        }
    }

    /// Operands from left to right; of many the first, and how many more.
    fn listed(&self, parts: &[(Sign, Expression)], side: Side, own: Around, signs: [&str; 2]) -> String {
        let is_long = parts.len() > TERMS_MAX + 1 && own == Around::Sum;
        if is_long && side == Side::Words && parts.iter().all(|(sign, _)| *sign == Sign::With) {
            return self.many(parts);
        }
        let shown = if is_long { TERMS_MAX } else { parts.len() };
        let mut text = String::new();
        let mut place = 0;
        while let Some((sign, part)) = parts[..shown].get(place) {
            let again = parts[place + 1..].iter().take_while(|other| other.0 == *sign && same(&other.1, part));
            let times = if own == Around::Product { 1 + again.count() } else { 1 };
            let sign = if *sign == Sign::With { signs[0] } else { signs[1] };
            if place > 0 {
                text.push_str(sign);
            } else if sign == signs[1] {
                text.push_str(if own == Around::Sum { "−" } else { "1 ÷ " });
            }
            // What is on the right of a minus or a division needs its brackets, and what is on the left does not.
            let around = if place == 0 && own == Around::Sum { Around::Nothing } else { own };
            match times {
                1 => text.push_str(&self.text(part, side, around)),
                _ => {
                    let times = self.figures.number(Decimal::from(times));
                    text.push_str(&format!("{}^{times}", self.text(part, side, Around::Power)));
                }
            }
            place += times;
        }
        if shown < parts.len() {
            let more = self.figures.number(Decimal::from(parts.len() - shown));
            text.push_str(&format!("{}… and {more} more", signs[0]));
        }
        text
    }

    /// What many terms are: the months of one thing are said once.
    fn many(&self, parts: &[(Sign, Expression)]) -> String {
        let mut kinds: Vec<String> = Vec::new();
        for (_, part) in parts {
            let kind = self.text(part, Side::Words, Around::Sum);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        let count = self.figures.number(Decimal::from(parts.len()));
        let more = if kinds.len() > TERMS_MAX { ", …" } else { "" };
        kinds.truncate(TERMS_MAX);
        format!("the sum of {count}: {}{more}", kinds.join(", "))
    }

    fn chosen(&self, of_many: &str, of_two: &str, all: &[Expression], side: Side) -> String {
        match all {
            [a, b] => format!(
                "the {of_two} of {} and {}",
                self.text(a, side, Around::Nothing),
                self.text(b, side, Around::Nothing)
            ),
            // In words one stands for all of a kind, since they differ by month or hour only.
            _ => {
                let decisive =
                    all.iter().map(Expression::value).reduce(if of_many == "least" { Num::min } else { Num::max });
                let (first, others): (Vec<_>, Vec<_>) = all.iter().partition(|part| Some(part.value()) == decisive);
                // What decides stands first.
                let mut kinds: Vec<String> = Vec::new();
                for part in first.into_iter().chain(others) {
                    let kind = self.text(part, side, Around::Nothing);
                    if !kinds.contains(&kind) {
                        kinds.push(kind);
                    }
                }
                let count = self.figures.number(Decimal::from(all.len()));
                let most = if all.len() <= TERMS_MAX { TERMS_MAX } else { 3 };
                let more = if kinds.len() > most { ", …" } else { "" };
                kinds.truncate(most);
                match side {
                    Side::Words if kinds.len() < all.len() => {
                        format!("the {of_many} of {count}: {}{more}", kinds.join(", "))
                    }
                    Side::Words => format!("the {of_many} of {}{more}", kinds.join(", ")),
                    // All of them are the same.
                    Side::Numbers if kinds.len() == 1 => kinds.concat(),
                    Side::Numbers => format!("the {of_many} of {}{more}", kinds.join(", ")),
                }
            }
        }
    }
}

/// Whether two expressions are the same numbers made in the same way. Choices, parts and postings are not looked into.
fn same(a: &Expression, b: &Expression) -> bool {
    let all_same = |a: &[(Sign, Expression)], b: &[(Sign, Expression)]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && same(&a.1, &b.1))
    };
    match (a, b) {
        (Expression::Constant(a), Expression::Constant(b)) => a == b,
        (Expression::Input(a, _), Expression::Input(b, _)) => a == b,
        (Expression::Named(a, _), Expression::Named(b, _)) => a == b,
        (Expression::Sum(a), Expression::Sum(b)) | (Expression::Product(a), Expression::Product(b)) => all_same(a, b),
        (Expression::Root(a, m), Expression::Root(b, n)) | (Expression::Power(a, m), Expression::Power(b, n)) => {
            m == n && same(a, b)
        }
        _ => false,
    }
}

/// Whether a product is one expression multiplied by itself.
fn is_power(factors: &[(Sign, Expression)]) -> bool {
    match factors {
        [(_, first), rest @ ..] if !rest.is_empty() => {
            factors.iter().all(|(sign, factor)| *sign == Sign::With && same(factor, first))
        }
        _ => false,
    }
}

/// The expression inside a last rounding, and how the sentence about it ends.
fn unwrapped(expression: &Expression) -> (&Expression, &'static str) {
    match expression {
        Expression::Posted(inner, _) => (inner, ", rounded to the minor unit"),
        Expression::Rounded(inner, 18) => (inner, ", rounded to 18 places"),
        other => (other, ""),
    }
}

/// A text as a sentence begins.
#[must_use]
pub fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
