//! How terms are made. Operands of the wrong sort are a fault of the caller's, and end the program.

use super::{Node, Op, Scalar, Sort, Term, Terms, fold};

/// Bit vectors have no more bits than that.
pub(crate) const MOST: u32 = 128;

impl Terms {
    /// The variable of that name. One name has one sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&term) = self.variables.get(name) {
            assert_eq!(self.sort(term), sort, "`{name}` has another sort");
            return term;
        }
        assert!(sort.is_possible(), "the sort of `{name}`");
        let number = self.names.len() as u32;
        self.names.push(name.into());
        let term = self.intern(Node::Variable(number), sort);
        self.variables.insert(name.into(), term);
        term
    }

    /// The variable of that name, if there is one.
    pub fn find_variable(&self, name: &str) -> Option<Term> {
        self.variables.get(name).copied()
    }

    /// A variable with a name of its own that begins with `hint`.
    pub fn fresh(&mut self, hint: &str, sort: Sort) -> Term {
        let mut number = self.names.len();
        loop {
            let name = format!("{hint}!{number}");
            if !self.variables.contains_key(&*name) {
                return self.variable(&name, sort);
            }
            number += 1;
        }
    }

    /// True or false.
    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Node::Bool(value), Sort::Bool)
    }

    /// True.
    pub fn truth(&mut self) -> Term {
        self.bool(true)
    }

    /// False.
    pub fn falsity(&mut self) -> Term {
        self.bool(false)
    }

    /// A number of so many bits; what does not fit is cut off.
    pub fn bits(&mut self, value: u128, width: u32) -> Term {
        assert!((1..=MOST).contains(&width), "a term of {width} bits");
        self.intern(
            Node::Bits(value & fold::mask(width), width),
            Sort::Bits(width),
        )
    }

    /// An integer.
    pub fn int(&mut self, value: i128) -> Term {
        self.intern(Node::Int(value), Sort::Int)
    }

    /// An array with one value everywhere.
    pub fn constant_array(&mut self, value: Term, index: Scalar) -> Term {
        let element = self.sort(value).scalar().expect("an element");
        self.intern(Node::Constant(value, index), Sort::Array(index, element))
    }

    /// Any operator, with as many operands as it takes.
    pub fn apply(&mut self, op: Op, operands: &[Term]) -> Term {
        match self.try_apply(op, operands) {
            Some(term) => term,
            None => panic!("operands of {op:?}"),
        }
    }

    /// Any operator; `None` if these are no operands for it.
    pub fn try_apply(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        let sort = self.result(op, operands)?;
        Some(match self.simplified(op, operands) {
            Some(term) => {
                debug_assert_eq!(self.sort(term), sort, "{op:?}");
                term
            }
            None => self.intern(Node::Apply(op, operands.into()), sort),
        })
    }

    /// The sort of an operator's result.
    fn result(&self, op: Op, operands: &[Term]) -> Option<Sort> {
        let sorts: Vec<Sort> = operands.iter().map(|&it| self.sort(it)).collect();
        let widened = |width: u32, by: u32| by <= MOST && width + by <= MOST;
        Some(match (op, &sorts[..]) {
            (Op::Not, [Sort::Bool]) => Sort::Bool,
            (Op::And | Op::Or, all) if all.iter().all(|&it| it == Sort::Bool) => Sort::Bool,
            (Op::Equal, [left, right]) if left == right => Sort::Bool,
            (Op::UnsignedLess | Op::UnsignedLessEqual, [Sort::Bits(left), Sort::Bits(right)])
                if left == right =>
            {
                Sort::Bool
            }
            (Op::Less | Op::LessEqual, [Sort::Bits(left), Sort::Bits(right)]) if left == right => {
                Sort::Bool
            }
            (Op::Less | Op::LessEqual, [Sort::Int, Sort::Int]) => Sort::Bool,
            (Op::If, [Sort::Bool, then, otherwise]) if then == otherwise => *then,
            (Op::BitNot, [Sort::Bits(width)]) => Sort::Bits(*width),
            (Op::Negate, [sort @ (Sort::Bits(_) | Sort::Int)]) => *sort,
            (Op::Concat, &[Sort::Bits(high), Sort::Bits(low)]) if widened(high, low) => {
                Sort::Bits(high + low)
            }
            (Op::Extract { high, low }, &[Sort::Bits(width)]) if low <= high && high < width => {
                Sort::Bits(high - low + 1)
            }
            (Op::ZeroExtend(by) | Op::SignExtend(by), &[Sort::Bits(width)])
                if widened(width, by) =>
            {
                Sort::Bits(width + by)
            }
            (Op::Select, &[Sort::Array(index, element), place]) if place == index.into() => {
                element.into()
            }
            (Op::Store, &[array @ Sort::Array(index, element), place, value])
                if place == index.into() && value == element.into() =>
            {
                array
            }
            (Op::Add | Op::Subtract | Op::Multiply, [Sort::Int, Sort::Int])
            | (Op::IntDivide | Op::IntModulo, [Sort::Int, Sort::Int]) => Sort::Int,
            (
                Op::Add
                | Op::Subtract
                | Op::Multiply
                | Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::UnsignedDivide
                | Op::UnsignedRemainder
                | Op::SignedDivide
                | Op::SignedRemainder
                | Op::ShiftLeft
                | Op::LogicalShiftRight
                | Op::ArithmeticShiftRight,
                [Sort::Bits(left), Sort::Bits(right)],
            ) if left == right => Sort::Bits(*left),
            _ => return None,
        })
    }

    /// Negation.
    pub fn not(&mut self, operand: Term) -> Term {
        self.apply(Op::Not, &[operand])
    }

    /// Conjunction of any number of terms.
    pub fn and(&mut self, operands: &[Term]) -> Term {
        self.apply(Op::And, operands)
    }

    /// Disjunction of any number of terms.
    pub fn or(&mut self, operands: &[Term]) -> Term {
        self.apply(Op::Or, operands)
    }

    /// Implication.
    pub fn implies(&mut self, left: Term, right: Term) -> Term {
        let left = self.not(left);
        self.or(&[left, right])
    }

    /// Equality; of booleans, equivalence.
    pub fn equal(&mut self, left: Term, right: Term) -> Term {
        self.apply(Op::Equal, &[left, right])
    }

    /// One of two terms.
    pub fn if_then_else(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.apply(Op::If, &[condition, then, otherwise])
    }

    /// Sum.
    pub fn add(&mut self, left: Term, right: Term) -> Term {
        self.apply(Op::Add, &[left, right])
    }

    /// Difference.
    pub fn subtract(&mut self, left: Term, right: Term) -> Term {
        self.apply(Op::Subtract, &[left, right])
    }

    /// Product.
    pub fn multiply(&mut self, left: Term, right: Term) -> Term {
        self.apply(Op::Multiply, &[left, right])
    }

    /// Some bits of a term.
    pub fn extract(&mut self, term: Term, high: u32, low: u32) -> Term {
        self.apply(Op::Extract { high, low }, &[term])
    }

    /// More bits in front, all 0.
    pub fn zero_extend(&mut self, term: Term, by: u32) -> Term {
        self.apply(Op::ZeroExtend(by), &[term])
    }

    /// More bits in front, all like the highest.
    pub fn sign_extend(&mut self, term: Term, by: u32) -> Term {
        self.apply(Op::SignExtend(by), &[term])
    }

    /// An element of an array.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.apply(Op::Select, &[array, index])
    }

    /// An array with another element.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        self.apply(Op::Store, &[array, index, value])
    }
}
