//! Symbolic search of recursive programs with binary decision diagrams.

mod answer;
mod back;
mod bits;
mod call;
mod effect;
mod eval;
mod explain;
mod layout;
mod observer;
mod order;
mod plan;
mod rank;
mod room;
mod run;
mod scope;
mod search;
mod setting;
mod space;
mod steps;

pub use answer::{Answer, Config, Explored, Finished, Progress, Sizes, Stopped};
pub use run::{explore, reach};
