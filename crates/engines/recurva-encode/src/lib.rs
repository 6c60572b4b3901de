//! Programs as terms of SMT: what a step from given values to other values requires.
//!
//! Three engines share this: Horn clauses, predicate abstraction and unrolling. The checker of proofs
//! does not: it has an encoder of its own.
//!
//! An [`Encoder`] says what numbers are ([`Numbers`]): bits, as they are; or integers without bound,
//! which solvers find invariants for more easily. A proof about such integers is only a proposal.

mod back;
mod encoder;
mod expression;
mod joints;
mod number;
mod step;
mod store;

pub use back::{Meaning, Meanings, back};
pub use encoder::{Encoder, Numbers};
pub use expression::{Encoded, Scope};
pub use joints::Joints;
pub use step::{Call, Internal, Step};
pub use store::{Held, Store};
