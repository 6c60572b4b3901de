//! Proofs that a program never comes to some of its nodes, and their checker.
//!
//! A [`Proof`] says with a [`Formula`] what holds at nodes of the program, between the values when the
//! running procedure was entered and those of now. The formula of a procedure's exit is its summary:
//! so a proof is finite though the stack is not.
//!
//! What makes a proof is not believed. Nothing here knows how it was found. [`check::check`] checks it,
//! [`text`] writes formulas as people read them, and [`mod@file`] keeps proofs in files.

pub mod check;
pub mod file;
pub mod formula;
mod place;
mod proof;
pub mod text;

pub use formula::{Builder, Formula};
pub use place::NodeKind;
pub use proof::Proof;
