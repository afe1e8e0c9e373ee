//! The rows of each view of Compare: what a row is called, what each placement has in it, and what explains it.
//!
//! Amounts come from results and analyses; nothing is added up here.

use crate::analysis::compare::{self, Crossed, FAMILIES, Relative};
use crate::analysis::explain::{FiscalYear, Measure, Selection};
use crate::analysis::postings::{Book, Dimension, fiscal_year_months};
use crate::app::document::Snapshot;
use crate::app::explain::Target;
use crate::app::view::CompareBy;
use crate::app::widgets::RowKind;
use crate::engine::{Behaviour, EnvironmentResult, GpuHours, PlacementResult, WorkloadResult};
use crate::quantity::{Money, Num};
use crate::scenario::calendar::Month;
use crate::scenario::{Boundary, Category};

/// A row before it is made text.
pub struct Line {
    pub kind: RowKind,
    pub name: String,
    /// The place of its colour among the categories.
    pub category: Option<usize>,
    /// Whether it can be folded away with those under it: the row that it is, or that it stands under.
    pub family: Option<String>,
    /// One for each placement.
    pub entries: Vec<Entry>,
}

/// What a placement has in a row.
#[derive(Clone, Default)]
pub struct Entry {
    pub amount: Option<Amount>,
    /// What is said where there is none.
    pub none: &'static str,
    pub target: Option<Target>,
    /// What one unit of a ratio is, told beside it.
    pub of: String,
}

/// An amount, by how it is read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Amount {
    Money(Money),
    /// Money for one unit of output.
    Ratio(Num),
    /// GPU-hours.
    Hours(Num),
    Share(Num),
}

/// How an amount differs from that of the reference.
pub fn less(amount: Option<Amount>, reference: Option<Amount>) -> Option<(Amount, Relative)> {
    let number = |of: Option<Amount>| match of {
        Some(Amount::Ratio(number) | Amount::Hours(number) | Amount::Share(number)) => Some(number),
        _ => None,
    };
    let money = |of: Option<Amount>| match of {
        Some(Amount::Money(money)) => Some(money),
        _ => None,
    };
    match amount.or(reference)? {
        Amount::Money(_) => {
            compare::difference(money(amount), money(reference)).map(|of| (Amount::Money(of.amount), of.relative))
        }
        kind => {
            let difference = compare::difference(number(amount), number(reference))?;
            let amount = match kind {
                Amount::Hours(_) => Amount::Hours(difference.amount),
                Amount::Share(_) => Amount::Share(difference.amount),
                Amount::Ratio(_) | Amount::Money(_) => Amount::Ratio(difference.amount),
            };
            Some((amount, difference.relative))
        }
    }
}

const NOT_ENTERED: &str = "not entered";

/// Every row of a view, folded ones too. `crossed` is what postings come to in views that cross them.
pub fn lines(snapshot: &Snapshot, by: CompareBy, crossed: &[Crossed]) -> Vec<Line> {
    let of = Of { snapshot };
    match by {
        CompareBy::Category => of.by_category(),
        CompareBy::Year => of.by_year(crossed),
        CompareBy::Behaviour => of.by_behaviour(crossed),
        CompareBy::Boundary => of.by_boundary(crossed),
        CompareBy::Output => of.by_output(),
        CompareBy::Hours => of.hours(),
        CompareBy::Exposure => of.exposures(),
    }
}

/// By what the postings of a view are crossed; none where it shows results as they are.
pub const fn dimensions(by: CompareBy) -> Option<(Dimension, Dimension)> {
    match by {
        CompareBy::Year => Some((Dimension::FiscalYear, Dimension::Spending)),
        CompareBy::Behaviour => Some((Dimension::Behaviour, Dimension::Category)),
        CompareBy::Boundary => Some((Dimension::Boundary, Dimension::Category)),
        CompareBy::Category | CompareBy::Output | CompareBy::Hours | CompareBy::Exposure => None,
    }
}

/// Crosses the postings for a view.
pub fn cross(snapshot: &Snapshot, by: CompareBy) -> Vec<Crossed> {
    let Some((outer, inner)) = dimensions(by) else { return Vec::new() };
    compare::crossed(&Book::new(&snapshot.scenario, &snapshot.evaluation), outer, inner)
}

struct Of<'a> {
    snapshot: &'a Snapshot,
}

impl Of<'_> {
    fn results(&self) -> &[PlacementResult] {
        &self.snapshot.evaluation.placements
    }

    fn line(&self, kind: RowKind, name: impl Into<String>, entry: impl Fn(usize, &PlacementResult) -> Entry) -> Line {
        let entries = self.results().iter().enumerate().map(|(place, result)| entry(place, result)).collect();
        Line { kind, name: name.into(), category: None, family: None, entries }
    }

    /// A row of sums of postings.
    fn postings(
        &self,
        kind: RowKind,
        name: impl Into<String>,
        (selection, measure): (&Selection, Measure),
        none: impl Fn(usize) -> &'static str,
        get: impl Fn(usize, &PlacementResult) -> Option<Money>,
    ) -> Line {
        self.line(kind, name, |place, result| Entry {
            amount: get(place, result).map(Amount::Money),
            none: none(place),
            target: Some(Target::postings(place, selection.clone(), measure)),
            of: String::new(),
        })
    }

    fn by_category(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for family in &FAMILIES {
            let selection = Selection { categories: family.categories.to_vec(), ..Selection::default() };
            let get = |_, result: &PlacementResult| compare::family_amount(result, family);
            let total = (&selection, Measure::Total);
            lines.push(under(family.name, self.postings(RowKind::Family, family.name, total, |_| "", get)));
            for &category in family.categories {
                let selection = Selection { categories: vec![category], ..Selection::default() };
                let get = |_, result: &PlacementResult| compare::amount(result, category);
                let total = (&selection, Measure::Total);
                let line = self.postings(RowKind::Plain, category.label(), total, |_| NOT_ENTERED, get);
                lines.push(under(family.name, Line { category: stack_place(category), ..line }));
            }
        }
        let of = |behaviour| Selection { behaviour: Some(behaviour), ..Selection::default() };
        let (fixed, usage) = (of(Behaviour::Fixed), of(Behaviour::UsageDriven));
        lines.push(self.total());
        let part = |name: &str, selection: &Selection, get: fn(&PlacementResult) -> Money| {
            self.postings(RowKind::Part, name, (selection, Measure::Total), |_| "", |_, result| Some(get(result)))
        };
        lines.push(part("of which fixed", &fixed, |result| result.fixed));
        lines.push(part("of which usage-driven", &usage, |result| result.usage_driven));
        lines.push(self.present_value());
        lines
    }

    fn total(&self) -> Line {
        let all = (&Selection::default(), Measure::Total);
        self.postings(RowKind::Total, "Total", all, |_| "", |_, result| Some(result.totals.total))
    }

    fn present_value(&self) -> Line {
        let all = (&Selection::default(), Measure::PresentValue);
        self.postings(RowKind::Ruled, "Present value", all, |_| "", |_, result| Some(result.totals.present_value))
    }

    fn by_year(&self, crossed: &[Crossed]) -> Vec<Line> {
        let years = fiscal_year_months(&self.snapshot.scenario, &self.snapshot.evaluation);
        let mut lines = Vec::new();
        for of in crossed {
            let Some(year) = years.get(of.key) else { continue };
            let name = self.year_named(year);
            let selection = Selection { fiscal_year: Some(year.clone()), ..Selection::default() };
            let total = (&selection, Measure::Total);
            lines.push(under(&name, self.postings(RowKind::Family, &*name, total, |_| "–", |i, _| of.amounts[i])));
            for (spending, amounts) in &of.inner {
                let capital = *spending == 0;
                let selection = Selection { capital: Some(capital), ..selection.clone() };
                let label = if capital { "Capital" } else { "Operating" };
                let total = (&selection, Measure::Total);
                lines.push(under(&name, self.postings(RowKind::Part, label, total, |_| "–", |i, _| amounts[i])));
            }
        }
        lines.push(self.total());
        lines.push(self.present_value());
        lines
    }

    /// A year, and the months of the horizon in it where it is not whole.
    fn year_named(&self, year: &FiscalYear) -> String {
        let (from, to) = year.months;
        if to.saturating_sub(from) == 12 {
            return format!("Fiscal year {}", year.name);
        }
        format!("Fiscal year {}, {}", year.name, crate::scenario::problem::months(to.saturating_sub(from)))
    }

    fn by_behaviour(&self, crossed: &[Crossed]) -> Vec<Line> {
        self.by_category_of(crossed, |key| {
            let behaviour = Behaviour::ALL.get(key)?;
            Some((behaviour.label(), Selection { behaviour: Some(*behaviour), ..Selection::default() }))
        })
    }

    fn by_boundary(&self, crossed: &[Crossed]) -> Vec<Line> {
        self.by_category_of(crossed, |key| {
            let boundary = Boundary::ALL.get(key)?;
            Some((boundary.label(), Selection { boundary: Some(*boundary), ..Selection::default() }))
        })
    }

    /// The values of a dimension, and inside each its categories in the order of the stack.
    fn by_category_of(
        &self,
        crossed: &[Crossed],
        outer: impl Fn(usize) -> Option<(&'static str, Selection)>,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        for of in crossed {
            let Some((name, selection)) = outer(of.key) else { continue };
            let total = (&selection, Measure::Total);
            lines.push(under(name, self.postings(RowKind::Family, name, total, |_| "–", |i, _| of.amounts[i])));
            for category in compare::stacked() {
                let Some((_, amounts)) = of.inner.iter().find(|(key, _)| *key == category as usize) else { continue };
                let selection = Selection { categories: vec![category], ..selection.clone() };
                let entered = |i: usize| compare::amount(&self.results()[i], category).is_some();
                let none = |i: usize| if entered(i) { "–" } else { NOT_ENTERED };
                let total = (&selection, Measure::Total);
                let line = self.postings(RowKind::Plain, category.label(), total, none, |i, _| amounts[i]);
                lines.push(under(name, Line { category: stack_place(category), ..line }));
            }
        }
        lines.push(self.total());
        lines.push(self.present_value());
        lines
    }

    fn by_output(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for class in &self.snapshot.scenario.workloads {
            let Some(output) = &class.output else { continue };
            lines.push(Line {
                entries: Vec::new(),
                ..self.line(RowKind::Family, &*class.name, |_, _| Entry::default())
            });
            let mut row = |name: String, figure: &str, pick: fn(&WorkloadResult) -> Option<Num>| {
                let entry = |place: usize, result: &PlacementResult| {
                    let found = result.workloads.iter().find(|workload| workload.id == class.id);
                    let amount = found.and_then(pick).map(Amount::Ratio);
                    let none = if found.is_some() { "no output" } else { "not served" };
                    let target = amount.map(|_| Target::figure(place, format!("workloads.{}.{figure}", class.id)));
                    Entry { amount, none, target, of: format!("for one {} of {}", output.unit, class.name) }
                };
                lines.push(self.line(RowKind::Part, name, entry));
            };
            row(format!("per {}", output.unit), "cost_per_output", |found| found.cost_per_output);
            row("levelised".to_owned(), "levelised_cost_per_output", |found| found.levelised_cost_per_output);
        }
        lines
    }

    fn hours(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for environment in &self.snapshot.scenario.environments {
            let find = |result: &'_ PlacementResult| -> Option<GpuHours> {
                result.environments.iter().find(|of| of.id == environment.id).map(|of: &EnvironmentResult| of.gpu_hours)
            };
            if !self.results().iter().any(|result| find(result).is_some()) {
                continue;
            }
            let head = self.line(RowKind::Family, &*environment.name, |_, _| Entry::default());
            lines.push(under(&environment.name, Line { entries: Vec::new(), ..head }));
            type Rung = (&'static str, &'static str, fn(&GpuHours) -> Num);
            let rungs: [Rung; 5] = [
                ("Productive", "productive", |hours| hours.productive),
                ("Allocated", "allocated", |hours| hours.allocated),
                ("Occupied", "occupied", |hours| hours.occupied),
                ("Available", "available", |hours| hours.available),
                ("Installed", "installed", |hours| hours.installed),
            ];
            for (name, path, pick) in rungs {
                let entry = |place: usize, result: &PlacementResult| {
                    let amount = find(result).map(|hours| Amount::Hours(pick(&hours)));
                    let path = format!("environments.{}.gpu_hours.{path}", environment.id);
                    let target = amount.map(|_| Target::figure(place, path));
                    Entry { amount, none: "not used", target, of: String::new() }
                };
                lines.push(under(&environment.name, self.line(RowKind::Part, name, entry)));
            }
        }
        const UNMET: &str = "Unmet share of demand";
        let head = self.line(RowKind::Family, UNMET, |_, _| Entry::default());
        lines.push(under(UNMET, Line { entries: Vec::new(), ..head }));
        for class in &self.snapshot.scenario.workloads {
            let entry = |place: usize, result: &PlacementResult| {
                let found = result.workloads.iter().find(|workload| workload.id == class.id);
                let path = format!("workloads.{}.unmet_share", class.id);
                Entry {
                    amount: Some(Amount::Share(found.map_or(Num::ONE, |found| found.unmet_share))),
                    none: "",
                    target: found.map(|_| Target::figure(place, path)),
                    of: String::new(),
                }
            };
            lines.push(under(UNMET, self.line(RowKind::Part, &*class.name, entry)));
        }
        lines
    }

    fn exposures(&self) -> Vec<Line> {
        let figure = |kind, name: &str, path: String, get: &dyn Fn(&PlacementResult) -> Option<Money>| {
            self.line(kind, name, |place, result| {
                let amount = get(result).map(Amount::Money);
                let target = amount.map(|_| Target::figure(place, path.clone()));
                Entry { amount, none: "", target, of: String::new() }
            })
        };
        let mut lines = vec![
            figure(RowKind::Plain, "Delay", "exposures.delay_cost".to_owned(), &|r| Some(r.exposures.delay_cost)),
            figure(RowKind::Plain, "Idle commitment", "exposures.idle_commitment".to_owned(), &|r| {
                Some(r.exposures.idle_commitment)
            }),
        ];
        type Series = (&'static str, &'static str, fn(&PlacementResult) -> &[Money]);
        let series: [Series; 2] = [
            ("Cash to leave", "cash_to_leave", |result| &result.exposures.cash_to_leave),
            ("Write-off on leaving", "write_off", |result| &result.exposures.write_off),
        ];
        for (name, path, pick) in series {
            let head = self.line(RowKind::Family, name, |_, _| Entry::default());
            lines.push(under(name, Line { entries: Vec::new(), ..head }));
            for month in self.ends_of_years() {
                let path = format!("exposures.{path}.{month}");
                let get = |result: &PlacementResult| pick(result).get(month as usize).copied();
                lines.push(under(name, figure(RowKind::Part, &self.after(month), path, &get)));
            }
        }
        lines
    }

    /// The last months of the years of the horizon.
    fn ends_of_years(&self) -> Vec<u32> {
        let horizon = self.snapshot.evaluation.horizon_months;
        let mut ends: Vec<u32> = (1..=horizon / 12).map(|year| year * 12 - 1).collect();
        if !horizon.is_multiple_of(12) {
            ends.push(horizon.saturating_sub(1));
        }
        ends
    }

    fn after(&self, month: u32) -> String {
        match Month::parse(&self.snapshot.scenario.start) {
            Some(start) => format!("after month {month}, {}", start.plus(month)),
            None => format!("after month {month}"),
        }
    }
}

fn under(family: &str, line: Line) -> Line {
    Line { family: Some(family.to_owned()), ..line }
}

/// Where a category stands in the stack, and so among the colours.
fn stack_place(category: Category) -> Option<usize> {
    compare::stacked().position(|stacked| stacked == category)
}
