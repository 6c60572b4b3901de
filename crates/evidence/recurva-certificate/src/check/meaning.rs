//! Formulas as terms.

use recurva_model::Type;
use recurva_smt::{Op, Term, Terms};

use super::{
    integer::Integer,
    values::{Cells, Index, Values, constant, to_bits},
};
use crate::formula::{BitOperator, Formula, Node, Part, Scope, Sort, When};

/// The values that a formula is about.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// When the procedure was entered: of globals and parameters.
    pub(super) entry: Values,
    pub(super) now: Values,
}

/// A part of a formula.
#[derive(Clone, Copy, Debug)]
enum Meaning {
    Truth(Term),
    Number(Integer),
}

/// All parts of a formula, operands first; `None` where a number may need more than 128 bits.
pub(super) struct Meanings(Vec<Option<Meaning>>);

impl Meanings {
    /// A formula in a state. Its sorts have been checked.
    pub(super) fn new(
        terms: &mut Terms,
        formula: &Formula,
        scope: Scope<'_>,
        state: &State,
    ) -> Self {
        let mut meanings = Meanings(Vec::with_capacity(formula.nodes().len()));
        for &node in formula.nodes() {
            let meaning = meanings.meaning(terms, node, scope, state);
            meanings.0.push(meaning);
        }
        meanings
    }

    /// A part that is a truth value.
    pub(super) fn truth(&self, part: Part) -> Option<Term> {
        match self.0[part.index()] {
            Some(Meaning::Truth(term)) => Some(term),
            _ => None,
        }
    }

    fn number(&self, part: Part) -> Option<Integer> {
        match self.0[part.index()] {
            Some(Meaning::Number(number)) => Some(number),
            _ => None,
        }
    }

    fn meaning(
        &self,
        terms: &mut Terms,
        node: Node,
        scope: Scope<'_>,
        state: &State,
    ) -> Option<Meaning> {
        use Meaning::{Number, Truth};
        let both = |left, right| Some([self.truth(left)?, self.truth(right)?]);
        let values = |when| match when {
            When::Entry => &state.entry,
            When::Now => &state.now,
        };
        Some(match node {
            Node::Bool(value) => Truth(terms.bool(value)),
            Node::Int(number) => Number(Integer::constant(terms, number)),
            Node::Variable(variable, when) => {
                let value = values(when).get(variable)?.scalar()?;
                read(terms, value, scope.variable(variable)?.ty)
            }
            Node::Element(array, when, index) => {
                let index = self.number(index)?;
                let variable = scope.variable(array)?;
                let cells = values(when).get(array)?;
                element(terms, cells, index, variable.ty, variable.len?)?
            }
            Node::Not(part) => {
                let part = self.truth(part)?;
                Truth(terms.not(part))
            }
            Node::And(left, right) => {
                let operands = both(left, right)?;
                Truth(terms.and(&operands))
            }
            Node::Or(left, right) => {
                let operands = both(left, right)?;
                Truth(terms.or(&operands))
            }
            Node::Implies(left, right) => {
                let [left, right] = both(left, right)?;
                Truth(terms.implies(left, right))
            }
            Node::Equal(left, right) => match (self.truth(left), self.truth(right)) {
                (Some(left), Some(right)) => Truth(terms.equal(left, right)),
                _ => self.compare(terms, Op::Equal, left, right)?,
            },
            Node::Less(left, right) => self.compare(terms, Op::Less, left, right)?,
            Node::LessEqual(left, right) => self.compare(terms, Op::LessEqual, left, right)?,
            Node::If(condition, then, otherwise) => {
                let condition = self.truth(condition)?;
                match (self.truth(then), self.truth(otherwise)) {
                    (Some(then), Some(otherwise)) => {
                        Truth(terms.if_then_else(condition, then, otherwise))
                    }
                    _ => {
                        let (then, otherwise) = (self.number(then)?, self.number(otherwise)?);
                        Number(Integer::choice(terms, condition, then, otherwise))
                    }
                }
            }
            Node::Arithmetic(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                Number(left.arithmetic(terms, operator, right)?)
            }
            Node::Wrap(ty, part) => Number(self.number(part)?.wrapped(terms, ty)),
            Node::Bits(operator, ty, left, right) => {
                let left = self.number(left)?.wrapped_bits(terms, ty);
                let right = self.number(right)?.wrapped_bits(terms, ty);
                let operator = match operator {
                    BitOperator::And => Op::BitAnd,
                    BitOperator::Or => Op::BitOr,
                    BitOperator::Xor => Op::BitXor,
                    BitOperator::ShiftLeft => Op::ShiftLeft,
                    BitOperator::ShiftRight if ty.is_signed() => Op::ArithmeticShiftRight,
                    BitOperator::ShiftRight => Op::LogicalShiftRight,
                };
                let bits = terms.apply(operator, &[left, right]);
                Number(Integer::of_bits(terms, ty, bits))
            }
        })
    }

    fn compare(&self, terms: &mut Terms, operator: Op, left: Part, right: Part) -> Option<Meaning> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        Some(Meaning::Truth(left.compare(terms, operator, right)))
    }
}

/// A value of a type.
fn read(terms: &mut Terms, value: Term, ty: Type) -> Meaning {
    match Sort::of(ty) {
        Sort::Bool => Meaning::Truth(value),
        Sort::Int => Meaning::Number(Integer::of_bits(terms, ty, value)),
    }
}

/// An element of an array; 0 or false where there is none.
fn element(
    terms: &mut Terms,
    cells: &Cells,
    index: Integer,
    ty: Type,
    len: u32,
) -> Option<Meaning> {
    let number = Type::unsigned(32);
    let (zero, end) = (
        Integer::constant(terms, 0),
        Integer::constant(terms, i128::from(len)),
    );
    let not_negative = zero.compare(terms, Op::LessEqual, index);
    let not_behind = index.compare(terms, Op::Less, end);
    let bits = index.wrapped_bits(terms, number);
    let place = Index::new(terms, bits, 32, len);
    let found = cells.element(terms, &place, ty)?;
    let found = to_bits(terms, found);
    let nothing = terms.bits(0, ty.bits().into());
    let is_there = terms.and(&[not_negative, not_behind]);
    let bits = terms.if_then_else(is_there, found, nothing);
    let value = match ty {
        Type::Bool => {
            let no = constant(terms, 0, Type::unsigned(1));
            let is_no = terms.equal(bits, no);
            terms.not(is_no)
        }
        Type::Int { .. } => bits,
    };
    Some(read(terms, value, ty))
}
