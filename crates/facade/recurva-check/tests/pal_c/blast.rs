//! Specifications of BLAST with the programs that BLAST itself made of them: both have the same answer.

use std::path::{Path, PathBuf};

use recurva_check::{Asked, COptions, Certify, Limits, Model, Options, ReadOptions, Verdict, open};

use crate::workshop::{asked, has_compiler};

/// Program, where it begins, specification, and what BLAST made of it.
const PAIRS: [[&str; 4]; 8] = [
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_1.spc",
        "ssh-simplified/monitor_1.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_2.spc",
        "ssh-simplified/monitor_2.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_3.spc",
        "ssh-simplified/monitor_3.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_4.spc",
        "ssh-simplified/monitor_4.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_5.spc",
        "ssh-simplified/monitor_5.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_6.spc",
        "ssh-simplified/monitor_6.c",
    ],
    [
        "ssh-simplified/s3_srvr.cil.c",
        "entry",
        "ssh-simplified/monitor_8.spc",
        "ssh-simplified/monitor_8.c",
    ],
    [
        "ssh-simplified/s3_clnt.cil.c",
        "entry",
        "ssh-simplified/monitor_clnt_1.spc",
        "ssh-simplified/monitor_clnt_1.c",
    ],
];

/// Whether the label `ERROR` of a program that BLAST made can be reached.
fn of_blast(program: &Path, c: COptions) -> Verdict {
    let read = ReadOptions {
        c,
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

#[test]
fn blast_says_the_same_of_its_specifications() {
    let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/bench/pal");
    if !has_compiler() || !bench.is_dir() {
        eprintln!("shared/bench/pal or gcc is missing: nothing is compared");
        return;
    }
    for [program, entry, rule, made] in PAIRS {
        let [program, rule, made]: [PathBuf; 3] = [program, rule, made].map(|it| bench.join(it));
        let c = COptions {
            entry: Some(entry.to_owned()),
            execute: false,
            ..COptions::default()
        };
        let said = asked(&program, &rule, c.clone(), Certify::Never);
        let is_violated = said.iter().any(|it| it.verdict == Verdict::Violated);
        let holds = said.iter().all(|it| it.verdict == Verdict::Holds);
        assert!(is_violated != holds, "{}: neither", rule.display());
        let expected = of_blast(&made, c);
        assert_eq!(
            expected == Verdict::Violated,
            is_violated,
            "{}",
            rule.display()
        );
    }
}
