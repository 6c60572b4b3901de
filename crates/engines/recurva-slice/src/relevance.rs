//! Which variables matter: those that decide whether a step is possible or a condition is
//! observed to hold, and those that flow into one that matters.
//!
//! The order of statements is not looked at, and an array is taken as a whole: the search
//! forgets dead values by itself, the slice drops variables that are dead everywhere.

use recurva_model::{
    Action, Edge, Expr, Guard, GuardOp, Op, Patience, Place, ProcId, Program, Stop, VarRef,
};

use crate::numbers::Numbers;

/// A set of variables that grows until it is closed.
pub(crate) struct Relevance<'a> {
    program: &'a Program,
    numbers: &'a Numbers,
    relevant: Vec<bool>,
    work: Vec<usize>,
    /// For each variable, those whose values flow into it.
    sources: Vec<Vec<u32>>,
}

impl<'a> Relevance<'a> {
    pub(crate) fn new(program: &'a Program, numbers: &'a Numbers) -> Self {
        Relevance {
            program,
            numbers,
            relevant: vec![false; numbers.variables()],
            work: Vec::new(),
            sources: vec![Vec::new(); numbers.variables()],
        }
    }

    /// A condition is observed.
    pub(crate) fn observe(&mut self, guard: &Guard) {
        for op in guard.ops() {
            match *op {
                GuardOp::Plain(Op::Read(variable) | Op::Index(variable)) => {
                    self.need(self.program.main(), variable);
                }
                GuardOp::Local(procedure, local, _) | GuardOp::LocalIndex(procedure, local, _) => {
                    self.need(procedure, VarRef::Local(local));
                }
                GuardOp::Plain(_) | GuardOp::At(_) | GuardOp::In(_) => {}
            }
        }
    }

    /// An edge can be taken. Whatever can block it matters.
    pub(crate) fn add(&mut self, procedure: ProcId, edge: &Edge) {
        self.need_all(procedure, &edge.guard);
        match &edge.action {
            Action::Assign {
                assigns,
                constraint,
            } => {
                for (place, value) in assigns {
                    let target = self.numbers.variable(procedure, place.variable());
                    self.flow(procedure, target, value);
                    if let Place::Element(_, index) = place {
                        self.need_all(procedure, index);
                    }
                }
                if let Some(constraint) = constraint {
                    self.need_all(procedure, constraint);
                }
            }
            Action::Call {
                callee,
                arguments,
                results,
            } => {
                for (index, argument) in arguments.iter().enumerate() {
                    let parameter = VarRef::Local(index as u32);
                    let target = self.numbers.variable(*callee, parameter);
                    self.flow(procedure, target, argument);
                }
                let from = &self.program.procedure(*callee).results;
                for (result, &local) in results.iter().zip(from) {
                    if let Some(target) = *result {
                        let source = self.numbers.variable(*callee, VarRef::Local(local));
                        let target = self.numbers.variable(procedure, target);
                        self.sources[target].push(source as u32);
                    }
                }
            }
        }
    }

    /// The variables that matter, by number.
    pub(crate) fn close(mut self, patience: &mut Patience<'_>) -> Result<Vec<bool>, Stop> {
        while let Some(variable) = self.work.pop() {
            for source in std::mem::take(&mut self.sources[variable]) {
                patience.work(1)?;
                self.mark(source as usize);
            }
        }
        Ok(self.relevant)
    }

    /// A value is written to a variable. If computing it can fault, it matters by itself.
    fn flow(&mut self, procedure: ProcId, target: usize, value: &Expr) {
        if value.can_fault() {
            self.need_all(procedure, value);
            return;
        }
        for variable in variables(value) {
            let source = self.numbers.variable(procedure, variable);
            self.sources[target].push(source as u32);
        }
    }

    fn need_all(&mut self, procedure: ProcId, expr: &Expr) {
        variables(expr).for_each(|variable| self.need(procedure, variable));
    }

    fn need(&mut self, procedure: ProcId, variable: VarRef) {
        self.mark(self.numbers.variable(procedure, variable));
    }

    fn mark(&mut self, variable: usize) {
        if !std::mem::replace(&mut self.relevant[variable], true) {
            self.work.push(variable);
        }
    }
}

/// The variables in an expression, before and after the step.
fn variables(expr: &Expr) -> impl Iterator<Item = VarRef> {
    expr.ops().iter().filter_map(|op| match *op {
        Op::Read(v) | Op::ReadNext(v) | Op::Index(v) | Op::IndexNext(v) => Some(v),
        _ => None,
    })
}
