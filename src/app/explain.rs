//! The panel that explains a figure: its formula in words and with its numbers, what it sums, and the inputs behind it.
//!
//! It lays out what the analysis explains; no figure is computed here, and no formula stands here.

use egui::accesskit::Role;
use egui::{Align2, Color32, Rect, RichText, ScrollArea, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::command::Command;
use super::document::Snapshot;
use super::icons;
use super::theme::{self, Palette};
use super::view::View;
use super::widgets::{Told, elided, link_at, painted_text, text_width};
use crate::analysis::compare;
use crate::analysis::explain::{
    Explained, Explainer, Formula, LinePart, Measure, Reason, Selection, Subject, Value, title,
};
use crate::analysis::postings::{Dimension, Filter};
use crate::analysis::register::is_overdue;
use crate::input::EvidenceKind;
use crate::quantity::Money;
use crate::quantity::trace::Influence;
use crate::scenario::calendar::Date;
use crate::show::Figures;
use crate::words::{Phrasing, sentence};

/// A figure on the screen that can be asked about.
#[derive(Clone, PartialEq, Debug)]
pub struct Target {
    /// By its place in the scenario.
    pub placement: usize,
    pub subject: Subject,
    /// The placement whose figure is taken away, where it is a difference that is asked about.
    pub less: Option<usize>,
}

impl Target {
    /// A sum of postings.
    pub fn postings(placement: usize, selection: Selection, measure: Measure) -> Self {
        Self { placement, subject: Subject::Postings(selection, measure), less: None }
    }

    /// The difference of this figure to that of another placement.
    pub fn less(self, placement: usize) -> Self {
        Self { less: Some(placement), ..self }
    }

    /// Any figure, by its path in the result.
    pub fn figure(placement: usize, path: String) -> Self {
        Self { placement, subject: Subject::Figure(path), less: None }
    }
}

/// What the panel shows, and how one came there.
#[derive(Default)]
pub struct Panel {
    /// The figures asked about, the one shown last.
    trail: Vec<Target>,
    shown: Option<Shown>,
}

/// An explanation laid out, and what it is of: made once, not with every frame.
struct Shown {
    target: Target,
    revision: u64,
    figures: Figures,
    content: Result<Content, String>,
}

struct Content {
    title: String,
    value: String,
    beside: String,
    /// What its parts are to it.
    made_of: &'static str,
    parts: Vec<Part>,
    example: String,
    steps: Vec<Step>,
    years: Vec<[String; 3]>,
    /// The postings that it sums, as the ledger is asked for them, and how many there are.
    postings: Option<(Filter, String)>,
    reasons: Vec<ReasonRow>,
}

/// One of the lines that a figure sums.
struct Part {
    label: String,
    amount: String,
    target: Target,
}

/// A quantity with its formula.
struct Step {
    depth: usize,
    name: String,
    value: String,
    words: String,
    numbers: String,
    because: Vec<String>,
}

struct ReasonRow {
    path: String,
    label: String,
    value: String,
    kind: EvidenceKind,
    overdue: bool,
    said: String,
    in_steps: bool,
}

const DIFFERENCE: &str = "Difference of";

pub const WIDTH: f32 = 346.0;
const INSET: f32 = 16.0;

impl Panel {
    pub fn is_open(&self) -> bool {
        !self.trail.is_empty()
    }

    /// The figure that is explained.
    pub fn target(&self) -> Option<&Target> {
        self.trail.last()
    }

    /// Explains a figure; one that is a part of another can be left again.
    pub fn open(&mut self, target: Target, is_part: bool) {
        if !is_part {
            self.trail.clear();
        }
        if self.trail.last() != Some(&target) {
            self.trail.push(target);
        }
    }

    /// Goes back to the figure that led here.
    pub fn back(&mut self) {
        if self.trail.len() > 1 {
            self.trail.pop();
        }
    }

    pub fn close(&mut self) {
        self.trail.clear();
        self.shown = None;
    }

    /// Lays the explanation out again where the scenario, the figure or the marks have changed.
    fn refresh(&mut self, snapshot: &Snapshot, revision: u64, view: &View, today: Option<Date>) {
        let Some(target) = self.trail.last() else { return };
        let is_current = self.shown.as_ref().is_some_and(|shown| {
            shown.target == *target && shown.revision == revision && shown.figures == view.figures
        });
        if !is_current {
            let content = content(target, snapshot, view, today);
            self.shown = Some(Shown { target: target.clone(), revision, figures: view.figures, content });
        }
    }

    pub fn panel_ui(
        &mut self,
        ui: &mut Ui,
        (snapshot, revision): (&Snapshot, u64),
        view: &View,
        today: Option<Date>,
        commands: &mut Vec<Command>,
    ) {
        self.refresh(snapshot, revision, view, today);
        let Some(shown) = &self.shown else { return };
        ui.spacing_mut().item_spacing.y = 0.0;
        head_ui(ui, self.trail.len() > 1, commands);
        let body = ui.available_rect_before_wrap();
        // Each figure is read from its top.
        let salt = format!("explain {:?}", shown.target);
        ScrollArea::vertical().id_salt(salt).auto_shrink(false).show(ui, |ui| {
            ui.set_max_width(body.width());
            match &shown.content {
                Ok(content) => content.ui(ui, shown.target.placement, commands),
                Err(reason) => {
                    ui.add_space(8.0);
                    paragraph(ui, reason, Palette::of(ui.visuals()).text2);
                }
            }
            ui.add_space(INSET);
        });
    }
}

fn content(target: &Target, snapshot: &Snapshot, view: &View, today: Option<Date>) -> Result<Content, String> {
    let explainer = Explainer::new(&snapshot.scenario, target.placement).map_err(|failure| failure.message)?;
    let Some(explanation) = explainer.explain(&target.subject) else {
        return Err("This figure is no longer there: what it belongs to has been changed.".to_owned());
    };
    let title = title(&explainer, &target.subject);
    let explained = Explained { explainer, subject: target.subject.clone(), title, explanation };
    let layout = Layout { explained: &explained, target, snapshot, view, today };
    match target.less {
        None => Ok(layout.content()),
        Some(other) => difference(&layout, other),
    }
}

/// A difference: the two figures it is taken of, each of which is explained in turn, and the inputs of both.
fn difference(layout: &Layout, other: usize) -> Result<Content, String> {
    let Layout { explained, target, snapshot, view, today } = *layout;
    let explainer = Explainer::new(&snapshot.scenario, other).map_err(|failure| failure.message)?;
    let Some(explanation) = explainer.explain(&target.subject) else {
        return Err("The other placement has no such figure.".to_owned());
    };
    let title = title(&explainer, &target.subject);
    let other_explained = Explained { explainer, subject: target.subject.clone(), title, explanation };
    let (Value::Money(minuend), Value::Money(subtrahend)) =
        (explained.explanation.value, other_explained.explanation.value)
    else {
        return Err("There is no difference where one of the figures is missing.".to_owned());
    };
    let mut content = layout.content();
    let of = Layout { explained: &other_explained, target, snapshot, view, today };
    let taken = of.content();
    let part = |sign: &str, layout: &Layout, placement: usize, amount: Money| Part {
        label: format!("{sign}{} {}", icons::letter(placement), layout.explained.explainer.result().name),
        amount: layout.money(amount),
        target: Target { placement, subject: target.subject.clone(), less: None },
    };
    content.title = format!("{}, difference to {}", content.title, icons::letter(other));
    content.made_of = DIFFERENCE;
    let difference = compare::difference(Some(minuend), Some(subtrahend));
    content.value = layout.money(difference.map_or(Money::ZERO, |difference| difference.amount));
    content.parts = vec![part("", layout, target.placement, minuend), part("less ", &of, other, subtrahend)];
    (content.steps, content.years, content.postings) = (Vec::new(), Vec::new(), None);
    let known: Vec<String> = content.reasons.iter().map(|row| row.path.clone()).collect();
    content.reasons.extend(taken.reasons.into_iter().filter(|row| !known.contains(&row.path)));
    Ok(content)
}

/// Everything needed to turn an explanation into texts.
struct Layout<'a> {
    explained: &'a Explained,
    target: &'a Target,
    snapshot: &'a Snapshot,
    view: &'a View,
    today: Option<Date>,
}

impl Layout<'_> {
    fn phrasing(&self) -> Phrasing<'_> {
        let explainer = &self.explained.explainer;
        Phrasing { inputs: explainer.inputs(), ledger: &explainer.result().ledger, figures: self.view.figures }
    }

    fn money(&self, money: Money) -> String {
        self.view.figures.exact(money.minor(), self.explained.explainer.minor_digits())
    }

    fn content(&self) -> Content {
        let Explained { explanation, title, explainer, .. } = self.explained;
        let code = self.snapshot.evaluation.currency.code;
        let (value, beside) = match explanation.value {
            Value::Money(money) => (self.money(money), code.to_owned()),
            Value::Number(number) => (self.phrasing().number(number), String::new()),
            Value::None => ("none".to_owned(), String::new()),
        };
        // The name of the placement is said by its square.
        let title =
            title.strip_prefix(&explainer.result().name).map_or(title.as_str(), |rest| rest.trim_start_matches(": "));
        let single = match explanation.lines.as_slice() {
            [only] if explanation.formula.is_none() => Some(only),
            _ => None,
        };
        let example = single.map_or_else(String::new, |part| self.example(part));
        let posting = single.and_then(|part| explainer.posting(part.example, explanation.measure));
        let formula = explanation.formula.as_ref().or(posting.as_ref());
        Content {
            title: sentence(title),
            value,
            beside,
            made_of: "Sum of",
            parts: if single.is_some() {
                Vec::new()
            } else {
                explanation.lines.iter().map(|part| self.part(part)).collect()
            },
            example,
            steps: formula.map(|formula| self.steps(formula)).unwrap_or_default(),
            years: self.years(&explanation.lines),
            postings: self.postings(&explanation.lines),
            reasons: explanation.rests_on.iter().map(|reason| self.reason(reason)).collect(),
        }
    }

    fn example(&self, part: &LinePart) -> String {
        let ledger = &self.explained.explainer.result().ledger;
        let posting = &ledger.postings[part.example];
        let month = self.view.figures.number(rust_decimal::Decimal::from(posting.month));
        let behaviour = posting.behaviour.label().to_lowercase();
        match part.postings.len() {
            1 => format!("posted once, in month {month}, {behaviour}"),
            _ => format!("the greatest posting, month {month}, {behaviour}"),
        }
    }

    fn part(&self, part: &LinePart) -> Part {
        let line = &self.explained.explainer.result().ledger.lines[part.line];
        let mut selection = match &self.target.subject {
            Subject::Postings(selection, _) => selection.clone(),
            Subject::Figure(_) => Selection::default(),
        };
        selection.place = Some(part.line);
        // The line says all of that.
        (selection.categories, selection.environment, selection.boundary) = (Vec::new(), None, None);
        Part {
            label: format!("{} · {}", line.category.label(), line.label),
            amount: self.money(part.amount),
            target: Target::postings(self.target.placement, selection, self.explained.explanation.measure),
        }
    }

    fn steps(&self, formula: &Formula) -> Vec<Step> {
        let phrasing = self.phrasing();
        let step = |depth: usize, name: String, formula: &Formula| {
            let wording = phrasing.wording(formula);
            Step {
                depth,
                name,
                value: wording.value,
                words: wording.words,
                numbers: wording.numbers,
                because: wording.because,
            }
        };
        let mut steps = vec![step(0, String::new(), formula)];
        let quantities = self.explained.explainer.quantities(formula);
        steps.extend(quantities.iter().map(|of| step(of.depth + 1, phrasing.name(&of.name), &of.formula)));
        steps
    }

    fn years(&self, parts: &[LinePart]) -> Vec<[String; 3]> {
        let mut years: std::collections::BTreeMap<u32, (usize, Money)> = std::collections::BTreeMap::new();
        for (year, count, sum) in parts.iter().flat_map(|part| &part.by_year) {
            let (known, total) = years.entry(*year).or_default();
            *known += count;
            *total += *sum;
        }
        let count = |count: usize| self.view.figures.number(rust_decimal::Decimal::from(count));
        let row = |(year, (postings, sum)): (u32, (usize, Money))| {
            [format!("Year {}", year + 1), count(postings), self.money(sum)]
        };
        years.into_iter().map(row).collect()
    }

    fn postings(&self, lines: &[LinePart]) -> Option<(Filter, String)> {
        let count: usize = lines.iter().map(|part| part.postings.len()).sum();
        let ledger = &self.explained.explainer.result().ledger;
        let mut filter = Filter::default().only(Dimension::Placement, &self.explained.explainer.result().id);
        for part in lines {
            let line = &ledger.lines[part.line];
            filter = filter.or(Dimension::Line, format!("{} ({})", line.id, line.label));
        }
        if let Subject::Postings(selection, _) = &self.target.subject {
            // One posting is looked at in the ledger already.
            if selection.posting.is_some() {
                return None;
            }
            for category in &selection.categories {
                filter = filter.or(Dimension::Category, category.name());
            }
            if let Some(behaviour) = selection.behaviour {
                filter = filter.only(Dimension::Behaviour, behaviour.name());
            }
            if let Some(year) = &selection.fiscal_year {
                filter = filter.only(Dimension::FiscalYear, &*year.name);
            }
            if let Some(line) = selection.place.and_then(|place| ledger.lines.get(place)) {
                filter = filter.only(Dimension::Category, line.category.name());
                if let Some(environment) = &line.environment {
                    filter = filter.only(Dimension::Environment, environment);
                }
            }
        }
        let shown = self.view.figures.number(rust_decimal::Decimal::from(count));
        (count > 0).then(|| (filter, format!("Open {shown} in ledger")))
    }

    fn reason(&self, reason: &Reason) -> ReasonRow {
        let Reason { input, influence } = reason;
        let evidence = input.input.evidence();
        let kind = input.input.evidence_kind();
        let value = self.view.figures.editing(input.input.value.decimal().normalize());
        let mut said = format!("{}, {value} {}. {}", input.full_label(), input.unit, kind.label());
        if let Some(evidence) = evidence {
            let facts = [&evidence.source, &evidence.owner];
            for fact in facts.into_iter().filter(|fact| !fact.is_empty()) {
                said += &format!(", {fact}");
            }
            if let Some(date) = &evidence.review_by {
                said += &format!(", review by {date}");
            }
        }
        ReasonRow {
            path: input.path.clone(),
            label: input.full_label(),
            value: format!("{value} {}", input.unit),
            kind,
            overdue: is_overdue(evidence, self.today),
            said,
            in_steps: *influence == Influence::InSteps,
        }
    }
}

fn head_ui(ui: &mut Ui, has_way_back: bool, commands: &mut Vec<Command>) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::hover());
    let palette = Palette::of(ui.visuals());
    let at = pos2(rect.min.x + INSET, rect.center().y);
    painted_text(ui.painter(), at, Align2::LEFT_CENTER, "Explain", &theme::semibold(13.0), palette.text);
    let mut right = rect.max.x - INSET;
    let mut button = |ui: &Ui, text: &str, name: &str| {
        let width = text_width(ui.painter(), text, &theme::SMALL) + 16.0;
        let place =
            Rect::from_min_max(pos2(right - width, rect.center().y - 11.0), pos2(right, rect.center().y + 11.0));
        right = place.min.x - 4.0;
        link_at(ui, place, text, name, Align2::CENTER_CENTER, &theme::SMALL)
    };
    if button(ui, "Close", "Close the explanation") {
        commands.push(Command::CloseExplanation);
    }
    if has_way_back && button(ui, "Back", "Back to the figure before") {
        commands.push(Command::ExplainBack);
    }
}

fn paragraph(ui: &mut Ui, text: &str, ink: Color32) {
    padded(ui, 0.0, |ui| {
        ui.label(RichText::new(text).font(theme::SMALL).color(ink));
    });
}

/// What stands inside the margins of the panel.
fn padded(ui: &mut Ui, indent: f32, inside: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        ui.add_space(INSET + indent);
        let width = (ui.available_width() - INSET).max(80.0);
        ui.vertical(|ui| {
            ui.set_max_width(width);
            ui.spacing_mut().item_spacing.y = 2.0;
            inside(ui);
        });
    });
}

/// A heading with a rule under it.
fn heading(ui: &mut Ui, text: &str, beside: &str) {
    ui.add_space(12.0);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let at = pos2(inner.min.x, rect.center().y - 1.0);
    let taken = painted_text(painter, at, Align2::LEFT_CENTER, text, &theme::semibold(12.0), palette.text2);
    let room = inner.max.x - taken.max.x - 8.0;
    let beside = elided(painter, beside, &theme::SMALL, room);
    painted_text(painter, pos2(inner.max.x, at.y), Align2::RIGHT_CENTER, &beside, &theme::SMALL, palette.text2);
    painter.hline(inner.x_range(), rect.max.y - 0.5, Stroke::new(1.0, palette.line));
    ui.add_space(4.0);
}

impl Content {
    fn ui(&self, ui: &mut Ui, placement: usize, commands: &mut Vec<Command>) {
        self.figure_ui(ui, placement);
        self.parts_ui(ui, commands);
        self.steps_ui(ui);
        self.years_ui(ui, commands);
        for in_steps in [false, true] {
            self.reasons_ui(ui, in_steps, commands);
        }
    }

    fn figure_ui(&self, ui: &mut Ui, placement: usize) {
        let palette = Palette::of(ui.visuals());
        padded(ui, 0.0, |ui| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::hover());
                icons::badge(ui.painter(), rect.center(), placement, 16.0, palette);
                ui.label(RichText::new(&self.title).font(theme::BODY).color(palette.text));
            });
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(RichText::new(&self.value).font(theme::semibold(20.0)).color(palette.text));
                ui.label(RichText::new(&self.beside).font(theme::SMALL).color(palette.text2));
            });
        });
    }

    fn parts_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if self.parts.is_empty() {
            return;
        }
        let count = match (self.made_of, self.parts.len()) {
            (DIFFERENCE, _) => String::new(),
            (_, 1) => "1 line".to_owned(),
            (_, several) => format!("{several} lines"),
        };
        heading(ui, self.made_of, &count);
        for (place, part) in self.parts.iter().enumerate() {
            let name = format!("Explain {}", part.label);
            if pair_ui(ui, ("part", place), &part.label, &part.amount, Some(&name)) {
                commands.push(Command::ExplainPart(part.target.clone()));
            }
        }
    }

    fn steps_ui(&self, ui: &mut Ui) {
        let Some((first, others)) = self.steps.split_first() else { return };
        heading(ui, "In words", &self.example);
        let palette = Palette::of(ui.visuals());
        paragraph(ui, &first.words, palette.text);
        heading(ui, "With the numbers", "");
        paragraph(ui, &first.numbers, palette.text);
        if first.numbers != first.value {
            paragraph(ui, &format!("= {}", first.value), palette.text);
        }
        for reason in &first.because {
            paragraph(ui, &format!("as it depends on {reason}"), palette.text2);
        }
        if others.is_empty() {
            return;
        }
        heading(ui, "Quantities in it", "each explained in turn");
        // What is closed hides what stands under it.
        let mut hidden_from = usize::MAX;
        for (place, step) in others.iter().enumerate() {
            if step.depth > hidden_from {
                continue;
            }
            let has_parts = others.get(place + 1).is_some_and(|next| next.depth > step.depth);
            let is_open = self.step_ui(ui, place, step, has_parts);
            hidden_from = if is_open { usize::MAX } else { step.depth };
        }
    }

    /// A quantity in one line; its formula and the quantities in that under it once it is pressed. Says whether it is open.
    fn step_ui(&self, ui: &mut Ui, place: usize, step: &Step, has_parts: bool) -> bool {
        let palette = Palette::of(ui.visuals());
        let id = ui.scope_id().with(("step", place, &self.title));
        let is_open = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
        #[expect(clippy::cast_precision_loss, reason = "a handful of levels")]
        let indent = (step.depth.saturating_sub(1) as f32 * 10.0).min(80.0);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 22.0), Sense::click());
        let inner = rect.shrink2(vec2(INSET, 0.0));
        response.widget_info(|| {
            let mut info = WidgetInfo::selected(Role::Button, true, is_open, format!("Formula of {}", step.name));
            info.current_text_value = Some(step.value.clone());
            info
        });
        let painter = ui.painter();
        if response.hovered() {
            painter.rect_filled(rect, 0, palette.hover);
        }
        if response.has_focus() {
            icons::border(painter, rect.shrink(1.0), 2, 2.0, palette.accent);
        }
        let icon = if is_open { icons::Icon::Down } else { icons::Icon::Right };
        icons::icon(painter, icon, pos2(inner.min.x + indent + 5.0, rect.center().y), 12.0, palette.text2);
        let at = pos2(inner.max.x, rect.center().y);
        let taken = painted_text(painter, at, Align2::RIGHT_CENTER, &step.value, &theme::BODY, palette.text);
        let left = inner.min.x + indent + 14.0;
        let name = elided(painter, &step.name, &theme::SMALL, taken.min.x - 8.0 - left);
        painted_text(painter, pos2(left, rect.center().y), Align2::LEFT_CENTER, &name, &theme::SMALL, palette.text);
        if response.clicked() {
            ui.data_mut(|data| data.insert_temp(id, !is_open));
        }
        let response = if name == step.name { response } else { response.told(&step.name) };
        drop(response);
        if is_open {
            padded(ui, indent + 14.0, |ui| {
                let text = |text: String, ink| RichText::new(text).font(theme::SMALL).color(ink);
                ui.label(text(step.words.clone(), palette.text));
                if step.numbers != step.value {
                    ui.label(text(format!("= {} = {}", step.numbers, step.value), palette.text));
                }
                for reason in &step.because {
                    ui.label(text(format!("as it depends on {reason}"), palette.text2));
                }
                if has_parts {
                    ui.label(text("with".to_owned(), palette.text2));
                }
                ui.add_space(4.0);
            });
        }
        is_open
    }

    fn years_ui(&self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if self.years.is_empty() {
            return;
        }
        heading(ui, "Postings by year", "");
        if let Some((filter, text)) = &self.postings {
            let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 0.0), Sense::hover());
            let width = text_width(ui.painter(), text, &theme::SMALL) + 8.0;
            let right = rect.max.x - INSET + 4.0;
            let place = Rect::from_min_max(pos2(right - width, rect.min.y - 25.0), pos2(right, rect.min.y - 5.0));
            if link_at(ui, place, text, text, Align2::CENTER_CENTER, &theme::SMALL) {
                commands.push(Command::Postings(filter.clone()));
            }
        }
        for (place, [year, count, amount]) in self.years.iter().enumerate() {
            let label = if count == "1" { format!("{year}, 1 posting") } else { format!("{year}, {count} postings") };
            pair_ui(ui, ("year", place), &label, amount, None);
        }
    }

    fn reasons_ui(&self, ui: &mut Ui, in_steps: bool, commands: &mut Vec<Command>) {
        let rows: Vec<&ReasonRow> = self.reasons.iter().filter(|row| row.in_steps == in_steps).collect();
        if rows.is_empty() {
            return;
        }
        let count = if rows.len() == 1 { "1 input".to_owned() } else { format!("{} inputs", rows.len()) };
        match in_steps {
            false => heading(ui, "Rests on", &count),
            true => {
                heading(ui, "And in steps on", &count);
                let quiet = Palette::of(ui.visuals()).text2;
                paragraph(ui, "whole nodes, limits and months: moved once the input passes some value", quiet);
                ui.add_space(4.0);
            }
        }
        for row in rows {
            reason_ui(ui, row, commands);
        }
    }
}

/// A label and what stands at the right of it. Where it has a name it can be pressed; says whether it was.
fn pair_ui(ui: &mut Ui, salt: (&str, usize), label: &str, figure: &str, pressed: Option<&str>) -> bool {
    let sense = if pressed.is_some() { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.push_id(salt, |ui| ui.allocate_exact_size(vec2(ui.available_width(), 21.0), sense)).inner;
    let role = if pressed.is_some() { Role::Button } else { Role::Label };
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(role, true, pressed.unwrap_or(label));
        info.current_text_value = Some(figure.to_owned());
        info
    });
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    if pressed.is_some() && response.hovered() {
        painter.rect_filled(rect, 0, palette.hover);
    }
    if response.has_focus() {
        icons::border(painter, rect.shrink(1.0), 2, 2.0, palette.accent);
    }
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let at = pos2(inner.max.x, rect.center().y);
    let taken = painted_text(painter, at, Align2::RIGHT_CENTER, figure, &theme::BODY, palette.text);
    let short = elided(painter, label, &theme::SMALL, taken.min.x - 8.0 - inner.min.x);
    let ink = if pressed.is_some() { palette.accent } else { palette.text };
    painted_text(painter, pos2(inner.min.x, at.y), Align2::LEFT_CENTER, &short, &theme::SMALL, ink);
    let clicked = response.clicked();
    if short != label {
        response.told(label);
    }
    clicked
}

fn reason_ui(ui: &mut Ui, row: &ReasonRow, commands: &mut Vec<Command>) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &row.said));
    let (palette, painter) = (Palette::of(ui.visuals()), ui.painter());
    let inner = rect.shrink2(vec2(INSET, 0.0));
    let middle = rect.center().y;
    icons::evidence(painter, pos2(inner.min.x + 6.0, middle), row.kind, row.overdue, palette);
    let width = text_width(painter, "Go to", &theme::SMALL) + 8.0;
    let place =
        Rect::from_min_max(pos2(inner.max.x - width, rect.min.y + 2.0), pos2(inner.max.x + 4.0, rect.max.y - 2.0));
    let name = format!("Go to {}", row.label);
    if link_at(ui, place, "Go to", &name, Align2::CENTER_CENTER, &theme::SMALL) {
        commands.push(Command::GoTo(row.path.clone()));
    }
    let most = inner.width() * 0.42;
    let value = elided(painter, &row.value, &theme::SMALL, most);
    let at = pos2(place.min.x - 6.0, middle);
    let taken = painted_text(painter, at, Align2::RIGHT_CENTER, &value, &theme::SMALL, palette.input);
    let left = inner.min.x + 18.0;
    let label = elided(painter, &row.label, &theme::SMALL, taken.min.x - 8.0 - left);
    painted_text(painter, pos2(left, middle), Align2::LEFT_CENTER, &label, &theme::SMALL, palette.text);
    response.told(&row.said);
}
