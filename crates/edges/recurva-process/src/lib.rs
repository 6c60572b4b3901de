//! How a process of Recurva behaves towards the system and the user: how it ends, what it says on
//! its two streams, the files it writes, the memory it may use, and who stops it if it does not
//! stop by itself.
//!
//! No other crate writes files, prints or asks whether there is a terminal. What is said and written
//! is for the caller to decide. A process that this crate is part of has its allocator, which
//! counts ([`memory`]) and ends the process with an answer where the library would abort it.

pub mod amounts;
mod deadline;
mod exit;
pub mod files;
pub mod interrupt;
pub mod memory;
pub mod output;
mod progress;
mod raw;
pub mod watchdog;

pub use deadline::Deadline;
pub use exit::Exit;
pub use progress::Line;

/// To be called first: from now on a process that gets no more memory says what is known so far and
/// ends.
pub fn prepare() {
    raw::prepare(watchdog::last_words);
}
