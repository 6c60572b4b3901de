//! C programs as programs that the engines can search, bit by bit.
//!
//! [`lower`] turns a [`recurva_cir::Module`] into a [`recurva_model::Program`] in which every
//! question is one of reachability, and [`choices`] turns a run of it back into what the
//! interpreter of C needs to repeat it.
//!
//! # What an answer is worth
//!
//! Every integer has the bits that it has in C. What is finite in the model and not in C, or not
//! modelled at all, leads to a *limit*: a node with the label [`LIMIT`]. So:
//!
//! - A run to an error counts after it has been repeated on C.
//! - "Holds" counts only if no error *and no limit* is reachable, and no
//!   [note](Note::leaves_out_runs) says that runs were left out.
//!
//! # How memory is kept
//!
//! A variable whose address is never taken is a variable of the model; a record is one for each
//! field that is used, an array is an array, an array of records an array for each field. An
//! object whose address is taken has one, a small number, and a pointer is a number of as few bits
//! as are enough: an access through it is a case split over where it may point to. What is looked
//! at as something else than it was written as is kept as bytes. There are up to
//! [`LowerOptions::objects`] objects of each allocation site, and as many instances of a local
//! variable of a recursive function whose address is taken.
//!
//! Floating-point numbers are kept as bits and compared, but not computed.

mod body;
mod callgraph;
mod cases;
mod choices;
mod classes;
mod heap_types;
mod layout;
mod lower;
mod lowered;
mod names;
mod objects;
mod options;
mod plan;
mod pointers;
mod trial;
mod uses;
mod value;

pub use choices::{Choices, Unspelled, choices};
pub use lower::lower;
pub use lowered::{
    Addressed, ERROR, Failed, Failure, LIMIT, Limit, LimitReason, Lowered, Note, NoteKind,
    Precision, Refused, Shown, ShownAs,
};
pub use options::{LowerOptions, Memory, Wanted};
pub use trial::{Trials, trial_runs};
