//! The façade of Recurva: a program and a property in, a replayed verdict out.

mod accepted;
mod caret;
mod confirm;
mod explain;
pub mod flat;
mod glance;
mod live;
pub mod nested;
mod options;
mod outcome;
mod portfolio;
mod property;
mod question;
mod rival;
mod run;
mod searched;
pub mod spec;

pub use confirm::{REPLAY, Unconfirmed, confirm};
pub use options::{
    Engine, ExplicitProgress, Limits, Options, Order, Progress, Reductions, Runs, Stack,
    SymbolicProgress, Threads, Watch,
};
pub use outcome::{InternalError, Kinds, Limit, Outcome, Stats, Verdict, Violation};
pub use property::{Ltl, Never, Property, UnknownLabel};
pub use recurva_slice::{Count, Dropped};
pub use run::check;
