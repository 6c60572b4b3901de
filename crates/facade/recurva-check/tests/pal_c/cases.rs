//! The case studies of the thesis (§5.4) without running them: violated, and repaired.

use std::path::{Path, PathBuf};

use recurva_check::{COptions, Certify, Verdict, open};

use crate::workshop::{Said, asked, has_compiler};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../examples/pal")
        .join(name)
}

fn with(options: &[&str]) -> COptions {
    COptions {
        compiler: options.iter().map(|it| (*it).to_owned()).collect(),
        ..COptions::default()
    }
}

/// What is said of the guard in a line of the monitor.
fn on_line(said: &[Said], line: u32) -> &Said {
    let found = said.iter().find(|it| it.line() == line);
    found.expect("a guard on that line")
}

pub(crate) fn is_violated(said: &Said) {
    assert_eq!(
        said.verdict,
        Verdict::Violated,
        "{}: {}",
        said.name,
        said.notes
    );
    let is_executed = said.notes.contains("executed: the guard of event");
    assert!(
        is_executed && !said.notes.contains("not executed"),
        "{}",
        said.notes
    );
}

pub(crate) fn is_proved(said: &Said) {
    assert_eq!(
        said.verdict,
        Verdict::Holds,
        "{}: {}",
        said.name,
        said.notes
    );
    assert!(said.has_proof, "{}: {}", said.name, said.notes);
}

#[test]
fn locks_are_taken_and_given_back_in_turns() {
    if !has_compiler() {
        return;
    }
    let said = asked(
        &example("c/device.c"),
        &example("c/device.pal"),
        with(&[]),
        Certify::Always,
    );
    is_violated(on_line(&said, 9));
    is_proved(on_line(&said, 15));
    let said = asked(
        &example("c/device.c"),
        &example("c/device.pal"),
        with(&["-DFIXED"]),
        Certify::Always,
    );
    said.iter().for_each(is_proved);
    assert_eq!(said.len(), 2);
}

#[test]
fn fcron_leaks_a_descriptor() {
    if !has_compiler() {
        return;
    }
    let files = |options: &[&str]| COptions {
        models: vec![open(&example("c/files.c")).expect("it can be read")],
        ..with(options)
    };
    let (program, rule) = (example("c/fcron.c"), example("c/fcron.pal"));
    let said = asked(&program, &rule, files(&[]), Certify::Never);
    is_violated(on_line(&said, 26));
    let said = asked(&program, &rule, files(&["-DFIXED"]), Certify::Never);
    assert_eq!(
        on_line(&said, 26).verdict,
        Verdict::Holds,
        "{}",
        on_line(&said, 26).notes
    );
}

#[test]
fn writes_that_the_stack_forbids() {
    if !has_compiler() {
        return;
    }
    let program = example("c/writer.c");
    let said = asked(
        &program,
        &example("on_stack.pal"),
        with(&[]),
        Certify::Never,
    );
    is_violated(&said[0]);
    let said = asked(
        &program,
        &example("on_stack.pal"),
        with(&["-DFIXED"]),
        Certify::Never,
    );
    assert_eq!(said[0].verdict, Verdict::Holds, "{}", said[0].notes);
    // Looking at the stack is not enough for what has ever been on it.
    let said = asked(
        &program,
        &example("ever.pal"),
        with(&["-DFIXED"]),
        Certify::Never,
    );
    is_violated(&said[0]);
    let said = asked(
        &program,
        &example("ever.pal"),
        with(&["-DFIXED", "-DLAST"]),
        Certify::Never,
    );
    assert_eq!(said[0].verdict, Verdict::Holds, "{}", said[0].notes);
}

#[test]
fn errors_are_logged_before_the_routine_returns() {
    if !has_compiler() {
        return;
    }
    let (program, rule) = (example("c/logging.c"), example("c/logging.pal"));
    let said = asked(&program, &rule, with(&[]), Certify::Never);
    assert_eq!(
        on_line(&said, 20).verdict,
        Verdict::Holds,
        "{}",
        on_line(&said, 20).notes
    );
    is_violated(on_line(&said, 27));
    let said = asked(&program, &rule, with(&["-DFIXED"]), Certify::Never);
    assert_eq!(
        on_line(&said, 27).verdict,
        Verdict::Holds,
        "{}",
        on_line(&said, 27).notes
    );
}
