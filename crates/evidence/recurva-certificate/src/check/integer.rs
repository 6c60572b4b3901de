//! Integers without bound, as bits: each has as many as all its possible values need.

use recurva_model::Type;
use recurva_smt::{Op, Term, Terms};

use crate::formula::Arithmetic;

/// An integer that lies between two numbers, as so many bits that it cannot wrap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Integer {
    /// In two's complement, of [`width`] bits.
    term: Term,
    low: i128,
    high: i128,
}

/// How many bits in two's complement all numbers between two need: 1 to 128.
fn width(low: i128, high: i128) -> u32 {
    let needed = |number: i128| {
        let magnitude = if number < 0 { !number } else { number };
        129 - magnitude.leading_zeros()
    };
    needed(low).max(needed(high))
}

/// The same number in another number of bits; what does not fit is cut off.
fn resized(terms: &mut Terms, term: Term, from: u32, to: u32) -> Term {
    match to >= from {
        true => terms.sign_extend(term, to - from),
        false => terms.extract(term, to - 1, 0),
    }
}

impl Integer {
    pub(super) fn constant(terms: &mut Terms, number: i128) -> Self {
        Integer {
            // What is above the width is cut off.
            term: terms.bits(number as u128, width(number, number)),
            low: number,
            high: number,
        }
    }

    /// The number that the bits of an integer type stand for.
    pub(super) fn of_bits(terms: &mut Terms, ty: Type, bits: Term) -> Self {
        let count = u32::from(ty.bits());
        match ty.is_signed() {
            true => Integer {
                term: bits,
                low: -(1 << (count - 1)),
                high: (1 << (count - 1)) - 1,
            },
            false => Integer {
                term: terms.zero_extend(bits, 1),
                low: 0,
                high: (1 << count) - 1,
            },
        }
    }

    fn width(self) -> u32 {
        width(self.low, self.high)
    }

    /// The number in so many bits.
    fn bits(self, terms: &mut Terms, count: u32) -> Term {
        resized(terms, self.term, self.width(), count)
    }

    /// The lowest bits, those of the value of a type.
    pub(super) fn wrapped_bits(self, terms: &mut Terms, ty: Type) -> Term {
        self.bits(terms, u32::from(ty.bits()))
    }

    /// The value of a type that is the same modulo 2^n.
    pub(super) fn wrapped(self, terms: &mut Terms, ty: Type) -> Self {
        let bits = self.wrapped_bits(terms, ty);
        Integer::of_bits(terms, ty, bits)
    }

    /// Both numbers in as many bits as both need.
    fn aligned(self, terms: &mut Terms, other: Integer) -> [Term; 2] {
        let count = self.width().max(other.width());
        [self.bits(terms, count), other.bits(terms, count)]
    }

    /// A comparison.
    pub(super) fn compare(self, terms: &mut Terms, operator: Op, other: Integer) -> Term {
        let operands = self.aligned(terms, other);
        terms.apply(operator, &operands)
    }

    /// One of two numbers.
    pub(super) fn choice(terms: &mut Terms, condition: Term, then: Self, otherwise: Self) -> Self {
        let [left, right] = then.aligned(terms, otherwise);
        Integer {
            term: terms.if_then_else(condition, left, right),
            low: then.low.min(otherwise.low),
            high: then.high.max(otherwise.high),
        }
    }

    /// Arithmetic; `None` if the result may need more than 128 bits.
    pub(super) fn arithmetic(
        self,
        terms: &mut Terms,
        operator: Arithmetic,
        other: Integer,
    ) -> Option<Self> {
        let (low, high) = self.range(operator, other)?;
        let result = width(low, high);
        let plain = match operator {
            Arithmetic::Add => Some(Op::Add),
            Arithmetic::Subtract => Some(Op::Subtract),
            Arithmetic::Multiply => Some(Op::Multiply),
            Arithmetic::Divide | Arithmetic::Remainder => None,
        };
        let term = match plain {
            // The result is right modulo 2^n, and fits.
            Some(plain) => {
                let operands = [self.bits(terms, result), other.bits(terms, result)];
                terms.apply(plain, &operands)
            }
            None => {
                let count = result.max(self.width()).max(other.width());
                let operands = [self.bits(terms, count), other.bits(terms, count)];
                let operator = match operator {
                    Arithmetic::Divide => Op::SignedDivide,
                    _ => Op::SignedRemainder,
                };
                let quotient = terms.apply(operator, &operands);
                let zero = terms.bits(0, count);
                let is_zero = terms.equal(operands[1], zero);
                let quotient = terms.if_then_else(is_zero, zero, quotient);
                resized(terms, quotient, count, result)
            }
        };
        Some(Integer { term, low, high })
    }

    /// Between which numbers a result lies.
    fn range(self, operator: Arithmetic, other: Integer) -> Option<(i128, i128)> {
        let (a, b) = ((self.low, self.high), (other.low, other.high));
        // No quotient and no remainder is farther from 0 than the dividend.
        let farthest = a.0.unsigned_abs().max(a.1.unsigned_abs());
        match operator {
            Arithmetic::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
            Arithmetic::Subtract => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
            Arithmetic::Multiply => {
                let corners = [
                    a.0.checked_mul(b.0)?,
                    a.0.checked_mul(b.1)?,
                    a.1.checked_mul(b.0)?,
                    a.1.checked_mul(b.1)?,
                ];
                let low = corners.into_iter().min()?;
                Some((low, corners.into_iter().max()?))
            }
            Arithmetic::Divide => {
                let farthest = i128::try_from(farthest).ok()?;
                let is_natural = a.0 >= 0 && b.0 >= 0;
                Some((if is_natural { 0 } else { -farthest }, farthest))
            }
            Arithmetic::Remainder => {
                let divisor = b.0.unsigned_abs().max(b.1.unsigned_abs());
                let most = farthest.min(divisor.saturating_sub(1));
                let most = i128::try_from(most).ok()?;
                let low = if a.0 < 0 { -most } else { 0 };
                Some((low, if a.1 > 0 { most } else { 0 }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_bits_as_needed() {
        assert_eq!(width(0, 0), 1);
        assert_eq!(width(-1, 0), 1);
        assert_eq!(width(0, 1), 2);
        assert_eq!(width(-128, 127), 8);
        assert_eq!(width(-129, 0), 9);
        assert_eq!(width(0, 255), 9);
        assert_eq!(width(i128::MIN, i128::MAX), 128);
    }

    #[test]
    fn arithmetic_is_that_of_numbers() {
        let mut terms = Terms::default();
        let interesting = [
            0,
            1,
            -1,
            2,
            -2,
            7,
            -8,
            127,
            128,
            255,
            -256,
            i128::from(i64::MAX),
            i128::from(i64::MIN),
            i128::from(u64::MAX),
            i128::MAX,
            i128::MIN,
            i128::MIN + 1,
        ];
        let all = [
            Arithmetic::Add,
            Arithmetic::Subtract,
            Arithmetic::Multiply,
            Arithmetic::Divide,
            Arithmetic::Remainder,
        ];
        for left in interesting {
            for right in interesting {
                let a = Integer::constant(&mut terms, left);
                let b = Integer::constant(&mut terms, right);
                for operator in all {
                    let Some(result) = a.arithmetic(&mut terms, operator, b) else {
                        continue;
                    };
                    let expected = operator.apply(left, right).expect("it fits");
                    let wanted = Integer::constant(&mut terms, expected);
                    let is = result.compare(&mut terms, Op::Equal, wanted);
                    assert_eq!(is, terms.truth(), "{left} {operator:?} {right}");
                }
            }
        }
    }
}
