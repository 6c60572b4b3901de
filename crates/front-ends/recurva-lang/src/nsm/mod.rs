//! Nested state machines, `.nsm`.
//!
//! ```text
//! local  v1 : wr             # state and its propositions
//! call   v2 : en
//! return w2 : ex
//! local  v5
//! init   v1
//! v1 -> v2                   # local transition
//! v2 -call-> v1              # call
//! (v5, v2) -ret-> w2         # return from v5 to w2 if v2 is the pending call
//! ```
//!
//! One item stands on a line; blanks and the order of items do not matter.
//! `docs/src/reference/flat-machines.md` is the full description.
//!
//! ```
//! use recurva_lang::nsm;
//! use recurva_syntax::Source;
//!
//! let text = "local a b : p\ncall c\nreturn r\ninit a\na -> c\nc -call-> b\n(b, c) -ret-> r\n";
//! let source = Source::new("small.nsm", text)?;
//! let machine = nsm::parse(&source).nsm.expect("there are no errors");
//! assert_eq!(machine.states().len(), 4);
//! let again = Source::new("again.nsm", nsm::write(&machine))?;
//! assert_eq!(nsm::parse(&again).nsm.expect("it is written well").states().len(), 4);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod parse;
mod resolve;
mod write;

use recurva_model::Nsm;
use recurva_syntax::{Diagnostics, Source};

pub use write::write;

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The machine; `None` if and only if there were errors.
    pub nsm: Option<Nsm>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a nested state machine.
pub fn parse(source: &Source) -> Parsed {
    let (file, mut diagnostics) = parse::parse(source);
    let nsm = resolve::resolve(source, &file, &mut diagnostics);
    diagnostics.sort();
    Parsed { nsm, diagnostics }
}
