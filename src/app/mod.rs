//! The window: a document, how it is looked at, and the commands that change either.
//!
//! `logic` moves work along; the `_ui` functions look at the state and return commands, which are carried out after
//! everything is drawn. No money is computed here.

mod answer_bar;
mod begin;
mod charts;
mod clock;
mod command;
mod conflict;
mod dialogs;
mod document;
mod drivers;
mod edit;
mod examples;
mod explain;
mod fields;
mod files;
mod form;
mod history;
mod icons;
mod live;
mod menu;
mod pages;
mod paint;
mod palette;
mod presenter;
mod rail;
mod recovery;
mod start;
mod swings;
mod theme;
mod turns;
mod view;
mod watch;
mod widgets;
mod worker;
mod worths;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant, SystemTime};

use egui::{CentralPanel, Context, Frame, Panel, Ui, ViewportCommand};

use self::begin::Beginning;
use self::command::Command;
use self::conflict::Conflict;
use self::dialogs::{Answer, Behind, Dialog, Leave, Open, PathDialog, Purpose, dialog_ui};
use self::document::{Document, Snapshot, folder};
use self::edit::Edit;
use self::files::{OnDisk, Refusal, Stored};
use self::pages::ledger::LedgerView;
use self::pages::sensitivity::Sensitivity;
use self::palette::CommandPalette;
use self::recovery::{Found, Keeper, Kept};
use self::theme::Palette;
use self::view::{Page, ThemeChoice, View};
use self::widgets::Drafts;
use crate::analysis::postings::Filter;
use crate::analysis::published;
use crate::analysis::register::Gap;
use crate::chart::{Bars, Scope, Which};
use crate::cli::said;
use crate::export::log::Form;
use crate::export::picture::{self, Format};
use crate::export::png;
use crate::scenario::calendar::Date;
use crate::scenario::diff::with_difference;
use crate::scenario::{Scenario, Syntax};

pub use self::start::run;
pub use self::theme::install;

/// What the folders of this program are called.
const NAME: &str = "outlay";

/// Files that are remembered.
const RECENT: usize = 8;
/// How long progress waits to be drawn again over a slow line.
const PROGRESS_PAUSE: Duration = Duration::from_millis(500);

/// The window's state.
pub struct App {
    document: Document,
    view: View,
    drafts: Drafts,
    fields: fields::Memory,
    form: form::Memory,
    elements: pages::elements::Memory,
    evidence: pages::evidence::EvidenceView,
    compare: pages::compare::Memory,
    charts: charts::Charts,
    ledger: LedgerView,
    sensitivity: Sensitivity,
    drivers: drivers::Drivers,
    uncertainty: pages::uncertainty::Memory,
    /// The scenarios from which draws were opened, the last of them that of the open one.
    origins: Vec<Origin>,
    explanation: explain::Panel,
    levers: live::panel::Levers,
    axes: presenter::Axes,
    history: history::Panel,
    /// The published cases, computed when they are first looked at: nothing of them changes while the program runs.
    published: std::cell::OnceCell<Vec<published::Case>>,
    dialog: Option<Open>,
    recent: Vec<PathBuf>,
    /// Keeps unsaved work, where there is a folder for it.
    keeper: Option<Keeper>,
    /// Unsaved work of windows that are gone, and whether it is still to be offered.
    found: Vec<Found>,
    offering: bool,
    /// After how many seconds to look for such work again: what a window held that is just going is free a little later.
    look_again: Vec<f64>,
    /// When the first frame was drawn, in the time of the window.
    began: Option<f64>,
    /// What came in with a key that moves the keyboard, and waits for the next frame.
    held: Vec<egui::Event>,
    watch: watch::Watch,
    /// The second scenario, where one is compared.
    differences: pages::differences::Memory,
    /// What happened last, for the line at the bottom.
    notice: String,
    evaluated_in: Duration,
    /// The answer of a dialog of the system, which runs beside the window.
    system_dialog: Option<Receiver<SystemAnswer>>,
    /// Commands that wait until what is being typed has been committed or refused.
    waiting: Vec<Command>,
    /// Whether the window may close without asking again.
    leaving: bool,
    /// The title that the system was last given.
    title: String,
    today: Option<Date>,
}

/// A scenario that was left to look at one of its draws, with those draws.
struct Origin {
    title: String,
    document: Document,
    uncertainty: pages::uncertainty::Memory,
    draws: view::DrawsChoice,
}

/// What a dialog of the system came to.
struct SystemAnswer {
    path: Option<PathBuf>,
    purpose: Purpose,
}

impl App {
    /// The window as a person starts it: with what the last run remembered, on a file or on the first example.
    pub fn started(ctx: &Context, storage: Option<&dyn eframe::Storage>, file: Option<PathBuf>) -> Self {
        theme::install(ctx);
        let mut app = Self::on(file);
        if let Some(storage) = storage {
            app.remember(storage);
        }
        if let Some(folder) = eframe::storage_dir(NAME) {
            app = app.keeping(&folder.join("unsaved"));
        }
        app.dress(ctx);
        app
    }

    /// The window with its unsaved work kept in this folder. What windows that are gone have left there is offered.
    #[must_use]
    pub fn keeping(mut self, folder: &Path) -> Self {
        match Keeper::new(folder) {
            Ok(keeper) => {
                self.found = keeper.found();
                self.offering = !self.found.is_empty();
                self.look_again = if keeper.has_others() { vec![2.0, 8.0, 30.0] } else { Vec::new() };
                self.keeper = Some(keeper);
            }
            Err(error) => self.notice = format!("Unsaved work is not kept: {}", said(&error)),
        }
        self
    }

    /// The window on a file, or on the first of the scenarios that ship with the program.
    pub fn on(file: Option<PathBuf>) -> Self {
        let Some(path) = file else { return Self::on_example() };
        let begun = Instant::now();
        match files::open(&path, today()) {
            Ok((snapshot, stored)) => {
                let mut app = Self::of(snapshot, files::name(&path), Some(stored), begun.elapsed());
                app.add_recent(&path);
                app.notice = format!("Opened {}", path.display());
                app
            }
            Err(refusal) => {
                let mut app = Self::on_example();
                app.notice = format!("{} This is an example.", refusal.title);
                app.dialog = Some(Dialog::Refused(refusal, Behind::Example).into());
                app
            }
        }
    }

    /// A shipped scenario is read by a test, so that failing here means a damaged program.
    fn on_example() -> Self {
        let (snapshot, name, took) = example(0).expect("every shipped scenario is read and evaluated by a test");
        Self::of(snapshot, name, None, took)
    }

    fn of(snapshot: Snapshot, title: String, file: Option<Stored>, evaluated_in: Duration) -> Self {
        let view = View {
            tornado: pages::sensitivity::first_choice(&snapshot),
            draws: pages::uncertainty::first_choice(&snapshot),
            ..View::default()
        };
        Self {
            document: Document::new(snapshot, title, file),
            view,
            drafts: Drafts::default(),
            fields: fields::Memory::default(),
            form: form::Memory::default(),
            elements: pages::elements::Memory::default(),
            evidence: pages::evidence::EvidenceView::default(),
            compare: pages::compare::Memory::default(),
            charts: charts::Charts::default(),
            ledger: LedgerView::default(),
            sensitivity: Sensitivity::idle(),
            drivers: drivers::Drivers::default(),
            uncertainty: pages::uncertainty::Memory::default(),
            origins: Vec::new(),
            explanation: explain::Panel::default(),
            levers: live::panel::Levers::default(),
            axes: presenter::Axes::default(),
            history: history::Panel::default(),
            published: std::cell::OnceCell::new(),
            dialog: None,
            recent: Vec::new(),
            keeper: None,
            found: Vec::new(),
            offering: false,
            look_again: Vec::new(),
            began: None,
            held: Vec::new(),
            watch: watch::Watch::default(),
            differences: pages::differences::Memory::default(),
            notice: String::new(),
            evaluated_in,
            system_dialog: None,
            waiting: Vec::new(),
            leaving: false,
            title: String::new(),
            today: today(),
        }
    }

    /// The scenario as it is edited and saved, for whoever drives the window from outside.
    pub fn scenario(&self) -> &Scenario {
        &self.document.base().scenario
    }

    /// The scenario whose figures are shown: with what lies over the base.
    pub fn shown(&self) -> &Scenario {
        &self.document.now().scenario
    }

    /// The file that is open.
    pub fn path(&self) -> Option<&Path> {
        self.document.path()
    }

    /// Opens the ledger on these postings. One placement alone becomes the one in focus.
    pub fn show_postings(&mut self, filter: Filter) {
        if let Some(place) = self.ledger.show(filter, &self.document.now().evaluation.placements) {
            self.view.focus = place;
        }
        self.view.page = Page::Ledger;
    }

    /// Whether there is work that no file has.
    pub fn unsaved(&self) -> bool {
        self.document.unsaved()
    }

    fn dress(&self, ctx: &Context) {
        if self.view.presenting {
            theme::for_room(ctx);
            ctx.set_theme(egui::ThemePreference::Light);
        } else {
            theme::for_projector(ctx, self.view.theme == ThemeChoice::Projector);
            ctx.set_theme(self.view.theme.preference());
        }
        theme::hovers(ctx, !self.view.low_bandwidth);
    }

    fn remember(&mut self, storage: &dyn eframe::Storage) {
        if let Some(line) = storage.get_string("view") {
            self.view.remember(&line);
        }
        let known = storage.get_string("recent").unwrap_or_default();
        for path in known.lines().map(PathBuf::from) {
            if self.recent.len() < RECENT && !self.recent.contains(&path) {
                self.recent.push(path);
            }
        }
    }

    /// What happens between frames: the window asked to close, files dropped on it, answers from elsewhere.
    pub fn step(&mut self, ctx: &Context) {
        if ctx.input(|input| input.viewport().close_requested()) && !self.leaving {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            self.carry_out(ctx, Command::Quit);
        }
        let dropped = ctx.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_path_buf()));
        if let Some(path) = dropped {
            self.leave(ctx, Leave::File(path));
        }
        self.receive_system_answer(ctx);
        self.sensitivity.receive();
        self.drivers.receive();
        self.uncertainty.runs.receive();
        self.differences.receive();
        let (focused, wake) = (ctx.input(|input| input.focused), ctx.clone());
        self.watch.step(focused, self.document.file(), move || wake.request_repaint());
        self.keep(ctx);
        self.retitle(ctx);
    }

    /// Keeps unsaved work, and offers what was found of it.
    fn keep(&mut self, ctx: &Context) {
        self.look_again(ctx);
        if self.offering && self.dialog.is_none() {
            self.offering = false;
            self.offer();
        }
        let Some(keeper) = self.keeper.as_mut().filter(|_| !self.leaving) else { return };
        let (now, wake) = (ctx.input(|input| input.time), ctx.clone());
        let again = keeper.tend(&self.document, now, move || wake.request_repaint());
        let told = keeper.age(now).and_then(|age| recovery::told(age).1);
        for seconds in again.into_iter().chain(told) {
            ctx.request_repaint_after(Duration::from_secs_f64(seconds));
        }
    }

    fn look_again(&mut self, ctx: &Context) {
        let now = ctx.input(|input| input.time);
        let began = *self.began.get_or_insert(now);
        let Some(due) = self.look_again.first().map(|after| began + after) else { return };
        if now < due {
            ctx.request_repaint_after(Duration::from_secs_f64(due - now));
            return;
        }
        self.look_again.remove(0);
        ctx.request_repaint();
        if let (true, Some(keeper)) = (self.found.is_empty(), &self.keeper) {
            self.found = keeper.found();
            self.offering = !self.found.is_empty();
        }
    }

    fn offer(&mut self) {
        if let Some((first, rest)) = self.found.split_first() {
            self.dialog = Some(Dialog::Recover(first.kept.clone(), rest.len()).into());
        }
    }

    /// Opens the first of the work that was found, as one step after the scenario of its file.
    fn recover(&mut self) {
        let Some(found) = self.found.first() else { return };
        match recovered(&found.kept, self.today) {
            Ok(document) => {
                let found = self.found.remove(0);
                self.show(document);
                if let Some(keeper) = &mut self.keeper {
                    keeper.adopt(&found);
                }
                self.notice = format!("Recovered the unsaved work on {}", found.kept.title);
            }
            Err(refusal) => self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into()),
        }
    }

    fn receive_system_answer(&mut self, ctx: &Context) {
        let Some(answer) = self.system_dialog.as_ref().and_then(|answer| answer.try_recv().ok()) else { return };
        self.system_dialog = None;
        let typed = answer.path.as_ref().map(|path| path.to_string_lossy().into_owned());
        let note = typed.as_deref().and_then(|typed| answer.purpose.unknown_ending(typed));
        if let (Some(note), Some(Open { dialog: Dialog::Path(dialog), .. })) = (note, &mut self.dialog) {
            (dialog.typed, dialog.note) = (typed.unwrap_or_default(), note);
            return;
        }
        let (extensions, saving) = (answer.purpose.extensions(), answer.purpose.saving());
        let path = typed.map(|typed| files::meant(&typed, Path::new(""), &extensions, saving));
        match path {
            Some(path) => self.answer(ctx, Answer::Chosen(path, answer.purpose)),
            None => {
                if let Some(Open { dialog: Dialog::Path(dialog), .. }) = &mut self.dialog {
                    dialog.note =
                        "The system’s dialog gave no file. Where it cannot open, type the path here.".to_owned();
                }
            }
        }
    }

    fn retitle(&mut self, ctx: &Context) {
        let mark = if self.document.unsaved() { "• " } else { "" };
        let title = format!("{mark}{} – Outlay", self.document.title());
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// Everything that is seen, and then everything that was asked for.
    pub fn window_ui(&mut self, ui: &mut Ui) {
        let mut commands = Vec::new();
        let waited = std::mem::take(&mut self.waiting);
        let shortcuts = if self.dialog.is_none() { self.pressed(ui.ctx()) } else { Vec::new() };
        if !(shortcuts.is_empty() && waited.is_empty()) && ui.ctx().text_edit_focused() {
            // What is being typed is committed first: the cells see that they have lost the keyboard. A figure that has it
            // keeps it, since a command may be about that figure.
            ui.memory_mut(egui::Memory::stop_text_input);
        }
        self.panels_ui(ui, &mut commands);
        commands.extend(shortcuts);
        commands.extend(self.case_keys(ui));
        let ctx = ui.ctx().clone();
        if let Some(dialog) = &mut self.dialog
            && let Some(answer) = dialog_ui(ui, dialog)
        {
            self.answer(&ctx, answer);
        }
        for command in commands {
            self.carry_out(&ctx, command);
        }
        for command in waited {
            self.carry_out_now(&ctx, command);
        }
    }

    /// What the list of commands is made from.
    fn state(&self) -> command::State<'_> {
        command::State {
            document: &self.document,
            view: &self.view,
            recent: &self.recent,
            explaining: self.explanation.is_open(),
            found: self.found.len(),
            comparing: self.differences.other().is_some(),
            answered: self.drivers.answered(&self.sensitivity),
            drawing: self.uncertainty.runs.progress().is_some(),
            origin: self.origins.last().map(|origin| origin.title.as_str()),
            drawn: self.uncertainty.runs.seen().is_some(),
        }
    }

    /// The commands whose keys were pressed.
    fn pressed(&self, ctx: &Context) -> Vec<Command> {
        let is_press = |event: &egui::Event| matches!(event, egui::Event::Key { pressed: true, .. });
        if !ctx.input(|input| input.events.iter().any(is_press)) {
            return Vec::new();
        }
        command::pressed(ctx, &command::entries(self.state()))
    }

    fn panels_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let palette = Palette::of(ui.visuals());
        let bare = |fill| Frame::new().fill(fill);
        let width = ui.available_width();
        let (document, view) = (&self.document, &self.view);
        if view.presenting {
            let (changes, on_release) = (document.changes(), view.low_bandwidth);
            let room = presenter::Presenter { document, view, changes, on_release };
            room.ui(ui, &mut self.axes, &mut self.levers, &mut self.drafts, commands);
            return;
        }
        Panel::top("menu")
            .exact_size(32.0)
            .frame(bare(palette.ground).inner_margin(egui::Margin { top: 4, ..egui::Margin::ZERO }))
            .show(ui, |ui| {
                menu::menu_ui(ui, self.state(), commands);
            });
        Panel::top("answers").exact_size(answer_bar::height(width)).frame(bare(palette.surface)).show(ui, |ui| {
            answer_bar::answer_bar_ui(ui, document, view, commands);
        });
        Panel::top("conventions").exact_size(28.0).frame(bare(palette.ground)).show(ui, |ui| {
            answer_bar::conventions_ui(ui, document, view, commands);
        });
        if let Some(origin) = self.origins.last() {
            Panel::top("drawn").exact_size(32.0).frame(bare(palette.sel)).show(ui, |ui| {
                drawn_ui(ui, &origin.title, commands);
            });
        }
        if self.watch.is_changed() {
            Panel::top("changed").exact_size(32.0).frame(bare(palette.warnbg)).show(ui, |ui| {
                changed_ui(ui, &document.title(), commands);
            });
        }
        Panel::bottom("status").exact_size(24.0).frame(bare(palette.ground)).show(ui, |ui| {
            let now = ui.input(|input| input.time);
            let kept = self.keeper.as_ref().and_then(|keeper| match keeper.failure() {
                Some(reason) => Some(format!("Not autosaved: {reason}")),
                None => keeper.age(now).map(|age| recovery::told(age).0),
            });
            let evaluated = format!("Evaluated in {:.1} ms", self.evaluated_in.as_secs_f64() * 1000.0);
            rail::status_ui(
                ui,
                document.now().warnings.len(),
                &self.notice,
                &[&kept.unwrap_or_default(), &evaluated, &size(document.now())],
                commands,
            );
        });
        Panel::left("pages").exact_size(136.0).resizable(false).frame(bare(palette.ground)).show(ui, |ui| {
            rail::rail_ui(ui, view.page, document.now().register.open(Gap::Overdue), commands);
        });
        if self.explanation.is_open() {
            let shown = (&**document.now(), document.revision());
            let (panel, today) = (&mut self.explanation, self.today);
            Panel::right("explanation")
                .exact_size(explain::WIDTH)
                .resizable(false)
                .frame(bare(palette.ground).stroke(egui::Stroke::NONE))
                .show(ui, |ui| panel.panel_ui(ui, shown, view, today, commands));
        } else if self.view.history {
            let (panel, document) = (&mut self.history, &self.document);
            Panel::right("history")
                .exact_size(history::WIDTH)
                .resizable(false)
                .frame(bare(palette.ground).stroke(egui::Stroke::NONE))
                .show(ui, |ui| panel.panel_ui(ui, document, commands));
        } else if view.levers {
            let panel = live::panel::Panel {
                document,
                figures: view.figures,
                dress: live::panel::Dress::desk(),
                on_release: view.low_bandwidth,
            };
            let (levers, drafts) = (&mut self.levers, &mut self.drafts);
            Panel::right("levers")
                .exact_size(live::panel::WIDTH)
                .resizable(false)
                .frame(bare(palette.ground).stroke(egui::Stroke::NONE))
                .show(ui, |ui| levers.ui(ui, &panel, drafts, commands));
        }
        let page =
            Frame::new().fill(palette.surface).inner_margin(egui::Margin { left: 16, right: 16, top: 0, bottom: 0 });
        CentralPanel::default().frame(page).show(ui, |ui| self.page_ui(ui, commands));
    }

    fn page_ui(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.view.figure = None;
        let scenario = &self.document.now().scenario;
        let shows_figures =
            matches!(self.view.page, Page::Compare | Page::Sensitivity | Page::Uncertainty | Page::Ledger);
        if shows_figures && scenario.placements.is_empty() {
            pages::nothing_placed_ui(ui, self.view.page, scenario, commands);
            return;
        }
        match self.view.page {
            Page::Compare => {
                let explained = self.explanation.target().cloned();
                let page = pages::compare::Page {
                    seen: charts::Seen::of(&self.document),
                    explained: explained.as_ref(),
                    has_keys: self.dialog.is_none(),
                };
                page.ui(ui, &mut self.view, (&mut self.compare, &mut self.charts), commands);
            }
            Page::Sensitivity => {
                let question = self.ask_tornado(ui.ctx());
                let page = pages::sensitivity::Page {
                    asked: self.ask_driver(ui.ctx()),
                    document: &self.document,
                    view: &self.view,
                    bars: &self.sensitivity,
                    question,
                    tables: &self.charts.tables,
                    has_keys: self.dialog.is_none(),
                };
                page.ui(ui, &mut self.drivers, commands);
            }
            Page::Uncertainty => {
                let page = pages::uncertainty::Page {
                    document: &self.document,
                    view: &self.view,
                    question: pages::uncertainty::question(&self.document, &self.view.draws),
                };
                page.ui(ui, (&mut self.uncertainty, &mut self.charts, &mut self.drafts), commands);
            }
            Page::Scenario => self.with_form(commands, |form, _, _, _| pages::elements::scenario_ui(ui, form)),
            Page::Workloads | Page::Environments | Page::Placements => {
                let list = match self.view.page {
                    Page::Workloads => pages::elements::List::Workloads,
                    Page::Environments => pages::elements::List::Environments,
                    _ => pages::elements::List::Placements,
                };
                self.with_form(commands, |form, elements, view, charts| {
                    pages::elements::elements_ui(ui, list, form, (elements, charts), view);
                });
            }
            Page::Evidence => {
                self.ask_tornado(ui.ctx());
                let snapshot = self.document.now();
                let swings = swings::Swings::of(snapshot, self.document.revision(), &self.view, &self.sensitivity);
                let (document, runs) = (&self.document, &self.uncertainty.runs);
                let page = pages::evidence::Page {
                    has_keys: self.dialog.is_none(),
                    progress: self.sensitivity.progress(),
                    worths: worths::Worths::of(document.now(), document.revision(), &self.view, runs),
                };
                let mut fields = fields::Fields {
                    document: &self.document,
                    figures: self.view.figures,
                    today: self.today,
                    swings,
                    memory: &mut self.fields,
                    drafts: &mut self.drafts,
                    commands,
                };
                pages::evidence::evidence_ui(ui, &page, &mut self.evidence, &mut fields);
            }
            Page::Ledger => {
                let page = pages::ledger::Page {
                    snapshot: self.document.now(),
                    view: &self.view,
                    has_keys: self.dialog.is_none(),
                };
                page.ui(ui, &mut self.ledger, commands);
                self.view.figure.clone_from(&self.ledger.figure);
            }
            Page::Differences => {
                let (memory, figures) = (&mut self.differences, self.view.figures);
                pages::differences::differences_ui(ui, &self.document, memory, figures, commands);
            }
            Page::Published => {
                let cases = self.published.get_or_init(published::cases);
                pages::published::published_ui(ui, cases, self.view.figures, commands);
            }
        }
    }

    /// Has the tornado of the scenario as it stands computed beside the window, where that is not done already.
    fn ask_tornado(&mut self, ctx: &Context) -> pages::sensitivity::Question {
        let question = (self.document.revision(), self.view.tornado.clone());
        if self.document.is_previewing() {
            // What would be computed is out of date with the next frame.
            return question;
        }
        let (snapshot, asked, ctx) = (std::sync::Arc::clone(self.document.now()), question.1.clone(), ctx.clone());
        let wake = ctx.clone();
        let pause = if self.view.low_bandwidth { PROGRESS_PAUSE } else { Duration::ZERO };
        let tell = move || ctx.request_repaint_after(pause);
        let work = move |progress: &worker::Progress| pages::sensitivity::compute(&snapshot, &asked, progress, &tell);
        self.sensitivity.ask(&question, work, move || wake.request_repaint());
        question
    }

    /// Has the question of the page Sensitivity answered beside the window, where it is none of the tornado's and that is
    /// not done already.
    fn ask_driver(&mut self, ctx: &Context) -> Result<drivers::Question, drivers::Nothing> {
        let driver = self.view.driver;
        let of = self.asked_about(driver);
        let is_found = self.sensitivity.last().is_some() || self.sensitivity.progress().is_none();
        let is_comparing = 1 < of.scenario.placements.len();
        if self.view.drivers.is_without_inputs(driver) && is_comparing && !is_found {
            return Err(drivers::Nothing::Waiting);
        }
        if !driver.is_of_bars() {
            let known = self.sensitivity.last().and_then(|last| last.answer.as_ref().ok()).map(|of| &of.answer);
            self.view.drivers.complete(&of, &self.view.tornado, known);
        }
        let question = self.asked_of(driver)?;
        if self.document.is_previewing() {
            return Ok(question);
        }
        let (wanted, ctx) = (question.clone(), ctx.clone());
        let wake = ctx.clone();
        let pause = if self.view.low_bandwidth { PROGRESS_PAUSE } else { Duration::ZERO };
        let tell = move || ctx.request_repaint_after(pause);
        let work = move |progress: &worker::Progress| drivers::compute(&wanted, &drivers::watched(progress, &tell));
        self.drivers.asker_mut(driver).ask(&question, work, move || wake.request_repaint());
        Ok(question)
    }

    /// The scenario that a question of the page Sensitivity is about. Cases lie over the base, whatever else does.
    fn asked_about(&self, driver: drivers::Driver) -> std::sync::Arc<Snapshot> {
        let of = if driver == drivers::Driver::Cases { self.document.base() } else { self.document.now() };
        std::sync::Arc::clone(of)
    }

    /// What the view asks of the scenario as it stands.
    fn asked_of(&self, driver: drivers::Driver) -> Result<drivers::Question, drivers::Nothing> {
        let of = self.asked_about(driver);
        let asked = drivers::asked(driver, &of, &self.view.drivers, self.view.tornado.figure)?;
        Ok((drivers::Of(of), asked))
    }

    fn carry_out_driver(&mut self, wish: drivers::Wish) {
        match wish {
            drivers::Wish::Show(driver) => (self.view.page, self.view.driver) = (Page::Sensitivity, driver),
            drivers::Wish::Choose(choices) => self.view.drivers = choices,
            drivers::Wish::Stop(driver) if driver.is_of_bars() => self.sensitivity.stop(),
            drivers::Wish::Start(driver) if driver.is_of_bars() => self.sensitivity.resume(),
            drivers::Wish::Stop(driver) => self.drivers.asker_mut(driver).stop(),
            drivers::Wish::Start(driver) => self.drivers.asker_mut(driver).resume(),
        }
    }

    /// Draws the uncertain inputs of the scenario as it stands, beside the window.
    fn run_draws(&mut self, ctx: &Context) {
        if self.document.now().scenario.placements.is_empty() {
            return;
        }
        // The register, which is ordered by what measuring is worth, shows how far it is as well.
        if self.view.page != Page::Evidence {
            self.view.page = Page::Uncertainty;
        }
        let question = pages::uncertainty::question(&self.document, &self.view.draws);
        let of = pages::uncertainty::Of {
            snapshot: std::sync::Arc::clone(self.document.now()),
            case: self.document.live().name(&self.document.base().scenario),
        };
        let (pause, ctx) = (if self.view.low_bandwidth { PROGRESS_PAUSE } else { Duration::ZERO }, ctx.clone());
        self.uncertainty.runs.start(question, of, move || ctx.request_repaint_after(pause));
    }

    /// Opens a draw as a scenario of its own. It is that of the scenario that was drawn, whatever was edited since.
    fn open_draw(&mut self, ctx: &Context, draw: u64) {
        // Of the run that is seen: while one goes on, that is the one that goes on.
        let Some(run) = self.uncertainty.runs.seen() else { return };
        match run.plan.scenario(draw) {
            Ok(scenario) => self.leave(ctx, Leave::Drawn(Box::new(scenario))),
            Err(problem) => self.notice = problem.message,
        }
    }

    /// Carries a command out, once what is being typed has been committed or refused: that takes one more frame.
    fn carry_out(&mut self, ctx: &Context, command: Command) {
        if !command.is_typed() && (self.drafts.unsettled() || self.form.unsettled()) {
            ctx.memory_mut(egui::Memory::stop_text_input);
            self.waiting.push(command);
            ctx.request_repaint();
            return;
        }
        self.carry_out_now(ctx, command);
    }

    fn carry_out_now(&mut self, ctx: &Context, command: Command) {
        // What it leads to is seen in the next frame, whether or not anything else asks for one.
        ctx.request_repaint();
        // What has been written into an opened input belongs to the scenario before anything else is done with it.
        if !matches!(command, Command::Edit(_))
            && let Some(edit) = self.fields.settled(&self.document)
        {
            self.edit(&edit);
        }
        match command {
            Command::Live(wish) => self.carry_out_live(&wish),
            Command::Insert(list, begins) => self.insert(ctx, list, begins),
            Command::Present(presenting) => {
                self.view.presenting = presenting;
                self.dress(ctx);
            }
            Command::LowBandwidth(low) => {
                self.view.low_bandwidth = low;
                self.dress(ctx);
            }
            Command::Edit(edit) => self.edit(&edit),
            Command::Undo => self.undo(),
            Command::Redo => self.redo(),
            Command::ToStep(step) => self.go_to_step(step),
            Command::History => {
                self.view.history = !self.view.history || self.explanation.is_open();
                self.explanation.close();
            }
            Command::CopyLog => {
                let log = Form::Text.written(&self.document.title(), &history::entries(&self.document));
                ctx.copy_text(log);
                self.notice = "Copied the history".to_owned();
            }
            Command::SaveLog => self.ask_path(Purpose::Log),
            Command::ExportRegister(text) => self.ask_path(Purpose::Register(text)),
            Command::Recover => self.offer(),
            Command::New => {
                let beginning = Beginning::new(self.today, self.view.figures.marks);
                self.dialog = Some(Dialog::Begin(beginning).into());
            }
            Command::CompareWith => self.ask_path(Purpose::Compare),
            Command::CompareWithDisk => {
                if let Some(path) = self.document.path().map(Path::to_path_buf) {
                    self.compare_with(&path);
                }
            }
            Command::CloseComparison => {
                self.differences.close();
                if self.view.page == Page::Differences {
                    self.view.page = Page::Compare;
                }
            }
            Command::StopComparison => self.differences.stop(),
            Command::StartComparison => self.differences.resume(),
            Command::TakeOver(place) => self.take_over(place),
            Command::Reload => {
                if let Some(path) = self.document.path().map(Path::to_path_buf) {
                    self.leave(ctx, Leave::File(path));
                }
            }
            Command::KeepMine => self.watch.keep_mine(),
            Command::Open => self.ask_path(Purpose::Open),
            Command::OpenRecent(i) => {
                if let Some(path) = self.recent.get(i).cloned() {
                    self.leave(ctx, Leave::File(path));
                }
            }
            Command::NewFromExample(i) => self.leave(ctx, Leave::Example(i)),
            Command::OpenPublished(shipped) => self.leave(ctx, Leave::Published(shipped)),
            Command::Save => self.save(ctx, None),
            Command::SaveAs => self.ask_path(Purpose::Save(None)),
            Command::Quit => self.leave(ctx, Leave::Quit),
            Command::FindInput => (self.view.page, self.evidence.find) = (Page::Evidence, true),
            Command::FindPostings => (self.view.page, self.ledger.find) = (Page::Ledger, true),
            Command::GoTo(path) => self.go_to(path),
            Command::Explain(target) => self.explanation.open(target, false),
            Command::ExplainPart(target) => self.explanation.open(target, true),
            Command::ExplainBack => self.explanation.back(),
            Command::CloseExplanation => self.explanation.close(),
            Command::ExplainFigure => {
                let total = explain::Target::figure(self.view.focus, "total".to_owned());
                let target = self.view.figure.clone().unwrap_or(total);
                self.explanation.open(target, false);
            }
            Command::Show(page) => self.view.page = page,
            Command::Postings(filter) => self.show_postings(filter),
            Command::Copy(text, said) => {
                ctx.copy_text(text);
                self.notice = said;
            }
            Command::Theme(theme) => {
                self.view.theme = theme;
                self.dress(ctx);
            }
            Command::Scale(scale) => self.view.figures.scale = scale,
            Command::Marks(marks) => {
                self.view.figures.marks = marks;
                self.drafts.clear();
            }
            Command::Focus(placement) => self.view.focus = placement,
            Command::Reference(placement) => self.view.reference = placement,
            Command::CompareBy(by) => self.view.compare_by = by,
            Command::CompareAs(of) => self.view.compared_as = of,
            Command::Fold(family) => self.view.fold(family),
            Command::TurnChart(which) => self.charts.turn(which),
            Command::CopyChart(which) => self.copy_chart(ctx, &which),
            Command::SaveChart(which) => self.ask_path(Purpose::Chart(which)),
            Command::Tornado(choice) => self.view.tornado = choice,
            Command::Drivers(wish) => self.carry_out_driver(wish),
            Command::AllBars(all) => self.view.all_bars = all,
            Command::Draws(choice) => self.view.draws = choice,
            Command::RunDraws => self.run_draws(ctx),
            Command::StopDraws => self.uncertainty.runs.stop(),
            Command::DrawnAs(by) => (self.view.page, self.view.drawn_as) = (Page::Uncertainty, by),
            Command::OpenDraw(draw) => self.open_draw(ctx, draw),
            Command::BackToOrigin => self.leave(ctx, Leave::Back),
            Command::Palette => {
                let palette = CommandPalette::new(&self.document, command::entries(self.state()));
                self.dialog = Some(Dialog::Commands(palette).into());
            }
            Command::Keys => {
                let entries = command::entries(self.state());
                let with_keys = entries.into_iter().filter(|entry| !entry.keys.is_empty());
                self.dialog = Some(Dialog::Keys(with_keys.collect()).into());
            }
            Command::About => self.dialog = Some(Dialog::About.into()),
            Command::Warnings => self.dialog = Some(Dialog::Warnings(self.document.now().warnings.clone()).into()),
        }
    }

    /// Has something done with the forms of the elements.
    fn with_form(
        &mut self,
        commands: &mut Vec<Command>,
        done: impl FnOnce(&mut form::Form<'_>, &mut pages::elements::Memory, &View, &mut charts::Charts),
    ) {
        let swings = swings::Swings::of(self.document.now(), self.document.revision(), &self.view, &self.sensitivity);
        let fields = fields::Fields {
            document: &self.document,
            figures: self.view.figures,
            today: self.today,
            swings,
            memory: &mut self.fields,
            drafts: &mut self.drafts,
            commands,
        };
        done(&mut form::Form::new(fields, &mut self.form), &mut self.elements, &self.view, &mut self.charts);
    }

    /// Adds an element, and goes to its page.
    fn insert(&mut self, ctx: &Context, list: pages::elements::List, begins: pages::elements::Begins) {
        self.view.page = match list {
            pages::elements::List::Workloads => Page::Workloads,
            pages::elements::List::Environments => Page::Environments,
            pages::elements::List::Placements => Page::Placements,
        };
        let mut commands = Vec::new();
        self.with_form(&mut commands, |form, elements, _, _| pages::elements::begin(form, elements, list, begins));
        for command in commands {
            self.carry_out_now(ctx, command);
        }
    }

    /// Goes to where a path is edited: to its field on the page of its element.
    fn go_to(&mut self, path: String) {
        self.view.page = match pages::elements::List::of_path(&path) {
            Some(pages::elements::List::Workloads) => Page::Workloads,
            Some(pages::elements::List::Environments) => Page::Environments,
            Some(pages::elements::List::Placements) => Page::Placements,
            None => Page::Scenario,
        };
        self.elements.go_to(&path);
        self.form.go_to = Some(path);
    }

    fn edit(&mut self, edit: &Edit) {
        // What a cell shows is what typing in it changes: under a case that is the position, and the base stays.
        if let Some(value) = edit.change.value()
            && self.document.positions().contains_key(&edit.path)
        {
            self.carry_out_live(&live::Wish::Move(edit.path.clone(), value));
            return;
        }
        let begun = Instant::now();
        let stepped = self.document.edited(edit, self.view.figures).and_then(|edited| {
            let edit::Edited { scenario, label, widened_from } = edited;
            Ok((files::evaluated(scenario, self.today)?, label, widened_from))
        });
        match stepped {
            Ok((snapshot, label, widened_from)) => {
                self.evaluated_in = begun.elapsed();
                self.notice.clone_from(&label);
                let before = self.document.base().scenario.currency.clone();
                match self.document.commit(edit, label, widened_from, snapshot) {
                    Ok(()) => {
                        // A number that was refused beside the old one may fit beside the new.
                        self.drafts.retry();
                        self.tell_of_currency(before);
                    }
                    Err(reason) => self.notice = reason,
                }
            }
            Err(reason) => self.notice = reason,
        }
    }

    /// Says that amounts keep their numbers, where an edit has changed what they are counted in.
    fn tell_of_currency(&mut self, before: String) {
        let scenario = &self.document.base().scenario;
        // Without an amount there is nothing that could have been converted.
        let is_amount = |input: &crate::scenario::InputRef| {
            input.unit.starts_with(&scenario.currency) && !input.input.value.decimal().is_zero()
        };
        let has_amounts = || scenario.inputs().iter().any(is_amount);
        if scenario.currency != before && self.dialog.is_none() && has_amounts() {
            self.dialog = Some(Dialog::Currency(before, scenario.currency.clone()).into());
        }
    }

    fn undo(&mut self) {
        if let Some(label) = self.document.undoable().map(str::to_owned) {
            self.go_to_step(self.document.at() - 1);
            self.notice = format!("Undone: {label}");
        }
    }

    fn redo(&mut self) {
        if let Some(label) = self.document.redoable().map(str::to_owned) {
            self.go_to_step(self.document.at() + 1);
            self.notice = format!("Done again: {label}");
        }
    }

    fn go_to_step(&mut self, step: usize) {
        let from = self.document.at();
        if self.document.go_to_step(step) {
            self.drafts.clear();
            self.form.forget_drafts();
            let (verb, steps) = if step < from { ("Undone", from - step) } else { ("Done again", step - from) };
            self.notice = format!("{verb}: {steps} {}", if steps == 1 { "step" } else { "steps" });
        }
    }

    fn ask_path(&mut self, purpose: Purpose) {
        let here = self.document.path();
        let typed = match (&purpose, here) {
            (Purpose::Save(_), Some(path)) => files::name(path),
            (Purpose::Save(_), None) => format!("{}.ron", file_name(&self.document.title())),
            (Purpose::Log, _) => format!("{}-history.md", file_name(stem(&self.document.title()))),
            (Purpose::Chart(which), _) => format!("{}.{}", which.kind.name(), Format::Svg.extension()),
            (Purpose::Register(_), _) => format!("{}-evidence.csv", file_name(stem(&self.document.title()))),
            (Purpose::Open | Purpose::Compare, _) => String::new(),
        };
        self.dialog = Some(Dialog::Path(PathDialog::new(purpose, folder(here), typed)).into());
    }

    /// Leaves the scenario that is open, after asking where work would be lost.
    fn leave(&mut self, ctx: &Context, to: Leave) {
        // A draw to which nothing was done is opened again by its number.
        let is_kept = to == Leave::Back && self.document.is_as_opened();
        if is_kept || !self.document.unsaved() {
            self.go(ctx, to);
            return;
        }
        // What cannot be opened is no reason to ask about the work that is open.
        if let Leave::File(path) = &to
            && let Err(refusal) = files::open(path, self.today)
        {
            self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into());
            return;
        }
        let never_saved = !self.origins.is_empty() && self.document.path().is_none();
        self.dialog = Some(Dialog::Unsaved(to, never_saved).into());
    }

    fn go(&mut self, ctx: &Context, to: Leave) {
        match to {
            Leave::Quit => {
                self.leaving = true;
                // What is not saved now was given up.
                if let Some(keeper) = &mut self.keeper {
                    keeper.forget();
                }
                ctx.send_viewport_cmd(ViewportCommand::Close);
            }
            Leave::File(path) => self.open(&path),
            Leave::Found => self.recover(),
            Leave::New(scenario) => self.begin(*scenario, Page::Workloads),
            Leave::Drawn(scenario) => self.show_drawn(*scenario),
            Leave::Back => self.go_back(),
            Leave::Example(index) => match example(index) {
                Ok((snapshot, name, _)) => self.show(Document::new(snapshot, name, None)),
                Err(refusal) => self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into()),
            },
            Leave::Published(shipped) => match shipped_scenario(shipped.file, shipped.text) {
                Ok((snapshot, name, _)) => {
                    self.show(Document::new(snapshot, name, None));
                    self.view.page = Page::Compare;
                }
                Err(refusal) => self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into()),
            },
        }
    }

    fn begin(&mut self, scenario: Scenario, page: Page) {
        let name = scenario.name.clone();
        match files::evaluated(scenario, self.today) {
            Ok(snapshot) => {
                self.show(Document::new(snapshot, name, None));
                self.view.page = page;
            }
            Err(reason) => self.notice = reason,
        }
    }

    /// Shows a draw as a scenario that no file has, and keeps the one that it was drawn from.
    fn show_drawn(&mut self, scenario: Scenario) {
        let name = scenario.name.clone();
        match files::evaluated(scenario, self.today) {
            Ok(snapshot) => {
                let drawn = Document::never_saved(snapshot, name, std::sync::Arc::clone(self.document.base()));
                let origin = self.exchange(drawn);
                self.origins.push(origin);
                self.view.page = Page::Compare;
            }
            Err(reason) => self.notice = reason,
        }
    }

    /// Shows the scenario again from which the open one was drawn, with its draws.
    fn go_back(&mut self) {
        let Some(Origin { title, document, uncertainty, draws }) = self.origins.pop() else { return };
        self.exchange(document);
        (self.uncertainty, self.view.draws, self.view.page) = (uncertainty, draws, Page::Uncertainty);
        self.notice = format!("Back to {title}");
    }

    /// Opens a scenario beside the one that is open.
    fn compare_with(&mut self, path: &Path) {
        match files::open(path, self.today) {
            Ok((snapshot, _)) => {
                let (name, snapshot) = (files::name(path), std::sync::Arc::new(snapshot));
                self.differences.open(pages::differences::Other { name, path: path.to_path_buf(), snapshot });
                self.view.page = Page::Differences;
            }
            Err(refusal) => self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into()),
        }
    }

    /// Makes the open scenario like the other at one place, as one step.
    fn take_over(&mut self, place: usize) {
        let Some(effect) = self.differences.difference(place, &self.document) else { return };
        let from = self.differences.other().map(|other| other.name.clone()).unwrap_or_default();
        let label = format!("{} taken over from {from}", effect.difference.label);
        let changed = with_difference(&self.document.base().scenario, &effect.difference).map_err(|problems| {
            problems.iter().find(|problem| problem.is_error()).map(ToString::to_string).unwrap_or_default()
        });
        match changed.and_then(|scenario| files::evaluated(scenario, self.today)) {
            Ok(snapshot) => {
                self.notice.clone_from(&label);
                let live = self.document.settled().clone();
                if let Err(reason) = self.document.commit_with(label, snapshot, &live) {
                    self.notice = reason;
                }
                self.drafts.clear();
                self.form.forget_drafts();
            }
            Err(reason) => self.notice = reason,
        }
    }

    /// Opens a file completely, or says everything that is wrong with it and keeps what was open.
    fn open(&mut self, path: &Path) {
        let begun = Instant::now();
        match files::open(path, self.today) {
            Ok((snapshot, stored)) => {
                self.evaluated_in = begun.elapsed();
                self.add_recent(path);
                self.show(Document::new(snapshot, files::name(path), Some(stored)));
                self.notice = format!("Opened {}", path.display());
            }
            Err(refusal) => self.dialog = Some(Dialog::Refused(refusal, Behind::Before).into()),
        }
    }

    fn show(&mut self, document: Document) {
        self.origins.clear();
        self.exchange(document);
    }

    /// Shows another document, and returns the one that was shown with what was drawn of it.
    fn exchange(&mut self, document: Document) -> Origin {
        let draws = self.view.draws.clone();
        self.view.fit(document.now().evaluation.placements.len());
        self.view.tornado = pages::sensitivity::first_choice(document.now());
        self.view.draws = pages::uncertainty::first_choice(document.now());
        self.sensitivity = Sensitivity::idle();
        self.drivers.clear();
        self.view.drivers = drivers::Choices::default();
        let uncertainty = std::mem::take(&mut self.uncertainty);
        let document = std::mem::replace(&mut self.document, document);
        if let Some(keeper) = &mut self.keeper {
            keeper.forget();
        }
        self.drafts.clear();
        self.fields.clear();
        self.form.clear();
        self.elements.clear();
        self.evidence = pages::evidence::EvidenceView::default();
        self.compare.clear();
        self.charts.clear();
        self.ledger = LedgerView::default();
        self.levers.clear();
        // What was explained belongs to the other scenario, even where a name is the same.
        self.explanation.close();
        self.watch = watch::Watch::default();
        self.view.figure = None;
        self.notice.clear();
        Origin { title: document.title(), document, uncertainty, draws }
    }

    fn add_recent(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        self.recent.retain(|known| *known != path);
        self.recent.insert(0, path);
        self.recent.truncate(RECENT);
    }

    /// Saves to the file that is open, after looking whether someone else has changed it.
    fn save(&mut self, ctx: &Context, then: Option<Leave>) {
        let Some(stored) = self.document.file() else {
            self.ask_path(Purpose::Save(then));
            return;
        };
        let path = stored.path.clone();
        if stored.on_disk() == OnDisk::Changed {
            let conflict = Conflict::of(&self.document, &path, self.view.figures);
            self.dialog = Some(Dialog::Changed { path, then, conflict }.into());
        } else {
            self.write(ctx, &path, then);
        }
    }

    fn write(&mut self, ctx: &Context, path: &Path, then: Option<Leave>) {
        let snapshot = std::sync::Arc::clone(self.document.base());
        match files::save(&snapshot.scenario, path) {
            Ok(stored) => {
                self.saved(snapshot, stored);
                if let Some(to) = then {
                    self.go(ctx, to);
                }
            }
            Err(reason) => {
                self.dialog = Some(Dialog::NotSaved { path: path.to_path_buf(), reason, then }.into());
            }
        }
    }

    fn saved(&mut self, snapshot: std::sync::Arc<Snapshot>, stored: Stored) {
        let kept = if self.document.settled().now.is_empty() {
            ""
        } else {
            ". Positions of levers are not part of it: keep them as a case"
        };
        self.notice = format!("Saved {}{kept}", stored.path.display());
        self.add_recent(&stored.path.clone());
        self.document.mark_saved(snapshot, stored);
    }

    fn answer(&mut self, ctx: &Context, answer: Answer) {
        if let Answer::System = answer {
            self.ask_system(ctx);
            return;
        }
        self.dialog = None;
        match answer {
            Answer::Cancel | Answer::System | Answer::Later => {}
            Answer::Give(command) => self.carry_out(ctx, command),
            Answer::Begin(scenario) => self.leave(ctx, Leave::New(scenario)),
            Answer::Recover => self.leave(ctx, Leave::Found),
            Answer::Discard => {
                if !self.found.is_empty() {
                    self.found.remove(0).discard();
                    self.offering = !self.found.is_empty();
                }
            }
            Answer::Chosen(path, purpose) => self.chosen(ctx, path, purpose),
            Answer::SaveThen(to) => self.save(ctx, Some(to)),
            Answer::DiscardThen(to) => self.go(ctx, to),
            Answer::Write { path, then } => self.write(ctx, &path, then),
            Answer::Replace(path, purpose) => self.use_path(ctx, path, purpose),
            Answer::Elsewhere(purpose) => self.ask_path(purpose),
            Answer::Reload(path) => self.open(&path),
        }
    }

    /// What is written never replaces a file without a question.
    fn chosen(&mut self, ctx: &Context, path: PathBuf, purpose: Purpose) {
        let is_own = self.document.path() == Some(&path);
        match purpose {
            Purpose::Save(then) if is_own => self.save(ctx, then),
            purpose if purpose.saving() && path.exists() => {
                self.dialog = Some(Dialog::Exists { path, purpose }.into());
            }
            purpose => self.use_path(ctx, path, purpose),
        }
    }

    fn use_path(&mut self, ctx: &Context, path: PathBuf, purpose: Purpose) {
        match purpose {
            Purpose::Open => self.leave(ctx, Leave::File(path)),
            Purpose::Save(then) => self.write(ctx, &path, then),
            Purpose::Compare => self.compare_with(&path),
            Purpose::Log => self.save_log(&path),
            Purpose::Chart(which) => self.save_chart(&path, &which),
            Purpose::Register(text) => self.export_register(&path, &text),
        }
    }

    fn export_register(&mut self, path: &Path, text: &str) {
        self.notice = match files::replace(path, text.as_bytes()) {
            Ok(()) => format!("Exported the register to {}", path.display()),
            Err(error) => format!("The register was not exported: {}", said(&error)),
        };
    }

    fn save_log(&mut self, path: &Path) {
        let form = path.extension().and_then(|extension| extension.to_str()).and_then(Form::of_extension);
        let log = form.unwrap_or(Form::Text).written(&self.document.title(), &history::entries(&self.document));
        self.notice = match files::replace(path, log.as_bytes()) {
            Ok(()) => format!("Saved the history in {}", path.display()),
            Err(error) => format!("The history was not saved: {}", said(&error)),
        };
    }

    /// The chart as it stands, with the conventions that it holds under.
    fn described(&mut self, which: &Which) -> (charts::Described, String) {
        if let Some(driver) = drivers::Driver::of(which.kind) {
            return self.described_answer(driver);
        }
        let figures = self.view.figures;
        let run = self.uncertainty.runs.seen().filter(|_| which.kind.scope() == Scope::Draws);
        let mark = run.as_ref().and_then(|run| run.mark(self.document.revision(), figures));
        let (seen, case) = match &run {
            Some(run) => (charts::Seen::of_draws(run, mark.as_deref()), run.of.case.clone()),
            None => (charts::Seen::of(&self.document), self.document.live().name(&self.document.base().scenario)),
        };
        let described = self.charts.described(which, seen, &self.view);
        (described, picture::conventions(&seen.snapshot.scenario, &case, figures))
    }

    /// The last answer to a question of the page Sensitivity as a chart, marked where it is about an older scenario.
    fn described_answer(&mut self, driver: drivers::Driver) -> (charts::Described, String) {
        let few = (!self.view.all_bars).then_some(Bars::FEW);
        let how = (&self.view.drivers, self.view.figures, few, false);
        let Some((of, described)) = self.drivers.described(driver, &self.sensitivity, how) else {
            let reason = format!("{} has not been computed yet.", driver.name());
            return (std::rc::Rc::new(Err(reason)), String::new());
        };
        let is_base = std::sync::Arc::ptr_eq(&of, self.document.base());
        let is_current = match driver.is_of_bars() {
            true => {
                let asked = (self.document.revision(), self.view.tornado.clone());
                self.sensitivity.last().is_some_and(|last| last.question == asked)
            }
            false => {
                let asked = self.asked_of(driver);
                let last = self.drivers.asker(driver).and_then(worker::Worker::last);
                last.is_some_and(|last| asked.as_ref() == Ok(&last.question))
            }
        };
        let case = match is_base {
            true => "base".to_owned(),
            false => self.document.live().name(&self.document.base().scenario),
        };
        let conventions = picture::conventions(&of.scenario, &case, self.view.figures);
        match &*described {
            Ok(chart) if !is_current => (std::rc::Rc::new(Ok(chart.marked(pages::OUT_OF_DATE))), conventions),
            _ => (described, conventions),
        }
    }

    fn save_chart(&mut self, path: &Path, which: &Which) {
        let (described, conventions) = self.described(which);
        let kind = (self.view.figures, self.document.now().evaluation.currency);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let written = described.as_ref().as_ref().map_err(Clone::clone).and_then(|chart| {
            let format = Format::of_extension(extension)?;
            let bytes = picture::bytes(chart, format, kind, &conventions)?;
            files::replace(path, &bytes).map_err(|error| said(&error))
        });
        self.notice = match written {
            Ok(()) => format!("Saved the chart in {}", path.display()),
            Err(reason) => format!("The chart was not saved: {reason}"),
        };
    }

    /// Puts a chart on the clipboard as a picture.
    fn copy_chart(&mut self, ctx: &Context, which: &Which) {
        let (described, conventions) = self.described(which);
        let drawn = described.as_ref().as_ref().map_err(Clone::clone).and_then(|chart| {
            let png::Pixels { width, height, rgba } = picture::pixels(chart, self.view.figures, &conventions)?;
            Ok((
                chart.title.clone(),
                egui::ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &rgba),
            ))
        });
        self.notice = match drawn {
            Ok((title, image)) => {
                ctx.copy_image(image);
                format!("Copied the chart {title}")
            }
            Err(reason) => format!("The chart was not copied: {reason}"),
        };
    }

    /// Opens the system's own dialog beside the window, which goes on drawing and can still be typed into.
    fn ask_system(&mut self, ctx: &Context) {
        let Some(Open { dialog: Dialog::Path(dialog), .. }) = &mut self.dialog else { return };
        dialog.note = "The system’s dialog is open. A path typed here works all the same.".to_owned();
        let (purpose, typed) = (dialog.purpose.clone(), dialog.typed.clone());
        let extensions = purpose.extensions();
        let system = rfd::AsyncFileDialog::new().add_filter(purpose.kind(), &extensions).set_directory(&dialog.folder);
        let saving = purpose.saving();
        let (sender, receiver) = channel();
        let ctx = ctx.clone();
        let asked = move |file: Option<rfd::FileHandle>| {
            let path = file.map(|file| file.path().to_path_buf());
            // The window may have closed meanwhile; then nobody waits for the answer.
            let _ = sender.send(SystemAnswer { path, purpose });
            ctx.request_repaint();
        };
        if saving {
            let future = system.set_file_name(typed).save_file();
            std::thread::spawn(move || asked(pollster::block_on(future)));
        } else {
            let future = system.pick_file();
            std::thread::spawn(move || asked(pollster::block_on(future)));
        }
        self.system_dialog = Some(receiver);
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &Context, _: &mut eframe::Frame) {
        self.step(ctx);
    }

    fn raw_input_hook(&mut self, ctx: &Context, input: &mut egui::RawInput) {
        self.held.append(&mut input.events);
        (input.events, self.held) = turns::in_turn(std::mem::take(&mut self.held));
        if !self.held.is_empty() {
            ctx.request_repaint();
        }
    }

    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.window_ui(ui);
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        storage.set_string("view", self.view.remembered());
        let recent: Vec<String> = self.recent.iter().map(|path| path.display().to_string()).collect();
        storage.set_string("recent", recent.join("\n"));
    }

    fn persist_egui_memory(&self) -> bool {
        false
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

/// Says that the scenario is a draw of another, and how to return to that.
fn drawn_ui(ui: &mut Ui, origin: &str, commands: &mut Vec<Command>) {
    ui.horizontal_centered(|ui| {
        ui.add_space(16.0);
        ui.label(format!("This is one draw of {origin}, as a scenario of its own."));
        if ui.link(format!("Back to {origin}")).clicked() {
            commands.push(Command::BackToOrigin);
        }
    });
}

/// Says that the file is no longer what was opened, and what can be done.
fn changed_ui(ui: &mut Ui, name: &str, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal_centered(|ui| {
        ui.add_space(16.0);
        let (rect, _) = ui.allocate_exact_size(egui::vec2(16.0, 16.0), egui::Sense::hover());
        icons::warning(ui.painter(), rect.center(), palette);
        ui.label(format!("{name} has been changed on disk by someone else."));
        for (label, command) in
            [("Compare", Command::CompareWithDisk), ("Reload", Command::Reload), ("Keep mine", Command::KeepMine)]
        {
            let response = ui.link(label);
            if response.accessible_name(format!("{label}, file changed on disk")).clicked() {
                commands.push(command);
            }
        }
    });
}

/// A shipped scenario with its figures, its name, and how long it took.
fn example(index: usize) -> Result<(Snapshot, String, Duration), Refusal> {
    let example = &examples::ALL[index.min(examples::ALL.len() - 1)];
    shipped_scenario(example.name, example.text)
}

/// Unsaved work as a document: the scenario of its file, and one step that leads to what was kept.
fn recovered(kept: &Kept, today: Option<Date>) -> Result<Document, Refusal> {
    let refuse = |findings| Refusal { title: format!("The unsaved work on {} was not opened.", kept.title), findings };
    let base = files::parse(&kept.base, kept.base_syntax(), today).map_err(refuse)?;
    let work = files::parse(&kept.scenario, Syntax::Ron, today).map_err(refuse)?;
    let stored = kept.path.clone().map(|path| Stored::known(path, kept.base.clone()));
    let mut document = Document::new(base, kept.title.clone(), stored);
    let label = format!("Unsaved work of {} recovered", kept.when().day_and_time());
    document.commit_with(label, work, &live::Live::default()).map_err(|reason| refuse(vec![reason]))?;
    Ok(document)
}

fn shipped_scenario(name: &str, text: &str) -> Result<(Snapshot, String, Duration), Refusal> {
    let begun = Instant::now();
    let refuse = |findings| Refusal { title: format!("{name} was not opened."), findings };
    let snapshot = files::parse(text, Syntax::Ron, today()).map_err(refuse)?;
    Ok((snapshot, name.to_owned(), begun.elapsed()))
}

/// How large a scenario is.
fn size(snapshot: &Snapshot) -> String {
    let scenario = &snapshot.scenario;
    let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{}, {}, {}, {} of {} entered",
        count(scenario.workloads.len(), "class", "classes"),
        count(scenario.environments.len(), "environment", "environments"),
        count(scenario.placements.len(), "placement", "placements"),
        snapshot.register.entered,
        count(snapshot.register.inputs, "input", "inputs"),
    )
}

/// The name of a file without its extension.
fn stem(name: &str) -> &str {
    Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name)
}

/// A name for a file from the title of a scenario: lower-case words joined by hyphens.
fn file_name(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

fn today() -> Option<Date> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Date::from_days_since_1970(since.as_secs() / 86_400))
}
