//! Values, ranges and evidence edited in the list of inputs, with undo and redo.

use crate::support::*;

#[test]
fn a_node_price_changed_by_keyboard_moves_the_totals_and_undo_takes_it_back() {
    let mut window = window();
    let before = totals(&window);
    assert_eq!(before.len(), 6);
    change_price(&mut window, "350,000");
    let label = price(&window);
    assert_eq!(value(&window, &label), "350,000");
    assert_ne!(totals(&window), before);
    assert!(window.state().unsaved());
    command(&mut window, Key::Z);
    assert_eq!(totals(&window), before);
    assert!(!window.state().unsaved());
    shifted_command(&mut window, Key::Z);
    assert_eq!(value(&window, &label), "350,000");
    command(&mut window, Key::Z);
    command(&mut window, Key::Y);
    assert_eq!(value(&window, &label), "350,000");
}

#[test]
fn both_keys_that_redo_are_named_where_keys_are() {
    let mut window = window();
    window.key_press_modifiers(Modifiers::SHIFT, Key::F1);
    window.run();
    window.get_by_label("Ctrl+Shift+Z, Ctrl+Y");
}

/// A slow frame, as over a remote desktop, brings many keys at once.
#[test]
fn keys_that_arrive_in_one_frame_are_taken_in_their_order() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    let enter = |pressed| egui::Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers: egui::Modifiers::NONE,
    };
    let typed = |text: &str| egui::Event::Text(text.into());
    let events = [typed("35"), typed("0k"), enter(true), enter(false), typed("3"), typed("60k")];
    window.input_mut().events.extend(events);
    window.run();
    let undone = |window: &mut Window| {
        press(window, Key::Escape);
        value(window, &label)
    };
    assert_eq!(value(&window, &label), "360k", "what came after Enter opens the cell again");
    assert_eq!(undone(&mut window), "350,000", "what came before Enter was committed");
    window.input_mut().events.extend([typed("=12"), typed("*1000"), enter(true)]);
    window.run();
    assert_eq!(value(&window, &label), "12,000");
}

#[test]
fn a_refused_text_stays_with_its_reason_and_leaves_the_model_untouched() {
    let mut window = window();
    let before = totals(&window);
    change_price(&mut window, "312,40.00");
    let label = price(&window);
    assert_eq!(value(&window, &label), "312,40.00");
    window.get_by_label_contains("A thousands separator needs three digits after it. The model still uses");
    assert_eq!(totals(&window), before);
    assert!(!window.state().unsaved());
    press(&mut window, Key::Escape);
    assert_ne!(value(&window, &label), "312,40.00");
    assert!(window.query_by_label_contains("A thousands separator").is_none());
}

#[test]
fn what_can_be_read_but_not_used_is_refused_too() {
    let mut window = window();
    let before = totals(&window);
    change_price(&mut window, "-5");
    window.get_by_label_contains("The model still uses");
    assert_eq!(totals(&window), before);
}

/// 5 instead of 300k: the range that the slip widened is there again, unless the slip was left to stand.
#[test]
fn a_slip_leaves_no_trace_in_the_range() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    let low = format!("{label}, low");
    let before = value(&window, &low);
    let enter = |window: &mut Window, label: &str, typed: &str| {
        focus(window, label);
        type_text(window, typed);
        press(window, Key::Enter);
    };
    enter(&mut window, &label, "5");
    assert_eq!(value(&window, &low), "5");
    window.get_by_label_contains(&format!("outside its range: low {before} → 5"));
    enter(&mut window, &label, "300k");
    assert_eq!(value(&window, &low), before);
    command(&mut window, Key::Z);
    assert_eq!((value(&window, &label), value(&window, &low)), ("5".to_owned(), "5".to_owned()));
    command(&mut window, Key::Y);
    assert_eq!((value(&window, &label), value(&window, &low)), ("300,000".to_owned(), before.clone()));
    command(&mut window, Key::Z);
    enter(&mut window, &format!("{label}, high"), "400k");
    enter(&mut window, &label, "300k");
    assert_eq!(value(&window, &low), "5", "another edit between: the wide range was meant");
}

#[test]
fn tab_commits_and_moves_on() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "=2*150k");
    press(&mut window, Key::Tab);
    assert_eq!(value(&window, &label), "300,000");
    assert!(window.get_by_role_and_label(Role::TextInput, &format!("{label}, low")).is_focused());
}

#[test]
fn arrows_step_the_last_digit_of_an_opened_cell() {
    let mut window = window();
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate");
    press(&mut window, Key::Enter);
    press(&mut window, Key::ArrowUp);
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate"), "9");
    assert_eq!(window.state().scenario().discounting.rate.value.to_string(), "0.09");
}

#[test]
fn arrows_move_from_a_selected_cell_to_its_neighbours() {
    let mut window = window();
    find(&mut window, "index");
    let focused = |window: &Window, label: &str| window.get_by_role_and_label(Role::TextInput, label).is_focused();
    focus(&mut window, "Index: colocation");
    press(&mut window, Key::ArrowDown);
    assert!(focused(&window, "Index: electricity"));
    press(&mut window, Key::ArrowRight);
    assert!(focused(&window, "Index: electricity, low"));
    press(&mut window, Key::ArrowUp);
    assert!(focused(&window, "Index: colocation, low"));
    assert!(!window.state().unsaved());
}

#[test]
fn a_range_is_entered_and_taken_away() {
    let mut window = window();
    find(&mut window, "discount rate");
    focus(&mut window, "Discount rate, high");
    type_text(&mut window, "15%");
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate, high"), "15");
    focus(&mut window, "Discount rate, high");
    press(&mut window, Key::Delete);
    press(&mut window, Key::Enter);
    assert_eq!(value(&window, "Discount rate, low"), "");
    assert!(window.state().scenario().discounting.rate.range().is_none());
}

#[test]
fn esc_closes_the_evidence_and_keeps_what_was_known() {
    let mut window = window();
    find(&mut window, "discount rate");
    window.get_by_label_contains("Discount rate, evidence:").click();
    window.run();
    window.get_by_label("Kind of evidence: Quoted").click();
    window.run();
    press(&mut window, Key::Escape);
    assert!(window.query_by_label("Kind of evidence: Quoted").is_none());
    assert!(!window.state().unsaved());
}

#[test]
fn going_to_another_page_keeps_what_was_typed() {
    let mut window = window();
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "333,333");
    command(&mut window, Key::Num1);
    assert!(window.query_by_role_and_label(Role::TextInput, &label).is_none(), "the page has changed");
    assert!(window.state().unsaved());
    page(&mut window, "Evidence");
    assert_eq!(value(&window, &label), "333,333");
}

#[test]
fn numbers_are_read_and_written_with_a_decimal_comma() {
    let mut window = window();
    choose(&mut window, "View", "1\u{a0}234,56");
    change_price(&mut window, "312 400,50");
    let label = price(&window);
    assert_eq!(value(&window, &label), "312\u{a0}400,50");
}

#[test]
fn evidence_is_entered_in_place_and_undone() {
    let mut window = window();
    find(&mut window, "discount rate");
    let evidence = |window: &Window| window.state().scenario().discounting.rate.evidence_kind();
    let before = evidence(&window);
    window.get_by_label_contains("Discount rate, evidence:").click();
    window.run();
    window.get_by_label("Kind of evidence: Quoted").click();
    window.run();
    window.get_by_label("Done").click();
    window.run();
    assert_eq!(evidence(&window), outlay::input::EvidenceKind::Quoted);
    command(&mut window, Key::Z);
    assert_eq!(evidence(&window), before);
}

/// What a person types into a cell, and what stands in it then: in one of money, and in one that is shown in percent.
#[test]
fn a_cell_takes_numbers_as_people_write_them() {
    let mut window = window();
    let types = |window: &mut Window, words: &str, label: &str, typed: &str, shown: &str| {
        focus(window, label);
        type_text(window, typed);
        press(window, Key::Enter);
        assert_eq!(value(window, label), shown, "{typed} in {words}");
    };
    find(&mut window, "supply.node.price");
    let price = price(&window);
    for (typed, shown) in [
        ("1,234.56", "1,234.56"),
        ("40k", "40,000"),
        ("1.2m", "1,200,000"),
        ("=12*730*0.65", "5,694.00"),
        ("=(1+2)*100k", "300,000"),
    ] {
        types(&mut window, "a price", &price, typed, shown);
    }
    find(&mut window, "");
    window.get_by_role_and_label(Role::TextInput, "Find an input").focus();
    window.run();
    command(&mut window, Key::A);
    type_text(&mut window, "index");
    for (typed, shown) in [("12", "12"), ("12%", "12"), ("12.5%", "12.5"), ("(4)", "(4)"), ("=1.5%*2", "3.0")] {
        types(&mut window, "an index", "Index: hardware", typed, shown);
    }
}

#[test]
fn a_sum_stays_as_a_note_in_the_history_and_on_the_cell() {
    let mut window = window();
    change_price(&mut window, "=2*150k");
    let label = price(&window);
    window.get_by_label_contains("→ 300,000 (=2*150k)");
    window.get_by_role_and_label(Role::TextInput, &label).hover();
    // What is told on hover waits for a moment in which the pointer rests.
    for _ in 0..30 {
        window.step();
    }
    window.get_by_label_contains("typed as =2*150k");
}

/// What is opened beneath a line stays where it is, however often it is drawn.
#[test]
fn an_input_opened_in_the_details_of_a_line_is_reached() {
    let mut window = window_on(Some("scenarios/guide-example.ron".into()));
    command(&mut window, Key::Num4);
    // The first sheet is that of cost lines, the second that of performance.
    window.query_all_by_role_and_label(Role::Button, "Details").next().expect("a sheet has details").scroll_to_me();
    window.run();
    window.query_all_by_role_and_label(Role::Button, "Details").next().expect("a sheet has details").click();
    window.run();
    let mark = |window: &Window| {
        let marks = window.query_all_by(|node| {
            node.role() == Role::Button
                && node.label().is_some_and(|label| label.contains(": rate · Owned nodes, evidence"))
        });
        marks.filter_map(|mark| mark.accesskit_node().label()).next().unwrap_or_else(|| panic!("{:?}", read(window)))
    };
    let mark = mark(&window);
    window.get_by_role_and_label(Role::Button, &mark).scroll_to_me();
    window.run();
    window.get_by_role_and_label(Role::Button, &mark).click();
    window.run();
    let done = window.get_by_role_and_label(Role::Button, "Done").rect();
    window.run_steps(30);
    assert_eq!(window.get_by_role_and_label(Role::Button, "Done").rect(), done);
    let mark = window.get_by_role_and_label(Role::Button, &mark).rect();
    assert!(done.min.y - mark.max.y < 500.0, "{mark:?} {done:?}");
}
