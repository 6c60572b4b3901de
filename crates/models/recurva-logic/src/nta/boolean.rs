//! Complement, union and intersection of alternating automata (Theorem 6).

use super::{Alternating, Counting, Push, StateId, Term, TermId};
use crate::ntmu::Modality;

impl Alternating {
    /// The automaton that accepts what this one does not.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut dual = self.clone();
        dual.map_terms(|term| match term {
            Term::True => Term::False,
            Term::False => Term::True,
            Term::Proposition(p) => Term::NotProposition(p),
            Term::NotProposition(p) => Term::Proposition(p),
            Term::And(left, right) => Term::Or(left, right),
            Term::Or(left, right) => Term::And(left, right),
            Term::Silent(q) => Term::Silent(q),
            Term::Local(modality, q) => Term::Local(modality.dual(), q),
            Term::Call(modality, q) => Term::Call(modality.dual(), q),
            Term::Return(modality, push, q) => Term::Return(modality.dual(), push, q),
        });
        for (id, state) in self.ids().zip(self.states()) {
            // No larger term has a constant in it.
            match self.term(state.term) {
                Term::True => dual.set_term(id, self.constant(false)),
                Term::False => dual.set_term(id, self.constant(true)),
                _ => {}
            }
            dual.set_priority(id, state.priority + 1);
        }
        dual
    }

    /// The automaton that accepts what one of two does.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, Modality::Some)
    }

    /// The automaton that accepts what both do.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, Modality::All)
    }

    fn combine(&self, other: &Self, modality: Modality) -> Self {
        // Stairs can count what both count.
        let counting = match (self.counting(), other.counting()) {
            (Counting::All, Counting::All) => Counting::All,
            _ => Counting::Stairs,
        };
        let name = match modality {
            Modality::Some => "either",
            Modality::All => "both",
        };
        let mut sum = Alternating::new(counting, name, 0);
        let mut starts = [sum.constant(false); 2];
        for (part, start) in [self, other].into_iter().zip(&mut starts) {
            let converted = match (counting, part.counting()) {
                (Counting::Stairs, Counting::All) => Some(part.to_stairs()),
                _ => None,
            };
            let init = sum.include(converted.as_ref().unwrap_or(part));
            *start = sum.silent(init);
        }
        let term = sum.join(modality, starts[0], starts[1]);
        let init = sum.init();
        sum.set_term(init, term);
        sum
    }

    /// Adds the states of another automaton; where its initial state is then.
    fn include(&mut self, part: &Alternating) -> StateId {
        let shift = self.states().len() as u32;
        for state in part.states() {
            self.add_state(&state.name, state.priority);
        }
        let moved = |q: StateId| StateId(q.0 + shift);
        for state in part.ids() {
            let root = part.states()[state.index()].term;
            let term = self.import(part, root, |sum, leaf| sum.moved(part, leaf, &moved));
            self.set_term(moved(state), term);
        }
        moved(part.init())
    }

    /// A leaf of another automaton with its states renamed.
    fn moved(
        &mut self,
        part: &Alternating,
        leaf: Term,
        moved: &impl Fn(StateId) -> StateId,
    ) -> TermId {
        let term = match leaf {
            Term::Proposition(p) | Term::NotProposition(p) => {
                let text = &part.propositions()[p.0 as usize].0;
                return self.literal(text, matches!(leaf, Term::Proposition(_)));
            }
            Term::Silent(q) => Term::Silent(moved(q)),
            Term::Local(modality, q) => Term::Local(modality, moved(q)),
            Term::Call(modality, q) => Term::Call(modality, moved(q)),
            Term::Return(modality, push, q) => {
                let push = match push {
                    Push::Any => Push::Any,
                    Push::Only(p) => Push::Only(moved(p)),
                };
                Term::Return(modality, push, moved(q))
            }
            Term::True | Term::False | Term::And(..) | Term::Or(..) => leaf,
        };
        self.add(term)
    }
}
