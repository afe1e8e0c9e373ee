//! What is not known for certain, and what knowing it would be worth: draws over all stated distributions, each an exact
//! evaluation of every placement, counted so that the count of any parts adds up to that of the whole.
//!
//! [`Uncertainty::new`] plans; the pilot draws it names say how figures are parted into ranks ([`Uncertainty::rule`]); then a
//! [`Runner`] adds any draws, in any order and on any thread, to [`Tally`]s of its own, which are merged and answered
//! ([`Uncertainty::answer`]). Nothing here knows a formula of the engine.

use std::ops::Range;

use crate::engine::{Failure, Figure, FigureValue, Prepared, Standing, standings};
use crate::input::{Distribution, EvidenceKind};
use crate::quantity::{Currency, Exact, Money};
use crate::scenario::{InputRef, Problem, Scenario, problem};

use super::draws::{Place, SHARE_DIGITS, Values, Variable, variables};
use super::figure::is_money;
use super::moves::{merged, prepared};
use super::tally::{Drawn, OfDraw, RANKS, Refused, Size, Sketch, Tally, rounded_quotient};

/// Draws that say how figures are parted into ranks; they are made apart from the others and count nowhere else.
const PILOTS: u64 = 256;
/// The seed of the pilot draws differs from the others' by this.
const PILOT: u64 = 0x7069_6c6f_745f_6472;
/// Digits to which ratios are counted.
const RATIO_DIGITS: u32 = 12;
/// The most draws: so many still add up in whole numbers.
pub const MOST_DRAWS: u64 = 1_000_000_000;
/// The percentiles that are answered.
pub const PERCENTILES: [u32; 7] = [5, 10, 25, 50, 75, 90, 95];

/// Draws from which rank correlations are told: between fewer, chance alone makes strong ones.
pub const LEAST_FOR_CORRELATIONS: u64 = 30;

/// Whether so many draws carry a percentile: one of them at least lies beyond it.
#[must_use]
pub const fn carries(draws: u64, percentile: u32) -> bool {
    let beyond = if percentile < 50 { percentile } else { 100_u32.saturating_sub(percentile) };
    100 <= draws.saturating_mul(beyond as u64)
}

/// A percentile of values, in units of their last digit; none where they are too few to carry it.
#[must_use]
pub fn percentile(values: &Sketch, of: u32) -> Option<i128> {
    values.quantile(f64::from(of) / 100.0).filter(|_| carries(values.count(), of))
}

/// Between which shares a probability lies, at a confidence of 95 %, of which `part` of `of` draws were seen: the score
/// interval (Wilson, 1927) of independent draws. Draws of a Latin hypercube come closer. None without draws.
#[must_use]
pub fn interval(part: u64, of: u64) -> Option<[f64; 2]> {
    /// The standard normal deviate that is exceeded on either side by one in forty.
    const DEVIATE: f64 = 1.959_963_984_540_054;
    if of == 0 {
        return None;
    }
    let (draws, square) = (of as f64, DEVIATE * DEVIATE);
    let share = part as f64 / draws;
    let middle = (share + square / (2.0 * draws)) / (1.0 + square / draws);
    let spread = share * (1.0 - share) / draws + square / (4.0 * draws * draws);
    let half = DEVIATE * spread.sqrt() / (1.0 + square / draws);
    let low = if part == 0 { 0.0 } else { (middle - half).max(0.0) };
    let high = if part == of { 1.0 } else { (middle + half).min(1.0) };
    Some([low, high])
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The figure whose percentiles and correlations are asked for; what is cheapest is decided by the scenario's own.
    pub figure: Figure,
    /// The placement whose figure is subtracted from that of each other one, by its place, where differences are asked for.
    pub against: Option<usize>,
    pub draws: u64,
    pub seed: u64,
}

/// Planned draws.
#[derive(Debug)]
pub struct Uncertainty {
    question: Question,
    scenario: Scenario,
    prepared: Prepared,
    currency: Currency,
    variables: Vec<Variable>,
    pilots: Vec<Variable>,
    held: usize,
    /// Placements that something drawn can have an effect on, by their places.
    affected: Vec<usize>,
    base: Vec<Standing>,
    /// For each placement and then for each difference, the values that part the figure into bins of ranks.
    edges: Vec<Vec<i128>>,
}

/// The answer.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub question: Question,
    pub currency: Currency,
    /// Digits after the point of everything that is said of the figure.
    pub digits: u32,
    /// Draws that could be computed.
    pub done: u64,
    /// Draws that could not, and the first of them by number from 0.
    pub failed: u64,
    pub refused: Vec<(u64, Refused)>,
    /// Draws in which no placement serves as far as is accepted.
    pub undecided: u64,
    /// Inputs held fixed because they state no range.
    pub held: usize,
    /// In the order of the file.
    pub placements: Vec<OfPlacement>,
    /// The figure of each placement less that of the one asked for; none where none was.
    pub differences: Vec<OfDifference>,
    /// The placement to choose when nothing more is known: the one that serves in every draw and costs least on average.
    pub chosen: Option<usize>,
    /// What knowing everything before choosing would save on average; none where no placement serves in every draw.
    pub perfect_information: Option<Money>,
    /// What each variable moves and what knowing it would be worth, the most valuable first; ties by path.
    pub variables: Vec<OfVariable>,
}

/// One placement over all draws.
#[derive(Clone, PartialEq, Debug)]
pub struct OfPlacement {
    /// By its place in the scenario.
    pub placement: usize,
    /// The figure asked for, in units of its last digit.
    pub figure: Sketch,
    pub mean: Option<i128>,
    pub deviation: Option<i128>,
    /// In the order of [`PERCENTILES`], to within a part in 8,192 of themselves; none where the draws do not carry one.
    pub percentiles: Vec<Option<i128>>,
    /// Draws in which there is no output to measure against.
    pub without_figure: u64,
    /// Draws in which it is the cheapest.
    pub cheapest: u64,
    /// Draws in which it leaves more unmet than is accepted.
    pub unserved: u64,
    /// What it costs on average, by the figure that decides, beyond the cheapest, over the draws in which it serves.
    pub expected_regret: Option<Money>,
    pub greatest_regret: Option<Money>,
    /// Draws that are examples of what it comes to.
    pub examples: Vec<(Example, u64)>,
}

/// What a draw is an example of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Example {
    /// A percentile of the figure.
    Near(u32),
    /// The greatest regret.
    Worst,
}

/// The percentiles of which a draw is named.
pub const EXAMPLES: [u32; 3] = [5, 50, 95];

/// One placement less another one over all draws.
#[derive(Clone, PartialEq, Debug)]
pub struct OfDifference {
    /// By its place in the scenario.
    pub placement: usize,
    /// Below zero where it is the lesser of the two.
    pub figure: Sketch,
    pub mean: Option<i128>,
    /// In the order of [`PERCENTILES`].
    pub percentiles: Vec<Option<i128>>,
    /// Draws in which its figure is the lesser one.
    pub less: u64,
}

/// One uncertain input, or a group of them, over all draws.
#[derive(Clone, PartialEq, Debug)]
pub struct OfVariable {
    pub path: String,
    pub label: String,
    pub unit: String,
    /// For a group, shares of the ranges.
    pub low: Exact,
    pub high: Exact,
    /// None for a group whose inputs are spread differently.
    pub distribution: Option<Distribution>,
    pub evidence: EvidenceKind,
    /// Who answers for the evidence, and when it is to be reviewed, where that is said; for a group, of its first input.
    pub owner: String,
    pub review_by: String,
    /// What knowing it before choosing would save on average; none where no placement serves in every draw.
    pub worth: Option<Money>,
    /// Rank correlation with the figure of each placement; none where one of them does not vary, or where draws are too few.
    pub correlations: Vec<Option<f64>>,
    /// The same with each difference.
    pub correlations_of_differences: Vec<Option<f64>>,
    /// Draws in which a value was put on a bound of its input.
    pub bounded: u64,
    /// Place in the order of the file.
    pub place: usize,
}

impl Uncertainty {
    /// Plans the draws.
    ///
    /// # Errors
    /// No draws, or more than can be counted; nothing that states a range; no placement; the base cannot be computed.
    pub fn new(scenario: &Scenario, question: Question) -> Result<Self, Problem> {
        if question.draws == 0 || MOST_DRAWS < question.draws {
            let message = format!("{} is not a number of draws from 1 to {MOST_DRAWS}; give one.", question.draws);
            return Err(Problem::error("--draws", message));
        }
        let currency =
            Currency::find(&scenario.currency).ok_or_else(|| problem::bad_currency("currency", &scenario.currency))?;
        if scenario.placements.is_empty() {
            return Err(Problem::error("placements", "there is nothing to compare. Add a placement."));
        }
        if question.against.is_some_and(|against| scenario.placements.len() <= against) {
            return Err(Problem::error("placements", "there is no such placement to compare with."));
        }
        let (variables, held) = variables(scenario, question.seed);
        if variables.is_empty() {
            return Err(Problem::error(
                "",
                "no input states a range, so that there is nothing to draw. Give the inputs that are not known for certain \
                 their `low` and `high`.",
            ));
        }
        let pilots = self::variables(scenario, question.seed ^ PILOT).0;
        let mut affected: Vec<usize> = variables.iter().flat_map(|variable| variable.moved.affects.clone()).collect();
        affected.sort_unstable();
        affected.dedup();
        let all: Vec<usize> = (0..scenario.placements.len()).collect();
        let base = standings(scenario, &all, &question.figure)?;
        let edges = vec![Vec::new(); if question.against.is_some() { 2 * all.len() } else { all.len() }];
        let scenario = scenario.clone();
        let moves = variables.iter().map(|variable| &variable.moved);
        let prepared = prepared(&scenario, moves, SHARE_DIGITS, &question.figure);
        Ok(Self { question, scenario, prepared, currency, variables, pilots, held, affected, base, edges })
    }

    #[must_use]
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// The pilot draws in parts; run each with [`Runner::pilots`], and hand what all of them give to [`Uncertainty::rule`].
    #[must_use]
    pub fn pilots(&self) -> Vec<Range<u64>> {
        /// Draws of a part: enough to be worth it at once, and few enough for every core to have some.
        const OF_PART: usize = 32;
        let all = self.count_of_pilots();
        (0..all).step_by(OF_PART).map(|start| start..all.min(start + OF_PART as u64)).collect()
    }

    fn count_of_pilots(&self) -> u64 {
        PILOTS.min(self.question.draws.max(RANKS as u64))
    }

    /// Parts the figures of each placement, and each difference, into ranks, by those of the pilot draws, in whatever order they come.
    pub fn rule(&mut self, pilots: &[Vec<Option<i128>>]) {
        for (place, edges) in self.edges.iter_mut().enumerate() {
            let mut figures: Vec<i128> = pilots.iter().filter_map(|pilot| *pilot.get(place)?).collect();
            figures.sort_unstable();
            let at = |rank: usize| figures.get(rank * figures.len() / RANKS).copied();
            *edges = (1..RANKS).filter_map(at).collect();
            edges.dedup();
        }
    }

    /// A tally in which nothing is counted yet.
    #[must_use]
    pub fn tally(&self) -> Tally {
        Tally::new(self.size())
    }

    fn size(&self) -> Size {
        let placements = self.scenario.placements.len();
        let differences = self.question.against.map_or(0, |_| placements);
        Size { placements, differences, variables: self.variables.len() }
    }

    /// Whether a tally that was read can be one of these draws.
    #[must_use]
    pub fn fits(&self, tally: &Tally) -> bool {
        tally.has_shape(self.size())
    }

    /// The scenario of one draw, by its number from 0. A value outside the range of its input, as a normal distribution has
    /// them, widens the range.
    ///
    /// # Errors
    /// There are not so many draws.
    pub fn scenario(&self, draw: u64) -> Result<Scenario, Problem> {
        let Question { draws, seed, .. } = self.question;
        if draws <= draw {
            return Err(Problem::error(
                "--draw",
                format!("there is no draw {} among {draws}; name one from 1 to {draws}.", draw.saturating_add(1)),
            ));
        }
        let mut drawn = self.scenario.clone();
        let (values, _) = values(&self.variables, draw..draw + 1, draws);
        for (index, value) in values.into_iter().flatten() {
            drawn.set_nth(index, value);
        }
        drawn.name = format!("{}, draw {} of {draws} from seed {seed}", drawn.name, draw + 1);
        Ok(drawn)
    }

    /// What a tally of all draws says.
    #[must_use]
    pub fn answer(&self, tally: &Tally) -> Answer {
        let chosen = self.chosen(tally);
        let perfect_information = chosen.and_then(|chosen| {
            let deciding = tally.placements.get(chosen)?.deciding.0;
            Some(Money::from_minor(rounded_quotient(deciding.saturating_sub(tally.best.0).max(0), tally.done)))
        });
        let inputs = self.scenario.inputs();
        let mut variables: Vec<OfVariable> = self
            .variables
            .iter()
            .zip(&tally.variables)
            .map(|(variable, counted)| {
                let saved = |chosen| Money::from_minor(rounded_quotient(counted.saved(chosen, tally.done), tally.done));
                let ranked = 0..tally.placements.len() + tally.differences.len();
                let is_told = LEAST_FOR_CORRELATIONS <= tally.done;
                let correlation = |place| counted.correlation(tally, place).filter(|_| is_told);
                let mut correlations: Vec<_> = ranked.map(correlation).collect();
                let of_differences = correlations.split_off(tally.placements.len());
                let worth = chosen.filter(|_| 0 < tally.done).map(saved);
                of_variable(variable, &inputs, worth, [correlations, of_differences], counted.bounded)
            })
            .collect();
        variables.sort_by(|a, b| {
            b.worth.cmp(&a.worth).then_with(|| strongest(b).total_cmp(&strongest(a))).then_with(|| a.path.cmp(&b.path))
        });
        Answer {
            question: self.question.clone(),
            currency: self.currency,
            digits: self.digits(),
            done: tally.done,
            failed: tally.failed,
            refused: tally.refused.iter().map(|(draw, refused)| (*draw, refused.clone())).collect(),
            undecided: tally.undecided,
            held: self.held,
            placements: tally.placements.iter().enumerate().map(|(place, of)| of_placement(place, of, tally)).collect(),
            differences: tally.differences.iter().enumerate().map(|(place, of)| of_difference(place, of)).collect(),
            chosen,
            perfect_information,
            variables,
        }
    }

    fn chosen(&self, tally: &Tally) -> Option<usize> {
        let serving = tally.placements.iter().enumerate().filter(|(_, of)| of.unserved == 0 && 0 < tally.done);
        serving.min_by_key(|(place, of)| (of.deciding, *place)).map(|(place, _)| place)
    }

    fn digits(&self) -> u32 {
        if is_money(&self.question.figure) { self.currency.minor_digits } else { RATIO_DIGITS }
    }
}

/// How strongly a variable is correlated with any figure.
fn strongest(variable: &OfVariable) -> f64 {
    variable.correlations.iter().flatten().fold(0.0, |most, of| most.max(of.abs()))
}

fn of_placement(placement: usize, counted: &super::tally::OfPlacement, tally: &Tally) -> OfPlacement {
    let serves = tally.done.saturating_sub(counted.unserved);
    let figure = &counted.figure.values;
    let carried = EXAMPLES.iter().filter(|of| carries(figure.count(), **of));
    let near = carried.filter_map(|of| Some((Example::Near(*of), figure.draw_near(f64::from(*of) / 100.0)?)));
    let worst = counted.worst.filter(|_| 0 < counted.greatest_regret.0);
    OfPlacement {
        placement,
        mean: figure.mean(),
        deviation: figure.deviation().map(|deviation| deviation.round() as i128),
        percentiles: percentiles(figure),
        figure: figure.clone(),
        without_figure: counted.figure.without,
        cheapest: counted.cheapest,
        unserved: counted.unserved,
        expected_regret: (0 < serves).then(|| Money::from_minor(rounded_quotient(counted.regret.0, serves))),
        greatest_regret: (0 < serves).then(|| Money::from_minor(counted.greatest_regret.0)),
        examples: near.chain(worst.map(|draw| (Example::Worst, draw))).collect(),
    }
}

fn of_difference(placement: usize, counted: &super::tally::OfDifference) -> OfDifference {
    let figure = &counted.figure.values;
    OfDifference {
        placement,
        mean: figure.mean(),
        percentiles: percentiles(figure),
        figure: figure.clone(),
        less: counted.less,
    }
}

fn percentiles(figure: &Sketch) -> Vec<Option<i128>> {
    PERCENTILES.iter().map(|of| percentile(figure, *of)).collect()
}

fn of_variable(
    variable: &Variable,
    inputs: &[InputRef],
    worth: Option<Money>,
    [correlations, correlations_of_differences]: [Vec<Option<f64>>; 2],
    bounded: u64,
) -> OfVariable {
    let moved = &variable.moved;
    let first = moved.members.first().and_then(|member| inputs.get(member.index));
    let evidence = first.and_then(|input| input.input.evidence());
    OfVariable {
        path: moved.path.clone(),
        label: moved.label.clone(),
        unit: moved.unit.clone(),
        low: moved.shown(0, 1).unwrap_or_default(),
        high: moved.shown(1, 1).unwrap_or_default(),
        distribution: variable.distribution(),
        evidence: moved.evidence,
        owner: evidence.map(|evidence| evidence.owner.clone()).unwrap_or_default(),
        review_by: evidence.and_then(|evidence| evidence.review_by.clone()).unwrap_or_default(),
        worth,
        correlations,
        correlations_of_differences,
        bounded,
        place: moved.place,
    }
}

/// The values of some draws in the order of the file, and where each variable stands in them. Variable by variable, so that the
/// quantiles of one are at hand for all draws.
fn values(variables: &[Variable], draws: Range<u64>, of: u64) -> (Vec<Values>, Vec<Vec<Place>>) {
    let mut values: Vec<Values> = draws.clone().map(|_| Vec::with_capacity(variables.len())).collect();
    let mut places: Vec<_> = draws.clone().map(|_| Vec::with_capacity(variables.len())).collect();
    variables.iter().for_each(|variable| variable.draw(draws.clone(), of, &mut values, &mut places));
    // Every draw has the same inputs in the same order.
    let mut order: Vec<usize> = (0..values.first().map_or(0, Vec::len)).collect();
    order.sort_unstable_by_key(|place| values[0][*place].0);
    let in_order = |values: Values| order.iter().map(|place| values[*place]).collect();
    (values.into_iter().map(in_order).collect(), places)
}

/// Runs draws one after another, so that each thread can have one.
#[derive(Debug)]
pub struct Runner<'u> {
    plan: &'u Uncertainty,
    prepared: Prepared,
}

impl<'u> Runner<'u> {
    #[must_use]
    pub fn new(plan: &'u Uncertainty) -> Self {
        Self { plan, prepared: plan.prepared.clone() }
    }

    /// The figures of every placement, and then their differences, in some pilot draws, by their numbers from 0.
    pub fn pilots(&mut self, draws: Range<u64>) -> Vec<Vec<Option<i128>>> {
        let (values, _) = values(&self.plan.pilots, draws, self.plan.count_of_pilots());
        let outcomes = evaluated(self.plan, &mut self.prepared, &values);
        let figures = |drawn: Result<Vec<Drawn>, Failure>| {
            let drawn = drawn.unwrap_or_default();
            let differences = self.differences(&drawn);
            drawn.into_iter().map(|drawn| drawn.figure).chain(differences).collect()
        };
        outcomes.into_iter().map(figures).collect()
    }

    /// The figure of each placement less that of the one asked for, where differences are.
    fn differences(&self, drawn: &[Drawn]) -> Vec<Option<i128>> {
        let Some(against) = self.plan.question.against.and_then(|against| drawn.get(against)) else {
            return Vec::new();
        };
        drawn.iter().map(|of| Some(of.figure?.saturating_sub(against.figure?))).collect()
    }

    /// Every placement in one draw, by its number from 0: what it would count.
    ///
    /// # Errors
    /// The draw cannot be computed.
    pub fn drawn(&mut self, draw: u64) -> Result<Vec<Drawn>, Failure> {
        let (values, _) = values(&self.plan.variables, draw..draw + 1, self.plan.question.draws);
        evaluated(self.plan, &mut self.prepared, &values).pop().unwrap_or_else(|| Ok(Vec::new()))
    }

    /// Evaluates some draws, by their numbers from 0, and counts them.
    pub fn draw(&mut self, draws: Range<u64>, tally: &mut Tally) {
        /// Draws that are evaluated at once.
        const AT_ONCE: usize = 256;
        let (plan, of) = (self.plan, self.plan.question.draws);
        for start in draws.clone().step_by(AT_ONCE) {
            let draws = start..draws.end.min(start + AT_ONCE as u64);
            let (values, places) = values(&plan.variables, draws.clone(), of);
            let mut done = Vec::with_capacity(AT_ONCE);
            let outcomes = evaluated(plan, &mut self.prepared, &values);
            for ((number, outcome), places) in draws.zip(outcomes).zip(places) {
                match outcome {
                    Ok(drawn) => {
                        let differences = self.differences(&drawn);
                        done.push(OfDraw { number, drawn, differences, places });
                    }
                    Err(failure) => tally.refuse(number, &failure.path, &failure.message),
                }
            }
            tally.add(&done, of, &plan.edges);
        }
    }
}

/// Every placement with some values after the other.
fn evaluated(plan: &Uncertainty, prepared: &mut Prepared, values: &[Values]) -> Vec<Result<Vec<Drawn>, Failure>> {
    let drawn = |standing: Standing| Drawn {
        figure: units(standing.figure, plan.digits()),
        deciding: match standing.deciding {
            FigureValue::Money(money) => money.minor(),
            // What decides is always an amount of money.
            FigureValue::PerOutput(_) | FigureValue::None => i128::MAX,
        },
        serves: standing.is_acceptable,
    };
    let of_all = |moved: Vec<Standing>| merged(&plan.base, &moved).into_iter().map(drawn).collect();
    let found = prepared.standings_of_many(values, &plan.affected);
    found.into_iter().map(|moved| moved.map(of_all)).collect()
}

/// A figure in units of its last digit.
fn units(value: FigureValue, digits: u32) -> Option<i128> {
    match value {
        FigureValue::Money(money) => Some(money.minor()),
        FigureValue::PerOutput(ratio) => {
            let mut decimal = ratio.rounded(digits).decimal()?;
            decimal.rescale(digits);
            (decimal.scale() == digits).then(|| decimal.mantissa())
        }
        FigureValue::None => None,
    }
}

/// All draws, one after another.
///
/// # Errors
/// As [`Uncertainty::new`].
pub fn uncertainty(scenario: &Scenario, question: Question) -> Result<Answer, Problem> {
    let mut plan = Uncertainty::new(scenario, question)?;
    let mut runner = Runner::new(&plan);
    let pilots: Vec<_> = plan.pilots().into_iter().flat_map(|draws| runner.pilots(draws)).collect();
    plan.rule(&pilots);
    let mut tally = plan.tally();
    let mut runner = Runner::new(&plan);
    runner.draw(0..plan.question.draws, &mut tally);
    Ok(plan.answer(&tally))
}
