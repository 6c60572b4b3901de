//! Small programs and traces made by hand.

#![allow(dead_code, unreachable_pub, reason = "shared by several test files")]

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::*;

pub const X: VarRef = VarRef::Global(0);
pub const BYTE: Type = Type::unsigned(8);

pub fn edge(from: u32, to: u32, guard: Expr, action: Action) -> Edge {
    Edge {
        from: NodeId(from),
        to: NodeId(to),
        guard,
        action,
        origin: Origin::default(),
    }
}

pub fn assign(from: u32, to: u32, variable: VarRef, value: Expr) -> Edge {
    let assigns = vec![(Place::Scalar(variable), value)];
    edge(
        from,
        to,
        Expr::truth(),
        Action::Assign {
            assigns,
            constraint: None,
        },
    )
}

pub fn call(from: u32, to: u32, callee: u32, arguments: Vec<Expr>, to_x: bool) -> Edge {
    let results = if to_x { vec![Some(X)] } else { vec![] };
    edge(
        from,
        to,
        Expr::truth(),
        Action::Call {
            callee: ProcId(callee),
            arguments,
            results,
        },
    )
}

/// A procedure with entry 0 and the last node as exit.
pub fn procedure(name: &str, nodes: usize, edges: Vec<Edge>) -> Procedure {
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

pub fn program(globals: Vec<Variable>, procedures: Vec<Procedure>) -> Program {
    Program::new(Parts {
        globals,
        procedures,
        main: ProcId(0),
        labels: vec![],
        failures: vec![],
    })
    .expect("well-formed")
}

pub fn point(procedure: u32, node: u32) -> Point {
    Point {
        procedure: ProcId(procedure),
        node: NodeId(node),
    }
}

pub fn step(edge: u32, choices: &[u64], via: Via) -> Step {
    Step {
        edge: EdgeId(edge),
        choices: choices.into(),
        via,
    }
}

pub fn plus_one() -> Expr {
    Expr::read(X).join(Binary::Add, BYTE, &Expr::constant(1, BYTE))
}

/// `levels` procedures, each calling the next one twice, the last adding one to `x`; and the
/// trace that runs through all of it with one shared body for each.
pub fn doubling(levels: u32) -> (Program, Trace) {
    let mut procedures: Vec<Procedure> = (0..levels - 1)
        .map(|level| {
            let next = level + 1;
            let edges = vec![
                call(0, 1, next, vec![], false),
                call(1, 2, next, vec![], false),
            ];
            procedure(&format!("level{level}"), 3, edges)
        })
        .collect();
    procedures.push(procedure("leaf", 2, vec![assign(0, 1, X, plus_one())]));
    let mut bodies = vec![Body {
        procedure: ProcId(levels - 1),
        steps: vec![step(0, &[], Via::Internal)],
    }];
    let twice = |body: u32| {
        let via = Via::Through(BodyId(body));
        vec![step(0, &[], via), step(1, &[], via)]
    };
    for level in (1..levels - 1).rev() {
        let below = bodies.len() as u32 - 1;
        bodies.push(Body {
            procedure: ProcId(level),
            steps: twice(below),
        });
    }
    let stem = twice(bodies.len() as u32 - 1);
    let program = program(vec![Variable::scalar("x", BYTE)], procedures);
    (
        program,
        Trace {
            turn: None,
            globals: [0].into(),
            locals: [].into(),
            bodies,
            stem,
        },
    )
}

/// `main` calls `f`, and `f(n)` either calls `f(n + 1)` and stores its result in `x`, or
/// chooses what it returns.
pub fn recursive() -> Program {
    let n = VarRef::Local(0);
    let mut f = procedure(
        "f",
        3,
        vec![
            call(
                0,
                2,
                1,
                vec![Expr::read(n).join(Binary::Add, BYTE, &Expr::constant(1, BYTE))],
                true,
            ),
            assign(0, 2, VarRef::Local(1), Expr::new([Op::Any(BYTE, 0)])),
        ],
    );
    f.locals = vec![Variable::scalar("n", BYTE), Variable::scalar("r", BYTE)];
    f.parameters = 1;
    f.results = vec![1];
    let main = procedure(
        "main",
        2,
        vec![call(0, 1, 1, vec![Expr::constant(0, BYTE)], true)],
    );
    program(vec![Variable::scalar("x", BYTE)], vec![main, f])
}

/// `depth` calls of `f` in [`recursive`], all of which return, each with its own body.
pub fn deep_returning(depth: u32) -> Trace {
    let mut bodies = vec![Body {
        procedure: ProcId(1),
        steps: vec![step(1, &[7], Via::Internal)],
    }];
    for below in 0..depth - 1 {
        let steps = vec![step(0, &[9], Via::Through(BodyId(below)))];
        bodies.push(Body {
            procedure: ProcId(1),
            steps,
        });
    }
    let stem = vec![step(0, &[8], Via::Through(BodyId(depth - 1)))];
    Trace {
        turn: None,
        globals: [0].into(),
        locals: [].into(),
        bodies,
        stem,
    }
}

/// `depth` calls of `f` in [`recursive`], none of which returns.
pub fn deep_pending(depth: usize) -> Trace {
    let stem = vec![step(0, &[9], Via::Into); depth];
    Trace {
        turn: None,
        globals: [0].into(),
        locals: [].into(),
        bodies: vec![],
        stem,
    }
}

/// A monitor that counts to two the configurations in which `x` is at least 3.
pub fn counter(program: &Program) -> Monitor {
    let states = [("zero", false), ("one", false), ("two", true)];
    let states = states.map(|(name, target)| MonitorState {
        name: name.into(),
        target,
        repeating: false,
    });
    let large = Guard::new([
        GuardOp::Plain(Op::Read(X)),
        GuardOp::Plain(Op::Const(3, BYTE)),
        GuardOp::Plain(Op::Binary(Binary::GreaterEqual, BYTE)),
    ]);
    let edges = [(0, 1), (1, 2)].map(|(from, to)| MonitorEdge {
        from,
        to,
        guard: large.clone(),
        origin: Origin::default(),
    });
    Monitor::new(program, "counter", states.into(), 0, edges.into()).expect("well-formed")
}
