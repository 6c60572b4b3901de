//! Arithmetic, and parts of words, as they are made. Sums have their number at the end, outside.

use super::{Node, Op, Term, Terms, fold};

impl Terms {
    pub(super) fn extracted(&mut self, term: Term, high: u32, low: u32) -> Option<Term> {
        let width = self.width(term)?;
        if low == 0 && high + 1 == width {
            return Some(term);
        }
        let Node::Apply(op, of) = self.node(term) else {
            return None;
        };
        let (op, inner) = (*op, of[0]);
        let second = of.get(1).copied();
        let inner_width = self.width(inner);
        match op {
            Op::Add | Op::Subtract | Op::Multiply | Op::Negate if low == 0 => {
                self.narrowed_sum(term, high + 1)
            }
            Op::Extract { low: base, .. } => Some(self.extract(inner, base + high, base + low)),
            Op::ZeroExtend(_) | Op::SignExtend(_) if high < inner_width? => {
                Some(self.extract(inner, high, low))
            }
            Op::ZeroExtend(_) if low >= inner_width? => Some(self.bits(0, high - low + 1)),
            Op::ZeroExtend(_) => {
                let top = inner_width? - 1;
                let kept = self.extract(inner, top, low);
                Some(self.zero_extend(kept, high - top))
            }
            Op::Concat => {
                let below = second?;
                let cut = self.width(below)?;
                match () {
                    () if high < cut => Some(self.extract(below, high, low)),
                    () if low >= cut => Some(self.extract(inner, high - cut, low - cut)),
                    () => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn zero_extended(&mut self, term: Term, by: u32) -> Option<Term> {
        if by == 0 {
            return Some(term);
        }
        match *self.node(term) {
            Node::Apply(Op::ZeroExtend(more), ref of) => {
                let inner = of[0];
                Some(self.zero_extend(inner, by + more))
            }
            _ => None,
        }
    }

    pub(super) fn sign_extended(&mut self, term: Term, by: u32) -> Option<Term> {
        if by == 0 {
            return Some(term);
        }
        match *self.node(term) {
            Node::Apply(Op::SignExtend(more), ref of) => {
                let inner = of[0];
                Some(self.sign_extend(inner, by + more))
            }
            // Its highest bit is 0.
            Node::Apply(Op::ZeroExtend(more), ref of) => {
                let inner = of[0];
                Some(self.zero_extend(inner, by + more))
            }
            _ => None,
        }
    }

    pub(super) fn concatenated(&mut self, high: Term, low: Term) -> Option<Term> {
        if let Node::Bits(0, width) = *self.node(high) {
            return Some(self.zero_extend(low, width));
        }
        match (self.node(high), self.node(low)) {
            // Two pieces that lie beside each other.
            (
                &Node::Apply(
                    Op::Extract {
                        high: top,
                        low: cut,
                    },
                    ref of,
                ),
                &Node::Apply(Op::Extract { high: below, low }, ref same),
            ) if of == same && cut == below + 1 => {
                let whole = of[0];
                Some(self.extract(whole, top, low))
            }
            _ => None,
        }
    }

    pub(super) fn arithmetic(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let (a, b) = (self.is_literal(left), self.is_literal(right));
        let is_commutative = matches!(
            op,
            Op::Add | Op::Multiply | Op::BitAnd | Op::BitOr | Op::BitXor
        );
        // Numbers stand on the right.
        if is_commutative && !b && (a || left > right) {
            return Some(self.apply(op, &[right, left]));
        }
        if left == right {
            match op {
                Op::BitAnd | Op::BitOr => return Some(left),
                Op::BitXor | Op::Subtract => return Some(self.zero_like(left)),
                _ => {}
            }
        }
        if b && let Some(term) = self.with_number(op, left, right) {
            return Some(term);
        }
        match op {
            Op::Add => self.sum(left, right),
            Op::Subtract => self.difference(left, right),
            Op::Multiply if b => {
                let (inner, factor) = self.with_number_at_end(Op::Multiply, left)?;
                let factor = self.folded_pair(Op::Multiply, factor, right)?;
                Some(self.multiply(inner, factor))
            }
            _ => None,
        }
    }

    /// Neutral and absorbing numbers on the right.
    fn with_number(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let (is_zero, is_one, is_full) = match *self.node(right) {
            // One bit: 1 is as well -1, by which a division that has a sign does not do nothing.
            Node::Bits(bits, width) => (bits == 0, bits == 1, bits == fold::mask(width)),
            Node::Int(number) => (number == 0, number == 1, false),
            _ => return None,
        };
        let is_bit = self.width(right) == Some(1);
        match op {
            Op::Add
            | Op::Subtract
            | Op::BitOr
            | Op::BitXor
            | Op::ShiftLeft
            | Op::LogicalShiftRight
            | Op::ArithmeticShiftRight
                if is_zero =>
            {
                Some(left)
            }
            Op::Multiply | Op::BitAnd if is_zero => Some(right),
            Op::Multiply | Op::UnsignedDivide | Op::IntDivide if is_one => Some(left),
            Op::SignedDivide if is_one && !is_bit => Some(left),
            Op::UnsignedRemainder | Op::IntModulo if is_one => Some(self.zero_like(left)),
            Op::BitAnd if is_full => Some(left),
            Op::BitOr if is_full => Some(right),
            Op::BitXor if is_full => Some(self.apply(Op::BitNot, &[left])),
            _ => None,
        }
    }

    fn sum(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Some((inner, number)) = self.with_number_at_end(Op::Add, left) {
            if self.is_literal(right) {
                let number = self.folded_pair(Op::Add, number, right)?;
                return Some(self.add(inner, number));
            }
            let sum = self.add(inner, right);
            return Some(self.add(sum, number));
        }
        if let Some((inner, number)) = self.with_number_at_end(Op::Add, right) {
            let sum = self.add(left, inner);
            return Some(self.add(sum, number));
        }
        // (a - b) + b
        let undone = |terms: &Self, one: Term, other: Term| match terms.node(one) {
            Node::Apply(Op::Subtract, of) if of[1] == other => Some(of[0]),
            _ => None,
        };
        undone(self, left, right).or_else(|| undone(self, right, left))
    }

    fn difference(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Some(opposite) = self.negated_number(right) {
            return Some(self.add(left, opposite));
        }
        if let Some((inner, number)) = self.with_number_at_end(Op::Add, left) {
            let rest = self.subtract(inner, right);
            return Some(self.add(rest, number));
        }
        if let Some((inner, number)) = self.with_number_at_end(Op::Add, right) {
            let opposite = self.negated_number(number)?;
            let rest = self.subtract(left, inner);
            return Some(self.add(rest, opposite));
        }
        match self.node(left) {
            Node::Apply(Op::Add, of) if of[0] == right => Some(of[1]),
            Node::Apply(Op::Add, of) if of[1] == right => Some(of[0]),
            _ => None,
        }
    }

    /// `x` and the number, of a term that is `x` with a number.
    pub(super) fn with_number_at_end(&self, op: Op, term: Term) -> Option<(Term, Term)> {
        match self.node(term) {
            Node::Apply(inner, of) if *inner == op && self.is_literal(of[1]) => {
                Some((of[0], of[1]))
            }
            _ => None,
        }
    }

    /// An operator on two numbers, if it has a value.
    pub(super) fn folded_pair(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let term = self.apply(op, &[left, right]);
        self.is_literal(term).then_some(term)
    }

    pub(super) fn negated_number(&mut self, term: Term) -> Option<Term> {
        if !self.is_literal(term) {
            return None;
        }
        let term = self.apply(Op::Negate, &[term]);
        self.is_literal(term).then_some(term)
    }

    fn zero_like(&mut self, term: Term) -> Term {
        match self.width(term) {
            Some(width) => self.bits(0, width),
            None => self.int(0),
        }
    }
}
