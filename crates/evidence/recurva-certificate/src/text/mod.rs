//! Formulas as text, as people read and write them: C, with what ACSL adds to it.
//!
//! Operators, from the weakest to the tightest. Those of one line bind alike; all but `?:` and `==>`
//! group to the left.
//!
//! | | |
//! |---|---|
//! | `c ? a : b` | one of two |
//! | `<==>` | equality of truth values |
//! | `==>` | implication |
//! | `\|\|` | |
//! | `&&` | |
//! | `\|` | bits: see below |
//! | `^` | |
//! | `&` | |
//! | `==` `!=` | |
//! | `<` `<=` `>` `>=` | |
//! | `<<` `>>` | bits: see below |
//! | `+` `-` | |
//! | `*` `/` `%` | towards zero; 0 if the divisor is |
//! | `!` `-` `(int32)` `(uint8)` | a cast takes a value modulo 2^n |
//! | `x` `a[i]` `\old(x)` `\old(a)[i]` | |
//!
//! Integers are without bound. Only casts cut them, and operators on bits, whose type is that of the cast
//! on the left operand, or of the operation on bits that is the left operand: `(uint32)x & y`. `\old(x)` is
//! the value when the procedure was entered. What is no name of C stands between backquotes: `` `p->next` ``.

mod names;
mod parse;
mod print;
mod token;

pub use names::{Names, ProgramNames};
pub use parse::parse;
pub use print::{PrintError, print};

use recurva_model::Type;
use recurva_syntax::Power;

use crate::formula::{Arithmetic, BitOperator};

/// The most bytes of a formula's text that [`Proof`](crate::Proof)s in files have.
pub const LONGEST: usize = 1 << 20;

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Infix {
    Equivalent,
    Implies,
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Arithmetic(Arithmetic),
    Bits(BitOperator),
}

/// How tightly `?:` binds.
const CHOICE: u8 = 0;

/// How tightly operators in front of an operand bind.
const PREFIX: u8 = 13;

/// How tightly binds what is in no need of parentheses.
const ATOM: u8 = 14;

impl Infix {
    const ALL: [(&'static str, Infix); 20] = [
        ("<==>", Infix::Equivalent),
        ("==>", Infix::Implies),
        ("||", Infix::Or),
        ("&&", Infix::And),
        ("==", Infix::Equal),
        ("!=", Infix::NotEqual),
        ("<<", Infix::Bits(BitOperator::ShiftLeft)),
        (">>", Infix::Bits(BitOperator::ShiftRight)),
        ("<=", Infix::LessEqual),
        (">=", Infix::GreaterEqual),
        ("<", Infix::Less),
        (">", Infix::Greater),
        ("|", Infix::Bits(BitOperator::Or)),
        ("^", Infix::Bits(BitOperator::Xor)),
        ("&", Infix::Bits(BitOperator::And)),
        ("+", Infix::Arithmetic(Arithmetic::Add)),
        ("-", Infix::Arithmetic(Arithmetic::Subtract)),
        ("*", Infix::Arithmetic(Arithmetic::Multiply)),
        ("/", Infix::Arithmetic(Arithmetic::Divide)),
        ("%", Infix::Arithmetic(Arithmetic::Remainder)),
    ];

    fn text(self) -> &'static str {
        Infix::ALL
            .iter()
            .find(|(_, it)| *it == self)
            .map_or("", |(text, _)| text)
    }

    const fn level(self) -> u8 {
        match self {
            Infix::Equivalent => 1,
            Infix::Implies => 2,
            Infix::Or => 3,
            Infix::And => 4,
            Infix::Bits(BitOperator::Or) => 5,
            Infix::Bits(BitOperator::Xor) => 6,
            Infix::Bits(BitOperator::And) => 7,
            Infix::Equal | Infix::NotEqual => 8,
            Infix::Less | Infix::LessEqual | Infix::Greater | Infix::GreaterEqual => 9,
            Infix::Bits(BitOperator::ShiftLeft | BitOperator::ShiftRight) => 10,
            Infix::Arithmetic(Arithmetic::Add | Arithmetic::Subtract) => 11,
            Infix::Arithmetic(_) => 12,
        }
    }

    const fn power(self) -> Power {
        match self {
            Infix::Implies => Power::right(self.level()),
            _ => Power::left(self.level()),
        }
    }
}

/// The type as a cast names it.
fn type_text(ty: Type) -> String {
    let sign = if ty.is_signed() { "" } else { "u" };
    format!("{sign}int{}", ty.bits())
}

/// The type that a cast names.
fn type_of_text(text: &str) -> Option<Type> {
    let (signed, digits) = match text.strip_prefix("uint") {
        Some(digits) => (false, digits),
        None => (true, text.strip_prefix("int")?),
    };
    let is_plain = digits.len() <= 2 && digits.bytes().all(|it| it.is_ascii_digit());
    if !is_plain || digits.starts_with('0') {
        return None;
    }
    let bits: u8 = digits.parse().ok().filter(|bits| (1..=64).contains(bits))?;
    Some(Type::Int { bits, signed })
}

/// Whether a text looks like the name of a type: it is none of a variable's then.
fn is_like_type(text: &str) -> bool {
    let digits = text
        .strip_prefix("uint")
        .or_else(|| text.strip_prefix("int"));
    digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit()))
}

/// Types are told apart by their values: a truth value on which bits are looked at is a number of one bit.
fn as_integer(ty: Type) -> Type {
    match ty {
        Type::Bool => Type::unsigned(1),
        Type::Int { .. } => ty,
    }
}
