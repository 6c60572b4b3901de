//! Regular model checking: systems of any size as automata over words.
//!
//! A state of a system is a word, a step relates words of equal length, and a set of states is a
//! regular language. The page `README.md` of this crate tells how reachable sets and transitive
//! closures are computed.
//!
//! - [`lang`] and [`json`] read systems; [`system`] says what one is.
//! - [`engine`] answers questions, with evidence that [`evidence`] has checked.
//! - [`columns`], [`widen`], [`abstraction`] and [`finite`] are the techniques.
//! - [`live`] is about formulas of temporal logic under fairness.
//! - [`express`] prints automata.
//!
//! ```
//! use recurva_regular::{Meter, engine::{self, Engine, Problem, Verdict}, lang};
//! use recurva_syntax::Source;
//!
//! let source = Source::new("token.rmc", "
//!     process { state : idle, token }
//!     initial token idle*
//!     transition pass : idle* token/idle idle/token idle*
//!     bad two : .* token .* token .*
//! ")?;
//! let system = lang::parse(&source).value.expect("no errors");
//! let mut meter = Meter::new(1_000_000);
//! let problem = Problem::new(&system, &system.bad[0].words, &mut meter).expect("it is small");
//! let outcome = engine::check(&problem, Engine::Columns, &mut meter).expect("claims are right");
//! let Verdict::Safe(invariant) = outcome.verdict else { panic!("there is one token") };
//! assert!(invariant.exact && invariant.words.states() == 2);
//! # Ok::<(), recurva_syntax::LoadError>(())
//! ```

pub mod abstraction;
mod builder;
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

pub use builder::Builder;
pub use classes::{Classes, Letter};
pub use dfa::Dfa;
pub use meter::{Meter, Progress, Stop, Watch};
pub use nfa::Nfa;
pub use parsed::Parsed;
pub use relation::{ACTOR, MAX_LETTERS, Relation, pair, parts, zip};
