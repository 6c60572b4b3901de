//! Tests of the book in `docs/` and of the other pages: what they say of the command line is
//! true, what they quote is in the files, and their links lead somewhere.
//!
//! What the commands of the book print is tested by `tests/book.rs`.

mod commands;
mod links;
mod options;
mod page;
