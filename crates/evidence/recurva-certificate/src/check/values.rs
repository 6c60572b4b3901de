//! Values of variables as terms.

use std::rc::Rc;

use recurva_model::{Type, VarRef, Variable};
use recurva_smt::{Op, Scalar, Sort, Term, Terms};

/// An array with no more elements than that is one term for each.
const FEW: u32 = 16;

/// The bits of an index into an array of any length.
const INDEX: u32 = 32;

/// The value of a variable.
#[derive(Clone, Debug)]
pub(super) enum Cells {
    /// A scalar.
    One(Term),
    /// Each element of an array.
    Each(Rc<[Term]>),
    /// All elements of an array; truth values are single bits.
    Map(Term),
}

/// The values of all variables of a procedure.
#[derive(Clone, Debug)]
pub(super) struct Values {
    pub(super) globals: Rc<[Cells]>,
    /// Perhaps only of the first ones.
    pub(super) locals: Rc<[Cells]>,
}

/// The sort of the values of a type.
pub(super) fn sort(ty: Type) -> Sort {
    match ty {
        Type::Bool => Sort::Bool,
        Type::Int { bits, .. } => Sort::Bits(u32::from(bits)),
    }
}

/// A number of a type.
pub(super) fn constant(terms: &mut Terms, value: u64, ty: Type) -> Term {
    match ty {
        Type::Bool => terms.bool(value != 0),
        Type::Int { bits, .. } => terms.bits(u128::from(value), u32::from(bits)),
    }
}

/// The bits of a value: a truth value has one.
pub(super) fn to_bits(terms: &mut Terms, value: Term) -> Term {
    match terms.sort(value) {
        Sort::Bool => {
            let (one, zero) = (terms.bits(1, 1), terms.bits(0, 1));
            terms.if_then_else(value, one, zero)
        }
        _ => value,
    }
}

/// The value of a type that has these bits.
pub(super) fn from_bits(terms: &mut Terms, bits: Term, ty: Type) -> Term {
    match ty {
        Type::Bool => {
            let one = terms.bits(1, 1);
            terms.equal(bits, one)
        }
        Type::Int { .. } => bits,
    }
}

/// Bits cut off, or zeros in front.
pub(super) fn with_width(terms: &mut Terms, bits: Term, from: u32, to: u32) -> Term {
    match to >= from {
        true => terms.zero_extend(bits, to - from),
        false => terms.extract(bits, to - 1, 0),
    }
}

/// What variables of terms are called. Their numbers tell them apart.
const NAME: &str = "v";

/// Any value of a variable.
pub(super) fn any(terms: &mut Terms, variable: &Variable) -> Cells {
    let sort = sort(variable.ty);
    match variable.len {
        None => Cells::One(terms.fresh(NAME, sort)),
        Some(len @ 0..=FEW) => {
            let elements = (0..len).map(|_| terms.fresh(NAME, sort));
            Cells::Each(elements.collect())
        }
        Some(_) => {
            let element = Scalar::Bits(u32::from(variable.ty.bits()));
            let sort = Sort::Array(Scalar::Bits(INDEX), element);
            Cells::Map(terms.fresh(NAME, sort))
        }
    }
}

/// Any values of variables.
pub(super) fn all_any(terms: &mut Terms, variables: &[Variable]) -> Vec<Cells> {
    variables.iter().map(|it| any(terms, it)).collect()
}

/// An index, as bits that are read as a number without sign, and whether there is such an element.
pub(super) struct Index {
    bits: Term,
    width: u32,
    pub(super) is_there: Term,
}

impl Index {
    pub(super) fn new(terms: &mut Terms, bits: Term, width: u32, len: u32) -> Self {
        let is_small = width < u64::BITS && (1u64 << width) <= u64::from(len);
        let is_there = match is_small {
            true => terms.truth(),
            false => {
                let len = terms.bits(u128::from(len), width);
                terms.apply(Op::UnsignedLess, &[bits, len])
            }
        };
        Index {
            bits,
            width,
            is_there,
        }
    }

    fn is(&self, terms: &mut Terms, element: usize) -> Term {
        // An element that the index has no bits for is never meant.
        if self.width < usize::BITS && element >> self.width != 0 {
            return terms.falsity();
        }
        let number = terms.bits(element as u128, self.width);
        terms.equal(self.bits, number)
    }

    fn place(&self, terms: &mut Terms) -> Term {
        with_width(terms, self.bits, self.width, INDEX)
    }
}

impl Cells {
    /// The value of a scalar.
    pub(super) fn scalar(&self) -> Option<Term> {
        match self {
            Cells::One(term) => Some(*term),
            _ => None,
        }
    }

    /// The element at an index; anything if there is none.
    pub(super) fn element(&self, terms: &mut Terms, index: &Index, ty: Type) -> Option<Term> {
        match self {
            Cells::One(_) => None,
            Cells::Each(elements) => {
                let (&last, others) = elements.split_last()?;
                let mut value = last;
                for (place, &element) in others.iter().enumerate().rev() {
                    let is_here = index.is(terms, place);
                    value = terms.if_then_else(is_here, element, value);
                }
                Some(value)
            }
            Cells::Map(array) => {
                let place = index.place(terms);
                let bits = terms.select(*array, place);
                Some(from_bits(terms, bits, ty))
            }
        }
    }

    /// The same with another value at an index, at which there is an element.
    pub(super) fn with_element(&self, terms: &mut Terms, index: &Index, value: Term) -> Self {
        match self {
            Cells::One(term) => Cells::One(*term),
            Cells::Each(elements) => {
                let changed = elements.iter().enumerate().map(|(place, &element)| {
                    let is_here = index.is(terms, place);
                    terms.if_then_else(is_here, value, element)
                });
                Cells::Each(changed.collect())
            }
            Cells::Map(array) => {
                let place = index.place(terms);
                let bits = to_bits(terms, value);
                Cells::Map(terms.store(*array, place, bits))
            }
        }
    }
}

impl Values {
    /// The value of a variable.
    pub(super) fn get(&self, variable: VarRef) -> Option<&Cells> {
        match variable {
            VarRef::Global(index) => self.globals.get(index as usize),
            VarRef::Local(index) => self.locals.get(index as usize),
        }
    }

    /// Changes the value of a variable.
    pub(super) fn set(&mut self, variable: VarRef, value: Cells) {
        let (list, index) = match variable {
            VarRef::Global(index) => (&mut self.globals, index),
            VarRef::Local(index) => (&mut self.locals, index),
        };
        if let Some(place) = Rc::make_mut(list).get_mut(index as usize) {
            *place = value;
        }
    }
}
