//! From the path edges of a search to a trace.
//!
//! A way is followed backwards, which is the direction in which path edges remember where they
//! came from, and also the direction in which the values of free choices become known (see
//! [`recurva_explicit::program::Backward`]). A call that returns becomes a body of the trace;
//! when the same exit is asked for again with the same open values, the body is shared.
//!
//! A turn has to end with the values it began with. Going backwards, a value that is open at
//! the start of the turn is either settled on the way or is that of some open value at its end.
//! So the values that come out at the start are put in at the end until they stay the same: at
//! the latest after as many turns as there are values.

use recurva_evidence::{Body, BodyId, Step, Trace, Via};
use recurva_explicit::{
    History, Leg, PathEdge, Reached, Way, Witness,
    fair::Lasso,
    program::{Backward, ProgramSystem, Values, Words},
};
use recurva_model::{Patience, Stop};
use rustc_hash::FxHashMap;

use crate::InternalError;

/// Why there is no trace of a run that was found.
pub(crate) enum Unexplained {
    /// Nobody waited for it.
    Stopped(Stop),
    /// The search is wrong, or this is.
    Wrong(InternalError),
}

impl From<Stop> for Unexplained {
    fn from(stop: Stop) -> Self {
        Unexplained::Stopped(stop)
    }
}

/// Spells out the way to the target as a trace.
pub(crate) fn explain<W: Words>(
    system: &ProgramSystem<'_, W>,
    witness: &Witness<W>,
    patience: &mut Patience<'_>,
) -> Result<Trace, Unexplained> {
    let way = witness.way_with_patience(patience)?;
    let mut explainer = Explainer::new(system, witness, patience);
    let end = system.complete(witness.state(witness.target()));
    let (start, stem) = explainer.follow(&way, end)?;
    Ok(Trace {
        globals: start.globals,
        locals: start.locals,
        bodies: explainer.bodies,
        stem,
        turn: None,
    })
}

/// Spells out an infinite run as a trace.
pub(crate) fn explain_lasso<W: Words>(
    system: &ProgramSystem<'_, W>,
    lasso: &Lasso<W>,
    patience: &mut Patience<'_>,
) -> Result<Trace, Unexplained> {
    let mut explainer = Explainer::new(system, lasso, patience);
    let mut end = system.complete(lasso.start());
    let most = end.globals.len() + end.locals.len() + 1;
    let mut settled = None;
    for _ in 0..=most {
        let (start, turn) = explainer.follow(lasso.turn(), end.clone())?;
        if start == end {
            settled = Some(turn);
            break;
        }
        end = start;
    }
    let turn = settled.ok_or_else(|| unexplained("turn"))?;
    let (start, stem) = explainer.follow(lasso.stem(), end)?;
    let trace = Trace {
        globals: start.globals,
        locals: start.locals,
        bodies: explainer.bodies,
        stem,
        turn: Some(turn),
    };
    Ok(trace.without_unused_bodies(patience)?)
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

struct Explainer<'a, 'p, 't, W, H> {
    system: &'a ProgramSystem<'p, W>,
    history: &'a H,
    patience: &'a mut Patience<'t>,
    /// Finished bodies: their number, and the values at their entry.
    known: FxHashMap<BodyKey, (BodyId, Values)>,
    bodies: Vec<Body>,
    /// Bodies begun, each needed by the one before.
    calls: Vec<Call>,
}

impl<'a, 'p, 't, W: Words, H: History<State = W>> Explainer<'a, 'p, 't, W, H> {
    fn new(
        system: &'a ProgramSystem<'p, W>,
        history: &'a H,
        patience: &'a mut Patience<'t>,
    ) -> Self {
        Explainer {
            system,
            history,
            patience,
            known: FxHashMap::default(),
            bodies: Vec::new(),
            calls: Vec::new(),
        }
    }

    /// The steps of a way that ends with these values, and the values at its start.
    fn follow(&mut self, way: &Way, end: Values) -> Result<(Values, Vec<Step>), Unexplained> {
        let mut chain = Chain {
            at: way.start,
            values: end,
            steps: Vec::new(),
        };
        let before = |index: usize| match index.checked_sub(1) {
            Some(previous) => way.legs[previous].to(),
            None => way.start,
        };
        for (index, &leg) in way.legs.iter().enumerate().rev() {
            self.patience.work(1)?;
            chain.at = leg.to();
            self.go_back(&mut chain, before(index), leg)?;
        }
        chain.steps.reverse();
        Ok((chain.values, chain.steps))
    }

    /// Goes back by one leg.
    fn go_back(&mut self, chain: &mut Chain, from: PathEdge, leg: Leg) -> Result<(), Unexplained> {
        let (system, history) = (self.system, self.history);
        let (before, to) = (history.state(from), history.state(leg.to()));
        match leg {
            Leg::Refinement(_) => chain.at = from,
            // The run is over: it stays where it is, and no step is taken.
            Leg::Step(_) if system.is_final(before) => {
                chain.values = system.back_stutter(before, &chain.values);
                chain.at = from;
            }
            Leg::Step(_) => {
                let back = system.back_step(before, to, &chain.values, self.patience)?;
                let back = back.ok_or_else(|| unexplained("step"))?;
                chain.prepend(from, back, Via::Internal);
            }
            Leg::Call(_) => {
                let back = system.back_call(before, to, &chain.values, None, self.patience)?;
                let back = back.ok_or_else(|| unexplained("call"))?;
                chain.prepend(from, back, Via::Into);
            }
            Leg::Return { exit, .. } => {
                while !self.go_back_over(chain, from, exit)? {
                    self.finish_bodies()?;
                }
            }
        }
        Ok(())
    }

    /// Goes back over a call if its body is known; else the body is begun.
    fn go_back_over(
        &mut self,
        chain: &mut Chain,
        caller: PathEdge,
        exit: PathEdge,
    ) -> Result<bool, Unexplained> {
        let (system, history) = (self.system, self.history);
        let (from, exit_state) = (history.state(caller), history.state(exit));
        let entry_state = history.state(history.entry(exit));
        let to = history.state(chain.at);
        let (after, patience) = (&chain.values, &mut *self.patience);
        let back = system.back_return(from, entry_state, exit_state, to, after, patience)?;
        let (site, values) = back.ok_or_else(|| unexplained("return"))?;
        let key = (exit, system.open_values(exit_state, &values));
        let Some((body, at_entry)) = self.known.get(&key) else {
            let chain = Chain {
                at: exit,
                values,
                steps: Vec::new(),
            };
            self.calls.push(Call { key, chain });
            return Ok(false);
        };
        let returned = Some((site, &chain.values));
        let back = system.back_call(from, entry_state, at_entry, returned, self.patience)?;
        let back = back.ok_or_else(|| unexplained("call"))?;
        chain.prepend(caller, back, Via::Through(*body));
        Ok(true)
    }

    /// Spells out all bodies that have been begun, and those they need.
    fn finish_bodies(&mut self) -> Result<(), Unexplained> {
        while let Some(Call { key, mut chain }) = self.calls.pop() {
            self.patience.work(1)?;
            let (system, history) = (self.system, self.history);
            let to = history.state(chain.at);
            match history.reached(chain.at) {
                Reached::Initially | Reached::Call(_) => {
                    self.finish_body(key, chain);
                    continue;
                }
                Reached::Refinement(from) => chain.at = from,
                Reached::Step(from) => {
                    let back =
                        system.back_step(history.state(from), to, &chain.values, self.patience)?;
                    let back = back.ok_or_else(|| unexplained("step"))?;
                    chain.prepend(from, back, Via::Internal);
                }
                Reached::Return { caller, exit } => {
                    let begun = self.calls.len();
                    if !self.go_back_over(&mut chain, caller, exit)? {
                        // The body needed is finished first.
                        self.calls.insert(begun, Call { key, chain });
                        continue;
                    }
                }
            }
            self.calls.push(Call { key, chain });
        }
        Ok(())
    }

    /// A body has been followed to its entry.
    fn finish_body(&mut self, key: BodyKey, chain: Chain) {
        let number = BodyId(self.bodies.len() as u32);
        let procedure = self.system.point(self.history.state(chain.at)).procedure;
        let steps = chain.steps.into_iter().rev().collect();
        self.bodies.push(Body { procedure, steps });
        self.known.insert(key, (number, chain.values));
    }
}

impl Chain {
    fn prepend(&mut self, from: PathEdge, back: Backward, via: Via) {
        self.at = from;
        self.values = back.before;
        self.steps.push(Step {
            edge: back.edge,
            choices: back.choices,
            via,
        });
    }
}

fn unexplained(what: &str) -> Unexplained {
    let cause = format!("no edge explains a {what} of the search");
    Unexplained::Wrong(InternalError::Witness(cause))
}
