//! The modal µ-calculus and CTL as automata (Theorem 15).
//!
//! These logics see the edges of a tree and not which return belongs to which call. Such an
//! automaton never looks at what is on its stack; [`to_formula`](super::to_formula) makes NT-µ
//! of it.
//!
//! ```
//! use recurva_logic::nta::modal::{Ctl, Modal};
//!
//! // Wherever `a` holds, `b` can be reached: in the caller too, if need be.
//! let formula = Ctl::all_globally(Ctl::or(
//!     Ctl::literal("a", false),
//!     Ctl::exists_until(Ctl::True, Ctl::literal("b", true)),
//! ));
//! let automaton = Modal::ctl(&formula);
//! assert_eq!(automaton.states().len(), 3);
//! ```

use rustc_hash::FxHashSet;

use super::{Alternating, Counting, Push, StateId, Term, TermId};
use crate::ntmu::{Fixpoint, Modality};

/// The edges that a modality is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Edges {
    /// All of them.
    Any,
    /// Local edges.
    Local,
    /// Edges from calls.
    Call,
    /// Edges to returns.
    Return,
}

/// A formula of the µ-calculus under construction, from the inside to the outside.
#[derive(Clone, Debug)]
pub struct Modal {
    automaton: Alternating,
}

impl Default for Modal {
    fn default() -> Self {
        Modal {
            automaton: Alternating::new(Counting::All, "start", 0),
        }
    }
}

impl Modal {
    /// A proposition or its negation.
    pub fn literal(&mut self, text: &str, value: bool) -> TermId {
        self.automaton.literal(text, value)
    }

    /// `true` or `false`.
    pub fn constant(&self, value: bool) -> TermId {
        self.automaton.constant(value)
    }

    /// `f & g`.
    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        self.automaton.and(left, right)
    }

    /// `f | g`.
    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        self.automaton.or(left, right)
    }

    /// A variable, which [`bind`](Self::bind) binds later.
    pub fn variable(&mut self, name: &str) -> StateId {
        self.automaton.add_state(name, 0)
    }

    /// A variable as a formula.
    pub fn use_of(&mut self, variable: StateId) -> TermId {
        self.automaton.silent(variable)
    }

    /// `<a> f` or `[a] f`.
    pub fn step(&mut self, modality: Modality, edges: Edges, body: TermId) -> TermId {
        let target = match self.automaton.term(body) {
            Term::Silent(target) => target,
            _ => {
                let target = self.automaton.add_state("q", 0);
                self.automaton.set_term(target, body);
                target
            }
        };
        match edges {
            Edges::Any => self.automaton.any(modality, target),
            Edges::Local => self.automaton.local(modality, target),
            Edges::Call => self.automaton.call(modality, target),
            Edges::Return => self.automaton.ret(modality, Push::Any, target),
        }
    }

    /// `mu X. f` or `nu X. f`. The fixpoints inside have been bound before.
    pub fn bind(&mut self, fixpoint: Fixpoint, variable: StateId, body: TermId) -> TermId {
        let inside = self.largest(body);
        let parity = u32::from(fixpoint == Fixpoint::Least);
        let own = inside + u32::from(inside % 2 != parity);
        self.automaton.set_priority(variable, own);
        self.automaton.set_term(variable, body);
        self.automaton.silent(variable)
    }

    /// The largest priority of the states that a term leads to.
    fn largest(&self, root: TermId) -> u32 {
        let mut largest = 0;
        let mut seen: FxHashSet<StateId> = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(root) = stack.pop() {
            for term in self.automaton.subterms(root) {
                let (Term::Silent(next)
                | Term::Local(_, next)
                | Term::Call(_, next)
                | Term::Return(_, _, next)) = self.automaton.term(term)
                else {
                    continue;
                };
                if seen.insert(next) {
                    let state = &self.automaton.states()[next.index()];
                    largest = largest.max(state.priority);
                    stack.push(state.term);
                }
            }
        }
        largest
    }

    /// The automaton that accepts the trees at whose root a closed formula holds.
    pub fn finish(mut self, root: TermId) -> Alternating {
        let init = self.automaton.init();
        self.automaton.set_term(init, root);
        self.automaton
    }

    /// The automaton of a formula of CTL.
    pub fn ctl(formula: &Ctl) -> Alternating {
        let mut modal = Modal::default();
        let mut made: Vec<TermId> = Vec::new();
        // Parts first, without recursion.
        let mut order = vec![formula];
        let mut next = 0;
        while let Some(&part) = order.get(next) {
            next += 1;
            order.extend(part.parts());
        }
        // The parts of a formula lie behind it, in the order in which they are needed.
        let mut ready: std::collections::VecDeque<TermId> = std::collections::VecDeque::new();
        for part in order.into_iter().rev() {
            let count = part.parts().count();
            made.clear();
            made.extend(ready.drain(..count).rev());
            let term = modal.ctl_node(part, &made);
            ready.push_back(term);
        }
        let root = ready.pop_back().unwrap_or_else(|| modal.constant(false));
        modal.finish(root)
    }

    fn ctl_node(&mut self, formula: &Ctl, parts: &[TermId]) -> TermId {
        use Modality::{All, Some as Any};
        match (formula, parts) {
            (Ctl::Literal(text, value), _) => self.literal(text, *value),
            (Ctl::And(..), &[left, right]) => self.and(left, right),
            (Ctl::Or(..), &[left, right]) => self.or(left, right),
            (Ctl::Next(modality, _), &[body]) => self.step(*modality, Edges::Any, body),
            (Ctl::Until(modality, ..), &[keep, goal]) => {
                let variable = self.variable("U");
                let again = self.use_of(variable);
                let mut step = self.step(*modality, Edges::Any, again);
                if *modality == All {
                    // A path that ends has not come to the goal.
                    let yes = self.constant(true);
                    let some = self.step(Any, Edges::Any, yes);
                    step = self.and(step, some);
                }
                let go = self.and(keep, step);
                let body = self.or(goal, go);
                self.bind(Fixpoint::Least, variable, body)
            }
            (Ctl::Globally(modality, _), &[keep]) => {
                let variable = self.variable("G");
                let again = self.use_of(variable);
                let mut step = self.step(*modality, Edges::Any, again);
                if *modality == Any {
                    // A path may end.
                    let no = self.constant(false);
                    let none = self.step(All, Edges::Any, no);
                    step = self.or(step, none);
                }
                let body = self.and(keep, step);
                self.bind(Fixpoint::Greatest, variable, body)
            }
            (Ctl::True, _) => self.constant(true),
            _ => self.constant(false),
        }
    }
}

/// A formula of CTL in which only propositions are negated. Paths go on through calls and
/// returns, up to where there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ctl {
    /// `true`
    True,
    /// `false`
    False,
    /// `p` or `!p`
    Literal(Box<str>, bool),
    /// `f & g`
    And(Box<Ctl>, Box<Ctl>),
    /// `f | g`
    Or(Box<Ctl>, Box<Ctl>),
    /// `EX f` or `AX f`
    Next(Modality, Box<Ctl>),
    /// `E[f U g]` or `A[f U g]`
    Until(Modality, Box<Ctl>, Box<Ctl>),
    /// `EG f` or `AG f`
    Globally(Modality, Box<Ctl>),
}

impl Ctl {
    fn parts(&self) -> impl Iterator<Item = &Ctl> {
        let (one, other) = match self {
            Ctl::True | Ctl::False | Ctl::Literal(..) => (None, None),
            Ctl::Next(_, one) | Ctl::Globally(_, one) => (Some(one), None),
            Ctl::And(one, other) | Ctl::Or(one, other) | Ctl::Until(_, one, other) => {
                (Some(one), Some(other))
            }
        };
        one.into_iter().chain(other).map(|part| &**part)
    }

    /// A proposition or its negation.
    pub fn literal(text: &str, value: bool) -> Self {
        Ctl::Literal(text.into(), value)
    }

    /// `f & g`
    pub fn and(left: Ctl, right: Ctl) -> Self {
        Ctl::And(Box::new(left), Box::new(right))
    }

    /// `f | g`
    pub fn or(left: Ctl, right: Ctl) -> Self {
        Ctl::Or(Box::new(left), Box::new(right))
    }

    /// `E[f U g]`; with `true` for `f` it is `EF g`.
    pub fn exists_until(keep: Ctl, goal: Ctl) -> Self {
        Ctl::Until(Modality::Some, Box::new(keep), Box::new(goal))
    }

    /// `A[f U g]`; with `true` for `f` it is `AF g`.
    pub fn all_until(keep: Ctl, goal: Ctl) -> Self {
        Ctl::Until(Modality::All, Box::new(keep), Box::new(goal))
    }

    /// `EG f`
    pub fn exists_globally(keep: Ctl) -> Self {
        Ctl::Globally(Modality::Some, Box::new(keep))
    }

    /// `AG f`
    pub fn all_globally(keep: Ctl) -> Self {
        Ctl::Globally(Modality::All, Box::new(keep))
    }
}
