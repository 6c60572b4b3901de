//! Gates: equal gates are one, and gates with constants are none.

use batsat::Lit;
use rustc_hash::FxHashMap;

use super::sat::Sat;

/// A gate of two or three inputs, in one of its forms.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    If(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// About what a gate takes in the table.
const PER_GATE: u64 = 48;

/// Makes gates out of clauses.
pub(super) struct Gates {
    pub(super) sat: Sat,
    known: FxHashMap<Gate, Lit>,
    /// Conjunctions of more than two.
    wide: FxHashMap<Box<[Lit]>, Lit>,
}

impl Gates {
    pub(super) fn new(memory: u64) -> Self {
        Gates {
            sat: Sat::new(memory),
            known: FxHashMap::default(),
            wide: FxHashMap::default(),
        }
    }

    /// About so many bytes are held.
    pub(super) fn held(&self) -> u64 {
        self.sat.held() + (self.known.len() + 2 * self.wide.len()) as u64 * PER_GATE
    }

    pub(super) fn constant(&self, value: bool) -> Lit {
        match value {
            true => self.sat.truth(),
            false => !self.sat.truth(),
        }
    }

    /// The value of a literal that is a constant.
    pub(super) fn known(&self, literal: Lit) -> Option<bool> {
        (literal.var() == self.sat.truth().var()).then(|| literal == self.sat.truth())
    }

    pub(super) fn and(&mut self, left: Lit, right: Lit) -> Lit {
        match (self.known(left), self.known(right)) {
            (Some(true), _) => return right,
            (_, Some(true)) => return left,
            (Some(false), _) | (_, Some(false)) => return self.constant(false),
            _ => {}
        }
        if left == right {
            return left;
        }
        if left == !right {
            return self.constant(false);
        }
        let gate = Gate::And(left.min(right), left.max(right));
        self.gate(gate, |sat, out| {
            sat.clause(&[!out, left]);
            sat.clause(&[!out, right]);
            sat.clause(&[out, !left, !right]);
        })
    }

    pub(super) fn or(&mut self, left: Lit, right: Lit) -> Lit {
        !self.and(!left, !right)
    }

    pub(super) fn xor(&mut self, left: Lit, right: Lit) -> Lit {
        match (self.known(left), self.known(right)) {
            (Some(value), _) => return if value { !right } else { right },
            (_, Some(value)) => return if value { !left } else { left },
            _ => {}
        }
        // Negations go outside.
        let is_odd = left.sign() != right.sign();
        let (left, right) = (left.apply_sign(left.sign()), right.apply_sign(right.sign()));
        let out = if left == right {
            self.constant(false)
        } else {
            let gate = Gate::Xor(left.min(right), left.max(right));
            self.gate(gate, |sat, out| {
                sat.clause(&[!out, left, right]);
                sat.clause(&[!out, !left, !right]);
                sat.clause(&[out, !left, right]);
                sat.clause(&[out, left, !right]);
            })
        };
        if is_odd { !out } else { out }
    }

    pub(super) fn if_then_else(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if let Some(value) = self.known(condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return !self.xor(condition, then);
        }
        if self.known(then) == Some(true) || then == condition {
            return self.or(condition, otherwise);
        }
        if self.known(then) == Some(false) || then == !condition {
            return self.and(!condition, otherwise);
        }
        if self.known(otherwise) == Some(true) || otherwise == !condition {
            return self.or(!condition, then);
        }
        if self.known(otherwise) == Some(false) || otherwise == condition {
            return self.and(condition, then);
        }
        let (condition, then, otherwise) = match condition.sign() {
            true => (condition, then, otherwise),
            false => (!condition, otherwise, then),
        };
        self.gate(Gate::If(condition, then, otherwise), |sat, out| {
            sat.clause(&[!condition, !then, out]);
            sat.clause(&[!condition, then, !out]);
            sat.clause(&[condition, !otherwise, out]);
            sat.clause(&[condition, otherwise, !out]);
            // Not needed, but they let more follow at once.
            sat.clause(&[!then, !otherwise, out]);
            sat.clause(&[then, otherwise, !out]);
        })
    }

    /// Whether at least two of three hold: the carry of a sum.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut of = [a, b, c];
        of.sort_unstable();
        for (place, (one, other)) in [(0, (1, 2)), (1, (0, 2)), (2, (0, 1))] {
            let (one, other) = (of[one], of[other]);
            match self.known(of[place]) {
                Some(true) => return self.or(one, other),
                Some(false) => return self.and(one, other),
                None if one == other => return one,
                None if one == !other => return of[place],
                None => {}
            }
        }
        let [a, b, c] = of;
        self.gate(Gate::Majority(a, b, c), |sat, out| {
            for (one, other) in [(a, b), (a, c), (b, c)] {
                sat.clause(&[!one, !other, out]);
                sat.clause(&[one, other, !out]);
            }
        })
    }

    /// A conjunction of any number of literals.
    pub(super) fn all(&mut self, literals: &[Lit]) -> Lit {
        let mut of: Vec<Lit> = Vec::with_capacity(literals.len());
        for &literal in literals {
            match self.known(literal) {
                Some(true) => {}
                Some(false) => return literal,
                None => of.push(literal),
            }
        }
        of.sort_unstable();
        of.dedup();
        if of.windows(2).any(|it| it[0] == !it[1]) {
            return self.constant(false);
        }
        match of[..] {
            [] => self.constant(true),
            [one] => one,
            [one, other] => self.and(one, other),
            _ => {
                if let Some(&out) = self.wide.get(&of[..]) {
                    return out;
                }
                let out = self.sat.fresh();
                for &literal in &of {
                    self.sat.clause(&[!out, literal]);
                }
                let mut clause: Vec<Lit> = of.iter().map(|&it| !it).collect();
                clause.push(out);
                self.sat.clause(&clause);
                self.wide.insert(of.into(), out);
                out
            }
        }
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let out = self.sat.fresh();
        clauses(&mut self.sat, out);
        self.known.insert(gate, out);
        out
    }
}
