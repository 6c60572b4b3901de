//! Thousands of random programs: the engine against brute force over whole configurations.
//!
//! For each program, with every combination of the two reductions and in both orders:
//!
//! - the set of nodes (and, under a monitor, of pairs of a node and a monitor state) that the
//!   engine reaches is the one that brute force reaches;
//! - every label is checked on its own: the verdict is right and, as always, a
//!   counterexample replays;
//! - in shortest-first order its length is that of the shortest run.

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_check::{Engine, Options, Order, Property, Reductions, Verdict, check};
use recurva_explicit::{
    Answer, Config,
    program::{Ending, Inline, Prepared},
    reach,
};
use recurva_lang::bp;
use recurva_model::{Monitor, Point, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{brute, generate};

const TREATMENTS: [Reductions; 4] = [
    Reductions {
        liveness: true,
        laziness: true,
    },
    Reductions {
        liveness: true,
        laziness: false,
    },
    Reductions {
        liveness: false,
        laziness: true,
    },
    Reductions {
        liveness: false,
        laziness: false,
    },
];

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

/// All nodes and monitor states that the engine reaches.
fn reached(
    program: &Program,
    monitor: Option<&Monitor>,
    reductions: Reductions,
) -> BTreeSet<(Point, u32)> {
    let prepared = Prepared::new(program, monitor.into(), reductions, Ending::Stops);
    assert!(
        prepared.words_needed() <= 4,
        "small programs have small states"
    );
    let system = prepared.with_words::<Inline<4>>();
    let mut found = BTreeSet::new();
    let note = |state: &_| {
        found.insert((system.point(state), system.monitor_state(state)));
        false
    };
    let finished = reach(&system, &Config::default(), note, |_| {
        ControlFlow::Continue(())
    });
    assert!(matches!(finished.answer, Answer::Unreachable));
    found
}

/// Checks one property under all treatments; the expected answer is the length of the
/// shortest counterexample, if that is known, or whether there is one.
fn check_all(program: &Program, property: &Property, violated: bool, shortest: Option<usize>) {
    for reductions in TREATMENTS {
        for order in [Order::DepthFirst, Order::ShortestFirst] {
            let options = Options {
                engine: Engine::Explicit,
                order,
                reductions,
                ..Options::default()
            };
            let outcome = check(program, property, &options, &mut ()).expect("it replays");
            match outcome.verdict {
                Verdict::Holds => assert!(!violated, "{reductions:?} {order:?} says holds"),
                Verdict::Unknown(limit) => panic!("no limit was set: {limit:?}"),
                Verdict::Violated => {
                    assert!(violated, "{reductions:?} {order:?} says violated");
                    if let (Order::ShortestFirst, Some(shortest)) = (order, shortest) {
                        let run = outcome.run().expect("a run");
                        assert_eq!(run.length(), shortest as u64, "{reductions:?}");
                    }
                }
            }
        }
    }
}

/// Runs `test` on generated programs until so many of them could be searched exhaustively.
fn run(seeds: std::ops::Range<u64>, wanted: usize, test: impl Fn(u64, &str) -> bool) {
    let mut done = 0;
    for seed in seeds {
        let text = generate::generate(seed, &generate::Config::default());
        let verdict = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(seed, &text)));
        match verdict {
            Ok(exhaustive) => done += usize::from(exhaustive),
            // The program is what a person needs to see.
            Err(reason) => panic!("{text}\n{}", message(&*reason)),
        }
        if done == wanted {
            return;
        }
    }
    panic!("only {done} of the generated programs could be searched exhaustively");
}

fn message(reason: &(dyn std::any::Any + Send)) -> String {
    let text = reason.downcast_ref::<String>().cloned();
    text.or_else(|| reason.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_default()
}

fn small() -> brute::Limits {
    brute::Limits {
        configurations: 2_500,
        ..brute::Limits::default()
    }
}

fn compare_program(_: u64, text: &str) -> bool {
    let program = parse(text);
    let truth = brute::reachable(&program, &small());
    if !truth.exhaustive {
        return false;
    }
    for reductions in TREATMENTS {
        assert_eq!(
            reached(&program, None, reductions),
            truth.watched,
            "{reductions:?}"
        );
    }
    let names: BTreeSet<&str> = program.labels().iter().map(|label| &*label.name).collect();
    for name in names {
        let property = Property::label(&program, name).expect("the label exists");
        let Property::Unreachable { points, .. } = &property else {
            continue;
        };
        let points: BTreeSet<Point> = points.iter().copied().collect();
        let violated = !points.is_disjoint(&truth.nodes);
        let shortest = violated.then(|| brute::distance(&program, None, &points, &small()));
        check_all(&program, &property, violated, shortest.flatten());
    }
    true
}

fn compare_watched(seed: u64, text: &str) -> bool {
    let program = parse(text);
    let monitor = &generate::monitor(seed, &program).expect("it fits the program");
    let truth = brute::watched(&program, monitor, &small());
    if !truth.exhaustive {
        return false;
    }
    for reductions in TREATMENTS {
        assert_eq!(
            reached(&program, Some(monitor), reductions),
            truth.watched,
            "{monitor:?}"
        );
    }
    let violated = truth
        .watched
        .iter()
        .any(|(_, state)| monitor.states()[*state as usize].target);
    let none = BTreeSet::new();
    let shortest = violated.then(|| brute::distance(&program, Some(monitor), &none, &small()));
    check_all(
        &program,
        &Property::Monitor(monitor.clone()),
        violated,
        shortest.flatten(),
    );
    true
}

// Ten thousand programs in four parts, so that the parts run side by side.

#[test]
fn programs_agree_with_brute_force_1() {
    run(0..10_000, 2_500, compare_program);
}

#[test]
fn programs_agree_with_brute_force_2() {
    run(10_000..20_000, 2_500, compare_program);
}

#[test]
fn programs_agree_with_brute_force_3() {
    run(20_000..30_000, 2_500, compare_program);
}

#[test]
fn programs_agree_with_brute_force_4() {
    run(30_000..40_000, 2_500, compare_program);
}

#[test]
fn two_thousand_watched_programs_agree_with_brute_force() {
    run(1_000_000..1_010_000, 2_000, compare_watched);
}

#[test]
fn arithmetic_checks_find_exactly_the_faults() {
    run(2_000_000..2_040_000, 1_000, |_, text| {
        let program = parse(text).with_arithmetic_checks();
        let truth = brute::reachable(&program, &small());
        if !truth.exhaustive {
            return false;
        }
        for reductions in TREATMENTS {
            assert_eq!(
                reached(&program, None, reductions),
                truth.watched,
                "{reductions:?}"
            );
        }
        let property = Property::own(&program);
        let Property::Unreachable { points, .. } = &property else {
            return false;
        };
        let violated = points.iter().any(|point| truth.nodes.contains(point));
        check_all(&program, &property, violated, None);
        true
    });
}
