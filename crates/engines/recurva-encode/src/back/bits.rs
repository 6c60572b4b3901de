//! Operators on bit vectors.

use recurva_certificate::formula::{BitOperator, Node, Part};
use recurva_model::Type;
use recurva_smt::Op;

use super::{
    Reader,
    numbers::{Number, turn},
};

impl Reader<'_> {
    /// The value of so many bits without a sign.
    pub(super) fn unsigned(&mut self, number: Number, width: u32) -> Option<Number> {
        if turn(width).is_some_and(|turn| number.is_within(0, turn - 1)) {
            return Some(number);
        }
        let ty = Type::unsigned(possible(width)?);
        Some(self.wrapped(ty, number))
    }

    /// The value of so many bits with a sign.
    pub(super) fn signed(&mut self, number: Number, width: u32) -> Option<Number> {
        if turn(width).is_some_and(|turn| number.is_within(-turn / 2, turn / 2 - 1)) {
            return Some(number);
        }
        let ty = Type::signed(possible(width)?);
        Some(self.wrapped(ty, number))
    }

    /// Two numbers of so many bits, compared.
    pub(super) fn compared_bits(
        &mut self,
        op: Op,
        left: Number,
        right: Number,
        width: u32,
    ) -> Option<Part> {
        let is_signed = match op {
            Op::Less | Op::LessEqual => true,
            Op::Equal => self.is_signed_better(left, right, width),
            _ => false,
        };
        let (left, right) = match is_signed {
            true => (self.signed(left, width)?, self.signed(right, width)?),
            false => (self.unsigned(left, width)?, self.unsigned(right, width)?),
        };
        Some(self.compared(op, left, right))
    }

    /// Whether two numbers need fewer wraps to be read with a sign than without.
    fn is_signed_better(&mut self, left: Number, right: Number, width: u32) -> bool {
        let wraps = |read: Option<Number>, given: Number| match read {
            Some(read) if read.part == given.part || read.literal().is_some() => 0,
            Some(_) => 1,
            None => 2,
        };
        let [mut signed, mut unsigned] = [0, 0];
        for number in [left, right] {
            let read = self.signed(number, width);
            signed += wraps(read, number);
            let read = self.unsigned(number, width);
            unsigned += wraps(read, number);
        }
        signed <= unsigned
    }

    /// An operator whose operands have these widths and whose result has that.
    pub(super) fn bits(
        &mut self,
        op: Op,
        operands: &[Number],
        widths: &[u32],
        width: u32,
    ) -> Option<Number> {
        match *operands {
            [one] => self.bits_of_one(op, one, widths[0], width),
            [left, right] => match op {
                Op::Add | Op::Subtract | Op::Multiply => self.modular(op, left, right, width),
                Op::Concat => {
                    let low = self.unsigned(right, widths[1])?;
                    let factor = turn(widths[1])?;
                    let factor = self.literal(factor);
                    let high = self.modular(Op::Multiply, left, factor, width)?;
                    self.modular(Op::Add, high, low, width)
                }
                Op::UnsignedDivide
                | Op::UnsignedRemainder
                | Op::SignedDivide
                | Op::SignedRemainder => self.divided_bits(op, left, right, width),
                Op::ShiftLeft | Op::LogicalShiftRight | Op::ArithmeticShiftRight => {
                    self.shifted(op, left, right, width)
                }
                Op::BitAnd | Op::BitOr | Op::BitXor => self.bitwise(op, left, right, width),
                _ => None,
            },
            _ => None,
        }
    }

    fn bits_of_one(&mut self, op: Op, one: Number, given: u32, width: u32) -> Option<Number> {
        match op {
            Op::BitNot => {
                let minus_one = self.literal(-1);
                self.modular(Op::Subtract, minus_one, one, width)
            }
            Op::Negate => {
                let zero = self.literal(0);
                self.modular(Op::Subtract, zero, one, width)
            }
            // What is the same modulo 2^n is the same modulo less.
            Op::Extract { low: 0, .. } => Some(one),
            Op::Extract { low, .. } => {
                let bits = self.unsigned(one, given)?;
                let divisor = self.literal(turn(low)?);
                Some(self.quotient(bits, divisor))
            }
            Op::ZeroExtend(_) => self.unsigned(one, given),
            Op::SignExtend(_) => self.signed(one, given),
            _ => None,
        }
    }

    /// Arithmetic modulo 2^n. Operands are wrapped first if the result gets too large else.
    fn modular(&mut self, op: Op, left: Number, right: Number, width: u32) -> Option<Number> {
        let apply = |reader: &mut Self, left: Number, right: Number| match op {
            Op::Add => reader.sum(left, right),
            Op::Subtract => reader.difference(left, right),
            _ => reader.product(left, right),
        };
        let result = apply(self, left, right);
        if result.range.is_some() {
            return Some(result);
        }
        let (left, right) = (self.signed(left, width)?, self.signed(right, width)?);
        let result = apply(self, left, right);
        result.range.is_some().then_some(result)
    }

    fn divided_bits(&mut self, op: Op, left: Number, right: Number, width: u32) -> Option<Number> {
        let is_signed = matches!(op, Op::SignedDivide | Op::SignedRemainder);
        let (left, right) = match is_signed {
            true => (self.signed(left, width)?, self.signed(right, width)?),
            false => (self.unsigned(left, width)?, self.unsigned(right, width)?),
        };
        let result = match op {
            Op::UnsignedDivide | Op::SignedDivide => self.quotient(left, right),
            _ => self.remainder(left, right),
        };
        if right.range.is_some_and(|it| it.0 > 0 || it.1 < 0) {
            return Some(result);
        }
        let zero = self.literal(0);
        let of_zero = match op {
            Op::UnsignedDivide => self.literal(turn(width)? - 1),
            Op::SignedDivide => {
                let (one, minus_one) = (self.literal(1), self.literal(-1));
                let is_negative = self.compared(Op::Less, left, zero);
                self.one_of(is_negative, one, minus_one)
            }
            _ => left,
        };
        let is_zero = self.compared(Op::Equal, right, zero);
        Some(self.one_of(is_zero, of_zero, result))
    }

    fn shifted(&mut self, op: Op, left: Number, right: Number, width: u32) -> Option<Number> {
        let amount = self.unsigned(right, width)?;
        if let Some(by) = amount.literal()
            && by < i128::from(width)
            && let Some(factor) = turn(by as u32)
        {
            let factor = self.literal(factor);
            match op {
                Op::ShiftLeft => return self.modular(Op::Multiply, left, factor, width),
                Op::LogicalShiftRight => {
                    let bits = self.unsigned(left, width)?;
                    return Some(self.quotient(bits, factor));
                }
                _ => {}
            }
        }
        let ty = match op {
            Op::ArithmeticShiftRight => Type::signed(possible(width)?),
            _ => Type::unsigned(possible(width)?),
        };
        let operator = match op {
            Op::ShiftLeft => BitOperator::ShiftLeft,
            _ => BitOperator::ShiftRight,
        };
        let part = self.builder.bits(operator, ty, left.part, right.part);
        Some(Number::of_type(part, ty))
    }

    fn bitwise(&mut self, op: Op, left: Number, right: Number, width: u32) -> Option<Number> {
        let bits = possible(width)?;
        let unsigned = Type::unsigned(bits);
        if op == Op::BitAnd {
            for (value, mask) in [(left, right), (right, left)] {
                if let Some(mask) = mask.literal()
                    && let mask = unsigned.wrap(mask as u64)
                    && mask.trailing_ones() + mask.leading_zeros() == 64
                    && mask != 0
                {
                    return Some(self.wrapped(Type::unsigned(mask.trailing_ones() as u8), value));
                }
            }
        }
        let operator = match op {
            Op::BitAnd => BitOperator::And,
            Op::BitOr => BitOperator::Or,
            _ => BitOperator::Xor,
        };
        let has_sign = |number: &Number| number.literal().is_none() && !number.is_not_negative();
        let ty = match has_sign(&left) || has_sign(&right) {
            true => Type::signed(bits),
            false => unsigned,
        };
        let part = self
            .builder
            .intern(Node::Bits(operator, ty, left.part, right.part));
        Some(Number::of_type(part, ty))
    }
}

/// A width that a type can have.
fn possible(width: u32) -> Option<u8> {
    u8::try_from(width).ok().filter(|it| (1..=64).contains(it))
}
