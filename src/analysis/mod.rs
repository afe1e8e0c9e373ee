//! Questions answered by evaluating a scenario many times.
