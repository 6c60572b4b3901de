//! How a check is carried out: engine options, limits, and who is told about progress.

use std::{ops::ControlFlow, time::Duration};

pub use recurva_explicit::{Order, Progress, fair::Stack, program::Reductions};

/// What a check may use before it gives up with [`Verdict::Unknown`](crate::Verdict).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held by the search.
    pub memory: Option<u64>,
}

/// Which runs count as infinite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// Also those that return from the main procedure: they stay in their last state for ever.
    #[default]
    Stutter,
    /// Only those that take steps for ever.
    Infinite,
}

/// Which engine answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// On-the-fly search over explicit states.
    #[default]
    Explicit,
    /// Search with decision diagrams. Properties of infinite runs are checked by the explicit
    /// engine all the same.
    Symbolic,
}

/// How a check is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// The order of the search, if it is explicit.
    pub order: Order,
    /// Whether what cannot influence the property is dropped before the search (it is, by
    /// default).
    pub slice: bool,
    /// Which reductions are on (all, by default).
    pub reductions: Reductions,
    /// Which infinite runs a property of infinite runs is about.
    pub stack: Stack,
    /// What counts as an infinite run.
    pub runs: Runs,
    /// When to give up.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            engine: Engine::default(),
            order: Order::default(),
            slice: true,
            reductions: Reductions::default(),
            stack: Stack::default(),
            runs: Runs::default(),
            limits: Limits::default(),
        }
    }
}

/// Watches a check: told about its progress many times a second, and able to stop it.
pub trait Watch {
    /// Called now and then with how far the search is. `Break` stops the check, whose
    /// verdict is then [`Limit::Interrupted`](crate::Limit::Interrupted).
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()>;
}

/// Watches nothing and never stops.
impl Watch for () {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
