//! From priorities that all count to those of stairs.
//!
//! A state carries the largest priority that has been met in the present invocation. At a
//! return the largest of the callee becomes the priority of the state behind it, so that it
//! counts although the callee's own states do not (the states `(q, γ, θ, m)` of Lemma 4).

use rustc_hash::FxHashMap;

use super::{Alternating, Counting, Push, StateId, Term, TermId};
use crate::ntmu::Modality;

/// A state, the largest priority of the invocation so far, and the priority that counts here.
type Carrier = (StateId, u32, u32);

impl Alternating {
    /// An automaton that accepts the same trees, in which only stairs count.
    #[must_use]
    pub fn to_stairs(&self) -> Self {
        if self.counting() == Counting::Stairs {
            return self.clone();
        }
        let mut walk = Walk::new(self);
        // What a return leads to depends on all carriers that may be below it: those found
        // later are added by another round.
        loop {
            let known = walk.list.len();
            walk.round();
            if walk.list.len() == known {
                return walk.finish();
            }
        }
    }
}

struct Walk<'a> {
    automaton: &'a Alternating,
    list: Vec<Carrier>,
    numbers: FxHashMap<Carrier, StateId>,
}

impl<'a> Walk<'a> {
    fn new(automaton: &'a Alternating) -> Self {
        let mut walk = Walk {
            automaton,
            list: Vec::new(),
            numbers: FxHashMap::default(),
        };
        let own = walk.own(automaton.init());
        walk.number((automaton.init(), own, own));
        walk
    }

    fn own(&self, state: StateId) -> u32 {
        self.automaton.states()[state.index()].priority
    }

    fn number(&mut self, carrier: Carrier) -> StateId {
        let next = StateId(self.list.len() as u32);
        let number = *self.numbers.entry(carrier).or_insert(next);
        if number == next {
            self.list.push(carrier);
        }
        number
    }

    /// On within the invocation.
    fn inside(&self, (_, most, _): Carrier, target: StateId) -> Carrier {
        let own = self.own(target);
        (target, most.max(own), own)
    }

    fn called(&self, target: StateId) -> Carrier {
        let own = self.own(target);
        (target, own, own)
    }

    fn returned(&self, (_, callee, _): Carrier, (_, most, _): Carrier, to: StateId) -> Carrier {
        let counts = callee.max(self.own(to));
        (to, most.max(counts), counts)
    }

    /// The carriers that may be on the stack when that state is asked for.
    fn pushed(&self, push: Push) -> Vec<Carrier> {
        let calls = |state: StateId| {
            let root = self.automaton.states()[state.index()].term;
            let terms = self.automaton.subterms(root).into_iter();
            let mut terms = terms.map(|term| self.automaton.term(term));
            terms.any(|term| matches!(term, Term::Call(..)))
        };
        let fits = |state: StateId| match push {
            Push::Any => calls(state),
            Push::Only(only) => state == only && calls(state),
        };
        let list = self.list.iter().copied();
        list.filter(|&(state, ..)| fits(state)).collect()
    }

    fn round(&mut self) {
        let mut next = 0;
        while let Some(&carrier) = self.list.get(next) {
            next += 1;
            let root = self.automaton.states()[carrier.0.index()].term;
            for term in self.automaton.subterms(root) {
                match self.automaton.term(term) {
                    Term::Silent(q) | Term::Local(_, q) => {
                        self.number(self.inside(carrier, q));
                    }
                    Term::Call(_, q) => {
                        self.number(self.called(q));
                    }
                    Term::Return(_, push, q) => {
                        for below in self.pushed(push) {
                            self.number(self.returned(carrier, below, q));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn finish(self) -> Alternating {
        let name = |carrier: Carrier| {
            let name = &self.automaton.states()[carrier.0.index()].name;
            match carrier.1 == carrier.2 && carrier.2 == self.own(carrier.0) {
                true => name.to_string(),
                false => format!("{name}_{}_{}", carrier.1, carrier.2),
            }
        };
        let first = self.list[0];
        let mut made = Alternating::new(Counting::Stairs, &name(first), first.2);
        for &carrier in &self.list[1..] {
            made.add_state(&name(carrier), carrier.2);
        }
        for (index, &carrier) in self.list.iter().enumerate() {
            let root = self.automaton.states()[carrier.0.index()].term;
            let term = made.import(self.automaton, root, |made, leaf| {
                self.leaf(made, carrier, leaf)
            });
            made.set_term(StateId(index as u32), term);
        }
        made
    }

    fn leaf(&self, made: &mut Alternating, carrier: Carrier, leaf: Term) -> TermId {
        let number = |carrier: Carrier| self.numbers[&carrier];
        match leaf {
            Term::Proposition(p) | Term::NotProposition(p) => {
                let text = &self.automaton.propositions()[p.0 as usize].0;
                made.literal(text, matches!(leaf, Term::Proposition(_)))
            }
            Term::Silent(q) => made.silent(number(self.inside(carrier, q))),
            Term::Local(modality, q) => made.local(modality, number(self.inside(carrier, q))),
            Term::Call(modality, q) => made.call(modality, number(self.called(q))),
            Term::Return(modality, push, q) => {
                let mut term = made.constant(modality == Modality::All);
                for below in self.pushed(push) {
                    let target = number(self.returned(carrier, below, q));
                    let one = made.ret(modality, Push::Only(number(below)), target);
                    term = made.join(modality, term, one);
                }
                term
            }
            Term::True => made.constant(true),
            Term::False | Term::And(..) | Term::Or(..) => made.constant(false),
        }
    }
}
