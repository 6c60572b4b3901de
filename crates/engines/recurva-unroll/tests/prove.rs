//! Proofs that are guessed: accepted by the checker, and never of what is not so.

use std::{ops::ControlFlow, time::Duration};

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
    // A machine under load is no reason for another answer.
    let config = GuessConfig {
        question: Duration::from_secs(300),
        ..GuessConfig::default()
    };
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

/// A main procedure that calls others, and goes wrong if some condition holds.
fn with_main(procedures: &str, body: &str, wrong: &str) -> String {
    format!(
        "{procedures}
        void main() begin
            decl int(32) a;
            decl int(32) b;
            decl int(32) r;
            decl int(32) s;
            a := *;
            b := *;
            {body}
            if ({wrong}) then
                ERROR: skip;
            fi
        end"
    )
}

#[test]
fn numbers_that_wrap_around_are_added_and_multiplied() {
    let add = "
        int(32) add(int(32) m, int(32) n) begin
            decl int(32) r;
            if (n = 0) then
                return m;
            fi
            r := add((m + 1), (n - 1));
            return r;
        end";
    let multiply = "
        int(32) multiply(int(32) m, int(32) n) begin
            decl int(32) r;
            if (n = 0) then
                return 0;
            fi
            r := multiply(m, (n - 1));
            return (m + r);
        end";
    for (procedure, call) in [(add, "add"), (multiply, "multiply")] {
        let body = format!("r := {call}(a, b); s := {call}(b, a);");
        let program = parse(&with_main(procedure, &body, "r != s"));
        assert!(proves(&program, &labelled(&program, "ERROR")), "{call}");
        let program = parse(&with_main(procedure, &body, "r = s"));
        assert!(!proves(&program, &labelled(&program, "ERROR")), "{call}");
    }
}

#[test]
fn powers_of_two_are_seen() {
    let double = "
        int(32) power(int(32) n) begin
            decl int(32) r;
            if (n = 1) then
                return 1;
            fi
            r := power((n - 1));
            return ((r + r) + 1);
        end";
    let body = "if ((a < 1) | (a > 31)) then a := 1; fi r := power(a);";
    for (wrong, is_right) in [("r < a", true), ("r > a", false)] {
        let program = parse(&with_main(double, body, wrong));
        let targets = labelled(&program, "ERROR");
        assert_eq!(proves(&program, &targets), is_right, "{wrong}");
    }
}

#[test]
fn cases_and_bounds_in_them_are_seen() {
    let ackermann = "
        int(32) ackermann(int(32) m, int(32) n) begin
            decl int(32) r;
            if (m = 0) then
                return (n + 1);
            fi
            if (n = 0) then
                r := ackermann((m - 1), 1);
                return r;
            fi
            r := ackermann(m, (n - 1));
            r := ackermann((m - 1), r);
            return r;
        end";
    let body = "if (a > 2) then a := 2; fi if (b > 23) then b := 23; fi r := ackermann(a, b);";
    for (wrong, is_right) in [("r <= b", true), ("r > 48", false)] {
        let program = parse(&with_main(ackermann, body, wrong));
        let targets = labelled(&program, "ERROR");
        assert_eq!(proves(&program, &targets), is_right, "{wrong}");
    }
}

#[test]
fn low_bits_are_seen() {
    let body = "r := 0; while (b < 100) do a := *; b := *; r := (r + (a * 4096)); od";
    for (wrong, is_right) in [("r = 2048", true), ("r = 8192", false)] {
        let program = parse(&with_main("", body, wrong));
        let targets = labelled(&program, "ERROR");
        assert_eq!(proves(&program, &targets), is_right, "{wrong}");
    }
}

#[test]
fn differences_near_numbers_of_the_program_are_seen() {
    let body = "
        if ((a < 1) | (a > 1000000)) then a := 1; fi
        if (b > 1000000) then b := 1; fi
        r := 1;
        while (r < b) do
            s := *;
            if (s = 0) then a := (a + 1); fi
            r := (r + 1);
        od";
    for (wrong, is_right) in [("a < 1", true), ("a = 7", false)] {
        let program = parse(&with_main("", body, wrong));
        let targets = labelled(&program, "ERROR");
        assert_eq!(proves(&program, &targets), is_right, "{wrong}");
    }
}

#[test]
fn globals_that_a_callee_leaves_alone_are_as_they_were() {
    let text = "
        decl int(32) count;
        void down(int(32) n) begin
            if (n > 0) then
                down((n - 1));
            fi
        end
        void main() begin
            decl int(32) n;
            decl int(32) before;
            n := *;
            count := *;
            before := count;
            down(n);
            if (count != before) then
                ERROR: skip;
            fi
        end";
    let program = parse(text);
    assert!(proves(&program, &labelled(&program, "ERROR")));
}
