//! Expressions and places. Both are pure: to evaluate one changes nothing, and is possible wherever
//! the checks before it have passed.

use crate::{Bits, FunctionId, GlobalId, LocalId, RecordId, Scalar, TypeId};

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Scalar,
}

/// What is computed.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, cut to the type's bits; of `Bool`, 0 or 1; of a pointer, an address that is a bare
    /// number, null if it is 0.
    Const(u64),
    /// A floating-point number, rounded to the type.
    Float(f64),
    /// What is in memory there, or in a bit-field (extended to the type).
    Load(Box<Place>),
    /// The address of a place, which has no bits. That of a bit-field is where its bits are counted
    /// from.
    Address(Box<Place>),
    /// The address of a function.
    Function(FunctionId),
    /// An operator.
    Unary(Unary, Box<Expr>),
    /// An operator on two operands of the same type; of a shift, each has its own. `And` and `Or` of
    /// two `Bool`s evaluate both, which is harmless.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// The operand as a value of another type: integers are cut or extended by the operand's sign,
    /// to `Bool` means "is not zero", from `Bool` 0 or 1; floats are rounded, cut towards zero.
    /// Pointers to integers of their size and back keep what they point to.
    Convert(Box<Expr>),
    /// A pointer and an integer: so many times `size` bytes further on.
    Offset {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many, with or without a sign.
        index: Box<Expr>,
        /// The bytes of an element.
        size: u64,
    },
    /// How many times `size` bytes lie between two pointers into one object.
    Distance {
        /// The minuend.
        left: Box<Expr>,
        /// The subtrahend.
        right: Box<Expr>,
        /// The bytes of an element.
        size: u64,
    },
    /// One of two values: the condition is a `Bool`. Only the chosen one is evaluated.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether the exact result of an operator on two integers of one type does not fit that type.
    /// `Add`, `Subtract`, `Multiply`, `Divide` and, of a signed left operand, `ShiftLeft`.
    Overflows(Binary, Box<Expr>, Box<Expr>),
    /// Whether a floating-point number does not fit an integer type when cut.
    OutOfRange(Box<Expr>, crate::Int),
    /// Whether so many bytes can be read and written where a pointer points to: within one object
    /// that is alive.
    IsValid(Box<Expr>, u64),
    /// Whether a pointer points into an object that is alive, or just behind it.
    IsAlive(Box<Expr>),
    /// Whether a pointer can be freed: null, or the start of a heap object that is alive.
    IsFreeable(Box<Expr>),
    /// Whether a pointer is the address of a function with a body or a meaning.
    IsFunction(Box<Expr>),
    /// Whether the bytes of a place have been given a value.
    IsInitialised(Box<Place>),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// Negation, modulo 2^n on integers.
    Negate,
    /// Bitwise complement of integers; logical negation of `Bool`.
    Not,
    /// The bits in front of the highest 1; of 0 all of them.
    LeadingZeros,
    /// The bits behind the lowest 1; of 0 all of them.
    TrailingZeros,
    /// How many bits are 1.
    CountOnes,
    /// The bytes in the other order.
    SwapBytes,
}

/// Operators with two operands. Results wrap modulo 2^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, towards zero. A check comes before it.
    Divide,
    /// `%`, with the sign of the dividend. A check comes before it.
    Remainder,
    /// `<<`. A check comes before it.
    ShiftLeft,
    /// `>>`, arithmetic on signed integers. A check comes before it.
    ShiftRight,
    /// `&`, of `Bool` too
    And,
    /// `|`, of `Bool` too
    Or,
    /// `^`, of `Bool` too
    Xor,
    /// `==`, a `Bool`
    Equal,
    /// `!=`, a `Bool`
    NotEqual,
    /// `<`, a `Bool`
    Less,
    /// `<=`, a `Bool`
    LessEqual,
    /// `>`, a `Bool`
    Greater,
    /// `>=`, a `Bool`
    GreaterEqual,
}

/// A part of memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where it begins.
    pub base: Base,
    /// The way from there.
    pub path: Vec<Step>,
    /// The type of what is there.
    pub ty: TypeId,
    /// If it is a bit-field: its bits, counted from the place's first byte.
    pub bits: Option<Bits>,
}

/// Where a place begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Base {
    /// A variable.
    Var(Var),
    /// Where a pointer points to, taken as something of that type.
    Deref(Box<Expr>, TypeId),
}

/// A variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Var {
    /// Of the program.
    Global(GlobalId),
    /// Of the function at hand.
    Local(LocalId),
}

/// A step into a record or an array.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A field of a record.
    Field(RecordId, u32),
    /// An element of an array, by an integer. It may lie outside: what that means is for a check.
    Index(Box<Expr>),
}
