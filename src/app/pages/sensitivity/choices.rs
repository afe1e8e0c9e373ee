//! What is chosen for each question of the page: figure, placements, inputs.
//!
//! It lists what there is to choose from and returns what was chosen.

use egui::{RichText, Ui};

use super::{Page, figures};
use crate::analysis::{base_size, moves};
use crate::app::command::Command;
use crate::app::drivers::{Choices, Driver, LINES, STEPS, Wish, are_apart};
use crate::app::pages::compare::placements;
use crate::app::theme::{self, Palette};
use crate::app::view::TornadoChoice;
use crate::app::widgets::{Entry, choice_ui, segments_ui, text_width};
use crate::chart::Along;
use crate::scenario::InputRef;

impl Page<'_> {
    pub(super) fn choices_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.horizontal_wrapped(|ui| {
            ui.set_min_height(32.0);
            match self.driver() {
                Driver::Tornado => self.bars_ui(ui, commands),
                Driver::Spider => {
                    self.bars_ui(ui, commands);
                    self.spider_ui(ui, commands);
                }
                Driver::SwitchOver => self.switch_over_ui(ui, commands),
                Driver::Map => self.map_ui(ui, commands),
                Driver::BaseSize => self.base_size_ui(ui, commands),
                Driver::Cases => self.figure_ui(ui, commands),
            }
        });
    }

    fn choose(&self, commands: &mut Vec<Command>, change: impl FnOnce(&mut Choices)) {
        let mut choices = self.view.drivers.clone();
        change(&mut choices);
        commands.push(Command::Drivers(Wish::Choose(choices)));
    }

    fn figure_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let choice = &self.view.tornado;
        caption_ui(ui, "Figure", 180.0);
        let entries: Vec<Entry> =
            figures(&self.document.now().scenario).into_iter().map(|(_, name)| Entry::plain(name)).collect();
        if let Some(figure) = choice_ui(ui, "Figure", &entries, choice.figure, 180.0) {
            commands.push(Command::Tornado(TornadoChoice { figure, ..choice.clone() }));
        }
    }

    fn bars_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        self.figure_ui(ui, commands);
        let choice = &self.view.tornado;
        let results = &self.document.now().evaluation.placements;
        // In a narrow window the lists are narrower, and still all there.
        let width = ((ui.max_rect().width() - 380.0) / 2.0).clamp(96.0, 220.0);
        caption_ui(ui, "Placement", width);
        if let Some(placement) = choice_ui(ui, "Placement", &placements(results), choice.placement, width) {
            let against = choice.against.filter(|against| *against != placement);
            commands.push(Command::Tornado(TornadoChoice { placement, against, ..choice.clone() }));
        }
        caption_ui(ui, "Against", width);
        let others = self.others(choice.placement);
        let mut entries = vec![Entry::plain("nothing: the figure itself")];
        entries.extend(others.iter().map(|&i| Entry { badge: Some(i), text: results[i].name.clone() }));
        let current = choice.against.and_then(|against| others.iter().position(|i| *i == against)).map_or(0, |i| i + 1);
        if let Some(chosen) = choice_ui(ui, "Against", &entries, current, width) {
            let against = chosen.checked_sub(1).and_then(|i| others.get(i).copied());
            commands.push(Command::Tornado(TornadoChoice { against, ..choice.clone() }));
        }
    }

    fn others(&self, placement: usize) -> Vec<usize> {
        (0..self.document.now().evaluation.placements.len()).filter(|i| *i != placement).collect()
    }

    fn spider_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let choices = &self.view.drivers;
        caption_ui(ui, "Lines", 180.0);
        let names = LINES.map(|lines| if lines == usize::MAX { "All".to_owned() } else { lines.to_string() });
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(lines) = segments_ui(ui, "Lines", &names, choices.lines, 24.0) {
            self.choose(commands, |choices| choices.lines = lines);
        }
        caption_ui(ui, "Along", 240.0);
        let names = Along::ALL.map(Along::name);
        let current = Along::ALL.iter().position(|along| *along == choices.along).unwrap_or_default();
        if let Some(along) = segments_ui(ui, "Along", &names, current, 24.0).and_then(|i| Along::ALL.get(i)) {
            self.choose(commands, |choices| choices.along = *along);
        }
        caption_ui(ui, "Highlight", 240.0);
        let bars = self.bars.last().and_then(|last| last.answer.as_ref().ok()).map(|of| &of.answer.bars);
        let paths: Vec<&String> = bars.into_iter().flatten().map(|bar| &bar.path).collect();
        let mut entries = vec![Entry::plain("no line")];
        entries.extend(paths.iter().map(|path| Entry::plain(self.label(path))));
        let current = choices.line.as_ref().and_then(|line| paths.iter().position(|path| *path == line));
        if let Some(chosen) = choice_ui(ui, "Highlight", &entries, current.map_or(0, |i| i + 1), 240.0) {
            let line = chosen.checked_sub(1).and_then(|i| paths.get(i)).map(|path| (*path).clone());
            self.choose(commands, |choices| choices.line = line);
        }
    }

    fn switch_over_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let choices = &self.view.drivers;
        caption_ui(ui, "Input", 260.0);
        let paths = self.movable();
        if let Some(path) = self.path_ui(ui, "Input", &paths, choices.input.as_deref()) {
            self.choose(commands, |choices| choices.input = Some(path));
        }
        self.figure_ui(ui, commands);
        let results = &self.document.now().evaluation.placements;
        caption_ui(ui, "Between", 180.0);
        let mut entries = vec![Entry::plain("all: which is preferred")];
        entries.extend(placements(results));
        let current = choices.between.map_or(0, |[first, _]| first + 1);
        if let Some(chosen) = choice_ui(ui, "Between", &entries, current, 180.0) {
            let between = chosen.checked_sub(1).and_then(|first| {
                let second = choices.between.map(|[_, second]| second).filter(|second| *second != first);
                Some([first, second.or_else(|| self.others(first).first().copied())?])
            });
            self.choose(commands, |choices| choices.between = between);
        }
        let Some([first, second]) = choices.between else { return };
        caption_ui(ui, "and", 180.0);
        let others = self.others(first);
        let entries: Vec<Entry> =
            others.iter().map(|&i| Entry { badge: Some(i), text: results[i].name.clone() }).collect();
        let current = others.iter().position(|i| *i == second).unwrap_or_default();
        if let Some(second) = choice_ui(ui, "And", &entries, current, 180.0).and_then(|i| others.get(i).copied()) {
            self.choose(commands, |choices| choices.between = Some([first, second]));
        }
    }

    fn map_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let choices = &self.view.drivers;
        let scenario = &self.document.now().scenario;
        let all = self.movable();
        let apart = |from: Option<&String>| -> Vec<String> {
            let is_apart = |path: &&String| from.is_none_or(|from| are_apart(scenario, from, path));
            all.iter().filter(is_apart).cloned().collect()
        };
        caption_ui(ui, "Across", 260.0);
        if let Some(path) = self.path_ui(ui, "Across", &apart(choices.down.as_ref()), choices.across.as_deref()) {
            self.choose(commands, |choices| choices.across = Some(path));
        }
        caption_ui(ui, "Down", 260.0);
        if let Some(path) = self.path_ui(ui, "Down", &apart(choices.across.as_ref()), choices.down.as_deref()) {
            self.choose(commands, |choices| choices.down = Some(path));
        }
        self.figure_ui(ui, commands);
        caption_ui(ui, "Steps", 160.0);
        let names = STEPS.map(|steps| steps.to_string());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(steps) = segments_ui(ui, "Steps", &names, choices.steps, 24.0) {
            self.choose(commands, |choices| choices.steps = steps);
        }
    }

    fn base_size_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let scenario = &self.document.now().scenario;
        let entry = |question: base_size::Question| {
            let placement = scenario.placements.get(question.placement).map_or("", |placement| placement.name.as_str());
            let environment = scenario.environments.iter().find(|known| known.id == question.environment);
            let environment = environment.map_or("", |environment| environment.name.as_str());
            Entry { badge: Some(question.placement), text: format!("{placement}: nodes of {environment}") }
        };
        let entries: Vec<Entry> = base_size::hybrids(scenario).into_iter().map(entry).collect();
        caption_ui(ui, "Placement", 380.0);
        if let Some(hybrid) = choice_ui(ui, "Placement and environment", &entries, self.view.drivers.hybrid, 380.0) {
            self.choose(commands, |choices| choices.hybrid = hybrid);
        }
    }

    fn movable(&self) -> Vec<String> {
        let snapshot = self.document.now();
        moves::movable(&snapshot.scenario, &snapshot.inputs)
    }

    /// A list of inputs and groups, of which one is chosen.
    fn path_ui(&self, ui: &mut Ui, name: &str, paths: &[String], current: Option<&str>) -> Option<String> {
        let entries: Vec<Entry> = paths.iter().map(|path| Entry::plain(self.label(path))).collect();
        let place = current.and_then(|current| paths.iter().position(|path| path == current));
        let chosen = choice_ui(ui, name, &entries, place.unwrap_or(usize::MAX), 260.0)?;
        paths.get(chosen).cloned()
    }

    /// What an input or a group is called in a list.
    pub(super) fn label(&self, path: &str) -> String {
        let snapshot = self.document.now();
        if let Some(input) = snapshot.input(path) {
            return InputRef::full_label(input);
        }
        let group = path.strip_prefix("groups.").and_then(|id| snapshot.scenario.groups.iter().find(|of| of.id == id));
        group.map_or_else(|| path.to_owned(), |group| format!("Group: {}", group.name))
    }
}

/// The name of a choice that takes so much room, on the next line where both do not fit on this one.
fn caption_ui(ui: &mut Ui, text: &str, room: f32) {
    let wanted = text_width(ui.painter(), text, &theme::SMALL) + ui.spacing().item_spacing.x + room;
    if ui.available_size_before_wrap().x < wanted {
        ui.end_row();
    }
    ui.label(RichText::new(text).font(theme::SMALL).color(Palette::of(ui.visuals()).text2));
}
