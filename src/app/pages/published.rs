//! Published cases: what others have printed, beside what is computed here, and the convention that explains it.
//!
//! It shows the list of the analysis and opens its scenarios. It knows no case and computes no figure.

use egui::{Layout, RichText, ScrollArea, Ui};

use crate::analysis::published::{self, Case, Row as PublishedRow, Verdict};
use crate::app::command::Command;
use crate::app::icons::Icon;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{Align, Column, Row, RowKind, TableCell, banner_ui, table_ui, text_width};
use crate::export::tables;
use crate::quantity::Num;
use crate::show::{self, Figures};

use super::{head_ui, title_ui};

/// Headings of the columns after the names, where their texts stand, and the least room for them.
const COLUMNS: [(&str, Align, f32); 5] = [
    ("Unit", Align::Left, 60.0),
    ("Published", Align::Right, 90.0),
    ("Computed", Align::Right, 90.0),
    ("Difference", Align::Right, 90.0),
    ("Verdict", Align::Left, 110.0),
];
const NAMES: f32 = 320.0;
/// Lines longer than this are hard to read.
const PARAGRAPH: f32 = 820.0;
const PADDING: f32 = 20.0;

pub fn published_ui(ui: &mut Ui, cases: &[Case], figures: Figures, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 8.0;
    head_ui(ui, "Published cases", |ui| {
        let palette = Palette::of(ui.visuals());
        ui.label(RichText::new(summary(cases, figures)).font(theme::SMALL).color(palette.text2));
        ui.with_layout(Layout::right_to_left(egui::Align::Center), |ui| {
            let pressed = super::tool_ui(ui, Icon::Copy, "Copy").clicked();
            if pressed || ui.input(|input| input.events.contains(&egui::Event::Copy)) {
                let rows = tables::published(cases);
                let said = format!("Copied {} published figures", rows.len().saturating_sub(1));
                commands.push(Command::Copy(tables::tsv(&rows), said));
            }
        });
    });
    let broken: Vec<&str> = cases.iter().filter(|case| is_missed(case)).map(|case| case.title).collect();
    if !broken.is_empty() {
        banner_ui(ui, "Not every figure is reproduced.", &format!("{}.", broken.join("; ")));
    }
    ScrollArea::both().id_salt("published").auto_shrink(false).show(ui, |ui| {
        for case in cases {
            case_ui(ui, case, figures, commands);
            ui.add_space(16.0);
        }
    });
}

fn is_missed(case: &Case) -> bool {
    case.rows.iter().any(|row| row.verdict() == Verdict::Unexplained)
}

fn summary(cases: &[Case], figures: Figures) -> String {
    let count = |count: usize| figures.number(count.into());
    let standings = published::counts(cases).into_iter().filter(|(_, of)| *of > 0);
    let standings: Vec<String> = standings.map(|(verdict, of)| format!("{} {}", count(of), verdict.label())).collect();
    let rows = cases.iter().map(|case| case.rows.len()).sum();
    format!("{} figures in {} cases: {}", count(rows), count(cases.len()), standings.join(", "))
}

fn case_ui(ui: &mut Ui, case: &Case, figures: Figures, commands: &mut Vec<Command>) {
    title_ui(ui, case.title, case.source);
    for shipped in case.scenarios {
        ui.horizontal(|ui| {
            let button = ui.button("Open scenario").accessible_name(format!("Open scenario {}", shipped.file));
            if button.clicked() {
                commands.push(Command::OpenPublished(shipped));
            }
            ui.label(RichText::new(shipped.file).font(theme::SMALL));
        });
    }
    let rows: Vec<Row> = case.rows.iter().map(|row| table_row(row, figures)).collect();
    table_ui(ui, case.title, &columns(ui, &rows), &rows, None);
    for why in explanations(case) {
        paragraph_ui(ui, why);
    }
    paragraph_ui(ui, &format!("Convention: {}", case.convention));
}

fn paragraph_ui(ui: &mut Ui, text: &str) {
    let palette = Palette::of(ui.visuals());
    ui.scope(|ui| {
        ui.set_max_width(PARAGRAPH);
        ui.label(RichText::new(text).font(theme::SMALL).color(palette.text2));
    });
}

/// Each explanation once, in the order of the rows that need it.
fn explanations(case: &Case) -> Vec<&'static str> {
    let mut explanations = Vec::new();
    for why in case.rows.iter().filter(|row| row.verdict() != Verdict::Equal).filter_map(PublishedRow::why) {
        if !explanations.contains(&why) {
            explanations.push(why);
        }
    }
    explanations
}

/// Columns as wide as their widest text: a figure is never cut.
fn columns(ui: &Ui, rows: &[Row]) -> Vec<Column> {
    let column = |heading: &str, width, align| Column {
        heading: heading.to_owned(),
        badge: None,
        width,
        align,
        focused: false,
        ruled: false,
    };
    let widest = |place: usize, least: f32| {
        let cells = rows.iter().filter_map(|row| row.cells.get(place));
        cells.map(|cell| (text_width(ui.painter(), &cell.text, &theme::BODY) + PADDING).ceil()).fold(least, f32::max)
    };
    let others =
        COLUMNS.iter().enumerate().map(|(i, (heading, align, least))| column(heading, widest(i, *least), *align));
    std::iter::once(column("Figure", NAMES, Align::Left)).chain(others).collect()
}

fn table_row(row: &PublishedRow, figures: Figures) -> Row {
    let printed = row.published_value().decimal().unwrap_or_default();
    let beside = |value: Num| value.decimal().map_or_else(|| "none".to_owned(), |value| figures.beside(value, printed));
    let difference = row.difference();
    let shown = if difference.is_zero() { show::ZERO.to_owned() } else { beside(difference) };
    let verdict = row.verdict();
    let why = row.why().filter(|_| verdict != Verdict::Equal).unwrap_or_default();
    let figure = |text: String| TableCell::figure(text, String::new());
    Row {
        kind: RowKind::Plain,
        name: row.label.clone(),
        swatch: None,
        fold: None,
        cells: vec![
            TableCell::words(row.unit),
            figure(figures.number(printed)),
            figure(beside(row.computed)),
            figure(shown).quiet(),
            TableCell { hover: why.to_owned(), ..TableCell::words(verdict.label()) },
        ],
    }
}
