//! What a term can be.

use std::collections::BTreeMap;

use super::{Scalar, Sort};

/// What a term can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// Bits, those above the sort's being 0.
    Bits(u128),
    /// An integer.
    Int(i128),
    /// An array.
    Array(ArrayValue),
}

/// An array: one value everywhere but at some places. Places and values are written down as
/// [`Value::code`] says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    /// The value of all other places.
    pub otherwise: i128,
    /// Places with another value than that.
    pub places: BTreeMap<i128, i128>,
}

impl ArrayValue {
    /// The same value everywhere.
    pub fn constant(otherwise: i128) -> Self {
        ArrayValue {
            otherwise,
            places: BTreeMap::new(),
        }
    }

    /// The value at a place.
    pub fn get(&self, index: i128) -> i128 {
        self.places.get(&index).copied().unwrap_or(self.otherwise)
    }

    /// Changes the value at a place.
    pub fn set(&mut self, index: i128, value: i128) {
        match value == self.otherwise {
            true => self.places.remove(&index),
            false => self.places.insert(index, value),
        };
    }

    /// Whether two arrays are the same map: they can be so though they are written down differently,
    /// if there are only so many places.
    pub fn equals(&self, other: &Self, index: Scalar) -> bool {
        if self.otherwise == other.otherwise {
            return self.places == other.places;
        }
        self.difference(other, index).is_none()
    }

    /// A place at which two arrays differ: one that is written down, if there is such a one.
    pub fn difference(&self, other: &Self, index: Scalar) -> Option<i128> {
        let all = || self.places.keys().chain(other.places.keys());
        if let Some(&place) = all().find(|&&it| self.get(it) != other.get(it)) {
            return Some(place);
        }
        if self.otherwise == other.otherwise {
            return None;
        }
        let count = match index {
            Scalar::Bits(width) if width < 64 => 1u64 << width,
            _ => u64::MAX,
        };
        let free = |it: &i128| !self.places.contains_key(it) && !other.places.contains_key(it);
        (0..count).map(i128::from).find(free)
    }
}

impl Value {
    /// False, zero, or zero everywhere.
    pub fn default_of(sort: Sort) -> Self {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bits(_) => Value::Bits(0),
            Sort::Int => Value::Int(0),
            Sort::Array(..) => Value::Array(ArrayValue::default()),
        }
    }

    /// Whether it is true.
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// Bits or an integer, as an integer.
    pub fn number(&self) -> Option<i128> {
        match *self {
            Value::Bits(bits) => i128::try_from(bits).ok(),
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// As it is written down in an [`ArrayValue`]: integers as they are, bits as the number that they
    /// are, of 128 bits with a sign.
    pub fn code(&self) -> Option<i128> {
        match *self {
            Value::Bits(bits) => Some(bits as i128),
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// What was written down in an [`ArrayValue`].
    pub fn decoded(sort: Sort, code: i128) -> Option<Self> {
        match sort {
            Sort::Bits(_) => Some(Value::Bits(code as u128)),
            Sort::Int => Some(Value::Int(code)),
            _ => None,
        }
    }
}
