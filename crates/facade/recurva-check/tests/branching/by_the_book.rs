//! The nested state machine of a program by nothing but its step semantics: all values are
//! enumerated, nothing is forgotten, and every exit is taken to return to every call of its
//! procedure; what does not belong together is never reached.

use std::collections::HashMap;

use recurva_check::branching::{Meaning, Ntmu};
use recurva_model::{
    Action, EdgeId, Nsm, Point, ProcId, Program,
    nsm::{Kind, NsmBuilder, StateId},
    semantics::{Configuration, Frame, Machine},
};
use recurva_testkit::values;

/// More states than this are too many.
const MOST: usize = 3_000;

/// A state without a stack: a configuration with one frame.
type Plain = Configuration;

/// What a state can do: steps, and calls with the states in which callees begin.
#[derive(Default)]
struct Doing {
    steps: Vec<Plain>,
    calls: Vec<(EdgeId, Vec<Plain>)>,
}

struct Book<'p> {
    machine: Machine<'p>,
    program: &'p Program,
    property: &'p Ntmu,
    builder: NsmBuilder,
    /// The states of the machine: by configuration, kind, and call if it is one.
    numbers: HashMap<(Plain, Kind, Option<EdgeId>), StateId>,
    waiting: Vec<(Plain, Kind, Option<EdgeId>)>,
    exits: Vec<(StateId, Plain)>,
    calls: Vec<(StateId, Plain, EdgeId, ProcId)>,
}

/// The machines of a program, one for each way to begin; `None` if they are too large.
pub(crate) fn machines(program: &Program, property: &Ntmu) -> Option<Vec<Nsm>> {
    let machine = Machine::new(program);
    let main = program.main();
    let (globals, locals) = (
        machine.global_types().to_vec(),
        machine.local_types(main).to_vec(),
    );
    if values::count(&globals)?.checked_mul(values::count(&locals)?)? > 64 {
        return None;
    }
    let mut machines = Vec::new();
    for first in values::all(&globals) {
        for second in values::all(&locals) {
            let start = machine
                .start(&first, &second)
                .expect("values of the right types");
            machines.push(of(program, property, start)?);
        }
    }
    Some(machines)
}

fn of(program: &Program, property: &Ntmu, start: Plain) -> Option<Nsm> {
    let mut book = Book {
        machine: Machine::new(program),
        program,
        property,
        builder: NsmBuilder::default(),
        numbers: HashMap::new(),
        waiting: Vec::new(),
        exits: Vec::new(),
        calls: Vec::new(),
    };
    let init = book.arrive(start)?;
    while let Some((state, kind, call)) = book.waiting.pop() {
        book.expand(&state, kind, call)?;
    }
    Some(book.builder.finish(init).expect("it fits"))
}

impl Book<'_> {
    fn doing(&self, state: &Plain) -> Option<Doing> {
        let mut doing = Doing::default();
        let point = state.top().point();
        for (id, edge) in self.program.edges_from(point) {
            let types = self.machine.choices(point.procedure, id);
            if values::count(&types)? > 256 {
                return None;
            }
            let mut entries = Vec::new();
            for choices in values::all(&types) {
                let mut next = state.clone();
                if self.machine.step(&mut next, id, &choices).is_err() {
                    continue;
                }
                match edge.action {
                    Action::Assign { .. } => doing.steps.push(next),
                    Action::Call { .. } => {
                        next.stack.remove(0);
                        entries.push(next);
                    }
                }
            }
            if !entries.is_empty() {
                doing.calls.push((id, entries));
            }
        }
        Some(doing)
    }

    /// The state that is reached otherwise than by a return.
    fn arrive(&mut self, state: Plain) -> Option<StateId> {
        let doing = self.doing(&state)?;
        match (&doing.steps[..], &doing.calls[..]) {
            ([], &[(edge, _)]) => self.number(state, Kind::Call, Some(edge)),
            _ => self.number(state, Kind::Local, None),
        }
    }

    fn number(&mut self, state: Plain, kind: Kind, call: Option<EdgeId>) -> Option<StateId> {
        let key = (state, kind, call);
        if let Some(&known) = self.numbers.get(&key) {
            return Some(known);
        }
        if self.numbers.len() > MOST {
            return None;
        }
        let doing = self.doing(&key.0)?;
        let stuck = doing.steps.is_empty() && doing.calls.is_empty();
        let propositions = self.propositions(&key.0, call, stuck);
        let propositions: Vec<&str> = propositions.iter().map(|text| &**text).collect();
        let id = self.numbers.len();
        let id = self.builder.state(&id.to_string(), kind, &propositions);
        self.numbers.insert(key.clone(), id);
        self.waiting.push(key);
        Some(id)
    }

    fn propositions(&self, state: &Plain, call: Option<EdgeId>, stuck: bool) -> Vec<Box<str>> {
        let point = state.top().point();
        let callee = call.and_then(|edge| self.callee(point, edge));
        let formulas = self.property.formula.formulas();
        let all = formulas.propositions().iter().zip(&self.property.meanings);
        let holds = all.filter(|(_, meaning)| match meaning {
            Meaning::Condition(guard) => {
                self.machine.observe(state, &guard.at(point)).unwrap_or(0) != 0
            }
            Meaning::Calls(wanted) => callee == Some(*wanted),
            Meaning::Blocked => stuck && self.program.procedure(point.procedure).exit != point.node,
            Meaning::OnStack(_) | Meaning::OfMachine => false,
        });
        // Every proposition is known to the machine, if only at no state.
        holds.map(|((text, _), _)| text.clone()).collect()
    }

    fn callee(&self, point: Point, edge: EdgeId) -> Option<ProcId> {
        match self.program.edge(point.procedure, edge).action {
            Action::Call { callee, .. } => Some(callee),
            Action::Assign { .. } => None,
        }
    }

    fn expand(&mut self, state: &Plain, kind: Kind, call: Option<EdgeId>) -> Option<()> {
        let here = self.numbers[&(state.clone(), kind, call)];
        let doing = self.doing(state)?;
        let point = state.top().point();
        if let Some(edge) = call {
            for (id, entries) in doing.calls {
                for entry in entries.into_iter().filter(|_| id == edge) {
                    let entry = self.arrive(entry)?;
                    self.builder.call(here, entry);
                }
            }
            let callee = self.callee(point, edge)?;
            self.calls.push((here, state.clone(), edge, callee));
            for (exit, from) in self.exits.clone() {
                self.come_back(exit, &from, (here, state, edge, callee))?;
            }
            return Some(());
        }
        for to in doing.steps {
            let to = self.arrive(to)?;
            self.builder.local(here, to);
        }
        for (edge, _) in doing.calls {
            let to = self.number(state.clone(), Kind::Call, Some(edge))?;
            self.builder.local(here, to);
        }
        if self.machine.at_exit(state) {
            self.exits.push((here, state.clone()));
            for (number, caller, edge, callee) in self.calls.clone() {
                self.come_back(here, state, (number, &caller, edge, callee))?;
            }
        }
        Some(())
    }

    fn come_back(
        &mut self,
        exit: StateId,
        from: &Plain,
        (call, caller, edge, callee): (StateId, &Plain, EdgeId, ProcId),
    ) -> Option<()> {
        if from.top().procedure != callee {
            return Some(());
        }
        let waiting = Frame {
            pending: Some(edge),
            ..caller.top().clone()
        };
        let mut both = Configuration {
            globals: from.globals.clone(),
            stack: vec![waiting, from.top().clone()],
        };
        self.machine
            .step_return(&mut both)
            .expect("it is at its exit");
        let to = self.number(both, Kind::Return, None)?;
        self.builder.ret(exit, call, to);
        Some(())
    }
}
