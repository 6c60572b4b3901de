//! All-pairs reachability: which nodes of a graph are connected by paths whose labels make a
//! word of a context-free language, and which vertices of a recursive state machine by runs.
//!
//! Interprocedural analyses (data flow, slicing, aliases, taint) are questions of this kind.
//!
//! - [`read`] and [`Grammar::read`]: graphs and grammars from text; [`Graph::new`] from arrays.
//! - [`solve`], [`solve_rsm`]: a [`Solution`], which counts pairs, lists targets and sources,
//!   streams rows, decides single pairs, and gives shortest [witnesses](Witness). No pair is
//!   stored unless the algorithm has to.
//! - [`replay()`], [`replay_rsm`]: walk a witness again, by code that shares nothing with the
//!   algorithms. Who shows one replays it first.
//! - [`Algorithm`]: what is picked automatically, and can be chosen.
//! - [`solve_ifds`]: data flow problems over procedures; [`unassigned`] and [`live_variables`]
//!   solve two of them for programs.
//!
//! # The diagonal
//!
//! A pair of a node with itself counts like any other: it is in the relation if some word of
//! the language leads back, and the empty word does. [`Count`] has both numbers, as tables of
//! other solvers leave it out.
//!
//! # Limits
//!
//! Nodes are below 2^32, and so are nodes times states of the grammar's automata. A limit on
//! memory, in [`Options`], is an [error](Error) when it is hit, not an abort.
//!
//! The folder's `README.md` says how it works and where it is in the thesis.

mod bind;
mod bounded;
mod closure;
#[cfg(feature = "cluster")]
pub mod cluster;
mod dyck;
mod grammar;
mod graph;
mod hierarchical;
mod ifds;
mod limits;
mod machine;
mod naive;
mod read;
mod relation;
mod replay;
mod rsm;
mod sets;
mod solution;
mod summaries;
mod variables;
mod witness;
mod worklist;

pub use grammar::{Grammar, Notation, ParsedGrammar};
pub use graph::{Edge, Graph, NO_INDEX, NotAGraph};
pub use ifds::{Flow, Ifds, IfdsSolution, Via, solve_ifds};
pub use limits::OutOfMemory;
pub(crate) use machine::{Machine, Summary};
pub use read::{Layout, Parsed, read};
pub use relation::Count;
pub use replay::{Mismatch, Replayed, replay, replay_rsm};
pub use solution::{Algorithm, Context, Error, Options, Solution, solve, solve_rsm};
pub use variables::{LiveVariables, Unassigned, live_variables, unassigned};
pub use witness::{Hop, Step, Witness};
