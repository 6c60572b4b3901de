//! Front ends: from text to models.
//!
//! - [`bp`]: boolean programs with integers and arrays.
//! - [`rem`]: Remopla, the language of Moped 2.
//! - [`rsm`], [`pds`]: flat recursive state machines and pushdown systems, read and written.
//! - [`nsm`]: nested state machines, read and written.
//! - [`model`]: a model of any of these formats as a program.
//! - [`guard`]: conditions on a program, for properties.
//! - [`provenance`]: where the statements of a program came from that was made from C.
//!
//! A front end reports all errors it finds, each at its exact place, and gives a program
//! only if there is none. Nothing in a text makes it panic or overflow the stack: expressions
//! may be nested a million deep.
//!
//! ```
//! use recurva_lang::bp;
//! use recurva_syntax::{Source, Style};
//!
//! let text = "decl g; void main() begin g := T; L: assert(g); end";
//! let source = Source::new("good.bp", text)?;
//! let parsed = bp::parse(&source, &bp::Options::default());
//! let program = parsed.program.expect("there are no errors");
//! assert_eq!(program.labels()[0].name.as_ref(), "L");
//!
//! let source = Source::new("bad.bp", text.replace("assert(g)", "assert(h)"))?;
//! let parsed = bp::parse(&source, &bp::Options::default());
//! assert!(parsed.program.is_none());
//! let message = parsed.diagnostics.render(&source, Style::Plain);
//! assert!(message.contains("there is no variable `h`"));
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

pub mod bp;
mod condition;
mod count;
mod expr;
mod flat;
mod flow;
pub mod guard;
mod index;
pub mod model;
mod names;
pub mod nsm;
mod parsed;
mod parsing;
pub mod pds;
pub mod provenance;
pub mod rem;
pub mod rsm;
mod token;
mod variables;
