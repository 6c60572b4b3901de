//! Boolean programs as they are written.

use recurva_model::Type;
use recurva_syntax::Span;

use crate::{expr::Expr, names::Name};

#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) globals: Vec<Declaration>,
    pub(crate) procedures: Vec<Procedure>,
    /// A declaration could not be read: names may be missing.
    pub(crate) incomplete: bool,
}

#[derive(Debug)]
pub(crate) struct Declaration {
    pub(crate) name: Name,
    pub(crate) ty: Type,
    pub(crate) len: Option<u32>,
}

#[derive(Debug)]
pub(crate) struct Procedure {
    pub(crate) name: Name,
    /// From the first type to the closing parenthesis.
    pub(crate) head: Span,
    pub(crate) results: Vec<Type>,
    /// Where the types of the results stand.
    pub(crate) results_span: Span,
    pub(crate) parameters: Vec<Declaration>,
    pub(crate) locals: Vec<Declaration>,
    pub(crate) enforce: Vec<Expr>,
    pub(crate) body: Vec<Statement>,
    /// The word `end`.
    pub(crate) end: Span,
    /// A statement could not be read: labels may be missing.
    pub(crate) incomplete: bool,
}

#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) labels: Vec<Name>,
    pub(crate) kind: StatementKind,
    /// The statement without its labels; only the head of an `if` or `while`.
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum StatementKind {
    /// `skip`, and labels at the end of a block.
    Skip,
    Goto(Vec<Name>),
    Return(Vec<Expr>),
    Assign {
        targets: Vec<Target>,
        values: Vec<Expr>,
        constraint: Option<Expr>,
    },
    Call {
        targets: Vec<Target>,
        callee: Name,
        arguments: Vec<Expr>,
    },
    If {
        branches: Vec<Branch>,
        otherwise: Vec<Statement>,
    },
    While(Branch),
    Assert(Expr),
    /// `assume` and `constrain`.
    Assume(Expr),
    AbortIf(Expr),
    Dead(Vec<Name>),
    Print(Vec<Expr>),
    /// Could not be read, which has been reported.
    Broken,
}

#[derive(Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Expr,
    /// The word before the condition and the condition.
    pub(crate) head: Span,
    pub(crate) body: Vec<Statement>,
}

#[derive(Debug)]
pub(crate) enum Target {
    /// `_`
    Nothing,
    Scalar(Name),
    Element(Name, Expr),
}
