//! What comes out of a check.

use std::time::Duration;

use recurva_evidence::{Mismatch, Replayed};
use recurva_explicit::fair::Stack;
use recurva_logic::automaton::TooLarge;
use recurva_slice::Dropped;

/// The answer to a question about a program.
#[derive(Debug)]
pub enum Verdict<'p> {
    /// No run violates the property.
    Holds,
    /// A run violates it, and has been replayed.
    Violated(Box<Violation<'p>>),
    /// A run violates it, says the search; a limit was hit before the run was spelled out and
    /// replayed.
    Unfinished(Limit),
    /// A limit was hit first.
    Unknown(Limit),
}

/// A replayed counterexample.
#[derive(Debug)]
pub struct Violation<'p> {
    /// The trace with the result of its replay, ready to be walked.
    pub replayed: Replayed<'p>,
    /// Of a property of infinite runs: which violating runs there are, if others were looked for.
    pub kinds: Option<Kinds>,
}

/// Which infinite runs violate a property, as far as is known. Each is `None` if it is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds {
    /// Whether there are some whose stack stays bounded.
    pub finite: Option<bool>,
    /// Whether there are some whose stack diverges: more and more calls never return.
    pub diverging: Option<bool>,
}

/// Which limit ended a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The time given was used up.
    Time(Duration),
    /// The search held more than this many bytes.
    Memory(u64),
    /// The search ran out of 32-bit numbers for its path edges.
    PathEdges,
    /// The symbolic search ran out of numbers for the nodes of its decision diagrams.
    Nodes,
    /// The program's variables have more bits than decision diagrams can have variables.
    Bits,
    /// The formula's automaton is too large.
    Automaton(TooLarge),
    /// The watcher said stop.
    Interrupted,
}

/// What a check did, in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stats {
    /// Distinct states (control point and values, no stack).
    pub states: u64,
    /// Distinct path edges: a state together with the entry state of its invocation.
    pub path_edges: u64,
    /// Pairs of an entry and an exit state found to be connected.
    pub summaries: u64,
    /// The most nodes of decision diagrams there were at a time; 0 for an explicit search.
    pub nodes: u64,
    /// Wall-clock seconds, replay included.
    pub seconds: f64,
    /// The most bytes the search held at a time.
    pub peak_bytes: u64,
}

/// The whole result.
#[derive(Debug)]
pub struct Outcome<'p> {
    /// The answer.
    pub verdict: Verdict<'p>,
    /// The numbers.
    pub stats: Stats,
    /// The engine that answered, or could not.
    pub engine: &'static str,
    /// Of a property of infinite runs: which runs it was asked of.
    pub stack: Option<Stack>,
    /// What was dropped before the search, if the program was sliced.
    pub dropped: Option<Dropped>,
}

/// A fault of the checker itself: never a verdict.
#[derive(Debug, thiserror::Error)]
pub enum InternalError {
    /// The engine's trace does not replay on the semantics.
    #[error("the counterexample found does not replay: {0}")]
    Replay(#[from] Mismatch),
    /// The engine's witness could not be turned into a trace.
    #[error("the counterexample found cannot be spelled out: {0}")]
    Witness(String),
    /// The run found satisfies the property after all.
    #[error("the run found does not violate the property")]
    NoViolation,
    /// The thread of an engine ended without a word.
    #[error("an engine died")]
    Died,
    /// The automaton does not fit the program.
    #[error("the property does not fit the program: {0}")]
    Property(#[from] recurva_model::Malformed),
}
