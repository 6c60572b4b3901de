//! A program and a watcher side by side, as a graph of places: the spines of infinite runs.
//!
//! An infinite run makes calls that return and, perhaps, calls that never do. Its *spine* is what is
//! left if each call that returns is one step: a path through a graph in which a call that never
//! returns is a jump to the entry of the callee, as nobody will ever look at the caller's frame again.
//! So an infinite run, however its stack grows, is an infinite path through a finite graph.

use std::collections::{BTreeMap, VecDeque};

use recurva_model::{Action, EdgeId, Ending, Expr, NodeId, Patience, Point, ProcId, Program, Stop};
use rustc_hash::FxHashMap;

use crate::{
    conditions::{Says, cube_at},
    watcher::Watcher,
};

/// The watcher at a node: about to read the configuration, or behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// In this head.
    Head(u32),
    /// In this state.
    State(u32),
}

/// A node of the program with the watcher's stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) point: Point,
    pub(crate) stage: Stage,
    /// Whether the frame is the first one of the run, from which a return is its end.
    pub(crate) is_first: bool,
}

/// Index of a place in its [`Graph`].
pub(crate) type PlaceId = usize;

/// What a path does from one place to the next.
#[derive(Clone, Debug)]
pub(crate) enum Does {
    /// The watcher reads.
    Read(Says),
    /// An internal edge of the program.
    Step(EdgeId),
    /// A call that returns: the watcher begins in this head and is in this state at the end.
    Call { edge: EdgeId, head: u32, end: u32 },
    /// A call that never returns.
    Jump { edge: EdgeId, callee: ProcId },
    /// The run is over and stays where it is.
    Stay,
}

/// An edge of a [`Graph`].
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) to: PlaceId,
    pub(crate) does: Does,
    /// The marks that are surely passed, as bits.
    pub(crate) marks: u32,
    /// Those that may be passed in a call, as bits.
    pub(crate) inside: u32,
}

/// A graph of places. The first one is where it begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) places: Vec<Place>,
    pub(crate) moves: Vec<Vec<Move>>,
}

/// How an invocation can go that begins in some head.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// The states in which it may end.
    pub(crate) ends: Vec<u32>,
    /// The marks that may be passed, as bits.
    pub(crate) marks: u32,
}

/// What may be known of calls without a look at values: by callee and head.
pub(crate) type Summaries = BTreeMap<(ProcId, u32), Summary>;

/// A program with what watches it.
#[derive(Clone, Copy)]
pub(crate) struct Product<'a> {
    pub(crate) program: &'a Program,
    pub(crate) watcher: &'a Watcher,
    pub(crate) ending: Ending,
}

impl Product<'_> {
    /// All summaries of calls that can be made, as the least fixpoint.
    pub(crate) fn summaries(&self, patience: &mut Patience<'_>) -> Result<Summaries, Stop> {
        let mut known = Summaries::new();
        let spine = self.spine(&known, patience)?;
        self.note_calls(&spine, &mut known);
        loop {
            let mut is_changed = false;
            let contexts: Vec<(ProcId, u32)> = known.keys().copied().collect();
            for context in contexts {
                let graph = self.body(context, &known, patience)?;
                is_changed |= self.note_calls(&graph, &mut known);
                let found = self.summary(context.0, &graph);
                let old = known.entry(context).or_default();
                if old.ends != found.ends || old.marks != found.marks {
                    *old = found;
                    is_changed = true;
                }
            }
            if !is_changed {
                // What returns may lead to calls that were not met with before.
                let spine = self.spine(&known, patience)?;
                if !self.note_calls(&spine, &mut known) {
                    return Ok(known);
                }
            }
        }
    }

    /// The calls that are made in a graph get (empty) summaries. Whether there were new ones.
    fn note_calls(&self, graph: &Graph, known: &mut Summaries) -> bool {
        let before = known.len();
        for place in &graph.places {
            let Stage::State(state) = place.stage else {
                continue;
            };
            let Some(head) = self.watcher.states[state as usize].call else {
                continue;
            };
            for (_, edge) in self.program.edges_from(place.point) {
                if let Action::Call { callee, .. } = edge.action {
                    known.entry((callee, head)).or_default();
                }
            }
        }
        known.len() > before
    }

    fn summary(&self, procedure: ProcId, graph: &Graph) -> Summary {
        let exit = self.program.procedure(procedure).exit;
        let mut summary = Summary::default();
        for (place, moves) in graph.places.iter().zip(&graph.moves) {
            for it in moves {
                summary.marks |= it.marks | it.inside;
            }
            if let Stage::State(state) = place.stage
                && place.point.node == exit
            {
                summary.ends.push(state);
            }
        }
        summary.ends.sort_unstable();
        summary
    }

    /// The spines of all runs.
    pub(crate) fn spine(
        &self,
        known: &Summaries,
        patience: &mut Patience<'_>,
    ) -> Result<Graph, Stop> {
        let main = self.program.main();
        let start = Place {
            point: Point {
                procedure: main,
                node: self.program.procedure(main).entry,
            },
            stage: Stage::Head(self.watcher.initial),
            is_first: true,
        };
        self.explore(start, known, true, patience)
    }

    /// All runs through an invocation that begins in a head.
    pub(crate) fn body(
        &self,
        (procedure, head): (ProcId, u32),
        known: &Summaries,
        patience: &mut Patience<'_>,
    ) -> Result<Graph, Stop> {
        let start = Place {
            point: Point {
                procedure,
                node: self.program.procedure(procedure).entry,
            },
            stage: Stage::Head(head),
            is_first: false,
        };
        self.explore(start, known, false, patience)
    }

    fn explore(
        &self,
        start: Place,
        known: &Summaries,
        is_spine: bool,
        patience: &mut Patience<'_>,
    ) -> Result<Graph, Stop> {
        let mut graph = Graph::default();
        let mut ids: FxHashMap<Place, PlaceId> = FxHashMap::default();
        let mut open = VecDeque::from([start]);
        ids.insert(start, 0);
        graph.places.push(start);
        while let Some(place) = open.pop_front() {
            patience.work(8)?;
            let mut moves = Vec::new();
            for (to, does, marks, inside) in self.moves(place, known, is_spine) {
                let next = graph.places.len();
                let id = *ids.entry(to).or_insert(next);
                if id == next {
                    graph.places.push(to);
                    open.push_back(to);
                }
                moves.push(Move {
                    to: id,
                    does,
                    marks,
                    inside,
                });
            }
            graph.moves.push(moves);
        }
        Ok(graph)
    }

    /// Where a path may go from a place: what it does, the marks it passes, and those it may pass
    /// in a call.
    fn moves(
        &self,
        place: Place,
        known: &Summaries,
        is_spine: bool,
    ) -> Vec<(Place, Does, u32, u32)> {
        let mut found = Vec::new();
        let state = match place.stage {
            Stage::State(state) => state,
            Stage::Head(head) => {
                for read in &self.watcher.heads[head as usize] {
                    let says = cube_at(read.cube, &self.watcher.conditions, place.point);
                    if matches!(says, Says::Never) {
                        continue;
                    }
                    let to = Place {
                        stage: Stage::State(read.to),
                        ..place
                    };
                    found.push((to, Does::Read(says), read.marks, 0));
                }
                return found;
            }
        };
        let watch = self.watcher.states[state as usize];
        let procedure = place.point.procedure;
        let within = |node: NodeId, head: u32| Place {
            point: Point { procedure, node },
            stage: Stage::Head(head),
            ..place
        };
        for (id, edge) in self.program.edges_from(place.point) {
            let callee = match edge.action {
                Action::Assign { .. } => {
                    if let Some(head) = watch.step {
                        found.push((within(edge.to, head), Does::Step(id), 0, 0));
                    }
                    continue;
                }
                Action::Call { callee, .. } => callee,
            };
            let Some(head) = watch.call else { continue };
            if is_spine {
                let entry = Place {
                    point: Point {
                        procedure: callee,
                        node: self.program.procedure(callee).entry,
                    },
                    stage: Stage::Head(head),
                    is_first: false,
                };
                found.push((entry, Does::Jump { edge: id, callee }, 0, 0));
            }
            let Some(summary) = known.get(&(callee, head)) else {
                continue;
            };
            for &end in &summary.ends {
                if let Some(after) = self.watcher.returned(end, state) {
                    let does = Does::Call {
                        edge: id,
                        head,
                        end,
                    };
                    found.push((within(edge.to, after), does, 0, summary.marks));
                }
            }
        }
        let is_end = place.is_first
            && place.point.node == self.program.procedure(procedure).exit
            && self.ending == Ending::Stutters;
        if let (true, true, Some(head)) = (is_spine, is_end, watch.step) {
            found.push((within(place.point.node, head), Does::Stay, 0, 0));
        }
        found
    }
}

impl Says {
    /// As a guard.
    pub(crate) fn guard(&self) -> Expr {
        match self {
            Says::Always => Expr::truth(),
            Says::Never => Expr::truth().negate(),
            Says::If(condition) => condition.clone(),
        }
    }
}
