//! Two files side by side: what differs from the scenario that is open, what each difference moves, and what all come to.
//!
//! The comparison is computed beside the window. Nothing is computed or changed here: a difference that is to be taken
//! over is returned.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use egui::accesskit::Role;
use egui::{Align2, Id, Rect, RichText, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::analysis::diff::{Comparison, Effect, Plan, Sum};
use crate::analysis::figure::figure_label;
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::{Document, Snapshot};
use crate::app::icons;
use crate::app::theme::{self, PARENTHESIS, Palette};
use crate::app::widgets::{Told, banner_ui, elided, growing_width, painted_text};
use crate::app::worker::{Answered, Progress, Worker};
use crate::cli::parallel::in_parallel;
use crate::engine::Figure;
use crate::export::tables;
use crate::quantity::{Currency, Money};
use crate::scenario::Scenario;
use crate::scenario::diff::Kind;
use crate::show::Figures;
use crate::words::difference::{Part, parts};

use super::head_ui;

/// The scenario that the open one is compared with.
#[derive(Clone)]
pub struct Other {
    pub name: String,
    pub path: PathBuf,
    pub snapshot: Arc<Snapshot>,
}

/// What is compared: which state of the open scenario, and which other, each by its number.
pub type Question = (u64, u64);
pub type Differences = Worker<Question, Result<Comparison, String>>;

/// What the page remembers.
pub struct Memory {
    other: Option<Other>,
    /// Counts the scenarios that were opened for comparison.
    opened: u64,
    /// The open scenario as it was compared last. What levers and cases lay over it is not compared.
    mine: Option<Arc<Snapshot>>,
    /// Counts its states.
    state: u64,
    worker: Differences,
}

impl Default for Memory {
    fn default() -> Self {
        Self { other: None, opened: 0, mine: None, state: 0, worker: Differences::idle() }
    }
}

impl Memory {
    /// Compares with this scenario from now on.
    pub fn open(&mut self, other: Other) {
        self.other = Some(other);
        self.opened += 1;
        self.worker.resume();
    }

    pub fn close(&mut self) {
        *self = Self { opened: self.opened, state: self.state, ..Self::default() };
    }

    pub fn other(&self) -> Option<&Other> {
        self.other.as_ref()
    }

    pub fn receive(&mut self) {
        self.worker.receive();
    }

    pub fn stop(&mut self) {
        self.worker.stop();
    }

    pub fn resume(&mut self) {
        self.worker.resume();
    }

    /// The difference at this place of the list, as far as the list belongs to what is open.
    pub fn difference(&self, place: usize, document: &Document) -> Option<&Effect> {
        let is_current = self.mine.as_ref().is_some_and(|mine| Arc::ptr_eq(mine, document.base()));
        let last = self.worker.last().filter(|last| is_current && last.question == (self.state, self.opened))?;
        last.answer.as_ref().ok()?.differences.get(place)
    }

    /// Has the comparison computed beside the window, where that is not done already.
    fn ask(&mut self, document: &Document, ctx: &egui::Context) -> Option<Question> {
        let other = self.other.as_ref()?;
        let (mine, theirs) = (Arc::clone(document.base()), Arc::clone(&other.snapshot));
        if self.mine.as_ref().is_none_or(|known| !Arc::ptr_eq(known, &mine)) {
            self.mine = Some(Arc::clone(&mine));
            self.state += 1;
        }
        let question = (self.state, self.opened);
        let (told, wake) = (ctx.clone(), ctx.clone());
        let work = move |progress: &Progress| compute(&mine.scenario, &theirs.scenario, progress, &told);
        self.worker.ask(&question, work, move || wake.request_repaint());
        Some(question)
    }
}

/// How often the window is woken to show how far a computation is.
const TOLD_EVERY: usize = 16;

fn compute(
    first: &Scenario,
    second: &Scenario,
    progress: &Progress,
    ctx: &egui::Context,
) -> Option<Result<Comparison, String>> {
    let plan = match Plan::new(first, second) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem.to_string())),
    };
    let done = AtomicUsize::new(0);
    let run = |(): &mut (), difference: &_| {
        let before = done.fetch_add(1, Ordering::Relaxed);
        progress.tell(before, plan.differences().len());
        if before.is_multiple_of(TOLD_EVERY) {
            ctx.request_repaint();
        }
        progress.wanted().then(|| plan.effect(difference))
    };
    let effects: Vec<Effect> = in_parallel(plan.differences(), || (), run).into_iter().collect::<Option<_>>()?;
    Some(Ok(plan.collect(effects)))
}

const ROW: f32 = 40.0;
const SUM: f32 = 24.0;
const HEAD: f32 = 24.0;
const SIDE: f32 = 150.0;
const ACTION: f32 = 88.0;
const NAMES: f32 = 260.0;
const GAP: f32 = 8.0;

pub fn differences_ui(
    ui: &mut Ui,
    document: &Document,
    memory: &mut Memory,
    figures: Figures,
    commands: &mut Vec<Command>,
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let question = memory.ask(document, ui.ctx());
    let (Some(other), Some(question)) = (memory.other.clone(), question) else {
        nothing_ui(ui, commands);
        return;
    };
    // What was answered about another file is not shown beneath this one.
    let last = memory.worker.last().filter(|last| last.question.1 == question.1);
    let is_current = last.is_some_and(|last| last.question == question);
    let answered = last.and_then(|last| Some((last, last.answer.as_ref().ok()?)));
    head_ui(ui, "Compare files", |ui| {
        buttons_ui(ui, document, answered.filter(|_| is_current).map(|(_, comparison)| comparison), commands);
    });
    let title = format!("{}, changed to what {} has", document.title(), other.name);
    ui.label(RichText::new(title).color(Palette::of(ui.visuals()).text2)).told(other.path.display().to_string());
    ui.add_space(8.0);
    match last.map(|last| &last.answer) {
        Some(Err(reason)) if is_current => {
            banner_ui(ui, "The two cannot be compared.", reason);
            return;
        }
        _ if !is_current => progress_ui(ui, memory, commands),
        _ => {}
    }
    if let Some((Answered { answer: Ok(comparison), .. }, _)) = answered {
        let table = Table {
            document,
            comparison,
            figures,
            is_current,
            columns: Columns::of(ui, document, comparison, figures),
        };
        table.ui(ui, commands);
    }
}

fn nothing_ui(ui: &mut Ui, commands: &mut Vec<Command>) {
    head_ui(ui, "Compare files", |_| ());
    ui.add_space(8.0);
    ui.label("Nothing is compared yet. Choose a second scenario to see what differs and what each difference moves.");
    ui.add_space(8.0);
    if button(ui, "Compare with file…", true).clicked() {
        commands.push(Command::CompareWith);
    }
}

fn buttons_ui(ui: &mut Ui, document: &Document, comparison: Option<&Comparison>, commands: &mut Vec<Command>) {
    if button(ui, "Other file…", false).clicked() {
        commands.push(Command::CompareWith);
    }
    if button(ui, "Close", false).accessible_name("Close comparison").clicked() {
        commands.push(Command::CloseComparison);
    }
    let Some(comparison) = comparison else { return };
    if button(ui, "Copy", false).accessible_name("Copy differences").clicked() {
        let now = document.base();
        let rows = tables::diff(&now.scenario, comparison, now.evaluation.currency);
        commands
            .push(Command::Copy(tables::tsv(&rows), format!("Copied {} differences", comparison.differences.len())));
    }
    let count = match comparison.differences.len() {
        0 => "Nothing differs".to_owned(),
        1 => "1 difference".to_owned(),
        many => format!("{many} differences"),
    };
    ui.label(RichText::new(count).font(theme::SMALL).color(Palette::of(ui.visuals()).text2));
}

fn progress_ui(ui: &mut Ui, memory: &Memory, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.set_height(28.0);
        if memory.worker.is_stopped() {
            ui.label("Stopped. What stands below, if anything, belongs to an earlier state.");
            if button(ui, "Start again", false).clicked() {
                commands.push(Command::StartComparison);
            }
            return;
        }
        let said = match memory.worker.progress() {
            Some((done, all)) if 0 < all => format!("Evaluating difference {done} of {all}"),
            _ => "Comparing".to_owned(),
        };
        ui.label(said);
        if button(ui, "Stop", false).accessible_name("Stop comparison").clicked() {
            commands.push(Command::StopComparison);
        }
    });
}

/// Where the columns stand, measured from the left of the row.
struct Columns {
    names: f32,
    figure: f32,
    placements: usize,
}

impl Columns {
    fn of(ui: &Ui, document: &Document, comparison: &Comparison, figures: Figures) -> Self {
        let placements = document.base().evaluation.placements.len();
        let digits = document.base().evaluation.currency.minor_digits;
        let moves = comparison.differences.iter().filter_map(|effect| effect.moves.as_ref().ok()).flatten().flatten();
        let sums = comparison.sums();
        let sums = sums.iter().flat_map(|sum| [sum.alone, sum.together, sum.total]).flatten();
        let texts = moves.copied().chain(sums).map(|money| figures.amount(money.minor(), digits));
        let font = theme::semibold(13.0);
        let figure = texts.map(|text| growing_width(ui.painter(), &text, &font)).fold(74.0, f32::max).ceil()
            + 16.0
            + PARENTHESIS;
        let rest = 2.0 * (SIDE + GAP) + placements as f32 * figure + ACTION + GAP;
        let names = (ui.available_width() - 14.0 - rest).max(NAMES);
        Self { names, figure, placements }
    }

    fn width(&self) -> f32 {
        self.names + 2.0 * (SIDE + GAP) + self.placements as f32 * self.figure + ACTION + GAP
    }

    /// Where a side begins: the open scenario, then the other.
    fn side(&self, place: usize) -> f32 {
        self.names + GAP + place as f32 * (SIDE + GAP)
    }

    /// Where the figure of a placement ends.
    fn figure_end(&self, place: usize) -> f32 {
        self.side(2) - GAP + (place + 1) as f32 * self.figure
    }
}

struct Table<'a> {
    document: &'a Document,
    comparison: &'a Comparison,
    figures: Figures,
    is_current: bool,
    columns: Columns,
}

impl Table<'_> {
    fn ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if !self.comparison.same_currency {
            banner_ui(ui, "The currencies differ.", "What a difference moves, and the totals, cannot be told.");
            ui.add_space(8.0);
        }
        if self.comparison.differences.is_empty() && self.is_current {
            ui.label("Both say the same: no input, field or element differs.");
            return;
        }
        // What belongs to an older state looks older.
        if !self.is_current {
            ui.set_opacity(0.5);
        }
        let width = self.columns.width();
        ScrollArea::horizontal().id_salt("differences columns").auto_shrink(false).show(ui, |ui| {
            ui.set_min_width(width);
            self.head_row_ui(ui);
            let height = (ui.available_height() - 4.0 * SUM - 12.0).max(ROW * 2.0);
            let rows = ScrollArea::vertical().id_salt("differences").max_height(height).auto_shrink([false, true]);
            rows.show_rows(ui, ROW, self.comparison.differences.len(), |ui, rows| {
                for (place, effect) in self.comparison.differences.iter().enumerate().skip(rows.start).take(rows.len())
                {
                    self.row_ui(ui, place, effect, commands);
                }
            });
            self.sums_ui(ui);
        });
    }

    fn row_rect(&self, ui: &mut Ui, height: f32) -> Rect {
        ui.allocate_exact_size(vec2(self.columns.width(), height), Sense::hover()).0
    }

    fn head_row_ui(&self, ui: &mut Ui) {
        let rect = self.row_rect(ui, HEAD);
        let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
        let y = rect.center().y;
        let heading = |x: f32, text: &str| {
            painted_text(painter, pos2(rect.min.x + x, y), Align2::LEFT_CENTER, text, &theme::SMALL, palette.text2);
        };
        let figure = figure_label(&self.document.base().scenario, &Figure::deciding(self.comparison.decision_figure));
        heading(4.0, &format!("What differs, and what it moves alone: {}", figure.to_lowercase()));
        heading(self.columns.side(0), "In this scenario");
        heading(self.columns.side(1), "In the other");
        for place in 0..self.columns.placements {
            let x = rect.min.x + self.columns.figure_end(place) - 8.0 - PARENTHESIS;
            icons::badge(painter, pos2(x - 8.0, y), place, 16.0, palette);
        }
        painter.hline(rect.x_range(), rect.max.y - 0.5, egui::Stroke::new(1.0, palette.line2));
    }

    fn row_ui(&self, ui: &mut Ui, place: usize, effect: &Effect, commands: &mut Vec<Command>) {
        let rect = self.row_rect(ui, ROW);
        let palette = Palette::of(ui.visuals());
        ui.painter().hline(rect.x_range(), rect.max.y - 0.5, egui::Stroke::new(1.0, palette.line));
        let difference = &effect.difference;
        let exact = |number: crate::quantity::Exact| self.figures.number(number.decimal());
        let all = parts(&difference.read, &exact);
        let (first, rest) = match all.split_first() {
            Some((first, rest)) if first.name.is_empty() => (Some(first), rest),
            _ => (None, all.as_slice()),
        };
        let note = note(difference.kind, first, rest);
        self.name_ui(ui, rect, &difference.label, &note, &difference.path);
        let side = |of: fn(&Part) -> &String| first.map_or_else(|| "as here".to_owned(), |part| of(part).clone());
        let (mine, theirs) = match first {
            Some(_) => (side(|part| &part.before), side(|part| &part.after)),
            None => (String::new(), String::new()),
        };
        self.side_ui(ui, rect, 0, &difference.label, &mine);
        self.side_ui(ui, rect, 1, &difference.label, &theirs);
        match &effect.moves {
            Ok(moves) => self.moves_ui(ui, rect, &difference.label, moves),
            Err(problem) => self.refused_ui(ui, rect, &difference.label, &problem.message),
        }
        let can = self.is_current && effect.moves.is_ok();
        let at = Rect::from_min_size(pos2(rect.max.x - ACTION, rect.center().y - 12.0), vec2(ACTION - 8.0, 24.0));
        let take = ui.scope_builder(egui::UiBuilder::new().max_rect(at).id_salt(place), |ui| {
            ui.add_enabled_ui(can, |ui| button(ui, "Take over", false)).inner
        });
        let take = take.inner.accessible_name(format!("Take over {}", difference.label));
        if take.told("Changes this scenario, as one step that can be undone").clicked() {
            commands.push(Command::TakeOver(place));
        }
    }

    fn name_ui(&self, ui: &Ui, rect: Rect, name: &str, note: &str, path: &str) {
        let palette = Palette::of(ui.visuals());
        let field = Rect::from_min_size(rect.min, vec2(self.columns.names, ROW));
        let response = ui.interact(field, ui.scope_id().with(("name", path, name)), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}, {note}")));
        let painter = ui.painter().with_clip_rect(field.intersect(ui.clip_rect()));
        let shown = elided(&painter, name, &theme::BODY, field.width() - 8.0);
        let line = |y: f32, text: &str, font: &egui::FontId, ink| {
            painted_text(&painter, pos2(rect.min.x + 4.0, y), Align2::LEFT_CENTER, text, font, ink);
        };
        let quiet = elided(&painter, note, &theme::SMALL, field.width() - 8.0);
        line(rect.min.y + 12.0, &shown, &theme::BODY, palette.text);
        line(rect.min.y + 28.0, &quiet, &theme::SMALL, palette.text2);
        response.told(format!("{name}\n{note}\n{path}"));
    }

    fn side_ui(&self, ui: &Ui, rect: Rect, place: usize, name: &str, text: &str) {
        let palette = Palette::of(ui.visuals());
        let field = Rect::from_min_size(pos2(rect.min.x + self.columns.side(place), rect.min.y), vec2(SIDE, ROW));
        let column = if place == 0 { "in this scenario" } else { "in the other" };
        let response = cell(ui, field, &format!("{name}, {column}"), text);
        let shown = elided(ui.painter(), text, &theme::BODY, SIDE);
        let at = pos2(field.min.x, rect.min.y + 12.0);
        painted_text(ui.painter(), at, Align2::LEFT_CENTER, &shown, &theme::BODY, palette.text);
        if shown != text {
            response.told(text);
        }
    }

    fn moves_ui(&self, ui: &Ui, rect: Rect, name: &str, moves: &[Option<Money>]) {
        let mut moves: Vec<Option<Option<Money>>> = moves.iter().map(|moved| Some(*moved)).collect();
        moves.resize(self.columns.placements, None);
        for (place, moved) in moves.into_iter().enumerate() {
            let text = match moved.flatten() {
                Some(moved) => self.money(moved),
                None => "gone".to_owned(),
            };
            self.figure_ui(ui, (rect.min.y + 12.0, rect), place, (&format!("{name}, moves"), &text), false);
        }
    }

    fn refused_ui(&self, ui: &Ui, rect: Rect, name: &str, reason: &str) {
        let palette = Palette::of(ui.visuals());
        let left = rect.min.x + self.columns.side(2);
        let field = Rect::from_min_max(pos2(left, rect.min.y), pos2(rect.max.x - ACTION - GAP, rect.max.y));
        let response = cell(ui, field, &format!("{name}, moves"), reason);
        let shown = elided(ui.painter(), "not alone", &theme::SMALL, field.width());
        let at = pos2(field.max.x - 8.0, rect.min.y + 12.0);
        painted_text(ui.painter(), at, Align2::RIGHT_CENTER, &shown, &theme::SMALL, palette.text2);
        response.told(reason);
    }

    fn money(&self, money: Money) -> String {
        let Currency { minor_digits, .. } = self.document.base().evaluation.currency;
        self.figures.amount(money.minor(), minor_digits)
    }

    fn figure_ui(
        &self,
        ui: &Ui,
        (y, rect): (f32, Rect),
        place: usize,
        (name, text): (&str, &str),
        heavy: bool,
    ) -> egui::Response {
        let palette = Palette::of(ui.visuals());
        let end = rect.min.x + self.columns.figure_end(place);
        let field = Rect::from_min_max(pos2(end - self.columns.figure, rect.min.y), pos2(end, rect.max.y));
        let response = cell(ui, field, &format!("{name} {}", icons::letter(place)), text);
        let font = if heavy { theme::semibold(13.0) } else { theme::BODY };
        let inset = if text.ends_with(')') { 8.0 } else { 8.0 + PARENTHESIS };
        painted_text(ui.painter(), pos2(end - inset, y), Align2::RIGHT_CENTER, text, &font, palette.text);
        response
    }

    /// What all come to: alone, together beyond that, and in all.
    fn sums_ui(&self, ui: &mut Ui) {
        let sums = self.comparison.sums();
        type SumLine = (&'static str, &'static str, fn(&Sum) -> Option<Money>);
        let lines: [SumLine; 3] = [
            ("Sum of what each moves alone", "", |sum| sum.alone),
            (
                "What they do together beyond that",
                "Differences that work on each other, such as a price and the quantity it is paid for",
                |sum| sum.together,
            ),
            ("The other less this scenario", "", |sum| sum.total),
        ];
        for (i, (name, why, of)) in lines.into_iter().enumerate() {
            let rect = self.row_rect(ui, SUM);
            let palette = Palette::of(ui.visuals());
            let heavy = i == 2;
            if i == 0 || heavy {
                ui.painter().hline(rect.x_range(), rect.min.y + 0.5, egui::Stroke::new(1.0, palette.line2));
            }
            let font = if heavy { theme::semibold(13.0) } else { theme::BODY };
            let ink = if heavy { palette.text } else { palette.text2 };
            let at = pos2(rect.min.x + 4.0, rect.center().y);
            painted_text(ui.painter(), at, Align2::LEFT_CENTER, name, &font, ink);
            let field = Rect::from_min_size(rect.min, vec2(self.columns.names, SUM));
            let response = ui.interact(field, ui.scope_id().with(name), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, name));
            if !why.is_empty() {
                response.told(why);
            }
            for (place, sum) in sums.iter().enumerate() {
                let text = of(sum).map_or_else(|| "–".to_owned(), |money| self.money(money));
                let shown = self.figure_ui(ui, (rect.center().y, rect), place, (name, &text), heavy);
                if of(sum).is_none() {
                    shown.told("No sum: the placement is not in both, or a difference taken over alone takes it away");
                }
            }
        }
    }
}

/// What is said beneath a name: how it differs, and what beside the value does.
fn note(kind: Kind, first: Option<&Part>, rest: &[Part]) -> String {
    let how = match kind {
        Kind::Changed => None,
        Kind::Added => Some("only in the other".to_owned()),
        Kind::Removed => Some("only in this scenario".to_owned()),
        Kind::Reordered => Some("in another order".to_owned()),
    };
    let unit = first.map(|part| part.unit.clone()).filter(|unit| !unit.is_empty());
    let parts = how.into_iter().chain(unit).chain(rest.iter().map(Part::line));
    parts.collect::<Vec<_>>().join("; ")
}

fn cell(ui: &Ui, field: Rect, name: &str, text: &str) -> egui::Response {
    let response = ui.interact(field, Id::unique(("difference", name)), Sense::hover());
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Cell, true, name);
        info.current_text_value = Some(text.to_owned());
        info
    });
    response
}
