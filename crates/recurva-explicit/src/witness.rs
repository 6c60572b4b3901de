//! How a target is reached: the chain of path edges that led to it.

use crate::graph::{Graph, PathEdge, Reached};

/// The way to a target, in terms of the path edges of the search.
///
/// It is a directed graph without cycles: every path edge points at the one or two earlier
/// ones it came from, and calls that return are shared. Walk it backwards with
/// [`Self::reached`], or forwards with [`Self::events`].
#[derive(Debug)]
pub struct Witness<S> {
    graph: Graph<S>,
    target: PathEdge,
}

/// One event on the way to a target.
#[derive(Debug, PartialEq, Eq)]
pub enum Event<'w, S> {
    /// A run begins in this state.
    Begin(&'w S),
    /// A step to this state.
    Step(&'w S),
    /// A call that begins in this state.
    Call(&'w S),
    /// The current call returns, and its caller goes on in this state.
    Return(&'w S),
}

impl<'w, S> Event<'w, S> {
    /// The state after the event.
    pub fn state(&self) -> &'w S {
        match *self {
            Event::Begin(s) | Event::Step(s) | Event::Call(s) | Event::Return(s) => s,
        }
    }
}

impl<S> Witness<S> {
    pub(crate) fn new(mut graph: Graph<S>, target: PathEdge) -> Self {
        graph.close();
        Witness { graph, target }
    }

    /// The path edge of the target.
    pub fn target(&self) -> PathEdge {
        self.target
    }

    /// The state of a path edge.
    pub fn state(&self, edge: PathEdge) -> &S {
        self.graph.state(edge)
    }

    /// How a path edge was first reached.
    pub fn reached(&self, edge: PathEdge) -> Reached {
        self.graph.reached(edge)
    }

    /// The path edge of the entry of the invocation that a path edge belongs to.
    pub fn entry(&self, edge: PathEdge) -> PathEdge {
        self.graph.entry(self.graph.context(edge))
    }

    /// The events from the beginning of the run to the target, every call spelled out. There
    /// may be very many: take as many as you need.
    pub fn events(&self) -> impl Iterator<Item = Event<'_, S>> {
        self.spell_out(self.back_from(self.target))
    }

    /// The events of the parts of a turn, every call that returns spelled out.
    pub(crate) fn turn_events(&self, turn: &[Turned]) -> impl Iterator<Item = Event<'_, S>> {
        let mut pending = Vec::new();
        for part in turn.iter().rev() {
            let (edge, phase) = match *part {
                Turned::Step(edge) => (edge, Phase::Step),
                Turned::Call(edge) => (edge, Phase::Enter),
                Turned::Return { exit, to } => (to, Phase::Through(exit)),
            };
            pending.push(Pending { edge, phase });
        }
        self.spell_out(pending)
    }

    /// The events of a list of path edges, last one first.
    fn spell_out(&self, mut pending: Vec<Pending>) -> impl Iterator<Item = Event<'_, S>> {
        std::iter::from_fn(move || {
            loop {
                let next = pending.pop()?;
                let state = self.state(next.edge);
                let phase = match (next.phase, self.reached(next.edge)) {
                    (Phase::Arrive, Reached::Initially) => return Some(Event::Begin(state)),
                    (Phase::Arrive, Reached::Refinement(_)) => continue,
                    (Phase::Arrive, Reached::Step(_)) => Phase::Step,
                    (Phase::Arrive, Reached::Call(_)) => Phase::Enter,
                    (Phase::Arrive, Reached::Return { exit, .. }) => Phase::Through(exit),
                    (phase, _) => phase,
                };
                match phase {
                    Phase::Arrive | Phase::Step => return Some(Event::Step(state)),
                    Phase::Enter => return Some(Event::Call(state)),
                    Phase::Leave => return Some(Event::Return(state)),
                    Phase::Through(exit) => {
                        pending.push(Pending {
                            edge: next.edge,
                            phase: Phase::Leave,
                        });
                        pending.extend(self.body(exit));
                    }
                }
            }
        })
    }

    /// The path edges from the beginning of the run to this one, last one first; calls that
    /// return are left folded.
    fn back_from(&self, target: PathEdge) -> Vec<Pending> {
        let mut chain = Vec::new();
        let mut next = Some(target);
        while let Some(edge) = next {
            chain.push(Pending {
                edge,
                phase: Phase::Arrive,
            });
            next = match self.reached(edge) {
                Reached::Initially => None,
                Reached::Step(from) | Reached::Refinement(from) | Reached::Call(from) => Some(from),
                Reached::Return { caller, .. } => Some(caller),
            };
        }
        chain
    }

    /// The path edges of one invocation from its entry to this exit, last one first.
    fn body(&self, exit: PathEdge) -> Vec<Pending> {
        let entry = self.entry(exit);
        let mut chain = Vec::new();
        let mut edge = exit;
        while edge != entry {
            chain.push(Pending {
                edge,
                phase: Phase::Arrive,
            });
            edge = match self.reached(edge) {
                Reached::Step(from) | Reached::Refinement(from) => from,
                Reached::Return { caller, .. } => caller,
                Reached::Initially | Reached::Call(_) => break,
            };
        }
        chain.push(Pending {
            edge: entry,
            phase: Phase::Enter,
        });
        chain
    }
}

#[derive(Clone, Copy)]
struct Pending {
    edge: PathEdge,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    /// The path edge is reached in the way the graph says.
    Arrive,
    /// The path edge is reached by a step.
    Step,
    /// The path edge is the entry of a call.
    Enter,
    /// The path edge is reached by a call that returns from this exit.
    Through(PathEdge),
    /// That call returns.
    Leave,
}

/// A part of a turn round a cycle.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turned {
    /// A step to the state of this path edge.
    Step(PathEdge),
    /// A call that does not return, into this entry.
    Call(PathEdge),
    /// A call that returns.
    Return {
        /// The exit.
        exit: PathEdge,
        /// Where the caller goes on.
        to: PathEdge,
    },
}
