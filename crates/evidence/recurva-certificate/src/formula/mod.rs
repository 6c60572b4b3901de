//! What holds at a node of a program, in terms that do not depend on a solver.
//!
//! Arithmetic is that of integers without bound, as in ACSL: `x + 1` is larger than `x` even where the
//! program's own addition would wrap around. [`Node::Wrap`] says where it does.

mod build;
mod evaluate;
mod sorts;

pub use build::Builder;
pub use evaluate::{FormulaValue, Values};
pub use sorts::{IllFormed, Scope, Sort};

pub(crate) use sorts::Reading;

use std::collections::BTreeSet;

use recurva_model::{Type, VarRef};

/// A boolean expression over the variables of a procedure. Equal parts are there once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Formula {
    /// Operands before what uses them; the last one is the formula.
    nodes: Box<[Node]>,
}

/// The position of an operand among the nodes of a [`Formula`], or of a [`Builder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Part(u32);

impl Part {
    /// The position.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// When a variable is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum When {
    /// When the running procedure was entered. Only parameters and globals have a value then.
    Entry,
    /// Now.
    Now,
}

/// An operator or operand of a [`Formula`].
///
/// Variables and constants of type `bool` are truth values, all others are integers: that of an
/// unsigned variable is not negative, that of a signed one has its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// The value of a scalar variable.
    Variable(VarRef, When),
    /// An element of an array; 0 or false where there is none.
    Element(VarRef, When, Part),
    /// Negation.
    Not(Part),
    /// Conjunction.
    And(Part, Part),
    /// Disjunction.
    Or(Part, Part),
    /// Implication.
    Implies(Part, Part),
    /// Equality, of two integers or two truth values.
    Equal(Part, Part),
    /// `<` on integers.
    Less(Part, Part),
    /// `<=` on integers.
    LessEqual(Part, Part),
    /// The second if the first holds, else the third.
    If(Part, Part, Part),
    /// Arithmetic on integers.
    Arithmetic(Arithmetic, Part, Part),
    /// The value of the type that is the same modulo 2^n, n being its number of bits.
    Wrap(Type, Part),
    /// Bits of values of an integer type: both operands are wrapped to it first.
    Bits(BitOperator, Type, Part, Part),
}

/// Arithmetic without bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, towards zero; 0 if the divisor is.
    Divide,
    /// Remainder with the sign of the dividend; 0 if the divisor is.
    Remainder,
}

/// Operators that look at bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOperator {
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
    /// Exclusive or.
    Xor,
    /// Shift left by an amount that is read as unsigned; 0 if that is n or more.
    ShiftLeft,
    /// Shift right by an amount that is read as unsigned, arithmetic on signed types.
    ShiftRight,
}

impl Node {
    /// The operands.
    pub fn operands(&self) -> impl Iterator<Item = Part> + use<> {
        let (operands, count): ([Part; 3], usize) = match *self {
            Node::Bool(_) | Node::Int(_) | Node::Variable(..) => ([Part(0); 3], 0),
            Node::Element(_, _, one) | Node::Not(one) | Node::Wrap(_, one) => ([one; 3], 1),
            Node::And(left, right)
            | Node::Or(left, right)
            | Node::Implies(left, right)
            | Node::Equal(left, right)
            | Node::Less(left, right)
            | Node::LessEqual(left, right)
            | Node::Arithmetic(_, left, right)
            | Node::Bits(_, _, left, right) => ([left, right, right], 2),
            Node::If(condition, then, otherwise) => ([condition, then, otherwise], 3),
        };
        operands.into_iter().take(count)
    }

    /// The same with other operands.
    #[must_use]
    pub fn with_operands(self, mut new: impl FnMut(Part) -> Part) -> Self {
        match self {
            Node::Bool(_) | Node::Int(_) | Node::Variable(..) => self,
            Node::Element(array, when, index) => Node::Element(array, when, new(index)),
            Node::Not(one) => Node::Not(new(one)),
            Node::Wrap(ty, one) => Node::Wrap(ty, new(one)),
            Node::And(left, right) => Node::And(new(left), new(right)),
            Node::Or(left, right) => Node::Or(new(left), new(right)),
            Node::Implies(left, right) => Node::Implies(new(left), new(right)),
            Node::Equal(left, right) => Node::Equal(new(left), new(right)),
            Node::Less(left, right) => Node::Less(new(left), new(right)),
            Node::LessEqual(left, right) => Node::LessEqual(new(left), new(right)),
            Node::Arithmetic(op, left, right) => Node::Arithmetic(op, new(left), new(right)),
            Node::Bits(op, ty, left, right) => Node::Bits(op, ty, new(left), new(right)),
            Node::If(condition, then, otherwise) => {
                Node::If(new(condition), new(then), new(otherwise))
            }
        }
    }
}

impl Formula {
    /// True.
    pub fn truth() -> Self {
        Formula {
            nodes: [Node::Bool(true)].into(),
        }
    }

    /// False.
    pub fn falsity() -> Self {
        Formula {
            nodes: [Node::Bool(false)].into(),
        }
    }

    /// The nodes, operands before what uses them; the last one is the formula.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The last node.
    pub fn root(&self) -> Part {
        Part(self.nodes.len() as u32 - 1)
    }

    /// Whether it is nothing but true.
    pub fn is_truth(&self) -> bool {
        *self.nodes == [Node::Bool(true)]
    }

    /// Whether it is nothing but false.
    pub fn is_falsity(&self) -> bool {
        *self.nodes == [Node::Bool(false)]
    }

    /// The parts whose conjunction the formula is, each once.
    pub fn conjuncts(&self) -> Vec<Formula> {
        let parts = self.conjunct_parts().into_iter();
        parts.map(|it| self.part(it)).collect()
    }

    /// Where the parts are whose conjunction the formula is.
    pub(crate) fn conjunct_parts(&self) -> Vec<Part> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::new();
        let mut stack = vec![self.root()];
        while let Some(part) = stack.pop() {
            if !seen.insert(part) {
                continue;
            }
            match self.nodes[part.index()] {
                Node::And(left, right) => stack.extend([right, left]),
                _ => found.push(part),
            }
        }
        found
    }

    /// A part as a formula of its own. Only what it is made of is looked at.
    pub(crate) fn part(&self, part: Part) -> Formula {
        let mut used = BTreeSet::new();
        let mut stack = vec![part];
        while let Some(part) = stack.pop() {
            if used.insert(part) {
                stack.extend(self.nodes[part.index()].operands());
            }
        }
        let used: Vec<Part> = used.into_iter().collect();
        // Positions keep their order, so operands still come before what uses them.
        let place = |part: Part| Part(used.binary_search(&part).unwrap_or(0) as u32);
        Formula {
            nodes: used
                .iter()
                .map(|it| self.nodes[it.index()].with_operands(place))
                .collect(),
        }
    }
}
