//! Work is counted, and ends when there has been enough of it; so is the memory that is in use.

use std::{fmt, ops::ControlFlow};

/// Why an operation did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The work it was given is used up.
    Work(u64),
    /// More bytes would be needed than it was given.
    Memory(u64),
    /// More letters would be needed than there may be.
    Letters(u32),
    /// Whoever watches said so.
    Watch,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Work(limit) => write!(f, "more than {limit} steps of work are needed"),
            Stop::Memory(limit) => write!(f, "more than {limit} bytes of memory are needed"),
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
    /// Bytes in use, about: automata, and the tables they are made with.
    pub bytes: u64,
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress {
            technique,
            round,
            states,
            ..
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
///
/// Memory is counted by what is on top of what: an operation says how much it holds above what was
/// held when it began, and gives that back at its end. What it returns is counted by whoever keeps it.
pub struct Meter<'w> {
    used: u64,
    limit: u64,
    /// What has been done since the last look.
    pace: u64,
    held: u64,
    peak: u64,
    memory: u64,
    /// What is being worked on.
    pub progress: Progress,
    watch: Option<&'w mut Watch<'w>>,
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter")
            .field("used", &self.used)
            .field("limit", &self.limit)
            .field("held", &self.held)
            .field("memory", &self.memory)
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
            pace: 0,
            held: 0,
            peak: 0,
            memory: u64::MAX,
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

    /// With so many bytes to give out.
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Self {
        Meter {
            memory: bytes,
            ..self
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
        self.pass(amount)
    }

    /// Lets some time pass that is no work of its own: the watch is asked, the limit is not.
    pub(crate) fn pass(&mut self, amount: u64) -> Result<(), Stop> {
        self.pace += amount;
        if self.pace >= LOOK {
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
        self.pace = 0;
        self.progress.bytes = self.held;
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

    /// The most bytes that were in use at a time, about.
    pub fn peak_bytes(&self) -> u64 {
        self.peak
    }

    /// What is held now: where an operation begins.
    pub(crate) fn level(&self) -> u64 {
        self.held
    }

    /// Holds so many bytes above a level.
    ///
    /// # Errors
    ///
    /// If there are not so many.
    pub(crate) fn hold(&mut self, level: u64, bytes: usize) -> Result<(), Stop> {
        let held = level.saturating_add(bytes as u64);
        if held > self.memory {
            return Err(Stop::Memory(self.memory));
        }
        self.held = held;
        self.peak = self.peak.max(held);
        Ok(())
    }

    /// Gives back all above a level.
    pub(crate) fn release(&mut self, level: u64) {
        self.held = level;
    }

    /// Runs something that may use so much more work; the limit, and what is held, are as before
    /// afterwards.
    pub fn within<T>(
        &mut self,
        amount: u64,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let (before, level) = (self.limit, self.held);
        self.limit = before.min(self.used.saturating_add(amount));
        let result = run(self);
        self.limit = before;
        self.held = level;
        // The work that was used beyond the smaller limit is gone all the same.
        self.used = self.used.min(before);
        result
    }
}

/// What a list takes on the heap for so many bytes of it.
pub(crate) fn heap(bytes: usize) -> usize {
    match bytes {
        0 => 0,
        _ => (bytes + 8).next_multiple_of(16).max(32),
    }
}

/// What a hash table takes for so many entries of a size.
pub(crate) fn table(entries: usize, entry: usize) -> usize {
    match entries {
        0 => 0,
        _ => (entries * 8 / 7).next_power_of_two() * (entry + 1),
    }
}
