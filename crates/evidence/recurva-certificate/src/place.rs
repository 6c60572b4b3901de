//! What kinds of nodes there are in a procedure.

use std::collections::BTreeSet;

use recurva_model::{Action, Edge, NodeId, Point, ProcId, Procedure, Program};

/// What a node is in its procedure. The first of these that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The entry.
    Entry,
    /// The exit.
    Exit,
    /// Where a loop begins.
    Loop,
    /// Two or more edges lead there.
    Join,
    /// A call returns there.
    AfterCall,
    /// None of these.
    Other,
}

impl NodeKind {
    /// All kinds, with what files call them.
    pub(crate) const ALL: [(&'static str, NodeKind); 6] = [
        ("entry", NodeKind::Entry),
        ("exit", NodeKind::Exit),
        ("loop", NodeKind::Loop),
        ("join", NodeKind::Join),
        ("after a call", NodeKind::AfterCall),
        ("other", NodeKind::Other),
    ];

    /// What files call it.
    pub fn text(self) -> &'static str {
        let found = NodeKind::ALL.iter().find(|(_, it)| *it == self);
        found.map_or("", |(text, _)| text)
    }

    /// What a node is; `None` if there is no such node.
    pub fn of(program: &Program, point: Point) -> Option<Self> {
        let kinds = NodeKind::of_all(program, point.procedure);
        kinds.get(point.node.index()).copied()
    }

    /// What the nodes of a procedure are; none if there is no such procedure.
    pub fn of_all(program: &Program, id: ProcId) -> Vec<Self> {
        let Some(procedure) = program.procedures().get(id.index()) else {
            return Vec::new();
        };
        let mut kinds = vec![NodeKind::Other; procedure.nodes.len()];
        let calls = |it: &&Edge| matches!(it.action, Action::Call { .. });
        for edge in procedure.edges.iter().filter(calls) {
            kinds[edge.to.index()] = NodeKind::AfterCall;
        }
        for (kind, count) in kinds.iter_mut().zip(incoming(procedure)) {
            if count > 1 {
                *kind = NodeKind::Join;
            }
        }
        for head in loop_heads(program, id) {
            kinds[head.index()] = NodeKind::Loop;
        }
        kinds[procedure.exit.index()] = NodeKind::Exit;
        kinds[procedure.entry.index()] = NodeKind::Entry;
        kinds
    }
}

/// How many edges lead to each node.
pub(crate) fn incoming(procedure: &Procedure) -> Vec<u32> {
    let mut counts = vec![0; procedure.nodes.len()];
    for edge in &procedure.edges {
        counts[edge.to.index()] += 1;
    }
    counts
}

/// The nodes where a search in depth from the entry, and then from all other nodes, comes back to a node that
/// it has not left yet.
fn loop_heads(program: &Program, id: ProcId) -> BTreeSet<NodeId> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Colour {
        New,
        Open,
        Left,
    }
    let procedure = program.procedure(id);
    let targets = |node: NodeId| -> Vec<NodeId> {
        let from = Point {
            procedure: id,
            node,
        };
        program.edges_from(from).map(|(_, edge)| edge.to).collect()
    };
    let mut heads = BTreeSet::new();
    let mut colours = vec![Colour::New; procedure.nodes.len()];
    let all = (0..procedure.nodes.len() as u32).map(NodeId);
    for root in [procedure.entry].into_iter().chain(all) {
        if colours[root.index()] != Colour::New {
            continue;
        }
        colours[root.index()] = Colour::Open;
        let mut stack = vec![(root, targets(root))];
        while let Some((node, open)) = stack.last_mut() {
            let Some(next) = open.pop() else {
                colours[node.index()] = Colour::Left;
                stack.pop();
                continue;
            };
            match colours[next.index()] {
                Colour::New => {
                    colours[next.index()] = Colour::Open;
                    stack.push((next, targets(next)));
                }
                Colour::Open => {
                    heads.insert(next);
                }
                Colour::Left => {}
            }
        }
    }
    heads
}
