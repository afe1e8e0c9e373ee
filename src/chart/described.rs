//! What a chart is before it is laid out: its title, its unit and scope, its body, and the same as an exact table.
//!
//! Nothing here knows a size or a renderer.

use super::curves::{Curves, curves};
use super::dots::{Dots, dots};
use super::lines::{Lines, lines};
use super::load::{Load, load};
use super::ranked::{Ranked, ranked};
use super::regions::{Regions, regions};
use super::spread::{Spread, histograms, shares};
use super::stack::{Stack, stacks};
use super::steps::{Step, steps};
use super::tornado::{Tornado, whole_tornado};
use super::{Ink, Look, Scene};
use crate::quantity::{Currency, Exact, Money, Num};
use crate::show::{self, Figures, upper_first};

/// A chart, described once for the window and every export.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// What it is counted in, and of what.
    pub scope: String,
    pub body: Body,
    /// What its colours stand for, where no direct label says it.
    pub key: Vec<KeyEntry>,
    pub twin: Twin,
}

/// Colours that are read together, and what they are.
#[derive(Clone, Debug)]
pub struct KeyEntry {
    pub inks: Vec<Ink>,
    pub name: String,
    /// What each colour is, where there are several.
    pub told: String,
}

/// What a chart is made of.
#[derive(Clone, Debug)]
pub enum Body {
    /// Bars of stacked parts, one under the other.
    Stacks(Vec<Stack>),
    /// Amounts by month, one line for each placement.
    Lines(Lines),
    /// Bars that begin where others end, or at zero.
    Steps(Vec<Step>),
    /// GPUs over the hours of a month, the heaviest first.
    Load(Load),
    Tornado(Tornado),
    /// Figures over the values of an input.
    Curves(Curves),
    /// The preferred placement over two inputs.
    Regions(Regions),
    /// Placements in several rows over one axis.
    Dots(Dots),
    /// How figures are spread over draws: a row of bars for each placement.
    Histograms(Spread),
    /// The same as the share of draws at or below each value.
    Shares(Spread),
    /// Named bars, what matters most first.
    Ranked(Ranked),
}

impl Chart {
    /// Lays the body out, `width` wide and as high as suits it.
    #[must_use]
    pub fn scene(&self, width: f32, look: Look, figures: Figures) -> Scene {
        let amount = |value| figures.short(value);
        match &self.body {
            Body::Stacks(bars) => stacks(bars, width, look, &amount),
            Body::Lines(chart) => lines(chart, width, self.height(width, look), look, &amount),
            Body::Steps(rows) => steps(rows, width, look),
            Body::Load(curve) => load(curve, width, self.height(width, look), look, &|value| figures.number(value)),
            Body::Tornado(chart) => whole_tornado(chart, width, &amount),
            Body::Curves(chart) => curves(chart, width, self.height(width, look), look, figures),
            Body::Regions(chart) => regions(chart, width, self.height(width, look), look, figures),
            Body::Dots(chart) => dots(chart, width, look, figures),
            Body::Histograms(chart) => histograms(chart, width, look, &amount),
            Body::Shares(chart) => shares(chart, width, self.height(width, look), look, &amount),
            Body::Ranked(chart) => ranked(chart, width, look),
        }
    }

    /// The chart with a mark that is seen and taken along wherever it goes: that it is out of date, or of a part alone.
    #[must_use]
    pub fn marked(&self, mark: &str) -> Self {
        let mut twin = self.twin.clone();
        twin.marks.push(upper_first(mark));
        Self { scope: format!("{mark}: {}", self.scope), twin, ..self.clone() }
    }

    /// How high a curve stands in a width.
    #[must_use]
    pub fn height(&self, width: f32, look: Look) -> f32 {
        match &self.body {
            Body::Curves(_) | Body::Regions(_) => (width * 0.5).clamp(look.scaled(240.0), look.scaled(460.0)),
            Body::Load(_) | Body::Shares(_) => (width * 0.4).clamp(look.scaled(120.0), look.scaled(280.0)),
            _ => (width * 0.7).clamp(look.scaled(200.0), look.scaled(420.0)),
        }
    }
}

/// A chart as a table: what assistive technology reads, and what is copied as cells.
#[derive(Clone, Debug, Default)]
pub struct Twin {
    pub headings: Vec<String>,
    /// The placement whose square can stand for a heading.
    pub badges: Vec<Option<usize>>,
    pub rows: Vec<Vec<Value>>,
    /// What the chart marks, in sentences.
    pub notes: Vec<String>,
    /// What stands before the table wherever it goes: that it is not what it seems.
    pub marks: Vec<String>,
}

/// An exact value of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    Words(String),
    Money(Money),
    Number(Num),
    /// A value of an input, to its last digit.
    Exact(Exact),
    /// There is none, which is not zero.
    None,
}

impl Value {
    pub fn words(text: impl Into<String>) -> Self {
        Self::Words(text.into())
    }

    /// As it is read: amounts to the minor unit, other numbers to nine places at most.
    #[must_use]
    pub fn shown(&self, figures: Figures, currency: Currency) -> String {
        match self {
            Self::Words(text) => text.clone(),
            Self::Money(money) => figures.exact(money.minor(), currency.minor_digits),
            Self::Exact(value) => figures.number(value.decimal().normalize()),
            Self::Number(number) => number
                .decimal()
                .map_or_else(String::new, |value| figures.number(show::round(value, PLACES).normalize())),
            Self::None => String::new(),
        }
    }

    /// As another program takes it: a leading minus, no separators.
    #[must_use]
    pub fn plain(&self, currency: Currency) -> String {
        match self {
            Self::Words(text) => text.clone(),
            Self::Money(money) => show::plain(money.minor(), currency.minor_digits),
            Self::Exact(value) => value.decimal().normalize().to_string(),
            Self::Number(number) => {
                number.decimal().map_or_else(String::new, |value| show::round(value, PLACES).normalize().to_string())
            }
            Self::None => String::new(),
        }
    }

    #[must_use]
    pub const fn is_words(&self) -> bool {
        matches!(self, Self::Words(_) | Self::None)
    }
}

/// Places to which a number that no ledger has rounded is written.
const PLACES: u32 = 9;

impl Twin {
    /// A table whose headings are words.
    pub(super) fn new<const N: usize>(headings: [&str; N], rows: Vec<Vec<Value>>) -> Self {
        let headings: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        Self { badges: vec![None; headings.len()], headings, rows, notes: Vec::new(), marks: Vec::new() }
    }

    /// The table as rows of plain cells: its marks, its headings, and what it holds.
    #[must_use]
    pub fn plain(&self, currency: Currency) -> Vec<Vec<String>> {
        let row = |row: &Vec<Value>| row.iter().map(|value| value.plain(currency)).collect();
        let marks = self.marks.iter().map(|mark| vec![mark.clone()]);
        marks.chain([self.headings.clone()]).chain(self.rows.iter().map(row)).collect()
    }
}
