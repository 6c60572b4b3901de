//! Comparisons as they are made. There are `=`, `<` and their negations; numbers stand on the right
//! of `=`.

use super::{Node, Op, Sort, Term, Terms, fold};

/// So many choices between numbers are looked through when one is compared.
const CHOICES: usize = 64;

/// What is put in front of a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extension {
    Zeros,
    Signs,
}

/// How a number lies to all that a word with bits in front can be.
enum Narrowed {
    Term(Term),
    Below,
    Above,
}

impl Terms {
    pub(super) fn not_less(&mut self, op: Op, left: Term, right: Term) -> Term {
        let less = self.apply(op, &[left, right]);
        self.not(less)
    }

    pub(super) fn equality(&mut self, left: Term, right: Term) -> Option<Term> {
        if left == right {
            return Some(self.truth());
        }
        if self.is_literal(left) || left > right && !self.is_literal(right) {
            return Some(match self.equality(right, left) {
                Some(term) => term,
                None => self.intern(Node::Apply(Op::Equal, [right, left].into()), Sort::Bool),
            });
        }
        if let Some(term) = self.boolean_equality(left, right) {
            return Some(term);
        }
        if let Some((left, right)) = self.both_narrowed(left, right) {
            return Some(self.equal(left, right));
        }
        if let Some(term) = self.equality_of_sums(left, right) {
            return Some(term);
        }
        if !self.is_literal(right) {
            return None;
        }
        self.equal_to_number(left, right)
    }

    fn boolean_equality(&mut self, left: Term, right: Term) -> Option<Term> {
        if let Node::Bool(value) = *self.node(right) {
            return Some(match value {
                true => left,
                false => self.not(left),
            });
        }
        let negated = |terms: &Self, term: Term| match terms.node(term) {
            Node::Apply(Op::Not, of) => Some(of[0]),
            _ => None,
        };
        match (negated(self, left), negated(self, right)) {
            (Some(left), Some(right)) => Some(self.equal(left, right)),
            (Some(inner), None) => {
                let same = self.equal(inner, right);
                Some(self.not(same))
            }
            (None, Some(inner)) => {
                let same = self.equal(left, inner);
                Some(self.not(same))
            }
            (None, None) => None,
        }
    }

    /// Whether a term equals a number. What can be undone is: `x + 1 = 3` is `x = 2`; and of choices
    /// between a number and another term the other term is looked at. A chain of them may be long.
    fn equal_to_number(&mut self, left: Term, right: Term) -> Option<Term> {
        let (mut term, mut number) = (left, right);
        // Conditions, whether the number is chosen if they hold, and whether it is equal.
        let mut choices: Vec<(Term, bool, bool)> = Vec::new();
        let mut result = loop {
            let Node::Apply(op, of) = self.node(term).clone() else {
                break None;
            };
            (term, number) = match op {
                Op::If if choices.len() < CHOICES => {
                    let equals = |it: Term| self.is_literal(it).then_some(it == number);
                    match (equals(of[1]), equals(of[2])) {
                        (Some(then), Some(otherwise)) => {
                            let (then, otherwise) = (self.bool(then), self.bool(otherwise));
                            break Some(self.if_then_else(of[0], then, otherwise));
                        }
                        (Some(then), None) => {
                            choices.push((of[0], true, then));
                            (of[2], number)
                        }
                        (None, Some(otherwise)) => {
                            choices.push((of[0], false, otherwise));
                            (of[1], number)
                        }
                        (None, None) => break None,
                    }
                }
                Op::Add if self.is_literal(of[1]) => {
                    match self.folded_pair(Op::Subtract, number, of[1]) {
                        Some(number) => (of[0], number),
                        None => break None,
                    }
                }
                Op::BitNot | Op::Negate => {
                    let undone = self.apply(op, &[number]);
                    match self.is_literal(undone) {
                        true => (of[0], undone),
                        false => break None,
                    }
                }
                Op::ZeroExtend(_) | Op::SignExtend(_) => {
                    let (inner, extension) = self.extension(term)?;
                    match self.narrowed(number, inner, extension)? {
                        Narrowed::Term(number) => (inner, number),
                        _ => break Some(self.falsity()),
                    }
                }
                Op::Concat => {
                    let (width, cut) = (self.width(term)?, self.width(of[1])?);
                    let high = self.extract(number, width - 1, cut);
                    let low = self.extract(number, cut - 1, 0);
                    // No deeper than a word is wide.
                    let high = self.equal(of[0], high);
                    let low = self.equal(of[1], low);
                    break Some(self.and(&[high, low]));
                }
                _ => break None,
            };
        };
        if result.is_none() {
            if term == left {
                return None;
            }
            let equal = Node::Apply(Op::Equal, [term, number].into());
            result = match self.sort(term) {
                Sort::Bool => None,
                _ => Some(self.intern(equal, Sort::Bool)),
            };
        }
        let mut result = result?;
        for (condition, is_then, equals) in choices.into_iter().rev() {
            let equals = self.bool(equals);
            result = match is_then {
                true => self.if_then_else(condition, equals, result),
                false => self.if_then_else(condition, result, equals),
            };
        }
        Some(result)
    }

    pub(super) fn less(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        if left == right {
            return Some(self.falsity());
        }
        if let Some((inner_left, inner_right)) = self.both_narrowed(left, right) {
            // Nothing is negative that has zeros in front, and signs keep both orders.
            let op = match self.extension(left) {
                Some((_, Extension::Zeros)) => Op::UnsignedLess,
                _ => op,
            };
            return Some(self.apply(op, &[inner_left, inner_right]));
        }
        match self.sort(left) {
            Sort::Bits(width) => self
                .less_at_an_end(op, left, right, width)
                .or_else(|| self.less_narrowed(op, left, right)),
            Sort::Int => self.less_shifted(left, right),
            _ => None,
        }
    }

    /// Comparisons with the least and the greatest number.
    fn less_at_an_end(&mut self, op: Op, left: Term, right: Term, width: u32) -> Option<Term> {
        let full = fold::mask(width);
        let (least, greatest) = match op {
            Op::Less => (full - full / 2, full / 2),
            _ => (0, full),
        };
        let number = |terms: &Self, term: Term| match *terms.node(term) {
            Node::Bits(bits, _) => Some(bits),
            _ => None,
        };
        match (number(self, left), number(self, right)) {
            (_, Some(bits)) if bits == least => Some(self.falsity()),
            (Some(bits), _) if bits == greatest => Some(self.falsity()),
            (_, Some(bits)) if bits == greatest => {
                let same = self.equal(left, right);
                Some(self.not(same))
            }
            (Some(bits), _) if bits == least => {
                let same = self.equal(left, right);
                Some(self.not(same))
            }
            (_, Some(bits)) if bits == least.wrapping_add(1) & full => {
                let least = self.bits(least, width);
                Some(self.equal(left, least))
            }
            (Some(bits), _) if bits == greatest.wrapping_sub(1) & full => {
                let greatest = self.bits(greatest, width);
                Some(self.equal(right, greatest))
            }
            _ => None,
        }
    }

    /// A word with bits in front against a number.
    fn less_narrowed(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let (is_left, (inner, extension)) = match (self.extension(left), self.extension(right)) {
            (Some(extension), _) if self.is_literal(right) => (true, extension),
            (_, Some(extension)) if self.is_literal(left) => (false, extension),
            _ => return None,
        };
        let number = if is_left { right } else { left };
        // The order of all words and that of these are one only so.
        let inner_op = match (op, extension) {
            (_, Extension::Zeros) => Op::UnsignedLess,
            (Op::Less, Extension::Signs) => Op::Less,
            _ => return None,
        };
        let place = match self.narrowed(number, inner, extension)? {
            // Above as words without sign are those below with one.
            Narrowed::Above
                if op == Op::Less
                    && extension == Extension::Zeros
                    && self.is_negative(number)? =>
            {
                Narrowed::Below
            }
            place => place,
        };
        Some(match (place, is_left) {
            (Narrowed::Term(number), true) => self.apply(inner_op, &[inner, number]),
            (Narrowed::Term(number), false) => self.apply(inner_op, &[number, inner]),
            (Narrowed::Above, is_left) => self.bool(is_left),
            (Narrowed::Below, is_left) => self.bool(!is_left),
        })
    }

    /// A sum with a number against a number, of integers.
    fn less_shifted(&mut self, left: Term, right: Term) -> Option<Term> {
        let shifted = |terms: &mut Self, sum: Term, number: Term| {
            let (inner, by) = terms.with_number_at_end(Op::Add, sum)?;
            let by = terms.negated_number(by)?;
            Some((inner, terms.folded_pair(Op::Add, number, by)?))
        };
        if self.is_literal(right) {
            let (inner, number) = shifted(self, left, right)?;
            Some(self.apply(Op::Less, &[inner, number]))
        } else if self.is_literal(left) {
            let (inner, number) = shifted(self, right, left)?;
            Some(self.apply(Op::Less, &[number, inner]))
        } else {
            None
        }
    }

    /// Two words with as many bits of one kind in front, without them.
    fn both_narrowed(&self, left: Term, right: Term) -> Option<(Term, Term)> {
        let (left, of_left) = self.extension(left)?;
        let (right, of_right) = self.extension(right)?;
        let is_alike = of_left == of_right && self.width(left) == self.width(right);
        is_alike.then_some((left, right))
    }

    fn extension(&self, term: Term) -> Option<(Term, Extension)> {
        match self.node(term) {
            Node::Apply(Op::ZeroExtend(_), of) => Some((of[0], Extension::Zeros)),
            Node::Apply(Op::SignExtend(_), of) => Some((of[0], Extension::Signs)),
            _ => None,
        }
    }

    /// A number as one of as many bits as `inner` has.
    fn narrowed(&mut self, number: Term, inner: Term, extension: Extension) -> Option<Narrowed> {
        let &Node::Bits(bits, width) = self.node(number) else {
            return None;
        };
        let narrow = self.width(inner)?;
        let cut = bits & fold::mask(narrow);
        let back = match extension {
            Extension::Zeros => cut,
            Extension::Signs => fold::signed(cut, narrow) as u128 & fold::mask(width),
        };
        Some(match extension {
            _ if back == bits => Narrowed::Term(self.bits(cut, narrow)),
            Extension::Signs if self.is_negative(number)? => Narrowed::Below,
            _ => Narrowed::Above,
        })
    }

    fn is_negative(&self, number: Term) -> Option<bool> {
        match *self.node(number) {
            Node::Bits(bits, width) => Some(bits >> (width - 1) & 1 == 1),
            _ => None,
        }
    }
}
