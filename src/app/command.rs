//! Everything the window can do, each with its name and its shortcut: one list that feeds menus and keys.
//!
//! A command is a wish. Who carries it out, and how, is not known here.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::edit::Edit;
use super::explain::Target;
use super::live::Wish;
use super::view::{Page, ThemeChoice, TornadoChoice};
use crate::analysis::postings::Filter;
use crate::analysis::published::Shipped;
use crate::show::{Marks, Scale};

/// What a person asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    NewFromExample(usize),
    Open,
    OpenRecent(usize),
    /// Opens the scenario of a published case.
    OpenPublished(&'static Shipped),
    Save,
    SaveAs,
    Quit,
    Undo,
    Redo,
    FindInput,
    FindPostings,
    Show(Page),
    Theme(ThemeChoice),
    Scale(Scale),
    Marks(Marks),
    Keys,
    About,
    /// Lists what is odd but possible.
    Warnings,
    /// Looks at one placement.
    Focus(usize),
    /// Compares every placement with this one.
    Reference(usize),
    Tornado(TornadoChoice),
    StopTornado,
    StartTornado,
    /// Shows every bar, or the largest.
    AllBars(bool),
    /// Goes to where this input is edited.
    GoTo(String),
    /// Explains a figure in the panel at the right.
    Explain(Target),
    /// Explains a figure that is part of the one explained, which can be returned to.
    ExplainPart(Target),
    ExplainBack,
    CloseExplanation,
    /// Explains the figure that has the keyboard, or the total of the placement in focus.
    ExplainFigure,
    /// Shows these postings in the ledger.
    Postings(Filter),
    /// Puts a table on the clipboard; the second text says what was copied.
    Copy(String, String),
    Edit(Edit),
    /// Something asked of the levers and cases.
    Live(Wish),
}

impl Command {
    /// Whether it carries what was typed or moved, and so does not wait until that is settled.
    pub fn is_typed(&self) -> bool {
        matches!(self, Self::Edit(_) | Self::Live(Wish::Move(..) | Wish::Preview(..)))
    }

    /// What a menu and the list of keys call it; commands that only a page gives have none.
    pub fn name(&self) -> String {
        match self {
            Self::NewFromExample(i) => super::examples::ALL.get(*i).map_or_else(String::new, |e| e.name.to_owned()),
            Self::Open => "Open…".to_owned(),
            Self::Save => "Save".to_owned(),
            Self::SaveAs => "Save as…".to_owned(),
            Self::Quit => "Quit".to_owned(),
            Self::Undo => "Undo".to_owned(),
            Self::Redo => "Redo".to_owned(),
            Self::FindInput => "Find an input".to_owned(),
            Self::FindPostings => "Find postings".to_owned(),
            Self::Show(page) => page.name().to_owned(),
            Self::Theme(choice) => choice.name().to_owned(),
            Self::Scale(scale) => scale.name().to_owned(),
            Self::Marks(Marks::Point) => "1,234.56".to_owned(),
            Self::Marks(Marks::Comma) => "1\u{a0}234,56".to_owned(),
            Self::ExplainFigure => "Explain the figure".to_owned(),
            Self::CloseExplanation => "Close the explanation".to_owned(),
            Self::Live(Wish::Panel) => "Levers".to_owned(),
            Self::Live(Wish::AskKeep) => "Keep as case".to_owned(),
            Self::Live(Wish::ResetAll) => "Reset all levers".to_owned(),
            Self::Keys => "Keys".to_owned(),
            Self::About => "About Outlay".to_owned(),
            Self::OpenRecent(_)
            | Self::OpenPublished(_)
            | Self::Warnings
            | Self::Focus(_)
            | Self::Reference(_)
            | Self::Tornado(_)
            | Self::StopTornado
            | Self::StartTornado
            | Self::AllBars(_)
            | Self::GoTo(_)
            | Self::Explain(_)
            | Self::ExplainPart(_)
            | Self::ExplainBack
            | Self::Postings(_)
            | Self::Copy(..)
            | Self::Live(_)
            | Self::Edit(_) => String::new(),
        }
    }

    /// The keys that give it; each does, and menus name them all.
    pub fn shortcuts(&self) -> Vec<KeyboardShortcut> {
        let command = |key| vec![KeyboardShortcut::new(Modifiers::COMMAND, key)];
        let shifted = |key| vec![KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)];
        match self {
            Self::Open => command(Key::O),
            Self::Save => command(Key::S),
            Self::SaveAs => shifted(Key::S),
            Self::Quit => command(Key::Q),
            Self::Undo => command(Key::Z),
            Self::Redo => [shifted(Key::Z), command(Key::Y)].concat(),
            Self::FindInput => command(Key::F),
            Self::Show(Page::Compare) => command(Key::Num1),
            Self::Show(Page::Sensitivity) => command(Key::Num2),
            Self::Show(Page::Inputs) => command(Key::Num3),
            Self::CloseExplanation => vec![KeyboardShortcut::new(Modifiers::NONE, Key::Escape)],
            Self::ExplainFigure => vec![KeyboardShortcut::new(Modifiers::NONE, Key::F1)],
            Self::Live(Wish::Panel) => vec![KeyboardShortcut::new(Modifiers::NONE, Key::F6)],
            Self::Keys => vec![KeyboardShortcut::new(Modifiers::SHIFT, Key::F1)],
            Self::Show(Page::Ledger) => command(Key::Num4),
            _ => Vec::new(),
        }
    }

    /// Its keys as menus and the list of keys write them; empty where it has none.
    pub fn keys(&self, ctx: &egui::Context) -> String {
        let named: Vec<String> = self.shortcuts().iter().map(|keys| ctx.format_shortcut(keys)).collect();
        named.join(", ")
    }

    /// The commands with a shortcut. Those with more modifiers come first, or the plainer one would take their key.
    pub fn with_shortcuts() -> Vec<Self> {
        vec![
            Self::SaveAs,
            Self::Redo,
            Self::Open,
            Self::Save,
            Self::Quit,
            Self::Undo,
            Self::FindInput,
            Self::Show(Page::Compare),
            Self::Show(Page::Sensitivity),
            Self::Show(Page::Inputs),
            Self::Show(Page::Ledger),
            Self::Keys,
            Self::ExplainFigure,
            Self::Live(Wish::Panel),
            Self::CloseExplanation,
        ]
    }
}
