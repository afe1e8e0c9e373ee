//! The page of the method: every formula in words, with its unit, its source and one example with numbers.
//!
//! The prose stands in `method_page.md`; every formula and number is read off evaluations that are handed in.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::analysis::explain::{Explainer, Expression, Formula, Measure, Sign, Subject as Asked, figures};
use crate::engine::{Behaviour, Failure, PostingTiming};
use crate::input::{Field, Kind, Types};
use crate::quantity::Num;
use crate::quantity::trace::Name;
use crate::scenario::{InputRef, Scenario};
use crate::show::Figures;

use super::{Phrasing, Wording};

const TEMPLATE: &str = include_str!("method_page.md");

/// More ways in which one thing is computed than this are not shown.
const FORMS_MAX: usize = 3;

/// Longer formulas are shortened, visibly: they are many of a kind.
const CHARS_MAX: usize = 480;

/// One placement of a scenario that formulas and numbers are read off.
pub struct Source {
    file: String,
    placement: String,
    currency: String,
    is_example: bool,
    explainer: Explainer,
}

impl Source {
    /// Evaluates a placement, by its place in the scenario. What can be shown from an example is shown from there, so that
    /// a reader can open it.
    ///
    /// # Errors
    /// As the evaluation itself.
    pub fn new(file: &str, scenario: &Scenario, place: usize, is_example: bool) -> Result<Self, Failure> {
        Ok(Self {
            file: file.to_owned(),
            placement: scenario.placements.get(place).map_or_else(String::new, |of| of.id.clone()),
            currency: scenario.currency.clone(),
            is_example,
            explainer: Explainer::new(scenario, place)?,
        })
    }
}

/// The page with what it ought to say and does not.
pub struct MethodPage {
    pub text: String,
    /// What was computed but has no place on the page, and what the page asks for that no source computes.
    pub missing: Vec<String>,
}

/// What a formula is of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Subject {
    /// The amounts of the lines that one rule generates.
    Rule(&'static str, Behaviour),
    PresentValue(PostingTiming),
    /// A figure of the result, by its path with ids left open.
    Figure(String),
    Quantity(&'static str),
}

/// One way in which something is computed, with the example that shows it best.
struct Form {
    /// The names that stand in it.
    leaves: BTreeSet<String>,
    /// The quantities among them, from left to right.
    quantities: Vec<&'static str>,
    times_met: usize,
    rank: Rank,
    wording: Wording,
    unit: &'static str,
    /// Where its money is counted.
    currency: String,
    place: String,
}

/// How badly an example shows a form; the least is shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    no_example: bool,
    is_zero: bool,
    zeros: usize,
    /// Where a sum runs over several of a kind, it shows that.
    single: bool,
    length: usize,
}

/// A rule, as the ledgers name it.
struct RuleHead {
    source: &'static str,
    label: String,
}

#[derive(Default)]
struct Gathered {
    forms: BTreeMap<Subject, BTreeMap<String, Form>>,
    rules: Vec<(&'static str, RuleHead)>,
    labels: BTreeMap<String, String>,
    /// Figures that are nothing but sums of postings, in the order of the result.
    sums: Vec<String>,
}

/// Writes the page from evaluations: of equals, the first shows.
#[must_use]
pub fn method_page(sources: impl IntoIterator<Item = Source>) -> MethodPage {
    let mut gathered = Gathered::default();
    for source in sources {
        gathered.gather(&source);
    }
    let directives = TEMPLATE.lines().filter_map(|line| line.strip_prefix("{{quantity ")?.strip_suffix("}}"));
    let mut writer = Writer {
        gathered: &gathered,
        reserved: directives.collect(),
        placed: BTreeSet::new(),
        text: String::new(),
        missing: Vec::new(),
    };
    for line in TEMPLATE.lines() {
        match line.strip_prefix("{{").and_then(|line| line.strip_suffix("}}")) {
            Some(directive) => writer.follow(directive),
            // What a directive writes ends with an empty line.
            None if line.is_empty() && writer.text.ends_with("\n\n") => {}
            None => {
                writer.text.push_str(line);
                writer.text.push('\n');
            }
        }
    }
    let unplaced = gathered.forms.keys().filter(|subject| !writer.placed.contains(*subject));
    let unplaced = unplaced.map(|subject| format!("no place for {subject:?}"));
    let missing = writer.missing.into_iter().chain(unplaced).collect();
    MethodPage { text: writer.text, missing }
}

impl Gathered {
    fn gather(&mut self, source: &Source) {
        let Source { explainer, .. } = source;
        let ledger = &explainer.result().ledger;
        let inputs: Vec<InputRef> = explainer.inputs().iter().map(without_names).collect();
        let phrasing = Phrasing { inputs: &inputs, ledger, figures: Figures::default() };
        let mut open = Vec::new();
        for (place, posting) in ledger.postings.iter().enumerate() {
            let line = &ledger.lines[posting.line as usize];
            if self.rules.iter().all(|(id, _)| *id != line.rule.id) {
                let head = RuleHead { source: line.rule.source, label: line.label.clone() };
                self.rules.push((line.rule.id, head));
            }
            let month = Figures::default().number(posting.month.into());
            let of = format!("{}, month {month}", line.label);
            for (subject, measure) in [
                (Subject::Rule(line.rule.id, posting.behaviour), Measure::Total),
                (Subject::PresentValue(posting.timing), Measure::PresentValue),
            ] {
                if let Some(formula) = explainer.posting(place, measure) {
                    open.push((subject, of.clone(), "money", formula));
                }
            }
        }
        for figure in figures(explainer.result()) {
            let pattern = pattern(&figure.path);
            let Some(explanation) = explainer.explain(&Asked::Figure(figure.path.clone())) else { continue };
            self.labels.entry(pattern.clone()).or_insert_with(|| general(&figure.label));
            match explanation.formula {
                // It is a quantity, and is shown as that.
                Some(Formula { name: Some(name), value, expression, because }) => {
                    let formula = Formula { name: None, value, expression, because };
                    open.push((Subject::Quantity(name.label), figure.path, name.unit, formula));
                }
                Some(formula) => open.push((Subject::Figure(pattern), figure.path, figure.unit, formula)),
                None if explanation.lines.is_empty() => {}
                None => {
                    if !self.sums.contains(&pattern) {
                        self.sums.push(pattern);
                    }
                }
            }
        }
        // Each number that has a name is looked at once, from the outermost in.
        let mut seen = HashSet::new();
        while let Some((subject, of, unit, formula)) = open.pop() {
            for expression in [&formula.expression].into_iter().chain(&formula.because) {
                expression.each_named(&mut |name: &Name, number: Num| {
                    if explainer.place(number).is_none_or(|place| seen.insert(place)) {
                        let of = phrasing.name(name);
                        open.push((Subject::Quantity(name.label), of, name.unit, explainer.formula(number)));
                    }
                });
            }
            self.add(subject, &of, unit, &formula, source, &phrasing);
        }
    }

    fn add(
        &mut self,
        subject: Subject,
        of: &str,
        unit: &'static str,
        formula: &Formula,
        source: &Source,
        phrasing: &Phrasing,
    ) {
        let mut outline = Outline::default();
        let key = outline.of(&formula.expression, phrasing.inputs);
        let rank = Rank {
            no_example: !source.is_example,
            is_zero: formula.value.is_zero(),
            zeros: outline.zeros,
            single: !outline.has_many,
            length: outline.length,
        };
        let forms = self.forms.entry(subject).or_default();
        if let Some(known) = forms.get_mut(&key) {
            known.times_met += 1;
            if known.rank <= rank {
                return;
            }
        }
        let times_met = forms.get(&key).map_or(1, |known| known.times_met);
        let mut quantities = Vec::new();
        for expression in [&formula.expression].into_iter().chain(&formula.because) {
            expression.each_named(&mut |name, _| quantities.push(name.label));
        }
        quantities.dedup();
        let form = Form {
            leaves: outline.leaves,
            quantities,
            times_met,
            rank,
            wording: phrasing.wording(formula),
            unit,
            currency: source.currency.clone(),
            place: format!("`{}`, placement `{}`: {of}", source.file, source.placement),
        };
        forms.insert(key, form);
    }

    /// The ways in which something is computed, the most frequent first. One that rests on less than another is a special
    /// case of it, and is not shown; what does not fit is shown only where nothing else does.
    fn shown(&self, subject: &Subject) -> Vec<&Form> {
        let Some(forms) = self.forms.get(subject) else { return Vec::new() };
        let mut open: Vec<&Form> = forms.values().filter(|form| form.fits()).collect();
        if open.is_empty() {
            let length = |form: &Form| form.wording.words.chars().count();
            let shortest = forms.values().min_by_key(|form| (form.rank.is_zero, form.rank.no_example, length(form)));
            return shortest.into_iter().collect();
        }
        let is_special = |form: &Form| {
            open.iter().any(|other| form.leaves.len() < other.leaves.len() && form.leaves.is_subset(&other.leaves))
        };
        let special: Vec<bool> = open.iter().map(|form| is_special(form)).collect();
        let mut special = special.into_iter();
        open.retain(|_| !special.next().unwrap_or(false));
        open.sort_by_key(|form| (form.rank.no_example, std::cmp::Reverse(form.times_met)));
        open.truncate(FORMS_MAX);
        open
    }
}

impl Form {
    fn fits(&self) -> bool {
        let Wording { words, numbers, .. } = &self.wording;
        words.chars().count() <= CHARS_MAX && numbers.chars().count() <= CHARS_MAX
    }
}

/// What a formula looks like whatever its numbers, and however many of a kind stand in it.
#[derive(Default)]
struct Outline {
    leaves: BTreeSet<String>,
    zeros: usize,
    has_many: bool,
    length: usize,
}

impl Outline {
    fn of(&mut self, expression: &Expression, inputs: &[InputRef]) -> String {
        match expression {
            Expression::Constant(_) => {
                self.length += 1;
                "#".into()
            }
            Expression::Input(place, number) => {
                let label = inputs.get(*place).map_or("", |input| input.label.as_str());
                self.leaf(without_digits(label), *number)
            }
            Expression::Named(name, number) => self.leaf(name.label.to_owned(), *number),
            Expression::Posting(_, _, number) => self.leaf("posting".into(), *number),
            Expression::Sum(terms) => self.many(" + ", terms, inputs, |_| true),
            Expression::Product(factors) => {
                self.many(" × ", factors, inputs, |part| !matches!(part, Expression::Constant(_)))
            }
            Expression::Least(all) | Expression::Greatest(all) => {
                let all: Vec<(Sign, &Expression)> = all.iter().map(|part| (Sign::With, part)).collect();
                self.kinds(" or ", &all, inputs)
            }
            Expression::Negative(inner) => format!("−{}", self.of(inner, inputs)),
            Expression::RoundedUp(inner)
            | Expression::RoundedDown(inner)
            | Expression::SnappedShare(inner)
            | Expression::Power(inner, _)
            | Expression::Root(inner, _)
            | Expression::Rounded(inner, _)
            | Expression::Posted(inner, _) => self.of(inner, inputs),
            Expression::Part { whole, share, .. } => {
                format!("part {} by {}", self.of(whole, inputs), self.of(share, inputs))
            }
        }
    }

    fn leaf(&mut self, label: String, number: Num) -> String {
        self.length += 1;
        self.zeros += usize::from(number.is_zero());
        self.leaves.insert(label.clone());
        label
    }

    fn many(
        &mut self,
        between: &str,
        parts: &[(Sign, Expression)],
        inputs: &[InputRef],
        counts: impl Fn(&Expression) -> bool,
    ) -> String {
        let parts: Vec<(Sign, &Expression)> =
            parts.iter().filter(|(_, part)| counts(part)).map(|(sign, part)| (*sign, part)).collect();
        self.kinds(between, &parts, inputs)
    }

    fn kinds(&mut self, between: &str, parts: &[(Sign, &Expression)], inputs: &[InputRef]) -> String {
        let mut kinds = BTreeSet::new();
        for (sign, part) in parts {
            let against = if *sign == Sign::Against { "against " } else { "" };
            kinds.insert(format!("{against}{}", self.of(part, inputs)));
        }
        self.has_many |= kinds.len() < parts.len() && parts.len() <= 4;
        match kinds.len() {
            1 => kinds.into_iter().next().unwrap_or_default(),
            _ => format!("({})", kinds.into_iter().collect::<Vec<_>>().join(between)),
        }
    }
}

struct Writer<'a> {
    gathered: &'a Gathered,
    /// Quantities that have a place of their own, and so do not follow the first formula that names them.
    reserved: BTreeSet<&'a str>,
    placed: BTreeSet<Subject>,
    text: String,
    missing: Vec<String>,
}

impl Writer<'_> {
    fn follow(&mut self, directive: &str) {
        let (what, of) = directive.split_once(' ').unwrap_or((directive, ""));
        match what {
            "quantity" => {
                let known = self.gathered.forms.keys().find_map(|subject| match subject {
                    Subject::Quantity(label) if *label == of => Some(*label),
                    _ => None,
                });
                match known {
                    Some(label) => self.quantity(label),
                    None => self.missing.push(format!("no quantity {of}")),
                }
            }
            "figure" => {
                let subject = Subject::Figure(of.to_owned());
                let label = self.gathered.labels.get(of).cloned().unwrap_or_default();
                self.subjects(&format!("{} (`{of}`)", self.named(&label, &subject)), &[subject]);
            }
            "present-value" => {
                for timing in PostingTiming::ALL {
                    let head = format!("**Present value of a posting, {}**", timing.label());
                    self.subjects(&head, &[Subject::PresentValue(*timing)]);
                }
            }
            "drivers" => self.drivers(),
            "rules" => self.rules(of),
            "sums" => {
                let all: Vec<String> = self.gathered.sums.iter().map(|pattern| format!("`{pattern}`")).collect();
                self.text.push_str(&format!("{}.\n", all.join(", ")));
            }
            _ => self.missing.push(format!("no such directive: {directive}")),
        }
    }

    /// Every driver, in the order of its declaration, with what its lines post and what it measures.
    fn drivers(&mut self) {
        let mut types = Types::default();
        Scenario::shape(&mut types);
        let Some(Kind::Variants(drivers)) = types.get("Driver").map(|of| &of.kind) else { return };
        for driver in drivers {
            let id = kebab(driver.name);
            let rule = self.gathered.rules.iter().find(|(known, _)| *known == id);
            match rule {
                Some((id, RuleHead { source, .. })) => {
                    let head = format!(
                        "**{}** (`{}`, rule `{id}`; {source}). {}",
                        driver.label,
                        driver.name,
                        driver.help.trim()
                    );
                    self.rule(&head, id);
                }
                None => self.missing.push(format!("no line with the driver {}", driver.name)),
            }
        }
    }

    /// Every rule of a source, in the order in which the ledgers have them.
    fn rules(&mut self, of: &str) {
        let rules = self.gathered.rules.iter().filter(|(_, head)| head.source == of);
        let heads: Vec<(&'static str, String)> = rules
            .map(|(id, RuleHead { source, label })| (*id, format!("**{label}** (rule `{id}`; {source})")))
            .collect();
        if heads.is_empty() {
            self.missing.push(format!("no rule from {of}"));
        }
        for (id, head) in heads {
            self.rule(&head, id);
        }
    }

    fn rule(&mut self, head: &str, id: &'static str) {
        let both: Vec<Subject> = Behaviour::ALL.iter().map(|behaviour| Subject::Rule(id, *behaviour)).collect();
        self.subjects(head, &both);
    }

    fn quantity(&mut self, label: &'static str) {
        let subject = Subject::Quantity(label);
        self.subjects(&self.named(label, &subject), &[subject]);
    }

    /// A label with the unit of what it names.
    fn named(&self, label: &str, subject: &Subject) -> String {
        match self.gathered.shown(subject).first().map_or("", |form| form.unit) {
            "" => format!("**{label}**"),
            unit => format!("**{label}**, {unit}"),
        }
    }

    /// Some subjects under one head, and then what their formulas name that has no other place.
    fn subjects(&mut self, head: &str, subjects: &[Subject]) {
        let gathered = self.gathered;
        let mut follow = Vec::new();
        let mut is_first = true;
        for subject in subjects {
            let forms = gathered.shown(subject);
            if forms.is_empty() || !self.placed.insert(subject.clone()) {
                continue;
            }
            if is_first {
                self.text.push_str(&format!("{head}\n\n"));
                is_first = false;
            }
            if let (Subject::Rule(_, behaviour), true) =
                (subject, subjects.iter().all(|of| gathered.forms.contains_key(of)))
            {
                self.text.push_str(&format!("{}:\n\n", behaviour.label()));
            }
            for form in forms {
                self.text.push_str(&block(form));
                follow.extend(form.quantities.iter().filter(|label| !self.reserved.contains(**label)));
            }
        }
        if is_first && !subjects.iter().any(|subject| self.placed.contains(subject)) {
            self.missing.push(format!("nothing computes {subjects:?}"));
        }
        for label in follow {
            if !self.placed.contains(&Subject::Quantity(label)) {
                self.quantity(label);
            }
        }
    }
}

/// A formula in words and in numbers, with what it comes to and where that stands.
fn block(form: &Form) -> String {
    let Form { wording: Wording { words, numbers, value, because }, unit, currency, place, .. } = form;
    let mut lines = vec![shortened(words)];
    if numbers != value {
        lines.push(format!("= {}", shortened(numbers)));
    }
    // The head says the unit; which currency it is differs from example to example.
    let currency = if unit.starts_with("money") { format!(" {currency}") } else { String::new() };
    lines.push(format!("= **{value}{currency}**"));
    if !because.is_empty() {
        lines.push(format!("as it depends on {}", shortened(&because.join("; "))));
    }
    lines.push(format!("*From {place}*"));
    format!("> {}\n\n", lines.join("\\\n> "))
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= CHARS_MAX {
        return text.to_owned();
    }
    let kept: String = text.chars().take(CHARS_MAX).collect();
    let kept = kept.rsplit_once(' ').map_or(kept.as_str(), |(kept, _)| kept);
    format!("{kept} … (shortened)")
}

/// The label of an input without the names of the elements around it, which differ from scenario to scenario.
fn without_names(input: &InputRef) -> InputRef {
    let label = match (input.place(), input.trail.first()) {
        // An entry of a map of the scenario itself: `Exchange rate: EUR`.
        (None, Some(entry)) => input.label.replacen(&format!(": {entry}"), "", 1),
        _ => {
            let inner = input.trail.get(1..).unwrap_or_default().join(": ");
            input.label.strip_prefix(&format!("{inner}: ")).unwrap_or(&input.label).to_owned()
        }
    };
    InputRef { label, ..input.clone() }
}

fn without_digits(text: &str) -> String {
    text.chars().filter(|of| !of.is_ascii_digit()).collect()
}

/// The path of a figure with its ids and places left open.
fn pattern(path: &str) -> String {
    let steps: Vec<&str> = path.split('.').collect();
    let open = |(place, step): (usize, &&str)| match place.checked_sub(1).and_then(|before| steps.get(before)) {
        Some(&"environments" | &"workloads") => "<id>".to_owned(),
        Some(&"by_category") => "<category>".to_owned(),
        Some(_) if step.chars().all(|of| of.is_ascii_digit()) => "<n>".to_owned(),
        _ => (*step).to_owned(),
    };
    steps.iter().enumerate().map(open).collect::<Vec<_>>().join(".")
}

/// The label of a figure without whose it is and when.
fn general(label: &str) -> String {
    let label = label.rsplit_once(": ").map_or(label, |(_, own)| own);
    let label = label.split(", month").next().unwrap_or(label).split(", year").next().unwrap_or(label);
    let label = label.split(" after month").next().unwrap_or(label);
    let mut chars = label.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// `ItKwh` → `it-kwh`
fn kebab(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
