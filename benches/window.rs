//! How long a frame of the window takes with more than twenty thousand postings open, at 1920 × 1080.
//!
//! Figures alone; nothing here passes or fails. What a graphics card does afterwards is not counted.

use divan::Bencher;
use egui::{Context, Event, RawInput, Rect, pos2, vec2};
use outlay::analysis::postings::{Book, Filter};
use outlay::app::{App, install};
use outlay::engine::evaluate;
use outlay::scenario::{Scenario, Syntax, read, write};

fn main() {
    divan::main();
}

/// The shipped portfolio with every cost line four times over.
fn large() -> Scenario {
    let (mut scenario, _) = read(include_str!("../scenarios/regional-platform.ron"), Syntax::Ron).expect("it is valid");
    for environment in &mut scenario.environments {
        for copy in 1..4 {
            let mut lines = environment.costs.clone();
            lines.retain(|line| !line.id.ends_with("-copy"));
            lines.iter_mut().for_each(|line| line.id = format!("{}-{copy}-copy", line.id));
            environment.costs.extend(lines);
        }
    }
    scenario
}

struct Window {
    ctx: Context,
    app: App,
}

impl Window {
    fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.ron");
        std::fs::write(&path, write(&large(), Syntax::Ron)).expect("a file");
        let ctx = Context::default();
        install(&ctx);
        let mut app = App::on(Some(path));
        app.show_postings(Filter::default());
        let mut window = Self { ctx, app };
        for _ in 0..4 {
            window.frame(Vec::new());
        }
        window
    }

    fn frame(&mut self, events: Vec<Event>) -> usize {
        let screen = Rect::from_min_size(pos2(0.0, 0.0), vec2(1920.0, 1080.0));
        let input = RawInput { screen_rect: Some(screen), events, ..RawInput::default() };
        let app = &mut self.app;
        let mut output = self.ctx.run_ui(input, |ui| {
            app.step(ui.ctx());
            app.window_ui(ui);
        });
        // There is no graphics card to give them to.
        output.textures_delta.clear();
        self.ctx.tessellate(output.shapes, output.pixels_per_point).len()
    }
}

/// Budget: 4 ms.
#[divan::bench]
fn frame_at_rest(bencher: Bencher) {
    let mut window = Window::open();
    bencher.bench_local(|| window.frame(Vec::new()));
}

/// Budget: 4 ms. The rows in sight are others in every frame.
#[divan::bench]
fn frame_while_scrolling(bencher: Bencher) {
    let mut window = Window::open();
    window.frame(vec![Event::PointerMoved(pos2(900.0, 700.0))]);
    let wheel = || Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -60.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: egui::Modifiers::NONE,
    };
    bencher.bench_local(|| window.frame(vec![wheel()]));
}

/// Once for each change of the scenario, while the page is open.
#[divan::bench]
fn postings_of_a_new_evaluation(bencher: Bencher) {
    let scenario = large();
    let evaluation = evaluate(&scenario).expect("it has figures");
    let postings: usize = evaluation.placements.iter().map(|placement| placement.ledger.postings.len()).sum();
    assert!(20_000 <= postings, "{postings} postings");
    bencher.bench_local(|| Book::new(&scenario, &evaluation));
}
