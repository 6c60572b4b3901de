//! Horn clauses.

use std::fmt;

use recurva_encode::Meanings;
use recurva_model::{EdgeId, Point};
use recurva_smt::{Node, Op, Term, Terms};

use crate::scope::Slot;

/// What is looked for at a node: a relation between some values.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    pub(crate) point: Point,
    pub(crate) slots: Vec<Slot>,
    /// What the values are called in a solution.
    pub(crate) parameters: Vec<Term>,
    /// What those mean.
    pub(crate) meanings: Meanings,
}

/// The number of a predicate in its [`System`].
pub(crate) type PredicateId = usize;

/// A predicate of some values.
#[derive(Clone, Debug)]
pub(crate) struct Application {
    pub(crate) predicate: PredicateId,
    pub(crate) arguments: Vec<Term>,
}

/// Why a clause is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// A run may begin.
    Start,
    /// Steps lead from one node to another.
    Steps(Point, Point),
    /// A call begins.
    Call(Point, EdgeId),
    /// Steps lead from a node to a target, which must not be.
    Target(Point, Point),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |it: &Point| format!("node {} of procedure {}", it.node.0, it.procedure.0);
        match self {
            Reason::Start => f.write_str("a run begins"),
            Reason::Steps(from, to) => write!(f, "from {} to {}", name(from), name(to)),
            Reason::Call(from, edge) => write!(f, "the call at {}, edge {}", name(from), edge.0),
            Reason::Target(from, to) => {
                write!(f, "from {} to {}, which must not be", name(from), name(to))
            }
        }
    }
}

/// For all values: if the predicates of the body and the condition hold, so does the head. Without a head
/// they must not.
#[derive(Clone, Debug)]
pub(crate) struct Clause {
    pub(crate) body: Vec<Application>,
    pub(crate) condition: Term,
    pub(crate) head: Option<Application>,
    pub(crate) reason: Reason,
}

/// Clauses over predicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct System {
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) clauses: Vec<Clause>,
}

/// The terms of which a term is the conjunction.
pub(crate) fn conjuncts(terms: &Terms, term: Term) -> Vec<Term> {
    match terms.node(term) {
        Node::Bool(true) => Vec::new(),
        Node::Apply(Op::And, of) => of.to_vec(),
        _ => vec![term],
    }
}
