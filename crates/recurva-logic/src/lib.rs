//! Properties of recursive programs.
//!
//! - [`monitor`]: finite automata that watch a run, from `.mon` files.
//!
//! ```
//! use recurva_lang::bp;
//! use recurva_logic::monitor;
//! use recurva_syntax::Source;
//!
//! let text = "void main() begin A: skip; B: skip; end";
//! let source = Source::new("model.bp", text)?;
//! let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
//!
//! let source = Source::new(
//!     "order.mon",
//!     "monitor order
//!        init start
//!        target wrong
//!        start -> done when @A
//!        start -> wrong when @B",
//! )?;
//! let parsed = monitor::parse(&source, &program);
//! let monitors = parsed.monitors.expect("no errors");
//! assert_eq!(monitors[0].states().len(), 3);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

mod lines;
pub mod monitor;
