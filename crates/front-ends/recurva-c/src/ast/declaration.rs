//! Declarations: specifiers, declarators, initialisers.

use recurva_syntax::Span;

use super::{ExprId, Ident, StmtId};

/// A function with a body.
#[derive(Debug)]
pub struct FunctionDefinition {
    /// All of it.
    pub span: Span,
    /// What stands before the name.
    pub specifiers: Specifiers,
    /// The name and its parameters: the part next to the name is a function.
    pub declarator: Declarator,
    /// The declarations of parameters in the old style, between the head and the body.
    pub old_style: Vec<Declaration>,
    /// The body, a block.
    pub body: StmtId,
}

/// A declaration: `static const int x = 1, *p;`
#[derive(Debug)]
pub struct Declaration {
    /// All of it, with the semicolon.
    pub span: Span,
    /// What all declarators share.
    pub specifiers: Specifiers,
    /// What is declared; nothing in `struct s { … };`.
    pub declarators: Vec<InitDeclarator>,
}

/// Something that is declared, with its initial value.
#[derive(Debug)]
pub struct InitDeclarator {
    /// What is declared.
    pub declarator: Declarator,
    /// `asm("name")` behind it.
    pub asm_name: Option<Span>,
    /// The initial value.
    pub init: Option<Init>,
}

/// `_Static_assert(condition, "message");`
#[derive(Debug)]
pub struct StaticAssert {
    /// All of it.
    pub span: Span,
    /// What must hold.
    pub condition: ExprId,
}

/// Storage classes and the specifiers of functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Storage {
    /// `typedef`
    pub is_typedef: bool,
    /// `extern`
    pub is_extern: bool,
    /// `static`
    pub is_static: bool,
    /// `auto`
    pub is_auto: bool,
    /// `register`
    pub is_register: bool,
    /// `_Thread_local`, `__thread`
    pub is_thread_local: bool,
    /// `inline` and its spellings
    pub is_inline: bool,
    /// `_Noreturn`
    pub is_noreturn: bool,
}

/// Qualifiers of a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Qualifiers {
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `restrict`
    pub is_restrict: bool,
    /// `_Atomic` without parentheses
    pub is_atomic: bool,
}

/// What stands before the declarators.
#[derive(Debug)]
pub struct Specifiers {
    /// All of them; empty if there are none (`main() { … }`).
    pub span: Span,
    /// Storage class.
    pub storage: Storage,
    /// Qualifiers.
    pub qualifiers: Qualifiers,
    /// `_Alignas(…)`
    pub alignments: Vec<Alignment>,
    /// `__attribute__((…))` here.
    pub attributes: Vec<Attribute>,
    /// The type.
    pub ty: TypeSpecifier,
}

/// `_Alignas(…)`
#[derive(Debug)]
pub enum Alignment {
    /// As that type.
    Type(Box<TypeName>),
    /// A number of bytes.
    Expr(ExprId),
}

/// One attribute of `__attribute__((…))`, also of `[[…]]`.
#[derive(Debug)]
pub struct Attribute {
    /// Its name, without `__` around it and without the prefix `gnu::`.
    pub name: Ident,
    /// Its arguments as expressions, where they are ones; others (formats, names of types) are
    /// read past.
    pub arguments: Vec<ExprId>,
    /// All of it.
    pub span: Span,
}

/// A type as it is specified.
#[derive(Debug)]
pub enum TypeSpecifier {
    /// Nothing: `int`.
    Implicit,
    /// One or more keywords.
    Basic(Basic),
    /// `struct` or `union`.
    Record(Box<RecordSpecifier>),
    /// `enum`
    Enum(Box<EnumSpecifier>),
    /// A name that a `typedef` has declared.
    Named(Ident),
    /// `typeof(expression)`
    TypeofExpr(ExprId),
    /// `typeof(type)`
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`
    VaList,
    /// `__auto_type`
    Auto,
}

/// Types that are keywords, whatever the order in which these are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Basic {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned int`
    UnsignedInt,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UnsignedInt128,
    /// `float`, also `_Float32`
    Float,
    /// `double`, also `_Float64`, `_Float32x`
    Double,
    /// `long double`, also `_Float64x`
    LongDouble,
    /// `__float128`, `_Float128`
    Float128,
    /// `_Float16`
    Float16,
    /// `_Complex` with any of them
    Complex,
    /// `_Decimal32`, `_Decimal64`, `_Decimal128`
    Decimal,
}

/// Whether members lie behind each other or on each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// `struct tag { … }`
#[derive(Debug)]
pub struct RecordSpecifier {
    /// `struct` or `union`.
    pub kind: RecordKind,
    /// All of it.
    pub span: Span,
    /// Its tag.
    pub tag: Option<Ident>,
    /// Its members, if they are given here.
    pub members: Option<Vec<Member>>,
    /// Attributes before the tag or behind the brace.
    pub attributes: Vec<Attribute>,
    /// `#pragma pack` in force at the closing brace, in bytes; 0 is none.
    pub pack: u8,
}

/// A line of a record.
#[derive(Debug)]
pub enum Member {
    /// Fields, or a record without a name.
    Field(FieldDeclaration),
    /// `_Static_assert`
    StaticAssert(StaticAssert),
}

/// Fields of one type.
#[derive(Debug)]
pub struct FieldDeclaration {
    /// All of it.
    pub span: Span,
    /// What all declarators share.
    pub specifiers: Specifiers,
    /// The fields; none is a member without a name.
    pub declarators: Vec<FieldDeclarator>,
}

/// A field.
#[derive(Debug)]
pub struct FieldDeclarator {
    /// Its name, which a bit-field may lack.
    pub declarator: Declarator,
    /// The width of a bit-field.
    pub width: Option<ExprId>,
}

/// `enum tag { … }`
#[derive(Debug)]
pub struct EnumSpecifier {
    /// All of it.
    pub span: Span,
    /// Its tag.
    pub tag: Option<Ident>,
    /// The type of its constants, if that is given: `enum e : unsigned char` (C23).
    pub underlying: Option<Box<Specifiers>>,
    /// Its constants, if they are given here.
    pub enumerators: Option<Vec<Enumerator>>,
    /// Attributes before the tag or behind the brace.
    pub attributes: Vec<Attribute>,
}

/// A constant of an enumeration.
#[derive(Debug)]
pub struct Enumerator {
    /// Its name.
    pub name: Ident,
    /// Its value, if it is given.
    pub value: Option<ExprId>,
}

/// A name and what its type is made of. Abstract in the name of a type.
#[derive(Debug)]
pub struct Declarator {
    /// All of it.
    pub span: Span,
    /// The name.
    pub name: Option<Ident>,
    /// From the name outwards: `*a[3]` is an array, then a pointer.
    pub parts: Vec<DeclaratorPart>,
    /// Attributes behind it, or between its parts.
    pub attributes: Vec<Attribute>,
}

/// A step from a name to its type.
#[derive(Debug)]
pub enum DeclaratorPart {
    /// `*`: a pointer to what follows.
    Pointer(Qualifiers),
    /// `[…]`: an array of what follows.
    Array {
        /// Its length.
        size: ArraySize,
        /// Qualifiers in the brackets, of the pointer that a parameter becomes.
        qualifiers: Qualifiers,
    },
    /// `(…)`: a function that returns what follows.
    Function(Parameters),
}

/// The length of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    /// `[e]`, also `[static e]`
    Expr(ExprId),
}

/// The parameters of a function.
#[derive(Debug)]
pub enum Parameters {
    /// With their types; `(void)` is an empty list.
    Prototype {
        /// The parameters.
        list: Vec<Parameter>,
        /// Whether `...` follows.
        is_variadic: bool,
    },
    /// In the old style: names only. `()` is an empty list.
    Names(Vec<Ident>),
}

/// A parameter with its type.
#[derive(Debug)]
pub struct Parameter {
    /// All of it.
    pub span: Span,
    /// The type.
    pub specifiers: Specifiers,
    /// Its name, if it has one, and what its type is made of.
    pub declarator: Declarator,
}

/// The name of a type, as in a cast.
#[derive(Debug)]
pub struct TypeName {
    /// All of it.
    pub span: Span,
    /// The type.
    pub specifiers: Specifiers,
    /// What it is made of; has no name.
    pub declarator: Declarator,
}

/// An initial value.
#[derive(Debug)]
pub enum Init {
    /// A value.
    Expr(ExprId),
    /// `{ … }`
    List(Vec<InitItem>, Span),
}

/// A value in braces.
#[derive(Debug)]
pub struct InitItem {
    /// Where it goes, if that is said: `.x[3] =`.
    pub designators: Vec<Designator>,
    /// The value.
    pub init: Init,
    /// All of it.
    pub span: Span,
}

/// A step to where an initial value goes.
#[derive(Clone, Copy, Debug)]
pub enum Designator {
    /// `.x`, also `x:`
    Field(Ident),
    /// `[e]`
    Index(ExprId),
    /// `[e ... e]`
    Range(ExprId, ExprId),
}
