//! Tasks that are other programs' work.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use crate::{node::npm, solvers};

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// A folder of the benchmarks that several checkouts share: beside the project, or further out where
/// this is a worktree of it. There may be none.
pub(crate) fn shared(name: &str) -> PathBuf {
    let root = root();
    let folders = root.ancestors().skip(1);
    let mut folders = folders.map(|folder| folder.join("shared/bench").join(name));
    let found = folders.find(|folder| folder.is_dir());
    found.unwrap_or_else(|| root.join("../shared/bench").join(name))
}

/// A program of the workspace that is built for speed, as this task itself is.
pub(crate) fn release(name: &str) -> PathBuf {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    match std::env::current_exe() {
        Ok(task) => task.with_file_name(name),
        Err(_) => root().join("target/release").join(name),
    }
}

/// Builds the command line's program for speed.
pub(crate) fn build_release() -> Result<(), String> {
    match spawn(cargo().args(["build", "--release", "--package", "recurva"])) {
        code if code == ExitCode::SUCCESS => Ok(()),
        _ => Err("the command cannot be built".into()),
    }
}

/// All tests, doc tests included, and those of what is written in TypeScript.
pub(crate) fn test() -> ExitCode {
    solvers::install();
    let mut code = spawn(cargo().args(["test", "--workspace"]));
    for folder in ["editors/code", "crates/edges/recurva-explorer/page"] {
        if code == ExitCode::SUCCESS {
            code = npm(folder, "test");
        }
    }
    code
}

/// The tests of the book, each with what picks it.
const OF_THE_BOOK: [&[&str]; 2] = [&["--test", "pages"], &["--test", "book"]];

/// The book: its tests, then its pages, if mdBook is installed.
pub(crate) fn book() -> ExitCode {
    for tests in OF_THE_BOOK {
        let code = spawn(cargo().args(["test", "--package", "recurva"]).args(tests));
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    if Command::new("mdbook").arg("--version").output().is_err() {
        println!("no pages are made: there is no mdbook (cargo install mdbook)");
        return ExitCode::SUCCESS;
    }
    spawn(
        Command::new("mdbook")
            .args(["build", "docs"])
            .current_dir(root()),
    )
}

/// Writes the page of options, what the commands of the book print and its pictures; then the
/// book. What is wrong is told by its tests, and not while half of it is written.
pub(crate) fn update_book() -> ExitCode {
    for tests in OF_THE_BOOK {
        let mut command = cargo();
        command.args(["test", "--package", "recurva"]).args(tests);
        spawn(command.env("TRYCMD", "overwrite"));
    }
    book()
}

/// What the continuous integration runs.
pub(crate) fn ci() -> ExitCode {
    spawn(Command::new("bash").arg(".ci/run").current_dir(root()))
}

/// Random C programs, many more than the tests have time for.
pub(crate) fn csemantics() -> ExitCode {
    let mut command = cargo();
    command.args(["test", "--package", "recurva-cbuild", "--test", "random"]);
    command.args(["--", "--nocapture"]);
    command.env("RECURVA_PROGRAMS", "10000");
    spawn(command.env("RECURVA_CSMITH", "1000"))
}

/// Random C programs and their proofs, many more than the tests have time for.
pub(crate) fn proofs() -> ExitCode {
    let mut command = cargo();
    command.args(["test", "--release", "--package", "recurva-check"]);
    command.args(["--test", "c_proofs", "--", "--nocapture"]);
    spawn(command.env("RECURVA_PROGRAMS", "5000"))
}

/// Every fuzz target in turn, each for so many seconds.
pub(crate) fn fuzz(seconds: u64) -> ExitCode {
    let folder = root().join("fuzz").join("fuzz_targets");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("there is no folder fuzz/fuzz_targets");
        return ExitCode::from(2);
    };
    let mut targets: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    targets.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    targets.sort();
    for target in targets.iter().filter_map(|path| path.file_stem()) {
        let limit = format!("-max_total_time={seconds}");
        println!("fuzzing {} for {seconds} s", target.display());
        let mut command = Command::new("cargo");
        command
            .args(["+nightly", "fuzz", "run"])
            .arg(target)
            .args(["--", &limit]);
        let code = spawn(command.current_dir(root()));
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    ExitCode::SUCCESS
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

pub(crate) fn spawn(command: &mut Command) -> ExitCode {
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot run {}: {error}", command.get_program().display());
            ExitCode::FAILURE
        }
    }
}
