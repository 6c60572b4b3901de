//! Expressions as terms.

use recurva_model::{Expr, Op, ProcId, Program, Type, VarRef};
use recurva_smt::Term;

use crate::{Encoder, Store};

/// An expression as terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoded {
    /// Its value, where it has one.
    pub value: Term,
    /// That it has one: nothing is divided by zero, every index is in range.
    pub is_defined: Term,
}

/// Where an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The program.
    pub program: &'a Program,
    /// The procedure that is running.
    pub procedure: ProcId,
    /// The values of the variables.
    pub now: &'a Store,
    /// Their values after the step, in a constraint.
    pub next: Option<&'a Store>,
    /// The values that the step chooses.
    pub choices: &'a [Term],
}

impl Encoder<'_> {
    /// An expression as terms.
    pub fn expression(&mut self, place: Scope<'_>, expression: &Expr) -> Encoded {
        let mut stack: Vec<(Type, Encoded)> = Vec::new();
        let truth = self.terms.truth();
        let defined = |value| Encoded {
            value,
            is_defined: truth,
        };
        for &op in expression.ops() {
            let result = match op {
                Op::Const(value, ty) => (ty, defined(self.constant(value, ty))),
                Op::Read(variable) => {
                    let ty = place.program.variable(place.procedure, variable).ty;
                    (ty, defined(place.now.get(variable).term()))
                }
                Op::ReadNext(variable) => {
                    let ty = place.program.variable(place.procedure, variable).ty;
                    (ty, defined(next(place).get(variable).term()))
                }
                Op::Index(array) => self.read_element(place, place.now, array, pop(&mut stack)),
                Op::IndexNext(array) => {
                    self.read_element(place, next(place), array, pop(&mut stack))
                }
                Op::Any(ty, which) => (ty, defined(place.choices[which as usize])),
                Op::Unary(operator, ty) => {
                    let (_, operand) = pop(&mut stack);
                    let value = self.unary(operator, ty, operand.value);
                    (ty, Encoded { value, ..operand })
                }
                Op::Convert(from, to) => {
                    let (_, operand) = pop(&mut stack);
                    let value = self.convert(from, to, operand.value);
                    (to, Encoded { value, ..operand })
                }
                Op::Faults => {
                    let (_, operand) = pop(&mut stack);
                    (Type::Bool, defined(self.terms.not(operand.is_defined)))
                }
                Op::Undefined(ty) => (ty, self.undefined(ty)),
                Op::UndefinedElement(ty) => {
                    pop(&mut stack);
                    (ty, self.undefined(ty))
                }
                Op::Binary(operator, ty) => {
                    let (right_type, right) = pop(&mut stack);
                    let (_, left) = pop(&mut stack);
                    let value = self.binary(operator, (ty, left.value), (right_type, right.value));
                    let mut right_defined = right.is_defined;
                    if let Some((decides, _)) = operator.early(ty) {
                        let decided = match decides {
                            0 => self.terms.not(left.value),
                            _ => left.value,
                        };
                        right_defined = self.terms.or(&[decided, right_defined]);
                    }
                    let mut is_defined = self.terms.and(&[left.is_defined, right_defined]);
                    if matches!(
                        operator,
                        recurva_model::Binary::Divide | recurva_model::Binary::Remainder
                    ) {
                        let divides = self.divides(ty, right.value);
                        is_defined = self.terms.and(&[is_defined, divides]);
                    }
                    (operator.result(ty), Encoded { value, is_defined })
                }
            };
            stack.push(result);
        }
        pop(&mut stack).1
    }

    fn undefined(&mut self, ty: Type) -> Encoded {
        Encoded {
            value: self.constant(0, ty),
            is_defined: self.terms.falsity(),
        }
    }

    fn read_element(
        &mut self,
        place: Scope<'_>,
        store: &Store,
        array: VarRef,
        (ty, index): (Type, Encoded),
    ) -> (Type, Encoded) {
        let variable = place.program.variable(place.procedure, array);
        let in_range = self.in_range(ty, index.value, variable.slots() as u64);
        let value = self.element(variable, store.get(array), (ty, index.value));
        let is_defined = self.terms.and(&[index.is_defined, in_range]);
        (variable.ty, Encoded { value, is_defined })
    }
}

fn next<'a>(place: Scope<'a>) -> &'a Store {
    place.next.unwrap_or(place.now)
}

/// Programs are checked: an operator has its operands.
fn pop(stack: &mut Vec<(Type, Encoded)>) -> (Type, Encoded) {
    stack.pop().expect("an operator has its operands")
}
