//! How a check is carried out: engine options, limits, and who is told about progress.

use std::{ops::ControlFlow, time::Duration};

pub use recurva_explicit::{Order, Progress as ExplicitProgress, fair::Stack, program::Reductions};
pub use recurva_symbolic::Progress as SymbolicProgress;

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
    /// Both of the others; the first answer counts.
    #[default]
    Auto,
    /// On-the-fly search over explicit states.
    Explicit,
    /// Search with decision diagrams. Formulas of CaRet are checked by the explicit engine all
    /// the same.
    Symbolic,
}

/// How [`Engine::Auto`] lets two engines work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// They take turns, measured in work and not in time: the same question is answered by the
    /// same engine every time.
    One,
    /// They work at the same time.
    #[default]
    Two,
}

/// How a check is carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The engine.
    pub engine: Engine,
    /// Whether two engines work at the same time.
    pub threads: Threads,
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
            threads: Threads::default(),
            order: Order::default(),
            slice: true,
            reductions: Reductions::default(),
            stack: Stack::default(),
            runs: Runs::default(),
            limits: Limits::default(),
        }
    }
}

/// How far a check is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The search over explicit states, if there is one.
    pub explicit: Option<ExplicitProgress>,
    /// The search with decision diagrams, if there is one.
    pub symbolic: Option<SymbolicProgress>,
}

impl Progress {
    /// The bytes that the searches hold.
    pub fn bytes(&self) -> u64 {
        let explicit = self.explicit.map_or(0, |it| it.bytes);
        explicit + self.symbolic.map_or(0, |it| it.peak_bytes)
    }
}

impl From<&ExplicitProgress> for Progress {
    fn from(&explicit: &ExplicitProgress) -> Self {
        Progress {
            explicit: Some(explicit),
            symbolic: None,
        }
    }
}

impl From<&SymbolicProgress> for Progress {
    fn from(&symbolic: &SymbolicProgress) -> Self {
        Progress {
            explicit: None,
            symbolic: Some(symbolic),
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
