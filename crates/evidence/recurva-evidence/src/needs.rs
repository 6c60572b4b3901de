//! Which variables a turn depends on: those whose values decide, on the way round, whether a
//! step is possible or a condition holds, directly or through other variables.
//!
//! If they have the same values at the end of a turn as at its start, the same turn can be
//! taken again, and again, whatever the other variables hold. The steps of the turn are
//! followed backwards, from the empty set, until nothing is added at its start.

use recurva_model::{
    Action, Edge, EdgeId, Expr, Guard, Op, Patience, Place, Point, ProcId, Procedure, Program,
    Stop, VarRef,
};
use rustc_hash::FxHashMap;

use crate::{BodyId, Step, Trace, Via};

/// A set of variables in scope, as bits: the globals, then the locals.
type Needs = Box<[u64]>;

/// The variables that a turn which begins in this procedure depends on.
pub(crate) fn needs(
    program: &Program,
    trace: &Trace,
    observed: &[Guard],
    start: ProcId,
    patience: &mut Patience<'_>,
) -> Result<Vec<VarRef>, Stop> {
    let mut analysis = Analysis {
        program,
        trace,
        observed,
        known: FxHashMap::default(),
    };
    let mut at_start = analysis.empty(start);
    loop {
        let before = analysis.before_turn(start, at_start.clone(), patience)?;
        if before == at_start {
            break;
        }
        at_start = before;
    }
    let globals = (0..program.globals().len() as u32).map(VarRef::Global);
    let locals = (0..program.procedure(start).locals.len() as u32).map(VarRef::Local);
    let all = globals.chain(locals);
    let needed = all.filter(|&variable| analysis.contains(&at_start, variable));
    Ok(needed.collect())
}

struct Analysis<'a> {
    program: &'a Program,
    trace: &'a Trace,
    observed: &'a [Guard],
    /// From a body and what is needed at its exit to what is needed at its entry.
    known: FxHashMap<(BodyId, Needs), Needs>,
}

/// A body that is being followed backwards.
struct Open {
    body: BodyId,
    at_exit: Needs,
    /// How many steps are left.
    left: usize,
    now: Needs,
}

impl Analysis<'_> {
    /// What is needed at the start of the turn if this is needed at its end.
    fn before_turn(
        &mut self,
        start: ProcId,
        at_end: Needs,
        patience: &mut Patience<'_>,
    ) -> Result<Needs, Stop> {
        let steps = self.trace.turn_steps();
        let mut procedures = Vec::with_capacity(steps.len());
        let mut procedure = start;
        for step in steps {
            patience.work(1)?;
            procedures.push(procedure);
            if step.via == Via::Into
                && let Some(callee) = callee(self.edge(procedure, step.edge))
            {
                procedure = callee;
            }
        }
        let mut now = at_end;
        for (step, &procedure) in steps.iter().zip(&procedures).rev() {
            patience.step()?;
            now = match step.via {
                Via::Through(body) => {
                    let at_exit = self.at_exit(procedure, step, &now);
                    let at_entry = self.before_body(body, at_exit, patience)?;
                    self.before_call(procedure, step, Some(&now), &at_entry)
                }
                Via::Into => self.before_call(procedure, step, None, &now),
                Via::Internal => self.before_step(procedure, step, &now),
            };
        }
        Ok(now)
    }

    /// What is needed at the entry of a body if this is needed at its exit.
    fn before_body(
        &mut self,
        body: BodyId,
        at_exit: Needs,
        patience: &mut Patience<'_>,
    ) -> Result<Needs, Stop> {
        let mut open = Vec::new();
        let mut result = self.begin(&mut open, body, at_exit);
        while let Some(innermost) = open.last_mut() {
            patience.step()?;
            let Open { body, left, .. } = *innermost;
            let this = &self.trace.bodies[body.index()];
            let procedure = this.procedure;
            // A call whose body has just been followed, or the next step.
            let Some(step) = left.checked_sub(1).map(|index| &this.steps[index]) else {
                if let Some(Open { at_exit, now, .. }) = open.pop() {
                    self.known.insert((body, at_exit), now.clone());
                    result = Some(now);
                }
                continue;
            };
            let now = &innermost.now;
            let before = match (step.via, result.take()) {
                (Via::Through(_), Some(at_entry)) => {
                    self.before_call(procedure, step, Some(now), &at_entry)
                }
                (Via::Through(inner), None) => {
                    let at_exit = self.at_exit(procedure, step, now);
                    result = self.begin(&mut open, inner, at_exit);
                    continue;
                }
                _ => self.before_step(procedure, step, now),
            };
            innermost.now = before;
            innermost.left -= 1;
        }
        Ok(result.unwrap_or_default())
    }

    /// The answer for a body if it is known; else it is begun.
    fn begin(&mut self, open: &mut Vec<Open>, body: BodyId, at_exit: Needs) -> Option<Needs> {
        let key = (body, at_exit);
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let this = &self.trace.bodies[body.index()];
        let exit = Point {
            procedure: this.procedure,
            node: self.program.procedure(this.procedure).exit,
        };
        let mut now = key.1.clone();
        self.add_observed(exit, &mut now);
        open.push(Open {
            body,
            at_exit: key.1,
            left: this.steps.len(),
            now,
        });
        None
    }

    /// What is needed before an internal step.
    fn before_step(&self, procedure: ProcId, step: &Step, after: &Needs) -> Needs {
        let edge = self.edge(procedure, step.edge);
        let mut before = after.clone();
        if let Action::Assign {
            assigns,
            constraint,
        } = &edge.action
        {
            for (place, _) in assigns {
                if let Place::Scalar(variable) = place {
                    self.remove(&mut before, *variable);
                }
            }
            let mut needed_next = after.clone();
            for op in constraint.iter().flat_map(Expr::ops) {
                if let Op::ReadNext(variable) | Op::IndexNext(variable) = *op {
                    self.insert(&mut needed_next, variable);
                    let written = assigns
                        .iter()
                        .any(|(place, _)| *place == Place::Scalar(variable));
                    if !written {
                        self.insert(&mut before, variable);
                    }
                }
            }
            for (place, value) in assigns {
                if let Place::Element(_, index) = place {
                    self.add_reads(index, &mut before);
                }
                if self.contains(&needed_next, place.variable()) || value.can_fault() {
                    self.add_reads(value, &mut before);
                }
            }
            constraint
                .iter()
                .for_each(|constraint| self.add_reads(constraint, &mut before));
        }
        self.add_reads(&edge.guard, &mut before);
        self.add_observed(self.from(procedure, edge), &mut before);
        before
    }

    /// What is needed at a callee's exit if this is needed when the caller goes on.
    fn at_exit(&self, procedure: ProcId, step: &Step, after: &Needs) -> Needs {
        let edge = self.edge(procedure, step.edge);
        let Action::Call {
            callee, results, ..
        } = &edge.action
        else {
            return Needs::default();
        };
        let mut at_exit = self.empty(*callee);
        for global in self.globals() {
            if self.contains(after, global) && !results.contains(&Some(global)) {
                self.insert(&mut at_exit, global);
            }
        }
        for (result, &local) in results.iter().zip(&self.procedure(*callee).results) {
            if result.is_some_and(|variable| self.contains(after, variable)) {
                self.insert(&mut at_exit, VarRef::Local(local));
            }
        }
        at_exit
    }

    /// What is needed before a call if this is needed at the callee's entry and, if the call
    /// returns, `after` when the caller goes on.
    fn before_call(
        &self,
        procedure: ProcId,
        step: &Step,
        after: Option<&Needs>,
        at_entry: &Needs,
    ) -> Needs {
        let edge = self.edge(procedure, step.edge);
        let mut before = self.empty(procedure);
        let Action::Call {
            arguments, results, ..
        } = &edge.action
        else {
            return before;
        };
        for global in self.globals() {
            if self.contains(at_entry, global) {
                self.insert(&mut before, global);
            }
        }
        for (index, argument) in arguments.iter().enumerate() {
            let parameter = VarRef::Local(index as u32);
            if self.contains(at_entry, parameter) || argument.can_fault() {
                self.add_reads(argument, &mut before);
            }
        }
        let locals = (0..self.procedure(procedure).locals.len() as u32).map(VarRef::Local);
        for local in locals {
            let needed = after.is_some_and(|after| self.contains(after, local));
            if needed && !results.contains(&Some(local)) {
                self.insert(&mut before, local);
            }
        }
        self.add_reads(&edge.guard, &mut before);
        self.add_observed(self.from(procedure, edge), &mut before);
        before
    }

    fn add_observed(&self, point: Point, needs: &mut Needs) {
        for guard in self.observed {
            self.add_reads(&guard.at(point), needs);
        }
    }

    fn add_reads(&self, expr: &Expr, needs: &mut Needs) {
        for op in expr.ops() {
            if let Op::Read(variable) | Op::Index(variable) = *op {
                self.insert(needs, variable);
            }
        }
    }

    fn from(&self, procedure: ProcId, edge: &Edge) -> Point {
        Point {
            procedure,
            node: edge.from,
        }
    }

    fn edge(&self, procedure: ProcId, edge: EdgeId) -> &Edge {
        self.program.edge(procedure, edge)
    }

    fn procedure(&self, id: ProcId) -> &Procedure {
        self.program.procedure(id)
    }

    fn globals(&self) -> impl Iterator<Item = VarRef> + use<> {
        (0..self.program.globals().len() as u32).map(VarRef::Global)
    }

    fn empty(&self, procedure: ProcId) -> Needs {
        let variables = self.program.globals().len() + self.procedure(procedure).locals.len();
        vec![0; variables.div_ceil(64)].into()
    }

    fn bit(&self, variable: VarRef) -> (usize, u64) {
        let index = match variable {
            VarRef::Global(index) => index as usize,
            VarRef::Local(index) => self.program.globals().len() + index as usize,
        };
        (index / 64, 1 << (index % 64))
    }

    fn contains(&self, needs: &Needs, variable: VarRef) -> bool {
        let (word, bit) = self.bit(variable);
        needs[word] & bit != 0
    }

    fn insert(&self, needs: &mut Needs, variable: VarRef) {
        let (word, bit) = self.bit(variable);
        needs[word] |= bit;
    }

    fn remove(&self, needs: &mut Needs, variable: VarRef) {
        let (word, bit) = self.bit(variable);
        needs[word] &= !bit;
    }
}

fn callee(edge: &Edge) -> Option<ProcId> {
    match edge.action {
        Action::Call { callee, .. } => Some(callee),
        Action::Assign { .. } => None,
    }
}
