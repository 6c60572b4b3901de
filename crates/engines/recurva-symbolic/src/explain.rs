//! From the layers of a search to a trace.
//!
//! The way to the target is followed backwards: each path edge was found from path edges of
//! an earlier time, so time runs out at the start of the program. A call that came back
//! becomes a body of the trace, one for each pair of what was handed over and what came
//! back; its summary was found earlier than the return, so bodies never need each other in a
//! circle. Nothing recurses: bodies that are begun wait on a list.
//!
//! The turn of an infinite run is followed backwards in the same way, through the layers of the
//! search that found it, to where it began.

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
    role: Role,
}

/// What a chain is to become.
enum Role {
    Stem,
    Turn,
    /// A body, with what it is known by.
    Body(Key),
}

/// A procedure, what was handed over to it, and what came back.
type Key = (ProcId, Literals, Literals);

/// A body, with the values at its entry of the locals that are not parameters.
struct Known {
    body: BodyId,
    locals: Vec<u64>,
}

struct Explainer<'a, 's, 'p> {
    /// Through path edges: for the stem and for bodies.
    backward: Backward<'a, 's, 'p>,
    /// Through a turn.
    around: Option<Backward<'a, 's, 'p>>,
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
    let mut explainer = Explainer::new(backward, None);
    let stem = explainer.follow(at, Role::Stem)?;
    Ok(stem.map(|stem| explainer.finish(stem, None)))
}

/// Builds the trace of an infinite run from a path edge and a turn that leads from there to
/// there. `None` would mean that the layers do not fit together.
pub(crate) fn explain_lasso<'a, 's, 'p>(
    stem: (Backward<'a, 's, 'p>, Place),
    turn: (Backward<'a, 's, 'p>, Place),
) -> Res<Option<Trace>> {
    let mut explainer = Explainer::new(stem.0, Some(turn.0));
    let Some(turn) = explainer.follow(turn.1, Role::Turn)? else {
        return Ok(None);
    };
    let stem = explainer.follow(stem.1, Role::Stem)?;
    Ok(stem.map(|stem| explainer.finish(stem, Some(turn))))
}

enum Progress {
    /// There is more to spell out.
    On,
    /// The chain has arrived where it starts.
    Done(Chain),
    /// No step leads to where the chain is.
    Stuck,
}

impl<'a, 's, 'p> Explainer<'a, 's, 'p> {
    fn new(backward: Backward<'a, 's, 'p>, around: Option<Backward<'a, 's, 'p>>) -> Self {
        Explainer {
            backward,
            around,
            known: HashMap::new(),
            bodies: Vec::new(),
            chains: Vec::new(),
        }
    }

    /// Follows a chain to where it starts, and all bodies that it needs.
    fn follow(&mut self, at: Place, role: Role) -> Res<Option<Chain>> {
        self.chains.push(Chain {
            at,
            steps: Vec::new(),
            role,
        });
        while let Some(chain) = self.chains.pop() {
            match self.go_back(chain)? {
                Progress::On => {}
                Progress::Stuck => return Ok(None),
                Progress::Done(chain) => return Ok(Some(chain)),
            }
        }
        Ok(None)
    }

    /// Steps backwards through the layers that a chain goes through.
    fn backward(&mut self, role: &Role) -> &mut Backward<'a, 's, 'p> {
        match (role, &mut self.around) {
            (Role::Turn, Some(around)) => around,
            _ => &mut self.backward,
        }
    }

    /// Goes back by one step in the innermost chain, which has been taken off the list.
    fn go_back(&mut self, mut chain: Chain) -> Res<Progress> {
        let node = chain.at.node;
        let plan = &self.backward.setting.prepared.plan;
        let point = plan.points[node as usize];
        let backward = self.backward(&chain.role);
        let cause = backward.nodes[node as usize].layers[chain.at.layer].cause;
        match cause {
            Cause::Start | Cause::Call(_) if matches!(chain.role, Role::Body(_)) => {
                self.finish_body(chain);
                return Ok(Progress::On);
            }
            Cause::Start => return Ok(Progress::Done(chain)),
            Cause::End | Cause::Stutter => match backward.undo_pause(&chain.at, cause)? {
                Some(before) => chain.at = before,
                None => return Ok(Progress::Stuck),
            },
            Cause::Block(number) => {
                let block = &plan.blocks[number as usize];
                let Some((before, choices)) = backward.undo_block(number, &chain.at)? else {
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
                let site = &plan.sites[number as usize];
                let Some((before, mut choices)) = backward.undo_call(number, &chain.at)? else {
                    return Ok(Progress::Stuck);
                };
                let locals = self.free_locals(point.procedure, &chain.at);
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
        let site = &self.backward.setting.prepared.plan.sites[number as usize];
        let backward = self.backward(&chain.role);
        let Some(undone) = backward.undo_return(number, &chain.at)? else {
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
            role: Role::Body(key),
        });
        Ok(Progress::On)
    }

    /// A body has arrived at its entry.
    fn finish_body(&mut self, chain: Chain) {
        let Role::Body(key) = chain.role else {
            return;
        };
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

    fn finish(self, stem: Chain, turn: Option<Chain>) -> Trace {
        let context = self.backward.context();
        let main = context.program.main();
        let picked: Picked = stem.at.now.clone().into();
        let globals = 0..context.program.globals().len() as u32;
        let globals = globals
            .flat_map(|global| picked.elements(&context, main, VarRef::Global(global)))
            .collect();
        let locals = self.locals(main, 0, &stem.at).into();
        let steps = |chain: Chain| chain.steps.into_iter().rev().collect();
        Trace {
            globals,
            locals,
            bodies: self.bodies,
            stem: steps(stem),
            turn: turn.map(steps),
        }
    }
}
