//! Sensitivity.

use egui::Ui;

use crate::app::command::Command;
use crate::app::document::Snapshot;
use crate::app::view::View;

pub fn sensitivity_ui(_: &mut Ui, _: &Snapshot, _: &View, _: &mut Vec<Command>) {}
