//! Questions answered by evaluating a scenario many times.

pub mod compare;
