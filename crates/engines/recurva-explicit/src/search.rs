//! On-the-fly reachability over any [`RecursiveSystem`] (Vera paper, §3, Fig. 2).
//!
//! The search of each invocation is suspended at a call and taken up again for every exit
//! that the callee is found to reach from that entry state; an invocation that begins in an
//! entry state met before is not searched again. It stops at the first target.
//!
//! Differences from the paper's pseudo-code: the search started by a call is that of the
//! pair (entry, entry); nothing recurses; a state is tested when it is discovered; the order
//! is a choice ([`Order`]).

use std::ops::ControlFlow;

use recurva_model::{Move, Moves, Patience, RecursiveSystem, Site, Stop};

use crate::{
    frontier::{Frontier, Order},
    graph::{Graph, MAX_EDGES, PathEdge, Reached},
    witness::Witness,
};

/// How to search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The order in which path edges are taken up.
    pub order: Order,
    /// Stop when the search holds more than this many bytes.
    pub max_bytes: Option<u64>,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Distinct states.
    pub states: u64,
    /// Distinct path edges: a state with the entry state of its invocation.
    pub path_edges: u64,
    /// Pairs of an entry and an exit state found to be connected.
    pub summaries: u64,
    /// Path edges found but not yet taken up.
    pub waiting: u64,
    /// Bytes held. What states own on the heap by themselves is not counted.
    pub bytes: u64,
}

/// Why a search ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// [`Config::max_bytes`] was exceeded.
    Memory,
    /// There are no more 32-bit numbers for path edges.
    PathEdges,
    /// The caller said stop.
    Asked,
}

/// The answer of a search.
#[derive(Debug)]
pub enum Answer<S> {
    /// A target is reached, and this is how.
    Reached(Box<Witness<S>>),
    /// The search is complete and no target is reachable.
    Unreachable,
    /// The search was stopped before it could tell.
    Stopped(Stopped),
}

/// An answer with the final numbers of the search.
#[derive(Debug)]
pub struct Finished<S> {
    /// The answer.
    pub answer: Answer<S>,
    /// The numbers at the end; `bytes` is the peak.
    pub progress: Progress,
}

/// Searches for a state that is a target.
///
/// `is_target` sees every state once per invocation it is found in. `tick` is called every
/// few thousand steps of the search and can stop it.
///
/// The search ends if finitely many states are reachable, and also if not, when a target
/// turns up in time.
pub fn reach<S: RecursiveSystem>(
    system: &S,
    config: &Config,
    is_target: impl FnMut(&S::State) -> bool,
    tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Finished<S::State> {
    let mut search = Search::new(system, config, Target(is_target), tick);
    let end = search.run();
    let progress = search.progress();
    let answer = match end {
        ControlFlow::Continue(()) => Answer::Unreachable,
        ControlFlow::Break(End::Stopped(why)) => Answer::Stopped(why),
        ControlFlow::Break(End::Goal(edge)) => {
            Answer::Reached(Box::new(Witness::new(search.graph, edge)))
        }
    };
    Finished { answer, progress }
}

/// What a search looks for.
pub(crate) trait Goal<S> {
    /// Whether a path edge that has just been found (in shortest-first order: taken up) ends
    /// the search.
    fn is_reached_by(&mut self, graph: &Graph<S>, edge: PathEdge) -> bool;

    /// Whether the search ends because a path edge, new or old, is reached in this way.
    fn is_closed_by(
        &mut self,
        _graph: &Graph<S>,
        _edge: PathEdge,
        _reached: Reached,
        _patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        Ok(false)
    }

    /// Bytes held.
    fn bytes(&self) -> usize {
        0
    }
}

/// A goal that is a property of states.
struct Target<T>(T);

impl<S, T: FnMut(&S) -> bool> Goal<S> for Target<T> {
    fn is_reached_by(&mut self, graph: &Graph<S>, edge: PathEdge) -> bool {
        (self.0)(graph.state(edge))
    }
}

/// How many units of work are done between two calls of `tick`.
const WORK_PER_TICK: u32 = 4096;

/// What a question costs besides, if the system pauses and has found no move: it has tried very
/// many choices.
const FRUITLESS: u32 = 32;

/// A unit of work: one question to the system.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Work {
    /// Where do runs begin?
    Begin,
    /// What can this path edge do?
    Expand(PathEdge),
    /// How does this caller (by number) go on after this exit?
    Resume(u32, PathEdge),
}

/// Why the search ends early.
pub(crate) enum End {
    Goal(PathEdge),
    Stopped(Stopped),
}

pub(crate) struct Search<'s, S: RecursiveSystem, G, P> {
    system: &'s S,
    max_bytes: u64,
    pub(crate) goal: G,
    tick: P,
    graph: Graph<S::State>,
    frontier: Frontier,
    /// Path edges discovered by the current unit of work, in order.
    fresh: Vec<PathEdge>,
    /// Calls whose callee was found to have an exit, to be resumed next.
    returns: Vec<(u32, PathEdge)>,
    work_to_tick: u32,
    peak: u64,
    /// What `tick` was told last.
    told: Progress,
}

impl<'s, S, G, P> Search<'s, S, G, P>
where
    S: RecursiveSystem,
    G: Goal<S::State>,
    P: FnMut(&Progress) -> ControlFlow<()>,
{
    pub(crate) fn new(system: &'s S, config: &Config, goal: G, tick: P) -> Self {
        Search {
            system,
            max_bytes: config.max_bytes.unwrap_or(u64::MAX),
            goal,
            tick,
            graph: Graph::default(),
            frontier: Frontier::new(config.order),
            fresh: Vec::new(),
            returns: Vec::new(),
            work_to_tick: 1,
            peak: 0,
            told: Progress::default(),
        }
    }

    pub(crate) fn run(&mut self) -> ControlFlow<End> {
        let mut moves = Moves::default();
        self.perform(Work::Begin, &[], &mut moves)?;
        loop {
            if let Some((caller, exit)) = self.returns.pop() {
                self.perform(Work::Resume(caller, exit), &[], &mut moves)?;
            } else if let Some((work, cursor)) = self.frontier.pop_paused() {
                self.perform(work, &cursor, &mut moves)?;
            } else if let Some(edge) = self.frontier.pop() {
                self.take_up(edge, &mut moves)?;
            } else {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Follows a path edge: to its callers if it is an exit, else to its successors.
    fn take_up(&mut self, edge: PathEdge, moves: &mut Moves<S::State>) -> ControlFlow<End> {
        if self.frontier.is_shortest_first() && self.goal.is_reached_by(&self.graph, edge) {
            return ControlFlow::Break(End::Goal(edge));
        }
        if !self.system.is_exit(self.graph.state(edge)) {
            return self.perform(Work::Expand(edge), &[], moves);
        }
        let context = self.graph.context(edge);
        self.graph.add_exit(context, edge);
        self.returns
            .extend(self.graph.callers(context).map(|caller| (caller, edge)));
        ControlFlow::Continue(())
    }

    /// Asks the system for moves and discovers what they lead to. If the system pauses, the
    /// rest waits below what was discovered; in shortest-first order it is done at once.
    fn perform(
        &mut self,
        work: Work,
        cursor: &[u64],
        moves: &mut Moves<S::State>,
    ) -> ControlFlow<End> {
        moves.restart(cursor);
        loop {
            self.count_work()?;
            match work {
                Work::Begin => self.system.initial(moves),
                Work::Expand(edge) => self.system.moves(self.graph.state(edge), moves),
                Work::Resume(caller, exit) => {
                    let caller = self.graph.caller(caller);
                    let (from, site) = (self.graph.state(caller.edge), Site(caller.site));
                    self.system
                        .resume(from, site, self.graph.state(exit), moves);
                }
            }
            let paused = !moves.cursor().is_empty();
            if paused && moves.items().is_empty() {
                self.work_to_tick = self.work_to_tick.saturating_sub(FRUITLESS).max(1);
            }
            for item in moves.drain() {
                self.discover(work, item)?;
            }
            if paused && !self.frontier.is_shortest_first() {
                self.frontier.pause(work, moves.cursor());
            }
            self.frontier.push_reversed(&mut self.fresh);
            if !paused || !self.frontier.is_shortest_first() {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Enters where a move leads into the graph.
    fn discover(&mut self, work: Work, item: Move<S::State>) -> ControlFlow<End> {
        let (state, context, reached) = match (work, item) {
            (Work::Begin, Move::Step(state) | Move::Refine(state)) => {
                let (_, edge, new) = self.graph.add_entry(state, Reached::Initially);
                return self.found(edge, new, Reached::Initially);
            }
            (Work::Expand(edge), Move::Call { entry, site }) => {
                let reached = Reached::Call(edge);
                let (context, first, new) = self.graph.add_entry(entry, reached);
                let caller = self.graph.add_caller(context, edge, site.0);
                self.returns
                    .extend(self.graph.exits(context).map(|exit| (caller, exit)));
                return self.found(first, new, reached);
            }
            (Work::Expand(edge), Move::Step(state)) => {
                (state, self.graph.context(edge), Reached::Step(edge))
            }
            (Work::Expand(edge), Move::Refine(state)) => {
                (state, self.graph.context(edge), Reached::Refinement(edge))
            }
            (Work::Resume(caller, exit), Move::Step(state) | Move::Refine(state)) => {
                let caller = self.graph.caller(caller).edge;
                (
                    state,
                    self.graph.context(caller),
                    Reached::Return { caller, exit },
                )
            }
            // The trait asks for steps here; a call has no caller to come from.
            (Work::Begin | Work::Resume(..), Move::Call { .. }) => {
                debug_assert!(false, "`initial` and `resume` push steps");
                return ControlFlow::Continue(());
            }
        };
        let (edge, new) = self.graph.add(state, context, reached);
        self.found(edge, new, reached)
    }

    /// Queues a path edge that is new or, in shortest-first order, reached in fewer steps.
    fn found(&mut self, edge: PathEdge, new: bool, reached: Reached) -> ControlFlow<End> {
        if self.frontier.is_shortest_first() {
            let length = self.length(reached);
            if self.frontier.offer(edge, new, length) && !new {
                self.graph.reroute(edge, reached);
            }
        } else if new {
            if self.goal.is_reached_by(&self.graph, edge) {
                return ControlFlow::Break(End::Goal(edge));
            }
            self.fresh.push(edge);
        }
        let mut ask = || (self.tick)(&self.told);
        let mut patience = Patience::new(&mut ask);
        match (self.goal).is_closed_by(&self.graph, edge, reached, &mut patience) {
            Ok(false) => ControlFlow::Continue(()),
            Ok(true) => ControlFlow::Break(End::Goal(edge)),
            Err(Stop) => ControlFlow::Break(End::Stopped(Stopped::Asked)),
        }
    }

    /// The length of the shortest run that ends by reaching a path edge in this way.
    fn length(&self, reached: Reached) -> u64 {
        let length = |edge| self.frontier.length(edge);
        match reached {
            Reached::Initially => 0,
            Reached::Refinement(from) => length(from),
            Reached::Step(from) | Reached::Call(from) => length(from).saturating_add(1),
            Reached::Return { caller, exit } => {
                let entry = self.graph.entry(self.graph.context(exit));
                // The call, the callee from its entry to its exit, and the return.
                let callee = length(exit) - length(entry);
                length(caller).saturating_add(callee).saturating_add(2)
            }
        }
    }

    fn count_work(&mut self) -> ControlFlow<End> {
        self.work_to_tick -= 1;
        if self.work_to_tick > 0 {
            return ControlFlow::Continue(());
        }
        self.work_to_tick = WORK_PER_TICK;
        let progress = self.progress();
        self.told = progress;
        if self.graph.largest_number() >= MAX_EDGES - MARGIN {
            return ControlFlow::Break(End::Stopped(Stopped::PathEdges));
        }
        if progress.bytes > self.max_bytes {
            return ControlFlow::Break(End::Stopped(Stopped::Memory));
        }
        match (self.tick)(&progress) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(End::Stopped(Stopped::Asked)),
        }
    }

    /// The graph, the goal and the callback, when the search is over.
    pub(crate) fn into_parts(self) -> (Graph<S::State>, G, P) {
        (self.graph, self.goal, self.tick)
    }

    pub(crate) fn progress(&mut self) -> Progress {
        let bytes = (self.graph.bytes() + self.frontier.bytes() + self.goal.bytes()) as u64;
        self.peak = self.peak.max(bytes);
        Progress {
            states: self.graph.states_len() as u64,
            path_edges: self.graph.edges_len() as u64,
            summaries: self.graph.summaries_len() as u64,
            waiting: self.frontier.len() as u64,
            bytes: self.peak,
        }
    }
}

/// Path edges are counted only once per tick: room for what one tick may add.
const MARGIN: usize = 1 << 28;
