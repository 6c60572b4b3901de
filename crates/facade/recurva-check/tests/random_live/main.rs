//! Thousands of random programs and questions about their infinite runs: the engines against the
//! references of `recurva_testkit::live`.
//!
//! Each program gets a formula, an automaton, a monitor and a label, and each of these is asked
//! for all kinds of stacks, both readings of runs that end, and both orders, with one of the
//! treatments by turns; and of some programs by the engine with decision diagrams, with and
//! without slicing:
//!
//! - the verdict is the reference's, and a counterexample replays;
//! - what the counterexample says about other kinds of runs is true;
//! - it is of the kind asked for, and its word, spelled out, violates the property.
//!
//! `RECURVA_LIVE_PROGRAMS` is the number of programs if it is set; both engines are asked then
//! about each.

mod by_hand;
mod questions;
mod tableau;

use recurva_check::{
    Answer, Engine, Kinds, Ltl, Never, Options, Order, Property, Reductions, Runs, Stack, Verdict,
    check,
};
use recurva_lang::bp;
use recurva_logic::ltl;
use recurva_model::{ProcId, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{
    generate,
    live::{self, Accepted, Limits},
};

use questions::Question;

/// A small program. In every other one the runs begin in the first procedure, which may call
/// itself and has parameters.
fn program(seed: u64) -> (String, Program) {
    let config = generate::Config {
        bits: 1 + seed as usize / 2 % 3,
        statements: 3,
        faults: 10,
        ..generate::Config::default()
    };
    let text = generate::generate(seed, &config);
    let source = Source::new("random.bp", text.clone()).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    let program = parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"));
    let mut parts = program.into_parts();
    if seed % 2 == 1 {
        parts.main = ProcId(0);
    }
    (text, Program::new(parts).expect("all parts fit"))
}

/// How many of the questions have which answer.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    questions: usize,
    none: usize,
    only_stuttering: usize,
    only_finite: usize,
    only_diverging: usize,
    both: usize,
}

impl Counts {
    fn add(&mut self, truth: live::Truth) {
        let Accepted { finite, diverging } = truth.infinite;
        self.questions += 1;
        let count = match (finite, diverging) {
            (false, false) if truth.stutter.any() => &mut self.only_stuttering,
            (false, false) => &mut self.none,
            (true, false) => &mut self.only_finite,
            (false, true) => &mut self.only_diverging,
            (true, true) => &mut self.both,
        };
        *count += 1;
    }
}

/// Compares the answers to one question; `None` if it is too large for the reference.
fn compare(
    seed: u64,
    program: &Program,
    (property, violations): &Question,
    symbolically: bool,
) -> Option<live::Truth> {
    let limits = Limits {
        heads: 300,
        facts: 3_000,
        ..Limits::default()
    };
    let truth = live::accepted(program, violations, &limits)?;
    let mut treatment = seed;
    let kinds = [
        (Runs::Stutter, truth.stutter),
        (Runs::Infinite, truth.infinite),
    ];
    for (runs, there_is) in kinds {
        for stack in [Stack::Any, Stack::Finite, Stack::Diverging] {
            for order in [Order::DepthFirst, Order::ShortestFirst] {
                treatment += 1;
                let reductions = Reductions {
                    liveness: treatment & 1 == 0,
                    laziness: treatment & 2 == 0,
                };
                let options = Options {
                    order,
                    engine: Engine::Explicit,
                    reductions,
                    stack,
                    runs,
                    ..Options::default()
                };
                judge(program, property, &options, there_is);
            }
            for slice in symbolically.then_some([true, false]).into_iter().flatten() {
                treatment += 1;
                let options = Options {
                    engine: Engine::Symbolic,
                    slice,
                    reductions: Reductions {
                        liveness: !treatment.is_multiple_of(3),
                        laziness: true,
                    },
                    stack,
                    runs,
                    ..Options::default()
                };
                judge(program, property, &options, there_is);
            }
        }
    }
    Some(truth)
}

/// Checks a property, and everything that comes out.
fn judge(program: &Program, property: &Property, options: &Options, there_is: Accepted) {
    let violated = match options.stack {
        Stack::Any => there_is.any(),
        Stack::Finite => there_is.finite,
        Stack::Diverging => there_is.diverging,
    };
    let told = || format!("{}\n{options:?}\n{there_is:?}", property.name());
    let outcome = check(program, property, options, &mut ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{error}\n{}", told()));
    let engine = match options.engine {
        Engine::Symbolic => "symbolic",
        Engine::Explicit => "explicit",
        _ => outcome.engine,
    };
    assert_eq!(outcome.engine, engine, "{}", told());
    match outcome.verdict {
        Verdict::Unknown(limit) => {
            panic!("no limit was set: {limit:?}\n{}", told())
        }
        Verdict::Holds => assert!(!violated, "it does not hold\n{}", told()),
        Verdict::Violated => {
            assert!(violated, "it holds\n{}", told());
            inspect(&outcome, property, options, there_is)
                .unwrap_or_else(|wrong| panic!("{wrong}\n{}", told()));
        }
    }
}

/// Whether a counterexample is what it says it is.
fn inspect(
    outcome: &Answer<'_>,
    property: &Property,
    options: &Options,
    there_is: Accepted,
) -> Result<(), &'static str> {
    let require = |holds: bool, wrong: &'static str| if holds { Ok(()) } else { Err(wrong) };
    let Kinds { finite, diverging } = outcome.kinds.ok_or("no kinds")?;
    let is = |claim: Option<bool>, fact: bool| claim.is_none_or(|claim| claim == fact);
    require(is(finite, there_is.finite), "finite is wrong")?;
    require(is(diverging, there_is.diverging), "diverging is wrong")?;

    let replayed = outcome.run().ok_or("no run")?;
    let lasso = replayed.lasso().ok_or("no lasso")?;
    let trace = replayed.trace();
    let of_kind = match options.stack {
        Stack::Any => true,
        Stack::Finite => !trace.diverges(),
        Stack::Diverging => trace.diverges(),
    };
    require(of_kind, "not the kind of run that was asked for")?;
    require(
        if trace.diverges() { diverging } else { finite } == Some(true),
        "the kind of the run itself is not told",
    )?;
    require(
        options.runs == Runs::Stutter || !trace.turn_steps().is_empty(),
        "no infinite run",
    )?;

    let word = lasso.word();
    let (stem, turn) = word.lengths();
    if stem.saturating_add(turn) <= 2_000 {
        let counts = |letter: &u64| match property {
            Property::Ltl(Ltl {
                positions, guards, ..
            })
            | Property::Never(Never {
                positions, guards, ..
            }) => positions.is_none() || letter >> guards.len() & 1 == 1,
            Property::Unreachable { .. } | Property::Monitor(_) | Property::Caret(_) => false,
        };
        let stem: Vec<u64> = word.letters(word.stem()).filter(counts).collect();
        let turn: Vec<u64> = word.letters(word.turn()).filter(counts).collect();
        let violates = match property {
            Property::Ltl(ltl) => {
                let formula = &ltl.formula;
                ltl::evaluate(&formula.formulas, formula.root, &stem, &turn) == Some(false)
            }
            Property::Never(never) => never.automaton.accepts(&stem, &turn),
            Property::Unreachable { .. } | Property::Monitor(_) | Property::Caret(_) => false,
        };
        require(violates, "the word satisfies the property")?;
    }
    Ok(())
}

/// Asks all questions about as many programs as are wanted, from a seed on.
fn run(first: u64) {
    let asked = std::env::var("RECURVA_LIVE_PROGRAMS").ok();
    let symbolic_share = if asked.is_some() { 1 } else { SYMBOLIC_SHARE };
    let wanted = asked.map_or(5_000, |count| count.parse().expect("a number")) / PARTS;
    let mut counts = [Counts::default(); 4];
    let mut programs = 0;
    let mut seed = first;
    while programs < wanted {
        let (text, program) = program(seed);
        let at_positions = |question| questions::at_positions(seed, &program, question);
        let compared = std::panic::catch_unwind(|| {
            [
                questions::formula(seed, &program).map(at_positions),
                Some(at_positions(questions::automaton(seed, &program))),
                Some(questions::monitor(seed, &program)),
                questions::repeat(seed, &program),
            ]
            .map(|question| {
                let symbolically = seed.is_multiple_of(symbolic_share);
                compare(seed, &program, &question?, symbolically)
            })
        });
        let truths = compared.unwrap_or_else(|reason| {
            // The program is what a person needs to see.
            let main = &program.procedure(program.main()).name;
            panic!("{text}\nmain is {main}\n{}", message(&*reason))
        });
        programs += usize::from(truths.iter().any(Option::is_some));
        for (counts, truth) in counts.iter_mut().zip(truths) {
            if let Some(truth) = truth {
                counts.add(truth);
            }
        }
        seed += 1;
    }
    // No label is where a run ends: labels come again and again only in runs that go on.
    for (counts, stutters) in counts.into_iter().zip([true, true, true, false]) {
        let Counts {
            questions,
            none,
            only_stuttering,
            only_finite,
            only_diverging,
            both,
        } = counts;
        assert!(questions * 2 > wanted, "{counts:?}");
        let least = none.min(only_finite).min(only_diverging).min(both);
        assert!(least * 200 > wanted, "{counts:?}");
        assert!(!stutters || only_stuttering * 20 > wanted, "{counts:?}");
    }
}

/// One in so many programs is searched with decision diagrams, too, which takes longer for
/// small programs; all of them if a number of programs is asked for. Odd, since seeds that are
/// even make programs of one kind.
const SYMBOLIC_SHARE: u64 = 29;

/// The tests below, which run side by side.
const PARTS: usize = 4;

fn message(reason: &(dyn std::any::Any + Send)) -> String {
    let text = reason.downcast_ref::<String>().cloned();
    text.or_else(|| reason.downcast_ref::<&str>().map(|s| (*s).to_owned()))
        .unwrap_or_default()
}

#[test]
fn infinite_runs_agree_with_the_reference_1() {
    run(0);
}

#[test]
fn infinite_runs_agree_with_the_reference_2() {
    run(1_000_000);
}

#[test]
fn infinite_runs_agree_with_the_reference_3() {
    run(2_000_000);
}

#[test]
fn infinite_runs_agree_with_the_reference_4() {
    run(3_000_000);
}
