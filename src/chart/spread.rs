//! How figures are spread over draws: for each placement a histogram over one common axis, or the share of draws below each
//! value as a curve.
//!
//! Shares and places come counted, texts come made; nothing is drawn at random here.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Dash, Face, Ink, Look, Scene, SceneRow, Shape, Spot};

/// The placements over one axis of values.
#[derive(Clone, Debug)]
pub struct Spread {
    pub low: f64,
    pub high: f64,
    pub placements: Vec<SpreadOf>,
    /// The stretches of the axis, each with what is told of it: a line for each placement.
    pub stretches: Vec<Stretch>,
}

/// One placement.
#[derive(Clone, Debug)]
pub struct SpreadOf {
    pub placement: usize,
    pub name: String,
    pub is_heavy: bool,
    /// The share of draws in each stretch.
    pub bars: Vec<f64>,
    /// Values in ascending order, each with the share of draws at or below it.
    pub points: Vec<(f64, f64)>,
    /// The percentiles that are marked: the low one, the median and the high one.
    pub marks: Vec<Percentile>,
    /// What stands at the right of its row; may be empty.
    pub note: String,
    /// What is read out of it.
    pub said: String,
}

/// A percentile of one placement.
#[derive(Clone, Debug)]
pub struct Percentile {
    pub at: f64,
    /// With three digits.
    pub text: String,
}

/// A part of the axis.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// What is told of its bars.
    pub bars: String,
    /// What is told of the curves at its end.
    pub curves: String,
}

const ROW: f32 = 58.0;
const BARS: f32 = 34.0;
const LEFT: f32 = 28.0;
const BADGE: f32 = 16.0;
/// The shares at which the curves are crossed by a line, in percent.
const SHARES: [u8; 5] = [0, 10, 50, 90, 100];

/// A row of bars for each placement. Bars are as high as the highest of their own row.
#[must_use]
pub fn histograms(chart: &Spread, width: f32, look: Look, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let row = look.scaled(ROW);
    #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
    let bottom = 2.0 + row * chart.placements.len() as f32;
    let mut scene = Scene::looking(width, bottom + look.scaled(20.0), look);
    let notes = chart.placements.iter().map(|of| look.room(&of.note, Face::Small));
    let right = (width - notes.fold(look.scaled(12.0), f32::max) - 4.0).max(look.scaled(LEFT) + 60.0);
    let axis = Axis::around([chart.low, chart.high], look.scaled(LEFT), right, 6);
    super::stack::ticks(&mut scene, &axis, bottom, tick);
    let mut top = 2.0;
    for of in &chart.placements {
        row_of(&mut scene, chart, of, &axis, top);
        scene.rows.push(SceneRow { left: 0.0, top, width, height: row, said: of.said.clone(), hover: of.said.clone() });
        top += row;
    }
    scene
}

fn row_of(scene: &mut Scene, chart: &Spread, of: &SpreadOf, axis: &Axis, top: f32) {
    let (look, ink) = (scene.look, Ink::Placement(of.placement));
    let (ground, most) = (top + look.scaled(BARS), look.scaled(BARS - 4.0));
    let badge = Shape::Badge { centre: (look.scaled(8.0), ground - look.scaled(8.0)), placement: of.placement };
    scene.shapes.push(badge);
    let highest = of.bars.iter().copied().fold(0.0, f64::max);
    for ((share, stretch), (from, to)) in of.bars.iter().zip(&chart.stretches).zip(edges(chart)) {
        let (left, right) = (axis.at(from), axis.at(to));
        if *share > 0.0 && highest > 0.0 {
            #[expect(clippy::cast_possible_truncation, reason = "a height on the page")]
            let height = (most * (share / highest) as f32).max(1.0);
            scene.fill(left, ground - height, (right - left - 1.0).max(0.6), height, ink);
        }
        let told = format!("{}\n{}", of.name, stretch.bars);
        scene.spots.push(Spot { left, top, width: right - left, height: look.scaled(BARS), told });
    }
    scene.line((axis.at(chart.low), ground), (axis.at(chart.high), ground), Ink::Line2, 1.0);
    marks(scene, of, axis, ground + look.scaled(6.0));
    let middle = ground - look.scaled(8.0);
    scene.text((scene.width - 2.0, middle), &*of.note, Face::Small, Ink::Text2, Anchor::Right);
}

/// A line from the low percentile to the high one, crossed at each, with their values beneath where they have room.
fn marks(scene: &mut Scene, of: &SpreadOf, axis: &Axis, y: f32) {
    let look = scene.look;
    let [low, median, high] = of.marks.as_slice() else { return };
    let [from, middle, to] = [low, median, high].map(|mark| axis.at(mark.at));
    scene.line((from, y), (to, y), Ink::Text2, 1.0);
    for x in [from, to] {
        scene.line((x, y - look.scaled(3.0)), (x, y + look.scaled(3.0)), Ink::Text2, 1.0);
    }
    scene.fill(middle - 1.0, y - look.scaled(4.0), 2.0, look.scaled(8.0), Ink::Text);
    let under = y + look.scaled(10.0);
    let (half, gap) = (look.room(&median.text, Face::SmallBold) / 2.0, look.scaled(6.0));
    let (low_room, high_room) = (look.room(&low.text, Face::Small), look.room(&high.text, Face::Small));
    // The ends stand outside, so that the median has the room between them.
    let middle = middle.max(half).min(scene.width - half);
    let low_at = from.min(middle - half - gap).max(low_room);
    let high_at = to.max(middle + half + gap).min(scene.width - high_room);
    scene.text((middle, under), &*median.text, Face::SmallBold, Ink::Text, Anchor::Middle);
    if low_at <= middle - half - 1.0 {
        scene.text((low_at, under), &*low.text, Face::Small, Ink::Text2, Anchor::Right);
    }
    if middle + half + 1.0 <= high_at {
        scene.text((high_at, under), &*high.text, Face::Small, Ink::Text2, Anchor::Left);
    }
}

/// Where each stretch begins and ends.
#[expect(clippy::cast_precision_loss, reason = "some dozens of stretches")]
fn edges(chart: &Spread) -> impl Iterator<Item = (f64, f64)> + use<> {
    let (low, width, count) = (chart.low, chart.high - chart.low, chart.stretches.len());
    let at = move |edge: usize| low + width * edge as f64 / count.max(1) as f64;
    (0..count).map(move |stretch| (at(stretch), at(stretch + 1)))
}

/// The share of draws at or below each value, one line for each placement, its square on it.
#[must_use]
pub fn shares(chart: &Spread, width: f32, height: f32, look: Look, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let mut scene = Scene::looking(width, height, look);
    let (left, right) = (look.scaled(44.0), width - look.scaled(14.0));
    let (top, bottom) = (look.scaled(10.0), height - look.scaled(22.0));
    #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
    let y = |share: f64| bottom - (bottom - top) * share as f32;
    for percent in SHARES {
        let at = y(f64::from(percent) / 100.0);
        match percent {
            0 => scene.line((left, at), (right, at), Ink::Line2, 1.0),
            100 => scene.line((left, at), (right, at), Ink::Grid, 1.0),
            _ => scene.dashed((left, at), (right, at), Ink::Line),
        }
        let text = format!("{percent} %");
        scene.text((left - look.scaled(6.0), at), text, Face::Small, Ink::Text2, Anchor::Right);
    }
    let axis = Axis::around([chart.low, chart.high], left, right, 6);
    for at in &axis.ticks {
        scene.line((at.x, bottom), (at.x, bottom + look.scaled(3.0)), Ink::Line2, 1.0);
        let place = (at.x, bottom + look.scaled(12.0));
        scene.text(place, tick(at.value), Face::Small, Ink::Text2, Anchor::Middle);
    }
    for heavy in [false, true] {
        for of in chart.placements.iter().filter(|of| of.is_heavy == heavy) {
            scene.shapes.push(Shape::Path {
                points: of.points.iter().map(|(value, share)| (axis.at(*value), y(*share))).collect(),
                ink: Ink::Placement(of.placement),
                width: look.stroke(heavy),
                dash: Dash::of_placement(of.placement),
            });
        }
    }
    let said = "Share of draws at or below each value".to_owned();
    scene.rows.push(SceneRow { left, top, width: right - left, height: bottom - top, said, hover: String::new() });
    for (stretch, (from, to)) in chart.stretches.iter().zip(edges(chart)) {
        let (left, right) = (axis.at(from), axis.at(to));
        let told = stretch.curves.clone();
        scene.spots.push(Spot { left, top, width: right - left, height: bottom - top, told });
    }
    for (i, of) in chart.placements.iter().enumerate() {
        badge(&mut scene, of, level(i, chart.placements.len()), (&axis, &y));
    }
    scene
}

/// The share at whose height the square of a placement stands: each at its own, so that none covers another.
#[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
fn level(place: usize, of: usize) -> f64 {
    if of < 2 { 0.5 } else { 0.93 - 0.86 * place as f64 / (of - 1) as f64 }
}

fn badge(scene: &mut Scene, of: &SpreadOf, share: f64, (axis, y): (&Axis, &dyn Fn(f64) -> f32)) {
    let Some(value) = value_at(&of.points, share) else { return };
    let centre = (axis.at(value), y(share));
    scene.shapes.push(Shape::Badge { centre, placement: of.placement });
    let size = scene.look.scaled(BADGE);
    let (left, top) = (centre.0 - size / 2.0, centre.1 - size / 2.0);
    let (said, hover) = (of.said.clone(), of.said.clone());
    scene.rows.push(SceneRow { left, top, width: size, height: size, said, hover });
    scene.spots.push(Spot { left, top, width: size, height: size, told: of.said.clone() });
}

/// The value at which a curve reaches a share.
fn value_at(points: &[(f64, f64)], share: f64) -> Option<f64> {
    let next = points.iter().position(|point| share <= point.1).unwrap_or(points.len().checked_sub(1)?);
    let (&(x1, y1), &(x0, y0)) = (points.get(next)?, points.get(next.saturating_sub(1))?);
    Some(if y1 > y0 { x0 + (x1 - x0) * ((share - y0) / (y1 - y0)).clamp(0.0, 1.0) } else { x1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_read_between_its_points() {
        let points = [(10.0, 0.0), (20.0, 0.5), (40.0, 1.0)];
        for (share, value) in [(0.0, 10.0), (0.25, 15.0), (0.5, 20.0), (0.75, 30.0), (1.0, 40.0)] {
            assert_eq!(value_at(&points, share), Some(value), "{share}");
        }
        assert_eq!(value_at(&[], 0.5), None);
    }

    #[test]
    fn no_square_stands_on_another() {
        let levels: Vec<f64> = (0..6).map(|place| level(place, 6)).collect();
        // On a chart as high as the least there is.
        assert!(levels.windows(2).all(|pair| (pair[0] - pair[1]) * 168.0 > 16.0), "{levels:?}");
    }
}
