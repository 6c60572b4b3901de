//! Values that are open until they are read: what reads them twice, sees them agree.
//!
//! Small programs in which one slip in the bookkeeping of unknown values, of what is live or
//! of path edges changes which nodes are reached. All reductions, both orders, all widths.

use std::{collections::BTreeSet, ops::ControlFlow};

use recurva_explicit::{
    Answer, Config, Order,
    program::{Ending, Inline, Prepared, Reductions, Words},
    reach,
};
use recurva_model::{
    Action, Binary, Edge, Expr, Guard, GuardOp, Monitor, MonitorEdge, MonitorState, Node, NodeId,
    Op, Origin, Parts, Place, Point, ProcId, Procedure, Program, Type, Unary, VarRef, Variable,
};

const X: VarRef = VarRef::Local(0);
const Y: VarRef = VarRef::Local(1);
const BIT: Type = Type::unsigned(1);

fn edge(from: u32, to: u32, guard: Expr, action: Action) -> Edge {
    Edge {
        from: NodeId(from),
        to: NodeId(to),
        guard,
        action,
        origin: Origin::default(),
    }
}

fn step(from: u32, to: u32, assigns: Vec<(Place, Expr)>, constraint: Option<Expr>) -> Edge {
    let action = Action::Assign {
        assigns,
        constraint,
    };
    edge(from, to, Expr::truth(), action)
}

/// An edge that does nothing but test.
fn test(from: u32, to: u32, guard: Expr) -> Edge {
    edge(from, to, guard, Action::skip())
}

fn procedure(locals: Vec<Variable>, parameters: usize, nodes: u32, edges: Vec<Edge>) -> Procedure {
    Procedure {
        name: "p".into(),
        locals,
        parameters,
        results: vec![],
        nodes: vec![Node::default(); nodes as usize],
        edges,
        entry: NodeId(0),
        exit: NodeId(nodes - 1),
        origin: Origin::default(),
    }
}

fn program(globals: Vec<Variable>, procedures: Vec<Procedure>) -> Program {
    Program::new(Parts {
        globals,
        procedures,
        main: ProcId(0),
        labels: vec![],
        failures: vec![],
    })
    .expect("a well-formed program")
}

fn scalars(types: &[Type]) -> Vec<Variable> {
    types.iter().map(|&ty| Variable::scalar("x", ty)).collect()
}

fn constant(value: u64, ty: Type) -> Expr {
    Expr::constant(value, ty)
}

fn equal(left: Expr, ty: Type, right: &Expr) -> Expr {
    left.join(Binary::Equal, ty, right)
}

fn next(variable: VarRef) -> Expr {
    Expr::new([Op::ReadNext(variable)])
}

fn any(ty: Type) -> Expr {
    Expr::new([Op::Any(ty, 0)])
}

fn search<W: Words>(
    program: &Program,
    monitor: Option<&Monitor>,
    reductions: Reductions,
    order: Order,
) -> BTreeSet<(u32, u32, u32)> {
    let system =
        Prepared::new(program, monitor.into(), reductions, Ending::Stops).with_words::<W>();
    let config = Config {
        order,
        ..Config::default()
    };
    let mut found = BTreeSet::new();
    let note = |state: &W| {
        let Point { procedure, node } = system.point(state);
        found.insert((procedure.0, node.0, system.monitor_state(state)));
        false
    };
    let finished = reach(&system, &config, note, |_| ControlFlow::Continue(()));
    assert!(matches!(finished.answer, Answer::Unreachable));
    found
}

/// The nodes reached, with the monitor's state: the same whatever the treatment is.
fn reached(program: &Program, monitor: Option<&Monitor>) -> BTreeSet<(u32, u32, u32)> {
    let mut all = Vec::new();
    for (liveness, laziness) in [(true, true), (true, false), (false, true), (false, false)] {
        let reductions = Reductions { liveness, laziness };
        for order in [Order::DepthFirst, Order::ShortestFirst] {
            all.push(search::<Inline<2>>(program, monitor, reductions, order));
            all.push(search::<Inline<8>>(program, monitor, reductions, order));
            all.push(search::<Box<[u64]>>(program, monitor, reductions, order));
        }
    }
    all.dedup();
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

/// Whether nodes of main are reached.
fn at<const N: usize>(program: &Program, nodes: [u32; N]) -> [bool; N] {
    let found = reached(program, None);
    nodes.map(|node| found.contains(&(0, node, 0)))
}

#[test]
fn a_constraint_on_the_source_after_the_step_is_one_on_the_copy() {
    // y := x constrain 'x
    let edges = vec![
        step(0, 1, vec![(Place::Scalar(Y), Expr::read(X))], Some(next(X))),
        test(1, 2, Expr::read(Y)),
        test(1, 3, Expr::read(Y).negate()),
    ];
    let main = procedure(scalars(&[Type::Bool; 2]), 0, 5, edges);
    assert_eq!(at(&program(vec![], vec![main]), [2, 3]), [true, false]);
}

#[test]
fn a_choice_that_stands_twice_on_an_edge_is_made_once() {
    // x, y := *, * with one and the same choice; then the choice is also the guard
    let both = || {
        vec![
            (Place::Scalar(X), any(Type::Bool)),
            (Place::Scalar(Y), any(Type::Bool)),
        ]
    };
    let guarded = Action::Assign {
        assigns: vec![(Place::Scalar(X), any(Type::Bool))],
        constraint: None,
    };
    let differ = Expr::read(X).join(Binary::NotEqual, Type::Bool, &Expr::read(Y));
    let edges = vec![
        step(0, 1, both(), None),
        test(1, 2, differ),
        edge(1, 3, any(Type::Bool), guarded),
        test(3, 4, Expr::read(X).negate()),
        test(3, 5, Expr::read(X)),
    ];
    let main = procedure(scalars(&[Type::Bool; 2]), 0, 7, edges);
    assert_eq!(
        at(&program(vec![], vec![main]), [2, 4, 5]),
        [false, false, true]
    );
}

#[test]
fn a_constraint_on_a_value_before_the_step_holds_after_it() {
    // y := * constrain x, and the same with x read before and after
    for constraint in [Expr::read(X), Expr::read(X).and(next(X)), next(X)] {
        let edges = vec![
            step(
                0,
                1,
                vec![(Place::Scalar(Y), any(Type::Bool))],
                Some(constraint),
            ),
            test(1, 2, Expr::read(X)),
            test(1, 3, Expr::read(X).negate()),
        ];
        let main = procedure(scalars(&[Type::Bool; 2]), 0, 5, edges);
        assert_eq!(at(&program(vec![], vec![main]), [2, 3]), [true, false]);
    }
}

#[test]
fn a_copy_agrees_with_the_index_of_the_same_edge() {
    // a[0], a[1] := F, F; y, a[x] := x, T
    let array = VarRef::Global(0);
    let element = |index: Expr| Place::Element(array, index);
    let at_0 = || constant(0, BIT).then(Op::Index(array));
    let clear = [0, 1].map(|i| (element(constant(i, BIT)), constant(0, Type::Bool)));
    let copy = vec![
        (Place::Scalar(Y), Expr::read(X)),
        (element(Expr::read(X)), Expr::truth()),
    ];
    let y_is = |value| equal(Expr::read(Y), BIT, &constant(value, BIT));
    let edges = vec![
        step(0, 1, clear.into(), None),
        step(1, 2, copy, None),
        test(2, 3, at_0().and(y_is(0))),
        test(2, 4, at_0().and(y_is(1))),
    ];
    let main = procedure(scalars(&[BIT; 2]), 0, 6, edges);
    let array = Variable::array("a", Type::Bool, 2);
    assert_eq!(at(&program(vec![array], vec![main]), [3, 4]), [true, false]);
}

#[test]
fn one_value_passed_twice_is_the_same_value() {
    let call = Action::Call {
        callee: ProcId(1),
        arguments: vec![Expr::read(X), Expr::read(X)],
        results: vec![],
    };
    let main = procedure(
        scalars(&[Type::Bool]),
        0,
        2,
        vec![edge(0, 1, Expr::truth(), call)],
    );
    let same = equal(Expr::read(X), Type::Bool, &Expr::read(Y));
    let edges = vec![test(0, 1, same.clone()), test(0, 2, same.negate())];
    let callee = procedure(scalars(&[Type::Bool; 2]), 2, 4, edges);
    let found = reached(&program(vec![], vec![main, callee]), None);
    assert!(found.contains(&(1, 1, 0)) && !found.contains(&(1, 2, 0)));
}

#[test]
fn an_array_read_only_after_a_step_that_does_not_write_it_is_live_before() {
    // a[0] := T; skip; x := * constrain ('x == 'a[0])
    let array = VarRef::Global(0);
    let zero = || constant(0, BIT);
    let after = zero().then(Op::IndexNext(array));
    let edges = vec![
        step(
            0,
            1,
            vec![(Place::Element(array, zero()), Expr::truth())],
            None,
        ),
        test(1, 2, Expr::truth()),
        step(
            2,
            3,
            vec![(Place::Scalar(X), any(Type::Bool))],
            Some(equal(next(X), Type::Bool, &after)),
        ),
        test(3, 4, Expr::read(X)),
        test(3, 5, Expr::read(X).negate()),
    ];
    let main = procedure(scalars(&[Type::Bool]), 0, 7, edges);
    let array = Variable::array("a", Type::Bool, 2);
    assert_eq!(at(&program(vec![array], vec![main]), [4, 5]), [true, false]);
}

#[test]
fn a_caught_fault_leaves_nothing_behind() {
    // x ^ faults(1 + 1 / 0)
    let ty = Type::unsigned(2);
    let one = || constant(1, ty);
    let quotient = one().join(Binary::Divide, ty, &constant(0, ty));
    let faults = one().join(Binary::Add, ty, &quotient).then(Op::Faults);
    let guard = Expr::read(X).join(Binary::Xor, Type::Bool, &faults);
    let edges = vec![
        step(
            0,
            1,
            vec![(Place::Scalar(X), constant(0, Type::Bool))],
            None,
        ),
        test(1, 2, guard.clone()),
        test(1, 3, guard.negate()),
    ];
    let main = procedure(scalars(&[Type::Bool]), 0, 5, edges);
    assert_eq!(at(&program(vec![], vec![main]), [2, 3]), [true, false]);
}

#[test]
fn many_entry_states_with_one_rest_all_return() {
    // f(x); x == 15, for an arbitrary x of four bits
    let ty = Type::unsigned(4);
    let is = |value| equal(Expr::read(X), ty, &constant(value, ty));
    let call = Action::Call {
        callee: ProcId(1),
        arguments: vec![Expr::read(X)],
        results: vec![],
    };
    let main_edges = vec![
        edge(0, 1, Expr::truth(), call),
        test(1, 2, is(0)),
        test(1, 3, is(15)),
    ];
    let main = procedure(scalars(&[ty]), 0, 5, main_edges);
    let edges = vec![
        test(0, 1, is(3)),
        test(0, 1, is(3).negate()),
        test(1, 2, Expr::truth()),
        test(2, 3, Expr::truth()),
    ];
    let callee = procedure(scalars(&[ty]), 1, 4, edges);
    let program = program(vec![], vec![main, callee]);
    assert_eq!(at(&program, [2, 3]), [true, true]);
}

fn watch(program: &Program, guard: Vec<GuardOp>) -> Monitor {
    let state = |target| MonitorState {
        name: "q".into(),
        target,
        repeating: false,
    };
    let edge = MonitorEdge {
        from: 0,
        to: 1,
        guard: Guard::new(guard),
        origin: Origin::default(),
    };
    let states = vec![state(false), state(true)];
    Monitor::new(program, "m", states, 0, vec![edge]).expect("a well-formed monitor")
}

fn at_node(node: u32) -> GuardOp {
    let (procedure, node) = (ProcId(0), NodeId(node));
    GuardOp::At([Point { procedure, node }].into())
}

const AND: GuardOp = GuardOp::Plain(Op::Binary(Binary::And, Type::Bool));

#[test]
fn arrays_that_only_a_monitor_reads_are_not_forgotten() {
    // a[0], x[0] := F, F; skip; and then the monitor looks
    let (global, local) = (VarRef::Global(0), VarRef::Local(0));
    let zero = || constant(0, BIT);
    let clear = [global, local].map(|array| {
        let place = Place::Element(array, zero());
        (place, constant(0, Type::Bool))
    });
    let edges = vec![
        step(0, 1, clear.into(), None),
        test(1, 2, Expr::truth()),
        test(2, 3, Expr::truth()),
    ];
    let array = || Variable::array("a", Type::Bool, 2);
    let main = procedure(vec![array()], 0, 4, edges);
    let program = program(vec![array()], vec![main]);
    let index = GuardOp::Plain(Op::Const(0, BIT));
    for read in [
        GuardOp::Plain(Op::Index(global)),
        GuardOp::LocalIndex(ProcId(0), 0, Type::Bool),
    ] {
        let monitor = watch(&program, vec![at_node(2), index.clone(), read, AND]);
        let found = reached(&program, Some(&monitor));
        assert!(found.contains(&(0, 2, 0)) && !found.contains(&(0, 2, 1)));
    }
}

#[test]
fn a_guard_that_faults_on_the_left_of_a_constant_does_not_hold() {
    // In main: !(f::x & in(f))
    let main = procedure(vec![], 0, 2, vec![test(0, 1, Expr::truth())]);
    let other = procedure(
        scalars(&[Type::Bool]),
        0,
        2,
        vec![test(0, 1, Expr::truth())],
    );
    let program = program(vec![], vec![main, other]);
    let local = GuardOp::Local(ProcId(1), 0, Type::Bool);
    let not = GuardOp::Plain(Op::Unary(Unary::Not, Type::Bool));
    let monitor = watch(&program, vec![local, GuardOp::In(ProcId(1)), AND, not]);
    let found = reached(&program, Some(&monitor));
    assert_eq!(found, [(0, 0, 0), (0, 1, 0)].into());
}
