//! A program in which few nodes are joined: between nodes of which something is said, each path has nodes
//! of its own.
//!
//! Runs are the same, so what is proved of the one program is true of the other.

use std::collections::BTreeSet;

use recurva_model::{Edge, Malformed, NodeId, Point, ProcId, Procedure, Program};

/// A procedure may grow by this factor, and by so many nodes.
const GROWTH: (usize, usize) = (4, 4000);

/// A program whose nodes have the numbers that they had before, followed by copies of some.
#[derive(Debug)]
pub(super) struct Unfolded {
    pub(super) program: Program,
    /// The nodes that have no copies and cut all cycles: those of which something is said, and others.
    pub(super) cuts: BTreeSet<Point>,
}

/// Unfolds a program up to nodes that are not copied.
pub(super) fn unfold(program: &Program, kept: &BTreeSet<Point>) -> Result<Unfolded, Malformed> {
    let mut parts = program.parts().clone();
    let mut cuts = BTreeSet::new();
    for (number, procedure) in (0..).map(ProcId).zip(&mut parts.procedures) {
        let own = kept.iter().filter(|it| it.procedure == number);
        let mut own: BTreeSet<NodeId> = own.map(|it| it.node).collect();
        own.extend([procedure.entry, procedure.exit]);
        own.extend(loop_heads(procedure, &own));
        let copied = match copied(procedure, &own) {
            Some(copied) => copied,
            None => {
                own.extend(joins(procedure));
                // Nothing is joined now that could be copied.
                copied(procedure, &own).unwrap_or_else(|| Copied {
                    edges: procedure.edges.clone(),
                    origins: Vec::new(),
                })
            }
        };
        for origin in copied.origins {
            let node = procedure.nodes[origin.index()].clone();
            procedure.nodes.push(node);
        }
        procedure.edges = copied.edges;
        cuts.extend(own.into_iter().map(|node| Point {
            procedure: number,
            node,
        }));
    }
    Ok(Unfolded {
        program: Program::new(parts)?,
        cuts,
    })
}

/// A node of a procedure to which several edges lead.
fn joins(procedure: &Procedure) -> BTreeSet<NodeId> {
    let mut seen = BTreeSet::new();
    let targets = procedure.edges.iter().map(|edge| edge.to);
    targets.filter(|node| !seen.insert(*node)).collect()
}

/// The edges that start at each node.
fn outgoing(procedure: &Procedure) -> Vec<Vec<&Edge>> {
    let mut outgoing = vec![Vec::new(); procedure.nodes.len()];
    for edge in &procedure.edges {
        outgoing[edge.from.index()].push(edge);
    }
    outgoing
}

/// Nodes that cut all cycles that the given ones do not cut.
fn loop_heads(procedure: &Procedure, cuts: &BTreeSet<NodeId>) -> BTreeSet<NodeId> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let outgoing = outgoing(procedure);
    let mut seen = vec![Seen::No; procedure.nodes.len()];
    let mut heads = BTreeSet::new();
    for start in (0..procedure.nodes.len() as u32).map(NodeId) {
        if seen[start.index()] != Seen::No {
            continue;
        }
        seen[start.index()] = Seen::Open;
        let mut path = vec![(start, 0)];
        while let Some((node, next)) = path.last_mut() {
            let Some(edge) = outgoing[node.index()].get(*next) else {
                seen[node.index()] = Seen::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let to = edge.to;
            match seen[to.index()] {
                _ if cuts.contains(&to) => {}
                Seen::No => {
                    seen[to.index()] = Seen::Open;
                    path.push((to, 0));
                }
                Seen::Open => drop(heads.insert(to)),
                Seen::Done => {}
            }
        }
    }
    heads
}

/// The edges of an unfolded procedure, and what its new nodes are copies of.
struct Copied {
    edges: Vec<Edge>,
    origins: Vec<NodeId>,
}

/// Copies all nodes but the cuts as often as paths lead there; `None` if that are too many.
fn copied(procedure: &Procedure, cuts: &BTreeSet<NodeId>) -> Option<Copied> {
    let outgoing = outgoing(procedure);
    let count = procedure.nodes.len();
    let most = count * GROWTH.0 + GROWTH.1;
    let mut used = vec![false; count];
    let mut copied = Copied {
        edges: Vec::new(),
        origins: Vec::new(),
    };
    let mut open: Vec<(NodeId, NodeId)> = cuts.iter().map(|&cut| (cut, cut)).collect();
    while let Some((origin, copy)) = open.pop() {
        for edge in &outgoing[origin.index()] {
            let mut to = edge.to;
            if !cuts.contains(&to) {
                if std::mem::replace(&mut used[to.index()], true) {
                    to = NodeId((count + copied.origins.len()) as u32);
                    copied.origins.push(edge.to);
                }
                open.push((edge.to, to));
            }
            copied.edges.push(Edge {
                from: copy,
                to,
                ..(*edge).clone()
            });
            if copied.edges.len() > most {
                return None;
            }
        }
    }
    Some(copied)
}
