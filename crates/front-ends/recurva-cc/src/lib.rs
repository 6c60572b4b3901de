//! The user's C compiler at work.
//!
//! C is read after the user's own compiler has preprocessed it, with the user's own options; what
//! types are like is what that compiler says; and a program that is shown to fail is compiled by it
//! and run. Everything here can be stopped: whoever waits for a compiler or a program is asked now
//! and then whether to go on. All other programs, solvers for one, are started from here as well.

mod bounded;
mod compiler;
mod process;

pub use bounded::{Bounds, run_bounded};
pub use compiler::{Compiler, Failure, Unit};
pub use process::{Ended, Finished, run};
