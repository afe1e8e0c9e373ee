//! Figures over the values of an input: one line for each thing compared, named at its end, with what is marked on it.
//!
//! Points come in their order, with their texts; nothing is found or computed here.

use rust_decimal::Decimal;

use super::lines::spread;
use super::{Anchor, Axis, Dash, Face, Ink, Look, Scene, SceneRow, Shape, Spot};
use crate::show::Figures;

/// The curves and what is marked on them.
#[derive(Clone, Debug)]
pub struct Curves {
    pub across: Across,
    pub curves: Vec<Curve>,
    pub marks: Vec<Mark>,
    /// Upright lines with a name: the value of the scenario.
    pub uprights: Vec<Upright>,
    /// What is told of each place along the axis, from the left.
    pub places: Vec<Place>,
    /// The whole in a sentence.
    pub said: String,
    /// Whether the figures are ratios, which are written out, or amounts, which are shortened.
    pub are_ratios: bool,
}

/// The axis of the input.
#[derive(Clone, Debug)]
pub struct Across {
    pub low: f64,
    pub high: f64,
    /// What is counted along it: `Node price, USD`.
    pub title: String,
    /// Whether its values are shares, and its ticks percent.
    pub is_percent: bool,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Curve {
    pub name: String,
    pub ink: Ink,
    pub dash: Dash,
    pub is_heavy: bool,
    /// The placement whose square stands before the name.
    pub badge: Option<usize>,
    pub points: Vec<(f64, f64)>,
    /// The line in words.
    pub said: String,
}

/// A point of a line that has something to say.
#[derive(Clone, Debug)]
pub struct Mark {
    pub at: (f64, f64),
    /// `B below A`
    pub title: String,
    /// `at 31.93`
    pub text: String,
}

/// An upright line.
#[derive(Clone, Debug)]
pub struct Upright {
    pub at: f64,
    pub text: String,
}

/// A place along the axis.
#[derive(Clone, Debug)]
pub struct Place {
    pub at: f64,
    pub told: String,
}

const TICKS: usize = 5;
const BADGE: f32 = 16.0;
const LEADER: f32 = 12.0;
const APART: f32 = 18.0;

/// Where the field of the chart stands.
struct Field {
    look: Look,
    across: Axis,
    up: Axis,
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

impl Field {
    fn at(&self, (x, y): (f64, f64)) -> (f32, f32) {
        (self.across.at(x), self.up.at(y))
    }
}

/// The chart, `width` wide and `height` high.
#[must_use]
pub fn curves(chart: &Curves, width: f32, height: f32, look: Look, figures: Figures) -> Scene {
    let mut scene = Scene::looking(width, height, look);
    let field = field(chart, (width, height), look, figures);
    axes(&mut scene, chart, &field, figures);
    for heavy in [false, true] {
        for curve in chart.curves.iter().filter(|curve| curve.is_heavy == heavy) {
            scene.shapes.push(Shape::Path {
                points: curve.points.iter().map(|point| field.at(*point)).collect(),
                ink: curve.ink,
                width: look.stroke(heavy),
                dash: curve.dash,
            });
        }
    }
    uprights(&mut scene, chart, &field);
    told(&mut scene, chart, &field);
    marks(&mut scene, chart, &field);
    names(&mut scene, chart, &field);
    scene
}

fn field(chart: &Curves, (width, height): (f32, f32), look: Look, figures: Figures) -> Field {
    let has_uprights = !chart.uprights.is_empty();
    let top = look.scaled(if has_uprights { 24.0 } else { 8.0 });
    let bottom = height - look.scaled(40.0);
    let values = || chart.curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let finite = values().filter(|value| value.is_finite());
    let (low, high) = finite.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
    let room = if low < high { (high - low) * 0.05 } else { low.abs() * 0.05 };
    let up = Axis::around([low - room, high + room], bottom, top, TICKS);
    let widest = up.ticks.iter().map(|tick| look.room(&amount(chart, figures, tick.value), Face::Small));
    let left = widest.fold(look.scaled(16.0), f32::max) + look.scaled(6.0);
    let names = chart.curves.iter().map(|curve| name_room(curve, look)).fold(0.0, f32::max);
    let right = (width - look.scaled(LEADER) - names.min(width * 0.3)).max(left + 60.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a handful of ticks")]
    let most = ((right - left) / look.scaled(90.0)).clamp(2.0, 10.0) as usize;
    let across = Axis::around([chart.across.low, chart.across.high], left, right, most);
    Field { look, across, up, left, right, top, bottom }
}

fn name_room(curve: &Curve, look: Look) -> f32 {
    let badge = if curve.badge.is_some() { look.scaled(BADGE + 5.0) } else { 0.0 };
    badge + look.room(&curve.name, Face::Small) + 4.0
}

fn amount(chart: &Curves, figures: Figures, value: Decimal) -> String {
    if chart.are_ratios { figures.number(value.normalize()) } else { figures.short(value) }
}

fn axes(scene: &mut Scene, chart: &Curves, field: &Field, figures: Figures) {
    let look = field.look;
    for tick in &field.up.ticks {
        let ink = if tick.value.is_zero() { Ink::Line2 } else { Ink::Grid };
        scene.line((field.left, tick.x), (field.right, tick.x), ink, 1.0);
        let text = amount(chart, figures, tick.value);
        scene.text((field.left - look.scaled(6.0), tick.x), text, Face::Small, Ink::Text2, Anchor::Right);
    }
    scene.line((field.left, field.bottom), (field.right, field.bottom), Ink::Line2, 1.0);
    let below = field.bottom + look.scaled(12.0);
    for tick in &field.across.ticks {
        let text = along(&chart.across, figures, tick.value);
        scene.line((tick.x, field.bottom), (tick.x, field.bottom + look.scaled(3.0)), Ink::Line2, 1.0);
        scene.text((tick.x, below), text, Face::Small, Ink::Text2, Anchor::Middle);
    }
    let title = (field.left, field.bottom + look.scaled(29.0));
    scene.name(title, &*chart.across.title, Face::Small, Ink::Text2, field.right - field.left);
}

/// A round value of an input, on its axis.
pub(super) fn along(across: &Across, figures: Figures, value: Decimal) -> String {
    match value.checked_mul(Decimal::ONE_HUNDRED).filter(|_| across.is_percent) {
        Some(percent) => format!("{} %", figures.number(percent.normalize())),
        None if value.abs() < Decimal::from(100_000) => figures.number(value.normalize()),
        None => figures.short(value),
    }
}

fn uprights(scene: &mut Scene, chart: &Curves, field: &Field) {
    let look = field.look;
    let mut taken = f32::MIN;
    let mut sorted: Vec<&Upright> = chart.uprights.iter().collect();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at));
    for upright in sorted {
        let x = field.across.at(upright.at);
        scene.dashed((x, field.top - look.scaled(4.0)), (x, field.bottom), Ink::Text);
        // A name stands right of its line where another one is in the way.
        let half = look.room(&upright.text, Face::SmallBold) / 2.0;
        let middle = x.clamp(field.left + half, (field.right - half).max(field.left + half)).max(taken + half + 8.0);
        taken = middle + half;
        scene.figure(
            (middle, field.top - look.scaled(12.0)),
            &*upright.text,
            Face::SmallBold,
            Ink::Text,
            Anchor::Middle,
        );
    }
}

/// What is told along the axis, each place up to half the way to its neighbours.
fn told(scene: &mut Scene, chart: &Curves, field: &Field) {
    let (top, height) = (field.top, field.bottom - field.top);
    let said = chart.said.clone();
    let whole = (field.left, field.right - field.left);
    scene.rows.push(SceneRow { left: whole.0, top, width: whole.1, height, said, hover: String::new() });
    let places: Vec<f32> = chart.places.iter().map(|place| field.across.at(place.at)).collect();
    for (i, place) in chart.places.iter().enumerate() {
        let middle = |one: usize, other: usize| (places[one] + places[other]) / 2.0;
        let left = if i == 0 { field.left } else { middle(i - 1, i) };
        let right = if i + 1 == places.len() { field.right } else { middle(i, i + 1) };
        scene.spots.push(Spot { left, top, width: (right - left).max(0.5), height, told: place.told.clone() });
    }
}

fn marks(scene: &mut Scene, chart: &Curves, field: &Field) {
    let look = field.look;
    let mut taken: Vec<(f32, f32, f32, f32)> = Vec::new();
    for mark in &chart.marks {
        let (x, y) = field.at(mark.at);
        let width = look.room(&mark.title, Face::SmallBold).max(look.room(&mark.text, Face::Small));
        let line = look.size(Face::Small) + 3.0;
        let (height, gap) = (line * 2.0, look.scaled(8.0));
        let lifts = [14.0, 34.0, 58.0, 86.0].map(|lift| look.scaled(lift));
        let corners = [(true, true), (true, false), (false, true), (false, false)];
        let places = lifts.iter().flat_map(|lift| corners.map(|(above, left)| (*lift, above, left)));
        let place = places
            .map(|(lift, above, leftwards)| {
                let top = if above { y - lift - height } else { y + lift };
                let left = if leftwards { x - gap - width } else { x + gap };
                (left, top, width, height, above, leftwards)
            })
            .find(|(left, top, width, height, ..)| {
                let inside = field.left <= *left
                    && left + width <= field.right
                    && field.top <= *top
                    && top + height <= field.bottom - 2.0;
                inside && !taken.iter().any(|other| meet(*other, (*left, *top, *width, *height)))
            });
        if let Some((left, top, width, height, above, leftwards)) = place {
            let end = if above { top + height } else { top };
            scene.shapes.push(Shape::Line { from: (x, y), to: (x, end), ink: Ink::Text2, width: 1.0, dashed: true });
            let (at, anchor) = if leftwards { (left + width, Anchor::Right) } else { (left, Anchor::Left) };
            scene.figure((at, top + line * 0.5), &*mark.title, Face::SmallBold, Ink::Text, anchor);
            scene.figure((at, top + line * 1.5), &*mark.text, Face::Small, Ink::Text2, anchor);
            taken.push((left, top, width, height));
        }
    }
    for mark in &chart.marks {
        let (x, y) = field.at(mark.at);
        scene.shapes.push(Shape::Dot { centre: (x, y) });
        let radius = look.scaled(7.0);
        let told = format!("{}\n{}", mark.title, mark.text);
        scene.spots.push(Spot { left: x - radius, top: y - radius, width: radius * 2.0, height: radius * 2.0, told });
    }
}

fn meet(one: (f32, f32, f32, f32), other: (f32, f32, f32, f32)) -> bool {
    one.0 <= other.0 + other.2 && other.0 <= one.0 + one.2 && one.1 <= other.1 + other.3 && other.1 <= one.1 + one.3
}

/// The name of each line beside its end, spread so that none covers another.
fn names(scene: &mut Scene, chart: &Curves, field: &Field) {
    let look = field.look;
    let mut ends: Vec<(&Curve, (f32, f32))> =
        chart.curves.iter().filter_map(|curve| Some((curve, field.at(*curve.points.last()?)))).collect();
    ends.sort_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let wanted: Vec<f32> = ends.iter().map(|(_, end)| end.1).collect();
    let places = spread(&wanted, look.scaled(APART), (field.top, field.bottom));
    for ((curve, (x, y)), place) in ends.into_iter().zip(places) {
        let left = field.right + look.scaled(LEADER);
        scene.shapes.push(Shape::Path {
            points: vec![(x, y), (x.max(field.right), y), (left - 3.0, place), (left, place)],
            ink: curve.ink,
            width: 1.0,
            dash: Dash::Solid,
        });
        let mut text = left;
        if let Some(placement) = curve.badge {
            let badge = look.scaled(BADGE);
            scene.shapes.push(Shape::Badge { centre: (left + badge / 2.0, place), placement });
            text += badge + 5.0;
        } else {
            text += 2.0;
        }
        let face = if curve.is_heavy { Face::SmallBold } else { Face::Small };
        let ink = if curve.is_heavy { Ink::Text } else { Ink::Text2 };
        scene.name((text, place), &*curve.name, face, ink, scene.width - text);
        let (width, height) = ((scene.width - left).max(1.0), look.scaled(16.0));
        let (said, hover) = (curve.said.clone(), curve.said.clone());
        scene.rows.push(SceneRow { left, top: place - height / 2.0, width, height, said, hover });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Curves {
        let curve = |ink, points: Vec<(f64, f64)>| Curve {
            name: "Own everything".into(),
            ink,
            dash: Dash::Solid,
            is_heavy: false,
            badge: Some(0),
            points,
            said: "A Own everything".into(),
        };
        Curves {
            across: Across { low: 0.0, high: 10.0, title: "Price".into(), is_percent: false },
            curves: vec![
                curve(Ink::Placement(0), vec![(0.0, 5.0), (10.0, 5.0)]),
                curve(Ink::Placement(1), vec![(0.0, 0.0), (10.0, 10.0)]),
            ],
            marks: vec![
                Mark { at: (5.0, 5.0), title: "A below B".into(), text: "at 5".into() },
                Mark { at: (5.2, 5.0), title: "B below A".into(), text: "at 5.2".into() },
            ],
            uprights: vec![Upright { at: 9.9, text: "now 9.9".into() }, Upright { at: 9.8, text: "rule 9.8".into() }],
            places: vec![Place { at: 0.0, told: "low".into() }, Place { at: 10.0, told: "high".into() }],
            said: "A crosses B".into(),
            are_ratios: false,
        }
    }

    fn texts(scene: &Scene) -> Vec<(String, (f32, f32))> {
        let text = |shape: &Shape| match shape {
            Shape::Text { at, text, .. } => Some((text.clone(), *at)),
            _ => None,
        };
        scene.shapes.iter().filter_map(text).collect()
    }

    /// Two marks near each other are both written out, and neither stands on the other.
    #[test]
    fn marks_do_not_cover_each_other() {
        let scene = curves(&chart(), 700.0, 400.0, Look::Desk, Figures::default());
        let of = |name: &str| texts(&scene).into_iter().find(|(text, _)| text == name).expect("a text").1;
        let (one, other) = (of("A below B"), of("B below A"));
        assert!((one.1 - other.1).abs() > 12.0 || (one.0 - other.0).abs() > 8.0, "{one:?} {other:?}");
        let (now, rule) = (of("now 9.9"), of("rule 9.8"));
        assert!((now.0 - rule.0).abs() > 30.0, "{now:?} {rule:?}");
    }

    /// The pointer is told of the place nearest to it.
    #[test]
    fn the_nearest_place_is_told() {
        let scene = curves(&chart(), 700.0, 400.0, Look::Desk, Figures::default());
        let row = scene.rows.iter().find(|row| row.said == "A crosses B").expect("the field says what it shows");
        let told = |share: f32| scene.told((row.left + row.width * share, row.top + 3.0));
        assert_eq!((told(0.1), told(0.9)), (Some("low"), Some("high")));
    }
}
