//! Functions of the compiler.

use recurva_cir::{Binary, Expr, ExprKind, Int, LocalKind, Operation, Origin, Scalar, Unary};
use recurva_ctype::typed::{Builtin, ExprId};

use super::{Lower, arithmetic::overflows, condition::is_not_zero, place::LONG};
use crate::exprs;

impl Lower<'_, '_, '_> {
    /// A call of a function of the compiler.
    pub(super) fn builtin(&mut self, builtin: Builtin, arguments: &[ExprId], id: ExprId) -> Expr {
        let origin = self.origin_of(id);
        match (builtin, arguments) {
            (Builtin::VaStart, [list, ..]) => {
                let list = self.va_list(*list);
                self.graph.emit(Operation::VaStart(list), origin);
            }
            (Builtin::VaCopy, [to, from]) => {
                let (to, from) = (self.va_list(*to), self.va_list(*from));
                self.graph.emit(Operation::VaCopy { to, from }, origin);
            }
            (Builtin::VaEnd | Builtin::Fence, _) => {
                arguments.iter().for_each(|&it| {
                    if self.facts.is_impure(it) {
                        self.discard(it);
                    }
                });
            }
            (Builtin::Alloca, [size, ..]) => {
                let size = self.value(*size);
                let size = exprs::convert(size, Scalar::Int(self.program.types.word()));
                let ty = self.program.types.void_pointer();
                let place = self.graph.temporary(ty, origin);
                self.allocate_on_stack(size, Some(place.clone()), origin);
                return self.load(place);
            }
            // The compiler may assume that this is not reached, so a run ends here.
            (Builtin::Unreachable, _) => {
                self.graph
                    .end(Operation::Assume(exprs::boolean(false)), origin);
            }
            (Builtin::Trap, _) => self.graph.end(Operation::Abort, origin),
            (Builtin::CountLeadingZeros, [operand]) => {
                return self.count(Unary::LeadingZeros, *operand, id);
            }
            (Builtin::CountTrailingZeros, [operand]) => {
                return self.count(Unary::TrailingZeros, *operand, id);
            }
            (Builtin::PopulationCount, [operand]) => {
                return self.count(Unary::CountOnes, *operand, id);
            }
            (Builtin::Parity, [operand]) => {
                let ones = self.count(Unary::CountOnes, *operand, id);
                let one = Expr::constant(1, ones.ty);
                return exprs::binary(Binary::And, ones, one);
            }
            (Builtin::FindFirstSet, [operand]) => return self.find_first_set(*operand, id),
            (Builtin::SwapBytes, [operand]) => {
                let swapped = exprs::unary(Unary::SwapBytes, self.value(*operand));
                let ty = self.scalar_of(id);
                return exprs::convert(swapped, ty);
            }
            (
                Builtin::AddOverflow | Builtin::SubtractOverflow | Builtin::MultiplyOverflow,
                [left, right, result],
            ) => return self.exact(builtin, *left, *right, *result, id),
            (Builtin::ObjectSize, list) => {
                let kind = list.get(1).map_or(0, |&kind| {
                    let kind = self.value(kind);
                    exprs::number(&kind).unwrap_or(0)
                });
                let Scalar::Int(int) = self.scalar_of(id) else {
                    return self.anything(id);
                };
                return exprs::int(if kind & 2 == 0 { -1 } else { 0 }, int);
            }
            // Some object of this frame.
            (Builtin::FrameAddress, _) => {
                let ty = self.program.types.int(Int::BYTE);
                let name = "frame".into();
                let place = self.graph.local(name, ty, LocalKind::User, origin);
                return exprs::address(place);
            }
            _ => self.unsupported("a function of the compiler", origin),
        }
        self.anything(id)
    }

    fn count(&mut self, operator: Unary, operand: ExprId, id: ExprId) -> Expr {
        let count = exprs::unary(operator, self.value(operand));
        let ty = self.scalar_of(id);
        exprs::convert(count, ty)
    }

    fn find_first_set(&mut self, operand: ExprId, id: ExprId) -> Expr {
        let origin = self.origin_of(id);
        let value = self.value(operand);
        let value = self.stable(value, origin);
        let zeros = exprs::unary(Unary::TrailingZeros, value.clone());
        let ty = self.scalar_of(id);
        let zeros = exprs::convert(zeros, ty);
        let position = exprs::binary(Binary::Add, zeros, Expr::constant(1, ty));
        Expr {
            kind: ExprKind::If(
                Box::new(is_not_zero(value)),
                Box::new(position),
                Box::new(Expr::constant(0, ty)),
            ),
            ty,
        }
    }

    /// `__builtin_add_overflow` and the like: stores the result, and says whether it is not exact.
    fn exact(
        &mut self,
        builtin: Builtin,
        left: ExprId,
        right: ExprId,
        result: ExprId,
        id: ExprId,
    ) -> Expr {
        let origin = self.origin_of(id);
        let operator = match builtin {
            Builtin::AddOverflow => Binary::Add,
            Builtin::SubtractOverflow => Binary::Subtract,
            _ => Binary::Multiply,
        };
        let pointee = self.pointee(result);
        let target = self.scalar(pointee);
        let left = self.value(left);
        let left = self.keep(left, &[right, result], origin);
        let right = self.value(right);
        let right = self.keep(right, &[result], origin);
        let pointer = self.value(result);
        let (Some(Scalar::Int(target)), Scalar::Int(first), Scalar::Int(second)) =
            (target, left.ty, right.ty)
        else {
            self.unsupported("checked arithmetic on these types", origin);
            return self.anything(id);
        };
        let Some((value, is_inexact)) =
            self.computed_exactly(operator, (left, first), (right, second), target, origin)
        else {
            self.unsupported("checked arithmetic on these types", origin);
            return self.anything(id);
        };
        let ty = self.ty(pointee);
        let place = super::place::deref(&self.program.types.types, pointer, ty);
        self.access(&place, origin);
        let is_inexact = self.save(is_inexact, origin);
        self.store(&place, value, origin);
        let ty = self.scalar_of(id);
        exprs::convert(is_inexact, ty)
    }

    /// The result as a number of the target's type, and whether it is not the exact one. In the
    /// target's type if that holds both operands, else in a type that holds every result.
    fn computed_exactly(
        &mut self,
        operator: Binary,
        left: (Expr, Int),
        right: (Expr, Int),
        target: Int,
        origin: Origin,
    ) -> Option<(Expr, Expr)> {
        if holds(target, left.1) && holds(target, right.1) {
            let [left, right] = [left.0, right.0].map(|it| exprs::convert(it, Scalar::Int(target)));
            let (left, right) = (self.stable(left, origin), self.stable(right, origin));
            let is_inexact = overflows(operator, left.clone(), right.clone());
            return Some((exprs::binary(operator, left, right), is_inexact));
        }
        let is_small = left.1.bits.max(right.1.bits) <= 32;
        let both_unsigned = !left.1.is_signed && !right.1.is_signed;
        let wide = match (operator, both_unsigned) {
            (Binary::Multiply, true) => Int {
                bits: 64,
                is_signed: false,
            },
            _ => LONG,
        };
        if !is_small || (target.bits == 64 && target != wide) {
            return None;
        }
        let [left, right] = [left.0, right.0].map(|it| exprs::convert(it, Scalar::Int(wide)));
        let exact = self.save(exprs::binary(operator, left, right), origin);
        let value = exprs::convert(exact.clone(), Scalar::Int(target));
        let back = exprs::convert(value.clone(), Scalar::Int(wide));
        Some((value, exprs::binary(Binary::NotEqual, back, exact)))
    }
}

/// Whether a type has all values of another.
fn holds(outer: Int, inner: Int) -> bool {
    match (outer.is_signed, inner.is_signed) {
        (true, false) => outer.bits > inner.bits,
        (false, true) => false,
        _ => outer.bits >= inner.bits,
    }
}
