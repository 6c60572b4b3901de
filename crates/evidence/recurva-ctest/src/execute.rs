//! A test case, compiled and run.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::unix::{
        ffi::OsStrExt as _,
        process::{CommandExt as _, ExitStatusExt as _},
    },
    process::Command,
    time::{Duration, Instant},
};

use recurva_cc::{Compiler, Ended, Failure, run};

use crate::{FAILED, Report, STRAYED, TestCase, harness::is_compiled, instrument::Goal};

/// The exit code of a program that a sanitizer has ended.
const REPORTED: i32 = 89;

/// The signal that ends a program without a stack left.
const SEGV: i32 = 11;

/// A program that runs longer than this does something else than the run that it is to repeat, which
/// is short enough to be interpreted.
const LONGEST: Duration = Duration::from_secs(60);

/// What came of a test case.
#[derive(Debug)]
pub enum Executed {
    /// The program came to the goal.
    Failed {
        /// The compiler: `gcc 12.2.0`.
        compiler: String,
        /// Whether it was compiled for the machine at hand, as the compiler cannot make programs for
        /// the one that was asked for.
        is_other_machine: bool,
        /// What a sanitizer said.
        said: Option<Report>,
    },
    /// It did not: how it ended instead.
    Otherwise(String),
    /// It cannot be compiled, and what the compiler said.
    NotCompiled(String),
    /// Files cannot be written, or the compiler cannot be run.
    NotRun(io::Error),
    /// Nobody wanted to wait any longer.
    Stopped,
}

/// Compiles a test case and runs it.
pub fn execute(
    case: &mut TestCase,
    compiler: &Compiler,
    is_over: &mut dyn FnMut() -> bool,
) -> Executed {
    let executed = attempt_machines(case, compiler, is_over);
    let Executed::NotCompiled(said) = &executed else {
        return executed;
    };
    let absent = absent(said);
    if absent.is_empty() {
        return executed;
    }
    case.absent.extend(absent);
    attempt_machines(case, compiler, is_over)
}

/// The functions that a linker misses.
fn absent(said: &str) -> Vec<String> {
    let missing = said.lines().filter_map(|line| {
        let (_, name) = line.split_once("undefined reference to ")?;
        Some(name.trim_matches(['`', '\'', '"']).to_owned())
    });
    let mut names: Vec<String> = missing.collect();
    names.sort();
    names.dedup();
    names
}

/// For the machine that was asked for, or else for the one at hand.
fn attempt_machines(
    case: &TestCase,
    compiler: &Compiler,
    is_over: &mut dyn FnMut() -> bool,
) -> Executed {
    match attempt(case, compiler, false, is_over) {
        // Without the libraries for 32 bits: values are the same, only their types are wider.
        Executed::NotCompiled(said) if case_options(case).any(|it| it == "-m32") => {
            match attempt(case, compiler, true, is_over) {
                // Of two messages the one that says what is missing is of use.
                Executed::NotCompiled(other) if absent(&said).is_empty() => {
                    Executed::NotCompiled(other)
                }
                Executed::NotCompiled(_) => Executed::NotCompiled(said),
                other => other,
            }
        }
        other => other,
    }
}

fn case_options(case: &TestCase) -> impl Iterator<Item = &String> {
    case.units.iter().flat_map(|unit| &unit.options)
}

fn attempt(
    case: &TestCase,
    compiler: &Compiler,
    is_other_machine: bool,
    is_over: &mut dyn FnMut() -> bool,
) -> Executed {
    let folder = match tempfile::Builder::new().prefix("recurva-").tempdir() {
        Ok(folder) => folder,
        Err(cause) => return Executed::NotRun(cause),
    };
    let files = case.files();
    let program = folder.path().join("program");
    let mut words: Vec<OsString> = Vec::new();
    let options = files.options.iter();
    let kept = options.filter(|it| !(is_other_machine && *it == "-m32"));
    words.extend(kept.map(OsString::from));
    words.extend(["-o".into(), program.clone().into()]);
    for (name, text) in &files.sources {
        let path = folder.path().join(name);
        if let Err(cause) = fs::write(&path, text) {
            return Executed::NotRun(cause);
        }
        if is_compiled(name) {
            words.push(path.into());
        }
    }
    match compiler.run(&words, b"", is_over) {
        Ok(_) => {}
        Err(Failure::NotRun(_, cause)) => return Executed::NotRun(cause),
        Err(Failure::Said(said)) => return Executed::NotCompiled(said),
        Err(Failure::Stopped) => return Executed::Stopped,
    }
    let mut command = Command::new(&program);
    let sanitizers = format!("exitcode={REPORTED}:halt_on_error=1:abort_on_error=0");
    command
        .args(
            case.arguments
                .iter()
                .skip(1)
                .map(|it| OsStr::from_bytes(it)),
        )
        .current_dir(folder.path())
        .env("ASAN_OPTIONS", format!("{sanitizers}:detect_leaks=1"))
        .env("UBSAN_OPTIONS", &sanitizers)
        .env("LSAN_OPTIONS", format!("exitcode={REPORTED}"));
    if let Some(name) = case.arguments.first() {
        command.arg0(OsStr::from_bytes(name));
    }
    let begin = Instant::now();
    let mut is_too_long = || is_over() || begin.elapsed() > LONGEST;
    let finished = match run(&mut command, b"", &mut is_too_long) {
        Ok(finished) => finished,
        Err(cause) => return Executed::NotRun(cause),
    };
    let said = String::from_utf8_lossy(&finished.said).into_owned();
    let reached = |said| Executed::Failed {
        compiler: compiler.version().to_owned(),
        is_other_machine,
        said,
    };
    let is_undefined = matches!(case.goal, Goal::Undefined(_));
    match (finished.ended, finished.code()) {
        (Ended::Stopped, _) if begin.elapsed() > LONGEST => {
            Executed::Otherwise(format!("it did not end within {} s", LONGEST.as_secs()))
        }
        (Ended::Stopped, _) => Executed::Stopped,
        (_, Some(FAILED)) if !is_undefined => reached(None),
        (_, Some(REPORTED | 1)) if is_undefined => match Report::of(&said) {
            Some(report) => reached(Some(report)),
            None => Executed::Otherwise("it ended with another error".to_owned()),
        },
        (_, Some(STRAYED)) => Executed::Otherwise("it asked for other values".to_owned()),
        (_, Some(code)) => Executed::Otherwise(format!("it ended with the exit code {code}")),
        (Ended::With(status), None)
            if matches!(case.goal, Goal::Never { diverges: true, .. })
                && status.signal() == Some(SEGV) =>
        {
            reached(Some(Report {
                what: "it runs out of stack".to_owned(),
                line: None,
            }))
        }
        (Ended::With(status), None) => Executed::Otherwise(format!("it was ended: {status}")),
    }
}
