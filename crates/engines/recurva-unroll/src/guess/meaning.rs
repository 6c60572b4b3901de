//! Formulas as terms over the bits of variables.

use recurva_certificate::{
    Formula,
    formula::{Arithmetic, BitOperator, Node, When},
};
use recurva_encode::Store;
use recurva_model::{ProcId, Program, Type};
use recurva_smt::{Op, Term, Terms};

/// A part of a formula: a truth value, or a number with a sign of so many bits.
#[derive(Clone, Copy)]
enum Meaning {
    Bool(Term),
    Int(Term, u32),
}

/// The values that a formula is about.
#[derive(Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) program: &'a Program,
    pub(crate) procedure: ProcId,
    pub(crate) entry: &'a Store,
    pub(crate) now: &'a Store,
}

/// A formula as a term; `None` if it is of a kind that is never guessed, or takes too many bits.
pub(crate) fn meaning(terms: &mut Terms, formula: &Formula, values: Values<'_>) -> Option<Term> {
    let mut found: Vec<Meaning> = Vec::with_capacity(formula.nodes().len());
    for node in formula.nodes() {
        let truth = |part: recurva_certificate::formula::Part| match found[part.index()] {
            Meaning::Bool(term) => Some(term),
            Meaning::Int(..) => None,
        };
        let number = |part: recurva_certificate::formula::Part| match found[part.index()] {
            Meaning::Int(term, width) => Some((term, width)),
            Meaning::Bool(_) => None,
        };
        let made = match *node {
            Node::Bool(value) => Meaning::Bool(terms.bool(value)),
            Node::Int(value) => {
                let width = 129 - value.unsigned_abs().leading_zeros().min(127);
                let width = width.min(128);
                Meaning::Int(terms.bits(value as u128, width), width)
            }
            Node::Variable(variable, when) => {
                let store = match when {
                    When::Entry => values.entry,
                    When::Now => values.now,
                };
                let term = store.get(variable).term();
                match values.program.variable(values.procedure, variable).ty {
                    Type::Bool => Meaning::Bool(term),
                    ty @ Type::Int { .. } => of_word(terms, term, ty),
                }
            }
            Node::Not(part) => {
                let part = truth(part)?;
                Meaning::Bool(terms.not(part))
            }
            Node::And(left, right) => Meaning::Bool(terms.and(&[truth(left)?, truth(right)?])),
            Node::Or(left, right) => Meaning::Bool(terms.or(&[truth(left)?, truth(right)?])),
            Node::Implies(left, right) => Meaning::Bool(terms.implies(truth(left)?, truth(right)?)),
            Node::Equal(left, right) => match (truth(left), truth(right)) {
                (Some(left), Some(right)) => Meaning::Bool(terms.equal(left, right)),
                _ => {
                    let (left, right, _) = alike(terms, number(left)?, number(right)?, 0)?;
                    Meaning::Bool(terms.equal(left, right))
                }
            },
            Node::Less(left, right) | Node::LessEqual(left, right) => {
                let op = match node {
                    Node::Less(..) => Op::Less,
                    _ => Op::LessEqual,
                };
                let (left, right, _) = alike(terms, number(left)?, number(right)?, 0)?;
                Meaning::Bool(terms.apply(op, &[left, right]))
            }
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (number(left)?, number(right)?);
                let (op, more) = match operator {
                    Arithmetic::Add => (Op::Add, 1),
                    Arithmetic::Subtract => (Op::Subtract, 1),
                    Arithmetic::Multiply => (Op::Multiply, left.1.min(right.1)),
                    Arithmetic::Remainder => (Op::SignedRemainder, 1),
                    Arithmetic::Divide => return None,
                };
                let (left, right, width) = alike(terms, left, right, more)?;
                Meaning::Int(terms.apply(op, &[left, right]), width)
            }
            Node::Wrap(ty, part) => {
                let word = wrapped(terms, number(part)?, ty);
                of_word(terms, word, ty)
            }
            Node::Bits(operator, ty, left, right) => {
                let op = match operator {
                    BitOperator::And => Op::BitAnd,
                    BitOperator::ShiftLeft => Op::ShiftLeft,
                    _ => return None,
                };
                let left = wrapped(terms, number(left)?, ty);
                let right = wrapped(terms, number(right)?, ty);
                let word = terms.apply(op, &[left, right]);
                of_word(terms, word, ty)
            }
            Node::Element(..) | Node::If(..) => return None,
        };
        found.push(made);
    }
    match found.pop()? {
        Meaning::Bool(term) => Some(term),
        Meaning::Int(..) => None,
    }
}

/// The number that the bits of a type stand for.
fn of_word(terms: &mut Terms, word: Term, ty: Type) -> Meaning {
    let width = u32::from(ty.bits());
    match ty.is_signed() {
        true => Meaning::Int(word, width),
        false => Meaning::Int(terms.zero_extend(word, 1), width + 1),
    }
}

/// The lowest bits of a number, as many as a type has.
fn wrapped(terms: &mut Terms, (term, width): (Term, u32), ty: Type) -> Term {
    let wanted = u32::from(ty.bits());
    match width >= wanted {
        true => terms.extract(term, wanted - 1, 0),
        false => terms.sign_extend(term, wanted - width),
    }
}

/// Two numbers with as many bits as the longer one, and some more.
fn alike(
    terms: &mut Terms,
    left: (Term, u32),
    right: (Term, u32),
    more: u32,
) -> Option<(Term, Term, u32)> {
    let width = left.1.max(right.1) + more;
    if width > 128 {
        return None;
    }
    let left = terms.sign_extend(left.0, width - left.1);
    let right = terms.sign_extend(right.0, width - right.1);
    Some((left, right, width))
}
