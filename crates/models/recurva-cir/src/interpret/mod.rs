//! The interpreter: what a module means, step by step and byte by byte, with a real stack.
//!
//! A [`Machine`] runs a valid module in a [`World`], which gives it unknown values and does what
//! functions without a body do. [`Replay`] repeats recorded choices, [`Random`] makes them up, and
//! [`Native`] does what the C library does.
//!
//! Memory is an address space: every object that can be pointed to has addresses of its own, and a
//! pointer is a number in memory like any other. Casts, unions and copies byte by byte need no rules
//! of their own. `float` and `double` are computed as such; `long double` as a `double`, which lies
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
mod state;
mod step;
mod values;
mod world;

pub use display::Shown;
pub use machine::Machine;
pub use native::Native;
pub use observe::{Change, Event, Happened, Observer, View};
pub use outcome::{Checks, Leaks, Options, Outcome};
pub use random::Random;
pub use replay::Replay;
pub use state::Position;
pub use world::{ChoiceError, ExternalCall, MemoryAccess, Reply, Value, World};
