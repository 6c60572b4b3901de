//! The value of a term.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Node, Op, Sort, Term, Terms, fold};

/// What a term can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// Bits, those above the sort's being 0.
    Bits(u64),
    /// An integer.
    Int(i128),
    /// An array.
    Array(ArrayValue),
}

/// An array: one value everywhere but at some places. Bits are numbers here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    /// The value of all other places.
    pub otherwise: i128,
    /// Places with another value than that.
    pub places: BTreeMap<i128, i128>,
}

impl ArrayValue {
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
}

impl Value {
    /// Whether it is true.
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// Bits or an integer, as an integer.
    pub fn number(&self) -> Option<i128> {
        match *self {
            Value::Bits(bits) => Some(i128::from(bits)),
            Value::Int(number) => Some(number),
            _ => None,
        }
    }
}

impl Terms {
    /// The value of a term, where `variable` gives those of variables; `None` if one is not known, an
    /// integer is divided by zero, or a number gets too large.
    pub fn evaluate(&self, root: Term, variable: &dyn Fn(Term) -> Option<Value>) -> Option<Value> {
        self.evaluate_all(&[root], variable).remove(&root).flatten()
    }

    /// The values of all parts of some terms.
    pub fn evaluate_all(
        &self,
        roots: &[Term],
        variable: &dyn Fn(Term) -> Option<Value>,
    ) -> FxHashMap<Term, Option<Value>> {
        let mut values: FxHashMap<Term, Option<Value>> = FxHashMap::default();
        for part in self.parts(roots) {
            let value = match self.node(part) {
                Node::Bool(value) => Some(Value::Bool(*value)),
                Node::Bits(bits, _) => Some(Value::Bits(*bits)),
                Node::Int(number) => Some(Value::Int(*number)),
                Node::Variable(_) => variable(part),
                Node::Constant(value, _) => number(&values, *value).map(|otherwise| {
                    let places = BTreeMap::new();
                    Value::Array(ArrayValue { otherwise, places })
                }),
                Node::Apply(op, operands) => {
                    self.apply_value(*op, self.sort(part), operands, &values)
                }
            };
            values.insert(part, value);
        }
        values
    }

    /// The value of an operator on numbers.
    pub(super) fn value_of(&self, op: Op, operands: &[Term]) -> Option<Value> {
        let none = |_: Term| None;
        let values = self.evaluate_all(operands, &none);
        self.apply_value(op, Sort::Bool, operands, &values)
    }

    fn apply_value(
        &self,
        op: Op,
        sort: Sort,
        operands: &[Term],
        values: &FxHashMap<Term, Option<Value>>,
    ) -> Option<Value> {
        let value = |at: usize| values.get(operands.get(at)?)?.as_ref();
        let truth = |at: usize| match value(at)? {
            Value::Bool(value) => Some(*value),
            _ => None,
        };
        match op {
            Op::Not => return Some(Value::Bool(!truth(0)?)),
            Op::And | Op::Or => {
                // One operand may decide though others have no value.
                let decides = op == Op::Or;
                let all: Vec<Option<bool>> = (0..operands.len()).map(truth).collect();
                if all.contains(&Some(decides)) {
                    return Some(Value::Bool(decides));
                }
                return all
                    .iter()
                    .all(Option::is_some)
                    .then_some(Value::Bool(!decides));
            }
            Op::If => return value(if truth(0)? { 1 } else { 2 }).cloned(),
            Op::Equal => return Some(Value::Bool(value(0)? == value(1)?)),
            Op::Select => {
                let Value::Array(array) = value(0)? else {
                    return None;
                };
                let found = array.get(value(1)?.number()?);
                return sorted(sort, found);
            }
            Op::Store => {
                let Value::Array(array) = value(0)? else {
                    return None;
                };
                let mut array = array.clone();
                array.set(value(1)?.number()?, value(2)?.number()?);
                return Some(Value::Array(array));
            }
            _ => {}
        }
        let width = self.width(operands[0]);
        match (value(0)?, operands.len()) {
            (&Value::Bits(bits), 1) => {
                let width = width?;
                let bits = match op {
                    Op::BitNot => !bits & fold::mask(width),
                    Op::Negate => bits.wrapping_neg() & fold::mask(width),
                    Op::Extract { high, low } => (bits >> low) & fold::mask(high - low + 1),
                    Op::ZeroExtend(_) => bits,
                    Op::SignExtend(by) => fold::signed(bits, width) as u64 & fold::mask(width + by),
                    _ => return None,
                };
                Some(Value::Bits(bits))
            }
            (&Value::Bits(left), _) => {
                let &Value::Bits(right) = value(1)? else {
                    return None;
                };
                let width = width?;
                if op == Op::Concat {
                    let low = self.width(operands[1])?;
                    return Some(Value::Bits(left << low | right));
                }
                match fold::compare(op, left, right, width) {
                    Some(holds) => Some(Value::Bool(holds)),
                    None => fold::bits(op, left, right, width).map(Value::Bits),
                }
            }
            (&Value::Int(number), 1) => match op {
                Op::Negate => number.checked_neg().map(Value::Int),
                _ => None,
            },
            (&Value::Int(left), _) => {
                let &Value::Int(right) = value(1)? else {
                    return None;
                };
                match op {
                    Op::Less => Some(Value::Bool(left < right)),
                    Op::LessEqual => Some(Value::Bool(left <= right)),
                    _ => fold::int(op, left, right).map(Value::Int),
                }
            }
            _ => None,
        }
    }

    /// The bits of a term, if it has bits.
    pub(crate) fn width(&self, term: Term) -> Option<u32> {
        match self.sort(term) {
            Sort::Bits(width) => Some(width),
            _ => None,
        }
    }
}

/// A number as a value of a sort.
fn sorted(sort: Sort, number: i128) -> Option<Value> {
    match sort {
        Sort::Bits(_) => Some(Value::Bits(number as u64)),
        Sort::Int => Some(Value::Int(number)),
        _ => None,
    }
}

fn number(values: &FxHashMap<Term, Option<Value>>, term: Term) -> Option<i128> {
    values.get(&term)?.as_ref()?.number()
}
