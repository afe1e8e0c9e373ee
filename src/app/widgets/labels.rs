//! Small things that are read, not pressed: badges, tags, banners, and text that fits its place.
//!
//! Whatever is painted here is also said to assistive technology.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{
    Align2, Color32, CursorIcon, FontId, Galley, Painter, Pos2, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2,
};

use crate::app::icons;
use crate::app::theme::{self, Palette};

/// What is told of a widget on hover.
pub trait Told: Sized {
    /// Tells a text. A dialog that stands before the widget silences it, since the text would cover the dialog.
    fn told(self, text: impl Into<egui::WidgetText>) -> Self {
        self.told_by(|ui| {
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.label(text);
        })
    }

    fn told_by(self, add: impl FnOnce(&mut Ui)) -> Self;

    /// Tells what the pointer rests on, beside it.
    fn told_at_pointer(self, add: impl FnOnce(&mut Ui)) -> Self;
}

impl Told for Response {
    fn told_by(self, add: impl FnOnce(&mut Ui)) -> Self {
        let layer = self.layer_id;
        if self.ctx.memory(|memory| memory.allows_interaction(layer)) { self.on_hover_ui(add) } else { self }
    }

    fn told_at_pointer(self, add: impl FnOnce(&mut Ui)) -> Self {
        let layer = self.layer_id;
        if self.ctx.memory(|memory| memory.allows_interaction(layer)) { self.on_hover_ui_at_pointer(add) } else { self }
    }
}

/// Paints text and returns the space it took.
pub fn painted_text(painter: &Painter, at: Pos2, anchor: Align2, text: &str, font: &FontId, colour: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), font.clone(), colour);
    let rect = anchor.anchor_size(at, galley.size());
    painter.galley(pos2(rect.min.x.round(), rect.min.y.round()), galley, colour);
    rect
}

pub fn text_width(painter: &Painter, text: &str, font: &FontId) -> f32 {
    painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::BLACK).size().x
}

/// How wide a figure is, with room to grow: its digits are filled up to a whole group of three, so that a digit more moves
/// nothing.
pub fn growing_width(painter: &Painter, text: &str, font: &FontId) -> f32 {
    let whole = text.split(['.', '%']).next().unwrap_or(text);
    let digits = whole.chars().filter(char::is_ascii_digit).count();
    let more = digits.next_multiple_of(3) - digits;
    #[expect(clippy::cast_precision_loss, reason = "no more than two digits")]
    let room = text_width(painter, "8", font) * more as f32;
    text_width(painter, text, font) + room
}

/// The text, cut with `…` where it would be wider than `width`. For names; a figure is never cut.
pub fn elided(painter: &Painter, text: &str, font: &FontId, width: f32) -> String {
    if text_width(painter, text, font) <= width {
        return text.to_owned();
    }
    let mut kept: Vec<char> = text.chars().collect();
    while !kept.is_empty() {
        kept.pop();
        let shorter: String = kept.iter().collect::<String>().trim_end().to_owned() + "…";
        if text_width(painter, &shorter, font) <= width {
            return shorter;
        }
    }
    "…".to_owned()
}

/// The text laid out in as many lines as it takes to be whole in this width.
pub fn wrapped(painter: &Painter, text: &str, font: &FontId, width: f32, colour: Color32) -> Arc<Galley> {
    painter.layout(text.to_owned(), font.clone(), colour, width)
}

/// Text that is pressed, inside `place`. Says whether it was.
pub fn link_at(ui: &Ui, place: Rect, text: &str, name: &str, anchor: Align2, font: &FontId) -> bool {
    let palette = Palette::of(ui.visuals());
    let response = ui.interact(place, ui.scope_id().with((name, "link")), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, name));
    if response.hovered() {
        ui.painter().rect_filled(place, 2, palette.hover);
        ui.ctx().set_cursor_icon(CursorIcon::PointingHand);
    }
    if response.has_focus() {
        icons::border(ui.painter(), place, 2, 2.0, palette.accent);
    }
    let at = match anchor {
        Align2::CENTER_CENTER => place.center(),
        _ => pos2(place.max.x, place.center().y),
    };
    painted_text(ui.painter(), at, anchor, text, font, palette.accent);
    response.clicked()
}

/// A word on a coloured field; `right` is where it ends. Returns where it begins.
pub fn tag(painter: &Painter, right: Pos2, text: &str, fill: Color32, ink: Color32) -> f32 {
    let galley = painter.layout_no_wrap(text.to_owned(), theme::SMALL, ink);
    let size = vec2(galley.size().x.ceil() + 10.0, 16.0);
    let rect = Rect::from_min_size(pos2((right.x - size.x).round(), (right.y - 8.0).round()), size);
    painter.rect_filled(rect, 2, fill);
    painter.galley(pos2(rect.min.x + 5.0, rect.center().y - galley.size().y / 2.0), galley, ink);
    rect.min.x
}

/// A warning across the page, whole and wrapped where it is long. The first sentence is the heavier one.
pub fn banner_ui(ui: &mut Ui, lead: &str, rest: &str) -> Response {
    let palette = Palette::of(ui.visuals());
    let mut job = egui::text::LayoutJob::default();
    job.wrap.max_width = ui.available_width() - 46.0;
    let format = |font| egui::TextFormat { font_id: font, color: palette.text, ..Default::default() };
    job.append(lead, 0.0, format(theme::semibold(12.0)));
    job.append(&format!(" {rest}"), 0.0, format(theme::SMALL));
    let galley = ui.painter().layout_job(job);
    let height = (galley.size().y + 12.0).max(28.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let painter = ui.painter();
    painter.rect_filled(rect, 2, palette.warnbg);
    painter.rect_filled(Rect::from_min_size(rect.min, vec2(3.0, height)), 0, palette.warnfill);
    icons::warning(painter, pos2(rect.min.x + 21.0, rect.min.y + 14.0), palette);
    painter.galley(pos2(rect.min.x + 34.0, rect.center().y - galley.size().y / 2.0), galley, palette.text);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{lead} {rest}")));
    response
}
