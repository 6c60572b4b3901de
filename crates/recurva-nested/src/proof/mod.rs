//! Why a machine satisfies a formula, in a form that can be checked and walked.
//!
//! A proof is a graph of *claims*. A claim says that a subformula holds at a state with a
//! pending call if the call may only return to certain states, each with some colours: at a
//! bounded summary of the thesis (§3.4). Each claim gives its *reason*: other claims from which
//! it follows by what one operator means. Claims may depend on each other in circles, and a
//! circle is sound if the outermost fixpoint on it is a greatest one.
//!
//! A proof of a formula's negation is a strategy for showing that it fails: where the formula
//! asks for all moves the proof has one that fails, and where it asks for some move the proof
//! has an answer to each.
//!
//! [`Proof::check`] knows what the operators of NT-µ mean, and nothing of how proofs are found.

mod check;

use recurva_logic::ntmu::FormulaId;
use recurva_model::nsm::StateId;

pub use check::Flaw;

/// A claim of a [`Proof`], by number. The first is that the whole formula holds initially.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClaimId(pub u32);

impl ClaimId {
    /// The claim that the whole formula holds initially.
    pub const FIRST: ClaimId = ClaimId(0);

    /// The position in [`Proof::claims`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which return states of the pending call have which colours: an index of
/// [`Proof::colours`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColoursId(pub u32);

/// That a subformula holds somewhere, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The subformula.
    pub formula: FormulaId,
    /// The state.
    pub state: StateId,
    /// The pending call, if there is one.
    pub pending: Option<StateId>,
    /// The colours of the pending call's return states.
    pub colours: ColoursId,
    /// Why.
    pub reason: Reason,
}

/// Why a claim is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It can be seen at the state: a constant, a proposition, whether it can return, or a
    /// modality about moves that there are none of.
    Seen,
    /// Other claims: both parts of `f & g`, one of `f | g`, what a fixpoint or a variable stands
    /// for; the target of a local move for `<loc> f`, those of all for `[loc] f`.
    Claims(Vec<ClaimId>),
    /// Returns to these states, which have the colour: one for `<ret> Ri`, all for `[ret] Ri`.
    Returns(Vec<StateId>),
    /// Calls: one for `<call>`, all for `[call]`.
    Calls(Vec<Called>),
}

/// A call that is made in a reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// What is claimed where the callee begins. It has colours of its own.
    pub callee: ClaimId,
    /// For each return state with a colour there, that the return condition of the colour, from
    /// 1, holds in it.
    pub returns: Vec<(u32, ClaimId)>,
}

/// See [the module](self).
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The claims.
    pub claims: Vec<Claim>,
    /// Sets of colours, from 1, with the return states that have them.
    pub colours: Vec<Vec<(u32, StateId)>>,
}

impl Proof {
    /// A claim.
    pub fn claim(&self, id: ClaimId) -> &Claim {
        &self.claims[id.index()]
    }

    /// The colours of the return states of a claim's pending call.
    pub fn colours_of(&self, claim: &Claim) -> &[(u32, StateId)] {
        &self.colours[claim.colours.0 as usize]
    }
}

impl Reason {
    /// The claims that the reason rests on, in the order in which they happen.
    pub fn claims(&self) -> Vec<ClaimId> {
        match self {
            Reason::Seen | Reason::Returns(_) => Vec::new(),
            Reason::Claims(list) => list.clone(),
            Reason::Calls(calls) => {
                let each = calls.iter().flat_map(|call| {
                    let returns = call.returns.iter().map(|&(_, claim)| claim);
                    std::iter::once(call.callee).chain(returns)
                });
                each.collect()
            }
        }
    }
}
