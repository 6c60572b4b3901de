//! What the search has found but not yet taken up, and in which order it will.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{graph::PathEdge, search::Work};

/// The order of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The newest path edge first: least memory, and shallow bugs behind huge choices are
    /// found without making all the choices.
    #[default]
    DepthFirst,
    /// The path edge with the shortest run to it first, calls and returns counted as spelled
    /// out: the first target has a shortest counterexample.
    ShortestFirst,
}

/// See [the module](self).
#[derive(Debug)]
pub(crate) enum Frontier {
    DepthFirst {
        stack: Vec<PathEdge>,
        /// Paused work, with the height of `stack` at which its turn has come.
        paused: Vec<(usize, Work, Box<[u64]>)>,
    },
    /// A uniform-cost search. The length of a return is known as soon as its caller and the
    /// exit are taken up, and never less than theirs, so what is taken up has its final
    /// length (Knuth's generalisation of Dijkstra's algorithm).
    ShortestFirst {
        queue: BinaryHeap<Reverse<(u64, u32)>>,
        /// The length of the shortest run found to each path edge.
        lengths: Vec<u64>,
    },
}

impl Frontier {
    pub(crate) fn new(order: Order) -> Self {
        match order {
            Order::DepthFirst => Frontier::DepthFirst {
                stack: Vec::new(),
                paused: Vec::new(),
            },
            Order::ShortestFirst => Frontier::ShortestFirst {
                queue: BinaryHeap::new(),
                lengths: Vec::new(),
            },
        }
    }

    pub(crate) fn is_shortest_first(&self) -> bool {
        matches!(self, Frontier::ShortestFirst { .. })
    }

    /// Depth-first: pushes path edges so that the first one is taken up first.
    pub(crate) fn push_reversed(&mut self, edges: &mut Vec<PathEdge>) {
        if let Frontier::DepthFirst { stack, .. } = self {
            stack.extend(edges.drain(..).rev());
        }
    }

    /// Depth-first: keeps work whose turn comes when all that is pushed from now on is done.
    pub(crate) fn pause(&mut self, work: Work, cursor: &[u64]) {
        if let Frontier::DepthFirst { stack, paused } = self {
            paused.push((stack.len(), work, cursor.into()));
        }
    }

    /// Paused work whose turn has come.
    pub(crate) fn pop_paused(&mut self) -> Option<(Work, Box<[u64]>)> {
        let Frontier::DepthFirst { stack, paused } = self else {
            return None;
        };
        let (_, work, cursor) = paused.pop_if(|(height, ..)| *height == stack.len())?;
        Some((work, cursor))
    }

    /// The next path edge to take up.
    pub(crate) fn pop(&mut self) -> Option<PathEdge> {
        match self {
            Frontier::DepthFirst { stack, .. } => stack.pop(),
            Frontier::ShortestFirst { queue, lengths } => loop {
                let Reverse((length, edge)) = queue.pop()?;
                // An entry that was overtaken by a shorter run is passed over.
                if lengths[edge as usize] == length {
                    lengths[edge as usize] |= TAKEN;
                    return Some(PathEdge(edge));
                }
            },
        }
    }

    /// Shortest-first: queues a path edge if it is new or now reached by a shorter run.
    pub(crate) fn offer(&mut self, edge: PathEdge, new: bool, length: u64) -> bool {
        let Frontier::ShortestFirst { queue, lengths } = self else {
            return false;
        };
        let length = length.min(LONGEST);
        let better = if new {
            lengths.push(length);
            debug_assert_eq!(
                lengths.len(),
                edge.0 as usize + 1,
                "path edges come in order"
            );
            true
        } else {
            let known = &mut lengths[edge.0 as usize];
            let better = *known & TAKEN == 0 && length < *known;
            if better {
                *known = length;
            }
            better
        };
        if better {
            queue.push(Reverse((length, edge.0)));
        }
        better
    }

    /// Shortest-first: the length of the shortest run found to a path edge.
    pub(crate) fn length(&self, edge: PathEdge) -> u64 {
        match self {
            Frontier::DepthFirst { .. } => 0,
            Frontier::ShortestFirst { lengths, .. } => lengths[edge.0 as usize] & !TAKEN,
        }
    }

    /// How many path edges are waiting.
    pub(crate) fn len(&self) -> usize {
        match self {
            Frontier::DepthFirst { stack, .. } => stack.len(),
            Frontier::ShortestFirst { queue, .. } => queue.len(),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Frontier::DepthFirst { stack, paused } => {
                stack.capacity() * size_of::<PathEdge>()
                    + paused.capacity() * size_of::<(usize, Work, Box<[u64]>)>()
            }
            Frontier::ShortestFirst { queue, lengths } => {
                queue.capacity() * size_of::<(u64, u32)>() + lengths.capacity() * 8
            }
        }
    }
}

/// Set in a path edge's length once it has been taken up.
const TAKEN: u64 = 1 << 63;
/// Longer runs than this all count the same.
const LONGEST: u64 = TAKEN - 1;
