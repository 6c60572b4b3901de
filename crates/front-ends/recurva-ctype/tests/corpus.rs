//! Programs that a compiler accepts are accepted.

#![allow(clippy::print_stderr, reason = "tests say what they skip")]

mod support;

use std::path::{Path, PathBuf};

use recurva_ctype::Target;
use support::{checked, gcc, render};

/// Where the programs are; they are not part of the repository.
fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench")
}

fn files(folder: &Path, endings: &[&str], out: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, endings, out);
        } else if path
            .extension()
            .is_some_and(|it| endings.iter().any(|end| it == *end))
        {
            out.push(path);
        }
    }
    out.sort();
}

/// Checks all files; the messages about those that are refused.
fn refused(files: &[PathBuf], target: Target, is_preprocessed: bool) -> Vec<String> {
    let mut messages = Vec::new();
    for file in files {
        let text = match is_preprocessed {
            true => std::fs::read(file).expect("the file can be read"),
            false => {
                let Some(text) = gcc(&["-E", "-w", "-x", "c"], file) else {
                    continue;
                };
                text
            }
        };
        match checked(&text, target) {
            Err(unreadable) => messages.push(format!("{}: {unreadable}", file.display())),
            Ok(checked) if checked.diagnostics.has_errors() => {
                messages.push(render(
                    &file.display().to_string(),
                    &text,
                    &checked.diagnostics,
                ));
            }
            Ok(_) => {}
        }
    }
    messages
}

fn all_are_accepted(folder: &str, endings: &[&str], target: Target, is_preprocessed: bool) {
    let mut list = Vec::new();
    files(&programs().join(folder), endings, &mut list);
    if list.is_empty() {
        eprintln!("there are no programs in {folder}: skipped");
        return;
    }
    let messages = refused(&list, target, is_preprocessed);
    assert!(
        messages.is_empty(),
        "{} of {} are refused:\n{}",
        messages.len(),
        list.len(),
        messages.join("\n")
    );
}

#[test]
fn verification_tasks() {
    all_are_accepted("c", &["c", "i"], Target::ilp32(), true);
}

#[test]
fn programs_about_semantics() {
    all_are_accepted("c-semantics", &["c"], Target::lp64(), false);
}
