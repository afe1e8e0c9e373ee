//! The load of a fixed environment over the hours of its largest month, the heaviest first: what the owned base serves,
//! and above its limit what does not fit there.
//!
//! Steps come in their order, with their texts; nothing is added up here but heights on the page.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Face, Ink, Look, Scene, SceneRow, Spot};

/// The curve and the limits beside it.
#[derive(Clone, Debug)]
pub struct Load {
    /// The heaviest first.
    pub steps: Vec<LoadStep>,
    pub in_service: f64,
    pub in_service_text: String,
    pub available: f64,
    pub available_text: String,
    /// What becomes of the load that does not fit: `burst`.
    pub beyond: &'static str,
}

/// Hours with the same load.
#[derive(Clone, Debug)]
pub struct LoadStep {
    /// The share of all hours.
    pub share: f64,
    pub now: f64,
    pub later: f64,
    pub beyond: f64,
    pub told: String,
}

impl Load {
    fn highest(&self) -> f64 {
        let steps = self.steps.iter();
        let floor = self.in_service.max(self.available);
        steps.map(|step| (step.now + step.later).max(self.available_if(step)) + step.beyond).fold(floor, f64::max)
    }

    /// Where what does not fit begins: above the limit.
    fn available_if(&self, step: &LoadStep) -> f64 {
        if step.beyond > 0.0 { self.available } else { 0.0 }
    }

    fn has_beyond(&self) -> bool {
        self.steps.iter().any(|step| step.beyond > 0.0)
    }
}

/// The chart. `tick` makes the text of a round number, `percent` that of a share.
#[must_use]
pub fn load(chart: &Load, width: f32, height: f32, look: Look, texts: &dyn Fn(Decimal) -> String) -> Scene {
    let mut scene = Scene::looking(width, height, look);
    let (top, bottom) = (look.scaled(8.0), height - look.scaled(22.0));
    let axis = Axis::around([0.0, chart.highest() * 1.06], bottom, top, 4);
    let widest = axis.ticks.iter().map(|tick| look.room(&texts(tick.value), Face::Small)).fold(16.0, f32::max);
    let left = widest + look.scaled(6.0);
    let names = [&chart.in_service_text, &chart.available_text].map(|text| look.room(text, Face::SmallBold));
    let right = width - names.into_iter().fold(look.scaled(90.0), f32::max) - 8.0;
    for tick in &axis.ticks {
        let ink = if tick.value.is_zero() { Ink::Line2 } else { Ink::Grid };
        scene.line((left, tick.x), (right, tick.x), ink, 1.0);
        scene.text((left - look.scaled(6.0), tick.x), texts(tick.value), Face::Small, Ink::Text2, Anchor::Right);
    }
    for quarter in 0..=4u8 {
        let x = left + (right - left) * f32::from(quarter) / 4.0;
        let text = format!("{} %", u32::from(quarter) * 25);
        scene.text((x, bottom + look.scaled(12.0)), text, Face::Small, Ink::Text2, Anchor::Middle);
    }
    curve(&mut scene, chart, &axis, (left, right));
    names_of(&mut scene, chart, &axis, (left, right), (top, bottom));
    scene
}

fn curve(scene: &mut Scene, chart: &Load, axis: &Axis, (left, right): (f32, f32)) {
    let mut x = left;
    for step in &chart.steps {
        #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
        let width = (right - left) * step.share as f32;
        let mut part = |from: f64, to: f64, ink| {
            let (low, high) = (axis.at(from), axis.at(to));
            scene.fill(x, high, width, low - high, ink);
        };
        part(0.0, step.now, Ink::Low);
        part(step.now, step.now + step.later, Ink::Area);
        if step.beyond > 0.0 {
            part(chart.available, chart.available + step.beyond, Ink::Over);
        }
        let (top, bottom) = (axis.at(chart.highest()), axis.at(0.0));
        let (height, told) = (bottom - top, step.told.clone());
        scene.spots.push(Spot { left: x, top, width, height, told: told.clone() });
        let said = told.replace('\n', ", ");
        scene.rows.push(SceneRow { left: x, top, width, height, said, hover: told });
        x += width;
    }
}

/// The limits over the curve, and what each field is, at the right in the order of their heights.
fn names_of(scene: &mut Scene, chart: &Load, axis: &Axis, (left, right): (f32, f32), (top, bottom): (f32, f32)) {
    let look = scene.look;
    let (in_service, available) = (axis.at(chart.in_service), axis.at(chart.available));
    scene.line((left, in_service), (right, in_service), Ink::Text, 1.75);
    scene.dashed((left, available), (right, available), Ink::Text);
    let last = chart.steps.last();
    let middle = |from: f64, to: f64| axis.at((from + to) / 2.0);
    let mut names: Vec<(f32, &str, Face, Ink)> = vec![
        (in_service, &chart.in_service_text, Face::SmallBold, Ink::Text),
        (available, &chart.available_text, Face::Small, Ink::Text2),
    ];
    if let Some(step) = last {
        if step.later > 0.0 {
            names.push((middle(step.now, step.now + step.later), "can wait", Face::Small, Ink::Text2));
        }
        if chart.steps.iter().any(|step| step.now > 0.0) {
            names.push((middle(0.0, step.now), "cannot wait", Face::Small, Ink::Text2));
        }
    }
    if chart.has_beyond() {
        let most = chart.steps.iter().map(|step| step.beyond).fold(0.0, f64::max);
        names.push((axis.at(chart.available + most), chart.beyond, Face::SmallBold, Ink::Over));
    }
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted: Vec<f32> = names.iter().map(|name| name.0).collect();
    let places = super::lines::spread(&wanted, look.size(Face::Small) + 3.0, (top, bottom));
    for ((_, text, face, ink), y) in names.into_iter().zip(places) {
        scene.text((right + 6.0, y), text, face, ink, Anchor::Left);
    }
}
