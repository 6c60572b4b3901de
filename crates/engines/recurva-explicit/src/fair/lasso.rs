//! A fair run as a lasso: a stem, and a turn that is repeated for ever.

use recurva_model::{Patience, Stop};

use super::{
    components::{Link, LinkKind, Links},
    marked::MarkedState,
};
use crate::{
    graph::{Graph, PathEdge, Reached},
    interner::Interner,
    witness::{Event, History, Leg, Way, Witness},
};

/// An infinite run: the stem once, then the turn again and again.
///
/// The turn ends in the state in which it began. If a call in it does not return, each turn
/// leaves frames behind and the stack diverges.
#[derive(Debug)]
pub struct Lasso<S> {
    states: Interner<S>,
    history: Witness<MarkedState>,
    stem: Way,
    turn: Way,
}

impl<S> Lasso<S> {
    /// From the links found. `edge_of` gives the first path edge of each state.
    pub(crate) fn new(
        states: Interner<S>,
        graph: Graph<MarkedState>,
        found: &Links,
        edge_of: &[PathEdge],
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let edge = |state: u32| edge_of[state as usize];
        let leg = |link: &Link| {
            let to = edge(link.to);
            match link.kind {
                LinkKind::Step => Leg::Step(to),
                LinkKind::Refinement => Leg::Refinement(to),
                LinkKind::Call => Leg::Call(to),
                LinkKind::Summary { exit, .. } => Leg::Return { exit, to },
            }
        };
        let mut way = |start, links: &[Link]| {
            let legs = links.iter().map(|link| {
                patience.work(4)?;
                Ok(leg(link))
            });
            Ok(Way {
                start: edge(start),
                legs: legs.collect::<Result<_, Stop>>()?,
            })
        };
        let turns_at = found.turn.first().map_or(found.initial, |link| link.from);
        Ok(Lasso {
            states,
            stem: way(found.initial, &found.stem)?,
            turn: way(turns_at, &found.turn)?,
            history: Witness::new(graph, edge(turns_at)),
        })
    }

    /// Whether the stack grows with every turn.
    pub fn diverges(&self) -> bool {
        let is_call = |leg: &Leg| matches!(leg, Leg::Call(_));
        self.turn.legs.iter().any(is_call)
    }

    /// The legs from the beginning of the run to where the turn starts. Of all stems through
    /// the states found this one leaves the fewest calls pending.
    pub fn stem(&self) -> &Way {
        &self.stem
    }

    /// The legs of one turn.
    pub fn turn(&self) -> &Way {
        &self.turn
    }

    /// The events of the stem, every call that returns spelled out.
    pub fn stem_events(&self) -> impl Iterator<Item = Event<'_, S>> {
        let begin = Event::Begin(self.state(self.stem.start));
        std::iter::once(begin).chain(self.events(&self.stem))
    }

    /// The events of one turn, every call that returns spelled out.
    pub fn turn_events(&self) -> impl Iterator<Item = Event<'_, S>> {
        self.events(&self.turn)
    }

    /// The state in which the turn starts and ends.
    pub fn start(&self) -> &S {
        self.state(self.turn.start)
    }

    fn events(&self, way: &Way) -> impl Iterator<Item = Event<'_, S>> {
        let events = self.history.spell_out(way.legs.clone());
        events.map(|event| self.unmarked(&event))
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

impl<S> History for Lasso<S> {
    type State = S;

    fn state(&self, edge: PathEdge) -> &S {
        self.states.get(self.history.state(edge).state)
    }

    fn reached(&self, edge: PathEdge) -> Reached {
        self.history.reached(edge)
    }

    fn entry(&self, edge: PathEdge) -> PathEdge {
        self.history.entry(edge)
    }
}
