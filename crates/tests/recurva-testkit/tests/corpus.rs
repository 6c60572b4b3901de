//! Every answer in the corpus, worked out again by the fixpoint over fully enumerated data,
//! and every given length of a counterexample by brute force.

use std::{
    collections::{BTreeSet, HashMap},
    path::{Path, PathBuf},
};

use recurva_check::{Property, Question, Sort};
use recurva_corpus::{self as corpus, Case, Verdict};
use recurva_model::{FailureKind, Monitor, Point, Program};
use recurva_testkit::{brute, oracle};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../corpus")
}

/// The model and the monitor that watches it, if that is the question; `None` if the question is
/// not about finite runs of a program.
fn asked<'q>(questions: &'q [Question<'_>]) -> Option<(&'q Program, Option<&'q Monitor>)> {
    // All questions of a case are about the same program.
    match corpus::runs(questions.first()?)? {
        (_, property) if property.is_liveness() => None,
        (program, Property::Monitor(monitor)) => Some((program, Some(monitor))),
        (program, _) => Some((program, None)),
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
        let checked = |kind| match case.spec {
            Some(_) => kind == FailureKind::Guard,
            None => kind == FailureKind::Assertion || case.check_arithmetic,
        };
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
    let (mut about_runs, mut confirmed) = (0, 0);
    let mut known = HashMap::new();
    for case in &cases {
        let opened = case.open().expect(&case.name);
        // Its data is never narrow. The interpreter of C executes what is found there.
        if opened.model.sort() == Sort::C {
            continue;
        }
        let questions = opened.questions().expect(&case.name);
        about_runs += usize::from(corpus::runs(&questions[0]).is_some());
        let Some((program, monitor)) = asked(&questions) else {
            continue;
        };
        let targets = targets(case, program);
        let limits = oracle::Limits {
            path_edges: 60_000,
            choices: 1 << 12,
        };
        let hit = match monitor {
            None => {
                // Many cases share a model: its nodes are worked out once.
                let key = (
                    (case.model.clone(), case.spec.clone()),
                    case.check_arithmetic,
                    case.dialect,
                );
                let facts = known
                    .entry(key)
                    .or_insert_with(|| oracle::reachable(program, &limits));
                facts
                    .as_ref()
                    .map(|facts| !facts.nodes.is_disjoint(&targets))
            }
            Some(monitor) => oracle::watched(program, monitor, &limits).map(|facts| {
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
            let steps = brute::distance(program, monitor, &targets, &limits);
            if steps != Some(shortest) {
                wrong.push(format!("{}: shortest is {steps:?}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        confirmed * 5 > about_runs * 3,
        "{confirmed} of {about_runs} confirmed"
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
                // Monitors of C programs are tested by `recurva-pal`.
                if !path.ends_with("pal/c") {
                    open.push(path);
                }
            } else if matches!(
                extension,
                Some(
                    "bp" | "rem"
                        | "mon"
                        | "rsm"
                        | "nsm"
                        | "pds"
                        | "ltl"
                        | "caret"
                        | "hoa"
                        | "pal"
                        | "ntmu"
                        | "nta"
                        | "rmc"
                )
            ) && !used.contains(&real(&path))
            // It is no question about a model: it is asked whether it accepts any tree.
            && !path.ends_with("figure_4_1.nta")
            {
                unused.push(path);
            }
        }
    }
    assert!(unused.is_empty(), "{unused:?}");
}
