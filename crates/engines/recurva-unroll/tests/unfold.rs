//! Proofs from unrolling: of what brute force says is never reached, and the checker accepts them.

use std::ops::ControlFlow;

use recurva_certificate::{
    Proof,
    check::{EmbeddedJudge, check},
};
use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{brute, generate};
use recurva_unroll::{Config, Outcome, Reason, search_and_prove};

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn labelled(program: &Program, name: &str) -> Vec<Point> {
    let labels = program.labels().iter().filter(|it| &*it.name == name);
    labels.map(|it| it.point).collect()
}

fn unfold(program: &Program, errors: &[Point], targets: &[Point], max_depth: u32) -> Outcome {
    let config = Config {
        max_depth,
        ..Config::default()
    };
    let mut ask = |_: &_| ControlFlow::Continue(());
    search_and_prove(program, (errors, targets), &config, &mut ask)
}

fn is_accepted(program: &Program, targets: &[Point], proof: &Proof) -> bool {
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    check(program, targets, proof, &mut judge, &mut ask).is_ok()
}

#[test]
fn what_brute_force_never_reaches_is_proved_and_nothing_else() {
    let (mut accepted, mut rejected, mut runs) = (0, 0, 0);
    for seed in 0..40 {
        let text = generate::generate(seed, &generate::Config::default());
        let program = parse(&text);
        let found = brute::reachable(&program, &brute::Limits::default());
        if !found.exhaustive {
            continue;
        }
        for label in program.labels().iter().take(2) {
            let targets = labelled(&program, &label.name);
            let is_reached = targets.iter().any(|it| found.nodes.contains(it));
            match unfold(&program, &targets, &targets, 4) {
                Outcome::Proof(proof) => {
                    assert!(!is_reached, "{text}");
                    match is_accepted(&program, &targets, &proof) {
                        true => accepted += 1,
                        false => rejected += 1,
                    }
                }
                Outcome::Run(trace) => {
                    assert!(is_reached, "{text}");
                    let claim = Claim::Reaches(targets);
                    assert!(replay(&program, *trace, &claim).is_ok(), "{text}");
                    runs += 1;
                }
                Outcome::Unknown(Reason::Depth | Reason::Large) => assert!(!is_reached, "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }
    let counts = (accepted, rejected, runs);
    assert!(runs > 20, "{counts:?}");
    assert!(accepted > 4 && accepted > 2 * rejected, "{counts:?}");
}

/// Whether it is proved, and the checker accepts that, that the label `ERROR` is not reached.
fn is_proved(text: &str) -> bool {
    let program = parse(text);
    let targets = labelled(&program, "ERROR");
    match unfold(&program, &targets, &targets, u32::MAX) {
        Outcome::Proof(proof) => is_accepted(&program, &targets, &proof),
        other => panic!("{other:?}"),
    }
}

#[test]
fn loops_that_mix_bits_are_proved() {
    assert!(is_proved(
        "
        void main() begin
            decl int(8) x;
            decl int(8) y;
            decl int(8) i;
            x := *;
            y := 0;
            i := 0;
            while (i < 8) do
                y := (y | (x & (1 << i)));
                i := (i + 1);
            od
            if (y != x) then
                ERROR: skip;
            fi
        end"
    ));
}

#[test]
fn calls_are_proved_by_what_they_return() {
    assert!(is_proved(
        "
        int(8) count(int(8) n) begin
            decl int(8) c;
            c := 0;
            while (n != 0) do
                n := (n >> 1);
                c := (c + 1);
            od
            return c;
        end
        void check(bool is_right) begin
            if (!is_right) then
                ERROR: skip;
            fi
        end
        void main() begin
            decl int(8) n;
            decl int(8) c;
            n := *;
            c := count(n);
            check((c <= 8));
        end"
    ));
}

#[test]
fn what_nobody_holds_any_more_is_asked_of_the_solver() {
    assert!(is_proved(
        "
        void check(bool is_right) begin
            if (!is_right) then
                ERROR: skip;
            fi
        end
        void main() begin
            decl int(8) kept;
            kept := *;
            if (kept < 4) then
                check(((((kept * kept) + kept) & 1) = 0));
            fi
        end"
    ));
}

#[test]
fn an_error_may_be_unreachable_where_a_limit_is_not() {
    let text = "
        void main() begin
            decl bool b;
            b := *;
            if (b) then
                LIMIT: skip;
            fi
            if (b & !b) then
                ERROR: skip;
            fi
        end";
    let program = parse(text);
    let errors = labelled(&program, "ERROR");
    let mut targets = errors.clone();
    targets.extend(labelled(&program, "LIMIT"));
    let outcome = unfold(&program, &errors, &targets, u32::MAX);
    let is_target = matches!(outcome, Outcome::Unknown(Reason::Target));
    assert!(is_target, "{outcome:?}");
    let outcome = unfold(&program, &errors, &errors, u32::MAX);
    assert!(matches!(outcome, Outcome::Proof(_)), "{outcome:?}");
}
