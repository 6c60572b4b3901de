//! Expressions and places, each looked at with what is directly in it.

use super::types::{in_range, same};
use super::{Checked, ensure};
use crate::text::scalar_text;
use crate::{
    Base, Binary, Expr, ExprKind, Function, LocalKind, Module, Place, Scalar, Step, Type, TypeId,
    Unary, Var,
};

pub(super) fn check_expr(module: &Module, function: &Function, expr: &Expr) -> Checked {
    let ty = expr.ty;
    let wants = |holds: bool, what: &str| {
        ensure(holds, || {
            let text = module.expr_text(function, expr);
            format!("`{text}` of type {}: {what}", scalar_text(ty))
        })
    };
    match &expr.kind {
        ExprKind::Const(value) => {
            let bits = match ty {
                Scalar::Bool => 1,
                Scalar::Int(int) => u32::from(int.bits),
                Scalar::Pointer => module.types.pointer_bytes as u32 * 8,
                Scalar::Float(_) => 0,
            };
            let fits = matches!(bits, 1..64) && *value >> bits == 0 || bits == 64;
            wants(fits, "a constant has to fit its type")
        }
        ExprKind::Float(_) => wants(is_float(ty), "it has to be a float's"),
        ExprKind::Load(place) => {
            let found = place_type(module, function, place)?;
            check_bits(module, place)?;
            wants(
                module.types.scalar(found) == Some(ty),
                "the place has another type",
            )
        }
        ExprKind::Address(place) => {
            place_type(module, function, place)?;
            wants(place.bits.is_none(), "a bit-field has no address")?;
            if let Base::Var(Var::Local(local)) = place.base {
                let kind = function.locals[local.0 as usize].kind;
                wants(kind == LocalKind::User, "a temporary has no address")?;
            }
            wants(ty == Scalar::Pointer, "an address is a pointer")
        }
        ExprKind::Function(id) => {
            let is_function = (id.0 as usize) < module.functions.len();
            wants(is_function, "there is no such function")?;
            wants(ty == Scalar::Pointer, "an address is a pointer")
        }
        ExprKind::Unary(operator, inner) => {
            let fits = match operator {
                Unary::Negate => is_int(inner.ty) || is_float(inner.ty),
                Unary::Not => is_int(inner.ty) || inner.ty == Scalar::Bool,
                Unary::LeadingZeros
                | Unary::TrailingZeros
                | Unary::CountOnes
                | Unary::SwapBytes => is_int(inner.ty),
            };
            wants(fits, "the operand has the wrong type")?;
            wants(ty == inner.ty, "the operand has another type")
        }
        ExprKind::Binary(operator, left, right) => {
            let result = binary_type(*operator, left.ty, right.ty);
            wants(result == Some(ty), "the operands' types do not fit")
        }
        ExprKind::Convert(inner) => {
            let is_wrong = is_float(inner.ty) && ty == Scalar::Pointer
                || inner.ty == Scalar::Pointer && is_float(ty);
            wants(!is_wrong, "no float becomes a pointer, and none a float")
        }
        ExprKind::Offset { pointer, index, .. } => {
            let fits = pointer.ty == Scalar::Pointer && is_int(index.ty) && ty == Scalar::Pointer;
            wants(fits, "it takes a pointer and an integer")
        }
        ExprKind::Distance { left, right, size } => {
            let are_pointers = left.ty == Scalar::Pointer && right.ty == Scalar::Pointer;
            wants(
                are_pointers && is_int(ty) && *size > 0,
                "it takes two pointers",
            )
        }
        ExprKind::If(condition, yes, no) => {
            wants(
                condition.ty == Scalar::Bool,
                "the condition is no truth value",
            )?;
            wants(
                yes.ty == ty && no.ty == ty,
                "the two values have other types",
            )
        }
        ExprKind::Overflows(operator, left, right) => {
            let fits = match operator {
                Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => {
                    left.ty == right.ty
                }
                Binary::ShiftLeft => is_int(right.ty),
                _ => false,
            };
            let fits = fits && is_int(left.ty) && ty == Scalar::Bool;
            wants(fits, "it takes an operator and two integers")
        }
        ExprKind::OutOfRange(inner, _) => {
            wants(is_float(inner.ty) && ty == Scalar::Bool, "it takes a float")
        }
        ExprKind::IsValid(pointer, _)
        | ExprKind::IsAlive(pointer)
        | ExprKind::IsFreeable(pointer)
        | ExprKind::IsFunction(pointer) => wants(
            pointer.ty == Scalar::Pointer && ty == Scalar::Bool,
            "it takes a pointer and is a truth value",
        ),
        ExprKind::IsInitialised(place) => {
            place_type(module, function, place)?;
            check_bits(module, place)?;
            wants(ty == Scalar::Bool, "it is a truth value")
        }
    }
}

fn is_int(ty: Scalar) -> bool {
    matches!(ty, Scalar::Int(_))
}

fn is_float(ty: Scalar) -> bool {
    matches!(ty, Scalar::Float(_))
}

/// The type of an operator's result; `None` if the operands do not fit it.
fn binary_type(operator: Binary, left: Scalar, right: Scalar) -> Option<Scalar> {
    let is_one_type = left == right;
    let (fits, ty) = match operator {
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => {
            (is_one_type && (is_int(left) || is_float(left)), left)
        }
        Binary::Remainder => (is_one_type && is_int(left), left),
        Binary::ShiftLeft | Binary::ShiftRight => (is_int(left) && is_int(right), left),
        Binary::And | Binary::Or | Binary::Xor => {
            (is_one_type && (is_int(left) || left == Scalar::Bool), left)
        }
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => (is_one_type, Scalar::Bool),
    };
    fits.then_some(ty)
}

/// Checks that a place of which the value counts is not just the first byte of a bit-field.
pub(super) fn check_bits(module: &Module, place: &Place) -> Checked {
    let Some(Step::Field(record, index)) = place.path.last() else {
        return Ok(());
    };
    let field = &module.types.record(*record).fields[*index as usize];
    ensure(place.bits == field.bits, || {
        format!("bit-field `{}` is used without its bits", field.name)
    })
}

/// Checks a place without the expressions in it, and tells its type. The address of a bit-field is
/// that of its first byte: such a place has no bits.
pub(super) fn place_type(
    module: &Module,
    function: &Function,
    place: &Place,
) -> Result<TypeId, String> {
    let types = &module.types;
    let wants = |holds: bool, what: &str| {
        ensure(holds, || {
            format!("`{}`: {what}", module.place_text(function, place))
        })
    };
    in_range(types, place.ty)?;
    let mut ty = match &place.base {
        Base::Var(Var::Local(id)) => match function.locals.get(id.0 as usize) {
            Some(local) => local.ty,
            None => return Err(format!("there is no variable {} here", id.0)),
        },
        Base::Var(Var::Global(id)) => match module.globals.get(id.0 as usize) {
            Some(global) => global.ty,
            None => return Err(format!("there is no global {}", id.0)),
        },
        Base::Deref(pointer, ty) => {
            in_range(types, *ty)?;
            wants(pointer.ty == Scalar::Pointer, "only a pointer points")?;
            *ty
        }
    };
    let mut bits = None;
    for step in &place.path {
        wants(bits.is_none(), "nothing is in a bit-field")?;
        match (step, types.get(ty)) {
            (Step::Field(record, index), Type::Record(found)) if record == found => {
                let fields = &types.record(*record).fields;
                let Some(field) = fields.get(*index as usize) else {
                    return Err(format!("there is no field {index}"));
                };
                (ty, bits) = (field.ty, field.bits);
            }
            (Step::Index(index), Type::Array(element, _)) => {
                wants(is_int(index.ty), "an index is an integer")?;
                ty = *element;
            }
            _ => wants(false, "a step does not fit what is there")?,
        }
    }
    let has_bits = place.bits == bits || place.bits.is_none();
    wants(has_bits, "its bits are not those of the field")?;
    wants(same(types, ty, place.ty), "it has another type")?;
    Ok(place.ty)
}
