//! What happens at the head of a loop.

use recurva_model::{Expr, NodeId, Origin, Type, VarRef};

use super::{Draft, SEEN, assign, equals, spine_point};
use crate::{
    loops::{Loop, Wanted},
    rank::fallen,
    spines::Round,
};

/// The head of a loop.
pub(super) struct Heads<'l> {
    pub(super) enter: NodeId,
    pub(super) check: NodeId,
    pub(super) members: &'l Loop,
    /// Whether it has ranks.
    pub(super) is_checked: bool,
    pub(super) tracked: Wanted,
    /// The marks that were passed since ranks were kept, if that has to be known.
    pub(super) seen: Option<VarRef>,
    /// Whether the loop was entered elsewhere and has not been here since, if that may be.
    pub(super) fresh: Option<VarRef>,
    pub(super) kept: Vec<VarRef>,
    pub(super) types: Vec<Type>,
    pub(super) now: Vec<Expr>,
    pub(super) origin: Origin,
}

impl Heads<'_> {
    /// What happens at the head, before the place itself.
    pub(super) fn round(&self, draft: &mut Draft, head: NodeId) -> Round {
        let fail = draft.node(self.origin);
        let keep = || {
            let kept = self.kept.iter().zip(&self.now);
            let kept = kept.map(|(&variable, now)| assign(variable, now.clone()));
            let none = self.seen.map(|it| assign(it, Expr::constant(0, SEEN)));
            let begun = self.fresh.map(|it| assign(it, Expr::truth().negate()));
            kept.chain(none).chain(begun).collect::<Vec<_>>()
        };
        draft.edge(self.enter, head, Expr::truth(), keep(), self.origin);
        let before: Vec<Expr> = self.kept.iter().map(|&it| Expr::read(it)).collect();
        let fell = fallen(&self.now, &before, &self.types);
        if !self.is_checked {
            draft.edge(self.check, head, Expr::truth(), Vec::new(), self.origin);
            return self.nodes(fail);
        }
        let has_begun = match self.fresh {
            Some(fresh) => Expr::read(fresh).negate(),
            None => Expr::truth(),
        };
        if let Some(fresh) = self.fresh {
            draft.edge(self.check, head, Expr::read(fresh), keep(), self.origin);
        }
        let mut is_due = has_begun.clone();
        if let Some(seen) = self.seen {
            let has_all = equals(seen, self.tracked, SEEN);
            let not_yet = has_begun.and(has_all.clone().negate());
            draft.edge(self.check, head, not_yet, Vec::new(), self.origin);
            is_due = is_due.and(has_all);
        }
        if !self.kept.is_empty() {
            let is_good = is_due.clone().and(fell.clone());
            draft.edge(self.check, head, is_good, keep(), self.origin);
        }
        let is_bad = match self.kept.is_empty() {
            true => is_due,
            false => is_due.and(fell.negate()),
        };
        draft.edge(self.check, fail, is_bad, Vec::new(), self.origin);
        self.nodes(fail)
    }

    pub(super) fn nodes(&self, fail: NodeId) -> Round {
        Round {
            enter: spine_point(self.enter),
            check: spine_point(self.check),
            fail: spine_point(fail),
            due: self.seen.map(|it| (it, self.tracked)),
            fresh: self.fresh,
        }
    }
}
