//! Programs that show what C means: built for both data models, and run by the interpreter as if
//! compiled. What the compiler's own program gives is what the interpreter must give.

mod common;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use recurva_cir::interpret::Outcome;

use common::Model;

const STEPS: u64 = 200_000_000;

/// Programs that are not run to their end, and why: what each needs is refused, or is no C.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "functions within functions",
        &["20010605-1.c", "20030501-1.c", "920721-4.c", "921017-1.c"],
    ),
    (
        "memory that is mapped, files and their names",
        &["loop-2f.c", "printf-2.c"],
    ),
    (
        "an argument that is taken as one of another type: undefined, and found",
        &["stdarg-3.c"],
    ),
    (
        "a function of the library with a body of the program's: undefined, the compiler has its own",
        &["20021127-1.c"],
    ),
    (
        "it includes a file that is not here",
        &["20040709-3.c", "pr71626-2.c"],
    ),
];

/// Why a program did not pass; `None` if it did.
fn failure(path: &Path, model: Model) -> Option<String> {
    let built = match model.build(model.preprocess(path), &common::native()) {
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

fn programs(folder: &str) -> Option<Vec<PathBuf>> {
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
    Some(paths)
}

/// Runs all programs of a folder. Each passes, is refused for a known reason, or, if it does not, its
/// program does not end well with the compiler either.
#[allow(clippy::print_stderr)]
fn all_pass(folder: &str, model: Model) {
    let Some(paths) = programs(folder) else {
        eprintln!("the programs of {folder} are not here: nothing is run");
        return;
    };
    if !model.has_compiler() {
        eprintln!("there is no gcc for {model:?}: nothing is run");
        return;
    }
    let refused: BTreeSet<&str> = REFUSED.iter().flat_map(|it| it.1).copied().collect();
    let (mut passed, mut excepted, mut not_compiled) = (0, 0, Vec::new());
    let mut failures = Vec::new();
    for path in &paths {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match failure(path, model) {
            None if refused.contains(&*name) => failures.push(format!("{name} passes after all")),
            None => passed += 1,
            Some(_) if refused.contains(&*name) => excepted += 1,
            Some(_) if !model.passes_compiled(path) => not_compiled.push(name.into_owned()),
            Some(reason) => failures.push(format!("{name}: {reason}")),
        }
    }
    eprintln!(
        "{folder}, {model:?}: {passed} of {} pass, {excepted} are refused for known reasons, {} do \
         not pass compiled either: {}",
        paths.len(),
        not_compiled.len(),
        not_compiled.join(" ")
    );
    assert!(failures.is_empty(), "{folder}:\n{}", failures.join("\n"));
}

#[test]
fn small_programs() {
    all_pass("c-testsuite", Model::Lp64);
}

#[test]
fn small_programs_with_32_bits() {
    all_pass("c-testsuite", Model::Ilp32);
}

#[test]
fn torture() {
    all_pass("torture", Model::Lp64);
}

#[test]
fn torture_with_32_bits() {
    all_pass("torture", Model::Ilp32);
}
