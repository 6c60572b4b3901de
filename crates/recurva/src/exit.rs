//! Exit codes.

use std::process::ExitCode;

use recurva_check::{
    Limit, Verdict,
    nested::{NestedLimit, NestedVerdict},
};

/// How a run of the command ends, from best to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
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
    /// How a question about runs ends.
    pub(crate) fn of(verdict: &Verdict<'_>) -> Self {
        match verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated(_) | Verdict::Unfinished(_) => Exit::Violated,
            Verdict::Unknown(Limit::Interrupted) => Exit::Interrupted,
            Verdict::Unknown(_) => Exit::Unknown,
        }
    }

    /// How a question about branching ends.
    pub(crate) fn of_nested(verdict: &NestedVerdict<'_>) -> Self {
        match verdict {
            NestedVerdict::Holds => Exit::Holds,
            NestedVerdict::Violated(_) | NestedVerdict::Unfinished(_) => Exit::Violated,
            NestedVerdict::Unknown(NestedLimit::Interrupted) => Exit::Interrupted,
            NestedVerdict::Unknown(_) => Exit::Unknown,
        }
    }

    /// The code.
    pub(crate) fn code(self) -> u8 {
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
