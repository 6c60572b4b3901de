//! Replay accepts runs, however long or deep, and nothing else.

mod support;

use recurva_evidence::*;
use recurva_model::{semantics::Machine, *};
use support::*;

#[test]
fn a_run_of_two_to_the_forty_steps_replays_and_walks_at_once() {
    let (program, trace) = doubling(41);
    let replayed = replay(&program, trace, &Claim::Reaches(vec![point(0, 2)])).unwrap();
    assert!(replayed.length() > 1 << 40);
    assert_eq!(*replayed.end().globals, [0]);

    let mut walk = replayed.walk();
    assert!(walk.step_over());
    assert_eq!(walk.configuration().top().node, NodeId(1));
    // Down to the leaf, and up again.
    for _ in 0..40 {
        assert!(walk.step_in());
    }
    assert_eq!(walk.next(), Some(Next::Internal(EdgeId(0))));
    assert_eq!(walk.configuration().stack.len(), 41);
    for depth in (1..=40).rev() {
        assert!(walk.step_out());
        assert_eq!(walk.configuration().stack.len(), depth);
    }
    assert_eq!(walk.next(), None);
    assert_eq!(walk.configuration(), replayed.end());
    assert!(!walk.step_in() && !walk.step_over() && !walk.step_out());
}

#[test]
fn a_million_calls_return_without_recursion() {
    let program = recursive();
    let trace = deep_returning(1_000_000);
    let replayed = replay(&program, trace, &Claim::Reaches(vec![point(0, 1)])).unwrap();
    // Each f but the innermost returns the value its local had at the entry.
    assert_eq!(*replayed.end().globals, [8]);
    assert_eq!(replayed.length(), 2_000_001);
    let mut walk = replayed.walk();
    assert!(walk.step_over());
    assert_eq!(walk.configuration(), replayed.end());
}

#[test]
fn a_million_calls_pend() {
    let program = recursive();
    let trace = deep_pending(1_000_000);
    let replayed = replay(&program, trace, &Claim::Reaches(vec![point(1, 0)])).unwrap();
    assert_eq!(replayed.end().stack.len(), 1_000_001);
    let mut walk = replayed.walk();
    assert!(walk.step_out());
    assert_eq!(walk.configuration(), replayed.end());
}

#[test]
fn a_walk_into_everything_meets_every_step() {
    let (program, trace) = doubling(6);
    let replayed = replay(&program, trace, &Claim::Reaches(vec![point(0, 2)])).unwrap();
    let mut walk = replayed.walk();
    let mut steps = 0;
    while walk.step_in() {
        steps += 1;
    }
    assert_eq!(steps, replayed.length());
    assert_eq!(walk.configuration(), replayed.end());
    assert_eq!(*replayed.end().globals, [32]);
}

#[test]
fn a_monitor_sees_the_configurations_inside_shared_bodies() {
    let (program, trace) = doubling(41);
    let claim = Claim::Monitor(counter(&program));
    let replayed = replay(&program, trace, &claim).unwrap();
    assert_eq!(replayed.end_states(), Some(&[2][..]));

    // Two steps into the value 3 the monitor has counted twice; before, it has not.
    let (program, trace) = doubling(3);
    let claim = Claim::Monitor(counter(&program));
    let replayed = replay(&program, trace, &claim).unwrap();
    let mut walk = replayed.walk();
    let mut seen = Vec::new();
    loop {
        let (_, states) = walk.monitor().unwrap();
        seen.push((walk.configuration().globals[0], states.to_vec()));
        if !walk.step_in() {
            break;
        }
    }
    let first_three = seen.iter().position(|(x, _)| *x == 3).unwrap();
    assert_eq!(seen[first_three - 1].1, [0]);
    assert_eq!(seen[first_three].1, [1]);
    assert_eq!(seen[first_three + 1].1, [2]);

    let (program, trace) = doubling(2);
    let claim = Claim::Monitor(counter(&program));
    assert_eq!(
        replay(&program, trace, &claim).unwrap_err().reason,
        Reason::Claim
    );
}

#[test]
fn globals_outside_the_footprint_do_not_matter_and_are_kept() {
    // main: y := 1; leaf(); y := 2; leaf(): the second call reuses the first one only if x
    // is the same, which it is not; a third one from x = 1 would.
    let (program, trace) = doubling(2);
    let mut parts = program.into_parts();
    parts.globals.push(Variable::scalar("y", BYTE));
    let program = Program::new(parts).unwrap();
    for y in 0..3 {
        let trace = Trace {
            globals: [0, y].into(),
            ..trace.clone()
        };
        let replayed = replay(&program, trace, &Claim::Reaches(vec![point(0, 2)])).unwrap();
        assert_eq!(*replayed.end().globals, [2, y]);
    }
}

#[test]
fn what_the_monitor_reads_is_part_of_a_start() {
    // main: leaf(); x, y := 0, 1; leaf(). The leaf sets x to 7 and never looks at y, but the
    // monitor warns of x = 7 in the leaf when y is 1: only in the second call.
    let y = VarRef::Global(1);
    let assigns = [(X, 0), (y, 1)];
    let assigns = assigns.map(|(v, n)| (Place::Scalar(v), Expr::constant(n, BYTE)));
    let reset = Action::Assign {
        assigns: assigns.into(),
        constraint: None,
    };
    let edges = vec![
        call(0, 1, 1, vec![], false),
        edge(1, 2, Expr::truth(), reset),
        call(2, 3, 1, vec![], false),
    ];
    let leaf = procedure("leaf", 2, vec![assign(0, 1, X, Expr::constant(7, BYTE))]);
    let globals = ["x", "y"].map(|name| Variable::scalar(name, BYTE));
    let program = program(globals.into(), vec![procedure("main", 4, edges), leaf]);

    let equal = |variable, value| {
        [
            GuardOp::Plain(Op::Read(variable)),
            GuardOp::Plain(Op::Const(value, BYTE)),
            GuardOp::Plain(Op::Binary(Binary::Equal, BYTE)),
        ]
    };
    let and = GuardOp::Plain(Op::Binary(Binary::And, Type::Bool));
    let mut guard = vec![GuardOp::In(ProcId(1))];
    for (variable, value) in [(X, 7), (y, 1)] {
        guard.extend(equal(variable, value));
        guard.push(and.clone());
    }
    let states = [("idle", false), ("seen", true)].map(|(name, target)| MonitorState {
        name: name.into(),
        target,
        repeating: false,
    });
    let seen = MonitorEdge {
        from: 0,
        to: 1,
        guard: Guard::new(guard),
        origin: Origin::default(),
    };
    let monitor = Monitor::new(&program, "seen", states.into(), 0, vec![seen]).unwrap();

    let leaf = Body {
        procedure: ProcId(1),
        steps: vec![step(0, &[], Via::Internal)],
    };
    let through = Via::Through(BodyId(0));
    let trace = Trace {
        globals: [0, 0].into(),
        locals: [].into(),
        bodies: vec![leaf],
        turn: None,
        stem: vec![
            step(0, &[], through),
            step(1, &[], Via::Internal),
            step(2, &[], through),
        ],
    };
    let replayed = replay(&program, trace.clone(), &Claim::Monitor(monitor.clone())).unwrap();
    assert_eq!(replayed.end_states(), Some(&[1][..]));
    let once = Trace {
        stem: trace.stem[..2].to_vec(),
        turn: None,
        ..trace
    };
    assert!(replay(&program, once, &Claim::Monitor(monitor)).is_err());
}

/// The steps of a trace one after the other, with returns as `None`; stops at `limit`.
fn spell_out(trace: &Trace, limit: usize) -> Vec<Option<&Step>> {
    let mut out = Vec::new();
    let mut stack = vec![(&trace.stem, 0)];
    while let Some((steps, index)) = stack.pop() {
        assert!(out.len() < limit);
        let Some(step) = steps.get(index) else {
            if !stack.is_empty() {
                out.push(None);
            }
            continue;
        };
        stack.push((steps, index + 1));
        out.push(Some(step));
        if let Via::Through(body) = step.via {
            stack.push((&trace.bodies[body.index()].steps, 0));
        }
    }
    out
}

/// Replays a trace; if it is accepted, checks it once more without any sharing.
fn accepted(program: &Program, trace: &Trace, claim: &Claim) -> bool {
    let Ok(replayed) = replay(program, trace.clone(), claim) else {
        return false;
    };
    let machine = Machine::new(program);
    let mut configuration = machine.start(&trace.globals, &trace.locals).unwrap();
    for step in spell_out(trace, 10_000) {
        match step {
            Some(step) => machine
                .step(&mut configuration, step.edge, &step.choices)
                .unwrap(),
            None => machine.step_return(&mut configuration).unwrap(),
        }
    }
    assert_eq!(&configuration, replayed.end());
    true
}

/// Every trace that differs from `trace` in one place.
fn mutants(trace: &Trace) -> Vec<Trace> {
    let mut out = Vec::new();
    let mut push = |change: &dyn Fn(&mut Trace)| {
        let mut mutant = trace.clone();
        change(&mut mutant);
        if mutant != *trace {
            out.push(mutant);
        }
    };
    for values in [
        vec![],
        vec![1],
        vec![256],
        vec![u64::MAX],
        vec![0, 0],
        vec![3; 9],
    ] {
        push(&|t| t.globals = values.clone().into());
        push(&|t| t.locals = values.clone().into());
    }
    let bodies = trace.bodies.len();
    for part in 0..=bodies {
        fn steps(trace: &mut Trace, part: usize) -> &mut Vec<Step> {
            match trace.bodies.len() {
                bodies if part == bodies => &mut trace.stem,
                _ => &mut trace.bodies[part].steps,
            }
        }
        if part < bodies {
            for procedure in [0, 1, 2, 77, u32::MAX] {
                push(&|t| t.bodies[part].procedure = ProcId(procedure));
            }
            push(&|t| drop(t.bodies.remove(part)));
        }
        push(&|t| steps(t, part).clear());
        let count = if part == bodies {
            trace.stem.len()
        } else {
            trace.bodies[part].steps.len()
        };
        for index in 0..count {
            push(&|t| drop(steps(t, part).remove(index)));
            push(&|t| {
                let copy = steps(t, part)[index].clone();
                steps(t, part).insert(index, copy);
            });
            for edge in [0, 1, 2, 1000, u32::MAX] {
                push(&|t| steps(t, part)[index].edge = EdgeId(edge));
            }
            for via in [Via::Internal, Via::Into, Via::Through(BodyId(u32::MAX))] {
                push(&|t| steps(t, part)[index].via = via);
            }
            for body in 0..=bodies as u32 {
                push(&|t| steps(t, part)[index].via = Via::Through(BodyId(body)));
            }
            for choices in [
                vec![],
                vec![0],
                vec![200],
                vec![256],
                vec![1, 2],
                vec![0; 40],
            ] {
                push(&|t| steps(t, part)[index].choices = choices.clone().into());
            }
        }
    }
    out
}

#[test]
fn a_corrupted_trace_is_rejected_unless_it_is_a_run_again() {
    let recursive = recursive();
    let (levels, doubling) = doubling(4);
    let cases = [
        (
            &recursive,
            deep_returning(4),
            Claim::Reaches(vec![point(0, 1)]),
        ),
        (
            &recursive,
            deep_pending(4),
            Claim::Reaches(vec![point(1, 0)]),
        ),
        (&levels, doubling.clone(), Claim::Reaches(vec![point(0, 2)])),
        (&levels, doubling, Claim::Monitor(counter(&levels))),
    ];
    for (program, trace, claim) in cases {
        assert!(accepted(program, &trace, &claim));
        let mut rejected = 0;
        for mutant in mutants(&trace) {
            rejected += usize::from(!accepted(program, &mutant, &claim));
            // Corrupted twice, where that is still quick.
            for twice in mutants(&mutant).iter().step_by(7) {
                accepted(program, twice, &claim);
            }
        }
        assert!(rejected > 50);
    }
}

#[test]
fn mismatches_say_where_and_why() {
    let program = recursive();
    let good = deep_returning(3);
    let claim = Claim::Reaches(vec![point(0, 1)]);
    let message = |change: &dyn Fn(&mut Trace)| {
        let mut trace = good.clone();
        change(&mut trace);
        replay(&program, trace, &claim).unwrap_err().to_string()
    };
    assert_eq!(
        message(&|t| t.globals = [300].into()),
        "stem, step 0: the values at the start do not fit the program's variables"
    );
    assert_eq!(
        message(&|t| t.bodies[0].steps[0].choices = [].into()),
        "body 0, step 0: the choices do not fit the edge"
    );
    assert_eq!(
        message(&|t| t.bodies[1].steps[0].via = Via::Into),
        "body 1, step 0: a call inside a body does not return"
    );
    assert_eq!(
        message(&|t| t.bodies[2].steps.clear()),
        "body 2, step 0: the body ends before the procedure's exit"
    );
    assert_eq!(
        message(&|t| t.bodies[1].steps[0].via = Via::Through(BodyId(1))),
        "body 1, step 0: the body of the call is missing or does not come earlier"
    );
    assert_eq!(
        message(&|t| t.stem.clear()),
        "stem, step 0: the run does not end as claimed"
    );
}
