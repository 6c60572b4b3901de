//! The meaning of formulas: direct evaluation on a word that ends in a loop.
//!
//! This is the definition that everything else is checked against. It shares nothing with the
//! translation to automata, and does not simplify.

pub use recurva_model::Letter;
use rustc_hash::FxHashMap;

use super::{AtomId, Chain, FormulaId, Formulas, Modality, Operator};

/// The positions of a word that ends in a loop: after the last one comes `back`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positions {
    /// How many positions there are.
    pub count: usize,
    /// Where the loop begins.
    pub back: usize,
}

impl Positions {
    const fn next(self, position: usize) -> usize {
        if position + 1 < self.count {
            position + 1
        } else {
            self.back
        }
    }
}

/// What calls make of the positions of a word, for the operators of CaRet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Links {
    /// The next position of the same invocation, if there is one: after a call the one that it
    /// returns to.
    pub local: Box<[Option<usize>]>,
    /// Where the running procedure was called, which is an earlier position.
    pub caller: Box<[Option<usize>]>,
}

impl Links {
    /// There is no call.
    fn none(positions: Positions) -> Self {
        Links {
            local: (0..positions.count)
                .map(|at| Some(positions.next(at)))
                .collect(),
            caller: vec![None; positions.count].into(),
        }
    }
}

/// The values of a formula and all its parts at all positions.
#[derive(Clone, Debug)]
pub struct Evaluation {
    positions: Positions,
    links: Links,
    rows: FxHashMap<FormulaId, Box<[bool]>>,
}

impl Evaluation {
    /// Evaluates a formula where `holds` tells the values of atoms. `None` if the loop is empty.
    pub fn with(
        formulas: &Formulas,
        formula: FormulaId,
        positions: Positions,
        holds: impl Fn(AtomId, usize) -> bool,
    ) -> Option<Self> {
        Evaluation::nested(formulas, formula, positions, Links::none(positions), holds)
    }

    /// The same on a word with calls, which `links` tells about. `None` also if they do not fit
    /// the positions.
    pub fn nested(
        formulas: &Formulas,
        formula: FormulaId,
        positions: Positions,
        links: Links,
        holds: impl Fn(AtomId, usize) -> bool,
    ) -> Option<Self> {
        let Positions { count, back } = positions;
        let earlier = |(at, caller): (usize, &Option<usize>)| caller.is_none_or(|c| c < at);
        let fits = back < count
            && links.local.len() == count
            && links.local.iter().flatten().all(|&next| next < count)
            && links.caller.len() == count
            && links.caller.iter().enumerate().all(earlier);
        if !fits {
            return None;
        }
        let mut evaluation = Evaluation {
            positions,
            links,
            rows: FxHashMap::default(),
        };
        for id in formulas.subformulas(formula) {
            let row = evaluation.row(formulas, id, &holds);
            evaluation.rows.insert(id, row);
        }
        Some(evaluation)
    }

    /// Whether a formula, which is the evaluated one or a part of it, holds at a position.
    pub fn holds(&self, formula: FormulaId, position: usize) -> bool {
        let row = self.rows.get(&formula);
        row.and_then(|row| row.get(position))
            .is_some_and(|&value| value)
    }

    /// The values of a formula, which is the evaluated one or a part of it, at all positions.
    pub fn values(&self, formula: FormulaId) -> &[bool] {
        self.rows.get(&formula).map_or(&[], |row| row)
    }

    fn row(
        &self,
        formulas: &Formulas,
        id: FormulaId,
        holds: &impl Fn(AtomId, usize) -> bool,
    ) -> Box<[bool]> {
        use Operator::*;
        let all = 0..self.positions.count;
        let parts = formulas.parts(id);
        let (first, last) = formulas.pair(id);
        let (a, b) = (self.values(first), self.values(last));
        match formulas.operator(id) {
            True => all.map(|_| true).collect(),
            False => all.map(|_| false).collect(),
            Atom(atom) => all.map(|at| holds(atom, at)).collect(),
            Not => all.map(|at| !a[at]).collect(),
            And => all
                .map(|at| parts.iter().all(|&part| self.values(part)[at]))
                .collect(),
            Or => all
                .map(|at| parts.iter().any(|&part| self.values(part)[at]))
                .collect(),
            Implies => all.map(|at| !a[at] || b[at]).collect(),
            Equivalent => all.map(|at| a[at] == b[at]).collect(),
            Xor => all.map(|at| a[at] != b[at]).collect(),
            Next => all.map(|at| a[self.positions.next(at)]).collect(),
            Finally => self.fixpoint(false, |at, next| a[at] || next),
            Globally => self.fixpoint(true, |at, next| a[at] && next),
            Until => self.fixpoint(false, |at, next| b[at] || (a[at] && next)),
            WeakUntil => self.fixpoint(true, |at, next| b[at] || (a[at] && next)),
            Release => self.fixpoint(true, |at, next| b[at] && (a[at] || next)),
            StrongRelease => self.fixpoint(false, |at, next| b[at] && (a[at] || next)),
            Along(chain, modality) => {
                let next = |at: usize| match chain {
                    Chain::Local => self.links.local[at],
                    Chain::Callers => self.links.caller[at],
                };
                match modality {
                    Modality::Next => all.map(|at| next(at).is_some_and(|to| a[to])).collect(),
                    Modality::WeakNext => all.map(|at| next(at).is_none_or(|to| a[to])).collect(),
                    _ => self.along(chain, modality, a, b),
                }
            }
        }
    }

    /// The values of an operator of CaRet whose parts have these. Where its chain ends the
    /// operator says what it would for ever.
    fn along(&self, chain: Chain, modality: Modality, a: &[bool], b: &[bool]) -> Box<[bool]> {
        use Modality::*;
        let greatest = matches!(modality, Globally | WeakUntil | Release | WeakNext);
        let step = |at: usize, next: bool| match modality {
            Finally => a[at] || next,
            Globally => a[at] && next,
            Until | WeakUntil => b[at] || (a[at] && next),
            Release | StrongRelease => b[at] && (a[at] || next),
            Next | WeakNext => next,
        };
        let mut row = vec![greatest; self.positions.count].into_boxed_slice();
        let value = |row: &[bool], to: Option<usize>| to.map_or(greatest, |to| row[to]);
        match chain {
            // Callers come before whom they call.
            Chain::Callers => {
                for at in 0..row.len() {
                    row[at] = step(at, value(&row, self.links.caller[at]));
                }
            }
            Chain::Local => {
                for at in (0..row.len()).rev().chain((0..row.len()).rev()) {
                    row[at] = step(at, value(&row, self.links.local[at]));
                }
            }
        }
        row
    }

    /// The solution of `value(at) = step(at, value(next))` that is least from `start` = false
    /// or greatest from `start` = true: one pass backwards settles the first position of the
    /// loop, a second one all others.
    fn fixpoint(&self, start: bool, step: impl Fn(usize, bool) -> bool) -> Box<[bool]> {
        let mut row = vec![start; self.positions.count].into_boxed_slice();
        for _ in 0..2 {
            for at in (0..self.positions.count).rev() {
                row[at] = step(at, row[self.positions.next(at)]);
            }
        }
        row
    }
}

/// Whether a formula holds on the word that begins with `stem` and then repeats `cycle` for
/// ever. `None` if `cycle` is empty.
pub fn evaluate(
    formulas: &Formulas,
    formula: FormulaId,
    stem: &[Letter],
    cycle: &[Letter],
) -> Option<bool> {
    let positions = Positions {
        count: stem.len() + cycle.len(),
        back: stem.len(),
    };
    let letter = |at: usize| match stem.get(at) {
        Some(&letter) => letter,
        None => cycle[at - stem.len()],
    };
    let holds = |atom: AtomId, at: usize| atom.0 < 64 && letter(at) >> atom.0 & 1 == 1;
    Evaluation::with(formulas, formula, positions, holds).map(|e| e.holds(formula, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words() {
        let mut f = Formulas::new();
        let (a, b) = (f.atom("a"), f.atom("b"));
        let until = f.binary(Operator::Until, a, b);
        let weak = f.binary(Operator::WeakUntil, a, b);
        let value =
            |f: &Formulas, id, stem: &[u64], cycle: &[u64]| evaluate(f, id, stem, cycle).unwrap();
        assert!(value(&f, until, &[1, 1], &[2]));
        assert!(!value(&f, until, &[], &[1]));
        assert!(value(&f, weak, &[], &[1]));
        assert!(!value(&f, weak, &[1, 0], &[2]));
        let recurs = f.unary(Operator::Finally, a);
        let recurs = f.unary(Operator::Globally, recurs);
        assert!(value(&f, recurs, &[0], &[0, 1]));
        assert!(!value(&f, recurs, &[1], &[0]));
        assert_eq!(evaluate(&f, a, &[1], &[]), None);
    }
}
