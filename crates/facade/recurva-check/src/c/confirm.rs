//! A run of the lowered program, executed as one of the C program: by the interpreter of `cir`, and
//! then as a test case by the machine.

use recurva_cir::{
    Check, ErrorKind, Module, Scalar, TypeId, Unknown,
    interpret::{ChoiceError, Machine, Options, Outcome, Replay, World},
};
use recurva_cmodel::Failure;
use recurva_ctest::{Executed, Files, Goal, TestCase, Unit, Value, ValueKind, execute};
use recurva_evidence::Replayed;
use recurva_model::Patience;

use super::{Units, lowered::CProgram};
use crate::{Note, Progress, Work, watch::Clock};

/// The longest run that is executed, in steps.
const LONGEST: u64 = 100_000_000;

/// Whether a run is one of the C program.
pub(super) enum Confirmed {
    /// It is; what is to be said about that, and the run as a test case.
    Yes(Vec<Note>, Option<Files>),
    /// It is not, and why.
    No(String),
}

/// Executes a run.
pub(super) fn confirm(
    units: &Units,
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
    let Some(function) = program.lowered.functions[point.procedure.index()] else {
        return Confirmed::No("it ends outside the program".to_owned());
    };
    let target = match (failed, label) {
        (Some((_, kind)), _) => kind.clone(),
        (None, Some(label)) => Failure::Label(label.into()),
        // A monitor: it looks at the run of the lowered program.
        (None, None) => return Confirmed::Yes(Vec::new(), None),
    };
    let mut tick = || clock.tick(&working("spelling out the run"));
    let mut patience = Patience::new(&mut tick);
    let choices = recurva_cmodel::choices(&program.lowered, run, LONGEST, &mut patience);
    let choices = match choices {
        Ok(choices) => choices,
        Err(cause) => {
            let text = format!("the run was not executed: {cause}");
            return Confirmed::Yes(vec![Note::new(text)], None);
        }
    };
    let mut world = Recorder {
        replay: Replay::new(choices.values).with_allocations(choices.allocations),
        given: Vec::new(),
    };
    let module = &program.built.module;
    let options = Options {
        errors: program.checks.iter().copied().collect(),
        steps: LONGEST,
        ..Options::default()
    };
    let wanted = match &target {
        Failure::Label(name) => Wanted::Label(function, name),
        Failure::Function(name) => Wanted::Function(name),
        Failure::Error(kind) => Wanted::Error(kind),
        Failure::Check(check) => Wanted::Check(*check),
    };
    let mut machine = Machine::new(module, &mut world, options);
    let outcome = interpret(&mut machine, module, &wanted, clock);
    let steps = machine.steps();
    drop(machine);
    match outcome {
        Ended::Reached => {}
        Ended::Stopped => {
            let text = "the run was not executed to its end: there was no more time";
            return Confirmed::Yes(vec![Note::new(text)], None);
        }
        Ended::Otherwise(how) => return Confirmed::No(how),
    }
    let mut notes = vec![Note::new(format!(
        "replayed on the C program, in {steps} steps"
    ))];
    let (note, files) = executed(units, program, &target, &world.given, clock);
    notes.push(note);
    Confirmed::Yes(notes, files)
}

fn working(what: &'static str) -> Progress {
    Progress::from(Work {
        what,
        ..Work::default()
    })
}

/// What the interpreter must come to.
enum Wanted<'a> {
    Label(recurva_cir::FunctionId, &'a str),
    Function(&'a str),
    Error(&'a ErrorKind),
    Check(Check),
}

enum Ended {
    Reached,
    Stopped,
    Otherwise(String),
}

fn interpret(
    machine: &mut Machine<'_>,
    module: &Module,
    wanted: &Wanted<'_>,
    clock: &mut Clock<'_>,
) -> Ended {
    let mut steps = 0u64;
    loop {
        let view = machine.view();
        let position = view.position(view.depth());
        let function = module.function(position.function);
        let is_there = match *wanted {
            Wanted::Label(wanted, name) => {
                let labels = function.labels.iter();
                let mut here = labels.filter(|it| it.node == position.node);
                wanted == position.function && here.any(|it| *it.name == *name)
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
        if steps.is_multiple_of(1 << 16) {
            if clock.tick(&working("executing the run")).is_break() {
                return Ended::Stopped;
            }
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

/// Repeats choices, and keeps why each was wanted.
struct Recorder {
    replay: Replay,
    given: Vec<(Unknown, Option<Scalar>, Vec<u8>)>,
}

impl World for Recorder {
    fn choose(
        &mut self,
        why: &Unknown,
        ty: TypeId,
        module: &Module,
        bytes: &mut [u8],
    ) -> Result<(), ChoiceError> {
        self.replay.choose(why, ty, module, bytes)?;
        let scalar = module.types.scalar(ty);
        self.given.push((why.clone(), scalar, bytes.to_vec()));
        Ok(())
    }

    fn allocated(&mut self, bytes: &mut [u8]) {
        self.replay.allocated(bytes);
    }
}

/// Has the run compiled and executed, and says what came of it.
fn executed(
    units: &Units,
    program: &CProgram,
    target: &Failure,
    given: &[(Unknown, Option<Scalar>, Vec<u8>)],
    clock: &mut Clock<'_>,
) -> (Note, Option<Files>) {
    let not = |why: &str| Note::new(format!("not executed as a test case: {why}"));
    let Some(mut case) = test_case(units, program, target, given) else {
        return (not("it begins with values that no test can give"), None);
    };
    if !units.options.execute {
        return (not("that was not wanted"), Some(case.files()));
    }
    let Some(compiler) = &units.compiler else {
        return (not("there is no C compiler"), Some(case.files()));
    };
    let mut is_over = || clock.tick(&working("executing the test case")).is_break();
    let note = match execute(&mut case, compiler, &mut is_over) {
        Executed::Failed {
            compiler,
            is_other_machine,
            said,
        } => {
            let machine = if is_other_machine {
                ", for 64 bits"
            } else {
                ""
            };
            let what = match (&said, target) {
                (Some(said), _) => said.clone(),
                (None, Failure::Error(ErrorKind::Call(name)) | Failure::Function(name)) => {
                    format!("`{name}` is called")
                }
                (None, Failure::Error(ErrorKind::Assertion(text))) => {
                    format!("the assertion `{text}` fails")
                }
                (None, Failure::Error(ErrorKind::Abort)) => "`abort` is called".to_owned(),
                (None, Failure::Label(name)) => format!("label {name} is reached"),
                (None, Failure::Check(_)) => "it fails".to_owned(),
            };
            Note::new(format!("executed: {what} ({compiler}{machine})"))
        }
        Executed::Otherwise(how) => {
            let is_open = given
                .iter()
                .any(|it| matches!(it.0, Unknown::Uninitialised));
            let why = match is_open {
                true => format!("{how}; it depends on a variable that was never given a value"),
                false => how,
            };
            not(&why)
        }
        Executed::NotCompiled(said) => {
            let first = said.lines().next().unwrap_or_default();
            not(&format!("it does not compile: {first}"))
        }
        Executed::NotRun(cause) => not(&cause.to_string()),
        Executed::Stopped => not("there was no more time"),
    };
    (note, Some(case.files()))
}

/// The run as a test case; `None` if some value cannot be given from outside.
fn test_case(
    units: &Units,
    program: &CProgram,
    target: &Failure,
    given: &[(Unknown, Option<Scalar>, Vec<u8>)],
) -> Option<TestCase> {
    let mut values = Vec::new();
    for (why, scalar, bytes) in given {
        match why {
            Unknown::Nondet(name) | Unknown::External(name) => values.push(Value {
                function: name.to_string(),
                kind: value(*scalar, bytes)?,
            }),
            Unknown::Uninitialised | Unknown::NotComputed => {}
            Unknown::Input => return None,
        }
    }
    let goal = match target {
        Failure::Error(ErrorKind::Assertion(_)) => Goal::Assertion,
        Failure::Error(ErrorKind::Call(name)) | Failure::Function(name) => {
            Goal::Call(name.to_string())
        }
        Failure::Error(ErrorKind::Abort) => Goal::Abort,
        Failure::Check(_) => Goal::Undefined { line: 0 },
        Failure::Label(label) => {
            let functions = program.built.module.functions.iter();
            let mut inside =
                functions.filter(|it| it.labels.iter().any(|found| *found.name == **label));
            Goal::Label {
                function: inside.next()?.name.to_string(),
                label: label.to_string(),
            }
        }
    };
    let texts = units.texts.iter();
    Some(TestCase {
        units: texts
            .map(|text| Unit {
                name: text.name.to_string(),
                text: text.text.clone(),
                options: units.options.compiler.clone(),
            })
            .collect(),
        values,
        absent: Vec::new(),
        goal,
        main: None,
    })
}

/// The value of bytes in memory.
fn value(scalar: Option<Scalar>, bytes: &[u8]) -> Option<ValueKind> {
    let mut word = [0; 8];
    let count = bytes.len().min(8);
    word[..count].copy_from_slice(&bytes[..count]);
    let bits = u64::from_le_bytes(word);
    Some(match scalar? {
        Scalar::Int(int) if int.is_signed => {
            let unused = 64 - u32::from(int.bits);
            ValueKind::Int(((bits << unused) as i64) >> unused)
        }
        Scalar::Bool | Scalar::Int(_) => ValueKind::Int(bits as i64),
        Scalar::Pointer if bits == 0 => ValueKind::Int(0),
        Scalar::Pointer => return None,
        Scalar::Float(recurva_cir::Float::Single) => ValueKind::Float(f32::from_bits(bits as u32)),
        Scalar::Float(_) => ValueKind::Double(f64::from_bits(bits)),
    })
}
