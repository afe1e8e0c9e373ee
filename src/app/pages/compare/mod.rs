//! Compare: the placements side by side, in several views, each a table with its charts beside it.
//!
//! It lays out what the analysis compares; it adds nothing up.

mod rows;

use std::rc::Rc;

use egui::{Event, RichText, ScrollArea, Ui};

use self::rows::{Amount, Entry as Figure, Line, less};
use crate::analysis::compare::{self, Crossed, Relative};
use crate::app::charts::{Charts, Seen};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Snapshot;
use crate::app::explain::Target;
use crate::app::icons;
use crate::app::theme::{self, Palette};
use crate::app::view::{CompareBy, ComparedAs, View};
use crate::app::widgets::{
    Align, Asked, Column, Entry, Row, RowKind, TableCell, banner_ui, choice_ui, fit, growing_width, segments_ui,
    table_ui,
};
use crate::chart::{Kind, Which};
use crate::engine::PlacementResult;
use crate::export::tables::tsv;
use crate::quantity::{Money, Num};
use crate::show;

use super::head_ui;

const NAMES: f32 = 172.0;
const GAP: f32 = 24.0;
/// The least room in which the charts stand beside the table.
const BESIDE: f32 = 236.0;
/// The room for the charts that differences to every placement must leave.
const CHARTS: f32 = 300.0;
/// Charts wider than this are no easier to read.
const CHART: f32 = 720.0;
/// The room in which everything about the table stands on one line with the title.
const ONE_LINE: f32 = 1180.0;
const RELATIVE: f32 = 58.0;

/// What postings come to in the views that cross them: computed when a view is first looked at.
#[derive(Default)]
pub struct Memory {
    revision: Option<u64>,
    crossed: Vec<(CompareBy, Rc<Vec<Crossed>>)>,
}

impl Memory {
    fn crossed(&mut self, snapshot: &Snapshot, revision: u64, by: CompareBy) -> Rc<Vec<Crossed>> {
        if self.revision != Some(revision) {
            *self = Self { revision: Some(revision), crossed: Vec::new() };
        }
        if let Some((_, known)) = self.crossed.iter().find(|(known, _)| *known == by) {
            return Rc::clone(known);
        }
        let crossed = Rc::new(rows::cross(snapshot, by));
        self.crossed.push((by, Rc::clone(&crossed)));
        crossed
    }

    /// Forgets what belonged to another scenario.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// The page on a scenario.
pub struct Page<'a> {
    pub seen: Seen<'a>,
    /// The figure that is explained beside the page.
    pub explained: Option<&'a Target>,
    /// Whether the keyboard belongs to the page, and not to a dialog.
    pub has_keys: bool,
}

impl Page<'_> {
    pub fn ui(
        &self,
        ui: &mut Ui,
        view: &mut View,
        (memory, charts): (&mut Memory, &mut Charts),
        commands: &mut Vec<Command>,
    ) {
        let crossed = memory.crossed(self.seen.snapshot, self.seen.revision, view.compare_by);
        let mut asked = Asked::default();
        let page = Shown { page: self, view, lines: rows::lines(self.seen.snapshot, view.compare_by, &crossed) };
        page.whole_ui(ui, charts, &mut asked, commands);
        view.figure = asked.focused;
        commands.extend(asked.pressed.map(Command::Explain));
        commands.extend(asked.folded.map(Command::Fold));
    }
}

/// What a column after the names shows, and of which placement.
#[derive(Clone, Copy)]
enum Shows {
    Amount(usize),
    Difference(usize),
    Relative(usize),
}

fn column(heading: String, width: f32, align: Align) -> Column {
    Column { heading, badge: None, width, align, focused: false, ruled: false }
}

/// The page as it is looked at.
struct Shown<'a> {
    page: &'a Page<'a>,
    view: &'a View,
    lines: Vec<Line>,
}

impl Shown<'_> {
    fn results(&self) -> &[PlacementResult] {
        &self.page.seen.snapshot.evaluation.placements
    }

    fn digits(&self) -> u32 {
        self.page.seen.snapshot.evaluation.currency.minor_digits
    }

    fn whole_ui(&self, ui: &mut Ui, charts: &mut Charts, asked: &mut Asked, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 8.0;
        self.controls_ui(ui, commands);
        self.boundaries_ui(ui);
        if self.page.seen.snapshot.evaluation.cheapest.is_none() {
            banner_ui(ui, crate::words::NONE_CHEAPEST.0, crate::words::NONE_CHEAPEST.1);
        }
        if self.lines.is_empty() {
            ui.label("No class has a useful output. Give one a unit of output to see what a unit costs.");
            return;
        }
        // The totals stand at the bottom edge, where what is scrolled would fade.
        ui.spacing_mut().scroll.fade.strength = 0.0;
        ScrollArea::both().id_salt(("compare", self.view.compare_by)).auto_shrink(false).show(ui, |ui| {
            self.body_ui(ui, charts, asked, commands);
            ui.add_space(16.0);
        });
    }

    fn body_ui(&self, ui: &mut Ui, charts: &mut Charts, asked: &mut Asked, commands: &mut Vec<Command>) {
        let width = ui.available_width();
        let figure = self.widest(ui, 78.0) + 12.0;
        let shown = self.shown(figure, width);
        let mut columns = self.columns(&shown, figure);
        let rows = self.rows(ui, &shown);
        self.keys(ui, (&columns, &shown), commands);
        fit(ui, &mut columns, &rows);
        let table: f32 = columns.iter().map(|column| column.width).sum();
        let beside = width - table - GAP;
        if beside < BESIDE {
            spread(&mut columns, width - table);
            self.table_ui(ui, (&columns, &rows, &shown), asked, commands);
            ui.add_space(8.0);
            self.charts_below_ui(ui, charts, width - 8.0, commands);
            return;
        }
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            ui.vertical(|ui| self.table_ui(ui, (&columns, &rows, &shown), asked, commands));
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing.y = 12.0;
                for which in self.charts() {
                    self.chart_ui(ui, charts, &which, (beside - 8.0).min(CHART), commands);
                }
            });
        });
    }

    /// Charts under the table: two side by side where each has room.
    fn charts_below_ui(&self, ui: &mut Ui, charts: &mut Charts, width: f32, commands: &mut Vec<Command>) {
        let pairs = if width >= 2.0 * 360.0 + GAP { 2 } else { 1 };
        #[expect(clippy::cast_precision_loss, reason = "one or two")]
        let each = ((width - GAP * (pairs - 1) as f32) / pairs as f32).min(CHART);
        for row in self.charts().chunks(pairs) {
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                for which in row {
                    self.chart_ui(ui, charts, which, each, commands);
                }
            });
            ui.add_space(8.0);
        }
    }

    fn table_ui(
        &self,
        ui: &mut Ui,
        (columns, rows, shown): (&[Column], &[Row], &[Shows]),
        asked: &mut Asked,
        commands: &mut Vec<Command>,
    ) {
        let (_, of_table) = table_ui(ui, self.title(), columns, rows, self.page.explained);
        *asked = of_table;
        if button(ui, "Copy table", false).clicked() {
            commands.push(self.copied(columns, shown));
        }
    }

    const fn title(&self) -> &'static str {
        match self.view.compare_by {
            CompareBy::Category => "Cost by category",
            CompareBy::Year => "Cost by fiscal year",
            CompareBy::Behaviour => "Fixed and usage-driven cost",
            CompareBy::Boundary => "Provider and retained cost",
            CompareBy::Output => "Cost per useful output",
            CompareBy::Hours => "Hours ladder",
            CompareBy::Exposure => "Exposure beside booked cost",
        }
    }

    /// The view, the reference, and what is shown of each placement.
    fn controls_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let one_line = ui.available_width() >= ONE_LINE;
        head_ui(ui, "Compare", |ui| {
            if one_line {
                self.views_ui(ui, commands);
            } else {
                let palette = Palette::of(ui.visuals());
                ui.label(RichText::new(self.scope()).font(theme::SMALL).color(palette.text2));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| self.against_ui(ui, commands));
        });
        if !one_line {
            ui.horizontal_wrapped(|ui| self.views_ui(ui, commands));
        }
    }

    /// What the figures of the table are counted in.
    fn scope(&self) -> String {
        match self.view.compare_by {
            CompareBy::Hours => "GPU-hours over the horizon".to_owned(),
            CompareBy::Output => format!("{}, allocated cost", self.page.seen.snapshot.evaluation.currency.code),
            _ => format!("{}{}", self.page.seen.snapshot.evaluation.currency.code, self.view.figures.scale.word()),
        }
    }

    fn views_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let names: Vec<&str> = CompareBy::ALL.iter().map(|by| by.name()).collect();
        let current = CompareBy::ALL.iter().position(|by| *by == self.view.compare_by).unwrap_or_default();
        let chosen = segments_ui(ui, "View", &names, current, 24.0);
        commands.extend(chosen.and_then(|i| CompareBy::ALL.get(i)).map(|by| Command::CompareBy(*by)));
    }

    /// From right to left: what is shown, and the reference.
    fn against_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if self.results().len() < 2 {
            return;
        }
        let names: Vec<&str> = ComparedAs::ALL.iter().map(|of| of.name()).collect();
        let current = ComparedAs::ALL.iter().position(|of| *of == self.view.compared_as).unwrap_or_default();
        let chosen = ui.scope(|ui| segments_ui(ui, "Show", &names, current, 24.0)).inner;
        commands.extend(chosen.and_then(|i| ComparedAs::ALL.get(i)).map(|of| Command::CompareAs(*of)));
        let entries = placements(self.results());
        let width = (ui.available_width() - 80.0).clamp(110.0, 200.0);
        if let Some(chosen) = choice_ui(ui, "Reference", &entries, self.view.reference, width) {
            commands.push(Command::Reference(chosen));
        }
        let palette = Palette::of(ui.visuals());
        ui.label(RichText::new("Reference").font(theme::SMALL).color(palette.text2));
    }

    /// Unequal boundaries, said before any figure is read.
    fn boundaries_ui(&self, ui: &mut Ui) {
        let gaps = compare::gaps(&self.page.seen.snapshot.evaluation);
        if gaps.is_empty() {
            return;
        }
        let none = |gap: &compare::Gap| {
            let names: Vec<&str> = gap.categories.iter().map(|category| category.label()).collect();
            format!("{} has no line for {}", icons::letter(gap.placement), listed(&names))
        };
        let said: Vec<String> = gaps.iter().map(none).collect();
        banner_ui(ui, "Boundaries differ.", &format!("{}. “Not entered” is not zero.", said.join("; ")));
    }

    /// Amounts for every placement, with differences for all of them where they fit, otherwise for the one in focus; or the
    /// differences alone.
    fn shown(&self, figure: f32, width: f32) -> Vec<Shows> {
        let count = self.results().len();
        let others = || (0..count).filter(|i| *i != self.view.reference);
        match self.view.compared_as {
            ComparedAs::Difference if count > 1 => return others().map(Shows::Difference).collect(),
            ComparedAs::Relative if count > 1 => return others().map(Shows::Relative).collect(),
            _ => {}
        }
        let others = count.saturating_sub(1);
        #[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
        let every = NAMES + figure * (others + 1) as f32 + (figure + RELATIVE) * others as f32;
        let all = every + GAP + CHARTS <= width || (others == 1 && every <= width);
        let mut shown = Vec::new();
        for i in 0..count {
            shown.push(Shows::Amount(i));
            if all && i != self.view.reference {
                shown.extend([Shows::Difference(i), Shows::Relative(i)]);
            }
        }
        let compared = self.compared();
        if !all && compared != self.view.reference {
            shown.extend([Shows::Difference(compared), Shows::Relative(compared)]);
        }
        shown
    }

    fn columns(&self, shown: &[Shows], figure: f32) -> Vec<Column> {
        let heading = match self.view.compare_by {
            CompareBy::Category => "Category",
            CompareBy::Year => "Fiscal year",
            CompareBy::Behaviour | CompareBy::Boundary => "Cost",
            CompareBy::Output => "Class",
            CompareBy::Hours => "GPU-hours",
            CompareBy::Exposure => "Exposure",
        };
        let names = column(heading.to_owned(), NAMES, Align::Left);
        let pair = |i: usize| format!("{} – {}", icons::letter(i), icons::letter(self.view.reference));
        let alone = self.view.compared_as != ComparedAs::Amount;
        let of = |shown: &Shows| match *shown {
            Shows::Amount(i) => Column {
                badge: Some(i),
                focused: i == self.view.focus,
                ..column(format!("{} {}", icons::letter(i), self.results()[i].name), figure, Align::Right)
            },
            Shows::Difference(i) => {
                let focused = alone && i == self.view.focus;
                Column { ruled: !alone, focused, ..column(format!("Δ {}", pair(i)), figure, Align::Right) }
            }
            Shows::Relative(i) if alone => {
                let focused = i == self.view.focus;
                Column { focused, ..column(format!("Δ % {}", pair(i)), figure, Align::Right) }
            }
            Shows::Relative(_) => column("Δ %".to_owned(), RELATIVE, Align::Right),
        };
        std::iter::once(names).chain(shown.iter().map(of)).collect()
    }

    /// The placement whose differences are shown where there is room for one: the one in focus, or the next.
    fn compared(&self) -> usize {
        let next = if self.view.reference == 0 { 1 } else { 0 };
        if self.view.focus == self.view.reference && next < self.results().len() { next } else { self.view.focus }
    }

    /// The widest total of the table, in points.
    fn widest(&self, ui: &Ui, least: f32) -> f32 {
        let font = theme::semibold(13.0);
        let totals = self.results().iter().map(|result| self.text(Amount::Money(result.totals.total)));
        totals.map(|total| growing_width(ui.painter(), &format!("({total})"), &font)).fold(least, f32::max).ceil()
    }

    fn is_folded(&self, line: &Line) -> bool {
        line.family.as_ref().is_some_and(|family| self.view.folded.contains(family))
    }

    /// The rows that are not folded away.
    fn seen(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(|line| line.kind == RowKind::Family || !self.is_folded(line))
    }

    fn rows(&self, ui: &Ui, shown: &[Shows]) -> Vec<Row> {
        let palette = Palette::of(ui.visuals());
        let row = |line: &Line| Row {
            kind: line.kind,
            name: line.name.clone(),
            swatch: line.category.and_then(|place| palette.categories.get(place).copied()),
            fold: (line.kind == RowKind::Family && line.family.is_some()).then(|| !self.is_folded(line)),
            cells: shown.iter().map(|shows| self.cell(line, *shows)).collect(),
        };
        self.seen().map(row).collect()
    }

    fn cell(&self, line: &Line, shows: Shows) -> TableCell {
        let nothing = Figure::default();
        let entry = |i: usize| line.entries.get(i).unwrap_or(&nothing);
        let reference = entry(self.view.reference).amount;
        match shows {
            Shows::Amount(i) => self.amount_cell(entry(i)),
            Shows::Difference(i) => {
                let Some((amount, _)) = less(entry(i).amount, reference) else { return TableCell::default() };
                let cell = TableCell::figure(self.text(amount), self.exact(amount)).quiet();
                // Differences of amounts are explained side by side; those of other numbers by their own two figures.
                match (&entry(i).target, amount) {
                    (Some(target), Amount::Money(_)) => cell.explaining(target.clone().less(self.view.reference)),
                    _ => cell,
                }
            }
            Shows::Relative(i) => match less(entry(i).amount, reference).map(|(_, relative)| relative) {
                None => TableCell::default(),
                Some(Relative::New) => TableCell::words("new"),
                Some(Relative::Gone) => TableCell::words("none"),
                Some(Relative::Share(share)) => {
                    TableCell::figure(self.view.figures.percent(share), String::new()).quiet()
                }
            },
        }
    }

    fn amount_cell(&self, entry: &Figure) -> TableCell {
        let Some(amount) = entry.amount else { return TableCell::words(entry.none) };
        let told = format!("{} {}", self.exact(amount), entry.of);
        let cell = TableCell::figure(self.text(amount), told.trim_end().to_owned());
        match &entry.target {
            Some(target) => cell.explaining(target.clone()),
            None => cell,
        }
    }

    fn text(&self, amount: Amount) -> String {
        let figures = self.view.figures;
        let number = |value: Num, text: &dyn Fn(rust_decimal::Decimal) -> String| {
            value.decimal().map_or_else(|| "too large".to_owned(), text)
        };
        match amount {
            Amount::Money(money) => figures.amount(money.minor(), self.digits()),
            Amount::Ratio(value) => number(value, &|value| figures.ratio(value)),
            Amount::Hours(value) => number(value, &|value| {
                if value.is_zero() { show::ZERO.to_owned() } else { figures.rounded(value, 0) }
            }),
            Amount::Share(value) => number(value, &|value| {
                if value.is_zero() { show::ZERO.to_owned() } else { format!("{} %", figures.percent(value)) }
            }),
        }
    }

    /// The amount with every digit that says something.
    fn exact(&self, amount: Amount) -> String {
        let places = |value: Num| {
            value
                .decimal()
                .map_or_else(String::new, |value| self.view.figures.number(show::round(value, 9).normalize()))
        };
        match amount {
            Amount::Money(money) => self.money(money),
            Amount::Ratio(value) | Amount::Share(value) => places(value),
            Amount::Hours(value) => format!("{} GPU-hours", places(value)),
        }
    }

    fn money(&self, money: Money) -> String {
        let code = self.page.seen.snapshot.evaluation.currency.code;
        format!("{code} {}", self.view.figures.exact(money.minor(), self.digits()))
    }

    /// Copying, wherever the keyboard is on the page.
    fn keys(&self, ui: &Ui, (columns, shown): (&[Column], &[Shows]), commands: &mut Vec<Command>) {
        let is_asked = self.page.has_keys
            && !ui.ctx().text_edit_focused()
            && ui.input(|input| input.events.contains(&Event::Copy));
        if is_asked {
            commands.push(self.copied(columns, shown));
        }
    }

    /// The table as a spreadsheet takes it: what is seen of it, each amount to its last digit.
    fn copied(&self, columns: &[Column], shown: &[Shows]) -> Command {
        let mut rows = vec![columns.iter().map(|column| column.heading.clone()).collect()];
        for line in self.seen() {
            let cells = shown.iter().map(|shows| self.plain(line, *shows));
            rows.push(std::iter::once(line.name.clone()).chain(cells).collect());
        }
        let said = format!("Copied {}, {} rows", self.title().to_lowercase(), rows.len() - 1);
        Command::Copy(tsv(&rows), said)
    }

    fn plain(&self, line: &Line, shows: Shows) -> String {
        let entry = |i: usize| line.entries.get(i);
        let reference = entry(self.view.reference).and_then(|entry| entry.amount);
        let amount = match shows {
            Shows::Amount(i) => {
                let Some(entry) = entry(i) else { return String::new() };
                let Some(amount) = entry.amount else { return entry.none.to_owned() };
                amount
            }
            Shows::Difference(i) => match less(entry(i).and_then(|entry| entry.amount), reference) {
                Some((amount, _)) => amount,
                None => return String::new(),
            },
            Shows::Relative(_) => return self.cell(line, shows).text,
        };
        match amount {
            Amount::Money(money) => show::plain(money.minor(), self.digits()),
            Amount::Ratio(value) | Amount::Hours(value) | Amount::Share(value) => {
                value.decimal().map_or_else(String::new, |value| show::round(value, 12).normalize().to_string())
            }
        }
    }

    /// The charts that belong to a view.
    fn charts(&self) -> Vec<Which> {
        let all = Which::of_all;
        match self.view.compare_by {
            CompareBy::Category | CompareBy::Year => vec![all(Kind::Categories), all(Kind::Cumulative)],
            CompareBy::Behaviour => vec![all(Kind::Split), all(Kind::Cumulative)],
            CompareBy::Boundary => vec![all(Kind::Boundary), all(Kind::Categories)],
            CompareBy::Output => vec![all(Kind::Cumulative)],
            CompareBy::Exposure => vec![all(Kind::Leaving), all(Kind::WriteOff)],
            CompareBy::Hours => {
                let focus = self.view.focus;
                let fixed = self.results().get(focus).into_iter().flat_map(|result| &result.environments);
                let fixed = fixed.filter(|environment| environment.capacity.is_some());
                let of_each = fixed.flat_map(|environment| {
                    [Kind::Capacity, Kind::Load].map(|kind| Which::of_environment(kind, focus, &environment.id))
                });
                std::iter::once(Which::of_placement(Kind::Hours, focus)).chain(of_each).collect()
            }
        }
    }

    fn chart_ui(&self, ui: &mut Ui, charts: &mut Charts, which: &Which, width: f32, commands: &mut Vec<Command>) {
        super::kept_chart_ui(ui, charts, (which, self.page.seen), self.view, width, commands);
    }
}

/// Gives columns the room that nothing else can use.
fn spread(columns: &mut [Column], room: f32) {
    const MOST: f32 = 40.0;
    #[expect(clippy::cast_precision_loss, reason = "a handful of columns")]
    let each = (room / columns.len() as f32).clamp(0.0, MOST).floor();
    for column in columns {
        column.width += each;
    }
}

/// The placements as lines of a list.
pub fn placements(results: &[PlacementResult]) -> Vec<Entry> {
    results.iter().enumerate().map(|(i, result)| Entry { badge: Some(i), text: result.name.clone() }).collect()
}

/// `a`, `a and b`, `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
