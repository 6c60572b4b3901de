//! Which kept node comes next.
//!
//! A set of nodes is *closed* if each other node has at most one of them in front of it: then a run
//! that leaves the others out knows where to go on. (In the literature: weakly control-closed.)

use recurva_cir::Function;
use recurva_model::{Patience, Stop};

/// The kept nodes that come next from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// None does.
    None,
    /// This one does, or none.
    One(u32),
    /// Several may.
    Many,
}

impl Next {
    fn join(self, other: Next) -> Next {
        match (self, other) {
            (Next::None, it) | (it, Next::None) => it,
            (Next::One(left), Next::One(right)) if left == right => self,
            _ => Next::Many,
        }
    }
}

/// A function's graph without what never goes on.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) next: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
}

impl Graph {
    /// The graph of the edges that go on.
    pub(crate) fn new(function: &Function, goes_on: impl Fn(usize) -> bool) -> Self {
        let mut graph = Graph {
            next: vec![Vec::new(); function.nodes.len()],
            before: vec![Vec::new(); function.nodes.len()],
        };
        for (index, edge) in function.edges.iter().enumerate() {
            if goes_on(index) {
                graph.next[edge.from.0 as usize].push(edge.to.0);
                graph.before[edge.to.0 as usize].push(edge.from.0);
            }
        }
        graph
    }

    /// Closes a set of nodes, and says of each node what comes next, itself included.
    pub(crate) fn close(
        &self,
        kept: &mut [bool],
        patience: &mut Patience<'_>,
    ) -> Result<Vec<Next>, Stop> {
        loop {
            let found = self.next(kept, patience)?;
            let mut is_closed = true;
            for node in 0..kept.len() {
                if kept[node] || found[node] != Next::Many {
                    continue;
                }
                let follows = self.next[node].iter();
                let mut follows = follows.map(|&it| found[it as usize]);
                // Where all ways are open the decision falls further on, or it is an endless circle
                // of such nodes, which has a way out somewhere.
                if self.next[node].len() > 1 && follows.any(|it| matches!(it, Next::One(_))) {
                    kept[node] = true;
                    is_closed = false;
                }
            }
            if is_closed {
                return Ok(found);
            }
        }
    }

    fn next(&self, kept: &[bool], patience: &mut Patience<'_>) -> Result<Vec<Next>, Stop> {
        let mut found = vec![Next::None; kept.len()];
        let mut waiting: Vec<u32> = Vec::new();
        for (node, _) in kept.iter().enumerate().filter(|(_, kept)| **kept) {
            found[node] = Next::One(node as u32);
            waiting.push(node as u32);
        }
        while let Some(node) = waiting.pop() {
            patience.step()?;
            for &before in &self.before[node as usize] {
                let before = before as usize;
                if kept[before] {
                    continue;
                }
                let joined = found[before].join(found[node as usize]);
                if joined != found[before] {
                    found[before] = joined;
                    waiting.push(before as u32);
                }
            }
        }
        Ok(found)
    }
}
