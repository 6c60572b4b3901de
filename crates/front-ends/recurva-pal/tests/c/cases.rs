//! The case studies of the thesis (§5.4), each violated and satisfied.

use crate::build::{Ran, Workshop, example, has_compiler};

fn built(workshop: &Workshop, monitor: &str, program: &str, options: &[&str]) -> Vec<usize> {
    let source = example(program);
    let out = workshop.path("program");
    let mut arguments = vec![
        "-std=c99",
        "-D_POSIX_C_SOURCE=200809L",
        "-Wall",
        "-Werror",
        "-O2",
    ];
    arguments.extend(options);
    let (source, out) = (source.to_string_lossy(), out.to_string_lossy());
    arguments.extend([&*source, "-o", &out]);
    workshop
        .monitored(&example(monitor), &arguments)
        .expect("it compiles without a warning")
}

fn violated(ran: &Ran, place: &str, guard: &str) {
    assert_eq!(ran.status, None, "aborted: {ran:?}");
    assert!(ran.err.contains(place), "{place} in {}", ran.err);
    assert!(ran.err.contains(guard), "{guard} in {}", ran.err);
}

#[test]
fn fcron_leaks_a_descriptor() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    workshop.write("fcron.allow", "root\nuser\n");
    let matched = built(&workshop, "c/fcron.pal", "c/fcron.c", &[]);
    assert_eq!(matched, [1, 1, 1]);
    let ran = workshop.run("program", &["user"], "abort");
    violated(
        &ran,
        "fcron.c:49: recurva pal: the guard after event 3",
        "open == 0",
    );
    assert_eq!(ran.out, "");
    // Not found: the file is closed, and the program exits while parseopt is pending.
    let ran = workshop.run("program", &["guest"], "abort");
    assert_eq!((ran.status, &*ran.err), (Some(1), ""));

    built(&workshop, "c/fcron.pal", "c/fcron.c", &["-DFIXED"]);
    let ran = workshop.run("program", &["user"], "abort");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""));
    assert_eq!(ran.out, "starting the editor\n");
}

#[test]
fn a_report_explains_what_happened() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    built(&workshop, "on_stack.pal", "c/writer.c", &[]);
    let ran = workshop.run("program", &["wi"], "abort");
    let source = example("c/writer.c").display().to_string();
    insta::assert_snapshot!(ran.report().replace(&source, "writer.c"));
    assert!(ran.err.contains("backtrace:\n"));
}

#[test]
fn nothing_is_written_while_foo_is_on_the_stack() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let matched = built(&workshop, "on_stack.pal", "c/writer.c", &[]);
    assert_eq!(matched, [1, 2]);
    let ran = workshop.run("program", &["wfw"], "abort");
    assert_eq!((ran.status, &*ran.out), (Some(0), "outside\noutside\n"));
    let ran = workshop.run("program", &["wi"], "abort");
    violated(
        &ran,
        "writer.c:8: recurva pal: the guard before event 1",
        "infoo == 0",
    );
    assert_eq!(ran.out, "outside\n");
}

#[test]
fn nothing_is_written_once_foo_has_been_on_the_stack() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    built(&workshop, "ever.pal", "c/writer.c", &[]);
    let ran = workshop.run("program", &["wwf"], "abort");
    assert_eq!(ran.status, Some(0));
    let ran = workshop.run("program", &["fw"], "abort");
    violated(&ran, "writer.c:8:", "!tainted");
}

#[test]
fn errors_are_logged_before_the_routine_returns() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    let matched = built(&workshop, "c/logging.pal", "c/logging.c", &[]);
    assert_eq!(matched, [2, 1, 1, 1]);
    let ran = workshop.run("program", &["disk line"], "abort");
    assert_eq!((ran.status, &*ran.out), (Some(0), "done\n"));
    assert_eq!(ran.err, "log: disk\nlog: line\n");
    let ran = workshop.run("program", &["line!"], "abort");
    violated(&ran, "logging.c:47:", "unlogged == 0");
}
