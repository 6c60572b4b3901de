//! The summaries of a machine, and the graph H of steps, summaries and calls.

use std::ops::ControlFlow;

use recurva_model::rsm::{ComponentId, Rsm, VertexId};

use crate::{
    Acceptance, Bound, Lasso, Marks, Path, Progress, Stack, Stopped,
    components::fair_turn,
    evidence::Hop,
    layout::{Kind, Layout},
    meter::Meter,
    saturate::{NEVER, Relation},
};

/// How the bound of a component is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// By its entries or its exits, whichever are fewer: what makes the time O(n·θ²).
    #[default]
    Smaller,
    /// The same for all components; for measurements and tests.
    Always(Bound),
}

/// All there is to know about the paths of a machine: which entry leads to which exit and
/// with which marks, and which vertices are reachable.
pub struct Analysis<'m> {
    layout: Layout<'m>,
    /// The marks of the vertices, empty if there are none at all.
    marks: Vec<Marks>,
    all: Marks,
    paths: Relation,
    /// For each mark the summaries that can pass it.
    marked: Vec<Relation>,
    /// For each summary the marks that it can pass, not all of them at once perhaps.
    passing: Vec<Marks>,
    /// The reachable vertices, nearest first.
    order: Vec<u32>,
    /// For each vertex how it was reached first: itself if initial, [`NEVER`] if not.
    before: Vec<u32>,
    progress: Progress,
}

impl<'m> Analysis<'m> {
    /// Works out the summaries of a machine and its reachable vertices, in time O(n·θ²) for
    /// each mark and as much once more, and memory O(n·θ).
    ///
    /// `tick` is called every few thousand units of work and can stop it.
    pub fn new(
        rsm: &'m Rsm,
        acceptance: &Acceptance,
        tick: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Self, Stopped> {
        Self::with_choice(rsm, acceptance, Choice::Smaller, tick)
    }

    /// Like [`Analysis::new`], with a say in how the bounds are chosen. The answers are the
    /// same for all choices, the times are not.
    pub fn with_choice(
        rsm: &'m Rsm,
        acceptance: &Acceptance,
        choice: Choice,
        mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Self, Stopped> {
        let meter = &mut Meter::new(&mut tick);
        let layout = Layout::new(rsm, |entries, exits| match choice {
            Choice::Always(bound) => bound,
            Choice::Smaller if exits < entries => Bound::Exit,
            Choice::Smaller => Bound::Entry,
        });
        meter.add(rsm.len())?;
        let marks: Vec<Marks> = match acceptance.count() {
            0 => Vec::new(),
            _ => rsm.vertices().map(|v| acceptance.marks(v)).collect(),
        };
        let mut paths = Relation::paths(&layout, meter)?;
        let mut marked = Vec::new();
        let mut passing = Vec::new();
        if acceptance.count() > 0 {
            passing = vec![Marks::default(); layout.summaries];
        }
        for mark in 0..acceptance.count() {
            let has_mark = |vertex: u32| marks[vertex as usize].contains(Marks::one(mark));
            let mut relation = Relation::marked(&layout, &paths, has_mark, meter)?;
            relation.drop_rows();
            for (marks, &stamp) in passing.iter_mut().zip(&relation.stamps) {
                if stamp != NEVER {
                    *marks = marks.union(Marks::one(mark));
                }
            }
            marked.push(relation);
        }
        paths.drop_rows();
        let mut analysis = Analysis {
            layout,
            marks,
            all: acceptance.all(),
            paths,
            marked,
            passing,
            order: Vec::new(),
            before: Vec::new(),
            progress: Progress::default(),
        };
        analysis.reach_all(meter)?;
        analysis.progress = meter.progress();
        Ok(analysis)
    }

    /// The reachable vertices, by breadth-first search.
    fn reach_all(&mut self, meter: &mut Meter<'_>) -> Result<(), Stopped> {
        let mut before = vec![NEVER; self.layout.sites.len()];
        let mut order = Vec::new();
        for vertex in self.layout.rsm.init() {
            before[vertex.index()] = vertex.0;
            order.push(vertex.0);
        }
        let mut next = 0;
        while let Some(&vertex) = order.get(next) {
            next += 1;
            let mut work = 1;
            for to in self.hops(vertex) {
                work += 1;
                if before[to as usize] == NEVER {
                    before[to as usize] = vertex;
                    order.push(to);
                }
            }
            meter.add(work)?;
        }
        (self.order, self.before) = (order, before);
        Ok(())
    }

    /// The machine.
    pub fn rsm(&self) -> &'m Rsm {
        self.layout.rsm
    }

    /// The work done so far.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The memory that the work took at most, in bytes, without the machine itself. What
    /// [`Analysis::run`] takes on top is about 16 bytes for each vertex.
    pub fn bytes(&self) -> usize {
        // Known and fresh bits, and those of R while a Z is worked out.
        let rows = if self.marked.is_empty() { 2 } else { 3 };
        let stamps = (1 + self.marked.len()) * size_of::<u32>();
        let passing = self.passing.len() * size_of::<Marks>();
        let vertices = self.marks.len() * size_of::<Marks>()
            + (self.order.capacity() + self.before.len()) * size_of::<u32>();
        self.layout.bytes()
            + self.layout.cells * rows * size_of::<u64>()
            + self.layout.summaries * stamps
            + passing
            + vertices
    }

    /// Whether pairs with entries or pairs with exits were worked out for a component.
    pub fn bound(&self, component: ComponentId) -> Bound {
        self.layout.shapes[component.index()].bound
    }

    /// Whether some run gets to the vertex.
    pub fn is_reachable(&self, vertex: VertexId) -> bool {
        self.before[vertex.index()] != NEVER
    }

    /// The vertices that some run gets to, nearest first.
    pub fn reachable(&self) -> impl Iterator<Item = VertexId> + '_ {
        self.order.iter().map(|&vertex| VertexId(vertex))
    }

    /// The way to the nearest reachable vertex that is wanted, calls that return counted as
    /// one step.
    pub fn path_to(&self, mut wanted: impl FnMut(VertexId) -> bool) -> Option<Path<'_, 'm>> {
        let target = self.reachable().find(|&vertex| wanted(vertex))?;
        Some(self.path(target.0))
    }

    fn path(&self, target: u32) -> Path<'_, 'm> {
        let mut hops = Vec::new();
        let mut at = target;
        while self.before[at as usize] != at {
            hops.push(Hop::plain(at));
            at = self.before[at as usize];
        }
        hops.reverse();
        Path::new(self, at, hops)
    }

    /// Whether an entry leads to an exit of the same component, within one invocation, and if
    /// so the marks that are on such paths, those of both ends too. Each mark is on some path;
    /// they need not all be on the same one.
    pub fn summary(&self, entry: VertexId, exit: VertexId) -> Option<Marks> {
        let (from, to) = (
            self.layout.sites.get(entry.index())?,
            self.layout.sites.get(exit.index())?,
        );
        let ends = (from.kind, to.kind) == (Kind::Entry, Kind::Exit);
        if !ends || from.component != to.component {
            return None;
        }
        let summary = self.layout.summary(from.component, from.rank, to.rank);
        let exists = self.paths.has(summary);
        exists.then(|| self.passing.get(summary).copied().unwrap_or_default())
    }

    /// An accepting infinite run, if there is one. For [`Stack::Any`] one whose stack stays
    /// bounded is preferred. Linear in the graph of steps, summaries and calls.
    ///
    /// `tick` is called every few thousand units of work and can stop it.
    pub fn run(
        &self,
        stack: Stack,
        mut tick: impl FnMut(&Progress) -> ControlFlow<()>,
    ) -> Result<Option<Lasso<'_, 'm>>, Stopped> {
        let meter = &mut Meter::new(&mut tick);
        let found = match stack {
            Stack::Bounded => fair_turn(self, false, meter)?,
            Stack::Unbounded => fair_turn(self, true, meter)?,
            Stack::Any => match fair_turn(self, false, meter)? {
                Some(found) => Some(found),
                None => fair_turn(self, true, meter)?,
            },
        };
        Ok(found.map(|(start, turn)| {
            let diverges = self.has_call(start, &turn);
            Lasso::new(self.path(start), Path::new(self, start, turn), diverges)
        }))
    }

    fn has_call(&self, start: u32, turn: &[Hop]) -> bool {
        let ends = turn.iter().map(|hop| hop.to);
        let starts = std::iter::once(start).chain(ends.clone());
        starts.zip(ends).any(|(from, to)| self.is_call(from, to))
    }

    // The graph H.

    pub(crate) fn layout(&self) -> &Layout<'m> {
        &self.layout
    }

    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn all(&self) -> Marks {
        self.all
    }

    pub(crate) fn marks(&self, vertex: u32) -> Marks {
        self.marks.get(vertex as usize).copied().unwrap_or_default()
    }

    pub(crate) fn paths(&self) -> &Relation {
        &self.paths
    }

    pub(crate) fn marked(&self, mark: u32) -> &Relation {
        &self.marked[mark as usize]
    }

    /// Where a vertex leads by a step, a call or a summary: the one with that index, counted
    /// from 0, if there are so many. `Some(None)` is a call that cannot come back there.
    pub(crate) fn hop(&self, vertex: u32, index: u32) -> Option<Option<u32>> {
        match self.layout.kind(vertex) {
            Kind::EntryPort => {
                let Some(index) = index.checked_sub(1) else {
                    return Some(Some(self.layout.behind(vertex)));
                };
                let &port = self.layout.exit_ports(vertex).get(index as usize)?;
                let crosses = self.paths.has(self.layout.across(vertex, port));
                Some(crosses.then_some(port))
            }
            _ => {
                let after = self.layout.after(vertex);
                after.get(index as usize).copied().map(Some)
            }
        }
    }

    /// All the places where a vertex leads.
    pub(crate) fn hops(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        (0..).map_while(move |i| self.hop(vertex, i)).flatten()
    }

    pub(crate) fn is_call(&self, from: u32, to: u32) -> bool {
        self.layout.kind(from) == Kind::EntryPort && self.layout.kind(to) == Kind::Entry
    }

    pub(crate) fn is_summary(&self, from: u32, to: u32) -> bool {
        self.layout.kind(from) == Kind::EntryPort && self.layout.kind(to) == Kind::ExitPort
    }

    /// The marks that can be passed on the way between two vertices, both left out.
    pub(crate) fn passing(&self, from: u32, to: u32) -> Marks {
        if self.passing.is_empty() || !self.is_summary(from, to) {
            return Marks::default();
        }
        self.passing[self.layout.across(from, to)]
    }
}

impl std::fmt::Debug for Analysis<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analysis")
            .field("reachable", &self.order.len())
            .field("progress", &self.progress)
            .finish_non_exhaustive()
    }
}
