//! Values of variables as text.

use recurva_model::{
    ProcId, Procedure, Program, VarRef, Variable,
    semantics::{Configuration, Frame, Machine},
};

/// Arrays of more elements are cut.
const ELEMENTS: usize = 32;

/// The values in scope at one moment.
#[derive(Clone, Debug)]
pub struct Snapshot {
    globals: Box<[u64]>,
    locals: Box<[u64]>,
    procedure: ProcId,
    depth: usize,
}

impl Snapshot {
    /// The values in scope in the running frame.
    pub fn of(configuration: &Configuration) -> Self {
        Snapshot::of_frame(configuration, configuration.stack.len() - 1)
    }

    /// The values in scope in the frame that called the running one; of the running frame if
    /// nobody did.
    pub(crate) fn of_caller(configuration: &Configuration) -> Self {
        Snapshot::of_frame(configuration, configuration.stack.len().saturating_sub(2))
    }

    fn of_frame(configuration: &Configuration, index: usize) -> Self {
        let frame = &configuration.stack[index];
        Snapshot {
            globals: configuration.globals.clone(),
            locals: frame.locals.clone(),
            procedure: frame.procedure,
            depth: index,
        }
    }

    /// What is different now, as `x=4`: globals, and locals if the frame is still the same.
    pub fn changes(&self, machine: &Machine<'_>, now: &Configuration) -> Vec<String> {
        let program = machine.program();
        let mut out = Vec::new();
        for (index, variable) in program.globals().iter().enumerate() {
            let slot = machine.slot(self.procedure, VarRef::Global(index as u32));
            push_changes(
                &mut out,
                variable,
                &self.globals[slot..],
                &now.globals[slot..],
            );
        }
        let frame = now.top();
        if now.stack.len() - 1 == self.depth && frame.procedure == self.procedure {
            for (index, variable) in program.procedure(self.procedure).locals.iter().enumerate() {
                let slot = machine.slot(self.procedure, VarRef::Local(index as u32));
                push_changes(
                    &mut out,
                    variable,
                    &self.locals[slot..],
                    &frame.locals[slot..],
                );
            }
        }
        out
    }
}

fn push_changes(out: &mut Vec<String>, variable: &Variable, before: &[u64], now: &[u64]) {
    if variable.hidden {
        return;
    }
    for element in 0..variable.slots() {
        if before[element] != now[element] {
            let value = variable.ty.show(now[element]);
            out.push(match variable.len {
                None => format!("{}={value}", variable.name),
                Some(_) => format!("{}[{element}]={value}", variable.name),
            });
        }
    }
}

/// The globals' values, hidden ones left out.
pub(crate) fn globals(machine: &Machine<'_>, configuration: &Configuration) -> Vec<String> {
    let program = machine.program();
    let slot = |index| machine.slot(program.main(), VarRef::Global(index));
    shown(program.globals(), slot, &configuration.globals).collect()
}

/// The locals' values in a frame, hidden ones left out.
pub(crate) fn locals(machine: &Machine<'_>, frame: &Frame) -> Vec<String> {
    let variables = &machine.program().procedure(frame.procedure).locals;
    let slot = |index| machine.slot(frame.procedure, VarRef::Local(index));
    shown(variables, slot, &frame.locals).collect()
}

/// An invocation: `f(x=3, b=T)`.
pub fn invocation(machine: &Machine<'_>, frame: &Frame) -> String {
    let procedure = machine.program().procedure(frame.procedure);
    let slot = |index| machine.slot(frame.procedure, VarRef::Local(index));
    let parameters = &procedure.locals[..procedure.parameters];
    let values: Vec<String> = shown(parameters, slot, &frame.locals).collect();
    format!("{}({})", procedure.name, values.join(", "))
}

/// The results of an invocation that is at its exit: `4, T`.
pub fn results(machine: &Machine<'_>, frame: &Frame) -> String {
    let procedure = machine.program().procedure(frame.procedure);
    let values = procedure.results.iter().map(|&local| {
        let slot = machine.slot(frame.procedure, VarRef::Local(local));
        procedure.locals[local as usize].ty.show(frame.locals[slot])
    });
    values.collect::<Vec<_>>().join(", ")
}

/// The results of a call that has returned, as far as the caller kept them: `4, T`. A result
/// that was dropped is `_`.
pub fn kept_results(
    machine: &Machine<'_>,
    results: &[Option<VarRef>],
    now: &Configuration,
) -> String {
    let frame = now.top();
    let program: &Program = machine.program();
    let values = results.iter().map(|result| match *result {
        None => "_".to_owned(),
        Some(variable) => {
            let slot = machine.slot(frame.procedure, variable);
            let value = match variable {
                VarRef::Global(_) => now.globals[slot],
                VarRef::Local(_) => frame.locals[slot],
            };
            program.variable(frame.procedure, variable).ty.show(value)
        }
    });
    values.collect::<Vec<_>>().join(", ")
}

fn shown(
    variables: &[Variable],
    slot: impl Fn(u32) -> usize,
    values: &[u64],
) -> impl Iterator<Item = String> {
    let all = variables.iter().enumerate();
    all.filter(|(_, variable)| !variable.hidden)
        .map(move |(index, variable)| {
            let start = slot(index as u32);
            let value = match variable.len {
                None => variable.ty.show(values[start]),
                Some(_) => {
                    let count = variable.slots();
                    let elements = values[start..start + count.min(ELEMENTS)].iter();
                    let mut list: Vec<_> = elements.map(|&value| variable.ty.show(value)).collect();
                    if count > ELEMENTS {
                        list.push(format!("… {} more", count - ELEMENTS));
                    }
                    format!("[{}]", list.join(", "))
                }
            };
            format!("{}={value}", variable.name)
        })
}

/// Whether a procedure says anything when it returns.
pub(crate) fn has_results(procedure: &Procedure) -> bool {
    !procedure.results.is_empty()
}
