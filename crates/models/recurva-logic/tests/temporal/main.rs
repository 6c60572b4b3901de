//! Formulas, automata and their files against direct evaluation on words, and against other
//! tools where they are installed.

#![allow(clippy::print_stderr, reason = "tests that are skipped say so")]

mod corners;
mod families;
mod files;
mod formats;
mod lbt;
mod never;
mod peers;
mod pieces;
mod random;
mod rules;
mod words;
