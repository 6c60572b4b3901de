//! Traces: what a run does, step by step, with shared bodies for calls that return.
//!
//! A trace stores decisions, not states: which edge is taken and which value each free
//! choice gets. The states follow from the semantics when the trace is [replayed].
//!
//! A call that returns refers to a [`Body`], and many calls may share one: a run of 2^40
//! steps can be a trace of a few hundred. Bodies come bottom-up, each refers only to earlier
//! ones, so nothing that walks a trace recurses.
//!
//! [replayed]: crate::replay

use recurva_model::{EdgeId, Patience, ProcId, Stop};

/// Index of a body in [`Trace::bodies`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub u32);

impl BodyId {
    /// The position in [`Trace::bodies`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a step goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Via {
    /// An internal edge.
    Internal,
    /// A call that has not returned when the trace ends: the steps that follow are the
    /// callee's. Only in the stem and in the turn.
    Into,
    /// A call that returns, after the steps of this body.
    Through(BodyId),
}

/// One edge taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Step {
    /// The edge, in the procedure that is running.
    pub edge: EdgeId,
    /// Values for the free choices, as
    /// [`Machine::choices`](recurva_model::semantics::Machine::choices) asks for them. Empty
    /// and unallocated for most steps.
    pub choices: Box<[u64]>,
    /// Internal, or what becomes of the call.
    pub via: Via,
}

/// A run of a procedure from its entry to its exit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    /// The procedure.
    pub procedure: ProcId,
    /// The steps; the return that follows the last one is not among them.
    pub steps: Vec<Step>,
}

/// A run from the start of a program: finite, or with a turn that is repeated for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The values of all globals at the start, an array's elements one after the other.
    pub globals: Box<[u64]>,
    /// The values of all locals of the main procedure at the start.
    pub locals: Box<[u64]>,
    /// The bodies of calls that return, each after those it refers to.
    pub bodies: Vec<Body>,
    /// The steps from the start to the end, or to where the turn starts.
    pub stem: Vec<Step>,
    /// Of an infinite run the steps that are repeated for ever. If there are none, the run has
    /// returned from the main procedure and stays there.
    pub turn: Option<Vec<Step>>,
}

impl Trace {
    /// For each body, the number of steps when all calls in it are spelled out, calls and
    /// returns counted; saturating. A reference to a body that does not come earlier, which
    /// no trace that replays has, counts as an empty body.
    pub fn body_lengths(&self) -> Vec<u64> {
        let lengths = self.body_lengths_with_patience(&mut Patience::endless());
        lengths.expect("patience has no end")
    }

    pub(crate) fn body_lengths_with_patience(
        &self,
        patience: &mut Patience<'_>,
    ) -> Result<Vec<u64>, Stop> {
        let mut lengths: Vec<u64> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let length = spelled_out(&body.steps, &lengths, patience)?;
            lengths.push(length);
        }
        Ok(lengths)
    }

    /// The number of steps of the stem when all calls are spelled out; saturating.
    pub fn length(&self) -> u64 {
        let length = spelled_out(&self.stem, &self.body_lengths(), &mut Patience::endless());
        length.expect("patience has no end")
    }

    /// The same trace without the bodies that no call refers to.
    ///
    /// # Errors
    ///
    /// If patience ends before they are gone.
    pub fn without_unused_bodies(mut self, patience: &mut Patience<'_>) -> Result<Self, Stop> {
        let mut used = vec![false; self.bodies.len()];
        let mut mark = |steps: &[Step], used: &mut Vec<bool>| {
            for step in steps {
                patience.work(2)?;
                if let Via::Through(body) = step.via
                    && let Some(used) = used.get_mut(body.index())
                {
                    *used = true;
                }
            }
            Ok(())
        };
        mark(&self.stem, &mut used)?;
        mark(self.turn_steps(), &mut used)?;
        // Bodies refer to earlier ones: from the last one on, each is known to be used or not.
        for (index, body) in self.bodies.iter().enumerate().rev() {
            if used[index] {
                mark(&body.steps, &mut used)?;
            }
        }
        if used.iter().all(|&used| used) {
            return Ok(self);
        }
        let mut kept = 0;
        let numbers: Vec<u32> = used
            .iter()
            .map(|&used| {
                kept += u32::from(used);
                kept - u32::from(used)
            })
            .collect();
        let mut index = 0;
        self.bodies.retain(|_| {
            index += 1;
            used[index - 1]
        });
        let bodies = self.bodies.iter_mut().map(|body| &mut body.steps);
        let ends = std::iter::once(&mut self.stem).chain(&mut self.turn);
        for step in bodies.chain(ends).flatten() {
            patience.work(2)?;
            if let Via::Through(body) = &mut step.via
                && let Some(&number) = numbers.get(body.index())
            {
                body.0 = number;
            }
        }
        Ok(self)
    }

    /// Whether every turn leaves a call pending, so that the stack grows for ever.
    pub fn diverges(&self) -> bool {
        self.turn_steps().iter().any(|step| step.via == Via::Into)
    }

    /// The steps of the turn, none if the run is finite.
    pub fn turn_steps(&self) -> &[Step] {
        self.turn.as_deref().unwrap_or_default()
    }
}

/// The number of steps when all calls in them are spelled out; saturating.
pub(crate) fn spelled_out(
    steps: &[Step],
    bodies: &[u64],
    patience: &mut Patience<'_>,
) -> Result<u64, Stop> {
    steps.iter().try_fold(0u64, |sum, step| {
        patience.work(1)?;
        let cost = match step.via {
            Via::Internal | Via::Into => 1,
            // The call, the body, and the return.
            Via::Through(body) => bodies
                .get(body.index())
                .copied()
                .unwrap_or(0)
                .saturating_add(2),
        };
        Ok(sum.saturating_add(cost))
    })
}
