//! Arithmetic checks against the semantics: where a step faults, and only there, one leads to
//! a failure. Each place of an edge that can fault is tried, with all values of the variables.

use recurva_model::{
    Action, Binary, Edge, Expr, Node, NodeId, Op, Origin, Parts, Place, Point, ProcId, Procedure,
    Program, Type, VarRef, Variable,
    semantics::{Blocked, Machine},
};

const TY: Type = Type::unsigned(2);
const X: VarRef = VarRef::Global(0);
const Y: VarRef = VarRef::Global(1);
/// Three elements, so that an index of two bits can be out of range.
const ARRAY: VarRef = VarRef::Global(2);

fn read(variable: VarRef) -> Expr {
    Expr::read(variable)
}

fn constant(value: u64) -> Expr {
    Expr::constant(value, TY)
}

/// 3 / variable
fn quotient(variable: VarRef) -> Expr {
    constant(3).join(Binary::Divide, TY, &read(variable))
}

fn is_one(expr: Expr) -> Expr {
    expr.join(Binary::Equal, TY, &constant(1))
}

fn assign(assigns: Vec<(Place, Expr)>, constraint: Option<Expr>) -> Action {
    Action::Assign {
        assigns,
        constraint,
    }
}

fn procedure(locals: Vec<Variable>, edges: Vec<Edge>) -> Procedure {
    Procedure {
        name: "p".into(),
        parameters: locals.len(),
        locals,
        results: vec![],
        nodes: vec![Node::default(); 2],
        edges,
        entry: NodeId(0),
        exit: NodeId(1),
        origin: Origin::default(),
    }
}

/// A main procedure of one edge, and a procedure with one parameter that it may call.
fn program(guard: Expr, action: Action) -> Program {
    let edge = Edge {
        from: NodeId(0),
        to: NodeId(1),
        guard,
        action,
        origin: Origin::default(),
    };
    let callee = procedure(vec![Variable::scalar("p", TY)], vec![]);
    Program::new(Parts {
        globals: vec![
            Variable::scalar("x", TY),
            Variable::scalar("y", TY),
            Variable::array("a", TY, 3),
        ],
        procedures: vec![procedure(vec![], vec![edge]), callee],
        main: ProcId(0),
        labels: vec![],
        failures: vec![],
    })
    .expect("a well-formed program")
}

/// Whether some choice on some edge from main's entry ends as `wanted` says.
fn some_step(
    program: &Program,
    globals: &[u64],
    wanted: impl Fn(Result<Point, Blocked>) -> bool,
) -> bool {
    let machine = Machine::new(program);
    let start = machine.start(globals, &[]).expect("values of the types");
    program.edges_from(start.top().point()).any(|(id, _)| {
        let types = machine.choices(ProcId(0), id);
        assert!(types.len() <= 1, "one choice is enough here");
        let values = 0..=types.first().map_or(0, |ty| ty.mask());
        values.into_iter().any(|value| {
            let mut next = start.clone();
            let step = machine.step(&mut next, id, &vec![value; types.len()]);
            wanted(step.map(|()| next.top().point()))
        })
    })
}

#[test]
fn a_failure_is_reached_exactly_where_the_step_faults() {
    let index = |variable| read(variable).then(Op::Index(ARRAY));
    let next_index = Expr::new([Op::ReadNext(X), Op::IndexNext(ARRAY)]);
    let any = Expr::new([Op::Any(TY, 0)]);
    let by_any = constant(3).join(Binary::Remainder, TY, &any);
    let store = |index, value| vec![(Place::Element(ARRAY, index), value)];
    let set = |value| vec![(Place::Scalar(X), value)];
    let call = |argument| Action::Call {
        callee: ProcId(1),
        arguments: vec![argument],
        results: vec![],
    };
    // Decided early: x = 1 | 3 / y = 1
    let early = is_one(read(X)).join(Binary::Or, Type::Bool, &is_one(quotient(Y)));
    let open = Expr::truth;
    let cases = [
        ("a guard", is_one(quotient(X)), Action::skip()),
        (
            "a negated guard",
            is_one(quotient(X)).negate(),
            Action::skip(),
        ),
        ("a guard decided early", early.clone(), Action::skip()),
        ("an index in a guard", is_one(index(X)), Action::skip()),
        ("a value", open(), assign(set(quotient(Y)), None)),
        (
            "a value behind a guard",
            is_one(read(X)),
            assign(set(quotient(Y)), None),
        ),
        ("both", is_one(quotient(X)), assign(set(quotient(Y)), None)),
        ("an index that is read", open(), assign(set(index(Y)), None)),
        (
            "an index that is written",
            open(),
            assign(store(read(X), constant(0)), None),
        ),
        (
            "an index computed",
            open(),
            assign(store(quotient(X), read(Y)), None),
        ),
        ("a choice", is_one(read(X)), assign(set(by_any), None)),
        ("an argument", is_one(read(X)), call(quotient(Y))),
        (
            "a constraint",
            open(),
            assign(set(read(Y)), Some(is_one(next_index))),
        ),
        (
            "a constraint on old values",
            open(),
            assign(set(read(Y)), Some(early)),
        ),
        ("no fault", is_one(read(X)), assign(set(read(Y)), None)),
    ];
    for (what, guard, action) in cases {
        let plain = program(guard, action);
        let checked = plain.clone().with_arithmetic_checks();
        let failures: Vec<Point> = checked.failures().iter().map(|f| f.point).collect();
        for values in 0..16 {
            let globals = [values & 3, values >> 2, 0, 1, 2];
            let faults = some_step(&plain, &globals, |step| step == Err(Blocked::Fault));
            let fails = some_step(&checked, &globals, |step| {
                step.is_ok_and(|point| failures.contains(&point))
            });
            assert_eq!(fails, faults, "{what}, x and y: {:?}", &globals[..2]);
            // The step itself is as before.
            let goes_on = |program: &Program| {
                some_step(program, &globals, |step| {
                    step.is_ok_and(|point| !failures.contains(&point))
                })
            };
            assert_eq!(goes_on(&checked), goes_on(&plain), "{what}");
        }
    }
}
