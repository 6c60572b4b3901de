//! Flat recursive state machines, `.rsm`.
//!
//! ```text
//! component A1
//!   entry u1 u2
//!   exit  u4
//!   node  u3
//!   box   b1 : A2
//!   u1 -> b1.v1
//!   b1.v2 -> u3 : a          # optional letter; no letter is a silent step
//!   u3 -> u4
//!   label u3 : wr, rd        # propositions, on nodes and on ports (b1.v1)
//! init A1.u1
//! accept A1.u3
//! ```
//!
//! One item stands on a line; blanks and the order of items inside a component do not
//! matter. `docs/src/reference/flat-machines.md` is the full description.
//!
//! ```
//! use recurva_lang::rsm;
//! use recurva_syntax::Source;
//!
//! let text = "component A\n entry e\n exit x\n box b : A\n e -> x\n e -> b.e\n b.x -> x\ninit A.e\n";
//! let source = Source::new("loop.rsm", text)?;
//! let machine = rsm::parse(&source).rsm.expect("there are no errors");
//! assert_eq!(machine.len(), 4);
//! let again = Source::new("again.rsm", rsm::write(&machine))?;
//! assert_eq!(rsm::parse(&again).rsm.expect("it is written well").len(), 4);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod ast;
mod parse;
mod resolve;
mod write;

use recurva_model::Rsm;
use recurva_syntax::{Diagnostics, Source};

pub use write::write;

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The machine; `None` if and only if there were errors.
    pub rsm: Option<Rsm>,
    /// Errors and warnings in the order of the text.
    pub diagnostics: Diagnostics,
}

/// Reads a recursive state machine.
pub fn parse(source: &Source) -> Parsed {
    let (file, mut diagnostics) = parse::parse(source);
    let rsm = resolve::resolve(source, &file, &mut diagnostics);
    diagnostics.sort();
    Parsed { rsm, diagnostics }
}
