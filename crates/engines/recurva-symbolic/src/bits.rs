//! Values as vectors of decision diagrams, least significant bit first, and arithmetic on
//! them: the circuits of a textbook.

use recurva_model::Type;

use crate::space::{Bdd, Res, Space};

/// The bits of a value, least significant first.
pub(crate) type Bits = Vec<Bdd>;

impl Space {
    /// A constant of a type.
    pub(crate) fn number(&self, value: u64, width: u8) -> Bits {
        (0..width)
            .map(|bit| self.constant(value.checked_shr(bit.into()).unwrap_or(0) & 1 == 1))
            .collect()
    }

    /// The bits as a value of another width, filled up with `fill`.
    pub(crate) fn resize(&self, bits: &[Bdd], width: u8, fill: &Bdd) -> Bits {
        let mut bits = bits.to_vec();
        bits.resize(width.into(), fill.clone());
        bits
    }

    /// A value of one type converted to another, as [`recurva_model::convert`] does.
    pub(crate) fn convert(&self, bits: &[Bdd], from: Type, to: Type) -> Bits {
        let fill = match bits.last() {
            Some(sign) if from.is_signed() => sign.clone(),
            _ => self.falsity(),
        };
        self.resize(bits, to.bits(), &fill)
    }

    /// One of two values.
    pub(crate) fn select(&self, condition: &Bdd, then: &[Bdd], otherwise: &[Bdd]) -> Res<Bits> {
        then.iter()
            .zip(otherwise)
            .map(|(then, otherwise)| self.ite(condition, then, otherwise))
            .collect()
    }

    /// An operator on each pair of bits.
    pub(crate) fn bitwise(
        &self,
        left: &[Bdd],
        right: &[Bdd],
        operator: impl Fn(&Bdd, &Bdd) -> Res<Bdd>,
    ) -> Res<Bits> {
        left.iter()
            .zip(right)
            .map(|(left, right)| operator(left, right))
            .collect()
    }

    /// All bits flipped.
    pub(crate) fn complement(&self, bits: &[Bdd]) -> Res<Bits> {
        bits.iter().map(|bit| self.not(bit)).collect()
    }

    /// Left plus right plus a carry, modulo 2^n.
    pub(crate) fn add(&self, left: &[Bdd], right: &[Bdd], carry: bool) -> Res<Bits> {
        let mut carry = self.constant(carry);
        let mut sum = Vec::with_capacity(left.len());
        for (a, b) in left.iter().zip(right) {
            let half = self.xor(a, b)?;
            sum.push(self.xor(&half, &carry)?);
            carry = self.ite(&half, &carry, a)?;
        }
        Ok(sum)
    }

    /// Left minus right, modulo 2^n.
    pub(crate) fn subtract(&self, left: &[Bdd], right: &[Bdd]) -> Res<Bits> {
        self.add(left, &self.complement(right)?, true)
    }

    /// Minus a value, modulo 2^n.
    pub(crate) fn negate(&self, bits: &[Bdd]) -> Res<Bits> {
        self.add(
            &self.number(0, bits.len() as u8),
            &self.complement(bits)?,
            true,
        )
    }

    /// The product modulo 2^n.
    pub(crate) fn multiply(&self, left: &[Bdd], right: &[Bdd]) -> Res<Bits> {
        let width = left.len();
        let mut product = self.number(0, width as u8);
        for (shift, bit) in right.iter().enumerate() {
            if self.is_false(bit) {
                continue;
            }
            let masked: Bits = left[..width - shift]
                .iter()
                .map(|a| self.and(a, bit))
                .collect::<Res<_>>()?;
            let upper = self.add(&product[shift..], &masked, false)?;
            product.splice(shift.., upper);
        }
        Ok(product)
    }

    /// Quotient and remainder of unsigned values; of no meaning where the divisor is zero.
    pub(crate) fn divide(&self, left: &[Bdd], right: &[Bdd]) -> Res<(Bits, Bits)> {
        let width = left.len() as u8;
        // One more bit, since the remainder is doubled before the divisor is taken off.
        let wide = self.resize(right, width + 1, &self.falsity());
        let mut remainder = self.number(0, width + 1);
        let mut quotient = self.number(0, width);
        for bit in (0..left.len()).rev() {
            remainder.pop();
            remainder.insert(0, left[bit].clone());
            let fits = self.not(&self.less(&remainder, &wide)?)?;
            let reduced = self.subtract(&remainder, &wide)?;
            remainder = self.select(&fits, &reduced, &remainder)?;
            quotient[bit] = fits;
        }
        remainder.truncate(width.into());
        Ok((quotient, remainder))
    }

    /// Quotient towards zero and remainder with the sign of the dividend.
    pub(crate) fn divide_signed(&self, left: &[Bdd], right: &[Bdd]) -> Res<(Bits, Bits)> {
        let magnitude = |bits: &[Bdd]| -> Res<(Bdd, Bits)> {
            let sign = bits.last().cloned().unwrap_or_else(|| self.falsity());
            let value = self.select(&sign, &self.negate(bits)?, bits)?;
            Ok((sign, value))
        };
        let ((left_sign, left), (right_sign, right)) = (magnitude(left)?, magnitude(right)?);
        let (quotient, remainder) = self.divide(&left, &right)?;
        let differ = self.xor(&left_sign, &right_sign)?;
        let quotient = self.select(&differ, &self.negate(&quotient)?, &quotient)?;
        let remainder = self.select(&left_sign, &self.negate(&remainder)?, &remainder)?;
        Ok((quotient, remainder))
    }

    /// Whether two values are the same.
    pub(crate) fn equal(&self, left: &[Bdd], right: &[Bdd]) -> Res<Bdd> {
        let mut pairs = left.iter().zip(right);
        pairs.try_fold(self.truth(), |all, (a, b)| {
            self.and(&all, &self.equiv(a, b)?)
        })
    }

    /// Whether the left value is the smaller one, both unsigned.
    pub(crate) fn less(&self, left: &[Bdd], right: &[Bdd]) -> Res<Bdd> {
        let mut pairs = left.iter().zip(right);
        pairs.try_fold(self.falsity(), |lower, (a, b)| {
            self.ite(&self.xor(a, b)?, b, &lower)
        })
    }

    /// Whether the left value is the smaller one, of a type.
    pub(crate) fn less_of(&self, ty: Type, left: &[Bdd], right: &[Bdd]) -> Res<Bdd> {
        if !ty.is_signed() {
            return self.less(left, right);
        }
        // With the signs flipped the order is that of unsigned values.
        let flip = |bits: &[Bdd]| -> Res<Bits> {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = self.not(sign)?;
            }
            Ok(bits)
        };
        self.less(&flip(left)?, &flip(right)?)
    }

    /// Whether an unsigned value is a given number.
    pub(crate) fn is_number(&self, bits: &[Bdd], number: u64) -> Res<Bdd> {
        if bits.len() < 64 && number >> bits.len() != 0 {
            return Ok(self.falsity());
        }
        self.equal(bits, &self.number(number, bits.len() as u8))
    }

    /// A value shifted to the left, zeros coming in; an amount of n or more gives 0.
    pub(crate) fn shift_left(&self, bits: &[Bdd], amount: &[Bdd]) -> Res<Bits> {
        let reversed: Bits = bits.iter().rev().cloned().collect();
        let mut shifted = self.shift_right(&reversed, amount, &self.falsity())?;
        shifted.reverse();
        Ok(shifted)
    }

    /// A value shifted to the right, `fill` coming in.
    pub(crate) fn shift_right(&self, bits: &[Bdd], amount: &[Bdd], fill: &Bdd) -> Res<Bits> {
        let mut bits = bits.to_vec();
        for (stage, choose) in amount.iter().enumerate() {
            // A stage that shifts by n or more shifts everything out.
            let distance = 1usize.checked_shl(stage as u32).unwrap_or(usize::MAX);
            let distance = distance.min(bits.len());
            let mut shifted = bits[distance..].to_vec();
            shifted.resize(bits.len(), fill.clone());
            bits = self.select(choose, &shifted, &bits)?;
        }
        Ok(bits)
    }
}
