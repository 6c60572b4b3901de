//! The search over explicit states, and its runs as traces.

use std::{collections::HashMap, ops::ControlFlow, time::Instant};

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_explicit::{
    Answer, Config, History, Leg, PathEdge, Reached, Witness,
    program::{
        Backward, Ending, Inline, Observer, Prepared, ProgramSystem, Reductions, Values, Words,
    },
    reach as explicit_reach,
};
use recurva_model::{Patience, Point, Program};

use super::Found;

/// Searches for a run to one of the targets.
pub(crate) fn reach(program: &Program, targets: &[Point], until: Instant) -> Found {
    let prepared = Prepared::new(
        program,
        Observer::from(None),
        Reductions::default(),
        Ending::Stops,
    );
    match prepared.words_needed() {
        0..=2 => on::<Inline<2>>(prepared, targets, until),
        3..=4 => on::<Inline<4>>(prepared, targets, until),
        5..=8 => on::<Inline<8>>(prepared, targets, until),
        9..=16 => on::<Inline<16>>(prepared, targets, until),
        _ => on::<Box<[u64]>>(prepared, targets, until),
    }
}

fn on<W: Words + Send + Sync>(prepared: Prepared<'_>, targets: &[Point], until: Instant) -> Found {
    let system = prepared.with_words::<W>();
    let set = system.point_set(targets.iter().copied());
    let tick = |_: &_| match Instant::now() < until {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(()),
    };
    let config = Config {
        max_bytes: Some(1 << 30),
        ..Config::default()
    };
    let found = explicit_reach(&system, &config, |state| system.is_at(state, &set), tick);
    match found.answer {
        Answer::Unreachable => Found::Nothing,
        Answer::Stopped(_) => Found::Stopped,
        // Calls are as deep as they are in the program.
        Answer::Reached(witness) => std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(1 << 30);
            let (system, witness) = (&system, &*witness);
            let run = move || explain(system, witness);
            let handle = thread.spawn_scoped(scope, run).expect("there is a stack");
            Found::Run(Box::new(handle.join().expect("it is explained")))
        }),
    }
}

/// A call: where it ends, and with which values.
type Passed = (PathEdge, Box<[u64]>);

struct Explainer<'a, 'p, W> {
    system: &'a ProgramSystem<'p, W>,
    witness: &'a Witness<W>,
    known: HashMap<Passed, (BodyId, Values)>,
    bodies: Vec<Body>,
}

fn explain<W: Words>(system: &ProgramSystem<'_, W>, witness: &Witness<W>) -> Trace {
    let mut explainer = Explainer {
        system,
        witness,
        known: HashMap::new(),
        bodies: Vec::new(),
    };
    let way = witness.way();
    let mut values = system.complete(witness.state(witness.target()));
    let mut steps = Vec::new();
    for (index, &leg) in way.legs.iter().enumerate().rev() {
        let from = match index {
            0 => way.start,
            _ => way.legs[index - 1].to(),
        };
        match leg {
            Leg::Refinement(_) => {}
            Leg::Step(to) => values = explainer.step(from, to, &values, &mut steps),
            Leg::Return { exit, to } => {
                values = explainer.over(from, exit, to, &values, &mut steps);
            }
            Leg::Call(to) => {
                let (before, entry) = (witness.state(from), witness.state(to));
                let patience = &mut Patience::endless();
                let back = system.back_call(before, entry, &values, None, patience);
                let back = back.expect("patience").expect("a call");
                values = push(back, Via::Into, &mut steps);
            }
        }
    }
    steps.reverse();
    Trace {
        globals: values.globals,
        locals: values.locals,
        bodies: explainer.bodies,
        stem: steps,
        turn: None,
    }
}

fn push(back: Backward, via: Via, steps: &mut Vec<Step>) -> Values {
    steps.push(Step {
        edge: back.edge,
        choices: back.choices,
        via,
    });
    back.before
}

impl<W: Words> Explainer<'_, '_, W> {
    fn step(&self, from: PathEdge, to: PathEdge, after: &Values, steps: &mut Vec<Step>) -> Values {
        let (before, to) = (self.witness.state(from), self.witness.state(to));
        let patience = &mut Patience::endless();
        let back = self.system.back_step(before, to, after, patience);
        push(
            back.expect("patience").expect("a step"),
            Via::Internal,
            steps,
        )
    }

    fn over(
        &mut self,
        caller: PathEdge,
        exit: PathEdge,
        to: PathEdge,
        after: &Values,
        steps: &mut Vec<Step>,
    ) -> Values {
        let witness = self.witness;
        let (from, end) = (witness.state(caller), witness.state(exit));
        let entry = witness.state(witness.entry(exit));
        let patience = &mut Patience::endless();
        let back = (self.system).back_return(from, entry, end, witness.state(to), after, patience);
        let (site, values) = back.expect("patience").expect("a return");
        let (body, at_entry) = self.body(exit, values);
        let returned = Some((site, after));
        let back = (self.system).back_call(from, entry, &at_entry, returned, patience);
        push(
            back.expect("patience").expect("a call"),
            Via::Through(body),
            steps,
        )
    }

    fn body(&mut self, exit: PathEdge, end: Values) -> (BodyId, Values) {
        let key = (
            exit,
            self.system.open_values(self.witness.state(exit), &end),
        );
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let (mut at, mut values, mut steps) = (exit, end, Vec::new());
        loop {
            match self.witness.reached(at) {
                Reached::Initially | Reached::Call(_) => break,
                Reached::Refinement(from) => at = from,
                Reached::Step(from) => {
                    values = self.step(from, at, &values, &mut steps);
                    at = from;
                }
                Reached::Return { caller, exit } => {
                    values = self.over(caller, exit, at, &values, &mut steps);
                    at = caller;
                }
            }
        }
        steps.reverse();
        let procedure = self.system.point(self.witness.state(at)).procedure;
        let id = BodyId(self.bodies.len() as u32);
        self.bodies.push(Body { procedure, steps });
        self.known.insert(key, (id, values.clone()));
        (id, values)
    }
}
