//! The two reference searches on programs put together by hand, whose answers are plain.

use recurva_model::{
    Action, Binary, Edge, Expr, Guard, GuardOp, Monitor, MonitorEdge, MonitorState, Node, NodeId,
    Op, Origin, Parts, Place, Point, ProcId, Procedure, Program, Type, VarRef, Variable,
};
use recurva_testkit::{brute, oracle};

const G: VarRef = VarRef::Global(0);

fn edge(from: u32, to: u32, guard: Expr, action: Action) -> Edge {
    Edge {
        from: NodeId(from),
        to: NodeId(to),
        guard,
        action,
        origin: Origin::default(),
    }
}

fn assign(place: VarRef, value: Expr) -> Action {
    Action::Assign {
        assigns: vec![(Place::Scalar(place), value)],
        constraint: None,
    }
}

fn call(callee: u32, arguments: Vec<Expr>, results: Vec<Option<VarRef>>) -> Action {
    Action::Call {
        callee: ProcId(callee),
        arguments,
        results,
    }
}

fn choice() -> Expr {
    Expr::new([Op::Any(Type::Bool, 0)])
}

fn procedure(name: &str, nodes: usize, edges: Vec<Edge>) -> Procedure {
    Procedure {
        name: name.into(),
        locals: vec![],
        parameters: 0,
        results: vec![],
        nodes: vec![Node::default(); nodes],
        edges,
        entry: NodeId(0),
        exit: NodeId(nodes as u32 - 1),
        origin: Origin::default(),
    }
}

fn program(global: Type, procedures: Vec<Procedure>) -> Program {
    Program::new(Parts {
        globals: vec![Variable::scalar("g", global)],
        procedures,
        main: ProcId(0),
        labels: vec![],
        failures: vec![],
    })
    .expect("a well-formed program")
}

fn point(procedure: u32, node: u32) -> Point {
    Point {
        procedure: ProcId(procedure),
        node: NodeId(node),
    }
}

/// Both searches, which must agree; returns whether each of the points is reachable.
fn both<const N: usize>(program: &Program, points: [Point; N]) -> [bool; N] {
    let force = brute::reachable(program, &brute::Limits::default());
    let fixpoint = oracle::reachable(program, &oracle::Limits::default()).expect("small");
    assert!(force.exhaustive);
    assert_eq!(force.nodes, fixpoint.nodes);
    points.map(|point| force.nodes.contains(&point))
}

/// main: g := F; f(); then 3 if g, 4 if not. f: maybe calls itself twice, then negates g.
fn flip() -> Program {
    let g = || Expr::read(G);
    let main = procedure(
        "main",
        6,
        vec![
            edge(
                0,
                1,
                Expr::truth(),
                assign(G, Expr::constant(0, Type::Bool)),
            ),
            edge(1, 2, Expr::truth(), call(1, vec![], vec![])),
            edge(2, 3, g(), Action::skip()),
            edge(2, 4, g().negate(), Action::skip()),
            edge(3, 5, Expr::truth(), Action::skip()),
        ],
    );
    let f = procedure(
        "f",
        4,
        vec![
            edge(0, 1, choice(), call(1, vec![], vec![])),
            edge(1, 2, Expr::truth(), call(1, vec![], vec![])),
            edge(0, 2, choice(), Action::skip()),
            edge(2, 3, Expr::truth(), assign(G, g().negate())),
        ],
    );
    program(Type::Bool, vec![main, f])
}

#[test]
fn unbounded_recursion_with_a_precise_return() {
    assert_eq!(
        both(&flip(), [point(0, 3), point(0, 4), point(0, 5)]),
        [true, false, true]
    );
    let force = brute::reachable(&flip(), &brute::Limits::default());
    assert!(force.recursive && force.frames > 3);
}

#[test]
fn what_follows_a_call_that_never_returns_is_not_reached() {
    let main = procedure(
        "main",
        2,
        vec![edge(0, 1, Expr::truth(), call(1, vec![], vec![]))],
    );
    let f = procedure(
        "f",
        3,
        vec![
            edge(0, 1, Expr::truth(), assign(G, choice())),
            edge(1, 2, Expr::truth(), call(1, vec![], vec![])),
        ],
    );
    let program = program(Type::Bool, vec![main, f]);
    assert_eq!(
        both(&program, [point(0, 1), point(1, 1), point(1, 2)]),
        [false, true, false]
    );
}

/// g counts down over a recursion as deep as g's first value; a bound that is too low must
/// not be taken for the whole.
#[test]
fn a_late_discovery_is_not_missed() {
    let ty = Type::unsigned(3);
    let constant = |value| Expr::constant(value, ty);
    let is = |value| Expr::read(G).join(Binary::Equal, ty, &constant(value));
    let main = procedure(
        "main",
        4,
        vec![
            edge(0, 1, Expr::truth(), assign(G, constant(7))),
            edge(1, 2, Expr::truth(), call(1, vec![], vec![])),
            edge(2, 3, is(0), Action::skip()),
        ],
    );
    let f = procedure(
        "f",
        4,
        vec![
            edge(0, 3, is(0), Action::skip()),
            edge(
                0,
                1,
                is(0).negate(),
                assign(G, Expr::read(G).join(Binary::Subtract, ty, &constant(1))),
            ),
            edge(1, 2, Expr::truth(), call(1, vec![], vec![])),
            edge(2, 3, Expr::truth(), Action::skip()),
        ],
    );
    let program = program(ty, vec![main, f]);
    assert_eq!(both(&program, [point(0, 3), point(1, 2)]), [true, true]);
    let shallow = brute::Limits {
        frames: 4,
        ..brute::Limits::default()
    };
    assert!(!brute::reachable(&program, &shallow).exhaustive);
    let targets = [point(0, 3)].into();
    let steps = brute::distance(&program, None, &targets, &brute::Limits::default());
    // One assignment, eight calls, seven decrements, one skip in the last call, seven on the
    // way back, eight returns, one test.
    assert_eq!(steps, Some(1 + 8 + 7 + 1 + 7 + 8 + 1));
}

#[test]
fn results_arrive_and_arbitrary_locals_are_tried() {
    let main = procedure(
        "main",
        4,
        vec![
            edge(
                0,
                1,
                Expr::truth(),
                call(1, vec![Expr::constant(1, Type::Bool)], vec![Some(G)]),
            ),
            edge(1, 2, Expr::read(G), Action::skip()),
            edge(1, 3, Expr::read(G).negate(), Action::skip()),
        ],
    );
    let (parameter, other) = (VarRef::Local(0), VarRef::Local(1));
    let mut f = procedure(
        "f",
        4,
        vec![
            edge(0, 1, Expr::read(other), Action::skip()),
            edge(0, 2, Expr::read(other).negate(), Action::skip()),
            edge(
                1,
                3,
                Expr::truth(),
                assign(parameter, Expr::read(parameter).negate()),
            ),
        ],
    );
    f.locals = vec![
        Variable::scalar("p", Type::Bool),
        Variable::scalar("x", Type::Bool),
    ];
    f.parameters = 1;
    f.results = vec![0];
    let program = program(Type::Bool, vec![main, f]);
    let points = [point(1, 1), point(1, 2), point(0, 2), point(0, 3)];
    assert_eq!(both(&program, points), [true, true, false, true]);
    assert!(brute::reachable(&program, &brute::Limits::default()).results_used);
}

#[test]
fn a_monitor_reads_every_configuration_once() {
    let program = flip();
    let state = |name: &str, target| MonitorState {
        name: name.into(),
        target,
        repeating: false,
    };
    let at = |point| Guard::new([GuardOp::At([point].into())]);
    let in_f = Guard::new([GuardOp::In(ProcId(1))]);
    let edge = |from, to, guard| MonitorEdge {
        from,
        to,
        guard,
        origin: Origin::default(),
    };
    // Waits for the second node of main to be read, then for f, then for the node behind.
    let states = vec![
        state("a", false),
        state("b", false),
        state("c", false),
        state("d", true),
    ];
    let edges = vec![
        edge(0, 1, at(point(0, 0))),
        edge(1, 2, in_f),
        edge(2, 3, at(point(0, 2))),
        // Never: the first configuration moves the monitor once only.
        edge(1, 3, at(point(0, 0))),
    ];
    let monitor = Monitor::new(&program, "m", states, 0, edges).expect("a well-formed monitor");
    let force = brute::watched(&program, &monitor, &brute::Limits::default());
    let fixpoint = oracle::watched(&program, &monitor, &oracle::Limits::default()).expect("small");
    assert!(force.exhaustive);
    assert_eq!(force.watched, fixpoint.watched);
    assert!(force.watched.contains(&(point(0, 0), 1)));
    assert!(!force.watched.contains(&(point(0, 0), 0)));
    assert!(force.watched.contains(&(point(0, 2), 3)));
    assert!(!force.watched.contains(&(point(0, 1), 3)));
    let steps = brute::distance(
        &program,
        Some(&monitor),
        &[].into(),
        &brute::Limits::default(),
    );
    // Assignment, call, skip, negation, return.
    assert_eq!(steps, Some(5));
}

#[test]
fn limits_are_outcomes() {
    let few = brute::Limits {
        configurations: 5,
        ..brute::Limits::default()
    };
    assert!(!brute::reachable(&flip(), &few).exhaustive);
    let narrow = brute::Limits {
        choices: 1,
        ..brute::Limits::default()
    };
    assert!(!brute::reachable(&flip(), &narrow).exhaustive);
    let few = oracle::Limits {
        path_edges: 5,
        ..oracle::Limits::default()
    };
    assert_eq!(oracle::reachable(&flip(), &few), None);
    let narrow = oracle::Limits {
        choices: 1,
        ..oracle::Limits::default()
    };
    assert_eq!(oracle::reachable(&flip(), &narrow), None);
}
