//! Thousands of random programs with and without slicing.
//!
//! - The slice for some nodes reaches those of them that the program reaches, and with a monitor
//!   the slice reaches the same nodes with the same states of the monitor.
//! - Verdicts are the same for nodes, monitors and formulas, for finite, diverging and all
//!   stacks; every counterexample replays on the whole program, as always.
//! - A shortest counterexample is as long.
//! - Nothing of this is empty: each part of a program is dropped in many of them.

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_check::{Dropped, Engine, Ltl, Options, Order, Property, Runs, Stack, Verdict, check};
use recurva_explicit::{
    Answer, Config,
    program::{Ending, Inline, Observer, Prepared, Reductions},
    reach,
};
use recurva_lang::bp;
use recurva_logic::ltl::{Formula, FormulaId, Formulas, Operator};
use recurva_model::{Guard, Monitor, MonitorEdge, NodeId, Point, ProcId, Program};
use recurva_slice::{Observed, Slice};
use recurva_syntax::{Source, Style};
use recurva_testkit::{generate, rng::Rng};

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

/// A program with more variables than any question needs.
fn program(seed: u64) -> (String, Program) {
    let config = generate::Config {
        globals: 3,
        locals: 3,
        bits: 4,
        labels: 20,
        arrays: 30,
        ..generate::Config::default()
    };
    let text = generate::generate(seed, &config);
    let program = parse(&text);
    if seed.is_multiple_of(3) {
        return (text, program.with_arithmetic_checks());
    }
    (text, program)
}

/// All nodes and monitor states that the engine reaches.
fn reached(program: &Program, monitor: Option<&Monitor>) -> BTreeSet<(Point, u32)> {
    let observer = Observer::from(monitor);
    let prepared = Prepared::new(program, observer, Reductions::default(), Ending::Stops);
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

/// Whether a property is violated, and how long the counterexample is.
fn answer(program: &Program, property: &Property, options: Options) -> Option<u64> {
    let outcome = check(program, property, &options, &mut ())
        .unwrap_or_else(|error| panic!("{options:?}: {error}"));
    match outcome.verdict {
        Verdict::Holds => None,
        Verdict::Violated => Some(outcome.run().expect("a run").length()),
        Verdict::Unknown(limit) => panic!("no limit was set: {limit:?}"),
    }
}

/// Checks that nodes or a target state of a monitor are not reached: in both orders and with
/// both engines.
fn compare_reach(program: &Program, property: &Property) {
    let searches = [
        (Engine::Explicit, Order::DepthFirst),
        (Engine::Explicit, Order::ShortestFirst),
        (Engine::Symbolic, Order::DepthFirst),
    ];
    for (engine, order) in searches {
        let options = Options {
            engine,
            order,
            ..Options::default()
        };
        compare(program, property, options);
    }
}

/// Checks a property with and without slicing.
fn compare(program: &Program, property: &Property, options: Options) {
    let whole = Options {
        slice: false,
        ..options
    };
    let sliced = answer(program, property, options);
    let whole = answer(program, property, whole);
    assert_eq!(sliced.is_some(), whole.is_some(), "{options:?}");
    if options.order == Order::ShortestFirst && !property.is_liveness() {
        assert_eq!(sliced, whole, "{options:?}");
    }
}

fn nodes(program: &Program) -> Vec<Point> {
    let procedures = program.procedures().iter().zip(0..);
    procedures
        .flat_map(|(procedure, id)| {
            (0..procedure.nodes.len() as u32).map(move |node| Point {
                procedure: ProcId(id),
                node: NodeId(node),
            })
        })
        .collect()
}

fn compare_points(rng: &mut Rng, program: &Program, total: &mut Dropped) {
    let all = nodes(program);
    let truth: BTreeSet<Point> = reached(program, None).into_iter().map(|(p, _)| p).collect();
    for _ in 0..3 {
        let count = 1 + rng.below(3);
        let targets: Vec<Point> = (0..count).map(|_| all[rng.below(all.len())]).collect();
        let slice = Slice::new(program, &Observed::Points(&targets));
        add(total, slice.dropped());
        let found = reached(slice.program(), None);
        for &target in &targets {
            let sliced = slice.point(target);
            let reaches = sliced.is_some_and(|point| found.contains(&(point, 0)));
            assert_eq!(reaches, truth.contains(&target), "{target:?}");
        }
        let property = Property::Unreachable {
            name: String::new(),
            points: targets,
        };
        compare_reach(program, &property);
    }
}

fn compare_monitor(seed: u64, program: &Program, total: &mut Dropped) {
    let monitor = generate::monitor(seed, program).expect("it fits the program");
    let guards = monitor.edges().iter().map(|edge| &edge.guard);
    let slice = Slice::new(program, &Observed::Conditions(guards.collect()));
    add(total, slice.dropped());
    let edges = monitor.edges().iter().map(|edge| MonitorEdge {
        guard: slice.guard(&edge.guard),
        ..edge.clone()
    });
    let states = monitor.states().to_vec();
    let sliced = Monitor::new(slice.program(), "sliced", states, 0, edges.collect());
    let sliced = sliced.expect("it fits the slice");
    let there = |(point, state)| (slice.point(point).expect("it is reached"), state);
    let truth = reached(program, Some(&monitor));
    let truth: BTreeSet<(Point, u32)> = truth.into_iter().map(there).collect();
    assert_eq!(reached(slice.program(), Some(&sliced)), truth);
    compare_reach(program, &Property::Monitor(monitor));
}

fn compare_formulas(seed: u64, rng: &mut Rng, program: &Program) {
    let monitor = generate::monitor(seed, program).expect("it fits the program");
    let guards: Vec<Guard> = monitor.edges().iter().map(|e| e.guard.clone()).collect();
    for _ in 0..2 {
        let mut formulas = Formulas::new();
        let atoms: Vec<FormulaId> = (0..guards.len())
            .map(|index| formulas.atom(&format!("p{index}")))
            .collect();
        let root = formula(rng, &mut formulas, &atoms, 3);
        let property = Property::Ltl(Ltl {
            name: String::new(),
            formula: Formula { formulas, root },
            guards: guards.clone(),
            positions: None,
        });
        for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
            let options = Options {
                stack,
                runs: [Runs::Stutter, Runs::Infinite][rng.below(2)],
                ..Options::default()
            };
            compare(program, &property, options);
        }
    }
}

/// A random formula, at most so deep.
fn formula(rng: &mut Rng, formulas: &mut Formulas, atoms: &[FormulaId], depth: usize) -> FormulaId {
    const UNARY: [Operator; 4] = [
        Operator::Not,
        Operator::Next,
        Operator::Globally,
        Operator::Finally,
    ];
    const BINARY: [Operator; 4] = [
        Operator::And,
        Operator::Or,
        Operator::Until,
        Operator::Release,
    ];
    if depth == 0 || rng.chance(20) {
        return atoms[rng.below(atoms.len())];
    }
    let left = formula(rng, formulas, atoms, depth - 1);
    if rng.chance(60) {
        return formulas.unary(UNARY[rng.below(4)], left);
    }
    let right = formula(rng, formulas, atoms, depth - 1);
    formulas.binary(BINARY[rng.below(4)], left, right)
}

fn add(total: &mut Dropped, more: &Dropped) {
    let pairs = [
        (&mut total.procedures, more.procedures),
        (&mut total.variables, more.variables),
        (&mut total.nodes, more.nodes),
        (&mut total.edges, more.edges),
        (&mut total.assignments, more.assignments),
        (&mut total.guards, more.guards),
    ];
    for (sum, count) in pairs {
        sum.of += count.of;
        sum.dropped += count.dropped;
    }
}

/// Runs a test on so many programs; the program that fails is printed.
fn run(seeds: std::ops::Range<u64>, mut test: impl FnMut(u64, &mut Rng, &Program)) {
    for seed in seeds {
        let (text, program) = program(seed);
        let mut rng = Rng::new(seed);
        let attempt = std::panic::AssertUnwindSafe(|| test(seed, &mut rng, &program));
        if let Err(reason) = std::panic::catch_unwind(attempt) {
            let message = reason.downcast_ref::<String>().cloned();
            let message = message.or_else(|| reason.downcast_ref::<&str>().map(|s| (*s).into()));
            panic!("{text}\nseed {seed}: {}", message.unwrap_or_default());
        }
    }
}

fn assert_not_empty(total: &Dropped) {
    let counts = [
        total.procedures,
        total.variables,
        total.nodes,
        total.edges,
        total.assignments,
        total.guards,
    ];
    for count in counts {
        assert!(count.dropped * 200 > count.of, "{total}");
    }
}

#[test]
fn points_of_three_thousand_programs() {
    let mut total = Dropped::default();
    run(0..3_000, |_, rng, program| {
        compare_points(rng, program, &mut total);
    });
    assert_not_empty(&total);
}

#[test]
fn monitors_of_fifteen_hundred_programs() {
    let mut total = Dropped::default();
    run(1_000_000..1_001_500, |seed, _, program| {
        compare_monitor(seed, program, &mut total);
    });
    assert_not_empty(&total);
}

#[test]
fn formulas_of_fifteen_hundred_programs() {
    run(2_000_000..2_001_500, compare_formulas);
}
