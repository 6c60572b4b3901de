//! One module for each command.

pub(crate) mod analyze;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod draw;
pub(crate) mod empty;
pub(crate) mod explore;
pub(crate) mod lsp;
pub(crate) mod pal;
pub(crate) mod reach;
#[cfg(feature = "cluster")]
mod reach_cluster;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod verify;
