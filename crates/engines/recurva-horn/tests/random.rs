//! Random programs: a proof never contradicts a search that looks at all states.

use std::{fs, ops::ControlFlow, os::unix::fs::PermissionsExt, time::Duration};

use recurva_encode::Numbers;
use recurva_horn::{Config, Outcome, prove};
use recurva_lang::bp;
use recurva_model::{NodeId, Point, ProcId, Program};
use recurva_smt::process::{Tool, ToolKind};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    generate::{self, generate},
    oracle::{self, Limits},
    rng::Rng,
};

fn program(seed: u64) -> Program {
    let config = generate::Config {
        bits: 4,
        integers: 60,
        arrays: 20,
        ..generate::Config::default()
    };
    let text = generate(seed, &config);
    let source = Source::new("random.bp", text).expect("a small source");
    let parsed = bp::parse(&source, &bp::Options::default());
    match parsed.program {
        Some(program) => program,
        None => panic!("{}", parsed.diagnostics.render(&source, Style::Plain)),
    }
}

fn points(program: &Program) -> Vec<Point> {
    let all = (0..).map(ProcId).zip(program.procedures());
    all.flat_map(|(procedure, it)| {
        let nodes = (0..it.nodes.len() as u32).map(NodeId);
        nodes.map(move |node| Point { procedure, node })
    })
    .collect()
}

/// What came of it.
#[derive(Debug, Default)]
struct Found {
    proofs: usize,
    /// How often the solver said of bits that a node is reached that is not.
    wrong_hints: usize,
}

/// Asks about nodes that are reached and nodes that are not.
fn compare(seeds: std::ops::Range<u64>, solver: &Tool) -> Found {
    let config = Config {
        time: Duration::from_secs(20),
        ..Config::new(solver.clone())
    };
    let mut found = Found::default();
    for seed in seeds {
        let program = program(seed);
        let Some(facts) = oracle::reachable(&program, &Limits::default()) else {
            continue;
        };
        let mut rng = Rng::new(seed);
        let (reached, unreached): (Vec<Point>, Vec<Point>) = points(&program)
            .into_iter()
            .partition(|it| facts.nodes.contains(it));
        let cases = [
            rng.pick(&reached).map(|&it| vec![it]),
            rng.pick(&unreached).map(|&it| vec![it]),
            Some(unreached.clone()),
        ];
        for targets in cases.into_iter().flatten().filter(|it| !it.is_empty()) {
            let is_reached = targets.iter().any(|it| facts.nodes.contains(it));
            let mut ask = || ControlFlow::Continue(());
            match prove(&program, &targets, &config, &mut ask) {
                Outcome::Proof(..) => {
                    assert!(!is_reached, "{targets:?} of program {seed} are reached");
                    found.proofs += 1;
                }
                Outcome::Reachable(stage) if stage.numbers == Numbers::Bits && !is_reached => {
                    found.wrong_hints += 1;
                }
                _ => {}
            }
        }
    }
    found
}

#[test]
fn a_proof_never_contradicts_a_search() {
    let solver = Tool::find(ToolKind::Z3).expect("z3 is needed for this test");
    let found = compare(0..40, &solver);
    assert!(found.proofs > 20 && found.wrong_hints == 0, "{found:?}");
}

/// Answers at random, and defines predicates at random.
const FAKE: &str = r#"#!/bin/sh
if [ "$1" = --version ]; then echo "Z3 version 4.8.12 - fake"; exit; fi
awk '
  { text = text $0; for (i = 1; i <= length($0); i += 7) sum = (sum * 31 + index("abcdefgh()0123456789 ", substr($0, i, 1))) % 9973 }
  /^\(declare-fun P/ { names[++count] = $2; sub(/^[^(]*\(declare-fun P[0-9]+ /, ""); lines[count] = $0 }
  END {
    if (sum % 7 == 0) { print "unsat"; exit }
    if (sum % 7 == 1) { print "unknown"; exit }
    if (sum % 7 == 2) { print "sat\n((define-fun"; exit }
    print "sat"; print "(";
    for (i = 1; i <= count; i++) {
      line = lines[i]; parameters = ""; number = 0; first = ""
      gsub(/\) Bool\)$/, "", line); sub(/^\(/, "", line)
      gsub(/\(_ BitVec [0-9]+\)/, "&;", line); gsub(/Int|Bool/, "&;", line)
      many = split(line, sorts, ";")
      for (j = 1; j < many; j++) {
        sort = sorts[j]; gsub(/^ +/, "", sort)
        parameters = parameters " (x" j " " sort ")"
        if (sort == "Bool") first = first " x" j
        if (sort == "Int") first = first " (<= x" j " " (sum + i) % 5 ")"
      }
      body = (sum + i) % 3 == 0 ? "true" : (sum + i) % 3 == 1 ? "false" : "(and true" first ")"
      print "(define-fun " names[i] " (" parameters ") Bool " body ")"
    }
    print ")"
  }'
"#;

#[test]
fn a_solver_that_lies_proves_nothing_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("z3");
    fs::write(&path, FAKE).expect("it is written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it can be run");
    let solver = Tool::of(ToolKind::Z3, &path).expect("it says that it is z3");
    compare(1_000..1_060, &solver);
}
