//! Boolean programs, `.bp`: the language of SLAM's tools in all its dialects, with integers
//! and arrays.
//!
//! ```text
//! decl g;                                  // bool
//! decl int(8) n, a[4];  decl sint(16) k;   // n-bit unsigned, two's complement
//! int(8), bool next(int(8) x, b) begin     // two results; b is a bool parameter
//!   decl int(8) y;
//!   y := x + 1;                            // modulo 2^8
//!   if (y > 9 & b) then y := *; fi         // any value of y's type
//!   a[y % 4] := y;
//!   return y, !b;
//! end
//! void main() begin
//!   n, g := next(n, g);
//!   L: assert(n != 0);
//! end
//! ```
//!
//! A statement is a node of the model and its effect an edge; see [`parse()`].

mod assign;
mod ast;
mod body;
mod index;
mod lower;
mod parse;
mod scope;
mod statement;

use recurva_syntax::{Source, TokenKind};

use crate::token::{Keyword, Kind};
pub use index::index;

pub use crate::{expr::Dialect, parsed::Parsed};

/// How a text is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whose rules decide how `=` and `!=` bind.
    pub dialect: Dialect,
}

/// Reads a boolean program.
///
/// The node of a statement is the point before it, and a label names that node. `assert`
/// has one more node, a [failure](recurva_model::Failure), and a call whose result goes to
/// an element of an array one more for storing it; nothing else has nodes of its own.
/// Results are kept in hidden locals until the exit.
pub fn parse(source: &Source, options: &Options) -> Parsed {
    let (file, names, mut diagnostics) = parse::parse(source, options.dialect);
    // Names that are missing because of a broken declaration would only make noise.
    let program = match file.incomplete {
        true => None,
        false => lower::lower(source, file, &names, options.dialect, &mut diagnostics),
    };
    diagnostics.sort();
    Parsed {
        program,
        diagnostics,
    }
}

/// A keyword as messages show it.
fn describe(keyword: Keyword) -> &'static str {
    Kind::Keyword(keyword).describe()
}
