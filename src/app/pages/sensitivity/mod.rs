//! Sensitivity: what drives the decision, one question at a time, each computed beside the window.
//!
//! It asks, shows what was answered, and greys what answers an older scenario. It evaluates nothing.

mod bars;
mod choices;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use egui::{Event, RichText, ScrollArea, Ui};

use crate::analysis::compare;
use crate::analysis::figure::is_money;
use crate::analysis::tornado::{Answer, Question as Asked};
use crate::app::charts::Described;
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::{Document, Snapshot};
use crate::app::drivers::{self, Driver, Drivers, Nothing, Wish};
use crate::app::live::Wish as LiveWish;
use crate::app::paint::scene_ui;
use crate::app::theme::{self, Palette};
use crate::app::view::{Page as PageName, TornadoChoice, View};
use crate::app::widgets::{
    ChartAsked, ChartShown, RowKind, fit, fit_names, framed_ui, segments_ui, table_ui, twin_table,
};
use crate::app::worker::{Answered, Progress, Worker};
use crate::chart::{Body, Chart, Look, Which, curves, regions};
use crate::cli::analyses;
use crate::engine::Figure;
use crate::export::tables::tsv;
use crate::scenario::Scenario;
use crate::words;

use super::{OUT_OF_DATE, evidence_legend_ui, head_ui};

/// What the tornado is asked: which state of the scenario, by its revision, and what of it.
pub type Question = (u64, TornadoChoice);
pub type Sensitivity = Worker<Question, Result<Computed, String>>;

/// A tornado, and the scenario that it is about.
pub struct Computed {
    pub answer: Answer,
    pub of: Arc<Snapshot>,
}

/// The room in which questions, title and state stand on one line.
const ONE_LINE: f32 = 940.0;
/// The room in which the ends of a bar are written out beside it.
const ROOMY: f32 = 800.0;
/// A chart wider than this is no easier to read.
const WIDEST: f32 = 1640.0;

/// The page on a scenario.
pub struct Page<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub bars: &'a Sensitivity,
    /// What the tornado is asked.
    pub question: Question,
    /// What the question that is shown asks, where it is none of the tornado's.
    pub asked: Result<drivers::Question, Nothing>,
    /// The charts that are shown as tables.
    pub tables: &'a BTreeSet<Which>,
    /// Whether the keyboard belongs to the page, and not to a dialog.
    pub has_keys: bool,
}

/// How far the answer to the question shown is.
enum State {
    Computing(usize, usize),
    Stopped,
    /// How long it took, and whether it answers what is asked now.
    Answered(Duration, bool),
    Refused(String),
    Waiting,
}

impl Page<'_> {
    pub fn ui(&self, ui: &mut Ui, drivers: &mut Drivers, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 8.0;
        let state = self.state(drivers);
        let one_line = ONE_LINE <= ui.available_width();
        head_ui(ui, "Sensitivity", |ui| {
            if one_line {
                self.questions_ui(ui, commands);
            }
            self.state_ui(ui, &state, commands);
        });
        if !one_line {
            ui.horizontal_wrapped(|ui| self.questions_ui(ui, commands));
        }
        if let Some(nothing) = self.nothing() {
            self.nothing_ui(ui, nothing, commands);
            return;
        }
        self.choices_ui(ui, commands);
        if let State::Refused(reason) = &state {
            ui.label(reason);
            return;
        }
        let few = if self.view.all_bars { None } else { Some(bars::FEW) };
        let brief = ui.available_width() < ROOMY;
        let how = (&self.view.drivers, self.view.figures, few, brief);
        let Some((of, described)) = drivers.described(self.driver(), self.bars, how) else {
            ui.add_space(16.0);
            ui.label(match state {
                State::Stopped => "Nothing has been computed: it was stopped.",
                _ => "It is being computed.",
            });
            return;
        };
        let fresh = matches!(state, State::Answered(_, true));
        self.described_ui(ui, (&of, &described, fresh), commands);
    }

    fn driver(&self) -> Driver {
        self.view.driver
    }

    fn which(&self) -> Which {
        Which::of_all(self.driver().kind())
    }

    /// Why there is nothing to ask.
    fn nothing(&self) -> Option<Nothing> {
        let snapshot = self.document.now();
        match &self.asked {
            _ if self.driver().is_of_bars() => {
                let movable = crate::analysis::moves::movable(&snapshot.scenario, &snapshot.inputs);
                movable.is_empty().then_some(Nothing::NoRanges)
            }
            Ok(_) => None,
            Err(nothing) => Some(*nothing),
        }
    }

    fn state(&self, drivers: &Drivers) -> State {
        if self.driver().is_of_bars() {
            return state(self.bars, Some(&self.question));
        }
        match drivers.asker(self.driver()) {
            Some(asker) => state(asker, self.asked.as_ref().ok()),
            None => State::Waiting,
        }
    }

    fn questions_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let names = Driver::ALL.map(Driver::name);
        let current = Driver::ALL.iter().position(|driver| *driver == self.driver()).unwrap_or_default();
        let chosen = segments_ui(ui, "Question", &names, current, 24.0);
        commands.extend(chosen.and_then(|i| Driver::ALL.get(i)).map(|driver| Command::Drivers(Wish::Show(*driver))));
    }

    /// How far the computation is, or how much it was.
    fn state_ui(&self, ui: &mut Ui, state: &State, commands: &mut Vec<Command>) {
        let palette = Palette::of(ui.visuals());
        let small = |text: String| RichText::new(text).font(theme::SMALL).color(palette.text2);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| match state {
            State::Computing(done, all) => {
                if button(ui, "Stop", false).clicked() {
                    commands.push(Command::Drivers(Wish::Stop(self.driver())));
                }
                ui.label(small(format!("Computing {done} of {all}")));
            }
            State::Stopped => {
                if button(ui, "Compute", true).clicked() {
                    commands.push(Command::Drivers(Wish::Start(self.driver())));
                }
                ui.label(small("Stopped".to_owned()));
            }
            State::Answered(took, true) if self.driver().is_of_bars() => {
                if let Some(Ok(Computed { answer, .. })) = self.bars.last().map(|last| &last.answer) {
                    let moved = answer.bars.len();
                    let all = moved + answer.unmoved.len();
                    let all = words::counted::moved(&self.document.now().scenario, all, self.view.figures);
                    ui.label(small(format!("{moved} of {all} with a range move it, {} ms", took.as_millis())));
                }
            }
            State::Answered(took, true) => {
                ui.label(small(format!("Computed in {} ms", took.as_millis())));
            }
            State::Answered(_, false) | State::Refused(_) | State::Waiting => {}
        });
    }

    /// What to do first, where a question cannot be asked yet.
    fn nothing_ui(&self, ui: &mut Ui, nothing: Nothing, commands: &mut Vec<Command>) {
        let (said, name, command) = match nothing {
            Nothing::Waiting => {
                let (done, all) = self.bars.progress().unwrap_or_default();
                ui.add_space(8.0);
                ui.label(format!("The inputs that move the figure most are being found: {done} of {all}."));
                if button(ui, "Stop", false).clicked() {
                    commands.push(Command::Drivers(Wish::Stop(Driver::Tornado)));
                }
                return;
            }
            Nothing::NoRanges if self.driver() == Driver::Map => (
                "Two inputs with a range are needed. Give inputs a low and a high where they are entered, or all of them a range \
                 on the page Scenario.",
                "Go to Evidence",
                Command::Show(PageName::Evidence),
            ),
            Nothing::NoRanges => (
                "No input has a range. Give inputs a low and a high where they are entered, or all of them a range on the page \
                 Scenario.",
                "Go to Evidence",
                Command::Show(PageName::Evidence),
            ),
            Nothing::OnePlacement => (
                "There is one placement, and this compares two. Add another way to run the work.",
                "Go to Placements",
                Command::Show(PageName::Placements),
            ),
            Nothing::NoHybrid => (
                "No placement bursts from nodes of its own into another environment. Let a class of a placement burst, and the \
                 best number of nodes is asked for here.",
                "Go to Placements",
                Command::Show(PageName::Placements),
            ),
            Nothing::NoCases => (
                "This scenario has no cases. Move levers away from the base and keep their positions as a case, such as low demand \
                 or a price cut.",
                "Open the levers",
                Command::Live(LiveWish::Panel),
            ),
        };
        ui.add_space(8.0);
        ui.label(said);
        ui.add_space(8.0);
        // A panel that is open would be closed.
        if (nothing != Nothing::NoCases || !self.view.levers) && button(ui, name, true).clicked() {
            commands.push(command);
        }
    }

    fn described_ui(
        &self,
        ui: &mut Ui,
        (of, described, fresh): (&Arc<Snapshot>, &Described, bool),
        commands: &mut Vec<Command>,
    ) {
        let chart = match &**described {
            Ok(chart) => chart,
            Err(reason) => {
                ui.label(reason);
                return;
            }
        };
        // An answer about something else looks older, and never stands under the new question's title.
        let old;
        let chart = if fresh {
            chart
        } else {
            ui.set_opacity(0.4);
            old = chart.marked(OUT_OF_DATE);
            &old
        };
        if self.is_copying(ui) {
            commands.push(copied(chart, of));
        }
        notes_ui(ui, chart);
        let shown = ChartShown {
            width: ui.available_width().min(WIDEST).floor(),
            as_table: self.tables.contains(&self.which()),
            figures: self.view.figures,
            currency: of.evaluation.currency,
        };
        let asked = match self.driver() {
            Driver::Tornado => self.tornado_ui(ui, chart, shown, fresh, commands),
            driver => {
                ScrollArea::vertical()
                    .id_salt(("sensitivity", driver.name()))
                    .auto_shrink(false)
                    .show(ui, |ui| {
                        let shown = ChartShown { width: shown.width - 12.0, ..shown };
                        match driver {
                            Driver::Cases => self.cases_ui(ui, (chart, of), shown, commands),
                            _ => framed_ui(ui, chart, shown, |ui| fitted_ui(ui, chart, shown)),
                        }
                    })
                    .inner
            }
        };
        let which = self.which();
        commands.extend(asked.map(|asked| match asked {
            ChartAsked::Turn => Command::TurnChart(which),
            ChartAsked::Copy => Command::CopyChart(which),
            ChartAsked::Save => Command::SaveChart(which),
            ChartAsked::CopyTable => copied(chart, of),
        }));
    }

    /// The rows of the chart, and under them the table, in which each case leads to itself.
    fn cases_ui(
        &self,
        ui: &mut Ui,
        (chart, of): (&Chart, &Arc<Snapshot>),
        shown: ChartShown,
        commands: &mut Vec<Command>,
    ) -> Option<ChartAsked> {
        framed_ui(ui, chart, shown, |ui| {
            let scene = chart.scene(shown.width, Look::Desk, shown.figures);
            scene_ui(ui, &chart.title, &scene, egui::Sense::hover());
            ui.add_space(12.0);
            let (mut columns, mut rows) = twin_table(&chart.twin, shown);
            let cases = of.scenario.cases.len();
            for (i, row) in rows.iter_mut().enumerate() {
                row.kind = if i <= cases { RowKind::Leading } else { RowKind::Total };
            }
            fit(ui, &mut columns, &rows);
            fit_names(ui, &mut columns, &rows);
            ScrollArea::horizontal().id_salt("cases and regret").show(ui, |ui| {
                let (_, asked) = table_ui(ui, "Cases and regret", &columns, &rows, None);
                if let Some(case) = asked.led {
                    commands.push(Command::Live(LiveWish::ShowNumber(case)));
                }
            });
        })
    }

    fn is_copying(&self, ui: &Ui) -> bool {
        self.has_keys && !ui.ctx().text_edit_focused() && ui.input(|input| input.events.contains(&Event::Copy))
    }
}

fn state<Q: PartialEq + Clone, A: Send + 'static>(worker: &Worker<Q, Result<A, String>>, asked: Option<&Q>) -> State {
    if let Some((done, all)) = worker.progress() {
        return State::Computing(done, all);
    }
    let known = worker.last().filter(|last| Some(&last.question) == asked);
    if worker.is_stopped() && known.is_none() {
        return State::Stopped;
    }
    match worker.last() {
        Some(Answered { answer: Err(reason), .. }) => State::Refused(reason.clone()),
        Some(Answered { question, took, .. }) => State::Answered(*took, Some(question) == asked),
        None => State::Waiting,
    }
}

/// Draws a chart as high as there is room for it, so that it is seen whole.
fn fitted_ui(ui: &mut Ui, chart: &Chart, shown: ChartShown) {
    const LEAST: f32 = 240.0;
    let room = (ui.clip_rect().max.y - ui.cursor().min.y - 12.0).max(LEAST);
    let height = room.min((shown.width * 0.6).max(LEAST)).floor();
    let scene = match &chart.body {
        Body::Curves(body) => curves(body, shown.width, height, Look::Desk, shown.figures),
        Body::Regions(body) => regions(body, shown.width, height, Look::Desk, shown.figures),
        _ => chart.scene(shown.width, Look::Desk, shown.figures),
    };
    scene_ui(ui, &chart.title, &scene, egui::Sense::hover());
}

/// The table of a chart, as a spreadsheet takes it.
fn copied(chart: &Chart, of: &Arc<Snapshot>) -> Command {
    let rows = chart.twin.plain(of.evaluation.currency);
    Command::Copy(tsv(&rows), format!("Copied the table of {}", chart.title))
}

/// The answer in a sentence, and what belongs to it.
fn notes_ui(ui: &mut Ui, chart: &Chart) {
    let palette = Palette::of(ui.visuals());
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        ui.set_max_width(ui.available_width().min(960.0));
        for (i, note) in chart.twin.notes.iter().enumerate() {
            let text = RichText::new(note);
            ui.label(match i {
                0 => text.font(theme::semibold(13.0)),
                _ => text.font(theme::SMALL).color(palette.text2),
            });
        }
    });
}

/// Computes a tornado, telling how far it is; nothing where nobody wants it any more.
pub fn compute(
    snapshot: &Arc<Snapshot>,
    asked: &TornadoChoice,
    progress: &Progress,
    tell: &(impl Fn() + Sync),
) -> Option<Result<Computed, String>> {
    let figure = figures(&snapshot.scenario).into_iter().nth(asked.figure).map(|(figure, _)| figure)?;
    let asked = Asked { placement: asked.placement, against: asked.against, figure };
    let answer = analyses::tornado(&snapshot.scenario, asked, &drivers::watched(progress, tell))?;
    let computed = answer.map(|answer| Computed { answer, of: Arc::clone(snapshot) });
    Some(computed.map_err(|problem| problem.to_string()))
}

/// The figures that can be asked for, the deciding one first.
pub fn figures(scenario: &Scenario) -> Vec<(Figure, String)> {
    let deciding = Figure::deciding(scenario.decision_figure);
    let mut figures = vec![
        (Figure::PresentValue, "Present value".to_owned()),
        (Figure::Total, "Total cost".to_owned()),
        (Figure::EquivalentAnnualCost, "Equivalent annual cost".to_owned()),
    ];
    figures.sort_by_key(|(figure, _)| *figure != deciding);
    for workload in &scenario.workloads {
        let Some(output) = &workload.output else { continue };
        let of = format!("per {}, {}", output.unit, workload.name);
        figures.push((Figure::CostPerOutput(workload.id.clone()), format!("Cost {of}")));
        figures.push((Figure::LevelisedCostPerOutput(workload.id.clone()), format!("Levelised cost {of}")));
    }
    figures
}

/// Whether the figure asked about is an amount of money, which follows the scale of the window.
pub fn is_shifting(scenario: &Scenario, asked: &TornadoChoice) -> bool {
    figures(scenario).get(asked.figure).is_none_or(|(figure, _)| is_money(figure))
}

/// What is asked first: the cheapest placement against the next one, by the deciding figure.
pub fn first_choice(snapshot: &Snapshot) -> TornadoChoice {
    let ranked = compare::ranking(&snapshot.evaluation);
    match ranked[..] {
        [first, second, ..] => TornadoChoice { figure: 0, placement: first, against: Some(second) },
        _ => TornadoChoice::default(),
    }
}
