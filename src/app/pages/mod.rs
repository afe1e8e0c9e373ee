//! The pages of the window. Each shows the scenario from one side and returns what a person asked for.

pub mod compare;
pub mod inputs;
pub mod ledger;
pub mod published;
pub mod sensitivity;

use egui::{RichText, Ui};

use super::theme;

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

/// The title of a chart or a table, its unit and scope after it.
fn title_ui(ui: &mut Ui, title: &str, scope: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let palette = theme::Palette::of(ui.visuals());
        ui.label(RichText::new(title).font(theme::semibold(13.0)));
        ui.label(RichText::new(scope).font(theme::SMALL).color(palette.text2));
    });
}
