//! The program: the command, or the window where no command is given.

use std::io::{stderr, stdout};
use std::process::ExitCode;

use outlay::cli::{self, Next};

fn main() -> ExitCode {
    match cli::run(std::env::args_os(), &mut stdout().lock(), &mut stderr().lock()) {
        Next::Exit(code) => ExitCode::from(code),
        Next::Window(file) => match window(file) {
            Ok(()) => ExitCode::SUCCESS,
            Err(sentence) => {
                eprintln!("{sentence}");
                ExitCode::FAILURE
            }
        },
    }
}

#[cfg(feature = "gui")]
fn window(file: Option<std::path::PathBuf>) -> Result<(), String> {
    outlay::app::run(file)
}

#[cfg(not(feature = "gui"))]
fn window(_: Option<std::path::PathBuf>) -> Result<(), String> {
    Err("This build of Outlay has no window. Ask it a question instead, for example `outlay evaluate FILE`; `outlay --help` \
         lists the commands."
        .into())
}
