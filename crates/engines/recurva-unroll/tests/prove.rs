//! Proofs that are guessed: accepted by the checker, and never of what is not so.

use std::ops::ControlFlow;

use recurva_certificate::check::{EmbeddedJudge, check};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{brute, generate};
use recurva_unroll::{GuessConfig, Proved, prove};

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

/// Whether there is a proof, which the checker accepts.
fn proves(program: &Program, targets: &[Point]) -> bool {
    let config = GuessConfig::default();
    let proved = prove(
        program,
        targets,
        &config,
        &mut |_| ControlFlow::Continue(()),
    );
    let Proved::Proof(proof) = proved else {
        return false;
    };
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    let checked = check(program, targets, &proof, &mut judge, &mut ask);
    assert!(checked.is_ok(), "{:?}", checked.err());
    true
}

#[test]
fn what_brute_force_reaches_is_never_proved_unreachable() {
    let (mut proved, mut unproved) = (0, 0);
    for seed in 0..40 {
        let text = generate::generate(seed, &generate::Config::default());
        let program = parse(&text);
        let found = brute::reachable(&program, &brute::Limits::default());
        if !found.exhaustive {
            continue;
        }
        for label in program.labels().iter().take(1) {
            let targets = labelled(&program, &label.name);
            let is_reached = targets.iter().any(|it| found.nodes.contains(it));
            match (proves(&program, &targets), is_reached) {
                (true, reached) => {
                    assert!(!reached, "{text}");
                    proved += 1;
                }
                (false, false) => unproved += 1,
                (false, true) => {}
            }
        }
    }
    assert!(proved > 4 && proved > 3 * unproved, "{proved} {unproved}");
}

#[test]
fn sums_and_recursion_are_proved() {
    let sum = "
        void main() begin
            decl int(16) n;
            decl int(16) i;
            decl int(16) s;
            n := *;
            i := 0;
            s := 0;
            if (n < 100) then
                while (i < n) do
                    i := (i + 1);
                    s := (s + 2);
                od
                if (s != (n + n)) then
                    ERROR: skip;
                fi
            fi
        end";
    let recursion = "
        int(16) double(int(16) x) begin
            decl int(16) r;
            if (x = 0) then
                return 0;
            fi
            r := double((x - 1));
            return (r + 2);
        end
        void main() begin
            decl int(16) n;
            decl int(16) r;
            n := *;
            if (n < 100) then
                r := double(n);
                if (r != (n + n)) then
                    ERROR: skip;
                fi
            fi
        end";
    for text in [sum, recursion] {
        let program = parse(text);
        assert!(proves(&program, &labelled(&program, "ERROR")), "{text}");
    }
}
