//! The definition of what a formula means: its value for given values of the variables.

use recurva_model::{Binary, Type, VarRef};

use super::{Arithmetic, BitOperator, Formula, Node, Part, When};

/// Gives the values of variables. A truth value is 0 or 1.
pub trait Values {
    /// The value of a scalar variable, or of an element of an array; `None` if there is no such element.
    fn value(&self, variable: VarRef, when: When, element: u64) -> Option<i128>;

    /// Whether a variable, or each element of it, is a truth value.
    fn is_bool(&self, variable: VarRef) -> bool;
}

/// What a part of a formula can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaValue {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
}

impl Arithmetic {
    /// The operator applied to two integers; `None` if the result is too large to be represented here.
    pub fn apply(self, left: i128, right: i128) -> Option<i128> {
        match self {
            Arithmetic::Add => left.checked_add(right),
            Arithmetic::Subtract => left.checked_sub(right),
            Arithmetic::Multiply => left.checked_mul(right),
            Arithmetic::Divide | Arithmetic::Remainder if right == 0 => Some(0),
            Arithmetic::Divide => left.checked_div(right),
            // Never too large, not even for the lowest number and -1.
            Arithmetic::Remainder => Some(left.wrapping_rem(right)),
        }
    }
}

impl BitOperator {
    /// The operator applied to two integers, as values of a type.
    pub fn apply(self, ty: Type, left: i128, right: i128) -> i128 {
        let operator = match self {
            BitOperator::And => Binary::And,
            BitOperator::Or => Binary::Or,
            BitOperator::Xor => Binary::Xor,
            BitOperator::ShiftLeft => Binary::ShiftLeft,
            BitOperator::ShiftRight => Binary::ShiftRight,
        };
        let (left, right) = (ty.wrap(left as u64), ty.wrap(right as u64));
        // None of these can fault.
        let value = operator.apply(ty, left, right).unwrap_or(0);
        ty.to_number(value)
    }
}

impl Formula {
    /// Whether the formula holds; `None` if it is badly made, or a number gets too large to be
    /// represented here.
    pub fn holds(&self, values: &dyn Values) -> Option<bool> {
        let mut found: Vec<Option<FormulaValue>> = Vec::with_capacity(self.nodes().len());
        for &node in self.nodes() {
            let value = evaluate(node, &found, values);
            found.push(value);
        }
        match found.pop()?? {
            FormulaValue::Bool(holds) => Some(holds),
            FormulaValue::Int(_) => None,
        }
    }
}

fn evaluate(
    node: Node,
    found: &[Option<FormulaValue>],
    values: &dyn Values,
) -> Option<FormulaValue> {
    use FormulaValue::{Bool, Int};
    let truth = |part: Part| match found[part.index()] {
        Some(Bool(value)) => Some(value),
        _ => None,
    };
    let number = |part: Part| match found[part.index()] {
        Some(Int(value)) => Some(value),
        _ => None,
    };
    let read = |variable: VarRef, when: When, element: Option<u64>| {
        let value = element.and_then(|it| values.value(variable, when, it));
        let value = value.unwrap_or(0);
        match values.is_bool(variable) {
            true => Bool(value != 0),
            false => Int(value),
        }
    };
    Some(match node {
        Node::Bool(value) => Bool(value),
        Node::Int(value) => Int(value),
        Node::Variable(variable, when) => read(variable, when, Some(0)),
        Node::Element(array, when, index) => read(array, when, u64::try_from(number(index)?).ok()),
        Node::Not(part) => Bool(!truth(part)?),
        // One operand may decide though the other has no value.
        Node::And(left, right) => match (truth(left), truth(right)) {
            (Some(false), _) | (_, Some(false)) => Bool(false),
            (left, right) => Bool(left? && right?),
        },
        Node::Or(left, right) => match (truth(left), truth(right)) {
            (Some(true), _) | (_, Some(true)) => Bool(true),
            (left, right) => Bool(left? || right?),
        },
        Node::Implies(left, right) => match (truth(left), truth(right)) {
            (Some(false), _) | (_, Some(true)) => Bool(true),
            (left, right) => Bool(!left? || right?),
        },
        Node::Equal(left, right) => {
            let (left, right) = (found[left.index()]?, found[right.index()]?);
            match (left, right) {
                (Bool(_), Bool(_)) | (Int(_), Int(_)) => Bool(left == right),
                _ => return None,
            }
        }
        Node::Less(left, right) => Bool(number(left)? < number(right)?),
        Node::LessEqual(left, right) => Bool(number(left)? <= number(right)?),
        Node::If(condition, then, otherwise) => {
            found[if truth(condition)? { then } else { otherwise }.index()]?
        }
        Node::Arithmetic(operator, left, right) => {
            Int(operator.apply(number(left)?, number(right)?)?)
        }
        Node::Wrap(ty, part) => Int(ty.to_number(ty.wrap(number(part)? as u64))),
        Node::Bits(operator, ty, left, right) => {
            Int(operator.apply(ty, number(left)?, number(right)?))
        }
    })
}
