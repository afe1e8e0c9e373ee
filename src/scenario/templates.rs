//! What a new environment, workload class or scenario begins as.
//!
//! The templates are a scenario of their own, so that they are checked like any other. Here it is said how one of them
//! is made to fit into a scenario that has other classes, indices and another currency. Nothing here knows a price, or
//! what a category is.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use serde_json::json;

use crate::input::{Confidence, Evidence, EvidenceKind, Input, Map, Range};
use crate::quantity::{Exact, Num};
use crate::scenario::{
    Demand, Environment, FORMAT, GpuService, Hours, Index, Output, Problem, Rate, Scenario, ServicePrice, Supply,
    Syntax, Workload, id, read,
};

/// The templates that ship inside the program, as a scenario.
pub const TEXT: &str = include_str!("../../assets/templates.ron");

/// Environments and workload classes to begin from.
#[derive(Debug)]
pub struct Templates {
    scenario: Scenario,
}

/// A template as it stands in a list to choose from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Template<'t> {
    pub name: &'t str,
    /// The kind of supply of an environment, the class of a workload.
    pub kind: &'static str,
    /// What it is for, in one sentence.
    pub help: &'t str,
}

/// An environment made to fit into one scenario, and what has to come with it.
#[derive(Clone, PartialEq, Debug)]
pub struct NewEnvironment {
    pub environment: Environment,
    /// The indices of its prices that the scenario does not have. One that it has under the same name is followed as it
    /// is there.
    pub indices: Map<Index>,
    /// The currency of its prices, where the scenario has no exchange rate for it yet. No rate is made up: until one is
    /// stated the scenario is refused.
    pub missing_rate: Option<String>,
}

impl NewEnvironment {
    /// Adds the environment and its indices to the scenario it was made for, and the exchange rate where one is missing:
    /// scenario currency for one unit of [`NewEnvironment::missing_rate`].
    pub fn add_to(self, scenario: &mut Scenario, rate: Option<Input>) {
        let Self { environment, indices, missing_rate } = self;
        scenario.environments.push(environment);
        scenario.indices.0.extend(indices.0);
        scenario.fx.0.extend(missing_rate.zip(rate));
    }
}

/// The templates that ship, read once.
#[must_use]
pub fn shipped() -> &'static Templates {
    static SHIPPED: OnceLock<Templates> = OnceLock::new();
    SHIPPED.get_or_init(|| Templates::read(TEXT).expect("the templates that ship are valid; a test reads them"))
}

impl Templates {
    /// Reads a scenario whose environments and workload classes are the templates.
    ///
    /// # Errors
    /// Everything wrong with the text, as [`read`] says.
    pub fn read(text: &str) -> Result<Self, Vec<Problem>> {
        let (scenario, _) = read(text, Syntax::Ron)?;
        Ok(Self { scenario })
    }

    /// The templates of environments, in the order of their list.
    pub fn environments(&self) -> impl Iterator<Item = Template<'_>> {
        self.scenario.environments.iter().map(|environment| Template {
            name: &environment.name,
            kind: environment.supply.label(),
            help: &environment.notes,
        })
    }

    /// The templates of workload classes, in the order of their list.
    pub fn workloads(&self) -> impl Iterator<Item = Template<'_>> {
        self.scenario.workloads.iter().map(|workload| Template {
            name: &workload.name,
            kind: workload.class.label(),
            help: &workload.notes,
        })
    }

    /// The environment at this place of the list, made to fit into a scenario; none where the list is shorter.
    ///
    /// It gets an id and a name of its own. Each class of the scenario runs on it as the template says for that kind of
    /// work, and has a price where output is what is charged. Its prices stay in the currency in which they are stated.
    #[must_use]
    pub fn environment(&self, index: usize, scenario: &Scenario) -> Option<NewEnvironment> {
        let template = self.scenario.environments.get(index)?;
        let others = &scenario.environments;
        let mut environment = template.clone();
        environment.id = id::free_id(&template.id, others.iter().map(|other| other.id.as_str()));
        environment.name = id::free_name(&template.name, others.iter().map(|other| other.name.as_str()));
        environment.performance = self.for_classes(scenario, |class| template.performance.get(&class.id).cloned());
        if let Supply::GpuService(GpuService { price: ServicePrice::PerOutput(prices), .. }) = &mut environment.supply {
            let stated = std::mem::take(prices);
            *prices = Map(scenario.workloads.iter().filter_map(|class| self.priced(class, &stated)).collect());
        }
        let currency = &self.scenario.currency;
        let is_foreign = *currency != scenario.currency;
        environment.currency = is_foreign.then(|| currency.clone());
        let missing_rate = (is_foreign && scenario.fx.get(currency).is_none()).then(|| currency.clone());
        let indices = self.indices(&environment, scenario);
        Some(NewEnvironment { environment, indices, missing_rate })
    }

    /// The workload class at this place of the list with an id and a name of its own; none where the list is shorter.
    #[must_use]
    pub fn workload(&self, index: usize, scenario: &Scenario) -> Option<Workload> {
        let template = self.scenario.workloads.get(index)?;
        let others = &scenario.workloads;
        let mut workload = template.clone();
        workload.id = id::free_id(&template.id, others.iter().map(|other| other.id.as_str()));
        workload.name = id::free_name(&template.name, others.iter().map(|other| other.name.as_str()));
        Some(workload)
    }

    /// What is stated for a class of the templates, given to each class of a scenario that is of the same kind of work.
    fn for_classes<T>(&self, scenario: &Scenario, stated: impl Fn(&Workload) -> Option<T>) -> Map<T> {
        let for_class = |class: &Workload| Some((class.id.clone(), stated(self.alike(class)?)?));
        Map(scenario.workloads.iter().filter_map(for_class).collect())
    }

    fn alike(&self, class: &Workload) -> Option<&Workload> {
        self.scenario.workloads.iter().find(|template| template.class == class.class)
    }

    /// A class of a scenario with the price of its output: the one stated where work and unit are the same, or what the
    /// GPU-hours of one unit cost by the hour. None for a class that says too little.
    fn priced(&self, class: &Workload, stated: &Map<Rate>) -> Option<(String, Rate)> {
        let output = class.output.as_ref()?;
        let has_unit = |template: &&Workload| template.output.as_ref().is_some_and(|other| other.unit == output.unit);
        let same = self.alike(class).filter(has_unit).and_then(|template| stated.get(&template.id).cloned());
        let rate = same.or_else(|| self.by_the_hour(class, output))?;
        Some((class.id.clone(), rate))
    }

    fn by_the_hour(&self, class: &Workload, output: &Output) -> Option<Rate> {
        let hourly = self.scenario.environments.iter().find_map(hourly_price)?;
        let price = gpu_hours(&class.demand, output) * hourly.num();
        // A placeholder, to three digits so that it looks like one; what is charged is computed from what stands here.
        let to_three_digits = |price: Num| {
            Exact::from_decimal(price.decimal()?.round_sf(3)?).ok().filter(|price| Exact::whole(0) < *price)
        };
        let value = to_three_digits(price)?;
        let range =
            Range { low: to_three_digits(price / Num::whole(2))?, high: to_three_digits(price * Num::whole(2))? };
        let source = format!(
            "placeholder: the GPU-hours of one {} at {hourly} a GPU-hour; replace with the price of a provider",
            output.unit
        );
        let mut input = Input::plain(value);
        let detail = input.detail_mut();
        detail.range = Some(range);
        detail.evidence = Some(Evidence {
            kind: EvidenceKind::Assumed,
            source,
            owner: String::new(),
            confidence: Some(Confidence::Low),
            as_of: None,
            review_by: None,
        });
        Some(Rate::Flat(input))
    }

    fn indices(&self, environment: &Environment, scenario: &Scenario) -> Map<Index> {
        let named = indices_of(environment).into_iter().filter(|name| scenario.indices.get(name).is_none());
        Map(named.filter_map(|name| Some((name.to_owned(), self.scenario.indices.get(name)?.clone()))).collect())
    }
}

/// What a GPU-hour costs in an environment that is priced by it.
fn hourly_price(environment: &Environment) -> Option<Exact> {
    let Supply::GpuService(GpuService { price: ServicePrice::PerGpuHour(Rate::Flat(price)), .. }) = &environment.supply
    else {
        return None;
    };
    Some(price.value)
}

/// GPU-hours behind one unit of output, without waits and failures: enough for a placeholder.
fn gpu_hours(demand: &Demand, output: &Output) -> Num {
    let made = |by: &Option<Input>| by.as_ref().map_or(Num::ZERO, Input::num);
    match demand {
        Demand::Runs(runs) => {
            let planned = runs.gpus_per_run.num();
            let hours = match &runs.hours {
                Hours::Mean(hours) => planned * hours.num(),
                Hours::Distribution(parts) => {
                    planned * parts.iter().map(|part| part.share.num() * part.hours.num()).sum::<Num>()
                }
                Hours::Scaling(scaling) => scaling.reference_gpus.num() * scaling.reference_hours.num(),
            };
            hours / made(&output.per_run)
        }
        Demand::Service(service) => {
            let an_hour = service.requests_per_second_per_replica.num() * Num::whole(3600);
            service.gpus_per_replica.num() / (an_hour * made(&output.per_request))
        }
    }
}

/// The names of the indices that an environment follows.
fn indices_of(environment: &Environment) -> BTreeSet<&str> {
    let price = match &environment.supply {
        Supply::Dedicated(dedicated) => &dedicated.node.price_index,
        Supply::BareMetal(metal) => &metal.price_index,
        Supply::Cloud(cloud) => &cloud.price_index,
        Supply::GpuService(service) => &service.price_index,
    };
    let lines = environment.costs.iter().map(|line| &line.index);
    lines.chain([price]).flatten().map(String::as_str).collect()
}

/// A scenario without work, environments and placements, everything else at its default. It is valid where currency,
/// month and horizon are. `start` is year-month, `rate` the yearly discount rate.
#[must_use]
pub fn blank(name: &str, currency: &str, start: &str, horizon_months: u32, rate: Exact) -> Scenario {
    let stated = json!({
        "format": FORMAT,
        "name": name,
        "currency": currency,
        "start": start,
        "horizon_months": horizon_months,
        "discounting": { "rate": rate },
        "workloads": [],
        "environments": [],
        "placements": [],
    });
    serde_json::from_value(stated).expect("every required field stands here with its type; a test reads it")
}
