//! Expressions as they are written: flat, operands first, before names and types are known.

mod blame;
pub(crate) mod check;
mod grammar;
mod reading;
mod typing;

pub(crate) use grammar::{Grammar, ParseExpr, type_name};
pub use reading::Dialect;

use recurva_model::{Binary, Type};
use recurva_syntax::Span;

use crate::names::NameId;

/// An expression in postfix order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Expr {
    pub(crate) items: Box<[Item]>,
    /// The items as the other dialect reads the text, where that differs.
    pub(crate) other: Option<Box<[Item]>>,
    pub(crate) span: Span,
}

impl Expr {
    /// Whether it is nothing but `*`.
    pub(crate) fn is_any(&self) -> bool {
        matches!(
            *self.items,
            [Item {
                what: What::Any,
                ..
            }]
        )
    }
}

/// An operator, an operand, or a bracket that waits to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) what: What,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A number; `0` and `1` may be booleans.
    Number(u64),
    /// `T` or `F`.
    Truth(bool),
    /// `*` or `?`.
    Any,
    /// A scalar.
    Leaf(Leaf),
    /// An element of an array; pops the index.
    Element(Leaf),
    Not,
    Negate,
    Binary(Binary),
    /// An explicit conversion.
    Convert(Type),
    /// `schoose[a, b]`; pops two operands.
    Schoose,
    /// An open bracket; never part of a finished expression.
    Parenthesis,
}

/// What a name in an expression may refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    /// `x`
    Name(NameId),
    /// `'x`
    Next(NameId),
    /// `f::x`
    Local(NameId, NameId),
    /// `@L`
    Label(NameId),
    /// `@f::L`
    LabelIn(NameId, NameId),
    /// `in(f)`
    In(NameId),
}
