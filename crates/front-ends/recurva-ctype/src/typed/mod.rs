//! A unit in which every name is resolved, every expression has a type, every conversion is
//! there to be seen, and every constant has its value.

mod expression;
mod statement;

use recurva_syntax::Span;

use crate::{
    target::Target,
    types::{Qualified, RecordId},
};

pub use expression::{Binary, Builtin, Constant, Expr, ExprKind, Unary, Unsupported};
pub use statement::{Case, Stmt, StmtKind};

/// A variable with static storage of a unit, static ones of functions included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A function of a unit, with or without a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A variable of the function at hand: parameters first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// An expression of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A statement of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

/// A label of the function at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A string literal of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextId(pub u32);

/// A translation unit with its types.
#[derive(Debug)]
pub struct Unit {
    /// The machine it is for.
    pub target: Target,
    /// Its types.
    pub types: crate::Types,
    /// Its variables with static storage.
    pub objects: Vec<Object>,
    /// Its functions.
    pub functions: Vec<Function>,
    /// Its string literals: the bytes in memory, with the zero at the end.
    pub texts: Vec<Text>,
    /// Its expressions, inner ones before those around them.
    pub exprs: Vec<Expr>,
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// The names of types that are declared at the outermost level, for messages.
    pub typedefs: Vec<(Box<str>, Qualified)>,
}

/// A string literal.
#[derive(Debug)]
pub struct Text {
    /// Its bytes as they lie in memory, with the zero at the end.
    pub bytes: Vec<u8>,
    /// The array that it is.
    pub ty: Qualified,
}

/// Who can see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// Every unit.
    External,
    /// This unit.
    Internal,
    /// One function, or one block.
    None,
}

/// How much of an object this unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Definition {
    /// Nothing: it is in another unit.
    Elsewhere,
    /// It is here, all zero unless another unit defines it.
    Tentative,
    /// It is here.
    Here,
}

/// A variable with static storage.
#[derive(Debug)]
pub struct Object {
    /// Its name in the source. Compound literals at the outermost level have none.
    pub name: Box<str>,
    /// Its name for the linker, if that differs: `asm("…")`, `alias`.
    pub link_name: Option<Box<str>>,
    /// Its type. The length of an array is known where it is defined.
    pub ty: Qualified,
    /// Its alignment, if it has more than its type's.
    pub align: Option<u64>,
    /// Who can see it.
    pub linkage: Linkage,
    /// Whether it is here.
    pub definition: Definition,
    /// `_Thread_local`
    pub is_thread_local: bool,
    /// `__attribute__((weak))`: a definition in another unit may take its place.
    pub is_weak: bool,
    /// The function it is declared in, if it is.
    pub function: Option<FunctionId>,
    /// Its initial value; zero otherwise. All values are constants of the linker: numbers, and
    /// addresses of objects and functions with an offset.
    pub init: Option<Initial>,
    /// Its declaration: the name.
    pub span: Span,
}

/// A function.
#[derive(Debug)]
pub struct Function {
    /// Its name in the source.
    pub name: Box<str>,
    /// Its name for the linker, if that differs.
    pub link_name: Option<Box<str>>,
    /// `__attribute__((alias("…")))`: the other name is that of a function of this unit, which all
    /// units may call by this one's.
    pub is_alias: bool,
    /// Its type, a function.
    pub ty: Qualified,
    /// Who can see it.
    pub linkage: Linkage,
    /// `inline` without `extern`: a body in another unit may be called instead.
    pub is_inline: bool,
    /// `_Noreturn`, `__attribute__((noreturn))`
    pub is_noreturn: bool,
    /// `__attribute__((constructor))`: runs before `main`.
    pub is_constructor: bool,
    /// `__attribute__((weak))`: a definition in another unit may take its place.
    pub is_weak: bool,
    /// Its body.
    pub body: Option<Body>,
    /// Its name, where it is defined or first declared.
    pub span: Span,
}

/// The body of a function.
#[derive(Debug)]
pub struct Body {
    /// Its variables: the parameters first, in order, then those of its blocks and of compound
    /// literals in them.
    pub locals: Vec<Local>,
    /// How many of them are parameters.
    pub parameters: u32,
    /// Its labels.
    pub labels: Vec<Label>,
    /// What it does: a block.
    pub block: StmtId,
    /// All of the definition.
    pub span: Span,
    /// The closing brace.
    pub end: Span,
}

/// A variable of a function.
#[derive(Debug)]
pub struct Local {
    /// Its name; what the compiler makes up has none.
    pub name: Option<Box<str>>,
    /// Its type.
    pub ty: Qualified,
    /// Its alignment, if it has more than its type's.
    pub align: Option<u64>,
    /// Where it is declared.
    pub span: Span,
}

/// A label of a function.
#[derive(Debug)]
pub struct Label {
    /// Its name.
    pub name: Box<str>,
    /// Where it stands.
    pub span: Span,
}

/// The initial value of an object. What is not said is zero.
#[derive(Debug, Default)]
pub struct Initial {
    /// Values for parts of the object; a later one wins. A value that is a record initialises all
    /// of that record. A text ([`ExprKind::Text`]) may initialise an array of characters: it is
    /// cut to its length, or followed by zeros.
    pub parts: Vec<InitialPart>,
    /// Whether all of the object is given by one value that is no list, so that nothing is zero
    /// before it.
    pub is_whole: bool,
}

/// The initial value of a part of an object.
#[derive(Debug)]
pub struct InitialPart {
    /// Which part: steps into records and arrays; none for all of it.
    pub path: Box<[InitStep]>,
    /// The part's type.
    pub ty: Qualified,
    /// Its value, converted to that type.
    pub value: ExprId,
}

/// A step into an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InitStep {
    /// A field of a record, by its place among the fields.
    Field(RecordId, u32),
    /// An element of an array.
    Index(u64),
}

impl Unit {
    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A statement.
    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A variable with static storage.
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.0 as usize]
    }
}
