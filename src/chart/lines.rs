//! Amounts by month, one line for each placement, named at their ends, with the months marked in which they cross.
//!
//! What stands under and over the lines is laid out for any part of the axes that is looked at, so that a window that
//! zooms and a page that does not share it.

use rust_decimal::Decimal;

use super::{Anchor, Axis, Dash, Face, Ink, Look, Scene, SceneRow, Shape, Spot};

/// The lines and what is marked on them.
#[derive(Clone, Debug)]
pub struct Lines {
    pub lines: Vec<Line>,
    /// What is compared with what is shown, drawn dotted behind it: a placement and its points.
    pub behind: Vec<(usize, Vec<(f64, f64)>)>,
    pub crossings: Vec<Crossing>,
    /// What each month is called in full, from month 0; its end is drawn at its number and one.
    pub months: Vec<String>,
    /// What a value by the end of a month is, said before the month: `By the end of`.
    pub when: &'static str,
}

/// One placement.
#[derive(Clone, Debug)]
pub struct Line {
    pub placement: usize,
    pub name: String,
    /// Months from the start, and amounts.
    pub points: Vec<(f64, f64)>,
    /// The amount of each month to the minor unit, with its currency.
    pub exact: Vec<String>,
    /// The last amount with three digits.
    pub end_text: String,
    /// Whether it is looked at, or compared with.
    pub is_heavy: bool,
}

/// A month in which one line falls below another.
#[derive(Clone, Debug)]
pub struct Crossing {
    pub placement: usize,
    pub at: (f64, f64),
    /// `E below C`
    pub title: String,
    /// `month 28, 2029-05`
    pub text: String,
    /// Whether it is written out where there is room: the last of its line.
    pub is_told: bool,
}

/// The part of the axes that is looked at, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    pub left: f32,
    pub top: f32,
    pub width: f32,
    pub height: f32,
    pub months: (f64, f64),
    pub amounts: (f64, f64),
    /// Whether the last amounts stand beside the names.
    pub has_figures: bool,
    pub look: Look,
}

impl Lines {
    /// Months and amounts from the least to the greatest, with nothing and a little room at the top.
    #[must_use]
    pub fn bounds(&self) -> ((f64, f64), (f64, f64)) {
        let behind = || self.behind.iter().flat_map(|(_, points)| points.iter());
        let points = || self.lines.iter().flat_map(|line| line.points.iter()).chain(behind());
        let last = points().map(|point| point.0).fold(1.0, f64::max);
        let low = points().map(|point| point.1).fold(0.0, f64::min);
        let high = points().map(|point| point.1).fold(0.0, f64::max);
        let spread = if high - low > 0.0 { high - low } else { 1.0 };
        ((0.0, last), (if low < 0.0 { low - spread * 0.04 } else { 0.0 }, high + spread * 0.08))
    }

    /// Where the lines stand in a drawing of this size: ticks at the left and below, names at the right.
    #[must_use]
    pub fn frame(&self, width: f32, height: f32, look: Look, tick: &dyn Fn(Decimal) -> String) -> Frame {
        let (months, amounts) = self.bounds();
        let axis = Axis::around([amounts.0, amounts.1], 0.0, 1.0, TICKS);
        let widest = axis.ticks.iter().map(|tick_at| look.room(&tick(tick_at.value), Face::Small));
        let left = widest.fold(look.scaled(16.0), f32::max) + look.scaled(6.0);
        let has_figures = width >= look.scaled(ROOMY);
        let ends = self.lines.iter().filter(|_| has_figures).map(|line| look.room(&line.end_text, Face::Body));
        let right = ends.fold(0.0, f32::max) + look.scaled(LEADER + BADGE + 6.0);
        let (top, below) = (look.scaled(8.0), look.scaled(22.0));
        let (width, height) = ((width - left - right).max(40.0), (height - top - below).max(40.0));
        Frame { left, top, width, height, months, amounts, has_figures, look }
    }

    /// The month that ends nearest to a place on the axis of months.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the months there are")]
    pub fn month_at(&self, x: f64) -> Option<usize> {
        let last = self.months.len().checked_sub(1)?;
        #[expect(clippy::cast_precision_loss, reason = "at most some hundred months")]
        let month = (x - 1.0).round().clamp(0.0, last as f64);
        Some(month as usize)
    }
}

/// How wide a line is that stands behind the others.
pub const BEHIND: f32 = 1.5;
const TICKS: usize = 5;
/// The width from which there is room for them.
const ROOMY: f32 = 270.0;
const BADGE: f32 = 16.0;
/// The room in which a line is led to its name.
const LEADER: f32 = 14.0;
/// Names at the ends of lines stand at least so far apart.
const APART: f32 = 18.0;

impl Frame {
    #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
    pub fn x(&self, month: f64) -> f32 {
        let share = (month - self.months.0) / (self.months.1 - self.months.0);
        self.left + share as f32 * self.width
    }

    #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
    pub fn y(&self, amount: f64) -> f32 {
        let share = (amount - self.amounts.0) / (self.amounts.1 - self.amounts.0);
        self.bottom() - share as f32 * self.height
    }

    fn at(&self, (month, amount): (f64, f64)) -> (f32, f32) {
        (self.x(month), self.y(amount))
    }

    const fn right(&self) -> f32 {
        self.left + self.width
    }

    const fn bottom(&self) -> f32 {
        self.top + self.height
    }

    fn shows(&self, (x, y): (f32, f32)) -> bool {
        let (slack, right, bottom) = (0.5, self.right(), self.bottom());
        self.left - slack <= x && x <= right + slack && self.top - slack <= y && y <= bottom + slack
    }
}

/// The whole chart.
#[must_use]
pub fn lines(chart: &Lines, width: f32, height: f32, look: Look, tick: &dyn Fn(Decimal) -> String) -> Scene {
    let frame = chart.frame(width, height, look, tick);
    let mut scene = under(&frame, (width, height), tick);
    for (placement, points) in &chart.behind {
        scene.shapes.push(Shape::Path {
            points: points.iter().map(|point| frame.at(*point)).collect(),
            ink: Ink::Placement(*placement),
            width: BEHIND,
            dash: Dash::Dots,
        });
    }
    // Those that are looked at lie over the others.
    for heavy in [false, true] {
        for line in chart.lines.iter().filter(|line| line.is_heavy == heavy) {
            scene.shapes.push(Shape::Path {
                points: line.points.iter().map(|point| frame.at(*point)).collect(),
                ink: Ink::Placement(line.placement),
                width: look.stroke(heavy),
                dash: Dash::of_placement(line.placement),
            });
        }
    }
    let Scene { shapes, rows, spots, .. } = over(chart, &frame, (width, height));
    scene.shapes.extend(shapes);
    scene.rows.extend(rows);
    scene.spots.extend(spots);
    scene
}

/// Gridlines and the texts of both axes.
#[must_use]
pub fn under(frame: &Frame, (width, height): (f32, f32), tick: &dyn Fn(Decimal) -> String) -> Scene {
    let look = frame.look;
    let mut scene = Scene::looking(width, height, look);
    let axis = Axis::around([frame.amounts.0, frame.amounts.1], frame.bottom(), frame.top, TICKS);
    for at in &axis.ticks {
        let ink = if at.value.is_zero() { Ink::Line2 } else { Ink::Grid };
        scene.line((frame.left, at.x), (frame.right(), at.x), ink, 1.0);
        scene.text((frame.left - look.scaled(6.0), at.x), tick(at.value), Face::Small, Ink::Text2, Anchor::Right);
    }
    let below = frame.bottom() + look.scaled(12.0);
    for month in month_ticks(frame) {
        let x = frame.x(f64::from(month));
        scene.line((x, frame.bottom()), (x, frame.bottom() + look.scaled(3.0)), Ink::Line2, 1.0);
        scene.text((x, below), month.to_string(), Face::Small, Ink::Text2, Anchor::Middle);
    }
    scene
}

/// Whole years where they fit, or parts of one, or several.
fn month_ticks(frame: &Frame) -> Vec<i32> {
    let (first, last) = frame.months;
    let most = f64::from(frame.width / frame.look.scaled(44.0)).max(1.0);
    let step = [1, 3, 6, 12, 24, 60, 120, 240].into_iter().find(|step| (last - first) / f64::from(*step) <= most);
    let step = step.unwrap_or(480);
    #[expect(clippy::cast_possible_truncation, reason = "at most some hundred months")]
    let (from, to) = ((first / f64::from(step)).ceil() as i32, (last / f64::from(step)).floor() as i32);
    (from..=to).map(|k| k * step).take(60).collect()
}

/// Crossings, and the names at the ends of the lines.
#[must_use]
pub fn over(chart: &Lines, frame: &Frame, (width, height): (f32, f32)) -> Scene {
    let mut scene = Scene::looking(width, height, frame.look);
    let mut taken: Vec<Area> = Vec::new();
    for crossing in &chart.crossings {
        let at = frame.at(crossing.at);
        if frame.shows(at) && crossing.is_told {
            crossing_label(&mut scene, chart, frame, crossing, &mut taken);
        }
    }
    for crossing in &chart.crossings {
        let at = frame.at(crossing.at);
        if frame.shows(at) {
            scene.shapes.push(Shape::Dot { centre: at });
            let radius = frame.look.scaled(7.0);
            let told = format!("{}\n{}", crossing.title, crossing.text);
            let (left, top) = (at.0 - radius, at.1 - radius);
            scene.spots.push(Spot { left, top, width: radius * 2.0, height: radius * 2.0, told });
        }
    }
    ends(&mut scene, chart, frame);
    scene
}

#[derive(Clone, Copy)]
struct Area {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        let apart = self.left + self.width < other.left
            || other.left + other.width < self.left
            || self.top + self.height < other.top
            || other.top + other.height < self.top;
        !apart
    }

    fn holds(&self, (x, y): (f32, f32)) -> bool {
        self.left <= x && x <= self.left + self.width && self.top <= y && y <= self.top + self.height
    }
}

/// Writes a crossing out beside a leader, where neither a line nor another text is in the way; else its dot stands alone.
fn crossing_label(scene: &mut Scene, chart: &Lines, frame: &Frame, crossing: &Crossing, taken: &mut Vec<Area>) {
    let look = frame.look;
    let (x, y) = frame.at(crossing.at);
    let width = look.room(&crossing.title, Face::SmallBold).max(look.room(&crossing.text, Face::Small));
    let (line, gap) = (look.size(Face::Small) + 3.0, look.scaled(4.0));
    let height = line * 2.0;
    let lifts = [0.12, 0.2, 0.3, 0.42, 0.56].map(|share| share * frame.height);
    // Above and to the left of it, below and to the right, and then the other two corners; near before far.
    let corners = [(true, true), (false, false), (true, false), (false, true)];
    let places = lifts.iter().flat_map(|lift| corners.map(|(above, leftwards)| (*lift, above, leftwards)));
    for (lift, above, leftwards) in places {
        let top = if above { y - lift - height } else { y + lift };
        let left = if leftwards { x - gap - width } else { x + gap };
        let area = Area { left, top, width, height };
        let within = frame.left <= left
            && left + width <= frame.right()
            && frame.top - look.scaled(6.0) <= top
            && top + height <= frame.bottom() - 2.0;
        if !within || taken.iter().any(|other| other.meets(&area)) || is_crossed(chart, frame, &area) {
            continue;
        }
        let end = if above { top } else { top + height };
        scene.shapes.push(Shape::Line { from: (x, y), to: (x, end), ink: Ink::Text2, width: 1.0, dashed: true });
        let (at, anchor) = if leftwards { (left + width, Anchor::Right) } else { (left, Anchor::Left) };
        scene.text((at, top + line * 0.5), &*crossing.title, Face::SmallBold, Ink::Text, anchor);
        scene.text((at, top + line * 1.5), &*crossing.text, Face::Small, Ink::Text2, anchor);
        taken.push(area);
        return;
    }
}

/// Whether a line runs through an area.
fn is_crossed(chart: &Lines, frame: &Frame, area: &Area) -> bool {
    let runs = |line: &Line| {
        let places: Vec<(f32, f32)> = line.points.iter().map(|point| frame.at(*point)).collect();
        places.windows(2).any(|pair| match pair {
            [from, to] => (0..=8).any(|i| {
                #[expect(clippy::cast_precision_loss, reason = "eight steps")]
                let share = i as f32 / 8.0;
                area.holds((from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share))
            }),
            _ => false,
        })
    };
    chart.lines.iter().any(runs)
}

/// The square of each placement where its line leaves the frame, spread so that none covers another.
fn ends(scene: &mut Scene, chart: &Lines, frame: &Frame) {
    let look = frame.look;
    let whole = chart.bounds().0.1 <= frame.months.1 + 1e-9;
    let mut seen: Vec<(&Line, f32)> = Vec::new();
    for line in &chart.lines {
        let Some(amount) = amount_at(line, frame.months.1) else { continue };
        let y = frame.y(amount);
        if frame.shows((frame.right(), y)) {
            seen.push((line, y));
        }
    }
    seen.sort_by(|a, b| a.1.total_cmp(&b.1));
    let wanted: Vec<f32> = seen.iter().map(|(_, y)| *y).collect();
    let places = spread(&wanted, look.scaled(APART), (frame.top, frame.bottom()));
    for ((line, y), place) in seen.into_iter().zip(places) {
        let (right, badge) = (frame.right(), look.scaled(BADGE));
        let left = right + look.scaled(LEADER);
        let ink = Ink::Placement(line.placement);
        scene.shapes.push(Shape::Path {
            points: vec![(right, y), (right + look.scaled(4.0), y), (left - 3.0, place), (left, place)],
            ink,
            width: 1.0,
            dash: Dash::Solid,
        });
        scene.shapes.push(Shape::Badge { centre: (left + badge / 2.0, place), placement: line.placement });
        if whole && frame.has_figures {
            scene.text((left + badge + 5.0, place), &*line.end_text, Face::Body, Ink::Text, Anchor::Left);
        }
        let exact = line.exact.last().map_or("", String::as_str);
        let (top, height) = (place - badge / 2.0, badge);
        let width = (scene.width - left).max(badge);
        let (said, hover) = (format!("{}: {exact}", line.name), format!("{}\n{exact}", line.name));
        scene.rows.push(SceneRow { left, top, width, height, said, hover });
    }
}

/// The amount of a line at a place on the axis of months.
fn amount_at(line: &Line, month: f64) -> Option<f64> {
    let &(last, amount) = line.points.last()?;
    if last <= month {
        return Some(amount);
    }
    let next = line.points.iter().position(|point| month <= point.0)?;
    let (&(x1, y1), &(x0, y0)) = (line.points.get(next)?, line.points.get(next.saturating_sub(1))?);
    Some(if x1 > x0 { y0 + (y1 - y0) * (month - x0) / (x1 - x0) } else { y1 })
}

/// Places at least `apart` from each other, in order, near to where they are wanted, within bounds as far as they fit.
pub(super) fn spread(wanted: &[f32], apart: f32, (top, bottom): (f32, f32)) -> Vec<f32> {
    let mut places = wanted.to_vec();
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + apart);
    }
    if let Some(last) = places.last_mut() {
        *last = last.min(bottom);
    }
    for i in (1..places.len()).rev() {
        places[i - 1] = places[i - 1].min(places[i] - apart);
    }
    // What does not fit between the bounds goes on below them rather than stand on another.
    if let Some(first) = places.first_mut() {
        *first = first.max(top);
    }
    for i in 1..places.len() {
        places[i] = places[i].max(places[i - 1] + apart);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_order_and_stand_apart() {
        let places = spread(&[10.0, 12.0, 13.0, 60.0], 18.0, (0.0, 100.0));
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 18.0), "{places:?}");
        assert!((places[3] - 64.0).abs() < 0.01, "{places:?}");
        let low = spread(&[90.0, 95.0, 99.0], 18.0, (0.0, 100.0));
        assert!(low.windows(2).all(|pair| pair[1] - pair[0] >= 18.0) && low[2] <= 100.0, "{low:?}");
        let crowded = spread(&[1.0, 2.0, 3.0], 18.0, (0.0, 20.0));
        assert!(crowded.windows(2).all(|pair| pair[1] - pair[0] >= 18.0), "{crowded:?}");
    }

    fn line(placement: usize, points: Vec<(f64, f64)>) -> Line {
        let exact = points.iter().map(|point| point.1.to_string()).collect();
        Line { placement, name: "A Own".into(), points, exact, end_text: "9 m".into(), is_heavy: false }
    }

    fn crossing(month: f64, amount: f64) -> Crossing {
        Crossing { placement: 0, at: (month, amount), title: "A below B".into(), text: "month 4".into(), is_told: true }
    }

    /// A label is never struck through: of two texts, neither meets the other nor a line.
    #[test]
    fn crossings_are_written_beside_the_lines() {
        let up = line(0, (0..=10).map(|k| (f64::from(k), f64::from(k) * 2.0)).collect());
        let flat = line(1, (0..=10).map(|k| (f64::from(k), 8.0 + f64::from(k) * 0.2)).collect());
        let months = (0..10).map(|k| format!("month {k}")).collect();
        let crossings = vec![crossing(4.5, 9.0), crossing(4.6, 9.0)];
        let chart = Lines { lines: vec![up, flat], behind: Vec::new(), crossings, months, when: "By the end of" };
        let scene = lines(&chart, 600.0, 400.0, Look::Desk, &|value| value.to_string());
        let frame = chart.frame(600.0, 400.0, Look::Desk, &|value| value.to_string());
        let titles: Vec<(f32, f32)> = scene
            .shapes
            .iter()
            .filter_map(|shape| match shape {
                Shape::Text { at, text, face: Face::SmallBold, .. } if text == "A below B" => Some(*at),
                _ => None,
            })
            .collect();
        assert_eq!(titles.len(), 2);
        assert!((titles[0].1 - titles[1].1).abs() > 12.0 || (titles[0].0 - titles[1].0).abs() > 40.0, "{titles:?}");
        for (x, y) in titles {
            let place = Area { left: x - 1.0, top: y - 6.0, width: 2.0, height: 12.0 };
            assert!(!is_crossed(&chart, &frame, &place));
        }
    }
}
