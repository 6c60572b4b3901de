//! The expressions of a unit that are evaluated, byte by byte: what a tool needs that puts its
//! own code around them.
//!
//! It is a view of the tree, computed in one pass: expressions become simpler ones in the order
//! in which they stand in the tree ([`project`]), statements are walked for the expressions they
//! evaluate ([`roots`]). What is not evaluated (`sizeof`, `typeof`, constant initial values) is
//! left out.

mod project;
mod roots;
mod tree;

use recurva_syntax::with_stack;

use crate::{
    error::Result,
    parse::{STACK, parse_up_to},
};

pub use tree::{Expr, ExprId, ExprKind, Function, Root, Unit, Use};

/// Reads a translation unit as `cc -E` prints it, for the expressions that are evaluated.
pub fn parse(text: &[u8]) -> Result<Unit> {
    // Chains of operators are flat here, however long they are.
    with_stack(STACK, || {
        project::project(&parse_up_to(text, u32::MAX)?, text)
    })
}
