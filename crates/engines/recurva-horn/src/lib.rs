//! Programs as Horn clauses with summaries, solved by Spacer.
//!
//! [`prove`] looks for a proof that some nodes of a program are never reached. A solver is asked for what
//! holds at loops and calls, first of integers without bound, which is easy, then of the numbers that the
//! program computes with. Nothing that it says is believed: what follows from it over bits is kept, the
//! nodes between are given formulas of their own, and the whole is checked as a proof.

mod affine;
mod clause;
mod exact;
mod fill;
mod finish;
mod houdini;
mod judge;
mod large;
mod lemmas;
mod linear;
mod make;
mod prove;
mod reduced;
mod scope;
mod script;

pub use prove::{Config, Outcome, Stage, prove};
