//! The only place where a number becomes text, and where typed text becomes a number.
//!
//! Everything here is exact: decimals and whole minor units go in, and what is rounded is rounded for the eye, half away
//! from zero. Nothing here knows what a number means, or where on a page it stands.

use rust_decimal::{Decimal, RoundingStrategy};

/// Which marks separate the parts of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Marks {
    /// `1,234.56`
    #[default]
    Point,
    /// `1 234,56`
    Comma,
}

/// In what multiple of the currency amounts are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    #[default]
    Units,
    Thousands,
    Millions,
}

/// How numbers are written at present: one value for the whole window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Figures {
    pub marks: Marks,
    pub scale: Scale,
}

/// What an empty amount looks like.
pub const ZERO: &str = "–";

impl Marks {
    const fn decimal(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    /// The mark written between groups. A space that does not break, where it is a space.
    const fn group(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '\u{a0}',
        }
    }

    fn groups(self, c: char) -> bool {
        let spaces = matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '’');
        spaces || (self == Self::Point && c == ',') || (self == Self::Comma && c == '.')
    }
}

impl Scale {
    pub const ALL: [Self; 3] = [Self::Units, Self::Thousands, Self::Millions];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Units => "Units",
            Self::Thousands => "Thousands",
            Self::Millions => "Millions",
        }
    }

    /// The word after a currency code: `USD`, `USD thousand`, `USD million`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Units => "",
            Self::Thousands => " thousand",
            Self::Millions => " million",
        }
    }

    const fn zeros(self) -> u32 {
        match self {
            Self::Units => 0,
            Self::Thousands => 3,
            Self::Millions => 6,
        }
    }

    /// Millions keep two places, so that they still tell placements apart.
    const fn places(self) -> u32 {
        match self {
            Self::Units | Self::Thousands => 0,
            Self::Millions => 2,
        }
    }
}

impl Figures {
    /// An amount on a page: rounded to the scale, negatives in parentheses, nothing as a dash.
    pub fn amount(self, minor: i128, digits: u32) -> String {
        if minor == 0 {
            return ZERO.to_owned();
        }
        parenthesised(minor < 0, self.unsigned(minor, digits))
    }

    /// The same without its sign, for a place where a triangle says it.
    pub fn unsigned(self, minor: i128, digits: u32) -> String {
        if minor == 0 {
            return ZERO.to_owned();
        }
        let (zeros, places) = (digits + self.scale.zeros(), self.scale.places());
        let scaled = shift(minor.unsigned_abs(), zeros, places);
        self.fixed(scaled, places)
    }

    /// An amount to the minor unit, whatever the scale: what one sees on hover.
    pub fn exact(self, minor: i128, digits: u32) -> String {
        parenthesised(minor < 0, self.fixed(minor.unsigned_abs(), digits))
    }

    /// An amount in a ledger: to the minor unit unless a larger scale is chosen, nothing as a dash.
    pub fn posted(self, minor: i128, digits: u32) -> String {
        match self.scale {
            Scale::Units if minor != 0 => self.exact(minor, digits),
            _ => self.amount(minor, digits),
        }
    }

    /// What so many amounts come to on average, rounded to the minor unit for the eye.
    pub fn average(self, minor: i128, count: usize, digits: u32) -> String {
        let Some(count) = i128::try_from(count).ok().filter(|count| *count > 0) else { return ZERO.to_owned() };
        let (whole, rest) = (minor / count, minor % count);
        let away = i128::from(2 * rest.abs() >= count) * minor.signum();
        self.posted(whole + away, digits)
    }

    /// A count: `2,310`.
    pub fn count(self, count: usize) -> String {
        self.grouped(&count.to_string())
    }

    /// A number with every digit it was given.
    pub fn number(self, value: Decimal) -> String {
        let text = self.grouped(&value.abs().to_string());
        parenthesised(value.is_sign_negative() && !value.is_zero(), text)
    }

    /// A number as it is edited: every digit, a leading minus, no parentheses.
    pub fn editing(self, value: Decimal) -> String {
        let text = self.grouped(&value.abs().to_string());
        if value.is_sign_negative() && !value.is_zero() { format!("-{text}") } else { text }
    }

    /// A number rounded to so many places, half away from zero.
    pub fn rounded(self, value: Decimal, places: u32) -> String {
        let value = round(value, places);
        let text = self.grouped(&padded(value.abs(), places));
        parenthesised(value.is_sign_negative() && !value.is_zero(), text)
    }

    /// A number beside one that was printed: to its places where that is all of it, and to two more where it is not.
    pub fn beside(self, value: Decimal, printed: Decimal) -> String {
        let places = printed.scale();
        self.rounded(value, if round(value, places) == value { places } else { places + 2 })
    }

    /// A ratio with at least four significant digits: `2.967`, `0.003412`, `1,234.5`.
    pub fn ratio(self, value: Decimal) -> String {
        if value.is_zero() {
            return ZERO.to_owned();
        }
        let places = match magnitude(value) {
            whole @ 1.. => u32::try_from(4 - whole).unwrap_or(0).max(1),
            small => u32::try_from(4 - small).unwrap_or(28).min(15),
        };
        self.rounded(value, places)
    }

    /// A number to about four significant digits, without zeros that say nothing: `11,826`, `0.35`.
    pub fn near(self, value: Decimal) -> String {
        let places = u32::try_from(4 - magnitude(value).max(-10)).unwrap_or(0);
        self.number(round(value, places).normalize())
    }

    /// A share in percent without the sign for it: `33.7`, `(4.2)`. From a thousand on without places.
    pub fn percent(self, share: Decimal) -> String {
        if share.is_zero() {
            return ZERO.to_owned();
        }
        let Some(percent) = share.checked_mul(Decimal::ONE_HUNDRED) else {
            return self.number(share);
        };
        let places = if percent.abs() >= Decimal::ONE_THOUSAND { 0 } else { 1 };
        self.rounded(percent, places)
    }

    /// A share in percent that is never shown larger than it is: what serves almost everything does not serve 100.
    pub fn floor_percent(self, share: Decimal) -> String {
        let percent = share.checked_mul(Decimal::ONE_HUNDRED).unwrap_or(share);
        let places = if percent.fract().is_zero() { 0 } else { 1 };
        self.rounded(percent.round_dp_with_strategy(places, RoundingStrategy::ToZero), places)
    }

    /// A round number on an axis, with as few characters as it takes: `5 m`, `250 k`, `0.005`.
    pub fn short(self, value: Decimal) -> String {
        let magnitude = value.abs();
        for (unit, zeros) in [("bn", 9), ("m", 6), ("k", 3)] {
            let one = Decimal::from(10i64.pow(zeros));
            if let Some(quotient) = value.checked_div(one).filter(|_| one <= magnitude) {
                return parenthesised(
                    value.is_sign_negative(),
                    format!("{} {unit}", self.number(round(quotient.abs(), 2).normalize())),
                );
            }
        }
        self.number(value.normalize())
    }

    /// An amount with three digits: `14.4 m`, `(885 k)`. For labels beside bars; the table has the figure.
    pub fn brief(self, minor: i128, digits: u32) -> String {
        let Ok(value) = Decimal::try_from_i128_with_scale(minor, digits) else {
            return self.amount(minor, digits);
        };
        let magnitude = value.abs();
        for (unit, zeros) in [("bn", 9), ("m", 6), ("k", 3)] {
            let one = Decimal::from(10i64.pow(zeros));
            if let Some(quotient) = magnitude.checked_div(one).filter(|_| one <= magnitude) {
                let places = match quotient {
                    ones if ones < Decimal::TEN => 2,
                    tens if tens < Decimal::ONE_HUNDRED => 1,
                    _ => 0,
                };
                return parenthesised(minor < 0, format!("{} {unit}", self.rounded(quotient, places)));
            }
        }
        self.rounded(value, 0)
    }

    /// What `shown` says of a cell: the share itself, or a hundred times it.
    pub fn cell(self, value: Decimal, cell: Cell) -> String {
        self.number(cell.shown(value))
    }

    fn fixed(self, scaled: u128, places: u32) -> String {
        let digits = format!("{scaled:0>width$}", width = places as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places as usize);
        match fraction {
            "" => self.grouped(whole),
            _ => self.grouped(&format!("{whole}.{fraction}")),
        }
    }

    fn grouped(self, plain: &str) -> String {
        let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
        let mut text = String::with_capacity(plain.len() + plain.len() / 3);
        for (i, digit) in whole.chars().enumerate() {
            if i > 0 && (whole.len() - i).is_multiple_of(3) {
                text.push(self.marks.group());
            }
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(self.marks.decimal());
            text.push_str(fraction);
        }
        text
    }
}

/// How a cell shows the number it holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cell {
    #[default]
    Plain,
    /// The number is a share; the cell shows a hundred times it, and `12` and `12%` both mean 0.12.
    Percent,
}

impl Cell {
    /// The number a person sees and edits. Moving the point is exact; what cannot be moved is shown as it is.
    pub fn shown(self, value: Decimal) -> Decimal {
        match self {
            Self::Plain => value,
            Self::Percent => match value.checked_mul(Decimal::ONE_HUNDRED) {
                Some(percent) => without_trailing_places(percent, value.scale().saturating_sub(2)),
                None => value,
            },
        }
    }
}

/// Drops zeros beyond `places`, which multiplying has brought.
fn without_trailing_places(value: Decimal, places: u32) -> Decimal {
    let short = round(value, places);
    if short == value { short } else { value }
}

/// A correlation: two places, and no minus before nothing.
pub fn correlation(of: f64) -> String {
    let text = format!("{of:.2}");
    if text == "-0.00" { "0.00".into() } else { text.replace('-', "−") }
}

/// A text that begins with a capital letter.
pub fn upper_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The letter of the placement at this position: A, B … Z, then by its number.
pub fn letter(index: usize) -> String {
    match u8::try_from(index) {
        Ok(i) if i < 26 => char::from(b'A' + i).to_string(),
        _ => (index + 1).to_string(),
    }
}

/// An amount for other programs: every minor unit, a leading minus, no separators.
pub fn plain(minor: i128, digits: u32) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let units = format!("{:0>width$}", minor.unsigned_abs(), width = digits as usize + 1);
    let (whole, fraction) = units.split_at(units.len() - digits as usize);
    if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") }
}

/// A shown number inside a sentence, where parentheses would be read as an aside: `−9.655` for `(9.655)`.
pub fn in_words(shown: &str) -> String {
    match shown.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
        Some(magnitude) => format!("−{magnitude}"),
        None => shown.to_owned(),
    }
}

fn parenthesised(negative: bool, text: String) -> String {
    if negative { format!("({text})") } else { text }
}

/// `value` with the point moved left by `zeros`, kept to `places`, half away from zero.
fn shift(value: u128, zeros: u32, places: u32) -> u128 {
    if places >= zeros {
        return value.saturating_mul(power(places - zeros));
    }
    let unit = power(zeros - places);
    let half = unit / 2;
    value / unit + u128::from(value % unit >= half)
}

/// Ten to so many; 10^38 is the greatest that fits, and more than any amount.
const fn power(exponent: u32) -> u128 {
    10u128.pow(if exponent > 38 { 38 } else { exponent })
}

/// Rounds half away from zero, as spreadsheets do.
pub fn round(value: Decimal, places: u32) -> Decimal {
    value.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}

fn padded(value: Decimal, places: u32) -> String {
    let mut text = value.to_string();
    let have = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    if have == 0 && places > 0 {
        text.push('.');
    }
    text.extend(std::iter::repeat_n('0', (places as usize).saturating_sub(have)));
    text
}

/// Digits before the point, or minus the zeros after it: 12.3 → 2, 0.5 → 0, 0.05 → -1.
fn magnitude(value: Decimal) -> i64 {
    let digits = value.mantissa().unsigned_abs().checked_ilog10().map_or(0, |log| i64::from(log) + 1);
    digits - i64::from(value.scale())
}

/// The greatest number of digits the file keeps before and after the point.
const WHOLE_DIGITS: i64 = 15;
const PLACES: u32 = 12;

/// Why typed text is not a number, in one sentence for the person who typed it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(pub String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

fn refuse<T>(reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(reason.into()))
}

/// Reads what a person typed into a cell: `1,234.56`, `(1,234)`, `12.5%`, `40k`, `=12*730*0.65`.
pub fn parse(text: &str, marks: Marks, cell: Cell) -> Result<Decimal, Refused> {
    let text = text.trim();
    let value = match text.strip_prefix('=') {
        Some(sum) => Sum::new(sum, marks).whole()?,
        None => single(text, marks)?,
    };
    let share = text.contains('%') || cell == Cell::Plain;
    let value = if share { value } else { hundredth(value)? };
    kept(value, text.starts_with('='))
}

/// Steps a cell by one in the last digit that it shows, or by one where it shows none after the point.
pub fn stepped(value: Decimal, cell: Cell, steps: i64) -> Option<Decimal> {
    let places = cell.shown(value).scale() + if cell == Cell::Percent { 2 } else { 0 };
    let step = Decimal::try_new(1, places).ok()?;
    value.checked_add(step.checked_mul(Decimal::from(steps))?)
}

fn hundredth(value: Decimal) -> Result<Decimal, Refused> {
    Decimal::try_new(1, 2).ok().and_then(|cent| value.checked_mul(cent)).ok_or_else(too_large)
}

fn too_large() -> Refused {
    Refused("The number is too large: 15 digits before the point can be kept.".to_owned())
}

/// What the file can hold. A sum may end in a quotient without end: it is kept to the places of the file, half away from
/// zero. A number typed digit by digit is never altered.
fn kept(value: Decimal, summed: bool) -> Result<Decimal, Refused> {
    if magnitude(value) > WHOLE_DIGITS {
        return Err(too_large());
    }
    let value = match value.normalize() {
        exact if exact.scale() <= PLACES && value.scale() <= PLACES => value,
        exact if exact.scale() <= PLACES => exact,
        _ if summed => round(value, PLACES).normalize(),
        _ => return refuse("At most 12 digits after the point can be kept."),
    };
    Ok(if value.is_zero() { value.abs() } else { value })
}

/// One number, with its sign or its parentheses.
fn single(text: &str, marks: Marks) -> Result<Decimal, Refused> {
    if text.is_empty() {
        return refuse("Type a number.");
    }
    if let Some(inner) = text.strip_prefix('(') {
        let Some(inner) = inner.strip_suffix(')') else {
            return refuse("A parenthesis is not closed.");
        };
        if inner.trim_start().starts_with(is_minus) {
            return refuse("Parentheses already mean less than zero: leave out the minus.");
        }
        return Ok(negated(unsigned(inner.trim(), marks)?));
    }
    match text.strip_prefix(is_minus) {
        Some(rest) => Ok(negated(unsigned(rest.trim_start(), marks)?)),
        None => unsigned(text.strip_prefix('+').unwrap_or(text), marks),
    }
}

fn negated(value: Decimal) -> Decimal {
    if value.is_zero() { value } else { -value }
}

const fn is_minus(c: char) -> bool {
    matches!(c, '-' | '−' | '–')
}

fn unsigned(text: &str, marks: Marks) -> Result<Decimal, Refused> {
    let end = text.find(|c| !in_digits(c, marks)).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let value = digits_only(digits.trim_end(), marks, suffix)?;
    multiplied(value, suffix.trim())
}

fn in_digits(c: char, marks: Marks) -> bool {
    c.is_ascii_digit() || c == marks.decimal() || marks.groups(c)
}

/// `suffix` is named where there are no digits before it.
fn digits_only(digits: &str, marks: Marks, suffix: &str) -> Result<Decimal, Refused> {
    if !digits.contains(|c: char| c.is_ascii_digit()) {
        return match digits.chars().chain(suffix.chars()).next() {
            Some(c) => refuse(foreign(c)),
            None => refuse("Type a number."),
        };
    }
    let mut parts = digits.split(marks.decimal());
    let (whole, fraction) = (parts.next().unwrap_or(""), parts.next());
    if parts.next().is_some() {
        return refuse(format!("A number has one decimal mark: “{}” stands here more than once.", marks.decimal()));
    }
    if fraction.is_some_and(|f| f.contains(|c: char| !c.is_ascii_digit())) {
        return refuse("A thousands separator cannot stand after the decimal mark.");
    }
    let whole = ungrouped(whole, marks, fraction.is_none())?;
    let fraction = fraction.unwrap_or("");
    if whole.len() + fraction.len() > 27 {
        return refuse("The number has too many digits: 15 before the point and 12 after it can be kept.");
    }
    let plain = if fraction.is_empty() { format!("0{whole}") } else { format!("0{whole}.{fraction}") };
    Decimal::from_str_exact(&plain).map_err(|_| too_large())
}

/// The digits of `whole` without its separators, which must stand before every three digits and be of one kind. Where the
/// number stands `alone`, without a decimal mark, a lone separator may have been meant as one: the refusal then names it.
fn ungrouped(whole: &str, marks: Marks, alone: bool) -> Result<String, Refused> {
    let mut separators = whole.chars().filter(|c| !c.is_ascii_digit());
    let Some(first) = separators.next() else {
        return Ok(whole.to_owned());
    };
    if separators.any(|c| c != first) {
        return refuse("Use one kind of thousands separator.");
    }
    let groups: Vec<&str> = whole.split(first).collect();
    if groups[1..].iter().any(|group| group.len() != 3) {
        return refuse(separator_reason(alone && groups.len() == 2, first, marks));
    }
    if groups[0].is_empty() || groups[0].len() > 3 {
        return refuse("A thousands separator stands after one to three digits.");
    }
    Ok(groups.concat())
}

fn separator_reason(perhaps_decimal: bool, separator: char, marks: Marks) -> String {
    let rule = "A thousands separator needs three digits after it.";
    match separator {
        '.' | ',' if perhaps_decimal => format!("{rule} The decimal mark here is “{}”.", marks.decimal()),
        _ => rule.to_owned(),
    }
}

fn multiplied(value: Decimal, suffix: &str) -> Result<Decimal, Refused> {
    let (times, places) = match suffix.to_lowercase().as_str() {
        "" => return Ok(value),
        "%" => return hundredth(value),
        "k" => (1_000, 3),
        "m" => (1_000_000, 6),
        "bn" | "b" => (1_000_000_000, 9),
        _ => return refuse(suffix_reason(suffix)),
    };
    let product = value.checked_mul(Decimal::from(times)).ok_or_else(too_large)?;
    Ok(without_trailing_places(product, value.scale().saturating_sub(places)))
}

fn suffix_reason(suffix: &str) -> String {
    let first = suffix.chars().next().unwrap_or(' ');
    match first {
        '+' | '*' | '/' | '×' | '÷' => "A sum begins with “=”.".to_owned(),
        c if is_minus(c) => "A sum begins with “=”.".to_owned(),
        ')' => "A closing parenthesis has no opening one.".to_owned(),
        'k' | 'K' | 'm' | 'M' | '%' | 'b' | 'B' => {
            format!("“{suffix}” cannot follow a number; k, m, bn and % can.")
        }
        c => foreign(c),
    }
}

fn foreign(c: char) -> String {
    match c {
        '$' | '€' | '£' | '¥' => "Leave out the currency: it is said beside the cell.".to_owned(),
        '*' | '/' | '×' | '÷' => "An operator needs a number before it.".to_owned(),
        c => format!("“{c}” is not part of a number."),
    }
}

/// A sum being read from left to right, as a spreadsheet reads it.
struct Sum<'a> {
    rest: &'a str,
    marks: Marks,
    depth: u32,
}

impl<'a> Sum<'a> {
    const DEEPEST: u32 = 32;

    fn new(text: &'a str, marks: Marks) -> Self {
        Self { rest: text.trim_end(), marks, depth: 0 }
    }

    fn whole(mut self) -> Result<Decimal, Refused> {
        let value = self.terms()?;
        match self.peek() {
            None => Ok(value),
            Some(')') => refuse("A closing parenthesis has no opening one."),
            Some(c) if c.is_ascii_digit() || c == '(' => refuse("Two numbers have no operator between them."),
            Some(c) => refuse(foreign(c)),
        }
    }

    fn terms(&mut self) -> Result<Decimal, Refused> {
        let mut value = self.factors()?;
        while let Some(c) = self.peek().filter(|&c| c == '+' || is_minus(c)) {
            self.skip(c);
            let next = self.factors()?;
            let sum = if c == '+' { value.checked_add(next) } else { value.checked_sub(next) };
            value = sum.ok_or_else(too_large)?;
        }
        Ok(value)
    }

    fn factors(&mut self) -> Result<Decimal, Refused> {
        let mut value = self.factor()?;
        while let Some(c) = self.peek().filter(|c| matches!(c, '*' | '×' | '/' | '÷')) {
            self.skip(c);
            let next = self.factor()?;
            value = if matches!(c, '*' | '×') { product(value, next)? } else { quotient(value, next)? };
        }
        Ok(value)
    }

    fn factor(&mut self) -> Result<Decimal, Refused> {
        match self.peek() {
            None => refuse("The sum ends with an operator."),
            Some('(') => self.parenthesis(),
            Some(c) if is_minus(c) => {
                self.skip(c);
                self.deeper()?;
                let value = self.factor()?;
                self.depth -= 1;
                Ok(negated(value))
            }
            Some(_) => self.number(),
        }
    }

    fn parenthesis(&mut self) -> Result<Decimal, Refused> {
        self.skip('(');
        self.deeper()?;
        let value = self.terms()?;
        if self.peek() != Some(')') {
            return refuse("A parenthesis is not closed.");
        }
        self.skip(')');
        self.depth -= 1;
        Ok(value)
    }

    fn deeper(&mut self) -> Result<(), Refused> {
        self.depth += 1;
        if self.depth > Self::DEEPEST { refuse("The sum has too many parentheses.") } else { Ok(()) }
    }

    /// Digits and their marks, then a suffix of letters or a percent sign.
    fn number(&mut self) -> Result<Decimal, Refused> {
        let digits = self.rest.find(|c| !in_digits(c, self.marks)).unwrap_or(self.rest.len());
        let letters = self.rest[digits..].find(|c: char| c != '%' && !c.is_alphabetic());
        let end = letters.map_or(self.rest.len(), |letters| digits + letters);
        if end == 0 {
            return match self.peek() {
                Some(')') => refuse("The sum ends with an operator."),
                Some(c) => refuse(foreign(c)),
                None => refuse("The sum ends with an operator."),
            };
        }
        let (number, rest) = self.rest.split_at(end);
        self.rest = rest;
        unsigned(number.trim(), self.marks)
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn skip(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
    }
}

fn product(a: Decimal, b: Decimal) -> Result<Decimal, Refused> {
    a.checked_mul(b).ok_or_else(too_large)
}

fn quotient(a: Decimal, b: Decimal) -> Result<Decimal, Refused> {
    if b.is_zero() {
        return refuse("The sum divides by zero.");
    }
    a.checked_div(b).ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::from_str_exact(text).expect("a test writes its numbers exactly")
    }

    fn point(text: &str) -> Result<String, String> {
        parse(text, Marks::Point, Cell::Plain).map(|d| d.to_string()).map_err(|r| r.0)
    }

    /// Complete when every form that the manual promises stands here once.
    #[test]
    fn what_is_accepted() {
        for (typed, read) in [
            ("1234", "1234"),
            ("1,234.56", "1234.56"),
            ("1 234 567", "1234567"),
            ("1\u{a0}234", "1234"),
            ("312,400.00", "312400.00"),
            (".5", "0.5"),
            ("5.", "5"),
            ("-3", "-3"),
            ("−3", "-3"),
            ("+3", "3"),
            ("(1,234)", "-1234"),
            ("( 12.5 )", "-12.5"),
            ("12.5%", "0.125"),
            ("12.5 %", "0.125"),
            ("40k", "40000"),
            ("1.2m", "1200000"),
            ("1.25 M", "1250000"),
            ("2bn", "2000000000"),
            ("-0", "0"),
            ("=12*730*0.65", "5694.00"),
            ("=1+2*3", "7"),
            ("=(1+2)*3", "9"),
            ("=-(1+2)*3", "-9"),
            ("=40k/2", "20000"),
            ("=10% * 3", "0.30"),
            ("=1/3", "0.333333333333"),
            ("=2/3", "0.666666666667"),
            ("= 7 − 2 × 3 ÷ 6", "6"),
        ] {
            assert_eq!(point(typed).as_deref(), Ok(read), "{typed}");
        }
    }

    /// Complete when every sentence that `parse` can give stands here once.
    #[test]
    fn what_is_refused() {
        for (typed, reason) in [
            ("", "Type a number."),
            ("-", "Type a number."),
            ("=", "The sum ends with an operator."),
            ("312,40.00", "A thousands separator needs three digits after it."),
            ("312,40", "A thousands separator needs three digits after it. The decimal mark here is “.”."),
            ("1,23,456", "A thousands separator needs three digits after it."),
            ("1234,567", "A thousands separator stands after one to three digits."),
            ("1,234 567", "Use one kind of thousands separator."),
            ("1.234.567", "A number has one decimal mark: “.” stands here more than once."),
            ("1.234,567", "A thousands separator cannot stand after the decimal mark."),
            ("=12*730*", "The sum ends with an operator."),
            ("=12*(730+", "The sum ends with an operator."),
            ("=12*(730+1", "A parenthesis is not closed."),
            ("=12)", "A closing parenthesis has no opening one."),
            ("(12", "A parenthesis is not closed."),
            ("12)", "A closing parenthesis has no opening one."),
            ("(-12)", "Parentheses already mean less than zero: leave out the minus."),
            ("=1/0", "The sum divides by zero."),
            ("=2(3)", "Two numbers have no operator between them."),
            ("12*3", "A sum begins with “=”."),
            ("12-3", "A sum begins with “=”."),
            ("*3", "An operator needs a number before it."),
            ("$12", "Leave out the currency: it is said beside the cell."),
            ("abc", "“a” is not part of a number."),
            ("1e3", "“e” is not part of a number."),
            ("12kk", "“kk” cannot follow a number; k, m, bn and % can."),
            ("1234567890123456", "The number is too large: 15 digits before the point can be kept."),
            ("0.1234567890123", "At most 12 digits after the point can be kept."),
            ("=999999999999999*10", "The number is too large: 15 digits before the point can be kept."),
            (
                "1234567890123456789012345678901234567890",
                "The number has too many digits: 15 before the point and 12 after it can be kept.",
            ),
        ] {
            assert_eq!(point(typed), Err(reason.to_owned()), "{typed}");
        }
        assert_eq!(point(&format!("={}1", "(".repeat(40))), Err("The sum has too many parentheses.".to_owned()),);
    }

    #[test]
    fn a_decimal_comma() {
        let comma = |text| parse(text, Marks::Comma, Cell::Plain).map(|d| d.to_string()).map_err(|r| r.0);
        assert_eq!(comma("1 234,56").as_deref(), Ok("1234.56"));
        assert_eq!(comma("1.234,56").as_deref(), Ok("1234.56"));
        assert_eq!(comma("1.234").as_deref(), Ok("1234"));
        assert_eq!(comma("=1,5*2").as_deref(), Ok("3.0"));
        let reason = "A thousands separator needs three digits after it. The decimal mark here is “,”.";
        assert_eq!(comma("0.12"), Err(reason.to_owned()));
        let figures = Figures { marks: Marks::Comma, scale: Scale::Units };
        assert_eq!(figures.exact(-123_456_789, 2), "(1\u{a0}234\u{a0}567,89)");
    }

    #[test]
    fn a_percent_cell() {
        let percent = |text| parse(text, Marks::Point, Cell::Percent).map(|d| d.to_string());
        for (typed, read) in [
            ("12", "0.12"),
            ("12%", "0.12"),
            ("12.5", "0.125"),
            ("=10+2", "0.12"),
            ("=10%+2%", "0.12"),
            ("(4)", "-0.04"),
        ] {
            assert_eq!(percent(typed).as_deref(), Ok(read), "{typed}");
        }
        let figures = Figures::default();
        for (value, shown) in
            [("0.12", "12"), ("0.125", "12.5"), ("1", "100"), ("0", "0"), ("0.1200", "12.00"), ("2", "200")]
        {
            assert_eq!(figures.cell(decimal(value), Cell::Percent), shown, "{value}");
        }
    }

    #[test]
    fn amounts() {
        let at = |scale| Figures { scale, ..Figures::default() };
        let (units, thousands, millions) = (at(Scale::Units), at(Scale::Thousands), at(Scale::Millions));
        assert_eq!(units.amount(1_441_199_650, 2), "14,411,997");
        assert_eq!(units.amount(-88_509_649, 2), "(885,096)");
        assert_eq!(units.amount(0, 2), "–");
        assert_eq!(units.amount(49, 2), "0");
        assert_eq!(units.amount(-50, 2), "(1)");
        assert_eq!(units.exact(1_441_199_605, 2), "14,411,996.05");
        assert_eq!(units.exact(5, 3), "0.005");
        assert_eq!(units.amount(1_234, 0), "1,234");
        assert_eq!(thousands.amount(1_441_149_999, 2), "14,411");
        assert_eq!(thousands.amount(1_441_150_000, 2), "14,412");
        assert_eq!(millions.amount(1_441_199_605, 2), "14.41");
        assert_eq!(millions.amount(12, 0), "0.00");
        assert_eq!(units.exact(i128::MIN, 2), "(1,701,411,834,604,692,317,316,873,037,158,841,057.28)");
        assert_eq!(millions.amount(i128::MAX, 0), "170,141,183,460,469,231,731,687,303,715,884.11");
    }

    #[test]
    fn ratios_and_percent() {
        let figures = Figures::default();
        for (value, shown) in [
            ("2.96749", "2.967"),
            ("0.0034121", "0.003412"),
            ("1234.567", "1,234.6"),
            ("12345.678", "12,345.7"),
            ("-3", "(3.000)"),
            ("0", "–"),
            ("1.0005", "1.001"),
        ] {
            assert_eq!(figures.ratio(decimal(value)), shown, "{value}");
        }
        for (share, shown) in
            [("0.33654", "33.7"), ("-0.0425", "(4.3)"), ("-10.604", "(1,060)"), ("0", "–"), ("0.0004", "0.0")]
        {
            assert_eq!(figures.percent(decimal(share)), shown, "{share}");
        }
        assert_eq!(figures.rounded(decimal("-0.001"), 2), "0.00");
        for (share, shown) in [("0.99999", "99.9"), ("0.88", "88"), ("0", "0"), ("1", "100")] {
            assert_eq!(figures.floor_percent(decimal(share)), shown, "{share}");
        }
    }

    #[test]
    fn short_numbers() {
        let figures = Figures::default();
        for (value, shown) in
            [("5000000", "5 m"), ("-250000", "(250 k)"), ("0", "0"), ("1500", "1.5 k"), ("0.005", "0.005")]
        {
            assert_eq!(figures.short(decimal(value)), shown, "{value}");
        }
        for (value, shown) in
            [("11826.25", "11,826"), ("0.3500", "0.35"), ("12", "12"), ("0.123456", "0.1235"), ("0", "0")]
        {
            assert_eq!(figures.near(decimal(value)), shown, "{value}");
        }
        assert_eq!(figures.brief(103_442_000, 2), "1.03 m");
        assert_eq!(figures.brief(1_441_199_650, 2), "14.4 m");
        assert_eq!(figures.brief(-88_509_649, 2), "(885 k)");
        assert_eq!(figures.brief(1_234, 2), "12");
        assert_eq!(in_words("(9.655)"), "−9.655");
        assert_eq!(in_words("9.655"), "9.655");
    }

    #[test]
    fn stepping() {
        let step = |value: &str, cell, by| stepped(decimal(value), cell, by).map(|d| d.to_string());
        assert_eq!(step("0.65", Cell::Plain, 1).as_deref(), Some("0.66"));
        assert_eq!(step("168", Cell::Plain, -10).as_deref(), Some("158"));
        assert_eq!(step("0.12", Cell::Percent, 1).as_deref(), Some("0.13"));
        assert_eq!(step("0.125", Cell::Percent, 1).as_deref(), Some("0.126"));
        assert_eq!(step("79228162514264337593543950335", Cell::Plain, 1), None);
    }

    fn kept_by_a_file() -> impl Strategy<Value = Decimal> {
        (-999_999_999_999_999i64..=999_999_999_999_999, 0u32..=12)
            .prop_map(|(digits, scale)| Decimal::try_new(digits, scale).unwrap_or_default())
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(value in kept_by_a_file(), comma: bool, percent: bool) {
            let marks = if comma { Marks::Comma } else { Marks::Point };
            let cell = if percent && value.scale() >= 2 { Cell::Percent } else { Cell::Plain };
            let figures = Figures { marks, scale: Scale::Units };
            prop_assert_eq!(parse(&figures.cell(value, cell), marks, cell), Ok(value));
            prop_assert_eq!(parse(&figures.editing(cell.shown(value)), marks, cell), Ok(value));
        }

        #[test]
        fn nothing_typed_panics(text in "[-=()0-9., %km*/+ ’b−\u{a0}]{0,40}", comma: bool, percent: bool) {
            let marks = if comma { Marks::Comma } else { Marks::Point };
            let cell = if percent { Cell::Percent } else { Cell::Plain };
            if let Ok(value) = parse(&text, marks, cell) {
                prop_assert!(value.scale() <= 14, "{}", value);
            }
        }

        #[test]
        fn nothing_at_all_panics(text: String) {
            let _ = parse(&text, Marks::Point, Cell::Plain);
        }

        #[test]
        fn an_exact_amount_reads_back(minor in -10i128.pow(17)..10i128.pow(17), digits in 0u32..=3) {
            let shown = Figures::default().exact(minor, digits);
            let read = parse(&shown, Marks::Point, Cell::Plain).map(|d| d.to_string());
            let minor = minor.to_string();
            let exact = Decimal::from_str_exact(&minor).ok().and_then(|d| Decimal::try_from_i128_with_scale(d.mantissa(), digits).ok());
            if let (Some(exact), Ok(read)) = (exact, read) {
                prop_assert_eq!(read, exact.to_string());
            }
        }
    }
}
