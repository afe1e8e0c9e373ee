//! The charts of what drives a decision, described from what analyses have answered.
//!
//! Figures, crossings and regions are those of the answers; nothing is evaluated or added up here.

use rust_decimal::Decimal;

use super::declared::{Answered, Subject};
use super::described::KeyEntry;
use super::{
    Across, Band, Body, Chart, Curve, Curves, Dash, DotRow, Dots, Flip, Ink, Mark, Place, Preferred, Region, Regions,
    RowDot, Sides, Tornado, TornadoBar, Twin, Upright, Value,
};
use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::map::{self, Axis};
use crate::analysis::range::RangeKind;
use crate::analysis::register::is_overdue;
use crate::analysis::spider;
use crate::analysis::tornado::{Answer, Bar, Question, Switch};
use crate::analysis::{base_size as size, cases as of_cases, preference, switch_over as crossings};
use crate::engine::Figure;
use crate::quantity::{Currency, Exact, Money, Num};
use crate::scenario::calendar::Date;
use crate::scenario::problem::months;
use crate::scenario::{InputRef, Scenario};
use crate::show::{Cell, Figures, in_words, letter};
use crate::words::drivers::{Teller, minor};
use crate::words::values::{cell_of, moved_to, unit_of};

/// What is shown of the bars of a tornado.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bars<'a> {
    /// The day by which review dates are judged.
    pub today: Option<Date>,
    /// The longest are drawn, so many; all of them where none is said.
    pub most: Option<usize>,
    /// Whether three digits of each end stand beside it, which leaves room for the bar.
    pub brief: bool,
    /// The path of the bar that is drawn heavier in a spider.
    pub chosen: Option<&'a str>,
    /// What the axis of a spider counts.
    pub along: Along,
}

impl Bars<'_> {
    /// How many are drawn before all are asked for.
    pub const FEW: usize = 14;
}

/// What the axis of a spider counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Along {
    /// How far along its range an input stands.
    #[default]
    Range,
    /// By how much of its value it differs from it.
    Change,
}

impl Along {
    pub const ALL: [Self; 2] = [Self::Range, Self::Change];

    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Range => "Share of range",
            Self::Change => "Change of value",
        }
    }
}

/// What describes an answer: the scenario that it is about, and how its numbers read.
struct Describer<'a> {
    subject: &'a Subject<'a>,
    scenario: &'a Scenario,
    inputs: Vec<InputRef>,
    figures: Figures,
    currency: Currency,
}

impl<'a> Describer<'a> {
    fn of(subject: &'a Subject<'a>) -> Self {
        Self {
            subject,
            scenario: subject.scenario,
            inputs: subject.scenario.inputs(),
            figures: subject.figures,
            currency: subject.currency(),
        }
    }

    fn teller(&self) -> Teller<'_> {
        Teller { scenario: self.scenario, inputs: &self.inputs, figures: self.figures, currency: self.currency }
    }

    fn input(&self, path: &str) -> Option<&InputRef> {
        self.inputs.iter().find(|input| input.path == path)
    }

    /// `USD thousand, 60 months`; a ratio has no scale.
    fn scope(&self, figure: &Figure) -> String {
        let scale = if is_money(figure) { self.figures.scale.word() } else { "" };
        format!("{}{scale}, {}", self.currency.code, months(self.scenario.horizon_months))
    }

    /// A result as text: money at the scale of the window, a ratio with its significant digits.
    fn text(&self, figure: &Figure, value: Decimal) -> String {
        match minor(value, self.currency).filter(|_| is_money(figure)) {
            Some(money) => self.figures.amount(money.minor(), self.currency.minor_digits),
            None => self.figures.ratio(value),
        }
    }

    /// With three digits where it is money.
    fn brief(&self, figure: &Figure, value: Decimal) -> String {
        match minor(value, self.currency).filter(|_| is_money(figure)) {
            Some(money) => self.figures.brief(money.minor(), self.currency.minor_digits),
            None => self.figures.ratio(value),
        }
    }

    /// To the minor unit, with the currency.
    fn exact(&self, figure: &Figure, value: Option<Decimal>) -> String {
        let Some(value) = value else { return "no figure".to_owned() };
        match minor(value, self.currency).filter(|_| is_money(figure)) {
            Some(money) => self.subject.exact(money),
            None => format!("{} {}", self.currency.code, self.figures.ratio(value)),
        }
    }

    /// The same for a table.
    fn value(&self, figure: &Figure, value: Option<Decimal>) -> Value {
        let Some(value) = value else { return Value::None };
        match minor(value, self.currency).filter(|_| is_money(figure)) {
            Some(money) => Value::Money(money),
            None => number(value),
        }
    }

    /// What an axis of an input counts: `Node price · Owned, USD`.
    fn across(&self, path: &str, label: &str, [low, high]: [Exact; 2]) -> Across {
        let input = self.input(path);
        let is_percent = input.is_none_or(|input| cell_of(input) == Cell::Percent);
        let unit = input.map_or_else(|| "% of the ranges".to_owned(), unit_of);
        let title = [self.teller().label(path, label), unit].into_iter().filter(|text| !text.is_empty());
        let title = title.collect::<Vec<_>>().join(", ");
        Across { low: place(low.decimal()), high: place(high.decimal()), title, is_percent }
    }

    fn now(&self, path: &str, base: Option<Exact>) -> Vec<Upright> {
        let upright = |base: Exact| Upright {
            at: place(base.decimal()),
            text: format!("now {}", self.teller().value(path, base)),
        };
        base.map(upright).into_iter().collect()
    }

    /// The heading of a column of values, in the unit of the file.
    fn heading(&self, path: &str, label: &str, unit: &str) -> String {
        let label = self.teller().label(path, label);
        if unit.is_empty() { label } else { format!("{label}, {unit}") }
    }

    fn placement_curve(&self, placement: usize, points: Vec<(f64, f64)>, said: String) -> Curve {
        Curve {
            name: self.scenario.placements.get(placement).map_or_else(String::new, |placement| placement.name.clone()),
            ink: Ink::Placement(placement),
            dash: Dash::of_placement(placement),
            is_heavy: true,
            badge: Some(placement),
            points,
            said,
        }
    }
}

/// A place on the page.
fn place(value: Decimal) -> f64 {
    f64::try_from(value).unwrap_or(0.0)
}

fn number(value: Decimal) -> Value {
    Value::Number(Num::from(value))
}

fn exact(value: Exact) -> Value {
    Value::Exact(value)
}

const MISSING: &str = "nothing has been computed for it yet";

fn unanswered(title: &str) -> String {
    format!("{title}: {MISSING}. Open it on the page Sensitivity.")
}

fn bars<'a>(subject: &Subject<'a>, title: &str) -> Result<(&'a Answer, Bars<'a>), String> {
    match subject.answered {
        Some(Answered::Tornado(answer, shown)) => Ok((answer, shown)),
        _ => Err(unanswered(title)),
    }
}

pub(super) fn tornado(subject: &Subject<'_>) -> Result<Chart, String> {
    let (answer, shown) = bars(subject, "Tornado")?;
    let of = Describer::of(subject);
    let count = shown.most.unwrap_or(usize::MAX).min(answer.bars.len());
    let which = match count < answer.bars.len() {
        true => format!("the {count} largest of {}", answer.bars.len()),
        false => format!("all {count} that move it"),
    };
    let Question { placement, against, figure } = &answer.question;
    let chart = Tornado {
        base: place(answer.base),
        base_text: of.text(figure, answer.base),
        sides: against.map(|against| Sides { less: *placement, against }),
        bars: answer.bars.iter().take(count).map(|bar| of.bar((answer, figure), bar, shown)).collect(),
        rest: of.rest(answer, count),
    };
    Ok(Chart {
        title: of.title(&answer.question),
        scope: format!("{}, {which}", of.scope(figure)),
        body: Body::Tornado(chart),
        key: tornado_key(),
        twin: of.bars_twin(answer),
    })
}

/// What the marks of a tornado mean, for a picture that stands alone; the page has its own words.
fn tornado_key() -> Vec<KeyEntry> {
    let entry = |inks: &[Ink], name: &str| KeyEntry { inks: inks.to_vec(), name: name.to_owned(), told: String::new() };
    vec![
        entry(&[Ink::Low, Ink::High], "at its low, at its high"),
        entry(&[], "in outline: no range entered"),
        entry(&[], "diamond: the preferred placement changes"),
        entry(&[], "ring: an extreme inside the range"),
        entry(&[], "before the name: square measured, disc quoted, barred circle published, open diamond assumed"),
    ]
}

/// Which placement asked about serves less somewhere on the range of a bar than in the base: what it then costs less is no
/// saving.
fn unserved(answer: &Answer, bar: &Bar) -> String {
    let fewer = bar.unserved.iter().filter(|place| !answer.unserved.contains(place));
    let letters: Vec<String> = fewer.map(|place| letter(*place)).collect();
    match letters.as_slice() {
        [] => String::new(),
        [only] => format!("{only} leaves demand unmet"),
        several => format!("{} leave demand unmet", several.join(", ")),
    }
}

impl Describer<'_> {
    /// What is said of the bars after the first so many; nothing where there are no more.
    fn rest(&self, answer: &Answer, count: usize) -> String {
        let rest = answer.bars.get(count..).unwrap_or_default();
        let Some(greatest) = rest.first() else { return String::new() };
        let figure = &answer.question.figure;
        let swings = rest.iter().try_fold(Decimal::ZERO, |sum, bar| sum.checked_add(bar.swing));
        let together = swings.map(|swings| format!(", together by {}", self.text(figure, swings))).unwrap_or_default();
        let most = self.text(figure, greatest.swing);
        match rest.len() {
            1 => format!("and 1 more, by {most}"),
            many => format!("and {many} more, none of them by more than {most}{together}"),
        }
    }

    /// `Tornado: total cost of A less that of B`
    fn title(&self, question: &Question) -> String {
        format!("Tornado: {}", self.asked(question))
    }

    fn asked(&self, question: &Question) -> String {
        let figure = crate::scenario::inputs::lower_first(&figure_label(self.scenario, &question.figure));
        match question.against {
            Some(against) => format!("{figure} of {} less that of {}", letter(question.placement), letter(against)),
            None => format!("{figure} of {}", letter(question.placement)),
        }
    }

    fn bar(&self, (answer, figure): (&Answer, &Figure), bar: &Bar, shown: Bars<'_>) -> TornadoBar {
        let end = |value| if shown.brief { self.brief(figure, value) } else { self.text(figure, value) };
        let input = self.input(&bar.path);
        let results: Vec<f64> = bar.results.iter().map(|result| place(*result)).collect();
        let members = if input.is_some() { Vec::new() } else { self.members(&bar.path) };
        TornadoBar {
            label: input.map_or_else(|| bar.label.clone(), |input| input.label.clone()),
            place: match (input, members.len()) {
                (Some(input), _) => input.place().unwrap_or("Scenario").to_owned(),
                (None, 1) => "1 input by itself".to_owned(),
                (None, count) => format!("{count} inputs together"),
            },
            range: input.map_or_else(|| "0 – 100".to_owned(), |input| self.range(input, bar.low, bar.high)),
            unit: input.map_or_else(|| "% of range".to_owned(), unit_of),
            members,
            kind: bar.evidence,
            overdue: is_overdue(input.and_then(|input| input.input.evidence()), shown.today),
            stated: bar.range == RangeKind::Stated,
            at_low: results.first().copied().unwrap_or_default(),
            at_high: results.last().copied().unwrap_or_default(),
            least: place(bar.least),
            greatest: place(bar.greatest),
            least_text: end(bar.least),
            greatest_text: end(bar.greatest),
            swing_text: self.text(figure, bar.swing),
            non_monotonic: bar.non_monotonic,
            flips: self.flips(bar, &results),
            unserved: unserved(answer, bar),
        }
    }

    /// The ends of a range, as the cells of the input show them.
    fn range(&self, input: &InputRef, low: Exact, high: Exact) -> String {
        let shown = |value: Exact| in_words(&self.figures.cell(value.decimal(), cell_of(input)));
        ends(&shown(low), &shown(high))
    }

    /// The inputs of a group, each with the range that it states.
    fn members(&self, path: &str) -> Vec<String> {
        let id = path.strip_prefix("groups.");
        let group = id.and_then(|id| self.scenario.groups.iter().find(|group| group.id == id));
        let member = |input: &InputRef| {
            let range = input.input.range().map(|range| self.range(input, range.low, range.high));
            let range = range.unwrap_or_else(|| "the default range".to_owned());
            format!("{}: {range} {}", input.full_label(), unit_of(input))
        };
        let of_group = |input: &&InputRef| group.is_some_and(|group| group.inputs.contains(&input.path));
        self.inputs.iter().filter(of_group).map(member).collect()
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
            let at = switch.at?;
            let (result, at) =
                (along(at.num().approximate())?, moved_to(self.figures, self.input(&bar.path), at.decimal()));
            let short = |place: Option<usize>| place.map_or_else(|| "none".to_owned(), letter);
            let name =
                |place: Option<usize>| place.map_or_else(|| "none".to_owned(), |place| self.subject.named(place));
            let text = format!("{} → {} at {at}", short(switch.from), short(switch.to));
            let said = format!("preferred changes from {} to {} at {at}", name(switch.from), name(switch.to));
            Some(Flip { result, text, said })
        };
        bar.switches.iter().filter_map(flip).collect()
    }

    fn bars_twin(&self, answer: &Answer) -> Twin {
        let figure = &answer.question.figure;
        let row = |bar: &Bar| {
            let input = self.input(&bar.path);
            let at = |place: usize| self.value(figure, bar.results.get(place).copied());
            let switches = self.flips(bar, &[]);
            let switches: Vec<String> = match switches.is_empty() {
                true => bar.switches.iter().filter_map(|switch| self.switch_words(bar, switch)).collect(),
                false => switches.into_iter().map(|flip| flip.text).collect(),
            };
            vec![
                Value::words(self.teller().label(&bar.path, &bar.label)),
                exact(bar.low),
                exact(bar.high),
                Value::words(input.map_or_else(|| bar.unit.clone(), |input| input.unit.clone())),
                at(0),
                at(bar.results.len().saturating_sub(1)),
                self.value(figure, Some(bar.least)),
                self.value(figure, Some(bar.greatest)),
                self.value(figure, Some(bar.swing)),
                Value::words(bar.evidence.label()),
                Value::words(if bar.range == RangeKind::Stated { "stated" } else { "default" }),
                Value::words(if bar.non_monotonic { "inside the range" } else { "at an end" }),
                Value::words(switches.join(", ")),
                Value::words(unserved(answer, bar)),
            ]
        };
        let headings = [
            "Input",
            "Low",
            "High",
            "Unit",
            "At low",
            "At high",
            "Least",
            "Greatest",
            "Swing",
            "Evidence",
            "Range",
            "Extreme",
            "Preferred changes",
            "Service",
        ];
        let mut twin = Twin::new(headings, answer.bars.iter().map(row).collect());
        twin.notes = self.teller().tornado(answer);
        twin
    }

    fn switch_words(&self, bar: &Bar, switch: &Switch) -> Option<String> {
        let at = moved_to(self.figures, self.input(&bar.path), switch.at?.decimal());
        let short = |place: Option<usize>| place.map_or_else(|| "none".to_owned(), letter);
        Some(format!("{} → {} at {at}", short(switch.from), short(switch.to)))
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

/// Lines that a spider draws where no number is said.
const FEW: usize = 8;

pub(super) fn spider(subject: &Subject<'_>) -> Result<Chart, String> {
    let (answer, shown) = bars(subject, "Spider")?;
    let of = Describer::of(subject);
    let lines = spider::spider(answer);
    let most = shown.most.unwrap_or(FEW);
    // The chosen line is drawn wherever it stands.
    let drawn = lines.iter().enumerate().filter(|(i, line)| *i < most || shown.chosen == Some(line.path.as_str()));
    let drawn: Vec<&spider::Line> = drawn.map(|(_, line)| line).collect();
    let figure = &answer.question.figure;
    let curves: Vec<Curve> = drawn.iter().filter_map(|line| of.spider_curve(figure, line, shown)).collect();
    let left_out = drawn.len() - curves.len();
    let xs = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0));
    let (low, high) = match shown.along {
        Along::Range => (0.0, 1.0),
        Along::Change => (xs().fold(0.0, f64::min), xs().fold(0.0, f64::max)),
    };
    let which = match curves.len() < lines.len() {
        true => format!("the {} of {} that move it most", curves.len(), lines.len()),
        false => format!("all {} that move it", lines.len()),
    };
    let title = match shown.along {
        Along::Range => "Share of the range of each input, from its low to its high",
        Along::Change => "Change of each input from its value",
    };
    let uprights = match shown.along {
        Along::Range => Vec::new(),
        Along::Change => vec![Upright { at: 0.0, text: format!("now {}", of.text(figure, answer.base)) }],
    };
    let mut twin = of.spider_twin(answer, &lines);
    if 0 < left_out {
        twin.notes.push(format!("{left_out} of the lines have no value to change from: groups, and values of zero."));
    }
    let said = twin.notes.first().cloned().unwrap_or_default();
    let body = Curves {
        across: Across { low, high, title: title.to_owned(), is_percent: true },
        places: of.spider_places(figure, &curves, &drawn, shown),
        curves,
        marks: Vec::new(),
        uprights,
        said,
        are_ratios: !is_money(figure),
    };
    Ok(Chart {
        title: format!("Spider: {}", of.asked(&answer.question)),
        scope: format!("{}, {which}", of.scope(figure)),
        body: Body::Curves(body),
        key: Vec::new(),
        twin,
    })
}

impl Describer<'_> {
    /// Where a point of a line stands on the axis; none where there is no value to change from.
    fn spider_x(&self, line: &spider::Line, point: &spider::Point, along: Along) -> Option<f64> {
        match along {
            Along::Range => Some(place(point.share)),
            Along::Change => {
                let value = self.input(&line.path)?.input.value.decimal();
                point.input.decimal().checked_sub(value)?.checked_div(value.abs()).map(place)
            }
        }
    }

    fn spider_curve(&self, figure: &Figure, line: &spider::Line, shown: Bars<'_>) -> Option<Curve> {
        let point = |point: &spider::Point| Some((self.spider_x(line, point, shown.along)?, place(point.result)));
        let points: Vec<(f64, f64)> = line.points.iter().map(point).collect::<Option<_>>()?;
        let is_chosen = shown.chosen == Some(line.path.as_str());
        let name = self.teller().label(&line.path, &line.label);
        let end =
            |point: Option<&spider::Point>| point.map_or_else(String::new, |point| self.text(figure, point.result));
        let elasticity = line.arc_elasticity.map_or_else(
            || "no elasticity".to_owned(),
            |elasticity| format!("elasticity {}", self.figures.rounded(elasticity, 2)),
        );
        let said = format!("{name}: from {} to {}, {elasticity}", end(line.points.first()), end(line.points.last()));
        let ink = match (is_chosen, shown.chosen) {
            (true, _) => Ink::High,
            (false, Some(_)) => Ink::Line2,
            (false, None) => Ink::Low,
        };
        Some(Curve { name, ink, dash: Dash::Solid, is_heavy: is_chosen, badge: None, points, said })
    }

    /// What every line comes to at each of the five points of its range; along changes, what the chosen line does.
    fn spider_places(&self, figure: &Figure, curves: &[Curve], lines: &[&spider::Line], shown: Bars<'_>) -> Vec<Place> {
        let chosen = |line: &&&spider::Line| shown.chosen.is_none_or(|chosen| line.path == chosen);
        if shown.along == Along::Change {
            let Some(line) = lines.iter().find(|line| shown.chosen == Some(line.path.as_str())) else {
                return Vec::new();
            };
            let place_of = |point: &spider::Point| {
                let told = self.spider_told(figure, line, point);
                Some(Place { at: self.spider_x(line, point, shown.along)?, told })
            };
            return line.points.iter().filter_map(place_of).collect();
        }
        let Some(first) = curves.first() else { return Vec::new() };
        let at = |(i, (x, _)): (usize, &(f64, f64))| {
            let told = |line: &&spider::Line| Some(self.spider_told(figure, line, line.points.get(i)?));
            let told: Vec<String> = lines.iter().filter(chosen).filter_map(told).collect();
            Place { at: *x, told: told.join("\n") }
        };
        first.points.iter().enumerate().map(at).collect()
    }

    fn spider_told(&self, figure: &Figure, line: &spider::Line, point: &spider::Point) -> String {
        let teller = self.teller();
        let value = teller.value_with_unit(&line.path, point.input);
        format!("{} at {value}: {}", teller.label(&line.path, &line.label), self.exact(figure, Some(point.result)))
    }

    fn spider_twin(&self, answer: &Answer, lines: &[spider::Line]) -> Twin {
        let figure = &answer.question.figure;
        let row = |line: &spider::Line| {
            let mut row = vec![Value::words(self.teller().label(&line.path, &line.label))];
            row.push(line.points.first().map_or(Value::None, |point| exact(point.input)));
            row.push(line.points.last().map_or(Value::None, |point| exact(point.input)));
            row.push(Value::words(
                self.input(&line.path).map_or_else(|| line.unit.clone(), |input| input.unit.clone()),
            ));
            row.extend((0..5).map(|i| self.value(figure, line.points.get(i).map(|point| point.result))));
            row.push(line.arc_elasticity.map_or(Value::None, number));
            row
        };
        let headings = [
            "Input",
            "Low",
            "High",
            "Unit",
            "At low",
            "At a quarter",
            "In the middle",
            "At three quarters",
            "At high",
            "Arc elasticity",
        ];
        let mut twin = Twin::new(headings, lines.iter().map(row).collect());
        twin.notes = self.teller().spider(answer);
        twin
    }
}

pub(super) fn switch_over(subject: &Subject<'_>) -> Result<Chart, String> {
    let of = Describer::of(subject);
    match subject.answered {
        Some(Answered::SwitchOver(answer)) => Ok(of.crossings(answer)),
        Some(Answered::Preference(answer)) => Ok(of.preference(answer)),
        _ => Err(unanswered("Switch-over")),
    }
}

impl Describer<'_> {
    fn crossings(&self, answer: &crossings::Answer) -> Chart {
        let crossings::Question { path, between, figure } = &answer.question;
        let curve = |which: usize| {
            let points = answer
                .tried
                .iter()
                .filter_map(|tried| Some((place(tried.value.decimal()), place(tried.figures[which]?))));
            let name = self.subject.named(between[which]);
            let ends =
                [answer.tried.first(), answer.tried.last()].map(|tried| tried.and_then(|tried| tried.figures[which]));
            let said = format!("{name}: from {} to {}", self.exact(figure, ends[0]), self.exact(figure, ends[1]));
            self.placement_curve(between[which], points.collect(), said)
        };
        let told = |tried: &crossings::Tried| {
            let mut lines = vec![self.teller().value_with_unit(path, tried.value)];
            for which in [0, 1] {
                let unmet = if tried.serves[which] { "" } else { ", leaves demand unmet" };
                lines.push(format!("{} {}{unmet}", letter(between[which]), self.exact(figure, tried.figures[which])));
            }
            Place { at: place(tried.value.decimal()), told: lines.join("\n") }
        };
        let curves = vec![curve(0), curve(1)];
        let mark = |crossing: &crossings::Crossing| {
            let x = place(crossing.at.decimal());
            let y = height(&curves[0].points, x)?;
            let jump = if crossing.is_jump { ", a jump" } else { "" };
            let text = format!("at {}{jump}", self.teller().value(path, crossing.at));
            Some(Mark { at: (x, y), title: format!("{} below {}", letter(crossing.to), letter(crossing.from)), text })
        };
        let marks = answer.crossings.iter().filter_map(mark).collect();
        let twin = self.crossings_twin(answer);
        let (label, range) = (self.teller().label(path, &answer.label), [answer.low, answer.high]);
        let body = Curves {
            across: self.across(path, &answer.label, range),
            marks,
            uprights: self.now(path, answer.base.0),
            places: answer.tried.iter().map(told).collect(),
            said: twin.notes.first().cloned().unwrap_or_default(),
            are_ratios: !is_money(figure),
            curves,
        };
        Chart {
            title: format!("Switch-over: {label}"),
            scope: format!(
                "{} of {} and {}, {}",
                figure_label(self.scenario, figure),
                letter(between[0]),
                letter(between[1]),
                self.scope(figure)
            ),
            body: Body::Curves(body),
            key: Vec::new(),
            twin,
        }
    }

    /// One stretch of the range a row: who costs less on it, and how it ends.
    fn crossings_twin(&self, answer: &crossings::Answer) -> Twin {
        let crossings::Question { path, figure, .. } = &answer.question;
        let unit = self.input(path).map_or(answer.unit.as_str(), |input| input.unit.as_str());
        let from_heading = self.heading(path, &answer.label, unit);
        let mut rows = Vec::new();
        let (mut from, mut cheaper) = (answer.low, answer.at_low);
        for crossing in &answer.crossings {
            rows.push(vec![
                exact(from),
                exact(crossing.before),
                Value::words(self.subject.named(cheaper)),
                Value::words(if crossing.is_jump { "jump" } else { "crossing" }),
                self.value(figure, Some(crossing.difference[0])),
                self.value(figure, Some(crossing.difference[1])),
            ]);
            (from, cheaper) = (crossing.at, crossing.to);
        }
        let last = if answer.is_same { "both the same".to_owned() } else { self.subject.named(cheaper) };
        let words = [Value::words(last), Value::words("end of range"), Value::None, Value::None];
        rows.push([exact(from), exact(answer.high)].into_iter().chain(words).collect());
        let headings = ["", "To", "Costs less", "Ends with", "Difference before", "Difference after"];
        let mut twin = Twin::new(headings, rows);
        twin.headings[0] = format!("{from_heading}, from");
        twin.notes = self.teller().switch_over(answer);
        twin
    }

    fn preference(&self, answer: &preference::Answer) -> Chart {
        let preference::Question { path, figure } = &answer.question;
        let curve = |placement: usize| {
            let points = answer
                .samples
                .iter()
                .filter_map(|sample| Some((place(sample.value.decimal()), place((*sample.figures.get(placement)?)?))));
            let ends = [answer.samples.first(), answer.samples.last()]
                .map(|sample| sample.and_then(|sample| sample.figures.get(placement).copied().flatten()));
            let name = self.subject.named(placement);
            let said = format!("{name}: from {} to {}", self.exact(figure, ends[0]), self.exact(figure, ends[1]));
            let is_preferred = answer.samples.iter().any(|sample| sample.preferred == Some(placement));
            Curve { is_heavy: is_preferred, ..self.placement_curve(placement, points.collect(), said) }
        };
        let curves: Vec<Curve> = (0..self.scenario.placements.len()).map(curve).collect();
        let mark = |switch: &preference::Switch| {
            let x = place(switch.at.decimal());
            let y = height(&curves.get(switch.to.or(switch.from)?)?.points, x)?;
            let title = match (switch.from, switch.to) {
                (Some(from), Some(to)) => format!("{} → {}", letter(from), letter(to)),
                (Some(from), None) => format!("{} → none", letter(from)),
                (None, Some(to)) => format!("none → {}", letter(to)),
                (None, None) => return None,
            };
            Some(Mark { at: (x, y), title, text: format!("at {}", self.teller().value(path, switch.at)) })
        };
        let marks = answer.switches.iter().filter_map(mark).collect();
        let told = |sample: &preference::Sample| {
            let mut lines = vec![self.teller().value_with_unit(path, sample.value)];
            lines.extend(sample.figures.iter().enumerate().map(|(placement, value)| {
                let preferred = if sample.preferred == Some(placement) { ", preferred" } else { "" };
                format!("{} {}{preferred}", letter(placement), self.exact(figure, *value))
            }));
            Place { at: place(sample.value.decimal()), told: lines.join("\n") }
        };
        let twin = self.preference_twin(answer);
        let body = Curves {
            across: self.across(path, &answer.label, [answer.low, answer.high]),
            marks,
            uprights: self.now(path, answer.base),
            places: answer.samples.iter().map(told).collect(),
            said: twin.notes.first().cloned().unwrap_or_default(),
            are_ratios: !is_money(figure),
            curves,
        };
        Chart {
            title: format!("Switch-over: {}", self.teller().label(path, &answer.label)),
            scope: format!(
                "{} of all placements, preferred by {}, {}",
                figure_label(self.scenario, figure),
                self.scenario.decision_figure.label(),
                self.scope(figure)
            ),
            body: Body::Curves(body),
            key: Vec::new(),
            twin,
        }
    }

    /// One stretch of the range a row, with the placement that is preferred on it.
    fn preference_twin(&self, answer: &preference::Answer) -> Twin {
        let path = &answer.question.path;
        let unit = self.input(path).map_or(answer.unit.as_str(), |input| input.unit.as_str());
        let mut preferred = answer.samples.iter().find(|sample| sample.failure.is_none()).and_then(|of| of.preferred);
        let mut from = answer.low;
        let mut rows = Vec::new();
        let row = |from: Exact, to: Exact, preferred: Option<usize>, ends: &str| {
            vec![exact(from), exact(to), Value::words(self.teller().named(preferred)), Value::words(ends)]
        };
        for switch in &answer.switches {
            rows.push(row(from, switch.at, preferred, "switch-over"));
            (from, preferred) = (switch.at, switch.to);
        }
        rows.push(row(from, answer.high, preferred, "end of range"));
        let mut twin = Twin::new(["", "To", "Preferred", "Ends with"], rows);
        twin.headings[0] = format!("{}, from", self.heading(path, &answer.label, unit));
        twin.notes = self.teller().preference(answer);
        twin
    }
}

/// The height of a line at a place, between its points.
fn height(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let next = points.iter().position(|point| x <= point.0).unwrap_or(points.len().checked_sub(1)?);
    let (&(x1, y1), &(x0, y0)) = (points.get(next)?, points.get(next.saturating_sub(1))?);
    Some(if x1 > x0 { y0 + (y1 - y0) * ((x - x0) / (x1 - x0)).clamp(0.0, 1.0) } else { y1 })
}

pub(super) fn map(subject: &Subject<'_>) -> Result<Chart, String> {
    let Some(Answered::Map(answer)) = subject.answered else { return Err(unanswered("Two-way map")) };
    let of = Describer::of(subject);
    let axis = |axis: &Axis| {
        let ends = [axis.values.first(), axis.values.last()].map(|value| value.copied().unwrap_or_default());
        of.across(&axis.path, &axis.label, ends)
    };
    let base = answer.across.base.zip(answer.down.base);
    let twin = of.map_twin(answer);
    let all = answer.cells();
    let names = answer.preferred_in.iter().enumerate().map(|(placement, cells)| {
        let name = subject.scenario.placements.get(placement).map_or("", |placement| placement.name.as_str());
        let share = match *cells {
            0 => "never".to_owned(),
            cells if cells == all => "always".to_owned(),
            cells => format!("{cells} of {all}"),
        };
        (placement, format!("{name}: {share}"))
    });
    let body = Regions {
        across: axis(&answer.across),
        down: axis(&answer.down),
        columns: answer.across.values.iter().map(|value| place(value.decimal())).collect(),
        rows: answer.down.values.iter().enumerate().map(|(i, value)| of.band(answer, i, *value)).collect(),
        base: base.map(|(across, down)| (place(across.decimal()), place(down.decimal()))),
        names: names.collect(),
    };
    let label = |axis: &Axis| of.teller().label(&axis.path, &axis.label);
    let figure = &answer.question.figure;
    Ok(Chart {
        title: format!("Two-way map: {} and {}", label(&answer.across), label(&answer.down)),
        scope: format!("preferred by {}, {}", subject.scenario.decision_figure.label(), of.scope(figure)),
        body: Body::Regions(body),
        key: Vec::new(),
        twin,
    })
}

impl Describer<'_> {
    fn band(&self, answer: &map::Answer, row: usize, value: Exact) -> Band {
        let (cells, borders) = (answer.rows.get(row), answer.borders.get(row));
        let (cells, borders) = (cells.map_or(&[][..], Vec::as_slice), borders.map_or(&[][..], Vec::as_slice));
        let values = &answer.across.values;
        let region = |(i, cell): (usize, &map::Cell)| {
            let (here, next) = (values.get(i).copied(), values.get(i + 1).copied());
            // Several changes between two values are drawn half way, as if none were known.
            let between: Vec<Exact> = borders
                .iter()
                .map(|border| border.at)
                .filter(|at| here.is_some_and(|here| here < *at) && next.is_some_and(|next| *at <= next))
                .collect();
            let ends_at = match between.as_slice() {
                [only] => Some(place(only.decimal())),
                _ => None,
            };
            Region {
                preferred: preferred(cell),
                ends_at,
                told: self.cell_told(answer, here.unwrap_or_default(), value, cell),
            }
        };
        let cells: Vec<Region> = cells.iter().enumerate().map(region).collect();
        let said = self.band_said(answer, value, &cells, borders);
        Band { value: place(value.decimal()), cells, said }
    }

    fn cell_told(&self, answer: &map::Answer, across: Exact, down: Exact, cell: &map::Cell) -> String {
        let teller = self.teller();
        let axis = |axis: &Axis, value: Exact| {
            format!("{} {}", teller.label(&axis.path, &axis.label), teller.value_with_unit(&axis.path, value))
        };
        let mut lines = vec![axis(&answer.across, across), axis(&answer.down, down)];
        if let Some(problem) = &cell.failure {
            lines.push(problem.to_string());
            return lines.join("\n");
        }
        lines.extend(cell.figures.iter().enumerate().map(|(placement, value)| {
            let preferred = if cell.preferred == Some(placement) { ", preferred" } else { "" };
            format!("{} {}{preferred}", letter(placement), self.exact(&answer.question.figure, *value))
        }));
        lines.join("\n")
    }

    /// A row in words: who is preferred along it, up to which value.
    fn band_said(&self, answer: &map::Answer, value: Exact, cells: &[Region], borders: &[map::Border]) -> String {
        let teller = self.teller();
        let down = &answer.down;
        let lead = format!("{} {}", teller.label(&down.path, &down.label), teller.value_with_unit(&down.path, value));
        let short = |place: Option<usize>| place.map_or_else(|| "none".to_owned(), letter);
        let mut said = match (borders.first(), cells.first().map(|cell| cell.preferred)) {
            (Some(border), _) => short(border.from),
            (None, Some(Preferred::Placement(placement))) => format!("always {}", letter(placement)),
            (None, Some(Preferred::Unknown)) => "cannot be computed".to_owned(),
            (None, _) => "none".to_owned(),
        };
        for border in borders {
            said += &format!(" to {}, {}", teller.value(&answer.across.path, border.at), short(border.to));
        }
        format!("{lead}: {said}")
    }

    /// One cell a row, with the figure of every placement.
    fn map_twin(&self, answer: &map::Answer) -> Twin {
        let heading = |axis: &Axis| {
            let unit = self.input(&axis.path).map_or(axis.unit.as_str(), |input| input.unit.as_str());
            self.heading(&axis.path, &axis.label, unit)
        };
        let mut headings = vec![heading(&answer.across), heading(&answer.down), "Preferred".to_owned()];
        let mut badges = vec![None; 3];
        for placement in 0..self.scenario.placements.len() {
            headings.push(self.subject.named(placement));
            badges.push(Some(placement));
        }
        let mut rows = Vec::new();
        for (down, cells) in answer.down.values.iter().zip(&answer.rows) {
            for (across, cell) in answer.across.values.iter().zip(cells) {
                let preferred = match (&cell.failure, cell.preferred) {
                    (Some(_), _) => "cannot be computed".to_owned(),
                    (None, placement) => self.teller().named(placement),
                };
                let mut row = vec![exact(*across), exact(*down), Value::words(preferred)];
                let figure = |placement: usize| cell.figures.get(placement).copied().flatten();
                let placements = 0..self.scenario.placements.len();
                row.extend(placements.map(|placement| self.value(&answer.question.figure, figure(placement))));
                rows.push(row);
            }
        }
        Twin { headings, badges, rows, notes: self.teller().map(answer), marks: Vec::new() }
    }
}

fn preferred(cell: &map::Cell) -> Preferred {
    match (&cell.failure, cell.preferred) {
        (Some(_), _) => Preferred::Unknown,
        (None, Some(placement)) => Preferred::Placement(placement),
        (None, None) => Preferred::None,
    }
}

pub(super) fn base_size(subject: &Subject<'_>) -> Result<Chart, String> {
    let Some(Answered::BaseSize(answer)) = subject.answered else { return Err(unanswered("Base size")) };
    let of = Describer::of(subject);
    let placement = answer.question.placement;
    let environment = subject.scenario.environments.iter().find(|known| known.id == answer.question.environment);
    let environment = environment.map_or("", |environment| environment.name.as_str());
    let at = |point: &size::Point| f64::from(point.nodes);
    let series = |money: &dyn Fn(&size::Point) -> Money| -> Vec<(f64, f64)> {
        answer.points.iter().map(|point| (at(point), subject.pixels(money(point)))).collect()
    };
    let part = |name: &str, ink: Ink, money: &dyn Fn(&size::Point) -> Money| Curve {
        name: name.to_owned(),
        ink,
        dash: Dash::Solid,
        is_heavy: false,
        badge: None,
        points: series(money),
        said: name.to_owned(),
    };
    let whole = of.placement_curve(placement, series(&|point| point.figure), subject.named(placement));
    let told = |point: &size::Point| {
        let unmet = if point.serves { "" } else { "\nleaves more demand unmet than is accepted" };
        Place {
            at: at(point),
            told: format!(
                "{} nodes: {}\nfixed here {}\nby use here {}\nelsewhere {}{unmet}",
                point.nodes,
                subject.exact(point.figure),
                subject.exact(point.owned_fixed),
                subject.exact(point.owned_usage),
                subject.exact(point.elsewhere)
            ),
        }
    };
    let best = answer.cheapest.and_then(|place| answer.points.get(place));
    let mark = |point: &size::Point| Mark {
        at: (at(point), subject.pixels(point.figure)),
        title: "cheapest".to_owned(),
        text: format!("{} nodes, {}", point.nodes, subject.brief(point.figure)),
    };
    let twin = of.base_size_twin(answer);
    // Where a rule and the scenario's own count fall together, they are one line.
    let mut uprights = vec![Upright { at: f64::from(answer.own), text: format!("now {}", answer.own) }];
    if let Some(rule) = &answer.rule {
        match rule.nodes == answer.own {
            true => uprights[0].text = format!("now and rule of thumb {}", answer.own),
            false => {
                uprights.push(Upright { at: f64::from(rule.nodes), text: format!("rule of thumb {}", rule.nodes) })
            }
        }
    }
    let figure = Figure::deciding(answer.decision_figure);
    let most = answer.points.last().map_or(1.0, at);
    let body = Curves {
        across: Across { low: 0.0, high: most.max(1.0), title: format!("Nodes of {environment}"), is_percent: false },
        curves: vec![
            part("fixed here", Ink::High, &|point| point.owned_fixed),
            part("elsewhere", Ink::Low, &|point| point.elsewhere),
            whole,
        ],
        marks: best.map(mark).into_iter().collect(),
        uprights,
        places: answer.points.iter().map(told).collect(),
        said: twin.notes.first().cloned().unwrap_or_default(),
        are_ratios: false,
    };
    Ok(Chart {
        title: format!("Base size: {}", subject.named(placement)),
        scope: format!("{} by nodes of {environment}, {}", figure_label(subject.scenario, &figure), of.scope(&figure)),
        body: Body::Curves(body),
        key: Vec::new(),
        twin,
    })
}

impl Describer<'_> {
    fn base_size_twin(&self, answer: &size::Answer) -> Twin {
        let label = figure_label(self.scenario, &Figure::deciding(answer.decision_figure));
        let row = |(i, point): (usize, &size::Point)| {
            let marks = [
                (answer.cheapest == Some(i), "cheapest"),
                (answer.rule.as_ref().is_some_and(|rule| rule.nodes == point.nodes), "rule of thumb"),
                (point.nodes == answer.own, "the scenario’s own"),
            ];
            let marks: Vec<&str> = marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect();
            vec![
                Value::Number(Num::count(point.nodes)),
                Value::Money(point.figure),
                Value::Money(point.owned_fixed),
                Value::Money(point.owned_usage),
                Value::Money(point.elsewhere),
                answer.shares_above.get(i).copied().flatten().map_or(Value::None, number),
                Value::words(if point.serves { "yes" } else { "no" }),
                Value::words(marks.join(", ")),
            ]
        };
        let headings =
            ["Nodes", &label, "Fixed here", "By use here", "Elsewhere", "Share of hours above", "Serves", "Marked"];
        let mut twin = Twin::new(headings, answer.points.iter().enumerate().map(row).collect());
        twin.notes = self.teller().base_size(answer);
        twin
    }
}

pub(super) fn cases(subject: &Subject<'_>) -> Result<Chart, String> {
    let Some(Answered::Cases(answer)) = subject.answered else { return Err(unanswered("Cases")) };
    let of = Describer::of(subject);
    let figure = &answer.figure;
    let row = |(row, figures): (&of_cases::Row, &Vec<Option<Decimal>>)| {
        let name = case_name(row);
        let dot = |(placement, value): (usize, &Option<Decimal>)| {
            let at = place((*value)?);
            let unmet = row.cells.get(placement).filter(|cell| !cell.meets_service).map(|_| ", leaves demand unmet");
            let told = format!(
                "{name}\n{} {}{}",
                subject.named(placement),
                of.exact(figure, *value),
                unmet.unwrap_or_default()
            );
            Some(RowDot { placement, at, told })
        };
        let best = row.cheapest.and_then(|best| figures.get(best).copied().flatten());
        let parts: Vec<String> = figures
            .iter()
            .enumerate()
            .map(|(placement, value)| format!("{} {}", letter(placement), of.exact(figure, *value)))
            .collect();
        let said_best = row.cheapest.map_or_else(|| "none serves".to_owned(), |best| format!("best {}", letter(best)));
        DotRow {
            dots: figures.iter().enumerate().filter_map(dot).collect(),
            text: best.map_or_else(|| "none serves".to_owned(), |best| of.brief(figure, best)),
            best: row.cheapest,
            said: format!("{name}: {said_best}; {}", parts.join("; ")),
            name,
        }
    };
    let rows: Vec<DotRow> = answer.table.rows.iter().zip(&answer.figures).map(row).collect();
    let count = rows.len() - 1;
    let cases = if count == 1 { "1 case".to_owned() } else { format!("{count} cases") };
    Ok(Chart {
        title: format!("Cases: {}", crate::scenario::inputs::lower_first(&figure_label(subject.scenario, figure))),
        scope: format!("{}, base and {cases}, best by {}", of.scope(figure), answer.table.decision_figure.label()),
        body: Body::Dots(Dots { rows, are_ratios: !is_money(figure) }),
        key: Vec::new(),
        twin: of.cases_twin(answer),
    })
}

fn case_name(row: &of_cases::Row) -> String {
    row.variant.case.as_ref().map_or_else(|| "Base".to_owned(), |case| case.name.clone())
}

impl Describer<'_> {
    /// One case a row: of each placement its figure, and what it costs beyond the best; what the worst comes to beneath.
    fn cases_twin(&self, answer: &of_cases::Answer) -> Twin {
        let of_cases::Answer { table, figure, figures, .. } = answer;
        let placements = 0..self.scenario.placements.len();
        let (mut headings, mut badges) = (vec!["Case".to_owned(), "Best".to_owned()], vec![None, None]);
        for placement in placements.clone() {
            headings.extend([self.subject.named(placement), format!("{} regret", letter(placement))]);
            badges.extend([Some(placement), None]);
        }
        let money = |money: Option<Money>| money.map_or(Value::None, Value::Money);
        let row = |(row, figures): (&of_cases::Row, &Vec<Option<Decimal>>)| {
            let best = row.cheapest.map_or_else(|| "none serves".to_owned(), letter);
            let mut cells = vec![Value::words(case_name(row)), Value::words(best)];
            for placement in placements.clone() {
                let cell = row.cells.get(placement);
                let regret = match cell {
                    Some(cell) if !cell.meets_service => Value::words("does not serve"),
                    cell => money(cell.and_then(|cell| cell.regret)),
                };
                cells.extend([self.value(figure, figures.get(placement).copied().flatten()), regret]);
            }
            cells
        };
        let mut rows: Vec<Vec<Value>> = table.rows.iter().zip(figures).map(row).collect();
        let is_deciding = *figure == Figure::deciding(table.decision_figure);
        let best = table.best_in_worst_case.map_or_else(|| "none serves".to_owned(), letter);
        let mut worst = vec![Value::words("Worst case"), Value::words(best)];
        for placement in placements {
            let most = table.worst.get(placement).copied().flatten();
            worst.push(if is_deciding { money(most) } else { Value::None });
            worst.push(money(table.greatest_regret.get(placement).copied().flatten()));
        }
        rows.push(worst);
        let mut notes = self.teller().cases(answer);
        if !is_deciding {
            let decides = table.decision_figure.label();
            notes.push(format!("Best, regret and the worst case are by {decides}, which decides."));
        }
        Twin { headings, badges, rows, notes, marks: Vec::new() }
    }
}
