//! On-the-fly explicit search over recursive systems.
//!
//! [`reach`] decides reachability in any [`RecursiveSystem`](recurva_model::RecursiveSystem):
//! a compiled program ([`program`]), its product with a monitor, or your own data. States
//! are generated on demand and the search stops at the first target, with a [`Witness`] of
//! how it is reached. Stacks are never stored, so recursion may be unbounded.
//!
//! # Should I use this crate?
//!
//! Yes, if you have a recursive program or protocol as Rust code and want all its behaviours
//! searched; implement the trait and call [`reach`]. If you have a boolean program in a
//! file, the façade `recurva-check` does more: limits, evidence that has been replayed.
//!
//! How the search works, with the map from the paper to the code, is told in the crate's
//! README.
//!
//! # Example
//!
//! Does `f(n) = if n > 100 { n - 10 } else { f(f(n + 11)) }` ever return anything but 91 for
//! an argument up to 100?
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_explicit::{Answer, Config, reach};
//! use recurva_model::{Moves, RecursiveSystem, Site};
//!
//! #[derive(Clone, PartialEq, Eq, Hash)]
//! enum State {
//!     Main { n: i64 },
//!     MainDone { n: i64, result: i64 },
//!     Called { n: i64 },
//!     Once { inner: i64 },
//!     Returned(i64),
//! }
//!
//! struct McCarthy;
//!
//! impl RecursiveSystem for McCarthy {
//!     type State = State;
//!
//!     fn initial(&self, out: &mut Moves<State>) {
//!         (0..=100).for_each(|n| out.step(State::Main { n }));
//!     }
//!
//!     fn moves(&self, state: &State, out: &mut Moves<State>) {
//!         match *state {
//!             State::Main { n } => out.call(State::Called { n }, Site(0)),
//!             State::Called { n } if n > 100 => out.step(State::Returned(n - 10)),
//!             State::Called { n } => out.call(State::Called { n: n + 11 }, Site(1)),
//!             State::Once { inner } => out.call(State::Called { n: inner }, Site(2)),
//!             State::MainDone { .. } | State::Returned(_) => {}
//!         }
//!     }
//!
//!     fn is_exit(&self, state: &State) -> bool {
//!         matches!(state, State::Returned(_))
//!     }
//!
//!     fn resume(&self, caller: &State, site: Site, exit: &State, out: &mut Moves<State>) {
//!         let State::Returned(result) = *exit else { return };
//!         match (caller, site) {
//!             (State::Main { n }, _) => out.step(State::MainDone { n: *n, result }),
//!             (_, Site(1)) => out.step(State::Once { inner: result }),
//!             _ => out.step(State::Returned(result)),
//!         }
//!     }
//! }
//!
//! let wrong = |state: &State| matches!(state, State::MainDone { result, .. } if *result != 91);
//! let finished = reach(&McCarthy, &Config::default(), wrong, |_| ControlFlow::Continue(()));
//! assert!(matches!(finished.answer, Answer::Unreachable));
//! ```

pub mod fair;
mod frontier;
mod graph;
mod interner;
pub mod program;
mod search;
mod unfold;
mod witness;

pub use frontier::Order;
pub use graph::{PathEdge, Reached};
pub use search::{Answer, Config, Finished, Progress, Stopped, reach};
pub use unfold::{Position, Unfolded, unfold};
pub use witness::{Event, History, Leg, Way, Witness};
