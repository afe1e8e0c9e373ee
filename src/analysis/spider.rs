//! A tornado as lines over each range, with how strongly the figure answers.
//!
//! Nothing is evaluated here.

use rust_decimal::Decimal;

use crate::quantity::Exact;

use super::tornado::{Answer, Bar};

/// What one input, or a group, moves, from its low to its high.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The path of the input, or `groups.` and the id of a group.
    pub path: String,
    pub label: String,
    pub unit: String,
    pub points: Vec<Point>,
    /// The relative change of the figure over the relative change of the input, from low to high, each relative to the middle
    /// of its ends. None for a group, where a middle is nothing, and where the ends have different signs.
    pub arc_elasticity: Option<Decimal>,
}

/// One value tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// The value; for a group, the share of the ranges.
    pub input: Exact,
    /// How far along the range the value lies, from 0 to 1.
    pub share: Decimal,
    pub result: Decimal,
}

/// The lines, in the order of the bars.
#[must_use]
pub fn spider(answer: &Answer) -> Vec<Line> {
    answer.bars.iter().map(line).collect()
}

fn line(bar: &Bar) -> Line {
    let width = bar.high.decimal().checked_sub(bar.low.decimal()).unwrap_or_default();
    let share = |input: &Exact| {
        let way = input.decimal().checked_sub(bar.low.decimal()).unwrap_or_default();
        way.checked_div(width).unwrap_or_default()
    };
    let point = |(input, result): (&Exact, &Decimal)| Point { input: *input, share: share(input), result: *result };
    Line {
        path: bar.path.clone(),
        label: bar.label.clone(),
        unit: bar.unit.clone(),
        points: bar.inputs.iter().zip(&bar.results).map(point).collect(),
        arc_elasticity: arc_elasticity(bar),
    }
}

/// Arc elasticity of a bar; see [`Line::arc_elasticity`].
#[must_use]
pub fn arc_elasticity(bar: &Bar) -> Option<Decimal> {
    if bar.path.starts_with("groups.") {
        return None;
    }
    let relative = |from: Decimal, to: Decimal| {
        // Between ends of different signs there is no middle to measure a change against.
        if !from.is_zero() && !to.is_zero() && from.is_sign_negative() != to.is_sign_negative() {
            return None;
        }
        let (change, middle) = (to.checked_sub(from)?, to.checked_add(from)?.checked_div(Decimal::TWO)?);
        change.checked_div(middle)
    };
    let of_figure = relative(*bar.results.first()?, *bar.results.last()?)?;
    of_figure.checked_div(relative(bar.low.decimal(), bar.high.decimal())?)
}
