//! A file that someone else has changed since it was opened: what they changed, what was changed here, and where both did.
//!
//! It compares three scenarios and draws the list. What is done about it is asked elsewhere.

use egui::{Grid, RichText, Ui, vec2};

use super::document::Document;
use super::files::{self, Refusal};
use super::theme::{self, Palette};
use super::widgets::{Told, elided};
use crate::scenario::diff::{Difference, differences};
use crate::show::Figures;
use crate::words::difference::{Part, parts};

/// What the file and the window differ by.
pub enum Conflict {
    Lines(Vec<Line>),
    /// The file can no longer be read as a scenario.
    Unreadable(Refusal),
}

/// One place that somebody has changed.
pub struct Line {
    label: String,
    opened: String,
    theirs: Option<String>,
    mine: Option<String>,
}

impl Conflict {
    pub fn of(document: &Document, path: &std::path::Path, figures: Figures) -> Self {
        let theirs = match files::open(path, None) {
            Ok((theirs, _)) => theirs,
            Err(refusal) => return Self::Unreadable(refusal),
        };
        let base = &document.saved().scenario;
        let side = |difference: Difference| Changed::of(&difference, figures);
        let theirs: Vec<Changed> = differences(base, &theirs.scenario).into_iter().map(side).collect();
        let mine: Vec<Changed> = differences(base, &document.base().scenario).into_iter().map(side).collect();
        Self::Lines(joined(theirs, mine))
    }
}

/// One place that one of them has changed.
struct Changed {
    path: String,
    label: String,
    before: String,
    after: String,
}

impl Changed {
    fn of(difference: &Difference, figures: Figures) -> Self {
        let all = parts(&difference.read, &|number| figures.number(number.decimal()));
        let side = |of: fn(&Part) -> &String| {
            let texts: Vec<String> = all.iter().map(|part| format!("{}{}", part.name, of(part))).collect();
            texts.join(", ")
        };
        let (before, after) = (side(|part| &part.before), side(|part| &part.after));
        Self { path: difference.path.clone(), label: difference.label.clone(), before, after }
    }
}

/// What they changed, with what was changed here at the same place; then what only was changed here.
fn joined(theirs: Vec<Changed>, mine: Vec<Changed>) -> Vec<Line> {
    let mut mine: Vec<Option<Changed>> = mine.into_iter().map(Some).collect();
    let mut lines: Vec<Line> = Vec::new();
    for changed in theirs {
        let same = mine.iter_mut().find(|own| own.as_ref().is_some_and(|own| own.path == changed.path));
        let own = same.and_then(Option::take).map(|own| own.after);
        lines.push(Line { label: changed.label, opened: changed.before, theirs: Some(changed.after), mine: own });
    }
    let rest = mine.into_iter().flatten();
    lines.extend(rest.map(|own| Line { label: own.label, opened: own.before, theirs: None, mine: Some(own.after) }));
    lines
}

/// How wide a column of the list is.
const COLUMN: f32 = 150.0;
const NAMES: f32 = 250.0;
pub const WIDTH: f32 = NAMES + 3.0 * (COLUMN + 12.0) + 20.0;

impl Conflict {
    pub fn ui(&self, ui: &mut Ui, height: f32) {
        let lines = match self {
            Self::Lines(lines) => lines,
            Self::Unreadable(refusal) => {
                ui.label("What is in the file now cannot be read as a scenario:");
                refusal.findings.iter().take(5).for_each(|finding| {
                    ui.label(finding);
                });
                return;
            }
        };
        if lines.iter().all(|line| line.theirs.is_none()) {
            ui.label("Only the text of the file differs; it states the same scenario as before.");
        }
        if lines.is_empty() {
            return;
        }
        let both = lines.iter().filter(|line| line.theirs.is_some() && line.mine.is_some()).count();
        if 0 < both {
            let places = if both == 1 { "At 1 place".to_owned() } else { format!("At {both} places") };
            ui.label(format!("{places} both have changed the same."));
        }
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| grid_ui(ui, lines));
    }
}

fn grid_ui(ui: &mut Ui, lines: &[Line]) {
    let palette = Palette::of(ui.visuals());
    Grid::new("conflict").spacing(vec2(12.0, 4.0)).show(ui, |ui| {
        for heading in ["What", "When opened", "In the file now", "Here"] {
            ui.label(RichText::new(heading).font(theme::SMALL).color(palette.text2));
        }
        ui.end_row();
        for line in lines {
            let both = line.theirs.is_some() && line.mine.is_some();
            cell_ui(ui, &line.label, NAMES, palette.text);
            cell_ui(ui, &line.opened, COLUMN, palette.text2);
            let ink = if both { palette.error } else { palette.text };
            for side in [&line.theirs, &line.mine] {
                let text = side.as_deref().unwrap_or("as it was");
                cell_ui(ui, text, COLUMN, if side.is_some() { ink } else { palette.text3 });
            }
            ui.end_row();
        }
    });
}

fn cell_ui(ui: &mut Ui, text: &str, width: f32, ink: egui::Color32) {
    let shown = elided(ui.painter(), text, &theme::BODY, width);
    let label = ui.add(egui::Label::new(RichText::new(&shown).color(ink)).selectable(false));
    let label = label.accessible_name(text);
    if shown != text {
        label.told(text);
    }
}
