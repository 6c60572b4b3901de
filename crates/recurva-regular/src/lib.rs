//! Regular model checking.

pub mod abstraction;
mod classes;
pub mod columns;
mod dfa;
pub mod engine;
pub mod evidence;
pub mod express;
pub mod finite;
mod inclusion;
pub mod json;
pub mod lang;
pub mod live;
mod meter;
mod minimise;
mod nfa;
mod parsed;
mod relation;
pub mod system;
pub mod widen;

pub use classes::{Classes, Letter};
pub use dfa::Dfa;
pub use meter::{Meter, Progress, Stop, Watch};
pub use nfa::{Builder, Nfa};
pub use parsed::Parsed;
pub use relation::{ACTOR, MAX_LETTERS, Relation, pair, parts, zip};
