//! Where formulas are wanted: the nodes between which a program is a forest.

use recurva_model::{NodeId, Point, ProcId, Program};

/// For each node, whether a formula is wanted there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joints {
    joints: Vec<Vec<bool>>,
    heads: Vec<Vec<bool>>,
}

impl Joints {
    /// The entries and exits of procedures, and all nodes where two or more edges lead.
    pub fn new(program: &Program) -> Self {
        let mut joints = Vec::new();
        let mut heads = Vec::new();
        for (index, procedure) in program.procedures().iter().enumerate() {
            let mut ways = vec![0u32; procedure.nodes.len()];
            for edge in &procedure.edges {
                ways[edge.to.index()] += 1;
            }
            let mut here: Vec<bool> = ways.iter().map(|&ways| ways > 1).collect();
            here[procedure.entry.index()] = true;
            here[procedure.exit.index()] = true;
            joints.push(here);
            heads.push(loop_heads(program, ProcId(index as u32)));
        }
        Joints { joints, heads }
    }

    /// Whether a formula is wanted at a node.
    pub fn contains(&self, point: Point) -> bool {
        self.joints[point.procedure.index()][point.node.index()]
    }

    /// Whether a loop is entered at a node: every cycle has such a node.
    pub fn is_loop_head(&self, point: Point) -> bool {
        self.heads[point.procedure.index()][point.node.index()]
    }
}

/// The nodes where an edge leads back to, in a search depth-first from the entry.
fn loop_heads(program: &Program, procedure: ProcId) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let nodes = program.procedure(procedure).nodes.len();
    let mut heads = vec![false; nodes];
    let mut states = vec![State::New; nodes];
    let successors = |node: NodeId| -> Vec<NodeId> {
        let point = Point { procedure, node };
        program.edges_from(point).map(|(_, edge)| edge.to).collect()
    };
    let entry = program.procedure(procedure).entry;
    states[entry.index()] = State::Open;
    let mut stack = vec![(entry, successors(entry))];
    while let Some((node, left)) = stack.last_mut() {
        match left.pop() {
            Some(next) => match states[next.index()] {
                State::New => {
                    states[next.index()] = State::Open;
                    let left = successors(next);
                    stack.push((next, left));
                }
                State::Open => heads[next.index()] = true,
                State::Done => {}
            },
            None => {
                states[node.index()] = State::Done;
                stack.pop();
            }
        }
    }
    heads
}
