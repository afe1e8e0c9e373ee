//! From a scenario to its figures, in two steps: the scenario is compiled into a plan, and the plan is priced into the ledger.
//!
//! Nothing here knows how a scenario was read, or how a figure is shown.

pub mod result;

pub use result::*;
