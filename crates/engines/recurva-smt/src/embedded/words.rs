//! Arithmetic on words of literals, the lowest bit first.

use batsat::Lit;

use super::gates::Gates;

/// Which way a shift goes, and what comes in at the other end.
#[derive(Clone, Copy)]
pub(super) enum Shift {
    Left,
    Right,
    RightWithSign,
}

impl Gates {
    pub(super) fn number(&self, bits: u128, width: usize) -> Vec<Lit> {
        (0..width)
            .map(|place| self.constant(bits >> place & 1 == 1))
            .collect()
    }

    pub(super) fn each(
        &mut self,
        left: &[Lit],
        right: &[Lit],
        gate: impl Fn(&mut Self, Lit, Lit) -> Lit,
    ) -> Vec<Lit> {
        left.iter()
            .zip(right)
            .map(|(&one, &other)| gate(self, one, other))
            .collect()
    }

    pub(super) fn choose(&mut self, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Vec<Lit> {
        self.each(then, otherwise, |gates, then, otherwise| {
            gates.if_then_else(condition, then, otherwise)
        })
    }

    pub(super) fn equal(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        let same = self.each(left, right, |gates, one, other| !gates.xor(one, other));
        self.all(&same)
    }

    /// The sum, and what is carried out of it.
    fn sum_and_carry(&mut self, left: &[Lit], right: &[Lit], carry: Lit) -> (Vec<Lit>, Lit) {
        let mut carry = carry;
        let mut sum = Vec::with_capacity(left.len());
        for (&one, &other) in left.iter().zip(right) {
            let half = self.xor(one, other);
            sum.push(self.xor(half, carry));
            carry = self.majority(one, other, carry);
        }
        (sum, carry)
    }

    pub(super) fn add(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        let carry = self.constant(false);
        self.sum_and_carry(left, right, carry).0
    }

    pub(super) fn subtract(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        self.subtract_and_compare(left, right).0
    }

    /// The difference, and whether the first is at least the second.
    fn subtract_and_compare(&mut self, left: &[Lit], right: &[Lit]) -> (Vec<Lit>, Lit) {
        let right: Vec<Lit> = right.iter().map(|&it| !it).collect();
        let carry = self.constant(true);
        self.sum_and_carry(left, &right, carry)
    }

    pub(super) fn negate(&mut self, word: &[Lit]) -> Vec<Lit> {
        let zero = self.number(0, word.len());
        self.subtract(&zero, word)
    }

    pub(super) fn less(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        let mut less = self.constant(false);
        for (&one, &other) in left.iter().zip(right) {
            less = self.majority(!one, other, less);
        }
        less
    }

    pub(super) fn signed_less(&mut self, left: &[Lit], right: &[Lit]) -> Lit {
        // The sign counts the other way round.
        let turned = |word: &[Lit]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = !*sign;
            }
            word
        };
        self.less(&turned(left), &turned(right))
    }

    pub(super) fn multiply(&mut self, left: &[Lit], right: &[Lit]) -> Vec<Lit> {
        let width = left.len();
        // A bit of the second that is 0 costs nothing.
        let zeros = |gates: &Self, word: &[Lit]| {
            let is_zero = |it: &&Lit| gates.known(**it) == Some(false);
            word.iter().filter(is_zero).count()
        };
        let (left, right) = match zeros(self, left) > zeros(self, right) {
            true => (right, left),
            false => (left, right),
        };
        let mut product = self.number(0, width);
        for (place, &bit) in right.iter().enumerate() {
            if self.known(bit) == Some(false) {
                continue;
            }
            let row: Vec<Lit> = left[..width - place]
                .iter()
                .map(|&it| self.and(it, bit))
                .collect();
            let high = self.add(&product[place..], &row);
            product.truncate(place);
            product.extend(high);
        }
        product
    }

    /// Quotient and remainder: all ones and the dividend, if the divisor is 0.
    pub(super) fn divide(&mut self, left: &[Lit], right: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let width = left.len();
        let mut quotient = self.number(0, width);
        let mut rest = self.number(0, width);
        let mut divisor = right.to_vec();
        divisor.push(self.constant(false));
        for place in (0..width).rev() {
            let mut shifted = vec![left[place]];
            shifted.extend(&rest);
            let (difference, fits) = self.subtract_and_compare(&shifted, &divisor);
            quotient[place] = fits;
            rest = self.choose(fits, &difference[..width], &shifted[..width]);
        }
        (quotient, rest)
    }

    pub(super) fn signed_divide(&mut self, left: &[Lit], right: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let (left_sign, right_sign) = (sign(left), sign(right));
        let (a, b) = (self.magnitude(left), self.magnitude(right));
        let (quotient, rest) = self.divide(&a, &b);
        let differ = self.xor(left_sign, right_sign);
        let quotient = self.negate_if(differ, &quotient);
        let rest = self.negate_if(left_sign, &rest);
        (quotient, rest)
    }

    fn magnitude(&mut self, word: &[Lit]) -> Vec<Lit> {
        self.negate_if(sign(word), word)
    }

    fn negate_if(&mut self, condition: Lit, word: &[Lit]) -> Vec<Lit> {
        let negated = self.negate(word);
        self.choose(condition, &negated, word)
    }

    pub(super) fn shift(&mut self, shift: Shift, word: &[Lit], by: &[Lit]) -> Vec<Lit> {
        let width = word.len();
        let fill = match shift {
            Shift::RightWithSign => sign(word),
            _ => self.constant(false),
        };
        let mut word = word.to_vec();
        let mut is_far = self.constant(false);
        for (place, &bit) in by.iter().enumerate() {
            let distance = 1usize.checked_shl(place as u32).unwrap_or(width);
            // The distances before this one are less than the width.
            if place >= usize::BITS as usize || distance >= width {
                is_far = self.or(is_far, bit);
                continue;
            }
            let moved: Vec<Lit> = (0..width)
                .map(|to| {
                    let from = match shift {
                        Shift::Left => to.checked_sub(distance),
                        _ => Some(to + distance).filter(|&it| it < width),
                    };
                    from.map_or(fill, |from| word[from])
                })
                .collect();
            word = self.choose(bit, &moved, &word);
        }
        let empty = vec![fill; width];
        self.choose(is_far, &empty, &word)
    }
}

/// The highest bit.
fn sign(word: &[Lit]) -> Lit {
    word[word.len() - 1]
}
