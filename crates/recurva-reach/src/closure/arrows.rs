//! Edges by where they start.

use crate::meter::{Halt, Held, Meter, heap};

/// The edges of a graph in two arrays.
#[derive(Clone, Debug)]
pub(crate) struct Arrows {
    first: Vec<u32>,
    to: Vec<u32>,
    held: Held,
}

impl Arrows {
    /// The edges that `feed` gives out. It is asked twice and has to say the same both times.
    pub(crate) fn new(
        nodes: u32,
        meter: &Meter<'_>,
        feed: impl Fn(&mut dyn FnMut(u32, u32)),
    ) -> Result<Self, Halt> {
        let mut held = meter.hold(0)?;
        let mut first = held.list(0u32, nodes as usize + 1)?;
        feed(&mut |from, _| first[from as usize + 1] += 1);
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let mut to = held.list(0, first[nodes as usize] as usize)?;
        let mut scratch = meter.hold(0)?;
        let mut next = scratch.list(0u32, nodes as usize + 1)?;
        next.copy_from_slice(&first);
        feed(&mut |from, target| {
            let place = &mut next[from as usize];
            to[*place as usize] = target;
            *place += 1;
        });
        meter.work(u64::from(nodes) + to.len() as u64)?;
        Ok(Arrows { first, to, held })
    }

    /// The edges of a list.
    pub(crate) fn of_pairs(
        nodes: u32,
        meter: &Meter<'_>,
        pairs: &[(u32, u32)],
    ) -> Result<Self, Halt> {
        Arrows::new(nodes, meter, |add| {
            for &(from, to) in pairs {
                add(from, to);
            }
        })
    }

    /// Builds the lists one node after the other.
    pub(crate) fn begin(nodes: usize, meter: &Meter<'_>) -> Result<Self, Halt> {
        let held = meter.hold(heap(4 * (nodes + 1)))?;
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        Ok(Arrows {
            first,
            to: Vec::new(),
            held,
        })
    }

    /// Adds an edge to the list of the next node.
    #[inline]
    pub(crate) fn push(&mut self, to: u32) -> Result<(), Halt> {
        self.held.room(&mut self.to)?;
        self.to.push(to);
        Ok(())
    }

    /// Ends the list of the next node.
    pub(crate) fn end_node(&mut self) {
        self.first.push(self.to.len() as u32);
    }

    pub(crate) fn nodes(&self) -> u32 {
        self.first.len().saturating_sub(1) as u32
    }

    pub(crate) fn edges(&self) -> usize {
        self.to.len()
    }

    /// Where the edges of a node lead.
    #[inline]
    pub(crate) fn from(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.to[self.first[node] as usize..self.first[node + 1] as usize]
    }
}
