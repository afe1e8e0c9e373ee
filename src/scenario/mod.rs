//! The scenario: what a person states, how it is read and written, what is wrong with it, and its inputs by path.
//!
//! Nothing here knows what a scenario costs.

pub mod calendar;
pub mod diff;
pub mod document;
pub mod id;
pub mod inputs;
mod locate;
pub mod problem;
pub mod read;
pub mod structure;
pub mod templates;
pub mod validate;
pub mod write;

pub use document::*;
pub use inputs::{Change, InputRef};
pub use problem::{Position, Problem, Severity};
pub use read::{Syntax, decode, read};
pub use write::write;
