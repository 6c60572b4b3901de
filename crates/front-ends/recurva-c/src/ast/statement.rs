//! Statements.

use recurva_syntax::Span;

use super::{Attribute, Declaration, ExprId, FunctionDefinition, Ident, StaticAssert, StmtId};

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: StmtKind,
}

/// What a statement is.
#[derive(Debug)]
pub enum StmtKind {
    /// `e;`
    Expr(ExprId),
    /// `;`
    Empty,
    /// `{ … }`
    Block(Vec<BlockItem>),
    /// `if`
    If {
        /// The condition.
        condition: ExprId,
        /// If it is not zero.
        then: StmtId,
        /// If it is zero.
        other: Option<StmtId>,
    },
    /// `switch`
    Switch {
        /// What is compared.
        value: ExprId,
        /// The body with its `case`s, at any depth.
        body: StmtId,
    },
    /// `while`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: StmtId,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: StmtId,
        /// The condition.
        condition: ExprId,
    },
    /// `for`: its declarations are in a scope of their own.
    For {
        /// What is done first: an expression, or declarations.
        init: Option<Box<BlockItem>>,
        /// The condition; none is always.
        condition: Option<ExprId>,
        /// What is done after the body.
        step: Option<ExprId>,
        /// The body.
        body: StmtId,
    },
    /// `goto name;`
    Goto(Ident),
    /// `goto *e;` (GNU)
    GotoComputed(ExprId),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<ExprId>),
    /// `name: statement`
    Label {
        /// The name.
        name: Ident,
        /// Attributes behind the colon.
        attributes: Vec<Attribute>,
        /// What is labelled.
        body: StmtId,
    },
    /// `case e:`, `case e ... e:`
    Case {
        /// The value, or the first one.
        from: ExprId,
        /// The last value of a range (GNU).
        to: Option<ExprId>,
        /// What follows.
        body: StmtId,
    },
    /// `default:`
    Default(StmtId),
    /// `asm(…);`
    Asm(Box<Asm>),
}

/// What stands in a block.
#[derive(Debug)]
pub enum BlockItem {
    /// A statement.
    Stmt(StmtId),
    /// Declarations.
    Declaration(Declaration),
    /// A function within a function (GNU).
    Function(Box<FunctionDefinition>),
    /// `__label__ a, b;` (GNU)
    LocalLabels(Vec<Ident>),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
}

/// Inline assembler.
#[derive(Debug)]
pub struct Asm {
    /// All of it.
    pub span: Span,
    /// Its text has no instruction in it.
    pub is_empty: bool,
    /// What it writes.
    pub outputs: Vec<ExprId>,
    /// What it reads.
    pub inputs: Vec<ExprId>,
    /// Whether it may change memory, or jump.
    pub has_effects: bool,
}
