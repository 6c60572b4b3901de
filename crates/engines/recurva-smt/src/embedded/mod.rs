//! A solver for bit vectors and arrays of them that needs no other program.
//!
//! Terms become gates, gates clauses. A read of an array is a word that may be anything at first; when
//! a model is found in which a read is not what the array has there, what it broke is added, and the
//! search goes on (`arrays`). Before a model is given out, all that was asserted is evaluated in it.

mod arrays;
mod blast;
mod checked;
mod gates;
mod sat;
mod words;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use batsat::Lit;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Answer, Model, Node, Op, Sort, Term, Terms, Unknown, Value, equations::with_equations_used,
};
use arrays::Arrays;
use blast::{Blaster, Patience};
use checked::Checked;

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct EmbeddedLimits {
    /// About so many bytes.
    pub memory: u64,
    /// So long for one check.
    pub time: Option<Duration>,
}

impl Default for EmbeddedLimits {
    fn default() -> Self {
        EmbeddedLimits {
            memory: 2 << 30,
            time: None,
        }
    }
}

/// An incremental solver. All terms given to it are of one [`Terms`].
pub struct Embedded {
    limits: EmbeddedLimits,
    blaster: Blaster,
    arrays: Arrays,
    /// What was asserted, and is not yet clauses.
    pending: Vec<Term>,
    checked: Checked,
}

impl Embedded {
    /// A solver that knows nothing yet.
    pub fn new(limits: EmbeddedLimits) -> Self {
        Embedded {
            blaster: Blaster::new(limits.memory),
            limits,
            arrays: Arrays::default(),
            pending: Vec::new(),
            checked: Checked::default(),
        }
    }

    /// From now on a formula is true. The work is done at the next check.
    pub fn assert(&mut self, terms: &mut Terms, formula: Term) {
        debug_assert_eq!(terms.sort(formula), Sort::Bool);
        self.pending.push(formula);
        self.checked.add(terms, formula);
    }

    /// Whether all that was asserted can be true together with some assumptions. `ask` is asked now
    /// and then whether to go on.
    pub fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Answer {
        let limits = self.limits.clone();
        let mut patience = Patience {
            deadline: limits.time.map(|it| Instant::now() + it),
            limits: &limits,
            ask,
        };
        match self.try_check(terms, assumptions, &mut patience) {
            Ok(answer) => answer,
            Err(unknown) => Answer::Unknown(unknown),
        }
    }

    fn try_check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Term],
        patience: &mut Patience<'_>,
    ) -> Result<Answer, Unknown> {
        patience.check(self.blaster.held())?;
        self.pending = with_equations_used(terms, &self.pending);
        // Not taken out before it is done: what is interrupted goes on at the next check.
        while let Some(&formula) = self.pending.last() {
            self.make_true(terms, formula, patience)?;
            self.pending.pop();
        }
        let mut literals: Vec<Lit> = Vec::with_capacity(assumptions.len());
        for &assumption in assumptions {
            literals.push(self.blaster.literal(terms, assumption, patience)?);
        }
        loop {
            self.arrays.is_possible(terms, &self.blaster)?;
            patience.check(self.blaster.held())?;
            let sat = &mut self.blaster.gates.sat;
            if !sat.solve(&literals, patience.deadline, patience.ask)? {
                let is_needed = |it: &(&Term, &Lit)| sat.is_needed(*it.1);
                let mut seen = FxHashSet::default();
                let needed = assumptions
                    .iter()
                    .zip(&literals)
                    .filter(is_needed)
                    .map(|it| *it.0)
                    .filter(|&it| seen.insert(it))
                    .collect();
                return Ok(Answer::Unsatisfiable(needed));
            }
            let (values, lemmas) = self.arrays.refine(terms, &self.blaster, patience)?;
            if lemmas.is_empty() {
                return self.confirmed(terms, assumptions, values);
            }
            for lemma in lemmas {
                self.make_true(terms, lemma, patience)?;
            }
        }
    }

    /// The model, if all that was asserted is true in it: the solver's word is not taken.
    fn confirmed(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        values: FxHashMap<Term, Value>,
    ) -> Result<Answer, Unknown> {
        let model = Model::new(values);
        let wrong = self
            .checked
            .refuted(terms, &model)
            .or_else(|| model.refuted(terms, assumptions));
        match wrong {
            None => Ok(Answer::Satisfiable(model)),
            Some(_) => Err(Unknown::Solver(
                "a model was found in which not all is true".to_owned(),
            )),
        }
    }

    /// Makes clauses of a formula. A disjunction is one clause, a conjunction several.
    fn make_true(
        &mut self,
        terms: &Terms,
        formula: Term,
        patience: &mut Patience<'_>,
    ) -> Result<(), Unknown> {
        let parts = match terms.node(formula) {
            Node::Apply(Op::And, of) => &of[..],
            _ => &[formula],
        };
        for &part in parts {
            let clause = match terms.node(part) {
                Node::Apply(Op::Or, of) => &of[..],
                _ => &[part],
            };
            let literals: Result<Vec<Lit>, Unknown> = clause
                .iter()
                .map(|&it| self.blaster.literal(terms, it, patience))
                .collect();
            self.blaster.gates.sat.clause(&literals?);
        }
        Ok(())
    }

    /// Assumptions that cannot be true together with what was asserted, as few as can be: none of them
    /// can be left out. If it is interrupted, there may be too many. The given ones have to be such.
    pub fn minimal_core(
        &mut self,
        terms: &mut Terms,
        core: &[Term],
        ask: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Vec<Term> {
        let mut needed: Vec<Term> = Vec::new();
        let mut open = core.to_vec();
        while let Some(left_out) = open.pop() {
            let rest: Vec<Term> = needed.iter().chain(&open).copied().collect();
            match self.check(terms, &rest, ask) {
                Answer::Unsatisfiable(fewer) => open.retain(|it| fewer.contains(it)),
                Answer::Satisfiable(_) => needed.push(left_out),
                Answer::Unknown(Unknown::Stopped) => {
                    needed.push(left_out);
                    break;
                }
                Answer::Unknown(_) => needed.push(left_out),
            }
        }
        needed.extend(open);
        needed
    }
}
