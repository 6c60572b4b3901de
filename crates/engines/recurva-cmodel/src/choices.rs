//! Runs back: what a run of the program chose, as the interpreter of C asks for it.

use std::fmt;

use recurva_cir::Choice;
use recurva_evidence::{Replayed, Via};
use recurva_model::{EdgeId, Patience, ProcId, Stop};

use crate::{Lowered, lowered::Chosen};

/// What a run chose, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// One for each value that was not known: parameters of the entry first, then each
    /// [`Operation::Havoc`](recurva_cir::Operation::Havoc) that was carried out.
    pub values: Vec<Choice>,
    /// What was in each new object that was not zeroed.
    pub allocations: Vec<Choice>,
    /// Of an infinite run, how many of the values and of the allocations come before its turn; the
    /// others are repeated for ever.
    pub turn: Option<(usize, usize)>,
}

/// Why a run was not spelled out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unspelled {
    /// It has more steps than that.
    TooLong(u64),
    /// Nobody waited for it.
    Stopped,
}

impl From<Stop> for Unspelled {
    fn from(_: Stop) -> Self {
        Unspelled::Stopped
    }
}

impl fmt::Display for Unspelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unspelled::TooLong(steps) => write!(f, "the run has {steps} steps"),
            Unspelled::Stopped => f.write_str("stopped before it was done"),
        }
    }
}

impl std::error::Error for Unspelled {}

/// What a replayed run of [`Lowered::program`] chose. Calls share bodies, so a short trace can be a
/// run of 2^40 steps: one with more than `most` steps is not spelled out.
///
/// # Errors
///
/// If the run is too long, or patience ends.
pub fn choices(
    lowered: &Lowered,
    run: &Replayed<'_>,
    most: u64,
    patience: &mut Patience<'_>,
) -> Result<Choices, Unspelled> {
    let turn_length = run.lasso().map_or(0, recurva_evidence::Lasso::length);
    let length = run.length().saturating_add(turn_length);
    if length > most {
        return Err(Unspelled::TooLong(length));
    }
    let mut choices = Choices::default();
    let trace = run.trace();
    let mut turn = trace.turn.as_deref();
    // A stack of lists of steps being followed, each with the next one.
    let mut walk = vec![(run.program().main(), &trace.stem[..], 0usize)];
    while let Some((procedure, steps, next)) = walk.pop() {
        let Some(step) = steps.get(next) else {
            // The turn goes on where the stem ends.
            if walk.is_empty()
                && let Some(steps) = turn.take()
            {
                choices.turn = Some((choices.values.len(), choices.allocations.len()));
                walk.push((procedure, steps, 0));
            }
            continue;
        };
        patience.step()?;
        for chosen in &lowered.edges[procedure.index()][step.edge.index()].chosen {
            choices.add(chosen, &step.choices);
        }
        let callee = callee(run, procedure, step.edge);
        match (step.via, callee) {
            (Via::Into, Some(callee)) => walk.push((callee, steps, next + 1)),
            (Via::Through(body), Some(callee)) => {
                walk.push((procedure, steps, next + 1));
                walk.push((callee, &trace.bodies[body.index()].steps, 0));
            }
            _ => walk.push((procedure, steps, next + 1)),
        }
    }
    Ok(choices)
}

fn callee(run: &Replayed<'_>, procedure: ProcId, edge: EdgeId) -> Option<ProcId> {
    match run.program().edge(procedure, edge).action {
        recurva_model::Action::Call { callee, .. } => Some(callee),
        recurva_model::Action::Assign { .. } => None,
    }
}

impl Choices {
    fn add(&mut self, chosen: &Chosen, values: &[u64]) {
        let mut bytes = vec![0u8; chosen.size as usize];
        for part in &chosen.parts {
            let value = values.get(part.which as usize).copied().unwrap_or(0);
            let value = match &part.table {
                Some(table) => table[(value as usize).min(table.len() - 1)],
                None => value,
            };
            for bit in 0..u64::from(part.width) {
                let at = part.start + bit;
                if value >> bit & 1 == 1
                    && let Some(byte) = bytes.get_mut((at / 8) as usize)
                {
                    *byte |= 1 << (at % 8);
                }
            }
        }
        let choice = Choice { bytes };
        match chosen.is_allocation {
            true => self.allocations.push(choice),
            false => self.values.push(choice),
        }
    }
}
