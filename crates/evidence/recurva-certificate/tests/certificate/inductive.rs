//! The checker accepts what enumeration says is a proof, and nothing else.

use std::ops::{ControlFlow, Range};

use recurva_certificate::{
    Proof,
    check::{Both, EmbeddedJudge, ProcessJudge, Why, check, failing},
    formula::Scope,
    text::{ProgramNames, parse, print},
};
use recurva_model::{Point, Program};
use recurva_smt::process::{Tool, ToolKind, ToolLimits};
use recurva_syntax::Source;
use recurva_testkit::rng::Rng;

use crate::{damage::damaged, make, oracle::Oracle, reach::reached};

#[derive(Debug, Default)]
struct Statistics {
    programs: usize,
    proofs: usize,
    damaged: usize,
    still_proofs: usize,
    obligations: usize,
    too_large: usize,
}

fn accepted(program: &Program, targets: &[Point], proof: &Proof) -> Result<usize, Why> {
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    match check(program, targets, proof, &mut judge, &mut ask) {
        Ok(checked) => Ok(checked.obligations),
        Err(rejected) => {
            // Whatever it is, there are words for it.
            assert!(!rejected.obligation.describe(program).is_empty());
            Err(rejected.why)
        }
    }
}

/// The same proof, out of its text.
fn read_back(program: &Program, proof: &Proof) -> Proof {
    let names = ProgramNames::new(program);
    let mut out = Proof::default();
    for (&point, formula) in &proof.formulas {
        let scope = Scope {
            program,
            procedure: point.procedure,
        };
        let text = print(formula, scope, &names, usize::MAX).expect("a text");
        let source = Source::new("formula", &*text).expect("a short one");
        let formula = parse(&source, scope, &names).expect("the text of a formula");
        out.formulas.insert(point, formula);
    }
    out
}

fn compare(seeds: Range<u64>) -> Statistics {
    let mut statistics = Statistics::default();
    for seed in seeds {
        let (text, program) = make::program(seed);
        let Some(reached) = reached(&program, 20_000) else {
            continue;
        };
        let mut rng = Rng::new(seed ^ 0x5eed);
        let mut oracle = Oracle::new(&program);
        let targets = make::targets(&program, &reached, &mut rng);
        let is_safe = targets.iter().all(|it| !reached.contains_key(it));
        let proof = make::proof(&oracle.world, &reached, &mut rng);
        assert_eq!(
            oracle.accepts(&targets, &proof),
            Ok(is_safe),
            "{text}\n{proof:?}"
        );
        let outcome = accepted(&program, &targets, &proof);
        assert_eq!(
            outcome.is_ok(),
            is_safe,
            "{text}\n{targets:?}\n{proof:?}\n{outcome:?}"
        );
        statistics.programs += 1;
        if let Ok(obligations) = outcome {
            statistics.obligations += obligations;
            statistics.proofs += 1;
        }
        let mut last = proof.clone();
        for round in 0..8 {
            let from = if round % 2 == 0 { &proof } else { &last };
            let other = damaged(&program, from, &mut rng);
            let expected = oracle.accepts(&targets, &other);
            let outcome = accepted(&program, &targets, &other);
            let is_too_large = outcome == Err(Why::TooLarge);
            let (Ok(expected), false) = (expected, is_too_large) else {
                assert!(outcome.is_err(), "{text}\n{other:?}");
                statistics.too_large += 1;
                continue;
            };
            assert_eq!(
                outcome.is_ok(),
                expected,
                "{text}\n{targets:?}\n{other:?}\n{outcome:?}"
            );
            if round == 0 {
                let mut judge = EmbeddedJudge::default();
                let mut ask = || ControlFlow::Continue(());
                let failed = failing(&program, &targets, &other, &mut judge, &mut ask);
                assert_eq!(failed.is_empty(), expected, "{text}\n{other:?}\n{failed:?}");
                let other = read_back(&program, &other);
                let outcome = accepted(&program, &targets, &other);
                assert_eq!(outcome.is_ok(), expected, "{text}\n{other:?}");
            }
            statistics.damaged += usize::from(other != proof);
            statistics.still_proofs += usize::from(expected && other != proof);
            last = other;
        }
    }
    statistics
}

#[test]
fn accepted_are_proofs_and_no_others() {
    // In two parts, as tests run on several threads.
    let parts = [0..400, 400..800];
    let statistics = std::thread::scope(|scope| {
        let threads = parts.map(|seeds| scope.spawn(|| compare(seeds)));
        threads.map(|it| it.join().expect("agreement"))
    });
    for part in statistics {
        assert!(part.programs >= 350, "{part:?}");
        assert!(part.proofs >= 250 && part.obligations > 2_500, "{part:?}");
        assert!(part.damaged >= 2_000, "{part:?}");
        // Damage that leaves a proof is told apart from damage that does not.
        assert!(part.still_proofs >= 200, "{part:?}");
        assert!(part.too_large * 20 <= part.damaged, "{part:?}");
    }
}

/// Another solver, and two that have to agree, judge as the embedded one does; where there is one.
#[test]
fn other_solvers_say_the_same() {
    for kind in [ToolKind::Z3, ToolKind::Cvc5] {
        let Some(tool) = Tool::find(kind) else {
            continue;
        };
        for seed in 0..6 {
            let (text, program) = make::program(seed);
            let Some(reached) = reached(&program, 2_000) else {
                continue;
            };
            let mut rng = Rng::new(seed);
            let mut oracle = Oracle::new(&program);
            let targets = make::targets(&program, &reached, &mut rng);
            let proof = make::proof(&oracle.world, &reached, &mut rng);
            let other = damaged(&program, &proof, &mut rng);
            for proof in [proof, other] {
                let other = ProcessJudge {
                    tool: tool.clone(),
                    limits: ToolLimits::default(),
                };
                let mut judge = Both(other, EmbeddedJudge::default());
                let mut ask = || ControlFlow::Continue(());
                let outcome = check(&program, &targets, &proof, &mut judge, &mut ask);
                let expected = oracle.accepts(&targets, &proof);
                assert_eq!(Ok(outcome.is_ok()), expected, "{kind} {text}\n{outcome:?}");
            }
        }
    }
}
