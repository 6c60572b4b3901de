//! The walk over a program that finds all that has to be shown of a proof.
//!
//! From each node that has a formula the edges form a tree, whose leaves are nodes of which something is
//! said again. Each path in it is a question of its own: paths are never merged.

use std::ops::ControlFlow;

use recurva_model::{Edge, EdgeId, Point};
use recurva_smt::{Term, Terms, Unknown};

use super::{
    claims::{Claim, Claims},
    meaning::{Meanings, State},
    obligation::{Obligation, ObligationKind, Why},
    step::{At, Call, Step, any_state},
};
use crate::Formula;

/// What has to follow from facts.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a> {
    /// Anything: the facts cannot be true together.
    Never,
    /// A formula.
    Holds(&'a Formula),
}

/// Something that has to be shown, in terms.
pub(super) struct Question<'q> {
    pub(super) obligation: Obligation,
    /// What is known; or why that cannot be said.
    pub(super) facts: Result<&'q [Term], Why>,
    pub(super) goal: Goal<'q>,
    /// The state at the obligation's first node, if it has one.
    pub(super) before: Option<&'q State>,
    /// The state at its last node.
    pub(super) after: &'q State,
}

/// Who is shown every question.
pub(super) type Visit<'v> = dyn FnMut(&mut Terms, &Question<'_>) -> ControlFlow<()> + 'v;

/// Goes through all that has to be shown, in an order that is always the same.
pub(super) fn walk(claims: &Claims<'_>, visit: &mut Visit<'_>) -> ControlFlow<()> {
    start(claims, visit)?;
    for &target in claims.targets() {
        if let Claim::Holds(formula) = claims.of(target) {
            unreached(claims, target, formula, visit)?;
        }
    }
    for (point, formula) in claims.formulas() {
        Tree::grow(claims, point, formula, visit)?;
    }
    ControlFlow::Continue(())
}

/// The main procedure is entered with any values.
fn start(claims: &Claims<'_>, visit: &mut Visit<'_>) -> ControlFlow<()> {
    let mut terms = Terms::default();
    let to = claims.main_entry();
    let (goal, kind) = match claims.of(to) {
        Claim::Holds(formula) => (Goal::Holds(formula), ObligationKind::Start),
        _ => (Goal::Never, ObligationKind::Unreached),
    };
    let after = any_state(&mut terms, claims.program, to.procedure, At::Entry);
    let question = Question {
        obligation: Obligation {
            kind,
            from: None,
            to,
            edges: Vec::new(),
        },
        facts: Ok(&[]),
        goal,
        before: None,
        after: &after,
    };
    visit(&mut terms, &question)
}

/// What is said of a target is never true.
fn unreached(
    claims: &Claims<'_>,
    target: Point,
    formula: &Formula,
    visit: &mut Visit<'_>,
) -> ControlFlow<()> {
    let mut terms = Terms::default();
    let (state, fact) = known(&mut terms, claims, target, formula);
    let facts: Vec<Term> = fact.into_iter().collect();
    let question = Question {
        obligation: Obligation {
            kind: ObligationKind::Unreached,
            from: Some(target),
            to: target,
            edges: Vec::new(),
        },
        facts: fact.map(|_| &*facts).ok_or(Why::TooLarge),
        goal: Goal::Never,
        before: Some(&state),
        after: &state,
    };
    visit(&mut terms, &question)
}

/// Any state at a node of which a formula holds, and that formula as a term.
fn known(
    terms: &mut Terms,
    claims: &Claims<'_>,
    point: Point,
    formula: &Formula,
) -> (State, Option<Term>) {
    let at = match point == claims.entry(point.procedure) {
        true => At::Entry,
        false => At::Later,
    };
    let state = any_state(terms, claims.program, point.procedure, at);
    let meanings = Meanings::new(terms, formula, claims.scope(point.procedure), &state);
    (state, meanings.truth(formula.root()))
}

/// A node on the way from a node with a formula.
struct Branch {
    at: Point,
    state: State,
    facts: Vec<Term>,
    /// Why the facts do not tell everything, if they do not.
    unclear: Option<Why>,
    edges: Vec<EdgeId>,
}

/// All paths from a node with a formula to the next nodes of which something is said.
struct Tree<'t, 'v> {
    claims: &'t Claims<'t>,
    root: Point,
    root_state: State,
    terms: Terms,
    open: Vec<Branch>,
    visit: &'t mut Visit<'v>,
}

impl<'t, 'v> Tree<'t, 'v> {
    fn grow(
        claims: &'t Claims<'t>,
        root: Point,
        formula: &Formula,
        visit: &'t mut Visit<'v>,
    ) -> ControlFlow<()> {
        let mut terms = Terms::default();
        let (state, fact) = known(&mut terms, claims, root, formula);
        let branch = Branch {
            at: root,
            state: state.clone(),
            unclear: fact.is_none().then_some(Why::TooLarge),
            facts: fact.into_iter().collect(),
            edges: Vec::new(),
        };
        let mut tree = Tree {
            claims,
            root,
            root_state: state,
            terms,
            open: vec![branch],
            visit,
        };
        while let Some(branch) = tree.open.pop() {
            let edges: Vec<(EdgeId, &Edge)> = claims.program.edges_from(branch.at).collect();
            for (id, edge) in edges {
                tree.edge(&branch, id, edge)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn ask(
        &mut self,
        branch: &Branch,
        kind: ObligationKind,
        goal: Goal<'_>,
        to: Point,
        after: &State,
    ) -> ControlFlow<()> {
        let question = Question {
            obligation: Obligation {
                kind,
                from: Some(self.root),
                to,
                edges: branch.edges.clone(),
            },
            facts: match &branch.unclear {
                None => Ok(&branch.facts),
                Some(why) => Err(why.clone()),
            },
            goal,
            before: Some(&self.root_state),
            after,
        };
        (self.visit)(&mut self.terms, &question)
    }

    /// Goes along an edge.
    fn edge(&mut self, from: &Branch, id: EdgeId, edge: &Edge) -> ControlFlow<()> {
        let to = Point {
            node: edge.to,
            ..from.at
        };
        let mut next = Branch {
            at: to,
            state: from.state.clone(),
            facts: from.facts.clone(),
            unclear: from.unclear.clone(),
            edges: from.edges.clone(),
        };
        next.edges.push(id);
        let is_done = match Call::of(edge) {
            Some(call) => self.call(&mut next, edge, call)?,
            None => {
                self.assign(&mut next, edge);
                false
            }
        };
        if is_done {
            ControlFlow::Continue(())
        } else {
            self.arrive(next)
        }
    }

    fn step<'s>(&'s mut self, branch: &'s mut Branch, edge: &Edge) -> Step<'s> {
        let procedure = branch.at.procedure;
        let program = self.claims.program;
        Step::new(&mut self.terms, program, procedure, edge, &mut branch.facts)
    }

    fn assign(&mut self, branch: &mut Branch, edge: &Edge) {
        let now = branch.state.now.clone();
        let mut step = self.step(branch, edge);
        match step.assignment(edge, &now) {
            Some(next) => branch.state.now = next,
            None => branch.unclear = Some(not_understood()),
        }
    }

    /// Calls and returns; whether nothing can come after that.
    fn call(&mut self, branch: &mut Branch, edge: &Edge, call: Call<'_>) -> ControlFlow<(), bool> {
        let callee = call.callee;
        let now = branch.state.now.clone();
        let mut step = self.step(branch, edge);
        let entered = step.guard(edge, &now).and_then(|()| step.enter(call, &now));
        let Some(entered) = entered else {
            branch.unclear = Some(not_understood());
            return ControlFlow::Continue(false);
        };
        let goal = match self.claims.of(self.claims.entry(callee)) {
            Claim::Holds(formula) => Goal::Holds(formula),
            _ => Goal::Never,
        };
        let to = self.claims.entry(callee);
        self.ask(branch, ObligationKind::Call(callee), goal, to, &entered)?;
        if !self.claims.returns(callee) {
            return ControlFlow::Continue(true);
        }
        let mut step = self.step(branch, edge);
        let exit = step.exit(callee, &entered);
        match step.returned(call, &now, &exit) {
            Some(after) => branch.state.now = after,
            None => branch.unclear = Some(not_understood()),
        }
        if let Claim::Holds(formula) = self.claims.of(self.claims.exit(callee)) {
            let scope = self.claims.scope(callee);
            let meanings = Meanings::new(&mut self.terms, formula, scope, &exit);
            match meanings.truth(formula.root()) {
                Some(fact) => branch.facts.push(fact),
                None => branch.unclear = Some(Why::TooLarge),
            }
        }
        ControlFlow::Continue(false)
    }

    fn arrive(&mut self, branch: Branch) -> ControlFlow<()> {
        let state = branch.state.clone();
        let (kind, goal) = match self.claims.of(branch.at) {
            Claim::Holds(formula) => (ObligationKind::Step, Goal::Holds(formula)),
            Claim::Nothing => {
                self.open.push(branch);
                return ControlFlow::Continue(());
            }
            // What is missing was found before; nothing that is missing counts as shown.
            Claim::Unreached | Claim::Missing => (ObligationKind::Unreached, Goal::Never),
        };
        self.ask(&branch, kind, goal, branch.at, &state)
    }
}

/// Programs are checked when they are made, so there are no such edges.
fn not_understood() -> Why {
    Why::Unknown(Unknown::Unsupported("an expression of an edge".into()))
}
