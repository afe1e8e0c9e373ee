//! NREL SAM, cash loan: the after-tax cash flow of a generic system over 25 years.
//!
//! The scenario format cannot express it: two taxes one inside the other, a loan by the year, and a value of what is
//! sold. It is computed by the finance functions, year by year.

use crate::engine::finance::{Instalment, level_loan, nominal_rate, present_value};
use crate::engine::tax;
use crate::quantity::Num;
use crate::scenario::Depreciation;

use super::{BINARY, BINARY_SHARE, Case, Row, number};

const YEARS: u32 = 25;

/// What the calculation states.
struct Inputs {
    cost: Num,
    debt_share: Num,
    debt_rate: Num,
    inflation: Num,
    real_rate: Num,
    fixed: Num,
    fuel: Num,
    insurance: Num,
    property_tax: Num,
    federal_tax: Num,
    state_tax: Num,
    energy_value: Num,
    /// kWh a year.
    output: Num,
}

/// One year of it.
struct Year {
    operating: Num,
    loan: Instalment,
    depreciation: Num,
    state_saving: Num,
    federal_saving: Num,
    /// After tax, without what the energy is worth.
    cost: Num,
    /// What the energy is worth after tax.
    income: Num,
}

impl Inputs {
    fn published() -> Self {
        let cost = number("71856955.80");
        let one_per_cent = number("0.01");
        // MMBtu in a thousand kWh of heat.
        let heat = number("3.4118048447628793");
        let fuel_kwh = number("104320112.16615607");
        let (fuel_price, heat_rate) = (number("10"), number("10"));
        Self {
            cost,
            debt_share: number("0.6"),
            debt_rate: number("0.04"),
            inflation: number("0.025"),
            real_rate: number("0.064"),
            fixed: number("16") * number("9707.12"),
            fuel: fuel_price * fuel_kwh * heat / number("1000"),
            insurance: cost * one_per_cent,
            property_tax: cost * one_per_cent,
            federal_tax: number("0.21"),
            state_tax: number("0.07"),
            energy_value: number("104254.48715399997"),
            output: fuel_kwh * heat / heat_rate,
        }
    }

    fn nominal_rate(&self) -> Num {
        nominal_rate(self.real_rate, self.inflation)
    }

    /// State tax is deductible from federal tax.
    fn combined_tax(&self) -> Num {
        self.state_tax + self.federal_tax * (Num::ONE - self.state_tax)
    }

    fn years(&self) -> Vec<Year> {
        let shares = tax::table(&Depreciation::Macrs5).unwrap_or_default();
        let loan = level_loan(self.cost * self.debt_share, self.debt_rate, YEARS);
        let mut price_level = Num::ONE;
        let years = loan.into_iter().enumerate().map(|(year, loan)| {
            let operating = (self.fixed + self.fuel + self.insurance) * price_level + self.property_tax;
            let depreciation = self.cost * shares.get(year).copied().unwrap_or(Num::ZERO);
            let deductible = operating + loan.interest + depreciation;
            let state_saving = self.state_tax * deductible;
            let federal_saving = self.federal_tax * (deductible - state_saving);
            let cost = operating + loan.interest + loan.principal - state_saving - federal_saving;
            let income = self.energy_value * price_level * (Num::ONE - self.combined_tax());
            price_level = price_level * (Num::ONE + self.inflation);
            Year { operating, loan, depreciation, state_saving, federal_saving, cost, income }
        });
        years.collect()
    }

    /// What is not borrowed is paid at the start; the flows of each year fall due at its end.
    fn flows(&self, flow: impl Fn(&Year) -> Num) -> Vec<Num> {
        let equity = self.cost * (Num::ONE - self.debt_share);
        std::iter::once(-equity).chain(self.years().iter().map(flow)).collect()
    }

    fn net_present_value(&self) -> Num {
        present_value(self.nominal_rate(), &self.flows(|year| year.income - year.cost))
    }

    /// Cents per kWh: all cost at its present value, over the output discounted at a rate.
    fn levelised_cost(&self, output_rate: Num) -> Num {
        let cost = -present_value(self.nominal_rate(), &self.flows(|year| -year.cost));
        let mut output = vec![self.output; YEARS as usize];
        output.insert(0, Num::ZERO);
        cost / present_value(output_rate, &output) * Num::whole(100)
    }
}

pub(super) fn case() -> Case {
    let inputs = Inputs::published();
    let years = inputs.years();
    let of_year = |year: usize, figure: fn(&Year) -> Num| years.get(year - 1).map_or(Num::BROKEN, figure);
    let first = |figure: fn(&Year) -> Num| of_year(1, figure);
    let percent = |share: Num| share * Num::whole(100);
    let binary = |label: &str, unit, published, computed| {
        Row::new(label, unit, published, computed).within(BINARY_SHARE, BINARY)
    };
    let printed_depreciation =
        ["14371391.16", "22994225.856", "13796535.5136", "8277921.30816", "8277921.30816", "4138960.65408"];
    let depreciation = printed_depreciation.into_iter().enumerate().map(|(year, published)| {
        let computed = of_year(year + 1, |year| year.depreciation);
        Row::new(format!("Depreciation, year {}", year + 1), "USD", published, computed)
    });
    let mut rows = vec![
        Row::new("Nominal discount rate", "%", "9.06", percent(inputs.nominal_rate())),
        Row::new("Combined tax rate", "%", "26.53", percent(inputs.combined_tax())),
        binary(
            "Debt payment",
            "USD a year",
            "2759822.868370507",
            first(|year| year.loan.interest + year.loan.principal),
        ),
        Row::new("Interest, year 1", "USD", "1724566.9392", first(|year| year.loan.interest)),
        binary("Principal, year 1", "USD", "1035255.929170507", first(|year| year.loan.principal)),
        Row::new("Fuel, year 1", "USD", "3559198.640946983", inputs.fuel),
        Row::new("Insurance, year 1", "USD", "718569.558", inputs.insurance),
    ];
    rows.extend(depreciation);
    rows.extend([
        Row::new("State tax saving, year 1", "USD", "1487332.6843302888", first(|year| year.state_saving)),
        binary("Federal tax saving, year 1", "USD", "4149658.1892815055", first(|year| year.federal_saving)),
        Row::new("Operating cost, year 1", "USD", "5151651.6769469827", first(|year| year.operating)),
        binary("Output", "kWh a year", "35591986.409469828", inputs.output),
        binary("Net present value", "USD", "-80621948.97859891", inputs.net_present_value()),
        binary(
            "Levelised cost, nominal",
            "cents/kWh",
            "23.437502738192155",
            inputs.levelised_cost(inputs.nominal_rate()),
        ),
        binary("Levelised cost, real", "cents/kWh", "18.608694327194584", inputs.levelised_cost(inputs.real_rate)),
    ]);
    Case {
        id: "cash-loan",
        title: "NREL SAM, cash loan, Generic System, Commercial",
        source: "NREL/ssc, test/input_json/FinancialModels/cashloan, the version with debt at 4 %",
        convention: "State saving is 7 % of operating cost, interest and depreciation, federal saving 21 % of the same less the state \
                     saving. Lines rise with inflation from year 2, property tax does not; flows fall due at the end of the year. \
                     The energy counts after tax in the net present value and not at all in the levelised cost. The output is the \
                     fuel’s heat at 10 MMBtu/MWh. Nominal levelised cost discounts the output at the nominal rate, real at the real.",
        scenarios: &[],
        rows,
    }
}
