//! CaRet: linear-time temporal logic with calls and returns (Alur, Etessami and Madhusudan).
//!
//! A formula is read on a *nested word*: some steps from one position to the next are calls and
//! some are returns. Besides the operators of [`ltl`](crate::ltl), which go from a position to
//! the next one, there are those of two other chains:
//!
//! - *local*, `X_a F_a G_a U_a R_a W_a M_a N_a`: to the next position of the same invocation.
//!   After a call that is the one it returns to; there is none if it never returns, and none
//!   where the procedure ends.
//! - *callers*, `X_c F_c …`: to the position where the running procedure was called.
//!
//! Both may end. `X_a p` says that there is a next position, `N_a p` that `p` holds there if
//! there is one.
//!
//! Formulas are those of [`ltl`](crate::ltl), with the operator
//! [`Along`](crate::ltl::Operator::Along).
//!
//! ```
//! use recurva_logic::caret::{self, NestedWord, Position, Step};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("formula", "G(call -> X_a done)")?;
//! let formula = caret::parse(&source).formula.expect("no errors");
//! let at = |letter, then| Position { letter, then };
//! // `call` is bit 0 and `done` is bit 1: one call, which returns.
//! let mut word = NestedWord {
//!     stem: vec![at(0b01, Step::Call), at(0b00, Step::Return)],
//!     turn: vec![at(0b10, Step::Internal)],
//! };
//! let holds = |word: &NestedWord| caret::evaluate(&formula.formulas, formula.root, word);
//! assert_eq!(holds(&word), Some(true));
//! // A call that never returns has no next position of the same invocation.
//! word.stem.pop();
//! assert_eq!(holds(&word), Some(false));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod evaluate;
mod stand_ins;
mod translate;

use recurva_syntax::{Diagnostics, Source, Span};

use crate::ltl::{
    FormulaId, Formulas, Language, Parsed, ParsedFile, parse_file_in, parse_in, read_into,
};

pub use evaluate::{NestedWord, Position, Step, evaluate};
pub use translate::translate;

/// Reads the formula that a whole source is.
pub fn parse(source: &Source) -> Parsed {
    parse_in(Language::Caret, source)
}

/// Reads the formula at a place of a source into an arena; `None` if it is wrong, which is
/// reported. Names of atoms are not looked up.
pub fn parse_into(
    formulas: &mut Formulas,
    source: &Source,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Option<FormulaId> {
    read_into(formulas, Language::Caret, source, place, diagnostics)
}

/// Reads a file of named formulas. See [`ltl::parse_file`](crate::ltl::parse_file).
pub fn parse_file(source: &Source) -> ParsedFile {
    parse_file_in(Language::Caret, source)
}
