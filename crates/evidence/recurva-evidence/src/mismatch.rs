//! Why a trace is not a run of the program.

use std::fmt;

use recurva_model::{Stop, semantics::Blocked};

use crate::BodyId;

/// A list of steps of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The stem.
    Stem,
    /// The turn.
    Turn,
    /// A body.
    Body(BodyId),
}

/// What is wrong with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The values at the start do not fit the variables.
    Start,
    /// The semantics does not allow the step.
    Blocked(Blocked),
    /// An edge that calls is taken as an internal one, or the other way round.
    Kind,
    /// A call refers to a body that is not there or does not come earlier.
    Reference,
    /// A call refers to a body of another procedure than the one it calls.
    Callee,
    /// A call that does not return stands in a body.
    PendingInBody,
    /// A body ends before its procedure's exit.
    NotAtExit,
    /// The last configuration is not what the claim says.
    Claim,
    /// The turn does not come back to where it started, in all that matters for repeating it.
    NoTurn,
    /// The run cannot stay where it is for ever: it has not returned from the main procedure.
    NotOver,
}

/// A trace that is not a run, or not one that shows what it should: where and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Mismatch {
    /// The list of steps.
    pub part: Part,
    /// The index of the step; the length of the list if the end is at fault.
    pub step: usize,
    /// What is wrong.
    pub reason: Reason,
}

/// Why a trace has not been replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreplayed {
    /// It is not a run that shows what it should.
    #[error(transparent)]
    Mismatch(#[from] Mismatch),
    /// Nobody waited for the end of the replay: it may be one.
    #[error("the replay was {0}")]
    Stopped(#[from] Stop),
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Part::Stem => write!(f, "stem, step {}: ", self.step)?,
            Part::Turn => write!(f, "turn, step {}: ", self.step)?,
            Part::Body(body) => write!(f, "body {}, step {}: ", body.0, self.step)?,
        }
        write!(f, "{}", self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Start => "the values at the start do not fit the program's variables",
            Reason::Blocked(Blocked::Elsewhere) => "the edge does not start here",
            Reason::Blocked(Blocked::Guard) => "the guard or constraint does not hold",
            Reason::Blocked(Blocked::Fault) => "a division by zero or an index out of range",
            Reason::Blocked(Blocked::Choices) => "the choices do not fit the edge",
            Reason::Blocked(Blocked::EmptyStack) => "there is no caller to return to",
            Reason::Kind => "the step and its edge differ in whether they call",
            Reason::Reference => "the body of the call is missing or does not come earlier",
            Reason::Callee => "the body of the call is of another procedure",
            Reason::PendingInBody => "a call inside a body does not return",
            Reason::NotAtExit => "the body ends before the procedure's exit",
            Reason::Claim => "the run does not end as claimed",
            Reason::NoTurn => "the turn does not come back to where it started",
            Reason::NotOver => "the run stays where it has not ended",
        })
    }
}
