//! Traces from elsewhere: whether they are runs of a program that violate a property.

use std::time::Instant;

use recurva_evidence::{
    Claim, Mismatch, Replayed, Trace, Unreplayed, replay, replay_with_patience,
};
use recurva_logic::{
    automaton::Tgba,
    ltl::{Formula, WordEvaluation},
};
use recurva_model::{Guard, Patience, Program, Stack, Stop, Word};

use super::Property;
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
        Property::Ltl(property) | Property::Caret(property) => {
            let violated = violates_formula(&property.formula);
            let (guards, positions) = (&property.guards, property.positions.as_ref());
            confirm_live(program, trace, guards, positions, violated)?
        }
        Property::Never(property) => {
            let accepted = accepts(&property.automaton);
            let (guards, positions) = (&property.guards, property.positions.as_ref());
            confirm_live(program, trace, guards, positions, accepted)?
        }
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

/// Whether a word violates a property, unless patience ends first.
pub(crate) type Violates<'v> = &'v dyn Fn(&Word, &mut Patience<'_>) -> Result<bool, Stop>;

/// Whether a word violates a formula.
pub(crate) fn violates_formula(
    formula: &Formula,
) -> impl Fn(&Word, &mut Patience<'_>) -> Result<bool, Stop> {
    |word, patience| {
        let (all, root) = (&formula.formulas, formula.root);
        let evaluation = WordEvaluation::with_patience(all, root, word, patience)?;
        Ok(!evaluation.holds())
    }
}

/// Whether an automaton accepts a word.
pub(crate) fn accepts(automaton: &Tgba) -> impl Fn(&Word, &mut Patience<'_>) -> Result<bool, Stop> {
    |word, patience| automaton.accepts_word_with_patience(word, patience)
}

/// Why an infinite run that was found has not been shown to violate a property.
pub(crate) enum Unshown {
    /// It does not.
    Unconfirmed(Unconfirmed),
    /// Nobody waited for it.
    Stopped(Stop),
}

impl From<Stop> for Unshown {
    fn from(stop: Stop) -> Self {
        Unshown::Stopped(stop)
    }
}

impl From<Unreplayed> for Unshown {
    fn from(cause: Unreplayed) -> Self {
        match cause {
            Unreplayed::Mismatch(mismatch) => Unshown::Unconfirmed(mismatch.into()),
            Unreplayed::Stopped(stop) => Unshown::Stopped(stop),
        }
    }
}

/// [`replay_live`] for those who wait.
fn confirm_live<'p>(
    program: &'p Program,
    trace: Trace,
    guards: &[Guard],
    positions: Option<&Guard>,
    violates: impl Fn(&Word, &mut Patience<'_>) -> Result<bool, Stop>,
) -> Result<Replayed<'p>, Unconfirmed> {
    let patience = &mut Patience::endless();
    let replayed = replay_live(program, trace, guards, positions, &violates, patience);
    replayed.map_err(|cause| match cause {
        Unshown::Unconfirmed(cause) => cause,
        Unshown::Stopped(_) => unreachable!("patience has no end"),
    })
}

/// Replays an infinite run and asks whether what was observed, at the positions that count if not
/// all do, violates the property.
pub(crate) fn replay_live<'p>(
    program: &'p Program,
    trace: Trace,
    guards: &[Guard],
    positions: Option<&Guard>,
    violates: Violates<'_>,
    patience: &mut Patience<'_>,
) -> Result<Replayed<'p>, Unshown> {
    let observed = guards.iter().chain(positions).cloned().collect();
    let replayed = replay_with_patience(program, trace, &Claim::Repeats(observed), patience)?;
    let word = replayed.lasso().map(recurva_evidence::Lasso::word);
    let is_violated = match (word, positions) {
        (None, _) => false,
        (Some(word), None) => violates(word, patience)?,
        (Some(word), Some(_)) => match word.filtered(1 << guards.len()) {
            Some(word) => violates(&word, patience)?,
            None => false,
        },
    };
    match is_violated {
        true => Ok(replayed),
        false => Err(Unshown::Unconfirmed(Unconfirmed::Satisfied)),
    }
}
