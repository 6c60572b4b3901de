//! Automata in the Hanoi Omega-Automata format, version 1.
//!
//! Written are generalised Büchi automata with marks on transitions. Read are Büchi and
//! generalised Büchi automata with marks on states or transitions, with labels on states or
//! transitions or implicit ones, with aliases, and with several initial states. Anything else
//! (other acceptance conditions, alternation) is reported at its place.
//!
//! ```
//! use recurva_logic::{automaton::{self, Config}, hoa, ltl};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("formula", "G F a")?;
//! let formula = ltl::parse(&source).formula.expect("no errors");
//! let automaton = automaton::translate(&formula, &Config::default()).expect("it is small");
//! let mut text = String::new();
//! hoa::write(&mut text, &automaton, "G F a").expect("strings can be written to");
//! assert!(text.contains("[0] 0 {0}"));
//!
//! let source = Source::new("a.hoa", text)?;
//! let again = hoa::parse(&source).automaton.expect("no errors");
//! assert!(again.accepts(&[], &[0, 1]) && !again.accepts(&[1], &[0]));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod body;
mod header;
mod label;
mod read;
mod token;
mod write;

pub use read::{Parsed, parse};
pub use write::write;
