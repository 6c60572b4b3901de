//! Nested state machines (*Logics and Algorithms for Software Model Checking*, §2.2).
//!
//! An [`Nsm`] has local, call and return states, each with the propositions that are true in
//! it, and three kinds of transition: local ones, calls, and returns. A return leads from a
//! state and the *pending call*, the state from which the last call was made that has not
//! returned, to a return state. There are no variables and there is no stack: the branching
//! behaviour of a machine is a tree in which calls are linked to their returns.
//!
//! [`Nsm::of_rsm`] makes one of a recursive state machine and [`Nsm::to_rsm`] goes back;
//! [`Nsm::quotient`] merges the states that no formula about the tree can tell apart.
//!
//! ```
//! use recurva_model::nsm::{Kind, Nsm, NsmBuilder};
//!
//! // foo calls itself or thinks, and returns.
//! let mut builder = NsmBuilder::default();
//! let start = builder.state("start", Kind::Local, &[]);
//! let call = builder.state("call", Kind::Call, &["en"]);
//! let think = builder.state("think", Kind::Local, &["tk"]);
//! let back = builder.state("back", Kind::Return, &["ex"]);
//! builder.local(start, call).local(start, think).call(call, start);
//! builder.ret(think, call, back).ret(back, call, back);
//! let machine: Nsm = builder.finish(start)?;
//! assert_eq!(machine.returns(think), [(call, back)]);
//! assert!(machine.holds(think, machine.proposition("tk").expect("it is there")));
//! # Ok::<(), recurva_model::Malformed>(())
//! ```

mod build;
mod of_rsm;
mod quotient;
mod to_rsm;
mod with_callers;

use std::ops::Range;

use crate::{Malformed, Origin};

pub use build::NsmBuilder;
pub use of_rsm::NsmOfRsm;
pub use quotient::Quotient;
pub use with_callers::NsmWithCallers;

/// Index of a state in [`Nsm::states`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// The position in [`Nsm::states`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a proposition in [`NsmParts::propositions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PropositionId(pub u32);

impl PropositionId {
    /// The position in [`NsmParts::propositions`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a state is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Neither of the others.
    Local,
    /// Where a call is made.
    Call,
    /// Where control comes back after a call.
    Return,
}

impl Kind {
    /// The word for it: `local`, `call` or `return`.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Local => "local",
            Kind::Call => "call",
            Kind::Return => "return",
        }
    }
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NsmState {
    /// Unique in the machine.
    pub name: Box<str>,
    /// What it is for.
    pub kind: Kind,
    /// The propositions that are true in it.
    pub propositions: Vec<PropositionId>,
    /// The declaration.
    pub origin: Origin,
}

/// The parts of an [`Nsm`], as a front end assembles them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NsmParts {
    /// The states.
    pub states: Vec<NsmState>,
    /// The propositions, each once.
    pub propositions: Vec<Box<str>>,
    /// Where runs begin.
    pub init: StateId,
    /// Local transitions, from local and return states to local and call states.
    pub locals: Vec<(StateId, StateId)>,
    /// Call transitions, from call states to local and call states.
    pub calls: Vec<(StateId, StateId)>,
    /// Return transitions: a local or return state, the pending call, and a return state.
    pub returns: Vec<(StateId, StateId, StateId)>,
}

/// A checked nested state machine. See [the module](self).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nsm {
    states: Vec<NsmState>,
    propositions: Vec<Box<str>>,
    init: StateId,
    /// Local successors, or callees of a call state, by state; each list sorted.
    successors: Vec<StateId>,
    successors_of: Vec<Range<u32>>,
    /// Pending calls and targets by state; each list sorted.
    returns: Vec<(StateId, StateId)>,
    returns_of: Vec<Range<u32>>,
}

impl Nsm {
    /// Checks that all parts fit together. Every later stage relies on this and does not check
    /// again. Transitions that are given twice count once.
    pub fn new(parts: NsmParts) -> Result<Self, Malformed> {
        build::build(parts)
    }

    /// The states.
    pub fn states(&self) -> &[NsmState] {
        &self.states
    }

    /// The numbers of all states, in order.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }

    /// A state.
    pub fn state(&self, state: StateId) -> &NsmState {
        &self.states[state.index()]
    }

    /// What a state is for.
    pub fn kind(&self, state: StateId) -> Kind {
        self.states[state.index()].kind
    }

    /// The name of a state.
    pub fn name(&self, state: StateId) -> &str {
        &self.states[state.index()].name
    }

    /// Where runs begin.
    pub fn init(&self) -> StateId {
        self.init
    }

    /// The names of the propositions.
    pub fn propositions(&self) -> &[Box<str>] {
        &self.propositions
    }

    /// The proposition of that name.
    pub fn proposition(&self, name: &str) -> Option<PropositionId> {
        let found = self.propositions.iter().position(|known| **known == *name);
        found.map(|index| PropositionId(index as u32))
    }

    /// Whether a proposition is true in a state.
    pub fn holds(&self, state: StateId, proposition: PropositionId) -> bool {
        let list = &self.states[state.index()].propositions;
        list.binary_search(&proposition).is_ok()
    }

    /// The targets of the local transitions from a state, in order; none for a call state.
    pub fn locals(&self, state: StateId) -> &[StateId] {
        match self.kind(state) {
            Kind::Call => &[],
            Kind::Local | Kind::Return => self.successors_of(state),
        }
    }

    /// The targets of the calls from a state, in order; none if it is no call state.
    pub fn calls(&self, state: StateId) -> &[StateId] {
        match self.kind(state) {
            Kind::Call => self.successors_of(state),
            Kind::Local | Kind::Return => &[],
        }
    }

    fn successors_of(&self, state: StateId) -> &[StateId] {
        let range = self.successors_of[state.index()].clone();
        &self.successors[range.start as usize..range.end as usize]
    }

    /// The return transitions from a state: pending calls and targets, in order.
    pub fn returns(&self, state: StateId) -> &[(StateId, StateId)] {
        let range = self.returns_of[state.index()].clone();
        &self.returns[range.start as usize..range.end as usize]
    }

    /// The targets of the return transitions from a state with that pending call, in order.
    pub fn returns_to(
        &self,
        state: StateId,
        pending: StateId,
    ) -> impl Iterator<Item = StateId> + '_ {
        let all = self.returns(state);
        let start = all.partition_point(|&(call, _)| call < pending);
        let here = all[start..].iter();
        here.take_while(move |&&(call, _)| call == pending)
            .map(|&(_, target)| target)
    }

    /// The parts back, to change them and build another machine.
    pub fn into_parts(self) -> NsmParts {
        let pairs = |kind: fn(Kind) -> bool| -> Vec<(StateId, StateId)> {
            let sources = self.ids().filter(|&state| kind(self.kind(state)));
            let pairs = sources.flat_map(|from| {
                let targets = self.successors_of(from).iter();
                targets.map(move |&to| (from, to))
            });
            pairs.collect()
        };
        let locals = pairs(|kind| kind != Kind::Call);
        let calls = pairs(|kind| kind == Kind::Call);
        let returns = self.ids().flat_map(|from| {
            let list = self.returns(from).iter();
            list.map(move |&(pending, to)| (from, pending, to))
        });
        NsmParts {
            locals,
            calls,
            returns: returns.collect(),
            init: self.init,
            propositions: self.propositions,
            states: self.states,
        }
    }
}
