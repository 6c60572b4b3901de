//! Terms: interned, with a sort each.

mod build;
mod compare;
mod evaluate;
mod fold;
mod junction;
mod simplify;
mod sums;
mod value;
mod words;

use std::num::NonZeroU32;

use rustc_hash::{FxHashMap, FxHashSet};

pub(crate) use evaluate::Values;
pub use value::{ArrayValue, Value};

/// A term of a [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(NonZeroU32);

impl Term {
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// What an array maps from or to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// So many bits, 1 to 128.
    Bits(u32),
    /// Integers without bound.
    Int,
}

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// True or false.
    Bool,
    /// So many bits, 1 to 128.
    Bits(u32),
    /// An integer without bound.
    Int,
    /// A map from all values of the first sort.
    Array(Scalar, Scalar),
}

impl From<Scalar> for Sort {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bits(width) => Sort::Bits(width),
            Scalar::Int => Sort::Int,
        }
    }
}

impl Sort {
    /// Whether all bit vectors in it have 1 to 128 bits.
    pub fn is_possible(self) -> bool {
        let fits = |width: u32| (1..=build::MOST).contains(&width);
        let scalar = |scalar: Scalar| match scalar {
            Scalar::Bits(width) => fits(width),
            Scalar::Int => true,
        };
        match self {
            Sort::Bool | Sort::Int => true,
            Sort::Bits(width) => fits(width),
            Sort::Array(index, element) => scalar(index) && scalar(element),
        }
    }

    /// As an array's index or element, if it can be one.
    pub fn scalar(self) -> Option<Scalar> {
        match self {
            Sort::Bits(width) => Some(Scalar::Bits(width)),
            Sort::Int => Some(Scalar::Int),
            Sort::Bool | Sort::Array(..) => None,
        }
    }
}

/// An operator. All operands of an arithmetic one have one sort. What each means is what SMT-LIB
/// says of the name given.
///
/// Some are never found in a [`Node`], as they are made of others: `a <= b` is `not (b < a)`, so that
/// a comparison and its negation have one atom, and `a - 3` is `a + -3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// `not`
    Not,
    /// `and`, of two or more
    And,
    /// `or`, of two or more
    Or,
    /// `=`, of two terms of any one sort
    Equal,
    /// `ite`
    If,
    /// `bvnot`
    BitNot,
    /// `bvand`
    BitAnd,
    /// `bvor`
    BitOr,
    /// `bvxor`
    BitXor,
    /// `bvneg`, or `-` of an integer
    Negate,
    /// `bvadd`, or `+`
    Add,
    /// `bvsub`, or `-`
    Subtract,
    /// `bvmul`, or `*`
    Multiply,
    /// `bvudiv`: all ones if the divisor is 0
    UnsignedDivide,
    /// `bvurem`: the dividend if the divisor is 0
    UnsignedRemainder,
    /// `bvsdiv`: towards zero
    SignedDivide,
    /// `bvsrem`: with the sign of the dividend
    SignedRemainder,
    /// `div` of integers: with a remainder that is not negative; not of 0
    IntDivide,
    /// `mod` of integers: never negative; not of 0
    IntModulo,
    /// `bvshl`
    ShiftLeft,
    /// `bvlshr`
    LogicalShiftRight,
    /// `bvashr`
    ArithmeticShiftRight,
    /// `bvult`
    UnsignedLess,
    /// `bvule`
    UnsignedLessEqual,
    /// `bvslt`, or `<` of integers
    Less,
    /// `bvsle`, or `<=` of integers
    LessEqual,
    /// `concat`: the first operand has the higher bits
    Concat,
    /// `(_ extract high low)`
    Extract {
        /// The highest bit that is kept.
        high: u32,
        /// The lowest bit that is kept.
        low: u32,
    },
    /// `(_ zero_extend n)`
    ZeroExtend(u32),
    /// `(_ sign_extend n)`
    SignExtend(u32),
    /// `select`
    Select,
    /// `store`
    Store,
}

/// What a term is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// True or false.
    Bool(bool),
    /// A number of some bits; those above are 0.
    Bits(u128, u32),
    /// An integer.
    Int(i128),
    /// A variable, by its number in [`Terms::name`].
    Variable(u32),
    /// An array with one value everywhere.
    Constant(Term, Scalar),
    /// An operator and its operands.
    Apply(Op, Box<[Term]>),
}

/// Makes terms and knows what they are.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    nodes: Vec<(Node, Sort)>,
    known: FxHashMap<Node, Term>,
    names: Vec<Box<str>>,
    /// The variables, by name.
    variables: FxHashMap<Box<str>, Term>,
}

impl Terms {
    /// What a term is made of.
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index()].0
    }

    /// What a term stands for.
    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term.index()].1
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The name of a variable.
    pub fn name(&self, variable: u32) -> &str {
        &self.names[variable as usize]
    }

    /// The name of a term that is a variable.
    pub fn variable_name(&self, term: Term) -> Option<&str> {
        match *self.node(term) {
            Node::Variable(number) => Some(self.name(number)),
            _ => None,
        }
    }

    /// The operands of a term.
    pub fn operands(&self, term: Term) -> &[Term] {
        match self.node(term) {
            Node::Apply(_, operands) => operands,
            Node::Constant(value, _) => std::slice::from_ref(value),
            _ => &[],
        }
    }

    /// Terms and all that they are made of, each once, operands first.
    pub fn parts(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        let mut stack: Vec<(Term, bool)> = roots.iter().rev().map(|&it| (it, false)).collect();
        while let Some((term, is_done)) = stack.pop() {
            if is_done {
                found.push(term);
                continue;
            }
            if !seen.insert(term) {
                continue;
            }
            stack.push((term, true));
            stack.extend(self.operands(term).iter().map(|&it| (it, false)));
        }
        found
    }

    /// The variables of some terms, each once.
    pub fn variables_of(&self, roots: &[Term]) -> Vec<Term> {
        let mut parts = self.parts(roots);
        parts.retain(|&it| matches!(self.node(it), Node::Variable(_)));
        parts
    }

    /// A term with other terms in place of some, usually of variables.
    pub fn replace(&mut self, root: Term, with: &FxHashMap<Term, Term>) -> Term {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for part in self.parts(&[root]) {
            let new = match with.get(&part) {
                Some(&new) => new,
                None => match self.node(part).clone() {
                    Node::Apply(op, operands) => {
                        let operands: Vec<Term> = operands.iter().map(|it| made[it]).collect();
                        self.apply(op, &operands)
                    }
                    Node::Constant(value, index) => self.constant_array(made[&value], index),
                    _ => part,
                },
            };
            made.insert(part, new);
        }
        made[&root]
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.known.get(&node) {
            return term;
        }
        self.nodes.push((node.clone(), sort));
        let number = u32::try_from(self.nodes.len()).ok();
        let term = Term(
            number
                .and_then(NonZeroU32::new)
                .expect("fewer than 2^32 terms"),
        );
        self.known.insert(node, term);
        term
    }
}
