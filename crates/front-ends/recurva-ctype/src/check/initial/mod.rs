//! Initial values.

mod list;

use recurva_c::ast::{ExprId as TreeId, ExprKind as Tree, Init};
use recurva_syntax::Span;

use super::{Checker, Outcome, convert::Use};
use crate::{
    IntKind, Length, Qualified, Type, TypeId,
    typed::{ExprId, Initial, InitialPart},
};

impl<'u> Checker<'u> {
    /// The initial value of an object, and its type: an array without a length gets one.
    pub(super) fn initial(
        &mut self,
        ty: Qualified,
        init: &'u Init,
        is_static: bool,
    ) -> Outcome<(Qualified, Initial)> {
        let init = self.unwrapped(ty, init);
        match init {
            Init::List(items, _) => self.listed(ty, items, is_static),
            Init::Expr(expr) => {
                if let Type::Array(element, length) = *self.out.types.get(ty.ty) {
                    let Some(text) = self.array_text(element.ty, *expr)? else {
                        let span = self.unit.expr(*expr).span;
                        return Err(self.wrong(
                            |_| "an array is initialised with a list in braces".to_string(),
                            span,
                        ));
                    };
                    let ty = self.completed(ty, element, length, self.text_length(text));
                    return Ok((ty, whole(ty, text)));
                }
                let value = self.initial_value(ty.ty, *expr, is_static)?;
                Ok((ty, whole(ty, value)))
            }
        }
    }

    /// A compound literal that initialises an object of its type is as good as its list (GNU).
    fn unwrapped(&mut self, ty: Qualified, init: &'u Init) -> &'u Init {
        let Init::Expr(expr) = init else {
            return init;
        };
        let mut expr = *expr;
        while let Tree::Paren(inner) = self.unit.expr(expr).kind {
            expr = inner;
        }
        let Tree::Compound(name, inner) = &self.unit.expr(expr).kind else {
            return init;
        };
        let mark = self.length_mark();
        let other = self.type_name(name);
        self.take_lengths(mark);
        match other {
            Ok(other) if self.out.types.are_compatible(ty.ty, other.ty) => inner,
            _ => init,
        }
    }

    /// The value of an object that is no array.
    fn initial_value(&mut self, ty: TypeId, expr: TreeId, is_static: bool) -> Outcome<ExprId> {
        let value = self.rvalue(expr)?;
        self.given(ty, value, is_static)
    }

    /// A value as the initial one of an object.
    fn given(&mut self, ty: TypeId, value: ExprId, is_static: bool) -> Outcome<ExprId> {
        let value = self.assigned(value, ty, Use::Initial)?;
        if is_static {
            self.fold(value)?;
        }
        Ok(value)
    }

    /// The string that initialises an array, if the expression is one for elements like these.
    fn array_text(&mut self, element: TypeId, expr: TreeId) -> Outcome<Option<ExprId>> {
        let mut inner = expr;
        while let Tree::Paren(expr) = self.unit.expr(inner).kind {
            inner = expr;
        }
        let Type::Int(kind) = *self.out.types.get(element) else {
            return Ok(None);
        };
        let Tree::Text(spans) = &self.unit.expr(inner).kind else {
            return self.name_text(kind, inner);
        };
        let text = self.text(spans, self.unit.expr(inner).span)?;
        let Type::Array(unit, _) = *self.ty(text) else {
            return Ok(None);
        };
        let is_char = |kind: IntKind| self.out.types.bits(kind) == 8;
        let fits = match *self.out.types.get(unit.ty) {
            Type::Int(unit) if is_char(kind) => is_char(unit),
            Type::Int(unit) => self.out.types.bits(kind) == self.out.types.bits(unit),
            _ => false,
        };
        Ok(fits.then_some(text))
    }

    /// `__func__` initialises an array as a string does (GNU).
    fn name_text(&mut self, kind: IntKind, expr: TreeId) -> Outcome<Option<ExprId>> {
        let Tree::Name(ident) = self.unit.expr(expr).kind else {
            return Ok(None);
        };
        match self.name(ident.name) {
            "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__"
                if self.out.types.bits(kind) == 8 =>
            {
                self.named(ident).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn text_length(&self, text: ExprId) -> u64 {
        match *self.ty(text) {
            Type::Array(_, Length::Known(length)) => length,
            _ => 0,
        }
    }

    /// The type of an array that is initialised with so many elements.
    fn completed(
        &mut self,
        ty: Qualified,
        element: Qualified,
        length: Length,
        given: u64,
    ) -> Qualified {
        match length {
            Length::Unknown => {
                let array = Type::Array(element, Length::Known(given));
                ty.of(self.out.types.number(array))
            }
            _ => ty,
        }
    }

    /// Whether an object of a type can be declared, an array without a length if it has an
    /// initial value.
    pub(super) fn check_complete_for(
        &mut self,
        ty: Qualified,
        init: Option<&Init>,
        span: Span,
    ) -> Outcome<()> {
        let is_complete = match self.out.types.get(ty.ty) {
            Type::Void | Type::Function(_) => false,
            Type::Array(_, Length::Unknown) => init.is_some(),
            Type::Record(id) => self.out.types.record(*id).layout.is_some(),
            _ => true,
        };
        match is_complete {
            true => Ok(()),
            false => Err(self.incomplete(ty, span)),
        }
    }
}

/// A value for all of an object.
fn whole(ty: Qualified, value: ExprId) -> Initial {
    let part = InitialPart {
        path: Box::new([]),
        ty,
        value,
    };
    Initial {
        parts: vec![part],
        is_whole: true,
    }
}
