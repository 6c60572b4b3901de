//! The tree of a translation unit: all that the text says, as it says it. Types and meaning are
//! for `recurva-ctype`.
//!
//! Expressions and statements live in two lists of the [`Unit`] and are named by their place
//! there, inner ones before those around them.

mod declaration;
mod expression;
mod statement;

use recurva_syntax::Span;

use crate::names::Names;

pub use crate::parse::parse;
pub use declaration::{
    Alignment, ArraySize, Attribute, Basic, Declaration, Declarator, DeclaratorPart, Designator,
    EnumSpecifier, Enumerator, FieldDeclaration, FieldDeclarator, FunctionDefinition, Init,
    InitDeclarator, InitItem, Member, Parameter, Parameters, Qualifiers, RecordKind,
    RecordSpecifier, Specifiers, StaticAssert, Storage, TypeName, TypeSpecifier,
};
pub use expression::{
    AssignOperator, Association, BinaryOperator, BuiltinCall, Expr, ExprKind, OffsetStep, Operand,
    StepOperator, UnaryOperator,
};
pub use statement::{Asm, BlockItem, Stmt, StmtKind};

/// A name of a [`Unit`]: equal names have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(pub(crate) u32);

/// An expression of a [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub(crate) u32);

/// A statement of a [`Unit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub(crate) u32);

impl Name {
    /// Its place among the names of the unit.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl ExprId {
    /// Its place among the expressions of the unit.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl StmtId {
    /// Its place among the statements of the unit.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// A translation unit.
#[derive(Debug, Default)]
pub struct Unit {
    /// What stands at the outermost level, in order.
    pub items: Vec<Item>,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) stmts: Vec<Stmt>,
    pub(crate) names: Names,
    /// Where names of types of arrays stand, by offset. Only who knows the scopes can tell.
    pub(crate) array_types: Vec<u32>,
}

/// What stands at the outermost level of a unit.
#[derive(Debug)]
pub enum Item {
    /// A function with a body.
    Function(Box<FunctionDefinition>),
    /// Declarations of variables, functions and types.
    Declaration(Declaration),
    /// `_Static_assert(…);`
    StaticAssert(StaticAssert),
    /// `asm("…");`
    Assembler(Span),
}

impl Unit {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A statement.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.index()]
    }

    /// All expressions, inner ones before those around them.
    pub fn exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        (0..).map(ExprId).zip(&self.exprs)
    }

    /// The text of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The name with this text, if it occurs; keywords always do.
    pub fn find_name(&self, text: &str) -> Option<Name> {
        self.names.find(text.as_bytes())
    }
}
