//! A run, read from a model.

use recurva_encode::{Encoder, Held, Numbers};
use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::{
    Action, Point, ProcId, Type, Variable,
    semantics::{Configuration, Machine},
};
use recurva_smt::{Model, Term, Terms, Value};

use crate::{
    order::Key,
    place::{FrameId, Places},
    unroll::{Setting, Unrolled},
};

/// Follows the run that a model stands for.
pub(crate) struct Reader<'a, 'p> {
    pub(crate) setting: &'a Setting<'p>,
    pub(crate) places: &'a mut Places,
    pub(crate) terms: &'a mut Terms,
    pub(crate) found: &'a Unrolled,
    pub(crate) model: &'a Model,
}

/// An invocation that is running.
struct Open {
    frame: FrameId,
    procedure: ProcId,
    key: Key,
    steps: Vec<Step>,
}

impl Reader<'_, '_> {
    /// The run, if there is one: a model that is none is a fault of whoever made it.
    pub(crate) fn trace(mut self) -> Option<Trace> {
        let program = self.setting.program;
        let machine = Machine::new(program);
        let main = program.main();
        let mut encoder = Encoder::new(self.terms, Numbers::Bits);
        let globals = self.places.globals(&mut encoder, program).to_vec();
        let locals = self
            .places
            .locals(&mut encoder, program, Places::MAIN, (main, 0));
        let locals = locals.to_vec();
        let globals = self.values(program.globals(), &globals);
        let locals = self.values(&program.procedure(main).locals, &locals);
        let mut configuration = machine.start(&globals, &locals).ok()?;
        let mut bodies = Vec::new();
        let mut open = vec![Open {
            frame: Places::MAIN,
            procedure: main,
            key: self
                .setting
                .order(main)
                .start(program.procedure(main).entry),
            steps: Vec::new(),
        }];
        loop {
            let point = configuration.top().point();
            if self.setting.relevant.is_target(point) {
                break;
            }
            if machine.at_exit(&configuration) {
                machine.step_return(&mut configuration).ok()?;
                let done = open.pop()?;
                let step = open.last_mut()?.steps.last_mut()?;
                step.via = Via::Through(BodyId(bodies.len() as u32));
                bodies.push(Body {
                    procedure: done.procedure,
                    steps: done.steps,
                });
                continue;
            }
            self.step(&machine, &mut configuration, &mut open, point)?;
        }
        Some(Trace {
            globals: globals.into(),
            locals: locals.into(),
            bodies,
            stem: open.into_iter().flat_map(|it| it.steps).collect(),
            turn: None,
        })
    }

    fn step(
        &mut self,
        machine: &Machine<'_>,
        configuration: &mut Configuration,
        open: &mut Vec<Open>,
        point: Point,
    ) -> Option<()> {
        let program = self.setting.program;
        let top = open.last_mut()?;
        let place = self.places.place(top.frame, &top.key);
        let found = self.found;
        for &(edge_id, chosen) in found.edges.get(&place)? {
            let edge = program.edge(point.procedure, edge_id);
            if self.model.value(self.terms, chosen) != Some(Value::Bool(true)) {
                continue;
            }
            let mut encoder = Encoder::new(self.terms, Numbers::Bits);
            let types = edge.choices();
            let choices = self
                .places
                .choices(&mut encoder, place, edge_id, &types)
                .to_vec();
            let choices = choices.iter().zip(&types);
            let mut choices: Vec<u64> = choices.map(|(&it, &ty)| self.value(ty, it)).collect();
            let frame = match edge.action {
                Action::Call { callee, .. } => {
                    let frame = self.places.frame(place, edge_id);
                    let procedure = program.procedure(callee);
                    let from = procedure.parameters;
                    let mut encoder = Encoder::new(self.terms, Numbers::Bits);
                    let locals = self
                        .places
                        .locals(&mut encoder, program, frame, (callee, from));
                    let locals = locals.to_vec();
                    choices.extend(self.values(&procedure.locals[from..], &locals));
                    Some((frame, callee))
                }
                Action::Assign { .. } => None,
            };
            if machine.step(configuration, edge_id, &choices).is_err() {
                continue;
            }
            top.key = self.setting.order(point.procedure).next(&top.key, edge.to);
            top.steps.push(Step {
                edge: edge_id,
                choices: choices.into(),
                via: match frame {
                    Some(_) => Via::Into,
                    None => Via::Internal,
                },
            });
            if let Some((frame, procedure)) = frame {
                let entry = program.procedure(procedure).entry;
                open.push(Open {
                    frame,
                    procedure,
                    key: self.setting.order(procedure).start(entry),
                    steps: Vec::new(),
                });
            }
            return Some(());
        }
        None
    }

    fn values(&self, variables: &[Variable], held: &[Held]) -> Vec<u64> {
        let mut values = Vec::new();
        for (variable, held) in variables.iter().zip(held) {
            match held {
                Held::Array(term) => {
                    let Value::Array(array) = self.model.variable(self.terms, *term) else {
                        continue;
                    };
                    let element = |it: usize| variable.ty.wrap(array.get(it as i128) as u64);
                    values.extend((0..variable.slots()).map(element));
                }
                _ => values.extend(held.terms().iter().map(|&it| self.value(variable.ty, it))),
            }
        }
        values
    }

    fn value(&self, ty: Type, term: Term) -> u64 {
        match self.model.variable(self.terms, term) {
            Value::Bool(value) => u64::from(value),
            Value::Bits(bits) => ty.wrap(bits as u64),
            Value::Int(_) | Value::Array(_) => 0,
        }
    }
}
