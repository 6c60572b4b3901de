//! The interpreter: what a module means, step by step and byte by byte, with a real stack.
//!
//! A [`Machine`] runs a valid module in a [`World`], which gives it unknown values and does what
//! functions without a body do. [`Replay`] repeats recorded choices, [`Random`] makes them up, and
//! [`Native`] does what the C library does.
//!
//! Memory is an address space: every object that can be pointed to has addresses of its own, and a
//! pointer is a number in memory like any other. Casts, unions and copies byte by byte need no rules
//! of their own.
//!
//! Where a program does something that has no meaning and no check came before it, the run ends as
//! if the check had been there: a division by zero, a shift by too much, an access of what is not
//! there or is a constant ([`crate::Check::Bounds`]), a call that does not fit its function.
//!
//! An unknown value that stands for a variable without one ([`crate::Unknown::Uninitialised`]) is
//! chosen by the world like any other, and its bytes still count as not initialised. Of a bit-field
//! the bytes that it touches count together.
//!
//! `float` and `double` are computed as such; `long double` as a `double`, which lies
//! in the first eight of its bytes.

mod bytes;
mod call;
mod display;
mod evaluate;
mod layout;
mod leaks;
mod machine;
mod memory;
mod names;
mod native;
mod number;
mod observe;
mod outcome;
mod random;
mod replay;
mod snapshot;
mod state;
mod step;
mod values;
mod world;

pub use display::Shown;
pub use leaks::Allocated;
pub use machine::Machine;
pub use native::Native;
pub use observe::{Change, Event, Happened, Observer, Owner, View};
pub use outcome::{Checks, Leaks, Options, Outcome};
pub use random::{Random, RandomNumbers};
pub use replay::Replay;
pub use snapshot::Snapshot;
pub use state::Position;
pub use world::{ChoiceError, ExternalCall, MemoryAccess, Reply, Value, World};
