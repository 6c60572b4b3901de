//! Verdicts about random programs against a plain fixpoint: proofs are accepted by the checker, runs replay.

use std::ops::ControlFlow;

use recurva_certificate::check::{EmbeddedJudge, check};
use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_predicates::{Config, Outcome, prove};
use recurva_syntax::{Source, Style};
use recurva_testkit::{generate, oracle};

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

/// The points of each label, as targets.
fn targets(program: &Program) -> Vec<Vec<Point>> {
    let mut all: Vec<(&str, Vec<Point>)> = Vec::new();
    for label in program.labels() {
        match all.iter_mut().find(|it| *it.0 == *label.name) {
            Some((_, points)) => points.push(label.point),
            None => all.push((&label.name, vec![label.point])),
        }
    }
    all.into_iter().map(|it| it.1).collect()
}

/// How many runs, proofs and other answers there were.
fn compare(seeds: std::ops::Range<u64>, config: &generate::Config) -> [u32; 3] {
    let mut counts = [0; 3];
    for seed in seeds {
        let text = generate::generate(seed, config);
        let program = parse(&text);
        let Some(found) = oracle::reachable(&program, &oracle::Limits::default()) else {
            continue;
        };
        for points in targets(&program).into_iter().take(3) {
            let expected = points.iter().any(|it| found.nodes.contains(it));
            let limits = Config {
                rounds: 60,
                ..Config::default()
            };
            let mut ask = |_: &_| ControlFlow::Continue(());
            match prove(&program, &points, &limits, &mut ask) {
                Outcome::Run(trace) => {
                    assert!(expected, "{text}");
                    let replayed = replay(&program, trace, &Claim::Reaches(points));
                    assert!(replayed.is_ok(), "{text}\n{:?}", replayed.err());
                    counts[0] += 1;
                }
                Outcome::Proof(proof) => {
                    assert!(!expected, "{text}\n{points:?}");
                    let mut judge = EmbeddedJudge::default();
                    let mut ask = || ControlFlow::Continue(());
                    let checked = check(&program, &points, &proof, &mut judge, &mut ask);
                    assert!(checked.is_ok(), "{text}\n{:?}", checked.err());
                    counts[1] += 1;
                }
                Outcome::Unknown(_) => counts[2] += 1,
                Outcome::Stopped => panic!("nobody said stop"),
            }
        }
    }
    counts
}

#[test]
fn verdicts_about_random_programs_are_those_of_a_fixpoint() {
    let counts = compare(0..600, &generate::Config::default());
    assert!(counts[0] > 500 && counts[1] > 60, "{counts:?}");
    assert!(counts[2] * 10 < counts[1], "{counts:?}");
}

#[test]
fn so_are_those_about_programs_with_integers() {
    let config = generate::Config {
        integers: 90,
        bits: 6,
        faults: 0,
        ..generate::Config::default()
    };
    let counts = compare(0..120, &config);
    assert!(counts[0] > 80 && counts[1] > 10, "{counts:?}");
}
