//! Local variables that begin further on, as those of several procedures are in one.

use recurva_model::{Action, Edge, Expr, Op, Place as Target, VarRef};

/// A variable whose procedure's locals begin elsewhere.
pub(crate) fn shift(variable: VarRef, offset: u32) -> VarRef {
    match variable {
        VarRef::Global(_) => variable,
        VarRef::Local(index) => VarRef::Local(index + offset),
    }
}

/// An expression of a procedure whose locals begin elsewhere.
pub(super) fn shifted(expr: &Expr, offset: u32) -> Expr {
    let ops = expr.ops().iter().map(|&op| match op {
        Op::Read(variable) => Op::Read(shift(variable, offset)),
        Op::ReadNext(variable) => Op::ReadNext(shift(variable, offset)),
        Op::Index(variable) => Op::Index(shift(variable, offset)),
        Op::IndexNext(variable) => Op::IndexNext(shift(variable, offset)),
        other => other,
    });
    Expr::new(ops.collect::<Vec<_>>())
}

pub(super) fn edge_shifted(edge: &Edge, offset: u32) -> Edge {
    let action = match &edge.action {
        Action::Assign {
            assigns,
            constraint,
        } => Action::Assign {
            assigns: assigns
                .iter()
                .map(|(target, value)| {
                    let target = match target {
                        Target::Scalar(variable) => Target::Scalar(shift(*variable, offset)),
                        Target::Element(array, index) => {
                            Target::Element(shift(*array, offset), shifted(index, offset))
                        }
                    };
                    (target, shifted(value, offset))
                })
                .collect(),
            constraint: constraint.as_ref().map(|it| shifted(it, offset)),
        },
        Action::Call { .. } => edge.action.clone(),
    };
    Edge {
        guard: shifted(&edge.guard, offset),
        action,
        ..edge.clone()
    }
}
