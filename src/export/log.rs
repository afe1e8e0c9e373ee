//! The steps of a session as a log: as text to read, as CSV to sort, as Markdown to put into minutes.
//!
//! It knows what a step is called, and neither what it changed nor the clock.

use super::tables;

/// A step of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Day and time.
    pub when: String,
    pub step: String,
    pub state: State,
    /// Whether the scenario after this step is what the file has.
    pub saved: bool,
}

/// Where a step stands to what is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    Done,
    /// What is shown is the scenario after this step.
    Current,
    /// It has been taken back.
    Undone,
}

impl State {
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Current => "now",
            Self::Undone => "undone",
        }
    }
}

impl Entry {
    /// What there is to say of the step beside its name; empty for one that is simply done.
    fn remark(&self) -> String {
        let state = (self.state != State::Done).then(|| self.state.name());
        let saved = self.saved.then_some("saved");
        state.into_iter().chain(saved).collect::<Vec<_>>().join(", ")
    }
}

/// A log of steps in one of its forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Text,
    Csv,
    Markdown,
}

impl Form {
    pub const ALL: [Self; 3] = [Self::Text, Self::Csv, Self::Markdown];

    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Text => "txt",
            Self::Csv => "csv",
            Self::Markdown => "md",
        }
    }

    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.extension().eq_ignore_ascii_case(extension))
    }

    /// The log of the scenario called `title`.
    #[must_use]
    pub fn written(self, title: &str, entries: &[Entry]) -> String {
        match self {
            Self::Text => text(title, entries),
            Self::Csv => csv(entries),
            Self::Markdown => markdown(title, entries),
        }
    }
}

fn text(title: &str, entries: &[Entry]) -> String {
    let mut lines = vec![title.to_owned(), String::new()];
    lines.extend(entries.iter().map(|entry| {
        let remark = entry.remark();
        let remark = if remark.is_empty() { String::new() } else { format!("  ({remark})") };
        format!("{}  {}{remark}", entry.when, entry.step)
    }));
    lines.join("\n") + "\n"
}

fn csv(entries: &[Entry]) -> String {
    let head = ["time", "step", "state", "saved"].map(str::to_owned).to_vec();
    let row = |entry: &Entry| {
        let saved = if entry.saved { "saved" } else { "" };
        vec![entry.when.clone(), entry.step.clone(), entry.state.name().to_owned(), saved.to_owned()]
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(entries.iter().map(row)).collect();
    tables::csv(&rows)
}

fn markdown(title: &str, entries: &[Entry]) -> String {
    let cell = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|");
    let rows = entries.iter().map(|entry| format!("| {} | {} | {} |\n", entry.when, cell(&entry.step), entry.remark()));
    format!("# {}\n\n| Time | Step | |\n| --- | --- | --- |\n{}", title, rows.collect::<String>())
}
