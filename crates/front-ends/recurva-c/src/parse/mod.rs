//! The parser: preprocessed C as a tree.
//!
//! It goes down from the outermost level, one function for each form of the grammar; only
//! operators have a stack of their own ([`expression`]). What a name means is decided by the
//! declarations before it ([`scope`]). Every loop that a long text can drive (operands, `else if`,
//! labels, initial values) is a loop here, too; brackets and blocks are nested calls, and limited.

mod assembler;
mod attribute;
mod basic;
mod declaration;
mod declarator;
mod expression;
mod initialiser;
mod pack;
mod postfix;
mod primary;
mod record;
mod scope;
mod specifiers;
mod state;
mod statement;
mod stream;

use recurva_syntax::{Span, with_stack};

use crate::{
    ast::Unit,
    error::{Result, Unreadable},
};
use state::Parser;

/// Expressions may be so high. Whoever walks a tree by recursion needs a bound.
pub(crate) const HEIGHT: u32 = 4_000;
/// The stack of the parser: a level of brackets takes some thousand bytes, and there are at most
/// [`state::DEPTH`] of them.
pub(crate) const STACK: usize = 16 << 20;
/// What is said of one that is higher.
pub(crate) const TOO_HIGH: &str = "a smaller expression: this one has too many operators";

/// Reads a translation unit as `cc -E` prints it.
///
/// ```
/// let unit = recurva_c::ast::parse(b"int twice(int x) { return 2 * x; }")?;
/// assert_eq!(unit.items.len(), 1);
/// # Ok::<(), recurva_c::Unreadable>(())
/// ```
pub fn parse(text: &[u8]) -> Result<Unit> {
    with_stack(STACK, || parse_up_to(text, HEIGHT))
}

/// Reads a unit whose expressions are not higher than this.
pub(crate) fn parse_up_to(text: &[u8], height: u32) -> Result<Unit> {
    if text.len() >= u32::MAX as usize {
        return Err(Unreadable {
            span: Span::at(0),
            expected: "less than 4 GiB of text",
        });
    }
    Parser::new(text, height).unit()
}
