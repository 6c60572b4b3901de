//! The corpus: models with questions and known answers. The schema is in its own README.
//!
//! For tests and tasks: [`load`] reads the cases of a folder, [`Case::open`] the files of a case,
//! and [`Opened::questions`] gives what the façade answers.

mod case;
mod open;

pub use case::{Case, CorpusError, Dialect, Runs, Stack, Verdict, load};
pub use open::{Opened, read, runs};
