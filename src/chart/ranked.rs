//! Named bars from zero, one under the other in the order in which they come: what matters most first.
//!
//! It sorts nothing and decides nothing.

use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow, Shape};
use crate::input::EvidenceKind;

/// The bars over one axis.
#[derive(Clone, Debug)]
pub struct Ranked {
    pub rows: Vec<RankedRow>,
    /// The value that takes the whole room, where that is known beforehand.
    pub most: Option<f64>,
}

/// One bar.
#[derive(Clone, Debug)]
pub struct RankedRow {
    pub mark: RankedMark,
    pub name: String,
    pub value: f64,
    pub text: String,
    /// What is told beside name and figure; may be empty.
    pub told: String,
}

/// What stands before a name.
#[derive(Clone, Copy, Debug)]
pub enum RankedMark {
    Evidence(EvidenceKind),
    /// The square of a placement, whose bar has its colour.
    Placement(usize),
}

const ROW: f32 = 25.0;
const BAR: f32 = 14.0;
const NAME: f32 = 24.0;

/// The bars, `width` wide.
#[must_use]
pub fn ranked(chart: &Ranked, width: f32, look: Look) -> Scene {
    let row = look.scaled(ROW);
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let mut scene = Scene::looking(width, row * chart.rows.len() as f32 + 2.0, look);
    let widest = |texts: &mut dyn Iterator<Item = f32>| texts.fold(0.0f32, f32::max);
    let figures = widest(&mut chart.rows.iter().map(|row| look.room(&row.text, Face::Body)));
    let names = widest(&mut chart.rows.iter().map(|row| look.room(&row.name, Face::Body))) + look.scaled(NAME) + 12.0;
    let left = names.min(width * 0.5);
    let right = (width - figures - 14.0).max(left + 20.0);
    let values = || chart.rows.iter().map(|row| row.value);
    let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
    let ends = match chart.most {
        Some(whole) => [0.0, whole],
        None => [least, most],
    };
    let axis = Axis::around(ends, left, right, 4);
    if ends[0] < 0.0 {
        scene.line((axis.at(0.0), 0.0), (axis.at(0.0), scene.height), Ink::Line2, 1.0);
    }
    let mut top = 0.0;
    for of in &chart.rows {
        bar(&mut scene, of, &axis, (top, left, right));
        let said = format!("{}: {}", of.name, of.text);
        let hover = if of.told.is_empty() { said.clone() } else { format!("{said}\n{}", of.told) };
        scene.rows.push(SceneRow { left: 0.0, top, width, height: row, said, hover });
        top += row;
    }
    scene
}

fn bar(scene: &mut Scene, of: &RankedRow, axis: &Axis, (top, left, right): (f32, f32, f32)) {
    let look = scene.look;
    let (row, height, width) = (look.scaled(ROW), look.scaled(BAR), scene.width);
    let middle = top + row / 2.0;
    let centre = (look.scaled(8.0), middle);
    let ink = match of.mark {
        RankedMark::Evidence(kind) => {
            scene.shapes.push(Shape::Evidence { centre, kind, overdue: false });
            Ink::Low
        }
        RankedMark::Placement(placement) => {
            scene.shapes.push(Shape::Badge { centre, placement });
            // What there is of all, behind what there is of it.
            scene.fill(left, middle - height / 2.0, right - left, height, Ink::Area);
            Ink::Placement(placement)
        }
    };
    let name = look.scaled(NAME);
    scene.name((name, middle), &*of.name, Face::Body, Ink::Text, left - name - 8.0);
    let (from, to) = (axis.at(0.0), axis.at(of.value));
    let long = (from - to).abs();
    scene.fill(from.min(to), middle - height / 2.0, if of.value == 0.0 { 0.0 } else { long.max(1.0) }, height, ink);
    scene.text((width - 2.0, middle), &*of.text, Face::Body, Ink::Text, Anchor::Right);
    scene.line((0.0, top + row), (width, top + row), Ink::Line, 1.0);
}
