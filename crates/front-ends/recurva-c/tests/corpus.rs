//! The C programs of the benchmarks are read, every one of them.
#![allow(clippy::print_stderr)]

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use recurva_c::{Places, ast, tokens};

fn bench(folder: &str) -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench");
    let root = root.join(folder);
    if !root.is_dir() {
        eprintln!("there is no folder {}: nothing is read", root.display());
        return None;
    }
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "c" || it == "i") {
                found.push(path);
            }
        }
    }
    found.sort();
    Some(found)
}

/// What cannot be read of a file, if anything.
fn complaint(path: &Path, text: &[u8]) -> Option<String> {
    let error = ast::parse(text).err()?;
    let all = tokens(text);
    let line = Places::new(text, &all).of(error.span().start).line;
    let from = error.span().start as usize;
    let rest = String::from_utf8_lossy(&text[from..text.len().min(from + 40)]);
    Some(format!("{}:{line}: {error}, not {rest:?}", path.display()))
}

#[test]
fn programs_that_are_to_be_checked() {
    let Some(files) = bench("c") else { return };
    let complaints: Vec<_> = files
        .iter()
        .filter_map(|path| complaint(path, &fs::read(path).unwrap()))
        .collect();
    assert!(!files.is_empty());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn programs_that_show_what_c_means() {
    let Some(files) = bench("c-semantics") else {
        return;
    };
    let mut complaints = Vec::new();
    for path in &files {
        let output = Command::new("gcc").args(["-E", "-w"]).arg(path).output();
        let Ok(output) = output else {
            eprintln!("there is no gcc: nothing is read");
            return;
        };
        complaints.extend(complaint(path, &output.stdout));
    }
    assert!(!files.is_empty());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
