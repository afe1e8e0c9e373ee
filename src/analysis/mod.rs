//! Questions answered by evaluating a scenario many times.
//!
//! Nothing here knows a formula. An analysis names its evaluations; whoever asks runs them, and may do so on threads.

pub mod cases;
pub mod compare;
pub mod cumulative;
pub mod density;
pub mod diff;
pub mod explain;
pub mod figure;
pub mod line_totals;
pub mod postings;
pub mod published;
pub mod range;
pub mod register;
pub mod shift;
pub mod tornado;
pub mod unmoved;
