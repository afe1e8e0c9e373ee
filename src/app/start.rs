//! Opening the window: which renderer draws it, and what is said where none can.
//!
//! One renderer after the other is tried, each guarded, because a machine may have no graphics at all, an old OpenGL, or
//! a driver that fails. Nothing here knows what the window shows.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::rc::Rc;

use eframe::{NativeOptions, Renderer};

use super::App;

/// Opens the window on a scenario, or on the one that ships with the program. Returns when it is closed.
pub fn run(file: Option<PathBuf>) -> Result<(), String> {
    display_exists()?;
    let mut reasons = Vec::new();
    for renderer in renderers(std::env::var("OUTLAY_RENDERER").ok().as_deref()) {
        match attempt(renderer, file.clone()) {
            Attempt::Closed => return Ok(()),
            Attempt::Broken(reason) => return Err(reason),
            Attempt::Unavailable(reason) => reasons.push(format!("{renderer}: {reason}")),
        }
    }
    Err(format!("The window cannot be drawn on this machine ({}). {WITHOUT_A_WINDOW}", reasons.join("; ")))
}

const WITHOUT_A_WINDOW: &str =
    "Every figure can be had without a window: `outlay evaluate FILE` prints them, `outlay help` lists the commands.";

fn display_exists() -> Result<(), String> {
    let unix = cfg!(all(unix, not(target_os = "macos")));
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if unix && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Err(format!("There is no display to open a window on. {WITHOUT_A_WINDOW}"));
    }
    Ok(())
}

/// The renderers in the order in which they are tried. On Windows wgpu comes first: a remote desktop has no OpenGL that
/// would do. Elsewhere OpenGL starts faster and takes less memory, above all where a processor has to draw.
fn renderers(asked: Option<&str>) -> Vec<Renderer> {
    match asked {
        Some("glow") => vec![Renderer::Glow],
        Some("wgpu") => vec![Renderer::Wgpu],
        _ if cfg!(windows) => vec![Renderer::Wgpu, Renderer::Glow],
        _ => vec![Renderer::Glow, Renderer::Wgpu],
    }
}

enum Attempt {
    Closed,
    /// The window was open and failed: another renderer would not help, and unsaved work is gone.
    Broken(String),
    /// The window never opened.
    Unavailable(String),
}

fn attempt(renderer: Renderer, file: Option<PathBuf>) -> Attempt {
    let opened = Rc::new(Cell::new(false));
    let mark = Rc::clone(&opened);
    let run = move || {
        eframe::run_native(
            super::NAME,
            options(renderer),
            Box::new(move |context| {
                let app = App::started(&context.egui_ctx, context.storage, file);
                mark.set(true);
                Ok(Box::new(app))
            }),
        )
    };
    match (catch_unwind(AssertUnwindSafe(run)), opened.get()) {
        (Ok(Ok(())), _) => Attempt::Closed,
        (Ok(Err(error)), true) => Attempt::Broken(format!("The window was closed by a fault: {error}.")),
        (Ok(Err(error)), false) => Attempt::Unavailable(error.to_string()),
        (Err(_), true) => Attempt::Broken("The window was closed by a fault in the program.".to_owned()),
        (Err(_), false) => Attempt::Unavailable("the renderer failed while starting".to_owned()),
    }
}

fn options(renderer: Renderer) -> NativeOptions {
    let viewport = egui::ViewportBuilder::default()
        .with_title("Outlay")
        .with_app_id("outlay")
        .with_inner_size([1440.0, 900.0])
        .with_min_inner_size([800.0, 480.0])
        .with_icon(icon())
        .with_drag_and_drop(true);
    let mut options = NativeOptions { viewport, renderer, persist_window: true, ..NativeOptions::default() };
    options.multisampling = 0;
    options.dithering = false;
    if let eframe::egui_wgpu::WgpuSetup::CreateNew(setup) = &mut options.wgpu_options.wgpu_setup {
        setup.power_preference = eframe::wgpu::PowerPreference::LowPower;
        setup.instance_descriptor.backends = eframe::wgpu::Backends::from_env().unwrap_or(backends());
    }
    options
}

/// One family of drivers for each system: asking all of them costs most of a second, and on Windows OpenGL must never be
/// the one that answers.
const fn backends() -> eframe::wgpu::Backends {
    if cfg!(windows) {
        eframe::wgpu::Backends::DX12
    } else if cfg!(target_os = "macos") {
        eframe::wgpu::Backends::METAL
    } else {
        eframe::wgpu::Backends::VULKAN.union(eframe::wgpu::Backends::GL)
    }
}

/// Three bars on white, as on the page that opens first.
fn icon() -> egui::IconData {
    const SIDE: usize = 32;
    let palette = &super::theme::LIGHT;
    let bars = [(5, 14, palette.placement(0)), (13, 5, palette.placement(1)), (21, 10, palette.placement(4))];
    let pixel = |i: usize| {
        let (x, y) = (i % SIDE, i / SIDE);
        let bar = bars.iter().find(|(left, top, _)| (*left..left + 6).contains(&x) && (*top..27).contains(&y));
        bar.map_or(palette.surface, |(.., colour)| *colour).to_array()
    };
    let rgba = (0..SIDE * SIDE).flat_map(pixel).collect();
    egui::IconData { rgba, width: 32, height: 32 }
}
