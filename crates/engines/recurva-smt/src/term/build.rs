//! How terms are made. Operands of the wrong sort are a fault of the caller's, and end the program.

use super::{Node, Op, Scalar, Sort, Term, Terms, fold};

impl Terms {
    /// The variable of that name. One name has one sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        if let Some(&term) = self.variables.get(name) {
            assert_eq!(self.sort(term), sort, "`{name}` has another sort");
            return term;
        }
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
    pub fn bits(&mut self, value: u64, width: u32) -> Term {
        assert!((1..=64).contains(&width), "a term of {width} bits");
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
        let element = self.scalar(value);
        self.intern(Node::Constant(value, index), Sort::Array(index, element))
    }

    /// Any operator, with as many operands as it takes.
    pub fn apply(&mut self, op: Op, operands: &[Term]) -> Term {
        let sort = self.result(op, operands);
        match self.simplified(op, operands) {
            Some(term) => {
                debug_assert_eq!(self.sort(term), sort, "{op:?}");
                term
            }
            None => self.intern(Node::Apply(op, operands.into()), sort),
        }
    }

    /// The sort of an operator's result.
    fn result(&self, op: Op, operands: &[Term]) -> Sort {
        let sort = |at: usize| self.sort(operands[at]);
        let same = || assert_eq!(sort(0), sort(1), "operands of {op:?}");
        match op {
            Op::Not | Op::And | Op::Or => {
                assert!(
                    operands.iter().all(|&it| self.sort(it) == Sort::Bool),
                    "operands of {op:?}"
                );
                Sort::Bool
            }
            Op::Equal | Op::UnsignedLess | Op::UnsignedLessEqual | Op::Less | Op::LessEqual => {
                same();
                Sort::Bool
            }
            Op::If => {
                assert!(
                    sort(0) == Sort::Bool && sort(1) == sort(2),
                    "operands of ite"
                );
                sort(1)
            }
            Op::BitNot | Op::Negate => sort(0),
            Op::Concat => match (sort(0), sort(1)) {
                (Sort::Bits(high), Sort::Bits(low)) if high + low <= 64 => Sort::Bits(high + low),
                _ => panic!("operands of concat"),
            },
            Op::Extract { high, low } => match sort(0) {
                Sort::Bits(width) if low <= high && high < width => Sort::Bits(high - low + 1),
                _ => panic!("operand of extract"),
            },
            Op::ZeroExtend(by) | Op::SignExtend(by) => match sort(0) {
                Sort::Bits(width) if width + by <= 64 => Sort::Bits(width + by),
                _ => panic!("operand of extend"),
            },
            Op::Select => match sort(0) {
                Sort::Array(index, element) if sort(1) == index.into() => element.into(),
                _ => panic!("operands of select"),
            },
            Op::Store => match sort(0) {
                Sort::Array(index, element)
                    if sort(1) == index.into() && sort(2) == element.into() =>
                {
                    sort(0)
                }
                _ => panic!("operands of store"),
            },
            _ => {
                same();
                sort(0)
            }
        }
    }

    fn scalar(&self, term: Term) -> Scalar {
        match self.sort(term) {
            Sort::Bits(width) => Scalar::Bits(width),
            Sort::Int => Scalar::Int,
            other => panic!("an array of {other:?}"),
        }
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
