//! States of small programs, all of them, by the definition of what a step is.

use recurva_certificate::formula::{Values, When};
use recurva_model::{
    Action, EdgeId, Point, ProcId, Program, Type, VarRef,
    semantics::{Configuration, Frame, Machine},
};
use recurva_testkit::values;

/// The values of globals, and of locals or parameters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Data {
    pub(crate) globals: Vec<u64>,
    pub(crate) locals: Vec<u64>,
}

/// What a formula is about: the values when the procedure was entered and now.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct State {
    pub(crate) entry: Data,
    pub(crate) now: Data,
}

/// A program and its steps.
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) machine: Machine<'p>,
}

/// What an edge does in a state.
pub(crate) enum Moved {
    /// The values after it.
    Step(Data),
    /// The values when the callee is entered.
    Call(ProcId, Data),
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program) -> Self {
        World {
            program,
            machine: Machine::new(program),
        }
    }

    /// All values of the globals and of some locals.
    fn all(&self, locals: &[Type]) -> Vec<Data> {
        let globals = self.machine.global_types();
        let types = [globals, locals].concat();
        let split = |all: Vec<u64>| Data {
            globals: all[..globals.len()].to_vec(),
            locals: all[globals.len()..].to_vec(),
        };
        values::all(&types).map(split).collect()
    }

    /// All values that there can be in a procedure.
    pub(crate) fn all_now(&self, procedure: ProcId) -> Vec<Data> {
        self.all(self.machine.local_types(procedure))
    }

    /// All values that it can be entered with.
    pub(crate) fn all_entry(&self, procedure: ProcId) -> Vec<Data> {
        let parameters = self.program.procedure(procedure).parameters;
        self.all(&self.machine.local_types(procedure)[..parameters])
    }

    /// The state of a procedure that was entered just now.
    pub(crate) fn entered(&self, procedure: ProcId, now: Data) -> State {
        let parameters = self.program.procedure(procedure).parameters;
        let entry = Data {
            globals: now.globals.clone(),
            locals: now.locals[..parameters].to_vec(),
        };
        State { entry, now }
    }

    pub(crate) fn entry(&self, procedure: ProcId) -> Point {
        let node = self.program.procedure(procedure).entry;
        Point { procedure, node }
    }

    pub(crate) fn exit(&self, procedure: ProcId) -> Point {
        let node = self.program.procedure(procedure).exit;
        Point { procedure, node }
    }

    pub(crate) fn calls(&self, procedure: ProcId, edge: EdgeId) -> Option<ProcId> {
        match self.program.edge(procedure, edge).action {
            Action::Call { callee, .. } => Some(callee),
            Action::Assign { .. } => None,
        }
    }

    fn frame(at: Point, locals: &[u64], pending: Option<EdgeId>) -> Frame {
        Frame {
            procedure: at.procedure,
            node: at.node,
            pending,
            locals: locals.into(),
        }
    }

    /// All that an edge can do.
    pub(crate) fn moves(&self, at: Point, edge: EdgeId, now: &Data) -> Vec<Moved> {
        let mut found = Vec::new();
        for choices in values::all(&self.machine.choices(at.procedure, edge)) {
            let mut next = Configuration {
                globals: now.globals.clone().into(),
                stack: vec![Self::frame(at, &now.locals, None)],
            };
            if self.machine.step(&mut next, edge, &choices).is_err() {
                continue;
            }
            let top = next.top();
            let data = Data {
                globals: next.globals.to_vec(),
                locals: top.locals.to_vec(),
            };
            found.push(match next.stack.len() {
                1 => Moved::Step(data),
                _ => Moved::Call(top.procedure, data),
            });
        }
        found
    }

    /// The values in the caller when a callee that ends with these has returned.
    pub(crate) fn returned(&self, at: Point, edge: EdgeId, now: &Data, end: &Data) -> Data {
        let callee = self.calls(at.procedure, edge).expect("a call");
        let exit = self.exit(callee);
        let mut next = Configuration {
            globals: end.globals.clone().into(),
            stack: vec![
                Self::frame(at, &now.locals, Some(edge)),
                Self::frame(exit, &end.locals, None),
            ],
        };
        self.machine.step_return(&mut next).expect("at its exit");
        Data {
            globals: next.globals.to_vec(),
            locals: next.top().locals.to_vec(),
        }
    }

    /// A state as values of a formula's variables.
    pub(crate) fn reading<'s>(&'s self, procedure: ProcId, state: &'s State) -> Readable<'s> {
        Readable {
            world: self,
            procedure,
            state,
        }
    }
}

pub(crate) struct Readable<'s> {
    world: &'s World<'s>,
    procedure: ProcId,
    state: &'s State,
}

impl Values for Readable<'_> {
    fn value(&self, variable: VarRef, when: When, element: u64) -> Option<i128> {
        let declared = self.world.program.variable(self.procedure, variable);
        if element >= declared.slots() as u64 {
            return None;
        }
        let slot = self.world.machine.slot(self.procedure, variable) + element as usize;
        let data = match when {
            When::Entry => &self.state.entry,
            When::Now => &self.state.now,
        };
        let value = match variable {
            VarRef::Global(_) => data.globals[slot],
            VarRef::Local(_) => data.locals[slot],
        };
        Some(declared.ty.to_number(value))
    }

    fn is_bool(&self, variable: VarRef) -> bool {
        self.world.program.variable(self.procedure, variable).ty == Type::Bool
    }
}
