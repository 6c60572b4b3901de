//! Lazy predicate abstraction with refinement, for programs with procedures and recursion.
//!
//! [`prove`] explores a program that only knows which of some *predicates* hold: conditions over the values
//! of variables now, and of globals and parameters when the running procedure was entered. If no target
//! is reached, what was reached is a proof; it is given out after the checker of proofs has accepted it.
//! Else the run that was found is tried on the program, bit by bit. If it is not possible there, predicates
//! are found that rule it out, and everything is explored again.
//!
//! - **Where.** Predicates belong to *cuts*: entries and exits of procedures, heads of loops, what calls
//!   return to, and the last joint before a call (`cuts`). All code between cuts is one formula (`block`), so
//!   that most conditions never become predicates.
//! - **Exploration.** A state is a cut, what holds there, and what held at the entry of the procedure
//!   (`abstraction`). The search is that of `recurva_explicit`, shortest runs first: stacks are never
//!   there, and recursion has no bound. What follows a state is found by all models of a formula
//!   (`post`), taken apart into parts that share no variable (`parts`): few different questions are left,
//!   and their answers are kept from one exploration to the next.
//! - **Refinement.** The run is cut apart at its cuts, so that only predicates connect the pieces; then a
//!   solver says which of many predicates are needed to make it impossible (`chain`, `refine`). They come from
//!   the program's conditions and constants (`pool`), from what later conditions ask of earlier values
//!   (`wanted`), from pairs of variables, and from values of models. If a question has many answers, what
//!   they differ in is looked for at earlier cuts.
//! - **Proof.** At a cut, the valuations that were reached; at the joints between cuts, that whatever
//!   happens leads to what holds at the next cuts (`proof`, `between`). A joint of which that cannot be
//!   said becomes a cut.

mod abstraction;
mod between;
mod block;
mod chain;
mod concrete;
mod cuts;
mod engine;
mod expression;
mod fixed;
mod formula;
mod parts;
mod pool;
mod post;
mod proof;
mod refine;
mod run;
mod valuation;
mod wanted;

pub use engine::{Config, Outcome, Progress, prove};
