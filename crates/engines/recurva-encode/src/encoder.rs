//! What is being encoded into, and how numbers are read.

use recurva_model::Type;
use recurva_smt::{Sort, Term, Terms};

/// What the numbers of a program are as terms. Truth values are always truth values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    /// Bit vectors: exactly what the program computes.
    Bits,
    /// Integers. Results that do not fit their type wrap around; what looks at single bits has any
    /// result.
    Wrapping,
    /// Integers. Signed results do not wrap around, as if they always fitted: what holds of these need
    /// not hold of the program.
    Ideal,
}

/// Makes terms of the parts of programs, and collects what is known of the values that it makes up.
#[derive(Debug)]
pub struct Encoder<'t> {
    /// Where terms are made.
    pub terms: &'t mut Terms,
    pub(crate) numbers: Numbers,
    /// Facts about values that were made up: that they are values of their types.
    facts: Vec<Term>,
}

impl<'t> Encoder<'t> {
    /// An encoder.
    pub fn new(terms: &'t mut Terms, numbers: Numbers) -> Self {
        Encoder {
            terms,
            numbers,
            facts: Vec::new(),
        }
    }

    /// What numbers are.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// What is known of the values that were made up since this was last asked.
    pub fn take_facts(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.facts)
    }

    /// The sort of a scalar of a type.
    pub fn sort(&self, ty: Type) -> Sort {
        match (ty, self.numbers) {
            (Type::Bool, _) => Sort::Bool,
            (Type::Int { bits, .. }, Numbers::Bits) => Sort::Bits(u32::from(bits)),
            (Type::Int { .. }, Numbers::Wrapping | Numbers::Ideal) => Sort::Int,
        }
    }

    /// Any value of a type. What is known of it is a fact.
    pub fn any(&mut self, ty: Type, hint: &str) -> Term {
        let sort = self.sort(ty);
        let value = self.terms.fresh(hint, sort);
        let is_value = self.is_value(ty, value);
        self.facts.push(is_value);
        value
    }

    /// That a term of the type's sort is a value of the type.
    pub fn is_value(&mut self, ty: Type, term: Term) -> Term {
        let (Type::Int { .. }, Numbers::Wrapping | Numbers::Ideal) = (ty, self.numbers) else {
            return self.terms.truth();
        };
        let (low, high) = range(ty);
        let (low, high) = (self.terms.int(low), self.terms.int(high));
        let above = self.less_equal(low, term);
        let below = self.less_equal(term, high);
        self.terms.and(&[above, below])
    }

    /// A constant of a type.
    pub fn constant(&mut self, value: u64, ty: Type) -> Term {
        match (ty, self.numbers) {
            (Type::Bool, _) => self.terms.bool(value != 0),
            (Type::Int { bits, .. }, Numbers::Bits) => {
                self.terms.bits(value.into(), u32::from(bits))
            }
            (Type::Int { .. }, Numbers::Wrapping | Numbers::Ideal) => {
                self.terms.int(ty.to_number(value))
            }
        }
    }
}

/// The smallest and the largest number of a type.
pub(crate) fn range(ty: Type) -> (i128, i128) {
    let bits = u32::from(ty.bits());
    match ty.is_signed() {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}
