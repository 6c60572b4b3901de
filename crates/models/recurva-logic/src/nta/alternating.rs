//! Alternating automata.

use recurva_syntax::Span;
use rustc_hash::FxHashSet;

use crate::ntmu::{Modality, PropositionId};

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

impl StateId {
    /// The position among the states.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A transition term of an [`Alternating`] automaton. Its parts have smaller ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The position among the terms.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which states a return looks for at the top of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Push {
    /// Any state.
    Any,
    /// That state: some return with another state on top is impossible, all such returns are
    /// granted.
    Only(StateId),
}

/// What an automaton does at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// `true`
    True,
    /// `false`
    False,
    /// `p`: the proposition holds at the node.
    Proposition(PropositionId),
    /// `!p`
    NotProposition(PropositionId),
    /// `f & g`: the opponent chooses.
    And(TermId, TermId),
    /// `f | g`: the automaton chooses.
    Or(TermId, TermId),
    /// `q`: on in another state at the same node.
    Silent(StateId),
    /// `<loc> q`, `[loc] q`: on along a local edge.
    Local(Modality, StateId),
    /// `<call> q`, `[call] q`: along a call, with the present state pushed.
    Call(Modality, StateId),
    /// `<ret, p> q`, `[ret, p] q`: along a return, if the state popped is `p`.
    Return(Modality, Push, StateId),
}

/// Which priorities of an infinite play count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counting {
    /// All: the largest that occurs infinitely often is even.
    All,
    /// Those outside of calls that have returned, as fixpoints count.
    Stairs,
}

/// A state: its name, its priority, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Unique in the automaton.
    pub name: Box<str>,
    /// Its priority.
    pub priority: u32,
    /// What to do at a node.
    pub term: TermId,
}

/// An alternating parity automaton (AP-NTA). See [the module](super).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternating {
    states: Vec<State>,
    names: FxHashSet<Box<str>>,
    terms: Vec<Term>,
    propositions: Vec<(Box<str>, Span)>,
    counting: Counting,
    init: StateId,
}

impl Alternating {
    /// An automaton with one state, the initial one, which accepts nothing.
    pub fn new(counting: Counting, name: &str, priority: u32) -> Self {
        let mut automaton = Alternating {
            states: Vec::new(),
            names: FxHashSet::default(),
            terms: vec![Term::False, Term::True],
            propositions: Vec::new(),
            counting,
            init: StateId(0),
        };
        automaton.add_state(name, priority);
        automaton
    }

    /// Adds a state of that name, or of a name like it if there is one already, which accepts
    /// nothing.
    pub fn add_state(&mut self, name: &str, priority: u32) -> StateId {
        let mut name: Box<str> = name.into();
        while self.names.contains(&name) {
            name = format!("{name}'").into();
        }
        self.names.insert(name.clone());
        self.states.push(State {
            name,
            priority,
            term: self.constant(false),
        });
        StateId(self.states.len() as u32 - 1)
    }

    /// Says what to do in a state.
    pub fn set_term(&mut self, state: StateId, term: TermId) {
        self.states[state.index()].term = term;
    }

    /// Gives a state another priority.
    pub fn set_priority(&mut self, state: StateId, priority: u32) {
        self.states[state.index()].priority = priority;
    }

    /// Makes a state the initial one.
    pub fn set_init(&mut self, state: StateId) {
        self.init = state;
    }

    /// The states.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The numbers of all states, in order.
    pub fn ids(&self) -> impl Iterator<Item = StateId> + use<> {
        (0..self.states.len() as u32).map(StateId)
    }

    /// The initial state.
    pub fn init(&self) -> StateId {
        self.init
    }

    /// Which priorities count.
    pub fn counting(&self) -> Counting {
        self.counting
    }

    /// A term.
    pub fn term(&self, term: TermId) -> Term {
        self.terms[term.index()]
    }

    /// The propositions: their texts, and where each was first read.
    pub fn propositions(&self) -> &[(Box<str>, Span)] {
        &self.propositions
    }

    /// The number of a proposition that stands at a place of a source.
    pub fn proposition_at(&mut self, text: &str, span: Span) -> PropositionId {
        let known = self
            .propositions
            .iter()
            .position(|(known, _)| **known == *text);
        let index = known.unwrap_or_else(|| {
            self.propositions.push((text.into(), span));
            self.propositions.len() - 1
        });
        PropositionId(index as u32)
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> TermId {
        TermId(u32::from(value))
    }

    /// `p` or `!p`.
    pub fn literal(&mut self, text: &str, value: bool) -> TermId {
        let proposition = self.proposition_at(text, Span::default());
        self.add(match value {
            true => Term::Proposition(proposition),
            false => Term::NotProposition(proposition),
        })
    }

    /// `f & g`; constants are left out.
    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.term(left), self.term(right)) {
            (Term::True, _) | (_, Term::False) => right,
            (_, Term::True) | (Term::False, _) => left,
            _ => self.add(Term::And(left, right)),
        }
    }

    /// `f | g`; constants are left out.
    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        match (self.term(left), self.term(right)) {
            (Term::False, _) | (_, Term::True) => right,
            (_, Term::False) | (Term::True, _) => left,
            _ => self.add(Term::Or(left, right)),
        }
    }

    /// `f | g` for [`Modality::Some`], `f & g` for [`Modality::All`].
    pub(super) fn join(&mut self, modality: Modality, left: TermId, right: TermId) -> TermId {
        match modality {
            Modality::Some => self.or(left, right),
            Modality::All => self.and(left, right),
        }
    }

    /// On in another state at the same node.
    pub fn silent(&mut self, target: StateId) -> TermId {
        self.add(Term::Silent(target))
    }

    /// `<loc> q` or `[loc] q`.
    pub fn local(&mut self, modality: Modality, target: StateId) -> TermId {
        self.add(Term::Local(modality, target))
    }

    /// `<call> q` or `[call] q`.
    pub fn call(&mut self, modality: Modality, target: StateId) -> TermId {
        self.add(Term::Call(modality, target))
    }

    /// `<ret, p> q` or `[ret, p] q`.
    pub fn ret(&mut self, modality: Modality, push: Push, target: StateId) -> TermId {
        self.add(Term::Return(modality, push, target))
    }

    pub(super) fn add(&mut self, term: Term) -> TermId {
        self.terms.push(term);
        TermId(self.terms.len() as u32 - 1)
    }

    /// Replaces every term but the constants, which keep their ids.
    pub(super) fn map_terms(&mut self, map: impl Fn(Term) -> Term) {
        for term in &mut self.terms[2..] {
            *term = map(*term);
        }
    }

    /// A term and all parts of it, each once, parts first.
    pub fn subterms(&self, root: TermId) -> Vec<TermId> {
        let mut list = vec![root];
        let mut seen: FxHashSet<TermId> = list.iter().copied().collect();
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            if let Term::And(left, right) | Term::Or(left, right) = self.term(id) {
                list.extend([left, right].into_iter().filter(|&part| seen.insert(part)));
            }
        }
        list.sort_unstable();
        list
    }

    /// Adds the term of another automaton with its leaves replaced; `leaf` gets only leaves
    /// that are no constants.
    pub(super) fn import(
        &mut self,
        from: &Alternating,
        root: TermId,
        mut leaf: impl FnMut(&mut Self, Term) -> TermId,
    ) -> TermId {
        let mut made = rustc_hash::FxHashMap::default();
        for id in from.subterms(root) {
            let term = match from.term(id) {
                Term::True => self.constant(true),
                Term::False => self.constant(false),
                Term::And(left, right) => self.and(made[&left], made[&right]),
                Term::Or(left, right) => self.or(made[&left], made[&right]),
                other => leaf(self, other),
            };
            made.insert(id, term);
        }
        made[&root]
    }
}
