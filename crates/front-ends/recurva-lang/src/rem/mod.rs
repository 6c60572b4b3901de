//! Remopla, `.rem`: the language of Moped 2.
//!
//! ```text
//! define DEFAULT_INT_BITS 4
//! define N 3
//! struct S { int a(2); bool b; };
//! int list[N];  bool found;  struct S s;
//! module int next(int x);                       // a prototype
//! init main;
//! module void main() {
//!   int i;
//!   i = 0, found = false;
//!   do
//!     :: i < N && !found -> found = (E j (0,N-1) list[j] == i); i = next(i);
//!     :: i == 2 -> s = undef;
//!     :: else -> break;
//!   od;
//!   done: skip;
//! }
//! module int next(int x) { return x + 1; }      // no step where 16 does not fit
//! ```
//!
//! Expressions are computed with numbers, not with bits: a value that does not fit in what it
//! is assigned to blocks the step. See `docs/src/reference/remopla.md` for what is known of Moped and what
//! is decided here.

mod assign;
mod ast;
mod body;
mod call;
mod declaration;
mod expr;
mod index;
mod lower;
mod parse;
mod scope;
mod statement;

use recurva_syntax::Source;

pub use index::index;

pub use crate::parsed::Parsed;

/// Reads a Remopla program.
///
/// The node of a statement is the point before it, and a label names that node. A call whose
/// result must be converted or goes to an element has one more node, for storing it. Structs
/// become one variable for each field, named `s.f`.
///
/// ```
/// use recurva_lang::rem;
/// use recurva_syntax::Source;
///
/// let text = "int x(2); init main; module void main() { x = 3; L: x = x + 1; M: skip; }";
/// let program = rem::parse(&Source::new("x.rem", text)?).program.expect("no errors");
/// assert_eq!(program.labels().len(), 2);
/// # Ok::<(), recurva_syntax::LoadError>(())
/// ```
pub fn parse(source: &Source) -> Parsed {
    let (file, names, mut diagnostics) = parse::parse(source);
    // Names that are missing because of a broken declaration would only make noise.
    let program = match file.incomplete {
        true => None,
        false => lower::lower(source, &file, &names, &mut diagnostics),
    };
    diagnostics.sort();
    Parsed {
        program,
        diagnostics,
    }
}
