//! What nobody has to say: what a procedure does not change stays as it was, and variables have their
//! initial values when the program begins.
//!
//! All of it may be wrong, and is left out then.

use std::collections::{BTreeMap, BTreeSet};

use recurva_certificate::{Builder, Formula, formula::When};
use recurva_model::{Action, Expr, NodeId, Op, Place, Point, ProcId, Program, Type, VarRef};

/// Elements of longer arrays are not told.
const ELEMENTS: u32 = 8;

/// What each procedure may change, itself or by calls.
#[derive(Debug)]
pub(super) struct Changes {
    globals: Vec<BTreeSet<u32>>,
    locals: Vec<BTreeSet<u32>>,
}

impl Changes {
    pub(super) fn new(program: &Program) -> Self {
        let count = program.procedures().len();
        let mut changes = Changes {
            globals: vec![BTreeSet::new(); count],
            locals: vec![BTreeSet::new(); count],
        };
        let mut callers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
        for (number, procedure) in program.procedures().iter().enumerate() {
            for edge in &procedure.edges {
                let written: Vec<VarRef> = match &edge.action {
                    Action::Assign { assigns, .. } => {
                        assigns.iter().map(|(place, _)| place.variable()).collect()
                    }
                    Action::Call {
                        callee, results, ..
                    } => {
                        callers[callee.index()].insert(number);
                        results.iter().flatten().copied().collect()
                    }
                };
                for variable in written {
                    match variable {
                        VarRef::Global(it) => changes.globals[number].insert(it),
                        VarRef::Local(it) => changes.locals[number].insert(it),
                    };
                }
            }
        }
        let mut open: Vec<usize> = (0..count).collect();
        while let Some(callee) = open.pop() {
            for &caller in &callers[callee] {
                let known = changes.globals[caller].len();
                let more = changes.globals[callee].clone();
                changes.globals[caller].extend(more);
                if changes.globals[caller].len() > known {
                    open.push(caller);
                }
            }
        }
        changes
    }

    /// That what a procedure does not change is as it was when it was entered.
    pub(super) fn frame(&self, program: &Program, procedure: ProcId) -> Vec<Formula> {
        let declared = program.procedure(procedure);
        let globals = (0..).zip(program.globals());
        let globals = globals.filter(|(it, _)| !self.globals[procedure.index()].contains(it));
        let globals = globals.map(|(it, variable)| (VarRef::Global(it), variable.len));
        let parameters = (0..).zip(declared.locals.iter().take(declared.parameters));
        let parameters = parameters.filter(|(it, _)| !self.locals[procedure.index()].contains(it));
        let parameters = parameters.map(|(it, variable)| (VarRef::Local(it), variable.len));
        let mut found = Vec::new();
        for (variable, len) in globals.chain(parameters) {
            let mut builder = Builder::default();
            match len {
                None => {
                    let now = builder.variable(variable, When::Now);
                    let entry = builder.variable(variable, When::Entry);
                    let same = builder.equal(now, entry);
                    found.push(builder.finish(same));
                }
                Some(len @ 0..=ELEMENTS) => {
                    for index in 0..len {
                        let index = builder.int(index.into());
                        let now = builder.element(variable, When::Now, index);
                        let entry = builder.element(variable, When::Entry, index);
                        let same = builder.equal(now, entry);
                        found.push(builder.finish(same));
                    }
                }
                Some(_) => {}
            }
        }
        found
    }
}

/// For the entries of the procedures that the first one calls: the values that it gives to globals.
pub(super) fn initial(program: &Program) -> BTreeMap<Point, Vec<Formula>> {
    let start = program.procedure(program.main());
    let mut called = BTreeSet::new();
    // By the global and the index in it: the value, unless there is more than one.
    let mut values = BTreeMap::<(u32, Option<u64>), Option<_>>::new();
    for edge in &start.edges {
        match &edge.action {
            Action::Call { callee, .. } => drop(called.insert(*callee)),
            Action::Assign { assigns, .. } => {
                for (place, value) in assigns {
                    let VarRef::Global(global) = place.variable() else {
                        continue;
                    };
                    let index = match place {
                        Place::Scalar(_) => None,
                        Place::Element(_, index) => constant(index).map(|(it, _)| it),
                    };
                    let is_new = !values.contains_key(&(global, index));
                    let value = constant(value).filter(|_| is_new);
                    values.insert((global, index), value);
                }
            }
        }
    }
    let mut formulas = Vec::new();
    for ((global, index), value) in values {
        let variable = &program.globals()[global as usize];
        let is_small = variable.len.is_none_or(|len| len <= ELEMENTS);
        let (Some((value, ty)), true) = (value, is_small) else {
            continue;
        };
        let mut builder = Builder::default();
        let variable = VarRef::Global(global);
        let now = match index {
            None => builder.variable(variable, When::Now),
            Some(index) => {
                let index = builder.int(index.into());
                builder.element(variable, When::Now, index)
            }
        };
        let value = match ty {
            Type::Bool => builder.bool(value != 0),
            ty => builder.int(ty.to_number(value)),
        };
        let same = builder.equal(now, value);
        formulas.push(builder.finish(same));
    }
    let entry = |procedure: ProcId| -> NodeId { program.procedure(procedure).entry };
    let points = called.into_iter().map(|procedure| Point {
        procedure,
        node: entry(procedure),
    });
    points.map(|point| (point, formulas.clone())).collect()
}

fn constant(expr: &Expr) -> Option<(u64, Type)> {
    match *expr.ops() {
        [Op::Const(value, ty)] => Some((value, ty)),
        _ => None,
    }
}
