//! Sentences and formulas in words: what stands beside a figure wherever one is shown.
//!
//! Nothing here computes a figure, or knows where on a page or in an answer a text stands.

mod conventions;
mod formula;

pub use conventions::{Convention, conventions};
pub use formula::{Phrasing, Wording};
