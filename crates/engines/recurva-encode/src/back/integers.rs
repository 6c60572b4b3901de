//! Operators on integers.

use recurva_model::Type;
use recurva_smt::Op;

use super::{Reader, numbers::Number};

impl Reader<'_> {
    /// An operator on integers.
    pub(super) fn integer(&mut self, op: Op, operands: &[Number]) -> Option<Number> {
        match (op, operands) {
            (Op::Negate, &[one]) => {
                let zero = self.literal(0);
                Some(self.difference(zero, one))
            }
            (Op::Add, &[left, right]) => Some(self.sum(left, right)),
            (Op::Subtract, &[left, right]) => Some(self.difference(left, right)),
            (Op::Multiply, &[left, right]) => Some(self.product(left, right)),
            (Op::IntDivide, &[left, right]) => Some(self.divided(left, right)),
            (Op::IntModulo, &[left, right]) => Some(self.modulo(left, right)),
            _ => None,
        }
    }

    /// A quotient so that the remainder is not negative.
    fn divided(&mut self, left: Number, right: Number) -> Number {
        if left.is_not_negative() {
            return self.quotient(left, right);
        }
        let quotient = self.quotient(left, right);
        let remainder = self.remainder(left, right);
        let zero = self.literal(0);
        let one = self.literal(1);
        let lower = self.difference(quotient, one);
        let corrected = match right.literal() {
            Some(divisor) if divisor > 0 => lower,
            _ => {
                let higher = self.sum(quotient, one);
                let is_positive = self.compared(Op::Less, zero, right);
                self.one_of(is_positive, lower, higher)
            }
        };
        let is_low = self.compared(Op::Less, remainder, zero);
        self.one_of(is_low, corrected, quotient)
    }

    /// A remainder that is not negative.
    fn modulo(&mut self, left: Number, right: Number) -> Number {
        if let Some(modulus) = right.literal()
            && modulus > 1
            && modulus & (modulus - 1) == 0
            && modulus.trailing_zeros() <= 64
        {
            let ty = Type::unsigned(modulus.trailing_zeros() as u8);
            return self.wrapped(ty, left);
        }
        let remainder = self.remainder(left, right);
        if left.is_not_negative() {
            return remainder;
        }
        let zero = self.literal(0);
        let more = self.sum(remainder, right);
        let corrected = match right.literal() {
            Some(divisor) if divisor > 0 => more,
            _ => {
                let less = self.difference(remainder, right);
                let is_positive = self.compared(Op::Less, zero, right);
                self.one_of(is_positive, more, less)
            }
        };
        let is_low = self.compared(Op::Less, remainder, zero);
        self.one_of(is_low, corrected, remainder)
    }
}
