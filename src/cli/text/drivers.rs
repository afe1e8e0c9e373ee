//! What drives a decision, as text to be read.
//!
//! Nothing here computes a figure.

use rust_decimal::Decimal;

use crate::analysis::base_size;
use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::map::{self, Axis, Cell};
use crate::analysis::range::RangeKind;
use crate::analysis::switch_over::{self, Crossing};
use crate::engine::Figure;
use crate::quantity::Exact;
use crate::scenario::{Problem, Scenario};
use crate::show::letter;

use super::{Grid, Left, Right, Subject, Writer};

fn name(scenario: &Scenario, place: usize) -> &str {
    scenario.placements.get(place).map_or("", |placement| placement.name.as_str())
}

impl Writer<'_> {
    /// A value of a map, to about four significant digits.
    fn near(&self, value: Exact) -> String {
        self.figures.near(value.decimal())
    }

    /// A figure: an amount to the minor unit, or a ratio.
    fn figure(&self, figure: &Figure, value: Decimal) -> String {
        match is_money(figure) {
            true => self.figures.rounded(value, self.subject.evaluation.currency.minor_digits),
            false => self.figures.ratio(value),
        }
    }
}

fn with_unit(value: &str, unit: &str) -> String {
    format!("{value} {unit}").trim_end().to_owned()
}

/// Where one placement overtakes the other.
pub(in crate::cli) fn switch_over(subject: &Subject, answer: &switch_over::Answer) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let figure = &answer.question.figure;
    let [first, second] = answer.question.between.map(|place| name(scenario, place));
    let mut text = writer.conventions();
    text.push_str(&format!(
        "{} of {first} against {second}, in {}\n",
        figure_label(scenario, figure),
        answer.currency.code
    ));
    let default = if answer.range == RangeKind::Default { " (default range)" } else { "" };
    text.push_str(&format!(
        "{} from {} to {}{default}\n",
        answer.label,
        writer.exact(answer.low),
        with_unit(&writer.exact(answer.high), &answer.unit)
    ));
    let (value, difference) = answer.base;
    let at = value.map_or_else(String::new, |value| format!(" at {}", writer.exact(value)));
    text.push_str(&format!("Now{at}: {}\n\n", dearer(&writer, answer, difference)));
    if answer.is_same {
        text.push_str("Both cost the same over the whole range.\n");
    } else if let Some(always) = answer.always() {
        let other = answer.question.between.into_iter().find(|place| *place != always).unwrap_or(always);
        text.push_str(&format!(
            "Never: {} costs less than {} over the whole range.\n",
            name(scenario, always),
            name(scenario, other)
        ));
    } else {
        for crossing in &answer.crossings {
            text.push_str(&crossing_line(&writer, answer, crossing));
        }
        text.push('\n');
        text.push_str(&regions(&writer, answer));
    }
    for (stretches, placement) in answer.unserved.iter().zip([first, second]) {
        if !stretches.is_empty() {
            let stretches: Vec<String> = stretches.iter().map(|(from, to)| stretch(&writer, *from, *to)).collect();
            text.push_str(&format!(
                "{placement} leaves more demand unmet than is accepted {}, as far as tried.\n",
                stretches.join(" and ")
            ));
        }
    }
    text.push_str(&failed(answer.failed.iter().map(|(value, problem)| (writer.exact(*value), problem))));
    text
}

fn stretch(writer: &Writer, from: Exact, to: Exact) -> String {
    match from == to {
        true => format!("at {}", writer.exact(from)),
        false => format!("from {} to {}", writer.exact(from), writer.exact(to)),
    }
}

fn failed(failed: impl Iterator<Item = (String, impl std::borrow::Borrow<Problem>)>) -> String {
    let lines: Vec<String> = failed.map(|(value, problem)| format!("  at {value}: {}\n", problem.borrow())).collect();
    if lines.is_empty() { String::new() } else { format!("\nCannot be computed:\n{}", lines.concat()) }
}

/// Which of the two costs more, and by how much.
fn dearer(writer: &Writer, answer: &switch_over::Answer, difference: Decimal) -> String {
    let [first, second] = answer.question.between.map(|place| name(&writer.subject.scenario, place));
    if difference.is_zero() {
        return format!("{first} and {second} cost the same");
    }
    let (dearer, other) = if difference.is_sign_positive() { (first, second) } else { (second, first) };
    format!("{dearer} costs {} more than {other}", writer.figure(&answer.question.figure, difference.abs()))
}

fn crossing_line(writer: &Writer, answer: &switch_over::Answer, crossing: &Crossing) -> String {
    let [from, to] = [crossing.from, crossing.to].map(|place| name(&writer.subject.scenario, place));
    let unit = &answer.unit;
    if !crossing.is_jump {
        return format!("At {}: {to} costs less from here on\n", with_unit(&writer.exact(crossing.at), unit));
    }
    let [before, after] = crossing.difference;
    let leap = writer.figure(&answer.question.figure, after.checked_sub(before).unwrap_or_default().abs());
    format!(
        "Between {} and {}: {to} costs less from here on, {from} up to there, in a jump of {leap}\n",
        writer.exact(crossing.before),
        with_unit(&writer.exact(crossing.at), unit)
    )
}

/// Who costs less where.
fn regions(writer: &Writer, answer: &switch_over::Answer) -> String {
    let mut grid = Grid::new(vec![Right, Right, Left], ["From", "To", "Costs less"].map(str::to_owned).to_vec());
    let (mut from, mut cheaper) = (answer.low, answer.at_low);
    for crossing in &answer.crossings {
        let to = if crossing.is_jump { crossing.before } else { crossing.at };
        grid.row(vec![writer.exact(from), writer.exact(to), name(&writer.subject.scenario, cheaper).into()]);
        (from, cheaper) = (crossing.at, crossing.to);
    }
    grid.row(vec![writer.exact(from), writer.exact(answer.high), name(&writer.subject.scenario, cheaper).into()]);
    grid.text()
}

/// Who is preferred where.
pub(in crate::cli) fn map(subject: &Subject, answer: &map::Answer) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let mut text = writer.conventions();
    let axis = |axis: &Axis| {
        let base = axis.base.map_or_else(String::new, |base| format!(", now {}", writer.exact(base)));
        with_unit(&axis.label, &format!("({}{base})", axis.unit)).replace("(, ", "(").replace(" ()", "")
    };
    text.push_str(&format!("Preferred by {}\n", subject.evaluation.decision_figure.label()));
    text.push_str(&format!("Across: {}\nDown: {}\n\n", axis(&answer.across), axis(&answer.down)));
    let mut alignment = vec![Right];
    alignment.extend(answer.across.values.iter().map(|_| Right));
    alignment.push(Left);
    let mut header = vec![String::new()];
    header.extend(answer.across.values.iter().map(|value| writer.near(*value)));
    let mut grid = Grid::new(alignment, header);
    for ((value, cells), borders) in answer.down.values.iter().zip(&answer.rows).zip(&answer.borders) {
        let mut row = vec![writer.near(*value)];
        row.extend(cells.iter().map(preferred_letter));
        row.push(format!("  {}", along(&writer, cells, borders)));
        grid.row(row);
    }
    text.push_str(&grid.text());
    text.push('\n');
    let all = answer.cells();
    for (place, cells) in answer.preferred_in.iter().enumerate() {
        let where_to = match *cells {
            0 => "never".to_owned(),
            some if some == all => "always".to_owned(),
            some => format!("in {} of {} cells", writer.count(some), writer.count(all)),
        };
        text.push_str(&format!("{}  {}: {where_to}\n", letter(place), name(scenario, place)));
    }
    if answer.rows.iter().flatten().any(|cell| cell.failure.is_none() && cell.preferred.is_none()) {
        text.push_str("–  no placement serves as far as is accepted\n");
    }
    let first = answer.rows.iter().flatten().find_map(|cell| cell.failure.as_ref());
    if let Some(problem) = first {
        let count = answer.rows.iter().flatten().filter(|cell| cell.failure.is_some()).count();
        text.push_str(&format!("?  {} cells cannot be computed. The first: {problem}\n", writer.count(count)));
    }
    text
}

fn preferred_letter(cell: &Cell) -> String {
    match (&cell.failure, cell.preferred) {
        (Some(_), _) => "?".into(),
        (None, None) => "–".into(),
        (None, Some(place)) => letter(place),
    }
}

/// A row in words: who is preferred along it, up to which value.
fn along(writer: &Writer, cells: &[Cell], borders: &[map::Border]) -> String {
    let letter_of = |place: Option<usize>| place.map_or_else(|| "–".to_owned(), letter);
    let Some(first) = borders.first() else {
        return cells.first().map_or_else(String::new, |cell| format!("always {}", preferred_letter(cell)));
    };
    let mut text = letter_of(first.from);
    for border in borders {
        text.push_str(&format!(" to {}, {}", writer.near(border.at), letter_of(border.to)));
    }
    text
}

/// What a placement costs with every number of nodes.
pub(in crate::cli) fn base_size(subject: &Subject, answer: &base_size::Answer) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let environment = scenario.environments.iter().find(|environment| environment.id == answer.question.environment);
    let environment = environment.map_or("", |environment| environment.name.as_str());
    let label = figure_label(scenario, &Figure::deciding(answer.decision_figure));
    let mut text = writer.conventions();
    text.push_str(&format!(
        "{label} of {} by nodes of {environment}, in {}\n\n",
        name(scenario, answer.question.placement),
        answer.currency.code
    ));
    let header = ["Nodes", &label, "Fixed here", "By use here", "Elsewhere", "Use of one more", "Serves", ""];
    let mut grid =
        Grid::new(vec![Right, Right, Right, Right, Right, Right, Right, Left], header.map(str::to_owned).to_vec());
    for (place, point) in answer.points.iter().enumerate() {
        let share = answer.shares_above.get(place).copied().flatten();
        let mut marks = Vec::new();
        if answer.cheapest == Some(place) {
            marks.push("cheapest");
        }
        if answer.rule.as_ref().is_some_and(|rule| rule.nodes == point.nodes) {
            marks.push("rule of thumb");
        }
        if point.nodes == answer.own {
            marks.push("the scenario's own");
        }
        grid.row(vec![
            writer.count(point.nodes as usize),
            writer.money(point.figure),
            writer.money(point.owned_fixed),
            writer.money(point.owned_usage),
            writer.money(point.elsewhere),
            share.map_or_else(String::new, |share| format!("{} %", writer.figures.percent(share))),
            writer.served(point.least_share_served),
            marks.join(", "),
        ]);
    }
    text.push_str(&grid.text());
    text.push('\n');
    text.push_str(&match answer.cheapest.and_then(|place| answer.points.get(place)) {
        Some(point) => {
            format!("Cheapest: {} nodes at {}\n", writer.count(point.nodes as usize), writer.money(point.figure))
        }
        None => "No number of nodes serves as far as is accepted.\n".into(),
    });
    text.push_str(&rule(&writer, answer));
    text
}

fn rule(writer: &Writer, answer: &base_size::Answer) -> String {
    let Some(rule) = &answer.rule else {
        return "Rule of thumb: none, since what is not served here is not paid for elsewhere.\n".into();
    };
    let hourly = |cost: Decimal| writer.figures.ratio(cost);
    format!(
        "Rule of thumb: {} nodes. Own until the share of hours with demand above falls to {} %: owning costs {} for each hour \
         available, bursting {} for each hour used.\n",
        writer.count(rule.nodes as usize),
        writer.figures.percent(rule.threshold),
        hourly(rule.owned_per_hour),
        hourly(rule.burst_per_hour)
    )
}
