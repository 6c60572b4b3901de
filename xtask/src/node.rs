//! What is written in TypeScript: installed, built and tested by npm.

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::SystemTime,
};

use crate::run::{root, spawn};

/// Runs a script of the package in a folder of the workspace, its dependencies installed first
/// where they are missing or older than the lock file. Without npm it says so and goes on.
///
/// The script finds the command line's program in the environment variable
/// `RECURVA_BIN`: the one that the tests have built.
pub(crate) fn npm(folder: &str, script: &str) -> ExitCode {
    let folder = root().join(folder);
    if Command::new("npm").arg("--version").output().is_err() {
        println!(
            "there is no npm: `npm run {script}` in {} is left out",
            folder.display()
        );
        return ExitCode::SUCCESS;
    }
    if !is_installed(&folder) {
        let code = spawn(Command::new("npm").arg("ci").current_dir(&folder));
        if code != ExitCode::SUCCESS {
            return code;
        }
    }
    let mut command = Command::new("npm");
    command.args(["run", script]).current_dir(&folder);
    if let Some(program) = program() {
        command.env("RECURVA_BIN", program);
    }
    spawn(&mut command)
}

/// Whether what is installed is not older than the lock file.
fn is_installed(folder: &Path) -> bool {
    let changed = |name: &str| -> Option<SystemTime> {
        let data = std::fs::metadata(folder.join(name)).ok()?;
        data.modified().ok()
    };
    // npm writes this file when it has installed everything.
    let installed = changed("node_modules/.package-lock.json");
    installed.is_some_and(|time| changed("package-lock.json").is_none_or(|lock| lock <= time))
}

/// The command line's program as the tests use it. This task itself is built for speed, in a folder
/// beside theirs.
fn program() -> Option<PathBuf> {
    let name = format!("recurva{}", std::env::consts::EXE_SUFFIX);
    let task = std::env::current_exe().ok()?;
    let program = task.parent()?.with_file_name("debug").join(name);
    program.is_file().then_some(program)
}
