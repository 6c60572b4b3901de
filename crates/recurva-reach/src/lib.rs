//! All-pairs reachability.

mod bind;
mod bounded;
mod closure;
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
pub use solution::{Algorithm, Context, Error, Options, Solution, solve, solve_rsm};
pub use variables::{LiveVariables, Unassigned, live_variables, unassigned};
pub use witness::{Hop, Step, Witness};
