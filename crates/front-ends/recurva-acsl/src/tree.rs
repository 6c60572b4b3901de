//! Expressions, as they are written.

use recurva_syntax::Span;

/// How an expression is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// As in ACSL: integers without bound, `0 <= i < n` is a chain, `==>` is an implication.
    Acsl,
    /// As in C: with its conversions.
    C,
}

/// An expression: its parts, operands before what uses them; the last one is the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    /// How it is meant.
    pub notation: Notation,
    terms: Vec<Term>,
}

/// A part of an [`Expression`]: its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermId(pub(crate) u32);

impl TermId {
    /// The position.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// What a part of an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A number, or a character's.
    Number(Number),
    /// `\true`, `\false`
    Truth(bool),
    /// `\null`
    Null,
    /// A name.
    Name(Box<str>),
    /// `\result`
    Result,
    /// `\old(e)`, `\at(e, Pre)`: the value at a label.
    At(TermId, Label),
    /// An operator before its operand.
    Unary(UnaryOperator, TermId),
    /// An operator between its operands.
    Binary(BinaryOperator, TermId, TermId),
    /// `c ? a : b`
    Conditional(TermId, TermId, TermId),
    /// `a[i]`
    Index(TermId, TermId),
    /// `s.f`
    Field(TermId, Box<str>),
    /// `p->f`
    Arrow(TermId, Box<str>),
    /// `(int) e`
    Cast(CastType, TermId),
}

/// A number with what its suffix says of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its value.
    pub value: i128,
    /// `u`
    pub is_unsigned: bool,
    /// How many `l`.
    pub longs: u8,
    /// It is not written in decimal digits: then it may be unsigned without a suffix.
    pub is_bits: bool,
}

/// When something is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// `Pre`: when the function was entered.
    Pre,
    /// `Here`: where the annotation is.
    Here,
    /// `Old`, `\old`: when the function was entered, in its contract.
    Old,
    /// `Post`: when the function ends.
    Post,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `~`
    Complement,
    /// `*`
    Dereference,
    /// `&`
    Address,
}

/// An operator between its operands. A chain of comparisons is a conjunction already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `<==>`
    Equivalent,
    /// `==>`
    Implies,
    /// `||`
    Or,
    /// `^^`
    Xor,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
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
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
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
}

/// The type of a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastType {
    /// `integer`: without bound.
    Integer,
    /// `_Bool`, `boolean`
    Bool,
    /// An integer type of C; `None` is a plain `char`.
    Int {
        /// How wide.
        kind: IntKind,
        /// Whether it has a sign; only a plain `char` does not say.
        signed: Option<bool>,
    },
}

/// How wide an integer type of C is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntKind {
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `long long`
    LongLong,
    /// As wide as a pointer: `size_t`.
    Size,
    /// So many bits: `int32_t`.
    Bits(u8),
}

impl BinaryOperator {
    /// Whether it compares.
    pub const fn is_comparison(self) -> bool {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(
            self,
            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual
        )
    }
}

impl Expression {
    pub(crate) fn new(notation: Notation, terms: Vec<Term>) -> Option<Self> {
        (!terms.is_empty()).then_some(Expression { notation, terms })
    }

    /// The parts, operands before what uses them.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// A part.
    pub fn term(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// The whole.
    pub fn root(&self) -> TermId {
        TermId(self.terms.len() as u32 - 1)
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.term(self.root()).span
    }

    /// With all parts at one place: that of the text that they were taken out of.
    pub(crate) fn moved(mut self, span: Span) -> Self {
        self.terms.iter_mut().for_each(|term| term.span = span);
        self
    }
}
