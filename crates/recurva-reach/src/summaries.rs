//! Summaries of a machine: what each call and its matching return connect.
//!
//! Only entries are sources (thesis, §6.2.1; the tabulation of Reps, Horwitz and Sagiv). Two
//! ways to the same set: [in rounds](rounds), where all entries go through the graph 512 at a
//! time and the summaries that come out are put in, which suits wide and shallow graphs; and
//! [one fact at a time](facts), which suits deep ones. Rounds that cost more than facts would
//! have cost so far give way.

mod facts;
mod rounds;

use crate::{
    Machine, Summary,
    limits::{Limits, OutOfMemory},
};

/// How summaries are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Rounds, and facts when rounds do not pay.
    Both,
    /// Rounds only.
    Rounds,
    /// Facts only.
    Facts,
}

/// The summaries of a machine, each once, in no order.
pub(crate) fn summaries(
    machine: &Machine,
    way: Way,
    limits: &Limits,
) -> Result<Vec<Summary>, OutOfMemory> {
    let mut summaries = Vec::new();
    if way == Way::Facts || !rounds::rounds(machine, way, limits, &mut summaries)? {
        facts::facts(machine, limits, &mut summaries)?;
    }
    Ok(summaries)
}
