//! Statements.

use recurva_syntax::Span;

use super::{ExprId, Initial, LabelId, LocalId, StmtId, Unsupported};

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is. Scopes are resolved: a block is nothing but a list.
#[derive(Debug)]
pub enum StmtKind {
    /// An expression whose value is dropped.
    Expr(ExprId),
    /// A list; variables declared in it end here.
    Block(Vec<StmtId>),
    /// A variable begins to live, with its initial value or any.
    Declare(LocalId, Option<Box<Initial>>),
    /// The length of an array of variable length is computed, once per declaration: the local
    /// variable that [`crate::Length::Variable`] names is given this value.
    ArrayLength(LocalId, ExprId),
    /// `if`; the condition is a number or a pointer.
    If(ExprId, StmtId, Option<StmtId>),
    /// `switch`: the value is promoted, the cases are in its type.
    Switch {
        /// What is compared.
        value: ExprId,
        /// The cases, in the order of the text; no two of them overlap.
        cases: Vec<Case>,
        /// `default`
        default: Option<LabelId>,
        /// The body, in which the cases are [`StmtKind::Label`]s.
        body: StmtId,
    },
    /// `while`
    While(ExprId, StmtId),
    /// `do … while`
    DoWhile(StmtId, ExprId),
    /// `for`: what is done first (a list), the condition, the step, the body.
    For(StmtId, Option<ExprId>, Option<ExprId>, StmtId),
    /// `goto`
    Goto(LabelId),
    /// `goto *e` (GNU): to one of the labels whose address is taken.
    GotoComputed(ExprId),
    /// A label, or a case of a `switch`: what follows it is the next statement of the list.
    Label(LabelId),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`; the value has the function's type.
    Return(Option<ExprId>),
    /// Nothing: `;`, assembler without an instruction.
    Empty,
    /// What has no meaning here. An error only if it is reached.
    Unsupported(Unsupported),
}

/// A case of a `switch`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The first value.
    pub from: i128,
    /// The last value; the same unless it is a range.
    pub to: i128,
    /// Where it goes on. Labels of cases have names like `case 3`.
    pub label: LabelId,
    /// Where it stands.
    pub span: Span,
}
