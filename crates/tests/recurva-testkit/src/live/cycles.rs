//! Cycles of the R-graph.

use super::Accepted;

/// What an edge of the R-graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A step, or a call with all that happens until it returns.
    Level,
    /// A call that does not return.
    Call,
    /// The outermost main procedure has returned and nothing changes any more.
    Stutter,
}

/// An edge of the R-graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) marks: u32,
    pub(super) kind: Kind,
}

/// Which cycles pass all marks of `all`. Every node is taken to be reachable.
pub(super) fn accepted(nodes: usize, edges: &[Edge], all: u32) -> Accepted {
    let level: Vec<Edge> = edges
        .iter()
        .filter(|edge| edge.kind != Kind::Call)
        .copied()
        .collect();
    let is_call = |edge: &Edge| edge.kind == Kind::Call;
    let truth = Accepted {
        finite: has_cycle(nodes, &level, all, |_| true),
        diverging: has_cycle(nodes, edges, all, is_call),
    };
    // A cycle has a call or it has none.
    assert_eq!(truth.any(), has_cycle(nodes, edges, all, |_| true));
    truth
}

/// Whether a cycle passes all marks of `all` and an edge that is `wanted`: it does so if the
/// edges between nodes that reach each other do so together.
fn has_cycle(nodes: usize, edges: &[Edge], all: u32, wanted: impl Fn(&Edge) -> bool) -> bool {
    let mut forward = vec![Vec::new(); nodes];
    let mut backward = vec![Vec::new(); nodes];
    for edge in edges {
        forward[edge.from].push(edge.to);
        backward[edge.to].push(edge.from);
    }
    let mut known = vec![false; nodes];
    for edge in edges.iter().filter(|edge| wanted(edge)) {
        if std::mem::replace(&mut known[edge.from], true) {
            continue;
        }
        let (ahead, behind) = (reach(&forward, edge.from), reach(&backward, edge.from));
        let within = |edge: &&Edge| {
            let inside = |node: usize| ahead[node] && behind[node];
            inside(edge.from) && inside(edge.to)
        };
        let mut marks = 0;
        let mut found = false;
        for edge in edges.iter().filter(within) {
            marks |= edge.marks;
            found |= wanted(edge);
            known[edge.from] = true;
        }
        if found && marks & all == all {
            return true;
        }
    }
    false
}

/// The nodes that can be reached from one, itself included.
fn reach(next: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; next.len()];
    seen[from] = true;
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        for &to in &next[node] {
            if !std::mem::replace(&mut seen[to], true) {
                open.push(to);
            }
        }
    }
    seen
}
