//! The tornado: its bars in a list that is scrolled under its headings, how they are read, and what moves nothing.
//!
//! It draws what is described, and leads from a bar to its input.

use std::collections::HashSet;

use egui::{RichText, ScrollArea, Ui, vec2};

use super::{Computed, Page};
use crate::analysis::tornado::Answer;
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Snapshot;
use crate::app::paint::scene_ui;
use crate::app::theme::{self, Palette};
use crate::app::widgets::{ChartAsked, ChartShown, Told, banner_ui, framed_ui, painted_text, text_width};
use crate::chart::{Bars, Body, Chart, Tornado, tornado, tornado_head};
use crate::input::EvidenceKind;
use crate::scenario::InputRef;
use crate::show::Figures;
use crate::words;

use super::evidence_legend_ui;

/// Bars that are drawn before all are asked for.
pub(super) const FEW: usize = Bars::FEW;

impl Page<'_> {
    pub(super) fn tornado_ui(
        &self,
        ui: &mut Ui,
        chart: &Chart,
        shown: ChartShown,
        fresh: bool,
        commands: &mut Vec<Command>,
    ) -> Option<ChartAsked> {
        let Some(Ok(Computed { answer, of })) = self.bars.last().map(|last| &last.answer) else { return None };
        framed_ui(ui, chart, shown, |ui| {
            if let Body::Tornado(drawn) = &chart.body {
                self.drawn_ui(ui, (drawn, answer, of), shown, fresh, commands);
            }
        })
    }

    fn drawn_ui(
        &self,
        ui: &mut Ui,
        (drawn, answer, of): (&Tornado, &Answer, &Snapshot),
        shown: ChartShown,
        fresh: bool,
        commands: &mut Vec<Command>,
    ) {
        if drawn.bars.is_empty() {
            quiet_ui(ui, answer, of, self.view.figures);
            return;
        }
        let is_money = crate::analysis::figure::is_money(&answer.question.figure);
        let tick = |value| if is_money { shown.figures.short(value) } else { shown.figures.number(value) };
        let width = (shown.width - 16.0).max(560.0);
        // How it is read, and what its columns are, stays in sight while the bars are scrolled.
        reading_ui(ui, answer.question.against.is_some());
        ui.spacing_mut().item_spacing.y = 0.0;
        scene_ui(ui, "Headings of the tornado", &tornado_head(drawn, width), egui::Sense::hover());
        ScrollArea::vertical().id_salt("sensitivity").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let scene = tornado(drawn, width, &tick);
            let pressed = scene_ui(ui, "Tornado", &scene, egui::Sense::click());
            if let Some(bar) = pressed.and_then(|row| answer.bars.get(row)).filter(|_| fresh) {
                commands.push(Command::GoTo(first_input(of, &bar.path)));
            }
            if answer.bars.len() > FEW {
                let name = if self.view.all_bars {
                    format!("Show the {FEW} largest")
                } else {
                    format!("Show all {}", answer.bars.len())
                };
                if button(ui, &name, false).clicked() {
                    commands.push(Command::AllBars(!self.view.all_bars));
                }
            }
            measure_next_ui(ui, (drawn, answer), of);
            quiet_ui(ui, answer, of, self.view.figures);
            ui.add_space(24.0);
        });
    }
}

/// The input of a bar; of a group, the first one in it.
fn first_input(of: &Snapshot, path: &str) -> String {
    let group = path.strip_prefix("groups.").and_then(|id| of.scenario.groups.iter().find(|group| group.id == id));
    group.and_then(|group| group.inputs.first()).map_or_else(|| path.to_owned(), Clone::clone)
}

/// The longest bar that rests on an assumption is what to measure next.
fn measure_next_ui(ui: &mut Ui, (drawn, answer): (&Tornado, &Answer), of: &Snapshot) {
    let bars = drawn.bars.iter().zip(&answer.bars);
    let Some((drawn, bar)) = bars.into_iter().find(|(_, bar)| bar.evidence == EvidenceKind::Assumed) else { return };
    let name = of.input(&bar.path).map_or_else(|| bar.label.clone(), InputRef::full_label);
    let flips: String = drawn.flips.iter().map(|flip| format!(", and {}", flip.said)).collect();
    banner_ui(ui, "Measure next.", &format!("{name} is the longest assumed bar: swing {}{flips}.", drawn.swing_text));
}

fn quiet_ui(ui: &mut Ui, answer: &Answer, of: &Snapshot, figures: Figures) {
    for problem in &answer.failed {
        let palette = Palette::of(ui.visuals());
        ui.label(RichText::new(problem.to_string()).font(theme::SMALL).color(palette.error));
    }
    let unmoved = words::counted::moved(&of.scenario, answer.unmoved.len(), figures);
    let held: HashSet<&str> = answer.held.iter().map(String::as_str).collect();
    let held: Vec<&InputRef> = of.inputs.iter().filter(|input| held.contains(input.path.as_str())).collect();
    let (entered, defaults): (Vec<&InputRef>, Vec<&InputRef>) = held.into_iter().partition(|input| input.is_entered());
    let entered: Vec<String> = entered.into_iter().map(|input| input.path.clone()).collect();
    let fixed = words::counted::held(entered.len(), defaults.len(), figures);
    for (paths, title, inputs, is_any) in [
        (&answer.unmoved, "With a range and moving nothing", unmoved, !answer.unmoved.is_empty()),
        (&entered, "Without a range and held fixed", fixed, !answer.held.is_empty()),
    ] {
        if !is_any {
            continue;
        }
        let heading = RichText::new(format!("{title}: {inputs}")).font(theme::BODY);
        egui::CollapsingHeader::new(heading).id_salt(title).show(ui, |ui| {
            for path in paths {
                ui.label(of.input(path).map_or_else(|| path.clone(), InputRef::full_label));
            }
        });
    }
}

/// How the chart is read, in one line.
fn reading_ui(ui: &mut Ui, is_difference: bool) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let mut item = |paint: &dyn Fn(&egui::Painter, egui::Rect), text: &str| {
            let width = text_width(ui.painter(), text, &theme::SMALL).ceil();
            let (rect, response) = ui.allocate_exact_size(vec2(width + 42.0, 18.0), egui::Sense::hover());
            response.widget_info(|| egui::WidgetInfo::labeled(egui::accesskit::Role::Label, true, text));
            paint(ui.painter(), rect.with_max_x(rect.min.x + 24.0));
            let at = egui::pos2(rect.min.x + 30.0, rect.center().y);
            painted_text(ui.painter(), at, egui::Align2::LEFT_CENTER, text, &theme::SMALL, palette.text2);
            response
        };
        let half = |rect: egui::Rect, right: bool| {
            let bar = egui::Rect::from_center_size(rect.center(), vec2(24.0, 10.0)).round();
            if right { bar.with_min_x(bar.center().x) } else { bar.with_max_x(bar.center().x) }
        };
        item(
            &|painter, rect| {
                painter.rect_filled(half(rect, false), 0, palette.bar_low);
                painter.rect_filled(half(rect, true), 0, palette.bar_high);
            },
            "at its low, at its high",
        );
        item(
            &|painter, rect| {
                crate::app::icons::border(painter, half(rect, false), 0, 1.5, palette.bar_low);
                crate::app::icons::border(painter, half(rect, true), 0, 1.5, palette.bar_high);
            },
            "no range entered",
        );
        let ring = egui::Stroke::new(1.5, palette.text);
        let diamond = item(
            &|painter, rect| crate::app::icons::diamond(painter, rect.center(), 6.0, palette.surface, ring),
            if is_difference {
                "the preferred of all placements changes"
            } else {
                "the preferred placement changes"
            },
        );
        diamond.told(if is_difference {
            "Beside the bar stands which placement gives way to which, of all of them, and at which value of the input. \
             Which of the two shown costs less changes where a bar crosses the line at 0."
        } else {
            "Beside the bar stands which placement gives way to which, and at which value of the input."
        });
        evidence_legend_ui(ui);
    });
}
