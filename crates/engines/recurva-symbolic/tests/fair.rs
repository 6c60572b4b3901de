//! Infinite runs: single cases by hand, and running out of something.

use std::ops::ControlFlow;

use recurva_evidence::{Claim, Trace, replay};
use recurva_lang::bp;
use recurva_model::{
    Automaton, AutomatonEdge, Cube, Ending, Guard, GuardOp, Op, Program, Stack, VarRef,
};
use recurva_symbolic::{Config, FairAnswer, FairFinished, Stopped, fair};
use recurva_syntax::{Source, Style};

fn parse(text: &str) -> Program {
    let source = Source::new("fair.bp", text).expect("a short text");
    let parsed = bp::parse(&source, &bp::Options::default());
    let errors = parsed.diagnostics.render(&source, Style::Plain);
    parsed.program.unwrap_or_else(|| panic!("{errors}"))
}

fn at(program: &Program, label: &str) -> Guard {
    let labels = program.labels().iter().filter(|it| &*it.name == label);
    let mut points: Vec<_> = labels.map(|label| label.point).collect();
    points.sort_unstable();
    Guard::new([GuardOp::At(points.into())])
}

/// Accepts the runs in which each condition holds again and again.
fn again_and_again(program: &Program, conditions: Vec<Guard>) -> Automaton {
    let count = conditions.len() as u32;
    let letters = 0..1u64 << count;
    let edges = letters.map(|letter| AutomatonEdge {
        from: 0,
        to: 0,
        cubes: [Cube {
            positive: letter,
            negative: !letter & ((1 << count) - 1),
        }]
        .into(),
        marks: letter as u32,
    });
    let all = (1 << count) - 1;
    let made = Automaton::new(program, conditions, 1, 0, all, edges.collect());
    made.expect("the parts fit")
}

fn ask(program: &Program, automaton: &Automaton, stack: Stack, config: &Config) -> FairFinished {
    fair(program, automaton, stack, Ending::Stops, config, |_| {
        ControlFlow::Continue(())
    })
}

/// The run found, replayed; `None` if there is none.
fn found(program: &Program, automaton: &Automaton, stack: Stack) -> Option<Trace> {
    let finished = ask(program, automaton, stack, &Config::default());
    match finished.answer {
        FairAnswer::Empty => None,
        FairAnswer::Found(trace) => {
            let trace = *trace.expect("a trace");
            let claim = Claim::Repeats(automaton.conditions().to_vec());
            replay(program, trace.clone(), &claim).expect("it replays");
            Some(trace)
        }
        FairAnswer::Unfinished(stopped) | FairAnswer::Stopped(stopped) => {
            panic!("no limit was set: {stopped:?}")
        }
    }
}

/// Two marks are seen in different calls of a turn, each by way of a summary.
#[test]
fn marks_seen_in_calls() {
    let program = parse(
        "decl g;
         void left() begin if (g) then A: skip; fi end
         void right() begin if (!g) then B: skip; fi end
         void main() begin while (T) do left(); right(); g := *; od end",
    );
    let both = vec![at(&program, "A"), at(&program, "B")];
    let automaton = again_and_again(&program, both);
    let trace = found(&program, &automaton, Stack::Finite).expect("a run");
    assert!(!trace.diverges());
    assert!(found(&program, &automaton, Stack::Diverging).is_none());
    assert_eq!(found(&program, &automaton, Stack::Any), Some(trace));
}

/// A value that has to come back goes through four others before it does.
#[test]
fn values_that_come_back() {
    let program = parse(
        "decl a, b, c, d;
         void turn() begin a, b, c, d := b, c, d, a; end
         void main() begin
           assume(a & !b & !c & !d);
           while (T) do turn(); if (a) then A: skip; fi od
         end",
    );
    let automaton = again_and_again(&program, vec![at(&program, "A")]);
    let trace = found(&program, &automaton, Stack::Any).expect("a run");
    let turn = trace.turn.expect("a turn");
    let calls = turn
        .iter()
        .filter(|step| step.via != recurva_evidence::Via::Internal);
    assert_eq!(calls.count(), 4);
    let guard = Guard::new([GuardOp::Plain(Op::Read(VarRef::Global(1)))]);
    let together = again_and_again(&program, vec![at(&program, "A"), guard]);
    assert!(found(&program, &together, Stack::Finite).is_some());
}

/// Many heads lead away from the one that comes round, which is not looked for among them.
#[test]
fn ways_that_lead_nowhere() {
    let program = parse(
        "decl int(6) n; decl on;
         void main() begin
           on := T;
           while (T) do
             A: if (on) then if (*) then on := F; n := *; fi
             else assume(n > 0); n := n - 1; fi
           od
         end",
    );
    let automaton = again_and_again(&program, vec![at(&program, "A")]);
    let trace = found(&program, &automaton, Stack::Finite).expect("a run");
    assert!(trace.turn_steps().len() <= 5, "{trace:?}");
}

/// With no mark every infinite run is accepted, and no other.
#[test]
fn no_marks() {
    let ends = parse("void main() begin f(); end void f() begin if (*) then f(); fi end");
    let automaton = again_and_again(&ends, vec![]);
    assert!(found(&ends, &automaton, Stack::Finite).is_none());
    let trace = found(&ends, &automaton, Stack::Any).expect("a run");
    assert!(trace.diverges());
    let stutters = fair(
        &ends,
        &automaton,
        Stack::Finite,
        Ending::Stutters,
        &Config::default(),
        |_| ControlFlow::Continue(()),
    );
    let FairAnswer::Found(Some(trace)) = stutters.answer else {
        panic!("{:?}", stutters.answer);
    };
    assert_eq!(trace.turn.as_deref(), Some(&[][..]));
    replay(&ends, *trace, &Claim::Repeats(vec![])).expect("it replays");
}

/// An automaton that accepts nothing needs no search.
#[test]
fn an_automaton_without_accepting_runs() {
    let program = parse("void main() begin while (T) do skip; od end");
    let edge = AutomatonEdge {
        from: 0,
        to: 0,
        cubes: [Cube::default()].into(),
        marks: 1,
    };
    let made = Automaton::new(&program, vec![], 1, 0, 3, vec![edge]);
    let automaton = made.expect("the parts fit");
    let finished = ask(&program, &automaton, Stack::Any, &Config::default());
    assert!(matches!(finished.answer, FairAnswer::Empty));
    assert_eq!(finished.progress.iterations, 0);
}

/// Products of arbitrary integers, whose diagrams are large in every order.
const PRODUCTS: &str = "
decl int(24) a, b, c, d;
void main() begin
  while (T) do
    c := a * b;
    d := b * c;
    if (c * d = a * a + 7) then A: skip; fi
    a := *;
  od
end
";

#[test]
fn limits() {
    let program = parse(PRODUCTS);
    let automaton = again_and_again(&program, vec![at(&program, "A")]);
    for max_nodes in [0, 10, 1_000, 100_000] {
        let config = Config {
            max_nodes: Some(max_nodes),
            ..Config::default()
        };
        let answer = ask(&program, &automaton, Stack::Any, &config).answer;
        let stopped = matches!(answer, FairAnswer::Stopped(Stopped::Nodes));
        assert!(stopped, "{answer:?}");
    }
    for max_bytes in [0, 10_000, 10_000_000] {
        let config = Config {
            max_bytes: Some(max_bytes),
            ..Config::default()
        };
        let answer = ask(&program, &automaton, Stack::Any, &config).answer;
        let stopped = matches!(answer, FairAnswer::Stopped(Stopped::Memory));
        assert!(stopped, "{answer:?}");
    }
    let config = Config {
        tick_after: Some(100),
        ..Config::default()
    };
    let mut calls = 0;
    let finished = fair(
        &program,
        &automaton,
        Stack::Any,
        Ending::Stops,
        &config,
        |_| {
            calls += 1;
            if calls == 5 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        },
    );
    let asked = matches!(finished.answer, FairAnswer::Stopped(Stopped::Asked));
    assert!(asked, "{:?}", finished.answer);
    assert_eq!(calls, 5);
}

/// The search itself is small; what comes after it can be stopped, too.
#[test]
fn stopped_at_any_time() {
    let program = parse(
        "decl int(5) n; decl g;
         void f() begin g := !g; if (*) then f(); fi end
         void main() begin while (T) do f(); n := n + 1; if (n = 0) then A: skip; fi od end",
    );
    let automaton = again_and_again(&program, vec![at(&program, "A")]);
    let config = Config {
        tick_after: Some(50),
        ..Config::default()
    };
    let mut total = 0;
    let count = |most: u64, total: &mut u64| {
        let mut calls = 0;
        let tick = |_: &recurva_symbolic::Progress| {
            calls += 1;
            if calls > most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let finished = fair(
            &program,
            &automaton,
            Stack::Any,
            Ending::Stops,
            &config,
            tick,
        );
        *total = calls;
        finished.answer
    };
    assert!(matches!(
        count(u64::MAX, &mut total),
        FairAnswer::Found(Some(_))
    ));
    let all = total;
    assert!(all > 20, "{all}");
    let (mut found, mut unfinished) = (false, 0);
    for most in 0..all {
        match count(most, &mut total) {
            FairAnswer::Stopped(Stopped::Asked) => assert!(!found, "{most} of {all}"),
            FairAnswer::Unfinished(Stopped::Asked) => {
                found = true;
                unfinished += 1;
            }
            // What is counted at the end is no part of the answer.
            FairAnswer::Found(Some(_)) => assert!(found, "{most} of {all}"),
            answer => panic!("{most} of {all}: {answer:?}"),
        }
    }
    assert!(unfinished > 10, "{unfinished} of {all}");
}
