//! C with its types.
//!
//! [`check`] takes the tree of a unit and gives it back with every name resolved, every expression
//! typed, every conversion written out and every constant computed, as the compiler of a [`Target`]
//! does it.

mod check;
mod compatible;
mod constant;
mod describe;
mod layout;
mod literal;
mod table;
mod target;
pub mod typed;
mod types;

use recurva_syntax::{Diagnostics, with_stack};

pub use table::Types;
pub use target::Target;
pub use types::{
    Bits, Enum, EnumId, Field, FloatKind, Foreign, FunctionType, IntKind, Layout, Length,
    Qualified, Record, RecordId, Type, TypeId,
};

/// The stack of a check. Trees are at most some thousands high; this is enough for several times
/// what that needs.
const STACK: usize = 256 << 20;

/// What a check says.
#[derive(Debug)]
pub struct Checked {
    /// The unit with its types, unless there is an error.
    pub unit: Option<typed::Unit>,
    /// What is wrong with it, and what may not be meant.
    pub diagnostics: Diagnostics,
}

/// Checks a unit, whose text this is, for a machine.
///
/// What a compiler rejects is an error. What it accepts with a warning is accepted. What it accepts
/// and has no meaning here (complex numbers, assembler) is marked as such in the tree.
pub fn check(unit: &recurva_c::ast::Unit, text: &[u8], target: Target) -> Checked {
    let (typed, diagnostics) = with_stack(STACK, || check::check(unit, text, target));
    Checked {
        unit: (!diagnostics.has_errors()).then_some(typed),
        diagnostics,
    }
}
