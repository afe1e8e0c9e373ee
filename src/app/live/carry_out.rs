//! What the window does when a person asks something of the levers and cases.
//!
//! Nothing here draws. What cannot be done is said in the line at the bottom, and nothing has changed then.

use std::time::Instant;

use egui::{Event, Popup, Ui};

use super::cases::Writing;
use super::{Changed, Live, Shown, Wish, changed};
use crate::app::command::Command;
use crate::app::{App, edit, files};
use crate::quantity::Exact;

impl App {
    /// Carries a wish out, or says why it cannot be.
    pub(in crate::app) fn carry_out_live(&mut self, wish: &Wish) {
        let begun = Instant::now();
        let revision = self.document.revision();
        if let Err(reason) = self.wish(wish) {
            self.notice = reason;
        }
        if self.document.revision() != revision {
            self.evaluated_in = begun.elapsed();
        }
    }

    fn wish(&mut self, wish: &Wish) -> Result<(), String> {
        match wish {
            Wish::Panel => self.toggle_levers(),
            Wish::Preview(path, value) => {
                let live = self.document.settled().moved(self.document.base(), path, Some(*value));
                return self.document.preview(Some(live));
            }
            Wish::Move(path, value) => return self.move_lever(path, Some(*value)),
            Wish::Reset(path) => return self.move_lever(path, None),
            Wish::ResetAll => return self.reset_levers(),
            Wish::ShowNumber(number) => {
                let live = self.document.settled().showing(&self.document.base().scenario, *number);
                return live.map_or(Ok(()), |live| self.look_at(live));
            }
            Wish::ShowNow => {
                let live = self.document.settled().clone();
                if !live.now.is_empty() {
                    return self.look_at(Live { shown: Shown::Now, ..live });
                }
            }
            Wish::Add(id) => return self.add_case(id),
            Wish::AskKeep => {
                self.open_levers();
                self.levers.write(Writing::new_case());
            }
            Wish::AskEdit(place) => {
                if let Some(case) = self.document.base().scenario.cases.get(*place) {
                    self.levers.write(Writing::of(case));
                }
            }
            Wish::Pin(_)
            | Wish::Raise(_)
            | Wish::Lower(_)
            | Wish::Keep(_)
            | Wish::Describe(..)
            | Wish::Update(_)
            | Wish::Delete(_) => return self.change_base(wish),
        }
        Ok(())
    }

    fn toggle_levers(&mut self) {
        if self.view.levers && !self.explanation.is_open() && !self.view.history {
            self.view.levers = false;
        } else {
            self.open_levers();
        }
    }

    /// The panel at the right shows the levers, or an explanation.
    fn open_levers(&mut self) {
        self.explanation.close();
        self.view.history = false;
        self.view.levers = true;
    }

    /// Moves a lever, or puts it back at its base; one step of the history.
    pub(in crate::app) fn move_lever(&mut self, path: &str, to: Option<Exact>) -> Result<(), String> {
        let (base, live) = (self.document.base().clone(), self.document.settled().clone());
        let Some(input) = base.input(path) else { return Ok(()) };
        let from = live.positions(&base.scenario).get(path).copied().unwrap_or(input.input.value);
        let moved = live.moved(&base, path, to);
        let to = to.unwrap_or(input.input.value);
        if from == to {
            return self.document.preview(None);
        }
        let shown = |value: Exact| self.view.figures.cell(value.decimal(), edit::cell(input));
        let label = format!("{} {} → {}", input.full_label(), shown(from), shown(to));
        let committed = self.document.commit_live(label.clone(), moved);
        match committed {
            Ok(()) => self.notice = label,
            // The handle goes back to where it was.
            Err(_) => self.document.preview(None)?,
        }
        committed
    }

    fn add_case(&mut self, id: &str) -> Result<(), String> {
        let scenario = &self.document.base().scenario;
        let live = self.document.settled();
        let Some(both) = live.with_case(scenario, id) else { return Ok(()) };
        let added = scenario.cases.iter().find(|case| case.id == id).map_or(id, |case| &case.name);
        let label = format!("{added} added to {}", live.name(scenario));
        self.notice.clone_from(&label);
        self.document.commit_live(label, both)
    }

    fn reset_levers(&mut self) -> Result<(), String> {
        let live = self.document.settled();
        if live.shown != Shown::Now {
            return self.look_at(Live { shown: Shown::Base, ..live.clone() });
        }
        "Every lever back to base".clone_into(&mut self.notice);
        self.document.commit_live(self.notice.clone(), Live::default())
    }

    /// Shows the base, a case or what is not kept. Looking is no step of the history.
    fn look_at(&mut self, live: Live) -> Result<(), String> {
        if live == *self.document.settled() {
            return Ok(());
        }
        let name = live.name(&self.document.base().scenario);
        self.document.look_at(live)?;
        self.drafts.clear();
        self.notice = format!("Shown: {name}");
        Ok(())
    }

    fn change_base(&mut self, wish: &Wish) -> Result<(), String> {
        let base = self.document.base().clone();
        let Some(Changed { scenario, label, live }) = changed(wish, &base, self.document.settled())? else {
            return Ok(());
        };
        let snapshot = files::evaluated(scenario, self.today)?;
        self.document.commit_with(label.clone(), snapshot, &live)?;
        self.notice = label;
        Ok(())
    }

    /// The wishes of plain keys, which are left over where nothing else has taken them: B, 1 to 9, and 0.
    pub(in crate::app) fn case_keys(&self, ui: &Ui) -> Option<Command> {
        if self.dialog.is_some() || ui.ctx().text_edit_focused() || Popup::is_any_open(ui.ctx()) {
            return None;
        }
        // Where neither cases nor levers are seen, a digit that misses its field must not change every figure. The base is
        // one key away from anywhere.
        let are_seen = self.view.presenting || self.view.levers && !self.explanation.is_open();
        let is_key = |text: &str| if are_seen { is_case_key(text) } else { text.eq_ignore_ascii_case("b") };
        let typed = ui.input_mut(|input| {
            let place = input.events.iter().position(|event| matches!(event, Event::Text(text) if is_key(text)))?;
            match input.events.remove(place) {
                Event::Text(text) => text.chars().next(),
                _ => None,
            }
        })?;
        let wish = match typed.to_digit(10) {
            Some(0) => Wish::ShowNow,
            Some(number) => Wish::ShowNumber(usize::try_from(number).ok()?.checked_sub(1)?),
            None => Wish::ShowNumber(0),
        };
        Some(Command::Live(wish))
    }
}

fn is_case_key(text: &str) -> bool {
    let mut chars = text.chars();
    let only = chars.next().filter(|_| chars.next().is_none());
    only.is_some_and(|key| key.is_ascii_digit() || key.eq_ignore_ascii_case(&'b'))
}
