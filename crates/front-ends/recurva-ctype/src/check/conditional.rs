//! `c ? a : b`

use recurva_c::ast::ExprId as TreeId;
use recurva_syntax::Span;

use super::{Checker, Outcome};
use crate::{
    Qualified, TypeId,
    typed::{ExprId, ExprKind},
};

impl Checker<'_> {
    pub(super) fn conditional(
        &mut self,
        condition: TreeId,
        then: Option<TreeId>,
        other: TreeId,
        span: Span,
    ) -> Outcome<ExprId> {
        let condition = self.expression(condition)?;
        let condition = self.condition(condition)?;
        let Some(then) = then else {
            let other = self.rvalue(other)?;
            let ty = self.choice_type(condition, other, span)?;
            let other = self.choice(other, ty);
            let kind = ExprKind::Conditional(condition, None, other);
            return Ok(self.push_value(span, ty, kind));
        };
        let then = self.rvalue(then)?;
        let other = self.rvalue(other)?;
        let ty = self.choice_type(then, other, span)?;
        let then = self.choice(then, ty);
        let other = self.choice(other, ty);
        let kind = ExprKind::Conditional(condition, Some(then), other);
        Ok(self.push_value(span, ty, kind))
    }

    /// One of the choices as the common type.
    fn choice(&mut self, id: ExprId, ty: TypeId) -> ExprId {
        if ty == self.known.void && self.ty_id(id) == ty {
            return id;
        }
        match self.is_number(ty) && self.foreign(ty).is_none() {
            true => {
                let id = self.promote(id);
                self.convert(id, ty)
            }
            false => self.convert(id, ty),
        }
    }

    /// The type of either of two values.
    fn choice_type(&mut self, left: ExprId, right: ExprId, span: Span) -> Outcome<TypeId> {
        let (from, to) = (self.ty_id(left), self.ty_id(right));
        if self.is_number(from) && self.is_number(to) {
            let (left, right) = (self.promoted_value(left), self.promoted_value(right));
            return Ok(self.common(left, right));
        }
        if from == to {
            return Ok(from);
        }
        let void = self.known.void;
        if from == void || to == void {
            return Ok(void);
        }
        match (self.pointee(from), self.pointee(to)) {
            (Some(target), Some(other)) => Ok(self.choice_pointer(left, right, target, other)),
            (Some(_), None) if self.is_integer(to) => Ok(from),
            (None, Some(_)) if self.is_integer(from) => Ok(to),
            _ => Err(self.wrong(
                |types| {
                    let (from, to) = (types.describe(from), types.describe(to));
                    format!("this is either `{from}` or `{to}`, and nothing is both")
                },
                span,
            )),
        }
    }

    /// The type of either of two pointers: to what both point to, with the qualifiers of both.
    fn choice_pointer(
        &mut self,
        left: ExprId,
        right: ExprId,
        target: Qualified,
        other: Qualified,
    ) -> TypeId {
        // A null pointer has no say.
        if self.is_null(left) && !self.is_null(right) {
            return self.ty_id(right);
        }
        if self.is_null(right) && !self.is_null(left) {
            return self.ty_id(left);
        }
        let ty = match self.out.types.are_compatible(target.ty, other.ty) {
            true => self.out.types.composite(target.ty, other.ty),
            false => self.known.void,
        };
        let target = Qualified::plain(ty).and(target).and(other);
        self.pointer_to(target)
    }
}
