//! What others say about C programs: annotations in the notation of ACSL, and correctness witnesses.
//!
//! - [`read`] finds annotations in the text of a C source: comments that begin with `//@` or `/*@`. Each
//!   [`Annotation`] has [`Clause`]s and says where the next token stands: what follows decides later
//!   whether it is about a function, a loop or a statement.
//! - [`witness()`] reads a correctness witness of the software verification competition, format 2.0.
//! - [`Expression`] is what both consist of, a flat tree with places.
//!
//! What is wrong is an error; what is right and not supported is a warning, and left out. All of them are
//! reported at once. Nothing here knows what names mean, and nothing recurses over the text.
//!
//! ```
//! use recurva_acsl::{ClauseKind, read};
//! use recurva_syntax::Source;
//!
//! let text = "/*@ requires 0 <= n <= 100;\n    ensures \\result == 2 * n; */\nint twice(int n);\n";
//! let source = Source::new("twice.c", text)?;
//! let found = read(&source);
//! assert!(found.diagnostics.is_empty());
//! let clauses = &found.annotations[0].clauses;
//! assert_eq!(clauses[0].kind, ClauseKind::Requires);
//! assert_eq!(clauses[1].kind, ClauseKind::Ensures);
//! assert!(text[found.annotations[0].target as usize..].starts_with("int twice"));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod build;
mod clause;
mod find;
mod parse;
mod token;
mod tree;
mod witness;
mod yaml;

pub use clause::{Annotation, Annotations, Clause, ClauseKind, read};
pub use find::has_annotations;
pub use tree::{
    BinaryOperator, CastType, Expression, IntKind, Label, Notation, Number, Term, TermId, TermKind,
    UnaryOperator,
};
pub use witness::{Invariant, InvariantKind, Witness, witness};
