//! Random programs: what the interpreter prints is what the compiler's program prints, for both data
//! models. `RECURVA_PROGRAMS` says how many of ours, `RECURVA_CSMITH` how many of Csmith's
//! (`cargo xtask csemantics`); `RECURVA_FIRST` where they begin.

mod common;

use std::{fs, ops::Range, process::Command};

use common::{Folder, Model, compiled, difference};
use recurva_cbuild::BuildOptions;
use recurva_cir::{Check, SourceText, interpret::Outcome};

const BATCH: u64 = 50;
const STEPS: u64 = 2_000_000_000;

fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

/// What the interpreter prints; nothing if a number does not fit the integer that it becomes, which
/// has no meaning in C.
fn interpreted(text: SourceText, model: Model) -> Result<Option<Vec<u8>>, String> {
    let options = BuildOptions {
        checks: vec![Check::Conversion],
        ..common::native()
    };
    let built = model.build(text, &options)?;
    let run = common::run(&built, STEPS)?;
    match run.outcome {
        Outcome::Exited(0) => Ok(Some(run.output)),
        Outcome::Undefined(Check::Conversion, _) => Ok(None),
        other => Err(format!(
            "{other:?}, after it has printed {} bytes",
            run.output.len()
        )),
    }
}

#[allow(clippy::print_stderr)]
fn ours_agree(model: Model) {
    if !model.has_compiler() {
        eprintln!("there is no gcc for {model:?}: nothing is compared");
        return;
    }
    let first = number("RECURVA_FIRST", 0);
    let count = number("RECURVA_PROGRAMS", 200);
    let folder = Folder::new(&format!("random-{model:?}"));
    let (mut wrong, mut rejected) = (Vec::new(), 0);
    let batches = (first..first + count).step_by(BATCH as usize);
    let mut open: Vec<Range<u64>> = batches
        .map(|start| start..(start + BATCH).min(first + count))
        .collect();
    while let Some(numbers) = open.pop() {
        let text = recurva_testkit::c::batch(numbers.clone());
        let source = folder.0.join("batch.c");
        fs::write(&source, &text).expect("it is written");
        let expected = match compiled(&source, model, &[], "60") {
            Ok(expected) => expected,
            // A fault of the compiler: one program among all has it.
            Err(said) if said.contains("internal compiler error") => {
                match numbers.end - numbers.start {
                    1 => rejected += 1,
                    _ => open.extend(numbers.map(|number| number..number + 1)),
                }
                continue;
            }
            Err(said) => panic!("the programs are right: {said}"),
        };
        match interpreted(common::text("batch.c", text), model) {
            Ok(Some(output)) if output == expected => {}
            Ok(output) => wrong.push(difference(&expected, &output.unwrap_or_default())),
            Err(problem) => wrong.push(format!("programs {numbers:?}: {problem}")),
        }
    }
    eprintln!(
        "{count} programs, {model:?}: {} batches differ; on {rejected} programs the compiler fails",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn random_programs() {
    ours_agree(Model::Lp64);
}

#[test]
fn random_programs_with_32_bits() {
    ours_agree(Model::Ilp32);
}

#[allow(clippy::print_stderr)]
fn csmith_agrees(model: Model) {
    // It writes a file where it runs, even if it only says its version.
    let folder = Folder::new(&format!("csmith-{model:?}"));
    let mut version = Command::new("csmith");
    version.arg("--version").current_dir(&folder.0);
    if version.output().is_err() || !model.has_compiler() {
        eprintln!("there is no csmith, or no gcc for {model:?}: nothing is compared");
        return;
    }
    let first = number("RECURVA_FIRST", 0) + 1;
    let count = number("RECURVA_CSMITH", 10);
    let headers = "-I/usr/include/csmith";
    let (mut compared, mut endless, mut undefined) = (0, 0, 0);
    let mut wrong = Vec::new();
    for seed in first..first + count {
        let mut csmith = Command::new("csmith");
        csmith.args(["--seed", &seed.to_string(), "--max-funcs", "5"]);
        csmith.args(["--max-block-depth", "3", "--float"]);
        // It leaves a file where it runs.
        let Ok(made) = csmith.current_dir(&folder.0).output() else {
            continue;
        };
        let source = folder.0.join("random.c");
        fs::write(&source, &made.stdout).expect("it is written");
        // Programs that do not end soon say nothing.
        let Ok(expected) = compiled(&source, model, &[headers], "2") else {
            endless += 1;
            continue;
        };
        let mut flags = model.flags().to_vec();
        flags.push(headers);
        let text = common::preprocess_for(&source, &flags);
        match interpreted(text, model) {
            Ok(None) => undefined += 1,
            Ok(Some(output)) if output == expected => compared += 1,
            Ok(Some(output)) => {
                wrong.push(format!("seed {seed}: {}", difference(&expected, &output)));
            }
            Err(problem) => wrong.push(format!("seed {seed}: {problem}")),
        }
    }
    eprintln!(
        "{compared} programs of Csmith agree, {model:?}; {endless} do not end, {undefined} have a \
         conversion without meaning; {} differ",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_of_csmith() {
    csmith_agrees(Model::Lp64);
}

#[test]
fn programs_of_csmith_with_32_bits() {
    csmith_agrees(Model::Ilp32);
}
