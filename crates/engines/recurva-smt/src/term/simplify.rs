//! What is simplified as a term is made: only what makes it smaller, so that making one is cheap and
//! ends.

use super::{Node, Op, Sort, Term, Terms, Value, fold};

impl Terms {
    /// A simpler term, if there is one.
    pub(super) fn simplified(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        if !matches!(op, Op::And | Op::Or)
            && let Some(value) = self.folded(op, operands)
        {
            return Some(value);
        }
        match op {
            Op::Not => match *self.node(operands[0]) {
                Node::Apply(Op::Not, ref inner) => Some(inner[0]),
                _ => None,
            },
            Op::And | Op::Or => self.junction(op, operands),
            Op::Equal => self.equality(operands[0], operands[1]),
            Op::If => self.choice(operands[0], operands[1], operands[2]),
            Op::BitNot | Op::Negate => match *self.node(operands[0]) {
                Node::Apply(inner, ref of) if inner == op => Some(of[0]),
                _ => None,
            },
            Op::Extract { high, low } => self.extracted(operands[0], high, low),
            Op::ZeroExtend(0) | Op::SignExtend(0) => Some(operands[0]),
            Op::Less | Op::UnsignedLess if operands[0] == operands[1] => Some(self.falsity()),
            Op::LessEqual | Op::UnsignedLessEqual if operands[0] == operands[1] => {
                Some(self.truth())
            }
            Op::Select => self.selected(operands[0], operands[1]),
            Op::Store => self.stored(operands[0], operands[1], operands[2]),
            _ if operands.len() == 2 => self.arithmetic(op, operands[0], operands[1]),
            _ => None,
        }
    }

    /// The value, if all operands are numbers.
    fn folded(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        let is_number =
            |&it: &Term| matches!(self.node(it), Node::Bool(_) | Node::Bits(..) | Node::Int(_));
        if !operands.iter().all(is_number) {
            return None;
        }
        // Made for a moment: the same evaluation as that of models.
        let sort = match op {
            Op::Concat => Sort::Bits(self.width(operands[0])? + self.width(operands[1])?),
            Op::ZeroExtend(by) | Op::SignExtend(by) => Sort::Bits(self.width(operands[0])? + by),
            Op::Extract { high, low } => Sort::Bits(high - low + 1),
            Op::If => self.sort(operands[1]),
            _ => self.sort(operands[0]),
        };
        match self.value_of(op, operands)? {
            Value::Bool(value) => Some(self.bool(value)),
            Value::Bits(bits) => match sort {
                Sort::Bits(width) => Some(self.bits(bits, width)),
                _ => None,
            },
            Value::Int(number) => Some(self.int(number)),
            Value::Array(_) => None,
        }
    }

    /// Conjunctions and disjunctions: nested ones are taken apart, each operand is there once.
    fn junction(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        let decides = op == Op::Or;
        let mut flat: Vec<Term> = Vec::with_capacity(operands.len());
        for &operand in operands {
            match self.node(operand) {
                Node::Bool(value) if *value == decides => return Some(self.bool(decides)),
                Node::Bool(_) => {}
                Node::Apply(inner, of) if *inner == op => flat.extend(of.iter()),
                _ => flat.push(operand),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        let opposite = |term: Term| match self.node(term) {
            Node::Apply(Op::Not, of) => flat.binary_search(&of[0]).is_ok(),
            _ => false,
        };
        if flat.iter().any(|&it| opposite(it)) {
            return Some(self.bool(decides));
        }
        match &flat[..] {
            [] => Some(self.bool(!decides)),
            [one] => Some(*one),
            _ if flat == operands => None,
            _ => Some(self.intern(Node::Apply(op, flat.into()), Sort::Bool)),
        }
    }

    fn equality(&mut self, left: Term, right: Term) -> Option<Term> {
        if left == right {
            return Some(self.truth());
        }
        // Numbers stand on the right.
        if left > right && !self.is_literal(right) || self.is_literal(left) {
            return Some(self.equal_ordered(right, left));
        }
        if let Node::Bool(value) = *self.node(right) {
            return Some(match value {
                true => left,
                false => self.not(left),
            });
        }
        let Node::Apply(Op::If, of) = self.node(left).clone() else {
            return None;
        };
        // One of two numbers equals a number.
        let (is_then, is_else) = (of[1] == right, of[2] == right);
        let other = |terms: &Self, it: Term| terms.is_literal(it) && it != right;
        if !self.is_literal(right) {
            return None;
        }
        match (is_then, is_else) {
            (true, false) if other(self, of[2]) => Some(of[0]),
            (false, true) if other(self, of[1]) => Some(self.not(of[0])),
            (false, false) if other(self, of[1]) && other(self, of[2]) => Some(self.falsity()),
            _ => None,
        }
    }

    fn equal_ordered(&mut self, left: Term, right: Term) -> Term {
        match self.equality(left, right) {
            Some(term) => term,
            None => self.intern(Node::Apply(Op::Equal, [left, right].into()), Sort::Bool),
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

    fn extracted(&mut self, term: Term, high: u32, low: u32) -> Option<Term> {
        let width = self.width(term)?;
        if low == 0 && high + 1 == width {
            return Some(term);
        }
        let Node::Apply(op, of) = self.node(term) else {
            return None;
        };
        let (op, inner) = (*op, of[0]);
        let inner_width = self.width(inner);
        match op {
            Op::Extract { low: base, .. } => Some(self.extract(inner, base + high, base + low)),
            Op::ZeroExtend(_) | Op::SignExtend(_) if high < inner_width? => {
                Some(self.extract(inner, high, low))
            }
            Op::ZeroExtend(_) if low >= inner_width? => Some(self.bits(0, high - low + 1)),
            _ => None,
        }
    }

    fn selected(&mut self, array: Term, index: Term) -> Option<Term> {
        let mut array = array;
        loop {
            match self.node(array) {
                Node::Constant(value, _) => return Some(*value),
                Node::Apply(Op::Store, of) => {
                    let (below, place, value) = (of[0], of[1], of[2]);
                    if place == index {
                        return Some(value);
                    }
                    if !(self.is_literal(place) && self.is_literal(index)) {
                        return None;
                    }
                    array = below;
                    if !matches!(
                        self.node(array),
                        Node::Apply(Op::Store, _) | Node::Constant(..)
                    ) {
                        return Some(self.select(array, index));
                    }
                }
                _ => return None,
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

    fn arithmetic(&mut self, op: Op, left: Term, right: Term) -> Option<Term> {
        let number = |terms: &Self, term: Term| match *terms.node(term) {
            Node::Bits(bits, width) => Some((bits == 0, bits == 1, bits == fold::mask(width))),
            Node::Int(number) => Some((number == 0, number == 1, false)),
            _ => None,
        };
        let (a, b) = (number(self, left), number(self, right));
        let is_commutative = matches!(
            op,
            Op::Add | Op::Multiply | Op::BitAnd | Op::BitOr | Op::BitXor
        );
        if is_commutative && (b.is_none() && (a.is_some() || left > right)) {
            return Some(self.apply(op, &[right, left]));
        }
        if left == right {
            match op {
                Op::BitAnd | Op::BitOr => return Some(left),
                Op::BitXor | Op::Subtract => {
                    return Some(match self.width(left) {
                        Some(width) => self.bits(0, width),
                        None => self.int(0),
                    });
                }
                _ => {}
            }
        }
        let (is_zero, is_one, is_full) = b?;
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
            Op::Multiply | Op::UnsignedDivide | Op::SignedDivide | Op::IntDivide
                if is_one && self.width(right) != Some(1) =>
            {
                Some(left)
            }
            Op::BitAnd if is_full => Some(left),
            Op::BitOr if is_full => Some(right),
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
