//! The values of variables as terms.

use recurva_model::{ProcId, Program, Type, VarRef, Variable};
use recurva_smt::{Op, Scalar, Sort, Term};

use crate::{Encoder, Numbers};

/// Arrays of up to so many elements are kept element by element.
const FEW: usize = 16;

/// The value of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Of a scalar.
    Scalar(Term),
    /// Of a small array: its elements.
    Elements(Vec<Term>),
    /// Of a large array: an array. Its truth values are numbers, 0 or 1.
    Array(Term),
}

/// The values of all variables in scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// The values of the globals.
    pub globals: Vec<Held>,
    /// The values of the running procedure's locals.
    pub locals: Vec<Held>,
}

impl Held {
    /// The terms that it consists of.
    pub fn terms(&self) -> &[Term] {
        match self {
            Held::Scalar(term) | Held::Array(term) => std::slice::from_ref(term),
            Held::Elements(terms) => terms,
        }
    }

    /// The same shape, with other terms.
    #[must_use]
    pub fn map(&self, mut new: impl FnMut(Term) -> Term) -> Self {
        match self {
            Held::Scalar(term) => Held::Scalar(new(*term)),
            Held::Array(term) => Held::Array(new(*term)),
            Held::Elements(terms) => Held::Elements(terms.iter().map(|&it| new(it)).collect()),
        }
    }

    /// The term of a scalar; the first one of anything else.
    pub fn term(&self) -> Term {
        self.terms()[0]
    }
}

impl Store {
    /// The value of a variable.
    pub fn get(&self, variable: VarRef) -> &Held {
        match variable {
            VarRef::Global(index) => &self.globals[index as usize],
            VarRef::Local(index) => &self.locals[index as usize],
        }
    }

    /// Changes the value of a variable.
    pub fn set(&mut self, variable: VarRef, held: Held) {
        match variable {
            VarRef::Global(index) => self.globals[index as usize] = held,
            VarRef::Local(index) => self.locals[index as usize] = held,
        }
    }
}

impl Encoder<'_> {
    /// Any value of a variable.
    pub fn any_value(&mut self, variable: &Variable) -> Held {
        match variable.len {
            None => Held::Scalar(self.any(variable.ty, &variable.name)),
            Some(len) if len as usize <= FEW => {
                let element = |_| self.any(variable.ty, &variable.name);
                Held::Elements((0..len).map(element).collect())
            }
            Some(_) => {
                let sort = Sort::Array(self.index_sort(variable), self.element_sort(variable.ty));
                Held::Array(self.terms.fresh(&variable.name, sort))
            }
        }
    }

    /// Any values of some variables.
    pub fn any_values(&mut self, variables: &[Variable]) -> Vec<Held> {
        variables.iter().map(|it| self.any_value(it)).collect()
    }

    /// Any values of all variables in scope in a procedure.
    pub fn any_store(&mut self, program: &Program, procedure: ProcId) -> Store {
        Store {
            globals: self.any_values(program.globals()),
            locals: self.any_values(&program.procedure(procedure).locals),
        }
    }

    fn index_sort(&self, array: &Variable) -> Scalar {
        match self.numbers {
            Numbers::Bits => {
                let most = array.len.unwrap_or(1).max(2) - 1;
                Scalar::Bits(32 - most.leading_zeros())
            }
            Numbers::Wrapping | Numbers::Ideal => Scalar::Int,
        }
    }

    fn element_sort(&self, ty: Type) -> Scalar {
        match self.numbers {
            Numbers::Bits => Scalar::Bits(u32::from(ty.bits())),
            Numbers::Wrapping | Numbers::Ideal => Scalar::Int,
        }
    }

    /// An index that is in range, as the index of an array.
    fn index(&mut self, array: &Variable, ty: Type, index: Term) -> Term {
        let (ty, index) = match ty {
            Type::Bool => {
                let bit = Type::unsigned(1);
                (bit, self.convert(Type::Bool, bit, index))
            }
            _ => (ty, index),
        };
        match self.index_sort(array) {
            Scalar::Int => self.as_index(ty, index, array.slots() as u64),
            Scalar::Bits(width) => {
                let given = u32::from(ty.bits());
                match width.checked_sub(given) {
                    Some(more) => self.terms.zero_extend(index, more),
                    None => self.terms.extract(index, width - 1, 0),
                }
            }
        }
    }

    /// That an index is that of the element with this number.
    fn is_element(&mut self, ty: Type, index: Term, number: usize) -> Term {
        if number as u64 > ty.mask() {
            return self.terms.falsity();
        }
        let number = self.constant(number as u64, ty);
        self.terms.equal(index, number)
    }

    /// An element of an array, if the index is in range.
    pub(crate) fn element(
        &mut self,
        array: &Variable,
        held: &Held,
        (ty, index): (Type, Term),
    ) -> Term {
        match held {
            Held::Scalar(term) => *term,
            Held::Elements(elements) => {
                let mut value = elements[elements.len() - 1];
                for (number, &element) in elements.iter().enumerate().rev().skip(1) {
                    let is_it = self.is_element(ty, index, number);
                    value = self.terms.if_then_else(is_it, element, value);
                }
                value
            }
            Held::Array(term) => {
                let index = self.index(array, ty, index);
                let value = self.terms.apply(Op::Select, &[*term, index]);
                match array.ty {
                    Type::Bool => self.convert(Type::unsigned(1), Type::Bool, value),
                    _ => value,
                }
            }
        }
    }

    /// An array with another element, if the index is in range.
    pub(crate) fn with_element(
        &mut self,
        array: &Variable,
        held: &Held,
        (ty, index): (Type, Term),
        value: Term,
    ) -> Held {
        match held {
            Held::Scalar(_) => Held::Scalar(value),
            Held::Elements(elements) => {
                let elements = elements.iter().enumerate().map(|(number, &element)| {
                    let is_it = self.is_element(ty, index, number);
                    self.terms.if_then_else(is_it, value, element)
                });
                Held::Elements(elements.collect())
            }
            Held::Array(term) => {
                let index = self.index(array, ty, index);
                let value = match array.ty {
                    Type::Bool => self.convert(Type::Bool, Type::unsigned(1), value),
                    _ => value,
                };
                Held::Array(self.terms.store(*term, index, value))
            }
        }
    }
}
