//! Numbers with the range that they are known to be in.

use recurva_certificate::formula::{Arithmetic, Node, Part};
use recurva_model::Type;
use recurva_smt::Op;

use super::Reader;
use crate::encoder::range;

/// A part of a formula that is an integer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Number {
    pub(super) part: Part,
    /// The least and the greatest value, if they are known.
    pub(super) range: Option<(i128, i128)>,
}

/// Ranges beyond this are not followed: the value of a formula has to stay well within 128 bits.
const FAR: i128 = 1 << 126;

/// 2^width, if that is not too large.
pub(super) fn turn(width: u32) -> Option<i128> {
    (width < 126).then(|| 1 << width)
}

impl Number {
    pub(super) fn of_type(part: Part, ty: Type) -> Self {
        let range = Some(range(ty));
        Number { part, range }
    }

    /// Whether its values are known to be in a range.
    pub(super) fn is_within(&self, low: i128, high: i128) -> bool {
        self.range.is_some_and(|it| low <= it.0 && it.1 <= high)
    }

    pub(super) fn is_not_negative(&self) -> bool {
        self.range.is_some_and(|it| it.0 >= 0)
    }

    /// Its value, if there is but one.
    pub(super) fn literal(&self) -> Option<i128> {
        self.range.filter(|it| it.0 == it.1).map(|it| it.0)
    }
}

/// The smallest range with some values, if they are not too far away.
fn around(values: &[Option<i128>]) -> Option<(i128, i128)> {
    let values: Option<Vec<i128>> = values.iter().copied().collect();
    let values = values?;
    let (low, high) = (*values.iter().min()?, *values.iter().max()?);
    (-FAR <= low && high <= FAR).then_some((low, high))
}

impl Reader<'_> {
    pub(super) fn literal(&mut self, value: i128) -> Number {
        Number {
            part: self.builder.int(value),
            range: around(&[Some(value)]),
        }
    }

    /// One of two numbers.
    pub(super) fn one_of(&mut self, condition: Part, then: Number, otherwise: Number) -> Number {
        let range = match (then.range, otherwise.range) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            _ => None,
        };
        let part = (self.builder).if_then_else(condition, then.part, otherwise.part);
        Number { part, range }
    }

    /// A comparison of the integers that numbers are.
    pub(super) fn compared(&mut self, op: Op, left: Number, right: Number) -> Part {
        match op {
            Op::Equal => self.builder.equal(left.part, right.part),
            Op::Less | Op::UnsignedLess => self.builder.less(left.part, right.part),
            _ => self.builder.less_equal(left.part, right.part),
        }
    }

    /// A sum. The sum with what was negated is a difference.
    pub(super) fn sum(&mut self, left: Number, right: Number) -> Number {
        let range = match (left.range, right.range) {
            (Some(a), Some(b)) => around(&[a.0.checked_add(b.0), a.1.checked_add(b.1)]),
            _ => None,
        };
        let part = match (self.opposite(left.part), self.opposite(right.part)) {
            (_, Some(positive)) => self.arithmetic(Arithmetic::Subtract, left.part, positive),
            (Some(positive), _) => self.arithmetic(Arithmetic::Subtract, right.part, positive),
            _ => self.arithmetic(Arithmetic::Add, left.part, right.part),
        };
        Number { part, range }
    }

    /// What a part is the negation of, if that is easily seen.
    fn opposite(&mut self, part: Part) -> Option<Part> {
        let int = |reader: &Self, part: Part| match reader.builder.node(part) {
            Node::Int(value) => Some(value),
            _ => None,
        };
        match self.builder.node(part) {
            Node::Int(value) if value < 0 && value > -FAR => Some(self.builder.int(-value)),
            Node::Arithmetic(Arithmetic::Subtract, left, right) if int(self, left) == Some(0) => {
                Some(right)
            }
            _ => None,
        }
    }

    pub(super) fn difference(&mut self, left: Number, right: Number) -> Number {
        let range = match (left.range, right.range) {
            (Some(a), Some(b)) => around(&[a.0.checked_sub(b.1), a.1.checked_sub(b.0)]),
            _ => None,
        };
        let part = match self.opposite(right.part) {
            Some(positive) => self.arithmetic(Arithmetic::Add, left.part, positive),
            None => self.arithmetic(Arithmetic::Subtract, left.part, right.part),
        };
        Number { part, range }
    }

    pub(super) fn product(&mut self, left: Number, right: Number) -> Number {
        let zero = self.literal(0);
        match (left.literal(), right.literal()) {
            (Some(0), _) | (_, Some(0)) => return zero,
            (Some(-1), None) => return self.difference(zero, right),
            (None, Some(-1)) => return self.difference(zero, left),
            _ => {}
        }
        let range = match (left.range, right.range) {
            (Some(a), Some(b)) => around(&[
                a.0.checked_mul(b.0),
                a.0.checked_mul(b.1),
                a.1.checked_mul(b.0),
                a.1.checked_mul(b.1),
            ]),
            _ => None,
        };
        let part = self.arithmetic(Arithmetic::Multiply, left.part, right.part);
        Number { part, range }
    }

    /// A quotient towards zero, of what is not divided by zero.
    pub(super) fn quotient(&mut self, left: Number, right: Number) -> Number {
        let range = left.range.map(|it| match right.literal() {
            Some(divisor) if divisor > 0 => (it.0 / divisor, it.1 / divisor),
            _ => {
                let far = it.0.abs().max(it.1.abs());
                let is_positive = it.0 >= 0 && right.is_not_negative();
                (if is_positive { 0 } else { -far }, far)
            }
        });
        let part = self.arithmetic(Arithmetic::Divide, left.part, right.part);
        Number { part, range }
    }

    /// A remainder with the sign of the dividend.
    pub(super) fn remainder(&mut self, left: Number, right: Number) -> Number {
        let range = left.range.map(|it| {
            let most = right.range.map_or(FAR, |it| it.0.abs().max(it.1.abs()));
            (it.0.min(0).max(-most), it.1.max(0).min(most))
        });
        let part = self.arithmetic(Arithmetic::Remainder, left.part, right.part);
        Number { part, range }
    }

    fn arithmetic(&mut self, operator: Arithmetic, left: Part, right: Part) -> Part {
        self.builder.arithmetic(operator, left, right)
    }

    /// The value of a type that is the same modulo 2^n.
    pub(super) fn wrapped(&mut self, ty: Type, number: Number) -> Number {
        let (low, high) = range(ty);
        if number.is_within(low, high) {
            return number;
        }
        if let Some(value) = number.literal() {
            return self.literal(ty.to_number(ty.wrap(value as u64)));
        }
        Number::of_type(self.builder.wrap(ty, number.part), ty)
    }
}
