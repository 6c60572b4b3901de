//! Words as sums of products. Modulo 2^n these form a ring, so that `n + n * (m - 1)` is `n * m`, and
//! the low bits of a sum or a product are the sum or the product of the low bits.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Node, Op, Term, Terms, fold};

/// So many operators are looked at, and sums have so many summands of so many factors at most: what is
/// larger is left to the solver.
const PARTS: usize = 64;
const SUMMANDS: usize = 32;
const FACTORS: usize = 4;

/// What the low bits of a word are made of.
#[derive(Clone, Copy)]
enum Shape {
    Sum(Term, Term),
    Difference(Term, Term),
    Product(Term, Term),
    Negated(Term),
    /// The low bits of another word.
    Low(Term),
    Other,
}

/// Products, their factors in order, each with the number of times it is there.
type Sum = BTreeMap<Vec<Term>, u128>;

impl Terms {
    /// The lowest bits of a sum or a product, as one of so many bits.
    pub(super) fn narrowed_sum(&mut self, term: Term, width: u32) -> Option<Term> {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for part in self.summands(term, width)? {
            let pair = |left, right| [made[&left], made[&right]];
            let narrow = match self.shape(part, width) {
                Shape::Sum(left, right) => self.apply(Op::Add, &pair(left, right)),
                Shape::Difference(left, right) => self.apply(Op::Subtract, &pair(left, right)),
                Shape::Product(left, right) => self.apply(Op::Multiply, &pair(left, right)),
                Shape::Negated(of) => self.apply(Op::Negate, &[made[&of]]),
                Shape::Low(of) => made[&of],
                Shape::Other => self.extract(part, width - 1, 0),
            };
            made.insert(part, narrow);
        }
        made.get(&term).copied()
    }

    /// An equality of sums without what is on both sides: true or false, or between two summands at most.
    /// Where more is left, the sums stay as they are, as others may share them.
    pub(super) fn equality_of_sums(&mut self, left: Term, right: Term) -> Option<Term> {
        let width = self.width(left)?;
        let is_other = |it: Term| matches!(self.shape(it, width), Shape::Other);
        if is_other(left) && is_other(right) {
            return None;
        }
        let (left, right) = (self.as_sum(left, width)?, self.as_sum(right, width)?);
        let difference = plus(&left, &right, fold::mask(width), width)?;
        let left_over = difference.len();
        if left_over > 2 || left_over == left.len() + right.len() {
            return None;
        }
        let is_number = |it: &Vec<Term>| it.is_empty();
        if left_over <= 1 && difference.keys().all(is_number) {
            return Some(self.bool(left_over == 0));
        }
        let mut sides = [self.bits(0, width); 2];
        for (factors, count) in difference {
            let is_negative = fold::signed(count, width) < 0;
            let count = match is_negative {
                true => count.wrapping_neg(),
                false => count,
            };
            let mut product = self.bits(count, width);
            for factor in factors {
                let factor = self.extract(factor, width - 1, 0);
                product = self.multiply(product, factor);
            }
            let side = &mut sides[usize::from(is_negative)];
            *side = self.add(*side, product);
        }
        Some(self.equal(sides[0], sides[1]))
    }

    fn as_sum(&self, term: Term, width: u32) -> Option<Sum> {
        let mut made: FxHashMap<Term, Sum> = FxHashMap::default();
        for part in self.summands(term, width)? {
            let sum = match self.shape(part, width) {
                Shape::Sum(left, right) => plus(&made[&left], &made[&right], 1, width)?,
                Shape::Difference(left, right) => {
                    plus(&made[&left], &made[&right], fold::mask(width), width)?
                }
                Shape::Product(left, right) => times(&made[&left], &made[&right], width)?,
                Shape::Negated(of) => plus(&Sum::new(), &made[&of], fold::mask(width), width)?,
                Shape::Low(of) => made[&of].clone(),
                Shape::Other => match *self.node(part) {
                    Node::Bits(bits, _) => {
                        plus(&Sum::new(), &Sum::from([(Vec::new(), bits)]), 1, width)?
                    }
                    _ => Sum::from([(vec![part], 1)]),
                },
            };
            made.insert(part, sum);
        }
        made.remove(&term)
    }

    /// What the low bits of a word are made of, operands first; `None` if that is too much.
    fn summands(&self, term: Term, width: u32) -> Option<Vec<Term>> {
        let mut found: Vec<Term> = Vec::new();
        let mut stack = vec![(term, false)];
        let mut steps = 0;
        while let Some((part, is_done)) = stack.pop() {
            if is_done {
                found.push(part);
                continue;
            }
            steps += 1;
            if steps > PARTS {
                return None;
            }
            stack.push((part, true));
            match self.shape(part, width) {
                Shape::Sum(left, right)
                | Shape::Difference(left, right)
                | Shape::Product(left, right) => stack.extend([(left, false), (right, false)]),
                Shape::Negated(of) | Shape::Low(of) => stack.push((of, false)),
                Shape::Other => {}
            }
        }
        Some(found)
    }

    fn shape(&self, term: Term, width: u32) -> Shape {
        let Node::Apply(op, of) = self.node(term) else {
            return Shape::Other;
        };
        match (op, &**of) {
            (Op::Add, &[left, right]) => Shape::Sum(left, right),
            (Op::Subtract, &[left, right]) => Shape::Difference(left, right),
            (Op::Multiply, &[left, right]) => Shape::Product(left, right),
            (Op::Negate, &[of]) => Shape::Negated(of),
            (Op::Extract { low: 0, .. }, &[of]) => Shape::Low(of),
            (Op::ZeroExtend(_) | Op::SignExtend(_), &[of])
                if self.width(of).is_some_and(|it| it >= width) =>
            {
                Shape::Low(of)
            }
            _ => Shape::Other,
        }
    }
}

/// A sum and another one, that one so many times.
fn plus(left: &Sum, right: &Sum, times: u128, width: u32) -> Option<Sum> {
    let mut sum = left.clone();
    for (factors, &count) in right {
        let more = count.wrapping_mul(times);
        add(&mut sum, factors.clone(), more, width);
    }
    (sum.len() <= SUMMANDS).then_some(sum)
}

fn times(left: &Sum, right: &Sum, width: u32) -> Option<Sum> {
    let mut sum = Sum::new();
    for (one, &count) in left {
        for (other, &times) in right {
            let mut factors = [&one[..], other].concat();
            if factors.len() > FACTORS {
                return None;
            }
            factors.sort_unstable();
            add(&mut sum, factors, count.wrapping_mul(times), width);
        }
    }
    (sum.len() <= SUMMANDS).then_some(sum)
}

fn add(sum: &mut Sum, factors: Vec<Term>, count: u128, width: u32) {
    let old = sum.get(&factors).copied().unwrap_or(0);
    match old.wrapping_add(count) & fold::mask(width) {
        0 => sum.remove(&factors),
        new => sum.insert(factors, new),
    };
}
