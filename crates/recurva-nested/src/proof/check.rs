//! Checks proofs by what the operators mean (§3.2).

use std::fmt;

use recurva_logic::ntmu::{Fixpoint, Formula, FormulaId, Modality, Operator};
use recurva_model::nsm::{Nsm, StateId};

use super::{Called, Claim, ClaimId, ColoursId, Proof, Reason};
use crate::propositions::Propositions;

/// Why a proof proves nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    claim: ClaimId,
    what: &'static str,
}

impl Flaw {
    /// The claim that does not follow.
    pub fn claim(&self) -> ClaimId {
        self.claim
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "claim {} does not follow: {}", self.claim.0, self.what)
    }
}

impl std::error::Error for Flaw {}

impl Proof {
    /// Checks that this is a proof that a machine satisfies a formula.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong with it.
    pub fn check(&self, nsm: &Nsm, formula: &Formula) -> Result<(), Flaw> {
        let propositions = Propositions::new(nsm, formula.formulas(), formula.root());
        let propositions = propositions.map_err(|_| Flaw {
            claim: ClaimId::FIRST,
            what: "the formula does not fit the machine",
        })?;
        let check = Check {
            nsm,
            formula,
            proof: self,
            propositions,
        };
        check.first()?;
        for index in 0..self.claims.len() as u32 {
            check.claim(ClaimId(index))?;
        }
        check.circles()
    }
}

struct Check<'p> {
    nsm: &'p Nsm,
    formula: &'p Formula,
    proof: &'p Proof,
    propositions: Propositions,
}

/// What is claimed, without the reason.
type Subject = (FormulaId, StateId, Option<StateId>, ColoursId);

impl Check<'_> {
    fn first(&self) -> Result<(), Flaw> {
        let wrong = |what| Flaw {
            claim: ClaimId::FIRST,
            what,
        };
        let first = self.proof.claims.first();
        let first = first.ok_or_else(|| wrong("there is no claim"))?;
        let whole = first.formula == self.formula.root()
            && first.state == self.nsm.init()
            && first.pending.is_none();
        if !whole {
            return Err(wrong("it is not about the formula and the initial state"));
        }
        Ok(())
    }

    /// Whether a claim is there and says this.
    fn says(&self, id: ClaimId, (formula, state, pending, colours): Subject) -> bool {
        let claim = self.proof.claims.get(id.index());
        claim.is_some_and(|claim| {
            claim.formula == formula
                && claim.state == state
                && claim.pending == pending
                && claim.colours == colours
        })
    }

    fn has_colour(&self, claim: &Claim, colour: u32, state: StateId) -> bool {
        let colours = self.proof.colours.get(claim.colours.0 as usize);
        colours.is_some_and(|colours| colours.contains(&(colour, state)))
    }

    fn claim(&self, id: ClaimId) -> Result<(), Flaw> {
        let claim = self.proof.claim(id);
        let formulas = self.formula.formulas();
        let exists = |id: &ClaimId| id.index() < self.proof.claims.len();
        if claim.formula.index() >= formulas.len()
            || claim.state.index() >= self.nsm.states().len()
            || !claim.reason.claims().iter().all(exists)
        {
            return Err(Flaw {
                claim: id,
                what: "it is about nothing that there is",
            });
        }
        let parts = formulas.parts(claim.formula);
        let (state, nsm) = (claim.state, self.nsm);
        let here = |part| (part, state, claim.pending, claim.colours);
        let next = |part, to| (part, to, claim.pending, claim.colours);
        let holds = match (formulas.operator(claim.formula), &claim.reason) {
            (Operator::True, Reason::Seen) => true,
            (Operator::Proposition(p), Reason::Seen) => self.propositions.holds(p, state),
            (Operator::NotProposition(p), Reason::Seen) => !self.propositions.holds(p, state),
            (Operator::Variable(variable), Reason::Claims(list)) => {
                let binder = formulas.binder(variable);
                matches!((&list[..], binder), (&[one], Some(binder)) if self.says(one, here(binder)))
            }
            (Operator::Fixpoint(..), Reason::Claims(list)) => {
                matches!(list[..], [one] if self.says(one, here(parts[0])))
            }
            (Operator::And, Reason::Claims(list)) => {
                matches!(list[..], [left, right]
                    if self.says(left, here(parts[0])) && self.says(right, here(parts[1])))
            }
            (Operator::Or, Reason::Claims(list)) => {
                matches!(list[..], [one] if parts.iter().any(|&part| self.says(one, here(part))))
            }
            (Operator::Local(Modality::Some), Reason::Claims(list)) => {
                let targets = nsm.locals(state);
                matches!(list[..], [one]
                    if targets.iter().any(|&to| self.says(one, next(parts[0], to))))
            }
            (Operator::Local(Modality::All), reason) => {
                let list = reason.claims();
                let all = nsm.locals(state).iter();
                let mut all = all.map(|&to| list.iter().any(|&c| self.says(c, next(parts[0], to))));
                matches!(reason, Reason::Seen | Reason::Claims(_)) && all.all(|found| found)
            }
            (Operator::Return(Modality::Some, colour), Reason::Returns(list)) => {
                matches!(list[..], [one]
                    if self.returns(claim).contains(&one) && self.has_colour(claim, colour, one))
            }
            (Operator::Return(Modality::All, colour), Reason::Seen | Reason::Returns(_)) => {
                let all = self.returns(claim);
                all.iter().all(|&to| self.has_colour(claim, colour, to))
            }
            (Operator::MayReturn, Reason::Seen) => !self.returns(claim).is_empty(),
            (Operator::NoReturn, Reason::Seen) => self.returns(claim).is_empty(),
            (Operator::Call(Modality::Some), Reason::Calls(calls)) => {
                matches!(&calls[..], [one]
                    if nsm.calls(state).iter().any(|&callee| self.call(claim, callee, one)))
            }
            (Operator::Call(Modality::All), Reason::Seen) => nsm.calls(state).is_empty(),
            (Operator::Call(Modality::All), Reason::Calls(calls)) => {
                let mut callees = nsm.calls(state).iter();
                callees.all(|&callee| calls.iter().any(|one| self.call(claim, callee, one)))
            }
            _ => false,
        };
        if holds {
            return Ok(());
        }
        Err(Flaw {
            claim: id,
            what: "its reason does not give it",
        })
    }

    fn returns(&self, claim: &Claim) -> Vec<StateId> {
        let Some(pending) = claim.pending else {
            return Vec::new();
        };
        self.nsm.returns_to(claim.state, pending).collect()
    }

    /// Whether a call as given leads to this callee, and the return conditions hold wherever the
    /// callee's claim takes them to.
    fn call(&self, claim: &Claim, callee: StateId, call: &Called) -> bool {
        let parts = self.formula.formulas().parts(claim.formula);
        let Some(inside) = self.proof.claims.get(call.callee.index()) else {
            return false;
        };
        let Some(colours) = self.proof.colours.get(inside.colours.0 as usize) else {
            return false;
        };
        let subject = (parts[0], callee, Some(claim.state), inside.colours);
        self.says(call.callee, subject)
            && colours.iter().all(|&(colour, to)| {
                let Some(&condition) = parts[1..].get((colour as usize).wrapping_sub(1)) else {
                    return false;
                };
                let subject = (condition, to, claim.pending, claim.colours);
                let mut returns = call.returns.iter();
                returns.any(|&(given, id)| given == colour && self.says(id, subject))
            })
    }

    /// Checks that on every circle of claims the outermost fixpoint is a greatest one. Going
    /// from a formula to its parts numbers get smaller, so on a circle the largest formula is a
    /// fixpoint, and all others are parts of it.
    fn circles(&self) -> Result<(), Flaw> {
        let formulas = self.formula.formulas();
        let formula = |claim: &ClaimId| self.proof.claim(*claim).formula;
        let mut search = Circles::new(self.proof);
        let count = self.proof.claims.len() as u32;
        let mut waiting: Vec<Vec<ClaimId>> = vec![(0..count).map(ClaimId).collect()];
        while let Some(set) = waiting.pop() {
            for circle in search.among(&set) {
                let Some(first) = circle.iter().max_by_key(|claim| formula(claim)) else {
                    continue;
                };
                let outermost = formula(first);
                let operator = formulas.operator(outermost);
                if !matches!(operator, Operator::Fixpoint(Fixpoint::Greatest, _)) {
                    return Err(Flaw {
                        claim: *first,
                        what: "it rests on itself in a least fixpoint",
                    });
                }
                let rest = circle.into_iter();
                waiting.push(rest.filter(|claim| formula(claim) != outermost).collect());
            }
        }
        Ok(())
    }
}

/// Finds claims that depend on each other (Tarjan's algorithm).
struct Circles {
    next: Vec<Vec<ClaimId>>,
    /// The set that a claim was last looked for in.
    set: Vec<u32>,
    sets: u32,
    index: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

const UNSEEN: u32 = u32::MAX;

impl Circles {
    fn new(proof: &Proof) -> Self {
        let claims = proof.claims.iter();
        let count = proof.claims.len();
        Circles {
            next: claims.map(|claim| claim.reason.claims()).collect(),
            set: vec![0; count],
            sets: 0,
            index: vec![UNSEEN; count],
            low: vec![0; count],
            on_stack: vec![false; count],
        }
    }

    /// The components of a set of claims; those that are on no circle are left out.
    fn among(&mut self, set: &[ClaimId]) -> Vec<Vec<ClaimId>> {
        self.sets += 1;
        for claim in set {
            self.set[claim.index()] = self.sets;
            self.index[claim.index()] = UNSEEN;
        }
        let (mut stack, mut path, mut found) = (Vec::new(), Vec::new(), Vec::new());
        let mut count = 0;
        for &root in set {
            if self.index[root.index()] != UNSEEN {
                continue;
            }
            path.push((root, 0));
            while let Some((claim, at)) = path.last_mut() {
                let (claim, here) = (*claim, claim.index());
                if *at == 0 {
                    self.index[here] = count;
                    self.low[here] = count;
                    count += 1;
                    stack.push(claim);
                    self.on_stack[here] = true;
                }
                if let Some(&to) = self.next[here].get(*at) {
                    *at += 1;
                    let there = to.index();
                    if self.set[there] != self.sets {
                        continue;
                    }
                    if self.index[there] == UNSEEN {
                        path.push((to, 0));
                    } else if self.on_stack[there] {
                        self.low[here] = self.low[here].min(self.index[there]);
                    }
                    continue;
                }
                path.pop();
                if let Some((parent, _)) = path.last() {
                    self.low[parent.index()] = self.low[parent.index()].min(self.low[here]);
                }
                if self.low[here] == self.index[here] {
                    let start = stack.iter().rposition(|&other| other == claim);
                    let members = stack.split_off(start.unwrap_or(0));
                    for member in &members {
                        self.on_stack[member.index()] = false;
                    }
                    if members.len() > 1 || self.next[here].contains(&claim) {
                        found.push(members);
                    }
                }
            }
        }
        found
    }
}
