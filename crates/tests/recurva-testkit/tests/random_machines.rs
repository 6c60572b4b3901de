//! The two reference searches agree on random machines: graphs with no structure that a
//! source language would give them, built without a front end.

use recurva_model::{
    Action, Binary, Edge, Expr, Node, NodeId, Op, Origin, Parts, Place, ProcId, Procedure, Program,
    Type, VarRef, Variable,
};
use recurva_testkit::{brute, generate, oracle, rng::Rng};

const GLOBALS: u32 = 2;
const LOCALS: u32 = 2;

fn variable(rng: &mut Rng) -> VarRef {
    match rng.below((GLOBALS + LOCALS) as usize) as u32 {
        global if global < GLOBALS => VarRef::Global(global),
        local => VarRef::Local(local - GLOBALS),
    }
}

fn expression(rng: &mut Rng, choice: &mut u32) -> Expr {
    let leaf = match rng.below(8) {
        0 => Expr::constant(rng.bits() & 1, Type::Bool),
        1 if *choice < 2 => {
            *choice += 1;
            Expr::new([Op::Any(Type::Bool, *choice - 1)])
        }
        _ => Expr::read(variable(rng)),
    };
    match rng.below(4) {
        0 => leaf.negate(),
        1 => {
            let operator = [Binary::And, Binary::Or, Binary::Xor][rng.below(3)];
            leaf.join(operator, Type::Bool, &expression(rng, choice))
        }
        _ => leaf,
    }
}

fn edge(rng: &mut Rng, nodes: u32, procedures: u32) -> Edge {
    let mut choice = 0;
    let guard = if rng.chance(40) {
        Expr::truth()
    } else {
        expression(rng, &mut choice)
    };
    let action = if rng.chance(35) {
        let argument = expression(rng, &mut choice);
        let result = rng.chance(80).then(|| variable(rng));
        Action::Call {
            callee: ProcId(rng.below(procedures as usize) as u32),
            arguments: vec![argument],
            results: vec![result],
        }
    } else {
        let places = rng.below(3);
        let assigns = (0..places)
            .map(|_| (Place::Scalar(variable(rng)), expression(rng, &mut choice)))
            .collect();
        Action::Assign {
            assigns,
            constraint: None,
        }
    };
    Edge {
        from: NodeId(rng.below(nodes as usize - 1) as u32),
        to: NodeId(1 + rng.below(nodes as usize - 1) as u32),
        guard,
        action,
        origin: Origin::default(),
    }
}

fn machine(seed: u64) -> Program {
    let mut rng = Rng::new(seed);
    let procedures = 1 + rng.below(3) as u32;
    let local = |index: u32| Variable::scalar(format!("x{index}"), Type::Bool);
    let built = (0..procedures).map(|index| {
        let nodes = 3 + rng.below(4) as u32;
        let edges = nodes as usize + rng.below(3);
        Procedure {
            name: format!("f{index}").into(),
            locals: (0..LOCALS).map(local).collect(),
            parameters: 1,
            results: vec![rng.below(LOCALS as usize) as u32],
            nodes: vec![Node::default(); nodes as usize],
            edges: (0..edges)
                .map(|_| edge(&mut rng, nodes, procedures))
                .collect(),
            entry: NodeId(0),
            exit: NodeId(nodes - 1),
            origin: Origin::default(),
        }
    });
    let procedures = built.collect();
    Program::new(Parts {
        globals: (0..GLOBALS)
            .map(|index| Variable::scalar(format!("g{index}"), Type::Bool))
            .collect(),
        procedures,
        main: ProcId(0),
        labels: vec![],
        failures: vec![],
    })
    .expect("a well-formed machine")
}

#[test]
fn brute_force_and_fixpoint_agree() {
    let limits = brute::Limits {
        configurations: 20_000,
        ..brute::Limits::default()
    };
    let (mut exhaustive, mut recursive) = (0, 0);
    for seed in 0..800 {
        let program = machine(seed);
        let force = brute::reachable(&program, &limits);
        let fixpoint = oracle::reachable(&program, &oracle::Limits::default()).expect("small");
        assert!(force.nodes.is_subset(&fixpoint.nodes), "machine {seed}");
        if force.exhaustive {
            assert_eq!(force.nodes, fixpoint.nodes, "machine {seed}");
            exhaustive += 1;
            recursive += usize::from(force.recursive);
        }
    }
    // The comparison is worth little if most searches gave up or never recursed.
    assert!(
        exhaustive > 400 && recursive > 80,
        "{exhaustive} exhaustive, {recursive} recursive"
    );
}

#[test]
fn brute_force_and_fixpoint_agree_under_monitors() {
    let limits = brute::Limits {
        configurations: 10_000,
        ..brute::Limits::default()
    };
    let mut exhaustive = 0;
    for seed in 0..300 {
        let program = machine(seed);
        let monitor = generate::monitor(seed, &program).expect("a well-formed monitor");
        let force = brute::watched(&program, &monitor, &limits);
        let fixpoint =
            oracle::watched(&program, &monitor, &oracle::Limits::default()).expect("small");
        assert!(force.watched.is_subset(&fixpoint.watched), "machine {seed}");
        if force.exhaustive {
            assert_eq!(force.watched, fixpoint.watched, "machine {seed}");
            exhaustive += 1;
        }
    }
    assert!(exhaustive > 100, "{exhaustive} exhaustive");
}
