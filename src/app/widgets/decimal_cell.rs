//! The cell in which an exact number is typed.
//!
//! Enter and Tab commit, Esc restores, the arrows step. A refused text stays, with its reason, until it is mended or
//! restored. The cell holds no number of its own: what is half typed is a draft of the window, and what is committed goes
//! to the caller. No binary floating point takes part.

use std::collections::HashMap;

use egui::accesskit::{self, Role};
use egui::text::{CCursor, CCursorRange};
use egui::{
    Align2, Event, EventFilter, FontId, Id, Key, Modifiers, Painter, Rect, Response, Sense, TextEdit, Ui, WidgetInfo,
    pos2, vec2,
};
use rust_decimal::Decimal;

use super::labels::{elided, painted_text, text_width};
use crate::app::icons;
use crate::app::theme::Palette;
use crate::show::{self, Cell, Figures};

/// Texts that were typed and are not yet, or cannot be, part of the scenario.
#[derive(Default)]
pub struct Drafts(HashMap<Id, Draft>);

#[derive(Default)]
struct Draft {
    text: String,
    /// Why the text was refused; `None` while it is being typed.
    reason: Option<String>,
    /// Where the caret goes when the field opens.
    caret: Option<Caret>,
}

#[derive(Clone, Copy)]
enum Caret {
    AllSelected,
    End,
}

impl Drafts {
    /// Forgets every text: the numbers they were meant for have changed.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Reads refused texts once more: what they were refused for may have changed.
    pub fn retry(&mut self) {
        for draft in self.0.values_mut() {
            draft.reason = None;
        }
    }

    /// Whether a text is still being typed, so that it may yet become part of the scenario.
    pub fn unsettled(&self) -> bool {
        self.0.values().any(|draft| draft.reason.is_none())
    }

    /// Whether this cell holds such a text.
    pub fn holds(&self, id: Id) -> bool {
        self.0.contains_key(&id)
    }
}

/// One cell: what it shows and what it is called.
pub struct DecimalCell<'a> {
    /// The row and column in words: what assistive technology says and a test asks for.
    pub name: &'a str,
    /// The number in the scenario; `None` where there is none yet.
    pub value: Option<Decimal>,
    pub cell: Cell,
    pub figures: Figures,
    /// Whether the value differs from that of the saved file.
    pub differs: bool,
    /// Whether a case or a lever puts this value in place of that of the base.
    pub fixed: bool,
    /// Whether an emptied cell is a commit of its own.
    pub clearable: bool,
    pub look: Look,
}

/// How a cell looks while nothing is done with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Look {
    /// A field with its border.
    #[default]
    Field,
    /// A figure of a table, with a border only under the pointer and with the keyboard; and what it says where there is
    /// no number.
    Figure(&'static str),
}

/// What happened to a cell in this frame.
pub struct Outcome {
    pub response: Response,
    /// The number to put in place of the old one; `Some(None)` empties the cell.
    pub committed: Option<Option<Decimal>>,
    /// The sum that the number was typed as, where it was one.
    pub sum: Option<String>,
    /// Why the text in the cell is not accepted.
    pub refused: Option<String>,
}

impl DecimalCell<'_> {
    pub const HEIGHT: f32 = 22.0;

    /// Draws the cell at a place. `check` says what is wrong with a number that can be read but not used.
    pub fn show_at(
        &self,
        ui: &mut Ui,
        rect: Rect,
        id: Id,
        drafts: &mut Drafts,
        check: &dyn Fn(Option<Decimal>) -> Result<(), String>,
    ) -> Outcome {
        let focused = ui.memory(|memory| memory.has_focus(id));
        let held = drafts.holds(id);
        let mut committed = None;
        let mut entered = false;
        let typed = |drafts: &Drafts| drafts.0.get(&id).map(|draft| draft.text.trim().to_owned());
        let mut sum = None;
        if focused {
            recall_late_keys(ui, id);
            if let Some(place) = ui.input(|input| input.events.iter().position(is_enter)) {
                keep_late_keys(ui, id, place + 1);
            }
            self.begin(ui, id, drafts);
            entered = self.finish(ui, id, drafts);
        } else if drafts.0.get(&id).is_some_and(|draft| draft.reason.is_none()) {
            sum = typed(drafts);
            committed = self.commit(id, drafts, check);
        }
        let response = match drafts.0.get_mut(&id) {
            Some(draft) if focused => self.editing_ui(ui, rect, id, draft),
            draft => self.resting_ui(ui, rect, id, draft.map(|draft| &*draft)),
        };
        if entered {
            // The field has taken what was typed before Enter, even where both came in one slow frame.
            sum = typed(drafts);
            committed = self.commit(id, drafts, check);
            ui.request_repaint();
        } else if response.clicked() && !drafts.holds(id) {
            response.request_focus();
            drafts.0.insert(id, self.opened());
            keep_late_keys(ui, id, 0);
            ui.request_repaint();
        }
        if held && !drafts.holds(id) {
            // With the field goes its own undo: from here on, undo is that of the document.
            ui.data_mut(|data| data.remove::<egui::text_edit::TextEditState>(id));
        }
        let refused = drafts.0.get(&id).and_then(|draft| draft.reason.clone());
        if let Some(reason) = &refused {
            ui.accesskit_node_builder(id, |node| {
                node.set_invalid(accesskit::Invalid::True);
                node.set_description(reason.clone());
            });
        }
        let sum = sum.filter(|text| committed.is_some() && text.starts_with('='));
        Outcome { response, committed, sum, refused }
    }

    /// Gives the cell the keyboard, its number selected.
    pub fn open(&self, ui: &Ui, id: Id, drafts: &mut Drafts) {
        ui.memory_mut(|memory| memory.request_focus(id));
        drafts.0.insert(id, self.opened());
        ui.request_repaint();
    }

    fn text(&self) -> String {
        self.value.map_or_else(String::new, |value| self.figures.cell(value, self.cell))
    }

    fn opened(&self) -> Draft {
        let text = self.value.map_or_else(String::new, |value| self.figures.editing(self.cell.shown(value)));
        Draft { text, reason: None, caret: Some(Caret::AllSelected) }
    }

    /// Keys that open a selected cell: a character replaces the number, Enter and F2 edit it.
    fn begin(&self, ui: &Ui, id: Id, drafts: &mut Drafts) {
        if drafts.holds(id) {
            return;
        }
        if ui.input(|input| input.events.contains(&Event::Copy)) {
            ui.copy_text(self.text());
        }
        if let Some(text) = ui.input_mut(take_text) {
            drafts.0.insert(id, Draft { text, reason: None, caret: Some(Caret::End) });
        } else if ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Enter) || input.consume_key(Modifiers::NONE, Key::F2)
        }) {
            drafts.0.insert(id, self.opened());
        } else if ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Delete) || input.consume_key(Modifiers::NONE, Key::Backspace)
        }) {
            drafts.0.insert(id, Draft::default());
        }
    }

    /// Keys that end or change an edit: Esc, the arrows that step, and Enter, which it reports.
    fn finish(&self, ui: &Ui, id: Id, drafts: &mut Drafts) -> bool {
        let Some(draft) = drafts.0.get_mut(&id) else { return false };
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            drafts.0.remove(&id);
            return false;
        }
        for (key, modifiers, steps) in [
            (Key::ArrowUp, Modifiers::SHIFT, 10),
            (Key::ArrowDown, Modifiers::SHIFT, -10),
            (Key::ArrowUp, Modifiers::NONE, 1),
            (Key::ArrowDown, Modifiers::NONE, -1),
        ] {
            let presses = ui.input_mut(|input| input.count_and_consume_key(modifiers, key));
            for _ in 0..presses {
                self.step(draft, steps);
            }
        }
        ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
    }

    fn step(&self, draft: &mut Draft, steps: i64) {
        let read = show::parse(&draft.text, self.figures.marks, self.cell);
        if let Some(value) = read.ok().and_then(|value| show::stepped(value, self.cell, steps)) {
            draft.text = self.figures.editing(self.cell.shown(value));
            draft.reason = None;
            draft.caret = Some(Caret::AllSelected);
        }
    }

    /// Reads the draft. What is refused stays as a draft with its reason; what equals the old number is no commit.
    fn commit(
        &self,
        id: Id,
        drafts: &mut Drafts,
        check: &dyn Fn(Option<Decimal>) -> Result<(), String>,
    ) -> Option<Option<Decimal>> {
        let draft = drafts.0.get_mut(&id)?;
        match self.read(&draft.text, check) {
            Ok(value) => {
                drafts.0.remove(&id);
                (value != self.value || value.map(|v| v.scale()) != self.value.map(|v| v.scale())).then_some(value)
            }
            Err(reason) => {
                draft.reason = Some(self.with_way_out(&reason));
                None
            }
        }
    }

    fn read(
        &self,
        text: &str,
        check: &dyn Fn(Option<Decimal>) -> Result<(), String>,
    ) -> Result<Option<Decimal>, String> {
        if self.clearable && text.trim().is_empty() {
            return check(None).map(|()| None);
        }
        let value = show::parse(text, self.figures.marks, self.cell).map_err(|refused| refused.0)?;
        if Some(value) != self.value {
            check(Some(value))?;
        }
        Ok(Some(value))
    }

    fn with_way_out(&self, reason: &str) -> String {
        match self.value {
            Some(_) => format!("{reason} The model still uses {}. Esc restores.", self.text()),
            None => format!("{reason} Esc restores."),
        }
    }

    fn editing_ui(&self, ui: &mut Ui, rect: Rect, id: Id, draft: &mut Draft) -> Response {
        let palette = Palette::of(ui.visuals());
        let refused = draft.reason.is_some();
        let fill = if refused { palette.errorbg } else { palette.surface };
        ui.painter().rect_filled(rect, 2, fill);
        if let Some(caret) = draft.caret.take() {
            place_caret(ui, id, &draft.text, caret);
        }
        let before = draft.text.clone();
        let edit = TextEdit::singleline(&mut draft.text)
            .id(id)
            .frame(egui::Frame::NONE)
            .margin(egui::Margin::symmetric(6, 2))
            .align(egui::Align2::RIGHT_CENTER)
            .text_color(if refused { palette.error } else { palette.input })
            .clip_text(true)
            .event_filter(EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: true, tab: false })
            .desired_width(rect.width() - 12.0);
        let response = ui.put(rect, edit).accessible_name(self.name);
        if draft.text != before {
            draft.reason = None;
        }
        icons::border(ui.painter(), rect, 2, 2.0, if refused { palette.error } else { palette.accent });
        response
    }

    fn resting_ui(&self, ui: &Ui, rect: Rect, id: Id, draft: Option<&Draft>) -> Response {
        let response = ui.interact(rect, id, Sense::click());
        let text = draft.map_or_else(|| self.text(), |draft| draft.text.clone());
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::TextInput, true, self.name);
            info.current_text_value = Some(text.clone());
            info
        });
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let refused = draft.is_some();
        let bare = self.look != Look::Field;
        let border = match (refused, response.has_focus(), response.hovered()) {
            (true, ..) => Some((2.0, palette.error)),
            (_, true, _) => Some((2.0, palette.accent)),
            (_, _, true) => Some((1.0, palette.text2)),
            _ => (!bare).then_some((1.0, palette.line2)),
        };
        if self.fixed && border.is_none() {
            painter.rect_filled(rect, 2, palette.sunken);
        }
        if let Some((width, colour)) = border {
            let fill = match (refused, self.fixed) {
                (true, _) => palette.errorbg,
                (_, true) => palette.sunken,
                _ => palette.surface,
            };
            painter.rect_filled(rect, 2, fill);
            icons::border(painter, rect, 2, width, colour);
        }
        if self.differs {
            painter.rect_filled(Rect::from_min_size(rect.min, vec2(3.0, rect.height())), 0, palette.accent);
        }
        let (text, ink) = match (refused, self.look) {
            (true, _) => (text, palette.error),
            (_, Look::Figure(none)) if text.is_empty() => (none.to_owned(), palette.warn),
            _ if self.fixed => (text, palette.text3),
            _ => (text, palette.input),
        };
        let at = pos2(rect.max.x - 6.0, rect.center().y);
        let (text, font) = fitting(painter, text, egui::TextStyle::Body.resolve(ui.style()), rect.width() - 10.0);
        let within = painter.with_clip_rect(rect.intersect(ui.clip_rect()));
        painted_text(&within, at, Align2::RIGHT_CENTER, &text, &font, ink);
        response.on_hover_cursor(egui::CursorIcon::Text)
    }
}

fn is_enter(event: &Event) -> bool {
    matches!(event, Event::Key { key: Key::Enter, pressed: true, modifiers, .. } if modifiers.is_none())
}

/// Keeps what was typed from a place in the events on for the next frame, when the cell can take it.
fn keep_late_keys(ui: &Ui, id: Id, from: usize) {
    let is_typed = |event: &Event| matches!(event, Event::Text(_) | Event::Paste(_) | Event::Key { .. });
    let late: Vec<Event> = ui.input_mut(|input| {
        let mut place = 0;
        let (late, kept) = std::mem::take(&mut input.events).into_iter().partition(|event| {
            place += 1;
            from < place && is_typed(event)
        });
        input.events = kept;
        late
    });
    if !late.is_empty() {
        ui.data_mut(|data| data.insert_temp(late_keys(id), late));
        ui.request_repaint();
    }
}

/// Puts what was typed late before what is typed now.
fn recall_late_keys(ui: &Ui, id: Id) {
    if let Some(late) = ui.data_mut(|data| data.remove_temp::<Vec<Event>>(late_keys(id))) {
        ui.input_mut(|input| drop(input.events.splice(0..0, late)));
    }
}

fn late_keys(id: Id) -> Id {
    id.with("late keys")
}

/// The text typed in this frame, taken out of the input so that it is not typed twice.
fn take_text(input: &mut egui::InputState) -> Option<String> {
    let mut typed = String::new();
    input.events.retain(|event| match event {
        // No number begins with a letter: one that is pressed is meant for something else.
        Event::Text(text) if typed.is_empty() && text.starts_with(char::is_alphabetic) => true,
        Event::Text(text) | Event::Paste(text) => {
            typed.push_str(text.trim_matches(['\n', '\r', '\t']));
            false
        }
        _ => true,
    });
    (!typed.trim().is_empty()).then_some(typed)
}

/// A number that is wider than its cell loses digits after the decimal mark, and says so; never one before it, for which the
/// type gets smaller instead.
fn fitting(painter: &Painter, text: String, font: FontId, room: f32) -> (String, FontId) {
    let width = text_width(painter, &text, &font);
    if width <= room {
        return (text, font);
    }
    let shorter = elided(painter, &text, &font, room);
    let kept = shorter.trim_end_matches('…').len();
    match text.rfind(['.', ',']) {
        Some(mark) if mark < kept => (shorter, font),
        _ => (text, FontId { size: (font.size * room / width).max(7.0), ..font }),
    }
}

fn place_caret(ui: &Ui, id: Id, text: &str, caret: Caret) {
    let end = CCursor::new(text.chars().count());
    let range = match caret {
        Caret::AllSelected => CCursorRange::two(CCursor::new(0), end),
        Caret::End => CCursorRange::one(end),
    };
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state.cursor.set_char_range(Some(range));
    TextEdit::store_state(ui.ctx(), id, state);
}
