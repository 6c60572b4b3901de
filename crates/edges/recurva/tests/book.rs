//! The book, command by command: what a block of the kind `console` shows is what the command
//! prints, and what it draws is the picture that the book shows. `cargo xtask book --update`
//! accepts new output after reading it.

use std::{collections::BTreeSet, env, ffi::OsString, fs, iter, path::Path, process::Command};

/// Commands are run as a reader types them, at the root of a clone: of a copy, so that what they
/// write is not written into the project.
#[test]
fn commands_and_pictures() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let project = project.canonicalize().unwrap();
    let clone = tempfile::tempdir().unwrap();
    for folder in ["examples", "corpus"] {
        copy(&project.join(folder), &clone.path().join(folder));
    }
    let pages = format!("{}/docs/src/**/*.md", project.display());
    env::set_current_dir(clone.path()).unwrap();
    trycmd::TestCases::new().case(pages).run();

    let pictures = project.join("docs/src/pictures");
    let drawn = drawings(clone.path());
    if env::var_os("TRYCMD").is_some_and(|it| it == "overwrite") {
        for name in &drawn {
            fs::copy(clone.path().join(name), pictures.join(name)).unwrap();
        }
    }
    assert_eq!(
        drawn,
        drawings(&pictures),
        "pictures of the book: drawn, and there"
    );
    for name in &drawn {
        let drawn = fs::read_to_string(clone.path().join(name)).unwrap();
        let there = fs::read_to_string(pictures.join(name)).unwrap();
        assert!(
            drawn == there,
            "{name:?} has changed: cargo xtask book --update"
        );
    }
    for (commands, output) in in_c(&project.join("docs/src/questions/pal.md")) {
        run_in_c(clone.path(), &commands, &output);
    }
    // The folder goes away, and must not be anybody's current one.
    env::set_current_dir(&project).unwrap();
}

/// Blocks of the kind `sh gcc`, each with the block behind it: what is printed.
fn in_c(page: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(page).unwrap();
    let blocks: Vec<&str> = text.split("\n```").collect();
    let blocks = blocks.windows(3).filter_map(|window| {
        let commands = window[0].strip_prefix("sh gcc\n")?;
        let output = window[2].strip_prefix("text\n")?;
        Some((commands.to_owned(), output.to_owned()))
    });
    let blocks: Vec<_> = blocks.collect();
    assert!(!blocks.is_empty());
    blocks
}

/// Runs what needs a C compiler, if there is one. A program whose guard fails aborts, and says why
/// on the standard error.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn run_in_c(folder: &Path, commands: &str, expected: &str) {
    if Command::new("gcc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no gcc");
        return;
    }
    let program = Path::new(env!("CARGO_BIN_EXE_recurva"));
    let path = env::var_os("PATH").unwrap_or_default();
    let programs = iter::once(program.parent().unwrap().to_owned()).chain(env::split_paths(&path));
    let output = Command::new("sh")
        .args(["-c", commands])
        .current_dir(folder)
        .env("PATH", env::join_paths(programs).unwrap())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stderr).unwrap();
    let (start, _) = expected.split_once("\n...").unwrap_or((expected, ""));
    assert!(printed.starts_with(start), "{commands}\nprints\n{printed}");
}

fn drawings(folder: &Path) -> BTreeSet<OsString> {
    let names = fs::read_dir(folder)
        .unwrap()
        .map(|it| it.unwrap().file_name());
    names
        .filter(|it| Path::new(it).extension().is_some_and(|it| it == "svg"))
        .collect()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
