//! Walking along a run as in a debugger.

use recurva_model::{Action, EdgeId, Monitor, ProcId, semantics::Configuration};

use crate::{BodyId, Part, Replayed, Via, memo::Memo, run::Run};

/// What a run does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// Takes an internal edge of the running procedure.
    Internal(EdgeId),
    /// Calls a procedure.
    Call {
        /// The edge, in the running procedure.
        edge: EdgeId,
        /// The procedure called.
        callee: ProcId,
        /// The body of the call; `None` if the call is still pending when the run ends.
        through: Option<BodyId>,
        /// How many steps it takes to get over the call: itself, the body when all calls in
        /// it are spelled out, and the return (saturating); 1 for a pending call.
        length: u64,
    },
    /// Returns from the running procedure.
    Return,
}

/// A place in a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The list of steps.
    pub part: Part,
    /// The index of the next step in it.
    pub step: usize,
    /// How many bodies are being executed; 0 in the stem.
    pub nesting: usize,
}

/// A position in a replayed run that can be moved forward. See [`Replayed::walk`].
#[derive(Clone, Debug)]
pub struct Walk<'a, 'p> {
    run: Run<'a, 'p>,
    memo: &'a Memo,
    replayed: &'a Replayed<'p>,
}

impl<'a, 'p> Walk<'a, 'p> {
    pub(crate) fn new(run: Run<'a, 'p>, memo: &'a Memo, replayed: &'a Replayed<'p>) -> Self {
        Walk {
            run,
            memo,
            replayed,
        }
    }

    /// The run that is walked along.
    pub fn replayed(&self) -> &'a Replayed<'p> {
        self.replayed
    }

    /// The current configuration.
    pub fn configuration(&self) -> &Configuration {
        self.run.configuration()
    }

    /// The place in the trace.
    pub fn position(&self) -> Position {
        let (part, step) = self.run.position();
        Position {
            part,
            step,
            nesting: self.run.nesting() - 1,
        }
    }

    /// The way into the trace: the index of the step being executed in the stem or the turn and in
    /// each body that is open, and last the index of the next step.
    pub fn path(&self) -> Vec<usize> {
        self.run.path()
    }

    /// The monitor and the states it can be in (sorted) after reading the current
    /// configuration, if there is one.
    pub fn monitor(&self) -> Option<(&'a Monitor, &[u32])> {
        self.replayed
            .claim()
            .monitor()
            .map(|monitor| (monitor, self.run.states()))
    }

    /// What the run does next; `None` at its end.
    pub fn next(&self) -> Option<Next> {
        let Some(step) = self.run.next_step() else {
            return (!self.run.at_end()).then_some(Next::Return);
        };
        let procedure = self.configuration().top().procedure;
        let edge = step.edge;
        Some(match self.replayed.program().edge(procedure, edge).action {
            Action::Assign { .. } => Next::Internal(edge),
            Action::Call { callee, .. } => {
                let through = match step.via {
                    Via::Through(body) => Some(body),
                    Via::Internal | Via::Into => None,
                };
                let length = through.map_or(1, |body| {
                    self.replayed.body_lengths()[body.index()].saturating_add(2)
                });
                Next::Call {
                    edge,
                    callee,
                    through,
                    length,
                }
            }
        })
    }

    /// Takes one step: an internal one, into a call, or back from one. Whether there was
    /// one.
    pub fn step_in(&mut self) -> bool {
        !self.run.at_end() && self.moved(|run, _| run.advance())
    }

    /// Takes one step, with all of the call if it is one that returns. Costs nothing for a
    /// shared body and the distinct steps of one that is used once. Whether there was a step.
    pub fn step_over(&mut self) -> bool {
        let nesting = self.run.nesting();
        self.step_in() && self.moved(|run, mut memo| run.finish(nesting, &mut memo))
    }

    /// Goes on until the body being executed has returned; in the stem, to the end of the
    /// run. Whether there was a step.
    pub fn step_out(&mut self) -> bool {
        let nesting = self.run.nesting();
        if nesting > 1 {
            return self.moved(|run, mut memo| run.finish(nesting - 1, &mut memo));
        }
        let moved = self.step_over();
        while self.step_over() {}
        moved
    }

    /// At the beginning of a body that several calls share: all that its execution depends on.
    /// Executions with the same start go the same way. `None` anywhere else.
    pub fn shared_start(&self) -> Option<Box<[u64]>> {
        self.run.shared_start()
    }

    /// At the end of the first turn of an infinite run: back to the beginning of the turn, with
    /// the values there are now. Whether there is a turn with steps in it.
    pub fn turn_again(&mut self) -> bool {
        let turns = self.run.at_end() && !self.replayed.trace().turn_steps().is_empty();
        if turns {
            self.run.turn_again();
        }
        turns
    }

    /// The replay has done every step before, so none can fail.
    fn moved(
        &mut self,
        how: impl FnOnce(&mut Run<'a, 'p>, &Memo) -> Result<(), crate::Mismatch>,
    ) -> bool {
        let result = how(&mut self.run, self.memo);
        debug_assert!(result.is_ok(), "a replayed step failed: {result:?}");
        result.is_ok()
    }
}
