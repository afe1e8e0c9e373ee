//! The tornado: how far each input moves a figure, from its low to its high, largest first.
//!
//! It does not sort, evaluate or decide anything: bars come in their order, with their texts.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Face, Ink, Scene, SceneRow, Shape};
use crate::input::EvidenceKind;

/// Everything that the chart shows.
#[derive(Clone, Debug)]
pub struct Tornado {
    pub base: f64,
    pub base_text: String,
    /// The two placements of a difference, the one that costs less left of zero first.
    pub sides: Option<Sides>,
    pub bars: Vec<TornadoBar>,
    /// What is said of the bars that are left out; empty where none is.
    pub rest: String,
}

/// The placements that a difference is between: left of zero `less` costs less.
#[derive(Clone, Debug)]
pub struct Sides {
    pub less: usize,
    pub against: usize,
}

/// One input.
#[derive(Clone, Debug)]
pub struct TornadoBar {
    pub label: String,
    pub place: String,
    /// Low and high as text.
    pub range: String,
    /// What low and high are counted in.
    pub unit: String,
    /// The inputs that move together, each with its range.
    pub members: Vec<String>,
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
    /// Whether a result inside the range is extreme.
    pub non_monotonic: bool,
    /// Where the preferred placement changes.
    pub flips: Vec<Flip>,
    /// Which placement serves less somewhere on the range than in the base; empty where none does.
    pub unserved: String,
}

/// A value of the input at which the preferred placement changes.
#[derive(Clone, Debug)]
pub struct Flip {
    /// The figure there.
    pub result: f64,
    /// Which placement gives way to which, by their letters, and where: `E → D at 9.7 %`.
    pub text: String,
    /// The same in words.
    pub said: String,
}

pub const ROW: f32 = 33.0;
const HEAD: f32 = 44.0;
const BAR: f32 = 14.0;
const NAME_X: f32 = 27.0;
const SWING: f32 = 96.0;
/// Points that a digit takes, to make room for texts before a renderer has measured them.
const DIGIT: f32 = 7.4;
/// The least room left for the name of a place before its range.
const PLACE: f32 = 64.0;

/// Where the parts of the chart stand; the same for its head and its bars.
struct Layout {
    width: f32,
    names: f32,
    axis: Axis,
}

impl Layout {
    fn of(chart: &Tornado, width: f32) -> Self {
        Self::beside(chart, width, (width * 0.3).clamp(200.0, 340.0))
    }

    fn beside(chart: &Tornado, width: f32, names: f32) -> Self {
        Self { width, names, axis: axis(chart, names + 12.0, width - SWING) }
    }
}

/// The least room beside the names of a picture.
const BARS: f32 = 520.0;

/// How wide the names are where none is cut.
fn whole_names(chart: &Tornado) -> f32 {
    let room = |bar: &TornadoBar| {
        let range = format!("{} {}", bar.range, bar.unit);
        text_room(&bar.label).max(text_room(&bar.place) + 12.0 + text_room(range.trim_end()))
    };
    chart.bars.iter().map(room).fold(200.0, f32::max) + NAME_X
}

/// How wide a picture is in which no name is cut, and no less than this.
pub fn whole_width(chart: &Tornado, width: f32) -> f32 {
    width.max(whole_names(chart) + BARS)
}

/// The bars under their headings with whole names, and what is said of those that are left out.
pub fn whole_tornado(chart: &Tornado, width: f32, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let layout = Layout::beside(chart, width, whole_names(chart).min(width - BARS).max(200.0));
    let mut scene = Scene::new(width, HEAD);
    head(&mut scene, chart, &layout);
    let bars = bars(chart, &layout, tick);
    let top = scene.height;
    scene.height += bars.height;
    scene.put(bars, (0.0, top));
    if !chart.rest.is_empty() {
        scene.text((NAME_X, scene.height + 8.0), &*chart.rest, Face::Small, Ink::Text2, Anchor::Left);
        scene.height += 24.0;
    }
    scene
}

/// The headings of the chart, which stay in sight while its bars are scrolled.
pub fn tornado_head(chart: &Tornado, width: f32) -> Scene {
    let layout = Layout::of(chart, width);
    let mut scene = Scene::new(width, HEAD);
    head(&mut scene, chart, &layout);
    scene
}

/// Draws the bars `width` wide. `tick` makes the text of a round number.
pub fn tornado(chart: &Tornado, width: f32, tick: &dyn Fn(Decimal) -> String) -> Scene {
    bars(chart, &Layout::of(chart, width), tick)
}

fn bars(chart: &Tornado, layout: &Layout, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let width = layout.width;
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let bottom = ROW * chart.bars.len() as f32;
    let mut scene = Scene::new(width, bottom + 24.0);
    let (left, right) = (layout.names + 12.0, width - SWING);
    scene.fill(left, 0.0, right - left, bottom, Ink::Sunken);
    ticks(&mut scene, &layout.axis, bottom, tick);
    #[expect(clippy::cast_precision_loss, reason = "some dozens of rows")]
    let tops: Vec<f32> = (0..chart.bars.len()).map(|i| ROW * i as f32).collect();
    for (bar, &top) in chart.bars.iter().zip(&tops) {
        scene.line((0.0, top), (width, top), if top <= 0.0 { Ink::Line2 } else { Ink::Line }, 1.0);
        row_text(&mut scene, bar, top, layout.names);
        row_bar(&mut scene, chart, &layout.axis, bar, top);
        scene.text((width - 8.0, top + ROW / 2.0), &*bar.swing_text, Face::Body, Ink::Text, Anchor::Right);
        scene.rows.push(SceneRow { left: 0.0, top, width, height: ROW, said: said(bar), hover: hover(bar) });
    }
    scene.line((0.0, bottom), (width, bottom), Ink::Line2, 1.0);
    base_line(&mut scene, chart, &layout.axis, bottom);
    for (bar, &top) in chart.bars.iter().zip(&tops) {
        row_marks(&mut scene, chart, &layout.axis, bar, top);
    }
    scene
}

fn axis(chart: &Tornado, left: f32, right: f32) -> Axis {
    let flips = |bar: &TornadoBar| bar.flips.iter().map(|flip| flip.result).collect::<Vec<_>>();
    let values = chart
        .bars
        .iter()
        .flat_map(|bar| [bar.least, bar.greatest, bar.at_low, bar.at_high].into_iter().chain(flips(bar)));
    // Texts stand outside the bars, at either side.
    let room = |texts: &dyn Fn(&TornadoBar) -> f32| chart.bars.iter().map(texts).fold(24.0, f32::max) + 16.0;
    let before = room(&|bar| text_room(&bar.least_text));
    let after = room(&|bar| {
        text_room(&bar.greatest_text).max(bar.flips.first().map_or(0.0, |flip| text_room(&flip_text(bar, flip))))
    });
    Axis::around(values.chain([chart.base]), left + before, right - after, 8)
}

#[expect(clippy::cast_precision_loss, reason = "a short text")]
fn text_room(text: &str) -> f32 {
    DIGIT * text.chars().count() as f32
}

/// What stands beside a bar of its flips: the first, and whether there are more.
fn flip_text(bar: &TornadoBar, flip: &Flip) -> String {
    let more = if bar.flips.len() > 1 { " …" } else { "" };
    format!("{}{more}", flip.text)
}

fn head(scene: &mut Scene, chart: &Tornado, layout: &Layout) {
    let Layout { width, names, axis } = layout;
    let y = HEAD - 12.0;
    scene.text((NAME_X, y), "Input", Face::Small, Ink::Text2, Anchor::Left);
    scene.text((*names, y), "Low – high", Face::Small, Ink::Text2, Anchor::Right);
    scene.text((width - 8.0, y), "Swing", Face::Small, Ink::Text2, Anchor::Right);
    let base = format!("base {}", chart.base_text);
    let half = text_room(&base) / 2.0;
    let place = axis.at(chart.base).clamp(names + 16.0 + half, (width - SWING - half).max(names + 16.0 + half));
    scene.text((place, y), base, Face::SmallBold, Ink::Text, Anchor::Middle);
    scene.dashed((axis.at(chart.base), HEAD - 4.0), (axis.at(chart.base), HEAD), Ink::Text);
    let Some(Sides { less, against }) = chart.sides else { return };
    let (zero, y) = (axis.at(0.0), 10.0);
    let middle = zero.clamp(names + 120.0, (width - SWING - 110.0).max(names + 120.0));
    scene.shapes.push(Shape::Badge { centre: (middle - 90.0, y), placement: less });
    scene.text((middle - 78.0, y), "costs less", Face::Small, Ink::Text, Anchor::Left);
    scene.text((middle + 78.0, y), "costs less", Face::Small, Ink::Text, Anchor::Right);
    scene.shapes.push(Shape::Badge { centre: (middle + 90.0, y), placement: against });
    scene.line((middle, 2.0), (middle, 18.0), Ink::Line2, 1.0);
}

fn ticks(scene: &mut Scene, axis: &Axis, bottom: f32, text: &dyn Fn(Decimal) -> String) {
    for tick in &axis.ticks {
        scene.line((tick.x, 0.0), (tick.x, bottom), Ink::Grid, 1.0);
        scene.text((tick.x, bottom + 12.0), text(tick.value), Face::Small, Ink::Text2, Anchor::Middle);
    }
}

fn row_text(scene: &mut Scene, bar: &TornadoBar, top: f32, names: f32) {
    scene.shapes.push(Shape::Evidence { centre: (14.0, top + ROW / 2.0), kind: bar.kind, overdue: bar.overdue });
    scene.name((NAME_X, top + 10.0), &*bar.label, Face::Body, Ink::Text, names - NAME_X);
    let with_unit = format!("{} {}", bar.range, bar.unit);
    let fits = text_room(&with_unit) <= names - NAME_X - PLACE;
    let range = if fits { with_unit.trim_end() } else { &bar.range };
    scene.name((NAME_X, top + 24.0), &*bar.place, Face::Small, Ink::Text2, names - NAME_X - text_room(range) - 8.0);
    scene.text((names, top + 24.0), range, Face::Small, Ink::Text2, Anchor::Right);
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
    let middle = top + ROW / 2.0;
    for extreme in [bar.least, bar.greatest] {
        let inside = extreme < bar.at_low.min(bar.at_high) || extreme > bar.at_low.max(bar.at_high);
        if inside && bar.non_monotonic {
            let x = axis.at(extreme);
            scene.line((axis.at(chart.base), middle), (x, middle), Ink::Low, 2.0);
            scene.shapes.push(Shape::Peak { centre: (x, middle) });
        }
    }
    let gap = if bar.flips.is_empty() { 6.0 } else { 9.0 };
    // Beside the whole bar, which begins at the base: both ends can lie on one side of it.
    let (mut before, mut after) =
        (axis.at(bar.least.min(chart.base)) - gap, axis.at(bar.greatest.max(chart.base)) + gap);
    // A figure steps over the line at zero rather than be struck through by it.
    let zero = chart.sides.as_ref().map(|_| axis.at(0.0));
    let told = Some(bar.unserved.clone()).filter(|told| !told.is_empty());
    let flip = bar.flips.first().map(|flip| flip_text(bar, flip)).or(told);
    let is_told = flip.is_some();
    let wide = text_room(&bar.greatest_text).max(flip.as_deref().map_or(0.0, text_room));
    if let Some(zero) = zero.filter(|zero| after - 2.0 < *zero && *zero < after + wide) {
        after = zero + 6.0;
    }
    if let Some(zero) = zero.filter(|zero| before - text_room(&bar.least_text) < *zero && *zero < before + 2.0) {
        before = zero - 6.0;
    }
    scene.figure((before, middle), &*bar.least_text, Face::Body, Ink::Text, Anchor::Right);
    let lifted = if is_told { top + 10.0 } else { middle };
    scene.figure((after, lifted), &*bar.greatest_text, Face::Body, Ink::Text, Anchor::Left);
    if let Some(flip) = flip {
        scene.figure((after, top + 24.0), flip, Face::SmallBold, Ink::Text2, Anchor::Left);
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
    scene.dashed((base, 0.0), (base, bottom), Ink::Text);
    let zero = axis.at(0.0);
    let shown = axis.ticks.iter().any(|tick| tick.value.is_zero());
    if chart.sides.is_some() && shown {
        scene.line((zero, 0.0), (zero, bottom), Ink::Text, 1.5);
    }
}

fn said(bar: &TornadoBar) -> String {
    let TornadoBar {
        label,
        place,
        range,
        unit,
        kind,
        least_text,
        greatest_text,
        swing_text,
        flips,
        non_monotonic,
        unserved,
        ..
    } = bar;
    let range = format!("{range} {unit}");
    let mut said = format!(
        "{label}, {place}, {}, {}: from {least_text} to {greatest_text}, swing {swing_text}",
        range.trim_end(),
        kind.label(),
    );
    if *non_monotonic {
        said += "; extreme inside the range";
    }
    for flip in flips {
        said += &format!("; {}", flip.said);
    }
    if !unserved.is_empty() {
        said += &format!("; {unserved}");
    }
    said
}

/// What a row has no room for.
fn hover(bar: &TornadoBar) -> String {
    let TornadoBar { label, place, range, unit, members, kind, flips, non_monotonic, unserved, .. } = bar;
    let mut lines = vec![format!("{label}, {place}"), format!("{range} {unit}").trim_end().to_owned()];
    lines.extend(members.iter().cloned());
    lines.push(kind.label().to_owned());
    if *non_monotonic {
        lines.push("The extreme lies inside the range".to_owned());
    }
    lines.extend(flips.iter().map(|flip| crate::show::upper_first(&flip.said)));
    lines.extend(Some(unserved.clone()).filter(|told| !told.is_empty()));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(at_low: f64, at_high: f64) -> TornadoBar {
        TornadoBar {
            label: "Node price".into(),
            place: "Owned".into(),
            range: "1 – 2".into(),
            unit: "USD".into(),
            members: Vec::new(),
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
            non_monotonic: false,
            unserved: String::new(),
            flips: Vec::new(),
        }
    }

    fn fills(bars: Vec<TornadoBar>) -> Vec<(f32, f32)> {
        let chart = Tornado { base: 10.0, base_text: "10".into(), sides: None, bars, rest: String::new() };
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
        let bars = vec![bar(5.0, 15.0)];
        let chart = Tornado { base: 10.0, base_text: "10".into(), sides: None, bars, rest: String::new() };
        let scene = tornado(&chart, 1000.0, &|value| value.to_string());
        assert_eq!(scene.rows[0].said, "Node price, Owned, 1 – 2 USD, Quoted: from a to b, swing c");
    }
}
