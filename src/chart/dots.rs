//! Placements in several rows over one axis: a square for each at its figure, and the best of each row named.
//!
//! Rows come in their order, with their texts; nothing is decided here.

use super::lines::spread;
use super::stack::ticks;
use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow, Shape, Spot};
use crate::show::Figures;

/// The rows.
#[derive(Clone, Debug)]
pub struct Dots {
    pub rows: Vec<DotRow>,
    /// Whether the figures are ratios, which are written out, or amounts, which are shortened.
    pub are_ratios: bool,
}

/// One row.
#[derive(Clone, Debug)]
pub struct DotRow {
    pub name: String,
    pub dots: Vec<RowDot>,
    /// What stands beside the row: the best of it.
    pub text: String,
    /// The placement that `text` is about.
    pub best: Option<usize>,
    /// The row in words.
    pub said: String,
}

/// One placement.
#[derive(Clone, Debug)]
pub struct RowDot {
    pub placement: usize,
    pub at: f64,
    pub told: String,
}

const ROW: f32 = 27.0;
const BADGE: f32 = 17.0;

/// The rows, `width` wide.
#[must_use]
pub fn dots(chart: &Dots, width: f32, look: Look, figures: Figures) -> Scene {
    let row = look.scaled(ROW);
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let bottom = 2.0 + row * chart.rows.len() as f32;
    let mut scene = Scene::looking(width, bottom + look.scaled(20.0), look);
    let widest = |texts: &mut dyn Iterator<Item = f32>| texts.fold(0.0f32, f32::max);
    let names = widest(&mut chart.rows.iter().map(|row| look.room(&row.name, Face::Small))).min(width * 0.26);
    let texts = widest(&mut chart.rows.iter().map(|row| look.room(&row.text, Face::Small))).min(width * 0.3);
    let left = names + look.scaled(20.0);
    let right = (width - texts - look.scaled(94.0)).max(left + 60.0);
    let values = chart.rows.iter().flat_map(|row| row.dots.iter().map(|dot| dot.at));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a handful of ticks")]
    let most = ((right - left) / look.scaled(80.0)).clamp(2.0, 8.0) as usize;
    let axis = Axis::around(values, left, right, most);
    let tick = |value: rust_decimal::Decimal| {
        if chart.are_ratios { figures.number(value.normalize()) } else { figures.short(value) }
    };
    ticks(&mut scene, &axis, bottom, &tick);
    let mut top = 2.0;
    for of in &chart.rows {
        row_of(&mut scene, of, &axis, (top, row), (names, left, right));
        top += row;
    }
    scene
}

fn row_of(scene: &mut Scene, of: &DotRow, axis: &Axis, (top, row): (f32, f32), (names, left, right): (f32, f32, f32)) {
    let look = scene.look;
    let (middle, width) = (top + row / 2.0, scene.width);
    scene.line((0.0, top), (width, top), Ink::Line, 1.0);
    scene.name((0.0, middle), &*of.name, Face::Small, Ink::Text, names);
    let mut sorted: Vec<&RowDot> = of.dots.iter().collect();
    sorted.sort_by(|a, b| a.at.total_cmp(&b.at));
    let wanted: Vec<f32> = sorted.iter().map(|dot| axis.at(dot.at)).collect();
    let places = spread(&wanted, look.scaled(BADGE), (left, right));
    let badge = look.scaled(8.0);
    // From the dearest to the cheapest, which lies over the others.
    for ((dot, at), place) in sorted.into_iter().zip(wanted).zip(places).rev() {
        // The square is moved aside where another is in its place; a tick stands where it belongs.
        scene.line((at, top + 1.0), (at, top + 5.0), Ink::Placement(dot.placement), 2.0);
        scene.shapes.push(Shape::Badge { centre: (place, middle + 2.0), placement: dot.placement });
        let told = dot.told.clone();
        scene.spots.push(Spot { left: place - badge, top, width: badge * 2.0, height: row, told });
    }
    let mut x = right + look.scaled(36.0);
    if let Some(placement) = of.best {
        scene.text((x, middle), "best", Face::Small, Ink::Text2, Anchor::Left);
        x += look.scaled(30.0);
        scene.shapes.push(Shape::Badge { centre: (x + badge, middle), placement });
        x += look.scaled(22.0);
    }
    scene.name((x, middle), &*of.text, Face::Small, Ink::Text, width - x);
    let said = of.said.clone();
    scene.rows.push(SceneRow { left: 0.0, top, width, height: row, hover: said.replace("; ", "\n"), said });
}
