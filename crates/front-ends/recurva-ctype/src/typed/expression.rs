//! Expressions with their types.

use recurva_syntax::Span;

use super::{ExprId, FunctionId, Initial, LabelId, LocalId, ObjectId, StmtId, TextId};
use crate::types::{Qualified, RecordId, TypeId};

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// Its bytes. Conversions that are not written have those of their operand.
    pub span: Span,
    /// Its type. Of a place, that of the object; [`ExprKind::Load`] and the like make values.
    pub ty: Qualified,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is. The first group are places, the others values.
#[derive(Debug)]
pub enum ExprKind {
    /// A variable with static storage.
    Object(ObjectId),
    /// A variable of the function.
    Local(LocalId),
    /// A string literal: an array.
    Text(TextId),
    /// A compound literal in a function: a variable that is given its value here.
    Compound(LocalId, Box<Initial>),
    /// `*e`: the operand is a pointer.
    Deref(ExprId),
    /// A field of a record, which is a place or, if a function has returned it, a value. `e->f` is
    /// a field of a [`ExprKind::Deref`], and a field of a record without a name two of these.
    Member(ExprId, RecordId, u32),
    /// A function.
    Function(FunctionId),

    /// The value of a place of a type that is no array.
    Load(ExprId),
    /// A pointer to the first element of an array, which is a place (or in a value).
    Decay(ExprId),
    /// A pointer to what is a place or a function; `&` or a function's name.
    Address(ExprId),
    /// A number, or null where the type is a pointer.
    Constant(Constant),
    /// The operand as another type: between numbers, pointers, booleans; to `void`.
    Convert {
        /// The operand.
        operand: ExprId,
        /// Whether it is written.
        is_cast: bool,
    },
    /// An operator on a number. `!` is a comparison with zero.
    Unary(Unary, ExprId),
    /// An operator on two numbers of the same type (of a shift, each has its own), or a comparison of
    /// two pointers. Comparisons are `int`.
    Binary(Binary, ExprId, ExprId),
    /// `pointer + index`, by elements; the index has been promoted.
    PointerAdd(ExprId, ExprId),
    /// `pointer - index`, by elements.
    PointerSubtract(ExprId, ExprId),
    /// `pointer - pointer`, in elements.
    PointerDifference(ExprId, ExprId),
    /// `&&`; operands are numbers or pointers.
    And(ExprId, ExprId),
    /// `||`
    Or(ExprId, ExprId),
    /// `c ? a : b`, converted to the common type. Without `a` (GNU) the condition is evaluated once.
    Conditional(ExprId, Option<ExprId>, ExprId),
    /// `place = value`; the value has the place's type. The result is the value that was stored.
    Assign(ExprId, ExprId),
    /// `place op= value`: the place's value as type `computed`, the operator, and back. Of pointers,
    /// `+=` and `-=` by elements, with `computed` the pointer's type.
    AssignOperator {
        /// The operator.
        operator: Binary,
        /// The left side.
        place: ExprId,
        /// The right side, converted to `computed` (of a shift, promoted; of a pointer, an index).
        value: ExprId,
        /// The type in which it is computed.
        computed: TypeId,
    },
    /// `++` and `--`: adds 1 or takes it away, of pointers an element.
    Step {
        /// What is stepped.
        place: ExprId,
        /// Whether it goes down.
        is_decrement: bool,
        /// Whether the result is the value before.
        is_postfix: bool,
        /// The type in which it is computed; the pointer's for pointers.
        computed: TypeId,
    },
    /// A call. The callee is a pointer to a function ([`ExprKind::Address`] of a
    /// [`ExprKind::Function`] where it is known). Arguments have the parameters' types; those beyond
    /// are promoted.
    Call(ExprId, Vec<ExprId>),
    /// A call of a function that the compiler knows and that is not declared: `__builtin_…`.
    Builtin(Builtin, Vec<ExprId>),
    /// `a, b`
    Comma(Vec<ExprId>),
    /// `({ … })`: the block without its last statement, and the value of that; `None` is `void`.
    Block(StmtId, Option<ExprId>),
    /// `va_arg(list, T)`: the expression's type says which.
    VaArg(ExprId),
    /// The size of an array of variable length, in bytes.
    SizeofVariable(TypeId),
    /// `&&label` (GNU)
    LabelAddress(LabelId),
    /// What has no meaning here. An error only if it is reached.
    Unsupported(Unsupported),
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// An integer or an enumerator, in the range of its type; an address that is a number.
    Int(i128),
    /// A floating-point number. Those of `long double` are rounded to `double`.
    Float(f64),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negate,
    /// `~`
    Complement,
    /// `!`: the operand is a number or a pointer; the result is `int`.
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
}

/// Functions of the compiler with a meaning of their own. Others that stand for a function of the
/// library (`__builtin_memcpy`, `__builtin_abort`) are calls of that function; `__builtin_expect` and
/// `__builtin_constant_p` are gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `__builtin_va_start(list, …)`
    VaStart,
    /// `__builtin_va_end(list)`
    VaEnd,
    /// `__builtin_va_copy(to, from)`
    VaCopy,
    /// `__builtin_alloca(size)`
    Alloca,
    /// `__builtin_unreachable()`
    Unreachable,
    /// `__builtin_trap()`
    Trap,
    /// `__builtin_clz` on the argument's type, and its `l` and `ll` forms.
    CountLeadingZeros,
    /// `__builtin_ctz`
    CountTrailingZeros,
    /// `__builtin_popcount`
    PopulationCount,
    /// `__builtin_parity`
    Parity,
    /// `__builtin_ffs`
    FindFirstSet,
    /// `__builtin_bswap16`, `32`, `64`: by the argument's type.
    SwapBytes,
    /// `__builtin_add_overflow(a, b, &r)`: whether the exact result does not fit `*r`.
    AddOverflow,
    /// `__builtin_sub_overflow`
    SubtractOverflow,
    /// `__builtin_mul_overflow`
    MultiplyOverflow,
    /// `__builtin_object_size`: what is not known is -1 (or 0).
    ObjectSize,
    /// `__builtin_frame_address`, `__builtin_return_address`: some address.
    FrameAddress,
    /// `__sync_synchronize` and fences: nothing.
    Fence,
}

/// What has no meaning here, for messages: "complex numbers".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unsupported(pub &'static str);
