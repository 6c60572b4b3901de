//! Operators on numbers, and conversions.

use recurva_cir::{Binary as Cir, Check, Expr, ExprKind, Int, Origin, Scalar};
use recurva_ctype::{self as ctype, typed::Binary};

use super::{Lower, condition::is_not_zero};
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// An operator on two numbers, after its checks.
    pub(super) fn operate(
        &mut self,
        operator: Binary,
        left: Expr,
        right: Expr,
        origin: Origin,
    ) -> Expr {
        let operator = arithmetic(operator);
        if let Scalar::Int(int) = left.ty {
            match operator {
                Cir::Divide | Cir::Remainder => self.check_division(&left, &right, int, origin),
                Cir::ShiftLeft | Cir::ShiftRight => {
                    self.check_shift(operator, &left, &right, int, origin);
                }
                Cir::Add | Cir::Subtract | Cir::Multiply => {
                    self.check_overflow(operator, &left, &right, int, origin);
                }
                _ => {}
            }
        }
        exprs::binary(operator, left, right)
    }

    fn check_division(&mut self, left: &Expr, right: &Expr, int: Int, origin: Origin) {
        let divisor = exprs::number(right);
        if divisor.is_none_or(|divisor| divisor == 0) {
            self.check(Check::Division, is_not_zero(right.clone()), origin);
        }
        if divisor.is_none_or(|divisor| divisor == -1) {
            self.check_overflow(Cir::Divide, left, right, int, origin);
        }
    }

    fn check_overflow(
        &mut self,
        operator: Cir,
        left: &Expr,
        right: &Expr,
        int: Int,
        origin: Origin,
    ) {
        if !int.is_signed || !self.program.options.has(Check::Overflow) {
            return;
        }
        let fits = exprs::negate(overflows(operator, left.clone(), right.clone()));
        self.check(Check::Overflow, fits, origin);
    }

    /// `-x` has no value only where `0 - x` has none.
    pub(super) fn check_negation(&mut self, value: &Expr, origin: Origin) {
        if let Scalar::Int(int) = value.ty
            && exprs::number(value).is_none()
        {
            self.check_overflow(Cir::Subtract, &exprs::int(0, int), value, int, origin);
        }
    }

    fn check_shift(&mut self, operator: Cir, left: &Expr, amount: &Expr, int: Int, origin: Origin) {
        let Scalar::Int(amount_type) = amount.ty else {
            return;
        };
        let unsigned = Int {
            is_signed: false,
            ..amount_type
        };
        let bits = exprs::int(i128::from(int.bits), unsigned);
        let in_range = match exprs::number(amount) {
            Some(number) => exprs::boolean((0..i128::from(int.bits)).contains(&number)),
            None => {
                let amount = exprs::convert(amount.clone(), Scalar::Int(unsigned));
                exprs::binary(Cir::Less, amount, bits)
            }
        };
        let is_signed_left = operator == Cir::ShiftLeft && int.is_signed;
        if self.program.options.has(Check::Shift) {
            self.check(Check::Shift, in_range.clone(), origin);
            if is_signed_left && exprs::number(left).is_none_or(|number| number < 0) {
                let zero = exprs::int(0, int);
                let is_positive = exprs::binary(Cir::GreaterEqual, left.clone(), zero);
                self.check(Check::Shift, is_positive, origin);
            }
        }
        if is_signed_left && self.program.options.has(Check::Overflow) {
            let fits = exprs::negate(overflows(operator, left.clone(), amount.clone()));
            let fits = match in_range.kind {
                ExprKind::Const(0) => return,
                ExprKind::Const(_) => fits,
                _ => Expr {
                    kind: ExprKind::If(
                        Box::new(in_range),
                        Box::new(fits),
                        Box::new(exprs::boolean(true)),
                    ),
                    ty: Scalar::Bool,
                },
            };
            self.check(Check::Overflow, fits, origin);
        }
    }

    /// A value as a value of a type of the unit, after its check.
    pub(super) fn convert(&mut self, value: Expr, to: ctype::TypeId, origin: Origin) -> Expr {
        if matches!(self.unit.types.get(to), ctype::Type::Bool) {
            return exprs::convert(is_not_zero(value), Scalar::Int(Int::BYTE));
        }
        let Some(to) = self.scalar(to) else {
            return value;
        };
        self.convert_scalar(value, to, origin)
    }

    /// A value as a value of another type, after its check.
    pub(super) fn convert_scalar(&mut self, value: Expr, to: Scalar, origin: Origin) -> Expr {
        let word = self.program.types.word();
        match (value.ty, to) {
            (Scalar::Float(_), Scalar::Int(int)) => {
                if self.program.options.has(Check::Conversion) {
                    let kind = ExprKind::OutOfRange(Box::new(value.clone()), int);
                    self.check(
                        Check::Conversion,
                        exprs::negate(exprs::predicate(kind)),
                        origin,
                    );
                }
                exprs::convert(value, to)
            }
            (Scalar::Pointer, Scalar::Int(_)) | (Scalar::Int(_), Scalar::Pointer) => {
                let number = exprs::convert(value, Scalar::Int(word));
                exprs::convert(number, to)
            }
            _ => exprs::convert(value, to),
        }
    }

    /// Something must hold.
    pub(super) fn check(&mut self, check: Check, condition: Expr, origin: Origin) {
        if matches!(condition.kind, ExprKind::Const(value) if value != 0) {
            return;
        }
        let operation = recurva_cir::Operation::Check(check, condition);
        self.graph.emit(operation, origin);
    }
}

/// Whether the exact result does not fit.
pub(super) fn overflows(operator: Cir, left: Expr, right: Expr) -> Expr {
    exprs::predicate(ExprKind::Overflows(
        operator,
        Box::new(left),
        Box::new(right),
    ))
}

/// An operator of the source that computes.
fn arithmetic(operator: Binary) -> Cir {
    match operator {
        Binary::Add => Cir::Add,
        Binary::Subtract => Cir::Subtract,
        Binary::Multiply => Cir::Multiply,
        Binary::Divide => Cir::Divide,
        Binary::Remainder => Cir::Remainder,
        Binary::ShiftLeft => Cir::ShiftLeft,
        Binary::ShiftRight => Cir::ShiftRight,
        Binary::And => Cir::And,
        Binary::Or => Cir::Or,
        Binary::Xor => Cir::Xor,
        Binary::Equal => Cir::Equal,
        Binary::NotEqual => Cir::NotEqual,
        Binary::Less => Cir::Less,
        Binary::LessEqual => Cir::LessEqual,
        Binary::Greater => Cir::Greater,
        Binary::GreaterEqual => Cir::GreaterEqual,
    }
}
