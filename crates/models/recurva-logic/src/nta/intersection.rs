//! Intersection of nondeterministic automata (Theorem 6).
//!
//! The thesis gives a pair of states the larger of their priorities, but the larger one says
//! nothing about the other. That both parities are even is a conjunction of requests: if an odd
//! priority comes infinitely often, so does a larger even one. The product keeps the requests in
//! the order of their last grant, the latest first; those that are not granted any more stay at
//! the end, and what happens at the rightmost place decides.

use rustc_hash::FxHashMap;

use super::{Child, Nondeterministic, StateId, priorities::compress};

/// An odd priority of one of the two automata.
type Request = (usize, u32);

/// A state of the product, before its priority is known.
type Triple = (StateId, StateId, Vec<Request>);

impl Nondeterministic {
    /// The automaton that accepts what both do.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut requests: Vec<Request> = Vec::new();
        for (part, automaton) in [self, other].into_iter().enumerate() {
            let mut odd: Vec<u32> = automaton.states.iter().map(|state| state.1).collect();
            odd.retain(|priority| priority % 2 == 1);
            odd.sort_unstable();
            odd.dedup();
            requests.extend(odd.into_iter().map(|priority| (part, priority)));
        }
        let mut product = Product {
            parts: [self, other],
            list: Vec::new(),
            numbers: FxHashMap::default(),
        };
        product.number((self.init, other.init, requests));
        product.build()
    }
}

struct Product<'a> {
    parts: [&'a Nondeterministic; 2],
    list: Vec<Triple>,
    numbers: FxHashMap<Triple, StateId>,
}

impl Product<'_> {
    fn number(&mut self, triple: Triple) -> StateId {
        let next = StateId(self.list.len() as u32);
        let number = *self.numbers.entry(triple.clone()).or_insert(next);
        if number == next {
            self.list.push(triple);
        }
        number
    }

    /// Whether a pair of states grants a request, and whether it makes it.
    fn effect(&self, pair: (StateId, StateId), (part, odd): Request) -> (bool, bool) {
        let state = [pair.0, pair.1][part];
        let priority = self.parts[part].priority(state);
        (
            priority > odd && priority.is_multiple_of(2),
            priority == odd,
        )
    }

    /// The priority of a state of the product: a grant at the rightmost place is even.
    fn priority(&self, (one, other, order): &Triple) -> u32 {
        let mut priority = 0;
        for (index, &request) in order.iter().enumerate() {
            let place = 2 * (index as u32 + 1);
            match self.effect((*one, *other), request) {
                (true, _) => priority = place,
                (_, true) => priority = place - 1,
                _ => {}
            }
        }
        priority
    }

    /// The order behind a state: what it grants comes first.
    fn behind(&self, (one, other, order): &Triple) -> Vec<Request> {
        let granted = |&&request: &&Request| self.effect((*one, *other), request).0;
        let first = order.iter().filter(granted);
        let rest = order.iter().filter(|request| !granted(request));
        first.chain(rest).copied().collect()
    }

    fn build(mut self) -> Nondeterministic {
        // A return depends on states that may be found later: rounds until there are no more.
        let transitions = loop {
            let known = self.list.len();
            let list = self.round();
            if self.list.len() == known {
                break list;
            }
        };
        let mut priorities: Vec<u32> = self.list.iter().map(|t| self.priority(t)).collect();
        compress(&mut priorities);
        let name = |(one, other, _): &Triple| {
            format!(
                "{}.{}",
                self.parts[0].name(*one),
                self.parts[1].name(*other)
            )
        };
        let mut made = Nondeterministic::new(&name(&self.list[0]), priorities[0]);
        for (triple, &priority) in self.list.iter().zip(&priorities).skip(1) {
            made.add_state(&name(triple), priority);
        }
        for (from, indices, children) in transitions {
            let pair = self.parts.iter().zip(indices);
            let literals = pair.flat_map(|(part, index)| part.literals(&part.transitions[index]));
            made.add_transition(from, &literals.collect::<Vec<_>>(), children);
        }
        made
    }

    /// The transitions of the product as far as its states are known, each with the two that it
    /// is made of.
    fn round(&mut self) -> Vec<(StateId, [usize; 2], [Child; 2])> {
        let [left, right] = self.parts;
        let mut list = Vec::new();
        let mut next = 0;
        while let Some(triple) = self.list.get(next).cloned() {
            let from = StateId(next as u32);
            next += 1;
            for (i, one) in left.transitions.iter().enumerate() {
                for (j, other) in right.transitions.iter().enumerate() {
                    if one.from != triple.0 || other.from != triple.1 {
                        continue;
                    }
                    let holds: Vec<(&str, bool)> = left.literals(one).collect();
                    if right
                        .literals(other)
                        .any(|(text, value)| holds.contains(&(text, !value)))
                    {
                        continue;
                    }
                    let order = self.behind(&triple);
                    let [first, second] = [0, 1]
                        .map(|side| self.child(one.children[side], other.children[side], &order));
                    for &first in &first {
                        list.extend(second.iter().map(|&second| (from, [i, j], [first, second])));
                    }
                }
            }
        }
        list
    }

    /// What both transitions do with a child: nothing if they disagree about what it is.
    fn child(&mut self, one: Child, other: Child, order: &[Request]) -> Vec<Child> {
        match (one, other) {
            (Child::None, Child::None) => vec![Child::None],
            (Child::Down(one), Child::Down(other)) => {
                vec![Child::Down(self.number((one, other, order.to_vec())))]
            }
            (
                Child::Back { pushed, state },
                Child::Back {
                    pushed: other_pushed,
                    state: other_state,
                },
            ) => {
                let below = self.list.iter().enumerate();
                let below = below.filter(|(_, t)| (t.0, t.1) == (pushed, other_pushed));
                let below: Vec<StateId> = below.map(|(i, _)| StateId(i as u32)).collect();
                let state = match below.is_empty() {
                    true => return Vec::new(),
                    false => self.number((state, other_state, order.to_vec())),
                };
                let back = |pushed| Child::Back { pushed, state };
                below.into_iter().map(back).collect()
            }
            _ => Vec::new(),
        }
    }
}
