//! A run of the lowered program, executed as one of the C program: by the interpreter of `cir`, and
//! then as a test case by the machine.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::PoisonError,
};

use recurva_cir::{
    Check, ErrorKind, Module, TypeId, Unknown,
    interpret::{ChoiceError, Machine, Options, Outcome, Position, Replay, View, World},
};
use recurva_cmodel::{Choices, Failure, choices};
use recurva_ctest::Files;
use recurva_evidence::Replayed;
use recurva_model::Patience;
use recurva_syntax::Span;
use rustc_hash::FxHashMap;

use super::{
    CContent,
    lowered::CProgram,
    run::{CRun, Recorder, Statements, Tap, Window},
    start::Start,
    steer::steered,
    test_case::{Aim, Given, Target, executed},
};
use crate::{Note, Progress, Work, watch::Clock};

/// The longest run that is executed, in steps.
pub(super) const LONGEST: u64 = 100_000_000;

/// Whether a run is one of the C program.
pub(super) enum Confirmed {
    /// It is.
    Yes(Box<Shown>),
    /// It was not executed, and why.
    NotTried(String),
    /// It is not, and why.
    No(String),
}

/// A run that was executed.
pub(super) struct Shown {
    /// What is to be said about that.
    pub(super) notes: Vec<Note>,
    /// The run as a test case.
    pub(super) files: Option<Files>,
    /// The run itself, if it is finite.
    pub(super) run: Option<CRun>,
}

/// Executes a run.
pub(super) fn confirm(
    content: &CContent,
    program: &CProgram,
    run: &Replayed<'_>,
    clock: &mut Clock<'_>,
) -> Confirmed {
    let point = run.end().top().point();
    let errors = program.lowered.errors.iter();
    let failed = errors
        .map(|it| (it.point, &it.kind))
        .find(|it| it.0 == point);
    let labels = program.program.labels().iter();
    let label = labels
        .filter(|it| it.point == point)
        .map(|it| &*it.name)
        .next();
    // None where a run begins and ends: before and behind `main`.
    let function = program.lowered.functions[point.procedure.index()];
    let target = match (failed, label) {
        (Some((_, kind)), _) => kind.clone(),
        (None, Some(label)) => Failure::Label(label.into()),
        // A monitor: it looks at the run of the lowered program.
        (None, None) => return Confirmed::NotTried("a monitor watches it".to_owned()),
    };
    let choices = match spelled_out(program, run, clock) {
        Ok(choices) => choices,
        Err(why) => return Confirmed::NotTried(why),
    };
    let options = options(program);
    let wanted = match &target {
        Failure::Label(name) => Wanted::Label(function, name),
        Failure::Function(name) => Wanted::Function(name),
        Failure::Error(kind) => Wanted::Error(kind),
        Failure::Check(check) => Wanted::Check(*check),
    };
    let replay = match &program.cut {
        None => Replay::new(choices.values).with_allocations(choices.allocations),
        Some(cut) => {
            let failed = program.lowered.errors.iter().find(|it| it.point == point);
            let is_edge = matches!(target, Failure::Error(_) | Failure::Check(_));
            let origin = failed.filter(|_| is_edge).map(|it| it.origin);
            match steered(program, cut, choices, (&wanted, origin), clock) {
                Some(replay) => replay,
                None => {
                    let why = "only a slice of the program is known to have it";
                    return Confirmed::NotTried(why.to_owned());
                }
            }
        }
    };
    let mut world = Giver::new(replay.clone());
    let module = program.executed();
    let mut machine = Machine::new(module, &mut world, options);
    let outcome = interpret(&mut machine, module, &wanted, clock, &mut |_| {});
    let steps = machine.steps();
    drop(machine);
    match outcome {
        Ended::Reached => {}
        Ended::Stopped => return Confirmed::NotTried("there was no more time".to_owned()),
        Ended::Otherwise(how) => return Confirmed::No(how),
    }
    let (run, (start, arguments)) = record(content, program, replay, options, steps);
    let mut notes = vec![Note::new(format!(
        "replayed on the C program, in {steps} steps"
    ))];
    let place = program.program.failures().iter();
    let place = place.filter(|it| it.point == point).map(|it| it.origin);
    let place = place.chain([run.end_place()]).next();
    let place = place.and_then(|place| content.line(place));
    let start = start.as_ref().map(Option::as_deref);
    let target = Target {
        aim: Aim::Failure(&target),
        place: place.as_deref(),
        start: start.map_err(|why| &**why),
        arguments: &arguments,
    };
    let (note, files) = executed(content, program, target, &world.given, clock);
    notes.push(note);
    Confirmed::Yes(Box::new(Shown {
        notes,
        files,
        run: Some(run),
    }))
}

/// What a run chose, or why that was not spelled out.
pub(super) fn spelled_out(
    program: &CProgram,
    run: &Replayed<'_>,
    clock: &mut Clock<'_>,
) -> Result<Choices, String> {
    let mut tick = || clock.tick(&working("spelling out the run"));
    let mut patience = Patience::new(&mut tick);
    choices(&program.lowered, run, LONGEST, &mut patience).map_err(|cause| cause.to_string())
}

/// How the interpreter executes a run.
pub(super) fn options(program: &CProgram) -> Options {
    Options {
        errors: program.checks.iter().copied().collect(),
        steps: LONGEST,
        ..Options::default()
    }
}

impl CContent {
    /// A place in words: `line 14`, `line 3 of util.c`.
    fn line(&self, origin: recurva_model::Origin) -> Option<String> {
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, line, _) = files.line_column(origin)?;
        Some(match file == files.source(0).name() {
            true => format!("line {line}"),
            false => format!("line {line} of {file}"),
        })
    }
}

/// Text of C that begins a run, if it does not begin with `main`; and what `main` is given.
type Started = (Result<Option<String>, String>, Vec<Vec<u8>>);

/// Executes a run of so many steps once more, and keeps what happens in it, and how it begins.
fn record(
    content: &CContent,
    program: &CProgram,
    mut replay: Replay,
    options: Options,
    steps: u64,
) -> (CRun, Started) {
    let module = program.executed();
    let mut start = Start::new(content, program);
    let mut files = content.files.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = content.units.preprocessed();
    let mut known: FxHashMap<recurva_cir::Origin, recurva_model::Origin> = FxHashMap::default();
    let mut place = |origin: recurva_cir::Origin| {
        *known.entry(origin).or_insert_with(|| {
            let text = texts.get(origin.source.0 as usize);
            let span = Span::new(origin.start, origin.end);
            text.map_or_else(Default::default, |text| files.origin(text, span))
        })
    };
    let mut statements = Statements::new(module);
    let recorder = Recorder::new(module, &mut statements, &mut place, Window::of(steps));
    let recorder = RefCell::new(recorder);
    let mut tap = Tap(&recorder);
    let mut machine = Machine::new(module, &mut replay, options).observed(&mut tap);
    recorder.borrow_mut().begin(&machine.view());
    let mut failed = None;
    while machine.steps() < steps {
        start.look(&machine.view());
        if let Some(outcome) = machine.step() {
            failed = position(&outcome);
            break;
        }
    }
    let run = recorder.borrow_mut().finish(&machine.view(), failed);
    (run, start.finish())
}

/// Where a run could not go on.
fn position(outcome: &Outcome) -> Option<Position> {
    match outcome {
        Outcome::Failed(_, position)
        | Outcome::CheckFailed(_, position)
        | Outcome::Undefined(_, position)
        | Outcome::Aborted(position)
        | Outcome::Blocked(position)
        | Outcome::Unsupported(_, position)
        | Outcome::NoChoice(_, position)
        | Outcome::OutOfMemory(position) => Some(*position),
        Outcome::Exited(_) | Outcome::OutOfSteps | Outcome::Interrupted => None,
    }
}

pub(super) fn working(what: &'static str) -> Progress {
    Progress::from(Work {
        what,
        ..Work::default()
    })
}

/// What the interpreter must come to.
pub(super) enum Wanted<'a> {
    Label(Option<recurva_cir::FunctionId>, &'a str),
    Function(&'a str),
    Error(&'a ErrorKind),
    Check(Check),
}

pub(super) enum Ended {
    Reached,
    Stopped,
    Otherwise(String),
}

/// Lets a machine run until it comes to what is wanted, or ends otherwise; `look` sees it before each step.
pub(super) fn interpret(
    machine: &mut Machine<'_>,
    module: &Module,
    wanted: &Wanted<'_>,
    clock: &mut Clock<'_>,
    look: &mut dyn FnMut(&View<'_, '_>),
) -> Ended {
    let mut steps = 0u64;
    loop {
        let view = machine.view();
        look(&view);
        let position = view.position(view.depth());
        let function = module.function(position.function);
        let is_there = match *wanted {
            Wanted::Label(wanted, name) => {
                let labels = function.labels.iter();
                let mut here = labels.filter(|it| it.node == position.node);
                wanted == Some(position.function) && here.any(|it| *it.name == *name)
            }
            Wanted::Function(name) => *function.name == *name && position.node == function.entry,
            Wanted::Error(_) | Wanted::Check(_) => false,
        };
        if is_there {
            return Ended::Reached;
        }
        match machine.step() {
            None => {}
            Some(outcome) => return ended(&outcome, wanted),
        }
        steps += 1;
        let is_asked = steps.is_multiple_of(1 << 16);
        if is_asked && clock.tick(&working("executing the run")).is_break() {
            return Ended::Stopped;
        }
        if steps > LONGEST {
            return Ended::Stopped;
        }
    }
}

fn ended(outcome: &Outcome, wanted: &Wanted<'_>) -> Ended {
    match (outcome, wanted) {
        (Outcome::Failed(found, _), Wanted::Error(kind)) if found == *kind => Ended::Reached,
        // The error function itself is what must not be called.
        (Outcome::Failed(ErrorKind::Call(found), _), Wanted::Function(name))
            if **found == **name =>
        {
            Ended::Reached
        }
        (Outcome::CheckFailed(found, _), Wanted::Check(check)) if found == check => Ended::Reached,
        _ => Ended::Otherwise(format!("it ends otherwise: {outcome:?}")),
    }
}

/// Repeats choices, keeps why each was wanted, and lets others see which come next.
pub(super) struct Giver {
    replay: Replay,
    pub(super) given: Vec<Given>,
    /// [`Replay::position`], also while a machine has the world.
    pub(super) position: Rc<Cell<(usize, usize)>>,
}

impl Giver {
    pub(super) fn new(replay: Replay) -> Self {
        Giver {
            given: Vec::new(),
            position: Rc::new(Cell::new(replay.position())),
            replay,
        }
    }
}

impl World for Giver {
    fn choose(
        &mut self,
        why: &Unknown,
        ty: TypeId,
        module: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        self.replay.choose(why, ty, module, bytes)?;
        self.position.set(self.replay.position());
        let scalar = module.types.scalar(ty);
        self.given.push(Given {
            why: why.clone(),
            scalar,
            bytes: bytes.to_vec(),
        });
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        self.replay.allocated(bytes);
        self.position.set(self.replay.position());
    }
}
