//! What solvers answer.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::{Term, Terms, Value};

/// An answer to whether some terms can be true together.
#[derive(Clone, Debug)]
pub enum Answer {
    /// They can; so.
    Satisfiable(Model),
    /// They cannot, and neither can those of the assumptions that are named.
    Unsatisfiable(Vec<Term>),
    /// It is not known.
    Unknown(Unknown),
}

impl Answer {
    /// Whether the terms can be true.
    pub fn is_satisfiable(&self) -> bool {
        matches!(self, Answer::Satisfiable(_))
    }

    /// Whether the terms cannot be true.
    pub fn is_unsatisfiable(&self) -> bool {
        matches!(self, Answer::Unsatisfiable(_))
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Whoever asked does not want to wait any longer.
    Stopped,
    /// The limit on memory was hit.
    Memory,
    /// The limit on time was hit.
    Time,
    /// The solver cannot do what is named.
    Unsupported(String),
    /// The solver is not there, or gives up, or says what is not true.
    Solver(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Stopped => formatter.write_str("stopped"),
            Unknown::Memory => formatter.write_str("the limit on memory was hit"),
            Unknown::Time => formatter.write_str("the limit on time was hit"),
            Unknown::Unsupported(what) => write!(formatter, "not supported: {what}"),
            Unknown::Solver(why) => formatter.write_str(why),
        }
    }
}

/// Values of variables.
#[derive(Clone, Debug, Default)]
pub struct Model {
    values: FxHashMap<Term, Value>,
}

impl Model {
    /// A model with these values of variables.
    pub fn new(values: FxHashMap<Term, Value>) -> Self {
        Model { values }
    }

    /// The value of a term. A variable that is not in the model has the default value of its sort.
    /// `None` if an integer is divided by zero or gets too large.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<Value> {
        terms.evaluate(term, &|it| Some(self.variable(terms, it)))
    }

    /// The value of a variable.
    pub fn variable(&self, terms: &Terms, variable: Term) -> Value {
        match self.values.get(&variable) {
            Some(value) => value.clone(),
            None => Value::default_of(terms.sort(variable)),
        }
    }

    /// The variables that have a value here, in order.
    pub fn variables(&self) -> Vec<Term> {
        let mut all: Vec<Term> = self.values.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// The first of some formulas that is not true in it.
    pub fn refuted(&self, terms: &Terms, formulas: &[Term]) -> Option<Term> {
        let is_true = |it: Term| self.value(terms, it).is_some_and(|it| it.is_true());
        formulas.iter().copied().find(|&it| !is_true(it))
    }
}
