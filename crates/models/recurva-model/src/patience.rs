//! Work that can be stopped.

use std::{fmt, ops::ControlFlow};

/// Said stop: what was being done is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop;

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped before it was done")
    }
}

impl std::error::Error for Stop {}

/// So much is done between two questions: a millisecond's worth, as a rule.
const UNITS: u64 = 1 << 16;

/// What a step of a program costs whoever works it out.
const STEP: u64 = 64;

/// How long somebody waits for work to be done. Whoever works says so unit by unit; now and then
/// those who wait are asked whether they still do. The first unit is asked about at once.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use recurva_model::{Patience, Stop};
///
/// let mut asked = 0;
/// let mut ask = || {
///     asked += 1;
///     if asked < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// };
/// let mut patience = Patience::new(&mut ask);
/// let mut done = 0u64;
/// let end = loop {
///     match patience.work(1) {
///         Ok(()) => done += 1,
///         Err(stop) => break stop,
///     }
/// };
/// assert_eq!((end, done), (Stop, 2 << 16));
/// assert_eq!(Patience::endless().work(u64::MAX), Ok(()));
/// ```
pub struct Patience<'a> {
    ask: Option<&'a mut dyn FnMut() -> ControlFlow<()>>,
    /// How much may be done before the next question.
    left: u64,
}

impl<'a> Patience<'a> {
    /// As long as `ask` says so.
    pub fn new(ask: &'a mut dyn FnMut() -> ControlFlow<()>) -> Self {
        Patience {
            ask: Some(ask),
            left: 0,
        }
    }

    /// For ever.
    pub fn endless() -> Self {
        Patience { ask: None, left: 0 }
    }

    /// A step of a program is about to be worked out, or something that costs as much.
    ///
    /// # Errors
    ///
    /// If nobody waits any more.
    pub fn step(&mut self) -> Result<(), Stop> {
        self.work(STEP)
    }

    /// Some units of work are about to be done: so many items of a list are looked at.
    ///
    /// # Errors
    ///
    /// If nobody waits any more.
    pub fn work(&mut self, units: u64) -> Result<(), Stop> {
        if let Some(left) = self.left.checked_sub(units) {
            self.left = left;
            return Ok(());
        }
        self.left = UNITS.saturating_sub(units);
        match self.ask.as_mut().map(|ask| ask()) {
            Some(ControlFlow::Break(())) => Err(Stop),
            Some(ControlFlow::Continue(())) | None => Ok(()),
        }
    }
}

impl fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patience")
            .field("left", &self.left)
            .finish_non_exhaustive()
    }
}
