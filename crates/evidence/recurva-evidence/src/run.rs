//! The execution of a trace: one step at a time on the concrete semantics.

use recurva_model::{
    Action, EdgeId, Patience, PieceId, ProcId,
    semantics::{Configuration, Machine},
};

use crate::{
    Body, BodyId, Claim, Mismatch, Part, Reason, Step, Trace, Unreplayed, Via, claim,
    footprint::Footprints,
    memo::{Exit, Start, Store},
    record::Record,
};

/// What stays the same throughout an execution.
#[derive(Debug)]
pub(crate) struct Setting<'p> {
    pub(crate) machine: Machine<'p>,
    pub(crate) trace: Trace,
    pub(crate) claim: Claim,
    /// For each body, whether more than one call refers to it.
    shared: Vec<bool>,
    footprints: Footprints,
}

impl<'p> Setting<'p> {
    /// Checks that bodies refer only to earlier ones, so that execution ends.
    pub(crate) fn new(
        machine: Machine<'p>,
        trace: Trace,
        claim: Claim,
        patience: &mut Patience<'_>,
    ) -> Result<Self, Unreplayed> {
        let shared = find_shared(&trace, patience)?;
        let mut wanted = vec![false; machine.program().procedures().len()];
        for (body, _) in trace
            .bodies
            .iter()
            .zip(&shared)
            .filter(|(_, shared)| **shared)
        {
            // A body of a procedure that does not exist fits no call; its time comes.
            if let Some(wanted) = wanted.get_mut(body.procedure.index()) {
                *wanted = true;
            }
        }
        let footprints = Footprints::new(&machine, &claim, &wanted, patience)?;
        Ok(Setting {
            machine,
            trace,
            claim,
            shared,
            footprints,
        })
    }

    pub(crate) fn body(&self, id: BodyId) -> &Body {
        &self.trace.bodies[id.index()]
    }

    fn steps(&self, part: Part) -> &[Step] {
        match part {
            Part::Stem => &self.trace.stem,
            Part::Turn => self.trace.turn_steps(),
            Part::Body(id) => &self.body(id).steps,
        }
    }
}

fn find_shared(trace: &Trace, patience: &mut Patience<'_>) -> Result<Vec<bool>, Unreplayed> {
    let mut used = vec![false; trace.bodies.len()];
    let mut shared = used.clone();
    let parts = (0..trace.bodies.len())
        .map(|index| {
            (
                Part::Body(BodyId(index as u32)),
                &trace.bodies[index].steps[..],
                index,
            )
        })
        .chain([
            (Part::Stem, &trace.stem[..], trace.bodies.len()),
            (Part::Turn, trace.turn_steps(), trace.bodies.len()),
        ]);
    for (part, steps, earlier) in parts {
        for (step, taken) in steps.iter().enumerate() {
            patience.work(1)?;
            let Via::Through(body) = taken.via else {
                continue;
            };
            let body = body.index();
            if body >= earlier {
                let reason = Reason::Reference;
                return Err(Mismatch { part, step, reason }.into());
            }
            shared[body] |= std::mem::replace(&mut used[body], true);
        }
    }
    Ok(shared)
}

/// Where execution is in a list of steps.
#[derive(Clone, Debug)]
struct Cursor {
    part: Part,
    /// The index of the step to take next.
    next: usize,
    /// How the execution of a shared body began, until it is kept.
    start: Option<Start>,
}

/// An execution of a trace, somewhere along the way.
#[derive(Clone, Debug)]
pub(crate) struct Run<'a, 'p> {
    setting: &'a Setting<'p>,
    configuration: Configuration,
    /// The states the monitor can be in.
    states: Vec<u32>,
    /// The stem or the turn, then the bodies being executed, the innermost last.
    cursors: Vec<Cursor>,
    /// What is observed, while a trace is first replayed.
    record: Option<Record>,
}

impl<'a, 'p> Run<'a, 'p> {
    /// An execution at its beginning; `recording` what the claim wants observed.
    pub(crate) fn new(setting: &'a Setting<'p>, recording: bool) -> Result<Self, Mismatch> {
        let Trace {
            globals, locals, ..
        } = &setting.trace;
        let configuration = setting
            .machine
            .start(globals, locals)
            .map_err(|_| Mismatch {
                part: Part::Stem,
                step: 0,
                reason: Reason::Start,
            })?;
        let states = setting.claim.monitor().map(recurva_model::Monitor::initial);
        let cursors = vec![Cursor {
            part: Part::Stem,
            next: 0,
            start: None,
        }];
        let states = states.into_iter().collect();
        let mut run = Run {
            setting,
            configuration,
            states,
            cursors,
            record: recording.then(Record::default),
        };
        run.read();
        run.start_turn();
        Ok(run)
    }

    pub(crate) fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    pub(crate) fn into_end(self) -> (Configuration, Vec<u32>) {
        (self.configuration, self.states)
    }

    pub(crate) fn states(&self) -> &[u32] {
        &self.states
    }

    /// Whether it is still in the stem.
    pub(crate) fn in_stem(&self) -> bool {
        self.cursors[0].part == Part::Stem && !self.at_end()
    }

    /// Begins the turn when the stem is done, if there are steps in the turn.
    fn start_turn(&mut self) {
        let done = self.cursors.len() == 1 && self.next_step().is_none();
        if done && self.position().0 == Part::Stem && !self.setting.trace.turn_steps().is_empty() {
            self.turn_again();
        }
    }

    /// Goes to the beginning of the turn.
    pub(crate) fn turn_again(&mut self) {
        *self.cursor_mut() = Cursor {
            part: Part::Turn,
            next: 0,
            start: None,
        };
        if let Some(record) = &mut self.record {
            record.start_turn();
        }
    }

    /// The same execution without the frames below the running one. Steps of the stem and the
    /// turn never come back to those, and there may be millions.
    pub(crate) fn above(&self) -> Self {
        Run {
            configuration: Configuration {
                globals: self.configuration.globals.clone(),
                stack: vec![self.configuration.top().clone()],
            },
            states: self.states.clone(),
            cursors: self.cursors.clone(),
            record: self.record.clone(),
            ..*self
        }
    }

    /// Stops recording, and gives out what was observed.
    pub(crate) fn take_record(&mut self) -> Option<Record> {
        self.record.take()
    }

    /// How many bodies are being executed, plus one for the stem.
    pub(crate) fn nesting(&self) -> usize {
        self.cursors.len()
    }

    /// The list of steps that execution is in, and the index of the step to take next.
    pub(crate) fn position(&self) -> (Part, usize) {
        let cursor = self.cursor();
        (cursor.part, cursor.next)
    }

    /// The step being executed in each list, and in the innermost the one to take next.
    pub(crate) fn path(&self) -> Vec<usize> {
        let (last, open) = self.cursors.split_last().expect("the stem's cursor stays");
        let open = open.iter().map(|cursor| cursor.next - 1);
        open.chain([last.next]).collect()
    }

    /// The step to take next; `None` before a return and at the end.
    pub(crate) fn next_step(&self) -> Option<&'a Step> {
        let (part, next) = self.position();
        self.setting.steps(part).get(next)
    }

    pub(crate) fn at_end(&self) -> bool {
        self.cursors.len() == 1 && self.next_step().is_none()
    }

    /// Takes one step of the semantics: internal, into a call, or back from one.
    pub(crate) fn advance(&mut self) -> Result<(), Mismatch> {
        let (part, index) = self.position();
        let fail = |reason| Mismatch {
            part,
            step: index,
            reason,
        };
        let blocked = |blocked| fail(Reason::Blocked(blocked));
        let machine = &self.setting.machine;
        let Some(step) = self.next_step() else {
            if !matches!(part, Part::Body(_)) || !machine.at_exit(&self.configuration) {
                return Err(fail(Reason::NotAtExit));
            }
            machine
                .step_return(&mut self.configuration)
                .map_err(blocked)?;
            self.cursors.pop();
            if let Some(record) = &mut self.record {
                record.leave();
            }
            self.read();
            self.start_turn();
            return Ok(());
        };
        let callee = self.callee(step.edge);
        let body = match (step.via, callee) {
            (Via::Internal, None) => None,
            (Via::Into, Some(_)) if !matches!(part, Part::Body(_)) => None,
            (Via::Into, Some(_)) => return Err(fail(Reason::PendingInBody)),
            (Via::Through(body), Some(callee)) => {
                if self.setting.body(body).procedure != callee {
                    return Err(fail(Reason::Callee));
                }
                Some(body)
            }
            _ => return Err(fail(Reason::Kind)),
        };
        machine
            .step(&mut self.configuration, step.edge, &step.choices)
            .map_err(blocked)?;
        self.cursor_mut().next += 1;
        if let Some(body) = body {
            self.cursors.push(Cursor {
                part: Part::Body(body),
                next: 0,
                start: None,
            });
            if let Some(record) = &mut self.record {
                record.enter();
            }
        } else if let (Via::Into, Some(record)) = (step.via, &mut self.record) {
            record.go_into();
        }
        self.read();
        self.start_turn();
        Ok(())
    }

    /// Goes on until no more than `nesting` bodies and the stem are being executed. A shared
    /// body that has been executed from the same start is not executed again: its frame is
    /// put to where it ended.
    pub(crate) fn finish(
        &mut self,
        nesting: usize,
        store: &mut impl Store,
    ) -> Result<(), Mismatch> {
        while self.cursors.len() > nesting {
            self.go_on(store)?;
        }
        Ok(())
    }

    /// One step of [`Self::finish`].
    pub(crate) fn go_on(&mut self, store: &mut impl Store) -> Result<(), Mismatch> {
        let (part, next) = self.position();
        if let Part::Body(body) = part
            && self.setting.shared[body.index()]
        {
            if next == 0 && self.cursor().start.is_none() {
                let start = self.start_of(body);
                match store.find(&start) {
                    Some(exit) => self.skip_to(body, exit),
                    None => self.cursor_mut().start = Some(start),
                }
            } else if self.next_step().is_none()
                && self.setting.machine.at_exit(&self.configuration)
                && let Some(start) = self.cursor_mut().start.take()
            {
                let piece = self.record.as_mut().map(Record::finish);
                store.keep(start, || self.exit_of(body, piece));
            }
        }
        self.advance()
    }

    /// The start of the shared body that has just been entered, if there is one.
    pub(crate) fn shared_start(&self) -> Option<Start> {
        match self.position() {
            (Part::Body(body), 0) if self.setting.shared[body.index()] => Some(self.start_of(body)),
            _ => None,
        }
    }

    fn start_of(&self, body: BodyId) -> Start {
        let frame = self.configuration.top();
        let footprint = self.setting.footprints.of(frame.procedure);
        let states = self.states.iter().map(|&state| u64::from(state));
        let globals = footprint
            .iter()
            .map(|&slot| self.configuration.globals[slot as usize]);
        [u64::from(body.0), self.states.len() as u64]
            .into_iter()
            .chain(states)
            .chain(globals)
            .chain(frame.locals.iter().copied())
            .collect()
    }

    fn exit_of(&self, body: BodyId, piece: Option<PieceId>) -> Exit {
        let footprint = self
            .setting
            .footprints
            .of(self.setting.body(body).procedure);
        let globals = footprint
            .iter()
            .map(|&slot| self.configuration.globals[slot as usize]);
        Exit {
            globals: globals.collect(),
            locals: self.configuration.top().locals.clone(),
            states: self.states.as_slice().into(),
            piece,
        }
    }

    fn skip_to(&mut self, body: BodyId, exit: &Exit) {
        let procedure = self.setting.body(body).procedure;
        let footprint = self.setting.footprints.of(procedure);
        for (&slot, &value) in footprint.iter().zip(&exit.globals) {
            self.configuration.globals[slot as usize] = value;
        }
        if let Some(frame) = self.configuration.stack.last_mut() {
            frame.node = self.setting.machine.program().procedure(procedure).exit;
            frame.locals = exit.locals.clone();
        }
        self.states = exit.states.to_vec();
        if let (Some(record), Some(piece)) = (&mut self.record, exit.piece) {
            record.skip(piece);
        }
        self.cursor_mut().next = self.setting.body(body).steps.len();
    }

    /// The procedure that an edge of the running procedure calls, if the edge exists and
    /// calls one.
    fn callee(&self, edge: EdgeId) -> Option<ProcId> {
        let procedure = self.configuration.top().procedure;
        let edges = &self.setting.machine.program().procedure(procedure).edges;
        match edges.get(edge.index())?.action {
            Action::Call { callee, .. } => Some(callee),
            Action::Assign { .. } => None,
        }
    }

    fn read(&mut self) {
        if let Some(monitor) = self.setting.claim.monitor() {
            let machine = &self.setting.machine;
            self.states = claim::read(machine, monitor, &self.states, &self.configuration);
        }
        if let Some(record) = &mut self.record {
            let Setting { machine, claim, .. } = self.setting;
            record.read(machine, claim.observed(), &self.configuration);
        }
    }

    fn cursor(&self) -> &Cursor {
        self.cursors.last().expect("the stem's cursor stays")
    }

    fn cursor_mut(&mut self) -> &mut Cursor {
        self.cursors.last_mut().expect("the stem's cursor stays")
    }
}
