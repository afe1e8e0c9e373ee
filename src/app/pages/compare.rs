//! Compare: the placements side by side, by category, as bars, and by cost of useful output.
//!
//! It lays out what the analysis compares; it adds nothing up.

use egui::{ScrollArea, Ui};

use crate::analysis::compare::{self, Difference, FAMILIES, Relative};
use crate::analysis::explain::{Measure, Selection};
use crate::app::command::Command;
use crate::app::document::Snapshot;
use crate::app::explain::Target;
use crate::app::icons;
use crate::app::paint::scene_ui;
use crate::app::theme::{self, Palette};
use crate::app::view::View;
use crate::app::widgets::{
    Align, Asked, Column, Entry, Row, RowKind, TableCell, Told, banner_ui, choice_ui, fit, table_ui, text_width,
};
use crate::chart::{Kind, Look, Subject, Which, describe};
use crate::engine::{Behaviour, PlacementResult, WorkloadResult};
use crate::quantity::{Money, Num};
use crate::scenario::{Category, Workload};

use super::{head_ui, title_ui};

const NAMES: f32 = 172.0;
const GAP: f32 = 24.0;
/// The least room in which the charts stand beside the table.
const BESIDE: f32 = 200.0;
/// The room for the charts that differences to every placement must leave.
const CHARTS: f32 = 300.0;
/// Bars longer than this are no easier to compare.
const CHART: f32 = 900.0;

pub fn compare_ui(
    ui: &mut Ui,
    snapshot: &Snapshot,
    view: &mut View,
    explained: Option<&Target>,
    commands: &mut Vec<Command>,
) {
    let mut asked = Asked::default();
    tables_ui(ui, &Page { snapshot, view, explained }, &mut asked, commands);
    view.figure = asked.focused;
    commands.extend(asked.pressed.map(Command::Explain));
}

fn tables_ui(ui: &mut Ui, page: &Page, asked: &mut Asked, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 8.0;
    head_ui(ui, "Compare", |ui| page.reference_ui(ui, commands));
    page.boundaries_ui(ui);
    // The totals stand at the bottom edge, where what is scrolled would fade.
    ui.spacing_mut().scroll.fade.strength = 0.0;
    ScrollArea::both().id_salt("compare").auto_shrink(false).show(ui, |ui| {
        let width = ui.available_width();
        let figure = page.widest(ui, 78.0) + 12.0;
        let shown = page.shown(figure, width);
        let mut columns = page.columns(&shown, figure);
        let rows = page.rows(ui, &shown);
        fit(ui, &mut columns, &rows);
        let table: f32 = columns.iter().map(|column| column.width).sum();
        let beside = width - table - GAP;
        if beside < BESIDE {
            spread(&mut columns, width - table);
        }
        #[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
        let output = NAMES + figure * page.results().len() as f32;
        if beside >= BESIDE {
            // The second table goes where there is room for it: beside the first, or under it.
            let right = output <= beside;
            ui.horizontal_top(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                ui.vertical(|ui| {
                    also(asked, table_ui(ui, "Cost by category", &columns, &rows, page.explained).1);
                    if !right {
                        page.output_ui(ui, figure, &columns, asked);
                    }
                });
                ui.vertical(|ui| {
                    page.charts_ui(ui, (beside - 8.0).min(CHART));
                    if right {
                        page.output_ui(ui, figure, &[], asked);
                    }
                });
            });
        } else {
            also(asked, table_ui(ui, "Cost by category", &columns, &rows, page.explained).1);
            ui.add_space(8.0);
            page.charts_ui(ui, width.min(CHART) - 8.0);
            page.output_ui(ui, figure, &columns, asked);
        }
        ui.add_space(16.0);
    });
}

const RELATIVE: f32 = 58.0;

/// What a column after the names shows, and of which placement.
#[derive(Clone, Copy)]
enum Shown {
    Amount(usize),
    Difference(usize),
    Relative(usize),
}

fn column(heading: String, width: f32, align: Align) -> Column {
    Column { heading, badge: None, width, align, focused: false, ruled: false }
}

struct Page<'a> {
    snapshot: &'a Snapshot,
    view: &'a View,
    /// The figure that is explained beside the page.
    explained: Option<&'a Target>,
}

/// Adds what was done with one more table.
fn also(asked: &mut Asked, more: Asked) {
    asked.pressed = more.pressed.or(asked.pressed.take());
    asked.focused = more.focused.or(asked.focused.take());
}

impl Page<'_> {
    fn results(&self) -> &[PlacementResult] {
        &self.snapshot.evaluation.placements
    }

    fn digits(&self) -> u32 {
        self.snapshot.evaluation.currency.minor_digits
    }

    fn reference_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let scope =
            format!("by category, {}{}", self.snapshot.evaluation.currency.code, self.view.figures.scale.word());
        let palette = Palette::of(ui.visuals());
        ui.label(egui::RichText::new(scope).font(theme::SMALL).color(palette.text2));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let entries = placements(self.results());
            if let Some(chosen) = choice_ui(ui, "Reference", &entries, self.view.reference, 220.0) {
                commands.push(Command::Reference(chosen));
            }
            ui.label(egui::RichText::new("Reference").font(theme::SMALL).color(palette.text2));
        });
    }

    /// Unequal boundaries, said before any figure is read.
    fn boundaries_ui(&self, ui: &mut Ui) {
        let gaps = compare::gaps(&self.snapshot.evaluation);
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

    /// Amounts for every placement; differences for all of them where they fit, otherwise for the one in focus.
    fn shown(&self, figure: f32, width: f32) -> Vec<Shown> {
        let others = self.results().len().saturating_sub(1);
        #[expect(clippy::cast_precision_loss, reason = "a handful of placements")]
        let every = NAMES + figure * (others + 1) as f32 + (figure + RELATIVE) * others as f32;
        let all = every + GAP + CHARTS <= width || (others == 1 && every <= width);
        let mut shown = Vec::new();
        for i in 0..self.results().len() {
            shown.push(Shown::Amount(i));
            if all && i != self.view.reference {
                shown.extend([Shown::Difference(i), Shown::Relative(i)]);
            }
        }
        let compared = self.compared();
        if !all && compared != self.view.reference {
            shown.extend([Shown::Difference(compared), Shown::Relative(compared)]);
        }
        shown
    }

    fn columns(&self, shown: &[Shown], figure: f32) -> Vec<Column> {
        let names = column("Category".to_owned(), NAMES, Align::Left);
        let of = |shown: &Shown| match *shown {
            Shown::Amount(i) => Column {
                badge: Some(i),
                focused: i == self.view.focus,
                ..column(format!("{} {}", icons::letter(i), self.results()[i].name), figure, Align::Right)
            },
            Shown::Difference(i) => {
                let pair = format!("{} – {}", icons::letter(i), icons::letter(self.view.reference));
                Column { ruled: true, ..column(format!("Δ {pair}"), figure, Align::Right) }
            }
            Shown::Relative(_) => column("Δ %".to_owned(), RELATIVE, Align::Right),
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
        let totals = self.results().iter().map(|result| self.amount(result.totals.total));
        totals.map(|total| text_width(ui.painter(), &format!("({total})"), &font)).fold(least, f32::max).ceil()
    }

    fn rows(&self, ui: &Ui, shown: &[Shown]) -> Vec<Row> {
        let palette = Palette::of(ui.visuals());
        let mut rows = Vec::new();
        for family in &FAMILIES {
            let of_family = Selection { categories: family.categories.to_vec(), ..Selection::default() };
            let get = |result: &PlacementResult| compare::family_amount(result, family);
            rows.push(self.row(shown, RowKind::Family, (family.name, None), (&of_family, Measure::Total), &get));
            for &category in family.categories {
                let get = |result: &PlacementResult| compare::amount(result, category);
                let swatch = stack_place(category).and_then(|place| palette.categories.get(place).copied());
                let of_category = Selection { categories: vec![category], ..Selection::default() };
                let name = (category.label(), swatch);
                rows.push(self.row(shown, RowKind::Plain, name, (&of_category, Measure::Total), &get));
            }
        }
        let all = Selection::default();
        let of = |behaviour| Selection { behaviour: Some(behaviour), ..Selection::default() };
        let (fixed, usage) = (of(Behaviour::Fixed), of(Behaviour::UsageDriven));
        let (cost, value) = (Measure::Total, Measure::PresentValue);
        let mut row = |kind, name, selection, measure, get: &dyn Fn(&PlacementResult) -> Option<Money>| {
            rows.push(self.row(shown, kind, (name, None), (selection, measure), get));
        };
        row(RowKind::Total, "Total", &all, cost, &|r| Some(r.totals.total));
        row(RowKind::Part, "of which fixed", &fixed, cost, &|r| Some(r.fixed));
        row(RowKind::Part, "of which usage-driven", &usage, cost, &|r| Some(r.usage_driven));
        row(RowKind::Ruled, "Present value", &all, value, &|r| Some(r.totals.present_value));
        rows
    }

    fn row(
        &self,
        shown: &[Shown],
        kind: RowKind,
        (name, swatch): (&str, Option<egui::Color32>),
        (selection, measure): (&Selection, Measure),
        get: &dyn Fn(&PlacementResult) -> Option<Money>,
    ) -> Row {
        let reference = self.results().get(self.view.reference).and_then(get);
        let amount = |index: usize| self.results().get(index).and_then(get);
        let cell = |shown: &Shown| match *shown {
            Shown::Amount(i) => {
                let cell = self.amount_cell(kind, amount(i));
                let target = || Target::postings(i, selection.clone(), measure);
                if amount(i).is_some() { cell.explaining(target()) } else { cell }
            }
            Shown::Difference(i) => {
                let cell = self.difference_cell(compare::difference(amount(i), reference));
                let target = || Target::postings(i, selection.clone(), measure).less(self.view.reference);
                if cell.text.is_empty() { cell } else { cell.explaining(target()) }
            }
            Shown::Relative(i) => self.relative_cell(compare::difference(amount(i), reference)),
        };
        Row { kind, name: name.to_owned(), swatch, cells: shown.iter().map(cell).collect() }
    }

    fn amount_cell(&self, kind: RowKind, amount: Option<Money>) -> TableCell {
        match amount {
            Some(money) => TableCell::figure(self.amount(money), self.exact(money)),
            None if kind == RowKind::Family => TableCell::default(),
            None => TableCell::words("not entered"),
        }
    }

    fn difference_cell(&self, difference: Option<Difference>) -> TableCell {
        let Some(Difference { amount, .. }) = difference else { return TableCell::default() };
        TableCell::figure(self.amount(amount), self.exact(amount)).quiet()
    }

    fn relative_cell(&self, difference: Option<Difference>) -> TableCell {
        match difference.map(|difference| difference.relative) {
            None => TableCell::default(),
            Some(Relative::New) => TableCell::words("new"),
            Some(Relative::Gone) => TableCell::words("none"),
            Some(Relative::Share(share)) => TableCell::figure(self.view.figures.percent(share), String::new()).quiet(),
        }
    }

    fn amount(&self, money: Money) -> String {
        self.view.figures.amount(money.minor(), self.digits())
    }

    fn exact(&self, money: Money) -> String {
        let code = self.snapshot.evaluation.currency.code;
        format!("{code} {}", self.view.figures.exact(money.minor(), self.digits()))
    }

    fn charts_ui(&self, ui: &mut Ui, width: f32) {
        ui.spacing_mut().item_spacing.y = 6.0;
        let subject = Subject {
            scenario: &self.snapshot.scenario,
            evaluation: &self.snapshot.evaluation,
            figures: self.view.figures,
            reference: self.view.reference,
            focus: Some(self.view.focus),
        };
        let Ok(chart) = describe(&subject, &Which::of_all(Kind::Categories)) else { return };
        title_ui(ui, &chart.title, &chart.scope);
        let scene = chart.scene(width.max(192.0), Look::Desk, self.view.figures);
        scene_ui(ui, &chart.title, &scene, egui::Sense::hover());
        legend_ui(ui, width);
    }

    /// The cost of a unit of output of each class, in each placement; under the columns `above`, where they stand above it.
    fn output_ui(&self, ui: &mut Ui, figure: f32, above: &[Column], asked: &mut Asked) {
        ui.add_space(12.0);
        let currency = self.snapshot.evaluation.currency.code;
        title_ui(ui, "Cost per useful output", &format!("{currency}, allocated cost over successful output"));
        let shown: Vec<Shown> = (0..self.results().len()).map(Shown::Amount).collect();
        let rows: Vec<Row> =
            self.snapshot.scenario.workloads.iter().flat_map(|class| self.output_rows(class)).collect();
        if rows.is_empty() {
            ui.label("No class has a useful output. Give one a unit of output to see what a unit costs.");
            return;
        }
        let mut columns = self.columns(&shown, figure);
        for column in &mut columns {
            if let Some(above) = above.iter().find(|above| above.badge == column.badge) {
                column.width = column.width.max(above.width);
            }
        }
        columns[0].heading = "Class".to_owned();
        fit(ui, &mut columns, &rows);
        also(asked, table_ui(ui, "Cost per useful output", &columns, &rows, self.explained).1);
    }

    fn output_rows(&self, class: &Workload) -> Vec<Row> {
        let Some(output) = &class.output else { return Vec::new() };
        let row = |kind, name: String, figure: &str, pick: fn(&WorkloadResult) -> Option<Num>| {
            let cell = |(place, result): (usize, &PlacementResult)| {
                let cell = self.output_cell(result, class, &output.unit, pick);
                let path = format!("workloads.{}.{figure}", class.id);
                if cell.words { cell } else { cell.explaining(Target::figure(place, path)) }
            };
            Row { kind, name, swatch: None, cells: self.results().iter().enumerate().map(cell).collect() }
        };
        let head = Row { kind: RowKind::Family, name: class.name.clone(), swatch: None, cells: Vec::new() };
        vec![
            head,
            row(RowKind::Part, format!("per {}", output.unit), "cost_per_output", |found| found.cost_per_output),
            row(RowKind::Part, "levelised".to_owned(), "levelised_cost_per_output", |found| {
                found.levelised_cost_per_output
            }),
        ]
    }

    fn output_cell(
        &self,
        result: &PlacementResult,
        class: &Workload,
        unit: &str,
        pick: fn(&WorkloadResult) -> Option<Num>,
    ) -> TableCell {
        let Some(found) = result.workloads.iter().find(|w| w.id == class.id) else {
            return TableCell::words("not served");
        };
        let Some(cost) = pick(found).and_then(Num::decimal) else { return TableCell::words("no output") };
        let figures = self.view.figures;
        let exact = figures.rounded(cost, 9);
        TableCell::figure(figures.ratio(cost), format!("{exact} for one {unit} of {}", class.name))
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

/// The families with their colours, in as many lines as it takes.
fn legend_ui(ui: &mut Ui, width: f32) {
    ui.set_max_width(width);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(14.0, 2.0);
        ui.spacing_mut().interact_size.y = 18.0;
        let palette = Palette::of(ui.visuals());
        for family in &FAMILIES {
            let text = text_width(ui.painter(), family.name, &theme::SMALL);
            #[expect(clippy::cast_precision_loss, reason = "three categories")]
            let swatches = 9.0 * family.categories.len() as f32;
            let size = egui::vec2(swatches + 4.0 + text.ceil(), 18.0);
            let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
            let mut x = rect.min.x;
            for &category in family.categories {
                let colour = stack_place(category).and_then(|place| palette.categories.get(place).copied());
                let square = egui::Rect::from_min_size(egui::pos2(x, rect.center().y - 5.0), egui::vec2(8.0, 10.0));
                ui.painter().rect_filled(square, 1, colour.unwrap_or(palette.text2));
                x += 9.0;
            }
            let at = egui::pos2(x + 4.0, rect.center().y);
            ui.painter().text(at, egui::Align2::LEFT_CENTER, family.name, theme::SMALL, palette.text2);
            let names: Vec<&str> = family.categories.iter().map(|category| category.label()).collect();
            response.told(listed(&names));
        }
    });
}

/// Where a category stands in the stack, and so among the colours.
fn stack_place(category: Category) -> Option<usize> {
    compare::stacked().position(|stacked| stacked == category)
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
