//! Steps along edges.

use recurva_model::{Action, Edge, Expr, ProcId, Program, VarRef};
use recurva_smt::Term;

use crate::{Encoder, Held, Store, expression::Scope};

/// An internal step.
#[derive(Clone, Debug)]
pub struct Internal {
    /// That it is possible: the guard and the constraint hold, and nothing faults.
    pub condition: Term,
    /// The values after it.
    pub store: Store,
}

/// A call.
#[derive(Clone, Debug)]
pub struct Call {
    /// That it is possible.
    pub condition: Term,
    /// The procedure.
    pub callee: ProcId,
    /// The values of its parameters.
    pub arguments: Vec<Held>,
    /// Where its results go.
    pub results: Vec<Option<VarRef>>,
}

/// A step of either kind.
#[derive(Clone, Debug)]
pub enum Step {
    /// Within the procedure.
    Internal(Internal),
    /// The beginning of a call.
    Call(Call),
}

impl Encoder<'_> {
    /// A step along an edge, from some values. What it chooses is made up.
    pub fn step(&mut self, program: &Program, procedure: ProcId, edge: &Edge, now: &Store) -> Step {
        let choices = edge.choices();
        let choices: Vec<Term> = choices.iter().map(|&ty| self.any(ty, "any")).collect();
        self.step_choosing(program, procedure, edge, now, &choices)
    }

    /// A step along an edge with these choices: one for each of [`Edge::choices`].
    pub fn step_choosing(
        &mut self,
        program: &Program,
        procedure: ProcId,
        edge: &Edge,
        now: &Store,
        choices: &[Term],
    ) -> Step {
        let place = Scope {
            program,
            procedure,
            now,
            next: None,
            choices,
        };
        let mut conditions = Vec::new();
        let guard = self.defined(place, &edge.guard, &mut conditions);
        conditions.push(guard);
        match &edge.action {
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                let arguments = arguments.iter();
                let arguments = arguments
                    .map(|it| Held::Scalar(self.defined(place, it, &mut conditions)))
                    .collect();
                Step::Call(Call {
                    condition: self.terms.and(&conditions),
                    callee: *callee,
                    arguments,
                    results: results.clone(),
                })
            }
            Action::Assign {
                assigns,
                constraint,
            } => {
                let mut writes = Vec::with_capacity(assigns.len());
                for (written, value) in assigns {
                    let variable = program.variable(procedure, written.variable());
                    let index = match written {
                        recurva_model::Place::Scalar(_) => None,
                        recurva_model::Place::Element(_, index) => {
                            let ty = index.type_with(|it| program.variable(procedure, it).ty);
                            let index = self.defined(place, index, &mut conditions);
                            let len = variable.slots() as u64;
                            conditions.push(self.in_range(ty, index, len));
                            Some((ty, index))
                        }
                    };
                    let value = self.defined(place, value, &mut conditions);
                    writes.push((written.variable(), variable, index, value));
                }
                let mut store = now.clone();
                for (written, variable, index, value) in writes {
                    let held = match index {
                        None => Held::Scalar(value),
                        Some(index) => {
                            self.with_element(variable, store.get(written), index, value)
                        }
                    };
                    store.set(written, held);
                }
                if let Some(constraint) = constraint {
                    let next = Some(&store);
                    let holds = self.defined(Scope { next, ..place }, constraint, &mut conditions);
                    conditions.push(holds);
                }
                Step::Internal(Internal {
                    condition: self.terms.and(&conditions),
                    store,
                })
            }
        }
    }

    /// The value of an expression; that it has one is another condition.
    fn defined(&mut self, place: Scope<'_>, expr: &Expr, conditions: &mut Vec<Term>) -> Term {
        let encoded = self.expression(place, expr);
        conditions.push(encoded.is_defined);
        encoded.value
    }

    /// The callee's values at its entry: what it was given, and anything in its other locals.
    pub fn entered(&mut self, program: &Program, call: &Call, now: &Store) -> Store {
        let callee = program.procedure(call.callee);
        let mut locals = call.arguments.clone();
        locals.extend(self.any_values(&callee.locals[callee.parameters..]));
        Store {
            globals: now.globals.clone(),
            locals,
        }
    }

    /// The caller's values after a call that ends with these values of the callee.
    pub fn returned(&mut self, program: &Program, call: &Call, now: &Store, end: &Store) -> Store {
        let callee = program.procedure(call.callee);
        let mut store = Store {
            globals: end.globals.clone(),
            locals: now.locals.clone(),
        };
        for (result, &local) in call.results.iter().zip(&callee.results) {
            if let Some(variable) = *result {
                store.set(variable, end.locals[local as usize].clone());
            }
        }
        store
    }
}
