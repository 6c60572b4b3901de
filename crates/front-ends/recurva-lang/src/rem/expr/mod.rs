//! Expressions of Remopla: flat, operands first.
//!
//! [`grammar`] reads them, [`typing`] finds types and ranges, [`emit`] writes the operators of
//! the model. None of them recurses.

pub(crate) mod check;
mod constant;
mod emit;
mod grammar;
mod range;
mod typing;

pub(crate) use constant::{Constants, constant};
pub(crate) use grammar::{
    Infix, ParseExpr, at_quantifier, field, no_comparison, one_index, quantifier,
};

use recurva_model::Binary;
use recurva_syntax::Span;

use crate::names::{Name, NameId};

/// An expression in postfix order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expr {
    pub(crate) items: Box<[Item]>,
    pub(crate) span: Span,
}

/// An operator or an operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    pub(crate) what: What,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Number(i64),
    Truth(bool),
    /// `x`, `s.f`, or the variable of a quantifier.
    Leaf(Reference),
    /// `a[e]`, `a[e].f`, `s.f[e]`; pops the index.
    Element(Reference),
    Not,
    Negate,
    Binary(Binary),
    /// `&&` or `||`, between booleans only.
    Logical(Binary),
    /// `==` or `!=` that stands, without parentheses, behind a quantifier: of booleans, Moped
    /// takes only the left operand under the quantifier.
    Doubtful(Binary),
    /// Begins the scope of a quantifier; no operand.
    Bind(Quantifier),
    /// Ends it; pops the body.
    Quantify,
    /// An open bracket; never part of a finished expression.
    Parenthesis,
}

/// A name with the field it may be followed by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference {
    pub(crate) base: Name,
    pub(crate) field: Option<Name>,
}

/// `A i (low,high)` or `E i (low,high)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantifier {
    pub(crate) all: bool,
    pub(crate) name: NameId,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) span: Span,
}

impl Quantifier {
    /// How many values there are.
    pub(crate) fn count(&self) -> u64 {
        self.high.abs_diff(self.low) + 1
    }
}
