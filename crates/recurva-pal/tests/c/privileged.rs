//! Programs with rights that their callers have not, and logs that are none.

use std::{
    fs,
    os::unix::{
        fs::{MetadataExt, PermissionsExt, symlink},
        process::{CommandExt, ExitStatusExt},
    },
    process::{Command, Output},
};

use crate::build::{Workshop, has_compiler};

/// Every call of `act` is a violation.
const RULE: &str = "event { pattern { $? = act($1); } guard { 0 } }";

const PROGRAM: &str = "
#include <stdio.h>
#include <unistd.h>
static int act(int number) { return number; }
int main(void)
{
    printf(\"%d\\n\", (int)geteuid());
    fflush(stdout);
    printf(\"%d\\n\", act(1));
    return 0;
}
";

const NOBODY: u32 = 65534;

fn build(workshop: &Workshop) {
    let rule = workshop.write("rule.pal", RULE);
    let source = workshop.write("program.c", PROGRAM);
    let (source, out) = (source.to_string_lossy(), workshop.path("program"));
    let arguments = [
        "-Wall",
        "-Wextra",
        "-Werror",
        &source,
        "-o",
        &out.to_string_lossy(),
    ];
    let matched = workshop.monitored(&rule, &arguments).expect("it compiles");
    assert_eq!(matched, [1]);
}

fn run(workshop: &Workshop, policy: &str, log: &str, user: Option<u32>) -> Output {
    let mut command = Command::new(workshop.path("program"));
    command
        .env("RECURVA_PAL", policy)
        .env("RECURVA_PAL_LOG", log)
        .current_dir("/");
    if let Some(user) = user {
        command.uid(user).gid(user);
    }
    command.output().expect("the program can be run")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_set_user_id_program_does_not_read_the_environment() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    build(&workshop);
    let (folder, program) = (workshop.path(""), workshop.path("program"));
    if fs::metadata(&program).expect("it was built").uid() != 0 {
        eprintln!("not root here: no program is made set-user-id");
        return;
    }
    // Everybody may write here, so that nobody's own log can be created.
    fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).expect("it is ours");
    fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("it is ours");
    let log = |name: &str| workshop.path(name).to_string_lossy().into_owned();

    // Without rights of its own it does what its caller says.
    let ran = run(&workshop, "log", &log("own"), Some(NOBODY));
    assert_eq!(text(&ran.stdout), format!("{NOBODY}\n1\n"));
    assert_eq!(
        (ran.status.code(), text(&ran.stderr)),
        (Some(0), String::new())
    );
    let own = fs::metadata(workshop.path("own")).expect("the log");
    assert_eq!(own.uid(), NOBODY);

    fs::set_permissions(&program, PermissionsExt::from_mode(0o4755)).expect("it is ours");
    for policy in ["log", "count", "exit"] {
        let ran = run(&workshop, policy, &log("planted"), Some(NOBODY));
        if text(&ran.stdout).lines().next() != Some("0") {
            eprintln!("set-user-id programs have no effect here");
            return;
        }
        let (out, err) = (text(&ran.stdout), text(&ran.stderr));
        // SIGABRT, and not the policy's way out.
        assert_eq!(ran.status.signal(), Some(6), "{policy}: {out}{err}");
        assert_eq!(out, "0\n", "{policy}");
        assert!(err.contains("does not hold"), "{policy}: {err}");
        assert!(!workshop.path("planted").exists(), "{policy}");
    }
    // Root calls with root's own rights.
    let ran = run(&workshop, "log", &log("by_root"), None);
    assert_eq!(
        (ran.status.code(), text(&ran.stderr)),
        (Some(0), String::new())
    );
    assert!(workshop.path("by_root").exists());
}

#[test]
fn a_log_is_a_file() {
    if !has_compiler() {
        return;
    }
    let workshop = Workshop::new();
    build(&workshop);
    let path = |name: &str| workshop.path(name).to_string_lossy().into_owned();
    let said = |log: &str| text(&run(&workshop, "log", log, None).stderr);

    workshop.write("target", "kept\n");
    symlink(workshop.path("target"), workshop.path("link")).expect("a link");
    symlink(workshop.path("missing"), workshop.path("dangling")).expect("a link");
    workshop.command("mkfifo", &["pipe"]);
    for log in [
        &*path("link"),
        &path("dangling"),
        &path("pipe"),
        &path(""),
        "/dev/stderr",
    ] {
        assert!(said(log).contains("does not hold"), "{log}");
    }
    let target = fs::read_to_string(workshop.path("target")).expect("it is there");
    assert_eq!(target, "kept\n");
    assert!(!workshop.path("missing").exists());

    // What is there already is kept.
    assert_eq!(said(&path("target")), "");
    let target = fs::read_to_string(workshop.path("target")).expect("it is there");
    assert!(target.starts_with("kept\n") && target.contains("does not hold"));
    assert_eq!(said("/dev/null"), "");
}
