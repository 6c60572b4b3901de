//! Pushdown systems, `.pds`: the plain format of Moped.
//!
//! ```text
//! (p <m0>)                          # the initial configuration
//! p <m0> --> p <s0 m1>              # a push: s0 is the new top
//! p <m1> --> q <m1> "a"             # a letter
//! p <s0> --> p <>                   # a pop
//! accept q                          # ours: all heads with location q
//! label p <m1> : back, home         # ours: propositions
//! ```
//!
//! Names are not declared. `docs/src/reference/flat-machines.md` is the full description.
//!
//! ```
//! use recurva_lang::pds;
//! use recurva_syntax::Source;
//!
//! let source = Source::new("x.pds", "(p <a>)\np <a> --> p <a a a>\np <a> --> p <>\n")?;
//! let system = pds::parse(&source).pds.expect("there are no errors");
//! // The right-hand side of three symbols has been split.
//! assert_eq!(system.rules().len(), 3);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod parse;
mod write;

use recurva_model::Pds;
use recurva_syntax::{Diagnostics, Source};

pub use write::write;

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The system; `None` if and only if there were errors.
    pub pds: Option<Pds>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a pushdown system.
pub fn parse(source: &Source) -> Parsed {
    let (pds, mut diagnostics) = parse::parse(source);
    diagnostics.sort();
    Parsed { pds, diagnostics }
}
