//! What can be told about an expression without knowing any variable.

use recurva_model::{Binary, Expr, Op, Type};

/// What is known about a value without knowing any variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guess {
    Value(u64),
    Fault,
    Nothing,
}

/// Whether a condition holds, if that is the same whatever the values; where it faults it does
/// not hold.
pub(crate) fn known(condition: &Expr) -> Option<bool> {
    let mut stack: Vec<Guess> = Vec::new();
    for &op in condition.ops() {
        let mut pop = || stack.pop().unwrap_or(Guess::Nothing);
        let map = |known, f: &dyn Fn(u64) -> u64| match known {
            Guess::Value(value) => Guess::Value(f(value)),
            other => other,
        };
        let known = match op {
            Op::Const(value, _) => Guess::Value(value),
            Op::Read(_) | Op::ReadNext(_) | Op::Any(..) => Guess::Nothing,
            Op::Index(_) | Op::IndexNext(_) => match pop() {
                Guess::Fault => Guess::Fault,
                _ => Guess::Nothing,
            },
            Op::Unary(operator, ty) => map(pop(), &|value| operator.apply(ty, value)),
            Op::Convert(from, to) => map(pop(), &|value| recurva_model::convert(from, to, value)),
            Op::Faults => match pop() {
                Guess::Value(_) => Guess::Value(0),
                Guess::Fault => Guess::Value(1),
                Guess::Nothing => Guess::Nothing,
            },
            Op::Undefined(_) => Guess::Fault,
            Op::UndefinedElement(_) => {
                pop();
                Guess::Fault
            }
            Op::Binary(operator, ty) => {
                let (right, left) = (pop(), pop());
                join(operator, ty, left, right)
            }
        };
        stack.push(known);
    }
    match stack.pop() {
        Some(Guess::Value(value)) => Some(value != 0),
        Some(Guess::Fault) => Some(false),
        Some(Guess::Nothing) | None => None,
    }
}

fn join(operator: Binary, ty: Type, left: Guess, right: Guess) -> Guess {
    let early = operator.early(ty);
    match (left, right) {
        (Guess::Fault, _) => Guess::Fault,
        (Guess::Value(value), _) if early.is_some_and(|(decides, _)| decides == value) => {
            Guess::Value(early.map_or(0, |(_, result)| result))
        }
        (Guess::Value(a), Guess::Value(b)) => {
            operator.apply(ty, a, b).map_or(Guess::Fault, Guess::Value)
        }
        (Guess::Value(_), Guess::Fault) => Guess::Fault,
        (Guess::Nothing, Guess::Fault) if early.is_none() => Guess::Fault,
        _ => Guess::Nothing,
    }
}
