//! Presenter mode: what a room sees while values are tried. Large type, no paths and no notes.
//!
//! It lays out what was evaluated and what the analysis compares; it computes no money.

mod chart;

use egui::accesskit::Role;
use egui::{
    Align2, CentralPanel, Color32, Frame, Margin, Panel, Pos2, Rect, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use self::chart::Lines;
use super::answer_bar::fixed_share;
use super::command::Command;
use super::document::{Document, Snapshot};
use super::edit;
use super::icons::{self, Icon};
use super::live::cases::{Choice, choices};
use super::live::panel;
use super::theme::{self, Palette};
use super::view::View;
use super::widgets::{elided, painted_text, text_width};
use crate::analysis::{compare, shift};
use crate::engine::PlacementResult;
use crate::quantity::Money;
use crate::scenario::inputs::lower_first;
use crate::show::{Figures, Scale, ZERO};
use crate::words;

pub use self::chart::Axes;

const INSET: f32 = 32.0;
/// The line of the title, and a row of cases beneath it.
const HEAD: f32 = 64.0;
const CASE_ROW: f32 = 46.0;
/// What a case takes beside its name: its key, and space.
const AROUND: f32 = 44.0;
/// Cards are no narrower than this; where more are needed than fit, they stand in two rows without their last lines.
const CARD: f32 = 236.0;
/// How high a card is: whole, and as one of two rows.
const WHOLE: f32 = 222.0;
const SHORT: f32 = 128.0;

/// What the room is shown.
pub struct Presenter<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    /// Lines of the log: a time and a name.
    pub changes: Vec<(String, String)>,
    pub on_release: bool,
}

impl Presenter<'_> {
    pub fn ui(
        &self,
        ui: &mut Ui,
        axes: &mut Axes,
        levers: &mut panel::Levers,
        drafts: &mut super::widgets::Drafts,
        commands: &mut Vec<Command>,
    ) {
        let palette = Palette::of(ui.visuals());
        let bare = |fill| Frame::new().fill(fill);
        let width = ui.available_width();
        let rows = self.case_rows(ui, width);
        #[expect(clippy::cast_precision_loss, reason = "a handful of rows")]
        let head = HEAD + CASE_ROW * rows.len() as f32;
        Panel::top("room head")
            .exact_size(head)
            .frame(bare(palette.surface))
            .show(ui, |ui| self.head_ui(ui, rows, commands));
        Panel::bottom("room keys").exact_size(48.0).frame(bare(palette.ground)).show(ui, |ui| self.keys_ui(ui));
        let (wide, inset) = if width < 1500.0 { (width * 0.3, 20.0) } else { (464.0, INSET) };
        let panel = panel::Panel {
            document: self.document,
            figures: self.view.figures,
            dress: panel::Dress::room(inset),
            on_release: self.on_release,
        };
        Panel::right("room levers")
            .exact_size(wide.max(320.0))
            .resizable(false)
            .frame(bare(palette.ground))
            .show(ui, |ui| levers.room_ui(ui, &panel, drafts, &self.changes, commands));
        let inner = Margin { left: 32, right: 32, top: 16, bottom: 0 };
        CentralPanel::default().frame(bare(palette.surface).inner_margin(inner)).show(ui, |ui| {
            ui.spacing_mut().item_spacing = egui::Vec2::ZERO;
            self.cards_ui(ui, commands);
            ui.add_space(12.0);
            self.banner_ui(ui);
            ui.add_space(12.0);
            self.chart_ui(ui, axes);
        });
    }

    fn now(&self) -> &Snapshot {
        self.document.now()
    }

    /// The amounts in millions where there are any, so that a change shows in a figure that is read at a glance.
    fn figures(&self) -> Figures {
        let digits = self.now().evaluation.currency.minor_digits;
        let largest = self.results().iter().map(|result| self.figure_of(result).minor().abs()).max().unwrap_or(0);
        let units = 10_i128.checked_pow(digits).and_then(|unit| largest.checked_div(unit)).unwrap_or(0);
        let scale = match units {
            1_000_000.. => Scale::Millions,
            100_000.. => Scale::Thousands,
            _ => Scale::Units,
        };
        Figures { scale, ..self.view.figures }
    }

    fn unit(&self) -> &'static str {
        match self.figures().scale {
            Scale::Millions => "m",
            Scale::Thousands => "k",
            Scale::Units => "",
        }
    }

    fn unsigned(&self, money: Money) -> String {
        let text = self.figures().unsigned(money.minor(), self.now().evaluation.currency.minor_digits);
        if self.unit().is_empty() { text } else { format!("{text} {}", self.unit()) }
    }

    fn results(&self) -> &[PlacementResult] {
        &self.now().evaluation.placements
    }

    /// The figure that decides.
    fn figure_of(&self, result: &PlacementResult) -> Money {
        result.deciding(self.now().evaluation.decision_figure)
    }

    /// The name of the scenario as far as there is room for it.
    fn title(&self, ui: &Ui, width: f32) -> (String, f32) {
        let bold = theme::semibold(22.0);
        let name = elided(ui.painter(), &self.now().scenario.name, &bold, width * 0.34);
        let taken = text_width(ui.painter(), &name, &bold);
        (name, taken)
    }

    /// How the cases are told in rows of their own beneath the title: none where they fit beside it, since a room has to
    /// read their names.
    fn case_rows(&self, ui: &Ui, width: f32) -> Vec<Vec<(Choice, f32)>> {
        let room = width - 2.0 * INSET;
        let wanted = |choice: &Choice| (text_width(ui.painter(), &choice.name, &theme::ROOM_SMALL) + AROUND).min(room);
        let choices = choices(self.document);
        let every: f32 = choices.iter().map(|choice| wanted(choice) + 8.0).sum();
        // What the figures are stands beside the title in any case.
        let scope = text_width(ui.painter(), &self.scope(), &theme::ROOM_SMALL) + 48.0;
        if every + scope <= room - self.title(ui, width).1 - 24.0 {
            return Vec::new();
        }
        let (mut rows, mut taken) = (Vec::<Vec<(Choice, f32)>>::new(), f32::INFINITY);
        for choice in choices {
            let width = wanted(&choice);
            if taken + width > room {
                rows.push(Vec::new());
                taken = 0.0;
            }
            taken += width + 8.0;
            rows.last_mut().into_iter().for_each(|row| row.push((choice.clone(), width)));
        }
        rows
    }

    fn head_ui(&self, ui: &mut Ui, rows: Vec<Vec<(Choice, f32)>>, commands: &mut Vec<Command>) {
        let rect = ui.max_rect();
        let palette = Palette::of(ui.visuals());
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line));
        let middle = rect.min.y + HEAD / 2.0;
        let (name, width) = self.title(ui, rect.width());
        let left = pos2(rect.min.x + INSET, middle);
        painted_text(ui.painter(), left, Align2::LEFT_CENTER, &name, &theme::semibold(22.0), palette.text);
        let taken = left.x + width;
        let mut ends = rect.max.x - INSET;
        if rows.is_empty() {
            for choice in choices(self.document).into_iter().rev() {
                let width = text_width(ui.painter(), &choice.name, &theme::ROOM_SMALL) + AROUND;
                let place = Rect::from_min_max(pos2(ends - width, middle - 20.0), pos2(ends, middle + 20.0));
                ends = place.min.x - 8.0;
                self.case_ui(ui, place, choice, commands);
            }
        }
        let mut top = rect.min.y + HEAD - 8.0;
        for row in rows {
            let mut x = rect.min.x + INSET;
            for (choice, width) in row {
                let place = Rect::from_min_size(pos2(x, top), vec2(width, 40.0));
                x += width + 8.0;
                self.case_ui(ui, place, choice, commands);
            }
            top += CASE_ROW;
        }
        let scope = self.scope();
        let room = ends - taken - 48.0;
        if room > 120.0 {
            let scope = elided(ui.painter(), &scope, &theme::ROOM_SMALL, room);
            let at = pos2(taken + 24.0, middle);
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, &scope, &theme::ROOM_SMALL, palette.text2);
        }
    }

    /// What the figures of the cards are, over which time, and in what.
    fn scope(&self) -> String {
        let evaluation = &self.now().evaluation;
        format!(
            "{} over {} months from {}, {}{}",
            words::sentence(evaluation.decision_figure.label()),
            evaluation.horizon_months,
            self.now().scenario.start,
            evaluation.currency.code,
            self.figures().scale.word()
        )
    }

    /// The base or a case as a button, with the key that shows it.
    fn case_ui(&self, ui: &Ui, place: Rect, choice: Choice, commands: &mut Vec<Command>) {
        let response = ui.interact(place, ui.scope_id().with(("room case", &choice.name)), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::RadioButton, true, choice.is_shown, format!("Show {}", choice.name))
        });
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let (fill, ink, quiet) = if choice.is_shown {
            (palette.accent, palette.onaccent, palette.onaccent)
        } else {
            (palette.surface, palette.text, palette.text2)
        };
        painter.rect_filled(place, 4, fill);
        icons::border(painter, place, 4, 1.0, if choice.is_shown { palette.accent } else { palette.ctrl });
        if response.has_focus() {
            let ring = if choice.is_shown { palette.onaccent } else { palette.accent };
            icons::border(painter, place.shrink(2.0), 3, 2.0, ring);
        }
        let at = pos2(place.min.x + 10.0, place.center().y);
        let key = choice.key.to_string();
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, &key, &theme::ROOM_SMALL, quiet);
        let name = elided(painter, &choice.name, &theme::ROOM_SMALL, place.max.x - taken.max.x - 14.0);
        let at = pos2(taken.max.x + 8.0, place.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, &name, &theme::ROOM_SMALL, ink);
        if response.clicked() {
            commands.push(Command::Live(choice.wish));
        }
    }

    fn keys_ui(&self, ui: &Ui) {
        let rect = ui.max_rect();
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        painter.hline(rect.x_range(), rect.min.y + 0.5, Stroke::new(1.0, palette.line));
        let (middle, font) = (rect.center().y, &theme::ROOM_SMALL);
        let leave = "leaves presenter mode";
        let at = pos2(rect.max.x - INSET, middle);
        let taken = painted_text(painter, at, Align2::RIGHT_CENTER, leave, font, palette.text2);
        let at = pos2(taken.min.x - 8.0, middle);
        let end = painted_text(painter, at, Align2::RIGHT_CENTER, "F5", font, palette.text).min.x;
        let undo = self.document.undoable().map(|label| format!("undo: {label}"));
        let undo_keys = ui.ctx().format_shortcut(&egui::KeyboardShortcut::new(egui::Modifiers::COMMAND, egui::Key::Z));
        let keys = [
            ("B", "base".to_owned()),
            ("1 – 9", "cases".to_owned()),
            ("Left, Right", "step a lever".to_owned()),
            ("Enter", "type a value".to_owned()),
        ];
        let mut x = rect.min.x + INSET;
        for (key, what) in keys.into_iter().chain(undo.map(|undo| (undo_keys.as_str(), undo))) {
            let key_width = text_width(painter, key, font) + 8.0;
            if x + key_width + 60.0 > end {
                break;
            }
            painted_text(painter, pos2(x, middle), Align2::LEFT_CENTER, key, font, palette.text);
            let what = elided(painter, &what, font, end - x - key_width - 24.0);
            let at = pos2(x + key_width, middle);
            x = painted_text(painter, at, Align2::LEFT_CENTER, &what, font, palette.text2).max.x + 24.0;
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a handful of placements"
    )]
    fn cards_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let count = self.results().len();
        if count == 0 {
            return;
        }
        let width = ui.available_width();
        let (line, response) = ui.allocate_exact_size(vec2(width, 26.0), Sense::hover());
        let figure = words::sentence(self.now().evaluation.decision_figure.label());
        let figure = format!("{figure} of each placement");
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &figure));
        let ink = Palette::of(ui.visuals()).text2;
        painted_text(ui.painter(), line.left_center(), Align2::LEFT_CENTER, &figure, &theme::ROOM_SMALL, ink);
        let fit = ((width / CARD).floor() as usize).max(1);
        let in_row = if count <= fit { count } else { count.div_ceil(2).min(fit) };
        let height = if count <= fit { WHOLE } else { SHORT };
        // More than two rows would leave no room for the chart: what is dearest is left to the levers' page.
        let rows = count.div_ceil(in_row).min(2);
        for row in 0..rows {
            let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
            for column in 0..in_row {
                let index = row * in_row + column;
                if index >= count {
                    break;
                }
                let each = width / in_row as f32;
                let left = rect.min.x + each * column as f32;
                let place = Rect::from_min_size(pos2(left, rect.min.y), vec2(each, height));
                self.card_ui(ui, place, index, column, commands);
            }
        }
        let (rule, _) = ui.allocate_exact_size(vec2(width, 1.0), Sense::hover());
        ui.painter().rect_filled(rule, 0, Palette::of(ui.visuals()).line2);
    }

    /// What the figure that decides has changed by since the base.
    fn since_base(&self, index: usize) -> Option<(Money, Money)> {
        let result = &self.results()[index];
        let base = self.document.base().evaluation.placements.iter().find(|base| base.id == result.id)?;
        let (was, is) = (self.figure_of(base), self.figure_of(result));
        Some((was, is - was))
    }

    fn to_reference(&self, index: usize) -> Option<Money> {
        let reference = self.results().get(self.view.reference)?;
        let figure = |result| Some(self.figure_of(result));
        let difference = compare::difference(figure(&self.results()[index]), figure(reference));
        difference.map(|difference| difference.amount)
    }

    fn said(&self, index: usize) -> String {
        let result = &self.results()[index];
        let mut said =
            format!("{} {}, {}", icons::letter(index), result.name, self.now().evaluation.decision_figure.label());
        if self.now().evaluation.cheapest == Some(index) {
            said += ", cheapest";
        } else if !result.meets_service {
            said += ", does not serve everything";
        }
        if let Some((was, since)) = self.since_base(index).filter(|(_, since)| !since.is_zero()) {
            let way = if since > Money::ZERO { "more" } else { "less" };
            said += &format!(", {} {way} than in the base, was {}", self.unsigned(since), self.unsigned(was));
        }
        said
    }

    fn card_ui(&self, ui: &Ui, rect: Rect, index: usize, column: usize, commands: &mut Vec<Command>) {
        let result = &self.results()[index];
        let evaluation = &self.now().evaluation;
        let response = ui.interact(rect, ui.scope_id().with(("room card", index)), Sense::click());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Button, true, self.said(index));
            let exact = self.view.figures.exact(self.figure_of(result).minor(), evaluation.currency.minor_digits);
            info.current_text_value = Some(exact);
            info
        });
        if response.clicked() {
            commands.push(Command::Reference(index));
        }
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let pad = if column == 0 { 0.0 } else { 20.0 };
        let inner = Rect::from_min_max(rect.min + vec2(pad, 0.0), rect.max - vec2(20.0, 12.0));
        if column > 0 {
            painter.vline(rect.min.x, inner.y_range(), Stroke::new(1.0, palette.line));
        }
        if response.has_focus() {
            icons::border(painter, rect.shrink(2.0), 0, 2.0, palette.accent);
        }
        icons::badge(painter, inner.min + vec2(16.0, 18.0), index, 32.0, palette);
        let room = inner.width() - 42.0;
        let font = name_font(painter, self.results(), room);
        let at = inner.min + vec2(42.0, 18.0);
        for (line, drop) in lines_of(painter, &result.name, &font, room) {
            painted_text(painter, at + vec2(0.0, drop), Align2::LEFT_CENTER, &line, &font, palette.text);
        }
        self.total(ui, inner, 62.0, index);
        self.since_row(ui, inner, 102.0, index);
        if rect.height() < WHOLE {
            return;
        }
        let reference = icons::letter(self.view.reference);
        let difference = self.to_reference(index);
        self.row(ui, inner, 132.0, &format!("Against {reference}"), difference.map_or(Change::None, Change::Of));
        let class = self.now().scenario.workloads.iter().find_map(|workload| {
            let found = result.workloads.iter().find(|of| of.id == workload.id)?;
            Some((found.output_unit.clone(), found.cost_per_output?.decimal()?))
        });
        if let Some((unit, cost)) = class {
            self.row(ui, inner, 162.0, &format!("Per {unit}"), Change::Text(self.view.figures.ratio(cost)));
        }
        self.shares(ui, inner, 192.0, result);
    }

    /// The large figure, with its mark where there is room beside it.
    fn total(&self, ui: &Ui, inner: Rect, y: f32, index: usize) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let result = &self.results()[index];
        let total = self.figures().amount(self.figure_of(result).minor(), self.now().evaluation.currency.minor_digits);
        let at = pos2(inner.min.x, inner.min.y + y);
        let mark = if self.now().evaluation.cheapest == Some(index) {
            Some(("cheapest".to_owned(), palette.cheaper, palette.onaccent))
        } else if !result.meets_service {
            let share = result.least_share_served.decimal().map(|share| self.view.figures.floor_percent(share));
            let share = share.unwrap_or_else(|| ZERO.to_owned());
            Some((format!("serves {share} %"), palette.warnbg, palette.warn))
        } else if self.view.reference == index {
            Some(("reference".to_owned(), palette.neutralbg, palette.text2))
        } else {
            None
        };
        let marked = mark.as_ref().map_or(0.0, |(text, ..)| text_width(painter, text, &theme::ROOM_SMALL) + 24.0);
        let unit = text_width(painter, self.unit(), &theme::ROOM_BODY) + 10.0;
        // The figure gets smaller before its mark is left out.
        let sizes = [theme::ROOM_LARGE, 38.0, 32.0, 28.0, 22.0];
        let fits = |size: &&f32| text_width(painter, &total, &theme::semibold(**size)) + unit + marked <= inner.width();
        let font = theme::semibold(*sizes.iter().find(fits).unwrap_or(&22.0));
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, &total, &font, palette.text);
        let beside = pos2(taken.max.x + 8.0, at.y + font.size * 0.17);
        painted_text(painter, beside, Align2::LEFT_CENTER, self.unit(), &theme::ROOM_BODY, palette.text2);
        let Some((text, fill, ink)) = mark else { return };
        let field = Rect::from_min_max(pos2(inner.max.x - marked + 4.0, at.y - 14.0), pos2(inner.max.x, at.y + 14.0));
        painter.rect_filled(field.round(), 3, fill);
        painted_text(painter, field.center(), Align2::CENTER_CENTER, &text, &theme::ROOM_SMALL, ink);
    }

    fn since_row(&self, ui: &Ui, inner: Rect, y: f32, index: usize) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let at = pos2(inner.min.x, inner.min.y + y);
        let Some((was, since)) = self.since_base(index).filter(|(_, since)| !since.is_zero()) else {
            painted_text(painter, at, Align2::LEFT_CENTER, "as in the base", &theme::ROOM_SMALL, palette.text2);
            return;
        };
        let right = self.signed(ui, at, since, &theme::semibold(22.0));
        let was = format!("since base, was {}", self.unsigned(was));
        let ways = [was.as_str(), "since base"];
        let fits = |text: &&&str| right + 10.0 + text_width(painter, text, &theme::ROOM_SMALL) <= inner.max.x;
        if let Some(text) = ways.iter().find(fits) {
            painted_text(
                painter,
                pos2(right + 10.0, at.y),
                Align2::LEFT_CENTER,
                text,
                &theme::ROOM_SMALL,
                palette.text2,
            );
        }
    }

    /// A triangle and a figure without its sign, beginning at `at`; says where they end.
    fn signed(&self, ui: &Ui, at: Pos2, money: Money, font: &egui::FontId) -> f32 {
        let (ink, up) = direction(ui, money);
        icons::large_triangle(ui.painter(), at + vec2(8.0, 0.0), 14.0, up, ink);
        painted_text(ui.painter(), at + vec2(22.0, 0.0), Align2::LEFT_CENTER, &self.unsigned(money), font, ink).max.x
    }

    fn row(&self, ui: &Ui, inner: Rect, y: f32, label: &str, what: Change) {
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let (text, ink, up) = match what {
            Change::Of(money) if !money.is_zero() => {
                let (ink, up) = direction(ui, money);
                (self.unsigned(money), ink, Some(up))
            }
            Change::Text(text) => (text, palette.text, None),
            _ => (ZERO.to_owned(), palette.text, None),
        };
        let at = pos2(inner.max.x, inner.min.y + y);
        let taken = painted_text(painter, at, Align2::RIGHT_CENTER, &text, &theme::ROOM_BODY, ink);
        let mut left = taken.min.x;
        if let Some(up) = up {
            icons::large_triangle(painter, pos2(left - 12.0, at.y), 12.0, up, ink);
            left -= 24.0;
        }
        let label = elided(painter, label, &theme::ROOM_SMALL, left - inner.min.x - 8.0);
        let at = pos2(inner.min.x, at.y);
        painted_text(painter, at, Align2::LEFT_CENTER, &label, &theme::ROOM_SMALL, palette.text2);
    }

    fn shares(&self, ui: &Ui, inner: Rect, y: f32, result: &PlacementResult) {
        let Some((fixed, text)) = fixed_share(result) else { return };
        self.row(ui, inner, y, "Fixed : usage", Change::Text(text));
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let left = inner.min.x + text_width(painter, "Fixed : usage", &theme::ROOM_SMALL) + 16.0;
        let right = inner.max.x - 92.0;
        if right - left < 40.0 {
            return;
        }
        let middle = inner.min.y + y;
        let bar = Rect::from_min_max(pos2(left.max(right - 160.0), middle - 7.0), pos2(right, middle + 7.0)).round();
        let edge = (bar.min.x + bar.width() * fixed).round();
        painter.rect_filled(bar.with_max_x(edge), 0, palette.fixed);
        painter.rect_filled(bar.with_min_x((edge + 2.0).min(bar.max.x)), 0, palette.usage);
    }

    /// What is cheapest, and what made it so. It always takes the same room, so that nothing jumps.
    fn banner_ui(&self, ui: &mut Ui) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 56.0), Sense::hover());
        let shift = shift::shift(&self.document.base().evaluation, &self.now().evaluation);
        let naming = words::Naming {
            letter: &icons::letter,
            amount: &|money| self.unsigned(money),
            value: self.only_value(),
            over_base: self.document.is_over_base(),
        };
        let (lead, reason) = words::shift(&shift, &naming);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{lead} {reason}").trim_end()));
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        painter.rect_filled(rect, 0, palette.ground);
        let edge = shift.to.map_or(palette.warnfill, |to| palette.placement(to));
        painter.rect_filled(rect.with_max_x(rect.min.x + 6.0), 0, edge);
        let mut x = rect.min.x + 20.0;
        if let Some(to) = shift.to {
            icons::badge(painter, pos2(x + 16.0, rect.center().y), to, 32.0, palette);
            x += 48.0;
        }
        let bold = theme::semibold(22.0);
        let lead_font = if shift.changes() { &bold } else { &theme::ROOM_BODY };
        let whole = text_width(painter, &lead, lead_font) + 8.0 + text_width(painter, &reason, &theme::ROOM_BODY);
        let small = x + whole > rect.max.x - 12.0;
        let (lead_font, font) = if small {
            (if shift.changes() { theme::semibold(18.0) } else { theme::ROOM_SMALL }, theme::ROOM_SMALL)
        } else {
            (lead_font.clone(), theme::ROOM_BODY)
        };
        let room = rect.max.x - 12.0 - x;
        let whole = text_width(painter, &lead, &lead_font) + 8.0 + text_width(painter, &reason, &font);
        if whole <= room || reason.is_empty() {
            let taken =
                painted_text(painter, pos2(x, rect.center().y), Align2::LEFT_CENTER, &lead, &lead_font, palette.text);
            let at = pos2(taken.max.x + 8.0, rect.center().y);
            painted_text(painter, at, Align2::LEFT_CENTER, &reason, &font, palette.text);
        } else {
            painted_text(
                painter,
                pos2(x, rect.center().y - 13.0),
                Align2::LEFT_CENTER,
                &lead,
                &lead_font,
                palette.text,
            );
            let reason = elided(painter, &reason, &font, room);
            painted_text(painter, pos2(x, rect.center().y + 13.0), Align2::LEFT_CENTER, &reason, &font, palette.text);
        }
    }

    /// The one value that differs from the base, as it stands in a sentence: `0.52 schedulable utilisation`.
    fn only_value(&self) -> Option<String> {
        let mut positions = self.document.positions().iter();
        let (path, value) = positions.next().filter(|_| positions.next().is_none())?;
        let input = self.document.base().input(path)?;
        let cell = edit::cell(input);
        let shown = self.view.figures.cell(value.decimal(), cell);
        let unit = if cell == crate::show::Cell::Percent { " %" } else { "" };
        let label = lower_first(&input.label);
        let comma = if label.contains(',') { "," } else { "" };
        Some(format!("{shown}{unit} {label}{comma}"))
    }

    fn chart_ui(&self, ui: &mut Ui, axes: &mut Axes) {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::hover());
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let title = "Cumulative total cost";
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, title));
        let at = pos2(rect.min.x, rect.center().y);
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, title, &theme::semibold(22.0), palette.text);
        let code = self.now().evaluation.currency.code;
        let what =
            if self.document.is_over_base() { "thick: now, dotted: base; axes locked" } else { "base; axes locked" };
        let scope = format!("{code}{}, not discounted, {what}", self.figures().scale.word());
        let at = pos2(taken.max.x + 16.0, rect.center().y);
        let scope = elided(painter, &scope, &theme::ROOM_SMALL, rect.max.x - at.x - 40.0);
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, &scope, &theme::ROOM_SMALL, palette.text2);
        icons::icon(painter, Icon::Lock, pos2(taken.max.x + 22.0, rect.center().y), 20.0, palette.text2);
        let room = ui.available_size();
        if room.y < 90.0 {
            return;
        }
        let (rect, response) = ui.allocate_exact_size(room, Sense::hover());
        let lines = Lines {
            now: self.now(),
            base: self.document.base(),
            over_base: self.document.is_over_base(),
            reference: self.view.reference,
            figures: self.figures(),
            unit: self.unit(),
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Figure, true, title));
        lines.paint(ui, rect, axes.around(self.document));
    }
}

/// The largest type in which the names of all placements are whole, the same for all.
fn name_font(painter: &egui::Painter, results: &[PlacementResult], room: f32) -> egui::FontId {
    const SMALLEST: f32 = 15.0;
    let fits =
        |size: &f32| results.iter().all(|result| text_width(painter, &result.name, &theme::semibold(*size)) <= room);
    theme::semibold([22.0, 20.0, 18.0, 16.0].into_iter().find(fits).unwrap_or(SMALLEST))
}

/// A name in one line, or in two above and below its middle where one is too short; each with how far it hangs.
fn lines_of(painter: &egui::Painter, name: &str, font: &egui::FontId, room: f32) -> Vec<(String, f32)> {
    if text_width(painter, name, font) <= room {
        return vec![(name.to_owned(), 0.0)];
    }
    let middle = name.len() / 2;
    let spaces = name.match_indices(' ').map(|(at, _)| at);
    let Some(at) = spaces.min_by_key(|at| at.abs_diff(middle)) else {
        return vec![(elided(painter, name, font, room), 0.0)];
    };
    let (first, second) = name.split_at(at);
    let half = font.size * 0.6;
    vec![(elided(painter, first, font, room), -half), (elided(painter, second.trim_start(), font, room), half)]
}

/// What stands at the right of a row of a card.
enum Change {
    None,
    Of(Money),
    Text(String),
}

/// The colour of a change, and whether it is an increase.
fn direction(ui: &Ui, money: Money) -> (Color32, bool) {
    let palette = Palette::of(ui.visuals());
    let up = money > Money::ZERO;
    (if up { palette.dearer } else { palette.cheaper }, up)
}
