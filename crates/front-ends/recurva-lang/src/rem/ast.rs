//! Remopla as it is written, with constants already replaced by their values.

use recurva_model::Type;
use recurva_syntax::Span;

use super::expr::{Expr, Quantifier, Reference};
use crate::names::Name;

#[derive(Debug, Default)]
pub(crate) struct File {
    /// Constants with their values; expressions have the values only.
    pub(crate) constants: Vec<(Name, i64)>,
    pub(crate) structs: Vec<Struct>,
    pub(crate) globals: Vec<Declaration>,
    pub(crate) prototypes: Vec<Head>,
    pub(crate) modules: Vec<Module>,
    /// The module that `init` names.
    pub(crate) init: Option<Name>,
    /// A declaration could not be read: names may be missing.
    pub(crate) incomplete: bool,
}

/// `struct S { … };`
#[derive(Debug)]
pub(crate) struct Struct {
    pub(crate) name: Name,
    pub(crate) fields: Vec<Declaration>,
}

/// A type without its dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A bool or an integer.
    Scalar(Type),
    /// A struct, by its position in the file.
    Struct(u32),
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) shape: Shape,
    pub(crate) len: Option<u32>,
}

/// The head of a module.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) name: Name,
    /// `None` for `void`.
    pub(crate) result: Option<Shape>,
    /// Where the type of the result stands.
    pub(crate) result_span: Span,
    pub(crate) parameters: Vec<Declaration>,
    /// From `module` to the closing parenthesis.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) head: Head,
    pub(crate) body: Body,
}

/// What stands between the braces of a module.
#[derive(Debug, Default)]
pub(crate) struct Body {
    pub(crate) locals: Vec<Declaration>,
    pub(crate) statements: Vec<Statement>,
    /// The closing brace.
    pub(crate) end: Span,
    /// A statement could not be read: labels may be missing.
    pub(crate) incomplete: bool,
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: StatementKind,
    /// The statement without its labels; only the word of an `if` or `do`.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    /// `skip`, and labels at the end of a block.
    Skip,
    /// `skip (e)`: a step only where the condition holds.
    Assume(Expr),
    Goto(Name),
    Break,
    Return(Option<Value>),
    Assign(Vec<Assign>),
    Call {
        target: Option<Target>,
        callee: Name,
        arguments: Vec<Value>,
    },
    If(Choice),
    Do(Choice),
    /// Could not be read, which has been reported.
    Broken,
}

/// The branches of `if` or `do`.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    pub(crate) branches: Vec<Branch>,
    /// The branch behind `else`.
    pub(crate) otherwise: Option<Otherwise>,
}

#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) guard: Expr,
    pub(crate) body: Vec<Statement>,
}

#[derive(Debug)]
pub(crate) struct Otherwise {
    pub(crate) word: Span,
    pub(crate) body: Vec<Statement>,
}

/// One of the assignments that happen together.
#[derive(Debug)]
pub(crate) struct Assign {
    /// `A i (0,2)` before it: the assignment for all values.
    pub(crate) all: Vec<Quantifier>,
    pub(crate) target: Target,
    pub(crate) value: Value,
}

/// A variable, a field, an element or all of an array or struct.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) reference: Reference,
    pub(crate) index: Option<Expr>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Any value.
    Undef,
    Expr(Expr),
}
