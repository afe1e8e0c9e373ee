//! The finance functions by themselves, on the reference examples that other implementations print.
//!
//! The loan to the cent is a shipped scenario; everything else is a call of one function.

use crate::engine::finance::{
    annuity, double_declining_half_year, internal_rates, level_loan, payback, present_value, real_rate, sign_changes,
    spreadsheet_present_value, straight_line,
};
use crate::engine::tax;
use crate::quantity::Num;
use crate::scenario::Depreciation;

use super::evaluated::Evaluated;
use super::{Case, Row, Shipped, number};

static SCENARIOS: [Shipped; 1] =
    [Shipped { file: "loan-to-the-cent.ron", text: include_str!("../../../scenarios/published/loan-to-the-cent.ron") }];

type Macrs = (u32, Depreciation, &'static [&'static str]);

const MACRS: [Macrs; 3] = [
    (3, Depreciation::Macrs3, &["33.33", "44.45", "14.81", "7.41"]),
    (5, Depreciation::Macrs5, &["20.00", "32.00", "19.20", "11.52", "11.52", "5.76"]),
    (7, Depreciation::Macrs7, &["14.29", "24.49", "17.49", "12.49", "8.93", "8.92", "8.93", "4.46"]),
];

pub(super) fn case() -> Case {
    let mut rows = present_values();
    rows.extend(loans());
    rows.extend(returns());
    rows.extend(write_offs());
    Case {
        id: "primitives",
        title: "Finance primitives",
        source: "reference examples of spreadsheets and of numpy-financial; IRS Publication 946, table A-1, for MACRS",
        convention: "A spreadsheet’s NPV discounts the first flow too. A loan to the cent rounds payment and interest each month, and its \
                     last payment settles. Flows that change sign more than once can have several internal rates of return: the \
                     number of changes is the most there can be. The MACRS tables are law; the formula rounded does not sum to 100.",
        scenarios: &SCENARIOS,
        rows,
    }
}

fn flows(texts: &[&str]) -> Vec<Num> {
    texts.iter().map(|text| number(text)).collect()
}

fn present_values() -> Vec<Row> {
    let plain = flows(&["-40000", "5000", "8000", "12000", "30000"]);
    let spreadsheet = flows(&["-10000", "2000", "4000", "8000"]);
    let tenth = number("0.1");
    vec![
        Row::new(
            "NPV at 8 % of −40,000 5,000 8,000 12,000 30,000, first flow undiscounted",
            "",
            "3065.22267",
            present_value(number("0.08"), &plain),
        ),
        Row::new(
            "NPV at 10 % of −10,000 2,000 4,000 8,000, spreadsheet",
            "",
            "1031.3503176",
            spreadsheet_present_value(tenth, &spreadsheet),
        ),
        Row::new("The same, first flow undiscounted", "", "1134.4853494", present_value(tenth, &spreadsheet)),
    ]
}

fn loans() -> Vec<Row> {
    let twelve = number("12");
    let to_the_cent: Vec<Num> =
        Evaluated::of(&SCENARIOS[0]).postings("own", "loan").into_iter().map(|(_, amount)| amount).collect();
    let (last, level) = to_the_cent.split_last().map_or((Num::BROKEN, &[][..]), |(last, level)| (*last, level));
    let payment = level.first().copied().unwrap_or(Num::BROKEN);
    let alike = level.iter().filter(|amount| **amount == payment).count();
    let paid: Num = to_the_cent.iter().copied().sum();
    let unrounded: Num = level_loan(number("2500"), number("0.0824") / twelve, 12).iter().map(|of| of.interest).sum();
    vec![
        Row::new(
            "Payment of 200,000 at 7.5 %/12 over 180 months",
            "",
            "1854.0247200054762",
            annuity(number("200000"), number("0.075") / twelve, 180),
        ),
        Row::new("Loan of 2,500 at 8.24 %/12 over 12 months, to the cent: payment", "", "217.75", payment),
        Row::new("Payments of that amount", "payments", "11", Num::count(u32::try_from(alike).unwrap_or(u32::MAX))),
        Row::new("Last payment", "", "217.72", last),
        Row::new("Interest to the cent", "", "112.97", paid - number("2500")),
        Row::new("Interest unrounded", "", "112.98", unrounded),
    ]
}

fn returns() -> Vec<Row> {
    let percent = |rate: Option<Num>| rate.map_or(Num::BROKEN, |rate| rate * Num::whole(100));
    let several = flows(&["-5", "10.5", "1", "-8", "1"]);
    let changes = u32::try_from(sign_changes(&several)).unwrap_or(u32::MAX);
    let roots = internal_rates(&several);
    let several_roots = if roots.len() > 1 { "one of several" } else { "the only one" };
    let single = internal_rates(&flows(&["-100", "39", "59", "55", "20"])).first().copied();
    let periods = payback(&flows(&["-50", "10", "13", "16", "19", "22"])).unwrap_or(Num::BROKEN);
    let whole = periods.floor_units();
    vec![
        Row::new("IRR of −100 39 59 55 20", "%", "28.095", percent(single)),
        Row::new("IRR of −5 10.5 1 −8 1, changes of sign", "changes", "3", Num::count(changes)),
        Row::new(
            format!("The root that is printed, {several_roots}"),
            "%",
            "8.86",
            percent(roots.into_iter().find(|root| root.is_positive())),
        ),
        Row::new("Payback of −50 10 13 16 19 22: whole years", "years", "3", whole),
        Row::new("and nineteenths of the next", "of 19", "11", (periods - whole) * number("19")),
        Row::new(
            "Real rate of 9.06 % nominal at 2.5 % inflation",
            "%",
            "6.4",
            percent(Some(real_rate(number("0.0906"), number("0.025")))),
        ),
    ]
}

fn write_offs() -> Vec<Row> {
    let hundred = Num::whole(100);
    let mut rows = vec![Row::new(
        "Straight line from 30,000 to 7,500 over 10 years",
        "a year",
        "2250",
        straight_line(number("30000"), number("7500"), 10),
    )];
    for (years, depreciation, published) in MACRS {
        let table = tax::table(&depreciation).unwrap_or_default();
        for (year, printed) in published.iter().enumerate() {
            let share = table.get(year).map_or(Num::BROKEN, |share| *share * hundred);
            rows.push(Row::new(format!("MACRS, {years} years, year {}", year + 1), "%", printed, share));
        }
        let sum: Num = table.iter().copied().sum();
        rows.push(Row::new(format!("MACRS, {years} years, sum of the table"), "%", "100", sum * hundred));
    }
    let hundredths = |share: &Num| (*share * Num::whole(10_000) + number("0.5")).floor_units() / hundred;
    let by_formula: Num = double_declining_half_year(7).iter().map(hundredths).sum();
    rows.push(Row::new("MACRS, 7 years, sum of the formula rounded", "%", "99.98", by_formula));
    rows
}
