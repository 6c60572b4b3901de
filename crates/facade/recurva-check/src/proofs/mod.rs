//! Proofs: that nodes of a program are never reached, and that it has no infinite run of a kind.
//!
//! Several engines look for one, each in its way. What they find is checked here, by code that shares
//! nothing with them but the meaning of programs, before it is evidence.

mod c_expression;
mod certified;
mod engines;
mod file;
mod joined;
mod judges;
mod ranked;
mod saved_ranks;
mod slim;
mod tidy;
mod turns;

pub use certified::{Certified, LoopKind, LoopRanks, Number, Statement, StatementKind};
use certified::{Named, certify};
pub(crate) use engines::{Proved, Task, prove};
pub use file::VERIFY;
pub(crate) use file::verify;
pub use file::{ProofFile, ProofQuestion};
pub use judges::SolverMark;
pub(crate) use ranked::{RankTask, prove_ranks, verify_ranks};
