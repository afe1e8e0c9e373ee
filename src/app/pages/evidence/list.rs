//! The rows of the register: those in sight are drawn, and what is opened stands beneath its row.
//!
//! Arrows move a cursor from row to row, Enter opens the input at it, F2 or typing edits its value.

use egui::accesskit::Role;
use egui::{
    Align2, Event, EventFilter, Id, Key, Modifiers, Rect, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use super::columns::{Column, Columns, DASH, INSET, MARK};
use super::{EvidenceView, Order, Page};
use crate::analysis::register::Gap;
use crate::app::edit;
use crate::app::fields::{Fields, Number, reason_ui, shown_unit};
use crate::app::icons::{self, Icon};
use crate::app::swings::{AS_ONE, Swing};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Look, Told, left, painted_text, text_width};
use crate::input::{Confidence, Evidence, EvidenceKind};
use crate::quantity::Exact;
use crate::scenario::InputRef;

const ROW: f32 = 23.0;
const GROUP: f32 = 26.0;

/// What has the keyboard while the cursor is moved from row to row.
pub fn id() -> Id {
    Id::unique("register of evidence")
}

/// The name of what an input belongs to, and of its kind.
fn group_of(input: &InputRef) -> (&str, &'static str) {
    match (input.place(), input.path.split('.').next()) {
        (Some(place), Some("workloads")) => (place, "Workload class"),
        (Some(place), Some("environments")) => (place, "Environment"),
        (Some(place), _) => (place, "Placement"),
        (None, _) => ("Scenario", ""),
    }
}

/// What tells the group of an input from every other.
fn key_of_group(input: &InputRef) -> String {
    let (name, kind) = group_of(input);
    format!("{kind} {name}")
}

/// What stands below one another.
enum Item {
    /// The head of a group, with the first of its rows, and how many it has.
    Head(usize, usize),
    Row(usize),
}

pub struct List<'a> {
    pub columns: Columns,
    pub rows: &'a [&'a InputRef],
    pub page: &'a Page<'a>,
}

impl List<'_> {
    pub fn ui(&self, ui: &mut Ui, height: f32, view: &mut EvidenceView, fields: &mut Fields<'_>) {
        let items = self.items(view);
        let room = Rect::from_min_size(ui.next_widget_position(), vec2(ui.available_width(), height.max(80.0)));
        let focus = ui.interact(room, id(), Sense::FOCUSABLE);
        focus.widget_info(|| WidgetInfo::labeled(Role::Table, true, "Register of evidence"));
        let has_focus = focus.has_focus();
        if has_focus {
            let arrows = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id(), arrows));
        }
        if has_focus && self.page.has_keys {
            self.keys(ui, view, fields, &items, room);
        } else if self.page.has_keys {
            self.cell_keys(ui, view, fields, &items);
        }
        let scroll_to = view.scroll_to.take();
        let mut seen: Option<(usize, usize)> = None;
        // Where the columns do not fit, they are scrolled sideways together with their headings.
        let area = ScrollArea::horizontal().id_salt("columns").auto_shrink(false).max_height(room.height());
        area.show(ui, |ui| {
            ui.set_height(room.height());
            self.columns.head_ui(ui);
            let area = ScrollArea::vertical().id_salt("register").auto_shrink(false);
            area.show(ui, |ui| {
                for item in &items {
                    match *item {
                        Item::Head(first, count) => self.head_ui(ui, view, first, count),
                        Item::Row(row) => {
                            let wanted = scroll_to == Some(row);
                            if self.row_ui(ui, view, fields, row, wanted) {
                                seen = Some(seen.map_or((row, row), |(first, _)| (first, row)));
                            }
                        }
                    }
                }
                ui.add_space(12.0);
            });
        });
        if view.order != Order::Place {
            view.seen = seen;
        } else {
            view.seen = None;
        }
        if has_focus && view.picked.is_empty() {
            ui.painter().hline(room.x_range(), room.min.y + 23.0, Stroke::new(2.0, Palette::of(ui.visuals()).accent));
        }
    }

    fn items(&self, view: &EvidenceView) -> Vec<Item> {
        if view.order != Order::Place {
            return (0..self.rows.len()).map(Item::Row).collect();
        }
        let mut groups: Vec<((&str, &str), Vec<usize>)> = Vec::new();
        for (row, input) in self.rows.iter().enumerate() {
            let group = group_of(input);
            match groups.iter_mut().find(|(of, _)| *of == group) {
                Some((_, rows)) => rows.push(row),
                None => groups.push((group, vec![row])),
            }
        }
        let mut items = Vec::new();
        for (_, rows) in groups {
            let Some(first) = rows.first() else { continue };
            items.push(Item::Head(*first, rows.len()));
            let is_folded = view.folded.contains(&key_of_group(self.rows[*first]));
            if !is_folded {
                items.extend(rows.into_iter().map(Item::Row));
            }
        }
        items
    }

    fn head_ui(&self, ui: &mut Ui, view: &mut EvidenceView, first: usize, count: usize) {
        let input = self.rows[first];
        let (key, (name, kind)) = (key_of_group(input), group_of(input));
        let is_folded = view.folded.contains(&key);
        let (rect, response) = ui.allocate_exact_size(vec2(self.columns.width, GROUP), Sense::click());
        let state = if is_folded { "folded" } else { "open" };
        let said = format!("{kind} {name}, {count} inputs, {state}");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, said.trim_start()));
        if response.clicked() {
            if is_folded {
                view.folded.remove(&key);
            } else {
                view.folded.insert(key);
            }
        }
        if !ui.is_rect_visible(rect) {
            return;
        }
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        painter.rect_filled(rect, 0, palette.filled(response.hovered(), palette.sunken));
        painter.hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line));
        let icon = if is_folded { Icon::Right } else { Icon::Down };
        icons::icon(painter, icon, pos2(rect.min.x + 12.0, rect.center().y), 12.0, palette.text2);
        let at = pos2(rect.min.x + MARK, rect.center().y);
        let taken = painted_text(painter, at, Align2::LEFT_CENTER, name, &theme::semibold(13.0), palette.text);
        let more = format!("{} {count}", kind.to_lowercase());
        let at = pos2(taken.max.x + 10.0, rect.center().y);
        painted_text(painter, at, Align2::LEFT_CENTER, more.trim_start(), &theme::SMALL, palette.text2);
        if response.has_focus() {
            icons::border(painter, rect, 0, 2.0, palette.accent);
        }
    }

    /// A row out of sight is only measured, unless something in it is being typed or brought into view. Says whether it
    /// is in sight.
    fn row_ui(&self, ui: &mut Ui, view: &mut EvidenceView, fields: &mut Fields<'_>, row: usize, wanted: bool) -> bool {
        let input = self.rows[row];
        let (rect, _) = ui.allocate_exact_size(vec2(self.columns.width, ROW), Sense::hover());
        if wanted {
            ui.scroll_to_rect(rect, None);
        }
        let is_open = fields.memory.is_open(&input.path);
        let in_sight = ui.clip_rect().contains(rect.center());
        let is_near = rect.expand(3.0 * ROW).intersects(ui.clip_rect());
        if !(is_near || wanted || is_open || fields.holds(ui, input)) {
            return false;
        }
        self.press_ui(ui, rect, view, fields, row);
        let mut refused = Vec::new();
        for (column, cell) in self.columns.cells(rect) {
            match column {
                Column::Kind => kind_ui(ui, cell, fields, input, view.picked.contains(row)),
                Column::Input => {
                    let full = input.full_label();
                    let text = if self.columns.has(Column::Where) { &input.label } else { &full };
                    let pin = Rect::from_center_size(pos2(cell.max.x - 12.0, cell.center().y), vec2(20.0, 20.0));
                    fields.label_ui(ui, cell.with_min_x(cell.min.x + INSET).with_max_x(pin.min.x), input, text);
                    fields.pin_ui(ui, pin, input);
                }
                Column::Value => {
                    refused.extend(fields.cell_ui(ui, figure(cell), input, Number::Value, Look::Figure("–")));
                }
                Column::Range => self.range_ui(ui, fields, input, cell, &mut refused),
                Column::Swing => swing_ui(ui, cell, fields, input),
                Column::Worth => self.worth_ui(ui, cell, input),
                _ => self.word_ui(ui, cell, fields, input, column),
            }
        }
        let palette = Palette::of(ui.visuals());
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line));
        for reason in refused {
            reason_ui(ui, &reason, MARK, self.columns.width);
        }
        fields.opened_ui(ui, input, self.columns.width);
        if is_open && !fields.memory.is_open(&input.path) {
            // The keyboard goes back to where the input was opened from.
            ui.memory_mut(|memory| memory.request_focus(id()));
            view.picked.press(row, Modifiers::NONE);
        }
        in_sight
    }

    /// The row as a whole: pressed, it is selected; pressed twice, it opens.
    fn press_ui(&self, ui: &Ui, rect: Rect, view: &mut EvidenceView, fields: &mut Fields<'_>, row: usize) {
        let input = self.rows[row];
        let response = ui.interact(rect, Id::unique(("register row", &input.path)), Sense::CLICK);
        let is_picked = view.picked.contains(row);
        let swing = swing_text(fields, input).unwrap_or_else(|| "–".to_owned());
        response.widget_info(|| {
            let mut info = WidgetInfo::selected(Role::Row, true, is_picked, input.full_label());
            let evidence = summary(input);
            info.current_text_value = Some(format!("{evidence}, {}, swing {swing}", dates(input.input.evidence())));
            info
        });
        let palette = Palette::of(ui.visuals());
        if is_picked {
            ui.painter().rect_filled(rect, 0, palette.sel);
        } else if response.hovered() {
            ui.painter().rect_filled(rect, 0, palette.hover);
        }
        if view.picked.cursor() == Some(row) && ui.memory(|memory| memory.has_focus(id())) {
            icons::border(ui.painter(), rect, 0, 1.0, palette.accent);
        }
        if response.clicked() {
            view.picked.press(row, ui.input(|input| input.modifiers));
            ui.memory_mut(|memory| memory.request_focus(id()));
        }
        if response.double_clicked() {
            fields.toggle(input);
        }
    }

    /// Low, a dash and high, close together at the right. An end that is being edited has room for a longer number.
    fn range_ui(&self, ui: &mut Ui, fields: &mut Fields<'_>, input: &InputRef, cell: Rect, refused: &mut Vec<String>) {
        let none = if input.is_entered() { "no range" } else { "" };
        let is_edited = Number::ALL.iter().any(|number| {
            let id = number.id(&input.path);
            *number != Number::Value && (fields.drafts.holds(id) || ui.memory(|memory| memory.has_focus(id)))
        });
        let [low, high] = if is_edited { self.columns.ends(cell) } else { self.close_ends(ui, fields, input, cell) };
        refused.extend(fields.cell_ui(ui, figure(low), input, Number::Low, Look::Figure("")));
        refused.extend(fields.cell_ui(ui, figure(high), input, Number::High, Look::Figure(none)));
        if input.input.range().is_some() {
            let at = pos2(f32::midpoint(low.max.x, high.min.x), low.center().y);
            let palette = Palette::of(ui.visuals());
            painted_text(ui.painter(), at, Align2::CENTER_CENTER, "–", &theme::BODY, palette.input);
        }
    }

    /// The ends as wide as their texts.
    fn close_ends(&self, ui: &Ui, fields: &Fields<'_>, input: &InputRef, cell: Rect) -> [Rect; 2] {
        let [low, high] = self.columns.ends(cell);
        let Some(range) = input.input.range() else { return [low, high] };
        let width = |value: Exact| {
            let text = fields.figures.cell(value.decimal(), edit::cell(input));
            text_width(ui.painter(), &text, &theme::BODY).ceil() + 2.0 * INSET
        };
        let high = high.with_min_x(high.max.x - width(range.high));
        let right = high.min.x - DASH + INSET;
        [Rect::from_min_max(pos2(right - width(range.low), low.min.y), pos2(right, low.max.y)), high]
    }

    /// What measuring it would be worth, or in a word why that is not known.
    fn worth_ui(&self, ui: &Ui, cell: Rect, input: &InputRef) {
        let worths = &self.page.worths;
        let Some(worth) = worths.worth(input) else { return };
        let palette = Palette::of(ui.visuals());
        let (font, ink) = match worth.money() {
            Some(money) if money.is_zero() => (theme::BODY, palette.text3),
            Some(_) => (theme::BODY, palette.text),
            None => (theme::SMALL, palette.text3),
        };
        // What answers an older scenario looks older.
        let fade = if worths.fresh { 1.0 } else { 0.45 };
        let (text, sentence) = (worths.text(&worth), worths.sentence(&worth));
        let at = pos2(cell.max.x - INSET, cell.center().y);
        painted_text(ui.painter(), at, Align2::RIGHT_CENTER, &text, &font, ink.gamma_multiply(fade));
        let response = ui.interact(cell, Id::unique(("worth", &input.path)), Sense::hover());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::Cell, true, format!("{}, worth of measuring", input.full_label()));
            info.current_text_value = Some(text.clone());
            info
        });
        response.told(sentence);
    }

    /// A word of the row; what is missing is said in its place.
    fn word_ui(&self, ui: &Ui, cell: Rect, fields: &Fields<'_>, input: &InputRef, column: Column) {
        let palette = Palette::of(ui.visuals());
        let evidence = input.input.evidence();
        let missing = |gap: Gap, text: &str| {
            if gap.is_open(input, fields.today) {
                (text.to_owned(), palette.warn)
            } else {
                ("–".to_owned(), palette.text3)
            }
        };
        let said = |text: &str| (text.to_owned(), palette.text2);
        let mut font = theme::BODY;
        let (text, ink) = match column {
            Column::Where => said(input.place().unwrap_or("Scenario")),
            Column::Unit => said(&shown_unit(input)),
            Column::Source => match evidence.map(|evidence| evidence.source.as_str()).filter(|text| !text.is_empty()) {
                Some(source) => said(source),
                None => missing(Gap::NoSource, "no source"),
            },
            Column::Owner => match evidence.map(|evidence| evidence.owner.as_str()).filter(|text| !text.is_empty()) {
                Some(owner) => (owner.to_owned(), palette.text),
                None => missing(Gap::NoOwner, "no owner"),
            },
            Column::Confidence => match evidence.and_then(|evidence| evidence.confidence) {
                Some(confidence) => said(confidence.label()),
                None => ("–".to_owned(), palette.text3),
            },
            Column::AsOf => match evidence.and_then(|evidence| evidence.as_of.as_deref()) {
                Some(date) => said(date),
                None => ("–".to_owned(), palette.text3),
            },
            Column::Review => match evidence.and_then(|evidence| evidence.review_by.as_deref()) {
                Some(date) if Gap::Overdue.is_open(input, fields.today) => {
                    font = theme::semibold(13.0);
                    (date.to_owned(), palette.error)
                }
                Some(date) => said(date),
                None if input.is_entered() => ("no date".to_owned(), palette.warn),
                None => ("–".to_owned(), palette.text3),
            },
            _ => return,
        };
        let is_cut = left(ui.painter(), cell.shrink2(vec2(INSET, 0.0)), &text, &font, ink);
        if is_cut {
            let response = ui.interact(cell, Id::unique((column.heading(), &input.path)), Sense::hover());
            response.told(text);
        }
    }

    fn keys(&self, ui: &mut Ui, view: &mut EvidenceView, fields: &mut Fields<'_>, items: &[Item], room: Rect) {
        let rows: Vec<usize> =
            items.iter().filter_map(|item| if let Item::Row(row) = item { Some(*row) } else { None }).collect();
        self.move_by_keys(ui, view, &rows, room);
        if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::A)) {
            view.picked.all(self.rows.len());
        }
        if !fields.memory.is_any_open() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            view.picked.clear();
        }
        let Some(input) = view.picked.cursor().and_then(|row| self.rows.get(row)) else { return };
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
            fields.toggle(input);
            if fields.memory.is_open(&input.path) {
                ui.memory_mut(|memory| memory.request_focus(Number::Low.opened_id(&input.path)));
            }
            view.scroll_to = view.picked.cursor();
            ui.request_repaint();
        } else if ui.input(|input| input.key_pressed(Key::F2) || input.events.iter().any(is_typing)) {
            // The cell takes the keys itself.
            ui.memory_mut(|memory| memory.request_focus(Number::Value.id(&input.path)));
            view.scroll_to = view.picked.cursor();
        }
    }

    /// From a cell that is not being edited the arrows go to its neighbours, and Esc goes back to the row.
    fn cell_keys(&self, ui: &Ui, view: &mut EvidenceView, fields: &Fields<'_>, items: &[Item]) {
        let Some(focused) = ui.memory(egui::Memory::focused).filter(|id| !fields.drafts.holds(*id)) else { return };
        let of_row = |row: usize| Number::ALL.into_iter().find(|number| number.id(&self.rows[row].path) == focused);
        let rows: Vec<usize> =
            items.iter().filter_map(|item| if let Item::Row(row) = item { Some(*row) } else { None }).collect();
        let here = rows.iter().enumerate().find_map(|(at, row)| of_row(*row).map(|number| (at, number)));
        let Some((at, number)) = here else { return };
        let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(focused, filter));
        let place = Number::ALL.iter().position(|of| *of == number).unwrap_or(0);
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let to = if pressed(Key::ArrowDown) {
            Some((at.saturating_add(1), place))
        } else if pressed(Key::ArrowUp) {
            at.checked_sub(1).map(|at| (at, place))
        } else if pressed(Key::ArrowRight) {
            Some((at, place.saturating_add(1)))
        } else if pressed(Key::ArrowLeft) {
            place.checked_sub(1).map(|place| (at, place))
        } else {
            if pressed(Key::Escape) {
                view.picked.press(rows[at], Modifiers::NONE);
                ui.memory_mut(|memory| memory.request_focus(id()));
            }
            None
        };
        let Some((row, number)) = to.and_then(|(at, place)| rows.get(at).zip(Number::ALL.get(place))) else { return };
        ui.memory_mut(|memory| memory.request_focus(number.id(&self.rows[*row].path)));
        view.scroll_to = Some(*row);
        ui.request_repaint();
    }

    /// Moves the cursor along the rows as they stand below one another.
    fn move_by_keys(&self, ui: &Ui, view: &mut EvidenceView, rows: &[usize], room: Rect) {
        #[expect(clippy::cast_possible_truncation, reason = "a height in rows")]
        let page = ((room.height() / ROW) as isize - 2).max(1);
        let all = isize::try_from(self.rows.len()).unwrap_or(isize::MAX);
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
                    let Some(last) = rows.len().checked_sub(1) else { return };
                    let at = view.picked.cursor().and_then(|cursor| rows.iter().position(|row| *row == cursor));
                    let to = match at {
                        Some(at) => at.saturating_add_signed(by).min(last),
                        None if by < 0 => last,
                        None => 0,
                    };
                    view.picked.press(rows[to], if extend { Modifiers::SHIFT } else { Modifiers::NONE });
                    view.scroll_to = Some(rows[to]);
                    ui.request_repaint();
                }
            }
        }
    }
}

/// Whether a character was typed that a number can begin with.
fn is_typing(event: &Event) -> bool {
    matches!(event, Event::Text(text) if text.starts_with(|c: char| c.is_ascii_digit() || "=(-−.,+".contains(c)))
}

/// The place of a figure in its cell.
fn figure(cell: Rect) -> Rect {
    cell.shrink2(vec2(0.0, 0.5))
}

/// The mark and the word of the kind; pressed, it opens the input.
fn kind_ui(ui: &Ui, cell: Rect, fields: &mut Fields<'_>, input: &InputRef, is_picked: bool) {
    let response = ui.interact(cell, Id::unique(("kind", &input.path)), Sense::click());
    let name = format!("{}, evidence: {}", input.full_label(), summary(input));
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let kind = input.input.evidence_kind();
    let is_assumed = input.is_entered() && kind == EvidenceKind::Assumed;
    let place = cell.with_max_y(cell.max.y - 1.0);
    if is_assumed && !is_picked {
        painter.rect_filled(place, 0, palette.warnbg);
    }
    let at = pos2(cell.min.x + MARK, cell.center().y);
    if input.is_entered() {
        let past_review = Gap::Overdue.is_open(input, fields.today);
        icons::evidence(painter, pos2(cell.min.x + 12.0, cell.center().y), kind, past_review, palette);
        let ink = if is_assumed { palette.warn } else { palette.text };
        painted_text(painter, at, Align2::LEFT_CENTER, kind.label(), &theme::BODY, ink);
    } else {
        painted_text(painter, at, Align2::LEFT_CENTER, "Default", &theme::BODY, palette.text3);
    }
    if response.hovered() {
        let icon = if fields.memory.is_open(&input.path) { Icon::Down } else { Icon::Right };
        icons::icon(painter, icon, pos2(place.max.x - 8.0, place.center().y), 12.0, palette.text2);
    }
    if response.has_focus() {
        icons::border(painter, place, 0, 2.0, palette.accent);
    }
    if response.clicked() {
        fields.toggle(input);
    }
}

/// How far it moves the figure, over a bar as long as its part of the greatest swing.
fn swing_ui(ui: &Ui, cell: Rect, fields: &Fields<'_>, input: &InputRef) {
    let palette = Palette::of(ui.visuals());
    let Some(text) = swing_text(fields, input) else { return };
    let swing = fields.swings.swing(&input.path);
    let bar = swing.filter(|swing| !matches!(swing, Swing::With(_))).and_then(Swing::bar);
    // What answers an older scenario looks older.
    let fade = if fields.swings.fresh { 1.0 } else { 0.45 };
    let ink = match swing {
        Some(Swing::Alone(_)) => palette.text,
        Some(Swing::Together(_)) => palette.text2,
        Some(Swing::With(_)) => palette.text3,
        _ => palette.text3,
    };
    let at = pos2(cell.max.x - INSET, cell.center().y - if bar.is_some() { 1.0 } else { 0.0 });
    painted_text(ui.painter(), at, Align2::RIGHT_CENTER, &text, &theme::BODY, ink.gamma_multiply(fade));
    if let Some(bar) = bar {
        let share = bar.swing.checked_div(fields.swings.greatest()).unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
        let share = f64::try_from(share).unwrap_or(0.0) as f32;
        let width = ((cell.width() - 2.0 * INSET) * share).round().max(1.0);
        let line = Rect::from_min_max(
            pos2(cell.max.x - INSET - width, cell.max.y - 4.0),
            pos2(cell.max.x - INSET, cell.max.y - 2.0),
        );
        ui.painter().rect_filled(line.round(), 0, palette.bar_low.gamma_multiply(fade));
    }
    if let Some(sentence) = fields.swings.sentence(input) {
        let response = ui.interact(cell, Id::unique(("swing", &input.path)), Sense::hover());
        response.told(sentence);
    }
}

/// The swing as text; none where no answer is known yet.
pub fn swing_text(fields: &Fields<'_>, input: &InputRef) -> Option<String> {
    let swing = fields.swings.swing(&input.path)?;
    Some(match swing {
        Swing::With(_) => AS_ONE.to_owned(),
        swing => swing.bar().map_or_else(|| "–".to_owned(), |bar| fields.swings.amount(bar.swing)),
    })
}

fn summary(input: &InputRef) -> String {
    match input.input.evidence() {
        None if !input.is_entered() => "default".to_owned(),
        None => "Assumed, no source".to_owned(),
        Some(evidence) if evidence.source.is_empty() => format!("{}, no source", evidence.kind.label()),
        Some(evidence) => format!("{}: {}", evidence.kind.label(), evidence.source),
    }
}

/// Owner, confidence and dates, in words.
fn dates(evidence: Option<&Evidence>) -> String {
    let Some(evidence) = evidence else { return "no owner, no review date".to_owned() };
    let owner = if evidence.owner.is_empty() { "no owner".to_owned() } else { format!("owner {}", evidence.owner) };
    let confidence = evidence.confidence.map_or("not said", Confidence::label);
    let review =
        evidence.review_by.as_ref().map_or_else(|| "no review date".to_owned(), |date| format!("review by {date}"));
    format!("{owner}, confidence {confidence}, {review}")
}
