//! Expressions.

use recurva_syntax::Span;

use super::{ExprId, Ident, Init, StmtId, TypeName};

/// An expression.
#[derive(Debug)]
pub struct Expr {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: ExprKind,
}

/// What an expression is.
#[derive(Debug)]
pub enum ExprKind {
    /// A name of a variable, a function or an enumerator.
    Name(Ident),
    /// A number, as it is written: the span has it.
    Number,
    /// A character constant, as it is written.
    Char,
    /// String literals that stand behind each other, each as it is written, with quotes and prefix.
    Text(Vec<Span>),
    /// `(e)`
    Paren(ExprId),
    /// `base[index]`
    Index {
        /// What stands before the bracket.
        base: ExprId,
        /// What stands in it.
        index: ExprId,
    },
    /// A call.
    Call {
        /// What is called.
        callee: ExprId,
        /// With these arguments.
        arguments: Vec<ExprId>,
    },
    /// `base.name` or `base->name`
    Member {
        /// The left side.
        base: ExprId,
        /// The field.
        name: Ident,
        /// Whether it is `->`.
        is_arrow: bool,
    },
    /// `++e`, `e++`, `--e`, `e--`
    Step(StepOperator, ExprId),
    /// An operator with one operand, `*` and `&` included.
    Unary(UnaryOperator, ExprId),
    /// An operator with two operands, `&&` and `||` included.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// Where it stands.
        operator_span: Span,
        /// The left operand.
        left: ExprId,
        /// The right operand.
        right: ExprId,
    },
    /// `c ? a : b`; without `a` its value is that of the condition (GNU).
    Conditional {
        /// Which of them.
        condition: ExprId,
        /// If it is not zero.
        then: Option<ExprId>,
        /// If it is zero.
        other: ExprId,
    },
    /// An assignment.
    Assign {
        /// `=`, or the operator of `+=` and the like.
        operator: AssignOperator,
        /// Where it stands.
        operator_span: Span,
        /// What is assigned to.
        target: ExprId,
        /// The right side.
        value: ExprId,
    },
    /// `a, b`: as many as there are; the last one is the value.
    Comma(Vec<ExprId>),
    /// `(T)e`
    Cast(Box<TypeName>, ExprId),
    /// `(T){ … }`
    Compound(Box<TypeName>, Init),
    /// `({ … })`: the statement is a block.
    Block(StmtId),
    /// `sizeof`
    Sizeof(Operand),
    /// `_Alignof`
    Alignof(Operand),
    /// `_Generic(e, T: e, default: e)`
    Generic {
        /// Its type decides.
        control: ExprId,
        /// The choices.
        associations: Vec<Association>,
    },
    /// `&&label` (GNU)
    LabelAddress(Ident),
    /// What looks like a call but takes types.
    Builtin(BuiltinCall),
}

/// What `sizeof` is asked of.
#[derive(Debug)]
pub enum Operand {
    /// An expression, which is not evaluated unless its type is an array of variable length.
    Expr(ExprId),
    /// A type.
    Type(Box<TypeName>),
}

/// A choice of `_Generic`.
#[derive(Debug)]
pub struct Association {
    /// For this type; `None` is `default`.
    pub ty: Option<TypeName>,
    /// The value.
    pub value: ExprId,
}

/// Builtin functions with arguments that are no expressions.
#[derive(Debug)]
pub enum BuiltinCall {
    /// `__builtin_va_arg(list, T)`
    VaArg(ExprId, Box<TypeName>),
    /// `__builtin_offsetof(T, a.b[3])`
    Offsetof(Box<TypeName>, Vec<OffsetStep>),
    /// `__builtin_types_compatible_p(T, T)`
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_choose_expr(c, a, b)`
    ChooseExpr(ExprId, ExprId, ExprId),
}

/// A step of `offsetof`.
#[derive(Clone, Copy, Debug)]
pub enum OffsetStep {
    /// A field.
    Field(Ident),
    /// An element.
    Index(ExprId),
}

/// `++` and `--`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepOperator {
    /// `++e`
    PreIncrement,
    /// `--e`
    PreDecrement,
    /// `e++`
    PostIncrement,
    /// `e--`
    PostDecrement,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `*`
    Deref,
    /// `&`
    Address,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    Complement,
    /// `!`
    Not,
    /// `__real__`
    Real,
    /// `__imag__`
    Imaginary,
    /// `__extension__`
    Extension,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// `=`, or an operator and `=`: one of the first seven operators, or of the three on bits.
pub type AssignOperator = Option<BinaryOperator>;
