//! A long table: only the rows in sight are drawn, its heading and its totals stay, and it is one stop for the keyboard.
//!
//! It knows where cells are. What stands in them, what is selected and what a key means is up to whoever draws it.

use std::ops::Range;

use egui::accesskit::Role;
use egui::scroll_area::ScrollBarVisibility;
use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, EventFilter, FontId, Id, Painter, Rect, Response, ScrollArea, Sense, Stroke, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use super::labels::painted_text;
use super::table::Align;
use crate::app::icons;
use crate::app::theme::{self, PARENTHESIS, Palette};

/// How high the heading is, a row, and a row of totals.
pub const HEADING: f32 = 24.0;
pub const ROW: f32 = 20.0;
pub const FOOT: f32 = 24.0;
const INSET: f32 = 6.0;
/// What a mark of order takes beside a heading.
const MARK: f32 = 14.0;

/// In what order a column stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sorted {
    /// It has no order of its own.
    Never,
    No,
    Ascending,
    Descending,
}

pub struct GridColumn {
    pub heading: String,
    pub width: f32,
    pub align: Align,
    pub sorted: Sorted,
}

impl GridColumn {
    /// The least width that shows a heading whole, with the mark of its order.
    pub fn least(painter: &Painter, heading: &str) -> f32 {
        super::text_width(painter, heading, &theme::SMALL) + MARK + 2.0 * INSET
    }

    /// The width in which a text of this width stands.
    pub const fn around(text: f32) -> f32 {
        text + 2.0 * INSET + PARENTHESIS
    }
}

pub struct Grid<'a> {
    /// What assistive technology calls it.
    pub name: &'a str,
    pub columns: &'a [GridColumn],
    /// So many columns at the left stay when the others move.
    pub frozen: usize,
    pub rows: usize,
    /// So many rows of totals.
    pub foot: usize,
}

/// Which row is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Row(usize),
    Foot(usize),
}

/// Where a row stands, and what happened to it.
pub struct Place {
    pub part: Part,
    pub rect: Rect,
    pub response: Response,
    cells: Vec<Rect>,
    frozen: usize,
    moves_from: f32,
}

/// What happened to the table in this frame.
pub struct GridOutcome {
    /// The heading that was pressed.
    pub heading: Option<usize>,
    /// What to give the keyboard to.
    pub id: Id,
    pub has_focus: bool,
    /// So many rows are in sight.
    pub page: usize,
}

impl Place {
    /// The place of a cell; none where it is out of sight.
    pub fn cell(&self, column: usize) -> Option<Rect> {
        let cell = *self.cells.get(column)?;
        let seen = self.clip(column).intersect(cell);
        (seen.width() > 0.5).then_some(cell)
    }

    /// The places from one column up to another, as one.
    pub fn span(&self, columns: Range<usize>) -> Rect {
        self.cells[columns].iter().fold(Rect::NOTHING, |all, cell| all.union(*cell))
    }

    /// Where a column may be drawn: those that move pass under those that stay.
    pub fn clip(&self, column: usize) -> Rect {
        if column < self.frozen { self.rect } else { self.rect.with_min_x(self.moves_from) }
    }

    /// Draws a text in a cell: a name at the left, cut with `…` where it is too long, or a figure at the right, which is
    /// never cut. Returns whether it was cut.
    pub fn text(&self, ui: &Ui, column: usize, align: Align, text: &str, font: &FontId, ink: Color32) -> bool {
        let Some(cell) = self.cell(column) else { return false };
        let painter = ui.painter().with_clip_rect(self.clip(column).intersect(ui.clip_rect()));
        match align {
            Align::Left => left(&painter, cell.shrink2(vec2(INSET, 0.0)), text, font, ink),
            Align::Right => {
                let pad = if text.ends_with(')') { 0.0 } else { PARENTHESIS };
                let at = pos2(cell.max.x - INSET - pad, cell.center().y);
                // Half a figure reads as another one: what does not stand there whole does not stand there.
                let seen = painter.clip_rect();
                let is_whole = seen.min.x <= at.x - super::text_width(&painter, text, font) && at.x <= seen.max.x;
                let shown = if is_whole { text } else { "…" };
                painted_text(&painter, at, Align2::RIGHT_CENTER, shown, font, ink);
                false
            }
        }
    }
}

/// Draws a name at the left of its place, cut where it is too long. Returns whether it was.
pub fn left(painter: &Painter, place: Rect, text: &str, font: &FontId, ink: Color32) -> bool {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font.clone(), ink);
    job.wrap = TextWrapping::truncate_at_width(place.width().max(1.0));
    let galley = painter.layout_job(job);
    let cut = galley.elided;
    let at = pos2(place.min.x.round(), (place.center().y - galley.size().y / 2.0).round());
    painter.galley(at, galley, ink);
    cut
}

impl Grid<'_> {
    /// Draws the table in the room that is left, with the row `go_to` in sight. `draw` fills each row that can be seen.
    pub fn show(&self, ui: &mut Ui, go_to: Option<usize>, draw: &mut dyn FnMut(&mut Ui, &Place)) -> GridOutcome {
        let id = ui.scope_id().with(("grid", self.name));
        let room = ui.available_rect_before_wrap();
        let width: f32 = self.columns.iter().map(|column| column.width).sum();
        #[expect(clippy::cast_precision_loss, reason = "rows are counted in thousands")]
        let (rows, foot) = (self.rows as f32 * ROW, self.foot as f32 * FOOT);
        let bar = ui.spacing().scroll.allocated_width();
        let least = (2.0 * ROW).min(rows);
        let free = (room.height() - HEADING - foot).max(least);
        // A bar at the bottom where the columns do not fit beside the bar at the right.
        let is_wide = room.width() - if free < rows { bar } else { 0.0 } < width;
        let body = (rows + if is_wide { bar } else { 0.0 }).min(free).round();
        let (whole, _) = ui.allocate_exact_size(vec2(room.width(), HEADING + body + foot), Sense::hover());
        let heading = whole.with_max_y(whole.min.y + HEADING);
        let inside = Rect::from_min_size(heading.left_bottom(), vec2(whole.width(), body));
        let focus = ui.interact(inside, id, Sense::FOCUSABLE);
        focus.widget_info(|| WidgetInfo::labeled(Role::Table, true, self.name));
        if focus.has_focus() {
            let arrows = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
        }
        let (offset, inner) = self.body_ui(ui, inside, id, go_to, draw);
        let pressed = self.heading_ui(ui, heading.with_max_x(inner.max.x), offset, focus.has_focus());
        for row in 0..self.foot {
            #[expect(clippy::cast_precision_loss, reason = "a few rows of totals")]
            let top = inside.max.y + row as f32 * FOOT;
            let rect =
                Rect::from_min_max(pos2(inner.min.x, top), pos2(inner.max.x.min(inner.min.x + width), top + FOOT));
            let response = ui.interact(rect, id.with(("foot", row)), Sense::hover());
            draw(ui, &self.place(Part::Foot(row), rect, offset, response));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height in rows")]
        let page = (inner.height() / ROW) as usize;
        GridOutcome { heading: pressed, id, has_focus: focus.has_focus(), page }
    }

    fn body_ui(
        &self,
        ui: &mut Ui,
        inside: Rect,
        id: Id,
        go_to: Option<usize>,
        draw: &mut dyn FnMut(&mut Ui, &Place),
    ) -> (f32, Rect) {
        let width: f32 = self.columns.iter().map(|column| column.width).sum();
        let mut body = ui.new_child(UiBuilder::new().max_rect(inside).id_salt(("grid body", self.name)));
        // What fades at the edges would fade the columns that stay as well.
        body.spacing_mut().scroll.fade.strength = 0.0;
        // The bar of a table that begins beneath what is seen would be drawn at the edge of what is.
        let is_seen = inside.min.y < ui.clip_rect().max.y;
        let bars = if is_seen { ScrollBarVisibility::VisibleWhenNeeded } else { ScrollBarVisibility::AlwaysHidden };
        let area = ScrollArea::both()
            .scroll_bar_visibility(bars)
            .id_salt(self.name)
            .auto_shrink(false)
            .max_height(inside.height());
        let output = area.show_viewport(&mut body, |ui, viewport| {
            ui.set_width(width);
            #[expect(clippy::cast_precision_loss, reason = "rows are counted in thousands")]
            let top_of = |row: usize| row as f32 * ROW;
            ui.set_height(top_of(self.rows));
            let origin = ui.max_rect().min;
            let left = origin.x + viewport.min.x;
            let seen = width.min(viewport.width());
            let band = |row: usize| Rect::from_min_size(pos2(left, origin.y + top_of(row)), vec2(seen, ROW));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height in rows")]
            let (first, last) =
                ((viewport.min.y / ROW).floor().max(0.0) as usize, (viewport.max.y / ROW).ceil().max(0.0) as usize);
            for row in first..last.min(self.rows) {
                let response = ui.interact(band(row), id.with(row), Sense::CLICK);
                draw(ui, &self.place(Part::Row(row), band(row), viewport.min.x, response));
            }
            if let Some(row) = go_to {
                ui.scroll_to_rect(band(row), None);
            }
        });
        (output.state.clamped_offset().x, output.inner_rect)
    }

    fn place(&self, part: Part, rect: Rect, offset: f32, response: Response) -> Place {
        let (mut x, mut cells, mut moves_from) = (rect.min.x, Vec::with_capacity(self.columns.len()), rect.min.x);
        for (i, column) in self.columns.iter().enumerate() {
            let moved = if i < self.frozen { x } else { x - offset };
            cells.push(Rect::from_min_size(pos2(moved, rect.min.y), vec2(column.width, rect.height())));
            x += column.width;
            if i < self.frozen {
                moves_from = x;
            }
        }
        Place { part, rect, response, cells, frozen: self.frozen, moves_from }
    }

    fn heading_ui(&self, ui: &Ui, rect: Rect, offset: f32, has_focus: bool) -> Option<usize> {
        let palette = Palette::of(ui.visuals());
        let whole = ui.interact(rect, ui.scope_id().with((self.name, "headings")), Sense::hover());
        let place = self.place(Part::Row(0), rect, offset, whole);
        let width: f32 = self.columns.iter().map(|column| column.width).sum();
        let rule = rect.min.x..=rect.max.x.min(rect.min.x + width);
        // The keyboard may be here while no row is marked.
        let stroke = if has_focus { Stroke::new(2.0, palette.accent) } else { Stroke::new(1.0, palette.line2) };
        ui.painter().hline(rule, rect.max.y - stroke.width / 2.0, stroke);
        let mut pressed = None;
        for (i, column) in self.columns.iter().enumerate() {
            let Some(cell) = place.cell(i) else { continue };
            let seen = cell.intersect(place.clip(i)).intersect(ui.clip_rect());
            let sense = if column.sorted == Sorted::Never { Sense::hover() } else { Sense::click() };
            let response = ui.interact(seen, ui.scope_id().with((self.name, "heading", i)), sense);
            response.widget_info(|| {
                let mut info = WidgetInfo::labeled(Role::ColumnHeader, true, &column.heading);
                info.current_text_value = column.sorted.said().map(str::to_owned);
                info
            });
            let painter = ui.painter().with_clip_rect(seen);
            if response.hovered() && column.sorted != Sorted::Never {
                painter.rect_filled(seen.with_max_y(seen.max.y - 1.0), 0, palette.hover);
            }
            if response.has_focus() {
                icons::border(&painter, seen, 0, 2.0, palette.accent);
            }
            column.paint(&painter, cell, palette);
            if response.clicked() {
                pressed = Some(i);
            }
        }
        pressed
    }
}

impl GridColumn {
    fn paint(&self, painter: &Painter, cell: Rect, palette: &Palette) {
        let middle = cell.center().y;
        let is_sorted = matches!(self.sorted, Sorted::Ascending | Sorted::Descending);
        let ink = if is_sorted { palette.text } else { palette.text2 };
        let text = match self.align {
            Align::Left => {
                let at = pos2(cell.min.x + INSET, middle);
                painted_text(painter, at, Align2::LEFT_CENTER, &self.heading, &theme::SMALL, ink)
            }
            Align::Right => {
                let at = pos2(cell.max.x - INSET - PARENTHESIS, middle);
                painted_text(painter, at, Align2::RIGHT_CENTER, &self.heading, &theme::SMALL, ink)
            }
        };
        if is_sorted {
            let x = if self.align == Align::Left { text.max.x + 8.0 } else { text.min.x - 8.0 };
            icons::triangle(painter, pos2(x, middle), self.sorted == Sorted::Ascending, palette.accent);
        }
    }
}

impl Sorted {
    const fn said(self) -> Option<&'static str> {
        match self {
            Self::Never => None,
            Self::No => Some("not sorted"),
            Self::Ascending => Some("ascending"),
            Self::Descending => Some("descending"),
        }
    }
}
