//! Machines as drawings.

mod buchi;
mod nsm;
mod nta;
mod pds;
mod program;
mod resource;
mod rsm;
mod words;

pub use buchi::buchi;
pub use nsm::nsm;
pub use nta::nta;
pub use pds::pds;
pub use program::{Texts, procedure, program};
pub use resource::resource;
pub use rsm::{component, rsm};
pub use words::{parts, system, words};

use std::collections::BTreeMap;

use crate::graph::{Edge, Graph};

/// Edges that differ in their text only, as one edge with all the texts, each on its line.
#[derive(Default)]
pub(crate) struct Merged {
    edges: BTreeMap<(u32, u32, u32), Edge>,
}

impl Merged {
    /// Adds an edge; edges of different kinds are not merged.
    pub(crate) fn add(&mut self, kind: u32, edge: Edge) {
        match self.edges.entry((edge.from, edge.to, kind)) {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                vacant.insert(edge);
            }
            std::collections::btree_map::Entry::Occupied(mut occupied) => {
                occupied.get_mut().lines.extend(edge.lines);
            }
        }
    }

    /// Puts the edges into a graph.
    pub(crate) fn into_graph(self, graph: &mut Graph) {
        graph.edges.extend(self.edges.into_values());
    }
}

/// `1 node`, `2 nodes`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
