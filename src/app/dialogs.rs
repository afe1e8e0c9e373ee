//! The questions and messages that stand before the window, one at a time.
//!
//! A dialog shows its state and returns answers; what an answer leads to is decided by the window.

use std::path::{Path, PathBuf};

use egui::{Button, Id, Key, Modal, RichText, TextEdit, Ui, vec2};

use super::begin::Beginning;
use super::command::{Command, Entry};
use super::conflict::{self, Conflict};
use super::document::Warning;
use super::files::{self, Refusal};
use super::palette::{self, CommandPalette};
use super::recovery::Kept;
use super::theme::{self, Palette};
use super::widgets::select_all;
use crate::analysis::published::Shipped;
use crate::chart::Which;
use crate::export::log::Form;
use crate::export::picture::Format;
use crate::scenario::Scenario;

/// Where a person goes after the present scenario is left.
#[derive(Clone, PartialEq, Debug)]
pub enum Leave {
    Quit,
    Example(usize),
    Published(&'static Shipped),
    File(PathBuf),
    /// For work that was found unsaved.
    Found,
    /// For a new scenario.
    New(Box<Scenario>),
    /// For one draw of the uncertain inputs, as a scenario of its own.
    Drawn(Box<Scenario>),
    /// For the scenario from which a draw was opened.
    Back,
}

pub enum Dialog {
    Path(PathDialog),
    /// Unsaved work would be lost: changes, or the scenario as a whole, where no file has ever had it.
    Unsaved(Leave, bool),
    /// A file of that name exists and is not the one that is open; it was chosen to be written.
    Exists {
        path: PathBuf,
        purpose: Purpose,
    },
    /// The open file was changed by someone else.
    Changed {
        path: PathBuf,
        then: Option<Leave>,
        conflict: Conflict,
    },
    Refused(Refusal, Behind),
    /// The scenario could not be written.
    NotSaved {
        path: PathBuf,
        reason: String,
        then: Option<Leave>,
    },
    /// What is odd but possible in the scenario.
    Warnings(Vec<Warning>),
    /// What a new scenario is to be.
    Begin(Beginning),
    /// The commands that have keys.
    Keys(Vec<Entry>),
    /// Work that no file has was found, and how much more of it there is.
    Recover(Kept, usize),
    About,
    /// The scenario counts in another currency than before: from which, to which.
    Currency(String, String),
    /// Finds a command by its name.
    Commands(CommandPalette),
}

/// What the window shows while a file is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behind {
    /// The scenario that was open before.
    Before,
    /// An example, since nothing was open.
    Example,
}

/// The dialog that is open.
pub struct Open {
    pub dialog: Dialog,
    /// Whether it has not been drawn yet, and so has not taken the keyboard.
    fresh: bool,
}

impl From<Dialog> for Open {
    fn from(dialog: Dialog) -> Self {
        Self { dialog, fresh: true }
    }
}

/// What was answered.
pub enum Answer {
    Cancel,
    /// A path was chosen.
    Chosen(PathBuf, Purpose),
    /// The system's own dialog is to ask.
    System,
    SaveThen(Leave),
    DiscardThen(Leave),
    /// Write although a file is there, or was changed.
    Write {
        path: PathBuf,
        then: Option<Leave>,
    },
    /// Write there for this purpose, whatever is there.
    Replace(PathBuf, Purpose),
    /// Ask for another path.
    Elsewhere(Purpose),
    Reload(PathBuf),
    /// Begin this scenario.
    Begin(Box<Scenario>),
    /// Carry this out.
    Give(Command),
    /// What was found: opened, thrown away, or left for later.
    Recover,
    Discard,
    Later,
}

/// What a path is asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Purpose {
    Open,
    /// The scenario is saved there; then it may be left.
    Save(Option<Leave>),
    /// The scenario there is compared with the one that is open.
    Compare,
    /// The history is written there.
    Log,
    /// The chart is written there.
    Chart(Which),
    /// The register of evidence, as comma-separated values, is written there.
    Register(String),
}

impl Purpose {
    const fn title(&self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Save(_) => "Save as",
            Self::Compare => "Compare with file",
            Self::Log => "Save the history",
            Self::Chart(_) => "Save chart",
            Self::Register(_) => "Export the register of evidence",
        }
    }

    /// What its button says.
    const fn verb(&self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Save(_) | Self::Log | Self::Chart(_) | Self::Register(_) => "Save",
            Self::Compare => "Compare",
        }
    }

    /// Whether a file is written, and so need not be there.
    pub const fn saving(&self) -> bool {
        matches!(self, Self::Save(_) | Self::Log | Self::Chart(_) | Self::Register(_))
    }

    /// What its files are called in the system's dialog.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Open | Self::Save(_) | Self::Compare => "Scenario",
            Self::Log => "History",
            Self::Chart(_) => "Chart",
            Self::Register(_) => "Comma-separated values",
        }
    }

    /// What is wrong with a name to write whose ending is that of another kind of file; a name without one gets the first.
    pub fn unknown_ending(&self, typed: &str) -> Option<String> {
        let extensions = self.extensions();
        let ending = files::unknown_ending(typed, &extensions).filter(|_| self.saving())?;
        let known = match extensions.split_last() {
            Some((last, [])) => format!(".{last}"),
            Some((last, others)) => {
                let others: Vec<String> = others.iter().map(|of| format!(".{of}")).collect();
                format!("{} or .{last}", others.join(", "))
            }
            None => String::new(),
        };
        Some(format!("Nothing is written as .{ending} here. End the name in {known}."))
    }

    /// What its endings decide, where they are kinds of file that differ.
    const fn endings(&self) -> Option<&'static str> {
        match self {
            Self::Chart(_) => {
                Some("The ending says what is written: .svg or .png a picture, .csv the table of the chart")
            }
            Self::Open | Self::Save(_) | Self::Compare | Self::Log | Self::Register(_) => None,
        }
    }

    /// The extensions of its files; a name without one gets the first.
    pub fn extensions(&self) -> Vec<&'static str> {
        match self {
            Self::Open | Self::Save(_) | Self::Compare => files::SCENARIOS.to_vec(),
            Self::Log => Form::ALL.iter().map(|form| form.extension()).collect(),
            Self::Chart(_) => Format::ALL.iter().map(|format| format.extension()).collect(),
            Self::Register(_) => vec!["csv"],
        }
    }
}

/// A path typed or picked from a list.
pub struct PathDialog {
    pub purpose: Purpose,
    pub typed: String,
    pub folder: PathBuf,
    pub entries: Vec<(String, bool)>,
    /// What is said beneath the path: why it was not taken, or what the system's dialog did.
    pub note: String,
}

impl PathDialog {
    pub fn new(purpose: Purpose, folder: PathBuf, typed: String) -> Self {
        let entries = files::listing(&folder, &purpose.extensions());
        Self { purpose, typed, folder, entries, note: String::new() }
    }

    fn enter(&mut self, folder: PathBuf) {
        self.entries = files::listing(&folder, &self.purpose.extensions());
        self.folder = folder;
        self.note.clear();
    }
}

pub fn dialog_ui(ui: &Ui, open: &mut Open) -> Option<Answer> {
    let Open { dialog, fresh } = open;
    let fresh = std::mem::take(fresh);
    let mut answer = None;
    let frame = egui::Frame::window(ui.style()).inner_margin(egui::Margin::same(20));
    let id = Id::unique("dialog");
    let mut modal = Modal::new(id).frame(frame);
    if let Dialog::Commands(_) = dialog {
        modal = modal.area(palette::area(id)).frame(frame.inner_margin(egui::Margin::same(8)));
    }
    let modal = modal.show(ui.ctx(), |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        answer = match dialog {
            Dialog::Path(path) => path_ui(ui, path, fresh),
            Dialog::Unsaved(leave, never_saved) => unsaved_ui(ui, leave, *never_saved, fresh),
            Dialog::Exists { path, purpose } => exists_ui(ui, path, purpose, fresh),
            Dialog::Changed { path, then, conflict } => changed_ui(ui, path, then.as_ref(), conflict, fresh),
            Dialog::Begin(beginning) => beginning.ui(ui, fresh),
            Dialog::Refused(refusal, behind) => refused_ui(ui, refusal, *behind, fresh),
            Dialog::NotSaved { path, reason, then } => not_saved_ui(ui, path, reason, then.as_ref(), fresh),
            Dialog::Warnings(warnings) => warnings_ui(ui, warnings, fresh),
            Dialog::Recover(kept, more) => recover_ui(ui, kept, *more, fresh),
            Dialog::Keys(entries) => keys_ui(ui, entries, fresh),
            Dialog::About => about_ui(ui, fresh),
            Dialog::Currency(from, to) => currency_ui(ui, from, to, fresh),
            Dialog::Commands(palette) => palette.palette_ui(ui, fresh),
        };
    });
    if answer.is_none() && modal.should_close() {
        return Some(if matches!(dialog, Dialog::Recover(..)) { Answer::Later } else { Answer::Cancel });
    }
    answer
}

pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::semibold(20.0)));
}

/// How high a list of a dialog can be, with what stands around it still in the window.
fn room(ui: &Ui) -> f32 {
    (ui.ctx().content_rect().height() - 200.0).max(80.0)
}

fn said(ui: &mut Ui, width: f32, text: &str) {
    ui.set_max_width(width);
    ui.label(text);
}

/// The buttons of a dialog, the one that is meant most at the right. In a fresh dialog it takes the keyboard, so that Enter
/// presses it.
pub fn buttons_ui(ui: &mut Ui, names: &[&str], fresh: bool) -> Option<usize> {
    ui.add_space(4.0);
    let mut pressed = None;
    let line = vec2(ui.available_width(), 24.0);
    ui.allocate_ui_with_layout(line, egui::Layout::right_to_left(egui::Align::Center), |ui| {
        for (i, name) in names.iter().enumerate().rev() {
            let main = i + 1 == names.len();
            let response = button(ui, name, main);
            if main && fresh {
                response.request_focus();
            }
            if response.clicked() {
                pressed = Some(i);
            }
        }
    });
    pressed
}

/// A button of a dialog; the filled one is what is meant most.
pub fn button(ui: &mut Ui, name: &str, main: bool) -> egui::Response {
    let palette = Palette::of(ui.visuals());
    let text = RichText::new(name).color(if main { palette.onaccent } else { palette.text });
    let button = Button::new(text).min_size(vec2(72.0, 24.0));
    ui.add(if main { button.fill(palette.accent).stroke((1.0, palette.accent)) } else { button })
}

fn path_ui(ui: &mut Ui, dialog: &mut PathDialog, fresh: bool) -> Option<Answer> {
    ui.set_width(560.0);
    heading(ui, dialog.purpose.title());
    let folder = dialog.folder.display().to_string();
    let palette = Palette::of(ui.visuals());
    ui.label(RichText::new(format!("In {folder}")).font(theme::SMALL).color(palette.text2));
    let id = Id::unique("path");
    let down = ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_key(egui::Modifiers::NONE, Key::ArrowDown));
    let field = ui.add(
        TextEdit::singleline(&mut dialog.typed)
            .id(id)
            .hint_text(if dialog.purpose.saving() {
                "A name, or a whole path"
            } else {
                "A name from the list, or a whole path"
            })
            .desired_width(f32::INFINITY)
            .margin(egui::Margin::symmetric(8, 5)),
    );
    let field = field.accessible_name("Path");
    if fresh {
        field.request_focus();
        select_all(ui, field.id, &dialog.typed);
    }
    if let Some(endings) = dialog.purpose.endings() {
        ui.label(RichText::new(endings).font(theme::SMALL).color(palette.text2));
    }
    if !dialog.note.is_empty() {
        ui.label(RichText::new(&dialog.note).color(palette.error));
    }
    let opened = listing_ui(ui, dialog, down);
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let pressed = buttons_ui(ui, &["System dialog…", "Cancel", dialog.purpose.verb()], false);
    match pressed {
        Some(0) => Some(Answer::System),
        Some(1) => Some(Answer::Cancel),
        _ if entered || opened || pressed == Some(2) => accept(dialog),
        _ => None,
    }
}

/// The files and folders to choose from. Says whether the file chosen is to be taken: pressed again, or twice.
fn listing_ui(ui: &mut Ui, dialog: &mut PathDialog, enter_list: bool) -> bool {
    let (mut enter, mut opened, mut first) = (None, false, enter_list);
    // The first line takes the keyboard where it is asked for, and every line in sight of the keyboard is scrolled to.
    let mut line = |ui: &mut Ui, selected: bool, text: String| {
        let response = ui.add(Button::selectable(selected, text));
        if std::mem::take(&mut first) {
            response.request_focus();
        }
        if response.gained_focus() {
            response.scroll_to_me(None);
        }
        response
    };
    egui::ScrollArea::vertical().max_height(room(ui).min(260.0)).auto_shrink([false, true]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        if dialog.folder.parent().is_some() && line(ui, false, "Folder above".to_owned()).clicked() {
            enter = dialog.folder.parent().map(Path::to_path_buf);
        }
        for (name, is_folder) in &dialog.entries {
            let shown = if *is_folder { format!("{name}/") } else { name.clone() };
            if !line(ui, *name == dialog.typed, shown).clicked() {
                continue;
            }
            if *is_folder {
                enter = Some(dialog.folder.join(name));
            } else {
                opened = *name == dialog.typed;
                dialog.typed.clone_from(name);
            }
        }
    });
    if let Some(folder) = enter {
        dialog.enter(folder);
    }
    opened
}

fn accept(dialog: &mut PathDialog) -> Option<Answer> {
    if dialog.typed.trim().is_empty() {
        dialog.note = "Type a name or a path.".to_owned();
        return None;
    }
    let extensions = dialog.purpose.extensions();
    if let Some(note) = dialog.purpose.unknown_ending(&dialog.typed) {
        dialog.note = note;
        return None;
    }
    let path = files::meant(&dialog.typed, &dialog.folder, &extensions, dialog.purpose.saving());
    let typed_folder = files::meant(&dialog.typed, &dialog.folder, &extensions, false);
    if typed_folder.is_dir() {
        dialog.enter(typed_folder);
        dialog.typed.clear();
        return None;
    }
    if !dialog.purpose.saving() && !path.exists() {
        dialog.note = format!("There is no file {}.", path.display());
        return None;
    }
    Some(Answer::Chosen(path, dialog.purpose.clone()))
}

fn unsaved_ui(ui: &mut Ui, leave: &Leave, never_saved: bool, fresh: bool) -> Option<Answer> {
    heading(ui, if never_saved { "Save the scenario first?" } else { "Save the changes first?" });
    let what = match leave {
        Leave::Quit => "Quitting",
        Leave::Back => "Going back",
        Leave::Example(_) | Leave::Published(_) | Leave::File(_) | Leave::Found | Leave::New(_) | Leave::Drawn(_) => {
            "Opening another scenario"
        }
    };
    let lost = match never_saved {
        true => "loses this scenario, which no file has",
        false => "loses every change since the scenario was last saved",
    };
    said(ui, 420.0, &format!("{what} without saving {lost}."));
    match buttons_ui(ui, &["Don’t save", "Cancel", "Save"], fresh)? {
        0 => Some(Answer::DiscardThen(leave.clone())),
        1 => Some(Answer::Cancel),
        _ => Some(Answer::SaveThen(leave.clone())),
    }
}

fn exists_ui(ui: &mut Ui, path: &Path, purpose: &Purpose, fresh: bool) -> Option<Answer> {
    heading(ui, "Replace the file?");
    said(ui, 420.0, &format!("{} exists. Saving replaces what is in it.", path.display()));
    match buttons_ui(ui, &["Replace", "Cancel", "Another name…"], fresh)? {
        0 => Some(Answer::Replace(path.to_path_buf(), purpose.clone())),
        1 => Some(Answer::Cancel),
        _ => Some(Answer::Elsewhere(purpose.clone())),
    }
}

fn changed_ui(ui: &mut Ui, path: &Path, then: Option<&Leave>, conflict: &Conflict, fresh: bool) -> Option<Answer> {
    heading(ui, "The file was changed by someone else");
    let text = format!(
        "{} is no longer what was opened or saved here. Saving now would overwrite the other change.",
        path.display(),
    );
    ui.set_width(conflict::WIDTH.min(ui.ctx().content_rect().width() - 80.0));
    ui.label(&text);
    conflict.ui(ui, (room(ui) - 60.0).min(300.0));
    match buttons_ui(ui, &["Overwrite", "Reload, losing mine", "Compare", "Cancel", "Save as…"], fresh)? {
        0 => Some(Answer::Write { path: path.to_path_buf(), then: then.cloned() }),
        1 => Some(Answer::Reload(path.to_path_buf())),
        2 => Some(Answer::Give(Command::CompareWithDisk)),
        3 => Some(Answer::Cancel),
        _ => Some(Answer::Elsewhere(Purpose::Save(then.cloned()))),
    }
}

fn currency_ui(ui: &mut Ui, from: &str, to: &str, fresh: bool) -> Option<Answer> {
    heading(ui, &format!("Nothing was converted from {from} to {to}"));
    let text = format!(
        "Every amount that states no currency of its own keeps its number and counts as {to} from now on: 1,000 {from} before \
         is 1,000 {to} now. Exchange rates are what one unit of another currency costs in {to}. Where the amounts are still in \
         {from}, undo this, or give them the currency {from} and a rate."
    );
    said(ui, 460.0, &text);
    match buttons_ui(ui, &["Undo the change", "Keep the numbers"], fresh)? {
        0 => Some(Answer::Give(Command::Undo)),
        _ => Some(Answer::Cancel),
    }
}

fn refused_ui(ui: &mut Ui, refusal: &Refusal, behind: Behind, fresh: bool) -> Option<Answer> {
    let behind = match behind {
        Behind::Before => "The scenario that was open is unchanged.",
        Behind::Example => "The window shows an example instead, which is not this file.",
    };
    let found = match refusal.findings.len() {
        1 => format!("One thing is wrong. {behind}"),
        count => format!("{count} things are wrong. {behind}"),
    };
    list_ui(ui, &refusal.title, &found, &refusal.findings, fresh)
}

fn not_saved_ui(ui: &mut Ui, path: &Path, reason: &str, then: Option<&Leave>, fresh: bool) -> Option<Answer> {
    heading(ui, &format!("{} was not saved.", files::name(path)));
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    said(ui, 460.0, &format!("In the folder {}: {reason}", folder.display()));
    said(ui, 460.0, "Nothing was written, and the work is still open here.");
    match buttons_ui(ui, &["Cancel", "Try again", "Save as…"], fresh)? {
        0 => Some(Answer::Cancel),
        1 => Some(Answer::Write { path: path.to_path_buf(), then: then.cloned() }),
        _ => Some(Answer::Elsewhere(Purpose::Save(then.cloned()))),
    }
}

fn recover_ui(ui: &mut Ui, kept: &Kept, more: usize, fresh: bool) -> Option<Answer> {
    heading(ui, "Unsaved work was found");
    let changes = if kept.changes == 1 { "1 change".to_owned() } else { format!("{} changes", kept.changes) };
    let when = kept.when().day_and_time();
    said(ui, 460.0, &format!("{}: {changes} that no file has, kept on {when}.", kept.title));
    if let Some(path) = &kept.path {
        said(ui, 460.0, &format!("The file is {}. It stays as it is until the work is saved.", path.display()));
    }
    if 0 < more {
        said(ui, 460.0, &format!("{more} more can be recovered after this, from the menu File."));
    }
    match buttons_ui(ui, &["Discard", "Decide later", "Recover"], fresh)? {
        0 => Some(Answer::Discard),
        1 => Some(Answer::Later),
        _ => Some(Answer::Recover),
    }
}

/// The warnings, each of which leads to its place.
fn warnings_ui(ui: &mut Ui, warnings: &[Warning], fresh: bool) -> Option<Answer> {
    ui.set_width(640.0);
    heading(ui, "Warnings");
    ui.label("Odd but possible: worth another look before someone relies on the figures. Each leads to its place.");
    let mut answer = None;
    egui::ScrollArea::vertical().max_height(room(ui).min(340.0)).auto_shrink([false, true]).show(ui, |ui| {
        for warning in warnings {
            if warning.path.is_empty() {
                ui.label(&warning.text);
            } else if ui.link(&warning.text).clicked() {
                answer = Some(Answer::Give(Command::GoTo(warning.path.clone())));
            }
        }
    });
    let pressed = buttons_ui(ui, &["Copy", "Close"], fresh);
    match pressed {
        Some(0) => {
            let texts: Vec<&str> = warnings.iter().map(|warning| warning.text.as_str()).collect();
            ui.copy_text(texts.join("\n"));
            answer
        }
        Some(_) => Some(Answer::Cancel),
        None => answer,
    }
}

/// Sentences under a heading, to read and to copy.
fn list_ui(ui: &mut Ui, title: &str, lead: &str, sentences: &[String], fresh: bool) -> Option<Answer> {
    ui.set_width(640.0);
    heading(ui, title);
    ui.label(lead);
    egui::ScrollArea::vertical().max_height(room(ui).min(340.0)).auto_shrink([false, true]).show(ui, |ui| {
        for sentence in sentences {
            ui.label(sentence);
        }
    });
    match buttons_ui(ui, &["Copy", "Close"], fresh)? {
        0 => {
            ui.copy_text(sentences.join("\n"));
            None
        }
        _ => Some(Answer::Cancel),
    }
}

fn keys_ui(ui: &mut Ui, entries: &[Entry], fresh: bool) -> Option<Answer> {
    heading(ui, "Keys");
    egui::ScrollArea::vertical().max_height(room(ui)).show(ui, |ui| list_of_keys_ui(ui, entries));
    buttons_ui(ui, &["Close"], fresh).map(|_| Answer::Cancel)
}

fn list_of_keys_ui(ui: &mut Ui, entries: &[Entry]) {
    egui::Grid::new("keys").spacing(vec2(32.0, 4.0)).show(ui, |ui| {
        for entry in entries {
            ui.label(&entry.name);
            ui.label(entry.written_keys(ui.ctx()));
            ui.end_row();
        }
        for (what, key) in [
            ("Next or previous control", "Tab, Shift+Tab"),
            ("Move between cells", "Up, Down, Left, Right"),
            ("Edit a selected cell", "type, Enter or F2"),
            ("Step the last digit while editing, ten steps", "Up, Down, with Shift"),
            ("Keep what was typed", "Enter or Tab"),
            ("Restore the cell, close what is open", "Esc"),
            ("In a sheet: fill down, move a row, empty cells", "Ctrl + D; Alt + Up, Down; Delete"),
            ("In the register: open an input, edit its value", "Enter; type or F2"),
            ("Select rows, more of them", "Up, Down, with Shift; Ctrl + A"),
            ("Explain the selected posting", "Enter, or F1"),
            ("Copy the selection or the table", "Ctrl + C"),
            ("Open a menu", "F10, or Alt and its first letter"),
            ("Larger, smaller, as it was", "Ctrl + plus, minus, 0"),
        ] {
            ui.label(what);
            ui.label(key);
            ui.end_row();
        }
    });
}

fn about_ui(ui: &mut Ui, fresh: bool) -> Option<Answer> {
    heading(ui, "Outlay");
    said(ui, 420.0, &format!("Version {}", env!("CARGO_PKG_VERSION")));
    said(ui, 420.0, env!("CARGO_PKG_DESCRIPTION"));
    said(ui, 420.0, "Set in Inter, under the SIL Open Font License.");
    buttons_ui(ui, &["Close"], fresh).map(|_| Answer::Cancel)
}
