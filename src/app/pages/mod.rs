//! The pages of the window. Each shows the scenario from one side and returns what a person asked for.

pub mod compare;
pub mod elements;
pub mod inputs;
pub mod ledger;
pub mod published;
pub mod sensitivity;

use egui::{RichText, Ui};

use super::{icons, theme};
use crate::input::EvidenceKind;

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

/// The title of a chart or a table, its unit and scope after it.
fn title_ui(ui: &mut Ui, title: &str, scope: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let palette = theme::Palette::of(ui.visuals());
        ui.label(RichText::new(title).font(theme::semibold(13.0)));
        ui.label(RichText::new(scope).font(theme::SMALL).color(palette.text2));
    });
}
