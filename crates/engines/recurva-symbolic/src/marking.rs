//! Which marks of an automaton go along with the values at a node.

use recurva_model::ProcId;

use crate::{
    effect::Context,
    layout::Copy,
    search::Cause,
    space::{Bdd, Res, VarNo},
};

/// Which marks are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Marking {
    /// None.
    Off,
    /// Those seen since the procedure was entered, if it is ever called: summaries tell them.
    Called,
    /// Those seen since a turn began, and whether it has moved.
    Turn(Moved),
}

/// What it takes for a turn to have moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    /// Any step.
    ByStep,
    /// A call that is never returned from.
    ByCall,
}

impl Moved {
    /// Whether a step makes a turn move.
    pub(crate) fn is_by(self, cause: Cause) -> bool {
        self == Moved::ByStep || matches!(cause, Cause::Call(_))
    }
}

impl Context<'_> {
    /// Whether the marks seen are told in a procedure.
    pub(crate) fn is_marked(&self, id: ProcId) -> bool {
        let told = match self.marking {
            Marking::Off => false,
            Marking::Called => self.scopes.is_called(id),
            Marking::Turn(_) => true,
        };
        told && !self.layout.marks().is_empty()
    }

    /// The decision variables of a copy of the marks.
    pub(crate) fn marks(&self, copy: Copy) -> impl Iterator<Item = VarNo> {
        self.layout
            .marks()
            .map(move |bit| self.layout.var(bit, copy))
    }

    /// The decision variable that tells whether a turn has moved.
    pub(crate) fn moved(&self) -> impl Iterator<Item = VarNo> {
        self.layout
            .moved()
            .map(|bit| self.layout.var(bit, Copy::Now))
    }

    /// No mark has been seen.
    pub(crate) fn unseen(&self) -> Res<Bdd> {
        let marks = self.marks(Copy::Now);
        self.space.literals(marks.map(|var| (var, false)).collect())
    }

    /// What was seen in a call, and before it by the caller, is what the caller has seen. (The
    /// entry copy of a mark is what comes of the present one and the next one.)
    pub(crate) fn union(&self) -> Res<Bdd> {
        let space = self.space;
        self.layout
            .marks()
            .rev()
            .try_fold(space.truth(), |all, bit| {
                let var = |copy| space.var(self.layout.var(bit, copy));
                let either = space.or(&var(Copy::Now)?, &var(Copy::Next)?)?;
                space.and(&space.equiv(&var(Copy::Entry)?, &either)?, &all)
            })
    }
}
