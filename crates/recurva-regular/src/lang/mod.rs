//! The language for systems of any size, `.rmc`. See the page `docs/src/reference/rmc.md` of the project.

mod counters;
mod declarations;
mod expressions;
mod formula;
mod index;
mod items;
mod machine;
mod reading;
mod rules;
mod token;
mod variables;

pub use index::index;
pub(crate) use items::WORK;
pub use items::{compile, parse};
