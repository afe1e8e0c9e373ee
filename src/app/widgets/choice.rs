//! Choosing one of several, or some: buttons in a row, and lists that open.
//!
//! None knows what is chosen; each says which position was pressed.

use egui::accesskit::Role;
use egui::{Align2, CornerRadius, Popup, PopupCloseBehavior, Rect, Response, Sense, Ui, WidgetInfo, pos2, vec2};

use super::labels::{Told as _, elided, painted_text, text_width};
use super::search::search_ui;
use crate::app::icons::{self, Icon};
use crate::app::theme::{self, Palette};

/// Buttons in a row, of which one is pressed. `name` says what is being chosen. Returns the position newly pressed.
pub fn segments_ui(ui: &mut Ui, name: &str, labels: &[&str], current: usize, height: f32) -> Option<usize> {
    let small = height < 24.0;
    let (font, inset) = if small { (theme::SMALL, 8.0) } else { (theme::BODY, 10.0) };
    let widths: Vec<f32> =
        labels.iter().map(|label| (text_width(ui.painter(), label, &font) + 2.0 * inset).ceil()).collect();
    let (whole, _) = ui.allocate_exact_size(vec2(widths.iter().sum(), height), Sense::hover());
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(whole, 3, palette.surface);
    let (mut x, mut pressed) = (whole.min.x, None);
    for (i, (label, width)) in labels.iter().zip(&widths).enumerate() {
        let rect = Rect::from_min_size(pos2(x, whole.min.y), vec2(*width, height));
        x += width;
        let response = ui.interact(rect, ui.scope_id().with((name, i)), Sense::click());
        let selected = i == current;
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, format!("{name}: {label}")));
        if response.clicked() && !selected {
            pressed = Some(i);
        }
        segment(ui, rect, label, &font, selected, &response, (i == 0, i + 1 == labels.len()));
    }
    icons::border(ui.painter(), whole, 3, 1.0, palette.ctrl);
    pressed
}

fn segment(
    ui: &Ui,
    rect: Rect,
    label: &str,
    font: &egui::FontId,
    selected: bool,
    response: &Response,
    (first, last): (bool, bool),
) {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let (left, right) = (if first { 3 } else { 0 }, if last { 3 } else { 0 });
    let corners = CornerRadius { nw: left, sw: left, ne: right, se: right };
    let ink = if selected {
        painter.rect_filled(rect, corners, palette.accent);
        palette.onaccent
    } else {
        if response.hovered() {
            painter.rect_filled(rect, corners, palette.hover);
        }
        palette.text2
    };
    if !last {
        painter.vline(rect.max.x - 0.5, rect.y_range(), egui::Stroke::new(1.0, palette.line));
    }
    painted_text(painter, rect.center(), Align2::CENTER_CENTER, label, font, ink);
    if response.has_focus() {
        let ring = if selected { palette.onaccent } else { palette.accent };
        icons::border(painter, rect.shrink(2.0), 2, 2.0, ring);
    }
}

/// Buttons of equal width with a mark before each word, of which one at most is pressed; `mark` paints the one at a position.
/// Returns the position newly pressed.
pub fn marked_segments_ui(
    ui: &mut Ui,
    name: &str,
    labels: &[&str],
    current: Option<usize>,
    width: f32,
    mark: &dyn Fn(&egui::Painter, egui::Pos2, usize),
) -> Option<usize> {
    let (whole, _) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    let palette = Palette::of(ui.visuals());
    ui.painter().rect_filled(whole, 3, palette.surface);
    #[expect(clippy::cast_precision_loss, reason = "a few buttons")]
    let each = width / labels.len().max(1) as f32;
    let (mut x, mut pressed) = (whole.min.x, None);
    let mut ring = None;
    for (i, label) in labels.iter().enumerate() {
        let rect = Rect::from_min_max(pos2(x.round(), whole.min.y), pos2((x + each).round(), whole.max.y));
        x += each;
        let response = ui.interact(rect, ui.scope_id().with((name, i)), Sense::click());
        let selected = Some(i) == current;
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, selected, format!("{name}: {label}")));
        if response.clicked() && !selected {
            pressed = Some(i);
        }
        let painter = ui.painter();
        if selected {
            painter.rect_filled(rect, 3, palette.sel);
            ring = Some((rect, 1.0));
        } else if response.hovered() {
            painter.rect_filled(rect.shrink(1.0), 2, palette.hover);
        }
        if 0 < i {
            painter.vline(rect.min.x + 0.5, rect.y_range(), egui::Stroke::new(1.0, palette.line));
        }
        let font = if selected { theme::semibold(13.0) } else { theme::BODY };
        let word = text_width(painter, label, &font);
        let left = rect.center().x - (word + 18.0) / 2.0;
        mark(painter, pos2((left + 6.0).round(), rect.center().y), i);
        painted_text(painter, pos2(left + 18.0, rect.center().y), Align2::LEFT_CENTER, label, &font, palette.text);
        if response.has_focus() {
            ring = Some((rect, 2.0));
        }
    }
    icons::border(ui.painter(), whole, 3, 1.0, palette.ctrl);
    if let Some((rect, stroke)) = ring {
        icons::border(ui.painter(), rect, 3, stroke, palette.accent);
    }
    pressed
}

/// One line of a list that opens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The placement whose square stands before the text.
    pub badge: Option<usize>,
    pub text: String,
}

impl Entry {
    pub fn plain(text: impl Into<String>) -> Self {
        Self { badge: None, text: text.into() }
    }

    /// Whether it has all of these words.
    fn has(&self, words: &str) -> bool {
        let (said, words) = (self.said().to_lowercase(), words.to_lowercase());
        words.split_whitespace().all(|word| said.contains(word))
    }

    fn said(&self) -> String {
        match self.badge {
            Some(index) => format!("{} {}", icons::letter(index), self.text),
            None => self.text.clone(),
        }
    }
}

/// A field that opens a list. `name` says what is being chosen. Returns the position newly chosen.
pub fn choice_ui(ui: &mut Ui, name: &str, entries: &[Entry], current: usize, width: f32) -> Option<usize> {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    let shown = entries.get(current).cloned().unwrap_or_else(|| Entry::plain("–"));
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, name);
        info.current_text_value = Some(shown.said());
        info
    });
    let response = if closed(ui, rect, &shown, &response) { response } else { response.told(&shown.text) };
    let mut chosen = None;
    let is_long = LONG < entries.len();
    let mut is_fresh = response.clicked();
    let closes = if is_long { PopupCloseBehavior::CloseOnClickOutside } else { PopupCloseBehavior::CloseOnClick };
    Popup::menu(&response).accessible_name(name).close_behavior(closes).width(width).show(|ui| {
        let mut shown: Vec<usize> = (0..entries.len()).collect();
        let mut enters_list = false;
        if is_long {
            let (words, asked) = words_ui(ui, (name, response.id), width - 10.0, &mut is_fresh);
            enters_list = asked == InWords::Down;
            shown.retain(|i| entries.get(*i).is_some_and(|entry| entry.has(&words)));
            if asked == InWords::Enter {
                chosen = shown.first().copied();
            }
            if shown.is_empty() {
                ui.label("Nothing here has these words.");
            }
        }
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            for i in shown {
                let Some(entry) = entries.get(i) else { continue };
                let line = line_ui(ui, entry, i == current, width);
                if std::mem::take(&mut enters_list) {
                    line.request_focus();
                }
                if line.clicked() {
                    chosen = Some(i);
                }
            }
        });
        if chosen.is_some() {
            // A key that chooses is no press of the pointer, which alone would close the list.
            ui.close();
        }
    });
    chosen.filter(|&i| i != current)
}

/// From how many lines on a list can be narrowed.
const LONG: usize = 12;

/// What was pressed in the words that narrow a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InWords {
    Nothing,
    /// The first line that is left is chosen.
    Enter,
    /// The keyboard goes to the list.
    Down,
}

/// The words that narrow a list, and what was pressed in them. A list that was just opened has none, and gives them the
/// keyboard.
fn words_ui(ui: &mut Ui, (name, list): (&str, egui::Id), width: f32, is_fresh: &mut bool) -> (String, InWords) {
    let id = list.with("words");
    let field_name = format!("Find in {name}");
    let has_keys = ui.memory(|memory| memory.has_focus(egui::Id::unique(&field_name)));
    let is_down = has_keys && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, egui::Key::ArrowDown));
    let known = ui.data(|data| data.get_temp::<String>(id)).filter(|_| !*is_fresh);
    let mut words = known.unwrap_or_default();
    let field = search_ui(ui, &field_name, width.max(120.0), &mut words, is_fresh);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.data_mut(|data| data.insert_temp(id, words.clone()));
    let pressed = match (is_entered, is_down) {
        (true, _) => InWords::Enter,
        (_, true) => InWords::Down,
        _ => InWords::Nothing,
    };
    (words, pressed)
}

/// What was pressed in a list of which several can be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ticked {
    /// None of them, which means all.
    All,
    One(usize),
}

/// A field as wide as its text that opens a list of which several can be chosen. `chosen` says of each whether it is.
pub fn choices_ui(ui: &mut Ui, name: &str, labels: &[&str], chosen: &[bool]) -> Option<Ticked> {
    let picked: Vec<&str> = labels.iter().zip(chosen).filter(|(_, is)| **is).map(|(label, _)| *label).collect();
    let said = match picked.as_slice() {
        [] => name.to_owned(),
        [only] => format!("{name}: {only}"),
        several => format!("{name}: {} chosen", several.len()),
    };
    let shown = elided(ui.painter(), &said, &theme::BODY, 180.0);
    let width = text_width(ui.painter(), &shown, &theme::BODY).ceil() + 32.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, name);
        info.current_text_value = Some(if picked.is_empty() { "All".to_owned() } else { picked.join(", ") });
        info
    });
    closed(ui, rect, &Entry::plain(shown), &response);
    if !picked.is_empty() {
        let palette = Palette::of(ui.visuals());
        icons::border(ui.painter(), rect, 3, if response.has_focus() { 2.0 } else { 1.0 }, palette.accent);
        ui.painter().rect_filled(Rect::from_min_size(rect.min, vec2(3.0, 24.0)), 3, palette.accent);
    }
    let mut ticked = None;
    Popup::menu(&response).accessible_name(name).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        let widest = labels.iter().map(|label| text_width(ui.painter(), label, &theme::BODY)).fold(80.0, f32::max);
        let width = widest.min(420.0) + 44.0;
        egui::ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            if tick_ui(ui, name, "All", picked.is_empty(), width).clicked() {
                ticked = Some(Ticked::All);
            }
            for (i, (label, is_chosen)) in labels.iter().zip(chosen).enumerate() {
                if tick_ui(ui, name, label, *is_chosen, width).clicked() {
                    ticked = Some(Ticked::One(i));
                }
            }
        });
    });
    ticked
}

/// A line of such a list: a tick where it is chosen.
fn tick_ui(ui: &mut Ui, name: &str, label: &str, is_chosen: bool, width: f32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, is_chosen, format!("{name}: {label}")));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    if response.hovered() {
        painter.rect_filled(rect, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, rect, 2, 2.0, palette.accent);
    }
    let square = Rect::from_center_size(pos2(rect.min.x + 14.0, rect.center().y), vec2(13.0, 13.0));
    if is_chosen {
        painter.rect_filled(square, 2, palette.accent);
        icons::icon(painter, Icon::Tick, square.center(), 13.0, palette.onaccent);
    } else {
        icons::border(painter, square, 2, 1.0, palette.ctrl);
    }
    let text = elided(painter, label, &theme::BODY, rect.width() - 36.0);
    let at = pos2(rect.min.x + 28.0, rect.center().y);
    painted_text(painter, at, Align2::LEFT_CENTER, &text, &theme::BODY, palette.text);
    if text == label { response } else { response.told(label) }
}

/// Says whether the text of the entry is whole.
fn closed(ui: &Ui, rect: Rect, shown: &Entry, response: &Response) -> bool {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    painter.rect_filled(rect, 3, palette.filled(response.hovered(), palette.surface));
    let (stroke, colour) = if response.has_focus() { (2.0, palette.accent) } else { (1.0, palette.ctrl) };
    icons::border(painter, rect, 3, stroke, colour);
    icons::icon(painter, Icon::Down, pos2(rect.max.x - 11.0, rect.center().y), 14.0, palette.text2);
    entry_text(ui, rect.with_max_x(rect.max.x - 20.0), shown)
}

/// Says whether the text is whole.
fn entry_text(ui: &Ui, rect: Rect, entry: &Entry) -> bool {
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let mut x = rect.min.x + 8.0;
    if let Some(index) = entry.badge {
        icons::badge(painter, pos2(x + 8.0, rect.center().y), index, 16.0, palette);
        x += 22.0;
    }
    let text = elided(painter, &entry.text, &theme::BODY, rect.max.x - x);
    painted_text(painter, pos2(x, rect.center().y), Align2::LEFT_CENTER, &text, &theme::BODY, palette.text);
    text == entry.text
}

fn line_ui(ui: &mut Ui, entry: &Entry, selected: bool, width: f32) -> Response {
    let wanted = text_width(ui.painter(), &entry.text, &theme::BODY) + if entry.badge.is_some() { 44.0 } else { 20.0 };
    let (rect, response) = ui.allocate_exact_size(vec2(wanted.max(width - 10.0), 24.0), Sense::click());
    let palette = Palette::of(ui.visuals());
    if selected {
        ui.painter().rect_filled(rect, 2, palette.sel);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 2, 2.0, palette.accent);
    }
    entry_text(ui, rect, entry);
    response.widget_info(|| WidgetInfo::selected(Role::MenuItemRadio, true, selected, entry.said()));
    response
}
