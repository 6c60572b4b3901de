//! Summaries of a machine: what each call and its matching return connect.
//!
//! Only entries are sources (thesis, §6.2.1; the tabulation of Reps, Horwitz and Sagiv). Two
//! ways to the same set: [in rounds](rounds), where all entries go through the graph 512 at a
//! time and the summaries that come out are put in, which suits wide and shallow graphs; and
//! [one fact at a time](facts), which suits deep ones. Rounds that cost more than facts would
//! have cost so far give way.
//!
//! Neither is known to be better before it has been tried. Facts are tried first, for a moment:
//! most graphs of programs are solved by then.

mod facts;
mod known;
mod rounds;

use crate::{
    Machine,
    meter::{Halt, Meter},
};

pub(crate) use known::Known;

/// Steps for which facts are tried before rounds: some hundredths of a second.
const A_MOMENT: u64 = 2_000_000;

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

/// The summaries of a machine, in no order.
pub(crate) fn summaries(
    machine: &Machine,
    way: Way,
    threads: usize,
    meter: &Meter<'_>,
) -> Result<Known, Halt> {
    let mut known = Known::new(machine, meter)?;
    let done = match way {
        Way::Rounds => rounds::rounds(machine, way, threads, &mut known, meter)?,
        Way::Facts => false,
        Way::Both => {
            facts::facts(machine, A_MOMENT, &mut known, meter)?
                || rounds::rounds(machine, way, threads, &mut known, meter)?
        }
    };
    if !done {
        facts::facts(machine, u64::MAX, &mut known, meter)?;
    }
    Ok(known)
}
