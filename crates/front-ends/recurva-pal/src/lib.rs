//! PAL: monitors that watch the calls and assignments of a program.
//!
//! A monitor (`.pal`, or BLAST's `.spc`) has variables and events. An event has a pattern, and
//! C code to run before and after each call or assignment that matches it; variables of the
//! event live as long as the call does. So a monitor knows at a return what it knew at the call:
//! it is an automaton on nested words (thesis, chapter 5).
//!
//! - [`lang`]: the language.
//! - [`library`]: rules for C programs that are part of recurva.
//! - [`weave`]: monitors on models: a program and a monitor become one program.
//!
//! ```
//! use recurva_pal::lang;
//! use recurva_syntax::Source;
//!
//! let source = Source::new("rule.pal", "
//!     global int infoo = 0;
//!     event { pattern { write($?); } guard { infoo == 0 } }
//!     event {
//!       pattern { $? = foo($?); }
//!       local int stored;
//!       before { action { stored = infoo; infoo = 1; } }
//!       after { action { infoo = stored; } }
//!     }")?;
//! let monitor = lang::parse(&source).monitor.expect("a right monitor");
//! assert_eq!(monitor.events.len(), 2);
//! assert_eq!(&*monitor.events[1].locals[0].variables[0].name.text, "stored");
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

pub mod c;
pub mod lang;
pub mod library;
pub mod weave;
