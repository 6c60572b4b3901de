//! Programs with calls, unrolled.
//!
//! [`search`] looks for a run to a target: loops are unrolled round by round, calls are put in place,
//! and runs that come to the same place are joined, so that one question to a solver is about all of
//! them. It finds deep runs where unknown values are large, and numbers that only arithmetic finds.
//!
//! [`search_and_prove`] goes on where that came to an end without a run: what it has seen at each node, said
//! about the variables there, is a proof, if the checker of proofs accepts it.
//!
//! [`prove`] guesses what holds in all runs, drops what does not follow from the rest, and gives out what
//! the checker of proofs accepts.

mod guess;
mod join;
mod live;
mod order;
mod place;
mod record;
mod relevant;
mod run;
mod said;
mod search;
mod unroll;
mod weaker;

pub use guess::{GuessConfig, GuessProgress, Proved, prove};
pub use search::{Config, Outcome, Progress, Reason, search, search_and_prove};
