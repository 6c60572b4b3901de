//! Terms back to formulas: what a solver says about terms, said about variables.
//!
//! A bit vector has no sign, an integer of a formula has. So a part of `n` bits is kept as any integer that
//! is the same modulo 2^n, with the range it is known to be in; it is wrapped only where an operator needs
//! its sign and the range does not give it.

mod bits;
mod integers;
mod numbers;

use recurva_certificate::{
    Builder, Formula,
    formula::{Part, When},
};
use recurva_model::{Type, VarRef, Variable};
use recurva_smt::{Node, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

use crate::{Held, Store};
use numbers::Number;

/// What a term stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The value of a scalar variable of a type.
    Value(VarRef, When, Type),
    /// The element of an array with that number.
    Element(VarRef, When, u32, Type),
    /// A whole array with elements of a type.
    Array(VarRef, When, Type),
}

/// What terms stand for.
pub type Meanings = FxHashMap<Term, Meaning>;

impl Meaning {
    /// The type of the value, or of each element.
    pub fn ty(&self) -> Type {
        match *self {
            Meaning::Value(_, _, ty) | Meaning::Element(_, _, _, ty) | Meaning::Array(_, _, ty) => {
                ty
            }
        }
    }

    /// What the terms of a variable's value stand for.
    pub fn of_held(variable: VarRef, when: When, ty: Type, held: &Held) -> Vec<(Term, Meaning)> {
        match held {
            Held::Scalar(term) => vec![(*term, Meaning::Value(variable, when, ty))],
            Held::Array(term) => vec![(*term, Meaning::Array(variable, when, ty))],
            Held::Elements(terms) => (0..)
                .zip(terms)
                .map(|(number, &term)| (term, Meaning::Element(variable, when, number, ty)))
                .collect(),
        }
    }

    /// What the terms of a store stand for.
    pub fn of_store(
        store: &Store,
        globals: &[Variable],
        locals: &[Variable],
        when: When,
    ) -> Meanings {
        let globals = (0..).map(VarRef::Global).zip(globals).zip(&store.globals);
        let locals = (0..).map(VarRef::Local).zip(locals).zip(&store.locals);
        globals
            .chain(locals)
            .flat_map(|((variable, it), held)| Meaning::of_held(variable, when, it.ty, held))
            .collect()
    }
}

/// A term of sort Bool as a formula: for the same values both are true or both are false, if the term has
/// a value, and no array is read outside its range. `None` if the term has a part that no formula says.
pub fn back(terms: &Terms, term: Term, meanings: &Meanings) -> Option<Formula> {
    let mut reader = Reader {
        terms,
        meanings,
        builder: Builder::default(),
        done: FxHashMap::default(),
    };
    for part in terms.parts(&[term]) {
        // What is not needed in the end may well be unsayable.
        if let Some(said) = reader.say(part) {
            reader.done.insert(part, said);
        }
    }
    match reader.done.get(&term)? {
        Said::Truth(root) => Some(reader.builder.finish(*root)),
        Said::Number(_) => None,
    }
}

/// A term as part of a formula.
#[derive(Clone, Copy, Debug)]
enum Said {
    Truth(Part),
    Number(Number),
}

struct Reader<'t> {
    terms: &'t Terms,
    meanings: &'t Meanings,
    builder: Builder,
    done: FxHashMap<Term, Said>,
}

impl Reader<'_> {
    fn truth(&self, term: Term) -> Option<Part> {
        match self.done.get(&term)? {
            Said::Truth(part) => Some(*part),
            Said::Number(_) => None,
        }
    }

    fn number(&self, term: Term) -> Option<Number> {
        match self.done.get(&term)? {
            Said::Number(number) => Some(*number),
            Said::Truth(_) => None,
        }
    }

    /// What a term says, when its operands have been said.
    fn say(&mut self, term: Term) -> Option<Said> {
        if let Some(&meaning) = self.meanings.get(&term) {
            return self.known(meaning);
        }
        match self.terms.node(term) {
            Node::Bool(value) => Some(Said::Truth(self.builder.bool(*value))),
            // The one with the smaller absolute value.
            Node::Bits(bits, width) => {
                let number = *bits as i128;
                let turned = numbers::turn(*width).map_or(number, |turn| number - turn);
                let number = if -turned < number { turned } else { number };
                Some(Said::Number(self.literal(number)))
            }
            Node::Int(number) => Some(Said::Number(self.literal(*number))),
            Node::Variable(_) | Node::Constant(..) => None,
            Node::Apply(op, operands) => match self.terms.sort(term) {
                Sort::Bool => self.proposition(*op, operands).map(Said::Truth),
                Sort::Bits(_) | Sort::Int => self.value(*op, operands, term).map(Said::Number),
                Sort::Array(..) => None,
            },
        }
    }

    fn known(&mut self, meaning: Meaning) -> Option<Said> {
        let (part, ty) = match meaning {
            Meaning::Value(variable, when, ty) => (self.builder.variable(variable, when), ty),
            Meaning::Element(array, when, number, ty) => {
                let number = self.builder.int(i128::from(number));
                (self.builder.element(array, when, number), ty)
            }
            Meaning::Array(..) => return None,
        };
        Some(match ty {
            Type::Bool => Said::Truth(part),
            Type::Int { .. } => Said::Number(Number::of_type(part, ty)),
        })
    }

    fn proposition(&mut self, op: Op, operands: &[Term]) -> Option<Part> {
        match op {
            Op::Not => {
                let inner = self.truth(operands[0])?;
                Some(self.negated(inner))
            }
            Op::And | Op::Or => {
                let parts: Option<Vec<Part>> = operands.iter().map(|&it| self.truth(it)).collect();
                Some(match op {
                    Op::And => self.builder.and_all(parts?),
                    _ => self.builder.or_all(parts?),
                })
            }
            Op::If => {
                let condition = self.truth(operands[0])?;
                let (then, otherwise) = (self.truth(operands[1])?, self.truth(operands[2])?);
                Some(self.builder.if_then_else(condition, then, otherwise))
            }
            Op::Equal if self.terms.sort(operands[0]) == Sort::Bool => {
                let (left, right) = (self.truth(operands[0])?, self.truth(operands[1])?);
                Some(self.builder.equal(left, right))
            }
            Op::Equal | Op::Less | Op::LessEqual | Op::UnsignedLess | Op::UnsignedLessEqual => {
                let (left, right) = (self.number(operands[0])?, self.number(operands[1])?);
                match self.terms.sort(operands[0]) {
                    Sort::Bits(width) => self.compared_bits(op, left, right, width),
                    _ => Some(self.compared(op, left, right)),
                }
            }
            _ => None,
        }
    }

    /// A negation; that of an order is an order.
    fn negated(&mut self, part: Part) -> Part {
        use recurva_certificate::formula::Node as Said;
        match self.builder.node(part) {
            Said::Less(left, right) => self.builder.less_equal(right, left),
            Said::LessEqual(left, right) => self.builder.less(right, left),
            _ => self.builder.not(part),
        }
    }

    fn value(&mut self, op: Op, operands: &[Term], term: Term) -> Option<Number> {
        match op {
            Op::If => {
                let condition = self.truth(operands[0])?;
                let (then, otherwise) = (self.number(operands[1])?, self.number(operands[2])?);
                Some(self.one_of(condition, then, otherwise))
            }
            Op::Select => self.selected(operands[0], operands[1]),
            _ => {
                let numbers: Option<Vec<Number>> =
                    operands.iter().map(|&it| self.number(it)).collect();
                match self.terms.sort(term) {
                    Sort::Bits(width) => {
                        let widths: Option<Vec<u32>> =
                            operands.iter().map(|&it| self.width(it)).collect();
                        self.bits(op, &numbers?, &widths?, width)
                    }
                    _ => self.integer(op, &numbers?),
                }
            }
        }
    }

    fn width(&self, term: Term) -> Option<u32> {
        match self.terms.sort(term) {
            Sort::Bits(width) => Some(width),
            _ => None,
        }
    }

    /// An element of an array, some of whose elements may have been replaced.
    fn selected(&mut self, array: Term, index: Term) -> Option<Number> {
        let width = self.width(index);
        let place = self.index(index, width)?;
        let mut replaced = Vec::new();
        let mut below = array;
        let mut value = loop {
            if let Some(&Meaning::Array(variable, when, ty)) = self.meanings.get(&below) {
                break self.element(variable, when, ty, place);
            }
            match self.terms.node(below) {
                Node::Constant(everywhere, _) => break self.number(*everywhere)?,
                Node::Apply(Op::Store, of) => {
                    let there = self.index(of[1], width)?;
                    let is_there = self.builder.equal(place, there);
                    replaced.push((is_there, self.number(of[2])?));
                    below = of[0];
                }
                _ => return None,
            }
        };
        for (is_there, other) in replaced.into_iter().rev() {
            value = self.one_of(is_there, other, value);
        }
        Some(value)
    }

    /// An index is not negative, if it is in range.
    fn index(&mut self, index: Term, width: Option<u32>) -> Option<Part> {
        let number = self.number(index)?;
        match width {
            Some(width) => self.unsigned(number, width).map(|it| it.part),
            None => Some(number.part),
        }
    }

    fn element(&mut self, array: VarRef, when: When, ty: Type, index: Part) -> Number {
        let element = self.builder.element(array, when, index);
        match ty {
            Type::Int { .. } => Number::of_type(element, ty),
            Type::Bool => {
                let (one, zero) = (self.literal(1), self.literal(0));
                self.one_of(element, one, zero)
            }
        }
    }
}
