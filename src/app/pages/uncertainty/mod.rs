//! Uncertainty: draws over every stated range, beside the window: how figures are spread, who is the cheapest how often, what
//! drives it, what measuring would be worth; and any draw as a scenario of its own.
//!
//! It asks, shows what was answered, and marks what answers an older scenario. It evaluates nothing.

mod runs;
mod tables;

use egui::{Id, RichText, ScrollArea, Sense, Ui, WidgetInfo, vec2};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::analysis::uncertainty::{MOST_DRAWS, Question as Asked};
use crate::analysis::{compare, draws};
use crate::app::charts::{Charts, Seen};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::{Document, Snapshot};
use crate::app::theme::{self, Palette};
use crate::app::view::{DrawnAs, DrawsChoice, View};
use crate::app::widgets::{
    DecimalCell, Drafts, Entry, Look, Told, banner_ui, choice_ui, painted_text, segments_ui, text_width,
};
use crate::chart::{Kind, Which};
use crate::engine::Figure;
use crate::scenario::InputRef;
use crate::show::{Cell, Figures};
use crate::words;

use super::compare::placements;
use super::sensitivity::figures;
use super::{evidence_legend_ui, head_ui, kept_chart_ui, title_ui};

pub use self::runs::{Of, Question, Run, Runs};

/// What the page remembers.
#[derive(Default)]
pub struct Memory {
    pub runs: Runs,
    /// The draw that is named to be opened, by its number from 0.
    draw: u64,
    /// The placement that is looked into, by its place; none before one was chosen.
    placement: Option<usize>,
    /// Whether what drives the difference to another placement is shown, and not what drives the figure itself.
    of_difference: bool,
}

/// What is drawn first: by what the placement that costs least is beaten.
pub fn first_choice(snapshot: &Snapshot) -> DrawsChoice {
    let ranked = compare::ranking(&snapshot.evaluation);
    let against = ranked.first().copied().filter(|_| 1 < snapshot.scenario.placements.len());
    DrawsChoice { against, ..DrawsChoice::default() }
}

/// What the view asks of the scenario as it stands.
pub fn question(document: &Document, choice: &DrawsChoice) -> Question {
    let scenario = &document.now().scenario;
    let figure = figures(scenario).into_iter().nth(choice.figure);
    let figure = figure.map_or_else(|| Figure::deciding(scenario.decision_figure), |(figure, _)| figure);
    let against = choice.against.filter(|against| *against < scenario.placements.len());
    let DrawsChoice { draws, seed, .. } = *choice;
    (document.revision(), Asked { figure, against, draws, seed })
}

/// The width from which two columns stand side by side, and that of the right one.
const ROOMY: f32 = 900.0;
const SIDE: f32 = 372.0;

pub struct Page<'a> {
    pub document: &'a Document,
    pub view: &'a View,
    pub question: Question,
}

impl Page<'_> {
    pub fn ui(
        &self,
        ui: &mut Ui,
        (memory, charts, drafts): (&mut Memory, &mut Charts, &mut Drafts),
        commands: &mut Vec<Command>,
    ) {
        ui.spacing_mut().item_spacing.y = 8.0;
        head_ui(ui, "Uncertainty", |ui| {
            let names = DrawnAs::ALL.map(DrawnAs::name);
            let current = DrawnAs::ALL.iter().position(|by| *by == self.view.drawn_as).unwrap_or(0);
            if let Some(chosen) = segments_ui(ui, "Show", &names, current, 24.0) {
                commands.push(Command::DrawnAs(DrawnAs::ALL[chosen]));
            }
        });
        if !self.document.now().inputs.iter().any(|input| input.input.range().is_some()) {
            nothing_to_draw_ui(ui, commands);
            return;
        }
        self.choices_ui(ui, memory, drafts, commands);
        if let Some(reason) = memory.runs.refused(&self.question) {
            banner_ui(ui, "Nothing could be drawn.", reason);
        }
        match memory.runs.seen() {
            Some(run) => self.run_ui(ui, &run, (memory, charts, drafts), commands),
            None => self.not_yet_ui(ui, memory),
        }
    }

    fn choices_ui(&self, ui: &mut Ui, memory: &mut Memory, drafts: &mut Drafts, commands: &mut Vec<Command>) {
        let choice = &self.view.draws;
        let now = self.document.now();
        let mut refused = Vec::new();
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(32.0);
            caption_ui(ui, "Figure");
            let entries: Vec<Entry> = figures(&now.scenario).into_iter().map(|(_, name)| Entry::plain(name)).collect();
            if let Some(figure) = choice_ui(ui, "Figure", &entries, choice.figure, 156.0) {
                commands.push(Command::Draws(DrawsChoice { figure, ..choice.clone() }));
            }
            let results = &now.evaluation.placements;
            if 1 < results.len() {
                caption_ui(ui, "Against");
                let current = choice.against.unwrap_or(usize::MAX);
                if let Some(against) = choice_ui(ui, "Against", &placements(results), current, 156.0) {
                    commands.push(Command::Draws(DrawsChoice { against: Some(against), ..choice.clone() }));
                }
            }
            let cell =
                Counted { figures: self.view.figures, name: "Draws", value: choice.draws, low: 1, high: MOST_DRAWS };
            if let Some(draws) = cell.ui(ui, 84.0, drafts, &mut refused) {
                commands.push(Command::Draws(DrawsChoice { draws, ..choice.clone() }));
            }
            let cell = Counted { figures: self.view.figures, name: "Seed", value: choice.seed, low: 0, high: u64::MAX };
            if let Some(seed) = cell.ui(ui, 84.0, drafts, &mut refused) {
                commands.push(Command::Draws(DrawsChoice { seed, ..choice.clone() }));
            }
            self.state_ui(ui, memory, commands);
        });
        for reason in refused {
            ui.label(RichText::new(reason).font(theme::SMALL).color(Palette::of(ui.visuals()).error));
        }
    }

    /// The button that begins or ends a run, how far it is, or how long it took.
    fn state_ui(&self, ui: &mut Ui, memory: &mut Memory, commands: &mut Vec<Command>) {
        let palette = Palette::of(ui.visuals());
        let small = |text: String| RichText::new(text).font(theme::SMALL).color(palette.text2);
        let count = |count: usize| self.view.figures.count(count);
        let left = memory.runs.left();
        let runs = &memory.runs;
        if let Some((done, all)) = runs.progress() {
            if runs.is_stopping() {
                ui.label(small("Stopping".to_owned()));
            } else if button(ui, "Stop", false).told("The draws made so far are kept").clicked() {
                commands.push(Command::StopDraws);
            }
            let left = left.filter(|_| !runs.is_stopping());
            let left = left.map(|left| format!(", {}", words::draws::left(left.as_secs())));
            let text = format!("{} of {} draws{}", count(done), count(all), left.unwrap_or_default());
            progress_ui(ui, done, all, &text);
            return;
        }
        let current = runs.last().filter(|run| run.question == self.question);
        let name = match (current, runs.last()) {
            (Some(run), _) if run.is_stopped => "Go on",
            (_, Some(_)) => "Run again",
            (_, None) => "Run",
        };
        let pressed = button(ui, name, current.is_none_or(|run| run.is_stopped));
        if pressed.told("Draws every input that states a range, for all placements alike (F9)").clicked() {
            commands.push(Command::RunDraws);
        }
        match current {
            Some(run) => {
                let took = Decimal::from(run.took.as_millis() as u64);
                let seconds = took.checked_div(Decimal::ONE_THOUSAND).unwrap_or_default();
                let draws = self.view.figures.number(Decimal::from(run.made()));
                let text =
                    format!("{draws} draws in {} s, of the scenario on screen", self.view.figures.rounded(seconds, 1));
                ui.label(small(text)).told("A Latin hypercube; every placement sees the same draws, and the same seed gives the same draws again");
            }
            None => {
                ui.label(small("Latin hypercube, the same draws for every placement".to_owned()));
            }
        }
    }

    fn not_yet_ui(&self, ui: &mut Ui, memory: &Memory) {
        ui.add_space(8.0);
        if memory.runs.progress().is_some() {
            ui.label("The first draws are being made.");
            return;
        }
        let now = self.document.now();
        let counts = draws::counts(&now.scenario, &now.inputs);
        ui.label(format!(
            "{} Run draws values for all of them at once, again and again, and says how the figures of each placement are \
             spread, which is the cheapest how often, and what would be worth measuring first.",
            words::counted::stated(&now.scenario, counts, self.view.figures)
        ));
        ui.add_space(4.0);
        held_ui(ui, &now.inputs, self.view.figures);
    }

    fn run_ui(
        &self,
        ui: &mut Ui,
        run: &Run,
        (memory, charts, drafts): (&mut Memory, &mut Charts, &mut Drafts),
        commands: &mut Vec<Command>,
    ) {
        let scenario = &run.of.snapshot.scenario;
        let is_of_now = run.question.0 == self.question.0;
        if !is_of_now {
            banner_ui(ui, "Out of date.", "These draws are of the scenario before the last change. Run them again.");
        }
        if run.is_stopped {
            let part = words::draws::part(&run.answer, true, self.view.figures);
            banner_ui(ui, "Stopped.", &format!("{part}. This is what the draws made so far say."));
        } else if !run.is_whole() {
            let made = self.view.figures.number(Decimal::from(run.made()));
            banner_ui(ui, "So far.", &format!("This is what the first {made} draws say; the others are being made."));
        }
        if is_of_now && run.is_whole() && run.question != self.question {
            banner_ui(ui, "Asked for something else.", "These draws answer the question before. Run them again.");
        }
        // What answers an older scenario looks older.
        if !is_of_now {
            ui.set_opacity(0.4);
        }
        ui.label(
            RichText::new(words::draws::answer(scenario, &run.answer, self.view.figures)).font(theme::semibold(13.0)),
        );
        if let Some(few) = words::draws::carried(&run.answer, self.view.figures) {
            ui.label(few);
        }
        let mark = run.mark(self.question.0, self.view.figures);
        let seen = Seen::of_draws(run, mark.as_deref());
        let shown = Shown { page: self, run, seen };
        ScrollArea::vertical().id_salt("uncertainty").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let width = ui.available_width() - 8.0;
            if ROOMY <= width {
                ui.horizontal_top(|ui| {
                    ui.spacing_mut().item_spacing.x = 24.0;
                    let left = width - SIDE - 24.0;
                    ui.vertical(|ui| {
                        ui.set_width(left);
                        shown.main_ui(ui, left, (memory, charts), commands);
                    });
                    ui.vertical(|ui| {
                        ui.set_width(SIDE);
                        shown.side_ui(ui, SIDE, (memory, charts, drafts), commands);
                    });
                });
            } else {
                shown.main_ui(ui, width, (memory, charts), commands);
                shown.side_ui(ui, width, (memory, charts, drafts), commands);
            }
            ui.add_space(24.0);
        });
    }
}

/// What one run says.
struct Shown<'a> {
    page: &'a Page<'a>,
    run: &'a Run,
    seen: Seen<'a>,
}

impl Shown<'_> {
    fn main_ui(
        &self,
        ui: &mut Ui,
        width: f32,
        (memory, charts): (&mut Memory, &mut Charts),
        commands: &mut Vec<Command>,
    ) {
        let view = self.page.view;
        let which = match view.drawn_as {
            DrawnAs::Below => Which::of_all(Kind::Below),
            DrawnAs::Distribution => Which::of_all(Kind::Distribution),
            DrawnAs::Differences => Which::of_all(Kind::Differences),
            DrawnAs::Drivers => self.drivers_ui(ui, memory),
        };
        self.chart_ui(ui, charts, &which, width, commands);
        tables::figures_ui(ui, (self.run, self.seen.mark), view, commands);
        self.chart_ui(ui, charts, &Which::of_all(Kind::Worth), width, commands);
        ui.horizontal_wrapped(evidence_legend_ui);
    }

    /// The placement that is looked into: the one chosen by hand, and otherwise the one to choose when nothing more is known,
    /// or the one that is cheapest most often.
    fn placement(&self, memory: &Memory) -> usize {
        let answer = &self.run.answer;
        let often = answer.placements.iter().max_by_key(|of| (of.cheapest, std::cmp::Reverse(of.unserved)));
        let chosen = memory.placement.filter(|chosen| *chosen < answer.placements.len());
        chosen.or(answer.chosen).or(often.map(|of| of.placement)).unwrap_or_default()
    }

    /// Of which placement what drives it is shown, and whether of its difference to another.
    fn drivers_ui(&self, ui: &mut Ui, memory: &mut Memory) -> Which {
        let results = &self.run.of.snapshot.evaluation.placements;
        let focus = self.placement(memory);
        let against = self.run.answer.question.against;
        ui.horizontal(|ui| {
            caption_ui(ui, "Placement");
            if let Some(placement) = choice_ui(ui, "Placement", &placements(results), focus, 196.0) {
                memory.placement = Some(placement);
            }
            if let Some(against) = against {
                let difference = format!("Less that of {}", crate::app::icons::letter(against));
                let current = usize::from(memory.of_difference);
                if let Some(chosen) = segments_ui(ui, "What is driven", &["The figure", &difference], current, 24.0) {
                    memory.of_difference = chosen == 1;
                }
            }
        });
        let kind = if memory.of_difference && against.is_some() { Kind::DifferenceDrivers } else { Kind::Drivers };
        Which::of_placement(kind, focus)
    }

    fn side_ui(
        &self,
        ui: &mut Ui,
        width: f32,
        (memory, charts, drafts): (&mut Memory, &mut Charts, &mut Drafts),
        commands: &mut Vec<Command>,
    ) {
        self.chart_ui(ui, charts, &Which::of_all(Kind::Cheapest), width, commands);
        title_ui(ui, "Open a draw", "as a scenario of its own");
        let mut placement = self.placement(memory);
        if tables::examples_ui(ui, (self.run, &mut placement), self.page.view, commands) {
            memory.placement = Some(placement);
        }
        self.named_draw_ui(ui, memory, drafts, commands);
        self.notes_ui(ui);
        held_ui(ui, &self.run.of.snapshot.inputs, self.page.view.figures);
    }

    /// A chart, or the sentence that says why there is none.
    fn chart_ui(&self, ui: &mut Ui, charts: &mut Charts, which: &Which, width: f32, commands: &mut Vec<Command>) {
        let view = self.page.view;
        if let Err(reason) = &*charts.described(which, self.seen, view) {
            title_ui(ui, which.kind.title(), "");
            ui.label(reason);
            return;
        }
        kept_chart_ui(ui, charts, (which, self.seen), view, width, commands);
    }

    /// A draw that is named by its number, counted from 1.
    fn named_draw_ui(&self, ui: &mut Ui, memory: &mut Memory, drafts: &mut Drafts, commands: &mut Vec<Command>) {
        let draws = self.run.answer.question.draws;
        let mut refused = Vec::new();
        ui.horizontal(|ui| {
            let (figures, value) = (self.page.view.figures, memory.draw.min(draws.saturating_sub(1)) + 1);
            let cell = Counted { figures, name: "Draw", value, low: 1, high: draws };
            if let Some(draw) = cell.ui(ui, 84.0, drafts, &mut refused) {
                memory.draw = draw.saturating_sub(1);
            }
            caption_ui(ui, &format!("of {}", figures.number(Decimal::from(draws))));
            if button(ui, "Open draw", false).clicked() {
                commands.push(Command::OpenDraw(memory.draw.min(draws.saturating_sub(1))));
            }
        });
        for reason in refused {
            ui.label(RichText::new(reason).font(theme::SMALL).color(Palette::of(ui.visuals()).error));
        }
    }

    /// What happened to draws that did not go as their distribution says.
    fn notes_ui(&self, ui: &mut Ui) {
        let (answer, palette) = (&self.run.answer, Palette::of(ui.visuals()));
        let count = |count: u64| self.page.view.figures.number(Decimal::from(count));
        let small = |text: String| RichText::new(text).font(theme::SMALL).color(palette.text2);
        if 0 < answer.undecided {
            let text = format!("In {} draws no placement serves as far as is accepted.", count(answer.undecided));
            ui.label(small(text));
        }
        if let Some((draw, refused)) = answer.refused.first() {
            let place = self.run.of.snapshot.scenario.named(&refused.path);
            ui.label(
                small(format!(
                    "{} draws cannot be computed and count nowhere. The first is draw {}: {place}: {}",
                    count(answer.failed),
                    count(draw + 1),
                    refused.message
                ))
                .color(palette.error),
            );
        }
        let bounded: Vec<_> = answer.variables.iter().filter(|of| 0 < of.bounded).collect();
        if bounded.is_empty() {
            return;
        }
        let scenario = &self.run.of.snapshot.scenario;
        let inputs = words::counted::moved(scenario, bounded.len(), self.page.view.figures);
        let heading = format!("Put on a bound: {inputs}");
        egui::CollapsingHeader::new(heading).id_salt("bounded").show(ui, |ui| {
            for of in bounded {
                ui.label(small(format!("{}: {} draws lay beyond its bounds", of.label, count(of.bounded))));
            }
        });
    }
}

/// Inputs that state no range, and so stand still: those that were entered, by name.
fn held_ui(ui: &mut Ui, inputs: &[InputRef], figures: Figures) {
    let held = inputs.iter().filter(|input| input.path != "default_range" && input.input.range().is_none());
    let (entered, defaults): (Vec<&InputRef>, Vec<&InputRef>) = held.partition(|input| input.is_entered());
    if entered.is_empty() && defaults.is_empty() {
        return;
    }
    let palette = Palette::of(ui.visuals());
    let held = words::counted::held(entered.len(), defaults.len(), figures);
    // The line wraps, which the heading of a list does not.
    ui.label(format!("Without a range and held fixed: {held}"));
    if entered.is_empty() {
        return;
    }
    egui::CollapsingHeader::new("Those that were entered").id_salt("held").show(ui, |ui| {
        for input in &entered {
            ui.label(RichText::new(input.full_label()).font(theme::SMALL).color(palette.text2));
        }
    });
}

fn nothing_to_draw_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    ui.label(
        "No input states a range, so that there is nothing to draw. Give those that are not known for certain a low and a \
         high: on the page Evidence, or where they are edited.",
    );
    ui.add_space(4.0);
    if button(ui, "Go to Evidence", true).clicked() {
        commands.push(Command::Show(crate::app::view::Page::Evidence));
    }
}

fn caption_ui(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).font(theme::SMALL).color(Palette::of(ui.visuals()).text2));
}

/// How far a run is: a bar, and the same in words.
fn progress_ui(ui: &mut Ui, done: usize, all: usize, text: &str) {
    const BAR: f32 = 96.0;
    let palette = Palette::of(ui.visuals());
    let width = text_width(ui.painter(), text, &theme::SMALL).ceil();
    let (rect, response) = ui.allocate_exact_size(vec2(BAR + 8.0 + width, 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(egui::accesskit::Role::ProgressIndicator, true, text));
    let bar = egui::Rect::from_min_size(egui::pos2(rect.min.x, rect.center().y - 3.0), vec2(BAR, 6.0));
    #[expect(clippy::cast_precision_loss, reason = "a place on the page")]
    let share = (done as f32 / all.max(1) as f32).min(1.0);
    ui.painter().rect_filled(bar, 2, palette.neutralbg);
    ui.painter().rect_filled(bar.with_max_x(bar.min.x + BAR * share), 2, palette.accent);
    let at = egui::pos2(rect.min.x + BAR + 8.0, rect.center().y);
    painted_text(ui.painter(), at, egui::Align2::LEFT_CENTER, text, &theme::SMALL, palette.text2);
}

/// A field for a whole number within bounds.
struct Counted<'a> {
    figures: crate::show::Figures,
    name: &'a str,
    value: u64,
    low: u64,
    high: u64,
}

impl Counted<'_> {
    /// The number newly typed. What is refused is said to `refused`.
    fn ui(&self, ui: &mut Ui, width: f32, drafts: &mut Drafts, refused: &mut Vec<String>) -> Option<u64> {
        let Self { figures, name, value, low, high } = *self;
        caption_ui(ui, name);
        let (rect, _) = ui.allocate_exact_size(vec2(width, DecimalCell::HEIGHT), Sense::hover());
        let cell = DecimalCell {
            name,
            value: Some(Decimal::from(value)),
            cell: Cell::Plain,
            figures,
            differs: false,
            fixed: false,
            clearable: false,
            look: Look::Field,
        };
        let whole =
            |value: Option<Decimal>| value.filter(|value| value.fract().is_zero()).and_then(|value| value.to_u64());
        let check = |typed: Option<Decimal>| match whole(typed).filter(|typed| low <= *typed && *typed <= high) {
            Some(_) => Ok(()),
            None => {
                let [low, high] = [low, high].map(|end| figures.number(Decimal::from(end)));
                Err(format!("Give a whole number from {low} to {high}."))
            }
        };
        let outcome = cell.show_at(ui, rect, Id::unique(("draws", name)), drafts, &check);
        refused.extend(outcome.refused);
        whole(outcome.committed.flatten())
    }
}
