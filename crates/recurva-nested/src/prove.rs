//! From the values of cells to a proof.
//!
//! A claim is a cell at which some of its variables are taken to be true, at a time: see
//! [`History`]. The machine that was solved may be a quotient; claims are about the states of
//! the machine itself, whose moves match those of the classes.

use recurva_logic::ntmu::{Formula, FormulaId, Modality, Operator};
use recurva_model::nsm::{Nsm, Quotient, StateId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    CheckError, Meter,
    bdd::{Bdd, Function},
    cells::{Cell, Cells},
    history::{History, Time},
    proof::{Called, Claim, ClaimId, ColoursId, Proof, Reason},
};

/// What has been solved, and for which machine.
pub(crate) struct Solved<'s> {
    pub(crate) nsm: &'s Nsm,
    /// What the machine was reduced to, if it was.
    pub(crate) quotient: Option<&'s Quotient>,
    pub(crate) formula: &'s Formula,
    pub(crate) cells: &'s Cells<'s>,
    pub(crate) bdd: &'s Bdd,
    pub(crate) history: &'s History,
}

/// Where a claim is made: a state, its pending call, and the colours there.
type Place = (StateId, Option<StateId>, ColoursId);

/// A proof that is being written down.
struct Prover<'s> {
    solved: &'s Solved<'s>,
    /// The states that a call returns to.
    behind: FxHashMap<StateId, Vec<StateId>>,
    proof: Proof,
    numbers: FxHashMap<(FormulaId, Place, Time), ClaimId>,
    /// Claims whose reasons are to be found, and the time that explains them.
    waiting: Vec<(ClaimId, Time)>,
    known_colours: FxHashMap<(Option<StateId>, Vec<u32>), ColoursId>,
    /// For each set of colours the variables that are true.
    assignments: Vec<FxHashSet<u32>>,
}

/// The formula holds initially; this is why. At most so many claims are made.
pub(crate) fn prove(
    solved: &Solved<'_>,
    limit: usize,
    meter: &mut Meter<'_>,
) -> Result<Proof, CheckError> {
    let mut behind: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    for state in solved.nsm.ids() {
        for &(pending, to) in solved.nsm.returns(state) {
            behind.entry(pending).or_default().push(to);
        }
    }
    for list in behind.values_mut() {
        list.sort_unstable();
        list.dedup();
    }
    let mut prover = Prover {
        solved,
        behind,
        proof: Proof::default(),
        numbers: FxHashMap::default(),
        waiting: Vec::new(),
        known_colours: FxHashMap::default(),
        assignments: Vec::new(),
    };
    let none = prover.colours(None, Vec::new());
    let start = (solved.nsm.init(), None, none);
    prover.claim(solved.formula.root(), start, solved.history.last())?;
    while let Some((id, time)) = prover.waiting.pop() {
        meter.evaluation(solved.bdd.len())?;
        if prover.proof.claims.len() > limit {
            return Err(CheckError::TooManyClaims { claims: limit });
        }
        let reason = prover.reason(id, time)?;
        prover.proof.claims[id.index()].reason = reason;
    }
    Ok(prover.proof)
}

impl Prover<'_> {
    fn class(&self, state: StateId) -> StateId {
        let quotient = self.solved.quotient;
        quotient.map_or(state, |quotient| quotient.class(state))
    }

    /// The colours that variables of a call's exits stand for.
    fn colours(&mut self, call: Option<StateId>, variables: Vec<u32>) -> ColoursId {
        let key = (call, variables);
        if let Some(&known) = self.known_colours.get(&key) {
            return known;
        }
        let id = ColoursId(self.proof.colours.len() as u32);
        let mut list = Vec::new();
        for &variable in &key.1 {
            let Some(call) = call else { continue };
            let (exit, colour) = self.solved.cells.meaning(variable);
            let targets = self.solved.cells.contexts().targets(self.class(call));
            let target = targets[exit as usize];
            let behind = self.behind.get(&call).map_or(&[][..], |list| list);
            let same = behind.iter().filter(|&&to| self.class(to) == target);
            list.extend(same.map(|&to| (colour, to)));
        }
        self.proof.colours.push(list);
        self.assignments.push(key.1.iter().copied().collect());
        self.known_colours.insert(key, id);
        id
    }

    fn cell(&self, formula: FormulaId, (state, pending, _): Place) -> Option<Cell> {
        let pending = pending.map(|call| self.class(call));
        let cells = self.solved.cells;
        let pair = cells.contexts().pair(self.class(state), pending)?;
        cells.find(formula, pair)
    }

    fn is_true(&self, function: Function, colours: ColoursId) -> bool {
        let assignment = &self.assignments[colours.0 as usize];
        (self.solved.bdd).value(function, |variable| assignment.contains(&variable))
    }

    /// The time that explains that a formula holds at a place, if it does.
    fn explained(&self, formula: FormulaId, place: Place, time: Time) -> Option<Time> {
        let cell = self.cell(formula, place)?;
        let history = self.solved.history;
        let holds = |function| self.is_true(function, place.2);
        holds(history.value(cell, time)).then(|| history.explained(cell, time, holds))
    }

    /// A claim that is true at a time.
    fn claim(
        &mut self,
        formula: FormulaId,
        place: Place,
        time: Time,
    ) -> Result<ClaimId, CheckError> {
        let time = self.explained(formula, place, time);
        let time = time.ok_or(CheckError::Unexplained)?;
        let next = ClaimId(self.proof.claims.len() as u32);
        let id = *self.numbers.entry((formula, place, time)).or_insert(next);
        if id == next {
            let (state, pending, colours) = place;
            self.proof.claims.push(Claim {
                formula,
                state,
                pending,
                colours,
                reason: Reason::Seen,
            });
            self.waiting.push((id, time));
        }
        Ok(id)
    }

    /// The one of some claims that is explained first.
    fn earliest(
        &mut self,
        choices: impl Iterator<Item = (FormulaId, Place)>,
        time: Time,
    ) -> Result<Reason, CheckError> {
        let known = choices.filter_map(|(formula, place)| {
            let explained = self.explained(formula, place, time)?;
            Some((explained, formula, place))
        });
        let best = known.min_by_key(|&(explained, ..)| explained);
        let (_, formula, place) = best.ok_or(CheckError::Unexplained)?;
        Ok(Reason::Claims(vec![self.claim(formula, place, time)?]))
    }

    fn all(
        &mut self,
        claims: impl Iterator<Item = (FormulaId, Place)>,
        time: Time,
    ) -> Result<Reason, CheckError> {
        let list = claims.map(|(formula, place)| self.claim(formula, place, time));
        let list: Vec<ClaimId> = list.collect::<Result<_, _>>()?;
        Ok(match list.is_empty() {
            true => Reason::Seen,
            false => Reason::Claims(list),
        })
    }

    fn reason(&mut self, id: ClaimId, time: Time) -> Result<Reason, CheckError> {
        let claim = self.proof.claim(id);
        let (formula, state) = (claim.formula, claim.state);
        let place = (state, claim.pending, claim.colours);
        let Solved {
            nsm,
            formula: whole,
            ..
        } = *self.solved;
        let formulas = whole.formulas();
        let parts = formulas.parts(formula);
        let at = |to: StateId| (to, place.1, place.2);
        match formulas.operator(formula) {
            Operator::True
            | Operator::False
            | Operator::Proposition(_)
            | Operator::NotProposition(_)
            | Operator::MayReturn
            | Operator::NoReturn => Ok(Reason::Seen),
            Operator::Variable(variable) => {
                let binder = formulas.binder(variable);
                self.all(binder.into_iter().map(|binder| (binder, place)), time)
            }
            Operator::Fixpoint(..) | Operator::And => {
                self.all(parts.iter().map(|&part| (part, place)), time)
            }
            Operator::Or => self.earliest(parts.iter().map(|&part| (part, place)), time),
            Operator::Local(modality) => {
                let targets = nsm.locals(state).iter();
                let targets = targets.map(|&to| (parts[0], at(to)));
                match modality {
                    Modality::Some => self.earliest(targets, time),
                    Modality::All => self.all(targets, time),
                }
            }
            Operator::Return(modality, colour) => {
                let pending = place.1.into_iter();
                let mut list: Vec<StateId> = pending
                    .flat_map(|call| nsm.returns_to(state, call))
                    .collect();
                if modality == Modality::Some {
                    let colours = &self.proof.colours[place.2.0 as usize];
                    list.retain(|&to| colours.contains(&(colour, to)));
                    list.truncate(1);
                }
                Ok(Reason::Returns(list))
            }
            Operator::Call(modality) => self.calls(modality, parts, place, time),
        }
    }

    fn calls(
        &mut self,
        modality: Modality,
        parts: &[FormulaId],
        place: Place,
        time: Time,
    ) -> Result<Reason, CheckError> {
        let mut found = Vec::new();
        for &callee in self.solved.nsm.calls(place.0) {
            let enough = self.enough(parts, callee, place, time);
            let variables = match (enough, modality) {
                (Some(variables), _) => variables,
                (None, Modality::Some) => continue,
                (None, Modality::All) => return Err(CheckError::Unexplained),
            };
            let colours = self.colours(Some(place.0), variables);
            let inside = (callee, Some(place.0), colours);
            let explained = self.explained(parts[0], inside, time);
            found.push((explained, inside));
        }
        if modality == Modality::Some {
            let best = found.iter().min_by_key(|&&(explained, _)| explained);
            found = vec![*best.ok_or(CheckError::Unexplained)?];
        }
        if found.is_empty() {
            return Ok(Reason::Seen);
        }
        let mut calls = Vec::with_capacity(found.len());
        for (_, inside) in found {
            let callee = self.claim(parts[0], inside, time)?;
            let list = self.proof.colours[inside.2.0 as usize].clone();
            let mut returns = Vec::with_capacity(list.len());
            for (colour, to) in list {
                let condition = parts[colour as usize];
                let behind = (to, place.1, place.2);
                returns.push((colour, self.claim(condition, behind, time)?));
            }
            calls.push(Called { callee, returns });
        }
        Ok(Reason::Calls(calls))
    }

    /// Variables of the exits of a call that make the formula hold where the callee begins, and
    /// whose return conditions hold; as few as possible.
    fn enough(
        &self,
        parts: &[FormulaId],
        callee: StateId,
        (state, pending, colours): Place,
        time: Time,
    ) -> Option<Vec<u32>> {
        let Solved {
            cells,
            bdd,
            history,
            ..
        } = *self.solved;
        let call = self.class(state);
        let targets = cells.contexts().targets(call);
        let inside = cells.contexts().pair(self.class(callee), Some(call))?;
        let inside = cells.find(parts[0], inside)?;
        let outer = pending.map(|call| self.class(call));
        let condition = |variable: u32| {
            let (exit, colour) = cells.meaning(variable);
            let formula = parts[1..].get(colour as usize - 1)?;
            let pair = cells.contexts().pair(targets[exit as usize], outer)?;
            let value = history.value(cells.find(*formula, pair)?, time);
            Some(self.is_true(value, colours))
        };
        let holds = |variable| condition(variable).unwrap_or(false);
        bdd.enough(history.value(inside, time), holds)
    }
}
