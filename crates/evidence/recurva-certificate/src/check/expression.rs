//! Expressions of programs as terms: what they come to, and when they fault.

use recurva_model::{Binary, Expr, Moment, Op as Operator, ProcId, Program, Type, Unary, VarRef};
use recurva_smt::{Op, Term, Terms};

use super::values::{Index, Values, constant, from_bits, to_bits, with_width};

/// Where expressions of an edge are evaluated.
pub(super) struct Place<'a> {
    pub(super) program: &'a Program,
    pub(super) procedure: ProcId,
    pub(super) now: &'a Values,
    /// The values after the step, where they are known.
    pub(super) next: &'a Values,
    /// The edge's choices.
    pub(super) choices: &'a [(Term, Type)],
}

/// A value, as it is when there is no fault, and whether there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluated {
    pub(super) value: Term,
    pub(super) ty: Type,
    pub(super) fault: Term,
}

impl Evaluated {
    /// The bits and their number.
    pub(super) fn bits(self, terms: &mut Terms) -> (Term, u32) {
        (to_bits(terms, self.value), u32::from(self.ty.bits()))
    }
}

/// An expression; `None` if it is none.
pub(super) fn evaluate(terms: &mut Terms, expr: &Expr, place: &Place<'_>) -> Option<Evaluated> {
    let mut stack: Vec<Evaluated> = Vec::new();
    for &op in expr.ops() {
        let no_fault = terms.falsity();
        let sure = |value, ty| Evaluated {
            value,
            ty,
            fault: no_fault,
        };
        let evaluated = match op {
            Operator::Const(value, ty) => sure(constant(terms, value, ty), ty),
            Operator::Read(variable) => {
                let (value, ty) = place.scalar(variable, Moment::Now)?;
                sure(value, ty)
            }
            Operator::ReadNext(variable) => {
                let (value, ty) = place.scalar(variable, Moment::Next)?;
                sure(value, ty)
            }
            Operator::Index(array) => place.element(terms, array, Moment::Now, stack.pop()?)?,
            Operator::IndexNext(array) => {
                place.element(terms, array, Moment::Next, stack.pop()?)?
            }
            Operator::Any(ty, which) => {
                let &(choice, own) = place.choices.get(which as usize)?;
                let bits = to_bits(terms, choice);
                let bits = with_width(terms, bits, own.bits().into(), ty.bits().into());
                sure(from_bits(terms, bits, ty), ty)
            }
            Operator::Unary(operator, ty) => {
                let operand = stack.pop()?;
                let value = unary(terms, operator, operand);
                Evaluated {
                    value: from_bits(terms, value, ty),
                    ..operand
                }
            }
            Operator::Convert(from, to) => {
                let operand = stack.pop()?;
                let bits = to_bits(terms, operand.value);
                let (own, wanted) = (u32::from(from.bits()), u32::from(to.bits()));
                let bits = match from.is_signed() && wanted > own {
                    true => terms.sign_extend(bits, wanted - own),
                    false => with_width(terms, bits, own, wanted),
                };
                Evaluated {
                    value: from_bits(terms, bits, to),
                    ty: to,
                    ..operand
                }
            }
            Operator::Faults => sure(stack.pop()?.fault, Type::Bool),
            Operator::Undefined(ty) | Operator::UndefinedElement(ty) => {
                if matches!(op, Operator::UndefinedElement(_)) {
                    stack.pop()?;
                }
                Evaluated {
                    value: constant(terms, 0, ty),
                    ty,
                    fault: terms.truth(),
                }
            }
            Operator::Binary(operator, ty) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                binary(terms, operator, ty, left, right)
            }
        };
        // Terms of programs have their types: this is what keeps wrong ones from being made at all.
        debug_assert_eq!(
            terms.sort(evaluated.value),
            super::values::sort(evaluated.ty),
            "{op:?}"
        );
        stack.push(evaluated);
    }
    stack.pop().filter(|_| stack.is_empty())
}

impl Place<'_> {
    fn values(&self, moment: Moment) -> &Values {
        match moment {
            Moment::Now => self.now,
            Moment::Next => self.next,
        }
    }

    fn scalar(&self, variable: VarRef, moment: Moment) -> Option<(Term, Type)> {
        let value = self.values(moment).get(variable)?.scalar()?;
        let ty = self.program.variable(self.procedure, variable).ty;
        Some((value, ty))
    }

    fn element(
        &self,
        terms: &mut Terms,
        array: VarRef,
        moment: Moment,
        index: Evaluated,
    ) -> Option<Evaluated> {
        let variable = self.program.variable(self.procedure, array);
        let (bits, width) = index.bits(terms);
        let place = Index::new(terms, bits, width, variable.len?);
        let cells = self.values(moment).get(array)?;
        let outside = terms.not(place.is_there);
        Some(Evaluated {
            value: cells.element(terms, &place, variable.ty)?,
            ty: variable.ty,
            fault: terms.or(&[index.fault, outside]),
        })
    }
}

fn unary(terms: &mut Terms, operator: Unary, operand: Evaluated) -> Term {
    let bits = to_bits(terms, operand.value);
    let operator = match operator {
        Unary::Not => Op::BitNot,
        Unary::Negate => Op::Negate,
    };
    terms.apply(operator, &[bits])
}

fn binary(
    terms: &mut Terms,
    operator: Binary,
    ty: Type,
    left: Evaluated,
    right: Evaluated,
) -> Evaluated {
    // What is on the right does not count where the left operand decides.
    let right_counts = match (operator, ty) {
        (Binary::And | Binary::Implies, Type::Bool) => left.value,
        (Binary::Or, Type::Bool) => terms.not(left.value),
        _ => terms.truth(),
    };
    let right_faults = terms.and(&[right_counts, right.fault]);
    let mut faults = vec![left.fault, right_faults];
    let value = match (operator, ty) {
        (Binary::And, Type::Bool) => terms.and(&[left.value, right.value]),
        (Binary::Or, Type::Bool) => terms.or(&[left.value, right.value]),
        (Binary::Implies, Type::Bool) => terms.implies(left.value, right.value),
        _ => {
            let (a, b) = (to_bits(terms, left.value), to_bits(terms, right.value));
            if matches!(operator, Binary::Divide | Binary::Remainder) {
                let zero = terms.bits(0, ty.bits().into());
                faults.push(terms.equal(b, zero));
            }
            match comparison(terms, operator, ty, a, b) {
                Some(value) => value,
                None => {
                    let bits = arithmetic(terms, operator, ty, a, (b, right.ty));
                    from_bits(terms, bits, ty)
                }
            }
        }
    };
    Evaluated {
        value,
        ty: operator.result(ty),
        fault: terms.or(&faults),
    }
}

fn comparison(terms: &mut Terms, operator: Binary, ty: Type, a: Term, b: Term) -> Option<Term> {
    let (less, less_equal) = match ty.is_signed() {
        true => (Op::Less, Op::LessEqual),
        false => (Op::UnsignedLess, Op::UnsignedLessEqual),
    };
    Some(match operator {
        Binary::Equal => terms.equal(a, b),
        Binary::NotEqual => {
            let equal = terms.equal(a, b);
            terms.not(equal)
        }
        Binary::Less => terms.apply(less, &[a, b]),
        Binary::LessEqual => terms.apply(less_equal, &[a, b]),
        Binary::Greater => terms.apply(less, &[b, a]),
        Binary::GreaterEqual => terms.apply(less_equal, &[b, a]),
        _ => return None,
    })
}

/// An operator whose result has the type of its operands. The right one of a shift has its own.
fn arithmetic(
    terms: &mut Terms,
    operator: Binary,
    ty: Type,
    a: Term,
    (b, right): (Term, Type),
) -> Term {
    let signed = ty.is_signed();
    let operator = match operator {
        Binary::And => Op::BitAnd,
        Binary::Or => Op::BitOr,
        Binary::Xor => Op::BitXor,
        Binary::Implies => {
            let not_a = terms.apply(Op::BitNot, &[a]);
            return terms.apply(Op::BitOr, &[not_a, b]);
        }
        Binary::Subtract => Op::Subtract,
        Binary::Multiply => Op::Multiply,
        Binary::Divide if signed => Op::SignedDivide,
        Binary::Divide => Op::UnsignedDivide,
        Binary::Remainder if signed => Op::SignedRemainder,
        Binary::Remainder => Op::UnsignedRemainder,
        Binary::ShiftLeft => return shift(terms, Op::ShiftLeft, ty, a, (b, right)),
        Binary::ShiftRight if signed => {
            return shift(terms, Op::ArithmeticShiftRight, ty, a, (b, right));
        }
        Binary::ShiftRight => return shift(terms, Op::LogicalShiftRight, ty, a, (b, right)),
        // Comparisons were dealt with.
        _ => Op::Add,
    };
    terms.apply(operator, &[a, b])
}

/// A shift by an amount without sign, in as many bits as the longer operand has.
fn shift(terms: &mut Terms, op: Op, ty: Type, a: Term, (b, right): (Term, Type)) -> Term {
    let (own, amount) = (u32::from(ty.bits()), u32::from(right.bits()));
    let width = own.max(amount);
    let a = match ty.is_signed() {
        true => terms.sign_extend(a, width - own),
        false => terms.zero_extend(a, width - own),
    };
    let b = terms.zero_extend(b, width - amount);
    let shifted = terms.apply(op, &[a, b]);
    with_width(terms, shifted, width, own)
}
