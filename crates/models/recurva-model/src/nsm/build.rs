//! The check behind [`Nsm::new`], and a builder.

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use super::{Kind, Nsm, NsmParts, NsmState, PropositionId, StateId};
use crate::{Malformed, Origin};

pub(super) fn build(mut parts: NsmParts) -> Result<Nsm, Malformed> {
    check(&parts)?;
    for state in &mut parts.states {
        state.propositions.sort_unstable();
        state.propositions.dedup();
    }
    let mut edges = parts.locals;
    edges.append(&mut parts.calls);
    let (successors, successors_of) = by_source(edges, parts.states.len());
    let returns = parts.returns.iter();
    let returns = returns.map(|&(from, pending, to)| (from, (pending, to)));
    let (returns, returns_of) = by_source(returns.collect(), parts.states.len());
    Ok(Nsm {
        states: parts.states,
        propositions: parts.propositions,
        init: parts.init,
        successors,
        successors_of,
        returns,
        returns_of,
    })
}

/// Sorted lists of what is behind each state.
fn by_source<T: Ord + Copy>(
    mut list: Vec<(StateId, T)>,
    states: usize,
) -> (Vec<T>, Vec<Range<u32>>) {
    list.sort_unstable();
    list.dedup();
    let mut ranges = Vec::with_capacity(states);
    let mut start = 0;
    for state in 0..states as u32 {
        let here = list[start..].iter().take_while(|(from, _)| from.0 == state);
        let end = start + here.count();
        ranges.push(start as u32..end as u32);
        start = end;
    }
    (list.into_iter().map(|(_, target)| target).collect(), ranges)
}

fn check(parts: &NsmParts) -> Result<(), Malformed> {
    let wrong = |place: &str, reason: &str| Err(Malformed::new(place, reason));
    let size = parts.states.len() + parts.locals.len() + parts.calls.len() + parts.returns.len();
    if u32::try_from(size).is_err() {
        return wrong("machine", "too many states or transitions");
    }
    let mut names = HashSet::new();
    for state in &parts.states {
        if !names.insert(&*state.name) {
            return wrong(&state.name, "two states have this name");
        }
        let known = |proposition: &PropositionId| proposition.index() < parts.propositions.len();
        if !state.propositions.iter().all(known) {
            return wrong(&state.name, "a proposition that does not exist");
        }
    }
    let mut propositions = HashSet::new();
    if !parts
        .propositions
        .iter()
        .all(|name| propositions.insert(name))
    {
        return wrong("propositions", "one occurs twice");
    }
    let kind = |state: StateId| parts.states.get(state.index()).map(|state| state.kind);
    if kind(parts.init).is_none() {
        return wrong("init", "there is no such state");
    }
    let callee = |state| matches!(kind(state), Some(Kind::Local | Kind::Call));
    let inside = |state| matches!(kind(state), Some(Kind::Local | Kind::Return));
    for &(from, to) in &parts.locals {
        if !inside(from) || !callee(to) {
            return wrong("a local transition", "not between states that it can join");
        }
    }
    for &(from, to) in &parts.calls {
        if kind(from) != Some(Kind::Call) || !callee(to) {
            return wrong("a call", "not between states that it can join");
        }
    }
    for &(from, pending, to) in &parts.returns {
        let called = kind(pending) == Some(Kind::Call);
        if !inside(from) || !called || kind(to) != Some(Kind::Return) {
            return wrong("a return", "not between states that it can join");
        }
    }
    Ok(())
}

/// Makes a machine state by state. What does not fit is found by [`Self::finish`].
#[derive(Clone, Debug, Default)]
pub struct NsmBuilder {
    states: Vec<NsmState>,
    propositions: Vec<Box<str>>,
    known: HashMap<Box<str>, PropositionId>,
    locals: Vec<(StateId, StateId)>,
    calls: Vec<(StateId, StateId)>,
    returns: Vec<(StateId, StateId, StateId)>,
}

impl NsmBuilder {
    /// Adds a state with the propositions that are true in it.
    pub fn state(&mut self, name: &str, kind: Kind, propositions: &[&str]) -> StateId {
        self.state_at(name, kind, propositions, Origin::default())
    }

    /// Adds a state that is declared in a text.
    pub fn state_at(
        &mut self,
        name: &str,
        kind: Kind,
        propositions: &[&str],
        origin: Origin,
    ) -> StateId {
        let id = StateId(self.states.len() as u32);
        let propositions = propositions.iter().map(|name| self.proposition(name));
        let propositions = propositions.collect();
        self.states.push(NsmState {
            name: name.into(),
            kind,
            propositions,
            origin,
        });
        id
    }

    fn proposition(&mut self, name: &str) -> PropositionId {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let id = PropositionId(self.propositions.len() as u32);
        self.propositions.push(name.into());
        self.known.insert(name.into(), id);
        id
    }

    /// Makes another proposition true in a state.
    pub fn label(&mut self, state: StateId, proposition: &str) -> &mut Self {
        let proposition = self.proposition(proposition);
        if let Some(state) = self.states.get_mut(state.index()) {
            state.propositions.push(proposition);
        }
        self
    }

    /// Adds a local transition.
    pub fn local(&mut self, from: StateId, to: StateId) -> &mut Self {
        self.locals.push((from, to));
        self
    }

    /// Adds a call.
    pub fn call(&mut self, from: StateId, to: StateId) -> &mut Self {
        self.calls.push((from, to));
        self
    }

    /// Adds a return from a state with that pending call.
    pub fn ret(&mut self, from: StateId, pending: StateId, to: StateId) -> &mut Self {
        self.returns.push((from, pending, to));
        self
    }

    /// The machine that begins in that state.
    pub fn finish(self, init: StateId) -> Result<Nsm, Malformed> {
        Nsm::new(NsmParts {
            states: self.states,
            propositions: self.propositions,
            init,
            locals: self.locals,
            calls: self.calls,
            returns: self.returns,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transitions_join_states_of_the_right_kinds() {
        let machine = |wrong: fn(&mut NsmBuilder, [StateId; 3])| {
            let mut builder = NsmBuilder::default();
            let local = builder.state("l", Kind::Local, &["p", "p"]);
            let call = builder.state("c", Kind::Call, &[]);
            let ret = builder.state("r", Kind::Return, &["p"]);
            builder.local(local, call).call(call, local);
            builder.ret(local, call, ret).local(ret, local);
            wrong(&mut builder, [local, call, ret]);
            builder.finish(local)
        };
        let good = machine(|builder, [local, call, _]| {
            builder.local(local, call);
        });
        let good = good.expect("a transition may be said twice");
        assert_eq!(good.locals(StateId(0)), [StateId(1)]);
        assert_eq!(Nsm::new(good.clone().into_parts()), Ok(good));
        let wrong: [fn(&mut NsmBuilder, [StateId; 3]); 8] = [
            |builder, [local, _, ret]| _ = builder.local(local, ret),
            |builder, [local, call, _]| _ = builder.local(call, local),
            |builder, [_, call, ret]| _ = builder.call(call, ret),
            |builder, [local, _, _]| _ = builder.call(local, local),
            |builder, [local, _, ret]| _ = builder.ret(local, local, ret),
            |builder, [local, call, _]| _ = builder.ret(local, call, local),
            |builder, [_, call, ret]| _ = builder.ret(call, call, ret),
            |builder, _| _ = builder.state("l", Kind::Local, &[]),
        ];
        for wrong in wrong {
            assert!(machine(wrong).is_err());
        }
    }
}
