//! Expressions of programs as parts of formulas.

use recurva_certificate::{
    Builder,
    formula::{Arithmetic, BitOperator, Part, When},
};
use recurva_model::{Binary, Expr, Op, ProcId, Program, Type, Unary};

/// An expression as a part of a formula; `read` says what stands for what is read or chosen, and of what
/// type it is, given the index of an element. `None` if there is no such formula. That the expression may fault is not said.
pub(crate) fn part(
    builder: &mut Builder,
    expression: &Expr,
    mut read: impl FnMut(&mut Builder, Op, Option<Part>) -> Option<(Type, Part)>,
) -> Option<Part> {
    let mut stack: Vec<(Type, Part)> = Vec::new();
    for &op in expression.ops() {
        let made = match op {
            Op::Const(value, ty) => (ty, constant(builder, value, ty)),
            Op::Read(_) | Op::ReadNext(_) | Op::Any(..) => read(builder, op, None)?,
            Op::Index(_) | Op::IndexNext(_) => {
                let (_, index) = stack.pop()?;
                read(builder, op, Some(index))?
            }
            Op::Faults | Op::Undefined(_) | Op::UndefinedElement(_) => return None,
            Op::Unary(operator, ty) => {
                let (_, operand) = stack.pop()?;
                (ty, unary(builder, operator, ty, operand))
            }
            Op::Convert(from, to) => {
                let (_, operand) = stack.pop()?;
                (to, converted(builder, from, to, operand))
            }
            Op::Binary(operator, ty) => {
                let (right_type, right) = stack.pop()?;
                let (_, left) = stack.pop()?;
                let is_shift = matches!(operator, Binary::ShiftLeft | Binary::ShiftRight);
                if is_shift && (right_type != ty || ty == Type::Bool) {
                    return None;
                }
                let value = match ty {
                    Type::Bool => truths(builder, operator, left, right)?,
                    Type::Int { .. } => numbers(builder, operator, ty, left, right),
                };
                (operator.result(ty), value)
            }
        };
        stack.push(made);
    }
    stack.pop().map(|it| it.1)
}

/// A predicate as a part of a formula, `now` being when what it reads now is read.
pub(crate) fn predicate(
    builder: &mut Builder,
    program: &Program,
    procedure: ProcId,
    predicate: &Expr,
    now: When,
) -> Option<Part> {
    part(builder, predicate, |builder, op, index| {
        let (variable, when) = match op {
            Op::Read(variable) | Op::Index(variable) => (variable, now),
            Op::ReadNext(variable) | Op::IndexNext(variable) => (variable, When::Entry),
            _ => return None,
        };
        let read = match index {
            Some(index) => builder.element(variable, when, index),
            None => builder.variable(variable, when),
        };
        Some((program.variable(procedure, variable).ty, read))
    })
}

/// A constant of a type.
fn constant(builder: &mut Builder, value: u64, ty: Type) -> Part {
    match ty {
        Type::Bool => builder.bool(value != 0),
        Type::Int { .. } => builder.int(ty.to_number(value)),
    }
}

fn unary(builder: &mut Builder, operator: Unary, ty: Type, operand: Part) -> Part {
    match (operator, ty) {
        (Unary::Not, Type::Bool) => builder.not(operand),
        (Unary::Negate, Type::Bool) => operand,
        (Unary::Not, _) => {
            let most = builder.int(ty.to_number(ty.mask()));
            builder.arithmetic(Arithmetic::Subtract, most, operand)
        }
        (Unary::Negate, _) => {
            let zero = builder.int(0);
            let negated = builder.arithmetic(Arithmetic::Subtract, zero, operand);
            builder.wrap(ty, negated)
        }
    }
}

fn converted(builder: &mut Builder, from: Type, to: Type, operand: Part) -> Part {
    match (from, to) {
        _ if from == to => operand,
        (Type::Bool, _) => {
            let one = constant(builder, 1, to);
            let zero = builder.int(0);
            builder.if_then_else(operand, one, zero)
        }
        (_, Type::Bool) => {
            let bit = builder.wrap(Type::unsigned(1), operand);
            let one = builder.int(1);
            builder.equal(bit, one)
        }
        _ => {
            let fits = match (from.is_signed(), to.is_signed()) {
                (false, true) => from.bits() < to.bits(),
                (true, false) => false,
                _ => from.bits() <= to.bits(),
            };
            match fits {
                true => operand,
                false => builder.wrap(to, operand),
            }
        }
    }
}

/// An operator on truth values.
fn truths(builder: &mut Builder, operator: Binary, left: Part, right: Part) -> Option<Part> {
    Some(match operator {
        Binary::And | Binary::Multiply => builder.and(left, right),
        Binary::Or => builder.or(left, right),
        Binary::Implies | Binary::LessEqual => builder.implies(left, right),
        Binary::GreaterEqual => builder.implies(right, left),
        Binary::Equal => builder.equal(left, right),
        Binary::NotEqual | Binary::Xor | Binary::Add | Binary::Subtract => {
            let equal = builder.equal(left, right);
            builder.not(equal)
        }
        Binary::Less => {
            let not = builder.not(left);
            builder.and(not, right)
        }
        Binary::Greater => {
            let not = builder.not(right);
            builder.and(left, not)
        }
        Binary::Divide | Binary::Remainder | Binary::ShiftLeft | Binary::ShiftRight => {
            return None;
        }
    })
}

/// An operator on integers of a type.
fn numbers(builder: &mut Builder, operator: Binary, ty: Type, left: Part, right: Part) -> Part {
    let mut arithmetic = |operator| {
        let value = builder.arithmetic(operator, left, right);
        builder.wrap(ty, value)
    };
    let bits = match operator {
        Binary::Add => return arithmetic(Arithmetic::Add),
        Binary::Subtract => return arithmetic(Arithmetic::Subtract),
        Binary::Multiply => return arithmetic(Arithmetic::Multiply),
        Binary::Divide => return arithmetic(Arithmetic::Divide),
        Binary::Remainder => return arithmetic(Arithmetic::Remainder),
        Binary::Equal => return builder.equal(left, right),
        Binary::NotEqual => {
            let equal = builder.equal(left, right);
            return builder.not(equal);
        }
        Binary::Less => return builder.less(left, right),
        Binary::Greater => return builder.less(right, left),
        Binary::LessEqual => {
            let above = builder.less(right, left);
            return builder.not(above);
        }
        Binary::GreaterEqual => {
            let below = builder.less(left, right);
            return builder.not(below);
        }
        // Not between integers.
        Binary::Implies => return builder.bool(true),
        Binary::And => BitOperator::And,
        Binary::Or => BitOperator::Or,
        Binary::Xor => BitOperator::Xor,
        Binary::ShiftLeft => BitOperator::ShiftLeft,
        Binary::ShiftRight => BitOperator::ShiftRight,
    };
    builder.bits(bits, ty, left, right)
}
