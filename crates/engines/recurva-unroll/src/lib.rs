//! Programs with calls, unrolled.
//!
//! [`search`] looks for a run to a target: loops are unrolled round by round, calls are put in place,
//! and runs that come to the same place are joined, so that one question to a solver is about all of
//! them. It finds deep runs where unknown values are large, and numbers that only arithmetic finds.
//!
//! [`prove`] guesses what holds in all runs, drops what does not follow from the rest, and gives out what
//! the checker of proofs accepts.

mod guess;
mod order;
mod place;
mod relevant;
mod run;
mod search;
mod unroll;

pub use guess::{GuessConfig, GuessProgress, Proved, prove};
pub use search::{Config, Outcome, Progress, Reason, search};
