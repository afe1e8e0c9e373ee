//! Postings crossed: what stands down, what stands across, and totals on both sides. A cell leads to its postings.
//!
//! It draws what the analysis crossed. A cell without a posting stays empty, which is not zero.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Sense, Stroke, Ui, WidgetInfo, pos2};

use super::listing::{figure_width, swatch};
use super::{LedgerView, Page, Question};
use crate::analysis::postings::{Book, Dimension, Pivot, Sum};
use crate::app::command::Command;
use crate::app::icons;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Align, Grid, GridColumn, Part, Place, Sorted, Told, left, text_width};
use crate::quantity::Money;

const SWATCH: f32 = 16.0;
const BADGE: f32 = 22.0;

pub fn ui(ui: &mut Ui, page: &Page<'_>, ledger: &mut LedgerView, commands: &mut Vec<Command>) {
    let LedgerView { book, answer, cursor, go_to, asked: Question { filter, every, measure, .. }, .. } = ledger;
    let (Some((_, book)), Some((_, answer))) = (book, answer) else { return };
    let Some(pivot) = &answer.pivot else { return };
    let money = |sum: Sum| measure.of_sum(sum.amounts);
    let widths = answer.widths.get_or_insert_with(|| widths(ui, page, book, pivot, &money));
    let columns = columns(book, pivot, widths);
    let across = pivot.columns.len();
    // The last row is that of the totals.
    *cursor = (cursor.0.min(pivot.lines.len()), cursor.1.min(across));
    let grid = Grid { name: "Pivot", columns: &columns, frozen: pivot.down.len(), rows: pivot.lines.len(), foot: 1 };
    let focused = ui.memory(|memory| memory.has_focus(ui.scope_id().with(("grid", "Pivot"))));
    let at = focused.then_some(*cursor);
    let mut pressed = None;
    let scroll_to = go_to.take();
    let outcome = grid.show(ui, scroll_to, &mut |ui, place| {
        let palette = Palette::of(ui.visuals());
        let row = match place.part {
            Part::Row(row) => row,
            Part::Foot(_) => pivot.lines.len(),
        };
        let line = pivot.lines.get(row);
        let named = line.map_or_else(|| "Total".to_owned(), |line| labels(book, &pivot.down, &line.keys).join(", "));
        match line {
            None => {
                ui.painter().hline(place.rect.x_range(), place.rect.min.y + 0.5, Stroke::new(1.0, palette.text));
                place.text(ui, 0, Align::Left, "Total", &theme::semibold(13.0), palette.text);
            }
            Some(line) => {
                place.response.widget_info(|| WidgetInfo::labeled(Role::RowHeader, true, &named));
                if place.response.hovered() {
                    ui.painter().rect_filled(place.rect, 0, palette.hover);
                }
                let above = row.checked_sub(1).map(|above| pivot.lines[above].keys.as_slice());
                names_ui(ui, place, book, pivot, &line.keys, above);
            }
        }
        for column in 0..=across {
            let sum = match line {
                Some(line) if column < across => line.cells[column],
                Some(line) => Some(line.total),
                None if column < across => Some(pivot.totals[column]),
                None => Some(pivot.sum),
            };
            let Some(sum) = sum else { continue };
            let heading = &columns[pivot.down.len() + column].heading;
            let text = page.figures().posted(money(sum).minor(), page.digits());
            let heavy = line.is_none() || column == across;
            let cell = CellText { name: format!("{named}, {heading}"), text, heavy };
            if cell_ui(ui, place, pivot.down.len() + column, &cell) {
                pressed = Some((row, column));
            }
        }
        if let Some((_, column)) = at.filter(|(at, _)| *at == row)
            && let Some(cell) = place.cell(pivot.down.len() + column)
        {
            icons::border(
                &ui.painter().with_clip_rect(place.clip(pivot.down.len() + column)),
                cell,
                0,
                2.0,
                palette.accent,
            );
        }
    });
    if let Some(cell) = pressed {
        *cursor = cell;
    }
    if page.has_keys && outcome.has_focus {
        let key = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (down, up, right, left) =
            (key(Key::ArrowDown), key(Key::ArrowUp), key(Key::ArrowRight), key(Key::ArrowLeft));
        if 0 < down + up + right + left {
            cursor.0 = (cursor.0 + down).saturating_sub(up).min(pivot.lines.len());
            cursor.1 = (cursor.1 + right).saturating_sub(left).min(across);
            *go_to = Some(cursor.0.min(pivot.lines.len().saturating_sub(1)));
            ui.request_repaint();
        }
        if 0 < key(Key::Enter) {
            pressed = Some(*cursor);
        }
    }
    if let Some((row, column)) = pressed {
        let (mut by, mut keys) = (Vec::new(), Vec::new());
        if let Some(line) = pivot.lines.get(row) {
            by.extend(&pivot.down);
            keys.extend(&line.keys);
        }
        if let Some(key) = pivot.columns.get(column) {
            by.push(pivot.across);
            keys.push(*key);
        }
        commands.push(Command::Postings(page.narrowed(filter, *every, book, &by, &keys)));
        ui.request_repaint();
    }
}

fn labels<'a>(book: &'a Book, by: &[Dimension], keys: &[usize]) -> Vec<&'a str> {
    by.iter().zip(keys).map(|(dimension, key)| book.label(*dimension, *key)).collect()
}

fn widths(ui: &Ui, page: &Page<'_>, book: &Book, pivot: &Pivot, money: &dyn Fn(Sum) -> Money) -> Vec<f32> {
    let painter = ui.painter();
    let name = |(at, dimension): (usize, &Dimension)| {
        let texts = pivot.lines.iter().map(|line| book.label(*dimension, line.keys[at]));
        let widest = texts.map(|text| text_width(painter, text, &theme::BODY)).fold(0.0, f32::max);
        let before = match dimension {
            Dimension::Category => SWATCH,
            Dimension::Placement => BADGE,
            _ => 0.0,
        };
        (widest + before + 20.0).max(GridColumn::least(painter, dimension.label())).clamp(96.0, 260.0).ceil()
    };
    let figure = |column: usize| {
        let cells = pivot.lines.iter().filter_map(|line| line.cells[column]).chain([pivot.totals[column]]);
        let heading = GridColumn::least(painter, book.label(pivot.across, pivot.columns[column]));
        figure_width(ui, page, cells.map(money)).max(heading)
    };
    let figures: Vec<f32> = (0..pivot.columns.len()).map(figure).collect();
    // Columns of one width are easier to read down and across.
    let widest = figures.into_iter().fold(72.0, f32::max);
    let totals = figure_width(ui, page, pivot.lines.iter().map(|line| money(line.total)).chain([money(pivot.sum)]));
    let names = pivot.down.iter().enumerate().map(name);
    names.chain(pivot.columns.iter().map(|_| widest)).chain([totals.max(widest)]).collect()
}

fn columns(book: &Book, pivot: &Pivot, widths: &[f32]) -> Vec<GridColumn> {
    let names = pivot.down.iter().map(|dimension| (dimension.label(), Align::Left));
    let across = pivot.columns.iter().map(|key| (book.label(pivot.across, *key), Align::Right));
    let headings = names.chain(across).chain([("Total", Align::Right)]);
    let column = |((heading, align), width): ((&str, Align), &f32)| GridColumn {
        heading: heading.to_owned(),
        width: *width,
        align,
        sorted: Sorted::Never,
    };
    headings.zip(widths).map(column).collect()
}

/// The names of a row; one that stands above already is not said again.
fn names_ui(ui: &Ui, place: &Place, book: &Book, pivot: &Pivot, keys: &[usize], above: Option<&[usize]>) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    for (column, (dimension, key)) in pivot.down.iter().zip(keys).enumerate() {
        let is_last = column + 1 == pivot.down.len();
        let is_said = above.is_some_and(|above| above[..=column] == keys[..=column]) && !is_last;
        let Some(cell) = place.cell(column).filter(|_| !is_said) else { continue };
        let mut x = cell.min.x + 6.0;
        match dimension {
            Dimension::Category => {
                icons::swatch(painter, pos2(x + 5.0, cell.center().y), swatch(palette, *key));
                x += SWATCH;
            }
            Dimension::Placement => {
                icons::badge(painter, pos2(x + 8.0, cell.center().y), *key, 16.0, palette);
                x += BADGE;
            }
            _ => {}
        }
        let label = book.label(*dimension, *key);
        let text = cell.with_min_x(x).with_max_x(cell.max.x - 6.0);
        if left(painter, text, label, &theme::BODY, palette.text) {
            place.response.clone().told(label);
        }
    }
}

struct CellText {
    name: String,
    text: String,
    heavy: bool,
}

/// A figure that leads to its postings. Returns whether it was pressed.
fn cell_ui(ui: &Ui, place: &Place, column: usize, shown: &CellText) -> bool {
    let palette = Palette::of(ui.visuals());
    let Some(cell) = place.cell(column) else { return false };
    let seen = cell.intersect(place.clip(column));
    let response = ui.interact(seen, place.response.id.with(("cell", column)), Sense::CLICK);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Cell, true, &shown.name);
        info.current_text_value = Some(shown.text.clone());
        info
    });
    if response.hovered() {
        ui.painter().rect_filled(seen, 0, palette.sel);
    }
    let font = if shown.heavy { theme::semibold(13.0) } else { theme::BODY };
    place.text(ui, column, Align::Right, &shown.text, &font, palette.text);
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}
