//! Thousands of random programs: the engine against brute force over whole configurations,
//! and, where the data is too wide for that, against the explicit engine.
//!
//! For each program the set of nodes (and of states of a monitor there) is the same, with
//! every combination of the reductions. Each label is asked for on its own, and every trace
//! replays.

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_evidence::{Claim, replay};
use recurva_explicit::program::{Ending, Observer, Prepared, Reductions};
use recurva_lang::bp;
use recurva_model::{Monitor, Point, Program};
use recurva_symbolic::{Answer, Config, explore, reach};
use recurva_syntax::{Source, Style};
use recurva_testkit::{brute, generate};

/// The search with its reductions on and off.
fn treatments() -> impl Iterator<Item = Config> {
    [(true, true), (true, false), (false, true), (false, false)]
        .into_iter()
        .map(|(liveness, merging)| Config {
            liveness,
            merging,
            ..Config::default()
        })
}

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn reached(
    program: &Program,
    monitor: Option<&Monitor>,
    config: &Config,
) -> BTreeSet<(Point, u32)> {
    let explored = explore(program, monitor, config, |_| ControlFlow::Continue(()));
    assert_eq!(explored.stopped, None);
    explored.reached
}

/// Asks one question under some treatments.
fn ask(
    program: &Program,
    monitor: Option<&Monitor>,
    targets: &[Point],
    expected: bool,
    treatments: impl Iterator<Item = Config>,
) {
    for config in treatments {
        let finished = reach(program, monitor, targets, &config, |_| {
            ControlFlow::Continue(())
        });
        match finished.answer {
            Answer::Unreachable => assert!(!expected, "{config:?} says unreachable"),
            Answer::Unfinished(stopped) | Answer::Stopped(stopped) => {
                panic!("no limit was set: {stopped:?}")
            }
            Answer::Reached(trace) => {
                assert!(expected, "{config:?} says reached");
                let trace = *trace.unwrap_or_else(|| panic!("{config:?}: no trace"));
                let claim = match monitor {
                    Some(monitor) => Claim::Monitor(monitor.clone()),
                    None => Claim::Reaches(targets.to_vec()),
                };
                if let Err(mismatch) = replay(program, trace.clone(), &claim) {
                    panic!("{config:?}: {mismatch}\n{trace:?}");
                }
            }
        }
    }
}

/// Runs `test` on generated programs until so many of them could be searched exhaustively.
fn run(seeds: std::ops::Range<u64>, wanted: usize, test: impl Fn(u64, &str) -> bool) {
    run_on(seeds, wanted, &generate::Config::default(), test);
}

fn run_on(
    seeds: std::ops::Range<u64>,
    wanted: usize,
    programs: &generate::Config,
    test: impl Fn(u64, &str) -> bool,
) {
    let mut done = 0;
    for seed in seeds {
        let text = generate::generate(seed, programs);
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

/// Compares the nodes reached, all at once and label by label.
fn compare_nodes(program: &Program, truth: &BTreeSet<(Point, u32)>) {
    for config in treatments().filter(|config| config.merging) {
        assert_eq!(reached(program, None, &config), *truth, "{config:?}");
    }
    // The treatments take turns.
    for (index, label) in program.labels().iter().enumerate() {
        let expected = truth.contains(&(label.point, 0));
        let treatment = treatments().skip(index % 4).take(1);
        ask(program, None, &[label.point], expected, treatment);
    }
}

fn compare_program(_: u64, text: &str) -> bool {
    let program = parse(text);
    let truth = brute::reachable(&program, &small());
    if truth.exhaustive {
        compare_nodes(&program, &truth.watched);
    }
    truth.exhaustive
}

fn compare_watched(seed: u64, text: &str) -> bool {
    let program = parse(text);
    let monitor = &generate::monitor(seed, &program).expect("it fits the program");
    let truth = brute::watched(&program, monitor, &small());
    if !truth.exhaustive {
        return false;
    }
    for config in treatments().filter(|config| config.merging) {
        assert_eq!(
            reached(&program, Some(monitor), &config),
            truth.watched,
            "{config:?} {monitor:?}"
        );
    }
    let expected = truth
        .watched
        .iter()
        .any(|(_, state)| monitor.states()[*state as usize].target);
    ask(&program, Some(monitor), &[], expected, treatments());
    true
}

/// All nodes that the explicit engine reaches, unless it takes too long.
fn explicitly(program: &Program) -> Option<BTreeSet<(Point, u32)>> {
    let prepared = Prepared::new(
        program,
        Observer::Nobody,
        Reductions::default(),
        Ending::Stops,
    );
    let system = prepared.with_words::<Box<[u64]>>();
    let mut found = BTreeSet::new();
    let note = |state: &_| {
        found.insert((system.point(state), system.monitor_state(state)));
        false
    };
    let config = recurva_explicit::Config {
        max_bytes: Some(8 << 20),
        ..recurva_explicit::Config::default()
    };
    // The calls come at fixed amounts of work.
    let mut calls = 0;
    let finished = recurva_explicit::reach(&system, &config, note, |_| {
        calls += 1;
        if calls > 3 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    matches!(finished.answer, recurva_explicit::Answer::Unreachable).then_some(found)
}

#[test]
fn programs_agree_with_brute_force_1() {
    run(0..10_000, 700, compare_program);
}

#[test]
fn programs_agree_with_brute_force_2() {
    run(10_000..20_000, 700, compare_program);
}

#[test]
fn watched_programs_agree_with_brute_force() {
    run(1_000_000..1_010_000, 400, compare_watched);
}

#[test]
fn wider_programs_agree_with_the_explicit_engine() {
    let programs = generate::Config {
        procedures: 3,
        globals: 3,
        locals: 3,
        bits: 9,
        integers: 60,
        arrays: 40,
        faults: 60,
        ..generate::Config::default()
    };
    run_on(3_000_000..3_010_000, 350, &programs, |_, text| {
        let program = parse(text).with_arithmetic_checks();
        let Some(truth) = explicitly(&program) else {
            return false;
        };
        compare_nodes(&program, &truth);
        true
    });
}

#[test]
fn arithmetic_checks_find_exactly_the_faults() {
    run(2_000_000..2_040_000, 350, |_, text| {
        let program = parse(text).with_arithmetic_checks();
        let truth = brute::reachable(&program, &small());
        if !truth.exhaustive {
            return false;
        }
        compare_nodes(&program, &truth.watched);
        let failures: Vec<Point> = program.failures().iter().map(|f| f.point).collect();
        let expected = failures.iter().any(|point| truth.nodes.contains(point));
        ask(&program, None, &failures, expected, treatments());
        true
    });
}
