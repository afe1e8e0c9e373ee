//! The tornado beside the window.

use crate::support::*;

#[test]
fn a_tornado_is_computed_beside_the_window_and_follows_the_scenario() {
    let (_folder, path) = folder();
    let mut window = window_on(Some(path));
    command_step(&mut window, Key::Num6);
    let bars = |window: &Window| {
        let bars = window.query_all_by(|node| node.label().is_some_and(|label| label.contains(", swing ")));
        bars.filter_map(|bar| bar.accesskit_node().label()).collect::<Vec<String>>()
    };
    let fresh = |window: &Window| window.query_by_label_contains("with a range move it").is_some();
    wait_for(&mut window, fresh);
    let before = bars(&window);
    assert!(3 <= before.len());
    change_price(&mut window, "100,000");
    command_step(&mut window, Key::Num6);
    // Whatever the computation is faster than: bars of the scenario before are never shown as those of this one.
    wait_for(&mut window, |window| {
        let is_marked = window.query_by_label_contains("out of date").is_some();
        let is_new = bars(window) != before;
        assert!(is_marked || is_new, "what was computed before stands there unmarked");
        is_new && !is_marked
    });
}
