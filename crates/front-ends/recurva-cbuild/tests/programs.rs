//! Programs written for one rule of the language each: what the interpreter prints is what the
//! compiler's program prints, for both data models.

mod common;

use std::{fs, path::Path};

use common::{Folder, Model, compiled, difference};
use recurva_cir::interpret::Outcome;

const STEPS: u64 = 10_000_000;

#[allow(clippy::print_stderr)]
fn all_agree(model: Model) {
    if !model.has_compiler() {
        eprintln!("there is no gcc for {model:?}: nothing is compared");
        return;
    }
    let folder = Folder::new(&format!("programs-{model:?}"));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(programs).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let copy = folder.0.join(path.file_name().expect("a file has a name"));
        fs::copy(&path, &copy).expect("it is written");
        let expected = compiled(&copy, model, &[], "60").expect("the programs are right");
        let built = model.build(model.preprocess(&path), &common::native());
        let run = built.and_then(|built| common::run(&built, STEPS));
        let problem = match run {
            Ok(run) if run.outcome != Outcome::Exited(0) => format!("{:?}", run.outcome),
            Ok(run) if run.output != expected => difference(&expected, &run.output),
            Ok(_) => continue,
            Err(problem) => problem,
        };
        wrong.push(format!("{}: {problem}", path.display()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn programs_mean_what_the_compiler_means() {
    all_agree(Model::Lp64);
}

#[test]
fn programs_mean_what_the_compiler_means_with_32_bits() {
    all_agree(Model::Ilp32);
}
