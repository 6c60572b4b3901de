//! Every case of the corpus, and the shared boolean programs where they are at hand: the
//! verdicts are the known ones, and every trace replays.
//!
//! The shared programs are looked for beside the project, or where `RECURVA_SHARED` says.

#![allow(clippy::print_stdout, reason = "what ran out of its share is printed")]

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use recurva_check::{
    Engine, Limit, Limits, Options, Progress, Property, Question, Sort, Verdict, Watch, check,
};
use recurva_corpus::{self as corpus, Case};
use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{FailureKind, Monitor, Point, Program};
use recurva_symbolic::{Answer, Config, Stopped, reach};
use recurva_syntax::Style;

/// What each question may take.
const TIME: Duration = Duration::from_secs(5);
const CONFIG: Config = Config {
    max_nodes: None,
    max_bytes: Some(512 << 20),
    liveness: true,
    merging: true,
    reordering: true,
    traces: true,
    tick_after: None,
};

fn parse(path: &Path, dialect: bp::Dialect) -> Result<Program, String> {
    let source = corpus::read(path)?;
    let parsed = bp::parse(&source, &bp::Options { dialect });
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.ok_or_else(errors)
}

/// Whether a target can be reached; the reason why that is not known otherwise.
fn ask(program: &Program, monitor: Option<&Monitor>, targets: &[Point]) -> Result<bool, Stopped> {
    let started = Instant::now();
    let finished = reach(program, monitor, targets, &CONFIG, |_| {
        if started.elapsed() > TIME {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    match finished.answer {
        Answer::Unreachable => Ok(false),
        Answer::Unfinished(stopped) | Answer::Stopped(stopped) => Err(stopped),
        Answer::Reached(trace) => {
            let claim = match monitor {
                Some(monitor) => Claim::Monitor(monitor.clone()),
                None => Claim::Reaches(targets.to_vec()),
            };
            let trace = *trace.expect("a trace");
            replay(program, trace, &claim).unwrap_or_else(|error| panic!("{error}"));
            Ok(true)
        }
    }
}

/// Stops a check when it has had its time.
struct Patience(Instant);

impl Watch for Patience {
    fn progress(&mut self, _: &Progress) -> ControlFlow<Limit> {
        if self.0.elapsed() > TIME {
            ControlFlow::Break(Limit::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Whether an infinite run violates a property, with and without slicing; every run found is
/// replayed.
fn ask_live(program: &Program, property: &Property, asked: Options) -> Result<bool, Limit> {
    let mut answers = [true, false].map(|slice| {
        let options = Options {
            engine: Engine::Symbolic,
            slice,
            limits: Limits {
                memory: CONFIG.max_bytes,
                ..asked.limits
            },
            ..asked
        };
        let mut patience = Patience(Instant::now());
        let outcome = check(program, property, &options, &mut patience).expect("it replays");
        assert_eq!(outcome.engine, "symbolic");
        match outcome.verdict {
            Verdict::Holds => Ok(false),
            Verdict::Violated => Ok(true),
            Verdict::Unknown(limit) => Err(limit),
        }
    });
    if let [Ok(sliced), Ok(whole)] = answers {
        assert_eq!(sliced, whole, "with and without slicing");
    }
    answers.sort_by_key(Result::is_err);
    let [answer, _] = answers;
    answer
}

/// Whether a question is violated, or the reason why that is not known; `None` if the engine
/// does not know such questions.
fn ask_question(question: &Question<'_>, options: Options) -> Option<Result<bool, String>> {
    let told = |why: Stopped| format!("{why:?}");
    let (program, property) = corpus::runs(question)?;
    Some(match property {
        Property::Caret(_) => return None,
        Property::Unreachable { points, .. } => ask(program, None, points).map_err(told),
        Property::Monitor(monitor) => ask(program, Some(monitor), &[]).map_err(told),
        _ => ask_live(program, property, options).map_err(|why| format!("{why:?}")),
    })
}

/// Whether one of the questions of a case is violated.
fn ask_case(case: &Case) -> Option<Result<bool, String>> {
    let opened = case.open().expect(&case.name);
    // Of a C program an engine's answer is only part of the answer.
    if opened.model.sort() == Sort::C {
        return None;
    }
    let questions = opened.questions().expect(&case.name);
    let mut violated = Ok(false);
    for question in &questions {
        match (ask_question(question, opened.options)?, &violated) {
            (Ok(true), _) => return Some(Ok(true)),
            (Err(why), Ok(_)) => violated = Err(why),
            (Ok(false) | Err(_), _) => {}
        }
    }
    Some(violated)
}

#[test]
fn the_corpus() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    for case in &cases {
        let expected = case.verdict == corpus::Verdict::Violated;
        match ask_case(case) {
            None => {}
            Some(Ok(found)) if found == expected => {}
            Some(Ok(found)) => wrong.push(format!("{}: violated is {found}", case.name)),
            Some(Err(stopped)) => open.push(format!("{}: {stopped}", case.name)),
        }
    }
    println!("not decided:\n{}", open.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open.len() * 20 <= cases.len(), "{} not decided", open.len());
}

#[test]
fn the_shared_programs() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let shared = std::env::var_os("RECURVA_SHARED").map_or(beside, PathBuf::from);
    let folder = shared.join("bench/bp");
    let Ok(manifest) = std::fs::read_to_string(folder.join("MANIFEST.tsv")) else {
        println!("skipped: the shared programs are not at hand");
        return;
    };
    let mut wrong = Vec::new();
    for line in manifest
        .lines()
        .skip(1)
        .filter(|line| !line.trim().is_empty())
    {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, expected, note, ..] = columns[..] else {
            panic!("a line of the manifest: {line}");
        };
        if note.contains("THREADS") {
            continue;
        }
        let program = parse(&folder.join(file), bp::Dialect::Boppo).expect("a program");
        let label = note
            .strip_prefix("label ")
            .and_then(|rest| rest.split(';').next());
        let targets = match label {
            Some(label) => match Property::label(&program, label.trim()) {
                Ok(Property::Unreachable { points, .. }) => points,
                _ => panic!("{file}: there is no label {label}"),
            },
            None => program
                .failures()
                .iter()
                .filter(|failure| failure.kind == FailureKind::Assertion)
                .map(|failure| failure.point)
                .collect(),
        };
        let found = ask(&program, None, &targets);
        if found != Ok(expected == "reachable") {
            wrong.push(format!("{file}: {expected}, but {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
