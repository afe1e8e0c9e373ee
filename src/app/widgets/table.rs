//! A table of figures: painted on whole points, digits under digits, and every cell read out with its row and column.
//!
//! It knows no number: cells come as text that `show` has made.

use egui::accesskit::Role;
use egui::{Align2, Color32, Rect, Response, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::labels::{Told, elided, growing_width, painted_text, text_width};
use crate::app::explain::Target;
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, PARENTHESIS, Palette};

/// Where the texts of a column stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A column: its heading, and how wide it is.
pub struct Column {
    pub heading: String,
    /// The placement whose square is the heading; `heading` is then what is read out.
    pub badge: Option<usize>,
    pub width: f32,
    pub align: Align,
    /// Whether the column is the one in focus.
    pub focused: bool,
    /// A hairline at the left of the column.
    pub ruled: bool,
}

/// How a row stands among the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowKind {
    Plain,
    /// The sum of the rows under it.
    Family,
    /// Below a rule, in the heavier face.
    Total,
    /// Part of a total: its name indented and quiet.
    Part,
    /// Below a hairline.
    Ruled,
    /// Its name is pressed to go where it leads.
    Leading,
}

/// A row: its name and its cells, one for each column after the first.
pub struct Row {
    pub kind: RowKind,
    pub name: String,
    pub swatch: Option<Color32>,
    /// Whether the rows under it are shown, where they can be folded away.
    pub fold: Option<bool>,
    pub cells: Vec<TableCell>,
}

/// The text of one cell, and what is told of it on hover.
#[derive(Clone, Debug, Default)]
pub struct TableCell {
    pub text: String,
    /// Words instead of a figure: small and quiet.
    pub words: bool,
    /// A quieter figure: a difference beside the amounts.
    pub quiet: bool,
    pub hover: String,
    /// What is explained when the figure is pressed.
    pub explains: Option<Target>,
}

impl TableCell {
    pub fn figure(text: String, hover: String) -> Self {
        Self { text, hover, ..Self::default() }
    }

    pub fn words(text: &str) -> Self {
        Self { text: text.to_owned(), words: true, ..Self::default() }
    }

    pub fn explaining(mut self, target: Target) -> Self {
        self.explains = Some(target);
        self
    }

    pub fn quiet(mut self) -> Self {
        self.quiet = true;
        self
    }
}

const HEADER: f32 = 24.0;
const INSET: f32 = 4.0;

/// What a person did with the figures of a table.
#[derive(Default)]
pub struct Asked {
    /// The figure that was pressed.
    pub pressed: Option<Target>,
    /// The figure that has the keyboard.
    pub focused: Option<Target>,
    /// The name of the row whose rows were folded or unfolded.
    pub folded: Option<String>,
    /// The row whose name was pressed to go where it leads.
    pub led: Option<usize>,
}

/// Widens columns to what stands in them: a figure is never cut, and never runs into its neighbour.
pub fn fit(ui: &Ui, columns: &mut [Column], rows: &[Row]) {
    let around = 2.0 * INSET + PARENTHESIS;
    for (i, column) in columns.iter_mut().enumerate().skip(1) {
        let heading =
            if column.badge.is_some() { 0.0 } else { text_width(ui.painter(), &column.heading, &theme::SMALL) };
        let cells = rows.iter().filter_map(|row| row.cells.get(i - 1).map(|cell| (row, cell)));
        let figures = cells.map(|(row, cell)| growing_width(ui.painter(), &cell.text, &row.font(cell)));
        column.width = column.width.max((figures.fold(heading, f32::max) + around).ceil());
    }
}

/// Draws a table whose figures can be pressed. `name` is what assistive technology calls it, and `explained` the figure that
/// is explained at present. While part of it is scrolled out of sight, its headings stay at the top and its totals at the
/// bottom.
pub fn table_ui(
    ui: &mut Ui,
    name: &str,
    columns: &[Column],
    rows: &[Row],
    explained: Option<&Target>,
) -> (Response, Asked) {
    let mut asked = Asked::default();
    let width = columns.iter().map(|column| column.width).sum::<f32>();
    let height = |rows: &[Row]| rows.iter().map(|row| row.kind.height()).sum::<f32>();
    let (rect, response) = ui.allocate_exact_size(vec2(width, HEADER + height(rows)), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Table, true, name));
    let (body, foot) = rows.split_at(rows.iter().position(|row| row.kind == RowKind::Total).unwrap_or(rows.len()));
    backgrounds(ui, rect, columns, rows);
    rows_ui(ui, rect.min + vec2(0.0, HEADER), (name, 0), columns, body, explained, &mut asked);
    let clip = ui.clip_rect();
    let foot_top = rect.max.y - height(foot);
    let sunk = foot_top.min(clip.max.y - height(foot)).max(rect.min.y + HEADER + 3.0 * RowKind::Plain.height());
    if sunk < foot_top {
        band(ui, Rect::from_min_size(pos2(rect.min.x, sunk), vec2(width, height(foot))), columns);
    }
    rows_ui(ui, pos2(rect.min.x, sunk.min(foot_top)), (name, body.len()), columns, foot, explained, &mut asked);
    let head_top = rect.min.y.max(clip.min.y).min(sunk.min(foot_top) - HEADER).max(rect.min.y);
    let head = Rect::from_min_size(pos2(rect.min.x, head_top), vec2(width, HEADER));
    if rect.min.y < head_top {
        band(ui, head, columns);
    }
    header_ui(ui, head, name, columns);
    (response, asked)
}

/// The ground of rows that stand over others.
fn band(ui: &Ui, rect: Rect, columns: &[Column]) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    painter.rect_filled(rect, 0, palette.surface);
    column_grounds(ui, rect, columns);
}

fn rows_ui(
    ui: &Ui,
    at: egui::Pos2,
    (name, first): (&str, usize),
    columns: &[Column],
    rows: &[Row],
    explained: Option<&Target>,
    asked: &mut Asked,
) {
    let width = columns.iter().map(|column| column.width).sum::<f32>();
    let mut y = at.y;
    for (i, row) in rows.iter().enumerate() {
        let band = Rect::from_min_size(pos2(at.x, y), vec2(width, row.kind.height()));
        row_ui(ui, band, (name, first + i), columns, row, explained, asked);
        y = band.max.y;
    }
}

impl Row {
    fn font(&self, cell: &TableCell) -> egui::FontId {
        match (cell.words, self.kind.heavy()) {
            (true, _) => theme::SMALL,
            (false, true) => theme::semibold(13.0),
            (false, false) => theme::BODY,
        }
    }
}

impl RowKind {
    const fn height(self) -> f32 {
        match self {
            Self::Total => 24.0,
            Self::Ruled => 22.0,
            Self::Plain | Self::Family | Self::Part | Self::Leading => 20.0,
        }
    }

    const fn heavy(self) -> bool {
        matches!(self, Self::Family | Self::Total)
    }
}

fn backgrounds(ui: &Ui, rect: Rect, columns: &[Column], rows: &[Row]) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let mut y = rect.min.y + HEADER;
    for row in rows {
        let band = Rect::from_min_size(pos2(rect.min.x, y), vec2(rect.width(), row.kind.height()));
        if row.kind == RowKind::Family {
            painter.rect_filled(band, 0, palette.sunken);
        }
        y = band.max.y;
    }
    column_grounds(ui, rect, columns);
}

/// The column in focus, and the hairlines between columns.
fn column_grounds(ui: &Ui, rect: Rect, columns: &[Column]) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let mut x = rect.min.x;
    for column in columns {
        if column.focused {
            let band = Rect::from_min_size(pos2(x, rect.min.y), vec2(column.width, rect.height()));
            painter.rect_filled(band, 0, palette.sel);
        }
        if column.ruled {
            painter.vline(x + 0.5, rect.y_range(), Stroke::new(1.0, palette.line));
        }
        x += column.width;
    }
}

fn header_ui(ui: &Ui, rect: Rect, name: &str, columns: &[Column]) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let middle = rect.min.y + HEADER / 2.0;
    let mut x = rect.min.x;
    for (i, column) in columns.iter().enumerate() {
        let cell = Rect::from_min_size(pos2(x, rect.min.y), vec2(column.width, HEADER));
        x += column.width;
        match (column.badge, column.align) {
            (Some(index), _) => {
                let right = cell.max.x - INSET - PARENTHESIS - 8.0;
                icons::badge(painter, pos2(right, middle), index, 16.0, palette);
            }
            (None, Align::Left) => {
                let at = pos2(cell.min.x + INSET, middle);
                painted_text(painter, at, Align2::LEFT_CENTER, &column.heading, &theme::SMALL, palette.text2);
            }
            (None, Align::Right) => {
                let at = pos2(cell.max.x - INSET - PARENTHESIS, middle);
                painted_text(painter, at, Align2::RIGHT_CENTER, &column.heading, &theme::SMALL, palette.text2);
            }
        }
        let response = ui.interact(cell, ui.scope_id().with((name, "heading", i)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, &column.heading));
        if column.badge.is_some() {
            response.told(&column.heading);
        }
    }
    painter.hline(rect.x_range(), rect.min.y + HEADER - 0.5, Stroke::new(1.0, palette.line2));
}

fn row_ui(
    ui: &Ui,
    band: Rect,
    salt: (&str, usize),
    columns: &[Column],
    row: &Row,
    explained: Option<&Target>,
    asked: &mut Asked,
) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    match row.kind {
        RowKind::Family | RowKind::Ruled => {
            painter.hline(band.x_range(), band.min.y + 0.5, Stroke::new(1.0, palette.line));
        }
        RowKind::Total => {
            painter.hline(band.x_range(), band.min.y + 0.5, Stroke::new(1.0, palette.text));
        }
        RowKind::Plain | RowKind::Part | RowKind::Leading => {}
    }
    let Some((first, others)) = columns.split_first() else { return };
    if name_ui(ui, band.with_max_x(band.min.x + first.width), salt, row) {
        match row.kind {
            RowKind::Leading => asked.led = Some(salt.1),
            _ => asked.folded = Some(row.name.clone()),
        }
    }
    let mut x = band.min.x + first.width;
    for (i, (column, cell)) in others.iter().zip(&row.cells).enumerate() {
        let place = Rect::from_min_size(pos2(x, band.min.y), vec2(column.width, band.height()));
        x += column.width;
        if !cell.text.is_empty() {
            let is_explained = explained.is_some() && cell.explains.as_ref() == explained;
            let response = cell_ui(ui, place, (salt, i), column, (row, cell), is_explained);
            if response.clicked() {
                asked.pressed.clone_from(&cell.explains);
            }
            if response.has_focus() {
                asked.focused.clone_from(&cell.explains);
            }
        }
    }
}

/// The name of a row; says whether it was pressed: to fold or unfold what stands under it, or to go where it leads.
fn name_ui(ui: &Ui, place: Rect, salt: (&str, usize), row: &Row) -> bool {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let leads = row.kind == RowKind::Leading;
    let sense = if row.fold.is_some() || leads { Sense::click() } else { Sense::hover() };
    let response = ui.interact(place, ui.scope_id().with((salt, "name")), sense);
    let mut x = place.min.x + INSET;
    if leads && response.hovered() {
        painter.rect_filled(place, 0, palette.hover);
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    if let Some(open) = row.fold {
        if response.hovered() {
            painter.rect_filled(place, 0, palette.hover);
        }
        let icon = if open { Icon::Down } else { Icon::Right };
        icons::icon(painter, icon, pos2(x + 5.0, place.center().y), 12.0, palette.text2);
        x += 18.0;
    }
    if let Some(colour) = row.swatch {
        icons::swatch(painter, pos2(x + 23.0, place.center().y), colour);
    }
    let indented = row.swatch.is_some() || row.kind == RowKind::Part;
    x += if row.swatch.is_some() {
        35.0
    } else if indented {
        18.0
    } else {
        0.0
    };
    let font = if row.kind.heavy() { theme::semibold(13.0) } else { theme::BODY };
    let ink = match row.kind {
        RowKind::Part => palette.text2,
        RowKind::Leading => palette.accent,
        _ => palette.text,
    };
    let text = elided(painter, &row.name, &font, place.max.x - x - INSET);
    painted_text(painter, pos2(x, place.center().y), Align2::LEFT_CENTER, &text, &font, ink);
    if response.has_focus() {
        icons::border(painter, place, 2, 2.0, palette.accent);
    }
    match row.fold {
        Some(open) => response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, true, open, &row.name)),
        None if leads => response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &row.name)),
        None => response.widget_info(|| WidgetInfo::labeled(Role::RowHeader, true, &row.name)),
    }
    let clicked = response.clicked();
    if text != row.name {
        response.told(&row.name);
    }
    clicked
}

fn cell_ui(
    ui: &Ui,
    place: Rect,
    salt: impl std::hash::Hash + std::fmt::Debug,
    column: &Column,
    (row, cell): (&Row, &TableCell),
    is_explained: bool,
) -> Response {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let font = row.font(cell);
    let ink = match (cell.words, cell.quiet && !row.kind.heavy()) {
        (true, _) => palette.text3,
        (_, true) => palette.text2,
        _ => palette.text,
    };
    let (at, anchor) = match column.align {
        Align::Left => (pos2(place.min.x + INSET, place.center().y), Align2::LEFT_CENTER),
        Align::Right => {
            let pad = if cell.text.ends_with(')') { 0.0 } else { PARENTHESIS };
            (pos2(place.max.x - INSET - pad, place.center().y), Align2::RIGHT_CENTER)
        }
    };
    let sense = if cell.explains.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(place, ui.scope_id().with(salt), sense);
    if cell.explains.is_some() && response.hovered() {
        painter.rect_filled(place.shrink2(vec2(0.0, 1.0)), 2, palette.hover);
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    if response.has_focus() || is_explained {
        icons::border(painter, place.shrink2(vec2(0.0, 1.0)), 2, 2.0, palette.accent);
    }
    // Some digits of a figure read as another figure: where the edge cuts its column, there is only a sign of it.
    let clip = ui.clip_rect();
    if place.min.x < clip.min.x - 1.0 || clip.max.x + 1.0 < place.max.x {
        if !cell.text.is_empty() {
            let at = if clip.max.x < place.max.x { place.left_center() } else { place.right_center() - vec2(8.0, 0.0) };
            painted_text(painter, at, Align2::LEFT_CENTER, "…", &font, palette.text3);
        }
    } else {
        painted_text(painter, at, anchor, &cell.text, &font, ink);
    }
    let role = if cell.explains.is_some() { Role::Button } else { Role::Cell };
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(role, true, format!("{}, {}", row.name, column.heading));
        info.current_text_value = Some(cell.text.clone());
        info
    });
    if cell.hover.is_empty() { response } else { response.told(&cell.hover) }
}
