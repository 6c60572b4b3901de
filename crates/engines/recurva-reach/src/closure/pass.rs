//! One pass over a graph without cycles, for up to 512 sources.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::Condensed;

/// How many sources go through the graph at once: one line of the cache.
pub(crate) const LANES: usize = 512;

/// A set of up to 512 sources.
pub(crate) type Row = [u64; LANES / 64];

/// The numbers of the bits that are set.
#[inline]
pub(crate) fn bits(row: &Row) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            (bits != 0).then(|| {
                let bit = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                word * 64 + bit
            })
        })
    })
}

/// The memory of passes, used again and again.
#[derive(Debug)]
pub(crate) struct Pass {
    rows: Vec<Row>,
    pending: Vec<u64>,
    touched: Vec<u64>,
    /// How many edges were followed, over all passes.
    pub(crate) work: u64,
}

impl Pass {
    pub(crate) fn new(graph: &Condensed) -> Self {
        let components = graph.len() as usize;
        Pass {
            rows: vec![[0; LANES / 64]; components],
            pending: vec![0; components.div_ceil(64)],
            touched: vec![0; components.div_ceil(64)],
            work: 0,
        }
    }

    /// Visits every component that a source reaches, in topological order, with the sources that
    /// reach it. `sources` are at most 512 components.
    pub(crate) fn run(
        &mut self,
        graph: &Condensed,
        sources: &[u32],
        mut visit: impl FnMut(u32, &Row),
    ) {
        let mut word = usize::MAX;
        for (lane, &source) in sources.iter().enumerate() {
            self.rows[source as usize][lane / 64] |= 1 << (lane % 64);
            self.pending[source as usize / 64] |= 1 << (source % 64);
            word = word.min(source as usize / 64);
        }
        while word < self.pending.len() {
            let bits = self.pending[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            // Only edges to larger numbers can set bits behind this one.
            self.pending[word] = bits & (bits - 1);
            let component = word * 64 + bits.trailing_zeros() as usize;
            let row = std::mem::take(&mut self.rows[component]);
            visit(component as u32, &row);
            let targets = graph.arrows.from(component as u32);
            self.work += 1 + targets.len() as u64;
            for &target in targets {
                let target = target as usize;
                let sum = &mut self.rows[target];
                for (sum, add) in sum.iter_mut().zip(&row) {
                    *sum |= add;
                }
                self.pending[target / 64] |= 1 << (target % 64);
            }
        }
    }
}

/// More edges between the components of a graph, in any direction.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    /// For each component its last edge.
    last: Vec<u32>,
    /// Where each edge leads, and the edge before it.
    edges: Vec<(u32, u32)>,
}

impl Extra {
    pub(crate) fn new(components: u32) -> Self {
        Extra {
            last: vec![u32::MAX; components as usize],
            edges: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, from: u32, to: u32) {
        let last = &mut self.last[from as usize];
        self.edges.push((to, *last));
        *last = self.edges.len() as u32 - 1;
    }
}

impl Pass {
    /// Like [`Self::run`], along more edges. Components are visited after all is known about
    /// them, in no order.
    pub(crate) fn run_with(
        &mut self,
        graph: &Condensed,
        extra: &Extra,
        sources: &[u32],
        mut visit: impl FnMut(u32, &Row),
    ) {
        if extra.edges.is_empty() {
            self.run(graph, sources, visit);
            return;
        }
        let mut word = usize::MAX;
        for (lane, &source) in sources.iter().enumerate() {
            self.rows[source as usize][lane / 64] |= 1 << (lane % 64);
            self.pending[source as usize / 64] |= 1 << (source % 64);
            word = word.min(source as usize / 64);
        }
        while word < self.pending.len() {
            let bits = self.pending[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            self.pending[word] = bits & (bits - 1);
            let component = word * 64 + bits.trailing_zeros() as usize;
            self.touched[word] |= 1 << (component % 64);
            let row = self.rows[component];
            let mut edge = extra.last[component];
            let targets = graph.arrows.from(component as u32).iter().copied();
            let others = std::iter::from_fn(|| {
                let &(to, before) = extra.edges.get(edge as usize)?;
                edge = before;
                Some(to)
            });
            for target in targets.chain(others) {
                let target = target as usize;
                self.work += 1;
                let mut new = 0;
                for (sum, add) in self.rows[target].iter_mut().zip(&row) {
                    new |= add & !*sum;
                    *sum |= add;
                }
                if new != 0 {
                    self.pending[target / 64] |= 1 << (target % 64);
                    word = word.min(target / 64);
                }
            }
        }
        for word in 0..self.touched.len() {
            let mut bits = std::mem::take(&mut self.touched[word]);
            while bits != 0 {
                let component = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let row = std::mem::take(&mut self.rows[component]);
                visit(component as u32, &row);
            }
        }
    }
}

/// Does jobs with a number on some threads, each with a state of its own, and gives the states
/// back.
pub(crate) fn parallel<S: Send>(
    threads: usize,
    jobs: usize,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) + Sync,
) -> Vec<S> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut state = make();
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs {
                return state;
            }
            work(&mut state, job);
        }
    };
    let helpers = threads.min(jobs).saturating_sub(1);
    if helpers == 0 {
        return vec![run()];
    }
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..helpers).map(|_| scope.spawn(run)).collect();
        let mut states = vec![run()];
        for handle in handles {
            match handle.join() {
                Ok(state) => states.push(state),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        states
    })
}
