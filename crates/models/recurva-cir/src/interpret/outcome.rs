//! How runs end, and what is asked of them.

use super::state::Position;
use super::world::ChoiceError;
use crate::{Check, ErrorKind};

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The program ended with an exit code.
    Exited(i32),
    /// The program failed by itself.
    Failed(ErrorKind, Position),
    /// Something did not hold that was asked for.
    CheckFailed(Check, Position),
    /// Something did not hold that nobody asked for: there is no next step.
    Undefined(Check, Position),
    /// The program was aborted, which is no failure.
    Aborted(Position),
    /// No edge can be taken: all that is assumed there is false.
    Blocked(Position),
    /// There is something that has no meaning here.
    Unsupported(Box<str>, Position),
    /// The world had no value to give.
    NoChoice(ChoiceError, Position),
    /// The limit on steps was reached.
    OutOfSteps,
    /// The limit on memory, or on the depth of calls, was reached.
    OutOfMemory(Position),
    /// The caller wished it to end.
    Interrupted,
}

/// A set of checks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks(u32);

impl Checks {
    /// No check.
    pub const NONE: Checks = Checks(0);
    /// Every check.
    pub const ALL: Checks = Checks(u32::MAX);

    /// With one more.
    #[must_use]
    pub fn with(self, check: Check) -> Self {
        Checks(self.0 | 1 << check as u32)
    }

    /// Without one.
    #[must_use]
    pub fn without(self, check: Check) -> Self {
        Checks(self.0 & !(1 << check as u32))
    }

    /// Whether a check is in it.
    pub fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u32 != 0
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<T: IntoIterator<Item = Check>>(checks: T) -> Self {
        checks.into_iter().fold(Checks::NONE, Checks::with)
    }
}

/// Which objects count as leaked when the program ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaks {
    /// Those that were not freed.
    #[default]
    NotFreed,
    /// Those that were not freed and that nothing points to any more: no global, no variable of a
    /// call that has not returned, and no object that one of these leads to.
    Unreachable,
}

/// What is asked of a run, and how far it may go.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Which checks are errors when they do not hold.
    pub errors: Checks,
    /// Which objects count as leaked, if [`Check::Leak`] is one of them.
    pub leaks: Leaks,
    /// How many steps a run may have.
    pub steps: u64,
    /// How many bytes of memory it may take.
    pub memory: usize,
    /// How many calls may be under way at once.
    pub frames: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            errors: Checks::NONE,
            leaks: Leaks::default(),
            steps: u64::MAX,
            memory: 2 << 30,
            frames: 4 << 20,
        }
    }
}
