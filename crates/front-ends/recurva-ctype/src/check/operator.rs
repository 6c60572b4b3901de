//! Operators.

use recurva_c::ast::{BinaryOperator, ExprId as TreeId, UnaryOperator};
use recurva_syntax::Span;

use super::{Checker, Outcome, Wrong};
use crate::{
    Qualified, Type, TypeId,
    typed::{Binary, ExprId, ExprKind, Unary},
};

/// An operator that computes; `None` for `&&` and `||`.
pub(super) fn computing(operator: BinaryOperator) -> Option<Binary> {
    Some(match operator {
        BinaryOperator::Multiply => Binary::Multiply,
        BinaryOperator::Divide => Binary::Divide,
        BinaryOperator::Remainder => Binary::Remainder,
        BinaryOperator::Add => Binary::Add,
        BinaryOperator::Subtract => Binary::Subtract,
        BinaryOperator::ShiftLeft => Binary::ShiftLeft,
        BinaryOperator::ShiftRight => Binary::ShiftRight,
        BinaryOperator::Less => Binary::Less,
        BinaryOperator::Greater => Binary::Greater,
        BinaryOperator::LessEqual => Binary::LessEqual,
        BinaryOperator::GreaterEqual => Binary::GreaterEqual,
        BinaryOperator::Equal => Binary::Equal,
        BinaryOperator::NotEqual => Binary::NotEqual,
        BinaryOperator::BitAnd => Binary::And,
        BinaryOperator::BitXor => Binary::Xor,
        BinaryOperator::BitOr => Binary::Or,
        BinaryOperator::And | BinaryOperator::Or => return None,
    })
}

pub(super) fn is_shift(operator: Binary) -> bool {
    matches!(operator, Binary::ShiftLeft | Binary::ShiftRight)
}

/// Whether an operator is only for integers.
pub(super) fn is_integral(operator: Binary) -> bool {
    matches!(
        operator,
        Binary::Remainder
            | Binary::ShiftLeft
            | Binary::ShiftRight
            | Binary::And
            | Binary::Or
            | Binary::Xor
    )
}

impl<'u> Checker<'u> {
    pub(super) fn arithmetic_unary(
        &mut self,
        operator: UnaryOperator,
        id: ExprId,
        span: Span,
    ) -> Outcome<ExprId> {
        let ty = self.ty_id(id);
        let is_fine = match operator {
            UnaryOperator::Complement => self.is_integer(ty),
            _ => self.is_number(ty),
        };
        if !is_fine {
            return Err(self.wrong(
                |types| {
                    let ty = types.describe(ty);
                    format!("this operator has no meaning for a value of type `{ty}`")
                },
                span,
            ));
        }
        if let Some(what) = self.foreign(ty) {
            return Ok(self.push_unsupported(span, ty, what));
        }
        let id = self.promote(id);
        let ty = self.ty_id(id);
        Ok(match operator {
            UnaryOperator::Minus => self.push_value(span, ty, ExprKind::Unary(Unary::Negate, id)),
            UnaryOperator::Complement => {
                self.push_value(span, ty, ExprKind::Unary(Unary::Complement, id))
            }
            _ => id,
        })
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        left: TreeId,
        right: TreeId,
        span: Span,
        operator_span: Span,
    ) -> Outcome<ExprId> {
        let left = self.expression(left)?;
        let left = match computing(operator) {
            Some(_) => self.value(left)?,
            None => self.condition(left)?,
        };
        let right = self.expression(right)?;
        if let Some(operator) = computing(operator) {
            let right = self.value(right)?;
            return self.compute(operator, left, right, span, operator_span);
        }
        let right = self.condition(right)?;
        let kind = match operator {
            BinaryOperator::And => ExprKind::And(left, right),
            _ => ExprKind::Or(left, right),
        };
        let int = self.known.int();
        Ok(self.push_value(span, int, kind))
    }

    /// An operator on two values.
    pub(super) fn compute(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        span: Span,
        operator_span: Span,
    ) -> Outcome<ExprId> {
        let (from, to) = (self.ty_id(left), self.ty_id(right));
        if self.is_number(from) && self.is_number(to) {
            return self.compute_numbers(operator, left, right, span, operator_span);
        }
        let (pointer, other) = (self.pointee(from), self.pointee(to));
        if Self::is_comparison(operator) && (pointer.is_some() || other.is_some()) {
            return self.compare_pointers(operator, left, right, span, operator_span);
        }
        match (operator, pointer, other) {
            (Binary::Add, Some(element), None) if self.is_integer(to) => {
                self.move_pointer(left, right, element, ExprKind::PointerAdd, span)
            }
            (Binary::Add, None, Some(element)) if self.is_integer(from) => {
                self.move_pointer(right, left, element, ExprKind::PointerAdd, span)
            }
            (Binary::Subtract, Some(element), None) if self.is_integer(to) => {
                self.move_pointer(left, right, element, ExprKind::PointerSubtract, span)
            }
            (Binary::Subtract, Some(element), Some(_)) => {
                self.check_step(element, span)?;
                let ty = self.known.difference;
                Ok(self.push_value(span, ty, ExprKind::PointerDifference(left, right)))
            }
            _ => Err(self.wrong_operands(from, to, operator_span)),
        }
    }

    pub(super) fn wrong_operands(&mut self, left: TypeId, right: TypeId, span: Span) -> Wrong {
        self.wrong(
            |types| {
                let (left, right) = (types.describe(left), types.describe(right));
                format!("this operator has no meaning for values of types `{left}` and `{right}`")
            },
            span,
        )
    }

    fn compute_numbers(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        span: Span,
        operator_span: Span,
    ) -> Outcome<ExprId> {
        let (from, to) = (self.ty_id(left), self.ty_id(right));
        if is_integral(operator) && !(self.is_integer(from) && self.is_integer(to)) {
            return Err(self.wrong_operands(from, to, operator_span));
        }
        let int = self.known.int();
        if let Some(what) = self.foreign(from).or_else(|| self.foreign(to)) {
            let ty = match Self::is_comparison(operator) {
                true => int,
                false => self.common(from, to),
            };
            return Ok(self.push_unsupported(span, ty, what));
        }
        if is_shift(operator) {
            let left = self.promote(left);
            let right = self.promote(right);
            let ty = self.ty_id(left);
            return Ok(self.push_value(span, ty, ExprKind::Binary(operator, left, right)));
        }
        let (left, right, ty) = self.balance(left, right);
        let ty = match Self::is_comparison(operator) {
            true => int,
            false => ty,
        };
        Ok(self.push_value(span, ty, ExprKind::Binary(operator, left, right)))
    }

    fn compare_pointers(
        &mut self,
        operator: Binary,
        left: ExprId,
        right: ExprId,
        span: Span,
        operator_span: Span,
    ) -> Outcome<ExprId> {
        let (from, to) = (self.ty_id(left), self.ty_id(right));
        let (left, right) = match (self.pointee(from), self.pointee(to)) {
            (Some(_), Some(_)) => (left, right),
            (Some(_), None) if self.is_integer(to) => (left, self.convert(right, from)),
            (None, Some(_)) if self.is_integer(from) => (self.convert(left, to), right),
            _ => return Err(self.wrong_operands(from, to, operator_span)),
        };
        let int = self.known.int();
        Ok(self.push_value(span, int, ExprKind::Binary(operator, left, right)))
    }

    /// `pointer + index` and `pointer - index`.
    pub(super) fn move_pointer(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        element: Qualified,
        kind: fn(ExprId, ExprId) -> ExprKind,
        span: Span,
    ) -> Outcome<ExprId> {
        self.check_step(element, span)?;
        let index = self.index_value(index);
        let ty = self.ty_id(pointer);
        Ok(self.push_value(span, ty, kind(pointer, index)))
    }

    /// An index, promoted.
    pub(super) fn index_value(&mut self, index: ExprId) -> ExprId {
        match self.foreign(self.ty_id(index)) {
            Some(_) => {
                let ty = self.known.difference;
                self.convert(index, ty)
            }
            None => self.promote(index),
        }
    }

    /// Whether a pointer to a type can be moved: its size must be known.
    pub(super) fn check_step(&mut self, element: Qualified, span: Span) -> Outcome<()> {
        let is_complete = match self.out.types.get(element.ty) {
            Type::Record(id) => self.out.types.record(*id).layout.is_some(),
            Type::Array(_, length) => *length != crate::Length::Unknown,
            _ => true,
        };
        match is_complete {
            true => Ok(()),
            false => Err(self.incomplete(element, span)),
        }
    }

    /// `base[index]`: either side may be the pointer.
    pub(super) fn index(&mut self, base: TreeId, index: TreeId, span: Span) -> Outcome<ExprId> {
        let left = self.rvalue(base)?;
        let right = self.rvalue(index)?;
        let (from, to) = (self.ty_id(left), self.ty_id(right));
        if let Type::Foreign(crate::Foreign::Vector { .. }) = self.out.types.get(from) {
            let int = self.known.int();
            return Ok(self.push_unsupported(span, int, "vectors"));
        }
        let (pointer, number) = match (self.pointee(from), self.pointee(to)) {
            (Some(_), None) if self.is_integer(to) => (left, right),
            (None, Some(_)) if self.is_integer(from) => (right, left),
            _ => {
                return Err(self.wrong(
                    |types| {
                        let (from, to) = (types.describe(from), types.describe(to));
                        format!("`[` needs a pointer and an integer, not `{from}` and `{to}`")
                    },
                    span,
                ));
            }
        };
        let Some(element) = self.pointee(self.ty_id(pointer)) else {
            return Err(Wrong);
        };
        let place = self.move_pointer(pointer, number, element, ExprKind::PointerAdd, span)?;
        self.deref(place, span)
    }

    /// `*pointer`
    pub(super) fn deref(&mut self, pointer: ExprId, span: Span) -> Outcome<ExprId> {
        let ty = self.ty_id(pointer);
        let Some(target) = self.pointee(ty) else {
            return Err(self.wrong(
                |types| format!("a value of type `{}` points to nothing", types.describe(ty)),
                span,
            ));
        };
        Ok(self.push(span, target, ExprKind::Deref(pointer)))
    }

    /// `&operand`
    pub(super) fn address_of(&mut self, operand: TreeId, span: Span) -> Outcome<ExprId> {
        let id = self.expression(operand)?;
        if let Type::Function(_) = self.ty(id) {
            let pointer = self.function_pointer(id);
            return Ok(pointer);
        }
        if self.bit_width(id).is_some() && self.is_place(id) {
            return Err(self.wrong(|_| "a bit-field has no address".to_string(), span));
        }
        if let ExprKind::Deref(pointer) = self.expr(id).kind {
            return Ok(pointer);
        }
        if !self.is_place(id) {
            if let ExprKind::Unsupported(_) = self.expr(id).kind {
                let ty = self.pointer_to(self.expr(id).ty);
                return Ok(self.convert(id, ty));
            }
            return Err(self.not_a_place(operand));
        }
        let target = self.expr(id).ty;
        let pointer = self.pointer_to(target);
        Ok(self.push_value(span, pointer, ExprKind::Address(id)))
    }
}
