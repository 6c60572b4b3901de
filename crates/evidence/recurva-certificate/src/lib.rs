//! Proofs that a program never comes to some of its nodes, and their checker.
//!
//! A [`Proof`] says with a [`Formula`] what holds at nodes of the program, between the values when the
//! running procedure was entered and those of now. The formula of a procedure's exit is its summary:
//! so a proof is finite though the stack is not.
//!
//! What makes a proof is not believed. Nothing here knows how it was found.

pub mod formula;
mod proof;

pub use formula::{Builder, Formula};
pub use proof::Proof;
