//! CaRet on programs and machines.
//!
//! - Random formulas on random programs: the engine against heads that come back to themselves
//!   (`recurva_testkit::live::by_saturation`), on the product with the same automaton. That the
//!   automaton is right is a matter of `recurva-logic`.
//! - Formulas of linear-time temporal logic: the same verdicts as on the other way, on random
//!   programs and on the corpus.
//! - Random machines: the same verdicts as NT-µ, with the automaton in the machine (`thesis`).
//! - Nested state machines: what the formula means on their runs (`machines`).
//!
//! `RECURVA_CARET_PROGRAMS` is the number of programs if it is set.

mod machines;
mod questions;
mod same;
mod thesis;

use recurva_check::{Options, Order, Property, Reductions, Runs, Stack, Verdict, check};
use recurva_lang::bp;
use recurva_logic::{automaton::Config, caret, ltl::Operator};
use recurva_model::{NestedAutomaton, ProcId, Program};
use recurva_syntax::Source;
use recurva_testkit::{
    generate,
    live::{self, Accepted, Limits, Truth},
};

/// A small program. In every other one the runs begin in the first procedure, which may call
/// itself and has parameters.
fn program(seed: u64) -> (String, Program) {
    let config = generate::Config {
        bits: 1 + seed as usize / 2 % 2,
        statements: 3,
        faults: 10,
        ..generate::Config::default()
    };
    let text = generate::generate(seed, &config);
    let source = Source::new("random.bp", text.clone()).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let mut parts = parsed.program.expect(&text).into_parts();
    if seed % 2 == 1 {
        parts.main = ProcId(0);
    }
    (text, Program::new(parts).expect("all parts fit"))
}

/// The truth about the violations of a property; `None` if it is too large for the reference.
fn truth(program: &Program, property: &Property) -> Option<Truth> {
    let Property::Caret(caret) = property else {
        panic!("not a formula of CaRet");
    };
    let mut formula = caret.formula.clone();
    formula.root = formula.formulas.unary(Operator::Not, formula.root);
    let config = Config {
        states: 60,
        edges: 400,
        ..Config::default()
    };
    let parts = caret::translate(&formula, &config).ok()?;
    let automaton = NestedAutomaton::new(program, caret.guards.clone(), parts).expect("it fits");
    let limits = Limits {
        heads: 120,
        facts: 1_500,
        ..Limits::default()
    };
    live::by_saturation(program, &automaton, &limits)
}

/// How a question was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Holds,
    Finite,
    Diverging,
}

fn ask(program: &Program, property: &Property, options: &Options) -> Answer {
    let told = || format!("{}\n{options:?}", property.name());
    let outcome = check(program, property, options, &mut ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{}", told()));
    match outcome.verdict {
        Verdict::Unknown(limit) => {
            panic!("no limit was set: {limit:?}\n{}", told())
        }
        Verdict::Holds => Answer::Holds,
        Verdict::Violated => {
            let kinds = outcome.kinds.expect("an infinite run");
            let run = outcome.run().expect("a run");
            match run.trace().diverges() {
                true => {
                    assert_eq!(kinds.diverging, Some(true), "{}", told());
                    Answer::Diverging
                }
                false => {
                    assert_eq!(kinds.finite, Some(true), "{}", told());
                    Answer::Finite
                }
            }
        }
    }
}

/// Compares the answers to one question, for all kinds of runs.
fn compare(seed: u64, program: &Program, property: &Property) -> Option<Truth> {
    let truth = truth(program, property)?;
    let mut treatment = seed;
    let kinds = [
        (Runs::Stutter, truth.stutter),
        (Runs::Infinite, truth.infinite),
    ];
    for (runs, Accepted { finite, diverging }) in kinds {
        for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
            treatment += 1;
            let options = Options {
                order: [Order::DepthFirst, Order::ShortestFirst][treatment as usize / 4 % 2],
                reductions: Reductions {
                    liveness: treatment & 1 == 0,
                    laziness: treatment & 2 == 0,
                },
                stack,
                runs,
                ..Options::default()
            };
            let expected = match stack {
                Stack::Any if finite => Answer::Finite,
                Stack::Any if diverging => Answer::Diverging,
                Stack::Finite if finite => Answer::Finite,
                Stack::Diverging if diverging => Answer::Diverging,
                _ => Answer::Holds,
            };
            let found = ask(program, property, &options);
            assert_eq!(
                found,
                expected,
                "{}\n{options:?}\n{truth:?}",
                property.name()
            );
        }
    }
    Some(truth)
}

fn wanted(default: usize) -> usize {
    let asked = std::env::var("RECURVA_CARET_PROGRAMS").ok();
    asked.map_or(default, |count| count.parse().expect("a number"))
}

#[test]
fn random_formulas_on_random_programs() {
    let wanted = wanted(400);
    let (mut compared, mut finite, mut diverging) = (0, 0, 0);
    let mut seed = 0;
    while compared < wanted {
        seed += 1;
        let (text, program) = program(seed);
        let property = questions::caret(seed, &program);
        let truth = std::panic::catch_unwind(|| compare(seed, &program, &property));
        let truth = truth.unwrap_or_else(|_| panic!("seed {seed}\n{text}"));
        if let Some(truth) = truth {
            compared += 1;
            finite += usize::from(truth.infinite.finite);
            diverging += usize::from(truth.infinite.diverging);
        }
    }
    assert!(
        finite * 20 > wanted && diverging * 20 > wanted,
        "{finite} {diverging}"
    );
}
