//! The pages of the window. Each shows the scenario from one side and returns what a person asked for.

pub mod compare;
pub mod differences;
pub mod elements;
pub mod evidence;
pub mod ledger;
pub mod published;
pub mod sensitivity;
pub mod uncertainty;

use egui::{RichText, Ui};

use super::charts::{Charts, Seen};
use super::command::Command;
use super::dialogs::button;
use super::view::Page;
use super::view::View;
use super::widgets::{ChartAsked, ChartShown, chart_ui};
use super::{icons, theme};
use crate::chart::Which;
use crate::export::tables::tsv;
use crate::input::EvidenceKind;
use crate::scenario::Scenario;

/// What to do next where nothing is placed yet, and so nothing can be compared, varied or posted.
pub fn nothing_placed_ui(ui: &mut Ui, page: Page, scenario: &Scenario, commands: &mut Vec<Command>) {
    head_ui(ui, page.name(), |_| ());
    ui.add_space(8.0);
    let (next, said) = next(scenario);
    ui.label(format!("Nothing is placed yet, so that there are no figures. {said}"));
    ui.add_space(8.0);
    if button(ui, &format!("Go to {}", next.name()), true).clicked() {
        commands.push(Command::Show(next));
    }
}

/// What a scenario without placements needs first, and where that is added.
pub fn next(scenario: &Scenario) -> (Page, &'static str) {
    if scenario.workloads.is_empty() {
        (Page::Workloads, "Begin with the work: add a workload class that says how much is asked for.")
    } else if scenario.environments.is_empty() {
        (Page::Environments, "Add an environment in which the work can run; a template has a line for each usual cost.")
    } else {
        (Page::Placements, "Add a placement that says which class runs in which environment.")
    }
}

/// The title of a page, with what stands beside it, on a line of 44 points.
fn head_ui<R>(ui: &mut Ui, title: &str, beside: impl FnOnce(&mut Ui) -> R) -> R {
    let spacing = std::mem::take(&mut ui.spacing_mut().item_spacing.y);
    let inner = ui.allocate_ui_with_layout(
        egui::vec2(ui.available_width(), 44.0),
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            ui.set_min_height(44.0);
            ui.label(RichText::new(title).font(theme::semibold(20.0)));
            beside(ui)
        },
    );
    ui.spacing_mut().item_spacing.y = spacing;
    inner.inner
}

/// A button of a page: an icon and a word.
fn tool_ui(ui: &mut Ui, icon: icons::Icon, name: &str) -> egui::Response {
    let palette = theme::Palette::of(ui.visuals());
    let word = super::widgets::text_width(ui.painter(), name, &theme::BODY).ceil();
    let (rect, response) = ui.allocate_exact_size(egui::vec2(word + 44.0, 24.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, name));
    let painter = ui.painter();
    painter.rect_filled(rect, 3, palette.filled(response.hovered(), palette.surface));
    let (stroke, colour) = if response.has_focus() { (2.0, palette.accent) } else { (1.0, palette.ctrl) };
    icons::border(painter, rect, 3, stroke, colour);
    icons::icon(painter, icon, egui::pos2(rect.min.x + 18.0, rect.center().y), 16.0, palette.text);
    let at = egui::pos2(rect.min.x + 32.0, rect.center().y);
    super::widgets::painted_text(painter, at, egui::Align2::LEFT_CENTER, name, &theme::BODY, palette.text);
    response
}

/// What the marks of evidence mean, mark before word.
fn evidence_legend_ui(ui: &mut Ui) {
    let palette = theme::Palette::of(ui.visuals());
    for kind in EvidenceKind::ALL {
        let word = kind.label().to_lowercase();
        let width = super::widgets::text_width(ui.painter(), &word, &theme::SMALL);
        let (rect, response) = ui.allocate_exact_size(egui::vec2(width.ceil() + 26.0, 18.0), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, &word));
        icons::evidence(ui.painter(), egui::pos2(rect.min.x + 7.0, rect.center().y), *kind, false, palette);
        let at = egui::pos2(rect.min.x + 18.0, rect.center().y);
        super::widgets::painted_text(ui.painter(), at, egui::Align2::LEFT_CENTER, &word, &theme::SMALL, palette.text2);
    }
}

/// The mark of an answer about an older scenario.
pub const OUT_OF_DATE: &str = "out of date";

/// The title of a chart or a table, its unit and scope after it.
fn title_ui(ui: &mut Ui, title: &str, scope: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let palette = theme::Palette::of(ui.visuals());
        ui.label(RichText::new(title).font(theme::semibold(13.0)));
        ui.label(RichText::new(scope).font(theme::SMALL).color(palette.text2));
    });
}

/// A chart in its frame, so wide, where there is one; what is asked of it becomes a command.
fn kept_chart_ui(
    ui: &mut Ui,
    charts: &mut Charts,
    (which, seen): (&Which, Seen<'_>),
    view: &View,
    width: f32,
    commands: &mut Vec<Command>,
) {
    let described = charts.described(which, seen, view);
    let Ok(chart) = &*described else { return };
    let shown = ChartShown {
        width: width.floor(),
        as_table: charts.tables.contains(which),
        figures: view.figures,
        currency: seen.snapshot.evaluation.currency,
    };
    let asked = ui.push_id(which, |ui| chart_ui(ui, chart, shown)).inner;
    commands.extend(asked.map(|asked| match asked {
        ChartAsked::Turn => Command::TurnChart(which.clone()),
        ChartAsked::Copy => Command::CopyChart(which.clone()),
        ChartAsked::Save => Command::SaveChart(which.clone()),
        ChartAsked::CopyTable => {
            let rows = chart.twin.plain(shown.currency);
            Command::Copy(tsv(&rows), format!("Copied the table of {}", chart.title))
        }
    }));
}
