//! Whether an abstract run is one of the program: bit by bit, with a solver.

use std::ops::ControlFlow;

use recurva_encode::{Call, Encoder, Numbers, Store};
use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::{EdgeId, ProcId, Program, Variable};
use recurva_smt::{Answer, Embedded, EmbeddedLimits, Model, Term, Terms, Unknown, Value};

use crate::{
    abstraction::Abstraction,
    block::{Block, block},
    cuts::End,
    run::Move,
};

/// A pending call: the values before it, and the call.
struct Pending {
    store: Store,
    call: Call,
}

/// What happens in a run, in the order of its trace.
enum Event {
    /// Some edges are taken.
    Block(Block),
    /// A call begins, in a callee with these values.
    Enter(ProcId, EdgeId, Store),
    Leave,
}

/// The trace of a run, if there is one.
pub(crate) fn trace(
    abstraction: &Abstraction<'_>,
    moves: &[Move],
    memory: u64,
    ask: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<Option<Trace>, Unknown> {
    let (program, cuts) = (abstraction.program, &abstraction.cuts);
    let mut terms = Terms::default();
    let mut encoder = Encoder::new(&mut terms, Numbers::Bits);
    let start = encoder.any_store(program, program.main());
    let mut now = start.clone();
    let mut stack: Vec<Pending> = Vec::new();
    let mut events = Vec::new();
    let mut conditions = Vec::new();
    for &one in moves {
        match one {
            Move::Step(segment) | Move::Call(segment) => {
                let segment = &cuts.segments[segment.index()];
                let made = block(&mut encoder, program, cuts, segment, &now);
                conditions.push(made.condition);
                now = made.store.clone();
                let call = made.call.clone();
                events.push(Event::Block(made));
                if let (Some(call), End::Call(edge), Move::Call(_)) = (call, segment.end, one) {
                    let entered = encoder.entered(program, &call, &now);
                    events.push(Event::Enter(call.callee, edge, entered.clone()));
                    stack.push(Pending { store: now, call });
                    now = entered;
                }
            }
            Move::Return => {
                if let Some(Pending { store, call }) = stack.pop() {
                    now = encoder.returned(program, &call, &store, &now);
                    events.push(Event::Leave);
                }
            }
        }
    }
    conditions.extend(encoder.take_facts());
    let condition = terms.and(&conditions);
    if condition == terms.falsity() {
        return Ok(None);
    }
    let mut solver = Embedded::new(EmbeddedLimits { memory, time: None });
    solver.assert(&mut terms, condition);
    match solver.check(&mut terms, &[], ask) {
        Answer::Unsatisfiable(_) => Ok(None),
        Answer::Unknown(why) => Err(why),
        Answer::Satisfiable(model) => {
            let found = Found {
                program,
                terms: &terms,
                model: &model,
            };
            Ok(Some(found.trace(&start, &events)))
        }
    }
}

/// A model of a run.
struct Found<'a> {
    program: &'a Program,
    terms: &'a Terms,
    model: &'a Model,
}

impl Found<'_> {
    fn trace(&self, start: &Store, events: &[Event]) -> Trace {
        let main = self.program.procedure(self.program.main());
        let mut bodies: Vec<Body> = Vec::new();
        // The steps of each open invocation, and the call that opened it.
        let mut open: Vec<(Vec<Step>, ProcId, Option<Step>)> =
            vec![(Vec::new(), self.program.main(), None)];
        for event in events {
            match event {
                Event::Block(block) => {
                    if let Some((steps, ..)) = open.last_mut() {
                        steps.extend(self.path(block));
                    }
                }
                Event::Enter(callee, edge, entered) => {
                    let procedure = self.program.procedure(*callee);
                    let Some(last) = open.last_mut().and_then(|it| it.0.pop()) else {
                        continue;
                    };
                    let mut choices = last.choices.into_vec();
                    let parameters = procedure.parameters;
                    for (variable, held) in procedure
                        .locals
                        .iter()
                        .zip(&entered.locals)
                        .skip(parameters)
                    {
                        choices.extend(self.values(variable, held));
                    }
                    let step = Step {
                        edge: *edge,
                        choices: choices.into(),
                        via: Via::Into,
                    };
                    open.push((Vec::new(), *callee, Some(step)));
                }
                Event::Leave => {
                    if let Some((steps, procedure, Some(call))) = open.pop() {
                        let body = BodyId(bodies.len() as u32);
                        bodies.push(Body { procedure, steps });
                        let via = Via::Through(body);
                        if let Some((steps, ..)) = open.last_mut() {
                            steps.push(Step { via, ..call });
                        }
                    }
                }
            }
        }
        let mut stem = Vec::new();
        for (steps, _, call) in open {
            stem.extend(call);
            stem.extend(steps);
        }
        let all = |variables: &[Variable], helds: &[recurva_encode::Held]| -> Box<[u64]> {
            let pairs = variables.iter().zip(helds);
            pairs
                .flat_map(|(variable, held)| self.values(variable, held))
                .collect()
        };
        Trace {
            globals: all(self.program.globals(), &start.globals),
            locals: all(&main.locals, &start.locals),
            bodies,
            stem,
            turn: None,
        }
    }

    /// The edges that a block takes, from its end: the first that was taken to a node counts.
    fn path(&self, block: &Block) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut ways = Some(&block.last);
        while let Some(here) = ways {
            let Some(way) = here.iter().find(|it| self.is_true(it.condition)) else {
                break;
            };
            let choices = way.choices.iter().map(|&it| self.scalar(it));
            steps.push(Step {
                edge: way.edge,
                choices: choices.collect(),
                via: Via::Internal,
            });
            ways = block.taken.get(&way.from);
        }
        steps.reverse();
        steps
    }

    fn is_true(&self, term: Term) -> bool {
        self.model.value(self.terms, term) == Some(Value::Bool(true))
    }

    fn scalar(&self, term: Term) -> u64 {
        match self.model.value(self.terms, term) {
            Some(Value::Bool(value)) => u64::from(value),
            Some(Value::Bits(bits)) => bits as u64,
            _ => 0,
        }
    }

    /// The values of a variable, element by element.
    fn values(&self, variable: &Variable, held: &recurva_encode::Held) -> Vec<u64> {
        match held {
            recurva_encode::Held::Array(term) => {
                let slots = 0..variable.slots() as i128;
                match self.model.value(self.terms, *term) {
                    Some(Value::Array(array)) => slots
                        .map(|at| variable.ty.wrap(array.get(at) as u64))
                        .collect(),
                    _ => slots.map(|_| 0).collect(),
                }
            }
            other => other.terms().iter().map(|&it| self.scalar(it)).collect(),
        }
    }
}
