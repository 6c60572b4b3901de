//! The façade of Recurva: a model of any format, a question of any kind, and one kind of answer.
//!
//! ```
//! use recurva_check::{Asked, Limits, Model, Options, ReadOptions};
//! use recurva_syntax::Source;
//!
//! let text = "void main() begin decl b; b := *; HIT: skip; end";
//! let source = Source::new("model.bp", text)?;
//! let model = Model::read(source, &ReadOptions::default(), Limits::default(), &mut ())
//!     .expect("a right text");
//! let asked = Asked {
//!     reach: vec!["HIT".to_owned()],
//!     ..Asked::default()
//! };
//! for question in model.questions(&asked).expect("a right question").list {
//!     let answer = question.answer(&Options::default(), &mut ())?;
//!     assert!(answer.is_violated());
//!     assert_eq!(answer.evidence.expect("a run").name(), "trace");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A model's format is found in a registry ([`FORMATS`]); what can be asked of which kind of model
//! is one table ([`senseless`]); what comes out is an [`Answer`] with [`Evidence`], whichever
//! engine it was. Engines know nothing of this crate.
//!
//! Programs that were made in Rust are checked without a text: see [`check`] and
//! [`branching::check`].

mod answer;
mod asked;
pub mod branching;
mod c;
mod content;
mod documents;
mod evidence;
mod formats;
mod model;
mod options;
mod programs;
mod proofs;
mod question;
pub mod reach;
mod said;
mod saved;
mod systems;
mod watch;
mod words;

pub use answer::{Answer, InternalError, Kinds, Limit, Note, Stats, TestFiles, Verdict};
pub use asked::{Asked, QuestionKind, SPEC_FORMATS, Senseless, Sort, senseless};
pub use c::{
    CChange, CCheck, CEnd, CEntries, CFlow, CFlowKind, CFlowRow, CFolding, CFrame, CInput, CKind,
    COptions, COwner, CRun, CShown, CStep, CValue, ClaimKind, ContractClause, Contracts, DataModel,
    TERMINATION, WhichEntries,
};
pub use content::{Converted, Offer, Picture};
pub use documents::{Document, Language};
pub use evidence::{Direction, Evidence, Invariant, NoFairLoop, Uses, Words, spelled};
pub use formats::{FORMATS, Format, ReadOptions};
pub use model::{Model, Questions, open};
pub use options::{Certify, Engine, Options, Order, Reductions, Runs, Stack, Threads, WorksOn};
pub use programs::{
    Ltl, Never, Property, REPLAY, Unconfirmed, UnknownLabel, check, confirm, flat, spec,
};
pub use proofs::{
    Certified, LoopKind, LoopRanks, Number, ProofFile, ProofQuestion, SolverMark, Statement,
    StatementKind, VERIFY,
};
pub use question::{About, Context, Question, Rejected, RunContext};
pub use recurva_lang::bp::Dialect;
pub use recurva_slice::{Count, Dropped};
pub use said::{Refused, Said};
pub use saved::{AskedAgain, End, FileMark, SavedRun, TraceFile};
pub use watch::{ExplicitProgress, Limits, Progress, SymbolicProgress, Watch, Work};
