//! What a run says as tables: percentiles with the probability of being the cheapest and the regret, and draws to open.
//!
//! Figures come counted; here they become cells.

use egui::{RichText, ScrollArea, Ui};
use rust_decimal::Decimal;

use super::{Run, caption_ui, title_ui};
use crate::analysis::figure::is_money;
use crate::analysis::uncertainty::{Example, OfPlacement, PERCENTILES, carries};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::icons::{self, Icon, letter};
use crate::app::theme::{self, Palette};
use crate::app::view::View;
use crate::app::widgets::{Align, Column, Row, RowKind, TableCell, choice_ui, fit, table_ui};
use crate::export::tables::tsv;
use crate::quantity::Money;
use crate::show::{self, Figures};
use crate::words;

use super::super::compare::placements;
use super::super::tool_ui;

/// The percentiles in the table of the page; charts have all of them as their table.
const SHOWN: [u32; 3] = [10, 50, 90];

/// A figure in units of its last digit, at the scale of the window.
fn figure(run: &Run, figures: Figures, units: Option<i128>) -> TableCell {
    let Some(units) = units else { return TableCell::words("no output") };
    let digits = run.answer.digits;
    if is_money(&run.answer.question.figure) {
        return TableCell::figure(figures.amount(units, digits), figures.exact(units, digits));
    }
    let ratio = Decimal::try_from_i128_with_scale(units, digits).unwrap_or_default();
    TableCell::figure(figures.ratio(ratio), figures.number(ratio.normalize()))
}

fn money(run: &Run, figures: Figures, money: Option<Money>) -> TableCell {
    let Some(money) = money else { return TableCell::words("never serves") };
    let digits = run.answer.currency.minor_digits;
    TableCell::figure(figures.amount(money.minor(), digits), figures.exact(money.minor(), digits))
}

fn share(run: &Run, figures: Figures, draws: u64) -> TableCell {
    let share = Decimal::from(draws).checked_div(Decimal::from(run.answer.done)).unwrap_or_default();
    let interval = words::draws::interval(figures, draws, run.answer.done);
    let interval = interval.map_or_else(String::new, |interval| format!(", 95 % interval {interval}"));
    let hover =
        format!("{} of {} draws{interval}", figures.number(draws.into()), figures.number(run.answer.done.into()));
    let text = if share.is_zero() { show::ZERO.to_owned() } else { format!("{} %", figures.percent(share)) };
    TableCell::figure(text, hover)
}

const HEADINGS: [&str; 6] = ["10th", "50th", "90th", "Mean", "Cheapest", "Regret"];

/// One placement a row: percentiles and mean of the figure asked for, and what choosing it comes to.
pub fn figures_ui(ui: &mut Ui, (run, mark): (&Run, Option<&str>), view: &View, commands: &mut Vec<Command>) {
    let (answer, figures) = (&run.answer, view.figures);
    let rows: Vec<Row> = answer.placements.iter().map(|of| row(run, figures, of)).collect();
    let unit = format!("{}{}", answer.currency.code, figures.scale.word());
    ui.horizontal(|ui| {
        let scope = mark.map_or_else(|| unit.clone(), |mark| format!("{mark}: {unit}"));
        title_ui(ui, "Percentiles and expected regret", &scope);
        if tool_ui(ui, Icon::Copy, "Copy percentiles").clicked() {
            commands.push(copied(run, &rows, mark));
        }
    });
    let column = |(i, heading): (usize, &str)| Column {
        heading: heading.to_owned(),
        badge: None,
        width: if i == 0 { 164.0 } else { 62.0 },
        align: if i == 0 { Align::Left } else { Align::Right },
        focused: false,
        ruled: false,
    };
    let mut columns: Vec<Column> = std::iter::once("Placement").chain(HEADINGS).enumerate().map(column).collect();
    fit(ui, &mut columns, &rows);
    ScrollArea::horizontal().id_salt("percentiles").show(ui, |ui| {
        table_ui(ui, "Percentiles and expected regret", &columns, &rows, None);
    });
}

fn row(run: &Run, figures: Figures, of: &OfPlacement) -> Row {
    let name = run.of.snapshot.evaluation.placements.get(of.placement).map_or("", |result| result.name.as_str());
    let percentile = |wanted: u32| {
        if 0 < of.figure.count() && !carries(of.figure.count(), wanted) {
            let count = figures.number(of.figure.count().into());
            return TableCell::figure(show::ZERO.to_owned(), format!("{count} draws are too few for it"));
        }
        let place = PERCENTILES.iter().position(|percentile| *percentile == wanted);
        figure(run, figures, place.and_then(|place| *of.percentiles.get(place)?))
    };
    let mut cells: Vec<TableCell> = SHOWN.map(percentile).into();
    cells.push(figure(run, figures, of.mean));
    cells.push(share(run, figures, of.cheapest));
    cells.push(money(run, figures, of.expected_regret));
    let name = format!("{} {name}", letter(of.placement));
    Row { kind: RowKind::Plain, name, swatch: None, fold: None, cells }
}

/// The table for a spreadsheet: figures to the minor unit, shares as counts, and before them what it is marked with.
fn copied(run: &Run, rows: &[Row], mark: Option<&str>) -> Command {
    let answer = &run.answer;
    let plain = |units: Option<i128>| -> String {
        let decimal = units.and_then(|units| Decimal::try_from_i128_with_scale(units, answer.digits).ok());
        decimal.map_or_else(String::new, |value| value.to_string())
    };
    let money = |money: Option<Money>| {
        money.map_or_else(String::new, |money| show::plain(money.minor(), answer.currency.minor_digits))
    };
    let line = |(of, row): (&OfPlacement, &Row)| {
        let percentile = |wanted: u32| {
            let place = PERCENTILES.iter().position(|percentile| *percentile == wanted);
            plain(place.and_then(|place| *of.percentiles.get(place)?))
        };
        let mut line = vec![row.name.clone()];
        line.extend(SHOWN.map(percentile));
        line.push(plain(of.mean));
        line.push(of.cheapest.to_string());
        line.push(money(of.expected_regret));
        line
    };
    let mut head: Vec<String> = std::iter::once("Placement").chain(HEADINGS).map(str::to_owned).collect();
    if let Some(cheapest) = head.get_mut(5) {
        *cheapest = format!("Cheapest, of {} draws", answer.done);
    }
    let mark = mark.map(|mark| vec![show::upper_first(mark)]);
    let lines = mark.into_iter().chain([head]).chain(answer.placements.iter().zip(rows).map(line));
    let lines: Vec<Vec<String>> = lines.collect();
    Command::Copy(tsv(&lines), "Copied the percentiles".to_owned())
}

/// Draws near percentiles of a placement, and the one in which it is regretted most, each to be opened. Says whether another
/// placement was chosen.
pub fn examples_ui(
    ui: &mut Ui,
    (run, placement): (&Run, &mut usize),
    view: &View,
    commands: &mut Vec<Command>,
) -> bool {
    let results = &run.of.snapshot.evaluation.placements;
    let focus = *placement;
    ui.horizontal(|ui| {
        caption_ui(ui, "Near percentiles of");
        if let Some(chosen) = choice_ui(ui, "Draws of", &placements(results), focus, 228.0) {
            *placement = chosen;
        }
    });
    let mine = run.examples.iter().filter(|shown| shown.placement == focus);
    egui::Grid::new("examples").num_columns(5).spacing([6.0, 4.0]).show(ui, |ui| {
        for shown in mine {
            let Some(drawn) = shown.drawn.get(focus) else { continue };
            let what = match shown.example {
                Example::Near(percentile) => format!("{percentile}th"),
                Example::Worst => "most regret".to_owned(),
            };
            caption_ui(ui, &what);
            let number = view.figures.number(Decimal::from(shown.draw + 1));
            caption_ui(ui, &format!("draw {number}"));
            let cell = figure(run, view.figures, drawn.figure);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.label(RichText::new(cell.text).font(theme::BODY));
            });
            cheapest_ui(ui, run, &shown.drawn);
            if button(ui, "Open", false).accessible_name(format!("Open draw {number}")).clicked() {
                commands.push(Command::OpenDraw(shown.draw));
            }
            ui.end_row();
        }
    });
    *placement != focus
}

/// Which placement is the cheapest in a draw.
fn cheapest_ui(ui: &mut Ui, run: &Run, drawn: &[crate::analysis::tally::Drawn]) {
    let serving = drawn.iter().enumerate().filter(|(_, of)| of.serves);
    let Some((best, _)) = serving.min_by_key(|(place, of)| (of.deciding, *place)) else {
        caption_ui(ui, "none serves");
        return;
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let (rect, response) = ui.allocate_exact_size(egui::vec2(16.0, 16.0), egui::Sense::hover());
        let name = run.of.snapshot.evaluation.placements.get(best).map_or("", |result| result.name.as_str());
        let said = format!("{} {name} is the cheapest", letter(best));
        response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &said));
        icons::badge(ui.painter(), rect.center(), best, 16.0, Palette::of(ui.visuals()));
        caption_ui(ui, "cheapest");
    });
}
