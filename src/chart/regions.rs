//! A grid over two inputs: which placement is preferred in each cell, by its colour and its letter, and where the scenario
//! stands.
//!
//! Cells come in their order, with their texts; nothing is decided here.

use super::curves::{Across, along};
use super::page::wrapped;
use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow, Shape, Spot};
use crate::show::Figures;

/// The grid.
#[derive(Clone, Debug)]
pub struct Regions {
    pub across: Across,
    pub down: Across,
    /// The values of the columns and the rows, ascending.
    pub columns: Vec<f64>,
    pub rows: Vec<Band>,
    /// Where the scenario itself stands, where both inputs have a value.
    pub base: Option<(f64, f64)>,
    /// The placements, each with where it is preferred.
    pub names: Vec<(usize, String)>,
}

/// A row of cells.
#[derive(Clone, Debug)]
pub struct Band {
    pub value: f64,
    pub cells: Vec<Region>,
    /// The row in words.
    pub said: String,
}

/// A cell.
#[derive(Clone, Debug)]
pub struct Region {
    pub preferred: Preferred,
    /// The value across at which the cell ends, where another placement becomes preferred before the next one.
    pub ends_at: Option<f64>,
    pub told: String,
}

/// What a cell shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preferred {
    Placement(usize),
    /// No placement serves as far as is accepted.
    None,
    /// It cannot be computed.
    Unknown,
}

/// Letters stand at least so far apart.
const APART: f32 = 34.0;

/// The chart, `width` wide and `height` high.
#[must_use]
pub fn regions(chart: &Regions, width: f32, height: f32, look: Look, figures: Figures) -> Scene {
    let mut scene = Scene::looking(width, height, look);
    let (top, bottom) = (look.scaled(24.0), height - look.scaled(40.0));
    let rows: Vec<f64> = chart.rows.iter().map(|row| row.value).collect();
    let up = Axis::around(rim(&rows), bottom, top, 6);
    let widest = up.ticks.iter().map(|tick| look.room(&along(&chart.down, figures, tick.value), Face::Small));
    let left = widest.fold(look.scaled(24.0), f32::max) + look.scaled(8.0);
    let names = chart.names.iter().map(|(_, name)| look.room(name, Face::Small)).fold(0.0, f32::max);
    let right = (width - (names + look.scaled(40.0)).min(width * 0.34)).max(left + 60.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a handful of ticks")]
    let most = ((right - left) / look.scaled(90.0)).clamp(2.0, 10.0) as usize;
    let across = Axis::around(rim(&chart.columns), left, right, most);
    cells(&mut scene, chart, &across, &up, (left, right));
    for tick in &up.ticks {
        let text = along(&chart.down, figures, tick.value);
        scene.line((left - 4.0, tick.x), (left, tick.x), Ink::Line2, 1.0);
        scene.text((left - look.scaled(8.0), tick.x), text, Face::Small, Ink::Text2, Anchor::Right);
    }
    for tick in &across.ticks {
        let text = along(&chart.across, figures, tick.value);
        scene.line((tick.x, bottom), (tick.x, bottom + 4.0), Ink::Line2, 1.0);
        scene.text((tick.x, bottom + look.scaled(13.0)), text, Face::Small, Ink::Text2, Anchor::Middle);
    }
    scene.name((0.0, look.scaled(10.0)), format!("↑ {}", chart.down.title), Face::Small, Ink::Text2, right);
    let title = (left, bottom + look.scaled(29.0));
    scene.name(title, format!("→ {}", chart.across.title), Face::Small, Ink::Text2, right - left);
    if let Some((x, y)) = chart.base {
        let at = (across.at(x), up.at(y));
        scene.shapes.push(Shape::Dot { centre: at });
        let (beside, anchor) = if at.0 + 44.0 < right { (10.0, Anchor::Left) } else { (-10.0, Anchor::Right) };
        scene.figure((at.0 + beside, at.1), "now", Face::SmallBold, Ink::Text, anchor);
    }
    names_of(&mut scene, chart, (right, top));
    scene
}

/// The ends of an axis that has room for the cells around its first and its last value.
fn rim(values: &[f64]) -> [f64; 2] {
    edges(values).map_or([0.0, 1.0], |edges| match (edges.first(), edges.last()) {
        (Some(first), Some(last)) => [*first, *last],
        _ => [0.0, 1.0],
    })
}

/// Where cells end: half way to their neighbours, and as far beyond the first and the last.
fn edges(values: &[f64]) -> Option<Vec<f64>> {
    let (first, last) = (*values.first()?, *values.last()?);
    if values.len() == 1 {
        return Some(vec![first - 0.5, first + 0.5]);
    }
    let mut edges = vec![first - (values[1] - first) / 2.0];
    edges.extend(values.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
    edges.push(last + (last - values[values.len() - 2]) / 2.0);
    Some(edges)
}

fn cells(scene: &mut Scene, chart: &Regions, across: &Axis, up: &Axis, (left, right): (f32, f32)) {
    let rows: Vec<f64> = chart.rows.iter().map(|row| row.value).collect();
    let (Some(columns), Some(rows)) = (edges(&chart.columns), edges(&rows)) else { return };
    let column = |i: usize| across.at(columns[i]);
    let wide = (right - left) / len(chart.columns.len());
    let every_column = step(wide);
    for (i, band) in chart.rows.iter().enumerate() {
        let (y, end) = (up.at(rows[i + 1]), up.at(rows[i]));
        let height = end - y;
        let mut from = column(0);
        for (j, cell) in band.cells.iter().enumerate() {
            let to = cell.ends_at.map_or_else(|| column(j + 1), |at| across.at(at));
            let ink = match cell.preferred {
                Preferred::Placement(placement) => Ink::Placement(placement),
                Preferred::None => Ink::Area,
                Preferred::Unknown => Ink::Sunken,
            };
            scene.fill(from, y, (to - from).max(0.0), height, ink);
            from = to;
            let (start, stop) = (column(j), column(j + 1));
            let spot = (stop - start).max(0.5);
            scene.spots.push(Spot { left: start, top: y, width: spot, height, told: cell.told.clone() });
        }
        let (width, said) = (right - left, band.said.clone());
        scene.rows.push(SceneRow { left, top: y, width, height, said, hover: String::new() });
    }
    outline(scene, chart, across, up, (&columns, &rows));
    for (i, band) in chart.rows.iter().enumerate() {
        let middle = f32::midpoint(up.at(rows[i]), up.at(rows[i + 1]));
        if i % step((up.at(rows[i]) - up.at(rows[i + 1])).abs()) != 0 {
            continue;
        }
        for (j, cell) in band.cells.iter().enumerate().step_by(every_column) {
            let at = (f32::midpoint(column(j), column(j + 1)), middle);
            if chart.base.is_some_and(|(x, y)| (across.at(x) - at.0).abs() < 48.0 && (up.at(y) - at.1).abs() < 16.0) {
                continue;
            }
            match cell.preferred {
                Preferred::Placement(placement) => scene.shapes.push(Shape::Badge { centre: at, placement }),
                Preferred::None => scene.text(at, "–", Face::Body, Ink::Text, Anchor::Middle),
                Preferred::Unknown => scene.text(at, "?", Face::Body, Ink::Text, Anchor::Middle),
            }
        }
    }
}

/// A light line where the preference changes, so that regions are told apart without their colours.
fn outline(scene: &mut Scene, chart: &Regions, across: &Axis, up: &Axis, (columns, rows): (&[f64], &[f64])) {
    // Each row as stretches of one preference, by where they begin and end on the page.
    let runs = |band: &Band| -> Vec<(f32, f32, Preferred)> {
        let mut runs: Vec<(f32, f32, Preferred)> = Vec::new();
        let mut from = across.at(columns[0]);
        for (j, cell) in band.cells.iter().enumerate() {
            let to = across.at(cell.ends_at.unwrap_or(columns[j + 1]));
            match runs.last_mut().filter(|last| last.2 == cell.preferred) {
                Some(last) => last.1 = to,
                None => runs.push((from, to, cell.preferred)),
            }
            from = to;
        }
        runs
    };
    let bands: Vec<Vec<(f32, f32, Preferred)>> = chart.rows.iter().map(runs).collect();
    for (i, band) in bands.iter().enumerate() {
        let (y, end) = (up.at(rows[i + 1]), up.at(rows[i]));
        for (_, x, _) in band.iter().take(band.len().saturating_sub(1)) {
            scene.line((*x, y), (*x, end), Ink::Surface, 2.0);
        }
        for (from, to, preferred) in bands.get(i + 1).into_iter().flatten() {
            for (other_from, other_to, other) in band {
                let (left, right) = (from.max(*other_from), to.min(*other_to));
                if preferred != other && left < right {
                    scene.line((left, y), (right, y), Ink::Surface, 2.0);
                }
            }
        }
    }
}

/// Each how many cells a letter is written into.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some dozens of cells")]
fn step(size: f32) -> usize {
    (APART / size.max(1.0)).ceil().max(1.0) as usize
}

#[expect(clippy::cast_precision_loss, reason = "some dozens of cells")]
fn len(cells: usize) -> f32 {
    cells.max(1) as f32
}

fn names_of(scene: &mut Scene, chart: &Regions, (right, top): (f32, f32)) {
    let look = scene.look;
    let mut y = top + look.scaled(8.0);
    let left = right + look.scaled(16.0);
    for (placement, name) in &chart.names {
        scene.shapes.push(Shape::Badge { centre: (left + look.scaled(8.0), y), placement: *placement });
        let text = left + look.scaled(22.0);
        let (width, height) = (scene.width - left, look.scaled(18.0));
        let said = format!("{} {name}", crate::show::letter(*placement));
        let top = y - height / 2.0;
        for (i, line) in wrapped(name, scene.width - text, look, Face::Small).into_iter().enumerate() {
            y += if i == 0 { 0.0 } else { look.scaled(15.0) };
            scene.text((text, y), line, Face::Small, Ink::Text, Anchor::Left);
        }
        let height = y - top + height / 2.0;
        scene.rows.push(SceneRow { left, top, width, height, hover: said.clone(), said });
        y += look.scaled(22.0);
    }
}
