//! Traces from elsewhere: whether they are runs of a program that violate a property.

use std::time::Instant;

use recurva_evidence::{Claim, Mismatch, Replayed, Trace, replay};
use recurva_logic::ltl::WordEvaluation;
use recurva_model::{Guard, Program, Stack, Word};

use super::{Ltl, Never, Property};
use crate::{Answer, Evidence, InternalError, Options, Runs, Stats, Verdict};

/// What stands for the engine in the outcome of a replay.
pub const REPLAY: &str = "replay";

/// Why a trace does not show that a property is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unconfirmed {
    /// It is no run of the program, or does not end as it should.
    #[error("it is not a run that shows this: {0}")]
    Mismatch(#[from] Mismatch),
    /// It is a run, and the property is true of it.
    #[error("the run satisfies the property")]
    Satisfied,
    /// It is a run that violates the property, and not one that was asked about.
    #[error("the run is none of those that were asked about")]
    NotAsked,
}

impl From<Unconfirmed> for InternalError {
    fn from(cause: Unconfirmed) -> Self {
        match cause {
            Unconfirmed::Mismatch(mismatch) => InternalError::Replay(mismatch),
            Unconfirmed::Satisfied | Unconfirmed::NotAsked => InternalError::NoViolation,
        }
    }
}

/// Replays a trace that may come from anywhere, and gives out the violation that it shows. Of the
/// options only those count that say which runs are asked about.
///
/// ```
/// use recurva_check::{Options, Property, check, confirm};
/// use recurva_lang::bp;
/// use recurva_syntax::Source;
///
/// let source = Source::new("model.bp", "void main() begin decl b; assert(b); end")?;
/// let program = bp::parse(&source, &bp::Options::default()).program.expect("no errors");
/// let property = Property::own(&program);
/// let answer = check(&program, &property, &Options::default(), &mut ())?;
/// let trace = answer.run().expect("it fails").trace().clone();
/// let again = confirm(&program, &property, trace, &Options::default())?;
/// assert!(again.is_violated());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the trace shows no such thing.
pub fn confirm<'p>(
    program: &'p Program,
    property: &Property,
    trace: Trace,
    options: &Options,
) -> Result<Answer<'p>, Unconfirmed> {
    let started = Instant::now();
    let replayed = match property {
        Property::Unreachable { points, .. } => {
            replay(program, trace, &Claim::Reaches(points.clone()))?
        }
        Property::Monitor(monitor) => replay(program, trace, &Claim::Monitor(monitor.clone()))?,
        Property::Ltl(Ltl {
            formula,
            guards,
            positions,
            ..
        })
        | Property::Caret(Ltl {
            formula,
            guards,
            positions,
            ..
        }) => replay_live(program, trace, guards, positions.as_ref(), |word| {
            !WordEvaluation::new(&formula.formulas, formula.root, word).holds()
        })?,
        Property::Never(Never {
            automaton,
            guards,
            positions,
            ..
        }) => replay_live(program, trace, guards, positions.as_ref(), |word| {
            automaton.accepts_word(word)
        })?,
    };
    if let Some(lasso) = replayed.lasso() {
        let (over, grows) = (lasso.length() == 0, lasso.frames() > 0);
        let wanted = match options.stack {
            Stack::Any => true,
            Stack::Finite => !grows,
            Stack::Diverging => grows,
        };
        if !wanted || (over && options.runs == Runs::Infinite) {
            return Err(Unconfirmed::NotAsked);
        }
    }
    let mut answer = Answer::new(Verdict::Violated, REPLAY);
    answer.evidence = Some(Evidence::Run(Box::new(replayed)));
    answer.stats = Stats {
        seconds: started.elapsed().as_secs_f64(),
        ..Stats::default()
    };
    answer.stack = property.is_liveness().then_some(options.stack);
    Ok(answer)
}

/// Replays an infinite run and asks whether what was observed, at the positions that count if not
/// all do, violates the property.
pub(crate) fn replay_live<'p>(
    program: &'p Program,
    trace: Trace,
    guards: &[Guard],
    positions: Option<&Guard>,
    violates: impl Fn(&Word) -> bool,
) -> Result<Replayed<'p>, Unconfirmed> {
    let observed = guards.iter().chain(positions).cloned().collect();
    let replayed = replay(program, trace, &Claim::Repeats(observed))?;
    let word = replayed.lasso().and_then(|lasso| match positions {
        None => Some(lasso.word().clone()),
        Some(_) => lasso.word().filtered(1 << guards.len()),
    });
    match word.is_some_and(|word| violates(&word)) {
        true => Ok(replayed),
        false => Err(Unconfirmed::Satisfied),
    }
}
