//! Runs that unrolling finds, and those it says there are none of, against brute force.

use std::ops::ControlFlow;

use recurva_evidence::{Claim, replay};
use recurva_lang::bp;
use recurva_model::{Point, Program};
use recurva_syntax::{Source, Style};
use recurva_testkit::{brute, generate};
use recurva_unroll::{Config, Outcome, Reason, search};

fn parse(text: &str) -> Program {
    let source = Source::new("random.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{text}\n{errors}"))
}

fn ask(program: &Program, targets: &[Point], max_depth: u32) -> Outcome {
    let config = Config {
        max_depth,
        ..Config::default()
    };
    search(
        program,
        targets,
        &config,
        &mut |_| ControlFlow::Continue(()),
    )
}

/// The points of each label, as targets.
fn targets(program: &Program) -> Vec<Vec<Point>> {
    let mut all: Vec<(&str, Vec<Point>)> = Vec::new();
    for label in program.labels() {
        match all.iter_mut().find(|it| *it.0 == *label.name) {
            Some((_, points)) => points.push(label.point),
            None => all.push((&label.name, vec![label.point])),
        }
    }
    all.into_iter().map(|it| it.1).collect()
}

#[test]
fn random_programs_have_the_runs_that_brute_force_finds() {
    let mut counts = [0; 3];
    for seed in 0..150 {
        let text = generate::generate(seed, &generate::Config::default());
        let program = parse(&text);
        let limits = brute::Limits::default();
        let found = brute::reachable(&program, &limits);
        if !found.exhaustive {
            continue;
        }
        for points in targets(&program).into_iter().take(3) {
            let expected = points.iter().any(|it| found.nodes.contains(it));
            match ask(&program, &points, 4) {
                Outcome::Run(trace) => {
                    assert!(expected, "{text}");
                    let claim = Claim::Reaches(points);
                    let replayed = replay(&program, *trace, &claim);
                    assert!(replayed.is_ok(), "{text}\n{:?}", replayed.err());
                    counts[0] += 1;
                }
                Outcome::Bounded(_) => {
                    assert!(!expected, "{text}\n{points:?}");
                    counts[1] += 1;
                }
                Outcome::Unknown(Reason::Depth) => {
                    assert!(!expected, "{text}\n{points:?}");
                    counts[2] += 1;
                }
                other => panic!("{other:?}"),
            }
        }
    }
    assert!(counts[0] > 150 && counts[1] > 20, "{counts:?}");
}

#[test]
fn deep_runs_are_found() {
    let text = "
        decl int(32) x;
        decl int(32) y;
        void main() begin
            decl int(16) i;
            x := 0;
            i := 0;
            while (i < 500) do
                x := (x + 3);
                i := (i + 1);
            od
            y := *;
            if (((y * y) + x) = 1501) then
                HERE: skip;
            fi
        end";
    let program = parse(text);
    let points = targets(&program).remove(0);
    let outcome = ask(&program, &points, 5);
    let Outcome::Run(trace) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(replay(&program, *trace, &Claim::Reaches(points)).is_ok());
}
