//! The tornado: how far each input moves a figure, from its low to its high, largest first.
//!
//! It does not sort, evaluate or decide anything: bars come in their order, with their texts.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Face, Ink, Scene, SceneRow, Shape};
use crate::input::EvidenceKind;

/// Everything that the chart shows.
pub struct Tornado {
    pub base: f64,
    pub base_text: String,
    /// The two placements of a difference, the one that costs less left of zero first.
    pub sides: Option<Sides>,
    pub bars: Vec<TornadoBar>,
}

/// The placements that a difference is between: left of zero `less` costs less.
pub struct Sides {
    pub less: usize,
    pub against: usize,
}

/// One input.
pub struct TornadoBar {
    pub label: String,
    pub place: String,
    /// Low and high as text.
    pub range: String,
    pub kind: EvidenceKind,
    pub overdue: bool,
    /// Whether its range was stated; one that was assumed for it is drawn in outline.
    pub stated: bool,
    pub at_low: f64,
    pub at_high: f64,
    pub least: f64,
    pub greatest: f64,
    pub least_text: String,
    pub greatest_text: String,
    pub swing_text: String,
    /// Where the preferred placement changes.
    pub flips: Vec<Flip>,
}

/// A value of the input at which the preferred placement changes.
pub struct Flip {
    /// The figure there.
    pub result: f64,
    pub text: String,
}

pub const ROW: f32 = 33.0;
const HEAD: f32 = 44.0;
const BAR: f32 = 14.0;
const NAME_X: f32 = 27.0;
const SWING: f32 = 96.0;
const END_ROOM: f32 = 116.0;

/// Draws the chart `width` wide. `tick` makes the text of a round number.
pub fn tornado(chart: &Tornado, width: f32, tick: &dyn Fn(Decimal) -> String) -> Scene {
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let bottom = HEAD + ROW * chart.bars.len() as f32;
    let mut scene = Scene::new(width, bottom + 24.0);
    let names = (width * 0.28).clamp(200.0, 300.0);
    let (left, right) = (names + 12.0, width - SWING);
    let axis = axis(chart, left, right);
    scene.fill(left, HEAD, right - left, bottom - HEAD, Ink::Sunken);
    head(&mut scene, chart, &axis, names);
    ticks(&mut scene, &axis, bottom, tick);
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let tops: Vec<f32> = (0..chart.bars.len()).map(|i| HEAD + ROW * i as f32).collect();
    for (bar, &top) in chart.bars.iter().zip(&tops) {
        scene.line((0.0, top), (width, top), if top <= HEAD { Ink::Line2 } else { Ink::Line }, 1.0);
        row_text(&mut scene, bar, top, names);
        row_bar(&mut scene, chart, &axis, bar, top);
        scene.text((width - 8.0, top + ROW / 2.0), &*bar.swing_text, Face::Body, Ink::Text, Anchor::Right);
        scene.rows.push(SceneRow { top, height: ROW, said: said(bar) });
    }
    scene.line((0.0, bottom), (width, bottom), Ink::Line2, 1.0);
    base_line(&mut scene, chart, &axis, bottom);
    for (bar, &top) in chart.bars.iter().zip(&tops) {
        row_marks(&mut scene, chart, &axis, bar, top);
    }
    scene
}

fn axis(chart: &Tornado, left: f32, right: f32) -> Axis {
    let flips = |bar: &TornadoBar| bar.flips.iter().map(|flip| flip.result).collect::<Vec<_>>();
    let values = chart
        .bars
        .iter()
        .flat_map(|bar| [bar.least, bar.greatest, bar.at_low, bar.at_high].into_iter().chain(flips(bar)));
    Axis::around(values.chain([chart.base]), left + END_ROOM, right - END_ROOM, 8)
}

fn head(scene: &mut Scene, chart: &Tornado, axis: &Axis, names: f32) {
    let y = HEAD - 12.0;
    scene.text((NAME_X, y), "Input", Face::Small, Ink::Text2, Anchor::Left);
    scene.text((names, y), "Low – high", Face::Small, Ink::Text2, Anchor::Right);
    scene.text((scene.width - 8.0, y), "Swing", Face::Small, Ink::Text2, Anchor::Right);
    let base = format!("base {}", chart.base_text);
    scene.text((axis.at(chart.base), y), base, Face::SmallBold, Ink::Text, Anchor::Middle);
    let Some(Sides { less, against }) = chart.sides else { return };
    let (zero, y) = (axis.at(0.0), 10.0);
    let middle = zero.clamp(names + 120.0, scene.width - SWING - 110.0);
    scene.shapes.push(Shape::Badge { centre: (middle - 90.0, y), placement: less });
    scene.text((middle - 78.0, y), "costs less", Face::Small, Ink::Text, Anchor::Left);
    scene.text((middle + 78.0, y), "costs less", Face::Small, Ink::Text, Anchor::Right);
    scene.shapes.push(Shape::Badge { centre: (middle + 90.0, y), placement: against });
    scene.line((middle, 2.0), (middle, 18.0), Ink::Line2, 1.0);
}

fn ticks(scene: &mut Scene, axis: &Axis, bottom: f32, text: &dyn Fn(Decimal) -> String) {
    for tick in &axis.ticks {
        scene.line((tick.x, HEAD), (tick.x, bottom), Ink::Grid, 1.0);
        scene.text((tick.x, bottom + 12.0), text(tick.value), Face::Small, Ink::Text2, Anchor::Middle);
    }
}

fn row_text(scene: &mut Scene, bar: &TornadoBar, top: f32, names: f32) {
    scene.shapes.push(Shape::Evidence { centre: (14.0, top + ROW / 2.0), kind: bar.kind, overdue: bar.overdue });
    #[expect(clippy::cast_precision_loss, reason = "a short text")]
    let range = 7.2 * bar.range.chars().count() as f32;
    scene.name((NAME_X, top + 10.0), &*bar.label, Face::Body, Ink::Text, names - NAME_X);
    scene.name((NAME_X, top + 24.0), &*bar.place, Face::Small, Ink::Text2, names - NAME_X - range - 8.0);
    scene.text((names, top + 24.0), &*bar.range, Face::Small, Ink::Text2, Anchor::Right);
}

fn row_bar(scene: &mut Scene, chart: &Tornado, axis: &Axis, bar: &TornadoBar, top: f32) {
    let y = top + (ROW - BAR) / 2.0;
    // The longer end first, so that both show where the two lie on the same side of the base.
    let mut ends = [(bar.at_low, Ink::Low), (bar.at_high, Ink::High)];
    ends.sort_by(|a, b| (b.0 - chart.base).abs().total_cmp(&(a.0 - chart.base).abs()));
    for (value, ink) in ends {
        end(scene, axis, chart.base, value, y, ink, bar.stated);
    }
}

/// What stands on the lines: the figures at the ends, and where the preferred placement changes.
fn row_marks(scene: &mut Scene, chart: &Tornado, axis: &Axis, bar: &TornadoBar, top: f32) {
    let (least, greatest) = (axis.at(bar.least), axis.at(bar.greatest));
    let middle = top + ROW / 2.0;
    for extreme in [bar.least, bar.greatest] {
        let inside = extreme < bar.at_low.min(bar.at_high).min(chart.base)
            || extreme > bar.at_low.max(bar.at_high).max(chart.base);
        if inside {
            let x = axis.at(extreme);
            scene.line((axis.at(chart.base), middle), (x, middle), Ink::Low, 2.0);
            scene.shapes.push(Shape::Peak { centre: (x, middle) });
        }
    }
    let gap = if bar.flips.is_empty() { 6.0 } else { 9.0 };
    scene.figure((least - gap, middle), &*bar.least_text, Face::Body, Ink::Text, Anchor::Right);
    let lifted = if bar.flips.is_empty() { middle } else { top + 10.0 };
    scene.figure((greatest + gap, lifted), &*bar.greatest_text, Face::Body, Ink::Text, Anchor::Left);
    if let Some(flip) = bar.flips.first() {
        let more = if bar.flips.len() > 1 { " …" } else { "" };
        let text = format!("flips at {}{more}", flip.text);
        scene.figure((greatest + gap, top + 24.0), text, Face::SmallBold, Ink::Text2, Anchor::Left);
    }
    for flip in &bar.flips {
        scene.shapes.push(Shape::Diamond { centre: (axis.at(flip.result), middle) });
    }
}

fn end(scene: &mut Scene, axis: &Axis, base: f64, value: f64, y: f32, ink: Ink, stated: bool) {
    let (a, b) = (axis.at(base.min(value)), axis.at(base.max(value)));
    if b - a < 0.5 {
        return;
    }
    if stated {
        scene.fill(a, y, b - a, BAR, ink);
    } else {
        scene.fill(a, y, b - a, BAR, Ink::Surface);
        scene.shapes.push(Shape::Outline { x: a, y, width: b - a, height: BAR, ink });
    }
}

fn base_line(scene: &mut Scene, chart: &Tornado, axis: &Axis, bottom: f32) {
    let base = axis.at(chart.base);
    scene.dashed((base, HEAD - 4.0), (base, bottom), Ink::Text);
    let zero = axis.at(0.0);
    let shown = axis.ticks.iter().any(|tick| tick.value.is_zero());
    if chart.sides.is_some() && shown {
        scene.line((zero, 20.0), (zero, bottom), Ink::Text, 1.5);
    }
}

fn said(bar: &TornadoBar) -> String {
    let TornadoBar { label, place, range, kind, least_text, greatest_text, swing_text, flips, .. } = bar;
    let mut said = format!(
        "{label}, {place}, {range}, {}: from {least_text} to {greatest_text}, swing {swing_text}",
        kind.label(),
    );
    for flip in flips {
        said += &format!("; the preferred placement changes at {}", flip.text);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(at_low: f64, at_high: f64) -> TornadoBar {
        TornadoBar {
            label: "Node price".into(),
            place: "Owned".into(),
            range: "1 – 2".into(),
            kind: EvidenceKind::Quoted,
            overdue: false,
            stated: true,
            at_low,
            at_high,
            least: at_low.min(at_high),
            greatest: at_low.max(at_high),
            least_text: "a".into(),
            greatest_text: "b".into(),
            swing_text: "c".into(),
            flips: Vec::new(),
        }
    }

    fn fills(bars: Vec<TornadoBar>) -> Vec<(f32, f32)> {
        let chart = Tornado { base: 10.0, base_text: "10".into(), sides: None, bars };
        let scene = tornado(&chart, 1000.0, &|value| value.to_string());
        let bar = |shape: &Shape| match *shape {
            Shape::Fill { x, width, ink: Ink::Low | Ink::High, .. } => Some((x, x + width)),
            _ => None,
        };
        scene.shapes.iter().filter_map(bar).collect()
    }

    #[test]
    fn both_ends_start_at_the_base() {
        let drawn = fills(vec![bar(5.0, 15.0)]);
        assert_eq!(drawn.len(), 2);
        assert!((drawn[0].0 - drawn[1].1).abs() < 0.01 || (drawn[0].1 - drawn[1].0).abs() < 0.01, "{drawn:?}");
    }

    #[test]
    fn two_ends_on_one_side_both_show() {
        let drawn = fills(vec![bar(12.0, 15.0)]);
        assert!(drawn[0].1 - drawn[0].0 > drawn[1].1 - drawn[1].0, "{drawn:?}");
    }

    #[test]
    fn every_row_is_said() {
        let chart = Tornado { base: 10.0, base_text: "10".into(), sides: None, bars: vec![bar(5.0, 15.0)] };
        let scene = tornado(&chart, 1000.0, &|value| value.to_string());
        assert_eq!(scene.rows[0].said, "Node price, Owned, 1 – 2, Quoted: from a to b, swing c");
    }
}
