//! Expressions with some variables known.
//!
//! Two questions with different answers. [`known`] and [`fold`] are strict: an expression has a
//! value only if *every* variable it reads has one. So a variable that is folded away everywhere
//! has one value at each node where it is read, and a run of the slice that comes back to where
//! it was does so in the whole program too. [`never_holds`] takes shortcuts: it is only asked
//! about edges that then vanish, and what they read is read by nobody.

use recurva_model::{Binary, Expr, Op, VarRef, Variable, convert};

/// The value of an expression all of whose variables are known; `None` if some are not, if it
/// has a choice, or if it faults.
pub(crate) fn known(expr: &Expr, value: &impl Fn(VarRef) -> Option<u64>) -> Option<u64> {
    let settled = |op: &Op| match *op {
        Op::Const(..) | Op::Unary(..) | Op::Binary(..) | Op::Convert(..) | Op::Faults => true,
        Op::Read(variable) => value(variable).is_some(),
        _ => false,
    };
    if !expr.ops().iter().all(settled) {
        return None;
    }
    expr.eval(&[], &|variable, _, _| value(variable))
}

/// The expression with known variables replaced by their values; a constant if all are known.
pub(crate) fn fold<'v>(
    expr: &Expr,
    value: &impl Fn(VarRef) -> Option<u64>,
    variable: &impl Fn(VarRef) -> &'v Variable,
) -> Expr {
    let ty = |read| variable(read).ty;
    let is_known = |op: &Op| matches!(*op, Op::Read(read) if value(read).is_some());
    if !expr.ops().iter().any(is_known) {
        return expr.clone();
    }
    if let Some(value) = known(expr, value) {
        return Expr::constant(value, expr.type_with(ty));
    }
    let replaced = expr.ops().iter().map(|&op| match op {
        Op::Read(read) => value(read).map_or(op, |value| Op::Const(value, ty(read))),
        _ => op,
    });
    Expr::new(replaced.collect::<Vec<Op>>())
}

/// What is known of a part of an expression.
#[derive(Clone, Copy)]
enum Part {
    /// It does not fault and has this value.
    Known(u64),
    /// It may have any value.
    Open { may_fault: bool },
}

impl Part {
    fn may_fault(self) -> bool {
        matches!(self, Part::Open { may_fault: true })
    }
}

/// Whether a boolean expression is false wherever it does not fault.
pub(crate) fn never_holds(expr: &Expr, value: &impl Fn(VarRef) -> Option<u64>) -> bool {
    const OPEN: Part = Part::Open { may_fault: false };
    const FAULTY: Part = Part::Open { may_fault: true };
    if expr.is_truth() {
        return false;
    }
    let mut stack: Vec<Part> = Vec::with_capacity(8);
    for &op in expr.ops() {
        let mut pop = || stack.pop().unwrap_or(FAULTY);
        let part = match op {
            Op::Const(value, _) => Part::Known(value),
            Op::Read(variable) => value(variable).map_or(OPEN, Part::Known),
            Op::ReadNext(_) | Op::Any(..) => OPEN,
            Op::Undefined(_) => FAULTY,
            Op::Index(_) | Op::IndexNext(_) | Op::UndefinedElement(_) => {
                pop();
                FAULTY
            }
            Op::Unary(operator, ty) => match pop() {
                Part::Known(value) => Part::Known(operator.apply(ty, value)),
                open @ Part::Open { .. } => open,
            },
            Op::Convert(from, to) => match pop() {
                Part::Known(value) => Part::Known(convert(from, to, value)),
                open @ Part::Open { .. } => open,
            },
            Op::Faults if pop().may_fault() => OPEN,
            Op::Faults => Part::Known(0),
            Op::Binary(operator, ty) => {
                let (right, left) = (pop(), pop());
                match (left, right) {
                    (Part::Known(left), _) if operator.early(ty).is_some_and(|e| e.0 == left) => {
                        Part::Known(operator.early(ty).map_or(0, |early| early.1))
                    }
                    (Part::Known(left), Part::Known(right)) => {
                        let value = operator.apply(ty, left, right);
                        value.map_or(FAULTY, Part::Known)
                    }
                    // The right operand settles it if the left one cannot fault.
                    (Part::Open { may_fault: false }, Part::Known(right)) => {
                        match (operator, operator.early(ty)) {
                            (Binary::And, Some(_)) if right == 0 => Part::Known(0),
                            (Binary::Or | Binary::Implies, Some(_)) if right == 1 => Part::Known(1),
                            (Binary::Divide | Binary::Remainder, _) if right == 0 => FAULTY,
                            _ => OPEN,
                        }
                    }
                    _ => Part::Open {
                        may_fault: left.may_fault()
                            || right.may_fault()
                            || matches!(operator, Binary::Divide | Binary::Remainder),
                    },
                }
            }
        };
        stack.push(part);
    }
    matches!(stack.pop(), Some(Part::Known(0)))
}
