//! Transitive closure: components first, then many sources at a time.
//!
//! As in the thesis, §6.3.1, the strongly connected components are found by Tarjan's algorithm
//! and sets are propagated along the edges between them. But no set of all nodes is ever kept:
//! one pass carries [512 sources](Row) through the graph in topological order, one cache line
//! for each component, and touches only what they reach. Rows are counted or given out, and
//! forgotten.

mod arrows;
mod condensed;
mod pass;

pub(crate) use arrows::Arrows;
pub(crate) use condensed::Condensed;
pub(crate) use pass::{Extra, LANES, Pass, Row, bits, parallel};
