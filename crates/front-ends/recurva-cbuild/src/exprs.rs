//! Making expressions of `cir`: the few simplifications that keep them as short as the source.

use recurva_cir::{Base, Binary, Expr, ExprKind, Int, Part, Place, Scalar, Unary};

/// A `Bool`.
pub(crate) fn boolean(value: bool) -> Expr {
    Expr::constant(u64::from(value), Scalar::Bool)
}

/// A number, cut to the bits of an integer.
pub(crate) fn int(value: i128, ty: Int) -> Expr {
    Expr::constant(cut(value as u64, ty), Scalar::Int(ty))
}

/// The null pointer.
pub(crate) fn null() -> Expr {
    Expr::constant(0, Scalar::Pointer)
}

/// The lowest bits of a number.
pub(crate) fn cut(value: u64, ty: Int) -> u64 {
    match ty.bits {
        64 => value,
        bits => value & ((1 << bits) - 1),
    }
}

/// What a constant of an integer type means.
pub(crate) fn meaning(value: u64, ty: Int) -> i128 {
    let unused = 64 - u32::from(ty.bits);
    match ty.is_signed {
        true => i128::from((value << unused) as i64 >> unused),
        false => i128::from(cut(value, ty)),
    }
}

/// The number that an expression is, if it is a constant integer.
pub(crate) fn number(expr: &Expr) -> Option<i128> {
    match (&expr.kind, expr.ty) {
        (ExprKind::Const(value), Scalar::Int(ty)) => Some(meaning(*value, ty)),
        _ => None,
    }
}

/// An operator with two operands.
pub(crate) fn binary(operator: Binary, left: Expr, right: Expr) -> Expr {
    let ty = match is_comparison(operator) {
        true => Scalar::Bool,
        false => left.ty,
    };
    if let (Some(left), Some(right), Scalar::Int(int_type)) = (number(&left), number(&right), ty) {
        let folded = match operator {
            Binary::Add => Some(left + right),
            Binary::Subtract => Some(left - right),
            Binary::Multiply => left.checked_mul(right),
            _ => None,
        };
        if let Some(value) = folded {
            return int(value, int_type);
        }
    }
    Expr {
        kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
        ty,
    }
}

/// Whether an operator gives a `Bool` of operands that are none.
pub(crate) fn is_comparison(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual
    )
}

/// An operator with one operand.
pub(crate) fn unary(operator: Unary, operand: Expr) -> Expr {
    Expr {
        ty: operand.ty,
        kind: ExprKind::Unary(operator, Box::new(operand)),
    }
}

/// A predicate.
pub(crate) fn predicate(kind: ExprKind) -> Expr {
    Expr {
        kind,
        ty: Scalar::Bool,
    }
}

/// Both of two `Bool`s.
pub(crate) fn and(left: Expr, right: Expr) -> Expr {
    match (&left.kind, &right.kind) {
        (ExprKind::Const(0), _) | (_, ExprKind::Const(1)) => left,
        (ExprKind::Const(1), _) | (_, ExprKind::Const(0)) => right,
        _ => binary(Binary::And, left, right),
    }
}

/// One of two `Bool`s.
pub(crate) fn or(left: Expr, right: Expr) -> Expr {
    match (&left.kind, &right.kind) {
        (ExprKind::Const(1), _) | (_, ExprKind::Const(0)) => left,
        (ExprKind::Const(0), _) | (_, ExprKind::Const(1)) => right,
        _ => binary(Binary::Or, left, right),
    }
}

/// The opposite of a `Bool`.
pub(crate) fn negate(condition: Expr) -> Expr {
    match condition.kind {
        ExprKind::Const(value) => boolean(value == 0),
        ExprKind::Unary(Unary::Not, inner) => *inner,
        ExprKind::Binary(operator, left, right) => {
            // A comparison with something that is no number is false, and so is its opposite.
            let is_ordered = !matches!(left.ty, Scalar::Float(_));
            match opposite(operator).filter(|_| is_ordered) {
                Some(operator) => binary(operator, *left, *right),
                None => unary(Unary::Not, binary(operator, *left, *right)),
            }
        }
        kind => unary(Unary::Not, predicate(kind)),
    }
}

fn opposite(operator: Binary) -> Option<Binary> {
    Some(match operator {
        Binary::Equal => Binary::NotEqual,
        Binary::NotEqual => Binary::Equal,
        Binary::Less => Binary::GreaterEqual,
        Binary::GreaterEqual => Binary::Less,
        Binary::Greater => Binary::LessEqual,
        Binary::LessEqual => Binary::Greater,
        _ => return None,
    })
}

/// An expression as a value of another type.
pub(crate) fn convert(operand: Expr, ty: Scalar) -> Expr {
    if operand.ty == ty {
        return operand;
    }
    if let Some(folded) = fold_conversion(&operand, ty) {
        return folded;
    }
    Expr {
        kind: ExprKind::Convert(Box::new(operand)),
        ty,
    }
}

fn fold_conversion(operand: &Expr, ty: Scalar) -> Option<Expr> {
    let ExprKind::Const(value) = operand.kind else {
        return None;
    };
    match (operand.ty, ty) {
        (_, Scalar::Bool) if operand.ty != Scalar::Bool => Some(boolean(value != 0)),
        (Scalar::Int(from), Scalar::Int(to)) => Some(int(meaning(value, from), to)),
        (Scalar::Bool, Scalar::Int(to)) => Some(int(i128::from(value), to)),
        (Scalar::Int(from), Scalar::Pointer) => {
            Some(Expr::constant(meaning(value, from) as u64, Scalar::Pointer))
        }
        (Scalar::Pointer, Scalar::Int(to)) => Some(int(i128::from(value), to)),
        (Scalar::Int(from), Scalar::Float(_)) => {
            let exact = meaning(value, from);
            (exact.unsigned_abs() < 1 << 24).then_some(Expr {
                kind: ExprKind::Float(exact as f64),
                ty,
            })
        }
        _ => None,
    }
}

/// The address of a place. That of what a pointer points to is the pointer.
pub(crate) fn address(place: Place) -> Expr {
    match place.base {
        Base::Deref(pointer, _) if place.path.is_empty() => *pointer,
        _ => Expr {
            kind: ExprKind::Address(Box::new(place)),
            ty: Scalar::Pointer,
        },
    }
}

/// A pointer further on.
pub(crate) fn offset(pointer: Expr, index: Expr, size: u64) -> Expr {
    if number(&index) == Some(0) {
        return pointer;
    }
    Expr {
        kind: ExprKind::Offset {
            pointer: Box::new(pointer),
            index: Box::new(index),
            size,
        },
        ty: Scalar::Pointer,
    }
}

/// The places that are read to compute an expression.
pub(crate) fn reads(expr: &Expr) -> Vec<&Place> {
    reads_in(Part::Expr(expr))
}

/// The places that are read to know where a place is.
pub(crate) fn reads_of_place(place: &Place) -> Vec<&Place> {
    reads_in(Part::Place(place))
}

fn reads_in(part: Part<'_>) -> Vec<&Place> {
    let mut reads = Vec::new();
    part.visit(&mut |part| {
        if let Part::Expr(expr) = part
            && let ExprKind::Load(place) = &expr.kind
        {
            reads.push(&**place);
        }
    });
    reads
}
