//! What is simplified as a term is made: only what makes it smaller, or brings it to one of several
//! equal forms, so that making one is cheap and ends.

use super::{Node, Op, Term, Terms, Value};

impl Terms {
    /// A simpler term, if there is one.
    pub(super) fn simplified(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        if !matches!(op, Op::And | Op::Or)
            && let Some(value) = self.folded(op, operands)
        {
            return Some(value);
        }
        match (op, operands) {
            (Op::Not | Op::BitNot | Op::Negate, &[of]) => self.undone(op, of),
            (Op::And | Op::Or, _) => self.junction(op, operands),
            (Op::Equal, &[left, right]) => self.equality(left, right),
            (Op::If, &[condition, then, otherwise]) => self.choice(condition, then, otherwise),
            (Op::Extract { high, low }, &[of]) => self.extracted(of, high, low),
            (Op::ZeroExtend(by), &[of]) => self.zero_extended(of, by),
            (Op::SignExtend(by), &[of]) => self.sign_extended(of, by),
            (Op::Concat, &[high, low]) => self.concatenated(high, low),
            (Op::Less | Op::UnsignedLess, &[left, right]) => self.less(op, left, right),
            (Op::LessEqual, &[left, right]) => Some(self.not_less(Op::Less, right, left)),
            (Op::UnsignedLessEqual, &[left, right]) => {
                Some(self.not_less(Op::UnsignedLess, right, left))
            }
            (Op::Select, &[array, index]) => self.selected(array, index),
            (Op::Store, &[array, index, value]) => self.stored(array, index, value),
            (_, &[left, right]) => self.arithmetic(op, left, right),
            _ => None,
        }
    }

    /// The value, if all operands are numbers.
    fn folded(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        // The same evaluation as that of models.
        match self.value_of(op, operands)? {
            Value::Bool(value) => Some(self.bool(value)),
            Value::Bits(bits) => {
                let width = match op {
                    Op::Concat => self.width(operands[0])? + self.width(operands[1])?,
                    Op::ZeroExtend(by) | Op::SignExtend(by) => self.width(operands[0])? + by,
                    Op::Extract { high, low } => high - low + 1,
                    Op::If => self.width(operands[1])?,
                    _ => self.width(operands[0])?,
                };
                Some(self.bits(bits, width))
            }
            Value::Int(number) => Some(self.int(number)),
            Value::Array(_) => None,
        }
    }

    /// An operator that undoes itself.
    fn undone(&self, op: Op, of: Term) -> Option<Term> {
        match self.node(of) {
            Node::Apply(inner, of) if *inner == op => Some(of[0]),
            _ => None,
        }
    }

    fn choice(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        if then == otherwise {
            return Some(then);
        }
        match *self.node(condition) {
            Node::Bool(true) => return Some(then),
            Node::Bool(false) => return Some(otherwise),
            Node::Apply(Op::Not, ref of) => {
                let condition = of[0];
                return Some(self.if_then_else(condition, otherwise, then));
            }
            _ => {}
        }
        match (self.node(then), self.node(otherwise)) {
            (Node::Bool(true), _) => Some(self.or(&[condition, otherwise])),
            (_, Node::Bool(false)) => Some(self.and(&[condition, then])),
            (Node::Bool(false), _) => {
                let condition = self.not(condition);
                Some(self.and(&[condition, otherwise]))
            }
            (_, Node::Bool(true)) => {
                let condition = self.not(condition);
                Some(self.or(&[condition, then]))
            }
            (Node::Apply(Op::If, of), _) if of[0] == condition => {
                let then = of[1];
                Some(self.if_then_else(condition, then, otherwise))
            }
            (_, Node::Apply(Op::If, of)) if of[0] == condition => {
                let otherwise = of[2];
                Some(self.if_then_else(condition, then, otherwise))
            }
            _ => None,
        }
    }

    fn selected(&mut self, array: Term, index: Term) -> Option<Term> {
        let mut below = array;
        loop {
            match self.node(below) {
                Node::Constant(value, _) => return Some(*value),
                Node::Apply(Op::Store, of) if of[1] == index => return Some(of[2]),
                Node::Apply(Op::Store, of) if self.is_literal(of[1]) && self.is_literal(index) => {
                    below = of[0];
                }
                _ if below == array => return None,
                _ => return Some(self.select(below, index)),
            }
        }
    }

    fn stored(&mut self, array: Term, index: Term, value: Term) -> Option<Term> {
        // What is there already.
        if let Node::Apply(Op::Select, of) = self.node(value)
            && **of == [array, index]
        {
            return Some(array);
        }
        match self.node(array) {
            Node::Apply(Op::Store, of) if of[1] == index => {
                let below = of[0];
                Some(self.store(below, index, value))
            }
            Node::Constant(everywhere, _) if *everywhere == value => Some(array),
            _ => None,
        }
    }

    /// Whether a term is a number.
    pub fn is_literal(&self, term: Term) -> bool {
        matches!(
            self.node(term),
            Node::Bool(_) | Node::Bits(..) | Node::Int(_)
        )
    }
}
