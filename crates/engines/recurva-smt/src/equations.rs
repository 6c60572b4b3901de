//! Equations among facts: what variables are said to be is put in their place elsewhere.

use rustc_hash::FxHashMap;

use crate::{Node, Op, Sort, Term, Terms};

/// So many equations are used.
const MOST: usize = 64;

/// What some facts say that variables are.
///
/// ```
/// use recurva_smt::{Equations, Sort, Terms};
///
/// let mut terms = Terms::default();
/// let [x, y, z] = ["x", "y", "z"].map(|it| terms.variable(it, Sort::Bits(32)));
/// let one = terms.bits(1, 32);
/// // If y is x * (z - 1), then x + y is x * z.
/// let less = terms.subtract(z, one);
/// let product = terms.multiply(x, less);
/// let fact = terms.equal(y, product);
/// let (sum, product) = (terms.add(x, y), terms.multiply(x, z));
/// let goal = terms.equal(sum, product);
/// let equations = Equations::new(&mut terms, &[fact]);
/// assert_eq!(equations.used(), [fact]);
/// assert_eq!(equations.apply(&mut terms, goal), terms.truth());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Equations {
    /// No variable of the left is in what is on the right.
    values: FxHashMap<Term, Term>,
    used: Vec<Term>,
}

impl Equations {
    /// The equations among some facts. There are none if none of the facts multiplies variables, or shifts by
    /// one, as a solver finds out about all else as well.
    pub fn new(terms: &mut Terms, facts: &[Term]) -> Self {
        let mut equations = Equations::default();
        if !is_hard(terms, facts) {
            return equations;
        }
        for &fact in facts {
            if equations.used.len() == MOST {
                break;
            }
            if !is_of(terms, fact, Op::Equal) {
                continue;
            }
            let now = terms.replace(fact, &equations.values);
            if let Some((variable, value)) = solved(terms, now) {
                let with = FxHashMap::from_iter([(variable, value)]);
                for value in equations.values.values_mut() {
                    *value = terms.replace(*value, &with);
                }
                equations.values.insert(variable, value);
                equations.used.push(fact);
            }
        }
        equations
    }

    /// The facts that are used.
    pub fn used(&self) -> &[Term] {
        &self.used
    }

    /// What a term is if these facts hold.
    pub fn apply(&self, terms: &mut Terms, term: Term) -> Term {
        match self.values.is_empty() {
            true => term,
            false => terms.replace(term, &self.values),
        }
    }
}

/// Facts that hold for the same values of the variables as the given ones, with equations used.
pub(crate) fn with_equations_used(terms: &mut Terms, facts: &[Term]) -> Vec<Term> {
    let mut parts = Vec::with_capacity(facts.len());
    for &fact in facts {
        match is_of(terms, fact, Op::And) {
            true => parts.extend_from_slice(terms.operands(fact)),
            false => parts.push(fact),
        }
    }
    let equations = Equations::new(terms, &parts);
    for part in &mut parts {
        if !equations.used.contains(part) {
            *part = equations.apply(terms, *part);
        }
    }
    parts
}

/// A variable and what an equation says that it is.
fn solved(terms: &Terms, equation: Term) -> Option<(Term, Term)> {
    let &[left, right] = terms.operands(equation) else {
        return None;
    };
    if !is_of(terms, equation, Op::Equal) || !matches!(terms.sort(left), Sort::Bits(_)) {
        return None;
    }
    let pairs = [(left, right), (right, left)];
    pairs.into_iter().find(|&(variable, value)| {
        terms.variable_name(variable).is_some() && !terms.variables_of(&[value]).contains(&variable)
    })
}

fn is_of(terms: &Terms, term: Term, op: Op) -> bool {
    matches!(terms.node(term), Node::Apply(of, _) if *of == op)
}

fn is_hard(terms: &Terms, facts: &[Term]) -> bool {
    terms.parts(facts).into_iter().any(|it| {
        let operands = terms.operands(it);
        let is_number = |it: &Term| terms.is_literal(*it);
        is_of(terms, it, Op::Multiply) && !operands.iter().any(is_number)
            || is_of(terms, it, Op::ShiftLeft) && !is_number(&operands[1])
    })
}
