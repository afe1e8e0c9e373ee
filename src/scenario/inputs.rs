//! Every input of a scenario in the order of the file, by path, with what people read for it; and setting one.
//!
//! Everything is found by walking the declarations: no list of inputs stands here, and no rule beyond their bounds.

use crate::input::{Bounds, Decl, Field, Input, Range, Segment, Unit, Visitor, VisitorMut};
use crate::quantity::Exact;
use crate::scenario::problem::{self, Problem};
use crate::scenario::{Case, Driver, ROOT, Scenario};

/// One input as it stands in a scenario.
#[derive(Clone, Debug)]
pub struct InputRef {
    /// Its place in the walk, by which [`Scenario::set_nth`] finds it again.
    pub index: usize,
    /// Ids and field names joined with dots.
    pub path: String,
    pub decl: &'static Decl,
    /// What it is: `Node price`, `Egress: rate, tier 2`.
    pub label: String,
    /// The names of the elements around it, outermost first: `Owned cluster`, `Egress`.
    pub trail: Vec<String>,
    /// The currency of the amounts here.
    pub currency: String,
    /// What it is counted in: `USD a node`, `share`.
    pub unit: String,
    /// The value with its range and evidence.
    pub input: Input,
}

impl InputRef {
    /// What it is and where: `Node price · Owned cluster`.
    #[must_use]
    pub fn full_label(&self) -> String {
        match self.place() {
            Some(place) => format!("{} · {place}", self.label),
            None => self.label.clone(),
        }
    }

    /// The name of the class, environment or placement in which it stands; none for an input of the scenario itself.
    #[must_use]
    pub fn place(&self) -> Option<&str> {
        let owned = ["workloads.", "environments.", "placements."].iter().any(|start| self.path.starts_with(start));
        self.trail.first().filter(|_| owned).map(String::as_str)
    }

    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.decl.bounds
    }

    /// Whether a person has said anything that the declaration does not: another value than the default, a range, or what
    /// it rests on.
    #[must_use]
    pub fn is_entered(&self) -> bool {
        self.input.detail.is_some() || self.input.value.to_string() != self.decl.default
    }
}

impl Scenario {
    /// Every input, in the order of the file.
    #[must_use]
    pub fn inputs(&self) -> Vec<InputRef> {
        let mut collector = Collector {
            scenario: self,
            steps: Vec::new(),
            path: Path::default(),
            currencies: vec![(0, self.currency.clone())],
            found: Vec::new(),
        };
        self.walk(&ROOT, &mut collector);
        collector.found
    }

    /// The input at a path.
    ///
    /// # Errors
    /// The path names no input; the problem names the nearest one that exists.
    pub fn input(&self, path: &str) -> Result<InputRef, Problem> {
        let inputs = self.inputs();
        match inputs.iter().position(|input| input.path == path) {
            Some(index) => Ok(inputs.into_iter().nth(index).expect("the index was just found in this list")),
            None => Err(problem::no_such_input("", path, inputs.iter().map(|input| input.path.as_str()))),
        }
    }

    /// What people read for a path: names instead of ids, as far as the path leads to something with a name.
    #[must_use]
    pub fn named(&self, path: &str) -> String {
        if let Some(input) = self.inputs().iter().find(|input| input.path == path) {
            return input.full_label();
        }
        let mut segments = path.split('.');
        let (list, id) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
        let element = match list {
            "workloads" => self.workloads.iter().find(|of| of.id == id).map(|of| (of.name.clone(), None)),
            "environments" => {
                self.environments.iter().find(|of| of.id == id).map(|of| (of.name.clone(), Some(&of.costs)))
            }
            "placements" => self.placements.iter().find(|of| of.id == id).map(|of| (of.name.clone(), Some(&of.costs))),
            "cases" => self.cases.iter().find(|of| of.id == id).map(|of| (of.name.clone(), None)),
            _ => None,
        };
        let Some((name, costs)) = element else { return path.replace('_', " ") };
        let rest: Vec<&str> = segments.collect();
        let inner = match (rest.as_slice(), costs) {
            (["costs", id, rest @ ..], Some(costs)) => {
                let line = costs.iter().find(|line| line.id == *id);
                let label = line.map_or_else(|| (*id).to_owned(), |line| line.label.clone());
                std::iter::once(label).chain(rest.iter().map(|of| of.replace('_', " "))).collect::<Vec<_>>().join(", ")
            }
            (rest, _) => rest.join(" ").replace('_', " "),
        };
        if inner.is_empty() { name } else { format!("{inner} · {name}") }
    }

    /// The same scenario with another value of one input. A value outside the input's range widens the range.
    ///
    /// # Errors
    /// The path names no input, or the input does not accept the value.
    pub fn with(&self, path: &str, value: Exact) -> Result<Self, Problem> {
        let mut changed = self.clone();
        changed.set(path, value)?;
        Ok(changed)
    }

    /// Sets one input by its path, after checking the value against the input's bounds.
    ///
    /// # Errors
    /// The path names no input, or the input does not accept the value.
    pub fn set(&mut self, path: &str, value: Exact) -> Result<Change, Problem> {
        let found = self.input(path)?;
        if !found.bounds().accept(value) {
            return Err(problem::out_of_bounds(path, found.decl, value, ""));
        }
        let widened = found.input.range().is_some_and(|range| value < range.low || range.high < value);
        self.set_nth(found.index, value);
        Ok(Change { before: found, after: value, widened })
    }

    /// Sets the input at a place of the walk, without a check: for analyses that set thousands of values which they have
    /// checked beforehand. A value outside the input's range widens the range. Says whether there is such an input.
    pub fn set_nth(&mut self, index: usize, value: Exact) -> bool {
        self.change_nth(index, |input| {
            if let Some(Range { low, high }) = input.range() {
                input.detail_mut().range = Some(Range { low: low.min(value), high: high.max(value) });
            }
            input.value = value;
        })
    }

    /// Changes the input at a place of the walk: its value, range or evidence. Says whether there is such an input.
    pub fn change_nth(&mut self, index: usize, change: impl FnOnce(&mut Input)) -> bool {
        let mut changer = Changer { left: index, change: Some(change) };
        self.walk_mut(&ROOT, &mut changer);
        changer.change.is_none()
    }

    /// Exchanges the values of the inputs at some places of the walk, in ascending order, for those given: afterwards
    /// `values` holds what stood there before, so that the same call restores it. Nothing is checked, and no range widens:
    /// for analyses that try thousands of values.
    pub fn exchange_values(&mut self, values: &mut [(usize, Exact)]) {
        if !values.is_empty() {
            let mut left = values.iter_mut();
            self.walk_mut(&ROOT, &mut Exchanger { at: 0, next: left.next(), left });
        }
    }

    /// The scenario with the values of one case, and what the case changes.
    ///
    /// # Errors
    /// Every path of the case that names no input and every value that its input does not accept.
    pub fn with_case(&self, case: &Case) -> Result<(Self, Vec<Change>), Vec<Problem>> {
        let mut scenario = self.clone();
        let (mut changes, mut problems) = (Vec::new(), Vec::new());
        for (path, value) in &case.set.0 {
            match scenario.set(path, *value) {
                Ok(change) => changes.push(change),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() { Ok((scenario, changes)) } else { Err(problems) }
    }
}

/// One input set to another value.
#[derive(Clone, Debug)]
pub struct Change {
    pub before: InputRef,
    pub after: Exact,
    /// Whether the value lies outside the range that the input had.
    pub widened: bool,
}

/// What the walk has entered and not yet left.
enum Step {
    Field(&'static Decl),
    Element { id: String, name: String },
    Position(usize),
}

struct Collector<'a> {
    scenario: &'a Scenario,
    steps: Vec<Step>,
    path: Path,
    /// The currencies in force, the scenario's first, each with the number of steps around it.
    currencies: Vec<(usize, String)>,
    found: Vec<InputRef>,
}

impl Visitor for Collector<'_> {
    fn enter(&mut self, segment: Segment<'_>) {
        self.path.enter(segment);
        let step = match segment {
            Segment::Field(decl) => Step::Field(decl),
            Segment::Position(position) => Step::Position(position),
            Segment::Element { id, name, currency } => {
                if let Some(currency) = currency {
                    self.currencies.push((self.steps.len(), currency.into()));
                }
                Step::Element { id: id.into(), name: self.shown_name(id, name).into() }
            }
        };
        self.steps.push(step);
    }

    fn leave(&mut self) {
        self.path.leave();
        self.steps.pop();
        if self.currencies.len() > 1 && self.currencies.last().is_some_and(|(depth, _)| *depth == self.steps.len()) {
            self.currencies.pop();
        }
    }

    fn input(&mut self, decl: &'static Decl, input: &Input) {
        let currency = self.currencies.last().map(|(_, currency)| currency.clone()).unwrap_or_default();
        self.found.push(InputRef {
            index: self.found.len(),
            path: self.path.text().to_owned(),
            decl,
            label: self.label(decl),
            trail: self.names().map(str::to_owned).collect(),
            unit: self.unit(decl, &currency),
            currency,
            input: input.clone(),
        });
    }
}

/// The path to where a walk stands.
#[derive(Default)]
pub(crate) struct Path {
    text: String,
    /// How long the path was before each step.
    lengths: Vec<usize>,
}

impl Path {
    pub(crate) fn enter(&mut self, segment: Segment<'_>) {
        self.lengths.push(self.text.len());
        if !self.text.is_empty() {
            self.text.push('.');
        }
        match segment {
            Segment::Field(decl) => self.text.push_str(decl.name),
            Segment::Element { id, .. } => self.text.push_str(id),
            Segment::Position(position) => self.text.push_str(&position.to_string()),
        }
    }

    pub(crate) fn leave(&mut self) {
        self.text.truncate(self.lengths.pop().unwrap_or(0));
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl Collector<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Element { name, .. } => Some(name.as_str()),
            _ => None,
        })
    }

    /// Inside an environment or a placement, what is named by the id of a class is shown by the name of the class.
    fn shown_name<'n>(&'n self, id: &str, name: &'n str) -> &'n str {
        let inside = self.names().next().is_some();
        let class = self.scenario.workloads.iter().find(|workload| inside && id == name && workload.id == id);
        class.map_or(name, |class| class.name.as_str())
    }

    /// Inner elements, the declared label, and the place in a list: `Egress: rate, tier 2`.
    fn label(&self, decl: &Decl) -> String {
        let mut names = self.names();
        // The outermost element says where the input stands, and is shown beside the label. The entries of a map of the
        // scenario itself stand nowhere else, so that their name belongs to the label.
        let entry_of_root = matches!(self.steps.as_slice(), [Step::Field(_), Step::Element { .. }])
            || matches!(self.steps.as_slice(), [Step::Field(_), Step::Element { .. }, Step::Position(_)]);
        let mut label = match (entry_of_root, names.next()) {
            (true, Some(name)) => format!("{}: {name}", decl.label),
            _ => decl.label.into(),
        };
        let inner: Vec<&str> = names.collect();
        if !inner.is_empty() {
            label = format!("{}: {}", inner.join(": "), lower_first(&label));
        }
        let field = self.steps.iter().rev().find_map(|step| match step {
            Step::Field(decl) => Some(decl.name),
            _ => None,
        });
        match self.steps.last() {
            Some(Step::Position(position)) => label + &place_in_list(field.unwrap_or_default(), *position),
            _ => label,
        }
    }

    /// A rate of a cost line is counted by what drives the line.
    fn unit(&self, decl: &Decl, currency: &str) -> String {
        let driver = self.line_driver().filter(|_| decl.name == "rate");
        match (decl.unit, driver) {
            (Unit::Money(_), Some(Driver::HardwareShareYear)) => "share of price a year".into(),
            (Unit::Money(_), Some(Driver::ServiceChargeShare)) => "share of charges".into(),
            (Unit::Money(_), Some(driver)) => format!("{currency} {}", charged_by(driver)),
            (unit, _) => unit.text(currency),
        }
    }

    fn line_driver(&self) -> Option<&Driver> {
        let mut ids = self.steps.iter().filter_map(|step| match step {
            Step::Element { id, .. } => Some(id.as_str()),
            _ => None,
        });
        let (owner, line) = (ids.next()?, ids.next()?);
        let root =
            self.steps.first().and_then(|step| if let Step::Field(decl) = step { Some(decl.name) } else { None });
        let lines = match root {
            Some("environments") => {
                &self.scenario.environments.iter().find(|environment| environment.id == owner)?.costs
            }
            _ => &self.scenario.placements.iter().find(|placement| placement.id == owner)?.costs,
        };
        lines.iter().find(|candidate| candidate.id == line).map(|line| &line.driver)
    }
}

/// How the elements of a list are counted aloud, by the field that holds the list.
fn place_in_list(field: &str, position: usize) -> String {
    match field {
        "residual_by_year" => format!(" {}", position.saturating_add(1)),
        "rate" | "price" => format!(", tier {}", position.saturating_add(1)),
        // The first year is at today's price; the first rate leads to the second year.
        "indices" => format!(", year {}", position.saturating_add(2)),
        "growth" => format!(", year {}", position.saturating_add(1)),
        _ => format!(", point {}", position.saturating_add(1)),
    }
}

/// `Rate` inside a label, but `GPU-hours` as it is.
#[must_use]
pub fn lower_first(label: &str) -> String {
    let mut chars = label.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => label.into(),
    }
}

/// What one unit of a driver's measure is, after the name of a currency.
fn charged_by(driver: &Driver) -> &'static str {
    match driver {
        Driver::Once(_) => "once",
        Driver::Monthly => "a month",
        Driver::Yearly => "a year",
        Driver::NodeOnce => "a node, once",
        Driver::NodeMonth => "a node and month",
        Driver::GpuMonth => "a GPU and month",
        Driver::KwMonth => "a kW and month",
        Driver::ItKwh | Driver::OverheadKwh => "a kWh",
        Driver::HardwareShareYear => "of the price a year",
        Driver::ServiceChargeShare => "of the charges",
        Driver::GpuHour => "a GPU-hour",
        Driver::Run => "a run",
        Driver::OutputUnit(_) => "a unit of output",
        Driver::CpuCoreHour => "a core-hour",
        Driver::GbMonth => "a GB and month",
        Driver::EgressGb => "a GB out",
        Driver::MigrationGb => "a GB migrated",
        Driver::ExitOnce => "at exit",
        Driver::ExitNode => "a node at exit",
        Driver::ExitGb => "a GB at exit",
    }
}

struct Changer<F> {
    /// Inputs to pass before the one meant.
    left: usize,
    change: Option<F>,
}

impl<F: FnOnce(&mut Input)> VisitorMut for Changer<F> {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &mut Input) {
        if self.left == 0 {
            if let Some(change) = self.change.take() {
                change(input);
            }
        } else {
            self.left -= 1;
        }
    }
}

/// Exchanges values on one walk.
struct Exchanger<'v> {
    /// The place of the input that comes next on the walk.
    at: usize,
    /// The next value to exchange, and those after it.
    next: Option<&'v mut (usize, Exact)>,
    left: std::slice::IterMut<'v, (usize, Exact)>,
}

impl VisitorMut for Exchanger<'_> {
    fn enter(&mut self, _: Segment<'_>) {}

    fn leave(&mut self) {}

    fn input(&mut self, _: &'static Decl, input: &mut Input) {
        if let Some((_, value)) = self.next.as_deref_mut().filter(|(place, _)| *place == self.at) {
            std::mem::swap(&mut input.value, value);
            self.next = self.left.next();
        }
        self.at += 1;
    }
}
