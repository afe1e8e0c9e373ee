//! Sentences and formulas in words: what stands beside a figure wherever one is shown, and the pages of `docs/`.
//!
//! Nothing here computes a figure, or knows where on a page or in an answer a text stands.

mod conventions;
pub mod counted;
pub mod difference;
pub mod draws;
pub mod drivers;
mod formula;
mod inputs_page;
mod method_page;
mod shift;
pub mod values;

/// What is said where no placement meets the service, in two sentences.
pub const NONE_CHEAPEST: (&str, &str) =
    ("No placement can be called cheapest.", "Each leaves more demand unmet than is accepted.");

pub use conventions::{Convention, conventions};
pub use formula::{Phrasing, Wording, sentence};
pub use inputs_page::inputs_page;
pub use method_page::{MethodPage, Source, method_page};
pub use shift::{Naming, shift};
