//! Limits, and who is told how far the work is: the same for every engine and every phase.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

pub use recurva_explicit::Progress as ExplicitProgress;
pub use recurva_symbolic::Progress as SymbolicProgress;

use crate::Limit;

/// What the work on a question may use before it gives up with
/// [`Verdict::Unknown`](crate::Verdict).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes held.
    pub memory: Option<u64>,
}

/// How far the work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The search over explicit states, if there is one.
    pub explicit: Option<ExplicitProgress>,
    /// The search with decision diagrams, if there is one.
    pub symbolic: Option<SymbolicProgress>,
    /// Any other work.
    pub work: Option<Work>,
}

/// How far work is that is neither of the two searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// What is done, such as the name of a technique.
    pub what: &'static str,
    /// Its round, or the size of what is looked at; 0 if it has none.
    pub round: u64,
    /// How many things there are so far.
    pub number: u64,
    /// What these things are, in the plural.
    pub unit: &'static str,
    /// The bytes that it holds, as far as they are counted.
    pub bytes: u64,
}

impl std::fmt::Display for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.what)?;
        if self.round > 0 {
            write!(f, ", round {}", self.round)?;
        }
        match self.unit {
            "" => Ok(()),
            unit => write!(f, ": {} {unit}", self.number),
        }
    }
}

impl Progress {
    /// The bytes that are held.
    pub fn bytes(&self) -> u64 {
        let explicit = self.explicit.map_or(0, |it| it.bytes);
        let symbolic = self.symbolic.map_or(0, |it| it.peak_bytes);
        explicit + symbolic + self.work.map_or(0, |it| it.bytes)
    }
}

impl From<&ExplicitProgress> for Progress {
    fn from(&explicit: &ExplicitProgress) -> Self {
        Progress {
            explicit: Some(explicit),
            ..Progress::default()
        }
    }
}

impl From<&SymbolicProgress> for Progress {
    fn from(&symbolic: &SymbolicProgress) -> Self {
        Progress {
            symbolic: Some(symbolic),
            ..Progress::default()
        }
    }
}

impl From<Work> for Progress {
    fn from(work: Work) -> Self {
        Progress {
            work: Some(work),
            ..Progress::default()
        }
    }
}

/// Watches the work on a question: told about its progress many times a second, and able to stop
/// it.
pub trait Watch {
    /// Called now and then with how far the work is. `Break` stops it and says which limit was
    /// hit: [`Limit::Interrupted`], as a rule.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<Limit>;
}

/// Watches nothing and never stops.
impl Watch for () {
    fn progress(&mut self, _: &Progress) -> ControlFlow<Limit> {
        ControlFlow::Continue(())
    }
}

/// Keeps the limits of one question.
pub(crate) struct Clock<'w> {
    limits: Limits,
    watch: &'w mut dyn Watch,
    started: Instant,
    hit: Option<Limit>,
    peak: u64,
}

impl<'w> Clock<'w> {
    /// The time begins to run.
    pub(crate) fn new(limits: Limits, watch: &'w mut dyn Watch) -> Self {
        Clock {
            limits,
            watch,
            started: Instant::now(),
            hit: None,
            peak: 0,
        }
    }

    /// Tells who watches, and whether to go on. Once it says stop it always does.
    pub(crate) fn tick(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.peak = self.peak.max(progress.bytes());
        if self.hit.is_none() {
            self.hit = self.reached(progress);
        }
        match self.hit {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }

    fn reached(&mut self, progress: &Progress) -> Option<Limit> {
        let Limits { time, memory } = self.limits;
        if let Some(time) = time.filter(|time| self.started.elapsed() >= *time) {
            return Some(Limit::Time(time));
        }
        // The two searches keep this limit themselves: when one gives up the other goes on.
        let held = progress.work.map_or(0, |work| work.bytes);
        if let Some(memory) = memory.filter(|memory| held > *memory) {
            return Some(Limit::Memory(memory));
        }
        self.watch.progress(progress).break_value()
    }

    /// The limit that was hit.
    pub(crate) fn hit(&self) -> Limit {
        self.hit.unwrap_or(Limit::Interrupted)
    }

    /// The limit on memory, as an answer.
    pub(crate) fn memory(&self) -> Limit {
        Limit::Memory(self.limits.memory.unwrap_or(0))
    }

    /// The most bytes that were held at a tick.
    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// The time since it began.
    pub(crate) fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// The limits with what is left of the time, for work that keeps its own.
    pub(crate) fn left(&self) -> Limits {
        let left = |time: Duration| time.saturating_sub(self.started.elapsed());
        Limits {
            time: self.limits.time.map(left),
            ..self.limits
        }
    }

    /// Who watches.
    pub(crate) fn watch(&mut self) -> &mut dyn Watch {
        self.watch
    }
}
