//! Outlay.
