//! Postings in groups that open and close, each with its subtotal.
//!
//! It flattens what the analysis grouped into the rows that are open, and draws those in sight.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Sense, Stroke, Ui, WidgetInfo, pos2};

use super::listing::{figure_width, swatch};
use super::{LedgerView, Page, Question};
use crate::analysis::explain::Measure;
use crate::analysis::postings::{Book, Dimension, Group, Sum};
use crate::app::command::Command;
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Align, Grid, GridColumn, Part, Place, Sorted, Told, left, text_width};

const INDENT: f32 = 18.0;
/// The mark that opens and closes, and a colour or a square, before a name.
const MARK: f32 = 18.0;
const SWATCH: f32 = 18.0;
const NAME: usize = 0;
const COUNT: usize = 1;

/// A group that can be seen, with what it is inside.
struct Line<'a> {
    group: &'a Group,
    /// The values from the outside in.
    keys: Vec<usize>,
    is_open: bool,
}

pub fn ui(ui: &mut Ui, page: &Page<'_>, ledger: &mut LedgerView, commands: &mut Vec<Command>) {
    let LedgerView { book, answer, folded, cursor, go_to, asked: Question { filter, every, .. }, .. } = ledger;
    let (Some((_, book)), Some((question, answer))) = (book, answer) else { return };
    let by = &question.by;
    let path = |keys: &[usize]| -> Vec<String> {
        by.iter().zip(keys).map(|(dimension, key)| book.choice(*dimension, *key).to_owned()).collect()
    };
    let mut lines = Vec::new();
    let is_open = |keys: &[usize]| folded.is_empty() || !folded.contains(&path(keys));
    flatten(&answer.grouped.groups, &mut Vec::new(), &is_open, &mut lines);
    let groups = &answer.grouped.groups;
    let widths = answer.widths.get_or_insert_with(|| widths(ui, page, book, by, groups, answer.sum));
    let columns = columns(by, widths);
    let grid = Grid { name: "Groups", columns: &columns, frozen: 1, rows: lines.len(), foot: 1 };
    cursor.0 = cursor.0.min(lines.len().saturating_sub(1));
    let at = cursor.0;
    let focused = ui.memory(|memory| memory.has_focus(ui.scope_id().with(("grid", "Groups"))));
    let (mut pressed, mut wanted) = (None, None);
    let scroll_to = go_to.take();
    let outcome = grid.show(ui, scroll_to, &mut |ui, place| match place.part {
        Part::Row(row) => {
            let line = &lines[row];
            let was = row_ui(ui, place, page, book, by, line, focused && row == at);
            if was == Some(Press::Postings) {
                wanted = Some(row);
            } else if was == Some(Press::Fold) {
                pressed = Some(row);
            }
        }
        Part::Foot(_) => {
            let palette = Palette::of(ui.visuals());
            ui.painter().hline(place.rect.x_range(), place.rect.min.y + 0.5, Stroke::new(1.0, palette.text));
            place.text(ui, NAME, Align::Left, "Total", &theme::semibold(13.0), palette.text);
            sums_ui(ui, place, page, "Total", answer.sum, true);
        }
    });
    if let Some(row) = pressed.or(wanted) {
        cursor.0 = row;
        ui.memory_mut(|memory| memory.request_focus(outcome.id));
    }
    if page.has_keys && outcome.has_focus {
        let key = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        let (down, up) = (key(Key::ArrowDown), key(Key::ArrowUp));
        if 0 < down + up {
            cursor.0 = (cursor.0 + down).saturating_sub(up).min(lines.len().saturating_sub(1));
            *go_to = Some(cursor.0);
            ui.request_repaint();
        }
        let line = lines.get(cursor.0);
        let is_open = line.is_some_and(|line| line.is_open);
        if (0 < key(Key::ArrowRight) && !is_open) || (0 < key(Key::ArrowLeft) && is_open) || 0 < key(Key::Space) {
            pressed = Some(cursor.0);
        }
        if 0 < key(Key::Enter) {
            wanted = Some(cursor.0);
        }
    }
    if let Some(line) = pressed.and_then(|row| lines.get(row)).filter(|line| !line.group.inner.is_empty()) {
        let path = path(&line.keys);
        if !folded.remove(&path) {
            folded.insert(path);
        }
        ui.request_repaint();
    }
    if let Some(line) = wanted.and_then(|row| lines.get(row)) {
        commands.push(Command::Postings(page.narrowed(filter, *every, book, by, &line.keys)));
        ui.request_repaint();
    }
}

fn flatten<'a>(
    groups: &'a [Group],
    above: &mut Vec<usize>,
    is_open: &dyn Fn(&[usize]) -> bool,
    lines: &mut Vec<Line<'a>>,
) {
    for group in groups {
        above.push(group.key);
        let open = !group.inner.is_empty() && is_open(above);
        lines.push(Line { group, keys: above.clone(), is_open: open });
        if open {
            flatten(&group.inner, above, is_open, lines);
        }
        above.pop();
    }
}

fn heading(by: &[Dimension]) -> String {
    by.iter().map(|dimension| dimension.label()).collect::<Vec<_>>().join(", ")
}

fn widths(ui: &Ui, page: &Page<'_>, book: &Book, by: &[Dimension], groups: &[Group], sum: Sum) -> Vec<f32> {
    let mut widest = GridColumn::least(ui.painter(), &heading(by));
    let mut amounts = vec![sum.amounts];
    measure(ui, book, by, groups, 0.0, &mut widest, &mut amounts);
    let figures = |measure: Measure| {
        let width = figure_width(ui, page, amounts.iter().map(|amounts| measure.of_sum(*amounts)));
        width.max(GridColumn::least(ui.painter(), measure.heading())).max(116.0)
    };
    [widest.clamp(220.0, 460.0).ceil(), 84.0].into_iter().chain(Measure::ALL.map(figures)).collect()
}

fn columns(by: &[Dimension], widths: &[f32]) -> Vec<GridColumn> {
    let figures = ["Postings", Measure::Total.heading(), Measure::PresentValue.heading()];
    let headings =
        std::iter::once((heading(by), Align::Left)).chain(figures.map(|name| (name.to_owned(), Align::Right)));
    let column = |((heading, align), width): ((String, Align), &f32)| GridColumn {
        heading,
        width: *width,
        align,
        sorted: Sorted::Never,
    };
    headings.zip(widths).map(column).collect()
}

/// The widest name and every amount, of groups within groups.
fn measure(
    ui: &Ui,
    book: &Book,
    by: &[Dimension],
    groups: &[Group],
    indent: f32,
    widest: &mut f32,
    amounts: &mut Vec<crate::engine::Amounts>,
) {
    let Some((&dimension, others)) = by.split_first() else { return };
    for group in groups {
        let text = text_width(ui.painter(), book.label(dimension, group.key), &theme::semibold(13.0));
        *widest = widest.max(text + indent + MARK + SWATCH + 16.0);
        amounts.push(group.sum.amounts);
        measure(ui, book, others, &group.inner, indent + INDENT, widest, amounts);
    }
}

/// What was pressed in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Press {
    Fold,
    Postings,
}

fn row_ui(
    ui: &Ui,
    place: &Place,
    page: &Page<'_>,
    book: &Book,
    by: &[Dimension],
    line: &Line<'_>,
    is_cursor: bool,
) -> Option<Press> {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let depth = line.keys.len() - 1;
    let (dimension, key) = (by[depth], line.group.key);
    let is_outer = !line.group.inner.is_empty();
    let label = book.label(dimension, key);
    let state = match (is_outer, line.is_open) {
        (false, _) => "",
        (true, true) => ", open",
        (true, false) => ", folded",
    };
    let names = by.iter().zip(&line.keys).map(|(dimension, key)| book.label(*dimension, *key));
    let name = names.collect::<Vec<_>>().join(", ");
    place.response.widget_info(|| WidgetInfo::labeled(Role::TreeItem, true, format!("{name}{state}")));
    if place.response.hovered() {
        painter.rect_filled(place.rect, 0, palette.hover);
    } else if is_outer && depth == 0 {
        painter.rect_filled(place.rect, 0, palette.sunken);
    }
    if depth == 0 {
        painter.hline(place.rect.x_range(), place.rect.min.y + 0.5, Stroke::new(1.0, palette.line));
    }
    if let Some(cell) = place.cell(NAME) {
        #[expect(clippy::cast_precision_loss, reason = "a depth of three")]
        let mut x = cell.min.x + 6.0 + depth as f32 * INDENT;
        if is_outer {
            let icon = if line.is_open { Icon::Down } else { Icon::Right };
            icons::icon(painter, icon, pos2(x + 6.0, cell.center().y), 12.0, palette.text2);
        }
        if by.len() > 1 {
            x += MARK;
        }
        match dimension {
            Dimension::Category => {
                icons::swatch(painter, pos2(x + 5.0, cell.center().y), swatch(palette, key));
                x += SWATCH - 2.0;
            }
            Dimension::Placement => {
                icons::badge(painter, pos2(x + 8.0, cell.center().y), key, 16.0, palette);
                x += SWATCH + 4.0;
            }
            _ => {}
        }
        let font = if is_outer { theme::semibold(13.0) } else { theme::BODY };
        if left(painter, cell.with_min_x(x).with_max_x(cell.max.x - 6.0), label, &font, palette.text) {
            place.response.clone().told(label);
        }
    }
    sums_ui(ui, place, page, &name, line.group.sum, is_outer);
    let shown = postings_ui(ui, place, page, &name, line.group.sum);
    if is_cursor {
        icons::border(painter, place.rect, 0, 1.0, palette.accent);
    }
    if shown { Some(Press::Postings) } else { place.response.clicked().then_some(Press::Fold) }
}

/// The number of postings, which leads to them.
fn postings_ui(ui: &Ui, place: &Place, page: &Page<'_>, name: &str, sum: Sum) -> bool {
    let palette = Palette::of(ui.visuals());
    let Some(cell) = place.cell(COUNT) else { return false };
    let count = page.figures().count(sum.postings);
    let right = cell.max.x - 6.0 - theme::PARENTHESIS;
    let width = text_width(ui.painter(), &count, &theme::BODY);
    // Beside the number a press means the row.
    let link = cell.with_min_x(right - width - 6.0);
    let response = ui.interact(link, place.response.id.with("postings"), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, format!("Show {count} postings of {name}")));
    place.text(ui, COUNT, Align::Right, &count, &theme::BODY, palette.accent);
    if response.hovered() {
        let y = cell.center().y + 7.5;
        ui.painter().hline(right - width..=right, y, Stroke::new(1.0, palette.accent));
    }
    response.on_hover_cursor(egui::CursorIcon::PointingHand).clicked()
}

fn sums_ui(ui: &Ui, place: &Place, page: &Page<'_>, name: &str, sum: Sum, heavy: bool) {
    let palette = Palette::of(ui.visuals());
    let font = if heavy { theme::semibold(13.0) } else { theme::BODY };
    if matches!(place.part, Part::Foot(_)) {
        place.text(ui, COUNT, Align::Right, &page.figures().count(sum.postings), &font, palette.text);
    }
    for (i, measure) in Measure::ALL.into_iter().enumerate() {
        let column = COUNT + 1 + i;
        let Some(cell) = place.cell(column) else { continue };
        let text = page.figures().posted(measure.of_sum(sum.amounts).minor(), page.digits());
        place.text(ui, column, Align::Right, &text, &font, palette.text);
        let response = ui.interact(cell, place.response.id.with(column), Sense::hover());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Cell, true, format!("{name}, {}", measure.heading()));
            info.current_text_value = Some(text.clone());
            info
        });
    }
}
