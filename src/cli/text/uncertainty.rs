//! What is not known for certain, as text to be read.
//!
//! Nothing here computes a figure.

use rust_decimal::Decimal;

use crate::analysis::figure::{figure_label, is_money};
use crate::analysis::uncertainty::{Answer, EXAMPLES, Example, OfPlacement, OfVariable, PERCENTILES};
use crate::quantity::Money;
use crate::scenario::InputRef;
use crate::show::correlation;
use crate::words;

use super::{Grid, Left, Right, Subject, Writer};

/// Percentiles, who is cheapest how often, and what measuring would be worth.
pub(in crate::cli) fn uncertainty(subject: &Subject, answer: &Answer) -> String {
    let writer = Writer::new(subject);
    let scenario = &subject.scenario;
    let question = &answer.question;
    let mut text = writer.conventions();
    let drawn = answer.variables.len();
    let inputs = scenario.inputs();
    let is_held = |input: &&InputRef| input.path != "default_range" && input.input.range().is_none();
    let entered = inputs.iter().filter(is_held).filter(|input| input.is_entered()).count();
    text.push_str(&format!(
        "{}, in {}. {} draws from seed {} of {}. Without a range and held fixed: {}.\n\n",
        figure_label(scenario, &question.figure),
        answer.currency.code,
        draws(&writer, question.draws),
        question.seed,
        words::counted::moved(scenario, drawn, writer.figures),
        words::counted::held(entered, answer.held.saturating_sub(entered), writer.figures)
    ));
    text.push_str(&percentiles(&writer, answer));
    text.push_str("Percentiles: so many percent of the draws lie below, to within 0.02 % of the value.\n");
    if let Some(few) = words::draws::carried(answer, writer.figures) {
        text.push_str(&format!("{few}\n"));
    }
    text.push('\n');
    text.push_str(&decisions(&writer, answer));
    text.push('\n');
    if let Some(against) = answer.question.against {
        text.push_str(&differences(&writer, answer, against));
        text.push('\n');
    }
    text.push_str(&examples(&writer, answer));
    text.push('\n');
    text.push_str(&register(&writer, answer));
    text.push_str(&notes(&writer, answer));
    text
}

fn draws(writer: &Writer, count: u64) -> String {
    writer.figures.number(Decimal::from(count))
}

fn ordinal(percentile: u32) -> String {
    format!("{percentile}th")
}

/// A figure in units of its last digit.
fn figure(writer: &Writer, answer: &Answer, units: Option<i128>) -> String {
    let Some(units) = units else { return "–".into() };
    if is_money(&answer.question.figure) {
        return writer.money(Money::from_minor(units));
    }
    Decimal::try_from_i128_with_scale(units, answer.digits)
        .map_or_else(|_| "–".into(), |ratio| writer.figures.ratio(ratio))
}

fn percentiles(writer: &Writer, answer: &Answer) -> String {
    let mut header: Vec<String> = ["Placement", "Mean", "Deviation", "Least"].map(str::to_owned).to_vec();
    header.extend(PERCENTILES.iter().map(|of| ordinal(*of)));
    header.push("Greatest".into());
    let mut alignment = vec![Left];
    alignment.resize(header.len(), Right);
    let mut grid = Grid::new(alignment, header);
    for of in &answer.placements {
        let mut row = vec![name(writer, of.placement)];
        row.extend([of.mean, of.deviation, of.figure.least()].map(|units| figure(writer, answer, units)));
        row.extend(of.percentiles.iter().map(|units| figure(writer, answer, *units)));
        row.push(figure(writer, answer, of.figure.greatest()));
        grid.row(row);
    }
    grid.text()
}

/// How often, and by how much, each placement differs from the one asked for.
fn differences(writer: &Writer, answer: &Answer, against: usize) -> String {
    let mut header =
        vec![format!("Less {}", name(writer, against)), "Less in".into(), "95 % interval".into(), "Mean".into()];
    header.extend(PERCENTILES.iter().map(|of| ordinal(*of)));
    let mut alignment = vec![Left];
    alignment.resize(header.len(), Right);
    let mut grid = Grid::new(alignment, header);
    for of in answer.differences.iter().filter(|of| of.placement != against) {
        let mut row = vec![name(writer, of.placement), share(writer, of.less, of.figure.count())];
        row.push(interval(writer, of.less, of.figure.count()));
        row.push(figure(writer, answer, of.mean));
        row.extend(of.percentiles.iter().map(|units| figure(writer, answer, *units)));
        grid.row(row);
    }
    grid.text()
}

/// Draws that can be looked at as scenarios.
fn examples(writer: &Writer, answer: &Answer) -> String {
    let mut header = vec!["Draws near".to_owned()];
    header.extend(EXAMPLES.iter().map(|of| ordinal(*of)));
    header.push("Greatest regret".into());
    let mut grid = Grid::new(vec![Left, Right, Right, Right, Right], header);
    for of in &answer.placements {
        let draw = |wanted: Example| {
            let found = of.examples.iter().find(|(example, _)| *example == wanted);
            found.map_or_else(|| "–".into(), |(_, draw)| draws(writer, draw + 1))
        };
        let mut row = vec![name(writer, of.placement)];
        row.extend(EXAMPLES.iter().map(|of| draw(Example::Near(*of))));
        row.push(draw(Example::Worst));
        grid.row(row);
    }
    let mut text = grid.text();
    text.push_str("`--draw K` writes a draw as a scenario.\n");
    text
}

fn name(writer: &Writer, place: usize) -> String {
    writer.subject.scenario.placements.get(place).map(|placement| placement.name.clone()).unwrap_or_default()
}

/// Who is cheapest how often, and what choosing one costs.
fn decisions(writer: &Writer, answer: &Answer) -> String {
    let decided_by = writer.subject.evaluation.decision_figure.label();
    let by = format!("By {decided_by}");
    let header = [&by, "Cheapest", "95 % interval", "Serves", "Expected regret", "Greatest regret"];
    let mut grid = Grid::new(vec![Left, Right, Right, Right, Right, Right], header.map(ToString::to_string).to_vec());
    let money = |money: Option<Money>| money.map_or_else(|| "–".into(), |money| writer.money(money));
    for of in &answer.placements {
        let OfPlacement { cheapest, unserved, .. } = of;
        grid.row(vec![
            name(writer, of.placement),
            share(writer, *cheapest, answer.done),
            interval(writer, *cheapest, answer.done),
            share(writer, answer.done.saturating_sub(*unserved), answer.done),
            money(of.expected_regret),
            money(of.greatest_regret),
        ]);
    }
    let mut text = grid.text();
    text.push('\n');
    match (answer.chosen, answer.perfect_information) {
        (Some(chosen), Some(worth)) if worth.is_zero() => text.push_str(&format!(
            "Chosen without knowing more: {}. It is the cheapest in every draw, so that knowing more would save nothing.\n",
            name(writer, chosen)
        )),
        (Some(chosen), Some(worth)) => text.push_str(&format!(
            "Chosen without knowing more: {}. Knowing everything before choosing would save {} on average.\n",
            name(writer, chosen),
            writer.money(worth)
        )),
        _ => text.push_str(
            "No placement serves as far as is accepted in every draw, so that none can be chosen without knowing more.\n",
        ),
    }
    text
}

/// A share of all draws in percent.
fn share(writer: &Writer, part: u64, of: u64) -> String {
    match Decimal::from(part).checked_div(Decimal::from(of)) {
        Some(share) if !share.is_zero() => format!("{} %", writer.figures.percent(share)),
        _ => crate::show::ZERO.into(),
    }
}

/// Between which shares the probability lies that a share of draws is an estimate of.
fn interval(writer: &Writer, part: u64, of: u64) -> String {
    words::draws::interval(writer.figures, part, of).unwrap_or_else(|| crate::show::ZERO.into())
}

/// What measuring each input would be worth, the most valuable first.
fn register(writer: &Writer, answer: &Answer) -> String {
    let mut header: Vec<String> =
        ["What measuring would be worth", "Low", "High", "Unit", "Distribution", "Evidence", "Owner", "Worth"]
            .map(str::to_owned)
            .to_vec();
    let scenario = &writer.subject.scenario;
    header.extend(scenario.placements.iter().map(|placement| format!("with {}", placement.id)));
    let against = answer.question.against.and_then(|against| scenario.placements.get(against));
    let others =
        scenario.placements.iter().filter(|placement| against.is_some_and(|against| against.id != placement.id));
    header.extend(
        against.iter().flat_map(|of| others.clone().map(move |placement| format!("{} – {}", placement.id, of.id))),
    );
    let mut alignment = vec![Left, Right, Right, Left, Left, Left, Left, Right];
    alignment.resize(header.len(), Right);
    let mut grid = Grid::new(alignment, header);
    for of in &answer.variables {
        let OfVariable { label, unit, low, high, distribution, evidence, owner, worth, .. } = of;
        let OfVariable { correlations, correlations_of_differences, .. } = of;
        let mut row = vec![
            label.clone(),
            writer.exact(*low),
            writer.exact(*high),
            unit.clone(),
            distribution.map_or("several", |distribution| distribution.label()).into(),
            evidence.label().into(),
            owner.clone(),
            worth.map_or_else(|| "–".into(), |worth| writer.money(worth)),
        ];
        let of_differences = correlations_of_differences.iter().enumerate();
        let of_differences =
            of_differences.filter(|(place, _)| answer.question.against != Some(*place)).map(|(_, of)| of);
        row.extend(correlations.iter().chain(of_differences).map(|of| of.map_or_else(|| "–".into(), correlation)));
        grid.row(row);
    }
    let mut text = grid.text();
    text.push_str(if answer.question.against.is_some() {
        "The last columns are rank correlations with the figure of each placement, and with the differences.\n"
    } else {
        "The last columns are rank correlations with the figure of each placement.\n"
    });
    text
}

fn notes(writer: &Writer, answer: &Answer) -> String {
    let mut text = String::new();
    let count = |count: u64| draws(writer, count);
    if 0 < answer.undecided {
        text.push_str(&format!("In {} draws no placement serves as far as is accepted.\n", count(answer.undecided)));
    }
    for of in answer.variables.iter().filter(|of| 0 < of.bounded) {
        text.push_str(&format!(
            "{}: {} draws lay beyond its bounds and were put on them.\n",
            of.label,
            count(of.bounded)
        ));
    }
    for of in answer.placements.iter().filter(|of| 0 < of.without_figure) {
        text.push_str(&format!(
            "{}: in {} draws there is no output to measure against.\n",
            name(writer, of.placement),
            count(of.without_figure)
        ));
    }
    if let Some((draw, refused)) = answer.refused.first() {
        text.push_str(&format!(
            "{} draws cannot be computed and count nowhere. The first is draw {}: {}: {}.\n",
            count(answer.failed),
            count(draw + 1),
            refused.path,
            refused.message.trim_end_matches('.')
        ));
    }
    text
}
