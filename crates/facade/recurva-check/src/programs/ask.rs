//! A question about the runs of a program, behind the façade.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use recurva_evidence::{Mismatch, Part, Reason, Step, Trace, Via};
use recurva_model::{Action, Origin, ProcId, Program};

use super::{
    ProgramContent, Property, Unconfirmed, Woven, check, confirm,
    flat::{FlatAnswer, decide},
    vacuous,
};
use crate::{
    About, Answer, Engine, InternalError, Limit, Model, Options, Progress, Refused, Rejected,
    RunContext, Runs, Stats, Verdict, Watch, Work, question::Ask, saved::SavedRun, watch::Clock,
};

/// A property of the runs of a program.
#[derive(Debug)]
pub(crate) struct RunQuestion<'m> {
    content: &'m ProgramContent,
    model: &'m Model,
    /// The program with a monitor in it, if the question is about that.
    woven: Option<Arc<Woven>>,
    property: Property,
}

impl<'m> RunQuestion<'m> {
    pub(super) fn new(content: &'m ProgramContent, model: &'m Model, property: Property) -> Self {
        RunQuestion {
            content,
            model,
            woven: None,
            property,
        }
    }

    pub(crate) fn woven(
        content: &'m ProgramContent,
        model: &'m Model,
        woven: Arc<Woven>,
        property: Property,
    ) -> Self {
        RunQuestion {
            woven: Some(woven),
            ..RunQuestion::new(content, model, property)
        }
    }

    fn program(&self) -> &Program {
        match &self.woven {
            Some(woven) => &woven.program,
            None => &self.content.program,
        }
    }

    /// The options with what is usual for the model.
    fn options(&self, options: &Options) -> Options {
        let runs = match options.runs {
            Runs::Usual if self.content.is_machine() => Runs::Infinite,
            chosen => chosen,
        };
        Options { runs, ..*options }
    }

    /// Why a trace is not what it should be, in words.
    fn why(&self, trace: &Trace, mismatch: &Mismatch) -> String {
        if mismatch.reason == Reason::Claim {
            return "the run is possible, but nothing is wrong at its end".to_owned();
        }
        let step = mismatch.step + 1;
        let step = match mismatch.part {
            Part::Stem => format!("step {step}"),
            Part::Turn => format!("step {step} of the turn"),
            Part::Body(body) => {
                let procedure = trace.bodies[body.index()].procedure;
                let name = &self.program().procedure(procedure).name;
                format!("step {step} of a call of {name}")
            }
        };
        let (name, reason) = (self.model.name(), mismatch.reason);
        format!("the trace is not a run of {name}: {step}: {reason}")
    }

    /// Asks the engine for flat machines. A run that violates the property comes from the search
    /// over explicit states.
    fn flat(&self, options: &Options, watch: &mut dyn Watch) -> Result<Answer<'_>, InternalError> {
        let mut clock = Clock::new(options.limits, watch);
        let mut tick = || {
            let work = Work {
                what: "summaries of the machine",
                ..Work::default()
            };
            clock.tick(&Progress::from(work))
        };
        let machine = self.content.flat();
        let decided = match &machine {
            Some(machine) => decide(machine, &self.property, options.stack, &mut tick),
            None => Ok(None),
        };
        let answer = |verdict, found: FlatAnswer, seconds| Answer {
            stats: Stats {
                states: found.vertices,
                path_edges: found.work,
                seconds,
                peak_bytes: found.bytes,
                ..Stats::default()
            },
            stack: self.property.is_liveness().then_some(options.stack),
            ..Answer::new(verdict, Engine::Flat.name())
        };
        match decided {
            Ok(Some(found)) if !found.violated => {
                return Ok(answer(Verdict::Holds, found, clock.seconds()));
            }
            Ok(_) => {}
            Err(Limit::Interrupted) => {
                return Ok(Answer::new(
                    Verdict::Unknown(clock.hit()),
                    Engine::Flat.name(),
                ));
            }
            Err(limit) => {
                return Ok(Answer::new(Verdict::Unknown(limit), Engine::Flat.name()));
            }
        }
        let options = Options {
            engine: Engine::Explicit,
            limits: clock.left(),
            ..*options
        };
        let found = check(self.program(), &self.property, &options, clock.watch())?;
        match (&decided, found.verdict) {
            (Ok(Some(_)), Verdict::Holds) => Err(InternalError::Disagreement),
            _ => Ok(found),
        }
    }
}

impl Ask for RunQuestion<'_> {
    fn answer<'q>(
        &'q self,
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Answer<'q>, InternalError> {
        let started = Instant::now();
        let mut options = self.options(options);
        let mut answer = match options.engine {
            Engine::Flat => self.flat(&options, watch)?,
            _ => check(self.program(), &self.property, &options, watch)?,
        };
        if answer.holds() {
            let left = |time: Duration| time.saturating_sub(started.elapsed());
            options.limits.time = options.limits.time.map(left);
            let silent = self.woven.iter().flat_map(|woven| &woven.silent);
            // Where an assertion of C fails is behind the branch to its failure.
            let is_assertion = matches!(
                &self.property,
                Property::Unreachable { points, .. } if !points.is_empty()
            );
            // Where an event matches nothing, that is said instead.
            let is_silent = self.woven.as_ref().is_some_and(|it| !it.silent.is_empty());
            if !(self.content.is_c() && (is_assertion || is_silent)) {
                let notes = vacuous::notes(self.program(), &self.property, &options, watch);
                answer.notes.extend(notes);
            }
            answer.notes.extend(silent.map(|(event, place)| {
                crate::Note::new(format!("{event} matches nothing in {}", self.model.name()))
                    .at(*place)
            }));
        }
        Ok(answer)
    }

    fn about(&self) -> About<'_> {
        About::Runs(RunContext {
            more: match &self.woven {
                Some(woven) => &woven.more,
                None => &self.content.more,
            },
            places: Some(&self.content.places),
            ..RunContext::new(self.model.source(), self.program(), &self.property)
        })
    }

    fn is_infinite(&self) -> Option<bool> {
        Some(self.property.is_liveness())
    }

    fn replay<'q>(&'q self, run: &SavedRun, options: &Options) -> Result<Answer<'q>, Rejected> {
        let SavedRun::Trace(recording) = run else {
            return Err(Rejected::new("it is no run of a program"));
        };
        let name = self.model.name();
        let trace = recording
            .on(self.program())
            .map_err(|cause| Rejected::new(format!("the trace is not a run of {name}: {cause}")))?;
        let options = self.options(options);
        let confirmed = confirm(self.program(), &self.property, trace.clone(), &options);
        confirmed.map_err(|cause| match &cause {
            Unconfirmed::Mismatch(mismatch) => Rejected {
                why: self.why(&trace, mismatch),
                place: place(self.program(), &trace, mismatch),
            },
            Unconfirmed::Satisfied => {
                Rejected::new("the run is possible, but the property is true of it")
            }
            Unconfirmed::NotAsked => {
                Rejected::new("the run is possible, but none of those that the question is about")
            }
        })
    }

    fn fits(&self, engine: Engine) -> Result<(), Refused> {
        let (monitor, caret) = match &self.property {
            Property::Monitor(_) => (true, false),
            Property::Caret(_) => (false, true),
            _ => (self.woven.is_some(), false),
        };
        match engine {
            Engine::Symbolic if caret => Err(Refused::error(
                "the symbolic engine does not know CaRet",
                "leave out --engine symbolic",
            )),
            Engine::Flat if caret || monitor => Err(Refused::error(
                "the flat engine knows neither monitors nor CaRet",
                "leave out --engine flat",
            )),
            _ => Ok(()),
        }
    }
}

/// Where a step is in the text, or where a list of steps ends.
fn place(program: &Program, trace: &Trace, mismatch: &Mismatch) -> Option<Origin> {
    let (mut procedure, steps) = match mismatch.part {
        Part::Stem => (program.main(), &trace.stem[..]),
        Part::Turn => (
            follow(program, program.main(), &trace.stem)?,
            trace.turn_steps(),
        ),
        Part::Body(body) => {
            let body = &trace.bodies[body.index()];
            (body.procedure, &body.steps[..])
        }
    };
    if let Some(step) = steps.get(mismatch.step) {
        procedure = follow(program, procedure, &steps[..mismatch.step])?;
        let edges = &program.procedure(procedure).edges;
        return Some(edges.get(step.edge.index())?.origin);
    }
    let (last, before) = steps.split_last()?;
    procedure = follow(program, procedure, before)?;
    let procedure = program.procedure(procedure);
    let end = procedure.edges.get(last.edge.index())?.to;
    Some(procedure.nodes.get(end.index())?.origin)
}

/// The procedure that is running behind some steps, of which some may be none.
fn follow(program: &Program, mut procedure: ProcId, steps: &[Step]) -> Option<ProcId> {
    for step in steps.iter().filter(|step| step.via == Via::Into) {
        let edge = program.procedure(procedure).edges.get(step.edge.index())?;
        match edge.action {
            Action::Call { callee, .. } => procedure = callee,
            Action::Assign { .. } => return None,
        }
    }
    Some(procedure)
}
