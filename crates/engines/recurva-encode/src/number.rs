//! Operators on numbers, as bits and as integers.

use recurva_model::{Binary, Type, Unary};
use recurva_smt::{Node, Op, Term};

use crate::{Encoder, Numbers, encoder::range};

impl Encoder<'_> {
    pub(crate) fn less_equal(&mut self, left: Term, right: Term) -> Term {
        self.terms.apply(Op::LessEqual, &[left, right])
    }

    fn less(&mut self, left: Term, right: Term) -> Term {
        self.terms.apply(Op::Less, &[left, right])
    }

    /// An operator on one operand of a type.
    pub(crate) fn unary(&mut self, operator: Unary, ty: Type, value: Term) -> Term {
        match (operator, ty, self.numbers) {
            (Unary::Not, Type::Bool, _) => self.terms.not(value),
            // Minus one bit is that bit.
            (Unary::Negate, Type::Bool, _) => value,
            (Unary::Not, _, Numbers::Bits) => self.terms.apply(Op::BitNot, &[value]),
            (Unary::Negate, _, Numbers::Bits) => self.terms.apply(Op::Negate, &[value]),
            (Unary::Not, _, _) => {
                let most = match ty.is_signed() {
                    true => -1,
                    false => range(ty).1,
                };
                let most = self.terms.int(most);
                self.terms.subtract(most, value)
            }
            (Unary::Negate, _, _) => {
                let zero = self.terms.int(0);
                let negated = self.terms.subtract(zero, value);
                self.wrapped_once(ty, negated)
            }
        }
    }

    /// An operator on two operands of a type, the second of a type of its own if it is a shift. Nothing
    /// is said about division by zero: [`Self::divides`] does.
    pub(crate) fn binary(
        &mut self,
        operator: Binary,
        (ty, left): (Type, Term),
        (right_type, right): (Type, Term),
    ) -> Term {
        match operator {
            Binary::Equal => return self.terms.equal(left, right),
            Binary::NotEqual => {
                let equal = self.terms.equal(left, right);
                return self.terms.not(equal);
            }
            _ => {}
        }
        match (ty, operator) {
            (Type::Bool, Binary::And) => return self.terms.and(&[left, right]),
            (Type::Bool, Binary::Or) => return self.terms.or(&[left, right]),
            (Type::Bool, Binary::Implies) => return self.terms.implies(left, right),
            (Type::Bool, Binary::Xor) => {
                let equal = self.terms.equal(left, right);
                return self.terms.not(equal);
            }
            (Type::Bool, _) => {
                // A truth value is a number of one bit.
                let bit = Type::unsigned(1);
                let left = self.convert(Type::Bool, bit, left);
                let (right_type, right) = match right_type {
                    Type::Bool => (bit, self.convert(Type::Bool, bit, right)),
                    _ => (right_type, right),
                };
                let result = self.binary(operator, (bit, left), (right_type, right));
                return match operator.is_comparison() {
                    true => result,
                    false => self.convert(bit, Type::Bool, result),
                };
            }
            _ => {}
        }
        let (right_type, right) = match right_type {
            Type::Bool => {
                let bit = Type::unsigned(1);
                (bit, self.convert(Type::Bool, bit, right))
            }
            _ => (right_type, right),
        };
        match self.numbers {
            Numbers::Bits => self.binary_bits(operator, ty, left, (right_type, right)),
            Numbers::Wrapping | Numbers::Ideal => self.binary_integers(operator, ty, left, right),
        }
    }

    fn binary_bits(
        &mut self,
        operator: Binary,
        ty: Type,
        left: Term,
        (right_type, right): (Type, Term),
    ) -> Term {
        let is_signed = ty.is_signed();
        let [less, less_equal] = match is_signed {
            true => [Op::Less, Op::LessEqual],
            false => [Op::UnsignedLess, Op::UnsignedLessEqual],
        };
        let (op, left, right) = match operator {
            Binary::And => (Op::BitAnd, left, right),
            Binary::Or => (Op::BitOr, left, right),
            Binary::Xor => (Op::BitXor, left, right),
            Binary::Implies => {
                let left = self.terms.apply(Op::BitNot, &[left]);
                (Op::BitOr, left, right)
            }
            Binary::Equal | Binary::NotEqual => (Op::Equal, left, right),
            Binary::Less => (less, left, right),
            Binary::LessEqual => (less_equal, left, right),
            Binary::Greater => (less, right, left),
            Binary::GreaterEqual => (less_equal, right, left),
            Binary::Add => (Op::Add, left, right),
            Binary::Subtract => (Op::Subtract, left, right),
            Binary::Multiply => (Op::Multiply, left, right),
            Binary::Divide if is_signed => (Op::SignedDivide, left, right),
            Binary::Divide => (Op::UnsignedDivide, left, right),
            Binary::Remainder if is_signed => (Op::SignedRemainder, left, right),
            Binary::Remainder => (Op::UnsignedRemainder, left, right),
            Binary::ShiftLeft | Binary::ShiftRight => {
                let amount = self.amount(ty, right_type, right);
                let op = match (operator, is_signed) {
                    (Binary::ShiftLeft, _) => Op::ShiftLeft,
                    (_, true) => Op::ArithmeticShiftRight,
                    (_, false) => Op::LogicalShiftRight,
                };
                (op, left, amount)
            }
        };
        self.terms.apply(op, &[left, right])
    }

    /// An amount of shift, with as many bits as what is shifted. All that is too much is all ones.
    fn amount(&mut self, ty: Type, amount_type: Type, amount: Term) -> Term {
        let (width, given) = (u32::from(ty.bits()), u32::from(amount_type.bits()));
        if given <= width {
            return self.terms.zero_extend(amount, width - given);
        }
        let most = self.terms.bits(ty.mask().into(), given);
        let is_small = self.terms.apply(Op::UnsignedLessEqual, &[amount, most]);
        let low = self.terms.extract(amount, width - 1, 0);
        let full = self.terms.bits(ty.mask().into(), width);
        self.terms.if_then_else(is_small, low, full)
    }

    fn binary_integers(&mut self, operator: Binary, ty: Type, left: Term, right: Term) -> Term {
        match operator {
            Binary::Less => self.less(left, right),
            Binary::LessEqual => self.less_equal(left, right),
            Binary::Greater => self.less(right, left),
            Binary::GreaterEqual => self.less_equal(right, left),
            Binary::Add => {
                let sum = self.terms.add(left, right);
                self.wrapped_once(ty, sum)
            }
            Binary::Subtract => {
                let difference = self.terms.subtract(left, right);
                self.wrapped_once(ty, difference)
            }
            Binary::Multiply => {
                let product = self.terms.multiply(left, right);
                self.wrapped(ty, product)
            }
            Binary::Divide => {
                let quotient = self.quotient(left, right);
                self.wrapped_once(ty, quotient)
            }
            Binary::Remainder => {
                let quotient = self.quotient(left, right);
                let product = self.terms.multiply(quotient, right);
                self.terms.subtract(left, product)
            }
            Binary::ShiftLeft => match self.small(right, ty) {
                Some(amount) => {
                    let factor = self.terms.int(1 << amount);
                    let product = self.terms.multiply(left, factor);
                    self.wrapped(ty, product)
                }
                None => self.any(ty, "shifted"),
            },
            Binary::ShiftRight => match self.small(right, ty) {
                Some(amount) => {
                    let divisor = self.terms.int(1 << amount);
                    self.terms.apply(Op::IntDivide, &[left, divisor])
                }
                None => self.any(ty, "shifted"),
            },
            Binary::And => self.masked(ty, left, right),
            Binary::Or | Binary::Xor | Binary::Implies | Binary::Equal | Binary::NotEqual => {
                self.any(ty, "bits")
            }
        }
    }

    /// A quotient towards zero.
    fn quotient(&mut self, left: Term, right: Term) -> Term {
        // Division of integers rounds so that the remainder is not negative.
        let zero = self.terms.int(0);
        let rounded = self.terms.apply(Op::IntDivide, &[left, right]);
        let negated = self.terms.subtract(zero, left);
        let of_negated = self.terms.apply(Op::IntDivide, &[negated, right]);
        let of_negative = self.terms.subtract(zero, of_negated);
        let is_positive = self.less_equal(zero, left);
        self.terms.if_then_else(is_positive, rounded, of_negative)
    }

    /// A bitwise conjunction, exact with a mask of the lowest bits.
    fn masked(&mut self, ty: Type, left: Term, right: Term) -> Term {
        let number = |encoder: &Self, term: Term| match *encoder.terms.node(term) {
            Node::Int(number) => Some(number),
            _ => None,
        };
        let (value, mask) = match (number(self, left), number(self, right)) {
            (None, Some(mask)) => (left, mask),
            (Some(mask), None) => (right, mask),
            (Some(left), Some(right)) => {
                let bits = ty.wrap(left as u64) & ty.wrap(right as u64);
                return self.constant(bits, ty);
            }
            (None, None) => return self.any(ty, "bits"),
        };
        match mask {
            0 => self.terms.int(0),
            mask if mask > 0 && mask & (mask + 1) == 0 => {
                let modulus = self.terms.int(mask + 1);
                self.terms.apply(Op::IntModulo, &[value, modulus])
            }
            _ => self.any(ty, "bits"),
        }
    }

    /// An amount of shift that is a number less than the width.
    fn small(&self, amount: Term, ty: Type) -> Option<u32> {
        match *self.terms.node(amount) {
            Node::Int(number) if (0..i128::from(ty.bits())).contains(&number) => {
                Some(number as u32)
            }
            _ => None,
        }
    }

    /// A sum, difference or quotient that may be out of its type's range by one turn.
    fn wrapped_once(&mut self, ty: Type, value: Term) -> Term {
        if self.numbers == Numbers::Ideal && ty.is_signed() {
            return value;
        }
        if let Node::Int(number) = *self.terms.node(value) {
            return self.terms.int(ty.to_number(ty.wrap(number as u64)));
        }
        let (low, high) = range(ty);
        let turn = self.terms.int(1 << ty.bits());
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let is_low = self.less(value, low);
        let is_high = self.less(high, value);
        let up = self.terms.add(value, turn);
        let down = self.terms.subtract(value, turn);
        let from_above = self.terms.if_then_else(is_high, down, value);
        self.terms.if_then_else(is_low, up, from_above)
    }

    /// Any integer as a value of a type.
    fn wrapped(&mut self, ty: Type, value: Term) -> Term {
        if self.numbers == Numbers::Ideal && ty.is_signed() {
            return value;
        }
        self.reduced(ty, value)
    }

    /// The value of a type that is the same modulo 2^n.
    fn reduced(&mut self, ty: Type, value: Term) -> Term {
        if let Node::Int(number) = *self.terms.node(value) {
            return self.terms.int(ty.to_number(ty.wrap(number as u64)));
        }
        let (low, _) = range(ty);
        let modulus = self.terms.int(1 << ty.bits());
        if low == 0 {
            return self.terms.apply(Op::IntModulo, &[value, modulus]);
        }
        let low = self.terms.int(low);
        let above = self.terms.subtract(value, low);
        let above = self.terms.apply(Op::IntModulo, &[above, modulus]);
        self.terms.add(above, low)
    }

    /// The bits of a value as a value of another type.
    pub(crate) fn convert(&mut self, from: Type, to: Type, value: Term) -> Term {
        match (from, to, self.numbers) {
            (Type::Bool, Type::Bool, _) => value,
            (Type::Bool, _, _) => {
                let (one, zero) = (self.constant(1, to), self.constant(0, to));
                self.terms.if_then_else(value, one, zero)
            }
            (_, Type::Bool, Numbers::Bits) => {
                let lowest = self.terms.extract(value, 0, 0);
                let one = self.terms.bits(1, 1);
                self.terms.equal(lowest, one)
            }
            (_, Type::Bool, _) => {
                let two = self.terms.int(2);
                let lowest = self.terms.apply(Op::IntModulo, &[value, two]);
                let one = self.terms.int(1);
                self.terms.equal(lowest, one)
            }
            (_, _, Numbers::Bits) => {
                let (given, width) = (u32::from(from.bits()), u32::from(to.bits()));
                match width.checked_sub(given) {
                    Some(more) if from.is_signed() => self.terms.sign_extend(value, more),
                    Some(more) => self.terms.zero_extend(value, more),
                    None => self.terms.extract(value, width - 1, 0),
                }
            }
            _ => {
                let (inner, outer) = (range(from), range(to));
                if outer.0 <= inner.0 && inner.1 <= outer.1 {
                    return value;
                }
                match from.bits() <= to.bits() {
                    // It has another sign, and no more.
                    true => self.turned(to, value),
                    false => self.reduced(to, value),
                }
            }
        }
    }

    /// A value of a type with as many bits or fewer, as one of this type.
    fn turned(&mut self, ty: Type, value: Term) -> Term {
        let (low, high) = range(ty);
        let turn = self.terms.int(1 << ty.bits());
        if low == 0 {
            let zero = self.terms.int(0);
            let is_negative = self.less(value, zero);
            let up = self.terms.add(value, turn);
            return self.terms.if_then_else(is_negative, up, value);
        }
        let high = self.terms.int(high);
        let is_high = self.less(high, value);
        let down = self.terms.subtract(value, turn);
        self.terms.if_then_else(is_high, down, value)
    }

    /// That a divisor is not zero.
    pub(crate) fn divides(&mut self, ty: Type, divisor: Term) -> Term {
        let zero = self.constant(0, ty);
        let is_zero = self.terms.equal(divisor, zero);
        self.terms.not(is_zero)
    }

    /// That an index, read as its bits, is less than a number of elements.
    pub(crate) fn in_range(&mut self, ty: Type, index: Term, len: u64) -> Term {
        match (ty, self.numbers) {
            (Type::Bool, _) => {
                let bit = Type::unsigned(1);
                let index = self.convert(Type::Bool, bit, index);
                self.in_range(bit, index, len)
            }
            _ if ty.mask() < len => self.terms.truth(),
            (_, Numbers::Bits) => {
                let len = self.terms.bits(len.into(), u32::from(ty.bits()));
                self.terms.apply(Op::UnsignedLess, &[index, len])
            }
            (_, Numbers::Wrapping | Numbers::Ideal) => {
                let index = self.as_index(ty, index, len);
                let zero = self.terms.int(0);
                let above = self.less_equal(zero, index);
                let len = self.terms.int(i128::from(len));
                let below = self.less(index, len);
                self.terms.and(&[above, below])
            }
        }
    }

    /// An integer as an index: a negative one stands for the number with the same bits. That is out of
    /// range, and may be left negative, unless the array has more elements than the type has numbers
    /// from 0 on.
    pub(crate) fn as_index(&mut self, ty: Type, index: Term, len: u64) -> Term {
        match ty.is_signed() && range(ty).1 + 1 < i128::from(len) {
            true => self.turned(Type::unsigned(ty.bits()), index),
            false => index,
        }
    }
}
