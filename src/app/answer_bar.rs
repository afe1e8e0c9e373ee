//! The answer: one card for each placement, and the conventions under which its figures hold. It never scrolls away.
//!
//! It shows what an evaluation answered, and the differences that the analysis took; it computes no money.

use egui::accesskit::Role;
use egui::{Align2, Color32, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::document::{Document, Snapshot};
use super::explain::Target;
use super::icons;
use super::live::cases::choices;
use super::pages;
use super::theme::{self, Palette};
use super::view::View;
use super::widgets::{Told, elided, painted_text, segments_ui, tag, text_width};
use crate::analysis::compare;
use crate::engine::{PlacementResult, WorkloadResult};
use crate::quantity::Money;
use crate::scenario::DecisionFigure;
use crate::show::{Scale, ZERO};

const INSET: f32 = 12.0;
/// Below this width of the window a card keeps its total and its difference alone.
const NARROW: f32 = 1280.0;
/// Cards are no narrower than this: the bar then scrolls sideways.
const LEAST: f32 = 192.0;
/// The most lines that stand under the total of a card.
const LINES: usize = 6;

/// The most room that the name of a case takes.
const CASE: f32 = 200.0;

pub const HEIGHT: f32 = 152.0;
pub const HEIGHT_NARROW: f32 = 64.0;

/// How high the bar is in a window this wide.
pub fn height(width: f32) -> f32 {
    if width < NARROW { HEIGHT_NARROW } else { HEIGHT }
}

/// Where nothing is placed: what is missing, and where it is added.
fn nothing_ui(ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
    let (page, said) = pages::next(&document.now().scenario);
    ui.horizontal_centered(|ui| {
        ui.add_space(16.0);
        ui.label("No answer yet.");
        if ui.link(said).clicked() {
            commands.push(Command::Show(page));
        }
    });
}

pub fn answer_bar_ui(ui: &mut Ui, document: &Document, view: &View, commands: &mut Vec<Command>) {
    let placements = document.now().evaluation.placements.len().max(1);
    let bar = ui.max_rect();
    ui.painter().rect_filled(bar, 0, Palette::of(ui.visuals()).surface);
    if document.now().evaluation.placements.is_empty() {
        nothing_ui(ui, document, commands);
        return;
    }
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
                let explained = card.paint(ui, rect, response.hovered(), response.has_focus());
                commands.extend(explained.map(Command::Explain));
                let response = response.told(card.hover());
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

    /// The figure that decides, of which every difference on the card is one.
    fn deciding(&self) -> DecisionFigure {
        self.now().evaluation.decision_figure
    }

    /// The difference to the reference; none for the reference itself.
    fn to_reference(&self) -> Option<compare::Difference> {
        let reference = self.now().evaluation.placements.get(self.view.reference)?;
        let figure = |result| Some(compare::decision(result, self.deciding()));
        (self.view.reference != self.index).then(|| compare::difference(figure(self.result()), figure(reference)))?
    }

    /// What has changed since another scenario of this document.
    fn since(&self, other: Option<&Snapshot>) -> Money {
        let then = other.and_then(|other| other.evaluation.placements.iter().find(|p| p.id == self.result().id));
        let figure = |result| compare::decision(result, self.deciding());
        then.map_or(Money::ZERO, |then| figure(self.result()) - figure(then))
    }

    fn since_edit(&self) -> Money {
        self.since(self.document.before().map(|before| &**before))
    }

    fn since_saved(&self) -> Money {
        self.since(Some(self.document.saved()))
    }

    fn since_base(&self) -> Money {
        self.since(Some(self.document.base()))
    }

    /// What everything is told against, and the change since: the saved file, or the base while something lies over it.
    fn since_start(&self) -> ([&'static str; 2], Money) {
        if self.document.is_over_base() {
            (["Since base", "Base"], self.since_base())
        } else {
            (["Saved file", "File"], self.since_saved())
        }
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
            said += &format!(", serves {share} %, not cheapest");
        }
        let over = self.document.is_over_base().then(|| (self.since_base(), "the base"));
        let marks = [(self.since_edit(), "the last edit"), (self.since_saved(), "the saved file")];
        for (since, name) in marks.into_iter().chain(over) {
            if !since.is_zero() {
                said += &format!(", {} {} since {name}", self.deciding().label(), self.change_in_words(since));
            }
        }
        said
    }

    /// A change to the minor unit: `1,234.56 more`.
    fn change_in_words(&self, money: Money) -> String {
        let way = if money > Money::ZERO { "more" } else { "less" };
        let magnitude = if money > Money::ZERO { money } else { Money::ZERO - money };
        format!("{} {way}", self.view.figures.exact(magnitude.minor(), self.digits()))
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
        let label = self.deciding().label();
        if let Some(difference) = self.to_reference() {
            let reference = icons::letter(self.view.reference);
            lines.push(format!("Δ to {reference}: {label} {code} {}", self.change_in_words(difference.amount)));
        }
        let over = self
            .document
            .is_over_base()
            .then(|| (self.since_base(), "Since base: what the levers or the case have changed"));
        let marks = [
            (self.since_edit(), "Edit: what the last edit, lever, case, undo or redo has changed"),
            (self.since_saved(), "Saved file: what has changed since the file was opened or saved"),
        ];
        for (since, name) in marks.into_iter().chain(over) {
            let change =
                if since.is_zero() { ZERO.to_owned() } else { format!("{code} {}", self.change_in_words(since)) };
            lines.push(format!("{name}: {label} {change}"));
        }
        lines.join("\n")
    }

    /// Paints the card; says which of its figures was pressed.
    fn paint(&self, ui: &Ui, rect: Rect, hovered: bool, keyboard: bool) -> Option<Target> {
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
            None
        } else {
            self.paint_whole(ui, inner)
        }
    }

    fn paint_short(&self, ui: &Ui, inner: Rect) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        icons::badge(painter, inner.min + vec2(8.0, 11.0), self.index, 16.0, palette);
        self.total(ui, inner.with_min_x(inner.min.x + 22.0), 11.0);
        // Why it is not cheapest matters more than how far it is from another one.
        match self.serves() {
            Some(share) => self.not_cheapest(ui, inner, 34.0, &share),
            None => self.delta_row(ui, inner, 34.0, true),
        }
    }

    /// A figure of the card that is explained when it is pressed.
    fn figure(&self, ui: &Ui, place: Rect, label: &str, path: String) -> Option<Target> {
        let response = ui.interact(place, ui.scope_id().with(("card", self.index, label)), Sense::click());
        let letter = icons::letter(self.index);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Explain the {label} of {letter}")));
        let palette = Palette::of(ui.visuals());
        if response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
        }
        if response.has_focus() {
            icons::border(ui.painter(), place, 2, 2.0, palette.accent);
        }
        response.clicked().then(|| Target::figure(self.index, path))
    }

    fn paint_whole(&self, ui: &Ui, inner: Rect) -> Option<Target> {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        icons::badge(painter, inner.min + vec2(8.0, 10.0), self.index, 16.0, palette);
        let font = theme::semibold(13.0);
        let name = elided(painter, &self.result().name, &font, inner.width() - 22.0);
        painted_text(painter, inner.min + vec2(22.0, 10.0), Align2::LEFT_CENTER, &name, &font, palette.text);
        self.total(ui, inner, 33.0);
        let left = Rect::from_min_size(inner.min + vec2(-2.0, 22.0), vec2(inner.width() * 0.5, 22.0));
        let mut pressed = self.figure(ui, left, "total", "total".to_owned());
        let lines = self.lines();
        #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
        let step = (98.0 / lines.len() as f32).min(18.0);
        let opens = if self.deciding() == DecisionFigure::Total { Line::ToReference } else { Line::Deciding };
        let mut y = if lines.len() < LINES { 54.0 } else { 52.0 };
        for line in lines {
            if line == opens {
                let rule = inner.min.y + y - step / 2.0 + 0.5;
                let ink = if self.view.focus == self.index { palette.line2 } else { palette.line };
                painter.hline(inner.x_range(), rule.round() - 0.5, Stroke::new(1.0, ink));
            }
            let path = match &line {
                Line::PresentValue => Some(("present value", "present_value".to_owned())),
                Line::Deciding if self.deciding() == DecisionFigure::PresentValue => {
                    Some(("present value", "present_value".to_owned()))
                }
                Line::Deciding => Some(("equivalent annual cost", "equivalent_annual_cost".to_owned())),
                Line::PerOutput => self
                    .first_output()
                    .map(|class| ("cost per useful output", format!("workloads.{}.cost_per_output", class.id))),
                _ => None,
            };
            if let Some((label, path)) = path {
                let top = inner.min.y + y - step / 2.0;
                let right = Rect::from_min_max(pos2(inner.center().x, top), pos2(inner.max.x + 2.0, top + step));
                pressed = self.figure(ui, right, label, path).or(pressed);
            }
            self.line(ui, inner, y, line);
            y += step;
        }
        pressed
    }

    /// What stands under the total. The deciding figure comes last, over its differences, so that one sees what they are of;
    /// where the total itself decides, the differences name it.
    fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        // Where one placement has this line, all have, so that equal things stand at equal heights.
        if self.now().evaluation.placements.iter().any(|placement| !placement.meets_service) {
            lines.push(Line::Service);
        }
        if self.deciding() != DecisionFigure::PresentValue {
            lines.push(Line::PresentValue);
        }
        lines.extend([Line::PerOutput, Line::Shares]);
        if self.deciding() != DecisionFigure::Total {
            lines.push(Line::Deciding);
        }
        lines.extend([Line::ToReference, Line::Since]);
        if lines.len() > LINES {
            lines.retain(|line| *line != Line::PresentValue);
        }
        lines
    }

    fn line(&self, ui: &Ui, inner: Rect, y: f32, line: Line) {
        let ink = Palette::of(ui.visuals()).text;
        match line {
            Line::Service => match self.serves() {
                Some(share) => self.not_cheapest(ui, inner, y, &share),
                None => self.serves_all(ui, inner, y),
            },
            Line::PresentValue => self.money_row(ui, inner, y, DecisionFigure::PresentValue, &theme::BODY),
            Line::Deciding => self.money_row(ui, inner, y, self.deciding(), &theme::semibold(13.0)),
            Line::PerOutput => {
                let (unit, cost) = self.per_output(ui, inner.width());
                row(ui, inner, y, &unit, &cost, ink);
            }
            Line::Shares => self.shares(ui, inner, y),
            Line::ToReference => self.delta_row(ui, inner, y, self.deciding() == DecisionFigure::Total),
            Line::Since => self.since_row(ui, inner, y),
        }
    }

    fn money_row(&self, ui: &Ui, inner: Rect, y: f32, figure: DecisionFigure, font: &egui::FontId) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let middle = inner.min.y + y;
        let label = crate::show::upper_first(short_figure(figure));
        let taken =
            painted_text(painter, pos2(inner.min.x, middle), Align2::LEFT_CENTER, &label, &theme::SMALL, palette.text2);
        let money = compare::decision(self.result(), figure);
        let text = self.fitting(ui, money, font, inner.max.x - taken.max.x - 8.0, Self::amount);
        painted_text(painter, pos2(inner.max.x, middle), Align2::RIGHT_CENTER, &text, font, palette.text);
    }

    fn not_cheapest(&self, ui: &Ui, inner: Rect, y: f32, share: &str) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let text = elided(painter, &format!("serves {share} %, not cheapest"), &theme::SMALL, inner.width());
        let at = pos2(inner.min.x, inner.min.y + y);
        let taken = text_width(painter, &text, &theme::SMALL);
        let field = Rect::from_min_max(at + vec2(-4.0, -8.0), at + vec2(taken + 4.0, 8.0)).round();
        painter.rect_filled(field, 2, palette.warnbg);
        painted_text(painter, at, Align2::LEFT_CENTER, &text, &theme::SMALL, palette.warn);
    }

    fn serves_all(&self, ui: &Ui, inner: Rect, y: f32) {
        let palette = Palette::of(ui.visuals());
        let at = pos2(inner.min.x, inner.min.y + y);
        painted_text(ui.painter(), at, Align2::LEFT_CENTER, "serves everything", &theme::SMALL, palette.text2);
    }

    /// An amount as it is, or with three digits where that is too wide; the card tells it to the minor unit on hover.
    fn fitting(
        &self,
        ui: &Ui,
        money: Money,
        font: &egui::FontId,
        room: f32,
        whole: fn(&Self, Money) -> String,
    ) -> String {
        let text = whole(self, money);
        if text_width(ui.painter(), &text, font) <= room {
            return text;
        }
        let brief = self.view.figures.brief(money.minor(), self.digits());
        if text.starts_with('(') { brief } else { unparenthesised(&brief) }
    }

    fn unsigned(&self, money: Money) -> String {
        self.view.figures.unsigned(money.minor(), self.digits())
    }

    /// The total, and at its right what marks the placement. The mark is shortened before the figure gets smaller.
    fn total(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let at = pos2(inner.min.x, inner.min.y + y);
        let total = self.amount(self.result().totals.total);
        let marks = self.marks(palette);
        let tag_width = |text: &str| text_width(painter, text, &theme::SMALL) + 12.0;
        let least = marks.iter().map(|(text, ..)| tag_width(text)).fold(f32::MAX, f32::min);
        let least = if least < f32::MAX { least + 6.0 } else { 0.0 };
        // The figure gets smaller, and is shortened at last, before it would run into its mark.
        let brief = self.view.figures.brief(self.result().totals.total.minor(), self.digits());
        let (large, small) = (theme::semibold(20.0), theme::semibold(13.0));
        let ways = [(&total, &large), (&total, &small), (&brief, &large), (&brief, &small)];
        let fits = |(text, font): &&(&String, &egui::FontId)| text_width(painter, text, font) + least <= inner.width();
        let (text, font) = ways.iter().find(fits).copied().unwrap_or((&brief, &small));
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, text, font, palette.text);
        let room = inner.max.x - taken.max.x - 6.0;
        let mark = marks.iter().find(|(text, ..)| tag_width(text) <= room).or(marks.last());
        if let Some((text, fill, ink)) = mark {
            tag(painter, pos2(inner.max.x, at.y), text, *fill, *ink);
        }
    }

    /// What marks the placement, the longest wording first.
    fn marks(&self, palette: &Palette) -> Vec<(String, Color32, Color32)> {
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

    /// The difference to the reference. Where the figure that it is of does not stand above it, the row names it.
    fn delta_row(&self, ui: &Ui, inner: Rect, y: f32, named: bool) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let to = format!("Δ to {}", icons::letter(self.view.reference));
        let figure = short_figure(self.deciding());
        let brief = |money: Money| text_width(painter, &self.brief(money), &theme::BODY) + 18.0;
        let room = inner.width() - self.to_reference().map_or(60.0, |difference| brief(difference.amount));
        let ways = if named { vec![format!("{to}, {figure}"), format!("Δ {figure}"), to] } else { vec![to] };
        let fits = |label: &&String| text_width(painter, label, &theme::SMALL) <= room;
        let label = ways.iter().find(fits).or(ways.last()).cloned().unwrap_or_default();
        let Some(difference) = self.to_reference() else {
            row(ui, inner, y, &label, if self.is_cheapest() { "reference" } else { ZERO }, palette.text3);
            return;
        };
        let middle = inner.min.y + y;
        let taken =
            painted_text(painter, pos2(inner.min.x, middle), Align2::LEFT_CENTER, &label, &theme::SMALL, palette.text2);
        let (mut right, left) = (inner.max.x, taken.max.x + 8.0);
        if let compare::Relative::Share(share) = difference.relative {
            let percent = format!("{} %", self.view.figures.percent(share.abs()));
            let brief = unparenthesised(&self.view.figures.brief(difference.amount.minor(), self.digits()));
            let wanted = [&percent, &brief].map(|text| text_width(painter, text, &theme::BODY)).iter().sum::<f32>();
            if wanted + 16.0 <= right - left {
                let at = pos2(right, middle);
                let taken = painted_text(painter, at, Align2::RIGHT_CENTER, &percent, &theme::BODY, palette.text2);
                right = taken.min.x - 6.0;
            }
        }
        let text = self.fitting(ui, difference.amount, &theme::BODY, right - left - 10.0, Self::unsigned);
        self.change(ui, pos2(right, middle), difference.amount, &text, &theme::BODY);
    }

    /// A signed change ending at `right`: a triangle and the figure. Returns where it begins.
    fn change(&self, ui: &Ui, right: egui::Pos2, money: Money, text: &str, font: &egui::FontId) -> f32 {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        if money.is_zero() {
            return painted_text(painter, right, Align2::RIGHT_CENTER, ZERO, font, palette.text3).min.x;
        }
        let up = money > Money::ZERO;
        let colour = if up { palette.dearer } else { palette.cheaper };
        let taken = painted_text(painter, right, Align2::RIGHT_CENTER, text, font, colour);
        icons::triangle(painter, pos2(taken.min.x - 6.0, right.y), up, colour);
        taken.min.x - 10.0
    }

    /// The first class with output, which is what a portfolio names first.
    fn first_output(&self) -> Option<&WorkloadResult> {
        self.now().scenario.workloads.iter().find_map(|workload| {
            let found = self.result().workloads.iter().find(|w| w.id == workload.id)?;
            found.cost_per_output.is_some().then_some(found)
        })
    }

    fn per_output(&self, ui: &Ui, width: f32) -> (String, String) {
        let Some(class) = self.first_output() else { return ("Per output".to_owned(), ZERO.to_owned()) };
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

    /// What the last edit has changed, and at the right everything since the saved file.
    fn since_row(&self, ui: &Ui, inner: Rect, y: f32) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let middle = inner.min.y + y;
        let ([long, short], saved) = self.since_start();
        let edit = self.since_edit();
        let width = |text: &str| text_width(painter, text, &theme::SMALL);
        let mark = |money: Money| if money.is_zero() { 6.0 } else { 16.0 };
        let [whole, brief] = [Self::unsigned as fn(&Self, Money) -> String, Self::brief];
        let taken = |label: &str, of: fn(&Self, Money) -> String| {
            let figures = [edit, saved].map(|money| width(&of(self, money)) + mark(money)).iter().sum::<f32>();
            width("Edit") + width(label) + figures + 12.0
        };
        let ways = [(long, whole), (short, whole), (long, brief), (short, brief)];
        let (label, of) =
            ways.into_iter().find(|(label, of)| taken(label, *of) <= inner.width()).unwrap_or((short, brief));
        let at = pos2(inner.min.x, middle);
        let begun = painted_text(painter, at, Align2::LEFT_CENTER, "Edit", &theme::SMALL, palette.text2);
        let ends = begun.max.x + width(&of(self, edit)) + mark(edit);
        self.change(ui, pos2(ends, middle), edit, &of(self, edit), &theme::SMALL);
        let begins = self.change(ui, pos2(inner.max.x, middle), saved, &of(self, saved), &theme::SMALL) - 4.0;
        painted_text(painter, pos2(begins, middle), Align2::RIGHT_CENTER, label, &theme::SMALL, palette.text2);
    }

    fn brief(&self, money: Money) -> String {
        if money.is_zero() {
            ZERO.to_owned()
        } else {
            unparenthesised(&self.view.figures.brief(money.minor(), self.digits()))
        }
    }
}

/// A line of a card, under its total.
#[derive(Clone, PartialEq)]
enum Line {
    /// What it serves, and so whether it can be cheapest.
    Service,
    PresentValue,
    PerOutput,
    Shares,
    Deciding,
    ToReference,
    Since,
}

/// A shortened figure beside a triangle that says its sign.
fn unparenthesised(text: &str) -> String {
    text.trim_start_matches('(').trim_end_matches(')').to_owned()
}

/// The fixed part as a width of the bar, and both parts as text that adds up to 100. A part outside 0 to 100 has no bar.
pub fn fixed_share(result: &PlacementResult) -> Option<(f32, String)> {
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
pub fn conventions_ui(ui: &mut Ui, document: &Document, view: &View, commands: &mut Vec<Command>) {
    let snapshot = document.now();
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(ui.max_rect(), 0, palette.ground);
    ui.horizontal_centered(|ui| {
        ui.add_space(INSET);
        ui.spacing_mut().item_spacing.x = 10.0;
        let names = Scale::ALL.map(Scale::name);
        let width = |ui: &Ui, text: &str| text_width(ui.painter(), text, &theme::SMALL);
        let switch: f32 = names.iter().map(|name| width(ui, name) + 16.0).sum();
        let case = document.live().name(&document.base().scenario);
        let case = elided(ui.painter(), &case, &theme::semibold(12.0), CASE);
        let case_width = width(ui, "Case: ") + text_width(ui.painter(), &case, &theme::semibold(12.0)) + 36.0;
        let mut left = ui.available_width() - switch - 3.0 * INSET - case_width;
        let conventions = conventions(snapshot, view);
        for (i, convention) in conventions.iter().enumerate() {
            let wanted = width(ui, convention) + 21.0;
            if left < wanted + if i + 1 < conventions.len() { 24.0 } else { 0.0 } {
                // What there is no room for is told on hover.
                let rest = ui.label(egui::RichText::new("…").font(theme::SMALL).color(palette.text2));
                rest.told(conventions[i..].join("\n"));
                break;
            }
            left -= wanted;
            if i > 0 {
                let (rect, _) = ui.allocate_exact_size(vec2(1.0, 14.0), Sense::hover());
                ui.painter().rect_filled(rect, 0, palette.line);
            }
            ui.label(egui::RichText::new(convention).font(theme::SMALL).color(palette.text2));
        }
        let (rect, _) = ui.allocate_exact_size(vec2(1.0, 14.0), Sense::hover());
        ui.painter().rect_filled(rect, 0, palette.line);
        case_ui(ui, document, &case, case_width - 12.0, commands);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(INSET);
            let current = Scale::ALL.iter().position(|scale| *scale == view.figures.scale).unwrap_or(0);
            if let Some(chosen) = segments_ui(ui, "Show amounts in", &names, current, 20.0) {
                commands.push(Command::Scale(Scale::ALL[chosen]));
            }
        });
    });
}

/// Which case is shown, and the list of those there are.
fn case_ui(ui: &mut Ui, document: &Document, shown: &str, width: f32, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 22.0), Sense::click());
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, "Case");
        info.current_text_value = Some(document.live().name(&document.base().scenario));
        info
    });
    if response.hovered() {
        painter.rect_filled(rect, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, rect, 2, 2.0, palette.accent);
    }
    let at = pos2(rect.min.x + 4.0, rect.center().y);
    let taken = painted_text(painter, at, Align2::LEFT_CENTER, "Case: ", &theme::SMALL, palette.text2);
    let ink = if document.is_over_base() { palette.accent } else { palette.text };
    let at = pos2(taken.max.x, rect.center().y);
    let taken = painted_text(painter, at, Align2::LEFT_CENTER, shown, &theme::semibold(12.0), ink);
    icons::icon(painter, icons::Icon::Down, pos2(taken.max.x + 9.0, rect.center().y), 12.0, palette.text2);
    egui::Popup::menu(&response).accessible_name("Case").show(|ui| {
        for choice in choices(document) {
            let button = egui::Button::selectable(choice.is_shown, choice.name).shortcut_text(choice.key.to_string());
            if ui.add(button).clicked() {
                commands.push(Command::Live(choice.wish));
                ui.close();
            }
        }
    });
}

/// The conventions as the command writes them, each a part of a line of its own.
fn conventions(snapshot: &Snapshot, view: &View) -> Vec<String> {
    let figures = crate::show::Figures { marks: view.figures.marks, ..crate::show::Figures::default() };
    let all = crate::words::conventions(&snapshot.scenario, None, figures);
    // The case has a control of its own.
    let shown = all.into_iter().filter(|convention| convention.name != "case");
    shown.map(|convention| crate::words::sentence(&convention.text)).collect()
}
