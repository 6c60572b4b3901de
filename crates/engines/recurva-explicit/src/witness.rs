//! How a target is reached: the chain of path edges that led to it.

use recurva_model::{Patience, Stop};

use crate::graph::{Graph, PathEdge, Reached};

/// The way to a target, in terms of the path edges of the search.
///
/// It is a directed graph without cycles: every path edge points at the one or two earlier
/// ones it came from, and calls that return are shared. Walk it leg by leg ([`Self::way`],
/// [`History`]), or event by event with all calls spelled out ([`Self::events`]).
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

/// A leg of a way, calls that return folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leg {
    /// A step to the state of this path edge.
    Step(PathEdge),
    /// No step: the state of this path edge says more about the same configuration.
    Refinement(PathEdge),
    /// A call that does not return, into this entry.
    Call(PathEdge),
    /// A call that returns.
    Return {
        /// The exit it returns from.
        exit: PathEdge,
        /// Where the caller goes on.
        to: PathEdge,
    },
}

impl Leg {
    /// The path edge where the leg ends.
    pub fn to(self) -> PathEdge {
        match self {
            Leg::Step(to) | Leg::Refinement(to) | Leg::Call(to) | Leg::Return { to, .. } => to,
        }
    }
}

/// A way: where it begins, and its legs in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The path edge where it begins.
    pub start: PathEdge,
    /// The legs.
    pub legs: Vec<Leg>,
}

/// What the path edges of a search are and how each was first reached.
pub trait History {
    /// The states of the system.
    type State;

    /// The state of a path edge.
    fn state(&self, edge: PathEdge) -> &Self::State;

    /// How a path edge was first reached.
    fn reached(&self, edge: PathEdge) -> Reached;

    /// The path edge of the entry of the invocation that a path edge belongs to.
    fn entry(&self, edge: PathEdge) -> PathEdge;
}

impl<S> History for Witness<S> {
    type State = S;

    fn state(&self, edge: PathEdge) -> &S {
        self.graph.state(edge)
    }

    fn reached(&self, edge: PathEdge) -> Reached {
        self.graph.reached(edge)
    }

    fn entry(&self, edge: PathEdge) -> PathEdge {
        self.graph.entry(self.graph.context(edge))
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

    /// The way from the beginning of the run to the target.
    pub fn way(&self) -> Way {
        let way = self.way_with_patience(&mut Patience::endless());
        way.expect("patience has no end")
    }

    /// The same for those who may not want to wait for it.
    ///
    /// # Errors
    ///
    /// If patience ends before the way does.
    pub fn way_with_patience(&self, patience: &mut Patience<'_>) -> Result<Way, Stop> {
        let (start, mut legs) = self.back(self.target, false, patience)?;
        legs.reverse();
        Ok(Way { start, legs })
    }

    /// The events from the beginning of the run to the target, every call spelled out. There
    /// may be very many: take as many as you need.
    pub fn events(&self) -> impl Iterator<Item = Event<'_, S>> {
        let Way { start, legs } = self.way();
        std::iter::once(Event::Begin(self.state(start))).chain(self.spell_out(legs))
    }

    /// The events of some legs, every call that returns spelled out.
    pub(crate) fn spell_out(&self, legs: Vec<Leg>) -> impl Iterator<Item = Event<'_, S>> {
        let mut pending: Vec<Pending> = legs.into_iter().rev().map(Pending::Leg).collect();
        std::iter::from_fn(move || {
            loop {
                match pending.pop()? {
                    Pending::Leg(Leg::Refinement(_)) => {}
                    Pending::Leg(Leg::Step(to)) => return Some(Event::Step(self.state(to))),
                    Pending::Leg(Leg::Call(to)) => return Some(Event::Call(self.state(to))),
                    Pending::Leave(to) => return Some(Event::Return(self.state(to))),
                    Pending::Leg(Leg::Return { exit, to }) => {
                        pending.push(Pending::Leave(to));
                        let back = self.back(exit, true, &mut Patience::endless());
                        let (entry, legs) = back.expect("patience has no end");
                        pending.extend(legs.into_iter().map(Pending::Leg));
                        pending.push(Pending::Leg(Leg::Call(entry)));
                    }
                }
            }
        })
    }

    /// The legs to a path edge, last one first, from the beginning of its invocation or of
    /// the run, and where that is.
    fn back(
        &self,
        to: PathEdge,
        own: bool,
        patience: &mut Patience<'_>,
    ) -> Result<(PathEdge, Vec<Leg>), Stop> {
        let mut legs = Vec::new();
        let mut edge = to;
        loop {
            patience.work(1)?;
            let (leg, from) = match self.reached(edge) {
                Reached::Initially => return Ok((edge, legs)),
                Reached::Call(_) if own => return Ok((edge, legs)),
                Reached::Step(from) => (Leg::Step(edge), from),
                Reached::Refinement(from) => (Leg::Refinement(edge), from),
                Reached::Call(from) => (Leg::Call(edge), from),
                Reached::Return { caller, exit } => (Leg::Return { exit, to: edge }, caller),
            };
            legs.push(leg);
            edge = from;
        }
    }
}

#[derive(Clone, Copy)]
enum Pending {
    Leg(Leg),
    /// A call returns to this path edge.
    Leave(PathEdge),
}
