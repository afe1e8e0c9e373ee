//! Why a figure is what it is: the formula that made it with its numbers, what it sums, and the inputs it rests on.
//!
//! Everything is read off the trace of the evaluation. No formula stands here, and no number is computed again.

use std::collections::{BTreeMap, HashMap};

use crate::engine::{Behaviour, Failure, Line, PlacementResult, Posting, Traced, traced};
use crate::quantity::trace::{Influence, Name, Operation, Step};
use crate::quantity::{Money, Num};
use crate::scenario::{Category, InputRef, Scenario};

/// A placement that can be asked about every one of its figures.
pub struct Explainer {
    traced: Traced,
    /// The posting whose amount or present value a number is, by the number's place in the trace.
    postings: HashMap<usize, (usize, Measure)>,
    minor_digits: u32,
}

/// Which of the two amounts of a posting is meant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Measure {
    #[default]
    Total,
    PresentValue,
}

impl Measure {
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Total => "Cost",
            Self::PresentValue => "Present value",
        }
    }

    #[must_use]
    pub const fn of(self, posting: &Posting) -> Money {
        match self {
            Self::Total => posting.amount,
            Self::PresentValue => posting.present_value,
        }
    }
}

/// Which postings of a placement are meant: those that are everything that is said here.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    pub environment: Option<String>,
    /// Any of these; all where it is empty.
    pub categories: Vec<Category>,
    /// The id of a line.
    pub line: Option<String>,
    /// A line by its place in the ledger, since an id may stand in several environments.
    pub place: Option<usize>,
    /// One posting by its place in the ledger, since a line may make several in one month.
    pub posting: Option<usize>,
    /// Year of the horizon, from 0.
    pub year: Option<u32>,
    pub month: Option<u32>,
    pub behaviour: Option<Behaviour>,
    pub boundary: Option<crate::scenario::Boundary>,
    pub fiscal_year: Option<FiscalYear>,
    /// Capital expenditure alone, or operating expenditure alone.
    pub capital: Option<bool>,
}

/// A fiscal year, as far as it lies inside the horizon.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FiscalYear {
    /// As files and people call it: `2027`, `2027/28`.
    pub name: String,
    /// The first month of the horizon in it, and the month in which it has ended.
    pub months: (u32, u32),
}

impl Selection {
    /// Whether a line can have postings here.
    #[must_use]
    pub fn has_line(&self, line: &Line) -> bool {
        self.environment.as_ref().is_none_or(|id| line.environment.as_ref() == Some(id))
            && (self.categories.is_empty() || self.categories.contains(&line.category))
            && self.line.as_ref().is_none_or(|id| line.id == *id)
            && self.boundary.is_none_or(|boundary| line.boundary == boundary)
            && self.capital.is_none_or(|capital| line.capital == capital)
    }

    fn has(&self, line: &Line, posting: &Posting) -> bool {
        self.has_line(line)
            && self.year.is_none_or(|year| posting.month / 12 == year)
            && self.month.is_none_or(|month| posting.month == month)
            && self
                .fiscal_year
                .as_ref()
                .is_none_or(|year| year.months.0 <= posting.month && posting.month < year.months.1)
            && self.place.is_none_or(|place| posting.line as usize == place)
            && self.behaviour.is_none_or(|behaviour| posting.behaviour == behaviour)
    }
}

/// A figure that can be asked about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A sum of postings.
    Postings(Selection, Measure),
    /// Any figure of the result, by its path there: `workloads.llm-training.cost_per_output`, `exposures.write_off.12`.
    Figure(String),
}

/// What was asked about, with its answer and everything it can be asked further.
pub struct Explained {
    pub explainer: Explainer,
    pub subject: Subject,
    /// What the figure is.
    pub title: String,
    pub explanation: Explanation,
}

/// What a figure is, in words: `Own cluster in colocation: Power, electricity, year 2`.
#[must_use]
pub fn title(explainer: &Explainer, subject: &Subject) -> String {
    let result = explainer.result();
    let mut parts = Vec::new();
    match subject {
        Subject::Figure(path) => {
            let found = figures(result).into_iter().find(|figure| figure.path == *path);
            parts.push(found.map_or_else(|| path.clone(), |figure| figure.label));
        }
        Subject::Postings(selection, measure) => {
            let Selection { environment, categories, line, place, posting: _, year, month, .. } = selection;
            let Selection { behaviour, boundary, fiscal_year, capital, .. } = selection;
            if let Some(line) = place.and_then(|place| result.ledger.lines.get(place)) {
                parts.push(line.category.label().to_owned());
                parts.push(line.label.clone());
            }
            if let Some(id) = environment {
                let found = result.environments.iter().find(|of| of.id == *id);
                parts.push(found.map_or_else(|| id.clone(), |of| of.name.clone()));
            }
            if !categories.is_empty() {
                let labels: Vec<&str> = categories.iter().map(|category| category.label()).collect();
                parts.push(labels.join(" and "));
            }
            if let Some(id) = line {
                let found = result.ledger.lines.iter().find(|line| line.id == *id && selection.has_line(line));
                parts.push(found.map_or_else(|| id.clone(), |line| line.label.clone()));
            }
            parts.extend(behaviour.map(|behaviour| behaviour.label().to_lowercase()));
            parts.extend(boundary.map(|boundary| boundary.label().to_lowercase()));
            parts.extend(capital.map(|capital| if capital { "capital" } else { "operating" }.to_owned()));
            parts.extend(fiscal_year.as_ref().map(|year| format!("fiscal year {}", year.name)));
            parts.extend(year.map(|year| format!("year {}", year + 1)));
            parts.extend(month.map(|month| format!("month {month}")));
            parts.push(measure.label().to_lowercase());
        }
    }
    format!("{}: {}", result.name, parts.join(", "))
}

/// A figure explained.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub value: Value,
    /// How it is computed, where it is not a mere sum of postings.
    pub formula: Option<Formula>,
    /// Which of the two amounts of its postings it sums.
    pub measure: Measure,
    /// The lines whose postings it sums, with what each contributes.
    pub lines: Vec<LinePart>,
    /// Every input it rests on: those that matter whatever their value before those that matter in steps, and of each the
    /// nearest first.
    pub rests_on: Vec<Reason>,
}

/// A figure of a result.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    Money(Money),
    Number(Num),
    /// There is none, as where there is no output to divide by.
    None,
}

/// What one line contributes.
#[derive(Clone, Debug)]
pub struct LinePart {
    /// By its place in the ledger.
    pub line: usize,
    /// The postings that are part of the figure, in the order of the ledger.
    pub postings: Vec<usize>,
    pub amount: Money,
    /// What is posted in each year, with the number of postings.
    pub by_year: Vec<(u32, usize, Money)>,
    /// The posting that is shown with its numbers: the greatest.
    pub example: usize,
}

/// An input that a figure rests on.
#[derive(Clone, Debug)]
pub struct Reason {
    pub input: InputRef,
    pub influence: Influence,
}

/// A named number that a formula rests on.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// How many formulas away it stands.
    pub depth: usize,
    pub name: Name,
    pub formula: Formula,
}

/// A number and the expression that made it.
#[derive(Clone, Debug)]
pub struct Formula {
    /// What it is called; none for an amount, which its line names.
    pub name: Option<Name>,
    pub value: Num,
    pub expression: Expression,
    /// What else decided it, without being an operand.
    pub because: Vec<Expression>,
}

/// How a number was made, down to the numbers that have names of their own.
#[derive(Clone, Debug)]
pub enum Expression {
    Constant(Num),
    /// An input, by its place in the walk.
    Input(usize, Num),
    /// A number with a name, which has a formula of its own.
    Named(Name, Num),
    /// The amount of a posting, by its place in the ledger.
    Posting(usize, Measure, Num),
    /// Terms from left to right, each added or taken away.
    Sum(Vec<(Sign, Expression)>),
    /// Factors from left to right, each multiplied by or divided by.
    Product(Vec<(Sign, Expression)>),
    Negative(Box<Expression>),
    Least(Vec<Expression>),
    Greatest(Vec<Expression>),
    RoundedUp(Box<Expression>),
    RoundedDown(Box<Expression>),
    SnappedShare(Box<Expression>),
    Power(Box<Expression>, u32),
    Root(Box<Expression>, u32),
    Rounded(Box<Expression>, u32),
    /// Rounded to the minor unit.
    Posted(Box<Expression>, u32),
    /// The part of a whole at a place, by largest remainder over the shares.
    Part {
        whole: Box<Expression>,
        shares: Vec<Num>,
        place: usize,
        share: Box<Expression>,
        part: Num,
    },
}

/// Whether an operand goes with the operation or against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    With,
    Against,
}

impl Expression {
    /// What the expression comes to, computed from the numbers that stand in it.
    #[must_use]
    pub fn value(&self) -> Num {
        match self {
            Self::Constant(number) | Self::Input(_, number) | Self::Named(_, number) | Self::Posting(_, _, number) => {
                *number
            }
            Self::Sum(terms) => terms.iter().fold(Num::ZERO, |sum, (sign, term)| match sign {
                Sign::With => sum + term.value(),
                Sign::Against => sum - term.value(),
            }),
            Self::Product(factors) => {
                let times = |product: Option<Num>, (sign, factor): &(Sign, Self)| {
                    Some(match (product, sign) {
                        (None, _) => factor.value(),
                        (Some(product), Sign::With) => product * factor.value(),
                        (Some(product), Sign::Against) => product / factor.value(),
                    })
                };
                factors.iter().fold(None, times).unwrap_or(Num::ONE)
            }
            Self::Negative(inner) => -inner.value(),
            Self::Least(all) => all.iter().map(Self::value).reduce(Num::min).unwrap_or(Num::BROKEN),
            Self::Greatest(all) => all.iter().map(Self::value).reduce(Num::max).unwrap_or(Num::BROKEN),
            Self::RoundedUp(inner) => inner.value().ceil_units(),
            Self::RoundedDown(inner) => inner.value().floor_units(),
            Self::SnappedShare(inner) => inner.value().snapped_share(),
            Self::Power(inner, exponent) => inner.value().power(*exponent),
            Self::Root(inner, _) => inner.value().root_24(),
            Self::Rounded(inner, places) => inner.value().rounded(*places),
            Self::Posted(inner, digits) => {
                Money::rounded(inner.value(), *digits).map_or(Num::BROKEN, |money| money.num(*digits))
            }
            Self::Part { whole, shares, place, .. } => crate::quantity::part_of(whole.value(), shares, *place),
        }
    }

    /// The numbers with formulas of their own that stand in it, from left to right.
    pub fn each_named<'a>(&'a self, visit: &mut dyn FnMut(&'a Name, Num)) {
        match self {
            Self::Named(name, number) => visit(name, *number),
            Self::Constant(_) | Self::Input(..) | Self::Posting(..) => {}
            Self::Sum(parts) | Self::Product(parts) => parts.iter().for_each(|(_, part)| part.each_named(visit)),
            Self::Least(all) | Self::Greatest(all) => {
                // What decides comes first.
                let value = self.value();
                let (decides, other): (Vec<_>, Vec<_>) = all.iter().partition(|part| part.value() == value);
                decides.into_iter().chain(other).for_each(|part| part.each_named(visit));
            }
            Self::Negative(inner)
            | Self::RoundedUp(inner)
            | Self::RoundedDown(inner)
            | Self::SnappedShare(inner)
            | Self::Power(inner, _)
            | Self::Root(inner, _)
            | Self::Rounded(inner, _)
            | Self::Posted(inner, _) => inner.each_named(visit),
            Self::Part { whole, share, .. } => {
                whole.each_named(visit);
                share.each_named(visit);
            }
        }
    }
}

impl Explainer {
    /// Evaluates one placement, by its place in the scenario, so that it can be asked about.
    ///
    /// # Errors
    /// As the evaluation itself.
    pub fn new(scenario: &Scenario, placement: usize) -> Result<Self, Failure> {
        let traced = traced(scenario, placement)?;
        let mut postings = HashMap::new();
        for (place, posting) in traced.result.ledger.postings.iter().enumerate() {
            for measure in [Measure::Total, Measure::PresentValue] {
                if let Some(step) = traced.trace.place(traced.trace.number(measure.of(posting))) {
                    postings.insert(step, (place, measure));
                }
            }
        }
        let minor_digits = crate::quantity::Currency::find(&scenario.currency).map_or(2, |known| known.minor_digits);
        Ok(Self { traced, postings, minor_digits })
    }

    /// The figures of the placement.
    #[must_use]
    pub fn result(&self) -> &PlacementResult {
        &self.traced.result
    }

    /// Every input of the scenario, by its place in the walk.
    #[must_use]
    pub fn inputs(&self) -> &[InputRef] {
        &self.traced.inputs
    }

    /// A figure with all that led to it; none where the result has no such figure.
    #[must_use]
    pub fn explain(&self, subject: &Subject) -> Option<Explanation> {
        match subject {
            Subject::Postings(selection, measure) => Some(self.explain_postings(selection, *measure)),
            Subject::Figure(path) => {
                let figure = figures(&self.traced.result).into_iter().find(|figure| figure.path == *path)?;
                Some(self.explain_figure(figure.value))
            }
        }
    }

    fn explain_postings(&self, selection: &Selection, measure: Measure) -> Explanation {
        let ledger = &self.traced.result.ledger;
        let line_of = |posting: &Posting| &ledger.lines[posting.line as usize];
        let found: Vec<usize> = (0..ledger.postings.len())
            .filter(|place| selection.posting.is_none_or(|only| only == *place))
            .filter(|place| selection.has(line_of(&ledger.postings[*place]), &ledger.postings[*place]))
            .collect();
        let zeros = ledger
            .zeros
            .iter()
            .filter(|posting| selection.posting.is_none() && selection.has(line_of(posting), posting));
        let amounts = found.iter().map(|place| &ledger.postings[*place]).chain(zeros);
        let numbers: Vec<Num> = amounts.map(|posting| self.traced.trace.number(measure.of(posting))).collect();
        let total = found.iter().map(|place| bare(measure.of(&ledger.postings[*place]))).sum();
        Explanation {
            value: Value::Money(total),
            formula: None,
            measure,
            lines: self.line_parts(&found, measure),
            rests_on: self.rests_on(numbers),
        }
    }

    fn explain_figure(&self, value: Value) -> Explanation {
        let number = match value {
            Value::Money(money) => self.traced.trace.number(money),
            Value::Number(number) => number,
            Value::None => Num::ZERO,
        };
        let formula = self.formula(number);
        let mut found = Vec::new();
        let mut measure = Measure::Total;
        if let Some((places, of)) = self.summed_postings(&formula.expression) {
            (found, measure) = (places, of);
        }
        let is_sum = !found.is_empty();
        Explanation {
            value,
            formula: (!is_sum && self.traced.trace.step(number).is_some()).then_some(formula),
            measure,
            lines: self.line_parts(&found, measure),
            rests_on: self.rests_on([number]),
        }
    }

    /// The postings that an expression adds up, where it does nothing else.
    fn summed_postings(&self, expression: &Expression) -> Option<(Vec<usize>, Measure)> {
        let terms = match expression {
            Expression::Sum(terms) => terms.as_slice(),
            Expression::Posting(place, measure, _) => return Some((vec![*place], *measure)),
            _ => return None,
        };
        let mut found = Vec::with_capacity(terms.len());
        let mut measure = None;
        for term in terms {
            let (Sign::With, Expression::Posting(place, of, _)) = term else { return None };
            if *measure.get_or_insert(*of) != *of {
                return None;
            }
            found.push(*place);
        }
        Some((found, measure?))
    }

    fn line_parts(&self, found: &[usize], measure: Measure) -> Vec<LinePart> {
        let ledger = &self.traced.result.ledger;
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for place in found {
            parts.entry(ledger.postings[*place].line as usize).or_default().push(*place);
        }
        let part = |(line, postings): (usize, Vec<usize>)| {
            let amount_of = |place: &usize| bare(measure.of(&ledger.postings[*place]));
            let mut by_year: BTreeMap<u32, (usize, Money)> = BTreeMap::new();
            for place in &postings {
                let (count, sum) = by_year.entry(ledger.postings[*place].month / 12).or_default();
                *count += 1;
                *sum += amount_of(place);
            }
            // Of equals the first.
            let mut example = postings[0];
            for place in &postings {
                if amount_of(&example).minor().abs() < amount_of(place).minor().abs() {
                    example = *place;
                }
            }
            LinePart {
                line,
                amount: postings.iter().map(amount_of).sum(),
                by_year: by_year.into_iter().map(|(year, (count, sum))| (year, count, sum)).collect(),
                example,
                postings,
            }
        };
        parts.into_iter().map(part).collect()
    }

    fn rests_on(&self, numbers: impl IntoIterator<Item = Num>) -> Vec<Reason> {
        let numbers: Vec<Num> = numbers.into_iter().collect();
        let found = self.traced.trace.rests_on(numbers.iter().copied());
        let distances = self.traced.trace.distances(numbers);
        let reason = |(place, influence): (usize, Influence)| {
            self.traced.inputs.get(place).map(|input| Reason { input: input.clone(), influence })
        };
        let mut reasons: Vec<Reason> = found.into_iter().filter_map(reason).collect();
        reasons.sort_by_key(|reason| (reason.influence, distances.get(&reason.input.index).copied()));
        reasons
    }

    /// How the amount of a posting was made.
    #[must_use]
    pub fn posting(&self, place: usize, measure: Measure) -> Option<Formula> {
        let posting = self.traced.result.ledger.postings.get(place)?;
        let number = self.traced.trace.number(measure.of(posting));
        let step = self.traced.trace.step(number)?;
        Some(self.formula_of_step(None, number, step))
    }

    /// How a number was made.
    #[must_use]
    pub fn formula(&self, number: Num) -> Formula {
        let Some(step) = self.traced.trace.step(number) else {
            return Formula {
                name: None,
                value: number,
                expression: Expression::Constant(number),
                because: Vec::new(),
            };
        };
        match step.operation {
            Operation::Called(name) => {
                let name = self.traced.trace.name(name).cloned();
                match self.traced.trace.step(step.operands[0]) {
                    Some(inner) => self.formula_of_step(name, step.operands[0], inner),
                    None => Formula {
                        name,
                        value: number,
                        expression: Expression::Constant(step.operands[0]),
                        because: Vec::new(),
                    },
                }
            }
            _ if self.posting_of(number).is_some() => Formula {
                name: None,
                value: number,
                expression: self.expression(number, &mut Vec::new()),
                because: Vec::new(),
            },
            _ => self.formula_of_step(None, number, step),
        }
    }

    fn formula_of_step(&self, name: Option<Name>, number: Num, step: &Step) -> Formula {
        let mut because = Vec::new();
        let expression = self.expression_of(step, &mut because);
        Formula { name, value: number, expression, because }
    }

    fn posting_of(&self, number: Num) -> Option<(usize, Measure)> {
        self.postings.get(&self.traced.trace.place(number)?).copied()
    }

    fn expression(&self, number: Num, because: &mut Vec<Expression>) -> Expression {
        let Some(step) = self.traced.trace.step(number) else { return Expression::Constant(number) };
        if let Some((place, measure)) = self.posting_of(number) {
            return Expression::Posting(place, measure, number);
        }
        if let Operation::Called(name) = step.operation
            && let Some(name) = self.traced.trace.name(name)
        {
            return Expression::Named(name.clone(), number);
        }
        self.expression_of(step, because)
    }

    fn expression_of(&self, step: &Step, because: &mut Vec<Expression>) -> Expression {
        let [a, b] = step.operands;
        let mut of = |number: Num| self.expression(number, because);
        match step.operation {
            Operation::Input(place) => Expression::Input(place, step.value),
            Operation::Called(_) => of(a),
            Operation::Sum | Operation::Difference => {
                let sign = if step.operation == Operation::Sum { Sign::With } else { Sign::Against };
                let mut terms = match of(a) {
                    Expression::Sum(terms) => terms,
                    first => vec![(Sign::With, first)],
                };
                terms.push((sign, of(b)));
                Expression::Sum(terms)
            }
            Operation::Product | Operation::Quotient => {
                let sign = if step.operation == Operation::Product { Sign::With } else { Sign::Against };
                let mut factors = match of(a) {
                    Expression::Product(factors) => factors,
                    first => vec![(Sign::With, first)],
                };
                factors.push((sign, of(b)));
                Expression::Product(factors)
            }
            Operation::Negative => Expression::Negative(Box::new(of(a))),
            Operation::Least | Operation::Greatest => {
                let is_least = step.operation == Operation::Least;
                let mut all = match (of(a), is_least) {
                    (Expression::Least(all), true) | (Expression::Greatest(all), false) => all,
                    (first, _) => vec![first],
                };
                all.push(of(b));
                if is_least { Expression::Least(all) } else { Expression::Greatest(all) }
            }
            Operation::RoundedUp => Expression::RoundedUp(Box::new(of(a))),
            Operation::RoundedDown => Expression::RoundedDown(Box::new(of(a))),
            Operation::SnappedShare => Expression::SnappedShare(Box::new(of(a))),
            Operation::Power(exponent) => Expression::Power(Box::new(of(a)), exponent),
            Operation::Root(degree) => Expression::Root(Box::new(of(a)), degree),
            Operation::Rounded(places) => Expression::Rounded(Box::new(of(a)), places),
            Operation::Posted(digits) => Expression::Posted(Box::new(of(a)), digits),
            Operation::Part { split, place } => Expression::Part {
                whole: Box::new(of(a)),
                shares: self.traced.trace.split(split).to_vec(),
                place,
                share: Box::new(of(b)),
                part: step.value,
            },
            Operation::Because => {
                let value = of(a);
                let reason = of(b);
                because.push(reason);
                value
            }
        }
    }

    /// The quantities that a formula rests on, each with its own formula, from the outermost in: what has a name once,
    /// however many months it stands for.
    #[must_use]
    pub fn quantities(&self, formula: &Formula) -> Vec<Quantity> {
        let mut found = Vec::new();
        let mut known = std::collections::HashSet::new();
        self.collect_quantities(formula, 0, &mut known, &mut found);
        found
    }

    fn collect_quantities(
        &self,
        formula: &Formula,
        depth: usize,
        known: &mut std::collections::HashSet<(&'static str, String)>,
        found: &mut Vec<Quantity>,
    ) {
        let mut next = Vec::new();
        for expression in [&formula.expression].into_iter().chain(&formula.because) {
            expression.each_named(&mut |name, number| next.push((name.clone(), number)));
        }
        for (name, number) in next {
            if known.insert((name.label, name.of.clone())) {
                let formula = self.formula(number);
                found.push(Quantity { depth, name, formula: formula.clone() });
                self.collect_quantities(&formula, depth + 1, known, found);
            }
        }
    }

    /// The place of a number in the trace, by which it can be recognised; none for a constant.
    #[must_use]
    pub fn place(&self, number: Num) -> Option<usize> {
        self.traced.trace.place(number)
    }

    /// The digits of the minor unit.
    #[must_use]
    pub fn minor_digits(&self) -> u32 {
        self.minor_digits
    }
}

/// An amount without its past, so that sums for the screen leave no trace.
fn bare(money: Money) -> Money {
    Money::from_minor(money.minor())
}

/// One figure of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct FigureOf {
    /// Its path in the result as JSON, with ids in place of positions.
    pub path: String,
    pub label: String,
    pub unit: &'static str,
    pub value: Value,
}

/// Every figure of a placement, in the order of the result.
#[must_use]
pub fn figures(result: &PlacementResult) -> Vec<FigureOf> {
    let mut all = Figures(Vec::new());
    all.amounts("", "", result.totals);
    all.money("equivalent_annual_cost", "Equivalent annual cost", result.equivalent_annual_cost);
    all.money("fixed", "Fixed cost", result.fixed);
    all.money("usage_driven", "Usage-driven cost", result.usage_driven);
    all.money("provider", "What a provider bills", result.provider);
    all.money("retained", "What stays with the customer", result.retained);
    for of in &result.by_category {
        all.amounts(&format!("by_category.{}.", of.category.name()), &format!("{}: ", of.category.label()), of.amounts);
    }
    for (year, amounts) in result.by_year.iter().enumerate() {
        all.amounts(&format!("by_year.{year}."), &format!("Year {}: ", year + 1), *amounts);
    }
    for environment in &result.environments {
        let (path, label) = (format!("environments.{}.", environment.id), format!("{}: ", environment.name));
        all.amounts(&path, &label, environment.amounts);
        let mut number = |name: &str, words: &str, unit, value| {
            all.number(&format!("{path}{name}"), &format!("{label}{words}"), unit, value);
        };
        for (month, nodes) in environment.nodes.iter().enumerate() {
            number(&format!("nodes.{month}"), &format!("nodes with spares, month {month}"), "nodes", *nodes);
        }
        number("installed_gpus", "installed GPUs", "GPUs", environment.installed_gpus);
        number("baseline_equivalents", "baseline equivalents", "GPUs", environment.baseline_equivalents);
        number("needed_gpus", "needed GPUs", "GPUs", environment.needed_gpus);
        let hours = environment.gpu_hours;
        number("gpu_hours.productive", "productive GPU-hours", "GPU-hours", hours.productive);
        number("gpu_hours.allocated", "allocated GPU-hours", "GPU-hours", hours.allocated);
        number("gpu_hours.occupied", "occupied GPU-hours", "GPU-hours", hours.occupied);
        number("gpu_hours.available", "available GPU-hours", "GPU-hours", hours.available);
        number("gpu_hours.installed", "installed GPU-hours", "GPU-hours", hours.installed);
        if let Some(steps) = &environment.capacity {
            number("capacity.demand_gpu_hours", "deferrable work of the month", "GPU-hours", steps.demand_gpu_hours);
            number("capacity.deferrable", "deferrable work", "GPUs", steps.deferrable);
            number("capacity.peak", "what cannot wait, at its peak hour", "GPUs", steps.peak);
            number("capacity.maintenance", "maintenance reserve", "GPUs", steps.maintenance);
            number("capacity.failure_reserve", "failure reserve", "GPUs", steps.failure_reserve);
            number("capacity.growth_headroom", "growth headroom", "GPUs", steps.growth_headroom);
            number("capacity.nodes_for_gpus", "nodes for the GPUs needed", "nodes", steps.nodes_for_gpus);
            number("capacity.gang_nodes", "nodes for runs that start together", "nodes", steps.gang_nodes);
            number("capacity.nodes", "nodes in service", "nodes", steps.nodes);
            number("capacity.spares", "spare nodes", "nodes", steps.spares);
        }
    }
    for workload in &result.workloads {
        let (path, label) = (format!("workloads.{}.", workload.id), format!("{}: ", workload.name));
        all.number(&format!("{path}output"), &format!("{label}successful output"), "units", workload.output);
        all.money(&format!("{path}allocated_cost"), &format!("{label}allocated cost"), workload.allocated.total);
        let ratio = |value: Option<Num>| value.map_or(Value::None, Value::Number);
        let mut push = |name: &str, words: &str, value| {
            all.push(format!("{path}{name}"), format!("{label}{words}"), "money a unit", value);
        };
        push("cost_per_output", "cost per useful output", ratio(workload.cost_per_output));
        push(
            "levelised_cost_per_output",
            "levelised cost per useful output",
            ratio(workload.levelised_cost_per_output),
        );
        all.number(&format!("{path}unmet_share"), &format!("{label}unmet share"), "share", workload.unmet_share);
        all.money(&format!("{path}delay_cost"), &format!("{label}cost of delay"), workload.delay_cost);
    }
    all.money("unallocated", "Cost of no class", result.unallocated);
    all.money("exposures.delay_cost", "Cost of delay", result.exposures.delay_cost);
    all.money("exposures.idle_commitment", "Idle commitment", result.exposures.idle_commitment);
    for (month, cash) in result.exposures.cash_to_leave.iter().enumerate() {
        all.money(&format!("exposures.cash_to_leave.{month}"), &format!("Cash to leave after month {month}"), *cash);
    }
    for (month, lost) in result.exposures.write_off.iter().enumerate() {
        all.money(&format!("exposures.write_off.{month}"), &format!("Write-off after month {month}"), *lost);
    }
    if let Some(taxed) = &result.after_tax {
        all.money("after_tax.tax_relief", "Tax relief", taxed.tax_relief);
        for (year, relief) in taxed.by_year.iter().enumerate() {
            all.money(&format!("after_tax.by_year.{year}"), &format!("Tax relief, year {}", year + 1), *relief);
        }
        all.money("after_tax.total", "Cost after tax", taxed.total);
        all.money("after_tax.present_value", "Present value after tax", taxed.present_value);
    }
    all.0
}

struct Figures(Vec<FigureOf>);

impl Figures {
    fn push(&mut self, path: String, label: String, unit: &'static str, value: Value) {
        self.0.push(FigureOf { path, label, unit, value });
    }

    fn money(&mut self, path: &str, label: &str, money: Money) {
        self.push(path.into(), label.into(), "money", Value::Money(money));
    }

    fn number(&mut self, path: &str, label: &str, unit: &'static str, number: Num) {
        self.push(path.into(), label.into(), unit, Value::Number(number));
    }

    fn amounts(&mut self, path: &str, label: &str, amounts: crate::engine::Amounts) {
        let words = |words: &str| {
            if label.is_empty() { words.to_owned() } else { format!("{label}{}", words.to_lowercase()) }
        };
        self.money(&format!("{path}total"), &words("Cost"), amounts.total);
        self.money(&format!("{path}present_value"), &words("Present value"), amounts.present_value);
    }
}
