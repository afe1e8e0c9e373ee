//! What drives a decision, by the command and through the analyses that it runs.
//!
//! The scenarios in `tests/analyses` are so small that every answer follows by hand from the sentence in their notes.

mod asked;
mod crossings;
mod faults;
mod uncertainty;

#[path = "../support/mod.rs"]
mod support;
