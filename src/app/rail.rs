//! The pages at the left, and the line at the bottom.
//!
//! It knows which pages exist, and nothing of what they show.

use egui::accesskit::Role;
use egui::{Align2, Rect, RichText, Sense, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::icons::{self, Icon};
use super::theme::{self, Palette};
use super::view::Page;
use super::widgets::{Told, painted_text, tag};

/// `overdue` is how many inputs are past their review date.
pub fn rail_ui(ui: &mut Ui, current: Page, overdue: usize, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    ui.add_space(8.0);
    for page in Page::ALL {
        if matches!(page, Page::Scenario | Page::Sensitivity | Page::Ledger) {
            rule_ui(ui);
        }
        let open = if page == Page::Evidence { overdue } else { 0 };
        page_ui(ui, page, page == current, open, commands);
    }
}

fn rule_ui(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 13.0), Sense::hover());
    let line = Rect::from_min_max(pos2(rect.min.x + 12.0, rect.min.y + 6.0), pos2(rect.max.x - 12.0, rect.min.y + 7.0));
    ui.painter().rect_filled(line, 0, Palette::of(ui.visuals()).line);
}

fn page_ui(ui: &mut Ui, page: Page, selected: bool, open: usize, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 28.0), Sense::click());
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    response.widget_info(|| {
        let mut info = WidgetInfo::selected(Role::Tab, true, selected, page.name());
        info.current_text_value = (open > 0).then(|| overdue_said(open));
        info
    });
    if selected {
        painter.rect_filled(rect, 0, palette.sel);
        painter.rect_filled(rect.with_max_x(rect.min.x + 3.0), 0, palette.accent);
    } else if response.hovered() {
        painter.rect_filled(rect, 0, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, rect, 0, 2.0, palette.accent);
    }
    let (ink, font) = if selected { (palette.text, theme::semibold(13.0)) } else { (palette.text2, theme::BODY) };
    icons::icon(painter, icon(page), pos2(rect.min.x + 24.0, rect.center().y), 16.0, ink);
    painted_text(painter, pos2(rect.min.x + 40.0, rect.center().y), Align2::LEFT_CENTER, page.name(), &font, ink);
    if response.clicked() {
        commands.push(Command::Show(page));
    }
    if open > 0 {
        badge(ui, pos2(rect.max.x - 8.0, rect.center().y), open);
        response.told(overdue_said(open));
    }
}

fn badge(ui: &Ui, right: egui::Pos2, open: usize) {
    let palette = Palette::of(ui.visuals());
    tag(ui.painter(), right, &open.to_string(), palette.warnbg, palette.warn);
}

fn overdue_said(open: usize) -> String {
    if open == 1 { "1 review date has passed".to_owned() } else { format!("{open} review dates have passed") }
}

/// The published cases are reached from the menu, and stand at the left in no row.
const fn icon(page: Page) -> Icon {
    match page {
        Page::Compare => Icon::Compare,
        Page::Scenario => Icon::Scenario,
        Page::Workloads => Icon::Workloads,
        Page::Environments => Icon::Environments,
        Page::Placements => Icon::Placements,
        Page::Sensitivity => Icon::Sensitivity,
        Page::Uncertainty => Icon::Uncertainty,
        Page::Ledger => Icon::Ledger,
        Page::Evidence | Page::Differences | Page::Published => Icon::Evidence,
    }
}

/// What is odd, what happened last, and how large the scenario is. In a narrow window what happened last comes first.
pub fn status_ui(ui: &mut Ui, warnings: usize, notice: &str, beside: &[&str], commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let small = |text: &str| RichText::new(text).font(theme::SMALL).color(palette.text2);
    ui.horizontal_centered(|ui| {
        ui.add_space(12.0);
        if warnings > 0 && warnings_ui(ui, warnings) {
            commands.push(Command::Warnings);
        }
        let zoom = format!("{} %", (ui.ctx().zoom_factor() * 100.0).round());
        let width = |ui: &Ui, text: &str| super::widgets::text_width(ui.painter(), text, &theme::SMALL) + 16.0;
        let mut left = ui.available_width() - 20.0 - width(ui, &zoom);
        let wanted = width(ui, notice).min(240.0);
        let mut shown_beside = vec![zoom.as_str()];
        for text in beside.iter().filter(|text| !text.is_empty()) {
            if width(ui, text) + wanted <= left {
                left -= width(ui, text);
                shown_beside.push(text);
            }
        }
        let shown = super::widgets::elided(ui.painter(), notice, &theme::SMALL, left.max(0.0));
        let label = ui.label(small(&shown));
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, notice));
        if shown != notice {
            label.told(notice);
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add_space(12.0);
            for text in shown_beside {
                ui.label(small(text));
                ui.add_space(8.0);
            }
        });
    });
}

fn warnings_ui(ui: &mut Ui, warnings: usize) -> bool {
    let palette = Palette::of(ui.visuals());
    let text = if warnings == 1 { "1 warning".to_owned() } else { format!("{warnings} warnings") };
    let width = super::widgets::text_width(ui.painter(), &text, &theme::SMALL) + 28.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width.ceil(), 20.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
    if response.hovered() {
        ui.painter().rect_filled(rect, 2, palette.hover);
    }
    if response.has_focus() {
        icons::border(ui.painter(), rect, 2, 2.0, palette.accent);
    }
    icons::warning(ui.painter(), pos2(rect.min.x + 9.0, rect.center().y), palette);
    let at = pos2(rect.min.x + 20.0, rect.center().y);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, &text, &theme::SMALL, palette.warn);
    response.clicked()
}
