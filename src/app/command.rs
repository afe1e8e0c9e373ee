//! Everything the window can do: one list that feeds the menus, the keys, the list of keys and the command palette.
//!
//! To add a command, add its variant to [`Command`], one line to the section of the menu where it belongs (`file`, `edit`,
//! `view`, `insert`, `analyse`, `help`; or `elsewhere`, where no menu has it), and an arm to `App::carry_out_now`. The line
//! says everything: its name, its keys, when it can be given, whether it is the one chosen. What exists once for each of
//! several things (a page, a theme, a placement, a recent file) is a line made for each of them. Nothing else has to be
//! told: menus, keys, the list of keys and the palette walk the list. A command that only makes sense where it is drawn,
//! as copying this table, has no line.
//!
//! A command is a wish. Who carries it out, and how, is not known here.

use std::path::PathBuf;

use egui::{Key, KeyboardShortcut, Modifiers};

use super::document::Document;
use super::drivers::{self, Driver};
use super::edit::Edit;
use super::examples;
use super::explain::Target;
use super::files;
use super::icons;
use super::live::Wish;
use super::live::cases::choices;
use super::pages::elements::{self, Begins, List, Start};
use super::view::{CompareBy, ComparedAs, DrawnAs, DrawsChoice, Page, ThemeChoice, TornadoChoice, View};
use crate::analysis::postings::Filter;
use crate::analysis::published::Shipped;
use crate::chart::{Kind, Scope, Which};
use crate::show::{Marks, Scale};

/// What a person asked for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Asks what a new scenario is to be.
    New,
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
    /// Undoes or does again as many steps as lead there.
    ToStep(usize),
    /// Shows the list of steps at the right, or hides it.
    History,
    CopyLog,
    SaveLog,
    /// Asks where to write the register of evidence, which is this text.
    ExportRegister(String),
    /// Asks for a scenario to compare the open one with.
    CompareWith,
    /// Compares with the file as it now is.
    CompareWithDisk,
    CloseComparison,
    StopComparison,
    StartComparison,
    /// Takes a difference over into the open scenario, by its place in the list.
    TakeOver(usize),
    /// Opens the file again as it now is.
    Reload,
    /// Says nothing more of what someone else has changed in the file.
    KeepMine,
    /// Offers the unsaved work that was found.
    Recover,
    FindInput,
    FindPostings,
    Show(Page),
    Theme(ThemeChoice),
    Scale(Scale),
    Marks(Marks),
    /// Finds a command by its name.
    Palette,
    Keys,
    About,
    /// Lists what is odd but possible.
    Warnings,
    /// Looks at one placement.
    Focus(usize),
    /// Compares every placement with this one.
    Reference(usize),
    /// Compares placements by this.
    CompareBy(CompareBy),
    /// Shows amounts, or differences to the reference.
    CompareAs(ComparedAs),
    /// Folds the rows of a family away, or shows them again.
    Fold(String),
    /// Shows a chart as its table, or as a drawing again.
    TurnChart(Which),
    /// Puts a chart on the clipboard as a picture.
    CopyChart(Which),
    /// Asks where a chart is to be written.
    SaveChart(Which),
    Tornado(TornadoChoice),
    /// What draws are to be asked for.
    Draws(DrawsChoice),
    /// Draws the uncertain inputs of the scenario as it stands.
    RunDraws,
    StopDraws,
    /// How what was drawn is shown.
    DrawnAs(DrawnAs),
    /// Opens a draw of the last run, by its number from 0, as a scenario of its own.
    OpenDraw(u64),
    /// Goes back to the scenario from which a draw was opened.
    BackToOrigin,
    /// Shows every bar, or the largest.
    AllBars(bool),
    /// Something asked of what drives the decision.
    Drivers(drivers::Wish),
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
    /// Adds an element to one of the lists of the scenario.
    Insert(List, Begins),
    /// Speaks to a room, or no longer.
    Present(bool),
    /// Draws as little as possible, for a window seen from afar.
    LowBandwidth(bool),
}

impl Command {
    /// Whether it carries what was typed or moved, and so does not wait until that is settled.
    pub fn is_typed(&self) -> bool {
        matches!(self, Self::Edit(_) | Self::Live(Wish::Move(..) | Wish::Preview(..)))
    }
}

/// The menus, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Menu {
    File,
    Edit,
    View,
    Insert,
    Analyse,
    Help,
}

impl Menu {
    pub const ALL: [Self; 6] = [Self::File, Self::Edit, Self::View, Self::Insert, Self::Analyse, Self::Help];

    pub const fn name(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Edit => "Edit",
            Self::View => "View",
            Self::Insert => "Insert",
            Self::Analyse => "Analyse",
            Self::Help => "Help",
        }
    }

    /// The key that opens it together with Alt: its first letter.
    pub const fn key(self) -> Key {
        match self {
            Self::File => Key::F,
            Self::Edit => Key::E,
            Self::View => Key::V,
            Self::Insert => Key::I,
            Self::Analyse => Key::A,
            Self::Help => Key::H,
        }
    }
}

/// What the list is made from.
#[derive(Clone, Copy)]
pub struct State<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub recent: &'a [PathBuf],
    /// Whether the panel at the right explains a figure.
    pub explaining: bool,
    /// How much unsaved work of other windows was found and not yet decided about.
    pub found: usize,
    /// Whether a second scenario is compared.
    pub comparing: bool,
    /// Which of the questions of the page Sensitivity have been answered, in their order.
    pub answered: [bool; Driver::ALL.len()],
    /// Whether the uncertain inputs are being drawn.
    pub drawing: bool,
    /// What the scenario is called from which the open one was drawn.
    pub origin: Option<&'a str>,
    /// Whether there are draws to show, of the scenario as it stands or as it stood.
    pub drawn: bool,
}

impl State<'_> {
    fn placements(&self) -> impl Iterator<Item = (usize, String)> {
        let names = self.document.now().scenario.placements.iter().map(|placement| placement.name.clone());
        names.enumerate().map(|(i, name)| (i, format!("{} {name}", icons::letter(i))))
    }
}

/// One line of the list.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub command: Command,
    /// What it is called where it stands alone: in the palette and in the list of keys.
    pub name: String,
    /// What its menu calls it, where the menu says a part of the name already.
    short: Option<String>,
    /// The menu it stands in, and the section of that menu.
    pub place: Option<(Menu, usize)>,
    /// The menu inside the menu.
    pub within: Option<&'static str>,
    /// The keys that give it; each does.
    pub keys: Vec<KeyboardShortcut>,
    /// Whether it can be given now.
    pub available: bool,
    /// Whether its keys belong to a text while one is typed.
    text_first: bool,
    /// Of several of which one is chosen: whether this is the one.
    pub chosen: Option<bool>,
    /// What is told on hover, and found by the palette as well.
    pub detail: String,
}

fn entry(command: Command, name: impl Into<String>) -> Entry {
    Entry {
        command,
        name: name.into(),
        short: None,
        place: None,
        within: None,
        keys: Vec::new(),
        available: true,
        text_first: false,
        chosen: None,
        detail: String::new(),
    }
}

impl Entry {
    fn short(self, short: impl Into<String>) -> Self {
        Self { short: Some(short.into()), ..self }
    }

    fn within(self, menu: &'static str) -> Self {
        Self { within: Some(menu), ..self }
    }

    fn keys(self, keys: impl IntoIterator<Item = KeyboardShortcut>) -> Self {
        Self { keys: keys.into_iter().collect(), ..self }
    }

    fn available(self, available: bool) -> Self {
        Self { available, ..self }
    }

    fn chosen(self, chosen: bool) -> Self {
        Self { chosen: Some(chosen), ..self }
    }

    fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// Leaves its keys to a text that is being typed.
    fn text_first(self) -> Self {
        Self { text_first: true, ..self }
    }

    /// What its menu calls it.
    pub fn in_menu(&self) -> &str {
        self.short.as_deref().unwrap_or(&self.name)
    }

    /// Its keys as menus and the list of keys write them; empty where it has none.
    pub fn written_keys(&self, ctx: &egui::Context) -> String {
        let named: Vec<String> = self.keys.iter().map(|keys| ctx.format_shortcut(keys)).collect();
        named.join(", ")
    }

    /// Whether its keys are meant for it. A key that is pressed alone, as Esc or a letter, belongs first to what is being
    /// typed and to a list that is open; a function key is never typed.
    fn hears(&self, keys: &KeyboardShortcut, typing: bool, list_open: bool) -> bool {
        let alone = keys.modifiers.is_none() && !is_function_key(keys.logical_key);
        self.available && !(typing && (alone || self.text_first)) && !(list_open && alone)
    }
}

const fn is_function_key(key: Key) -> bool {
    key as u32 >= Key::F1 as u32 && key as u32 <= Key::F35 as u32
}

const fn command(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn shifted(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND.plus(Modifiers::SHIFT), key)
}

const fn alone(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

/// Every command that has a name, in the order of the menus.
pub fn entries(state: State<'_>) -> Vec<Entry> {
    let placed = |menu: Menu, sections: Vec<Vec<Entry>>| {
        let sections = sections.into_iter().enumerate();
        sections.flat_map(move |(i, section)| {
            section.into_iter().map(move |entry| Entry { place: Some((menu, i)), ..entry })
        })
    };
    let menus = Menu::ALL.into_iter().flat_map(|menu| placed(menu, sections(menu, state)));
    menus.chain(elsewhere(state)).collect()
}

/// The lines of a menu. A rule stands between its sections.
fn sections(menu: Menu, state: State<'_>) -> Vec<Vec<Entry>> {
    match menu {
        Menu::File => file(state),
        Menu::Edit => edit(state),
        Menu::View => view(state),
        Menu::Insert => insert(state),
        Menu::Analyse => analyse(state),
        Menu::Help => help(state),
    }
}

fn file(state: State<'_>) -> Vec<Vec<Entry>> {
    let examples = examples::ALL.iter().enumerate().map(|(i, example)| {
        entry(Command::NewFromExample(i), format!("Example: {}", example.name)).short(example.name).within("New")
    });
    let new = entry(Command::New, "New scenario…").short("Empty scenario…").within("New").keys([command(Key::N)]);
    let recent = state.recent.iter().enumerate().map(|(i, path)| {
        let name = files::name(path);
        entry(Command::OpenRecent(i), format!("Open recent: {name}"))
            .short(name)
            .within("Open recent")
            .detail(path.display().to_string())
    });
    let open = entry(Command::Open, "Open…").keys([command(Key::O)]);
    let back = state.origin.map(|origin| entry(Command::BackToOrigin, format!("Back to {origin}")));
    let has_file = state.document.path().is_some();
    let recover = (0 < state.found).then(|| entry(Command::Recover, "Recover unsaved work…"));
    vec![
        [new].into_iter().chain(examples).chain([open]).chain(recent).chain(recover).chain(back).collect(),
        vec![
            entry(Command::CompareWith, "Compare with file…"),
            entry(Command::CompareWithDisk, "Compare with the saved file").available(has_file),
            entry(Command::Reload, "Reload the file").available(has_file),
        ],
        vec![
            entry(Command::Save, "Save").keys([command(Key::S)]),
            entry(Command::SaveAs, "Save as…").keys([shifted(Key::S)]),
        ],
        vec![entry(Command::Quit, "Quit").keys([command(Key::Q)])],
    ]
}

fn edit(State { document, view, .. }: State<'_>) -> Vec<Vec<Entry>> {
    let step = |name: &str, label: Option<&str>| format!("{name} {}", label.unwrap_or_default()).trim().to_owned();
    let (undo, redo) = (document.undoable(), document.redoable());
    // One pair of keys finds what the page lists.
    let postings = view.page == Page::Ledger;
    let find = |here: bool| here.then_some(command(Key::F));
    vec![
        vec![
            entry(Command::Undo, "Undo")
                .short(step("Undo", undo))
                .keys([command(Key::Z)])
                .text_first()
                .available(undo.is_some()),
            entry(Command::Redo, "Redo")
                .short(step("Redo", redo))
                .keys([shifted(Key::Z), command(Key::Y)])
                .text_first()
                .available(redo.is_some()),
        ],
        vec![
            entry(Command::History, "History").chosen(view.history).keys([shifted(Key::H)]),
            entry(Command::CopyLog, "Copy the history"),
            entry(Command::SaveLog, "Save the history…"),
        ],
        vec![
            entry(Command::FindInput, "Find an input").keys(find(!postings)),
            entry(Command::FindPostings, "Find postings").keys(find(postings)),
        ],
    ]
}

fn view(state: State<'_>) -> Vec<Vec<Entry>> {
    let State { view, .. } = state;
    let digits = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
    let page = |(i, page): (usize, Page)| {
        show(page).chosen(view.page == page).keys(digits.get(i).map(|digit| command(*digit)))
    };
    let theme = |theme: ThemeChoice| {
        entry(Command::Theme(theme), format!("Theme: {}", theme.name())).short(theme.name()).chosen(view.theme == theme)
    };
    let scale = |scale: Scale| {
        entry(Command::Scale(scale), format!("Amounts in: {}", scale.name()))
            .short(scale.name())
            .chosen(view.figures.scale == scale)
    };
    let marks = |(marks, written): (Marks, &str)| {
        entry(Command::Marks(marks), format!("Numbers as: {written}"))
            .short(written)
            .chosen(view.figures.marks == marks)
    };
    let compared = state.comparing.then(|| show(Page::Differences).chosen(view.page == Page::Differences));
    vec![
        Page::ALL.into_iter().enumerate().map(page).chain(compared).collect(),
        vec![
            entry(Command::Palette, "Commands…").keys([command(Key::K)]),
            entry(Command::Present(!view.presenting), "Presenter mode").chosen(view.presenting).keys([alone(Key::F5)]),
            entry(Command::LowBandwidth(!view.low_bandwidth), "Low bandwidth, for remote desktops")
                .chosen(view.low_bandwidth)
                .detail("Nothing changes under the pointer, levers move figures when let go, progress is drawn twice a second"),
        ],
        ThemeChoice::ALL.into_iter().map(theme).collect(),
        Scale::ALL.into_iter().map(scale).collect(),
        [(Marks::Point, "1,234.56"), (Marks::Comma, "1\u{a0}234,56")].into_iter().map(marks).collect(),
    ]
}

/// A page by its name.
fn show(page: Page) -> Entry {
    entry(Command::Show(page), format!("Go to {}", page.name())).short(page.name())
}

/// Things a scenario is made of, to be added.
fn insert(_: State<'_>) -> Vec<Vec<Entry>> {
    let entries = |list: List| {
        let start = move |start: Start| {
            let within = match list {
                List::Workloads => "Workload class",
                List::Environments => "Environment",
                List::Placements => {
                    return entry(Command::Insert(list, start.begins), "Add a placement").short("Placement");
                }
            };
            entry(Command::Insert(list, start.begins), format!("Add {}: {}", list.one(), start.name))
                .short(start.name)
                .within(within)
                .detail(start.about)
        };
        elements::starts(list).into_iter().map(start).collect::<Vec<_>>()
    };
    List::ALL.into_iter().map(entries).collect()
}

fn analyse(state: State<'_>) -> Vec<Vec<Entry>> {
    let State { document, view, .. } = state;
    let focus = state.placements().map(|(i, name)| {
        entry(Command::Focus(i), format!("Focus: {name}"))
            .short(name)
            .within("Placement in focus")
            .chosen(view.focus == i)
    });
    let reference = state.placements().map(|(i, name)| {
        entry(Command::Reference(i), format!("Reference: {name}"))
            .short(name)
            .within("Reference placement")
            .chosen(view.reference == i)
    });
    let totals = state.placements().map(|(i, name)| {
        let target = Target::figure(i, "total".to_owned());
        entry(Command::Explain(target), format!("Explain the total: {name}")).short(name).within("Explain the total")
    });
    let by = CompareBy::ALL.into_iter().map(|by| {
        entry(Command::CompareBy(by), format!("Compare by: {}", by.name()))
            .short(by.name())
            .within("Compare by")
            .chosen(view.compare_by == by)
    });
    let of = ComparedAs::ALL.into_iter().map(|of| {
        entry(Command::CompareAs(of), format!("Compare as: {}", of.said()))
            .short(of.said())
            .within("Compare as")
            .chosen(view.compared_as == of)
    });
    let driver = Driver::ALL.into_iter().map(|driver| {
        entry(Command::Drivers(drivers::Wish::Show(driver)), format!("Sensitivity: {}", driver.name()))
            .short(driver.name())
            .within("Sensitivity")
            .chosen(view.page == Page::Sensitivity && view.driver == driver)
    });
    let drawn_as = DrawnAs::ALL.into_iter().map(|by| {
        entry(Command::DrawnAs(by), format!("Uncertainty: {}", by.name()))
            .short(by.name())
            .within("Uncertainty")
            .chosen(view.page == Page::Uncertainty && view.drawn_as == by)
    });
    // A chart of one placement is that of the placement in focus; one of an analysis is there once that has answered.
    let charts = || {
        Kind::ALL.iter().map(|kind| {
            let answered = Driver::ALL.into_iter().zip(state.answered);
            let has_answer = match kind.scope() {
                Scope::Scenario | Scope::Placement | Scope::Environment => true,
                Scope::Analysis => answered.into_iter().any(|of| of.1 && of.0.kind() == *kind),
                Scope::Draws => state.drawn,
            };
            (Which::of_placement(*kind, view.focus), kind.title(), has_answer)
        })
    };
    let copied = charts().map(|(which, title, has_answer)| {
        entry(Command::CopyChart(which), format!("Copy chart: {title}"))
            .short(title)
            .within("Copy chart")
            .available(has_answer)
    });
    let saved = charts().map(|(which, title, has_answer)| {
        entry(Command::SaveChart(which), format!("Save chart: {title}…"))
            .short(format!("{title}…"))
            .within("Save chart")
            .available(has_answer)
    });
    let has_figures = !document.now().evaluation.placements.is_empty();
    let figure = entry(Command::ExplainFigure, "Explain the figure").keys([alone(Key::F1)]).available(has_figures);
    let warned = !document.now().warnings.is_empty();
    let cases = choices(document).into_iter().map(|choice| {
        entry(Command::Live(choice.wish), format!("Case: {}", choice.name))
            .short(choice.name)
            .within("Case")
            .chosen(choice.is_shown)
    });
    vec![
        [figure].into_iter().chain(totals).collect(),
        focus.chain(reference).chain(by).chain(of).chain(driver).chain(drawn_as).collect(),
        vec![
            entry(Command::RunDraws, "Run the draws").keys([alone(Key::F9)]).available(has_figures),
            entry(Command::StopDraws, "Stop the draws").available(state.drawing),
        ],
        copied.chain(saved).collect(),
        cases.collect(),
        vec![
            entry(Command::Live(Wish::Panel), "Levers").keys([alone(Key::F6)]).chosen(view.levers),
            entry(Command::Live(Wish::AskKeep), "Keep as case").available(document.is_over_base()),
            entry(Command::Live(Wish::ResetAll), "Reset all levers").available(document.is_over_base()),
        ],
        vec![entry(Command::Warnings, "Warnings…").available(warned)],
    ]
}

fn help(State { view, .. }: State<'_>) -> Vec<Vec<Entry>> {
    vec![
        vec![show(Page::Published).chosen(view.page == Page::Published)],
        vec![
            entry(Command::Keys, "Keys").keys([KeyboardShortcut::new(Modifiers::SHIFT, Key::F1)]),
            entry(Command::About, "About Outlay"),
        ],
    ]
}

/// Commands of no menu.
fn elsewhere(State { view, explaining, comparing, .. }: State<'_>) -> Vec<Entry> {
    let tornado = view.page == Page::Sensitivity;
    vec![
        entry(Command::CloseComparison, "Close the comparison").available(comparing),
        entry(Command::CloseExplanation, "Close the explanation")
            .keys([alone(Key::Escape)])
            .available(explaining && !view.presenting),
        entry(Command::Present(false), "Leave presenter mode").keys([alone(Key::Escape)]).available(view.presenting),
        entry(
            Command::AllBars(!view.all_bars),
            if view.all_bars { "Tornado: the largest bars" } else { "Tornado: every bar" },
        )
        .available(tornado),
    ]
}

/// Every input by its name. A large scenario has thousands, so that they are listed only where they are looked for.
pub fn inputs(document: &Document) -> impl Iterator<Item = Entry> {
    document.now().inputs.iter().map(|input| {
        let command = Command::GoTo(input.path.clone());
        entry(command, format!("Edit: {}", input.full_label())).detail(input.path.clone())
    })
}

/// The commands whose keys were pressed, taken from the input. Keys with more modifiers are asked first, or the plainer
/// ones would take them.
pub fn pressed(ctx: &egui::Context, entries: &[Entry]) -> Vec<Command> {
    let (typing, list_open) = (ctx.text_edit_focused(), egui::Popup::is_any_open(ctx));
    let held = |keys: &KeyboardShortcut| {
        let Modifiers { alt, ctrl, shift, mac_cmd, command } = keys.modifiers;
        [alt, ctrl || command || mac_cmd, shift].into_iter().filter(|held| *held).count()
    };
    let with_keys = entries.iter().flat_map(|entry| entry.keys.iter().map(move |keys| (entry, keys)));
    let mut heard: Vec<_> = with_keys.filter(|(entry, keys)| entry.hears(keys, typing, list_open)).collect();
    heard.sort_by_key(|(_, keys)| std::cmp::Reverse(held(keys)));
    let pressed = heard.into_iter().filter(|(_, keys)| ctx.input_mut(|input| input.consume_shortcut(keys)));
    pressed.map(|(entry, _)| entry.command.clone()).collect()
}
