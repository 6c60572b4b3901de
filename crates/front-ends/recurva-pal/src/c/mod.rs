//! Monitors in real C programs.
//!
//! - `instrument`: puts a monitor into a preprocessed unit.
//! - `prepare`: the C of a monitor, preprocessed as the unit is.
//! - `command`: what a compiler was asked to do.
//! - `toolchain`: runs it, with instrumented units in the place of the user's.
//! - `run_time`: what the program is linked with.
//! - `coverage`: how often each event matched.

mod command;
mod coverage;
mod instrument;
mod prepare;
mod run_time;
mod toolchain;

pub use command::{CommandError, CompilerCommand, Stage, is_preprocessed};
pub use coverage::coverage;
pub use instrument::{GuardKind, GuardSite, Moment, Order, Purpose, Refused, Weaving, Woven};
pub use prepare::{OWN, Prepared, VARIABLE, header_beside, request};
pub use run_time::{HEADER, Policy, SOURCE};
pub use toolchain::{Built, Failure, Preprocessed, Toolchain};
