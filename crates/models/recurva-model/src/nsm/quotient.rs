//! Merging states that no formula can tell apart (§3.2.3).
//!
//! Two states are merged if they are of one kind, look alike, and every move of one is matched
//! by a move of the other to a state that is merged with its target. A return depends on two
//! states, the one it starts in and the pending call: it has to be matched whenever either of
//! them is replaced by one that it is merged with. So a state's signature has its returns with
//! the very call they belong to, and a call's the returns with the very state they start in;
//! replacing first one and then the other gives the general case.

use std::collections::HashMap;

use super::{Nsm, NsmParts, NsmState, StateId};

/// A machine with bisimilar states merged.
#[derive(Clone, Debug)]
pub struct Quotient {
    /// The machine. Its states have the names, and all propositions, of the first of those
    /// that were merged; only what was observed is the same for all of them.
    pub nsm: Nsm,
    /// For each state of the first machine the one that stands for it.
    classes: Vec<StateId>,
}

impl Quotient {
    /// The state that stands for a state of the first machine.
    pub fn class(&self, state: StateId) -> StateId {
        self.classes[state.index()]
    }
}

impl Nsm {
    /// The machine with bisimilar states merged. States are told apart by their kind, by what
    /// `observe` gives for them, and by what they can do.
    pub fn quotient(&self, observe: impl Fn(StateId) -> u64) -> Quotient {
        let mut partition = Partition::new(self, observe);
        partition.refine();
        partition.quotient()
    }
}

/// What a state can do, as seen now. The numbers are class numbers but for the second of each
/// return, which is the number of the other state that takes part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Signature {
    successors: Vec<u32>,
    returns: Vec<(u32, u32)>,
    returned_through: Vec<(u32, u32)>,
}

struct Partition<'m> {
    nsm: &'m Nsm,
    class: Vec<u32>,
    members: Vec<Vec<StateId>>,
    /// Where a state is in the list of its class.
    position: Vec<u32>,
    /// For each call state the returns to it: where they start and where they lead.
    through: Vec<Vec<(StateId, StateId)>>,
    /// The states whose signatures have a state's class in them.
    watchers: Vec<Vec<StateId>>,
}

impl<'m> Partition<'m> {
    fn new(nsm: &'m Nsm, observe: impl Fn(StateId) -> u64) -> Self {
        let count = nsm.states().len();
        let mut partition = Partition {
            nsm,
            class: vec![0; count],
            members: Vec::new(),
            position: vec![0; count],
            through: vec![Vec::new(); count],
            watchers: vec![Vec::new(); count],
        };
        let mut known = HashMap::new();
        for state in nsm.ids() {
            let next = known.len() as u32;
            let class = *known
                .entry((nsm.kind(state), observe(state)))
                .or_insert(next);
            if class == next {
                partition.members.push(Vec::new());
            }
            partition.put(state, class);
            for &to in nsm.successors_of(state) {
                partition.watchers[to.index()].push(state);
            }
            for &(pending, to) in nsm.returns(state) {
                partition.through[pending.index()].push((state, to));
                partition.watchers[to.index()].extend([state, pending]);
            }
        }
        for list in &mut partition.watchers {
            list.sort_unstable();
            list.dedup();
        }
        partition
    }

    fn put(&mut self, state: StateId, class: u32) {
        let members = &mut self.members[class as usize];
        self.class[state.index()] = class;
        self.position[state.index()] = members.len() as u32;
        members.push(state);
    }

    fn take_out(&mut self, state: StateId) {
        let members = &mut self.members[self.class[state.index()] as usize];
        let position = self.position[state.index()];
        members.swap_remove(position as usize);
        if let Some(moved) = members.get(position as usize) {
            self.position[moved.index()] = position;
        }
    }

    fn signature(&self, state: StateId) -> Signature {
        let class = |state: StateId| self.class[state.index()];
        let successors = self.nsm.successors_of(state).iter();
        let mut successors: Vec<u32> = successors.map(|&to| class(to)).collect();
        successors.sort_unstable();
        successors.dedup();
        let pairs = |list: &[(StateId, StateId)]| {
            let mut list: Vec<(u32, u32)> = list.iter().map(|&(s, to)| (s.0, class(to))).collect();
            list.sort_unstable();
            list.dedup();
            list
        };
        Signature {
            successors,
            returns: pairs(self.nsm.returns(state)),
            returned_through: pairs(&self.through[state.index()]),
        }
    }

    /// Splits classes until all states of each have one signature. When a class is split its
    /// largest part keeps the number, so that a state gets a new one only so often, and only
    /// the states that see a new number are looked at again.
    fn refine(&mut self) {
        let mut waiting: Vec<StateId> = self.nsm.ids().collect();
        let mut is_waiting = vec![true; waiting.len()];
        while !waiting.is_empty() {
            waiting.sort_unstable_by_key(|state| (self.class[state.index()], state.0));
            // All signatures are of the classes as they are before any of them is split.
            let splits: Vec<Split> = waiting
                .chunk_by(|a, b| self.class[a.index()] == self.class[b.index()])
                .map(|seen| self.parts(seen, &is_waiting))
                .collect();
            let moved: Vec<StateId> = splits
                .into_iter()
                .flat_map(|split| self.split(split, &is_waiting))
                .collect();
            for state in waiting.drain(..) {
                is_waiting[state.index()] = false;
            }
            for state in moved {
                for &watcher in &self.watchers[state.index()] {
                    if !std::mem::replace(&mut is_waiting[watcher.index()], true) {
                        waiting.push(watcher);
                    }
                }
            }
        }
    }

    /// The parts of a class of which only the states `seen` may differ from the others.
    fn parts(&self, seen: &[StateId], is_waiting: &[bool]) -> Split {
        let class = self.class[seen[0].index()];
        let members = &self.members[class as usize];
        let mut parts: Vec<Vec<StateId>> = Vec::new();
        let mut known = HashMap::new();
        // The others are alike: the first one found stands for them, in the first part.
        let other = members.iter().find(|state| !is_waiting[state.index()]);
        if let Some(&other) = other {
            known.insert(self.signature(other), 0);
            parts.push(Vec::new());
        }
        for &state in seen {
            let next = parts.len();
            let part = *known.entry(self.signature(state)).or_insert(next);
            if part == next {
                parts.push(Vec::new());
            }
            parts[part].push(state);
        }
        Split {
            class,
            parts,
            others: members.len() - seen.len(),
        }
    }

    /// Splits a class; gives the states that have a new number.
    fn split(&mut self, split: Split, is_waiting: &[bool]) -> Vec<StateId> {
        let Split {
            class,
            mut parts,
            others,
        } = split;
        let size = |(index, part): &(usize, &Vec<StateId>)| match index {
            0 => part.len() + others,
            _ => part.len(),
        };
        let largest = parts.iter().enumerate().max_by_key(size);
        let largest = largest.map_or(0, |(index, _)| index);
        if largest > 0 && others > 0 {
            let members = self.members[class as usize].iter().copied();
            parts[0].extend(members.filter(|state| !is_waiting[state.index()]));
        }
        parts.swap_remove(largest);
        let mut moved = Vec::new();
        for part in parts {
            let class = self.members.len() as u32;
            self.members.push(Vec::new());
            for &state in &part {
                self.take_out(state);
                self.put(state, class);
            }
            moved.extend(part);
        }
        moved
    }

    fn quotient(self) -> Quotient {
        let nsm = self.nsm;
        // Classes in the order of their first states.
        let mut numbers = vec![None; self.members.len()];
        let mut first: Vec<StateId> = Vec::new();
        let mut classes = Vec::with_capacity(self.class.len());
        for state in nsm.ids() {
            let number = &mut numbers[self.class[state.index()] as usize];
            classes.push(*number.get_or_insert_with(|| {
                first.push(state);
                StateId(first.len() as u32 - 1)
            }));
        }
        let class = |state: StateId| classes[state.index()];
        let parts = nsm.clone().into_parts();
        let pairs = |list: Vec<(StateId, StateId)>| {
            let list = list.into_iter();
            list.map(|(from, to)| (class(from), class(to))).collect()
        };
        let returns = parts.returns.into_iter();
        let merged = NsmParts {
            states: first
                .iter()
                .map(|&state| NsmState::clone(nsm.state(state)))
                .collect(),
            propositions: parts.propositions,
            init: class(parts.init),
            locals: pairs(parts.locals),
            calls: pairs(parts.calls),
            returns: returns
                .map(|(from, pending, to)| (class(from), class(pending), class(to)))
                .collect(),
        };
        Quotient {
            nsm: Nsm::new(merged).expect("kinds are kept apart"),
            classes,
        }
    }
}

/// How a class falls apart.
struct Split {
    class: u32,
    /// The states that were looked at, by signature. If there are others they belong to the
    /// first part.
    parts: Vec<Vec<StateId>>,
    others: usize,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nsm::{Kind, NsmBuilder};

    /// The labels of states, one bit each.
    fn labels(nsm: &Nsm) -> impl Fn(StateId) -> u64 + '_ {
        |state| {
            let list = nsm.state(state).propositions.iter();
            list.fold(0, |set, proposition| set | 1 << proposition.0)
        }
    }

    #[test]
    fn calls_are_merged_if_all_returns_to_them_are_alike() {
        let machine = |second: &str| {
            let mut builder = NsmBuilder::default();
            let start = builder.state("start", Kind::Local, &[]);
            let body = builder.state("body", Kind::Local, &["b"]);
            for (call, back, label) in [("c1", "r1", "p"), ("c2", "r2", second)] {
                let call = builder.state(call, Kind::Call, &[]);
                let back = builder.state(back, Kind::Return, &[label]);
                builder
                    .local(start, call)
                    .call(call, body)
                    .ret(body, call, back);
            }
            builder.finish(start).expect("it fits")
        };
        let alike = machine("p");
        let merged = alike.quotient(labels(&alike));
        assert_eq!(merged.nsm.states().len(), 4);
        assert_eq!(merged.class(StateId(4)), merged.class(StateId(2)));
        let different = machine("q");
        assert_eq!(different.quotient(labels(&different)).nsm.states().len(), 6);
        // What is not observed does not count.
        assert_eq!(different.quotient(|_| 0).nsm.states().len(), 4);
    }

    #[test]
    fn a_return_that_depends_on_both_ends_keeps_them_apart() {
        // (u1,c1), (u2,c2) lead to p; (u1,c2), (u2,c1) to q: each state alone looks like the
        // other of its pair.
        let mut builder = NsmBuilder::default();
        let start = builder.state("start", Kind::Local, &[]);
        let [u1, u2] = ["u1", "u2"].map(|name| builder.state(name, Kind::Local, &["u"]));
        let [c1, c2] = ["c1", "c2"].map(|name| builder.state(name, Kind::Call, &[]));
        let p = builder.state("p", Kind::Return, &["p"]);
        let q = builder.state("q", Kind::Return, &["q"]);
        for call in [c1, c2] {
            builder.local(start, call).call(call, u1).call(call, u2);
        }
        builder
            .ret(u1, c1, p)
            .ret(u2, c2, p)
            .ret(u1, c2, q)
            .ret(u2, c1, q);
        let machine = builder.finish(start).expect("it fits");
        assert_eq!(machine.quotient(labels(&machine)).nsm.states().len(), 7);
    }

    #[test]
    fn a_long_chain_is_split_in_no_time() {
        let mut builder = NsmBuilder::default();
        let count = 100_000;
        for index in 0..count {
            builder.state(&index.to_string(), Kind::Local, &[]);
        }
        for index in 1..count {
            builder.local(StateId(index - 1), StateId(index));
        }
        let machine = builder.finish(StateId(0)).expect("it fits");
        assert_eq!(machine.quotient(|_| 0).nsm.states().len(), count as usize);
    }
}
