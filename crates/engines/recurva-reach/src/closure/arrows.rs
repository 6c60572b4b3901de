//! Edges by where they start.

/// The edges of a graph in two arrays.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrows {
    first: Vec<u32>,
    to: Vec<u32>,
}

impl Arrows {
    /// The edges that `feed` gives out. It is asked twice and has to say the same both times.
    pub(crate) fn new(nodes: u32, feed: impl Fn(&mut dyn FnMut(u32, u32))) -> Self {
        let mut first = vec![0u32; nodes as usize + 1];
        feed(&mut |from, _| first[from as usize + 1] += 1);
        for node in 0..nodes as usize {
            first[node + 1] += first[node];
        }
        let mut to = vec![0; first[nodes as usize] as usize];
        let mut next = first.clone();
        feed(&mut |from, target| {
            let place = &mut next[from as usize];
            to[*place as usize] = target;
            *place += 1;
        });
        Arrows { first, to }
    }

    /// The edges of a list.
    pub(crate) fn of_pairs(nodes: u32, pairs: &[(u32, u32)]) -> Self {
        Arrows::new(nodes, |add| {
            for &(from, to) in pairs {
                add(from, to);
            }
        })
    }

    /// All edges turned round.
    pub(crate) fn reversed(&self) -> Self {
        Arrows::new(self.nodes(), |add| {
            for from in 0..self.nodes() {
                for &to in self.from(from) {
                    add(to, from);
                }
            }
        })
    }

    /// Builds the lists one node after the other.
    pub(crate) fn begin(nodes: usize) -> Self {
        let mut first = Vec::with_capacity(nodes + 1);
        first.push(0);
        Arrows {
            first,
            to: Vec::new(),
        }
    }

    /// Adds an edge to the list of the next node.
    pub(crate) fn push(&mut self, to: u32) {
        self.to.push(to);
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

    pub(crate) fn bytes(&self) -> usize {
        4 * (self.first.capacity() + self.to.capacity())
    }
}
