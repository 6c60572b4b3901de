//! Fair cycles: is there an infinite run that sees every acceptance mark again and again?
//! (Vera paper, §4; resource-constrained paper, §3–4.)
//!
//! An infinite run of a recursive system is a path in a finite graph over states, made of
//! steps, of *summaries* (a call with all that happens until it returns), and of calls that
//! never return. The run is fair if it goes round in a strongly connected component whose
//! states and summaries carry all marks. What goes round decides about the stack:
//!
//! - steps and summaries only: the stack stays finite;
//! - also a call that never returns: each turn leaves a frame behind, the stack diverges.
//!
//! The graph grows while the search runs. Whenever it has doubled, its components are worked
//! out anew, in linear time: all passes together are linear too, and a cycle is found before
//! the graph has grown to more than twice the size at which it closed.
//!
//! A summary must tell which marks its run passes. So path edges are told apart by the set of
//! marks seen since the entry (`marked::Marked`), and any exit's history is a run with
//! exactly its marks.

mod components;
mod lasso;
mod marked;

use std::ops::ControlFlow;

pub use recurva_model::Stack;
use recurva_model::{Patience, RecursiveSystem, Stop};

use crate::{
    frontier::Order,
    graph::{Graph, PathEdge, Reached},
    interner::push_tightly,
    search::{Config, End, Goal, Progress, Search, Stopped},
};
use components::{Fair, Link, LinkKind, Links};
pub use lasso::Lasso;
use marked::{Marked, MarkedState};

/// A set of acceptance marks, by number from 0 to 31.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Marks(pub u32);

impl Marks {
    /// The first `count` marks.
    pub const fn all(count: u32) -> Self {
        Marks(if count == 0 {
            0
        } else {
            u32::MAX >> (32 - count)
        })
    }

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Marks) -> Marks {
        Marks(self.0 | other.0)
    }

    /// Whether all of another set's marks are in this one.
    pub const fn contains(self, other: Marks) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A recursive system whose states carry acceptance marks: a generalised Büchi condition.
pub trait FairSystem: RecursiveSystem {
    /// The marks that a fair run sees infinitely often. None: every infinite run is fair.
    fn acceptance(&self) -> Marks;

    /// The marks of a state.
    fn marks(&self, state: &Self::State) -> Marks;
}

/// The answer of a search for a fair cycle.
#[derive(Debug)]
pub enum FairAnswer<S> {
    /// There is a fair run, and this is one.
    Found(Box<Lasso<S>>),
    /// The search is complete: there is none.
    Empty,
    /// The search was stopped before it could tell.
    Stopped(Stopped),
    /// There is a fair run, but the search was stopped before it could say which.
    Unfinished(Stopped),
}

/// An answer with the final numbers of the search.
#[derive(Debug)]
pub struct FairFinished<S> {
    /// The answer.
    pub answer: FairAnswer<S>,
    /// The numbers at the end; `bytes` is the peak.
    pub progress: Progress,
}

/// Searches for a fair infinite run.
///
/// `tick` is called every few thousand steps of the search and can stop it. The search ends
/// if finitely many states are reachable, and also if not, when a fair cycle turns up in
/// time.
///
/// In [`Order::ShortestFirst`] it looks for cycles only when all states are known, and gives
/// one that is reached with the fewest pending calls of all; else with the fewest among the
/// states known when a cycle is found.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use recurva_explicit::{
///     Config,
///     fair::{FairAnswer, FairSystem, Marks, Stack, fair_cycle},
/// };
/// use recurva_model::{Moves, RecursiveSystem, Site};
///
/// /// main calls itself for ever.
/// struct Deeper;
///
/// impl RecursiveSystem for Deeper {
///     type State = ();
///     fn initial(&self, out: &mut Moves<()>) {
///         out.step(());
///     }
///     fn moves(&self, _: &(), out: &mut Moves<()>) {
///         out.call((), Site(0));
///     }
///     fn is_exit(&self, _: &()) -> bool {
///         false
///     }
///     fn resume(&self, _: &(), _: Site, _: &(), _: &mut Moves<()>) {}
/// }
///
/// impl FairSystem for Deeper {
///     fn acceptance(&self) -> Marks {
///         Marks::all(0)
///     }
///     fn marks(&self, _: &()) -> Marks {
///         Marks::default()
///     }
/// }
///
/// let ask = |stack| fair_cycle(&Deeper, stack, &Config::default(), |_| ControlFlow::Continue(()));
/// assert!(matches!(ask(Stack::Diverging).answer, FairAnswer::Found(_)));
/// assert!(matches!(ask(Stack::Finite).answer, FairAnswer::Empty));
/// ```
pub fn fair_cycle<S: FairSystem>(
    system: &S,
    stack: Stack,
    config: &Config,
    tick: impl FnMut(&Progress) -> ControlFlow<()>,
) -> FairFinished<S::State> {
    let marked = Marked::new(system);
    let goal = Cycles {
        system: &marked,
        acceptance: system.acceptance(),
        stack,
        links: Vec::new(),
        initial: Vec::new(),
        edge_of: Vec::new(),
        next_pass: match config.order {
            Order::DepthFirst => FIRST_PASS,
            Order::ShortestFirst => usize::MAX,
        },
        is_there: false,
        found: None,
    };
    let mut search = Search::new(&marked, config, goal, tick);
    let end = search.run();
    let progress = search.progress();
    let (graph, mut goal, mut tick) = search.into_parts();
    let mut ask = || tick(&progress);
    let patience = &mut Patience::new(&mut ask);
    let stopped = match end {
        ControlFlow::Break(End::Stopped(why)) => Some(why),
        ControlFlow::Break(End::Goal(_)) => None,
        ControlFlow::Continue(()) => goal.pass(patience).err().map(|Stop| Stopped::Asked),
    };
    let Cycles {
        found,
        is_there,
        edge_of,
        ..
    } = goal;
    let answer = match (stopped, found) {
        (Some(why), None) if is_there => FairAnswer::Unfinished(why),
        (Some(why), None) => FairAnswer::Stopped(why),
        (None, None) => FairAnswer::Empty,
        (_, Some(links)) => {
            match Lasso::new(marked.into_states(), graph, &links, &edge_of, patience) {
                Ok(lasso) => FairAnswer::Found(Box::new(lasso)),
                Err(Stop) => FairAnswer::Unfinished(Stopped::Asked),
            }
        }
    };
    FairFinished { answer, progress }
}

/// The number of links at which components are worked out for the first time.
const FIRST_PASS: usize = 16;

/// The goal of the search: a fair component among the links found so far.
///
/// Nodes are states without their marks: a cycle closes as soon as a state comes back,
/// whatever was seen on the way.
struct Cycles<'s, 'm, S: RecursiveSystem> {
    system: &'m Marked<'s, S>,
    acceptance: Marks,
    stack: Stack,
    links: Vec<Link>,
    /// The states in which runs begin.
    initial: Vec<u32>,
    /// For each state the first path edge found of it.
    edge_of: Vec<PathEdge>,
    /// The number of links at which the next pass is due.
    next_pass: usize,
    /// Whether there is a fair run, which may not have been spelled out.
    is_there: bool,
    /// A fair run.
    found: Option<Links>,
}

impl<S: FairSystem> Cycles<'_, '_, S> {
    /// Works out the components of the graph as far as it is known.
    fn pass(&mut self, patience: &mut Patience<'_>) -> Result<(), Stop> {
        let marks = |state: u32| self.system.marks(state);
        let states = self.system.states_len();
        let (stack, all) = (self.stack, self.acceptance);
        if let Some(fair) = Fair::new(&self.links, states, stack, all, marks, patience)? {
            self.is_there = true;
            self.found = fair.run(&self.initial, marks, patience)?;
        }
        self.next_pass = (self.links.len() * 2).max(FIRST_PASS);
        Ok(())
    }

    /// The number of a path edge's state, and whether the path edge is the first of it.
    fn state_of(&mut self, graph: &Graph<MarkedState>, edge: PathEdge) -> (u32, bool) {
        let state = graph.state(edge).state;
        // States and their first path edges are numbered in the same order, but a batch of
        // states may be known before their path edges are.
        if self.edge_of.len() <= state as usize {
            self.edge_of.resize(state as usize + 1, NO_EDGE);
        }
        let first = &mut self.edge_of[state as usize];
        if *first == NO_EDGE {
            *first = edge;
        }
        (state, *first == edge)
    }
}

/// A path edge that there never is.
const NO_EDGE: PathEdge = PathEdge(u32::MAX);

impl<S: FairSystem> Goal<MarkedState> for Cycles<'_, '_, S> {
    fn is_reached_by(&mut self, _: &Graph<MarkedState>, _: PathEdge) -> bool {
        false
    }

    fn is_closed_by(
        &mut self,
        graph: &Graph<MarkedState>,
        edge: PathEdge,
        reached: Reached,
        patience: &mut Patience<'_>,
    ) -> Result<bool, Stop> {
        let (to, _) = self.state_of(graph, edge);
        let (from, kind) = match reached {
            Reached::Initially => {
                self.initial.push(to);
                return Ok(false);
            }
            Reached::Step(from) => (from, LinkKind::Step),
            Reached::Refinement(from) => (from, LinkKind::Refinement),
            Reached::Call(from) => (from, LinkKind::Call),
            Reached::Return { caller, exit } => {
                let marks = graph.state(exit).seen;
                (caller, LinkKind::Summary { exit, marks })
            }
        };
        let (from, is_first) = self.state_of(graph, from);
        // What a state can do depends neither on its invocation nor on what was seen: once
        // is enough.
        if !is_first {
            return Ok(false);
        }
        push_tightly(&mut self.links, Link { from, to, kind });
        if self.links.len() >= self.next_pass {
            self.pass(patience)?;
        }
        Ok(self.found.is_some())
    }

    fn bytes(&self) -> usize {
        self.links.capacity() * size_of::<Link>()
            + self.edge_of.capacity() * size_of::<PathEdge>()
            + self.system.bytes()
    }
}
