//! The cases in the panel of levers: switched between, kept, described, updated and deleted.
//!
//! It lists what the scenario holds and returns what a person asked for.

use egui::accesskit::Role;
use egui::{Align2, Id, Key, Modifiers, Rect, RichText, Sense, Stroke, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::panel::{Levers, Panel, more_at};
use super::{Card, Shown, Wish};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Document;
use crate::app::icons;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Told as _, elided, painted_text};
use crate::scenario::calendar::Date;
use crate::scenario::{Case, Scenario};

/// A case while it is described.
pub struct Writing {
    /// The id of the case that is described again; none for a new one.
    id: Option<String>,
    name: String,
    owner: String,
    review_by: String,
    refused: String,
    /// Whether the first field is still to get the keyboard.
    fresh: bool,
}

impl Writing {
    /// The fields of a case that is to be kept.
    pub fn new_case() -> Self {
        Self {
            id: None,
            name: String::new(),
            owner: String::new(),
            review_by: String::new(),
            refused: String::new(),
            fresh: true,
        }
    }

    /// The fields of a case that exists.
    pub fn of(case: &Case) -> Self {
        let Card { name, owner, review_by } = Card::of(case);
        Self { id: Some(case.id.clone()), name, owner, review_by: review_by.unwrap_or_default(), ..Self::new_case() }
    }

    pub fn is_new(&self) -> bool {
        self.id.is_none()
    }

    /// What was written, or why it cannot be kept.
    fn card(&self, scenario: &Scenario) -> Result<Card, String> {
        let name = self.name.trim();
        if name.is_empty() {
            return Err("A case needs a name, by which it is switched to.".to_owned());
        }
        let taken = scenario.cases.iter().any(|case| case.name == name && Some(&case.id) != self.id.as_ref());
        if taken {
            return Err(format!("There is a case called {name} already."));
        }
        let review_by = match self.review_by.trim() {
            "" => None,
            date if Date::parse(date).is_some() => Some(date.to_owned()),
            text => return Err(format!("“{text}” is not a date; write it as 2026-11-30.")),
        };
        Ok(Card { name: name.to_owned(), owner: self.owner.trim().to_owned(), review_by })
    }
}

impl Levers {
    /// The base, the cases, and the positions that no case keeps.
    pub(super) fn cases_ui(&mut self, ui: &mut Ui, panel: &Panel, commands: &mut Vec<Command>) {
        let scenario = &panel.document.base().scenario;
        self.keeping_ui(ui, scenario, commands);
        head_ui(ui, "Cases");
        for (number, choice) in choices(panel.document).into_iter().enumerate() {
            choice.ui(ui, commands);
            let written = self.writing.as_ref().and_then(|writing| writing.id.as_deref());
            let case = number.checked_sub(1).and_then(|place| scenario.cases.get(place));
            if case.is_some_and(|case| Some(case.id.as_str()) == written) {
                self.writing_ui(ui, scenario, commands);
            }
        }
        ui.add_space(4.0);
        let hint = "B shows the base, 1 to 9 a case, 0 what is not kept, while nothing is being typed.";
        panel.note_ui(ui, hint);
    }

    /// The fields of a new case, where one is being kept.
    pub(super) fn keeping_ui(&mut self, ui: &mut Ui, scenario: &Scenario, commands: &mut Vec<Command>) {
        if self.writing.as_ref().is_some_and(Writing::is_new) {
            self.writing_ui(ui, scenario, commands);
        }
    }

    fn writing_ui(&mut self, ui: &mut Ui, scenario: &Scenario, commands: &mut Vec<Command>) {
        let Some(mut writing) = self.writing.take() else { return };
        let palette = Palette::of(ui.visuals());
        let frame = egui::Frame::new().fill(palette.sunken).inner_margin(egui::Margin::same(8));
        let (mut done, mut cancelled) = (false, false);
        ui.add_space(8.0);
        let mut fresh = false;
        let shown = frame.show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 4.0;
            let title = if writing.id.is_none() { "Keep the positions as a case" } else { "Describe the case" };
            ui.label(RichText::new(title).strong());
            let name = field_ui(ui, "Case name", &mut writing.name);
            if std::mem::take(&mut writing.fresh) {
                name.request_focus();
                fresh = true;
            }
            let owner = field_ui(ui, "Case owner", &mut writing.owner);
            let review = field_ui(ui, "Case review by, as 2026-11-30", &mut writing.review_by);
            let enter = ui.input(|input| input.key_pressed(Key::Enter));
            done = enter && [&name, &owner, &review].iter().any(|field| field.lost_focus());
            if !writing.refused.is_empty() {
                ui.label(RichText::new(&writing.refused).small().color(palette.error));
            }
            ui.horizontal(|ui| {
                done |= button(ui, if writing.id.is_none() { "Keep" } else { "Done" }, true).clicked();
                cancelled = button(ui, "Cancel", false).clicked();
            });
        });
        if fresh {
            shown.response.scroll_to_me(None);
        }
        cancelled |= ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        if cancelled {
            return;
        }
        if done {
            match writing.card(scenario) {
                Ok(card) => {
                    let wish = match writing.id {
                        Some(id) => Wish::Describe(id, card),
                        None => Wish::Keep(card),
                    };
                    commands.push(Command::Live(wish));
                    return;
                }
                Err(reason) => writing.refused = reason,
            }
        }
        self.writing = Some(writing);
    }
}

fn field_ui(ui: &mut Ui, name: &str, text: &mut String) -> egui::Response {
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(name.trim_start_matches("Case ")).small().color(palette.text2));
    let field = TextEdit::singleline(text)
        .id(Id::unique(name))
        .desired_width(f32::INFINITY)
        .text_color(palette.input)
        .margin(egui::Margin::symmetric(6, 3));
    ui.add(field).accessible_name(name)
}

fn head_ui(ui: &mut Ui, name: &str) {
    ui.add_space(8.0);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let palette = Palette::of(ui.visuals());
    let at = pos2(rect.min.x, rect.center().y);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, name, &theme::semibold(13.0), palette.text);
    ui.painter().hline(rect.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line));
}

/// One thing that can be shown: the base, a case, or the positions that no case keeps.
#[derive(Clone)]
pub struct Choice {
    /// Its key.
    pub key: char,
    pub name: String,
    beside: String,
    pub is_shown: bool,
    pub wish: Wish,
    more: Vec<(&'static str, Command)>,
}

/// Everything that can be shown, in the order of its keys.
pub fn choices(document: &Document) -> Vec<Choice> {
    let (live, scenario) = (document.live(), &document.base().scenario);
    let key =
        |number: usize| u32::try_from(number + 1).ok().and_then(|digit| char::from_digit(digit, 10)).unwrap_or(' ');
    let mut choices = vec![Choice {
        key: '1',
        name: "Base".to_owned(),
        beside: String::new(),
        is_shown: live.shown == Shown::Base,
        wish: Wish::ShowNumber(0),
        more: Vec::new(),
    }];
    for (place, case) in scenario.cases.iter().enumerate() {
        let review = case.review_by.as_ref().map(|date| format!("review by {date}"));
        let said = [Some(case.owner.clone()).filter(|owner| !owner.is_empty()), review];
        let is_shown = live.shown == Shown::Case(case.id.clone());
        let mut more = vec![("Name, owner and review…", Command::Live(Wish::AskEdit(place)))];
        if !is_shown && document.is_over_base() {
            more.push(("Add to what is shown", Command::Live(Wish::Add(case.id.clone()))));
            more.push(("Update from the levers", Command::Live(Wish::Update(case.id.clone()))));
        }
        more.push(("Delete the case", Command::Live(Wish::Delete(case.id.clone()))));
        choices.push(Choice {
            key: key(place + 1),
            name: case.name.clone(),
            beside: said.into_iter().flatten().collect::<Vec<_>>().join(", "),
            is_shown,
            wish: Wish::ShowNumber(place + 1),
            more,
        });
    }
    if !live.now.is_empty() {
        choices.push(Choice {
            key: '0',
            name: "Now, not kept".to_owned(),
            beside: String::new(),
            is_shown: live.shown == Shown::Now,
            wish: Wish::ShowNow,
            more: Vec::new(),
        });
    }
    choices
}

impl Choice {
    fn ui(self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
        let right = if self.more.is_empty() { rect.max.x } else { rect.max.x - 28.0 };
        let place = rect.with_max_x(right);
        let response = ui.interact(place, ui.scope_id().with(("case", &self.name)), Sense::click());
        response.widget_info(|| {
            WidgetInfo::selected(Role::RadioButton, true, self.is_shown, format!("Show {}", self.name))
        });
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter().clone());
        if self.is_shown {
            painter.rect_filled(place, 0, palette.sel);
            painter.rect_filled(place.with_max_x(place.min.x + 3.0), 0, palette.accent);
        } else if response.hovered() {
            painter.rect_filled(place, 0, palette.hover);
        }
        if response.has_focus() {
            icons::border(&painter, place, 0, 2.0, palette.accent);
        }
        let at = |x: f32| pos2(x, rect.center().y);
        let key = self.key.to_string();
        painted_text(&painter, at(place.min.x + 14.0), Align2::CENTER_CENTER, &key, &theme::SMALL, palette.text2);
        let left = place.min.x + 26.0;
        let font = if self.is_shown { theme::semibold(13.0) } else { theme::BODY };
        let name = elided(&painter, &self.name, &font, right - left);
        let taken = painted_text(&painter, at(left), Align2::LEFT_CENTER, &name, &font, palette.text);
        let room = right - taken.max.x - 12.0;
        if room > 40.0 {
            let beside = elided(&painter, &self.beside, &theme::SMALL, room);
            painted_text(&painter, at(taken.max.x + 8.0), Align2::LEFT_CENTER, &beside, &theme::SMALL, palette.text2);
        }
        let hover = if self.beside.is_empty() { self.name.clone() } else { format!("{}\n{}", self.name, self.beside) };
        if response.told(hover).clicked() {
            commands.push(Command::Live(self.wish));
        }
        if !self.more.is_empty() {
            let place = Rect::from_min_max(pos2(rect.max.x - 24.0, rect.min.y + 2.0), rect.max - vec2(0.0, 2.0));
            more_at(ui, place, &format!("Case {}, more", self.name), self.more, commands);
        }
    }
}
