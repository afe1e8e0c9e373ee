//! The window.
pub mod icons;
pub mod paint;
pub mod theme;
pub mod widgets;
