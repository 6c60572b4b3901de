//! What operators mean, and how tightly they bind.

use recurva_syntax::Power;

use crate::{
    token::Symbol,
    tree::{BinaryOperator, Notation, UnaryOperator},
};

/// Operators before an operand.
pub(super) fn prefix(symbol: Symbol) -> Option<UnaryOperator> {
    Some(match symbol {
        Symbol::Not => UnaryOperator::Not,
        Symbol::Minus => UnaryOperator::Negate,
        Symbol::Plus => UnaryOperator::Plus,
        Symbol::Complement => UnaryOperator::Complement,
        Symbol::Times => UnaryOperator::Dereference,
        Symbol::BitAnd => UnaryOperator::Address,
        _ => return None,
    })
}

/// Operators between operands. In ACSL all comparisons bind alike, as they may form chains.
pub(super) fn infix(symbol: Symbol, notation: Notation) -> Option<(BinaryOperator, Power)> {
    use BinaryOperator as B;
    let is_acsl = notation == Notation::Acsl;
    let comparison = |level| Power::left(if is_acsl { 12 } else { level });
    Some(match symbol {
        Symbol::Equivalent if is_acsl => (B::Equivalent, Power::left(2)),
        Symbol::Implies if is_acsl => (B::Implies, Power::right(3)),
        Symbol::Or => (B::Or, Power::left(4)),
        Symbol::Xor if is_acsl => (B::Xor, Power::left(5)),
        Symbol::And => (B::And, Power::left(6)),
        Symbol::BitOr => (B::BitOr, Power::left(9)),
        Symbol::BitXor => (B::BitXor, Power::left(10)),
        Symbol::BitAnd => (B::BitAnd, Power::left(11)),
        Symbol::Equal => (B::Equal, comparison(12)),
        Symbol::NotEqual => (B::NotEqual, comparison(12)),
        Symbol::Less => (B::Less, comparison(13)),
        Symbol::LessEqual => (B::LessEqual, comparison(13)),
        Symbol::Greater => (B::Greater, comparison(13)),
        Symbol::GreaterEqual => (B::GreaterEqual, comparison(13)),
        Symbol::ShiftLeft => (B::ShiftLeft, Power::left(14)),
        Symbol::ShiftRight => (B::ShiftRight, Power::left(14)),
        Symbol::Plus => (B::Add, Power::left(15)),
        Symbol::Minus => (B::Subtract, Power::left(15)),
        Symbol::Times => (B::Multiply, Power::left(16)),
        Symbol::Divide => (B::Divide, Power::left(16)),
        Symbol::Remainder => (B::Remainder, Power::left(16)),
        _ => return None,
    })
}
