//! The rules of §3.1 and §3.2, worked off by a list of what is new.
//!
//! A row of bits belongs to each vertex: in an entry-bound component a bit for each entry
//! that leads to the vertex, in an exit-bound one a bit for each exit that the vertex leads
//! to. One round of work takes the bits of a word that are new and passes them on along the
//! edges, so that up to 64 instances of a rule fire at once, and no instance fires twice.
//!
//! Components take turns: one is worked off until nothing is new in it. That keeps what is
//! looked at close together in memory.

use std::collections::VecDeque;

use crate::{
    layout::{Bound, Kind, Layout},
    meter::{Meter, Stopped},
};

/// A summary that there is not.
pub(crate) const NEVER: u32 = u32::MAX;

/// One of the paper's relations: R (there is a path) or Z (there is one with a mark).
#[derive(Debug, Default)]
pub(crate) struct Relation {
    rows: Vec<u64>,
    /// For each summary when it was found, or [`NEVER`]. Those that it was derived from were
    /// found before.
    pub(crate) stamps: Vec<u32>,
}

impl Relation {
    /// The relation R.
    pub(crate) fn paths(layout: &Layout<'_>, meter: &mut Meter<'_>) -> Result<Self, Stopped> {
        let mut saturation = Saturation::new(layout, None);
        for (component, shape) in layout.shapes.iter().enumerate() {
            let seeds = match shape.bound {
                Bound::Entry => layout.entries(component as u32),
                Bound::Exit => layout.exits(component as u32),
            };
            for (rank, &seed) in seeds.iter().enumerate() {
                saturation.add(seed, rank / 64, 1 << (rank % 64));
            }
        }
        saturation.run(meter)?;
        Ok(saturation.relation)
    }

    /// The relation Z for one mark, given R.
    pub(crate) fn marked(
        layout: &Layout<'_>,
        paths: &Relation,
        has_mark: impl Fn(u32) -> bool,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Stopped> {
        let mut saturation = Saturation::new(layout, Some(paths));
        for vertex in (0..layout.sites.len() as u32).filter(|&v| has_mark(v)) {
            let row = layout.row(vertex);
            for word in 0..layout.shape(vertex).words {
                saturation.add(vertex, word, paths.rows[row + word]);
            }
        }
        saturation.run(meter)?;
        Ok(saturation.relation)
    }

    /// Frees what only the rules need.
    pub(crate) fn drop_rows(&mut self) {
        self.rows = Vec::new();
    }

    pub(crate) fn has(&self, summary: usize) -> bool {
        self.stamps[summary] != NEVER
    }
}

struct Saturation<'a, 'm> {
    layout: &'a Layout<'m>,
    relation: Relation,
    /// The bits that have not been passed on yet.
    fresh: Vec<u64>,
    /// For each component the vertices and words with such bits.
    pending: Vec<Vec<(u32, u32)>>,
    /// The components that have some.
    due: VecDeque<u32>,
    found: u32,
    /// R, while Z is worked out.
    paths: Option<&'a Relation>,
}

impl<'a, 'm> Saturation<'a, 'm> {
    fn new(layout: &'a Layout<'m>, paths: Option<&'a Relation>) -> Self {
        Saturation {
            layout,
            relation: Relation {
                rows: vec![0; layout.cells],
                stamps: vec![NEVER; layout.summaries],
            },
            fresh: vec![0; layout.cells],
            pending: vec![Vec::new(); layout.shapes.len()],
            due: VecDeque::new(),
            found: 0,
            paths,
        }
    }

    fn add(&mut self, vertex: u32, word: usize, bits: u64) {
        let cell = self.layout.row(vertex) + word;
        let new = bits & !self.relation.rows[cell];
        if new == 0 {
            return;
        }
        self.relation.rows[cell] |= new;
        if self.fresh[cell] == 0 {
            let component = self.layout.sites[vertex as usize].component;
            let pending = &mut self.pending[component as usize];
            if pending.is_empty() {
                self.due.push_back(component);
            }
            pending.push((vertex, word as u32));
        }
        self.fresh[cell] |= new;
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let mut batch = Vec::new();
        while let Some(component) = self.due.pop_front() {
            // It may be due again by then with nothing left to do.
            std::mem::swap(&mut batch, &mut self.pending[component as usize]);
            while !batch.is_empty() {
                for (vertex, word) in batch.drain(..) {
                    self.pass_on(vertex, word as usize, meter)?;
                }
                std::mem::swap(&mut batch, &mut self.pending[component as usize]);
            }
        }
        Ok(())
    }

    fn pass_on(&mut self, vertex: u32, word: usize, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let cell = self.layout.row(vertex) + word;
        let bits = std::mem::take(&mut self.fresh[cell]);
        let work = match self.layout.shape(vertex).bound {
            Bound::Entry => self.forward(vertex, word, bits, meter)?,
            Bound::Exit => self.backward(vertex, word, bits, meter)?,
        };
        meter.add(work + 1)
    }

    /// Whether a call that enters here can leave there.
    fn crosses(&self, entry_port: u32, exit_port: u32) -> bool {
        let summary = self.layout.across(entry_port, exit_port);
        self.paths.unwrap_or(&self.relation).has(summary)
    }

    fn forward(
        &mut self,
        vertex: u32,
        word: usize,
        bits: u64,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Stopped> {
        let layout = self.layout;
        match layout.kind(vertex) {
            Kind::EntryPort => {
                let ports = layout.exit_ports(vertex);
                for &port in ports {
                    if self.crosses(vertex, port) {
                        self.add(port, word, bits);
                    }
                }
                Ok(ports.len())
            }
            Kind::Exit => {
                let exit = layout.sites[vertex as usize].rank;
                for entry in ones(word, bits) {
                    self.summary(layout.sites[vertex as usize].component, entry, exit, meter)?;
                }
                Ok(0)
            }
            _ => {
                let after = layout.after(vertex);
                for &to in after {
                    self.add(to, word, bits);
                }
                Ok(after.len())
            }
        }
    }

    fn backward(
        &mut self,
        vertex: u32,
        word: usize,
        bits: u64,
        meter: &mut Meter<'_>,
    ) -> Result<usize, Stopped> {
        let layout = self.layout;
        match layout.kind(vertex) {
            Kind::ExitPort => {
                let ports = layout.entry_ports(vertex);
                for &port in ports {
                    if self.crosses(port, vertex) {
                        self.add(port, word, bits);
                    }
                }
                Ok(ports.len())
            }
            Kind::Entry => {
                let entry = layout.sites[vertex as usize].rank;
                for exit in ones(word, bits) {
                    self.summary(layout.sites[vertex as usize].component, entry, exit, meter)?;
                }
                Ok(0)
            }
            _ => {
                let before = layout.before(vertex);
                for &from in before {
                    self.add(from, word, bits);
                }
                Ok(before.len())
            }
        }
    }

    /// A new summary: all calls that enter and leave there go through.
    fn summary(
        &mut self,
        component: u32,
        entry: u32,
        exit: u32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stopped> {
        let layout = self.layout;
        self.relation.stamps[layout.summary(component, entry, exit)] = self.found;
        self.found += 1;
        meter.summary();
        let bound = layout.shapes[component as usize].bound;
        // From the side with few partners, so that the work stays within the bound.
        let callers = match bound {
            Bound::Entry => layout.callers(layout.exits(component)[exit as usize]),
            Bound::Exit => layout.callers(layout.entries(component)[entry as usize]),
        };
        for &port in callers {
            let pair = match bound {
                Bound::Entry => {
                    let other = layout.with_rank(layout.entry_ports(port), entry);
                    other.map(|other| (other, port))
                }
                Bound::Exit => {
                    let other = layout.with_rank(layout.exit_ports(port), exit);
                    other.map(|other| (port, other))
                }
            };
            let work = pair.map_or(0, |(from, to)| self.cross(from, to));
            meter.add(work + 1)?;
        }
        Ok(())
    }

    /// Passes on what is known on one side of a call to the other.
    fn cross(&mut self, entry_port: u32, exit_port: u32) -> usize {
        let shape = self.layout.shape(entry_port);
        let (from, to) = match shape.bound {
            Bound::Entry => (entry_port, exit_port),
            Bound::Exit => (exit_port, entry_port),
        };
        let row = self.layout.row(from);
        for word in 0..shape.words {
            let bits = self.paths.unwrap_or(&self.relation).rows[row + word];
            self.add(to, word, bits);
        }
        shape.words
    }
}

/// The numbers of the bits that are set.
fn ones(word: usize, mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let bit = bits.trailing_zeros();
        bits &= bits - 1;
        Some(word as u32 * 64 + bit)
    })
}
