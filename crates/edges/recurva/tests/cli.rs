//! The command line, case by case: each file in `cmd/` is a list of commands and what they
//! print. Run with `TRYCMD=overwrite` to accept new output after reading it.

use std::{fs, path::Path};

#[test]
fn commands() {
    trycmd::TestCases::new()
        .case("tests/cmd/*.trycmd")
        .case("tests/cmd/*.toml");
}

/// Accepting output also accepts the seconds in it, which another machine will not repeat.
#[test]
fn no_expected_output_contains_a_time() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![here.join("tests/cmd"), here.join("../../../docs/src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|it| it == "md" || it == "trycmd" || it == "toml")
            {
                has_no_time(&path);
            }
        }
    }
}

fn has_no_time(path: &Path) {
    for (line, text) in (1..).zip(fs::read_to_string(path).unwrap().lines()) {
        let figures = text.split(';').nth(1).unwrap_or_default().trim_start();
        let is_time = figures.starts_with(|it: char| it.is_ascii_digit())
            && figures.split_once(" s,").is_some();
        assert!(!is_time, "{}:{line}: write [..] for {text}", path.display());
    }
}
