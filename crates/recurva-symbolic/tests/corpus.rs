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

use recurva_check::Property;
use recurva_corpus::{self as corpus, Case, Question};
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
        Answer::Stopped(stopped) => Err(stopped),
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

/// Whether the target of a case can be reached; `None` if it is about infinite runs.
fn ask_case(case: &Case) -> Option<Result<bool, Stopped>> {
    let Question {
        program,
        properties,
        ..
    } = Question::of(case).unwrap_or_else(|error| panic!("{}: {error}", case.name));
    match &properties[..] {
        [Property::Unreachable { points, .. }] => Some(ask(&program, None, points)),
        [Property::Monitor(monitor)] => Some(ask(&program, Some(monitor), &[])),
        _ => None,
    }
}

#[test]
fn the_corpus() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    for case in &cases {
        let expected = case.verdict == corpus::Verdict::Violated;
        let Some(answer) = ask_case(case) else {
            continue;
        };
        match answer {
            Ok(found) if found == expected => {}
            Ok(found) => wrong.push(format!("{}: reached is {found}", case.name)),
            Err(stopped) => open.push(format!("{}: {stopped:?}", case.name)),
        }
    }
    println!("not decided:\n{}", open.join("\n"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(open.len() * 20 <= cases.len(), "{} not decided", open.len());
}

#[test]
fn the_shared_programs() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
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
