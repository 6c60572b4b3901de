//! Infinite runs as a question of reachability.
//!
//! Whether an automaton accepts an infinite run of a program is asked as: is a node of another program
//! reachable? All that proves that nodes are not reached, and checks such proofs, so works for
//! termination, for formulas of linear-time temporal logic and of CaRet.
//!
//! 1. An infinite run is an infinite path along a *spine*, in which a call that never returns is a jump
//!    (see [`Spines`]): recursion without an end is a loop like all others.
//! 2. The places among which an accepted path may stay are cut, loop by loop, so that each
//!    accepted path comes to the cut of some loop again and again, and passes all marks in between.
//! 3. At each cut there are [ranks](Rank): the next time round, the first of them that has changed must
//!    have fallen, in the order of its type. A number of finitely many bits cannot fall for ever.
//!    Where they do not fall the other program [fails](Ranked::targets).
//!
//! So if that program never fails, no run is accepted, whatever the ranks are. [`choose`] finds ranks that
//! fall in all rounds that were [seen](Seen); a proof that fails shows another round.

mod build;
mod choose;
mod conditions;
mod loops;
mod pool;
mod product;
mod rank;
mod rounds;
mod spines;
mod watcher;

pub use choose::choose;
pub use pool::Pool;
pub use rank::{Cell, Misfit, Rank, Ranks, Sum};
pub use rounds::{Seen, simulate, simulate_loops};
pub use spines::{Asked, Cut, Ranked, Round, Spines, Unbuilt};
pub use watcher::Watcher;
