//! What is asked of a program's infinite runs, and the loops that accepted ones have to stay in.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use recurva_model::{
    Action, EdgeId, Ending, Malformed, Patience, Point, ProcId, Program, Stack, Stop, VarRef,
};

use crate::{
    build::Builder,
    loops::{Fair, Loop},
    product::{Does, Graph, PlaceId, Product, Summaries},
    rank::Ranks,
    watcher::Watcher,
};

/// What is asked: whether a program has an infinite run that is accepted.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// What accepts runs.
    pub watcher: &'a Watcher,
    /// What becomes of runs that end.
    pub ending: Ending,
    /// Which infinite runs count.
    pub stack: Stack,
    /// Nodes where the program does not say how a run goes on: none may be reached.
    pub limits: &'a [Point],
}

/// Why there is no program of spines.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Unbuilt {
    /// The caller said stop.
    #[error("it was told to stop")]
    Stopped,
    /// A procedure that may be jumped to has large arrays.
    #[error("the local arrays of {0} are too large")]
    Arrays(String),
    /// Ranks that do not fit.
    #[error("the ranks do not fit the loops of the program")]
    Ranks,
    /// It is no program.
    #[error("{0}")]
    Malformed(#[from] Malformed),
}

impl From<Stop> for Unbuilt {
    fn from(Stop: Stop) -> Self {
        Unbuilt::Stopped
    }
}

/// The spines of a program's runs, with the loops that an accepted run may stay in.
#[derive(Debug)]
pub struct Spines<'a> {
    pub(crate) asked: Asked<'a>,
    pub(crate) graph: Graph,
    pub(crate) summaries: Summaries,
    pub(crate) bodies: BTreeMap<(ProcId, u32), Graph>,
    pub(crate) loops: Vec<Loop>,
    /// The places from which a loop or a limit can be reached.
    pub(crate) is_kept: Vec<bool>,
}

/// Where a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node of the program.
    pub point: Point,
    /// Whether a way round may leave calls behind that never return.
    pub may_grow: bool,
    /// Whether the run is over, and stays where it is.
    pub is_end: bool,
}

/// A program whose targets are unreachable only if no run is accepted.
#[derive(Clone, Debug)]
pub struct Ranked {
    /// The program.
    pub program: Program,
    /// All nodes that must not be reached.
    pub targets: Vec<Point>,
    /// For each loop its nodes.
    pub rounds: Vec<Round>,
    /// For each loop the locals of the spines' procedure, which is the first one, that keep its ranks.
    pub kept: Vec<Range<u32>>,
    /// For each procedure of the original program where its locals begin among those of the
    /// spines' procedure, if they are there.
    pub(crate) offsets: BTreeMap<ProcId, u32>,
}

/// The nodes of a loop in a [`Ranked`] program.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Where the loop begins anew, and its ranks are kept.
    pub enter: Point,
    /// Where they are compared with those that were kept.
    pub check: Point,
    /// Where they have not fallen.
    pub fail: Point,
    /// The variable with the marks that were passed and its value when ranks are compared, if they are
    /// not compared each time.
    pub(crate) due: Option<(VarRef, u64)>,
    /// The variable that says that no ranks were kept since the loop was entered, if that may be.
    pub(crate) fresh: Option<VarRef>,
}

impl<'a> Spines<'a> {
    /// Finds the loops in which an accepted run might stay.
    ///
    /// # Errors
    ///
    /// If patience ends.
    pub fn new(asked: Asked<'a>, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let product = Product {
            program: asked.program,
            watcher: asked.watcher,
            ending: asked.ending,
        };
        let summaries = product.summaries(patience)?;
        let graph = product.spine(&summaries, patience)?;
        let fair = Fair::new(&graph, asked.watcher.acceptance, asked.stack);
        let loops = fair.loops(patience)?;
        let mut bodies = BTreeMap::new();
        for &context in summaries.keys() {
            bodies.insert(context, product.body(context, &summaries, patience)?);
        }
        let limits: BTreeSet<Point> = asked.limits.iter().copied().collect();
        let is_kept = kept(&graph, &loops, &limits);
        Ok(Spines {
            asked,
            graph,
            summaries,
            bodies,
            loops,
            is_kept,
        })
    }

    /// Where the loops are cut, in order.
    pub fn cuts(&self) -> Vec<Cut> {
        let cuts = self.loops.iter().map(|it| Cut {
            point: self.graph.places[it.head].point,
            may_grow: it.members.iter().any(|&place| {
                let mut moves = self.graph.moves[place].iter();
                moves.any(|to| matches!(to.does, Does::Jump { .. }) && it.contains(to.to))
            }),
            is_end: it.members.iter().any(|&place| {
                let mut moves = self.graph.moves[place].iter();
                moves.any(|to| matches!(to.does, Does::Stay))
            }),
        });
        cuts.collect()
    }

    /// The original program's edges that a loop consists of, by procedure.
    pub(crate) fn edges_of(&self, index: usize) -> BTreeSet<(ProcId, EdgeId)> {
        let Some(it) = self.loops.get(index) else {
            return BTreeSet::new();
        };
        let mut found = BTreeSet::new();
        for &place in &it.members {
            let procedure = self.graph.places[place].point.procedure;
            for to in &self.graph.moves[place] {
                let edge = match to.does {
                    Does::Step(edge) | Does::Call { edge, .. } | Does::Jump { edge, .. } => edge,
                    Does::Read(_) | Does::Stay => continue,
                };
                if it.contains(to.to) {
                    found.insert((procedure, edge));
                }
            }
        }
        found
    }

    /// Whether a path may come into a loop at a place that is not its head.
    pub(crate) fn is_entered_elsewhere(&self, it: &Loop) -> bool {
        let fair = self.fair();
        let moves = self.graph.moves.iter().enumerate();
        let mut moves = moves.flat_map(|(from, moves)| moves.iter().map(move |to| (from, to)));
        // The first place is where runs begin.
        it.head != 0 && it.contains(0)
            || moves.any(|(from, to)| {
                let stays = it.contains(from) && fair.counts(to);
                to.to != it.head && it.contains(to.to) && !stays
            })
    }

    pub(crate) fn fair(&self) -> Fair<'_> {
        Fair::new(&self.graph, self.asked.watcher.acceptance, self.asked.stack)
    }

    /// The procedures whose calls return on the way to a loop or a limit.
    pub(crate) fn called(&self) -> BTreeSet<ProcId> {
        let mut found = BTreeSet::new();
        let mut open: Vec<(ProcId, u32)> = Vec::new();
        let mut seen: BTreeSet<(ProcId, u32)> = BTreeSet::new();
        let note = |graph: &Graph, is_kept: &dyn Fn(PlaceId) -> bool, open: &mut Vec<_>| {
            let moves = graph.moves.iter().enumerate();
            for (from, moves) in moves.filter(|(from, _)| is_kept(*from)) {
                let procedure = graph.places[from].point.procedure;
                for it in moves.iter().filter(|it| is_kept(it.to)) {
                    if let Does::Call { edge, head, .. } = it.does
                        && let Action::Call { callee, .. } =
                            self.asked.program.edge(procedure, edge).action
                    {
                        open.push((callee, head));
                    }
                }
            }
        };
        note(&self.graph, &|place| self.is_kept[place], &mut open);
        while let Some(context) = open.pop() {
            if !seen.insert(context) {
                continue;
            }
            found.insert(context.0);
            if let Some(graph) = self.bodies.get(&context) {
                note(graph, &|_| true, &mut open);
            }
        }
        found
    }

    /// The program that fails where ranks do not fall; there are some for each loop.
    ///
    /// # Errors
    ///
    /// If the ranks do not fit, or there is no such program.
    pub fn with_ranks(&self, ranks: &[Ranks]) -> Result<Ranked, Unbuilt> {
        let all: Vec<Option<&Ranks>> = ranks.iter().map(Some).collect();
        self.build(&all)
    }

    /// The same for one loop alone: others may go round as they like. It has the same nodes and edges, and
    /// the same variables but for those that keep ranks ([`Ranked::kept`]).
    ///
    /// # Errors
    ///
    /// If the ranks do not fit, or there is no such program.
    pub fn with_ranks_of(&self, index: usize, ranks: &Ranks) -> Result<Ranked, Unbuilt> {
        let mut all = vec![None; self.loops.len()];
        if let Some(own) = all.get_mut(index) {
            *own = Some(ranks);
        }
        self.build(&all)
    }

    fn build(&self, ranks: &[Option<&Ranks>]) -> Result<Ranked, Unbuilt> {
        if ranks.len() != self.loops.len() {
            return Err(Unbuilt::Ranks);
        }
        for (ranks, cut) in ranks.iter().zip(self.cuts()) {
            for rank in ranks.iter().copied().flatten() {
                let fits = rank.check(self.asked.program, cut.point.procedure);
                fits.map_err(|_| Unbuilt::Ranks)?;
            }
        }
        Builder::new(self).build(ranks)
    }
}

/// The places from which loops or limits can be reached.
fn kept(graph: &Graph, loops: &[Loop], limits: &BTreeSet<Point>) -> Vec<bool> {
    let mut before: Vec<Vec<PlaceId>> = vec![Vec::new(); graph.places.len()];
    for (place, moves) in graph.moves.iter().enumerate() {
        moves.iter().for_each(|it| before[it.to].push(place));
    }
    let mut is_kept = vec![false; graph.places.len()];
    let places = graph.places.iter().enumerate();
    let limited = places.filter(|(_, it)| limits.contains(&it.point));
    let mut open: Vec<PlaceId> = limited.map(|(place, _)| place).collect();
    open.extend(loops.iter().flat_map(|it| it.members.iter().copied()));
    while let Some(place) = open.pop() {
        if !std::mem::replace(&mut is_kept[place], true) {
            open.extend(&before[place]);
        }
    }
    is_kept
}
