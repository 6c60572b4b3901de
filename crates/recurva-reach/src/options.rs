//! How to solve, and why there may be no answer.

use std::fmt;

use crate::{OutOfMemory, meter::Halt};

/// How the pairs are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// The first of [`Dyck`](Self::Dyck), [`Closure`](Self::Closure),
    /// [`Summaries`](Self::Summaries) and [`Worklist`](Self::Worklist) that fits.
    #[default]
    Auto,
    /// One fact at a time with hash tables: the reference, slow. For graphs.
    Naive,
    /// The thesis' worklist with set differences, for any grammar. For graphs.
    Worklist,
    /// Summaries of calls from entries, then a closure: rounds, and facts where rounds do not
    /// pay.
    Summaries,
    /// Summaries in rounds only.
    Rounds,
    /// Summaries by single facts only.
    Facts,
    /// Closure alone: for regular languages and machines without calls.
    Closure,
    /// Union-find: for a Dyck language whose brackets are each other's reverse. For graphs.
    Dyck,
    /// One depth-first search: for machines whose stack is bounded.
    Bounded,
    /// Components one after the other: for machines without recursion.
    Hierarchical,
}

impl Algorithm {
    /// All of them, with the names they have on the command line.
    pub const ALL: [(&'static str, Algorithm); 10] = [
        ("auto", Algorithm::Auto),
        ("naive", Algorithm::Naive),
        ("worklist", Algorithm::Worklist),
        ("summaries", Algorithm::Summaries),
        ("rounds", Algorithm::Rounds),
        ("facts", Algorithm::Facts),
        ("closure", Algorithm::Closure),
        ("dyck", Algorithm::Dyck),
        ("bounded", Algorithm::Bounded),
        ("hierarchical", Algorithm::Hierarchical),
    ];

    /// The name it has on the command line.
    pub fn name(self) -> &'static str {
        let entry = Algorithm::ALL.iter().find(|entry| entry.1 == self);
        entry.map_or("auto", |entry| entry.0)
    }
}

/// Which runs of a recursive state machine count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Those that end with the stack they began with.
    Same,
    /// All: calls may be pending at the end.
    Any,
}

/// How to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How the pairs are found.
    pub algorithm: Algorithm,
    /// How many threads may work.
    pub threads: usize,
    /// How many bytes may be held at a time, the graph included.
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            algorithm: Algorithm::Auto,
            threads: 2,
            memory: u64::MAX,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The algorithm that was asked for cannot solve this.
    DoesNotApply {
        /// Which one.
        algorithm: Algorithm,
        /// Why not.
        why: String,
    },
    /// The graph times the automata of the grammar has 2^32 nodes or more.
    TooLarge,
    /// The limit on memory was hit.
    OutOfMemory(OutOfMemory),
    /// The tick said stop.
    Stopped,
}

impl From<Halt> for Error {
    fn from(halt: Halt) -> Self {
        match halt {
            Halt::Memory(error) => Error::OutOfMemory(error),
            Halt::Stopped => Error::Stopped,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::DoesNotApply { algorithm, why } => {
                write!(
                    f,
                    "the algorithm {} cannot solve this: {why}",
                    algorithm.name()
                )
            }
            Error::TooLarge => f.write_str(
                "the nodes of the graph times the states of the grammar are 2^32 or more",
            ),
            Error::OutOfMemory(error) => error.fmt(f),
            Error::Stopped => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for Error {}
