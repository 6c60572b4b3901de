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

use recurva_evidence::{Claim, replay};
use recurva_lang::{
    bp,
    machine::{self, Format},
};
use recurva_logic::monitor;
use recurva_model::{FailureKind, Monitor, Point, Program};
use recurva_symbolic::{Answer, Config, Stopped, reach};
use recurva_syntax::{Source, Style};
use recurva_testkit::corpus::{self, Case, Dialect};

/// What each question may take.
const TIME: Duration = Duration::from_secs(5);
const CONFIG: Config = Config {
    max_nodes: None,
    max_bytes: Some(512 << 20),
    liveness: true,
    merging: true,
    traces: true,
};

fn read(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Source::from_bytes(path.display().to_string(), bytes).expect("a readable source")
}

fn parse(path: &Path, dialect: bp::Dialect) -> Result<Program, String> {
    let source = read(path);
    if let Some(format) = Format::of(path) {
        let parsed = machine::parse(&source, format);
        let errors = || parsed.diagnostics.render(&source, Style::Plain);
        return parsed.program.ok_or_else(errors);
    }
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

fn labelled(program: &Program, name: &str) -> Vec<Point> {
    let labels = program.labels().iter();
    let points: Vec<Point> = labels
        .filter(|label| &*label.name == name)
        .map(|label| label.point)
        .collect();
    assert!(!points.is_empty(), "there is no label {name}");
    points
}

/// The nodes that are errors by themselves, as the command line asks for them.
fn own_targets(program: &Program) -> Vec<Point> {
    let errors = program.labels().iter();
    let errors = errors.filter(|label| matches!(&*label.name, "ERROR" | "SLIC_ERROR"));
    let failures = program.failures().iter().map(|failure| failure.point);
    errors.map(|label| label.point).chain(failures).collect()
}

fn ask_case(case: &Case) -> Result<bool, Stopped> {
    let dialect = match case.dialect {
        Dialect::Boppo => bp::Dialect::Boppo,
        Dialect::Moped => bp::Dialect::Moped,
    };
    let mut program = parse(&case.model, dialect).unwrap_or_else(|errors| panic!("{errors}"));
    if case.check_arithmetic {
        program = program.with_arithmetic_checks();
    }
    if let Some(label) = &case.reach {
        return ask(&program, None, &labelled(&program, label));
    }
    let Some(path) = &case.spec else {
        return ask(&program, None, &own_targets(&program));
    };
    let source = read(path);
    let parsed = monitor::parse(&source, &program);
    match parsed.monitors.as_deref() {
        Some([monitor]) => ask(&program, Some(monitor), &[]),
        _ => panic!("{}", parsed.diagnostics.render(&source, Style::Plain)),
    }
}

#[test]
fn the_corpus() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let cases = corpus::load(&folder).expect("a readable corpus");
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    for case in &cases {
        let expected = case.verdict == corpus::Verdict::Violated;
        match ask_case(case) {
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
            Some(label) => labelled(&program, label.trim()),
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
