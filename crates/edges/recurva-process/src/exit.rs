//! Exit codes.

use std::process::ExitCode;

use recurva_check::{Limit, Verdict};

/// How a run of the command ends, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Every property holds.
    Holds,
    /// No property is known to be violated, but a limit was hit on some.
    Unknown,
    /// Some property is violated.
    Violated,
    /// Stopped by the user.
    Interrupted,
    /// The input or the command line is wrong.
    BadInput,
    /// A fault of ours.
    Internal,
}

impl Exit {
    /// How a question ends.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Unknown(limit) => Exit::of_limit(limit),
        }
    }

    /// How work ends that hit a limit.
    pub fn of_limit(limit: Limit) -> Self {
        match limit {
            Limit::Interrupted => Exit::Interrupted,
            _ => Exit::Unknown,
        }
    }

    /// The code.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Holds => 0,
            Exit::Violated => 1,
            Exit::BadInput => 2,
            Exit::Unknown => 3,
            Exit::Internal => 70,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit.code())
    }
}
