//! What draws over the uncertain inputs say, in a sentence.
//!
//! Nothing here draws or counts.

use rust_decimal::Decimal;

use crate::analysis::figure::figure_label;
use crate::analysis::uncertainty::{self, Answer, LEAST_FOR_CORRELATIONS, PERCENTILES};
use crate::engine::Figure;
use crate::quantity::Money;
use crate::scenario::Scenario;
use crate::show::{Figures, ZERO, letter};

/// Of how many draws an answer tells, where more are asked for: `12,480 of 100,000 draws; stopped`.
#[must_use]
pub fn part(answer: &Answer, is_stopped: bool, figures: Figures) -> String {
    let count = |count: u64| figures.number(Decimal::from(count));
    let why = if is_stopped { "; stopped" } else { " so far" };
    format!("{} of {} draws{why}", count(answer.done + answer.failed), count(answer.question.draws))
}

/// Between which shares a probability lies, at a confidence of 95 %: `59.0 to 64.9 %`; none without draws.
#[must_use]
pub fn interval(figures: Figures, part: u64, of: u64) -> Option<String> {
    let percent = |share: f64| match Decimal::try_from(share) {
        Ok(share) if !share.is_zero() => figures.percent(share),
        _ => "0".to_owned(),
    };
    uncertainty::interval(part, of).map(|[low, high]| format!("{} to {} %", percent(low), percent(high)))
}

/// A share of draws as the probability that it is an estimate of, with how far that can be from it at a confidence of 95 %, in
/// percentage points: `62.0 % ± 3.0`.
#[must_use]
pub fn probability(figures: Figures, part: u64, of: u64) -> String {
    let share = Decimal::from(part).checked_div(Decimal::from(of)).unwrap_or_default();
    let Some([low, high]) = uncertainty::interval(part, of).filter(|_| 0 < part) else { return ZERO.to_owned() };
    #[expect(clippy::cast_precision_loss, reason = "draws are counted in millions")]
    let seen = part as f64 / of as f64;
    let error = Decimal::try_from((seen - low).max(high - seen)).unwrap_or_default();
    format!("{} % ± {}", figures.percent(share), figures.percent(error))
}

/// What so many draws do not carry, where they are few.
#[must_use]
pub fn carried(answer: &Answer, figures: Figures) -> Option<String> {
    let done = answer.done;
    let percentiles: Vec<String> =
        PERCENTILES.into_iter().filter(|of| !uncertainty::carries(done, *of)).map(|of| of.to_string()).collect();
    let told_from = |percentile: u32| (1..).find(|draws| uncertainty::carries(*draws, percentile)).unwrap_or(1);
    let outer = PERCENTILES.into_iter().map(told_from).max().unwrap_or(1);
    let few = match done {
        1 => "1 draw is an example, no sample".to_owned(),
        done => format!("{} draws are few", figures.number(Decimal::from(done))),
    };
    match (percentiles.split_last(), done < LEAST_FOR_CORRELATIONS) {
        (_, false) => None,
        (None, true) => Some(format!("{few}: correlations are told from {LEAST_FOR_CORRELATIONS} draws on.")),
        (Some((last, others)), true) => {
            let percentiles = match others {
                [] => format!("percentile {last}"),
                others => format!("percentiles {} and {last}", others.join(", ")),
            };
            Some(format!(
                "{few}: {percentiles} and correlations are not told. All percentiles are from {outer} draws on, correlations from \
                 {LEAST_FOR_CORRELATIONS}."
            ))
        }
    }
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
        let interval = interval(figures, draws, answer.done);
        let interval = interval.map_or_else(String::new, |interval| format!(" (95 % interval {interval})"));
        format!("{} % of draws{interval}", figures.percent(share))
    };
    let money = |money: Money| {
        format!("{} {}", figures.exact(money.minor(), answer.currency.minor_digits), answer.currency.code)
    };
    let often = answer.placements.iter().max_by_key(|of| (of.cheapest, std::cmp::Reverse(of.placement)));
    let Some((chosen, worth)) = answer.chosen.zip(answer.perfect_information) else {
        let often = often.filter(|of| 0 < of.cheapest).map(|of| {
            format!(
                " The cheapest, where there is one, is most often {}: in {}.",
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
            "{} is the cheapest by {by} in {}; in these draws, knowing more would save nothing.",
            name(chosen),
            share(cheapest)
        );
    }
    let rival = often
        .filter(|of| of.placement != chosen && cheapest < of.cheapest)
        .map(|of| format!(", while {} is in {}", name(of.placement), share(of.cheapest)));
    format!(
        "{} costs least on average by {by} and is the cheapest in {}{}. Choosing it now costs {} more on average than \
         choosing with everything known.",
        name(chosen),
        share(cheapest),
        rival.unwrap_or_default(),
        money(worth)
    )
}
