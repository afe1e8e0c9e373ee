//! A field that narrows what is listed.
//!
//! It knows the words in it, and not what they are looked for in.

use egui::text::{CCursor, CCursorRange};
use egui::{Id, Response, TextEdit, Ui, pos2};

use crate::app::icons::{self, Icon};
use crate::app::theme::Palette;

/// A field for words to look for, called `name`. `find` gives it the keyboard, once; Esc empties it.
pub fn search_ui(ui: &mut Ui, name: &str, width: f32, words: &mut String, find: &mut bool) -> Response {
    let field = ui.add(
        TextEdit::singleline(words).id(Id::unique(name)).hint_text(name).desired_width(width).margin(egui::Margin {
            left: 26,
            right: 8,
            top: 4,
            bottom: 4,
        }),
    );
    let at = pos2(field.rect.min.x + 14.0, field.rect.center().y);
    icons::icon(ui.painter(), Icon::Search, at, 16.0, Palette::of(ui.visuals()).text2);
    let field = field.accessible_name(name);
    if std::mem::take(find) {
        field.request_focus();
        select_all(ui, field.id, words);
    }
    if field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        words.clear();
    }
    field
}

/// Selects all of a field that takes the keyboard: what is typed next takes the place of what was there.
pub fn select_all(ui: &Ui, id: Id, text: &str) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let end = CCursor::new(text.chars().count());
    state.cursor.set_char_range(Some(CCursorRange::two(CCursor::new(0), end)));
    TextEdit::store_state(ui.ctx(), id, state);
}
