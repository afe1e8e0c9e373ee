//! The command: arguments to a call, and the answer to a stream and an exit code.
//!
//! Files are opened here and in the window, and nowhere else. Nothing here computes a figure.

pub mod analyses;
mod chart;
pub mod parallel;
mod run;
mod text;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::analysis::explain::Measure;
use crate::analysis::map::MOST_STEPS;
use crate::analysis::postings::Dimension;
use crate::analysis::uncertainty::MOST_DRAWS;
use crate::scenario::problem::{self, in_text};
use crate::scenario::{Problem, Syntax, decode};

/// Decides where GPU work should run and what that will cost over its life, to the minor unit.
///
/// Without a command the window opens, with FILE in it where one is given.
#[derive(Parser, Debug)]
#[command(name = "outlay", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// The scenario to open in the window (.ron, .outlay or .json)
    file: Option<PathBuf>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Errors, or warnings, inputs that move nothing and categories with nothing entered
    Check(Scenario),
    /// Every figure of every placement
    Evaluate(Scenario),
    /// Every posting of one placement; or postings of any, filtered, grouped and crossed
    Ledger {
        #[command(flatten)]
        scenario: Scenario,
        #[command(flatten)]
        asked: Postings,
    },
    /// Why a figure is what it is: its formula with numbers, its postings, and the inputs it rests on
    ///
    /// Without --figure it explains the postings of a placement that are everything that is said: an environment, a
    /// category, a line, a year.
    Explain {
        #[command(flatten)]
        scenario: Scenario,
        /// The id of the placement
        #[arg(long, value_name = "ID")]
        placement: String,
        /// The id of an environment
        #[arg(long, value_name = "ID", conflicts_with = "figure")]
        environment: Option<String>,
        /// A category, as in the result: Hardware, ServiceCharges …
        #[arg(long, value_name = "CATEGORY", conflicts_with = "figure")]
        category: Option<String>,
        /// The id of a cost line
        #[arg(long, value_name = "ID", conflicts_with = "figure")]
        line: Option<String>,
        /// A year of the horizon, from 1
        #[arg(long, value_name = "YEAR", conflicts_with = "figure")]
        year: Option<u32>,
        /// Any other figure, by its path in the result, with ids in place of positions, months and years from 0:
        /// workloads.ID.cost_per_output,
        /// environments.ID.nodes.MONTH, exposures.idle_commitment …
        #[arg(long, value_name = "PATH")]
        figure: Option<String>,
    },
    /// What each input moves, from its low to its high, largest first
    Tornado {
        #[command(flatten)]
        scenario: Scenario,
        /// The id of the placement
        #[arg(long, value_name = "ID")]
        placement: String,
        /// The id of a placement whose figure is subtracted
        #[arg(long, value_name = "ID")]
        against: Option<String>,
        #[arg(long, value_name = "FIGURE", default_value = "present_value", help = FIGURES)]
        figure: String,
    },
    /// The values of an input at which two placements cost the same: every crossing in its range, jumps included
    SwitchOver {
        #[command(flatten)]
        scenario: Scenario,
        /// The path of an input with a range, or `groups.` and the id of a group
        path: String,
        /// The id of the one placement
        #[arg(long, value_name = "ID")]
        between: String,
        /// The id of the other placement
        #[arg(long, value_name = "ID")]
        and: String,
        #[arg(long, value_name = "FIGURE", default_value = "present_value", help = FIGURES)]
        figure: String,
    },
    /// A figure over a grid of two inputs, and which placement is preferred where
    Map {
        #[command(flatten)]
        scenario: Scenario,
        /// The path of the input across: one with a range, or `groups.` and the id of a group
        #[arg(value_name = "PATH")]
        across: String,
        /// The path of the input down
        #[arg(value_name = "PATH")]
        down: String,
        #[arg(long, value_name = "FIGURE", default_value = "present_value", help = FIGURES)]
        figure: String,
        /// Steps into which each range is divided
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u32>(1, MOST_STEPS.into()), allow_negative_numbers = true)]
        steps: u32,
    },
    /// Draws over every stated range: percentiles, who is cheapest how often, regret, and what measuring would be worth
    ///
    /// A large batch is divided with --part among machines or by a scheduler, and joined with --merge to exactly the answer of
    /// one run.
    Uncertainty {
        /// The scenario (.ron, .outlay or .json); with --merge it may be left out
        #[arg(required_unless_present = "merge")]
        file: Option<PathBuf>,
        #[command(flatten)]
        how: How,
        #[command(flatten)]
        asked: Draws,
    },
    /// What a placement costs with every number of nodes of one environment, and the rule of thumb beside it
    BaseSize {
        #[command(flatten)]
        scenario: Scenario,
        /// The id of the placement
        #[arg(long, value_name = "ID")]
        placement: String,
        /// The id of a dedicated or bare-metal environment in which it runs work
        #[arg(long, value_name = "ID")]
        environment: String,
    },
    /// Every placement in every case, with regret
    Cases(Scenario),
    /// What differs between two scenarios, and what each difference moves
    Diff {
        /// The scenario to start from
        #[arg(value_name = "A")]
        first: PathBuf,
        /// The scenario to compare it with
        #[arg(value_name = "B")]
        second: PathBuf,
        #[command(flatten)]
        how: How,
    },
    /// Results that others have printed, beside what is computed here from the same inputs
    Published {
        /// How the answer is written
        #[arg(long, value_enum, default_value_t = Format::Text)]
        format: Format,
    },
    /// A chart as a picture in SVG or PNG, or its table as CSV
    Export(chart::Asked),
    /// The JSON Schema of a scenario
    Schema,
}

/// What `--figure` takes.
const FIGURES: &str =
    "total, present_value, equivalent_annual_cost, cost_per_output.WORKLOAD or levelised_cost_per_output.WORKLOAD";

/// A scenario, and how to change and show it.
#[derive(Args, Debug)]
struct Scenario {
    /// The scenario (.ron, .outlay or .json)
    file: PathBuf,
    #[command(flatten)]
    how: How,
}

#[derive(Args, Debug)]
struct How {
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The id of a case whose values replace those of the base
    #[arg(long, value_name = "ID")]
    case: Option<String>,
    /// Replaces the value of one input; may be given several times
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
}

/// Which draws, and what to do with them.
#[derive(Args, Debug)]
struct Draws {
    /// How many draws
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number::<u64>(1, MOST_DRAWS), allow_negative_numbers = true)]
    draws: u64,
    /// The number from which all draws follow
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    seed: u64,
    #[arg(long, value_name = "FIGURE", default_value = "present_value", help = FIGURES)]
    figure: String,
    /// The id of a placement: tells by how much the others differ from it, and what drives that
    #[arg(long, value_name = "ID")]
    against: Option<String>,
    /// Writes this draw, counted from 1, as a scenario instead
    #[arg(long, value_name = "K", conflicts_with_all = ["part", "merge"], value_parser = number::<u64>(1, MOST_DRAWS), allow_negative_numbers = true)]
    draw: Option<u64>,
    /// Computes this part alone, of so many, and writes what was counted for --merge; for example 3/16
    #[arg(long, value_name = "K/M", value_parser = part, conflicts_with = "merge")]
    part: Option<PartOf>,
    /// Joins the parts in these files, every one of them
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["draws", "seed", "figure", "against", "case", "set", "threads"])]
    merge: Vec<PathBuf>,
    /// Threads to compute on; without it, as many as the machine runs at once
    #[arg(long, value_name = "N", value_parser = number::<u16>(1, u16::MAX.into()), allow_negative_numbers = true)]
    threads: Option<u16>,
}

/// What reads a whole number within bounds, and says what is wanted where it is none.
fn number<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    low: u64,
    high: u64,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| low <= *number && *number <= high);
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| format!("give a whole number from {low} to {high}, written with digits alone"))
    }
}

/// A part, from 1, of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct PartOf {
    part: u64,
    of: u64,
}

fn part(text: &str) -> Result<PartOf, String> {
    let numbers = text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((part, of)) if 1 <= part && part <= of => Ok(PartOf { part, of }),
        _ => Err("write the number of the part, /, and how many there are, for example 3/16".into()),
    }
}

/// Which postings, and how they are put together.
#[derive(Args, Debug)]
struct Postings {
    /// The id of a placement; may be given several times, and left out with --group and --pivot for all of them
    #[arg(long, value_name = "ID")]
    placement: Vec<String>,
    #[arg(long = "where", value_name = "DIMENSION=VALUE", value_parser = condition, help = format!(
        "Only postings with this value; several values of one dimension are alternatives, different dimensions all hold. \
         Dimensions are {}", dimensions()
    ))]
    conditions: Vec<(Dimension, String)>,
    /// Only postings whose line has all of these words in its label or id
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    search: String,
    /// Subtotals by one dimension, or by several, one inside the other
    #[arg(long, value_name = "DIMENSION", value_delimiter = ',', value_parser = Dimension::named)]
    group: Vec<Dimension>,
    /// A table of one or more dimensions down and one across, for example category:fiscal_year
    #[arg(long, value_name = "DOWN[,DOWN]:ACROSS", value_parser = crossing, conflicts_with = "group")]
    pivot: Option<Crossing>,
    #[arg(long, value_name = "MEASURE", default_value = "total", value_parser = Measure::named,
        help = "What a pivot adds up: total or present_value")]
    measure: Measure,
}

/// The dimensions of a pivot.
#[derive(Clone, Debug)]
struct Crossing {
    down: Vec<Dimension>,
    across: Dimension,
}

fn dimensions() -> String {
    Dimension::ALL.iter().map(|dimension| dimension.name()).collect::<Vec<_>>().join(", ")
}

fn condition(text: &str) -> Result<(Dimension, String), String> {
    let Some((dimension, value)) = text.split_once('=').filter(|(_, value)| !value.trim().is_empty()) else {
        return Err("write a dimension, =, and a value, for example category=Power".into());
    };
    Ok((Dimension::named(dimension.trim())?, value.trim().into()))
}

fn crossing(text: &str) -> Result<Crossing, String> {
    let Some((down, across)) = text.split_once(':') else {
        return Err("write what stands down, :, and what stands across, for example category:fiscal_year".into());
    };
    let down: Vec<Dimension> = down.split(',').map(|name| Dimension::named(name.trim())).collect::<Result<_, _>>()?;
    let across = Dimension::named(across.trim())?;
    if down.contains(&across) {
        return Err(format!("{} stands down and across; name two different dimensions", across.name()));
    }
    Ok(Crossing { down, across })
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    /// To be read
    Text,
    /// Stable names, for programs
    Json,
    /// A table, for spreadsheets
    Csv,
}

fn setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => Ok((path.trim().into(), value.trim().into())),
        _ => Err("write the path of an input, =, and a value, for example discounting.rate=0.09".into()),
    }
}

/// What the caller of the command has to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// End with this exit code.
    Exit(u8),
    /// Open the window.
    Window(Option<PathBuf>),
}

const SUCCESS: u8 = 0;
const FAILURE: u8 = 1;
const USAGE: u8 = 2;

/// Runs the command on arguments, the first of which is the name of the program.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write, err: &mut dyn Write) -> Next {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let first = arguments.get(1).map(PathBuf::from).filter(|first| !first.to_string_lossy().starts_with('-'));
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(Arguments { command: Some(command), .. }) => Ok(command),
        Ok(Arguments { command: None, file }) => Err((file, None)),
        Err(error) => Err((first, Some(error))),
    };
    let command = match arguments {
        Ok(command) => command,
        Err((file, error)) => {
            // A word that is no command is not taken for a file that is not there.
            if let Some(sentence) = file.as_deref().and_then(neither_command_nor_file) {
                let _ = writeln!(err, "{sentence}");
                return Next::Exit(USAGE);
            }
            let Some(error) = error else { return Next::Window(file) };
            let is_answer = !error.use_stderr();
            let text = error.render().to_string();
            let _ = if is_answer { out.write_all(text.as_bytes()) } else { err.write_all(text.as_bytes()) };
            return Next::Exit(if is_answer { SUCCESS } else { USAGE });
        }
    };
    let (answer, code) = match run::answer(command) {
        Ok(answer) => (answer, SUCCESS),
        Err(refusal) => {
            let run::Refusal { on_stdout, on_stderr, code } = refusal;
            let _ = err.write_all(on_stderr.as_bytes());
            (on_stdout, code)
        }
    };
    match out.write_all(answer.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Next::Exit(code),
        // Whoever read the answer has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Next::Exit(code),
        Err(error) => {
            let _ = writeln!(err, "outlay: the answer could not be written. {}", said(&error));
            Next::Exit(FAILURE)
        }
    }
}

/// What is said of a word that names no scenario file and no command, but was meant as one of them.
fn neither_command_nor_file(word: &Path) -> Option<String> {
    let known = Arguments::command();
    let names: Vec<&str> = known.get_subcommands().map(clap::Command::get_name).collect();
    let is_command = names.iter().chain(&["help"]).any(|name| word.as_os_str() == *name);
    if is_command || Syntax::of_path(word).is_ok() || word.exists() {
        return None;
    }
    let word = word.display().to_string();
    let meant = problem::nearest(&word, names.iter().copied()).map(|near| format!(" Did you mean `{near}`?"));
    Some(format!(
        "outlay: {word:?} is neither a command nor a file.{} Commands are {}; `outlay --help` says the rest.",
        meant.unwrap_or_default(),
        names.join(", "),
    ))
}

/// What a system says of a file, as a sentence.
#[must_use]
pub fn said(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "There is no such file or folder.".to_owned(),
        io::ErrorKind::PermissionDenied => "This account may not do that here.".to_owned(),
        io::ErrorKind::StorageFull => "The disk is full.".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "The disk can only be read.".to_owned(),
        io::ErrorKind::IsADirectory => "That is a folder.".to_owned(),
        io::ErrorKind::NotADirectory => "A part of the path is a file, not a folder.".to_owned(),
        io::ErrorKind::InvalidFilename => "The system does not accept the name.".to_owned(),
        _ => format!("The system says: {}.", plain(&error.to_string())),
    }
}

/// The words of a system without the number it gives them.
fn plain(words: &str) -> &str {
    words.split_once(" (os error ").map_or(words, |(words, _)| words).trim_end_matches('.')
}

/// The text of a scenario file and its syntax.
///
/// # Errors
/// A sentence about the file that cannot be read.
fn text_of(path: &Path) -> Result<(String, Syntax), Problem> {
    let syntax = Syntax::of_path(path)?;
    let bytes = std::fs::read(path).map_err(|error| in_text(None, said(&error)))?;
    decode(&bytes).map(|text| (text.to_owned(), syntax))
}
