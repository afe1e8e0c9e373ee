//! Questions answered by evaluating a scenario many times.
//!
//! Nothing here knows a formula. An analysis names its evaluations; whoever asks runs them, and may do so on threads.

pub mod base_size;
pub mod cases;
pub mod compare;
pub mod cumulative;
pub mod density;
pub mod diff;
pub mod distribution;
pub mod draws;
pub mod explain;
pub mod figure;
pub mod line_totals;
pub mod map;
pub mod moves;
pub mod postings;
pub mod preference;
pub mod published;
pub mod range;
pub mod register;
pub mod shift;
pub mod spider;
pub mod switch_over;
pub mod tally;
pub mod tornado;
pub mod uncertainty;
pub mod unmoved;
pub mod worth;
