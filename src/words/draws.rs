//! What draws over the uncertain inputs say, in a sentence.
//!
//! Nothing here draws or counts.

use rust_decimal::Decimal;

use crate::analysis::figure::figure_label;
use crate::analysis::uncertainty::Answer;
use crate::engine::Figure;
use crate::quantity::Money;
use crate::scenario::Scenario;
use crate::show::{Figures, letter};

/// Of how many draws an answer tells, where more are asked for: `12,480 of 100,000 draws; stopped`.
#[must_use]
pub fn part(answer: &Answer, is_stopped: bool, figures: Figures) -> String {
    let count = |count: u64| figures.number(Decimal::from(count));
    let why = if is_stopped { "; stopped" } else { " so far" };
    format!("{} of {} draws{why}", count(answer.done + answer.failed), count(answer.question.draws))
}

/// How much longer something takes, no more exactly than it is known: `about 40 s left`.
#[must_use]
pub fn left(seconds: u64) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    let about = |step: u64, unit: u64, name: &str| {
        let whole = (seconds / unit).max(1);
        format!("about {} {name} left", whole.div_ceil(step) * step)
    };
    match seconds {
        0..5 => "a few seconds left".to_owned(),
        5..30 => about(5, 1, "s"),
        30..90 => about(10, 1, "s"),
        90..HOUR => about(1, MINUTE, "min"),
        HOUR..DAY => about(1, HOUR, "h"),
        _ => about(1, DAY, if seconds < 2 * DAY { "day" } else { "days" }),
    }
}

/// Which placement to choose when nothing more is known, how often it is the cheapest, and what not knowing more costs.
#[must_use]
pub fn answer(scenario: &Scenario, answer: &Answer, figures: Figures) -> String {
    let by = figure_label(scenario, &Figure::deciding(scenario.decision_figure)).to_lowercase();
    let name = |place: usize| {
        let name = scenario.placements.get(place).map_or("", |placement| placement.name.as_str());
        format!("{} {name}", letter(place))
    };
    let share = |draws: u64| {
        let share = Decimal::from(draws).checked_div(Decimal::from(answer.done)).unwrap_or_default();
        format!("{} %", figures.percent(share))
    };
    let money = |money: Money| {
        format!("{} {}", figures.exact(money.minor(), answer.currency.minor_digits), answer.currency.code)
    };
    let often = answer.placements.iter().max_by_key(|of| (of.cheapest, std::cmp::Reverse(of.placement)));
    let Some((chosen, worth)) = answer.chosen.zip(answer.perfect_information) else {
        let often = often.filter(|of| 0 < of.cheapest).map(|of| {
            format!(
                " The cheapest, where there is one, is most often {}: in {} of draws.",
                name(of.placement),
                share(of.cheapest)
            )
        });
        return format!(
            "No placement serves as far as is accepted in every draw, so that none can be chosen without knowing more.{}",
            often.unwrap_or_default()
        );
    };
    let cheapest = answer.placements.get(chosen).map_or(0, |of| of.cheapest);
    if worth.is_zero() {
        return format!(
            "{} is the cheapest by {by} in {} of draws; knowing more would save nothing.",
            name(chosen),
            share(cheapest)
        );
    }
    let rival = often
        .filter(|of| of.placement != chosen && cheapest < of.cheapest)
        .map(|of| format!(", while {} is in {}", name(of.placement), share(of.cheapest)));
    format!(
        "{} costs least on average by {by} and is the cheapest in {} of draws{}. Choosing it now costs {} more on average than \
         choosing with everything known.",
        name(chosen),
        share(cheapest),
        rival.unwrap_or_default(),
        money(worth)
    )
}
