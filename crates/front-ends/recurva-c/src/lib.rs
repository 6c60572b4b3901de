//! Preprocessed C, as `cc -E` prints it, with the extensions of GNU C that real programs and the
//! headers of their systems use.
//!
//! - [`ast::parse`] reads a translation unit into a tree of all that it says ([`ast::Unit`]).
//! - [`parse`] reads it for one purpose: to know every expression that is evaluated, where its
//!   bytes are, and what may be put around it. [`Unit`] has the functions with a body; each
//!   [`Function`] the expressions of its statements, initialisers and array sizes, as trees of
//!   [`Expr`].
//! - [`Places`] says which line of which file of the user's a byte comes from.
//! - [`tokens`] splits any text of C.
//!
//! There are no types here beyond knowing which names are types, which C cannot be read without.
//! Nothing is ever guessed: what the grammar does not cover is an [`Unreadable`] with its place.
//! A text can be of any kind and length: brackets that are nested too deeply, and expressions
//! that are too high for a walk by recursion, are errors like all others.
//!
//! ```
//! let text = b"int f(int);\nint main(void) { return f(f(2)); }\n";
//! let unit = recurva_c::parse(text)?;
//! assert_eq!(unit.functions().len(), 1);
//! assert_eq!(unit.functions()[0].name(text), "main");
//! # Ok::<(), recurva_c::Unreadable>(())
//! ```

pub mod ast;
mod error;
mod evaluated;
mod lex;
mod names;
mod parse;
mod places;
mod word;

pub use error::Unreadable;
pub use evaluated::{Expr, ExprId, ExprKind, Function, Root, Unit, Use, parse};
pub use lex::{Kind, Token, tokens};
pub use places::{Place, Places};
