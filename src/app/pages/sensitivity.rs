//! Sensitivity: how far each input moves a figure, as a tornado computed beside the window.
//!
//! It asks, shows what was answered, and greys what answers an older scenario. It evaluates nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use egui::{RichText, ScrollArea, Ui, vec2};
use rust_decimal::Decimal;

use crate::analysis::compare;
use crate::analysis::figure::is_money;
use crate::analysis::range::RangeKind;
use crate::analysis::register::is_overdue;
use crate::analysis::tornado::{Answer, Bar, Outcome, Question as Asked, Runner, Search, Switch, Tornado as Plan};
use crate::app::command::Command;
use crate::app::dialogs::button;
use crate::app::document::Snapshot;
use crate::app::edit;
use crate::app::fields::shown_unit;
use crate::app::paint::scene_ui;
use crate::app::swings::{minor, result_text, switch_text};
use crate::app::theme::{self, Palette};
use crate::app::view::{TornadoChoice, View};
use crate::app::widgets::{Entry, Told, banner_ui, choice_ui, painted_text, text_width};
use crate::app::worker::{Answered, Progress, Worker};
use crate::chart::{Flip, Sides, Tornado, TornadoBar, tornado, tornado_head};
use crate::cli::parallel::in_parallel;
use crate::engine::Figure;
use crate::input::EvidenceKind;
use crate::scenario::calendar::Date;
use crate::scenario::{InputRef, Scenario};
use crate::show::{Cell, in_words};

use super::compare::placements;
use super::{evidence_legend_ui, head_ui, title_ui};

/// What the worker is asked: which scenario, by its revision, and what of it.
pub type Question = (u64, TornadoChoice);
pub type Sensitivity = Worker<Question, Result<Answer, String>>;

/// Bars that are drawn before all are asked for.
const FEW: usize = 14;
/// The room in which the ends of a bar are written out beside it.
const ROOMY: f32 = 800.0;

pub struct Page<'a> {
    pub snapshot: &'a Snapshot,
    pub view: &'a View,
    pub worker: &'a Sensitivity,
    pub question: Question,
    pub today: Option<Date>,
}

impl Page<'_> {
    pub fn ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        ui.spacing_mut().item_spacing.y = 8.0;
        head_ui(ui, "Sensitivity", |ui| self.state_ui(ui, commands));
        self.choices_ui(ui, commands);
        match self.worker.last() {
            Some(Answered { answer: Ok(answer), question, .. }) => {
                let fresh = *question == self.question;
                // An answer about something else looks older, and never stands under the new question's title.
                if !fresh {
                    ui.set_opacity(0.4);
                }
                self.answer_ui(ui, answer, &question.1, fresh, commands);
            }
            Some(Answered { answer: Err(reason), .. }) => {
                ui.label(reason);
            }
            None => {
                ui.add_space(16.0);
                ui.label("The tornado is being computed.");
            }
        }
    }

    /// How far the computation is, or how much it was.
    fn state_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let palette = Palette::of(ui.visuals());
        let small = |text: String| RichText::new(text).font(theme::SMALL).color(palette.text2);
        ui.label(small("one input at a time, from its low to its high".to_owned()));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if let Some((done, all)) = self.worker.progress() {
                if button(ui, "Stop", false).clicked() {
                    commands.push(Command::StopTornado);
                }
                ui.label(small(format!("Computing {done} of {all}")));
            } else if self.worker.is_stopped() {
                if button(ui, "Compute", true).clicked() {
                    commands.push(Command::StartTornado);
                }
                ui.label(small("Stopped".to_owned()));
            } else if let Some(Answered { answer: Ok(answer), took, .. }) = self.worker.last() {
                let moved = answer.bars.len();
                let all = moved + answer.unmoved.len();
                ui.label(small(format!("{moved} of {all} inputs with a range move it, {} ms", took.as_millis())));
            }
        });
    }

    fn choices_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let choice = &self.view.tornado;
        let results = &self.snapshot.evaluation.placements;
        ui.horizontal(|ui| {
            ui.set_min_height(32.0);
            let caption = |ui: &mut Ui, text: &str| {
                ui.label(RichText::new(text).font(theme::SMALL).color(Palette::of(ui.visuals()).text2));
            };
            // In a narrow window the lists are narrower, and still all there.
            let width = ((ui.available_width() - 190.0) / 3.0).clamp(96.0, 220.0);
            caption(ui, "Figure");
            let entries: Vec<Entry> =
                figures(&self.snapshot.scenario).into_iter().map(|(_, name)| Entry::plain(name)).collect();
            if let Some(figure) = choice_ui(ui, "Figure", &entries, choice.figure, width.min(196.0)) {
                commands.push(Command::Tornado(TornadoChoice { figure, ..choice.clone() }));
            }
            caption(ui, "Placement");
            if let Some(placement) = choice_ui(ui, "Placement", &placements(results), choice.placement, width) {
                let against = choice.against.filter(|against| *against != placement);
                commands.push(Command::Tornado(TornadoChoice { placement, against, ..choice.clone() }));
            }
            caption(ui, "Against");
            let others: Vec<usize> = (0..results.len()).filter(|i| *i != choice.placement).collect();
            let mut entries = vec![Entry::plain("nothing: the figure itself")];
            entries.extend(others.iter().map(|&i| Entry { badge: Some(i), text: results[i].name.clone() }));
            let current =
                choice.against.and_then(|against| others.iter().position(|i| *i == against)).map_or(0, |i| i + 1);
            if let Some(chosen) = choice_ui(ui, "Against", &entries, current, width) {
                let against = chosen.checked_sub(1).and_then(|i| others.get(i).copied());
                commands.push(Command::Tornado(TornadoChoice { against, ..choice.clone() }));
            }
        });
    }

    fn answer_ui(&self, ui: &mut Ui, answer: &Answer, asked: &TornadoChoice, fresh: bool, commands: &mut Vec<Command>) {
        let shown = if self.view.all_bars { answer.bars.len() } else { answer.bars.len().min(FEW) };
        title_ui(ui, &self.title(asked), &self.scope(answer, shown, fresh));
        if answer.bars.is_empty() {
            ui.label("No input with a range moves this figure. Give inputs a low and a high to see what they move.");
            return;
        }
        let shifted = self.shifting(asked);
        let chart = self.chart(answer, asked, &answer.bars[..shown], ui.available_width() < ROOMY);
        let tick = |value| if shifted { self.view.figures.short(value) } else { self.view.figures.number(value) };
        let width = (ui.available_width() - 16.0).max(560.0);
        // How it is read, and what its columns are, stays in sight while the bars are scrolled.
        reading_ui(ui, asked.against.is_some());
        ui.spacing_mut().item_spacing.y = 0.0;
        scene_ui(ui, "Headings of the tornado", &tornado_head(&chart, width), egui::Sense::hover());
        ScrollArea::vertical().id_salt("sensitivity").auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            let scene = tornado(&chart, width, &tick);
            let pressed = scene_ui(ui, "Tornado", &scene, egui::Sense::click());
            if let Some(bar) = pressed.and_then(|row| answer.bars.get(row)).filter(|_| fresh) {
                commands.push(Command::GoTo(self.first_input(&bar.path)));
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
            self.measure_next_ui(ui, answer, asked);
            self.quiet_ui(ui, answer);
            ui.add_space(24.0);
        });
    }

    /// Whether the figure is an amount of money, whose ticks are shortened.
    fn shifting(&self, asked: &TornadoChoice) -> bool {
        is_shifting(&self.snapshot.scenario, asked)
    }

    fn title(&self, asked: &TornadoChoice) -> String {
        let figure =
            figures(&self.snapshot.scenario).into_iter().nth(asked.figure).map_or_else(String::new, |(_, name)| name);
        let letter = crate::app::icons::letter;
        match asked.against {
            Some(against) => format!("{figure} of {} less that of {}", letter(asked.placement), letter(against)),
            None => format!("{figure} of {}", letter(asked.placement)),
        }
    }

    fn scope(&self, answer: &Answer, shown: usize, fresh: bool) -> String {
        let scenario = &self.snapshot.scenario;
        let scale = self.view.figures.scale.word();
        let which = if shown < answer.bars.len() {
            format!("the {shown} largest of {}", answer.bars.len())
        } else {
            format!("all {shown} that move it")
        };
        let old = if fresh { "" } else { "out of date: " };
        let months = crate::scenario::problem::months(scenario.horizon_months);
        format!("{old}{}{scale}, {months}, {which}", scenario.currency)
    }

    fn chart(&self, answer: &Answer, asked: &TornadoChoice, bars: &[Bar], brief: bool) -> Tornado {
        Tornado {
            base: pixels(answer.base),
            base_text: self.text(asked, answer.base),
            sides: asked.against.map(|against| Sides { less: asked.placement, against }),
            bars: bars.iter().map(|bar| self.bar(asked, bar, brief)).collect(),
        }
    }

    /// Beside a `brief` bar stand three digits of each end, so that there is room for the bar.
    fn bar(&self, asked: &TornadoChoice, bar: &Bar, brief: bool) -> TornadoBar {
        let end = |value| if brief { self.brief(asked, value) } else { self.text(asked, value) };
        let input = self.input(&bar.path);
        let results: Vec<f64> = bar.results.iter().map(|result| pixels(*result)).collect();
        let members = if input.is_some() { Vec::new() } else { self.members(&bar.path) };
        TornadoBar {
            label: input.map_or_else(|| bar.label.clone(), |input| input.label.clone()),
            place: match (input, members.len()) {
                (Some(input), _) => input.place().unwrap_or("Scenario").to_owned(),
                (None, 1) => "1 input by itself".to_owned(),
                (None, count) => format!("{count} inputs together"),
            },
            range: input.map_or_else(|| "0 – 100".to_owned(), |input| self.range(input, bar)),
            unit: input.map_or_else(|| "% of range".to_owned(), shown_unit),
            members,
            kind: bar.evidence,
            overdue: is_overdue(input.and_then(|input| input.input.evidence()), self.today),
            stated: bar.range == RangeKind::Stated,
            at_low: results.first().copied().unwrap_or_default(),
            at_high: results.last().copied().unwrap_or_default(),
            least: pixels(bar.least),
            greatest: pixels(bar.greatest),
            least_text: end(bar.least),
            greatest_text: end(bar.greatest),
            swing_text: self.text(asked, bar.swing),
            flips: self.flips(bar, &results),
        }
    }

    /// The ends of a bar's range, as the cells of the input show them.
    fn range(&self, input: &InputRef, bar: &Bar) -> String {
        let shown = |value: Decimal| in_words(&self.view.figures.cell(value, edit::cell(input)));
        ends(&shown(bar.low.decimal()), &shown(bar.high.decimal()))
    }

    /// The inputs of a group, each with the range that it states.
    fn members(&self, path: &str) -> Vec<String> {
        let of_group = |input: &&InputRef| self.group(path).is_some_and(|group| group.inputs.contains(&input.path));
        let member = |input: &InputRef| {
            let shown = |value: Decimal| in_words(&self.view.figures.cell(value, edit::cell(input)));
            let range =
                input.input.range().map(|range| ends(&shown(range.low.decimal()), &shown(range.high.decimal())));
            let range = range.unwrap_or_else(|| "the default range".to_owned());
            format!("{}: {range} {}", input.full_label(), shown_unit(input))
        };
        self.snapshot.inputs.iter().filter(of_group).map(member).collect()
    }

    /// Where along the bar the preferred placement changes, and from which to which: between the two points around the
    /// switch-over value.
    fn flips(&self, bar: &Bar, results: &[f64]) -> Vec<Flip> {
        let inputs: Vec<f64> = bar.inputs.iter().map(|input| input.num().approximate()).collect();
        let along = |value: f64| {
            let next = inputs.iter().position(|input| value <= *input).unwrap_or(inputs.len().saturating_sub(1)).max(1);
            let (x0, x1) = (*inputs.get(next - 1)?, *inputs.get(next)?);
            let (y0, y1) = (*results.get(next - 1)?, *results.get(next)?);
            let share = if x1 > x0 { ((value - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { 0.0 };
            Some(y0 + share * (y1 - y0))
        };
        let flip = |switch: &Switch| {
            let (result, at) = (along(switch.at?.num().approximate())?, self.switch_value(bar, switch.at?.decimal()));
            let letter = |place: Option<usize>| place.map_or_else(|| "none".to_owned(), crate::app::icons::letter);
            let name = |place: Option<usize>| place.map_or_else(|| "none".to_owned(), |place| self.named(place));
            let text = format!("{} → {} at {at}", letter(switch.from), letter(switch.to));
            let said = format!("preferred changes from {} to {} at {at}", name(switch.from), name(switch.to));
            Some(Flip { result, text, said })
        };
        bar.switches.iter().filter_map(flip).collect()
    }

    /// The value at which the preference changes, as the cell of the input would show it; of a group, the share of its range.
    fn switch_value(&self, bar: &Bar, value: Decimal) -> String {
        let figures = self.view.figures;
        let Some(input) = self.input(&bar.path) else {
            return format!("{} % of range", figures.rounded(Cell::Percent.shown(value), 0));
        };
        switch_text(figures, input, value)
    }

    fn named(&self, placement: usize) -> String {
        let name = self.snapshot.evaluation.placements.get(placement).map_or("", |placement| placement.name.as_str());
        format!("{} {name}", crate::app::icons::letter(placement))
    }

    fn group(&self, path: &str) -> Option<&crate::scenario::Group> {
        let id = path.strip_prefix("groups.")?;
        self.snapshot.scenario.groups.iter().find(|group| group.id == id)
    }

    /// The input of a bar; of a group, the first one in it.
    fn first_input(&self, path: &str) -> String {
        let first = self.group(path).and_then(|group| group.inputs.first());
        first.map_or_else(|| path.to_owned(), Clone::clone)
    }

    fn input(&self, path: &str) -> Option<&InputRef> {
        self.snapshot.inputs.iter().find(|input| input.path == path)
    }

    /// A result as text: money at the scale of the window, a ratio with its significant digits.
    fn text(&self, asked: &TornadoChoice, value: Decimal) -> String {
        result_text(self.snapshot, self.view.figures, asked, value)
    }

    fn brief(&self, asked: &TornadoChoice, value: Decimal) -> String {
        let digits = self.snapshot.evaluation.currency.minor_digits;
        match minor(value, digits).filter(|_| self.shifting(asked)) {
            Some(minor) => self.view.figures.brief(minor, digits),
            None => self.text(asked, value),
        }
    }

    /// The longest bar that rests on an assumption is what to measure next.
    fn measure_next_ui(&self, ui: &mut Ui, answer: &Answer, asked: &TornadoChoice) {
        let Some(bar) = answer.bars.iter().find(|bar| bar.evidence == EvidenceKind::Assumed) else { return };
        let input = self.input(&bar.path);
        let name = input.map_or_else(|| bar.label.clone(), InputRef::full_label);
        let results: Vec<f64> = bar.results.iter().map(|result| pixels(*result)).collect();
        let flips: String = self.flips(bar, &results).iter().map(|flip| format!(", and {}", flip.said)).collect();
        banner_ui(
            ui,
            "Measure next.",
            &format!("{name} is the longest assumed bar: swing {}{flips}.", self.text(asked, bar.swing)),
        );
    }

    fn quiet_ui(&self, ui: &mut Ui, answer: &Answer) {
        for problem in &answer.failed {
            let palette = Palette::of(ui.visuals());
            ui.label(RichText::new(problem.to_string()).font(theme::SMALL).color(palette.error));
        }
        for (paths, title, why) in [
            (&answer.unmoved, "Move nothing", "inputs with a range that leave this figure as it is"),
            (&answer.held, "Held fixed", "inputs without a range"),
        ] {
            if paths.is_empty() {
                continue;
            }
            let heading = RichText::new(format!("{title}: {} {why}", paths.len())).font(theme::BODY);
            egui::CollapsingHeader::new(heading).id_salt(title).show(ui, |ui| {
                for path in paths {
                    ui.label(self.input(path).map_or_else(|| path.clone(), InputRef::full_label));
                }
            });
        }
    }
}

/// Two ends of a range; a minus beside a dash would be misread.
fn ends(low: &str, high: &str) -> String {
    if low.starts_with('−') || high.starts_with('−') {
        format!("{low} to {high}")
    } else {
        format!("{low} – {high}")
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

/// A place on the page.
fn pixels(value: Decimal) -> f64 {
    f64::try_from(value).unwrap_or(0.0)
}

/// Computes a tornado, telling how far it is; nothing where nobody wants it any more.
pub fn compute(
    scenario: &Scenario,
    asked: &TornadoChoice,
    progress: &Progress,
    tell: &(impl Fn() + Sync),
) -> Option<Result<Answer, String>> {
    let figure = figures(scenario).into_iter().nth(asked.figure).map(|(figure, _)| figure)?;
    let asked = Asked { placement: asked.placement, against: asked.against, figure };
    let plan = match Plan::new(scenario, asked) {
        Ok(plan) => plan,
        Err(problem) => return Some(Err(problem.to_string())),
    };
    let done = AtomicUsize::new(0);
    let run = |runner: &mut Runner, job: &_| {
        let before = done.fetch_add(1, Ordering::Relaxed);
        progress.tell(before, plan.jobs().len());
        if before.is_multiple_of(TOLD_EVERY) {
            tell();
        }
        progress.wanted().then(|| runner.run(job))
    };
    let outcomes: Vec<Outcome> =
        in_parallel(plan.jobs(), || Runner::new(&plan), run).into_iter().collect::<Option<_>>()?;
    let search = |runner: &mut Runner, search: &Search| {
        let base = outcomes.first()?;
        progress.wanted().then(|| (search.clone(), runner.search(search, base)))
    };
    let searches = plan.searches(&outcomes);
    let found: Vec<(Search, Switch)> =
        in_parallel(&searches, || Runner::new(&plan), search).into_iter().collect::<Option<_>>()?;
    Some(plan.collect(&outcomes, &found).map_err(|problem| problem.to_string()))
}

/// How often the window is woken to show how far a computation is.
const TOLD_EVERY: usize = 16;

/// The figures that can be asked for, the deciding one first.
pub fn figures(scenario: &Scenario) -> Vec<(Figure, String)> {
    let deciding = Figure::deciding(scenario.decision_figure);
    let mut figures = vec![
        (Figure::PresentValue, "Present value".to_owned()),
        (Figure::Total, "Total cost".to_owned()),
        (Figure::EquivalentAnnualCost, "Equivalent annual cost".to_owned()),
    ];
    figures.sort_by_key(|(figure, _)| *figure != deciding);
    for workload in &scenario.workloads {
        let Some(output) = &workload.output else { continue };
        let of = format!("per {}, {}", output.unit, workload.name);
        figures.push((Figure::CostPerOutput(workload.id.clone()), format!("Cost {of}")));
        figures.push((Figure::LevelisedCostPerOutput(workload.id.clone()), format!("Levelised cost {of}")));
    }
    figures
}

/// Whether the figure asked about is an amount of money, which follows the scale of the window.
pub fn is_shifting(scenario: &Scenario, asked: &TornadoChoice) -> bool {
    figures(scenario).get(asked.figure).is_none_or(|(figure, _)| is_money(figure))
}

/// What is asked first: the cheapest placement against the next one, by the deciding figure.
pub fn first_choice(snapshot: &Snapshot) -> TornadoChoice {
    let ranked = compare::ranking(&snapshot.evaluation);
    match ranked[..] {
        [first, second, ..] => TornadoChoice { figure: 0, placement: first, against: Some(second) },
        _ => TornadoChoice::default(),
    }
}
