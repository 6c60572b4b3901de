//! Conditions on their way to the guards of edges.

use recurva_model::{Binary, Expr, Op, Type, Unary};

/// A condition that was checked.
pub(crate) enum Condition {
    /// `*`: both ways are open.
    Any,
    Guard(Vec<Op>),
}

impl Condition {
    pub(crate) fn holds(&self) -> Vec<Op> {
        match self {
            Condition::Any => Vec::new(),
            Condition::Guard(ops) => ops.clone(),
        }
    }

    pub(crate) fn fails(self) -> Vec<Op> {
        match self {
            Condition::Any => Vec::new(),
            Condition::Guard(ops) => negation(ops),
        }
    }
}

fn negation(mut ops: Vec<Op>) -> Vec<Op> {
    match ops[..] {
        [Op::Const(value, Type::Bool)] => vec![Op::Const(value ^ 1, Type::Bool)],
        _ => {
            ops.push(Op::Unary(Unary::Not, Type::Bool));
            ops
        }
    }
}

/// Adds a condition to one that may be empty.
pub(crate) fn join_and(ops: &mut Vec<Op>, more: Vec<Op>) {
    let truth = [Op::Const(1, Type::Bool)];
    if more.is_empty() || more[..] == truth {
        return;
    }
    let first = ops.is_empty();
    ops.extend(more);
    if !first {
        ops.push(Op::Binary(Binary::And, Type::Bool));
    }
}

/// A condition that may be empty, as an expression.
pub(crate) fn all_of(ops: Vec<Op>) -> Expr {
    match ops.is_empty() {
        true => Expr::truth(),
        false => Expr::new(ops),
    }
}
