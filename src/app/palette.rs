//! The command palette: a command, a placement, a file or an input found by words of its name, and given by Enter.
//!
//! It looks through the list of commands that menus and keys are made of, and knows none of them.

use egui::accesskit::Role;
use egui::text::LayoutJob;
use egui::{Align2, Area, Id, Key, Modifiers, Order, Rect, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::command::{self, Command, Entry};
use super::dialogs::Answer;
use super::document::Document;
use super::icons::{self, Icon};
use super::theme::{self, Palette};
use super::widgets::{painted_text, text_width};

const WIDTH: f32 = 560.0;
const ROW: f32 = 26.0;
/// Lines that Page up and Page down move by, and that are in sight in a high window.
const PAGE: usize = 12;

/// What is looked for, and what was found.
pub struct CommandPalette {
    words: String,
    entries: Vec<Entry>,
    /// What the words match, best first: positions in the list.
    found: Vec<usize>,
    /// Position of the line that Enter gives.
    at: usize,
    /// Whether that line is to be brought into view.
    follow: bool,
}

/// Where it stands: at the top, with its field always in the same place however many lines follow.
pub fn area(id: Id) -> Area {
    Area::new(id)
        .kind(egui::UiKind::Modal)
        .order(Order::Foreground)
        .interactable(true)
        .anchor(Align2::CENTER_TOP, vec2(0.0, 40.0))
}

impl CommandPalette {
    /// The commands as they can be given now, the commonest kinds first, and every input.
    pub fn new(document: &Document, entries: Vec<Entry>) -> Self {
        // Finding the palette by the palette leads nowhere.
        let entries = entries.into_iter().filter(|entry| entry.command != Command::Palette);
        let entries: Vec<Entry> = entries.chain(command::inputs(document)).collect();
        let mut palette = Self { words: String::new(), entries, found: Vec::new(), at: 0, follow: true };
        palette.find();
        palette
    }

    fn find(&mut self) {
        let words: Vec<String> = self.words.split_whitespace().map(str::to_lowercase).collect();
        let ranked = self.entries.iter().enumerate();
        let mut ranked: Vec<(u32, bool, usize)> =
            ranked.filter_map(|(i, entry)| Some((rank(entry, &words)?, !entry.available, i))).collect();
        ranked.sort_unstable();
        self.found = ranked.into_iter().map(|(.., i)| i).collect();
        (self.at, self.follow) = (0, true);
    }

    pub fn palette_ui(&mut self, ui: &mut Ui, fresh: bool) -> Option<Answer> {
        ui.set_width(WIDTH.min(ui.ctx().content_rect().width() - 48.0));
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        self.move_by_keys(ui);
        let entered = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
        self.field_ui(ui, fresh);
        let pressed = self.list_ui(ui);
        let chosen = pressed.or_else(|| entered.then(|| self.found.get(self.at).copied()).flatten());
        let entry = self.entries.get(chosen?).filter(|entry| entry.available)?;
        Some(Answer::Give(entry.command.clone()))
    }

    fn move_by_keys(&mut self, ui: &Ui) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let last = self.found.len().saturating_sub(1);
        let to = if pressed(Key::ArrowDown) {
            self.at + 1
        } else if pressed(Key::ArrowUp) {
            self.at.saturating_sub(1)
        } else if pressed(Key::PageDown) {
            self.at + PAGE
        } else if pressed(Key::PageUp) {
            self.at.saturating_sub(PAGE)
        } else {
            return;
        };
        (self.at, self.follow) = (to.min(last), true);
    }

    fn field_ui(&mut self, ui: &mut Ui, fresh: bool) {
        let margin = egui::Margin { left: 30, right: 8, top: 7, bottom: 7 };
        let field = TextEdit::singleline(&mut self.words)
            .id(Id::unique("command"))
            .hint_text("A command, a placement, an example, an input")
            .desired_width(f32::INFINITY)
            .margin(margin);
        let response = ui.add(field).accessible_name("Command");
        let at = pos2(response.rect.min.x + 17.0, response.rect.center().y);
        icons::icon(ui.painter(), Icon::Search, at, 16.0, Palette::of(ui.visuals()).text2);
        // The keyboard stays with the field: the arrows move along the list all the same.
        if fresh || !response.has_focus() {
            response.request_focus();
        }
        if response.changed() {
            self.find();
        }
    }

    /// The lines found. Returns the position of the entry that was pressed.
    fn list_ui(&mut self, ui: &mut Ui) -> Option<usize> {
        if self.found.is_empty() {
            ui.add_space(4.0);
            ui.label("No command has these words in its name.");
            return None;
        }
        let height = (ui.ctx().content_rect().height() - 140.0).clamp(ROW * 3.0, ROW * PAGE as f32);
        ui.spacing_mut().item_spacing.y = 0.0;
        let (follow, mut pressed) = (std::mem::take(&mut self.follow), None);
        let scroll = ScrollArea::vertical().id_salt("commands").max_height(height).auto_shrink([false, true]);
        scroll.show_rows(ui, ROW, self.found.len(), |ui, rows| {
            if follow {
                let above = self.at as f32 - rows.start as f32;
                let top = ui.min_rect().min + vec2(0.0, above * ROW);
                ui.scroll_to_rect(Rect::from_min_size(top, vec2(1.0, ROW)), None);
            }
            for row in rows {
                let Some((place, entry)) = self.found.get(row).and_then(|i| Some((*i, self.entries.get(*i)?))) else {
                    continue;
                };
                if line_ui(ui, entry, &self.words, row == self.at) {
                    pressed = Some(place);
                }
            }
        });
        pressed
    }
}

fn line_ui(ui: &mut Ui, entry: &Entry, words: &str, current: bool) -> bool {
    let sense = if entry.available { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), sense);
    response.widget_info(|| WidgetInfo::selected(Role::ListBoxOption, entry.available, current, &entry.name));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    if current {
        painter.rect_filled(rect, 2, palette.sel);
    } else if response.hovered() {
        painter.rect_filled(rect, 2, palette.hover);
    }
    let keys = entry.written_keys(ui.ctx());
    let right = rect.max.x - 8.0;
    let room =
        right - rect.min.x - 8.0 - if keys.is_empty() { 0.0 } else { text_width(painter, &keys, &theme::SMALL) + 16.0 };
    let ink = if entry.available { palette.text } else { palette.text3 };
    let galley = painter.layout_job(job(&entry.name, words, ink, room));
    let at = pos2(rect.min.x + 8.0, (rect.center().y - galley.size().y / 2.0).round());
    painter.with_clip_rect(Rect::from_min_max(rect.min, pos2(at.x + room, rect.max.y))).galley(at, galley, ink);
    painted_text(painter, pos2(right, rect.center().y), Align2::RIGHT_CENTER, &keys, &theme::SMALL, palette.text2);
    response.clicked()
}

/// The name with what was looked for heavier in it.
fn job(name: &str, words: &str, ink: egui::Color32, room: f32) -> LayoutJob {
    let lower = name.to_lowercase();
    let mut heavy = vec![false; name.len()];
    // Where lower case has another length, the bytes do not correspond, and nothing is made heavier.
    if lower.len() == name.len() {
        for word in words.split_whitespace().map(str::to_lowercase) {
            if let Some(found) = lower.find(&word) {
                heavy.iter_mut().skip(found).take(word.len()).for_each(|heavy| *heavy = true);
            }
        }
    }
    let wrap = egui::text::TextWrapping { max_width: room, max_rows: 1, break_anywhere: true, ..Default::default() };
    let mut job = LayoutJob { wrap, ..LayoutJob::default() };
    let mut letters = [0; 4];
    for (i, letter) in name.char_indices() {
        let font = if heavy.get(i) == Some(&true) { theme::semibold(13.0) } else { theme::BODY };
        job.append(
            letter.encode_utf8(&mut letters),
            0.0,
            egui::TextFormat { font_id: font, color: ink, ..Default::default() },
        );
    }
    job
}

/// How well an entry matches all the words; less is better. None where a word is nowhere in it.
fn rank(entry: &Entry, words: &[String]) -> Option<u32> {
    // What stands in a menu was meant more often than one of many inputs.
    let kind = if matches!(entry.command, Command::GoTo(_)) { 1 } else { 0 };
    let (name, detail) = (entry.name.to_lowercase(), entry.detail.to_lowercase());
    let ranks = words.iter().map(|word| {
        let in_name = word_rank(&name, word);
        in_name.or_else(|| detail.contains(word.as_str()).then_some(IN_DETAIL)).or_else(|| letters_rank(&name, word))
    });
    ranks.sum::<Option<u32>>().map(|rank| rank * 2 + kind)
}

const IN_DETAIL: u32 = 6;
const BY_LETTERS: u32 = 12;

/// A word that begins the name, then one that begins a word of it, then one inside a word.
fn word_rank(name: &str, word: &str) -> Option<u32> {
    let before = name.find(word).map(|found| name.get(..found).unwrap_or_default())?;
    let begins = |before: &str| before.chars().next_back().is_none_or(|letter| !letter.is_alphanumeric());
    let begins_a_word = name.match_indices(word).any(|(i, _)| name.get(..i).is_some_and(begins));
    Some(if before.is_empty() {
        0
    } else if begins_a_word {
        1
    } else {
        3
    })
}

/// The letters of a word in their order, each where a word of the name begins or next to the one before: `gtl` for
/// “Go to ledger”.
fn letters_rank(name: &str, word: &str) -> Option<u32> {
    let mut wanted = word.chars().peekable();
    let (mut before, mut joined) = (' ', false);
    for letter in name.chars() {
        let here = wanted.peek() == Some(&letter) && (joined || !before.is_alphanumeric());
        if here {
            wanted.next();
        }
        (joined, before) = (here, letter);
    }
    wanted.peek().is_none().then_some(BY_LETTERS)
}
