//! A chart as the bytes of a file: a picture in SVG or PNG, or its table.
//!
//! The kind of file follows from its name. Nothing here opens one.

use super::{png, svg, tables};
use crate::chart::palette::LIGHT;
use crate::chart::{Chart, Look};
use crate::quantity::Currency;
use crate::scenario::Scenario;
use crate::show::{Figures, letter};
use crate::words;

/// A kind of file that holds a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Svg,
    Png,
    /// The table of the chart.
    Csv,
}

impl Format {
    pub const ALL: [Self; 3] = [Self::Svg, Self::Png, Self::Csv];

    /// The end of the file's name.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Csv => "csv",
        }
    }

    /// The kind that a file's name asks for.
    ///
    /// # Errors
    /// A sentence that says which endings there are.
    pub fn of_extension(extension: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension())).ok_or_else(|| {
            "A chart is written as a picture in .svg or .png, or as its table in .csv; end the name in one of them."
                .to_owned()
        })
    }
}

/// How wide a picture is, in points; a PNG has two pixels to each.
const WIDTH: f32 = 960.0;
const SCALE: f32 = 2.0;

/// The name of a scenario and its conventions as one text, for the foot of a picture. `case` is what the values shown are
/// called: those of the base, of a case, or of levers that stand elsewhere.
#[must_use]
pub fn conventions(scenario: &Scenario, case: &str, figures: Figures) -> String {
    let text = |convention: words::Convention| match convention.name {
        "case" => format!("case: {case}"),
        _ => convention.text,
    };
    let texts: Vec<String> = words::conventions(scenario, None, figures).into_iter().map(text).collect();
    // The letters of a chart mean nothing to someone who has only the picture.
    let letters = scenario.placements.iter().enumerate().map(|(place, of)| format!("{} {}", letter(place), of.name));
    let letters: Vec<String> = letters.collect();
    format!("{}: {} · {}", scenario.name, letters.join(", "), texts.join(" · "))
}

/// The chart as a picture in SVG, with the conventions it holds under.
#[must_use]
pub fn picture(chart: &Chart, figures: Figures, conventions: &str) -> String {
    svg::svg(&chart.picture(WIDTH, Look::Desk, figures, conventions), &chart.title, &LIGHT)
}

/// The chart as pixels, for a clipboard.
///
/// # Errors
/// A sentence about what could not be drawn.
pub fn pixels(chart: &Chart, figures: Figures, conventions: &str) -> Result<png::Pixels, String> {
    png::pixels(&picture(chart, figures, conventions), SCALE)
}

/// The chart as the bytes of a file.
///
/// # Errors
/// As [`pixels`].
pub fn bytes(
    chart: &Chart,
    format: Format,
    (figures, currency): (Figures, Currency),
    conventions: &str,
) -> Result<Vec<u8>, String> {
    match format {
        Format::Svg => Ok(picture(chart, figures, conventions).into_bytes()),
        Format::Png => png::png(&picture(chart, figures, conventions), SCALE),
        Format::Csv => Ok(tables::csv(&chart.twin.plain(currency)).into_bytes()),
    }
}
