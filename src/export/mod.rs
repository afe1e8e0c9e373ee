//! Results as bytes for other programs.
//!
//! Nothing here computes a figure, or knows where the bytes go.

pub mod json;
pub mod log;
pub mod picture;
pub mod png;
pub mod svg;
pub mod tables;
