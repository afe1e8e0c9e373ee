//! A new scenario: what has to be known before anything can be added to it.
//!
//! The dialog asks; what is wrong with an answer is said by the rules of the scenario.

use egui::{Key, RichText, TextEdit, Ui, vec2};

use super::dialogs::{Answer, buttons_ui, heading};
use super::theme::Palette;
use super::widgets::select_all;
use crate::quantity::Exact;
use crate::scenario::calendar::{Date, Month};
use crate::scenario::{Scenario, templates, validate};
use crate::show::{self, Cell, Marks};

/// The answers as they are typed.
#[derive(Clone, PartialEq, Debug)]
pub struct Beginning {
    name: String,
    currency: String,
    start: String,
    months: String,
    rate: String,
    marks: Marks,
    refused: String,
}

impl Beginning {
    /// Five years from next month at eight per cent, in US dollars.
    pub fn new(today: Option<Date>, marks: Marks) -> Self {
        let month = today.and_then(|today| today.to_string().get(..7).and_then(Month::parse));
        Self {
            name: "New scenario".to_owned(),
            currency: "USD".to_owned(),
            start: month.map(|month| month.plus(1).to_string()).unwrap_or_default(),
            months: "60".to_owned(),
            rate: "8".to_owned(),
            marks,
            refused: String::new(),
        }
    }

    pub fn ui(&mut self, ui: &mut Ui, fresh: bool) -> Option<Answer> {
        ui.set_width(420.0);
        heading(ui, "New scenario");
        let mut entered = false;
        egui::Grid::new("beginning").num_columns(2).spacing(vec2(16.0, 8.0)).show(ui, |ui| {
            let Self { name, currency, start, months, rate, .. } = self;
            let fields = [
                ("Name", name, ""),
                ("Currency", currency, "code of three letters"),
                ("Start", start, "year-month"),
                ("Horizon", months, "months"),
                ("Discount rate", rate, "% a year, nominal"),
            ];
            for (i, (label, text, unit)) in fields.into_iter().enumerate() {
                let named = ui.label(label);
                ui.horizontal(|ui| {
                    let width = if unit.is_empty() { 280.0 } else { 110.0 };
                    let margin = egui::Margin::symmetric(8, 4);
                    let field = ui.add(TextEdit::singleline(text).desired_width(width).margin(margin));
                    let field = field.labelled_by(named.id).accessible_name(label);
                    if fresh && i == 0 {
                        field.request_focus();
                    }
                    // What is typed takes the place of what is suggested.
                    let by_key = field.gained_focus() && !ui.input(|input| input.pointer.any_pressed());
                    if (fresh && i == 0) || by_key {
                        select_all(ui, field.id, text);
                    }
                    entered |= field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
                    ui.label(RichText::new(unit).color(Palette::of(ui.visuals()).text2));
                });
                ui.end_row();
            }
        });
        if !self.refused.is_empty() {
            ui.label(RichText::new(&self.refused).color(Palette::of(ui.visuals()).error));
        }
        let pressed = buttons_ui(ui, &["Cancel", "Begin"], false);
        match pressed {
            Some(0) => Some(Answer::Cancel),
            _ if entered || pressed == Some(1) => self.begun(),
            _ => None,
        }
    }

    /// The scenario that was described, or what is wrong with the description.
    fn begun(&mut self) -> Option<Answer> {
        match self.scenario() {
            Ok(scenario) => Some(Answer::Begin(Box::new(scenario))),
            Err(reason) => {
                self.refused = reason;
                None
            }
        }
    }

    fn scenario(&self) -> Result<Scenario, String> {
        let months = self.months.trim().parse().map_err(|_| "The horizon is a whole number of months.".to_owned())?;
        let rate = show::parse(&self.rate, self.marks, Cell::Percent).map_err(|refused| refused.to_string())?;
        let rate = Exact::from_decimal(rate)?;
        let currency = self.currency.trim().to_uppercase();
        let scenario = templates::blank(self.name.trim(), &currency, self.start.trim(), months, rate);
        match validate::errors(&scenario).first() {
            None => Ok(scenario),
            Some(problem) => Err(format!("{}: {}", scenario.named(&problem.path), problem.message)),
        }
    }
}
