//! The engines that look for proofs take turns, and the turns get longer.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use recurva_certificate::{Proof, check::Why};
use recurva_evidence::Trace;
use recurva_model::{Point, ProcId, Program, VarRef};
use recurva_smt::Unknown;

use super::{Certified, certify, file::why as why_rejected, turns};
use crate::{Engine, Limits, Note, Work};

/// The first turn of each.
const FIRST: Duration = Duration::from_millis(1000);

/// What is to be proved.
pub(crate) struct Task<'a> {
    /// The engine, or [`Engine::Auto`].
    pub(crate) engine: Engine,
    /// The program.
    pub(crate) program: &'a Program,
    /// The nodes that are errors.
    pub(crate) errors: &'a [Point],
    /// The nodes that must not be reached: the errors, and where the model ends.
    pub(crate) targets: &'a [Point],
    /// How much may be used.
    pub(crate) limits: Limits,
    /// Whether a variable is an integer of C as it stands.
    pub(crate) is_integer: &'a dyn Fn(ProcId, VarRef) -> bool,
}

/// What came out of looking for a proof.
pub(crate) enum Proved {
    /// A proof, checked.
    Proof(Box<Certified>),
    /// A run to an error. It is a claim.
    Run(Box<FoundRun>),
    /// Neither, and why.
    Unknown(Vec<Note>),
    /// The time was over.
    Stopped,
}

/// A run that was met with in looking for a proof.
pub(crate) struct FoundRun {
    /// The run.
    pub(crate) trace: Trace,
    /// What found it.
    pub(crate) found_by: &'static str,
}

impl Proved {
    /// Whether it answers the question.
    pub(crate) fn is_answer(&self) -> bool {
        matches!(self, Proved::Proof(_) | Proved::Run(_))
    }
}

/// What one engine found in its turn.
pub(super) enum Found {
    /// A proof, not checked yet.
    Proof(Proof),
    /// A run to an error.
    Run(Trace),
    /// It cannot find anything, and why.
    Nothing(String),
    /// Its turn was over.
    Late,
}

/// The order of the turns for ranks: most guesses fail, and these show it first.
pub(super) const FOR_RANKS: [Engine; 5] = [
    Engine::Predicates,
    Engine::Candidates,
    Engine::Horn,
    Engine::States,
    Engine::Unroll,
];

/// The order of the turns.
const ORDER: [Engine; 5] = [
    Engine::States,
    Engine::Candidates,
    Engine::Unroll,
    Engine::Predicates,
    Engine::Horn,
];

/// A turn is so many times as long as the one before: each begins anew.
const LONGER: u32 = 4;

/// Looks for a proof. `tell` is told how far the work is, and may end it.
pub(crate) fn prove(task: &Task<'_>, tell: &mut dyn FnMut(Work) -> ControlFlow<()>) -> Proved {
    prove_in(&ORDER, task, tell)
}

/// The same, with the turns in an order.
pub(super) fn prove_in(
    order: &[Engine],
    task: &Task<'_>,
    tell: &mut dyn FnMut(Work) -> ControlFlow<()>,
) -> Proved {
    let mut left: Vec<Engine> = match task.engine {
        Engine::Auto => order.to_vec(),
        chosen => vec![chosen],
    };
    let mut why = Vec::new();
    let mut turn = match task.engine {
        Engine::Auto => FIRST,
        _ => Duration::MAX,
    };
    while !left.is_empty() {
        let mut still = Vec::new();
        for &engine in &left {
            let began = Instant::now();
            let mut is_over = false;
            let mut go_on = |work: Work| {
                if began.elapsed() >= turn {
                    return ControlFlow::Break(());
                }
                let told = tell(work);
                is_over |= told.is_break();
                told
            };
            let found = turns::take(engine, task, turn, &mut go_on);
            match found {
                Found::Proof(proof) => match certify(task, &proof, engine.name(), tell) {
                    Ok(certified) if certified.has_text() => {
                        return Proved::Proof(Box::new(certified));
                    }
                    Ok(_) => {
                        let text = format!("{}: the proof is too long", engine.name());
                        why.push(Note::new(text));
                    }
                    Err(rejected) if rejected.why == Why::Unknown(Unknown::Stopped) => {
                        return Proved::Stopped;
                    }
                    Err(rejected) => {
                        let text = format!("{}: {}", engine.name(), why_rejected(task, &rejected));
                        why.push(Note::new(text));
                    }
                },
                Found::Run(trace) => {
                    let found_by = engine.name();
                    return Proved::Run(Box::new(FoundRun { trace, found_by }));
                }
                Found::Nothing(cause) => {
                    why.push(Note::new(format!("{}: {cause}", engine.name())));
                }
                Found::Late if is_over => return Proved::Stopped,
                Found::Late => still.push(engine),
            }
        }
        left = still;
        turn = turn.saturating_mul(LONGER);
    }
    Proved::Unknown(why)
}
