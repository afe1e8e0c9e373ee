//! What is drawn, over every page and theme: whether it can be read, whether it is whole, whether it stays where it is.
//!
//! The shapes of a frame are looked at before any renderer has them.

use egui::{Color32, Pos2, Rect, Shape};

use crate::support::*;

/// A run of letters of one colour in one line.
struct Run {
    text: String,
    rect: Rect,
    clip: Rect,
    ink: Color32,
    /// What lies beneath its middle.
    ground: Color32,
    is_elided: bool,
}

impl Run {
    fn is_seen(&self) -> bool {
        self.clip.contains(self.rect.center())
    }
}

fn over(above: Color32, below: Color32) -> Color32 {
    let share = 1.0 - f32::from(above.a()) / 255.0;
    let mix = |above: u8, below: u8| (f32::from(above) + f32::from(below) * share).round().min(255.0) as u8;
    Color32::from_rgb(mix(above.r(), below.r()), mix(above.g(), below.g()), mix(above.b(), below.b()))
}

/// Everything that is written, with what it is written on.
fn runs(window: &Window) -> Vec<Run> {
    let mut fills: Vec<(Rect, Color32)> = Vec::new();
    let mut runs = Vec::new();
    for clipped in &window.output().shapes {
        take(&clipped.shape, clipped.clip_rect, &mut fills, &mut runs);
    }
    runs
}

fn take(shape: &Shape, clip: Rect, fills: &mut Vec<(Rect, Color32)>, runs: &mut Vec<Run>) {
    match shape {
        Shape::Vec(shapes) => shapes.iter().for_each(|shape| take(shape, clip, fills, runs)),
        Shape::Rect(rect) if rect.fill.a() != 0 && rect.blur_width == 0.0 => {
            fills.push((rect.rect.intersect(clip), rect.fill));
        }
        Shape::Path(path) if path.closed && path.fill.a() != 0 => {
            fills.push((path.visual_bounding_rect().intersect(clip), path.fill));
        }
        Shape::Mesh(mesh) => {
            let colour = mesh.vertices.first().map(|vertex| vertex.color);
            if let Some(colour) = colour.filter(|colour| mesh.vertices.iter().all(|vertex| vertex.color == *colour)) {
                fills.push((mesh.calc_bounds().intersect(clip), colour));
            }
        }
        Shape::Text(text) => {
            let ground = |at: Pos2| {
                let under = fills.iter().filter(|(rect, _)| rect.contains(at));
                under.fold(Color32::WHITE, |below, (_, fill)| over(*fill, below))
            };
            let job = &text.galley.job;
            let section_at = |character: usize| {
                let byte = job.text.char_indices().nth(character).map_or(job.text.len(), |(byte, _)| byte);
                job.sections
                    .iter()
                    .position(|section| byte < section.byte_range.end.0)
                    .unwrap_or(job.sections.len() - 1)
            };
            let mut written = 0;
            for row in &text.galley.rows {
                let glyphs = row.glyphs.iter().enumerate().filter(|(_, glyph)| !glyph.chr.is_whitespace());
                let glyphs = glyphs.map(|(place, glyph)| (section_at(written + place), glyph));
                let mut glyphs = glyphs.collect::<Vec<_>>().into_iter().peekable();
                written += row.glyphs.len() + usize::from(row.ends_with_newline);
                while let Some((section, first)) = glyphs.next() {
                    let mut rect = first.logical_rect();
                    let mut letters = String::from(first.chr);
                    while let Some((_, next)) = glyphs.next_if(|(of, _)| *of == section) {
                        rect = rect.union(next.logical_rect());
                        letters.push(next.chr);
                    }
                    let format = &job.sections[section].format;
                    let own = text.override_text_color.unwrap_or(format.color);
                    let own = if own == Color32::PLACEHOLDER { text.fallback_color } else { own };
                    let rect = rect.translate(text.pos.to_vec2() + row.pos.to_vec2());
                    let ground = ground(rect.center());
                    let ink = over(own.gamma_multiply(text.opacity_factor), ground);
                    let is_elided = text.galley.elided || letters.ends_with('…');
                    runs.push(Run { text: letters, rect, clip, ink, ground, is_elided });
                }
            }
        }
        _ => {}
    }
}

/// The contrast of two colours as WCAG 2 counts it.
fn contrast(one: Color32, other: Color32) -> f32 {
    let luminance = |colour: Color32| {
        let linear = |part: u8| {
            let part = f32::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
    };
    let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
    if one < other { other / one } else { one / other }
}

/// The pages at the left, as the window names them.
fn pages(window: &Window) -> Vec<String> {
    let tabs = window.query_all_by(|node| node.role() == Role::Tab);
    let names: Vec<String> = tabs.filter_map(|tab| tab.accesskit_node().label()).collect();
    assert!(8 < names.len(), "{names:?}");
    names
}

fn platform(size: egui::Vec2) -> Window {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/regional-platform.ron"));
    let mut window = window_on(Some(path));
    window.set_size(size);
    window.run();
    window
}

const SMALL: egui::Vec2 = egui::vec2(1280.0, 800.0);

#[test]
fn everything_written_stands_out_from_what_it_is_written_on() {
    let mut window = platform(SMALL);
    let mut faint = std::collections::BTreeSet::new();
    for theme in ["Light", "Light, for a projector", "Dark"] {
        choose(&mut window, "View", theme);
        for name in &pages(&window) {
            page(&mut window, name);
            for run in runs(&window).iter().filter(|run| run.is_seen()) {
                let contrast = contrast(run.ink, run.ground);
                if contrast < 4.5 {
                    faint.insert(format!(
                        "{theme}, {name}: {:.2} {:?} on {:?} {}",
                        contrast, run.ink, run.ground, run.text
                    ));
                }
            }
        }
    }
    press(&mut window, Key::F5);
    for run in runs(&window).iter().filter(|run| run.is_seen()) {
        let contrast = contrast(run.ink, run.ground);
        if contrast < 7.0 {
            faint.insert(format!("presenter: {:.2} {:?} on {:?} {}", contrast, run.ink, run.ground, run.text));
        }
    }
    assert!(faint.is_empty(), "{faint:#?}");
}

/// All that is written, without its spaces and line ends.
fn written(window: &Window) -> String {
    runs(window).into_iter().map(|run| run.text).collect()
}

/// Text that runs out of its place is a defect. What is shortened for want of room says so, and is told whole on hover.
#[test]
fn nothing_written_is_cut_off() {
    let mut window = platform(SMALL);
    let mut cut = std::collections::BTreeSet::new();
    for name in &pages(&window) {
        page(&mut window, name);
        // The register is ordered by what is computed beside the window.
        wait_for(&mut window, |window| window.query_by_label_contains("computed:").is_none());
        window.run();
        for run in runs(&window).into_iter().filter(Run::is_seen) {
            if run.rect.min.x < run.clip.min.x - 1.0 || run.clip.max.x + 1.0 < run.rect.max.x {
                cut.insert(format!("{name}: {} at {:?} in {:?}", run.text, run.rect.x_range(), run.clip.x_range()));
            }
            if run.is_elided {
                let begins = run.text.trim_end_matches('…');
                let before = written(&window).matches(begins).count();
                window.hover_at(run.rect.center());
                window.run_steps(4);
                if written(&window).matches(begins).count() <= before {
                    cut.insert(format!("{name}: {} at {:?} is told nowhere", run.text, run.rect));
                }
                window.remove_cursor();
                window.run();
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

/// Whatever a person can act on says what it is. Scroll bars say what they are by what they are.
#[test]
fn everything_that_can_be_acted_on_has_a_name() {
    let mut window = platform(SMALL);
    let mut nameless = std::collections::BTreeSet::new();
    for name in &pages(&window) {
        page(&mut window, name);
        nameless.extend(without_name(&window).into_iter().map(|what| format!("{name}: {what}")));
    }
    for menu in ["File", "Edit", "View", "Insert", "Analyse", "Help"] {
        window.get_by_label(menu).click();
        window.run();
        nameless.extend(without_name(&window).into_iter().map(|what| format!("{menu}: {what}")));
        press(&mut window, Key::Escape);
    }
    for key in [Key::F5, Key::F6, Key::F1] {
        press(&mut window, key);
        nameless.extend(without_name(&window).into_iter().map(|what| format!("{key:?}: {what}")));
        press(&mut window, Key::Escape);
    }
    for key in [Key::N, Key::O, Key::K] {
        command(&mut window, key);
        nameless.extend(without_name(&window).into_iter().map(|what| format!("{key:?}: {what}")));
        press(&mut window, Key::Escape);
    }
    assert!(nameless.is_empty(), "{nameless:#?}");
}

fn without_name(window: &Window) -> Vec<String> {
    use egui::accesskit::Action;
    let nodes = window.query_all_by(|node| {
        let acts = node.data().supports_action(Action::Click) || node.data().supports_action(Action::Focus);
        acts && node.role() != Role::ScrollBar && node.label().is_none_or(|label| label.trim().is_empty())
    });
    nodes.map(|node| format!("{:?} {:?} at {:?}", node.accesskit_node().role(), node.value(), node.rect())).collect()
}

/// Where the columns of a page stand: the left edge of every heading and cell, by name.
fn columns(window: &Window) -> std::collections::BTreeMap<String, (i32, i32)> {
    let cells = window.query_all_by(|node| {
        matches!(node.role(), Role::ColumnHeader | Role::Cell | Role::Button) && node.label().is_some()
    });
    let place = |rect: Rect| (rect.min.x.round() as i32, rect.max.x.round() as i32);
    cells.map(|cell| (cell.accesskit_node().label().unwrap_or_default(), place(cell.rect()))).collect()
}

/// A number that grows a digit moves no column, and no card.
#[test]
fn no_column_jumps_when_a_number_grows() {
    let mut window = platform(SMALL);
    for name in ["Compare", "Ledger"] {
        change_price(&mut window, "310,000");
        page(&mut window, name);
        let before = columns(&window);
        page(&mut window, "Evidence");
        change_price(&mut window, "3,100,000");
        page(&mut window, name);
        let after = columns(&window);
        let moved: Vec<_> = before
            .iter()
            .filter_map(|(cell, place)| after.get(cell).filter(|now| *now != place).map(|now| (cell, place, now)))
            .collect();
        assert!(20 < before.len());
        assert!(moved.is_empty(), "{name}: {moved:#?}");
        command(&mut window, Key::Z);
        command(&mut window, Key::Z);
    }
}

/// What is edited shows its new figures in the frame that follows.
#[test]
fn an_edit_shows_its_figures_in_the_next_frame() {
    let mut window = platform(SMALL);
    let before = totals(&window);
    find(&mut window, "supply.node.price");
    let label = price(&window);
    focus(&mut window, &label);
    type_text(&mut window, "123,456");
    // The press, and the one after it. `step` draws one frame for each event.
    window.key_down(Key::Enter);
    window.step();
    window.step();
    assert_ne!(totals(&window), before);
}
