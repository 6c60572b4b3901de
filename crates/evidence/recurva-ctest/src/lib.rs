//! A run of a C program as a test case: the user's own text, compiled by the user's own compiler,
//! with a harness that gives every unknown value the one that the run needs.
//!
//! A program that ends somehow proves nothing: a failed assumption may abort, too. So what must be
//! reached ends the program with an exit code of its own ([`FAILED`]), and a run that wants other values
//! than were found with another one ([`STRAYED`]).

mod execute;
mod harness;
mod instrument;
mod report;

pub use execute::{Executed, execute};
pub use harness::{
    FAILED, Files, MALLOC, ROUNDS, STRAYED, Start, TestCase, Unit, Value, ValueKind,
};
pub use instrument::{Fault, Goal};
pub use report::Report;
