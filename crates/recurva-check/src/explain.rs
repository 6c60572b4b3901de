//! From the path edges of a search to a trace.
//!
//! The way to the target is followed backwards, which is the direction in which path edges
//! remember where they came from, and also the direction in which the values of free
//! choices become known (see [`recurva_explicit::program::Backward`]). A call that returns
//! becomes a body of the trace; when the same exit is asked for again with the same open
//! values, the body is shared.

use std::collections::HashMap;

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_explicit::{
    PathEdge, Reached, Witness,
    program::{Backward, ProgramSystem, Values, Words},
};

use crate::InternalError;

/// Spells out the way to the target as a trace.
pub(crate) fn explain<W: Words>(
    system: &ProgramSystem<'_, W>,
    witness: &Witness<W>,
) -> Result<Trace, InternalError> {
    let target = witness.target();
    let values = system.complete(witness.state(target));
    let mut explainer = Explainer {
        system,
        witness,
        known: HashMap::new(),
        bodies: Vec::new(),
        stem: Chain {
            at: target,
            values,
            steps: Vec::new(),
        },
        calls: Vec::new(),
    };
    while explainer.go_back()? {}
    let Explainer { stem, bodies, .. } = explainer;
    Ok(Trace {
        globals: stem.values.globals,
        locals: stem.values.locals,
        bodies,
        stem: stem.steps.into_iter().rev().collect(),
    })
}

/// A chain of path edges of which the end has been spelled out.
struct Chain {
    /// The first path edge spelled out so far.
    at: PathEdge,
    /// The values there.
    values: Values,
    /// The steps from there on, last one first.
    steps: Vec<Step>,
}

/// A body that is being spelled out.
struct Call {
    key: BodyKey,
    chain: Chain,
}

/// An exit and the values that are open in it.
type BodyKey = (PathEdge, Box<[u64]>);

struct Explainer<'a, 'p, W> {
    system: &'a ProgramSystem<'p, W>,
    witness: &'a Witness<W>,
    /// Finished bodies: their number, and the values at their entry.
    known: HashMap<BodyKey, (BodyId, Values)>,
    bodies: Vec<Body>,
    stem: Chain,
    /// Bodies begun, each needed by the one before.
    calls: Vec<Call>,
}

impl<W: Words> Explainer<'_, '_, W> {
    /// Goes back by one path edge in the innermost chain; false when the stem is complete.
    fn go_back(&mut self) -> Result<bool, InternalError> {
        let chain = self.calls.last().map_or(&self.stem, |call| &call.chain);
        let to = self.witness.state(chain.at);
        match self.witness.reached(chain.at) {
            Reached::Initially | Reached::Call(_) if !self.calls.is_empty() => self.finish_body(),
            Reached::Initially => return Ok(false),
            Reached::Refinement(from) => self.chain().at = from,
            Reached::Step(from) => {
                let back = self
                    .system
                    .back_step(self.witness.state(from), to, &chain.values);
                let back = back.ok_or_else(|| unexplained("step"))?;
                self.prepend(from, back, Via::Internal);
            }
            Reached::Call(from) => {
                let caller = self.witness.state(from);
                let back = self.system.back_call(caller, to, &chain.values, None);
                self.prepend(from, back.ok_or_else(|| unexplained("call"))?, Via::Into);
            }
            Reached::Return { caller, exit } => self.go_back_over(caller, exit)?,
        }
        Ok(true)
    }

    /// Goes back over a call: at once if its body is known, else the body is begun.
    fn go_back_over(&mut self, caller: PathEdge, exit: PathEdge) -> Result<(), InternalError> {
        let (system, witness) = (self.system, self.witness);
        let chain = self.calls.last().map_or(&self.stem, |call| &call.chain);
        let entry = witness.entry(exit);
        let (from, exit_state) = (witness.state(caller), witness.state(exit));
        let entry_state = witness.state(entry);
        let to = witness.state(chain.at);
        let (site, values) = system
            .back_return(from, entry_state, exit_state, to, &chain.values)
            .ok_or_else(|| unexplained("return"))?;
        let key = (exit, system.open_values(exit_state, &values));
        let Some((body, at_entry)) = self.known.get(&key) else {
            let chain = Chain {
                at: exit,
                values,
                steps: Vec::new(),
            };
            self.calls.push(Call { key, chain });
            return Ok(());
        };
        let returned = Some((site, &chain.values));
        let back = system.back_call(from, entry_state, at_entry, returned);
        let via = Via::Through(*body);
        self.prepend(caller, back.ok_or_else(|| unexplained("call"))?, via);
        Ok(())
    }

    fn chain(&mut self) -> &mut Chain {
        self.calls
            .last_mut()
            .map_or(&mut self.stem, |call| &mut call.chain)
    }

    fn prepend(&mut self, from: PathEdge, back: Backward, via: Via) {
        let chain = self.chain();
        chain.at = from;
        chain.values = back.before;
        chain.steps.push(Step {
            edge: back.edge,
            choices: back.choices,
            via,
        });
    }

    /// The innermost chain has arrived at its entry.
    fn finish_body(&mut self) {
        let Some(Call { key, chain }) = self.calls.pop() else {
            return;
        };
        let number = BodyId(self.bodies.len() as u32);
        let procedure = self.system.point(self.witness.state(chain.at)).procedure;
        let steps = chain.steps.into_iter().rev().collect();
        self.bodies.push(Body { procedure, steps });
        self.known.insert(key, (number, chain.values));
    }
}

fn unexplained(what: &str) -> InternalError {
    InternalError::Witness(format!("no edge explains a {what} of the search"))
}
