//! Specifications of BLAST with the programs that BLAST itself made of them: both have the same answer,
//! also after the same change to both, which breaks the rule.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use recurva_check::{Asked, COptions, Certify, Limits, Model, Options, ReadOptions, Verdict, open};
use tempfile::TempDir;

use crate::workshop::{asked, has_compiler};

/// Folder, program, specification, what BLAST made of it, and a change: what is written as the first text
/// becomes the second one.
const PAIRS: [[&str; 6]; 3] = [
    [
        "ssh-simplified",
        "s3_clnt.cil.c",
        "monitor_clnt_1.spc",
        "monitor_clnt_1.c",
        "",
        "",
    ],
    [
        "token_ring",
        "token_ring.02.cil.c",
        "monitor.spc",
        "monitor.c",
        "executed_threads == 1",
        "executed_threads == 0",
    ],
    [
        "token_ring",
        "token_ring.03.cil.c",
        "monitor_3.spc",
        "monitor_3.c",
        "executed_threads == 1",
        "executed_threads == 0",
    ],
];

fn options() -> COptions {
    COptions {
        entry: Some("entry".to_owned()),
        execute: false,
        ..COptions::default()
    }
}

/// Whether the label `ERROR` of a program that BLAST made can be reached.
fn of_blast(program: &Path) -> Verdict {
    let read = ReadOptions {
        c: options(),
        ..ReadOptions::default()
    };
    let source = open(program).expect("it can be read");
    let model = Model::read(source, &read, Limits::default(), &mut ()).expect("a right program");
    let asked = Asked {
        reach: vec!["ERROR".to_owned()],
        ..Asked::default()
    };
    let questions = model.questions(&asked).expect("right questions");
    let options = Options {
        certify: Certify::Never,
        ..Options::default()
    };
    let answer = questions.list[0].answer(&options, &mut ());
    answer.expect("an answer").verdict
}

/// What is said of a specification: whether one of its assertions can fail.
fn of_ours(program: &Path, rule: &Path) -> Verdict {
    let said = asked(program, rule, options(), Certify::Never);
    let verdicts = || said.iter().map(|it| it.verdict);
    match verdicts().find(|it| *it == Verdict::Violated) {
        Some(violated) => violated,
        None => verdicts()
            .find(|it| *it != Verdict::Holds)
            .unwrap_or(Verdict::Holds),
    }
}

/// A copy of a file with a change in it.
fn changed(file: &Path, folder: &Path, from: &str, to: &str) -> PathBuf {
    let text = fs::read_to_string(file).expect("it can be read");
    assert!(text.contains(from), "{}: {from}", file.display());
    let copy = folder.join(file.file_name().expect("a file"));
    fs::write(&copy, text.replace(from, to)).expect("it is written");
    copy
}

#[test]
fn blast_says_the_same_of_its_specifications() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared");
    let shared = env::var_os("RECURVA_SHARED").map_or(beside, PathBuf::from);
    let bench = shared.join("bench/pal");
    if !has_compiler() || !bench.is_dir() {
        eprintln!("shared/bench/pal or gcc is missing: nothing is compared");
        return;
    }
    for [folder, program, rule, made, from, to] in PAIRS {
        let [program, rule, made] = [program, rule, made].map(|it| bench.join(folder).join(it));
        assert_eq!(
            of_ours(&program, &rule),
            Verdict::Holds,
            "{}",
            rule.display()
        );
        assert_eq!(of_blast(&made), Verdict::Holds, "{}", made.display());
        if from.is_empty() {
            continue;
        }
        let copies = TempDir::new().expect("a temporary folder");
        changed(&bench.join(folder).join("include.h"), copies.path(), "", "");
        let rule = changed(&rule, copies.path(), from, to);
        let made = changed(&made, copies.path(), from, to);
        assert_eq!(
            of_ours(&program, &rule),
            Verdict::Violated,
            "{}",
            rule.display()
        );
        assert_eq!(of_blast(&made), Verdict::Violated, "{}", made.display());
    }
}
