//! Branching-time model checking of recursive programs: NT-µ over nested state machines
//! (*Logics and Algorithms for Software Model Checking*, chapter 3).
//!
//! Use this crate for properties of the calling structure: what holds at the matching return of
//! a call, what happens while a procedure is on the stack, which exits a procedure has. The
//! formulas are those of [`recurva_logic::ntmu`], the machines [`Nsm`]s, which can be
//! made of recursive state machines.
//!
//! - [`check`] decides whether a machine satisfies a formula. It needs time exponential in the
//!   number of exits of a procedure at worst, and polynomial in everything else for a formula
//!   without alternation.
//! - [`prove()`] also says why, as a [`proof`] that can be checked and walked. A proof of the
//!   negation is a strategy that shows why a formula fails.
//! - [`bounded`] is the algorithm of the thesis, by enumeration of all bounded summaries: slow,
//!   and independent of the other, for tests.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use recurva_lang::nsm;
//! use recurva_logic::ntmu;
//! use recurva_nested::{Options, check};
//! use recurva_syntax::Source;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // foo writes, then calls itself or not, then returns.
//! let text = "local w : wr\ncall c\nreturn r\nlocal e\ninit w\n
//!             w -> c\nw -> e\nc -call-> w\n(e, c) -ret-> r\nr -> e\n";
//! let machine = nsm::parse(&Source::new("foo.nsm", text)?).nsm.expect("no errors");
//! let ask = |text: &str| -> Result<bool, Box<dyn std::error::Error>> {
//!     let formula = ntmu::parse(&Source::new("formula", text)?).formula.expect("no errors");
//!     let outcome = check(&machine, &formula, &Options::default(), |_| ControlFlow::Continue(()))?;
//!     Ok(outcome.holds)
//! };
//! // Behind the call it can write again, but not in this invocation.
//! assert!(ask("EF(call & EF wr & !EF_l wr)")?);
//! assert!(!ask("AG terminates")?);
//! # Ok(())
//! # }
//! ```
//!
//! # How it works
//!
//! By the thesis' Proposition 2 the value of a formula at a state with a pending call is a
//! monotone function of the colours of the returns. Such a function is a decision diagram over
//! variables "exit `e` has colour `i`". A call replaces the variables of its callee's function
//! by the values of the return conditions at the exits. Pending calls with the same exits share
//! their values; only what the formula at the initial state depends on is evaluated; and
//! fixpoints are solved component by component of the dependencies between those values, so
//! that nothing is computed again that does not depend on what has changed.

mod bdd;
pub mod bounded;
mod cells;
mod contexts;
mod history;
mod plan;
pub mod proof;
mod propositions;
mod prove;
mod solve;

use std::{fmt, ops::ControlFlow};

use recurva_logic::ntmu::Formula;
use recurva_model::Nsm;

use crate::{
    bdd::{Bdd, Function},
    cells::Cells,
    contexts::Contexts,
    plan::Plan,
    proof::Proof,
    prove::Solved,
    solve::Solver,
};

pub use propositions::{Propositions, UnknownProposition};

/// Whether the machine is made smaller first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// States that the formula cannot tell apart are merged.
    Bisimulation,
    /// The machine is taken as it is.
    None,
}

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether the machine is made smaller first.
    pub reduction: Reduction,
    /// How many Boolean functions may be stored, of about 50 bytes each.
    pub max_functions: usize,
    /// How many claims a proof may have, of about 100 bytes each.
    pub max_claims: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            reduction: Reduction::Bisimulation,
            max_functions: 50_000_000,
            max_claims: 20_000_000,
        }
    }
}

/// How far the work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many times a subformula has been evaluated at a state with its context.
    pub evaluations: u64,
    /// How many different Boolean functions there have been.
    pub functions: usize,
}

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Whether the machine satisfies the formula.
    pub holds: bool,
    /// The states of the machine after reduction.
    pub states: usize,
    /// The states with different contexts that can be reached.
    pub pairs: usize,
    /// The subformulas at such pairs that were evaluated.
    pub cells: usize,
    /// The work that was done.
    pub work: Progress,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckError {
    /// The formula speaks of what the machine does not have.
    Unknown(UnknownProposition),
    /// There are too many Boolean functions: see [`Options::max_functions`].
    TooLarge {
        /// How many there were.
        functions: usize,
    },
    /// The proof has too many claims: see [`Options::max_claims`].
    TooManyClaims {
        /// How many there were.
        claims: usize,
    },
    /// The caller did not want to go on.
    Stopped,
    /// The reason for an answer could not be found: a fault of this crate.
    Unexplained,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Unknown(unknown) => unknown.fmt(f),
            CheckError::TooLarge { functions } => {
                write!(f, "no answer within {functions} Boolean functions")
            }
            CheckError::TooManyClaims { claims } => {
                write!(f, "the proof has more than {claims} claims")
            }
            CheckError::Unexplained => f.write_str("internal error: the proof cannot be found"),
            CheckError::Stopped => f.write_str("stopped before there was an answer"),
        }
    }
}

impl std::error::Error for CheckError {}

/// Counts work, and asks every few thousand evaluations whether to go on.
pub(crate) struct Meter<'m> {
    progress: Progress,
    go_on: &'m mut dyn FnMut(&Progress) -> ControlFlow<()>,
}

impl Meter<'_> {
    fn evaluation(&mut self, functions: usize) -> Result<(), CheckError> {
        self.progress.evaluations += 1;
        self.progress.functions = functions;
        if self.progress.evaluations.is_multiple_of(4096) && (self.go_on)(&self.progress).is_break()
        {
            return Err(CheckError::Stopped);
        }
        Ok(())
    }
}

/// Whether a machine satisfies a formula: whether the formula holds at the initial state, with
/// nothing on the stack.
///
/// The propositions of the formula are those of the machine; `@v` holds in state `v`, and
/// `call`, `ret` and `loc` in states of these kinds. `go_on` is asked from time to time.
///
/// # Errors
///
/// Why there is no answer.
pub fn check(
    nsm: &Nsm,
    formula: &Formula,
    options: &Options,
    go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<Outcome, CheckError> {
    let (outcome, _) = run(nsm, formula, options, Wanted::Answer, go_on)?;
    Ok(outcome)
}

/// The same with a proof if the answer is yes.
///
/// The proof is about the machine as it was given, also if it was reduced on the way. Whoever
/// needs to be sure has it [checked](Proof::check).
///
/// # Errors
///
/// Why there is no answer.
pub fn prove(
    nsm: &Nsm,
    formula: &Formula,
    options: &Options,
    go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<(Outcome, Option<Proof>), CheckError> {
    run(nsm, formula, options, Wanted::Proof, go_on)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Answer,
    Proof,
}

fn run(
    nsm: &Nsm,
    formula: &Formula,
    options: &Options,
    wanted: Wanted,
    mut go_on: impl FnMut(&Progress) -> ControlFlow<()>,
) -> Result<(Outcome, Option<Proof>), CheckError> {
    let propositions = Propositions::new(nsm, formula.formulas(), formula.root());
    let propositions = propositions.map_err(CheckError::Unknown)?;
    let reduced = match options.reduction {
        Reduction::None => None,
        Reduction::Bisimulation => {
            let seen = propositions.observations(nsm);
            Some(nsm.quotient(|state| seen[state.index()]))
        }
    };
    // A merged state looks like the first of those that it stands for.
    let propositions = match &reduced {
        None => propositions,
        Some(reduced) => propositions.of_quotient(nsm, reduced),
    };
    let solved = reduced.as_ref().map_or(nsm, |reduced| &reduced.nsm);
    let contexts = Contexts::new(solved);
    let mut bdd = Bdd::new(options.max_functions);
    let cells = Cells::new(formula, &contexts, &propositions, &mut bdd);
    let cells = cells.map_err(|_| CheckError::TooLarge {
        functions: options.max_functions,
    })?;
    let plan = Plan::new(&cells);
    let mut meter = Meter {
        progress: Progress::default(),
        go_on: &mut go_on,
    };
    let solver = Solver::new(&cells, &mut bdd, &mut meter);
    let (value, history) = match wanted {
        Wanted::Answer => (solver.solve(&plan)?, None),
        Wanted::Proof => {
            let (value, history) = solver.solve_with_history(&plan)?;
            (value, Some(history))
        }
    };
    // Nothing returns from the initial context: the value is a constant.
    let holds = value == Function::TRUE;
    let proof = match history.filter(|_| holds) {
        None => None,
        Some(history) => {
            let solved = Solved {
                nsm,
                quotient: reduced.as_ref(),
                formula,
                cells: &cells,
                bdd: &bdd,
                history: &history,
            };
            Some(prove::prove(&solved, options.max_claims, &mut meter)?)
        }
    };
    let outcome = Outcome {
        holds,
        states: solved.states().len(),
        pairs: contexts.pairs.len(),
        cells: cells.len(),
        work: meter.progress,
    };
    Ok((outcome, proof))
}
