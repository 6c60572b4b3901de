//! The façade of Recurva: a program and a property in, a replayed verdict out.

mod explain;
mod options;
mod outcome;
mod property;
mod run;

pub use options::{Limits, Options, Order, Progress, Reductions, Watch};
pub use outcome::{InternalError, Limit, Outcome, Stats, Verdict, Violation};
pub use property::{Property, UnknownLabel};
pub use run::check;
