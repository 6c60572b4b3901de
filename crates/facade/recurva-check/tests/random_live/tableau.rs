//! The textbook tableau of a formula: large, plain, and nothing like the translation that the
//! library uses.
//!
//! A state says which of the *tracked* formulas hold at the position that is read next: those
//! with a fixpoint, and those behind an `X`. Reading a letter it guesses which of them hold one
//! position further on; with that and the letter the value of every formula is known, and the
//! guess before must have been right. A mark for each fixpoint keeps promises from being put
//! off for ever.

use recurva_logic::ltl::{Formula, FormulaId, Operator};
use recurva_model::{Automaton, AutomatonEdge, Cube, Guard, Letter, Program};

/// So many formulas may be tracked.
const MOST: usize = 4;

/// An automaton for the runs that violate a formula; `None` if it would be too large.
pub(crate) fn violations(
    program: &Program,
    formula: &Formula,
    guards: &[Guard],
) -> Option<Automaton> {
    let tableau = Tableau::new(formula);
    let (states, letters) = (1u32 << tableau.tracked.len(), 1 << guards.len());
    if tableau.tracked.len() > MOST || guards.len() > MOST {
        return None;
    }
    let mut edges = Vec::new();
    for next in 0..states {
        for letter in 0..letters {
            let values = tableau.values(letter, next);
            let mut add = |from: u32| {
                edges.push(AutomatonEdge {
                    from,
                    to: next + 1,
                    cubes: [Cube {
                        positive: letter,
                        negative: !letter & (letters - 1),
                    }]
                    .into(),
                    marks: tableau.marks(&values),
                });
            };
            let now = (0..).zip(&tableau.tracked);
            let now = now.map(|(bit, &id)| u32::from(tableau.value(&values, id)) << bit);
            add(now.sum::<u32>() + 1);
            if !tableau.value(&values, formula.root) {
                add(0);
            }
        }
    }
    let acceptance = tableau.marks(&[]);
    let automaton = Automaton::new(program, guards.to_vec(), states + 1, 0, acceptance, edges);
    Some(automaton.expect("the parts fit"))
}

struct Tableau<'f> {
    formula: &'f Formula,
    /// All formulas, parts before what is made of them.
    order: Vec<FormulaId>,
    tracked: Vec<FormulaId>,
}

impl<'f> Tableau<'f> {
    fn new(formula: &'f Formula) -> Self {
        let mut order = formula.formulas.subformulas(formula.root);
        order.sort_unstable();
        let mut tracked: Vec<FormulaId> = Vec::new();
        for &id in &order {
            use Operator::{Finally, Globally, Next, Release, StrongRelease, Until, WeakUntil};
            match formula.formulas.operator(id) {
                Next => tracked.push(formula.formulas.parts(id)[0]),
                Finally | Globally | Until | Release | WeakUntil | StrongRelease => {
                    tracked.push(id);
                }
                _ => {}
            }
        }
        tracked.sort_unstable();
        tracked.dedup();
        Tableau {
            formula,
            order,
            tracked,
        }
    }

    fn value(&self, values: &[bool], id: FormulaId) -> bool {
        let at = self.order.iter().position(|&other| other == id);
        values[at.expect("a part")]
    }

    /// The values of all formulas, in order, from a letter and what holds one position on.
    fn values(&self, letter: Letter, next: u32) -> Vec<bool> {
        use Operator::*;
        let later = |id: FormulaId| {
            let bit = self.tracked.iter().position(|&other| other == id);
            next >> bit.expect("a tracked formula") & 1 == 1
        };
        let mut values = Vec::new();
        for &id in &self.order {
            let parts = self.formula.formulas.parts(id);
            let operands: Vec<bool> = parts.iter().map(|&p| self.value(&values, p)).collect();
            let (a, b) = (
                operands.first() == Some(&true),
                operands.get(1) == Some(&true),
            );
            values.push(match self.formula.formulas.operator(id) {
                True => true,
                False => false,
                Atom(atom) => letter >> atom.0 & 1 == 1,
                Not => !a,
                And => operands.iter().all(|&value| value),
                Or => operands.iter().any(|&value| value),
                Implies => !a || b,
                Equivalent => a == b,
                Xor => a != b,
                Next => later(parts[0]),
                Finally => a || later(id),
                Globally => a && later(id),
                Until | WeakUntil => b || (a && later(id)),
                Release | StrongRelease => b && (a || later(id)),
                Along(..) => unreachable!("an operator of CaRet"),
            });
        }
        values
    }

    /// The fixpoints of which nothing is put off here; without values, all of them.
    fn marks(&self, values: &[bool]) -> u32 {
        use Operator::*;
        let mut marks = 0;
        for (bit, &id) in self.tracked.iter().enumerate() {
            let parts = self.formula.formulas.parts(id);
            let part = |index: usize| self.value(values, parts[index]);
            let operator = self.formula.formulas.operator(id);
            let fixpoint = matches!(
                operator,
                Finally | Globally | Until | Release | WeakUntil | StrongRelease
            );
            let settled = fixpoint
                && (values.is_empty()
                    || match operator {
                        Finally => !self.value(values, id) || part(0),
                        Until => !self.value(values, id) || part(1),
                        StrongRelease => !self.value(values, id) || (part(0) && part(1)),
                        Globally => self.value(values, id) || !part(0),
                        WeakUntil => self.value(values, id) || (!part(0) && !part(1)),
                        _ => self.value(values, id) || !part(1),
                    });
            marks |= u32::from(settled) << bit;
        }
        marks
    }
}
