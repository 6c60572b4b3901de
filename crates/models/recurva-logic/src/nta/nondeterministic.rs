//! Nondeterministic automata on ordered binary trees.

use recurva_syntax::Span;

use super::{Alternating, Counting, Push, StateId, TermId};
use crate::ntmu::{Modality, PropositionId};

/// What a transition does with one child of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Child {
    /// There is no such child.
    None,
    /// A local or call node, in that state.
    Down(StateId),
    /// A return node.
    Back {
        /// The state at the call that returns here.
        pushed: StateId,
        /// The state at the child.
        state: StateId,
    },
}

/// The propositions that must hold or not; about the others nothing is said.
pub type Guard = Vec<(PropositionId, bool)>;

/// A transition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Transition {
    /// The state at the node.
    pub from: StateId,
    /// What must hold at the node.
    pub guard: Guard,
    /// What is to be done with the left and the right child.
    pub children: [Child; 2],
}

/// A nondeterministic parity automaton (NP-NTA). A tree is accepted if its nodes can be
/// labelled with states such that every node fits a transition and on every infinite path the
/// largest priority that occurs infinitely often is even. A node without children fits
/// transitions without children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nondeterministic {
    /// Names, each once, and priorities.
    pub(super) states: Vec<(Box<str>, u32)>,
    pub(super) propositions: Vec<(Box<str>, Span)>,
    pub(super) init: StateId,
    pub(super) transitions: Vec<Transition>,
}

impl Nondeterministic {
    /// An automaton with one state, the initial one, and no transition.
    pub fn new(name: &str, priority: u32) -> Self {
        Nondeterministic {
            states: vec![(name.into(), priority)],
            propositions: Vec::new(),
            init: StateId(0),
            transitions: Vec::new(),
        }
    }

    /// Adds a state of that name, or of a name like it if there is one already.
    pub fn add_state(&mut self, name: &str, priority: u32) -> StateId {
        let mut name: Box<str> = name.into();
        while self.states.iter().any(|(known, _)| *known == name) {
            name = format!("{name}'").into();
        }
        self.states.push((name, priority));
        StateId(self.states.len() as u32 - 1)
    }

    /// Makes a state the initial one.
    pub fn set_init(&mut self, state: StateId) {
        self.init = state;
    }

    /// Adds a transition. Literals are texts of propositions and whether they hold.
    pub fn add_transition(
        &mut self,
        from: StateId,
        literals: &[(&str, bool)],
        children: [Child; 2],
    ) {
        let guard = literals.iter();
        let guard = guard.map(|&(text, value)| (self.proposition_at(text, Span::default()), value));
        let mut guard: Guard = guard.collect();
        guard.sort_unstable();
        guard.dedup();
        self.transitions.push(Transition {
            from,
            guard,
            children,
        });
    }

    /// The number of a proposition that stands at a place of a source.
    pub(super) fn proposition_at(&mut self, text: &str, span: Span) -> PropositionId {
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

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The name of a state.
    pub fn name(&self, state: StateId) -> &str {
        &self.states[state.index()].0
    }

    /// The priority of a state.
    pub fn priority(&self, state: StateId) -> u32 {
        self.states[state.index()].1
    }

    /// The initial state.
    pub fn init(&self) -> StateId {
        self.init
    }

    /// The propositions: their texts, and where each was first read.
    pub fn propositions(&self) -> &[(Box<str>, Span)] {
        &self.propositions
    }

    /// The transitions.
    pub fn transitions(&self) -> &[Transition] {
        &self.transitions
    }

    /// The automaton that accepts what one of two does.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut sum = Nondeterministic::new("either", 0);
        for part in [self, other] {
            let shift = sum.states.len() as u32;
            for (name, priority) in &part.states {
                sum.add_state(name, *priority);
            }
            let moved = |state: StateId| StateId(state.0 + shift);
            for transition in &part.transitions {
                let literals: Vec<(&str, bool)> = part.literals(transition).collect();
                let children = transition.children.map(|child| child.map(moved));
                sum.add_transition(moved(transition.from), &literals, children);
                if transition.from == part.init {
                    sum.add_transition(StateId(0), &literals, children);
                }
            }
            // A call at the root pushes the initial state of the part.
            sum.returns_of(moved(part.init));
        }
        sum
    }

    /// Lets returns that ask for a state also find the first one.
    fn returns_of(&mut self, asked: StateId) {
        for index in 0..self.transitions.len() {
            let back =
                |child: &Child| matches!(child, Child::Back { pushed, .. } if *pushed == asked);
            let old = &self.transitions[index];
            if old.children.iter().any(back) {
                let mut new = old.clone();
                for child in &mut new.children {
                    match child {
                        Child::Back { pushed, .. } if *pushed == asked => *pushed = StateId(0),
                        _ => {}
                    }
                }
                self.transitions.push(new);
            }
        }
    }

    /// The guard of a transition with the texts of propositions.
    pub fn literals<'a>(
        &'a self,
        transition: &'a Transition,
    ) -> impl Iterator<Item = (&'a str, bool)> {
        let guard = transition.guard.iter();
        guard.map(|&(p, value)| (&*self.propositions[p.0 as usize].0, value))
    }
}

impl Child {
    pub(super) fn map(self, state: impl Fn(StateId) -> StateId) -> Self {
        match self {
            Child::None => Child::None,
            Child::Down(q) => Child::Down(state(q)),
            Child::Back {
                pushed,
                state: target,
            } => Child::Back {
                pushed: state(pushed),
                state: state(target),
            },
        }
    }
}

impl Nondeterministic {
    /// The same automaton on trees whose left and right children are marked by propositions.
    #[must_use]
    pub fn to_alternating(&self, sides: [&str; 2]) -> Alternating {
        let first = &self.states[0];
        let mut made = Alternating::new(Counting::All, &first.0, first.1);
        for (name, priority) in &self.states[1..] {
            made.add_state(name, *priority);
        }
        made.set_init(self.init);
        let marks = sides.map(|side| Marks::new(&mut made, side, self.states.len()));
        let mut terms = vec![made.constant(false); self.states.len()];
        for transition in &self.transitions {
            let mut term = made.constant(true);
            for (text, value) in self.literals(transition) {
                let literal = made.literal(text, value);
                term = made.and(term, literal);
            }
            for (marks, &child) in marks.iter().zip(&transition.children) {
                let child = marks.child(&mut made, child);
                term = made.and(term, child);
            }
            let known = &mut terms[transition.from.index()];
            *known = made.or(*known, term);
        }
        for (index, term) in terms.into_iter().enumerate() {
            made.set_term(StateId(index as u32), term);
        }
        made
    }
}

/// The states that look at one side.
struct Marks {
    /// Accepts what is on that side.
    on: StateId,
    /// Accepts what is not.
    off: StateId,
    /// For each state one that goes there if it is on that side.
    goes: Vec<StateId>,
}

impl Marks {
    fn new(made: &mut Alternating, side: &str, states: usize) -> Self {
        let mut state = |name: &str, then: Option<StateId>, value: bool| {
            let state = made.add_state(name, 0);
            let mut term = made.literal(side, value);
            if let Some(target) = then {
                let go = made.silent(target);
                term = made.or(term, go);
            }
            made.set_term(state, term);
            state
        };
        Marks {
            on: state(&format!("is_{side}"), None, true),
            off: state(&format!("not_{side}"), None, false),
            goes: (0..states as u32)
                .map(|index| state(&format!("{side}_{index}"), Some(StateId(index)), false))
                .collect(),
        }
    }

    fn child(&self, made: &mut Alternating, child: Child) -> TermId {
        use Modality::{All, Some as Any};
        let all = |made: &mut Alternating, terms: &[TermId]| {
            let yes = made.constant(true);
            terms.iter().fold(yes, |sum, &term| made.and(sum, term))
        };
        match child {
            Child::None => made.any(All, self.off),
            Child::Down(q) => {
                let there = [made.local(Any, self.on), made.call(Any, self.on)];
                let there = made.or(there[0], there[1]);
                let go = self.goes[q.index()];
                let terms = [
                    there,
                    made.local(All, go),
                    made.call(All, go),
                    made.ret(All, Push::Any, self.off),
                ];
                all(made, &terms)
            }
            Child::Back { pushed, state } => {
                let push = Push::Only(pushed);
                let terms = [
                    made.ret(Any, push, self.on),
                    made.ret(All, push, self.goes[state.index()]),
                    made.local(All, self.off),
                    made.call(All, self.off),
                ];
                all(made, &terms)
            }
        }
    }
}
