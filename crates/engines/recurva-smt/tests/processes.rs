//! Solvers that are none: shell scripts that print anything, too much or nothing, and wait.
#![cfg(unix)]
#![allow(clippy::print_stderr, reason = "says what could not be tried")]

mod common;

use std::{
    fs,
    ops::ControlFlow,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    time::Duration,
};

use common::go_on;
use recurva_smt::{
    Answer, Op, Scalar, Sort, Term, Terms, Unknown, Value,
    process::{Tool, ToolKind, ToolLimits, solve_once},
};

/// A program that says that it is z3, and else does what a script does.
fn fake(folder: &Path, script: &str) -> Tool {
    let path: PathBuf = folder.join("solver");
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'Z3 version 9.9.9 - 64 bit'; exit; fi\n{script}\n"
    );
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    // While another test starts a process, that one may hold the file open for writing.
    let mut tries = (0..1000).map(|_| Tool::of(ToolKind::Z3, &path));
    let tool = tries.find_map(|it| it).unwrap();
    assert_eq!((tool.version(), tool.program()), ("9.9.9", &*path));
    tool
}

/// `x = 3`
fn question(terms: &mut Terms) -> Term {
    let x = terms.variable("x", Sort::Bits(8));
    let three = terms.bits(3, 8);
    terms.equal(x, three)
}

fn ask(script: &str, limits: &ToolLimits) -> Answer {
    let folder = tempfile::tempdir().unwrap();
    let tool = fake(folder.path(), script);
    let mut terms = Terms::default();
    let formula = question(&mut terms);
    solve_once(&tool, &terms, &[formula], limits, &mut go_on)
}

fn complaint(script: &str) -> String {
    match ask(script, &ToolLimits::default()) {
        Answer::Unknown(Unknown::Solver(why)) => why,
        other => panic!("{script}: {other:?}"),
    }
}

#[test]
fn what_a_solver_may_say() {
    let model = "echo sat; echo '((define-fun $x () (_ BitVec 8) #x03))'";
    assert!(ask(model, &ToolLimits::default()).is_satisfiable());
    let read_all = format!("cat >/dev/null; {model}");
    assert!(ask(&read_all, &ToolLimits::default()).is_satisfiable());
    let unsat = "echo unsat; echo '(error \"no model\")'; exit 1";
    assert!(ask(unsat, &ToolLimits::default()).is_unsatisfiable());
}

#[test]
fn lies_and_rubbish() {
    for (script, says) in [
        (
            "echo sat; echo '((define-fun $x () (_ BitVec 8) #x04))'",
            "not all is true",
        ),
        ("echo sat; echo '()'", "not all is true"),
        ("echo sat", "gives no answer"),
        (
            "echo sat; echo '((define-fun $x () Int 4))'",
            "cannot be read",
        ),
        ("echo sat; echo '(((('", "cannot be read"),
        ("echo unsat; echo sat", "gives no answer"),
        ("echo 'unsat)'", "cannot be read"),
        ("echo Hello, world", "gives no answer: Hello"),
        ("echo unknown", "does not know"),
        ("true", "nothing"),
        ("echo broken >&2; exit 1", "broken"),
        ("kill -SEGV $$", "signal"),
        ("head -c 100000 /dev/urandom", ""),
        ("echo '(error \"line 1\")'", "line 1"),
        ("exit 127", "cannot be run"),
    ] {
        let why = complaint(script);
        assert!(why.contains(says), "{script}: {why}");
    }
    let limits = ToolLimits::default();
    let memory = ask("echo '(error \"out of memory\")'; exit 101", &limits);
    assert!(
        matches!(memory, Answer::Unknown(Unknown::Memory)),
        "{memory:?}"
    );
}

#[test]
fn what_takes_too_long_or_says_too_much() {
    let limits = ToolLimits {
        time: Some(Duration::from_millis(100)),
        ..ToolLimits::default()
    };
    for script in ["sleep 1000", "sleep 1000 & wait", "while :; do :; done"] {
        let answer = ask(script, &limits);
        assert!(
            matches!(answer, Answer::Unknown(Unknown::Time)),
            "{answer:?}"
        );
    }
    let limits = ToolLimits {
        output: 1 << 16,
        ..ToolLimits::default()
    };
    for script in ["yes", "yes >&2"] {
        let Answer::Unknown(Unknown::Solver(why)) = ask(script, &limits) else {
            panic!("{script}");
        };
        assert!(why.contains("too much"), "{why}");
    }
}

#[test]
fn a_process_is_ended_when_nobody_waits() {
    let folder = tempfile::tempdir().unwrap();
    let tool = fake(folder.path(), "trap '' TERM INT; while :; do sleep 1; done");
    let mut terms = Terms::default();
    let formula = question(&mut terms);
    let mut asked = 0;
    let mut ask = || {
        asked += 1;
        match asked > 10 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let answer = solve_once(&tool, &terms, &[formula], &ToolLimits::default(), &mut ask);
    assert!(
        matches!(answer, Answer::Unknown(Unknown::Stopped)),
        "{answer:?}"
    );
    // A program that is gone since it was found.
    fs::remove_file(tool.program()).unwrap();
    let answer = solve_once(
        &tool,
        &terms,
        &[formula],
        &ToolLimits::default(),
        &mut go_on,
    );
    assert!(
        matches!(answer, Answer::Unknown(Unknown::Solver(_))),
        "{answer:?}"
    );
    assert_eq!(Tool::of(ToolKind::Z3, tool.program()), None);
}

#[test]
fn real_solvers_have_limits_and_models() {
    for kind in [ToolKind::Z3, ToolKind::Cvc5] {
        let Some(tool) = Tool::find(kind) else {
            eprintln!("{kind} is not installed: not tried");
            continue;
        };
        let mut terms = Terms::default();
        let array = terms.variable("a|b", Sort::Array(Scalar::Bits(32), Scalar::Bits(8)));
        let index = terms.variable("and", Sort::Bits(32));
        let number = terms.variable("", Sort::Int);
        let minus = terms.int(-7);
        let is_minus = terms.equal(number, minus);
        let element = terms.select(array, index);
        let value = terms.bits(200, 8);
        let is_there = terms.equal(element, value);
        let formulas = [is_minus, is_there];
        let limits = ToolLimits::default();
        let Answer::Satisfiable(model) = solve_once(&tool, &terms, &formulas, &limits, &mut go_on)
        else {
            panic!("{kind}");
        };
        assert_eq!(model.value(&terms, number), Some(Value::Int(-7)));
        assert_eq!(model.value(&terms, element), Some(Value::Bits(200)));
        // Factors of a large number.
        let [x, y] = ["x", "y"].map(|it| terms.variable(it, Sort::Bits(64)));
        let [wide_x, wide_y] = [x, y].map(|it| terms.zero_extend(it, 64));
        let product = terms.multiply(wide_x, wide_y);
        let number = terms.bits(4_294_967_291 * 4_294_967_279, 128);
        let same = terms.equal(product, number);
        let two = terms.bits(2, 64);
        let is_more = [x, y].map(|it| terms.apply(Op::UnsignedLess, &[two, it]));
        let formulas = [same, is_more[0], is_more[1]];
        let limits = ToolLimits {
            time: Some(Duration::from_millis(300)),
            ..ToolLimits::default()
        };
        let answer = solve_once(&tool, &terms, &formulas, &limits, &mut go_on);
        assert!(
            matches!(answer, Answer::Unknown(Unknown::Time)),
            "{kind}: {answer:?}"
        );
        let limits = ToolLimits {
            memory: Some(8 << 20),
            time: Some(Duration::from_secs(60)),
            ..ToolLimits::default()
        };
        if kind == ToolKind::Z3 {
            let answer = solve_once(&tool, &terms, &formulas, &limits, &mut go_on);
            assert!(
                matches!(answer, Answer::Unknown(Unknown::Memory)),
                "{kind}: {answer:?}"
            );
        }
    }
}
