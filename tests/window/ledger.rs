//! The ledger: filters, groups, pivot, selection, copies.

use crate::support::*;

/// Ticks one value of a dimension in the filter.
fn tick(window: &mut Window, dimension: &str, value: &str) {
    click(window, Role::ComboBox, dimension);
    click(window, Role::CheckBox, &format!("{dimension}: {value}"));
    press(window, Key::Escape);
}

/// What stands in the rows of the ledger that can be seen: their names and their amounts.
fn ledger_rows(window: &Window) -> Vec<(String, String)> {
    let rows = window.query_all_by(|node| node.role() == Role::Row);
    rows.map(|row| (row.accesskit_node().label().unwrap_or_default(), row.value().unwrap_or_default())).collect()
}

fn cents(text: &str) -> i64 {
    let digits: i64 = text.chars().filter(char::is_ascii_digit).collect::<String>().parse().expect("an amount");
    if text.starts_with(['(', '-']) { -digits } else { digits }
}

#[test]
fn the_ledger_is_filtered_by_category_and_adds_up() {
    use outlay::scenario::Category;
    let mut window = window();
    page(&mut window, "Ledger");
    let all = total_shown(&window);
    assert_eq!(all, totals(&window)[0].split_whitespace().last().expect("an amount").to_owned());
    tick(&mut window, "Category", "Power");
    assert_eq!(total_shown(&window), category(&window, Category::Power));
    let rows = ledger_rows(&window);
    assert!(!rows.is_empty() && rows.iter().all(|(name, _)| name.contains("Power")), "{rows:?}");
    tick(&mut window, "Category", "Cooling");
    let both = cents(&category(&window, Category::Power)) + cents(&category(&window, Category::Cooling));
    assert_eq!(cents(&total_shown(&window)), both);
    command(&mut window, Key::F);
    type_text(&mut window, "no such line");
    window.get_by_label_contains("No posting has all of this.");
    click(&mut window, Role::Button, "Clear the filter");
    assert_eq!(total_shown(&window), all);
}

#[test]
fn groups_open_and_close_and_lead_to_their_postings() {
    use outlay::scenario::Category;
    let mut window = window();
    page(&mut window, "Ledger");
    let all = total_shown(&window);
    click(&mut window, Role::RadioButton, "Show as: Grouped");
    assert_eq!(cell(&window, "Total, Amount"), all);
    let power = category(&window, Category::Power);
    let environment = "Owned cluster, Chicago colocation";
    assert_eq!(cell(&window, &format!("{environment}, Power, Amount")), power);
    click(&mut window, Role::TreeItem, &format!("{environment}, open"));
    assert!(window.query_by_label(&format!("{environment}, Power, Amount")).is_none(), "the group is closed");
    press(&mut window, Key::ArrowRight);
    window
        .get_by(|node| {
            let is_power = |label: String| label.starts_with("Show ") && label.ends_with("Chicago colocation, Power");
            node.role() == Role::Link && node.label().is_some_and(is_power)
        })
        .click();
    window.run();
    assert_eq!(total_shown(&window), power);
}

#[test]
fn a_pivot_foots_and_its_cells_lead_to_their_postings() {
    let mut window = window();
    page(&mut window, "Ledger");
    let all = total_shown(&window);
    click(&mut window, Role::RadioButton, "Show as: Pivot");
    assert_eq!(cell(&window, "Total, Total"), all);
    let years = ["2027", "2028", "2029", "2030", "2031"];
    let sum = |name: &str| years.iter().map(|year| cents(&cell(&window, &format!("{name}, {year}")))).sum::<i64>();
    assert_eq!(sum("Total"), cents(&all));
    assert_eq!(sum("Power"), cents(&cell(&window, "Power, Total")));
    let table = copied_cells(&mut window);
    assert_eq!(table[0], ["Category", "2027", "2028", "2029", "2030", "2031", "Total"]);
    let last = table.last().expect("a row of totals");
    assert_eq!(cents(&last[6]), cents(&all));
    let one = cell(&window, "Power, 2029");
    click(&mut window, Role::Cell, "Power, 2029");
    assert_eq!(total_shown(&window), one);
    assert!(ledger_rows(&window).iter().all(|(name, _)| name.contains("2029-") && name.contains("Power")));
    click(&mut window, Role::Button, "Clear");
    click(&mut window, Role::RadioButton, "Show as: Pivot");
    click(&mut window, Role::RadioButton, "Measure: Present value");
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("it has figures");
    assert_eq!(
        i128::from(cents(&cell(&window, "Total, Total"))),
        evaluation.placements[0].totals.present_value.minor()
    );
}

#[test]
fn selected_postings_are_added_up_averaged_and_copied() {
    let mut window = window();
    page(&mut window, "Ledger");
    let rows = ledger_rows(&window);
    let amount = |place: usize| cents(&rows[place].1);
    let click_row = |window: &mut Window, place: usize, modifiers: Modifiers| {
        window.get_all_by_role(Role::Row).nth(place).expect("a row").click_modifiers(modifiers);
        window.run();
    };
    click_row(&mut window, 1, Modifiers::NONE);
    assert_eq!(cents(&cell(&window, "Selected, 1 posting, Amount")), amount(1));
    click_row(&mut window, 3, Modifiers::SHIFT);
    let three = amount(1) + amount(2) + amount(3);
    assert_eq!(cents(&cell(&window, "Selected, 3 postings, Amount")), three);
    click_row(&mut window, 5, Modifiers::COMMAND);
    let four = three + amount(5);
    assert_eq!(cents(&cell(&window, "Selected, 4 postings, Amount")), four);
    let average = cents(&cell(&window, "Average of the selected, Amount"));
    assert!((4 * average - four).abs() <= 2, "{average} is the average of {four}");
    let table = copied_cells(&mut window);
    assert_eq!(table.len(), 5, "a heading and four rows");
    let place = table[0].iter().position(|name| name == "Amount").expect("amounts");
    assert_eq!(table[1..].iter().map(|row| cents(&row[place])).sum::<i64>(), four);
    assert!(table[1][place].parse::<f64>().is_ok(), "an amount is a plain number: {}", table[1][place]);
    press(&mut window, Key::Home);
    window.key_press_modifiers(Modifiers::SHIFT, Key::ArrowDown);
    window.run();
    assert_eq!(cents(&cell(&window, "Selected, 2 postings, Amount")), amount(0) + amount(1));
    command(&mut window, Key::A);
    let all = total_shown(&window);
    assert_eq!(cell(&window, "Selected, 974 postings, Amount"), all);
    press(&mut window, Key::Escape);
    window.get_by_label_contains("Nothing selected.");
    assert_eq!(copied_cells(&mut window).len(), 975, "without a selection everything is copied");
}

#[test]
fn a_heading_orders_the_postings_and_gives_their_order_back() {
    let mut window = window();
    page(&mut window, "Ledger");
    let before = ledger_rows(&window);
    click(&mut window, Role::ColumnHeader, "Amount");
    let amounts = |window: &Window| ledger_rows(window).iter().map(|row| cents(&row.1)).collect::<Vec<i64>>();
    assert!(amounts(&window).is_sorted());
    click(&mut window, Role::ColumnHeader, "Amount");
    assert!(amounts(&window).is_sorted_by(|a, b| b <= a));
    click(&mut window, Role::ColumnHeader, "Amount");
    assert_eq!(ledger_rows(&window), before);
}

/// What a panel that explains a figure leads to.
#[test]
fn the_ledger_opens_on_given_postings_of_one_placement_or_of_all() {
    use outlay::analysis::postings::{Dimension, Filter};
    let mut window = window();
    let filter = Filter::default().or(Dimension::Placement, "cloud").or(Dimension::Category, "Network");
    window.state_mut().show_postings(filter);
    window.run();
    let evaluation = outlay::engine::evaluate(window.state().scenario()).expect("it has figures");
    let of = |place: usize| evaluation.placements[place].by_category[2].amounts.total.minor();
    assert_eq!(i128::from(cents(&total_shown(&window))), of(2));
    let chosen = window.get_by_role_and_label(Role::ComboBox, "Placement").value();
    assert_eq!(chosen.as_deref(), Some("C All in the cloud"));
    window.state_mut().show_postings(Filter::default().or(Dimension::Category, "Network"));
    window.run();
    assert_eq!(i128::from(cents(&total_shown(&window))), (0..6).map(of).sum::<i128>());
    // An edit elsewhere leaves the question as it is.
    page(&mut window, "Evidence");
    change_price(&mut window, "1");
    page(&mut window, "Ledger");
    assert_eq!(window.get_by_role_and_label(Role::ComboBox, "Category").value().as_deref(), Some("Network"));
}
