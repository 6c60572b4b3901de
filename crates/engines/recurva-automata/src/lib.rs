//! Automata on nested trees, solved as games (*Logics and Algorithms for Software Model
//! Checking*, chapter 4).
//!
//! - [`accepts`] decides whether an alternating automaton accepts the tree of a nested state
//!   machine.
//! - [`empty`] decides whether a nondeterministic automaton accepts any tree, and gives a
//!   machine whose tree it accepts. For alternating automata this is undecidable (Theorem 11).
//! - [`solve`] and [`confirm`] are for pushdown parity games of any origin: implement
//!   [`Arena`].
//! - [`parity`] are finite parity games.
//!
//! The automata are those of [`recurva_logic::nta`].
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_automata::{Limits, accepts};
//! use recurva_lang::nsm;
//! use recurva_logic::nta::{self, Automaton};
//! use recurva_nested::Reduction;
//! use recurva_syntax::Source;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "call c\nlocal e\nreturn r : ok\ninit c\nc -call-> e\n(e, c) -ret-> r\n";
//! let machine = nsm::parse(&Source::new("foo.nsm", text)?).nsm.expect("no errors");
//! // Where a call was made in the state `calling`, `ok` holds behind it.
//! let text = "alternating
//!     init calling
//!     state calling 0 = [call] inside
//!     state inside 0 = [loc] inside & [ret, calling] behind
//!     state behind 0 = ok";
//! let parsed = nta::parse(&Source::new("ok.nta", text)?);
//! let Some(Automaton::Alternating(automaton)) = parsed.automaton else { panic!("errors") };
//! let go_on = |_: &_| ControlFlow::Continue(());
//! let outcome = accepts(&machine, &automaton, Reduction::None, &Limits::default(), go_on)?;
//! assert!(outcome.accepted());
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//!
//! The value of a control with the frame on top of the stack is for which sets of exits of that
//! frame the player wins if it wins from all of them: minimal sets, computed by nested fixpoints.
//! The README of the crate says more.

pub mod arena;
mod cells;
mod empty;
mod functions;
mod member;
pub mod parity;
mod plan;
mod saturate;
mod summary;

use std::{fmt, ops::ControlFlow};

use crate::{
    arena::{Arena, Player},
    cells::Cells,
    saturate::saturate,
    summary::{Claims, Summaries},
};

pub use empty::{SIDES, empty};
pub use member::{Acceptance, MemberError, Position, accepts};

/// How much may be stored.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many controls with a frame on top.
    pub max_cells: usize,
    /// How many sets of exits for each of them.
    pub max_sets: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_cells: 10_000_000,
            max_sets: 100_000,
        }
    }
}

/// How far the work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many controls with a frame on top there are.
    pub cells: usize,
    /// How many times one has been evaluated.
    pub evaluations: u64,
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who wins.
    pub winner: Player,
    /// The work that was done.
    pub work: Progress,
}

impl Outcome {
    /// Whether the automaton, or [`Player::Even`], wins.
    pub fn accepted(&self) -> bool {
        self.winner == Player::Even
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveError {
    /// See [`Limits::max_cells`].
    TooManyCells(usize),
    /// See [`Limits::max_sets`].
    TooManySets(usize),
    /// The caller did not want to go on.
    Stopped,
}

impl fmt::Display for SolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::TooManyCells(limit) => {
                write!(
                    f,
                    "the game has more than {limit} positions without their stacks"
                )
            }
            SolveError::TooManySets(limit) => {
                write!(f, "a position depends on more than {limit} sets of exits")
            }
            SolveError::Stopped => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for SolveError {}

/// Counts work, and asks every few thousand evaluations whether to go on.
pub(crate) struct Meter<'m> {
    progress: Progress,
    go_on: &'m mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl<'m> Meter<'m> {
    fn new(cells: usize, go_on: &'m mut dyn FnMut(&Progress) -> ControlFlow<()>) -> Self {
        Meter {
            progress: Progress {
                cells,
                evaluations: 0,
            },
            go_on,
        }
    }

    fn evaluation(&mut self) -> Result<(), SolveError> {
        self.progress.evaluations += 1;
        let ask = self.progress.evaluations.is_multiple_of(4096);
        match ask && (self.go_on)(&self.progress).is_break() {
            true => Err(SolveError::Stopped),
            false => Ok(()),
        }
    }
}

/// Who wins a pushdown parity game from its start. `go_on` is asked from time to time.
pub fn solve<A: Arena>(
    arena: &A,
    limits: &Limits,
    mut go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome, SolveError> {
    let cells = Cells::new(arena, limits)?;
    let mut meter = Meter::new(cells.len(), &mut go_on);
    let values = saturate(&cells, limits, &mut meter, |_, _| {})?;
    Ok(Outcome {
        // Nothing is popped from an empty stack: the value is a constant.
        winner: match values[0].is_true() {
            true => Player::Even,
            false => Player::Odd,
        },
        work: meter.progress,
    })
}

/// Whether [`Player::Even`] wins, by a finite game that needs not be trusted to have found all
/// ways to win: if it says so, there is a strategy. For the other player ask the
/// [dual](arena::Dual) game. Slower than [`solve`].
pub fn confirm<A: Arena>(
    arena: &A,
    limits: &Limits,
    mut go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<bool, SolveError> {
    let cells = Cells::new(arena, limits)?;
    let mut meter = Meter::new(cells.len(), &mut go_on);
    let mut claims = Claims::new(cells.len());
    saturate(&cells, limits, &mut meter, |cell, value| {
        claims.add(cell, value);
    })?;
    let summaries = Summaries::new(&cells, &claims, limits)?;
    Ok(summaries.winner() == Player::Even)
}
