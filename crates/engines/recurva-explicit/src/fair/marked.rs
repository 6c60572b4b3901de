//! A fair system as a recursive system that remembers which marks each invocation has seen.

use std::cell::RefCell;

use recurva_model::{Move, Moves, RecursiveSystem, Site};

use super::{FairSystem, Marks};
use crate::interner::Interner;

/// A state, by its number, with the marks seen since the entry of its invocation, in calls
/// that returned too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MarkedState {
    pub(crate) state: u32,
    pub(crate) seen: Marks,
}

/// See [the module](self).
pub(crate) struct Marked<'s, S: RecursiveSystem> {
    system: &'s S,
    /// The states of the system: each is stored once, however many sets of marks it has.
    states: RefCell<Interner<S::State>>,
    /// Where the system puts its moves, kept to save allocations.
    inner: RefCell<Moves<S::State>>,
}

impl<'s, S: FairSystem> Marked<'s, S> {
    pub(crate) fn new(system: &'s S) -> Self {
        Marked {
            system,
            states: RefCell::default(),
            inner: RefCell::default(),
        }
    }

    /// How many states there are so far.
    pub(crate) fn states_len(&self) -> usize {
        self.states.borrow().len()
    }

    /// The marks of the state with that number.
    pub(crate) fn marks(&self, state: u32) -> Marks {
        self.system.marks(self.states.borrow().get(state))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.states.borrow().bytes()
    }

    pub(crate) fn into_states(self) -> Interner<S::State> {
        self.states.into_inner()
    }

    /// Has the system push its moves, and passes them on with what they have seen when
    /// `before` was seen already. A callee begins anew.
    fn pass_on(
        &self,
        before: Marks,
        out: &mut Moves<MarkedState>,
        push: impl FnOnce(&Interner<S::State>, &mut Moves<S::State>),
    ) {
        let mut inner = self.inner.borrow_mut();
        inner.restart(&out.take_cursor());
        push(&self.states.borrow(), &mut inner);
        let mut states = self.states.borrow_mut();
        let mut with = |state: S::State, before: Marks| {
            let seen = before.union(self.system.marks(&state));
            MarkedState {
                state: states.intern(state),
                seen,
            }
        };
        for item in inner.drain() {
            match item {
                Move::Step(state) => out.step(with(state, before)),
                Move::Refine(state) => out.refine(with(state, before)),
                Move::Call { entry, site } => out.call(with(entry, Marks::default()), site),
            }
        }
        if !inner.cursor().is_empty() {
            out.pause(inner.cursor());
        }
    }
}

impl<S: FairSystem> RecursiveSystem for Marked<'_, S> {
    type State = MarkedState;

    fn initial(&self, out: &mut Moves<MarkedState>) {
        self.pass_on(Marks::default(), out, |_, inner| self.system.initial(inner));
    }

    fn moves(&self, from: &MarkedState, out: &mut Moves<MarkedState>) {
        self.pass_on(from.seen, out, |states, inner| {
            self.system.moves(states.get(from.state), inner);
        });
    }

    fn is_exit(&self, at: &MarkedState) -> bool {
        self.system.is_exit(self.states.borrow().get(at.state))
    }

    fn resume(
        &self,
        caller: &MarkedState,
        site: Site,
        exit: &MarkedState,
        out: &mut Moves<MarkedState>,
    ) {
        self.pass_on(caller.seen.union(exit.seen), out, |states, inner| {
            let (caller, exit) = (states.get(caller.state), states.get(exit.state));
            self.system.resume(caller, site, exit, inner);
        });
    }
}
