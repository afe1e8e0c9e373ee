//! The scenario: what a person states, how it is read and written, what is wrong with it, and its inputs by path.
//!
//! Nothing here knows what a scenario costs.

pub mod document;

pub use document::*;
