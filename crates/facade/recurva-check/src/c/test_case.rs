//! A run as a test case, compiled and executed by the machine.

use recurva_cir::{Check, ErrorKind, Float, Module, Scalar, Unknown};
use recurva_cmodel::Failure;
use recurva_ctest::{
    Executed, Fault, Files, Goal, MALLOC, ROUNDS, TestCase, Unit, Value, ValueKind, execute,
};

use super::{CContent, confirm::working, lowered::CProgram, rule::Rule};
use crate::{Note, watch::Clock};

/// How the names of our models of the library begin.
const LIBRARY: &str = "<library>/";

/// A value that a run was given.
#[derive(Clone, Debug)]
pub(super) struct Given {
    /// Why it was not known.
    pub(super) why: Unknown,
    /// Its type, if it is a scalar.
    pub(super) scalar: Option<Scalar>,
    pub(super) bytes: Vec<u8>,
}

/// What a run shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Aim<'a> {
    Failure(&'a Failure),
    /// That it ends.
    End,
    /// That it never does: what it was given from this value on is given again and again.
    Never {
        turn: usize,
        /// Whether its stack grows for ever.
        diverges: bool,
    },
}

/// What a run comes to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'a> {
    pub(super) aim: Aim<'a>,
    /// The place in words: `line 14`.
    pub(super) place: Option<&'a str>,
    /// Text of C that calls the function where the run begins, if that is not `main`; none if it
    /// cannot be written.
    pub(super) start: Result<Option<&'a str>, &'a str>,
    /// What `main` is given, its own name first.
    pub(super) arguments: &'a [Vec<u8>],
}

/// Has the run compiled and executed, and says what came of it.
pub(super) fn executed(
    content: &CContent,
    program: &CProgram,
    target: Target<'_>,
    given: &[Given],
    clock: &mut Clock<'_>,
) -> (Note, Option<Files>) {
    let not = |why: &str| Note::new(format!("replayed only, not executed: {why}"));
    let units = &content.units;
    let mut case = match test_case(content, program, target, given) {
        Ok(case) => case,
        Err(why) => return (not(&why), None),
    };
    if !units.options.execute {
        return (not("that was not wanted"), Some(case.files()));
    }
    let Some(compiler) = &units.compiler else {
        return (not("there is no C compiler"), Some(case.files()));
    };
    let mut is_over = || clock.tick(&working("executing the test case")).is_break();
    let mut found = execute(&mut case, compiler, &mut is_over);
    let mut with_models = "";
    // A monitor watches calls of the library, which give what the run needs only where they are modelled.
    if units.rule.is_some() && matches!(found, Executed::Otherwise(_)) {
        let mut modelled = case.clone();
        modelled.units.extend(library(program));
        let again = execute(&mut modelled, compiler, &mut is_over);
        if matches!(again, Executed::Failed { .. }) {
            (case, found) = (modelled, again);
            with_models = ", with our models of the library";
        }
    }
    let note = match found {
        Executed::Failed {
            compiler,
            is_other_machine,
            said,
        } => {
            let machine = match is_other_machine {
                true => ", for 64 bits",
                false => "",
            };
            let what = match said {
                Some(said) => said.to_string(),
                None => {
                    let place = target.place.map(|it| format!(" at {it}"));
                    format!(
                        "{}{}",
                        comes_to(content, target.aim, &case),
                        place.unwrap_or_default()
                    )
                }
            };
            Note::new(format!(
                "executed: {what} ({compiler}{machine}{with_models})"
            ))
        }
        Executed::Otherwise(how) => {
            let is_open = given.iter().any(|it| it.why == Unknown::Uninitialised);
            not(&match is_open {
                true => format!("{how}; it depends on a variable that was never given a value"),
                false => how,
            })
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

/// The models of the library that the program was built with.
fn library(program: &CProgram) -> impl Iterator<Item = Unit> {
    let sources = program.built.module.sources.iter();
    let ours = sources.filter(|source| source.name.starts_with(LIBRARY));
    ours.map(|source| Unit {
        name: source.name.to_string(),
        text: source.text.clone(),
        options: Vec::new(),
    })
}

/// What happens at the end, in words.
fn comes_to(content: &CContent, aim: Aim<'_>, case: &TestCase) -> String {
    let failure = match (aim, &case.goal) {
        (Aim::Failure(failure), _) => failure,
        (Aim::Never { .. }, Goal::Never { turn, .. }) if *turn < case.values.len() => {
            return format!("it goes round {ROUNDS} times and on");
        }
        (Aim::Never { .. }, _) => return "it is still running after a second".to_owned(),
        (Aim::End, _) => return "it ends".to_owned(),
    };
    let rule = content.units.rule.as_ref();
    if let Some((rule, guard)) = rule.and_then(|rule| Some((rule, rule.failed(failure)?))) {
        return rule.in_words(guard);
    }
    match failure {
        Failure::Error(ErrorKind::Call(name)) | Failure::Function(name) => {
            format!("`{name}` is called")
        }
        Failure::Error(ErrorKind::Assertion(text)) => format!("the assertion `{text}` fails"),
        Failure::Error(ErrorKind::Abort) => "`abort` is called".to_owned(),
        Failure::Label(name) => format!("label {name} is reached"),
        Failure::Check(_) => "it fails".to_owned(),
    }
}

/// The run as a test case, or why there is none.
fn test_case(
    content: &CContent,
    program: &CProgram,
    target: Target<'_>,
    given: &[Given],
) -> Result<TestCase, String> {
    let module = program.executed();
    let is_variable = |name: &str| {
        let mut globals = module.globals.iter();
        globals.any(|it| *it.name == *name) && module.find_function(name).is_none()
    };
    let (mut values, mut variables) = (Vec::new(), Vec::new());
    let mut before_turn = 0;
    for (number, it) in given.iter().enumerate() {
        if matches!(target.aim, Aim::Never { turn, .. } if number == turn) {
            before_turn = values.len();
        }
        match &it.why {
            Unknown::External(name) if is_variable(name) => {
                if it.scalar == Some(Scalar::Pointer) && it.bytes.iter().any(|&it| it != 0) {
                    return Err(format!("`{name}` is a pointer that is defined nowhere"));
                }
                variables.push((name.to_string(), it.bytes.clone()));
            }
            Unknown::Nondet(name) | Unknown::External(name) => values.push(Value {
                function: name.to_string(),
                kind: value(it.scalar, &it.bytes)
                    .ok_or_else(|| format!("`{name}` returns what no test can give"))?,
            }),
            Unknown::Memory => values.push(Value {
                function: MALLOC.to_owned(),
                kind: ValueKind::Int(i64::from(it.bytes.iter().any(|&it| it != 0))),
            }),
            // The function that the run begins with gets its arguments from the text that calls it.
            Unknown::Uninitialised | Unknown::NotComputed | Unknown::Input => {}
        }
    }
    let rule = content.units.rule.as_ref();
    let goal = match target.aim {
        Aim::Failure(failure) => match rule.and_then(|rule| Some((rule, rule.failed(failure)?))) {
            Some((rule, guard)) => rule.goal(guard),
            None => goal(module, failure)?,
        },
        Aim::End => Goal::End,
        Aim::Never { turn, diverges } => Goal::Never {
            diverges,
            turn: match turn < given.len() {
                true => before_turn,
                false => values.len(),
            },
        },
    };
    let units = &content.units;
    let texts = units.texts.iter().enumerate();
    Ok(TestCase {
        units: texts
            .map(|(number, text)| Unit {
                name: text.name.to_string(),
                text: match rule.and_then(|rule| rule.compiled(number)) {
                    Some(compiled) => compiled.to_vec(),
                    None => text.text.clone(),
                },
                options: units.options.compiler.clone(),
            })
            .collect(),
        values,
        variables,
        absent: Vec::new(),
        goal,
        start: match (&units.options.entry, target.start) {
            (Some(function), Ok(Some(text))) if function != "main" => Some(recurva_ctest::Start {
                function: function.clone(),
                text: text.to_owned(),
            }),
            (_, Ok(_)) => None,
            (_, Err(why)) => return Err(why.to_owned()),
        },
        arguments: target.arguments.to_vec(),
        support: rule.map(|_| Rule::run_time()).unwrap_or_default(),
    })
}

/// What a test case must come to.
fn goal(module: &Module, failure: &Failure) -> Result<Goal, String> {
    Ok(match failure {
        Failure::Error(ErrorKind::Assertion(_)) => Goal::Assertion,
        Failure::Error(ErrorKind::Call(name)) | Failure::Function(name) => {
            Goal::Call(name.to_string())
        }
        Failure::Error(ErrorKind::Abort) => Goal::Abort,
        Failure::Check(check) => Goal::Undefined(fault(*check)?),
        Failure::Label(label) => {
            let functions = module.functions.iter();
            let mut inside =
                functions.filter(|it| it.labels.iter().any(|found| *found.name == **label));
            let function = inside.next().ok_or("its label is nowhere")?;
            Goal::Label {
                function: function.name.to_string(),
                label: label.to_string(),
            }
        }
    })
}

/// What must be looked for.
fn fault(check: Check) -> Result<Fault, String> {
    Ok(match check {
        Check::Overflow | Check::Division | Check::Shift | Check::Conversion => Fault::Arithmetic,
        Check::Bounds | Check::Null | Check::Lifetime | Check::Free | Check::Call => Fault::Memory,
        Check::Leak => Fault::Leak,
        Check::Uninitialised => {
            return Err(
                "what a variable holds that was never given a value cannot be forced".into(),
            );
        }
    })
}

/// The value of bytes in memory.
pub(super) fn value(scalar: Option<Scalar>, bytes: &[u8]) -> Option<ValueKind> {
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
        Scalar::Float(Float::Single) => ValueKind::Float(f32::from_bits(bits as u32)),
        Scalar::Float(_) => ValueKind::Double(f64::from_bits(bits)),
    })
}
