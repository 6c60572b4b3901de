//! Programs that show what C means: built, and run by the interpreter as if compiled.

mod common;

use std::{collections::BTreeMap, fs, path::Path};

use recurva_cir::interpret::Outcome;

const STEPS: u64 = 200_000_000;

/// Why a program did not pass; `None` if it did.
fn failure(path: &Path) -> Option<String> {
    let built = match common::build(common::preprocess(path), &common::native()) {
        Ok(built) => built,
        Err(error) => return Some(format!("refused: {error}")),
    };
    let run = match common::run(&built, STEPS) {
        Ok(run) => run,
        Err(error) => return Some(error),
    };
    match run.outcome {
        Outcome::Exited(0) => {}
        Outcome::Unsupported(what, _) => return Some(format!("unsupported: {what}")),
        Outcome::Undefined(check, position) => {
            return Some(format!(
                "undefined: {check:?} at {}",
                place(&built, position.origin)
            ));
        }
        other => return Some(format!("ended by {other:?}")),
    }
    let expected = path.with_extension("c.expected");
    match fs::read(expected) {
        Ok(expected) if expected != run.output => Some("wrong output".into()),
        _ => None,
    }
}

fn place(built: &recurva_cbuild::Built, origin: recurva_cir::Origin) -> String {
    let source = &built.module.sources[origin.source.0 as usize];
    let bytes = &source.text[origin.start as usize..origin.end as usize];
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs all programs of a folder; how many pass, and why others do not.
fn run_all(folder: &str) -> Option<(usize, usize, BTreeMap<String, Vec<String>>)> {
    let folder = common::shared(&format!("c-semantics/{folder}"))?;
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("the folder can be read")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "c"))
        .collect();
    paths.sort();
    let only = std::env::var("RECURVA_ONLY").ok();
    paths.retain(|path| {
        only.as_ref()
            .is_none_or(|it| path.to_string_lossy().contains(it))
    });
    let mut failures: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut passed = 0;
    for path in &paths {
        match failure(path) {
            None => passed += 1,
            Some(reason) => {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                failures.entry(reason).or_default().push(name);
            }
        }
    }
    Some((passed, paths.len(), failures))
}

#[allow(clippy::print_stderr)]
fn report(folder: &str, least: usize) {
    let Some((passed, all, failures)) = run_all(folder) else {
        eprintln!("the programs of {folder} are not here: nothing is run");
        return;
    };
    eprintln!("{folder}: {passed} of {all}");
    for (reason, names) in failures {
        eprintln!("  {reason}: {}", names.join(" "));
    }
    if std::env::var("RECURVA_ONLY").is_err() {
        assert!(passed >= least, "{passed} of {all} in {folder}");
    }
}

#[test]
fn small_programs() {
    report("c-testsuite", 0);
}

#[test]
fn torture() {
    report("torture", 0);
}
