//! Random C programs: verdicts are the truth, proofs are accepted when they are read again, and none is
//! accepted of a program that fails. `RECURVA_PROGRAMS` says how many programs (`cargo xtask proofs`),
//! `RECURVA_FIRST` where they begin.

use recurva_check::{
    Asked, COptions, Certify, Limits, Model, Options, ProofFile, ReadOptions, Verdict,
};
use recurva_syntax::Source;
use recurva_testkit::{
    rng::Rng,
    small_c::{SmallProgram, Truth},
};
use serde_json::Value;

/// Programs like each one that its proof is tried on.
const CHANGED: u64 = 2;

/// Damaged proofs of each program.
const DAMAGED: u64 = 6;

fn number(variable: &str, otherwise: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.and_then(|it| it.parse().ok()).unwrap_or(otherwise)
}

fn model(program: &SmallProgram) -> Model {
    let source = Source::new("small.i", program.to_string()).expect("it is short");
    let options = ReadOptions {
        c: COptions {
            execute: false,
            ..COptions::default()
        },
        ..ReadOptions::default()
    };
    Model::read(source, &options, Limits::default(), &mut ()).expect("it is C")
}

fn options() -> Options {
    Options {
        certify: Certify::Always,
        ..Options::default()
    }
}

/// The verdict, and the proof as a file if there is one.
fn checked(program: &SmallProgram) -> (Verdict, Option<ProofFile>) {
    let model = model(program);
    let questions = model.questions(&Asked::default()).expect("errors");
    let question = &questions.list[0];
    let answer = question
        .answer(&options(), &mut ())
        .expect("no evidence is refuted");
    let file = question.proof_file(&answer, &options(), "0", &|_| None);
    let file = file.map(|it| it.expect("formulas can be written"));
    (answer.verdict, file)
}

fn is_accepted(program: &SmallProgram, proof: &ProofFile) -> bool {
    let model = model(program);
    let questions = model.questions(&Asked::default()).expect("errors");
    let verified = questions.list[0].verify(proof, &options(), &mut ());
    verified.is_ok_and(|answer| answer.holds())
}

/// All formulas of a proof.
fn formulas(json: &mut Value) -> Vec<&mut Value> {
    let procedures = json["procedures"].as_array_mut();
    procedures
        .into_iter()
        .flatten()
        .filter_map(|it| it["formulas"].as_array_mut())
        .flatten()
        .map(|it| &mut it["formula"])
        .collect()
}

/// A proof in which something else is said somewhere.
fn damaged(proof: &Value, rng: &mut Rng) -> Option<ProofFile> {
    let mut json = proof.clone();
    let mut all = formulas(&mut json);
    let others: Vec<String> = all
        .iter()
        .filter_map(|it| it.as_str().map(str::to_owned))
        .collect();
    let place = rng.below(all.len().max(1));
    let old = others.get(place)?;
    let new = match rng.below(4) {
        0 => "\\true".to_owned(),
        1 => format!("!({old})"),
        2 => rng.pick(&others)?.clone(),
        _ => {
            // Another digit.
            let digits: Vec<usize> = (0..old.len())
                .filter(|&it| old.as_bytes()[it].is_ascii_digit())
                .collect();
            let at = *rng.pick(&digits)?;
            format!("{}{}{}", &old[..at], rng.below(5), &old[at + 1..])
        }
    };
    if new == *old {
        return None;
    }
    **all.get_mut(place)? = new.into();
    ProofFile::read(json.to_string().as_bytes()).ok()
}

#[derive(Debug, Default)]
struct Tally {
    holds: usize,
    proofs: usize,
    damaged: usize,
    damaged_accepted: usize,
    of_others: usize,
    of_others_accepted: usize,
}

/// A proof says what has to be said, is accepted of its program, and of no program that fails.
fn examine(
    number: u64,
    program: &SmallProgram,
    truth: Truth,
    proof: &ProofFile,
    tally: &mut Tally,
) {
    assert!(is_accepted(program, proof), "{number}:\n{program}");
    let mut json: Value = serde_json::from_str(&proof.to_json()).expect("a proof is JSON");
    let says_nothing = formulas(&mut json).iter().all(|it| **it == "\\true");
    assert!(
        !says_nothing || !truth.fails_without_invariants,
        "{number}: {json}\n{program}"
    );
    let mut rng = Rng::new(number);
    for _ in 0..DAMAGED {
        let Some(damaged) = damaged(&json, &mut rng) else {
            continue;
        };
        tally.damaged += 1;
        tally.damaged_accepted += usize::from(is_accepted(program, &damaged));
        // What is accepted for this program, and what is not, is tried on one that fails.
        let other = program.changed(rng.bits());
        if other.truth().fails {
            assert!(!is_accepted(&other, &damaged), "{number}:\n{other}");
        }
    }
    for _ in 0..CHANGED {
        let other = program.changed(rng.bits());
        tally.of_others += 1;
        if is_accepted(&other, proof) {
            assert!(!other.truth().fails, "{number}: {json}\n{other}");
            tally.of_others_accepted += 1;
        }
    }
}

#[test]
#[allow(clippy::print_stderr, reason = "how many there were is worth knowing")]
fn verdicts_are_true_and_proofs_are_accepted() {
    let first = number("RECURVA_FIRST", 0);
    let count = number("RECURVA_PROGRAMS", 40);
    let mut tally = Tally::default();
    for number in first..first + count {
        let program = SmallProgram::new(number);
        let truth = program.truth();
        let (verdict, proof) = checked(&program);
        let expected = match truth.fails {
            true => Verdict::Violated,
            false => Verdict::Holds,
        };
        assert_eq!(verdict, expected, "{number}:\n{program}");
        tally.holds += usize::from(!truth.fails);
        if truth.checks && !truth.fails {
            assert!(proof.is_some(), "{number}: it has no proof:\n{program}");
        }
        if let Some(proof) = proof {
            tally.proofs += 1;
            examine(number, &program, truth, &proof, &mut tally);
        }
    }
    eprintln!("{count} programs: {tally:?}");
    assert!(tally.holds * 5 > count as usize, "{tally:?}");
    assert!(tally.proofs * 2 > tally.holds, "{tally:?}");
    assert!(tally.damaged_accepted * 2 < tally.damaged, "{tally:?}");
    assert!(tally.of_others_accepted < tally.of_others, "{tally:?}");
}
