//! Cost added up month by month, for a room: what is shown in thick lines, the base in dotted ones behind them.
//!
//! The axes are the same for the base and every case, so that a change is seen as a change.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Align2, Pos2, Rect, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use crate::analysis::cumulative::{cumulative, months_under};
use crate::analysis::explain::Measure;
use crate::app::document::{Document, Snapshot};
use crate::app::icons;
use crate::app::live::laid;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{elided, painted_text, text_width};
use crate::chart::Axis;
use crate::engine::{Evaluation, PlacementResult};
use crate::quantity::Money;
use crate::scenario::calendar::Month;
use crate::show::Figures;

const TICKS: usize = 5;
/// The least distance of two names at the right.
const APART: f32 = 36.0;

/// The amounts between which every case of a base is drawn.
#[derive(Default)]
pub struct Axes(Option<(Arc<Snapshot>, [f64; 2])>);

impl Axes {
    /// The ends of the axis: around the base and all its cases, widened only where what is shown goes beyond.
    pub fn around(&mut self, document: &Document) -> [f64; 2] {
        let base = document.base();
        let known = self.0.take().filter(|(of, _)| Arc::ptr_eq(of, base)).map(|(_, ends)| ends);
        let ends = known.unwrap_or_else(|| {
            let cases = base.scenario.cases.iter().filter_map(|case| laid(base, &case.set.0).ok());
            let of_cases = cases.map(|case| extent(&case.evaluation));
            of_cases.fold(extent(&base.evaluation), widened)
        });
        let ends = widened(ends, extent(&document.now().evaluation));
        self.0 = Some((Arc::clone(base), ends));
        ends
    }
}

fn widened([low, high]: [f64; 2], [other_low, other_high]: [f64; 2]) -> [f64; 2] {
    [low.min(other_low), high.max(other_high)]
}

fn extent(evaluation: &Evaluation) -> [f64; 2] {
    let amounts = evaluation
        .placements
        .iter()
        .flat_map(|placement| cumulative(placement, evaluation.horizon_months, Measure::Total));
    let digits = evaluation.currency.minor_digits;
    amounts
        .map(|money| money.num(digits).approximate())
        .fold([0.0, 0.0], |ends, amount| widened(ends, [amount, amount]))
}

/// The lines of a chart.
pub struct Lines<'a> {
    pub now: &'a Snapshot,
    pub base: &'a Snapshot,
    pub over_base: bool,
    pub reference: usize,
    pub figures: Figures,
    pub unit: &'static str,
}

impl Lines<'_> {
    pub fn paint(&self, ui: &Ui, rect: Rect, ends: [f64; 2]) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let months = self.now.evaluation.horizon_months;
        // As much as the names need, as far as the lines keep the greater part.
        let wanted = |result: &PlacementResult| {
            text_width(painter, &result.name, &theme::semibold(15.0))
                + text_width(painter, &self.amount(result), &theme::semibold(22.0))
                + 66.0
        };
        let wanted = self.now.evaluation.placements.iter().map(wanted).fold(140.0, f32::max);
        let names = wanted.min((rect.width() * 0.48).max(140.0));
        let amounts = Axis::around(ends, 0.0, 1.0, TICKS);
        let tick_text = |value| self.figures.short(value);
        let widest = amounts.ticks.iter().map(|tick| text_width(painter, &tick_text(tick.value), &theme::ROOM_SMALL));
        let left = rect.min.x + widest.fold(20.0, f32::max) + 12.0;
        let plot = Rect::from_min_max(pos2(left, rect.min.y + 16.0), pos2(rect.max.x - names, rect.max.y - 44.0));
        let place = Place { plot, months, amounts: &amounts };
        for tick in &amounts.ticks {
            let y = place.y_of_part(tick.x);
            let ink = if tick.value.is_zero() { palette.text2 } else { palette.grid };
            painter.hline(plot.x_range(), y, Stroke::new(1.5, ink));
            let at = pos2(plot.min.x - 10.0, y);
            painted_text(painter, at, Align2::RIGHT_CENTER, &tick_text(tick.value), &theme::ROOM_SMALL, palette.text2);
        }
        self.month_ticks(ui, &place);
        if self.over_base {
            for (index, points) in self.lines(self.base, &place) {
                let stroke = Stroke::new(1.5, palette.placement(index));
                painter.extend(Shape::dashed_line(&points, stroke, 3.0, 5.0));
            }
        }
        let lines = self.lines(self.now, &place);
        for (index, points) in &lines {
            let stroke = Stroke::new(4.0, palette.placement(*index));
            match index % 6 {
                3 => painter.extend(Shape::dashed_line(points, stroke, 12.0, 6.0)),
                5 => painter.extend(Shape::dashed_line(points, stroke, 4.0, 4.0)),
                _ => {
                    painter.line(points.clone(), stroke);
                }
            }
        }
        self.names(ui, rect, &place, &lines);
        self.crossing(ui, &place);
    }

    fn month_ticks(&self, ui: &Ui, place: &Place) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let every = (place.months / 5).div_ceil(12).max(1) * 12;
        for month in (0..=place.months).step_by(every as usize) {
            let x = place.x(month);
            let foot = place.plot.max.y;
            painter.vline(x, foot..=foot + 6.0, Stroke::new(1.5, palette.text2));
            let text = if month == 0 { "0".to_owned() } else { format!("month {month}") };
            painted_text(
                painter,
                pos2(x, foot + 22.0),
                Align2::CENTER_CENTER,
                &text,
                &theme::ROOM_SMALL,
                palette.text2,
            );
        }
    }

    fn lines(&self, of: &Snapshot, place: &Place) -> Vec<(usize, Vec<Pos2>)> {
        let digits = of.evaluation.currency.minor_digits;
        let line = |(index, placement)| {
            let months = (1..).zip(cumulative(placement, of.evaluation.horizon_months, Measure::Total));
            let point = |(month, money): (u32, Money)| pos2(place.x(month), place.y(money.num(digits).approximate()));
            let points = std::iter::once(pos2(place.x(0), place.y(0.0))).chain(months.map(point));
            (index, points.collect())
        };
        of.evaluation.placements.iter().enumerate().map(line).collect()
    }

    /// The names at the right, each at the end of its line and apart from the others, with what it comes to.
    fn names(&self, ui: &Ui, rect: Rect, place: &Place, lines: &[(usize, Vec<Pos2>)]) {
        let mut ends: Vec<(usize, Pos2)> =
            lines.iter().filter_map(|(index, points)| Some((*index, *points.last()?))).collect();
        ends.sort_by(|(_, a), (_, b)| a.y.total_cmp(&b.y));
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        // Above the words of the months, which end at the right edge of the plot.
        let lowest = place.plot.max.y + 4.0;
        let room = lowest - rect.min.y;
        #[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
        let apart = APART.min(room / ends.len().max(1) as f32);
        // The amount has its type beside every name.
        let widest = self
            .now
            .evaluation
            .placements
            .iter()
            .map(|result| text_width(painter, &self.amount(result), &theme::semibold(22.0)));
        let beside = rect.max.x - place.plot.max.x - 62.0 - widest.fold(0.0, f32::max);
        let font = super::name_font(painter, &self.now.evaluation.placements, beside);
        let mut heights: Vec<f32> = Vec::new();
        for (_, end) in &ends {
            let least = heights.last().map_or(rect.min.y + 16.0, |above| above + apart);
            heights.push(end.y.max(least));
        }
        // What would hang over the lower edge moves up, and what stands above it with it.
        let mut most = lowest - 12.0;
        for height in heights.iter_mut().rev() {
            *height = height.min(most);
            most = *height - apart;
        }
        for ((index, end), y) in ends.into_iter().zip(heights) {
            let result = &self.now.evaluation.placements[index];
            let ink = palette.placement(index);
            let x = place.plot.max.x + 30.0;
            painter.line_segment([end + vec2(3.0, 0.0), pos2(x - 16.0, y)], Stroke::new(2.0, ink));
            icons::badge(painter, pos2(x, y), index, (apart - 6.0).min(28.0), palette);
            let amount = self.amount(result);
            let bold = theme::semibold(22.0);
            let left = x + 22.0;
            let room = rect.max.x - left;
            let name_room = room - text_width(painter, &amount, &bold) - 10.0;
            let name = if name_room > 96.0 { elided(painter, &result.name, &font, name_room) } else { String::new() };
            let taken = painted_text(painter, pos2(left, y), Align2::LEFT_CENTER, &name, &font, palette.text);
            let left = if name.is_empty() { left } else { taken.max.x + 10.0 };
            painted_text(painter, pos2(left, y), Align2::LEFT_CENTER, &amount, &bold, palette.text);
        }
    }

    /// What a placement comes to at the end of its line.
    fn amount(&self, result: &PlacementResult) -> String {
        let amount = self.figures.amount(result.totals.total.minor(), self.now.evaluation.currency.minor_digits);
        if self.unit.is_empty() { amount } else { format!("{amount} {}", self.unit) }
    }

    /// The last month in which the cheapest falls below the reference, and when that is in the base.
    fn crossing(&self, ui: &Ui, place: &Place) {
        let Some((under, month)) = self.last_crossing(self.now) else { return };
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let (letter, other) = (icons::letter(under), icons::letter(self.reference));
        let title = format!("{letter} falls below {other} in month {month}");
        let mut text =
            Month::parse(&self.now.scenario.start).map_or_else(String::new, |start| start.plus(month).to_string());
        if self.over_base {
            let base = self.last_crossing_of(self.base, under);
            text += &match base {
                Some(base) if base == month => ", as in the base".to_owned(),
                Some(base) => format!(", base: month {base}"),
                None => self.without_crossing(under).to_owned(),
            };
        }
        let result = &self.now.evaluation.placements[under];
        let money = cumulative(result, place.months, Measure::Total).get(month as usize).copied().unwrap_or_default();
        let digits = self.now.evaluation.currency.minor_digits;
        let at = pos2(place.x(month + 1), place.y(money.num(digits).approximate()));
        let bold = theme::semibold(22.0);
        let half = text_width(painter, &title, &bold).max(text_width(painter, &text, &theme::ROOM_SMALL)) / 2.0;
        // The words stand under the lines where there is more room, and above them otherwise.
        let below = place.plot.max.y - at.y > at.y - place.plot.min.y;
        let y = if below { place.plot.max.y - 58.0 } else { place.plot.min.y + 14.0 };
        let x = at
            .x
            .clamp(place.plot.min.x + half + 8.0, (place.plot.max.x - half - 8.0).max(place.plot.min.x + half + 8.0));
        let field = Rect::from_center_size(pos2(x, y + 12.0), vec2(2.0 * half + 16.0, 52.0));
        let stroke = Stroke::new(1.5, palette.text);
        let to = if below { field.min.y } else { field.max.y };
        painter.extend(Shape::dashed_line(&[at, pos2(at.x, to)], stroke, 4.0, 4.0));
        painter.rect_filled(field, 2, palette.surface.gamma_multiply(0.9));
        painter.circle(at, 8.0, palette.surface, Stroke::new(3.0, palette.text));
        painted_text(painter, pos2(x, y), Align2::CENTER_CENTER, &title, &bold, palette.text);
        painted_text(painter, pos2(x, y + 25.0), Align2::CENTER_CENTER, &text, &theme::ROOM_SMALL, palette.text);
        let told = ui.interact(field, ui.scope_id().with("crossing"), Sense::hover());
        told.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}, {text}")));
    }

    fn last_crossing(&self, of: &Snapshot) -> Option<(usize, u32)> {
        let cheapest = of.evaluation.cheapest?;
        Some((cheapest, self.last_crossing_of(of, cheapest)?))
    }

    fn last_crossing_of(&self, of: &Snapshot, under: usize) -> Option<u32> {
        months_under(&line(of, under)?, &line(of, self.reference)?).last().copied()
    }

    /// How a placement stands to the reference in the base, where it never falls below it there: it may be below all along.
    fn without_crossing(&self, under: usize) -> &'static str {
        let lines = line(self.base, under).zip(line(self.base, self.reference));
        let below = lines.map(|(under, reference)| {
            let below = under.iter().zip(&reference).filter(|(under, reference)| under <= reference);
            (below.count(), under.len().min(reference.len()))
        });
        match below {
            Some((below, months)) if below == months => ", below throughout in the base",
            Some((0, _)) => ", never in the base",
            Some(_) => ", below only at first in the base",
            None => ", not in the base",
        }
    }
}

fn line(of: &Snapshot, index: usize) -> Option<Vec<Money>> {
    Some(cumulative(of.evaluation.placements.get(index)?, of.evaluation.horizon_months, Measure::Total))
}

/// Where months and amounts stand.
struct Place<'a> {
    plot: Rect,
    months: u32,
    amounts: &'a Axis,
}

impl Place<'_> {
    #[expect(clippy::cast_precision_loss, reason = "months of a horizon")]
    fn x(&self, month: u32) -> f32 {
        self.plot.min.x + self.plot.width() * month as f32 / self.months.max(1) as f32
    }

    fn y(&self, amount: f64) -> f32 {
        self.y_of_part(self.amounts.at(amount))
    }

    fn y_of_part(&self, part: f32) -> f32 {
        self.plot.max.y - self.plot.height() * part
    }
}
