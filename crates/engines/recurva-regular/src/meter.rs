//! Work is counted, and ends when there has been enough of it.

use std::{fmt, ops::ControlFlow};

/// Why an operation did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The work it was given is used up.
    Work(u64),
    /// More letters would be needed than there may be.
    Letters(u32),
    /// Whoever watches said so.
    Watch,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Work(limit) => write!(f, "more than {limit} steps of work are needed"),
            Stop::Letters(limit) => write!(f, "more than {limit} letters are needed"),
            Stop::Watch => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Stop {}

/// What is being worked on: shown to whoever watches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The technique.
    pub technique: &'static str,
    /// Its round, or the size of the words that are searched.
    pub round: u64,
    /// States of the automaton of this round, or words found.
    pub states: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            technique,
            round,
            states,
        } = self;
        match *technique {
            "finite" => write!(f, "size {round}: {states} words"),
            name => write!(f, "{name}, round {round}: {states} states"),
        }
    }
}

/// Who is asked now and then whether to go on.
pub type Watch<'w> = dyn FnMut(&Progress) -> ControlFlow<()> + 'w;

/// Counts work against a limit. One unit is about one edge of an automaton looked at, so that the
/// same question ends in the same way on every machine.
pub struct Meter<'w> {
    used: u64,
    limit: u64,
    next_look: u64,
    /// What is being worked on.
    pub progress: Progress,
    watch: Option<&'w mut Watch<'w>>,
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("used", &self.used)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// How much is done between two looks at the watch.
const LOOK: u64 = 1 << 16;

impl<'w> Meter<'w> {
    /// With so much work to give out.
    pub fn new(limit: u64) -> Self {
        Meter {
            used: 0,
            limit,
            next_look: LOOK,
            progress: Progress::default(),
            watch: None,
        }
    }

    /// Without a limit, under a watch.
    pub fn watched(watch: &'w mut Watch<'w>) -> Self {
        Meter {
            watch: Some(watch),
            ..Meter::new(u64::MAX)
        }
    }

    /// Takes some work.
    ///
    /// # Errors
    ///
    /// If there is no more, or the watch says stop.
    pub fn work(&mut self, amount: u64) -> Result<(), Stop> {
        self.used += amount;
        if self.used > self.limit {
            return Err(Stop::Work(self.limit));
        }
        if self.used >= self.next_look {
            self.next_look = self.used + LOOK;
            self.look()?;
        }
        Ok(())
    }

    /// Asks the watch.
    ///
    /// # Errors
    ///
    /// If it says stop.
    pub fn look(&mut self) -> Result<(), Stop> {
        let stop = self
            .watch
            .as_mut()
            .is_some_and(|watch| watch(&self.progress).is_break());
        if stop { Err(Stop::Watch) } else { Ok(()) }
    }

    /// How much has been used.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Runs something that may use so much more work; the limit is as before afterwards.
    pub fn within<T>(
        &mut self,
        amount: u64,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let before = self.limit;
        self.limit = before.min(self.used.saturating_add(amount));
        let result = run(self);
        self.limit = before;
        // The work that was used beyond the smaller limit is gone all the same.
        self.used = self.used.min(before);
        result
    }
}
