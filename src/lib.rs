//! Outlay: where an organisation's GPU work should run, and what that costs over its life, to the minor unit.
//!
//! The modules stand in the order of their dependence: each imports only from those above it, which a test reads from
//! this file. Everything before `cli` is a pure function of its arguments: it opens no file, reads no clock, starts no
//! thread and draws no random number that was not handed to it.

pub mod quantity;
pub mod input;
pub mod scenario;
pub mod engine;
pub mod analysis;
pub mod show;
pub mod words;
pub mod chart;
pub mod export;
pub mod cli;
#[cfg(feature = "gui")]
pub mod app;
