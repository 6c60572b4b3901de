//! Running out of something is an answer.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_symbolic::{Answer, Config, Stopped, reach};
use recurva_syntax::{Source, Style};

fn parse(text: &str) -> Program {
    let source = Source::new("limits.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{errors}"))
}

fn failures(program: &Program) -> Vec<Point> {
    let failures = program.failures().iter();
    failures.map(|failure| failure.point).collect()
}

/// Products of arbitrary integers, whose diagrams are large in every order.
const PRODUCTS: &str = "
decl int(24) a, b, c, d;
void main() begin
  c := a * b;
  d := b * c;
  assert(c * d != a * a + 7);
end
";

fn answer(text: &str, config: &Config) -> Answer {
    let program = parse(text);
    let finished = reach(&program, None, &failures(&program), config, |_| {
        ControlFlow::Continue(())
    });
    finished.answer
}

#[test]
fn nodes() {
    for max_nodes in [0, 10, 1_000, 100_000] {
        let config = Config {
            max_nodes: Some(max_nodes),
            ..Config::default()
        };
        let answer = answer(PRODUCTS, &config);
        assert!(
            matches!(answer, Answer::Stopped(Stopped::Nodes)),
            "{answer:?}"
        );
    }
}

#[test]
fn memory() {
    for max_bytes in [0, 100, 10_000, 20_000_000] {
        let config = Config {
            max_bytes: Some(max_bytes),
            ..Config::default()
        };
        let answer = answer(PRODUCTS, &config);
        assert!(
            matches!(answer, Answer::Stopped(Stopped::Memory)),
            "{answer:?}"
        );
    }
}

#[test]
fn the_callback() {
    let program = parse(PRODUCTS);
    let started = Instant::now();
    let mut calls = 0;
    let finished = reach(
        &program,
        None,
        &failures(&program),
        &Config::default(),
        |_| {
            calls += 1;
            if started.elapsed() > Duration::from_millis(200) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    assert!(matches!(finished.answer, Answer::Stopped(Stopped::Asked)));
    assert!(calls > 1, "{calls}");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn bits() {
    let text = "
decl int(64) a[100000];
void main() begin
  assert(a[7] != 3);
end
";
    let answer = answer(text, &Config::default());
    assert!(
        matches!(answer, Answer::Stopped(Stopped::Bits)),
        "{answer:?}"
    );
}

/// A diagram as deep as this overflows the stack of an ordinary thread.
#[test]
fn very_many_bits_that_matter() {
    let pairs = 0..60;
    let list = |text: &dyn Fn(u32) -> String, separator: &str| -> String {
        pairs.clone().map(text).collect::<Vec<_>>().join(separator)
    };
    let text = format!(
        "decl int(64) {}, {};\nvoid main() begin\n  assume({});\n  assert(x7 != 3);\nend\n",
        list(&|i| format!("x{i}"), ", "),
        list(&|i| format!("y{i}"), ", "),
        list(&|i| format!("(x{i} = y{i})"), " & "),
    );
    // Nothing is forgotten, so that all the bits stay.
    let config = Config {
        liveness: false,
        ..Config::default()
    };
    let program = parse(&text);
    let targets = failures(&program);
    let finished = reach(&program, None, &targets, &config, |_| {
        ControlFlow::Continue(())
    });
    let Answer::Reached(Some(trace)) = finished.answer else {
        panic!("{:?}", finished.answer);
    };
    replay(&program, *trace, &Claim::Reaches(targets)).expect("it replays");
}

#[test]
fn a_target_at_the_start_and_none_at_all() {
    let program = parse("void main() begin L: skip; end");
    let entry = Point {
        procedure: program.main(),
        node: program.procedure(program.main()).entry,
    };
    for (targets, expected) in [(vec![entry], true), (vec![], false)] {
        let finished = reach(&program, None, &targets, &Config::default(), |_| {
            ControlFlow::Continue(())
        });
        match finished.answer {
            Answer::Reached(Some(trace)) => {
                assert!(expected && trace.stem.is_empty());
                replay(&program, *trace, &Claim::Reaches(targets)).expect("it replays");
            }
            Answer::Unreachable => assert!(!expected),
            other => panic!("{other:?}"),
        }
    }
}

/// Once a target is found, a stop says so.
#[test]
fn stopped_at_any_time() {
    let program = parse(
        "decl int(4) g;
         void up(int(4) n) begin
           if (n != 0) then g := g + 1; up(n - 1); fi
         end
         void main() begin
           decl int(4) n;
           g := 0;
           up(n);
           assert(g != 9);
         end",
    );
    let config = Config {
        tick_after: Some(20),
        ..Config::default()
    };
    let count = |most: u64| {
        let mut calls = 0;
        let finished = reach(&program, None, &failures(&program), &config, |progress| {
            calls += 1;
            assert!(!progress.is_found || calls > 1, "nothing is found at once");
            match calls > most {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        (finished, calls)
    };
    let (finished, all) = count(u64::MAX);
    assert!(matches!(finished.answer, Answer::Reached(Some(_))));
    assert!(finished.progress.is_found);
    let (mut found, mut unfinished) = (false, 0);
    for most in 0..all {
        let (finished, _) = count(most);
        match finished.answer {
            Answer::Stopped(Stopped::Asked) => assert!(!found, "{most} of {all}"),
            Answer::Unfinished(Stopped::Asked) => {
                found = true;
                unfinished += 1;
            }
            // What is counted at the end is no part of the answer.
            Answer::Reached(Some(_)) => assert!(found, "{most} of {all}"),
            answer => panic!("{most} of {all}: {answer:?}"),
        }
        assert_eq!(finished.progress.is_found, found);
    }
    assert!(unfinished > 10, "{unfinished} of {all}");
}
