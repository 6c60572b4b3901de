//! A fair run as a lasso: a stem, and a turn that is repeated for ever.

use super::{
    components::{Link, LinkKind},
    marked::MarkedState,
};
use crate::{
    graph::{Graph, PathEdge},
    interner::Interner,
    witness::{Event, Turned, Witness},
};

/// An infinite run: the stem once, then the turn again and again.
///
/// The turn ends in the state in which it began. If a call in it does not return, each turn
/// leaves frames behind and the stack diverges.
#[derive(Debug)]
pub struct Lasso<S> {
    states: Interner<S>,
    stem: Witness<MarkedState>,
    turn: Vec<Turned>,
}

impl<S> Lasso<S> {
    /// From the links of the turn; the stem is the way to where the first one starts.
    /// `edge_of` gives the first path edge of each state.
    pub(crate) fn new(
        states: Interner<S>,
        graph: Graph<MarkedState>,
        turn: &[Link],
        edge_of: &[PathEdge],
    ) -> Self {
        let edge = |state: u32| edge_of[state as usize];
        let start = edge(turn.first().map_or(0, |link| link.from));
        let turn = turn.iter().filter_map(|link| {
            let to = edge(link.to);
            match link.kind {
                LinkKind::Step => Some(Turned::Step(to)),
                LinkKind::Refinement => None,
                LinkKind::Call => Some(Turned::Call(to)),
                LinkKind::Summary { exit, .. } => Some(Turned::Return { exit, to }),
            }
        });
        Lasso {
            states,
            turn: turn.collect(),
            stem: Witness::new(graph, start),
        }
    }

    /// Whether the stack grows with every turn.
    pub fn diverges(&self) -> bool {
        let is_call = |part: &Turned| matches!(part, Turned::Call(_));
        self.turn.iter().any(is_call)
    }

    /// The events from the beginning of the run to where the turn starts.
    pub fn stem(&self) -> impl Iterator<Item = Event<'_, S>> {
        self.stem.events().map(|event| self.unmarked(&event))
    }

    /// The events of one turn, every call that returns spelled out.
    pub fn turn(&self) -> impl Iterator<Item = Event<'_, S>> {
        let events = self.stem.turn_events(&self.turn);
        events.map(|event| self.unmarked(&event))
    }

    /// The state in which the turn starts and ends.
    pub fn start(&self) -> &S {
        let at = self.stem.state(self.stem.target());
        self.states.get(at.state)
    }

    fn unmarked(&self, event: &Event<'_, MarkedState>) -> Event<'_, S> {
        let state = self.states.get(event.state().state);
        match event {
            Event::Begin(_) => Event::Begin(state),
            Event::Step(_) => Event::Step(state),
            Event::Call(_) => Event::Call(state),
            Event::Return(_) => Event::Return(state),
        }
    }
}
