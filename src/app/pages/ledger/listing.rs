//! The postings one below the other, with the sum of all of them and of those selected.
//!
//! It draws the rows in sight and says which were pressed; sums come from the analysis.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Stroke, Ui, WidgetInfo, pos2};

use super::{Answer, LedgerView, Page, Question};
use crate::analysis::compare::stacked;
use crate::analysis::explain::Measure;
use crate::analysis::postings::{Book, By, Dimension, Order, Sum};
use crate::app::command::Command;
use crate::app::icons;
use crate::app::theme::{self, PARENTHESIS, Palette};
use crate::app::widgets::{Align, Grid, GridColumn, GridOutcome, Part, Place, Sorted, growing_width, left, text_width};
use crate::quantity::Money;
use crate::show::ZERO;

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Of(Dimension),
    Amount(Measure),
}

impl Shown {
    const ALL: [Self; 10] = [
        Self::Of(Dimension::Placement),
        Self::Of(Dimension::Month),
        Self::Of(Dimension::Environment),
        Self::Of(Dimension::Line),
        Self::Of(Dimension::Category),
        Self::Of(Dimension::Behaviour),
        Self::Of(Dimension::Boundary),
        Self::Of(Dimension::Timing),
        Self::Amount(Measure::Total),
        Self::Amount(Measure::PresentValue),
    ];

    /// The placement needs no column where there is one alone.
    fn columns(every: bool) -> Vec<Self> {
        Self::ALL.into_iter().filter(|shown| every || *shown != Self::Of(Dimension::Placement)).collect()
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Of(dimension) => dimension.label(),
            Self::Amount(measure) => measure.heading(),
        }
    }

    const fn by(self) -> By {
        match self {
            Self::Of(dimension) => By::Dimension(dimension),
            Self::Amount(measure) => By::Measure(measure),
        }
    }

    const fn align(self) -> Align {
        match self {
            Self::Of(_) => Align::Left,
            Self::Amount(_) => Align::Right,
        }
    }

    /// The most that a column of names is given.
    const fn most(self) -> Option<f32> {
        match self {
            Self::Of(Dimension::Line) => Some(380.0),
            Self::Of(Dimension::Environment | Dimension::Placement) => Some(320.0),
            _ => None,
        }
    }
}

/// The number of the month, and a gap, before the calendar month; a colour before a category, a square before a placement.
const NUMBER: f32 = 34.0;
const SWATCH: f32 = 16.0;
const BADGE: f32 = 22.0;
/// What the bar at the right takes.
const BAR: f32 = 12.0;

pub fn ui(ui: &mut Ui, page: &Page<'_>, ledger: &mut LedgerView, commands: &mut Vec<Command>) {
    let shown = Shown::columns(ledger.asked.every);
    let LedgerView { picked, selected, asked: Question { order, .. }, go_to, book, answer, figure, .. } = ledger;
    let (Some((_, book)), Some((_, answer))) = (book, answer) else { return };
    if answer.widths.is_none() {
        answer.widths = Some(shown.iter().map(|one| natural(ui, page, book, answer, *one)).collect());
    }
    let columns = columns(&shown, answer, *order, ui.available_width() - BAR);
    let pressed_at = std::cell::Cell::new(None);
    let explained = std::cell::Cell::new(None);
    let selected = selection(book, answer, picked, selected);
    let scroll_to = go_to.take();
    let grid = Grid { name: "Postings", columns: &columns, frozen: 0, rows: answer.rows.len(), foot: 3 };
    let outcome = grid.show(ui, scroll_to, &mut |ui, place| match place.part {
        Part::Row(row) => {
            row_ui(
                ui,
                place,
                page,
                book,
                &shown,
                answer.rows[row],
                (picked.contains(row), picked.cursor() == Some(row)),
            );
            if place.response.clicked() {
                pressed_at.set(Some(row));
            }
            if place.response.double_clicked() {
                explained.set(Some(row));
            }
        }
        Part::Foot(0) => {
            // Alternatives do not add up to anything that is ever paid: the total says that it is one over several.
            let is_several = shown[0] == Shown::Of(Dimension::Placement);
            let of = if is_several { "Total over all placements shown, " } else { "Total of " };
            let name = format!("{of}{}", postings(page, answer.sum.postings));
            foot_ui(ui, place, page, &shown, &name, answer.sum);
        }
        Part::Foot(1) => selected_ui(ui, place, page, &shown, selected),
        Part::Foot(_) => average_ui(ui, place, page, &shown, selected),
    });
    if let Some(row) = pressed_at.get() {
        picked.press(row, ui.input(|input| input.modifiers));
        ui.memory_mut(|memory| memory.request_focus(outcome.id));
    }
    if let Some(column) = outcome.heading {
        *order = next(*order, shown[column].by());
    }
    if page.has_keys {
        keys(ui, &outcome, picked, answer.rows.len(), go_to);
    }
    let is_entered = page.has_keys && outcome.has_focus && ui.input(|input| input.key_pressed(Key::Enter));
    let target = |row: usize| answer.rows.get(row).and_then(|row| page.target(book, *row));
    *figure = picked.cursor().and_then(target);
    let wanted = explained.get().and_then(target).or(figure.clone().filter(|_| is_entered));
    commands.extend(wanted.map(Command::Explain));
}

/// Ascending, then descending, then as in the ledger.
fn next(order: Option<Order>, by: By) -> Option<Order> {
    match order {
        Some(Order { by: known, descending: false }) if known == by => Some(Order { by, descending: true }),
        Some(Order { by: known, descending: true }) if known == by => None,
        _ => Some(Order { by, descending: false }),
    }
}

/// The sum of the selected rows, taken once for each selection.
fn selection(book: &Book, answer: &Answer, picked: &super::Picked, known: &mut Option<(u64, Sum)>) -> Option<Sum> {
    if picked.is_empty() {
        return None;
    }
    match *known {
        Some((revision, sum)) if revision == picked.revision() => Some(sum),
        _ => {
            let sum = book.sum(picked.rows(&answer.rows));
            *known = Some((picked.revision(), sum));
            Some(sum)
        }
    }
}

fn columns(shown: &[Shown], answer: &Answer, order: Option<Order>, room: f32) -> Vec<GridColumn> {
    let widths = fitted(shown, answer.widths.as_deref().unwrap_or_default(), room);
    let column = |(one, width): (&Shown, f32)| GridColumn {
        heading: one.heading().to_owned(),
        width,
        align: one.align(),
        sorted: match order {
            Some(order) if order.by == one.by() && order.descending => Sorted::Descending,
            Some(order) if order.by == one.by() => Sorted::Ascending,
            _ => Sorted::No,
        },
    };
    shown.iter().zip(widths).map(column).collect()
}

/// Names give way where there is not room for everything, each a little before one gives way much; figures never do.
fn fitted(shown: &[Shown], natural: &[f32], room: f32) -> Vec<f32> {
    const STEPS: [(Dimension, f32); 6] = [
        (Dimension::Placement, 160.0),
        (Dimension::Line, 220.0),
        (Dimension::Environment, 150.0),
        (Dimension::Placement, 96.0),
        (Dimension::Line, 160.0),
        (Dimension::Environment, 112.0),
    ];
    let mut widths = natural.to_vec();
    for (name, least) in STEPS {
        let beyond = widths.iter().sum::<f32>() - room;
        let Some(at) = shown.iter().position(|one| *one == Shown::Of(name)) else { continue };
        if 0.0 < beyond {
            widths[at] = (widths[at] - beyond).max(least.min(widths[at]));
        }
    }
    widths
}

/// How wide a column is that shows every row whole.
fn natural(ui: &Ui, page: &Page<'_>, book: &Book, answer: &Answer, shown: Shown) -> f32 {
    let painter = ui.painter();
    let heading = GridColumn::least(painter, shown.heading());
    let widest = match shown {
        Shown::Of(dimension) => {
            let values = book.values(dimension);
            let mut used = vec![false; values.len()];
            answer.rows.iter().for_each(|row| used[book.entry(*row).key(dimension)] = true);
            let labels = values.iter().zip(&used).filter(|(_, used)| **used).map(|(value, _)| value.label.as_str());
            let text = labels.map(|label| text_width(painter, label, &theme::BODY)).fold(0.0, f32::max);
            text + match dimension {
                Dimension::Month => NUMBER,
                Dimension::Category => SWATCH,
                Dimension::Placement => BADGE,
                _ => 0.0,
            }
        }
        Shown::Amount(measure) => {
            let amounts = answer.rows.iter().map(|row| measure.of_sum(book.entry(*row).amounts).minor());
            let longest = amounts.chain([measure.of_sum(answer.sum.amounts).minor()]).map(i128::unsigned_abs).max();
            let longest = i128::try_from(longest.unwrap_or_default()).unwrap_or(i128::MAX);
            // Every figure is measured as a negative one in the heavier face, which is the widest that it gets.
            let text = page.figures().posted(-longest, page.digits());
            growing_width(painter, &text, &theme::semibold(13.0)).max(80.0)
        }
    };
    let around = GridColumn::around(widest).ceil();
    heading.max(shown.most().map_or(around, |most| around.min(most))).ceil()
}

fn row_ui(
    ui: &Ui,
    place: &Place,
    page: &Page<'_>,
    book: &Book,
    shown: &[Shown],
    row: u32,
    (is_picked, is_cursor): (bool, bool),
) {
    let palette = Palette::of(ui.visuals());
    let entry = book.entry(row);
    let money = |measure: Measure| page.figures().posted(measure.of_sum(entry.amounts).minor(), page.digits());
    place.response.widget_info(|| {
        let labels = shown.iter().filter_map(|one| match one {
            Shown::Of(dimension) => Some(book.label(*dimension, entry.key(*dimension))),
            Shown::Amount(_) => None,
        });
        let mut info = WidgetInfo::selected(Role::Row, true, is_picked, labels.collect::<Vec<_>>().join(", "));
        info.current_text_value = Some(page.figures().exact(entry.amounts.total.minor(), page.digits()));
        info
    });
    if is_picked {
        ui.painter().rect_filled(place.rect, 0, palette.sel);
    } else if place.response.hovered() {
        ui.painter().rect_filled(place.rect, 0, palette.hover);
    }
    for (column, one) in shown.iter().enumerate() {
        match *one {
            Shown::Amount(measure) => {
                place.text(ui, column, Align::Right, &money(measure), &theme::BODY, palette.text);
            }
            Shown::Of(dimension) => {
                let key = entry.key(dimension);
                let is_cut = label_ui(ui, place, column, book, dimension, key);
                let is_under = |cell: egui::Rect| ui.rect_contains_pointer(cell);
                if is_cut && place.response.hovered() && place.cell(column).is_some_and(is_under) {
                    place.response.clone().on_hover_text_at_pointer(book.label(dimension, key));
                }
            }
        }
    }
    if is_cursor {
        icons::border(ui.painter(), place.rect, 0, 1.0, palette.accent);
    }
}

/// A name in its column, with what stands before it. Returns whether it was cut.
fn label_ui(ui: &Ui, place: &Place, column: usize, book: &Book, dimension: Dimension, key: usize) -> bool {
    let Some(cell) = place.cell(column) else { return false };
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let label = book.label(dimension, key);
    let inset = match dimension {
        Dimension::Month => {
            let at = pos2(cell.min.x + NUMBER - 4.0, cell.center().y);
            let number = &book.values(dimension)[key].name;
            crate::app::widgets::painted_text(
                painter,
                at,
                egui::Align2::RIGHT_CENTER,
                number,
                &theme::BODY,
                palette.text3,
            );
            NUMBER
        }
        Dimension::Category => {
            let colour = swatch(palette, key);
            icons::swatch(painter, pos2(cell.min.x + 11.0, cell.center().y), colour);
            SWATCH
        }
        Dimension::Placement => {
            icons::badge(painter, pos2(cell.min.x + 14.0, cell.center().y), key, 16.0, palette);
            BADGE
        }
        _ => 0.0,
    };
    let quiet = matches!(dimension, Dimension::Behaviour | Dimension::Boundary | Dimension::Timing);
    let ink = if quiet { palette.text2 } else { palette.text };
    let text = cell.with_min_x(cell.min.x + inset + 6.0).with_max_x(cell.max.x - 6.0);
    left(painter, text, label, &theme::BODY, ink)
}

/// The colour of a category, by its place in the declaration.
pub fn swatch(palette: &Palette, key: usize) -> egui::Color32 {
    let category = crate::scenario::Category::ALL.get(key);
    let place = category.and_then(|category| stacked().position(|one| one == *category));
    palette.categories[place.unwrap_or(0)]
}

fn postings(page: &Page<'_>, count: usize) -> String {
    format!("{} posting{}", page.figures().count(count), if count == 1 { "" } else { "s" })
}

fn foot_ui(ui: &Ui, place: &Place, page: &Page<'_>, shown: &[Shown], name: &str, sum: Sum) {
    let palette = Palette::of(ui.visuals());
    ui.painter().hline(place.rect.x_range(), place.rect.min.y + 0.5, Stroke::new(1.0, palette.text));
    let text = |money: Money| page.figures().posted(money.minor(), page.digits());
    figures_ui(ui, place, shown, name, true, &|measure| text(measure.of_sum(sum.amounts)));
}

fn selected_ui(ui: &Ui, place: &Place, page: &Page<'_>, shown: &[Shown], selected: Option<Sum>) {
    let Some(sum) = selected else {
        let palette = Palette::of(ui.visuals());
        let room = place.rect.shrink2(egui::vec2(6.0, 0.0));
        let said = "Nothing selected. Click a row, Shift+click a range, Ctrl+click one more; Ctrl+A selects all.";
        left(&ui.painter().with_clip_rect(place.rect), room, said, &theme::SMALL, palette.text3);
        place.response.widget_info(|| WidgetInfo::labeled(Role::Label, true, said));
        return;
    };
    let text = |money: Money| page.figures().posted(money.minor(), page.digits());
    let name = format!("Selected, {}", postings(page, sum.postings));
    figures_ui(ui, place, shown, &name, false, &|measure| text(measure.of_sum(sum.amounts)));
}

fn average_ui(ui: &Ui, place: &Place, page: &Page<'_>, shown: &[Shown], selected: Option<Sum>) {
    let Some(sum) = selected else { return };
    let average =
        |measure: Measure| page.figures().average(measure.of_sum(sum.amounts).minor(), sum.postings, page.digits());
    figures_ui(ui, place, shown, "Average of the selected", false, &average);
}

/// A name, and a figure under each column of amounts.
fn figures_ui(ui: &Ui, place: &Place, shown: &[Shown], name: &str, heavy: bool, figure: &dyn Fn(Measure) -> String) {
    let palette = Palette::of(ui.visuals());
    let font = if heavy { theme::semibold(13.0) } else { theme::BODY };
    let first = shown.iter().position(|one| matches!(one, Shown::Amount(_))).unwrap_or(0);
    let names = place.span(0..first);
    let painter = ui.painter().with_clip_rect(place.rect);
    left(&painter, names.shrink2(egui::vec2(6.0, 0.0)), name, &font, palette.text);
    for (column, one) in shown.iter().enumerate() {
        let (Shown::Amount(measure), Some(cell)) = (one, place.cell(column)) else { continue };
        let text = figure(*measure);
        place.text(ui, column, Align::Right, &text, &font, palette.text);
        let response = ui.interact(cell, ui.scope_id().with((name, column, "foot")), egui::Sense::hover());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Cell, true, format!("{name}, {}", measure.heading()));
            info.current_text_value = Some(text.clone());
            info
        });
    }
}

/// Keys of the list: those that move need the keyboard to be here, Ctrl+A only that no text is being typed.
fn keys(ui: &Ui, outcome: &GridOutcome, picked: &mut super::Picked, rows: usize, go_to: &mut Option<usize>) {
    let typing = ui.ctx().text_edit_focused();
    if !typing && ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
        picked.all(rows);
        ui.memory_mut(|memory| memory.request_focus(outcome.id));
    }
    if !outcome.has_focus {
        return;
    }
    if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
        picked.clear();
    }
    let page = isize::try_from(outcome.page.max(1)).unwrap_or(1);
    let all = isize::try_from(rows).unwrap_or(isize::MAX);
    let steps = [
        (Key::ArrowDown, 1),
        (Key::ArrowUp, -1),
        (Key::PageDown, page),
        (Key::PageUp, -page),
        (Key::Home, -all),
        (Key::End, all),
    ];
    for (key, by) in steps {
        for (modifiers, extend) in [(Modifiers::SHIFT, true), (Modifiers::NONE, false)] {
            for _ in 0..ui.input_mut(|input| input.count_and_consume_key(modifiers, key)) {
                picked.go(by, rows, extend);
                *go_to = picked.cursor();
                ui.request_repaint();
            }
        }
    }
}

/// The width of the widest of some figures.
pub fn figure_width(ui: &Ui, page: &Page<'_>, amounts: impl Iterator<Item = Money>) -> f32 {
    let longest = amounts.map(|money| money.minor().unsigned_abs()).max().unwrap_or_default();
    let text = page.figures().posted(-i128::try_from(longest).unwrap_or(i128::MAX), page.digits());
    (growing_width(ui.painter(), &text, &theme::semibold(13.0)).max(text_width(ui.painter(), ZERO, &theme::BODY))
        + 12.0
        + PARENTHESIS)
        .ceil()
}
