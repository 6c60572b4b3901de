//! Places for the parts of a graph, layer by layer (Sugiyama's method).
//!
//! 1. `cycles`: which edges lead back, so that the others have no cycle.
//! 2. `layers`: the layer of each node; edges lead to later layers.
//! 3. `chains`: an edge over several layers gets a bend in each of them. Bends are bounded:
//!    the longest edges of a large graph go round everything in a channel instead.
//! 4. `order`: the order in each layer, with few crossings.
//! 5. `across`, `blocks`: the position in each layer, with straight edges.
//! 6. `route`: how high layers are, and the way of each edge.
//!
//! A run, whose nodes have lanes, is simpler: see `lanes`.
//!
//! Everything before the last step speaks of *across* (along a layer) and *along* (from layer
//! to layer), so that both directions are the same. The same graph gets the same places each
//! time, nothing recurses, and all loops are bounded.

mod across;
mod blocks;
mod chains;
mod cycles;
mod lanes;
mod layers;
mod order;
mod pack;
mod part;
mod route;
mod size;

use thiserror::Error;

use crate::{
    graph::{Drawing, Graph},
    placed::{Placed, PlacedGraph},
};

/// A drawing may have this many nodes.
pub const MAX_NODES: usize = 20_000;

/// A drawing may have this many edges.
pub const MAX_EDGES: usize = 60_000;

/// Why a drawing has no places.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// Nobody could read it, and it would take long.
    #[error("{count} {what} are too many for a drawing: at most {limit} are drawn")]
    TooLarge {
        /// `nodes` or `edges`.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many may be there.
        limit: usize,
    },
    /// An edge refers to a node or a port that is not there.
    #[error("edge {0} of a drawing leads nowhere")]
    Dangling(usize),
}

/// The space around a drawing.
const MARGIN: i32 = 16;

/// The space between graphs.
const BETWEEN: i32 = 36;

/// Gives every part of a drawing its place.
///
/// # Errors
///
/// If there are too many nodes or edges, or an edge refers to a node that is not there.
pub fn place(drawing: &Drawing) -> Result<Placed, Refused> {
    check(drawing)?;
    let parts: Vec<part::Part> = drawing.graphs.iter().map(part::place).collect();
    let sizes: Vec<(i32, i32)> = parts.iter().map(|part| (part.w, part.h)).collect();
    let (corners, (w, h)) = pack::shelves(&sizes, BETWEEN);
    let mut placed = Placed {
        title: drawing.title.clone(),
        description: drawing.description.clone(),
        width: w + 2 * MARGIN,
        height: h + 2 * MARGIN,
        ..Placed::default()
    };
    for ((graph, mut part), (x, y)) in drawing.graphs.iter().zip(parts).zip(corners) {
        let (first_node, first_edge) = (placed.nodes.len() as u32, placed.edges.len() as u32);
        part.shift(x + MARGIN, y + MARGIN);
        for edge in &mut part.edges {
            edge.from += first_node;
            edge.to += first_node;
        }
        let (x, y, w, h) = part.frame;
        placed.graphs.push(PlacedGraph {
            name: crate::text::fit(&graph.name),
            name_x: part.name.0,
            name_y: part.name.1,
            framed: graph.framed,
            x,
            y,
            w,
            h,
            first_node,
            first_edge,
        });
        placed.nodes.append(&mut part.nodes);
        placed.edges.append(&mut part.edges);
    }
    Ok(placed)
}

fn check(drawing: &Drawing) -> Result<(), Refused> {
    let count = |of: fn(&Graph) -> usize| drawing.graphs.iter().map(of).sum();
    let nodes: usize = count(|graph| graph.nodes.len());
    let edges: usize = count(|graph| graph.edges.len());
    for (what, count, limit) in [("nodes", nodes, MAX_NODES), ("edges", edges, MAX_EDGES)] {
        if count > limit {
            return Err(Refused::TooLarge { what, count, limit });
        }
    }
    for graph in &drawing.graphs {
        for (index, edge) in graph.edges.iter().enumerate() {
            let from = graph.nodes.get(edge.from as usize);
            let to = graph.nodes.get(edge.to as usize);
            let (Some(from), Some(to)) = (from, to) else {
                return Err(Refused::Dangling(index));
            };
            let exit = edge
                .exit
                .is_none_or(|port| (port as usize) < from.exits.len());
            let entry = edge
                .entry
                .is_none_or(|port| (port as usize) < to.entries.len());
            if !exit || !entry {
                return Err(Refused::Dangling(index));
            }
        }
    }
    Ok(())
}
