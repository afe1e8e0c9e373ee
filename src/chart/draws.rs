//! The charts of what draws over uncertain inputs say: how figures are spread, who is cheapest how often, what drives it, and
//! what measuring would be worth.
//!
//! Everything is read from an answer. Nothing is drawn, counted or evaluated here.

use rust_decimal::Decimal;

use super::declared::{Answered, Subject, Which};
use super::{Body, Chart, Percentile, Ranked, RankedMark, RankedRow, Spread, SpreadOf, Stretch, Twin, Value};
use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::tally::Sketch;
use crate::analysis::uncertainty::{
    self, Answer, LEAST_FOR_CORRELATIONS, OfPlacement, OfVariable, PERCENTILES, percentile,
};
use crate::engine::Figure;
use crate::quantity::{Exact, Money};
use crate::scenario::problem::months;
use crate::show::{self, Figures, letter};
use crate::words;

/// Stretches into which the axis of a histogram is parted.
const STRETCHES: usize = 48;
/// Points that a curve is drawn through at most.
const POINTS: usize = 400;
/// Bars that are drawn; the table has all.
const BARS: usize = 14;
/// The percentiles that are marked.
const MARKED: [u32; 3] = [10, 50, 90];

/// The answer, with the ways in which its figures are written.
#[derive(Clone, Copy)]
struct Drawn<'a> {
    subject: &'a Subject<'a>,
    answer: &'a Answer,
    figures: Figures,
}

impl<'a> Drawn<'a> {
    fn of(subject: &'a Subject<'a>) -> Result<Self, String> {
        let Some(Answered::Draws(answer)) = subject.answered else {
            return Err("There are no draws of this scenario yet. Run them on the page Uncertainty first.".to_owned());
        };
        Ok(Self { subject, answer, figures: subject.figures })
    }

    fn is_money(self) -> bool {
        is_money(&self.answer.question.figure)
    }

    fn decimal(self, units: i128) -> Decimal {
        Decimal::try_from_i128_with_scale(units, self.answer.digits).unwrap_or_default()
    }

    /// A value for a place on the page.
    fn pixels(self, units: i128) -> f64 {
        f64::try_from(self.decimal(units)).unwrap_or_default()
    }

    /// To the minor unit with its currency, or a ratio with its significant digits.
    fn exact(self, units: i128) -> String {
        if self.is_money() {
            self.subject.exact(Money::from_minor(units))
        } else {
            format!("{} {}", self.subject.code(), self.figures.ratio(self.decimal(units)))
        }
    }

    fn brief(self, units: i128) -> String {
        if self.is_money() {
            self.subject.brief(Money::from_minor(units))
        } else {
            self.figures.ratio(self.decimal(units))
        }
    }

    fn value(self, units: Option<i128>) -> Value {
        match units {
            Some(units) if self.is_money() => Value::Money(Money::from_minor(units)),
            Some(units) => {
                Exact::from_decimal(self.decimal(units)).map_or(Value::None, |exact| Value::Number(exact.num()))
            }
            None => Value::None,
        }
    }

    fn money(self, money: Option<Money>) -> Value {
        money.map_or(Value::None, Value::Money)
    }

    /// `Present value, USD, 60 months, 5,000 draws from seed 1`
    fn scope(self) -> String {
        format!("{}, {}, {}", self.subject.code(), months(self.subject.evaluation.horizon_months), self.draws())
    }

    fn draws(self) -> String {
        let count = |count: u64| self.figures.number(Decimal::from(count));
        let Answer { done, failed, question, .. } = self.answer;
        let seen = done + failed;
        let of = if seen < question.draws { format!("{} of ", count(seen)) } else { String::new() };
        format!("{of}{} draws from seed {}", count(question.draws), question.seed)
    }

    fn figure(self) -> String {
        figure_label(self.subject.scenario, &self.answer.question.figure)
    }

    fn percent(self, part: u64, of: u64) -> String {
        match share(part, of) {
            none if none.is_zero() => show::ZERO.to_owned(),
            some => format!("{} %", self.figures.percent(some)),
        }
    }

    /// The low, middle and high percentiles of values in one line.
    fn said(self, values: &Sketch) -> String {
        let text = |of: u32| percentile(values, of).map(|units| format!("{of}th percentile {}", self.exact(units)));
        let told: Vec<String> = MARKED.into_iter().filter_map(text).collect();
        if told.is_empty() { "too few draws for a percentile".to_owned() } else { told.join(", ") }
    }
}

fn share(part: u64, of: u64) -> Decimal {
    Decimal::from(part).checked_div(Decimal::from(of)).unwrap_or_default()
}

/// One row of a spread: a placement, its values, and what stands beside it.
struct Of<'a> {
    placement: usize,
    name: String,
    values: &'a Sketch,
    note: String,
}

fn placements<'a>(drawn: Drawn<'a>) -> Vec<Of<'a>> {
    let of = |of: &'a OfPlacement| Of {
        placement: of.placement,
        name: drawn.subject.named(of.placement),
        values: &of.figure,
        note: String::new(),
    };
    drawn.answer.placements.iter().map(of).collect()
}

/// The values of several over one axis, from the least to the greatest of all.
fn spread(drawn: Drawn<'_>, rows: &[Of<'_>]) -> Result<Spread, String> {
    let least = rows.iter().filter_map(|row| row.values.least()).min();
    let greatest = rows.iter().filter_map(|row| row.values.greatest()).max();
    let (Some(least), Some(greatest)) = (least, greatest) else {
        return Err("In no draw is there a figure to show: there is no output to measure against.".to_owned());
    };
    let (mut low, mut high) = (drawn.pixels(least), drawn.pixels(greatest));
    if high <= low {
        let room = (low.abs() * 0.01).max(1.0);
        (low, high) = (low - room, high + room);
    }
    let counted: Vec<Vec<u64>> = rows.iter().map(|row| counted(drawn, row.values, (low, high))).collect();
    let placements = rows.iter().zip(&counted).map(|(row, counts)| spread_of(drawn, row, counts)).collect();
    let stretches = (0..STRETCHES).map(|stretch| told(drawn, rows, &counted, (low, high), stretch)).collect();
    Ok(Spread { low, high, placements, stretches })
}

/// How many values lie in each stretch.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the stretches there are")]
#[expect(clippy::cast_precision_loss, reason = "some dozens of stretches")]
fn counted(drawn: Drawn<'_>, values: &Sketch, (low, high): (f64, f64)) -> Vec<u64> {
    let mut counts = vec![0; STRETCHES];
    for (value, count) in values.values() {
        let way = (drawn.pixels(value) - low) / (high - low) * STRETCHES as f64;
        let place = (way.max(0.0) as usize).min(STRETCHES - 1);
        if let Some(counted) = counts.get_mut(place) {
            *counted += count;
        }
    }
    counts
}

#[expect(clippy::cast_precision_loss, reason = "shares for the page")]
fn spread_of(drawn: Drawn<'_>, row: &Of<'_>, counts: &[u64]) -> SpreadOf {
    let all = row.values.count().max(1) as f64;
    let mark = |of: u32| {
        let units = percentile(row.values, of)?;
        Some(Percentile { at: drawn.pixels(units), text: drawn.brief(units) })
    };
    SpreadOf {
        placement: row.placement,
        name: row.name.clone(),
        is_heavy: drawn.subject.is_heavy(row.placement),
        bars: counts.iter().map(|count| *count as f64 / all).collect(),
        points: points(drawn, row.values),
        marks: MARKED.iter().filter_map(|of| mark(*of)).collect(),
        note: row.note.clone(),
        said: format!("{}: {}", row.name, drawn.said(row.values)),
    }
}

/// A curve through no more points than a page can show.
#[expect(clippy::cast_precision_loss, reason = "shares for the page")]
fn points(drawn: Drawn<'_>, values: &Sketch) -> Vec<(f64, f64)> {
    let (all, every) = (values.count().max(1) as f64, values.values().count().div_ceil(POINTS).max(1));
    let (mut below, mut last) = (0, None);
    let mut points: Vec<(f64, f64)> = Vec::new();
    for (i, (value, count)) in values.values().enumerate() {
        let value = drawn.pixels(value);
        if i == 0 {
            points.push((value, 0.0));
        }
        below += count;
        let point = (value, below as f64 / all);
        last = Some(point);
        if i.is_multiple_of(every) {
            points.push(point);
        }
    }
    if points.last() != last.as_ref() {
        points.extend(last);
    }
    points
}

/// What is told where the pointer rests on a stretch.
#[expect(clippy::cast_precision_loss, reason = "some dozens of stretches")]
fn told(drawn: Drawn<'_>, rows: &[Of<'_>], counted: &[Vec<u64>], (low, high): (f64, f64), stretch: usize) -> Stretch {
    let at = |edge: usize| {
        let value = low + (high - low) * edge as f64 / STRETCHES as f64;
        Decimal::try_from(value).map_or_else(|_| String::new(), |value| drawn.figures.near(value))
    };
    let (from, to) = (at(stretch), at(stretch + 1));
    let line =
        |row: &Of<'_>, part: u64| format!("{} {}", letter(row.placement), drawn.percent(part, row.values.count()));
    let lines = |part: &dyn Fn(&[u64]) -> u64| -> String {
        let all = rows.iter().zip(counted).map(|(row, counts)| line(row, part(counts)));
        all.collect::<Vec<_>>().join("\n")
    };
    let within = lines(&|counts| counts.get(stretch).copied().unwrap_or_default());
    let below = lines(&|counts| counts.iter().take(stretch + 1).sum());
    Stretch {
        bars: format!("from {from} to {to}, share of draws\n{within}"),
        curves: format!("at or below {to}\n{below}"),
    }
}

/// Percentiles as rows, one column for each placement.
fn percentiles(drawn: Drawn<'_>, rows: &[Of<'_>]) -> Twin {
    let line = |name: String, value: &dyn Fn(&Sketch) -> Option<i128>| -> Vec<Value> {
        let cells = rows.iter().map(|row| drawn.value(value(row.values)));
        std::iter::once(Value::words(name)).chain(cells).collect()
    };
    let mut lines = vec![line("Mean".to_owned(), &Sketch::mean), line("Least".to_owned(), &Sketch::least)];
    for of in PERCENTILES {
        lines.push(line(format!("{of}th percentile"), &|values| percentile(values, of)));
    }
    lines.push(line("Greatest".to_owned(), &Sketch::greatest));
    let headings = std::iter::once("Draws".to_owned()).chain(rows.iter().map(|row| row.name.clone()));
    let badges = std::iter::once(None).chain(rows.iter().map(|row| Some(row.placement)));
    let told = "So many percent of the draws do not exceed a percentile, to within 0.02 % of the value.".to_owned();
    let notes = words::draws::carried(drawn.answer, drawn.figures).into_iter().chain([told]).collect();
    Twin { headings: headings.collect(), badges: badges.collect(), rows: lines, notes, marks: Vec::new() }
}

pub(super) fn below(subject: &Subject<'_>) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let rows = placements(drawn);
    Ok(Chart {
        title: format!("Cumulative probability, {}", lower(&drawn.figure())),
        scope: format!("share of draws at or below, {}", drawn.scope()),
        body: Body::Shares(spread(drawn, &rows)?),
        key: Vec::new(),
        twin: percentiles(drawn, &rows),
    })
}

pub(super) fn distribution(subject: &Subject<'_>) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let rows = placements(drawn);
    Ok(Chart {
        title: format!("Distribution, {}", lower(&drawn.figure())),
        scope: format!("each as high as its highest bar, with percentiles 10, 50 and 90, {}", drawn.scope()),
        body: Body::Histograms(spread(drawn, &rows)?),
        key: Vec::new(),
        twin: percentiles(drawn, &rows),
    })
}

/// The placement that the others are compared with.
fn against(drawn: Drawn<'_>) -> Result<usize, String> {
    drawn.answer.question.against.ok_or_else(|| "Name a placement to compare with, and run the draws again.".to_owned())
}

pub(super) fn differences(subject: &Subject<'_>) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let against = against(drawn)?;
    let others = drawn.answer.differences.iter().filter(|of| of.placement != against);
    let rows: Vec<Of<'_>> = others
        .map(|of| Of {
            placement: of.placement,
            name: subject.named(of.placement),
            values: &of.figure,
            note: match of.less {
                0 => "never less".to_owned(),
                less => format!("less in {}", words::draws::probability(drawn.figures, less, of.figure.count())),
            },
        })
        .collect();
    if rows.is_empty() {
        return Err("There is one placement, and nothing to compare it with.".to_owned());
    }
    Ok(Chart {
        title: format!(
            "Distribution of differences, {} less that of {}",
            lower(&drawn.figure()),
            subject.named(against)
        ),
        scope: format!("below zero it is the lesser, {}", drawn.scope()),
        body: Body::Histograms(spread(drawn, &rows)?),
        key: Vec::new(),
        twin: percentiles(drawn, &rows),
    })
}

pub(super) fn cheapest(subject: &Subject<'_>) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let answer = drawn.answer;
    let mut order: Vec<_> = answer.placements.iter().collect();
    order.sort_by_key(|of| (std::cmp::Reverse(of.cheapest), of.placement));
    let interval = |of: &OfPlacement| {
        let said = words::draws::interval(drawn.figures, of.cheapest, answer.done);
        said.map_or_else(String::new, |said| format!("95 % interval {said}"))
    };
    let row = |of: &&OfPlacement| {
        let serves = drawn.percent(answer.done.saturating_sub(of.unserved), answer.done);
        let regret = of.expected_regret.map_or_else(|| show::ZERO.to_owned(), |regret| subject.exact(regret));
        RankedRow {
            mark: RankedMark::Placement(of.placement),
            name: subject.evaluation.placements.get(of.placement).map_or_else(String::new, |of| of.name.clone()),
            value: f64::try_from(share(of.cheapest, answer.done)).unwrap_or_default(),
            text: words::draws::probability(drawn.figures, of.cheapest, answer.done),
            told: format!("{}\nserves in {serves} of draws, expected regret {regret}", interval(of)),
        }
    };
    let line = |of: &OfPlacement| {
        let [low, high] = uncertainty::interval(of.cheapest, answer.done).unwrap_or_default();
        vec![
            Value::words(subject.named(of.placement)),
            percent_value(of.cheapest, answer.done),
            percent_value(answer.done.saturating_sub(of.unserved), answer.done),
            drawn.money(of.expected_regret),
            drawn.money(of.greatest_regret),
            percent_of(low),
            percent_of(high),
        ]
    };
    let decided = figure_label(subject.scenario, &Figure::deciding(subject.scenario.decision_figure)).to_lowercase();
    let headings = [
        "Placement",
        "Cheapest, % of draws",
        "Serves, % of draws",
        "Expected regret",
        "Greatest regret",
        "Cheapest at least, %",
        "Cheapest at most, %",
    ];
    let mut twin = Twin::new(headings, answer.placements.iter().map(line).collect());
    twin.notes.push(format!("Decided by {decided}. Regret is what it costs beyond the cheapest of the same draw."));
    twin.notes.push("At least and at most: the probability lies between them at a confidence of 95 %.".to_owned());
    Ok(Chart {
        title: "Probability of being cheapest".to_owned(),
        scope: format!("by {decided}, {}", drawn.draws()),
        body: Body::Ranked(Ranked { rows: order.iter().map(row).collect(), most: Some(1.0) }),
        key: Vec::new(),
        twin,
    })
}

/// A share in percent, to within a tenth of a thousandth.
fn percent_value(part: u64, of: u64) -> Value {
    let percent = share(part, of).checked_mul(Decimal::ONE_HUNDRED).unwrap_or_default();
    Exact::from_decimal(show::round(percent, 4)).map_or(Value::None, |exact| Value::Number(exact.num()))
}

/// A share that is an estimate, in percent.
fn percent_of(share: f64) -> Value {
    let percent = Decimal::try_from(share * 100.0).map(|percent| Exact::from_decimal(show::round(percent, 1)));
    percent.ok().and_then(Result::ok).map_or(Value::None, |exact| Value::Number(exact.num()))
}

pub(super) fn drivers(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let place = which.placement;
    let title = format!("What drives a figure: {} of {}", lower(&drawn.figure()), subject.named(place));
    correlations(drawn, title, |of| of.correlations.get(place).copied().flatten())
}

pub(super) fn difference_drivers(subject: &Subject<'_>, which: &Which) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let (place, against) = (which.placement, against(drawn)?);
    if place == against {
        return Err(format!("{} does not differ from itself. Choose another placement.", subject.named(place)));
    }
    let (figure, [one, other]) = (lower(&drawn.figure()), [place, against].map(|place| subject.named(place)));
    let title = format!("What drives a difference: {figure} of {one} less that of {other}");
    correlations(drawn, title, |of| of.correlations_of_differences.get(place).copied().flatten())
}

/// Rank correlations, the strongest first.
fn correlations(
    drawn: Drawn<'_>,
    title: String,
    correlation: impl Fn(&OfVariable) -> Option<f64>,
) -> Result<Chart, String> {
    let mut order: Vec<(&OfVariable, Option<f64>)> =
        drawn.answer.variables.iter().map(|of| (of, correlation(of))).collect();
    let strength = |of: Option<f64>| of.map_or(-1.0, f64::abs);
    order.sort_by(|a, b| strength(b.1).total_cmp(&strength(a.1)).then(a.0.place.cmp(&b.0.place)));
    let row = |(of, correlation): &(&OfVariable, Option<f64>)| {
        let value = (*correlation)?;
        Some(RankedRow {
            mark: RankedMark::Evidence(of.evidence),
            name: of.label.clone(),
            value,
            text: show::correlation(value),
            told: rests_on(of),
        })
    };
    let line = |(of, correlation): &(&OfVariable, Option<f64>)| {
        let value = correlation.and_then(|value| Exact::parse(&format!("{value:.4}")).ok());
        let mut line = described(of);
        line.push(value.map_or(Value::None, |value| Value::Number(value.num())));
        line
    };
    let headings = ["Input", "Path", "Evidence", "Owner", "Rank correlation"];
    let rows: Vec<RankedRow> = order.iter().filter_map(row).take(BARS).collect();
    if drawn.answer.done < LEAST_FOR_CORRELATIONS {
        return Err(format!(
            "What drives a figure is told from {LEAST_FOR_CORRELATIONS} draws on: between fewer, chance alone makes strong \
             correlations."
        ));
    }
    if rows.is_empty() {
        return Err("Nothing that is drawn moves this figure.".to_owned());
    }
    Ok(Chart {
        title,
        scope: format!("rank correlation, {}{}", largest(rows.len(), order.len()), drawn.draws()),
        body: Body::Ranked(Ranked { rows, most: None }),
        key: Vec::new(),
        twin: Twin::new(headings, order.iter().map(line).collect()),
    })
}

pub(super) fn worth(subject: &Subject<'_>) -> Result<Chart, String> {
    let drawn = Drawn::of(subject)?;
    let answer = drawn.answer;
    if answer.chosen.is_none() {
        return Err(
            "No placement serves as far as is accepted in every draw, so that none can be chosen and no input \
                    would save anything by being known."
                .to_owned(),
        );
    }
    let row = |of: &OfVariable| {
        let worth = of.worth.unwrap_or(Money::ZERO);
        RankedRow {
            mark: RankedMark::Evidence(of.evidence),
            name: of.label.clone(),
            value: subject.pixels(worth),
            text: subject.figures.amount(worth.minor(), subject.currency().minor_digits),
            told: format!("{}\n{}", subject.exact(worth), rests_on(of)),
        }
    };
    let line = |of: &OfVariable| {
        let mut line = described(of);
        line.push(drawn.money(of.worth));
        line
    };
    let mut twin =
        Twin::new(["Input", "Path", "Evidence", "Owner", "Worth"], answer.variables.iter().map(line).collect());
    let whole = answer.perfect_information.map_or_else(|| show::ZERO.to_owned(), |worth| subject.exact(worth));
    twin.notes.push(format!("Knowing everything is worth {whole}. Single values do not add up to it."));
    let rows: Vec<RankedRow> = answer.variables.iter().take(BARS).map(row).collect();
    let unit = format!("{}{}", subject.code(), subject.figures.scale.word());
    let shown = largest(rows.len(), answer.variables.len());
    Ok(Chart {
        title: "Value of measuring an input".to_owned(),
        scope: format!("{unit}, expected saving if it were known before the decision, {shown}{}", drawn.draws()),
        body: Body::Ranked(Ranked { rows, most: None }),
        key: Vec::new(),
        twin,
    })
}

/// The first cells of an input in a table.
fn described(of: &OfVariable) -> Vec<Value> {
    [&of.label, &of.path, of.evidence.label(), &of.owner].map(Value::words).into()
}

/// How an input is spread and what it rests on.
fn rests_on(of: &OfVariable) -> String {
    let spread = of.distribution.map_or("several distributions", |of| of.label()).to_lowercase();
    let owner = if of.owner.is_empty() { "no owner".to_owned() } else { format!("owner {}", of.owner) };
    let review = if of.review_by.is_empty() { String::new() } else { format!(", review by {}", of.review_by) };
    format!("{spread}, {}, {owner}{review}", of.evidence.label().to_lowercase())
}

fn largest(shown: usize, of: usize) -> String {
    if shown < of { format!("the {shown} largest of {of}, ") } else { String::new() }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
