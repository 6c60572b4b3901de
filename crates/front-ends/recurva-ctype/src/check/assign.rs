//! Assignments and steps.

use recurva_c::ast::{AssignOperator, ExprId as TreeId, ExprKind as Tree, StepOperator};
use recurva_syntax::Span;

use super::{
    Checker, Outcome, Wrong,
    convert::Use,
    operator::{computing, is_integral, is_shift},
};
use crate::{
    Type, TypeId,
    typed::{Binary, ExprId, ExprKind},
};

impl Checker<'_> {
    pub(super) fn not_a_place(&mut self, operand: TreeId) -> Wrong {
        let span = self.unit.expr(operand).span;
        self.wrong(
            |_| "this is a value, not a place that can be written or pointed to".to_string(),
            span,
        )
    }

    /// Checks a place that is written to.
    fn writable(&mut self, operand: TreeId) -> Outcome<ExprId> {
        let id = self.expression(operand)?;
        let span = self.unit.expr(operand).span;
        if let ExprKind::Unsupported(_) = self.expr(id).kind {
            return Ok(id);
        }
        if !self.is_place(id) || matches!(self.ty(id), Type::Function(_)) {
            return Err(self.not_a_place(operand));
        }
        let ty = self.expr(id).ty;
        if matches!(self.out.types.get(ty.ty), Type::Array(..)) {
            return Err(self.wrong(|_| "an array cannot be assigned to".to_string(), span));
        }
        if *self.out.types.get(ty.ty) == Type::Void {
            return Err(self.incomplete(ty, span));
        }
        if ty.is_const || self.has_constant_field(ty.ty) {
            let what = self.constant_name(operand);
            return Err(self.wrong(
                |_| format!("{what} is constant and cannot be written"),
                span,
            ));
        }
        if let Type::Record(record) = *self.out.types.get(ty.ty)
            && self.out.types.record(record).layout.is_none()
        {
            return Err(self.incomplete(ty, span));
        }
        Ok(id)
    }

    fn constant_name(&self, operand: TreeId) -> String {
        match &self.unit.expr(operand).kind {
            Tree::Name(ident) => format!("`{}`", self.name(ident.name)),
            Tree::Member { name, .. } => format!("the field `{}`", self.name(name.name)),
            Tree::Paren(inner) => self.constant_name(*inner),
            _ => "this place".to_string(),
        }
    }

    /// Whether a record has a constant field, at any depth.
    fn has_constant_field(&self, ty: TypeId) -> bool {
        let mut open = vec![ty];
        while let Some(ty) = open.pop() {
            match self.out.types.get(ty) {
                Type::Array(element, _) if element.is_const => return true,
                Type::Array(element, _) => open.push(element.ty),
                Type::Record(id) => {
                    let layout = self.out.types.record(*id).layout.as_ref();
                    for field in layout.map_or(&[][..], |it| &it.fields) {
                        if field.ty.is_const {
                            return true;
                        }
                        if matches!(
                            self.out.types.get(field.ty.ty),
                            Type::Array(..) | Type::Record(_)
                        ) {
                            open.push(field.ty.ty);
                        }
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// `++` and `--`
    pub(super) fn step(
        &mut self,
        operator: StepOperator,
        operand: TreeId,
        span: Span,
    ) -> Outcome<ExprId> {
        let place = self.writable(operand)?;
        let ty = self.ty_id(place);
        if let Some(what) = self.unsupported_place(place) {
            return Ok(self.push_unsupported(span, ty, what));
        }
        let computed = match self.pointee(ty) {
            Some(element) => {
                self.check_step(element, span)?;
                ty
            }
            None if self.is_number(ty) => {
                let int = self.known.int();
                let own = self.promoted_value(place);
                self.common(own, int)
            }
            None => {
                return Err(self.wrong(
                    |types| format!("a value of type `{}` has no next one", types.describe(ty)),
                    span,
                ));
            }
        };
        let kind = ExprKind::Step {
            place,
            is_decrement: matches!(
                operator,
                StepOperator::PreDecrement | StepOperator::PostDecrement
            ),
            is_postfix: matches!(
                operator,
                StepOperator::PostIncrement | StepOperator::PostDecrement
            ),
            computed,
        };
        Ok(self.push_value(span, ty, kind))
    }

    /// Why a place has no meaning here, if it has none.
    fn unsupported_place(&self, place: ExprId) -> Option<&'static str> {
        match self.expr(place).kind {
            ExprKind::Unsupported(what) => Some(what.0),
            _ => self.foreign(self.ty_id(place)),
        }
    }

    /// `=`, `+=` and the like.
    pub(super) fn assign(
        &mut self,
        operator: AssignOperator,
        target: TreeId,
        value: TreeId,
        span: Span,
        operator_span: Span,
    ) -> Outcome<ExprId> {
        let place = self.writable(target)?;
        let value = self.rvalue(value)?;
        let ty = self.ty_id(place);
        let Some(operator) = operator.and_then(computing) else {
            if let ExprKind::Unsupported(what) = self.expr(place).kind {
                return Ok(self.push_unsupported(span, ty, what.0));
            }
            let value = self.assigned(value, ty, Use::Assigned)?;
            return Ok(self.push_value(span, ty, ExprKind::Assign(place, value)));
        };
        let from = self.ty_id(value);
        if let Some(what) = self.unsupported_place(place).or_else(|| self.foreign(from)) {
            return Ok(self.push_unsupported(span, ty, what));
        }
        let (value, computed) = match self.pointee(ty) {
            Some(element) => {
                if !matches!(operator, Binary::Add | Binary::Subtract) || !self.is_integer(from) {
                    return Err(self.wrong_operands(ty, from, operator_span));
                }
                self.check_step(element, span)?;
                (self.index_value(value), ty)
            }
            None => self.assigned_number(operator, place, value, operator_span)?,
        };
        let kind = ExprKind::AssignOperator {
            operator,
            place,
            value,
            computed,
        };
        Ok(self.push_value(span, ty, kind))
    }

    /// The right side of an operator that assigns to a number, and the type it is computed in.
    fn assigned_number(
        &mut self,
        operator: Binary,
        place: ExprId,
        value: ExprId,
        operator_span: Span,
    ) -> Outcome<(ExprId, TypeId)> {
        let (ty, from) = (self.ty_id(place), self.ty_id(value));
        let is_fine = match is_integral(operator) {
            true => self.is_integer(ty) && self.is_integer(from),
            false => self.is_number(ty) && self.is_number(from),
        };
        if !is_fine {
            return Err(self.wrong_operands(ty, from, operator_span));
        }
        let value = self.promote(value);
        let own = self.promoted_value(place);
        if is_shift(operator) {
            return Ok((value, own));
        }
        let computed = self.common(own, self.ty_id(value));
        Ok((self.convert(value, computed), computed))
    }
}
