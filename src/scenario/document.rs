//! The document: everything a person can state, in the order of the file, each field declared once.
//!
//! Nothing here knows whether a scenario is valid, how it is read, or what it costs.

use crate::input::{
    Bounds, Decl, Field, Input, Map, Shape as FieldShape, Types, Unit, Visitor, VisitorMut, choice, record, variants,
};
use crate::quantity::Exact;

/// The format that this program reads and writes.
pub const FORMAT: u32 = 1;

record! {
    /// One file is one scenario: everything needed to recompute every figure.
    pub struct Scenario {
        /// The version of the file format.
        format: u32 => "Format";
        /// What the scenario is called.
        name: String => "Name";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
        /// The currency of every figure, by its ISO 4217 code.
        currency: String => "Currency", Unit::Currency, Bounds::ANY;
        /// The calendar month of month 0, the decision date, as year-month.
        start: String => "Start", Unit::Month, Bounds::ANY;
        /// Months over which costs are counted, 1 to 600.
        horizon_months: u32 => "Horizon", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// How amounts of different months are made comparable.
        discounting: Discounting => "Discounting";
        /// Yearly rise of prices in general; turns a real discount rate into a nominal one.
        inflation: Input = Input::of("0") => "Inflation", Unit::PerYear, Bounds::ABOVE_MINUS_ONE, "0";
        /// Tax for the after-tax view, which is off without it.
        tax: Option<Tax> = None => "Tax";
        /// Scenario currency for one unit of each foreign currency.
        fx: Map<Input> = Map::default() => "Exchange rate", Unit::Exchange, Bounds::POSITIVE;
        /// The date of the exchange rates, as year-month-day.
        fx_date: Option<String> = None => "Exchange rate date", Unit::Date, Bounds::ANY;
        /// How prices rise or fall year by year, by name.
        indices: Map<Index> = Map::default() => "Index", Unit::PerYear, Bounds::ABOVE_MINUS_ONE;
        /// The figure that decides what is called cheapest.
        decision_figure: DecisionFigure = DecisionFigure::default() => "Decision figure";
        /// The calendar month in which a fiscal year starts.
        fiscal_year_starts: u32 = 1 => "Fiscal year starts", Unit::Of("calendar month"), Bounds::CALENDAR_MONTH;
        /// The range, as a share of the value either way, of inputs without one; left out, they are held fixed.
        default_range: Option<Input> = None => "Range of inputs without one", Unit::Share, Bounds::SHARE;
        /// The classes of work, by behaviour.
        workloads: Vec<Workload> => "Workload classes";
        /// The places where work can run.
        environments: Vec<Environment> => "Environments";
        /// The alternatives: each a complete way of serving the portfolio.
        placements: Vec<Placement> => "Placements";
        /// Inputs that move together in analyses.
        groups: Vec<Group> = Vec::new() => "Groups";
        /// Paths of inputs pinned for live work, in order.
        levers: Vec<String> = Vec::new() => "Levers", Unit::PathOfInput, Bounds::ANY;
        /// Named sets of other values.
        cases: Vec<Case> = Vec::new() => "Cases";
        /// The governance record.
        decision: Decision = Decision::default() => "Decision";
    }
}

record! {
    /// How amounts of different months are made comparable.
    pub struct Discounting {
        /// The yearly discount rate.
        rate: Input => "Discount rate", Unit::PerYear, Bounds::ABOVE_MINUS_ONE;
        /// Whether the rate contains inflation.
        basis: Basis = Basis::default() => "Basis";
        /// When in the period recurring amounts are paid.
        timing: Timing = Timing::default() => "Timing";
    }
}

choice! {
    /// Whether a discount rate contains inflation.
    pub enum Basis {
        #[default] Nominal => "nominal",
        Real => "real",
    }
}

choice! {
    /// When in the period recurring amounts are paid (method, §8).
    pub enum Timing {
        #[default] EndOfMonth => "end of month",
        MidMonth => "middle of month",
        StartOfMonth => "start of month",
        EndOfYear => "end of year",
        MidYear => "middle of year",
    }
}

record! {
    /// Income tax, for the after-tax view.
    pub struct Tax {
        /// The rate at which deductible cost relieves tax.
        rate: Input => "Tax rate", Unit::Share, Bounds::SHARE;
        /// How purchases are written off for tax.
        depreciation: Depreciation => "Depreciation";
    }
}

variants! {
    /// How purchases are written off for tax (method, §12).
    pub enum Depreciation {
        /// Evenly over what remains of the life.
        StraightLine => "Straight line",
        /// The published half-year table of three years.
        Macrs3 => "MACRS, 3 years",
        /// The published half-year table of five years.
        Macrs5 => "MACRS, 5 years",
        /// The published half-year table of seven years.
        Macrs7 => "MACRS, 7 years",
        /// Shares by year, summing to 1.
        Custom(Vec<Exact>) => "Own table",
    }
}

variants! {
    /// How a price moves from year to year (method, §6).
    pub enum Index {
        /// One rate a year.
        Annual(Input) => "Every year alike",
        /// A rate for each year after the first; the last holds on.
        ByYear(Vec<Input>) => "Year by year",
    }
}

choice! {
    /// The figure that decides what is called cheapest.
    pub enum DecisionFigure {
        Total => "total cost",
        #[default] PresentValue => "present value",
        EquivalentAnnualCost => "equivalent annual cost",
    }
}

record! {
    /// A class of work, by how it behaves.
    pub struct Workload [id, name] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        name: String => "Name";
        /// The kind of work.
        class: Class => "Class";
        /// How much is asked for.
        demand: Demand => "Demand";
        /// How demand is spread over the hours of a week.
        shape: Shape = Shape::Flat => "Shape of the week";
        /// The first month with demand.
        starts_month: u32 = 0 => "Starts in month", Unit::Number, Bounds::MONTHS;
        /// The month in which demand has ended; the horizon where left out.
        ends_month: Option<u32> = None => "Ends before month", Unit::Number, Bounds::MONTHS;
        /// How demand grows.
        growth: Growth = Growth::Annual(Input::of("0")) => "Growth of demand", Unit::PerYear, Bounds::ABOVE_MINUS_ONE, "0";
        /// What counts as useful output.
        output: Option<Output> = None => "Useful output";
        /// The data it stores and moves.
        data: Data = Data::default() => "Data";
        /// What the service has to reach.
        objective: Option<Objective> = None => "Objective";
        /// What a month without service is worth to the organisation.
        value_of_delay_per_month: Input = Input::of("0") => "Value of delay", Unit::Money("a month"), Bounds::NOT_NEGATIVE, "0";
        /// The share of demand that may stay unmet before a placement can no longer be called cheapest.
        accepted_unmet_share: Input = Input::of("0") => "Accepted unmet share", Unit::Share, Bounds::SHARE, "0";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

choice! {
    /// The kind of work.
    pub enum Class {
        #[default] Training => "Training",
        FineTuning => "Fine-tuning",
        BatchInference => "Batch inference",
        OnlineInference => "Online inference",
        Research => "Research",
        DataPreparation => "Data preparation",
    }
}

variants! {
    /// How much work is asked for (method, §4).
    pub enum Demand {
        /// Runs that start, take hours and end.
        Runs(Runs) => "Runs",
        /// Requests answered as they come.
        Service(Service) => "Service",
    }
}

record! {
    /// Demand as runs: training, fine-tuning, batch inference, research, data preparation.
    pub struct Runs {
        /// The period in which runs are counted.
        per: Period => "Runs are counted per";
        /// Runs a period.
        runs: Input => "Runs", Unit::Of("runs a period"), Bounds::NOT_NEGATIVE;
        /// GPUs that one run occupies; below one, a partition of a device.
        gpus_per_run: Input => "GPUs per run", Unit::Of("GPUs"), Bounds::POSITIVE;
        /// Hours that one run takes on the reference accelerator.
        hours: Hours => "Hours per run", Unit::Of("hours"), Bounds::POSITIVE;
        /// Runs that must be able to start together.
        concurrent_runs: Input = Input::of("1") => "Concurrent runs", Unit::Of("runs"), Bounds::COUNT_FROM_ONE, "1";
        /// Whether the work can move within the month.
        deferrable: bool = true => "Can be deferred";
        /// Whether the work may run on spot capacity.
        interruptible: bool = false => "Can be interrupted";
        /// CPU core-hours that one run takes.
        cpu_core_hours: Input = Input::of("0") => "CPU core-hours per run", Unit::Of("core-hours"), Bounds::NOT_NEGATIVE, "0";
    }
}

choice! {
    /// A period in which runs are counted.
    pub enum Period {
        Hour => "Hour",
        Day => "Day",
        #[default] Week => "Week",
        Month => "Month",
        Quarter => "Quarter",
        Year => "Year",
    }
}

variants! {
    /// The hours that one run takes (method, §4).
    pub enum Hours {
        /// One mean.
        Mean(Input) => "Mean",
        /// A measured distribution, whose mean is used for demand.
        Distribution(Vec<HoursShare>) => "Distribution",
        /// Measured scaling over GPU counts.
        Scaling(Scaling) => "Scaling",
    }
}

/// A share of runs and the hours that these take.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HoursShare {
    pub share: Exact,
    pub hours: Input,
}

record! {
    /// Hours per run from measured scaling: reference hours · throughput(reference) / throughput(planned).
    pub struct Scaling {
        /// GPUs of the reference run.
        reference_gpus: Input => "GPUs of the reference run", Unit::Of("GPUs"), Bounds::POSITIVE;
        /// Hours of the reference run.
        reference_hours: Input => "Hours of the reference run", Unit::Of("hours"), Bounds::POSITIVE;
        /// Measured throughput by GPU count, linear between the points, refused outside them.
        points: Vec<ScalingPoint> => "Relative throughput", Unit::Number, Bounds::POSITIVE;
    }
}

/// A measured point of scaling.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalingPoint {
    pub gpus: Exact,
    pub throughput: Input,
}

record! {
    /// Demand as requests to a service.
    pub struct Service {
        /// Mean requests a second over the week.
        requests_per_second: Input => "Requests per second, mean", Unit::Of("requests/s"), Bounds::NOT_NEGATIVE;
        /// Requests a second that one replica answers at the latency objective.
        requests_per_second_per_replica: Input => "Requests per second per replica", Unit::Of("requests/s"), Bounds::POSITIVE;
        /// GPUs of one replica.
        gpus_per_replica: Input => "GPUs per replica", Unit::Of("GPUs"), Bounds::POSITIVE;
        /// Replicas that always run.
        min_replicas: Input = Input::of("0") => "Least replicas", Unit::Of("replicas"), Bounds::COUNT, "0";
    }
}

variants! {
    /// How demand is spread over the hours of a week, normalised to a mean of 1.
    pub enum Shape {
        /// All hours alike.
        Flat => "Flat",
        /// 1.0 Monday to Friday 09:00–19:00 and 0.25 elsewhere, before normalising.
        BusinessHours => "Business hours",
        /// 168 weights, hour 0 being Monday 00:00.
        Weekly(Vec<Exact>) => "By hour of the week",
    }
}

variants! {
    /// How demand grows (method, §4).
    pub enum Growth {
        /// A share a year, linear within the year.
        Annual(Input) => "Every year alike",
        /// Factors by year; the last holds on.
        ByYear(Vec<GrowthFactor>) => "Year by year",
    }
}

/// A factor on demand in one year: not a rate, so its bounds are its own.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct GrowthFactor(pub Input);

record! {
    /// What counts as useful output.
    pub struct Output {
        /// The unit that cost is measured against.
        unit: String => "Unit of output";
        /// Output of one successful run.
        per_run: Option<Input> = None => "Output per run", Unit::Number, Bounds::NOT_NEGATIVE;
        /// Output of one successful request.
        per_request: Option<Input> = None => "Output per request", Unit::Number, Bounds::NOT_NEGATIVE;
    }
}

record! {
    /// The data that a class stores and moves.
    pub struct Data {
        /// Data stored in the first year.
        stored_gb: Input = Input::of("0") => "Data stored", Unit::Of("GB"), Bounds::NOT_NEGATIVE, "0";
        /// Growth of the stored data.
        stored_growth: Input = Input::of("0") => "Growth of stored data", Unit::PerYear, Bounds::ABOVE_MINUS_ONE, "0";
        /// Data that one run or request reads.
        ingest_gb_per_run: Input = Input::of("0") => "Data in per run", Unit::Of("GB"), Bounds::NOT_NEGATIVE, "0";
        /// Data that one run or request sends out.
        egress_gb_per_run: Input = Input::of("0") => "Data out per run", Unit::Of("GB"), Bounds::NOT_NEGATIVE, "0";
    }
}

impl Default for Data {
    fn default() -> Self {
        let none = || Input::of("0");
        Self { stored_gb: none(), stored_growth: none(), ingest_gb_per_run: none(), egress_gb_per_run: none() }
    }
}

record! {
    /// What the service has to reach.
    pub struct Objective {
        /// The longest wait in the queue that is accepted on average.
        max_wait_hours: Option<Input> = None => "Longest mean wait", Unit::Of("hours"), Bounds::NOT_NEGATIVE;
    }
}

record! {
    /// One place where work can run.
    pub struct Environment [id, name, currency] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        name: String => "Name";
        /// Where it is.
        location: String = String::new() => "Location";
        /// Months from the order to service.
        lead_time_months: Input = Input::of("0") => "Lead time", Unit::Of("months"), Bounds::MONTHS, "0";
        /// The currency of every price of this environment; the scenario's where left out.
        currency: Option<String> = None => "Currency", Unit::Currency, Bounds::ANY;
        /// How each class runs here.
        performance: Map<Performance> = Map::default() => "Performance", Unit::IdOf("workloads"), Bounds::ANY;
        /// How capacity is sized and scheduled.
        capacity: Capacity = Capacity::default() => "Capacity";
        /// What is bought or rented.
        supply: Supply => "Supply";
        /// Everything else that costs money here.
        costs: Vec<CostLine> = Vec::new() => "Cost lines";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

record! {
    /// How one class runs in one environment.
    pub struct Performance {
        /// Throughput relative to the reference accelerator.
        speed: Input = Input::of("1") => "Speed", Unit::Of("× reference"), Bounds::POSITIVE, "1";
        /// Share of wall time spent waiting for data.
        data_wait_share: Input = Input::of("0") => "Share of time waiting for data", Unit::Share, Bounds::SHARE_BELOW_ONE, "0";
        /// Share of attempts that fail.
        failure_share: Input = Input::of("0") => "Share of attempts that fail", Unit::Share, Bounds::SHARE_BELOW_ONE, "0";
        /// Share of an attempt's work that a failure loses.
        lost_work_share: Input = Input::of("0.5") => "Share of work lost per failure", Unit::Share, Bounds::SHARE, "0.5";
    }
}

impl Default for Performance {
    fn default() -> Self {
        Self {
            speed: Input::of("1"),
            data_wait_share: Input::of("0"),
            failure_share: Input::of("0"),
            lost_work_share: Input::of("0.5"),
        }
    }
}

record! {
    /// How fixed capacity is sized and scheduled; each factor is recorded once and separately.
    pub struct Capacity {
        /// Hours a week in which work is scheduled.
        window_hours_per_week: Input = Input::of("168") => "Scheduling window", Unit::Of("h/week"), Bounds::WEEK_HOURS, "168";
        /// The share of the window that can be scheduled productively.
        schedulable_utilisation: Input = Input::of("1") => "Schedulable utilisation", Unit::Share, Bounds::SHARE_ABOVE_ZERO, "1";
        /// Reserve for maintenance, as a share of the baseline.
        maintenance_share: Input = Input::of("0") => "Maintenance", Unit::Share, Bounds::SHARE, "0";
        /// Reserve for failures, as a share of the baseline.
        failure_reserve_share: Input = Input::of("0") => "Failure reserve", Unit::Share, Bounds::SHARE, "0";
        /// Headroom for growth, as a share of the baseline.
        growth_headroom_share: Input = Input::of("0") => "Growth headroom", Unit::Share, Bounds::SHARE, "0";
        /// Nodes kept as spares, counted apart.
        spare_nodes: Input = Input::of("0") => "Spare nodes", Unit::Of("nodes"), Bounds::COUNT, "0";
    }
}

impl Default for Capacity {
    fn default() -> Self {
        Self {
            window_hours_per_week: Input::of("168"),
            schedulable_utilisation: Input::of("1"),
            maintenance_share: Input::of("0"),
            failure_reserve_share: Input::of("0"),
            growth_headroom_share: Input::of("0"),
            spare_nodes: Input::of("0"),
        }
    }
}

variants! {
    /// What is bought or rented (method, §7).
    pub enum Supply {
        /// Nodes that are owned or leased.
        Dedicated(Dedicated) => "Dedicated",
        /// Whole nodes that a provider rents out.
        BareMetal(BareMetal) => "Bare metal",
        /// Instances by the hour, committed, on demand or spot.
        Cloud(Cloud) => "Cloud",
        /// Packaged capacity, paid by what is used.
        GpuService(GpuService) => "GPU service",
    }
}

impl Supply {
    /// The name of the kind in files and results.
    #[must_use]
    pub fn kind_name(&self) -> &'static str {
        match self {
            Self::Dedicated(_) => "Dedicated",
            Self::BareMetal(_) => "BareMetal",
            Self::Cloud(_) => "Cloud",
            Self::GpuService(_) => "GpuService",
        }
    }

    /// Whether it serves whatever is asked for, and so can be burst or interim.
    #[must_use]
    pub fn is_elastic(&self) -> bool {
        matches!(self, Self::Cloud(_) | Self::GpuService(_))
    }
}

record! {
    /// Nodes that are owned or leased.
    pub struct Dedicated {
        /// The node.
        node: OwnedNode => "Node";
        /// Power usage effectiveness: what the building draws for each kilowatt of IT load.
        pue: Input = Input::of("1") => "Power usage effectiveness", Unit::Number, Bounds::AT_LEAST_ONE, "1";
        /// How many nodes.
        sizing: Sizing => "Sizing";
        /// Whether all nodes come at the start or year by year.
        phasing: Phasing = Phasing::default() => "Phasing";
        /// Share of the price paid when the nodes are ordered.
        deposit_share: Input = Input::of("0") => "Deposit", Unit::Share, Bounds::SHARE, "0";
        /// Months that a node is used.
        life_months: Input => "Life", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// Months that must remain for a node at the end of its life to be replaced.
        refresh_min_remaining: u32 = 12 => "Least months left for a refresh", Unit::Of("months"), Bounds::MONTHS;
        /// What a node is worth after each year, as a share of its price; linear between, the last holds on.
        residual_by_year: Vec<Input> = Vec::new() => "Residual value after year", Unit::Share, Bounds::SHARE;
        /// How the nodes are paid for.
        acquisition: Acquisition = Acquisition::Purchase => "Acquisition";
    }
}

record! {
    /// A node that is owned or leased.
    pub struct OwnedNode {
        /// GPUs in one node.
        gpus: u32 => "GPUs per node", Unit::Of("GPUs"), Bounds::COUNT_FROM_ONE;
        /// Price of one node.
        price: Input => "Node price", Unit::Money("a node"), Bounds::NOT_NEGATIVE;
        /// The index of the price.
        price_index: Option<String> = None => "Price index", Unit::IdOf("indices"), Bounds::ANY;
        /// Draw of an idle node.
        idle_kw: Input = Input::of("0") => "Idle draw", Unit::Of("kW"), Bounds::NOT_NEGATIVE, "0";
        /// Draw of a busy node.
        active_kw: Input = Input::of("0") => "Active draw", Unit::Of("kW"), Bounds::NOT_NEGATIVE, "0";
        /// Greatest draw of a node, for which power is contracted.
        max_kw: Input = Input::of("0") => "Maximum draw", Unit::Of("kW"), Bounds::NOT_NEGATIVE, "0";
    }
}

variants! {
    /// How many nodes there are (method, §5).
    pub enum Sizing {
        /// For this share of the demand assigned.
        ForDemand(ShareOfDemand) => "For demand",
        /// So many nodes, whatever the demand.
        Nodes(NodeCount) => "Nodes",
    }
}

/// The share of the demand assigned that is sized for.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct ShareOfDemand(pub Input);

/// A number of nodes.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct NodeCount(pub Input);

choice! {
    /// When nodes come into service.
    pub enum Phasing {
        #[default] AtStart => "All at the start",
        Yearly => "Year by year",
    }
}

variants! {
    /// How owned nodes are paid for (method, §7).
    pub enum Acquisition {
        /// The price is paid.
        Purchase => "Purchase",
        /// Monthly payments, then a buy-out or a return.
        Lease(Lease) => "Lease",
        /// The price less the deposit is borrowed.
        Loan(Loan) => "Loan",
    }
}

record! {
    /// A lease of nodes.
    pub struct Lease {
        /// Months of one lease.
        months: u32 => "Lease term", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// Payment for one node and month.
        monthly_per_node: Input => "Lease payment", Unit::Money("a node and month"), Bounds::NOT_NEGATIVE;
        /// Share of the price at which a node is bought at the end; 0 returns it and leases again.
        buyout_share: Input = Input::of("0") => "Buy-out", Unit::Share, Bounds::SHARE, "0";
        /// Share of the payments left that is due when the lease ends early.
        early_termination_share: Input = Input::of("1") => "Early termination", Unit::Share, Bounds::SHARE, "1";
    }
}

record! {
    /// A loan for the price less the deposit.
    pub struct Loan {
        /// Yearly interest; a twelfth of it a month.
        rate: Input => "Loan rate", Unit::PerYear, Bounds::NOT_NEGATIVE;
        /// Months over which it is paid back.
        months: u32 => "Loan term", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
    }
}

record! {
    /// Whole nodes that a provider rents out.
    pub struct BareMetal {
        /// The node.
        node: RentedNode => "Node";
        /// Charge for one node and month.
        monthly_per_node: Input => "Node charge", Unit::Money("a node and month"), Bounds::NOT_NEGATIVE;
        /// The index of the charge.
        price_index: Option<String> = None => "Price index", Unit::IdOf("indices"), Bounds::ANY;
        /// Charge for setting up one node.
        setup_per_node: Input = Input::of("0") => "Set-up", Unit::Money("a node"), Bounds::NOT_NEGATIVE, "0";
        /// How many nodes.
        sizing: Sizing => "Sizing";
        /// Whether all nodes come at the start or year by year.
        phasing: Phasing = Phasing::default() => "Phasing";
        /// Months of one contract term; terms follow each other.
        term_months: u32 => "Contract term", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// Share of the charges left that is due when a term ends early.
        early_termination_share: Input = Input::of("1") => "Early termination", Unit::Share, Bounds::SHARE, "1";
    }
}

record! {
    /// A rented node or a cloud instance.
    pub struct RentedNode {
        /// GPUs in one.
        gpus: u32 => "GPUs", Unit::Of("GPUs"), Bounds::COUNT_FROM_ONE;
    }
}

record! {
    /// Instances by the hour.
    pub struct Cloud {
        /// The instance.
        instance: RentedNode => "Instance";
        /// On-demand price of one instance and hour.
        on_demand_per_hour: Input => "On-demand price", Unit::Money("an instance and hour"), Bounds::NOT_NEGATIVE;
        /// The index of the prices.
        price_index: Option<String> = None => "Price index", Unit::IdOf("indices"), Bounds::ANY;
        /// Hours billed beyond those used, as a share.
        billed_overhead_share: Input = Input::of("0") => "Billed overhead", Unit::Share, Bounds::UP_TO_TEN, "0";
        /// Instances paid for whether used or not.
        commitment: Option<Commitment> = None => "Commitment";
        /// Spot capacity for what can be interrupted.
        spot: Option<Spot> = None => "Spot";
    }
}

record! {
    /// Instances paid for whether used or not.
    pub struct Commitment {
        /// Instances committed to.
        instances: Input => "Committed instances", Unit::Of("instances"), Bounds::COUNT;
        /// Committed price of one instance and hour.
        per_hour: Input => "Committed price", Unit::Money("an instance and hour"), Bounds::NOT_NEGATIVE;
        /// Months of one term.
        term_months: u32 => "Commitment term", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// Share of a term paid at its start.
        upfront_share: Input = Input::of("0") => "Paid upfront", Unit::Share, Bounds::SHARE, "0";
        /// Whether terms follow each other.
        renew: bool = true => "Renewed";
        /// Share of the payments left that is due when a term ends early.
        early_termination_share: Input = Input::of("1") => "Early termination", Unit::Share, Bounds::SHARE, "1";
    }
}

record! {
    /// Spot capacity for what can be interrupted.
    pub struct Spot {
        /// Share of the interruptible work beyond the commitment that runs on spot.
        share: Input => "Spot share", Unit::Share, Bounds::SHARE;
        /// Spot price of one instance and hour.
        per_hour: Input => "Spot price", Unit::Money("an instance and hour"), Bounds::NOT_NEGATIVE;
        /// Hours repeated after interruptions, as a share.
        rework_share: Input = Input::of("0") => "Rework on spot", Unit::Share, Bounds::UP_TO_TEN, "0";
    }
}

record! {
    /// Packaged capacity, paid by what is used.
    pub struct GpuService {
        /// How use is priced.
        price: ServicePrice => "Service price", Unit::Money("a unit"), Bounds::NOT_NEGATIVE;
        /// The index of the price.
        price_index: Option<String> = None => "Price index", Unit::IdOf("indices"), Bounds::ANY;
        /// What a month costs at least; neither indexed nor inflated.
        minimum_monthly: Input = Input::of("0") => "Monthly minimum", Unit::Money("a month"), Bounds::NOT_NEGATIVE, "0";
        /// Months of one contract term; terms follow each other.
        term_months: u32 => "Contract term", Unit::Of("months"), Bounds::MONTHS_FROM_ONE;
        /// Share of the minimum left that is due when a term ends early.
        early_termination_share: Input = Input::of("1") => "Early termination", Unit::Share, Bounds::SHARE, "1";
    }
}

variants! {
    /// How a GPU service is priced.
    pub enum ServicePrice {
        /// By the GPU-hour allocated.
        PerGpuHour(Rate) => "Per GPU-hour",
        /// By the unit of output of each class.
        PerOutput(Map<Rate>) => "Per unit of output", of "workloads",
    }
}

variants! {
    /// A price, flat or in tiers (method, §6).
    pub enum Rate {
        /// One price for every unit.
        Flat(Input) => "Flat",
        /// Graduated: each tier prices the quantity inside it.
        Tiered(Vec<Tier>) => "Tiered",
    }
}

/// A tier of a graduated price; the last is open.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<Exact>,
    pub rate: Input,
}

record! {
    /// Something that costs money: quantity × driver measure, priced by the rate.
    pub struct CostLine [id, label, currency] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        label: String => "Label";
        /// The category it is counted in.
        category: Category => "Category";
        /// Whether it is inside a provider's invoice or stays with the customer.
        boundary: Boundary => "Boundary";
        /// What it is charged by.
        driver: Driver => "Driver";
        /// A multiplier: full-time posts, circuits, racks; negative is a credit.
        quantity: Input = Input::of("1") => "Quantity", Unit::Number, Bounds::ANY, "1";
        /// Whether it is capital expenditure in views by fiscal year.
        capital: bool = false => "Capital expenditure";
        /// The price of one unit of the measure.
        rate: Rate => "Rate", Unit::Money("a unit"), Bounds::NOT_NEGATIVE;
        /// The index of the rate.
        index: Option<String> = None => "Index", Unit::IdOf("indices"), Bounds::ANY;
        /// The currency of the rate; the environment's where left out.
        currency: Option<String> = None => "Currency", Unit::Currency, Bounds::ANY;
        /// The first month in which it can post.
        from_month: Option<u32> = None => "From month", Unit::Number, Bounds::MONTHS;
        /// The month before which it must have posted.
        to_month: Option<u32> = None => "Before month", Unit::Number, Bounds::MONTHS;
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

choice! {
    /// The seventeen categories of lifecycle cost, in the order in which they are shown.
    pub enum Category {
        #[default] Hardware => "Hardware",
        ServiceCharges => "Service charges",
        Network => "Network",
        Storage => "Storage",
        DataMovement => "Data movement",
        Facilities => "Facilities",
        Power => "Power",
        Cooling => "Cooling",
        Software => "Software",
        Platform => "Platform",
        Implementation => "Implementation",
        Support => "Support",
        Operations => "Operations",
        SpareCapacity => "Spare capacity",
        Training => "Training",
        Refresh => "Refresh",
        Exit => "Exit",
    }
}

choice! {
    /// Inside a provider's invoice, or with the customer.
    pub enum Boundary {
        Provider => "Provider",
        #[default] Retained => "Retained",
    }
}

variants! {
    /// What a cost line is charged by (method, §6).
    pub enum Driver {
        /// Once in a month counted from month 0.
        Once(u32) => "Once",
        /// In each month of service.
        Monthly => "Month",
        /// In the first month of service and every twelfth after it, in advance.
        Yearly => "Year, in advance",
        /// Nodes, with spares, coming into service.
        NodeOnce => "Node, once",
        /// Nodes in service, with spares.
        NodeMonth => "Node and month",
        /// GPUs in service, without spares.
        GpuMonth => "GPU and month",
        /// Greatest draw of the nodes in service.
        KwMonth => "kW and month",
        /// Energy of the IT load.
        ItKwh => "IT energy, kWh",
        /// Energy of the building beyond the IT load.
        OverheadKwh => "Overhead energy, kWh",
        /// A share a year of the price of the nodes in service.
        HardwareShareYear => "Share of hardware price, a year",
        /// A share of the service charges of the month.
        ServiceChargeShare => "Share of service charges",
        /// GPU-hours allocated.
        GpuHour => "GPU-hour",
        /// Runs served.
        Run => "Run",
        /// Successful output of one class.
        OutputUnit(String) => "Unit of output", of "workloads",
        /// CPU core-hours of the runs served.
        CpuCoreHour => "CPU core-hour",
        /// Data stored.
        GbMonth => "GB and month",
        /// Data sent out.
        EgressGb => "GB out",
        /// Data stored at the start of service, once.
        MigrationGb => "GB migrated",
        /// Once, in the last month of service.
        ExitOnce => "Exit, once",
        /// Nodes, with spares, in the last month of service.
        ExitNode => "Exit, node",
        /// Data stored in the last month of service.
        ExitGb => "Exit, GB",
    }
}

record! {
    /// One complete way of serving the portfolio.
    pub struct Placement [id, name] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        name: String => "Name";
        /// Which class runs where, in serving priority.
        assignments: Vec<Assignment> => "Assignments";
        /// Lines of the placement itself.
        costs: Vec<CostLine> = Vec::new() => "Cost lines";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

record! {
    /// Where one class runs in one placement.
    pub struct Assignment [workload, workload] {
        /// The class.
        workload: String => "Workload class", Unit::IdOf("workloads"), Bounds::ANY;
        /// The environment that is its own.
        environment: String => "Environment", Unit::IdOf("environments"), Bounds::ANY;
        /// Where it goes when its own environment is full.
        burst: Option<String> = None => "Burst", Unit::IdOf("environments"), Bounds::ANY;
        /// Where it runs until its own environment is in service.
        interim: Option<String> = None => "Interim", Unit::IdOf("environments"), Bounds::ANY;
        /// Share of its stored data kept in the burst environment too.
        burst_replica_share: Input = Input::of("0") => "Data kept in the burst environment", Unit::Share, Bounds::SHARE, "0";
        /// The placement rule.
        rule: Option<PlacementRule> = None => "Placement rule";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

record! {
    /// What must hold before work moves.
    pub struct PlacementRule {
        /// The permitted data path.
        permitted_data_path: String = String::new() => "Permitted data path";
        /// The performance requirement.
        performance_requirement: String = String::new() => "Performance requirement";
        /// Who bears the cost.
        cost_owner: String = String::new() => "Cost owner";
        /// What happens when it fails.
        fallback: String = String::new() => "Fallback";
        /// The evidence needed before work moves.
        evidence_needed: String = String::new() => "Evidence needed";
    }
}

record! {
    /// Inputs that move together in analyses, by the same share of their ranges.
    pub struct Group [id, name] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        name: String => "Name";
        /// Paths of the inputs.
        inputs: Vec<String> => "Inputs", Unit::PathOfInput, Bounds::ANY;
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

record! {
    /// A named set of other values.
    pub struct Case [id, name] {
        /// Lower-case words joined by hyphens.
        id: String => "Id";
        /// What people call it.
        name: String => "Name";
        /// Who answers for it.
        owner: String = String::new() => "Owner";
        /// The date by which it must be looked at again.
        review_by: Option<String> = None => "Review by", Unit::Date, Bounds::ANY;
        /// Values by the path of their input.
        set: Map<Exact> = Map::default() => "Values", Unit::PathOfInput, Bounds::ANY;
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

record! {
    /// The governance record.
    pub struct Decision {
        /// What the plan is for.
        outcome: Outcome = Outcome::default() => "Outcome";
        /// The decision gates.
        gates: Vec<GateRecord> = Vec::new() => "Gates";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

#[expect(clippy::derivable_impls, reason = "a record declares its fields, not what it derives")]
impl Default for Decision {
    fn default() -> Self {
        Self { outcome: Outcome::default(), gates: Vec::new(), notes: String::new() }
    }
}

record! {
    /// What the plan is for.
    pub struct Outcome {
        /// The outcome in a few words.
        name: String = String::new() => "Outcome";
        /// Who answers for it.
        owner: String = String::new() => "Owner";
        /// How success is measured.
        success_measure: String = String::new() => "Measure of success";
    }
}

#[expect(clippy::derivable_impls, reason = "a record declares its fields, not what it derives")]
impl Default for Outcome {
    fn default() -> Self {
        Self { name: String::new(), owner: String::new(), success_measure: String::new() }
    }
}

record! {
    /// Where one gate stands.
    pub struct GateRecord {
        /// The gate.
        gate: Gate => "Gate";
        /// Open, passed or waived.
        status: GateStatus = GateStatus::default() => "Status";
        /// Who decides.
        owner: String = String::new() => "Owner";
        /// The date of the decision.
        decided_on: Option<String> = None => "Decided on", Unit::Date, Bounds::ANY;
        /// What the decision rests on.
        evidence: String = String::new() => "Evidence";
        /// Free text.
        notes: String = String::new() => "Notes", Unit::Prose, Bounds::ANY;
    }
}

choice! {
    /// The five decision gates.
    pub enum Gate {
        #[default] ValidateDemand => "Validate demand",
        SelectPlacement => "Select placement and sourcing",
        ApproveDesign => "Approve detailed design",
        ProveService => "Prove the service",
        HandOver => "Hand over operations",
    }
}

choice! {
    /// Where a gate stands.
    pub enum GateStatus {
        #[default] Open => "Open",
        Passed => "Passed",
        Waived => "Waived",
    }
}

/// A value that holds one input and is addressed by its place alone, its own declaration replacing that of the field.
macro_rules! single_input {
    ($($ty:ident { $input:tt $(, $other:ident: $Other:ty)* } $(declared $label:literal, $unit:expr, $bounds:expr)?;)*) => {$(
        impl Field for $ty {
            fn walk(&self, decl: &'static Decl, visitor: &mut dyn Visitor) {
                visitor.input(single_input!(@decl decl $(, $label, $unit, $bounds)?), &self.$input);
            }

            fn walk_mut(&mut self, decl: &'static Decl, visitor: &mut dyn VisitorMut) {
                visitor.input(single_input!(@decl decl $(, $label, $unit, $bounds)?), &mut self.$input);
            }

            fn shape(types: &mut Types) -> FieldShape {
                let input = Input::shape(types);
                single_input!(@shape input, types, $input $(, $other: $Other)* $(, $label, $unit, $bounds)?)
            }
        }
    )*};
    (@decl $decl:ident) => { $decl };
    (@decl $decl:ident, $label:literal, $unit:expr, $bounds:expr) => {{
        let _ = $decl;
        single_input!(@own $label, $unit, $bounds)
    }};
    (@own $label:literal, $unit:expr, $bounds:expr) => {{
        static DECL: Decl =
            Decl { name: "", label: $label, unit: $unit, bounds: $bounds, help: "", default: "" };
        &DECL
    }};
    (@shape $shape:ident, $types:ident, 0, $label:literal, $unit:expr, $bounds:expr) => {{
        let _ = $shape;
        FieldShape::Declared(single_input!(@own $label, $unit, $bounds))
    }};
    (@shape $shape:ident, $types:ident, $input:ident, $other:ident: $Other:ty) => {{
        let _ = $shape;
        let shape = Box::new(<$Other as Field>::shape($types));
        FieldShape::Beside { other: stringify!($other), shape, input: stringify!($input) }
    }};
}
single_input! {
    HoursShare { hours, share: Exact };
    ScalingPoint { throughput, gpus: Exact };
    Tier { rate, up_to: Option<Exact> };
    GrowthFactor { 0 } declared "Growth factor", Unit::Factor, Bounds::NOT_NEGATIVE;
    ShareOfDemand { 0 } declared "Share of demand sized for", Unit::Share, Bounds::UP_TO_TEN;
    NodeCount { 0 } declared "Nodes", Unit::Of("nodes"), Bounds::COUNT;
}

/// The declaration under which a whole scenario is walked.
pub static ROOT: Decl =
    Decl { name: "", label: "Scenario", unit: Unit::None, bounds: Bounds::ANY, help: "", default: "" };
