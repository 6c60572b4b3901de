//! The meaning of formulas at positions.

use std::{cell::RefCell, collections::HashMap};

use super::{
    Formula, Machine, Pending, Set, State, Which, has,
    moves::{Exits, Scope, Test, comes_back, reaches, stays},
};

/// What a formula is evaluated at: a position, and for each marker the return states that have
/// it.
type Key = (*const Formula, State, Pending, Vec<Set>);

/// The meaning of formulas on a machine.
pub(crate) struct Meaning<'m> {
    pub(crate) machine: &'m Machine,
    /// The paths of called procedures to their returns.
    pub(crate) exits: Exits,
    known: RefCell<HashMap<Key, bool>>,
}

impl<'m> Meaning<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Self {
        Meaning {
            machine,
            exits: Exits::new(machine, &|_, _| true),
            known: RefCell::default(),
        }
    }

    /// Whether a formula without free markers holds.
    pub(crate) fn closed(&self, formula: &Formula, state: State, pending: Pending) -> bool {
        self.holds(formula, state, pending, &[])
    }

    /// Whether a formula holds where the return states have such markers.
    pub(crate) fn holds(
        &self,
        formula: &Formula,
        state: State,
        pending: Pending,
        markers: &[Set],
    ) -> bool {
        let key = (
            std::ptr::from_ref(formula),
            state,
            pending,
            markers.to_vec(),
        );
        if let Some(&known) = self.known.borrow().get(&key) {
            return known;
        }
        let holds = self.evaluate(formula, state, pending, markers);
        self.known.borrow_mut().insert(key, holds);
        holds
    }

    fn evaluate(&self, formula: &Formula, state: State, pending: Pending, markers: &[Set]) -> bool {
        let machine = self.machine;
        let at = |part: &Formula, to: State| self.holds(part, to, pending, markers);
        match formula {
            Formula::Constant(value) => *value,
            Formula::Label(label) => machine.labels[state][*label],
            Formula::Not(part) => !at(part, state),
            Formula::And(parts) => parts.iter().all(|part| at(part, state)),
            Formula::Or(parts) => parts.iter().any(|part| at(part, state)),
            Formula::Local(which, part) => {
                which.of(machine.steps(state).iter().map(|&to| at(part, to)))
            }
            Formula::Return(which, marker) => {
                let returns = machine.returns(state, pending).into_iter();
                which.of(returns.map(|to| has(markers[*marker], to)))
            }
            Formula::ReturnConstant(which, value) => {
                which.of(machine.returns(state, pending).iter().map(|_| *value))
            }
            Formula::Call(which, body, returns) => {
                let behind: Vec<State> = self.exits.jumps(machine, state);
                let marked = |condition: &Formula| {
                    let good = behind.iter().filter(|&&to| at(condition, to));
                    good.fold(0, |set, &to| set | 1 << to)
                };
                let inner: Vec<Set> = returns.iter().map(marked).collect();
                let callees = machine.callees(state).iter();
                which.of(callees.map(|&to| self.holds(body, to, Some(state), &inner)))
            }
            Formula::Jump(which, part) => {
                let behind = self.exits.jumps(machine, state).into_iter();
                which.of(behind.map(|to| at(part, to)))
            }
            Formula::Terminates => {
                let mut callees = machine.callees(state).iter();
                callees.all(|&to| comes_back(machine, to, state))
            }
            Formula::Path {
                which,
                weak,
                local,
                parts,
            } => {
                let first = |state, pending| self.holds(&parts[0], state, pending, markers);
                let second = |state, pending| self.holds(&parts[1], state, pending, markers);
                self.path((*which, *weak, *local), &first, &second, (state, pending))
            }
            Formula::Short {
                which,
                always,
                local,
                part,
            } => {
                let it = |state, pending| self.holds(part, state, pending, markers);
                let constant = |_, _| !always;
                let (first, second): (Test<'_>, Test<'_>) = match always {
                    true => (&it, &constant),
                    false => (&constant, &it),
                };
                self.path((*which, *always, *local), first, second, (state, pending))
            }
            Formula::Pattern(name, arguments) => self.pattern(name, arguments, state, pending),
        }
    }

    /// Whether a path formula holds.
    fn path(
        &self,
        (which, weak, local): (Which, bool, bool),
        first: Test<'_>,
        second: Test<'_>,
        from: (State, Pending),
    ) -> bool {
        let (machine, scope) = match local {
            true => (self.machine, Scope::Local),
            false => (self.machine, Scope::Global),
        };
        let waits = |state, pending| !second(state, pending);
        let fails = |state, pending| !first(state, pending) && !second(state, pending);
        match which {
            Which::Some => {
                reaches(machine, scope, from, first, second)
                    || weak && stays(machine, scope, from, first)
            }
            // There is no path on which it is not so: one that comes to where neither holds
            // before the second has, or on which the second never does.
            Which::All => {
                !reaches(machine, scope, from, &waits, &fails)
                    && (weak || !stays(machine, scope, from, &waits))
            }
        }
    }
}
