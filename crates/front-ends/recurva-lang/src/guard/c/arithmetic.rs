//! Computing as C does, with its conversions.

use recurva_model::{Binary, GuardOp, Op, Type, Unary};

/// The type of `int`.
pub(super) const INT: Type = Type::signed(32);

/// Something with a value.
pub(super) struct Value {
    pub(super) ops: Vec<GuardOp>,
    pub(super) ty: Type,
}

fn plain(value: &mut Value, op: Op, ty: Type) {
    value.ops.push(GuardOp::Plain(op));
    value.ty = ty;
}

fn converted(mut value: Value, ty: Type) -> Value {
    if value.ty != ty {
        let from = value.ty;
        plain(&mut value, Op::Convert(from, ty), ty);
    }
    value
}

/// Whether a value is not zero.
pub(super) fn truth(mut value: Value) -> Value {
    if value.ty != Type::Bool {
        let ty = value.ty;
        plain(&mut value, Op::Const(0, ty), ty);
        plain(&mut value, Op::Binary(Binary::NotEqual, ty), Type::Bool);
    }
    value
}

/// The type that computations with a value are made in.
fn promoted(ty: Type) -> Type {
    match ty {
        Type::Int { bits, .. } if bits >= 32 => ty,
        _ => INT,
    }
}

/// The type that two values are compared and computed in.
fn common(left: Type, right: Type) -> Type {
    let (left, right) = (promoted(left), promoted(right));
    match left.bits().cmp(&right.bits()) {
        std::cmp::Ordering::Greater => left,
        std::cmp::Ordering::Less => right,
        std::cmp::Ordering::Equal if left.is_signed() => right,
        std::cmp::Ordering::Equal => left,
    }
}

pub(super) fn unary(operator: &str, value: Value) -> Value {
    if operator == "!" {
        let mut value = truth(value);
        plain(&mut value, Op::Unary(Unary::Not, Type::Bool), Type::Bool);
        return value;
    }
    let ty = promoted(value.ty);
    let mut value = converted(value, ty);
    match operator {
        "-" => plain(&mut value, Op::Unary(Unary::Negate, ty), ty),
        "~" => plain(&mut value, Op::Unary(Unary::Not, ty), ty),
        _ => {}
    }
    value
}

pub(super) fn binary(operator: &str, left: Value, right: Value) -> Value {
    let (op, is_comparison) = match operator {
        "||" | "&&" => {
            let op = if operator == "||" {
                Binary::Or
            } else {
                Binary::And
            };
            return joined(truth(left), truth(right), op, Type::Bool, Type::Bool);
        }
        "==" | "=" => (Binary::Equal, true),
        "!=" => (Binary::NotEqual, true),
        "<" => (Binary::Less, true),
        "<=" => (Binary::LessEqual, true),
        ">" => (Binary::Greater, true),
        ">=" => (Binary::GreaterEqual, true),
        "|" => (Binary::Or, false),
        "^" => (Binary::Xor, false),
        "&" => (Binary::And, false),
        "<<" => (Binary::ShiftLeft, false),
        ">>" => (Binary::ShiftRight, false),
        "+" => (Binary::Add, false),
        "-" => (Binary::Subtract, false),
        "*" => (Binary::Multiply, false),
        "/" => (Binary::Divide, false),
        _ => (Binary::Remainder, false),
    };
    if matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
        let ty = promoted(left.ty);
        return joined(converted(left, ty), right, op, ty, ty);
    }
    let ty = common(left.ty, right.ty);
    let result = if is_comparison { Type::Bool } else { ty };
    joined(converted(left, ty), converted(right, ty), op, ty, result)
}

fn joined(mut left: Value, right: Value, op: Binary, ty: Type, result: Type) -> Value {
    left.ops.extend(right.ops);
    plain(&mut left, Op::Binary(op, ty), result);
    left
}
