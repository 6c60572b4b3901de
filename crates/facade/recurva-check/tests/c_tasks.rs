//! Tasks of the shared benchmarks that are decided at once, through the façade. All of them are run by
//! `cargo xtask corpus --c`.

use std::{fs, path::Path};

use recurva_check::{
    Asked, COptions, DataModel, Limits, Model, Options, ReadOptions, Verdict, open,
};

/// A line for each task: file, property, and whether it holds.
const TASKS: &str = include_str!("c_tasks.txt");

#[test]
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn tasks_that_are_decided_at_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let Ok(folder) = root.join("../shared/bench/c").canonicalize() else {
        eprintln!("skipped: there is no ../shared/bench/c");
        return;
    };
    let mut wrong = Vec::new();
    for line in TASKS.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [file, property, expected] = words[..] else {
            panic!("{line}: three words");
        };
        let file = folder.join(file);
        let property = match property {
            "ltl" => file.with_extension("prp"),
            name => folder.join("properties").join(name).with_extension("prp"),
        };
        let found = verdict(&file, &property);
        let fits = match expected {
            "true" => found == Verdict::Holds,
            _ => found == Verdict::Violated,
        };
        if !fits {
            wrong.push(format!("{line}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn verdict(file: &Path, property: &Path) -> Verdict {
    let options = ReadOptions {
        c: COptions {
            machine: Some(DataModel::Ilp32),
            execute: false,
            ..COptions::default()
        },
        ..ReadOptions::default()
    };
    let source = open(file).expect("a file");
    let model = Model::read(source, &options, Limits::default(), &mut ());
    let model = model.unwrap_or_else(|refused| panic!("{}: {}", file.display(), refused.first()));
    let asked = Asked {
        spec: Some(open(property).expect("a file")),
        ..Asked::default()
    };
    let questions = model.questions(&asked).expect("a question").list;
    let answers = questions.iter().map(|question| {
        let answer = question.answer(&Options::default(), &mut ());
        answer.expect("an answer").verdict
    });
    let worst = |left: Verdict, right: Verdict| match (left, right) {
        (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
        (Verdict::Holds, other) => other,
        (other, _) => other,
    };
    answers.fold(Verdict::Holds, worst)
}

/// Formulas of the tasks about infinite runs are understood, whether or not they are decided.
#[test]
fn formulas_are_understood() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let Ok(files) = fs::read_dir(root.join("../shared/bench/c/ltl")) else {
        return;
    };
    for file in files {
        let path = file.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "yml") {
            continue;
        }
        let options = ReadOptions::default();
        let source = open(&path).expect("a file");
        let model = Model::read(source, &options, Limits::default(), &mut ());
        let model = model.unwrap_or_else(|refused| panic!("{path:?}: {}", refused.first()));
        let questions = model.questions(&Asked::default());
        let questions = questions.unwrap_or_else(|refused| panic!("{path:?}: {refused:?}"));
        assert_eq!(questions.list.len(), 1, "{path:?}");
    }
}
