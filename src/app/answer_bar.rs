//! The answer: one card for each placement, and the conventions under which its figures hold. It never scrolls away.
//!
//! It shows what an evaluation answered, and the differences that the analysis took; it computes no money.

use egui::accesskit::Role;
use egui::{Align2, Color32, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::document::{Document, Snapshot};
use super::icons;
use super::theme::{self, Palette};
use super::view::View;
use super::widgets::{elided, painted_text, segments_ui, tag, text_width};
use crate::analysis::compare;
use crate::engine::PlacementResult;
use crate::quantity::Money;
use crate::scenario::DecisionFigure;
use crate::show::{Scale, ZERO};

const INSET: f32 = 12.0;
/// Below this width of the window a card keeps its total and its difference alone.
const NARROW: f32 = 1280.0;
/// Cards are no narrower than this: the bar then scrolls sideways.
const LEAST: f32 = 176.0;

pub const HEIGHT: f32 = 152.0;
pub const HEIGHT_NARROW: f32 = 56.0;

/// How high the bar is in a window this wide.
pub fn height(width: f32) -> f32 {
    if width < NARROW { HEIGHT_NARROW } else { HEIGHT }
}

pub fn answer_bar_ui(ui: &mut Ui, document: &Document, view: &View, commands: &mut Vec<Command>) {
    let placements = document.now().evaluation.placements.len().max(1);
    let bar = ui.max_rect();
    ui.painter().rect_filled(bar, 0, Palette::of(ui.visuals()).surface);
    #[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
    let width = (bar.width() / placements as f32).floor().max(LEAST);
    egui::ScrollArea::horizontal().id_salt("answers").auto_shrink(false).show(ui, |ui| {
        ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
        ui.horizontal(|ui| {
            for index in 0..document.now().evaluation.placements.len() {
                // The last card takes what whole points leave over.
                let rest = if index + 1 == placements { ui.available_width().max(width) } else { width };
                let (rect, response) = ui.allocate_exact_size(vec2(rest, bar.height()), Sense::click());
                let card = Card { document, view, index };
                response.widget_info(|| {
                    let mut info = WidgetInfo::selected(Role::Button, true, view.focus == index, card.said());
                    info.current_text_value = Some(card.exact_total());
                    info
                });
                card.paint(ui, rect, response.hovered(), response.has_focus());
                let response = response.on_hover_text(card.hover());
                if response.clicked() {
                    commands.push(Command::Focus(index));
                }
            }
        });
    });
}

/// One placement of the bar.
struct Card<'a> {
    document: &'a Document,
    view: &'a View,
    index: usize,
}

impl Card<'_> {
    fn now(&self) -> &Snapshot {
        self.document.now()
    }

    fn result(&self) -> &PlacementResult {
        &self.now().evaluation.placements[self.index]
    }

    fn digits(&self) -> u32 {
        self.now().evaluation.currency.minor_digits
    }

    fn amount(&self, money: Money) -> String {
        self.view.figures.amount(money.minor(), self.digits())
    }

    fn exact_total(&self) -> String {
        self.view.figures.exact(self.result().totals.total.minor(), self.digits())
    }

    fn is_cheapest(&self) -> bool {
        self.now().evaluation.cheapest == Some(self.index)
    }

    /// The difference to the reference; none for the reference itself.
    fn to_reference(&self) -> Option<compare::Difference> {
        let reference = self.now().evaluation.placements.get(self.view.reference)?;
        (self.view.reference != self.index)
            .then(|| compare::difference(Some(self.result().totals.total), Some(reference.totals.total)))?
    }

    /// What has changed since another scenario of this document.
    fn since(&self, other: Option<&Snapshot>) -> Money {
        let then = other.and_then(|other| other.evaluation.placements.iter().find(|p| p.id == self.result().id));
        then.map_or(Money::ZERO, |then| self.result().totals.total - then.totals.total)
    }

    fn said(&self) -> String {
        let result = self.result();
        let mut said = format!("{} {}", icons::letter(self.index), result.name);
        if self.is_cheapest() {
            said += &format!(", cheapest by {}", self.now().evaluation.decision_figure.label());
        }
        if self.view.reference == self.index {
            said += ", reference";
        }
        if let Some(share) = self.serves() {
            said += &format!(", serves {share} %");
        }
        said
    }

    /// The share served, where it is not everything that must be served.
    fn serves(&self) -> Option<String> {
        let served = self.result().least_share_served.decimal();
        (!self.result().meets_service)
            .then(|| served.map_or_else(|| ZERO.to_owned(), |s| self.view.figures.floor_percent(s)))
    }

    fn hover(&self) -> String {
        let (result, figures, code) = (self.result(), self.view.figures, self.now().evaluation.currency.code);
        let exact = |money: Money| figures.exact(money.minor(), self.digits());
        let mut lines = vec![
            result.name.clone(),
            format!("Total {code} {}", exact(result.totals.total)),
            format!("Present value {code} {}", exact(result.totals.present_value)),
            format!("A year {code} {}", exact(result.equivalent_annual_cost)),
            format!("Fixed {code} {}, usage-driven {code} {}", exact(result.fixed), exact(result.usage_driven)),
        ];
        if let Some(share) = self.serves() {
            lines.push(format!("Serves {share} % of its least served class, so that it is never cheapest"));
        }
        lines.join("\n")
    }

    fn paint(&self, ui: &Ui, rect: Rect, hovered: bool, keyboard: bool) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        if self.view.focus == self.index {
            painter.rect_filled(rect, 0, palette.sel);
            painter.rect_filled(rect.with_min_y(rect.max.y - 2.0), 0, palette.accent);
        } else if hovered {
            painter.rect_filled(rect, 0, palette.hover);
        }
        painter.vline(rect.max.x - 0.5, rect.y_range(), Stroke::new(1.0, palette.line));
        if keyboard {
            icons::border(painter, rect.shrink(1.0), 0, 2.0, palette.accent);
        }
        let inner =
            Rect::from_min_max(pos2(rect.min.x + INSET, rect.min.y + 6.0), pos2(rect.max.x - INSET, rect.max.y));
        if rect.height() < f32::midpoint(HEIGHT, HEIGHT_NARROW) {
            self.paint_short(ui, inner);
        } else {
            self.paint_whole(ui, inner);
        }
    }

    fn paint_short(&self, ui: &Ui, inner: Rect) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        icons::badge(painter, inner.min + vec2(8.0, 11.0), self.index, 16.0, palette);
        self.total(ui, inner.with_min_x(inner.min.x + 22.0), 11.0);
        self.delta_row(ui, inner, 34.0);
    }

    fn paint_whole(&self, ui: &Ui, inner: Rect) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        icons::badge(painter, inner.min + vec2(8.0, 10.0), self.index, 16.0, palette);
        let font = theme::semibold(13.0);
        let name = elided(painter, &self.result().name, &font, inner.width() - 22.0);
        painted_text(painter, inner.min + vec2(22.0, 10.0), Align2::LEFT_CENTER, &name, &font, palette.text);
        self.total(ui, inner, 33.0);
        self.delta_row(ui, inner, 55.0);
        let present = self.amount(self.result().totals.present_value);
        row(ui, inner, 73.0, "Present value", &present, palette.text);
        let (unit, cost) = self.per_output(ui, inner.width());
        row(ui, inner, 91.0, &unit, &cost, palette.text);
        self.shares(ui, inner, 109.0);
        let rule = inner.min.y + 121.5;
        let line = if self.view.focus == self.index { palette.line2 } else { palette.line };
        painter.hline(inner.x_range(), rule, Stroke::new(1.0, line));
        self.since_row(ui, inner, 132.0);
    }

    /// The total, and at its right what marks the placement. The mark is shortened before the figure gets smaller.
    fn total(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let at = pos2(inner.min.x, inner.min.y + y);
        let total = self.amount(self.result().totals.total);
        let marks = self.marks(palette);
        let tag_width = |text: &str| text_width(painter, text, &theme::SMALL) + 18.0;
        let least = marks.iter().map(|(text, ..)| tag_width(text)).fold(f32::MAX, f32::min);
        let large = theme::semibold(20.0);
        let fits = marks.is_empty() || text_width(painter, &total, &large) + least <= inner.width();
        let font = if fits { large } else { theme::semibold(13.0) };
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, &total, &font, palette.text);
        let room = inner.max.x - taken.max.x;
        let mark = marks.iter().find(|(text, ..)| tag_width(text) <= room).or(marks.last());
        if let Some((text, fill, ink)) = mark {
            tag(painter, pos2(inner.max.x, at.y), text, *fill, *ink);
        }
    }

    /// What marks the placement, the longest wording first.
    fn marks(&self, palette: &Palette) -> Vec<(String, Color32, Color32)> {
        if let Some(share) = self.serves() {
            let mark = |text| (text, palette.warnbg, palette.warn);
            return vec![mark(format!("serves {share} %")), mark(format!("{share} %"))];
        }
        if self.is_cheapest() {
            let mark = |text| (text, palette.cheaper, palette.onaccent);
            let figure = short_figure(self.now().evaluation.decision_figure);
            return vec![mark(format!("cheapest by {figure}")), mark("cheapest".to_owned())];
        }
        if self.view.reference == self.index {
            return vec![("reference".to_owned(), palette.neutralbg, palette.text2)];
        }
        Vec::new()
    }

    fn delta_row(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let label = format!("Δ to {}", icons::letter(self.view.reference));
        let Some(difference) = self.to_reference() else {
            row(ui, inner, y, &label, if self.marks(palette).len() > 1 { "reference" } else { ZERO }, palette.text3);
            return;
        };
        let middle = inner.min.y + y;
        painted_text(painter, pos2(inner.min.x, middle), Align2::LEFT_CENTER, &label, &theme::SMALL, palette.text2);
        let mut right = inner.max.x;
        if let compare::Relative::Share(share) = difference.relative {
            let percent = format!("{} %", self.view.figures.percent(share.abs()));
            let taken =
                painted_text(painter, pos2(right, middle), Align2::RIGHT_CENTER, &percent, &theme::BODY, palette.text2);
            right = taken.min.x - 6.0;
        }
        self.change(ui, pos2(right, middle), difference.amount, &theme::BODY);
    }

    /// A signed change ending at `right`: a triangle and the figure. Returns where it begins.
    fn change(&self, ui: &Ui, right: egui::Pos2, money: Money, font: &egui::FontId) -> f32 {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        if money.is_zero() {
            return painted_text(painter, right, Align2::RIGHT_CENTER, ZERO, font, palette.text3).min.x;
        }
        let up = money > Money::ZERO;
        let colour = if up { palette.dearer } else { palette.cheaper };
        let text = self.view.figures.unsigned(money.minor(), self.digits());
        let taken = painted_text(painter, right, Align2::RIGHT_CENTER, &text, font, colour);
        icons::triangle(painter, pos2(taken.min.x - 6.0, right.y), up, colour);
        taken.min.x - 10.0
    }

    /// The first class with output, which is what a portfolio names first.
    fn per_output(&self, ui: &Ui, width: f32) -> (String, String) {
        let first = self.now().scenario.workloads.iter().find_map(|workload| {
            let found = self.result().workloads.iter().find(|w| w.id == workload.id)?;
            found.cost_per_output.is_some().then_some(found)
        });
        let Some(class) = first else { return ("Per output".to_owned(), ZERO.to_owned()) };
        let cost = class.cost_per_output.and_then(|cost| cost.decimal());
        let cost = cost.map_or_else(|| ZERO.to_owned(), |cost| self.view.figures.ratio(cost));
        let room = width - text_width(ui.painter(), &cost, &theme::BODY) - 12.0;
        (elided(ui.painter(), &format!("Per {}", class.output_unit), &theme::SMALL, room), cost)
    }

    fn shares(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let middle = inner.min.y + y;
        let at = pos2(inner.min.x, middle);
        let label = painted_text(painter, at, Align2::LEFT_CENTER, "Fixed : usage", &theme::SMALL, palette.text2);
        let Some((fixed, text)) = fixed_share(self.result()) else { return };
        painted_text(painter, pos2(inner.max.x, middle), Align2::RIGHT_CENTER, &text, &theme::BODY, palette.text);
        let left = (inner.max.x - 126.0).max(label.max.x + 8.0).round();
        let bar = Rect::from_min_max(pos2(left, middle - 4.0), pos2(inner.max.x - 54.0, middle + 4.0)).round();
        let edge = (bar.min.x + bar.width() * fixed).round();
        painter.rect_filled(bar.with_max_x(edge), 0, palette.fixed);
        painter.rect_filled(bar.with_min_x((edge + 1.0).min(bar.max.x)), 0, palette.usage);
    }

    fn since_row(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let middle = inner.min.y + y;
        let edit = self.since(self.document.before().map(|before| &**before));
        let saved = self.since(Some(self.document.saved()));
        let painter_width = |text: &str| text_width(painter, text, &theme::SMALL);
        let width = |money: Money| {
            let mark = if money.is_zero() { 4.0 } else { 14.0 };
            painter_width(&self.view.figures.unsigned(money.minor(), self.digits())) + mark
        };
        let taken =
            painted_text(painter, pos2(inner.min.x, middle), Align2::LEFT_CENTER, "Edit", &theme::SMALL, palette.text2);
        let edit_ends = taken.max.x + width(edit);
        self.change(ui, pos2(edit_ends, middle), edit, &theme::SMALL);
        let begins = self.change(ui, pos2(inner.max.x, middle), saved, &theme::SMALL) - 4.0;
        let fits = painter_width("Saved file") + 8.0 <= begins - edit_ends;
        let label = if fits { "Saved file" } else { "File" };
        painted_text(painter, pos2(begins, middle), Align2::RIGHT_CENTER, label, &theme::SMALL, palette.text2);
    }
}

/// The fixed part as a width of the bar, and both parts as text that adds up to 100. A part outside 0 to 100 has no bar.
fn fixed_share(result: &PlacementResult) -> Option<(f32, String)> {
    let share = compare::share(result.fixed, result.totals.total)?;
    let percent = crate::show::round(share.checked_mul(rust_decimal::Decimal::ONE_HUNDRED)?, 0);
    let fixed = u8::try_from(percent).ok().filter(|fixed| *fixed <= 100)?;
    Some((f32::from(fixed) / 100.0, format!("{fixed} : {}", 100 - fixed)))
}

fn short_figure(figure: DecisionFigure) -> &'static str {
    match figure {
        DecisionFigure::Total => "total",
        DecisionFigure::PresentValue => "present value",
        DecisionFigure::EquivalentAnnualCost => "annual cost",
    }
}

fn row(ui: &Ui, inner: Rect, y: f32, label: &str, figure: &str, ink: Color32) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let middle = inner.min.y + y;
    painted_text(painter, pos2(inner.min.x, middle), Align2::LEFT_CENTER, label, &theme::SMALL, palette.text2);
    painted_text(painter, pos2(inner.max.x, middle), Align2::RIGHT_CENTER, figure, &theme::BODY, ink);
}

/// Under what conventions the figures hold, and in what multiple they are shown.
pub fn conventions_ui(ui: &mut Ui, snapshot: &Snapshot, view: &View, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(ui.max_rect(), 0, palette.ground);
    ui.horizontal_centered(|ui| {
        ui.add_space(INSET);
        ui.spacing_mut().item_spacing.x = 10.0;
        for (i, convention) in conventions(snapshot, view).iter().enumerate() {
            if i > 0 {
                let (rect, _) = ui.allocate_exact_size(vec2(1.0, 14.0), Sense::hover());
                ui.painter().rect_filled(rect, 0, palette.line);
            }
            ui.label(egui::RichText::new(convention).font(theme::SMALL).color(palette.text2));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(INSET);
            let current = Scale::ALL.iter().position(|scale| *scale == view.figures.scale).unwrap_or(0);
            let names = Scale::ALL.map(Scale::name);
            if let Some(chosen) = segments_ui(ui, "Show amounts in", &names, current, 20.0) {
                commands.push(Command::Scale(Scale::ALL[chosen]));
            }
        });
    });
}

/// The conventions as the command writes them, each a part of a line of its own.
fn conventions(snapshot: &Snapshot, view: &View) -> Vec<String> {
    let figures = crate::show::Figures { marks: view.figures.marks, ..crate::show::Figures::default() };
    let all = crate::words::conventions(&snapshot.scenario, None, figures);
    all.into_iter().map(|convention| sentence(&convention.text)).collect()
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
