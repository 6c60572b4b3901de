//! Lazy predicate abstraction with refinement, for programs with procedures and recursion.

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
mod pool;
mod post;
mod proof;
mod refine;
mod run;
mod valuation;
mod wanted;

pub use engine::{Config, Outcome, Progress, prove};
