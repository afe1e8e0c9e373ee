//! From a scenario to its figures, in two steps: the scenario is compiled into a plan, and the plan is priced into the ledger.
//!
//! Nothing here knows how a scenario was read, or how a figure is shown.

pub mod result;
pub mod time;
pub mod demand;
pub mod capacity;
pub mod serving;
pub mod plan;
pub mod dedicated;
pub mod bare_metal;
pub mod cloud;
pub mod gpu_service;
pub mod lines;
pub mod ledger;
pub mod finance;
pub mod allocation;
pub mod exposure;
pub mod tax;
pub mod evaluate;
pub mod load;
pub mod open;
pub mod traced;
pub mod prepared;

pub use evaluate::{Base, Figure, FigureValue, Standing, evaluate, figure, standings};
pub use load::{Beyond, LoadDuration, LoadLevel, load_duration};
pub use open::{Opened, gaps, open};
pub use prepared::Prepared;
pub use result::*;
pub use traced::{Traced, traced};
