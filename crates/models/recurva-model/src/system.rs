//! The shared idea: a recursive system described without its stack.

use std::hash::Hash;

/// Names a call site: whatever a system needs, besides the caller's state, to go on when
/// the call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site(pub u32);

/// A recursive transition system given by its local moves. Stacks never appear: a state is
/// a control point with the values of global and local variables, and a search over states
/// finds all that the infinitely many configurations can do (Vera paper, Lemma 1).
///
/// Products of a program with a monitor or an automaton are recursive systems again, so one
/// search serves all properties. Implement it on your own data to have recursive Rust code
/// checked: states may hold unbounded integers, maps, anything that can be compared.
///
/// # Laziness
///
/// A state may have very many moves (think of reading an arbitrary 64-bit input). The three
/// methods that fill a [`Moves`] may stop early, call [`Moves::pause`] with a cursor, and
/// are called again with that cursor only when the search comes back for more. Systems with
/// few moves ignore all this and simply push them.
pub trait RecursiveSystem {
    /// A control point with the values in scope, but without the stack.
    type State: Clone + Eq + Hash;

    /// Pushes the states in which runs begin, as steps.
    fn initial(&self, out: &mut Moves<Self::State>);

    /// Pushes what `state` can do. Not called on exits.
    fn moves(&self, state: &Self::State, out: &mut Moves<Self::State>);

    /// Whether the current procedure is done in this state, so that control returns.
    fn is_exit(&self, state: &Self::State) -> bool;

    /// Pushes, as steps, the states in which `caller` goes on when the call that it made at
    /// `site` returns in state `exit`.
    fn resume(
        &self,
        caller: &Self::State,
        site: Site,
        exit: &Self::State,
        out: &mut Moves<Self::State>,
    );
}

/// One move of a [`RecursiveSystem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move<S> {
    /// To another state of the same invocation.
    Step(S),
    /// To a state that says more about the same configuration (a value that was open until
    /// now). Not a step of the system: it does not count in the length of a trace.
    Refine(S),
    /// Into a new invocation that begins in state `entry`.
    Call {
        /// The state in which the callee begins.
        entry: S,
        /// The call site, handed back to [`RecursiveSystem::resume`].
        site: Site,
    },
}

/// Collects moves. See [`RecursiveSystem`].
#[derive(Clone, Debug)]
pub struct Moves<S> {
    items: Vec<Move<S>>,
    cursor: Vec<u64>,
}

impl<S> Default for Moves<S> {
    fn default() -> Self {
        Moves {
            items: Vec::new(),
            cursor: Vec::new(),
        }
    }
}

impl<S> Moves<S> {
    /// Adds a step to another state of the same invocation.
    pub fn step(&mut self, to: S) {
        self.items.push(Move::Step(to));
    }

    /// Adds a state that says more about the same configuration.
    pub fn refine(&mut self, to: S) {
        self.items.push(Move::Refine(to));
    }

    /// Adds a call that begins in state `entry`.
    pub fn call(&mut self, entry: S, site: Site) {
        self.items.push(Move::Call { entry, site });
    }

    /// The moves pushed so far.
    pub fn items(&self) -> &[Move<S>] {
        &self.items
    }

    /// Takes the moves out in order.
    pub fn drain(&mut self) -> impl Iterator<Item = Move<S>> {
        self.items.drain(..)
    }

    /// For systems: where to go on; empty on the first call.
    pub fn cursor(&self) -> &[u64] {
        &self.cursor
    }

    /// For systems: says that there are more moves, from `cursor` (not empty) on.
    pub fn pause(&mut self, cursor: &[u64]) {
        debug_assert!(!cursor.is_empty(), "an empty cursor means the beginning");
        self.cursor.clear();
        self.cursor.extend_from_slice(cursor);
    }

    /// For searches: sets the cursor and forgets all moves, before a call to the system.
    pub fn restart(&mut self, cursor: &[u64]) {
        self.items.clear();
        self.cursor.clear();
        self.cursor.extend_from_slice(cursor);
    }

    /// For systems: takes the cursor out. Unless [`Self::pause`] is called afterwards, all
    /// moves have been pushed.
    pub fn take_cursor(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.cursor)
    }
}
