//! The value of a term.

use rustc_hash::FxHashMap;

use super::{ArrayValue, Node, Op, Sort, Term, Terms, Value, fold};

/// The values of terms, as far as they are known.
pub(crate) trait Values {
    /// The value of a term that was evaluated; not of arrays that are made of others.
    fn get(&self, term: Term) -> Option<&Value>;
}

impl Values for FxHashMap<Term, Value> {
    fn get(&self, term: Term) -> Option<&Value> {
        FxHashMap::get(self, &term)
    }
}

/// No values but those of numbers.
struct Numbers<'a>(&'a [(Term, Value)]);

impl Values for Numbers<'_> {
    fn get(&self, term: Term) -> Option<&Value> {
        self.0.iter().find(|it| it.0 == term).map(|it| &it.1)
    }
}

impl Terms {
    /// The value of a term, where `variable` gives those of variables; `None` if one is not known, an
    /// integer is divided by zero, or a number gets too large.
    pub fn evaluate(&self, root: Term, variable: &dyn Fn(Term) -> Option<Value>) -> Option<Value> {
        let mut values: FxHashMap<Term, Value> = FxHashMap::default();
        for part in self.parts(&[root]) {
            if let Some(value) = self.part_value(part, &values, variable) {
                values.insert(part, value);
            }
        }
        match self.sort(root) {
            Sort::Array(..) => self.array_value(root, &values).map(Value::Array),
            _ => values.remove(&root),
        }
    }

    /// The value of a term that is no array but a variable, when those of its operands are known.
    pub(crate) fn part_value(
        &self,
        part: Term,
        values: &impl Values,
        variable: &dyn Fn(Term) -> Option<Value>,
    ) -> Option<Value> {
        match self.node(part) {
            Node::Variable(_) => variable(part),
            // Arrays are only looked into: a chain of stores would be copied again and again.
            Node::Constant(..) | Node::Apply(Op::Store, _) => None,
            Node::Apply(Op::If, _) if matches!(self.sort(part), Sort::Array(..)) => None,
            Node::Apply(Op::Select, of) => self.element(of[0], of[1], values),
            Node::Apply(Op::Equal, of) if matches!(self.sort(of[0]), Sort::Array(..)) => {
                let Sort::Array(index, _) = self.sort(of[0]) else {
                    return None;
                };
                let left = self.array_value(of[0], values)?;
                let right = self.array_value(of[1], values)?;
                Some(Value::Bool(left.equals(&right, index)))
            }
            Node::Apply(op, of) => self.apply_value(*op, of, values),
            _ => self.literal(part),
        }
    }

    /// The value of a number.
    pub(crate) fn literal(&self, term: Term) -> Option<Value> {
        match *self.node(term) {
            Node::Bool(value) => Some(Value::Bool(value)),
            Node::Bits(bits, _) => Some(Value::Bits(bits)),
            Node::Int(number) => Some(Value::Int(number)),
            _ => None,
        }
    }

    /// What an array has at a place: its stores are looked through, the last one first.
    fn element(&self, array: Term, index: Term, values: &impl Values) -> Option<Value> {
        let Sort::Array(_, element) = self.sort(array) else {
            return None;
        };
        let index = values.get(index)?;
        let mut array = array;
        loop {
            match self.node(array) {
                Node::Apply(Op::Store, of) if values.get(of[1])? == index => {
                    return values.get(of[2]).cloned();
                }
                Node::Apply(Op::Store, of) => array = of[0],
                Node::Apply(Op::If, of) => array = of[if_place(values.get(of[0])?)?],
                Node::Constant(value, _) => return values.get(*value).cloned(),
                _ => {
                    let Value::Array(array) = values.get(array)? else {
                        return None;
                    };
                    return Value::decoded(element.into(), array.get(index.code()?));
                }
            }
        }
    }

    /// The value of an array, when those of all that it is made of are known.
    pub(crate) fn array_value(&self, array: Term, values: &impl Values) -> Option<ArrayValue> {
        let mut stores: Vec<(i128, i128)> = Vec::new();
        let mut array = array;
        let mut value = loop {
            match self.node(array) {
                Node::Apply(Op::Store, of) => {
                    let (place, value) = (values.get(of[1])?, values.get(of[2])?);
                    stores.push((place.code()?, value.code()?));
                    array = of[0];
                }
                Node::Apply(Op::If, of) => array = of[if_place(values.get(of[0])?)?],
                Node::Constant(value, _) => {
                    let otherwise = values.get(*value)?.code()?;
                    break ArrayValue::constant(otherwise);
                }
                _ => match values.get(array)? {
                    Value::Array(array) => break array.clone(),
                    _ => return None,
                },
            }
        };
        for (place, element) in stores.into_iter().rev() {
            value.set(place, element);
        }
        Some(value)
    }

    /// The value of an operator on numbers.
    pub(super) fn value_of(&self, op: Op, operands: &[Term]) -> Option<Value> {
        let values: Option<Vec<(Term, Value)>> = operands
            .iter()
            .map(|&it| Some((it, self.literal(it)?)))
            .collect();
        self.apply_value(op, operands, &Numbers(&values?))
    }

    fn apply_value(&self, op: Op, operands: &[Term], values: &impl Values) -> Option<Value> {
        let value = |at: usize| values.get(*operands.get(at)?);
        let truth = |at: usize| match value(at)? {
            Value::Bool(value) => Some(*value),
            _ => None,
        };
        match op {
            Op::Not => return Some(Value::Bool(!truth(0)?)),
            Op::And | Op::Or => {
                // One operand may decide though others have no value.
                let decides = op == Op::Or;
                let mut all = Some(Value::Bool(!decides));
                for at in 0..operands.len() {
                    match truth(at) {
                        Some(value) if value == decides => return Some(Value::Bool(decides)),
                        Some(_) => {}
                        None => all = None,
                    }
                }
                return all;
            }
            Op::If => return value(if_place(value(0)?)?).cloned(),
            Op::Equal => return Some(Value::Bool(value(0)? == value(1)?)),
            _ => {}
        }
        let width = operands.first().and_then(|&it| self.width(it));
        match (value(0)?, operands.len()) {
            (&Value::Bits(bits), 1) => {
                let width = width?;
                let bits = match op {
                    Op::BitNot => !bits & fold::mask(width),
                    Op::Negate => bits.wrapping_neg() & fold::mask(width),
                    Op::Extract { high, low } => (bits >> low) & fold::mask(high - low + 1),
                    Op::ZeroExtend(_) => bits,
                    Op::SignExtend(by) => {
                        fold::signed(bits, width) as u128 & fold::mask(width + by)
                    }
                    _ => return None,
                };
                Some(Value::Bits(bits))
            }
            (&Value::Bits(left), _) => {
                let &Value::Bits(right) = value(1)? else {
                    return None;
                };
                if op == Op::Concat {
                    let low = self.width(operands[1])?;
                    return Some(Value::Bits(left << low | right));
                }
                match fold::compare(op, left, right, width?) {
                    Some(holds) => Some(Value::Bool(holds)),
                    None => fold::bits(op, left, right, width?).map(Value::Bits),
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

/// Which operand of an `ite` counts.
fn if_place(condition: &Value) -> Option<usize> {
    match condition {
        Value::Bool(true) => Some(1),
        Value::Bool(false) => Some(2),
        _ => None,
    }
}
