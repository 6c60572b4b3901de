//! The explorer: every answer as a page that one can walk through.
//!
//! A [`Document`] holds all that the page shows: the texts, the machines with drawings that are
//! laid out already, and for each question the verdict with its evidence. It is made of a model
//! and answers of the façade, whichever kind and engine they are of ([`Exploration`]), and shown
//! by the script in `page/`, with a [`Server`] behind it or as one file ([`file()`]) that needs
//! none.
//!
//! The page computes nothing but positions in a run: what it shows was replayed before. Free
//! exploration ([`Exploration::free`]) runs the semantics itself, one step at a time.

mod c_run;
mod document;
mod drawing;
mod exploration;
mod free;
mod live;
mod machine;
mod page;
mod places;
mod run;
mod server;
mod strategy;
mod words;

pub use document::*;
pub use exploration::{Exploration, Stored};
pub use free::{Free, FreeError};
pub use live::Live;
pub use page::{file, page, policy};
pub use server::Server;
