//! Saying how far the work is, and stopping it.

use std::{fmt, ops::ControlFlow};

/// How far the work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Rule instances tried and edges followed so far.
    pub work: u64,
    /// Summaries found so far: pairs of an entry and an exit that it leads to.
    pub summaries: u64,
}

/// The work was stopped from outside before there was an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before there was an answer")
    }
}

impl std::error::Error for Stopped {}

/// Asked every few thousand units of work whether to go on.
pub(crate) type Tick<'t> = dyn FnMut(&Progress) -> ControlFlow<()> + 't;

/// Work between two ticks.
const PERIOD: u64 = 1 << 14;

/// Counts work and calls the tick.
pub(crate) struct Meter<'t> {
    progress: Progress,
    next: u64,
    tick: &'t mut Tick<'t>,
}

impl<'t> Meter<'t> {
    pub(crate) fn new(tick: &'t mut Tick<'t>) -> Self {
        Meter {
            progress: Progress::default(),
            next: PERIOD,
            tick,
        }
    }

    pub(crate) fn add(&mut self, work: usize) -> Result<(), Stopped> {
        self.progress.work += work as u64;
        if self.progress.work < self.next {
            return Ok(());
        }
        self.next = self.progress.work + PERIOD;
        match (self.tick)(&self.progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Stopped),
        }
    }

    pub(crate) fn summary(&mut self) {
        self.progress.summaries += 1;
    }

    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }
}
