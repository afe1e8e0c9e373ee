//! Every posting of a scenario by what it can be asked for: filtered, ordered, grouped and crossed, with exact sums.
//!
//! What postings are asked by is declared once, in `dimensions!`; commands and controls walk that declaration. Nothing
//! here knows how an amount came about, or how it is shown.

use std::collections::BTreeMap;

use super::explain::{FiscalYear, Measure};
use crate::engine::{Amounts, Behaviour, Evaluation, Line, Posting, PostingTiming};
use crate::quantity::Money;
use crate::scenario::calendar::Month;
use crate::scenario::{Boundary, Category, Problem, Scenario, problem};

macro_rules! dimensions {
    ($( $(#[doc = $about:literal])+ $Variant:ident, $name:literal, $label:literal, $values:expr, $key:expr; )*) => {
        /// What postings can be filtered, grouped and crossed by.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Dimension { $( $(#[doc = $about])+ $Variant, )* }

        impl Dimension {
            /// Every dimension, in the order of its declaration.
            pub const ALL: &'static [Self] = &[$(Self::$Variant),*];

            /// The name in commands and files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$Variant => $name, )* }
            }

            /// What people read.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self { $( Self::$Variant => $label, )* }
            }

            /// Its values, in the order in which they are shown.
            fn values(self, source: &Source<'_>) -> Vec<Value> {
                match self { $( Self::$Variant => { let values: fn(&Source<'_>) -> Vec<Value> = $values; values(source) } )* }
            }

            /// The value of a posting, by its place among them.
            fn key(self, source: &Source<'_>, at: &At<'_>) -> usize {
                match self { $( Self::$Variant => { let key: fn(&Source<'_>, &At<'_>) -> usize = $key; key(source, at) } )* }
            }
        }
    };
}

// Each line: name, label, the values in order, and how a posting's value is read as a place among them.
dimensions! {
    /// In the order of the file.
    Placement, "placement", "Placement", placements, |_, at| at.placement;
    /// In the order of the file; what no environment bears comes last.
    Environment, "environment", "Environment", environments,
        |source, at| source.environment(at.line);
    /// In the order of their environments, and within one in the order of the ledger.
    Line, "line", "Line", |source| source.lines.clone(), |source, at| source.line_keys[at.placement][at.posting.line as usize];
    /// In the order of their declaration.
    Category, "category", "Category",
        |_| Category::ALL.iter().map(|one| Value::new(one.name(), one.label())).collect(), |_, at| at.line.category as usize;
    /// Fixed, or driven by use.
    Behaviour, "behaviour", "Behaviour",
        |_| Behaviour::ALL.iter().map(|one| Value::new(one.name(), one.label())).collect(), |_, at| at.posting.behaviour as usize;
    /// Inside a provider's invoice, or with the customer.
    Boundary, "boundary", "Boundary",
        |_| Boundary::ALL.iter().map(|one| Value::new(one.name(), one.label())).collect(), |_, at| at.line.boundary as usize;
    /// When in its month an amount is due.
    Timing, "timing", "Timing",
        |_| PostingTiming::ALL.iter().map(|one| Value::new(one.name(), one.name())).collect(), |_, at| at.posting.timing as usize;
    /// Capital or operating expenditure.
    Spending, "spending", "Spending",
        |_| vec![Value::new("Capital", "Capital"), Value::new("Operating", "Operating")], |_, at| usize::from(!at.line.capital);
    /// Called after the calendar years that it touches.
    FiscalYear, "fiscal_year", "Fiscal year", fiscal_years, |source, at| source.fiscal_year(at.posting.month);
    /// Twelve months from month 0, and so on.
    HorizonYear, "year", "Year of horizon", horizon_years, |_, at| at.posting.month as usize / 12;
    /// Called by its number in files, and by the calendar where it is read.
    Month, "month", "Month", months, |_, at| at.posting.month as usize;
}

const DIMENSIONS: usize = Dimension::ALL.len();

impl Dimension {
    /// The dimension of this name.
    ///
    /// # Errors
    /// A sentence that says which there are.
    pub fn named(name: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().copied().find(|dimension| loose(dimension.name()) == loose(name));
        found.ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|dimension| dimension.name()).collect();
            format!("postings have no {name:?}; they have {}", known.join(", "))
        })
    }
}

/// One value of a dimension.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Value {
    /// The name in commands and files.
    pub name: String,
    /// What people read.
    pub label: String,
}

impl Value {
    fn new(name: impl Into<String>, label: impl Into<String>) -> Self {
        let (name, label) = (name.into(), label.into());
        let label = if label.trim().is_empty() { name.clone() } else { label };
        Self { name, label }
    }

    /// A text that stands for this value even where another one has the same name and a third the same label.
    fn in_full(&self) -> String {
        format!("{} ({})", self.name, self.label)
    }

    fn is(&self, text: &str) -> bool {
        let is_in_full = || text.starts_with(&self.name) && text.ends_with(')') && self.in_full() == text;
        self.name == text || self.label == text || is_in_full()
    }
}

/// The shortest text that stands for each of these values alone.
fn choices(values: &[Value]) -> Vec<String> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for value in values {
        *uses.entry(&value.name).or_default() += 1;
        if value.label != value.name {
            *uses.entry(&value.label).or_default() += 1;
        }
    }
    let choice = |value: &Value| {
        let alone = [&value.name, &value.label].into_iter().find(|text| uses.get(text.as_str()) == Some(&1));
        alone.cloned().unwrap_or_else(|| value.in_full())
    };
    values.iter().map(choice).collect()
}

/// A name without case and marks: `usage-driven`, `usage_driven` and `UsageDriven` are the same.
fn loose(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What the dimensions read from.
struct Source<'a> {
    scenario: &'a Scenario,
    evaluation: &'a Evaluation,
    /// The calendar month of month 0.
    start: Option<Month>,
    /// Every line that has a place in a ledger, once.
    lines: Vec<Value>,
    /// The place in `lines` of each line of each placement's ledger.
    line_keys: Vec<Vec<usize>>,
}

/// A posting and where it stands.
struct At<'a> {
    placement: usize,
    line: &'a Line,
    posting: &'a Posting,
}

impl<'a> Source<'a> {
    /// What all but the lines are read from.
    fn of(scenario: &'a Scenario, evaluation: &'a Evaluation) -> Self {
        let start = Month::parse(&scenario.start);
        Self { scenario, evaluation, start, lines: Vec::new(), line_keys: Vec::new() }
    }

    fn new(scenario: &'a Scenario, evaluation: &'a Evaluation) -> Self {
        let mut source = Self::of(scenario, evaluation);
        source.line_keys = evaluation.placements.iter().map(|result| vec![0; result.ledger.lines.len()]).collect();
        let mut stands: Vec<(usize, usize, usize)> = Vec::new();
        for (placement, result) in evaluation.placements.iter().enumerate() {
            let lines = result.ledger.lines.iter().enumerate();
            stands.extend(lines.map(|(place, line)| (source.environment(line), placement, place)));
        }
        stands.sort_unstable();
        // An id that has several labels is several lines: the same name is used differently in different environments.
        let mut known: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (_, placement, place) in stands {
            let line = &evaluation.placements[placement].ledger.lines[place];
            let next = known.len();
            let key = *known.entry((&line.id, &line.label)).or_insert(next);
            if key == source.lines.len() {
                source.lines.push(Value::new(&line.id, &line.label));
            }
            source.line_keys[placement][place] = key;
        }
        source
    }

    /// The place of a line's environment; after all of them where it has none.
    fn environment(&self, line: &Line) -> usize {
        let environments = &self.scenario.environments;
        let place = line.environment.as_deref().and_then(|id| environments.iter().position(|known| known.id == id));
        place.unwrap_or(environments.len())
    }

    /// Fiscal years since that of month 0.
    fn fiscal_year(&self, month: u32) -> usize {
        self.year_of_start(month).saturating_sub(self.year_of_start(0)) as usize
    }

    /// The calendar year in which the fiscal year of a month starts.
    fn year_of_start(&self, month: u32) -> u32 {
        let calendar = self.start.unwrap_or(Month { year: 1, month: 1 }).plus(month);
        calendar.year - u32::from(calendar.month < self.scenario.fiscal_year_starts)
    }

    fn last_month(&self) -> u32 {
        self.evaluation.horizon_months.saturating_sub(1)
    }
}

fn placements(source: &Source<'_>) -> Vec<Value> {
    source.evaluation.placements.iter().map(|result| Value::new(&result.id, &result.name)).collect()
}

fn environments(source: &Source<'_>) -> Vec<Value> {
    let stated = source.scenario.environments.iter().map(|environment| Value::new(&environment.id, &environment.name));
    stated.chain([Value::new("none", "No environment")]).collect()
}

fn fiscal_years(source: &Source<'_>) -> Vec<Value> {
    let name = |place: usize| {
        let year = source.year_of_start(0) as usize + place;
        let name = match source.scenario.fiscal_year_starts {
            1 => format!("{year:04}"),
            _ => format!("{year:04}/{:02}", (year + 1) % 100),
        };
        Value::new(name.clone(), name)
    };
    (0..=source.fiscal_year(source.last_month())).map(name).collect()
}

/// The fiscal years of the horizon, in order: the values of their dimension, with the months of each.
#[must_use]
pub fn fiscal_year_months(scenario: &Scenario, evaluation: &Evaluation) -> Vec<FiscalYear> {
    let source = Source::of(scenario, evaluation);
    let months = |year: usize| {
        let inside = (0..evaluation.horizon_months).filter(|month| source.fiscal_year(*month) == year);
        inside.fold((u32::MAX, 0), |(first, end), month| (first.min(month), end.max(month + 1)))
    };
    let named = fiscal_years(&source).into_iter().enumerate();
    named.map(|(year, value)| FiscalYear { name: value.name, months: months(year) }).collect()
}

fn horizon_years(source: &Source<'_>) -> Vec<Value> {
    (1..=source.last_month() / 12 + 1).map(|year| Value::new(year.to_string(), format!("Year {year}"))).collect()
}

fn months(source: &Source<'_>) -> Vec<Value> {
    let label = |month: u32| source.start.map(|start| start.plus(month).to_string()).unwrap_or_default();
    (0..=source.last_month()).map(|month| Value::new(month.to_string(), label(month))).collect()
}

impl Measure {
    pub const ALL: [Self; 2] = [Self::Total, Self::PresentValue];

    /// The name in commands and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::PresentValue => "present_value",
        }
    }

    /// What stands above a column of postings.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Total => "Amount",
            Self::PresentValue => "Present value",
        }
    }

    #[must_use]
    pub const fn of_sum(self, amounts: Amounts) -> Money {
        match self {
            Self::Total => amounts.total,
            Self::PresentValue => amounts.present_value,
        }
    }

    /// # Errors
    /// A sentence that says which there are.
    pub fn named(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|measure| loose(measure.name()) == loose(name))
            .ok_or_else(|| format!("{name:?} is no measure; a posting has a total and a present_value"))
    }
}

/// So many postings and what they come to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sum {
    pub postings: usize,
    pub amounts: Amounts,
}

impl Sum {
    fn add(&mut self, amounts: Amounts) {
        self.postings += 1;
        self.amounts += amounts;
    }
}

/// Which postings are asked for: several values of one dimension are alternatives, different dimensions all hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Names, labels, or both as `name (label)`.
    values: BTreeMap<Dimension, Vec<String>>,
    /// Words that all stand in the label or the id of the line.
    pub search: String,
}

impl Filter {
    /// Lines that have all of these words.
    #[must_use]
    pub fn words(search: &str) -> Self {
        Self { search: search.to_owned(), ..Self::default() }
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.search.trim().is_empty()
    }

    /// The values asked for; all of them where there are none.
    #[must_use]
    pub fn values(&self, dimension: Dimension) -> &[String] {
        self.values.get(&dimension).map_or(&[], Vec::as_slice)
    }

    /// The same filter with one more alternative.
    #[must_use]
    pub fn or(mut self, dimension: Dimension, value: impl Into<String>) -> Self {
        self.values.entry(dimension).or_default().push(value.into());
        self
    }

    /// The same filter with this value of the dimension alone.
    #[must_use]
    pub fn only(mut self, dimension: Dimension, value: impl Into<String>) -> Self {
        self.values.insert(dimension, vec![value.into()]);
        self
    }

    /// Asks for every value of a dimension.
    pub fn clear(&mut self, dimension: Dimension) {
        self.values.remove(&dimension);
    }

    /// Keeps what still means something: values may have left the scenario since they were chosen.
    pub fn keep_known(&mut self, book: &Book) {
        for (dimension, values) in &mut self.values {
            values.retain(|text| !book.keys(*dimension, text).is_empty());
        }
        self.values.retain(|_, values| !values.is_empty());
    }
}

/// What rows are ordered by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    Dimension(Dimension),
    Measure(Measure),
}

/// An order of rows; equal ones stay in the order of the ledger.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order {
    pub by: By,
    pub descending: bool,
}

/// One posting with its value in every dimension.
#[derive(Clone, Debug)]
pub struct Entry {
    pub placement: usize,
    /// Its place in the ledger of the placement.
    pub posting: usize,
    pub amounts: Amounts,
    keys: [u32; DIMENSIONS],
}

impl Entry {
    /// The place of its value among those of a dimension.
    #[must_use]
    pub fn key(&self, dimension: Dimension) -> usize {
        self.keys[dimension as usize] as usize
    }
}

/// Every posting of an evaluation with its values; made once, asked many times. Rows are places in it.
#[derive(Clone, Debug)]
pub struct Book {
    /// Placement by placement, in the order of their ledgers.
    entries: Vec<Entry>,
    /// By dimension.
    values: Vec<Vec<Value>>,
    /// The text that stands for each value alone, by dimension.
    choices: Vec<Vec<String>>,
}

impl Book {
    #[must_use]
    pub fn new(scenario: &Scenario, evaluation: &Evaluation) -> Self {
        let source = Source::new(scenario, evaluation);
        let mut entries = Vec::with_capacity(evaluation.placements.iter().map(|p| p.ledger.postings.len()).sum());
        for (placement, result) in evaluation.placements.iter().enumerate() {
            for (place, posting) in result.ledger.postings.iter().enumerate() {
                let at = At { placement, line: &result.ledger.lines[posting.line as usize], posting };
                let mut keys = [0; DIMENSIONS];
                for (key, dimension) in keys.iter_mut().zip(Dimension::ALL) {
                    *key = u32::try_from(dimension.key(&source, &at)).unwrap_or(u32::MAX);
                }
                let amounts = Amounts { total: posting.amount, present_value: posting.present_value };
                entries.push(Entry { placement, posting: place, amounts, keys });
            }
        }
        let values: Vec<Vec<Value>> = Dimension::ALL.iter().map(|dimension| dimension.values(&source)).collect();
        let choices = values.iter().map(|values| choices(values)).collect();
        Self { entries, values, choices }
    }

    /// The posting of a row.
    #[must_use]
    pub fn entry(&self, row: u32) -> &Entry {
        &self.entries[row as usize]
    }

    /// Every value of a dimension, in its order.
    #[must_use]
    pub fn values(&self, dimension: Dimension) -> &[Value] {
        &self.values[dimension as usize]
    }

    /// What a value is called.
    #[must_use]
    pub fn label(&self, dimension: Dimension, key: usize) -> &str {
        self.values(dimension).get(key).map_or("", |value| value.label.as_str())
    }

    /// The shortest text that a filter understands as this value alone.
    #[must_use]
    pub fn choice(&self, dimension: Dimension, key: usize) -> &str {
        self.choices[dimension as usize].get(key).map_or("", String::as_str)
    }

    /// The values that a text means: by name or label as written, or else without case and marks.
    #[must_use]
    pub fn keys(&self, dimension: Dimension, text: &str) -> Vec<usize> {
        let values = self.values(dimension);
        let such = |is: &dyn Fn(&Value) -> bool| -> Vec<usize> {
            values.iter().enumerate().filter(|(_, value)| is(value)).map(|(key, _)| key).collect()
        };
        let exact = such(&|value| value.is(text));
        if !exact.is_empty() || loose(text).is_empty() {
            return exact;
        }
        such(&|value| loose(&value.name) == loose(text) || loose(&value.label) == loose(text))
    }

    /// The rows that pass a filter, in the order of the ledger.
    ///
    /// # Errors
    /// Names the first value that its dimension does not have, and those that it has.
    pub fn matching(&self, filter: &Filter) -> Result<Vec<u32>, Problem> {
        let mut tests: Vec<(Dimension, Vec<bool>)> = Vec::new();
        for (&dimension, texts) in &filter.values {
            let mut passes = vec![false; self.values(dimension).len()];
            for text in texts {
                let keys = self.keys(dimension, text);
                if keys.is_empty() {
                    let known: Vec<&str> = self.values(dimension).iter().map(|value| value.name.as_str()).collect();
                    return Err(problem::no_such_value(dimension.name(), text, &known));
                }
                keys.into_iter().for_each(|key| passes[key] = true);
            }
            tests.push((dimension, passes));
        }
        let words: Vec<String> = filter.search.split_whitespace().map(str::to_lowercase).collect();
        if !words.is_empty() {
            let passes = self.values(Dimension::Line).iter().map(|line| {
                let text = format!("{} {}", line.label, line.name).to_lowercase();
                words.iter().all(|word| text.contains(word))
            });
            tests.push((Dimension::Line, passes.collect()));
        }
        let passes = |entry: &Entry| tests.iter().all(|(dimension, passes)| passes[entry.key(*dimension)]);
        let rows = self.entries.iter().enumerate().filter(|(_, entry)| passes(entry));
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a ledger of four thousand million postings fits no memory"
        )]
        let rows = rows.map(|(row, _)| row as u32).collect();
        Ok(rows)
    }

    /// Puts rows in an order.
    pub fn sort(&self, rows: &mut [u32], order: Order) {
        let compare = |a: &u32, b: &u32| {
            let (a, b) = (self.entry(*a), self.entry(*b));
            let ascending = match order.by {
                By::Dimension(dimension) => a.key(dimension).cmp(&b.key(dimension)),
                By::Measure(measure) => measure.of_sum(a.amounts).cmp(&measure.of_sum(b.amounts)),
            };
            if order.descending { ascending.reverse() } else { ascending }
        };
        rows.sort_by(compare);
    }

    /// What rows come to.
    pub fn sum(&self, rows: impl IntoIterator<Item = u32>) -> Sum {
        let mut sum = Sum::default();
        rows.into_iter().for_each(|row| sum.add(self.entry(row).amounts));
        sum
    }

    /// Rows in groups by one dimension after the other, each with its subtotal.
    #[must_use]
    pub fn grouped(&self, rows: &[u32], by: &[Dimension]) -> Grouped {
        let mut rows = rows.to_vec();
        rows.sort_by(|a, b| self.place(*a, by).cmp(self.place(*b, by)));
        Grouped { by: by.to_vec(), groups: self.groups(&rows, by), sum: self.sum(rows) }
    }

    fn place<'s>(&'s self, row: u32, by: &'s [Dimension]) -> impl Iterator<Item = usize> + 's {
        let entry = self.entry(row);
        by.iter().map(|dimension| entry.key(*dimension))
    }

    fn groups(&self, sorted: &[u32], by: &[Dimension]) -> Vec<Group> {
        let Some((&first, others)) = by.split_first() else { return Vec::new() };
        let same = |a: &u32, b: &u32| self.entry(*a).key(first) == self.entry(*b).key(first);
        let group = |rows: &[u32]| Group {
            key: self.entry(rows[0]).key(first),
            sum: self.sum(rows.iter().copied()),
            inner: self.groups(rows, others),
        };
        sorted.chunk_by(same).map(group).collect()
    }

    /// Rows crossed: one or more dimensions down, one across, with totals on both sides.
    #[must_use]
    pub fn pivot(&self, rows: &[u32], down: &[Dimension], across: Dimension) -> Pivot {
        let mut columns: Vec<usize> = rows.iter().map(|row| self.entry(*row).key(across)).collect();
        columns.sort_unstable();
        columns.dedup();
        let mut lines: BTreeMap<Vec<usize>, PivotLine> = BTreeMap::new();
        let mut totals = vec![Sum::default(); columns.len()];
        let mut sum = Sum::default();
        for &row in rows {
            let entry = self.entry(row);
            let keys: Vec<usize> = self.place(row, down).collect();
            let line = lines.entry(keys).or_insert_with_key(|keys| PivotLine {
                keys: keys.clone(),
                cells: vec![None; columns.len()],
                total: Sum::default(),
            });
            // The columns were taken from these very rows.
            let Ok(column) = columns.binary_search(&entry.key(across)) else { continue };
            line.cells[column].get_or_insert_default().add(entry.amounts);
            line.total.add(entry.amounts);
            totals[column].add(entry.amounts);
            sum.add(entry.amounts);
        }
        Pivot { down: down.to_vec(), across, columns, lines: lines.into_values().collect(), totals, sum }
    }
}

/// Postings in groups.
#[derive(Clone, PartialEq, Debug)]
pub struct Grouped {
    pub by: Vec<Dimension>,
    pub groups: Vec<Group>,
    pub sum: Sum,
}

/// Postings with the same value in one dimension.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// The value, by its place in the dimension.
    pub key: usize,
    pub sum: Sum,
    /// By the next dimension.
    pub inner: Vec<Group>,
}

/// Postings crossed.
#[derive(Clone, PartialEq, Debug)]
pub struct Pivot {
    pub down: Vec<Dimension>,
    pub across: Dimension,
    /// The values across that have postings.
    pub columns: Vec<usize>,
    pub lines: Vec<PivotLine>,
    /// By column.
    pub totals: Vec<Sum>,
    pub sum: Sum,
}

/// The postings with the same values down.
#[derive(Clone, PartialEq, Debug)]
pub struct PivotLine {
    /// By dimension down.
    pub keys: Vec<usize>,
    /// By column; none where there is no posting, which is not zero.
    pub cells: Vec<Option<Sum>>,
    pub total: Sum,
}
