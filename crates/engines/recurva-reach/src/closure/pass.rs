//! One pass over a graph without cycles, for up to 512 sources.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use super::Condensed;
use crate::meter::{Halt, Held, Meter, heap};

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
    _held: Held,
}

impl Pass {
    pub(crate) fn new(graph: &Condensed, meter: &Meter<'_>) -> Result<Self, Halt> {
        let components = graph.len() as usize;
        let mut held = meter.hold(0)?;
        Ok(Pass {
            rows: held.list([0; LANES / 64], components)?,
            pending: held.list(0, components.div_ceil(64))?,
            touched: held.list(0, components.div_ceil(64))?,
            work: 0,
            _held: held,
        })
    }

    /// Visits every component that a source reaches, in topological order, with the sources that
    /// reach it. `sources` are at most 512 components. A pass that was halted is of no more use.
    pub(crate) fn run(
        &mut self,
        graph: &Condensed,
        sources: &[u32],
        meter: &Meter<'_>,
        mut visit: impl FnMut(u32, &Row) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
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
            visit(component as u32, &row)?;
            let targets = graph.arrows.from(component as u32);
            self.work += 1 + targets.len() as u64;
            meter.work(1 + targets.len() as u64)?;
            for &target in targets {
                let target = target as usize;
                let sum = &mut self.rows[target];
                for (sum, add) in sum.iter_mut().zip(&row) {
                    *sum |= add;
                }
                self.pending[target / 64] |= 1 << (target % 64);
            }
        }
        Ok(())
    }
}

/// More edges between the components of a graph, in any direction.
#[derive(Debug)]
pub(crate) struct Extra {
    /// For each component its last edge.
    last: Vec<u32>,
    /// Where each edge leads, and the edge before it.
    edges: Vec<(u32, u32)>,
    held: Held,
}

impl Extra {
    pub(crate) fn new(components: u32, meter: &Meter<'_>) -> Result<Self, Halt> {
        let held = meter.hold(heap(4 * components as usize))?;
        Ok(Extra {
            last: vec![u32::MAX; components as usize],
            edges: Vec::new(),
            held,
        })
    }

    pub(crate) fn add(&mut self, from: u32, to: u32) -> Result<(), Halt> {
        self.held.room(&mut self.edges)?;
        let last = &mut self.last[from as usize];
        self.edges.push((to, *last));
        *last = self.edges.len() as u32 - 1;
        Ok(())
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
        meter: &Meter<'_>,
        mut visit: impl FnMut(u32, &Row) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        if extra.edges.is_empty() {
            return self.run(graph, sources, meter, visit);
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
            let before = self.work;
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
            meter.work(1 + self.work - before)?;
        }
        for word in 0..self.touched.len() {
            let mut bits = std::mem::take(&mut self.touched[word]);
            while bits != 0 {
                let component = word * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let row = std::mem::take(&mut self.rows[component]);
                visit(component as u32, &row)?;
            }
        }
        Ok(())
    }
}

/// Does jobs with a number on some threads, each with a state of its own, and gives the states
/// back. The thread that was asked goes on ticking until the others are done.
pub(crate) fn parallel<S: Send>(
    threads: usize,
    jobs: usize,
    meter: &Meter<'_>,
    make: impl Fn(&Meter<'_>) -> Result<S, Halt> + Sync,
    work: impl Fn(&mut S, usize, &Meter<'_>) -> Result<(), Halt> + Sync,
) -> Result<Vec<S>, Halt> {
    let next = AtomicUsize::new(0);
    let run = |meter: &Meter<'_>| {
        let all = || {
            let mut state = make(meter)?;
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= jobs {
                    return Ok(state);
                }
                work(&mut state, job, meter)?;
            }
        };
        all().map_err(|halt| meter.halt(halt))
    };
    let helpers = threads.min(jobs).saturating_sub(1);
    if helpers == 0 {
        return Ok(vec![run(meter)?]);
    }
    let (shared, waiting) = (meter.shared(), thread::current());
    let done = AtomicUsize::new(0);
    let help = || {
        let result = run(&shared.clone().meter());
        done.fetch_add(1, Ordering::Release);
        waiting.unpark();
        result
    };
    thread::scope(|scope| {
        // Helpers that are not to be had are done without.
        let helper = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
        let handles: Vec<_> = (0..helpers).map_while(helper).collect();
        let mut states = vec![run(meter)];
        while done.load(Ordering::Acquire) < handles.len()
            && handles.iter().any(|it| !it.is_finished())
        {
            thread::park_timeout(A_WHILE);
            // What is said here is heard by the helpers, which end.
            let _ = meter.look();
        }
        for handle in handles {
            match handle.join() {
                Ok(state) => states.push(state),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        states.into_iter().collect()
    })
}

/// Between two looks of a thread that waits.
const A_WHILE: Duration = Duration::from_millis(2);
