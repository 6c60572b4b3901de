//! The corpus: models with questions and known answers. The schema is in its own README.
//!
//! For tests and tasks: [`load`] reads the cases of a folder, [`Question::of`] the model and the
//! properties of a case.

mod case;
mod question;

pub use case::{Case, CorpusError, Dialect, Runs, Stack, Verdict, load};
pub use question::{Question, read};
