//! Which globals a call can depend on or change.
//!
//! A call's footprint is every global read or written in a procedure it may lead to. Two
//! executions of a body that begin with the same locals and the same values in the footprint
//! go the same way and end the same way, whatever the other globals hold.

use recurva_model::{
    Action, Edge, Guard, GuardOp, Monitor, Op, Patience, ProcId, Program, Stop, VarRef,
    semantics::Machine,
};

use crate::Claim;

/// For each procedure, the slots of its footprint in the list of global values.
#[derive(Debug)]
pub(crate) struct Footprints {
    slots: Vec<Box<[u32]>>,
}

impl Footprints {
    /// The footprints of the procedures for which `wanted` holds; the others stay empty.
    /// What a monitor or observer reads is in all of them.
    pub(crate) fn new(
        machine: &Machine<'_>,
        claim: &Claim,
        wanted: &[bool],
        patience: &mut Patience<'_>,
    ) -> Result<Self, Stop> {
        let program = machine.program();
        let sets = if wanted.contains(&true) {
            closure(program, claim, patience)?
        } else {
            Vec::new()
        };
        let slots = wanted.iter().enumerate().map(|(procedure, &wanted)| {
            if wanted {
                slots(machine, &sets[procedure])
            } else {
                Box::default()
            }
        });
        Ok(Footprints {
            slots: slots.collect(),
        })
    }

    /// The slots of a procedure's footprint.
    pub(crate) fn of(&self, procedure: ProcId) -> &[u32] {
        &self.slots[procedure.index()]
    }
}

/// A set of global variables, as bits.
type Globals = Box<[u64]>;

fn insert(set: &mut Globals, variable: VarRef) {
    if let VarRef::Global(index) = variable {
        set[index as usize / 64] |= 1 << (index % 64);
    }
}

fn slots(machine: &Machine<'_>, set: &Globals) -> Box<[u32]> {
    let program = machine.program();
    let mut slots = Vec::new();
    for (index, variable) in program.globals().iter().enumerate() {
        if set[index / 64] >> (index % 64) & 1 != 0 {
            let start = machine.slot(program.main(), VarRef::Global(index as u32));
            slots.extend((start..start + variable.slots()).map(|slot| slot as u32));
        }
    }
    slots.into()
}

/// Each procedure's own globals, then those of all it may call: callers are visited again
/// whenever a callee's set has grown.
fn closure(
    program: &Program,
    claim: &Claim,
    patience: &mut Patience<'_>,
) -> Result<Vec<Globals>, Stop> {
    let mut observed: Globals = vec![0; program.globals().len().div_ceil(64)].into();
    let edges = claim.monitor().into_iter().flat_map(Monitor::edges);
    let guards = edges.map(|edge| &edge.guard).chain(claim.observed());
    for op in guards.flat_map(Guard::ops) {
        if let GuardOp::Plain(op) = op {
            insert_op(&mut observed, op);
        }
    }
    let mut sets = vec![observed; program.procedures().len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); sets.len()];
    for (index, procedure) in program.procedures().iter().enumerate() {
        for edge in &procedure.edges {
            patience.work(16)?;
            insert_edge(&mut sets[index], edge);
            if let Action::Call { callee, .. } = edge.action {
                callers[callee.index()].push(index);
            }
        }
    }
    let mut queued = vec![true; sets.len()];
    let mut queue: Vec<usize> = (0..sets.len()).collect();
    while let Some(callee) = queue.pop() {
        queued[callee] = false;
        let set = sets[callee].clone();
        for &caller in &callers[callee] {
            patience.work(1 + set.len() as u64)?;
            let mut grown = false;
            for (word, &more) in sets[caller].iter_mut().zip(&set) {
                grown |= more & !*word != 0;
                *word |= more;
            }
            if grown && !std::mem::replace(&mut queued[caller], true) {
                queue.push(caller);
            }
        }
    }
    Ok(sets)
}

fn insert_edge(set: &mut Globals, edge: &Edge) {
    for op in edge.expressions().flat_map(recurva_model::Expr::ops) {
        insert_op(set, op);
    }
    match &edge.action {
        Action::Assign { assigns, .. } => {
            assigns
                .iter()
                .for_each(|(place, _)| insert(set, place.variable()));
        }
        Action::Call { results, .. } => {
            results
                .iter()
                .flatten()
                .for_each(|&variable| insert(set, variable));
        }
    }
}

fn insert_op(set: &mut Globals, op: &Op) {
    match *op {
        Op::Read(variable)
        | Op::ReadNext(variable)
        | Op::Index(variable)
        | Op::IndexNext(variable) => insert(set, variable),
        Op::Const(..)
        | Op::Any(..)
        | Op::Unary(..)
        | Op::Binary(..)
        | Op::Convert(..)
        | Op::Faults
        | Op::Undefined(_)
        | Op::UndefinedElement(_) => {}
    }
}
