//! Answers that are kept, and findings that are known: `--cache` and `--baseline`.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
    thread,
};

use serde_json::Value;

/// Two functions that others can call: one gives the lock back, one may not.
const CODE: &str = "void reach_error(void);
static int held;
static void lock(void) { if (held) reach_error(); held = 1; }
static void unlock(void) { if (!held) reach_error(); held = 0; }
void good(int n) { for (int i = 0; i < (n & 3); i++) { lock(); unlock(); } }
void bad(int n) { lock(); if (n != 5) unlock(); lock(); }
";

fn check(folder: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_recurva"))
        .args(["check", "code.i", "--entries", "external", "--no-execute"])
        .args(options)
        .current_dir(folder)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The line of a function in the table.
fn line(output: &Output, entry: &str) -> String {
    let text = text(output);
    let found = text.lines().rfind(|line| line.starts_with(entry));
    found
        .unwrap_or_else(|| panic!("no line for {entry}:\n{text}"))
        .to_owned()
}

#[test]
fn answers_are_kept_while_nothing_changes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code.i");
    fs::write(&file, CODE).unwrap();
    let with_cache = || check(folder.path(), &["--cache", "kept"]);
    let first = with_cache();
    assert_eq!(first.status.code(), Some(1), "{first:?}");
    for (entry, verdict) in [("good", "holds"), ("bad", "violated")] {
        assert!(line(&first, entry).contains(verdict));
        assert!(!line(&first, entry).contains("reused"));
        assert!(line(&with_cache(), entry).contains("[reused]"));
    }
    // Other places, other names of variables.
    fs::write(
        &file,
        format!(
            "\n\n{}",
            CODE.replace("int i", "int k")
                .replace("; i ", "; k ")
                .replace("i++", "k++")
        ),
    )
    .unwrap();
    let moved = with_cache();
    assert!(
        line(&moved, "good").contains("[reused]"),
        "{}",
        text(&moved)
    );
    assert!(line(&moved, "bad").contains("[reused]"), "{}", text(&moved));
    assert_eq!(moved.status.code(), Some(1));
    // The bug is repaired, and another one made.
    fs::write(
        &file,
        CODE.replace("n != 5", "1")
            .replace("n & 3", "n & 3 || (lock(), 0)"),
    )
    .unwrap();
    let changed = with_cache();
    assert!(!text(&changed).contains("reused"), "{}", text(&changed));
}

#[test]
fn damaged_files_and_other_commands_do_no_harm() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("code.i"), CODE).unwrap();
    let with_cache = || check(folder.path(), &["--cache", "kept"]);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(with_cache().status.code(), Some(1)));
        }
    });
    let kept = folder.path().join("kept");
    let files: Vec<_> = fs::read_dir(&kept)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    assert_eq!(files.len(), 2, "{files:?}");
    let texts: Vec<String> = files
        .iter()
        .map(|it| fs::read_to_string(it).unwrap())
        .collect();
    for damage in [
        |text: &str| text[..text.len() / 2].to_owned(),
        |_: &str| String::new(),
        |text: &str| text.replace("holds", "violated"),
        |text: &str| text.replace("violated", "holds"),
    ] {
        for (file, text) in files.iter().zip(&texts) {
            fs::write(file, damage(text)).unwrap();
        }
        let again = with_cache();
        assert!(line(&again, "good").contains("holds"));
        assert!(line(&again, "bad").contains("violated"));
        assert_eq!(again.status.code(), Some(1));
    }
    // An answer under another name is none.
    fs::write(&files[0], &texts[1]).unwrap();
    fs::write(&files[1], &texts[0]).unwrap();
    assert!(!text(&with_cache()).contains("reused"));
    // A folder that cannot be made is not missed.
    fs::write(folder.path().join("file"), "").unwrap();
    let without = check(folder.path(), &["--cache", "file/below"]);
    assert_eq!(without.status.code(), Some(1));
}

#[test]
fn what_is_in_the_baseline_does_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("code.i");
    fs::write(&file, CODE).unwrap();
    let before = check(folder.path(), &["--format", "sarif"]);
    assert_eq!(before.status.code(), Some(1));
    fs::write(folder.path().join("before.sarif"), &before.stdout).unwrap();
    let compare = |options: &[&str]| {
        check(
            folder.path(),
            &[&["--baseline", "before.sarif"], options].concat(),
        )
    };
    let states = |output: &Output| -> Vec<String> {
        let log: Value = serde_json::from_slice(&output.stdout).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let states = results.iter().map(|it| &it["baselineState"]);
        states.map(|it| it.as_str().unwrap().to_owned()).collect()
    };
    // Lines above it change nothing.
    fs::write(&file, format!("int other;\n\n{CODE}")).unwrap();
    let same = compare(&[]);
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    assert!(line(&same, "bad").contains("[unchanged]"));
    assert_eq!(
        states(&compare(&["--format", "sarif"])),
        ["unchanged", "unchanged"]
    );
    // Another violation counts, and one that is gone is listed.
    let other = CODE
        .replace("n != 5", "1")
        .replace("; lock(); }\n", "; lock(); unlock(); }\n");
    let other = other.replace("lock(); unlock(); } }", "lock(); } }");
    fs::write(&file, other).unwrap();
    let new = compare(&["--format", "sarif"]);
    assert_eq!(new.status.code(), Some(1), "{}", text(&new));
    assert_eq!(states(&new), ["new", "new", "absent"]);
}
