//! Formulas and expressions of all types mean to the checker what their definitions say.

use std::ops::ControlFlow;

use recurva_certificate::{
    Builder, Formula, Proof,
    check::{EmbeddedJudge, Why, check},
    formula::{Scope, When},
};
use recurva_model::{
    Action, Binary, Edge, Expr, Node, NodeId, Op, Origin, Parts, Place, Point, ProcId, Procedure,
    Program, Type, Unary, VarRef, Variable,
};
use recurva_testkit::rng::Rng;

use crate::{
    random,
    states::{Data, State, World},
};

const MAIN: ProcId = ProcId(0);
const OTHER: ProcId = ProcId(1);

fn point(procedure: ProcId, node: u32) -> Point {
    let node = NodeId(node);
    Point { procedure, node }
}

fn any_type(rng: &mut Rng) -> Type {
    if rng.chance(20) {
        Type::Bool
    } else {
        random::ty(rng)
    }
}

fn any_variable(rng: &mut Rng) -> Variable {
    let ty = any_type(rng);
    match rng.below(8) {
        0 => Variable::array("few", ty, 1 + rng.below(4) as u32),
        1 => Variable::array("many", ty, 17 + rng.below(4) as u32),
        _ => Variable::scalar("x", ty),
    }
}

/// A value near the ends of a type, as a rule.
fn any_value(rng: &mut Rng, ty: Type) -> u64 {
    let value = match rng.below(4) {
        0 => rng.below(5) as u64,
        1 => 0u64.wrapping_sub(rng.below(5) as u64),
        2 => (1u64 << (ty.bits() - 1)).wrapping_sub(rng.below(3) as u64),
        _ => rng.bits(),
    };
    ty.wrap(value)
}

/// Assignments that give all variables these values.
fn assigns(variables: &[(VarRef, Variable)], values: &mut impl Iterator<Item = u64>) -> Action {
    let mut assigns = Vec::new();
    for (variable, declared) in variables {
        for element in 0..declared.slots() as u64 {
            let place = match declared.len {
                None => Place::Scalar(*variable),
                Some(_) => {
                    let index = Expr::constant(element, Type::unsigned(8));
                    Place::Element(*variable, index)
                }
            };
            let value = values.next().expect("as many as there are slots");
            assigns.push((place, Expr::constant(value, declared.ty)));
        }
    }
    Action::Assign {
        assigns,
        constraint: None,
    }
}

fn edge(from: u32, to: u32, action: Action) -> Edge {
    Edge {
        action,
        ..Edge::skip(NodeId(from), NodeId(to), Origin::default())
    }
}

fn procedure(name: &str, locals: Vec<Variable>, parameters: usize, edges: Vec<Edge>) -> Procedure {
    Procedure {
        name: name.into(),
        locals,
        parameters,
        results: vec![],
        nodes: vec![Node::default(); 4],
        edges,
        entry: NodeId(0),
        exit: NodeId(1),
        origin: Origin::default(),
    }
}

/// `main` gives all globals their values and calls `other` with its arguments, which gives all variables
/// others and is at node 2 then.
struct Known {
    program: Program,
    state: State,
    /// What holds of the entry of `other`.
    entry: Formula,
}

fn known(rng: &mut Rng) -> Known {
    let globals: Vec<Variable> = (0..1 + rng.below(3)).map(|_| any_variable(rng)).collect();
    let parameters = rng.below(3);
    let mut locals: Vec<Variable> = (0..parameters)
        .map(|_| Variable::scalar("p", any_type(rng)))
        .collect();
    locals.extend((0..rng.below(3)).map(|_| any_variable(rng)));
    let slots = |variables: &[Variable], rng: &mut Rng| -> Vec<u64> {
        let mut values = Vec::new();
        for variable in variables {
            values.extend((0..variable.slots()).map(|_| any_value(rng, variable.ty)));
        }
        values
    };
    let state = State {
        entry: Data {
            globals: slots(&globals, rng),
            locals: slots(&locals[..parameters], rng),
        },
        now: Data {
            globals: slots(&globals, rng),
            locals: slots(&locals, rng),
        },
    };
    let outer: Vec<(VarRef, Variable)> = (0..)
        .map(VarRef::Global)
        .zip(globals.iter().cloned())
        .collect();
    let inner = (0..).map(VarRef::Local).zip(locals.iter().cloned());
    let all: Vec<(VarRef, Variable)> = outer.iter().cloned().chain(inner).collect();
    let now = state.now.globals.iter().chain(&state.now.locals);
    let call = Action::Call {
        callee: OTHER,
        arguments: state
            .entry
            .locals
            .iter()
            .zip(&locals)
            .map(|(&value, it)| Expr::constant(value, it.ty))
            .collect(),
        results: vec![],
    };
    let before = assigns(&outer, &mut state.entry.globals.iter().copied());
    let main = vec![edge(0, 2, before), edge(2, 3, call)];
    let other = vec![edge(0, 2, assigns(&all, &mut now.copied()))];
    let mut builder = Builder::default();
    let mut facts = Vec::new();
    let mut entry_values = state.entry.globals.iter().chain(&state.entry.locals);
    for (variable, declared) in all.iter().take(globals.len() + parameters) {
        for element in 0..declared.slots() {
            let value = *entry_values.next().expect("as many as there are slots");
            let read = match declared.len {
                None => builder.variable(*variable, When::Now),
                Some(_) => {
                    let index = builder.int(element as i128);
                    builder.element(*variable, When::Now, index)
                }
            };
            let constant = match declared.ty {
                Type::Bool => builder.bool(value != 0),
                ty @ Type::Int { .. } => builder.int(ty.to_number(value)),
            };
            facts.push(builder.equal(read, constant));
        }
    }
    let root = builder.and_all(facts);
    let program = Program::new(Parts {
        globals,
        procedures: vec![
            procedure("main", vec![], 0, main),
            procedure("other", locals, parameters, other),
        ],
        main: MAIN,
        labels: vec![],
        failures: vec![],
    });
    Known {
        program: program.expect("a program"),
        state,
        entry: builder.finish(root),
    }
}

fn accepted(program: &Program, targets: &[Point], proof: &Proof) -> Result<(), Why> {
    let mut judge = EmbeddedJudge::default();
    let mut ask = || ControlFlow::Continue(());
    match check(program, targets, proof, &mut judge, &mut ask) {
        Ok(_) => Ok(()),
        Err(rejected) => Err(rejected.why),
    }
}

#[test]
fn formulas_of_all_types() {
    let (mut holding, mut others, mut too_large) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let known = known(&mut rng);
        let program = &known.program;
        let scope = Scope {
            program,
            procedure: OTHER,
        };
        let depth = 1 + rng.below(4);
        let formula = random::formula(&mut rng, scope, depth);
        let world = World::new(program);
        let expected = formula.holds(&world.reading(OTHER, &known.state));
        let mut proof = Proof::default();
        proof.formulas.insert(point(MAIN, 0), Formula::truth());
        proof.formulas.insert(point(OTHER, 0), known.entry.clone());
        proof.formulas.insert(point(OTHER, 2), formula.clone());
        match (accepted(program, &[], &proof), expected) {
            (Err(Why::TooLarge), _) => too_large += 1,
            (Ok(()), Some(true)) => holding += 1,
            (Err(Why::Refuted(_)), Some(false)) => others += 1,
            (outcome, expected) => panic!("{seed}: {outcome:?} {expected:?} {formula:?}"),
        }
    }
    assert!(
        holding > 300 && others > 300,
        "{holding} {others} {too_large}"
    );
    assert!(too_large < 500, "{holding} {others} {too_large}");
}

/// A random expression of a type over some variables.
fn expression(rng: &mut Rng, variables: &[Variable], ty: Type, depth: usize) -> Vec<Op> {
    let all = (0..).map(VarRef::Local).zip(variables);
    let fitting: Vec<(VarRef, &Variable)> = all.filter(|(_, it)| it.ty == ty).collect();
    if let Some(&(variable, declared)) = rng.pick(&fitting)
        && (depth == 0 || rng.chance(20))
    {
        if declared.len.is_none() {
            return vec![Op::Read(variable)];
        }
        let index = match rng.chance(50) || depth == 0 {
            true => vec![Op::Const(rng.below(4) as u64, Type::unsigned(5))],
            false => {
                let index = any_type(rng);
                expression(rng, variables, index, depth - 1)
            }
        };
        return [index, vec![Op::Index(variable)]].concat();
    }
    if depth == 0 {
        return vec![Op::Const(any_value(rng, ty), ty)];
    }
    use Binary::*;
    let compared = |rng: &mut Rng| match rng.pick(variables) {
        Some(variable) if rng.chance(70) => variable.ty,
        _ => any_type(rng),
    };
    match rng.below(10) {
        0 => {
            let operator = if rng.chance(50) {
                Unary::Not
            } else {
                Unary::Negate
            };
            let operand = expression(rng, variables, ty, depth - 1);
            [operand, vec![Op::Unary(operator, ty)]].concat()
        }
        1 => {
            let from = compared(rng);
            let operand = expression(rng, variables, from, depth - 1);
            [operand, vec![Op::Convert(from, ty)]].concat()
        }
        2 if ty == Type::Bool => {
            let inner = compared(rng);
            let operand = expression(rng, variables, inner, depth - 1);
            [operand, vec![Op::Faults]].concat()
        }
        3 if rng.chance(10) => vec![Op::Undefined(ty)],
        4..=6 if ty == Type::Bool => {
            let inner = compared(rng);
            let left = expression(rng, variables, inner, depth - 1);
            let right = expression(rng, variables, inner, depth - 1);
            let all = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];
            let operator = *rng.pick(&all).expect("some");
            [left, right, vec![Op::Binary(operator, inner)]].concat()
        }
        7 => {
            let amount = compared(rng);
            let left = expression(rng, variables, ty, depth - 1);
            let right = expression(rng, variables, amount, depth - 1);
            let operator = if rng.chance(50) {
                ShiftLeft
            } else {
                ShiftRight
            };
            [left, right, vec![Op::Binary(operator, ty)]].concat()
        }
        _ => {
            let left = expression(rng, variables, ty, depth - 1);
            let right = expression(rng, variables, ty, depth - 1);
            let all = [
                And, Or, Xor, Implies, Add, Subtract, Multiply, Divide, Remainder,
            ];
            let operator = *rng.pick(&all).expect("some");
            [left, right, vec![Op::Binary(operator, ty)]].concat()
        }
    }
}

#[test]
fn expressions_of_all_types() {
    let (mut open, mut closed, mut faults) = (0, 0, 0);
    for seed in 0..1_500 {
        let mut rng = Rng::new(seed);
        let locals: Vec<Variable> = (0..1 + rng.below(4))
            .map(|_| any_variable(&mut rng))
            .collect();
        let mut values = Vec::new();
        let mut starts = Vec::new();
        for variable in &locals {
            starts.push(values.len());
            values.extend((0..variable.slots()).map(|_| any_value(&mut rng, variable.ty)));
        }
        let depth = 1 + rng.below(4);
        let guard = Expr::new(expression(&mut rng, &locals, Type::Bool, depth));
        let expected = guard.eval(&[], &|variable, _, element| {
            let VarRef::Local(index) = variable else {
                return None;
            };
            let is_there = element < locals[index as usize].slots() as u64;
            is_there.then(|| values[starts[index as usize] + element as usize])
        });
        let all: Vec<(VarRef, Variable)> = (0..)
            .map(VarRef::Local)
            .zip(locals.iter().cloned())
            .collect();
        let first = edge(0, 2, assigns(&all, &mut values.iter().copied()));
        let second = Edge {
            guard,
            ..edge(2, 3, Action::skip())
        };
        let program = Program::new(Parts {
            globals: vec![],
            procedures: vec![procedure("main", locals, 0, vec![first, second])],
            main: MAIN,
            labels: vec![],
            failures: vec![],
        })
        .expect("a program");
        let mut proof = Proof::default();
        proof.formulas.insert(point(MAIN, 0), Formula::truth());
        let outcome = accepted(&program, &[point(MAIN, 3)], &proof);
        match (&outcome, expected) {
            (Ok(()), None) => faults += 1,
            (Ok(()), Some(0)) => closed += 1,
            (Err(Why::Refuted(_)), Some(1)) => open += 1,
            _ => panic!("{seed}: {outcome:?} {expected:?} {program:?}"),
        }
    }
    assert!(
        open > 300 && closed > 300 && faults > 100,
        "{open} {closed} {faults}"
    );
}
