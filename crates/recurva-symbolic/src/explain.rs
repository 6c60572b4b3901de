//! From the layers of a search to a trace.
//!
//! The way to the target is followed backwards: each path edge was found from path edges of
//! an earlier time, so time runs out at the start of the program. A call that came back
//! becomes a body of the trace, one for each pair of what was handed over and what came
//! back; its summary was found earlier than the return, so bodies never need each other in a
//! circle. Nothing recurses: bodies that are begun wait on a list.

use std::collections::HashMap;

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_model::{ProcId, VarRef};

use crate::{
    back::{Backward, Literals, Picked, Place, Undone},
    search::{Cause, Found, Search},
    space::Res,
};

/// A run of a procedure, or of the whole program, spelled out from its end to `at`.
struct Chain {
    at: Place,
    /// The steps from there on, last one first.
    steps: Vec<Step>,
    /// For a body, what it is known by.
    key: Option<Key>,
}

/// A procedure, what was handed over to it, and what came back.
type Key = (ProcId, Literals, Literals);

/// A body, with the values at its entry of the locals that are not parameters.
struct Known {
    body: BodyId,
    locals: Vec<u64>,
}

struct Explainer<'a, 's, 'p> {
    backward: Backward<'a, 's, 'p>,
    known: HashMap<Key, Known>,
    bodies: Vec<Body>,
    /// The stem, and the bodies begun, each needed by the one before.
    chains: Vec<Chain>,
}

/// Builds a trace to a target. `None` would mean that the layers do not fit together.
pub(crate) fn explain(search: &Search<'_, '_>, found: Found) -> Res<Option<Trace>> {
    let backward = Backward::new(search);
    let Some(at) = search.target(&backward, found)? else {
        return Ok(None);
    };
    let mut explainer = Explainer {
        backward,
        known: HashMap::new(),
        bodies: Vec::new(),
        chains: vec![Chain {
            at,
            steps: Vec::new(),
            key: None,
        }],
    };
    while let Some(chain) = explainer.chains.pop() {
        match explainer.go_back(chain)? {
            Progress::On => {}
            Progress::Stuck => return Ok(None),
            Progress::Done(stem) => return Ok(Some(explainer.finish(stem))),
        }
    }
    Ok(None)
}

enum Progress {
    /// There is more to spell out.
    On,
    /// The stem has arrived at the start of the program.
    Done(Chain),
    /// No step leads to where the chain is.
    Stuck,
}

impl Explainer<'_, '_, '_> {
    /// Goes back by one step in the innermost chain, which has been taken off the list.
    fn go_back(&mut self, mut chain: Chain) -> Res<Progress> {
        let node = chain.at.node;
        let point = self.backward.point(node);
        let context = self.backward.context();
        let layer = &self.backward.search.nodes[node as usize].layers[chain.at.layer];
        let is_entry = point.node == context.program.procedure(point.procedure).entry;
        if is_entry && let Some(key) = chain.key.take() {
            self.finish_body(key, chain);
            return Ok(Progress::On);
        }
        match layer.cause {
            Cause::Start => return Ok(Progress::Done(chain)),
            Cause::Block(number) => {
                let block = &self.backward.search.setting.prepared.plan.blocks[number as usize];
                let Some((before, choices)) = self.backward.undo_block(number, &chain.at)? else {
                    return Ok(Progress::Stuck);
                };
                for (part, choices) in block.parts.iter().zip(choices).rev() {
                    chain.steps.push(Step {
                        edge: part.edge,
                        choices: choices.into(),
                        via: Via::Internal,
                    });
                }
                chain.at = before;
            }
            Cause::Call(number) => {
                let site = &self.backward.search.setting.prepared.plan.sites[number as usize];
                let locals = self.free_locals(point.procedure, &chain.at);
                let Some((before, mut choices)) = self.backward.undo_call(number, &chain.at)?
                else {
                    return Ok(Progress::Stuck);
                };
                choices.extend(locals);
                chain.steps.push(Step {
                    edge: site.part.edge,
                    choices: choices.into(),
                    via: Via::Into,
                });
                chain.at = before;
            }
            Cause::Return(number) => return self.go_back_over(number, chain),
        }
        self.chains.push(chain);
        Ok(Progress::On)
    }

    /// Goes back over a call: at once if its body is known, else the body is begun.
    fn go_back_over(&mut self, number: u32, mut chain: Chain) -> Res<Progress> {
        let site = &self.backward.search.setting.prepared.plan.sites[number as usize];
        let Some(undone) = self.backward.undo_return(number, &chain.at)? else {
            return Ok(Progress::Stuck);
        };
        let Undone {
            before,
            mut choices,
            handed,
            returned,
        } = undone;
        let key = (site.callee, handed, returned);
        if let Some(known) = self.known.get(&key) {
            choices.extend(&known.locals);
            chain.steps.push(Step {
                edge: site.part.edge,
                choices: choices.into(),
                via: Via::Through(known.body),
            });
            chain.at = before;
            self.chains.push(chain);
            return Ok(Progress::On);
        }
        let Some(at) = self.backward.exit_of(key.0, &key.1, &key.2)? else {
            return Ok(Progress::Stuck);
        };
        self.chains.push(chain);
        self.chains.push(Chain {
            at,
            steps: Vec::new(),
            key: Some(key),
        });
        Ok(Progress::On)
    }

    /// A body has arrived at its entry.
    fn finish_body(&mut self, key: Key, chain: Chain) {
        let body = BodyId(self.bodies.len() as u32);
        let locals = self.free_locals(key.0, &chain.at);
        self.bodies.push(Body {
            procedure: key.0,
            steps: chain.steps.into_iter().rev().collect(),
        });
        self.known.insert(key, Known { body, locals });
    }

    /// The values at the entry of the locals that are not parameters.
    fn free_locals(&self, id: ProcId, at_entry: &Place) -> Vec<u64> {
        let procedure = self.backward.context().program.procedure(id);
        self.locals(id, procedure.parameters, at_entry)
    }

    fn locals(&self, id: ProcId, first: usize, at: &Place) -> Vec<u64> {
        let context = self.backward.context();
        let picked: Picked = at.now.clone().into();
        let locals = first as u32..context.program.procedure(id).locals.len() as u32;
        locals
            .flat_map(|local| picked.elements(&context, id, VarRef::Local(local)))
            .collect()
    }

    fn finish(self, stem: Chain) -> Trace {
        let context = self.backward.context();
        let main = context.program.main();
        let picked: Picked = stem.at.now.clone().into();
        let globals = 0..context.program.globals().len() as u32;
        let globals = globals
            .flat_map(|global| picked.elements(&context, main, VarRef::Global(global)))
            .collect();
        let locals = self.locals(main, 0, &stem.at).into();
        Trace {
            turn: None,
            globals,
            locals,
            bodies: self.bodies,
            stem: stem.steps.into_iter().rev().collect(),
        }
    }
}
