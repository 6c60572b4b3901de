//! Floating-point numbers: kept as their bits, compared by them, and otherwise not computed.
//!
//! Only what is made of constants is computed. All else has any value, and that is noted.

use recurva_cir::{Binary as COp, Expr, Float, Int, Scalar, Unary as CUnary};
use recurva_model::{Binary, Type};

use super::Body;
use crate::{NoteKind, cases::Cases, value::Value};

/// A constant.
pub(crate) fn constant(value: f64, ty: Scalar) -> Value {
    match ty {
        Scalar::Float(Float::Single) => {
            Value::constant(u64::from((value as f32).to_bits()), Type::unsigned(32))
        }
        _ => Value::constant(value.to_bits(), Type::unsigned(64)),
    }
}

fn number(value: &Value) -> Option<f64> {
    let bits = value.as_const()?;
    Some(match value.ty().bits() {
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    })
}

impl Body<'_, '_> {
    fn unknown(&mut self, ty: Scalar) -> Value {
        self.note(NoteKind::Float);
        let ty = self.repr(ty);
        self.any(ty)
    }

    pub(super) fn float_unary(&mut self, operator: CUnary, inner: &Expr) -> Cases<Value> {
        let values = self.evaluate_few(inner);
        values.map(|value| {
            let ty = value.ty();
            // The sign is a bit of its own.
            let sign = Value::constant(1 << (ty.bits() - 1), ty);
            match operator {
                CUnary::Negate => value.binary(Binary::Xor, sign),
                _ => self.unknown(inner.ty),
            }
        })
    }

    pub(super) fn float_binary(
        &mut self,
        operator: COp,
        left: &Expr,
        right: &Expr,
    ) -> Cases<Value> {
        let values = self.pair(left, right);
        let ty = left.ty;
        values.map(|(left, right)| {
            if let Some(compared) = compare(operator, &left, &right) {
                return compared;
            }
            let exact = match (number(&left), number(&right)) {
                (Some(left), Some(right)) => computed(operator, left, right, ty),
                _ => None,
            };
            match exact {
                Some(exact) => constant(exact, ty),
                None => self.unknown(ty),
            }
        })
    }

    pub(super) fn float_convert(&mut self, inner: &Expr, to: Scalar) -> Cases<Value> {
        let from = inner.ty;
        let ty = self.repr(to);
        let values = self.evaluate_few(inner);
        values.map(|value| match (from, to) {
            (Scalar::Float(_), Scalar::Bool) => {
                // Neither zero has a bit but the sign.
                let sign = Value::constant(value.ty().mask() >> 1, value.ty());
                value.and(sign).nonzero()
            }
            (Scalar::Float(_), Scalar::Float(_)) if value.ty() == ty => value,
            (Scalar::Float(_), Scalar::Float(_)) => match number(&value) {
                Some(number) => constant(number, to),
                None => self.unknown(to),
            },
            (Scalar::Float(_), _) => match number(&value) {
                Some(number) if !outside(number, ty) => {
                    Value::constant(number.trunc() as i128 as u64, ty)
                }
                _ => self.unknown(to),
            },
            _ => match value.as_number() {
                // A conversion by way of a wider type would round twice.
                Some(number) if number.unsigned_abs() < 1 << 24 => constant(number as f64, to),
                Some(number) if ty.bits() == 64 => constant(number as f64, to),
                Some(number) => {
                    let single = number as f32;
                    Value::constant(u64::from(single.to_bits()), ty)
                }
                None => self.unknown(to),
            },
        })
    }

    pub(super) fn out_of_range(&mut self, inner: &Expr, int: Int) -> Cases<Value> {
        let ty = self.repr(Scalar::Int(int));
        let values = self.evaluate_few(inner);
        values.map(|value| match number(&value) {
            Some(number) => Value::boolean(outside(number, ty)),
            None => self.unknown(Scalar::Bool),
        })
    }
}

/// Whether a number does not fit an integer when cut.
fn outside(number: f64, ty: Type) -> bool {
    let number = number.trunc();
    if !number.is_finite() || number.abs() >= 1e30 {
        return true;
    }
    ty.from_number(number as i128).is_none()
}

fn computed(operator: COp, left: f64, right: f64, ty: Scalar) -> Option<f64> {
    let exact = match operator {
        COp::Add => left + right,
        COp::Subtract => left - right,
        COp::Multiply => left * right,
        COp::Divide => left / right,
        _ => return None,
    };
    // One operation on numbers of 24 bits done with 53 bits and rounded once more is exact.
    Some(match ty {
        Scalar::Float(Float::Single) => f64::from(exact as f32),
        _ => exact,
    })
}

/// A comparison by bits.
fn compare(operator: COp, left: &Value, right: &Value) -> Option<Value> {
    let ty = left.ty();
    let bits = ty.bits();
    let fraction = if bits == 32 { 23 } else { 52 };
    let magnitude_mask = Value::constant(ty.mask() >> 1, ty);
    let infinity = Value::constant((ty.mask() >> 1) & !((1 << fraction) - 1), ty);
    let magnitude = |it: &Value| it.clone().and(magnitude_mask.clone());
    let is_number = |it: &Value| magnitude(it).binary(Binary::LessEqual, infinity.clone());
    let both = is_number(left).and(is_number(right));
    let zero = Value::constant(0, ty);
    let both_zero = magnitude(left)
        .equal(zero.clone())
        .and(magnitude(right).equal(zero));
    let signed = Type::signed(bits);
    let is_negative =
        |it: &Value| (it.clone().convert(signed)).binary(Binary::Less, Value::constant(0, signed));
    let equal = || both_zero.clone().or(left.clone().equal(right.clone()));
    // By sign; of two with the same sign by magnitude, backwards if negative.
    let less = |left: &Value, right: &Value| {
        let (left_sign, right_sign) = (is_negative(left), is_negative(right));
        let up = (left.clone()).binary(Binary::Less, right.clone());
        let down = (left.clone()).binary(Binary::Greater, right.clone());
        let differ = left_sign.clone().and(right_sign.clone().not());
        let positive = left_sign
            .clone()
            .not()
            .and(right_sign.clone().not())
            .and(up);
        let negative = left_sign.and(right_sign).and(down);
        both_zero
            .clone()
            .not()
            .and(differ.or(positive).or(negative))
    };
    Some(match operator {
        COp::Equal => both.and(equal()),
        COp::NotEqual => both.and(equal()).not(),
        COp::Less => both.and(less(left, right)),
        COp::LessEqual => both.and(less(left, right).or(equal())),
        COp::Greater => both.and(less(right, left)),
        COp::GreaterEqual => both.and(less(right, left).or(equal())),
        _ => return None,
    })
}
