//! Every answer in the corpus, worked out again by the fixpoint over fully enumerated data,
//! and every given length of a counterexample by brute force.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use recurva_lang::{
    bp,
    machine::{self, Format},
    rem,
};
use recurva_logic::monitor;
use recurva_model::{FailureKind, Monitor, Point, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    brute,
    corpus::{self, Case, Dialect, Verdict},
    oracle,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

fn read(path: &Path) -> Source {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    Source::from_bytes(path.display().to_string(), bytes).expect("a readable source")
}

fn program(case: &Case) -> Program {
    let source = read(&case.model);
    let dialect = match case.dialect {
        Dialect::Boppo => bp::Dialect::Boppo,
        Dialect::Moped => bp::Dialect::Moped,
    };
    let parsed = match Format::of(&case.model) {
        Some(format) => machine::parse(&source, format),
        None if case.model.extension().is_some_and(|e| e == "rem") => rem::parse(&source),
        None => bp::parse(&source, &bp::Options { dialect }),
    };
    let errors = || parsed.diagnostics.render(&source, Style::Plain);
    let program = parsed.program.unwrap_or_else(|| panic!("{}", errors()));
    match case.check_arithmetic {
        true => program.with_arithmetic_checks(),
        false => program,
    }
}

fn monitor(path: &Path, program: &Program) -> Monitor {
    let source = read(path);
    let parsed = monitor::parse(&source, program);
    match parsed.monitors.as_deref() {
        Some([monitor]) => monitor.clone(),
        _ => panic!("{}", parsed.diagnostics.render(&source, Style::Plain)),
    }
}

/// The nodes the question is about.
fn targets(case: &Case, program: &Program) -> BTreeSet<Point> {
    let wanted = |name: &str| match &case.reach {
        Some(label) => name == label,
        None => name == "ERROR" || name == "SLIC_ERROR",
    };
    let labels = program.labels().iter().filter(|label| wanted(&label.name));
    let mut points: BTreeSet<Point> = labels.map(|label| label.point).collect();
    assert!(
        case.reach.is_none() || !points.is_empty(),
        "{}: no such label",
        case.name
    );
    if case.reach.is_none() {
        let checked = |kind| kind == FailureKind::Assertion || case.check_arithmetic;
        let failures = program
            .failures()
            .iter()
            .filter(|failure| checked(failure.kind));
        points.extend(failures.map(|failure| failure.point));
    }
    points
}

#[test]
fn verdicts_are_confirmed() {
    let cases = corpus::load(&folder()).expect("a readable corpus");
    assert!(cases.len() >= 80);
    let mut wrong = Vec::new();
    let mut confirmed = 0;
    let mut known = HashMap::new();
    for case in &cases {
        let program = program(case);
        let targets = targets(case, &program);
        let monitor = case.spec.as_ref().map(|path| monitor(path, &program));
        let limits = oracle::Limits {
            path_edges: 60_000,
            choices: 1 << 12,
        };
        let hit = match &monitor {
            None => {
                // Many cases share a model: its nodes are worked out once.
                let key = (case.model.clone(), case.check_arithmetic, case.dialect);
                let facts = known
                    .entry(key)
                    .or_insert_with(|| oracle::reachable(&program, &limits));
                facts
                    .as_ref()
                    .map(|facts| !facts.nodes.is_disjoint(&targets))
            }
            Some(monitor) => oracle::watched(&program, monitor, &limits).map(|facts| {
                facts
                    .watched
                    .iter()
                    .any(|&(_, state)| monitor.states()[state as usize].target)
            }),
        };
        // Data too wide to be enumerated in a test; the model has been read all the same.
        let Some(hit) = hit else { continue };
        confirmed += 1;
        if hit != (case.verdict == Verdict::Violated) {
            wrong.push(format!("{}: {:?} is wrong", case.name, case.verdict));
        }
        if let Some(shortest) = case.shortest {
            let limits = brute::Limits {
                configurations: 1_000_000,
                ..brute::Limits::default()
            };
            let steps = brute::distance(&program, monitor.as_ref(), &targets, &limits);
            if steps != Some(shortest) {
                wrong.push(format!("{}: shortest is {steps:?}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        confirmed * 5 > cases.len() * 3,
        "{confirmed} of {} confirmed",
        cases.len()
    );
}

#[test]
fn every_model_and_monitor_is_used() {
    let cases = corpus::load(&folder()).expect("a readable corpus");
    let real = |path: &PathBuf| path.canonicalize().expect("an existing file");
    let used: BTreeSet<PathBuf> = cases
        .iter()
        .flat_map(|case| [Some(&case.model), case.spec.as_ref()])
        .flatten()
        .map(real)
        .collect();
    let mut unused = Vec::new();
    let mut open = vec![folder(), folder().join("../examples")];
    while let Some(next) = open.pop() {
        for entry in std::fs::read_dir(&next).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            let extension = path.extension().and_then(|e| e.to_str());
            if path.is_dir() {
                open.push(path);
            } else if matches!(extension, Some("bp" | "rem" | "mon" | "rsm" | "pds"))
                && !used.contains(&real(&path))
            {
                unused.push(path);
            }
        }
    }
    assert!(unused.is_empty(), "{unused:?}");
}
