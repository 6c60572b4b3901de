//! Proofs: that nodes of a program are never reached.
//!
//! Several engines look for one, each in its way. What they find is checked here, by code that shares
//! nothing with them but the meaning of programs, before it is evidence.

mod c_expression;
mod certified;
mod engines;
mod file;
mod judges;
mod slim;
mod tidy;
mod turns;

pub use certified::{Certified, Statement, StatementKind};
use certified::{Named, certify};
pub(crate) use engines::{Proved, Task, prove};
pub use file::VERIFY;
pub(crate) use file::verify;
pub use file::{ProofFile, ProofQuestion};
pub use judges::SolverMark;
