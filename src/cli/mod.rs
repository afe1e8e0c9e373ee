//! The command: arguments to a call, and the answer to a stream and an exit code.
//!
//! Files are opened here and in the window, and nowhere else. Nothing here computes a figure.

pub mod parallel;
mod run;
mod text;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::scenario::problem::in_text;
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
    /// Every posting of one placement
    Ledger {
        #[command(flatten)]
        scenario: Scenario,
        /// The id of the placement
        #[arg(long, value_name = "ID")]
        placement: String,
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
        /// total, present_value, equivalent_annual_cost, cost_per_output.WORKLOAD or levelised_cost_per_output.WORKLOAD
        #[arg(long, value_name = "FIGURE", default_value = "present_value")]
        figure: String,
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
    /// The JSON Schema of a scenario
    Schema,
}

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
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let is_answer = !error.use_stderr();
            let text = error.render().to_string();
            let _ = if is_answer { out.write_all(text.as_bytes()) } else { err.write_all(text.as_bytes()) };
            return Next::Exit(if is_answer { SUCCESS } else { USAGE });
        }
    };
    let Some(command) = arguments.command else { return Next::Window(arguments.file) };
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
            let _ = writeln!(err, "outlay: the answer could not be written: {error}");
            Next::Exit(FAILURE)
        }
    }
}

/// The text of a scenario file and its syntax.
///
/// # Errors
/// A sentence about the file that cannot be read.
fn text_of(path: &Path) -> Result<(String, Syntax), Problem> {
    let shown = path.display();
    let extension = path.extension().map(|extension| extension.to_string_lossy().into_owned()).unwrap_or_default();
    let syntax = Syntax::of_extension(&extension).ok_or_else(|| {
        in_text(None, format!("{shown} is no scenario by its name. Scenarios end in .ron, .outlay or .json."))
    })?;
    let bytes = std::fs::read(path).map_err(|error| in_text(None, format!("{shown} cannot be read: {error}.")))?;
    decode(&bytes).map(|text| (text.to_owned(), syntax))
}
