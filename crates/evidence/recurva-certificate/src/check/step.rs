//! Edges: what has to be true so that they can be taken, and the values then.

use recurva_model::{Action, Edge, Expr, Place as Written, ProcId, Program, Type, VarRef};
use recurva_smt::{Term, Terms};

use super::{
    expression::{Evaluated, Place, evaluate},
    meaning::State,
    values::{Cells, Index, Values, all_any, any, sort},
};

/// An edge that is about to be taken: what is evaluated adds to the facts.
pub(super) struct Step<'a> {
    pub(super) terms: &'a mut Terms,
    pub(super) program: &'a Program,
    pub(super) procedure: ProcId,
    pub(super) facts: &'a mut Vec<Term>,
    choices: Vec<(Term, Type)>,
}

impl<'a> Step<'a> {
    /// A step along an edge: its choices may be anything.
    pub(super) fn new(
        terms: &'a mut Terms,
        program: &'a Program,
        procedure: ProcId,
        edge: &Edge,
        facts: &'a mut Vec<Term>,
    ) -> Self {
        let types = edge.choices().into_iter();
        let choices = types.map(|ty| (terms.fresh("choice", sort(ty)), ty));
        Step {
            choices: choices.collect(),
            terms,
            program,
            procedure,
            facts,
        }
    }

    /// The value of an expression, which does not fault.
    fn value(&mut self, expr: &Expr, now: &Values, next: &Values) -> Option<Evaluated> {
        let place = Place {
            program: self.program,
            procedure: self.procedure,
            now,
            next,
            choices: &self.choices,
        };
        let evaluated = evaluate(self.terms, expr, &place)?;
        self.facts.push(self.terms.not(evaluated.fault));
        Some(evaluated)
    }

    /// The guard holds.
    pub(super) fn guard(&mut self, edge: &Edge, now: &Values) -> Option<()> {
        let guard = self.value(&edge.guard, now, now)?;
        self.facts.push(guard.value);
        Some(())
    }

    /// The values after an edge that is no call.
    pub(super) fn assignment(&mut self, edge: &Edge, now: &Values) -> Option<Values> {
        self.guard(edge, now)?;
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => self.assign(assigns, constraint.as_ref(), now),
            Action::Call { .. } => None,
        }
    }

    fn assign(
        &mut self,
        assigns: &[(Written, Expr)],
        constraint: Option<&Expr>,
        now: &Values,
    ) -> Option<Values> {
        let mut writes: Vec<(VarRef, Option<Index>, Term)> = Vec::with_capacity(assigns.len());
        for (place, value) in assigns {
            let index = match place {
                Written::Scalar(_) => None,
                Written::Element(array, index) => {
                    let len = self.program.variable(self.procedure, *array).len?;
                    let (bits, width) = self.value(index, now, now)?.bits(self.terms);
                    let index = Index::new(self.terms, bits, width, len);
                    self.facts.push(index.is_there);
                    Some(index)
                }
            };
            let value = self.value(value, now, now)?.value;
            writes.push((place.variable(), index, value));
        }
        // From left to right.
        let mut next = now.clone();
        for (variable, index, value) in writes {
            let cells = match index {
                None => Cells::One(value),
                Some(index) => {
                    let cells = next.get(variable)?.clone();
                    cells.with_element(self.terms, &index, value)
                }
            };
            next.set(variable, cells);
        }
        if let Some(constraint) = constraint {
            let constraint = self.value(constraint, now, &next)?;
            self.facts.push(constraint.value);
        }
        Some(next)
    }

    /// The state at a callee's entry.
    pub(super) fn enter(&mut self, call: Call<'_>, now: &Values) -> Option<State> {
        let mut locals: Vec<Cells> = Vec::new();
        for argument in call.arguments {
            locals.push(Cells::One(self.value(argument, now, now)?.value));
        }
        let entry = Values {
            globals: now.globals.clone(),
            locals: locals.clone().into(),
        };
        let others = self.program.procedure(call.callee).locals.iter();
        for other in others.skip(locals.len()) {
            locals.push(any(self.terms, other));
        }
        let now = Values {
            locals: locals.into(),
            ..entry.clone()
        };
        Some(State { entry, now })
    }

    /// A state at a callee's exit: only what was when it was entered is known.
    pub(super) fn exit(&mut self, callee: ProcId, entered: &State) -> State {
        let procedure = self.program.procedure(callee);
        State {
            entry: entered.entry.clone(),
            now: Values {
                globals: all_any(self.terms, self.program.globals()).into(),
                locals: all_any(self.terms, &procedure.locals).into(),
            },
        }
    }

    /// The values in the caller when the callee has returned.
    pub(super) fn returned(&self, call: Call<'_>, before: &Values, exit: &State) -> Option<Values> {
        let mut after = Values {
            globals: exit.now.globals.clone(),
            locals: before.locals.clone(),
        };
        let results = &self.program.procedure(call.callee).results;
        for (result, &local) in call.results.iter().zip(results) {
            if let Some(variable) = *result {
                let value = exit.now.get(VarRef::Local(local))?.clone();
                after.set(variable, value);
            }
        }
        Some(after)
    }
}

/// The state at a node of which only a formula is known, and at an entry that the two moments are one.
pub(super) fn any_state(terms: &mut Terms, program: &Program, procedure: ProcId, at: At) -> State {
    let declared = program.procedure(procedure);
    let now = Values {
        globals: all_any(terms, program.globals()).into(),
        locals: all_any(terms, &declared.locals).into(),
    };
    let parameters = declared.parameters;
    let entry = match at {
        At::Entry => Values {
            globals: now.globals.clone(),
            locals: now.locals[..parameters].into(),
        },
        At::Later => Values {
            globals: all_any(terms, program.globals()).into(),
            locals: all_any(terms, &declared.locals[..parameters]).into(),
        },
    };
    State { entry, now }
}

/// Where a state is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    Entry,
    Later,
}

/// A call that an edge makes.
#[derive(Clone, Copy)]
pub(super) struct Call<'e> {
    pub(super) callee: ProcId,
    pub(super) arguments: &'e [Expr],
    pub(super) results: &'e [Option<VarRef>],
}

impl<'e> Call<'e> {
    /// The call of an edge, if it makes one.
    pub(super) fn of(edge: &'e Edge) -> Option<Self> {
        match &edge.action {
            Action::Call {
                callee,
                arguments,
                results,
            } => Some(Call {
                callee: *callee,
                arguments,
                results,
            }),
            Action::Assign { .. } => None,
        }
    }
}
