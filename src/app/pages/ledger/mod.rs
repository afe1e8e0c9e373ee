//! Ledger: every posting of a placement, or of all of them, filtered, grouped and crossed.
//!
//! It asks the analysis for rows and sums when the question or the scenario has changed, and draws what was answered. It
//! adds nothing up.

mod groups;
mod listing;
mod pivoted;

use std::collections::BTreeSet;
use std::sync::Arc;

use egui::{Align, Event, Layout, RichText, Ui, vec2};

use super::{head_ui, tool_ui};
use crate::analysis::explain::{Measure, Selection};
use crate::analysis::postings::{Book, Dimension, Filter, Grouped, Order, Pivot, Sum};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Snapshot;
use crate::app::explain::Target;
use crate::app::icons::Icon;
use crate::app::theme::{self, Palette};
use crate::app::view::View;
use crate::app::widgets::{Entry, Picked, Ticked, Told, choice_ui, choices_ui, search_ui, segments_ui};
use crate::engine::PlacementResult;
use crate::export::tables;
use crate::show::Figures;

/// In what form postings are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Mode {
    #[default]
    Postings,
    Grouped,
    Pivot,
}

impl Mode {
    const ALL: [Self; 3] = [Self::Postings, Self::Grouped, Self::Pivot];

    const fn name(self) -> &'static str {
        match self {
            Self::Postings => "Postings",
            Self::Grouped => "Grouped",
            Self::Pivot => "Pivot",
        }
    }
}

/// How the ledger is looked at, and the answer to that.
#[derive(Default)]
pub struct LedgerView {
    asked: Question,
    /// Groups that are closed, by the names of their values from the outside in.
    folded: BTreeSet<Vec<String>>,
    /// Whether the search field is to take the keyboard.
    pub find: bool,
    picked: Picked,
    /// What is selected comes to this, as of a revision of the selection.
    selected: Option<(u64, Sum)>,
    /// The row or cell that the keyboard is at in a view other than the postings.
    cursor: (usize, usize),
    /// The row to bring into sight.
    go_to: Option<usize>,
    book: Option<(Arc<Snapshot>, Book)>,
    answer: Option<(Question, Answer)>,
    /// The posting that the keyboard is at, to be explained.
    pub figure: Option<Target>,
}

/// Everything that the rows on the page depend on, besides the scenario.
#[derive(Clone, PartialEq, Debug)]
struct Question {
    filter: Filter,
    /// Whether the postings of every placement are shown, instead of those of the one in focus.
    every: bool,
    mode: Mode,
    measure: Measure,
    by: Vec<Dimension>,
    down: Vec<Dimension>,
    across: Dimension,
    order: Option<Order>,
    figures: Figures,
}

impl Default for Question {
    fn default() -> Self {
        Self {
            filter: Filter::default(),
            every: false,
            mode: Mode::default(),
            measure: Measure::default(),
            by: vec![Dimension::Environment, Dimension::Category],
            down: vec![Dimension::Category],
            across: Dimension::FiscalYear,
            order: None,
            figures: Figures::default(),
        }
    }
}

/// What is shown, computed once for a question.
struct Answer {
    /// The postings that pass the filter, in order.
    rows: Vec<u32>,
    sum: Sum,
    /// So many postings there are without the filter.
    all: usize,
    grouped: Grouped,
    pivot: Option<Pivot>,
    /// Measured once a question, so that columns stand still while rows pass.
    widths: Option<Vec<f32>>,
}

impl LedgerView {
    /// Has these postings listed. Returns the placement where the filter names one alone: the page then follows the
    /// placement in focus, and shows those of all placements otherwise.
    pub fn show(&mut self, mut filter: Filter, placements: &[PlacementResult]) -> Option<usize> {
        let only = match filter.values(Dimension::Placement) {
            [only] => placements.iter().position(|placement| placement.id == *only),
            _ => None,
        };
        self.asked.every = only.is_none();
        if only.is_some() {
            filter.clear(Dimension::Placement);
        }
        self.asked.filter = filter;
        self.asked.mode = Mode::Postings;
        self.asked.order = None;
        self.picked.clear();
        self.go_to = Some(0);
        only
    }

    /// Makes the answer fit the scenario and the question, and says whether either had changed.
    fn ask(&mut self, snapshot: &Arc<Snapshot>, focus: usize, figures: Figures) -> bool {
        let is_current = self.book.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, snapshot));
        if !is_current {
            let book = Book::new(&snapshot.scenario, &snapshot.evaluation);
            self.asked.filter.keep_known(&book);
            self.book = Some((Arc::clone(snapshot), book));
            self.answer = None;
            self.picked.clear();
        }
        let Some((_, book)) = &self.book else { return false };
        let mut filter = self.asked.filter.clone();
        if !self.asked.every {
            filter = filter.only(Dimension::Placement, book.choice(Dimension::Placement, focus));
        }
        let question = Question { filter, figures, ..self.asked.clone() };
        if self.answer.as_ref().is_some_and(|(asked, _)| *asked == question) {
            return false;
        }
        let answer = Answer::new(book, &question);
        if self.answer.as_ref().is_some_and(|(_, known)| known.rows != answer.rows) {
            self.picked.clear();
        }
        self.answer = Some((question, answer));
        true
    }

    fn copied(&self, currency: crate::quantity::Currency) -> Option<(String, String)> {
        let ((_, book), (question, answer)) = (self.book.as_ref()?, self.answer.as_ref()?);
        let count = |n: usize| format!("{} posting{}", question.figures.count(n), if n == 1 { "" } else { "s" });
        let (table, said) = match (self.asked.mode, &answer.pivot) {
            (Mode::Grouped, _) => (
                tables::grouped(book, &answer.grouped, currency),
                format!("Copied the groups of {}", count(answer.rows.len())),
            ),
            (Mode::Pivot, Some(pivot)) => (
                tables::pivot(book, pivot, self.asked.measure, currency),
                format!("Copied the pivot of {}", count(answer.rows.len())),
            ),
            _ => {
                let picked: Vec<u32> = self.picked.rows(&answer.rows).collect();
                let rows = if picked.is_empty() { &answer.rows } else { &picked };
                (tables::postings(book, rows, currency), format!("Copied {}", count(rows.len())))
            }
        };
        Some((tables::tsv(&table), said))
    }
}

impl Answer {
    fn new(book: &Book, question: &Question) -> Self {
        // What a filter no longer knows was taken out of it when the scenario changed.
        let mut rows = book.matching(&question.filter).unwrap_or_default();
        let mut unfiltered = Filter::default();
        for value in question.filter.values(Dimension::Placement) {
            unfiltered = unfiltered.or(Dimension::Placement, value);
        }
        let all = book.matching(&unfiltered).map_or(0, |rows| rows.len());
        if let Some(order) = question.order {
            book.sort(&mut rows, order);
        }
        let is_grouped = question.mode == Mode::Grouped;
        let grouped = book.grouped(&rows, if is_grouped { &question.by } else { &[] });
        let pivot = (question.mode == Mode::Pivot).then(|| book.pivot(&rows, &question.down, question.across));
        Self { sum: grouped.sum, rows, all, grouped, pivot, widths: None }
    }
}

pub struct Page<'a> {
    pub snapshot: &'a Arc<Snapshot>,
    pub view: &'a View,
    /// Whether keys mean this page, and not a dialog before it.
    pub has_keys: bool,
}

impl Page<'_> {
    pub fn ui(&self, ui: &mut Ui, ledger: &mut LedgerView, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 8.0;
        ledger.ask(self.snapshot, self.view.focus, self.view.figures);
        head_ui(ui, "Ledger", |ui| self.head_ui(ui, ledger, commands));
        self.filters_ui(ui, ledger);
        if ledger.asked.mode != Mode::Postings {
            self.shape_ui(ui, ledger);
        }
        // Choices made above hold in this very frame; what stands above them follows in the next.
        if ledger.ask(self.snapshot, self.view.focus, self.view.figures) {
            ui.request_repaint();
        }
        self.keys(ui, ledger, commands);
        let is_empty = ledger.answer.as_ref().is_none_or(|(_, answer)| answer.rows.is_empty());
        if is_empty {
            self.empty_ui(ui, ledger);
            return;
        }
        match ledger.asked.mode {
            Mode::Postings => listing::ui(ui, self, ledger, commands),
            Mode::Grouped => groups::ui(ui, self, ledger, commands),
            Mode::Pivot => pivoted::ui(ui, self, ledger, commands),
        }
    }

    /// The filter of the postings that have these values as well.
    fn narrowed(&self, filter: &Filter, every: bool, book: &Book, by: &[Dimension], keys: &[usize]) -> Filter {
        let mut filter = filter.clone();
        for (dimension, key) in by.iter().zip(keys) {
            filter = filter.only(*dimension, book.choice(*dimension, *key));
        }
        match self.snapshot.evaluation.placements.get(self.view.focus) {
            Some(focus) if !every => filter.only(Dimension::Placement, &focus.id),
            _ => filter,
        }
    }

    /// The amount of one posting, as a figure that can be explained.
    fn target(&self, book: &Book, row: u32) -> Option<Target> {
        let entry = book.entry(row);
        let ledger = &self.snapshot.evaluation.placements.get(entry.placement)?.ledger;
        let posting = ledger.postings.get(entry.posting)?;
        let selection = Selection {
            place: Some(posting.line as usize),
            month: Some(posting.month),
            behaviour: Some(posting.behaviour),
            posting: Some(entry.posting),
            ..Selection::default()
        };
        Some(Target::postings(entry.placement, selection, Measure::Total))
    }

    fn digits(&self) -> u32 {
        self.snapshot.evaluation.currency.minor_digits
    }

    fn figures(&self) -> Figures {
        self.view.figures
    }

    fn head_ui(&self, ui: &mut Ui, ledger: &mut LedgerView, commands: &mut Vec<Command>) {
        let results = &self.snapshot.evaluation.placements;
        let mut entries = super::compare::placements(results);
        entries.push(Entry::plain("All placements"));
        let current = if ledger.asked.every { results.len() } else { self.view.focus };
        if let Some(chosen) = choice_ui(ui, "Placement", &entries, current, 232.0) {
            ledger.asked.every = chosen == results.len();
            ledger.asked.filter.clear(Dimension::Placement);
            if !ledger.asked.every {
                commands.push(Command::Focus(chosen));
            }
        }
        let modes = Mode::ALL.map(Mode::name);
        let mode = Mode::ALL.iter().position(|mode| *mode == ledger.asked.mode).unwrap_or(0);
        if let Some(chosen) = segments_ui(ui, "Show as", &modes, mode, 24.0) {
            ledger.asked.mode = Mode::ALL[chosen];
            ledger.cursor = (0, 0);
            ledger.go_to = Some(0);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if tool_ui(ui, Icon::Copy, "Copy")
                .told("Copies what is shown, or the selected rows, for a spreadsheet (Ctrl+C)")
                .clicked()
                && let Some((text, said)) = ledger.copied(self.snapshot.evaluation.currency)
            {
                commands.push(Command::Copy(text, said));
            }
            if let Some((_, answer)) = &ledger.answer {
                let figures = self.figures();
                let (found, all) = (figures.count(answer.rows.len()), figures.count(answer.all));
                let text = if answer.rows.len() == answer.all {
                    format!("{all} postings, {}{}", self.snapshot.evaluation.currency.code, figures.scale.word())
                } else {
                    format!(
                        "{found} of {all} postings, {}{}",
                        self.snapshot.evaluation.currency.code,
                        figures.scale.word()
                    )
                };
                let palette = Palette::of(ui.visuals());
                ui.label(RichText::new(text).font(theme::SMALL).color(palette.text2));
            }
        });
    }

    /// One field for each dimension that has something to choose, and one for words.
    fn filters_ui(&self, ui: &mut Ui, ledger: &mut LedgerView) {
        let LedgerView { asked: Question { filter, every, .. }, book, find, .. } = ledger;
        let Some((_, book)) = book else { return };
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
            search_ui(ui, "Find a line", 150.0, &mut filter.search, find);
            for &dimension in Dimension::ALL {
                if dimension != Dimension::Placement || *every {
                    dimension_ui(ui, book, dimension, filter);
                }
            }
            if !filter.is_empty() && button(ui, "Clear", false).clicked() {
                *filter = Filter::default();
            }
        });
    }

    /// What is grouped or crossed by what.
    fn shape_ui(&self, ui: &mut Ui, ledger: &mut LedgerView) {
        let caption = |ui: &mut Ui, text: &str| {
            let palette = Palette::of(ui.visuals());
            ui.label(RichText::new(text).font(theme::SMALL).color(palette.text2));
        };
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            if ledger.asked.mode == Mode::Grouped {
                caption(ui, "Group by");
                nested_ui(ui, ["Group by", "Then by", "And then by"], &mut ledger.asked.by, None);
                ui.add_space(10.0);
                caption(ui, &format!("Press a number of postings to see them.{}", over(ledger.asked.every)));
            } else {
                caption(ui, "Down");
                nested_ui(
                    ui,
                    ["Down", "Down, then", "Down, and then"],
                    &mut ledger.asked.down,
                    Some(ledger.asked.across),
                );
                ui.add_space(10.0);
                caption(ui, "Across");
                let free: Vec<Dimension> =
                    Dimension::ALL.iter().copied().filter(|one| !ledger.asked.down.contains(one)).collect();
                let entries: Vec<Entry> = free.iter().map(|one| Entry::plain(one.label())).collect();
                let current = free.iter().position(|one| *one == ledger.asked.across).unwrap_or(0);
                if let Some(chosen) = choice_ui(ui, "Across", &entries, current, 136.0) {
                    ledger.asked.across = free[chosen];
                }
                ui.add_space(10.0);
                let labels = Measure::ALL.map(Measure::heading);
                let current = Measure::ALL.iter().position(|one| *one == ledger.asked.measure).unwrap_or(0);
                if let Some(chosen) = segments_ui(ui, "Measure", &labels, current, 24.0) {
                    ledger.asked.measure = Measure::ALL[chosen];
                }
                ui.add_space(10.0);
                caption(ui, &format!("Press a figure to see its postings.{}", over(ledger.asked.every)));
            }
        });
    }

    /// Copying, wherever the keyboard is on the page.
    fn keys(&self, ui: &Ui, ledger: &LedgerView, commands: &mut Vec<Command>) {
        let is_asked =
            self.has_keys && !ui.ctx().text_edit_focused() && ui.input(|input| input.events.contains(&Event::Copy));
        if is_asked && let Some((text, said)) = ledger.copied(self.snapshot.evaluation.currency) {
            commands.push(Command::Copy(text, said));
        }
    }

    fn empty_ui(&self, ui: &mut Ui, ledger: &mut LedgerView) {
        ui.add_space(24.0);
        if ledger.asked.filter.is_empty() {
            ui.label("This placement has no postings. Its environments need a supply or cost lines.");
        } else {
            ui.label("No posting has all of this. Take a condition away, or clear the filter to see every posting.");
            if button(ui, "Clear the filter", true).clicked() {
                ledger.asked.filter = Filter::default();
            }
        }
    }
}

/// Alternatives do not add up to anything that is ever paid, which is said where they are added up.
const fn over(every: bool) -> &'static str {
    if every { " Totals are over all placements shown." } else { "" }
}

fn dimension_ui(ui: &mut Ui, book: &Book, dimension: Dimension, filter: &mut Filter) {
    let values = book.values(dimension);
    let mut chosen = vec![false; values.len()];
    for text in filter.values(dimension) {
        book.keys(dimension, text).into_iter().for_each(|key| chosen[key] = true);
    }
    let labels: Vec<&str> = values.iter().map(|value| value.label.as_str()).collect();
    match choices_ui(ui, dimension.label(), &labels, &chosen) {
        None => {}
        Some(Ticked::All) => filter.clear(dimension),
        Some(Ticked::One(ticked)) => {
            chosen[ticked] = !chosen[ticked];
            // Every value is written anew as the text that means it alone.
            filter.clear(dimension);
            let keys = chosen.iter().enumerate().filter(|(_, is_chosen)| **is_chosen).map(|(key, _)| key);
            *filter =
                keys.fold(std::mem::take(filter), |filter, key| filter.or(dimension, book.choice(dimension, key)));
        }
    }
}

/// One to three dimensions, one inside the other. The first is always there.
fn nested_ui(ui: &mut Ui, names: [&str; 3], chosen: &mut Vec<Dimension>, taken: Option<Dimension>) {
    for (depth, name) in names.into_iter().enumerate() {
        if chosen.len() < depth {
            return;
        }
        let is_free = |one: &Dimension| {
            Some(*one) != taken && !chosen.iter().enumerate().any(|(at, known)| at != depth && known == one)
        };
        let free: Vec<Dimension> = Dimension::ALL.iter().copied().filter(is_free).collect();
        let mut entries: Vec<Entry> = free.iter().map(|one| Entry::plain(one.label())).collect();
        if depth > 0 {
            entries.insert(0, Entry::plain("–"));
        }
        let none = usize::from(depth > 0);
        let current =
            chosen.get(depth).and_then(|one| free.iter().position(|known| known == one)).map_or(0, |at| at + none);
        let Some(picked) = choice_ui(ui, name, &entries, current, 136.0) else { continue };
        match picked.checked_sub(none) {
            None => chosen.truncate(depth),
            Some(at) if depth < chosen.len() => chosen[depth] = free[at],
            Some(at) => chosen.push(free[at]),
        }
    }
}
