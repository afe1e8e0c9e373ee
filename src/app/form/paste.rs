//! Cells pasted into a sheet: what they would change, looked at before it is made. All of them go in, or none.
//!
//! Where the text came from is not known here.

use egui::{RichText, Ui};
use serde_json::Value;

use super::Form;
use super::rows::held;
use super::sheet::{Sheet, Source, State};
use crate::app::theme::{self, Palette};
use crate::input::FieldType;
use crate::scenario::structure::Change;

/// What pasting would do.
pub struct Proposal {
    changes: Vec<Change>,
    /// Rows that would be added, and rows that would be changed.
    added: usize,
    changed: usize,
    /// What cannot be read, each with its row and column.
    errors: Vec<String>,
    /// Headings of columns that belong to no field.
    ignored: Vec<String>,
    has_headings: bool,
    /// The first rows as they would be taken, beneath the headings of their columns.
    shown: Vec<Vec<String>>,
    headings: Vec<String>,
    rows: usize,
}

/// What a person decided.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    Not,
    Paste,
    Cancel,
}

impl Proposal {
    /// Whether nothing about it is in doubt.
    pub fn is_plain(&self) -> bool {
        self.errors.is_empty() && self.added == 0 && !self.has_headings && self.ignored.is_empty()
    }

    pub fn changes(&self) -> Result<Vec<Change>, &[String]> {
        if self.errors.is_empty() { Ok(self.changes.clone()) } else { Err(&self.errors) }
    }

    /// What would be done, in a few words.
    pub fn said(&self) -> String {
        let lines = |count: usize| if count == 1 { "1 line".to_owned() } else { format!("{count} lines") };
        match (self.added, self.changed) {
            (0, changed) => format!("{} changed", lines(changed)),
            (added, 0) => format!("{} added", lines(added)),
            (added, changed) => format!("{} added, {} changed", lines(added), lines(changed)),
        }
    }
}

/// Reads a text of cells for a sheet, from the cell in focus on.
pub fn propose(sheet: &Sheet<'_>, form: &Form<'_>, state: &State, text: &str) -> Proposal {
    let cells = cells(text);
    let mapped = headings(sheet, &cells);
    let has_headings = mapped.is_some();
    let width = cells.iter().map(Vec::len).max().unwrap_or(0);
    let columns: Vec<Option<usize>> = mapped.unwrap_or_else(|| {
        (0..width).map(|column| Some(state.column + column).filter(|at| *at < sheet.columns.len())).collect()
    });
    let body: Vec<&Vec<String>> = cells.iter().skip(usize::from(has_headings)).collect();
    let named = |column: &Option<usize>| column.map(|at| sheet.columns[at].heading.clone());
    let mut proposal = Proposal {
        changes: Vec::new(),
        added: 0,
        changed: 0,
        errors: Vec::new(),
        ignored: Vec::new(),
        has_headings,
        shown: body.iter().take(14).map(|row| (*row).clone()).collect(),
        headings: columns.iter().map(|column| named(column).unwrap_or_else(|| "not taken".to_owned())).collect(),
        rows: body.len(),
    };
    for (place, column) in columns.iter().enumerate() {
        if column.is_none_or(|at| !matches!(sheet.columns[at].source, Source::Field(_))) {
            let heading = cells.first().filter(|_| has_headings).and_then(|row| row.get(place)).cloned();
            proposal.ignored.push(heading.unwrap_or_else(|| format!("column {}", place + 1)));
        }
    }
    let title = sheet.titled.and_then(|title| {
        columns
            .iter()
            .position(|column| column.is_some_and(|at| field(sheet, at).is_some_and(|f| f.decl.name == title)))
    });
    let mut taken: Vec<String> = sheet.rows.iter().map(|(id, _)| id.clone()).collect();
    for (place, row) in body.iter().enumerate() {
        match title {
            Some(title) => proposal.line(sheet, form, &columns, row, place, title, &mut taken),
            None => proposal.over(sheet, form, &columns, row, place, state.row + place),
        }
    }
    proposal
}

fn field(sheet: &Sheet<'_>, column: usize) -> Option<&'static FieldType> {
    match sheet.columns.get(column)?.source {
        Source::Field(field) => Some(field),
        _ => None,
    }
}

impl Proposal {
    /// A row with a name: the line of this name is changed, or a new one is added.
    #[expect(clippy::too_many_arguments, reason = "all of them are what a row is read with")]
    fn line(
        &mut self,
        sheet: &Sheet<'_>,
        form: &Form<'_>,
        columns: &[Option<usize>],
        row: &[String],
        place: usize,
        title: usize,
        taken: &mut Vec<String>,
    ) {
        let name = row.get(title).map(|name| name.trim().to_owned()).unwrap_or_default();
        if name.is_empty() {
            self.errors.push(format!("Row {}: the line has no name.", place + 1));
            return;
        }
        let known = sheet.titled.and_then(|title| {
            sheet.rows.iter().position(|(_, record)| record.get(title).and_then(Value::as_str) == Some(name.as_str()))
        });
        if let Some(known) = known {
            self.over(sheet, form, columns, row, place, known);
            return;
        }
        let mut record = sheet.blank(&name, taken);
        if let Some(id) = record.get("id").and_then(Value::as_str) {
            taken.push(id.to_owned());
        }
        for (text, field) in fields(sheet, columns, row) {
            let before = held(field, &record);
            match form.reading().typed(&field.shape, field.decl, None, &before, &text) {
                Ok(Value::Null) => {}
                Ok(value) => {
                    if let Some(record) = record.as_object_mut() {
                        record.insert(field.decl.name.to_owned(), value);
                    }
                }
                Err(reason) => self.error(place, field, &reason),
            }
        }
        self.added += 1;
        self.changes.push(Change::Insert { list: sheet.path.to_owned(), at: None, value: record });
    }

    /// A row over one that is there.
    fn over(
        &mut self,
        sheet: &Sheet<'_>,
        form: &Form<'_>,
        columns: &[Option<usize>],
        row: &[String],
        place: usize,
        at: usize,
    ) {
        let Some((id, record)) = sheet.rows.get(at) else {
            let count = sheet.rows.len();
            self.errors.push(format!("Row {}: there are only {count} rows to paste over.", place + 1));
            return;
        };
        self.changed += 1;
        for (text, field) in fields(sheet, columns, row) {
            let before = held(field, record);
            match form.reading().typed(&field.shape, field.decl, None, &before, &text) {
                Ok(value) if value == before => {}
                Ok(value) => {
                    let path = format!("{}.{id}.{}", sheet.path, field.decl.name);
                    self.changes.push(Change::Put { path, value });
                }
                Err(reason) => self.error(place, field, &reason),
            }
        }
    }

    fn error(&mut self, place: usize, field: &FieldType, reason: &str) {
        self.errors.push(format!("Row {}, {}: {reason}", place + 1, field.decl.label));
    }
}

/// The cells of a row that belong to a field, and say something.
fn fields(sheet: &Sheet<'_>, columns: &[Option<usize>], row: &[String]) -> Vec<(String, &'static FieldType)> {
    let of = |(text, column): (&String, &Option<usize>)| Some((text.trim().to_owned(), field(sheet, (*column)?)?));
    let said = |(text, field): &(String, &FieldType)| !text.is_empty() || field.default.is_some();
    // An empty cell leaves a field at its default.
    let keep = |(text, field): &(String, &'static FieldType)| said(&(text.clone(), field)) && !text.is_empty();
    row.iter().zip(columns).filter_map(of).filter(keep).collect()
}

/// Cells between tabs, in quotes where they contain what divides them.
fn cells(text: &str) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().delimiter(b'\t').has_headers(false).flexible(true).from_reader(text.as_bytes());
    let plain = |cell: &str| cell.strip_prefix('\'').unwrap_or(cell).trim().to_owned();
    let rows = reader.records().filter_map(Result::ok).map(|row| row.iter().map(plain).collect::<Vec<String>>());
    rows.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect()
}

/// The columns that the first row names, where it names more than half of its cells.
fn headings(sheet: &Sheet<'_>, cells: &[Vec<String>]) -> Option<Vec<Option<usize>>> {
    let word = |text: &str| text.split(',').next().unwrap_or_default().trim().to_lowercase();
    let first = cells.first()?;
    let found: Vec<Option<usize>> = first
        .iter()
        .map(|cell| sheet.columns.iter().position(|column| word(&column.heading) == word(cell) && !cell.is_empty()))
        .collect();
    let known = found.iter().filter(|of| of.is_some()).count();
    (known * 2 > first.len()).then_some(found)
}

/// What pasting would do, and the question whether to do it.
pub fn proposal_ui(ui: &mut Ui, proposal: &Proposal) -> Decided {
    let palette = Palette::of(ui.visuals());
    let mut decided = Decided::Not;
    let frame = egui::Frame::new()
        .fill(palette.sunken)
        .stroke(egui::Stroke::new(1.0, palette.line2))
        .inner_margin(egui::Margin::symmetric(12, 10));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let head = format!("Paste {} rows: {}.", proposal.rows, proposal.said());
        ui.label(RichText::new(head).font(theme::semibold(13.0)));
        if !proposal.ignored.is_empty() {
            let text = format!("Not taken, since they belong to no field: {}.", proposal.ignored.join(", "));
            ui.label(RichText::new(text).color(palette.warn));
        }
        for error in proposal.errors.iter().take(6) {
            ui.label(RichText::new(error).color(palette.error));
        }
        if proposal.errors.len() > 6 {
            ui.label(RichText::new(format!("and {} more", proposal.errors.len() - 6)).color(palette.error));
        }
        egui::ScrollArea::both().max_height(180.0).id_salt("pasted").show(ui, |ui| {
            egui::Grid::new("pasted cells").spacing(egui::vec2(14.0, 2.0)).show(ui, |ui| {
                for heading in &proposal.headings {
                    ui.label(RichText::new(heading).font(theme::SMALL).color(palette.text2));
                }
                ui.end_row();
                for row in &proposal.shown {
                    for cell in row {
                        ui.label(RichText::new(cell).color(palette.input));
                    }
                    ui.end_row();
                }
            });
        });
        if proposal.rows > proposal.shown.len() {
            ui.label(
                RichText::new(format!("and {} more rows", proposal.rows - proposal.shown.len())).color(palette.text2),
            );
        }
        ui.horizontal(|ui| {
            let typing = ui.ctx().text_edit_focused();
            let entered = !typing && ui.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Enter));
            let escaped = !typing && ui.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
            if proposal.errors.is_empty() {
                if crate::app::dialogs::button(ui, "Paste", true).clicked() || entered {
                    decided = Decided::Paste;
                }
            } else {
                ui.label(RichText::new("All rows or none: mend these, and paste again.").color(palette.text2));
            }
            if crate::app::dialogs::button(ui, "Cancel", false).clicked() || escaped {
                decided = Decided::Cancel;
            }
        });
    });
    decided
}
