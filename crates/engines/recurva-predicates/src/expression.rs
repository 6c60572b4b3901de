//! Expressions as predicates: over the values of variables now, and those when the running procedure was
//! entered. The former are read as [`Op::Read`], the latter as [`Op::ReadNext`]: so an expression needs no
//! second form, and is encoded like any other.

use std::hash::{Hash, Hasher};

use recurva_model::{Binary, Expr, Op, Type, Unary, VarRef, convert};
use rustc_hash::FxHasher;

/// The parts of expressions that are put together have no more operators than that.
pub(crate) const LARGEST: usize = 48;

/// Puts an expression together again from its operators, simplified, with `with` in place of each variable
/// that is read, or element with that number. `None` if it gets too large, or has parts that a predicate must not have: choices, and what
/// can fault.
pub(crate) fn rebuilt(
    expression: &Expr,
    mut with: impl FnMut(Op, u64) -> Option<Vec<Op>>,
    length: impl Fn(VarRef) -> u32,
) -> Option<Expr> {
    let mut stack: Vec<Vec<Op>> = Vec::new();
    for &op in expression.ops() {
        let made = match op {
            Op::Const(..) => vec![op],
            Op::Read(_) | Op::ReadNext(_) => with(op, 0)?,
            Op::Index(array) | Op::IndexNext(array) => match *stack.pop()? {
                [Op::Const(at, _)] if at < u64::from(length(array)) => with(op, at)?,
                _ => return None,
            },
            Op::Any(..) | Op::Faults | Op::Undefined(_) | Op::UndefinedElement(_) => return None,
            Op::Unary(operator, ty) => unary(operator, ty, stack.pop()?),
            Op::Convert(from, to) => converted(from, to, stack.pop()?),
            Op::Binary(operator, ty) => {
                let right = stack.pop()?;
                let left = stack.pop()?;
                binary(operator, ty, left, right)?
            }
        };
        if made.len() > LARGEST {
            return None;
        }
        stack.push(made);
    }
    stack.pop().map(Expr::new)
}

/// An expression, simplified.
pub(crate) fn simplified(expression: &Expr, length: impl Fn(VarRef) -> u32) -> Option<Expr> {
    rebuilt(expression, |op, at| Some(read(op, at)), length)
}

/// What reads a variable, or the element of an array with that number.
pub(crate) fn read(op: Op, element: u64) -> Vec<Op> {
    match op {
        Op::Index(_) | Op::IndexNext(_) => vec![Op::Const(element, Type::unsigned(32)), op],
        _ => vec![op],
    }
}

fn unary(operator: Unary, ty: Type, mut operand: Vec<Op>) -> Vec<Op> {
    match (operator, ty, operand.last()) {
        (_, _, Some(&Op::Const(value, _))) => vec![Op::Const(operator.apply(ty, value), ty)],
        (Unary::Not, _, Some(&Op::Unary(Unary::Not, _))) => {
            operand.pop();
            operand
        }
        _ => {
            operand.push(Op::Unary(operator, ty));
            operand
        }
    }
}

fn converted(from: Type, to: Type, mut operand: Vec<Op>) -> Vec<Op> {
    if from == to {
        return operand;
    }
    if let [Op::Const(value, _)] = *operand {
        return vec![Op::Const(convert(from, to, value), to)];
    }
    // There and back again.
    if let Some(&Op::Convert(first, _)) = operand.last() {
        let same = first == to && from.bits() >= to.bits();
        if same {
            operand.pop();
            return operand;
        }
    }
    operand.push(Op::Convert(from, to));
    operand
}

fn negated(operand: Vec<Op>) -> Vec<Op> {
    unary(Unary::Not, Type::Bool, operand)
}

fn joined(mut left: Vec<Op>, right: &[Op], op: Op) -> Vec<Op> {
    left.extend_from_slice(right);
    left.push(op);
    left
}

fn binary(operator: Binary, ty: Type, left: Vec<Op>, right: Vec<Op>) -> Option<Vec<Op>> {
    use Binary::{
        Add, And, Divide, Equal, Greater, GreaterEqual, Implies, Less, LessEqual, NotEqual, Or,
        Remainder, Subtract, Xor,
    };
    let constant = |ops: &[Op]| match *ops {
        [Op::Const(value, _)] => Some(value),
        _ => None,
    };
    let (a, b) = (constant(&left), constant(&right));
    if let (Some(a), Some(b)) = (a, b)
        && !matches!(right[0], Op::Const(_, other) if other != ty)
    {
        let value = operator.apply(ty, a, b)?;
        return Some(vec![Op::Const(value, operator.result(ty))]);
    }
    let truth = |value: bool| vec![Op::Const(u64::from(value), Type::Bool)];
    Some(match (operator, ty) {
        (Divide | Remainder, _) if b.is_none_or(|it| it == 0) => return None,
        (NotEqual, _) => negated(binary(Equal, ty, left, right)?),
        (Greater, _) => binary(Less, ty, right, left)?,
        (GreaterEqual, _) => negated(binary(Less, ty, left, right)?),
        (LessEqual, _) => negated(binary(Less, ty, right, left)?),
        (Xor, Type::Bool) => negated(binary(Equal, ty, left, right)?),
        (Implies, Type::Bool) => binary(Or, ty, negated(left), right)?,
        (Equal, _) if left == right => truth(true),
        (Less, _) if left == right => truth(false),
        (Equal, _) if a.is_some() => binary(Equal, ty, right, left)?,
        (Equal, Type::Bool) if b == Some(1) => left,
        (Equal, Type::Bool) if b == Some(0) => negated(left),
        (And, Type::Bool) if a == Some(1) => right,
        (And, Type::Bool) if b == Some(1) || left == right => left,
        (And, Type::Bool) if a == Some(0) || b == Some(0) => truth(false),
        (Or, Type::Bool) if a == Some(0) => right,
        (Or, Type::Bool) if b == Some(0) || left == right => left,
        (Or, Type::Bool) if a == Some(1) || b == Some(1) => truth(true),
        (Add, _) if a.is_some() => binary(Add, ty, right, left)?,
        (Add | Subtract, Type::Int { .. }) if b == Some(0) => left,
        (Subtract, Type::Int { .. }) if b.is_some() => {
            let value = Unary::Negate.apply(ty, b?);
            binary(Add, ty, left, vec![Op::Const(value, ty)])?
        }
        (Add, Type::Int { .. }) if b.is_some() => match *left {
            [.., Op::Const(inner, _), Op::Binary(Add, _)] => {
                let sum = Add.apply(ty, inner, b?)?;
                let rest = left[..left.len() - 2].to_vec();
                binary(Add, ty, rest, vec![Op::Const(sum, ty)])?
            }
            _ => joined(left, &right, Op::Binary(operator, ty)),
        },
        (Equal, Type::Int { .. }) if b.is_some() => equal_constant(ty, left, b?)?,
        (Equal, _) if comes_before(&right, &left) => joined(right, &left, Op::Binary(Equal, ty)),
        _ => joined(left, &right, Op::Binary(operator, ty)),
    })
}

/// An order of operands, so that what is equal is written in one way.
fn comes_before(left: &[Op], right: &[Op]) -> bool {
    let key = |ops: &[Op]| {
        let mut hasher = FxHasher::default();
        ops.hash(&mut hasher);
        (ops.len(), hasher.finish())
    };
    key(left) < key(right)
}

/// That a value is a constant.
fn equal_constant(ty: Type, mut left: Vec<Op>, value: u64) -> Option<Vec<Op>> {
    let constant = |value| vec![Op::Const(value, ty)];
    Some(match *left {
        [.., Op::Const(added, _), Op::Binary(Binary::Add, _)] => {
            let rest = left[..left.len() - 2].to_vec();
            let value = Binary::Subtract.apply(ty, value, added)?;
            binary(Binary::Equal, ty, rest, constant(value))?
        }
        [.., Op::Convert(from, _)] if from.bits() <= ty.bits() => {
            let inner = from.wrap(value);
            if convert(from, ty, inner) != value {
                return Some(vec![Op::Const(0, Type::Bool)]);
            }
            left.pop();
            binary(Binary::Equal, from, left, vec![Op::Const(inner, from)])?
        }
        [.., Op::Unary(operator, _)] => {
            left.pop();
            binary(Binary::Equal, ty, left, constant(operator.apply(ty, value)))?
        }
        _ => joined(left, &constant(value), Op::Binary(Binary::Equal, ty)),
    })
}

/// Where each operator's operands begin.
fn starts(ops: &[Op]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::with_capacity(ops.len());
    let mut stack: Vec<usize> = Vec::new();
    for (at, op) in ops.iter().enumerate() {
        let operands = match op {
            Op::Binary(..) => 2,
            Op::Unary(..)
            | Op::Convert(..)
            | Op::Index(_)
            | Op::IndexNext(_)
            | Op::Faults
            | Op::UndefinedElement(_) => 1,
            Op::Const(..) | Op::Read(_) | Op::ReadNext(_) | Op::Any(..) | Op::Undefined(_) => 0,
        };
        let mut start = at;
        for _ in 0..operands {
            start = stack.pop().unwrap_or(0);
        }
        stack.push(start);
        starts.push(start);
    }
    starts
}

/// The parts of a boolean expression that are put together by boolean operators, each without negation and
/// in the simplified form. Parts that no predicate can have are left out.
pub(crate) fn atoms(expression: &Expr, length: impl Fn(VarRef) -> u32, found: &mut Vec<Expr>) {
    let ops = expression.ops();
    let starts = starts(ops);
    let mut open = vec![ops.len() - 1];
    while let Some(root) = open.pop() {
        match ops[root] {
            Op::Unary(Unary::Not, Type::Bool) => open.push(root - 1),
            Op::Binary(_, Type::Bool) => open.extend([root - 1, starts[root - 1] - 1]),
            Op::Convert(Type::Bool, _) => open.push(root - 1),
            // A truth value that has become a number and is one again.
            Op::Binary(Binary::Equal | Binary::NotEqual, _)
                if matches!(ops[root - 1], Op::Const(..)) =>
            {
                match ops[root - 2] {
                    Op::Convert(Type::Bool, _) => open.push(root - 2),
                    _ => keep(&ops[starts[root]..=root], &length, found),
                }
            }
            _ => keep(&ops[starts[root]..=root], &length, found),
        }
    }
}

fn keep(ops: &[Op], length: impl Fn(VarRef) -> u32, found: &mut Vec<Expr>) {
    if let Some(atom) = simplified(&Expr::new(ops), length) {
        let atom = positive(atom);
        if !matches!(*atom.ops(), [Op::Const(..)]) && !found.contains(&atom) {
            found.push(atom);
        }
    }
}

/// The expression or its negation, whichever has no negation in front.
pub(crate) fn positive(expression: Expr) -> Expr {
    match expression.ops() {
        [rest @ .., Op::Unary(Unary::Not, Type::Bool)] => Expr::new(rest),
        _ => expression,
    }
}

/// The variables that are read, and when: now, or at the entry.
pub(crate) fn reads(expression: &Expr) -> impl Iterator<Item = (VarRef, bool)> {
    expression.ops().iter().filter_map(|op| match *op {
        Op::Read(variable) | Op::Index(variable) => Some((variable, false)),
        Op::ReadNext(variable) | Op::IndexNext(variable) => Some((variable, true)),
        _ => None,
    })
}
