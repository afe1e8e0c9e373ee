//! Evidence of several inputs at once: a kind, an owner or a review date for all that are selected, in one step.
//!
//! What is left empty stays as it is for each of them.

use egui::{Align, Layout, RichText, Sense, TextEdit, Ui, UiBuilder, vec2};

use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::edit::{Change, Edit};
use crate::app::fields::{Fields, date, unsaid};
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Entry, choice_ui};
use crate::input::{Evidence, EvidenceKind};
use crate::scenario::InputRef;

/// How high the line is, which stands at the bottom of the page.
pub const HEIGHT: f32 = 36.0;

/// What is to be said of every input that is selected.
#[derive(Default)]
pub struct Bulk {
    kind: Option<EvidenceKind>,
    owner: String,
    review_by: String,
    refused: String,
}

impl Bulk {
    /// Draws the line. Says whether it was carried out or put away.
    pub fn ui(&mut self, ui: &mut Ui, picked: &[&InputRef], fields: &mut Fields<'_>) -> bool {
        let palette = Palette::of(ui.visuals());
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
        let builder = UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Center));
        let mut line = ui.new_child(builder);
        let ui = &mut line;
        ui.spacing_mut().item_spacing.x = 8.0;
        let caption = |ui: &mut Ui, text: &str| {
            ui.label(RichText::new(text).font(theme::SMALL).color(palette.text2));
        };
        ui.label(RichText::new(format!("{} selected", picked.len())).font(theme::semibold(13.0)));
        caption(ui, "Kind");
        self.kind_ui(ui);
        caption(ui, "Owner");
        word_ui(ui, "Owner of all selected", &mut self.owner, 120.0);
        caption(ui, "Review by");
        word_ui(ui, "Review by, of all selected", &mut self.review_by, 92.0);
        let is_something = self.kind.is_some() || !self.owner.trim().is_empty() || !self.review_by.trim().is_empty();
        let set = ui.add_enabled_ui(is_something, |ui| button(ui, "Set for all selected", true)).inner;
        let put_away = button(ui, "Clear selection", false).clicked();
        if !self.refused.is_empty() {
            ui.label(RichText::new(&self.refused).font(theme::SMALL).color(palette.error));
        }
        if put_away {
            *self = Self::default();
        }
        put_away || (set.clicked() && self.carry_out(picked, fields))
    }

    fn kind_ui(&mut self, ui: &mut Ui) {
        let kinds = EvidenceKind::ALL.iter().map(|kind| kind.label());
        let entries: Vec<Entry> = std::iter::once("as it is").chain(kinds).map(Entry::plain).collect();
        let current =
            self.kind.and_then(|kind| EvidenceKind::ALL.iter().position(|of| *of == kind)).map_or(0, |i| i + 1);
        if let Some(chosen) = choice_ui(ui, "Kind of all selected", &entries, current, 104.0) {
            self.kind = chosen.checked_sub(1).map(|i| EvidenceKind::ALL[i]);
        }
    }

    fn carry_out(&mut self, picked: &[&InputRef], fields: &mut Fields<'_>) -> bool {
        let review_by = match date("Review by", &self.review_by) {
            Ok(review_by) => review_by,
            Err(reason) => {
                self.refused = reason;
                return false;
            }
        };
        let edits: Vec<Edit> = picked.iter().filter_map(|input| self.edit(input, review_by.as_deref())).collect();
        if !edits.is_empty() {
            let label = self.label(review_by.as_deref(), edits.len());
            fields.commands.push(Command::Edit(Edit::many(edits, label)));
        }
        *self = Self::default();
        true
    }

    /// The edit of one input; none where it says all of it already.
    fn edit(&self, input: &InputRef, review_by: Option<&str>) -> Option<Edit> {
        let known = input.input.evidence().cloned().unwrap_or_else(unsaid);
        let owner = self.owner.trim();
        let said = Evidence {
            kind: self.kind.unwrap_or(known.kind),
            owner: if owner.is_empty() { known.owner.clone() } else { owner.to_owned() },
            review_by: review_by.map(str::to_owned).or_else(|| known.review_by.clone()),
            ..known.clone()
        };
        (said != known).then(|| Edit { path: input.path.clone(), change: Change::Evidence(Some(said)) })
    }

    /// `Owner Finance, review by 2027-06-30 for 5 inputs`
    fn label(&self, review_by: Option<&str>, count: usize) -> String {
        let owner = self.owner.trim();
        let parts = [
            self.kind.map(|kind| kind.label().to_lowercase()),
            (!owner.is_empty()).then(|| format!("owner {owner}")),
            review_by.map(|date| format!("review by {date}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let of = if count == 1 { "1 input".to_owned() } else { format!("{count} inputs") };
        format!("Evidence of {of}: {}", parts.join(", "))
    }
}

fn word_ui(ui: &mut Ui, name: &str, text: &mut String, width: f32) {
    let field = TextEdit::singleline(text)
        .desired_width(width)
        .text_color(Palette::of(ui.visuals()).input)
        .margin(egui::Margin::symmetric(6, 3));
    ui.add(field).accessible_name(name);
}
