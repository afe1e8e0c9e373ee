//! Charts as files, through the command: pictures that other programs read, and tables.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use outlay::chart::{Kind, Scope};
use resvg::tiny_skia::Pixmap;
use resvg::usvg::roxmltree::Document;

const SCENARIO: &str = "scenarios/regional-platform.ron";
const UTILISATION: &str = "environments.chicago-owned.capacity.schedulable_utilisation";

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_outlay")).args(arguments).stdin(Stdio::null()).output().expect("the command runs")
}

/// Exports a chart and returns where it is.
fn exported(name: &str, more: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let written = path.display().to_string();
    let output = run(&[&["export", SCENARIO, &written], more].concat());
    assert_eq!(output.status.code(), Some(0), "{more:?}: {}", String::from_utf8_lossy(&output.stderr));
    (folder, path)
}

fn of(kind: Kind) -> Vec<&'static str> {
    let placement: &[&str] = match kind.scope() {
        Scope::Scenario => &[],
        Scope::Placement | Scope::Environment => &["--placement", "own"],
        Scope::Analysis => match kind {
            Kind::SwitchOver => &["--input", "discounting.rate"],
            Kind::Map => &["--input", "discounting.rate", "--input", UTILISATION, "--steps", "3"],
            Kind::BaseSize => &["--placement", "base-and-burst"],
            Kind::Cases => &[],
            _ => &["--placement", "own"],
        },
        Scope::Draws => &["--placement", "own", "--draws", "64"],
    };
    [&["--chart", kind.name()], placement].concat()
}

#[test]
fn every_chart_is_a_picture_that_parses_and_has_its_title_as_text() {
    for &kind in Kind::ALL {
        let (_folder, path) = exported("chart.svg", &of(kind));
        let text = std::fs::read_to_string(path).expect("a text");
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", kind.name()));
        let texts: Vec<&str> =
            document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
        assert!(texts.iter().any(|text| text.starts_with(kind.title())), "{}: {texts:?}", kind.name());
        assert!(texts.iter().any(|text| text.contains("730 h a month")), "{}: its conventions", kind.name());
    }
}

#[test]
fn a_picture_shows_the_figures_of_the_results() {
    let (_folder, path) = exported("chart.svg", &of(Kind::Cumulative));
    let text = std::fs::read_to_string(path).expect("a text");
    let scenario = std::fs::read_to_string(SCENARIO).expect("a scenario");
    let opened = outlay::engine::open(&scenario, outlay::scenario::Syntax::Ron).expect("a scenario");
    for result in &opened.evaluation.placements {
        let total = outlay::show::Figures::default().brief(result.totals.total.minor(), 2);
        assert!(text.contains(&format!(">{total}<")), "{total} of {} is not in the picture", result.name);
    }
}

#[test]
fn a_png_has_two_pixels_to_a_point_and_is_not_blank() {
    for kind in [Kind::Categories, Kind::Cumulative, Kind::Capacity, Kind::Load] {
        let (_folder, svg) = exported("chart.svg", &of(kind));
        let (_other, png) = exported("chart.png", &of(kind));
        let text = std::fs::read_to_string(svg).expect("a text");
        let parsed = Document::parse(&text).expect("an SVG");
        let root = parsed.root_element();
        let points = |name: &str| -> f32 { root.attribute(name).and_then(|text| text.parse().ok()).expect("a size") };
        let pixels = Pixmap::decode_png(&std::fs::read(png).expect("a file")).expect("a PNG");
        let near = |a: u32, b: f32| (f64::from(a) - f64::from(b)).abs() <= 1.0;
        assert!(near(pixels.width(), points("width") * 2.0) && near(pixels.height(), points("height") * 2.0));
        let mut colours: Vec<_> = pixels.pixels().iter().map(|p| (p.red(), p.green(), p.blue())).collect();
        colours.sort_unstable();
        colours.dedup();
        assert!(colours.len() > 40, "{}: {} colours", kind.name(), colours.len());
        // Texts are set: nothing but letters is as dark as the ink of the text in the strip of the title.
        let title = pixels.pixels().iter().take(pixels.width() as usize * 60);
        assert!(title.filter(|p| p.red() < 0x40).count() > 200, "{}: the title is not drawn", kind.name());
    }
}

#[test]
fn the_table_of_a_chart_has_exact_amounts() {
    let (_folder, path) = exported("chart.csv", &of(Kind::Split));
    let text = std::fs::read_to_string(path).expect("a text");
    let scenario = std::fs::read_to_string(SCENARIO).expect("a scenario");
    let opened = outlay::engine::open(&scenario, outlay::scenario::Syntax::Ron).expect("a scenario");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    let fixed = rows.iter().find(|row| row[0] == "Fixed").expect("a row of fixed cost");
    for (place, result) in opened.evaluation.placements.iter().enumerate() {
        assert_eq!(fixed[place + 1], outlay::show::plain(result.fixed.minor(), 2));
    }
}

#[test]
fn what_cannot_be_exported_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let cases: [(&str, &[&str], i32, &str); 8] = [
        ("chart.svg", &["--chart", "map", "--input", UTILISATION], 2, "name both inputs of the map"),
        ("chart.svg", &["--chart", "switch-over"], 2, "name the input of the switch-over"),
        ("chart.svg", &["--chart", "cases", "--input", UTILISATION], 2, "leave --input out"),
        ("chart.pdf", &["--chart", "cumulative"], 2, "in .svg or .png, or as its table in .csv"),
        ("chart.svg", &["--chart", "pie"], 2, "charts are categories, cumulative"),
        ("chart.svg", &["--chart", "hours"], 2, "name the placement of the chart with --placement"),
        ("chart.svg", &["--chart", "hours", "--placement", "ours"], 1, "name one of them"),
        ("missing/chart.svg", &["--chart", "cumulative"], 1, "There is no such file or folder"),
    ];
    for (name, more, code, sentence) in cases {
        let output = run(&[&["export", SCENARIO, &path(name)], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name} {more:?}: {said}");
        assert!(said.contains(sentence), "{name} {more:?}: {said}");
        assert!(!std::path::Path::new(&path(name)).exists(), "{name} {more:?} wrote a file");
    }
}
