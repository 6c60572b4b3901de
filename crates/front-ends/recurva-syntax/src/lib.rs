//! What the text formats of Recurva share.
//!
//! - [`Source`] and [`Span`]: a text with a name, and places in it.
//! - [`Diagnostic`], [`Diagnostics`]: what is wrong and where, collected without stopping at
//!   the first error, printed with the source lines.
//! - [`Cursor`]: tokens one at a time, with the usual "expected …, found …" messages.
//! - [`Postfix`]: operator precedence on an explicit stack. No input is nested too deeply.
//! - [`with_stack`]: room for the walks that do recur.
//! - [`nearest()`]: the name the user may have meant.
//! - [`Index`]: where names are declared and used, for editors.
//!
//! This crate knows no language. It never panics on any input, and the cost of printing a
//! message does not depend on how long the lines of the source are.
//!
//! ```
//! use recurva_syntax::{Diagnostic, Diagnostics, Source, Span, Style};
//!
//! let source = Source::new("lock.bp", "x := yy;\n")?;
//! let mut diagnostics = Diagnostics::default();
//! diagnostics.report(|| {
//!     Diagnostic::error("there is no variable `yy`", Span::new(5, 7)).help("did you mean `y`?")
//! });
//! assert!(diagnostics.has_errors());
//! let text = diagnostics.render(&source, Style::Plain);
//! assert!(text.contains("lock.bp:1:6"));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod cursor;
mod deep;
mod diagnostic;
mod index;
mod lines;
mod nearest;
mod postfix;
mod render;
mod source;

pub use cursor::{Cursor, Lexer, Token, TokenKind};
pub use deep::with_stack;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use index::{Index, Symbol, SymbolId, SymbolKind};
pub use lines::Lines;
pub use nearest::{did_you_mean, nearest};
pub use postfix::{Postfix, Power};
pub use render::Style;
pub use source::{LoadError, Source, Span};
